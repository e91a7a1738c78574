"""``claim``: a sentence of the rules, written in rules.toml as an expression over the tables, is true.

Why: rules and tables are changed by different hands on different days; a claim is computed again at every check.
Example: ``[claim.sixty] says = "There are sixty cargo cards." expect = 'count("cargo") == 60'`` while the table has 59.
Mend: change the rows that the finding names, or the claim if the rules have changed.

``broken-claim``: an expression of rules.toml has no value: it asks for a name, column or filter that is not there, is
neither true nor false, or takes too many steps.

Why: a claim that cannot be computed proves nothing, and must not look as if it did.
Example: ``expect = 'count("cargoes") == 60'`` while the component is called ``cargo``.
Mend: the finding says which name is not known, and what would be.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from pnp.check.facts import Seen, names_of, rows_of
from pnp.findings import ClaimShown, Report, Subject, report
from pnp.model import Game
from pnp.problems import Place, Problem, listed
from pnp.rules import Claim
from pnp.sandbox.expressions import Expression, Expressions, Judgement
from pnp.sandbox.values import BadExpression, shown

RULE = "claim"
BROKEN = "broken-claim"
RULES = (RULE, BROKEN)

MOST_CASES = 10_000

_EACH = re.compile(r"([A-Za-z_]\w*)\s+in\s+(.+)", re.DOTALL)
_SPAN = re.compile(r"(\d{1,6})\s*\.\.\s*(\d{1,6})")


def look(subject: Subject) -> Report:
    """Every claim of the game, with its numbers."""
    evaluator = Evaluator(subject.game)
    problems: list[Problem] = []
    told: list[ClaimShown] = []
    for claim in subject.game.rules.claims:
        try:
            problem, made = _judge(claim, evaluator)
        except BadExpression as bad:
            problem = broken(bad, claim.place)
            made = ClaimShown(claim.name, claim.says, claim.expect, claim.rule, False, (str(bad),), claim.each)
        problems += [problem] if problem else []
        told.append(made)
    return report(problems, told)


def evaluate(game: Game, expression: str) -> object:
    """What an expression over a game's tables comes to; None when it has no value."""
    try:
        return Evaluator(game).value(expression)
    except BadExpression:
        return None


def broken(bad: BadExpression, place: Place) -> Problem:
    """The finding that an expression has no value."""
    return Problem(BROKEN, place, f"this expression has no value: {bad}", bad.value, bad.allowed, bad.hint)


class Evaluator:
    """Evaluates expressions over one game; knows which rows the last one asked for."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.seen: Seen = {}
        self._expressions = Expressions(names_of(game, self.seen, lambda steps: self._expressions.spend(steps)))

    def compile(self, text: str) -> Expression:
        """An expression with a full store of steps. Raises BadExpression."""
        self._expressions.refill()
        return self._expressions.compile(text)

    def value(self, text: str, **names: Any) -> Any:
        """What an expression comes to. Raises BadExpression."""
        self.seen.clear()
        return self.compile(text).value(names)

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


@dataclass(frozen=True, slots=True)
class _Failure:
    case: Any
    clause: str
    judgement: Judgement
    behind: str


def _judge(claim: Claim, evaluator: Evaluator) -> tuple[Problem | None, ClaimShown]:
    name, cases = evaluator.cases(claim.each)
    expression = evaluator.compile(claim.expect)
    failures: list[_Failure] = []
    judged: list[Judgement] = []
    for case in cases:
        judged = []
        for clause in expression.clauses:
            evaluator.seen.clear()
            judgement = clause.judge({name: case} if name else {})
            judged.append(judgement)
            if not judgement.holds:
                failures.append(_Failure(case, clause.text, judgement, "" if failures else evaluator.behind()))
                break
    first = failures[0] if failures else None
    problem = _problem(claim, name, failures) if failures else None
    made = ClaimShown(
        name=claim.name,
        says=claim.says,
        expression=claim.expect,
        rule=claim.rule,
        holds=not failures,
        sides=_sides([first.judgement] if first else judged),
        cases=_tried(name, cases, claim.each),
    )
    return problem, made


def _sides(judged: list[Judgement]) -> tuple[str, ...]:
    """The two sides of one comparison; of several joined by ``and``, each with its numbers."""
    return judged[0].sides if len(judged) == 1 else tuple(judgement.worked for judgement in judged)


def _tried(name: str, cases: list[Any], each: str) -> str:
    if not name:
        return ""
    whole = all(isinstance(case, int) for case in cases)
    return f"{name} {_range(cases)}" if whole else f"{each.strip()} ({len(cases)})"


def _range(values: list[int]) -> str:
    if len(values) > 2 and values == list(range(values[0], values[-1] + 1)):
        return f"{values[0]}-{values[-1]}"
    return listed(map(str, values))


def _problem(claim: Claim, name: str, failures: list[_Failure]) -> Problem:
    first = failures[0]
    where = f" for {name} = {shown(first.case)}" if name else ""
    others = [shown(failure.case) for failure in failures[1:]]
    again = f" (and for {name} = {listed(others)})" if others else ""
    compared = f"{first.clause} is {first.judgement.worked}"
    if len(first.judgement.sides) > 1:
        compared = f"{first.clause}, that is {first.judgement.worked}"
    hints = [f"The rule: {claim.rule}." if claim.rule else "", first.judgement.apart, first.behind]
    return Problem(
        RULE,
        claim.place,
        f"{claim.says.rstrip('.')}: this is not true{where}: {compared}{again}",
        first.judgement.worked,
        hint=" ".join(filter(None, hints)),
    )
