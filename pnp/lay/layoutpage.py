"""A layout as a picture: the real faces of the pieces where they lie at the start, small."""

from __future__ import annotations

from pnp.lay.marks import cut_lines
from pnp.lay.picture import PLAN, Picture
from pnp.shapes.affine import Affine, Rect, rotation, scaling, translation
from pnp.values.faces import Deck, Face, Item, PlacedFace
from pnp.values.game import Layout, Slot
from pnp.values.laid import seen_in, spot_in


def layout_items(layout: Layout, deck: Deck, room: Rect) -> list[Item]:
    """The layout's picture as large as the room allows, in the middle of its width."""
    picture = layout_picture(layout, deck)
    scale = min(room.width / picture.width, room.height / picture.height)
    shown = picture.at(translation(room.x + (room.width - picture.width * scale) / 2, room.y) @ scaling(scale, scale))
    placed = [item for item in shown if isinstance(item, PlacedFace)]
    return [*placed, *cut_lines(placed)]


def layout_picture(layout: Layout, deck: Deck) -> Picture:
    """The pieces where they lie, at their size."""
    placed = [(face, _spot(slot, deck, face)) for slot in layout.slots if (face := _shown(slot, deck)) is not None]
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


def _spot(slot: Slot, deck: Deck, face: Face) -> Affine:
    """From face mm to the layout's own mm."""
    (x, y), turn = spot_in(slot, deck.component)
    return translation(x, y) @ rotation(turn) @ translation(-face.width / 2, -face.height / 2)
