"""Reads what lies on a grid or has spaces: boards from their maps, tiles of hexes, layouts, tracks of trackers."""

from __future__ import annotations

import csv
import errno
import io
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from pnp.read.pieces import Shelf
from pnp.shapes import hexes, units
from pnp.shapes.affine import Rect
from pnp.shapes.grids import GridName, neighbours
from pnp.shapes.outline import ellipse
from pnp.values.game import (
    DOMINO_STEPS,
    TRACKER_INSET,
    Board,
    Component,
    Field,
    HexCell,
    HexTiles,
    Layout,
    Slot,
    Tracker,
    domino_of,
)
from pnp.values.problems import About, Place, Problems, listed
from pnp.values.tables import Row, Table, meant
from pnp.values.walk import grouped, walk

ARROWS: Mapping[str, tuple[int, int]] = {">": (1, 0), "<": (-1, 0), "^": (0, -1), "v": (0, 1)}
MOST_CELLS = 20_000
MOST_BYTES = 1_000_000

Cell = tuple[int, int]


def read_board(
    path: Path, shown: str, legend: Table, cell: float, problems: Problems, grid: GridName = "square"
) -> Board | None:
    """The board, or None with Problems. ``cell``: the side of a square, or a hex from flat to flat, in mm."""
    before = len(problems.errors)
    try:
        lines = _lines(path)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        problems.unreadable = True
        problems.error("unreadable-map", Place(shown), f"the map cannot be read: {error}")
        return None
    width = max(map(len, lines), default=0)
    if not 0 < width * len(lines) <= MOST_CELLS:
        message = f"the map has {width} columns and {len(lines)} rows"
        hint = "A line is a row of the board, a character a cell."
        problems.error("bad-map-size", Place(shown), message, allowed=f"1 to {MOST_CELLS} cells", hint=hint)
        return None
    rows = _legend(legend, _is_csv(path), problems)
    # With a faulty legend nobody knows which letters it means: its own faults are told, not the map's.
    legible = len(problems.errors) == before and legend.whole
    for number, line in enumerate(lines, 1):
        if len(line) != width and grid == "square":
            message = f"the row has {len(line)} cells, the longest has {width}"
            problems.error("ragged-map", Place(shown, number), message, value=str(len(line)), allowed=str(width))
        for column, letter in enumerate(line, 1):
            if legible and letter not in rows and not (grid != "square" and not letter.strip()):
                message = f'the letter "{letter}" is not in the legend {legend.file}'
                problems.unknown("unknown-letter", Place(shown, number, str(column)), message, letter, rows, most=40)
    written = {letter for line in lines for letter in line}
    for letter, row in rows.items():
        if letter not in written:
            message = f'no cell of {shown} has the letter "{letter}" ({row.text_of("kind")} {row})'
            hint = "Put it on the map, or remove it from the legend."
            problems.error("no-cells", row.place_of("letter"), message, value=letter, hint=hint)
    if len(problems.errors) > before or not legend.whole:
        return None
    letters = {(x, y): letter for y, line in enumerate(lines) for x, letter in enumerate(line)}
    if grid != "square":
        letters = _hexes(letters, grid, shown, problems)
    fields = tuple(_fields(letters, rows, grid))
    _check_currents(fields, letters, rows, shown, problems)
    if len(problems.errors) > before:
        return None
    columns, down = (max(place[axis] for place in letters) + 1 for axis in (0, 1))
    return Board(columns, down, cell, fields, Place(shown), grid)


def _hexes(typed: Mapping[Cell, str], grid: GridName, shown: str, problems: Problems) -> dict[Cell, str]:
    """The hexes of a map by doubled coordinates; reports one that stands between two columns."""
    letters = {cell: letter for cell, letter in typed.items() if letter.strip()}
    beside = sum((x + 1, y) in letters for x, y in letters)
    apart = sum((x + 1, y) not in letters and (x + 2, y) in letters for x, y in letters)
    if beside > apart:
        if grid == "hex":
            return {(2 * x + y % 2, y): letter for (x, y), letter in letters.items()}
        return {(x, 2 * y + x % 2): letter for (x, y), letter in letters.items()}
    shifts = [(x + y) % 2 for x, y in letters]
    usual = int(sum(shifts) * 2 > len(shifts))
    for x, y in (cell for cell, shift in zip(letters, shifts, strict=True) if shift != usual):
        message = "the hex stands between two columns of the others"
        hint = "Letters in a line stand two apart, and each line is shifted by one: a a a, below it a a between them."
        problems.error("ragged-map", Place(shown, y + 1, str(x + 1)), message, value=letters[x, y], hint=hint)
    return letters


