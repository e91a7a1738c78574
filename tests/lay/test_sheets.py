"""Pieces on sheets: none lost, none too near, none turned that must not be, backs behind them; sheets few and in order."""

from __future__ import annotations

import math
import re
import time
from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise

import pytest
from conftest import examples
from decks import (
    DISC,
    DUPLEX,
    HOME_PAPERS,
    NETS,
    PAPERS,
    RULERS,
    WAYS,
    Laid,
    Setup,
    apart,
    corners,
    deck,
    deck_lists,
    faces,
    fold_of,
    folded_deck,
    ink,
    inside,
    label_box,
    labels,
    lay,
    line_box,
    lines,
    mixed,
    nest_decks,
    outline,
    papers,
    piece_deck,
    setups,
    shape,
    spot_box,
    strokes,
    through_paper,
    within,
)
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shapely.geometry import Polygon

from pnp.lay import gang
from pnp.lay.grid import TooLarge, find_grid, registration_marks
from pnp.lay.impose import sheets
from pnp.lay.marks import MARK_GAP, MARK_LENGTH, crop_marks
from pnp.lay.sheet import Sheet, Spot, runs, sides
from pnp.shapes.affine import Rect
from pnp.shapes.outline import Ring
from pnp.values.faces import Deck, Page
from pnp.values.game import MARGIN, Backs, Paper, Side

# Ink beside a fold cracks (docs/how-it-works/print.md#gutterfold).
FOLD_CLEARANCE = 5.0
A4 = HOME_PAPERS[0]


def way_of(deck: Deck, setup: Setup) -> Backs:
    """How a deck's backs are to be made: as its game says, else as the build says; none where there are none."""
    if setup.backs == "none" or not any(piece.back for piece in deck.pieces):
        return "none"
    return setup.backs if setup.cutting else deck.component.backs or setup.backs


def wanted(decks: list[Deck], side: Side) -> Counter[str]:
    """How often each piece's side should be there: as often as its table says."""
    pieces = [piece for deck in decks for piece in deck.pieces if piece.side(side)]
    return Counter({f"{piece.component}/{piece.id}": piece.copies for piece in pieces})


def printed(pages: list[Page], side: Side) -> Counter[str]:
    return Counter(placed.name for page in pages for placed in faces(page) if placed.side == side)


def every_copy_is_placed_once(decks: list[Deck], setup: Setup, laid: Laid) -> None:
    """As often as its table says, on fronts, and on backs where it has one; no sheet is empty."""
    assert printed(laid.pages, "front") == wanted(decks, "front")
    assert printed(laid.pages, "back") == (Counter() if setup.backs == "none" else wanted(decks, "back"))
    for sheet, front, _ in laid.leaves:
        assert len(sheet.spots) == sum(placed.side == "front" for placed in faces(front)) > 0


def pieces_keep_apart(decks: list[Deck], setup: Setup, laid: Laid) -> None:
    """Both have room for scissors and bleed between them; only in grids of rectangles straight cuts may be shared."""
    for sheet, _, _ in laid.leaves:
        cells = len(sheet.in_cells)
        if not sheet.nested:
            assert all(spot.piece.front.outline is None for spot in sheet.in_cells)
        for (at, one), (other, two) in combinations(enumerate(sheet.spots), 2):
            assert apart(one.inked, two.inked) >= -1e-6
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


def a_straight_cut_parts_a_grid_from_what_lies_beyond(decks: list[Deck], setup: Setup, laid: Laid) -> None:
    """All that lies beyond is below the whole grid, or to its right; the grid's crop marks end before it."""
    for sheet, _, _ in laid.leaves:
        beyond, block = sheet.spots[len(sheet.in_cells) :], sheet.grid.block
        away = MARK_GAP + MARK_LENGTH - 1e-6
        assert all(spot.inked.y >= block.bottom + away or spot.inked.x >= block.right + away for spot in beyond)
        if beyond and not sheet.nested:
            marks = crop_marks(sheet.grid, len(sheet.in_cells), setup.paper)
            assert all(apart(line_box(mark), spot.inked) >= -0.1 for mark in marks for spot in beyond)


