"""What the cells of a table hold: as game.toml describes a column, or, where it says nothing, numbers or text.

Every reference to another table's row is that row.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pnp.read.numbers import Habit, habit
from pnp.read.schema import Column
from pnp.shapes.colour import full
from pnp.values.cells import CellText, Flag, Number
from pnp.values.problems import Problems, closest, listed
from pnp.values.tables import NO, YES, Cell, Row, Table, Value, meant

# Of a column that is not declared these alone are flags: an x or a 1 may be anything.
_FLAGS = {"yes": True, "true": True, "no": False, "false": False}
_KINDS = {"text": "text", "whole": "whole numbers", "number": "numbers", "flag": "yes or no", "colour": "colours"}


def resolve(
    table: Table, columns: Mapping[str, Column], tables: Mapping[str, Table], palette: Mapping[str, str], problems: Problems
) -> None:
    """Give the cells their values: numbers, flags, colours, rows of other tables."""
    typing = habit(cell.text for row in table for cell in row.cells.values())
    made: dict[str, list[Value]] = {}
    for name in table.columns:
        column = columns.get(name)
        if column is None or column.value is None:
            values = column_values(table, name, column, typing, tables, palette, problems)
            if any(value is not row.cells[name].value for value, row in zip(values, table, strict=True)):
                made[name] = values
    for at, row in enumerate(table.rows if made else ()):
        cells = {name: row.cells[name] for name in made}
        row.cells = {**row.cells, **{name: Cell(made[name][at], cell.text, cell.place) for name, cell in cells.items()}}


def column_values(
    table: Table,
    name: str,
    column: Column | None,
    typing: Habit,
    tables: Mapping[str, Table],
    palette: Mapping[str, str],
    problems: Problems,
) -> list[Value]:
    """The values of a column, by rows; that of an empty number of copies is 1."""
    values = _values(table, name, column, typing, tables, palette, problems)
    if name != table.counted:
        return values
    return [value if row.cells[name].text else 1 for value, row in zip(values, table, strict=True)]


def _values(
    table: Table,
    name: str,
    column: Column | None,
    typing: Habit,
    tables: Mapping[str, Table],
    palette: Mapping[str, str],
    problems: Problems,
) -> list[Value]:
    cells = [row.cells[name] for row in table]
    lost: set[int] = set()
    if column is not None:
        if column.type is None and (column.min is not None or column.max is not None):
            column = column.model_copy(update={"type": "number"})
        values = _described(table, name, column, typing, tables, palette, problems)
        if column.type is not None or column.table is not None:
            return values
        lost = {at for at, cell in enumerate(cells) if cell.text and not values[at]}
    if name in ("id", table.key):
        table.taken[name] = "text"
        return [cell.text for cell in cells]
    return ["" if at in lost else value for at, value in enumerate(_found(table, name, cells, typing))]


def _described(
    table: Table,
    name: str,
    column: Column,
    typing: Habit,
    tables: Mapping[str, Table],
    palette: Mapping[str, str],
    problems: Problems,
) -> list[Value]:
    other = tables.get(column.table) if column.table else None
    index = _index(other) if other else None
    if index is not None:
        table.used.add(name)
    table.taken[name] = f"rows of {column.table}" if column.table else _KINDS[column.type or "text"]
    lost = column.table is not None and not (other and other.whole)
    values: list[Value] = []
    for row in table:
        cell = row.cells[name]
        if lost and cell.text and cell.text.casefold() not in (index or ()):
            # What is wrong with the other table is told there.
            row.sound = False
            values.append(cell.text)
            continue
        before = len(problems)
        values.append(_value(cell, column, index, palette, typing, problems))
        row.sound = row.sound and len(problems) == before
    return values


def _found(table: Table, name: str, cells: Sequence[Cell], typing: Habit) -> list[Value]:
    """Numbers or flags, where every filled cell is one, else texts.

    Texts among which some look like numbers know why they are none.
    """
    filled = {cell.text.lower() for cell in cells if cell.text}
    if filled and filled <= _FLAGS.keys():
        table.taken[name] = _KINDS["flag"]
        return [Flag(cell.text, _FLAGS.get(cell.text.lower(), False)) for cell in cells]
    # Columns say the same again and again.
    numbers = {text: typing.number(text) for text in dict.fromkeys(cell.text for cell in cells)}
    words = next((at for at, cell in enumerate(cells) if cell.text and numbers[cell.text] is None), None)
    if all(number is None for number in numbers.values()):
        table.taken[name] = "text"
        return [cell.text for cell in cells]
    if words is not None:
        blamed, beside = cells[words], ""
        if typing.doubtful and Habit(",").number(blamed.text) is not None:
            # Of 1.000 and 2,5 it is the 1.000 that somebody must write otherwise.
            blamed = next((cell for cell in cells if cell.text == typing.doubtful), blamed)
            which = "which" if blamed.text == typing.doubtful else f'and "{typing.doubtful[:40]}"'
            beside = f", {which} may be a thousand or a number with a fraction"
        table.taken[name] = f"text (for row {blamed.place.row})"
        why = f'the column "{name}" is text, for row {blamed.place.row} says "{blamed.text[:40]}"{beside}'
        hint = f'Mend the cell, or declare it in game.toml: [table.{table.name}.columns.{name}] type = "number" or "text".'
        return [CellText(cell.text, why, hint) for cell in cells]
    table.taken[name] = "numbers"
    empty = next((cell.place.row for cell in cells if not cell.text), None)
    why = f'the column "{name}" has empty cells, as in row {empty}'
    hint = f"Fill it, or ask first: {{% if row.{name} %}}."
    made = {text: CellText("", why, hint) if number is None else Number(text, number) for text, number in numbers.items()}
    return [made[cell.text] for cell in cells]


def _index(table: Table) -> dict[str, Row]:
    named = {str(row.cells["name"].text).casefold(): row for row in reversed(table.rows) if "name" in row.cells}
    return named | {row.id.casefold(): row for row in table.rows}


def _value(
    cell: Cell,
    column: Column,
    index: Mapping[str, Row] | None,
    palette: Mapping[str, str],
    typing: Habit,
    problems: Problems,
) -> Value:
    """What a cell of a described column holds, unless that is found from the whole column."""
    if not cell.text and column.type != "flag":
        if not column.optional:
            problems.error(
                "empty-cell",
                cell.place,
                "the cell is empty",
                hint="Fill it, or write optional = true for this column in game.toml.",
            )
        return None if column.table or column.type in ("whole", "number") else ""
    if index is not None:
        if row := index.get(cell.text.casefold()):
            return row
        names = _names(index)
        problems.error(
            "unknown-reference",
            cell.place,
            f'"{cell.text}" is not in the table {column.table}',
            value=cell.text,
            allowed=listed(name for name, _ in names),
            hint=meant(cell.text, names),
        )
        return None
    if column.one_of is not None and cell.text not in column.one_of:
        problems.unknown(
            "unknown-value", cell.place, f'"{cell.text}" is not a value of this column', cell.text, column.one_of
        )
        return ""
    if column.type in ("whole", "number"):
        return _number(cell, column, typing, problems)
    if column.type == "flag":
        return _flag(cell, problems)
    if column.type == "colour":
        return _colour(cell, palette, problems)
    return cell.text


def _names(index: Mapping[str, Row]) -> list[tuple[str, Row]]:
    rows = {row.id: row for row in sorted(index.values(), key=lambda row: row.place.row or 0)}
    return [(row.cells["name"].text if "name" in row.cells else row.id, row) for row in rows.values()]


def _number(cell: Cell, column: Column, typing: Habit, problems: Problems) -> Value:
    """A number that prints as it was typed."""
    whole = column.type == "whole"
    least = "" if column.min is None else f"from {column.min:g}"
    most = "" if column.max is None else f"to {column.max:g}"
    allowed = " ".join(filter(None, ("a whole number" if whole else "a number", least, most)))
    number = typing.number(cell.text)
    if number is None and re.fullmatch(r"[+-]?\d{1,15}(\.\d{1,12})?", cell.text, re.ASCII):
        number = float(cell.text) if "." in cell.text else int(cell.text)
    if number is None or (whole and not isinstance(number, int)):
        message = f'"{cell.text}" is not {"a whole number" if whole else "a number"}'
    elif (column.min is None or number >= column.min) and (column.max is None or number <= column.max):
        return number if str(number) == cell.text else Number(cell.text, number, declared=True)
    else:
        message = f'"{cell.text}" is out of bounds'
    problems.error("bad-number", cell.place, message, value=cell.text, allowed=allowed)
    return None


def _flag(cell: Cell, problems: Problems) -> bool:
    if cell.text.lower() in YES:
        return True
    if cell.text.lower() not in NO:
        problems.error("bad-flag", cell.place, f'"{cell.text}" is neither yes nor no', value=cell.text, allowed="yes, no")
    return False


def _colour(cell: Cell, palette: Mapping[str, str], problems: Problems) -> str:
    if cell.text in palette:
        return palette[cell.text]
    if full(cell.text):
        return cell.text
    problems.error(
        "unknown-colour",
        cell.place,
        f'"{cell.text}" is no colour',
        value=cell.text,
        allowed=f"#rrggbb, {listed(palette)}",
        hint=closest(cell.text, palette),
    )
    return "#000000"
