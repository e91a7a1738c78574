"""Which texts of a table are numbers: what a person could mean otherwise stays text.

Leading zeros, units, long codes, telephone numbers and ``1-2`` are no numbers. Whether ``1,5`` is one, and what
``1,234`` is, is decided by the table as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

# More digits are a code; and a float holds no more.
MOST_DIGITS = 15
# "+4912345678" is a telephone number.
MOST_DIGITS_WITH_PLUS = 6

Mark = Literal[".", ","]

_SIGN = "[+\u2212-]?"
_WHOLE = r"(?:0|[1-9]\d*)"
_SURE = {
    mark: re.compile(
        # Not three digits behind it, or no group of three before it; or the other mark parts thousands.
        rf"{_SIGN}(?:{_WHOLE}{re.escape(mark)}(?!\d{{3}}$)\d+|(?:0|[1-9]\d{{3,}}){re.escape(mark)}\d+"
        rf"|[1-9]\d{{0,2}}(?:{re.escape(other)}\d{{3}})+{re.escape(mark)}\d+"
        rf"|[1-9]\d{{0,2}}(?:{re.escape(other)}\d{{3}}){{2,}})",
        re.ASCII,
    )
    for mark, other in ((".", ","), (",", "."))
}
_GROUPED = {
    mark: re.compile(
        rf"{_SIGN}[1-9]\d{{0,2}}(?:(?:{re.escape(other)}\d{{3}})+{re.escape(mark)}\d+"
        rf"|(?:{re.escape(other)}\d{{3}}){{2,}})",
        re.ASCII,
    )
    for mark, other in ((".", ","), (",", "."))
}
_DOTTED = re.compile(rf"{_SIGN}{_WHOLE}\.\d+", re.ASCII)
_SPACED = re.compile(rf"{_SIGN}[1-9]\d{{0,2}}(?:[\u00a0\u202f'\u2019]\d{{3}})+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Habit:
    """How the numbers of a table are typed: the decimal mark, and whether the other mark parts thousands."""

    mark: Mark = "."
    grouped: bool = False
    doubtful: str = ""
    """The text because of which commas are not decimal here, though one certainly was meant so: a thousand, or 1."""

    def number(self, text: str) -> int | float | None:
        """The number that a text is; None where it is none, or could be something else."""
        if not text or not text[-1].isdecimal():
            return None
        digits = sum(map(str.isdecimal, text))
        if digits > (MOST_DIGITS_WITH_PLUS if text[0] == "+" else MOST_DIGITS):
            return None
        if not _pattern(self.mark, self.grouped).fullmatch(text) and not _SPACED.fullmatch(text):
            return None
        plain = re.sub(rf"[{',' if self.mark == '.' else '.'}\u00a0\u202f'\u2019]", "", text, flags=re.ASCII)
        plain = plain.replace("\u2212", "-").replace(self.mark, ".")
        return float(plain) if "." in plain else int(plain)

    def typed(self, number: int | float) -> str:
        """A number as somebody with this habit would type it."""
        text = f"{number:.12g}" if isinstance(number, float) else str(number)
        if "e" in text:
            text = f"{number:.12f}".rstrip("0").rstrip(".")
        return text.replace(".", self.mark)


_PATTERNS: dict[tuple[Mark, bool], re.Pattern[str]] = {}


def _pattern(mark: Mark, grouped: bool) -> re.Pattern[str]:
    if (mark, grouped) not in _PATTERNS:
        other = "," if mark == "." else "."
        whole = rf"(?:{_WHOLE}|[1-9]\d{{0,2}}(?:{re.escape(other)}\d{{3}})+)" if grouped else _WHOLE
        _PATTERNS[mark, grouped] = re.compile(rf"{_SIGN}(?:{whole}(?:{re.escape(mark)}\d+)?|{re.escape(mark)}\d+)", re.ASCII)
    return _PATTERNS[mark, grouped]


def habit(texts: Iterable[str]) -> Habit:
    """The habit of a table with these cells: a comma is decimal where one is for certain, and no number has a dot."""
    commas = dots = False
    doubtful = ""
    grouped = {".": False, ",": False}
    for text in texts:
        if not text or not text[-1].isdecimal() or ("," not in text and "." not in text):
            continue
        commas = commas or bool(_SURE[","].fullmatch(text))
        dots = dots or bool(_SURE["."].fullmatch(text))
        doubtful = doubtful or (text if _DOTTED.fullmatch(text) else "")
        for mark, pattern in _GROUPED.items():
            grouped[mark] = grouped[mark] or bool(pattern.fullmatch(text))
    # 1.000 beside 1.234,50 is a thousand.
    if commas and not dots and (grouped[","] or not doubtful):
        return Habit(",", grouped[","])
    return Habit(".", grouped["."] and not commas, doubtful if commas and not dots else "")
