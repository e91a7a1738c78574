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

# docs/how-it-works/print.md#registration-marks: inset at least 10 mm, arms of 5 to 20 mm, lines of 0.5 to 1 mm,
# 1.5 mm kept clear.
LEAST_INSET, ARM, LINE, CLEAR = 10.0, (5.0, 20.0), (0.5, 1.0), 1.5
# Lengths that differ by less than a micrometre are the same.
SAME = 1e-3


def printed(sheet: Paper) -> list[Polygon]:
    """The connected black areas that the marks make: from the top, then from the left."""
    made = unary_union([box(area.x, area.y, area.right, area.bottom) for area in map(line_box, registration_marks(sheet))])
    return sorted(made.geoms, key=lambda mark: (round(mark.bounds[1]), round(mark.bounds[0])))


@papers
def test_there_are_three_marks(sheet: Paper) -> None:
    """One at the top left, one at the top right, one at the bottom left; a fourth would be another type."""
    top_left, top_right, bottom_left = printed(sheet)
    assert top_left.bounds == pytest.approx((10, 10, 15, 15))
    assert top_right.bounds == pytest.approx((sheet.width - 15, 10, sheet.width - 10, 15))
    assert bottom_left.bounds == pytest.approx((10, sheet.height - 15, 15, sheet.height - 10))


@papers
def test_the_first_is_a_filled_square(sheet: Paper) -> None:
    """5 mm by 5 mm, black all over: the machine looks for it first."""
    square = printed(sheet)[0]
    assert square.symmetric_difference(box(10, 10, 15, 15)).area < SAME


@papers
def test_the_others_are_corners_that_open_inwards(sheet: Paper) -> None:
    """Two arms along the outer edges of each; what they enclose towards the middle of the sheet is white."""
    _, top_right, bottom_left = printed(sheet)
    right, bottom = sheet.width - 10, sheet.height - 10
    angle = unary_union([box(right - 5, 10, right, 11), box(right - 1, 10, right, 15)])
    assert top_right.symmetric_difference(angle).area < SAME
    angle = unary_union([box(10, bottom - 1, 15, bottom), box(10, bottom - 5, 11, bottom)])
    assert bottom_left.symmetric_difference(angle).area < SAME


@papers
def test_the_machine_accepts_the_measures(sheet: Paper) -> None:
    """Inset, arms and thickness lie in the ranges of Silhouette Studio."""
    for mark in printed(sheet):
        left, top, right, bottom = mark.bounds
        inset = min(left, top, sheet.width - right, sheet.height - bottom)
        assert inset >= LEAST_INSET - SAME
        assert ARM[0] - SAME <= right - left <= ARM[1]
        assert ARM[0] - SAME <= bottom - top <= ARM[1]
    # A corner that loses half its line's width on either side is gone.
    for mark in printed(sheet)[1:]:
        assert not mark.buffer(-LINE[0] / 2 + SAME, join_style="mitre").is_empty
        assert mark.buffer(-LINE[1] / 2 - SAME, join_style="mitre").is_empty


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
