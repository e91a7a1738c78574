"""A folded piece as a picture: the real net with its real art, folded as far as one likes.

An orthographic view of a flat panel is an affine map, so a picture is the piece's own face, clipped panel by panel.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pnp.shapes.affine import Affine, Rect, mirror_x, translation
from pnp.shapes.nets.net import Panel
from pnp.shapes.nets.view import ASIDE, View, seen
from pnp.shapes.outline import Ring, area
from pnp.values.faces import Item, Label, Piece, PlacedFace, Stroke
from pnp.values.game import Side

# The name that small pictures have in the file, so that nobody counts them as pieces.
PLAN = "pnp/plan"
EDGE = 0.15
# The grey of unprinted paper.
INSIDE = 0.94


@dataclass(frozen=True, slots=True)
class Picture:
    """Faces, strokes and words in a box of ``width`` × ``height`` mm from (0, 0)."""

    items: tuple[PlacedFace | Stroke | Label, ...]
    width: float
    height: float

    def at(self, matrix: Affine) -> list[Item]:
        """The picture's items on the page; lines keep their width and words their size."""
        made: list[Item] = []
        for item in self.items:
            if isinstance(item, Stroke):
                made.append(replace(item, points=tuple(matrix.point(*point) for point in item.points)))
            elif isinstance(item, Label):
                x, y = matrix.point(item.x, item.y)
                made.append(replace(item, x=x, y=y))
            else:
                made.append(replace(item, matrix=matrix @ item.matrix))
        return made


def folded_picture(piece: Piece, share: float, view: View = ASIDE) -> Picture:
    """The piece with its folds closed by ``share``; flat nets are seen from straight above.

    What is tucked or glued inside a closed piece is left out: it lies against what hides it.
    """
    net = piece.front.net
    if net is None:
        raise ValueError(f"{piece.id} is not folded")
    shown = seen(net, share, view)
    xs, ys = zip(*(each.matrix.point(*point) for each in shown for point in each.panel.ring), strict=True)
    home = translation(-min(xs), -min(ys))
    items = [item for each in shown for item in _drawn(piece, each.panel, home @ each.matrix)]
    return Picture(tuple(items), max(xs) - min(xs), max(ys) - min(ys))


def _drawn(piece: Piece, panel: Panel, matrix: Affine) -> list[PlacedFace | Stroke]:
    """A panel's printed side with its art, or its inside: the back where the piece has one, else blank paper."""
    ring = tuple(matrix.point(*point) for point in panel.ring)
    if abs(area(ring)) < 0.01:
        return []
    if matrix.determinant > 0:
        return [_clipped(piece, "front", matrix, panel.ring), Stroke(ring, EDGE)]
    if piece.back is not None:
        turned = mirror_x(piece.front.width / 2)
        points = tuple(turned.point(*point) for point in panel.ring[::-1])
        return [_clipped(piece, "back", matrix @ turned, points), Stroke(ring, EDGE)]
    return [Stroke(ring, EDGE, fill=INSIDE)]


def _clipped(piece: Piece, side: Side, matrix: Affine, ring: Ring) -> PlacedFace:
    face = piece.side(side) or piece.front
    return PlacedFace(face, PLAN, side, matrix, Rect(0, 0, face.width, face.height), ring)
