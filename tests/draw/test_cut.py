"""A face's drawing is cut into layers: their order, what they share, and that the ink stays where SVG puts it."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest
from desk import DOTS, Desk, colour_at, difference, drawing, ink
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import escape
from PIL import Image

from pnp.draw import layers
from pnp.draw.layers import Frame, Patterns
from pnp.svg.safe import BadDrawing
from pnp.values.faces import ImageLayer, PlacedLayer, TextBox, TextLabel, TextLayer

GROUND = '<rect width="40" height="30" fill="#336699"/>'
TEXT = '<foreignObject x="2" y="2" width="20" height="10">Words</foreignObject>'


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """An empty game, with drawings and bitmaps in two halves: red at the left, blue at the right."""
    desk = Desk(tmp_path)
    desk.art(
        "wide", '<rect width="10" height="10" fill="#f00"/><rect x="10" width="10" height="10" fill="#00f"/>', "0 0 20 10"
    )
    bitmap = Image.new("RGB", (200, 100), "#f00")
    bitmap.paste("#00f", (100, 0, 200, 100))
    target = io.BytesIO()
    bitmap.save(target, "PNG")
    desk.write("art/bitmap.png", target.getvalue())
    return desk


def kinds(layers: tuple[PlacedLayer, ...]) -> list[str]:
    """What layers are, bottom first: text, or the kind of their file."""
    return [placed.layer.file.rpartition(".")[2] if isinstance(placed.layer, ImageLayer) else "text" for placed in layers]


def source(placed: PlacedLayer) -> str:
    """The SVG of a layer of shapes."""
    assert isinstance(placed.layer, ImageLayer)
    return placed.layer.files[placed.layer.file].decode()


def near(box: Any, expected: tuple[float, ...], by: float = 0.25) -> bool:
    """Whether a box of ink is the expected one."""
    return box is not None and all(abs(one - two) <= by for one, two in zip(box, expected, strict=True))


# -- layers


def test_layers_lie_in_the_order_of_the_drawing(desk: Desk) -> None:
    """Shapes, texts and pictures come as they are drawn; neighbours of a kind are one layer."""
    shapes = '<rect width="9" height="9"/><circle r="3"/>'
    layers = desk.cut(
        f'{shapes}{TEXT}<text x="3" y="9" font-size="4">7</text><image href="bitmap" width="9" height="9"/>{shapes}'
    )

    assert kinds(layers) == ["svg", "text", "png", "svg"]
    assert isinstance(layers[1].layer, TextLayer)
    assert [type(piece) for piece in layers[1].layer.pieces] == [TextBox, TextLabel]
    assert layers[0].layer.key == layers[3].layer.key


def test_what_faces_share_is_one_layer(desk: Desk) -> None:
    """Two faces that differ in their words share ground and picture, also when the picture moves."""
    one = desk.cut(f'{GROUND}{TEXT}<image href="bitmap" x="1" y="1" width="9" height="9"/>')
    two = desk.cut(f'{GROUND}{TEXT.replace("Words", "More")}<image href="bitmap" x="5" y="7" width="9" height="9"/>')

    assert [first.layer.key == second.layer.key for first, second in zip(one, two, strict=True)] == [True, False, True]
    assert one[2].matrix != two[2].matrix


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (GROUND, GROUND.replace("#336699", "#336698")),
        (TEXT, TEXT.replace('x="2"', 'x="2.01"')),
        (TEXT, TEXT.replace("Words", "words")),
        (TEXT, TEXT.replace("<foreignObject", '<foreignObject data-size="8"')),
        ('<image href="wide" width="9" height="9"/>', '<image href="wide" width="9" height="4"/>'),
        ('<image href="wide" width="9" height="9"/>', '<image href="bitmap" width="9" height="9"/>'),
    ],
)
def test_what_differs_is_another_layer(desk: Desk, one: str, two: str) -> None:
    """Whatever changes the ink changes the key."""
    (first,), (second,) = desk.cut(one), desk.cut(two)

    assert first.layer.key != second.layer.key


def test_empty_things_make_no_layers(desk: Desk) -> None:
    """Titles, metadata, comments, blank texts and what is not displayed cost nothing."""
    assert not desk.cut(
        '<title>t</title><desc/><metadata/><!-- c --><defs><rect id="a"/></defs>'
        '<foreignObject width="9" height="9"> \n </foreignObject>'
        '<text font-size="4"/><rect display="none" width="9" height="9"/><g style="display: none">' + TEXT + "</g>"
    )


@pytest.mark.parametrize("name", ["wide", "bitmap"])
def test_a_picture_is_moved_and_enlarged(desk: Desk, name: str) -> None:
    """Around its middle; one that fills its box, or hides what flows over, stays in it, as in a clip of the template's."""

    def shown(content: str) -> list[tuple[float, float, float, float] | None]:
        image = desk.show(content.replace("<image", f'<image href="{name}" x="10" y="10" width="20" height="10"'))
        return [ink(image, colour) for colour in ("#ff0000", "#0000ff")]

    free, filled = '<image data-moved="5 -4 0.5"/>', '<image preserveAspectRatio="xMidYMid slice" data-moved="-5 3 2"/>'
    for box, expected in zip(shown(free), [(20, 8.5, 25, 13.5), (25, 8.5, 30, 13.5)], strict=True):
        assert near(box, expected), (box, expected)
    clip = '<clipPath id="c"><rect x="10" y="10" width="20" height="10"/></clipPath><g clip-path="url(#c)">'
    hidden = '<image overflow="hidden" data-moved="-5 3 2"/>'
    for content in (filled, hidden, f"{clip}{filled}</g>", f'{clip}<image data-moved="-5 3 2"/></g>'):
        for box, expected in zip(shown(content), [(10, 10, 15, 20), (15, 10, 30, 20)], strict=True):
            assert near(box, expected), (content, box, expected)


