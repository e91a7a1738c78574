"""Reads Cider: tables, Handlebars templates and CSS boxes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pnp.dataclass import dataclass
from pnp.imports.deck import (
    SAID,
    Align,
    Box,
    Column,
    Deck,
    Element,
    Font,
    Imported,
    Importer,
    Picture,
    Pictures,
    Shape,
    Source,
    Table,
    Text,
    Value,
    colour,
    from_html,
    taken_for_bleed,
)
from pnp.read.tables import slug
from pnp.values.problems import Fault, Place

if TYPE_CHECKING:
    from lxml import etree

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
    """A drawn element: its box in pixels, its own style, and its content."""

    kind: str
    """ground, picture, or words"""
    x: float
    y: float
    width: float
    height: float
    style: Style = field(default_factory=dict)
    shows: str = ""
    name: str = ""


@lru_cache
def rules_of(css: str) -> tuple[list[Rule], list[str]]:
    """Parses a style sheet into rules, and the selectors that are not supported.

    A rule is the parts of its selector, outermost first, and its declarations.
    """
    import tinycss2

    found: list[Rule] = []
    unread: dict[str, None] = {}
    for rule in tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True):
        if rule.type == "at-rule":
            unread[f"@{rule.at_keyword} {_written(rule.prelude)}".strip()] = None
        elif rule.type == "qualified-rule":
            style = _style(rule.content)
            for selector in _written(rule.prelude).split(","):
                if _FOR_BROWSERS.search(selector):
                    unread[selector.strip()] = None
                elif parts := tuple(selector.replace(">", " ").split()):
                    found.append((parts, style))
    return found, list(unread)


@lru_cache(4096)
def declared(body: str) -> Style:
    """``width: 10px; color: red`` as a dict."""
    return _style(body)


def _style(body: Any) -> Style:
    import tinycss2

    said = tinycss2.parse_blocks_contents(body, skip_comments=True, skip_whitespace=True)
    return {each.lower_name: _written(each.value) for each in said if each.type == "declaration"}


def _written(value: Any) -> str:
    import tinycss2

    try:
        return str(tinycss2.serialize([part for part in value if part.type != "comment"])).strip()
    except RecursionError:  # brackets in brackets
        return ""


def _blocks(node: etree._Element) -> list[etree._Element]:
    """The children with boxes of their own; paragraphs and lists without a class are part of their parent's text."""
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
    """The style of an element: inherited, from the rules in order, then its own."""
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
    """The card's size in pixels, from the first element that has one; and whether it was given in pixels."""
    for node in root.iter("*"):
        style = style_of(node, rules, {})
        wide, high = pixels(style.get("width")), pixels(style.get("height"))
        if wide and high and "%" not in style["width"] + style["height"]:
            return wide, high, style["width"].endswith("px")
    return None


class Layout:
    """Computes the boxes of a card's elements."""

    def __init__(self, rules: list[Rule], width: float, height: float) -> None:
        self._rules, self._width, self._height = rules, width, height
        self.found: list[Drawn] = []
        self.unread: dict[str, None] = {}

    def place(self, root: etree._Element) -> list[Drawn]:
        """All elements of the card in drawing order."""
        self._node(root, {}, (0, 0, self._width, self._height), fixed=False)
        return self.found

    def _node(self, node: etree._Element, above: Style, room: tuple[float, float, float, float], fixed: bool) -> float:
        """Lays out an element in the space given; returns its height."""
        if not isinstance(node.tag, str):
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
            self._children(blocks, style, within)
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
        """The natural height of an element, estimated from the length of its text."""
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

    def _children(self, blocks: list[etree._Element], style: Style, room: tuple[float, float, float, float]) -> None:
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
                self._node(child, style, (0, 0, self._width, self._height), fixed=True)
            elif beside:
                width = known[at] or share
                self._node(child, style, (x, y, width, high), fixed=True)
                x += width
            elif at in grows:
                # What grows takes what is left, whatever height it says.
                child.set("style", f"{child.get('style') or ''};height:{share:.2f}px")
                self._node(child, style, (x, y, wide, share), fixed=True)
                y += share
            else:
                y += self._node(child, style, (x, y, wide, tall[at]), fixed=True)

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
    """The text of an element as Markdown, if it contains only text."""
    return from_html("".join(_html(node)))[0]


