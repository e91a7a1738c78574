"""HTML and CSS as far as cards need them: boxes below and beside each other, with their grounds and words, in pixels.

No browser: blocks, columns and rows, what is placed absolutely, padding, and sizes that are said. What a card needs
beyond that is read as if it were not there, and is for the importer to tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING

from pnp.flows.imports.words import from_html

if TYPE_CHECKING:
    from lxml import etree

MOST_NODES = 3_000
MOST_DEPTH = 60
_INLINE = {"b", "strong", "i", "em", "span", "br", "u", "small", "sup", "sub", "a", "font"}
_PARAGRAPHS = {"p", "ul", "ol", "li", "h1", "h2", "h3", "h4", "h5", "h6"}
_SIDES = ("top", "right", "bottom", "left")
_PASSED_ON = ("color", "font-size", "font-weight", "font-style", "font-family", "text-align")
_PER = {"px": 1.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0, "pt": 96 / 72, "": 1.0}
LINE = 1.25
READ = {
    *_PASSED_ON, "width", "height", "top", "left", "right", "bottom", "position", "display", "flex-direction", "flex",
    "padding",
    *(f"padding-{side}" for side in _SIDES), "background-color", "background", "background-image", "background-size",
    "background-position", "background-repeat", "border", "border-radius", "opacity", "flex-grow", "margin", "box-sizing",
    *(f"margin-{side}" for side in _SIDES), "align-items", "justify-content", "line-height", "object-fit", "gap", "overflow",
    *(f"border-{one}-{two}-radius" for one in ("top", "bottom") for two in ("left", "right")), "border-color",
    "border-width",
    "border-style", "font-variant-numeric", "white-space", "z-index",
}  # fmt: skip

_FOR_BROWSERS = re.compile(r"[:@+~\[*]")
_PICTURES = ("svg", "canvas", "table", "iframe", "video", "object")

Style = dict[str, str]
Rule = tuple[tuple[str, ...], Style]


@dataclass(frozen=True, slots=True)
class Drawn:
    """One thing on a card: its box in pixels, its own style, and what it shows."""

    kind: str
    """ground, picture, or words"""
    x: float
    y: float
    width: float
    height: float
    style: Style = field(default_factory=dict)
    shows: str = ""
    name: str = ""


def rules_of(css: str) -> list[Rule]:
    """The rules of a style sheet: the parts of a selector from the outermost on, and what is said."""
    css = re.sub(r"/\*.*?\*/", " ", css, flags=re.DOTALL)
    css = re.sub(r"(?m)^\s*//[^\n]*", " ", css)
    found: list[Rule] = []
    for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", css):
        style = declared(body)
        for selector in selectors.split(","):
            parts = tuple(selector.replace(">", " ").split())
            if parts and not _FOR_BROWSERS.search(selector):
                found.append((parts, style))
    return found


def unread_rules(css: str) -> list[str]:
    """The selectors whose rules are not read: for states, for what stands before and after, and those with an @."""
    css = re.sub(r"/\*.*?\*/|\{\{.*?\}\}", " ", css, flags=re.DOTALL)
    selectors = (each.strip() for block in re.findall(r"([^{};]+)\{", css) for each in block.split(","))
    return list(dict.fromkeys(each for each in selectors if _FOR_BROWSERS.search(each)))


def declared(body: str) -> Style:
    """``width: 10px; color: red`` as a dict."""
    pairs = (each.partition(":") for each in re.split(r";(?![^()]*\))", body))
    return {name.strip().lower(): value.strip() for name, _, value in pairs if value.strip()}


def _blocks(node: etree._Element) -> list[etree._Element]:
    """The children that have boxes of their own; paragraphs and lists without a class are words of their parent."""
    return [child for child in node.iterchildren("*") if not _wordy(child)]


def _wordy(node: etree._Element) -> bool:
    if node.tag not in _INLINE | _PARAGRAPHS or (node.tag in _PARAGRAPHS and (node.get("class") or node.get("style"))):
        return False
    return all(each.tag in _INLINE | _PARAGRAPHS for each in node.iter("*"))


def _matches(node: etree._Element, part: str) -> bool:
    tag = re.match(r"[a-zA-Z][\w-]*|\*", part)
    classes = (node.get("class") or "").split()
    if tag and tag[0] != "*" and tag[0].lower() != node.tag:
        return False
    named = re.findall(r"\.([\w-]+)", part)
    ids = re.findall(r"#([\w-]+)", part)
    return all(each in classes for each in named) and all(each == node.get("id") for each in ids)


def style_of(node: etree._Element, rules: list[Rule], above: Style) -> Style:
    """What holds for an element: what it takes over, the rules in their order, its own."""
    style = {key: value for key, value in above.items() if key in _PASSED_ON}
    for parts, said in rules:
        if not _matches(node, parts[-1]):
            continue
        rest = list(parts[:-1])
        for parent in node.iterancestors():
            if rest and isinstance(parent.tag, str) and _matches(parent, rest[-1]):
                rest.pop()
        if not rest:
            style.update(said)
    style.update(declared(node.get("style") or ""))
    return style


def pixels(text: str | None, whole: float = 0) -> float | None:
    """A length in pixels; None for none, ``auto`` and sums."""
    found = re.fullmatch(r"(-?\d*\.?\d+)\s*(px|mm|cm|in|pt|%)?", (text or "").strip())
    if found is None:
        return None
    if found[2] == "%":
        return float(found[1]) / 100 * whole
    return float(found[1]) * _PER[found[2] or ""]


def size_of(root: etree._Element, rules: list[Rule]) -> tuple[float, float, bool] | None:
    """The card's size in pixels: of the first element that has one; and whether it is written in pixels."""
    for count, node in enumerate(root.iter("*")):
        if count > MOST_NODES:
            return None
        style = style_of(node, rules, {})
        wide, high = pixels(style.get("width")), pixels(style.get("height"))
        if wide and high and "%" not in style["width"] + style["height"]:
            return wide, high, style["width"].endswith("px")
    return None


