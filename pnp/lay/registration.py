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


def registration_marks(paper: Paper) -> list[Line]:
    """The three marks in page mm; lines are as wide as the machine expects, and lie inside the inset."""
    right, bottom, half = paper.width - INSET, paper.height - INSET, WIDTH / 2
    return [
        Line(INSET, INSET + LENGTH / 2, INSET + LENGTH, INSET + LENGTH / 2, LENGTH),
        Line(right - LENGTH, INSET + half, right, INSET + half, WIDTH),
        Line(right - half, INSET, right - half, INSET + LENGTH, WIDTH),
        Line(INSET, bottom - half, INSET + LENGTH, bottom - half, WIDTH),
        Line(INSET + half, bottom - LENGTH, INSET + half, bottom, WIDTH),
    ]
