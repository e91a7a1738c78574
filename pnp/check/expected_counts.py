"""Checks the numbers of pieces that ``[expect]`` promises.

``expected-counts``: the tables do not hold the pieces that ``[expect]`` promises.

Why: a missing card is noticed only after printing.
Example: ``[expect.cargo] copies = 60``, and the copies add up to 59.
Mend: put the missing row back, or correct the promise if the game has changed.

Covers: copies, rows and values of every component with a promise.
Not covered: two wrong copies that cancel each other out, unless a ``split`` by id names each row.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pnp.values.fields import Expected, Split
from pnp.values.findings import Subject, reported
from pnp.values.game import Component, Game
from pnp.values.problems import About, Place, Problem, closest, listed
from pnp.values.tables import Number, Row, Table

RULE = "expected-counts"
RULES = (RULE,)

# So many values that are not as promised speak against the promise, where they are most.
_MANY = 3


@reported
def look(subject: Subject) -> Iterator[Problem]:
    """Every promise of ``[expect]`` that the tables do not keep, with the rows that are too many or the values that lack."""
    game = subject.game
    components = {component.name: component for component in game.components}
    for expectation in game.expectations:
        component = components.get(expectation.name)
        if component and component.table.whole:
            for problem in _component(game, component, expectation):
                yield replace(problem, about=About(component.name))


def _component(game: Game, component: Component, expected: Expected) -> Iterator[Problem]:
    rows = component.table.rows
    copies = component.copies
    if expected.copies is not None and copies != expected.copies:
        shown = _number(copies, "copy", "copies")
        yield _differs(component, expected.place, shown, copies, expected.copies)
    if expected.different is not None and len(rows) != expected.different:
        shown = _number(len(rows), "row", "rows")
        yield _differs(component, expected.place, shown, len(rows), expected.different)
    for grouping in expected.split:
        yield from _grouping(game, component, grouping)


def _number(count: int, one: str, more: str) -> str:
    return f"{count} {one if count == 1 else more}"


def _difference(more: int) -> str:
    return f"{more} too many." if more > 0 else f"{-more} missing."


def _differs(component: Component, promise: Place, shown: str, got: int, promised: int) -> Problem:
    rows = component.table.rows
    place = rows[0].place_of(component.table.counted) if len(rows) == 1 else component.table.place()
    message = f"{component.title}: {shown} in the table, {promised} promised ({promise})"
    return Problem(RULE, place, message, str(got), str(promised), _difference(got - promised))


def _unnamed(game: Game, component: Component, column: str) -> list[str]:
    """Rows of the table that a column refers to, which no row of the component names."""
    named = {row.cells[column].value for row in component.table if column in row}
    for table in game.tables.values():
        if any(row in named for row in table):
            return [str(row) for row in table if row not in named]
    return []


def _grouping(game: Game, component: Component, grouping: Split) -> Iterator[Problem]:
    table = component.table
    for column in (grouping.by, *grouping.where):
        if column not in (*table.columns, "id", "copies"):
            message = f'the table "{table.name}" has no column "{column}"'
            hint = closest(column, table.columns)
            yield Problem("unknown-column", grouping.place, message, column, listed(table.columns), hint)
            return
    asked = (row.cells[column] for row in table for column in (grouping.by, *grouping.where) if column in row)
    if any(cell.text and cell.value in (None, "") for cell in asked):
        return  # What could not be read is told: counting it as empty would tell it again.
    groups: dict[str, list[Row]] = {}
    numbers: dict[int | float, str] = {}
    for row in table.rows:
        if all(row.matches(column, wanted) for column, wanted in grouping.where.items()):
            name, cell = row.text_of(grouping.by), row.cells.get(grouping.by)
            if cell is not None and isinstance(cell.value, Number):
                # 2 and 2.0 are one number; it is called as the promise calls it.
                called = next((text for text in row.aliases(grouping.by) if text in grouping.counts), name)
                name = numbers.setdefault(cell.value.number, called)
            groups.setdefault(name, []).append(row)
    where = "".join(f", {column} {wanted}" for column, wanted in grouping.where.items())
    what = f"{component.title}{where}"
    if grouping.groups is not None and len(groups) != grouping.groups:
        unnamed = _unnamed(game, component, grouping.by) if len(groups) < grouping.groups else []
        message = (
            f"{what}: {len(groups)} different values of {grouping.by} ({listed(groups, 24)}), "
            f"{grouping.groups} promised ({grouping.place})"
        )
        hint = f"No row has {listed(unnamed)}." if unnamed else ""
        yield Problem(RULE, table.place(None, grouping.by), message, str(len(groups)), str(grouping.groups), hint)
    promised = dict(grouping.counts) if grouping.counts else {}
    if grouping.each is not None:
        promised = dict.fromkeys(groups, grouping.each) | promised
    if not promised:
        return
    names = dict.fromkeys([*promised, *groups])
    odd = [each for name in names for each in _group(table, what, grouping, name, groups.get(name, []), promised)]
    # What most values break is hardly the fault of their rows.
    theirs = 2 * len(odd) <= len(names) or len(odd) < _MANY
    yield from (each if theirs else replace(each, place=grouping.place) for each in odd)


def _group(
    table: Table, what: str, grouping: Split, name: str, rows: list[Row], promised: dict[str, int]
) -> Iterator[Problem]:
    copies = sum(row.copies for row in rows)
    if name not in promised:
        message = f'{what}: "{name}" is not among the promised values of {grouping.by} ({grouping.place})'
        yield Problem(RULE, rows[0].place_of(grouping.by), message, name, listed(promised), closest(name, promised))
    elif copies != promised[name]:
        stand = f" (rows {listed((str(row.place.row) for row in rows), 4)})" if rows else ""
        place = rows[0].place_of(grouping.by) if len(rows) == 1 else table.place(None, grouping.by)
        shown = _number(copies, "copy", "copies")
        message = f'{what}: {shown} with {grouping.by} "{name}"{stand}, {promised[name]} promised ({grouping.place})'
        yield Problem(RULE, place, message, str(copies), str(promised[name]), _difference(copies - promised[name]))
