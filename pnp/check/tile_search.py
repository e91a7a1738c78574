"""Tiles on slots: how layouts are laid, and whether all ways to lay them keep what may be entered in one piece."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from math import factorial, prod

from pnp.dataclass import dataclass
from pnp.shapes import hexes
from pnp.shapes.grids import SIDES
from pnp.values.game import Component, Game, Layout, fixed_tile
from pnp.values.walk import grouped, groups

Cell = tuple[int, int]


def laid(game: Game) -> Iterator[tuple[Layout, Component]]:
    """Every layout with the component whose pieces it lays."""
    components = {component.name: component for component in game.components}
    for layout in game.layouts:
        if component := components.get(layout.component):
            yield layout, component


def around(component: Component) -> tuple[Cell, ...]:
    """The steps to a cell's neighbours: six of a hex, four of a square."""
    return hexes.NEIGHBOURS if component.hexes else SIDES


def parts(cells: Iterable[Cell], steps: tuple[Cell, ...]) -> list[set[Cell]]:
    """The connected parts of a set of cells, the largest first."""
    return sorted(groups(cells, lambda cell: [(cell[0] + dx, cell[1] + dy) for dx, dy in steps]), key=len, reverse=True)


@dataclass(frozen=True, slots=True)
class Pool:
    """Slots over which some tiles are shuffled; a tile of which there are two is there twice."""

    name: str
    slots: tuple[int, ...]
    tiles: tuple[str, ...]

    @property
    def fits(self) -> bool:
        return len(self.slots) == len(self.tiles)


def pools(layout: Layout, component: Component) -> list[Pool]:
    """The pools of a layout of tiles; a slot whose tile is fixed is one by itself."""
    fixed = {index: tile for index, slot in enumerate(layout.slots) if (tile := fixed_tile(slot))}
    left = [tile.id for tile in component.table for _ in range(tile.copies)]
    back = {tile.id: tile.text("back") for tile in component.table}
    for tile in fixed.values():
        if tile in left:
            left.remove(tile)
    found = [Pool(back.get(tile, ""), (index,), (tile,)) for index, tile in fixed.items()]
    slots: dict[str, list[int]] = {back[tile]: [] for tile in left}
    for index, slot in enumerate(layout.slots):
        if index not in fixed:
            slots.setdefault(slot.row.text("pool"), []).append(index)
    return found + [
        Pool(name, tuple(lies), tuple(tile for tile in left if back[tile] == name)) for name, lies in slots.items()
    ]


def odd_shapes(component: Component) -> list[str]:
    """Tiles whose hexes are others than the first tile's: they would not fit its slots."""
    if not component.hexes:
        return []
    shapes = {name: {(cell.q, cell.r) for cell in cells} for name, cells in component.hexes.tiles.items()}
    first = next(iter(shapes.values()), set())
    return [name for name, shape in shapes.items() if shape != first]


def ring_of(component: Component) -> Callable[[Cell], tuple[tuple[float, float], ...]]:
    """The outline of a cell in mm."""
    if component.hexes:
        size = component.hexes.size
        return lambda cell: hexes.corners(cell, size)
    side = min(component.width, component.height)
    return lambda cell: tuple(((cell[0] + dx) * side, (cell[1] + dy) * side) for dx, dy in ((0, 0), (1, 0), (1, 1), (0, 1)))


Border = tuple[int, int, int, int]
"""A slot and its cell, and the slot and the cell beside it."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile by the cells that may be entered, as a bit mask for each way it may be turned; and where it may lie."""

    pool: int
    masks: tuple[int, ...]
    name: str = ""
    """The same for copies of one tile."""


