"""Two rows count as the same when nothing that a template could see of them is other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from pnp.draw.contents import MOST_REACHED, Contents
from pnp.shapes.affine import Rect
from pnp.values.cells import Flag, Number
from pnp.values.problems import Place
from pnp.values.tables import Cell, Row, Table, Value


def row(key: str, copies: int = 1, line: int = 2, /, **values: Value) -> Row:
    """A row of a table."""
    place = Place("cards.csv", line)
    cells = {column: Cell(value, str(value), place) for column, value in values.items()}
    return Row(key, copies, place, cells, set())


def table(*rows: Row) -> Table:
    """A table of these rows."""
    return Table("cards", "cards.csv", (), rows, set())


def seen(made: Row, *others: Row) -> str:
    """What a row holds, in a game with these other rows."""
    return Contents([table(made, *others)]).row(made)


def chain(length: int, last: str) -> list[Row]:
    """Rows of which each refers to the next."""
    rows = [row("last", name=last)]
    for number in range(length):
        rows.insert(0, row(f"r{number}", next=rows[0]))
    return rows


def test_the_same_is_the_same() -> None:
    """Also in another line."""
    assert seen(row("a", 1, 2, x=1)) == seen(row("a", 1, 9, x=1))


@pytest.mark.parametrize(
    "other",
    [
        row("b", x=1, y="2"), row("a", 2, x=1, y="2"), row("a", x=2, y="2"), row("a", x=1.0, y="2"), row("a", x=True, y="2"),
        row("a", x="1", y="2"), row("a", x=None, y="2"), row("a", x=1), row("a", x=1, z="2"), row("a", y="2", x=1),
        row("a", x=1, y="2", z=""), row("a", x=1, y=row("2")), row("a", x=1, y=Number("2", 2)),
        row("a", x=1, y=Flag("2", True)), row("a", x=Number("1", 1), y="2"),
        row("a", x=Number("1.0", 1), y="2"), replace(row("a", x=1, y="2"), design="b"),
    ],
)  # fmt: skip
def test_every_difference_counts(other: Row) -> None:
    """Id, copies, columns and their order, values and their kind."""
    assert seen(other) != seen(row("a", x=1, y="2"))


def test_rows_that_are_referred_to_count() -> None:
    """However far away; so does which of them it is."""
    assert seen(chain(3, "x")[0]) == seen(chain(3, "x")[0])
    assert seen(chain(3, "x")[0]) != seen(chain(3, "y")[0])
    one, two = row("one"), row("two")
    assert seen(row("a", x=one, y=two)) != seen(row("a", x=one, y=one))


def test_rows_that_refer_to_one_another() -> None:
    """A circle has an end; what is in it counts."""

    def circle(name: str) -> Row:
        one, two = row("one"), row("two", name=name)
        one.cells, two.cells = {"next": Cell(two, "", one.place)}, {**two.cells, "next": Cell(one, "", one.place)}
        return one

    assert seen(circle("x")) == seen(circle("x"))
    assert seen(circle("x")) != seen(circle("y"))


def test_where_everything_hangs_together_every_row_counts() -> None:
    """A row that reaches more than can be gone through for each is other when any is."""
    long, same, other = (chain(2 * MOST_REACHED, name) for name in "xxy")

    assert seen(*long) == seen(*same)
    assert seen(*long) != seen(*other)
    assert seen(long[0], *other) != seen(long[0], *same)


def test_values_are_told_by_their_fields() -> None:
    """Things made of data, in mappings and lists, but for where they stand."""
    contents = Contents([])

    assert contents.of({"a": (Rect(0, 0, 1, 2), Place("x", 1))}) == contents.of({"a": [Rect(0, 0, 1, 2), Place("y", 2)]})
    assert contents.of(Rect(0, 0, 1, 2)) != contents.of(Rect(0, 0, 1, 3))
    assert contents.of(MappingProxyType({"a": Path("b")})) == [["a", "b"]]
    with pytest.raises(TypeError, match="function"):
        contents.of([lambda: 1])
