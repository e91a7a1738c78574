"""Crop marks, fold, ruler and slug line on finished pages: where to cut, and never on a piece, within whatever margin."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from itertools import combinations

import pytest
from conftest import TinyProject, examples
from decks import PAPERS, RULER, WAYS, apart, deck, faces, fold_of, label_box, labels, lay, line_box, lines, trim
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from pnp.lay.grid import TooLarge, find_grid
from pnp.read.presets import card_size, paper
from pnp.shapes.affine import Rect
from pnp.values.faces import Line, Page
from pnp.values.game import LEAST_MARGIN, MARGIN, MOST_MARGIN, Backs, Paper
from pnp.write.pdf import HALO

hundredths = st.integers(1500, 15000).map(lambda number: number / 100)
sizes = st.one_of(
    st.tuples(hundredths, hundredths),
    st.sampled_from([(63.0, 88.0), (63.5, 88.9), (90.0, 60.0), (98.6, 141.0), (65.7, 93.9), (60.0, 134.9)]),
)
free = st.tuples(st.integers(90, 400), st.integers(90, 400)).map(
    lambda size: Paper("free", float(min(size)), float(max(size)))
)
margins = st.one_of(st.just(MARGIN), st.sampled_from([3.0, 4.0, 4.7, 5.5, 8.0, 12.7, 25.0]))
papers = st.builds(lambda sheet, margin: replace(sheet, margin=margin), st.one_of(st.sampled_from(PAPERS), free), margins)
bleeds = st.sampled_from([0.0, 1.0, 2.0, 3.0])


# Full sheets whose pieces fill the paper to within a fraction of a millimetre.
TIGHT: list[tuple[tuple[float, float], str, Backs]] = [
    ((98.6, 141.0), "a4", "short-edge"),  # 197.2 x 282, the slug line below
    ((97.5, 142.1), "a4", "long-edge"),  # 195 x 284.2, the slug line at the left
    ((63.5, 88.9), "letter", "long-edge"),
    ((98.6, 134.9), "a4", "gutterfold"),  # up to a level fold
    ((91.4, 142.1), "a4", "gutterfold"),  # up to an upright one
]


@st.composite
def any_files(draw: st.DrawFn) -> list[Page]:
    """The pages of one deck on any paper in any way, the last sheet full or partly filled."""
    try:
        return lay(
            [deck("some", [draw(st.integers(1, 12))], draw(sizes), draw(bleeds))],
            draw(papers),
            draw(st.sampled_from(WAYS)),
        ).pages
    except TooLarge:
        assume(False)
        raise


tight_files = [
    lay([deck("some", [37], size, bleed)], paper(sheet), backs).pages for size, sheet, backs in TIGHT for bleed in (0, 3)
]
# Twelve business cards fill Letter from margin to margin.
tight_files.append(lay([deck("some", [24], (88.9, 50.8), 3)], replace(paper("letter"), margin=4.0), "long-edge").pages)
# The third lies turned below two others with the least room around it.
tight_files.append(lay([deck("some", [3], (98.6, 141.0), 0)], paper("letter"), "long-edge").pages)
files = st.one_of(any_files(), st.sampled_from(tight_files))


def cuts(page: Page) -> list[Line]:
    """The marks to cut along: they have a white halo, to show on any ink."""
    return [line for line in lines(page) if line.halo]


def length(line: Line) -> float:
    return math.dist((line.x1, line.y1), (line.x2, line.y2))


def stroke(line: Line) -> Rect:
    """What a level or upright line covers, its halo included."""
    return line_box(line, HALO if line.halo else 0.0)


def nothing_is_drawn_on_a_piece(pages: list[Page]) -> None:
    """No mark with its halo, no ruler, fold or word reaches into the trim of any piece, on fronts and on backs."""
    for page in pages:
        drawn = [stroke(line) for line in lines(page)] + [label_box(label) for label in labels(page)]
        for placed in faces(page):
            assert all(apart(trim(placed), box) >= -0.02 for box in drawn)


def every_mark_continues_the_edge_of_a_piece(pages: list[Page]) -> None:
    """Whoever cuts along a mark cuts along a trim, to a hundredth of a millimetre."""
    for page in pages:
        trims = [trim(placed) for placed in faces(page)]
        xs = [x for box in trims for x in (box.x, box.right)]
        ys = [y for box in trims for y in (box.y, box.bottom)]
        for line in cuts(page):
            assert (line.x1 == line.x2) != (line.y1 == line.y2)
            edges, at = (xs, line.x1) if line.x1 == line.x2 else (ys, line.y1)
            assert min(abs(edge - at) for edge in edges) < 0.01


def every_edge_has_marks_at_both_ends(pages: list[Page]) -> None:
    """Left and right of all pieces that a level cut meets, above and below those of an upright one; both sides of a fold."""
    for page in pages:
        if page.side == "back":
            continue
        for side in ("front", "back"):
            trims = [trim(placed) for placed in faces(page) if placed.side == side]
            for box in trims:
                # What lies beyond the grid is parted from it by a straight cut first.
                alike = [each for each in trims if math.isclose(each.width, box.width)]
                for x in (box.x, box.right):
                    met = [each for each in alike if each.x - 0.01 <= x <= each.right + 0.01]
                    found = [line for line in cuts(page) if line.x1 == line.x2 and abs(line.x1 - x) < 0.01]
                    assert any(max(line.y1, line.y2) <= min(each.y for each in met) + 1e-6 for line in found)
                    assert any(min(line.y1, line.y2) >= max(each.bottom for each in met) - 1e-6 for line in found)
                for y in (box.y, box.bottom):
                    met = [each for each in alike if each.y - 0.01 <= y <= each.bottom + 0.01]
                    found = [line for line in cuts(page) if line.y1 == line.y2 and abs(line.y1 - y) < 0.01]
                    assert any(max(line.x1, line.x2) <= min(each.x for each in met) + 1e-6 for line in found)
                    assert any(min(line.x1, line.x2) >= max(each.right for each in met) - 1e-6 for line in found)


def marks_are_long_enough_to_be_seen(pages: list[Page]) -> None:
    """From 1 mm to 3 mm, or from one bleed's end to the other in a crossing of gutters; 0.15 mm wide.

    In the least room around a piece beside the grid, 1 mm, they begin 0.4 mm from it, and have 0.6.
    """
    for page in pages:
        trims = [trim(placed) for placed in faces(page)]
        for line in cuts(page):
            beside = min(apart(stroke(line), box) for box in trims) < 0.5
            assert (0.6 if beside else 1) - 1e-6 <= length(line) <= 6 + 1e-6
            assert line.width == 0.15


def everything_is_on_the_paper(pages: list[Page]) -> None:
    """Lines and words keep 4 mm from each edge; where pieces may come nearer than 5 mm, a millimetre less than they."""
    for page in pages:
        edge = min(4.0, page.paper.margin - 1)
        inner = Rect(0, 0, page.paper.width, page.paper.height).grown(-edge, -edge, -edge, -edge)
        for box in [stroke(line) for line in lines(page)] + [label_box(label) for label in labels(page)]:
            assert box.x >= inner.x - HALO
            assert box.y >= inner.y - HALO
            assert box.right <= inner.right + HALO
            assert box.bottom <= inner.bottom + HALO


def words_can_be_read(pages: list[Page]) -> None:
    """No line crosses the slug line or the ruler's name, nor do these cross each other."""
    for page in pages:
        words = [label_box(label) for label in labels(page)]
        assert all(apart(word, stroke(line)) >= 0 for word in words for line in lines(page))
        assert all(apart(one, two) > 0 for one, two in combinations(words, 2))


