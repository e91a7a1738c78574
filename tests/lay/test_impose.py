"""Decks on sheets: nothing lost, nothing doubled, fronts and backs in turn, sheets numbered."""

from __future__ import annotations

import math
import re
from collections import Counter

import pytest
from conftest import examples
from decks import (
    DUPLEX,
    RULER,
    WAYS,
    deck,
    deck_lists,
    faces,
    labels,
    lay,
    lines,
    papers,
    trim,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp.lay.gang import ganged
from pnp.lay.grid import TooLarge, find_grid
from pnp.lay.impose import sheets
from pnp.lay.sheet import Sheet, runs, sides
from pnp.read.presets import paper
from pnp.values.faces import Deck, Page
from pnp.values.game import Backs, Paper, Side

ways = st.sampled_from(WAYS)


def printed(pages: list[Page], side: Side) -> Counter[str]:
    """How often each piece's side is on the pages, by its name."""
    return Counter(placed.name for page in pages for placed in faces(page) if placed.side == side)


def wanted(decks: list[Deck], side: Side) -> Counter[str]:
    """How often it should be there: as often as the deck says, its back too if it has one."""
    return Counter(
        {f"{piece.component}/{piece.id}": piece.copies for deck in decks for piece in deck.pieces if piece.side(side)}
    )


def has_backs(deck: Deck) -> bool:
    """Whether its cards are printed on both sides."""
    return any(piece.back for piece in deck.pieces)


def alike(one: Deck, two: Deck) -> bool:
    """Two decks of one size, stock and number of sides, whatever is on their backs."""
    mine, theirs = one.component, two.component
    same = all(getattr(mine, what) == getattr(theirs, what) for what in ("width", "height", "bleed", "paper"))
    return same and has_backs(one) == has_backs(two)


def slug(page: Page) -> str:
    return " · ".join(label.text for label in labels(page) if label.text != RULER)


def every_copy_is_printed_once(decks: list[Deck], sheet: Paper, backs: Backs, pages: list[Page]) -> None:
    """In the file of all decks, and in each deck's own file."""
    for some in [decks, *([each] for each in decks)]:
        file = pages if some is decks else lay(some, sheet, backs)
        assert printed(file, "front") == wanted(some, "front")
        assert printed(file, "back") == (Counter() if backs == "none" else wanted(some, "back"))


def a_deck_s_full_sheets_are_its_own(decks: list[Deck], sheet: Paper, backs: Backs, pages: list[Page]) -> None:
    """In its table's order; what is left over of it lies on one sheet more, or where that saves one, on several."""
    plain = sheets(runs(decks), sheet, backs)
    for each in decks:
        part = each.component
        way: Backs = backs if has_backs(each) else "none"
        capacity = find_grid(sheet, part.width, part.height, part.bleed, way).capacity
        copies = [piece for piece in each.pieces for _ in range(piece.copies)]
        whole = len(copies) // capacity
        own = [
            made.pieces for made in plain if isinstance(made, Sheet) and {p.component for p in made.pieces} == {part.name}
        ]
        assert [piece for pieces in own[:whole] for piece in pieces] == copies[: whole * capacity]
    for first in decks:
        sharing = [deck for deck in decks if alike(deck, first)]
        part = first.component
        way = backs if has_backs(first) else "none"
        capacity = find_grid(sheet, part.width, part.height, part.bleed, way).capacity
        names = {deck.component.name for deck in sharing}
        needed = math.ceil(sum(deck.copies for deck in sharing) / capacity)
        assert sum(bool(names & {p.component for p in made.pieces}) for made in plain if isinstance(made, Sheet)) == needed


def only_what_is_made_alike_shares_sheets(decks: list[Deck], sheet: Paper, backs: Backs, pages: list[Page]) -> None:
    """One stock; and what has backs is never laid where a sheet has none."""
    by_name = {deck.component.name: deck for deck in decks}
    for made in ganged(sheets(runs(decks), sheet, backs), decks, sheet):
        assert isinstance(made, Sheet)
        together = [by_name[piece.component] for piece in made.pieces]
        assert len({deck.component.paper for deck in together}) == 1
        if backs != "none" and any(map(has_backs, together)):
            assert made.way == backs
        if made.way == "gutterfold":
            assert all(map(has_backs, together))


def test_decks_share_a_sheet_whatever_their_backs_are() -> None:
    """Four cards and five fill an A4 sheet of nine; with another size or stock they need two, where neither has room."""
    first = deck("a", [4])
    for other in (deck("b", [5]), deck("b", [5], back="deck"), deck("b", [5], back="piece")):
        (front, back) = lay([first, other], paper("a4"), "long-edge")
        assert len(faces(front)) == len(faces(back)) == 9
    assert len(lay([first, deck("b", [5], stock="board")], paper("a4"), "none")) == 2


def test_only_leftovers_of_decks_are_put_together() -> None:
    """20 and 14 cards, nine a sheet: three full sheets, each of one deck, then two and five on the fourth."""
    made = lay([deck("a", [20]), deck("b", [14], back="deck")], paper("a4"), "none")
    assert [Counter(placed.name[0] for placed in faces(page)) for page in made] == [
        {"a": 9},
        {"a": 9},
        {"b": 9},
        {"a": 2, "b": 5},
    ]


def test_cards_without_backs_fill_the_cells_that_others_leave() -> None:
    """Their reverse stays empty; on a sheet without backs those with some would lose theirs."""
    front, back = lay([deck("a", [5]), deck("b", [4], back="none")], paper("a4"), "long-edge")
    assert len(faces(front)) == 9
    assert {placed.name for placed in faces(back)} == {"a/p0"}
    assert len(lines(front)) == len(lines(lay([deck("a", [9])], paper("a4"), "none")[0]))


def fronts_and_backs_take_turns(decks: list[Deck], sheet: Paper, backs: Backs, pages: list[Page]) -> None:
    """First each front page with backs and its back page, so that fronts have odd numbers; then pages of one side."""
    if backs not in DUPLEX:
        return
    two = sum(page.side == "back" for page in pages)
    assert [page.side for page in pages] == [*["front", "back"] * two, *["front"] * (len(pages) - 2 * two)]
    for at, page in enumerate(pages):
        backed = any(wanted(decks, "back")[placed.name] for placed in faces(page))
        assert backed == (at < 2 * two)
        assert {placed.side for placed in faces(page)} == {page.side}
        assert ("one side" in slug(page)) == (at >= 2 * two)


def sheets_of_one_paper_follow_each_other(decks: list[Deck], sheet: Paper, backs: Backs, pages: list[Page]) -> None:
    """Of two sides, then of one; the papers in the order in which the game names them."""
    named = list(dict.fromkeys(deck.component.paper for deck in decks))
    made = ganged(sheets(runs(decks), sheet, backs), decks, sheet)
    order = [(sides(each) == 1, named.index(each.paper)) for each in made]
    assert order == sorted(order)


def single_sided_files_have_only_fronts(decks: list[Deck], sheet: Paper, backs: Backs, pages: list[Page]) -> None:
    """Backs beside their fronts, or no backs, need no second side of the paper."""
    if backs in DUPLEX:
        return
    assert all(page.side == "front" for page in pages)


def sheets_are_numbered_on_both_sides(decks: list[Deck], sheet: Paper, backs: Backs, pages: list[Page]) -> None:
    """Sheet 1 of 3, sheet 2 of 3 …: the same number on both sides, the same total everywhere."""
    count = sum(page.side == "front" for page in pages)
    number = 0
    for page in pages:
        number += page.side == "front"
        assert f" · sheet {number} of {count} · " in slug(page)


def a_slug_says_what_the_sheet_is(decks: list[Deck], sheet: Paper, backs: Backs, pages: list[Page]) -> None:
    """Game, decks, side, how it is cut, scale, on backs which edge to turn about; on small paper the first of these."""
    titles = {deck.component.name: deck.component.title for deck in decks}
    for page in pages:
        words = slug(page).split(" · ")
        assert words[0] == "A Game 1.0" and any(word.startswith("sheet ") for word in words)
        if page.side == "back":
            assert words[-1] == f"flip on {backs.replace('-', ' ')}" or sheet.width < 200
            continue
        assert any(" cut" in f" {word}" for word in words) or sheet.width < 200
        if words[-1] == "print at 100 %":
            for placed in faces(page):
                # Of many only the first are named.
                named = words[1].split(", ")
                assert titles[placed.name.partition("/")[0]] in named or re.search(r" and \d+ more$", named[-1])
            folded = any(placed.side == "back" for placed in faces(page))
            backed = any(wanted(decks, "back")[placed.name] for placed in faces(page)) and backs != "none"
            assert words[3] == ("fold along the dashed line, glue" if folded else "front" if backed else "one side")


def each_run_of_decks_has_one_bookmark(decks: list[Deck], sheet: Paper, backs: Backs, pages: list[Page]) -> None:
    """On the front of its first sheet, naming all its decks; a deck on sheets of two sides and of one is named by both."""
    marked = [page for page in pages if page.bookmark]
    assert len({page.bookmark for page in marked}) == len(marked)
    named = {title for page in marked for title in page.bookmark.split(", ")}
    assert named == {deck.component.title for deck in decks}
    for at, page in enumerate(pages):
        assert page.side == "front" or not page.bookmark
        last = next(before.bookmark for before in reversed(pages[: at + 1]) if before.bookmark)
        on_it = {placed.name.partition("/")[0].title() for placed in faces(page)}
        assert on_it <= set(last.split(", "))


def ink_of_one_piece_is_not_on_another(decks: list[Deck], sheet: Paper, backs: Backs, pages: list[Page]) -> None:
    """A face may ink its own trim and its bleed around it, as far as the next piece's bleed begins."""
    for page in pages:
        boxes = [(trim(placed), placed.matrix.bounds(placed.clip)) for placed in faces(page)]
        for at, (own, ink) in enumerate(boxes):
            assert ink.x <= own.x + 1e-6
            assert ink.y <= own.y + 1e-6
            assert ink.right >= own.right - 1e-6
            assert ink.bottom >= own.bottom - 1e-6
            for other, _ in boxes[:at] + boxes[at + 1 :]:
                apart = max(other.x - ink.right, ink.x - other.right, other.y - ink.bottom, ink.y - other.bottom)
                assert apart >= -1e-6


@settings(max_examples=examples(120), deadline=None)
@given(deck_lists(), papers, ways)
def test_files_are_sound(decks: list[Deck], sheet: Paper, backs: Backs) -> None:
    """All that is promised of a file, on the same one."""
    for check in (
        every_copy_is_printed_once,
        a_deck_s_full_sheets_are_its_own,
        only_what_is_made_alike_shares_sheets,
        fronts_and_backs_take_turns,
        sheets_of_one_paper_follow_each_other,
        single_sided_files_have_only_fronts,
        sheets_are_numbered_on_both_sides,
        a_slug_says_what_the_sheet_is,
        each_run_of_decks_has_one_bookmark,
        ink_of_one_piece_is_not_on_another,
    ):
        check(decks, sheet, backs, lay(decks, sheet, backs))


def test_a_piece_that_does_not_fit_stops_the_file() -> None:
    """Nothing is scaled and nothing is left out."""
    with pytest.raises(TooLarge):
        lay([deck("a", [1]), deck("b", [1], size=(250, 350))], paper("a4"), "none")
