"""Drawings are made safe before they are drawn; files as programs save them are taken, numbers and references read right."""

from __future__ import annotations

import cmath
import gzip
import math
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import examples
from desk import Desk
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from pnp.svg import safe as svg
from pnp.svg.safe import text_of_file
from pnp.svg.styles import declarations, inline_stylesheets, value
from pnp.svg.tree import with_prefix

SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'


def element(attributes: str, name: str = "g") -> svg.Element:
    """The one element inside a drawing."""
    return svg.parse(f"<svg {SVG}><{name} {attributes}/></svg>")[0]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("<script>1</script>", "script"),
        ('<g><s:script xmlns:s="http://www.w3.org/2000/svg"/></g>', "script"),
        ('<use href="http://example.org/a.svg#x"/>', "outside"),
        ('<use href="data:image/svg+xml,x"/>', "outside"),
        ('<filter><feImage href="secret.png"/></filter>', "outside"),
        ('<a href="https://example.org"/>', "outside"),
        ('<rect fill="url(http://example.org/a.svg#x)"/>', "outside"),
        ('<rect fill="url( &quot;a.svg#x&quot; )"/>', "outside"),
        ('<rect style="fill: url(a.png)"/>', "outside"),
        ('<rect fill="var(--sea, url(a.png))"/>', "outside"),
        ('<style>@import "a.css";</style>', "outside"),
        ("<style>a { fill: url(a.png) }</style>", "outside"),
        ("<style>a {} <![CDATA[ b { src: url('a.woff') } ]]></style>", "outside"),
        ("<g>", "<g> is not closed before </svg>"),
        ("&nbsp;", "nbsp"),
        ("\x07", "well-formed"),
    ],
)
def test_what_is_not_safe_is_refused(content: str, reason: str) -> None:
    """Scripts, whatever is outside the drawing, and broken XML are refused with the reason."""
    with pytest.raises(svg.BadDrawing, match=reason):
        svg.parse(f"<svg {SVG}>{content}</svg>")


@pytest.mark.parametrize(
    "text",
    [
        "<html/>",
        "<svg/>",
        '<svg xmlns="http://example.org"/>',
        '<g xmlns="http://www.w3.org/2000/svg"/>',
        "",
        "plain",
        "\ufeff",
    ],
)
def test_the_root_must_be_svg(text: str) -> None:
    """A file that is no SVG says so."""
    with pytest.raises(svg.BadDrawing, match=r"root|it is empty|it begins with"):
        svg.parse(text)


def test_sizes_are_bounded() -> None:
    """More elements or letters than a drawing can need are refused."""
    svg.parse(f"<svg {SVG}>{'<g/>' * svg.MOST_ELEMENTS}</svg>")
    with pytest.raises(svg.BadDrawing, match="60000 elements"):
        svg.parse(f"<svg {SVG}>{'<g/>' * (svg.MOST_ELEMENTS + 1)}</svg>")
    with pytest.raises(svg.BadDrawing, match="8 MB"):
        svg.parse(" " * (svg.MOST_BYTES + 1))


@pytest.mark.parametrize(
    "content",
    [
        '<use href="#a"/><use xlink:href="#a"/>',
        '<rect fill="url(#a)"/>',
        "<rect fill=\"url('#a')\"/>",
        '<rect style="fill:url( &quot;#a&quot; )"/>',
        "<style>.a { fill: url(#a) }</style>",
        "<!-- url(http://example.org) --><?pi href='x'?>",
        '<image href="art/kraken.svg"/>',
        '<g xmlns:i="http://www.inkscape.org/" i:label="Sea"/>',
        "<text>see http://example.org, url(x), @import</text>",
    ],
)
def test_what_stays_inside_is_accepted(content: str) -> None:
    """References within the drawing, however they are quoted, and words about the outside are fine."""
    assert svg.parse(f"<svg {SVG}>{content}</svg>") is not None


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("var(--sea)", "#012345"),
        ("var(--sea, red)", "#012345"),
        ("var(--foam, red)", "red"),
        ("var(--foam, var(--sea))", "#012345"),
        ("var(--foam, var(--spray, #fff))", "#fff"),
        ("fill:var(--sea);stroke:var(--foam,none)", "fill:#012345;stroke:none"),
        ("--sea", "--sea"),
    ],
)
def test_variables_become_the_colours_of_the_palette(written: str, meant: str) -> None:
    """The palette's colour goes first, then the fallback in the drawing."""
    assert svg.coloured(written, {"sea": "#012345"}) == meant


