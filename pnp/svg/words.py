"""A drawing's ``<text>`` → its characters, each with the element that styles it and where that element moves it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from pnp.shapes.units import PX_PER
from pnp.svg.safe import NUMBER, BadDrawing
from pnp.svg.styles import Styles
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
    """A character of a text; places are None where it follows the one before."""

    letter: str
    owner: Element
    x: float | None = None
    y: float | None = None
    dx: float = 0.0
    dy: float = 0.0
    rotate: float | None = None


class Words:
    """Reads the texts of one drawing."""

    def __init__(self, styles: Styles) -> None:
        self.styles = styles

    def size(self, element: Element) -> float:
        """The font size of an element in its units. Raises BadDrawing."""
        node: Element | None = element
        scale = 1.0
        while node is not None:
            written = self.styles.own(node).get("font-size")
            if written is not None and written != "inherit":
                found = _LENGTH.fullmatch(written)
                unit = found[2].lower() if found else ""
                if found and unit in ("em", "%"):
                    scale *= float(found[1]) / (100 if unit == "%" else 1)
                else:
                    return _finite(scale * length(written, "font-size", USUAL_SIZE), "font-size", written)
            node = node.getparent()
        return _finite(scale * USUAL_SIZE, "font-size", f"{scale:g}em")

    def characters(self, text: Element) -> list[Character]:
        """The characters of a ``<text>``, spaces as they are shown. Raises BadDrawing."""
        found: list[Character] = []
        self._read(text, text, found)
        if len(found) > MOST_CHARACTERS:
            raise BadDrawing(f"a <text> has more than {MOST_CHARACTERS} characters")
        while found and found[-1].letter == " " and not self._kept(found[-1].owner):
            found.pop()
        return found

    def _read(self, element: Element, text: Element, found: list[Character]) -> None:
        name = local(element)
        if name not in _PARTS or (name == "text" and element is not text):
            raise BadDrawing(f"it has a <{name}> in a <text>. Turn it into outlines, or put it into the template")
        if self.styles.value(element, "display") == "none":
            return
        start = len(found)
        self._add(element.text, element, found)
        for child in element:
            if local(child) not in _SILENT:
                self._read(child, text, found)
            self._add(child.tail, element, found)
        for key in _LISTS:
            self._place(element, key, found[start:])

    def _add(self, text: str | None, owner: Element, found: list[Character]) -> None:
        kept = self._kept(owner)
        for letter in text or "":
            shown = " " if letter in "\t\n\r" else letter
            if shown == " " and not kept and (not found or found[-1].letter == " "):
                continue
            found.append(Character(shown, owner))

    def _kept(self, element: Element) -> bool:
        """Whether spaces are all shown, as they are written."""
        how = self.styles.value(element, "white-space")
        if how:
            return how.startswith(("pre", "break-spaces"))
        node: Element | None = element
        while node is not None:
            if (said := node.get(_SPACE)) is not None:
                return said == "preserve"
            node = node.getparent()
        return False

    def _place(self, element: Element, key: str, characters: list[Character]) -> None:
        """The values of a list go to the characters in turn, unless a part further in has placed them."""
        written = element.get(key)
        if not written:
            return
        size = self.size(element)
        values = [
            _angle(part) if key == "rotate" else length(part, key, size) for part in re.split(r"[\s,]+", written.strip())
        ]
        for number, character in enumerate(characters):
            if number >= len(values) and key != "rotate":
                break
            value = values[min(number, len(values) - 1)]
            if key in ("dx", "dy"):
                setattr(character, key, getattr(character, key) or value)
            elif getattr(character, key) is None:
                setattr(character, key, value)


def length(written: str, name: str, size: float) -> float:
    """A length in the units of its element; ``size``: of the font. Raises BadDrawing."""
    found = _LENGTH.fullmatch(written)
    unit = found[2].lower() if found else "?"
    factor = {**PX_PER, "em": size, "rem": USUAL_SIZE}.get(unit)
    return _finite(float(found[1]) * factor if found and factor is not None else math.nan, name, written)


def _finite(value: float, name: str, written: str) -> float:
    if not math.isfinite(value):
        raise BadDrawing(f'{name}="{written[:40]}" in a <text> is no length that can be read')
    return value


def _angle(written: str) -> float:
    """Degrees that a letter is turned by. Raises BadDrawing."""
    if not re.fullmatch(NUMBER, written) or not math.isfinite(float(written)):
        raise BadDrawing(f'rotate="{written[:40]}" in a <text> is no angle')
    return float(written)
