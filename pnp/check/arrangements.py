"""Whether all ways to lay tiles on slots leave what may be entered in one piece: proved, refuted by one, or undecided.

Four ways are tried, the cheap ones first:

1. by pairs: each tile hangs together, and slots are joined by borders that any two tiles cross;
2. for more than is asked: any tile of its pool on each slot, however often, filled slot by slot. That forgets which tiles
   are left and has far fewer states; what it proves holds for the tiles that there are, what it refutes says nothing;
3. arrangements at random, always the same ones: one in which something is cut off often turns up at once;
4. the arrangements that there are, slot by slot, until all are looked at or the steps are used up.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from pnp.check.filling import Search
from pnp.check.tilings import Outcome, Tile, Tiling, bits, components

# About two seconds each. A count, not a clock: the same tables always come to the same answer.
MOST_STEPS = 300_000
# About half a second for twelve tiles.
MOST_TRIES = 4_000


def decide(tiling: Tiling, most_steps: int = MOST_STEPS) -> Outcome:
    """Proved, refuted or undecided."""
    pairs = by_pairs(tiling)
    if pairs is not None:
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
    """Whether what may be entered does not hang together."""
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
    between: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for first, cell, second, other in tiling.borders:
        between.setdefault((first, second), []).append((cell, other))
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
