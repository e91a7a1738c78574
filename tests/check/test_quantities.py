"""What a reader takes for a number in a text."""

from __future__ import annotations

import time

import pytest

from pnp.check.wording import about, changed, phrase, quantities, read_in, value_of


def numbers(text: str, language: str = "en") -> list[str]:
    """The numbers of a text of a book."""
    read = read_in(text)
    assert len(read) == len(text)
    return [read[start:end] for start, end in quantities(read, language)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Pay 2,000 doubloons or twelve thousand.", ["2,000", "twelve"]),
        ("Roll two dice and draw twenty-one cards.", ["two", "twenty-one"]),
        ("Take 3-4 cards, +1 for each, −2 else.", ["3", "4", "1", "2"]),
        ("A board of 5 × 6 spaces, 1.5 mm apart.", ["5", "6", "1.5"]),
        ("One card each. One of them is red.", ["One"]),
        ("only **one cargo card**, at most one card", ["one", "one"]),
        ("the blue one, no one, each one, one another, this one card", []),
        ("The Seven Seas are far, and seven seas are many.", ["seven"]),
    ],
)
def test_what_is_a_number_in_a_sentence(text: str, found: list[str]) -> None:
    """Digits and words; "one" only before a thing that is counted; no names."""
    assert numbers(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "{{ count('cards') + 2 }} and {% for x in range(3) %}{# 4 #}",
        "1. First\n2. Second\n> 3. Third\n### 4. Reveal\n",
        "See art/wheel-1 and wheel-2, card-3.svg, C4 and A5, 2nd, #336699.",
        "Version 2 of 2025, v2.01, © 2023, since 1715.",
        "| 1 | Set out |\n| 2 | Move |\n| **3** | Draw |\n",
    ],
)
def test_what_is_none(text: str) -> None:
    """What is filled in, marks of lists and rows, targets, names, versions, years."""
    assert numbers(text) == []


def test_number_words_are_english() -> None:
    """In other languages digits alone are found: "six" is French as well."""
    assert numbers("Tirez six cartes et 3 jetons.", "fr") == ["3"]


@pytest.mark.parametrize(
    ("written", "more", "less"),
    [
        ("2,000", "2,001", "1,999"),
        ("1.5", "2.5", "0.5"),
        ("007", "008", "006"),
        ("Two", "Three", "One"),
        ("ninety-nine", "100", "ninety-eight"),
        ("zero", "one", None),
    ],
)
def test_a_changed_number_is_written_as_it_was(written: str, more: str, less: str | None) -> None:
    """With its mark between thousands, its fraction, its capital; none is below zero."""
    assert (changed(written, 1), changed(written, -1)) == (more, less)


def test_a_number_is_told_with_the_words_about_it() -> None:
    """As a phrase within its part of the sentence, and in its line."""
    text = "Before.\nSail *up to* 6 squares straight on, then stop.\nAfter."
    at = text.index("6")

    assert phrase(text, (at, at + 1)) == "to # squares straight"
    assert about(text, (at, at + 1)) == "Sail *up to* 6 squares straight on, then stop."
    assert [value_of(written) for written in ("six", "2,000", "1.5", "1.500")] == ["6", "2000", "1.5", "1500"]


@pytest.mark.parametrize("text", ["a" * 300_000, "](" * 100_000, "| 1 | a |\n" * 30_000, "3 " * 100_000])
def test_a_long_text_takes_a_moment(text: str) -> None:
    """Whatever stands in it."""
    before = time.process_time()
    numbers(text)

    assert time.process_time() - before < 5


def test_only_the_letters_of_numbers_write_numbers() -> None:
    """A long s and an i without a dot look alike, and are in no number word."""
    assert numbers("\u017fix cards, s\u0131x cards, six cards") == ["six"]
