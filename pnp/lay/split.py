"""A piece larger than a page → the fewest pages, parted along its own grid lines.

Formula (docs/how-it-works/print.md#boards-in-parts): with printable room a × b, pages are needed until
the segments, each with its bleed or overlap, cover the piece. Segments are whole cells, so that no seam runs through one.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from pnp.lay.grid import TooLarge, band_margin
from pnp.shapes.affine import Affine, Rect, rotation, translation
from pnp.values.game import Paper

Join = Literal["glue", "butt"]

# What the neighbour is glued upon; more than any home printer's margin.
OVERLAP = 10.0
# Beyond a line that is cut, so that a cut a hair off shows no white.
CUT_BLEED = 3.0
MOST_PAGES = 400

_EPSILON = 1e-6


@dataclass(frozen=True, slots=True)
class Tile:
    """One page of a poster: which part of the piece it is, and where that part lies on the page."""

    row: int
    column: int
    part: Rect
    """The part of the piece that this page contributes, in piece mm: cut here, meet the neighbour here."""
    inked: Rect
    """What is printed: the part with bleed at cuts and overlap under the neighbour, in piece mm."""
    matrix: Affine
    """From piece mm to page mm."""

    @property
    def label(self) -> str:
        """A1, A2, B1 …: the letter is the row."""
        return f"{letters(self.row)}{self.column + 1}"


@dataclass(frozen=True, slots=True)
class Poster:
    """How a piece is parted on one paper."""

    tiles: tuple[Tile, ...]
    columns: int
    rows: int
    join: Join
    turned: bool


def letters(index: int) -> str:
    """A, B … Z, AA, AB …"""
    text = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        text = chr(65 + rest) + text
    return text


def split(paper: Paper, width: float, height: float, step: float, bleed: float, join: Join) -> Poster:
    """The parting with the fewest pages; upright before turned. ``step`` is the piece's grid in mm, 0 without one.

    Raises TooLarge when a single cell of the grid does not fit a page, or when it takes too many pages.
    """
    found = []
    for turned in (False, True):
        room = (paper.width - 2 * band_margin(paper), paper.height - 2 * band_margin(paper))
        across, down = room[::-1] if turned else room
        xs = seams(width, step, across, bleed, join)
        ys = seams(height, step, down, bleed, join)
        if xs and ys:
            found.append((xs, ys, turned))
    if not found:
        raise TooLarge(f"a piece of {width:g} × {height:g} mm cannot be parted into pages of {paper.name}")
    xs, ys, turned = min(found, key=lambda each: ((len(each[0]) - 1) * (len(each[1]) - 1), each[2]))
    tiles = tuple(
        _tile(paper, xs, ys, row, column, bleed, join, turned) for row in range(len(ys) - 1) for column in range(len(xs) - 1)
    )
    return Poster(tiles, len(xs) - 1, len(ys) - 1, join, turned)


def seams(total: float, step: float, room: float, bleed: float, join: Join) -> list[float]:
    """Where a length is parted, both ends included: as few and as even parts as fit; empty when none do."""
    units = round(total / step) if step else 0
    for count in range(1, MOST_PAGES + 1):
        if units and count > units:
            return []
        edges = [round(units * index / count) * step if units else total * index / count for index in range(count)]
        edges.append(total)
        if all(
            end - start + _before(index, bleed) + _after(index, count, bleed, join) <= room + _EPSILON
            for index, (start, end) in enumerate(pairwise(edges))
        ):
            return edges
    return []


def _before(index: int, bleed: float) -> float:
    return bleed if index == 0 else CUT_BLEED


def _after(index: int, count: int, bleed: float, join: Join) -> float:
    if index == count - 1:
        return bleed
    return OVERLAP if join == "glue" else CUT_BLEED


def _tile(
    paper: Paper, xs: list[float], ys: list[float], row: int, column: int, bleed: float, join: Join, turned: bool
) -> Tile:
    part = Rect(xs[column], ys[row], xs[column + 1] - xs[column], ys[row + 1] - ys[row])
    inked = part.grown(
        _before(column, bleed),
        _before(row, bleed),
        _after(column, len(xs) - 1, bleed, join),
        _after(row, len(ys) - 1, bleed, join),
    )
    middle = translation(-inked.x - inked.width / 2, -inked.y - inked.height / 2)
    matrix = translation(paper.width / 2, paper.height / 2) @ (rotation(90) if turned else rotation(0)) @ middle
    return Tile(row, column, part, inked, matrix)
