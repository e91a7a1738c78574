"""A flat net: panels joined along creases, tabs and flaps; its outline, and what it becomes when it is folded.

Flat points are in mm with y downwards, the printed side towards the reader. In space z points to the reader.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pnp.shapes.affine import Affine, Rect, mirror_x, rotation, translation
from pnp.shapes.outline import Point, Ring, area, outlines

Point3 = tuple[float, float, float]

# Points nearer than this are one corner (mm).
_SAME = 1e-6


@dataclass(frozen=True, slots=True)
class Panel:
    """A flat part of a net."""

    name: str
    ring: Ring
    """Its outline on the flat net, clockwise on the page."""
    turn: float = 0.0
    """How far its own upright drawing is turned on the net, in degrees clockwise."""
    onto: str = ""
    """The panel that a tab or tucked flap lies against once it is folded; empty for what is seen."""
    glue: bool = False
    """A tab: its printed side is glued to the inside of the panel that it lies against."""

    def frame(self) -> tuple[Affine, float, float]:
        """The map from the panel's own mm, (0, 0) at the top left of its upright box, to the net; the box's size."""
        upright = rotation(-self.turn)
        xs, ys = zip(*(upright.point(*point) for point in self.ring), strict=True)
        back = rotation(self.turn) @ translation(min(xs), min(ys))
        return back, max(xs) - min(xs), max(ys) - min(ys)


@dataclass(frozen=True, slots=True)
class Crease:
    """The fold between two panels. ``angle`` in degrees: how far the child leaves the parent's plane,
    positive away from the reader (a mountain fold), negative towards the reader (a valley fold)."""

    parent: str
    child: str
    start: Point
    end: Point
    angle: float


@dataclass(frozen=True, slots=True)
class Seam:
    """Two edges of the flat net that meet in space once it is folded, end to end."""

    first: str
    edge: tuple[Point, Point]
    second: str
    other: tuple[Point, Point]


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the assembly: a sentence, and how far all folds are closed in its picture (0 to 1).

    Of parts that lie on one another the picture shows those with these numbers, the lowest first; ``share`` is how near
    they have come (1: they lie on each other).
    """

    text: str
    share: float
    parts: tuple[int, ...] = (1,)


@dataclass(frozen=True, slots=True)
class Room:
    """Where a value is written: ``frame`` maps the room's own mm, (0, 0) at the top left of its upright box, to the net."""

    frame: Affine
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Net:
    """A folded piece, flat. The first panel is the one that stays where it is when the others are folded."""

    panels: tuple[Panel, ...]
    creases: tuple[Crease, ...]
    seams: tuple[Seam, ...] = ()
    holes: tuple[Ring, ...] = ()
    """What is cut out inside the outline."""
    steps: tuple[Step, ...] = ()
    rooms: tuple[Room, ...] = ()
    """Where values are written that belong to no panel, in their order."""
    outline: Ring = field(init=False)
    """The one ring around all panels, tabs and flaps."""

    def __post_init__(self) -> None:
        found = outlines(with_junctions([panel.ring for panel in self.panels]))
        object.__setattr__(self, "outline", max(found, key=lambda ring: abs(area(ring))))

    @property
    def tabs(self) -> tuple[Panel, ...]:
        """The tabs to glue, in the order of gluing."""
        return tuple(panel for panel in self.panels if panel.glue)

    @property
    def glued(self) -> bool:
        """Whether it takes glue: on its tabs, or between sides that are folded flat onto each other."""
        return bool(self.tabs) or any(abs(crease.angle) == 180 for crease in self.creases)

    @property
    def bounds(self) -> Rect:
        """The box around the flat net."""
        xs, ys = zip(*self.outline, strict=True)
        return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def at_origin(net: Net) -> Net:
    """The net moved so that its box begins at (0, 0)."""
    box = net.bounds
    return moved(net, translation(-box.x, -box.y))


def mirrored(net: Net) -> Net:
    """The net as seen from its other side: left and right exchanged within its box."""
    box = net.bounds
    return moved(net, Affine(a=-1.0, e=2 * box.x + box.width))


def moved(net: Net, how: Affine) -> Net:
    """The net under a rigid map; a mirroring turns valley folds into mountain folds."""
    flip = how.determinant < 0
    turn = math.degrees(math.atan2(how.b, how.a)) if not flip else 0.0

    def ring(points: Ring) -> Ring:
        there = tuple(how.point(*point) for point in points)
        return there[::-1] if flip else there

    def edge(ends: tuple[Point, Point]) -> tuple[Point, Point]:
        return how.point(*ends[0]), how.point(*ends[1])

    return Net(
        tuple(
            replace(panel, ring=ring(panel.ring), turn=(-panel.turn if flip else panel.turn + turn) % 360)
            for panel in net.panels
        ),
        tuple(
            replace(
                crease,
                start=how.point(*crease.start),
                end=how.point(*crease.end),
                angle=-crease.angle if flip else crease.angle,
            )
            for crease in net.creases
        ),
        tuple(replace(seam, edge=edge(seam.edge), other=edge(seam.other)) for seam in net.seams),
        tuple(ring(hole) for hole in net.holes),
        net.steps,
        # What is written is read from left to right on both sides.
        tuple(
            replace(room, frame=how @ room.frame @ (mirror_x(room.width / 2) if flip else Affine())) for room in net.rooms
        ),
    )


