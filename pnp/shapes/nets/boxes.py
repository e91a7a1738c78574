"""Computes the nets of the tuck box, the pouch, the player screen, and of solids: dice of six and ten faces."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from pnp.shapes.affine import Affine
from pnp.shapes.nets.net import (
    Crease,
    Net,
    Panel,
    Point3,
    Seam,
    Step,
    at_origin,
    joined,
    overlap,
    rectangle,
    shared_edge,
    tab,
)
from pnp.shapes.outline import Point, Ring

GLUE = 11.0
TUCK = 14.0
# A flap that is tucked in must not jam: it is this much narrower on either side.
EASE = 0.5
NOTCH = 9.0
# Wings of a screen leave its plane by this much: they hold it up and hide what lies behind.
WING = 50.0


def tuck_box(width: float, height: float, depth: float) -> Net:
    """A box with a tuck flap at either end; ``width`` × ``height`` is its front, ``depth`` its spine, in mm.

    The front has a notch for the thumb. Flat, from the left: glue tab, left, front, right, back with both lids.
    """
    left, right, back = -depth, width, width + depth
    front = Panel("front", _notched(width, height))
    side, creases = joined(
        [
            (front, 0),
            (Panel("right", rectangle(right, 0, depth, height)), 90),
            (Panel("back", rectangle(back, 0, width, height)), 90),
        ]
    )
    other, more = joined(
        [
            (front, 0),
            (Panel("left", rectangle(left, 0, depth, height)), 90),
            (Panel("tab", tab((left, height), (left, 0), min(GLUE, width), 0.3), 0, "back", True), 90),
        ]
    )
    panels, folds = [*side, *other[1:]], [*creases, *more]
    tuck = min(TUCK, height / 2)
    for name, y, way, turn in (("top", 0.0, -1, 180.0), ("bottom", height, 1, 0.0)):
        lid = rectangle(back, min(y, y + way * depth), width, depth)
        flap = _flap(back, y + way * depth, width, way * tuck)
        made, hinges = joined(
            [(side[2], 0), (Panel(name, lid, turn), 90), (Panel(f"tuck-{name}", flap, turn, "front", False), 90)]
        )
        panels += made[1:]
        folds += hinges
        for which, x in (("left", left), ("right", right)):
            dust = Panel(f"dust-{which}-{name}", _dust(x, y, depth, way * min(depth, width / 2 - 1)), turn, name, False)
            panels.append(dust)
            parent = next(panel for panel in panels if panel.name == which)
            folds.append(Crease(which, dust.name, *shared_edge(parent.ring, dust.ring), 90))
    net = Net(
        tuple(panels),
        tuple(folds),
        (
            Seam("left", ((left, 0), (left, height)), "back", ((back + width, 0), (back + width, height))),
            Seam("top", ((back, -depth), (back + width, -depth)), "front", ((width, 0), (0, 0))),
            Seam(
                "bottom", ((back, height + depth), (back + width, height + depth)), "front", ((width, height), (0, height))
            ),
        ),
        (),
        (
            Step("Score the folds. Cut out.", 0.0),
            Step("Fold everything away from you.", 0.45),
            Step("Glue the long tab inside the back: a tube.", 0.75),
            Step("Fold in the small flaps, then tuck in both lids.", 1.0),
        ),
    )
    return at_origin(net)


def _notched(width: float, height: float) -> Ring:
    """The front with a thumb notch in its top edge."""
    radius = min(NOTCH, width / 5, height / 2)
    arc = tuple(
        (
            round(width / 2 - radius * math.cos(math.radians(turn)), 6),
            round(0.8 * radius * math.sin(math.radians(turn)), 6),
        )
        for turn in range(0, 181, 10)
    )
    return ((0.0, 0.0), *arc, (width, 0.0), (width, height), (0.0, height))


def _flap(x: float, y: float, width: float, reach: float) -> Ring:
    """A tuck flap on the edge at ``y``, ``reach`` mm up (negative) or down, its corners cut."""
    cut = min(abs(reach) * 0.5, width / 4)
    way = math.copysign(1.0, reach)
    points: list[Point] = [
        (x, y),
        (x + EASE, y + way * 0.5),
        (x + EASE, y + reach - way * cut),
        (x + EASE + cut, y + reach),
        (x + width - EASE - cut, y + reach),
        (x + width - EASE, y + reach - way * cut),
        (x + width - EASE, y + way * 0.5),
        (x + width, y),
    ]
    return tuple(points) if reach < 0 else tuple(points[::-1])


def _dust(x: float, y: float, width: float, reach: float) -> Ring:
    """A dust flap that closes a corner under a lid, tapered."""
    points: list[Point] = [
        (x, y),
        (x + EASE + 0.15 * width, y + reach),
        (x + width - EASE - 0.15 * width, y + reach),
        (x + width, y),
    ]
    return tuple(points) if reach < 0 else tuple(points[::-1])


def pouch(width: float, height: float, depth: float) -> Net:
    """An open bag with a flat bottom: front ``width`` × ``height``, ``depth`` from front to back, in mm."""
    reach = min(GLUE, depth / 2, height)
    front = Panel("front", rectangle(0, 0, width, height))
    back_top, back_end = height + depth, 2 * height + depth
    down, creases = joined(
        [
            (front, 0),
            (Panel("bottom", rectangle(0, height, width, depth)), 90),
            (Panel("back", rectangle(0, back_top, width, height), 180), 90),
        ]
    )
    flaps = [Panel("left", rectangle(-depth, 0, depth, height)), Panel("right", rectangle(width, 0, depth, height))]
    tabs = [
        Panel("tab-1", tab((0, back_top), (0, height), reach, 0.8), 0, "left", True),
        Panel("tab-2", tab((width, height), (width, back_top), reach, 0.8), 0, "right", True),
        Panel("tab-3", tab((0, back_end), (0, back_top), reach, 0.8), 0, "left", True),
        Panel("tab-4", tab((width, back_top), (width, back_end), reach, 0.8), 0, "right", True),
    ]
    owners = {"left": front, "right": front, "tab-1": down[1], "tab-2": down[1], "tab-3": down[2], "tab-4": down[2]}
    hinges = [
        Crease(owners[panel.name].name, panel.name, *shared_edge(owners[panel.name].ring, panel.ring), 90)
        for panel in (*flaps, *tabs)
    ]
    net = Net(
        (*down, *flaps, *tabs),
        (*creases, *hinges),
        (
            Seam("left", ((-depth, height), (0, height)), "bottom", ((0, back_top), (0, height))),
            Seam("right", ((width, height), (width + depth, height)), "bottom", ((width, height), (width, back_top))),
            Seam("left", ((-depth, 0), (-depth, height)), "back", ((0, back_end), (0, back_top))),
            Seam("right", ((width + depth, 0), (width + depth, height)), "back", ((width, back_end), (width, back_top))),
        ),
        (),
        (
            Step("Score the folds. Cut out.", 0.0),
            Step("Fold everything away from you.", 0.6),
            Step("Glue tabs 1 and 2 inside the sides: the bottom.", 0.85),
            Step("Glue tabs 3 and 4 inside the sides.", 1.0),
        ),
    )
    return at_origin(net)


def screen(panels: Sequence[float], height: float) -> Net:
    """A player screen: panels of these widths side by side, the outer ones folded back so that it stands. In mm."""
    return screen_parts(panels, math.inf, height)[0]


def screen_parts(panels: Sequence[float], longest: float, height: float) -> tuple[Net, ...]:
    """A screen in as few parts as strips of ``longest`` mm allow, parted at folds; each part but the last
    ends in a tab for the next. A panel wider than that stays whole."""
    groups: list[list[int]] = [[]]
    for number, width in enumerate(panels):
        used = sum(panels[each] for each in groups[-1])
        # All that is left fits, or this panel and the tab for the next.
        if groups[-1] and used + min(sum(panels[number:]), width + GLUE) > longest:
            groups.append([])
        groups[-1].append(number)
    return tuple(_screen_part(panels, height, group, group is groups[-1], len(groups)) for group in groups)


def _screen_part(panels: Sequence[float], height: float, numbers: Sequence[int], last: bool, parts: int) -> Net:
    x, strip = 0.0, []
    for number in numbers:
        strip.append((Panel(f"panel-{number + 1}", rectangle(x, 0, panels[number], height)), WING))
        x += panels[number]
    if not last:
        reach = min(GLUE, panels[numbers[-1] + 1])
        strip.append((Panel("tab", tab((x, 0), (x, height), reach, 0.3), 0, f"panel-{numbers[-1] + 2}", True), WING))
    # The widest faces whoever looks at a picture of it: of several such the one in the middle.
    middle = min(range(len(numbers)), key=lambda at: (-panels[numbers[at]], abs(at - len(numbers) // 2)))
    right, folds = joined(strip[middle:])
    left, more = joined(strip[middle::-1])
    glue = [Step("Glue each part's tab behind the next part.", 0.0)] if parts > 1 else []
    steps = (
        Step("Score the folds. Cut out.", 0.0),
        *glue,
        Step("Fold the wings back. A screen stands on them, a wrap goes around its box.", 1.0),
    )
    return at_origin(Net((*right, *left[1:]), (*folds, *more), (), (), steps))


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
    return tuple(_flat(face, point) for point in face[::-1])


def _axes(face: Face3) -> tuple[Point3, Point3]:
    """Unit vectors in the plane of a face: along its first edge, and a quarter turn left of it from outside."""
    along = _unit(_minus(face[1], face[0]))
    return along, _cross(_normal(face), along)


def _placed(faces: Mapping[str, Face3], tree: Sequence[tuple[str, str]]) -> dict[str, Affine]:
    """The place of each face's plane on the flat net."""
    root = next(iter(faces))
    placed = {root: Affine()}
    for parent, child in tree:
        a, b = _shared(faces[parent], faces[child])
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
    Step("Score the folds. Cut out.", 0.0),
    Step("Fold everything away from you.", 0.55),
    Step("Glue the tabs inside in the order of their numbers.", 0.8),
    Step("Press the last face shut and let it dry.", 1.0),
)


def d6(edge: float) -> Net:
    """A cube with edges of ``edge`` mm; faces 1 and 6, 2 and 5, 3 and 4 are opposite."""
    lo, hi = 0.0, edge
    faces: dict[str, Face3] = {
        "face-1": ((lo, lo, hi), (hi, lo, hi), (hi, hi, hi), (lo, hi, hi)),
        "face-2": ((lo, lo, lo), (hi, lo, lo), (hi, lo, hi), (lo, lo, hi)),
        "face-3": ((hi, lo, lo), (hi, hi, lo), (hi, hi, hi), (hi, lo, hi)),
        "face-4": ((lo, hi, lo), (lo, lo, lo), (lo, lo, hi), (lo, hi, hi)),
        "face-5": ((hi, hi, lo), (lo, hi, lo), (lo, hi, hi), (hi, hi, hi)),
        "face-6": ((lo, hi, lo), (hi, hi, lo), (hi, lo, lo), (lo, lo, lo)),
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
