"""Hexes and outlines against formulas that do not use them."""

from __future__ import annotations

import math
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from pnp.shapes import hexes
from pnp.shapes.outline import area, offset, outlines

cells = st.tuples(st.integers(-9, 9), st.integers(-9, 9))
sizes = st.floats(5, 80)


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
    middles = [(a * i + c * j, b * i + d * j) for i in range(-9, 10) for j in range(-9, 10)]
    count = Counter(cell for middle in middles for cell in hexes.shifted(hexes.FLOWER, middle))

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
    edges = [edge for ring in rings for edge in zip(ring, (*ring[1:], ring[0]), strict=True)]
    assert math.isclose(sum(math.dist(*edge) for edge in edges), outer)


@given(sizes, st.floats(0.5, 4))
def test_bleed_goes_on_evenly_beyond_the_outline(size: float, bleed: float) -> None:
    """Every moved edge lies parallel to its own, exactly ``bleed`` further out."""
    (ring,) = outlines(hexes.corners(cell, size * 4) for cell in hexes.FLOWER)
    wider = offset(ring, bleed)
    for (x0, y0), (x1, y1), (u, v) in zip(ring, (*ring[1:], ring[0]), wider, strict=True):
        cross = (x1 - x0) * (v - y0) - (y1 - y0) * (u - x0)
        assert math.isclose(-cross / math.dist((x0, y0), (x1, y1)), bleed, rel_tol=1e-6)
