"""Plain lists: "3 Goblin" a line, or a table alone. Its columns stand one below the other, for a start."""

from __future__ import annotations

import re

from pnp.flows.imports.deck import Box, Column, Deck, Element, Font, Imported, Picture, Shape, Table, Text
from pnp.flows.imports.pictures import Pictures
from pnp.flows.imports.source import CannotImport, Source
from pnp.read.grid import SUFFIXES
from pnp.system.artfiles import ENDINGS
from pnp.values.problems import Place, listed
from pnp.values.tables import COPIES

_LINE = re.compile(r"(?:[-*+•]\s+|\d{1,4}[.)]\s+)?(?:(\d{1,4})\s*[x×]?\s+)?(.*?)(?:\s+[x×]\s*(\d{1,4})|\t\s*(\d{1,4}))?")
_MOST_SHOWN = 9
_LONGEST = 300
# The title's names, in the order in which they are taken.
_TITLES = ("name", "title", "card", "card_name", "cardname")
POKER = (63.5, 88.9)


def recognises(source: Source) -> bool:
    return source.main.suffix.lower() in (*SUFFIXES, ".txt", ".md")


def read(source: Source) -> Imported:
    """Raises CannotImport."""
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
    imported.carried = len(table.columns)
    return imported


def plain_card(table: Table, pictures: Pictures, place: Place, imported: Imported) -> list[Element]:
    """A card for a table that comes without any layout: a title, a picture, and the other columns as lines."""
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
            imported.left(
                Place(shown, number), f'"{words[:60]}"', "the line has no name of a card, or one too long for a list"
            )
            continue
        if words.endswith(":") or words.casefold() in ("sideboard", "maindeck", "deck"):
            imported.left(Place(shown, number), f'the heading "{words}"', "a list has no headings here")
            continue
        table.rows.append({"name": found[2].strip(), "copies": found[1] or found[3] or found[4] or "1"})
    if not table.rows:
        raise CannotImport(Place(shown), "the list has no line with a card", allowed='a card a line, such as "3 Goblin"')
    return table
