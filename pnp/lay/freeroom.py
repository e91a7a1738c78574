"""The room that a sheet leaves free, and pieces of one size put into it in blocks that straight cuts part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from pnp.lay.grid import Area, Grid, areas
from pnp.lay.marks import MARK_GAP, MARK_LENGTH
from pnp.lay.nest import LEAST_PAD, MOST_PAD, grid_sheets, room_around, spot_at
from pnp.lay.sheet import Sheet, Spot
from pnp.shapes.affine import Rect, translation
from pnp.values.faces import Piece
from pnp.values.game import Component, Paper

# Between more pieces than these the gaps are not searched: what is beyond their common box is room enough.
MOST_GAPS = 40
_EPSILON = 1e-6


@dataclass(frozen=True, slots=True)
class Sort:
    """Pieces that fill room alike: of one size, cut and turned alike."""

    width: float
    height: float
    bleed: float
    pads: tuple[float, ...]
    """The room that each is to have around it, in mm, and the least that will do."""
    upright: bool
    outlined: bool

    @property
    def area(self) -> float:
        return self.width * self.height


def sort_of(piece: Piece, component: Component) -> Sort:
    """What counts about a piece that is to fill room."""
    face, pad = piece.front, room_around(piece)
    pads = (pad,) if pad == LEAST_PAD else (pad, LEAST_PAD)
    return Sort(face.width, face.height, component.bleed, pads, component.upright, face.outline is not None)


@dataclass(slots=True, eq=False)
class Host:
    """A sheet that takes in more pieces: in free cells of its grid, then beyond its grid or between its pieces."""

    sheet: Sheet
    area: Area
    component: Component
    """Whose pieces lie in its cells."""
    own: list[Piece]
    """What lies in its cells, or of a nest from the start."""
    added: list[Spot] = field(default_factory=list)
    gaps: list[Rect] | None = None
    """What is free, once somebody asked."""
    _alike: tuple[object, ...] | None = None
    _spare: float | None = None

    def copy(self) -> Host:
        """The same, to try on."""
        return Host(self.sheet, self.area, self.component, list(self.own), list(self.added), self.gaps)

    @property
    def pieces(self) -> list[Piece]:
        """All that lies on it by now."""
        return [*self.own, *(spot.piece for spot in self.added)]

    def take(self, sort: Sort, pieces: Sequence[Piece]) -> int:
        """Put in the first of these pieces, which are of one sort, as many as find room; how many these are."""
        put = self._into_cells(sort, pieces)
        while put < len(pieces) and (block := self._best(sort, len(pieces) - put)) is not None:
            for (x, y), piece in zip(block.places(), pieces[put:], strict=False):
                self.added.append(spot_at(piece, x, y, block.turned, block.pad))
                put += 1
            self.gaps = _without(self.free, block.rect)
        return put

    def _into_cells(self, sort: Sort, pieces: Sequence[Piece]) -> int:
        grid, own = self.sheet.grid, self.component
        same = (sort.width, sort.height, sort.bleed, sort.upright) == (own.width, own.height, own.bleed, own.upright)
        if self.sheet.nested or sort.outlined or not same or any(piece.front.outline for piece in self.own[:1]):
            return 0
        # A row below the last one would lie on what is there.
        rows = _rows(len(self.own), grid) if self.added else grid.rows
        room = min(len(pieces), rows * grid.columns - len(self.own))
        self.own += pieces[:room]
        if room and not self.added:
            self.gaps = None
        return room

    @property
    def spare(self) -> float:
        """How much of its room no piece takes, in mm²."""
        if self._spare is None:
            room = self.area.room
            taken = sum(piece.front.width * piece.front.height for piece in self.pieces)
            self._spare = room.width * room.height - taken
        return self._spare

    @property
    def alike(self) -> tuple[object, ...]:
        """The same for sheets that take in the same."""
        if self._alike is None:
            own, sheet = self.component, self.sheet
            free = tuple(tuple(round(side, 3) for side in (rect.x, rect.y, rect.width, rect.height)) for rect in self.free)
            cells = () if sheet.nested else (len(self.own), sheet.grid.capacity, own.width, own.height, own.bleed)
            self._alike = sheet.way, free, bool(self.added), own.upright, *cells
        return self._alike

    def become(self, filled: Host) -> None:
        """What a copy was filled with lies here."""
        self.own, self.added, self.gaps = filled.own, filled.added, filled.gaps
        self._alike = self._spare = None

    @property
    def free(self) -> list[Rect]:
        """Rectangles that nothing lies in; they may overlap."""
        if self.gaps is None:
            self.gaps = self._between() if self.sheet.nested else self._beyond()
        return self.gaps

    def _beyond(self) -> list[Rect]:
        """Below the grid, and to its right, behind its marks."""
        grid, room = self.corner, self.area.room
        right, below = (grid.block.right + _mark(grid.outer[2]), grid.block.bottom + _mark(grid.outer[3]))
        found = [Rect(room.x, below, room.width, room.bottom - below)]
        found.append(Rect(right, room.y, room.right - right, below - room.y))
        return [rect for rect in found if min(rect.width, rect.height) > 2 * LEAST_PAD]

    @property
    def corner(self) -> Grid:
        """The grid as far as it is filled, in the corner of the room, so that all that is free lies together."""
        grid, room, filled = self.sheet.grid, self.area.room, len(self.own)
        rows, columns = _rows(filled, grid), min(filled, grid.columns)
        first, last = grid.cell(0), grid.cell((rows - 1) * grid.columns + columns - 1)
        width, height = last.right - first.x, last.bottom - first.y
        bleed = grid.bleed or min(self.component.bleed, MOST_PAD)
        beside, above = min(bleed, (room.width - width) / 2), min(bleed, (room.height - height) / 2)
        block = Rect(room.x + beside, room.y + above, width, height)
        return replace(grid, columns=columns, rows=rows, block=block, outer=(beside, above, beside, above))

    def _between(self) -> list[Rect]:
        """Between the pieces of a nest, which is moved to the corner of the room."""
        boxes = [spot.inked for spot in self.moved]
        if len(boxes) > MOST_GAPS:
            left, top = min(box.x for box in boxes), min(box.y for box in boxes)
            right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
            boxes = [Rect(left, top, right - left, bottom - top)]
        free = [self.area.room]
        for box in boxes:
            free = _without(free, box)
        return free

    @property
    def moved(self) -> list[Spot]:
        """The pieces of a nest, all of them as far to the top left as they go."""
        spots, room = self.sheet.spots, self.area.room
        by = translation(
            room.x - min(spot.inked.x for spot in spots),
            room.y - min(spot.inked.y for spot in spots),
        )
        return [Spot(spot.piece, by @ spot.front, by.bounds(spot.inked)) for spot in spots]

    def filled(self) -> Sheet:
        """The sheet with all that it took in."""
        sheet = self.sheet
        if sheet.nested:
            return replace(sheet, spots=(*self.moved, *self.added)) if self.added else sheet
        if not self.added:
            return sheet if len(self.own) == len(sheet.spots) else grid_sheets(sheet.run, sheet.grid, self.own, sheet.way)[0]
        grid = self.corner
        if all(spot.inked.y > grid.block.bottom for spot in self.added):
            # Nothing lies to its right: a block in the middle is nearer to its back.
            x = self.sheet.grid.block.x + (self.sheet.grid.block.width - grid.block.width) / 2
            grid = replace(grid, block=Rect(x, grid.block.y, grid.block.width, grid.block.height))
        (made,) = grid_sheets(sheet.run, grid, self.own, sheet.way)
        return replace(made, spots=(*made.spots, *self.added), beside=len(self.added))

    def _best(self, sort: Sort, wanted: int) -> Block | None:
        """The block that holds most of so many pieces; among equals the one with most room around, then the tightest."""
        blocks = [block for rect in self.free for block in _blocks(rect, sort, wanted)]
        return max(blocks, key=lambda block: block.merit, default=None)


@dataclass(frozen=True, slots=True)
class Block:
    """Pieces of one size in rows and columns, at the top left of a free rectangle."""

    rect: Rect
    columns: int
    count: int
    width: float
    height: float
    """Of a piece with its pad around it."""
    turned: bool
    pad: float
    spare: float
    """What of the free rectangle's area is left."""

    @property
    def merit(self) -> tuple[float, ...]:
        rect = self.rect
        return self.count, self.pad, -round(self.spare, 3), not self.turned, -round(rect.y, 6), -round(rect.x, 6)

    def places(self) -> Iterator[tuple[float, float]]:
        """Where each piece's box begins, row by row."""
        for index in range(self.count):
            row, column = divmod(index, self.columns)
            yield self.rect.x + column * self.width, self.rect.y + row * self.height


