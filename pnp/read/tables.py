"""Grids of text → tables of typed rows; every reference to another table's row is that row."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path

from pnp.read.devices import is_device
from pnp.read.grid import SUFFIXES, Grid, read_grid
from pnp.read.schema import Column, TableRules
from pnp.shapes.colour import full
from pnp.values.game import YES, Cell, Row, Table, Value
from pnp.values.problems import Place, Problems, closest, listed

COPIES = ("copies", "count", "qty", "quantity")
MOST_COPIES = 1000
NO = ("no", "false", "", "0")

_ID = re.compile(r"[\w][\w .+-]{0,79}")


def find_file(folder: Path, name: str, rules: TableRules) -> Path:
    """The file of a table; the CSV's path when none of the formats is there."""
    if rules.file is not None:
        return folder / rules.file
    return next(
        (folder / (name + suffix) for suffix in SUFFIXES if (folder / (name + suffix)).is_file()), folder / f"{name}.csv"
    )


def read_table(path: Path, shown: str, name: str, rules: TableRules, problems: Problems) -> Table | None:
    """The rows of a table with their cells still as typed; :func:`resolve` gives them values."""
    grid = read_grid(path, shown, rules.sheet, problems)
    if grid is None:
        return None
    used: set[str] = set()
    header = Place(shown, 1)
    described = True
    for column in rules.columns:
        if column not in grid.header:
            described = False
            problems.unknown(
                "missing-column",
                header,
                f'the table has no column "{column}", which game.toml describes',
                column,
                grid.header,
            )
    counted = [column for column in COPIES if column in grid.header]
    if len(counted) > 1:
        problems.error(
            "two-copies-columns",
            header,
            f"{' and '.join(counted)} both say how many copies there are",
            allowed="one of them",
        )
    used.update(counted, {"id"} & set(grid.header))
    before = len(problems.errors)
    rows: list[Row] = []
    for line, texts in grid.rows:
        cells = {
            column: Cell(text, text, Place(shown, line, column)) for column, text in zip(grid.header, texts, strict=True)
        }
        copies = _copies(cells[counted[0]], problems) if counted else 1
        rows.append(Row(_id(grid, cells, line), copies, Place(shown, line), cells, used, sound=described))
    # A wrong number of copies makes every sum wrong.
    whole = grid.whole and len(problems.errors) == before
    _name_apart(rows, grid, problems)
    return Table(name, shown, grid.header, tuple(rows), used, whole)


def _copies(cell: Cell, problems: Problems) -> int:
    if not cell.text:
        return 1
    if re.fullmatch(r"\d{1,9}", cell.text, re.ASCII) and int(cell.text) <= MOST_COPIES:
        return int(cell.text)
    problems.error(
        "bad-copies",
        cell.place,
        f'"{cell.text}" is not a number of copies',
        value=cell.text,
        allowed=f"a whole number from 0 to {MOST_COPIES}",
    )
    return 0


def slug(text: str) -> str:
    """Text as a name for files and ids: small letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:64]


def _id(grid: Grid, cells: Mapping[str, Cell], line: int) -> str:
    if "id" in cells:
        return cells["id"].text
    for column in ("name", "title"):
        if column in cells and (made := slug(cells[column].text)):
            return made
    return f"row-{line}"


def _name_apart(rows: list[Row], grid: Grid, problems: Problems) -> None:
    """Ids that were typed must be usable and different; ids made from names are made different."""
    seen: dict[str, Row] = {}
    for row in rows:
        if "id" in grid.header:
            place = row.place_of("id")
            # Files are called ID-front.png: a dot makes a device of it, the name alone does not.
            device = "." in row.id and is_device(row.id)
            if not _ID.fullmatch(row.id) or row.id.endswith((" ", ".")) or device:
                problems.error(
                    "bad-id",
                    place,
                    f'"{row.id}" cannot be an id: files are named after it',
                    value=row.id,
                    allowed="letters, digits, space, - + _ and . inside, at most 80",
                )
            elif row.id.casefold() in seen:
                first = seen[row.id.casefold()].place
                problems.error(
                    "double-id",
                    place,
                    f'the id "{row.id}" stands already in row {first.row}',
                    value=row.id,
                    allowed="an id once; use the copies column for more of the same",
                )
        else:
            while row.id.casefold() in seen:
                row.id = f"{row.id}-row-{row.place.row}"
        seen.setdefault(row.id.casefold(), row)


def resolve(
    table: Table, columns: Mapping[str, Column], tables: Mapping[str, Table], palette: Mapping[str, str], problems: Problems
) -> None:
    """Give the cells of described columns their values: numbers, flags, colours, rows of other tables."""
    for name, column in columns.items():
        if name not in table.columns:
            continue
        other = tables.get(column.table) if column.table else None
        index = _index(other) if other else None
        if index is not None:
            table.used.add(name)
        lost = column.table is not None and not (other and other.whole)
        for row in table.rows:
            cell = row.cells[name]
            if lost and cell.text and cell.text.casefold() not in (index or ()):
                # What is wrong with the other table is told there.
                row.sound = False
                continue
            before = len(problems)
            value = _value(cell, column, index, palette, problems)
            row.cells = {**row.cells, name: Cell(value, cell.text, cell.place)}
            row.sound = row.sound and len(problems) == before


def _index(table: Table) -> dict[str, Row]:
    named = {str(row.cells["name"].text).casefold(): row for row in reversed(table.rows) if "name" in row.cells}
    return named | {row.id.casefold(): row for row in table.rows}


def _value(
    cell: Cell, column: Column, index: Mapping[str, Row] | None, palette: Mapping[str, str], problems: Problems
) -> Value:
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
        problems.unknown(
            "unknown-reference", cell.place, f'"{cell.text}" is not in the table {column.table}', cell.text, names
        )
        return None
    if column.one_of is not None and cell.text not in column.one_of:
        problems.unknown(
            "unknown-value", cell.place, f'"{cell.text}" is not a value of this column', cell.text, column.one_of
        )
        return ""
    if column.type in ("whole", "number"):
        return _number(cell, column, problems)
    if column.type == "flag":
        return _flag(cell, problems)
    if column.type == "colour":
        return _colour(cell, palette, problems)
    return cell.text


def _names(index: Mapping[str, Row]) -> list[str]:
    rows = {row.id: row for row in sorted(index.values(), key=lambda row: row.place.row or 0)}
    return [row.cells["name"].text if "name" in row.cells else row.id for row in rows.values()]


def _number(cell: Cell, column: Column, problems: Problems) -> int | float | None:
    whole = column.type == "whole"
    pattern = r"[+-]?\d{1,12}" if whole else r"[+-]?\d{1,12}(\.\d{1,12})?"
    least = "" if column.min is None else f"from {column.min:g}"
    most = "" if column.max is None else f"to {column.max:g}"
    allowed = " ".join(filter(None, ("a whole number" if whole else "a number", least, most)))
    if re.fullmatch(pattern, cell.text, re.ASCII):
        number = int(cell.text) if whole else float(cell.text)
        if (column.min is None or number >= column.min) and (column.max is None or number <= column.max):
            return number
        message = f'"{cell.text}" is out of bounds'
    else:
        message = f'"{cell.text}" is not {"a whole number" if whole else "a number"}'
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
