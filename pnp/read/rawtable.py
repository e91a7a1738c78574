"""Defines what readers of table files return: rows of text as in the file, and notes on cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from pathlib import Path
from typing import NamedTuple

from pnp.dataclass import dataclass
from pnp.values.problems import Problems

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
    """What a workbook notes of its cells besides values."""

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
    hidden: set[int] = field(default_factory=set)
    """Rows."""
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
