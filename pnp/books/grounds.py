"""Builds the ground of a scene (a board, a tracker, laid tiles, a bare table) and resolves its places, pieces and arrows."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import accumulate, chain, groupby, pairwise

from pnp.dataclass import dataclass
from pnp.shapes import grids, hexes, units
from pnp.shapes.affine import Rect, around, rotation
from pnp.shapes.nets.net import rectangle, size_seen
from pnp.shapes.outline import Point, Ring, area
from pnp.values.books import VIEWS, Arrow, Cross, Highlight, Laid, Mark, Shown, Thing, view_of
from pnp.values.game import (
    DOMINO_STEPS,
    Board,
    Component,
    Game,
    Layout,
    domino_spot,
    domino_turn,
    hex_spot,
    seen_in,
    shown_on,
    slot_name,
)
from pnp.values.languages import original
from pnp.values.problems import Fault, closest, listed
from pnp.values.tables import meant

SETTINGS = ("on", "alt", "crop", "margin", "grid", "colour", "names", "width", "float")
# Columns and rows of a table, in mm.
LEAST_GRID, MOST_GRID = 2.0, 500.0
_SETTING = re.compile(r'\s*([A-Za-z_]+)\s*=\s*"([^"]*)"')
_TURN = re.compile(r"-?\d{1,3}(?:\.\d+)?")
_PART = re.compile(r"(\d{1,2})/([1-9]\d?)")


class Wrong(Fault):
    """A row, or a whole scene, that cannot be drawn."""

    def __init__(self, rule: str, message: str, value: str = "", allowed: str = "", hint: str = "") -> None:
        super().__init__(message, value, allowed, hint)
        self.rule = rule


def has_places(component: Component) -> bool:
    return bool(component.board or component.tracker or component.hexes) or component.kind == "domino"


def settings_of(typed: str) -> dict[str, str]:
    """Parses ``on="…" alt="…"``. Raises Wrong."""
    found: dict[str, str] = {}
    at = 0
    while match := _SETTING.match(typed, at):
        at = match.end()
        if match[1] not in SETTINGS:
            message = f'a scene has no setting "{match[1]}"'
            raise Wrong("bad-scene", message, match[1], listed(SETTINGS), closest(match[1], SETTINGS))
        if match[1] in found:
            raise Wrong("bad-scene", f"{match[1]} is said twice", match[1])
        found[match[1]] = match[2]
    if typed[at:].strip():
        rest = typed[at:].strip()[:60]
        raise Wrong("bad-scene", f'"{rest}" is no setting of a scene', rest, listed(SETTINGS), 'Write on="…" alt="…".')
    return found


def piece_of(component: Component, piece: str) -> str:
    known = {row.id: row for row in component.table}
    if not piece and len(known) == 1:
        return next(iter(known))
    if piece not in known:
        message = f'"{component.name}" has no piece "{piece}"' if piece else f'it does not say which of "{component.name}"'
        hint = meant(piece, known.items()) or f"Write {component.name}/{next(iter(known))}."
        raise Wrong("unknown-piece", message, piece, listed(known, 24), hint)
    return piece


def size_typed(typed: str) -> tuple[float, float]:
    """Width of column and height of row of a table in mm; equal where one is typed. Raises Wrong."""
    try:
        wide, high = units.size(typed) if re.search("[x×]", typed.removesuffix("px")) else (units.length(typed),) * 2
    except ValueError as wrong:
        raise Wrong("bad-scene", str(wrong), typed, "a size such as 20mm, or 63mm x 88mm") from None
    if not (LEAST_GRID <= wide <= MOST_GRID and LEAST_GRID <= high <= MOST_GRID):
        raise Wrong("bad-scene", f"a grid of {typed}", typed, f"{LEAST_GRID:g} to {MOST_GRID:g} mm")
    return wide, high


def degrees(text: str) -> float | None:
    """Degrees, or a part of a turn: ``1/4``, ``2/6``. None for what is neither."""
    if part := _PART.fullmatch(text):
        return 360 * int(part[1]) / int(part[2])
    return float(text) if _TURN.fullmatch(text) else None


def nothing(how: str, what: str) -> None:
    if how:
        raise Wrong("bad-scene", f'nothing is said of how a {what} is: "{how}"', how, hint="Leave the third cell empty.")


Cell = tuple[int, int]
# More pieces than this stand in two rows, which lie so far apart.
A_ROW, APART = 3, 0.38
# Where there is room, so much of a piece is seen; at least so much of a field.
OVERLAP, LEAST = 0.95, 0.16
# A piece of at least so much of a field is large: alone it stays in the middle, whatever stands on it.
LARGE = 0.8
# A mark on a field where something stands goes into the field's corner, words of more letters below the piece, and a
# cross beside its foot.
CORNER, SHORT, BELOW, FOOT = 0.33, 2, 0.42, 0.24
# A bow is made of so many lines.
BOW = 16


@dataclass(frozen=True, slots=True)
class Standing:
    """A thing that may share its field: its index, place, width, and longer side, in mm.

    A mark or a cross has no size.
    """

    index: int
    cell: Cell
    across: float
    longest: float


def spread(things: Sequence[Thing], standing: Sequence[Standing], field: float) -> list[Thing]:
    """The things, with those that share a field moved apart."""
    made = list(things)
    for _, group in groupby(sorted(standing, key=lambda each: each.cell), key=lambda each: each.cell):
        shared = list(group)
        pieces = [each for each in shared if 0 < each.longest < LARGE * field]
        large = [each for each in shared if each.longest >= LARGE * field]
        for group_of in (pieces, large):
            rows = 1 if len(group_of) <= A_ROW else 2
            across = -(-len(group_of) // rows)
            for row in range(rows):
                here = group_of[row * across : (row + 1) * across]
                for each, dx in zip(here, _abreast([each.across for each in here], field), strict=True):
                    thing = made[each.index]
                    assert isinstance(thing, Laid), "only pieces have a width"
                    dy = (row - (rows - 1) / 2) * APART * field
                    made[each.index] = replace(thing, at=(thing.at[0] + dx, thing.at[1] + dy))
        for each in shared:
            mark = made[each.index]
            if pieces and isinstance(mark, Mark | Cross):
                dx, dy = _beside(mark)
                made[each.index] = replace(mark, at=(mark.at[0] + dx * field, mark.at[1] + dy * field))
    return made


def _beside(mark: Mark | Cross) -> Point:
    """How far from its middle a mark is on a field where something stands, in fields."""
    if isinstance(mark, Cross):
        return FOOT, FOOT
    return (CORNER, -CORNER) if len(mark.text) <= SHORT else (0.0, BELOW)


def _abreast(widths: Sequence[float], field: float) -> list[float]:
    """The middles of pieces side by side, from the field's middle: the left edge of each is visible."""
    if not widths:
        return []
    apart = [OVERLAP * width for width in widths[:-1]]
    squeezed = min(1.0, max(0.0, field - widths[-1]) / sum(apart)) if apart else 1.0
    lefts = [0.0, *accumulate(max(LEAST * field, each * squeezed) for each in apart)]
    middles = [left + width / 2 for left, width in zip(lefts, widths, strict=True)]
    whole = max(left + width for left, width in zip(lefts, widths, strict=True))
    return [middle - whole / 2 for middle in middles]


