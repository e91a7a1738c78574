"""Defines a flat net: panels joined along creases, tabs and flaps; computes its outline and how it looks folded."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace

from pnp.dataclass import dataclass
from pnp.shapes.affine import Affine, Rect, around, mirror_x, rotation, translation
from pnp.shapes.outline import Point, Ring, area, outlines

Point3 = tuple[float, float, float]

# Points nearer than this are one corner (mm).
_SAME = 1e-6


@dataclass(frozen=True, slots=True)
class Panel:
    """A flat part of a net, in mm."""

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
        """Maps the panel's mm, (0, 0) at the top left of its upright box, to the net; and the box's size."""
        box = around(rotation(-self.turn).ring(self.ring))
        return rotation(self.turn) @ translation(box.x, box.y), box.width, box.height


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
    """Two edges of the flat net that meet end to end once it is folded."""

    first: str
    edge: tuple[Point, Point]
    second: str
    other: tuple[Point, Point]


@dataclass(frozen=True, slots=True)
class View:
    """The direction from which a folded piece is seen: turned about its upright axis, then tilted to the reader, in
    radians.
    """

    yaw: float
    pitch: float
    face: str = ""
    """The panel that is turned to the reader first, upright; without one the net's first panel."""


# From the left and from above; straight on; from behind and from above; from behind and from below.
ASIDE = View(math.radians(-32), math.radians(24))
AHEAD = View(0.0, 0.0)
BEHIND = View(math.radians(180), math.radians(20))
BELOW = View(math.radians(148), math.radians(-24))


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the assembly: a sentence, and how far all folds are closed in its picture (0 to 1).

    Of parts that lie on one another the picture shows those with these numbers, the lowest first; ``share`` is how near
    they have come (1: they lie on each other).
    """

    text: str
    share: float
    parts: tuple[int, ...] = (1,)
    view: View = ASIDE
    used: bool = False
    """Whether the picture shows it in use, with what stands in it."""


@dataclass(frozen=True, slots=True)
class Room:
    """A place for a value: ``frame`` maps the room's mm, (0, 0) at the top left of its upright box, to the net."""

    frame: Affine
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Net:
    """A folded piece, flat. The first panel keeps its place when the others fold."""

    panels: tuple[Panel, ...]
    creases: tuple[Crease, ...]
    seams: tuple[Seam, ...] = ()
    holes: tuple[Ring, ...] = ()
    """What is cut out inside the outline."""
    steps: tuple[Step, ...] = ()
    rooms: tuple[Room, ...] = ()
    """Where values are written that belong to no panel, in their order."""
    stands: tuple[tuple[Panel, Crease], ...] = ()
    """What stands in it in use, such as cards in slots: blank, and folded up from one of its panels."""
    outline: Ring = field(init=False)
    """The one ring around all panels, tabs and flaps."""

    def __post_init__(self) -> None:
        found = outlines(with_junctions([panel.ring for panel in self.panels]))
        object.__setattr__(self, "outline", max(found, key=lambda ring: abs(area(ring))))

    @property
    def tabs(self) -> tuple[Panel, ...]:
        """The glue tabs in the order of gluing."""
        return tuple(panel for panel in self.panels if panel.glue)

    @property
    def glued(self) -> bool:
        """Whether it is glued: by tabs, or between sides folded flat together."""
        return bool(self.tabs) or any(abs(crease.angle) == 180 for crease in self.creases)

    @property
    def bounds(self) -> Rect:
        """The bounding box of the flat net."""
        return around(self.outline)


def at_origin(net: Net) -> Net:
    """The net with its box at (0, 0)."""
    box = net.bounds
    return moved(net, translation(-box.x, -box.y))


def mirrored(net: Net) -> Net:
    """The net from its other side, mirrored within its box."""
    box = net.bounds
    return moved(net, Affine(a=-1.0, e=2 * box.x + box.width))


def moved(net: Net, how: Affine) -> Net:
    """The net under a rigid map; a mirroring turns valley folds into mountain folds."""
    flip = how.determinant < 0
    turn = math.degrees(math.atan2(how.b, how.a)) if not flip else 0.0

    def ring(points: Ring) -> Ring:
        there = how.ring(points)
        return there[::-1] if flip else there

    def edge(ends: tuple[Point, Point]) -> tuple[Point, Point]:
        return how.point(*ends[0]), how.point(*ends[1])

    def panel(each: Panel) -> Panel:
        return replace(each, ring=ring(each.ring), turn=(-each.turn if flip else each.turn + turn) % 360)

    def crease(each: Crease) -> Crease:
        start, end = edge((each.start, each.end))
        return replace(each, start=start, end=end, angle=-each.angle if flip else each.angle)

    return Net(
        tuple(map(panel, net.panels)),
        tuple(map(crease, net.creases)),
        tuple(replace(seam, edge=edge(seam.edge), other=edge(seam.other)) for seam in net.seams),
        tuple(ring(hole) for hole in net.holes),
        net.steps,
        # What is written is read from left to right on both sides.
        tuple(
            replace(room, frame=how @ room.frame @ (mirror_x(room.width / 2) if flip else Affine())) for room in net.rooms
        ),
        tuple((panel(each), crease(fold)) for each, fold in net.stands),
    )


