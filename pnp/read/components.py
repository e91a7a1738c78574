"""``[component.NAME]`` → :class:`pnp.values.game.Component`: size, bleed, rows, and what its kind brings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from pnp.read import presets
from pnp.read.boardmap import read_board
from pnp.read.dominoes import domino_table
from pnp.read.folded import NETS, Bench, fold
from pnp.read.hextiles import read_hextiles
from pnp.read.project import Project
from pnp.read.schema import TABLE_KINDS, ComponentRules
from pnp.read.shapes import BadShape, shape_names, token_outline, token_size
from pnp.read.tomlfile import Lines
from pnp.shapes import hexes, units
from pnp.system.paths import file_within
from pnp.values.game import Cell, Component, HexTiles, Paper, Row, Table, Tracker
from pnp.values.problems import Place, Problems, closest, listed

MOST_BLEED = 20.0
MOST_CELL = 200.0


@dataclass(frozen=True, slots=True)
class Shelf:
    """What components are read from."""

    project: Project
    folder: Path
    tables: Mapping[str, Table]
    roots: tuple[Path, ...]
    lines: Lines
    papers: tuple[Paper, ...]
    kinds: Mapping[str, str]
    """The kind of every component, whether it can be read or not."""
    known: dict[str, Component] = field(default_factory=dict)
    """The components read so far: what a box holds, what lies on a tracker."""


def reading_turn(rules: ComponentRules) -> int:
    """When a component is read: 1, after what lies on it; 2, after what it holds, which may be such a one; else 0."""
    return 2 if rules.holds is not None else 1 if rules.marker is not None else 0


def table_names(key: str, rules: ComponentRules) -> Iterator[tuple[str, str]]:
    """(key of game.toml, table) for every table that a component is made from."""
    if rules.table is not None or rules.kind in TABLE_KINDS:
        yield "table", rules.table or key
    if rules.hexes is not None:
        yield "hexes", rules.hexes
    if rules.legend is not None:
        yield "legend", rules.legend
    if rules.spaces is not None:
        yield "spaces", rules.spaces


def read_component(key: str, rules: ComponentRules, shelf: Shelf, problems: Problems) -> Component | None:
    """The component, or None when what is wrong with it leaves nothing to draw."""
    before = len(problems.errors)
    place = shelf.lines.place("component", key)
    size = (10.0, 10.0)
    if rules.size is not None:
        try:
            size = _size(rules)
        except ValueError as error:
            problems.error(
                "bad-size",
                shelf.lines.place("component", key, "size"),
                str(error),
                value=rules.size,
                allowed=listed([*presets.size_names(), "a free size such as 90mm x 60mm"], 40)
                if rules.kind != "die"
                else "one length from 5mm to 200mm",
            )
    bleed = 0.0 if rules.bleed == "0" else _length(key, "bleed", rules.bleed, 0.0, MOST_BLEED, shelf.lines, problems)
    template = rules.template or key
    for role, name in (("template", template), ("back", rules.back)):
        if name is not None:
            _find_template(name, shelf.roots, shelf.lines.place("component", key, role), problems)
    table = _rows(key, rules, shelf, place)
    if table is None or len(problems.errors) > before:
        return None
    component = Component(
        name=key,
        title=rules.title or key.replace("-", " ").replace("_", " ").capitalize(),
        kind=rules.kind,
        table=_filtered(table, rules, key, shelf.lines, problems),
        template=template,
        back=rules.back,
        width=size[0],
        height=size[1],
        bleed=bleed,
        paper=rules.paper,
        place=place,
        join=rules.join,
        weight=rules.weight,
        backs=rules.backs,
        upright=rules.upright,
    )
    if rules.kind in NETS:
        return fold(component, rules, _bench(key, shelf, problems), problems)
    shaped = SHAPES.get(rules.kind)
    return shaped(component, rules, shelf, problems) if shaped else component


def _size(rules: ComponentRules) -> tuple[float, float]:
    """Width and height in mm; of a token or die also one length for both. Raises ValueError."""
    text = rules.size or ""
    if rules.kind in ("token", "die") and not re.search("[x×]", text.replace("px", "").lower()) and text[:1].isdigit():
        length = units.length(text)
        if not 5 <= length <= 200:
            raise ValueError(f'"{text}" is out of bounds: a {rules.kind} is from 5 mm to 200 mm')
        return token_size(rules.shape or "", length)
    width, height = presets.card_size(text)
    if rules.kind == "die" and width != height:
        raise ValueError(f'"{text}" is two lengths: the size of a die is its edge, such as 16mm')
    return width, height


def _bench(key: str, shelf: Shelf, problems: Problems) -> Bench:
    def length(name: str, text: str, least: float, most: float) -> float:
        return _length(key, name, text, least, most, shelf.lines, problems)

    return Bench(shelf.known, shelf.kinds, shelf.papers, shelf.lines, length)


def _length(key: str, name: str, text: str, least: float, most: float, lines: Lines, problems: Problems) -> float:
    try:
        value = units.length(text)
        if not least <= value <= most:
            more = "more" if value > most else "less"
            raise ValueError(f'"{text}" is {more} {name} than {units.show(most if value > most else least)} mm')
        return value
    except ValueError as error:
        problems.error(
            "bad-length",
            lines.place("component", key, name),
            str(error),
            value=text,
            allowed=f"{units.show(least)}mm to {units.show(most)}mm",
        )
        return 0.0


def _rows(key: str, rules: ComponentRules, shelf: Shelf, place: Place) -> Table | None:
    """The table of the pieces: typed by a person, or made where the kind says all."""
    if rules.table is not None or rules.kind in TABLE_KINDS:
        return shelf.tables.get(rules.table or key)
    if rules.kind == "domino":
        return domino_table(key, rules.highest or 0, place)
    used = {"id", "name"}
    title = rules.title or key.replace("-", " ").capitalize()
    cells = {"id": Cell(key, key, place), "name": Cell(title, title, place)}
    copies = 1 if rules.copies is None else rules.copies
    return Table(key, place.file, ("id", "name"), (Row(key, copies, place, cells, used),), used)


def _tile(component: Component, rules: ComponentRules, shelf: Shelf, problems: Problems) -> Component | None:
    """Sized by its largest tile."""
    size = _length(component.name, "hex", rules.hex or "", 5.0, MOST_CELL, shelf.lines, problems)
    table = shelf.tables.get(rules.hexes or "")
    if table is None or not size:
        return None
    table.used.update(table.columns)
    tiles: HexTiles | None = read_hextiles(component.name, component.table, table, size, problems)
    if tiles is None:
        return None
    boxes = [hexes.bounds([(cell.q, cell.r) for cell in cells], size) for cells in tiles.tiles.values()]
    return replace(component, hexes=tiles, width=max(box.width for box in boxes), height=max(box.height for box in boxes))


def _board(component: Component, rules: ComponentRules, shelf: Shelf, problems: Problems) -> Component | None:
    """Sized by its map, or as said where the template draws everything."""
    if rules.map is None:
        return component
    size = _length(component.name, "cell", rules.cell or "", 2.0, MOST_CELL, shelf.lines, problems)
    path = shelf.folder / rules.map
    if not file_within(shelf.folder, path):
        files = sorted(file.name for file in shelf.folder.glob("*.txt"))
        problems.unknown(
            "missing-map",
            shelf.lines.place("component", component.name, "map"),
            f'there is no map "{rules.map}" in the game\'s folder',
            rules.map,
            files,
        )
        return None
    legend = shelf.tables.get(rules.legend or "")
    if legend is None or not size:
        return None
    legend.used.update(legend.columns)
    board = read_board(path, shelf.project.shown(path), legend, size, problems)
    if board is None:
        return None
    return replace(component, board=board, width=board.columns * size, height=board.rows * size, step=size)


def _token(component: Component, rules: ComponentRules, shelf: Shelf, problems: Problems) -> Component | None:
    """Cut along a disc, a hex or a drawing's path."""
    art = shelf.folder / "art"
    try:
        outline = token_outline(rules.shape or "circle", component.width, component.height, art)
    except BadShape as error:
        known = shape_names(art)
        problems.unknown(
            "bad-shape", shelf.lines.place("component", component.name, "shape"), str(error), rules.shape or "", known
        )
        return None
    return replace(component, outline=outline)


