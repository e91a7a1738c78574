"""The lines of an imprint: what game.toml says of the game, and what its fonts say of themselves."""

from __future__ import annotations

from collections.abc import Mapping

from pnp import __version__
from pnp.values.game import Game
from pnp.values.words import N_

_KEYS = ("designer", "year", "players", "source", "licence", "note")
# What stands before each line unless a book says otherwise.
LABELS = {
    "game": N_("Game"),
    "designer": N_("Designer"),
    "year": N_("Year"),
    "players": N_("Players"),
    "source": N_("Source"),
    "licence": N_("Licence"),
    "note": N_("Note"),
    "version": N_("Version"),
    "fonts": N_("Fonts"),
    "made with": N_("Made with"),
}


def imprint_lines(game: Game, licences: Mapping[str, str]) -> list[tuple[str, str]]:
    """(key, text) in the order they are printed; ``licences`` are those of the fonts, by family."""
    lines = [("game", game.title), *((key, game.about[key]) for key in _KEYS if key in game.about)]
    fonts = "; ".join(f"{family} ({licence})" for family, licence in licences.items())
    return [*lines, ("version", game.version), ("fonts", fonts), ("made with", f"pnp-press {__version__}")]
