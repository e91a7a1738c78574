"""What stands on a page beside faces: lines, rings and words, seen as a printer would ink them."""

from __future__ import annotations

import io
import re
import subprocess
from dataclasses import replace

import pypdfium2 as pdfium
import pytest
from conftest import tool
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops
from pypdf import PdfReader

from pnp.shapes.units import PT_PER_MM
from pnp.values.faces import Item, Label, Line, Page, Stroke
from pnp.values.game import Backs, Paper
from pnp.write.pdf import HALO, Document, numbers, text_width, unprintable, write_pdf

PAPER = Paper("card", 80.0, 60.0)
ABOUT = Document("Tiny", "", "en", "none", "test", "")
DOTS = 10
"""Dots a millimetre."""
SQUARE = ((10.0, 10.0), (30.0, 10.0), (30.0, 30.0), (10.0, 30.0))
BLACK, WHITE = (0, 0, 0), (255, 255, 255)


def pdf_of(*items: Item) -> bytes:
    """A page with these on it."""
    return write_pdf([Page(PAPER, items)], None, ABOUT)


def seen(*items: Item) -> Image.Image:
    """The page as a picture."""
    document = pdfium.PdfDocument(pdf_of(*items))
    try:
        return document[0].render(scale=DOTS * 25.4 / 72).to_pil().convert("RGB")
    finally:
        document.close()


