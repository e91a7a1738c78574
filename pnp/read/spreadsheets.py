"""Reads XLSX, ODS and XLS into rows of text, as typed or shown.

A few hundred bytes of packed XML can say that a sheet is as large as a continent, so that it is counted before a library
reads it; what is handed on is packed anew from what was counted, for a packed file can tell two readers two different
things. In the same walk errors, formulas, formats, merged cells, and what is hidden or struck out are noted.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from itertools import islice, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lxml import etree

from pnp.read.csvfile import MOST_CELLS, MOST_COLUMNS, Line, Marks, RawTable, Source, Square, TooLarge, within_bounds
from pnp.svg.tree import Element, local

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
    if not start.startswith(b"PK") and start and b"\0" not in start:
        raise ValueError(f"it is a text under the name of a workbook: call it {source.path.stem}.csv")
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
    texts = {line.row: line.texts for line in lines}
    marks.merged = [
        (first, last)
        for first, last in marks.merged
        if first[1] < len(found := texts.get(first[0], [])) and found[first[1]].strip()
    ]


def _typed(value: Typed) -> str:
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
        text = format(Decimal(text), "f")
    return "0" if text == "-0" else text


def _clock(seconds: int) -> str:
    sign, seconds = ("-", -seconds) if seconds < 0 else ("", seconds)
    rest = f":{seconds % 60:02}" if seconds % 60 else ""
    return f"{sign}{seconds // 3600}:{seconds // 60 % 60:02}{rest}"


def _read_xls(source: Source) -> RawTable:
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
    marks.hidden_columns = {at for at, info in sheet.colinfo_map.items() if info.hidden}
    marks.merged = [((top + 1, left), (bottom, right - 1)) for top, bottom, left, right in sheet.merged_cells]
    marks.styled = {(row + 1, at) for (row, at), runs in sheet.rich_text_runlist_map.items() if runs}
    return lines, marks


def _xls_text(book: Book, sheet: Any, row: int, at: int, marks: Marks) -> str:
    import xlrd

    kind, value = sheet.cell_type(row, at), sheet.cell_value(row, at)
    if kind not in (xlrd.XL_CELL_EMPTY, xlrd.XL_CELL_BLANK):
        look = book.xf_list[sheet.cell_xf_index(row, at)]
        if book.font_list[look.font_index].struck_out:
            marks.struck.add((row + 1, at))
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


MOST_UNPACKED = 64_000_000
MOST_ELEMENTS, MOST_LINES = 2_000_000, 120_000
# Squares between the first and the last one with something in it, and letters in all of them.
MOST_SQUARES, MOST_LETTERS = 4_000_000, 64_000_000
MOST_MARKS = 200_000
_KEPT = (".xml", ".rels", "mimetype")
_DIGITS = "0123456789"
# Formats that a program has of itself: numbers, percent, and dates without a year or without a day.
_FORMATS = {2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%"}
_FORMATS |= {14: "d/m/yy", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 22: "d/m/yy h:mm"}
_SET_OFF = ("b", "i", "u", "strike", "vertAlign")
_NOT_SET_OFF = ("0", "false", "none", "baseline")
# So LibreOffice keeps a yes or no of XLSX in an ODS.
_TRUTHS = ("TRUE()", "FALSE()")
_BOLD = re.compile(r"bold|italic|oblique|[6-9]00")


@dataclass(slots=True)
class SheetXml:
    """Formats and notes of a sheet's cells, and the texts to take instead of values."""

    marks: Marks = field(default_factory=Marks)
    texts: dict[Square, str] = field(default_factory=dict)
    filled: set[str] = field(default_factory=set)
    """The sheets of the workbook that have anything in them."""

    def hide(self, first: int, end: int) -> None:
        """Notes columns that are not shown; a file may say so of the same ones a million times."""
        first, last = max(0, first), min(end, MOST_COLUMNS) - 1
        if first <= last and not self.marks.hidden_columns >= {first, last}:
            self.marks.hidden_columns.update(range(first, last + 1))

    def bound(self) -> None:
        """Raises TooLarge for too much of it."""
        marks = self.marks
        parts = (self.texts, marks.unvalued, marks.styled, marks.merged, marks.formats, marks.short_dates, marks.struck)
        if sum(map(len, parts)) > MOST_MARKS:
            raise TooLarge(f"more than {MOST_MARKS} cells of the table have errors, percents or other formats")


