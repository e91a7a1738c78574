"""The first two pages of a print file: what to print on which paper, and how to cut it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pnp.draw.cards import Origin, Studio
from pnp.draw.cut import Frame
from pnp.geometry import Rect
from pnp.model import Backs, Face, Paper
from pnp.problems import Place

# As many rows as the plan's table has room for under its title on the shortest paper.
MOST_LINES = 20
MARGIN = 18.0
TABLE_TOP = 83.0
# What stands below the pictures: the bars to measure.
FOOT = 52.0


@dataclass(frozen=True, slots=True)
class PlanLine:
    """A row of the print plan: decks that share sheets, and where they are in the file."""

    titles: str
    copies: str
    sheets: int
    pages: str
    paper: str
    note: str


def table_end(lines: Sequence[PlanLine]) -> float:
    """Where the plan's table ends, in mm from the top: its rows are lower when there are many."""
    return TABLE_TOP + _step(lines) * min(len(lines), MOST_LINES)


def picture_room(paper: Paper, lines: Sequence[PlanLine]) -> Rect:
    """The free room between the table's sum line and the foot, for pictures of the pieces."""
    top = table_end(lines) + 13
    return Rect(MARGIN, top, paper.width - 2 * MARGIN, max(0.0, paper.height - FOOT - top))


def _step(lines: Sequence[PlanLine]) -> float:
    return 11.0 if len(lines) <= 10 else 7.0


def draw_plan(studio: Studio, paper: Paper, backs: Backs, lines: Sequence[PlanLine], sheets: int) -> tuple[Face, Face]:
    """Front and back of the plan's own sheet, in the size of the paper."""
    frame = Frame(paper.width, paper.height, 0.0)
    values = {
        "face": {"width": frame.width, "height": frame.height, "bleed": 0.0},
        "paper": {"name": paper.name.upper() if len(paper.name) < 3 else paper.name.capitalize()},
        "backs": backs,
        "margin": MARGIN,
        "table": {"top": TABLE_TOP, "step": _step(lines), "end": table_end(lines)},
        "lines": [
            {
                "titles": line.titles,
                "copies": line.copies,
                "sheets": line.sheets,
                "pages": line.pages,
                "paper": line.paper,
                "note": line.note,
            }
            for line in lines[:MOST_LINES]
        ],
        "more": max(0, len(lines) - MOST_LINES),
        "sheets": sheets,
    }
    origin = Origin("the print plan", Place(studio.game.file))
    return studio.face("shared/plan", frame, values, origin), studio.face("shared/howto", frame, values, origin)
