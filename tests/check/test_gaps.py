"""A row that is missing is named, where the rows that are there show which one it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pnp.check import claims, expected_counts
from pnp.check.placed import placed
from pnp.read.game import read_game
from pnp.read.project import Project
from pnp.values.findings import Subject
from pnp.values.problems import Problems

if TYPE_CHECKING:
    from conftest import TinyProject

GAME = '[game]\nname = "Tiny"\n\n[component.cards]\nsize = "tcg"\n\n[expect.cards]\n'
NUMBERED = "id,name\n" + "".join(f"{number},N{number}\n" for number in range(1, 13) if number != 9)
DECKS = "id,deck,number\n" + "".join(
    f"{deck}{number},{deck},{number}\n" for deck in ("bell", "wheel") for number in range(3) if (deck, number) != ("bell", 2)
)
FEW = "id,kind\n" + "".join(f"{kind}-{number},{kind}\n" for kind in ("red", "blue", "green") for number in range(4))[:-14]
FREE = "id,cost\na,1\nb,2\nc,4\nd,9\ne,16\n"


def hints(tiny: TinyProject, cards: str, promised: int, rules: str = "") -> str:
    """What is said of the one promise that is broken."""
    tiny.write("content/tiny/game.toml", GAME + f"different = {promised}\n")
    tiny.write("content/tiny/cards.csv", cards)
    tiny.write("content/tiny/rules.toml", rules)
    problems = Problems()
    game = read_game(Project(tiny.project.root), "tiny", problems)
    assert game is not None and not list(problems), [str(problem) for problem in problems]
    found = [*expected_counts.look(Subject(game)).problems, *claims.look(Subject(game)).problems]
    (problem,) = placed(game, found)
    return problem.hint


@pytest.mark.parametrize(
    ("cards", "promised", "told"),
    [
        (NUMBERED, 12, "1 missing. id 9 is missing between rows 9 and 10."),
        (DECKS, 6, "1 missing. No row has deck bell with number 2."),
        (FEW, 12, "1 missing. kind green has 3 rows, and every other kind has 4."),
    ],
)
def test_the_gap_is_named(tiny: TinyProject, cards: str, promised: int, told: str) -> None:
    """A number left out, a pair that no row has, a value that has fewer rows than the others."""
    assert hints(tiny, cards, promised) == told


def test_rows_that_show_no_order_have_no_gap(tiny: TinyProject) -> None:
    """1, 2, 4, 9, 16 may be meant so."""
    assert hints(tiny, FREE, 6) == "1 missing."


def test_more_rows_than_the_gap_holds_are_not_explained_by_it(tiny: TinyProject) -> None:
    """Two gaps and one row missing: the tables are hardly meant to be without any."""
    assert hints(tiny, NUMBERED.replace("4,N4\n", ""), 11) == "1 missing."


def test_a_claim_over_such_rows_names_it_too(tiny: TinyProject) -> None:
    """No cell could be changed to make it true: it is a row that lacks."""
    rules = "[claim.twelve]\nsays = \"It is so.\"\nexpect = 'count(\"cards\") == 12'\nfor = 'each in [1]'\n"

    assert hints(tiny, NUMBERED, 11, rules).endswith("In cards.csv: id 9 is missing between rows 9 and 10.")


@pytest.mark.parametrize(("each", "where"), [(2, "cards.csv:8:kind"), (3, "game.toml")])
def test_what_most_values_break_is_told_at_the_promise(tiny: TinyProject, each: int, where: str) -> None:
    """One kind with one card is a card that is missing; where all four kinds are wrong, the promise is."""
    tiny.write("content/tiny/game.toml", GAME + f'split = [{{ by = "kind", each = {each} }}]\n')
    cards = "id,kind\na,red\nb,red\nc,blue\nd,blue\ne,green\nf,green\ng,black\n"
    tiny.write("content/tiny/cards.csv", cards)
    game = read_game(Project(tiny.project.root), "tiny", Problems())
    assert game is not None
    found = list(expected_counts.look(Subject(game)).problems)

    assert len(found) == (1 if each == 2 else 4)
    assert all(where in str(problem.place) for problem in found), [str(problem) for problem in found]
