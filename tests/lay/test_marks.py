"""Marks and words on finished pages: where to cut, to fold and to glue, never on a piece, in letters that can be read."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from itertools import combinations, pairwise

import pytest
from conftest import TinyProject, examples
from decks import (
    DISC,
    HOME_PAPERS,
    NETS,
    PAPERS,
    RULERS,
    WAYS,
    Laid,
    Setup,
    apart,
    deck,
    faces,
    fold_of,
    folded_deck,
    inside,
    label_box,
    labels,
    lay,
    line_box,
    lines,
    nest_decks,
    outline,
    piece_deck,
    setups,
    shape,
    strokes,
    trim,
)
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString, Point, Polygon

from pnp.lay.gang import ganged
from pnp.lay.grid import TooLarge, find_grid
from pnp.lay.impose import PrintSettings, pages, sheets
from pnp.lay.marks import NUMBER_SIZE, Said, corner_ticks, fitting_slug, fold_marks
from pnp.lay.marks import mirrored as mirrored_marks
from pnp.lay.sheet import runs
from pnp.read.presets import card_size, paper
from pnp.shapes.affine import Affine, Calibration, Rect, rotation, translation
from pnp.shapes.nets.net import Net
from pnp.shapes.units import PT_PER_MM
from pnp.values.faces import Deck, Label, Line, Page, PlacedFace, Stroke
from pnp.values.game import LEAST_MARGIN, MARGIN, MOST_MARGIN, Backs, Paper
from pnp.write.pdf import HALO, text_width

hundredths = st.integers(1500, 15000).map(lambda number: number / 100)
sizes = st.one_of(
    st.tuples(hundredths, hundredths),
    st.sampled_from([(63.0, 88.0), (63.5, 88.9), (90.0, 60.0), (98.6, 141.0), (65.7, 93.9), (60.0, 134.9)]),
)
free = st.tuples(st.integers(90, 400), st.integers(90, 400)).map(
    lambda size: Paper("free", float(min(size)), float(max(size)))
)
margins = st.one_of(st.just(MARGIN), st.sampled_from([LEAST_MARGIN, 4.0, 4.7, 5.5, MARGIN + 0.01, 8.0, 12.7, MOST_MARGIN]))
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
    """No line crosses the slug line or the ruler's name, nor do these cross each other; marks keep off the words."""
    for page in pages:
        words = [label_box(label) for label in labels(page)]
        assert all(apart(word, stroke(mark)) >= 0.2 for word in words for mark in cuts(page))
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
    """Where there is room: a bar of 4 in = 101.6 mm, ticks each 10 mm to 100 mm and longer ones each inch, its name; half
    of it where the slug line beside it is longer than the whole one leaves room for."""
    for page in pages:
        plain = [line for line in lines(page) if not line.halo and not line.dashes]
        named = [label for label in labels(page) if label.text in RULERS]
        known = page.paper.name in ("a4", "letter", "a3", "legal", "tabloid") and page.paper.margin == MARGIN
        assert len(named) == bool(plain) and (plain or page.side == "back" or not known)
        if plain:
            bar = max(plain, key=length)
            level = bar.y1 == bar.y2
            ticks = [(line.x1 - bar.x1 if level else line.y1 - bar.y1, length(line)) for line in plain if line is not bar]
            assert all((line.x1 == line.x2) == level for line in plain if line is not bar)
            assert all((line.y1 == bar.y1) if level else (line.x1 == bar.x1) for line in plain)
            inches = RULERS.index(named[0].text) * -2 + 4
            assert length(bar) == pytest.approx(25.4 * inches, abs=1e-9)
            assert sorted(at for at, tall in ticks if tall > 2) == pytest.approx([25.4 * inch for inch in range(inches + 1)])
            assert sorted(at for at, tall in ticks if tall < 2) == pytest.approx(
                [10 * step for step in range(int(2.5 * inches) + 1)]
            )
            away = min(4.0, page.paper.margin) if page.paper.margin <= MARGIN else page.paper.margin
            beside = (page.paper.width if level else page.paper.height) - 2 * (away + 4) - 101.6 - 18
            words = (label for label in labels(page) if label.text not in RULERS)
            assert inches == 4 or max(text_width(label.text, label.size_pt) for label in words) > beside


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


