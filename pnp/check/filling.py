"""The slots of a tiling filled one after another, until nothing is left to try or something is cut off.

What matters of the slots filled already is only which tiles are left and how the cells that still have empty neighbours
hang together; so all ways to the same state are followed once, and millions of arrangements take thousands of steps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from pnp.check.tilings import Outcome, Tiling, bits, components

_MOST_STARTS = 8

Labels = tuple[int, ...]
"""By cell of the frontier: 0 for one that may not be entered, else the number of the part that it belongs to."""
_CUT = ((-1,), False)


@dataclass(slots=True)
class _Node:
    """A state on the way: how many slots are filled, which kinds are left, how the frontier hangs together."""

    depth: int
    left: tuple[int, ...]
    labels: Labels
    closed: bool
    """What lies so far is one part without empty neighbours: anything more would be cut off from it."""
    share: float
    moves: Iterator[tuple[int, int, float]]
    """The kinds and turns still to be laid next, with their part of the share."""


class Search:
    """Depth first over states; a state that was found safe is not looked at again."""

    def __init__(self, tiling: Tiling, most_steps: int) -> None:
        self.tiling, self.most_steps = tiling, most_steps
        self.order = _order(tiling)
        self.kinds = list(dict.fromkeys((tile.pool, tuple(sorted(tile.masks))) for tile in tiling.tiles))
        self.turns = [Counter(masks) for _, masks in self.kinds]
        number = Counter((tile.pool, tuple(sorted(tile.masks))) for tile in tiling.tiles)
        self.number = tuple(number[kind] for kind in self.kinds)
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
        stack = [self._node(0, self.number, (), False, 1.0)]
        while stack:
            node = stack[-1]
            move = next(node.moves, None)
            if move is None:
                stack.pop()
                safe.add((node.left, node.labels, node.closed))
                if path:
                    path.pop()
                continue
            kind, mask, share = move
            steps += 1
            if steps > self.most_steps:
                return Outcome(None, steps=steps - 1, covered=min(covered, 1.0))
            labels, closed = self.then(node.depth, node.labels, node.closed, mask)
            if (labels, closed) == _CUT:
                return Outcome(False, laid=self._laid([*path, (kind, mask)]), steps=steps)
            left = (*node.left[:kind], node.left[kind] - 1, *node.left[kind + 1 :])
            if node.depth + 1 == len(self.order) or (left, labels, closed) in safe:
                covered += share
                continue
            path.append((kind, mask))
            stack.append(self._node(node.depth + 1, left, labels, closed, share))
        return Outcome(True, steps=steps, covered=covered)

    def _node(self, depth: int, left: tuple[int, ...], labels: Labels, closed: bool, share: float) -> _Node:
        moves = ((kind, mask, share * part) for kind, mask, part in self.moves(depth, left))
        return _Node(depth, left, labels, closed, share, moves)

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
        """The whole arrangement: the tiles of a path, the rest in any order."""
        free = list(range(len(self.tiling.tiles)))
        laid: dict[int, tuple[int, int]] = {}
        for depth, slot in enumerate(self.order):
            for tile in free:
                pool, masks = self.tiling.tiles[tile].pool, self.tiling.tiles[tile].masks
                if depth >= len(path):
                    fits = pool == self.tiling.pools[slot]
                    turn = 0
                else:
                    fits = (pool, tuple(sorted(masks))) == self.kinds[path[depth][0]]
                    turn = masks.index(path[depth][1]) if fits else 0
                if fits:
                    laid[slot] = (tile, turn)
                    free.remove(tile)
                    break
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
