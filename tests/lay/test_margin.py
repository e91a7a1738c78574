"""A margin that a person chose: pieces keep it, and the slug line stays where it can be printed.

That marks keep off the pieces and are long enough is held in test_marks.py, for any margin.
"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from conftest import TinyProject, examples
from decks import PAPERS, RULER, WAYS, deck, faces, labels, lay, trim
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from pnp.lay.grid import TooLarge, find_grid, registration_marks, split
from pnp.read.presets import card_size, paper
from pnp.shapes.units import PT_PER_MM
from pnp.values.faces import Page
from pnp.values.game import LEAST_MARGIN, MARGIN, MOST_MARGIN, Backs, Paper

margins = st.one_of(
    st.sampled_from([LEAST_MARGIN, 4.0, 5.0, MARGIN, MARGIN + 0.01, 10.0, MOST_MARGIN]),
    st.floats(LEAST_MARGIN, MOST_MARGIN).map(lambda margin: round(margin, 2)),
)
hundredths = st.integers(1500, 15000).map(lambda number: number / 100)
sizes = st.one_of(st.tuples(hundredths, hundredths), st.sampled_from(["business", "mini-us", "tcg"]).map(card_size))
papers = st.builds(lambda sheet, margin: replace(sheet, margin=margin), st.sampled_from(PAPERS), margins)
ways = st.sampled_from(WAYS)
# Three rows of four business cards are as wide as Letter within margins of 4 mm: 266.7 mm, with 8.5 for the slug line.
FULL = replace(paper("letter"), margin=4.0), card_size("business"), "long-edge"


def printed(sheet: Paper, size: tuple[float, float], backs: Backs) -> list[Page]:
    """The pages of forty pieces."""
    try:
        return lay([deck("some", [40], size, 3)], sheet, backs)
    except TooLarge:
        assume(False)
        raise


@settings(max_examples=examples(100), deadline=None)
@given(papers, sizes, ways)
@example(*FULL)
def test_ink_of_pieces_keeps_the_margin(sheet: Paper, size: tuple[float, float], backs: Backs) -> None:
    """On all four sides, fronts and backs."""
    for page in printed(sheet, size, backs):
        for placed in faces(page):
            ink = placed.matrix.bounds(placed.clip)
            assert ink.x >= sheet.margin - 1e-6 and ink.right <= sheet.width - sheet.margin + 1e-6
            assert ink.y >= sheet.margin - 1e-6 and ink.bottom <= sheet.height - sheet.margin + 1e-6


@settings(max_examples=examples(100), deadline=None)
@given(papers, sizes, ways)
@example(*FULL)
@example(replace(paper("letter"), margin=6.36), card_size("mini-us"), "long-edge")
@example(replace(paper("letter"), margin=3.5), card_size("mini-us"), "short-edge")
def test_the_slug_line_is_printed_and_on_no_piece(sheet: Paper, size: tuple[float, float], backs: Backs) -> None:
    """As near to the edge as ever where pieces come as near as that or nearer, else no nearer than they; one line or two."""
    least = min(4.0, sheet.margin) if sheet.margin <= MARGIN else sheet.margin
    for page in printed(sheet, size, backs):
        away = []
        for slug in (label for label in labels(page) if label.text != RULER):
            em = slug.size_pt / PT_PER_MM
            near, far = (slug.y, sheet.height) if slug.turn == 0 else (slug.x, sheet.width)
            # From above the letters to below them, across the line.
            above, below = near - 0.72 * em, near + 0.21 * em
            away.append(min(above, far - below))
            for box in map(trim, faces(page)):
                start, end = (box.y, box.bottom) if slug.turn == 0 else (box.x, box.right)
                assert below < start or above > end
        assert least - 0.01 <= min(away) <= least + 1


@pytest.mark.parametrize(
    ("name", "sheet", "margin", "before", "now"),
    [
        ("mini-us", "a4", 5, 18, 21),
        ("mini-us", "letter", 5, 18, 20),
        ("mini-euro", "letter", 5.5, 12, 18),
        ("business", "letter", 4, 10, 12),
        ("business", "a4", 3, 10, 12),
        ("bridge", "a4", 5.5, 9, 10),
    ],
)
def test_what_a_narrower_margin_gains(name: str, sheet: str, margin: float, before: int, now: int) -> None:
    """docs/how-it-works/print.md#how-many-fit: the sizes that gain, each at the widest margin that brings them."""
    usual = paper(sheet)
    assert find_grid(usual, *card_size(name), 3, "long-edge").capacity == before
    tight = find_grid(replace(usual, margin=margin), *card_size(name), 3, "long-edge")
    assert tight.capacity == now


def test_what_a_wide_margin_leaves_no_room_for_is_told_so(tiny: TinyProject) -> None:
    """With the margin that was asked for, and that a narrower one may do; nothing is written."""
    config = (tiny.game / "game.toml").read_text()
    tiny.write("content/tiny/game.toml", re.sub(r'(?m)^size = ".*"$', 'size = "180mm x 240mm"', config))
    assert tiny.build(papers=("a4",)).ok
    (problem,) = tiny.build(papers=("a4",), margin=20.0).problems.errors

    assert problem.rule == "piece-too-large"
    assert "inside a margin of 20 mm" in problem.message and "a narrower --margin or a larger paper" in problem.hint


def test_centimetres_for_millimetres_are_told(tiny: TinyProject) -> None:
    """Who wrote 63cm x 88cm needs no larger paper."""
    config = (tiny.game / "game.toml").read_text()
    tiny.write("content/tiny/game.toml", config.replace('size = "tcg"', 'size = "63cm x 88cm"'))
    (problem,) = tiny.build(papers=("a4",)).problems.errors

    assert problem.rule == "piece-too-large" and problem.hint.startswith("Did you mean 63 x 88 mm?")


@given(papers, st.floats(50, 900), st.floats(50, 900))
@settings(max_examples=examples(60), deadline=None)
def test_boards_in_parts_keep_it(sheet: Paper, width: float, height: float) -> None:
    """With the room of the slug line on every side."""
    for tile in split(sheet, width, height, 0, 3, "glue").tiles:
        shown = tile.matrix.bounds(tile.inked)
        assert min(shown.x, shown.y, sheet.width - shown.right, sheet.height - shown.bottom) >= sheet.margin


@given(papers)
@settings(max_examples=examples(40), deadline=None)
def test_registration_marks_keep_a_wide_one(sheet: Paper) -> None:
    """They lie 10 mm from the edges, and farther where the printer reaches no nearer."""
    marks = registration_marks(sheet)
    edges = [edge for line in marks for edge in (line.x1, line.y1, sheet.width - line.x2, sheet.height - line.y2)]
    assert min(edges) == pytest.approx(max(10, sheet.margin))


@settings(max_examples=examples(100), deadline=None)
@given(st.sampled_from(PAPERS), sizes, ways, margins, margins)
def test_a_narrower_margin_never_takes_fewer(
    sheet: Paper, size: tuple[float, float], backs: Backs, one: float, other: float
) -> None:
    """What fits within a wide margin fits within a narrow one."""
    narrow, wide = (replace(sheet, margin=margin) for margin in sorted((one, other)))
    try:
        wanted = find_grid(wide, *size, 3, backs).capacity
    except TooLarge:
        return
    assert find_grid(narrow, *size, 3, backs).capacity >= wanted