asked_papers = st.builds(lambda sheet, margin: replace(sheet, margin=margin), st.sampled_from(PAPERS), margins)
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
@given(asked_papers, sizes, st.sampled_from(WAYS))
@example(*FULL)
@example(replace(paper("letter"), margin=6.36), card_size("mini-us"), "long-edge")
@example(replace(paper("letter"), margin=3.5), card_size("mini-us"), "short-edge")
def test_the_slug_line_is_printed(sheet: Paper, size: tuple[float, float], backs: Backs) -> None:
    """As near to the edge as ever where pieces come as near as that or nearer, else no nearer than they; one line or two."""
    least = min(4.0, sheet.margin) if sheet.margin <= MARGIN else sheet.margin
    for page in forty(sheet, size, backs):
        away = []
        for slug in (label for label in labels(page) if label.text not in RULERS):
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
@given(st.sampled_from(PAPERS), sizes, st.sampled_from(WAYS), margins, margins)
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


# Below this nobody reads without a glass.
READABLE, LARGEST = 6.5, 7.5
GAME = "Penguin Pals’ Passing Puzzle 1.0"
HEX = ((0.0, 15.0), (26.0, 0.0), (52.0, 15.0), (52.0, 45.0), (26.0, 60.0), (0.0, 45.0))
on_home_papers = pytest.mark.parametrize("sheet", HOME_PAPERS, ids=lambda sheet: sheet.name)


def laid(decks: list[Deck], sheet: Paper, backs: Backs = "none", spot: bool = False) -> list[Page]:
    """The pages of these decks in a game with a long name."""
    press = PrintSettings(sheet, backs, Calibration(), GAME, text_width, spot=spot)
    return pages(ganged(sheets(runs(decks), sheet, backs), decks, sheet), press)


def slug(page: Page) -> list[Label]:
    """The one or two lines that begin with the game's name."""
    words = [item for item in page.items if isinstance(item, Label) and item.text not in RULERS]
    first = next(index for index, label in enumerate(words) if label.text.startswith(GAME))
    return [label for label in words[first:] if label.size_pt == words[first].size_pt]


def said(page: Page) -> str:
    return " · ".join(label.text for label in slug(page))


MIXED = [
    folded_deck("standee", NETS["standee"], 2, title="Captains’ pawns"),
    folded_deck("d6", NETS["d6"], 2, title="Dice of bone"),
    piece_deck("token", [2], (70, 50)),
]


@on_home_papers
def test_a_mixed_sheet_says_how_it_is_cut_and_how_it_is_folded(sheet: Paper) -> None:
    """Nets have lines, cards beside them marks; folds both ways have signs; all in 6.5 pt, with a ruler."""
    (first,) = laid(MIXED, sheet)

    assert "cut along the lines, else at the marks" in said(first)
    assert "– – fold to you, — · — away" in said(first)
    assert {label.size_pt for label in slug(first)} == {READABLE}
    assert any(isinstance(item, Label) and item.text in RULERS for item in first.items)


@on_home_papers
@pytest.mark.parametrize("less", [19.0, 18.0])
def test_long_words_of_a_full_mixed_sheet_keep_off_the_pieces(sheet: Paper, less: float) -> None:
    """Half a millimetre, though pieces lie as low as they can, or as far to the left: then the lines are shorter."""
    decks = [
        folded_deck("standee", NETS["standee"], 60, title="Captains’ pawns, which stand on the deck"),
        folded_deck("d6", NETS["d6"], 12, title="Dice of bone with six sides for all"),
        piece_deck("token", [2], (40, sheet.height - less)),
    ]
    for page in laid(decks, sheet):
        words = [*map(label_box, slug(page))]
        inks = [face.matrix.bounds(face.clip) for face in faces(page)]
        assert all(apart(word, ink) >= 0.45 for word in words for ink in inks)


def test_a_sheet_says_only_what_is_there() -> None:
    """Which signs of folds there are, hatched tabs only where a net has some, and nothing of folds where none is."""
    cases = {"standee": "– – fold to you, — · — away", "d6": "— · — fold away", "screen": "— · — fold away"}
    for name, sign in cases.items():
        (page, *_) = laid([folded_deck(name, NETS[name])], paper("a3"))
        assert sign in said(page) and ("hatched: glue" in said(page)) == bool(NETS[name].tabs), name
    (page,) = laid([piece_deck("token", [3])], paper("a4"))
    assert "fold" not in said(page) and "hatched" not in said(page)


