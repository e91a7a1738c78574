"""The discs of a dial: window and holes keep clear of each other, values lie evenly, and each comes into the window."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Point, Polygon, affinity

from pnp.shapes.nets.net import Net, Room, mirrored
from pnp.shapes.nets.stands import Window, dial

CLOSE = 0.02
"""How far a polygon with short edges may leave its circle, in mm, and a little."""


@dataclass(frozen=True)
class Made:
    """A dial and what it was made from."""

    size: float
    values: int
    window: Window
    pin: float

    @property
    def nets(self) -> tuple[Net, Net]:
        return dial(self.size, self.values, self.window, self.pin)

    @property
    def middle(self) -> Point:
        return Point(self.size / 2, self.size / 2)


@st.composite
def dials(draw: st.DrawFn) -> Made:
    """Dials as a game.toml may ask for: 2.5 mm of paper between two cuts."""
    pin = draw(st.integers(2, 20)) / 2
    size = draw(st.integers(math.ceil(pin + 15), 200))
    values = draw(st.integers(2, 60))
    inner = draw(st.floats(pin / 2 + 2.5, size / 2 - 5))
    outer = draw(st.floats(inner + 2.5, size / 2 - 2.5))
    sweep = draw(st.floats(1, 360 / values))
    angle = draw(st.integers(0, 359))
    return Made(size, values, Window(inner, outer, angle, sweep, draw(st.sampled_from(("ring", "circle")))), pin)


def corners(room: Room) -> Polygon:
    """The room on the disc."""
    return Polygon(
        [room.frame.point(x, y) for x, y in ((0, 0), (room.width, 0), (room.width, room.height), (0, room.height))]
    )


def bearing(made: Made, x: float, y: float) -> float:
    """Degrees clockwise from the top."""
    return math.degrees(math.atan2(x - made.size / 2, made.size / 2 - y)) % 360


@settings(max_examples=examples(150), deadline=None)
@given(dials(), st.data())
def test_a_dial_shows_one_value_at_a_time(made: Made, data: st.DataObject) -> None:
    """The pin's hole is in the middle of both discs; the window lies in its part of the ring, with paper around it, clear of
    the pin and no wider than a value's share. Values are evenly spaced, the first in the window; turned to any other its
    room is upright and wholly seen. From behind rooms lie behind those of the front, and no text is mirrored."""
    lower, upper = made.nets
    (hole,), (cut, other) = lower.holes, upper.holes
    assert hole == other and Polygon(hole).centroid.distance(made.middle) < 1e-6
    assert Polygon(hole).hausdorff_distance(made.middle.buffer(made.pin / 2, quad_segs=256)) < CLOSE

    window, pin, slack = Polygon(cut), Polygon(other), math.cos(math.radians(1))
    ring = made.middle.buffer(made.window.outer + CLOSE, quad_segs=256)
    assert window.is_valid and window.area > 0
    assert (ring - made.middle.buffer(made.window.inner * slack - CLOSE, quad_segs=256)).contains(window)
    assert Polygon(upper.outline).boundary.distance(window) > 2.5 - 2 * CLOSE
    assert window.distance(pin) > 2.5 * slack - 2 * CLOSE - made.size * 0.0002
    turns = [(bearing(made, x, y) - made.window.angle + 180) % 360 - 180 for x, y in cut]
    assert max(map(abs, turns)) <= made.window.sweep / 2 + 0.02

    share, middles = 360 / made.values, [corners(room).centroid for room in lower.rooms]
    assert len(middles) == made.values and not upper.rooms
    for number, point in enumerate(middles):
        assert point.distance(made.middle) == pytest.approx(made.window.middle, abs=1e-6)
        off = bearing(made, point.x, point.y) - made.window.angle - number * share
        assert (off + 180) % 360 - 180 == pytest.approx(0, abs=1e-6)

    number = data.draw(st.integers(0, made.values - 1))
    room = lower.rooms[number]
    turned = affinity.rotate(corners(room), -number * share, origin=made.middle)
    x0, y0, x1, y1 = turned.bounds
    assert (x1 - x0, y1 - y0) == pytest.approx((room.width, room.height), abs=1e-6)
    assert window.buffer(CLOSE).contains(turned)

    behind = mirrored(lower)
    for room, other_room in zip(lower.rooms, behind.rooms, strict=True):
        seen = Polygon([(made.size - x, y) for x, y in corners(room).exterior.coords])
        assert corners(other_room).hausdorff_distance(seen) < 1e-6 + 2 * abs(behind.bounds.width - made.size)
        assert other_room.frame.determinant > 0