class Layout:
    """Places the elements of a card."""

    def __init__(self, rules: list[Rule], width: float, height: float) -> None:
        self._rules, self._width, self._height = rules, width, height
        self.found: list[Drawn] = []
        self.unread: dict[str, None] = {}
        self._count = 0

    def place(self, root: etree._Element) -> list[Drawn]:
        """Everything that the card shows, in the order in which it is drawn."""
        self._node(root, {}, (0, 0, self._width, self._height), 0, fixed=False)
        return self.found

    def _node(
        self, node: etree._Element, above: Style, room: tuple[float, float, float, float], depth: int, fixed: bool
    ) -> float:
        """Draw an element into its room; returns how high it is."""
        self._count += 1
        if not isinstance(node.tag, str):
            return 0
        if self._count > MOST_NODES or depth > MOST_DEPTH:
            self.unread["what stands deeper or later than anybody writes by hand"] = None
            return 0
        style = style_of(node, self._rules, above)
        if style.get("display") == "none":
            return 0
        if node.tag in _PICTURES:
            self.unread[f"<{node.tag}>"] = None
            return 0
        self.unread.update(dict.fromkeys(name for name in style if name not in READ and not name.startswith("--")))
        x, y, wide, high = self._box(style, room)
        inner = self._height_of(node, style, wide)
        tall = pixels(style.get("height"), room[3]) or (high if fixed else inner)
        if node.tag == "img":
            given = pixels(style.get("width"), room[2]) or wide
            self.found.append(Drawn("picture", x, y, given, pixels(style.get("height"), room[3]) or given, style,
                                    node.get("src") or "", node.get("class") or "picture"))  # fmt: skip
            return self.found[-1].height
        self._ground(node, style, x, y, wide, tall)
        pad = _around(style, "padding", wide)
        within = (x + pad[3], y + pad[0], max(wide - pad[1] - pad[3], 1), max(tall - pad[0] - pad[2], 1))
        blocks = _blocks(node)
        if blocks:
            self._children(blocks, style, within, depth)
        elif _words(node):
            self.found.append(Drawn("words", *within, style, _words(node), node.get("class") or str(node.tag)))
        return tall

    def _box(self, style: Style, room: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        x, y, wide, high = room
        width = pixels(style.get("width"), wide)
        if style.get("position") in ("absolute", "fixed"):
            left, right = pixels(style.get("left"), self._width), pixels(style.get("right"), self._width)
            top, bottom = pixels(style.get("top"), self._height), pixels(style.get("bottom"), self._height)
            width = pixels(style.get("width"), self._width) or (self._width - (left or 0) - (right or 0))
            high = pixels(style.get("height"), self._height) or high
            x = left if left is not None else self._width - width - right if right is not None else 0
            y = top if top is not None else self._height - high - bottom if bottom is not None else 0
            return x, y, width, high
        margin = _around(style, "margin", wide)
        return x + margin[3], y + margin[0], width or wide - margin[1] - margin[3], high

    def _height_of(self, node: etree._Element, style: Style, wide: float, depth: int = 0) -> float:
        """How high an element becomes by itself, guessed from the number of its letters."""
        given = pixels(style.get("height"), self._height)
        if given is not None:
            return given
        pad = _around(style, "padding", wide)
        blocks = _blocks(node)
        if blocks and depth < 12:
            heights = [
                self._height_of(child, inner, wide, depth + 1)
                for child in blocks
                for inner in [style_of(child, self._rules, style)]
                if inner.get("position") not in ("absolute", "fixed")
            ]
            beside = style.get("display") == "flex" and not style.get("flex-direction", "row").startswith("column")
            return pad[0] + pad[2] + (max(heights, default=0) if beside else sum(heights))
        letters = len(_words(node))
        size = pixels(style.get("font-size")) or 16
        lines = max(1, -(-int(letters * size * 0.5) // max(1, int(wide - pad[1] - pad[3])))) if letters else 0
        return pad[0] + pad[2] + lines * size * LINE

    def _children(
        self,
        blocks: list[etree._Element],
        style: Style,
        room: tuple[float, float, float, float],
        depth: int,
    ) -> None:
        x, y, wide, high = room
        styles = [style_of(child, self._rules, style) for child in blocks]
        flow = [at for at, inner in enumerate(styles) if inner.get("position") not in ("absolute", "fixed")]
        beside = style.get("display") == "flex" and not style.get("flex-direction", "row").startswith("column")
        grows = {at for at in flow if re.match(r"[1-9]", styles[at].get("flex", styles[at].get("flex-grow", "")))}
        if beside:
            known = {at: pixels(styles[at].get("width"), wide) for at in flow}
            left = wide - sum(width or 0 for width in known.values())
            share = left / (len([at for at in flow if known[at] is None]) or 1)
        else:
            tall = {at: self._height_of(blocks[at], styles[at], wide) for at in flow if at not in grows}
            share = max(high - sum(tall.values()), 0) / (len(grows) or 1)
        for at, child in enumerate(blocks):
            if at not in flow:
                self._node(child, style, (0, 0, self._width, self._height), depth + 1, fixed=True)
            elif beside:
                width = known[at] or share
                self._node(child, style, (x, y, width, high), depth + 1, fixed=True)
                x += width
            elif at in grows:
                # What grows takes what is left, whatever height it says.
                self.grown(child, style, (x, y, wide, share), depth)
                y += share
            else:
                y += self._node(child, style, (x, y, wide, tall[at]), depth + 1, fixed=True)

    def grown(self, child: etree._Element, style: Style, room: tuple[float, float, float, float], depth: int) -> None:
        """Draw a child at the height that is left for it."""
        child.set("style", f"{child.get('style') or ''};height:{room[3]:.2f}px")
        self._node(child, style, room, depth + 1, fixed=True)

    def _ground(self, node: etree._Element, style: Style, x: float, y: float, wide: float, high: float) -> None:
        name = node.get("class") or str(node.tag)
        if any(style.get(key) for key in ("background", "background-color", "border")):
            self.found.append(Drawn("ground", x, y, wide, high, style, "", name))
        image = re.search(r"url\(\s*[\"']?([^)\"']+)", style.get("background-image") or style.get("background") or "")
        if image:
            self.found.append(Drawn("picture", x, y, wide, high, style, image[1], name))


def _around(style: Mapping[str, str], what: str, whole: float) -> tuple[float, float, float, float]:
    """Padding or margin: top, right, bottom, left."""
    sides = [pixels(part, whole) or 0.0 for part in (style.get(what) or "0").split()] or [0.0]
    top, right, bottom, left = (sides * 4)[:4] if len(sides) != 3 else (*sides, sides[1])
    own = [pixels(style.get(f"{what}-{side}"), whole) for side in _SIDES]
    given = (top, right, bottom, left)
    return tuple(given[at] if value is None else value for at, value in enumerate(own))  # type: ignore[return-value]


def _words(node: etree._Element) -> str:
    """What an element with nothing but words in it says, as Markdown."""
    return from_html("".join(_html(node)))[0]


def _html(node: etree._Element) -> Iterator[str]:
    yield escape(node.text or "", quote=False)
    for child in node.iterchildren():
        if isinstance(child.tag, str):
            yield f"<{child.tag}>"
            yield from _html(child)
            yield f"</{child.tag}>" if child.tag != "br" else ""
        yield escape(child.tail or "", quote=False)
