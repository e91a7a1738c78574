"""Which cells are numbers, and that a number prints as it was typed and is ordered as one."""

from __future__ import annotations

from decimal import Decimal

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp.read.celltypes import Habit, resolve
from pnp.values.problems import Fault, Place, Problems
from pnp.values.tables import Cell, Number, Row, Table, Value


def values_of(**columns: list[str]) -> dict[str, list[Value]]:
    """The values of a table's columns."""
    rows = []
    for at in range(len(next(iter(columns.values())))):
        cells = {name: Cell(texts[at], texts[at], Place("cards.csv", at + 2, name)) for name, texts in columns.items()}
        rows.append(Row(f"r{at}", 1, Place("cards.csv", at + 2), cells, set()))
    table = Table("cards", "cards.csv", tuple(columns), tuple(rows), set())
    problems = Problems()
    resolve(table, {}, {}, {}, problems)
    assert not list(problems)
    return {name: [row.cells[name].value for row in table] for name in columns}


def numbers_of(*texts: str) -> list[int | float | str]:
    """A column's cells: their numbers where it is one of numbers, else the texts."""
    return [value.number if isinstance(value, Number) else str(value) for value in values_of(value=[*texts])["value"]]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (("1.50", "2", "-3", "+4", "\u22125"), [1.5, 2, -3, 4, -5]),
        (("1,5", "10", "0,25"), [1.5, 10, 0.25]),
        (("1,234,567", "1,000", "12"), [1234567, 1000, 12]),
        (("1.234,50", "1.000"), [1234.5, 1000]),
        (("1'000", "12\u00a0000"), [1000, 12000]),
    ],
)
def test_columns_of_numbers(typed: tuple[str, ...], meant: list[float]) -> None:
    """What nobody could take for anything else is a number."""
    assert numbers_of(*typed) == meant


@pytest.mark.parametrize(
    "typed",
    [
        ("007", "12"),
        ("1-2", "3"),
        ("2", "3", "X"),
        ("1234567890123456", "2"),
        ("1,000", "2,500"),  # thousands, or one and a bit
        ("1,5", "2.5"),
        ("٣", "1"),
    ],
)
def test_columns_that_stay_text(typed: tuple[str, ...]) -> None:
    """Codes, units, and what could mean two things."""
    assert numbers_of(*typed) == [*typed]


def test_a_comma_is_judged_by_all_of_the_table() -> None:
    """One price with a dot, and nobody knows what the commas of the next column are."""
    assert [type(value) for value in values_of(a=["1,5", "2"], b=["1.25", "3"])["a"]] != [Number, Number]
    assert [value == 1.234 for value in values_of(a=["1,234", "2"], b=["0,25", "3"])["a"]] == [True, False]


PLAIN = st.from_regex(r"-?(0|[1-9][0-9]{0,5})(\.[0-9]{1,4})?", fullmatch=True)
TEXT = st.text(st.characters(categories=("L", "N", "P", "Zs")), max_size=12).map(str.strip)


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(PLAIN | TEXT, min_size=1, max_size=8))
def test_what_is_printed_is_what_was_typed(typed: list[str]) -> None:
    """Whatever a column is taken for, every cell prints as it was typed, and is equal to that."""
    made = values_of(value=typed)["value"]
    assert [str(value) for value in made] == typed
    assert all(value == text and text == value for value, text in zip(made, typed, strict=True))


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(PLAIN, min_size=2, max_size=8), st.booleans())
def test_numbers_are_ordered_as_numbers(typed: list[str], comma: bool) -> None:
    """Sums, orders and equalities are those of decimal numbers, with the one mark and the other."""
    meant = [Decimal(text) for text in typed]
    columns = {"value": typed, "sure": ["0.5"] * len(typed)}
    if comma:
        columns = {name: [text.replace(".", ",") for text in texts] for name, texts in columns.items()}
    made = values_of(**columns)["value"]
    assert all(isinstance(value, Number) for value in made)
    order = sorted(range(len(meant)), key=lambda at: meant[at])
    assert [str(value) for value in sorted(made)] == [columns["value"][at] for at in order]  # type: ignore[type-var]
    for one, exact in zip(made, meant, strict=True):
        for other, beside in zip(made, meant, strict=True):
            assert ((one < other), (one == other)) == ((exact < beside), (exact == beside))  # type: ignore[operator]
            assert one + other == pytest.approx(float(exact + beside))  # type: ignore[operator]


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(PLAIN, max_size=6), TEXT.filter(lambda text: text and Habit().number(text) is None))
def test_one_text_makes_the_column_text(numbers: list[str], word: str) -> None:
    """Then nothing in it computes, and the first such row is named."""
    made = values_of(value=[*numbers, word], sure=["0.5"] * (len(numbers) + 1))["value"]
    assert not any(isinstance(value, Number) for value in made)
    if numbers:
        with pytest.raises(Fault, match=f"for row {len(numbers) + 2} says"):
            _ = made[0] > 1  # type: ignore[operator]


@settings(max_examples=examples(200), deadline=None)
@given(st.floats(-1e9, 1e9, allow_nan=False) | st.integers(-(10**9), 10**9), st.sampled_from([Habit(), Habit(",")]))
def test_a_computed_number_is_typed_as_the_table_does(number: float, typing: Habit) -> None:
    """What a computed column shows is read as the same number."""
    assert typing.number(typing.typed(number)) == pytest.approx(number, rel=1e-11, abs=1e-11)
