"""Every net is proved to fold: it is folded in space by hand (``folds.Paper``), and what must meet is found to meet."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from conftest import examples
from folds import GAP, NETS, PANELS, Paper, Points, by_name, mm, pawns, polygon, same_place, visible
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from shapely.geometry import Polygon

from pnp.shapes.nets import boxes, dice, ship, stands
from pnp.shapes.nets.net import Net, folded, mirrored

every_kind = pytest.mark.parametrize("kind", NETS)
some = settings(max_examples=8, deadline=None)
UP = np.array([0.0, 1.0, 0.0])


def close(one: float, two: float) -> bool:
    """Whether two lengths in mm are one, but for rounding."""
    return math.isclose(one, two, rel_tol=1e-6, abs_tol=1e-4)


def extent(points: Points) -> Points:
    """Width, height and depth of the box around points of space."""
    size: Points = points.max(axis=0) - points.min(axis=0)
    return size


def all_corners(paper: Paper) -> Points:
    """The corners of everything that is seen of the finished piece."""
    return np.concatenate([paper.corners(panel.name) for panel in visible(paper.net)])


# The folding itself


@every_kind
@some
@given(st.data(), st.floats(0, 1))
def test_pnp_folds_as_a_hand_does(kind: str, data: st.DataObject, share: float) -> None:
    """``folded`` puts every corner of every panel where our own folding puts it, however far the folds are closed."""
    net = data.draw(NETS[kind])
    paper, placed = Paper(net, share), folded(net, share)

    assert set(placed) == {panel.name for panel in net.panels}
    for panel in net.panels:
        theirs = np.array([placed[panel.name].point(*point) for point in panel.ring]) * np.array([1, -1, 1])
        assert same_place(theirs, paper.corners(panel.name), 1e-6), panel.name


@every_kind
@some
@given(st.data(), st.floats(0, 1))
def test_panels_are_stiff(kind: str, data: st.DataObject, share: float) -> None:
    """Folding stretches, shears and mirrors nothing: each panel's map keeps lengths, right angles and handedness."""
    for space in folded(data.draw(NETS[kind]), share).values():
        matrix = np.array([space.x, space.y, space.z])
        assert np.allclose(matrix @ matrix.T, np.eye(3), atol=1e-9)
        assert math.isclose(np.linalg.det(matrix), 1, abs_tol=1e-9)


@every_kind
@some
@given(st.data())
def test_right_angles_stay_right_angles(kind: str, data: st.DataObject) -> None:
    """Each panel's edges are as long in space as on the sheet, and the angles between them as wide."""
    paper = Paper(data.draw(NETS[kind]))
    for panel in paper.net.panels:
        flat, there = np.array(panel.ring), paper.corners(panel.name)
        sides = [np.roll(points, -1, axis=0) - points for points in (flat, there)]
        lengths = [np.linalg.norm(side, axis=1) for side in sides]
        products = [(side * np.roll(side, -1, axis=0)).sum(axis=1) for side in sides]
        assert np.allclose(*lengths, atol=1e-6) and np.allclose(*products, rtol=1e-6, atol=1e-4), panel.name


@every_kind
@some
@given(st.data())
def test_an_unfolded_net_is_flat(kind: str, data: st.DataObject) -> None:
    """With no fold closed every panel is where it was printed; the first panel stays there whatever is folded."""
    net = data.draw(NETS[kind])
    flat, closed = folded(net, 0.0), folded(net)
    for panel in net.panels:
        there = [flat[panel.name].point(*point) for point in panel.ring]
        assert np.allclose(there, [(x, y, 0) for x, y in panel.ring], atol=1e-9)
    first = net.panels[0]
    assert [closed[first.name].point(*point) for point in first.ring] == [(x, y, 0) for x, y in first.ring]


# What meets


@every_kind
@some
@given(st.data())
def test_the_edges_of_every_seam_meet(kind: str, data: st.DataObject) -> None:
    """End to end, with no gap over 0.05 mm."""
    paper = Paper(data.draw(NETS[kind]))
    for seam in paper.net.seams:
        assert same_place(paper.place(seam.first, seam.edge), paper.place(seam.second, seam.other)), seam


