"""Flat nets of all kinds: in one piece, nothing twice, one outline, a tab on one side of each seam; discs of a dial."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from itertools import combinations, pairwise

import pytest
from conftest import examples
from folds import GAP, NETS, PANELS, by_name, laps, mm, polygon
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from shapely import LineString, Point, Polygon, affinity, unary_union

from pnp.shapes.affine import rotation
from pnp.shapes.nets import boxes, stands
from pnp.shapes.nets.net import Net, Room, mirrored, overlap, rectangle, tab
from pnp.shapes.nets.stands import Window, dial

every_kind = pytest.mark.parametrize("kind", NETS)


def the_creases_join_every_panel_once(kind: str, net: Net) -> None:
    """They are a tree over all panels and tabs: the first is no child, the others are children once, of one before."""
    names = [panel.name for panel in net.panels]
    reached = {names[0]}
    for crease in net.creases:
        assert crease.parent in reached and crease.child not in reached
        reached.add(crease.child)

    assert len(set(names)) == len(names)
    assert reached == set(names) and len(net.creases) == len(names) - 1


def panels_share_edges_where_they_are_folded_and_nowhere_else(kind: str, net: Net) -> None:
    """A crease is the whole edge between its two panels; panels that no crease joins touch in points at most, so that
    the outline cuts them apart."""
    panels = by_name(net)
    folds = {frozenset((crease.parent, crease.child)): LineString([crease.start, crease.end]) for crease in net.creases}
    for one, two in combinations(net.panels, 2):
        if polygon(one).distance(polygon(two)) > 1e-3:
            assert frozenset((one.name, two.name)) not in folds
            continue
        shared = polygon(one).exterior.buffer(1e-4).intersection(polygon(two).exterior)
        fold = folds.get(frozenset((one.name, two.name)))
        if fold is None:
            assert shared.length < 0.01, (one.name, two.name)
        else:
            assert math.isclose(shared.length, fold.length, abs_tol=0.01), (one.name, two.name)
            assert all(
                polygon(panels[name]).exterior.distance(Point(end)) < 1e-4
                for name in (one.name, two.name)
                for end in fold.coords
            )


def no_two_parts_of_the_flat_net_overlap(kind: str, net: Net) -> None:
    """Panels, tabs and flaps are sound polygons that share no more than 0.01 mm²: all can be cut from one sheet."""
    assert all(polygon(panel).is_valid for panel in net.panels), [panel.name for panel in net.panels]
    for one, two in combinations(net.panels, 2):
        assert polygon(one).intersection(polygon(two)).area < 0.01, (one.name, two.name)


def the_outline_is_one_ring_around_all_panels(kind: str, net: Net) -> None:
    """It crosses itself nowhere, and what it encloses is what the panels, tabs and flaps cover together."""
    outline, parts = Polygon(net.outline), [polygon(panel) for panel in net.panels]

    assert outline.is_valid
    assert math.isclose(outline.area, sum(part.area for part in parts), rel_tol=1e-6, abs_tol=0.01)
    # Without a grid GEOS 3.14 loses a panel of a d10 of 5.74 mm.
    assert outline.symmetric_difference(unary_union(parts, grid_size=1e-6)).area < 0.01 + 1e-5 * outline.length


def a_net_begins_at_its_corner(kind: str, net: Net) -> None:
    """The box around the outline begins at (0, 0), and every ring runs clockwise on the page."""
    left, top, right, bottom = Polygon(net.outline).bounds

    assert math.isclose(left, 0, abs_tol=1e-5) and math.isclose(top, 0, abs_tol=1e-5)
    assert math.isclose(net.bounds.right, right, abs_tol=1e-5) and math.isclose(net.bounds.bottom, bottom, abs_tol=1e-5)
    # With y downwards, shapely sees a ring that is clockwise on the page as counterclockwise.
    assert all(polygon(panel).exterior.is_ccw for panel in net.panels)


def a_seam_joins_two_edges_of_one_length(kind: str, net: Net) -> None:
    """The first lies whole on the rim of its panel, the second within its own (a ship's hull goes on beyond the seam, a
    box's front has its notch there); no edge is in two seams."""
    panels = by_name(net)
    met: Counter[frozenset[tuple[float, float]]] = Counter()
    for seam in net.seams:
        rim, room = polygon(panels[seam.first]).exterior, polygon(panels[seam.second]).convex_hull

        assert seam.first != seam.second
        assert math.isclose(math.dist(*seam.edge), math.dist(*seam.other), abs_tol=GAP)
        assert rim.buffer(1e-4).covers(LineString(seam.edge)), seam
        assert room.buffer(1e-4).covers(LineString(seam.other)), seam
        met.update(frozenset((round(x, 3), round(y, 3)) for x, y in ends) for ends in (seam.edge, seam.other))
    assert set(met.values()) <= {1}


def each_seam_has_a_tab_on_exactly_one_side(kind: str, net: Net) -> None:
    """A tab or flap is hinged to one of the two panels and lies against the other. The standee's seam has none, for its
    sides are glued face to face; the tab between the prism's front and bottom holds the brace, which begins there too."""
    target = {panel.name: panel.onto for panel in net.panels}
    for seam in net.seams:
        found = [(crease.parent, target[crease.child]) for crease in laps(net, seam.edge, seam.other)]
        if kind == "standee":
            assert found == []
        elif kind == "prism" and {seam.first, seam.second} == {"front", "bottom"}:
            assert found == [("front", "brace")]
        else:
            assert found in ([(seam.first, seam.second)], [(seam.second, seam.first)]), seam


def no_tab_is_without_a_seam(kind: str, net: Net) -> None:
    """Every tab and tucked flap closes a seam, but for the small flaps that close a box's corners and for a tab to
    another part of a screen."""
    closing = {crease.child for seam in net.seams for crease in laps(net, seam.edge, seam.other)}
    names = set(by_name(net))
    free = {panel.name for panel in net.panels if panel.onto} - closing

    assert free == {panel.name for panel in net.panels if panel.name.startswith("dust-") or panel.onto not in {"", *names}}
    assert all(panel.onto != panel.name for panel in net.panels)
    assert {panel.name for panel in net.tabs} == {panel.name for panel in net.panels if panel.name.startswith("tab")}


def holes_lie_inside_one_panel(kind: str, net: Net) -> None:
    """A hole is cut out of one panel without touching its edge or another hole."""
    holes = [Polygon(hole) for hole in net.holes]
    for hole in holes:
        around = [panel for panel in net.panels if polygon(panel).contains(hole)]
        assert hole.is_valid and len(around) == 1
        assert polygon(around[0]).exterior.distance(hole) > 1
    assert all(one.distance(two) > 1 for one, two in combinations(holes, 2))


def a_panel_s_frame_is_its_upright_box(kind: str, net: Net) -> None:
    """The box of the frame's size, put on the net by the frame without scaling or mirroring, touches the panel's outline
    on all four sides and holds it."""
    for panel in net.panels:
        frame, width, height = panel.frame()
        own = frame.inverse()
        left, top, right, bottom = Polygon([own.point(*point) for point in panel.ring]).bounds

        assert math.isclose(frame.determinant, 1) and math.isclose(math.hypot(frame.a, frame.b), 1)
        assert all(math.isclose(found, wanted, abs_tol=1e-6) for found, wanted in zip((left, top), (0, 0), strict=True))
        assert math.isclose(right, width, abs_tol=1e-6) and math.isclose(bottom, height, abs_tol=1e-6)


def the_last_step_closes_all_folds(kind: str, net: Net) -> None:
    """Assembly begins with the flat sheet and ends with the finished piece; it never opens again."""
    shares = [step.share for step in net.steps]

    assert shares[0] == 0 and shares[-1] == 1 and shares == sorted(shares)


some = settings(max_examples=8, deadline=None)


@every_kind
@settings(max_examples=examples(45), deadline=None)
@given(st.data())
def test_flat_nets_are_sound(kind: str, data: st.DataObject) -> None:
    """All that is promised of every flat net, on the same one."""
    net = data.draw(NETS[kind])
    for check in (
        the_creases_join_every_panel_once,
        panels_share_edges_where_they_are_folded_and_nowhere_else,
        no_two_parts_of_the_flat_net_overlap,
        the_outline_is_one_ring_around_all_panels,
        a_net_begins_at_its_corner,
        a_seam_joins_two_edges_of_one_length,
        each_seam_has_a_tab_on_exactly_one_side,
        no_tab_is_without_a_seam,
        holes_lie_inside_one_panel,
        a_panel_s_frame_is_its_upright_box,
        the_last_step_closes_all_folds,
    ):
        check(kind, net)


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(mm(10, 200), min_size=1, max_size=7), mm(150, 400))
def test_a_screen_comes_in_as_few_parts_as_the_paper_allows(panels: list[float], longest: float) -> None:
    """No way to part the row of panels at folds into strips no longer than the paper, tabs and all, takes fewer; a strip
    is longer only when it is a single panel that is."""

    def fits(start: int, end: int) -> bool:
        lap = 0.0 if end == len(panels) else boxes.GLUE
        return end - start == 1 or sum(panels[start:end]) + lap <= longest

    fewest = {0: 0}
    for end in range(1, len(panels) + 1):
        fewest[end] = 1 + min(fewest[start] for start in range(end) if fits(start, end))
    parts = boxes.screen_parts(panels, longest, 95)

    assert len(parts) == fewest[len(panels)]
    assert all(part.bounds.width <= longest + 1e-6 or len(part.panels) - len(part.tabs) == 1 for part in parts)


