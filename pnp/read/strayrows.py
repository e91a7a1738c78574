"""Rows of a table that are no pieces: remarks, sums, and rows with nothing in them but a number of copies."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pnp.read.columnnames import usual
from pnp.read.rawtable import Line
from pnp.read.sheetfaults import is_error
from pnp.values.problems import Place, Problems

# A total in the languages in which tables of games mostly are.
_TOTALS = {"total", "totals", "sum", "sums", "summe", "gesamt", "insgesamt", "somme", "suma", "soma", "totale", "totaal"}
_NUMBER = re.compile(r"\d{1,9}([.,]\d{1,6})?")
# What begins with # and is a text all the same.
_NO_REMARK = re.compile(r"#([0-9a-fA-F]{3,8}|\d.*)")
MOST_NAMED = 8


def without_remarks(lines: list[Line], shown: str, problems: Problems) -> list[Line]:
    """The lines without those that a person has marked with # as remarks; which ones, is told."""
    head = next((line for line in lines if not line.texts[0].lstrip().startswith("#")), None)
    if head is None or max(_filled(line) for line in lines) < 2:
        return lines
    # Above the names of the columns a remark may have as many commas as these.
    above = lines[: lines.index(head)] if usual(head.texts) else []
    above = [line for line in above if not usual(line.texts)]
    remarks = [line for line in lines if line in above or _is_remark(line, len(head.texts))]
    left = {line.row for line in remarks}
    kept = [line for line in lines if line.row not in left]
    _tell_doubtful(kept, shown, problems)
    if not remarks:
        return lines
    problems.warn(
        "remark-row",
        Place(shown, remarks[0].row),
        f"{_rows([line.row for line in remarks], 'begins', 'begin')} with #: taken for a remark and left out",
        value=remarks[0].texts[0].strip()[:80],
    )
    return kept


def _tell_doubtful(lines: Sequence[Line], shown: str, problems: Problems) -> None:
    """Rows whose name begins with #, as people set a row aside; the names of others do not."""
    if not usual(lines[0].texts[:1]):
        return
    begun = [(line.row, line.texts[0].strip()) for line in lines[1:] if line.texts[0].lstrip().startswith("#")]
    doubtful = [row for row, text in begun if not is_error(text) and not _NO_REMARK.fullmatch(text)]
    if doubtful and 2 * len(doubtful) < len(lines):
        problems.warn(
            "remark-row",
            Place(shown, doubtful[0]),
            f"{_rows(doubtful, 'begins', 'begin')} with #, and cells beside it: used as any other row",
            hint="With copies = 0 a row is not printed.",
        )


def _is_remark(line: Line, cells: int) -> bool:
    text = line.texts[0].strip()
    if not text.startswith("#") or is_error(text) or _NO_REMARK.fullmatch(text):
        return False
    return _filled(line) == 1 or len(line.texts) != cells


def _filled(line: Line) -> int:
    return sum(bool(text.strip()) for text in line.texts)


def _rows(rows: Sequence[int], does: str, do: str) -> str:
    """Some rows as the beginning of a sentence; of a single one the place says which it is."""
    if len(rows) == 1:
        return f"this row {does}"
    more = f" and {len(rows) - MOST_NAMED} more" if len(rows) > MOST_NAMED else ""
    return f"{len(rows)} rows ({', '.join(map(str, rows[:MOST_NAMED]))}{more}) {do}"


def tell_stray_rows(
    header: Sequence[str],
    rows: Sequence[tuple[int, tuple[str, ...]]],
    counted: str,
    fillable: bool,
    shown: str,
    problems: Problems,
) -> set[int]:
    """Rows that print blank pieces: a sum below the table, and copies where nothing else is. ``counted`` has the copies.

    Which of them are refused comes back, so that no empty cell of theirs is told once more: all where a cell must be
    filled, ``fillable``.
    """
    if len(header) < 2:
        return set()
    at = header.index(counted)
    blank, sums = list[int](), set[int]()
    for index, (row, texts) in enumerate(rows):
        others = [text for other, text in enumerate(texts) if other != at and text]
        if not texts[at] or texts[at] == "0":
            continue
        words = [text for text in others if not _NUMBER.fullmatch(text)]
        called = bool(words) and all(text.casefold().rstrip(": ") in _TOTALS for text in words)
        last = not others and index == len(rows) - 1
        if (called or last) and _is_sum([before[at] for _, before in rows[:index]], texts[at]):
            sums.add(row)
            problems.error(
                "total-row",
                Place(shown, row, counted),
                f"the row has nothing but {texts[at]} copies, and that is the sum of the rows above: "
                "as a piece it would be printed blank",
                value=texts[at],
                hint="Take the row away, or put the sum into another sheet. If it is a piece, give it a name.",
            )
        elif not others:
            blank.append(row)
    if blank and fillable:
        problems.error(
            "blank-row",
            Place(shown, blank[0]),
            f"{_rows(blank, 'has', 'have')} nothing but a number in {counted}: no piece can be made of that",
            hint="Empty the cells if these are no pieces; else fill the others.",
        )
    elif blank:
        problems.warn(
            "blank-row",
            Place(shown, blank[0]),
            f"{_rows(blank, 'has', 'have')} nothing but a number in {counted}: pieces without a text are printed",
            hint="Empty the cells if these are no pieces.",
        )
    return sums.union(blank) if fillable else sums


def _is_sum(above: Sequence[str], text: str) -> bool:
    numbers = [int(number) for number in above if re.fullmatch(r"\d{1,9}", number, re.ASCII)]
    return len(numbers) > 1 and text.isascii() and text.isdigit() and len(text) < 12 and sum(numbers) == int(text)
