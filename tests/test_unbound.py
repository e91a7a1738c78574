"""``pnp check --unbound``: each number of a game is changed in memory; those that no rule notices are told."""

from __future__ import annotations

import json

import pytest
from commands import run
from conftest import TINY_GAME, TinyProject, files_in

from pnp.flows import unbound
from pnp.flows.batch import check_games
from pnp.flows.check import check_game
from pnp.flows.unbound import tell_unbound
from pnp.system.watchdog import Watchdog
from pnp.values.outcome import NOWHERE, Bound, Options, Result

CLAIM = "[claim.{}]\nsays = \"It is so.\"\nexpect = '{}'\n"
ALLOW = '[[allow]]\nrule = "{}"\nabout = "{}"\nbecause = "It is meant."\n'
GAME = TINY_GAME
# Nothing in it is a number.
BARE = "name,text\nAnna,Draw.\nBert,Pass.\n"


def quiet(_: str) -> None:
    """Nobody listens."""


def looked(tiny: TinyProject, **files: str) -> Result:
    """What is told of a tiny game with these files, ``cards_csv`` for cards.csv."""
    tiny.put(**({"game_toml": GAME, "cards_csv": BARE} | files))
    (result,) = check_games(tiny.project, ["tiny"], Options(NOWHERE), quiet, None, Watchdog(), draw=False, unbound=True)
    return result


def told(result: Result) -> list[tuple[str, str]]:
    """The unbound numbers: where each stands, and what it is."""
    found = [problem for problem in result.problems if problem.rule == "unbound-number"]
    assert [problem for problem in result.problems if problem not in found] == []
    return [(str(problem.place).removeprefix("content/tiny/"), problem.value) for problem in found]


def test_a_cell_that_a_claim_counts_is_held_and_another_is_not(tiny: TinyProject) -> None:
    """The finding names file, row and column, and the figure says how many are held."""
    table = "name,worth,speed\nAnna,3,7\nBert,4,\n"
    result = looked(tiny, cards_csv=table, rules_toml=CLAIM.format("sum", 'rows("cards") | sum("worth") == 7'))

    assert told(result) == [("cards.csv:2:speed", "7")]
    assert result.bound == Bound(numbers=4, held=3, live=0, allowed=0, left=0)


def test_a_cell_must_be_held_up_and_down(tiny: TinyProject) -> None:
    """A bound holds only one way: with a rule that none is above 3, a 3 may still become a 2."""
    table = "name,worth\nAnna,3\n"
    for sign, found in (("<=", [("cards.csv:2:worth", "3")]), ("==", [])):
        rule = CLAIM.format("worth", f'rows("cards") | map(attribute="worth") | max {sign} 3')
        assert told(looked(tiny, cards_csv=table, rules_toml=rule)) == found


def test_every_format_of_tables_is_changed(tiny: TinyProject) -> None:
    """JSON as well: what a cell is read as is changed, not the file."""
    (tiny.game / "cards.csv").unlink()
    text = json.dumps([{"name": "Anna", "worth": 3, "speed": 7}, {"name": "Bert", "worth": 4, "speed": 8}])
    tiny.put(cards_json=text, rules_toml=CLAIM.format("sum", 'rows("cards") | sum("worth") == 7'))
    (result,) = check_games(tiny.project, ["tiny"], Options(NOWHERE), quiet, None, Watchdog(), draw=False, unbound=True)

    assert [value for _, value in told(result)] == ["7", "8"]


def test_ids_references_colours_and_flags_are_no_numbers(tiny: TinyProject) -> None:
    """They name something; negative numbers, fractions and lists of numbers are numbers."""
    game = GAME + '[table.cards.columns]\nmate = { table = "cards" }\ntint = { type = "colour" }\nrare = { type = "flag" }\n'
    table = 'id,mate,tint,rare,at,size,cells,art\n1,2,#112233,1,-1,1.5,"0,0 1,0",tokens/wave-2\n2,1,#445566,0,,,,\n'

    numbers = {"at": ["-1"], "size": ["1.5"], "cells": ["0", "1"]}
    found = told(looked(tiny, game_toml=game, cards_csv=table))
    assert found == [(f"cards.csv:2:{column}", each) for column, values in numbers.items() for each in values]


def test_a_number_in_a_sentence_is_held_by_what_the_words_count(tiny: TinyProject) -> None:
    """In cells, books and ``[texts]``, in digits and as a word; the hint says how to hold the others."""
    result = looked(
        tiny,
        cards_csv="name,text\nAnna,There are 2 big cards. Pay 5 coins.\nBert,Pass.\n",
        rulebook_md="# Tiny\n\nTwo big cards lie there.\n\nDraw up to three squares.\n",
        game_toml=GAME + '[texts]\nback = "2 big cards\\n3 small ones"\n',
        rules_toml='[words]\ncounts = { "big cards" = \'count("cards")\' }\n',
    )

    assert told(result) == [("cards.csv:2:text", "5"), ("rulebook.md:5", "three"), ("game.toml:9:texts.back", "3")]
    hint = next(problem.hint for problem in result.problems if problem.value == "three")
    assert hint.startswith('Hold it in rules.toml, [words.counts]: "to # squares" = 3;')


