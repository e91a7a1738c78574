"""A text map and its legend → :class:`pnp.values.game.Board`: cells, and fields of several cells.

One character a cell, or in a CSV one cell a square, with a letter or a word in it. Neighbouring cells
of one letter are one field; a straight run of equal arrows (``> < ^ v``) along its own direction is one
field, a current.

On a map of hexes a blank is no hex, and there are no currents. Letters stand as the hexes lie, each line shifted by one
against the next; or without gaps, and every second row (of flat hexes every second column) is shifted by half a hex.
"""

from __future__ import annotations

import csv
import errno
import io
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from pnp.shapes.grids import GridName, neighbours
from pnp.values.game import Board, Field
from pnp.values.problems import Place, Problems
from pnp.values.tables import Row, Table
from pnp.values.walk import walk

ARROWS: Mapping[str, tuple[int, int]] = {">": (1, 0), "<": (-1, 0), "^": (0, -1), "v": (0, 1)}
MOST_CELLS = 20_000
MOST_BYTES = 1_000_000

Cell = tuple[int, int]


def read_board(
    path: Path, shown: str, legend: Table, cell: float, problems: Problems, grid: GridName = "square"
) -> Board | None:
    """The board, or None with the reasons. ``cell`` is the side of a square, or a hex from flat to flat, in mm."""
    before = len(problems.errors)
    try:
        lines = _lines(path)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        problems.unreadable = True
        problems.error("unreadable-map", Place(shown), f"the map cannot be read: {error}")
        return None
    width = max(map(len, lines), default=0)
    if not 0 < width * len(lines) <= MOST_CELLS:
        problems.error(
            "bad-map-size",
            Place(shown),
            f"the map has {width} columns and {len(lines)} rows",
            allowed=f"1 to {MOST_CELLS} cells",
            hint="A line is a row of the board, a character a cell.",
        )
        return None
    rows = _legend(legend, _is_csv(path), problems)
    # With a faulty legend nobody knows which letters it means: its own faults are told, not the map's.
    legible = len(problems.errors) == before and legend.whole
    for number, line in enumerate(lines, 1):
        if len(line) != width and grid == "square":
            problems.error(
                "ragged-map",
                Place(shown, number),
                f"the row has {len(line)} cells, the longest has {width}",
                value=str(len(line)),
                allowed=str(width),
            )
        for column, letter in enumerate(line, 1):
            if legible and letter not in rows and not (grid != "square" and not letter.strip()):
                problems.unknown(
                    "unknown-letter",
                    Place(shown, number, str(column)),
                    f'the letter "{letter}" is not in the legend {legend.file}',
                    letter,
                    rows,
                    most=40,
                )
    written = {letter for line in lines for letter in line}
    for letter, row in rows.items():
        if letter not in written:
            problems.error(
                "no-cells",
                row.place_of("letter"),
                f'no cell of {shown} has the letter "{letter}" ({row.text_of("kind")} {row})',
                value=letter,
                hint="Put it on the map, or remove it from the legend.",
            )
    if len(problems.errors) > before or not legend.whole:
        return None
    letters = {(x, y): letter for y, line in enumerate(lines) for x, letter in enumerate(line)}
    if grid != "square":
        letters = _hexes(letters, grid, shown, problems)
    fields = tuple(_fields(letters, rows, grid))
    _check_currents(fields, letters, rows, shown, problems)
    if len(problems.errors) > before:
        return None
    columns, down = (max(place[axis] for place in letters) + 1 for axis in (0, 1))
    return Board(columns, down, cell, fields, Place(shown), grid)