@pytest.mark.parametrize("written", ["var(--foam)", "var(--foam,)", "var(--foam, var(--spray))"])
def test_a_colour_without_a_value_is_refused(written: str) -> None:
    """A name that the palette has not, and no fallback: the drawing says which."""
    with pytest.raises(svg.BadDrawing, match=r"--(foam|spray)"):
        svg.coloured(written, {"sea": "#012345"})


def test_words_are_not_colours() -> None:
    """Attributes and style sheets are coloured; a card that prints var(--sea) prints it."""
    sheet, text = "<style>text{stroke:var(--sea)}</style>", '<text fill="var(--sea)">var(--sea) var(--foam)</text>'
    root = svg.parse(f"<svg {SVG}>{sheet}{text}</svg>")
    inline_stylesheets(root)
    svg.colour_in(root, {"sea": "#012345"})

    said = root[0].get("style"), root[0].get("fill"), root[0].text
    assert said == ("stroke:#012345", "#012345", "var(--sea) var(--foam)")


@pytest.mark.parametrize(
    ("sheet", "fill"),
    [
        ("path { fill: #010101 } .a { fill: #020202 } #it { fill: #030303 } path.a { fill: #040404 }", "#030303"),
        ("path { fill: #010101 !important } #it { fill: #020202 }", "#010101"),
        (".b { fill: #010101 } .a { fill: #020202 }", "#020202"),
        ("path[class~=b] { fill: #010101 }", "#010101"),
        ("rect + path { fill: #010101 }", "#010101"),
        ('text { font-family: "}" } /* } */ path { fill: /* ; */ #010101 }', "#010101"),
        ("g { fill: #010101 }", "#010101"),
        ("path:hover, path::before { fill: #010101 } @font-face { font-family: x }", ""),
        ("@media (prefers-color-scheme: dark) { path { fill: #010101 } }", ""),
        ("*:not(rect):nth-child(2) { FILL: #010101; fill }", "#010101"),
        ("path { fill: url('#a') }", "url(#a)"),
    ],
)
def test_stylesheets_say_what_css_says(sheet: str, fill: str) -> None:
    """By weight and order, of whatever CSS can ask for; what a pointer or a screen asks for is nothing on paper."""
    root = svg.parse(
        f'<svg {SVG}><style>{sheet.replace(">", "&gt;")}</style><g><rect/><path id="it" class="a b"/></g></svg>'
    )
    inline_stylesheets(root)

    assert value(root[0][1], "fill") == fill
    assert "<style" not in svg.text_of(root)


@pytest.mark.parametrize(("style", "fill"), [("fill:red", "blue"), ("fill:red !important", "red"), ("stroke:red", "blue")])
def test_what_is_important_goes_before_what_an_element_says(style: str, fill: str) -> None:
    """And what is of the element and important goes before all."""
    root = svg.parse(f'<svg {SVG}><style>path {{ fill: blue !important }}</style><path style="{style}"/></svg>')
    inline_stylesheets(root)

    assert declarations(root[0].get("style", ""))["fill"] == fill


@pytest.mark.parametrize(
    ("sheet", "reason"),
    [
        ("path! { fill: red }", "path!"),
        ("@media print { path { fill: red } }", "@media print"),
        ("@supports (fill: red) { path { fill: red } }", "@supports"),
        ("path:nothing { fill: red }", "path:nothing"),
        (f"path {{ fill: {'(' * 5000} }}", "brackets"),
        ("g " * 12 + "{ fill: red }", "too long"),
        ("a," * 4000 + "a { fill: red }", "rules"),
        ("* { fill: " + "a" * 200_000 + " }", "too long"),
    ],
)
def test_a_stylesheet_that_is_not_read_is_told_with_its_line(sheet: str, reason: str) -> None:
    """What is for some readers only, what is no CSS, and what would take hours."""
    root = svg.parse(f"<svg {SVG}>\n<style>{sheet}</style>{'<g>' * 100}{'</g>' * 100}</svg>")
    with pytest.raises(svg.BadDrawing, match=reason) as fault:
        inline_stylesheets(root)
    assert fault.value.line == 2


