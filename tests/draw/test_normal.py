"""Drawings print as they were meant: each way in which the engine would draw otherwise is mended, or refused by name."""

from __future__ import annotations

import io
import time
from contextlib import suppress

import pikepdf
import pytest
from desk import DOTS, Box, Desk, ink
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image

from pnp.draw.art import Drawing
from pnp.draw.inks import Recolouring
from pnp.svg import safe as svg
from pnp.svg.normal import DOTS as MOST_DOTS
from pnp.svg.safe import BadDrawing
from pnp.values.game import Ink

RED = "#ff0000"
INKS: tuple[Ink, ...] = ("grey", "low-ink")
MANY = 20_000
SHADOW = '<filter id="f"><feGaussianBlur stdDeviation="1"/></filter>'


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """The same for many drawings."""
    return Desk(tmp_path_factory.mktemp("desk"))


def saved(desk: Desk, content: str, attributes: str = 'viewBox="0 0 40 30"') -> Drawing:
    """A drawing of this content, as it is taken from the folder."""
    spaces = f'xmlns="{svg.SVG}" xmlns:xlink="http://www.w3.org/1999/xlink"'
    desk.write("art/a.svg", f"<svg {spaces} {attributes}>{content}</svg>")
    return desk.tools.art.drawing("a")


def printed(desk: Desk, content: str, attributes: str = 'viewBox="0 0 40 30"') -> Image.Image:
    """The face with this drawing on it, in print."""
    saved(desk, content, attributes)
    return desk.show('<image href="a" width="40" height="30"/>')


def near(found: Box | None, wanted: Box, by: float = 2 / DOTS) -> bool:
    """Whether ink is where it was wanted, but for a dot or two."""
    return found is not None and all(abs(a - b) <= by for a, b in zip(found, wanted, strict=True))


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ('viewBox="0 0 200 200"', (5, 0, 35, 30)),
        ('width="200" height="100" viewBox="0 0 200 200"', (10, 5, 30, 25)),
        ('width="20mm" height="1cm" viewBox="0 0 200 200"', (10, 5, 30, 25)),
        ('width="50" viewBox="0 0 200 200"', (5, 0, 35, 30)),
        ('width="auto" height="50" viewBox="0 0 200 200"', (5, 0, 35, 30)),
        ('width="200" height="100" viewBox="0 0 200 200" preserveAspectRatio="xMinYMid"', (0, 5, 20, 25)),
        ('width="200" height="100" viewBox="0 0 200 200" preserveAspectRatio="xMaxYMid meet"', (20, 5, 40, 25)),
        ('width="200" height="100" viewBox="0 0 200 200" preserveAspectRatio="none"', (0, 5, 40, 25)),
        ('width="200" height="100" viewBox="0 0 200 200" preserveAspectRatio="xMidYMid slice"', (0, 5, 40, 25)),
        ('width="200" height="200"', (5, 0, 35, 30)),
        ('width="400px" height="600px"', (10, 0, 20, 10)),
        ('width="300pt" height="450pt"', (10, 0, 20, 10)),
        ('width="100mm" height="150mm"', (10, 0, 20.583, 10.583)),
        ('width="4in" height="6in"', (10, 0, 20.417, 10.417)),
    ],
)
def test_a_drawing_has_the_shape_that_a_browser_gives_it(desk: Desk, attributes: str, expected: Box) -> None:
    """A disc that fills its viewBox is a disc in print, unless preserveAspectRatio says "none"."""
    image = printed(desk, f'<circle cx="100" cy="100" r="100" fill="{RED}"/>', attributes)

    assert near(ink(image), expected), (ink(image), expected)


def test_a_slice_is_cut_off(desk: Desk) -> None:
    """What fills its place shows the middle, not all of it."""
    slice_ = 'width="200" height="100" viewBox="0 0 200 200" preserveAspectRatio="xMidYMid slice"'
    image = printed(desk, f'<rect width="200" height="50" fill="{RED}"/><rect y="50" width="200" height="50"/>', slice_)

    assert ink(image, RED) is None
    assert near(ink(image, "#000000"), (0, 5, 40, 15))


