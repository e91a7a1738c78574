"""Decks on sheets: nothing lost, nothing doubled, fronts and backs in turn, sheets numbered."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from conftest import examples
from decks import (
    DUPLEX,
    WAYS,
    deck,
    deck_lists,
    faces,
    labels,
    lay,
    papers,
    trim,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp.lay.grid import TooLarge, find_grid
from pnp.read.presets import paper
from pnp.values.faces import Deck, Page
from pnp.values.game import Backs, Paper, Side

ways = st.sampled_from(WAYS)
file_of = settings(max_examples=examples(80), deadline=None)


def printed(pages: list[Page], side: Side) -> Counter[str]:
    """How often each piece's side is on the pages, by its name."""
    return Counter(placed.name for page in pages for placed in faces(page) if placed.side == side)


def wanted(decks: list[Deck], side: Side) -> Counter[str]:
    """How often it should be there: as often as the deck says, its back too if it has one."""
    return Counter(
        {f"{piece.component}/{piece.id}": piece.copies for deck in decks for piece in deck.pieces if piece.side(side)}
    )


def one_back(deck: Deck) -> str | None:
    """The one back of a deck's cards; a name of its own when they differ."""
    keys = {piece.back.key if piece.back else None for piece in deck.pieces}
    return keys.pop() if len(keys) == 1 else f"the backs of {deck.component.name}"


def may_share(one: Deck, two: Deck) -> bool:
    """Two decks whose cards look alike from behind, in size and in stock."""
    mine, theirs = one.component, two.component
    alike = all(getattr(mine, what) == getattr(theirs, what) for what in ("width", "height", "bleed", "paper"))
    return alike and one_back(one) == one_back(two)


def slug(page: Page) -> str:
    return next(label.text for label in labels(page) if label.text.startswith("A Game 1.0"))


@file_of
@given(deck_lists(), papers, ways)
def test_every_copy_is_printed_once(decks: list[Deck], sheet: Paper, backs: Backs) -> None:
    """In the file of all decks, and in each deck's own file."""
    for some in [decks, *([each] for each in decks)]:
        pages = lay(some, sheet, backs)
        assert printed(pages, "front") == wanted(some, "front")
        assert printed(pages, "back") == (Counter() if backs == "none" else wanted(some, "back"))


@file_of
@given(deck_lists(), papers, ways)
def test_sheets_are_filled_in_the_tables_order(decks: list[Deck], sheet: Paper, backs: Backs) -> None:
    """Deck after deck, row after row, copy after copy; only the last sheet of a run may have empty cells."""
    pages = [page for page in lay(decks, sheet, backs) if page.side == "front"]
    waiting = list(decks)
    while waiting:
        sharing = [deck for deck in waiting if may_share(deck, waiting[0])]
        waiting = [deck for deck in waiting if deck not in sharing]
        names = [f"{piece.component}/{piece.id}" for deck in sharing for piece in deck.pieces for _ in range(piece.copies)]
        part = sharing[0].component
        way: Backs = "none" if one_back(sharing[0]) is None else backs
        capacity = find_grid(sheet, part.width, part.height, part.bleed, way).capacity
        while names:
            page = pages.pop(0)
            assert [placed.name for placed in faces(page) if placed.side == "front"] == names[:capacity]
            del names[:capacity]
    assert not pages


@file_of
@given(deck_lists(), papers, ways)
def test_only_decks_alike_from_behind_share_sheets(decks: list[Deck], sheet: Paper, backs: Backs) -> None:
    """Same size, bleed, stock and back: one sheet may carry both. Otherwise never."""
    by_name = {deck.component.name: deck for deck in decks}
    for page in lay(decks, sheet, backs):
        together = {placed.name.partition("/")[0] for placed in faces(page)}
        assert all(may_share(by_name[one], by_name[two]) for one in together for two in together)


def test_two_small_decks_with_one_back_need_one_sheet() -> None:
    """Four cards and five fill an A4 sheet of nine; with another back, size or stock they need two."""
    first = deck("a", [4])
    assert len(lay([first, deck("b", [5])], paper("a4"), "none")) == 1
    for other in (deck("b", [5], back="deck"), deck("b", [5], size=(63.5, 88.9)), deck("b", [5], stock="board")):
        assert len(lay([first, other], paper("a4"), "none")) == 2
    assert len(lay([first, deck("b", [5], bleed=2)], paper("a4"), "none")) == 2


def test_decks_with_backs_of_their_own_share_with_none() -> None:
    """Where each card has its own back, the deck keeps its sheets to itself."""
    assert len(lay([deck("a", [1, 1], back="piece"), deck("b", [1, 1], back="piece")], paper("a4"), "none")) == 2


