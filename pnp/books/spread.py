"""Where things of a scene lie within a field: several pieces apart, so that all are seen; the bow of a turn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby

from pnp.shapes.outline import Point, Ring
from pnp.values.scenes import Laid, Mark, Thing

Cell = tuple[int, int]
# More pieces than this stand in two rows, which lie so far apart.
A_ROW, APART = 3, 0.38
# Where there is room, so much of a piece is seen; at least so much of a field.
OVERLAP, LEAST = 0.95, 0.16
# A piece of at least so much of a field is large: alone it stays in the middle, whatever stands on it.
LARGE = 0.8
# A mark on a field where something stands goes into the field's corner.
CORNER = 0.33
# A bow is made of so many lines.
BOW = 16


@dataclass(frozen=True, slots=True)
class Standing:
    """What may share its field with others: which of the things, where, how wide it lies, and its longer side, in mm.

    A mark has no size."""

    index: int
    cell: Cell
    across: float
    longest: float


def spread(things: Sequence[Thing], standing: Sequence[Standing], field: float) -> list[Thing]:
    """The things, those that share a field in places of their own."""
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
            if pieces and isinstance(mark, Mark):
                made[each.index] = replace(mark, at=(mark.at[0] + CORNER * field, mark.at[1] - CORNER * field))
    return made


def _abreast(widths: Sequence[float], field: float) -> list[float]:
    """Where pieces side by side have their middles, from the field's middle: of each the left edge is seen."""
    if not widths:
        return []
    apart = [OVERLAP * width for width in widths[:-1]]
    squeezed = min(1.0, max(0.0, field - widths[-1]) / sum(apart)) if apart else 1.0
    lefts = [0.0, *accumulate(max(LEAST * field, each * squeezed) for each in apart)]
    middles = [left + width / 2 for left, width in zip(lefts, widths, strict=True)]
    whole = max(left + width for left, width in zip(lefts, widths, strict=True))
    return [middle - whole / 2 for middle in middles]


def bow(middle: Point, one: Point, two: Point, radius: float) -> Ring:
    """Of a circle about ``middle`` what is between the sides of two points, the short way, in doubt clockwise."""
    start, end = (math.atan2(point[1] - middle[1], point[0] - middle[0]) for point in (one, two))
    way = (end - start + math.pi) % math.tau - math.pi
    turns = [start + (way if abs(way + math.pi) > 1e-6 else math.pi) * step / BOW for step in range(BOW + 1)]
    return tuple((middle[0] + radius * math.cos(turn), middle[1] + radius * math.sin(turn)) for turn in turns)