@every_kind
@some
@given(st.data())
def test_tabs_and_flaps_lie_against_their_panels(kind: str, data: st.DataObject) -> None:
    """A folded tab is within 0.05 mm of its target's plane and inside its outline; nothing of it shows, but in the
    notch for the thumb. (A tab to another part of a screen is judged with that part, below.)"""
    paper = Paper(data.draw(NETS[kind]))
    for panel in paper.net.panels:
        if panel.onto not in paper.panels:
            continue
        lying = paper.laid_back(panel.onto, paper.corners(panel.name))
        target = polygon(paper.panels[panel.onto])
        if kind == "tuck box" and panel.onto == "front":
            target = target.convex_hull
        assert np.abs(lying[:, 2]).max() <= GAP, panel.name
        assert target.buffer(GAP, join_style="mitre").covers(Polygon(lying[:, :2])), panel.name


@every_kind
@some
@given(st.data())
def test_glued_tabs_are_inside(kind: str, data: st.DataObject) -> None:
    """A tab's printed side, where the glue goes, faces as its target's does: it lies on the target's blank inside. Only
    the tab that holds the prism's brace is glued to the side of the brace that faces the front, the printed one."""
    paper = Paper(data.draw(NETS[kind]))
    for panel in paper.net.panels:
        if panel.onto in paper.panels:
            facing = float(paper.normal(panel.name) @ paper.normal(panel.onto))
            assert close(facing, -1 if panel.onto == "brace" else 1), panel.name


def test_a_box_s_lid_shows_in_the_notch_only() -> None:
    """The notch goes into the front, the tucked lid lies behind it, and beside the notch nothing is open."""
    paper = Paper(boxes.tuck_box(65, 90, 23))
    front = polygon(paper.panels["front"])
    notch = front.convex_hull.difference(front)
    lid = Polygon(paper.laid_back("front", paper.corners("tuck-top"))[:, :2])

    assert front.convex_hull.area == pytest.approx(65 * 90) and 50 < notch.area < 18 * 9
    assert lid.buffer(GAP).covers(notch)
    assert lid.difference(front).difference(notch).area < 0.01


@every_kind
@some
@given(st.data())
def test_folds_go_the_way_the_steps_say(kind: str, data: st.DataObject) -> None:
    """Every fold is a mountain fold, away from the reader, but for a standee's flaps, which come towards the reader; none
    is closed by more than half a turn."""
    net = data.draw(NETS[kind])
    valleys = {crease.child for crease in net.creases if crease.angle < 0}
    words = " ".join(step.text for step in net.steps)

    assert valleys == ({"base-front", "base-back"} if kind == "standee" else set())
    assert ("flaps towards you" in words) == bool(valleys)
    assert all(0 < abs(crease.angle) <= 180 for crease in net.creases)


CLOSED = ("pawn", "prism", "tuck box", "pouch", "ship", "d6", "d10")


@pytest.mark.parametrize("kind", CLOSED)
@some
@given(st.data())
def test_the_printed_side_ends_outside(kind: str, data: st.DataObject) -> None:
    """Of every panel that is seen, the printed side faces away from the middle of the piece."""
    paper = Paper(data.draw(NETS[kind]))
    middles = {panel.name: paper.corners(panel.name).mean(axis=0) for panel in visible(paper.net)}
    centre = np.mean(list(middles.values()), axis=0)
    for name, middle in middles.items():
        assert float(paper.normal(name) @ (middle - centre)) > 0.5, name


@pytest.mark.parametrize("kind", [kind for kind in CLOSED if kind != "ship"])
@some
@given(st.data())
def test_the_faces_bound_a_convex_piece(kind: str, data: st.DataObject) -> None:
    """Nothing that is seen, and no tab or flap, sticks out beyond the plane of any face. (A ship's bow and stern do.)"""
    paper = Paper(data.draw(NETS[kind]))
    everything = np.concatenate([paper.corners(panel.name) for panel in paper.net.panels])
    for panel in visible(paper.net):
        beyond = (everything - paper.corners(panel.name)[0]) @ paper.normal(panel.name)
        assert beyond.max() <= GAP, panel.name


