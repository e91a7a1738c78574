"""Pieces of several components on one sheet: fewer sheets, never more; straight cuts; backs behind their fronts."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from conftest import examples
from decks import corners, deck, deck_lists, faces, through_paper
from hypothesis import given, settings
from hypothesis import strategies as st
from nests import (
    DUPLEX,
    HOME_PAPERS,
    PRINTABLE,
    Laid,
    Setup,
    apart,
    inside,
    lay,
    line_box,
    piece_deck,
    setups,
    spot_box,
)

from pnp.lay.gang import ganged
from pnp.lay.impose import sheets
from pnp.lay.marks import MARK_GAP, MARK_LENGTH, crop_marks
from pnp.lay.sheet import Sheet, runs
from pnp.read.presets import paper
from pnp.shapes.affine import Rect
from pnp.values.faces import Deck

A4 = paper("a4")
RING = ((0.0, 8.0), (8.0, 0.0), (16.0, 8.0), (8.0, 16.0))


@st.composite
def mixed(draw: st.DrawFn) -> list[Deck]:
    """Cards, and small pieces that may share their sheets, of one or two stocks; names are told apart."""
    cards = draw(deck_lists())
    small = [
        piece_deck(
            f"small{at}",
            [draw(st.integers(1, 12))],
            (16, 16) if ring else draw(st.sampled_from([(16, 16), (14, 74), (58, 69), (90, 60)])),
            ring,
            backed=draw(st.booleans()),
            kind=draw(st.sampled_from(["token", "standee"])),
            upright=draw(st.booleans()),
            paper=draw(st.sampled_from(["card", "card", "board"])),
        )
        for at, ring in enumerate(draw(st.lists(st.sampled_from([None, RING]), min_size=1, max_size=4)))
    ]
    return [*cards, *small]


def sheets_of(laid: Laid) -> list[Sheet]:
    return [sheet for sheet in laid.sheets if isinstance(sheet, Sheet)]


def never_more_sheets_than_the_plain_way(decks: list[Deck], setup: Setup, laid: Laid) -> None:
    """Every copy once; and where no sheet is saved, all lies as it would without other components."""
    plain = sheets(runs(decks), setup.paper, setup.backs, setup.cutting)
    made = ganged(plain, decks, setup.paper, setup.cutting)
    assert len(made) <= len(plain)
    lies = Counter((piece.component, piece.id) for each in made if isinstance(each, Sheet) for piece in each.pieces)
    assert lies == Counter({(deck.component.name, piece.id): piece.copies for deck in decks for piece in deck.pieces})
    if len(made) == len(plain):
        assert {each.spots for each in made if isinstance(each, Sheet)} == {
            each.spots for each in plain if isinstance(each, Sheet)
        }


def pieces_neither_overlap_nor_leave_the_room(decks: list[Deck], setup: Setup, laid: Laid) -> None:
    """And what fills room keeps 2 mm from all others."""
    printable = Rect(0, 0, setup.paper.width, setup.paper.height).grown(*4 * [-PRINTABLE])
    for sheet in sheets_of(laid):
        beyond = sheet.spots[len(sheet.in_cells) :]
        assert all(inside(spot_box(spot), spot.inked) and inside(spot.inked, printable) for spot in sheet.spots)
        for one, two in combinations(sheet.spots, 2):
            assert apart(spot_box(one), spot_box(two)) >= (2 if two in beyond or sheet.nested else 0) - 1e-6
            assert apart(one.inked, two.inked) >= -1e-6


@pytest.mark.parametrize("first", [1, 2])
def test_cells_beside_a_short_first_row_are_taken_once(first: int) -> None:
    """One or two cards, a token beside them, and a card without a back: the last does not lie on the token."""
    decks = [
        piece_deck("cards", [first], (63, 88), backed=True, kind="card"),
        piece_deck("token", [1], (16, 16), RING, backed=True, kind="token"),
        piece_deck("tickets", [1], (63, 88), kind="card"),
    ]
    for sheet in sheets_of(lay(decks, Setup(A4, "long-edge", False))):
        for one, two in combinations(sheet.spots, 2):
            assert apart(spot_box(one), spot_box(two)) >= -1e-6


def test_both_forms_of_pieces_have_sheets_of_their_own() -> None:
    """One prints figures or other figures: neither shares a sheet with a token, nor with the other."""
    decks = [piece_deck(name, [2], (30, 40), kind="standee", paper="card") for name in ("figures", "others", "token")]
    decks[1] = replace(decks[1], component=replace(decks[1].component, instead="figures"))
    lies = [{piece.component for piece in sheet.pieces} for sheet in sheets_of(lay(decks, Setup(A4, "none", False)))]

    assert lies == [{"figures"}, {"others"}, {"token"}]


def a_straight_cut_parts_a_grid_from_what_lies_beyond(decks: list[Deck], setup: Setup, laid: Laid) -> None:
    """All that lies beyond is below the whole grid, or to its right; the grid's crop marks end before it."""
    for sheet in sheets_of(laid):
        beyond = sheet.spots[len(sheet.in_cells) :]
        block = sheet.grid.block
        away = MARK_GAP + MARK_LENGTH - 1e-6
        assert all(spot.inked.y >= block.bottom + away or spot.inked.x >= block.right + away for spot in beyond)
        if beyond and not sheet.nested:
            marks = crop_marks(sheet.grid, len(sheet.in_cells), setup.paper)
            assert all(apart(line_box(mark), spot.inked) >= -0.1 for mark in marks for spot in beyond)