def unpacked(path: Path) -> dict[str, bytes]:
    """The parts of a packed file that hold tables. Raises ValueError, OSError."""
    parts, left = {}, MOST_UNPACKED
    try:
        with zipfile.ZipFile(path) as packed:
            for entry in packed.infolist():
                if not entry.filename.lower().endswith(_KEPT):
                    continue
                if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                    raise ValueError("it is packed in a way that spreadsheets are not")
                with packed.open(entry) as part:
                    parts[entry.filename] = data = part.read(left + 1)
                left -= len(data)
                if left < 0:
                    raise ValueError(f"it unpacks to more than {MOST_UNPACKED // 1_000_000} MB")
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
        raise ValueError(str(error)) from None
    return parts


def packed_again(parts: Mapping[str, bytes]) -> io.BytesIO:
    """Packs the parts anew."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as again:
        for name, data in parts.items():
            again.writestr(zipfile.ZipInfo(name), data)
    made.seek(0)
    return made


def sheet_xml(parts: Mapping[str, bytes], sheet: str | None) -> SheetXml:
    """Finds errors, formulas, formats, merged, hidden and struck cells of a sheet of XLSX or ODS, by default the first.

    ``parts``: the XML files of the package by name. Raises ValueError, TooLarge.
    """
    made = SheetXml()
    names, restarted = _xlsx_sheets(parts)
    chosen = names.get(sheet, "") if sheet is not None else next(iter(names.values()), "")
    formats = _formats(parts)
    strings: list[tuple[int, bool]] = []
    for data in parts.values():
        if b"<sst" in data or b":sst" in data:
            strings = [(sum(map(len, text.itertext())), _is_mixed(text)) for text in _elements(data, "si")]
    made.marks.pictures.update(_pictured(parts, chosen))
    # Every part that may be a sheet is counted, whichever a reader takes for it.
    for path, data in parts.items():
        if b"table-row" in data:
            _note_ods(data, made, sheet)
        if b"sheetData" in data and _note_xlsx(data, made if path == chosen else None, formats, strings, restarted):
            made.filled.update(name for name, part in names.items() if part == path)
    return made


@dataclass(slots=True)
class _Size:
    """Measures a sheet: cells and letters. Raises TooLarge."""

    rows: int = 0
    columns: int = 0
    letters: int = 0

    def grow(self, rows: int, columns: int, letters: int) -> None:
        self.rows, self.columns, self.letters = max(self.rows, rows), max(self.columns, columns), self.letters + letters
        if self.rows > MOST_LINES or self.rows * self.columns > MOST_SQUARES:
            raise TooLarge(f"the table has {self.rows} rows and {self.columns} columns")
        if self.letters > MOST_LETTERS:
            raise TooLarge(f"the texts of the table have more than {MOST_LETTERS // 1_000_000} million letters")


def _elements(data: bytes, *names: str) -> Iterator[Element]:
    """The elements of a part with these names, each emptied once it was looked at. Raises ValueError, TooLarge."""
    if data.count(b"<") - data.count(b"</") > MOST_ELEMENTS:
        raise TooLarge(f"the table has more than {MOST_ELEMENTS // 1_000_000} million parts")
    if b"<!DOCTYPE" in data:
        raise ValueError("it declares a document type, and spreadsheets have none")
    tags = [f"{{*}}{name}" for name in names]
    try:
        for _, element in etree.iterparse(
            io.BytesIO(data), tag=tags, resolve_entities=False, remove_comments=True, remove_pis=True
        ):
            yield element
            # A caller may still hold a cell, and lxml takes what is in a held element over in quadratic time.
            for part in element:
                part.clear()
            element.clear()
    except etree.XMLSyntaxError as error:
        raise ValueError(f"what is in it is not well-formed XML: {error.msg}") from None


def _attributes(element: Element) -> dict[str, str]:
    return {key.rpartition("}")[2]: value for key, value in element.items()}


def _number_in(element: Element, name: str) -> int:
    """An attribute that says how often, whatever its prefix; 1 where there is none."""
    return max((1, *(whole(value, 1) for key, value in element.items() if key.rpartition("}")[2] == name)))


def whole(text: str | None, default: int) -> int:
    """A number as typed; for what is none, or infinite, one above all limits."""
    if not text:
        return default
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 else 10**12


def column_number(letters: str) -> int:
    """The number of a column's letters: A is 1."""
    number = 0
    for letter in letters[:8].upper():
        number = number * 26 + ord(letter) - 64
    return max(1, number)


