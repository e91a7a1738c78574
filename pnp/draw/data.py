"""Layers as data that the book's fixed program, book.typ, reads: here alone their fields become keys.

A layer's key is a digest of this data, so what changes here parts the book anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pnp.draw.letters import Letters
from pnp.draw.symbols import FAMILY
from pnp.values.layers import (
    Block,
    Filling,
    Grid,
    Icon,
    ImageLayer,
    Layer,
    LineBreak,
    Paragraph,
    Rule,
    Setting,
    Span,
    TextBox,
    TextPiece,
    TextSpan,
    Word,
)

Data = dict[str, object]


def page(layer: Layer) -> Data:
    """A page of the book; each text on it has an id, under which it is reported how it came out."""
    if isinstance(layer, ImageLayer):
        return drawing(layer.file, layer.fit, layer.width, layer.height)
    made = [{**_piece(piece), "id": [layer.key, index]} for index, piece in enumerate(layer.pieces)]
    return _texts(made, layer.width, layer.height)


def drawing(file: str, fit: Filling, width: float, height: float) -> Data:
    return {"kind": "image", "file": file, "fit": fit, "w": width, "h": height}


def texts(pieces: Iterable[TextPiece], width: float, height: float) -> Data:
    return _texts([_piece(piece) for piece in pieces], width, height)


def letters(ways: Iterable[Letters]) -> list[Data]:
    """The letters that all parts of a book begin with."""
    return [
        {"fonts": way.fonts, "weight": way.weight, "style": way.style, "lang": way.lang, "letters": way.letters}
        for way in ways
    ]


def _texts(pieces: Sequence[Data], width: float, height: float) -> Data:
    return {"kind": "text", "pieces": pieces, "w": width, "h": height}


def _piece(piece: TextPiece) -> Data:
    if isinstance(piece, TextBox):
        return _box(piece)
    return {
        "kind": "label",
        "source": piece.source,
        "text": piece.source,
        "x": piece.x,
        "y": piece.y,
        "fonts": piece.fonts,
        "size": piece.size,
        "fill": piece.fill,
        "weight": piece.weight,
        "style": piece.style,
        "anchor": piece.anchor,
    }


def _box(box: TextBox) -> Data:
    setting = box.setting
    icons = {icon.name: icon for icon in box.icons}
    return {
        "kind": "box",
        "name": box.name,
        "source": box.source,
        "x": box.x,
        "y": box.y,
        "w": box.width,
        "h": box.height,
        "fonts": setting.fonts,
        "sizes": setting.sizes,
        "fill": setting.fill,
        "weight": setting.weight,
        "style": setting.style,
        "lang": setting.lang,
        "dir": setting.dir,
        "hyphenate": box.hyphenate,
        "leading": setting.leading,
        "tracking": setting.tracking,
        "align": setting.align,
        "valign": setting.valign,
        "blocks": [_block(block, icons, setting) for block in box.blocks],
        "words": _words(box.words, setting),
        **({"same": setting.same} if setting.same else {}),
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
        made.update({key: True for key in ("underline", "strike", "slant") if getattr(span, key)})
        return made
    if isinstance(span, LineBreak):
        return {"break": True}
    icon = icons[span.name]
    return {"name": span.name, "icon": icon.file, "ratio": icon.ratio}
