"""Where the numbers of game.toml and rules.toml stand that promise something."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from pnp.read.tomlfile import toml_numbers

ROOT = Path(__file__).resolve().parent.parent.parent

GAME = """
# 1 of 2
[game]
players = "2-8"
year = 2023

[component.dice]
title = "5 dice"
sides = 6
copies = 5
weight = 250

[component]
cards.copies = 3  # not 4

[texts]
long = '''
Draw 7.
[expect.dice]
copies = 9
'''

[expect.dice]
copies = 5
split = [
    { by = "id", counts = { one = 10, "2" = 11 }, groups = 12 },
    { by = "id", each = 13 },
]
different = 14
"""
RULES = """
[setup]
players = "2, 4"
[setup.take.cards]
what = "two cards"
number = "3 * players // 2"
[claim.one]
says = "There are 99."
expect = '''
rows("a", id="x-5")[0].value == 17 and faces("d") == ["1", "22"] and x | selectattr("squares.0.0", "<", 8)
'''
for = "players in 2..6"
[words]
from = 1000
counts = { "roll # of 4 dice" = [31, 32], "x" = 'count("a") + 33' }
"""


def promises(text: str) -> str:
    """The numbers of each key."""
    found: dict[str, list[str]] = {}
    for value, (start, end) in toml_numbers(text).promises:
        found.setdefault(".".join(value.path), []).append(text[start:end])
    return "; ".join(f"{key}: {' '.join(numbers)}" for key, numbers in found.items())


def test_the_promises_of_a_game_file() -> None:
    """Players, copies, sides, and all of ``[expect]``: no sizes, no years, nothing in comments and long texts."""
    assert promises(GAME) == (
        "game.players: 2 8; component.dice.sides: 6; component.dice.copies: 5; component.cards.copies: 3; "
        "expect.dice.copies: 5; expect.dice.split.counts.one: 10; expect.dice.split.counts.2: 11; "
        "expect.dice.split.groups: 12; expect.dice.split.each: 13; expect.dice.different: 14"
    )


def test_the_promises_of_a_rules_file() -> None:
    """The set-up, constants of claims, counts of words: no indexes, no names, no sentences."""
    assert promises(RULES) == (
        "setup.players: 2 4; setup.take.cards.number: 3 2; claim.one.expect: 17 1 22 8; claim.one.for: 2 6; "
        "words.counts.roll # of 4 dice: 31 32; words.counts.x: 33"
    )


def test_the_texts_that_people_read() -> None:
    """Those of ``[texts]``, titles, what the set-up takes; without their quotation marks."""
    shown = [(text[value.start : value.end].strip()) for text in (GAME, RULES) for value in toml_numbers(text).shown]

    assert shown == ["5 dice", "Draw 7.\n[expect.dice]\ncopies = 9", "two cards"]


@pytest.mark.parametrize("path", sorted(ROOT.glob("content/*/*.toml")), ids=lambda path: f"{path.parent.name}-{path.name}")
def test_a_changed_number_is_another_number_of_the_same_key(path: Path) -> None:
    """What stands at a promise of the games is a number of it: a file with another there is still TOML, and differs."""
    text = path.read_text(encoding="utf-8")
    before = tomllib.loads(text)
    for _, (start, end) in toml_numbers(text).promises:
        assert text[start:end].isdecimal()
        assert tomllib.loads(text[:start] + str(int(text[start:end]) + 1) + text[end:]) != before
