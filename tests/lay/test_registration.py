"""Registration marks for Silhouette machines, type 1, by the numbers of docs/how-it-works/print.md#registration-marks."""

from __future__ import annotations

import pytest
from decks import PAPERS, faces, labels, lines
from nests import NETS, Setup, apart, folded_deck, inside, lay, line_box, piece_deck
from shapely.geometry import Polygon, box
from shapely.ops import unary_union

from pnp.lay.grid import areas, registration_marks
from pnp.shapes.affine import Rect
from pnp.values.game import Paper
from pnp.write.pdf import text_width

papers = pytest.mark.parametrize("sheet", PAPERS, ids=lambda sheet: sheet.name)

CLEAR = 1.5  # mm, docs/how-it-works/print.md#registration-marks
# Lengths that differ by less than a micrometre are the same.
SAME = 1e-3


def printed(sheet: Paper) -> list[Polygon]:
    """The connected black areas that the marks make: from the top, then from the left."""
    made = unary_union([box(area.x, area.y, area.right, area.bottom) for area in map(line_box, registration_marks(sheet))])
    return sorted(made.geoms, key=lambda mark: (round(mark.bounds[1]), round(mark.bounds[0])))


@papers
def test_rooms_for_pieces_are_clear_of_the_marks(sheet: Paper) -> None:
    """Each lies inside the marks' outer edges, and 1.5 mm from every mark; together they use both ways around a mark."""
    marks = [Rect(mark.bounds[0], mark.bounds[1], 5, 5) for mark in printed(sheet)]
    reached = Rect(10, 10, sheet.width - 20, sheet.height - 20)
    for area in areas(sheet, "none", True):
        assert inside(area.room, reached)
        assert all(apart(area.room, mark) >= CLEAR - SAME for mark in marks)
        assert area.fold is None
    rooms = [area.room for area in areas(sheet, "none", True)]
    assert max(room.width for room in rooms) == pytest.approx(reached.width)
    assert max(room.height for room in rooms) == pytest.approx(reached.height)


@papers
def test_nothing_else_is_printed_beside_a_mark(sheet: Paper) -> None:
    """No slug line, ruler, fold or hatching comes nearer than 1.5 mm to a mark; the back of the sheet has no marks."""
    decks = [
        folded_deck("d10", NETS["d10"], 12, backed=True),
        folded_deck("pawn", NETS["pawn"], 9, backed=True),
        piece_deck("tokens", [40], (25, 25), backed=True),
    ]
    marks = registration_marks(sheet)
    clear = unary_union([mark.buffer(CLEAR - SAME) for mark in printed(sheet)])
    pages = lay(decks, Setup(sheet, "long-edge", True)).pages
    for page in pages:
        assert [line for line in lines(page) if line in marks] == (marks if page.side == "front" else [])
        if page.side == "back":
            continue
        for line in lines(page):
            if line not in marks:
                half = line.width / 2
                x, y = min(line.x1, line.x2) - half, min(line.y1, line.y2) - half
                assert not clear.intersects(box(x, y, max(line.x1, line.x2) + half, max(line.y1, line.y2) + half))
        for label in labels(page):
            long, high = text_width(label.text, label.size_pt), label.size_pt * 25.4 / 72
            start = {"start": 0.0, "middle": long / 2, "end": long}[label.anchor]
            assert label.turn == 0
            assert not clear.intersects(box(label.x - start, label.y - high, label.x - start + long, label.y + high / 4))
        for placed in faces(page):
            ink = placed.matrix.bounds(placed.clip)
            assert not clear.intersects(box(ink.x, ink.y, ink.right, ink.bottom))
