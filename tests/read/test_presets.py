"""Sizes of cards and papers by name are those of the trade; whatever has no name may be given freely."""

from __future__ import annotations

import tomllib
from importlib import resources

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp.read import presets

INCH = 25.4

# In mm as published (docs/how-it-works/print.md#card-sizes): US sizes are whole quarters of an inch, the others metric.
IN_MM = """
tcg 63 88, japanese 59 86, mini-euro 44 68, mini-us 41 63, standard-us 56 87, standard-euro 59 92, skat 58.9 90.7,
tarot 70 120, square-70 70 70, a5 148 210, a6 105 148, a7 74 105"""
IN_INCHES = """
poker 2.5 3.5, bridge 2.25 3.5, mini 1.75 2.5, tarot-us 2.75 4.75, square-small 2.5 2.5, square-large 3.5 3.5,
micro 1.25 1.75, business 3.5 2, jumbo 3.5 5.5, domino 1.75 3.5, half-letter 5.5 8.5, statement 5.5 8.5, index-card 3 5"""
# ISO 216, ANSI, and PWG 5101.1 for photo papers; a sheet is taken upright.
PAPERS_IN_MM = "a4 210 297, a3 297 420, a5 148 210, a6 105 148, 9x13cm 90 130, 10x15cm 100 150, 13x18cm 130 180"
PAPERS_IN_INCHES = "letter 8.5 11, legal 8.5 14, tabloid 11 17, half-letter 5.5 8.5, 4x6in 4 6, 5x7in 5 7"


def sizes(mm: str, inches: str) -> dict[str, tuple[float, float]]:
    """By name, in mm."""
    typed = [(each.split(), unit) for text, unit in ((mm, 1.0), (inches, INCH)) for each in text.split(",")]
    return {name: (float(width) * unit, float(height) * unit) for (name, width, height), unit in typed}


CARDS, PAPERS = sizes(IN_MM, IN_INCHES), sizes(PAPERS_IN_MM, PAPERS_IN_INCHES)


@pytest.mark.parametrize("name", CARDS)
def test_a_card_size_has_its_published_measures(name: str) -> None:
    """A preset is the size that its name means to people who buy sleeves."""
    assert presets.card_size(name) == pytest.approx(CARDS[name], abs=0.001)


def test_no_card_size_is_untested() -> None:
    """A preset that is added has its published measures added here too."""
    assert set(presets.size_names()) == set(CARDS)


def test_every_card_size_says_where_it_comes_from() -> None:
    """Makers disagree by a millimetre, so each preset names its source."""
    text = resources.files("pnp.read.presets").joinpath("sizes.toml").read_text(encoding="utf-8")

    assert all(entry["note"] for entry in tomllib.loads(text).values())


@pytest.mark.parametrize("name", PAPERS)
def test_a_paper_has_its_standard_measures(name: str) -> None:
    """A paper is the standard's sheet, upright, and keeps its name."""
    paper = presets.paper(name)

    assert (paper.width, paper.height) == pytest.approx(PAPERS[name], abs=0.001)
    assert paper.name == name


def test_the_papers_are_the_promised_ones() -> None:
    """No paper has a name that is not tested here."""
    assert set(presets.paper_names()) == set(PAPERS)


def test_names_are_read_as_people_type_them() -> None:
    """Large letters and spaces around a name do not matter."""
    assert presets.card_size(" Poker ") == presets.card_size("poker")
    assert presets.paper("A4") == presets.paper("a4")
    assert (presets.card_size("A2"), presets.card_size("a1")) == ((420, 594), (594, 841))
    assert presets.paper("Half Letter").name == "half-letter"
    for typed in ("4x6in", "4 x 6 in", "4×6 in", "4 x 6in"):
        assert presets.paper(typed).name == "4x6in"


sides = st.integers(5, 1500)


@settings(max_examples=examples(150), deadline=None)
@given(sides, sides)
def test_any_size_in_bounds_is_a_card_size(width: int, height: int) -> None:
    """From 5 mm to 1500 mm each way every free size is taken as written, never for a misspelt name."""
    assert presets.card_size(f"{width}mm x {height}mm") == (width, height)


@settings(max_examples=examples(150), deadline=None)
@given(sides, sides)
def test_a_free_paper_is_upright(width: int, height: int) -> None:
    """A free paper is the same sheet whichever side is named first, and is named after its measures."""
    paper = presets.paper(f"{width} x {height} mm")

    assert (paper.width, paper.height) == (min(width, height), max(width, height))
    assert paper.name == f"{width}x{height}mm"