def ink_stays_where_printers_reach(decks: list[Deck], setup: Setup, laid: Laid) -> None:
    """Each piece has all of itself, and in a nest a millimetre around it; within the margin, off slug line and fold."""
    sheet = setup.paper
    for made, _, _ in laid.leaves:
        for spot in made.spots:
            assert inside(spot_box(spot).grown(*4 * [1.0 if made.nested else 0.0]), spot.inked)
    for page in laid.pages:
        fold = fold_of(page)
        words = label_box(next(label for label in labels(page) if label.text.startswith("A Game 1.0")))
        for placed in faces(page):
            area = ink(placed)
            assert inside(area, within(sheet, sheet.margin))
            assert apart(area, words) >= 0
            if fold == "horizontal":
                assert max(area.y - sheet.height / 2, sheet.height / 2 - area.bottom) >= FOLD_CLEARANCE - 1e-6
            elif fold == "vertical":
                assert max(area.x - sheet.width / 2, sheet.width / 2 - area.right) >= FOLD_CLEARANCE - 1e-6


def a_machine_finds_its_marks_alone(decks: list[Deck], setup: Setup, laid: Laid) -> None:
    """On each front the three marks, no line to cut along and nothing nearer than 1.5 mm; else cut lines, and no marks.

    By docs/how-it-works/print.md#registration-marks.
    """
    sheet, marks = setup.paper, registration_marks(setup.paper)
    # The slug line, which a wide margin moves inwards, stands outside of them.
    edge = max(10, sheet.margin + 6 if sheet.margin > MARGIN else 0)
    ends = [end for line in marks for end in (line.x1, line.y1, sheet.width - line.x2, sheet.height - line.y2)]
    assert min(ends) == pytest.approx(edge)
    for made, front, back in laid.leaves:
        # What is too large for the marks is cut by hand.
        machine = setup.cutting and not made.by_hand
        scissors = [line for page in (front, back) for line in lines(page) if line.halo and not line.dashes]
        assert (scissors == []) == (machine or all(spot.piece.front.outline for spot in made.spots))
        for page in (front, back):
            with_marks = machine and page.side == "front"
            assert [line for line in lines(page) if line in marks] == (marks if with_marks else [])
            if not with_marks:
                continue
            assert all(inside(ink(placed), within(sheet, edge)) for placed in faces(page))
            inked = [ink(placed) for placed in faces(page)] + [label_box(label) for label in labels(page)]
            inked += [line_box(line) for line in lines(page) if line not in marks and not line.dashes]
            assert all(apart(area, line_box(mark)) >= 1.5 - 1e-3 for area in inked for mark in marks)


def pieces_are_only_turned_by_quarters(decks: list[Deck], setup: Setup, laid: Laid) -> None:
    """Never scaled, never mirrored; and what is to stay upright is not turned at all."""
    upright = {deck.component.name for deck in decks if deck.component.upright}
    for page in laid.pages:
        for placed in faces(page):
            turn = (placed.matrix.a, placed.matrix.b, placed.matrix.c, placed.matrix.d)
            assert turn in [(1, 0, 0, 1), (0, 1, -1, 0), (-1, 0, 0, -1), (0, -1, 1, 0)]
            if placed.side == "front" and placed.name.partition("/")[0] in upright:
                assert turn == (1, 0, 0, 1)