def _blocks(rect: Rect, sort: Sort, wanted: int) -> Iterator[Block]:
    """The ways to fill a free rectangle with at most so many pieces."""
    for pad in sort.pads:
        for turned in (False,) if sort.upright else (False, True):
            width, height = (sort.height, sort.width) if turned else (sort.width, sort.height)
            width, height = width + 2 * pad, height + 2 * pad
            columns, rows = int((rect.width + _EPSILON) // width), int((rect.height + _EPSILON) // height)
            if columns < 1 or rows < 1:
                continue
            count = min(wanted, columns * rows)
            # Full columns where the room is high, else full rows: what is left stays in one piece.
            rows = -(-count // columns) if rect.width <= rect.height else min(rows, count)
            columns = -(-count // rows)
            taken = Rect(rect.x, rect.y, columns * width, -(-count // columns) * height)
            yield Block(taken, columns, count, width, height, turned, pad, rect.width * rect.height - count * width * height)


def _without(free: Sequence[Rect], box: Rect) -> list[Rect]:
    """The largest rectangles that are left when a box is taken."""
    found: list[Rect] = []
    for rect in free:
        if (
            box.x >= rect.right - _EPSILON
            or box.right <= rect.x + _EPSILON
            or box.y >= rect.bottom - _EPSILON
            or box.bottom <= rect.y + _EPSILON
        ):
            found.append(rect)
            continue
        found += [
            each
            for each in (
                Rect(rect.x, rect.y, box.x - rect.x, rect.height),
                Rect(box.right, rect.y, rect.right - box.right, rect.height),
                Rect(rect.x, rect.y, rect.width, box.y - rect.y),
                Rect(rect.x, box.bottom, rect.width, rect.bottom - box.bottom),
            )
            if min(each.width, each.height) > 2 * LEAST_PAD
        ]
    kept: list[Rect] = []
    for rect in sorted(found, key=lambda rect: -rect.width * rect.height):
        if not any(_holds(other, rect) for other in kept):
            kept.append(rect)
    return kept


def _holds(outer: Rect, inner: Rect) -> bool:
    return (
        inner.x >= outer.x - _EPSILON
        and inner.y >= outer.y - _EPSILON
        and inner.right <= outer.right + _EPSILON
        and inner.bottom <= outer.bottom + _EPSILON
    )


def _rows(filled: int, grid: Grid) -> int:
    return -(-filled // grid.columns)


def _mark(bleed: float) -> float:
    """How far from a grid's edge its crop marks end."""
    return max(MARK_GAP, bleed) + MARK_LENGTH


def area_of(sheet: Sheet, paper: Paper, cutting: bool) -> Area | None:
    """The part of the page that a sheet's pieces lie in; None where they reach beyond it."""
    for area in areas(paper, sheet.way, cutting):
        same = (area.band, area.fold) == (sheet.grid.band, sheet.grid.fold)
        if same and all(_holds(area.room, spot.inked) for spot in sheet.spots):
            return area
    return None