def _is_csv(path: Path) -> bool:
    return path.suffix.lower() == ".csv"


def _lines(path: Path) -> list[list[str]]:
    if path.stat().st_size > MOST_BYTES:
        raise OSError(errno.EFBIG, f"it is larger than {MOST_BYTES // 1_000_000} MB")
    text = path.read_bytes().decode("utf-8-sig")
    if _is_csv(path):
        delimiter = max(",;\t", key=text.count)
        table = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        lines = [[cell.strip() for cell in row] for row in table]
    else:
        lines = [list(line) for line in text.splitlines()]
    while lines and not "".join(lines[-1]).strip():
        lines.pop()
    return lines


def _legend(legend: Table, words: bool, problems: Problems) -> dict[str, Row]:
    rows: dict[str, Row] = {}
    for row in legend:
        letter = row.text("letter")
        if not letter or (len(letter) != 1 and not words):
            place = row.place_of("letter")
            what = f'"{letter}" is not one letter'
            problems.error("bad-letter", place, what, value=letter, allowed="one character a row, in a column named letter")
        elif letter in rows:
            message = f'the letter "{letter}" stands already in row {rows[letter].place.row}'
            problems.error("double-letter", row.place_of("letter"), message, value=letter)
        else:
            rows[letter] = row
    return rows


def _fields(letters: Mapping[Cell, str], rows: Mapping[str, Row], grid: GridName) -> Iterable[Field]:
    seen: set[Cell] = set()
    for start, letter in letters.items():
        if start not in seen:
            cells = {cell for cell, _ in walk([start], lambda cell: _joined(cell, letters, grid))}
            seen |= cells
            by_row = tuple(sorted(cells, key=lambda cell: (cell[1], cell[0])))
            yield Field(letter, rows[letter], by_row, ARROWS.get(letter) if grid == "square" else None)


def _joined(cell: Cell, letters: Mapping[Cell, str], grid: GridName) -> Iterator[Cell]:
    """The neighbours of a cell in its field: all with its letter; of a current only along its arrow."""
    along = ARROWS.get(letters[cell]) if grid == "square" else None
    for dx, dy in neighbours(grid) if along is None else (along, (-along[0], -along[1])):
        near = (cell[0] + dx, cell[1] + dy)
        if letters.get(near) == letters[cell]:
            yield near


def _check_currents(
    fields: Iterable[Field], letters: Mapping[Cell, str], rows: Mapping[str, Row], shown: str, problems: Problems
) -> None:
    for field in fields:
        if field.arrow is None:
            continue
        dx, dy = field.arrow
        x, y = max(field.cells, key=lambda cell: cell[0] * dx + cell[1] * dy)
        ahead = [(x + dx + side * dy, y + dy + side * dx) for side in (0, 1, -1)]
        if not any(cell in letters and not rows[letters[cell]].is_yes("blocked") for cell in ahead):
            message = f'the current "{field.letter}" points at no square that may be entered'
            hint = "Turn the arrow, or free the square ahead of it."
            problems.error("current-nowhere", Place(shown, y + 1, str(x + 1)), message, value=field.letter, hint=hint)


# Farther out nothing fits a page, and a slip of the finger is likelier than such a tile.
MOST_REACH = 40


def read_hextiles(component: str, tiles: Table, hexes: Table, size: float, problems: Problems) -> HexTiles | None:
    """Every tile's hexes; None, with Problems, when a hex has no tile, no place, or another's place."""
    before = len(problems.errors)
    known = {row.id: row for row in tiles}
    made: dict[str, list[HexCell]] = {name: [] for name in known}
    taken: dict[tuple[str, int, int], Row] = {}
    for row in hexes:
        name = row.ref_id("tile")
        if name not in known:
            if not tiles.whole:
                continue
            message = f'"{name}" is not a tile of the table {tiles.name}'
            hint = meant(name, known.items())
            problems.error("unknown-reference", row.place_of("tile"), message, value=name, allowed=listed(known), hint=hint)
            continue
        q, r = axial(row, "q", problems), axial(row, "r", problems)
        if q is None or r is None:
            continue
        if first := taken.get((name, q, r)):
            message = f'the hex {q}, {r} of the tile "{name}" stands already in row {first.place.row}'
            problems.error("double-hex", row.place, message, value=f"{q}, {r}", about=About(component, name))
            continue
        taken[name, q, r] = row
        made[name].append(HexCell(q, r, row))
    for name, cells in made.items():
        if not cells and hexes.whole:
            place = known[name].place_of("id")
            message = f'the tile "{name}" has no hexes in {hexes.file}'
            hint = f"Add rows with tile = {name}, q and r."
            problems.error("no-hexes", place, message, value=name, hint=hint, about=About(component, name))
    # Of a table without a row its reader has told.
    if len(problems.errors) > before or not (made and tiles.whole and hexes.whole):
        return None
    return HexTiles(size, {name: tuple(cells) for name, cells in made.items()})


