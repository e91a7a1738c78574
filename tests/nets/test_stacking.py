"""The penguins of the game ``penguin`` stack: two neighbours carry a third, up to a whole pyramid."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from conftest import examples, read_whole
from folds import Paper, Points, polygon
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.affinity import translate
from shapely.geometry import Point, Polygon
from shapely.ops import unary_union

from pnp.read.project import Project
from pnp.shapes import units
from pnp.shapes.nets.net import Net

ROOT = Path(__file__).resolve().parents[2]

LEAST_PATCH = 5.0
"""On each neighbour a penguin rests at least this wide, in mm: less, and a breath of air topples it."""


@dataclass(frozen=True)
class Block:
    """A folded piece on the table, seen from above: x to the right, y to the back, in mm from its lower left corner."""

    width: float
    height: float
    depth: float
    rise: float
    """From what it stands on to what stands on it."""
    top: Polygon
    bottom: Polygon
    mass: Point
    """Its centre of mass; paper is equally heavy all over, tabs and brace included."""


def block(net: Net) -> Block:
    """The piece as it stands once it is folded; its top and bottom are found to be level."""
    paper = Paper(net)
    everything = np.concatenate([paper.corners(panel.name) for panel in net.panels])
    low, high = everything.min(axis=0), everything.max(axis=0)

    def from_above(points: Points) -> Polygon:
        return Polygon([(x - low[0], high[2] - z) for x, _, z in points])

    top, bottom = paper.corners("top"), paper.corners("bottom")
    assert np.ptp(top[:, 1]) < 1e-6 and np.ptp(bottom[:, 1]) < 1e-6
    assert abs(top[:, 1].max() - high[1]) < 1e-6 and abs(bottom[:, 1].min() - low[1]) < 1e-6
    areas = [polygon(panel).area for panel in net.panels]
    middles = [paper.place(panel.name, [polygon(panel).centroid.coords[0]])[0] for panel in net.panels]
    x, _, z = np.average(middles, axis=0, weights=areas)
    width, height, depth = high - low
    rise = float(top[:, 1].min() - bottom[:, 1].max())
    return Block(width, height, depth, rise, from_above(top), from_above(bottom), Point(x - low[0], high[2] - z))


@cache
def penguin() -> Block:
    """A figure of the shipped game."""
    game = read_whole(Project(ROOT), "penguin")
    figures = next(component for component in game.components if component.name == "figures")
    return block(figures.nets[0])


@cache
def lengths() -> tuple[float, float, float]:
    """Width, height and depth of a figure as the game's maker typed them."""
    typed = tomllib.loads((ROOT / "content/penguin/game.toml").read_text(encoding="utf-8"))["component"]["figures"]
    return (*units.size(typed["size"]), units.length(typed["depth"]))


def row(piece: Block, number: int, level: int, gap: float) -> list[float]:
    """Where the pieces of a level begin: each level half a step further right than the one below, one piece fewer."""
    step = piece.width + gap
    return [level * step / 2 + place * step for place in range(number - level)]


def carried(piece: Block, x: float, below: list[float]) -> list[Polygon]:
    """The patches on which a piece at x rests on the tops of those below."""
    bottom = translate(piece.bottom, x)
    patches = [bottom.intersection(translate(piece.top, other)) for other in below]
    return [patch for patch in patches if patch.area > 1e-6]


def stands_on(piece: Block, x: float, patches: list[Polygon]) -> bool:
    """Whether the centre of mass is above the convex hull of what the piece rests on, and not on its rim."""
    return unary_union(patches).convex_hull.contains(translate(piece.mass, x))


def test_the_figure_is_the_block_that_the_game_says() -> None:
    """The game's figures fold to blocks of the lengths in its game.toml; top and bottom are level, alike, and lie one above
    the other."""
    piece, (width, height, depth) = penguin(), lengths()

    assert (piece.width, piece.height, piece.depth) == pytest.approx((width, height, depth))
    assert piece.rise == pytest.approx(height)
    assert piece.top.symmetric_difference(piece.bottom).area < 1e-3
    assert piece.bottom.area == pytest.approx(width * depth)