def _hexes(typed: Mapping[Cell, str], grid: GridName, shown: str, problems: Problems) -> dict[Cell, str]:
    """The hexes of a map by doubled coordinates; one that stands between two others is told."""
    letters = {cell: letter for cell, letter in typed.items() if letter.strip()}
    beside = sum((x + 1, y) in letters for x, y in letters)
    apart = sum((x + 1, y) not in letters and (x + 2, y) in letters for x, y in letters)
    if beside > apart:
        if grid == "hex":
            return {(2 * x + y % 2, y): letter for (x, y), letter in letters.items()}
        return {(x, 2 * y + x % 2): letter for (x, y), letter in letters.items()}
    shifts = [(x + y) % 2 for x, y in letters]
    usual = int(sum(shifts) * 2 > len(shifts))
    for x, y in (cell for cell, shift in zip(letters, shifts, strict=True) if shift != usual):
        problems.error(
            "ragged-map",
            Place(shown, y + 1, str(x + 1)),
            "the hex stands between two columns of the others",
            value=letters[x, y],
            hint="Letters in a line stand two apart, and each line is shifted by one: a a a, below it a a between them.",
        )
    return letters


def _is_csv(path: Path) -> bool:
    return path.suffix.lower() == ".csv"


def _lines(path: Path) -> list[list[str]]:
    """The squares of each row, without empty rows at the end. Raises OSError, UnicodeDecodeError, csv.Error."""
    if path.stat().st_size > MOST_BYTES:
        raise OSError(errno.EFBIG, f"it is larger than {MOST_BYTES // 1_000_000} MB")
    text = path.read_bytes().decode("utf-8-sig")
    if _is_csv(path):
        delimiter = max(",;\t", key=text.count)
        table = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        lines = [[cell.strip() for cell in row] for row in table]
    else:
        lines = [list(line) for line in text.splitlines()]
    while lines and not "".join(lines[-1]).strip():
        lines.pop()
    return lines


def _legend(legend: Table, words: bool, problems: Problems) -> dict[str, Row]:
    rows: dict[str, Row] = {}
    for row in legend:
        letter = row.said("letter")
        if not letter or (len(letter) != 1 and not words):
            problems.error(
                "bad-letter",
                row.place_of("letter"),
                f'"{letter}" is not one letter',
                value=letter,
                allowed="one character a row, in a column named letter",
            )
        elif letter in rows:
            problems.error(
                "double-letter",
                row.place_of("letter"),
                f'the letter "{letter}" stands already in row {rows[letter].place.row}',
                value=letter,
            )
        else:
            rows[letter] = row
    return rows


def _fields(letters: Mapping[Cell, str], rows: Mapping[str, Row], grid: GridName) -> Iterable[Field]:
    """Cells joined to fields, in reading order of their first cells."""
    seen: set[Cell] = set()
    for start, letter in letters.items():
        if start not in seen:
            cells = {cell for cell, _ in walk([start], lambda cell: _joined(cell, letters, grid))}
            seen |= cells
            by_row = tuple(sorted(cells, key=lambda cell: (cell[1], cell[0])))
            yield Field(letter, rows[letter], by_row, ARROWS.get(letter) if grid == "square" else None)


def _joined(cell: Cell, letters: Mapping[Cell, str], grid: GridName) -> Iterator[Cell]:
    """The neighbours that are of one field with a cell: all with its letter, of a current only along its arrow."""
    along = ARROWS.get(letters[cell]) if grid == "square" else None
    for dx, dy in neighbours(grid) if along is None else (along, (-along[0], -along[1])):
        near = (cell[0] + dx, cell[1] + dy)
        if letters.get(near) == letters[cell]:
            yield near


def _check_currents(
    fields: Iterable[Field], letters: Mapping[Cell, str], rows: Mapping[str, Row], shown: str, problems: Problems
) -> None:
    """A current must lead somewhere: to the square ahead of its arrow or to one of the two beside that."""
    for field in fields:
        if field.arrow is None:
            continue
        dx, dy = field.arrow
        x, y = max(field.cells, key=lambda cell: cell[0] * dx + cell[1] * dy)
        ahead = [(x + dx + side * dy, y + dy + side * dx) for side in (0, 1, -1)]
        if not any(cell in letters and not rows[letters[cell]].is_yes("blocked") for cell in ahead):
            problems.error(
                "current-nowhere",
                Place(shown, y + 1, str(x + 1)),
                f'the current "{field.letter}" points at no square that may be entered',
                value=field.letter,
                hint="Turn the arrow, or free the square ahead of it.",
            )
