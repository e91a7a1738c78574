"""A booklet's sheets, folded and stapled, read in order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pnp.lay.impose import booklet

counts = st.integers(1, 80)


@given(counts, st.floats(0.05, 0.3))
def test_inner_sheets_move_in_by_the_paper_around_them(pages: int, thickness: float) -> None:
    """The outermost sheet stays where it is, each one within moves by one leaf more."""
    creeps = [sheet.creep for sheet in booklet(pages, thickness)]

    assert creeps == pytest.approx([thickness * number for number in range(len(creeps))])