@pytest.mark.parametrize(
    ("attributes", "box"),
    [
        ('viewBox="-3 -3 69 94"', (-3, -3, 69, 94)),
        ('viewBox="0,0, 10.5,20"', (0, 0, 10.5, 20)),
        ('width="254mm" height="2.54cm"', (0, 0, 960, 96)),
        ('width=".5in" height="72pt"', (0, 0, 48, 96)),
        ('width="10px" height="20"', (0, 0, 10, 20)),
        ('width="1" height="1" viewBox="0 0 5 6"', (0, 0, 5, 6)),
    ],
)
def test_the_box_of_a_drawing(attributes: str, box: tuple[float, ...]) -> None:
    """The viewBox, else width and height in CSS pixels, of which an inch has 96."""
    assert svg.view_box(svg.parse(f"<svg {SVG} {attributes}/>")) == pytest.approx(box)


@pytest.mark.parametrize(
    "attributes",
    [
        "", 'viewBox=""', 'viewBox="0 0 10"', 'viewBox="0 0 0 10"', 'viewBox="0 0 10 -1"', 'viewBox="0 0 nan 1"',
        'viewBox="a b c d"', 'width="10"', 'width="." height="."', 'width="0" height="5"', 'width="-5" height="5"',
    ],
)  # fmt: skip
def test_a_drawing_without_a_box_is_refused(attributes: str) -> None:
    """A drawing that has no shape cannot be placed."""
    with pytest.raises(svg.BadDrawing, match="viewBox"):
        svg.view_box(svg.parse(f"<svg {SVG} {attributes}/>"))


Move = Callable[[complex], complex]
NUMBERS = st.floats(-200, 200).map(lambda value: round(value, 3))
ANGLES = st.one_of(st.sampled_from([0, 90, 180, 270, -90, 360]), st.floats(-720, 720).map(lambda value: round(value, 3)))


def turn(angle: float, x: float = 0, y: float = 0) -> Move:
    """A turn in the plane of complex numbers; y runs downwards, so it is clockwise on the page."""
    return lambda point: (point - complex(x, y)) * cmath.exp(1j * math.radians(angle)) + complex(x, y)


def skew(x: float, y: float) -> Move:
    """A shear along either axis, in degrees."""
    tan_x, tan_y = math.tan(math.radians(x)), math.tan(math.radians(y))
    return lambda point: complex(point.real + point.imag * tan_x, point.imag + point.real * tan_y)


def linear(a: float, b: float, c: float, d: float, e: float, f: float) -> Move:
    """The map that SVG calls matrix."""
    return lambda point: complex(a * point.real + c * point.imag + e, b * point.real + d * point.imag + f)


STEPS = st.one_of(
    st.builds(lambda *n: (f"matrix({','.join(map(str, n))})", linear(*n)), *6 * [NUMBERS]),
    st.builds(lambda x: (f"translate({x})", linear(1, 0, 0, 1, x, 0)), NUMBERS),
    st.builds(lambda x, y: (f"translate({x} {y})", linear(1, 0, 0, 1, x, y)), NUMBERS, NUMBERS),
    st.builds(lambda x: (f"scale( {x} )", linear(x, 0, 0, x, 0, 0)), NUMBERS),
    st.builds(lambda x, y: (f"scale({x}, {y})", linear(x, 0, 0, y, 0, 0)), NUMBERS, NUMBERS),
    st.builds(lambda a: (f"rotate({a})", turn(a)), ANGLES),
    st.builds(lambda a, x, y: (f"rotate ({a},{x},{y})", turn(a, x, y)), ANGLES, NUMBERS, NUMBERS),
    st.builds(lambda a: (f"skewX({a})", skew(a, 0)), st.floats(-60, 60).map(lambda value: round(value, 3))),
    st.builds(lambda a: (f"skewY({a})", skew(0, a)), st.floats(-60, 60).map(lambda value: round(value, 3))),
)


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(STEPS, max_size=4), NUMBERS, NUMBERS, st.sampled_from(["", " ", ", ", "\n"]))
def test_transforms_move_points_as_svg_says(steps: list[tuple[str, Move]], x: float, y: float, gap: str) -> None:
    """A list of transforms is done from its last to its first."""
    point = complex(x, y)
    for _, move in reversed(steps):
        point = move(point)

    found = svg.transform(element(f'transform="{gap.join(written for written, _ in steps)}"')).point(x, y)

    assert abs(complex(*found) - point) <= 1e-9 * max(1.0, abs(point), 200.0 ** (2 * len(steps)))