def sharing_never_costs_a_sheet(decks: list[Deck], setup: Setup, laid: Laid) -> None:
    """Not more than each component by itself in the best grid; where none is saved all lies as it would alone."""
    alone = 0
    for each in decks:
        part, piece = each.component, each.pieces[0]
        # Around an outline there is its bleed, but from 1 to 2 mm.
        room = 2 * min(max(piece.front.bleed, 1.0), 2.0) if piece.front.outline else 0.0
        size, way = (part.width + room, part.height + room), way_of(each, setup)
        bleed = 0.0 if room else part.bleed
        try:
            grid = find_grid(setup.paper, *size, bleed, way, setup.cutting, part.upright)
        except TooLarge:
            grid = find_grid(setup.paper, *size, bleed, way, upright=part.upright)
        alone += math.ceil(each.copies / grid.capacity)
    plain = sheets(runs(decks), setup.paper, setup.backs, setup.cutting)
    assert len(laid.sheets) <= len(plain) and len(laid.sheets) <= alone
    if len(laid.sheets) == len(plain):
        spots = [{each.spots for each in made if isinstance(each, Sheet)} for made in (plain, laid.sheets)]
        assert spots[0] == spots[1]


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
    """Held to the light, or folded, each back's corners, ink and the outline it is cut along meet its front's."""
    for sheet, front_page, back_page in laid.leaves:
        behind = [placed for placed in faces(back_page) if placed.side == "back"]
        fold = fold_of(front_page)
        assert (fold is not None) == (sheet.way == "gutterfold") and (sheet.way != "none" or behind == [])

        def seen(
            points: list[tuple[float, float]], way: Backs = sheet.way, fold: str | None = fold
        ) -> list[tuple[float, float]]:
            return [through_paper(point, setup.paper, way, fold) for point in points]

        backed = {piece.name for deck in decks for piece in deck.pieces if piece.back}
        fronts = [each for each in faces(front_page) if each.side == "front" and each.name in backed]
        for front, back in zip(fronts if sheet.way != "none" else [], behind, strict=True):
            assert front.name == back.name
            top_left, top_right, bottom_right, bottom_left = seen(corners(back.matrix, back.face))
            turned = [top_right, top_left, bottom_left, bottom_right]
            assert all(math.dist(*pair) < 1e-6 for pair in zip(corners(front.matrix, front.face), turned, strict=True))
            cut, under = shape(front.matrix, outline(front.face)), seen([back.matrix.point(*p) for p in outline(back.face)])
            assert cut.symmetric_difference(Polygon(under)).area < 1e-6
            one, two = front.matrix.bounds(front.clip), back.matrix.bounds(back.clip)
            ends = seen([(two.x, two.y), (two.right, two.bottom)])
            edges = [sorted(part) for part in zip(*ends, strict=True)]
            assert [*edges[0], *edges[1]] == pytest.approx([one.x, one.right, one.y, one.bottom], abs=1e-3)


def sheets_of_a_run_follow_each_other(decks: list[Deck], setup: Setup, laid: Laid) -> None:
    """All sheets that the same decks share come in a row, with one bookmark on the first."""
    order = [sheet.run for sheet in laid.sheets]
    changes = [True, *(one is not two for one, two in pairwise(order))]
    assert sum(changes) == len({id(run) for run in order})
    assert [bool(front.bookmark) for _, front, _ in laid.leaves] == changes


@settings(max_examples=examples(120), deadline=None)
@given(st.one_of(nest_decks(), mixed()), setups)
def test_shared_sheets_are_sound(decks: list[Deck], setup: Setup) -> None:
    """All that is promised of them, on the same sheets; whoever lays the game again gets the same, to the last bit."""
    try:
        laid = lay(decks, setup.paper, setup.backs, setup.cutting)
    except TooLarge:
        assume(False)
        raise
    assert laid.pages == lay(decks, setup.paper, setup.backs, setup.cutting).pages
    for check in (
        every_copy_is_placed_once,
        pieces_keep_apart,
        a_straight_cut_parts_a_grid_from_what_lies_beyond,
        ink_stays_where_printers_reach,
        a_machine_finds_its_marks_alone,
        pieces_are_only_turned_by_quarters,
        sharing_never_costs_a_sheet,
        only_pieces_made_alike_share_sheets,
        backs_lie_under_their_fronts,
        sheets_of_a_run_follow_each_other,
    ):
        check(decks, setup, laid)


@settings(max_examples=examples(30), deadline=None)
@given(st.sampled_from(list(NETS)), st.integers(1, 5), st.sampled_from(HOME_PAPERS), st.sampled_from(WAYS))
def test_real_nets_lie_inside_their_rooms(name: str, copies: int, sheet: Paper, backs: Backs) -> None:
    """Of dice, boxes and ships no tab leaves its own room or the sheet."""
    try:
        laid = lay([folded_deck(name, NETS[name], copies)], sheet, backs)
    except TooLarge:
        assert max(NETS[name].bounds.width, NETS[name].bounds.height) > 240
        return
    for made, _, _ in laid.leaves:
        for spot in made.spots:
            for panel in NETS[name].panels:
                left, top, right, bottom = shape(spot.front, panel.ring).bounds
                box = Rect(left, top, right - left, bottom - top)
                assert inside(box, spot.inked) and inside(box, within(sheet))


# --- cards -----------------------------------------------------------------------------------------------------------


