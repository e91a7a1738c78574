"""Cockatrice: card databases (cards.xml) and deck lists (.cod)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pnp.flows.imports.deck import Deck, Imported, Table
from pnp.flows.imports.lists import POKER, plain_card
from pnp.flows.imports.pictures import Pictures
from pnp.flows.imports.source import CannotImport, Source
from pnp.values.problems import Place

if TYPE_CHECKING:
    from lxml import etree

MOST_CARDS = 5_000
# What the program itself needs of a card, and nobody reads on it.
_INNER = {"tablerow", "token", "cipt", "upsidedown", "related", "reverse-related", "font", "landscapeOrientation"}
_FIRST = ("name", "copies", "manacost", "type", "text", "pt", "loyalty")


def recognises(source: Source) -> bool:
    suffix = source.main.suffix.lower()
    return suffix in (".xml", ".cod") and "<cockatrice_" in source.text(source.main)[:8000]


def read(source: Source) -> Imported:
    """Raises CannotImport."""
    root = source.xml(source.main)
    imported = Imported("Cockatrice")
    if root.tag == "cockatrice_deck":
        table = _deck(root, source, imported)
    elif root.tag == "cockatrice_carddatabase":
        table = _cards(root, source, imported)
    else:
        raise CannotImport(Place(source.shown(source.main), 1), f"<{root.tag!s}> is neither a deck nor a card database")
    deck = Deck("cards", *POKER, table=table)
    deck.front = plain_card(table, Pictures(source, imported), Place(source.shown(source.main), 1), imported)
    imported.decks.append(deck)
    return imported


def _cards(root: etree._Element, source: Source, imported: Imported) -> Table:
    shown = source.shown(source.main)
    table = Table()
    columns: dict[str, None] = {"name": None}
    pictured = 0
    nodes = root.findall("cards/card")
    for node in nodes[:MOST_CARDS]:
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
        imported.carried += 1
    if len(nodes) > MOST_CARDS:
        imported.left(Place(shown, nodes[MOST_CARDS].sourceline), f"the cards from here on, {len(nodes) - MOST_CARDS}",
                      f"a game of more than {MOST_CARDS} cards is no print at home")  # fmt: skip
    if pictured:
        imported.left(Place(shown), f"the pictures of {pictured} cards", "they are on the web, and nothing is fetched")
    table.columns = sorted(columns, key=lambda name: (_FIRST.index(name) if name in _FIRST else len(_FIRST), name))
    return table


def _deck(root: etree._Element, source: Source, imported: Imported) -> Table:
    """A deck's cards; what they say comes from a database beside it, where there is one."""
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
        if recognises(other) and (found := other.xml(path)).tag == "cockatrice_carddatabase":
            cards = _cards(found, other, Imported(""))
            known |= {row.get("name", "").casefold(): row for row in cards.rows}
            table.columns += [name for name in cards.columns if name not in table.columns]
    for zone in root.findall("zone"):
        for card in zone.findall("card"):
            name = (card.get("name") or "").strip()
            if not name or len(table.rows) >= MOST_CARDS:
                imported.left(Place(shown, card.sourceline), "a card", "it has no name, or there are too many of them")
                continue
            row = {**known.get(name.casefold(), {}), "name": name, "copies": card.get("number") or "1"}
            table.rows.append(row | {"zone": zone.get("name") or ""})
            imported.carried += 1
    if not known and table.rows:
        imported.left(Place(shown), "what the cards say", "a deck list has names alone, and no cards.xml lies beside it")
    return table
