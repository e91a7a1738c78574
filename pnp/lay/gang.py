"""Puts pieces on as few sheets as it finds: nests those of different sizes, then gangs sheets into free room of others."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import field, replace
from functools import lru_cache
from itertools import product

from pnp.dataclass import dataclass
from pnp.lay.grid import Area, Grid, TooLarge, areas, find_grid
from pnp.lay.marks import MARK_GAP, MARK_LENGTH
from pnp.lay.sheet import FLIP, AnySheet, Run, Sheet, Spot, in_print_order
from pnp.shapes.affine import Affine, Rect, enclosing, rotation, translation
from pnp.values.faces import Deck, Piece
from pnp.values.game import Backs, Component, Paper
from pnp.values.walk import grouped

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
"""Index of the copy, x and y of its box on the page in mm, and whether it is turned by 90 degrees."""


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
    """Grid of a single cell that fills the printable area, for pieces that are packed freely."""
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


# Between more pieces than these the gaps are not searched: what is beyond their common box is room enough.
MOST_GAPS = 40
_EPSILON = 1e-6


@dataclass(frozen=True, slots=True)
class Sort:
    """Pieces that take equal room: of one size, cut and turned alike."""

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
    """The properties of a piece that decide the room it takes."""
    face, pad = piece.front, room_around(piece)
    pads = (pad,) if pad == LEAST_PAD else (pad, LEAST_PAD)
    return Sort(face.width, face.height, component.bleed, pads, component.upright, face.outline is not None)


@dataclass(slots=True, eq=False)
class Host:
    """A sheet that takes in more pieces: in free cells of its grid, then beyond the grid or between its pieces."""

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
        """A copy to try on."""
        return Host(self.sheet, self.area, self.component, list(self.own), list(self.added), self.gaps)

    @property
    def pieces(self) -> list[Piece]:
        """All pieces on it by now."""
        return [*self.own, *(spot.piece for spot in self.added)]

    def take(self, sort: Sort, pieces: Sequence[Piece]) -> int:
        """Places as many as fit of pieces of one sort; returns their number."""
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
        # What lies beyond the filled cells may lie in the empty ones: to the right of a first row, below the last one.
        if self.added and len(self.own) < grid.columns:
            return 0
        rows = _rows(len(self.own), grid) if self.added else grid.rows
        room = min(len(pieces), rows * grid.columns - len(self.own))
        self.own += pieces[:room]
        if room and not self.added:
            self.gaps = None
        return room

    @property
    def spare(self) -> float:
        """The area that no piece takes, in mm²."""
        if self._spare is None:
            room = self.area.room
            taken = sum(piece.front.width * piece.front.height for piece in self.pieces)
            self._spare = room.width * room.height - taken
        return self._spare

    @property
    def alike(self) -> tuple[object, ...]:
        """A key that is equal for sheets with equal free room."""
        if self._alike is None:
            own, sheet = self.component, self.sheet
            free = tuple(tuple(round(side, 3) for side in (rect.x, rect.y, rect.width, rect.height)) for rect in self.free)
            cells = () if sheet.nested else (len(self.own), sheet.grid.capacity, own.width, own.height, own.bleed)
            self._alike = sheet.way, free, bool(self.added), own.upright, *cells
        return self._alike

    def become(self, filled: Host) -> None:
        """Adopts the placements of a trial sheet."""
        self.own, self.added, self.gaps = filled.own, filled.added, filled.gaps
        self._alike = self._spare = None

    @property
    def free(self) -> list[Rect]:
        """The free rectangles; they may overlap."""
        if self.gaps is None:
            self.gaps = self._between() if self.sheet.nested else self._beyond()
        return self.gaps

    def _beyond(self) -> list[Rect]:
        grid, room = self.corner, self.area.room
        right, below = (grid.block.right + _mark(grid.outer[2]), grid.block.bottom + _mark(grid.outer[3]))
        found = [Rect(room.x, below, room.width, room.bottom - below)]
        found.append(Rect(right, room.y, room.right - right, below - room.y))
        return [rect for rect in found if min(rect.width, rect.height) > 2 * LEAST_PAD]

    @property
    def corner(self) -> Grid:
        """The filled part of the grid, moved to the corner of the room, so that the free area is in one piece."""
        grid, room, filled = self.sheet.grid, self.area.room, len(self.own)
        rows, columns = _rows(filled, grid), min(filled, grid.columns)
        first, last = grid.cell(0), grid.cell((rows - 1) * grid.columns + columns - 1)
        width, height = last.right - first.x, last.bottom - first.y
        bleed = grid.bleed or min(self.component.bleed, MOST_PAD)
        beside, above = min(bleed, (room.width - width) / 2), min(bleed, (room.height - height) / 2)
        block = Rect(room.x + beside, room.y + above, width, height)
        return replace(grid, columns=columns, rows=rows, block=block, outer=(beside, above, beside, above))

    def _between(self) -> list[Rect]:
        boxes = [spot.inked for spot in self.moved]
        if len(boxes) > MOST_GAPS:
            boxes = [enclosing(boxes)]
        free = [self.area.room]
        for box in boxes:
            free = _without(free, box)
        return free

    @property
    def moved(self) -> list[Spot]:
        """The pieces of a nest, moved together as far to the top left as they go."""
        spots, room = self.sheet.spots, self.area.room
        by = translation(room.x - min(spot.inked.x for spot in spots), room.y - min(spot.inked.y for spot in spots))
        return [Spot(spot.piece, by @ spot.front, by.bounds(spot.inked)) for spot in spots]

    def filled(self) -> Sheet:
        """The sheet with all that it took in."""
        sheet = self.sheet
        if sheet.nested:
            return replace(sheet, grid=whole(self.area), spots=(*self.moved, *self.added)) if self.added else sheet
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
        """The top left of each piece's box, row by row."""
        for index in range(self.count):
            row, column = divmod(index, self.columns)
            yield self.rect.x + column * self.width, self.rect.y + row * self.height