@pytest.mark.parametrize(
    "content",
    [
        '<svg x="10" y="10" width="20" height="10" viewBox="0 0 10 10">{}</svg>',
        '<symbol id="s" viewBox="0 0 10 10">{}</symbol><use href="#s" x="10" y="10" width="20" height="10"/>',
        '<g transform="translate(10 10)"><svg width="20" height="10" viewBox="0 0 10 10">{}</svg></g>',
        '<svg transform="translate(10 10)" width="20" height="10" viewBox="0 0 10 10">{}</svg>',
    ],
)
def test_a_drawing_within_a_template_keeps_its_shape(desk: Desk, content: str) -> None:
    """The same holds for drawings within a drawing, in art and in templates."""
    disc = f'<circle cx="5" cy="5" r="5" fill="{RED}"/>'
    for image in (printed(desk, content.format(disc)), desk.show(content.format(disc))):
        assert near(ink(image), (15, 10, 25, 20)), ink(image)


@pytest.mark.parametrize(
    "line",
    [
        '<path d="M20 15L20 15"/>',
        '<path d="M 20,15 h0"/>',
        '<path d="M20 15l0 0L20 15z"/>',
        '<line x1="20" y1="15" x2="20" y2="15"/>',
    ],
)
@pytest.mark.parametrize("cap", ["round", "square"])
def test_a_line_of_no_length_is_a_dot(desk: Desk, line: str, cap: str) -> None:
    """Icons have them as the dot of an i; the engine leaves them out."""
    image = printed(desk, f'<g stroke="{RED}" stroke-width="10" stroke-linecap="{cap}">{line}</g>')

    assert near(ink(image), (15, 10, 25, 20)), ink(image)


@pytest.mark.parametrize(
    ("gradient", "expected"),
    [
        ('r="5" spreadMethod="repeat"', "red blue red blue"),
        ('r="5" spreadMethod="reflect"', "red blue blue red"),
        ('r="15" fr="10"', "red red red red"),
    ],
)
def test_gradients_around_a_point_are_what_they_say(desk: Desk, gradient: str, expected: str) -> None:
    """Rings that repeat, and a disc in the middle: PDF would go on with the last colour, and begin in the middle."""
    stops = '<stop offset="0" stop-color="#ff0000"/><stop offset="1" stop-color="#0000ff"/>'
    content = f'<radialGradient id="g" gradientUnits="userSpaceOnUse" cx="20" cy="15" {gradient}>{stops}</radialGradient>'
    image = printed(desk, content + '<rect width="40" height="30" fill="url(#g)"/>')
    seen = [image.getpixel((int((20 + away) * DOTS), 15 * DOTS)) for away in (0.5, 4.5, 5.5, 9.5)]

    assert " ".join("red" if red > blue else "blue" for red, _, blue in seen) == expected  # type: ignore[misc]


def test_tiles_of_a_pattern_stay_in_step(desk: Desk) -> None:
    """Readers of PDF round a tile to dots, and the fifteenth is off by some: here each stands where it should."""
    tile = f'<rect width="1.285" height="30" fill="{RED}"/>'
    pattern = f'<pattern id="p" width="2.57" height="30" patternUnits="userSpaceOnUse">{tile}</pattern>'
    image = printed(desk, pattern + '<rect width="40" height="30" fill="url(#p)"/>')
    starts = [x for x in range(1, 40 * DOTS) if is_red(image, x) and not is_red(image, x - 1)]

    assert len(starts) == 15
    assert all(abs(start / DOTS - 2.57 * number) < 1.5 / DOTS for number, start in enumerate(starts, 1)), starts


def is_red(image: Image.Image, x: int) -> bool:
    """Whether the dot in the middle row is more red than white."""
    return image.getpixel((x, 15 * DOTS))[1] < 128  # type: ignore[index]


