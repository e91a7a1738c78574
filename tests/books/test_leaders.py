"""Lines of an anatomy lead from a number to its text, across no other text, and never across each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString, box

from pnp.books.typeset import APART, Dot, dots
from pnp.shapes.affine import Rect
from pnp.values.books import Note, Shot

WIDE, HIGH = 63.0, 88.0


def shot(*boxes: Rect) -> Shot:
    """A card with these texts, called 0, 1, 2 …"""
    return Shot(b"", "png", WIDE, HIGH, boxes={str(number): each for number, each in enumerate(boxes)})


def lines(made: Sequence[Dot]) -> list[LineString]:
    """What is drawn on the piece, in mm."""
    return [LineString([(dot.x * WIDE, dot.y * HIGH), (dot.tx * WIDE, dot.ty * HIGH)]) for dot in made]


def noted(card: Shot, *names: str) -> list[Dot]:
    return dots([Note(name, ()) for name in names], card)


def crossed(card: Shot, names: Sequence[str], made: Sequence[Dot]) -> list[tuple[str, str]]:
    """Which number's line runs through which text, by 0.1 mm at least."""
    areas = {name: box(each.x, each.y, each.right, each.bottom) for name, each in card.boxes.items()}
    return [
        (name, other)
        for name, line in zip(names, lines(made), strict=True)
        for other, area in areas.items()
        if line.intersection(area).length > 0.1
    ]


def test_what_nothing_is_in_the_way_of_is_straight() -> None:
    """From the nearer edge to the middle of the text's height."""
    card = shot(Rect(5, 10, 20, 6), Rect(30, 40, 28, 10))
    one, two = noted(card, "0", "1")

    assert (one.side, one.y) == (-1, one.ty)
    assert (one.tx, one.ty) == (pytest.approx(5 / WIDE, abs=1e-3), pytest.approx(13 / HIGH, abs=1e-3))
    assert (two.side, two.y) == (1, pytest.approx(45 / HIGH, abs=1e-3))


# As texts lie on cards: lines of 4 mm and more, with some room between them.
ROWS = st.lists(st.tuples(st.floats(4, 11), st.lists(st.floats(8, 16), min_size=1, max_size=3)), min_size=1, max_size=5)


@settings(max_examples=examples(60), deadline=None)
@given(ROWS)
def test_lines_keep_clear(rows: list[tuple[float, list[float]]]) -> None:
    """Texts in rows, up to three beside each other, with room between them: every one is reached, and nothing is crossed."""
    boxes, y = [], 6.0
    for height, widths in rows:
        x = (WIDE - sum(widths) - 4 * (len(widths) - 1)) / 2
        for width in widths:
            boxes.append(Rect(x, y, width, height))
            x += width + 4
        y += height + 4
    card = shot(*boxes)
    names = [*card.boxes]
    made = noted(card, *names)
    drawn = lines(made)

    assert crossed(card, names, made) == []
    for number, one in enumerate(drawn):
        assert not any(one.crosses(other) for other in drawn[number + 1 :])
    for side in (-1.0, 1.0):
        heights = sorted(dot.y for dot in made if dot.side == side)
        assert all(later - earlier > APART - 1e-3 for earlier, later in pairwise(heights))
