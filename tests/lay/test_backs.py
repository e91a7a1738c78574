"""Backs behind their fronts: what a person sees who holds a printed sheet to the light or folds it."""

from __future__ import annotations

import cmath
import math

import pytest
from conftest import examples
from decks import (
    DUPLEX,
    Point,
    corners,
    deck,
    deck_lists,
    faces,
    labels,
    lay,
    lines,
    papers,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp.lay.grid import back_map, find_grid, paper_turn
from pnp.read.presets import paper
from pnp.shapes.affine import Affine, Calibration, Rect, translation
from pnp.values.faces import Deck
from pnp.values.game import Backs, Paper

hundredths = st.integers(1500, 12000).map(lambda number: number / 100)
sizes = st.tuples(hundredths, hundredths)
NO_FOLD = find_grid(paper("a4"), 63, 88, 3, "none")
calibrations = st.builds(Calibration, st.floats(-3, 3), st.floats(-3, 3), st.floats(-2, 2))


def near(one: Point, two: Point, within: float = 0.001) -> bool:
    return math.dist(one, two) <= within


def same(found: Affine, wanted: Affine) -> bool:
    return all(math.isclose(getattr(found, part), getattr(wanted, part), abs_tol=1e-9) for part in "abcdef")


@settings(max_examples=examples(100), deadline=None)
@given(papers, sizes, st.floats(5, 50), st.floats(5, 50))
def test_upright_backs_follow_the_reference(sheet: Paper, size: tuple[float, float], x: float, y: float) -> None:
    """Long edge: x' = W − x − w, y' = y, upright. Short edge: x' = x, y' = H − y − h, on its head.

    By docs/how-it-works/print.md#where-a-back-goes.
    """
    (width, height), front = size, translation(x, y)
    long = back_map(front, paper_turn(sheet, "long-edge", NO_FOLD), width)
    short = back_map(front, paper_turn(sheet, "short-edge", NO_FOLD), width)
    assert same(long, translation(sheet.width - x - width, y))
    # On its head: the face's top left corner is the lower right one of its place.
    assert same(short, Affine(-1, 0, 0, -1, x + width, sheet.height - y))
    assert short.bounds(Rect(0, 0, *size)).y == pytest.approx(sheet.height - y - height)


@settings(max_examples=examples(60), deadline=None)
@given(deck_lists(), papers, st.sampled_from(DUPLEX), calibrations)
def test_calibration_moves_all_backs_and_nothing_else(
    decks: list[Deck], sheet: Paper, backs: Backs, measured: Calibration
) -> None:
    """Backs turn about the page's middle and shift by what was stored; fronts, marks and words stay."""
    plain, moved = lay(decks, sheet, backs).pages, lay(decks, sheet, backs, calibration=measured).pages
    centre = complex(sheet.width / 2, sheet.height / 2)
    turn, shift = cmath.exp(1j * math.radians(measured.angle)), complex(measured.dx, measured.dy)
    for before, after in zip(plain, moved, strict=True):
        assert (labels(before), lines(before)) == (labels(after), lines(after))
        if before.side == "front":
            assert faces(before) == faces(after)
            continue
        for one, two in zip(faces(before), faces(after), strict=True):
            assert (one.name, one.face, one.side, one.clip) == (two.name, two.face, two.side, two.clip)
            for ideal, found in zip(corners(one.matrix, one.face), corners(two.matrix, two.face), strict=True):
                wanted = centre + (complex(*ideal) - centre) * turn + shift
                assert near(found, (wanted.real, wanted.imag), 1e-6)


@pytest.mark.parametrize("backs", ["gutterfold", "none"])
def test_calibration_is_for_the_other_side_of_the_paper(backs: Backs) -> None:
    """A sheet printed on one side has no error between its sides."""
    decks = [deck("a", [5, 2])]
    assert lay(decks, paper("a4"), backs).pages == lay(decks, paper("a4"), backs, calibration=Calibration(1, 2, 0.5)).pages
