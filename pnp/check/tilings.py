"""A puzzle of tiles as values: slots, tiles as masks of the cells that may be entered, and what was found out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import factorial, prod

from pnp.values.walk import groups

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
