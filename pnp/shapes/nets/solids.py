"""Unfolds solids: faces laid flat along a tree of neighbours, with tabs; dice of six and ten faces."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from pnp.shapes.affine import Affine
from pnp.shapes.nets.net import Crease, Net, Panel, Point3, Seam, Step, at_origin, overlap, shared_edge, tab
from pnp.shapes.outline import Point, Ring

TAB = 5.0
# Tabs are made smaller before one would lie over a face or another tab.
_SIZES = (1.0, 0.8, 0.6, 0.45, 0.3)

Face3 = tuple[Point3, ...]


def unfold(
    faces: Mapping[str, Face3], tree: Sequence[tuple[str, str]], ups: Mapping[str, Point3], steps: tuple[Step, ...]
) -> Net:
    """The net of a convex solid.

    ``faces`` are corners in mm, counterclockwise as seen from outside; the first face stays where it is.
    ``tree`` names (parent, child) pairs, every child once and parents first. ``ups`` tells for each face a point of
    space that lies above its middle, for its own drawing. Raises ValueError when tabs find no room.
    """
    placed = _placed(faces, tree)
    panels = [
        Panel(name, placed[name].ring(_drawn(face)), _turn(face, placed[name], ups[name])) for name, face in faces.items()
    ]
    rings = {panel.name: panel.ring for panel in panels}
    creases = [
        Crease(parent, child, *shared_edge(rings[parent], rings[child]), _angle(faces[parent], faces[child]))
        for parent, child in tree
    ]
    taken = [panel.ring for panel in panels]
    seams: list[Seam] = []
    tabs: list[Panel] = []
    laps: list[Crease] = []
    for one, two in _seams(faces, tree):
        first, second = _edge(faces, placed, one, two), _edge(faces, placed, two, one)
        seams.append(Seam(one, first, two, (second[1], second[0])))
        # A tab sits on one side of its seam only; on the other where the first has no room.
        sides = ((one, two, first), (two, one, second))
        tried = ((side, tab(*side[2], TAB * size)) for side in sides for size in _SIZES)
        found = next(((side, ring) for side, ring in tried if not any(overlap(ring, other) for other in taken)), None)
        if found is None:
            raise ValueError(f"there is no room for a tab between {one} and {two}")
        (owner, other, edge), ring = found
        taken.append(ring)
        lap = Panel(f"tab-{len(tabs) + 1}", ring, 0.0, other, True)
        tabs.append(lap)
        laps.append(Crease(owner, lap.name, *edge, _angle(faces[owner], faces[other])))
    return at_origin(Net((*panels, *tabs), (*creases, *laps), tuple(seams), (), steps))


def _drawn(face: Face3) -> Ring:
    """A face in its own plane from outside, y downwards, clockwise on the page."""
    along, up = _axes(face)
    return tuple((_dot(point, along), -_dot(point, up)) for point in face[::-1])


def _axes(face: Face3) -> tuple[Point3, Point3]:
    """Unit vectors in the plane of a face: along its first edge, and a quarter turn left of it from outside."""
    along = _unit(_minus(face[1], face[0]))
    return along, _cross(_normal(face), along)


def _placed(faces: Mapping[str, Face3], tree: Sequence[tuple[str, str]]) -> dict[str, Affine]:
    """The place of each face's plane on the flat net."""
    root = next(iter(faces))
    placed = {root: Affine()}
    for parent, child in tree:
        a, b = _common(faces[parent], faces[child])
        (ax, ay), (bx, by) = (placed[parent].point(*_flat(faces[parent], point)) for point in (a, b))
        (cx, cy), (dx, dy) = (_flat(faces[child], point) for point in (a, b))
        turn = math.atan2(by - ay, bx - ax) - math.atan2(dy - cy, dx - cx)
        cos, sin = math.cos(turn), math.sin(turn)
        placed[child] = Affine(cos, sin, -sin, cos, ax - cos * cx + sin * cy, ay - sin * cx - cos * cy)
    return placed


def _flat(face: Face3, point: Point3) -> Point:
    along, up = _axes(face)
    return _dot(point, along), -_dot(point, up)


def _turn(face: Face3, placed: Affine, up: Point3) -> float:
    """The turn of a face's drawing on the net, so that it is upright when ``up`` is above its middle."""
    middle = tuple(sum(point[axis] for point in face) / len(face) for axis in range(3))
    (x0, y0), (x1, y1) = (placed.point(*_flat(face, point)) for point in ((middle[0], middle[1], middle[2]), up))
    return math.degrees(math.atan2(x1 - x0, y0 - y1)) % 360