WALLS = {
    "standee": ("front", "back"),
    "pawn": ("front", "back"),
    "prism": ("front", "back"),
    "tuck box": ("front", "back", "left", "right"),
    "pouch": ("front", "back", "left", "right"),
    "ship": ("hull", "back", "bow-end", "stern-end"),
}


@every_kind
@some
@given(st.data())
def test_what_is_drawn_can_be_read(kind: str, data: st.DataObject) -> None:
    """Seen from its printed side, right is a quarter turn clockwise from up on every panel: no words are mirrored."""
    paper = Paper(data.draw(NETS[kind]))
    for panel in paper.net.panels:
        turned = np.cross(paper.right(panel.name), paper.up(panel.name))
        assert np.allclose(turned, paper.normal(panel.name), atol=1e-6), panel.name


@pytest.mark.parametrize("kind", WALLS)
@some
@given(st.data())
def test_what_is_drawn_on_the_walls_stands_upright(kind: str, data: st.DataObject) -> None:
    """On the finished piece, standing on its bottom, the drawings of front, back and sides have their tops on top,
    straight up in their plane."""
    paper = Paper(data.draw(NETS[kind]))
    above = -paper.normal("bottom") if "bottom" in paper.panels else UP
    for name in WALLS[kind]:
        up, normal = paper.up(name), paper.normal(name)
        steepest = above - float(above @ normal) * normal
        assert np.allclose(up, steepest / np.linalg.norm(steepest), atol=1e-6), name


@pytest.mark.parametrize(("kind", "lid"), [("prism", "top"), ("tuck box", "top"), ("ship", "deck")])
@some
@given(st.data())
def test_what_is_drawn_on_top_is_read_from_the_front(kind: str, lid: str, data: st.DataObject) -> None:
    """Looked down on from the front, the upper side of a drawing on a lid or deck is at the back."""
    paper = Paper(data.draw(NETS[kind]))

    assert np.allclose(paper.normal(lid), UP, atol=1e-6) and np.allclose(paper.up(lid), (0, 0, -1), atol=1e-6)


@every_kind
@some
@given(st.data())
def test_seen_from_behind_it_is_the_same_piece(kind: str, data: st.DataObject) -> None:
    """The mirrored net, with mountain folds for valleys, folds to the same piece turned about its upright middle: all its
    corners are there, its seams meet, its printed sides are the other ones, and what is up stays up."""
    net = data.draw(NETS[kind])
    one, two = Paper(net), Paper(mirrored(net))
    turned = np.array([-1.0, 1.0, -1.0])
    for panel in net.panels:
        there = one.corners(panel.name) * turned + np.array([net.bounds.width, 0, 0])
        # Mirroring turns a ring's direction round.
        assert same_place(there, two.corners(panel.name)[::-1]), panel.name
        assert np.allclose(one.normal(panel.name) * turned, -two.normal(panel.name), atol=1e-6), panel.name
        assert np.allclose(one.up(panel.name) * turned, two.up(panel.name), atol=1e-6), panel.name
    for seam in two.net.seams:
        assert same_place(two.place(seam.first, seam.edge), two.place(seam.second, seam.other)), seam


# Each kind's own measures


@some
@given(mm(5, 200), mm(5, 200), mm(3, 60))
def test_a_standee_stands_on_two_flaps(width: float, height: float, base: float) -> None:
    """Front and back lie back to back, their outlines alike; the flaps leave them at right angles at the foot, one to
    the front, one to the back, in one plane, their printed sides up."""
    paper = Paper(stands.standee(width, height, base))
    front, back = paper.corners("front"), paper.corners("back")
    foot = front[:, 1].min()

    assert same_place(front[np.lexsort(front.round(4).T)], back[np.lexsort(back.round(4).T)])
    assert np.allclose(paper.normal("front"), -paper.normal("back")) and close(extent(front)[1], height)
    for name, forward in (("base-front", 1), ("base-back", -1)):
        flap = paper.corners(name)
        assert np.allclose(flap[:, 1], foot, atol=1e-6) and np.allclose(paper.normal(name), UP, atol=1e-9)
        assert np.allclose(extent(flap), (width, 0, base), atol=1e-6)
        assert close(flap[:, 2].min() if forward > 0 else flap[:, 2].max(), front[:, 2].mean())