@on_home_papers
@pytest.mark.parametrize("backs", ["long-edge", "short-edge", "gutterfold", "none"])
@pytest.mark.parametrize("size", [(63, 88), (98.6, 141.0), (57.15, 88.9)])
def test_cards_say_how_they_are_cut_in_letters_that_can_be_read(
    sheet: Paper, backs: Backs, size: tuple[float, float]
) -> None:
    """On each sheet with its number, however tight it is, unless they touch; its lines keep off each other."""
    for page in laid([deck("cards with a long name", [20], size, 3), deck("others", [2], (40, 40), 3)], sheet, backs):
        lines = slug(page)
        assert all(label.size_pt >= READABLE for label in lines)
        shown = "Cards With A Long Name" in said(page) or "Others" in said(page)
        assert "sheet " in said(page) and (shown or "cut" in said(page) or "fold along" in said(page))
        for one, two in pairwise(lines):
            assert abs(one.y - two.y) + abs(one.x - two.x) >= READABLE / PT_PER_MM * 0.9


def test_the_words_are_right_for_what_lies_there() -> None:
    """Hexes have lines and no marks; cards that touch one cut; a card alone its marks; what lies beside is cut off first."""
    a4 = paper("a4")
    cases = {
        "cut along the lines": [piece_deck("hexes", [5], (52, 60), HEX, kind="tile", bleed=3)],
        "two cuts between two": [deck("cards", [9], (63, 88), 3)],
        "one cut between two": [deck("cards", [10], (56, 88), 0)],
        "cut from mark to mark": [deck("cards", [1], (180, 250), 3)],
    }
    for words, decks in cases.items():
        assert words in said(laid(decks, a4)[0]), words
    shared = [deck("cards", [6], (63, 88), 3, back="none"), piece_deck("coins", [5], (16, 16), DISC)]
    (page,) = laid(shared, a4)
    assert "first cut off the Coins, then two cuts between two" in said(page)
    beside = [piece_deck("hexes", [2], (52, 60), HEX, kind="tile", bleed=3), piece_deck("coins", [5], (30, 16))]
    (page,) = laid(beside, a4)
    assert "cut along the lines, else at the marks" in said(page) and "cut off" not in said(page)


def test_what_matters_least_is_left_out_first() -> None:
    """By rank, and the rest stays in its order; only what must stay is set smaller."""
    slug = [Said("Game"), Said("Cards", 2), Said("sheet 1"), Said("cut", 1), Said("print at 100 %", 3)]
    whole = " · ".join(part.text for part in slug)

    assert fitting_slug(slug, 500, text_width) == ([whole], LARGEST)
    assert fitting_slug(slug, text_width(whole, READABLE), text_width) == ([whole], READABLE)
    assert fitting_slug(slug, text_width("Game · Cards · sheet 1 · cut", READABLE) + 1, text_width)[0] == [
        "Game · Cards · sheet 1 · cut"
    ]
    assert fitting_slug(slug, text_width("Game · sheet 1 · cut", READABLE) + 1, text_width)[0] == ["Game · sheet 1 · cut"]
    assert fitting_slug(slug, text_width("Game · Cards · sheet 1", READABLE), text_width, 2)[0] == [
        "Game · Cards · sheet 1",
        "cut · print at 100 %",
    ]
    (line,), size = fitting_slug(slug, 5, text_width)
    assert line == "Game · sheet 1" and size < READABLE


Point2 = tuple[float, float]
nets = pytest.mark.parametrize("net", list(NETS.values()), ids=list(NETS))
shifts = st.floats(0, 300)
# How a piece may lie on a sheet.
lying = st.builds(lambda turn, x, y: translation(x, y) @ rotation(turn), st.sampled_from([0, 90, 180, 270]), shifts, shifts)


def placed(net: Net, matrix: Affine) -> PlacedFace:
    """A folded piece on a page."""
    face = folded_deck("piece", net).pieces[0].front
    return PlacedFace(face, "piece/p0", "front", matrix, Rect(0, 0, face.width, face.height))


