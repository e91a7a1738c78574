"""Pieces of different sizes on shared sheets: none lost, none too near, none turned that must not be, backs behind them."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations, pairwise

import pytest
from conftest import examples
from decks import corners, faces, labels, lines, through_paper
from hypothesis import given, settings
from hypothesis import strategies as st
from nests import (
    DUPLEX,
    HOME_PAPERS,
    NETS,
    PRINTABLE,
    Laid,
    Setup,
    apart,
    folded_deck,
    ink,
    inside,
    lay,
    nest_decks,
    outline,
    pad,
    piece_deck,
    setups,
    shape,
    spot_box,
    strokes,
)
from shapely.geometry import Polygon

from pnp.lay import gang as nest
from pnp.lay.grid import TooLarge, find_grid, registration_marks
from pnp.lay.sheet import Sheet, Spot
from pnp.read.presets import paper
from pnp.shapes.affine import Rect
from pnp.shapes.outline import Ring
from pnp.values.faces import Deck, Page
from pnp.values.game import Backs, Paper
from pnp.write.pdf import text_width

nests = settings(max_examples=examples(25), deadline=None)
# Ink beside a fold cracks (docs/how-it-works/print.md#gutterfold).
FOLD_CLEARANCE = 5.0
A4 = paper("a4")


def way_of(deck: Deck, setup: Setup) -> Backs:
    """How a deck's backs are to be made: as its game says, else as the build says; none where there are none."""
    if setup.backs == "none" or not any(piece.back for piece in deck.pieces):
        return "none"
    return setup.backs if setup.cutting else deck.component.backs or setup.backs


def fold_of(sheet: Paper, page: Page) -> str | None:
    """Which way the line runs that a page is folded along."""
    for line in lines(page):
        if line.dashes and line.x1 == line.x2 == sheet.width / 2 and abs(line.y2 - line.y1) > sheet.height / 2:
            return "vertical"
        if line.dashes and line.y1 == line.y2 == sheet.height / 2 and abs(line.x2 - line.x1) > sheet.width / 2:
            return "horizontal"
    return None


def every_copy_is_placed_once(decks: list[Deck], setup: Setup, laid: Laid) -> None:
    """As often as its table says, on fronts, and on backs where it has one; no sheet is empty."""
    for side in ("front", "back"):
        printed = Counter(placed.name for page in laid.pages for placed in faces(page) if placed.side == side)
        pieces = [piece for deck in decks for piece in deck.pieces if piece.side(side)]
        wanted = Counter({f"{piece.component}/{piece.id}": piece.copies for piece in pieces})
        assert printed == (Counter() if side == "back" and setup.backs == "none" else wanted)
    for sheet, front, _ in laid.leaves:
        assert len(sheet.spots) == sum(placed.side == "front" for placed in faces(front)) > 0


def pieces_keep_apart(decks: list[Deck], setup: Setup, laid: Laid) -> None:
    """Both have room for scissors and bleed between them; only in grids of rectangles straight cuts may be shared."""
    for sheet, _, _ in laid.leaves:
        cells = len(sheet.in_cells)
        if not sheet.nested:
            assert all(spot.piece.front.outline is None for spot in sheet.in_cells)
        for (at, one), (other, two) in combinations(enumerate(sheet.spots), 2):
            between = apart(spot_box(one), spot_box(two))
            # A bleed below a millimetre is all that two cuts have between them.
            gutter = 2 * min(one.piece.front.bleed, 1.0)
            if sheet.nested or other >= cells:
                # What scissors need; a grid's own marks stand between it and what lies beyond.
                assert between >= (4 if at < cells and not sheet.nested else 2) - 1e-6
            elif not gutter or between < gutter - 1e-6:
                assert between >= -1e-6
                assert share_cuts(one, two)


def share_cuts(one: Spot, two: Spot) -> bool:
    """Two equal boxes whose edges lie on common straight lines: whole numbers of them apart."""
    mine, other = spot_box(one), spot_box(two)
    columns, rows = (other.x - mine.x) / mine.width, (other.y - mine.y) / mine.height
    alike = math.isclose(mine.width, other.width) and math.isclose(mine.height, other.height)
    return alike and abs(columns - round(columns)) < 1e-6 and abs(rows - round(rows)) < 1e-6


