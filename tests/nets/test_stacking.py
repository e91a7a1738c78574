"""The penguins of the game ``penguin`` stack: two neighbours carry a third, up to a whole pyramid."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT, examples, read_whole
from folds import Paper, polygon
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.affinity import translate
from shapely.geometry import Point, Polygon
from shapely.ops import unary_union

from pnp.read.project import Project
from pnp.shapes import units

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
