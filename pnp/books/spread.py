"""Several pieces on one field of a scene, laid apart so that all are seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from pnp.values.scenes import Laid, Mark, Thing

Cell = tuple[int, int]
# More pieces than this stand in two rows; a row takes so much of a field, and the two lie so far apart.
A_ROW, ACROSS, APART = 3, 1.0, 0.38
# Of two pieces at least so much of a field is seen of the one below.
LEAST = 0.16
# A mark on a field where something stands goes into the field's corner.
CORNER = 0.33


def spread(things: Sequence[Thing], standing: Sequence[tuple[int, Cell, float]], field: float) -> list[Thing]:
    """The things, those of ``standing`` (which thing, its cell, its width in mm; 0 of a mark) in places of their own."""
    made = list(things)
    for _, group in groupby(sorted(standing, key=lambda each: each[1]), key=lambda each: each[1]):
        shared = list(group)
        pieces = [(index, width) for index, _, width in shared if width]
        for order, (index, width) in enumerate(pieces):
            thing = made[index]
            assert isinstance(thing, Laid), "only pieces have a width"
            dx, dy = _offset(order, len(pieces), width, field)
            made[index] = replace(thing, at=(thing.at[0] + dx, thing.at[1] + dy))
        for index, _, _ in shared:
            mark = made[index]
            if pieces and isinstance(mark, Mark):
                made[index] = replace(mark, at=(mark.at[0] + CORNER * field, mark.at[1] - CORNER * field))
    return made


def _offset(order: int, count: int, width: float, field: float) -> tuple[float, float]:
    """From the field's middle, in mm."""
    rows = 1 if count <= A_ROW else 2
    across = -(-count // rows)
    row, number = divmod(order, across)
    here = min(across, count - row * across)
    step = min(width * 0.95, max(LEAST * field, (ACROSS * field - width) / max(1, here - 1)))
    return (number - (here - 1) / 2) * step, (row - (rows - 1) / 2) * APART * field
