"""The tools whose projects pnp reads, and by what their files are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pnp.flows.imports import cardmaker, cider, cockatrice, lists, rpgcards
from pnp.flows.imports.deck import Imported
from pnp.flows.imports.nandeck import drawing as nandeck
from pnp.flows.imports.source import Source
from pnp.flows.imports.squib import project as squib
from pnp.read.grid import SUFFIXES


@dataclass(frozen=True, slots=True)
class Importer:
    """One tool: what people call it, what its files look like, and who reads them."""

    title: str
    suffixes: tuple[str, ...]
    recognises: Callable[[Source], bool]
    """Whether the named file is of this tool; asked in the order below, so that the vaguest comes last."""
    read: Callable[[Source], Imported]


IMPORTERS: dict[str, Importer] = {
    "squib": Importer("Squib", (".rb",), squib.recognises, squib.read),
    "cardmaker": Importer("CardMaker", (".cmp",), cardmaker.recognises, cardmaker.read),
    "cockatrice": Importer("Cockatrice", (".xml", ".cod"), cockatrice.recognises, cockatrice.read),
    "rpg-cards": Importer("rpg-cards", (".json", ".js"), rpgcards.recognises, rpgcards.read),
    "cider": Importer("Cider", (".html", ".csv"), cider.recognises, cider.read),
    "nandeck": Importer("nanDECK", (".nde", ".txt"), nandeck.recognises, nandeck.read),
    "list": Importer("a plain list", (*SUFFIXES, ".txt", ".md"), lists.recognises, lists.read),
}