def _seams(faces: Mapping[str, Face3], tree: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Pairs of neighbours that the tree does not join."""
    names, hinged = list(faces), {frozenset(pair) for pair in tree}
    return [
        (one, two)
        for index, one in enumerate(names)
        for two in names[index + 1 :]
        if frozenset((one, two)) not in hinged and len(_shared(faces[one], faces[two])) == 2
    ]


def _shared(one: Face3, two: Face3) -> list[Point3]:
    return [point for point in one if any(math.dist(point, other) < 1e-6 for other in two)]


def _common(one: Face3, two: Face3) -> tuple[Point3, Point3]:
    a, b = _shared(one, two)
    return a, b


def _edge(faces: Mapping[str, Face3], placed: Mapping[str, Affine], name: str, other: str) -> tuple[Point, Point]:
    """A face's edge to a neighbour on the flat net, in the direction of the face's clockwise ring."""
    face = faces[name]
    shared = _shared(face, faces[other])
    for start, end in zip(face, [*face[1:], face[0]], strict=True):
        if start in shared and end in shared:
            a, b = (placed[name].point(*_flat(face, point)) for point in (end, start))
            return a, b
    raise ValueError(f"{name} and {other} are no neighbours")


def _angle(one: Face3, two: Face3) -> float:
    """The angle between two faces' planes, in degrees."""
    return math.degrees(math.acos(max(-1.0, min(1.0, _dot(_normal(one), _normal(two))))))


def _normal(face: Face3) -> Point3:
    return _unit(_cross(_minus(face[1], face[0]), _minus(face[2], face[1])))


def _minus(one: Point3, two: Point3) -> Point3:
    return one[0] - two[0], one[1] - two[1], one[2] - two[2]


def _cross(one: Point3, two: Point3) -> Point3:
    return one[1] * two[2] - one[2] * two[1], one[2] * two[0] - one[0] * two[2], one[0] * two[1] - one[1] * two[0]


def _dot(one: Point3, two: Point3) -> float:
    return one[0] * two[0] + one[1] * two[1] + one[2] * two[2]


def _unit(vector: Point3) -> Point3:
    length = math.sqrt(_dot(vector, vector))
    return vector[0] / length, vector[1] / length, vector[2] / length


STEPS = (
    Step("Cut out. Score the folds.", 0.0),
    Step("Fold everything away from you.", 0.55),
    Step("Glue the tabs inside in the order of their numbers.", 0.8),
    Step("Press the last face shut and let it dry.", 1.0),
)


def d6(edge: float) -> Net:
    """A cube with edges of ``edge`` mm; faces 1 and 6, 2 and 5, 3 and 4 are opposite."""
    lo, hi = 0.0, edge

    def corner(x: float, y: float, z: float) -> Point3:
        return x, y, z

    faces: dict[str, Face3] = {
        "face-1": (corner(lo, lo, hi), corner(hi, lo, hi), corner(hi, hi, hi), corner(lo, hi, hi)),
        "face-2": (corner(lo, lo, lo), corner(hi, lo, lo), corner(hi, lo, hi), corner(lo, lo, hi)),
        "face-3": (corner(hi, lo, lo), corner(hi, hi, lo), corner(hi, hi, hi), corner(hi, lo, hi)),
        "face-4": (corner(lo, hi, lo), corner(lo, lo, lo), corner(lo, lo, hi), corner(lo, hi, hi)),
        "face-5": (corner(hi, hi, lo), corner(lo, hi, lo), corner(lo, hi, hi), corner(hi, hi, hi)),
        "face-6": (corner(lo, hi, lo), corner(hi, hi, lo), corner(hi, lo, lo), corner(lo, lo, lo)),
    }
    tree = [("face-1", "face-2"), ("face-1", "face-3"), ("face-1", "face-4"), ("face-1", "face-5"), ("face-2", "face-6")]
    middle = edge / 2
    high, back = (middle, middle, hi), (middle, hi, middle)
    ups = dict.fromkeys(faces, high) | {"face-1": back, "face-6": (middle, lo, middle)}
    return unfold(faces, tree, ups, STEPS)


def d10(edge: float) -> Net:
    """A pentagonal trapezohedron whose long edges are ``edge`` mm; faces n and 11 - n are opposite.

    Ten kites: apexes at height ±a over a zigzag ring of radius r at heights ±e. Four corners of a kite lie in one
    plane when e = a (1 - cos 36°) / (1 + cos 36°); a = r gives the usual shape of a ten-sided die.
    """
    fifth = math.cos(math.radians(36))
    ratio = (1 - fifth) / (1 + fifth)
    radius = edge / math.hypot(1, 1 - ratio)
    apex, ring = radius, radius * ratio

    def zigzag(step: int) -> Point3:
        turn = math.radians(36 * (step % 10))
        return radius * math.cos(turn), radius * math.sin(turn), ring if step % 2 == 0 else -ring

    top, low = (0.0, 0.0, apex), (0.0, 0.0, -apex)
    upper = {step: (top, zigzag(step - 1), zigzag(step), zigzag(step + 1)) for step in (1, 3, 5, 7, 9)}
    lower = {step: (low, zigzag(step + 1), zigzag(step), zigzag(step - 1)) for step in (6, 8, 0, 2, 4)}
    # Odd faces above and even ones below, each opposite (half a turn on) to the one that makes eleven with it.
    order = {1: 1, 5: 3, 9: 5, 3: 7, 7: 9}
    names = {step: f"face-{face}" for face, step in order.items()}
    names |= {(step + 5) % 10: f"face-{11 - face}" for face, step in order.items()}
    kites = {**upper, **lower}
    first = 5
    faces = {names[step]: kites[step] for step in (first, 3, 1, 7, 9, 4, 2, 0, 6, 8)}
    tree = [(5, 3), (3, 1), (5, 7), (7, 9), (5, 4), (4, 2), (2, 0), (4, 6), (6, 8)]
    ups = {names[step]: (top if step in upper else low) for step in kites}
    return unfold(faces, [(names[a], names[b]) for a, b in tree], ups, STEPS)
