"""Other inks: grey keeps all contrasts, low-ink tints grounds and keeps details, lines and texts; nothing moves."""

from __future__ import annotations

import base64
import io
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from desk import Desk, colour_at, drawing, ink, picture
from lxml import etree
from PIL import Image

from pnp.draw.art import Drawing
from pnp.draw.inks import Recolouring
from pnp.values.faces import Layer, PlacedLayer, TextBox, TextLayer, TextPiece
from pnp.values.game import Ink

NAVY, RED, LIME, GOLD, BLACK, WHITE = "#003366", "#cc2200", "#a2f22f", "#f0d442", "#000000", "#ffffff"
COLOURS = [NAVY, RED, LIME, GOLD, BLACK, WHITE, "#7f7f7f", "#27dcff", "#ff3d9f", "#5b3a1e"]
INKS: tuple[Ink, ...] = ("grey", "low-ink")
# In mm of a drawing that is 100 mm wide and has 100 units: a ground is larger than a matchbox, a detail as an eye.
GROUND = '<rect id="it" width="90" height="80" {}/>'
SHAPE = '<rect id="it" width="20" height="15" {}/>'
DETAIL = '<rect id="it" width="2" height="1.5" {}/>'
LINE = '<path id="it" d="M0 0H50" fill="none" stroke-width="0.3" {}/>'


def remade(content: str, ink: Ink = "low-ink", width: float = 100, box: str = "0 0 100 100", **root: str) -> str:
    """A drawing of these contents in another ink, when it is so many mm wide."""
    _, _, across, high = map(float, box.split())
    before = Drawing("it.svg", drawing(content, box, **root).encode(), across, high)
    after = Recolouring(ink).drawing(before, width)
    assert (after.width, after.height) == (before.width, before.height)
    return after.data.decode()


def of(text: str, attribute: str = "fill", name: str = "it") -> str:
    """What an element of a drawing says of itself."""
    (found,) = cast("list[Any]", etree.fromstring(text.encode()).xpath(f'//*[@id="{name}"]'))
    return str(found.get(attribute))


def fill(content: str, ink: Ink = "low-ink", **options: Any) -> str:
    """The fill that the element ``it`` of a drawing gets."""
    return of(remade(content, ink, **options))


def rgb(colour: str) -> tuple[float, float, float]:
    assert re.fullmatch("#[0-9a-f]{6}", colour), colour
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def taken(colour: str) -> float:
    """Ink for a colour, as `pnp ink` counts it: what all three have in common is black."""
    parts = rgb(colour)
    return 1 - max(parts) + sum(max(parts) - part for part in parts)


def left(before: str, after: str) -> float:
    """The share of a colour's ink that is left."""
    return taken(after) / taken(before)


def light(colour: str) -> float:
    """Relative luminance, by the formula of WCAG 2.2."""
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in rgb(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, two: str) -> float:
    """By the same guidelines."""
    low, high = sorted((light(one), light(two)))
    return (high + 0.05) / (low + 0.05)


def has_same_hue(one: str, two: str) -> bool:
    """Whether the strongest and the weakest of red, green and blue are the same, so that a tint is still that colour."""
    first, second = rgb(one), rgb(two)
    return max(range(3), key=first.__getitem__) == max(range(3), key=second.__getitem__) and min(
        range(3), key=first.__getitem__
    ) == min(range(3), key=second.__getitem__)


def bitmap(*colours: str, mode: str = "RGBA", form: str = "PNG", **options: Any) -> bytes:
    """A picture of stripes, 20 dots each."""
    image = Image.new("RGBA", (20 * len(colours), 20))
    for at, colour in enumerate(colours):
        image.paste(colour, (20 * at, 0, 20 * at + 20, 20))
    target = io.BytesIO()
    image.convert(mode).save(target, form, **options)
    return target.getvalue()


def stripes(data: bytes) -> list[tuple[int, ...]]:
    """The colours in the middle of a picture's stripes, with their opacity."""
    with Image.open(io.BytesIO(data)) as image:
        dots = image.convert("RGBA")
    return [cast("tuple[int, ...]", dots.getpixel((at, 10))) for at in range(10, dots.width, 20)]


