"""Expressions over a game: what claims, the set-up and books ask is computed here, and which rows were looked at."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

from pnp.check.facts import Seen, names_of, rows_of
from pnp.check.takes import names_of_takes
from pnp.sandbox.expressions import Expression, Expressions
from pnp.sandbox.values import BadExpression, shown
from pnp.values.cells import unwrapped
from pnp.values.game import Game
from pnp.values.problems import Place, Problem

BROKEN = "broken-claim"
MOST_CASES = 10_000
MOST_TOGETHER = 20_000_000

_EACH = re.compile(r"([A-Za-z_]\w*)\s+in\s+(.+)", re.DOTALL)
_SPAN = re.compile(r"(\d{1,6})\s*\.\.\s*(\d{1,6})")


def known_names(game: Game, seen: Seen, spend: Callable[[int], None]) -> dict[str, Any]:
    """The names that expressions may use; rows that are asked for are put down in ``seen``, and counted by ``spend``."""
    evaluators: list[Evaluator] = []

    def value(text: str, players: int) -> Any:
        # Only a few expressions ask what the set-up takes.
        if not evaluators:
            evaluators.append(Evaluator(game))
        return evaluators[0].counted(spend, text, players=players)

    numbers = Numbers(game, seen, spend)
    return names_of(game, seen, spend, lambda picked: {**names_of_takes(game, picked, value), "numbers": numbers})


def broken(bad: BadExpression, place: Place) -> Problem:
    """The finding that an expression has no value."""
    return Problem(BROKEN, place, f"this expression has no value: {bad}", bad.value, bad.allowed, bad.hint)


class Numbers(Mapping[str, int | float]):
    """``numbers`` of rules.toml, each computed when it is asked for; the rows behind it are put down in ``seen``.

    To ask for one raises BadExpression where it is no number. What they say themselves cannot ask for others of them.
    """

    def __init__(self, game: Game, seen: Seen, spend: Callable[[int], None]) -> None:
        self._spend = spend
        self._texts = {named.name: named.number for named in game.rules.numbers}
        self._game, self._seen = replace(game, rules=replace(game.rules, numbers=())), seen
        self._known: dict[str, tuple[int | float, Seen]] = {}

    def __getitem__(self, name: str) -> int | float:
        if name not in self._known:
            text = self._texts[name]
            evaluator = Evaluator(self._game)
            number = unwrapped(evaluator.counted(self._spend, text))
            if isinstance(number, bool) or not isinstance(number, int | float):
                raise BadExpression(f"numbers.{name} is {shown(number)}, and no number", text)
            self._known[name] = number, evaluator.seen
        number, seen = self._known[name]
        for file, rows in seen.items():
            self._seen.setdefault(file, []).extend(rows)
        return number

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)


class Evaluator:
    """Evaluates expressions over one game; knows which rows the last one asked for."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.seen: Seen = {}
        self._compiled: dict[str, Expression] = {}
        self._expressions = Expressions(self._names())

    def _names(self) -> dict[str, Any]:
        return known_names(self._game, self.seen, lambda steps: self._expressions.spend(steps))

    def look_at(self, game: Game) -> None:
        """From here on expressions are over another game, or over this one with other cells."""
        self._game = game
        self._expressions.rename(self._names())

    @property
    def spent(self) -> int:
        """Steps that all expressions took so far."""
        return self._expressions.spent

    def compile(self, text: str) -> Expression:
        """An expression with a full store of steps, as long as all together took no more than MOST_TOGETHER.

        Raises BadExpression.
        """
        if self.spent > MOST_TOGETHER:
            raise BadExpression(f"those before it took more than {MOST_TOGETHER // 1_000_000} million steps together")
        self._expressions.refill()
        if text not in self._compiled:
            self._compiled[text] = self._expressions.compile(text)
        return self._compiled[text]

    def value(self, text: str, **names: Any) -> Any:
        """What an expression comes to. Raises BadExpression."""
        self.seen.clear()
        return self.compile(text).value(names)

    def counted(self, spend: Callable[[int], None], text: str, **names: Any) -> Any:
        """What an expression comes to that another one asks for, which pays its steps. Raises BadExpression."""
        before = self.spent
        try:
            return self.value(text, **names)
        finally:
            spend(self.spent - before)

    def cases(self, each: str) -> tuple[str, list[Any]]:
        """For what a claim is to be tried: the name and its values; no name and one value for once."""
        if not each:
            return "", [None]
        found = _EACH.fullmatch("players in game.players" if each == "players" else each)
        if not found:
            raise BadExpression(f'for "{each}" says nothing', each, "players, players in 2..8, town in rows(…)")
        if span := _SPAN.fullmatch(found[2].strip()):
            values: Any = range(int(span[1]), int(span[2]) + 1)
        else:
            values = self.value(found[2])
        if isinstance(values, str) or not isinstance(values, Collection):
            raise BadExpression(f"for needs a list, and {found[2]} is {shown(values)}", each)
        if len(values) > MOST_CASES:
            raise BadExpression(f"for has more than {MOST_CASES} values", each)
        cases = list(values)
        if not cases:
            hint = 'Add [setup] with players = "2-8".' if each == "players" else ""
            raise BadExpression(f'there is nothing for which it could hold: "{each}" is empty', each, hint=hint)
        return found[1], cases

    def behind(self) -> str:
        """The rows that the last expression asked for, as a sentence; nothing when it asked for none."""
        sizes: dict[str, int] = {}
        for table in (*self._game.tables.values(), *(component.table for component in self._game.components)):
            sizes[table.file] = max(sizes.get(table.file, 0), len(table.rows))
        rows = rows_of(self.seen, lambda file: sizes.get(file, -1))
        return f"Looked at: {rows}." if rows else ""