def _xlsx_sheets(parts: Mapping[str, bytes]) -> tuple[dict[str, str], bool]:
    """The part of each sheet, and whether its formulas have no stored values."""
    sheets: dict[str, str] = {}
    restarted = False
    for element in _elements(parts.get("xl/workbook.xml", b"<x/>"), "sheet", "calcPr"):
        if local(element) == "sheet":
            sheets[element.get("name", "")] = _attributes(element).get("id", "")
        else:
            restarted = element.get("fullCalcOnLoad") in ("1", "true")
    related = _elements(parts.get("xl/_rels/workbook.xml.rels", b"<x/>"), "Relationship")
    targets = {element.get("Id", ""): element.get("Target", "") for element in related}
    paths = {name: targets.get(by, "") for name, by in sheets.items()}
    return {name: path[1:] if path.startswith("/") else f"xl/{path}" for name, path in paths.items()}, restarted


def _pictured(parts: Mapping[str, bytes], sheet: str) -> Iterator[int]:
    """The rows of a sheet of XLSX on which pictures lie: it has one drawing, which holds all."""
    home, _, name = sheet.rpartition("/")
    related = _elements(parts.get(f"{home}/_rels/{name}.rels", b"<x/>"), "Relationship")
    drawings = (each.get("Target", "") for each in related if each.get("Type", "").endswith("/drawing"))
    drawing = f"xl/drawings/{next(drawings, '').rpartition('/')[2]}"
    for anchor in _elements(parts.get(drawing, b"<x/>"), "oneCellAnchor", "twoCellAnchor"):
        row = anchor.findtext("{*}from/{*}row")
        if row is not None and next(anchor.iter("{*}pic"), None) is not None:
            yield whole(row.strip(), 0) + 1


def _formats(parts: Mapping[str, bytes]) -> list[tuple[str, bool]]:
    """Of each style of cells the format of its numbers, and whether it strikes out."""
    codes, fonts, styles = dict(_FORMATS), list[bool](), list[tuple[int, int]]()
    for element in _elements(parts.get("xl/styles.xml", b"<x/>"), "numFmt", "fonts", "cellXfs"):
        if local(element) == "numFmt":
            codes[whole(element.get("numFmtId"), 0)] = element.get("formatCode", "")
        elif local(element) == "fonts":
            lines = (font.find("{*}strike") for font in element.iterchildren("{*}font"))
            fonts = [line is not None and line.get("val", "1") not in _NOT_SET_OFF for line in lines]
        else:
            found = element.iterchildren("{*}xf")
            styles = [(whole(style.get("numFmtId"), 0), whole(style.get("fontId"), 0)) for style in found]
    return [(codes.get(number, ""), font < len(fonts) and fonts[font]) for number, font in styles]


def _is_mixed(text: Element) -> bool:
    """Whether a text of XLSX has both formatted and plain parts."""
    if len(text) < 2:
        return False
    found = set()
    for run in text.iterchildren("{*}t", "{*}r"):
        if "".join(run.itertext()).strip():
            off = (local(each) in _SET_OFF and each.get("val", "1") not in _NOT_SET_OFF for each in run.iter())
            found.add(any(off))
    return len(found) > 1


def _note_xlsx(
    data: bytes,
    made: SheetXml | None,
    formats: Sequence[tuple[str, bool]],
    strings: Sequence[tuple[int, bool]],
    restarted: bool,
) -> bool:
    """Notes on the cells of an XLSX sheet, as far as any is filled, whatever place it claims; whether one is.

    ``strings``: the length of each shared text, and whether it is partly formatted.
    """
    size, row, formulas, zeros = _Size(), 0, 0, dict[Square, str]()
    for element in _elements(data, "col", "row", "mergeCell"):
        if local(element) == "col":
            if made and element.get("hidden") in ("1", "true"):
                made.hide(whole(element.get("min"), 1) - 1, whole(element.get("max"), 1))
            continue
        if local(element) == "mergeCell":
            corners = re.fullmatch(r"\$?([A-Z]{1,3})\$?(\d{1,7}):\$?([A-Z]{1,3})\$?(\d{1,7})", element.get("ref", ""))
            if made and corners:
                begin, end = ((int(corners[at + 1]), column_number(corners[at]) - 1) for at in (1, 3))
                made.marks.merged.append((begin, end))
                made.bound()
            continue
        row, column = whole(element.get("r"), row + 1), 0
        if made and element.get("hidden") in ("1", "true"):
            made.marks.hidden.add(row)
        last, width, letters = row, 0, 0
        for cell in element.iterchildren("{*}c"):
            place, kind = cell.get("r", ""), cell.get("t", "n")
            named = place.rstrip(_DIGITS)
            column = column_number(named) if named else column + 1
            at = (whole(place[len(named) :], row), column - 1)
            parts = {local(part): part for part in cell}
            value = (parts["v"].text or "").strip()[:40] if "v" in parts else ""
            number = whole(value, 0) if kind == "s" else -1
            long, mixed = strings[number] if 0 <= number < len(strings) else (0, False)
            if parts:
                last, width, letters = max(last, at[0]), max(width, column), letters + long
            if made is None:
                continue
            formula = ((parts["f"].text or "")[:200] or "…") if "f" in parts else ""
            formulas += bool(formula)
            style = whole(cell.get("s"), 0)
            code, struck = formats[style] if style < len(formats) else ("", False)
            if struck and parts:
                made.marks.struck.add(at)
            if kind == "e":
                made.texts[at] = value or "#VALUE!"
                if formula:
                    made.marks.formulas[at] = formula
            elif formula and not value and kind != "str":
                made.marks.unvalued[at] = formula
            elif kind == "n":
                if formula and value == "0":
                    zeros[at] = formula
                _note_format(at, value, code, made)
            elif mixed or ("is" in parts and _is_mixed(parts["is"])):
                made.marks.styled.add(at)
        if width:
            size.grow(last, width, letters)
        if made:
            made.bound()
    if made and restarted and len(zeros) == formulas:
        made.marks.unvalued.update(zeros)
    return size.rows > 0