# --- grey ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("shape", [GROUND, SHAPE, DETAIL])
def test_grey_is_as_light_as_the_colour_was(colour: str, shape: str) -> None:
    """Whatever the size of what is painted; 1/255 is what a colour can say."""
    grey = fill(shape.format(f'fill="{colour}"'), "grey")
    level = round(rgb(grey)[0] * 255)
    nearest = [f"#{each:02x}{each:02x}{each:02x}" for each in (max(0, level - 1), min(255, level + 1))]

    assert len(set(rgb(grey))) == 1
    assert light(nearest[0]) <= light(colour) <= light(nearest[1])


def test_grey_photos_are_as_light_as_grey_drawings() -> None:
    """A picture of dots beside a drawing in the same colours is told from it in neither ink; what is clear stays clear."""
    before = Drawing("it.png", bitmap(*COLOURS, "#00000000"), 200, 20)
    after = Recolouring("grey").drawing(before, 50)
    *greys, clear = stripes(after.data)

    for colour, (red, green, blue, opacity) in zip(COLOURS, greys, strict=True):
        drawn = round(rgb(fill(SHAPE.format(f'fill="{colour}"'), "grey"))[0] * 255)
        assert (red, opacity) == (pytest.approx(drawn, abs=1), 255)
        assert red == green == blue
    assert clear[3] == 0


# --- low-ink: grounds, shapes, details ----------------------------------------------------------------------------------


@pytest.mark.parametrize("colour", [colour for colour in COLOURS if colour != WHITE])
def test_grounds_and_shapes_are_tinted(colour: str) -> None:
    """A ground keeps less of its ink than a shape on it, both far less than half; a tint of a colour is that colour."""
    ground, shape = (fill(each.format(f'fill="{colour}"')) for each in (GROUND, SHAPE))

    assert 0 < left(colour, ground) < left(colour, shape) < 0.3
    if taken(colour) and len(set(rgb(colour))) == 3:
        assert has_same_hue(colour, ground) and has_same_hue(colour, shape)


def test_white_stays_white_and_nothing_stays_nothing() -> None:
    """No ink is added anywhere."""
    for shape in (GROUND, SHAPE, DETAIL):
        assert fill(shape.format(f'fill="{WHITE}"')) == WHITE
        assert fill(shape.format('fill="none"')) == "none"
        assert fill(shape.format('fill="transparent"')) == "transparent"
        assert fill(shape.format('fill="#00330000"')).endswith("00")


FORMS = [
    '<rect id="it" {size} fill="#003366"/>',
    '<circle id="it" r="{half}" fill="#003366"/>',
    '<ellipse id="it" rx="{half}" ry="{half}" fill="#003366"/>',
    '<polygon id="it" points="0,0 {whole},0 {whole},{whole} 0 {whole}" fill="#003366"/>',
    '<path id="it" d="M0 0h{whole}v{whole}h-{whole}z" fill="#003366"/>',
    '<path id="it" d="M0 0C0 {whole} {whole} {whole} {whole} 0" fill="#003366"/>',
]


@pytest.mark.parametrize("form", FORMS)
def test_what_is_large_and_small_is_seen_of_every_form(form: str) -> None:
    """Rectangles, circles, polygons, paths: large ones are grounds, small ones details, the others between."""
    ground, shape, detail = (
        left(NAVY, fill(form.format(size=f'width="{whole}" height="{whole}"', half=whole / 2, whole=whole)))
        for whole in (90, 20, 2)
    )

    assert ground < shape < 0.3 < 0.8 < detail


def test_a_drawing_is_judged_at_the_width_it_has() -> None:
    """The same drawing as an icon is all detail, as a poster all ground."""
    icon, poster = (left(NAVY, fill(SHAPE.format(f'fill="{NAVY}"'), width=width)) for width in (5, 1000))

    assert poster < 0.2 < 0.8 < icon


# --- low-ink: lines -----------------------------------------------------------------------------------------------------


def test_outlines_are_kept_and_bands_are_tinted() -> None:
    """A line wider than a pen's is a band of colour, and more of it goes; it stands out from a tinted shape all the same."""
    outline = of(remade(LINE.format(f'stroke="{NAVY}"')), "stroke")
    band = of(remade(LINE.replace("0.3", "4").format(f'stroke="{NAVY}"')), "stroke")

    assert left(NAVY, fill(SHAPE.format(f'fill="{NAVY}"'))) < left(NAVY, band) < 0.5 < left(NAVY, outline)


