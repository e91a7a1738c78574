"""Spreadsheet files, which are packed XML, unpacked and measured before a library reads them.

A few hundred bytes can say that a sheet is as large as a continent. So what it would be is counted first; and what is
handed on is packed anew from what was counted, for a packed file can tell two readers two different things.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lxml.etree import _Element

MOST_UNPACKED = 64_000_000
MOST_PARTS = 2_000
# Squares between the first and the last one with something in it, and letters in all of them.
MOST_SQUARES, MOST_LETTERS = 4_000_000, 64_000_000
_KEPT = (".xml", ".rels", "mimetype")


class TooLarge(Exception):
    """A sheet beyond all bounds; the text says how far, to a person."""


def unpacked(path: Path) -> io.BytesIO:
    """The file with what is needed of it, no larger than it says. Raises ValueError, OSError, TooLarge."""
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
    return made


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
    strings = [0]
    for data in parts.values():
        if b"<sst" in data or b":sst" in data:
            strings = _shared(data)
    for data in parts.values():
        if b"sheetData" in data:
            _measure_xlsx(data, strings)
        if b"table-row" in data:
            _measure_ods(data)


def _shared(data: bytes) -> list[int]:
    """How long each of the texts is that cells refer to by number."""
    return [sum(map(len, text.itertext())) for text in _elements(data, "si")]


def _measure_xlsx(data: bytes, strings: list[int]) -> None:
    row = rows = columns = letters = 0
    for line in _elements(data, "row"):
        row = _whole(line.get("r"), row + 1)
        column = 0
        for cell in line:
            place = str(cell.get("r") or "")
            name = place.rstrip("0123456789")
            column = _column(name) if name else column + 1
            if len(cell):
                rows, columns = max(rows, row, _whole(place[len(name) :], 0)), max(columns, column)
                if cell.get("t") == "s":
                    number = _whole("".join(map(str, cell.itertext())).strip(), 0)
                    letters += strings[number] if number < len(strings) else 0
        _bound(rows, columns, letters)


def _measure_ods(data: bytes) -> None:
    rows = columns = empty = letters = 0
    for line in _elements(data, "table-row"):
        times = _whole(_repeated(line, "rows"), 1)
        width = blank = text = 0
        for cell in line:
            across = _whole(_repeated(cell, "columns"), 1)
            if len(cell) or any(str(key).endswith("}value") for key in cell.keys()):  # noqa: SIM118
                width, blank = width + blank + across, 0
                text += across * sum(map(len, map(str, cell.itertext())))
            else:
                blank += across
        if width:
            rows, empty, columns = rows + empty + times, 0, max(columns, width)
            letters += times * text
        else:
            empty += times
        _bound(rows, columns, letters)


def _bound(rows: int, columns: int, letters: int) -> None:
    if rows * columns > MOST_SQUARES:
        raise TooLarge(f"the table has {rows} rows and {columns} columns")
    if letters > MOST_LETTERS:
        raise TooLarge(f"the texts of the table have more than {MOST_LETTERS // 1_000_000} million letters")


def _elements(data: bytes, name: str) -> Iterator[_Element]:
    """The elements of a name, one after the other, each forgotten when the next comes."""
    from lxml import etree

    try:
        reading: Any = etree.iterparse(
            io.BytesIO(data), tag=f"{{*}}{name}", resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
        )
        for _, element in reading:
            yield element
            element.clear()
            before = element.getprevious()
            if before is not None and (above := element.getparent()) is not None:
                above.remove(before)
    except etree.XMLSyntaxError as error:
        raise ValueError(f"what is in it is not well-formed XML: {error.msg}") from None


def _repeated(element: _Element, what: str) -> str | None:
    key = f"}}number-{what}-repeated"
    return next((str(value) for name, value in element.items() if str(name).endswith(key)), None)


def _whole(text: str | None, default: int) -> int:
    """A number as it is typed; one that is none, or without end, is more than there can be."""
    if not text:
        return default
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 else 10**12


def _column(name: str) -> int:
    """A column's letters as its number: A is 1."""
    number = 0
    for letter in name[:8].upper():
        number = number * 26 + ord(letter) - 64
    return max(1, number)
