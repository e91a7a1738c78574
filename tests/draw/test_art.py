"""Drawings are found by name inside the game's folder and nowhere else, checked, and coloured; so are pictures in them."""

from __future__ import annotations

import base64
import io
import math
import struct
import zlib
from pathlib import Path

import numpy
import pypdf
import pytest
from conftest import TinyProject, examples
from desk import Desk, colour_at
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageColor, ImageDraw, ImageStat

from pnp.draw import art
from pnp.draw.art import MOST_BYTES, Art, NoArt
from pnp.draw.bitmaps import png_rows
from pnp.svg import safe as svg
from pnp.svg.safe import BadDrawing

SQUARE = '<rect width="10" height="10" fill="{}"/>'
PICTURE = """{%% extends "shared/face.svg.j2" %%}
{%% block face %%}<image href="{{ picture(%s) }}" width="63" height="88"/>{%% endblock %%}
"""


def bitmap(kind: str = "PNG", size: tuple[int, int] = (4, 3), colour: str = "#ff0000") -> bytes:
    """A picture of one colour."""
    target = io.BytesIO()
    Image.new("RGB", size, colour).save(target, kind)
    return target.getvalue()


# -- finding


@pytest.mark.parametrize("name", ["sea/kraken", "sea/kraken.svg", "art/sea/kraken", "art/sea/kraken.svg"])
def test_a_drawing_is_found_by_its_path(desk: Desk, name: str) -> None:
    """Below ``art/``, with or without ``art/`` and the suffix."""
    desk.art("sea/kraken", SQUARE.format("red"), "0 0 10 20")
    found = desk.tools.art.drawing(name)

    assert (found.is_svg, found.width, found.height) == (True, 10, 20)


def test_drawings_go_before_bitmaps(desk: Desk) -> None:
    """A name without suffix is the SVG, then the PNG, then the JPEG of that name."""
    found = []
    desk.write("art/a.jpg", bitmap("JPEG"))
    found.append(Art(desk.game).drawing("a").file.rpartition(".")[2])
    desk.write("art/a.png", bitmap())
    found.append(Art(desk.game).drawing("a").file.rpartition(".")[2])
    desk.art("a", SQUARE)
    found.append(Art(desk.game).drawing("a").file.rpartition(".")[2])

    assert found == ["jpg", "png", "svg"]
    assert Art(desk.game).drawing("a.jpg").file.endswith(".jpg")


def test_a_missing_drawing_names_a_near_one(desk: Desk) -> None:
    """The names that are there are listed, the nearest is proposed."""
    desk.art("sea/kraken", SQUARE)
    desk.write("art/notes.txt", "no drawing")
    with pytest.raises(NoArt, match="karken") as fault:
        desk.tools.art.drawing("sea/karken")

    assert (fault.value.value, fault.value.allowed) == ("sea/karken", "sea/kraken")
    assert "sea/kraken" in fault.value.hint


def test_icons_are_the_games_then_the_templates(desk: Desk) -> None:
    """An icon stands in ``art/icons``, else in a templates' folder ``icons`` or ``shared/icons``."""
    desk.write("templates/shared/icons/gold.svg", f'<svg xmlns="{svg.SVG}" viewBox="0 0 1 3"/>')
    assert Art(desk.game).icon("gold", "#000000").height == 3
    desk.write("templates/icons/gold.svg", f'<svg xmlns="{svg.SVG}" viewBox="0 0 1 2"/>')
    assert Art(desk.game).icon("gold", "#000000").height == 2
    desk.write("art/icons/gold.svg", f'<svg xmlns="{svg.SVG}" viewBox="0 0 1 1"/>')
    assert Art(desk.game).icon("gold", "#000000").height == 1
    with pytest.raises(NoArt, match='icon "glod"') as fault:
        Art(desk.game).icon("glod", "#000000")
    assert fault.value.allowed == "gold"


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("Pip.png", "pip"), ("pip.PNG", "pip"), ("pip.JPG", "pip"), ("pip.Png", "PIP.png"),
        ("Sea/Pip.png", "sea/pip"), ("sea/pip.png", "sea\\pip"), ("sea/pip.png", "Art\\sea\\pip.png"),
        ("gr\u00f6\u00dfe.png", "gro\u0308\u00dfe"), ("gro\u0308\u00dfe.png", "gr\u00f6\u00dfe"),
        ("sir pip.png", "Sir Pip"), ("art/pip.png", "art/pip"), ("art/pip.png", "art/art/pip"),
    ],
)  # fmt: skip
def test_a_name_means_the_same_file_on_every_system(desk: Desk, file: str, name: str) -> None:
    """Letters of another case, a path as Windows writes it, an umlaut as macOS writes it: Linux prints what they print."""
    desk.write(f"art/{file}", bitmap())

    assert desk.tools.art.has(name)
    assert desk.tools.art.drawing(name).width == 4


