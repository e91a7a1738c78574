"""The conductor of reading: a game's folder → a resolved :class:`pnp.model.Game`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from pnp import units
from pnp.model import Component, Expectation, Game, Grouping, Paper, Table
from pnp.problems import Place, Problems, closest, listed
from pnp.read import presets
from pnp.read.gamefile import Lines, read_game_file
from pnp.read.project import Project, font_folders
from pnp.read.schema import ComponentRules, Expected, GameFile, Split, TableRules
from pnp.read.tables import find_file, read_table, resolve

MOST_BLEED = 20.0


def read_game(project: Project, name: str, problems: Problems) -> Game | None:
    """The game, or None when what is wrong leaves nothing to draw; all findings are among the problems.

    Raises NoSuchGame when the project has no game of that name.
    """
    folder = project.folder(name)
    shown = project.shown(folder / "game.toml")
    parsed = read_game_file(folder / "game.toml", shown, problems)
    if parsed is None:
        return None
    rules, lines = parsed
    tables = _tables(project, folder, rules, lines, problems)
    components = []
    for key, component in rules.component.items():
        if made := _component(key, component, tables, project.template_roots(name), folder, lines, problems):
            components.append(made)
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
        papers=_papers(rules, lines, problems),
        palette=rules.palette,
        fonts=rules.fonts,
        texts=rules.texts,
        tables=tables,
        components=tuple(components),
        expectations=tuple(_expectation(key, expected, rules, lines, problems) for key, expected in rules.expect.items()),
        template_roots=project.template_roots(name),
        font_folders=font_folders(folder),
    )


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
                allowed=listed([*presets.paper_names(), "a free size such as 210mm x 297mm"]),
            )
    return tuple(dict.fromkeys(papers))


def _tables(project: Project, folder: Path, rules: GameFile, lines: Lines, problems: Problems) -> dict[str, Table]:
    """Every table that a component, a column or a [table] section names, with typed cells."""
    needed: dict[str, Place] = {key: lines.place("table", key) for key in rules.table}
    for key, component in rules.component.items():
        needed.setdefault(component.table or key, lines.place("component", key, "table"))
    for key, ruled in rules.table.items():
        for column, described in ruled.columns.items():
            if described.table:
                needed.setdefault(described.table, lines.place("table", key, "columns", column))
    tables: dict[str, Table] = {}
    for name, place in needed.items():
        path = find_file(folder, name, rules.table.get(name, TableRules()))
        if not path.is_file() or folder.resolve() not in path.resolve().parents:
            files = sorted(file.name for file in folder.iterdir() if file.suffix in (".csv", ".xlsx", ".ods"))
            problems.error(
                "missing-table",
                place,
                f'there is no table file "{path.name}" in the game\'s folder',
                value=path.name,
                allowed=listed(files),
                hint=closest(path.name, files),
            )
        elif table := read_table(path, project.shown(path), name, rules.table.get(name, TableRules()), problems):
            tables[name] = table
    for name, table in tables.items():
        if name in rules.table:
            resolve(table, rules.table[name].columns, tables, rules.palette, problems)
    return tables


def _component(
    key: str,
    rules: ComponentRules,
    tables: Mapping[str, Table],
    roots: tuple[Path, ...],
    folder: Path,
    lines: Lines,
    problems: Problems,
) -> Component | None:
    before = len(problems.errors)
    size, bleed = (10.0, 10.0), 0.0
    try:
        size = presets.card_size(rules.size)
    except ValueError as error:
        problems.error(
            "bad-size",
            lines.place("component", key, "size"),
            str(error),
            value=rules.size,
            allowed=listed([*presets.size_names(), "a free size such as 90mm x 60mm"], 40),
        )
    try:
        bleed = 0.0 if rules.bleed == "0" else units.length(rules.bleed)
        if bleed > MOST_BLEED:
            raise ValueError(f'"{rules.bleed}" is more bleed than {MOST_BLEED:g} mm')
    except ValueError as error:
        problems.error(
            "bad-length",
            lines.place("component", key, "bleed"),
            str(error),
            value=rules.bleed,
            allowed=f"0mm to {MOST_BLEED:g}mm",
        )
    template = rules.template or key
    for role, name in (("template", template), ("back", rules.back)):
        if name is not None:
            _find_template(name, roots, lines.place("component", key, role), problems)
    table = tables.get(rules.table or key)
    if table is None or len(problems.errors) > before:
        return None
    return Component(
        name=key,
        title=rules.title or key.replace("-", " ").replace("_", " ").capitalize(),
        kind=rules.kind,
        table=_filtered(table, rules, key, lines, problems),
        template=template,
        back=rules.back,
        width=size[0],
        height=size[1],
        bleed=bleed,
        paper=rules.paper,
        place=lines.place("component", key),
    )


def _find_template(name: str, roots: tuple[Path, ...], place: Place, problems: Problems) -> None:
    known = sorted({file.name.removesuffix(".svg.j2") for root in roots for file in root.glob("*.svg.j2")})
    if name not in known:
        problems.error(
            "missing-template",
            place,
            f'there is no template "{name}" (a file {name}.svg.j2)',
            value=name,
            allowed=listed(known) or "none are there yet",
            hint=closest(name, known),
        )


def _filtered(table: Table, rules: ComponentRules, key: str, lines: Lines, problems: Problems) -> Table:
    place = lines.place("component", key, "where")
    if not _known_columns(table, list(rules.where), place, problems):
        return table
    rows = tuple(row for row in table.rows if all(row.text_of(column) == value for column, value in rules.where.items()))
    table.used.update(rules.where)
    if not rows:
        problems.error(
            "no-rows",
            place if rules.where else Place(table.file),
            f'no row of the table "{table.name}" is a piece of "{key}"',
            hint="Check the values in where." if rules.where else "A row is a piece: add one below the column names.",
        )
    return replace(table, rows=rows)


def _known_columns(table: Table, columns: list[str], place: Place, problems: Problems) -> bool:
    unknown = [column for column in columns if column not in (*table.columns, "id", "copies")]
    for column in unknown:
        problems.error(
            "unknown-column",
            place,
            f'the table "{table.name}" has no column "{column}"',
            value=column,
            allowed=listed(table.columns),
            hint=closest(column, table.columns),
        )
    return not unknown


def _expectation(key: str, expected: Expected, rules: GameFile, lines: Lines, problems: Problems) -> Expectation:
    if key not in rules.component:
        problems.error(
            "unknown-component",
            lines.place("expect", key),
            f'"{key}" is not a component',
            value=key,
            allowed=listed(rules.component),
            hint=closest(key, rules.component),
        )
    groupings = tuple(
        _grouping(split, lines.place("expect", key, "split", index)) for index, split in enumerate(expected.split)
    )
    return Expectation(key, expected.copies, expected.different, groupings, lines.place("expect", key))


def _grouping(split: Split, place: Place) -> Grouping:
    return Grouping(split.by, split.where, split.counts, split.groups, split.each, place)
