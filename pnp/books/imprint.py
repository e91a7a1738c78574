"""The lines of an imprint: what game.toml says of the game, and what its fonts say of themselves."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pnp import __version__
from pnp.values.game import Game

# In a font's table of names: https://learn.microsoft.com/typography/opentype/spec/name
_COPYRIGHT, _LICENCE, _LICENCE_URL = 0, 13, 14
_KEYS = ("designer", "year", "players", "source", "licence", "note")


def imprint_lines(game: Game, files: Mapping[str, Path], roles: Mapping[str, str]) -> list[tuple[str, str]]:
    """(key, text) in the order they are printed; ``files`` are fonts by family, ``roles`` families by what they are for."""
    lines = [("game", game.title), *((key, game.about[key]) for key in _KEYS if key in game.about)]
    families = [family for family in dict.fromkeys(roles.values()) if family in files]
    fonts = "; ".join(f"{family} ({_terms(files[family])})" for family in families)
    return [*lines, ("version", game.version), ("fonts", fonts), ("made with", f"pnp-press {__version__}")]


def _terms(path: Path) -> str:
    """The licence of a font in a few words."""
    from fontTools.ttLib import TTFont

    with TTFont(path, lazy=True, fontNumber=0) as font:
        names = font["name"]
        said = " ".join(str(names.getDebugName(key) or "") for key in (_LICENCE, _LICENCE_URL, _COPYRIGHT))
    if "Open Font License" in said or "OFL" in said:
        return "SIL Open Font License"
    if "Apache" in said:
        return "Apache License"
    first = said.strip().split(". ")[0]
    return first[:80] or "terms unknown"
