"""A layout as a picture: the real faces of the pieces where they lie at the start, small."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pnp.lay.marks import cut_lines
from pnp.lay.picture import PLAN, Picture
from pnp.shapes.affine import Affine, Rect, rotation, scaling, translation
from pnp.values.faces import Deck, Face, Item, PlacedFace
from pnp.values.game import Layout, Slot
from pnp.values.laid import seen_in, spot_in


@dataclass(frozen=True, slots=True)
class Lying:
    """A piece that lies on a slot face up, turned by so many sixths more than the slot."""

    piece: str
    turn: int = 0


def layout_items(layout: Layout, deck: Deck, room: Rect) -> list[Item]:
    """The layout's picture as large as the room allows, in the middle of its width."""
    picture = layout_picture(layout, deck)
    scale = min(room.width / picture.width, room.height / picture.height)
    shown = picture.at(translation(room.x + (room.width - picture.width * scale) / 2, room.y) @ scaling(scale, scale))
    placed = [item for item in shown if isinstance(item, PlacedFace)]
    return [*placed, *cut_lines(placed)]


def layout_picture(layout: Layout, deck: Deck, lying: Mapping[int, Lying] | None = None) -> Picture:
    """The pieces where they lie, at their size. ``lying``: what is known to lie on a slot, by the slot's number."""
    placed = []
    for number, slot in enumerate(layout.slots):
        known = lying.get(number) if lying else None
        face = _shown(slot, deck) if known is None else _named(known.piece, deck)
        if face is not None:
            placed.append((face, _spot(slot, deck, face, known.turn if known else 0)))
    boxes = [matrix.bounds(Rect(0, 0, face.width, face.height)) for face, matrix in placed]
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    items = tuple(
        PlacedFace(face, PLAN, "front", translation(-left, -top) @ matrix, Rect(0, 0, face.width, face.height), face.outline)
        for face, matrix in placed
    )
    return Picture(items, max(box.right for box in boxes) - left, max(box.bottom for box in boxes) - top)


def _shown(slot: Slot, deck: Deck) -> Face | None:
    """A named piece from the front; of a pool the back, or the front where the pool is a single piece."""
    seen = seen_in(slot, deck.component)
    piece = next((piece for piece in deck.pieces if seen is not None and piece.id == seen[0]), None)
    if piece is None or seen is None:
        return None
    return piece.back if seen[1] and piece.back is not None else piece.front


def _named(name: str, deck: Deck) -> Face | None:
    return next((piece.front for piece in deck.pieces if piece.id == name), None)


def _spot(slot: Slot, deck: Deck, face: Face, more: int) -> Affine:
    """From face mm to the layout's own mm."""
    (x, y), turn = spot_in(slot, deck.component, more)
    return translation(x, y) @ rotation(turn) @ translation(-face.width / 2, -face.height / 2)
