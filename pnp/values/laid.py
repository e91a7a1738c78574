"""Where the pieces of a layout lie, and which of them are seen: what its picture, and scenes on it, have in common."""

from __future__ import annotations

from collections.abc import Mapping

from pnp.shapes.affine import rotation
from pnp.shapes.hexes import bounds, centre, turn_onto_itself, turned
from pnp.shapes.outline import Point
from pnp.values.game import Component, Slot, domino_of

Cell = tuple[int, int]
# The step from a domino's first half to its second, by its turn in degrees clockwise.
DOMINO_STEPS: Mapping[int, Cell] = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}


def slot_name(slot: Slot, component: Component) -> str:
    """A slot by its own name, by its domino, or by its row."""
    return slot.row.said("slot") or (f"row {slot.row.place.row}" if component.hexes else domino_of(slot.row))


def fixed_tile(slot: Slot) -> str:
    """The tile that always lies on a slot: what a column ``tile`` of the layout says, else nothing."""
    return slot.row.named("tile")


def seen_in(slot: Slot, component: Component) -> tuple[str, bool] | None:
    """The piece seen in a slot, by its id, and whether it lies face down: of a pool of several nobody knows which."""
    if component.hexes is None:
        wanted = domino_of(slot.row)
        return next(((row.id, False) for row in component.table if row.id == wanted), None)
    if fixed := fixed_tile(slot):
        return next(((row.id, False) for row in component.table if row.id == fixed), None)
    pool = slot.row.text_of("pool")
    fitting = [row.id for row in component.table if row.said("back") == pool and "back" in row.cells]
    if not fitting:
        return None
    return fitting[0], len(fitting) > 1


def hex_spot(component: Component, origin: Cell, turn: float, piece: str = "") -> Point:
    """Where the middle of a tile's face comes to lie, in mm of the grid, when its hex 0, 0 lies at ``origin``."""
    assert component.hexes is not None, "only tiles are laid on hexes"
    tiles = component.hexes.tiles
    box = bounds([(cell.q, cell.r) for cell in tiles.get(piece) or next(iter(tiles.values()))], component.hexes.size)
    x, y = centre(origin, component.hexes.size)
    dx, dy = rotation(turn).point(box.x + box.width / 2, box.y + box.height / 2)
    return x + dx, y + dy


def domino_spot(component: Component, cells: tuple[Cell, ...]) -> Point:
    """Where the middle of a domino lies that covers two squares, in mm."""
    side = min(component.width, component.height)
    x, y = (sum(cell[axis] + 0.5 for cell in cells) / len(cells) * side for axis in (0, 1))
    return x, y


def domino_turn(component: Component, turn: float) -> float:
    """How a domino's face is turned whose first half points left at 0."""
    return turn + (0 if component.width > component.height else -90)


def spot_in(slot: Slot, component: Component, more: int = 0) -> tuple[Point, float]:
    """Where the middle of the piece in a slot lies in the layout's own mm, and how its face is turned.

    ``more``: by so many sixths more than the slot says, about the centre that leaves a tile on its slot.
    """
    if component.hexes is not None:
        q, r = int(slot.row.text_of("q")), int(slot.row.text_of("r"))
        shape = [(cell.q, cell.r) for cell in next(iter(component.hexes.tiles.values()))]
        dq, dr = turned(turn_onto_itself(shape, more) or (0, 0), slot.turn // 60)
        turn = slot.turn + 60 * more
        return hex_spot(component, (q + dq, r + dr), turn), turn
    return domino_spot(component, slot.cells), domino_turn(component, slot.turn)