def _blocks(rect: Rect, sort: Sort, wanted: int) -> Iterator[Block]:
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
        sides = (
            Rect(rect.x, rect.y, box.x - rect.x, rect.height),
            Rect(box.right, rect.y, rect.right - box.right, rect.height),
            Rect(rect.x, rect.y, rect.width, box.y - rect.y),
            Rect(rect.x, box.bottom, rect.width, rect.bottom - box.bottom),
        )
        found += [each for each in sides if min(each.width, each.height) > 2 * LEAST_PAD]
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
    return max(MARK_GAP, bleed) + MARK_LENGTH


def area_of(sheet: Sheet, paper: Paper, cutting: bool) -> Area | None:
    """The area of a page that a sheet's pieces cover; None where they reach beyond it."""
    for area in areas(paper, sheet.way, cutting):
        same = (area.band, area.fold) == (sheet.grid.band, sheet.grid.fold)
        if same and all(_holds(area.room, spot.inked) for spot in sheet.spots):
            return area
    return None


# A sheet whose pieces would lie on more others than these is kept: whoever cuts them out must find them again.
MOST_HOSTS = 4
# Of the sheets of a paper so many, those with most room, are looked at, and what lies on one is tried on another so often.
MOST_OPEN = 200
MOST_TRIALS = 5000


def ganged(made: Sequence[AnySheet], decks: Sequence[Deck], paper: Paper, cutting: bool = False) -> list[AnySheet]:
    """Lays decks out on as few sheets as it finds, in print order.

    Pieces share a sheet only where that saves one. Pieces of which one prints one form or another take in none: who does
    without them would print their sheets all the same.
    """
    components = {deck.component.name: deck.component for deck in decks}
    papers = list(dict.fromkeys(deck.component.paper for deck in decks))
    chosen = {name for each in components.values() if each.instead for name in (each.name, each.instead)}
    hosts = [_host(sheet, components, paper, cutting) if isinstance(sheet, Sheet) else sheet for sheet in made]
    for name in papers:
        gone = _saved([host for host in hosts if isinstance(host, Host) and host.sheet.paper == name], components, chosen)
        hosts = [host for host in hosts if not any(host is each for each in gone)]
    kept = [host.filled() if isinstance(host, Host) else host for host in hosts]
    return in_print_order(_in_runs(kept, decks), papers)


def _host(sheet: Sheet, components: Mapping[str, Component], paper: Paper, cutting: bool) -> Host | Sheet:
    area = None if sheet.by_hand or sheet.template else area_of(sheet, paper, cutting)
    return sheet if area is None else Host(sheet, area, components[sheet.pieces[0].component], list(sheet.pieces))