@pytest.mark.parametrize(
    "content",
    [
        '<g stroke-width="4"><path id="it" d="M0 0H50" stroke="#003366"/></g>',
        '<g transform="scale(10)"><path id="it" d="M0 0H5" stroke="#003366" stroke-width="0.4"/></g>',
        '<g style="stroke-width:4"><path id="it" d="M0 0H50" stroke="#003366"/></g>',
        '<path id="it" d="M0 0H50" stroke="#003366" style="fill:none;stroke-width: 4 "/>',
        '<path id="it" d="M0 0H50" stroke="#003366"/>',
    ],
)
def test_a_line_is_as_wide_as_it_is_on_paper(content: str) -> None:
    """Its width comes from its group, its style, its scale, or from nowhere: then it is 1."""
    assert left(NAVY, of(remade(content), "stroke")) < 0.5


def test_a_light_line_is_seen_on_its_tinted_ground() -> None:
    """Neon on night would be lost on pale night: it is made darker, never lighter than it was."""
    ground = fill(GROUND.format('fill="#0e0824"'))
    for colour in (LIME, "#27dcff", "#ff3d9f"):
        line = of(remade(LINE.format(f'stroke="{colour}"')), "stroke")
        assert light(line) < light(ground)
        assert contrast(line, ground) >= 1.4


# --- low-ink: where colours come from -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        '<g fill="#003366"><rect id="it" width="90" height="80"/></g>',
        '<g style="fill:#003366"><g transform="scale(9)"><rect id="it" width="10" height="9"/></g></g>',
        '<svg width="100" height="100" viewBox="0 0 10 10" fill="#003366"><rect id="it" width="9" height="8"/></svg>',
    ],
)
def test_colour_and_size_may_come_from_around(content: str) -> None:
    """A ground that has them from its groups and drawings is tinted as one that has its own; style goes as attributes do."""
    assert fill(content) == fill(GROUND.format('fill="#003366"'))
    styled = of(remade(GROUND.format('style="fill-opacity:.5; fill: #003366 ;--myfill:#003366"')), "style")
    told = dict(part.split(":") for part in styled.replace(" ", "").split(";"))
    assert told == {"fill-opacity": ".5", "fill": fill(content), "--myfill": "#003366"}


@pytest.mark.parametrize("written", ["#036", "#003366", "rgb(0, 51, 102)", "rgb(0%,20%,40%)", " #003366 ", "#003366ff"])
def test_colours_are_understood_as_they_are_written(written: str) -> None:
    """Short, long, as numbers, in per cent: it is the same colour."""
    assert fill(GROUND.format(f'fill="{written}"')) == fill(GROUND.format('fill="#003366"'))


@pytest.mark.parametrize("ink", INKS)
def test_gradients_and_floods_are_changed(ink: Ink) -> None:
    """Their stops, as attributes and as style; which gradient a shape has stays."""
    changed = remade(
        '<defs><linearGradient id="g"><stop id="a" stop-color="#003366"/><stop id="b" style="stop-color:#003366"/>'
        '</linearGradient><filter id="f"><feFlood id="c" flood-color="#003366"/></filter></defs>'
        '<rect id="it" width="90" height="80" fill="url(#g)"/>',
        ink,
    )
    found = [of(changed, "stop-color", "a"), of(changed, "style", "b").partition(":")[2], of(changed, "flood-color", "c")]

    assert len(set(found)) == 1
    assert found[0] == fill(SHAPE.format('fill="#003366"'), ink)
    assert of(changed) == "url(#g)"


# --- low-ink: drawn elsewhere, seen here --------------------------------------------------------------------------------


USED = '<defs><g id="p"><rect width="20" height="10"/></g></defs>'


@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize(
    "content",
    [
        USED + '<use href="#p" x="5" y="5" fill="#cc2200"/>',
        USED + '<g fill="#cc2200"><use href="#p" x="5" y="5"/></g>',
        USED + '<use href="#p" x="5" y="5" style="fill:#cc2200"/>',
        '<defs><g id="p"><rect width="20" height="10" fill="#cc2200"/></g></defs><use href="#p" x="5" y="5"/>',
        '<defs><g id="p" fill="#cc2200"><rect width="20" height="10"/></g></defs><use href="#p" x="5" y="5"/>',
        '<defs><clipPath id="c"><rect width="30" height="20"/></clipPath></defs>'
        '<g clip-path="url(#c)"><rect x="5" y="5" width="20" height="10" fill="#cc2200"/></g>',
    ],
)
def test_what_is_used_is_seen_as_if_it_were_drawn_here(desk: Desk, content: str, ink: Ink) -> None:
    """Its colour may come from where it is drawn or from where it is used; it is changed once, and once only."""
    plain = shown(desk, '<rect x="5" y="5" width="20" height="10" fill="#cc2200"/>', ink)

    assert near(colour_at(shown(desk, content, ink), 15, 10), colour_at(plain, 15, 10))


