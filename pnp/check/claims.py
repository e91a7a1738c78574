"""Checks the claims of ``rules.toml``.

``claim``: a claim of rules.toml is false.

Why: rules and tables are changed by different hands on different days.
Example: ``expect = 'count("cargo") == 60'``, and there are 59.
Mend: change the rows that the finding names, or the claim if the rules have changed.

``broken-claim``: an expression asks for what is not there, or is neither true nor false.
Why: a claim that cannot be computed proves nothing.
Example: ``count("cargoes") == 60``, and the component is called ``cargo``.
Mend: the finding says which name is unknown, and which are known.

``claim-of-nothing``: a claim looks at no row, board, layout or size of the game.
Why: it holds whatever the tables say, and looks like a proof.
Example: ``expect = "2 * 30 == 60"`` for sixty cards.
Mend: say it of rows that there are, or take the claim away.

Covers: what the expression says of the rows, boards, layouts and sizes it names, for every case of ``for``.
Not covered: whether it means what it ``says``.

``no-such-value``: rules.toml, or a ``where`` in ``[expect]``, picks rows by a value that no row has. Where their number
is compared with 0, only near values are told, as a warning.
Why: a misspelt value picks no row, and of no row everything is true.
Example: ``hexes("tiles", terrain="reeef")`` in a claim.
Mend: write the value as the table does. Where it is meant, because the row may come to be there, allow it.

Covers: each value written in an expression, promise, take, exchange or shuffle: as ``kind="reef"`` or as
``selectattr("kind", "eq", "reef")``, ``equalto`` and ``in``.
Not covered: other filters, ``==``, values that are put together; rows that are forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pnp.check.evaluator import BROKEN, Evaluator, broken
from pnp.dataclass import dataclass
from pnp.sandbox.expressions import Asked, Judgement
from pnp.sandbox.values import shown
from pnp.system.watchdog import at
from pnp.values.findings import ClaimShown, Subject, reported
from pnp.values.game import Game
from pnp.values.problems import Fault, Place, Problem, listed
from pnp.values.sections import Claim, Exchange, Take
from pnp.values.tables import Row, meant

RULE = "claim"
NOTHING = "claim-of-nothing"
CLAIM_RULES, NO_VALUE = (RULE, BROKEN, NOTHING), "no-such-value"
RULES = (*CLAIM_RULES, NO_VALUE)

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
    at(f"judging claim.{claim.name} ({claim.place})", restarts=False, brief=True)
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
    if not all(isinstance(case, int) for case in cases):
        return f"{each.strip()} ({len(cases)})"
    in_a_row = len(cases) > 2 and cases == list(range(cases[0], cases[-1] + 1))
    return f"{name} {cases[0]}-{cases[-1]}" if in_a_row else f"{name} {listed(map(str, cases))}"


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


# Texts that mean yes or no, of which a column of flags need not have both.
FLAGS = ("yes", "no")
# How like one another a value that is said to be absent and one that is there must be for a slip of the finger.
_NEARLY = 0.75
PICKING = ("count", "designs", "rows", "hexes", "taken", "fields")


@reported
def look_for_values(subject: Subject) -> Iterator[Problem]:
    """Every value that is named in rules.toml."""
    game = subject.game
    evaluator = Evaluator(game)
    for text, place in _expressions(game):
        try:
            values = evaluator.compile(text).asked
        except Fault:
            continue  # told where it is evaluated
        for one in values:
            yield from _missing(game, one, place)
    rules = game.rules
    picks: list[Take | Exchange] = [*(rules.setup.takes if rules.setup else ())]
    picks += rules.exchanges
    for picking in picks:
        for column, value in picking.where.items():
            yield from _missing(game, Asked("rows", picking.component, column, value), picking.place)
    for promise in game.expectations:
        for grouping in promise.split:
            none = not any((grouping.groups, grouping.each, *(grouping.counts or {}).values()))
            for column, value in grouping.where.items():
                yield from _missing(game, Asked("rows", promise.name, column, value, none), grouping.place)
    laid = {layout.name: layout.component for layout in game.layouts}
    for shuffle in rules.shuffles:
        named = [(column, value) for column, values in shuffle.blocked.items() for value in values]
        for column, value in (*named, *shuffle.start.items()):
            yield from _missing(game, Asked("hexes", laid.get(shuffle.name, ""), column, value), shuffle.place)


def _expressions(game: Game) -> Iterator[tuple[str, Place]]:
    rules = game.rules
    for claim in rules.claims:
        yield claim.expect, claim.place
        _, _, over = claim.each.partition(" in ")
        if "(" in over:
            yield over, claim.place
    for take in rules.setup.takes if rules.setup else ():
        yield take.number, take.place
    for named in rules.numbers:
        yield named.number, named.place
    for counting in rules.words.counts if rules.words else ():
        for number in counting.numbers:
            yield number, counting.place


def _rows(game: Game, one: Asked) -> Iterable[Row]:
    component = next((component for component in game.components if component.name == one.name), None)
    if one.function == "hexes":
        tiles = component.hexes.tiles if component and component.hexes else {}
        return [cell.row for cells in tiles.values() for cell in cells]
    if one.function == "fields":
        return [field.row for field in component.board.fields] if component and component.board else []
    if component is not None and (one.function != "rows" or component.table.file != game.file):
        return component.table.rows
    table = game.tables.get(one.name) if one.function == "rows" else None
    return table.rows if table else ()


def _missing(game: Game, one: Asked, place: Place) -> Iterator[Problem]:
    """The finding that no row has a value; of a table or column that is not there others tell."""
    if one.function not in PICKING or one.value in FLAGS:
        return
    says = [
        (text, row)
        for row in _rows(game, one)
        if one.column in row or one.column in ("id", "copies")
        for text in row.aliases(one.column)
    ]
    values = dict.fromkeys(text for text, _ in says)
    if not says or one.value in values:
        return
    hint = meant(one.value, says, _NEARLY if one.absent else 0.6)
    if one.absent and (not hint or one.value.isdecimal()):
        return
    message = f'no row of {one.name} has {one.column} "{one.value}", so that this looks at nothing'
    allowed = listed(filter(None, values))
    yield Problem(NO_VALUE, place, message, one.value, allowed, hint, "warning" if one.absent else "error")
