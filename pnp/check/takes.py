"""What the set-up takes, for claims: how many of some rows, and what all of it is worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pnp.check.facts import named
from pnp.model import Game, Row, Table
from pnp.rules import Take
from pnp.sandbox.values import BadExpression, shown

if TYPE_CHECKING:
    from pnp.check.claims import Evaluator


Pick = Callable[[Table, Mapping[str, Any]], list[Row]]
"""Chooses rows of a table by what their columns say, and puts down which were asked for."""


def names_of_takes(game: Game, picked: Pick) -> dict[str, Callable[..., Any]]:
    """The names ``taken`` and ``worth``."""
    components = {component.name: component for component in game.components}
    numbers: dict[tuple[str, int], int] = {}
    evaluators: list[Evaluator] = []

    def rows(take: Take) -> list[Row]:
        return picked(named("component", take.component, components).table, take.where)

    def number(take: Take, players: Any) -> int:
        from pnp.check.claims import Evaluator
        from pnp.check.setup import number_of

        if isinstance(players, bool) or not isinstance(players, int):
            raise BadExpression(f"{shown(players)} is no number of players", shown(players))
        if not evaluators:
            evaluators.append(Evaluator(game))
        if (take.name, players) not in numbers:
            numbers[take.name, players] = number_of(evaluators[0], take, players)
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
