"""How blocks share the room of a page: text in two columns, a table's columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pnp.books.walk import figures_of, runs_of
from pnp.values.blocks import Block, Blocks, BulletList, Heading, NumberedList

# A row of pictures takes as much room as so many letters, and a block's end.
PICTURE, LINE = 450, 25
# Room for a letter of a table in mm, generously; a cell's empty rims are as wide as so many letters.
LETTER, CELL_ROOM = 1.8, 2
# A column whose cells have no more letters takes the room that it needs.
SHORT = 18
# A long column has at least the room of so many letters.
LEAST_LONG = 14


def halves(blocks: Blocks) -> tuple[Blocks, Blocks]:
    """Blocks in two columns of about the same length; a list that is alone is parted between its items."""
    match blocks:
        case (BulletList(items=items) | NumberedList(items=items) as only,):
            cut = _middle([length(item) + LINE for item in items])
            later = replace(only, items=items[cut:])
            if isinstance(later, NumberedList):
                later = replace(later, start=later.start + cut)
            return (replace(only, items=items[:cut]),), (later,)
    cut = _middle([length([block]) + LINE for block in blocks])
    # A heading stays with what it is about.
    while 0 < cut < len(blocks) and isinstance(blocks[cut - 1], Heading):
        cut -= 1
    return blocks[:cut], blocks[cut:]


def _middle(lengths: Sequence[int]) -> int:
    """Where a row of lengths is parted most evenly."""
    whole = sum(lengths)
    return min(range(len(lengths) + 1), key=lambda cut: abs(2 * sum(lengths[:cut]) - whole))


def widths(most: Sequence[int], column: float) -> list[float | None]:
    """How the columns of a table share the room, by the letters of their longest cells.

    Narrow tables are as wide as they need; else short columns take what they need (None), long ones a share of the rest.
    """
    room = column / LETTER
    if sum(most) + CELL_ROOM * len(most) <= room:
        return [None] * len(most)
    shares = [round(max(4, min(length, 60)) ** 0.7, 2) for length in most]
    short = sum(length + CELL_ROOM for length in most if length <= SHORT)
    long = [length for length in most if length > SHORT]
    # The rest must be worth having; else all columns share.
    if short + LEAST_LONG * len(long) > room or not long:
        return list(shares)
    return [None if length <= SHORT else share for length, share in zip(most, shares, strict=True)]


def length(blocks: Iterable[Block]) -> int:
    """Letters in blocks, their pictures counted in."""
    blocks = tuple(blocks)
    rows = sum(-(-len(figure.pictures) // 4) for figure in figures_of(blocks))
    return PICTURE * rows + sum(len(run.text) for run in runs_of(blocks))
