"""How a folded net is seen: which panels, where, and which of them before which."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from pnp.shapes.affine import Affine
from pnp.shapes.nets.net import Net, Panel, Point3, Space, folded

# Panels nearer than this to a plane touch it (mm).
TOUCH = 0.01


@dataclass(frozen=True, slots=True)
class View:
    """From where a folded piece is seen: turned about its upright axis, then tilted towards the reader, in radians."""

    yaw: float
    pitch: float
    face: str = ""
    """The panel that is turned to the reader first, upright; without one the net's first panel."""


# From the left and from above; straight on; from behind and from above.
ASIDE = View(math.radians(-32), math.radians(24))
AHEAD = View(0.0, 0.0)
BEHIND = View(math.radians(180), math.radians(20))


def lying(face: str) -> View:
    """From above with a little of the near side: ``face`` is the one on top."""
    return View(0.0, math.radians(-14), face)


@dataclass(frozen=True, slots=True)
class Seen:
    """A panel in the picture: the map from net mm to picture mm, and its corners as they are seen: across, down, near."""

    panel: Panel
    matrix: Affine
    corners: tuple[Point3, ...]
    normal: Point3
    """At right angles to the panel, towards the reader."""

    @property
    def depth(self) -> float:
        """How near its middle is."""
        return sum(near for _, _, near in self.corners) / len(self.corners)

    def heights(self, other: Seen) -> list[float]:
        """How far the other's corners stand before this panel's plane."""
        foot = self.corners[0]
        return [sum(self.normal[i] * (corner[i] - foot[i]) for i in range(3)) for corner in other.corners]

    def before(self, other: Seen) -> bool:
        """Whether the other lies behind this one's plane, or this one before the other's."""
        behind, ahead = self.heights(other), other.heights(self)
        return (max(behind) < TOUCH and min(behind) < -TOUCH) or (min(ahead) > -TOUCH and max(ahead) > TOUCH)


def seen(net: Net, share: float, view: View = ASIDE) -> list[Seen]:
    """The panels that are seen, those behind first; a flat net from straight above."""
    placed = folded(net, share)
    turned = _towards(net, placed, view.face)
    yaw, pitch = (view.yaw, view.pitch) if share else (0.0, 0.0)
    shown = [_seen(panel, turned @ placed[panel.name], yaw, pitch) for panel in net.panels if share < 1 or not panel.onto]
    # Of two panels glued on one another the one that turns its print to the reader is in front.
    waiting = sorted(shown, key=lambda each: (round(each.depth, 3), each.matrix.determinant > 0))
    order = []
    while waiting:
        # One whose middle is far away may still stand before another: a ship's hull before its bow.
        free = (each for each in waiting if not any(each.before(other) > other.before(each) for other in waiting))
        order.append(next(free, waiting[0]))
        waiting.remove(order[-1])
    return order


def size_seen(net: Net, view: View) -> tuple[float, float]:
    """How wide and high a folded piece is as it is seen, in mm."""
    corners = [corner for each in seen(net, 1.0, view) for corner in each.corners]
    xs, ys = [x for x, _, _ in corners], [y for _, y, _ in corners]
    return max(xs) - min(xs), max(ys) - min(ys)


def _towards(net: Net, placed: Mapping[str, Space], face: str) -> Space:
    """The turn that brings a panel upright before the reader."""
    panel = next((each for each in net.panels if each.name == face), None)
    if panel is None:
        return Space()
    frame, _, _ = panel.frame()
    own = placed[face]
    right, down, out = (
        own.vector((frame.a, frame.b, 0.0)),
        own.vector((frame.c, frame.d, 0.0)),
        own.vector((0.0, 0.0, 1.0)),
    )
    columns = tuple(zip(right, down, out, strict=True))
    return Space(columns[0], columns[1], columns[2])


def _seen(panel: Panel, space: Space, yaw: float, pitch: float) -> Seen:
    """A panel as it is seen once the piece is turned."""

    def look(x: float, y: float, z: float = 0.0) -> Point3:
        px, py, pz = space.point(x, y, z)
        across = px * math.cos(yaw) - pz * math.sin(yaw)
        near = px * math.sin(yaw) + pz * math.cos(yaw)
        return across, py * math.cos(pitch) + near * math.sin(pitch), near * math.cos(pitch) - py * math.sin(pitch)

    ox, oy, oz = look(0, 0)
    ax, ay, _ = look(1, 0)
    bx, by, _ = look(0, 1)
    nx, ny, nz = look(0, 0, 1)
    way = math.copysign(1.0, nz - oz)
    normal = (nx - ox) * way, (ny - oy) * way, (nz - oz) * way
    return Seen(
        panel,
        Affine(ax - ox, ay - oy, bx - ox, by - oy, ox, oy),
        tuple(look(*point) for point in panel.ring),
        normal,
    )
