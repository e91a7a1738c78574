"""Computes figures folded from one strip (standee, pawn, stacking block), the paper ship, and the dial of two discs."""

from __future__ import annotations

import math
from typing import Literal

from pnp.dataclass import dataclass
from pnp.shapes.affine import Affine, rotation, translation
from pnp.shapes.nets.net import BELOW, Crease, Net, Panel, Room, Seam, Step, at_origin, joined, rectangle, shared_edge, tab
from pnp.shapes.outline import Ring, ellipse

TAB = 7.0


def standee(width: float, height: float, base: float) -> Net:
    """Two sides glued back to back, and two flaps of depth ``base`` that part at the foot. All in mm.

    The back stands on its head above the front, so that both sides are upright once the fold at the top is closed.
    """
    panels, creases = joined(
        [
            (Panel("front", rectangle(0, 0, width, height)), 0),
            (Panel("back", rectangle(0, -height, width, height), 180), 180),
            (Panel("base-back", rectangle(0, -height - base, width, base), 180), -90),
        ]
    )
    foot, fold = joined([(panels[0], 0), (Panel("base-front", rectangle(0, height, width, base)), -90)])
    net = Net(
        (*panels, foot[1]),
        (*creases, *fold),
        (Seam("front", ((0, height), (width, height)), "back", ((0, -height), (width, -height))),),
        (),
        (
            Step("Score the folds. Cut out.", 0.0),
            Step("Fold the top away from you, the two flaps towards you.", 0.6),
            Step("Glue the two sides back to back, not the flaps.", 1.0),
        ),
    )
    return at_origin(net)


def pawn(width: float, height: float, depth: float) -> Net:
    """A tent: front and back lean on each other over a bottom of ``depth``. ``height`` is a side's, along its slope.

    Raises ValueError when the sides cannot meet over the bottom.
    """
    if depth >= 2 * height:
        raise ValueError(f"a depth of {depth:g} mm is too much for sides of {height:g} mm: they would not meet")
    ridge = 180 - math.degrees(2 * math.asin(depth / 2 / height))
    foot = 180 - math.degrees(math.acos(depth / 2 / height))
    front = Panel("front", rectangle(0, 0, width, height))
    up, creases = joined([(front, 0), (Panel("back", rectangle(0, -height, width, height), 180), ridge)])
    down, more = joined(
        [
            (front, 0),
            (Panel("bottom", rectangle(0, height, width, depth)), foot),
            (Panel("tab", tab((width, height + depth), (0, height + depth), min(TAB, height / 2)), 0, "back", True), foot),
        ]
    )
    net = Net(
        (*up, *down[1:]),
        (*creases, *more),
        (Seam("bottom", ((0, height + depth), (width, height + depth)), "back", ((0, -height), (width, -height))),),
        (),
        (
            Step("Score the folds. Cut out.", 0.0),
            Step("Fold everything away from you.", 0.6),
            Step("Glue the tab inside the back.", 1.0),
        ),
    )
    return at_origin(net)


def prism(width: float, height: float, depth: float) -> Net:
    """A block of ``width`` × ``height`` × ``depth`` from one strip, open at both ends, stiffened by a brace from the
    lower front edge to the upper back edge: without it the four folds would let the block lean over.
    """
    slope = math.hypot(height, depth)
    lean = math.degrees(math.atan2(height, depth))
    front = Panel("front", rectangle(0, 0, width, height))
    y = -depth - height
    end = y - depth - slope
    up, creases = joined(
        [
            (front, 0),
            (Panel("top", rectangle(0, -depth, width, depth)), 90),
            (Panel("back", rectangle(0, y, width, height), 180), 90),
            (Panel("bottom", rectangle(0, y - depth, width, depth), 180), 90),
            (Panel("brace", rectangle(0, end, width, slope)), 180 - lean),
            (
                Panel("tab-1", tab((0, end), (width, end), min(TAB, height)), 0, "back", True),
                90 + lean,
            ),
        ]
    )
    down, more = joined([(front, 0), (Panel("tab-2", tab((width, height), (0, height), TAB), 0, "brace", True), 90 + lean)])
    net = Net(
        (*up, *down[1:]),
        (*creases, *more),
        (
            Seam("front", ((0, height), (width, height)), "bottom", ((0, y - depth), (width, y - depth))),
            Seam("brace", ((0, end), (width, end)), "back", ((0, y + height), (width, y + height))),
        ),
        (),
        (
            Step("Score the folds. Cut out.", 0.0),
            Step("Fold everything away from you: the blank part comes to lie inside.", 0.6),
            Step("Glue tab 1 inside the back, just below the top: the blank part slants through the figure.", 0.85),
            Step("Tuck tab 2 in at the lower front edge, and glue it to the slanting part.", 1.0),
        ),
    )
    return at_origin(net)