def folds(net: Net, matrix: Affine) -> list[Line]:
    return [mark for mark in fold_marks(placed(net, matrix)) if isinstance(mark, Line)]


def hatches(net: Net, matrix: Affine) -> list[Stroke]:
    return [mark for mark in fold_marks(placed(net, matrix)) if isinstance(mark, Stroke) and mark.fill is None]


def discs(net: Net, matrix: Affine) -> list[Stroke]:
    return [mark for mark in fold_marks(placed(net, matrix)) if isinstance(mark, Stroke) and mark.fill is not None]


def numbers(net: Net, matrix: Affine) -> list[Label]:
    return [mark for mark in fold_marks(placed(net, matrix)) if isinstance(mark, Label)]


def laid_out(decks: list[Deck], setup: Setup) -> Laid:
    try:
        return lay(decks, setup.paper, setup.backs, setup.cutting)
    except TooLarge:
        assume(False)
        raise


def ends(line: Line) -> tuple[Point2, Point2]:
    return (line.x1, line.y1), (line.x2, line.y2)


def as_line(line: Line) -> LineString:
    return LineString(ends(line))


@nets
@settings(max_examples=6, deadline=None)
@given(lying)
def test_every_fold_is_dashed(net: Net, matrix: Affine) -> None:
    """One dashed line runs along each crease from end to end, and nowhere else."""
    wanted = [LineString([matrix.point(*crease.start), matrix.point(*crease.end)]) for crease in net.creases]
    found = [as_line(line) for line in folds(net, matrix)]
    assert len(found) == len(wanted)
    for crease in wanted:
        assert any(crease.hausdorff_distance(line) < 1e-6 for line in found)


@nets
def test_valleys_and_mountains_are_told_apart(net: Net) -> None:
    """What folds towards the reader has plain dashes, what folds away dashes and dots."""
    dashes = {line.dashes for crease, line in zip(net.creases, folds(net, Affine()), strict=True) if crease.angle < 0}
    dotted = {line.dashes for crease, line in zip(net.creases, folds(net, Affine()), strict=True) if crease.angle > 0}
    assert dashes.isdisjoint(dotted)
    for dash, gap in dashes:
        assert dash > gap > 0.5
    for dash, gap, dot, other in dotted:
        assert dash > 3 * dot
        assert gap == other > dot


@nets
@settings(max_examples=6, deadline=None)
@given(lying)
def test_tabs_are_hatched_and_nothing_else(net: Net, matrix: Affine) -> None:
    """Every hatching line lies in one tab, and every tab has some; they show on dark ink, too."""
    tabs = [shape(matrix, tab.ring) for tab in net.tabs]
    hatched = set()
    for line in hatches(net, matrix):
        inside_of = [number for number, tab in enumerate(tabs) if tab.buffer(1e-6).covers(LineString(line.points))]
        assert len(inside_of) == 1 and line.halo
        hatched.update(inside_of)
    assert hatched == set(range(len(tabs)))


@nets
@settings(max_examples=6, deadline=None)
@given(lying)
def test_tabs_are_numbered_in_the_order_of_gluing(net: Net, matrix: Affine) -> None:
    """1, 2, 3 … each on a white disc in the middle of its tab, readable from below; a single one needs none."""
    found = numbers(net, matrix)
    for disc, tab in zip(discs(net, matrix), net.tabs[: len(found)], strict=True):
        assert disc.fill == 1.0 and shape(matrix, tab.ring).buffer(1e-6).covers(Polygon(disc.points))
    texts = [label.text for label in found]
    assert texts == [str(number) for number in range(1, len(net.tabs) + 1) if len(net.tabs) > 1]
    for label, tab in zip(found, net.tabs[: len(found)], strict=True):
        middle = label.y - 0.25 * NUMBER_SIZE * 0.35
        assert shape(matrix, tab.ring).contains(Point(label.x, middle))
        assert label.anchor == "middle"
        assert label.turn == 0


