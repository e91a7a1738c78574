"""Saddle stitch: pages two-up on folded sheets, so that the stapled stack reads in order.

Formulas from docs/how-it-works/print.md#booklets: N pages, a multiple of four; of sheet i (0 outermost)
the front carries N - 2i on the left and 2i + 1 on the right, the back 2i + 2 on the left and N - 2i - 1 on the right.
Sheets lie across and are turned over about their short edge.
"""

from __future__ import annotations

from dataclasses import dataclass

from pnp.shapes.affine import translation
from pnp.values.faces import ImposedPage, ImposedSide
from pnp.values.game import Paper

# Marks of the fold: so far from the edge of the paper, and so long, in mm.
TICK_AT, TICK = 2.0, 4.0


@dataclass(frozen=True, slots=True)
class Spread:
    """A side of a sheet: the pages (1-based) on its left and right half; None stays blank."""

    left: int | None
    right: int | None


@dataclass(frozen=True, slots=True)
class BookletSheet:
    """A sheet of the booklet, printed on both sides. ``creep``: how far its pages move towards the fold, in mm."""

    front: Spread
    back: Spread
    creep: float


def booklet(pages: int, thickness: float = 0.0) -> list[BookletSheet]:
    """The sheets, outermost first. Blanks stand before the last page, which stays the back cover.

    ``thickness`` of a leaf in mm: inner sheets are pushed out by those around them, so their pages move in by as much.
    Raises ValueError for a book without pages.
    """
    if pages < 1:
        raise ValueError("a booklet has at least one page")
    total = -(-pages // 4) * 4

    def page(number: int) -> int | None:
        if number == total and pages > 1:
            return pages
        return number if number < pages or number == pages == 1 else None

    return [
        BookletSheet(
            Spread(page(total - 2 * sheet), page(2 * sheet + 1)),
            Spread(page(2 * sheet + 2), page(total - 2 * sheet - 1)),
            sheet * thickness,
        )
        for sheet in range(total // 4)
    ]


def booklet_sides(pages: int, paper: Paper, thickness: float = 0.0) -> list[ImposedSide]:
    """The printed sides of a booklet on a paper: front and back of each sheet, outermost first."""
    sides = []
    for sheet in booklet(pages, thickness):
        sides += [_side(spread, paper, sheet.creep) for spread in (sheet.front, sheet.back)]
    return sides


def card_sides(pages: int, paper: Paper) -> list[ImposedSide]:
    """The printed sides of reference cards: each page twice on a side, so that a cut gives two cards."""
    return [_side(Spread(number, number), paper, 0.0) for number in range(1, pages + 1)]


def _side(spread: Spread, paper: Paper, creep: float) -> ImposedSide:
    width, height = paper.height, paper.width
    places = ((spread.left, creep), (spread.right, width / 2 - creep))
    placed = tuple(ImposedPage(page, translation(x, 0)) for page, x in places if page is not None)
    middle = width / 2
    ends = ((TICK_AT, TICK_AT + TICK), (height - TICK_AT - TICK, height - TICK_AT))
    return ImposedSide(width, height, placed, tuple((middle, top, middle, bottom) for top, bottom in ends))
