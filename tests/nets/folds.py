"""Nets of every kind with drawn measures, folded in space.

In space x runs to the right, y up and z to the reader of the flat net: right-handed, so that the usual formulas hold.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st
from shapely.geometry import LineString, Polygon

from pnp.shapes.nets import boxes, stands
from pnp.shapes.nets import stands as ship
from pnp.shapes.nets.net import Crease, Net, Panel, folded
from pnp.shapes.outline import Point

Points = npt.NDArray[np.float64]

# The net's y runs down the page.
UPWARDS = np.array([1.0, -1.0, 1.0])
GAP = 0.05
"""Nothing that must meet is further apart than this, in mm."""


def mm(least: float, most: float) -> st.SearchStrategy[float]:
    """Lengths in hundredths of a millimetre."""
    return st.integers(math.ceil(least * 100), math.floor(most * 100)).map(lambda number: number / 100)


@st.composite
def pawns(draw: st.DrawFn) -> Net:
    width, height = draw(mm(5, 200)), draw(mm(5, 200))
    return stands.pawn(width, height, draw(mm(3, 1.9 * height)))


@st.composite
def screen_parts(draw: st.DrawFn) -> Net:
    """One part of a screen that is larger than its paper."""
    parts = boxes.screen_parts(draw(PANELS), draw(mm(150, 400)), draw(mm(20, 400)))
    return draw(st.sampled_from(parts))


# The lengths are those that a game.toml may ask for (least sizes of pieces, depths, panels), up to 200 mm (panels: 400);
# a tuck box is at least as wide and high as the smallest token with its room, 5 mm and 1.5 more.
PANELS = st.lists(mm(10, 400), min_size=1, max_size=9)
NETS: dict[str, st.SearchStrategy[Net]] = {
    "standee": st.builds(stands.standee, mm(5, 200), mm(5, 200), mm(3, 60)),
    "pawn": pawns(),
    "prism": st.builds(stands.prism, mm(5, 200), mm(5, 200), mm(5, 200)),
    "tuck box": st.builds(boxes.tuck_box, mm(6.5, 200), mm(6.5, 200), mm(5, 200)),
    "pouch": st.builds(boxes.pouch, mm(5, 200), mm(5, 200), mm(5, 200)),
    "screen": st.builds(boxes.screen, PANELS, mm(20, 400)),
    "part of a screen": screen_parts(),
    "ship": st.builds(ship.ship, mm(5, 150), st.integers(1, 6)),
    "d6": st.builds(boxes.d6, mm(5, 200)),
    "d10": st.builds(boxes.d10, mm(5, 200)),
}


def polygon(panel: Panel) -> Polygon:
    return Polygon(panel.ring)


def by_name(net: Net) -> dict[str, Panel]:
    return {panel.name: panel for panel in net.panels}


def visible(net: Net) -> list[Panel]:
    """The panels that are seen on the finished piece: no tabs, no flaps, not the prism's brace."""
    return [panel for panel in net.panels if not panel.onto and panel.name != "brace"]


def laps(net: Net, edge: Sequence[Point], other: Sequence[Point]) -> list[Crease]:
    """The creases of tabs and flaps that are hinged along one of the two edges of a seam."""
    lapping = {panel.name for panel in net.panels if panel.onto}
    return [
        crease
        for crease in net.creases
        if crease.child in lapping
        and any(LineString([crease.start, crease.end]).equals_exact(_sorted(side, crease), GAP) for side in (edge, other))
    ]


def _sorted(edge: Sequence[Point], crease: Crease) -> LineString:
    """The edge in the crease's direction."""
    first, last = edge
    return LineString([first, last] if math.dist(first, crease.start) < math.dist(last, crease.start) else [last, first])


@dataclass
class Paper:
    """A folded net in space."""

    net: Net
    share: float = 1.0
    panels: dict[str, Panel] = field(init=False)

    def __post_init__(self) -> None:
        self.panels = by_name(self.net)
        self._placed = folded(self.net, self.share)

    def place(self, name: str, points: Iterable[Point]) -> Points:
        """Where points of a panel, given on the flat net, are in space."""
        return np.array([self._placed[name].point(*point) for point in points]) * UPWARDS

    def corners(self, name: str) -> Points:
        return self.place(name, self.panels[name].ring)

    def normal(self, name: str) -> Points:
        """The unit vector out of a panel's printed side."""
        return np.array(self._placed[name].vector((0.0, 0.0, 1.0))) * UPWARDS

    def up(self, name: str) -> Points:
        """The direction in space of what is up in a panel's own drawing."""
        frame, _, _ = self.panels[name].frame()
        low, high = self.place(name, [frame.point(0, 1), frame.point(0, 0)])
        return high - low

    def right(self, name: str) -> Points:
        """The direction in space of what is right in a panel's own drawing."""
        frame, _, _ = self.panels[name].frame()
        left, right = self.place(name, [frame.point(0, 0), frame.point(1, 0)])
        return right - left

    def laid_back(self, name: str, points: Points) -> Points:
        """Points of space in the flat coordinates of a panel, and how far they are above its printed side."""
        space = self._placed[name]
        axes = np.array([space.x, space.y, space.z])
        back: Points = (points * UPWARDS - np.array(space.origin)) @ axes.T
        return back


def same_place(one: Points, two: Points, gap: float = GAP) -> bool:
    """Whether each point of one list is where the point of the other is."""
    return bool(np.linalg.norm(one - two, axis=1).max() <= gap)
