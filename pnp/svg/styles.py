"""What a drawing's stylesheets, attributes and groups say of an element, as SVG's cascade decides it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from pnp.svg.safe import BadDrawing
from pnp.svg.tree import Element, local, tag

# Those that an element takes from its group when it says nothing itself, or that its group does to it: it underlines.
INHERITED = frozenset({
    "color", "direction", "fill", "fill-opacity", "fill-rule", "clip-rule", "font", "font-family", "font-size",
    "font-stretch", "font-style", "font-weight", "font-variant", "letter-spacing", "paint-order",
    "dominant-baseline", "kerning", "shape-rendering", "stroke", "text-decoration", "text-decoration-line",
    "stroke-dasharray", "stroke-dashoffset", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "stroke-opacity",
    "stroke-width", "text-anchor", "text-transform", "visibility", "white-space", "word-spacing", "writing-mode",
    "font-kerning", "font-feature-settings", "font-variation-settings", "font-size-adjust",
})  # fmt: skip
# Attributes that say something else than the property of that name.
_NO_STYLE = {"class", "d", "height", "href", "id", "style", "transform", "width", "x", "y"}
MOST_RULES = 4000
# Of elements with what selectors ask for: a large drawing of Illustrator's has some hundred thousand.
MOST_COMPARED = 3_000_000
# One that is not closed goes to the end, as in browsers.
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|<!--|-->", re.DOTALL)
_COMPOUND = re.compile(r"(?:\*|[A-Za-z][\w-]*)?(?:[.#][\w-]+)*")
_POINTER = re.compile(r":(?:hover|focus|active|visited|target)\b|::selection")
_PART = re.compile(r"[.#]?[\w*-]+")

_Step = tuple[bool, tuple[str, ...]]
"""One step of a selector: whether the next outer element must be the parent, and what is asked of an element."""


@dataclass(frozen=True, slots=True)
class _Rule:
    steps: tuple[_Step, ...]
    weight: tuple[int, int, int]
    declared: Mapping[str, str]


@dataclass(slots=True)
class Styles:
    """The stylesheets of a drawing, and what they make of its elements."""

    rules: list[_Rule] = field(default_factory=list)
    compared: int = 0
    _known: dict[Element, Mapping[str, str]] = field(default_factory=dict)

    @classmethod
    def of(cls, root: Element) -> Styles:
        """Those of a whole drawing. Raises BadDrawing."""
        styles = cls()
        for node in root.iter(tag("style")):
            try:
                styles._read("".join(map(str, node.itertext())))
            except BadDrawing as fault:
                fault.line = node.sourceline
                raise
        if len(styles.rules) > MOST_RULES:
            raise BadDrawing(f"its stylesheets have more than {MOST_RULES} rules")
        # Those that weigh more come last, and of equals the later ones.
        styles.rules.sort(key=lambda rule: rule.weight)
        return styles

    def _read(self, sheet: str) -> None:
        for selectors, body in _blocks(without_comments(sheet)):
            declared = declarations(body)
            for selector in selectors.split(","):
                steps = _steps(selector.strip())
                if steps is None:
                    continue
                asked = [part for _, parts in steps for part in parts]
                ids = sum(part.startswith("#") for part in asked)
                classes = sum(part.startswith(".") for part in asked)
                names = sum(part[0] not in ".#*" for part in asked)
                self.rules.append(_Rule(steps, (ids, classes, names), declared))

    def own(self, element: Element) -> Mapping[str, str]:
        """What an element says itself, by attributes, stylesheets and its ``style``."""
        if element not in self._known:
            said = {key: value.strip() for key, value in element.items() if key not in _NO_STYLE and key[0] != "{"}
            for rule in self.rules:
                if self._meets(element, rule.steps):
                    said.update(rule.declared)
            said.update(declarations(element.get("style", "")))
            self._known[element] = said
        return self._known[element]

    def value(self, element: Element, name: str, default: str = "") -> str:
        """A property of an element; of one that is inherited also from its groups."""
        node: Element | None = element
        while node is not None:
            found = self.own(node).get(name)
            if found is not None and found != "inherit":
                return found
            if found is None and name not in INHERITED:
                return default
            node = node.getparent()
        return default

    def _meets(self, element: Element, steps: tuple[_Step, ...]) -> bool:
        """Whether an element is one that a selector asks for."""
        self.compared += 1
        if self.compared > MOST_COMPARED:
            raise BadDrawing("its stylesheets take too long to work out")
        if not _is(element, steps[0][1]):
            return False
        if len(steps) == 1:
            return True
        outer = element.getparent()
        while outer is not None:
            if self._meets(outer, steps[1:]):
                return True
            if steps[0][0]:
                return False
            outer = outer.getparent()
        return False


def without_comments(sheet: str) -> str:
    return _COMMENT.sub(" ", sheet)


def _blocks(sheet: str) -> Iterator[tuple[str, str]]:
    """Selectors and declarations; fonts and media that a sheet names on the way are none of the drawing's."""
    here = 0
    while (opened := sheet.find("{", here)) >= 0:
        head = sheet[here:opened].rpartition(";")[2].strip()
        here = _closed(sheet, opened)
        if not head.startswith("@"):
            yield head, sheet[opened + 1 : here - 1]
        elif head.startswith(("@media", "@supports", "@layer")):
            raise BadDrawing(f'its <style> has a rule for some readers only ("{head[:40]}"). Write it for all of them')


def _closed(sheet: str, opened: int) -> int:
    """Just behind the brace that belongs to an open one."""
    depth = 0
    for found in re.compile("[{}]").finditer(sheet, opened):
        depth += 1 if found[0] == "{" else -1
        if not depth:
            return found.end()
    return len(sheet) + 1


@lru_cache
def declarations(body: str) -> Mapping[str, str]:
    """``fill:red; stroke:none`` as a mapping: for words and numbers tinycss2 takes 28 times as long, and 11 ms to load."""
    parts = (part.partition(":") for part in body.split(";"))
    return {key.strip(): value.replace("!important", "").strip() for key, colon, value in parts if colon and key.strip()}


def undeclare(element: Element, *names: str) -> None:
    """Take properties out of the ``style`` of an element; what else it says stays as it is written."""
    style = element.get("style", "")
    if not declarations(style).keys().isdisjoint(names):
        element.set("style", ";".join(part for part in style.split(";") if part.partition(":")[0].strip() not in names))


def property_of(element: Element, name: str) -> str:
    """A property of an element, from its ``style`` or else its attribute; "none" where it has none."""
    style = element.get("style")
    declared = declarations(style).get(name) if style else None
    return (element.get(name) or "none").strip() if declared is None else declared


def _steps(selector: str) -> tuple[_Step, ...] | None:
    """A selector from its last part outwards; None for one of a pointer, which nothing printed has. Raises BadDrawing."""
    steps: list[_Step] = []
    child = False
    for word in selector.replace(">", " > ").split():
        if word == ">":
            child = True
            continue
        if _POINTER.search(word):
            return None
        if not _COMPOUND.fullmatch(word):
            raise BadDrawing(f'its <style> has the selector "{selector[:40]}", which is not read here')
        steps.append((child, tuple(_PART.findall(word))))
        child = False
    return tuple(reversed(steps)) or None


def _is(element: Element, asked: tuple[str, ...]) -> bool:
    for part in asked:
        if part.startswith("#"):
            if element.get("id") != part[1:]:
                return False
        elif part.startswith("."):
            if part[1:] not in element.get("class", "").split():
                return False
        elif part not in ("*", local(element)):
            return False
    return True
