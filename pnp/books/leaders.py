"""Numbers beside a piece, and the lines from them to the texts that they name: none crosses a text or another line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pnp.shapes.affine import Rect
from pnp.values.blocks import Note
from pnp.values.books import Shot

# Numbers beside a piece stay so far apart, as a share of its height.
APART = 0.075
# Where a line may meet an edge of a text's box, as shares of that edge: its middle is the usual place.
STOPS = (0.5, 0.35, 0.65, 0.2, 0.8, 0.05, 0.95)
# What a way costs besides its length in mm: each mm off the box's middle, each mm of slant, and the farther side.
OFF, SLANT, FAR = 1.2, 1.0, 10.0
# A line stays so many mm away from other texts.
CLEAR = 0.3
# With more texts and notes than this, a piece is no example for anybody: lines go the straight way.
MOST_PAIRS = 4000
# In so many orders the notes choose their ways, until none is blocked.
MOST_ORDERS = 40

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Dot:
    """A number beside a piece, and the end of its line, as shares of the picture; ``side`` is -1 left of it, 1 right."""

    side: float
    x: float
    y: float
    tx: float
    ty: float


@dataclass(frozen=True, slots=True)
class _Way:
    """From a number at an edge of the picture to the box that it names, in mm."""

    cost: float
    side: float
    start: Point
    end: Point


def dots(notes: Sequence[Note], shot: Shot) -> list[Dot]:
    """For each note: where its number stands, and where its line ends, at the edge of the text's box.

    A number stands at the piece's nearer edge, beside the middle of its text, unless its line would cross something.
    """
    wanted = [(number, shot.boxes[note.box]) for number, note in enumerate(notes) if note.box in shot.boxes]
    others = [box.grown(*4 * [CLEAR]) for box in shot.boxes.values()]
    crowded = len(wanted) * len(others) > MOST_PAIRS
    if crowded:
        others = []
    # Those that have the fewest free ways choose first; where that leaves one without, from above, or from below.
    free = {number: sum(1 for _ in _clear(_level(box, shot), _around(box, others), [])) for number, box in wanted}
    orders = [
        sorted(wanted, key=lambda each: (free[each[0]], each[1].y, each[0])),
        sorted(wanted, key=lambda each: (each[1].y, each[0])),
        sorted(wanted, key=lambda each: (-each[1].bottom, each[0])),
    ]
    best: dict[int, _Way] = {}
    least = len(wanted) + 1
    queue = orders[:1] if crowded else orders
    for turn in range(MOST_ORDERS):
        if turn >= len(queue):
            break
        found, blocked = _found(queue[turn], others, shot, crowded)
        if len(blocked) < least:
            best, least = found, len(blocked)
        if not blocked:
            break
        # Those that found no way choose first the next time.
        again = sorted(queue[turn], key=lambda each: each[0] not in blocked)
        if not crowded and again not in queue:
            queue.append(again)
    return [_dot(best[number], shot) for number, _ in wanted]


def _found(
    order: Sequence[tuple[int, Rect]], others: Sequence[Rect], shot: Shot, crowded: bool
) -> tuple[dict[int, _Way], set[int]]:
    """A way for each box, chosen in this order, and which of them cross something."""
    found: dict[int, _Way] = {}
    blocked: set[int] = set()
    for number, box in order:
        taken = list(found.values())
        ways = [*_level(box, shot), *(() if crowded else _slanted(box, shot, taken))]
        usable = [way for way in ways if _apart(way, taken, shot)]
        clear = min(_clear(usable, _around(box, others), taken), key=_cost, default=None)
        if clear is None:
            blocked.add(number)
        found[number] = clear or min(usable or ways, key=_cost)
    return found, blocked


def _cost(way: _Way) -> float:
    return way.cost


def _dot(way: _Way, shot: Shot) -> Dot:
    (x, y), (tx, ty) = way.start, way.end
    end = min(1.0, max(0.0, tx / shot.width))
    return Dot(way.side, x / shot.width, round(y / shot.height, 6), round(end, 6), round(ty / shot.height, 6))


def _around(box: Rect, others: Sequence[Rect]) -> list[Rect]:
    """What a line to a box must not cross: all texts but those that the box itself lies on or under."""
    return [
        other
        for other in others
        if other.right <= box.x or other.x >= box.right or other.bottom <= box.y or other.y >= box.bottom
    ]


def _level(box: Rect, shot: Shot) -> Iterator[_Way]:
    """Straight ways from either edge to the box."""
    middle = box.y + box.height / 2
    for side, edge, end in _sides(box, shot):
        for stop in STOPS:
            y = box.y + stop * box.height
            cost = abs(end - edge) + OFF * abs(y - middle) + _far(side, box, shot)
            yield _Way(cost, side, (edge, y), (end, y))


def _slanted(box: Rect, shot: Shot, taken: Sequence[_Way]) -> Iterator[_Way]:
    """Ways from other heights, to the facing edge of the box, or to its upper or lower edge from there."""
    apart = APART * shot.height
    middle = box.y + box.height / 2
    heights = {step * apart / 2 for step in range(int(2 / APART) + 1)}
    heights |= {way.start[1] + off for way in taken for off in (-apart, apart)}
    for side, edge, end in _sides(box, shot):
        for y in sorted(height for height in heights if 0 <= height <= shot.height):
            ends = [(end, box.y + stop * box.height) for stop in STOPS]
            # A line that all but runs along an edge would be seen on it.
            if y < box.y - CLEAR:
                ends += [(box.x + stop * box.width, box.y) for stop in STOPS]
            elif y > box.bottom + CLEAR:
                ends += [(box.x + stop * box.width, box.bottom) for stop in STOPS]
            for x, ty in ends:
                cost = abs(x - edge) + SLANT * abs(y - ty) + OFF * abs(ty - middle) + _far(side, box, shot)
                yield _Way(cost, side, (edge, y), (x, ty))


def _sides(box: Rect, shot: Shot) -> tuple[tuple[float, float, float], ...]:
    """Left and right: which it is, the picture's edge, and the box's edge that faces it."""
    return (-1.0, 0.0, max(0.0, box.x)), (1.0, shot.width, min(shot.width, box.right))


def _far(side: float, box: Rect, shot: Shot) -> float:
    right = box.x + box.width / 2 > shot.width / 2
    return 0.0 if right == (side > 0) else FAR


def _apart(way: _Way, taken: Sequence[_Way], shot: Shot) -> bool:
    """Whether its number has room between the others at its edge."""
    least = APART * shot.height - 1e-6
    return all(other.side != way.side or abs(other.start[1] - way.start[1]) >= least for other in taken)


def _clear(ways: Iterator[_Way] | Sequence[_Way], boxes: Sequence[Rect], taken: Sequence[_Way]) -> Iterator[_Way]:
    """The ways that cross no box, and no line that is there."""
    for way in ways:
        crossed = any(_through(way.start, way.end, box) for box in boxes)
        if not crossed and not any(_cross(way.start, way.end, other.start, other.end) for other in taken):
            yield way


def _through(one: Point, two: Point, box: Rect) -> bool:
    """Whether a line runs through a box: what is left of it between the box's edges, one pair after the other."""
    (x, y), (dx, dy) = one, (two[0] - one[0], two[1] - one[1])
    first, last = 0.0, 1.0
    for start, way, low, high in ((x, dx, box.x, box.right), (y, dy, box.y, box.bottom)):
        if abs(way) < 1e-9:
            if not low < start < high:
                return False
            continue
        enter, leave = sorted(((low - start) / way, (high - start) / way))
        first, last = max(first, enter), min(last, leave)
    return last - first > 1e-9


def _cross(one: Point, two: Point, three: Point, four: Point) -> bool:
    """Whether two lines have a point in common."""

    def turn(a: Point, b: Point, c: Point) -> float:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    # Lines one behind the other are in line, and apart.
    for axis in (0, 1):
        ends, others = sorted((one[axis], two[axis])), sorted((three[axis], four[axis]))
        if ends[1] < others[0] or others[1] < ends[0]:
            return False
    return turn(one, two, three) * turn(one, two, four) <= 0 and turn(three, four, one) * turn(three, four, two) <= 0
