"""Solids unfolded: faces laid flat along a tree of neighbours, a tab on one side of every other edge."""

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
        Panel(name, tuple(placed[name].point(*point) for point in _drawn(face)), _turn(face, placed[name], ups[name]))
        for name, face in faces.items()
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
    """A face in its own plane as seen from outside, y downwards, clockwise on the page."""
    along, up = _axes(face)
    return tuple((_dot(point, along), -_dot(point, up)) for point in face[::-1])


def _axes(face: Face3) -> tuple[Point3, Point3]:
    """Unit vectors in the plane of a face: along its first edge, and a quarter turn to the left of it from outside."""
    along = _unit(_minus(face[1], face[0]))
    return along, _cross(_normal(face), along)


def _placed(faces: Mapping[str, Face3], tree: Sequence[tuple[str, str]]) -> dict[str, Affine]:
    """Where each face's own plane lies on the flat net."""
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
    """How far a face's drawing is turned on the net, so that it stands upright when ``up`` is above its middle."""
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
    """The corners that two neighbours share."""
    a, b = _shared(one, two)
    return a, b


def _edge(faces: Mapping[str, Face3], placed: Mapping[str, Affine], name: str, other: str) -> tuple[Point, Point]:
    """A face's edge towards a neighbour on the flat net, in the direction of the face's clockwise ring."""
    face = faces[name]
    shared = _shared(face, faces[other])
    for start, end in zip(face, [*face[1:], face[0]], strict=True):
        if start in shared and end in shared:
            a, b = (placed[name].point(*_flat(face, point)) for point in (end, start))
            return a, b
    raise ValueError(f"{name} and {other} are no neighbours")


def _angle(one: Face3, two: Face3) -> float:
    """By how many degrees one face leaves the other's plane."""
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