def test_tiles_are_drawn_as_dots_in_groups_that_are_moved_and_turned(desk: Desk) -> None:
    """The dots stand where the group is, and what is beside them stays lines."""
    tile = f'<rect width="1" height="1" fill="{RED}"/>'
    pattern = f'<pattern id="p" width="1" height="1" patternUnits="userSpaceOnUse">{tile}</pattern>'
    group = '<g transform="translate(20 15) rotate(90) scale(2)"><rect width="5" height="5" fill="url(#p)"/></g>'
    image = printed(desk, pattern + group + '<rect x="30" y="5" width="5" height="5"/>')

    assert near(ink(image, RED), (10, 15, 20, 25)), ink(image, RED)
    assert near(ink(image, "#000000"), (30, 5, 35, 10))


@pytest.mark.parametrize(
    "content",
    [
        SHADOW + '<g opacity=".5"><rect x="100" y="100" width="3000" height="2000" filter="url(#f)"/></g>',
        SHADOW + '<mask id="m"><rect width="4000" height="3000" fill="#fff" filter="url(#f)"/></mask>'
        '<rect width="4000" height="3000" mask="url(#m)"/>',
    ],
)
def test_effects_have_as_many_dots_as_are_printed(desk: Desk, content: str) -> None:
    """Within what is see-through, the engine would take 288 dots for each unit of the drawing, however small it is."""
    desk.art("a", content, "0 0 4000 3000")
    layers = desk.cut('<image href="a" width="40" height="30"/>')
    with pikepdf.open(io.BytesIO(desk.pdf(layers))) as pdf:
        sides = [
            max(int(each.Width), int(each.Height))
            for each in pdf.objects
            if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/Image"
        ]

    assert sides
    assert all(300 <= side <= MOST_DOTS + 2 for side in sides), sides


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('<filter id="f">\n<feDiffuseLighting/></filter><g filter="url(#f)"/>', "<feDiffuseLighting> looks otherwise"),
        ('<filter id="f">\n<feSpecularLighting/></filter><g style="filter:url(#f)"/>', "<feSpecularLighting>"),
        ('<filter id="f">\n<feConvolveMatrix/></filter><g filter="url(#f)"/>', "<feConvolveMatrix> looks otherwise"),
        ('\n<svg transform="scale(2)" id="s"/><use href="#s"/>', "transform"),
    ],
)
def test_what_cannot_be_drawn_as_it_is_meant_is_refused_at_its_line(desk: Desk, content: str, reason: str) -> None:
    """At once, and by name: what looks otherwise at each size."""
    before = time.monotonic()
    with pytest.raises(BadDrawing, match=reason) as fault:
        saved(desk, content, 'viewBox="0 0 100 100"')

    assert fault.value.line == 2
    assert fault.value.file == desk.folder / "art/a.svg"
    assert time.monotonic() - before < 5


@pytest.mark.parametrize(
    "content",
    [
        '<filter id="f"><feDiffuseLighting/></filter>',
        SHADOW + '<g id="a"><rect width="9" height="9" filter="url(#f)"/></g>' * 300,
        '<path stroke-dasharray="none" d="M0 0h9"/>',
        '<use id="a" href="#b"/><use id="b" href="#a"/>',
        '<g id="a0"><path/></g>' + "".join(f'<g id="a{i}"><use href="#a{i - 1}"/></g>' for i in range(1, 50)),
    ],
)
def test_what_does_no_harm_is_not_refused(desk: Desk, content: str) -> None:
    """Effects that nothing has, many small shadows, circles of references, long chains of them."""
    desk.art("a", content, "0 0 100 100")

    assert desk.tools.art.drawing("a").is_svg


