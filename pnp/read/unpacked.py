"""Spreadsheet files, which are packed XML, unpacked and measured before a library reads them.

A few hundred bytes can say that a sheet is as large as a continent. So what it would be is counted first; and what is
handed on is packed anew from what was counted, for a packed file can tell two readers two different things.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

MOST_UNPACKED = 64_000_000
MOST_PARTS, MOST_ELEMENTS, MOST_LINES = 2_000, 2_000_000, 120_000
# Squares between the first and the last one with something in it, and letters in all of them.
MOST_SQUARES, MOST_LETTERS = 4_000_000, 64_000_000
_KEPT = (".xml", ".rels", "mimetype")


class TooLarge(Exception):
    """A sheet beyond all bounds; the text says how far, to a person."""


def unpacked(path: Path) -> tuple[io.BytesIO, dict[str, bytes]]:
    """The file with what is needed of it, no larger than it says, and its parts. Raises ValueError, OSError, TooLarge."""
    try:
        with zipfile.ZipFile(path) as packed:
            parts = _parts(packed)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
        raise ValueError(str(error)) from None
    _measure(parts)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as again:
        for name, data in parts.items():
            again.writestr(zipfile.ZipInfo(name), data)
    made.seek(0)
    return made, parts


def _parts(packed: zipfile.ZipFile) -> dict[str, bytes]:
    entries = packed.infolist()
    if len(entries) > MOST_PARTS:
        raise ValueError(f"it has more than {MOST_PARTS} parts")
    parts, left = {}, MOST_UNPACKED
    for entry in entries:
        if not entry.filename.lower().endswith(_KEPT):
            continue
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError("it is packed in a way that spreadsheets are not")
        with packed.open(entry) as part:
            data = part.read(left + 1)
        left -= len(data)
        if left < 0:
            raise ValueError(f"it unpacks to more than {MOST_UNPACKED // 1_000_000} MB")
        parts[entry.filename] = data
    return parts


def _measure(parts: dict[str, bytes]) -> None:
    strings: list[int] = []
    for data in parts.values():
        if b"<sst" in data or b":sst" in data:
            texts = _Texts()
            walk_xml(data, texts)
            strings = texts.lengths
    for data in parts.values():
        if b"sheetData" in data:
            walk_xml(data, _Xlsx(strings))
        if b"table-row" in data:
            walk_xml(data, _Ods())


class _Texts:
    """How long each of the texts is that the cells of an XLSX refer to by number."""

    def __init__(self) -> None:
        self.lengths: list[int] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "si":
            self.lengths.append(0)

    def text(self, letters: str) -> None:
        if self.lengths:
            self.lengths[-1] += len(letters)

    def end(self, name: str) -> None:
        pass


class _Xlsx:
    """A sheet reaches to the furthest cell with something in it, whichever place that says it has."""

    def __init__(self, strings: list[int]) -> None:
        self._strings = strings
        self._row = self._column = self._rows = self._columns = self._letters = 0
        self._place = self._value = ""
        self._in_cell = self._shared = self._filled = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "row":
            self._row, self._column = whole(attributes.get("r"), self._row + 1), 0
        elif name == "c":
            self._place = attributes.get("r", "")
            letters = self._place.rstrip("0123456789")
            self._column = column_number(letters) if letters else self._column + 1
            self._in_cell, self._shared = True, attributes.get("t") == "s"
            self._filled, self._value = False, ""
        elif self._in_cell:
            self._filled = True

    def text(self, letters: str) -> None:
        if self._in_cell and self._shared and len(self._value) < 12:
            self._value += letters

    def end(self, name: str) -> None:
        if name != "c":
            return
        self._in_cell = False
        if self._filled:
            row = whole(self._place.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"), 0)
            self._rows, self._columns = max(self._rows, self._row, row), max(self._columns, self._column)
            number = whole(self._value.strip(), 0) if self._shared else len(self._strings)
            self._letters += self._strings[number] if number < len(self._strings) else 0
            _bound(self._rows, self._columns, self._letters)


class _Ods:
    """A sheet repeats cells and rows; empty ones count when something follows them."""

    def __init__(self) -> None:
        self._rows = self._columns = self._empty = self._letters = 0
        self._times = self._width = self._blank = self._text = 0
        self._across = self._long = 0
        self._in_cell = self._filled = False

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "table":
            self._rows = self._empty = 0
        elif name == "table-row":
            self._times = _number(attributes, "number-rows-repeated")
            self._width = self._blank = self._text = 0
        elif name in ("table-cell", "covered-table-cell"):
            self._in_cell, self._across = True, _number(attributes, "number-columns-repeated")
            # Numbers, dates, truths and texts may stand in attributes: value, date-value, and so on.
            self._filled = any("value" in key.rpartition("}")[2] for key in attributes)
            self._long = sum(len(text) for key, text in attributes.items() if key.endswith("value"))
        elif self._in_cell:
            self._filled = True
            # Spaces come as a number of spaces; any other element is a line end at most.
            self._long += _number(attributes, "c") if name == "s" else 1

    def text(self, letters: str) -> None:
        if self._in_cell:
            self._long += len(letters)

    def end(self, name: str) -> None:
        if name in ("table-cell", "covered-table-cell"):
            self._in_cell = False
            if self._filled:
                self._width, self._blank = self._width + self._blank + self._across, 0
                self._text += self._across * self._long
            else:
                self._blank += self._across
        elif name == "table-row":
            self._columns = max(self._columns, self._width)
            if self._width:
                self._rows, self._empty = self._rows + self._empty + self._times, 0
                self._letters += self._times * self._text
            else:
                self._empty += self._times
            _bound(self._rows, self._columns, self._letters)


def _bound(rows: int, columns: int, letters: int) -> None:
    if rows > MOST_LINES or rows * columns > MOST_SQUARES:
        raise TooLarge(f"the table has {rows} rows and {columns} columns")
    if letters > MOST_LETTERS:
        raise TooLarge(f"the texts of the table have more than {MOST_LETTERS // 1_000_000} million letters")


class Seen(Protocol):
    """What is told of each element, by its name without prefix, and of the text between them."""

    def start(self, name: str, attributes: Mapping[str, str]) -> None: ...

    def text(self, letters: str) -> None: ...

    def end(self, name: str) -> None: ...


def walk_xml(data: bytes, seen: Seen) -> None:
    """All elements of a part, one after the other, by their names without prefixes."""
    from xml.parsers import expat

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


def _number(attributes: Mapping[str, str], name: str) -> int:
    """What an attribute says, whatever its prefix; 1 without it. Of several the largest: who reads may take any."""
    return max((whole(value, 1) for key, value in attributes.items() if key.rpartition("}")[2] == name), default=1)


def whole(text: str | None, default: int) -> int:
    """A number as it is typed; one that is none, or without end, is more than there can be."""
    if not text:
        return default
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 else 10**12


def column_number(letters: str) -> int:
    """A column's letters as its number: A is 1."""
    number = 0
    for letter in letters[:8].upper():
        number = number * 26 + ord(letter) - 64
    return max(1, number)
