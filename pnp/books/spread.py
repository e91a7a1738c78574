"""Where things of a scene lie within a field: several pieces apart, so that all are seen; the bow of a turn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from pnp.shapes.outline import Point, Ring
from pnp.values.scenes import Laid, Mark, Thing

Cell = tuple[int, int]
# More pieces than this stand in two rows; a row takes so much of a field, and the two lie so far apart.
A_ROW, ACROSS, APART = 3, 1.0, 0.38
# Of two pieces at least so much of a field is seen of the one below.
LEAST = 0.16
# A piece of at least so much of a field is large: alone it stays in the middle, whatever stands on it.
LARGE = 0.8
# A mark on a field where something stands goes into the field's corner.
CORNER = 0.33
# A bow is made of so many lines.
BOW = 16


def spread(things: Sequence[Thing], standing: Sequence[tuple[int, Cell, float]], field: float) -> list[Thing]:
    """The things, those of ``standing`` (which thing, its cell, its width in mm; 0 of a mark) in places of their own."""
    made = list(things)
    for _, group in groupby(sorted(standing, key=lambda each: each[1]), key=lambda each: each[1]):
        shared = list(group)
        pieces = [(index, width) for index, _, width in shared if 0 < width < LARGE * field]
        large = [(index, width) for index, _, width in shared if width >= LARGE * field]
        for group_of in (pieces, large):
            for order, (index, width) in enumerate(group_of):
                thing = made[index]
                assert isinstance(thing, Laid), "only pieces have a width"
                dx, dy = _offset(order, len(group_of), width, field)
                made[index] = replace(thing, at=(thing.at[0] + dx, thing.at[1] + dy))
        for index, _, _ in shared:
            mark = made[index]
            if pieces and isinstance(mark, Mark):
                made[index] = replace(mark, at=(mark.at[0] + CORNER * field, mark.at[1] - CORNER * field))
    return made


def bow(middle: Point, one: Point, two: Point, radius: float) -> Ring:
    """Of a circle about ``middle`` what is between the sides of two points, the short way, in doubt clockwise."""
    start, end = (math.atan2(point[1] - middle[1], point[0] - middle[0]) for point in (one, two))
    way = (end - start + math.pi) % math.tau - math.pi
    turns = [start + (way if abs(way + math.pi) > 1e-6 else math.pi) * step / BOW for step in range(BOW + 1)]
    return tuple((middle[0] + radius * math.cos(turn), middle[1] + radius * math.sin(turn)) for turn in turns)


def _offset(order: int, count: int, width: float, field: float) -> tuple[float, float]:
    """From the field's middle, in mm."""
    rows = 1 if count <= A_ROW else 2
    across = -(-count // rows)
    row, number = divmod(order, across)
    here = min(across, count - row * across)
    step = min(width * 0.95, max(LEAST * field, (ACROSS * field - width) / max(1, here - 1)))
    return (number - (here - 1) / 2) * step, (row - (rows - 1) / 2) * APART * field
