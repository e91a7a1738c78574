"""Lengths as people write them become millimetres, or a sentence that says what to write."""

from __future__ import annotations

import math

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp.shapes import units

# By definition: an inch is 25.4 mm, a point the 72nd part of an inch.
IN_MM = {"mm": 1, "cm": 10, "in": 25.4, '"': 25.4, "pt": 25.4 / 72}

numbers = st.decimals(min_value=0, max_value=99999, places=3)
unit_names = st.sampled_from(sorted(IN_MM))
spaces = st.text(" ", max_size=2)


@pytest.mark.parametrize(("text", "mm"), [("63mm", 63), ("750 px @ 300 dpi", 63.5), ("  63 MM ", 63), ("0mm", 0)])
def test_every_unit_is_understood(text: str, mm: float) -> None:
    """A length may be given in mm, cm, inches, points or pixels at a resolution, in small or large letters."""
    assert units.length(text) == pytest.approx(mm)


@settings(max_examples=examples(200), deadline=None)
@given(numbers, unit_names, spaces)
def test_a_number_and_its_unit_multiply(number: object, unit: str, space: str) -> None:
    """Any number with any unit is that many of the unit, however the two are spaced."""
    assert units.length(f"{space}{number}{space}{unit}{space}") == pytest.approx(float(str(number)) * IN_MM[unit])


@settings(max_examples=examples(300), deadline=None)
@given(st.floats(min_value=0, max_value=99999))
def test_what_is_shown_can_be_read_back(mm: float) -> None:
    """A length shown to people and read again is the same to a hundredth of a millimetre, without idle zeros."""
    shown = units.show(mm)

    assert abs(units.length(f"{shown}mm") - mm) <= 0.005 + 1e-9
    assert "." not in shown or shown[-1] not in "0."


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("63", 'has no unit: write "63mm"'),
        ("300px@0dpi", "has 0 dots per inch"),
        ("", "is not a length such as"),
        ("-3mm", "is not a length such as"),
        ("nan mm", "is not a length such as"),
        ("9999999mm", "is not a length such as"),
    ],
)
def test_what_is_no_length_gets_a_sentence(text: str, words: str) -> None:
    """The sentence quotes what was typed and says what would have been right."""
    with pytest.raises(ValueError) as caught:
        units.length(text)

    assert str(caught.value).startswith(f'"{text}" ')
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "text", ["2.5in x 3.5in", "2.5 x 3.5 inches", "2.5inch × 3.5inch", "2.5 by 3.5 in", "63.5*88.9mm", '2.5" x 3.5"']
)
def test_sizes_are_read_as_people_write_them(text: str) -> None:
    """All of them are a poker card."""
    assert units.size(text) == pytest.approx((63.5, 88.9))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("63mm", "is not a size such as 63mm x 88mm"),
        ("63 x 88", 'has no unit: write "63mm x 88mm"'),
        ("63mm x 88 miles", '"88 miles" is not a length'),
    ],
)
def test_what_is_no_size_gets_a_sentence(text: str, words: str) -> None:
    """A size that lacks a side, a unit or sense is told apart."""
    with pytest.raises(ValueError) as caught:
        units.size(text)

    assert words in str(caught.value)


@settings(max_examples=examples(500), deadline=None)
@given(st.one_of(st.text(max_size=30), st.text("0123456789.x×*by mcinpthes@\"'", max_size=20)))
def test_nothing_else_comes_out_than_a_length_or_a_sentence(text: str) -> None:
    """Whatever is typed is either lengths that are not negative or a ValueError that says something of our own."""
    for read in (lambda: (units.length(text),), lambda: units.size(text)):
        try:
            assert all(0 <= mm < math.inf for mm in read())
        except ValueError as error:
            assert str(error).startswith('"')
            assert any(word in str(error) for word in ("is not a", "has no unit", "has 0 dots"))
