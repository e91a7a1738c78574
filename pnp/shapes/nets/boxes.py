"""Computes the nets of the tuck box, the pouch with a flat bottom, and the player screen."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pnp.shapes.nets.net import Crease, Net, Panel, Seam, Step, at_origin, joined, rectangle, shared_edge, tab
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
            Step("Cut out. Score the folds.", 0.0),
            Step("Fold everything away from you.", 0.45),
            Step("Glue the long tab inside the back: a sleeve.", 0.75),
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
            Step("Cut out. Score the folds.", 0.0),
            Step("Fold everything away from you.", 0.6),
            Step("Glue tabs 1 and 2 inside the sides: the bottom stands.", 0.85),
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
    middle = min(len(numbers) // 2, len(strip) - 1)
    right, folds = joined(strip[middle:])
    left, more = joined(strip[middle::-1])
    glue = [Step("Glue each part's tab behind the next part.", 0.0)] if parts > 1 else []
    steps = (
        Step("Cut out. Score the folds.", 0.0),
        *glue,
        Step("Fold the wings back. A screen stands on them, a wrap goes around its box.", 1.0),
    )
    return at_origin(Net((*right, *left[1:]), (*folds, *more), (), (), steps))
