"""A back that belongs to other pieces is told: the front of another component, or not what its sisters have."""

from __future__ import annotations

import pytest
from conftest import TinyProject, read_whole, toml

from pnp.check.piles import STRAY as RULE
from pnp.check.piles import look_stray as look
from pnp.values.findings import Subject
from pnp.values.problems import Problem

GAME = toml("""
game: name = "Tiny"
penguins: size = "tcg"; back = "{penguins}"
ice: size = "tcg"
""")
COIN = '[component.coin-{value}]\ntable = "coins"\nwhere = {{ value = "{value}" }}\ntemplate = "coin"\nsize = "tcg"\n'


def found(
    tiny: TinyProject, penguins: str = "penguin-back", coins: tuple[str, ...] = ("coin", "coin", "coin")
) -> list[Problem]:
    """What is told of penguins, ice and coins with these backs."""
    made = "".join(COIN.format(value=value) + (f'back = "{back}"\n' if back else "") for value, back in enumerate(coins))
    tiny.write("content/tiny/game.toml", GAME.format(penguins=penguins) + made)
    for table in ("penguins", "ice", "coins"):
        tiny.write(f"content/tiny/{table}.csv", "id,value\na,0\nb,1\nc,2\n")
    for template in ("penguins", "penguin-back", "ice", "coin", "coin-back"):
        tiny.write(f"templates/tiny/{template}.svg.j2", '{% extends "shared/face.svg.j2" %}')
    tiny.write("content/tiny/rules.toml", "")
    return list(look(Subject(read_whole(tiny.project))).problems)


def test_a_back_that_is_the_front_of_other_pieces_is_told(tiny: TinyProject) -> None:
    """A penguin with ice on its other side."""
    (problem,) = found(tiny, penguins="ice")

    assert (problem.rule, problem.severity, problem.value) == (RULE, "warning", "ice")
    assert str(problem.place).endswith(":component.penguins")
    assert str(problem.about) == "penguins/"


@pytest.mark.parametrize("back", ["coin-back", ""])
def test_the_one_sister_with_another_back_or_none_is_told(tiny: TinyProject, back: str) -> None:
    """Two coins have the coin on both sides; it is the third that is told."""
    (problem,) = found(tiny, coins=("coin", back, "coin"))

    assert str(problem.place).endswith(":component.coin-1")
    assert problem.allowed == 'the back "coin"'


@pytest.mark.parametrize(
    ("penguins", "coins"),
    [
        ("penguin-back", ("coin", "coin", "coin")),
        ("penguins", ("coin-back", "coin-back", "coin-back")),
        ("penguin-back", ("coin", "coin-back")),
        ("penguin-back", ("coin", "coin-back", "")),
    ],
    ids=["all alike", "both sides alike", "two sisters", "three backs"],
)
def test_what_may_be_meant_is_left_in_peace(tiny: TinyProject, penguins: str, coins: tuple[str, ...]) -> None:
    """One's own front on both sides, two decks of a table with a back each, a back for each of three."""
    assert found(tiny, penguins, coins) == []
