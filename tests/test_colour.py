"""Colours as written and as light, held against the definitions (IEC 61966-2-1, CSS Color 4)."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import ImageColor

from pnp.shapes.colour import encoded, full, in_css, linear, named


@pytest.mark.parametrize(("written", "code"), [("#abc", "#aabbcc"), ("#AbC", "#AAbbCC"), ("#1a2B3c", "#1a2B3c")])
def test_a_colour_is_written_long_or_short(written: str, code: str) -> None:
    assert full(written) == code


@pytest.mark.parametrize("written", ["", "abc", "#abcd", "#abcdefg", "#ggg", "#abc\n"])
def test_what_is_no_colour_is_none(written: str) -> None:
    assert full(written) is None


def test_a_name_stays_known_once_pillow_was_asked_for_it() -> None:
    """A drawing that is red takes nothing from the words that are to be red."""
    ImageColor.getrgb("rebeccapurple")

    assert named("RebeccaPurple", {}) == "#663399"
    assert named("purple-ish", {}) is None


def test_numbers_and_arrays_have_the_same_curve() -> None:
    values = [0.0, 0.02, 0.04045, 0.05, 0.5, 1.0]

    assert linear(np.array(values)).tolist() == pytest.approx([linear(value) for value in values])
    assert encoded(np.array(values)).tolist() == pytest.approx([encoded(value) for value in values])
    assert all(isinstance(curve(value), float) for curve in (linear, encoded) for value in values)


def test_a_name_of_css_is_a_colour_each_time() -> None:
    """Whoever asked for it before, as a drawing that is printed in another ink does."""
    for _ in range(2):
        assert in_css("navy") == (0, 0, 128, 255)
        assert named("Navy", {}) == "#000080"
        assert named("navy", {"navy": "#123"}) == "#112233"
