"""How much of a foreign card is bleed, where its project does not say."""

from __future__ import annotations

from pnp.read import presets

EIGHTH = 3.175
"""What printers of single cards ask for on each side: an eighth of an inch."""
_NEAR = 0.16


def taken_for_bleed(width: float, height: float) -> float:
    """An eighth of an inch when a known size of cards is left within it, and the whole is none; else 0."""
    sizes = [presets.card_size(name) for name in presets.size_names()]

    def known(off: float) -> bool:
        return any(abs(width - 2 * off - w) < _NEAR and abs(height - 2 * off - h) < _NEAR for w, h in sizes)

    return EIGHTH if known(EIGHTH) and not known(0) else 0


SAID = "the outer 3.175 mm are taken for bleed, since a known size of cards is within it"
