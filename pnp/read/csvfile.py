"""Defines what readers of tables return; reads CSV files: encoding, delimiter, rows; changes single cells in place."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from pnp.dataclass import dataclass
from pnp.values.problems import Fault, Place, Problems

MOST_BYTES = 32_000_000
MOST_ROWS = 100_000
MOST_COLUMNS = 256
MOST_CELLS = 1_000_000


class TooLarge(Exception):
    """A table beyond all bounds; tells a person how far."""


Square = tuple[int, int]
"""A cell of a sheet: its row as the sheet numbers it, and its column from 0."""


@dataclass(frozen=True, slots=True)
class Source:
    """A table file to read."""

    path: Path
    shown: str
    sheet: str | None
    """Of a workbook the sheet, of JSON and YAML where the records are; None where game.toml does not say."""
    problems: Problems


class Line(NamedTuple):
    """A row that is not empty."""

    row: int
    """Its number as a spreadsheet program shows it; of JSON and YAML the line on which the record begins."""
    texts: list[str]
    line: int
    """The line of the file on which it begins, for who opens it in a text editor."""


@dataclass(slots=True)
class Marks:
    """Formats and notes of a workbook's cells besides their values."""

    formulas: dict[Square, str] = field(default_factory=dict)
    """Of cells with an error."""
    unvalued: dict[Square, str] = field(default_factory=dict)
    """Formulas whose value was never stored."""
    dates: dict[Square, str] = field(default_factory=dict)
    """What each date is read as."""
    short_dates: set[Square] = field(default_factory=set)
    """Those shown without a year or without a day, which programs make of texts such as 3-4."""
    formats: dict[Square, str] = field(default_factory=dict)
    """What numbers are shown as, where that is not what is read: a text, or the format."""
    styled: set[Square] = field(default_factory=set)
    """Texts of which a part is bold, italic, and so on."""
    merged: list[tuple[Square, Square]] = field(default_factory=list)
    struck: set[Square] = field(default_factory=set)
    """Cells that are struck out as a whole."""
    hidden: set[int] = field(default_factory=set)
    """Rows."""
    hidden_columns: set[int] = field(default_factory=set)
    """From 0 on."""
    pictures: set[int] = field(default_factory=set)
    """Rows on which pictures lie."""
    sheet: str = ""
    unread: tuple[str, ...] = ()
    """Other sheets with something in them, where nobody said which sheet to take."""


@dataclass(frozen=True, slots=True)
class RawTable:
    """The rows of a file that are not empty, in order."""

    lines: Iterator[Line]
    parted: bool = False
    """Whether commas part the cells, so that a row may come out longer than it was meant."""
    marks: Marks = field(default_factory=Marks)


def within_bounds(lines: Iterator[Line]) -> list[Line]:
    """The lines, up to the limit. Raises TooLarge."""
    kept: list[Line] = []
    cells = 0
    for line in lines:
        kept.append(line)
        # Empty cells behind the last filled one are no columns: a sheet may have thousands of them.
        filled = next((at for at in range(len(line.texts), 0, -1) if line.texts[at - 1].strip()), 0)
        cells += filled
        if len(kept) == 1 and filled > MOST_COLUMNS:
            raise TooLarge(f"the table has {filled} columns")
        if len(kept) - 1 > MOST_ROWS:
            raise TooLarge(f"the table has more than {MOST_ROWS} rows")
        if cells > MOST_CELLS:
            raise TooLarge(f"the table has more than {MOST_CELLS} cells")
    return kept


