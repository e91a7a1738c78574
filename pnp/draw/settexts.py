"""Finds the set texts of the drawn pieces, and sets boxes with ``data-same`` in one size on all pieces."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pnp.draw.cards import DrawContext
from pnp.draw.layer_pdf import measured
from pnp.shapes.affine import Affine, Rect
from pnp.shapes.units import PT_PER_MM
from pnp.system.cache import digest
from pnp.values.faces import Deck, Face, Fit, Layer, Piece, TextBox, TextLabel, TextLayer, TextPiece
from pnp.values.findings import SetText
from pnp.values.game import Game, Side
from pnp.values.walk import grouped

# Letters that hang below their line, and by how much of their size (`below` in book.typ): for texts of several lines.
TAILS = frozenset("gjpqyçşţņģķļŗąęįųQJ,;()[]{}|/@§¶ßþŋμρφχψβγηζξςруцщдфђћџ")
BELOW = 0.22
_SIDES: tuple[Side, ...] = ("front", "back")
_LEVEL = 1e-6


def shown_faces(decks: Sequence[Deck]) -> dict[str, tuple[Piece, Side, Face]]:
    """Every drawn face by its key, with the first piece that shows it."""
    faces: dict[str, tuple[Piece, Side, Face]] = {}
    for deck in decks:
        for piece in deck.pieces:
            for side in _SIDES:
                face = piece.side(side)
                if face is not None and face.key:
                    faces.setdefault(face.key, (piece, side, face))
    return faces


def set_texts(game: Game, decks: Sequence[Deck], fits: Sequence[Fit]) -> tuple[SetText, ...]:
    """The texts of every face from bottom to top, each for the first piece that shows its face."""
    by_layer = grouped((fit.layer, fit) for fit in fits)
    rows = {deck.component.name: {row.id: row for row in deck.component.table} for deck in decks}
    # Texts of game.toml that any row may show stand there and in no row.
    shared = {text.strip(): game.place_of(f"texts.{key}") for key, text in game.texts.items()}
    made = []
    for piece, side, face in shown_faces(decks).values():
        row = rows[piece.component][piece.id]
        for placed in face.layers:
            layer, matrix = placed.layer, placed.matrix
            if not isinstance(layer, TextLayer):
                continue
            for fit in by_layer.get(layer.key, ()):
                text = layer.pieces[fit.piece]
                way = text.setting if isinstance(text, TextBox) else text
                box, ink = _box(text, fit) if isinstance(text, TextBox) else _label(text, fit)
                place = row.blame(text.source)
                made.append(
                    SetText(
                        piece=piece,
                        side=side,
                        face=face.key,
                        name=text.name if isinstance(text, TextBox) else "",
                        source=text.source,
                        size_pt=round(fit.size_pt * math.sqrt(abs(matrix.determinant)), 3),
                        fill=way.fill,
                        bold=way.weight >= 600,
                        box=matrix.bounds(box),
                        ink=matrix.bounds(ink) if _upright(matrix) else None,
                        place=shared.get(text.source, place) if place == row.place else place,
                    )
                )
    return tuple(made)


def _upright(matrix: Affine) -> bool:
    """Whether a map turns by quarters only, so that rectangles stay rectangles."""
    return (abs(matrix.b) < _LEVEL and abs(matrix.c) < _LEVEL) or (abs(matrix.a) < _LEVEL and abs(matrix.d) < _LEVEL)


def _tail(text: str, fit: Fit) -> float:
    if fit.below is not None:
        return fit.below
    return BELOW * fit.size_pt / PT_PER_MM if TAILS & set(text) else 0.0


def _box(text: TextBox, fit: Fit) -> tuple[Rect, Rect]:
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
    along = {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor]
    ink = Rect(text.x - along * fit.width, text.y - fit.height, fit.width, fit.height + _tail(text.source, fit))
    return ink, ink


def in_one_size(decks: Sequence[Deck], context: DrawContext) -> list[Deck]:
    """The decks with all boxes of one ``data-same`` name in one size."""
    if not (layers := {layer.key: layer for deck in decks for layer in _alike(deck)}):
        return list(decks)
    # Nothing is on them but what is to be measured.
    alone = [replace(layer, pieces=tuple(_boxes(layer))) for layer in layers.values()]
    fits = measured(alone, context.tools.fonts, context.cache)
    sizes = {(fit.layer, fit.piece): fit.size_pt for fit in fits}
    return [_levelled(deck, sizes, context) for deck in decks]


def _levelled(deck: Deck, sizes: dict[tuple[str, int], float], context: DrawContext) -> Deck:
    smallest: dict[str, float] = {}
    ranges: dict[str, tuple[float, ...]] = {}
    for layer in _alike(deck):
        for number, box in enumerate(_boxes(layer)):
            name, own = box.setting.same, box.setting.sizes
            if ranges.setdefault(name, own) != own:
                _tell(deck, layer, box, ranges[name], context)
            smallest[name] = min(smallest.get(name, own[0]), sizes.get((layer.key, number), own[-1]))
    if not smallest:
        return deck
    changed: dict[str, Layer] = {layer.key: _resized(layer, smallest) for layer in _alike(deck)}
    for before, after in changed.items():
        context.origins.setdefault(after.key, context.origins[before])

    def face(old: Face) -> Face:
        layers = tuple(replace(placed, layer=changed.get(placed.layer.key, placed.layer)) for placed in old.layers)
        if layers == old.layers:
            return old
        new = replace(old, key=digest(old.key, *(placed.layer.key for placed in layers)), layers=layers)
        context.replace(old, new)
        return new

    def piece(old: Piece) -> Piece:
        return replace(old, front=face(old.front), back=old.back and face(old.back))

    return replace(deck, pieces=tuple(map(piece, deck.pieces)))


def _alike(deck: Deck) -> Iterator[TextLayer]:
    sides = (side for piece in deck.pieces for side in (piece.front, piece.back) if side)
    found = {placed.layer.key: placed.layer for side in sides for placed in side.layers}
    return (layer for layer in found.values() if isinstance(layer, TextLayer) and any(_boxes(layer)))


def _boxes(layer: TextLayer) -> list[TextBox]:
    return [piece for piece in layer.pieces if isinstance(piece, TextBox) and piece.setting.same]


def _resized(layer: TextLayer, smallest: dict[str, float]) -> TextLayer:
    def resized(piece: TextPiece) -> TextPiece:
        if not isinstance(piece, TextBox) or piece.setting.same not in smallest:
            return piece
        return replace(piece, setting=replace(piece.setting, sizes=(smallest[piece.setting.same],)))

    pieces = tuple(map(resized, layer.pieces))
    said = (f"{box.setting.same} {smallest[box.setting.same]}" for box in _boxes(layer))
    return replace(layer, key=digest("one size", layer.key, *said), pieces=pieces)


def _tell(deck: Deck, layer: TextLayer, box: TextBox, others: tuple[float, ...], context: DrawContext) -> None:
    origin = context.origins[layer.key]
    one, other = (f"{sizes[0]:g} {sizes[-1]:g}" for sizes in (box.setting.sizes, others))
    context.problems.error(
        "bad-text-box",
        origin.place,
        f'{origin.name}: the boxes with data-same="{box.setting.same}" of {deck.component.name} have different sizes: '
        f"{one} and {other}",
        value=box.setting.same,
        allowed="one data-size for all of them",
        hint="Give them the same data-size, or another name.",
        about=origin.boxed(box.name),
    )
