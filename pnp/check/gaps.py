"""Which row a table lacks, where the others show it: a number left out, a pair that no row has, a value that is short."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, islice, pairwise, product

from pnp.values.problems import listed
from pnp.values.tables import Row

# Fewer rows show nothing.
FEWEST = 4
# So many columns are looked at, pair by pair, and so many rows.
_MOST_COLUMNS, _MOST_ROWS = 12, 2_000
_MOST_TOLD = 3


def lacking(rows: Sequence[Row], many: int) -> str:
    """What the rows that are not there would say, as sentences, where ``many`` of them or one fill a gap; else nothing."""
    if not FEWEST <= len(rows) <= _MOST_ROWS:
        return ""
    columns = list(dict.fromkeys(column for row in rows for column in row.cells))
    said = {column: [row.seen(column) for row in rows] for column in columns}
    said = dict(islice(((column, texts) for column, texts in said.items() if all(texts)), _MOST_COLUMNS))
    for find in (_left_out, _without_pair, _short):
        if told := list(find(rows, said, {1, many})):
            return " ".join(told[:_MOST_TOLD])
    return ""


def _left_out(rows: Sequence[Row], said: dict[str, list[str]], many: set[int]) -> Iterator[str]:
    """Numbers that go up by one from row to row, but for a gap."""
    for column, texts in said.items():
        if not all(text.isdecimal() and len(text) < 6 for text in texts):
            continue
        numbers = [int(text) for text in texts]
        wide = [(at, one, other) for at, (one, other) in enumerate(pairwise(numbers)) if other != one + 1]
        if all(one < other for _, one, other in wide) and sum(other - one - 1 for _, one, other in wide) in many:
            for at, one, other in wide:
                gap = listed(map(str, range(one + 1, other)))
                above, below = rows[at].place.row, rows[at + 1].place.row
                yield f"{column} {gap} is missing between rows {above} and {below}."


def _without_pair(_: Sequence[Row], said: dict[str, list[str]], many: set[int]) -> Iterator[str]:
    """Two columns of which each value of one stands with each of the other once, but for a pair."""
    for (one, ones), (other, others) in combinations(said.items(), 2):
        sizes = len(set(ones)), len(set(others))
        if min(sizes) < 2 or not 0 <= sizes[0] * sizes[1] - len(ones) <= max(many):
            continue
        met = Counter(zip(ones, others, strict=True))
        left = [pair for pair in product(dict.fromkeys(ones), dict.fromkeys(others)) if pair not in met]
        if max(met.values()) == 1 and len(left) in many:
            yield from (f"No row has {one} {first} with {other} {second}." for first, second in left)
            return  # What further columns say of the same rows is nothing new.


def _short(_: Sequence[Row], said: dict[str, list[str]], many: set[int]) -> Iterator[str]:
    """A value that stands in fewer rows than each of the others does."""
    for column, texts in said.items():
        counted = Counter(texts)
        usual, least = max(counted.values()), min(counted.values())
        few = [text for text, times in counted.items() if times != usual]
        if len(counted) > 2 and len(few) == 1 and usual - least in many and usual > 2:
            yield f"{column} {few[0]} has {least} rows, and every other {column} has {usual}."