def bow(middle: Point, one: Point, two: Point, radius: float) -> Ring:
    """The shorter arc of a circle about ``middle`` between the sides of two points, clockwise when equal."""
    start, end = (math.atan2(point[1] - middle[1], point[0] - middle[0]) for point in (one, two))
    way = (end - start + math.pi) % math.tau - math.pi
    turns = [start + (way if abs(way + math.pi) > 1e-6 else math.pi) * step / BOW for step in range(BOW + 1)]
    return tuple((middle[0] + radius * math.cos(turn), middle[1] + radius * math.sin(turn)) for turn in turns)


_PAIR = re.compile(r"(-?\d{1,2})\s*,\s*(-?\d{1,2})")
_GAP = re.compile(r"gap (-?\d{1,2}),(-?\d{1,2})", re.IGNORECASE)


@dataclass(slots=True)
class Ground:
    """A scene's ground: ``fields`` are rings in mm, ``near`` tells whether two cells are neighbours, ``called`` names a
    cell.
    """

    size: float
    """A field's width in mm."""
    near: Callable[[Cell, Cell], bool]
    called: Callable[[Cell], str]
    whole: Rect | None = None
    """All of it, where that is more than its fields."""
    under: list[Laid] = field(default_factory=list)
    """The faces that it is made of."""
    fields: dict[Cell, Ring] = field(default_factory=dict)
    gaps: bool = False
    """Whether squares on which nothing lies are places, too: ``gap 8,1``."""
    _codes: dict[str, Cell] = field(default_factory=dict)
    _named: dict[str, tuple[str, list[dict[str, Cell]]]] = field(default_factory=dict)
    """By folded name: the name, and every place that has it, as its cells by what they are called in it."""
    _places: set[tuple[str, tuple[tuple[str, Cell], ...]]] = field(default_factory=set)
    _middles: dict[tuple[Cell, ...], Cell] = field(default_factory=dict)
    _spots: dict[tuple[Cell, ...], Point] = field(default_factory=dict)

    def add(self, cell: Cell, ring: Ring) -> None:
        self.fields[cell] = ring
        self._codes[self.called(cell).casefold()] = cell

    def name(self, name: str, parts: Mapping[str, Cell]) -> None:
        """Names some cells; each is also called by its part in the name."""
        places = self._named.setdefault(name.casefold(), (name, []))[1]
        key = name.casefold(), tuple(parts.items())
        if key not in self._places:
            self._places.add(key)
            places.append(dict(parts))

    def middle(self, cell: Cell) -> Point:
        ring = self.fields[cell]
        return sum(x for x, _ in ring) / len(ring), sum(y for _, y in ring) / len(ring)

    def spot(self, place: Sequence[Cell]) -> Point:
        """Where pieces of a place stand: the middle of a full rectangle, such as a domino, or of its central cell."""
        key = tuple(place)
        if key not in self._spots:
            bounds = self.bounds(key)
            full = math.isclose(sum(abs(area(self.fields[cell])) for cell in key), bounds.width * bounds.height)
            middle = bounds.x + bounds.width / 2, bounds.y + bounds.height / 2
            self._spots[key] = middle if full and len(key) > 1 else self.middle(self.central(key))
        return self._spots[key]

    def bounds(self, cells: Iterable[Cell]) -> Rect:
        return around([*chain.from_iterable(self.fields[cell] for cell in cells)])

    def find(self, typed: str) -> tuple[Cell, ...]:
        """The cells of a place by its typed name. Raises Wrong."""
        text = _PAIR.sub(r"\1,\2", " ".join(typed.split()))
        for name, part in ((text, ""), text.rpartition(" ")[::2]):
            if name.casefold() in self._named:
                return self._cells(*self._named[name.casefold()], part)
            if not part and text.casefold() in self._codes:
                return (self._codes[text.casefold()],)
        if self.gaps and (gap := _GAP.fullmatch(text)):
            return (self._gap((int(gap[1]), int(gap[2])), text),)
        names = [name for name, _ in self._named.values()]
        first, last = (self.called(cell) for cell in (min(self.fields), max(self.fields)))
        # What is laid is seldom a rectangle.
        fields = f"a field such as {first}" if self.whole is None else f"a field from {first} to {last}"
        known = f"{listed(names, 24)}; or {fields}" if names else fields
        message = f'there is no place "{text}"' if text else "it does not say where"
        parts = [part.strip() for part in text.split(",")]
        several = len(parts) > 1 and all(part.casefold() in (self._named | self._codes) for part in parts)
        raise Wrong("unknown-place", message, text, known, f"Write {'; '.join(parts)}." if several else closest(text, names))

    def _gap(self, cell: Cell, text: str) -> Cell:
        """Adds an empty square as a field. Raises Wrong where something lies, whose name must be written."""
        if self.called(cell).casefold() in self._codes:
            raise Wrong("unknown-place", f'something lies in "{text}"', text, hint=f"Write {self.called(cell)}.")
        self.fields.setdefault(cell, grids.corners("square", cell, self.size))
        return cell

    def _cells(self, name: str, places: list[dict[str, Cell]], part: str) -> tuple[Cell, ...]:
        if len(places) > 1:
            codes = [self.called(next(iter(place.values()))) for place in places]
            message = f'{len(places)} places are called "{name}"'
            raise Wrong("unknown-place", message, name, listed(codes, 24), "Name one of its fields.")
        (place,) = places
        if not part:
            return tuple(dict.fromkeys(place.values()))
        if part.casefold() not in place:
            raise Wrong("unknown-place", f'"{name}" has no field "{part}"', f"{name} {part}", listed(place, 24))
        return (place[part.casefold()],)

    def between(self, one: Cell, two: Cell) -> list[Cell]:
        """All fields of a rectangle given by two corners, in reading order."""
        (left, right), (top, bottom) = (sorted((one[axis], two[axis])) for axis in (0, 1))
        if (right - left + 1) * (bottom - top + 1) < len(self.fields):
            columns, lines = range(left, right + 1), range(top, bottom + 1)
            return [(x, y) for y in lines for x in columns if (x, y) in self.fields]
        inside = (cell for cell in self.fields if left <= cell[0] <= right and top <= cell[1] <= bottom)
        return sorted(inside, key=lambda cell: cell[::-1])

    def central(self, cells: Sequence[Cell]) -> Cell:
        """The cell nearest to the middle of them all."""
        key = tuple(cells)
        if key not in self._middles:
            self._middles[key] = self.nearest(cells)
        return self._middles[key]

    def nearest(self, cells: Iterable[Cell], to: Point | None = None) -> Cell:
        """The cell nearest to a point, or to the middle of them all."""
        middles = {cell: self.middle(cell) for cell in cells}
        count = len(middles)
        x, y = to or (sum(x for x, _ in middles.values()) / count, sum(y for _, y in middles.values()) / count)
        return min(middles, key=lambda cell: (round(_far(middles[cell], (x, y)), 6), cell[::-1]))