def one_table_tiles(component: str, tiles: Table, size: float, problems: Problems) -> HexTiles | None:
    """The tiles of one table: each row's hexes from its column ``hexes``, or one hex."""
    before = len(problems.errors)
    made = {row.id: _cells(component, row, problems) for row in tiles}
    return None if len(problems.errors) > before or not (made and tiles.whole) else HexTiles(size, made)


def _cells(component: str, row: Row, problems: Problems) -> tuple[HexCell, ...]:
    places: dict[tuple[int, int], None] = {}
    for written in row.text("hexes").replace(";", " ").split():
        found = re.fullmatch(r"(-?\d{1,2}),(-?\d{1,2})", written, re.ASCII)
        place = (int(found[1]), int(found[2])) if found else None
        if place is None or max(map(abs, place)) > MOST_REACH:
            problems.error(
                "bad-number",
                row.place_of("hexes"),
                f'"{written}" is not the place of a hex',
                value=written,
                allowed=f"two whole numbers from -{MOST_REACH} to {MOST_REACH} with a comma between, such as 1,0",
                hint="Hexes are parted by spaces: 0,0 1,0 0,1.",
                about=About(component, row.id),
            )
        elif place in places:
            message = f'the hex {written} of the tile "{row.id}" is there twice'
            problems.error("double-hex", row.place_of("hexes"), message, value=written, about=About(component, row.id))
        else:
            places[place] = None
    return tuple(HexCell(q, r, row) for q, r in places or {(0, 0): None})


def axial(row: Row, column: str, problems: Problems) -> int | None:
    """A coordinate as a whole number; None, with a Problem, when it is none."""
    text = row.text(column)
    try:
        value = int(text)
    except ValueError:
        value = MOST_REACH + 1
    if abs(value) <= MOST_REACH:
        return value
    place = row.place_of(column)
    message = f'"{text}" is not a coordinate'
    problems.error("bad-number", place, message, value=text, allowed=f"a whole number from -{MOST_REACH} to {MOST_REACH}")
    return None


def read_layout(
    name: str,
    title: str,
    table: Table,
    component: Component,
    place: Place,
    problems: Problems,
    players: tuple[int, ...] = (),
) -> Layout | None:
    """The layout of a component's pieces; None, with Problems, when slots are wrong or overlap."""
    before = len(problems.errors)
    reader = _hex_slot if component.hexes else _domino_slot
    slots = [slot for row in table if (slot := reader(row, component, problems))]
    taken: dict[tuple[int, int], Slot] = {}
    for slot in slots:
        for cell in slot.cells:
            if first := taken.get(cell):
                message = f"this piece lies on the one of row {first.row.place.row} (at {cell[0]}, {cell[1]})"
                problems.error("layout-overlap", slot.row.place, message, value=f"{cell[0]}, {cell[1]}")
                break
            taken[cell] = slot
    return None if len(problems.errors) > before else Layout(name, title, component.name, tuple(slots), place, players)


def _turn(row: Row, allowed: tuple[int, ...], problems: Problems) -> int | None:
    text = row.text("turn") or "0"
    if text.isdecimal() and int(text) in allowed:
        return int(text)
    place = row.place_of("turn")
    message = f'"{text}" is not a turn'
    problems.error("bad-number", place, message, value=text, allowed=listed(map(str, allowed)) + " degrees clockwise")
    return None


