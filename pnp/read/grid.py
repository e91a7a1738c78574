"""CSV, XLSX and ODS files → header and rows of text, each with its line number."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from pathlib import Path

from pnp.read.unpacked import TooLarge, unpacked
from pnp.values.problems import Place, Problems

SUFFIXES = (".csv", ".xlsx", ".ods")
MOST_BYTES = 32_000_000
MOST_ROWS = 100_000
MOST_COLUMNS = 256
MOST_CELLS = 1_000_000
# Between two line ends; a text in quotation marks may have some of its own.
MOST_DELIMITERS = 150_000


@dataclass(frozen=True, slots=True)
class Grid:
    """A table as typed: the header's line and names, then (line, texts) for each row that has any."""

    header: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    whole: bool = True
    """False when a row had to be left out."""
    titles: tuple[str, ...] = ()
    """The names of the columns as they stand in the file."""
    head: int = 1
    """The row that names the columns."""


def column_name(title: str) -> str:
    """A person writes "Home town", a template home_town."""
    return "_".join(title.strip().lower().replace("-", " ").split())


def read_grid(path: Path, shown: str, sheet: str | None, problems: Problems) -> Grid | None:
    """The cells of a table file; None, with the reason among the problems, when it cannot be read."""
    reader = _csv_lines if path.suffix.lower() == ".csv" else _spreadsheet_lines
    before = len(problems)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ValueError(f"the file is larger than {MOST_BYTES // 1_000_000} MB")
        lines = _some(reader(path, shown, sheet, problems))
    except TooLarge as error:
        allowed = f"{MOST_ROWS} rows, {MOST_COLUMNS} columns, {MOST_CELLS} cells"
        problems.error("table-too-large", Place(shown), str(error), allowed=allowed)
        return None
    except (OSError, ValueError) as error:
        problems.unreadable = True
        hint = "" if path.suffix.lower() == ".csv" else "Save it again from your spreadsheet program, or as CSV UTF-8."
        problems.error("unreadable-table", Place(shown), f"the table cannot be read: {error}", hint=hint)
        return None
    if len(problems) > before:
        return None
    if not lines:
        problems.error(
            "empty-table", Place(shown), "the table is empty", hint="The first row names the columns: id, name, copies …"
        )
        return None
    (head_line, header), *rows = lines
    return _checked(shown, head_line, header, rows, problems)


def _some(lines: Iterator[tuple[int, list[str]]]) -> list[tuple[int, list[str]]]:
    """The lines, as long as there are not too many. Raises TooLarge."""
    kept: list[tuple[int, list[str]]] = []
    cells = 0
    for number, texts in lines:
        kept.append((number, texts))
        cells += len(texts)
        if len(kept) == 1 and len(texts) > MOST_COLUMNS:
            raise TooLarge(f"the table has {len(texts)} columns")
        if len(kept) - 1 > MOST_ROWS:
            raise TooLarge(f"the table has more than {MOST_ROWS} rows")
        if cells > MOST_CELLS:
            raise TooLarge(f"the table has more than {MOST_CELLS} cells")
    return kept


def _checked(shown: str, head_line: int, header: list[str], rows: list[tuple[int, list[str]]], problems: Problems) -> Grid:
    width = max((i + 1 for i, name in enumerate(header) if name.strip()), default=0)
    names: list[str] = []
    for index, name in enumerate(header[:width]):
        folded = column_name(name)
        place = Place(shown, head_line, folded or str(index + 1))
        if not folded:
            message = f"column {index + 1} has no name in the first row"
            problems.error("unnamed-column", place, message, hint="Give it a name, or remove it.")
        elif folded in names:
            problems.error("double-column", place, f'two columns are named "{folded}"', value=folded)
        names.append(folded)
    kept: list[tuple[int, tuple[str, ...]]] = []
    for line, texts in rows:
        while len(texts) > width and not texts[-1].strip():
            texts.pop()
        if len(texts) != width:
            problems.error(
                "ragged-row",
                Place(shown, line),
                f"the row has {len(texts)} cell{'s' * (len(texts) != 1)}, the first row names {width} columns",
                value=str(len(texts)),
                allowed=str(width),
                hint='A comma inside a text needs quotation marks around the cell: "hand, or foot".'
                if len(texts) > width
                else "An empty cell needs its comma too.",
            )
            continue
        kept.append((line, tuple(text.replace("\r\n", "\n").strip() for text in texts)))
    return Grid(tuple(names), tuple(kept), len(kept) == len(rows), tuple(map(str.strip, header[:width])), head_line)


def _csv_lines(path: Path, shown: str, sheet: str | None, problems: Problems) -> Iterator[tuple[int, list[str]]]:
    raw = path.read_bytes()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        problems.unreadable = True
        problems.error(
            "not-utf-8",
            Place(shown, raw.count(b"\n", 0, error.start) + 1),
            f"the byte {raw[error.start]:#04x} is not UTF-8",
            value=f"{raw[error.start]:#04x}",
            allowed="UTF-8 text",
            hint='Save the table as "CSV UTF-8".',
        )
        return
    if "\0" in text:
        problems.unreadable = True
        line = text.count("\n", 0, text.index("\0")) + 1
        problems.error("nul-byte", Place(shown, line), "the table has a NUL byte", hint='Save the table as "CSV UTF-8".')
        return
    first = text.lstrip("\r\n").partition("\n")[0]
    delimiter = max(",;\t", key=lambda mark: (first.count(mark), mark == ","))
    lines = io.StringIO(text, newline="")
    if text.count(delimiter) > MOST_DELIMITERS:
        crowded = next((at for at, each in enumerate(lines, 1) if each.count(delimiter) > MOST_DELIMITERS), None)
        if crowded is not None:
            raise TooLarge(f"line {crowded} of the table has more than {MOST_DELIMITERS} cells")
        lines.seek(0)
    rows = csv.reader(lines, delimiter=delimiter, strict=True)
    line = 1
    try:
        for cells in rows:
            if any(cell.strip() for cell in cells):
                yield line, cells
            line = rows.line_num + 1
    except csv.Error as error:
        problems.unreadable = True
        problems.error(
            "broken-csv",
            Place(shown, line),
            f"the row that starts here cannot be split into cells ({error})",
            hint="Look for a quotation mark that is opened and never closed.",
        )


def _spreadsheet_lines(path: Path, shown: str, sheet: str | None, problems: Problems) -> Iterator[tuple[int, list[str]]]:
    from python_calamine import CalamineError, CalamineWorkbook

    file = unpacked(path)
    try:
        book = CalamineWorkbook.from_filelike(file)
        if not book.sheet_names:
            raise ValueError("it has no sheet")
        if sheet is not None and sheet not in book.sheet_names:
            raise ValueError(f'it has no sheet "{sheet}", only {", ".join(book.sheet_names)}')
        cells = book.get_sheet_by_name(sheet or book.sheet_names[0]).to_python(skip_empty_area=False)
    except CalamineError as error:
        raise ValueError(str(error)) from None
    for index, row in enumerate(cells):
        texts = [_typed(value) for value in row]
        if any(text.strip() for text in texts):
            yield index + 1, texts


def _typed(value: str | float | bool | date | datetime | time | timedelta) -> str:
    """A spreadsheet's value as its owner would have typed it: 3.0 is 3."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