@some
@given(st.data())
def test_a_pawn_is_a_tent(data: st.DataObject) -> None:
    """Front and back are one size and lean on each other evenly over the flat bottom: the ridge is above its middle."""
    width, height = data.draw(mm(5, 200)), data.draw(mm(5, 200))
    depth = data.draw(mm(3, 1.9 * height))
    paper = Paper(stands.pawn(width, height, depth))
    bottom, normal = paper.corners("bottom"), paper.normal("bottom")
    tall = math.sqrt(height**2 - (depth / 2) ** 2)

    assert close(np.linalg.norm(bottom[1] - bottom[2]), depth) and close(np.linalg.norm(bottom[0] - bottom[1]), width)
    for name in ("front", "back"):
        side = paper.corners(name)
        # Above the bottom: its normal looks down.
        above = sorted((side - bottom[0]) @ -normal)
        assert np.allclose(above, [0, 0, tall, tall], atol=1e-4), name
        ridge = side[(side - bottom[0]) @ -normal > tall / 2].mean(axis=0)
        assert np.allclose(ridge + normal * tall, bottom.mean(axis=0), atol=1e-4), name


@some
@given(mm(5, 200), mm(5, 200), mm(5, 200))
def test_a_prism_is_a_block(width: float, height: float, depth: float) -> None:
    """It is ``width`` × ``height`` × ``depth``, top and bottom level; the brace runs inside from the lower front edge to the
    upper back edge, so that two triangles stand side by side."""
    paper = Paper(stands.prism(width, height, depth))
    everything, brace = all_corners(paper), paper.corners("brace")
    low, high = everything.min(axis=0), everything.max(axis=0)

    assert np.allclose(high - low, (width, height, depth), atol=1e-4)
    assert np.allclose(paper.corners("top")[:, 1], high[1], atol=1e-4)
    assert np.allclose(paper.corners("bottom")[:, 1], low[1], atol=1e-4)
    foot, head = brace[brace[:, 1] < low[1] + height / 2], brace[brace[:, 1] > low[1] + height / 2]
    assert len(foot) == len(head) == 2
    assert np.allclose(foot[:, 1:], (low[1], high[2]), atol=1e-4) and np.allclose(head[:, 1:], (high[1], low[2]), atol=1e-4)


@some
@given(mm(6.5, 200), mm(6.5, 200), mm(5, 200))
def test_a_tuck_box_is_as_large_inside_as_asked_for(width: float, height: float, depth: float) -> None:
    """Between left and right are ``width``, between top and bottom ``height``, between front and back ``depth``."""
    paper = Paper(boxes.tuck_box(width, height, depth))
    for one, two, axis, size in (("left", "right", 0, width), ("bottom", "top", 1, height), ("back", "front", 2, depth)):
        low, high = paper.corners(one)[:, axis], paper.corners(two)[:, axis]
        assert np.ptp(low) < 1e-4 and np.ptp(high) < 1e-4
        assert close(high[0] - low[0], size), (one, two)


@some
@given(mm(6.5, 200), mm(6.5, 200), mm(5, 200))
def test_the_small_flaps_of_a_box_do_not_reach_each_other(width: float, height: float, depth: float) -> None:
    """Folded in, the left and the right one leave room between them; the tucked lids of both ends do not overlap."""
    paper = Paper(boxes.tuck_box(width, height, depth))
    for end in ("top", "bottom"):
        left, right = (
            Polygon(paper.laid_back(end, paper.corners(f"dust-{side}-{end}"))[:, :2]) for side in ("left", "right")
        )
        assert left.distance(right) > 1
    assert paper.corners("tuck-top")[:, 1].min() >= paper.corners("tuck-bottom")[:, 1].max() - GAP


