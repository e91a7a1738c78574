"""Turns grids of text into tables: finds the columns, ids and copies; cells stay text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pnp.read.grid import SUFFIXES, Grid, column_name, read_grid, tell_stray_rows
from pnp.read.schema import TableRules
from pnp.system.paths import is_device
from pnp.values.problems import Place, Problem, Problems, listed
from pnp.values.tables import COPIES, NAMING, Cell, Row, Table

ALLOWED = "letters, digits, space, - + _ and . inside, at most 80"
# So many faults are slips of the finger; more, and the column is no key.
MOST_SLIPS = 4

_ID = re.compile(r"[\w][\w .+-]{0,79}")


def slug(text: str) -> str:
    """A text as a name for files and ids: lower case, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:64]


def usable(text: str) -> bool:
    """Whether a text can be an id unchanged."""
    # Files are called ID-front.png: a dot makes a device of it, the name alone does not.
    return bool(_ID.fullmatch(text)) and not text.endswith((" ", ".")) and not ("." in text and is_device(text))


def row_id(cells: Mapping[str, Cell], key: str, line: int) -> str:
    """A row's id; a typed one is converted where it is unusable as it is."""
    if key:
        text = cells[key].text
        return text if key == "id" or usable(text) else slug(text)
    for column in NAMING:
        if column in cells and (made := slug(cells[column].text)):
            return made
    return f"row-{line}"


def name_apart(rows: Sequence[Row], key: str, table: str, head: Place, problems: Problems) -> bool:
    """Reports typed ids that are unusable or equal; makes ids from names different.

    False where so many are neither that the column is no key: then they are made as if it were not there.
    """
    if not key:
        _made_different(rows)
        return True
    empty = double = unusable = 0
    seen: dict[str, Row] = {}
    found: list[Problem] = []
    for row in rows:
        place, typed = row.place_of(key), row.text_of(key)
        if not usable(row.id):
            empty, unusable = empty + (not typed), unusable + bool(typed)
            message = f'"{typed}" cannot be an id: files are named after it'
            found.append(Problem("bad-id", place, message, typed, ALLOWED))
        elif row.id.casefold() in seen:
            double += 1
            first = seen[row.id.casefold()].place
            message = f'the id "{row.id}" stands already in row {first.row}'
            allowed = "an id once; use the copies column for more of the same"
            found.append(Problem("double-id", place, message, row.id, allowed))
        seen.setdefault(row.id.casefold(), row)
    if len(found) <= MOST_SLIPS:
        problems.extend(found)
        return True
    counted = {"empty": empty, "the same as above": double, "not usable as an id": unusable}
    said = ", ".join(f"{count} {what}" for what, count in counted.items() if count)
    problems.error(
        "no-key",
        replace(head, column=key),
        f'the column "{key}" does not name the rows: of {len(rows)} cells {said}; the first is in row {found[0].place.row}',
        value=key,
        allowed="an id in every row, each another one",
        hint=_way_out(rows, key, table),
    )
    for row in rows:
        row.id = row_id({name: cell for name, cell in row.cells.items() if name != key}, "", row.place.row or 0)
    _made_different(rows)
    return False


def _made_different(rows: Sequence[Row]) -> None:
    seen: set[str] = set()
    for row in rows:
        while row.id.casefold() in seen:
            row.id = f"{row.id}-row-{row.place.row}"
        seen.add(row.id.casefold())


def _way_out(rows: Sequence[Row], key: str, table: str) -> str:
    fitting = []
    for column in rows[0].cells:
        made = [row_id(row.cells, column, 0).casefold() for row in rows]
        if column != key and all(made) and len(set(made)) == len(made) and not any(text.isdecimal() for text in made):
            fitting.append(column)
    if fitting:
        return f'Choose another in game.toml: [table.{table}] id = "{fitting[0]}"; fitting: {listed(fitting, 6)}.'
    return f'Name this column otherwise in game.toml, and ids are made: [table.{table}] names = {{number = "{key}"}}.'


MOST_COPIES = 1000
# "2,0", "3x", "×3".
_MEANT = re.compile(r"(?:[x×]\s*)?(\d{1,3})(?:[.,]0{1,2})?(?:\s*[x×])?", re.ASCII | re.IGNORECASE)


def find_file(folder: Path, name: str, rules: TableRules) -> tuple[Path, list[str]]:
    """A table's file, the CSV's path where there is none; and the files that it hides."""
    if rules.file is not None:
        return folder / rules.file, []
    found = [folder / (name + suffix) for suffix in SUFFIXES if (folder / (name + suffix)).is_file()]
    return next(iter(found), folder / f"{name}.csv"), [path.name for path in found[1:]]


def read_table(
    path: Path, shown: str, name: str, rules: TableRules, problems: Problems, instead: Mapping[Place, str] | None = None
) -> Table | None:
    """Reads a table's rows with cells as typed; :mod:`pnp.read.celltypes` gives them values.

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
    if (grid := read_grid(path, shown, rules.sheet, problems, rules.header)) is None:
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
        message = f"{' and '.join(rivals)} both say how many copies there are"
        hint = f'Choose one in game.toml: [table.{name}] copies = "{rivals[0]}".'
        problems.error("two-copies-columns", head, message, allowed="one of them", hint=hint)
    key = _chosen(rules.id, grid, header, head, problems) or ("id" if "id" in header else "")
    used = {column for column in (counted, key) if column}
    before = len(problems.errors)
    rows: list[Row] = []
    stray: set[int] = set()
    for line, texts in grid.rows:
        if len(texts) > 1 and texts == grid.titles:
            stray.add(line)
            message = "this row has the names of the columns once more: it would be printed as a piece"
            problems.error("header-again", Place(shown, line, None, rules.sheet), message, hint="Take the row away.")
            continue
        place = Place(shown, line, None, rules.sheet)
        typed = zip(header, texts, strict=True)
        cells = {column: Cell(text, text, Place(shown, line, column, rules.sheet)) for column, text in typed}
        copies = _copies(cells[counted], problems) if counted else 1
        rows.append(Row(row_id(cells, key, line), copies, place, cells, used, sound=complete))
    # A wrong number of copies makes every sum wrong.
    counts = len(problems.errors) == before
    if counted:
        fillable = bool(key) or any(each.filled for name, each in rules.columns.items() if name != counted)
        stray |= tell_stray_rows(header, grid.rows, counted, fillable, shown, problems)
        rows = [row for row in rows if row.place.row not in stray]
    keyed = name_apart(rows, key, name, head, problems)
    whole, key = grid.whole and keyed and counts and not stray, key if keyed else ""
    hidden = frozenset(column for column, named in zip(header, grid.header, strict=True) if named in grid.hidden)
    return Table(name, shown, header, tuple(rows), used, whole, grid.titles, rules.sheet, key, counted, hidden=hidden)


def _named(grid: Grid, rules: TableRules, head: Place, problems: Problems) -> tuple[str, ...]:
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
