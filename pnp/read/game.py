"""The conductor of reading: a game's folder → a resolved :class:`pnp.values.game.Game`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from pnp.read import presets
from pnp.read.celltypes import resolve
from pnp.read.columnnames import column_name
from pnp.read.components import MOST_PIECES, read_component
from pnp.read.computed import computed
from pnp.read.gamefile import read_game_file
from pnp.read.grid import NAMED_AS_TABLE, SUFFIXES
from pnp.read.layouts import read_layout
from pnp.read.manuals import read_manuals
from pnp.read.pieces import Shelf
from pnp.read.project import Project, font_folders
from pnp.read.schema import Expected, GameFile, Split, TableRules
from pnp.read.tables import find_file, read_table
from pnp.read.tomlfile import Lines
from pnp.read.unprinted import tell_unprinted
from pnp.read.wordcolumns import with_words
from pnp.system.paths import file_within
from pnp.values.game import Component, Expectation, Game, Grouping, Layout, Paper
from pnp.values.kinds import KINDS
from pnp.values.problems import Place, Problems, listed
from pnp.values.rules import Rules
from pnp.values.tables import Table


def read_game(project: Project, name: str, problems: Problems) -> Game | None:
    """The game, or None when what is wrong leaves nothing to draw; all findings are among the problems.

    Raises NoSuchGame when the project has no game of that name.
    """
    folder = project.folder(name)
    shown = project.shown(folder / "game.toml")
    parsed = read_game_file(folder / "game.toml", shown, problems, project.instead.files.get(folder / "game.toml"))
    if parsed is None:
        return None
    rules, lines = parsed.rules, parsed.lines
    _misnamed(folder, shown, problems)
    tables = _tables(project, folder, rules, lines, problems)
    if not parsed.sound:
        return None
    papers = _papers(rules, lines, problems)
    kinds = {key: component.kind for key, component in rules.component.items()}
    shelf = Shelf(project, folder, tables, project.template_roots(name), lines, papers, kinds)
    components = _components(rules, shelf, problems)
    if _too_many(components, problems):
        return None
    if len(components) == len(rules.component):
        tell_unprinted(rules, tables, components, folder, shelf.roots, problems)
    if not rules.component:
        problems.error(
            "no-components", Place(shown), "the game has no component", hint="Add a section [component.cards] with a size."
        )
    return Game(
        name=name,
        title=rules.game.name,
        version=rules.game.version,
        language=rules.game.language,
        about={
            key: str(value)
            for key in ("designer", "year", "players", "source", "licence", "note")
            if (value := getattr(rules.game, key)) is not None
        },
        folder=folder.resolve(),
        file=shown,
        papers=papers,
        palette=rules.palette,
        fonts=rules.fonts,
        texts=rules.texts,
        tables=tables,
        components=tuple(components),
        expectations=tuple(_expectation(key, expected, rules, lines, problems) for key, expected in rules.expect.items()),
        template_roots=project.template_roots(name),
        font_folders=font_folders(folder),
        layouts=_layouts(rules, tables, components, lines, problems),
        manuals=read_manuals(project, folder, rules, lines, problems),
        whole=len(components) == len(rules.component),
        rules=_rules(project, folder / "rules.toml", rules, tables, components, problems),
        places={".".join(key): lines.place(*key) for key in _kept_keys(rules)},
    )


def _kept_keys(rules: GameFile) -> Iterator[tuple[str, ...]]:
    """The keys with which a later stage may find fault."""
    of_game = ("name", "players", "version", "source", "licence", "note")
    named = {"game": of_game, "palette": rules.palette, "fonts": rules.fonts, "texts": rules.texts}
    for section, keys in named.items():
        yield from ((section, key) for key in keys)
    yield from (("book", name, key) for name in rules.book for key in ("title", "subtitle", "foot", "contents"))


def _misnamed(folder: Path, shown: str, problems: Problems) -> None:
    """Files that look like one of pnp's own and are called otherwise, so that they are not read, or not on every system."""
    for path in sorted(folder.iterdir()):
        for name in ("game.toml", "rules.toml", "rulebook.md"):
            if path.name != name and re.fullmatch(rf"(?i){re.escape(name)}(\.txt)?", path.name):
                problems.warn(
                    "misnamed-file",
                    Place(shown.replace("game.toml", path.name)),
                    f"it is not read: it is not called {name}",
                    value=path.name,
                    hint=f"Call it {name}, with its ending shown, or take it away.",
                )