@pytest.mark.parametrize("depth", [60.0, 61.0, 90.0])
def test_a_tent_whose_sides_cannot_meet_is_refused(depth: float) -> None:
    """Two sides of 30 mm meet over less than 60 mm only."""
    with pytest.raises(ValueError, match="would not meet"):
        stands.pawn(20, 30, depth)


@pytest.mark.parametrize(("panels", "seen"), [([78, 18, 150], 3), ([55, 140, 55], 2), ([60, 60, 60], 2), ([100], 1)])
def test_the_widest_panel_of_a_screen_is_seen_from_the_front(panels: list[float], seen: int) -> None:
    """The others fold back from it; of several as wide the middle one."""
    assert boxes.screen(panels, 95).panels[0].name == f"panel-{seen}"


@some
@given(PANELS, mm(150, 400), mm(20, 400))
@example([100, 30, 10.5, 100], 150, 95)
def test_the_parts_of_a_screen_are_its_panels_in_order(panels: list[float], longest: float, height: float) -> None:
    """From the left, part by part, all panels come once with their widths; every part but the last ends in a tab for the
    first panel of the next, no wider than that panel."""
    parts = boxes.screen_parts(panels, longest, height)
    strips = [sorted(part.panels, key=lambda panel: polygon(panel).bounds[0]) for part in parts]
    found = [(panel.name, polygon(panel)) for strip in strips for panel in strip if not panel.glue]

    assert [name for name, _ in found] == [f"panel-{number}" for number in range(1, len(panels) + 1)]
    for (_, area), width in zip(found, panels, strict=True):
        left, top, right, bottom = area.bounds
        assert math.isclose(right - left, width, abs_tol=1e-6) and math.isclose(bottom - top, height, abs_tol=1e-6)
    for strip, following in pairwise(strips):
        lap, target = strip[-1], following[0]
        left, _, right, _ = polygon(lap).bounds
        assert lap.glue and lap.onto == target.name
        assert 3 < right - left <= target.frame()[1] + 1e-6
    assert not any(panel.glue for panel in strips[-1])
    assert not any(panel.glue for strip in strips for panel in strip[:-1])


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(st.tuples(mm(-30, 30), mm(-30, 30)), min_size=2, max_size=2), mm(3, 20), st.integers(0, 359))
def test_overlap_is_what_shapely_sees(corners: list[tuple[float, float]], size: float, turn: int) -> None:
    """Two convex rings overlap when they share an area; those that touch or keep apart do not."""
    one = rectangle(*corners[0], size, 12)
    how = rotation(turn)
    two = tuple(how.point(*point) for point in tab((corners[1][0], corners[1][1]), (corners[1][0] + 15, corners[1][1]), 9))
    shared = Polygon(one).intersection(Polygon(two))
    # Shared slivers thinner than the slack may count either way.
    assume(shared.area == 0 or not shared.buffer(-0.02).is_empty)

    assert overlap(one, two) == overlap(two, one) == (shared.area > 0)


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
