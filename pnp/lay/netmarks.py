"""What tells how a piece is folded: dashes along folds, hatching and numbers on tabs; ticks beside what has no outline."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pnp.lay.sheet import Spot
from pnp.shapes.outline import Point, Ring
from pnp.values.faces import Item, Label, Line, Piece, PlacedFace
from pnp.values.words import N_, Words

# Short dashes fold towards the reader, a dash and a dot away (origami's signs).
VALLEY = (1.6, 1.2)
MOUNTAIN = (3.2, 1.0, 0.4, 1.0)
FOLD_WIDTH = 0.2
HATCH = 2.2
HATCH_WIDTH = 0.08
NUMBER_SIZE = 7.0
# What the signs mean, where a sheet has them.
TO_YOU, AWAY, GLUED = N_("– – fold to you"), N_("— · — fold away"), N_("hatched: glue")
BOTH = N_("– – fold to you, — · — away")
# A tick begins this far outside the corner.
TICK_GAP = 0.4


def legend(pieces: Sequence[Piece]) -> list[str]:
    """What the signs on some pieces mean, for the slug line."""
    nets = [piece.front.net for piece in pieces if piece.front.net]
    angles = [crease.angle for net in nets for crease in net.creases]
    ways = {angle < 0 for angle in angles}
    folds = [BOTH] if len(ways) > 1 else [TO_YOU if to_you else AWAY for to_you in ways]
    return [*folds, *([GLUED] if any(net.tabs for net in nets) else [])]


def fold_marks(placed: PlacedFace, words: Words) -> list[Item]:
    """Dashes along the folds of a folded piece, and hatched, numbered tabs."""
    net = placed.face.net
    if net is None:
        return []
    items: list[Item] = []
    for crease in net.creases:
        ends = (*placed.matrix.point(*crease.start), *placed.matrix.point(*crease.end))
        items.append(Line(*ends, FOLD_WIDTH, VALLEY if crease.angle < 0 else MOUNTAIN, halo=True))
    for number, tab in enumerate(net.tabs, 1):
        ring = tuple(placed.matrix.point(*point) for point in tab.ring)
        items += [Line(*a, *b, HATCH_WIDTH) for a, b in hatching(ring, HATCH)]
        x, y = (sum(point[axis] for point in ring) / len(ring) for axis in (0, 1))
        label = words("glue") if len(net.tabs) == 1 else str(number)
        items.append(Label(x, y + NUMBER_SIZE * 0.12, label, NUMBER_SIZE, anchor="middle", halo=True))
    return items


def hatching(ring: Ring, step: float) -> list[tuple[Point, Point]]:
    """Slanting lines ``step`` mm apart across a convex ring."""
    # Lines x + y = c: each meets a convex ring twice.
    sums = [x + y for x, y in ring]
    distance = step * math.sqrt(2)
    lines = []
    for number in range(math.floor(min(sums) / distance) + 1, math.ceil(max(sums) / distance)):
        level = number * distance
        met = []
        for (x0, y0), (x1, y1) in zip(ring, [*ring[1:], ring[0]], strict=True):
            before, after = x0 + y0 - level, x1 + y1 - level
            if (before < 0) != (after < 0):
                share = before / (before - after)
                met.append((x0 + (x1 - x0) * share, y0 + (y1 - y0) * share))
        if len(met) == 2:
            lines.append((met[0], met[1]))
    return lines


def corner_ticks(spots: Sequence[Spot]) -> list[Line]:
    """At the corners of nested rectangles: ticks in the room around the piece, which touch no other's."""
    lines = []
    for spot in spots:
        face = spot.piece.front
        if face.outline is not None:
            continue
        corners = [spot.front.point(x, y) for x in (0, face.width) for y in (0, face.height)]
        left, right = min(x for x, _ in corners), max(x for x, _ in corners)
        top, bottom = min(y for _, y in corners), max(y for _, y in corners)
        room = spot.inked
        for x in (left, right):
            lines += [_tick(x, top - TICK_GAP, x, room.y), _tick(x, bottom + TICK_GAP, x, room.bottom)]
        for y in (top, bottom):
            lines += [_tick(left - TICK_GAP, y, room.x, y), _tick(right + TICK_GAP, y, room.right, y)]
    return lines


def _tick(x1: float, y1: float, x2: float, y2: float) -> Line:
    return Line(x1, y1, x2, y2, halo=True)
