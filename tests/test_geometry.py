"""Affine maps and rectangles, against formulas of their own: complex numbers, shoelaces, four corners."""

from __future__ import annotations

import cmath
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp.shapes.affine import mirror_x, mirror_y, rotation

lengths = st.floats(-500, 500)
angles = st.floats(-720, 720)
points = st.tuples(lengths, lengths)


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
