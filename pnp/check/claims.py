"""``claim``: a sentence of the rules, written in rules.toml as an expression over the tables, is true.

Why: rules and tables are changed by different hands on different days; a claim is computed again at every check.
A false one is told at its line of rules.toml, with what it looked at and up to four rows of that; where a few cases of
``for`` are false, it is told at the row of the first, and its line in brackets.
Example: ``[claim.sixty] says = "There are sixty cargo cards." expect = 'count("cargo") == 60'`` while the table has 59.
Mend: change the rows that the finding names, or the claim if the rules have changed.

``broken-claim``: an expression of rules.toml has no value: it asks for a name, column or filter that is not there, or is
neither true nor false.

Why: a claim that cannot be computed proves nothing, and must not look as if it did.
Example: ``expect = 'count("cargoes") == 60'`` while the component is called ``cargo``.
Mend: the finding says which name is not known, and what would be.

``claim-of-nothing``: a claim looks at something of the game: a row, a board, a layout, a size.
Why: of no rows everything is true. Such a claim holds whatever the tables say, and looks like a proof.
Example: ``expect = "2 * 30 == 60"`` for sixty cards, whatever number of cards the table has.
Mend: say it of rows that there are, or take the claim away.

Covers: what the expression says of the rows, boards, layouts and sizes it names, for every case of ``for``, at every check.
Not covered: whether the expression means what ``says`` says: nobody reads the sentence. A claim with "at least" or with a
sum stays true of other rows, too; only what is compared with ``==`` holds one number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pnp.check.evaluator import BROKEN, Evaluator, broken
from pnp.dataclass import dataclass
from pnp.sandbox.expressions import Judgement
from pnp.sandbox.values import shown
from pnp.system.watchdog import at
from pnp.values.findings import ClaimShown, Subject, reported
from pnp.values.problems import Fault, Problem, listed
from pnp.values.sections import Claim
from pnp.values.tables import Row

RULE = "claim"
NOTHING = "claim-of-nothing"
RULES = (RULE, BROKEN, NOTHING)

# What a claim may look at besides rows.
FACTS = {"board", "component", "faces", "game", "layout", "texts"}


@reported
def look(subject: Subject) -> Iterator[Problem | ClaimShown]:
    """Every claim of the game, with its numbers."""
    evaluator = Evaluator(subject.game)
    for named in subject.game.rules.numbers:
        try:
            evaluator.value(f"numbers.{named.name}")
        except Fault as bad:
            yield broken(bad, named.place)
    for claim in subject.game.rules.claims:
        try:
            yield from _judge(claim, evaluator)
        except Fault as bad:
            yield broken(bad, claim.place)
            yield ClaimShown(claim.name, claim.says, claim.expect, claim.rule, False, (bad.message,), claim.each)


@dataclass(frozen=True, slots=True)
class _Failure:
    case: Any
    clause: str
    judgement: Judgement
    behind: str


def _judge(claim: Claim, evaluator: Evaluator) -> Iterator[Problem | ClaimShown]:
    at(f"judging claim.{claim.name} ({claim.place})", restarts=False)
    evaluator.seen.clear()
    name, cases = evaluator.cases(claim.each)
    looked = any(evaluator.seen.values()) or claim.each == "players"
    expression = evaluator.compile(claim.expect)
    failures: list[_Failure] = []
    judged: list[Judgement] = []
    # Of values that no row has another rule tells.
    looked = looked or bool(expression.asked) or not FACTS.isdisjoint(expression.names)
    for case in cases:
        judged = []
        for clause in expression.clauses:
            evaluator.seen.clear()
            judgement = clause.judge({name: case} if name else {})
            judged.append(judgement)
            looked = looked or any(evaluator.seen.values())
            if not judgement.holds:
                failures.append(_Failure(case, clause.text, judgement, "" if failures else evaluator.behind()))
                break
    judged = [failures[0].judgement] if failures else judged
    # What is false for most is hardly the fault of the first.
    row = _row_of(name, failures[0]) if failures and 2 * len(failures) <= len(cases) + 1 else None
    if failures:
        yield _problem(claim, name, failures, row)
    elif not looked:
        message = f"{claim.says.rstrip('.')}: this looks at nothing of the game, so it proves nothing"
        yield Problem(NOTHING, claim.place, message, claim.expect, hint="Say it of rows that there are.")
    yield ClaimShown(
        name=claim.name,
        says=claim.says,
        expression=claim.expect,
        rule=claim.rule,
        holds=not failures,
        sides=judged[0].sides if len(judged) == 1 else tuple(judgement.worked for judgement in judged),
        cases=_tried(name, cases, claim.each),
    )


def _tried(name: str, cases: list[Any], each: str) -> str:
    if not name:
        return ""
    whole = all(isinstance(case, int) for case in cases)
    return f"{name} {_range(cases)}" if whole else f"{each.strip()} ({len(cases)})"


def _range(values: list[int]) -> str:
    if len(values) > 2 and values == list(range(values[0], values[-1] + 1)):
        return f"{values[0]}-{values[-1]}"
    return listed(map(str, values))


def _row_of(name: str, failure: _Failure) -> Row | None:
    """The row that a claim is false for, where the claim looks at what stands in it, and not only at rows that name it."""
    case = failure.case["row"] if isinstance(failure.case, Mapping) and "row" in failure.case else failure.case
    looked = name and re.search(rf"\b{re.escape(name)}\.\w", failure.clause)
    return case if looked and isinstance(case, Row) else None


def _problem(claim: Claim, name: str, failures: list[_Failure], row: Row | None) -> Problem:
    first = failures[0]
    where = f" for {name} = {shown(first.case)}" if name else ""
    others = [shown(failure.case) for failure in failures[1:]]
    again = f" (and for {name} = {listed(others, 4)})" if others else ""
    compared = f"{first.clause} is {first.judgement.worked}"
    if len(first.judgement.sides) > 1:
        compared = f"{first.clause}, that is {first.judgement.worked}"
    hints = [f"The rule: {claim.rule}." if claim.rule else "", first.judgement.apart, first.behind]
    told = f" ({claim.place})" if row else ""
    message = f"{claim.says.rstrip('.')}: this is not true{where}: {compared}{again}{told}"
    hint = " ".join(filter(None, hints))
    return Problem(RULE, row.place if row else claim.place, message, first.judgement.worked, hint=hint)