def test_of_two_names_that_differ_in_case_each_is_itself(desk: Desk) -> None:
    """Where a system keeps both, the one that is written just so is meant."""
    for name, width in (("PIP", 5), ("Pip", 6), ("pip", 7)):
        desk.write(f"art/{name}.png", bitmap(size=(width, 3)))
    if len(list((desk.folder / "art").iterdir())) < 3:
        pytest.skip("this system keeps one of them")

    assert [desk.tools.art.drawing(name).width for name in ("PIP", "Pip", "pip", "pIP")] == [5, 6, 7, 5]


# -- staying inside


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """A game without drawings."""
    return Desk(tmp_path_factory.mktemp("none"))


@settings(max_examples=examples(60), deadline=None)
@given(name=st.text(max_size=400))
def test_any_name_can_be_asked_for(bare: Desk, name: str) -> None:
    """Whatever is typed into a cell is a drawing that is not there, not a failure."""
    with pytest.raises(NoArt):
        bare.tools.art.drawing(f"{name}x")
    with pytest.raises(NoArt):
        bare.tools.art.icon(f"{name}x", "#000000")


# -- drawings


@pytest.mark.parametrize("name", ["mark.svg", "mark.SVG"])
def test_current_color_is_the_colour_asked_for(desk: Desk, name: str) -> None:
    """One drawing serves in several colours, each its own file."""
    desk.write(f"art/{name}", f'<svg xmlns="{svg.SVG}" viewBox="0 0 1 1"><path fill="currentColor" d="M0 0"/></svg>')
    red, blue, plain = (desk.tools.art.drawing(name, colour) for colour in ("#ff0000", "#0000ff", ""))

    assert (b"#ff0000" in red.data, b"#0000ff" in blue.data, b"currentColor" in plain.data) == (True, True, True)
    assert len({red.file, blue.file, plain.file}) == 3


def test_the_palette_colours_drawings(tmp_path: Path) -> None:
    """A variable in a drawing is the game's colour."""
    desk = Desk(tmp_path, palette={"sea": "#012345"})
    desk.art("a", SQUARE.format("var(--sea, red)"))

    assert b'fill="#012345"' in desk.tools.art.drawing("a").data
    desk.art("b", SQUARE.format("var(--foam)"))
    with pytest.raises(BadDrawing, match="--foam"):
        Art(desk.game).drawing("b")


def test_the_same_content_is_the_same_file(desk: Desk) -> None:
    """Two names for one drawing cost one drawing, also when it was saved with other namespaces."""
    desk.art("a", SQUARE)
    desk.write("art/b.svg", (desk.folder / "art/a.svg").read_text().replace("<svg ", '<svg xmlns:x="http://example.org" '))

    assert desk.tools.art.drawing("a").file == desk.tools.art.drawing("b").file


# -- bitmaps


def test_a_bitmap_is_what_it_is_whatever_its_name(desk: Desk) -> None:
    """A JPEG that is called .png is still a JPEG to the printer."""
    desk.write("art/a.png", bitmap("JPEG"))

    assert desk.tools.art.drawing("a").file.endswith(".jpg")