def names_of(text: str) -> tuple[str, ...]:
    """A place's names in a book: its author's, and the translation."""
    return tuple(dict.fromkeys((original(text), str.__str__(text))))


def _far(one: Point, two: Point) -> float:
    return (one[0] - two[0]) ** 2 + (one[1] - two[1]) ** 2


def board_ground(game: Game, component: Component, board: Board, piece: str) -> Ground:
    """The ground of a board with a map; its squares are neighbours as ``[movement]`` says, else also at their corners."""
    straight = {movement.diagonal for movement in game.rules.movements if movement.name == component.name} == {False}
    around = grids.AROUND if board.grid == "square" and not straight else grids.neighbours(board.grid)
    made = Ground(
        board.cell,
        lambda one, two: (two[0] - one[0], two[1] - one[1]) in around,
        lambda cell: grids.called(board.grid, cell),
        Rect(0, 0, component.width, component.height),
        [Laid(component.name, piece, "front", (component.width / 2, component.height / 2), edged=False)],
    )
    for each in board.fields:
        for cell in each.cells:
            made.add(cell, grids.corners(board.grid, cell, board.cell))
        for name in names_of(str(each.row)):
            made.name(name, {str(number): cell for number, cell in enumerate(each.cells, 1)})
    return made


def tracker_ground(component: Component, piece: str) -> Ground:
    """The ground of a tracker: spaces are called by track and value, such as ``Speed 4``."""
    tracker = component.tracker
    assert tracker is not None, "only trackers have tracks"
    tracks = list(tracker.tracks)
    spaces = {name: tracker.spaces(name, component.width, component.height) for name in tracks}
    made = Ground(
        min(min(space.width, space.height) for of in spaces.values() for space in of),
        # Of a track around the edge the last space is beside the first.
        lambda one, two: (
            one[0] == two[0]
            and abs(one[1] - two[1]) in (1, len(spaces[tracks[one[0]]]) - 1 if tracker.inside is not None else 1)
        ),
        lambda cell: f"{tracks[cell[0]]} {tracker.tracks[tracks[cell[0]]][cell[1]].text('value')}",
        Rect(0, 0, component.width, component.height),
        [Laid(component.name, piece, "front", (component.width / 2, component.height / 2), edged=False)],
    )
    for index, name in enumerate(tracks):
        for number, (space, row) in enumerate(zip(spaces[name], tracker.tracks[name], strict=True)):
            made.add((index, number), rectangle(space.x, space.y, space.width, space.height))
            if len(tracks) == 1:
                made.name(row.text("value"), {"1": (index, number)})
    return made