@settings(max_examples=examples(25), deadline=None)
@given(nest_decks(), setups.filter(lambda setup: not setup.cutting))
def test_ticks_touch_no_piece(decks: list[Deck], setup: Setup) -> None:
    """Nor do their white halos; each tick keeps to the room of its piece, and is long enough to be seen."""
    for sheet, _, _ in laid_out(decks, setup).leaves:
        if not sheet.nested:
            continue
        pieces = [shape(spot.front, outline(spot.piece.front)) for spot in sheet.spots]
        rooms = [spot.inked for spot in sheet.spots]
        for tick in corner_ticks(sheet.spots):
            line = as_line(tick)
            assert line.length >= 0.55
            assert all(piece.distance(line) >= 0.4 - 1e-6 for piece in pieces)
            x, y = min(tick.x1, tick.x2), min(tick.y1, tick.y2)
            box = Rect(x, y, abs(tick.x2 - tick.x1), abs(tick.y2 - tick.y1))
            assert sum(inside(box, room) for room in rooms) == 1


@settings(max_examples=examples(25), deadline=None)
@given(nest_decks(), setups)
def test_outlines_are_cut_along_lines(decks: list[Deck], setup: Setup) -> None:
    """Each outlined piece has one closed line along its outline, on a folded sheet its back has one too.

    For a machine there is none.
    """
    for sheet, front, _ in laid_out(decks, setup).leaves:
        shown = [each for each in faces(front) if each.face.outline is not None]
        found = [Polygon(stroke.points) for stroke in strokes(front)]
        assert all(stroke.closed for stroke in strokes(front))
        if setup.cutting:
            assert found == []
            continue
        assert len(found) == len(shown)
        for each in shown:
            wanted = shape(each.matrix, outline(each.face))
            assert sum(wanted.symmetric_difference(line).area < 1e-6 for line in found) == 1
        if sheet.nested:
            assert set(corner_ticks(sheet.spots)) <= set(lines(front))


def test_behind_a_fold_marks_are_mirrored_and_stay_what_they_are() -> None:
    """A mountain seen from behind is drawn with the same dashes at the mirrored place; words are not mirrored."""
    marks = fold_marks(placed(NETS["d6"], Affine()))
    turn = Affine(a=-1.0, e=100.0)
    behind = mirrored_marks(marks, turn)
    kept = [mark for mark in marks if not isinstance(mark, Label)]
    for before, after in zip(kept, behind, strict=True):
        if isinstance(before, Line):
            assert isinstance(after, Line)
            assert ends(after) == tuple((100 - x, y) for x, y in ends(before))
            assert (after.dashes, after.width) == (before.dashes, before.width)
        else:
            assert isinstance(before, Stroke) and isinstance(after, Stroke)
            assert after.points == tuple((100 - x, y) for x, y in before.points)


def test_a_slug_line_is_shortened_before_it_loses_what_it_says() -> None:
    """Each part has its longest form that leaves room for the others; a part goes into an earlier line with room for it."""
    title = Said("Double-nine dominoes (Elbow Room), dice", 2, ("Double-nine dominoes and more", "Dominoes and more"))
    slug = [Said("Night Out 1.0"), title, Said("sheet 2 of 10"), Said("cut along the lines", 1), Said("print at 100 %", 6)]

    def fitted(letters: int, lines: int = 1) -> list[str]:
        return fitting_slug(slug, letters, lambda text, _: len(text), lines)[0]

    whole = "Night Out 1.0 · Double-nine dominoes (Elbow Room), dice · sheet 2 of 10 · cut along the lines · print at 100 %"
    assert fitted(200) == [whole]
    assert fitted(88) == ["Night Out 1.0 · Dominoes and more · sheet 2 of 10 · cut along the lines · print at 100 %"]
    assert fitted(87) == ["Night Out 1.0 · Double-nine dominoes and more · sheet 2 of 10 · cut along the lines"]
    assert fitted(71) == ["Night Out 1.0 · Dominoes and more · sheet 2 of 10 · cut along the lines"]
    assert fitted(70) == ["Night Out 1.0 · sheet 2 of 10 · cut along the lines · print at 100 %"]
    assert fitted(30) == ["Night Out 1.0 · sheet 2 of 10"]
    assert fitted(65, 2)[0] == "Night Out 1.0 · Double-nine dominoes (Elbow Room), dice"
    assert fitted(65, 2)[1] == "sheet 2 of 10 · cut along the lines · print at 100 %"