# -- definitions


def test_definitions_go_where_they_are_used(desk: Desk) -> None:
    """A layer has the gradients, clips and symbols that it refers to, directly or through others, and no more."""
    definitions = """<defs><linearGradient id="base"><stop stop-color="red"/></linearGradient>
    <linearGradient id="shade" href="#base"/><radialGradient id="other"/><filter id="unused"/></defs>
    <symbol id="sign"><rect width="9" height="9" fill="url('#shade')"/></symbol>
    <clipPath id="round"><circle r="9"/></clipPath>"""
    layers = desk.cut(
        f'{definitions}<use href="#sign"/>{TEXT}<rect width="9" height="9" style="clip-path:url(#round)"/>{TEXT}'
        f'<g fill="url( #other )"><rect width="9" height="9"/>{TEXT}</g><rect width="2" height="2"/>'
    )

    found = [set(re.findall(r'id="(\w+)"', source(placed))) for placed in layers if kinds((placed,)) == ["svg"]]
    assert found == [{"base", "shade", "sign"}, {"round"}, {"other"}, set()]


def test_colours_of_the_palette_reach_shapes_and_texts(tmp_path: Path) -> None:
    """``var(--name)`` works in attributes, styles and settings of text boxes."""
    desk = Desk(tmp_path, palette={"sea": "#0000ff"})
    box = '<foreignObject x="20" width="15" height="9" data-fill="var(--sea)" data-size="20">M</foreignObject>'
    image = desk.show(f'<rect width="5" height="5" style="fill:var(--sea)"/>{box}')

    assert colour_at(image, 2, 2) == "#0000ff"
    words = image.crop((20 * DOTS, 0, 40 * DOTS, 30 * DOTS))
    assert ink(words) is not None
    assert near(ink(words, "#0000ff"), ink(words) or (), 0.5)


# -- places of texts

LABEL = '<text x="{}" y="{}" font-size="{}">Rum 12</text>'
BOX = '<foreignObject x="{}" y="{}" width="20" height="8" data-size="12">Rum *and* **tea**</foreignObject>'