@settings(max_examples=examples(60), deadline=None)
@given(st.floats(0, 1))
def test_two_neighbours_carry_a_third(share: float) -> None:
    """Two neighbours of width w stand a gap g apart, a third stands centred over the joint.

    The left one covers 0 to w, the right one w + g to 2w + g; the third begins at (w + g)/2 and ends at (w + g)/2 + w.
    So it rests on w - (w + g)/2 = (w - g)/2 of each top, over the whole depth. The two patches are symmetric about the
    joint, above which its centre of mass is: it stands as long as there are two patches, that is for g < w. Each is at
    least 5 mm wide as long as (w - g)/2 ≥ 5, that is for every gap up to w - 10: for the penguin of 30 mm up to 20 mm.
    """
    piece = penguin()
    gap = share * (piece.width - 2 * LEAST_PATCH)
    below = row(piece, 2, 0, gap)
    (x,) = row(piece, 2, 1, gap)
    patches = carried(piece, x, below)

    assert len(patches) == 2
    for patch in patches:
        left, front, right, back = patch.bounds
        assert right - left == pytest.approx((piece.width - gap) / 2) and right - left >= LEAST_PATCH - 1e-9
        assert (front, back) == pytest.approx((0, piece.depth), abs=1e-6)
        assert patch.area == pytest.approx((right - left) * piece.depth)
    assert stands_on(piece, x, patches)


@pytest.mark.parametrize(("number", "pieces"), [(8, 36), (7, 28)])
@settings(max_examples=15, deadline=None)
@given(st.floats(0, 1))
def test_the_whole_pyramid_stands(number: int, pieces: int, share: float) -> None:
    """Over a row of 8 it has 8 + 7 + … + 1 = 36 penguins, all there are; over a row of 7, for two players, 28.

    Level k has its feet at k times the height of a penguin; each of its penguins rests on exactly two below, at
    least 5 mm wide on each; the top one stands above the middle of the bottom row.
    """
    piece = penguin()
    gap = share * (piece.width - 2 * LEAST_PATCH)
    levels = [row(piece, number, level, gap) for level in range(number)]
    feet = [0.0]
    for below, here in pairwise(levels):
        for x in here:
            patches = carried(piece, x, below)
            assert len(patches) == 2 and stands_on(piece, x, patches)
            assert all(patch.bounds[2] - patch.bounds[0] >= LEAST_PATCH - 1e-9 for patch in patches)
        feet.append(feet[-1] + piece.rise)

    assert sum(map(len, levels)) == pieces
    assert feet == pytest.approx([level * lengths()[1] for level in range(number)])
    assert levels[-1] == pytest.approx([(levels[0][0] + levels[0][-1]) / 2])
    # Neighbours of a row keep the gap: they do not stand in each other's place.
    assert all(two - one >= piece.width - 1e-9 for here in levels for one, two in pairwise(here))


@settings(max_examples=examples(60), deadline=None)
@given(st.floats(-0.16, 0.16), st.floats(-0.4, 0.4))
def test_an_unsteady_hand_is_forgiven(aside: float, behind: float) -> None:
    """Set down up to 16 % of its width (5 mm) aside and 40 % of its depth (8 mm) before or behind, on neighbours 5 mm
    apart, it still rests on both and stands."""
    piece = penguin()
    below = row(piece, 2, 0, 5.0)
    x = row(piece, 2, 1, 5.0)[0] + aside * piece.width
    bottom = translate(piece.bottom, x, behind * piece.depth)
    patches = [bottom.intersection(translate(piece.top, other)) for other in below]

    assert all(patch.area > 0 for patch in patches)
    assert unary_union(patches).convex_hull.contains(translate(piece.mass, x, behind * piece.depth))
