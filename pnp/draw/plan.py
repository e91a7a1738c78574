"""The first two pages of a print file: what to print on which paper, and how to cut it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pnp.draw.cards import Origin, Studio
from pnp.draw.cut import Frame
from pnp.shapes.affine import Rect
from pnp.values.faces import Face
from pnp.values.game import Backs, Paper
from pnp.values.problems import Place

MARGIN = 18.0
TABLE_TOP = 83.0
# What stands below the pictures: the bars to measure.
FOOT = 52.0
# Room below the table for its sum.
SUM = 13.0
# So many letters of a name go in a line of the table, so high.
LETTERS, LINE = 30, 4.2


@dataclass(frozen=True, slots=True)
class PlanLine:
    """A row of the print plan: decks that share sheets, and where they are in the file."""

    titles: str
    copies: str
    sheets: int
    pages: str
    paper: str
    note: str


def table_end(lines: Sequence[PlanLine], paper: Paper) -> float:
    """Where the plan's table ends, in mm from the top."""
    return TABLE_TOP + sum(_heights(lines, paper))


def picture_room(paper: Paper, lines: Sequence[PlanLine]) -> Rect:
    """The free room between the table's sum line and the foot, for pictures of the pieces."""
    top = table_end(lines, paper) + SUM
    return Rect(MARGIN, top, paper.width - 2 * MARGIN, max(0.0, paper.height - FOOT - top))


def _heights(lines: Sequence[PlanLine], paper: Paper) -> list[float]:
    """Height of each row that the page has room for: low rows when there are many, higher ones for many names."""
    least = 11.0 if len(lines) <= 10 else 7.0
    heights = [max(least, LINE * _rows(line, least) + 1.5) for line in lines]
    room = paper.height - FOOT - SUM - TABLE_TOP
    while sum(heights) > room:
        heights.pop()
    return heights


def _rows(line: PlanLine, least: float) -> int:
    """How many lines of text a row of the table needs; low rows do without the note."""
    return max(math.ceil(len(line.titles) / LETTERS), _words(line, line.note if least > 7.5 else ""))


def _words(line: PlanLine, note: str) -> int:
    """How many lines of text its paper and a note take."""
    return math.ceil(len(line.paper) / LETTERS) + math.ceil(len(note) / LETTERS)


def draw_plan(
    studio: Studio, paper: Paper, backs: Backs, lines: Sequence[PlanLine], sheets: int, taken: str
) -> tuple[Face, Face]:
    """Front and back of the plan's own sheet, in the size of the paper; ``taken``: what printing takes, in words."""
    frame = Frame(paper.width, paper.height, 0.0)
    heights = _heights(lines, paper)
    values = {
        "face": {"width": frame.width, "height": frame.height, "bleed": 0.0},
        "paper": {"name": paper.name.upper() if len(paper.name) < 3 else paper.name.capitalize()},
        "backs": backs,
        "margin": MARGIN,
        "table": {"top": TABLE_TOP, "end": table_end(lines, paper)},
        "lines": [
            {
                "titles": line.titles,
                "copies": line.copies,
                "sheets": line.sheets,
                "pages": line.pages,
                "paper": line.paper,
                "note": line.note if LINE * _words(line, line.note) + 1.5 <= height else "",
                "y": TABLE_TOP + sum(heights[:index]),
                "height": height,
            }
            for index, (line, height) in enumerate(zip(lines, heights, strict=False))
        ],
        "more": len(lines) - len(heights),
        "sheets": sheets,
        "taken": taken,
        "folded": any(net.creases for component in studio.game.components for net in component.nets),
    }
    origin = Origin("the print plan", Place(studio.game.file))
    return studio.face("shared/plan", frame, values, origin), studio.face("shared/howto", frame, values, origin)
