"""Checks attributes of shapes: a renderer leaves out, or takes for pixels, what it cannot read, and never tells."""

from __future__ import annotations

import re
from functools import lru_cache

from pnp.shapes.units import MM_PER
from pnp.svg.safe import NUMBER

POSITIVE = frozenset(("width", "height", "r", "rx", "ry", "stroke-width"))
SHARES = frozenset(("opacity", "fill-opacity", "stroke-opacity", "stop-opacity"))
LENGTHS = POSITIVE | {"x", "y", "cx", "cy", "x1", "y1", "x2", "y2"}
SHAPES = frozenset(("rect", "circle", "ellipse", "line", "use", "path", "polygon", "polyline", "g"))
NEEDED = {"rect": ("width", "height"), "circle": ("r",), "path": ("d",)}
"""Without these attributes nothing is drawn."""
_MEASURED = re.compile(rf"({NUMBER})\s*([a-z%]*)", re.I)
_NEXT = rf"{NUMBER}\s*+,?+\s*+"
_POINTS = re.compile(rf"\s*+(?:{_NEXT}{_NEXT})*+")
_TAKES = {"MLT": 2, "HV": 1, "SQ": 4, "C": 6}
_STEPS = [rf"[{letters}]\s*+(?:(?:{_NEXT}){{{count}}})++" for letters, count in _TAKES.items()]
_ARC = rf"A\s*+(?:(?:{_NEXT}){{3}}(?:[01]\s*+,?+\s*+){{2}}(?:{_NEXT}){{2}})++"
_STEP = re.compile(rf"\s*+(?:{'|'.join((*_STEPS, _ARC, 'Z'))})\s*+", re.I)


@lru_cache(4096)
def wrong(element: str, key: str, written: str) -> tuple[str, str] | None:
    """The fault of a shape's attribute, and a hint; None where it is right."""
    value = written.strip()
    if element not in SHAPES or "(" in value or value in ("inherit", "initial", "auto"):
        return None
    if key == "d" and value:
        at = 0
        while (step := _STEP.match(value, at)) and (at or value[0] in "Mm"):
            at = step.end()
        told = f'the path cannot be read from "{value[at : at + 20]}" on', "" if at else "It begins with M."
        return told if at < len(value) else None
    if key == "points":
        return None if _POINTS.fullmatch(value) else ("points are pairs of numbers, 5,5 9,5 9,9", "")
    if key not in LENGTHS | SHARES:
        return None
    if (found := _MEASURED.fullmatch(value)) is None:
        comma = re.fullmatch(r"([-+]?\d+),(\d+)(mm)?", value)
        return "that is not a plain number (of mm)", f'Write "{comma[1]}.{comma[2]}".' if comma else ""
    number, unit = float(found[1]), found[2].lower()
    if key in SHARES:
        share = unit in ("", "%") and 0 <= number <= (100 if unit else 1)
        return None if share else ("that is out of bounds", "Write a number from 0 to 1.")
    if unit not in ("", "px", "%"):
        return "that is not a plain number (of mm)", f'Write "{number * MM_PER[unit]:.4g}".' if unit in MM_PER else ""
    return ("it is below 0, so that nothing of it is to be seen", "") if key in POSITIVE and number < 0 else None
