"""Names of exported files: any system takes them, and no two are the same in any case."""

from __future__ import annotations

import re

import pytest

from pnp.exports.target import MOST_NAME, Names, cleaned, guid_of


@pytest.mark.parametrize(
    ("text", "plain", "name"),
    [
        ("The Bazaar: 1/2", False, "The Bazaar- 1-2"),
        ("  a\tb\n", False, "a b"),
        ("Ähre", False, "Ähre"),
        ("Ähre", True, "ahre"),
        ("???", False, "unnamed"),
        ("con", False, "con-1"),
        ("ends with a dot.", False, "ends with a dot"),
        ("../../etc", True, "etc"),
        ("x" * 200, False, "x" * MOST_NAME),
    ],
)
def test_a_text_becomes_a_name(text: str, plain: bool, name: str) -> None:
    """Nothing is left that some system keeps for itself."""
    assert cleaned(text, plain) == name


def test_names_are_told_apart_in_any_case() -> None:
    """Numbers are added, also where a name looks like one with a number."""
    names = Names()
    assert [names.of(text) for text in ("Silk", "silk", "SILK", "silk-2", "x" * 99, "X" * 98)] == [
        "Silk",
        "silk-2",
        "SILK-3",
        "silk-2-2",
        "x" * MOST_NAME,
        "X" * (MOST_NAME - 6) + "-2",
    ]


def test_an_id_is_the_same_for_the_same_piece() -> None:
    """32 hexadecimal digits; parts do not run into one another."""
    assert re.fullmatch("[0-9A-F]{32}", guid_of("game", "cards", "silk"))
    assert guid_of("game", "cards", "silk") == guid_of("game", "cards", "silk")
    assert len({guid_of("a", "bc"), guid_of("ab", "c"), guid_of("abc")}) == 3
