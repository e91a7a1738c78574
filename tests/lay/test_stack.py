"""Pictures of parts that a pin holds on one another: with their holes, in their order, and the pin on top."""

from __future__ import annotations

from dataclasses import replace

import pytest
from conftest import examples
from decks import NETS, folded_deck
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Point, Polygon

from pnp.lay.picture import PLAN, Picture, made_picture, with_holes
from pnp.lay.reference_pages import shown_sheets
from pnp.read.presets import paper
from pnp.shapes.nets.stands import Window, dial
from pnp.shapes.outline import Ring, ellipse
from pnp.values.faces import Deck, PlacedFace, Stroke
from pnp.values.languages import ENGLISH

SIZE = 60.0


def dial_deck(name: str = "dial") -> Deck:
    """A dial of two discs."""
    lower, upper = dial(SIZE, 12, Window(14, 26, 0, 26), 4)
    first, second = (folded_deck(name, net, kind="dial") for net in (lower, upper))
    (piece,), (other,) = first.pieces, second.pieces
    other = replace(other, front=replace(other.front, key="upper"), part=2)
    return replace(first, pieces=(piece, other))


def faces(picture: Picture) -> list[PlacedFace]:
    return [item for item in picture.items if isinstance(item, PlacedFace)]


def shown(face: PlacedFace) -> Polygon:
    """What is seen of a face in the picture."""
    return Polygon([face.matrix.point(*point) for point in face.shape or ()]).buffer(0)


def moved(ring: Ring, x: float, y: float) -> Ring:
    return tuple((px + x, py + y) for px, py in ring)


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), unique=True, max_size=6), st.booleans())
def test_one_ring_goes_around_what_the_holes_leave(places: list[tuple[int, int]], turned: bool) -> None:
    """By the nonzero rule it covers the shape without its holes, whichever way these run."""
    outer = moved(ellipse(100, 100), -50, -50)
    holes = [moved(ellipse(6, 6), 9 * x - 3, 9 * y - 3) for x, y in places]
    ring = with_holes(outer, [hole[::-1] if turned else hole for hole in holes])
    ends = zip(ring, [*ring[1:], ring[0]], strict=True)
    area = abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in ends)) / 2

    assert area == pytest.approx(Polygon(outer, holes).area)
    assert {point for part in (outer, *holes) for point in part} == set(ring)


@pytest.mark.parametrize("step", range(4))
def test_each_step_shows_its_discs_in_their_order(step: int) -> None:
    """Disc, disc, both apart, both together; nothing in a picture is a piece to count, or reaches beyond it."""
    deck = dial_deck()
    net = deck.pieces[0].front.net
    assert net is not None
    picture = made_picture(deck, deck.pieces[0], net.steps[step])

    assert [face.face.key for face in faces(picture)] == [
        ("dial-front", "upper")[part - 1] for part in net.steps[step].parts
    ]
    assert {face.name for face in faces(picture)} == {PLAN}
    for item in picture.items:
        points = item.points if isinstance(item, Stroke) else [*shown(item).exterior.coords]
        assert all(-0.01 <= x <= picture.width + 0.01 and -0.01 <= y <= picture.height + 0.01 for x, y in points)


def test_the_pin_is_on_top_and_in_the_middle() -> None:
    """Its grey head is drawn last, hides the hole and leaves the window free; apart a line leads through both holes."""
    deck = dial_deck()
    together = made_picture(deck, deck.pieces[0]).items
    net = deck.pieces[0].front.net
    assert net is not None
    apart = made_picture(deck, deck.pieces[0], net.steps[2]).items
    head = together[-1]

    assert isinstance(head, Stroke) and isinstance(head.fill, float)
    assert Polygon(head.points).centroid.distance(Point(SIZE / 2, SIZE / 2)) < 0.01
    assert Polygon(head.points).contains(Polygon(net.holes[0]))
    lines = [item for item in apart if isinstance(item, Stroke) and not item.closed]
    assert len(lines) == 2 and len({round(x, 6) for line in lines for x, _ in line.points}) == 1
    assert lines[0].points[1] == pytest.approx(lines[1].points[0])


def test_a_page_tells_what_is_done_with_its_pieces() -> None:
    """Dials alone are put together; among what is folded the page says so."""
    (alone,), (mixed,) = (
        shown_sheets(decks, decks, (), (), paper("a4"))
        for decks in ([dial_deck()], [dial_deck(), folded_deck("pawn", NETS["pawn"])])
    )

    assert alone.note(ENGLISH) == "how to put together"
    assert mixed.note(ENGLISH) == "how to fold and glue"
