"""The letters that the texts of many layers are set in.

The engine puts into a document those letters of a font that occur in it, in the order in which they first do. Parts of a
book that all begin with the same letters have the very same fonts, and a file made of the parts needs each once.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pnp.draw.markup import spans
from pnp.draw.symbols import FAMILY
from pnp.values.layers import Layer, Listing, Style, TextBox, TextLayer, TextPiece, TextSpan

# In every font, so that a word that is written anew seldom brings a letter that was in none, and changes all parts.
COMMON = (*string.ascii_letters, *string.digits, *string.punctuation)
# Letters that many fonts join to one of its own.
JOINED = (
    *("fb", "ff", "fh", "fi", "fj", "fk", "fl", "ft", "ffb", "ffh", "ffi", "ffj", "ffk", "ffl", "fft"),
    *("tt", "ti", "Th"),
)
# What the engine adds to words that it parts, and to lists.
_HYPHENS, _MARKERS = "-\u2010", "•"

_Way = tuple[tuple[str, ...], int, Style, str]


@dataclass(frozen=True, slots=True)
class Letters:
    """The letters, and groups of letters, of all texts that are set in one way."""

    fonts: tuple[str, ...]
    weight: int
    style: Style
    lang: str
    letters: tuple[str, ...]


def letters_of(layers: Iterable[Layer]) -> tuple[Letters, ...]:
    """For each way of setting the letters of all texts of these layers, and some."""
    found: dict[_Way, set[str]] = {}
    for layer in layers:
        for piece in layer.pieces if isinstance(layer, TextLayer) else ():
            for text, way in _set_in(piece):
                found.setdefault(way, {*COMMON, *JOINED}).update(text)
    return tuple(Letters(*way, tuple(sorted(letters))) for way, letters in sorted(found.items()))


def text_spans(layer: TextLayer) -> Iterator[TextSpan]:
    """The spans of letters of all its boxes."""
    for piece in layer.pieces:
        if isinstance(piece, TextBox):
            yield from (span for span in spans(piece.blocks) if isinstance(span, TextSpan))


def _set_in(piece: TextPiece) -> Iterator[tuple[str, _Way]]:
    """The texts of a box or label, and how they are set."""
    if not isinstance(piece, TextBox):
        yield piece.source, (piece.fonts, piece.weight, piece.style, "en")
        return
    setting = piece.setting
    if piece.hyphenate:
        yield _HYPHENS, (setting.fonts, setting.weight, setting.style, setting.lang)
    if any(isinstance(block, Listing) for block in piece.blocks):
        yield _MARKERS, (setting.fonts, setting.weight, setting.style, setting.lang)
    for span in spans(piece.blocks):
        if isinstance(span, TextSpan):
            weight = setting.heavy if span.bold else setting.weight
            style: Style = "italic" if span.italic else setting.style
            way = ((FAMILY,), weight, "normal") if span.symbol else (setting.fonts, weight, style)
            yield span.text, (*way, setting.lang)
