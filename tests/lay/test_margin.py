"""A margin that a person chose: the slug line stays where it can be printed, and what does not fit is told.

That pieces and marks keep to it is held in test_sheets.py and test_marks.py, for any margin.
"""

from __future__ import annotations

import re
from dataclasses import replace

from conftest import TinyProject, examples
from decks import PAPERS, RULER, WAYS, deck, label_box, labels, lay
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from pnp.lay.grid import TooLarge, find_grid, split
from pnp.read.presets import card_size, paper
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
        return lay([deck("some", [40], size, 3)], sheet, backs).pages
    except TooLarge:
        assume(False)
        raise


@settings(max_examples=examples(100), deadline=None)
@given(papers, sizes, ways)
@example(*FULL)
@example(replace(paper("letter"), margin=6.36), card_size("mini-us"), "long-edge")
@example(replace(paper("letter"), margin=3.5), card_size("mini-us"), "short-edge")
def test_the_slug_line_is_printed(sheet: Paper, size: tuple[float, float], backs: Backs) -> None:
    """As near to the edge as ever where pieces come as near as that or nearer, else no nearer than they; one line or two."""
    least = min(4.0, sheet.margin) if sheet.margin <= MARGIN else sheet.margin
    for page in printed(sheet, size, backs):
        away = []
        for slug in (label for label in labels(page) if label.text != RULER):
            box, upright = label_box(slug), slug.turn != 0
            start, end, far = (box.x, box.right, sheet.width) if upright else (box.y, box.bottom, sheet.height)
            away.append(min(start, far - end))
        assert least - 0.01 <= min(away) <= least + 1


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