HULL = 36.0
DECK = 20.0
BOW = 26.0
STERN = 20.0
# The stern castle rises above the deck.
CASTLE = 14.0
# Between two sails, and between a sail and the deck's end.
SPACE = 2.5
# A card must slide in and stand: its slot is this much longer than the card is wide, and this wide.
EASE, SLOT = 1.5, 1.0
# A card is so many times as high as wide.
CARD = 1.4
SHIP_TAB = 6.0


def ship(card_width: float, slots: int) -> Net:
    """A hull with ``slots`` slots side by side for cards ``card_width`` mm wide; the bow points to the left.

    The hull's side is the front of a box of the deck's length, HULL high and DECK deep, closed at both ends.
    """
    length = slots * (card_width + EASE + SPACE) + SPACE
    hull = Panel("hull", _side(length))
    back_y = -DECK - HULL
    strip, creases = joined(
        [
            (hull, 0),
            (Panel("deck", rectangle(0, -DECK, length, DECK)), 90),
            (Panel("back", rectangle(0, back_y, length, HULL), 180), 90),
            (Panel("bottom", rectangle(0, back_y - DECK, length, DECK), 180), 90),
            (
                Panel("tab-1", tab((0, back_y - DECK), (length, back_y - DECK), SHIP_TAB), 0, "hull", True),
                90,
            ),
        ]
    )
    back = strip[2]
    ends, tabs = [], []
    for number, name, x, edge in ((2, "bow-end", -DECK, -DECK), (3, "stern-end", length, length + DECK)):
        end = Panel(name, rectangle(x, back_y, DECK, HULL), 180)
        corners = ((edge, back_y + HULL), (edge, back_y)) if edge < 0 else ((edge, back_y), (edge, back_y + HULL))
        ends.append(end)
        tabs.append(Panel(f"tab-{number}", tab(*corners, SHIP_TAB), 0, "hull", True))
    hinges = [Crease("back", end.name, *shared_edge(back.ring, end.ring), 90) for end in ends]
    hinges += [Crease(end.name, lap.name, *shared_edge(end.ring, lap.ring), 90) for end, lap in zip(ends, tabs, strict=True)]
    holes = tuple(
        rectangle(SPACE + number * (card_width + EASE + SPACE), -DECK / 2 - SLOT / 2, card_width + EASE, SLOT)
        for number in range(slots)
    )
    # A card stands on the bottom: so much of it is seen above the deck.
    sails = [
        (Panel(f"sail-{number}", rectangle(x, -DECK / 2 - high, card_width, high)), x)
        for number in range(slots)
        for x in (SPACE + number * (card_width + EASE + SPACE) + EASE / 2,)
        for high in (max(CARD * card_width - HULL, HULL / 2),)
    ]
    net = Net(
        (*strip, *ends, *tabs),
        (*creases, *hinges),
        (
            Seam("bottom", ((0, back_y - DECK), (length, back_y - DECK)), "hull", ((0, HULL), (length, HULL))),
            Seam("bow-end", ((-DECK, back_y + HULL), (-DECK, back_y)), "hull", ((0, 0), (0, HULL))),
            Seam(
                "stern-end", ((length + DECK, back_y + HULL), (length + DECK, back_y)), "hull", ((length, 0), (length, HULL))
            ),
        ),
        holes,
        (
            Step("Cut out the slots in the deck. Score the folds. Cut out.", 0.0),
            Step("Fold everything away from you.", 0.4),
            Step("Glue tab 1 inside the keel, then tabs 2 and 3 at bow and stern.", 0.75, view=BELOW),
            Step("Cards stand in the slots: backs to the others, faces to their captain.", 1.0, used=True),
        ),
        stands=tuple(
            (sail, Crease("deck", sail.name, (x, -DECK / 2), (x + card_width, -DECK / 2), -90.0)) for sail, x in sails
        ),
    )
    return at_origin(net)