def _hex_slot(row: Row, component: Component, problems: Problems) -> Slot | None:
    q, r = axial(row, "q", problems), axial(row, "r", problems)
    turn = _turn(row, (0, 60, 120, 180, 240, 300), problems)
    pools = dict.fromkeys(piece.text_of("back") for piece in component.table if "back" in piece.cells)
    pool = row.text("pool")
    if pool not in pools:
        message = f'no tile of the table {component.table.name} has the back "{pool}" that the column pool asks for'
        allowed = listed(pools) or "what stands in a column back of the tiles"
        hint = meant(pool, ((piece.text_of("back"), piece) for piece in component.table if "back" in piece.cells))
        problems.error("unknown-reference", row.place_of("pool"), message, value=pool, allowed=allowed, hint=hint)
        return None
    if q is None or r is None or turn is None or component.hexes is None:
        return None
    # Tiles of one set have one shape: any of them stands for the slot's footprint.
    shape = next(iter(component.hexes.tiles.values()))
    footprint = [hexes.turned((cell.q, cell.r), turn // 60) for cell in shape]
    return Slot(row, tuple(hexes.shifted(footprint, (q, r))), turn)


def _domino_slot(row: Row, component: Component, problems: Problems) -> Slot | None:
    x, y = axial(row, "x", problems), axial(row, "y", problems)
    turn = _turn(row, tuple(DOMINO_STEPS), problems)
    known = [piece.id for piece in component.table]
    piece = domino_of(row)
    if piece not in known:
        problems.unknown("unknown-reference", row.place_of("a"), f'there is no domino "{piece}"', piece, known)
        return None
    if x is None or y is None or turn is None:
        return None
    dx, dy = DOMINO_STEPS[turn]
    return Slot(row, ((x, y), (x + dx, y + dy)), turn)


# With fewer there is nothing to go around.
LEAST_AROUND = 8
MOST_PLACED = 1000
# How large a space is that says nothing of it, and on which nothing lies, in mm.
USUAL = 10.0
_EPSILON = 1e-6


def read_tracker(component: Component, table: Table, marker: Component | None, around: bool, shelf: Shelf) -> Tracker | None:
    """The spaces of a component; None, with Problems, when they do not fit."""
    problems, before = shelf.problems, len(shelf.problems.errors)
    table.used.update(table.columns)
    tracks = {name: tuple(rows) for name, rows in grouped((row.text_of("track"), row) for row in table).items()}
    if not tracks:
        if table.whole:
            what = f'no row of the table "{table.name}" is a space of "{component.name}"'
            hint = "A row is a space: add one below the column names."
            problems.error("no-rows", table.place(), what, hint=hint)
        return None
    size = (marker.width, marker.height) if marker else None
    own = [column for column in ("x", "y") if column in table.columns]
    if around and own:
        message = f"the spaces run around the edge, and the columns {' and '.join(own)} of {table.file} say where each is"
        way = "Take around away, or these columns."
        problems.error("bad-value", shelf.at(component.name, "around"), message, hint=way)
        return None
    if around:
        tracker = _around(component, tracks, size, shelf)
    elif own:
        tracker = _at_own_places(component, tracks, marker, problems)
    else:
        tracker = Tracker(tracks, size)
    if tracker is None or len(problems.errors) > before:
        return None
    _check_room(component, tracker, marker, shelf)
    return tracker


def _around(
    component: Component, tracks: dict[str, tuple[Row, ...]], marker: tuple[float, float] | None, shelf: Shelf
) -> Tracker | None:
    """Equal cells along the four edges, as square as possible; with an odd number one place at the end is free."""
    (name, rows), *others = tracks.items()
    if others or len(rows) < LEAST_AROUND:
        what = f"{len(tracks)} tracks" if others else f"{len(rows)} spaces"
        place = shelf.at(component.name, "around")
        message = f'"{component.name}" has {what} to go around its edge'
        hint = "Give each track a tracker of its own, or columns x and y."
        shelf.problems.error("bad-value", place, message, allowed=f"one track of {LEAST_AROUND} spaces or more", hint=hint)
        return None
    wide, high = component.width - 2 * TRACKER_INSET, component.height - 2 * TRACKER_INSET
    if min(wide, high) <= 0:
        return Tracker(tracks, marker)
    both = (len(rows) + 5) // 2
    across = min(range(2, both - 1), key=lambda number: abs(math.log((wide / number) / (high / (both - number)))))
    down = both - across
    cell, row = wide / across, high / down
    steps = [(x, 0) for x in range(across)] + [(across - 1, y) for y in range(1, down)]
    steps += [(x, down - 1) for x in range(across - 2, -1, -1)] + [(0, y) for y in range(down - 2, 0, -1)]
    places = tuple(Rect(TRACKER_INSET + x * cell, TRACKER_INSET + y * row, cell, row) for x, y in steps[: len(rows)])
    inside = Rect(TRACKER_INSET + cell, TRACKER_INSET + row, wide - 2 * cell, high - 2 * row)
    return Tracker(tracks, marker, {name: places}, inside)


def _at_own_places(
    component: Component, tracks: dict[str, tuple[Row, ...]], marker: Component | None, problems: Problems
) -> Tracker | None:
    usual = (marker.width + 1, marker.height + 1) if marker else (USUAL, USUAL)
    places: dict[str, tuple[Rect, ...]] = {}
    laid: list[tuple[Rect, Row]] = []
    for name, rows in tracks.items():
        for row in rows:
            middle = [_number(row, column, 0.0, problems) for column in ("x", "y")]
            size = [
                _number(row, column, 1.0, problems) if row.text(column) else side
                for column, side in zip(("width", "height"), usual, strict=True)
            ]
            if None not in (*middle, *size):
                (x, y), (width, height) = ([side or 0.0 for side in pair] for pair in (middle, size))
                laid.append((Rect(x - width / 2, y - height / 2, width, height), row))
                places[name] = (*places.get(name, ()), laid[-1][0])
    if len(laid) > MOST_PLACED:
        problems.error("bad-value", component.place, f"{len(laid)} spaces have places", allowed=f"{MOST_PLACED}")
    elif len(laid) == sum(map(len, tracks.values())):
        _check_places(component, laid, marker, problems)
        return Tracker(tracks, (marker.width, marker.height) if marker else None, places)
    return None


def _number(row: Row, column: str, least: float, problems: Problems) -> float | None:
    said = row.text(column)
    try:
        value = float(said)
    except ValueError:
        value = math.nan
    if least <= value <= 1500:
        return value
    message = f'"{said}" is not a length in mm' if said else f"the space has no {column}"
    problems.error("bad-number", row.place_of(column), message, value=said, allowed=f"a number from {least:g} to 1500")
    return None


def _check_places(component: Component, laid: list[tuple[Rect, Row]], marker: Component | None, problems: Problems) -> None:
    disc = marker is not None and marker.outline == ellipse(marker.width, marker.height)
    for place, row in laid:
        over = max(-place.x, -place.y, place.right - component.width, place.bottom - component.height)
        if over > _EPSILON:
            message = (
                f'the space is not wholly on "{component.name}", which is '
                f"{units.show(component.width)} × {units.show(component.height)} mm"
            )
            hint = "x and y are its middle, in mm from the top left."
            problems.error("small-spaces", row.place_of("x"), message, value=f"{row.text('x')}, {row.text('y')}", hint=hint)
    ordered = sorted(laid, key=lambda each: (each[0].x, each[0].y))
    for index, (place, row) in enumerate(ordered):
        for other, there in ordered[index + 1 :]:
            if other.x >= place.right - _EPSILON:
                break
            if _meet(place, other, disc):
                problems.error(
                    "small-spaces",
                    there.place_of("x"),
                    f'the space "{there.text("value")}" lies on "{row.text("value")}" of row {row.place.row}: '
                    f"each is {units.show(other.width)} × {units.show(other.height)} mm",
                    value=f"{there.text('x')}, {there.text('y')}",
                    hint="Move one of them, or give them a width and a height.",
                )
                break


def _meet(place: Rect, other: Rect, disc: bool) -> bool:
    wide, high = (place.width + other.width) / 2, (place.height + other.height) / 2
    across = abs(place.x + place.width / 2 - other.x - other.width / 2)
    down = abs(place.y + place.height / 2 - other.y - other.height / 2)
    if disc:
        return math.hypot(across / wide, down / high) < 1 - _EPSILON
    return across < wide - _EPSILON and down < high - _EPSILON


def _check_room(component: Component, tracker: Tracker, marker: Component | None, shelf: Shelf) -> None:
    width, height = tracker.marker or (0.0, 0.0)
    placed = [place for places in tracker.places.values() for place in places]
    across = min((place.width for place in placed), default=math.inf)
    down = min((place.height for place in placed), default=math.inf)
    if not placed:
        across = min(tracker.pitch(name, component.width) for name in tracker.tracks)
        down = component.height / len(tracker.tracks)
    if across < width + 1 - 1e-6 or down < height + 1 - 1e-6:
        needed = f'the marker "{marker.name}" needs' if marker else "it needs"
        message = (
            f'the smallest space of "{component.name}" is {units.show(max(across, 0))} × {units.show(down)} mm, and '
            f"{needed} {units.show(width + 1)} × {units.show(height + 1)} mm"
        )
        hint = "Make the tracker larger, or its marker smaller."
        shelf.problems.error("small-spaces", shelf.at(component.name, "size"), message, hint=hint)
