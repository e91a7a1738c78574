"""How a piece looks while it is made and in the end: folded, or as flat parts that a pin holds on one another."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pnp.lay.picture import EDGE, PLAN, Picture, folded_picture
from pnp.shapes.affine import Affine, Rect, scaling, translation
from pnp.shapes.nets.net import Step
from pnp.shapes.nets.view import ASIDE, View
from pnp.shapes.outline import Point, Ring, area, offset
from pnp.values.faces import Deck, Piece, PlacedFace, Stroke

# Parts that are still apart are seen from so far above their plane, and hover by this share of their height.
TILT = math.radians(34)
APART = 0.46
# A pin's head reaches so far beyond its hole, in mm, and is grey.
HEAD, METAL = 1.6, 0.78


def made_picture(deck: Deck, piece: Piece, step: Step | None = None, view: View = ASIDE) -> Picture:
    """A piece of a deck at a step of its making; without one as it is in the end."""
    net = piece.front.net
    if net is None:
        raise ValueError(f"{piece.id} is not made of a net")
    if net.creases:
        return folded_picture(piece, step.share if step else 1.0, view)
    step = step or net.steps[-1]
    parts = {each.part: each for each in deck.pieces if each.id == piece.id}
    return _stacked([parts[number] for number in step.parts], step.share)


def _stacked(parts: Sequence[Piece], share: float) -> Picture:
    """Flat parts of one size, the lowest first, and the pin through the holes that they have in common."""
    front = parts[0].front
    apart = len(parts) > 1 and share < 1
    rise = APART * front.height * (1 - share) if apart else 0.0
    tilted = scaling(1.0, math.sin(TILT)) if apart else Affine()
    holes = _common([part.front.net.holes for part in parts if part.front.net]) if len(parts) > 1 else []
    items: list[PlacedFace | Stroke] = []
    for level, part in enumerate(parts):
        matrix = translation(0.0, -level * rise) @ tilted
        items += _flat(part, matrix)
        for x, y in map(_middle, holes if apart else ()):
            foot = matrix.point(x, y)
            items.append(Stroke((foot, (foot[0], foot[1] - rise)), EDGE, closed=False))
    top = translation(0.0, -(len(parts) if apart else 0) * rise) @ tilted
    items += [Stroke(_moved(offset(hole, HEAD), top), EDGE, fill=METAL) for hole in holes]
    points = [point for item in items for point in (item.points if isinstance(item, Stroke) else ())]
    xs, ys = zip(*points, strict=True)
    found = Picture(tuple(items), max(xs) - min(xs), max(ys) - min(ys))
    moved = found.at(translation(-min(xs), -min(ys)))
    return Picture(tuple(each for each in moved if isinstance(each, PlacedFace | Stroke)), found.width, found.height)


def _flat(part: Piece, matrix: Affine) -> list[PlacedFace | Stroke]:
    """A part with its art, and with the holes in it."""
    face, net = part.front, part.front.net
    outline, holes = (net.outline, net.holes) if net else ((), ())
    edges = [Stroke(_moved(ring, matrix), EDGE) for ring in (outline, *holes)]
    clip = Rect(0, 0, face.width, face.height)
    return [PlacedFace(face, PLAN, "front", matrix, clip, with_holes(outline, holes)), *edges]


def with_holes(ring: Ring, holes: Sequence[Ring]) -> Ring:
    """One ring around what is left of a shape: slits without width lead to its holes, which run the other way."""
    points = [*ring, ring[0]]
    for hole in holes:
        against = hole if area(hole) * area(ring) < 0 else hole[::-1]
        points += [*against, against[0], ring[0]]
    return tuple(points)


def _common(holes: Sequence[Sequence[Ring]]) -> list[Ring]:
    """The holes that go through all parts."""
    return [hole for hole in holes[0] if all(hole in others for others in holes)]


def _middle(ring: Ring) -> Point:
    return sum(x for x, _ in ring) / len(ring), sum(y for _, y in ring) / len(ring)


def _moved(ring: Ring, matrix: Affine) -> Ring:
    return tuple(matrix.point(*point) for point in ring)
