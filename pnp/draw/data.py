"""Writes layers as the data that the Typst program book.typ reads, and collects the letters that they are set in."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pnp.draw.markup import FAMILY, spans
from pnp.values.faces import (
    Block,
    Filling,
    Grid,
    Icon,
    ImageLayer,
    Layer,
    LineBreak,
    Listing,
    Paragraph,
    Rule,
    Setting,
    Span,
    Style,
    TextBox,
    TextLabel,
    TextLayer,
    TextPiece,
    TextSpan,
    Word,
)
from pnp.values.languages import dots_at

# In every font, so that a word that is written anew seldom brings a letter that was in none, and changes all parts.
COMMON = (*string.ascii_letters, *string.digits, *string.punctuation)
# Letters that many fonts join to one of its own.
JOINED = (
    *("fb", "ff", "fh", "fi", "fj", "fk", "fl", "ft", "ffb", "ffh", "ffi", "ffj", "ffk", "ffl", "fft"),
    *("tt", "ti", "Th"),
)
# What the engine adds to words that it parts, and to lists.
_HYPHENS, _MARKERS = "-\u2010", "•"

_Way = tuple[tuple[str, ...], int, Style, str, str]


class Letters(NamedTuple):
    """The letters, and groups of letters, of all texts of one setting."""

    fonts: tuple[str, ...]
    weight: int
    style: Style
    lang: str
    eastern: str
    letters: tuple[str, ...]


def letters_of(layers: Iterable[Layer]) -> tuple[Letters, ...]:
    """The letters of all texts of these layers, by setting."""
    found: dict[_Way, set[str]] = {}
    for layer in layers:
        for piece in layer.pieces if isinstance(layer, TextLayer) else ():
            for text, way in _set_in(piece):
                found.setdefault(way, {*COMMON, *JOINED}).update(text)
    return tuple(Letters(*way, tuple(sorted(letters))) for way, letters in sorted(found.items()))


def text_spans(layer: TextLayer) -> Iterator[TextSpan]:
    for piece in layer.pieces:
        if isinstance(piece, TextBox):
            yield from (span for span in spans(piece.blocks) if isinstance(span, TextSpan))


def _set_in(piece: TextPiece) -> Iterator[tuple[str, _Way]]:
    if not isinstance(piece, TextBox):
        yield piece.source, (piece.fonts, piece.weight, piece.style, piece.lang or "en", piece.eastern)
        return
    setting = piece.setting
    plain = (setting.fonts, setting.weight, setting.style, setting.lang, setting.eastern)
    if piece.hyphenate:
        yield _HYPHENS, plain
    if _has(piece, Listing):
        yield _MARKERS, plain
    for span in spans(piece.blocks):
        if isinstance(span, TextSpan):
            weight = setting.heavy if span.bold else setting.weight
            style: Style = "italic" if span.italic else setting.style
            way = ((FAMILY,), weight, "normal") if span.symbol else (setting.fonts, weight, style)
            yield span.text + span.ruby, (*way, setting.lang, setting.eastern)


Data = dict[str, object]


def page(layer: Layer) -> Data:
    """A layer as a page of the book; each text has an id, under which its fit is reported."""
    if isinstance(layer, ImageLayer):
        return drawing(layer.file, layer.fit, layer.width, layer.height)
    made = [{**_piece(piece), **_eased(piece), "id": [layer.key, index]} for index, piece in enumerate(layer.pieces)]
    return _texts(made, layer.width, layer.height)


def _eased(piece: TextPiece) -> Data:
    """Properties of a text that are found faster here than by the Typst program."""
    if not isinstance(piece, TextBox):
        return _tongue(piece.lang or "en")
    plain: str | None = None
    match piece.blocks:
        case (Paragraph((TextSpan(text) as span,)),) if span == TextSpan(text):
            plain = text
    return {"plain": plain, "lists": _has(piece, Listing), "tables": _has(piece, Grid), **_tongue(piece.setting.lang)}


def _has(box: TextBox, kind: type[Block]) -> bool:
    return any(isinstance(block, kind) for block in box.blocks)


def _tongue(code: str) -> Data:
    """Splits a language code such as zh-TW into Typst's ``lang`` and ``region``; None for no region."""
    lang, *country = code.split("-")
    return {"lang": lang, "region": country[0] if country else None}


