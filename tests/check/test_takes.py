"""Claims can ask what the set-up takes of some rows, and what all of it is worth."""

from __future__ import annotations

import pytest
from conftest import TinyProject, read_whole, toml

from pnp.check.evaluator import Evaluator
from pnp.values.problems import Fault

TABLE = "name,colour,value,copies\nRuby,red,5,8\nRose,red,5,8\nSky,blue,2,20\nNote,,,3\n"
GAME = toml("""
game: name = "T"
cards: size = "tcg"
table.cards.columns: value = { type = "whole", optional = true }; colour = { optional = true }
""")
RULES = """
[setup]
players = "2-4"
[setup.take.rubies]
what = "rubies"
from = "cards"
where = { name = "Ruby" }
number = 2
per = "player"
[setup.take.skies]
what = "blue cards"
from = "cards"
where = { colour = "blue" }
number = "3 * players // 2"
[setup.take.notes]
what = "notes"
from = "cards"
where = { name = "Note" }
number = 1
"""


def value(tiny: TinyProject, expression: str, rules: str = RULES) -> object:
    """What an expression comes to in this game."""
    tiny.put(game_toml=GAME, cards_csv=TABLE, rules_toml=rules)
    result: object = Evaluator(read_whole(tiny.project)).value(expression)
    return result


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ('taken("cards", 2, name="Ruby")', 4),
        ('taken("cards", 3, colour="blue")', 4),  # 9 // 2
        ('taken("cards", 4, colour="red")', 8),
        # the take of rubies is none of roses
        ('taken("cards", 2)', 4 + 3 + 1),
        ('worth("value", max(game.players))', 8 * 5 + 6 * 2),
    ],
)
def test_what_is_taken_is_counted(expression: str, expected: int, tiny: TinyProject) -> None:
    """Takes of just these rows are added up, per player or per table; what has no value adds nothing."""
    assert value(tiny, expression) == expected


@pytest.mark.parametrize(
    ("expression", "rules", "words"),
    [
        ('taken("cards", 2)', "", "says nothing of a set-up"),
        ('taken("cards", "two")', RULES, '"two" is no number of players'),
        ('taken("cards", 2, shade="red")', RULES, 'no column "shade"'),
        (
            'worth("value", 2)',
            RULES.replace('where = { name = "Ruby" }\n', ""),
            'what is taken as "rubies" has no one value',
        ),
        ('taken("cards", 2)', RULES.replace('"3 * players // 2"', "\"taken('cards', players)\""), "nested too deeply"),
    ],
)
def test_what_cannot_be_counted_is_told(expression: str, rules: str, words: str, tiny: TinyProject) -> None:
    """No set-up, no such component, column or count, or pieces of several values: the claim is broken, not true."""
    with pytest.raises(Fault, match=words):
        value(tiny, expression, rules)
