"""Computes hexes in axial coordinates, pointy side up: places, corners, neighbours, turns, distances.

``size`` is a hex's width from flat to flat in mm. Source of the formulas: Red Blob Games, "Hexagonal
grids" (axial coordinates q to the right, r to the lower right).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable

from pnp.shapes.affine import Rect
from pnp.shapes.outline import Point

Hex = tuple[int, int]

NEIGHBOURS: tuple[Hex, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
FLOWER: tuple[Hex, ...] = ((0, 0), *NEIGHBOURS)
# Centres of flowers that tile the plane without gaps are the sums of whole multiples of these two.
FLOWER_LATTICE: tuple[Hex, Hex] = ((2, 1), (-1, 3))


def centre(cell: Hex, size: float) -> Point:
    """The centre of a hex in mm; hex (0, 0) is at the origin."""
    q, r = cell
    return size * (q + r / 2), size * math.sqrt(3) / 2 * r


def corners(cell: Hex, size: float) -> tuple[Point, ...]:
    """The six corners in mm, clockwise from the top."""
    x, y = centre(cell, size)
    radius = size / math.sqrt(3)
    return tuple(
        (x + radius * math.sin(math.radians(60 * index)), y - radius * math.cos(math.radians(60 * index)))
        for index in range(6)
    )


def turned(cell: Hex, steps: int) -> Hex:
    """The hex after ``steps`` sixths of a clockwise turn about (0, 0)."""
    q, r = cell
    for _ in range(steps % 6):
        q, r = -r, q + r
    return q, r


def turn_onto_itself(cells: Collection[Hex], steps: int) -> Hex | None:
    """The vector that moves hexes, turned about (0, 0), back onto their places; None when there is none.

    A turn about any centre (of a hex, of a corner, of an edge) is one about (0, 0) and then a move.
    """
    after = [turned(cell, steps) for cell in cells]
    first, then = min(cells), min(after)
    by = (first[0] - then[0], first[1] - then[1])
    return by if set(shifted(after, by)) == set(cells) else None


def distance(first: Hex, second: Hex) -> int:
    """The number of steps between two hexes."""
    q, r = first[0] - second[0], first[1] - second[1]
    return max(abs(q), abs(r), abs(q + r))


def shifted(cells: Iterable[Hex], by: Hex) -> list[Hex]:
    """The hexes moved by a hex vector."""
    return [(q + by[0], r + by[1]) for q, r in cells]


def bounds(cells: Iterable[Hex], size: float) -> Rect:
    """The bounding box of hexes, in mm."""
    points = [point for cell in cells for point in corners(cell, size)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
