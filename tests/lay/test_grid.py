"""How many pieces a sheet takes, and where: counted here in whole hundredths of a millimetre."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from conftest import examples
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from pnp.lay.grid import Grid, TooLarge, find_grid
from pnp.read.presets import card_size, paper
from pnp.shapes.affine import Rect
from pnp.values.game import Backs, Paper

PAPERS = [paper(name) for name in ("a4", "letter", "a3", "legal", "tabloid")]
WAYS: tuple[Backs, ...] = ("long-edge", "short-edge", "none", "gutterfold")

# docs/how-it-works/print.md#what-a-printer-reaches: a quarter of an inch is safe for pieces; 8.5 mm where
# the slug line is; 5 mm beside a fold.
EDGE, SLUG_EDGE, FOLD = Fraction("6.35"), Fraction("8.5"), Fraction(5)

hundredths = st.integers(1500, 16000).map(lambda number: number / 100)
sizes = st.one_of(st.tuples(hundredths, hundredths), st.sampled_from(["tcg", "poker", "tarot", "micro"]).map(card_size))
free = st.tuples(st.integers(100, 500), st.integers(100, 500)).map(
    lambda size: Paper("free", float(min(size)), float(max(size)))
)
papers = st.one_of(st.sampled_from(PAPERS), free)
bleeds = st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.0, 3.175, 5.0])
ways = st.sampled_from(WAYS)


def exact(number: float) -> Fraction:
    """A length without the rounding of floats."""
    return Fraction(round(number * 10000), 10000)


def areas(sheet: Paper, backs: Backs) -> list[tuple[Fraction, Fraction]]:
    """Width and height that pieces may have together, with the slug line at the bottom or at the left."""
    width, height = exact(sheet.width), exact(sheet.height)
    if backs == "gutterfold":
        return [(width - 2 * EDGE, height / 2 - FOLD - SLUG_EDGE), (width / 2 - FOLD - SLUG_EDGE, height - 2 * EDGE)]
    return [(width - 2 * EDGE, height - EDGE - SLUG_EDGE), (width - EDGE - SLUG_EDGE, height - 2 * EDGE)]


def fillings(sheet: Paper, size: tuple[float, float], bleed: float, backs: Backs) -> list[tuple[int, Fraction]]:
    """(pieces, bleed between them) for each area and for pieces upright and turned."""
    found = []
    for area_width, area_height in areas(sheet, backs):
        for width, height in (tuple(map(exact, size)), tuple(map(exact, reversed(size)))):
            columns, rows = area_width // width, area_height // height
            if columns >= 1 and rows >= 1:
                room = min(area_width / columns - width, area_height / rows - height) / 2
                inner = min(exact(bleed), Fraction(math.floor(room * 10), 10))
                useful = inner >= min(1, exact(bleed)) and columns * rows > 1
                found.append((columns * rows, inner if useful else Fraction(0)))
    return found


def overlap(one: Rect, two: Rect) -> float:
    """Depth of the common part of two rectangles; not positive when they are apart or touch."""
    across = min(one.right, two.right) - max(one.x, two.x)
    down = min(one.bottom, two.bottom) - max(one.y, two.y)
    return min(across, down)


def laid(sheet: Paper, size: tuple[float, float], bleed: float, backs: Backs) -> Grid:
    try:
        return find_grid(sheet, *size, bleed, backs)
    except TooLarge:
        assume(False)
        raise


def cells(grid: Grid) -> list[Rect]:
    return [grid.cell(index) for index in range(grid.capacity)]


def inks(grid: Grid) -> list[Rect]:
    return [grid.inked(index) for index in range(grid.capacity)]


@settings(max_examples=examples(300), deadline=None)
@given(papers, sizes, bleeds, ways)
@example(PAPERS[1], (63.5, 88.9), 3.0, "long-edge")  # three rows of poker cards fill Letter to the hundredth
@example(PAPERS[1], (31.75, 44.45), 3.0, "none")
def test_a_sheet_takes_as_many_as_fit_with_as_much_bleed(
    sheet: Paper, size: tuple[float, float], bleed: float, backs: Backs
) -> None:
    """Most pieces first, then most bleed; TooLarge is raised exactly when not one piece fits."""
    wanted = max(fillings(sheet, size, bleed, backs), default=None)
    if wanted is None:
        with pytest.raises(TooLarge):
            find_grid(sheet, *size, bleed, backs)
        return
    grid = find_grid(sheet, *size, bleed, backs)
    assert grid.capacity == grid.columns * grid.rows == wanted[0]
    assert math.isclose(grid.bleed, wanted[1], abs_tol=1e-9)


@settings(max_examples=examples(200), deadline=None)
@given(papers, sizes, bleeds, ways)
@example(PAPERS[0], (60.0, 60.0), 3.0, "long-edge")
@example(PAPERS[0], (120.0, 160.0), 3.0, "long-edge")
def test_a_piece_is_turned_only_for_more_pieces_or_more_bleed(
    sheet: Paper, size: tuple[float, float], bleed: float, backs: Backs
) -> None:
    """Upright is how a sheet is read and cut with least thought: what turning does not better stays as it was drawn."""
    grid = laid(sheet, size, bleed, backs)
    try:
        upright = find_grid(sheet, *size, bleed, backs, upright=True)
    except TooLarge:
        assert grid.turned
        return
    assert not upright.turned
    assert grid.turned == ((grid.capacity, grid.bleed) > (upright.capacity, upright.bleed))


@pytest.mark.parametrize(
    ("size", "band"),
    [
        ((120, 200), "bottom"),  # 48.5 mm below the block, 45 beside it: room enough at either
        ((195, 100), "bottom"),  # 48.5 mm below, 7.5 beside
        ((100, 280), "left"),  # 8.5 mm below, 55 beside
        ((186, 272), "bottom"),  # 12.5 mm below, 12 beside
        ((184, 274), "left"),  # 11.5 mm below, 13 beside
        ((150, 270.6), "bottom"),  # 13.2 mm below, 30 beside
        ((150, 271.4), "left"),  # 12.8 mm below, 30 beside
    ],
)
def test_the_slug_line_stands_where_there_is_more_room(size: tuple[float, float], band: str) -> None:
    """Marks and slug line have their full size in 13 mm; where both sides of A4 have so much, it stands at the bottom."""
    grid = find_grid(paper("a4"), *size, 0, "none")
    assert (grid.turned, grid.band) == (False, band)


def bleed_is_never_more_than_wanted(sheet: Paper, size: tuple[float, float], bleed: float, backs: Backs) -> None:
    """Ink goes beyond each edge of a trim by nothing to the wanted bleed, and between pieces by the grid's."""
    grid = laid(sheet, size, bleed, backs)
    for cell, ink in zip(cells(grid), inks(grid), strict=True):
        beyond = (cell.x - ink.x, cell.y - ink.y, ink.right - cell.right, ink.bottom - cell.bottom)
        assert all(-1e-9 <= amount <= bleed + 1e-9 for amount in beyond)
        assert all(amount >= grid.bleed - 1e-9 for amount in beyond)


