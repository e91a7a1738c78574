"""A layout as a picture: the real faces of the pieces where they lie at the start, small, on one page."""

from __future__ import annotations

from pnp.lay.grid import MARK_MARGIN
from pnp.lay.marks import SLUG_SIZE, cut_lines
from pnp.lay.picture import PLAN, Picture
from pnp.shapes.affine import Affine, Rect, rotation, scaling, translation
from pnp.values.faces import Deck, Face, Item, Label, Page, PlacedFace
from pnp.values.game import Layout, Paper, Slot
from pnp.values.laid import domino_spot, domino_turn, hex_spot, seen_in

ROOM_TOP = 34.0
ROOM_SIDE = 16.0


def layout_page(paper: Paper, layout: Layout, deck: Deck, slug: str) -> Page:
    """The layout's title, its picture as large as the page allows, and the slug line."""
    picture = layout_picture(layout, deck)
    room = Rect(ROOM_SIDE, ROOM_TOP, paper.width - 2 * ROOM_SIDE, paper.height - ROOM_TOP - 20)
    scale = min(room.width / picture.width, room.height / picture.height)
    shown = picture.at(translation(room.x + (room.width - picture.width * scale) / 2, room.y) @ scaling(scale, scale))
    placed = [item for item in shown if isinstance(item, PlacedFace)]
    items: list[Item] = [Label(ROOM_SIDE, 22, layout.title, 20), *placed, *cut_lines(placed)]
    items.append(Label(MARK_MARGIN + 4, paper.height - MARK_MARGIN - 0.7, slug, SLUG_SIZE))
    return Page(paper, tuple(items), "front")


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
    component = deck.component
    middle = translation(-face.width / 2, -face.height / 2)
    if component.hexes is not None:
        origin = int(slot.row.text_of("q")), int(slot.row.text_of("r"))
        return translation(*hex_spot(component, origin, slot.turn)) @ rotation(slot.turn) @ middle
    spot = domino_spot(component, slot.cells)
    return translation(*spot) @ rotation(domino_turn(component, slot.turn)) @ middle