def laid_ground(component: Component) -> Ground:
    """An empty ground for tiles or dominoes of a component."""
    if component.hexes is not None:
        return Ground(component.hexes.size, lambda one, two: hexes.distance(one, two) == 1, _pair)
    side = min(component.width, component.height)
    return Ground(side, lambda one, two: (two[0] - one[0], two[1] - one[1]) in grids.SIDES, _pair, gaps=True)


def _pair(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


def lay(
    ground: Ground, component: Component, piece: str, back: bool, origin: Cell, turn: int, names: Iterable[str]
) -> list[Cell]:
    """Lays a tile or domino; returns its cells. Raises Wrong where another one lies."""
    if component.hexes is not None:
        own = [(cell.q, cell.r) for cell in component.hexes.tiles[piece]]
        cells = {_pair(cell): hexes.shifted([hexes.turned(cell, turn // 60)], origin)[0] for cell in own}
        rings = {cell: hexes.corners(cell, component.hexes.size) for cell in cells.values()}
        at, turned = hex_spot(component, origin, turn, piece), float(turn)
    else:
        dx, dy = DOMINO_STEPS[turn]
        cells = {"a": origin, "b": (origin[0] + dx, origin[1] + dy)}
        rings = {cell: grids.corners("square", cell, ground.size) for cell in cells.values()}
        at, turned = domino_spot(component, tuple(cells.values())), domino_turn(component, turn)
    for cell, ring in rings.items():
        if cell in ground.fields:
            raise Wrong("unknown-place", f"another piece lies on {_pair(cell)} already", _pair(cell))
        ground.add(cell, ring)
    for name in dict.fromkeys(each for text in names for each in names_of(text)):
        ground.name(name, cells)
    ground.under.append(Laid(component.name, piece, "back" if back else "front", at, turned, edged=False))
    return [*rings]


@dataclass(slots=True)
class _Lying:
    piece: str
    back: bool
    origin: Cell
    turn: int
    slot: str = ""
    """What its slot is called; nothing where it lies in none."""
    put: bool = False
    """A row laid it."""


@dataclass(slots=True)
class Laying:
    """The pieces laid so far. Its methods raise Wrong."""

    component: Component
    layout: Layout | None = None
    lying: list[_Lying] = field(default_factory=list)

    def __post_init__(self) -> None:
        slots = self.layout.slots if self.layout else ()
        for slot, seen in zip(slots, seen_in(slots, self.component), strict=True):
            if seen is None:
                continue
            name = slot_name(slot, self.component)
            x, y = ("q", "r") if self.component.hexes else ("x", "y")
            origin = int(slot.row.text_of(x)), int(slot.row.text_of(y))
            self.lying.append(_Lying(seen[0], seen[1] and self.component.back is not None, origin, slot.turn, name))

    def row(self, what: str, where: str, how: str) -> str:
        """Lays a piece; returns its id."""
        name, _, piece = what.partition("/")
        piece = piece_of(self.component, piece.strip())
        words = how.split()
        back = "back" in words
        if back and self.component.back is None:
            raise Wrong("bad-scene", f'"{name}" has no backs', name)
        words = [word for word in words if word != "back"]
        at = " ".join(where.split())
        slot = self._slot(at)
        turn = slot.turn if slot else 0
        if words:
            allowed = [*DOMINO_STEPS] if self.component.hexes is None else [*range(0, 360, 60)]
            turned = degrees(" ".join(words))
            if turned is None or turned % 360 not in allowed:
                hint = f"Write {how.replace('°', '')}." if "°" in how else ""
                raise Wrong("bad-scene", f'"{how}" is no turn of "{name}"', how, listed(map(str, allowed)) + ", back", hint)
            turn = int(turned % 360)
        origin = slot.origin if slot else self._origin(at)
        if self.component.hexes is None:
            # There is one of each: laid elsewhere, it is gone from where it lay.
            if any(each.put and each.piece == piece for each in self.lying):
                raise Wrong("bad-scene", f'"{name}" has one "{piece}", and another row lays it', piece)
            self.lying = [each for each in self.lying if each.piece != piece]
        elif not back:
            self._taken(piece, slot)
        if slot:
            self.lying = [each for each in self.lying if each is not slot]
        self.lying.append(_Lying(piece, back, origin, turn, slot.slot if slot else "", put=True))
        return piece

    def _taken(self, piece: str, slot: _Lying | None) -> None:
        """Takes a tile of which no more are left from where it lies; another that lies face up in the slot goes there."""
        (copies,) = (row.copies for row in self.component.table if row.id == piece)
        lies = [each for each in self.lying if each.piece == piece and not each.back]
        taken = next((each for each in reversed(lies) if not each.put), None)
        if slot in lies or len(lies) < copies or taken is None:
            return
        if slot and not slot.back:
            taken.piece = slot.piece
        else:
            self.lying = [each for each in self.lying if each is not taken]

    def _slot(self, at: str) -> _Lying | None:
        found = [each for each in self.lying if each.slot and each.slot.casefold() == at.casefold()]
        if len(found) > 1:
            hint = "Give each slot of the layout a name of its own."
            raise Wrong("unknown-place", f'{len(found)} slots are called "{at}"', at, "", hint)
        if found and found[0].put:
            raise Wrong("unknown-place", f'another row lays a piece in "{at}"', at)
        return found[0] if found else None

    def _origin(self, at: str) -> Cell:
        pair = _PAIR.fullmatch(at)
        if pair is None:
            known = list(dict.fromkeys(each.slot for each in self.lying if each.slot))
            allowed = f"{listed(known, 24)}; or such as 0,0" if known else "such as 0,0"
            raise Wrong("unknown-place", f'there is no place "{at}" for it', at, allowed, closest(at, known))
        return int(pair[1]), int(pair[2])

    def ground(self, on: str) -> tuple[Ground, list[Cell]]:
        """The ground of all that lies, and the cells of what rows laid."""
        if not self.lying:
            raise Wrong("bad-scene", "no tile or domino is laid", hint=f"Lay one: | {on}/… | 0,0 | |")
        made, put = laid_ground(self.component), []
        for each in self.lying:
            # What lies face down is known by its slot alone.
            names = [name for name in (each.slot, "" if each.back and each.slot else each.piece) if name]
            cells = lay(made, self.component, each.piece, each.back, each.origin, each.turn, names)
            put += cells if each.put else []
        return made, put


TABLE = "table"
# Places are counted to here, and told apart to a hundredth of a column or row.
MOST, PARTS = 60, 100
# Around what lies on a table so much of it is seen, in fields.
ON_TABLE = 0.15
_NUMBER = r"(-?\d{1,3}(?:\.\d{1,2})?)"
_PLACE = re.compile(rf"{_NUMBER}\s*,\s*{_NUMBER}")


@dataclass(slots=True)
class Table(Ground):
    """A table; cells are hundredths of a column and row; the places that a scene names are its fields."""

    wide: float = 0.0
    """A column, in mm."""
    high: float = 0.0
    """A row, in mm."""

    def find(self, typed: str) -> tuple[Cell, ...]:
        text = " ".join(typed.split())
        match = _PLACE.fullmatch(text)
        allowed = f"column,row from 0,0 to {MOST},{MOST}, such as 1,1 or 2.5,1"
        if match is None:
            message = f'there is no place "{text}" on a table' if text else "it does not say where"
            hint = "Parts stand behind a point: 2.5,1." if text.count(",") > 1 else ""
            raise Wrong("unknown-place", message, text, allowed, hint)
        x, y = (round(float(number) * PARTS) for number in match.groups())
        if not (0 <= x <= MOST * PARTS and 0 <= y <= MOST * PARTS):
            raise Wrong("unknown-place", f'"{text}" is not on the table', text, allowed)
        return (self._made((x, y)),)

    def between(self, one: Cell, two: Cell) -> list[Cell]:
        """The places from one to another, column by column and row by row."""
        (left, right), (top, bottom) = (sorted((one[axis], two[axis])) for axis in (0, 1))
        return [self._made((x, y)) for y in range(top, bottom + 1, PARTS) for x in range(left, right + 1, PARTS)]

    def grid(self, seen: Rect) -> Iterator[Cell]:
        """The places of whole columns and rows whose middles are seen."""
        for y in range(MOST + 1):
            for x in range(MOST + 1):
                if seen.x <= x * self.wide <= seen.right and seen.y <= y * self.high <= seen.bottom:
                    yield self._made((x * PARTS, y * PARTS))

    def around(self, boxes: Iterable[Rect], things: Iterable[Thing], cells: Iterable[Cell]) -> Rect:
        """The rectangle around boxes, highlights and other marks."""
        points = [point for box in boxes for point in ((box.x, box.y), (box.right, box.bottom))]
        points += [point for thing in things if isinstance(thing, Highlight) for ring in thing.rings for point in ring]
        # Of what has no size of its own, such as a mark, so much is seen around its middle.
        far = ON_TABLE * self.size
        points += [(x + way * far, y + way * far) for x, y in map(self.middle, cells) for way in (-1, 1)]
        return around(points)

    def _made(self, cell: Cell) -> Cell:
        if cell not in self.fields:
            x, y = (cell[0] / PARTS - 0.5) * self.wide, (cell[1] / PARTS - 0.5) * self.high
            self.add(cell, rectangle(x, y, self.wide, self.high))
        return cell


def table_ground(wide: float, high: float) -> Table:
    """A table with columns and rows of this size in mm; all its places are neighbours."""
    return Table(min(wide, high), lambda _one, _two: True, _called, wide=wide, high=high)


def _called(cell: Cell) -> str:
    return f"{cell[0] / PARTS:g},{cell[1] / PARTS:g}"


# Of a pile without a number so many are drawn, and never more.
A_PILE, MOST_PILED = 4, 12
# Each piece of a pile lies beside the one below by this share of its shorter side.
STEP = 0.022
_LIES = "back, pile, degrees clockwise, parts of a turn such as 1/4, faces and a place"
_STANDS = "front, back, degrees clockwise, parts of a turn such as 1/4, faces and a place"
_STANDING: Mapping[str, Shown] = {"": "standing", "front": "ahead", "back": "behind"}


@dataclass(frozen=True, slots=True)
class Posture:
    """How a piece lies or stands: what the third cell of its row says."""

    shown: Shown
    turn: float = 0.0
    face: str = ""
    """The panel of a die that is on top."""
    pile: int = 1
    towards: str = ""
    """The place it faces."""


def posture(component: Component, piece: str, how: str) -> Posture:
    """Parses how a piece lies or stands. Raises Wrong."""
    words, faces, towards = how.partition("faces ")
    words, shows, value = words.partition("shows ") if not words.startswith("shows ") else ("", "shows", words[6:])
    rest = words.split()
    face = _face(component, piece, value.strip()) if shows else ""
    if component.nets:
        stands = " ".join(word for word in rest if word in _STANDING)
        turn = " ".join(word for word in rest if word not in _STANDING)
        fallen = degrees(turn) if turn else 0.0
        if fallen is None or stands not in _STANDING or (face and rest):
            raise _unknown(component, " ".join([*rest, *(["shows", value.strip()] if shows else [])]), _standing(component))
        return Posture(_STANDING[stands], fallen, face=face, towards=towards if faces else "")
    back = "back" in rest
    if back and component.back is None:
        raise Wrong("bad-scene", f'"{component.name}" has no backs', component.name)
    rest = [word for word in rest if word != "back"]
    pile = 1
    if "pile" in rest:
        at = rest.index("pile")
        counted = rest[at + 1 : at + 2] if rest[at + 1 : at + 2] and rest[at + 1].isdecimal() else []
        pile = int(counted[0][:4]) if counted else A_PILE
        if not 2 <= pile <= MOST_PILED:
            hint = f"Write {counted[0]} pile." if pile <= 360 else ""
            raise Wrong("bad-scene", f"a pile of {counted[0]}", counted[0], f"2 to {MOST_PILED}", hint)
        rest = [*rest[:at], *rest[at + 1 + len(counted) :]]
    turned = degrees(" ".join(rest)) if rest else 0.0
    if turned is None:
        raise _unknown(component, " ".join(rest), _LIES)
    return Posture("back" if back else "front", turned, pile=pile, towards=towards if faces else "")


def _standing(component: Component) -> str:
    return f"{_STANDS}, shows and a face" if component.kind == "die" else _STANDS


def _unknown(component: Component, rest: str, allowed: str) -> Wrong:
    hint = f"Write {rest.replace('°', '')}." if "°" in rest else ""
    return Wrong("bad-scene", f'"{rest}" says not how a piece of "{component.name}" lies', rest, allowed, hint)


def _face(component: Component, piece: str, value: str) -> str:
    """The panel of a die that shows a text."""
    row = next(row for row in component.table if row.id == piece)
    shown = shown_on(component, row) if component.kind == "die" else ()
    if not shown:
        hint = "Only dice show one of their faces."
        raise Wrong("bad-scene", f'"{component.name}" is no die', component.name, hint=hint)
    if value not in shown:
        message = f'no face of "{component.name}" shows "{value}"'
        raise Wrong("bad-scene", message, value, listed(dict.fromkeys(shown), 24), closest(value, shown))
    return f"face-{shown.index(value) + 1}"


def size_of(component: Component, how: Posture) -> tuple[float, float]:
    """Width and height of a piece as it lies or stands, in mm."""
    if how.shown in VIEWS:
        net = component.nets[0]
        across, down = size_seen(net, view_of(how.shown, how.face)) if net.creases else (net.bounds.width, net.bounds.height)
        box = rotation(how.turn).bounds(Rect(0, 0, across, down))
        return box.width, box.height
    box = rotation(how.turn).bounds(Rect(0, 0, component.width, component.height))
    more = (how.pile - 1) * STEP * min(component.width, component.height)
    return box.width + more, box.height + more


def box_of(component: Component, thing: Laid) -> Rect:
    """The box that a piece covers, in the ground's mm."""
    wide, high = size_of(component, Posture(thing.shown, thing.turn, thing.face, thing.pile))
    x, y = thing.at
    if thing.shown in VIEWS:
        return Rect(x - wide / 2, y + thing.foot - high, wide, high)
    more = (thing.pile - 1) * thing.step
    return Rect(x - (wide - more) / 2, y - (high - more) / 2, wide, high)


ARROWS = ("dashed", "curved", "numbered", "steps", "jump", "turn")
# How far from the middle of a field the arrow of a turn runs, as a share of the field: around what stands there.
TURN = 0.7


def arrow(ground: Ground, typed: Sequence[str], places: Sequence[tuple[Cell, ...]], how: str) -> tuple[Arrow, list[Cell]]:
    """An arrow along places named as typed, and the cells on its way. Raises Wrong."""
    words = set(how.split())
    first = min((word for word in words if "numbered" in words and re.fullmatch("[1-9][0-9]?", word)), default="")
    words.discard(first)
    if unknown := sorted(words - set(ARROWS)):
        message, hint = f'an arrow is not "{unknown[0]}"', closest(unknown[0], ARROWS)
        hint = "It is solid without a word." if unknown[0] == "solid" else hint
        raise Wrong("bad-scene", message, unknown[0], listed([*ARROWS, "from COMPONENT/ID"]), hint)
    if "turn" in words and (clash := min(words - {"turn", "dashed"}, default="")):
        raise Wrong("bad-scene", f"an arrow is not both turn and {clash}", how, hint=f"Leave out turn or {clash}.")
    if len(places) < 2:
        raise Wrong("bad-scene", "an arrow leads from one place to another", typed[0], hint="Write C4 → C5 → D5.")
    if "turn" in words:
        return _turn(ground, typed, places, "dashed" in words)
    path: list[Cell] = []
    for place in places:
        # Of a place of several fields the one beside the step before it, at the start beside the step after it.
        beside = path[-1] if path else ground.central(places[1])
        path.append(ground.nearest(place, None if beside in place else ground.middle(beside)))
    if "jump" not in words:
        for index, (one, two) in enumerate(pairwise(path)):
            if not ground.near(one, two):
                message = f"{typed[index]} and {typed[index + 1]} are no neighbours"
                hint = "Name the fields between, or write jump behind it."
                raise Wrong("far-step", message, f"{typed[index]} → {typed[index + 1]}", hint=hint)
    # It begins where a piece stands that is said to be at this place.
    path[0] = ground.central(places[0])
    middles = ground.spot(places[0]), *(ground.middle(cell) for cell in path[1:])
    entered = tuple(ground.fields[cell] for cell in path[1:]) if "numbered" in words else ()
    return Arrow(middles, "dashed" in words, "curved" in words, entered, "steps" in words, first=int(first or 1)), path


def _turn(
    ground: Ground, typed: Sequence[str], places: Sequence[tuple[Cell, ...]], dashed: bool
) -> tuple[Arrow, list[Cell]]:
    """The curve within a field, from the way in to the way out."""
    cells = [ground.central(place) for place in places]
    if len(cells) != 3 or cells[0] in cells[1:] or cells[1] == cells[2]:
        hint = "Write C4 → C5 → B4: in C4, from towards C5 to towards B4."
        raise Wrong("bad-scene", "a turn is within one field, from towards a second to towards a third", typed[0], hint=hint)
    middle, one, two = (ground.middle(cell) for cell in cells)
    # The last part of the way is free for the wedge that it turns to.
    return Arrow(bow(middle, one, two, TURN * ground.size)[:-2], dashed, over=True), cells[:1]
