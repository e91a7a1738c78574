"""Where the studio's pages find pictures of faces."""

from __future__ import annotations

from html import escape

from pnp.values.seen import FaceSeen

# Pictures are made so many dots wide, so that a size near another one is not made again.
STEPS = (150, 300, 600, 1200, 2400, 4800)


def picture(game: str, face: FaceSeen, width: float, bleed: bool = False) -> str:
    """The address of a face's picture, fine enough to be shown so many pixels wide on a fine screen."""
    dots = next((step for step in STEPS if step >= 2 * width), STEPS[-1])
    return f"/face/{escape(game, quote=True)}/{face.key}.png?dots={dots}{'&amp;bleed=1' if bleed else ''}"