@dataclass(frozen=True, slots=True)
class Tiling:
    """Slots of one shape, and as many tiles in each pool as it has slots."""

    pools: tuple[int, ...]
    """The pool of each slot."""
    inside: tuple[tuple[int, int], ...]
    """Pairs of cells of the shape that are neighbours."""
    borders: tuple[Border, ...]
    tiles: tuple[Tile, ...]

    @property
    def ways(self) -> int:
        """How many different arrangements there are; of copies it does not matter which is which."""
        orders = 1
        for pool in set(self.pools):
            alike = Counter(tile.name for tile in self.tiles if tile.pool == pool)
            orders *= factorial(self.pools.count(pool)) // prod(map(factorial, alike.values()))
        return orders * prod(len(tile.masks) for tile in self.tiles)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came out. ``pairs``: the borders that prove it; ``laid``: by slot the tile and its turn that refute it."""

    holds: bool | None
    pairs: tuple[tuple[int, int], ...] = ()
    laid: tuple[tuple[int, int], ...] = ()
    steps: int = 0
    covered: float = 1.0
    """The share of the arrangements that was decided."""
    wider: bool = False
    """Proved for more than was asked: for any of the tiles on each slot, however often."""


def components(mask: int, inside: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """The connected parts of a mask, as masks."""
    near: dict[int, set[int]] = defaultdict(set)
    for first, second in inside:
        near[first].add(second)
        near[second].add(first)
    return tuple(sum(1 << bit for bit in part) for part in groups(bits(mask), near.__getitem__))


def bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


_MOST_STARTS = 8

Labels = tuple[int, ...]
"""By cell of the frontier: 0 for one that may not be entered, else the number of the part that it belongs to."""
_CUT = ((-1,), False)


class Search:
    """Depth first over states; a state that was found safe is not looked at again."""

    def __init__(self, tiling: Tiling, most_steps: int) -> None:
        self.tiling, self.most_steps = tiling, most_steps
        self.order = _order(tiling)
        self.kind_of = [(tile.pool, tuple(sorted(tile.masks))) for tile in tiling.tiles]
        number = Counter(self.kind_of)
        self.kinds, self.number = list(number), tuple(number.values())
        self.turns = [Counter(masks) for _, masks in self.kinds]
        self.frontiers = self._frontiers()
        self.joins = self._joins()
        self.moves = cache(self._moves)
        self.parts = cache(lambda mask: components(mask, tiling.inside))
        self.then = cache(self._then)

    def _frontiers(self) -> list[list[tuple[int, int]]]:
        """After so many slots: the cells of filled slots that have neighbours in empty ones."""
        place = {slot: index for index, slot in enumerate(self.order)}
        last: dict[tuple[int, int], int] = {}
        for first, cell, second, other in self.tiling.borders:
            last[first, cell] = max(last.get((first, cell), 0), place[second])
            last[second, other] = max(last.get((second, other), 0), place[first])
        return [
            sorted((slot, cell) for (slot, cell), until in last.items() if place[slot] < depth <= until)
            for depth in range(len(self.order) + 1)
        ]

    def _joins(self) -> list[list[tuple[int, int]]]:
        """By the slot filled next: its cells with the cells of the frontier, by index, that lie beside them."""
        joins = []
        for depth, slot in enumerate(self.order):
            at = {cell: index for index, cell in enumerate(self.frontiers[depth])}
            both = [*self.tiling.borders, *((*ends[2:], *ends[:2]) for ends in self.tiling.borders)]
            joins.append(
                [(cell, at[other, there]) for one, cell, other, there in both if one == slot and (other, there) in at]
            )
        return joins

    def run(self) -> Outcome:
        """Try everything, or as much as the steps allow."""
        steps, covered, safe = 0, 0.0, set[tuple[tuple[int, ...], Labels, bool]]()
        path: list[tuple[int, int]] = []

        def refuted(depth: int, left: tuple[int, ...], labels: Labels, closed: bool, share: float) -> bool:
            """Whether something is cut off where these kinds are left, and the frontier hangs together so.

            ``closed``: what lies so far is one part without empty neighbours, so that anything more would be cut off.
            """
            nonlocal steps, covered
            for kind, mask, part in self.moves(depth, left):
                if steps == self.most_steps:
                    raise TimeoutError
                steps += 1
                path.append((kind, mask))
                after = self.then(depth, labels, closed, mask)
                if after == _CUT:
                    return True
                less = (*left[:kind], left[kind] - 1, *left[kind + 1 :])
                if depth + 1 == len(self.order) or (less, *after) in safe:
                    covered += share * part
                elif refuted(depth + 1, less, *after, share * part):
                    return True
                path.pop()
            safe.add((left, labels, closed))
            return False

        try:
            if refuted(0, self.number, (), False, 1.0):
                return Outcome(False, laid=self._laid(path), steps=steps)
        except (TimeoutError, RecursionError):
            return Outcome(None, steps=steps, covered=min(covered, 1.0))
        return Outcome(True, steps=steps, covered=covered)

    def _moves(self, depth: int, left: tuple[int, ...]) -> list[tuple[int, int, float]]:
        """Which kinds may be laid next, in which turns, with their part of the arrangements; most blocked ones first."""
        pool = self.tiling.pools[self.order[depth]]
        here = [kind for kind, count in enumerate(left) if count and self.kinds[kind][0] == pool]
        tiles = sum(left[kind] for kind in here)
        moves = [
            (mask.bit_count(), kind, mask, left[kind] / tiles * turns / self.turns[kind].total())
            for kind in here
            for mask, turns in self.turns[kind].items()
        ]
        return [(kind, mask, part) for _, kind, mask, part in sorted(moves)]

    def _then(self, depth: int, labels: Labels, closed: bool, mask: int) -> tuple[Labels, bool]:
        """The frontier after a slot is filled; ``_CUT`` when a part is shut off from others."""
        after = self.frontiers[depth + 1]
        if closed:
            return _CUT if mask else ((0,) * len(after), True)
        parts = self.parts(mask)
        first = max(labels, default=0) + 1
        mine = {cell: first + number for number, part in enumerate(parts) for cell in bits(part)}
        same = list(range(first + len(parts)))
        for cell, index in self.joins[depth]:
            if cell in mine and labels[index]:
                old, new = same[mine[cell]], same[labels[index]]
                if old != new:
                    same = [new if label == old else label for label in same]
        at = dict(zip(self.frontiers[depth], labels, strict=True))
        at |= {(self.order[depth], cell): label for cell, label in mine.items()}
        raw = [same[at.get(cell, 0)] for cell in after]
        existing = set(same) - {0}
        shut = existing - set(raw)
        if shut and len(existing) > 1:
            return _CUT
        names: dict[int, int] = {0: 0}
        return tuple(names.setdefault(label, len(names)) for label in raw), bool(shut)

    def _laid(self, path: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
        free = list(range(len(self.tiling.tiles)))
        laid: dict[int, tuple[int, int]] = {}
        for depth, slot in enumerate(self.order):
            if depth < len(path):
                kind, mask = path[depth]
                tile = next(tile for tile in free if self.kind_of[tile] == self.kinds[kind])
                laid[slot] = tile, self.tiling.tiles[tile].masks.index(mask)
            else:
                tile = next(tile for tile in free if self.tiling.tiles[tile].pool == self.tiling.pools[slot])
                laid[slot] = tile, 0
            free.remove(tile)
        return tuple(laid[slot] for slot in range(len(self.order)))


def _order(tiling: Tiling) -> tuple[int, ...]:
    """The slots in an order in which as few as may be have empty neighbours at a time."""
    near: dict[int, set[int]] = {slot: set() for slot in range(len(tiling.pools))}
    for first, _, second, _ in tiling.borders:
        near[first].add(second)
        near[second].add(first)

    def width(done: set[int]) -> int:
        return sum(1 for slot in done if not near[slot] <= done)

    best: tuple[list[int], list[int]] | None = None
    # Slots with few neighbours lie at the ends: from there the way through is narrow.
    for start in sorted(near, key=lambda slot: (len(near[slot]), slot))[:_MOST_STARTS]:
        done, widths = [start], []
        left = set(near) - {start}
        while left:
            there = set(done)
            widths.append(width(there))
            done.append(min(left, key=lambda slot: (width(there | {slot}), -len(near[slot] & there), slot)))
            left.discard(done[-1])
        widths.sort(reverse=True)
        if best is None or widths < best[0]:
            best = (widths, done)
    return tuple(best[1]) if best else ()


# About two seconds each. A count, not a clock: the same tables always come to the same answer.
MOST_STEPS = 300_000
# About half a second for twelve tiles.
MOST_TRIES = 4_000


def decide(tiling: Tiling, most_steps: int = MOST_STEPS) -> Outcome:
    """Proved, refuted or undecided."""
    if (pairs := by_pairs(tiling)) is not None:
        return Outcome(True, pairs)
    wider = Search(any_tile_anywhere(tiling), most_steps).run()
    if wider.holds:
        return replace(wider, wider=True)
    return tried(tiling, min(MOST_TRIES, most_steps)) or Search(tiling, most_steps).run()


def any_tile_anywhere(tiling: Tiling) -> Tiling:
    """The same slots, and for each a tile that may be any of its pool, in any of its turns."""
    masks: dict[int, set[int]] = {}
    for tile in tiling.tiles:
        masks.setdefault(tile.pool, set()).update(tile.masks)
    return replace(tiling, tiles=tuple(Tile(tile.pool, tuple(sorted(masks[tile.pool]))) for tile in tiling.tiles))


def tried(tiling: Tiling, most_tries: int) -> Outcome | None:
    """An arrangement that cuts something off, if one of so many chosen at random does."""
    chance = random.Random(0)
    slots = {pool: [slot for slot, its in enumerate(tiling.pools) if its == pool] for pool in tiling.pools}
    tiles = {pool: [index for index, tile in enumerate(tiling.tiles) if tile.pool == pool] for pool in slots}
    parts = {mask: components(mask, tiling.inside) for tile in tiling.tiles for mask in tile.masks}
    for count in range(1, most_tries + 1):
        laid = [(0, 0)] * len(tiling.pools)
        for pool, its in slots.items():
            for slot, tile in zip(its, sorted(tiles[pool], key=lambda _: chance.random()), strict=True):
                laid[slot] = (tile, int(chance.random() * len(tiling.tiles[tile].masks)))
        masks = [tiling.tiles[tile].masks[turn] for tile, turn in laid]
        if _in_parts(tiling, masks, [parts[mask] for mask in masks]):
            return Outcome(False, laid=tuple(laid), steps=count)
    return None


def _in_parts(tiling: Tiling, masks: Sequence[int], parts: Sequence[Sequence[int]]) -> bool:
    part_of: list[dict[int, int]] = []
    number = 0
    for own in parts:
        part_of.append({cell: number + index for index, part in enumerate(own) for cell in bits(part)})
        number += len(own)
    above = list(range(number))

    def top(part: int) -> int:
        while above[part] != part:
            part = above[part]
        return part

    left = number
    for first, cell, second, other in tiling.borders:
        if masks[first] >> cell & masks[second] >> other & 1:
            one, two = top(part_of[first][cell]), top(part_of[second][other])
            if one != two:
                above[max(one, two)] = min(one, two)
                left -= 1
    return left > 1


def by_pairs(tiling: Tiling) -> tuple[tuple[int, int], ...] | None:
    """Borders that join all slots and have a crossing whatever lies there, given tiles that are whole in themselves."""
    if any(len(components(mask, tiling.inside)) != 1 for tile in tiling.tiles for mask in tile.masks):
        return None
    between = grouped(((first, second), (cell, other)) for first, cell, second, other in tiling.borders)
    sure = [pair for pair, cells in between.items() if _always_crossed(tiling, pair, cells)]
    group = list(range(len(tiling.pools)))
    used = []
    for first, second in sure:
        if group[first] != group[second]:
            used.append((first, second))
            old, new = group[first], group[second]
            group = [new if one == old else one for one in group]
    return tuple(used) if len(set(group)) <= 1 else None


def _always_crossed(tiling: Tiling, pair: tuple[int, int], cells: Sequence[tuple[int, int]]) -> bool:
    """Whether any two tiles that may lie on two slots have a pair of cells to cross by."""
    sides: list[dict[int, set[int]]] = []
    for end, slot in enumerate(pair):
        seen = sum(1 << cell for cell in {ends[end] for ends in cells})
        patterns: dict[int, set[int]] = {}
        for index, tile in enumerate(tiling.tiles):
            for mask in tile.masks if tile.pool == tiling.pools[slot] else ():
                patterns.setdefault(mask & seen, set()).add(index)
        sides.append(patterns)
    for mine, tiles in sides[0].items():
        for theirs, others in sides[1].items():
            if not any(mine >> cell & theirs >> other & 1 for cell, other in cells) and len(tiles | others) > 1:
                return False
    return True
