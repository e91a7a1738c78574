"""What the set-up takes from the box is in the box, for every player count, also where pools overlap."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from boards import taken
from conftest import TinyProject, examples, read_whole
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp.check.setup import RULE, look
from pnp.values.findings import Report, Subject, TableShown
from pnp.values.game import Component, Game
from pnp.values.problems import Place, Problem
from pnp.values.rules import Rules
from pnp.values.sections import Setup
from pnp.values.tables import Cell, Row, Table

CARDS = "name,kind,gold,copies\nAnna,crew,yes,6\nBert,crew,no,4\nRum,cargo,yes,10\n"


def looked(tiny: TinyProject, players: str, *takes: str) -> Report:
    """What the set-up check of the tiny game with these takes finds."""
    sections = "".join(f'[setup.take.t{index}]\nfrom = "cards"\n{take}\n' for index, take in enumerate(takes))
    tiny.put(cards_csv=CARDS, rules_toml=f'[setup]\nplayers = "{players}"\n{sections}')
    game = read_whole(tiny.project)
    return look(Subject(game))


def rows_of(report: Report) -> dict[str, tuple[str, ...]]:
    """The set-up table by its first column."""
    (table,) = report.shown
    assert isinstance(table, TableShown)
    return {name: tuple(cells) for name, *cells in (table.header, *table.rows)}


def the_problem(report: Report) -> Problem:
    """The one thing that is missing."""
    (problem,) = report.problems
    return problem


PLACE = Place("rules.toml", 1, "setup")


def made_game(copies: Sequence[int], takes: Sequence[tuple[frozenset[int], int]]) -> Game:
    """A game of one component whose rows have so many copies, and takes from some of its rows."""
    columns = tuple(f"t{index}" for index in range(len(takes)))
    rows = []
    for index, count in enumerate(copies):
        place = Place("cards.csv", index + 2)
        cells = {
            f"t{take}": Cell("yes" if index in chosen else "no", "yes" if index in chosen else "no", place)
            for take, (chosen, _) in enumerate(takes)
        }
        rows.append(Row(str(index), count, place, cells, set()))
    table = Table("cards", "cards.csv", columns, tuple(rows), set())
    component = Component("cards", "Cards", "card", table, "cards", None, 63, 88, 3, "card", PLACE)
    setup = Setup(
        players="2",
        take={
            f"t{index}": taken(f"t{index}", f"t{index}", {f"t{index}": "yes"}, str(number))
            for index, (_, number) in enumerate(takes)
        },
    )
    game = object.__new__(Game)
    for name, value in {
        **dict.fromkeys(Game.__slots__),
        "name": "g", "title": "G", "version": "1", "language": "en", "about": {}, "texts": {}, "layouts": (),
        "tables": {"cards": table}, "components": (component,), "rules": Rules(setup=setup),
    }.items():  # fmt: skip
        object.__setattr__(game, name, value)
    return game


def can_deal(copies: Sequence[int], takes: Sequence[tuple[frozenset[int], int]]) -> bool:
    """Whether there is a way of taking every piece from a row of its take, by trying all."""
    wanted = [sorted(chosen) for chosen, number in takes for _ in range(number)]
    return any(all(choice.count(row) <= count for row, count in enumerate(copies)) for choice in itertools.product(*wanted))


def test_enough_for_all_is_shown_with_what_is_left(tiny: TinyProject) -> None:
    """The table has what each count takes, and what stays in the box."""
    report = looked(
        tiny,
        "2-4",
        'what = "hand"\nwhere = { kind = "crew" }\nnumber = 2\nper = "player"',
        'what = "market"\nwhere = { kind = "cargo" }\nnumber = "10 - players"',
    )

    assert not report.problems
    assert rows_of(report) == {
        "players": ("2", "3", "4"),
        "hand, each": ("4", "6", "8"),
        "market": ("8", "7", "6"),
        "left over: Cards, kind crew": ("6", "4", "2"),
        "left over: Cards, kind cargo": ("2", "3", "4"),
    }


def test_too_few_are_named_with_count_and_numbers(tiny: TinyProject) -> None:
    """The player count, what is taken, how many are needed and how many there are."""
    problem = the_problem(looked(tiny, "2-5", 'what = "crew"\nwhere = { kind = "crew" }\nnumber = 3\nper = "player"'))

    assert (problem.rule, str(problem.place)) == (RULE, "content/tiny/rules.toml:3:setup.take.t0")
    assert problem.message == "with 5 players the set-up takes 15 of Cards, kind crew (crew), and 10 are there"
    assert (problem.value, problem.allowed) == ("15", "at most 10")
    assert problem.hint == "5 missing. It takes too many with other numbers, too: 12 with 4."


def test_takes_of_one_pool_are_added_up(tiny: TinyProject) -> None:
    """Two takes from the same rows share their copies, also when they describe them differently."""
    problem = the_problem(
        looked(
            tiny,
            "2",
            'what = "rum"\nwhere = { kind = "cargo" }\nnumber = 6',
            'what = "more rum"\nwhere = { name = "Rum" }\nnumber = 5',
        )
    )

    assert "takes 11 of Cards, kind cargo (rum, more rum), and 10 are there" in problem.message


def test_a_value_that_no_row_has_is_named(tiny: TinyProject) -> None:
    """None are there, and a near value is offered."""
    problem = the_problem(looked(tiny, "2", 'what = "crew"\nwhere = { kind = "cerw" }\nnumber = 1'))

    assert "and none are there" in problem.message
    assert 'No row has kind "cerw". Did you mean "crew"?' in problem.hint


@pytest.mark.parametrize(
    ("number", "words"),
    [
        ('"players / 4"', "for 2 players it is 0.5"),
        ('"players - 3"', "for 2 players it is -1"),
        ('"players > 3"', "for 2 players it is false"),
        ('"playrs"', 'Did you mean "players"?'),
        ('"cards"', '"cards" is not known'),
        ('"2 +"', "no value"),
    ],
)
def test_a_number_that_is_none_is_a_broken_claim(tiny: TinyProject, number: str, words: str) -> None:
    """It is told at the take, and the others are checked all the same."""
    report = looked(tiny, "2", f'what = "x"\nnumber = {number}', 'what = "all"\nnumber = 21')

    first, second = report.problems
    assert (first.rule, str(first.place)) == ("broken-claim", "content/tiny/rules.toml:3:setup.take.t0.number")
    assert words in str(first)
    assert second.rule == RULE and "takes 21 of Cards (all)" in second.message


def test_a_number_may_ask_the_tables(tiny: TinyProject) -> None:
    """The whole language of claims can be used, and a number that comes out whole is whole."""
    report = looked(tiny, "2-3", 'what = "all"\nnumber = \'count("cards", kind="crew") / 5 * players\'')

    assert not report.problems
    assert rows_of(report)["all"] == ("4", "6")


@given(
    copies=st.lists(st.integers(0, 3), min_size=1, max_size=3),
    takes=st.lists(st.tuples(st.frozensets(st.integers(0, 2), min_size=1), st.integers(0, 3)), min_size=1, max_size=3),
)
@settings(max_examples=examples(200), deadline=None)
def test_the_set_up_can_be_dealt_just_when_nothing_is_found(
    copies: list[int], takes: list[tuple[frozenset[int], int]]
) -> None:
    """The check of sums is as exact as trying every way of dealing."""
    takes = [(frozenset(row % len(copies) for row in chosen), number) for chosen, number in takes]

    assert (not look(Subject(made_game(copies, takes))).problems) == can_deal(copies, takes)
