"""Cards of rpg-cards: JSON in which every card is a list of lines, such as "property | Range | 60 ft"."""

from __future__ import annotations

import json
import re

from pnp.flows.imports.deck import Box, Column, Deck, Font, Imported, Shape, Table, Text
from pnp.flows.imports.lists import POKER
from pnp.flows.imports.source import CannotImport, Source
from pnp.flows.imports.words import colour, from_html
from pnp.read.trees import Tree
from pnp.values.problems import Place

MOST_CARDS = 5_000
_ABILITIES = ("STR", "DEX", "CON", "INT", "WIS", "CHA")
# Lines that are there for how a card looks alone.
_SPACE = {"rule", "ruler", "fill", "p2e_ruler", "", "divider"}
_DRAWN = {"boxes", "picture", "icon", "rawhtml", "table", "p2e_start_trait_section", "p2e_end_trait_section"}
_KEYS = ("count", "color", "color_front", "title", "icon", "icon_front", "icon_back", "background_image", "contents", "tags")
_COLUMNS = ("name", "copies", "subtitle", "contents", "footer", "colour", "tags")


def recognises(source: Source) -> bool:
    if source.main.suffix.lower() not in (".json", ".js"):
        return False
    start = source.text(source.main)[:20_000]
    return bool(re.search(r'"contents"\s*:\s*\[', start)) and '"title"' in start


def read(source: Source) -> Imported:
    """Raises CannotImport."""
    return _Cards(source).read()


class _Cards:
    def __init__(self, source: Source) -> None:
        self.source, self.shown = source, source.shown(source.main)
        self.text = source.text(source.main)
        self.imported = Imported("rpg-cards")
        self.table = Table(list(_COLUMNS), copies="copies", marked_up={"contents", "subtitle", "footer"})

    def read(self) -> Imported:
        cards = self._cards()
        for number, card in enumerate(cards[:MOST_CARDS], 1):
            if isinstance(card, dict):
                self._card(card, number)
            else:
                self.imported.left(Place(self.shown), f"card {number}", "it is no card")
        if len(cards) > MOST_CARDS:
            self.imported.left(Place(self.shown), f"{len(cards) - MOST_CARDS} cards", f"there are more than {MOST_CARDS}")
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
        for column in ("subtitle", "footer"):
            if not any(row[column] for row in self.table.rows):
                deck.front = [each for each in deck.front if not (isinstance(each, Text) and each.name == column)]
        self.table.columns = [name for name in _COLUMNS if any(row[name] for row in self.table.rows)]
        self.imported.decks.append(deck)
        return self.imported

    def _cards(self) -> list[Tree]:
        found = self.source.json(self.source.main)
        if isinstance(found, dict):
            found = found.get("cards", found.get("data", ""))
        if not isinstance(found, list):
            raise CannotImport(Place(self.shown), "the file has no list of cards")
        return found

    def _line(self, written: str) -> int | None:
        """The line of the file in which a text stands first."""
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
        """One line of a card as Markdown."""
        place = Place(self.shown, self._line(written))
        kind, *parts = (part.strip() for part in written.split("|"))
        texts = []
        for part in parts:
            text, lost = from_html(part)
            texts.append(text)
            if lost:
                self.imported.changed(place, f"{title}: the words are set without {', '.join(lost)}")
        first, rest = (texts[0] if texts else ""), " ".join(texts[1:])
        self.imported.carried += 1
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
            self.imported.carried -= 1


def _said(card: dict[str, Tree], key: str) -> str:
    value = card.get(key)
    return value.strip() if isinstance(value, str) and value not in ("true", "false") else ""
