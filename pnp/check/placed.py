"""Findings about a promise, such as a claim, are placed at the row that breaks it, where one cell tells it from all others.

A promise says what many rows come to; which of them is wrong it does not say. So cells are changed one by one, in memory,
to what other rows say and to the numbers beside: a change that keeps what was broken and breaks nothing else is most
likely what was meant to be typed. Only broken promises are tried, and only so often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from heapq import nsmallest
from itertools import islice

from pnp.check import claims, expected_counts
from pnp.check.changes import LIES, OTHER, Change, Changes, Sheet, sheet_of
from pnp.check.evaluator import Evaluator
from pnp.check.gaps import lacking
from pnp.check.promises import PROMISES, Promise
from pnp.values.game import Expectation, Game
from pnp.values.problems import About, Place, Problem, listed

# Changes that are tried in a game, and steps that this may take; those that are looked at more closely for a finding.
MOST_TRIED, MOST_STEPS, MOST_COMPARED = 1_500, 1_200_000, 12
# Changes that are made of a game, to find those that are likely.
MOST_MADE = 100_000
MANY = 4
# So many rows are named where each of them may be the one.
MOST_NAMED = 4
# What the other rules cost beside expressions: so many steps for each row of the tables that they look at, or for all.
_STEPS_OF_A_LOOK, _STEPS_OF_A_ROW = 1_000, 10

Columns = frozenset[tuple[Sheet, str]]


def placed(game: Game, found: Sequence[Problem]) -> list[Problem]:
    """The findings, those about a promise at the cell, row or rows that break it, as far as these are known."""
    broken = [problem for problem in found if problem.promise and problem.severity == "error"]
    if not broken:
        return list(found)
    search = _Search(game, broken)
    return [search.placed(problem) if problem in broken else problem for problem in found]


@dataclass(frozen=True, eq=False, slots=True)
class _Ask:
    """Promises that are asked for at once: those of a claim, of an ``[expect]``, or of a rule."""

    broken: Callable[[Game, bool], set[str]]
    """What of them a game breaks; and whether what they hold for may be another than before."""
    columns: Columns = frozenset()
    """Columns that it looks at besides those that show while it runs."""
    again: claims.Again | None = None
    """Of a claim."""


class _Search:
    """Which changes keep which of the broken promises."""

    def __init__(self, game: Game, broken: Sequence[Problem]) -> None:
        self._game, self._broken = game, {problem.promise for problem in broken}
        self._evaluator = Evaluator(game)
        self._changes = Changes(game)
        self._reads: dict[_Ask, tuple[Columns, Columns]] = {}
        """What each looks at, for what it is to hold and besides."""
        self._looks = 0
        """Steps that the looks of other rules took."""
        self._whole: list[_Ask] = []
        self._failing: dict[_Ask, set[str]] = {}
        """Those of which something is broken, and what."""
        for ask in self._asks():
            if lost := ask.broken(game, True) & self._broken:
                self._failing[ask] = lost
            else:
                self._whole.append(ask)
        self._first: set[Place] = set()
        """Rows that were looked at last when a claim was found broken."""
        self._looked: dict[str, Counter[Sheet]] = {}
        """How many rows of each file a broken claim looks at."""
        for ask in self._failing:
            self._look_at(ask)
        self._kept: dict[Change, frozenset[str]] = {}
        self._harms: dict[Change, bool] = {}
        self.whole = self._try(_too_many(broken))

    def _asks(self) -> Iterator[_Ask]:
        """All promises of the game."""
        for claim in self._game.rules.claims:
            again = claims.Again(claim, self._evaluator)
            yield _Ask(partial(_of_claim, again, claims.promise_of(claim)), again=again)
        for component in self._game.components:
            if own := tuple(each for each in self._game.expectations if each.component == component.name):
                rows = frozenset((sheet_of(row.place), "") for row in component.table)
                yield _Ask(partial(_of_counts, own), rows)
        for rule in dict.fromkeys(PROMISES.values()):
            asked = rule.asked(self._game)
            yield _Ask(
                partial(_of_rule, rule, self._evaluator),
                frozenset((sheet_of(row.place), name) for rows, names in asked for row in rows for name in ("", *names)),
            )

    def _try(self, fewer: Collection[int]) -> bool:
        """Every change; whether all could be tried."""
        asked = {column for ask in self._failing for part in self._read_by(ask) for column in part}
        options = (
            change
            for sheet in self._changes.tables
            if (columns := [column for file, column in sorted(asked, key=str) if file == sheet])
            for change in self._changes.of(sheet, columns, fewer)
        )
        # Those that are likely are kept as they are made: of a large table there are millions.
        first = nsmallest(
            MOST_TRIED + 1,
            islice(options, MOST_MADE),
            key=lambda change: (-change.likely, change.row not in self._first, not change.near),
        )
        for change in first[:MOST_TRIED]:
            if self._spent() > MOST_STEPS:
                return False
            if kept := self._broken - self._still(change):
                self._kept[change] = frozenset(kept)
        return len(first) <= MOST_TRIED

    def _spent(self) -> int:
        return self._evaluator.spent + self._looks

    def _columns(self, run: Callable[[], object]) -> Columns:
        """What is looked at while something runs; rows are asked for without a column where only their copies count."""
        used = {sheet: rows[0].used for sheet, rows in self._changes.tables.items()}
        before = {sheet: set(columns) for sheet, columns in used.items()}
        for columns in used.values():
            columns.clear()
        self._evaluator.seen.clear()
        run()
        found = {(sheet, column) for sheet, columns in used.items() for column in columns}
        rows = [row for rows in self._evaluator.seen.values() for row in rows]
        found |= {(sheet_of(row.place), "") for row in rows}
        slots = {sheet_of(slot.row.place) for layout in self._game.layouts for slot in layout.slots}
        found |= {(sheet_of(row.place), column) for row in rows for column in LIES if sheet_of(row.place) in slots}
        for sheet, columns in used.items():
            columns.update(before[sheet])
        return frozenset(found)

    def _read_by(self, ask: _Ask) -> tuple[Columns, Columns]:
        if ask not in self._reads:
            self._evaluator.look_at(self._game)
            cases = self._columns(ask.again.gather) if ask.again else frozenset[tuple[Sheet, str]]()
            self._reads[ask] = cases, self._columns(lambda: ask.broken(self._game, False)) | ask.columns
        return self._reads[ask]

    def _look_at(self, ask: _Ask) -> None:
        """Which rows a broken claim looks at."""
        self._read_by(ask)
        if ask.again:
            rows = [*ask.again.rows(), *(row for rows in self._evaluator.seen.values() for row in rows)]
            self._first |= {row.place for row in rows}
            (name,) = self._failing[ask]
            self._looked[name] = Counter(sheet_of(row.place) for row in dict.fromkeys(rows))

    def _still(self, change: Change) -> set[str]:
        """What of the broken promises stays broken after a change."""
        with self._changes.made(change) as game:
            if game is None:
                return self._broken
            self._evaluator.look_at(game)
            return {name for ask, lost in self._failing.items() for name in self._after(ask, change, game, lost)}

    def _after(self, ask: _Ask, change: Change, game: Game, before: set[str]) -> set[str]:
        """What of some promises is broken after a change, and ``before`` where it is nothing to them."""
        cases, besides = (self._reaches(change, columns) for columns in self._read_by(ask))
        if not (cases or besides):
            return before
        if not ask.again:
            sheets = {sheet for part in self._read_by(ask) for sheet, _ in part}
            rows = sum(len(self._changes.tables.get(sheet, ())) for sheet in sheets)
            self._looks += max(_STEPS_OF_A_LOOK, rows * _STEPS_OF_A_ROW)
        return ask.broken(game, cases)

    def _reaches(self, change: Change, columns: Columns) -> bool:
        sheet = sheet_of(change.place)
        if change.cell is None or change.copies:
            return any(file == sheet for file, _ in columns)
        return any((sheet, column) in columns for column in change.columns)

    def _harmless(self, change: Change) -> bool:
        """Whether a change breaks nothing that was whole; not so where it costs too much to know."""
        if change not in self._harms:
            asks = [*self._whole, *self._failing]
            for ask in asks:
                self._read_by(ask)
            with self._changes.made(change) as game:
                self._evaluator.look_at(game or self._game)
                self._harms[change] = game is None or any(
                    self._spent() > 2 * MOST_STEPS or self._after(ask, change, game, set()) - self._broken for ask in asks
                )
        return not self._harms[change]

    def placed(self, problem: Problem) -> Problem:
        """A finding at what breaks the promise."""
        options = [change for change, kept in self._kept.items() if problem.promise in kept]
        most = max((len(self._kept[change]) for change in options), default=0)
        options = [change for change in options if len(self._kept[change]) == most]
        likely = max((change.likely for change in options), default=0)
        if len({change.row for change in options if change.likely == likely}) > MOST_COMPARED:
            return problem
        options = [change for change in options[:MOST_COMPARED] if self._harmless(change)]
        if not options:
            return self._with_gaps(problem)
        likely = max(change.likely for change in options)
        best = [change for change in options if change.likely == likely]
        rows = list(dict.fromkeys(change.row for change in best))
        # One of many that alone can be it is more than one that was asked for by name.
        many = self._looked.get(problem.promise, Counter())[sheet_of(best[0].place)] >= MANY
        known = len(rows) == 1 and (most > 1 or likely > 0 or many) and (self.whole or most + likely > 2)
        if known:
            return self._at(problem, best)
        if len(rows) > MOST_NAMED or rows == [replace(problem.place, column=None)]:
            return problem
        return replace(problem, hint=f"{problem.hint} {_would_be(best, rows)}".strip())

    def _with_gaps(self, problem: Problem) -> Problem:
        """The finding, with the row that seems to lack in what a claim looks at."""
        for sheet in self._looked.get(problem.promise, ()):
            if sheet in self._changes.tables and (told := lacking(self._changes.tables[sheet], 1)):
                return replace(problem, hint=f"{problem.hint} In {sheet[0].rpartition('/')[2]}: {told}".strip())
        return problem

    def _at(self, problem: Problem, best: list[Change]) -> Problem:
        place = best[0].place if len({change.place for change in best}) == 1 else best[0].row
        told = "" if problem.place.file == place.file else f" ({problem.place})"
        return replace(
            problem,
            place=place,
            message=f"{problem.message}{told}",
            hint=f"{problem.hint} {_would_be(best, [])}".strip(),
            about=self._about(best[0]) or problem.about,
        )

    def _about(self, change: Change) -> About | None:
        """The piece that a row is."""
        for component in self._game.components:
            for row in component.table:
                if row.place == change.row:
                    return About(component.name, row.id)
        return None


def _of_claim(again: claims.Again, name: str, _: Game, anew: bool) -> set[str]:
    return set() if again.holds(anew) else {name}


def _of_counts(own: tuple[Expectation, ...], game: Game, _: bool) -> set[str]:
    return {problem.promise for problem in expected_counts.check(replace(game, expectations=own))} - {""}


def _of_rule(rule: Promise, evaluator: Evaluator, game: Game, _: bool) -> set[str]:
    return {problem.promise for problem in rule.look(game, evaluator)} - {""}


def _too_many(broken: Iterable[Problem]) -> list[int]:
    """By how much the copies differ from those that are promised."""
    numbers = [(problem.value, problem.allowed) for problem in broken if problem.rule == expected_counts.RULE]
    return [int(value) - int(allowed) for value, allowed in numbers if value.isdecimal() and allowed.isdecimal()]


def _would_be(best: list[Change], rows: list[Place]) -> str:
    """What is to be changed, as a sentence; ``rows`` where any of them may be it."""
    first = best[0]
    if rows:
        file = first.place.file.rpartition("/")[2]
        lines = listed(map(str, sorted(row.row or 0 for row in rows)))
        if len(best) == 1 and first.cell and first.cell.value is not OTHER:
            column = first.place.column
            return f'It would be true with "{first.text}" instead of "{first.was}" in row {lines}, {column}, of {file}.'
        which = f"row {lines}" if len(rows) == 1 else f"one of rows {lines}"
        return f"It would be true with another value in {which} of {file}."
    if first.cell is None:
        return "This row says what one before it says; without it that would be true."
    if len(best) > 1 or first.cell.value is OTHER:
        return "With another value here it would be true."
    return f'With "{first.text}" instead of "{first.was}" in this cell it would be true.'
