"""Projects of Cider: a folder for each deck with cards.csv and templates in HTML, CSS and Handlebars."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from pnp.flows.imports.bleeds import SAID, taken_for_bleed
from pnp.flows.imports.boxes import Drawn, Layout, pixels, rules_of, size_of, unread_rules
from pnp.flows.imports.deck import Align, Box, Column, Deck, Element, Font, Imported, Picture, Shape, Table, Text, Value
from pnp.flows.imports.handlebars import filled
from pnp.flows.imports.pictures import Pictures
from pnp.flows.imports.source import CannotImport, Source
from pnp.flows.imports.words import colour
from pnp.read.rowids import slug
from pnp.values.problems import Place

MOST_CARDS = 2_000
MOST_BYTES = 300_000
MOST_LOOKS = 10_000_000
"""How often a rule is held against an element, of all cards of a template."""
# Cards of so many pixels are drawn at 300 dots an inch; smaller ones in the pixels of a screen.
_LARGE, _PRINT, _SCREEN = 500, 300, 96
_ALIGNS: dict[str, Align] = {"left": "left", "center": "center", "right": "right", "justify": "justify"}


def recognises(source: Source) -> bool:
    """A template of a deck, or its table; both lie in decks/NAME."""
    home = source.main.parent
    if source.main.suffix.lower() not in (".html", ".csv"):
        return False
    return home.parent.name == "decks" and (home / "cards.csv").is_file() and any(home.glob("*.html"))


def read(source: Source) -> Imported:
    """Raises CannotImport."""
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
            raise CannotImport(Place(self.source.shown(self.home / "cards.csv"), 1), 'there is no column "Front Template"')
        groups: dict[tuple[str, str], list[dict[str, str]]] = {}
        if len(table.rows) > MOST_CARDS:
            why = f"there are more than {MOST_CARDS}"
            self.imported.left(
                Place(self.source.shown(self.home / "cards.csv"), MOST_CARDS + 2), "the cards from here on", why
            )
        for row in table.rows[:MOST_CARDS]:
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
            self.imported.left(
                Place(self.source.shown(self.home / "cards.csv")), f'the template "{template}"', "there is no such file"
            )
            return []
        sheet = path.with_suffix(".css")
        place = Place(self.source.shown(path))
        html, css = self.source.text(path, MOST_BYTES), self.source.text(sheet, MOST_BYTES) if sheet.is_file() else ""
        if html.count("<") * css.count("{") * len(deck.table.rows) > MOST_LOOKS:
            raise CannotImport(place, "the template has too many elements and rules for so many cards")
        told = dict.fromkeys(f"{said}\0such rules are for a browser" for said in unread_rules(css))
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
        if any([(each.kind, each.name) for each in one] != [(each.kind, each.name) for each in shown[0]] for one in shown):
            self.imported.changed(
                place, "cards of this template differ in more than words; they are drawn as the first one is"
            )
            keys = [(each.kind, each.name) for each in shown[0]]
            shown = [one if [(e.kind, e.name) for e in one] == keys else shown[0] for one in shown]
        self.imported.carried += len(shown[0])
        elements = []
        for column in zip(*shown, strict=True):
            elements += self._element(deck, list(column), scale, deck.bleed or 0, place)
        return elements

    def _card(
        self, html: str, css: str, row: Mapping[str, str], told: dict[str, None]
    ) -> tuple[list[Drawn], tuple[float, float, bool] | None]:
        """Everything on one card, and its size."""
        from lxml import etree
        from lxml import html as parser

        try:
            root = parser.fragment_fromstring(filled(html, row, told), create_parent="div")
        except (ValueError, TypeError, etree.ParserError):
            return [], None
        rules = rules_of(filled(css, row, told))
        size = size_of(root, rules)
        if size is None:
            return [], None
        layout = Layout(rules, size[0], size[1])
        found = layout.place(root)
        told.update(dict.fromkeys(f"{name}\0pnp draws no such thing" for name in layout.unread))
        return found, size

    def _element(self, deck: Deck, cards: list[Drawn], scale: float, trim: float, place: Place) -> list[Element]:
        """One thing that all cards have, with what it is on each of them."""
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
        """The same for all cards, a column of theirs, or a new one."""
        if len(set(texts)) == 1 and not words:
            return (texts[0],)
        known = next((column for column in deck.table.columns if deck.table.texts((Column(column),)) == texts), None)
        if known is not None:
            return (Column(known),)
        column = deck.table.add(name, texts)
        if words:
            deck.table.marked_up.add(column.name)
        return (column,)
