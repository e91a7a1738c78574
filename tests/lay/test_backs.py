"""Backs behind their fronts: what a person sees who holds a printed sheet to the light or folds it."""

from __future__ import annotations

import cmath
import math

import pytest
from conftest import examples
from decks import (
    DUPLEX,
    Point,
    bleeds,
    corners,
    deck,
    deck_lists,
    faces,
    labels,
    lay,
    lines,
    papers,
    through_paper,
)
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pnp.lay.grid import Grid, TooLarge, back_map, find_grid, paper_turn
from pnp.read.presets import paper
from pnp.shapes.affine import Affine, Calibration, Rect, rotation, translation
from pnp.values.faces import Deck
from pnp.values.game import Backs, Paper

hundredths = st.integers(1500, 12000).map(lambda number: number / 100)
sizes = st.tuples(hundredths, hundredths)
NO_FOLD = find_grid(paper("a4"), 63, 88, 3, "none")
with_backs = st.sampled_from(["long-edge", "short-edge", "gutterfold"])
calibrations = st.builds(Calibration, st.floats(-3, 3), st.floats(-3, 3), st.floats(-2, 2))


def near(one: Point, two: Point, within: float = 0.001) -> bool:
    return math.dist(one, two) <= within


def grid_for(sheet: Paper, size: tuple[float, float], bleed: float, backs: Backs) -> Grid:
    try:
        return find_grid(sheet, *size, bleed, backs)
    except TooLarge:
        assume(False)
        raise


def back_of(grid: Grid, index: int, sheet: Paper, size: tuple[float, float], backs: Backs) -> Affine:
    return back_map(grid.front(index), paper_turn(sheet, backs, grid), size[0])


def a_back_lies_behind_its_front(sheet: Paper, size: tuple[float, float], bleed: float, backs: Backs) -> None:
    """Through the paper each corner of the back meets the front's corner beside it, as on a card turned in the hand."""
    grid = grid_for(sheet, size, bleed, backs)
    width, height = size
    for index in range(grid.capacity):
        front, back = grid.front(index), back_of(grid, index, sheet, size, backs)
        for x, y in ((0, 0), (width, 0), (0, height), (width, height), (width / 3, height / 7)):
            seen = through_paper(back.point(x, y), sheet, backs, grid.fold)
            assert near(seen, front.point(width - x, y))


def a_back_is_not_mirror_written(sheet: Paper, size: tuple[float, float], bleed: float, backs: Backs) -> None:
    """A back's map turns and shifts, and that is all: its determinant is +1 and its axes have length 1."""
    grid = grid_for(sheet, size, bleed, backs)
    for index in range(grid.capacity):
        back = back_of(grid, index, sheet, size, backs)
        assert back.determinant == 1
        assert math.hypot(back.a, back.b) == 1


def turning_twice_is_not_turning(sheet: Paper, size: tuple[float, float], bleed: float, backs: Backs) -> None:
    """The back of the back is the front."""
    grid = grid_for(sheet, size, bleed, backs)
    turn = paper_turn(sheet, backs, grid)
    for index in range(grid.capacity):
        front = grid.front(index)
        again = back_map(back_map(front, turn, size[0]), turn, size[0])
        assert all(math.isclose(getattr(again, part), getattr(front, part), abs_tol=1e-9) for part in "abcdef")


@settings(max_examples=examples(200), deadline=None)
@given(papers, sizes, bleeds, with_backs)
def test_backs_meet_their_fronts(sheet: Paper, size: tuple[float, float], bleed: float, backs: Backs) -> None:
    """All that is promised of where a back lies, on the same grid."""
    for check in (
        a_back_lies_behind_its_front,
        a_back_is_not_mirror_written,
        turning_twice_is_not_turning,
    ):
        check(sheet, size, bleed, backs)


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


@settings(max_examples=examples(100), deadline=None)
@given(papers, sizes, st.floats(5, 50), st.floats(5, 50))
def test_turned_backs_keep_their_place_and_their_top(sheet: Paper, size: tuple[float, float], x: float, y: float) -> None:
    """A front whose top points right: turned like a book its back's top points left, like a calendar right."""
    width, height = size
    front = translation(x + height, y) @ rotation(90)
    assert near(front.point(0, 0), (x + height, y))
    long = back_map(front, paper_turn(sheet, "long-edge", NO_FOLD), width)
    short = back_map(front, paper_turn(sheet, "short-edge", NO_FOLD), width)
    assert same(long, Affine(0, -1, 1, 0, sheet.width - x - height, y + width))
    assert same(short, Affine(0, 1, -1, 0, x + height, sheet.height - y - width))
