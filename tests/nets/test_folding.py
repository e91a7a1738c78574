"""Every net is proved to fold: panels stay stiff, what must meet is found to meet; the penguins of ``penguin`` stack."""

from __future__ import annotations

import math
import os
import tomllib
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT, examples, read_whole
from folds import GAP, NETS, PANELS, Paper, by_name, mm, polygon, same_place, visible
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from shapely.affinity import translate
from shapely.geometry import Point, Polygon
from shapely.ops import unary_union

from pnp.read.project import Project
from pnp.shapes import units
from pnp.shapes.nets import boxes, stands
from pnp.shapes.nets.net import Net, folded, mirrored

every_kind = pytest.mark.parametrize("kind", NETS)
some = settings(max_examples=8, deadline=None)


def close(one: float, two: float) -> bool:
    """Whether two lengths in mm are one, but for rounding."""
    return math.isclose(one, two, rel_tol=1e-6, abs_tol=1e-4)


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
@given(st.data(), st.floats(0, 1))
def test_folds_turn_about_their_creases(kind: str, data: st.DataObject, share: float) -> None:
    """Both panels of a fold keep its ends together, and are turned against each other by that share of its angle; a
    positive fold takes the child away from the reader."""
    paper = Paper(data.draw(NETS[kind]), share)
    for crease in paper.net.creases:
        ends = (crease.start, crease.end)
        assert same_place(paper.place(crease.parent, ends), paper.place(crease.child, ends), 1e-6)
        normal = paper.normal(crease.parent)
        turned = math.cos(math.radians(crease.angle * share))
        assert math.isclose(float(normal @ paper.normal(crease.child)), turned, abs_tol=1e-9)
        behind = (paper.corners(crease.child) - paper.place(crease.parent, ends)[0]) @ normal
        assert (behind * math.copysign(1, crease.angle)).max() < 1e-6


def an_unfolded_net_is_flat(kind: str, net: Net) -> None:
    """With no fold closed every panel is where it was printed; the first panel stays there whatever is folded."""
    flat, closed = folded(net, 0.0), folded(net)
    for panel in net.panels:
        there = [flat[panel.name].point(*point) for point in panel.ring]
        assert np.allclose(there, [(x, y, 0) for x, y in panel.ring], atol=1e-9)
    first = net.panels[0]
    assert [closed[first.name].point(*point) for point in first.ring] == [(x, y, 0) for x, y in first.ring]


def the_edges_of_every_seam_meet(kind: str, net: Net) -> None:
    """End to end, with no gap over 0.05 mm."""
    paper = Paper(net)
    for seam in paper.net.seams:
        assert same_place(paper.place(seam.first, seam.edge), paper.place(seam.second, seam.other)), seam


def tabs_and_flaps_lie_against_their_panels(kind: str, net: Net) -> None:
    """A folded tab is within 0.05 mm of its target's plane and inside its outline; nothing of it shows, but in the
    notch for the thumb. (A tab to another part of a screen is judged with that part, below.)"""
    paper = Paper(net)
    for panel in paper.net.panels:
        if panel.onto not in paper.panels:
            continue
        lying = paper.laid_back(panel.onto, paper.corners(panel.name))
        target = polygon(paper.panels[panel.onto])
        if kind == "tuck box" and panel.onto == "front":
            target = target.convex_hull
        assert np.abs(lying[:, 2]).max() <= GAP, panel.name
        assert target.buffer(GAP, join_style="mitre").covers(Polygon(lying[:, :2])), panel.name


def glued_tabs_are_inside(kind: str, net: Net) -> None:
    """A tab's printed side, where the glue goes, faces as its target's does: it lies on the target's blank inside. Only
    the tab that holds the prism's brace is glued to the side of the brace that faces the front, the printed one."""
    paper = Paper(net)
    for panel in paper.net.panels:
        if panel.onto in paper.panels:
            facing = float(paper.normal(panel.name) @ paper.normal(panel.onto))
            assert close(facing, -1 if panel.onto == "brace" else 1), panel.name


def folds_go_the_way_the_steps_say(kind: str, net: Net) -> None:
    """Every fold is a mountain fold, away from the reader, but for a standee's flaps, which come towards the reader; none
    is closed by more than half a turn."""
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


def what_is_drawn_can_be_read(kind: str, net: Net) -> None:
    """Seen from its printed side, right is a quarter turn clockwise from up on every panel: no words are mirrored."""
    paper = Paper(net)
    for panel in paper.net.panels:
        turned = np.cross(paper.right(panel.name), paper.up(panel.name))
        assert np.allclose(turned, paper.normal(panel.name), atol=1e-6), panel.name


def seen_from_behind_it_is_the_same_piece(kind: str, net: Net) -> None:
    """The mirrored net, with mountain folds for valleys, folds to the same piece turned about its upright middle: all its
    corners are there, its seams meet, its printed sides are the other ones, and what is up stays up."""
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


@every_kind
@settings(max_examples=examples(45), deadline=None)
@given(st.data())
def test_nets_fold_to_what_they_show(kind: str, data: st.DataObject) -> None:
    """All that is promised of every folded net, on the same one."""
    net = data.draw(NETS[kind])
    for check in (
        an_unfolded_net_is_flat,
        the_edges_of_every_seam_meet,
        tabs_and_flaps_lie_against_their_panels,
        glued_tabs_are_inside,
        folds_go_the_way_the_steps_say,
        what_is_drawn_can_be_read,
        seen_from_behind_it_is_the_same_piece,
    ):
        check(kind, net)


# Each kind's own shape