RUBBISH = st.sampled_from([
    "1.2.3", ".", "..", "-", "1e", "1e999", "1e200", "-1e200", "1e-200", "9" * 400, "nan", "inf", "5px", "5%", "1_000",
    "a:b;;:", "url(#", "url(#x)", "1 2 3 4", "0 0 1e200 1e200", "0 0 1e-200 1e-200", "scale(1e400)", "scale(0)",
    "1e308em", "rotate(1 2)", "translate(1-2)", "matrix(1e308 1e308 1e308 1e308 1e308 1e308)", "M", "M1.2.3 4 h0",
    "M0 0h9e307h9e307", "M1 1 A", "rgb(1,2)", "hsl(1e9%,1%,1%)", "fill:hsl(4,4%)", "font-size:1e999em",
    "stroke-dasharray:. .", "round", "userSpaceOnUse", "filter",
])  # fmt: skip
KEYS = (
    "x", "y", "x1", "x2", "width", "height", "r", "rx", "d", "points", "transform", "style", "fill", "stroke",
    "stroke-width", "stroke-dasharray", "stroke-linecap", "filter", "opacity", "viewBox", "preserveAspectRatio", "font-size",
    "letter-spacing", "dx", "rotate", "radius", "numOctaves", "fr", "patternUnits", "href", "id",
)  # fmt: skip
NAMES = (
    "line", "path", "rect", "circle", "ellipse", "polygon", "g", "svg", "use", "text", "image", "pattern", "filter",
    "feMorphology", "feTurbulence", "radialGradient", "mask", "clipPath",
)  # fmt: skip


@st.composite
def nonsense(draw: st.DrawFn) -> str:
    """A few elements with values in their attributes that nobody can read; several may have the same."""
    parts = []
    for name in draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3)):
        one = draw(RUBBISH)
        values = {key: draw(st.just(one) | RUBBISH) for key in draw(st.sets(st.sampled_from(KEYS), max_size=4))}
        parts.append((name, values, "a" if name == "text" else ""))
    inside = ""
    for name, values, text in parts:
        attributes = " ".join(f'{key}="{value}"' for key, value in values.items())
        inside = f"<{name} {attributes}>{text}{inside}</{name}>"
    return inside


@given(content=nonsense(), box=st.just("0 0 40 30") | RUBBISH)
@example('<line x1="1.2.3" x2="1.2.3" stroke-linecap="round"/>', "0 0 40 30")
@example(f'<text font-size="4" rotate="{"9" * 400}">a</text>', "0 0 40 30")
@example('<text font-size="1e999em">a</text>', "0 0 40 30")
@example('<g><feMorphology radius="1e200"/></g>', "0 0 40 30")
@example('<rect transform="none" width="9" height="9"/>', "0 0 40 30")
@example('<svg viewBox="0 0"/>', "0 0 40 30")
@example("", "0 0 1e200 1e200")
@example("", "0 0 1e-200 1e-200")
def test_values_that_cannot_be_read_are_refused_or_passed_over(shared: Desk, content: str, box: str) -> None:
    """Never a fault of pnp itself: neither from art/ nor in a template, in colour nor in another ink."""
    text = f'<svg xmlns="{svg.SVG}" viewBox="{box}">{content}</svg>'
    with suppress(BadDrawing):
        found = shared.tools.art.read(text.encode(), vector=True)
        for ink in INKS:
            Recolouring(ink).drawing(found, 40)
    with suppress(BadDrawing):
        for placed in shared.cut(content):
            for ink in INKS:
                Recolouring(ink).layer(placed.layer)


@pytest.mark.parametrize(
    "content",
    [
        f'<path stroke-linecap="round" d="M{"1" * MANY}x"/>',
        f'<path stroke-linecap="round" d="M1 1{" " * MANY}x"/>',
        f'<path stroke-linecap="round" d="M1 1l{"0" * MANY}x"/>',
        f'<rect stroke-dasharray="1 {"0" * MANY}x"/>',
        f'<radialGradient fr="{"0" * MANY}x"/>',
        f'<rect fill="{"url(#a" * MANY}"/>',
        f'<rect fill="url({" " * MANY}x"/>',
        f'<rect transform="{"scale(" * MANY}"/>',
        f"<style>{'/*a' * MANY}</style>",
        f"<style>.a{' ' * MANY}b {{}}</style>",
        "<style>" + ":a" * MANY + '</style><pattern id="p"/><rect fill="url(#p)"/>',
        f"<style>{'.a{' * MANY}</style>",
    ],
    ids=lambda content: content[:40],
)
def test_a_long_value_takes_no_longer_than_it_is(desk: Desk, content: str) -> None:
    """Patterns that try all ways to part a value would take minutes."""
    started = time.process_time()
    with suppress(BadDrawing):
        Recolouring("low-ink").drawing(saved(desk, content), 40)
    assert time.process_time() - started < 2