def _components(rules: GameFile, shelf: Shelf, problems: Problems) -> list[Component]:
    """The components in the order written; those that are made to the measure of others are read after these."""
    for key, component in rules.component.items():
        others = [name for name, other in rules.component.items() if name != key and other.instead is None]
        if component.instead is not None and component.instead not in others:
            problems.unknown(
                "unknown-component",
                shelf.lines.place("component", key, "instead"),
                f'"{component.instead}" is not a component that others can be printed instead of',
                component.instead,
                others,
            )
    for turn in range(3):
        for key, component in rules.component.items():
            if component.turn == turn and (made := read_component(key, component, shelf, problems)):
                shelf.known[key] = made
    return [shelf.known[key] for key in rules.component if key in shelf.known]


def _too_many(components: Sequence[Component], problems: Problems) -> bool:
    """Whether so many pieces are asked for that laying them out would take all memory."""
    total = 0
    for component in components:
        total += component.copies
        if total > MOST_PIECES:
            problems.error(
                "too-many-pieces",
                component.place,
                f"with this component the game has {total} pieces",
                value=str(component.copies),
                allowed=f"{MOST_PIECES} pieces in a game",
                hint="Look for a number of copies that is too large, or make several games of it.",
            )
            return True
    return False


def _papers(rules: GameFile, lines: Lines, problems: Problems) -> tuple[Paper, ...]:
    papers = []
    for text in rules.game.papers:
        try:
            papers.append(presets.paper(text))
        except ValueError as error:
            problems.error(
                "unknown-paper",
                lines.place("game", "papers"),
                str(error),
                value=text,
                allowed=listed([*presets.paper_names(), "a free size such as 210mm x 297mm"], 40),
            )
    return tuple(dict.fromkeys(papers))


def _tables(project: Project, folder: Path, rules: GameFile, lines: Lines, problems: Problems) -> dict[str, Table]:
    """Every table that a component, a column or a [table] section names, with typed cells."""
    needed: dict[str, Place] = {key: lines.place("table", key) for key in rules.table}
    for key, component in rules.component.items():
        for role, name in component.tables(key):
            needed.setdefault(name, lines.place("component", key, role))
    for key, layout in rules.layout.items():
        needed.setdefault(layout.table or key, lines.place("layout", key, "table"))
    for key, ruled in rules.table.items():
        for column, described in ruled.columns.items():
            if described.table:
                needed.setdefault(described.table, lines.place("table", key, "columns", column))
    tables: dict[str, Table] = {}
    for name, place in needed.items():
        path, hidden = find_file(folder, name, rules.table.get(name, TableRules()))
        if hidden:
            problems.warn(
                "two-table-files",
                Place(project.shown(path)),
                f"this file is read, and nothing of {listed(hidden)} beside it",
                value=path.name,
                hint=f'Take the old one away, or say which it is: file = "{path.name}" for the table {name} in game.toml.',
            )
        if not file_within(folder, path):
            if rules.table.get(name, TableRules()).address:
                message = f'there is no table file "{path.name}" in the game\'s folder yet'
                problems.error("missing-table", place, message, value=path.name, hint=f"Type: pnp fetch {folder.name}")
                continue
            files = sorted(file.name for file in folder.iterdir() if NAMED_AS_TABLE.search(file.name))
            unread = [folder / f"{name}{suffix}" for suffix in (".numbers", ".xlsb", ".gsheet", ".fods")]
            if found := next((other.name for other in unread if other.is_file()), None):
                message = f'there is no table file "{path.name}", and pnp does not read "{found}"'
                problems.error("missing-table", place, message, value=found, hint="Save it as XLSX or as CSV UTF-8.")
                continue
            if meant := next((file for file in files if _called_like(file, name)), None):
                message = f'there is no table file "{path.name}" in the game\'s folder'
                hint = f'Rename "{meant}" to {name}{Path(meant).suffix.lower()}, or write [table.{name}] file = "{meant}".'
                problems.error("missing-table", place, message, value=path.name, allowed=listed(files), hint=hint)
                continue
            problems.unknown(
                "missing-table", place, f'there is no table file "{path.name}" in the game\'s folder', path.name, files
            )
            continue
        ruling, instead = rules.table.get(name, TableRules()), project.instead.cells
        if table := read_table(path, project.shown(path), name, ruling, problems, instead):
            tables[name] = table
    for name, table in tables.items():
        resolve(table, rules.table[name].columns if name in rules.table else {}, tables, rules.palette, problems)
    for name in [name for name in tables if name in rules.table]:

        def place_of(column: str, name: str = name) -> Place:
            return lines.place("table", name, "columns", column)

        tables[name] = computed(tables[name], rules.table[name].columns, tables, rules.palette, place_of, problems)
    return with_words(tables, rules.table, rules.palette, folder)


