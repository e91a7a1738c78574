"""Reads XLSX, ODS and XLS into rows of text, as typed or shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pnp.read.rawtable import MOST_CELLS, MOST_COLUMNS, Line, Marks, RawTable, Source, Square, TooLarge, within_bounds
from pnp.read.sheetxml import packed_again, sheet_xml, short_date, shown_as, shown_otherwise, unpacked

if TYPE_CHECKING:
    from xlrd.book import Book

# The old format is not packed, so that what a file may come to is bounded by its size.
MOST_XLS_BYTES = 8_000_000
Typed = str | int | float | bool | date | datetime | time | timedelta


def read_spreadsheet(source: Source) -> RawTable:
    """Reads a sheet of a workbook, its format found by content, for extensions are often wrong. Raises ValueError,
    OSError, TooLarge.
    """
    with source.path.open("rb") as file:
        start = file.read(512)
    if start.startswith(b"\xd0\xcf\x11\xe0"):
        return _read_xls(source)
    if start.lstrip().lower().startswith((b"<!doctype html", b"<html", b"<table")):
        raise ValueError("it is a web page under the name of a workbook")
    return _read_packed(source)


def sheets_of(path: Path) -> list[str]:
    """The names of a workbook's sheets in order. Raises ValueError, OSError."""
    with path.open("rb") as file:
        packed = file.read(2) == b"PK"
    if packed:
        from python_calamine import CalamineError, CalamineWorkbook

        try:
            return list(CalamineWorkbook.from_filelike(packed_again(unpacked(path))).sheet_names)
        except CalamineError as error:
            raise ValueError(str(error)) from None
    import io

    import xlrd

    if path.stat().st_size > MOST_XLS_BYTES:
        return []
    try:
        book = xlrd.open_workbook(file_contents=path.read_bytes(), logfile=io.StringIO(), on_demand=True)
    except Exception:  # As in reading one: the library says so of a damaged file in whichever way.
        return []
    return list(book.sheet_names())


def _read_packed(source: Source) -> RawTable:
    from python_calamine import CalamineError, CalamineWorkbook

    parts = unpacked(source.path)
    if "xl/workbook.bin" in parts or (b"xl/workbook.bin" in source.path.read_bytes() and "xl/workbook.xml" not in parts):
        raise ValueError("it is a binary workbook (XLSB)")
    told = sheet_xml(parts, source.sheet)
    try:
        book = CalamineWorkbook.from_filelike(packed_again(parts))
        sheet = _chosen(book.sheet_names, source.sheet)
        cells = book.get_sheet_by_name(sheet).to_python(skip_empty_area=False)
    except CalamineError as error:
        raise ValueError(str(error)) from None
    others = [name for name in book.sheet_names if name != sheet and source.sheet is None]
    told.marks.sheet, told.marks.unread = sheet, tuple(name for name in others if name in told.filled)
    lines = within_bounds(_lines(cells, told.texts, told.marks))
    _keep_filled(told.marks, lines)
    return RawTable(iter(lines), marks=told.marks)


def _chosen(names: Sequence[str], wanted: str | None) -> str:
    if not names:
        raise ValueError("it has no sheet")
    if wanted is not None and wanted not in names:
        raise ValueError(f'it has no sheet "{wanted}", only {", ".join(names)}')
    return wanted or names[0]


def _lines(cells: Sequence[Sequence[Typed]], texts: Mapping[Square, str], marks: Marks) -> Iterator[Line]:
    waiting = {row for row, _ in marks.unvalued}
    for row, values in enumerate(cells, 1):
        typed = [_typed(value) for value in values]
        for at, value in enumerate(values):
            if (row, at) in texts:
                typed[at] = texts[row, at]
            elif isinstance(value, date):
                marks.dates[row, at] = typed[at]
        if any(text.strip() for text in typed) or row in waiting:
            yield Line(row, typed, row)


def _keep_filled(marks: Marks, lines: Sequence[Line]) -> None:
    """Drops merged cells without text."""
    texts = {line.row: line.texts for line in lines}
    marks.merged = [
        (first, last)
        for first, last in marks.merged
        if first[1] < len(found := texts.get(first[0], [])) and found[first[1]].strip()
    ]


