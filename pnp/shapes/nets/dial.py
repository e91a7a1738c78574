"""A dial: two discs on one pin; through a window in the upper one shows one of the values around the lower one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pnp.shapes.affine import Affine, rotation, translation
from pnp.shapes.nets.net import Net, Panel, Room, Step
from pnp.shapes.outline import Ring, ellipse

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
    """What is cut out of the upper disc: from ``inner`` to ``outer`` mm from its middle, ``angle`` degrees clockwise
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
    hole = _moved(ellipse(pin, pin), translation((size - pin) / 2, (size - pin) / 2))
    disc = ellipse(size, size)
    rooms = tuple(_room(size, window, number * 360 / values) for number in range(values))
    lower = Net((Panel("lower", disc),), (), (), (hole,), STEPS, rooms)
    return lower, Net((Panel("upper", disc),), (), (), (_opening(size, window), hole), STEPS)


def _about_the_middle(size: float, degrees: float) -> Affine:
    return translation(size / 2, size / 2) @ rotation(degrees)


def _opening(size: float, window: Window) -> Ring:
    """The window's edge, clockwise."""
    turn = _about_the_middle(size, window.angle)
    if window.shape == "circle":
        reach = window.reach
        return _moved(ellipse(2 * reach, 2 * reach), turn @ translation(-reach, -window.middle - reach))
    half = window.sweep / 2
    pieces = max(1, math.ceil(window.sweep / ARC))
    angles = [math.radians(-half + window.sweep * step / pieces) for step in range(pieces + 1)]
    there = [(math.sin(angle) * window.outer, -math.cos(angle) * window.outer) for angle in angles]
    back = [(math.sin(angle) * window.inner, -math.cos(angle) * window.inner) for angle in reversed(angles)]
    return _moved((*there, *back), turn)


def _room(size: float, window: Window, degrees: float) -> Room:
    """The place so many degrees clockwise from the one that shows at first; upright once it is in the window."""
    at = math.radians(window.angle)
    x, y = math.sin(at) * window.middle, -math.cos(at) * window.middle
    width, height = 2 * window.reach * ACROSS, 2 * window.reach * DOWN
    return Room(_about_the_middle(size, degrees) @ translation(x - width / 2, y - height / 2), width, height)


def _moved(ring: Sequence[tuple[float, float]], matrix: Affine) -> Ring:
    return tuple(matrix.point(*point) for point in ring)
