"""The line at the foot of a sheet: how it is cut and how it is folded, in letters that can be read; nothing lies on it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from decks import DISC, HOME_PAPERS, NETS, RULER, deck, folded_deck, piece_deck

from pnp.lay.gang import ganged
from pnp.lay.impose import PrintSettings, pages, sheets
from pnp.lay.marks import Said, fitting_slug
from pnp.lay.sheet import runs
from pnp.read.presets import paper
from pnp.shapes.affine import Calibration
from pnp.shapes.units import PT_PER_MM
from pnp.values.faces import Deck, Label, Page
from pnp.values.game import Backs, Paper
from pnp.write.pdf import text_width

# Below this nobody reads without a glass.
READABLE = 6.0
GAME = "Penguin Pals’ Passing Puzzle 1.0"
HEX = ((0.0, 15.0), (26.0, 0.0), (52.0, 15.0), (52.0, 45.0), (26.0, 60.0), (0.0, 45.0))
on_home_papers = pytest.mark.parametrize("sheet", HOME_PAPERS, ids=lambda sheet: sheet.name)


def laid(decks: list[Deck], sheet: Paper, backs: Backs = "none", spot: bool = False) -> list[Page]:
    """The pages of these decks in a game with a long name."""
    press = PrintSettings(sheet, backs, Calibration(), GAME, text_width, spot=spot)
    return pages(ganged(sheets(runs(decks), sheet, backs), decks, sheet), press)


def slug(page: Page) -> list[Label]:
    """The one or two lines that begin with the game's name."""
    words = [item for item in page.items if isinstance(item, Label) and item.text != RULER]
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
    """Nets have lines, cards beside them marks; folds of both ways and tabs have their signs; all in 6 pt, with a ruler."""
    (first,) = laid(MIXED, sheet)

    assert "cut along the lines, else at the marks" in said(first)
    assert "– – fold to you, — · — away" in said(first) and "hatched: glue" in said(first)
    assert {label.size_pt for label in slug(first)} == {READABLE}
    assert any(isinstance(item, Label) and item.text == RULER for item in first.items)


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
    """On each sheet with its number, however tight it is; its lines keep off each other."""
    for page in laid([deck("cards with a long name", [20], size, 3), deck("others", [2], (40, 40), 3)], sheet, backs):
        lines = slug(page)
        assert all(label.size_pt >= READABLE for label in lines)
        assert "sheet " in said(page) and ("cut" in said(page) or "fold along" in said(page) or page.side == "back")
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
    assert "first cut off Coins, then two cuts between two" in said(page)
    beside = [piece_deck("hexes", [2], (52, 60), HEX, kind="tile", bleed=3), piece_deck("coins", [5], (30, 16))]
    (page,) = laid(beside, a4)
    assert "cut along the lines, else at the marks" in said(page) and "cut off" not in said(page)


def test_what_matters_least_is_left_out_first() -> None:
    """By rank, and the rest stays in its order; only what must stay is set smaller."""
    slug = [Said("Game"), Said("Cards", 2), Said("sheet 1"), Said("cut", 1), Said("print at 100 %", 3)]
    whole = " · ".join(part.text for part in slug)

    assert fitting_slug(slug, 500, text_width) == ([whole], READABLE)
    assert fitting_slug(slug, text_width("Game · Cards · sheet 1 · cut", 6) + 1, text_width)[0] == [
        "Game · Cards · sheet 1 · cut"
    ]
    assert fitting_slug(slug, text_width("Game · sheet 1 · cut", 6) + 1, text_width)[0] == ["Game · sheet 1 · cut"]
    assert fitting_slug(slug, text_width("Game · Cards · sheet 1", 6), text_width, 2)[0] == [
        "Game · Cards · sheet 1",
        "cut · print at 100 %",
    ]
    (line,), size = fitting_slug(slug, 5, text_width)
    assert line == "Game · sheet 1" and size < READABLE