@pytest.mark.parametrize(
    ("turned", "straight"),
    [
        ('<g transform="translate(10 5)">' + LABEL.format(3, 9, 5) + "</g>", LABEL.format(13, 14, 5)),
        ('<g transform="scale(0.1)">' + LABEL.format(30, 90, 50) + "</g>", LABEL.format(3, 9, 5)),
        (
            '<g transform="translate(5)"><g transform="scale(2)">' + LABEL.format(1, 5, 2.5) + "</g></g>",
            LABEL.format(7, 10, 5),
        ),
        (LABEL.format(1, 2, 5).replace("<text", '<text transform="translate(4, 9)"'), LABEL.format(5, 11, 5)),
        (
            f'<g transform="translate(9)">{LABEL.format(1, 14, 5)}</g><g transform="scale(2)">{LABEL.format(2, 3, 2.5)}</g>',
            LABEL.format(10, 14, 5) + LABEL.format(4, 6, 5),
        ),
        ('<g transform="translate(10 5)">' + BOX.format(3, 9) + "</g>", BOX.format(13, 14)),
        (BOX.format(3, 9).replace("<foreignObject", '<foreignObject transform="translate(-1 2)"'), BOX.format(2, 11)),
        ('<g font-size="5">' + LABEL.format(3, 9, 5).replace(' font-size="5"', "") + "</g>", LABEL.format(3, 9, 5)),
        (
            '<g style="font-size: 5; fill: #000">' + LABEL.format(3, 9, "").replace(' font-size=""', "") + "</g>",
            LABEL.format(3, 9, 5),
        ),
    ],
)
def test_a_text_in_a_moved_group_stands_where_it_should(desk: Desk, turned: str, straight: str) -> None:
    """A group's transform moves its texts like its shapes."""
    moved, plain = desk.show(turned), desk.show(straight)

    assert ink(plain) is not None
    assert difference(moved, plain) < 0.5


@pytest.mark.parametrize("text", [LABEL.format(3, 9, 5), BOX.format(3, 9), LABEL.format(1, 28, 13)])
@pytest.mark.parametrize(("transform", "turn"), [("rotate(180 15 15)", 180), ("translate(30) rotate(90)", -90)])
def test_a_turned_text_is_the_text_turned(tmp_path: Path, text: str, transform: str, turn: int) -> None:
    """Upside down or on its side, short or as long as the face, the text is the same."""
    desk = Desk(tmp_path, frame=Frame(30, 30, 0))
    turned, straight = desk.show(f'<g transform="{transform}">{text}</g>'), desk.show(text)

    assert ink(straight) is not None
    assert difference(turned, straight.rotate(turn)) < 2
    assert near(ink(turned), ink(straight.rotate(turn)) or ())


def test_a_label_stands_on_its_line(desk: Desk) -> None:
    """The foot of the figures is at y, and they are as high as the font's figures: two thirds of the size."""
    box = ink(desk.show('<text x="10" y="20" font-size="9">11</text>'))

    assert box is not None
    assert box[3] == pytest.approx(20, abs=0.25)
    assert box[3] - box[1] == pytest.approx(6, abs=0.5)


def test_shapes_in_a_cut_group_keep_its_attributes(desk: Desk) -> None:
    """Parts of one group that lie in several layers are all moved and coloured by it."""
    image = desk.show(
        f'<g transform="translate(10 10)" fill="#f00"><rect width="5" height="5"/>{TEXT.replace("Words", "")}'
        '<image href="bitmap" x="5" width="10" height="5"/><g fill="#0f0"><rect x="15" width="5" height="5"/></g></g>'
    )

    assert [colour_at(image, x, 12) for x in (9, 12, 17, 23, 27, 31)] == [
        "#ffffff", "#ff0000", "#ff0000", "#0000ff", "#00ff00", "#ffffff",
    ]  # fmt: skip