def _called_like(file: str, table: str) -> bool:
    """Whether a file is called as Google Sheets names a sheet that is downloaded: Market - Cards.csv, perhaps (1)."""
    stem = Path(file).stem
    title = re.sub(r" \(\d+\)$", "", stem).rpartition(" - ")[2]
    return Path(file).suffix.lower() in SUFFIXES and title != stem and column_name(title) == column_name(table)


def _layouts(
    rules: GameFile, tables: dict[str, Table], components: list[Component], lines: Lines, problems: Problems
) -> tuple[Layout, ...]:
    known = {component.name: component for component in components}
    made = []
    for key, layout in rules.layout.items():
        place, table = lines.place("layout", key), tables.get(layout.table or key)
        fitting = [name for name, component in rules.component.items() if KINDS[component.kind].laid]
        if layout.of not in fitting:
            problems.unknown(
                "unknown-component",
                lines.place("layout", key, "of"),
                f'"{layout.of}" is not a component of tiles or dominoes',
                layout.of,
                fitting,
            )
        elif table is not None and layout.of in known:
            title = layout.title or key.replace("-", " ").capitalize()
            made.append(read_layout(key, title, table, known[layout.of], place, problems))
    return tuple(layout for layout in made if layout is not None)


def _rules(
    project: Project, path: Path, rules: GameFile, tables: dict[str, Table], components: list[Component], problems: Problems
) -> Rules:
    """What the game's rules.toml says, if it has one: only then are the models of all that may stand in it made."""
    # Even a link that leads nowhere is there: whatever is wrong is told where it is read.
    if not os.path.lexists(path):
        return Rules()
    from pnp.read.rulesfile import read_rules

    return read_rules(path, project.shown(path), rules, tables, components, problems, project.instead.files.get(path))


def _expectation(key: str, expected: Expected, rules: GameFile, lines: Lines, problems: Problems) -> Expectation:
    if key not in rules.component:
        problems.unknown(
            "unknown-component", lines.place("expect", key), f'"{key}" is not a component', key, rules.component
        )
    groupings = tuple(
        _grouping(split, lines.place("expect", key, "split", index)) for index, split in enumerate(expected.split)
    )
    return Expectation(key, expected.copies, expected.different, groupings, lines.place("expect", key))


def _grouping(split: Split, place: Place) -> Grouping:
    return Grouping(split.by, split.where, split.counts, split.groups, split.each, place)
