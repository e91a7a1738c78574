"""A booklet's sheets, folded and stapled, read in order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pnp.lay.impose import BookletSheet, booklet

counts = st.integers(1, 80)


def read(sheets: list[BookletSheet]) -> list[int | None]:
    """The pages as one turns them: every sheet folded in the middle, each within the one before, opened at the front."""
    first = [page for sheet in sheets for page in (sheet.front.right, sheet.back.left)]
    last = [page for sheet in reversed(sheets) for page in (sheet.back.right, sheet.front.left)]
    return [*first, *last]


@given(counts)
def test_a_folded_booklet_reads_in_order(pages: int) -> None:
    """Every page is there once, in order; blanks only before the back cover."""
    turned = read(booklet(pages))

    assert [page for page in turned if page is not None] == list(range(1, pages + 1))
    assert len(turned) % 4 == 0 and len(turned) - pages < 4
    if pages > 1:
        assert turned[-1] == pages


@given(counts)
def test_a_booklet_that_is_read_from_the_right(pages: int) -> None:
    """Has the halves of each side exchanged: its spine is at the right."""

    def halves(sheets: list[BookletSheet]) -> list[tuple[int | None, int | None]]:
        return [(side.left, side.right) for sheet in sheets for side in (sheet.front, sheet.back)]

    assert halves(booklet(pages, leftwards=True)) == [side[::-1] for side in halves(booklet(pages))]


@given(counts, st.floats(0.05, 0.3))
def test_inner_sheets_move_in_by_the_paper_around_them(pages: int, thickness: float) -> None:
    """The outermost sheet stays where it is, each one within moves by one leaf more."""
    creeps = [sheet.creep for sheet in booklet(pages, thickness)]

    assert creeps == pytest.approx([thickness * number for number in range(len(creeps))])