def marks_do_not_run_into_the_ruler(pages: list[Page]) -> None:
    """A crop mark among the ticks would be a wrong tick."""
    for page in pages:
        ticks = [stroke(line) for line in lines(page) if not line.halo and not line.dashes]
        assert all(apart(stroke(mark), tick) > 0 for mark in cuts(page) for tick in ticks)


def marks_are_on_the_side_that_is_cut(pages: list[Page]) -> None:
    """Backs carry the slug line alone: marks there would never meet those of the front."""
    for page in pages:
        if page.side == "back":
            assert not lines(page)
            assert len(labels(page)) == 1


def the_fold_keeps_off_the_ink(pages: list[Page]) -> None:
    """A dashed line through the middle of the sheet, at least 5 mm from the ink on either side."""
    for page in pages:
        fold = fold_of(page)
        folded = any(placed.side == "back" for placed in faces(page)) and page.side == "front"
        assert (fold is not None) == folded
        if fold is None:
            continue
        (dashed,) = (line for line in lines(page) if line.dashes)
        for placed in faces(page):
            assert apart(placed.matrix.bounds(placed.clip), stroke(dashed)) >= 5 - dashed.width
        assert all(apart(stroke(mark), stroke(dashed)) > 0 for mark in cuts(page))


def every_sheet_has_a_ruler(pages: list[Page]) -> None:
    """Where there is room: a bar of 4 in = 101.6 mm, ticks each 10 mm to 100 mm and longer ones each inch, its name."""
    for page in pages:
        plain = [line for line in lines(page) if not line.halo and not line.dashes]
        named = [label for label in labels(page) if label.text == RULER]
        known = page.paper.name in ("a4", "letter", "a3", "legal", "tabloid") and page.paper.margin == MARGIN
        assert len(named) == bool(plain) and (plain or page.side == "back" or not known)
        if plain:
            bar = max(plain, key=length)
            level = bar.y1 == bar.y2
            ticks = [(line.x1 - bar.x1 if level else line.y1 - bar.y1, length(line)) for line in plain if line is not bar]
            assert all((line.x1 == line.x2) == level for line in plain if line is not bar)
            assert all((line.y1 == bar.y1) if level else (line.x1 == bar.x1) for line in plain)
            assert length(bar) == pytest.approx(101.6, abs=1e-9)
            assert sorted(at for at, tall in ticks if tall > 2) == pytest.approx([25.4 * inch for inch in range(5)])
            assert sorted(at for at, tall in ticks if tall < 2) == pytest.approx([10 * step for step in range(11)])


