"""The texts of the drawn pieces, as they were set: where on the face, how large, in what colour. For the checker."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from pnp.shapes.affine import Affine, Rect
from pnp.shapes.units import PT_PER_MM
from pnp.values.faces import Deck, Face, Fit, Piece
from pnp.values.findings import SetText
from pnp.values.game import Game, Side
from pnp.values.layers import TextBox, TextLabel, TextLayer, TextPiece
from pnp.values.problems import Place
from pnp.values.tables import Row

# Letters that hang below their line, and by how much of their size (`below` in book.typ): for texts of several lines.
TAILS = frozenset("gjpqyçşţņģķļŗąęįųQJ,;()[]{}|/@§¶ßþŋμρφχψβγηζξςруцщдфђћџ")
BELOW = 0.22
_SIDES: tuple[Side, ...] = ("front", "back")
_LEVEL = 1e-6


def shown_faces(decks: Sequence[Deck]) -> dict[str, tuple[Piece, Side, Face]]:
    """Every face that is drawn, by its key, with the first piece that shows it."""
    faces: dict[str, tuple[Piece, Side, Face]] = {}
    for deck in decks:
        for piece in deck.pieces:
            for side in _SIDES:
                face = piece.side(side)
                if face is not None and face.key:
                    faces.setdefault(face.key, (piece, side, face))
    return faces


def set_texts(game: Game, decks: Sequence[Deck], fits: Sequence[Fit]) -> tuple[SetText, ...]:
    """The texts on every face, from below to above, each for the first piece that shows its face."""
    by_layer: dict[str, list[Fit]] = {}
    for fit in fits:
        by_layer.setdefault(fit.layer, []).append(fit)
    rows = {deck.component.name: {row.id: row for row in deck.component.table} for deck in decks}
    # Texts of game.toml that any row may show stand there and in no row.
    shared = {text.strip(): game.place_of(f"texts.{key}") for key, text in game.texts.items()}
    return tuple(
        _set_text(
            piece, side, face.key, layer.pieces[fit.piece], placed.matrix, fit, rows[piece.component][piece.id], shared
        )
        for piece, side, face in shown_faces(decks).values()
        for placed in face.layers
        if isinstance(layer := placed.layer, TextLayer)
        for fit in by_layer.get(layer.key, ())
    )


def _set_text(
    piece: Piece,
    side: Side,
    face: str,
    text: TextPiece,
    matrix: Affine,
    fit: Fit,
    row: Row,
    shared: Mapping[str, Place],
) -> SetText:
    place = row.blame(text.source)
    scale = math.sqrt(abs(matrix.determinant))
    box, ink = _box(text, fit) if isinstance(text, TextBox) else _label(text, fit)
    way = text.setting if isinstance(text, TextBox) else text
    return SetText(
        piece=piece,
        side=side,
        face=face,
        name=text.name if isinstance(text, TextBox) else "",
        source=text.source,
        size_pt=round(fit.size_pt * scale, 3),
        fill=way.fill,
        bold=way.weight >= 600,
        box=matrix.bounds(box),
        ink=matrix.bounds(ink) if _upright(matrix) else None,
        place=shared.get(text.source, place) if place == row.place else place,
    )


def _upright(matrix: Affine) -> bool:
    """Turned by no more than quarters, so that a rectangle stays one."""
    return (abs(matrix.b) < _LEVEL and abs(matrix.c) < _LEVEL) or (abs(matrix.a) < _LEVEL and abs(matrix.d) < _LEVEL)


def _tail(text: str, fit: Fit) -> float:
    """Room below the last baseline that the letters take, in the layer's mm."""
    if fit.below is not None:
        return fit.below
    return BELOW * fit.size_pt / PT_PER_MM if TAILS & set(text) else 0.0


def _box(text: TextBox, fit: Fit) -> tuple[Rect, Rect]:
    """A text box and the ink in it. The book's program says how a text is set in its box; this is the same in mm."""
    box = Rect(text.x, text.y, text.width, text.height)
    room = BELOW * fit.size_pt / PT_PER_MM
    free = box.height - fit.height
    if text.setting.valign == "bottom":
        down = free - room
    elif text.setting.valign == "middle":
        down = (free - min(room, max(0.0, 2 * room - free))) / 2
    else:
        down = 0.0
    towards = text.setting.align
    if towards == "justify":
        towards = "right" if text.setting.dir == "rtl" else "left"
    along = {"left": 0.0, "center": 0.5, "right": 1.0}[towards] * (box.width - fit.width)
    return box, Rect(box.x + along, box.y + down, fit.width, fit.height + _tail(text.source, fit))


def _label(text: TextLabel, fit: Fit) -> tuple[Rect, Rect]:
    """A label has no box of its own: it is where its ink is, around a point on its baseline."""
    along = {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor]
    ink = Rect(text.x - along * fit.width, text.y - fit.height, fit.width, fit.height + _tail(text.source, fit))
    return ink, ink
