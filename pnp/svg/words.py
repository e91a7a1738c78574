"""Splits a ``<text>`` into characters, each with the element that styles it and where that element moves it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from pnp.shapes.units import PX_PER
from pnp.svg.safe import NUMBER, BadDrawing
from pnp.svg.styles import own, value
from pnp.svg.tree import Element, local

_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_LENGTH = re.compile(rf"\s*+({NUMBER})\s*+([a-zA-Z%]*+)\s*+")
# What a text is in if nobody says so: CSS calls it medium.
USUAL_SIZE = 16.0
MOST_CHARACTERS = 20_000
# Lists of places that a text or a part of it may have for its characters.
_LISTS = ("x", "y", "dx", "dy", "rotate")
_PARTS = ("text", "tspan", "a")
_SILENT = ("", "title", "desc", "metadata", "set", "animate")


@dataclass(slots=True)
class Character:
    """A character of a text; x and y are None where it follows the one before."""

    letter: str
    owner: Element
    x: float | None = None
    y: float | None = None
    dx: float = 0.0
    dy: float = 0.0
    rotate: float | None = None


def font_size(element: Element) -> float:
    """The font size of an element in its units. Raises BadDrawing."""
    scale = 1.0
    for node in (element, *element.iterancestors()):
        written = own(node, "font-size")
        if written is not None and written != "inherit":
            found = _LENGTH.fullmatch(written)
            unit = found[2].lower() if found else ""
            if not found or unit not in ("em", "%"):
                return _finite(scale * length(written, "font-size", USUAL_SIZE), "font-size", written)
            scale *= float(found[1]) / (100 if unit == "%" else 1)
    return _finite(scale * USUAL_SIZE, "font-size", f"{scale:g}em")


def characters(text: Element) -> list[Character]:
    """The characters of a ``<text>``, spaces as they are shown. Raises BadDrawing."""
    found: list[Character] = []
    _read(text, text, found)
    if len(found) > MOST_CHARACTERS:
        raise BadDrawing(f"a <text> has more than {MOST_CHARACTERS} characters")
    while found and found[-1].letter == " " and not _kept(found[-1].owner):
        found.pop()
    return found


def _read(element: Element, text: Element, found: list[Character]) -> None:
    name = local(element)
    if name not in _PARTS or (name == "text" and element is not text):
        raise BadDrawing(f"it has a <{name}> in a <text>. Turn it into outlines, or put it into the template")
    if value(element, "display") == "none":
        return
    start = len(found)
    _add(element.text, element, found)
    for child in element:
        if local(child) not in _SILENT:
            _read(child, text, found)
        _add(child.tail, element, found)
    for key in _LISTS:
        _place(element, key, found[start:])


def _add(text: str | None, owner: Element, found: list[Character]) -> None:
    kept = _kept(owner)
    for letter in text or "":
        shown = " " if letter in "\t\n\r" else letter
        if shown != " " or kept or (found and found[-1].letter != " "):
            found.append(Character(shown, owner))


def _kept(element: Element) -> bool:
    """Whether ``xml:space`` keeps all spaces."""
    if how := value(element, "white-space"):
        return how.startswith(("pre", "break-spaces"))
    said = filter(None, (node.get(_SPACE) for node in (element, *element.iterancestors())))
    return next(said, "") == "preserve"


def _place(element: Element, key: str, characters: list[Character]) -> None:
    """Gives a list's values to the characters in turn, unless an inner element has placed them."""
    written = element.get(key)
    if not written:
        return
    size = font_size(element)
    values = [_angle(part) if key == "rotate" else length(part, key, size) for part in re.split(r"[\s,]+", written.strip())]
    if key == "rotate":
        values += values[-1:] * (len(characters) - len(values))
    for character, placed in zip(characters, values, strict=False):
        before = getattr(character, key)
        if before is None or (before == 0 and key in ("dx", "dy")):
            setattr(character, key, placed)


def length(written: str, name: str, size: float) -> float:
    """A length in the element's units; ``size``: of the font. Raises BadDrawing."""
    found = _LENGTH.fullmatch(written)
    unit = found[2].lower() if found else "?"
    factor = {**PX_PER, "em": size, "rem": USUAL_SIZE}.get(unit)
    return _finite(float(found[1]) * factor if found and factor is not None else math.nan, name, written)


def _finite(value: float, name: str, written: str) -> float:
    if not math.isfinite(value):
        raise BadDrawing(f'{name}="{written[:40]}" in a <text> is no length that can be read')
    return value


def _angle(written: str) -> float:
    """The rotation of a letter in degrees. Raises BadDrawing."""
    if not re.fullmatch(NUMBER, written) or not math.isfinite(float(written)):
        raise BadDrawing(f'rotate="{written[:40]}" in a <text> is no angle')
    return float(written)