def drawing(file: str, fit: Filling, width: float, height: float) -> Data:
    return {"kind": "image", "file": file, "fit": fit, "w": width, "h": height}


def texts(pieces: Iterable[TextPiece], width: float, height: float) -> Data:
    return _texts([_piece(piece) for piece in pieces], width, height)


def letters(ways: Iterable[Letters]) -> list[Data]:
    """The page of all letters, with which every part of the book begins."""
    return [{**way._asdict(), **_tongue(way.lang)} for way in ways]


def _texts(pieces: Sequence[Data], width: float, height: float) -> Data:
    return {"kind": "text", "pieces": pieces, "w": width, "h": height}


def _piece(piece: TextPiece) -> Data:
    if isinstance(piece, TextBox):
        return _box(piece)
    made = {"kind": "label", "text": piece.source, **_fields(piece)}
    if not piece.lang:
        del made["lang"]
    return made


def _fields(value: TextLabel | Setting) -> Data:
    return {name: getattr(value, name) for name in value.__slots__}


def _box(box: TextBox) -> Data:
    setting = box.setting
    icons = {icon.name: icon for icon in box.icons}
    of_all = _fields(setting)
    if not setting.same:
        del of_all["same"]
    return {
        **of_all,
        "kind": "box",
        "name": box.name,
        "source": box.source,
        "x": box.x,
        "y": box.y,
        "w": box.width,
        "h": box.height,
        "hyphenate": box.hyphenate,
        "blocks": [_block(block, icons, setting) for block in box.blocks],
        "words": _words(box.words, setting),
    }


def _block(block: Block, icons: Mapping[str, Icon], setting: Setting) -> Data:
    if isinstance(block, Paragraph):
        return {"kind": "paragraph", "spans": [_span(span, icons, setting) for span in block.spans]}
    if isinstance(block, Rule):
        return {"kind": "rule"}
    if isinstance(block, Grid):
        head, *rows = ([[_span(span, icons, setting) for span in cell] for cell in row] for row in (block.head, *block.rows))
        longest = [_words(words, setting) for words in block.longest]
        return {"kind": "table", "head": head, "rows": rows, "align": block.align, "longest": longest}
    items = [[_block(inner, icons, setting) for inner in item] for item in block.items]
    if block.start is None:
        return {"kind": "bullets", "items": items}
    return {"kind": "numbers", "items": items, "start": block.start, "numbering": f"1{block.mark}"}


def _words(words: Iterable[Word], setting: Setting) -> list[list[Data]]:
    return [[_span(span, {}, setting) for span in word] for word in words]


def _span(span: Span, icons: Mapping[str, Icon], setting: Setting) -> Data:
    if isinstance(span, TextSpan):
        made: Data = {"text": span.text}
        if span.bold:
            made.update(bold=True, heavy=setting.heavy)
        if span.italic:
            made["italic"] = True
        if span.fill:
            made["fill"] = span.fill
        if span.thick:
            made["thick"] = span.fill or setting.fill
        if span.symbol:
            made["symbol"] = FAMILY
        if span.ruby:
            made["ruby"] = span.ruby
        if span.dots:
            made["dots"] = dots_at(setting.lang)
        made.update({key: True for key in ("underline", "strike", "slant") if getattr(span, key)})
        return made
    if isinstance(span, LineBreak):
        return {"break": True}
    icon = icons[span.name]
    return {"name": span.name, "icon": icon.file, "ratio": icon.ratio}
