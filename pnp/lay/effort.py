"""How long it takes to cut, fold and glue what is printed: a rough sum for the print plan.

Formula (docs/how-it-works/print.md#how-long-it-takes): so many seconds for each straight cut, millimetre of an outline,
fold, tab, and page of a board.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from math import dist

from pnp.lay.sheet import AnySheet, PosterSheet, Sheet
from pnp.shapes.affine import Rect
from pnp.shapes.outline import Ring
from pnp.values.faces import Face
from pnp.values.words import Words

# Seconds: a cut along a ruler or in a lever cutter; to take a piece in hand; a fold, scored first; a tab with glue on it;
# a sheet folded upon itself and glued; a page of a board laid on its neighbour.
CUT, HANDLE, FOLD, TAB, GUTTER, JOIN = 6.0, 3.0, 8.0, 25.0, 60.0, 90.0
# Scissors along an outline, in mm a second.
SCISSORS = 10.0


@dataclass(frozen=True, slots=True)
class Effort:
    """Seconds of a person's time."""

    cutting: float = 0.0
    gluing: float = 0.0
    """And folding."""

    def __add__(self, other: Effort) -> Effort:
        return Effort(self.cutting + other.cutting, self.gluing + other.gluing)


def effort(made: Iterable[AnySheet]) -> Effort:
    """What sheets take; pages that only show something take nothing."""
    total = Effort()
    for sheet in made:
        if isinstance(sheet, Sheet):
            total += _of_sheet(sheet)
        elif isinstance(sheet, PosterSheet):
            joined = sheet.tile is not sheet.poster.tiles[0]
            total += Effort(4 * CUT, JOIN * joined)
    return total


def _of_sheet(sheet: Sheet) -> Effort:
    total = Effort(0.0, GUTTER if sheet.way == "gutterfold" else 0.0)
    ruled = []
    for spot in sheet.spots:
        face = spot.piece.front
        if face.outline is None and face.net is None:
            ruled.append(spot.front.bounds(Rect(0, 0, face.width, face.height)))
        else:
            total += _of_outlined(face)
    # Rows first, each right across the sheet; then each row into pieces.
    rows: dict[tuple[float, float], set[float]] = {}
    for box in ruled:
        rows.setdefault((round(box.y, 3), round(box.bottom, 3)), set()).update((round(box.x, 3), round(box.right, 3)))
    across = {edge for row in rows for edge in row}
    cuts = len(across) + sum(map(len, rows.values()))
    return total + Effort(CUT * cuts + HANDLE * len(ruled))


def _of_outlined(face: Face) -> Effort:
    net = face.net
    rings: list[Ring] = [face.outline] if face.outline else []
    if net is None:
        return Effort(HANDLE + sum(map(_length, rings)) / SCISSORS)
    rings = rings or [net.outline]
    cutting = HANDLE + sum(map(_length, (*rings, *net.holes))) / SCISSORS
    return Effort(cutting, FOLD * len(net.creases) + TAB * len(net.tabs))


def _length(ring: Ring) -> float:
    return sum(dist(one, two) for one, two in pairwise((*ring, ring[0])))


def time_said(seconds: float, words: Words) -> str:
    """A length of time as people say it, to five minutes; "" for none."""
    if not seconds:
        return ""
    minutes = max(5, 5 * round(seconds / 300))
    hours, rest = divmod(minutes, 60)
    said = (words("{hours} h", hours=hours) if hours else "", words("{minutes} min", minutes=rest) if rest else "")
    return " ".join(filter(None, said))