def _typed(value: Typed) -> str:
    """A spreadsheet's value as typed: 3 for 3.0."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, datetime):
        day = value.date().isoformat()
        return day if value.time() == time() else f"{day} {_clock(value.hour * 3600 + value.minute * 60 + value.second)}"
    if isinstance(value, time):
        return _clock(value.hour * 3600 + value.minute * 60 + value.second)
    if isinstance(value, timedelta):
        return _clock(round(value.total_seconds()))
    return value.isoformat() if isinstance(value, date) else str(value)


def _number(value: float) -> str:
    """A number in a spreadsheet's fifteen digits: 0.3 for 0.1 + 0.2, without exponents."""
    if value != value or abs(value) > 1e300:
        return str(value)
    text = format(value, ".15g")
    if "e" in text:
        from decimal import Decimal

        text = format(Decimal(text), "f")
    return "0" if text == "-0" else text


def _clock(seconds: int) -> str:
    sign, seconds = ("-", -seconds) if seconds < 0 else ("", seconds)
    rest = f":{seconds % 60:02}" if seconds % 60 else ""
    return f"{sign}{seconds // 3600}:{seconds // 60 % 60:02}{rest}"


def _read_xls(source: Source) -> RawTable:
    """Reads a sheet of an XLS (Excel before 2007)."""
    import io

    import xlrd

    if source.path.stat().st_size > MOST_XLS_BYTES:
        raise ValueError(f"the file is larger than {MOST_XLS_BYTES // 1_000_000} MB")
    try:
        book = xlrd.open_workbook(
            file_contents=source.path.read_bytes(),
            logfile=io.StringIO(),
            formatting_info=True,
            on_demand=True,
            ragged_rows=True,
            ignore_workbook_corruption=False,
        )
        sheet = _chosen(book.sheet_names(), source.sheet)
        lines, marks = _xls_lines(book, sheet)
        if source.sheet is None:
            marks.unread = tuple(name for name in book.sheet_names() if name != sheet and book.sheet_by_name(name).nrows)
    except (TooLarge, ValueError, MemoryError):
        raise
    except Exception as error:
        # The library says so of a damaged file in whichever way its bytes lead it to.
        raise ValueError(f"it is damaged, or protected with a password ({type(error).__name__})") from None
    _keep_filled(marks, lines)
    return RawTable(iter(lines), marks=marks)


def _xls_lines(book: Book, name: str) -> tuple[list[Line], Marks]:
    sheet = book.sheet_by_name(name)
    marks, lines, cells = Marks(sheet=name), [], 0
    for row in range(sheet.nrows):
        cells += sheet.row_len(row)
        if cells > 2 * MOST_CELLS or sheet.row_len(row) > MOST_COLUMNS:
            raise TooLarge(f"the table has more than {MOST_CELLS} cells")
        texts = [_xls_text(book, sheet, row, at, marks) for at in range(sheet.row_len(row))]
        if any(text.strip() for text in texts):
            lines.append(Line(row + 1, texts, row + 1))
    marks.hidden = {row + 1 for row, info in sheet.rowinfo_map.items() if info.hidden}
    marks.merged = [((top + 1, left), (bottom, right - 1)) for top, bottom, left, right in sheet.merged_cells]
    marks.styled = {(row + 1, at) for (row, at), runs in sheet.rich_text_runlist_map.items() if runs}
    return lines, marks


def _xls_text(book: Book, sheet: Any, row: int, at: int, marks: Marks) -> str:
    import xlrd

    kind, value = sheet.cell_type(row, at), sheet.cell_value(row, at)
    if kind == xlrd.XL_CELL_ERROR:
        return str(xlrd.error_text_from_code.get(value, "#VALUE!"))
    if kind == xlrd.XL_CELL_BOOLEAN:
        return _typed(bool(value))
    if kind not in (xlrd.XL_CELL_NUMBER, xlrd.XL_CELL_DATE):
        return str(value)
    code = book.format_map[book.xf_list[sheet.cell_xf_index(row, at)].format_key].format_str
    if kind == xlrd.XL_CELL_NUMBER:
        if other := shown_otherwise(repr(value), code):
            marks.formats[row + 1, at] = other
        return shown_as(repr(value), code) or _number(value)
    try:
        moment = xlrd.xldate_as_datetime(value, book.datemode)
    except (ValueError, OverflowError):
        return _number(value)
    if value < 1:
        return _typed(moment.time())
    text = _typed(moment)
    marks.dates[row + 1, at] = text
    if short_date(code):
        marks.short_dates.add((row + 1, at))
    return text