def slug(page: Page) -> str:
    return " · ".join(label.text for label in labels(page) if label.text not in RULERS)


def fronts_and_backs_take_turns(decks: list[Deck], backs: Backs, laid: Laid) -> None:
    """First each front page with its back page, so that fronts have odd numbers; then pages of one side.

    Papers come in the order in which the game names them."""
    two = sum(page.side == "back" for page in laid.pages)
    assert two == 0 or backs in DUPLEX
    assert [page.side for page in laid.pages] == [*["front", "back"] * two, *["front"] * (len(laid.pages) - 2 * two)]
    for at, page in enumerate(laid.pages if backs in DUPLEX else ()):
        assert any(wanted(decks, "back")[placed.name] for placed in faces(page)) == (at < 2 * two)
        assert {placed.side for placed in faces(page)} == {page.side}
    named = list(dict.fromkeys(deck.component.paper for deck in decks))
    order = [(sides(each) == 1, named.index(each.paper)) for each in laid.sheets]
    assert order == sorted(order)


def a_slug_says_what_the_sheet_is(decks: list[Deck], backs: Backs, laid: Laid) -> None:
    """Game, decks, sheet 1 of 3, side, how it is cut, scale, on backs which edge to turn about; on small paper the first."""
    count, number = sum(page.side == "front" for page in laid.pages), 0
    for page in laid.pages:
        number += page.side == "front"
        words, large = slug(page).split(" · "), page.paper.width >= 200
        assert words[0] == "A Game 1.0" and f"sheet {number} of {count}" in words
        if page.side == "back":
            assert words[-1] == f"flip on {backs.replace('-', ' ')}" or not large
            continue
        assert any(" cut" in f" {word}" for word in words) or not large
        if words[-1] == "print at 100 %":
            # Of many only the first are named.
            named, there = words[1].split(", "), {placed.name.partition("/")[0].title() for placed in faces(page)}
            assert re.search(r" and more$", named[-1]) or there <= {*named}
            folded = any(placed.side == "back" for placed in faces(page))
            backed = any(wanted(decks, "back")[placed.name] for placed in faces(page)) and backs != "none"
            assert words[3] == ("fold along the dashed line, glue" if folded else "front" if backed else "one side")


def each_run_of_decks_has_one_bookmark(decks: list[Deck], backs: Backs, laid: Laid) -> None:
    """On the front of its first sheet, naming all its decks; a deck on sheets of two sides and of one is named by both."""
    marked = [page.bookmark for page in laid.pages if page.bookmark]
    assert len({*marked}) == len(marked)
    assert {title for bookmark in marked for title in bookmark.split(", ")} == {deck.component.title for deck in decks}
    for at, page in enumerate(laid.pages):
        assert page.side == "front" or not page.bookmark
        last = next(before.bookmark for before in reversed(laid.pages[: at + 1]) if before.bookmark)
        assert {placed.name.partition("/")[0].title() for placed in faces(page)} <= set(last.split(", "))


@settings(max_examples=examples(75), deadline=None)
@given(deck_lists(), papers, st.sampled_from(WAYS))
def test_files_of_cards_are_sound(decks: list[Deck], sheet: Paper, backs: Backs) -> None:
    """All that is promised of a file, on the same one, and each deck's own file has its copies once."""
    laid = lay(decks, sheet, backs)
    for check in (fronts_and_backs_take_turns, a_slug_says_what_the_sheet_is, each_run_of_decks_has_one_bookmark):
        check(decks, backs, laid)
    for each in decks:
        every_copy_is_placed_once([each], Setup(sheet, backs), lay([each], sheet, backs))


def test_only_leftovers_of_decks_are_put_together() -> None:
    """20 and 14 cards, nine a sheet: three full sheets, each of one deck, then two and five on the fourth."""
    pages = lay([deck("a", [20]), deck("b", [14], back="deck")], A4).pages
    assert [Counter(placed.name[0] for placed in faces(page)) for page in pages] == [
        {"a": 9},
        {"a": 9},
        {"b": 9},
        {"a": 2, "b": 5},
    ]