# -- texts that cannot be set


@pytest.mark.parametrize(
    "whole", ['opacity="0.5"', 'clip-path="url(#c)"', 'mask="url(#m)"', 'style="opacity: .5"', 'filter="url(#f)"']
)
def test_a_text_box_in_a_group_drawn_as_a_whole_is_refused(desk: Desk, whole: str) -> None:
    """A group that is blended as one cannot be cut at a text; the message says what to do."""
    with pytest.raises(BadDrawing, match="move it out of the group"):
        desk.cut(f"<g {whole}><g>{TEXT}</g></g>")


@pytest.mark.parametrize(
    "content",
    [
        f'<svg x="3" y="3">{TEXT}</svg>',
        f"<a>{TEXT}</a>",
        f"<switch>{TEXT}</switch>",
        f'<symbol id="s">{TEXT}</symbol><use href="#s"/>',
        '<text font-size="4">Wor<tspan>ds</tspan></text>',
        '<text font-size="4" letter-spacing="1">Words</text>',
        '<g opacity="0.5"><text font-size="4">Words</text></g>',
    ],
)
def test_a_text_that_would_be_lost_is_named(desk: Desk, content: str) -> None:
    """Where a text cannot be set, its words are told, and it is not left to the engine."""
    desk.cut(content)

    assert [fault.value for fault, _ in desk.faults] == ["Words"]


def test_one_wrong_text_leaves_the_others(desk: Desk) -> None:
    """Every fault of a face is found at once, and the rest is drawn."""
    layers = desk.cut(
        f'{GROUND}<foreignObject width="9" height="9" data-align="centre">one</foreignObject>{TEXT}'
        '<image href="none" width="9" height="9"/><image href="wide" width="9"/><text font-size="0">two</text>'
    )

    assert [snippet for _, snippet in desk.faults] == ["one", "none", "wide", "two"]
    assert kinds(layers) == ["svg", "text"]


# -- pictures

GRID = [(x, y) for y in ("Min", "Mid", "Max") for x in ("Min", "Mid", "Max")]
SHARES = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}


