"""A room of a browser's table: what of a game stands where, in one scale, with nothing on anything else.

Lengths are the room's units; the origin is its top-left corner.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pnp.flows.exports.gathered import Heap, heaps_of, laid_of, playing
from pnp.values.kit import Kit, Laying, Lying, Part, SetUp, Thing

WIDTH, HEIGHT = 1600, 1000
# The hand of whoever looks takes the lower edge, the seats are above it.
HAND = (50, 820, 1500, 180)
SEATS = 776
SEAT_HEIGHT = 38
GAP = 10.0
# A card of 63 mm is then as wide as the program's own cards.
LARGEST, SMALLEST, STEP = 103 / 63, 0.15, 0.97
# A frame of a pile around its cards, its label above and its buttons below.
RIM, LABEL, BUTTON, NARROWEST = 4.0, 20.0, 22.0, 92.0


class Crowded(Exception):
    """No scale at which pieces can be seen leaves room for all."""


@dataclass(frozen=True, slots=True)
class Single:
    """A piece that lies on its own; x and y are the top-left corner before it is turned about its middle."""

    part: Part
    thing: Thing
    number: int
    """Which of its copies this is, from 1."""
    x: float
    y: float
    width: float
    height: float
    turn: float = 0.0
    down: bool = False
    pool: str = ""
    """The name of the pile with which it may change places."""


@dataclass(frozen=True, slots=True)
class Pile:
    """Pieces on each other in a frame; x and y are the frame's corner."""

    heap: Heap
    x: float
    y: float
    width: float
    height: float
    card: tuple[float, float]
    buttons: tuple[str, ...]

    @property
    def frame(self) -> tuple[float, float]:
        """Width and height of the frame alone."""
        return self.width, self.card[1] + 2 * RIM


@dataclass(frozen=True, slots=True)
class Room:
    """All that stands in it."""

    scale: float
    """Units to the mm."""
    seats: int
    singles: tuple[Single, ...]
    piles: tuple[Pile, ...]


@dataclass(frozen=True, slots=True)
class _Block:
    """Things that keep together; their places are counted from its corner."""

    width: float
    height: float
    singles: tuple[Single, ...] = ()
    pile: Pile | None = None


def room_of(kit: Kit, setup: SetUp | None, seats: int) -> Room:
    """Everything as large as there is room for. Raises Crowded."""
    layings = laid_of(kit, setup)
    scale = LARGEST
    while scale >= SMALLEST:
        blocks = [*_blocks(kit, setup, layings, scale)]
        if (places := _packed(blocks)) is not None:
            return _room(scale, seats, blocks, places)
        scale *= STEP
    raise Crowded


def _room(scale: float, seats: int, blocks: Sequence[_Block], places: Sequence[tuple[float, float]]) -> Room:
    singles: list[Single] = []
    piles: list[Pile] = []
    for block, (x, y) in zip(blocks, places, strict=True):
        singles += [replace(one, x=_near(one.x + x), y=_near(one.y + y)) for one in block.singles]
        if block.pile:
            piles.append(replace(block.pile, x=_near(x), y=_near(y + LABEL)))
    return Room(scale, seats, tuple(singles), tuple(piles))


def _near(value: float) -> float:
    return round(value, 2)


def _packed(blocks: Sequence[_Block]) -> list[tuple[float, float]] | None:
    """The corners of blocks in rows, the highest first; None where they do not fit above the seats."""
    order = sorted(range(len(blocks)), key=lambda at: (-blocks[at].height, at))
    free = [(GAP, GAP, WIDTH - GAP, SEATS - GAP)]
    places: dict[int, tuple[float, float]] = {}
    for at in order:
        width, height = blocks[at].width, blocks[at].height
        fits = [(y, x, number) for number, (x, y, right, low) in enumerate(free) if right - x >= width and low - y >= height]
        if not fits:
            return None
        _, _, number = min(fits)
        x, y, right, low = free.pop(number)
        places[at] = (x, y)
        # Beside it, as high as it is; below it, as wide as the whole: no two free areas ever overlap.
        free.append((x + width + GAP, y, right, y + height))
        free.append((x, y + height + GAP, right, low))
    return [places[at] for at in range(len(blocks))]