def _tracker(component: Component, rules: ComponentRules, shelf: Shelf, problems: Problems) -> Component | None:
    """Its spaces by track, and the room that its marker needs."""
    table = shelf.tables.get(rules.spaces or "")
    if table is None or not _known_columns(
        table, ["track", "value"], shelf.lines.place("component", component.name, "spaces"), problems
    ):
        return None
    table.used.update(table.columns)
    tracks: dict[str, tuple[Row, ...]] = {}
    for row in table:
        tracks[row.text_of("track")] = (*tracks.get(row.text_of("track"), ()), row)
    if not tracks:
        if table.whole:
            what = f'no row of the table "{table.name}" is a space of "{component.name}"'
            problems.error("no-rows", Place(table.file), what, hint="A row is a space: add one below the column names.")
        return None
    marker = shelf.known.get(rules.marker or "")
    fitting = [name for name, kind in shelf.kinds.items() if kind not in (*NETS, "board", "tracker")]
    if rules.marker is not None and rules.marker not in fitting:
        problems.unknown(
            "unknown-component",
            shelf.lines.place("component", component.name, "marker"),
            f'"{rules.marker}" is not a component that can lie on a tracker',
            rules.marker,
            fitting,
        )
        return None
    tracker = Tracker(tracks, (marker.width, marker.height) if marker else None)
    _check_room(component, tracker, marker, shelf, problems)
    return replace(component, tracker=tracker)


