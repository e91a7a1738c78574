"""A CSV file as text of which one cell or record is changed, while all else stays as it is, to the byte.

A table is edited by several programs at once, and by people who compare its versions: nothing is written anew but what
was changed.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from pnp.read.csvfile import delimiter_of

# What parts records; Unicode's other line ends are letters of a cell, as the csv module has it.
_END = re.compile(r"\r\n|\r|\n")


class NotEditable(Exception):
    """A file that cannot be changed in place. The text is for the person."""


@dataclass(frozen=True, slots=True)
class Field:
    """A cell in the text: where it begins and ends there, with its quotation marks, and what it says."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Record:
    """A row of the file, with what ends it; ``row`` as a spreadsheet program shows it, from 1."""

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
        """A file's content. Raises NotEditable where that is not UTF-8, or cannot be split into cells."""
        marked = raw.startswith(codecs.BOM_UTF8)
        try:
            text = raw.removeprefix(codecs.BOM_UTF8).decode("utf-8")
        except UnicodeDecodeError:
            raise NotEditable('The table is not UTF-8. Save it as "CSV UTF-8" in your spreadsheet program.') from None
        if "\0" in text:
            raise NotEditable("The table has a NUL byte.")
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
    def _plain(self) -> re.Pattern[str]:
        return re.compile(f"[^{re.escape(self.delimiter)}\r\n]*")

    @cached_property
    def line_end(self) -> str:
        """What ends the file's records."""
        ends = (self.text[each.fields[-1].end : each.end] for each in self.records)
        return next(filter(None, ends), "\r\n")

    @cached_property
    def records(self) -> tuple[Record, ...]:
        """All records, blank ones too. Raises NotEditable where a quotation mark is not closed."""
        at, row, found = 0, 1, []
        for _ in range(self._said[1]):
            end = _END.search(self.text, at)
            at = end.end() if end else len(self.text)
        while at < len(self.text):
            record = self._record(at, row)
            found.append(record)
            at, row = record.end, row + 1
        return tuple(found)

    def _record(self, start: int, row: int) -> Record:
        fields: list[Field] = []
        text, at = self.text, start
        while True:
            field = self._quoted(at, row) if text.startswith('"', at) else self._bare(at)
            fields.append(field)
            at = field.end
            if not text.startswith(self.delimiter, at):
                break
            at += len(self.delimiter)
        end = _END.match(text, at)
        if end is None and at < len(text):
            raise NotEditable(f"Row {row} goes on after a closing quotation mark.")
        return Record(row, tuple(fields), start, end.end() if end else at)

    def _bare(self, at: int) -> Field:
        found = self._plain.match(self.text, at)
        assert found is not None
        return Field(at, found.end(), found[0])

    def _quoted(self, at: int, row: int) -> Field:
        end = at + 1
        while True:
            end = self.text.find('"', end)
            if end < 0:
                raise NotEditable(f"A quotation mark is opened in row {row} and never closed.")
            if not self.text.startswith('""', end):
                break
            end += 2
        return Field(at, end + 1, self.text[at + 1 : end].replace('""', '"'))

    def record(self, row: int) -> Record:
        """The record of this number. Raises NotEditable where there is none."""
        if not 1 <= row <= len(self.records):
            raise NotEditable(f"The table has no row {row}.")
        return self.records[row - 1]

    def with_cell(self, row: int, column: int, value: str) -> CsvText:
        """The same with another value in a cell; ``column`` from 0. A short record grows as far as it must."""
        record = self.record(row)
        if column < len(record.fields):
            field = record.fields[column]
            quoted = self.text.startswith('"', field.start)
            return self._with(field.start, field.end, self.written(value, quoted))
        last = record.fields[-1].end
        more = self.delimiter * (column - len(record.fields) + 1)
        return self._with(last, last, more + self.written(value))

    def with_record(self, after: int, values: Sequence[str]) -> CsvText:
        """The same with a new record behind the one of number ``after``."""
        return self._with_line(self.record(after), self.delimiter.join(map(self.written, values)))

    def without_record(self, row: int) -> CsvText:
        record = self.record(row)
        return self._with(record.start, record.end, "")

    def with_moved(self, row: int, after: int) -> CsvText:
        """The same with one record behind another one."""
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
        """A value as it stands in the file, in quotation marks where it needs them or had them."""
        if "\0" in value:
            raise NotEditable("A cell cannot have a NUL byte.")
        if quoted or value != value.strip() or any(mark in value for mark in (self.delimiter, '"', "\r", "\n")):
            return '"' + value.replace('"', '""') + '"'
        return value

    def _with(self, start: int, end: int, said: str) -> CsvText:
        return CsvText(self.text[:start] + said + self.text[end:], self.tabbed, self.marked)
