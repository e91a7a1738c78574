"""A folded piece as a picture: the real net with its real art, folded as far as one likes.

An orthographic view of a flat panel is an affine map, so a picture is the piece's own face, clipped panel by panel.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from pnp.shapes.affine import Affine, Rect, mirror_x, translation
from pnp.shapes.nets.net import Net, Panel, Point3, Space, folded
from pnp.shapes.outline import Ring, area
from pnp.values.faces import Item, Label, Piece, PlacedFace, Stroke
from pnp.values.game import Side

# The name that small pictures have in the file, so that nobody counts them as pieces.
PLAN = "pnp/plan"
# Seen from the left and from above.
YAW, PITCH = math.radians(-32), math.radians(24)
EDGE = 0.15
# Panels nearer than this to a plane touch it (mm).
TOUCH = 0.01
# The grey of unprinted paper.
INSIDE = 0.94


@dataclass(frozen=True, slots=True)
class Picture:
    """Faces, strokes and words in a box of ``width`` × ``height`` mm from (0, 0)."""

    items: tuple[PlacedFace | Stroke | Label, ...]
    width: float
    height: float

    def at(self, matrix: Affine) -> list[Item]:
        """The picture's items on the page; lines keep their width and words their size."""
        made: list[Item] = []
        for item in self.items:
            if isinstance(item, Stroke):
                made.append(replace(item, points=tuple(matrix.point(*point) for point in item.points)))
            elif isinstance(item, Label):
                x, y = matrix.point(item.x, item.y)
                made.append(replace(item, x=x, y=y))
            else:
                made.append(replace(item, matrix=matrix @ item.matrix))
        return made


def folded_picture(piece: Piece, share: float) -> Picture:
    """The piece with its folds closed by ``share``; flat nets are seen from straight above.

    What is tucked or glued inside a closed piece is left out: it lies against what hides it.
    """
    net = piece.front.net
    if net is None:
        raise ValueError(f"{piece.id} is not folded")
    shown = _view(net, share)
    xs, ys = zip(*(each.matrix.point(*point) for each in shown for point in each.panel.ring), strict=True)
    home = translation(-min(xs), -min(ys))
    items = [item for each in shown for item in _drawn(piece, each.panel, home @ each.matrix)]
    return Picture(tuple(items), max(xs) - min(xs), max(ys) - min(ys))


@dataclass(frozen=True, slots=True)
class _Shown:
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

    def heights(self, other: _Shown) -> list[float]:
        """How far the other's corners stand before this panel's plane."""
        foot = self.corners[0]
        return [sum(self.normal[i] * (corner[i] - foot[i]) for i in range(3)) for corner in other.corners]

    def before(self, other: _Shown) -> bool:
        """Whether the other lies behind this one's plane, or this one before the other's."""
        behind, ahead = self.heights(other), other.heights(self)
        return (max(behind) < TOUCH and min(behind) < -TOUCH) or (min(ahead) > -TOUCH and max(ahead) > TOUCH)


def _view(net: Net, share: float) -> list[_Shown]:
    """The panels that are seen, those behind first."""
    yaw, pitch = (YAW, PITCH) if share else (0.0, 0.0)
    placed = folded(net, share)
    shown = [_seen(panel, placed[panel.name], yaw, pitch) for panel in net.panels if share < 1 or not panel.onto]
    # Of two panels glued on one another the one that turns its print to the reader is in front.
    waiting = sorted(shown, key=lambda each: (round(each.depth, 3), each.matrix.determinant > 0))
    order = []
    while waiting:
        # One whose middle is far away may still stand before another: a ship's hull before its bow.
        free = (each for each in waiting if not any(each.before(other) > other.before(each) for other in waiting))
        order.append(next(free, waiting[0]))
        waiting.remove(order[-1])
    return order


def _seen(panel: Panel, space: Space, yaw: float, pitch: float) -> _Shown:
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
    return _Shown(
        panel,
        Affine(ax - ox, ay - oy, bx - ox, by - oy, ox, oy),
        tuple(look(*point) for point in panel.ring),
        normal,
    )


def _drawn(piece: Piece, panel: Panel, matrix: Affine) -> list[PlacedFace | Stroke]:
    """A panel's printed side with its art, or its inside: the back where the piece has one, else blank paper."""
    ring = tuple(matrix.point(*point) for point in panel.ring)
    if abs(area(ring)) < 0.01:
        return []
    if matrix.determinant > 0:
        return [_clipped(piece, "front", matrix, panel.ring), Stroke(ring, EDGE)]
    if piece.back is not None:
        turned = mirror_x(piece.front.width / 2)
        points = tuple(turned.point(*point) for point in panel.ring[::-1])
        return [_clipped(piece, "back", matrix @ turned, points), Stroke(ring, EDGE)]
    return [Stroke(ring, EDGE, fill=INSIDE)]


def _clipped(piece: Piece, side: Side, matrix: Affine, ring: Ring) -> PlacedFace:
    face = piece.side(side) or piece.front
    return PlacedFace(face, PLAN, side, matrix, Rect(0, 0, face.width, face.height), ring)
