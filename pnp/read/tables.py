"""Grids of text → tables of rows, whose cells are texts as yet: which column is which, how many copies, what ids."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pnp.read.columnnames import column_name
from pnp.read.grid import SUFFIXES, Grid, read_grid
from pnp.read.rowids import name_apart, row_id
from pnp.read.schema import TableRules
from pnp.read.strayrows import tell_stray_rows
from pnp.values.problems import Place, Problems
from pnp.values.tables import COPIES, Cell, Row, Table

MOST_COPIES = 1000
# "2,0", "3x", "×3".
_MEANT = re.compile(r"(?:[x×]\s*)?(\d{1,3})(?:[.,]0{1,2})?(?:\s*[x×])?", re.ASCII | re.IGNORECASE)


def find_file(folder: Path, name: str, rules: TableRules) -> tuple[Path, list[str]]:
    """The file of a table, the CSV's path when none of the formats is there; and names of others that it hides."""
    if rules.file is not None:
        return folder / rules.file, []
    found = [folder / (name + suffix) for suffix in SUFFIXES if (folder / (name + suffix)).is_file()]
    return next(iter(found), folder / f"{name}.csv"), [path.name for path in found[1:]]


def read_table(
    path: Path, shown: str, name: str, rules: TableRules, problems: Problems, instead: Mapping[Place, str] | None = None
) -> Table | None:
    """The rows of a table with their cells still as typed; :mod:`pnp.read.celltypes` gives them values.

    ``instead`` says what cells are read as, whatever is in the file.
    """
    told = Problems()
    table = _read(path, shown, name, rules, told, instead or {})
    problems.unreadable = problems.unreadable or told.unreadable
    problems.extend(replace(each, place=replace(each.place, sheet=rules.sheet)) for each in told)
    return table


def _read(
    path: Path, shown: str, name: str, rules: TableRules, problems: Problems, instead: Mapping[Place, str]
) -> Table | None:
    grid = read_grid(path, shown, rules.sheet, problems, rules.header)
    if grid is None:
        return None
    head = Place(shown, grid.head)
    header = _named(grid, rules, head, problems)
    for place, text in instead.items():
        if (place.file, place.sheet) == (shown, rules.sheet) and place.column in header:
            at = header.index(place.column)
            changed = (
                (line, (*texts[:at], text, *texts[at + 1 :]) if line == place.row else texts) for line, texts in grid.rows
            )
            grid = replace(grid, rows=tuple(changed))
    complete = True
    for column, described in rules.columns.items():
        if column not in header and described.value is None:
            complete = False
            problems.unknown(
                "missing-column", head, f'the table has no column "{column}", which game.toml describes', column, header
            )
    counted = _chosen(rules.copies, grid, header, head, problems) or next((each for each in COPIES if each in header), "")
    rivals = [column for column in COPIES if column in header]
    if rules.copies is None and len(rivals) > 1:
        problems.error(
            "two-copies-columns",
            head,
            f"{' and '.join(rivals)} both say how many copies there are",
            allowed="one of them",
            hint=f'Choose one in game.toml: [table.{name}] copies = "{rivals[0]}".',
        )
    key = _chosen(rules.id, grid, header, head, problems) or ("id" if "id" in header else "")
    used = {column for column in (counted, key) if column}
    before = len(problems.errors)
    rows: list[Row] = []
    for line, texts in grid.rows:
        place = Place(shown, line, None, rules.sheet)
        typed = zip(header, texts, strict=True)
        cells = {column: Cell(text, text, Place(shown, line, column, rules.sheet)) for column, text in typed}
        copies = _copies(cells[counted], problems) if counted else 1
        rows.append(Row(row_id(cells, key, line), copies, place, cells, used, sound=complete))
    # A wrong number of copies makes every sum wrong.
    counts = len(problems.errors) == before
    stray: set[int] = set()
    if counted:
        fillable = bool(key) or any(each.filled for name, each in rules.columns.items() if name != counted)
        stray = tell_stray_rows(header, grid.rows, counted, fillable, shown, problems)
        rows = [row for row in rows if row.place.row not in stray]
    keyed = name_apart(rows, key, name, head, problems)
    whole, key = grid.whole and keyed and counts and not stray, key if keyed else ""
    return Table(name, shown, header, tuple(rows), used, whole, grid.titles, rules.sheet, key, counted)


def _named(grid: Grid, rules: TableRules, head: Place, problems: Problems) -> tuple[str, ...]:
    """The columns by the names that game.toml gives them, where it does."""
    header = list(grid.header)
    for own, typed in rules.names.items():
        column = _chosen(typed, grid, grid.header, head, problems)
        if not column or column == own:
            continue
        if own in header:
            message = f'the table has a column "{own}" beside "{typed}", which game.toml names so'
            problems.error("double-column", head, message, value=own)
        else:
            header[grid.header.index(column)] = own
    return tuple(header)


def _chosen(typed: str | None, grid: Grid, header: Sequence[str], head: Place, problems: Problems) -> str:
    """The column that game.toml means: as its title is typed, or by its name in templates. Empty where there is none."""
    if typed is None:
        return ""
    for wanted, names in ((typed, grid.titles), (typed, header), (column_name(typed), header)):
        if wanted in names:
            return header[names.index(wanted)]
    names = [title.strip() for title in grid.titles]
    problems.unknown("missing-column", head, f'the table has no column "{typed}", which game.toml names', typed, names)
    return ""


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
        hint=f"Write {meant[1]}." if (meant := _MEANT.fullmatch(cell.text)) else "",
    )
    return 0
