"""Nests pieces of different sizes on shared sheets: packed by rectpack, or in grids where that needs no more paper."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product

from pnp.lay.grid import Area, Grid, TooLarge, areas, find_grid
from pnp.lay.sheet import Run, Sheet, Spot
from pnp.shapes.affine import Affine, Rect, rotation, translation
from pnp.values.faces import Piece
from pnp.values.game import Backs, Component, Paper

# Around every piece, for scissors and for as much bleed as goes in; between two pieces it is twice this.
LEAST_PAD, MOST_PAD = 1.0, 2.0
# The packer counts in whole hundredths of a millimetre.
UNIT = 100
# Packing takes four times as long for twice the pieces. Of more than these most lie in full grids, and the rest is packed.
MOST_PACKED = 400
# The packer's ways that are tried, as rectpack calls them, until one can be no better.
PACKINGS = tuple(product(("MaxRectsBssf", "MaxRectsBl", "SkylineMwf", "GuillotineBssfSas"), ("SORT_LSIDE", "SORT_AREA")))


def nested_sheets(run: Run, paper: Paper, backs: Backs, cutting: bool = False) -> list[Sheet]:
    """The sheets of a run of different pieces: the fewest of three ways, among equals the simplest.

    Every deck in a grid of its own; full grids and what is left packed together; all packed together.
    Raises TooLarge for a piece that does not fit.
    """
    way = run.way(backs, cutting)
    plain = _in_grids(run, paper, way, cutting)
    rest = [copy for sheet in plain if len(sheet.spots) < sheet.grid.capacity for copy in sheet.pieces]
    full = [sheet for sheet in plain if len(sheet.spots) == sheet.grid.capacity]
    ways = [plain]
    if (packed := _packed(run, rest, paper, way, cutting)) is not None:
        ways.append([*full, *packed])
    if (packed := _packed(run, run.copies(), paper, way, cutting)) is not None:
        ways.append(packed)
    return min(ways, key=len)


def _in_grids(run: Run, paper: Paper, way: Backs, cutting: bool) -> list[Sheet]:
    made: list[Sheet] = []
    for deck in run.decks:
        sizes: dict[tuple[float, float], list[Piece]] = {}
        for piece in deck.pieces:
            sizes.setdefault((piece.front.width, piece.front.height), []).extend([piece] * piece.copies)
        for (width, height), copies in sizes.items():
            # Scissors need room between outlines; only straight cuts may be shared.
            outlined = any(piece.front.outline for piece in copies)
            pad = room_around(copies[0]) if outlined else 0.0
            bleed = 0.0 if outlined else min(deck.component.bleed, MOST_PAD)
            size, turned = (width + 2 * pad, height + 2 * pad), deck.component.upright
            try:
                grid = find_grid(paper, *size, bleed, way, cutting, turned)
            except TooLarge:
                # Alone on its page a piece needs no room for its neighbours' scissors.
                grid = _bare_grid(deck.component, paper, width, height, way, cutting)
                made += [replace(sheet, nested=True) for sheet in grid_sheets(run, grid, copies, way)]
                continue
            made += [_padded(sheet, pad) for sheet in grid_sheets(run, grid, copies, way)]
    return made


def _bare_grid(component: Component, paper: Paper, width: float, height: float, way: Backs, cutting: bool) -> Grid:
    bleed = min(component.bleed, MOST_PAD)
    try:
        grid = find_grid(paper, width, height, bleed, way, cutting, component.upright)
    except TooLarge as error:
        error.component = component
        raise
    left, top, right, bottom = grid.outer
    outer = (left, top, right if grid.columns == 1 else bleed, bottom if grid.rows == 1 else bleed)
    return replace(grid, columns=1, rows=1, block=grid.cell(0), outer=outer)


def _padded(sheet: Sheet, pad: float) -> Sheet:
    if not pad:
        return sheet
    spots = tuple(Spot(spot.piece, spot.front @ translation(pad, pad), spot.inked) for spot in sheet.spots)
    return replace(sheet, spots=spots, nested=True)


def grid_sheets(run: Run, grid: Grid, copies: Sequence[Piece], way: Backs) -> list[Sheet]:
    """Copies of one size in the cells of a grid, sheet by sheet."""
    made = []
    for start in range(0, len(copies), grid.capacity):
        spots = tuple(
            Spot(piece, grid.front(index), grid.inked(index))
            for index, piece in enumerate(copies[start : start + grid.capacity])
        )
        made.append(Sheet(run, grid, spots, way))
    return made


def shared_grids(run: Run, grid: Grid, way: Backs) -> list[Sheet]:
    """Decks of one size: full sheets of each; the rest of several on a sheet where that saves one."""
    made: list[Sheet] = []
    left: list[tuple[int, list[Piece]]] = []
    for deck in run.decks:
        copies = [piece for piece in deck.pieces for _ in range(piece.copies)]
        full = len(copies) // grid.capacity * grid.capacity
        made += grid_sheets(run, grid, copies[:full], way)
        if copies[full:]:
            left.append((len(made), copies[full:]))
    least = math.ceil(sum(len(copies) for _, copies in left) / grid.capacity)
    if least == len(left):
        for at, copies in reversed(left):
            made[at:at] = grid_sheets(run, grid, copies, way)
        return made
    shared: list[list[Piece]] = []
    # The largest first, where it fits with others whole.
    for _, copies in sorted(left, key=lambda each: -len(each[1])):
        room = next((on_it for on_it in shared if len(on_it) + len(copies) <= grid.capacity), None)
        if room is None:
            shared.append(list(copies))
        else:
            room.extend(copies)
    if len(shared) > least:
        shared = [[piece for _, copies in left for piece in copies]]
    return [*made, *(sheet for copies in shared for sheet in grid_sheets(run, grid, copies, way))]


def _packed(run: Run, copies: Sequence[Piece], paper: Paper, way: Backs, cutting: bool) -> list[Sheet] | None:
    if not copies:
        return []
    if len(copies) > MOST_PACKED:
        return None
    turning = not any(deck.component.upright for deck in run.decks)
    found: list[list[Sheet]] = []
    for area in areas(paper, way, cutting):
        boxes = tuple(_box(piece) for piece in copies)
        whole = sum(width * height for width, height in boxes) / (area.room.width * area.room.height * UNIT * UNIT)
        for packing in PACKINGS:
            if (bins := _bins(packing, boxes, area.room, turning)) is None:
                continue
            found.append([_sheet(run, copies, area, bin_, way) for bin_ in bins])
            if len(bins) <= math.ceil(whole):
                break
    return min(found, key=len, default=None)


def room_around(piece: Piece) -> float:
    """The room for scissors and bleed, in mm."""
    return min(max(piece.front.bleed, LEAST_PAD), MOST_PAD)


def _box(piece: Piece) -> tuple[int, int]:
    pad = 2 * room_around(piece)
    return math.ceil((piece.front.width + pad) * UNIT - 1e-6), math.ceil((piece.front.height + pad) * UNIT - 1e-6)


Placing = tuple[int, float, float, bool]
"""Which copy, where its box begins on the page in mm, and whether it is turned."""


# A build lays the same pieces several times: for the whole game, each component, the books' numbers.
@lru_cache(512)
def _bins(
    packing: tuple[str, str], boxes: tuple[tuple[int, int], ...], room: Rect, turning: bool
) -> tuple[tuple[Placing, ...], ...] | None:
    import rectpack

    algorithm, order = (getattr(rectpack, name) for name in packing)
    packer = rectpack.newPacker(mode=rectpack.PackingMode.Offline, pack_algo=algorithm, sort_algo=order, rotation=turning)
    packer.add_bin(int(room.width * UNIT + 1e-6), int(room.height * UNIT + 1e-6), count=len(boxes))
    for index, (width, height) in enumerate(boxes):
        packer.add_rect(width, height, index)
    packer.pack()
    bins: dict[int, list[Placing]] = {}
    for number, x, y, width, height, index in packer.rect_list():
        turned = (width, height) != boxes[index]
        bins.setdefault(number, []).append((index, room.x + x / UNIT, room.y + y / UNIT, turned))
    if sum(map(len, bins.values())) < len(boxes):
        return None
    return tuple(tuple(sorted(bins[number])) for number in sorted(bins))


def _sheet(run: Run, copies: Sequence[Piece], area: Area, placings: Sequence[Placing], way: Backs) -> Sheet:
    spots = tuple(spot_at(copies[index], x, y, turned, room_around(copies[index])) for index, x, y, turned in placings)
    return Sheet(run, whole(area), spots, way, nested=True)


def whole(area: Area) -> Grid:
    """One cell: all the room of a page."""
    room = area.room
    return Grid(1, 1, False, 0.0, (0.0, 0.0, 0.0, 0.0), room, room.width, room.height, area.band, area.fold)


def spot_at(piece: Piece, x: float, y: float, turned: bool, pad: float) -> Spot:
    """A piece whose box, with ``pad`` around it, begins at (x, y) of the page."""
    face = piece.front
    width, height = (face.height, face.width) if turned else (face.width, face.height)
    front: Affine = translation(x + pad, y + pad)
    if turned:
        front = translation(x + pad + width, y + pad) @ rotation(90)
    return Spot(piece, front, Rect(x, y, width + 2 * pad, height + 2 * pad))