@settings(max_examples=examples(150), deadline=None)
@given(files)
def test_finished_pages_can_be_cut_and_read(pages: list[Page]) -> None:
    """All that is promised of marks and words, on the same pages."""
    for check in (
        nothing_is_drawn_on_a_piece,
        every_mark_continues_the_edge_of_a_piece,
        every_edge_has_marks_at_both_ends,
        marks_are_long_enough_to_be_seen,
        everything_is_on_the_paper,
        words_can_be_read,
        marks_do_not_run_into_the_ruler,
        marks_are_on_the_side_that_is_cut,
        the_fold_keeps_off_the_ink,
        every_sheet_has_a_ruler,
    ):
        check(pages)


asked_margins = st.one_of(
    st.sampled_from([LEAST_MARGIN, 4.0, 5.0, MARGIN, MARGIN + 0.01, 10.0, MOST_MARGIN]),
    st.floats(LEAST_MARGIN, MOST_MARGIN).map(lambda margin: round(margin, 2)),
)
lengths = st.integers(1500, 15000).map(lambda number: number / 100)
named_sizes = st.one_of(st.tuples(lengths, lengths), st.sampled_from(["business", "mini-us", "tcg"]).map(card_size))
asked_papers = st.builds(lambda sheet, margin: replace(sheet, margin=margin), st.sampled_from(PAPERS), asked_margins)
any_way = st.sampled_from(WAYS)
# Three rows of four business cards are as wide as Letter within margins of 4 mm: 266.7 mm, with 8.5 for the slug line.
FULL = replace(paper("letter"), margin=4.0), card_size("business"), "long-edge"


def forty(sheet: Paper, size: tuple[float, float], backs: Backs) -> list[Page]:
    """The pages of forty pieces."""
    try:
        return lay([deck("some", [40], size, 3)], sheet, backs).pages
    except TooLarge:
        assume(False)
        raise


@settings(max_examples=examples(100), deadline=None)
@given(asked_papers, named_sizes, any_way)
@example(*FULL)
@example(replace(paper("letter"), margin=6.36), card_size("mini-us"), "long-edge")
@example(replace(paper("letter"), margin=3.5), card_size("mini-us"), "short-edge")
def test_the_slug_line_is_printed(sheet: Paper, size: tuple[float, float], backs: Backs) -> None:
    """As near to the edge as ever where pieces come as near as that or nearer, else no nearer than they; one line or two."""
    least = min(4.0, sheet.margin) if sheet.margin <= MARGIN else sheet.margin
    for page in forty(sheet, size, backs):
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


@settings(max_examples=examples(100), deadline=None)
@given(st.sampled_from(PAPERS), named_sizes, any_way, asked_margins, asked_margins)
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
