"""Table files → header and rows of text, each with the number that a spreadsheet program gives it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pnp.read.columnnames import column_name, usual
from pnp.read.csvfile import in_editor, read_csv
from pnp.read.rawtable import MOST_BYTES, MOST_CELLS, MOST_COLUMNS, MOST_ROWS, Line, RawTable, Source, within_bounds
from pnp.read.records import read_json, read_yaml
from pnp.read.sheetfaults import tell_errors, tell_marks
from pnp.read.spreadsheets import read_spreadsheet
from pnp.read.strayrows import without_remarks
from pnp.read.unpacked import TooLarge
from pnp.values.problems import Place, Problems

_READERS = {
    (".csv", ".tsv", ".tab"): read_csv,
    (".xlsx", ".xlsm", ".ods", ".xls"): read_spreadsheet,
    (".json",): read_json,
    (".yaml", ".yml"): read_yaml,
}
SUFFIXES = tuple(suffix for suffixes in _READERS for suffix in suffixes)
NAMED_AS_TABLE = re.compile(rf"(?i)(?:{'|'.join(map(re.escape, SUFFIXES))})\b")
"""In the name of a file that somebody may have meant for a table: cards.CSV, cards.csv.txt."""
_READER = {suffix: reader for suffixes, reader in _READERS.items() for suffix in suffixes}
_BLANK = " \t\r\n\f\v\u200b\u2060\ufeff"


@dataclass(frozen=True, slots=True)
class Grid:
    """A table as typed: the names of its columns, then (row, texts) for each row that has any."""

    header: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    whole: bool = True
    """False when a row had to be left out."""
    titles: tuple[str, ...] = ()
    """The names of the columns as they stand in the file."""
    head: int = 1
    """The row that names the columns."""


def read_grid(path: Path, shown: str, sheet: str | None, problems: Problems, header: int | None = None) -> Grid | None:
    """The cells of a table file; None, with the reason among the problems, when it cannot be read.

    ``header`` is the row that names the columns, where game.toml says so.
    """
    suffix = path.suffix.lower()
    before = len(problems.errors)
    try:
        if suffix not in _READER:
            raise ValueError(f"pnp reads no file that ends in {suffix or 'nothing'}")
        if path.stat().st_size > MOST_BYTES:
            raise ValueError(f"the file is larger than {MOST_BYTES // 1_000_000} MB")
        raw = _READER[suffix](Source(path, shown, sheet, problems))
        lines = within_bounds(raw.lines)
    except TooLarge as error:
        allowed = f"{MOST_ROWS} rows, {MOST_COLUMNS} columns, {MOST_CELLS} cells"
        problems.error("table-too-large", Place(shown), str(error), allowed=allowed)
        return None
    except (OSError, ValueError) as error:
        problems.unreadable = True
        problems.error("unreadable-table", Place(shown), f"the table cannot be read: {error}", hint=_way_out(suffix))
        return None
    if len(problems.errors) > before:
        return None
    lines = without_remarks(lines, shown, problems)
    if not lines:
        problems.error(
            "empty-table", Place(shown), "the table is empty", hint="The first row names the columns: id, name, copies …"
        )
        return None
    start = _header_at(lines, header, shown, problems)
    if start is None:
        return None
    return _checked(shown, lines[start], lines[start + 1 :], raw, problems)


def _way_out(suffix: str) -> str:
    """What to do with a file that cannot be read."""
    if suffix in (".csv", ".tsv", ".tab", ".json", ".yaml", ".yml"):
        return ""
    return "Save it again from your spreadsheet program, as XLSX or as CSV UTF-8."


def _header_at(lines: Sequence[Line], asked: int | None, shown: str, problems: Problems) -> int | None:
    """Which of the lines names the columns: the first, unless there stands only a title above the names."""
    if asked is not None:
        at = next((at for at, line in enumerate(lines) if line.row == asked), None)
        if at is None:
            problems.error(
                "unsure-header",
                Place(shown, asked),
                "game.toml says that this row names the columns, and nothing is in it",
                value=str(asked),
                hint=f"The first row with something in it is {lines[0].row}.",
            )
        return at
    at = next((at for at, line in enumerate(lines) if _filled(line) > 1), 0)
    if at == 0:
        return 0
    row, names = lines[at].row, [column_name(text) for text in lines[at].texts if text.strip()]
    title = f'"{_first(lines[0])}"'
    certain = len(set(names)) == len(names) and usual(names) and not usual([_first(lines[0])])
    if certain:
        problems.warn(
            "rows-above-header",
            Place(shown, row),
            f"this row was taken for the names of the columns; what stands above it was left out: {title}",
            hint=f"header = {row} for this table in game.toml says so; header = {lines[0].row} says that the other one is.",
        )
        return at
    if len(lines[0].texts) == 1:
        return 0
    problems.error(
        "unsure-header",
        Place(shown, lines[0].row),
        f"{title} stands alone in the first row, and row {row} has {len(names)} cells: which one names the columns?",
        hint=f"Write header = {row} or header = {lines[0].row} for this table in game.toml.",
    )
    return None


def _filled(line: Line) -> int:
    return sum(bool(text.strip()) for text in line.texts)


def _width(line: Line) -> int:
    return max((at + 1 for at, text in enumerate(line.texts) if text.strip()), default=0)


def _first(line: Line) -> str:
    return next(text.strip() for text in line.texts if text.strip())[:60]


def _checked(shown: str, head: Line, lines: Sequence[Line], raw: RawTable, problems: Problems) -> Grid:
    width = _width(head)
    # In a sheet, or in a CSV that was filled up to a rectangle, what is beyond the last name stands beside the table.
    beside = not raw.parted or (len(head.texts) > width and all(len(line.texts) == len(head.texts) for line in lines))
    names = _names(shown, head, lines, width, beside, problems)
    rows: list[tuple[int, list[str]]] = []
    whole = True
    for line in lines:
        texts = [text.replace("\r\n", "\n").strip().strip(_BLANK) for text in line.texts]
        if beside:
            texts = texts[:width] + [""] * (width - len(texts))
        while len(texts) > width and not texts[-1]:
            texts.pop()
        if len(texts) != width:
            whole = False
            _tell_ragged(shown, line, len(texts), head.row, width, problems)
        elif any(texts):
            rows.append((line.row, texts))
    named = {at: name for at, name in enumerate(names) if name}
    told = len(problems.errors)
    tell_errors(rows, raw.marks, shown, named, problems)
    tell_marks(raw.marks, Place(shown, head.row), named, [row for row, _ in rows], problems)
    # A row with such a cell is left out, so that nobody complains of the same cell once more.
    faulty = {problem.place.row for problem in problems.errors[told:]}
    return Grid(
        tuple(named.values()),
        tuple((row, tuple(texts[at] for at in named)) for row, texts in rows if row not in faulty),
        whole and not faulty,
        tuple(head.texts[at].strip() for at in named),
        head.row,
    )


def _tell_ragged(shown: str, line: Line, cells: int, head: int, width: int, problems: Problems) -> None:
    naming = "the first row" if head == 1 else f"row {head}"
    problems.error(
        "ragged-row",
        Place(shown, line.row),
        f"the row{in_editor(line.row, line.line)} has {cells} cell{'s' * (cells != 1)}, {naming} names {width} columns",
        value=str(cells),
        allowed=str(width),
        hint='A comma inside a text needs quotation marks around the cell: "hand, or foot".'
        if cells > width
        else "An empty cell needs its comma too.",
    )


def _names(shown: str, head: Line, lines: Sequence[Line], width: int, beside: bool, problems: Problems) -> list[str]:
    """What the columns are called, one after the other; an empty one has no name, and nothing in it."""
    names: list[str] = []
    furthest = max((len(line.texts) for line in lines), default=0) if beside else 0
    for at in range(max(width, furthest)):
        title = head.texts[at].strip() if at < width else ""
        name = column_name(title) or (f"column_{at + 1}" if title else "")
        place = Place(shown, head.row, name or str(at + 1))
        if name and name in names:
            first = head.texts[names.index(name)].strip()
            said = "" if first == title == name else f': "{first}" and "{title}"'
            problems.error("double-column", place, f'two columns are named "{name}"{said}', value=name)
        elif not name:
            _tell_unnamed(place, at, lines, at < width, problems)
        names.append(name)
    return names[:width]


def _tell_unnamed(place: Place, at: int, lines: Sequence[Line], within: bool, problems: Problems) -> None:
    filled = [line for line in lines if line.texts[at : at + 1] and line.texts[at].strip()]
    if not filled:
        return
    said = f'"{filled[0].texts[at].strip()[:40]}" in row {filled[0].row}'
    if within:
        message = f"column {at + 1} has no name in the row of names, and there is {said}"
        problems.error("unnamed-column", place, message, hint="Give it a name, or empty it.")
    else:
        message = f"column {at + 1}, beside the table, has no name and was left out: {said}"
        problems.warn("unnamed-column", place, message, hint="Give it a name if it belongs to the table.")
