"""Affine maps and rectangles, against formulas of their own: complex numbers, shoelaces, four corners."""

from __future__ import annotations

import cmath
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp.shapes.affine import Affine, Rect, mirror_x, mirror_y, rotation

lengths = st.floats(-500, 500)
angles = st.floats(-720, 720)
points = st.tuples(lengths, lengths)


parts = st.floats(-4, 4)
affines = st.builds(Affine, parts, parts, parts, parts, lengths, lengths)
solid = affines.filter(lambda matrix: abs(matrix.determinant) > 0.05)
rects = st.builds(Rect, lengths, lengths, st.floats(0, 300), st.floats(0, 300))


def near(found: tuple[float, float], wanted: tuple[float, float], within: float = 1e-6) -> bool:
    return math.dist(found, wanted) <= within


@settings(deadline=None)
@given(angles, points, points)
def test_a_rotation_is_a_multiplication_of_complex_numbers(
    degrees: float, about: tuple[float, float], point: tuple[float, float]
) -> None:
    """On a page with y downwards, turning clockwise is multiplying by e^(iθ) around the middle."""
    centre = complex(*about)
    wanted = centre + (complex(*point) - centre) * cmath.exp(1j * math.radians(degrees))
    assert near(rotation(degrees, *about).point(*point), (wanted.real, wanted.imag))


@pytest.mark.parametrize("degrees", [0, 90, 180, 270, 360, 450, -90, -180])
def test_quarter_turns_have_no_rounding_error(degrees: int) -> None:
    """A turned card lies exactly on its cut lines: nothing but 0, 1 and −1 in the matrix."""
    turn = rotation(degrees)
    quarters = degrees // 90 % 4
    assert (turn.a, turn.b) == [(1, 0), (0, 1), (-1, 0), (0, -1)][quarters]
    assert (turn.c, turn.d) == (-turn.b, turn.a)


@settings(deadline=None)
@given(lengths, points)
def test_mirrors_exchange_the_sides_and_undo_themselves(about: float, point: tuple[float, float]) -> None:
    """The line stays halfway between a point and its image, the other coordinate stays, twice is once too often."""
    x, y = point
    assert mirror_x(about).point(x, y) == (2 * about - x, y)
    assert mirror_y(about).point(x, y) == (x, 2 * about - y)
    for mirror in (mirror_x(about), mirror_y(about)):
        assert mirror.determinant == -1
        assert near(mirror.point(*mirror.point(x, y)), point)


@settings(deadline=None)
@given(affines, affines, points)
def test_a_product_does_its_right_hand_map_first(second: Affine, first: Affine, point: tuple[float, float]) -> None:
    """``second @ first`` takes a point through first, then second."""
    assert near((second @ first).point(*point), second.point(*first.point(*point)))


@settings(deadline=None)
@given(solid, points)
def test_an_inverse_leads_back(matrix: Affine, point: tuple[float, float]) -> None:
    """Through a map and its inverse, in either order, a point comes home."""
    assert near(matrix.inverse().point(*matrix.point(*point)), point, 1e-5)
    assert near(matrix.point(*matrix.inverse().point(*point)), point, 1e-5)


@settings(deadline=None)
@given(affines, rects)
def test_bounds_hold_all_four_corners_and_touch_them(matrix: Affine, rect: Rect) -> None:
    """The upright rectangle around a mapped one is as small as its corners allow."""
    bounds = matrix.bounds(rect)
    corners = [matrix.point(x, y) for x in (rect.x, rect.right) for y in (rect.y, rect.bottom)]
    for at, (low, high) in enumerate(((bounds.x, bounds.right), (bounds.y, bounds.bottom))):
        assert math.isclose(min(corner[at] for corner in corners), low, abs_tol=1e-6)
        assert math.isclose(max(corner[at] for corner in corners), high, abs_tol=1e-6)
