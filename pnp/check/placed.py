"""Findings about a promise, such as a claim, are placed at the row that breaks it, where one cell tells it from all others.

A promise says what many rows come to; which of them is wrong it does not say. So cells are changed one by one, in memory,
to what other rows say and to the numbers beside: a change that keeps what was broken and breaks nothing else is most
likely what was meant to be typed. Only broken promises are tried, and only so often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from pnp.check import claims, expected_counts
from pnp.check.changes import LIES, OTHER, Change, Changes, Sheet, sheet_of
from pnp.check.evaluator import Evaluator
from pnp.check.promises import PROMISES, Promise
from pnp.values.game import Expectation, Game
from pnp.values.problems import About, Place, Problem, listed
from pnp.values.rules import Claim

# Changes that are tried in a game, and steps that this may take; those that are looked at more closely for a finding.
MOST_TRIED, MOST_STEPS, MOST_COMPARED = 1_500, 1_200_000, 12
MANY = 4
# So many rows are named where each of them may be the one.
MOST_NAMED = 4
# What an expression's step costs is a row's part of the other rules.
_STEPS_OF_A_LOOK = 1_000

Columns = set[tuple[Sheet, str]]


def placed(game: Game, found: Sequence[Problem]) -> list[Problem]:
    """The findings, those about a promise at the cell, row or rows that break it, as far as these are known."""
    broken = [problem for problem in found if problem.promise and problem.severity == "error"]
    if not broken:
        return list(found)
    search = _Search(game, broken)
    return [search.placed(problem) if problem in broken else problem for problem in found]


@dataclass(frozen=True, slots=True)
class _Part:
    """Some of a game's promises."""

    claims: tuple[Claim, ...]
    expectations: tuple[Expectation, ...]
    looks: tuple[Promise, ...]


class _Search:
    """Which changes keep which of the broken promises."""

    def __init__(self, game: Game, broken: Sequence[Problem]) -> None:
        self._game, self._broken = game, {problem.promise for problem in broken}
        self._evaluator = Evaluator(game)
        self._again = {claim.name: claims.Again(claim, self._evaluator) for claim in game.rules.claims}
        self._changes = Changes(game)
        rules = {problem.rule for problem in broken}
        about = {problem.about.component for problem in broken if problem.about and problem.rule == expected_counts.RULE}
        self._failing = _Part(
            tuple(claim for claim in game.rules.claims if claims.promise_of(claim) in self._broken),
            tuple(each for each in game.expectations if each.component in about),
            tuple(dict.fromkeys(PROMISES[rule] for rule in PROMISES if rule in rules)),
        )
        self._reads: dict[str, tuple[Columns, Columns]] = {}
        """What each claim looks at, for what it is to hold and besides."""
        self._first: set[Place] = set()
        """Rows that were looked at last when a claim was found broken."""
        self._looked: dict[str, Counter[Sheet]] = {}
        """How many rows of each file a broken claim looks at."""
        self._kept: dict[Change, frozenset[str]] = {}
        self._harms: dict[Change, bool] = {}
        self.whole = self._try(_too_many(broken))

    def _try(self, fewer: Collection[int]) -> bool:
        """Every change; whether all could be tried."""
        asked = self._asked()
        options = [
            change
            for sheet in self._changes.tables
            if (columns := [column for file, column in sorted(asked, key=str) if file == sheet])
            for change in self._changes.of(sheet, columns, fewer)
        ]
        options.sort(key=lambda change: (-change.likely, change.row not in self._first, not change.near))
        looks, start = 0, self._evaluator.spent
        for tried, change in enumerate(options):
            if tried == MOST_TRIED or self._evaluator.spent - start + looks * _STEPS_OF_A_LOOK > MOST_STEPS:
                return False
            looks += len(self._failing.looks) + len(self._failing.expectations)
            if kept := self._broken - self._still(change):
                self._kept[change] = frozenset(kept)
        return True

    def _asked(self) -> Columns:
        """The columns that the broken promises look at."""
        looks = self._columns(lambda: self._of(self._game, replace(self._failing, claims=())))
        for component in self._game.components:
            if any(each.component == component.name for each in self._failing.expectations):
                looks |= {(sheet_of(row.place), "") for row in component.table}
        for look in self._failing.looks:
            for rows, columns in look.asked(self._game):
                looks |= {(sheet_of(row.place), column) for row in rows for column in ("", *columns)}
        return looks.union(*(part for claim in self._failing.claims for part in self._read_by(claim)))

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
        return found

    def _read_by(self, claim: Claim) -> tuple[Columns, Columns]:
        if claim.name not in self._reads:
            self._evaluator.look_at(self._game)
            again = self._again[claim.name]
            self._reads[claim.name] = self._columns(again.gather), self._columns(lambda: again.holds(anew=False))
            if claim in self._failing.claims:
                rows = [*again.rows(), *(row for rows in self._evaluator.seen.values() for row in rows)]
                self._first |= {row.place for row in rows}
                self._looked[claims.promise_of(claim)] = Counter(sheet_of(row.place) for row in dict.fromkeys(rows))
        return self._reads[claim.name]

    def _still(self, change: Change) -> set[str]:
        """What of the broken promises stays broken after a change."""
        with self._changes.made(change) as game:
            if game is None:
                return self._broken
            touched = tuple(claim for claim in self._failing.claims if self._touches(change, claim))
            untouched = {claims.promise_of(claim) for claim in self._failing.claims} - set(map(claims.promise_of, touched))
            return untouched | self._of(game, replace(self._failing, claims=touched), change)

    def _touches(self, change: Change, claim: Claim) -> bool:
        return any(self._reaches(change, part) for part in self._read_by(claim))

    def _reaches(self, change: Change, columns: Columns) -> bool:
        sheet = sheet_of(change.place)
        if change.cell is None or change.copies:
            return any(file == sheet for file, _ in columns)
        return any((sheet, column) in columns for column in change.columns)

    def _holds(self, claim: Claim, change: Change | None) -> bool:
        """Whether a claim is true after a change."""
        return self._again[claim.name].holds(change is None or self._reaches(change, self._read_by(claim)[0]))

    def _of(self, game: Game, part: _Part, change: Change | None = None) -> set[str]:
        """What of some promises is broken, after a change."""
        self._evaluator.look_at(game)
        broken = {claims.promise_of(claim) for claim in part.claims if not self._holds(claim, change)}
        broken |= {each.promise for each in expected_counts.check(replace(game, expectations=part.expectations))}
        return broken | {each.promise for look in part.looks for each in look.look(game) if each.promise}

    def _harmless(self, change: Change) -> bool:
        """Whether a change breaks nothing that was whole."""
        if change not in self._harms:
            for claim in self._game.rules.claims:
                self._read_by(claim)
            with self._changes.made(change) as game:
                self._harms[change] = game is None or self._breaks(game, change)
        return not self._harms[change]

    def _breaks(self, game: Game, change: Change) -> bool:
        looks = tuple(dict.fromkeys(PROMISES.values()))
        if self._of(game, _Part((), game.expectations, looks)) - self._broken:
            return True
        whole = [claim for claim in game.rules.claims if claims.promise_of(claim) not in self._broken]
        return any(not self._holds(claim, change) for claim in whole if self._touches(change, claim))

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
            return problem
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