# Letters beside a to z that a language writes, in small.
_ALPHABETS = tuple(
    frozenset(letters)
    for letters in (
        "äöüßéàê",  # German, with words it took from French
        "àâæçèéêëîïôœùûü",  # French
        "áéíóúüñ",  # Spanish
        "àáâãçéêíóôõúü",  # Portuguese
        "àèéìíîòóùú",  # Italian
        "åäöæøéü",  # the North
        "áéíóúýþæöð",  # Icelandic
        "áàâéèêëïíóôöúüû",  # Dutch
        "àçèéíïòóúü",  # Catalan
    )
)
_SIGNS = frozenset("‘’“”„‚«»‹›–—…•·°×±½¼¾€£¥§©®™†‡¿¡ªº¶\xa0")
_NAMES = {"cp1252": "Windows-1252", "mac_roman": "Mac Roman"}
# don't, we'll, I'm, l'or: where an apostrophe stands no language has an accented i, which Mac Roman would read.
_SHORTENED = re.compile(rb"n\x92t\b|[a-z]\x92(?:ll|re|ve)\b|\bI\x92[md]\b|\b[cdjlmnstCDJLMNST]\x92[a-zA-Z]{2}")
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A decoded text, and the encoding if guessed, with words to judge it by."""

    text: str
    guessed: str = ""
    words: tuple[str, ...] = ()


def decoded(raw: bytes) -> Decoded:
    """Decodes by mark, else UTF-8, else an older encoding if certain. Raises UnicodeDecodeError."""
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Decoded(raw.decode("utf-16"))
    if (wide := _wide(raw)) is not None:
        return wide
    try:
        return Decoded(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        fitting = [made for code in _NAMES if (made := _as(raw, code))]
        if len(fitting) != 1:
            raise
        return fitting[0]


def _wide(raw: bytes) -> Decoded | None:
    """Whether it is UTF-16 without byte order mark: in the first line every second byte, and no other, is zero."""
    for code, end, zero in (("utf-16-le", b"\n\0", 1), ("utf-16-be", b"\0\n", 0)):
        at = raw.find(end)
        first = raw[: at + at % 2 if at >= 0 else len(raw)]
        if len(first) < 4 or any(first[zero::2]) or not all(first[1 - zero :: 2]):
            continue
        try:
            return Decoded(raw.decode(code), "UTF-16", _some(_WORD.findall(first.decode(code))))
        except UnicodeDecodeError:
            return None
    return None


def _as(raw: bytes, code: str) -> Decoded | None:
    try:
        text = raw.decode(code)
    except UnicodeDecodeError:
        return None
    if code == "mac_roman" and _SHORTENED.search(raw):
        return None
    beyond = {letter for letter in text if not letter.isascii()}
    letters = {letter.lower() for letter in beyond if letter.isalpha() and letter not in _SIGNS}
    if not beyond - letters - {letter.upper() for letter in letters} <= _SIGNS:
        return None
    if not any(letters <= alphabet for alphabet in _ALPHABETS):
        return None
    words = [word for word in _WORD.findall(text) if not word.isascii()]
    if any(word not in (word.lower(), word.upper(), word[0] + word[1:].lower()) for word in words):
        return None
    if any(not _stands_well(text, found.start()) for found in re.finditer("[‘’“”–—¡¿€£¥§×]", text)):
        return None
    if words and all(not re.search("[A-Za-z]", word) for word in words):
        return None
    shown = words or re.findall(r"\S*[^\x00-\x7f]\S*", text)
    return Decoded(text, _NAMES[code], _some(shown))


def _some(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word[:30] for word in dict.fromkeys(words))[:3]


def _stands_well(text: str, at: int) -> bool:
    before, after = text[at - 1 : at] or " ", text[at + 1 : at + 2] or " "
    return text[at] in "’–—" if (before.isalpha() and after.isalpha()) else True


TABBED = (".tsv", ".tab")
# Between two line ends; a text in quotation marks may have some of its own.
MOST_DELIMITERS = 150_000
_QUOTED = re.compile(r'"[^"]*"')


def read_csv(source: Source) -> RawTable:
    """The rows; Problems for faults of the text as a whole. Raises ValueError, OSError, TooLarge."""
    with source.path.open("rb") as file:
        start = file.read(512).lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"pk\x03\x04", b"\xd0\xcf\x11\xe0")):
        ending = ".xls" if start.startswith(b"\xd0") else ".xlsx"
        raise ValueError(f"it is a workbook: call it {source.path.stem}{ending}")
    if start.startswith((b"<!doctype html", b"<html")):
        raise ValueError("it is a web page under the name of a table")
    text = _text(source)
    return RawTable(iter(()) if text is None else lines_of(text, source), parted=True)


def _text(source: Source) -> str | None:
    raw, problems = source.path.read_bytes(), source.problems
    try:
        known = decoded(raw)
    except UnicodeDecodeError as error:
        problems.unreadable = True
        here = Place(source.shown, raw.count(b"\n", 0, error.start) + 1)
        message = (
            f"the byte {raw[error.start]:#04x} is not {error.encoding[:6].upper().rstrip('-')}, "
            "and it is not certain what else the table is written in"
        )
        hint = 'Save the table as "CSV UTF-8".'
        problems.error("not-utf-8", here, message, value=f"{raw[error.start]:#04x}", allowed="UTF-8 text", hint=hint)
        return None
    if "\0" in known.text:
        problems.unreadable = True
        place = Place(source.shown, known.text.count("\n", 0, known.text.index("\0")) + 1)
        problems.error("nul-byte", place, "the table has a NUL byte", hint='Save the table as "CSV UTF-8".')
        return None
    if known.guessed:
        message = f"the table is not UTF-8 and was read as {known.guessed}: {', '.join(known.words)}"
        hint = 'If these words are wrong, save the table as "CSV UTF-8".'
        problems.warn("guessed-encoding", Place(source.shown), message, value=known.guessed, hint=hint)
    return known.text


def lines_of(text: str, source: Source) -> Iterator[Line]:
    """The rows of a text; a Problem for one that cannot be split into cells. Raises TooLarge."""
    delimiter, skipped = delimiter_of(text, source.path.suffix.lower() in TABBED)
    lines = io.StringIO(text, newline="")
    if text.count(delimiter) > MOST_DELIMITERS:
        crowded = next((at for at, each in enumerate(lines, 1) if each.count(delimiter) > MOST_DELIMITERS), None)
        if crowded is not None:
            raise TooLarge(f"line {crowded} of the table has more than {MOST_DELIMITERS} cells")
        lines.seek(0)
    for _ in range(skipped):
        lines.readline()
    rows = csv.reader(lines, delimiter=delimiter, strict=True)
    # Programs that open the file show no row for the line that only names the delimiter.
    row, line = 1, 1 + skipped
    try:
        for cells in rows:
            if any(cell.strip() for cell in cells):
                yield Line(row, cells, line)
            row, line = row + 1, rows.line_num + 1 + skipped
    except csv.Error as error:
        source.problems.unreadable = True
        message = f"the row that starts here{in_editor(row, line)} cannot be split into cells ({error})"
        hint = "Look for a quotation mark that is opened and never closed."
        if "expected after" in str(error):
            hint = 'Within quotation marks, a quotation mark of the text is written twice: "No ""tricks"", just practice."'
        source.problems.error("broken-csv", Place(source.shown, row), message, hint=hint)


def in_editor(row: int, line: int) -> str:
    """The line of a row in a text editor, if different."""
    return "" if row == line else f" (line {line} in a text editor)"


def delimiter_of(text: str, tabbed: bool) -> tuple[str, int]:
    """The delimiter, and the number of lines that only declare it, as Excel writes them."""
    start = text[:4096].lstrip("\r\n")
    if named := re.match(r'"?sep=(.)"?\r?\n', start):
        return named[1], text[: text.index("sep=")].count("\n") + 1
    if tabbed:
        return "\t", 0
    # A remark above the header may have commas of its own.
    lines = io.StringIO(text, newline="")
    first = next((line for line in islice(lines, 50) if line.strip() and not line.startswith("#")), start)
    bare = _QUOTED.sub("", first)
    # A bar may be a letter of a name where there is another mark.
    marks = ",;\t" if any(mark in bare for mark in ",;\t") else "|,"
    return max(marks, key=lambda mark: (bare.count(mark), mark == ",")), 0


# What parts records; Unicode's other line ends are letters of a cell, as the csv module has it.
_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Field:
    """A cell: its start and end in the text, quotes included, and its value."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Record:
    """A row of the file, with its line end; ``row`` as in a spreadsheet program, from 1."""

    row: int
    fields: tuple[Field, ...]
    start: int
    end: int
    """Behind its line end."""

    @property
    def blank(self) -> bool:
        return not any(field.text.strip() for field in self.fields)


