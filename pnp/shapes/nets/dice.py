"""Dice: the cube, and the pentagonal trapezohedron with ten kites."""

from __future__ import annotations

import math

from pnp.shapes.nets.net import Net, Point3, Step
from pnp.shapes.nets.solids import Face3, unfold

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
