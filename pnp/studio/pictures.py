"""Where the studio's pages find pictures of faces."""

from __future__ import annotations

from html import escape

from pnp.values.seen import FaceSeen

# Pictures are made so many dots wide, so that a size near another one is not made again.
STEPS = (150, 300, 450, 600, 900, 1200, 1800, 2400, 3600, 4800)


def picture(game: str, face: FaceSeen, width: float, bleed: bool = False, eyes: str = "") -> str:
    """The address of a face's picture, fine enough to be shown so many pixels wide on a fine screen."""
    more = ("&amp;bleed=1" if bleed else "") + (f"&amp;eyes={eyes}" if eyes else "")
    return f"/face/{escape(game, quote=True)}/{face.key}.png?dots={_dots(2 * width)}{more}"


def image(game: str, key: str, width: float, height: float, alt: str, classes: str = "", eyes: str = "") -> str:
    """A page's picture so large in pixels, fetched when it comes into view, as fine as the screen is."""
    at = f"/face/{escape(game, quote=True)}/{key}.png?{f'eyes={eyes}&amp;' if eyes else ''}dots="
    once, twice = _dots(width), _dots(2 * width)
    return (
        f'<img loading="lazy" decoding="async" class="{classes}" width="{width:.0f}" height="{height:.0f}" '
        f'alt="{escape(alt, quote=True)}" src="{at}{once}" srcset="{at}{once} 1x, {at}{twice} 2x">'
    )


def _dots(width: float) -> int:
    return next((step for step in STEPS if step >= width), STEPS[-1])