def test_what_a_book_takes_from_the_tables_is_live(tiny: TinyProject) -> None:
    """Pictures, tables and page numbers are not counted, nor what is text; a number that was only set is typed."""
    book = """{% set hand = 4 -%}
# Tiny

{{ count("cards") }} cards, {{ rows("cards")[0].name }}, page {{ page("tiny") }}, {{ hand }} in hand.

{{ component_table() }}

{% for row in rows("cards") %}{{ row.copies }} of it. {% endfor %}
"""
    result = looked(tiny, rulebook_md=book)

    assert result.bound == Bound(numbers=5, held=4, live=4, allowed=0, left=0)
    assert told(result) == [("rulebook.md:1", "4")]


def test_promises_and_claims_are_numbers_themselves(tiny: TinyProject) -> None:
    """A promise is held by the table; a bound by what it is near to; a claim that is far from it is not."""
    rules = CLAIM.format("two", 'count("cards") == 2') + CLAIM.format("some", 'count("cards") >= 2')
    result = looked(
        tiny,
        game_toml=GAME + "[expect.cards]\ncopies = 2\n",
        rules_toml=rules + CLAIM.format("many", 'count("cards") <= 60'),
    )

    assert told(result) == [("rules.toml:9:claim.many.expect", "60")]


def test_an_unbound_number_is_allowed_with_a_reason(tiny: TinyProject) -> None:
    """All whose place or message says so; they are counted apart, and stand in the report."""
    table = "name,speed\nAnna,7\nBert,8\n"
    result = looked(tiny, cards_csv=table, rules_toml=ALLOW.format("unbound-number", "cards.csv:2"))

    assert told(result) == [("cards.csv:3:speed", "8")]
    assert result.bound == Bound(numbers=2, held=0, live=0, allowed=1, left=0)
    assert [(problem.value, why) for problem, why in result.silenced] == [("7", "It is meant.")]


def test_an_allowance_is_unused_only_where_numbers_were_looked_at(tiny: TinyProject) -> None:
    """Else every check without ``--unbound`` would tell of it."""
    tiny.write("content/tiny/rules.toml", ALLOW.format("unbound-number", "nowhere"))
    (usual,) = check_games(tiny.project, ["tiny"], Options(NOWHERE), quiet, None, Watchdog(), draw=False)
    (asked,) = check_games(tiny.project, ["tiny"], Options(NOWHERE), quiet, None, Watchdog(), draw=False, unbound=True)

    assert "unused-allow" not in [problem.rule for problem in usual.problems]
    assert "unused-allow" in [problem.rule for problem in asked.problems]


def test_nothing_on_disk_changes(tiny: TinyProject) -> None:
    """Every file of the project is as it was, and none is new."""
    tiny.put(rulebook_md="# Tiny\n\nDraw 3 cards.\n", rules_toml=CLAIM.format("two", 'count("cards") == 2'))
    before = files_in(tiny.project.root)
    check_games(tiny.project, ["tiny"], Options(NOWHERE), quiet, None, Watchdog(), draw=False, unbound=True)

    assert files_in(tiny.project.root) == before


def test_other_processes_find_the_same(tiny: TinyProject) -> None:
    """In the same order, with the same figures and the same report."""
    table = "name,worth\n" + "".join(f"Card {number},{number}\n" for number in range(unbound.PORTION + 5))
    alone = looked(tiny, cards_csv=table)
    beside = check_game(tiny.project, "tiny", quiet, draw=False)
    tell_unbound(tiny.project, beside)

    assert (told(beside), beside.bound, beside.shown) == (told(alone), alone.bound, alone.shown)
    assert len(told(alone)) == unbound.PORTION + 5


def test_of_a_large_game_a_sample_is_changed(tiny: TinyProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """Evenly over all numbers, the same each time, and that is said."""
    monkeypatch.setattr(unbound, "MOST_TRIED", unbound.LEAST_TRIED)
    table = "name,worth\n" + "".join(f"Card {number},{number}\n" for number in range(100))
    result = looked(tiny, cards_csv=table)

    assert result.bound == Bound(numbers=50, held=0, live=0, allowed=0, left=50)
    assert [value for _, value in told(result)] == [str(number) for number in range(0, 100, 2)]
    assert str(result.bound).endswith("(50 unbound, a sample: 50 more were not looked at)")


def test_the_command_tells_the_figure_and_the_list(tiny: TinyProject) -> None:
    """On the terminal, in the report and in JSON; unbound numbers are warnings, so the command ends with 0."""
    tiny.write("content/tiny/cards.csv", "name,text\nAnna,Draw two.\nBert,Pass.\n")
    done = run("check", "--no-draw", "--unbound", at=tiny.project.root)
    asked = run("check", "--no-draw", "--unbound", "--json", at=tiny.project.root)
    report = (tiny.project.root / "output/tiny/report.html").read_text(encoding="utf-8")
    figure = "0 of 1 numbers are held by a rule: 0.0 % (1 unbound)"

    assert (done.code, asked.code) == (0, 0)
    assert figure in done.out and "changed 0 of 1 numbers" in done.err
    assert 'cards.csv:2:text: "two" in "Draw two." could be "three", and no rule would notice' in done.err
    assert figure in report and "could be" in report
    (game,) = json.loads(asked.out)["games"]
    assert game["numbers"] == {"numbers": 1, "held": 0, "live": 0, "allowed": 0, "left": 0}