@some
@given(mm(5, 200), mm(5, 200), mm(5, 200))
def test_a_pouch_is_open_on_top_only(width: float, height: float, depth: float) -> None:
    """Four walls of ``height`` stand around a bottom of ``width`` × ``depth``: every two neighbours share an edge."""
    paper = Paper(boxes.pouch(width, height, depth))
    edges = edge_owners(paper)

    assert np.allclose(extent(all_corners(paper)), (width, height, depth), atol=1e-4)
    assert {panel.name for panel in visible(paper.net)} == {"front", "back", "left", "right", "bottom"}
    # Of the twelve edges of a block, the four on top are free.
    assert Counter(len(owners) for owners in edges.values()) == {2: 8, 1: 4}
    free = [owners for owners in edges.values() if len(owners) == 1]
    assert {name for owners in free for name in owners} == {"front", "back", "left", "right"}


@some
@given(PANELS, mm(20, 400))
def test_a_screen_stands(panels: list[float], height: float) -> None:
    """Every panel stands upright, its foot on the table; the panels turn away from the reader by 50° at each fold."""
    paper = Paper(boxes.screen(panels, height))
    names = [f"panel-{number}" for number in range(1, len(panels) + 1)]
    for name in names:
        corners = paper.corners(name)
        assert close(extent(corners)[1], height) and close(corners[:, 1].max(), 0) and paper.normal(name)[1] == 0
    for left, right in pairwise(names):
        # Outside, that is in front, the screen bulges: its normals part.
        a, b = paper.normal(left), paper.normal(right)
        assert close(float(a @ b), math.cos(math.radians(50))) and np.cross(a, b)[1] > 0


@settings(max_examples=examples(30), deadline=None)
@given(PANELS, mm(150, 400), mm(20, 400))
@example([100, 30, 10.5, 100], 150, 95)
def test_the_parts_of_a_screen_glue_to_the_same_screen(panels: list[float], longest: float, height: float) -> None:
    """Each tab is behind the first panel of the next part, inside it, with that panel's fold: part by part laid on, every
    panel is where the screen in one piece has it."""
    parts = boxes.screen_parts(panels, longest, height)
    assume(len(parts) > 1)
    one = Paper(boxes.screen(panels, height))
    for part, following in pairwise(parts):
        (lap,) = part.tabs
        paper, nxt = Paper(part), by_name(following)[lap.onto]
        hinge = next(crease for crease in part.creases if crease.child == lap.name)
        whole = next(crease for crease in one.net.creases if {crease.parent, crease.child} == {hinge.parent, lap.onto})
        # The next panel laid on the tab, left edge on the hinge.
        shift = polygon(lap).bounds[0] - polygon(nxt).bounds[0]
        target = Polygon([(x + shift, y) for x, y in nxt.ring])

        assert hinge.angle == whole.angle
        assert target.buffer(GAP, join_style="mitre").covers(polygon(lap))
        assert close(hinge.start[0], polygon(lap).bounds[0]) and close(math.dist(hinge.start, hinge.end), height)
        assert close(float(paper.normal(hinge.parent) @ paper.normal(lap.name)), math.cos(math.radians(whole.angle)))


@some
@given(mm(5, 150), st.integers(1, 6))
def test_a_ship_is_a_closed_hull(card: float, slots: int) -> None:
    """Hull, deck, back, bottom and the two ends bound a block; only the hull's drawing goes on beyond it, as bow to the left
    and stern to the right. Its slots are in the deck, across the cards' way, above the middle of the hold."""
    paper = Paper(ship.ship(card, slots))
    length = slots * (card + ship.EASE + ship.SPACE) + ship.SPACE
    block = np.concatenate([paper.corners(name) for name in ("deck", "back", "bottom", "bow-end", "stern-end")])
    hull = paper.corners("hull")

    assert np.allclose(extent(block), (length, ship.HULL, ship.DECK), atol=1e-4)
    assert hull[:, 0].min() < block[:, 0].min() - 10 and hull[:, 0].max() > block[:, 0].max() + 10
    assert np.allclose(hull[:, 2], block[:, 2].max(), atol=1e-4) and close(hull[:, 1].min(), block[:, 1].min())
    assert close(paper.corners("deck")[:, 1].mean(), block[:, 1].max())
    for hole in paper.net.holes:
        slot = paper.place("deck", hole)
        assert np.allclose(slot[:, 1], block[:, 1].max(), atol=1e-4)
        assert close(slot[:, 2].mean(), (block[:, 2].min() + block[:, 2].max()) / 2)


