"""Text layers → SVG with the letters as outlines, for faces that leave the house as SVG files."""

from __future__ import annotations

from collections.abc import Sequence

from pnp.draw.book import text_pages
from pnp.draw.fonts import Fonts
from pnp.values.layers import Layer, TextLayer


def text_outlines(layers: Sequence[Layer], fonts: Fonts) -> dict[str, str]:
    """An SVG, in the layer's mm, for every text layer by its key; glyphs are shapes, no font is needed."""
    texts = [layer for layer in layers if isinstance(layer, TextLayer)]
    if not texts:
        return {}
    return {layer.key: page.decode() for layer, page in zip(texts, text_pages(texts, fonts), strict=True)}