def rooms_for_ink_are_apart(decks: list[Deck], setup: Setup, laid: Laid) -> None:
    """No piece leaves ink in another's room; each has all of itself, and in a nest a millimetre around it, in its own."""
    for sheet, _, _ in laid.leaves:
        for spot in sheet.spots:
            least = 1.0 if sheet.nested else 0.0
            assert inside(spot_box(spot).grown(*4 * [least]), spot.inked)
        for one, two in combinations(sheet.spots, 2):
            assert apart(one.inked, two.inked) >= -1e-6


def ink_stays_where_printers_reach(decks: list[Deck], setup: Setup, laid: Laid) -> None:
    """On fronts and backs it keeps to the printable area, off the slug line, and off the fold."""
    sheet = setup.paper
    printable = Rect(0, 0, sheet.width, sheet.height).grown(*4 * [-PRINTABLE])
    for page in laid.pages:
        fold = fold_of(sheet, page)
        slug = next(label for label in labels(page) if label.text.startswith("A Game 1.0"))
        long = text_width(slug.text, slug.size_pt)
        above, below = (share * slug.size_pt * 25.4 / 72 for share in (0.75, 0.22))
        words = Rect(slug.x, slug.y - above, long, above + below)
        if slug.turn:
            words = Rect(slug.x - above, slug.y - long, above + below, long)
        for placed in faces(page):
            area = ink(placed)
            assert inside(area, printable)
            assert apart(area, words) >= 0
            if fold == "horizontal":
                assert max(area.y - sheet.height / 2, sheet.height / 2 - area.bottom) >= FOLD_CLEARANCE - 1e-6
            elif fold == "vertical":
                assert max(area.x - sheet.width / 2, sheet.width / 2 - area.right) >= FOLD_CLEARANCE - 1e-6


def ink_keeps_clear_of_registration_marks(decks: list[Deck], setup: Setup, laid: Laid) -> None:
    """Every mark has 1.5 mm of white around it, and all that is cut lies inside the marks.

    By docs/how-it-works/print.md#registration-marks.
    """
    if not setup.cutting:
        return
    sheet = setup.paper
    right, bottom = sheet.width - 15, sheet.height - 15
    marks = [Rect(10, 10, 5, 5), Rect(right, 10, 5, 5), Rect(10, bottom, 5, 5)]
    reached = Rect(10, 10, sheet.width - 20, sheet.height - 20)
    for page in laid.pages:
        for placed in faces(page):
            assert inside(ink(placed), reached)
            assert all(apart(ink(placed), mark) >= 1.5 - 1e-6 for mark in marks)


def pieces_are_only_turned_by_quarters(decks: list[Deck], setup: Setup, laid: Laid) -> None:
    """Never scaled, never mirrored; and what is to stay upright is not turned at all."""
    upright = {deck.component.name for deck in decks if deck.component.upright}
    for page in laid.pages:
        for placed in faces(page):
            matrix = placed.matrix
            turn = (matrix.a, matrix.b, matrix.c, matrix.d)
            assert turn in [(1, 0, 0, 1), (0, 1, -1, 0), (-1, 0, 0, -1), (0, -1, 1, 0)]
            if placed.side == "front" and placed.name.partition("/")[0] in upright:
                assert turn == (1, 0, 0, 1)


def a_nest_never_costs_more_sheets(decks: list[Deck], setup: Setup, laid: Laid) -> None:
    """Than each component by itself in the best grid."""
    alone = 0
    for deck in decks:
        part, piece = deck.component, deck.pieces[0]
        room = 2 * pad(piece) if piece.front.outline else 0.0
        grid = find_grid(
            setup.paper,
            part.width + room,
            part.height + room,
            0.0,
            way_of(deck, setup),
            setup.cutting,
            part.upright,
        )
        alone += math.ceil(deck.copies / grid.capacity)
    assert len(laid.sheets) <= alone


def only_pieces_made_alike_share_sheets(decks: list[Deck], setup: Setup, laid: Laid) -> None:
    """Of one stock, and made in one way."""
    by_name = {deck.component.name: deck for deck in decks}
    for sheet, _, _ in laid.leaves:
        together = [by_name[name] for name in {spot.piece.component for spot in sheet.spots}]
        assert len({deck.component.paper for deck in together}) == 1
        ways = {way_of(deck, setup) for deck in together}
        # What has no back may lie where others have theirs, where it saves a sheet; not where a sheet is folded.
        assert ways == {sheet.way} or (sheet.way in DUPLEX and ways <= {sheet.way, "none"})