@pytest.mark.parametrize(
    "written",
    [
        "turn(3)", "rotate", "rotate()", "rotate(a)", "rotate(1 2)", "matrix(1 2)", "matrix(1 2 3 4 5 6 7)",
        "translate(1 2 3)", "scale(1,2,3)", "skewX()", "skewX(1 2)", "translate(nan)",
        "translate(1e999)", "rotate(3) x", "x rotate(3)", "5",
    ],
)  # fmt: skip
def test_a_transform_that_is_none_is_refused(written: str) -> None:
    """A misspelt transform is named instead of left out."""
    with pytest.raises(svg.BadDrawing, match="transform"):
        svg.transform(element(f'transform="{written}"'))


DRAWING = f"""<svg {SVG}><linearGradient id="a" xlink:href="#b"/>
<linearGradient id="b"/><clipPath id="c c"/>
<g id="d" fill="url(#a)" clip-path="url( '#b' )" style="stroke:url(&quot;#a&quot;)"><use href="#e"/></g>
<path id="e" d="M0 0"/><text style="fill:url(#d)">url(#words) #hash</text></svg>"""


def test_a_prefix_keeps_references_consistent() -> None:
    """After renaming, every id has the prefix and every reference finds the element that it found before."""
    root = svg.parse(DRAWING)
    before = {(node.get("id") or node.tag, *svg.references(node)) for node in root.iter(etree.Element) if node is not root}
    with_prefix(root, "p-")
    after = {(node.get("id") or node.tag, *svg.references(node)) for node in root.iter(etree.Element) if node is not root}

    assert after == {tuple(part if part.startswith("{") else f"p-{part}" for part in parts) for parts in before}
    assert "url(#words) #hash" in svg.text_of(root)
    assert not re.search(r"url\(\s*['\"]?#(?!p-|words)", svg.text_of(root))


ILLUSTRATOR = """<?xml version="1.0" encoding="utf-8"?>
<!-- Generator: an <svg> is made here -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
	<!ENTITY ns_svg "http://www.w3.org/2000/svg">
	<!ENTITY ns_xlink 'http://www.w3.org/1999/xlink'>
	<!ENTITY ns_ai "http://ns.adobe.com/AdobeIllustrator/10.0/">
]>
<svg xmlns="&ns_svg;" xmlns:xlink="&ns_xlink;" xmlns:i="&ns_ai;" width="10" height="20">
<switch><foreignObject requiredExtensions="&ns_ai;"><i:pgfRef xlink:href="#pgf"/></foreignObject>
<g i:extraneous="self"><rect width="5" height="5"/></g></switch>
</svg>
"""
PLAIN = '<svg viewBox="0 0 1 1"><rect width="1" height="1"/></svg>'


def read(data: bytes) -> str:
    return svg.text_of(svg.parse(text_of_file(data)))


def test_what_illustrator_saves_is_taken(tmp_path: Path) -> None:
    """Its namespaces are entities; of what it keeps for itself nothing is drawn."""
    desk = Desk(tmp_path)
    desk.write("art/a.svg", ILLUSTRATOR)
    found = desk.tools.art.drawing("a")

    assert (found.width, found.height) == (10, 20)
    assert b"foreignObject" not in found.data
    assert b'<rect width="5"' in found.data


@pytest.mark.parametrize(
    ("offered", "drawn"),
    [
        ('<path id="a" systemLanguage="de"/><path id="b"/>', "b"),
        ('<path id="a" systemLanguage="de"/>', "a"),
        ('<flowRoot id="a" requiredFeatures="1.2"/><path id="b"/>', "b"),
    ],
)
def test_of_what_is_offered_one_is_drawn(tmp_path: Path, offered: str, drawn: str) -> None:
    """What is meant for all before what is meant for some."""
    desk = Desk(tmp_path)
    desk.art("a", f"<switch>{offered}</switch>")
    data = desk.tools.art.drawing("a").data

    assert [name for name in ("a", "b") if f'id="{name}"'.encode() in data] == [drawn]


