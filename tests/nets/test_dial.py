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


@settings(max_examples=examples(60), deadline=None)
@given(dials())
def test_the_hole_for_the_pin_is_one_hole_in_the_middle_of_both(made: Made) -> None:
    """Concentric, as wide as the pin."""
    lower, upper = made.nets
    (hole,), (_, other) = lower.holes, upper.holes

    assert hole == other
    assert Polygon(hole).centroid.distance(made.middle) < 1e-6
    assert Polygon(hole).hausdorff_distance(made.middle.buffer(made.pin / 2, quad_segs=256)) < CLOSE


@settings(max_examples=examples(100), deadline=None)
@given(dials())
def test_the_window_lies_in_its_part_of_the_ring(made: Made) -> None:
    """Inside the upper disc with paper around it, clear of the pin, and no wider than a value's share."""
    _, upper = made.nets
    window, pin = (Polygon(ring) for ring in upper.holes)
    ring = made.middle.buffer(made.window.outer + CLOSE, quad_segs=256) - made.middle.buffer(
        made.window.inner * math.cos(math.radians(1)) - CLOSE, quad_segs=256
    )

    assert window.is_valid and window.area > 0
    assert ring.contains(window)
    assert Polygon(upper.outline).boundary.distance(window) > 2.5 - 2 * CLOSE
    assert window.distance(pin) > 2.5 * math.cos(math.radians(1)) - 2 * CLOSE - made.size * 0.0002
    half = made.window.sweep / 2 + 0.01
    for x, y in upper.holes[0]:
        turned = (bearing(made, x, y) - made.window.angle + 180) % 360 - 180
        assert abs(turned) <= half + 0.01


@settings(max_examples=examples(100), deadline=None)
@given(dials())
def test_the_values_are_evenly_spaced(made: Made) -> None:
    """A room for each, all at one distance from the middle, each as far from the next; the first begins in the window."""
    lower, upper = made.nets
    middles = [corners(room).centroid for room in lower.rooms]
    share = 360 / made.values

    assert len(middles) == made.values and not upper.rooms
    for number, point in enumerate(middles):
        assert point.distance(made.middle) == pytest.approx(made.window.middle, abs=1e-6)
        off = bearing(made, point.x, point.y) - made.window.angle - number * share
        assert (off + 180) % 360 - 180 == pytest.approx(0, abs=1e-6)


@settings(max_examples=examples(60), deadline=None)
@given(dials(), st.data())
def test_each_value_comes_upright_into_the_window(made: Made, data: st.DataObject) -> None:
    """The lower disc turned until a value is in the window: its room is upright and wholly seen."""
    lower, upper = made.nets
    number = data.draw(st.integers(0, made.values - 1))
    room = lower.rooms[number]
    turned = affinity.rotate(corners(room), -number * 360 / made.values, origin=made.middle)
    x0, y0, x1, y1 = turned.bounds

    assert (x1 - x0, y1 - y0) == pytest.approx((room.width, room.height), abs=1e-6)
    assert Polygon(upper.holes[0]).buffer(CLOSE).contains(turned)


@settings(max_examples=examples(30), deadline=None)
@given(dials())
def test_from_behind_a_value_is_still_read_from_left_to_right(made: Made) -> None:
    """The back's rooms lie behind the front's, and no text in them is mirrored."""
    lower, _ = made.nets
    behind = mirrored(lower)

    for room, other in zip(lower.rooms, behind.rooms, strict=True):
        seen = Polygon([(made.size - x, y) for x, y in corners(room).exterior.coords])
        assert corners(other).hausdorff_distance(seen) < 1e-6 + 2 * abs(behind.bounds.width - made.size)
        assert other.frame.determinant > 0
