"""Affine maps and rectangles, against formulas of their own: complex numbers, shoelaces, four corners."""

from __future__ import annotations

import cmath
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp.shapes.affine import IDENTITY, Affine, Rect, mirror_x, mirror_y, rotation, scaling, translation

lengths = st.floats(-500, 500)
angles = st.floats(-720, 720)
points = st.tuples(lengths, lengths)
parts = st.floats(-4, 4)
affines = st.builds(Affine, parts, parts, parts, parts, lengths, lengths)
solid = affines.filter(lambda matrix: abs(matrix.determinant) > 0.05)
rects = st.builds(Rect, lengths, lengths, st.floats(0, 300), st.floats(0, 300))


def near(found: tuple[float, float], wanted: tuple[float, float], within: float = 1e-6) -> bool:
    return math.dist(found, wanted) <= within


def area(corners: list[tuple[float, float]]) -> float:
    """Signed area of a polygon by the shoelace formula."""
    following = [*corners[1:], corners[0]]
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(corners, following, strict=True)) / 2


@settings(deadline=None)
@given(affines, affines, points)
def test_a_product_does_its_right_hand_map_first(second: Affine, first: Affine, point: tuple[float, float]) -> None:
    """``second @ first`` takes a point through first, then second."""
    assert near((second @ first).point(*point), second.point(*first.point(*point)))


@settings(deadline=None)
@given(affines, affines, affines, points)
def test_products_are_associative_with_an_identity(
    one: Affine, two: Affine, three: Affine, point: tuple[float, float]
) -> None:
    """Brackets and the identity do not matter; the order may."""
    assert near(((one @ two) @ three).point(*point), (one @ (two @ three)).point(*point))
    assert (one @ IDENTITY).point(*point) == (IDENTITY @ one).point(*point) == one.point(*point)


@settings(deadline=None)
@given(solid, points)
def test_an_inverse_leads_back(matrix: Affine, point: tuple[float, float]) -> None:
    """Through a map and its inverse, in either order, a point comes home."""
    assert near(matrix.inverse().point(*matrix.point(*point)), point, 1e-5)
    assert near(matrix.point(*matrix.inverse().point(*point)), point, 1e-5)


def test_a_map_that_flattens_has_no_inverse() -> None:
    """A plane pressed onto a line cannot be brought back."""
    with pytest.raises(ZeroDivisionError):
        scaling(1, 0).inverse()


@settings(deadline=None)
@given(affines)
def test_a_determinant_is_the_growth_of_area(matrix: Affine) -> None:
    """The image of a unit square has the determinant as its signed area."""
    square = [matrix.point(*corner) for corner in ((0, 0), (1, 0), (1, 1), (0, 1))]
    assert math.isclose(area(square), matrix.determinant, abs_tol=1e-6)


@settings(deadline=None)
@given(angles, points, points)
def test_a_rotation_is_a_multiplication_of_complex_numbers(
    degrees: float, about: tuple[float, float], point: tuple[float, float]
) -> None:
    """On a page with y downwards, turning clockwise is multiplying by e^(iθ) around the middle."""
    centre = complex(*about)
    wanted = centre + (complex(*point) - centre) * cmath.exp(1j * math.radians(degrees))
    assert near(rotation(degrees, *about).point(*point), (wanted.real, wanted.imag))


def test_positive_degrees_turn_clockwise_on_the_page() -> None:
    """A quarter turn brings the top of the page to its right: north (y up is negative) becomes east."""
    assert rotation(90).point(0, -1) == (1, 0)


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
@given(points, points, points)
def test_translation_and_scaling_do_what_they_say(
    shift: tuple[float, float], factors: tuple[float, float], point: tuple[float, float]
) -> None:
    """One adds, the other multiplies."""
    assert translation(*shift).point(*point) == (point[0] + shift[0], point[1] + shift[1])
    assert scaling(*factors).point(*point) == (point[0] * factors[0], point[1] * factors[1])


@settings(deadline=None)
@given(affines, rects)
def test_bounds_hold_all_four_corners_and_touch_them(matrix: Affine, rect: Rect) -> None:
    """The upright rectangle around a mapped one is as small as its corners allow."""
    bounds = matrix.bounds(rect)
    corners = [matrix.point(x, y) for x in (rect.x, rect.right) for y in (rect.y, rect.bottom)]
    for at, (low, high) in enumerate(((bounds.x, bounds.right), (bounds.y, bounds.bottom))):
        assert math.isclose(min(corner[at] for corner in corners), low, abs_tol=1e-6)
        assert math.isclose(max(corner[at] for corner in corners), high, abs_tol=1e-6)


@settings(deadline=None)
@given(rects, st.floats(-20, 20), st.floats(-20, 20), st.floats(-20, 20), st.floats(-20, 20))
def test_a_grown_rectangle_moves_each_edge_outwards(
    rect: Rect, left: float, top: float, right: float, bottom: float
) -> None:
    """Each side moves by its own amount; negative amounts move it inwards."""
    grown = rect.grown(left, top, right, bottom)
    assert near((grown.x, grown.y), (rect.x - left, rect.y - top))
    assert near((grown.right, grown.bottom), (rect.right + right, rect.bottom + bottom))
