"""Reads plain lists and bare tables, card files of Cockatrice, and rpg-cards."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from pnp.imports.deck import (
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
    colour,
    from_html,
)
from pnp.read.grid import SUFFIXES
from pnp.read.records import Tree
from pnp.system.paths import ENDINGS
from pnp.values.problems import Fault, Place, listed
from pnp.values.tables import COPIES

if TYPE_CHECKING:
    from lxml import etree

_LINE = re.compile(r"(?:[-*+•]\s+|\d{1,4}[.)]\s+)?(?:(\d{1,4})\s*[x×]?\s+)?(.*?)(?:\s+[x×]\s*(\d{1,4})|\t\s*(\d{1,4}))?")
_MOST_SHOWN = 9
_LONGEST = 300
# The title's names, in the order in which they are taken.
_TITLES = ("name", "title", "card", "card_name", "cardname")
POKER = (63.5, 88.9)


def recognises(source: Source) -> bool:
    return source.main.suffix.lower() in (*SUFFIXES, ".txt", ".md")


def read(source: Source) -> Imported:
    """Raises Fault."""
    imported = Imported("a list")
    if source.main.suffix.lower() in SUFFIXES:
        table = source.table(source.main)
        # Nobody but the person has written its texts: what is Markdown there is meant.
        table.marked_up = set(table.columns)
    else:
        table = _listed(source, imported)
    if not table.copies:
        table.copies = next((name for name in table.columns if name.casefold() in COPIES), "")
    deck = Deck(source.main.stem, *POKER, table=table)
    deck.front = plain_card(table, Pictures(source, imported), Place(source.shown(source.main), 1), imported)
    imported.decks.append(deck)
    return imported


def plain_card(table: Table, pictures: Pictures, place: Place, imported: Imported) -> list[Element]:
    """A default layout: title, picture, and the other columns as lines."""
    known = {name.casefold(): name for name in table.columns if name != table.copies and name.casefold() != "id"}
    title = next((known[name] for name in _TITLES if name in known), next(iter(known.values()), ""))
    width, height = POKER
    elements: list[Element] = [
        Shape(Box(3, 3, width - 6, height - 6), line=("#222222",), width=0.4, radius=2),
    ]
    if not title:
        return elements
    elements.append(Text(Box(6, 6, width - 12, 11), (Column(title),), Font("", 15, True), align="center", valign="middle",
                         name="title"))  # fmt: skip
    rest = [name for name in known.values() if name != title and any(row.get(name) for row in table.rows)]
    top = 19.0
    shown = next((name for name in rest if _pictures(table, name)), None)
    if shown is not None:
        file = pictures.value((Column(shown),), table, place, f"{shown} file")
        if any(table.texts(file)):
            elements.append(Picture(Box(6, top, width - 12, 30), file))
            top += 32
        rest.remove(shown)
    if len(rest) > _MOST_SHOWN:
        imported.changed(place, f"{listed(rest[_MOST_SHOWN:])} are in the table, and not on the card")
    rest = rest[:_MOST_SHOWN]
    # Long texts have more room than numbers.
    weights = [min(6.0, 1 + max(len(row.get(name, "")) for row in table.rows) / 25) for name in rest]
    room = (height - 6 - top) / (sum(weights) or 1)
    for name, weight in zip(rest, weights, strict=True):
        high = min(room * weight, 8 * weight)
        elements.append(Text(Box(6, top, width - 12, high), (Column(name),), Font("", 10), align="center", valign="middle",
                             name=name))  # fmt: skip
        top += high
    return elements


def _pictures(table: Table, column: str) -> bool:
    texts = [text for row in table.rows if (text := row.get(column, ""))]
    return bool(texts) and all(text.lower().endswith(ENDINGS) and "\n" not in text for text in texts)


def _listed(source: Source, imported: Imported) -> Table:
    table = Table(["name", "copies"], [], "copies")
    shown = source.shown(source.main)
    for number, line in enumerate(source.text(source.main).splitlines(), 1):
        words = line.strip()
        if not words or words.startswith(("#", "//", ";")):
            continue
        found = _LINE.fullmatch(words) if len(words) <= _LONGEST else None
        if found is None or not found[2].strip():
            why = "the line has no name of a card, or one too long for a list"
            imported.left(Place(shown, number), f'"{words[:60]}"', why)
            continue
        if words.endswith(":") or words.casefold() in ("sideboard", "maindeck", "deck"):
            imported.left(Place(shown, number), f'the heading "{words}"', "a list has no headings here")
            continue
        table.rows.append({"name": found[2].strip(), "copies": found[1] or found[3] or found[4] or "1"})
    if not table.rows:
        raise Fault("the list has no line with a card", allowed='a card a line, such as "3 Goblin"', place=Place(shown))
    return table


# What the program itself needs of a card, and nobody reads on it.
_INNER = {"tablerow", "token", "cipt", "upsidedown", "related", "reverse-related", "font", "landscapeOrientation"}
_FIRST = ("name", "copies", "manacost", "type", "text", "pt", "loyalty")


def is_cockatrice(source: Source) -> bool:
    suffix = source.main.suffix.lower()
    return suffix in (".xml", ".cod") and "<cockatrice_" in source.text(source.main)[:8000]


def read_cockatrice(source: Source) -> Imported:
    """Raises Fault."""
    root = source.xml(source.main)
    imported = Imported("Cockatrice")
    if root.tag == "cockatrice_deck":
        table = _deck(root, source, imported)
    elif root.tag == "cockatrice_carddatabase":
        table = _cards(root, source, imported)
    else:
        raise Fault(f"<{root.tag!s}> is neither a deck nor a card database", place=Place(source.shown(source.main), 1))
    deck = Deck("cards", *POKER, table=table)
    deck.front = plain_card(table, Pictures(source, imported), Place(source.shown(source.main), 1), imported)
    imported.decks.append(deck)
    return imported


def _cards(root: etree._Element, source: Source, imported: Imported) -> Table:
    shown = source.shown(source.main)
    table = Table()
    columns: dict[str, None] = {"name": None}
    pictured = 0
    for node in root.iterfind("cards/card"):
        row: dict[str, str] = {}
        for child in node.iterchildren("*"):
            name = str(child.tag)
            if name == "prop":
                row |= {str(each.tag): (each.text or "").strip() for each in child.iterchildren("*")}
            elif name == "set":
                row["set"] = (child.text or "").strip()
                row |= {key: value for key, value in child.items() if key in ("rarity", "num")}
                pictured += any(key.lower() == "picurl" for key, _ in child.items())
            elif name not in _INNER:
                row[name] = (child.text or "").strip()
            elif len(imported.notes) < 200:
                imported.left(Place(shown, child.sourceline), f"<{name}>", "only the program needs it")
        columns |= dict.fromkeys(row)
        table.rows.append(row)
    if pictured:
        imported.left(Place(shown), f"the pictures of {pictured} cards", "they are on the web, and nothing is fetched")
    table.columns = sorted(columns, key=lambda name: (_FIRST.index(name) if name in _FIRST else len(_FIRST), name))
    return table


def _deck(root: etree._Element, source: Source, imported: Imported) -> Table:
    """The cards of a deck, with texts from a card database beside it, if there is one."""
    shown = source.shown(source.main)
    imported.name = (root.findtext("deckname") or "").strip() or imported.name
    for key in ("comments", "bannerCard"):
        for node in root.findall(key):
            if said := (node.text or "").strip():
                imported.left(Place(shown, node.sourceline), f'<{key}> "{said[:60]}"', "only the program needs it")
    known: dict[str, dict[str, str]] = {}
    table = Table(["name", "copies", "zone"], copies="copies")
    for path in sorted(source.main.parent.glob("*.xml")):
        other = Source(source.folder, path)
        if is_cockatrice(other) and (found := other.xml(path)).tag == "cockatrice_carddatabase":
            cards = _cards(found, other, Imported(""))
            known |= {row.get("name", "").casefold(): row for row in cards.rows}
            table.columns += [name for name in cards.columns if name not in table.columns]
    for zone in root.findall("zone"):
        for card in zone.findall("card"):
            name = (card.get("name") or "").strip()
            if not name:
                imported.left(Place(shown, card.sourceline), "a card", "it has no name")
                continue
            row = {**known.get(name.casefold(), {}), "name": name, "copies": card.get("number") or "1"}
            table.rows.append(row | {"zone": zone.get("name") or ""})
    if not known and table.rows:
        imported.left(Place(shown), "what the cards say", "a deck list has names alone, and no cards.xml lies beside it")
    return table


_ABILITIES = ("STR", "DEX", "CON", "INT", "WIS", "CHA")
# Lines that are there for how a card looks alone.
_SPACE = {"rule", "ruler", "fill", "p2e_ruler", "", "divider"}
_DRAWN = {"boxes", "picture", "icon", "rawhtml", "table", "p2e_start_trait_section", "p2e_end_trait_section"}
_KEYS = ("count", "color", "color_front", "title", "icon", "icon_front", "icon_back", "background_image", "contents", "tags")
_COLUMNS = ("name", "copies", "subtitle", "contents", "footer", "colour", "tags")


def is_rpgcards(source: Source) -> bool:
    if source.main.suffix.lower() not in (".json", ".js"):
        return False
    start = source.text(source.main)[:20_000]
    return bool(re.search(r'"contents"\s*:\s*\[', start)) and '"title"' in start


def read_rpgcards(source: Source) -> Imported:
    """Raises Fault."""
    return _Cards(source).read()


class _Cards:
    def __init__(self, source: Source) -> None:
        self.source, self.shown = source, source.shown(source.main)
        self.text = source.text(source.main)
        self.imported = Imported("rpg-cards")
        self.table = Table(list(_COLUMNS), copies="copies", marked_up={"contents", "subtitle", "footer"})

    def read(self) -> Imported:
        for number, card in enumerate(self._cards(), 1):
            if isinstance(card, dict):
                self._card(card, number)
            else:
                self.imported.left(Place(self.shown), f"card {number}", "it is no card")
        width, height = POKER
        deck = Deck("cards", width, height, table=self.table)
        ground = (Column("colour"),)
        deck.front = [
            Shape(Box(0, 0, width, height), fill=ground),
            Text(Box(4, 4, width - 8, 9), (Column("name"),), Font("", 14, True), ("#ffffff",), "left", "middle", "name"),
            Shape(Box(3, 14, width - 6, height - 17), fill=("#ffffff",), radius=2),
            Text(Box(6, 15.5, width - 12, 6), (Column("subtitle"),), Font("", 9), valign="middle", name="subtitle"),
            Text(Box(6, 22, width - 12, height - 33), (Column("contents"),), Font("", 9), name="contents"),
            Text(Box(6, height - 10, width - 12, 5), (Column("footer"),), Font("", 8), align="center", valign="middle",
                 name="footer"),
        ]  # fmt: skip
        self.table.columns = [name for name in _COLUMNS if any(row[name] for row in self.table.rows)]
        unused = {*_COLUMNS} - {*self.table.columns}
        deck.front = [each for each in deck.front if not (isinstance(each, Text) and each.name in unused)]
        self.imported.decks.append(deck)
        return self.imported

    def _cards(self) -> list[Tree]:
        found = self.source.json(self.source.main)
        if isinstance(found, dict):
            found = found.get("cards", found.get("data", ""))
        if not isinstance(found, list):
            raise Fault("the file has no list of cards", place=Place(self.shown))
        return found

    def _line(self, written: str) -> int | None:
        """The line of the file in which a text first occurs."""
        at = self.text.find(json.dumps(written, ensure_ascii=False)[1:-1])
        return self.text.count("\n", 0, at) + 1 if at >= 0 else None

    def _card(self, card: dict[str, Tree], number: int) -> None:
        title = _said(card, "title")
        place = Place(self.shown, self._line(title))
        row = {
            "name": from_html(title)[0].replace("\\", ""),
            "copies": _said(card, "count") or "1",
            "subtitle": "",
            "footer": "",
        }
        given = _said(card, "color_front") or _said(card, "color") or "#444444"
        found = colour(given)
        if found is None or found[0] == "none":
            self.imported.changed(place, f'"{given}" is no colour, so the card is grey')
        row["colour"] = found[0] if found and found[0] != "none" else "#444444"
        tags = card.get("tags")
        row["tags"] = ", ".join(map(str, tags)) if isinstance(tags, list) else ""
        for key in ("icon_front", "icon", "icon_back", "background_image"):
            if icon := _said(card, key):
                self.imported.left(place, f'{title or number}: {key} "{icon}"', "its font of icons is not of the project")
        for key, value in card.items():
            if key not in _KEYS and value not in ("", "false"):
                self.imported.left(place, f'{title or number}: {key} "{value}"', "there is no such setting of a card here")
        lines: list[str] = []
        contents = card.get("contents")
        for written in contents if isinstance(contents, list) else []:
            self._content(str(written), lines, row, title)
        row["contents"] = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
        self.table.rows.append(row)

    def _content(self, written: str, lines: list[str], row: dict[str, str], title: str) -> None:
        """Converts one line of a card to Markdown."""
        place = Place(self.shown, self._line(written))
        kind, *parts = (part.strip() for part in written.split("|"))
        texts = []
        for part in parts:
            text, lost = from_html(part)
            texts.append(text)
            if lost:
                self.imported.changed(place, f"{title}: the words are set without {', '.join(lost)}")
        first, rest = (texts[0] if texts else ""), " ".join(texts[1:])
        if kind == "subtitle":
            row["subtitle"] = f"*{first}*" if first else ""
        elif kind == "footer":
            row["footer"] = first
        elif kind in ("property", "swstats"):
            lines.append(f"**{first}** {rest}")
        elif kind == "description":
            lines += ["", f"***{first}.*** {rest}"]
        elif kind == "section":
            lines += ["", f"**{first.upper()}** {rest}".rstrip()]
        elif kind in ("text", "center", "justify", "right"):
            lines += ["", " ".join(texts)]
        elif kind == "bullet":
            lines.append(f"- {' '.join(texts)}")
        elif kind == "dndstats":
            lines.append("  ".join(f"**{name}** {value}" for name, value in zip(_ABILITIES, texts, strict=False)))
        elif kind in _SPACE:
            lines.append("")
        else:
            why = "it is a drawing of the page" if kind in _DRAWN else "there is no such line here"
            self.imported.left(place, f'{title}: "{written[:60]}"', why)


def _said(card: dict[str, Tree], key: str) -> str:
    value = card.get(key)
    return value.strip() if isinstance(value, str) and value not in ("true", "false") else ""


LISTS = Importer("a plain list", (*SUFFIXES, ".txt", ".md"), recognises, read, vague=True)
COCKATRICE = Importer("Cockatrice", (".xml", ".cod"), is_cockatrice, read_cockatrice)
RPGCARDS = Importer("rpg-cards", (".json", ".js"), is_rpgcards, read_rpgcards)