@pytest.mark.parametrize(("kind", "ending"), [("GIF", "gif"), ("BMP", "bmp"), ("TIFF", "tif"), ("WEBP", "webp")])
def test_other_kinds_of_pictures_are_taken(desk: Desk, kind: str, ending: str) -> None:
    """What browsers and scanners save is printed, dot for dot, and twice the same; also under the name of another kind."""
    lossless = {"lossless": True} if kind == "WEBP" else {}
    made = io.BytesIO()
    Image.new("RGB", (40, 30), "#ff0000").save(made, kind, **lossless)
    desk.write(f"art/a.{ending}", made.getvalue())
    desk.write("art/b.png", made.getvalue())
    found = desk.tools.art.drawing("a")

    assert found == desk.tools.art.drawing("b") == Art(desk.game).drawing("a")
    with Image.open(io.BytesIO(found.data)) as shown:
        assert (shown.format, shown.size, shown.convert("RGB").getcolors()) == ("PNG", (40, 30), [(1200, (255, 0, 0))])


@pytest.mark.parametrize(("kind", "mode"), [("WEBP", "RGBA"), ("TIFF", "RGBA"), ("TIFF", "LA"), ("GIF", "P")])
def test_what_is_see_through_stays_so(desk: Desk, kind: str, mode: str) -> None:
    """A cut-out figure has no ground."""
    picture = Image.new("RGBA", (4, 4), "#ff000000")
    picture.paste("#ff0000", (0, 0, 2, 4))
    made = io.BytesIO()
    picture.convert(mode).save(made, kind, **({"transparency": 0} if mode == "P" else {"lossless": True}))
    if mode == "P":
        clear = picture.convert("P", palette=Image.Palette.ADAPTIVE)
        made = io.BytesIO()
        clear.save(made, kind, transparency=clear.getpixel((3, 0)))
    desk.write("art/a.webp", made.getvalue())
    with Image.open(io.BytesIO(desk.tools.art.drawing("a").data)) as shown:
        alpha = shown.convert("RGBA").getchannel("A")

    assert (alpha.getpixel((0, 0)), alpha.getpixel((3, 0))) == (255, 0)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"\0\0\0\x18ftypheic", "a HEIC photo"),
        (b"8BPS\0\1", "a Photoshop document"),
        (b"%PDF-1.7", "a PDF"),
        (b"%!PS-Adobe", "an EPS drawing"),
        (b"gimp xcf v011", "a GIMP document"),
        (b"<!DOCTYPE html><html>", "a web page"),
        (b'<svg xmlns="http://www.w3.org/2000/svg"/>', "an SVG drawing"),
    ],
)
def test_what_is_no_picture_is_called_what_it_is(desk: Desk, content: bytes, what: str) -> None:
    """A photo from a phone, a page saved by mistake: the message says what the file holds, whatever it is called."""
    desk.write("art/a.png", content)
    with pytest.raises(BadDrawing, match=f"it is {what}"):
        desk.tools.art.drawing("a")


def test_huge_files_are_not_read(desk: Desk) -> None:
    """A file of more than 64 MB is refused before it is opened."""
    with desk.write("art/a.png", bitmap()).open("r+b") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(BadDrawing, match="64 MB"):
        desk.tools.art.drawing("a")


@settings(max_examples=examples(80), deadline=None)
@given(st.sampled_from(["PNG", "JPEG"]), st.data())
def test_damaged_bitmaps_are_faults_of_the_picture(
    tmp_path_factory: pytest.TempPathFactory, kind: str, data: st.DataObject
) -> None:
    """A picture that is cut short or has a wrong byte is read or refused, never worse."""
    whole = bitmap(kind, (9, 9))
    end = data.draw(st.integers(0, len(whole) - 1))
    damaged = bytearray(whole[:end] if data.draw(st.booleans()) else whole)
    for place in data.draw(st.lists(st.integers(0, len(whole) - 1), max_size=3)):
        if place < len(damaged):
            damaged[place] = data.draw(st.integers(0, 255))
    desk = Desk(tmp_path_factory.getbasetemp() / "damaged")
    desk.write("art/a.png", bytes(damaged))
    try:
        assert not desk.tools.art.drawing("a").is_svg
    except BadDrawing as fault:
        assert "empty" in str(fault) or "cannot be read" in str(fault)