def ink(image: Image.Image) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of what is inked, in mm."""
    box = (
        ImageChops.difference(image, Image.new("RGB", image.size, "white"))
        .convert("L")
        .point(lambda value: 255 * (value > 99))
        .getbbox()
    )
    assert box is not None
    left, top, right, bottom = (edge / DOTS for edge in box)
    return left, top, right, bottom


def at(image: Image.Image, x: float, y: float) -> object:
    """The colour at a place in mm."""
    return image.getpixel((int(x * DOTS), int(y * DOTS)))


@pytest.mark.parametrize(
    ("backs", "wish"),
    [
        ("long-edge", "/DuplexFlipLongEdge"),
        ("short-edge", "/DuplexFlipShortEdge"),
        ("gutterfold", "/Simplex"),
        ("none", "/Simplex"),
    ],
)
def test_a_file_asks_to_be_printed_as_it_was_laid(backs: Backs, wish: str) -> None:
    """At 100 %, from the tray of its paper, on one side or turned about the edge that its backs were laid for."""
    reader = PdfReader(io.BytesIO(write_pdf([Page(PAPER, ())], None, replace(ABOUT, backs=backs))))

    assert dict(reader.trailer["/Root"]["/ViewerPreferences"]) == {
        "/PrintScaling": "/None",
        "/Duplex": wish,
        "/PickTrayByPDFSize": True,
        "/DisplayDocTitle": True,
    }


def test_all_boxes_of_a_page_are_the_paper() -> None:
    """Each page says itself what is sheet, bleed and trim: a print shop that finds none crops by guess."""
    sizes = [(80.0, 60.0), (210.0, 297.0)]
    pages = [Page(Paper("any", width, height), ()) for width, height in sizes]
    for page, size in zip(PdfReader(io.BytesIO(write_pdf(pages, None, ABOUT))).pages, sizes, strict=True):
        for box in ("/MediaBox", "/CropBox", "/BleedBox", "/TrimBox"):
            left, bottom, right, top = (float(number) / PT_PER_MM for number in page[box])
            assert (left, bottom) == (0, 0)
            assert (right, top) == pytest.approx(size, abs=0.001)


@pytest.mark.parametrize("halo", [True, False])
def test_a_halo_is_white_on_both_sides(halo: bool) -> None:
    """On black ink, so that the line would be lost without it."""
    ground = Stroke(SQUARE, width=0, fill=0.0)
    image = seen(ground, Line(12, 20, 28, 20, width=0.1, halo=halo))

    for beside in (-HALO / 3, HALO / 3):
        assert at(image, 20, 20 + beside) == (WHITE if halo else BLACK)
    assert at(image, 20, 20 + HALO) == at(image, 20, 20 - HALO) == BLACK


@pytest.mark.parametrize(("fill", "colour"), [((0.2, 0.4, 0.6), (51, 102, 153)), (0.6, (153, 153, 153)), (None, WHITE)])
@pytest.mark.parametrize("width", [1.0, 0.0])
def test_a_ring_has_its_fill_and_its_line(
    fill: float | tuple[float, float, float] | None, colour: object, width: float
) -> None:
    """Either may be missing; what follows has neither from it."""
    image = seen(Stroke(SQUARE, width=width, fill=fill), Line(50, 10, 50, 30, width=1))

    assert at(image, 20, 20) == colour
    assert at(image, 10.2, 20) == (BLACK if width else colour)
    assert at(image, 9.8, 20) == (BLACK if width else WHITE)
    assert at(image, 10.05, 20) == (BLACK if width else colour)
    assert at(image, 50, 20) == BLACK


@pytest.mark.parametrize(("anchor", "before"), [("start", 0.0), ("middle", 0.5), ("end", 1.0)])
def test_a_label_is_set_at_its_anchor(anchor: str, before: float) -> None:
    """Its baseline at y, and its line begins, ends or has its middle at x."""
    left, top, right, bottom = ink(seen(Label(40, 30, "HHHH", 20, anchor=anchor)))  # type: ignore[arg-type]
    width, em = text_width("HHHH", 20), 20 / PT_PER_MM

    assert (left, right) == pytest.approx((40 - before * width, 40 + (1 - before) * width), abs=0.11 * em)
    assert bottom == pytest.approx(30, abs=0.11)
    assert bottom - top == pytest.approx(0.66 * em, abs=0.03 * em)


@pytest.mark.parametrize("turn", [90, 180, -90, 37])
@pytest.mark.parametrize("anchor", ["start", "middle", "end"])
def test_a_label_is_turned_clockwise_about_its_anchor(turn: float, anchor: str) -> None:
    """Its ink lies where a turned sheet of glass would bring it."""
    level, turned = (Label(40, 30, "HH", 20, angle, anchor=anchor) for angle in (0, turn))  # type: ignore[arg-type]
    glass = seen(level).rotate(-turn, center=(40 * DOTS, 30 * DOTS), resample=Image.Resampling.BICUBIC, fillcolor="white")
    assert ink(seen(turned)) == pytest.approx(ink(glass), abs=0.25)


@pytest.mark.parametrize("halo", [True, False])
def test_a_label_shows_on_black(halo: bool) -> None:
    """Its letters are dark, a white line around them."""
    image = seen(
        Stroke(((0, 0), (80, 0), (80, 60), (0, 60)), width=0, fill=0.0), Label(40, 30, "I", 60, anchor="middle", halo=halo)
    )
    row = [at(image, 30 + dot / DOTS, 23) for dot in range(20 * DOTS)]

    assert (WHITE in row) == halo
    letter = row[10 * DOTS]
    assert letter == (38, 38, 38)
    if halo:
        first, last = row.index(WHITE), len(row) - 1 - row[::-1].index(WHITE)
        assert first < row.index(letter) < last


def test_more_letters_than_a_font_of_a_pdf_has() -> None:
    """Latin, Greek and Cyrillic on one page: over 256 of them, in labels of their own and in one."""
    known = [chr(code) for code in (*range(0x21, 0x7F), *range(0xC0, 0x180), *range(0x391, 0x3A2), *range(0x410, 0x450))]
    letters = [letter for letter in known if not unprintable(letter)]
    assert len(letters) > 256
    lines = ["".join(letters[start : start + 40]) for start in range(0, len(letters), 40)]
    labels = [Label(2, 4 + 5 * number, line, 6) for number, line in enumerate([*lines, lines[-1] + lines[0]])]
    done = subprocess.run([tool("pdftotext"), "-raw", "-", "-"], input=pdf_of(*labels), capture_output=True, check=True)

    assert done.stdout.decode().replace("\f", "").split("\n")[: len(labels)] == [label.text for label in labels]


@given(st.floats(-1e5, 1e5))
def test_a_number_is_written_as_a_pdf_has_it(value: float) -> None:
    """To a hundred thousandth of a point, without an exponent, and nothing is below nothing."""
    written = numbers(value)

    assert re.fullmatch(r"-?\d+(\.\d*[1-9])?", written)
    assert written != "-0"
    assert float(written) == pytest.approx(value, abs=6e-6)
