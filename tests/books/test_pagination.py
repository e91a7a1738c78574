"""Pages are planned: columns end level, headings stay with their text, nothing is lost, and no page more than is needed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pypdfium2
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pnp.books.pagination import CLEARANCE, SCALES, Element, Plan, Sheet, plan

ROOM = Sheet(200.0, 2)
TOP, BOTTOM = 18.0, 16.0


def paragraph(lines: int) -> Element:
    cuts = tuple((5.0 * number - 2, 5.0 * number) for number in range(2, lines - 1))
    return Element("paragraph", (5.0 * lines - 2,), 3.0, cuts=cuts)


parts = st.lists(
    st.one_of(
        st.integers(1, 20).map(paragraph),
        st.floats(10, 120).map(lambda height: Element("figure", tuple(height * scale for scale in SCALES), 4.0)),
        st.just(Element("heading", (6.0,), 3.0, level=2)),
    ),
    min_size=1,
    max_size=40,
).map(lambda made: [*made, paragraph(3)])


def columns(made: Plan, elements: list[Element]) -> list[list[int]]:
    """The blocks that begin in each column."""
    last = max(step.column for step in made.steps)
    return [[number for number, step in enumerate(made.steps) if step.column == column] for column in range(last + 1)]


def one_after_the_other(elements: list[Element]) -> int:
    """How many columns a typesetter needs that puts what does not fit into the next one, and parts nothing."""
    count, used = 1, 0.0
    for element in elements:
        if used + element.heights[0] > ROOM.height - 1:
            count, used = count + 1, 0.0
        used += element.heights[0] + element.gap
    return count


@settings(max_examples=90, deadline=None)
@given(parts)
@example([*[Element("heading", (6.0,), 3.0, level=2)] * 5, paragraph(3)])
def test_pages_are_planned(elements: list[Element]) -> None:
    """Every block is set once in its order, no column is overfull or ends with a heading, and there is not more than a page
    beyond what one needs who fills columns one after the other, headings at their feet or not."""
    made = plan(elements, ROOM)
    assert made is not None

    begun = [step.column for step in made.steps]
    assert begun == sorted(begun) and len(begun) == len(elements)
    assert [step.breaks for step in made.steps].count(True) <= max(begun)
    assert made.steps[-1].column // 2 + 1 <= -(-one_after_the_other(elements) // 2) + 1
    for numbers in columns(made, elements):
        whole = [number for number in numbers if number + 1 in numbers or number == len(elements) - 1]
        heights = [elements[number].height(SCALES.index(made.steps[number].scale)) for number in whole]
        assert sum(heights) <= ROOM.height
        assert not numbers or numbers[-1] == len(elements) - 1 or elements[numbers[-1]].kind != "heading"


def test_a_picture_that_does_not_fit_is_made_smaller_before_it_leaves_a_hole() -> None:
    figure = Element("figure", tuple(60 * scale for scale in SCALES), 4.0)
    made = plan([paragraph(28), figure, *[paragraph(10)] * 12], ROOM)

    assert made is not None and made.steps[1].column == 0 and made.steps[1].scale == SCALES[1]


def test_gaps_grow_so_that_columns_end_level() -> None:
    """Where a block just does not fit, those above stand a little farther apart."""
    made = plan([Element("table", (45.0,), 3.0)] * 8, ROOM)

    assert made is not None
    assert [step.column for step in made.steps] == [0, 0, 0, 0, 1, 1, 1, 1]
    made = plan([Element("table", (47.0,), 3.0)] * 20, ROOM)
    assert made is not None
    (gap,) = {step.gap for step in made.steps[1:4]}
    assert 4 * 47 + 3 * gap == pytest.approx(ROOM.height, abs=0.5)


def test_what_goes_over_both_columns_takes_room_from_both() -> None:
    wide = Element("figure", (80.0,), wide=True)
    made = plan([paragraph(10), wide, *[paragraph(10)] * 12], ROOM)

    assert made is not None
    assert [step.wides for step in made.steps if step.wides] == [(1,)]
    page = next(step.column for step in made.steps if step.wides) // 2
    here = [number for number, step in enumerate(made.steps) if step.column // 2 == page]
    assert sum(50.0 for _ in here) <= 2 * (ROOM.height - 80 - CLEARANCE) + 50


def ends(path: Path) -> list[list[float]]:
    """How far down the ink of each column goes, in mm from the top, on each page between the covers."""
    document = pypdfium2.PdfDocument(path)
    made = []
    for page in list(document)[1:-1]:
        picture = page.render(scale=72 / 25.4 / 2, grayscale=True).to_numpy()
        dot = page.get_height() / (72 / 25.4) / picture.shape[0]
        foot = round((picture.shape[0] * dot - BOTTOM + 2) / dot)
        middle = picture.shape[1] // 2
        halves = picture[:foot, :middle], picture[:foot, middle:]
        made.append([float((half < 200).any(axis=1).nonzero()[0].max() * dot) for half in halves])
    return made


def test_the_columns_of_a_shipped_book_end_level(build_prowl: Callable[..., Path]) -> None:
    """On paper: no page but the last has a column that is empty by more than a fifth."""
    for page in ends(build_prowl() / "a4" / "rulebook.pdf")[:-1]:
        assert min(page) > 297 - BOTTOM - (297 - TOP - BOTTOM) / 5, page