def _blocks(kit: Kit, setup: SetUp | None, layings: Sequence[Laying], scale: float) -> Iterator[_Block]:
    laid = {laying.part: laying for laying in layings}
    for part in playing(kit):
        left = Counter({thing.id: thing.copies for thing in part.things})
        if part.name in laid:
            yield _laying_block(part, laid[part.name], left, scale)
        if part.form in ("board", "screen", "die", "figure"):
            yield from _alone(part, left, scale)
            continue
        pooled = part.name in laid and any(place.down for place in laid[part.name].places)
        for heap in heaps_of(part, left, setup, pooled):
            yield _pile_block(heap, scale)


def _alone(part: Part, left: Counter[str], scale: float) -> Iterator[_Block]:
    """Pieces that stand by themselves: boards each for itself, others side by side."""
    width, height = _size(part, scale)
    ones = [(thing, number + 1) for thing in part.things for number in range(left[thing.id])]
    if part.form in ("board", "screen"):
        for thing, number in ones:
            yield _Block(width, height, (Single(part, thing, number, 0, 0, width, height),))
        return
    gap = 2.0
    columns = max(1, min(len(ones), math.ceil(math.sqrt(len(ones) * height / width))))
    rows = -(-len(ones) // columns)
    singles = [
        Single(part, thing, number, at % columns * (width + gap), at // columns * (height + gap), width, height)
        for at, (thing, number) in enumerate(ones)
    ]
    if singles:
        yield _Block(columns * (width + gap) - gap, rows * (height + gap) - gap, tuple(singles))


def _size(part: Part, scale: float) -> tuple[float, float]:
    if part.form == "die":
        side = max(max(look.width, look.height) for thing in part.things for look in thing.sides) * scale
        return _near(side), _near(side)
    return _near(part.width * scale), _near(part.height * scale)


def _laying_block(part: Part, laying: Laying, left: Counter[str], scale: float) -> _Block:
    """The pieces of a layout in their places; takes them out of what is left."""
    width, height = _size(part, scale)
    boxes = [_turned(place, part) for place in laying.places]
    across, up = min(box[0] for box in boxes), min(box[1] for box in boxes)
    right, low = max(box[2] for box in boxes), max(box[3] for box in boxes)
    things = {thing.id: thing for thing in part.things}
    singles = []
    # Where only one thing may lie, it lies there: what is drawn comes from the rest.
    sure = sorted(enumerate(laying.places), key=lambda item: (len(item[1].things) > 1, item[0]))
    for _, place in sure:
        id_ = next((id_ for id_ in place.things if left[id_] > 0), None)
        if id_ is None:
            continue
        number = things[id_].copies - left[id_] + 1
        left[id_] -= 1
        x, y = (place.x - across) * scale - width / 2, (place.y - up) * scale - height / 2
        pool = part.name if len(place.things) > 1 else ""
        singles.append(Single(part, things[id_], number, x, y, width, height, place.turn, place.down, pool))
    return _Block((right - across) * scale, (low - up) * scale, tuple(singles))


def _turned(place: Lying, part: Part) -> tuple[float, float, float, float]:
    """The box around a piece in its place, in mm."""
    angle = math.radians(place.turn)
    cos, sin = abs(math.cos(angle)), abs(math.sin(angle))
    width, height = part.width * cos + part.height * sin, part.width * sin + part.height * cos
    return place.x - width / 2, place.y - height / 2, place.x + width / 2, place.y + height / 2


def _pile_block(heap: Heap, scale: float) -> _Block:
    width, height = _size(heap.part, scale)
    framed = max(width + 2 * RIM, NARROWEST)
    buttons = heap.buttons
    whole = LABEL + height + 2 * RIM + len(buttons) * (BUTTON + 2)
    return _Block(framed, whole, pile=Pile(heap, 0, 0, framed, whole, (width, height), buttons))
