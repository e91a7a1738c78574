"""Resolves what stylesheets, attributes and groups say of an element, by SVG's cascade, and of each character of a text."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from lxml import etree

from pnp.shapes.units import PX_PER
from pnp.svg.safe import NUMBER, BadDrawing
from pnp.svg.tree import REFERENCE, Element, local, remove, tag

# Those that an element takes from its group when it says nothing itself, or that its group does to it: it underlines.
INHERITED = frozenset({
    "color", "direction", "fill", "fill-opacity", "fill-rule", "clip-rule", "font", "font-family", "font-size",
    "font-stretch", "font-style", "font-weight", "font-variant", "letter-spacing", "paint-order",
    "dominant-baseline", "kerning", "shape-rendering", "stroke", "text-decoration", "text-decoration-line",
    "stroke-dasharray", "stroke-dashoffset", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "stroke-opacity",
    "stroke-width", "text-anchor", "text-transform", "visibility", "white-space", "word-spacing", "writing-mode",
    "font-kerning", "font-feature-settings", "font-variation-settings", "font-size-adjust",
})  # fmt: skip
MOST_RULES = 4000
MOST_COMPARED = 100_000_000
"""Ways to find the steps of one selector among the groups around all elements."""
MOST_WRITTEN = 16_000_000
"""Letters that all elements together get from stylesheets."""
_DARK = re.compile(r"prefers-color-scheme\s*:\s*dark")


def own(element: Element, name: str) -> str | None:
    """A property of an element, from its ``style`` or else its attribute."""
    style = element.get("style")
    declared = declarations(style).get(name) if style else None
    return declared if declared is not None else (written := element.get(name)) and written.strip()


def value(element: Element, name: str, default: str = "") -> str:
    """A property of an element, inherited from its groups where SVG says so."""
    node: Element | None = element
    while node is not None:
        found = own(node, name)
        if found is not None and found != "inherit":
            return found
        if found is None and name not in INHERITED:
            return default
        node = node.getparent()
    return default


def property_of(element: Element, name: str) -> str:
    """A property of an element itself; "none" where it has none."""
    return own(element, name) or "none"


@lru_cache
def declarations(body: str) -> Mapping[str, str]:
    """``fill:red; stroke:none`` as a mapping: for words and numbers tinycss2 takes 28 times as long, and 11 ms to load."""
    parts = (part.partition(":") for part in body.split(";"))
    return {key.strip(): value.replace("!important", "").strip() for key, colon, value in parts if colon and key.strip()}


def undeclare(element: Element, *names: str) -> None:
    """Removes properties from an element's ``style``; the rest stays as written."""
    style = element.get("style", "")
    if not declarations(style).keys().isdisjoint(names):
        element.set("style", ";".join(part for part in style.split(";") if part.partition(":")[0].strip() not in names))


def inline_stylesheets(root: Element) -> None:
    """Moves stylesheets into the ``style`` of elements. Raises BadDrawing."""
    sheets = list(root.iter(tag("style")))
    if not sheets:
        return
    import cssselect2

    depth = max(sum(1 for _ in node.iterancestors()) for node in root.iter(etree.Element))
    count = sum(1 for _ in root.iter(etree.Element))
    matcher = cssselect2.Matcher()
    rules = 0
    for sheet in sheets:
        try:
            for selectors, declared in _rules("".join(map(str, sheet.itertext()))):
                _add(matcher, selectors, declared, depth, count)
                rules += 1 + selectors.count(",")
                if rules > MOST_RULES:
                    raise BadDrawing(f"its stylesheets have more than {MOST_RULES} rules")
        except BadDrawing as fault:
            fault.line = sheet.sourceline
            raise
    for sheet in sheets:
        remove(sheet)
    written = 0
    for node in cssselect2.ElementWrapper.from_xml_root(root).iter_subtree():
        # Those that weigh more come last, and of equals the later ones.
        matched = [declared for _, _, pseudo, declared in matcher.match(node) if not pseudo]
        if not matched:
            continue
        element, style = node.etree_element, node.etree_element.get("style", "")
        strong = ";".join(part for part in style.split(";") if "!important" in part)
        weak = [*(each[0] for each in matched), declarations(style)]
        every = [*weak, *(each[1] for each in matched), declarations(strong)]
        whole = {name: value for declared in every for name, value in declared.items()}
        element.set("style", ";".join(f"{name}:{value}" for name, value in whole.items()))
        written += len(element.get("style", ""))
        if written > MOST_WRITTEN:
            raise BadDrawing("its stylesheets take too long to work out", line=sheets[0].sourceline)


_Declared = tuple[dict[str, str], dict[str, str]]
"""What a rule says, and what it says with ``!important``."""


def _rules(sheet: str) -> Iterator[tuple[str, _Declared]]:
    """Selectors and declarations; skips fonts and animations."""
    import tinycss2

    for rule in tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True):
        if rule.type == "at-rule" and rule.lower_at_keyword in ("media", "supports", "layer"):
            head = f"@{rule.at_keyword} {_written(rule.prelude)}"
            if not _DARK.search(head):  # paper is light
                raise BadDrawing(f'its <style> has a rule for some readers only ("{head[:40]}"). Write it for all of them')
        if rule.type == "qualified-rule":
            declared: _Declared = ({}, {})
            for each in tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True):
                if each.type == "declaration":
                    written = _written(part for part in each.value if part.type != "comment")
                    declared[each.important][each.name if each.name.startswith("--") else each.lower_name] = written
            yield _written(rule.prelude), declared


def _written(value: Iterable[Any]) -> str:
    import tinycss2

    try:
        return REFERENCE.sub(r"url(#\1)", tinycss2.serialize(value)).strip()
    except RecursionError:
        raise BadDrawing("its <style> has brackets in brackets without end") from None


def _add(matcher: Any, selectors: str, declared: _Declared, depth: int, count: int) -> None:
    """Registers the selectors of a rule with a matcher."""
    import cssselect2

    for selector in selectors.split(","):
        words = re.sub("([>+~])", r" \1 ", selector).split()
        steps = max(0, len(words) - 1 - 2 * sum(word in ">+~" for word in words))
        if math.comb(depth, steps) * count > MOST_COMPARED:
            raise BadDrawing("its stylesheets take too long to work out")
    try:
        for compiled in cssselect2.compile_selector_list(selectors):
            matcher.add_selector(compiled, declared)
    except (cssselect2.SelectorError, SyntaxError, RecursionError):
        raise BadDrawing(f'its <style> has the selector "{selectors[:40].strip()}", which is not read here') from None


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
    _add_characters(element.text, element, found)
    for child in element:
        if local(child) not in _SILENT:
            _read(child, text, found)
        _add_characters(child.tail, element, found)
    for key in _LISTS:
        _place(element, key, found[start:])


def _add_characters(text: str | None, owner: Element, found: list[Character]) -> None:
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
