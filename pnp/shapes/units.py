"""Converts lengths as people write them to millimetres. The only module that knows other units."""

from __future__ import annotations

import re

MM_PER = {"mm": 1.0, "cm": 10.0, "in": 25.4, '"': 25.4, "pt": 25.4 / 72}
PT_PER_MM = 72 / 25.4
PX_PER = {"": 1.0, "px": 1.0, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6, "pt": 96 / 72, "pc": 16.0}
"""Pixels of CSS, the units of a drawing that says none, in those that drawings are written in."""

_NUMBER = r"\d{1,6}(?:\.\d{1,6})?"
_UNIT = r'(mm|cm|in|"|pt)(?:(?<=in)ch(?:es)?)?'
_LENGTH = re.compile(rf"({_NUMBER})\s*{_UNIT}")
_PIXELS = re.compile(rf"({_NUMBER})\s*px\s*@\s*({_NUMBER})\s*dpi")
_CROSS = r"\s*(?:[x×*]|by)\s*"
_NO_UNIT = re.compile(rf"({_NUMBER}){_CROSS}({_NUMBER})")
_SHARED_UNIT = re.compile(rf"({_NUMBER}){_CROSS}({_NUMBER})\s*{_UNIT}")


def length(text: str) -> float:
    """A length in mm from ``63mm``, ``6.3 cm``, ``2.5in``, ``2.5 inches``, ``9pt`` or ``750px@300dpi``.

    Raises ValueError with a sentence for the person who typed it.
    """
    written = text.strip().lower()
    if match := _LENGTH.fullmatch(written):
        return float(match[1]) * MM_PER[match[2]]
    if match := _PIXELS.fullmatch(written):
        if not float(match[2]):
            raise ValueError(f'"{text}" has 0 dots per inch')
        return float(match[1]) / float(match[2]) * MM_PER["in"]
    if re.fullmatch(_NUMBER, written):
        raise ValueError(f'"{text}" has no unit: write "{written}mm"')
    _refuse_comma(text)
    raise ValueError(f'"{text}" is not a length such as 63mm, 2.5in or 750px@300dpi')


def size(text: str) -> tuple[float, float]:
    """Width and height in mm from ``63mm x 88mm``, ``63 x 88 mm`` or ``2.5 by 3.5 inches``.

    Raises ValueError with a sentence for the person who typed it.
    """
    written = text.strip().lower()
    if match := _SHARED_UNIT.fullmatch(written):
        return float(match[1]) * MM_PER[match[3]], float(match[2]) * MM_PER[match[3]]
    if match := _NO_UNIT.fullmatch(written):
        raise ValueError(f'"{text}" has no unit: write "{match[1]}mm x {match[2]}mm"')
    _refuse_comma(text)
    first, cross, second = re.sub(rf"{_CROSS}(?=\d)", "×", written).partition("×")
    if not cross:
        raise ValueError(f'"{text}" is not a size such as 63mm x 88mm')
    return length(first), length(second)


def _refuse_comma(text: str) -> None:
    """Refuses a decimal comma."""
    if re.search(r"\d,\d", text):
        raise ValueError(f'"{text}" has a comma in a number: write "{re.sub(r"(?<=[0-9]),(?=[0-9])", ".", text)}"')


def show(mm: float) -> str:
    """Millimetres for people: at most two decimals, without trailing zeros."""
    return f"{mm:.2f}".rstrip("0").rstrip(".")