def _side(length: float) -> Ring:
    """The hull's side: straight deck and keel, a raked bow on the left, the stern castle on the right."""
    castle = length + 1.5
    return (
        (0.0, 0.0),
        (length, 0.0),
        (castle, 0.0),
        (castle, -CASTLE),
        (length + STERN, -CASTLE - 2),
        (length + STERN - 1, 4.0),
        (length + STERN - 5, HULL * 0.55),
        (length + 4, HULL - 3),
        (length, HULL),
        (0.0, HULL),
        (-5.0, HULL - 2.5),
        (-13.0, HULL * 0.62),
        (-19.0, HULL * 0.34),
        (-BOW, 2.5),
        (-BOW + 1, 0.0),
    )


STEPS = (
    Step("Cut out the lower disc and its hole.", 0.0, (1,)),
    Step("Cut out the upper disc, its window and its hole.", 0.0, (2,)),
    Step("Lay it on the lower disc. Push a paper fastener or a button through both.", 0.0, (1, 2)),
    Step("Turn the lower disc: one value shows.", 1.0, (1, 2)),
)
# An arc is cut in straight pieces of no more than so many degrees.
ARC = 2.0
# A text has the middle of its window: a rectangle of 4 to 3 whose corners touch the largest disc in it.
ACROSS, DOWN = 0.8, 0.6


@dataclass(frozen=True, slots=True)
class Window:
    """The hole in the upper disc: from ``inner`` to ``outer`` mm from its middle, ``angle`` degrees clockwise
    from the top; a piece of the ring that is ``sweep`` degrees wide, or the largest disc that goes into this piece."""

    inner: float
    outer: float
    angle: float
    sweep: float
    shape: Literal["ring", "circle"] = "ring"

    @property
    def middle(self) -> float:
        """How far its middle is from the disc's."""
        return (self.inner + self.outer) / 2

    @property
    def reach(self) -> float:
        """The radius of the largest disc about its middle."""
        return min((self.outer - self.inner) / 2, self.middle * math.sin(math.radians(min(self.sweep, 180) / 2)))


def dial(size: float, values: int, window: Window, pin: float) -> tuple[Net, Net]:
    """The lower disc and the upper one, ``size`` mm across, for a pin in a hole ``pin`` mm across."""
    hole = translation((size - pin) / 2, (size - pin) / 2).ring(ellipse(pin, pin))
    disc = ellipse(size, size)
    rooms = tuple(_room(size, window, number * 360 / values) for number in range(values))
    lower = Net((Panel("lower", disc),), (), (), (hole,), STEPS, rooms)
    return lower, Net((Panel("upper", disc),), (), (), (_opening(size, window), hole), STEPS)


def _about_the_middle(size: float, degrees: float) -> Affine:
    return translation(size / 2, size / 2) @ rotation(degrees)


def _opening(size: float, window: Window) -> Ring:
    turn = _about_the_middle(size, window.angle)
    if window.shape == "circle":
        reach = window.reach
        return (turn @ translation(-reach, -window.middle - reach)).ring(ellipse(2 * reach, 2 * reach))
    half = window.sweep / 2
    pieces = max(1, math.ceil(window.sweep / ARC))
    angles = [math.radians(-half + window.sweep * step / pieces) for step in range(pieces + 1)]
    there = [(math.sin(angle) * window.outer, -math.cos(angle) * window.outer) for angle in angles]
    back = [(math.sin(angle) * window.inner, -math.cos(angle) * window.inner) for angle in reversed(angles)]
    return turn.ring((*there, *back))


def _room(size: float, window: Window, degrees: float) -> Room:
    """The place ``degrees`` clockwise from the first visible one; upright once it is in the window."""
    at = math.radians(window.angle)
    x, y = math.sin(at) * window.middle, -math.cos(at) * window.middle
    width, height = 2 * window.reach * ACROSS, 2 * window.reach * DOWN
    return Room(_about_the_middle(size, degrees) @ translation(x - width / 2, y - height / 2), width, height)