def test_decks_share_a_sheet_whatever_their_backs_are() -> None:
    """Four cards and five fill an A4 sheet of nine; without backs their reverse stays empty; another stock has its own."""
    for back, behind in (("shared", 9), ("deck", 9), ("piece", 9), ("none", 4)):
        front, reverse = lay([deck("a", [4]), deck("b", [5], back=back)], A4, "long-edge").pages  # type: ignore[arg-type]
        assert (len(faces(front)), len(faces(reverse))) == (9, behind)
    assert len(lay([deck("a", [4]), deck("b", [5], stock="board")], A4).pages) == 2


# --- what a person would do ------------------------------------------------------------------------------------------


def test_full_grids_stay_and_leftovers_share() -> None:
    """Nine rectangles of 65 × 93 mm fill a sheet whose cuts are shared; with room around them eight would.

    So of 46 five sheets are full and one piece is left. It shares a sheet with three of another size: six sheets in
    all. By itself the other size needs one more; and 49 pieces at eight a sheet need seven too.
    """
    decks = [
        piece_deck("a", [46], (65, 93), kind="tracker", bleed=0),
        piece_deck("b", [3], (60, 90), kind="tracker", bleed=0),
    ]
    made = lay(decks, A4).sheets
    assert [len(sheet.pieces) for sheet in made if isinstance(sheet, Sheet)] == [9, 9, 9, 9, 9, 4]


def test_many_pieces_are_laid_in_grids_and_the_rest_is_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The packer is slow with many: it is given what grids leave over, and all are there still."""
    decks = [
        piece_deck("a", [1_500, 16], (30, 40), kind="tracker", bleed=0),
        piece_deck("b", [703], (25, 25), kind="tracker", bleed=0),
    ]
    given: list[int] = []
    pack = gang._bins
    monkeypatch.setattr(gang, "_bins", lambda packing, boxes, *more: given.append(len(boxes)) or pack(packing, boxes, *more))

    made = [sheet for sheet in lay(decks, A4).sheets if isinstance(sheet, Sheet)]

    assert sum(len(sheet.pieces) for sheet in made) == 1_500 + 16 + 703
    assert 0 < max(given) < 100
    # 6 × 7 and 7 × 11 to a sheet, shared cuts and all; what is left of both goes on one.
    assert len(made) == 1516 // 42 + 703 // 77 + 1


def test_an_outline_as_long_as_the_printable_area_is_alone() -> None:
    """It has no room around it at its ends; beside it two would fit, but not with room for scissors between them.

    Its sides keep their bleed.
    """
    ring = ((0.0, 0.0), (90.0, 10.0), (90.0, 283.0), (0.0, 273.0))
    laid = lay([piece_deck("long", [2, 1], (90, 283), ring)], A4)
    for page in laid.pages:
        (placed,) = faces(page)
        assert inside(ink(placed), within(A4)) and ink(placed).width == pytest.approx(90 + 2 * 2.0)
        assert len(strokes(page)) == 1
    assert len(laid.sheets) == 3


@pytest.mark.parametrize("ring", [None, ((0.0, 0.0), (195.0, 10.0), (190.0, 280.0))], ids=["rectangle", "outlined"])
def test_what_is_too_large_for_the_marks_is_cut_by_hand(ring: Ring | None) -> None:
    """It has lines for scissors and no marks, on sheets of its own; what shares its kind keeps the machine."""
    large, small = (
        piece_deck("large", [2], (195, 280), ring, kind="screen", backed=True),
        piece_deck("small", [2], backed=True),
    )
    laid = lay([large, small], A4, "long-edge", cutting=True)
    marks = registration_marks(A4)
    assert [sheet.title for sheet in laid.sheets] == ["Large", "Large", "Small"]
    for sheet, front, back in laid.leaves:
        by_hand = sheet.title == "Large"
        assert all((mark in lines(front)) != by_hand for mark in marks)
        guides = [line for line in lines(front) if line.halo and not line.dashes]
        assert bool(guides or strokes(front)) == by_hand
        assert {placed.side for placed in faces(back)} == {"back"}


def test_thick_tokens_are_folded_in_a_duplex_file() -> None:
    """A component whose backs are always folded lies on one page with fold line, fronts and backs."""
    thick = piece_deck("thick", [4, 3], backed=True, backs="gutterfold")
    pages = lay([thick, piece_deck("thin", [5], backed=True)], A4, "long-edge").pages
    assert [(page.side, fold_of(page) is not None, len(faces(page))) for page in pages] == [
        ("front", False, 5),
        ("back", False, 5),
        ("front", True, 2 * 7),
    ]


@pytest.mark.parametrize("ring", [None, ((0.0, 0.0), (300.0, 150.0), (0.0, 300.0))], ids=["rectangle", "outlined"])
@pytest.mark.parametrize("at", range(3))
def test_a_piece_too_large_is_named(at: int, ring: Ring | None) -> None:
    """Wherever among those that share its sheets it stands in the game's file: nothing is scaled or left out."""
    decks = [piece_deck(f"small{number}", [2], backed=True) for number in range(2)]
    decks.insert(at, piece_deck("large", [1], (300, 300), ring, backed=True))
    with pytest.raises(TooLarge) as caught:
        lay(decks, A4, "long-edge")
    assert caught.value.component is decks[at].component


