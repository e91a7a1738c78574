"""Computes outlines of sets of cells: edges of one cell only, chained to rings; smooths and offsets rings.

Points are (x, y) in mm with y downwards. Rings run so that the inside lies to the right of every edge as
seen on the page (clockwise); holes run the other way. Nothing is drawn here.

Shapely, with which tests measure, finds the same points. It is not used here: it begins its rings elsewhere, leaves slits
between cells whose corners differ in the last digit, takes four times as long to join cells, and 100 ms to load.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

Point = tuple[float, float]
Ring = tuple[Point, ...]

_DIGITS = 6
# A corner that turns by more than this would have a mitre that runs out into a spike.
_SHARPEST = math.radians(120)


# A round edge is cut as a polygon that leaves it by no more than this, in mm.
FLATNESS = 0.01


def regular(count: int, x: float, y: float, radius: float, inner: float | None = None, turn: float = 0.0) -> Ring:
    """A regular polygon with a corner above its middle, or with ``inner`` a star of so many points; ``turn`` clockwise."""
    radii = (radius,) if inner is None else (radius, inner)
    steps = count * len(radii)
    angles = [math.radians(turn - 90 + 360 * step / steps) for step in range(steps)]
    return tuple(
        (x + radii[step % len(radii)] * math.cos(angle), y + radii[step % len(radii)] * math.sin(angle))
        for step, angle in enumerate(angles)
    )


def ellipse(width: float, height: float) -> Ring:
    """An ellipse in its box from (0, 0), clockwise from its right."""
    radius = max(width, height) / 2
    number = max(24, math.ceil(math.pi / math.acos(1 - FLATNESS / radius)))
    turns = (2 * math.pi * step / number for step in range(number))
    return tuple((width / 2 * (1 + math.cos(turn)), height / 2 * (1 + math.sin(turn))) for turn in turns)


def outlines(cells: Iterable[Sequence[Point]]) -> list[Ring]:
    """The rings around a set of polygons that share whole edges, straight runs merged.

    Corners are compared to a millionth of a millimetre. Cells that touch in one point only keep
    rings of their own there.
    """
    edges: dict[Point, list[Point]] = {}
    owned: set[tuple[Point, Point]] = set()
    for cell in cells:
        corners = [_rounded(point) for point in _clockwise(cell)]
        owned.update(zip(corners, [*corners[1:], corners[0]], strict=True))
    for start, end in owned:
        if (end, start) not in owned:
            edges.setdefault(start, []).append(end)
    rings = []
    for start in sorted(edges):
        while edges[start]:
            rings.append(_straightened(_chain(start, edges)))
    return rings


def _rounded(point: Point) -> Point:
    return round(point[0], _DIGITS) + 0.0, round(point[1], _DIGITS) + 0.0


def _clockwise(cell: Sequence[Point]) -> Sequence[Point]:
    return cell if area(cell) > 0 else cell[::-1]


def area(ring: Sequence[Point]) -> float:
    """Signed area in mm²: positive for rings that run clockwise on the page (y downwards)."""
    ends = zip(ring, [*ring[1:], ring[0]], strict=True)
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in ends) / 2


def within(at: Point, ring: Sequence[Point]) -> bool:
    """Whether a point is inside a ring: a ray from it crosses the ring an odd number of times."""
    x, y = at
    sides = zip(ring, [*ring[1:], ring[0]], strict=True)
    crossed = [x < x0 + (y - y0) / (y1 - y0) * (x1 - x0) for (x0, y0), (x1, y1) in sides if (y0 > y) != (y1 > y)]
    return sum(crossed) % 2 == 1


def _chain(start: Point, edges: dict[Point, list[Point]]) -> list[Point]:
    """Takes edges from the store until the ring closes; where rings touch, turns to stay on its own cell."""
    ring = [start]
    before, here = start, edges[start].pop(0)
    while here != start:
        ring.append(here)
        choices = edges[here]
        choices.sort(key=lambda there: _right_turn(before, here, there))
        before, here = here, choices.pop(0)
    return ring


def _right_turn(before: Point, here: Point, there: Point) -> float:
    """The turn at a point, smallest for the sharpest to the right, which keeps the inside of a clockwise ring its own."""
    came = math.atan2(here[1] - before[1], here[0] - before[0])
    goes = math.atan2(there[1] - here[1], there[0] - here[0])
    return -((goes - came + math.pi) % (2 * math.pi))


def _straightened(ring: list[Point]) -> Ring:
    """Removes the points of a ring that lie on the line between their neighbours."""
    kept = []
    for index, (x, y) in enumerate(ring):
        (x0, y0), (x1, y1) = ring[index - 1], ring[(index + 1) % len(ring)]
        if abs((x - x0) * (y1 - y) - (y - y0) * (x1 - x)) > 1e-6:
            kept.append((x, y))
    return tuple(kept)


def offset(ring: Ring, distance: float) -> Ring:
    """The ring moved outwards by ``distance`` mm, corners mitred, sharp ones clipped at that distance.

    In bays too narrow for it the moved ring crosses itself: fill it by the nonzero rule.
    """
    moved: list[Point] = []
    for index, (x, y) in enumerate(ring):
        (x0, y0), (x1, y1) = ring[index - 1], ring[(index + 1) % len(ring)]
        (ax, ay), (bx, by) = _normal(x0, y0, x, y), _normal(x, y, x1, y1)
        turn = math.atan2(ax * by - ay * bx, ax * bx + ay * by)
        bay = min(math.dist((x0, y0), (x, y)), math.dist((x, y), (x1, y1))) / 2
        if turn > _SHARPEST:
            on = math.tan(turn / 4)
            corners = [(ax - ay * on, ay + ax * on), (bx + by * on, by - bx * on)]
        elif turn < 0 and distance * math.tan(-turn / 2) > bay:
            corners = [(ax, ay), (0.0, 0.0), (bx, by)]
        else:
            share = 1 + ax * bx + ay * by
            corners = [((ax + bx) / share, (ay + by) / share)]
        moved += [(x + distance * across, y + distance * down) for across, down in corners]
    return tuple(moved)


def _normal(x0: float, y0: float, x1: float, y1: float) -> Point:
    """The unit normal to the left of an edge: outwards on a clockwise ring."""
    length = math.hypot(x1 - x0, y1 - y0)
    return (y1 - y0) / length, -(x1 - x0) / length


def smoothed(ring: Ring, reach: float, rounds: int = 3) -> Ring:
    """The ring with each corner cut off ``reach`` mm from it, repeatedly: a coast instead of stairs (Chaikin)."""
    points = list(ring)
    for _ in range(rounds):
        cut: list[Point] = []
        for (x0, y0), (x1, y1) in zip(points, [*points[1:], points[0]], strict=True):
            length = math.hypot(x1 - x0, y1 - y0)
            share = min(reach / length, 0.5) if length else 0.5
            cut += [(x0 + (x1 - x0) * share, y0 + (y1 - y0) * share), (x1 - (x1 - x0) * share, y1 - (y1 - y0) * share)]
        points = cut
        reach /= 2
    return tuple(points)


def path(rings: Iterable[Ring]) -> str:
    """Rings as an SVG path; fill it with the even-odd or the nonzero rule, holes come out either way."""
    return "".join("M" + "L".join(f"{_written(x)} {_written(y)}" for x, y in ring) + "z" for ring in rings)


def _written(value: float) -> str:
    """A number to a thousandth, never -0."""
    return f"{round(value, 3) + 0.0:.10g}"
