"""Rows of several tables as those of one component; and rows of which each copy is a piece of its own, with its number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pnp.values.cells import CellText, Number
from pnp.values.problems import Place, Problems, listed
from pnp.values.tables import Cell, Row, Table


def joined(name: str, tables: Sequence[Table | None]) -> Table | None:
    """The tables as one; None where one of them could not be read. The same row of two tables is two pieces."""
    there = [table for table in tables if table is not None]
    if len(there) < len(tables):
        return None
    if len(there) == 1:
        return there[0]
    columns = tuple(dict.fromkeys(column for table in there for column in table.columns))
    rows: list[Row] = []
    seen: set[str] = set()
    for table in there:
        lacking = [column for column in columns if column not in table.columns]
        for row in table:
            key = row.id
            while key.casefold() in seen:
                key = f"{key}-{table.name}"
            seen.add(key.casefold())
            if lacking or key != row.id:
                missing = {column: _missing(column, table, row) for column in lacking}
                row = replace(row, id=key, cells={**row.cells, **missing}, design=row.id if key != row.id else "")
            rows.append(row)
    first = there[0]
    return replace(
        first,
        name=name,
        columns=columns,
        rows=tuple(rows),
        used=set(),
        whole=all(table.whole for table in there),
        parts=tuple(there),
    )


def _missing(column: str, table: Table, row: Row) -> Cell:
    """A cell of a column that only the other tables have."""
    place = replace(row.place, column=column)
    if column in table.taken:
        return Cell("", "", place)
    why = f'the table {table.file} has no column "{column}"'
    return Cell(CellText("", why, "Add it there, or ask first whether the cell says something."), "", place)


def check_joined(table: Table, place: Place, problems: Problems) -> None:
    """Told: columns that some of the tables have and others have not, but for ids and numbers of copies."""
    spared = {column for part in table.parts for column in ("id", part.key, part.counted)}
    for part in table.parts:
        if lacking := [column for column in table.columns if column not in (*part.columns, *spared)]:
            problems.warn(
                "columns-of-one-table",
                part.place(1),
                f"it has no column {listed(lacking)}, as others of {place} have: the cells are empty",
                value=lacking[0],
                hint="Add what the pieces show to all tables, or ask first: {% if row." + lacking[0] + " %}.",
            )


def numbered(table: Table, place: Place, problems: Problems) -> Table:
    """Each copy of a row as a row of its own, that knows its number: ``row.copy`` of ``row.copies``."""
    rows: list[Row] = []
    ids = {row.id.casefold() for row in table}
    for row in table:
        for number in range(1, row.copies + 1):
            key = f"{row.id}-{number:0{max(2, len(str(row.copies)))}}"
            if key.casefold() in ids:
                problems.error(
                    "double-id",
                    row.place_of("id"),
                    f'copy {number} of "{row.id}" is called "{key}", and so is a row of the table ({place})',
                    value=key,
                    allowed="an id once",
                    hint="Give one of the two another id.",
                )
            counted = {"copy": number, "copies": row.copies}
            cells = {name: Cell(Number(str(count), count), str(count), row.place) for name, count in counted.items()}
            rows.append(replace(row, id=key, copies=1, cells={**row.cells, **cells}, design=row.design or row.id))
    return replace(table, rows=tuple(rows))