GOLDEN = Path(__file__).with_name("golden") / "finished.txt"
MADE = {
    "standee": stands.standee(30, 50, 12), "pawn": stands.pawn(20, 30, 16), "prism": stands.prism(30, 50, 20),
    "tuck box": boxes.tuck_box(64, 89, 14), "pouch": boxes.pouch(60, 65, 25),
    "screen": boxes.screen([55, 140, 55], 95), "ship": stands.ship(44, 3), "d6": boxes.d6(16), "d10": boxes.d10(20),
}  # fmt: skip


def described(kind: str) -> str:
    """A finished piece in numbers: where each panel's corners and the holes are in space, and what is up in its drawing."""
    paper = Paper(MADE[kind])
    rings = [(panel.name, paper.corners(panel.name)) for panel in paper.net.panels]
    rings += [(f"up {panel.name}", np.array([paper.up(panel.name)])) for panel in paper.net.panels if not panel.onto]
    rings += [("hole", paper.place("deck", hole)) for hole in paper.net.holes]
    lines = [f"  {name} " + " ".join("{:.2f},{:.2f},{:.2f}".format(*at) for at in points) for name, points in rings]
    return "\n".join([kind, *lines, ""]).replace("-0.00", "0.00")


def test_finished_pieces_are_those_that_were_looked_at() -> None:
    """One of each kind, of known measures: walls, lids, flaps, slots, and which face of a die has which number.

    To make it anew, after looking at what has changed: ``pytest tests/nets/test_folding.py`` with PNP_GOLDEN set."""
    made = "".join(map(described, MADE))
    if "PNP_GOLDEN" in os.environ:
        GOLDEN.write_text(made, encoding="utf-8")
    assert made == GOLDEN.read_text(encoding="utf-8")


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


LEAST_PATCH = 5.0
"""On each neighbour a penguin rests at least this wide, in mm: less, and a breath of air topples it."""


@dataclass(frozen=True)
class Block:
    """A folded piece on the table, seen from above: x to the right, y to the back, in mm from its lower left corner."""

    width: float
    top: Polygon
    bottom: Polygon
    mass: Point
    """Its centre of mass; paper is equally heavy all over, tabs and brace included."""

    def stands_on(self, below: list[float], x: float, y: float = 0.0) -> list[Polygon]:
        """The patches on which one at this place rests on the tops of those below, and does not fall over."""
        bottom = translate(self.bottom, x, y)
        patches = [bottom.intersection(translate(self.top, other)) for other in below]
        patches = [patch for patch in patches if patch.area > 1e-6]
        assert unary_union(patches).convex_hull.contains(translate(self.mass, x, y))
        return patches


@cache
def penguin() -> Block:
    """A figure of the shipped game: a block of the lengths in its game.toml; top and bottom level, one above the other."""
    figures = next(each for each in read_whole(Project(ROOT), "penguin").components if each.name == "figures")
    typed = tomllib.loads(Path(ROOT, "content/penguin/game.toml").read_text("utf-8"))["component"]["figures"]
    paper = Paper(figures.nets[0])
    everything = np.concatenate([paper.corners(panel.name) for panel in paper.net.panels])
    low, high = everything.min(axis=0), everything.max(axis=0)
    assert tuple(high - low) == pytest.approx((*units.size(typed["size"]), units.length(typed["depth"])))
    rings = {}
    for name, level in (("top", high[1]), ("bottom", low[1])):
        corners = paper.corners(name)
        assert corners[:, 1] == pytest.approx([level] * len(corners), abs=1e-6)
        rings[name] = Polygon([(x - low[0], high[2] - z) for x, _, z in corners])
    assert rings["top"].symmetric_difference(rings["bottom"]).area < 1e-3
    middles = [paper.place(panel.name, [polygon(panel).centroid.coords[0]])[0] for panel in paper.net.panels]
    x, _, z = np.average(middles, axis=0, weights=[polygon(panel).area for panel in paper.net.panels])
    return Block(high[0] - low[0], rings["top"], rings["bottom"], Point(x - low[0], high[2] - z))


@pytest.mark.parametrize(("number", "pieces"), [(8, 36), (7, 28)])
@settings(max_examples=15, deadline=None)
@given(st.floats(0, 1))
def test_the_whole_pyramid_stands(number: int, pieces: int, share: float) -> None:
    """Over a row of 8 it has 8 + 7 + … + 1 = 36 penguins, all there are; over a row of 7, for two players, 28.

    Neighbours stand a gap g apart, each level half a step further right; a penguin of width w rests on (w - g)/2 of two
    tops, at least 5 mm as long as g is w - 10 at most: for the penguin of 30 mm up to 20 mm.
    """
    piece = penguin()
    step = piece.width + share * (piece.width - 2 * LEAST_PATCH)
    levels = [[level * step / 2 + place * step for place in range(number - level)] for level in range(number)]
    for below, here in pairwise(levels):
        for x in here:
            patches = piece.stands_on(below, x)
            widths = [patch.bounds[2] - patch.bounds[0] for patch in patches]
            assert widths == pytest.approx([(2 * piece.width - step) / 2] * 2) and min(widths) >= LEAST_PATCH - 1e-9

    assert sum(map(len, levels)) == pieces


@settings(max_examples=examples(60), deadline=None)
@given(st.floats(-0.16, 0.16), st.floats(-0.4, 0.4))
def test_an_unsteady_hand_is_forgiven(aside: float, behind: float) -> None:
    """Set down up to 16 % of its width (5 mm) aside and 40 % of its depth (8 mm) before or behind, on neighbours 5 mm
    apart, it still rests on both and stands."""
    piece = penguin()
    step, depth = piece.width + 5.0, piece.bottom.bounds[3]
    assert len(piece.stands_on([0.0, step], step / 2 + aside * piece.width, behind * depth)) == 2
