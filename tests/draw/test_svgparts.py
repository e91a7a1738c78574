"""``file.svg#id``: one symbol, group or layer of a drawing; and one-colour drawings in the template's colour."""

from __future__ import annotations

from pathlib import Path

import pytest
from desk import Desk, colour_at, ink
from PIL import Image

from pnp.svg.safe import BadDrawing

INKSCAPE = 'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
ICONS = f"""
<style>.red {{ fill: #ff0000 }}</style>
<defs><linearGradient id="sky"><stop stop-color="#00ffff"/></linearGradient></defs>
<symbol id="sword" viewBox="0 0 4 2" fill="#0000ff"><rect width="4" height="2"/></symbol>
<g transform="translate(50 60) scale(2)" fill="#00ff00">
  <g id="shield" class="red"><rect width="10" height="5"/></g>
  <g id="layer7" {INKSCAPE} inkscape:label="Night sky" inkscape:groupmode="layer" style="display:none;opacity:1">
    <rect x="3" width="2" height="8" fill="url(#sky)"/>
  </g>
  <circle id="ring" r="4" fill="none" stroke="#000000" stroke-width="2"/>
</g>
<g id="empty"/>
<use id="twice" href="#shield"/>
"""


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """An empty game."""
    desk = Desk(tmp_path)
    desk.art("icons", ICONS, "0 0 300 300")
    return desk


@pytest.mark.parametrize(
    ("name", "width", "height", "colour"),
    [
        ("icons#sword", 4, 2, "#0000ff"),
        ("icons.svg#sword", 4, 2, "#0000ff"),
        ("art/icons#shield", 20, 10, "#ff0000"),
        ("icons#Night sky", 4, 16, "#00ffff"),
        ("icons#layer7", 4, 16, "#00ffff"),
        ("icons#ring", 20, 20, ""),
        ("icons#twice", 10, 5, "#ff0000"),
    ],
)
def test_a_part_is_drawn_in_its_own_box(desk: Desk, name: str, width: float, height: float, colour: str) -> None:
    """By id or label, hidden layers too; with the styles, groups and gradients that it has in its file."""
    found = desk.tools.art.drawing(name)
    assert (found.width, found.height) == pytest.approx((width, height), abs=0.01)

    image = desk.show(f'<image href="{name}" width="40" height="30" preserveAspectRatio="none"/>')
    assert ink(image) == pytest.approx((0, 0, 40, 30), abs=0.3)
    if colour:
        assert colour_at(image, 20, 15) == colour


def test_stylesheets_reach_a_part_as_they_did(desk: Desk) -> None:
    """Also when they name the groups around it."""
    desk.art("a", '<style>#sea path { fill: #00ffff }</style><g id="sea"><path id="p" d="M0 0h1v1h-1z"/></g>')

    assert colour_at(desk.show('<image href="a#p" width="40" height="30"/>'), 20, 15) == "#00ffff"


def test_an_unknown_part_is_told_with_those_there_are(desk: Desk) -> None:
    """Names that a person gave come first."""
    with pytest.raises(BadDrawing) as caught:
        desk.tools.art.drawing("icons#swrod")

    assert (caught.value.rule, caught.value.value, caught.value.hint) == (
        "missing-art",
        "icons#swrod",
        'Did you mean "sword"?',
    )
    assert caught.value.allowed.startswith("Night sky, sword, shield")


@pytest.mark.parametrize(("name", "said"), [("icons#empty", "draws nothing"), ("photo#a", "no parts")])
def test_a_part_that_draws_nothing_is_refused(desk: Desk, name: str, said: str) -> None:
    """An empty group; and what has no parts at all."""
    from test_art import bitmap

    desk.write("art/photo.png", bitmap())
    with pytest.raises(BadDrawing, match=said):
        desk.tools.art.drawing(name)


def test_endless_references_come_to_an_end(desk: Desk) -> None:
    """A group that uses itself, and one that uses itself ten times ten times ten times."""
    many = "".join(f'<g id="l{n}">{f"""<use href="#l{n - 1}"/>""" * 10}</g>' for n in range(1, 9))
    desk.art(
        "a", f'<g id="self"><use href="#self"/><rect width="1" height="1"/></g><rect id="l0" width="1" height="1"/>{many}'
    )

    assert desk.tools.art.drawing("a#self").width == 1
    with pytest.raises(BadDrawing, match="more than"):
        desk.tools.art.drawing("a#l8")


GLYPH = '<path d="M3 3h4v4H3z"{}/>'


@pytest.mark.parametrize(
    "content",
    [
        '<path d="M0 0h10v10H0z"/>' + GLYPH.format(' fill="#fff"'),
        '<rect width="10" height="10"/>' + GLYPH.format(' style="fill:white"'),
        '<g><path d="M0,0 L10,0 10,10 0,10"/>' + GLYPH.format(' fill="#ffffff"') + "</g>",
        '<rect width="100%" height="100%"/>' + GLYPH.format(' fill="white"'),
        GLYPH.format(""),
        GLYPH.format(' fill="currentColor"'),
        '<path d="M0 0h10v10H0z" fill="none"/>' + GLYPH.format(' class="a"') + "<style>.a{fill:#123456}</style>",
        '<path fill="none" stroke="#abc" stroke-width="2" d="M4 4h2v2h-2z"/>',
        '<defs><path id="g" d="M3 3h4v4H3z"/></defs><use href="#g"/>',
    ],
)
def test_one_colour_drawings_take_the_colour_of_the_template(desk: Desk, content: str) -> None:
    """The square behind an icon is no part of it."""
    desk.art("a", content)
    image = desk.show('<image href="a" fill="#00a0a0" width="30" height="30"/>')

    assert ink(image) == pytest.approx((9, 9, 21, 21), abs=0.3)
    assert ink(image, "#00a0a0") == pytest.approx((9, 9, 21, 21), abs=0.5)
    with pytest.raises(BadDrawing, match="no colour"):
        desk.tools.art.drawing("a", fill='red" onload="')


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (GLYPH.format(' fill="red"') + GLYPH.format(' fill="#00f"'), "#ff0000, #0000ff"),
        ('<path fill="none" d="M0 0h1"/>', ""),
    ],
)
def test_other_drawings_keep_their_colours(desk: Desk, content: str, said: str) -> None:
    """And it is said which they are."""
    desk.art("a", content)
    with pytest.raises(BadDrawing) as caught:
        desk.tools.art.drawing("a", fill="#00a0a0")
    assert said in caught.value.hint


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('<linearGradient id="g"/>' + GLYPH.format(' fill="url(#g)"'), "it is coloured by a gradient"),
        ('<pattern id="g"/>' + GLYPH.format(' fill="url(#g)"'), "it is coloured by a pattern"),
        ('<image width="9" height="9" href="dot.png"/>', "it is a picture"),
    ],
)
def test_what_has_no_plain_colour_is_named(desk: Desk, content: str, said: str) -> None:
    """A gradient is not one colour, and no colour can be laid over a picture."""
    desk.art("a", content)
    Image.new("RGB", (4, 4)).save(desk.folder / "art/dot.png")
    with pytest.raises(BadDrawing, match=said):
        desk.tools.art.drawing("a", fill="#00a0a0")