def _note_format(at: Square, value: str, code: str, made: SheetXml) -> None:
    if not code or code == "General":
        return
    if (shown := shown_as(value, code)) is not None:
        made.texts[at] = shown
    elif short_date(code):
        made.marks.short_dates.add(at)
    elif value and (other := shown_otherwise(value, code)):
        made.marks.formats[at] = other


def shown_as(value: str, code: str) -> str | None:
    """A number in percent, or with leading zeros, as its cell shows it; None for other formats."""
    plain = re.fullmatch(r"(0+)(?:\.(0+))?(%?)", code.strip())
    if plain is None or not (plain[3] or (len(plain[1]) > 1 and not plain[2])):
        return None
    try:
        number = Decimal(value) * (100 if plain[3] else 1)
        if number.copy_abs() > 10**15:
            return None
        # All that is stored is shown: 12.5 % with the format 0% stays 12.5 %.
        text = format(number.quantize(Decimal("1.000000")).normalize(), "f")
    except (InvalidOperation, ValueError):
        return None
    sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
    return sign + digits.zfill(len(plain[1])) + plain[3]


def shown_otherwise(value: str, code: str) -> str:
    """How a format shows a number, if different from its value; empty for dates and times."""
    first = code.partition(";")[0]
    plain = re.fullmatch(r"(#,##)?0(?:\.(0+))?", first)
    if plain is None:
        literal = re.search(r'"[^"]*[^\W\d_][^"]*"|\[\$[^\]-]|[€£$¥]', first)
        return code if literal and not set(re.sub(r'"[^"]*"|\[[^\]]*\]', "", first.lower())) & set("dmyhs") else ""
    try:
        number = Decimal(value)
        if number.copy_abs() > 10**15:
            return ""
        shown = format(number, f"{',' if plain[1] else ''}.{len(plain[2] or '')}f")
    except (InvalidOperation, ValueError):
        return ""
    return "" if Decimal(shown.replace(",", "")) == number and shown == format(number.normalize(), "f") else shown


def short_date(code: str) -> bool:
    """Whether a date format lacks year, month or day."""
    letters = set(re.sub(r'"[^"]*"|\[[^\]]*\]|\\.', "", code.lower()).partition(";")[0])
    return not letters & set("hs0#?") and bool(letters & set("dy")) and not {"d", "m", "y"} <= letters