@pytest.mark.parametrize("name", ["wide", "bitmap"])
@pytest.mark.parametrize("around", ["{}", '<g opacity="0.999">{}</g>'], ids=["alone", "in a group"])
@pytest.mark.parametrize(("width", "height"), [(8, 8), (8, 2)])
def test_a_picture_is_placed_by_its_aspect_ratio(
    tmp_path: Path, desk: Desk, name: str, around: str, width: int, height: int
) -> None:
    """All nine ``x… Y… meet``: the whole picture, as large as goes in, at that side of its box."""
    desk.frame = Frame(30, 30, 0)
    content = "".join(
        f'<image href="{name}" x="{10 * column + 1}" y="{10 * line + 1}" width="{width}" height="{height}" '
        f'preserveAspectRatio="x{x}Y{y} meet"/>'
        for line in range(3)
        for column in range(3)
        for x, y in [GRID[3 * line + column]]
    )
    image = desk.show(around.format(content))
    scale = min(width / 20, height / 10)
    for index, (x, y) in enumerate(GRID):
        left, top = 10 * (index % 3), 10 * (index // 3)
        cell = image.crop((left * DOTS, top * DOTS, (left + 10) * DOTS, (top + 10) * DOTS))
        at = 1 + (width - 20 * scale) * SHARES[x], 1 + (height - 10 * scale) * SHARES[y]
        assert near(ink(cell), (at[0], at[1], at[0] + 20 * scale, at[1] + 10 * scale)), (x, y)
        assert near(ink(cell, "#f00"), (at[0], at[1], at[0] + 10 * scale, at[1] + 10 * scale)), (x, y)


@pytest.mark.parametrize("name", ["edged", "edged.png"])
@pytest.mark.parametrize("around", ["{}", '<g opacity="0.999">{}</g>'], ids=["alone", "in a group"])
@pytest.mark.parametrize(
    ("size", "fit", "shown", "left", "edge"),
    [
        ((8, 8), "xMidYMid slice", (1, 1, 9, 9), "#ff0000", 4),
        ((20, 5), "xMidYMid slice", (1, 1, 21, 6), "#00ff00", 10),
        ((8, 8), "none", (1, 1, 9, 9), "#00ff00", 4),
        ((8, 8), "xMidYMid meet", (1, 3, 9, 7), "#00ff00", 4),
        ((8, 8), None, (1, 3, 9, 7), "#00ff00", 4),
    ],
)
def test_pictures_that_fill_their_box(
    desk: Desk, name: str, around: str, size: tuple[int, int], fit: str | None, shown: tuple[int, ...], left: str, edge: int
) -> None:
    """``slice`` covers the box with the middle of the picture, ``none`` stretches it, the default shows all of it."""
    target = io.BytesIO()
    bitmap = Image.new("RGB", (200, 100), "#0f0")
    bitmap.paste("#f00", (40, 0, 100, 100))
    bitmap.paste("#00f", (100, 0, 200, 100))
    bitmap.save(target, "PNG")
    desk.write("art/edged.png", target.getvalue())
    stripes = [(0, 4, "#0f0"), (4, 6, "#f00"), (10, 10, "#00f")]
    desk.art(
        "edged", "".join(f'<rect x="{x}" width="{w}" height="10" fill="{fill}"/>' for x, w, fill in stripes), "0 0 20 10"
    )
    ratio = "" if fit is None else f' preserveAspectRatio="{fit}"'
    image = desk.show(around.format(f'<image href="{name}" x="1" y="1" width="{size[0]}" height="{size[1]}"{ratio}/>'))

    middle = (shown[1] + shown[3]) / 2
    assert near(ink(image), shown)
    assert alike(colour_at(image, 1.5, middle), left)
    assert alike(colour_at(image, 1 + edge - 0.5, middle), "#ff0000")
    assert alike(colour_at(image, 1 + edge + 0.5, middle), "#0000ff")


PICTURE = '<image href="{}" x="10" y="10" width="20" height="10" {}/>'
MASKS = """<clipPath id="c"><rect x="10" y="10" width="5" height="10"/></clipPath>
<mask id="m"><rect x="10" y="10" width="5" height="10" fill="#fff"/></mask>"""


@pytest.mark.parametrize("name", ["wide", "bitmap", "bare"])
@pytest.mark.parametrize(
    ("content", "box", "colours"),
    [
        ('<g opacity="0.5">' + PICTURE + "</g>", (10, 10, 30, 20), ("#ff7f7f", "#7f7fff")),
        (PICTURE.replace("{}/>", 'opacity="0.5" {}/>'), (10, 10, 30, 20), ("#ff7f7f", "#7f7fff")),
        ('<g clip-path="url(#c)">' + PICTURE + "</g>", (10, 10, 15, 20), ("#ff0000", "#ffffff")),
        (PICTURE.replace("{}/>", 'clip-path="url(#c)" {}/>'), (10, 10, 15, 20), ("#ff0000", "#ffffff")),
        (PICTURE.replace("{}/>", 'mask="url(#m)" {}/>'), (10, 10, 15, 20), ("#ff0000", "#ffffff")),
        ('<g opacity="1" mask="url(#m)">' + PICTURE + "</g>", (10, 10, 15, 20), ("#ff0000", "#ffffff")),
        (PICTURE.replace("{}/>", 'opacity="1" transform="translate(-8 2)" {}/>'), (2, 12, 22, 22), ("#ff0000", "#0000ff")),
        ('<g transform="translate(0 5)" opacity="0.999">' + PICTURE + "</g>", (10, 15, 30, 25), ("#ff0000", "#0000ff")),
        ('<g transform="translate(0 5)">' + PICTURE + "</g>", (10, 15, 30, 25), ("#ff0000", "#0000ff")),
        (PICTURE.replace("{}/>", 'transform="rotate(180 20 15)" {}/>'), (10, 10, 30, 20), ("#0000ff", "#ff0000")),
        ('<pattern id="p" width="1" height="1"><image href="{}" width="20" height="10" {}/></pattern>'
         '<rect x="10" y="10" width="20" height="10" fill="url(#p)"/>', (10, 10, 30, 20), ("#ff0000", "#0000ff")),
        ('<symbol id="s"><image href="{}" width="20" height="10" {}/></symbol><use href="#s" x="10" y="10"/>',
         (10, 10, 30, 20), ("#ff0000", "#0000ff")),
    ],
)  # fmt: skip
def test_pictures_in_groups_look_like_pictures(
    desk: Desk, name: str, content: str, box: tuple[float, ...], colours: tuple[str, str]
) -> None:
    """Opacity, clips, masks, transforms, patterns and symbols do to a picture what they do to a shape."""
    bare = '<rect width="10" height="10" fill="#f00"/><rect x="10" width="10" height="10" fill="#00f"/>'
    desk.write("art/bare.svg", f'<svg xmlns="http://www.w3.org/2000/svg" width="20px" height="10px">{bare}</svg>')
    image = desk.show(MASKS + content.format(name, ""))

    assert near(ink(image), box)
    middle = (box[1] + box[3]) / 2
    assert alike(colour_at(image, box[0] + 4, middle), colours[0])
    assert alike(colour_at(image, box[0] + 16, middle), colours[1])


def alike(one: str, two: str) -> bool:
    """Whether two colours differ by no more than rounding."""
    return all(abs(int(one[at : at + 2], 16) - int(two[at : at + 2], 16)) <= 2 for at in (1, 3, 5))


@pytest.mark.parametrize("around", ["{}", '<g opacity="0.999">{}</g>'], ids=["alone", "in a group"])
def test_drawings_keep_their_ids_and_styles_to_themselves(desk: Desk, around: str) -> None:
    """Two drawings that both have a gradient ``a`` and a class ``c`` look as they do alone."""
    for name, colour in (("one", "#ff0000"), ("two", "#00ff00")):
        desk.art(
            name,
            f'<style>.c {{ fill: url(#a) }}</style><linearGradient id="a"><stop stop-color="{colour}"/></linearGradient>'
            '<rect class="c" width="10" height="10"/>',
        )
    image = desk.show(
        around.format('<image href="one" width="9" height="9"/><image href="two" x="20" width="9" height="9"/>')
        + '<rect class="c" y="20" width="9" height="9" fill="#00f"/>'
    )

    for (x, y), colour in {(4, 4): "#ff0000", (24, 4): "#00ff00", (4, 24): "#0000ff"}.items():
        assert alike(colour_at(image, x, y), colour)


# -- the box of the drawing


@pytest.mark.parametrize(
    ("box", "shape", "expected"),
    [
        ("-3 -3 46 36", '<rect x="-3" y="-3" width="46" height="36"/>', (0, 0, 46, 36)),
        ("-3 -3 46 36", '<rect width="40" height="30"/>', (3, 3, 43, 33)),
        ("0 0 40 30", '<rect x="-3" y="-3" width="46" height="36"/>', (3, 3, 43, 33)),
        ("0 0 460 360", '<rect width="460" height="360"/>', (0, 0, 46, 36)),
        ("10 20 460 360", '<rect x="10" y="20" width="230" height="180"/>', (0, 0, 23, 18)),
        ("0 0 460 360", '<image href="wide" x="100" y="100" width="200" height="100"/>', (10, 10, 30, 20)),
        ("0 0 460 360", '<g transform="scale(10)"><rect width="23" height="36"/></g>', (0, 0, 23, 36)),
    ],
)
def test_drawings_in_any_box_lie_on_the_face(desk: Desk, box: str, shape: str, expected: tuple[float, ...]) -> None:
    """A drawing covers face and bleed, or the face alone, or is in units of its own over face and bleed."""
    desk.frame = Frame(40, 30, 3)

    assert near(ink(desk.show(shape, box)), expected)


@pytest.mark.parametrize(
    ("box", "content"),
    [("0 0 100 100", ""), ("0 0 400 300", ""), ("0 0 30 40", ""), ("0 0 460 360", TEXT), ("0 0 63 88", TEXT)],
)
def test_a_drawing_of_another_shape_is_refused(desk: Desk, box: str, content: str) -> None:
    """A viewBox of other proportions, or other units with a text box in them: the message has the numbers."""
    desk.frame = Frame(40, 30, 3)
    with pytest.raises(BadDrawing, match=r"40 × 30 mm with 3 mm bleed"):
        desk.cut(content, box)


@pytest.mark.parametrize(
    ("shape", "words", "hint"),
    [
        ('<rect width="20mm" height="5"/>', '<rect width="20mm">: that is not a plain number (of mm)', 'Write "20".'),
        ('<rect width="1.2cm" height="5"/>', '<rect width="1.2cm">: that is not a plain number (of mm)', 'Write "12".'),
        ('<rect width="4,5" height="5"/>', '<rect width="4,5">: that is not a plain number (of mm)', 'Write "4.5".'),
        ('<rect width="5" height="5" style="stroke-width:thick"/>', "<rect stroke-width:thick>: that is not a plain", ""),
        ('<circle cx="5" r="-3"/>', '<circle r="-3">: it is below 0', ""),
        ('<rect height="5"/>', "<rect> has no width: nothing of it is to be seen", ""),
        (
            '<rect width="5" height="5" opacity="50"/>',
            '<rect opacity="50">: that is out of bounds',
            "Write a number from 0 to 1.",
        ),
        ('<polygon points="1,2 3,4 5"/>', '<polygon points="1,2 3,4 5">: points are pairs of numbers', ""),
        ('<path d="M5 5 L 9"/>', 'the path cannot be read from "L 9" on', ""),
        ('<path d="5 5L9 9"/>', 'the path cannot be read from "5 5L9 9" on', "It begins with M."),
        ('<path d="M0 0a1 1 0 2 1 9 9"/>', 'cannot be read from "a1 1 0 2 1 9 9" on', ""),
        ('<rect width="5" height="5" style="fill:redd"/>', "fill:redd is no colour", 'Did you mean "red"?'),
        ('<rect width="5" height="5" color="redd"/>', 'color="redd" is no colour', 'Did you mean "red"?'),
    ],
)
def test_what_a_shape_says_in_vain_is_told(desk: Desk, shape: str, words: str, hint: str) -> None:
    """The engine leaves it out, draws a path up to there, or takes mm for dots, and says nothing."""
    desk.cut(f'{shape}<path d="M0 0h5" stroke="#000"/>')

    ((fault, _),) = desk.faults
    assert words in fault.message and fault.hint == hint


@pytest.mark.parametrize(
    "shape",
    [
        '<path d="M.5-1e-3.5 2 L1,1zm1 1h1 2v3C1 1 1 1 1 1s1 1 1 1q1 1 1 1t1 1A1 1 0 011 1a1,1,0,1,0,9-9Z"/>',
        '<path d=""/>',
        '<rect width="100%" height="0" rx="auto" opacity=".5" stroke-width="2px" style="fill:none;stroke:#000"/>',
        '<polyline points="1,2 3 4,5-6"/>',
        '<rect style="width:5px;height:5px" y="-3"/>',
    ],
)
def test_what_svg_allows_of_a_shape_is_no_fault(desk: Desk, shape: str) -> None:
    desk.cut(f'{shape}<path d="M0 0h5" stroke="#000"/>')

    assert desk.faults == []


@pytest.mark.parametrize("written", ["withe", "#12", "12", "blu", "none;"])
def test_a_colour_that_is_none_is_told(desk: Desk, written: str) -> None:
    """The engine would go on with the colour around it, black for most."""
    desk.cut(f'<rect width="5" height="5" fill="{written}"/><path d="M0 0h5" stroke="#000"/>')

    ((fault, snippet),) = desk.faults
    assert (fault.message, fault.value, snippet) == (f'fill="{written}" is no colour', written, written)


@pytest.mark.parametrize(
    "written", ["white", "Red", "#fff", "#FFFFFF80", "none", "currentColor", "rgb(1 2 3)", "hsl(9,9%,9%)", "url(#g)", ""]
)
def test_colours_are_those_of_drawings(desk: Desk, written: str) -> None:
    """Names of CSS, numbers, gradients, and what brackets say."""
    desk.cut(f'<defs><linearGradient id="g"/></defs><rect width="5" height="5" fill="{written}"/>')

    assert desk.faults == []


SHAPE, PICTURE = '<rect width="9" height="9"/>', '<image href="sun" x="1" y="1" width="5" height="5"/>'
SEVEN = '<text x="3" y="9" font-size="4">7</text>'
TURNED = '<g transform="rotate(90 9 9)">{}<circle r="3"/></g>'
TEXT_BOX = '<foreignObject x="{}" y="2" width="20" height="10"{}>{}</foreignObject>'
MISSING = '<image href="none" x="1" y="1" width="5" height="5"/>'
COMMENTED = f"<!-- {TEXT_BOX.format(1, '', 'nothing')} -->"
WORDS = st.text(st.sampled_from("ab *_:&<>'\"\n\té;x{}")) | st.sampled_from(
    ["&amp;", "&#160;", "**bold**", ":sun:", ":moon:", "a\r\nb", "]]>", "x" * 300, ""]
)
RAW = st.sampled_from(["&#160;x", "<![CDATA[a]]>", "<b>a</b>", "a<!-- b -->", "&nbsp;"])
PARTS = st.lists(st.sampled_from([SHAPE, PICTURE, MISSING, SEVEN, COMMENTED, "box", "turned", "odd box"]), max_size=7)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    shared = Desk(Path(tmp_path_factory.mktemp("patterns")))
    shared.art("sun", '<circle cx="5" cy="5" r="5"/>')
    return shared


@given(PARTS, st.data())
def test_a_drawing_cut_with_others_is_cut_as_alone(shared: Desk, parts: list[str], data: st.DataObject) -> None:
    """The same layers, faults and snippets, whatever stands in its text boxes and wherever they are."""

    def content() -> str:
        made = []
        for number, part in enumerate(parts):
            words = str(escape(data.draw(WORDS))) if data.draw(st.integers(0, 5)) else data.draw(RAW)
            box = TEXT_BOX.format(number, ' data-name="a>b"' if part == "odd box" else "", words)
            made.append({"box": box, "odd box": box, "turned": TURNED.format(box)}.get(part, part))
        return drawing("".join(made), "0 0 40 30")

    together = Patterns()
    for text in [content() for _ in range(4)]:
        assert outcome(shared, together, text) == outcome(shared, Patterns(), text)


def outcome(shared: Desk, patterns: Patterns, text: str) -> object:
    """Its layers and faults."""
    faults: list[tuple[object, ...]] = []
    try:
        cut = patterns.cut(
            text, shared.frame, shared.tools, lambda fault, snippet: faults.append((fault.message, fault.box, snippet))
        )
    except layers.svg.BadDrawing as fault:
        return fault.message
    return cut, faults


def test_all_but_the_words_is_cut_once(shared: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """That is what it is for."""
    parsed = []
    monkeypatch.setattr(layers.svg, "parse", lambda text, real=layers.svg.parse: parsed.append(text) or real(text))
    patterns = Patterns()
    for words in ("one", "two &amp; three", ""):
        text = drawing(SHAPE + TEXT_BOX.format(1, "", words) + PICTURE, "0 0 40 30")
        patterns.cut(text, shared.frame, shared.tools, lambda *_: None)

    assert len(parsed) == 1
