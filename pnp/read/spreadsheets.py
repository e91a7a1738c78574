"""Reads XLSX, ODS and XLS into rows of text, as typed or shown.

A few hundred bytes of packed XML can say that a sheet is as large as a continent, so that it is counted before a library
reads it; what is handed on is packed anew from what was counted, for a packed file can tell two readers two different
things. In the same walk errors, formulas, formats, merged cells and hidden rows are noted.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.parsers import expat

from pnp.read.csvfile import MOST_CELLS, MOST_COLUMNS, Line, Marks, RawTable, Source, Square, TooLarge, within_bounds

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
_BOLD = re.compile(r"bold|italic|oblique|[6-9]00")


@dataclass(slots=True)
class SheetXml:
    """What one sheet notes of its cells, and the texts to take instead of values."""

    marks: Marks = field(default_factory=Marks)
    texts: dict[Square, str] = field(default_factory=dict)
    filled: set[str] = field(default_factory=set)
    """The sheets of the workbook that have anything in them."""

    def bound(self) -> None:
        """Raises TooLarge for too much of it."""
        marks = self.marks
        parts = (self.texts, marks.unvalued, marks.styled, marks.merged, marks.formats, marks.short_dates)
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
    """Finds errors, formulas, formats, merged cells and hidden rows of a sheet of XLSX or ODS, by default the first.

    ``parts``: the XML files of the package by name. Raises ValueError, TooLarge.
    """
    made = SheetXml()
    names, restarted = _xlsx_sheets(parts)
    chosen = names.get(sheet, "") if sheet is not None else next(iter(names.values()), "")
    strings, formats = _Strings(), _formats(parts)
    for data in parts.values():
        if b"<sst" in data or b":sst" in data:
            strings = _Strings()
            walk_xml(data, strings)
    # Every part that may be a sheet is counted, whichever a reader takes for it.
    for path, data in parts.items():
        if b"table-row" in data:
            walk_xml(data, _Ods(made, sheet))
        if b"sheetData" in data:
            seen = _Xlsx(made if path == chosen else None, formats, strings)
            walk_xml(data, seen)
            if seen.size.rows:
                made.filled.update(name for name, part in names.items() if part == path)
            if path == chosen and restarted and seen.formulas and len(seen.zeros) == len(seen.formulas):
                made.marks.unvalued.update(seen.zeros)
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


class _Walker:
    """Handles the elements of a part, by name without prefix, and their text."""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        pass

    def text(self, letters: str) -> None:
        pass

    def end(self, name: str) -> None:
        pass


def walk_xml(data: bytes, seen: _Walker) -> None:
    """Walks all elements of a part, by name without prefix."""
    count = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if count > MOST_ELEMENTS:
            raise TooLarge(f"the table has more than {MOST_ELEMENTS // 1_000_000} million parts")
        seen.start(name.rpartition("}")[2], attributes)

    def declared(*_: object) -> None:
        raise ValueError("it declares a document type, and spreadsheets have none")

    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda name: seen.end(name.rpartition("}")[2])
    parser.CharacterDataHandler = seen.text
    parser.StartDoctypeDeclHandler = declared
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise ValueError(f"what is in it is not well-formed XML: {expat.ErrorString(error.code)}") from None


class _Starts(_Walker):
    def __init__(self) -> None:
        self.found: list[tuple[str, Mapping[str, str]]] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        self.found.append((name, attributes))


def _starts(data: bytes) -> list[tuple[str, Mapping[str, str]]]:
    seen = _Starts()
    walk_xml(data, seen)
    return seen.found


def _cell_number(attributes: Mapping[str, str], name: str) -> int:
    return max((whole(value, 1) for key, value in attributes.items() if key.rpartition("}")[2] == name), default=1)


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
    targets: dict[str, str] = {}
    sheets: dict[str, str] = {}
    restarted = False
    for part in ("xl/workbook.xml", "xl/_rels/workbook.xml.rels"):
        for name, attributes in _starts(parts[part]) if part in parts else ():
            if name == "Relationship":
                targets[attributes.get("Id", "")] = attributes.get("Target", "")
            elif name == "sheet":
                by = next((value for key, value in attributes.items() if key.rpartition("}")[2] == "id"), "")
                sheets[attributes.get("name", "")] = by
            elif name == "calcPr":
                restarted = attributes.get("fullCalcOnLoad") in ("1", "true")
    paths = {name: targets.get(by, "") for name, by in sheets.items()}
    return {
        name: path.removeprefix("/") if path.startswith("/") else f"xl/{path}" for name, path in paths.items()
    }, restarted


def _formats(parts: Mapping[str, bytes]) -> list[str]:
    codes, styles, inside = dict(_FORMATS), [], False
    for name, attributes in _starts(parts["xl/styles.xml"]) if "xl/styles.xml" in parts else ():
        inside = name == "cellXfs" or (inside and name != "cellStyleXfs")
        if name == "numFmt":
            codes[whole(attributes.get("numFmtId"), 0)] = attributes.get("formatCode", "")
        elif name == "xf" and inside:
            styles.append(whole(attributes.get("numFmtId"), 0))
    return [codes.get(number, "") for number in styles]


class _Runs(_Walker):
    """Whether a text has both formatted and plain parts."""

    def __init__(self) -> None:
        self.plain = self.set_off = False
        self._now = self._words = False

    @property
    def mixed(self) -> bool:
        return self.plain and self.set_off

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "r":
            self._now = False
        elif name in _SET_OFF:
            self._now = self._now or attributes.get("val", "1") not in ("0", "false", "none", "baseline")
        elif name == "t":
            self._words = True

    def text(self, letters: str) -> None:
        if self._words and letters.strip():
            self.plain, self.set_off = self.plain or not self._now, self.set_off or self._now

    def end(self, name: str) -> None:
        if name == "t":
            self._words = False


class _Strings(_Walker):
    """The shared strings: the length of each, and which are partly formatted."""

    def __init__(self) -> None:
        self.lengths: list[int] = []
        self.mixed: set[int] = set()
        self._runs = _Runs()

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "si":
            self.lengths.append(0)
            self._runs = _Runs()
        self._runs.start(name, attributes)

    def text(self, letters: str) -> None:
        if self.lengths:
            self.lengths[-1] += len(letters)
        self._runs.text(letters)

    def end(self, name: str) -> None:
        self._runs.end(name)
        if name == "si" and self._runs.mixed:
            self.mixed.add(len(self.lengths) - 1)


class _Xlsx(_Walker):
    """The cells of an XLSX sheet, as far as any is filled, whatever place it claims."""

    def __init__(self, made: SheetXml | None, formats: list[str], strings: _Strings) -> None:
        self._made, self._noted = made or SheetXml(), made is not None
        self._formats, self._strings = formats, strings
        self.size = _Size()
        self.formulas: set[Square] = set()
        self.zeros: dict[Square, str] = {}
        self._row = self._column = 0
        self._square: Square = (0, 0)
        self._type = self._style = self._formula = self._value = self._open = ""
        self._runs = _Runs()
        self._calculated = self._filled = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "row":
            self._row, self._column = whole(attributes.get("r"), self._row + 1), 0
            if attributes.get("hidden") in ("1", "true"):
                self._made.marks.hidden.add(self._row)
        elif name == "c":
            place = attributes.get("r", "")
            letters = place.rstrip(_DIGITS)
            self._column = column_number(letters) if letters else self._column + 1
            self._square = (whole(place[len(letters) :], self._row), self._column - 1)
            self._type, self._style = attributes.get("t", "n"), attributes.get("s", "")
            self._formula = self._value = ""
            self._calculated, self._filled, self._runs = False, False, _Runs()
        elif name == "mergeCell":
            if self._noted:
                self._merge(attributes.get("ref", ""))
        else:
            self._filled = True
        if name in ("f", "v"):
            self._open = name
            self._calculated = self._calculated or name == "f"
        self._runs.start(name, attributes)

    def text(self, letters: str) -> None:
        if self._open == "f":
            self._formula = (self._formula + letters)[:200]
        elif self._open == "v":
            self._value = (self._value + letters)[:40]
        self._runs.text(letters)

    def end(self, name: str) -> None:
        self._runs.end(name)
        if name == self._open:
            self._open = ""
        elif name == "c":
            if self._filled:
                number = whole(self._value.strip(), 0) if self._type == "s" else -1
                known = self._strings.lengths[number] if 0 <= number < len(self._strings.lengths) else 0
                self.size.grow(max(self._row, self._square[0]), self._column, known)
            if self._noted:
                self._cell()
                self._made.bound()

    def _cell(self) -> None:
        made, at = self._made, self._square
        formula = self._formula or "…"
        if self._calculated:
            self.formulas.add(at)
        if self._type == "e":
            made.texts[at] = self._value.strip() or "#VALUE!"
            if self._calculated:
                made.marks.formulas[at] = formula
        elif self._calculated and not self._value.strip() and self._type != "str":
            made.marks.unvalued[at] = formula
        elif self._type == "n":
            if self._calculated and self._value == "0":
                self.zeros[at] = formula
            self._format(at)
        elif self._runs.mixed or (self._type == "s" and whole(self._value.strip(), 0) in self._strings.mixed):
            made.marks.styled.add(at)

    def _format(self, at: Square) -> None:
        style = whole(self._style, 0)
        code = self._formats[style] if style < len(self._formats) else ""
        if not code or code == "General":
            return
        if (shown := shown_as(self._value, code)) is not None:
            self._made.texts[at] = shown
        elif short_date(code):
            self._made.marks.short_dates.add(at)
        elif self._value and (other := shown_otherwise(self._value, code)):
            self._made.marks.formats[at] = other

    def _merge(self, ref: str) -> None:
        corners = [re.fullmatch(r"\$?([A-Z]{1,3})\$?(\d{1,7})", corner) for corner in ref.split(":")]
        if len(corners) == 2 and corners[0] and corners[1]:
            first, last = ((int(found[2]), column_number(found[1]) - 1) for found in corners if found)
            self._made.marks.merged.append((first, last))
            self._made.bound()


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


class _Ods(_Walker):
    """The cells of all ODS sheets, with notes on one; repeated cells and rows count when something filled follows."""

    def __init__(self, made: SheetXml, sheet: str | None) -> None:
        self._made, self._sheet, self._name, self._size = made, sheet, "", _Size()
        self._row = self._column = 0
        self._times = self._across = 1
        self._width = self._text = self._long = 0
        self._inside = self._cell = self._filled = False
        self._attributes: dict[str, str] = {}
        self._shown = self._style = ""
        self._set_off: set[str] = set()
        self._spans: list[bool] = []
        self._plain = self._marked = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        known = {key.rpartition("}")[2]: value for key, value in attributes.items()}
        if name == "style":
            self._style = known.get("name", "")
        elif name == "text-properties":
            if _BOLD.fullmatch(known.get("font-weight", "")) or _BOLD.fullmatch(known.get("font-style", "")):
                self._set_off.add(self._style)
        elif name == "table":
            self._name, self._row = known.get("name", ""), 0
            self._sheet = self._name if self._sheet is None else self._sheet
            self._inside, self._size = self._name == self._sheet, _Size(letters=self._size.letters)
        elif name == "table-row":
            self._times, self._column = max(1, _cell_number(attributes, "number-rows-repeated")), 0
            self._width = self._text = 0
            hidden = known.get("visibility") in ("collapse", "filter")
            if self._inside and hidden and self._times < MOST_MARKS:
                self._made.marks.hidden.update(range(self._row + 1, self._row + 1 + min(self._times, 1000)))
        elif name in ("table-cell", "covered-table-cell"):
            self._across = max(1, _cell_number(attributes, "number-columns-repeated"))
            self._attributes, self._shown, self._cell = known, "", True
            # Numbers, dates, truths and texts may stand in attributes: value, date-value, and so on.
            self._filled = any("value" in key for key in known)
            self._long = sum(len(text) for key, text in attributes.items() if key.endswith("value"))
            if any(key.rpartition("}")[0].endswith("calcext:1.0") for key in attributes if key.endswith("}value-type")):
                self._attributes["error"] = next(
                    value for key, value in attributes.items() if key.endswith("calcext:1.0}value-type")
                )
            self._plain = self._marked = False
        elif self._cell:
            self._filled = True
            # Spaces come as a number of spaces; any other element is a line end at most.
            self._long += _cell_number(attributes, "c") if name == "s" else 1
        if name == "span":
            self._spans.append(known.get("style-name", "") in self._set_off)

    def text(self, letters: str) -> None:
        if self._cell:
            self._long += len(letters)
            self._shown = (self._shown + letters)[:200]
            if letters.strip():
                off = any(self._spans)
                self._plain, self._marked = self._plain or not off, self._marked or off

    def end(self, name: str) -> None:
        if name == "table":
            self._inside = False
        elif name == "span" and self._spans:
            self._spans.pop()
        elif name in ("table-cell", "covered-table-cell"):
            self._cell = False
            if self._attributes and self._inside:
                self._note()
            self._column += self._across
            if self._filled:
                self._width, self._text = self._column, self._text + self._across * self._long
        elif name == "table-row":
            self._row += self._times
            if self._width:
                self._made.filled.add(self._name)
                self._size.grow(self._row, self._width, self._times * self._text)

    def _note(self) -> None:
        made, known = self._made, self._attributes
        formula = known.get("formula", "").removeprefix("of:=").removeprefix("=")
        percent = known.get("value-type") == "percentage"
        error = known.get("error") == "error" or (formula and self._shown.startswith(("#", "Err:")))
        unvalued = formula and "value-type" not in known and not self._shown
        spanned = [max(1, whole(known.get(f"number-{way}-spanned"), 1)) for way in ("rows", "columns")]
        styled = self._plain and self._marked
        if spanned != [1, 1]:
            here = (self._row + 1, self._column)
            made.marks.merged.append((here, (here[0] + spanned[0] - 1, here[1] + spanned[1] - 1)))
        if not (error or percent or unvalued or styled):
            made.bound()
            return
        for row in range(self._row + 1, self._row + 1 + self._times):
            for at in range(self._column, self._column + self._across):
                if error or percent:
                    made.texts[row, at] = self._shown if error else self._shown.replace("\xa0", "").replace(" ", "")
                if error and formula:
                    made.marks.formulas[row, at] = formula
                if unvalued:
                    made.marks.unvalued[row, at] = formula
                if styled:
                    made.marks.styled.add((row, at))
                made.bound()
