"""What a machine follows on a sheet: every edge once, nothing cut loose before what lies inside it, every fold once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from conftest import examples
from decks import NETS, PAPERS, deck, folded_deck, papers, piece_deck
from hypothesis import example, given, settings
from hypothesis import strategies as st
from shapely import LineString, MultiLineString, Polygon, unary_union

from pnp.lay.impose import cut_sheets, sheets
from pnp.lay.reference_pages import shown_sheets
from pnp.lay.sheet import Sheet, Spot, runs
from pnp.shapes.nets.net import rectangle
from pnp.shapes.outline import Ring
from pnp.values.faces import Contour, CutSheet, Deck
from pnp.values.game import Backs, Paper

A4 = PAPERS[0]
# Machines and files know thousandths of a millimetre.
FINE = 0.002
# Lengths as people type them, in 64ths of an inch: their halves have more digits than any file.
inches = st.integers(26, 250).map(lambda number: number * 25.4 / 64)

# A standee and a screen are rectangles: they may share edges as cards do.
OUTLINED = [kind for kind, net in NETS.items() if len(net.outline) > 4]
HEX: Ring = ((10, 0), (20, 6), (20, 18), (10, 24), (0, 18), (0, 6))


def cut(decks: Sequence[Deck], paper: Paper, backs: Backs = "none", cutting: bool = False) -> list[tuple[Sheet, CutSheet]]:
    """The sheets with pieces of these decks, each with what is cut on it."""
    made = sheets(runs(decks), paper, backs, cutting)
    found = [(made[each.number - 1], each) for each in cut_sheets(made, paper, cutting)]
    return [(sheet, each) for sheet, each in found if isinstance(sheet, Sheet)]


def folded(kind: str, copies: int) -> Deck:
    return folded_deck(kind, NETS[kind], copies)


def cards(size: tuple[float, float], copies: int, bleed: float) -> Deck:
    return deck("cards", [copies], size, bleed, back="none")


def line(contour: Contour) -> LineString:
    return LineString([*contour.points, contour.points[0]] if contour.closed else contour.points)


def on_page(spot: Spot, ring: Ring) -> list[tuple[float, float]]:
    return [spot.front.point(*point) for point in ring]


def trim(spot: Spot) -> list[tuple[float, float]]:
    """The edge of a piece that is a rectangle, to a billionth of a mm, so that neighbours' edges are equal."""
    corners = on_page(spot, rectangle(0, 0, spot.piece.front.width, spot.piece.front.height))
    return [(round(x, 9), round(y, 9)) for x, y in [*corners, corners[0]]]


def one_way(lines: Sequence[LineString]) -> float:
    """How much longer lines are than what they draw: what the knife goes along twice."""
    return sum(each.length for each in lines) - unary_union([*lines]).length


@settings(max_examples=examples(60), deadline=None)
@given(inches, inches, st.integers(1, 60), papers, st.sampled_from(["none", "gutterfold"]))
# Half a thousandth of a millimetre: sums that should be equal come to both sides of it.
@example(27 * 25.4 / 64, 28.575, 40, A4, "none")
@example(31 * 25.4 / 64, 33.3333, 40, A4, "none")
def test_an_edge_that_two_pieces_share_is_cut_once(
    width: float, height: float, copies: int, paper: Paper, backs: Backs
) -> None:
    """Without bleed all lines together are as long as the union of all edges, and lie on it."""
    for sheet, made in cut([cards((width, height), copies, 0)], paper, backs):
        edges = unary_union([LineString(trim(spot)) for spot in sheet.spots])
        lines = [line(contour) for contour in made.cuts]
        assert sum(each.length for each in lines) == pytest.approx(edges.length, abs=FINE * 2 * len(lines))
        assert MultiLineString(lines).hausdorff_distance(edges) <= FINE
        assert one_way(lines) <= FINE


@settings(max_examples=examples(40), deadline=None)
@given(st.floats(20, 120), st.floats(20, 120), st.integers(1, 30), papers)
def test_with_bleed_every_piece_has_its_own_contour(width: float, height: float, copies: int, paper: Paper) -> None:
    """The sheets share no edge between their bleeds: each contour is closed and is the trim of one piece."""
    for sheet, made in cut([cards((width, height), copies, 3)], paper):
        if sheet.grid.shared_cuts:
            continue
        assert all(contour.closed for contour in made.cuts)
        assert len(made.cuts) == len(sheet.spots)
        for spot, contour in zip(sheet.spots, made.cuts, strict=True):
            assert Polygon(contour.points).symmetric_difference(Polygon(trim(spot))).area < 1e-6


