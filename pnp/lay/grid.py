"""How many pieces of one size go on a sheet, where, and with how much bleed. Nothing is ever scaled."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from pnp.lay.registration import CLEAR, inset
from pnp.shapes.affine import Affine, Rect, rotation, translation
from pnp.values.game import MARGIN, Backs, Component, Paper

# The slug line and marks may stand nearer to the edge than pieces: cutting survives the loss of a mark's end.
SLUG_MARGIN = 4.0
# The side that carries the slug line: the line itself, a gap, and at least a millimetre of crop mark.
BAND = 4.5
# In the tightest margins the gap before a mark gives way before the mark does.
LEAST_MARK = 1.0
# With this much room beside the block, marks, slug line and ruler have their full size.
ROOMY = 13.0
# A narrower bleed than this helps nobody with scissors: neighbours then share their cut lines.
LEAST_BLEED = 1.0
# Between a fold and the ink beside it.
FOLD_CLEARANCE = 5.0

_EPSILON = 1e-6

Band = Literal["bottom", "left"]
Fold = Literal["horizontal", "vertical"]


def slug_margin(paper: Paper) -> float:
    """How near to the edge the slug line stands: as near as pieces where these keep another margin than the usual."""
    return min(SLUG_MARGIN, paper.margin) if paper.margin <= MARGIN else paper.margin


def mark_margin(paper: Paper) -> float:
    """How near to the edge marks reach: where pieces begin at the margin, there is a millimetre of mark beyond it."""
    return min(slug_margin(paper), paper.margin - LEAST_MARK)


def band_margin(paper: Paper) -> float:
    """How near to the edge that carries the slug line pieces may lie."""
    return slug_margin(paper) + BAND


class TooLarge(ValueError):
    """A piece that does not go on the paper."""

    component: Component | None = None
    """Whose piece it is, where sheets are shared."""


@dataclass(frozen=True, slots=True)
class Area:
    """Where ink of pieces may go on a page, in page mm; the side with the slug line; a fold beside it."""

    band: Band
    room: Rect
    fold: Fold | None


@dataclass(frozen=True, slots=True)
class Grid:
    """Equal cells on a page; ``cell`` rectangles are trims, in page mm."""

    columns: int
    rows: int
    turned: bool
    """Pieces lie on their side: a quarter turn clockwise."""
    bleed: float
    """Bleed around every piece inside the block; 0 when neighbours share their cut lines."""
    outer: tuple[float, float, float, float]
    """Bleed beyond the block's own edge: left, top, right, bottom."""
    block: Rect
    """From the first cell's trim to the last one's."""
    cell_width: float
    cell_height: float
    band: Band
    fold: Fold | None = None

    def band_room(self, paper: Paper) -> float:
        """From the block's trim to the edge of the paper that carries the slug line."""
        return self.block.x if self.band == "left" else paper.height - self.block.bottom

    @property
    def capacity(self) -> int:
        return self.columns * self.rows

    @property
    def shared_cuts(self) -> bool:
        return self.bleed == 0 and self.capacity > 1

    def cell(self, index: int) -> Rect:
        """The trim of the index-th piece, row by row from the top left."""
        row, column = divmod(index, self.columns)
        return Rect(
            self.block.x + column * (self.cell_width + 2 * self.bleed),
            self.block.y + row * (self.cell_height + 2 * self.bleed),
            self.cell_width,
            self.cell_height,
        )

    def inked(self, index: int) -> Rect:
        """The trim with as much bleed around it as the sheet has room for."""
        row, column = divmod(index, self.columns)
        left, top, right, bottom = self.outer
        return self.cell(index).grown(
            left if column == 0 else self.bleed,
            top if row == 0 else self.bleed,
            right if column == self.columns - 1 else self.bleed,
            bottom if row == self.rows - 1 else self.bleed,
        )

    def front(self, index: int) -> Affine:
        """The map from face mm to page mm for the index-th cell."""
        cell = self.cell(index)
        if not self.turned:
            return translation(cell.x, cell.y)
        return translation(cell.right, cell.y) @ rotation(90)