def _note_ods(data: bytes, made: SheetXml, sheet: str | None) -> None:
    """Counts the cells of all ODS sheets, with notes on one; repeated cells and rows count when something filled follows."""
    name, table, row, size = "", None, 0, _Size()
    set_off, struck, column = set[str](), set[str](), 0
    for element in _elements(data, "style", "table-column", "table-row"):
        if local(element) == "style":
            for known in map(_attributes, element.iterchildren("{*}text-properties")):
                if _BOLD.fullmatch(known.get("font-weight", "")) or _BOLD.fullmatch(known.get("font-style", "")):
                    set_off.add(_attributes(element).get("name", ""))
                if known.get("text-line-through-style", "none") != "none":
                    struck.add(_attributes(element).get("name", ""))
                    set_off.add(_attributes(element).get("name", ""))
            continue
        if (home := next(element.iterancestors("{*}table"), None)) is None:
            continue
        if home is not table:
            table, row, column, size = home, 0, 0, _Size(letters=size.letters)
            name = _attributes(home).get("name", "")
            sheet = name if sheet is None else sheet
        if local(element) == "table-column":
            first, column = column, column + _number_in(element, "number-columns-repeated")
            if name == sheet and _attributes(element).get("visibility") in ("collapse", "filter"):
                made.hide(first, column)
            continue
        times = _number_in(element, "number-rows-repeated")
        hidden = _attributes(element).get("visibility") in ("collapse", "filter")
        if name == sheet and hidden and times < MOST_MARKS:
            made.marks.hidden.update(range(row + 1, row + 1 + min(times, 1000)))
        at = width = letters = 0
        for cell in element.iterchildren("{*}table-cell", "{*}covered-table-cell"):
            across = _number_in(cell, "number-columns-repeated")
            shown = "".join(cell.itertext())
            if name == sheet:
                rows, columns = range(row + 1, row + 1 + times), range(at, at + across)
                _note_ods_cell(cell, shown[:200], rows, columns, set_off, made)
                if cell.find("{*}frame/{*}image") is not None:
                    made.marks.pictures.add(row + 1)
                if shown and _attributes(cell).get("style-name", "") in struck:
                    made.marks.struck.update(islice(product(rows, columns), MOST_MARKS + 1))
                    made.bound()
            at += across
            # Numbers, dates, truths and texts may stand in attributes: value, date-value, and so on.
            if len(cell) or any("value" in key for key in _attributes(cell)):
                # Spaces come as a number of spaces; any other element is a line end at most.
                ends = (_number_in(each, "c") if local(each) == "s" else 1 for each in cell.iterdescendants())
                long = len(shown) + sum(ends) + sum(len(text) for key, text in cell.items() if key.endswith("value"))
                width, letters = at, letters + across * long
        row += times
        if width:
            made.filled.add(name)
            size.grow(row, width, times * letters)


def _note_ods_cell(cell: Element, shown: str, rows: range, columns: range, set_off: Collection[str], made: SheetXml) -> None:
    known = _attributes(cell)
    kind, value = known.get("value-type", ""), known.get("value", "")
    formula = known.get("formula", "").removeprefix("of:=").removeprefix("=")
    calculated = next((value for key, value in cell.items() if key.endswith("calcext:1.0}value-type")), "")
    error = calculated == "error" or (formula and shown.startswith(("#", "Err:")))
    text = shown if error else _typed(formula == "TRUE()") if formula in _TRUTHS else _ods_text(kind, value, shown)
    other = "" if text or kind not in ("float", "currency") else _ods_otherwise(value, shown)
    short = kind == "date" and ":" not in shown and len(re.findall(r"\w+", shown)) < 3
    unvalued = formula and not kind and not shown
    down, across = (max(1, whole(known.get(f"number-{way}-spanned"), 1)) for way in ("rows", "columns"))
    styled = bool(set_off) and len(set(_set_off(cell, set_off))) > 1
    if (down, across) != (1, 1):
        made.marks.merged.append(((rows[0], columns[0]), (rows[0] + down - 1, columns[0] + across - 1)))
        made.bound()
    for at in product(rows, columns) if text or other or short or unvalued or styled else ():
        if text:
            made.texts[at] = text
        if other:
            made.marks.formats[at] = other
        if short:
            made.marks.short_dates.add(at)
        if error and formula:
            made.marks.formulas[at] = formula
        if unvalued:
            made.marks.unvalued[at] = formula
        if styled:
            made.marks.styled.add(at)
        made.bound()


def _ods_text(kind: str, value: str, shown: str) -> str:
    """The text to take for an ODS number: a percentage, leading zeros; empty for others."""
    if kind == "percentage":
        return shown_as(value, "0%") or shown.replace("\xa0", "").replace(" ", "")
    return shown if kind == "float" and re.fullmatch(r"-?0\d+", shown) and str(int(shown)) == value else ""


def _ods_otherwise(value: str, shown: str) -> str:
    """How an ODS cell shows a number, if otherwise than it is; a comma for the point, and ten digits of more, are not."""
    plain = re.fullmatch(r"-?\d+(?:[.,](\d+))?", shown)
    if not shown or re.fullmatch(r"-?[\d.,]+E[+-]?\d+", shown):
        return ""
    try:
        same = plain and Decimal(shown.replace(",", ".")) == Decimal(value) and not (plain[1] or "").endswith("0")
    except InvalidOperation:
        return ""
    return "" if same or (plain and len(plain[1] or "") > 8) else shown


def _set_off(element: Element, styles: Collection[str], within: bool = False) -> Iterator[bool]:
    """For each text in an element whether it is bold, italic, or the like."""
    within = within or (local(element) == "span" and _attributes(element).get("style-name", "") in styles)
    if (element.text or "").strip():
        yield within
    for child in element:
        yield from _set_off(child, styles, within)
        if (child.tail or "").strip():
            yield within
