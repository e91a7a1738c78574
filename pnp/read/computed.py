"""Columns that are computed: ``[table.cards.columns.total] value = "attack + defence"``, for each row from its others."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter
from typing import Any

from pnp.read.celltypes import column_values
from pnp.read.numbers import Habit, habit
from pnp.read.schema import Column
from pnp.values.problems import Place, Problems
from pnp.values.tables import Cell, Row, Table

RULE = "computed-column"
# For so many rows there are as many steps as for a claim.
ROWS_OF_A_STORE = 10_000


def computed(
    table: Table,
    columns: Mapping[str, Column],
    tables: Mapping[str, Table],
    palette: Mapping[str, str],
    place_of: Callable[[str], Place],
    problems: Problems,
) -> Table:
    """The table with its computed columns; ``place_of`` tells where one stands in game.toml."""
    wanted = {name: column for name, column in columns.items() if column.value is not None}
    if not wanted:
        return table
    # Only few games compute, and this takes a moment to load.
    from pnp.sandbox.expressions import Expression, Expressions
    from pnp.sandbox.values import BadExpression

    expressions = Expressions({})
    typing = habit(cell.text for row in table for cell in row.cells.values())
    compiled: dict[str, Expression] = {}
    asked: dict[str, frozenset[str]] = {}
    for name, column in wanted.items():
        if name in table.columns:
            message = f'the table has a column "{name}", and game.toml computes it as well'
            problems.error(RULE, place_of(name), message, value=name, hint="Remove one of the two, or rename it.")
            continue
        try:
            compiled[name] = expressions.compile(column.value or "")
            asked[name] = compiled[name].names
        except BadExpression as bad:
            message = f'"{column.value}" cannot be computed: {bad}'
            problems.error(RULE, place_of(name), message, value=bad.value, allowed=bad.allowed, hint=bad.hint)
    try:
        order = [*TopologicalSorter({name: asked[name] & compiled.keys() for name in compiled}).static_order()]
    except CycleError as error:
        circle = error.args[1]
        message = f"{' needs '.join(reversed(circle))}: none of these can be computed first"
        problems.error(RULE, place_of(circle[0]), message, value=circle[0], hint="Compute one of them from typed columns.")
        return table
    for name in order:
        table.use(asked[name] & {*table.columns})
        texts = _texts(table, name, compiled[name], expressions.refill, typing, place_of(name), problems)
        table = _with(table, name, wanted[name], texts, typing, tables, palette, problems)
    return table


def _texts(
    table: Table,
    name: str,
    expression: Any,
    refill: Callable[[], None],
    typing: Habit,
    place: Place,
    problems: Problems,
) -> list[str | bool]:
    """What the column says in each row; a fault is told for the first row that has it."""
    from pnp.sandbox.values import BadExpression

    made: list[str | bool] = []
    first: tuple[Row, BadExpression] | None = None
    failed = 0
    for at, row in enumerate(table):
        if at % ROWS_OF_A_STORE == 0:
            refill()
        made.append("")
        if not row.sound:
            # What is wrong with it is told.
            continue
        values = {column: cell.value for column, cell in row.cells.items()}
        try:
            made[-1] = _said(expression.value({"id": row.id, "copies": row.copies, "row": row, **values}), typing)
        except BadExpression as bad:
            first, failed, row.sound = first or (row, bad), failed + 1, False
    if first is not None:
        row, fault = first
        also = f" (and in {failed - 1} more rows)" if failed > 1 else ""
        problems.error(
            RULE,
            replace(row.place, column=name),
            f"the column has no value in this row{also}: {fault} ({place})",
            value=fault.value,
            allowed=fault.allowed,
            hint=fault.hint,
        )
    return made


def _said(value: Any, typing: Habit) -> str | bool:
    """A value as somebody would type it into the table. Raises BadExpression."""
    from pnp.sandbox.values import BadExpression, printable

    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        if not math.isfinite(value) or abs(value) >= 1e15:
            raise BadExpression("the number is too large", "", "less than fifteen digits")
        return typing.typed(value)
    return str(printable(value))


def _with(
    table: Table,
    name: str,
    column: Column,
    texts: list[str | bool],
    typing: Habit,
    tables: Mapping[str, Table],
    palette: Mapping[str, str],
    problems: Problems,
) -> Table:
    """The table with one more column."""
    if column.type is None and texts and all(isinstance(text, bool) for text in texts):
        column = column.model_copy(update={"type": "flag"})
    for row, said in zip(table, texts, strict=True):
        text = {True: "yes", False: "no"}[said] if isinstance(said, bool) else said
        row.cells = {**row.cells, name: Cell(text, text, replace(row.place, column=name))}
    table = replace(table, columns=(*table.columns, name))
    sound = [row for row in table if row.sound]
    values = column_values(replace(table, rows=tuple(sound)), name, column, typing, tables, palette, problems)
    for row, value in zip(sound, values, strict=True):
        row.cells = {**row.cells, name: replace(row.cells[name], value=value)}
    return table