def find_grid(
    paper: Paper,
    width: float,
    height: float,
    bleed: float,
    backs: Backs,
    cutting: bool = False,
    upright: bool = False,
) -> Grid:
    """The grid that takes most pieces; among equals the one with most bleed, then upright pieces.

    ``cutting`` keeps clear of a cutting machine's registration marks, ``upright`` turns no piece.
    Raises TooLarge when not one piece fits.
    """
    found = [
        grid
        for turned in ((False,) if upright else (False, True))
        for area in areas(paper, backs, cutting)
        if (grid := _fill(area, paper, width, height, bleed, turned))
    ]
    if not found:
        within = "the margins that printers need" if paper.margin == MARGIN else f"a margin of {paper.margin:g} mm"
        raise TooLarge(
            f"a piece of {width:g} × {height:g} mm does not fit on {paper.name} "
            f"({paper.width:g} × {paper.height:g} mm) at 100 % inside {within}"
        )
    return max(
        found,
        key=lambda grid: (
            grid.capacity,
            grid.bleed,
            not grid.turned,
            min(grid.band_room(paper), ROOMY),
            grid.band == "bottom",
        ),
    )


def areas(paper: Paper, backs: Backs, cutting: bool = False) -> list[Area]:
    """Where ink of pieces may go, for each place of the slug line; clear of registration marks when a machine cuts."""
    margin, band = paper.margin, band_margin(paper)
    if backs == "gutterfold":
        half_height = paper.height / 2 - FOLD_CLEARANCE - band
        half_width = paper.width / 2 - FOLD_CLEARANCE - band
        return [
            Area("bottom", Rect(margin, band, paper.width - 2 * margin, half_height), "horizontal"),
            Area("left", Rect(band, margin, half_width, paper.height - 2 * margin), "vertical"),
        ]
    if cutting:
        # A machine cuts inside its marks only; beside the marks, either above and below or left and right, is room.
        at = inset(paper)
        inner, outer = paper.width - 2 * at, paper.height - 2 * at
        return [
            Area("bottom", Rect(at, at + CLEAR, inner, outer - 2 * CLEAR), None),
            Area("bottom", Rect(at + CLEAR, at, inner - 2 * CLEAR, outer), None),
        ]
    return [
        Area("bottom", Rect(margin, margin, paper.width - 2 * margin, paper.height - margin - band), None),
        Area("left", Rect(band, margin, paper.width - margin - band, paper.height - 2 * margin), None),
    ]


def _fill(area: Area, paper: Paper, width: float, height: float, bleed: float, turned: bool) -> Grid | None:
    region, fold = area.room, area.fold
    cell_width, cell_height = (height, width) if turned else (width, height)
    columns = int((region.width + _EPSILON) // cell_width)
    rows = int((region.height + _EPSILON) // cell_height)
    if columns < 1 or rows < 1:
        return None
    room = min((region.width / columns - cell_width) / 2, (region.height / rows - cell_height) / 2)
    inner = min(bleed, math.floor(room * 10 + _EPSILON) / 10)
    if inner < min(LEAST_BLEED, bleed) or (columns, rows) == (1, 1):
        inner = 0.0
    block_width = columns * cell_width + (columns - 1) * 2 * inner
    block_height = rows * cell_height + (rows - 1) * 2 * inner
    # Backs mirror about the page's middle, so a block there needs the least paper; a fold draws it near.
    beside = inner or min(bleed, (region.width - block_width) / 2)
    above = inner or min(bleed, (region.height - block_height) / 2)
    x = paper.width / 2 - (block_width + beside + FOLD_CLEARANCE if fold == "vertical" else block_width / 2)
    y = paper.height / 2 - (block_height + above + FOLD_CLEARANCE if fold == "horizontal" else block_height / 2)
    x = min(max(x, region.x + inner), region.right - inner - block_width)
    y = min(max(y, region.y + inner), region.bottom - inner - block_height)
    block = Rect(x, y, block_width, block_height)
    outer = (inner, inner, inner, inner)
    if inner == 0:
        outer = (
            _outer(bleed, block.x - region.x),
            _outer(bleed, block.y - region.y),
            _outer(bleed, region.right - block.right),
            _outer(bleed, region.bottom - block.bottom),
        )
    return Grid(columns, rows, turned, inner, outer, block, cell_width, cell_height, area.band, fold)


def _outer(bleed: float, room: float) -> float:
    return max(0.0, min(bleed, room))