def test_a_web_page_in_a_drawing_is_refused(tmp_path: Path) -> None:
    """The plain text beside it is often cut short."""
    desk = Desk(tmp_path)
    desk.art("a", "<switch><foreignObject/><text>Long te…</text></switch>")
    with pytest.raises(svg.BadDrawing, match="foreignObject"):
        desk.tools.art.drawing("a")


@pytest.mark.parametrize(
    "content",
    [
        PLAIN,
        f"<?xml version='1.0'?><!-- no <svg xmlns='x'> here -->{PLAIN}",
        f"<!DOCTYPE svg [<!ENTITY a 'b>'>]>{PLAIN}",
        PLAIN.replace("<rect", '<use xlink:href="#a"/><g inkscape:label="sea" sodipodi:nodetypes="cc"/><rect'),
        PLAIN.replace("<svg", "<svg\n"),
    ],
)
def test_what_everybody_knows_may_be_left_out(content: str) -> None:
    """The namespace of SVG itself, and of the prefixes that programs use."""
    assert "rect" in read(content.encode())


@pytest.mark.parametrize(
    "content",
    ['<svg xmlns="http://example.org"/>', "<html><svg/></html>", '<svg foo:bar="1"/>', "<g/>", "<svg"],
)
def test_what_is_not_certain_is_refused(content: str) -> None:
    """Another namespace, another root, a prefix that could mean anything."""
    with pytest.raises(svg.BadDrawing):
        read(content.encode())


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + PLAIN.encode(),
        PLAIN.encode("utf-16"),
        f'<?xml version="1.0" encoding="UTF-16"?>{PLAIN}'.encode("utf-16"),
        f'<?xml version="1.0" encoding="windows-1252"?><!-- \u00fc -->{PLAIN}'.encode("cp1252"),
        gzip.compress(PLAIN.encode(), mtime=0),
    ],
)
def test_encodings_are_those_that_the_file_names(data: bytes) -> None:
    """A byte order mark, a declaration, a packed file."""
    assert "rect" in read(data)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (gzip.compress(b" " * (svg.MOST_BYTES + 1), mtime=0), "once it is unpacked"),
        (gzip.compress(PLAIN.encode(), mtime=0)[:-9], "before its end"),
        (b"\x1f\x8b\x08nonsense", "cannot be unpacked"),
        (b'<?xml version="1.0" encoding="rot13"?><svg/>', "viewBox|well-formed|encoding"),
        (b'<?xml version="1.0" encoding="windows-1252"?><svg>\x81</svg>', "is not the windows-1252 text"),
    ],
)
def test_what_cannot_be_unpacked_or_read_is_refused(data: bytes, reason: str) -> None:
    """Bounded, and with the reason."""
    with pytest.raises(svg.BadDrawing, match=reason):
        svg.view_box(svg.parse(text_of_file(data)))


@pytest.mark.parametrize(
    "declared",
    [
        '<!ENTITY a "red">',
        '<!ENTITY a "http://example.org/&b;"><!ENTITY b "http://example.org/">',
        '<!ENTITY a SYSTEM "file:///etc/passwd">',
        '<!ENTITY a "http://example.org/<script/>">',
        '<!ENTITY % a "http://example.org/">',
    ],
)
def test_other_entities_stay_refused(declared: str) -> None:
    """Only a plain name of a namespace is put in; whatever grows or comes from outside is not."""
    with pytest.raises(svg.BadDrawing):
        read(f'<!DOCTYPE svg [{declared}]><svg id="&a;"/>'.encode())


def test_entities_bring_nothing_in_and_stay_within_bounds() -> None:
    """What one stands for is looked at like everything else; a short name that is used a million times is told."""
    long = "http://example.org/" + "a" * 180
    for text, said in (
        ('<!DOCTYPE svg [<!ENTITY a "http://example.org">]><svg><use href="&a;"/></svg>', "outside"),
        (f'<!DOCTYPE svg [<!ENTITY a "{long}">]><svg id="{"&a;" * 100_000}"/>', "8 MB"),
    ):
        with pytest.raises(svg.BadDrawing, match=said):
            read(text.encode())
