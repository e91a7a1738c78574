"""CSV and TSV files → rows of text."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from itertools import islice

from pnp.read.encodings import decoded
from pnp.read.rawtable import Line, RawTable, Source
from pnp.read.unpacked import TooLarge
from pnp.values.problems import Place

TABBED = (".tsv", ".tab")
# Between two line ends; a text in quotation marks may have some of its own.
MOST_DELIMITERS = 150_000
_QUOTED = re.compile(r'"[^"]*"')


def read_csv(source: Source) -> RawTable:
    """The rows; what is wrong with the text as a whole is among the problems. Raises OSError, TooLarge."""
    text = _text(source)
    return RawTable(iter(()) if text is None else _lines(text, source), parted=True)


def _text(source: Source) -> str | None:
    raw, problems = source.path.read_bytes(), source.problems
    try:
        known = decoded(raw)
    except UnicodeDecodeError as error:
        problems.unreadable = True
        problems.error(
            "not-utf-8",
            Place(source.shown, raw.count(b"\n", 0, error.start) + 1),
            f"the byte {raw[error.start]:#04x} is not {error.encoding.upper()}, "
            "and it is not certain what else the table is written in",
            value=f"{raw[error.start]:#04x}",
            allowed="UTF-8 text",
            hint='Save the table as "CSV UTF-8".',
        )
        return None
    if "\0" in known.text:
        problems.unreadable = True
        place = Place(source.shown, known.text.count("\n", 0, known.text.index("\0")) + 1)
        problems.error("nul-byte", place, "the table has a NUL byte", hint='Save the table as "CSV UTF-8".')
        return None
    if known.guessed:
        problems.warn(
            "guessed-encoding",
            Place(source.shown),
            f"the table is not UTF-8 and was read as {known.guessed}: {', '.join(known.words)}",
            value=known.guessed,
            hint='If these words are wrong, save the table as "CSV UTF-8".',
        )
    return known.text


def _lines(text: str, source: Source) -> Iterator[Line]:
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
        source.problems.error(
            "broken-csv",
            Place(source.shown, row),
            f"the row that starts here{in_editor(row, line)} cannot be split into cells ({error})",
            hint="Look for a quotation mark that is opened and never closed.",
        )


def in_editor(row: int, line: int) -> str:
    """Where a row is for who opens the file as text, if that is another number."""
    return "" if row == line else f" (line {line} in a text editor)"


def delimiter_of(text: str, tabbed: bool) -> tuple[str, int]:
    """What parts the cells, and how many lines only say so, as Excel writes them."""
    start = text[:4096].lstrip("\r\n")
    named = re.match(r'"?sep=(.)"?\r?\n', start)
    if named:
        return named[1], text[: text.index("sep=")].count("\n") + 1
    if tabbed:
        return "\t", 0
    # A remark above the header may have commas of its own.
    lines = io.StringIO(text, newline="")
    first = next((line for line in islice(lines, 50) if line.strip() and not line.startswith("#")), start)
    bare = _QUOTED.sub("", first)
    return max(",;\t", key=lambda mark: (bare.count(mark), mark == ",")), 0
