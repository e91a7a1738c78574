"""Runs the reading of a game's folder, books with it, into a resolved :class:`pnp.values.game.Game`."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path, PurePosixPath

from pnp.read import presets
from pnp.read.boards import read_layout
from pnp.read.celltypes import computed, resolve, with_words
from pnp.read.flat import Board
from pnp.read.grid import NAMED_AS_TABLE, SUFFIXES, column_name, read_grid
from pnp.read.languages import language_fault
from pnp.read.pieces import PieceRules, Shelf, as_said, check_joined, check_values, known_columns, numbered, said_in
from pnp.read.project import Project, bytes_of, font_folders
from pnp.read.schema import BookRules, GameFile, TableRules, read_game_file
from pnp.read.tables import find_file, read_table
from pnp.read.tomlfile import Lines
from pnp.shapes import units
from pnp.shapes.colour import full
from pnp.system.paths import ArtFolder, file_within
from pnp.values.fields import Expected
from pnp.values.game import FAMILIES, KINDS, TONES, Component, Game, Layout, Manual, Paper, Texts
from pnp.values.outcome import PRINTED
from pnp.values.problems import Place, Problems, closest, listed, nearest
from pnp.values.rules import Rules
from pnp.values.tables import COPIES, NAMING, Row, Table


def read_game(project: Project, name: str, problems: Problems) -> Game | None:
    """Reads a game; None when nothing is left to draw. Adds all findings to the problems.

    Raises NoSuchGame when the project has no game of that name.
    """
    folder = project.folder(name)
    shown = project.shown(folder / "game.toml")
    if links := project.led_out(name):
        for link in links:
            message = "this link leads out of the project, and is not followed"
            hint = "Copy to this place what it leads to."
            problems.error("linked-folder", Place(project.shown(link)), message, value=str(link.readlink()), hint=hint)
        return None
    parsed = read_game_file(folder / "game.toml", shown, problems, project.instead.files.get(folder / "game.toml"))
    if parsed is None:
        return None
    rules, lines = parsed.rules, parsed.lines
    _misnamed(folder, shown, not rules.book and not (folder / "rulebook.md").is_file(), problems)
    kinds = {key: component.kind for key, component in rules.component.items()}
    known = known_templates(project.template_roots(name))
    art = ArtFolder.of(folder)
    drawn = [each for each in rules.component.items() if has_look(*each, known, kinds, art)]
    # All of their columns are printed.
    printed = {of for key, component in drawn for role, of in component.tables(key) if role == "table"}
    tables = _tables(project, folder, rules, printed, lines, problems)
    if not parsed.sound:
        return None
    papers = _papers(rules, lines, problems)
    if rules.component and not problems.errors:
        _tell_unread(folder, shown, tables.values(), problems)
    shelf = Shelf(project, folder, tables, project.template_roots(name), lines, papers, kinds, problems, rules.game.style)
    components = _components(rules, shelf)
    if _too_many(components, problems):
        return None
    if len(components) == len(rules.component):
        tell_unprinted(rules, tables, components, folder, shelf.roots, problems)
    styled = _styled(rules) and components and not any(each.look for each in components)
    # Templates that were written out say in which style.
    if styled and not any(f"in the style {rules.game.style}," in text for text in _texts(folder, shelf.roots)):
        message = f'no piece is drawn in the style "{rules.game.style}": all have templates'
        hint = "Change the templates, or take this line away."
        problems.warn("unused-style", lines.place("game", "style"), message, value=rules.game.style, hint=hint)
    counted = next((each.table for each in components if each.table.rows and each.table.counted), None)
    if counted and not problems.errors and not any(each.copies for each in components):
        hint = f'Write into the column "{counted.counted}" how many there are of each.'
        problems.warn("no-rows", counted.place(), "no piece has a copy: none is printed", hint=hint)
    if not rules.component:
        problems.error(
            "no-components", Place(shown), "the game has no component", hint="Add a section [component.cards] with a size."
        )
    if rules.game.language != "en" and (told := language_fault(rules.game.language))[0]:
        problems.error("language-code", lines.place("game", "language"), told[0], value=rules.game.language, hint=told[1])
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
        fonts={
            **({role: (family,) for role, family in FAMILIES[rules.game.style].items()} if _styled(rules) else {}),
            **{role: found for role, found in rules.fonts.items() if isinstance(found, tuple)},
        },
        fonts_of=_fonts_of(rules, lines, problems),
        texts=Texts(rules.texts),
        tables=tables,
        components=tuple(components),
        expectations=tuple(_expected(key, expected, rules, lines, problems) for key, expected in rules.expect.items()),
        template_roots=project.template_roots(name),
        font_folders=font_folders(folder),
        layouts=_layouts(rules, tables, components, lines, problems),
        manuals=read_manuals(project, folder, rules, lines, problems),
        whole=len(components) == len(rules.component),
        rules=_rules(project, folder / "rules.toml", rules, tables, components, problems),
        places={".".join(key): lines.place(*key) for key in _kept_keys(rules)},
    )


def _styled(rules: GameFile) -> bool:
    return "style" in rules.game.model_fields_set


def _fonts_of(rules: GameFile, lines: Lines, problems: Problems) -> dict[str, dict[str, tuple[str, ...]]]:
    found = {key: families for key, families in rules.fonts.items() if isinstance(families, dict)}
    for key in found:
        if message := language_fault(key)[0]:
            problems.error("language-code", lines.place("fonts", key), message, value=key, hint=language_fault(key)[1])
    return found


def _kept_keys(rules: GameFile) -> Iterator[tuple[str, ...]]:
    of_game = ("name", "players", "version", "source", "licence", "note")
    named = {"game": of_game, "palette": rules.palette, "fonts": rules.fonts, "texts": rules.texts}
    for section, keys in named.items():
        yield from ((section, key) for key in keys)
    yield from (("fonts", key, role) for key, found in rules.fonts.items() if isinstance(found, dict) for role in found)
    yield from (("book", name, key) for name in rules.book for key in ("title", "subtitle", "foot", "contents"))


# What a folder's own texts are called, which are no rulebooks.
_OTHER_TEXTS = ("readme", "license", "licence", "notes", "changelog", "rulebook")


# What is saved beside a file of that name is called so.
_AGAIN = re.compile(r"(?i)(.+?)(?: \(\d+\)| - copy| copy| - kopie| - copia)(\.\w+)")
_DOCUMENTS = (".docx", ".odt", ".rtf", ".txt", ".pdf", ".pages")


def _tell_unread(folder: Path, shown: str, tables: Iterable[Table], problems: Problems) -> None:
    """Warns of tables with cards that no component names: nothing of them is printed."""
    known = {PurePosixPath(table.file).stem for table in tables}
    said = "".join(path.read_text("utf-8", "replace") for path in sorted(folder.glob("*.toml")) if file_within(folder, path))
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() not in SUFFIXES or path.name.startswith(("~", ".")) or not file_within(folder, path):
            continue
        if path.stem in known or path.stem in said or path.name == PRINTED or _AGAIN.fullmatch(path.name):
            continue
        grid = read_grid(path, path.name, None, Problems())
        if grid is not None and grid.rows and not {*COPIES, *NAMING}.isdisjoint(grid.header):
            message = f"no component names this table: none of its {len(grid.rows)} rows is printed"
            hint = f"Add a section [component.{path.stem}] to game.toml, with a size; or take the file away."
            problems.warn("unread-table", Place(shown.replace("game.toml", path.name)), message, value=path.name, hint=hint)


def _misnamed(folder: Path, shown: str, bookless: bool, problems: Problems) -> None:
    names = {path.name for path in folder.iterdir()}
    for path in sorted(folder.iterdir()):
        told: list[tuple[str, str]] = []
        if (again := _AGAIN.fullmatch(path.name)) and (first := again[1] + again[2]) in names:
            told.append((f"it is not read: {first} is", f"If it is the newer one, call it {first}; else take it away."))
        unread = "nothing reads it, and the game has no rulebook"
        if bookless and path.stem.lower() == "rulebook" and path.suffix.lower() in _DOCUMENTS:
            how = "Save its text as rulebook.md, in Markdown: # before a heading, an empty line between paragraphs."
            told.append((unread, how))
        for name in ("game.toml", "rules.toml", "rulebook.md"):
            if path.name != name and re.fullmatch(rf"(?i){re.escape(name)}(\.txt)?", path.name):
                how = f"Call it {name}, with its ending shown, or take it away."
                told.append((f"it is not read: it is not called {name}", how))
        if bookless and path.suffix.lower() == ".md" and not path.name.lower().startswith(_OTHER_TEXTS):
            how = "A rulebook is called rulebook.md; any other book has a section [book.NAME] in game.toml."
            told.append((unread, how))
        for message, hint in told:
            place = Place(shown.replace("game.toml", path.name))
            problems.warn("misnamed-file", place, message, value=path.name, hint=hint)


def _components(rules: GameFile, shelf: Shelf) -> list[Component]:
    for key, component in rules.component.items():
        others = [name for name, other in rules.component.items() if name != key and other.instead is None]
        if component.instead is not None and component.instead not in others:
            place = shelf.at(key, "instead")
            message = f'"{component.instead}" is not a component that others can be printed instead of'
            shelf.problems.unknown("unknown-component", place, message, component.instead, others)
    for turn in range(3):
        for key, component in rules.component.items():
            if component.turn == turn and (made := read_component(key, component, shelf)):
                shelf.known[key] = made
    return [shelf.known[key] for key in rules.component if key in shelf.known]


def _too_many(components: Sequence[Component], problems: Problems) -> bool:
    total = 0
    for component in components:
        total += component.copies
        if total > MOST_PIECES:
            message = f"with this component the game has {total} pieces"
            allowed = f"{MOST_PIECES} pieces in a game"
            hint = "Look for a number of copies that is too large, or make several games of it."
            place = component.place
            problems.error("too-many-pieces", place, message, value=str(component.copies), allowed=allowed, hint=hint)
            return True
    return False


def _papers(rules: GameFile, lines: Lines, problems: Problems) -> tuple[Paper, ...]:
    papers = []
    for text in rules.game.papers:
        try:
            papers.append(presets.paper(text))
        except ValueError as error:
            allowed = "a name such as a4 or letter, or a size such as 210mm x 297mm"
            problems.error("unknown-paper", lines.place("game", "papers"), str(error), value=text, allowed=allowed)
    return tuple(dict.fromkeys(papers))


def _tables(
    project: Project, folder: Path, rules: GameFile, printed: Set[str], lines: Lines, problems: Problems
) -> dict[str, Table]:
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
    ruling = {name: rules.table.get(name, TableRules()) for name in needed}
    for name, place in needed.items():
        path, hidden = find_file(folder, name, ruling[name])
        if hidden:
            what = f"this file is read, and nothing of {listed(hidden)} beside it"
            way = f'Take the old one away, or say which it is: file = "{path.name}" for the table {name} in game.toml.'
            problems.warn("two-table-files", Place(project.shown(path)), what, value=path.name, hint=way)
        if (sheet := ruling[name].sheet) and path.suffix.lower() in (".csv", ".tsv", ".tab"):
            message, here = f"{path.name} has no sheets: sheet is left alone", lines.place("table", name, "sheet")
            problems.warn("unread-sheets", here, message, value=sheet, hint="Take the line away.")
        if file_within(folder, path):
            if table := read_table(path, project.shown(path), name, ruling[name], problems, project.instead.cells):
                tables[name] = table
        # If its name is wrong, another one was looked for.
        elif not any(problem.place == place for problem in problems.errors):
            _tell_missing(folder, name, path, place, rules, problems)
    for name, table in tables.items():
        resolve(table, ruling[name].columns, tables, rules.palette, problems)
    for name in tables:

        def place_of(column: str, name: str = name) -> Place:
            return lines.place("table", name, "columns", column)

        tables[name] = computed(tables[name], ruling[name].columns, tables, rules.palette, place_of, problems)
    return with_words(tables, ruling, rules.palette, folder, printed)


def _tell_missing(folder: Path, name: str, path: Path, place: Place, rules: GameFile, problems: Problems) -> None:
    rule = "missing-table"
    message = f'there is no table file "{path.name}" in the game\'s folder'
    files = sorted(file.name for file in folder.iterdir() if NAMED_AS_TABLE.search(file.name))
    unread = (folder / f"{name}{suffix}" for suffix in (".numbers", ".xlsb", ".gsheet", ".fods"))
    value, allowed = path.name, listed(files)
    if path.is_symlink() and path.exists():
        rule = "linked-table"
        allowed = ""
        message = f'"{path.name}" is a link that leads out of the game\'s folder, and is not read'
        hint = "Copy the file itself into the folder."
    elif name in rules.table and rules.table[name].address:
        message, allowed, hint = f"{message} yet", "", f"Type: pnp fetch {folder.name}"
    elif found := next((other.name for other in unread if other.is_file()), None):
        message, value, allowed = f'there is no table file "{path.name}", and pnp does not read "{found}"', found, ""
        hint = "Save it as XLSX or as CSV UTF-8."
    elif meant := next((file for file in files if _called_like(file, name)), None):
        ending = next(each for each in reversed(Path(meant).suffixes) if each.lower() in SUFFIXES).lower()
        hint = f'Rename "{meant}" to {name}{ending}'
        hint += "." if ending != Path(meant).suffix else f', or write [table.{name}] file = "{meant}".'
        hint = f'Write file = "{meant}".' if meant == f"{name}{ending}" else hint
    else:
        alone = name in rules.component and "copies" in type(rules.component[name]).model_fields
        one_design = f"One design needs no table: write copies = 1 in [component.{name}]." if alone else ""
        hint = closest(path.name, files, 0.75) or one_design
    problems.error(rule, place, message, value=value, allowed=allowed, hint=hint)


def _called_like(file: str, table: str) -> bool:
    """Whether a file has the name but for its capitals or an ending too many, or that of a Google Sheets download:
    Cards.CSV, cards.csv.txt; Market - Cards.csv, perhaps (1)."""
    if any(file.casefold() in (f"{table}{suffix}", f"{table}{suffix}.txt") for suffix in SUFFIXES):
        return True
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
            message = f'"{layout.of}" is not a component of tiles or dominoes'
            problems.unknown("unknown-component", lines.place("layout", key, "of"), message, layout.of, fitting)
        elif table is not None and layout.of in known:
            title = layout.title or key.replace("-", " ").capitalize()
            made.append(read_layout(key, title, table, known[layout.of], place, problems, layout.players))
    return tuple(layout for layout in made if layout is not None)


def _rules(
    project: Project, path: Path, rules: GameFile, tables: dict[str, Table], components: list[Component], problems: Problems
) -> Rules:
    # Even a link that leads nowhere is there: whatever is wrong is told where it is read.
    if not os.path.lexists(path):
        return Rules()
    from pnp.read.rulesfile import read_rules

    return read_rules(path, project.shown(path), rules, tables, components, problems, project.instead.files.get(path))


def _expected(key: str, expected: Expected, rules: GameFile, lines: Lines, problems: Problems) -> Expected:
    if key not in rules.component:
        message = f'"{key}" is not a component'
        problems.unknown("unknown-component", lines.place("expect", key), message, key, rules.component)
    split = [each.at(lines.place("expect", key, "split", index)) for index, each in enumerate(expected.split)]
    return expected.at(lines.place("expect", key), key, split=split)


# Kinds whose pieces are drawn from their columns where they have no template.
LOOKS = ("card", "token")
MOST_BLEED = 20.0
# Nine to a sheet these are eleven packets of 500 sheets.
MOST_PIECES = 50_000


def known_templates(roots: Iterable[Path]) -> set[str]:
    """The names of the files NAME.svg.j2 in these folders."""
    return {file.name.removesuffix(".svg.j2") for root in roots for file in root.glob("*.svg.j2")}


def _drawable(key: str, rules: PieceRules, known: Set[str], art: ArtFolder) -> bool:
    """Whether a component needs no template: its columns tell how it looks, or its picture is all of it."""
    return key not in known and (rules.kind in LOOKS or (isinstance(rules, Board) and art.find(key) is not None))


def has_look(key: str, rules: PieceRules, known: Set[str], components: Collection[str], art: ArtFolder) -> bool:
    """Whether pnp draws a component from its columns or its picture, for it has no template."""
    bare = rules.template is None and _drawable(key, rules, known, art)
    # A template that is almost called so is likely the one that was meant: then it is asked for.
    return bare and not nearest(key, known - {*components}, 0.75)


def read_component(key: str, rules: PieceRules, shelf: Shelf) -> Component | None:
    """Reads a component; None when nothing of it can be drawn."""
    problems, place = shelf.problems, shelf.at(key)
    before = len(problems.errors)
    width, height = rules.trim(key, shelf)
    bleed = 0.0 if rules.bleed == "0" else shelf.length(key, "bleed", rules.bleed, 0.0, MOST_BLEED)
    template = rules.template or key
    known = known_templates(shelf.roots)
    art = ArtFolder.of(shelf.folder)
    drawable = _drawable(key, rules, known, art)
    bare = drawable and rules.template is None
    looks = has_look(key, rules, known, shelf.kinds, art)
    pictured = rules.back is not None and art.find(rules.back) is not None
    back_look = rules.back not in known and (pictured or (bare and rules.back == "back"))
    for role, name in (("template", template), ("back", rules.back)):
        if name is not None and not (looks and role == "template") and not (back_look and role == "back"):
            of_look = _of_back(name, art, looks) if role == "back" else ""
            if role == "template" and drawable and rules.template is not None:
                of_look = "Without this line the cards are drawn from their columns."
            if role == "template" and isinstance(rules, Board) and rules.template is None and not drawable:
                of_look = f"Write it, or save a picture of the whole board in art/, as {key}.png."
            _find_template(name, sorted(known), shelf.at(key, role), of_look, problems)
    if rules.tabled and rules.counted and rules.table is None:
        _two_ways(key, shelf)
    table = rules.rows(key, shelf, place)
    if table is None or len(problems.errors) > before:
        return None
    if table.parts:
        check_joined(table, shelf.at(key, "table"), problems)
    table = _copied(_filtered(table, rules, key, shelf), rules, key, shelf)
    component = Component(
        name=key,
        title=rules.title or key.replace("-", " ").replace("_", " ").capitalize(),
        kind=rules.kind,
        table=table,
        template=template,
        back=rules.back,
        width=width,
        height=height,
        bleed=bleed,
        paper=rules.paper,
        place=place,
        weight=rules.weight,
        backs=rules.backs,
        upright=rules.upright,
        instead=rules.instead,
        look=shelf.style if looks else "",
        back_look=back_look,
    )
    return rules.made(component, shelf)


def _of_back(name: str, art: ArtFolder, looks: bool) -> str:
    """How a back is had without a template."""
    plain, _, ending = re.split(r"[/\\]", name)[-1].partition(".")
    if ending and art.find(plain) is not None:
        return f'Write "{plain}": the picture in art/ is the whole back.'
    if ending.lower() in ("png", "jpg", "jpeg", "svg", "webp"):
        return f'Save the picture as art/{plain}.{ending}, and write "{plain}": it is the whole back then.'
    return 'Write "back": it is drawn as the fronts are.' if looks else ""


def _two_ways(key: str, shelf: Shelf) -> None:
    found = next((file for suffix in SUFFIXES if (file := shelf.folder / (key + suffix)).is_file()), None)
    if found is not None:
        message = f"the rows of {found.name} are the pieces and say how many there are, and so does copies"
        hint = "Take copies away, or give one of the two another name."
        shelf.problems.error("two-copies", shelf.at(key, "copies"), message, hint=hint)


def _find_template(name: str, known: Collection[str], place: Place, of_look: str, problems: Problems) -> None:
    if name not in known:
        # Typed with its folder or its ending, it is still known which one is meant.
        plain = re.split(r"[/\\]", name)[-1].partition(".")[0]
        message = f'there is no template "{name}" (a file {name}.svg.j2)'
        allowed = listed(known) or "none are there yet"
        hint = f'Write "{plain}".' if plain in known else closest(name, known) or of_look
        problems.error("missing-template", place, message, value=name, allowed=allowed, hint=hint)


def _filtered(table: Table, rules: PieceRules, key: str, shelf: Shelf) -> Table:
    place, problems = shelf.at(key, "where"), shelf.problems
    if not known_columns(table, list(rules.where), place, problems):
        return table
    rows = tuple(row for row in table if all(condition.holds(row, column) for column, condition in rules.where.items()))
    table.use(rules.where)
    sound, before = table.whole and all(row.sound for row in table), len(problems.errors)
    if sound and (rows or any(condition.bounded for condition in rules.where.values())):
        check_values(rules.where, table, place, problems)
        sound = len(problems.errors) == before
    if not rows and sound:
        missed = {column: {text: None for row in table for text in row.aliases(column)} for column in rules.where}
        wanted = [(column, value) for column, condition in rules.where.items() for value in condition.in_ or ()]
        column, value = next(((key, as_said(value)) for key, value in wanted if not said_in(missed[key], value)), ("", ""))
        message = f'no row of the table "{table.name}" is a piece of "{key}"'
        allowed = f"{column} {listed(missed[column])}" if column else ""
        hint = (
            (closest(value, missed.get(column, ())) or "Check the values in where.")
            if rules.where
            else "A row is a piece: add one below the column names."
        )
        problems.error("no-rows", place if rules.where else table.place(), message, value=value, allowed=allowed, hint=hint)
    return replace(table, rows=rows)


def _copied(table: Table, rules: PieceRules, key: str, shelf: Shelf) -> Table:
    if not rules.numbered or sum(row.copies for row in table) > MOST_PIECES:
        return table
    place, problems = shelf.at(key, "numbered"), shelf.problems
    if KINDS[rules.kind].laid:
        problems.error("bad-value", place, f"copies of a {rules.kind} have no numbers: layouts name each by its row's id")
        return table
    return numbered(table, place, problems)


_MOST_NAMED = 6
_MOST_LETTERS = 1_000_000


def tell_unprinted(
    rules: GameFile,
    tables: Mapping[str, Table],
    components: Sequence[Component],
    folder: Path,
    roots: Sequence[Path],
    problems: Problems,
) -> None:
    """Warns of rows that print nothing, in tables that serve for pieces alone; copies of 0 are meant."""
    taken = {row.place for component in components for row in component.table}
    elsewhere = set(_elsewhere(rules))
    for name, table in tables.items():
        left = [row for row in table if row.copies and row.place not in taken]
        if not left or len(left) == len(table.rows) or name in elsewhere or not all(row.sound for row in table):
            continue
        if any(_looks_up(text, name, name in rules.component) for text in _texts(folder, roots)):
            continue
        readers = [key for key, component in rules.component.items() if ("table", name) in component.tables(key)]
        problems.warn(
            "unprinted-rows",
            left[0].place,
            f'{len(left)} of {len(table.rows)} rows of the table "{name}" are pieces of no component, and are not '
            f"printed: {listed((row.id for row in left), _MOST_NAMED)}",
            value=left[0].id,
            hint=_meant(left[0], readers, rules)
            or f"Mend the cell, or the where of {listed(readers)}; copies 0 says that it is meant.",
        )


def _elsewhere(rules: GameFile) -> Iterator[str]:
    for key, component in rules.component.items():
        yield from (name for role, name in component.tables(key) if role != "table")
    yield from (layout.table or key for key, layout in rules.layout.items())
    for ruled in rules.table.values():
        yield from (column.table for column in ruled.columns.values() if column.table)


def _texts(folder: Path, roots: Sequence[Path]) -> Iterator[str]:
    files = [path for root in roots for path in sorted(root.glob("*.j2"))]
    for path in (*files, *sorted(folder.glob("*.md")), folder / "rules.toml"):
        if path.is_file():
            with path.open(encoding="utf-8", errors="replace") as file:
                yield file.read(_MOST_LETTERS)


def _looks_up(text: str, name: str, component: bool) -> bool:
    called = re.escape(name)
    asked = rf"""\btables\s*(?:\.\s*{called}\b|\[\s*["']{called}["']|\[\s*[^\s"'])"""
    if not component:
        asked += rf"""|\brows\(\s*(?:\\?["']{called}\\?["']|[^\s"'\\])"""
    return re.search(asked, text) is not None


def _meant(row: Row, readers: Sequence[str], rules: GameFile) -> str:
    for key in readers:
        for column, condition in rules.component[key].where.items():
            names = [value for value in condition.in_ or () if isinstance(value, str)]
            if column in row and (meant := closest(row.text(column), names)):
                return f"{column}: {meant}"
    return ""


USUAL = "rulebook"
# The cover's drawing shows the title itself.
DRAWN = "none"
MOST_BYTES = 2_000_000
# Files of the game that no book may replace, and what the names of a book's own files end with.
RESERVED = ("print", "report")
ENDINGS = (*(presets.paper(name).halved().name for name in presets.paper_names()), "booklet", "two-up")


def read_manuals(project: Project, folder: Path, game: GameFile, lines: Lines, problems: Problems) -> tuple[Manual, ...]:
    """The game's books in the order written; also a rulebook.md that no section names."""
    sections = dict(game.book)
    if not sections and (folder / f"{USUAL}.md").is_file():
        sections[USUAL] = BookRules()
    made = (_manual(project, folder, key, rules, game, lines, problems) for key, rules in sections.items())
    return tuple(manual for manual in made if manual is not None)


def _manual(
    project: Project, folder: Path, key: str, rules: BookRules, game: GameFile, lines: Lines, problems: Problems
) -> Manual | None:
    ours = any(key.endswith(f"-{ending}") and key.removesuffix(f"-{ending}") in game.book for ending in ENDINGS)
    if key in RESERVED or ours or any(f"{key}-{ending}" in game.component for ending in ENDINGS):
        message = f'files of the book "{key}" would be called like other files of the game'
        problems.error("book-name", lines.place("book", key), message, value=key, hint="Give the book another name.")
    if key in game.component:
        message = f'a component is called "{key}" already, and both would be the file {key}.pdf'
        problems.error("book-name", lines.place("book", key), message, value=key, hint="Give the book another name.")
    path = folder / (rules.file or f"{key}.md")
    text = text_of_book(project, folder, path, lines.place("book", key, "file"), problems)
    # Of the style, where the game says one and the book nothing else.
    toned = dict(zip(("accent", "tint"), TONES[game.game.style], strict=True)) if _styled(game) else {}
    said = {name: toned[name] for name in toned if name not in rules.model_fields_set}
    colours = {
        name: _colour(
            said.get(name) or getattr(rules, name) or rules.cover_ink, game.palette, lines.place("book", key, name), problems
        )
        for name in ("cover_ink", "foot_ink", "accent", "tint")
        if name != "cover_ink" or rules.cover_ink != DRAWN
    }
    try:
        creep = units.length(rules.creep)
    except ValueError as error:
        problems.error("bad-length", lines.place("book", key, "creep"), str(error), value=rules.creep)
        return None
    if text is None:
        return None
    return Manual(
        name=key,
        title=rules.title or game.game.name,
        subtitle=rules.subtitle or "",
        foot=rules.foot or "",
        file=project.shown(path),
        text=text,
        form=rules.form,
        cover=rules.cover or "",
        vignettes=rules.vignette,
        contents=rules.contents,
        creep=creep,
        place=lines.place("book", key),
        cover_ink=colours.get("cover_ink", ""),
        foot_ink=colours["foot_ink"],
        accent=colours["accent"],
        tint=colours["tint"],
    )


def text_of_book(project: Project, folder: Path, path: Path, place: Place, problems: Problems) -> str | None:
    if not file_within(folder, path):
        files = sorted(file.name for file in folder.glob("*.md"))
        problems.unknown("missing-book", place, f'there is no file "{path.name}" in the game\'s folder', path.name, files)
        return None
    shown = project.shown(path)
    if (data := bytes_of(path, shown, MOST_BYTES, problems, rule="unreadable-book")) is None:
        return None
    if data.startswith((b"{\\rtf", b"PK\3\4", b"\xd0\xcf\x11\xe0")):
        message, hint = "a word processor saved this file in a form of its own", "Save it as plain text, in UTF-8."
        problems.error("unreadable-book", Place(shown, 1), message, hint=hint)
        return None
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problems.unreadable = True
        hint = "Save it as UTF-8 in your editor."
        problems.error("unreadable-book", Place(shown, line), "it is not UTF-8 text", hint=hint)
        return None
    if stray := re.search(r"[\x00-\x08\x0b-\x1f\x7f\ue000-\ue003]", text):
        here = Place(shown, text.count("\n", 0, stray.start()) + 1)
        message = f"there is an invisible control character (U+{ord(stray[0]):04X})"
        problems.error("unreadable-book", here, message, value=stray[0], hint="Type the text anew: it came in by copying.")
        return None
    return text


def _colour(written: str, palette: Mapping[str, str], place: Place, problems: Problems) -> str:
    if colour := full(palette.get(written, written)):
        return colour
    message = f'"{written}" is neither a colour of the palette nor written #rrggbb'
    problems.unknown("unknown-colour", place, message, written, palette, most=24)
    return "#000000"