@dataclass(frozen=True)
class CsvText:
    """The text of a CSV or TSV file."""

    text: str
    tabbed: bool
    """Whether its name says that tabs part the cells."""
    marked: bool = False
    """Whether it begins with the mark by which Excel knows UTF-8."""

    @classmethod
    def of(cls, raw: bytes, tabbed: bool = False) -> CsvText:
        """Splits a file's content. Raises Fault for other encodings than UTF-8, or unclosed cells."""
        marked = raw.startswith(codecs.BOM_UTF8)
        try:
            text = raw.removeprefix(codecs.BOM_UTF8).decode("utf-8")
        except UnicodeDecodeError:
            raise Fault('The table is not UTF-8. Save it as "CSV UTF-8" in your spreadsheet program.') from None
        if "\0" in text:
            raise Fault("The table has a NUL byte.")
        made = cls(text, tabbed, marked)
        _ = made.records
        return made

    @property
    def raw(self) -> bytes:
        return (codecs.BOM_UTF8 if self.marked else b"") + self.text.encode()

    @cached_property
    def _said(self) -> tuple[str, int]:
        return delimiter_of(self.text, self.tabbed)

    @property
    def delimiter(self) -> str:
        return self._said[0]

    @cached_property
    def line_end(self) -> str:
        """The file's line end."""
        ends = (self.text[each.fields[-1].end : each.end] for each in self.records)
        return next(filter(None, ends), "\r\n")

    @cached_property
    def records(self) -> tuple[Record, ...]:
        """All records, with blank ones. Raises Fault for an unclosed quotation mark."""
        text, found = self.text, list[Record]()
        cell = re.compile(rf'"(?:[^"]|"")*+"|(?!")[^{re.escape(self.delimiter)}\r\n]*')
        at = 0
        for _ in range(self._said[1]):
            end = _END.search(text, at)
            at = end.end() if end else len(text)
        while at < len(text):
            start, fields, row = at, list[Field](), len(found) + 1
            while not fields or text.startswith(self.delimiter, at):
                at += len(self.delimiter) if fields else 0
                if (typed := cell.match(text, at)) is None:
                    raise Fault(f"A quotation mark is opened in row {row} and never closed.")
                value = typed[0][1:-1].replace('""', '"') if typed[0].startswith('"') else typed[0]
                fields.append(Field(at, typed.end(), value))
                at = typed.end()
            end = _END.match(text, at)
            if end is None and at < len(text):
                raise Fault(f"Row {row} goes on after a closing quotation mark.")
            at = end.end() if end else at
            found.append(Record(row, tuple(fields), start, at))
        return tuple(found)

    def record(self, row: int) -> Record:
        """The record of this number. Raises Fault."""
        if not 1 <= row <= len(self.records):
            raise Fault(f"The table has no row {row}.")
        return self.records[row - 1]

    def with_cell(self, row: int, column: int, value: str) -> CsvText:
        """The text with another value in a cell; ``column`` from 0. Extends a short record."""
        record = self.record(row)
        if column < len(record.fields):
            field = record.fields[column]
            quoted = self.text.startswith('"', field.start)
            return self._with(field.start, field.end, self.written(value, quoted))
        last = record.fields[-1].end
        more = self.delimiter * (column - len(record.fields) + 1)
        return self._with(last, last, more + self.written(value))

    def with_column(self, name: str) -> CsvText:
        """Adds a last column of this name with empty cells. Raises Fault where there is no row of names."""
        records = [record for record in self.records if not record.blank]
        if not records:
            raise Fault("The table has no columns yet: write their names into its first line.")
        parts, at, width = list[str](), 0, len(records[0].fields)
        for record in records:
            end = record.fields[-1].end
            more = self.delimiter * (width + 1 - len(record.fields))
            parts += [self.text[at:end], more, self.written(name) if record is records[0] else ""]
            at = end
        return CsvText("".join([*parts, self.text[at:]]), self.tabbed, self.marked)

    def without_column(self, column: int) -> CsvText:
        """Takes a column away with all that stands in it. Raises Fault for the last one that there is."""
        records = [record for record in self.records if len(record.fields) > column and not record.blank]
        if not records or len(records[0].fields) < 2:
            raise Fault("A table has one column at least.")
        parts, at = list[str](), 0
        for record in records:
            fields = record.fields
            # With the mark before it, of the first with that behind it.
            start = fields[column - 1].end if column else fields[0].start
            end = fields[column].end if column or len(fields) == 1 else fields[1].start
            parts += [self.text[at:start], '""' if len(fields) == 1 else ""]
            at = end
        return CsvText("".join([*parts, self.text[at:]]), self.tabbed, self.marked)

    def with_record(self, after: int, values: Sequence[str]) -> CsvText:
        """The text with a new record behind number ``after``."""
        return self._with_line(self.record(after), self.delimiter.join(map(self.written, values)))

    def without_record(self, row: int) -> CsvText:
        record = self.record(row)
        return self._with(record.start, record.end, "")

    def with_moved(self, row: int, after: int) -> CsvText:
        """The text with a record moved behind another."""
        record, target = self.record(row), self.record(after)
        line = self.text[record.start : record.fields[-1].end]
        # What stands further down is changed first, so that what stands above stays where it is.
        if target.row < row:
            return self.without_record(row)._with_line(target, line)
        return self._with_line(target, line).without_record(row)

    def _with_line(self, target: Record, line: str) -> CsvText:
        end = target.fields[-1].end
        if end == target.end:
            return self._with(end, end, self.line_end + line)
        return self._with(target.end, target.end, line + self.text[end : target.end])

    def written(self, value: str, quoted: bool = False) -> str:
        """A value as written in the file, quoted where needed or where it was."""
        if "\0" in value:
            raise Fault("A cell cannot have a NUL byte.")
        if quoted or value != value.strip() or any(mark in value for mark in (self.delimiter, '"', "\r", "\n")):
            return '"' + value.replace('"', '""') + '"'
        return value

    def _with(self, start: int, end: int, said: str) -> CsvText:
        return CsvText(self.text[:start] + said + self.text[end:], self.tabbed, self.marked)