def backs_lie_under_their_fronts(decks: list[Deck], setup: Setup, laid: Laid) -> None:
    """Held to the light, or folded, each back's corners and the outline it is cut along meet its front's."""
    for sheet, front_page, back_page in laid.leaves:
        fronts = [placed for placed in faces(front_page) if placed.side == "front"]
        behind = [placed for placed in faces(back_page) if placed.side == "back"]
        if sheet.way == "none":
            assert behind == []
            continue
        fold = fold_of(setup.paper, front_page)
        assert (fold is not None) == (sheet.way == "gutterfold")
        backed = {piece.name for deck in decks for piece in deck.pieces if piece.back}
        for front, back in zip([front for front in fronts if front.name in backed], behind, strict=True):
            assert front.name == back.name
            seen = [through_paper(corner, setup.paper, sheet.way, fold) for corner in corners(back.matrix, back.face)]
            top_left, top_right, bottom_right, bottom_left = seen
            turned = [top_right, top_left, bottom_left, bottom_right]
            for mine, other in zip(corners(front.matrix, front.face), turned, strict=True):
                assert math.dist(mine, other) < 1e-6
            cut = shape(front.matrix, outline(front.face))
            under = [through_paper(back.matrix.point(*point), setup.paper, sheet.way, fold) for point in outline(back.face)]
            assert cut.symmetric_difference(Polygon(under)).area < 1e-6


def test_full_grids_stay_and_leftovers_share() -> None:
    """Nine rectangles of 65 × 93 mm fill a sheet whose cuts are shared; with room around them eight would.

    So of 46 five sheets are full and one piece is left. It shares a sheet with three of another size: six sheets in
    all. By itself the other size needs one more; and 49 pieces at eight a sheet need seven too.
    """
    decks = [
        piece_deck("a", [46], (65, 93), kind="tracker", bleed=0),
        piece_deck("b", [3], (60, 90), kind="tracker", bleed=0),
    ]
    made = lay(decks, Setup(A4, "none", False)).sheets
    assert [len(sheet.pieces) for sheet in made if isinstance(sheet, Sheet)] == [9, 9, 9, 9, 9, 4]


def test_many_pieces_are_laid_in_grids_and_the_rest_is_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The packer is slow with many: it is given what grids leave over, and all are there still."""
    decks = [
        piece_deck("a", [1_500, 16], (30, 40), kind="tracker", bleed=0),
        piece_deck("b", [703], (25, 25), kind="tracker", bleed=0),
    ]
    given: list[int] = []
    pack = nest._bins
    monkeypatch.setattr(nest, "_bins", lambda packing, boxes, *more: given.append(len(boxes)) or pack(packing, boxes, *more))

    made = [sheet for sheet in lay(decks, Setup(A4, "none", False)).sheets if isinstance(sheet, Sheet)]

    assert sum(len(sheet.pieces) for sheet in made) == 1_500 + 16 + 703
    assert 0 < max(given) < 100
    # 6 × 7 and 7 × 11 to a sheet, shared cuts and all; what is left of both goes on one.
    assert len(made) == 1516 // 42 + 703 // 77 + 1


def test_an_outline_as_long_as_the_printable_area_is_alone() -> None:
    """It has no room around it at its ends; beside it two would fit, but not with room for scissors between them.

    Its sides keep their bleed.
    """
    ring = ((0.0, 0.0), (90.0, 10.0), (90.0, 283.0), (0.0, 273.0))
    laid = lay([piece_deck("long", [2, 1], (90, 283), ring)], Setup(A4, "none", False))
    for page in laid.pages:
        (placed,) = faces(page)
        assert inside(ink(placed), Rect(0, 0, A4.width, A4.height).grown(*4 * [-PRINTABLE]))
        assert ink(placed).width == pytest.approx(90 + 2 * 2.0)
        assert len(strokes(page)) == 1
    assert len(laid.sheets) == 3


@pytest.mark.parametrize("ring", [None, ((0.0, 0.0), (195.0, 10.0), (190.0, 280.0))], ids=["rectangle", "outlined"])
def test_what_is_too_large_for_the_marks_is_cut_by_hand(ring: Ring | None) -> None:
    """It has lines for scissors and no marks, on sheets of its own; what shares its kind keeps the machine."""
    large = piece_deck("large", [2], (195, 280), ring, kind="screen", backed=True)
    small = piece_deck("small", [2], backed=True)
    laid = lay([large, small], Setup(A4, "long-edge", True))
    marks = registration_marks(A4)
    assert [sheet.title for sheet in laid.sheets] == ["Large", "Large", "Small"]
    for sheet, front, back in laid.leaves:
        by_hand = sheet.title == "Large"
        assert all((mark in lines(front)) != by_hand for mark in marks)
        guides = [line for line in lines(front) if line.halo and not line.dashes]
        assert bool(guides or strokes(front)) == by_hand
        assert {placed.side for placed in faces(back)} == {"back"}


@pytest.mark.parametrize("sheet", HOME_PAPERS, ids=lambda sheet: sheet.name)
def test_thick_tokens_are_folded_in_a_duplex_file(sheet: Paper) -> None:
    """A component whose backs are always folded lies on one page with fold line, fronts and backs."""
    thick = piece_deck("thick", [4, 3], backed=True, backs="gutterfold")
    thin = piece_deck("thin", [5], backed=True)
    laid = lay([thick, thin], Setup(sheet, "long-edge", False))
    assert [page.side for page in laid.pages] == ["front", "back", "front"]
    front, back, folded = laid.pages
    assert fold_of(sheet, folded)
    assert Counter(placed.side for placed in faces(folded)) == {"front": 7, "back": 7}
    assert fold_of(sheet, front) is None
    assert {placed.side for placed in faces(front)} == {"front"}
    assert {placed.side for placed in faces(back)} == {"back"}


@pytest.mark.parametrize("backs", ["long-edge", "gutterfold", "none"])
@pytest.mark.parametrize("ring", [None, ((0.0, 0.0), (300.0, 150.0), (0.0, 300.0))], ids=["rectangle", "outlined"])
@pytest.mark.parametrize("at", range(3))
def test_a_piece_too_large_is_named(at: int, ring: Ring | None, backs: Backs) -> None:
    """Wherever among those that share its sheets it stands in the game's file."""
    decks = [piece_deck(f"small{number}", [2], backed=True) for number in range(2)]
    decks.insert(at, piece_deck("large", [1], (300, 300), ring, backed=True))
    with pytest.raises(TooLarge) as caught:
        lay(decks, Setup(A4, backs, False))
    assert caught.value.component is decks[at].component