def test_a_later_deck_joins_the_sheets_of_an_earlier_one() -> None:
    """Decks that share need not be neighbours in the game's file; the others keep their order."""
    decks = [deck("a", [1]), deck("b", [1], back="deck"), deck("c", [1])]
    fronts = [[placed.name for placed in faces(page)] for page in lay(decks, paper("a4"), "none")]
    assert fronts == [["a/p0", "c/p0"], ["b/p0"]]


@file_of
@given(deck_lists(), papers, st.sampled_from(DUPLEX))
def test_fronts_and_backs_take_turns(decks: list[Deck], sheet: Paper, backs: Backs) -> None:
    """In a duplex file each front page is followed by its back page, which stays empty for decks without backs."""
    pages = lay(decks, sheet, backs)
    if any(piece.back for deck in decks for piece in deck.pieces):
        assert [page.side for page in pages] == ["front", "back"] * (len(pages) // 2)
        for front, back in zip(pages[::2], pages[1::2], strict=True):
            assert all(placed.side == "front" for placed in faces(front))
            assert all(placed.side == "back" for placed in faces(back))
            has_backs = any(wanted(decks, "back")[placed.name] for placed in faces(front))
            assert bool(faces(back)) == has_backs
            assert ("back stays empty" in slug(back)) == (not has_backs)
    else:
        assert all(page.side == "front" for page in pages)


@file_of
@given(deck_lists(), papers, st.sampled_from(["gutterfold", "none"]))
def test_single_sided_files_have_only_fronts(decks: list[Deck], sheet: Paper, backs: Backs) -> None:
    """Backs beside their fronts, or no backs, need no second side of the paper."""
    assert all(page.side == "front" for page in lay(decks, sheet, backs))


@file_of
@given(deck_lists(), papers, ways)
def test_sheets_are_numbered_on_both_sides(decks: list[Deck], sheet: Paper, backs: Backs) -> None:
    """Sheet 1 of 3, sheet 2 of 3 …: the same number on both sides, the same total everywhere."""
    pages = lay(decks, sheet, backs)
    for side in ("front", "back"):
        slugs = [slug(page) for page in pages if page.side == side]
        numbers = [tuple(map(int, re.findall(r"sheet (\d+) of (\d+)", text)[0])) for text in slugs]
        assert numbers == [(at, len(slugs)) for at in range(1, len(slugs) + 1)]


@file_of
@given(deck_lists(), papers, ways)
def test_a_slug_says_what_the_sheet_is(decks: list[Deck], sheet: Paper, backs: Backs) -> None:
    """Game, decks, side, scale, and on backs which edge to turn about."""
    titles = {deck.component.name: deck.component.title for deck in decks}
    for page in lay(decks, sheet, backs):
        words = slug(page).split(" · ")
        for placed in faces(page):
            assert titles[placed.name.partition("/")[0]] in words[1].split(", ")
        if page.side == "back":
            assert words[-1] == f"flip on {backs.replace('-', ' ')}"
        else:
            assert words[-1] == "print at 100 %"
            folded = any(placed.side == "back" for placed in faces(page))
            assert words[3] == ("fold along the dashed line, glue" if folded else "front")


@file_of
@given(deck_lists(), papers, ways)
def test_each_run_of_decks_has_one_bookmark(decks: list[Deck], sheet: Paper, backs: Backs) -> None:
    """On the front of its first sheet, naming all its decks."""
    pages = lay(decks, sheet, backs)
    marked = [page for page in pages if page.bookmark]
    assert sorted(title for page in marked for title in page.bookmark.split(", ")) == sorted(
        deck.component.title for deck in decks
    )
    for page in marked:
        first = faces(page)[0].name.partition("/")[0]
        assert page.side == "front"
        assert page.bookmark.split(", ")[0].lower() == first


@file_of
@given(deck_lists(), papers, ways)
def test_ink_of_one_piece_is_not_on_another(decks: list[Deck], sheet: Paper, backs: Backs) -> None:
    """A face may ink its own trim and its bleed around it, as far as the next piece's bleed begins."""
    for page in lay(decks, sheet, backs):
        boxes = [(trim(placed), placed.matrix.bounds(placed.clip)) for placed in faces(page)]
        for at, (own, ink) in enumerate(boxes):
            assert ink.x <= own.x + 1e-6
            assert ink.y <= own.y + 1e-6
            assert ink.right >= own.right - 1e-6
            assert ink.bottom >= own.bottom - 1e-6
            for other, _ in boxes[:at] + boxes[at + 1 :]:
                apart = max(other.x - ink.right, ink.x - other.right, other.y - ink.bottom, ink.y - other.bottom)
                assert apart >= -1e-6


def test_a_piece_that_does_not_fit_stops_the_file() -> None:
    """Nothing is scaled and nothing is left out."""
    with pytest.raises(TooLarge):
        lay([deck("a", [1]), deck("b", [1], size=(250, 350))], paper("a4"), "none")


def test_no_decks_make_no_pages() -> None:
    """An empty game has an empty file."""
    assert lay([], paper("a4"), "long-edge") == []
