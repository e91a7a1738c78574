"""Figures folded from one strip: the standee, the pawn that is a tent, and the block that stacks."""

from __future__ import annotations

import math

from pnp.shapes.nets.net import Net, Panel, Seam, Step, at_origin, joined, rectangle, tab

TAB = 7.0


def standee(width: float, height: float, base: float) -> Net:
    """Two sides glued back to back, and two flaps of depth ``base`` that part at the foot. All in mm.

    The back stands on its head above the front, so that both sides are upright once the fold at the top is closed.
    """
    panels, creases = joined(
        [
            (Panel("front", rectangle(0, 0, width, height)), 0),
            (Panel("back", rectangle(0, -height, width, height), 180), 180),
            (Panel("base-back", rectangle(0, -height - base, width, base), 180), -90),
        ]
    )
    foot, fold = joined([(panels[0], 0), (Panel("base-front", rectangle(0, height, width, base)), -90)])
    net = Net(
        (*panels, foot[1]),
        (*creases, *fold),
        (Seam("front", ((0, height), (width, height)), "back", ((0, -height), (width, -height))),),
        (),
        (
            Step("Cut out. Score the folds.", 0.0),
            Step("Fold the top away from you, the two flaps towards you.", 0.6),
            Step("Glue the two sides back to back, not the flaps.", 1.0),
        ),
    )
    return at_origin(net)


def pawn(width: float, height: float, depth: float) -> Net:
    """A tent: front and back lean on each other over a bottom of ``depth``. ``height`` is a side's, along its slope.

    Raises ValueError when the sides cannot meet over the bottom.
    """
    if depth >= 2 * height:
        raise ValueError(f"a depth of {depth:g} mm is too much for sides of {height:g} mm: they would not meet")
    ridge = 180 - math.degrees(2 * math.asin(depth / 2 / height))
    foot = 180 - math.degrees(math.acos(depth / 2 / height))
    front = Panel("front", rectangle(0, 0, width, height))
    up, creases = joined([(front, 0), (Panel("back", rectangle(0, -height, width, height), 180), ridge)])
    down, more = joined(
        [
            (front, 0),
            (Panel("bottom", rectangle(0, height, width, depth)), foot),
            (Panel("tab", tab((width, height + depth), (0, height + depth), min(TAB, height / 2)), 0, "back", True), foot),
        ]
    )
    net = Net(
        (*up, *down[1:]),
        (*creases, *more),
        (Seam("bottom", ((0, height + depth), (width, height + depth)), "back", ((0, -height), (width, -height))),),
        (),
        (
            Step("Cut out. Score the folds.", 0.0),
            Step("Fold everything away from you.", 0.6),
            Step("Glue the tab inside the back.", 1.0),
        ),
    )
    return at_origin(net)


def prism(width: float, height: float, depth: float) -> Net:
    """A block of ``width`` × ``height`` × ``depth`` from one strip, open at both ends, stiffened by a brace from the
    lower front edge to the upper back edge: without it the four folds would let the block lean over.
    """
    slope = math.hypot(height, depth)
    lean = math.degrees(math.atan2(height, depth))
    front = Panel("front", rectangle(0, 0, width, height))
    y = -depth - height
    end = y - depth - slope
    up, creases = joined(
        [
            (front, 0),
            (Panel("top", rectangle(0, -depth, width, depth)), 90),
            (Panel("back", rectangle(0, y, width, height), 180), 90),
            (Panel("bottom", rectangle(0, y - depth, width, depth), 180), 90),
            (Panel("brace", rectangle(0, end, width, slope)), 180 - lean),
            (
                Panel("tab-1", tab((0, end), (width, end), min(TAB, height)), 0, "back", True),
                90 + lean,
            ),
        ]
    )
    down, more = joined([(front, 0), (Panel("tab-2", tab((width, height), (0, height), TAB), 0, "brace", True), 90 + lean)])
    net = Net(
        (*up, *down[1:]),
        (*creases, *more),
        (
            Seam("front", ((0, height), (width, height)), "bottom", ((0, y - depth), (width, y - depth))),
            Seam("brace", ((0, end), (width, end)), "back", ((0, y + height), (width, y + height))),
        ),
        (),
        (
            Step("Cut out. Score the folds.", 0.0),
            Step("Fold everything away from you: the blank part comes to lie inside.", 0.6),
            Step("Glue tab 1 inside the back, just below the top: the blank part slants through the block.", 0.85),
            Step("Tuck tab 2 in at the lower front edge, and glue it to the slanting part.", 1.0),
        ),
    )
    return at_origin(net)
