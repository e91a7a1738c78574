"""Lines of points, as the arrows and patterns of scenes need them: rounded, curved, dashed, in part; and hatching. In mm."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from pnp.shapes.outline import Point, Ring

# So many points make a corner round, and a bow from one point to the next.
AT_CORNER, BETWEEN = 8, 16
# A bow between two points leaves the straight way by this share of it.
BULGE = 0.24


def rounded(points: Ring, radius: float) -> Ring:
    """The line with its corners rounded, which begin at most ``radius`` before and after them."""
    made = [points[0]]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        start, end = (_towards(corner, other, min(radius, _far(corner, other) / 2)) for other in (before, after))
        made += [_bow(start, corner, end, step / AT_CORNER) for step in range(AT_CORNER + 1)]
    return (*made, points[-1])


def curved(points: Ring) -> Ring:
    """A bow through all points; between two of them it passes the straight way on the left."""
    if len(points) == 2:
        (x0, y0), (x1, y1) = points
        corner = (x0 + x1) / 2 + 2 * BULGE * (y1 - y0), (y0 + y1) / 2 - 2 * BULGE * (x1 - x0)
        return tuple(_bow(points[0], corner, points[1], step / (2 * BETWEEN)) for step in range(2 * BETWEEN + 1))
    ends = _beyond(points[1], points[0]), _beyond(points[-2], points[-1])
    line = [ends[0], *points, ends[1]]
    made = [points[0]]
    for four in zip(line, line[1:], line[2:], line[3:], strict=False):
        made += [_through(four, step / BETWEEN) for step in range(1, BETWEEN + 1)]
    return tuple(made)


def middles(points: Ring, bowed: bool) -> list[Point]:
    """The middle of each step of a way."""
    if not bowed:
        return [((x0 + x1) / 2, (y0 + y1) / 2) for (x0, y0), (x1, y1) in pairwise(points)]
    line = curved(points)
    each = (len(line) - 1) // (len(points) - 1)
    return [line[index * each + each // 2] for index in range(len(points) - 1)]


def part_of(points: Ring, start: float, end: float) -> Ring:
    """The line without its first and last mm; of a short line its middle part."""
    whole = length(points)
    if start + end > 0.8 * whole:
        start, end = (each * 0.8 * whole / (start + end) for each in (start, end))
    return _cut(points, start, whole - end)


def length(points: Ring) -> float:
    return sum(_far(one, two) for one, two in pairwise(points))


def dashed(points: Ring, dash: float, gap: float) -> Iterator[Ring]:
    """The line in dashes of about this length, with one at either end."""
    whole = length(points)
    count = max(1, round((whole + gap) / (dash + gap)))
    stretch = whole / (count * (dash + gap) - gap)
    for number in range(count):
        start = number * (dash + gap) * stretch
        yield _cut(points, start, start + dash * stretch)


def hatched(rings: Sequence[Ring], gap: float) -> Iterator[tuple[Point, Point]]:
    """Slanting lines that fill what is inside of rings, so far apart; holes stay free."""
    edges = [edge for ring in rings for edge in zip(ring, (*ring[1:], ring[0]), strict=True)]
    levels = [x + y for (x, y), _ in edges]
    across = gap * math.sqrt(2)
    for number in range(math.ceil(min(levels) / across), math.floor(max(levels) / across) + 1):
        # A hair off, so that no line runs through a corner.
        level = (number + 1e-6) * across
        met = []
        for (x0, y0), (x1, y1) in edges:
            one, two = x0 + y0 - level, x1 + y1 - level
            if one * two < 0:
                share = one / (one - two)
                met.append((x0 + share * (x1 - x0), y0 + share * (y1 - y0)))
        met.sort()
        yield from zip(met[::2], met[1::2], strict=False)


def _cut(points: Ring, start: float, end: float) -> Ring:
    """From so many mm along the line to so many."""
    made: list[Point] = []
    done = 0.0
    for one, two in pairwise(points):
        far = _far(one, two)
        if far and done + far > start and done < end:
            made += [_towards(one, two, max(0.0, start - done))] * (not made)
            made.append(_towards(one, two, min(far, end - done)))
        done += far
    return tuple(made) or points[:1] * 2


def _far(one: Point, two: Point) -> float:
    return math.hypot(two[0] - one[0], two[1] - one[1])


def _towards(one: Point, two: Point, reach: float) -> Point:
    far = _far(one, two) or 1.0
    return one[0] + (two[0] - one[0]) * reach / far, one[1] + (two[1] - one[1]) * reach / far


def _beyond(one: Point, two: Point) -> Point:
    return 2 * two[0] - one[0], 2 * two[1] - one[1]


def _bow(start: Point, corner: Point, end: Point, share: float) -> Point:
    """A point of a quadratic Bézier curve."""
    rest = 1 - share
    x, y = (rest * rest * a + 2 * rest * share * b + share * share * c for a, b, c in zip(start, corner, end, strict=True))
    return x, y


def _through(four: Sequence[Point], t: float) -> Point:
    """A point between the second and third of four, on the curve through all of them (Catmull and Rom, 1974)."""
    x, y = (
        0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t**3)
        for a, b, c, d in zip(*four, strict=True)
    )
    return x, y
