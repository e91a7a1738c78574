"""A line of nanDECK: what stands between its commas, and the sums in it."""

from __future__ import annotations

import re

LONGEST = 20_000
"""Letters of a line."""
MM = {"MM": 1.0, "CM": 10.0, "INCH": 25.4, "IN": 25.4}
DRAWN = {"TEXT", "TEXTFONT", "HTMLTEXT", "IMAGE", "RECTANGLE", "ROUNDRECT", "ELLIPSE", "CIRCLE", "LINE"}
# What decides how sheets are made, not what a card looks like.
OUTPUT = {"PAGE", "MARGINS", "GAP", "GAPS", "GUIDES", "PRINT", "DUPLEX", "SAVE", "SAVEPDF", "SAVEPAGES", "DISPLAY", "DPI",
           "CROP", "FOLD", "SAVETTS", "PAGEIMAGE", "BASERANGE", "EDGE", "MOSAIC", "ZOOM"}  # fmt: skip


def arguments(text: str) -> list[str]:
    """What stands between commas; those in quotation marks and braces part nothing."""
    parts: list[str] = [""]
    depth, quoted = 0, False
    for letter in text:
        if letter == '"':
            quoted = not quoted
        elif letter in "({[" and not quoted:
            depth += 1
        elif letter in ")}]" and not quoted:
            depth = max(0, depth - 1)
        if letter == "," and not quoted and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip().strip('"') for part in parts]


def worked_out(text: str) -> float | None:
    """A sum of numbers with + - * / and brackets; None for what is none."""
    tokens = re.findall(r"\d+\.?\d*(?:e-?\d+)?|\.\d+|[-+*/()]", text)
    at = 0

    def sums(depth: int) -> float:
        nonlocal at
        left = products(depth)
        while at < len(tokens) and tokens[at] in "+-":
            sign = tokens[at]
            at += 1
            right = products(depth)
            left = left + right if sign == "+" else left - right
        return left

    def products(depth: int) -> float:
        nonlocal at
        left = single(depth)
        while at < len(tokens) and tokens[at] in "*/":
            sign = tokens[at]
            at += 1
            right = single(depth)
            left = left * right if sign == "*" else left / right
        return left

    def single(depth: int) -> float:
        nonlocal at
        token = tokens[at]
        at += 1
        if token == "-":
            return -single(depth + 1)
        if token == "(" and depth < 30:
            inner = sums(depth + 1)
            at += 1
            return inner
        return float(token)

    try:
        value = sums(0)
    except (IndexError, ValueError, ZeroDivisionError, RecursionError, OverflowError):
        return None
    return value if at == len(tokens) and abs(value) < 1e6 else None
