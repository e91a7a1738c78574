"""Registration marks for Silhouette cutters, type 1: a square top left, corners top right and bottom left.

Numbers from docs/how-it-works/print.md#registration-marks: inset at least 10 mm, arms 5 to 20 mm,
lines 0.5 to 1 mm, 1.5 mm kept clear.
"""

from __future__ import annotations

from pnp.values.faces import Line
from pnp.values.game import Paper

INSET = 10.0
LENGTH = 5.0
WIDTH = 1.0
PADDING = 1.5
# From the marks' outer edge to where pieces may begin beside a mark.
CLEAR = LENGTH + PADDING


def inset(paper: Paper) -> float:
    """How far from the edges the marks lie, in mm: farther where the printer reaches no nearer."""
    return max(INSET, paper.margin)


def registration_marks(paper: Paper) -> list[Line]:
    """The three marks in page mm; lines are as wide as the machine expects, and lie inside the inset."""
    at, half = inset(paper), WIDTH / 2
    right, bottom = paper.width - at, paper.height - at
    return [
        Line(at, at + LENGTH / 2, at + LENGTH, at + LENGTH / 2, LENGTH),
        Line(right - LENGTH, at + half, right, at + half, WIDTH),
        Line(right - half, at, right - half, at + LENGTH, WIDTH),
        Line(at, bottom - half, at + LENGTH, bottom - half, WIDTH),
        Line(at + half, bottom - LENGTH, at + half, bottom, WIDTH),
    ]