def with_junctions(rings: Sequence[Ring]) -> list[Ring]:
    """The rings with a corner wherever another ring's corner lies on an edge, so that shared edges are shared whole."""
    corners = sorted({point for ring in rings for point in ring})
    made = []
    for ring in rings:
        points: list[Point] = []
        for start, end in zip(ring, [*ring[1:], ring[0]], strict=True):
            points.append(start)
            length = math.dist(start, end)
            between = []
            for corner in corners:
                along = (
                    (corner[0] - start[0]) * (end[0] - start[0]) + (corner[1] - start[1]) * (end[1] - start[1])
                ) / length
                if _SAME < along < length - _SAME:
                    foot = start[0] + (end[0] - start[0]) * along / length, start[1] + (end[1] - start[1]) * along / length
                    if math.dist(foot, corner) < _SAME * 10:
                        between.append((along, corner))
            points += [corner for _, corner in sorted(between)]
        made.append(tuple(points))
    return made


@dataclass(frozen=True, slots=True)
class Space:
    """A rigid map of space: where the unit vectors and the origin go."""

    x: Point3 = (1.0, 0.0, 0.0)
    y: Point3 = (0.0, 1.0, 0.0)
    z: Point3 = (0.0, 0.0, 1.0)
    origin: Point3 = (0.0, 0.0, 0.0)

    def point(self, x: float, y: float, z: float = 0.0) -> Point3:
        a, b, c = (self.x[i] * x + self.y[i] * y + self.z[i] * z + self.origin[i] for i in range(3))
        return a, b, c

    def vector(self, vector: Point3) -> Point3:
        a, b, c = (self.x[i] * vector[0] + self.y[i] * vector[1] + self.z[i] * vector[2] for i in range(3))
        return a, b, c

    def __matmul__(self, first: Space) -> Space:
        """``self @ first``: do ``first``, then ``self``."""
        return Space(self.vector(first.x), self.vector(first.y), self.vector(first.z), self.point(*first.origin))


def folded(net: Net, share: float = 1.0) -> Mapping[str, Space]:
    """Where each panel of the flat net goes in space when every fold is closed by ``share`` (1: wholly)."""
    rings = {panel.name: panel.ring for panel in net.panels}
    placed = {net.panels[0].name: Space()}
    for crease in net.creases:
        placed[crease.child] = placed[crease.parent] @ _hinge(crease, rings[crease.child], share)
    return placed


def _hinge(crease: Crease, child: Ring, share: float) -> Space:
    """The turn about a crease that takes the child ``angle`` degrees out of the plane, away from the reader if positive."""
    (ax, ay), (bx, by) = crease.start, crease.end
    length = math.hypot(bx - ax, by - ay)
    along = (bx - ax) / length, (by - ay) / length
    across = -along[1], along[0]
    middle = sum(x for x, _ in child) / len(child), sum(y for _, y in child) / len(child)
    if (middle[0] - ax) * across[0] + (middle[1] - ay) * across[1] < 0:
        across = -across[0], -across[1]
    angle = math.radians(crease.angle * share)
    cos, sin = math.cos(angle), math.sin(angle)

    def turned(x: float, y: float, z: float) -> Point3:
        u, v = x * along[0] + y * along[1], x * across[0] + y * across[1]
        v, z = v * cos + z * sin, -v * sin + z * cos
        return u * along[0] + v * across[0], u * along[1] + v * across[1], z

    pivot = turned(ax, ay, 0.0)
    return Space(turned(1, 0, 0), turned(0, 1, 0), turned(0, 0, 1), (ax - pivot[0], ay - pivot[1], -pivot[2]))


def rectangle(x: float, y: float, width: float, height: float) -> Ring:
    """A rectangle by its top-left corner, clockwise."""
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


def tab(start: Point, end: Point, depth: float, slope: float = 1.0) -> Ring:
    """A trapezoid on the left of the edge from ``start`` to ``end`` as seen on the page, its sides leaning in
    by ``slope`` × depth; so that it lies outside a panel whose ring runs clockwise through that edge."""
    length = math.dist(start, end)
    depth = min(depth, 0.4 * length / slope) if slope else depth
    ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    out, lean = (uy * depth, -ux * depth), slope * depth
    return (
        start,
        (start[0] + out[0] + ux * lean, start[1] + out[1] + uy * lean),
        (end[0] + out[0] - ux * lean, end[1] + out[1] - uy * lean),
        end,
    )


def overlap(one: Ring, two: Ring, slack: float = 0.01) -> bool:
    """Whether two convex rings overlap by more than ``slack`` mm: no straight line parts them."""
    for ring in (one, two):
        for (x0, y0), (x1, y1) in zip(ring, [*ring[1:], ring[0]], strict=True):
            length = math.hypot(x1 - x0, y1 - y0)
            nx, ny = (y1 - y0) / length, (x0 - x1) / length
            first, second = ([x * nx + y * ny for x, y in shape] for shape in (one, two))
            if max(first) < min(second) + slack or max(second) < min(first) + slack:
                return False
    return True


def joined(strip: Iterable[tuple[Panel, float]]) -> tuple[tuple[Panel, ...], tuple[Crease, ...]]:
    """Panels in a row, each hinged to the one before along the edge that they share, with that fold's angle."""
    panels: list[Panel] = []
    creases: list[Crease] = []
    for panel, angle in strip:
        if panels:
            start, end = shared_edge(panels[-1].ring, panel.ring)
            creases.append(Crease(panels[-1].name, panel.name, start, end, angle))
        panels.append(panel)
    return tuple(panels), tuple(creases)


def shared_edge(one: Ring, two: Ring) -> tuple[Point, Point]:
    """The ends of the edge that two rings share, whole or in part. Raises ValueError when they share none."""
    first, second = with_junctions([one, two])
    edges = set(zip(first, [*first[1:], first[0]], strict=True))
    for start, end in zip(second, [*second[1:], second[0]], strict=True):
        for a, b in sorted(edges):
            if math.dist(a, end) < _SAME and math.dist(b, start) < _SAME:
                return a, b
    raise ValueError("the panels share no edge")