def with_junctions(rings: Sequence[Ring]) -> list[Ring]:
    """Adds a corner to each ring wherever another ring's corner lies on its edge, so that shared edges match whole."""
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
    """A rigid map of space: the images of the unit vectors and the origin."""

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
        return Space(self.vector(first.x), self.vector(first.y), self.vector(first.z), self.point(*first.origin))


def folded(net: Net, share: float = 1.0) -> Mapping[str, Space]:
    """The place of each panel in space when every fold is closed by ``share`` (1: wholly), and of what stands in it."""
    rings = {panel.name: panel.ring for panel in (*net.panels, *(panel for panel, _ in net.stands))}
    placed = {net.panels[0].name: Space()}
    for crease in (*net.creases, *(fold for _, fold in net.stands)):
        placed[crease.child] = placed[crease.parent] @ _hinge(crease, rings[crease.child], share)
    return placed


def _hinge(crease: Crease, child: Ring, share: float) -> Space:
    """The turn about a crease by ``angle`` degrees, away from the reader if positive."""
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
    """A rectangle by its top-left corner and size, clockwise."""
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


def tab(start: Point, end: Point, depth: float, slope: float = 1.0) -> Ring:
    """A trapezoid left of the edge from ``start`` to ``end`` on the page, its sides tapering by ``slope`` × depth;
    outside a panel whose ring runs clockwise through that edge.
    """
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


def overlap(one: Ring, two: Ring) -> bool:
    """Whether two convex rings overlap by more than a hundredth of a millimetre (separating axis)."""
    for ring in (one, two):
        for (x0, y0), (x1, y1) in zip(ring, [*ring[1:], ring[0]], strict=True):
            length = math.hypot(x1 - x0, y1 - y0)
            nx, ny = (y1 - y0) / length, (x0 - x1) / length
            first, second = ([x * nx + y * ny for x, y in shape] for shape in (one, two))
            if max(first) < min(second) + 0.01 or max(second) < min(first) + 0.01:
                return False
    return True


def joined(strip: Iterable[tuple[Panel, float]]) -> tuple[tuple[Panel, ...], tuple[Crease, ...]]:
    """Panels in a row, hinged along the edges that they share, with the angle of each fold."""
    panels: list[Panel] = []
    creases: list[Crease] = []
    for panel, angle in strip:
        if panels:
            start, end = shared_edge(panels[-1].ring, panel.ring)
            creases.append(Crease(panels[-1].name, panel.name, start, end, angle))
        panels.append(panel)
    return tuple(panels), tuple(creases)


def shared_edge(one: Ring, two: Ring) -> tuple[Point, Point]:
    """The ends of the shared part of two rings' edges. Raises ValueError when they share none."""
    first, second = with_junctions([one, two])
    edges = set(zip(first, [*first[1:], first[0]], strict=True))
    for start, end in zip(second, [*second[1:], second[0]], strict=True):
        for a, b in sorted(edges):
            if math.dist(a, end) < _SAME and math.dist(b, start) < _SAME:
                return a, b
    raise ValueError("the panels share no edge")


# Panels nearer than this to a plane touch it (mm).
TOUCH = 0.01


def lying(face: str) -> View:
    """The view of a die that lies with ``face`` up, from above and a little from the front and the left."""
    return View(math.radians(-18), math.radians(-30), face)


@dataclass(frozen=True, slots=True)
class Seen:
    """A panel in the picture: the map from net mm to picture mm, and its corners in view space: across, down, near."""

    panel: Panel
    matrix: Affine
    corners: tuple[Point3, ...]
    normal: Point3
    """At right angles to the panel, towards the reader."""

    @property
    def depth(self) -> float:
        """The nearness of its centre."""
        return sum(near for _, _, near in self.corners) / len(self.corners)

    def heights(self, other: Seen) -> list[float]:
        """How far the other's corners stand before this panel's plane."""
        foot = self.corners[0]
        return [sum(self.normal[i] * (corner[i] - foot[i]) for i in range(3)) for corner in other.corners]

    def before(self, other: Seen) -> bool:
        """Whether the other lies behind this plane, or this one before the other's."""
        behind, ahead = self.heights(other), other.heights(self)
        return (max(behind) < TOUCH and min(behind) < -TOUCH) or (min(ahead) > -TOUCH and max(ahead) > TOUCH)


def seen(net: Net, share: float, view: View = ASIDE, used: bool = False) -> list[Seen]:
    """The visible panels, back to front, in use with what stands in it; a flat net from straight above."""
    placed = folded(net, share)
    turned = _towards(net, placed, view.face)
    yaw, pitch = (view.yaw, view.pitch) if share else (0.0, 0.0)
    there = [panel for panel in net.panels if share < 1 or not panel.onto]
    there += [panel for panel, _ in net.stands if used]
    shown = [_seen(panel, turned @ placed[panel.name], yaw, pitch) for panel in there]
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
    """Width and height of the folded piece in the picture, in mm."""
    box = around([(x, y) for each in seen(net, 1.0, view) for x, y, _ in each.corners])
    return box.width, box.height


def _towards(net: Net, placed: Mapping[str, Space], face: str) -> Space:
    """The turn that stands a panel upright before the reader."""
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
    """A panel in the picture of the turned piece."""

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
