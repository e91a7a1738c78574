"""Texts in drawings are outlines in the game's fonts, or are refused with what is missing."""

from __future__ import annotations

import pytest
from desk import Desk, ink
from lxml import etree

from pnp.draw.lettering import Typefaces
from pnp.svg.safe import BadDrawing
from pnp.svg.tree import tag

SANS = "font-family=\"Source Sans Pro\" font-size='4'"


def shown(desk: Desk, content: str) -> tuple[float, float, float, float]:
    """Where a drawing of 40 × 30 mm has ink."""
    number = len(list((desk.folder / "art").glob("*"))) if (desk.folder / "art").is_dir() else 0
    desk.art(f"a{number}", content, "0 0 40 30")
    box = ink(desk.show(f'<image href="a{number}" width="40" height="30"/>'))
    assert box is not None
    return box


def advance(desk: Desk, text: str, size: float) -> float:
    """How long a line is in Source Sans Pro: measured by its own tables."""
    face = Typefaces(desk.tools.fonts).face("Source Sans Pro", 400, False)
    return sum(glyph.advance for glyph in face.shaped(text, True)) * size


@pytest.mark.parametrize(("anchor", "share"), [("start", 0), ("middle", 0.5), ("end", 1)])
def test_texts_are_anchored_as_a_whole(desk: Desk, anchor: str, share: float) -> None:
    """Also when several parts make the line."""
    content = f'<text x="20" y="20" text-anchor="{anchor}" {SANS}>HI<tspan fill="red">HI</tspan></text>'
    left, _, right, _ = shown(desk, content)
    whole = advance(desk, "HI", 4) * 2

    assert (left, right) == pytest.approx((20 - share * whole + 0.4, 20 + (1 - share) * whole - 0.4), abs=0.4)


@pytest.mark.parametrize(
    ("content", "box"),
    [
        ('<tspan x="5" y="10">H</tspan><tspan x="5" y="20">H</tspan>', (5.4, 7.4, 7.4, 20)),
        ('<tspan x="5" y="10">H</tspan><tspan x="5" dy="10">H</tspan>', (5.4, 7.4, 7.4, 20)),
        ('<tspan x="5 25" y="10">HH</tspan>', (5.4, 7.4, 27.4, 10)),
        ('<tspan x="5" y="10">H<tspan dx="17.4">H</tspan></tspan>', (5.4, 7.4, 27.4, 10)),
        ('<tspan x="5" y="10" letter-spacing="17.4">HH</tspan>', (5.4, 7.4, 27.4, 10)),
        ('<tspan x="5" y="10" style="font-size:300%">H</tspan>', (6.2, 2.1, 11.6, 10)),
        ('<tspan x="5" y="10" font-size="7.5pt">H</tspan>', (6, 3.4, 10.6, 10)),
        ('<tspan x="20" y="10" rotate="180">H</tspan>', (17.7, 10, 19.6, 12.6)),
        ('<tspan x="5" y="10" dominant-baseline="central">H</tspan>', (5.4, 8.7, 7.4, 11.3)),
    ],
)
def test_parts_of_texts_are_where_they_are_moved(desk: Desk, content: str, box: tuple[float, float, float, float]) -> None:
    """Places, shifts, spacing, sizes in units, turned letters."""
    assert shown(desk, f"<text {SANS}>{content}</text>") == pytest.approx(box, abs=0.45)


def test_letters_of_two_colours_are_one_word(desk: Desk) -> None:
    """They are kerned as if they had one; after the last letter there is no space."""
    desk.art("a", f'<text y="9" {SANS}>AVA</text>')
    desk.art("b", f'<text y="9" {SANS}>A<tspan fill="red">V</tspan>A</text>')
    whole, parts = (etree.fromstring(desk.tools.art.drawing(name).data).xpath("//@d") for name in "ab")

    assert "".join(parts) == whole[0]
    assert desk.tools.art.drawing("b").data != desk.tools.art.drawing("a").data


def test_spaces_are_as_svg_shows_them(desk: Desk) -> None:
    """One for many, none at the ends; all where they are kept."""
    desk.art("a", f'<text y="9" {SANS}>  HI \n  <tspan> HI</tspan>  </text>', "0 0 40 30")
    desk.art("b", f'<text y="9" {SANS}>HI HI</text>', "0 0 40 30")
    desk.art("c", f'<text y="9" xml:space="preserve" {SANS}>HI  HI</text>', "0 0 40 30")
    paths = ["".join(etree.fromstring(desk.tools.art.drawing(name).data).xpath("//@d")) for name in "abc"]

    assert paths[0] == paths[1] != paths[2]