# Dice


def edge_owners(paper: Paper) -> dict[int, list[str]]:
    """The faces that have each edge of the folded piece, the edges numbered; their middles tell them apart."""
    found: dict[int, list[str]] = {}
    middles: list[Points] = []
    for panel in visible(paper.net):
        corners = paper.corners(panel.name)
        for middle in (corners + np.roll(corners, -1, axis=0)) / 2:
            index = next((i for i, other in enumerate(middles) if np.linalg.norm(middle - other) < 2 * GAP), len(middles))
            if index == len(middles):
                middles.append(middle)
            found.setdefault(index, []).append(panel.name)
    return found


def volume(paper: Paper) -> float:
    """What the folded faces enclose: the sum of the signed pyramids from the origin over all faces, each cut into
    triangles; faces seen from outside run clockwise, so that the sign is turned."""
    total = 0.0
    for panel in visible(paper.net):
        first, *others = paper.corners(panel.name)
        for two, three in pairwise(others):
            total -= float(np.linalg.det([first, two, three])) / 6
    return total


@pytest.mark.parametrize(("kind", "faces"), [("d6", 6), ("d10", 10)])
@some
@given(st.data())
def test_a_die_is_closed(kind: str, faces: int, data: st.DataObject) -> None:
    """Every edge belongs to two faces, and corners - edges + faces are 2."""
    paper = Paper(data.draw(NETS[kind]))
    edges = edge_owners(paper)
    corners: list[Points] = []
    for point in all_corners(paper):
        if all(np.linalg.norm(point - other) > 2 * GAP for other in corners):
            corners.append(point)

    assert all(len(set(owners)) == len(owners) == 2 for owners in edges.values())
    assert len(corners) - len(edges) + faces == 2
    assert {frozenset(owners) for owners in edges.values()} == {
        frozenset(pair)
        for pair in (
            *((crease.parent, crease.child) for crease in paper.net.creases if not by_name(paper.net)[crease.child].onto),
            *((seam.first, seam.second) for seam in paper.net.seams),
        )
    }


@some
@given(mm(5, 200))
def test_a_d6_is_a_cube(edge: float) -> None:
    """Six squares that enclose edge³; what two opposite faces show makes seven."""
    paper = Paper(dice.d6(edge))

    assert math.isclose(volume(paper), edge**3, rel_tol=1e-6)
    assert np.allclose(extent(all_corners(paper)), (edge, edge, edge), atol=1e-4)
    for number in range(1, 7):
        face = paper.corners(f"face-{number}")
        assert np.allclose(np.linalg.norm(face - np.roll(face, 1, axis=0), axis=1), edge)
        assert np.allclose(paper.normal(f"face-{number}"), -paper.normal(f"face-{7 - number}"), atol=1e-6)


@some
@given(mm(5, 200))
def test_a_d10_has_ten_kites(edge: float) -> None:
    """All ten are congruent: two long edges of the given length, two short ones of another, the same diagonals."""
    paper = Paper(dice.d10(edge))
    shapes = []
    for number in range(1, 11):
        kite = paper.corners(f"face-{number}")
        sides = sorted(np.linalg.norm(kite - np.roll(kite, 1, axis=0), axis=1))
        diagonals = sorted(np.linalg.norm(kite[[0, 1]] - kite[[2, 3]], axis=1))
        assert np.allclose(sides[2:], edge) and close(sides[0], sides[1]) and sides[1] < 0.9 * edge
        shapes.append([*sides, *diagonals])

    assert np.allclose(shapes, shapes[0], rtol=1e-6)


