"""What a shape's attributes may say. A renderer leaves out, or takes for pixels, what it cannot read, and never tells."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from pnp.shapes.units import MM_PER
from pnp.svg.safe import NUMBER

_POSITIVE = frozenset(("width", "height", "r", "rx", "ry", "stroke-width"))
_SHARES = frozenset(("opacity", "fill-opacity", "stroke-opacity", "stop-opacity"))
_LENGTHS = _POSITIVE | {"x", "y", "cx", "cy", "x1", "y1", "x2", "y2"}
_SHAPES = frozenset(("rect", "circle", "ellipse", "line", "use", "path", "polygon", "polyline", "g"))
# Without them nothing is drawn.
_NEEDED = {"rect": ("width", "height"), "circle": ("r",), "path": ("d",)}
_WORDS = ("inherit", "initial", "auto")
_MEASURED = re.compile(rf"({NUMBER})\s*([a-z%]*)", re.I)
_STEP = re.compile(r"([MLHVCSQTAZ])([^MLHVCSQTAZ]*)", re.I)
_STEPS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2}
_NEXT = r"\s*+,?+\s*+"
_ROW = re.compile(rf"\s*+(?:{NUMBER}{_NEXT})*+")
_ARCS = re.compile(rf"\s*+(?:(?:{NUMBER}{_NEXT}){{3}}(?:[01]{_NEXT}){{2}}(?:{NUMBER}{_NEXT}){{2}})++")


@lru_cache(4096)
def wrong(element: str, key: str, written: str) -> tuple[str, str] | None:
    """What is wrong with an attribute of a shape, and a hint; None where it is right."""
    value = written.strip()
    if element not in _SHAPES or "(" in value or value in _WORDS:
        return None
    if key == "d" and element == "path":
        return _wrong_path(value)
    if key == "points":
        numbers = re.findall(NUMBER, value)
        if _ROW.fullmatch(value) and len(numbers) % 2 == 0:
            return None
        return "points are pairs of numbers, 5,5 9,5 9,9", ""
    if key not in _LENGTHS | _SHARES:
        return None
    found = _MEASURED.fullmatch(value)
    if found is None:
        comma = re.fullmatch(r"([-+]?\d+),(\d+)(mm)?", value)
        return "that is not a plain number (of mm)", f'Write "{comma[1]}.{comma[2]}".' if comma else ""
    number, unit = float(found[1]), found[2].lower()
    if key in _SHARES:
        share = number / 100 if unit == "%" else number
        return None if unit in ("", "%") and 0 <= share <= 1 else ("that is out of bounds", "Write a number from 0 to 1.")
    if unit not in ("", "px", "%"):
        hint = f'Write "{number * MM_PER[unit]:.4g}".' if unit in MM_PER else ""
        return "that is not a plain number (of mm)", hint
    return ("it is below 0, so that nothing of it is to be seen", "") if key in _POSITIVE and number < 0 else None


def lacking(element: str, said: Collection[str]) -> str:
    """An attribute without which the shape is not drawn, and which it has not."""
    return next((key for key in _NEEDED.get(element, ()) if key not in said), "")


def _wrong_path(data: str) -> tuple[str, str] | None:
    """Where the path ends too early, for a renderer draws it up to there."""
    at = 0
    for step in _STEP.finditer(data):
        letter, numbers = step[1].upper(), step[2]
        if step.start() != at or (at == 0 and letter != "M"):
            break
        count = _STEPS.get(letter, 0)
        if letter == "A":
            right = _ARCS.fullmatch(numbers) is not None
        else:
            found = len(re.findall(NUMBER, numbers)) if _ROW.fullmatch(numbers) else -1
            right = found == 0 if count == 0 else found > 0 and found % count == 0
        if not right:
            break
        at = step.end()
    if at == len(data):
        return None
    return f'the path cannot be read from "{data[at : at + 20]}" on', "" if at else "It begins with M."