def neighbours_share_a_cut_line_exactly_without_bleed(
    sheet: Paper, size: tuple[float, float], bleed: float, backs: Backs
) -> None:
    """Shared: the trims touch. Otherwise two bleeds lie between them, at least a millimetre each."""
    grid = laid(sheet, size, bleed, backs)
    gaps = [two.x - one.right for one, two in zip(cells(grid), cells(grid)[1:], strict=False) if one.y == two.y]
    gaps += [
        two.y - one.bottom for one, two in zip(cells(grid), cells(grid)[grid.columns :], strict=False) if one.x == two.x
    ]
    if grid.shared_cuts:
        assert all(abs(gap) < 1e-6 for gap in gaps)
    else:
        assert gaps or grid.capacity == 1
        assert all(gap >= 2 * min(bleed, 1) - 1e-6 for gap in gaps)
        assert all(math.isclose(gap, 2 * grid.bleed, abs_tol=1e-6) for gap in gaps)


@settings(max_examples=examples(300), deadline=None)
@given(papers, sizes, bleeds, ways)
def test_grids_are_sound(sheet: Paper, size: tuple[float, float], bleed: float, backs: Backs) -> None:
    """All that is promised of a grid, on the same one."""
    for check in (
        bleed_is_never_more_than_wanted,
        neighbours_share_a_cut_line_exactly_without_bleed,
    ):
        check(sheet, size, bleed, backs)


# docs/how-it-works/print.md#how-many-fit, A4 and Letter, checked by hand for a slug band of 8.5 mm on one side.
# One entry differs: 12 business cards fill Letter's printable area to both edges (4 x 50.8 = 203.2 wide,
# 3 x 88.9 = 266.7 high) and leave no band; without it 2 x 5 fit.
TABLE = {
    "tcg": (9, 9), "poker": (9, 9), "bridge": (9, 9), "standard-us": (10, 9), "standard-euro": (9, 8),
    "mini-euro": (16, 12), "mini-us": (18, 18), "mini": (18, 18), "micro": (36, 36), "tarot": (4, 4),
    "square-70": (8, 6), "square-small": (12, 12), "business": (10, 10), "jumbo": (4, 3),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLE)
def test_known_cards_come_in_known_numbers(name: str) -> None:
    """The capacities of A4 and Letter are those of the reference's table."""
    found = tuple(find_grid(paper(sheet), *card_size(name), 3, "long-edge").capacity for sheet in ("a4", "letter"))
    assert found == TABLE[name]


@pytest.mark.parametrize(("name", "a4", "letter"), [("tcg", 4, 4), ("bridge", 4, 4), ("tarot", 2, 2)])
def test_gutterfold_takes_half(name: str, a4: int, letter: int) -> None:
    """docs/how-it-works/print.md#gutterfold: four cards or two tarots with their backs on one side of a sheet."""
    assert find_grid(paper("a4"), *card_size(name), 2, "gutterfold").capacity == a4
    assert find_grid(paper("letter"), *card_size(name), 2, "gutterfold").capacity == letter


def test_too_large_names_the_piece_and_the_paper() -> None:
    """The message says what does not fit on what, and that nothing is scaled."""
    with pytest.raises(TooLarge, match=r"250 × 350 mm does not fit on letter \(215\.9 × 279\.4 mm\) at 100 %"):
        find_grid(paper("letter"), 250, 350, 3, "none")
