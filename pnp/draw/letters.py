"""The letters that the texts of many layers are set in.

The engine puts into a document those letters of a font that occur in it, in the order in which they first do. Parts of a
book that all begin with the same letters have the very same fonts, and a file made of the parts needs each once.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pnp.values.faces import Layer

# In every font, so that a word that is written anew seldom brings a letter that was in none, and changes all parts.
COMMON = (*string.ascii_letters, *string.digits, *string.punctuation)
# Letters that many fonts join to one of its own.
JOINED = (
    *("fb", "ff", "fh", "fi", "fj", "fk", "fl", "ft", "ffb", "ffh", "ffi", "ffj", "ffk", "ffl", "fft"),
    *("tt", "ti", "Th"),
)
# What the engine adds to words that it parts, and to lists.
_HYPHENS, _MARKERS = "-\u2010", "•"

Letters = Sequence[Mapping[str, Any]]


def letters_of(layers: Iterable[Layer]) -> Letters:
    """For each way of setting, as the book's fixed program reads it, the letters of all texts of these layers, and some."""
    found: dict[tuple[tuple[str, ...], int, str, str], set[str]] = {}
    for layer in layers:
        if layer.data["kind"] == "text":
            pieces: Any = layer.data["pieces"]
            for piece in pieces:
                for text, weight, style in _set_in(piece):
                    way = (tuple(piece["fonts"]), weight, style, piece.get("lang", "en"))
                    found.setdefault(way, {*COMMON, *JOINED}).update(text)
    return [
        {"fonts": list(fonts), "weight": weight, "style": style, "lang": lang, "letters": sorted(letters)}
        for (fonts, weight, style, lang), letters in sorted(found.items())
    ]


def _set_in(piece: dict[str, Any]) -> Iterator[tuple[str, int, str]]:
    """The texts of a box or label, with their weight and style."""
    weight, style = piece["weight"], piece["style"]
    if piece["kind"] == "label":
        yield piece["text"], weight, style
        return
    if piece["hyphenate"]:
        yield _HYPHENS, weight, style
    yield from _in_blocks(piece["blocks"], weight, style)


def _in_blocks(blocks: Iterable[dict[str, Any]], weight: int, style: str) -> Iterator[tuple[str, int, str]]:
    for block in blocks:
        if block["kind"] != "paragraph":
            yield _MARKERS, weight, style
            for item in block["items"]:
                yield from _in_blocks(item, weight, style)
            continue
        for span in block["spans"]:
            if "text" in span:
                yield span["text"], span.get("heavy", weight), "italic" if span.get("italic") else style