def the_same_pieces_lie_the_same(decks: list[Deck], setup: Setup, laid: Laid) -> None:
    """Whoever lays the same game again gets the same sheets, to the last bit."""
    assert laid.pages == lay(decks, setup).pages


def sheets_of_a_run_follow_each_other(decks: list[Deck], setup: Setup, laid: Laid) -> None:
    """All sheets that the same decks share come in a row, with one bookmark on the first."""
    order = [sheet.run for sheet in laid.sheets]
    changes = sum(one is not two for one, two in pairwise(order))
    assert changes + 1 == len({id(run) for run in order})
    marked = [bool(front.bookmark) for _, front, _ in laid.leaves]
    assert marked == [True, *(one is not two for one, two in pairwise(order))]


@settings(max_examples=examples(75), deadline=None)
@given(nest_decks(), setups)
def test_shared_sheets_are_sound(decks: list[Deck], setup: Setup) -> None:
    """All that is promised of them, on the same sheets."""
    for check in (
        every_copy_is_placed_once,
        pieces_keep_apart,
        rooms_for_ink_are_apart,
        ink_stays_where_printers_reach,
        ink_keeps_clear_of_registration_marks,
        pieces_are_only_turned_by_quarters,
        a_nest_never_costs_more_sheets,
        only_pieces_made_alike_share_sheets,
        backs_lie_under_their_fronts,
        the_same_pieces_lie_the_same,
        sheets_of_a_run_follow_each_other,
    ):
        check(decks, setup, lay(decks, setup))


@settings(max_examples=examples(30), deadline=None)
@given(st.sampled_from(list(NETS)), st.integers(1, 5), setups)
def test_real_nets_lie_inside_their_rooms(name: str, copies: int, setup: Setup) -> None:
    """Of dice, boxes and ships no tab leaves its own room or the sheet."""
    printable = Rect(0, 0, setup.paper.width, setup.paper.height).grown(*4 * [-PRINTABLE])
    try:
        laid = lay([folded_deck(name, NETS[name], copies)], setup)
    except TooLarge:
        assert max(NETS[name].bounds.width, NETS[name].bounds.height) > 240
        return
    for sheet, _, _ in laid.leaves:
        for spot in sheet.spots:
            for panel in NETS[name].panels:
                left, top, right, bottom = shape(spot.front, panel.ring).bounds
                box = Rect(left, top, right - left, bottom - top)
                assert inside(box, spot.inked)
                assert inside(box, printable)
