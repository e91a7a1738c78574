"""Rules whose findings are about a promise that many rows keep together: how to ask again, and at which columns they look.

Claims and counts are asked by themselves: which columns they look at shows while they run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from pnp.check import colours, economy, layouts, setup
from pnp.check.changes import LIES
from pnp.check.evaluator import Evaluator
from pnp.check.tiles import laid
from pnp.values.findings import Subject
from pnp.values.game import Game
from pnp.values.problems import Problem
from pnp.values.tables import Row

Asked = Iterator[tuple[Iterable[Row], Iterable[str]]]


@dataclass(frozen=True, slots=True)
class Promise:
    """A rule that is asked again."""

    look: Callable[[Game, Evaluator], Iterable[Problem]]
    """The evaluator is one of the game."""
    asked: Callable[[Game], Asked]
    """Rows, and the columns of them that it looks at; none where only their copies count."""


def _of_layouts(game: Game, _: Evaluator) -> Iterator[Problem]:
    for layout, component in laid(game):
        yield from layouts.check(layout, component)


def _where_they_lie(game: Game) -> Asked:
    for layout, component in laid(game):
        yield [slot.row for slot in layout.slots], (*LIES, "a", "b", "pool")
        yield component.table, ("back",)


def _coloured(game: Game) -> Asked:
    for each in game.rules.colours:
        yield game.tables.get(each.table, ()), (each.column, each.beside)


def _exchanged(game: Game) -> Asked:
    components = {component.name: component.table for component in game.components}
    for exchange in game.rules.economy.exchanges if game.rules.economy else ():
        yield components.get(exchange.component, ()), (*exchange.where, *exchange.needs, *exchange.gives)


def _taken(game: Game) -> Asked:
    components = {component.name: component.table for component in game.components}
    for take in game.rules.setup.takes if game.rules.setup else ():
        yield components.get(take.component, ()), take.where


_LAYOUTS = Promise(_of_layouts, _where_they_lie)
_COLOURS = Promise(lambda game, _: colours.signs(game), _coloured)
_ECONOMY = Promise(lambda game, _: economy.look(Subject(game)).problems, _exchanged)
_SETUP = Promise(setup.check, _taken)
PROMISES: Mapping[str, Promise] = {
    **dict.fromkeys(layouts.RULES, _LAYOUTS),
    **dict.fromkeys(colours.RULES, _COLOURS),
    **dict.fromkeys(economy.RULES, _ECONOMY),
    **dict.fromkeys(setup.RULES, _SETUP),
}
"""By the rule."""
