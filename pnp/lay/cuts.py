"""Sheets → what a cutting machine follows: each edge once, inner contours before outer ones, folds to score."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from pnp.lay.registration import registration_marks
from pnp.lay.sheet import AnySheet, Sheet, Spot
from pnp.shapes.affine import Affine
from pnp.shapes.nets.net import rectangle
from pnp.shapes.outline import Point, Ring
from pnp.values.faces import Contour, CutSheet
from pnp.values.game import Paper

# Edges whose ends agree to a thousandth of a millimetre are one edge.
_DIGITS = 3

# A perforated fold, in mm: what is cut and what stays, as nearly as a whole number of them fits.
DASH, BRIDGE = 1.5, 1.5

Segment = tuple[Point, Point]


def cut_sheets(made: Sequence[AnySheet], paper: Paper, cutting: bool, perforate: bool = False) -> list[CutSheet]:
    """The sheets with pieces to cut, numbered as in the print file.

    ``cutting``: with registration marks; ``perforate``: folds are cut as dashes, not scored.
    """
    marks = tuple(registration_marks(paper)) if cutting else ()
    found = []
    for number, sheet in enumerate(made, 1):
        if isinstance(sheet, Sheet) and not (cutting and sheet.by_hand):
            folds = tuple(_scores(sheet.spots))
            dashes = tuple(dash for fold in folds for dash in _dashed(fold)) if perforate else ()
            found.append(
                CutSheet(number, paper, tuple(cut_contours(sheet.spots)), () if perforate else folds, dashes, marks)
            )
    return found


def cut_contours(spots: Sequence[Spot]) -> list[Contour]:
    """Holes, then outlines; where pieces share edges, straight lines with every edge once."""
    holes = [
        _moved(hole, spot.front) for spot in spots for hole in (spot.piece.front.net.holes if spot.piece.front.net else ())
    ]
    outer = [_moved(outline(spot), spot.front) for spot in spots]
    inner = [Contour(ring, True) for ring in holes]
    times = Counter(_key(edge) for ring in outer for edge in _edges(ring))
    if max(times.values(), default=0) < 2:
        return [*inner, *(Contour(ring, True) for ring in outer)]
    alone = [ring for ring in outer if all(times[_key(edge)] == 1 for edge in _edges(ring))]
    once = {_key(edge): edge for ring in outer if ring not in alone for edge in _edges(ring)}
    return [*inner, *(Contour(ring, True) for ring in alone), *(Contour(line, False) for line in _straight(once.values()))]


def outline(spot: Spot) -> Ring:
    """Where a piece is cut, in face mm."""
    face = spot.piece.front
    return face.outline or rectangle(0.0, 0.0, face.width, face.height)


def _scores(spots: Sequence[Spot]) -> list[Contour]:
    """The folds, each once."""
    once: dict[Segment, Contour] = {}
    for spot in spots:
        net = spot.piece.front.net
        for crease in net.creases if net else ():
            ends = spot.front.point(*crease.start), spot.front.point(*crease.end)
            once.setdefault(_key(ends), Contour(ends, False))
    return list(once.values())


def _dashed(fold: Contour) -> list[Contour]:
    """A fold in dashes with paper between them and before its ends, so that it does not tear there."""
    (x0, y0), (x1, y1) = fold.points
    count = max(1, round(math.dist(*fold.points) / (DASH + BRIDGE)))
    half = DASH / (DASH + BRIDGE) / 2
    shares = [((at + 0.5 - half) / count, (at + 0.5 + half) / count) for at in range(count)]
    return [Contour(tuple((x0 + (x1 - x0) * share, y0 + (y1 - y0) * share) for share in ends), False) for ends in shares]


def _moved(ring: Ring, matrix: Affine) -> Ring:
    return tuple(matrix.point(*point) for point in ring)


def _edges(ring: Ring) -> Iterable[Segment]:
    return zip(ring, [*ring[1:], ring[0]], strict=True)


def _key(edge: Segment) -> Segment:
    """The same for an edge and its reverse."""
    first, second = sorted((_rounded(x), _rounded(y)) for x, y in edge)
    return first, second


def _rounded(value: float) -> float:
    """In two goes: sums of the same lengths may differ in the last digits, and so come to both sides of a half."""
    return round(round(value, 9), _DIGITS) + 0.0


def _straight(edges: Iterable[Segment]) -> list[Ring]:
    """Edges that continue one another in a straight line as one line: the long cuts of a guillotine."""
    lines: list[Segment] = sorted(map(_key, edges))
    joined = True
    while joined:
        joined = False
        starts: dict[Point, list[Segment]] = {}
        for line in lines:
            starts.setdefault(line[0], []).append(line)
        for line in lines:
            after = next((other for other in starts.get(line[1], ()) if _continues(line, other)), None)
            if after is not None:
                lines = sorted([*(each for each in lines if each not in (line, after)), (line[0], after[1])])
                joined = True
                break
    return [tuple(line) for line in lines]


def _continues(line: Segment, other: Segment) -> bool:
    (x0, y0), (x1, y1), (x2, y2) = *line, other[1]
    across = (x1 - x0) * (y2 - y1) - (y1 - y0) * (x2 - x1)
    return abs(across) < 1e-3 * math.dist(*line) * math.dist(*other)