@some
@given(mm(5, 200))
def test_opposite_faces_of_a_d10_make_eleven(edge: float) -> None:
    """Faces n and 11 - n are parallel and face away from each other, so that one lies on top when the other is below; odd
    faces meet at one apex, even ones at the other."""
    paper = Paper(dice.d10(edge))
    for number in range(1, 6):
        one, two = f"face-{number}", f"face-{11 - number}"
        assert np.allclose(paper.normal(one), -paper.normal(two), atol=1e-6)
        apart = (paper.corners(one).mean(axis=0) - paper.corners(two).mean(axis=0)) @ paper.normal(one)
        assert apart > edge / 2
    for numbers in ((1, 3, 5, 7, 9), (2, 4, 6, 8, 10)):
        common = [
            point
            for point in paper.corners(f"face-{numbers[0]}")
            if all(np.linalg.norm(paper.corners(f"face-{n}") - point, axis=1).min() <= GAP for n in numbers)
        ]
        assert len(common) == 1


@some
@given(mm(5, 200))
def test_a_d10_encloses_its_convex_hull(edge: float) -> None:
    """By the divergence of its folded faces it holds 10/3 r³ sin 36°.

    Why: with its apexes at ±r over a ring of radius r whose corners are at ±e, each kite has the diagonals d from apex to
    lower corner and 2 r sin 36° across; its plane is r²/d away from the middle. The ten pyramids over the kites hold
    10 · ⅓ · ½ · d · 2 r sin 36° · r²/d. A kite is flat when e = r (1 - cos 36°)/(1 + cos 36°), and the long edge from
    (0, r) to (r, e), turned by 36°, is r √(1 + (1 - e/r)²). That no corner lies beyond the plane of any face is
    tested above: so the faces are those of the convex hull, and the hull's volume is this one.
    """
    paper = Paper(dice.d10(edge))
    cos, sin = math.cos(math.pi / 5), math.sin(math.pi / 5)
    radius = edge / math.hypot(1, 1 - (1 - cos) / (1 + cos))

    assert math.isclose(volume(paper), 10 / 3 * radius**3 * sin, rel_tol=1e-5)


@pytest.mark.parametrize("kind", ["d6", "d10"])
@some
@given(st.data())
def test_each_face_of_a_die_is_seen_from_outside(kind: str, data: st.DataObject) -> None:
    """From the middle of the die, each face's corners run counterclockwise as seen from inside: all determinants have the
    sign of a ring that is clockwise from outside."""
    paper = Paper(data.draw(NETS[kind]))
    centre = all_corners(paper).mean(axis=0)
    for panel in visible(paper.net):
        first, second, third, *_ = paper.corners(panel.name) - centre
        assert np.linalg.det([first, second, third]) < 0, panel.name


@some
@given(mm(5, 200))
def test_the_numbers_of_a_d10_stand_below_their_apex(edge: float) -> None:
    """A kite's drawing has the apex in the middle of its upper edge and its widest place in the lower half of its box."""
    for panel in dice.d10(edge).panels:
        if panel.onto:
            continue
        frame, width, height = panel.frame()
        own = sorted((frame.inverse().point(*point) for point in panel.ring), key=lambda point: point[1])
        (top, left, right, foot) = own[0], *sorted(own[1:3]), own[3]

        assert close(top[0], width / 2) and close(top[1], 0) and close(foot[0], width / 2) and close(foot[1], height)
        assert close(left[0], 0) and close(right[0], width) and close(left[1], right[1])
        assert left[1] > height / 2 and close(math.dist(top, left), edge)


@some
@given(pawns())
def test_folds_are_closed_step_by_step(pawn: Net) -> None:
    """Half closed, a tent's bottom leaves the front by half the angle; wholly closed, by all of it."""
    angle = next(crease.angle for crease in pawn.creases if crease.child == "bottom")
    for share in (0.25, 0.5, 1.0):
        space = folded(pawn, share)["bottom"]
        assert math.isclose(space.z[2], math.cos(math.radians(angle * share)), abs_tol=1e-9)
        assert space.y[2] < 0
