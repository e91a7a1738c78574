"""What a scene can stand on: a board, a tracker, or tiles and dominoes that are laid; with the places that it has.

A ground knows its fields by cells, where each lies in its own mm, what they are called, and which are neighbours.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from pnp.shapes import grids, hexes
from pnp.shapes.affine import Rect, around
from pnp.shapes.outline import Point, Ring, area
from pnp.values.game import Board, Component, Game
from pnp.values.laid import DOMINO_STEPS, domino_spot, domino_turn, hex_spot
from pnp.values.languages import original
from pnp.values.problems import closest, listed
from pnp.values.scenes import Laid

Cell = tuple[int, int]
_PAIR = re.compile(r"(-?\d{1,2})\s*,\s*(-?\d{1,2})")
_GAP = re.compile(r"gap (-?\d{1,2}),(-?\d{1,2})", re.IGNORECASE)


class Unplaced(Exception):
    """A text is no place of a ground; says to a person what there is instead."""

    def __init__(self, message: str, value: str, allowed: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.value, self.allowed, self.hint = value, allowed, hint


@dataclass(slots=True)
class Ground:
    """``fields`` are rings in mm, ``near`` says whether two cells are neighbours, ``called`` what a cell is called."""

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
        """Call some cells by a name; each is called by its part in it, too."""
        places = self._named.setdefault(name.casefold(), (name, []))[1]
        key = name.casefold(), tuple(parts.items())
        if key not in self._places:
            self._places.add(key)
            places.append(dict(parts))

    def middle(self, cell: Cell) -> Point:
        ring = self.fields[cell]
        return sum(x for x, _ in ring) / len(ring), sum(y for _, y in ring) / len(ring)

    def spot(self, place: Sequence[Cell]) -> Point:
        """Where pieces of a place stand: in the middle of a full rectangle, such as a domino, or of its central cell."""
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
        """The cells of a place. Raises Unplaced."""
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
        raise Unplaced(message, text, known, f"Write {'; '.join(parts)}." if several else closest(text, names))

    def _gap(self, cell: Cell, text: str) -> Cell:
        """A square on which nothing lies. By its numbers alone it is no place: who forgets the word is told."""
        if self.called(cell).casefold() in self._codes:
            raise Unplaced(f'something lies in "{text}"', text, hint=f"Write {self.called(cell)}.")
        self.fields.setdefault(cell, grids.corners("square", cell, self.size))
        return cell

    def _cells(self, name: str, places: list[dict[str, Cell]], part: str) -> tuple[Cell, ...]:
        if len(places) > 1:
            codes = [self.called(next(iter(place.values()))) for place in places]
            raise Unplaced(f'{len(places)} places are called "{name}"', name, listed(codes, 24), "Name one of its fields.")
        (place,) = places
        if not part:
            return tuple(dict.fromkeys(place.values()))
        if part.casefold() not in place:
            raise Unplaced(f'"{name}" has no field "{part}"', f"{name} {part}", listed(place, 24))
        return (place[part.casefold()],)

    def between(self, one: Cell, two: Cell) -> list[Cell]:
        """All fields of a rectangle by two of its corners, as one reads."""
        (left, right), (top, bottom) = (sorted((one[axis], two[axis])) for axis in (0, 1))
        if (right - left + 1) * (bottom - top + 1) < len(self.fields):
            columns, lines = range(left, right + 1), range(top, bottom + 1)
            return [(x, y) for y in lines for x in columns if (x, y) in self.fields]
        inside = (cell for cell in self.fields if left <= cell[0] <= right and top <= cell[1] <= bottom)
        return sorted(inside, key=lambda cell: cell[::-1])

    def central(self, cells: Sequence[Cell]) -> Cell:
        """Of some cells the one nearest to the middle of them all."""
        key = tuple(cells)
        if key not in self._middles:
            self._middles[key] = self.nearest(cells)
        return self._middles[key]

    def nearest(self, cells: Iterable[Cell], to: Point | None = None) -> Cell:
        """Of some cells the one nearest to a point, or to the middle of them all."""
        middles = {cell: self.middle(cell) for cell in cells}
        count = len(middles)
        x, y = to or (sum(x for x, _ in middles.values()) / count, sum(y for _, y in middles.values()) / count)
        return min(middles, key=lambda cell: (round(_far(middles[cell], (x, y)), 6), cell[::-1]))


def names_of(text: str) -> tuple[str, ...]:
    """What a place is called in a book: by its author's name, and as it is translated."""
    return tuple(dict.fromkeys((original(text), str.__str__(text))))


def _far(one: Point, two: Point) -> float:
    return (one[0] - two[0]) ** 2 + (one[1] - two[1]) ** 2


def board_ground(game: Game, component: Component, board: Board, piece: str) -> Ground:
    """A board with a map; its squares are neighbours as its ``[movement]`` says, or at their corners, too."""
    straight = {movement.diagonal for movement in game.rules.movements if movement.board == component.name} == {False}
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
    """A tracker: its spaces are called by their track and value, such as ``Speed 4``."""
    tracker = component.tracker
    assert tracker is not None, "only trackers have tracks"
    tracks = list(tracker.tracks)
    spaces = {name: tracker.spaces(name, component.width, component.height) for name in tracks}
    made = Ground(
        min(min(space.width, space.height) for of in spaces.values() for space in of),
        # Of a track around the edge the last space is beside the first.
        lambda one, two: one[0] == two[0] and abs(one[1] - two[1]) in (1, *_around(tracks[one[0]], spaces, tracker.inside)),
        lambda cell: f"{tracks[cell[0]]} {tracker.tracks[tracks[cell[0]]][cell[1]].said('value')}",
        Rect(0, 0, component.width, component.height),
        [Laid(component.name, piece, "front", (component.width / 2, component.height / 2), edged=False)],
    )
    for index, name in enumerate(tracks):
        for number, (space, row) in enumerate(zip(spaces[name], tracker.tracks[name], strict=True)):
            made.add((index, number), _ring(space))
            if len(tracks) == 1:
                made.name(row.said("value"), {"1": (index, number)})
    return made


def _around(name: str, spaces: Mapping[str, tuple[Rect, ...]], inside: Rect | None) -> tuple[int, ...]:
    return (len(spaces[name]) - 1,) if inside is not None else ()


def _ring(box: Rect) -> Ring:
    return (box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom)


def laid_ground(component: Component) -> Ground:
    """Tiles or dominoes of a component, of which none lies yet."""
    if component.hexes is not None:
        return Ground(component.hexes.size, lambda one, two: hexes.distance(one, two) == 1, _pair)
    side = min(component.width, component.height)
    return Ground(side, lambda one, two: (two[0] - one[0], two[1] - one[1]) in grids.SIDES, _pair, gaps=True)


def _pair(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


def lay(
    ground: Ground, component: Component, piece: str, back: bool, origin: Cell, turn: int, names: Iterable[str]
) -> list[Cell]:
    """Lay a tile or domino; returns where it lies. Raises Unplaced where another one lies."""
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
            raise Unplaced(f"another piece lies on {_pair(cell)} already", _pair(cell))
        ground.add(cell, ring)
    for name in dict.fromkeys(each for text in names for each in names_of(text)):
        ground.name(name, cells)
    ground.under.append(Laid(component.name, piece, "back" if back else "front", at, turned, edged=False))
    return [*rings]