def test_paint_is_kept(desk: Desk) -> None:
    """By attributes, stylesheets and groups, each part its own; what is of the whole text stays with it."""
    desk.art(
        "a",
        f"""<style>.b {{ fill: #0000ff }} g &gt; text {{ opacity: .5 }}</style>
        <g fill="#ff0000"><text id="t" class="c" transform="rotate(9)"
        y="9" {SANS}>H<tspan class="b">I</tspan></text></g>""",
    )
    root = etree.fromstring(desk.tools.art.drawing("a").data)
    group = root.find(f".//{tag('g')}[@id='t']")
    assert group is not None
    styles = [path.get("style", "") for path in group]

    assert ("fill:#ff0000" in styles[0], "fill:#0000ff" in styles[1]) == (True, True)
    assert (group.get("transform"), group.get("style")) == ("rotate(9)", "opacity:.5")


def test_hidden_and_empty_texts_need_no_font(desk: Desk) -> None:
    """Layers that are switched off, and the empty texts that programs leave behind."""
    desk.art("a", '<g style="display:none"><text font-family="Nowhere">A</text></g><text font-family="Nope"> </text>')

    assert b"text" not in desk.tools.art.drawing("a").data


@pytest.mark.parametrize(
    ("attributes", "weight"),
    [
        ("font-family=\"'Source Sans Pro', Arial\"", 400),
        ('font-family="source sans pro"', 400),
        ('font-family="body"', 400),
        ('font-family="SourceSansPro-Black"', 900),
        ('font-family="Source Sans Pro" font-weight="bold"', 700),
    ],
)
def test_fonts_have_the_names_that_programs_give_them(desk: Desk, attributes: str, weight: int) -> None:
    """Family, role of the game, PostScript name; the first of a list is the one that the drawing was made with."""
    desk.art("a", f'<text y="9" {attributes}>H</text>')
    face = Typefaces(desk.tools.fonts).face("Source Sans Pro", weight, False)
    desk.art("b", f'<text y="9" font-family="Source Sans Pro" font-weight="{weight}">H</text>')
    ways = [etree.fromstring(desk.tools.art.drawing(name).data).xpath("//@d") for name in "ab"]

    assert face.weight == weight
    assert ways[0] == ways[1]


@pytest.mark.parametrize(
    ("content", "rule", "said", "value"),
    [
        ('<text font-family="Comic Sans">A</text>', "unknown-font", 'set in "Comic Sans"', "Comic Sans"),
        ('<text font-family="Fredoka One" font-weight="100">A</text>', "unknown-font", "no such face", "Fredoka One 100"),
        ('<text font-family="Fredoka One" font-style="italic">A</text>', "unknown-font", "no such face", "400 italic"),
        ("<text>\u2603</text>", "missing-glyph", "U+2603", "\u2603"),
        ('<text><textPath href="#a">A</textPath></text>', "bad-drawing", "<textPath>", ""),
        ('<text textLength="9">A</text>', "bad-drawing", "textLength", ""),
        ('<text text-decoration="underline">A</text>', "bad-drawing", "text-decoration", ""),
        ('<text>A<tspan baseline-shift="super">2</tspan></text>', "bad-drawing", "baseline-shift", ""),
        ("<style>text! { fill: red }</style><text>A</text>", "bad-drawing", "text!", ""),
        ("<style>@media print { text { fill: red } }</style><text>A</text>", "bad-drawing", "@media print", ""),
        ("<flowRoot><flowPara>A</flowPara></flowRoot>", "bad-drawing", "<flowRoot>", ""),
        ("<text>abc \u05d0\u05d1</text>", "bad-drawing", "from right to left", ""),
        ('<text style="direction:rtl">Ahoy!</text>', "bad-drawing", "from right to left", ""),
        ("<text>A<text>B</text></text>", "bad-drawing", "<text> in a <text>", ""),
        ('<text rotate="5mm">A</text>', "bad-drawing", "no angle", ""),
        ('<text dominant-baseline="hanging">A</text>', "bad-drawing", "hanging", ""),
        ('<linearGradient id="g"/><text fill="url(#g)">A</text>', "bad-drawing", "gradient", ""),
        (f"<text>{'a' * 20_001}</text>", "bad-drawing", "characters", ""),
    ],
)
def test_what_would_print_otherwise_is_refused(desk: Desk, content: str, rule: str, said: str, value: str) -> None:
    """No other font, no box for a letter, no line that stands elsewhere: the reason names it, and its line."""
    desk.art("a", f"\n{content}")
    with pytest.raises(BadDrawing) as caught:
        desk.tools.art.drawing("a")

    assert (caught.value.rule, caught.value.line) == (rule, 2)
    assert said in str(caught.value)
    assert value in caught.value.value
