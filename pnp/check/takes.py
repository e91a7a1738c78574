"""What the set-up takes, for claims: how many of some rows, and what all of it is worth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pnp.check.facts import Pick, named
from pnp.sandbox.values import BadExpression, shown
from pnp.values.game import Game
from pnp.values.rules import Take
from pnp.values.tables import Row

Value = Callable[[str, int], Any]
"""What an expression comes to with so many players. Raises BadExpression."""


def number_of(value: Value, take: Take, players: int) -> int:
    """How many a take takes with so many players. Raises BadExpression."""
    made = value(take.number, players)
    if isinstance(made, bool) or not isinstance(made, int | float) or made != int(made) or made < 0:
        raise BadExpression(
            f"for {players} players it is {shown(made)}", shown(made), "a whole number, 0 or more", "Divide with //."
        )
    return int(made) * (players if take.per == "player" else 1)


def names_of_takes(game: Game, picked: Pick, value: Value) -> dict[str, Callable[..., Any]]:
    """The names ``taken`` and ``worth``."""
    components = {component.name: component for component in game.components}
    numbers: dict[tuple[str, int], int] = {}

    def rows(take: Take) -> list[Row]:
        return picked(named("component", take.component, components).table, take.where)

    def number(take: Take, players: Any) -> int:
        if isinstance(players, bool) or not isinstance(players, int):
            raise BadExpression(f"{shown(players)} is no number of players", shown(players))
        if (take.name, players) not in numbers:
            numbers[take.name, players] = number_of(value, take, players)
        return numbers[take.name, players]

    def takes() -> tuple[Take, ...]:
        if game.rules.setup is None:
            raise BadExpression("rules.toml says nothing of a set-up", hint="Add [setup] with what it takes.")
        return game.rules.setup.takes

    def taken(name: str, players: int, /, **where: Any) -> int:
        wanted = picked(named("component", name, components).table, where)
        found = [take for take in takes() if take.component == name and all(row in wanted for row in rows(take))]
        return sum(number(take, players) for take in found)

    def worth(column: str, players: int) -> int | float:
        total: int | float = 0
        for take in takes():
            values = {row[column] for row in rows(take) if column in row} - {None, ""}
            if not values:
                continue
            value = values.pop()
            if values or isinstance(value, bool) or not isinstance(value, int | float):
                raise BadExpression(f'what is taken as "{take.what}" has no one {column}', take.name)
            total += value * number(take, players)
        return total

    return {"taken": taken, "worth": worth}
