"""What the set-up takes from the box is in the box, for every player count, also where pools overlap."""

from __future__ import annotations

from itertools import chain, combinations
from pathlib import Path

import pytest
from conftest import TinyProject, examples, read_whole
from hypothesis import given, settings
from hypothesis import strategies as st
from stage import stage_game

from pnp.check.setup import RULE, look, too_many
from pnp.values.findings import Report, Subject, TableShown
from pnp.values.problems import Problem

CARDS = "name,kind,gold,copies\nAnna,crew,yes,6\nBert,crew,no,4\nRum,cargo,yes,10\n"


def looked(tiny: TinyProject, players: str, *takes: str) -> Report:
    """What the set-up check of the tiny game with these takes finds."""
    sections = "".join(f'[setup.take.t{index}]\nfrom = "cards"\n{take}\n' for index, take in enumerate(takes))
    tiny.put(cards_csv=CARDS, rules_toml=f'[setup]\nplayers = "{players}"\n{sections}')
    return look(Subject(read_whole(tiny.project)))


def rows_of(report: Report) -> dict[str, tuple[str, ...]]:
    """The set-up table by its first column."""
    (table,) = report.shown
    assert isinstance(table, TableShown)
    return {name: tuple(cells) for name, *cells in (table.header, *table.rows)}


def the_problem(report: Report) -> Problem:
    """The one thing that is missing."""
    (problem,) = report.problems
    return problem


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
    rum, more = (
        'what = "rum"\nwhere = { kind = "cargo" }\nnumber = 6',
        'what = "more rum"\nwhere = { name = "Rum" }\nnumber = 5',
    )
    problem = the_problem(looked(tiny, "2", rum, more))

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
        ('"playrs"', 'Did you mean "players"?'),
    ],
)
def test_a_number_that_is_none_is_a_broken_claim(tiny: TinyProject, number: str, words: str) -> None:
    """It is told at the take, and the others are checked all the same."""
    report = looked(tiny, "2", f'what = "x"\nnumber = {number}', 'what = "all"\nnumber = 21')

    first, second = report.problems
    assert (first.rule, str(first.place)) == ("broken-claim", "content/tiny/rules.toml:3:setup.take.t0.number")
    assert words in str(first)
    assert second.rule == RULE and "takes 21 of Cards (all)" in second.message


takes = st.lists(st.tuples(st.integers(0, 6), st.sets(st.integers(0, 3))), min_size=1, max_size=5)


@settings(max_examples=examples(400), deadline=None)
@given(takes, st.lists(st.integers(0, 6), min_size=4, max_size=4))
def test_takes_are_too_many_where_hall_says_so(taken: list[tuple[int, set[int]]], supply: list[int]) -> None:
    """Some of them need more than all their sources hold; those named do, and none of them needlessly."""
    needs, sources = [need for need, _ in taken], [from_ for _, from_ in taken]

    def short(some: tuple[int, ...]) -> bool:
        held = sum(supply[source] for source in set().union(*(sources[take] for take in some)))
        return sum(needs[take] for take in some) > held

    several = chain.from_iterable(combinations(range(len(taken)), number) for number in range(1, len(taken) + 1))
    named = too_many(needs, sources, supply)

    assert (named is None) == (not any(map(short, several)))
    if named is not None:
        assert short(tuple(named)) and not any(map(short, combinations(named, len(named) - 1)))


def test_no_more_lie_on_squares_than_the_board_has(tmp_path: Path) -> None:
    """sea.txt has two wells, the moor none: three discs are too many for it, and each is for the board that is taken."""
    take = '[setup]\nplayers = "2-3"\n[setup.take.sea]\nwhat = "sea"\nfrom = "sea"\nnumber = "players - 2"\n'
    take += '[setup.take.moor]\nwhat = "moor"\nfrom = "moor"\nnumber = "3 - players"\n'
    discs = '[setup.take.discs]\nwhat = "discs"\nfrom = "discs"\nwhere = {{ id = "green" }}\nnumber = "{}"\non = "well"\n'

    def told(number: str) -> list[tuple[str | None, str, str]]:
        game = stage_game(tmp_path, rules=take + discs.format(number))
        return [(each.place.column, each.value, each.allowed) for each in look(Subject(game)).problems]

    assert told("2 * (players - 2)") == []
    assert told("3 * (players - 2)") == [("setup.take.discs.on", "3", "at most 2")]
    assert told("1") == [("setup.take.discs.on", "1", "at most 0")]
