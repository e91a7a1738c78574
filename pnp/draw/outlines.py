"""Text layers → SVG with the letters as outlines, for faces that leave the house as SVG files."""

from __future__ import annotations

from collections.abc import Sequence

from pnp.draw.book import compile_layers
from pnp.draw.fonts import Fonts
from pnp.values.faces import Layer


def text_outlines(layers: Sequence[Layer], fonts: Fonts) -> dict[str, str]:
    """An SVG, in the layer's mm, for every text layer by its key; glyphs are shapes, no font is needed."""
    texts = [layer for layer in layers if layer.data["kind"] == "text"]
    if not texts:
        return {}
    made, _ = compile_layers(texts, fonts, "svg")
    pages = made if isinstance(made, list) else [made]
    return {layer.key: page.decode() for layer, page in zip(texts, pages, strict=True)}