@pytest.mark.parametrize("ink", INKS)
def test_a_mask_hides_what_it_hid(desk: Desk, ink: Ink) -> None:
    """Black in a mask is no ink: it hides, also when it comes from a gradient."""
    content = (
        '<defs><linearGradient id="g"><stop offset="0.5" stop-color="#ffffff"/><stop offset="0.5" stop-color="#000000"/>'
        '</linearGradient><mask id="m"><rect width="40" height="30" fill="{}"/>{}</mask></defs>'
        '<g mask="url(#m)"><rect width="40" height="30" fill="#cc2200"/></g>'
    )
    plain = colour_at(shown(desk, '<rect width="40" height="30" fill="#cc2200"/>', ink), 5, 5)
    for mask in (
        content.format("url(#g)", ""),
        content.format("#ffffff", '<rect x="20" width="20" height="30" fill="#000000"/>'),
    ):
        image = shown(desk, mask, ink)
        assert near(colour_at(image, 5, 15), plain)
        assert colour_at(image, 35, 15) == WHITE


@pytest.mark.parametrize("ink", INKS)
def test_a_drawing_in_a_drawing_is_changed(ink: Ink) -> None:
    """One that is set in as data, which is how a group drawn as a whole has it."""
    inner = drawing('<rect width="100" height="100" fill="#cc2200"/>', "0 0 100 100").encode()
    href = f"data:image/svg+xml;base64,{base64.b64encode(inner).decode()}"
    changed = of(remade(f'<image id="it" href="{href}" width="30" height="30"/>', ink), "href")
    made = base64.b64decode(changed.removeprefix("data:image/svg+xml;base64,")).decode()

    (colour,) = re.findall('fill="(#......)"', made)
    assert colour != RED
    assert len(set(rgb(colour))) == 1 if ink == "grey" else left(RED, colour) < 0.3


@pytest.mark.parametrize(("kind", "form"), [("png", "PNG"), ("jpeg", "JPEG")])
def test_a_picture_in_a_drawing_is_changed(kind: str, form: str) -> None:
    """In its own kind: a photograph as PNG would be many times as large."""
    target = io.BytesIO()
    Image.new("RGB", (8, 8), RED).save(target, form)
    href = f"data:image/{kind};base64,{base64.b64encode(target.getvalue()).decode()}"
    changed = of(remade(f'<image id="it" href="{href}" width="9" height="9"/>', "grey"), "href")

    assert changed.startswith(f"data:image/{kind};base64,")
    with Image.open(io.BytesIO(base64.b64decode(changed.partition(",")[2]))) as made:
        red, green, blue = cast("tuple[int, int, int]", made.convert("RGB").getpixel((4, 4)))
        assert (made.format, red == green == blue) == (form, True)


@pytest.mark.parametrize("shape", ['rect width="100%" height="5mm"', 'circle r="big"', 'polygon points="1 2 x"', "polygon"])
def test_a_shape_that_cannot_be_measured_is_tinted(shape: str) -> None:
    """It may be large."""
    assert left(NAVY, fill(f'<{shape} id="it" fill="#003366"/>')) < 0.3


# --- low-ink: texts -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("colour", [*COLOURS, "#00ff00", "#ffff00", "#00ffff", "#ffffff", "#f0ffd4"])
def test_texts_are_dark(colour: str) -> None:
    """White on black comes out dark on pale: by 4.5 to 1 on the palest and the darkest ground that there is."""
    text = Recolouring("low-ink").text(colour)
    grounds = [fill(shape.format(f'fill="{BLACK}"')) for shape in (GROUND, SHAPE)]

    for ground in (WHITE, *grounds):
        assert contrast(text, ground) >= 4.5
    if colour in (LIME, "#00ff00", "#ff3d9f"):
        assert has_same_hue(colour, text)


# --- pictures -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "form"), [("RGB", "PNG"), ("RGBA", "PNG"), ("P", "PNG"), ("RGB", "JPEG"), ("CMYK", "JPEG")]
)
def test_photos_are_tinted(mode: str, form: str) -> None:
    """Of every make; as a PNG, for a JPEG would be pressed twice."""
    before = Drawing(f"it.{form.lower()}", bitmap(NAVY, RED, WHITE, mode=mode, form=form), 60, 20)
    after = Recolouring("low-ink").drawing(before, 60)
    navy, red, white = (f"#{r:02x}{g:02x}{b:02x}" for r, g, b, _ in stripes(after.data))

    assert after.file.endswith(".png") and after.file != before.file
    assert 0 < left(NAVY, navy) < 0.35 and 0 < left(RED, red) < 0.35
    assert min(rgb(white)) > 0.99