def _saved(hosts: Sequence[Host], components: Mapping[str, Component], chosen: Set[str]) -> list[Host]:
    """The sheets of one paper that can be spared, for all on them moved to the others.

    The emptiest are tried first. What does not find room does not find it later: free room only shrinks.
    """
    emptiest = sorted(hosts, key=lambda host: -host.spare)[:MOST_OPEN]
    there = [host for host in hosts if any(host is each for each in emptiest)] if len(hosts) > MOST_OPEN else list(hosts)
    gone: list[Host] = []
    vain: set[object] = set()
    trials = MOST_TRIALS
    for one in emptiest:
        sorts = _sorts(one.pieces, components)
        what = one.sheet.way, tuple((sort, len(pieces)) for sort, pieces in sorts.items())
        least = min(sort.area for sort in sorts)
        others = [
            host
            for host in there
            if host is not one and host.component.name not in chosen and _goes(one, host) and host.spare >= least
        ]
        # Of two that take as much the one that is printed alike.
        others.sort(key=lambda host: host.sheet.way != one.sheet.way)
        whole = sum(sort.area * len(pieces) for sort, pieces in sorts.items())
        if what in vain or sum(sorted((host.spare for host in others), reverse=True)[:MOST_HOSTS]) < whole:
            continue
        changed, tried = _moved(sorts, others, trials)
        trials -= tried
        if changed is None:
            vain.add(what)
            if trials <= 0:
                break
            continue
        gone.append(one)
        there.remove(one)
        for host, filled in changed:
            host.become(filled)
    return gone


def _goes(one: Host, host: Host) -> bool:
    return one.sheet.way == host.sheet.way or (one.sheet.way == "none" and host.sheet.way in FLIP)


def _sorts(pieces: Sequence[Piece], components: Mapping[str, Component]) -> dict[Sort, list[Piece]]:
    found = grouped((sort_of(piece, components[piece.component]), piece) for piece in pieces)
    return dict(sorted(found.items(), key=lambda each: (-each[0].area, -each[0].width)))


def _moved(
    sorts: Mapping[Sort, Sequence[Piece]], others: Sequence[Host], trials: int
) -> tuple[list[tuple[Host, Host]] | None, int]:
    """The other sheets with all these pieces added, or None; and the number of trials.

    Each time the sheet that takes most of what is left is filled: so the pieces lie on few.
    """
    left = {sort: list(pieces) for sort, pieces in sorts.items()}
    changed: list[tuple[Host, Host]] = []
    open_to = {host.alike: host for host in reversed(others)}
    waiting, tried = list(others), 0
    while left and len(changed) < MOST_HOSTS:
        best: tuple[float, Host, Host, dict[Sort, int]] | None = None
        for host in list(open_to.values())[::-1]:
            if tried >= trials:
                return None, tried
            tried += 1
            filled = host.copy()
            taken = {sort: filled.take(sort, pieces) for sort, pieces in left.items()}
            area = sum(sort.area * count for sort, count in taken.items())
            if area and (best is None or area > best[0]):
                best = area, host, filled, taken
        if best is None:
            return None, tried
        _, host, filled, taken = best
        changed.append((host, filled))
        waiting.remove(host)
        open_to = {host.alike: host for host in reversed(waiting) if host.alike in open_to}
        left = {sort: pieces[taken[sort] :] for sort, pieces in left.items() if taken[sort] < len(pieces)}
    return (None if left else changed), tried


def _in_runs(made: Sequence[AnySheet], decks: Sequence[Deck]) -> list[AnySheet]:
    first = {deck.component.name: at for at, deck in enumerate(decks)}
    group = dict(first)
    for sheet in made:
        if isinstance(sheet, Sheet):
            joined = {group[piece.component] for piece in sheet.pieces}
            group = {name: min(joined) if at in joined else at for name, at in group.items()}
    on_it: dict[object, set[str]] = {}
    for sheet in made:
        if isinstance(sheet, Sheet):
            on_it.setdefault(_together(sheet, group), set()).update(piece.component for piece in sheet.pieces)
    shared = {key: Run(tuple(deck for deck in decks if deck.component.name in names)) for key, names in on_it.items()}
    in_run = [replace(sheet, run=shared[_together(sheet, group)]) if isinstance(sheet, Sheet) else sheet for sheet in made]
    return sorted(in_run, key=lambda sheet: group[sheet.run.decks[0].component.name])


def _together(sheet: Sheet, group: Mapping[str, int]) -> object:
    return group[sheet.pieces[0].component], sheet.way