def _check_room(component: Component, tracker: Tracker, marker: Component | None, shelf: Shelf, problems: Problems) -> None:
    """Each space has room for what lies on it, and a millimetre to spare."""
    width, height = tracker.marker or (0.0, 0.0)
    across = min(tracker.pitch(name, component.width) for name in tracker.tracks)
    down = component.height / len(tracker.tracks)
    if across < width + 1 - 1e-6 or down < height + 1 - 1e-6:
        needed = f'the marker "{marker.name}" needs' if marker else "it needs"
        problems.error(
            "small-spaces",
            shelf.lines.place("component", component.name, "size"),
            f'the smallest space of "{component.name}" is {units.show(max(across, 0))} × {units.show(down)} mm, and '
            f"{needed} {units.show(width + 1)} × {units.show(height + 1)} mm",
            hint="Make the tracker larger, or its marker smaller.",
        )


SHAPES: Mapping[str, Callable[[Component, ComponentRules, Shelf, Problems], Component | None]] = {
    "tile": _tile,
    "board": _board,
    "token": _token,
    "tracker": _tracker,
}


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
    rows = tuple(row for row in table.rows if all(row.says(column, value) for column, value in rules.where.items()))
    table.used.update(rules.where)
    if not rows and table.whole and all(row.sound for row in table):
        missed = {column: {row.text_of(column): None for row in table} for column in rules.where}
        column, value = next(((key, value) for key, value in rules.where.items() if value not in missed[key]), ("", ""))
        problems.error(
            "no-rows",
            place if rules.where else Place(table.file),
            f'no row of the table "{table.name}" is a piece of "{key}"',
            value=value,
            allowed=f"{column} {listed(missed[column])}" if column else "",
            hint=(closest(value, missed.get(column, ())) or "Check the values in where.")
            if rules.where
            else "A row is a piece: add one below the column names.",
        )
    return replace(table, rows=rows)


def _known_columns(table: Table, columns: list[str], place: Place, problems: Problems) -> bool:
    unknown = [column for column in columns if column not in (*table.columns, "id", "copies")]
    for column in unknown:
        problems.unknown(
            "unknown-column", place, f'the table "{table.name}" has no column "{column}"', column, table.columns
        )
    return not unknown
