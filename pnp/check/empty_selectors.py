"""What a game's own rules and promises name is there: a rule that looks at nothing proves nothing.

``no-such-value``: every value that rules.toml, or a ``where`` in ``[expect]``, picks rows by is one that a row has.
Why: a misspelt value picks no row, and of no row everything is true: the claim holds, the shuffle is proved, and neither
looked at anything.
Example: ``hexes("tiles", terrain="reeef")`` in a claim that none of these lies at the rim, while the table says reef.
What compares ``count``, ``designs`` or the length of ``rows`` with 0 says that there are none, and is left alone; a value
that nearly is one of the table's is a warning there.
Mend: write the value as the table does. Where it is meant, because the row may come to be there, allow it.

Covers: each value written out in an expression, a promise, a take, an exchange or a shuffle, against the rows of the table
that it picks from; in an expression as ``kind="reef"`` or as ``selectattr("kind", "eq", "reef")``, ``equalto`` and ``in``.
Not covered: values that other filters or ``==`` compare with, or that are put together while a claim is computed, and
whether a rule that looks at some rows looks at all that it should.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pnp.check.evaluator import Evaluator
from pnp.dataclass import dataclass
from pnp.sandbox.expressions import Asked
from pnp.values.findings import Subject, reported
from pnp.values.game import Game
from pnp.values.problems import Fault, Place, Problem, listed
from pnp.values.sections import Exchange, Take
from pnp.values.tables import Row, meant

RULE = "no-such-value"
RULES = (RULE,)

# Texts that mean yes or no, of which a column of flags need not have both.
FLAGS = ("yes", "no")
# How like one another a value that is said to be absent and one that is there must be for a slip of the finger.
_NEARLY = 0.75
PICKING = ("count", "designs", "rows", "hexes", "taken", "fields")


@reported
def look(subject: Subject) -> Iterator[Problem]:
    """Every value that is named in rules.toml."""
    game = subject.game
    known = _Known(game)
    evaluator = Evaluator(game)
    for text, place in _expressions(game):
        try:
            values = evaluator.compile(text).asked
        except Fault:
            continue  # told where it is evaluated
        for one in values:
            yield from known.missing(one, place)
    rules = game.rules
    picks: list[Take | Exchange] = [*(rules.setup.takes if rules.setup else ())]
    picks += rules.exchanges
    for picking in picks:
        for column, value in picking.where.items():
            yield from known.missing(Asked("rows", picking.component, column, value), picking.place)
    for promise in game.expectations:
        for grouping in promise.groupings:
            none = not any((grouping.groups, grouping.each, *(grouping.counts or {}).values()))
            for column, value in grouping.where.items():
                yield from known.missing(Asked("rows", promise.component, column, value, none), grouping.place)
    laid = {layout.name: layout.component for layout in game.layouts}
    for shuffle in rules.shuffles:
        named = [(column, value) for column, values in shuffle.blocked.items() for value in values]
        for column, value in (*named, *shuffle.start.items()):
            yield from known.missing(Asked("hexes", laid.get(shuffle.name, ""), column, value), shuffle.place)


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


@dataclass(frozen=True, slots=True)
class _Known:
    game: Game

    def _rows(self, one: Asked) -> Iterable[Row]:
        components = {component.name: component for component in self.game.components}
        component = components.get(one.name)
        if one.function == "hexes":
            tiles = component.hexes.tiles if component and component.hexes else {}
            return [cell.row for cells in tiles.values() for cell in cells]
        if one.function == "fields":
            return [field.row for field in component.board.fields] if component and component.board else []
        if component is not None and (one.function != "rows" or component.table.file != self.game.file):
            return component.table.rows
        table = self.game.tables.get(one.name) if one.function == "rows" else None
        return table.rows if table else ()

    def missing(self, one: Asked, place: Place) -> Iterator[Problem]:
        """The finding that no row has a value; of a table or column that is not there others tell."""
        if one.function not in PICKING or one.value in FLAGS:
            return
        says = [
            (text, row)
            for row in self._rows(one)
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
        yield Problem(RULE, place, message, one.value, allowed, hint, "warning" if one.absent else "error")
