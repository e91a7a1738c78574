"""Cards for a language that runs the other way: places change sides, letters and pictures do not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from desk import Desk, difference, ink

RED, BLUE = "#ff0000", "#0000ff"
HALVES = f'<path d="M0 0h5v10H0z" fill="{RED}"/><path d="M5 0h5v10H5z" fill="{BLUE}"/>'


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A face of 40 × 30 mm that is mirrored."""
    made = Desk(tmp_path)
    made.art("halves", HALVES)
    made.__dict__["tools"] = replace(made.tools, mirrored=True)
    return made


def left(desk: Desk, content: str, colour: str = "") -> tuple[float, float]:
    """Where something begins and ends, in mm from the left."""
    found = ink(desk.show(content), colour)
    assert found is not None
    return round(found[0], 1), round(found[2], 1)


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (f'<rect x="2" y="2" width="6" height="6" fill="{RED}"/>', (32, 38)),
        (f'<g><rect x="2" y="2" width="6" height="6" fill="{RED}"/></g>', (32, 38)),
        (f'<g transform="translate(2 2)"><rect width="6" height="6" fill="{RED}"/></g>', (32, 38)),
        (f'<path d="M2 2h6v6z" fill="{RED}"/>', (32, 38)),
    ],
)
def test_shapes_change_sides(desk: Desk, content: str, place: tuple[float, float]) -> None:
    """A corner or bar at the left is at the right."""
    assert left(desk, content) == pytest.approx(place, abs=0.3)


@pytest.mark.parametrize("around", ["{}", "<g>{}</g>", '<g transform="translate(0 3)">{}</g>', '<g opacity="0.99">{}</g>'])
def test_pictures_change_sides_and_stay_as_they_are(desk: Desk, around: str) -> None:
    """What is red at the left and blue at the right is so still."""
    content = around.format('<image href="halves" x="2" y="2" width="10" height="10"/>')
    red, blue = (left(desk, content, colour) for colour in (RED, BLUE))

    assert (*red, *blue) == pytest.approx((28, 33, 33, 38), abs=0.4)


def box(align: str, text: str = "HI") -> str:
    return f'<foreignObject x="2" y="2" width="20" height="9" data-size="14" data-align="{align}">{text}</foreignObject>'


@pytest.mark.parametrize("around", ["{}", '<g transform="translate(0 3)">{}</g>'])
def test_words_change_sides_and_read_as_they_did(desk: Desk, around: str) -> None:
    """A title at the left of its box is at the right of it, the box at the other side; its letters are not mirrored."""
    assert left(desk, around.format(box("left")))[1] == pytest.approx(38, abs=0.3)
    assert left(desk, around.format(box("right")))[0] == pytest.approx(18, abs=0.5)
    mirrored = desk.show(around.format(box("center", "LF")))
    desk.__dict__["tools"] = replace(desk.tools, mirrored=False)
    plain = desk.show(around.format(box("center", "LF").replace('x="2"', 'x="18"')))

    assert difference(mirrored, plain) < 0.5


@pytest.mark.parametrize(
    ("anchor", "edge", "place"), [("start", 1, 34), ("end", 0, 34), ("middle", None, 34)], ids=["start", "end", "middle"]
)
def test_a_line_hangs_at_the_same_point(desk: Desk, anchor: str, edge: int | None, place: float) -> None:
    """A number in a corner is in the other one; what began at its point ends there."""
    found = left(desk, f'<text x="6" y="12" font-size="6" text-anchor="{anchor}">FL</text>')
    at = sum(found) / 2 if edge is None else found[edge]

    assert at == pytest.approx(place, abs=0.7)


def test_a_turned_group_turns_the_other_way(desk: Desk) -> None:
    """Words that climb to the right climb to the left, and are no mirror writing."""
    content = '<g transform="rotate(-90 6 24)"><text x="6" y="24" font-size="6" text-anchor="middle">F</text></g>'
    mirrored = desk.show(content)
    desk.__dict__["tools"] = replace(desk.tools, mirrored=False)

    assert difference(mirrored, desk.show(content.replace("-90 6", "90 34").replace('x="6"', 'x="34"'))) < 0.5


def test_a_drawing_that_is_not_to_be_mirrored(desk: Desk) -> None:
    """Says so at its root, as ``{% set mirror = false %}`` writes it."""
    content = f'<rect x="2" y="2" width="6" height="6" fill="{RED}"/>'
    (layer,) = desk.cut(content, **{"data-mirror": "no"})

    assert desk.cut(content)[0].layer.key != layer.layer.key