@pytest.mark.parametrize("first", [1, 2])
def test_cells_beside_a_short_first_row_are_taken_once(first: int) -> None:
    """One or two cards, a token beside them, and a card without a back: the last does not lie on the token."""
    decks = [
        piece_deck("cards", [first], (63, 88), backed=True, kind="card"),
        piece_deck("token", [1], (16, 16), DISC, backed=True, kind="token"),
        piece_deck("tickets", [1], (63, 88), kind="card"),
    ]
    for sheet, _, _ in lay(decks, A4, "long-edge").leaves:
        assert all(apart(spot_box(one), spot_box(two)) >= -1e-6 for one, two in combinations(sheet.spots, 2))


@pytest.mark.parametrize(
    ("size", "lies"),
    [((30, 40), [{"figures", "others", "token"}]), ((180, 260), [{"figures"}, {"others"}, {"token"}])],
    ids=["room", "no room"],
)
def test_a_form_of_pieces_lies_on_sheets_that_all_print(size: tuple[float, float], lies: list[set[str]]) -> None:
    """One prints figures or other figures: both lie with a token where it leaves room, and else on sheets of their own."""
    sizes = {"figures": (30, 40), "others": (30, 40), "token": size}
    decks = [piece_deck(name, [2], each, kind="standee", paper="card") for name, each in sizes.items()]
    decks[1] = replace(decks[1], component=replace(decks[1].component, instead="figures"))
    found = {frozenset(piece.component for piece in sheet.pieces) for sheet, _, _ in lay(decks, A4).leaves}

    assert found == set(map(frozenset, lies))


def test_tokens_fill_the_free_row_of_cards() -> None:
    """Six cards leave a third of an A4 sheet: eighteen tokens find room below them, backs and all."""
    ((sheet, _, _),) = lay([deck("cards", [6]), piece_deck("tokens", [18], (16, 16), backed=True)], A4, "long-edge").leaves
    assert sheet.beside == 18
    assert {spot.piece.component for spot in sheet.in_cells} == {"cards"}
    assert sheet.title == "Cards, Tokens"


@pytest.mark.parametrize("backed", [False, True])
def test_one_side_goes_where_two_are_never_the_other_way_round(backed: bool) -> None:
    """Tokens without backs fill a sheet of cards with some; tokens with backs never go where cards have none."""
    cards = deck("cards", [6], back="none" if backed else "shared")
    ((sheet, _, _),) = lay([cards, piece_deck("tokens", [12], (16, 16), backed=backed)], A4, "long-edge").leaves
    assert sheet.way == "long-edge"
    assert {spot.piece.component for spot in sheet.in_cells} == {"tokens" if backed else "cards"}


def test_five_thousand_pieces_take_seconds() -> None:
    """Of a thousand sorts; of this process's own time."""
    sizes = [(63, 88), (44, 68), (70, 120), (90, 60), (31.75, 44.45)]
    decks = [
        deck(f"deck{at}", [5], sizes[at % 5], back=("none", "deck", "shared")[at % 3])  # type: ignore[arg-type]
        if at % 2
        else piece_deck(f"deck{at}", [5], (10 + at % 30, 12 + at % 47), backed=at % 3 == 0)
        for at in range(1000)
    ]
    began = time.process_time()
    laid = lay(decks, PAPERS[0], "long-edge")
    assert time.process_time() - began < 7
    assert sum(len(sheet.pieces) for sheet in laid.sheets if isinstance(sheet, Sheet)) == 5000
