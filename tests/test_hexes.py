"""Hexes and outlines against formulas that do not use them."""

from __future__ import annotations

import itertools
import math
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from pnp.shapes import hexes
from pnp.shapes.outline import area, offset, outlines, path, smoothed

cells = st.tuples(st.integers(-9, 9), st.integers(-9, 9))
sizes = st.floats(5, 80)


def cartesian(cell: hexes.Hex, size: float) -> complex:
    """A hex's middle from unit vectors at 0 and 60 degrees, y downwards."""
    return size * (cell[0] + cell[1] * complex(0.5, math.sqrt(3) / 2))


@given(cells, sizes)
def test_centres_are_sums_of_two_unit_vectors(cell: hexes.Hex, size: float) -> None:
    """q steps to the right and r steps 60 degrees below it lead to the middle."""
    x, y = hexes.centre(cell, size)

    assert abs(complex(x, y) - cartesian(cell, size)) < 1e-9 * size * 20


@given(cells, sizes)
def test_corners_are_a_regular_hexagon_with_a_point_on_top(cell: hexes.Hex, size: float) -> None:
    """Six corners at size/√3 from the middle, neighbours equally far apart, the first straight above."""
    middle = complex(*hexes.centre(cell, size))
    ring = [complex(*corner) - middle for corner in hexes.corners(cell, size)]

    assert all(math.isclose(abs(corner), size / math.sqrt(3), rel_tol=1e-9) for corner in ring)
    assert all(math.isclose(abs(a - b), size / math.sqrt(3), rel_tol=1e-9) for a, b in itertools.pairwise(ring))
    assert abs(ring[0] - complex(0, -size / math.sqrt(3))) < 1e-9 * size


@given(cells, st.integers(-12, 12))
def test_turning_keeps_the_distance_and_turns_by_sixths(cell: hexes.Hex, steps: int) -> None:
    """A turned hex lies where the turned middle lies; six steps are none."""
    there = cartesian(hexes.turned(cell, steps), 1)
    expected = cartesian(cell, 1) * complex(math.cos(math.radians(60 * steps)), math.sin(math.radians(60 * steps)))

    assert abs(there - expected) < 1e-9 * 40
    assert hexes.turned(hexes.turned(cell, steps), 6 - steps % 6) == cell


@given(cells, cells)
def test_distance_is_the_fewest_steps_between_neighbours(first: hexes.Hex, second: hexes.Hex) -> None:
    """Breadth-first walking over neighbours needs exactly that many steps."""
    goal = (second[0] - first[0], second[1] - first[1])
    reached, edge, steps = {(0, 0)}, [(0, 0)], 0
    while goal not in reached:
        steps += 1
        edge = [(q + dq, r + dr) for q, r in edge for dq, dr in hexes.NEIGHBOURS]
        edge = [cell for cell in dict.fromkeys(edge) if cell not in reached]
        reached.update(edge)

    assert hexes.distance(first, second) == steps


def test_flowers_on_their_lattice_cover_the_plane_once() -> None:
    """Every hex near the middle lies in exactly one flower."""
    (a, b), (c, d) = hexes.FLOWER_LATTICE
    count = Counter(
        cell
        for i in range(-9, 10)
        for j in range(-9, 10)
        for cell in hexes.shifted(hexes.FLOWER, (a * i + c * j, b * i + d * j))
    )

    assert all(count[q, r] == 1 for q in range(-6, 7) for r in range(-6, 7))


@given(sizes)
def test_the_flower_has_eighteen_edges_and_the_bounds_of_its_formula(size: float) -> None:
    """3 f wide, 2.8868 f high (docs/how-it-works/print.md#hexes), 18 edges, the area of seven hexes."""
    (ring,) = outlines(hexes.corners(cell, size) for cell in hexes.FLOWER)
    box = hexes.bounds(hexes.FLOWER, size)

    assert len(ring) == 18
    assert math.isclose(box.width, 3 * size, rel_tol=1e-6)
    assert math.isclose(box.height, 5 / math.sqrt(3) * size, rel_tol=1e-6)
    assert math.isclose(area(ring), 7 * size**2 * math.sqrt(3) / 2, rel_tol=1e-4)


@settings(deadline=None)
@given(st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=30))
def test_outlines_of_squares_hold_exactly_their_cells(squares: set[tuple[int, int]]) -> None:
    """Signed areas add up to the cells', and the outlines are as long as the cells' outer edges."""
    rings = outlines([(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)] for x, y in squares)
    outer = sum((x + dx, y + dy) not in squares for x, y in squares for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)))

    assert math.isclose(sum(map(area, rings)), len(squares))
    assert math.isclose(
        sum(math.dist(a, b) for ring in rings for a, b in zip(ring, (*ring[1:], ring[0]), strict=True)), outer
    )


@given(sizes, st.floats(0.5, 4))
def test_bleed_goes_on_evenly_beyond_the_outline(size: float, bleed: float) -> None:
    """Every moved edge lies parallel to its own, exactly ``bleed`` further out."""
    (ring,) = outlines(hexes.corners(cell, size * 4) for cell in hexes.FLOWER)
    wider = offset(ring, bleed)
    for (x0, y0), (x1, y1), (u, v) in zip(ring, (*ring[1:], ring[0]), wider, strict=True):
        cross = (x1 - x0) * (v - y0) - (y1 - y0) * (u - x0)
        assert math.isclose(-cross / math.dist((x0, y0), (x1, y1)), bleed, rel_tol=1e-6)


def test_smoothing_stays_inside_the_corners_and_keeps_straight_runs() -> None:
    """A smoothed square loses its corners, keeps the middles of its sides, and never leaves the square."""
    ring = smoothed(((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)), 2)

    assert all(-1e-9 <= x <= 10 + 1e-9 and -1e-9 <= y <= 10 + 1e-9 for x, y in ring)
    assert (0.0, 0.0) not in ring
    # Three rounds take 2 + 1 + 0.5 mm of each side: more than a quarter circle of that radius, less than a slant.
    assert 100 - 4 * 3.5**2 / 2 < area(ring) < 100 - (4 - math.pi) * 3.5**2
    assert {x for x, y in ring if y == 0} == {3.5, 6.5}


def test_a_path_closes_every_ring() -> None:
    """One M and one z for each ring."""
    written = path([((0.0, 0.0), (1.0, 0.0), (1.0, 1.0)), ((2.0, 2.0), (3.0, 2.0), (3.0, 3.0))])

    assert written == "M0 0L1 0L1 1zM2 2L3 2L3 3z"