# --- layers -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """An empty game with a drawing, a photo and an icon, all red."""
    desk = Desk(tmp_path, palette={"ink": "#cc2200"})
    desk.art("flag", '<rect width="10" height="10" fill="#cc2200"/>')
    desk.art("icons/dot", '<rect width="10" height="10" fill="#cc2200"/>')
    desk.write("art/photo.png", bitmap(RED, NAVY))
    desk.write("art/same.png", bitmap(RED, NAVY, compress_level=0))
    return desk


def changed(layers: tuple[PlacedLayer, ...], ink: Ink) -> tuple[PlacedLayer, ...]:
    """The layers of a face in this ink."""
    recolouring = Recolouring(ink)
    return tuple(replace(placed, layer=recolouring.layer(placed.layer)) for placed in layers)


def shown(desk: Desk, content: str, ink: Ink) -> Image.Image:
    """A face as it is printed in this ink, at five dots a mm."""
    layers = desk.cut(content)
    assert not desk.faults, desk.faults
    image = picture(desk.pdf(changed(layers, ink)))
    assert not list(desk.problems), list(map(str, desk.problems))
    return image


def near(one: str, two: str) -> bool:
    """Whether two colours are the same but for rounding."""
    return all(abs(first - second) <= 2 / 255 for first, second in zip(rgb(one), rgb(two), strict=True))


FACE = """<rect width="40" height="30" fill="#003366"/>
<image href="flag" x="2" y="2" width="8" height="8"/>
<image href="photo" x="12" y="2" width="8" height="4"/>
<g opacity="0.5"><image href="photo" x="22" y="2" width="8" height="4"/>
<image href="same" x="22" y="12" width="8" height="4"/><image href="flag" x="31" y="2" width="8" height="8"/></g>
<foreignObject x="2" y="14" width="18" height="10" data-fill="#ffffff">Pay :dot: **two**</foreignObject>
<text x="22" y="28" font-size="4" fill="#ffffff">7</text>"""


@pytest.mark.parametrize("ink", INKS)
def test_everything_stays_where_it_is(desk: Desk, ink: Ink) -> None:
    """The size and place of layers, of text boxes and of ink: marks and nets still fit."""
    layers = desk.cut(FACE)
    for before, after in zip(layers, changed(layers, ink), strict=True):
        assert (after.matrix, after.layer.width, after.layer.height) == (
            before.matrix,
            before.layer.width,
            before.layer.height,
        )
        assert colourless(before.layer) == colourless(after.layer)
    plain = (
        '<rect x="10" y="5" width="20" height="10" fill="#003366"/><text x="12" y="25" font-size="4" fill="#cc2200">7</text>'
    )
    assert ink_of(shown(desk, plain, ink)) == ink_of(shown(desk, plain, ""))


def ink_of(image: Image.Image) -> Any:
    """Where anything is printed."""
    return ink(image.point(lambda value: 0 if value < 245 else 255))


def colourless(layer: Layer) -> list[TextPiece]:
    """The texts of a layer without their colours, and icons without their files."""
    return [
        replace(
            piece,
            setting=replace(piece.setting, fill=""),
            icons=tuple(replace(icon, file="") for icon in piece.icons),
        )
        if isinstance(piece, TextBox)
        else replace(piece, fill="")
        for piece in (layer.pieces if isinstance(layer, TextLayer) else ())
    ]


def test_what_is_printed_is_pale_with_dark_texts(desk: Desk) -> None:
    """The whole face, through the drawing engine: pictures in groups are found under their new names."""
    image = shown(desk, FACE, "low-ink")
    places = {"ground": (1, 29), "flag": (6, 6), "photo": (14, 4), "photo in a group": (24, 4), "another": (24, 14)}

    for what, place in {**places, "flag in a group": (35, 6)}.items():
        assert light(colour_at(image, *place)) > 0.5, what
        assert colour_at(image, *place) != WHITE, what
    box = image.crop((10, 70, 100, 100)).convert("L")
    assert cast("tuple[int, int]", box.getextrema())[0] < 80