@pytest.mark.parametrize("cutting", [False, True])
@pytest.mark.parametrize("kind", [*OUTLINED, "token"])
def test_an_outline_is_one_closed_contour(kind: str, cutting: bool) -> None:
    """A piece that is no rectangle is cut along its own outline, where it lies, however it is turned, once."""
    made_of = folded(kind, 3) if kind in NETS else piece_deck("token", [30], (20, 24), HEX, 3)
    for sheet, made in cut([made_of], A4, cutting=cutting):
        rings = [Polygon(contour.points) for contour in made.cuts]
        holes = sum(len(spot.piece.front.net.holes) for spot in sheet.spots if spot.piece.front.net)
        assert all(contour.closed for contour in made.cuts)
        assert all(ring.is_valid for ring in rings)
        assert len(rings) == len(sheet.spots) + holes
        for spot in sheet.spots:
            own = Polygon(on_page(spot, spot.piece.front.outline or ()))
            assert sum(own.symmetric_difference(ring).area < 1e-6 for ring in rings) == 1
        assert one_way([line(contour) for contour in made.cuts]) < FINE


def test_what_lies_inside_is_cut_first() -> None:
    """A ship's slots are cut before its outline sets it free; on a sheet with other pieces, too."""
    decks = [
        folded("ship", 2),
        folded("d6", 4),
        piece_deck("token", [12], (20, 24), HEX, 3),
    ]
    inside = 0
    for _, made in cut(decks, A4):
        areas = [Polygon(contour.points) for contour in made.cuts]
        for number, earlier in enumerate(areas):
            assert not any(earlier.contains(later) for later in areas[number + 1 :])
            inside += sum(later.contains(earlier) for later in areas[number + 1 :])
    # Two ships with three slots each.
    assert inside == 6


@pytest.mark.parametrize("kind", NETS)
def test_each_fold_is_scored_once(kind: str) -> None:
    """As many open lines as the pieces have creases, along them, no part of any twice, all inside the outline."""
    for sheet, made in cut([folded(kind, 4)], A4):
        creases = [
            LineString([spot.front.point(*crease.start), spot.front.point(*crease.end)])
            for spot in sheet.spots
            for crease in NETS[kind].creases
        ]
        scores = [line(contour) for contour in made.scores]
        assert not any(contour.closed for contour in made.scores)
        assert len(scores) == len(creases) > 0
        assert MultiLineString(scores).hausdorff_distance(MultiLineString(creases)) < 1e-6
        assert one_way(scores) < FINE
        pieces = unary_union([Polygon(on_page(spot, NETS[kind].outline)) for spot in sheet.spots])
        assert pieces.buffer(FINE).contains(MultiLineString(scores))
        # A fold runs through the paper: it never lies along a cut.
        along = unary_union([line(contour) for contour in made.cuts]).intersection(MultiLineString(scores).buffer(FINE))
        assert along.length < 0.5 * len(scores)


@pytest.mark.parametrize("kind", sorted(NETS))
def test_a_perforated_fold_holds_at_its_ends(kind: str) -> None:
    """Dashes lie on the folds, each apart from the next and from the fold's ends; half of a fold is cut, and none scored."""
    made = sheets(runs([folded(kind, 1)]), A4, "none")
    (plain,), (cut,) = cut_sheets(made, A4, False), cut_sheets(made, A4, False, perforate=True)
    assert plain.dashes == () == cut.scores
    assert (plain.cuts, plain.marks) == (cut.cuts, cut.marks)
    dashes = [LineString(dash.points) for dash in cut.dashes]
    for fold in (LineString(score.points) for score in plain.scores):
        own = [dash for dash in dashes if fold.buffer(FINE).contains(dash)]
        assert sum(dash.length for dash in own) == pytest.approx(fold.length / 2)
        assert all(1 <= dash.length <= 2.25 or len(own) == 1 for dash in own)
        ends = [fold.interpolate(at, normalized=True) for at in (0, 1)]
        assert min(dash.distance(end) for dash in own for end in ends) > 0.3
        assert all(one.distance(two) > 0.6 for one in own for two in own if one is not two)


def test_sheets_keep_the_numbers_of_the_print_file() -> None:
    """Pages that nobody cuts, of boards or of how to fold, are counted, and have no cut sheet."""
    board = deck("board", [1], (300, 400), 0, back="none")
    decks = [
        replace(board, component=replace(board.component, kind="board")),
        folded("pawn", 2),
        cards((63, 88), 12, 3),
    ]
    made = [*sheets(runs(decks), A4, "none"), *shown_sheets([decks[1]], decks, (), (), A4)]
    numbers = [each.number for each in cut_sheets(made, A4, False)]

    assert numbers == [number for number, sheet in enumerate(made, 1) if isinstance(sheet, Sheet)]
    assert numbers[0] > 1 and numbers[-1] < len(made)


def test_what_does_not_fit_between_the_marks_is_cut_by_hand() -> None:
    """A sheet without room for registration marks has no file for the machine that needs them, but one for others."""
    large = cards((195, 280), 1, 0)

    assert cut([large], A4, cutting=True) == []
    assert len(cut([large], A4)) == 1
