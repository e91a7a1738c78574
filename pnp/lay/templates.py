"""Sheets for the cutting templates that silhouette-card-maker publishes: which of them, where cards lie, and its marks.

Numbers from docs/how-it-works/print.md#cutting-templates. Its pages lie or stand; ours stand, so that a page that lies is
turned by a quarter clockwise with all that is on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pnp.lay.grid import Grid
from pnp.lay.registration import INSET, LENGTH, WIDTH
from pnp.shapes.affine import IDENTITY, Rect, rotation, translation
from pnp.values.faces import Line
from pnp.values.game import Paper

# Between two cards; half of it is the most that a card may bleed.
GAP = 1.25
MOST_LENGTH = 20.0
# Sizes that differ by less are one.
_SAME = 0.06

PAPERS = ("letter", "legal", "tabloid", "a4", "a3")
# Width and height in mm; then for each paper whether the page lies (L) or stands (S), its rows and its columns.
CARDS: Mapping[str, tuple[float, float, str]] = {
    "standard": (63.0, 88.0, "L2x4 L2x5 S4x4 L2x4 L3x6"),
    "poker": (63.5, 88.9, "L2x4 L2x5 S4x4 L2x4 S4x4"),
    "bridge": (57.15, 88.9, "L2x4 L2x5 S4x4 S3x3 L3x6"),
    "bridge_square": (57.15, 57.15, "L3x4 L3x5 L4x7 L3x4 L4x6"),
    "japanese": (59.0, 86.0, "L2x4 L2x5 S4x4 S3x3 L3x6"),
    "mini": (44.45, 63.5, "L3x5 L3x7 L4x8 S4x4 L4x8"),
    "american_mini": (41.0, 63.0, "S4x4 L3x7 L4x9 S4x4 L4x9"),
    "euro_mini": (44.0, 68.0, "S3x4 S4x4 L3x9 L2x6 L4x8"),
    "micro": (31.75, 44.45, "L4x7 L4x9 S9x7 S6x5 L6x11"),
    "business": (88.9, 50.8, "S5x2 S6x2 L5x4 S5x2 S7x3"),
    "euro_business": (85.0, 55.0, "L3x3 S5x2 S7x3 L3x3 S7x3"),
    "credit": (85.725, 53.975, "S4x2 S6x2 L4x4 S5x2 S7x3"),
    "domino": (44.45, 88.9, "L2x5 L2x7 S4x5 L2x5 L3x8"),
    "domino_square": (44.45, 44.45, "L4x5 L4x7 L5x9 L4x5 L6x8"),
    "catan": (54.0, 80.0, "S3x3 L2x6 L3x7 L2x5 L3x7"),
    "tarot": (69.85, 120.65, "S2x2 L1x4 L2x5 S2x2 L2x5"),
    "jumbo": (88.9, 139.7, "L1x2 S2x2 L1x4 L1x3 S2x3"),
    "standard_double": (88.0, 126.0, "S2x2 S2x2 L2x4 S2x2 S3x3"),
    "70mm_square": (70.0, 70.0, "L2x3 L2x4 L3x5 L2x3 L3x5"),
}


@dataclass(frozen=True, slots=True)
class Template:
    """A ready template for one paper and one size of card."""

    name: str
    """As its file is called, without the version."""
    lying: bool
    """Its page lies."""
    grid: Grid
    """The cards, on our upright page."""

    def marks(self, paper: Paper) -> list[Line]:
        """A square and two corners in page mm, where and as large as the template looks for them."""
        wide, high = (paper.height, paper.width) if self.lying else (paper.width, paper.height)
        free = max(self.grid.block.x, self.grid.block.y) - INSET - GAP
        end, half = INSET + min(max(free, LENGTH), MOST_LENGTH), WIDTH / 2
        # Lines run along the inset, half on either side of it; so does the square's edge.
        near, side = INSET - half, LENGTH + WIDTH
        lines = [
            Line(near, near + side / 2, near + side, near + side / 2, side),
            Line(wide - near, INSET, wide - end, INSET, WIDTH),
            Line(wide - INSET, near, wide - INSET, end, WIDTH),
            Line(near, high - INSET, end, high - INSET, WIDTH),
            Line(INSET, high - near, INSET, high - end, WIDTH),
        ]
        turn = translation(paper.width, 0.0) @ rotation(90) if self.lying else IDENTITY
        return [Line(*turn.point(line.x1, line.y1), *turn.point(line.x2, line.y2), line.width) for line in lines]


def template_of(paper: Paper, width: float, height: float) -> Template | None:
    """The template for cards of a size on a paper, whichever way the size is written; None where there is none."""
    if paper.name not in PAPERS:
        return None
    for name, (wide, high, layouts) in CARDS.items():
        for turned, size in ((False, (width, height)), (True, (height, width))):
            if abs(size[0] - wide) < _SAME and abs(size[1] - high) < _SAME:
                layout = layouts.split()[PAPERS.index(paper.name)]
                lying = layout[0] == "L"
                rows, columns = map(int, layout[1:].split("x"))
                across, down = (rows, columns) if lying else (columns, rows)
                return Template(f"{paper.name}-{name}", lying, _grid(paper, (width, height), turned != lying, across, down))
    return None


def _grid(paper: Paper, size: tuple[float, float], turned: bool, columns: int, rows: int) -> Grid:
    """So many cards in the middle of the page, so far apart as the template has them."""
    width, height = size[::-1] if turned else size
    wide, high = columns * width + (columns - 1) * GAP, rows * height + (rows - 1) * GAP
    block = Rect((paper.width - wide) / 2, (paper.height - high) / 2, wide, high)
    return Grid(columns, rows, turned, GAP / 2, (GAP / 2,) * 4, block, width, height, "bottom")
