"""What is read as words of the scenes in a book: what their marks say, what is heard, and their captions."""

from __future__ import annotations

import re
from collections.abc import Iterator

_BEGINS = re.compile(r"\s{0,3}(:{3,})\s*scene\b")
_ENDS = re.compile(r"\s{0,3}:{3,}\s*$")
_ALT = re.compile(r'\balt\s*=\s*"([^"\n]*)"')
_CELL = re.compile(r"(?:\\.|[^|\\\n])+")


def without_notation(markdown: str) -> str:
    """A book with blanks for the places, pieces and turns of its scenes, so that positions stay."""
    return "\n".join(line for line, _ in _read(markdown))


def about_pictures(markdown: str) -> list[tuple[int, int]]:
    """Where the words about scenes stand in a book: their alt texts and captions."""
    spans, before = [], 0
    for line, about in _read(markdown):
        if about:
            spans.append((before + about[0], before + about[1]))
        before += len(line) + 1
    return spans


def _read(markdown: str) -> Iterator[tuple[str, tuple[int, int] | None]]:
    """Each line with blanks for notation, and what in it is said about a scene."""
    inside, table = False, False
    for line in markdown.split("\n"):
        if not inside and _BEGINS.match(line):
            inside, table = True, False
            alt = _ALT.search(line)
            yield (_only(line, *alt.span()), alt.span(1)) if alt else (line, None)
            continue
        inside = inside and not _ENDS.match(line)
        # The table goes to the first empty line behind it.
        table = inside and bool(line.strip()) and (table or "|" in line)
        yield (_said(line), None) if table else (line, (0, len(line)) if inside else None)


def _said(row: str) -> str:
    """A row of a scene: the words of a mark."""
    cells = [*_CELL.finditer(row)]
    cells = (
        cells[1:]
        if cells and "|" in row and not row[: row.index("|")].strip() and cells[0].end() <= row.index("|")
        else cells
    )
    if len(cells) < 3:
        return _only(row, 0, 0)
    what, _, how = cells[:3]
    return _only(row, *how.span()) if what[0].strip() == "mark" else _only(row, 0, 0)


def _only(line: str, start: int, end: int) -> str:
    """Blanks for all of a line but a part of it."""
    return " " * start + line[start:end] + " " * (len(line) - end)
