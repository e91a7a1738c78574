"""A broken promise is told at the row that breaks it, where one cell tells it from all others, and else at the promise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from pnp.check import claims, expected_counts
from pnp.check import placed as module
from pnp.check.changes import Change, Changes
from pnp.check.placed import MOST_STEPS, MOST_TRIED, placed
from pnp.read.game import read_game
from pnp.read.project import Project
from pnp.values.findings import Subject
from pnp.values.game import Game
from pnp.values.problems import Problem, Problems

if TYPE_CHECKING:
    from conftest import TinyProject

GAME = """
[game]
name = "Tiny"

[table.cards.columns]
cost = { type = "whole" }

[component.cards]
size = "tcg"
"""
CARDS = """id,name,kind,cost,copies
ann,Ann,crew,1,2
bert,Bert,crew,1,2
cleo,Cleo,crew,1,2
rum,Rum,cargo,3,2
silk,Silk,cargo,3,2
tea,Tea,cargo,3,2
"""
CLAIM = "[claim.{name}]\nsays = \"It is so.\"\nexpect = '{expect}'\n"


def rules(**expected: str) -> str:
    """A rules.toml with these claims."""
    return "".join(CLAIM.format(name=name, expect=expect) for name, expect in expected.items())


def game_of(tiny: TinyProject, rules: str, cards: str, expect: str = "") -> Game:
    """The tiny game with these cards, read without a fault."""
    tiny.write("content/tiny/game.toml", GAME + expect)
    tiny.write("content/tiny/cards.csv", cards)
    tiny.write("content/tiny/rules.toml", rules)
    problems = Problems()
    game = read_game(Project(tiny.project.root), "tiny", problems)
    assert game is not None and not list(problems), [str(problem) for problem in problems]
    return game


def told(game: Game) -> list[Problem]:
    """What counting and claims find, placed."""
    return placed(game, [*expected_counts.look(Subject(game)).problems, *claims.look(Subject(game)).problems])


def where(problems: list[Problem]) -> list[str]:
    """The places, without the folder."""
    return [str(problem.place).removeprefix("content/tiny/") for problem in problems]


# --- one row ----------------------------------------------------------------------------------------------


def test_a_misspelt_value_is_told_at_its_cell(tiny: TinyProject) -> None:
    """The row that says what no other says is the place; the claim, the piece and what would be true are told as well."""
    game = game_of(tiny, rules(crew='count("cards", kind="crew") == 6'), CARDS.replace("Bert,crew", "Bert,crwe"))
    (problem,) = told(game)

    assert where([problem]) == ["cards.csv:3:kind"]
    assert "(content/tiny/rules.toml:1:claim.crew)" in problem.message
    assert problem.hint.endswith('With "crew" instead of "crwe" in this cell it would be true.')
    assert str(problem.about) == "cards/bert"


def test_the_one_number_unlike_the_others_is_told(tiny: TinyProject) -> None:
    """Of copies 2, 2, 2, 3, 2, 2 the 3 is most likely the one too many."""
    game = game_of(tiny, "", CARDS.replace("Rum,cargo,3,2", "Rum,cargo,3,3"), "[expect.cards]\ncopies = 12\n")

    assert where(told(game)) == ["cards.csv:5:copies"]


def test_what_two_promises_say_together_tells_the_row(tiny: TinyProject) -> None:
    """One card too many of a kind and one too many of a cost is a card of both."""
    both = rules(crew='count("cards", kind="crew") == 5', dear='count("cards", cost=3) == 6')
    cards = CARDS.replace("Cleo,crew,1,2", "Cleo,crew,3,2").replace("Ann,crew,1,2", "Ann,crew,1,1")
    cards = cards.replace("Tea,cargo,3,2", "Tea,cargo,1,3").replace("Cleo,crew,3,2", "Cleo,crew,3,3")

    assert where(told(game_of(tiny, both, cards))) == ["cards.csv:4:copies"] * 2


def test_a_gap_in_a_row_of_numbers_is_told_where_it_is(tiny: TinyProject) -> None:
    """1, 2, 3, 6, 5, 6 should count up: it is the first 6, though both are numbers of the list."""
    cards = "id,cost\n" + "".join(f"c{number},{cost}\n" for number, cost in enumerate((1, 2, 3, 6, 5, 6)))
    game = game_of(tiny, rules(up='rows("cards") | map(attribute="cost") | list == [1, 2, 3, 4, 5, 6]'), cards)

    assert where(told(game)) == ["cards.csv:5:cost"]


def test_a_row_that_stands_twice_is_told(tiny: TinyProject) -> None:
    """The second of two rows that say the same is the one too many."""
    cards = "name,cost\nAnn,1\nBert,2\nBert,2\nCleo,3\n"
    game = game_of(tiny, rules(up='rows("cards") | map(attribute="cost") | list == [1, 2, 3]'), cards)
    (problem,) = told(game)

    assert where([problem]) == ["cards.csv:4"]
    assert problem.hint.endswith("This row says what one before it says; without it that would be true.")


def test_the_row_that_a_claim_fails_for_is_the_place(tiny: TinyProject) -> None:
    """``for`` names the row, and the claim looks at what stands in it."""
    rule = rules(cheap="card.cost < 4").replace('rule = "', "") + "for = 'card in rows(\"cards\")'\n"
    (problem,) = told(game_of(tiny, rule, CARDS.replace("Rum,cargo,3", "Rum,cargo,30")))

    assert problem.place.row == 5
    assert "(content/tiny/rules.toml:1:claim.cheap)" in problem.message


# --- not one row ------------------------------------------------------------------------------------------


def test_where_several_rows_would_do_the_promise_is_the_place_and_they_are_named(tiny: TinyProject) -> None:
    """Any crew card could be the one that costs more: no row is made out to be the one."""
    game = game_of(tiny, rules(sum='rows("cards", kind="crew") | sum(attribute="cost") == 4'), CARDS)
    (problem,) = told(game)

    assert where([problem]) == ["rules.toml:1:claim.sum"]
    assert "one of rows 2, 3, 4 of cards.csv" in problem.hint


def test_where_the_rows_keep_another_promise_the_rule_is_wrong(tiny: TinyProject) -> None:
    """The table keeps what ``[expect]`` promises: then it is the claim that counts wrongly, and no row is blamed."""
    cards = "id,kind,cost,copies\nann,crew,1,6\nrum,cargo,1,6\n"
    expect = '[expect.cards]\ncopies = 12\nsplit = [{ by = "kind", counts = { crew = 6, cargo = 6 } }]\n'
    game = game_of(tiny, rules(crew='count("cards", kind="crew") == 7'), cards, expect)
    (problem,) = told(game)

    assert where([problem]) == ["rules.toml:1:claim.crew"]
    assert "row" not in problem.hint.replace("cards.csv row 2", "")


def test_one_row_asked_for_by_name_proves_nothing_against_it(tiny: TinyProject) -> None:
    """Row or claim may be wrong: the row is named, and the place stays at the claim."""
    game = game_of(tiny, rules(ann='rows("cards", id="ann")[0].cost == 2'), CARDS)
    (problem,) = told(game)

    assert where([problem]) == ["rules.toml:1:claim.ann"]
    assert 'with "2" instead of "1" in row 2, cost, of cards.csv' in problem.hint


# --- what it costs ----------------------------------------------------------------------------------------


def test_everything_is_as_it_was_afterwards(tiny: TinyProject) -> None:
    """Cells are changed in memory and put back: the game is judged the same again, in the same words."""
    game = game_of(tiny, rules(crew='count("cards", kind="crew") == 6'), CARDS.replace("Bert,crew", "Bert,crwe"))
    before = [(row.copies, dict(row.cells)) for row in game.tables["cards"]]
    first = told(game)

    assert [(row.copies, dict(row.cells)) for row in game.tables["cards"]] == before
    assert [str(problem) for problem in told(game)] == [str(problem) for problem in first]


@pytest.mark.parametrize("size", [2_000])
def test_a_large_table_is_not_tried_to_the_end(size: int, tiny: TinyProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is likely is tried first, and the search ends; nothing that was not looked at all is certain."""
    tried: list[int] = []
    asked = claims.Again.holds
    monkeypatch.setattr(claims.Again, "holds", lambda self, anew=True: tried.append(1) or asked(self, anew))
    cards = "id,kind,cost\n" + "".join(f"c{number},k{number % 30},{number % 7}\n" for number in range(size))
    game = game_of(tiny, rules(sum='rows("cards") | sum(attribute="cost") == 1'), cards)
    (problem,) = told(game)

    assert where([problem]) == ["rules.toml:1:claim.sum"]
    assert len(tried) <= MOST_TRIED + 2


def test_of_a_large_table_some_changes_are_made(tiny: TinyProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them would fill the memory before the first is tried."""
    made: list[int] = []
    of = Changes.of

    def counted(*asked: Any) -> Iterator[Change]:
        for change in of(*asked):
            made.append(1)
            yield change

    monkeypatch.setattr(Changes, "of", counted)
    monkeypatch.setattr(module, "MOST_MADE", 2_000)
    cards = "id,cost\n" + "".join(f"c{number},{number % 37}\n" for number in range(200))
    told(game_of(tiny, rules(sum='rows("cards") | sum(attribute="cost") == 1'), cards))

    assert len(made) == 2_000


def test_a_look_at_many_rows_counts_for_more(tiny: TinyProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting a large table again and again ends the sooner."""
    tried: list[int] = []
    check = expected_counts.check
    monkeypatch.setattr(expected_counts, "check", lambda game: tried.append(1) or check(game))
    cards = "id,cost,copies\n" + "".join(f"c{number},1,{number % 7 + 1}\n" for number in range(1_000))
    told(game_of(tiny, "", cards, "[expect.cards]\ncopies = 12\n"))

    assert 10 < len(tried) <= MOST_STEPS // 10_000 + 5
