"""A layout as a picture: the real faces of the pieces where they lie at the start, small, on one page."""

from __future__ import annotations

from pnp.lay.grid import MARK_MARGIN
from pnp.lay.marks import SLUG_SIZE, cut_lines
from pnp.lay.picture import PLAN, Picture
from pnp.shapes.affine import Affine, Rect, rotation, scaling, translation
from pnp.shapes.hexes import bounds, centre
from pnp.values.faces import Deck, Face, Item, Label, Page, PlacedFace
from pnp.values.game import Layout, Paper, Slot

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
    placed = [(face, _spot(slot, deck, face)) for slot in layout.slots if (face := _shown(slot, layout, deck)) is not None]
    boxes = [matrix.bounds(Rect(0, 0, face.width, face.height)) for face, matrix in placed]
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    items = tuple(
        PlacedFace(face, PLAN, "front", translation(-left, -top) @ matrix, Rect(0, 0, face.width, face.height), face.outline)
        for face, matrix in placed
    )
    return Picture(items, max(box.right for box in boxes) - left, max(box.bottom for box in boxes) - top)


def _shown(slot: Slot, layout: Layout, deck: Deck) -> Face | None:
    """A named piece from the front; of a pool the back, or the front where the pool is a single piece."""
    if deck.component.hexes is not None:
        pool = slot.row.text_of("pool")
        backs = {row.id: row.text_of("back") for row in deck.component.table if "back" in row.cells}
        fitting = [piece for piece in deck.pieces if backs.get(piece.id) == pool]
        if not fitting:
            return None
        return fitting[0].front if len(fitting) == 1 or fitting[0].back is None else fitting[0].back
    ends = sorted(slot.row.text_of(column) for column in ("a", "b"))
    return next((piece.front for piece in deck.pieces if piece.id == "-".join(ends)), None)


def _spot(slot: Slot, deck: Deck, face: Face) -> Affine:
    """From face mm to the layout's own mm."""
    middle = translation(-face.width / 2, -face.height / 2)
    component = deck.component
    if component.hexes is not None:
        q, r = int(slot.row.text_of("q")), int(slot.row.text_of("r"))
        x, y = centre((q, r), component.hexes.size)
        # The face shows the tile's middle in its own; the slot names the tile's hex 0, 0, about which it is turned.
        shape = next(iter(component.hexes.tiles.values()))
        box = bounds([(cell.q, cell.r) for cell in shape], component.hexes.size)
        own = translation(box.x + box.width / 2, box.y + box.height / 2)
        return translation(x, y) @ rotation(slot.turn) @ own @ middle
    side = min(face.width, face.height)
    x, y = (sum(cell[axis] + 0.5 for cell in slot.cells) / 2 * side for axis in (0, 1))
    lying = 0 if face.width > face.height else -90
    return translation(x, y) @ rotation(slot.turn + lying) @ middle