def _html(node: etree._Element) -> Iterator[str]:
    yield escape(node.text or "", quote=False)
    for child in node.iterchildren():
        if isinstance(child.tag, str):
            yield f"<{child.tag}>"
            yield from _html(child)
            yield f"</{child.tag}>" if child.tag != "br" else ""
        yield escape(child.tail or "", quote=False)


_TAG = re.compile(r"\{\{\{?\s*([^{}]*?)\s*\}?\}\}")


def filled(template: str, row: Mapping[str, str], told: dict[str, None]) -> str:
    """Fills a template with a row; unknown things are recorded once, as "what\0why".

    Supported are ``{{name}}`` and ``{{#if name}}…{{else}}…{{/if}}``; other blocks are left out.
    """
    made: list[str] = []
    blocks: list[bool | None] = []
    """Of each block that is open: whether it is shown; None where that is not known."""
    at = 0
    for found in _TAG.finditer(template):
        if all(blocks):
            made.append(template[at : found.start()])
        at, said = found.end(), found[1]
        cell = _cell(said.removeprefix("#if "), row)
        if said.startswith("#"):
            blocks.append(bool(cell) if said.startswith("#if ") and cell is not None else None)
        elif said.startswith("/") and blocks:
            blocks.pop()
        elif said == "else" and blocks:
            blocks[-1] = None if blocks[-1] is None else not blocks[-1]
        elif all(blocks) and cell is not None:
            made.append(cell)
        if cell is None and all(each is not None for each in blocks[:-1]) and not re.match(r"[/!]|else$", said):
            told[f"{{{{{said}}}}}\0the cards have no such column, and nothing else is read"] = None
    if blocks:
        told["{{#…}}\0a block does not end"] = None
    return "".join([*made, template[at:] if all(blocks) else ""])


def _cell(name: str, row: Mapping[str, str]) -> str | None:
    """The text of a column, whatever the spelling of its name, or the name of an asset; None for neither."""
    if name.startswith("index assets "):
        found = _cell(name.removeprefix("index assets "), row)
        return None if found is None else f"asset:{re.sub(r'[^a-z0-9]+', '-', found.casefold()).strip('-')}"
    if name.startswith("assets."):
        return f"asset:{name[7:]}"
    wanted = _folded(name.removeprefix("card."))
    return next((text for column, text in row.items() if _folded(column) == wanted), None)


def _folded(name: str) -> str:
    return re.sub(r"[\s_-]", "", name.casefold())


MOST_LOOKS = 10_000_000
"""How often a rule is held against an element, and letters of style sheets, of all cards of a template."""
# Cards of so many pixels are drawn at 300 dots an inch; smaller ones in the pixels of a screen.
_LARGE, _PRINT, _SCREEN = 500, 300, 96
_ALIGNS: dict[str, Align] = {"left": "left", "center": "center", "right": "right", "justify": "justify"}


def recognises(source: Source) -> bool:
    """Whether a file is a deck's template or table, in decks/NAME."""
    home = source.main.parent
    if source.main.suffix.lower() not in (".html", ".csv"):
        return False
    return home.parent.name == "decks" and (home / "cards.csv").is_file() and any(home.glob("*.html"))


def read(source: Source) -> Imported:
    """Raises Fault."""
    decks = source.main.parent.parent
    # Pictures lie beside the decks, not within them.
    whole = Source(decks.parent, source.main)
    imported = Imported("Cider")
    for home in sorted(path for path in decks.iterdir() if (path / "cards.csv").is_file()):
        _Deck(whole, imported, home).read()
    return imported


