"""Marks that tell how a piece is cut, folded and glued: dashes, hatching, numbers, ticks and cut lines."""

from __future__ import annotations

import pytest
from conftest import examples
from decks import (
    NETS,
    Laid,
    Setup,
    faces,
    folded_deck,
    inside,
    lay,
    lines,
    nest_decks,
    outline,
    setups,
    shape,
    strokes,
)
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString, Point, Polygon

from pnp.lay.grid import TooLarge
from pnp.lay.marks import NUMBER_SIZE, corner_ticks, fold_marks
from pnp.lay.marks import mirrored as mirrored_marks
from pnp.shapes.affine import Affine, Rect, rotation, translation
from pnp.shapes.nets.net import Net
from pnp.values.faces import Deck, Label, Line, PlacedFace
from pnp.values.languages import ENGLISH

Point2 = tuple[float, float]
nets = pytest.mark.parametrize("net", list(NETS.values()), ids=list(NETS))
shifts = st.floats(0, 300)
# How a piece may lie on a sheet.
lying = st.builds(lambda turn, x, y: translation(x, y) @ rotation(turn), st.sampled_from([0, 90, 180, 270]), shifts, shifts)


def placed(net: Net, matrix: Affine) -> PlacedFace:
    """A folded piece on a page."""
    face = folded_deck("piece", net).pieces[0].front
    return PlacedFace(face, "piece/p0", "front", matrix, Rect(0, 0, face.width, face.height))


def folds(net: Net, matrix: Affine) -> list[Line]:
    return [mark for mark in fold_marks(placed(net, matrix), ENGLISH) if isinstance(mark, Line) and mark.dashes]


def hatches(net: Net, matrix: Affine) -> list[Line]:
    return [mark for mark in fold_marks(placed(net, matrix), ENGLISH) if isinstance(mark, Line) and not mark.dashes]


def numbers(net: Net, matrix: Affine) -> list[Label]:
    return [mark for mark in fold_marks(placed(net, matrix), ENGLISH) if isinstance(mark, Label)]


def laid(decks: list[Deck], setup: Setup) -> Laid:
    try:
        return lay(decks, setup.paper, setup.backs, setup.cutting)
    except TooLarge:
        assume(False)
        raise


def ends(line: Line) -> tuple[Point2, Point2]:
    return (line.x1, line.y1), (line.x2, line.y2)


def as_line(line: Line) -> LineString:
    return LineString(ends(line))


@nets
@settings(max_examples=6, deadline=None)
@given(lying)
def test_every_fold_is_dashed(net: Net, matrix: Affine) -> None:
    """One dashed line runs along each crease from end to end, and nowhere else."""
    wanted = [LineString([matrix.point(*crease.start), matrix.point(*crease.end)]) for crease in net.creases]
    found = [as_line(line) for line in folds(net, matrix)]
    assert len(found) == len(wanted)
    for crease in wanted:
        assert any(crease.hausdorff_distance(line) < 1e-6 for line in found)


@nets
def test_valleys_and_mountains_are_told_apart(net: Net) -> None:
    """What folds towards the reader has plain dashes, what folds away dashes and dots."""
    dashes = {line.dashes for crease, line in zip(net.creases, folds(net, Affine()), strict=True) if crease.angle < 0}
    dotted = {line.dashes for crease, line in zip(net.creases, folds(net, Affine()), strict=True) if crease.angle > 0}
    assert dashes.isdisjoint(dotted)
    for dash, gap in dashes:
        assert dash > gap > 0.5
    for dash, gap, dot, other in dotted:
        assert dash > 3 * dot
        assert gap == other > dot


@nets
@settings(max_examples=6, deadline=None)
@given(lying)
def test_tabs_are_hatched_and_nothing_else(net: Net, matrix: Affine) -> None:
    """Every hatching line lies in one tab, and every tab has some."""
    tabs = [shape(matrix, tab.ring) for tab in net.tabs]
    hatched = set()
    for line in hatches(net, matrix):
        inside_of = [number for number, tab in enumerate(tabs) if tab.buffer(1e-6).covers(as_line(line))]
        assert len(inside_of) == 1
        hatched.update(inside_of)
    assert hatched == set(range(len(tabs)))


@nets
@settings(max_examples=6, deadline=None)
@given(lying)
def test_tabs_are_numbered_in_the_order_of_gluing(net: Net, matrix: Affine) -> None:
    """1, 2, 3 … each in the middle of its tab, readable from below; a single tab says glue."""
    found = numbers(net, matrix)
    texts = [label.text for label in found]
    assert texts == (["glue"] if len(net.tabs) == 1 else [str(number) for number in range(1, len(net.tabs) + 1)])
    for label, tab in zip(found, net.tabs, strict=True):
        middle = label.y - 0.25 * NUMBER_SIZE * 0.35
        assert shape(matrix, tab.ring).contains(Point(label.x, middle))
        assert label.anchor == "middle"
        assert label.turn == 0


@settings(max_examples=examples(25), deadline=None)
@given(nest_decks(), setups.filter(lambda setup: not setup.cutting))
def test_ticks_touch_no_piece(decks: list[Deck], setup: Setup) -> None:
    """Nor do their white halos; each tick keeps to the room of its piece, and is long enough to be seen."""
    for sheet, _, _ in laid(decks, setup).leaves:
        if not sheet.nested:
            continue
        pieces = [shape(spot.front, outline(spot.piece.front)) for spot in sheet.spots]
        rooms = [spot.inked for spot in sheet.spots]
        for tick in corner_ticks(sheet.spots):
            line = as_line(tick)
            assert line.length >= 0.55
            assert all(piece.distance(line) >= 0.4 - 1e-6 for piece in pieces)
            x, y = min(tick.x1, tick.x2), min(tick.y1, tick.y2)
            box = Rect(x, y, abs(tick.x2 - tick.x1), abs(tick.y2 - tick.y1))
            assert sum(inside(box, room) for room in rooms) == 1


@settings(max_examples=examples(25), deadline=None)
@given(nest_decks(), setups)
def test_outlines_are_cut_along_lines(decks: list[Deck], setup: Setup) -> None:
    """Each outlined piece has one closed line along its outline, on a folded sheet its back has one too.

    For a machine there is none.
    """
    for sheet, front, _ in laid(decks, setup).leaves:
        shown = [each for each in faces(front) if each.face.outline is not None]
        found = [Polygon(stroke.points) for stroke in strokes(front)]
        assert all(stroke.closed for stroke in strokes(front))
        if setup.cutting:
            assert found == []
            continue
        assert len(found) == len(shown)
        for each in shown:
            wanted = shape(each.matrix, outline(each.face))
            assert sum(wanted.symmetric_difference(line).area < 1e-6 for line in found) == 1
        if sheet.nested:
            assert set(corner_ticks(sheet.spots)) <= set(lines(front))


def test_behind_a_fold_marks_are_mirrored_and_stay_what_they_are() -> None:
    """A mountain seen from behind is drawn with the same dashes at the mirrored place; words are not mirrored."""
    marks = fold_marks(placed(NETS["d6"], Affine()), ENGLISH)
    turn = Affine(a=-1.0, e=100.0)
    behind = mirrored_marks(marks, turn)
    assert not any(isinstance(mark, Label) for mark in behind)
    kept = [mark for mark in marks if isinstance(mark, Line)]
    for before, after in zip(kept, behind, strict=True):
        assert isinstance(after, Line)
        assert ends(after) == tuple((100 - x, y) for x, y in ends(before))
        assert (after.dashes, after.width) == (before.dashes, before.width)