def backs_lie_behind_their_fronts(decks: list[Deck], setup: Setup, laid: Laid) -> None:
    """Of every piece that has one, to a tenth of a millimetre and much less; the others' reverse stays empty."""
    if setup.backs not in DUPLEX:
        return
    backed = {piece.name for deck in decks for piece in deck.pieces if piece.back}
    for sheet, front_page, back_page in laid.leaves:
        fronts = [placed for placed in faces(front_page) if placed.side == "front" and placed.name in backed]
        behind = [placed for placed in faces(back_page) if placed.side == "back"]
        assert [placed.name for placed in fronts] == [placed.name for placed in behind]
        for front, back in zip(fronts, behind, strict=True):
            seen = [through_paper(corner, setup.paper, sheet.way) for corner in corners(back.matrix, back.face)]
            for mine, (x, y) in zip(corners(front.matrix, front.face), [seen[1], seen[0], seen[3], seen[2]], strict=True):
                assert abs(mine[0] - x) < 1e-6 and abs(mine[1] - y) < 1e-6


def upright_pieces_stay_upright(decks: list[Deck], setup: Setup, laid: Laid) -> None:
    """Whatever room they fill."""
    upright = {deck.component.name for deck in decks if deck.component.upright}
    for sheet in sheets_of(laid):
        for spot in sheet.spots:
            if spot.piece.component in upright:
                assert (spot.front.a, spot.front.b) == (1, 0)


@settings(max_examples=examples(45), deadline=None)
@given(mixed(), setups)
def test_filled_sheets_are_sound(decks: list[Deck], setup: Setup) -> None:
    """All that is promised of them, on the same sheets."""
    for check in (
        never_more_sheets_than_the_plain_way,
        pieces_neither_overlap_nor_leave_the_room,
        a_straight_cut_parts_a_grid_from_what_lies_beyond,
        backs_lie_behind_their_fronts,
        upright_pieces_stay_upright,
    ):
        check(decks, setup, lay(decks, setup))


# --- what a person would do -----------------------------------------------------------------------------------------


def test_tokens_fill_the_free_row_of_cards() -> None:
    """Six cards leave a third of an A4 sheet: eighteen tokens find room below them, backs and all."""
    cards, tokens = deck("cards", [6]), piece_deck("tokens", [18], (16, 16), backed=True)
    (sheet,) = sheets_of(lay([cards, tokens], Setup(A4, "long-edge", False)))
    assert sheet.beside == 18
    assert {spot.piece.component for spot in sheet.in_cells} == {"cards"}
    assert sheet.title == "Cards, Tokens"


@pytest.mark.parametrize("backed", [False, True])
def test_one_side_goes_where_two_are_never_the_other_way_round(backed: bool) -> None:
    """Tokens without backs fill a sheet of cards with some; tokens with backs never go where cards have none."""
    cards = deck("cards", [6], back="none" if backed else "shared")
    tokens = piece_deck("tokens", [12], (16, 16), backed=backed)
    (sheet,) = sheets_of(lay([cards, tokens], Setup(A4, "long-edge", False)))
    assert sheet.way == "long-edge"
    assert {spot.piece.component for spot in sheet.in_cells} == {"tokens" if backed else "cards"}


@pytest.mark.parametrize("kinds", [12, 1000])
def test_five_thousand_pieces_take_seconds(kinds: int) -> None:
    """However many sorts there are of them; of this process's own time."""
    sizes = [(63, 88), (44, 68), (70, 120), (90, 60), (31.75, 44.45)]
    decks = [
        deck(f"deck{at}", [5000 // kinds], sizes[at % 5], back=("none", "deck", "shared")[at % 3])
        if at % 2
        else piece_deck(f"deck{at}", [5000 // kinds], (10 + at % 30, 12 + at % 47), backed=at % 3 == 0)
        for at in range(kinds)
    ]
    began = time.process_time()
    plain = sheets(runs(decks), HOME_PAPERS[0], "long-edge")
    made = ganged(plain, decks, HOME_PAPERS[0])
    assert time.process_time() - began < 6
    assert len(made) <= len(plain)
    assert sum(len(sheet.pieces) for sheet in made if isinstance(sheet, Sheet)) == kinds * (5000 // kinds)