class _Deck:
    """One deck; cards that share their two templates become one component."""

    def __init__(self, source: Source, imported: Imported, home: Path) -> None:
        self.source, self.imported, self.home = source, imported, home
        self.pictures = Pictures(source, imported, "assets")
        self.assets = {path.stem.casefold(): path for path in sorted((source.folder / "assets").rglob("*.*"))}

    def read(self) -> None:
        table = self.source.table(self.home / "cards.csv")
        front, back = table.column("Front Template"), table.column("Back Template")
        if front is None:
            raise Fault('there is no column "Front Template"', place=Place(self.source.shown(self.home / "cards.csv"), 1))
        groups: dict[tuple[str, str], list[dict[str, str]]] = {}
        for row in table.rows:
            groups.setdefault((row.get(front.name, ""), row.get(back.name, "") if back else ""), []).append(row)
        kept = [name for name in table.columns if name not in (front.name, back.name if back else "")]
        count = table.column("Count")
        for (first, second), rows in groups.items():
            own = Table(list(kept), [dict(row) for row in rows], count.name if count else "")
            title = self.home.name if len(groups) == 1 else f"{self.home.name} {first}"
            deck = Deck(title, 0, 0, table=own)
            deck.front, deck.back = self._side(deck, first), self._side(deck, second) if second else []
            if deck.width:
                self.imported.decks.append(deck)

    def _side(self, deck: Deck, template: str) -> list[Element]:
        path = self.source.find(f"decks/{self.home.name}/{slug(template)}.html")
        if path is None:
            table = Place(self.source.shown(self.home / "cards.csv"))
            self.imported.left(table, f'the template "{template}"', "there is no such file")
            return []
        sheet = path.with_suffix(".css")
        place = Place(self.source.shown(path))
        html, css = self.source.text(path), self.source.text(sheet) if sheet.is_file() else ""
        looks = max(html.count("<") * css.count("{"), len(css) if "{{" in css else 0)
        if looks * len(deck.table.rows) > MOST_LOOKS:
            raise Fault("the template has too many elements and rules for so many cards", place=place)
        told: dict[str, None] = {}
        cards = [self._card(html, css, row, told) for row in deck.table.rows]
        for each in told:
            self.imported.left(place, *each.split("\0"))
        size = next((size for _, size in cards if size), None)
        if size is None:
            self.imported.left(place, "the template", "no element of it has a width and a height, so the card has no size")
            return []
        width, height, in_pixels = size
        scale = 25.4 / (_PRINT if in_pixels and width >= _LARGE else _SCREEN)
        trim = taken_for_bleed(width * scale, height * scale)
        if not deck.width:
            deck.width, deck.height, deck.bleed = width * scale - 2 * trim, height * scale - 2 * trim, trim or None
            if trim:
                self.imported.changed(place, SAID)
        shown = [found for found, _ in cards]

        def kinds(card: list[Drawn]) -> list[tuple[str, str]]:
            return [(each.kind, each.name) for each in card]

        if any(kinds(one) != kinds(shown[0]) for one in shown):
            self.imported.changed(
                place, "cards of this template differ in more than words; they are drawn as the first one is"
            )
            shown = [one if kinds(one) == kinds(shown[0]) else shown[0] for one in shown]
        elements = []
        for column in zip(*shown, strict=True):
            elements += self._element(deck, list(column), scale, deck.bleed or 0, place)
        return elements

    def _card(
        self, html: str, css: str, row: Mapping[str, str], told: dict[str, None]
    ) -> tuple[list[Drawn], tuple[float, float, bool] | None]:
        """All elements of one card, and its size."""
        from lxml import etree
        from lxml import html as parser

        try:
            root = parser.fragment_fromstring(filled(html, row, told), create_parent="div")
            rules, unread = rules_of(filled(css, row, told))
        except (ValueError, TypeError, etree.ParserError, RecursionError):
            return [], None
        told.update(dict.fromkeys(f"{said}\0such rules are for a browser" for said in unread))
        size = size_of(root, rules)
        if size is None:
            return [], None
        layout = Layout(rules, size[0], size[1])
        found = layout.place(root)
        told.update(dict.fromkeys(f"{name}\0pnp draws no such thing" for name in layout.unread))
        return found, size

    def _element(self, deck: Deck, cards: list[Drawn], scale: float, trim: float, place: Place) -> list[Element]:
        first = cards[0]
        box = Box(first.x * scale - trim, first.y * scale - trim, first.width * scale, first.height * scale)
        style = first.style
        try:
            opacity = min(max(float(style.get("opacity", "1")), 0), 1)
        except ValueError:
            opacity = 1.0
        if first.kind == "words":
            return [self._text(deck, cards, box, scale, place)]
        if first.kind == "picture":
            file = self._value(deck, [self._asset(each.shows, place) for each in cards], f"{first.name} file")
            return [Picture(box, file, False, opacity)] if any(deck.table.texts(file)) else []
        fill = self._colours(deck, cards, ("background-color", "background"), "none", place, f"{first.name} ground")
        line = re.search(r"([\d.]+px)\s+\w+\s+(.+)", style.get("border") or "")
        drawn = colour(line[2]) if line else None
        width = (pixels(line[1]) or 0) * scale if line and drawn else 0
        radius = (pixels(next(iter((style.get("border-radius") or "").split()), "")) or 0) * scale
        whole = box.width >= deck.width and box.height >= deck.height
        if fill == ("none",) and not width:
            return []
        return [Shape(box, "rect", fill, (drawn[0] if drawn else "none",), width, 0 if whole else radius, opacity)]

    def _text(self, deck: Deck, cards: list[Drawn], box: Box, scale: float, place: Place) -> Text:
        first, style = cards[0], cards[0].style
        content = self._value(deck, [each.shows for each in cards], first.name, words=True)
        written = style.get("font-size") or "16px"
        size = pixels(written)
        points = 10 if size is None else size * (0.75 if written.endswith("pt") else scale * 72 / 25.4)
        weight = style.get("font-weight") or ""
        bold = weight in ("bold", "bolder") or (weight.isdigit() and int(weight) >= 600)
        family = (style.get("font-family") or "").replace('"', "").replace("'", "")
        font = Font(family, min(max(points, 1), 400), bold, style.get("font-style") == "italic")
        fill = self._colours(deck, cards, ("color",), "#000000", place, f"{first.name} ink")
        align = _ALIGNS.get(style.get("text-align") or "", "left")
        middle = style.get("align-items") == "center" or style.get("justify-content") == "center"
        return Text(box, content, font, fill, align, "middle" if middle else "top", first.name)

    def _asset(self, shown: str, place: Place) -> str:
        name = shown.removeprefix("asset:")
        path = self.assets.get(name.casefold()) or self.assets.get(slug(name))
        return self.pictures.take(self.source.shown(path) if path else name, place)

    def _colours(
        self, deck: Deck, cards: list[Drawn], keys: tuple[str, ...], default: str, place: Place, name: str
    ) -> Value:
        texts = []
        for each in cards:
            written = next((each.style[key] for key in keys if key in each.style), "")
            gradient = re.search(
                r"gradient\((?:[^(),]*(?:deg|to [a-z ]+|circle|ellipse)[^(),]*,)?\s*((?:\w+\([^()]*\)|[^(),])+)", written
            )
            if gradient:
                self.imported.changed(place, f"instead of a gradient the ground of {each.name} has its first colour")
                written = re.sub(r"\s+[\d.]+%$", "", gradient[1].strip())
            written = re.sub(r"url\([^)]*\)|\b(?:no-repeat|center|cover|contain)\b|/", " ", written).strip()
            found = colour(written) if written else (default, 1.0)
            if found is None:
                self.imported.changed(place, f'"{written}" is no colour, so {each.name} is without it')
            texts.append(found[0] if found and not (found[0] == "none" and default != "none") else default)
        return self._value(deck, texts, name)

    def _value(self, deck: Deck, texts: list[str], name: str, words: bool = False) -> Value:
        """One value if it is equal for all cards, else an existing or new column."""
        if len(set(texts)) == 1 and not words:
            return (texts[0],)
        known = next((column for column in deck.table.columns if deck.table.texts((Column(column),)) == texts), None)
        if known is not None:
            return (Column(known),)
        column = deck.table.add(name, texts)
        if words:
            deck.table.marked_up.add(column.name)
        return (column,)


IMPORTER = Importer("Cider", (".html", ".csv"), recognises, read)