def test_broken_bitmaps_are_refused_whatever_pillow_says_of_them(desk: Desk) -> None:
    """AVIF without the dots, and TIFF of which the place of the dots is a fraction, are no OSError."""
    avif, tiff = bytearray(bitmap("AVIF", (40, 40))), bytearray(bitmap("TIFF", (9, 9)))
    avif[-12:] = bytes(12)
    first = int.from_bytes(tiff[4:8], "little") + 2
    entries = range(first, first + 12 * int.from_bytes(tiff[first - 2 : first], "little"), 12)
    place = next(at for at in entries if tiff[at : at + 2] == b"\x11\x01")
    tiff[place + 2 : place + 4], tiff[place + 8 : place + 12] = b"\x05\x00", b"\x08\x00\x00\x00"
    desk.write("art/a.avif", bytes(avif))
    desk.write("art/b.tif", bytes(tiff))
    for name in ("a", "b"):
        with pytest.raises(BadDrawing, match="cannot be read"):
            desk.tools.art.drawing(name)


# -- a row's own drawing


def test_a_rows_own_drawing_replaces_the_usual(tiny: TinyProject) -> None:
    """``picture("usual")``: the row's art column wins, then COMPONENT/ID, then ID, then the usual."""
    tiny.write("content/tiny/cards.csv", "id,art\nplain,\nown,\nfolder,\nnamed,other\n")
    tiny.write("templates/tiny/cards.svg.j2", PICTURE % "'usual'")
    colours = {
        "usual": "#ff0000", "own": "#00ff00", "folder": "#ffff00", "cards/folder": "#0000ff", "named": "#ff00ff",
        "cards/named": "#ff00ff", "other": "#00ffff",
    }  # fmt: skip
    for name, colour in colours.items():
        tiny.write(f"content/tiny/art/{name}.png", bitmap("PNG", (63, 88), colour))
    result = tiny.build(faces="png", dpi=36)
    assert result.ok, [str(problem) for problem in result.problems]

    shown = {}
    for file in result.files:
        if file.suffix == ".png":
            with Image.open(file) as image:
                shown[file.name] = "#{:02x}{:02x}{:02x}".format(*image.getpixel((image.width // 2, image.height // 2)))
    assert shown == {
        "plain-front.png": "#ff0000",
        "own-front.png": "#00ff00",
        "folder-front.png": "#0000ff",
        "named-front.png": "#00ffff",
    }


def test_a_row_moves_its_own_picture(tiny: TinyProject) -> None:
    """By its cells art_x, art_y and art_zoom, on its own card alone; what is no number is told at its cell."""
    tiny.write("content/tiny/cards.csv", "id,art_x,art_y,art_zoom\nleft,-6.3,0,0.5\nplain,,,\nfar,0,8.8,\n")
    tiny.write("templates/tiny/cards.svg.j2", PICTURE % "'usual'")
    tiny.write("content/tiny/art/usual.png", bitmap("PNG", (63, 88), "#ff0000"))
    result = tiny.build(faces="png", dpi=254)
    assert {problem.rule for problem in result.problems} == {"usual-drawing", "coarse-art"}

    def extent(name: str) -> tuple[int, ...] | None:
        file = next(file for file in result.files if file.name == f"{name}-front.png")
        with Image.open(file) as image:
            return image.convert("RGB").getchannel("G").point(lambda value: 255 if value < 128 else 0).getbbox()

    # In tenths of a mm, with the bleed.
    for name, expected in {"plain": (30, 30, 660, 910), "left": (124, 250, 439, 690), "far": (30, 118, 660, 940)}.items():
        found = extent(name)
        assert found is not None and all(abs(one - two) <= 1 for one, two in zip(found, expected, strict=True)), found

    tiny.write("content/tiny/cards.csv", "id,art_x,art_zoom\nleft,a lot,0\n")
    problems = [(problem.rule, str(problem.place)) for problem in tiny.build().problems if problem.severity == "error"]
    assert problems == [("bad-number", f"content/tiny/cards.csv:2:{column}") for column in ("art_x", "art_zoom")]


def test_drawings_are_bounded_together(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each may be small enough, and all of them would fill the memory; one that is used twice counts once."""
    monkeypatch.setattr(art, "MOST_TOGETHER", 3 * len(bitmap()))
    for name in "abcd":
        desk.write(f"art/{name}.png", bitmap())
    for name in "abcabc":
        desk.tools.art.drawing(name)

    with pytest.raises(BadDrawing, match="with it the game's drawings are larger than"):
        desk.tools.art.drawing("d")


# --- photographs ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_a_photograph_stands_as_its_camera_meant_it(desk: Desk, kind: str, orientation: int) -> None:
    """A note in the file says how it was held: the picture is turned so, its shape too, and the note is gone."""
    upright = Image.new("RGB", (40, 24), "#ffffff")
    upright.paste("#ff0000", (0, 0, 20, 12))
    upright.paste("#0000ff", (20, 12, 40, 24))
    # What the sensor saw: the way back from each of the eight, by the table of the EXIF standard.
    back = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    seen = upright.transpose(back[orientation]) if orientation in back else upright
    note = Image.Exif()
    note[0x0112] = orientation
    made = io.BytesIO()
    seen.save(made, kind, exif=note, **({"quality": 95, "subsampling": 0} if kind == "JPEG" else {}))
    desk.write("art/photo.jpg" if kind == "JPEG" else "art/photo.png", made.getvalue())
    drawing = desk.tools.art.drawing("photo")

    assert (drawing.width, drawing.height) == (40, 24)
    with Image.open(io.BytesIO(drawing.data)) as shown:
        assert shown.size == (40, 24)
        assert shown.getexif().get(0x0112, 1) == 1
        plain = shown.convert("RGB")
        for x, y, colour in ((5, 3, (255, 0, 0)), (35, 20, (0, 0, 255)), (35, 3, (255, 255, 255)), (5, 20, (255, 255, 255))):
            assert all(abs(a - b) < 30 for a, b in zip(plain.getpixel((x, y)), colour, strict=True))  # type: ignore[arg-type]


def photograph(kind: str, orientation: int = 1) -> bytes:
    """A picture of 1,200 × 900 dots, with a slope of colours and a mark off its middle."""
    slope = Image.linear_gradient("L").resize((1200, 900))
    image = Image.merge("RGB", (slope, slope.rotate(180), Image.new("L", slope.size, 90)))
    image.paste("#f0e000", (250, 200, 550, 500))
    exif, made = Image.Exif(), io.BytesIO()
    exif[0x0112] = orientation
    image.save(made, kind, exif=exif, **({"quality": 95} if kind == "JPEG" else {}))
    return made.getvalue()


# How wide what is seen of the picture, or in a group all of it, becomes; and so fine it is much too fine.
SHOWN = {
    "stretched": (20, '<image href="photo" x="5" y="5" width="20" height="10" preserveAspectRatio="none"/>'),
    "in its box": (20, '<image href="photo" x="5" y="5" width="20" height="20"/>'),
    "at the side of its box": (
        20,
        '<image href="photo" x="5" y="5" width="20" height="20" preserveAspectRatio="xMinYMax meet"/>',
    ),
    "filling its box": (8, '<image href="photo" x="5" y="5" width="8" height="20" preserveAspectRatio="xMidYMid slice"/>'),
    "turned": (16, '<image href="photo" x="15" y="-5" width="16" height="20" transform="rotate(30)"/>'),
    "in a group": (16, '<g opacity=".8" transform="scale(2)"><image href="photo" x="3" y="3" width="8" height="9"/></g>'),
    "cut in a group": (
        20 * 4 / 3,
        '<g opacity=".8"><image href="photo" width="8" height="20" preserveAspectRatio="xMidYMid slice"/></g>',
    ),
    "moved": (16, '<image href="photo" x="5" y="5" width="20" height="15" data-moved="2 1 0.8"/>'),
    "moved in its box": (
        12,
        '<image href="photo" x="5" y="5" width="10" height="15" data-moved="1 1 1.2" overflow="hidden"/>',
    ),
}


@pytest.mark.parametrize(("width", "content"), SHOWN.values(), ids=SHOWN)
@pytest.mark.parametrize(("kind", "dots"), [("JPEG", 400), ("PNG", 600)])
def test_a_picture_keeps_the_dots_that_print_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, width: float, content: str, kind: str, dots: int
) -> None:
    """It looks as with all its dots, which nobody could see; what it shows of itself has 400 or 600 of them an inch."""
    seen = {}
    for large in (10**9, 10**5):
        monkeypatch.setattr(art, "LARGE", large)
        desk = Desk(tmp_path / str(large))
        desk.write(f"art/photo.{kind.lower()}", photograph(kind))
        seen[large] = desk.show(content)
        embedded = [data for placed in desk.cut(content) for file, data in placed.layer.files.items() if file[-3:] != "svg"]
    off = ImageStat.Stat(ImageChops.difference(seen[10**9].convert("RGB"), seen[10**5].convert("RGB")))
    assert max(off.mean) < 1, off.mean
    (data,) = embedded
    with Image.open(io.BytesIO(data)) as picture:
        assert picture.format == kind
        assert picture.width == math.ceil(width / 25.4 * dots)


def test_a_photograph_that_is_held_sideways_is_smaller_and_upright(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(art, "LARGE", 10**5)
    desk.write("art/photo.jpg", photograph("JPEG", orientation=6))
    shown = desk.show('<image href="photo" width="9" height="12"/>')
    # The mark, which the camera saw on the left above.
    assert ImageColor.getrgb(colour_at(shown, 9 - 3.5, 4))[:2] > (200, 200)


@pytest.mark.parametrize("width", [40, 60])
def test_a_picture_that_is_not_too_fine_is_printed_as_it_is(desk: Desk, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    """1,200 dots on 60 mm are 508 an inch: byte for byte; on 40 mm, 762, fewer do for a photograph."""
    monkeypatch.setattr(art, "LARGE", 10**5)
    desk.write("art/photo.jpg", photograph("JPEG"))
    (placed,) = desk.cut(f'<image href="photo" width="{width}" height="45"/>')
    assert ([*placed.layer.files.values()] == [photograph("JPEG")]) == (width == 60)


def painting(mode: str = "RGB", hole: bool = False) -> bytes:
    """A PNG of 400 × 300 dots that differ all, as those of paper do."""
    dots = numpy.random.default_rng(1).normal(0, 4, (300, 400, 1)) + numpy.linspace((40, 60, 90), (210, 160, 120), 400)
    image = Image.fromarray(dots.clip(0, 255).astype("uint8")).convert(mode)
    if hole:
        image.putpixel((7, 7), (0, 0, 0, 0))
    made = io.BytesIO()
    image.save(made, "PNG")
    return made.getvalue()


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L"])
def test_a_painting_is_stored_as_a_photograph(desk: Desk, mode: str) -> None:
    """Without loss each dot takes three bytes in a PDF, and a hundred illustrations half a gigabyte. Nobody sees it."""
    desk.write("art/ship.png", painting(mode))
    content = '<image href="ship" width="40" height="30"/>'
    (placed,) = desk.cut(content)
    (data,) = placed.layer.files.values()
    with Image.open(io.BytesIO(data)) as stored, Image.open(io.BytesIO(painting(mode))) as before:
        assert stored.format == "JPEG"
        assert max(ImageStat.Stat(ImageChops.difference(stored.convert("RGB"), before.convert("RGB"))).rms) < 2.5
    assert len(data) < 0.65 * len(painting(mode))


def test_what_is_no_photograph_stays_without_loss(desk: Desk) -> None:
    """Holes, lettering and flat colour: byte for byte."""
    lettering = Image.new("RGB", (400, 300), "#ffffff")
    ImageDraw.Draw(lettering).text((20, 20), "Draw two cards, then discard one.", "#000000")
    made = io.BytesIO()
    lettering.save(made, "PNG")
    for content in (painting("RGBA", hole=True), made.getvalue()):
        desk.write("art/ship.png", content)
        assert Art(desk.game).drawing("ship").data == content


@given(st.data())
@settings(max_examples=examples(20))
def test_packed_rows_are_those_of_png(data: st.DataObject) -> None:
    """Pillow reads them as the picture that they were."""
    width, height, colours = (data.draw(st.integers(1, most)) for most in (9, 600, 3))
    colours += colours == 2
    dots = numpy.random.default_rng(data.draw(st.integers(0, 9))).integers(0, 256, width * height * colours, dtype="uint8")
    smooth = (dots // data.draw(st.integers(1, 256))).astype("uint8").tobytes()
    head = struct.pack(">IIBBBBB", width, height, 8, 2 if colours == 3 else 0, 0, 0, 0)
    chunks = [b"IHDR" + head, b"IDAT" + png_rows(smooth, width, colours), b"IEND"]
    framed = [struct.pack(">I", len(each) - 4) + each + struct.pack(">I", zlib.crc32(each)) for each in chunks]
    with Image.open(io.BytesIO(b"\x89PNG\r\n\x1a\n" + b"".join(framed))) as picture:
        assert picture.tobytes() == smooth


def test_pictures_with_holes_are_packed_closely_without_loss(desk: Desk) -> None:
    """As small as the PNG was, in the colours that it had, by a reader that is not the writer."""
    desk.write("art/ship.png", painting("RGBA", hole=True))
    pdf = desk.pdf(desk.cut('<image href="ship" width="40" height="30"/>'))
    assert len(pdf) < 1.1 * len(painting("RGBA", hole=True))
    (image,) = pypdf.PdfReader(io.BytesIO(pdf)).pages[0].images
    with Image.open(io.BytesIO(painting("RGBA", hole=True))) as before:
        assert ImageChops.difference(image.image.convert("RGB"), before.convert("RGB")).getbbox() in (None, (7, 7, 8, 8))


def test_large_pictures_count_as_much_as_is_held_of_them(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """400 photographs of a camera are more than a game may hold; as small as they are shown they are not."""
    monkeypatch.setattr(art, "LARGE", 10**5)
    monkeypatch.setattr(art, "MOST_TOGETHER", 2 * len(photograph("JPEG")))
    for number in range(6):
        desk.write(f"art/{number}.jpg", photograph("JPEG") + bytes(number))
    for number in range(6):
        assert len(desk.cut(f'<image href="{number}" width="20" height="15"/>')) == 1
    for number in range(2):
        desk.cut(f'<image href="{number}" width="{60 + number}" height="60"/>')
    assert [str(fault) for fault, _ in desk.faults] == ["with it the game's drawings are larger than 0 MB"]


def test_a_large_picture_that_changes_meanwhile_is_told(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the look at its size and its being drawn."""
    monkeypatch.setattr(art, "LARGE", 10**5)
    path = desk.write("art/photo.jpg", photograph("JPEG"))
    found = desk.tools.art.drawing("photo")
    path.write_bytes(photograph("JPEG") + b"!")
    with pytest.raises(BadDrawing, match=r"photo\.jpg was changed while it was read"):
        desk.tools.art.sized(found, 20, 15)


def two_dots(kind: str = "PNG", turned: bool = False) -> bytes:
    """Two dots, red and blue."""
    image = Image.new("RGB", (16, 8), "#ff0000")
    image.paste("#0000ff", (8, 0, 16, 8))
    target, exif = io.BytesIO(), Image.Exif()
    exif[0x0112] = 6 if turned else 1
    image.save(target, kind, exif=exif, quality=100) if kind == "JPEG" else image.save(target, kind)
    return target.getvalue()


def written(data: bytes, kind: str = "png") -> str:
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


def pictured(href: str, name: str = "href") -> str:
    return f'<image {name}="{href}" width="10" height="10" preserveAspectRatio="none"/>'


WHOLE = '<image href="a" width="40" height="30" preserveAspectRatio="none"/>'


@pytest.mark.parametrize(
    ("href", "left", "right"),
    [
        (written(two_dots()), "#ff0000", "#0000ff"),
        (written(two_dots()).replace("iVBO", "iV%0ABO"), "#ff0000", "#0000ff"),
        ("data:image/svg+xml,%3Csvg viewBox='0 0 2 1'%3E%3Cpath d='M1 0h1v1h-1z'/%3E%3C/svg%3E", "#ffffff", "#000000"),
    ],
)
def test_embedded_pictures_are_drawn(desk: Desk, href: str, left: str, right: str) -> None:
    """PNG in base64, a drawing in words."""
    desk.art("a", pictured(href))
    image = desk.show(WHOLE)

    assert (colour_at(image, 5, 15), colour_at(image, 35, 15)) == (left, right)


def test_a_picture_beside_a_drawing_is_taken(desk: Desk) -> None:
    """As Inkscape links it, from the drawing's folder on; a face that shows the drawing depends on that file as well."""
    desk.write("art/sea/kraken.png", two_dots())
    desk.art("sea/a", '<g xmlns:xlink="http://www.w3.org/1999/xlink">' + pictured("kraken.png", "xlink:href") + "</g>")
    desk.art("b", pictured("sea/a.svg"))
    for _ in range(2):
        with desk.tools.art.asking() as asked:
            found = desk.tools.art.drawing("b")
        assert {name for _, name in asked} == {"b", "sea/a.svg", "sea/kraken.png"}
    assert b"image/svg+xml" in found.data


@pytest.mark.parametrize(
    ("href", "said"),
    [
        ("http://example.org/a.png", "outside the game"),
        ("file:///C:/Users/anna/kraken.png", "outside the game"),
        ("/etc/passwd", "outside the game"),
        ("../../../secret.png", "not there"),
        ("krakn.png", "not there"),
        (written(b"GIF89a", "gif"), "it is a GIF picture that cannot be read"),
        (written(b"<svg><script/></svg>", "svg+xml"), "script"),
        ("a.svg", "without end"),
    ],
)
def test_pictures_that_are_not_in_the_game_are_refused(desk: Desk, href: str, said: str) -> None:
    """With the line, and what to do."""
    desk.art("a", f"\n{pictured(href)}")
    with pytest.raises(BadDrawing, match=said) as caught:
        Art(desk.game).drawing("a")
    assert caught.value.line == 2
    if "not there" in said or "outside" in said:
        assert "Embed it" in caught.value.hint


def test_the_pictures_of_a_drawing_are_bounded_together(desk: Desk) -> None:
    """A picture of a few thousand bytes may have 40 million pixels, and a drawing room for a thousand of them."""
    target = io.BytesIO()
    Image.new("1", (8000, 5000)).save(target, "PNG")
    large = pictured(written(target.getvalue()))
    desk.art("two", large * 2)
    desk.art("three", f"<g/>\n{large * 3}")
    desk.art("inside", pictured("two.svg") * 2)
    desk.tools.art.drawing("two")

    with pytest.raises(BadDrawing, match="100 million pixels together") as fault:
        desk.tools.art.drawing("three")
    assert fault.value.line == 2
    with pytest.raises(BadDrawing, match="100 million pixels together"):
        desk.tools.art.drawing("inside")
