"""Where a back goes so that it lies behind its front: one formula for every way to turn the paper.

A piece is turned over about its own upright axis, the paper about its edge or its fold; so the back's
map is *turn the paper* after *the front's map* after *turn the piece*. The two mirrorings cancel, and
what is left is a turn and a shift: nothing on a back is ever mirror-written. See
docs/how-it-works/print.md#where-a-back-goes.
"""

from __future__ import annotations

from pnp.lay.grid import Grid
from pnp.shapes.affine import Affine, Calibration, mirror_x, mirror_y, rotation, translation
from pnp.values.game import Backs, Paper


def paper_turn(paper: Paper, backs: Backs, grid: Grid) -> Affine:
    """The mirroring that brings the front's side of the paper onto the back's, in page mm.

    All sheets are upright, so the long edge is the left or right one.
    """
    if backs == "short-edge" or (backs == "gutterfold" and grid.fold == "horizontal"):
        return mirror_y(paper.height / 2)
    return mirror_x(paper.width / 2)


def back_map(front: Affine, turn: Affine, face_width: float) -> Affine:
    """The map of a back from face mm to page mm, given its front's."""
    return turn @ front @ mirror_x(face_width / 2)


def correction(calibration: Calibration, paper: Paper) -> Affine:
    """What moves backs to where this printer should have put them: a turn about the middle, then a shift."""
    turned = rotation(calibration.angle, paper.width / 2, paper.height / 2)
    return translation(calibration.dx, calibration.dy) @ turned
