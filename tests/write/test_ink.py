"""Ink on pages of known colours, and what paper and print cost; colours as other eyes see them, by published matrices."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from pnp.values.game import Paper
from pnp.write.png import GREY, Ink, SheetRun, coverage, estimate, seen, side_by_side

A4 = Paper("a4", 210, 297)
MM = 72 / 25.4
Colour = tuple[float, float, float]
BLACK: Colour = (0, 0, 0)


def printed(*pages: tuple[Colour, float] | None, paper: Paper = A4) -> bytes:
    """A PDF of pages, each painted in a colour from the top down to a share of its height; None is left blank."""
    target = io.BytesIO()
    canvas = Canvas(target, pagesize=(paper.width * MM, paper.height * MM))
    for page in pages:
        if page:
            colour, share = page
            canvas.setFillColorRGB(*colour)
            height = paper.height * MM
            canvas.rect(0, height * (1 - share), paper.width * MM, height * share, stroke=0, fill=1)
        canvas.showPage()
    canvas.save()
    return target.getvalue()


@pytest.mark.parametrize("page", [(BLACK, 0.5), ((0.5, 0.5, 0.5), 1.0)])
def test_half_black_is_50(page: tuple[Colour, float]) -> None:
    """Half of the page in black, or all of it in a grey half as dark."""
    (ink,) = coverage(printed(page))

    assert ink.total == pytest.approx(50, abs=0.5)
    assert ink.black == pytest.approx(0.5, abs=0.005)


@pytest.mark.parametrize(
    ("colour", "cyan", "magenta", "yellow", "black"),
    [
        (BLACK, 0, 0, 0, 1), ((0, 1, 1), 1, 0, 0, 0), ((1, 0, 1), 0, 1, 0, 0), ((1, 1, 0), 0, 0, 1, 0),
        ((1, 0, 0), 0, 1, 1, 0), ((0, 1, 0), 1, 0, 1, 0), ((0, 0, 1), 1, 1, 0, 0),
        ((0.6, 0.4, 0.2), 0, 0.2, 0.4, 0.4),
    ],
)  # fmt: skip
def test_what_inks_have_in_common_is_black(colour: Colour, cyan: float, magenta: float, yellow: float, black: float) -> None:
    """Pure inks are themselves, red is magenta and yellow, and the grey part of a brown is black ink alone."""
    (ink,) = coverage(printed((colour, 1.0)))

    assert (ink.cyan, ink.magenta, ink.yellow, ink.black) == pytest.approx((cyan, magenta, yellow, black), abs=0.005)
    assert ink.total == pytest.approx(100 * (cyan + magenta + yellow + black), abs=1)


def test_ink_is_measured_without_numpy(tmp_path: Path) -> None:
    """To load it takes longer than to measure a deck."""
    (tmp_path / "file.pdf").write_bytes(printed((BLACK, 0.5)))
    measure = "import sys; from pnp.write.png import coverage; coverage(open(sys.argv[1], 'rb').read())"
    script = f"{measure}; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script, tmp_path / "file.pdf"], capture_output=True, text=True, check=True)

    assert done.stdout == "False\n"


def inks(*pages: tuple[Colour, float] | None) -> list[Ink]:
    """The ink on such pages of A4."""
    return coverage(printed(*pages))


def run(sheets: int, pages: int, weight: int = 80) -> SheetRun:
    """A line of a print plan."""
    return SheetRun("Cards", "paper", weight, sheets, pages)


def test_each_line_has_the_ink_of_its_own_pages() -> None:
    """Two sheets of two pages, then one of one; the mean of all weighs every page alike."""
    made = estimate(inks((BLACK, 1.0), None, (BLACK, 0.5), None, (BLACK, 0.9)), [run(2, 4), run(1, 1)], A4)

    assert [line.coverage for line in made.lines] == pytest.approx([150 / 4, 90], abs=0.5)
    assert made.coverage == pytest.approx(240 / 5, abs=0.5)
    assert (made.sheets, made.pages) == (3, 5)


# Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", 2009,
# severity 1.0; for linear light.
MATRICES = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)
COLOURS = (RED, GREEN, BLUE, (0, 114, 178), (213, 94, 0), (1, 2, 3), (250, 249, 230))


def linear(colour: tuple[int, ...]) -> np.ndarray:
    """Light of an sRGB colour, as IEC 61966-2-1 has it."""
    part = np.array(colour) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def encoded(light: np.ndarray) -> np.ndarray:
    """Light as sRGB from 0 to 255."""
    part = np.clip(light, 0, 1)
    return 255 * np.where(part <= 0.0031308, 12.92 * part, 1.055 * part ** (1 / 2.4) - 0.055)


def one(colour: tuple[int, ...], kind: str) -> tuple[int, ...]:
    """A single colour as such eyes see it."""
    return tuple(int(part) for part in seen(np.array([[colour]], dtype=np.uint8), kind)[0, 0])


@pytest.mark.parametrize("kind", MATRICES)
@pytest.mark.parametrize("colour", COLOURS)
def test_a_colour_is_what_the_published_matrix_makes_of_it(kind: str, colour: tuple[int, int, int]) -> None:
    """Light times matrix, within a rounding."""
    assert one(colour, kind) == pytest.approx(encoded(np.array(MATRICES[kind]) @ linear(colour)), abs=1)


@pytest.mark.parametrize("colour", COLOURS)
def test_grey_is_the_luminance(colour: tuple[int, int, int]) -> None:
    """A colour's grey gives as much light as the colour: 0.2126 of red, 0.7152 of green, 0.0722 of blue."""
    red, green, blue = one(colour, GREY)

    assert red == green == blue
    assert red == pytest.approx(encoded(np.array((0.2126, 0.7152, 0.0722)) @ linear(colour)), abs=1)


def test_pictures_stand_side_by_side() -> None:
    """Left as it is printed, right as it is seen, words below both, the resolution kept."""
    page = Image.new("RGB", (400, 300), "white")
    page.paste(RED, (50, 50, 200, 200))
    target = io.BytesIO()
    page.save(target, "PNG", dpi=(100, 100))

    made = side_by_side(target.getvalue(), "deuteranopia", "print.pdf, page 3")
    with Image.open(io.BytesIO(made)) as opened:
        sheet = opened.convert("RGB")
        assert opened.info["dpi"] == pytest.approx((100, 100), abs=0.1)
    gap = (sheet.width - 800) // 3
    before = sheet.crop((gap, gap, gap + 400, gap + 300))
    after = sheet.crop((2 * gap + 400, gap, 2 * gap + 800, gap + 300))
    assert before.tobytes() == page.tobytes()
    assert after.tobytes() == seen(np.asarray(page), "deuteranopia").tobytes()
    ground = sheet.getpixel((0, 0))
    for x in (0, sheet.width // 2):
        words = sheet.crop((x, gap + 300, x + sheet.width // 2, sheet.height))
        assert {colour for _, colour in words.getcolors(99999)} > {ground}
        frame = Image.new("RGB", words.size, ground)
        assert words.tobytes() != frame.tobytes()
    assert made == side_by_side(target.getvalue(), "deuteranopia", "print.pdf, page 3")


@pytest.mark.parametrize("width", [120, 200, pytest.param(3000, marks=pytest.mark.at_length)])
def test_the_words_have_room(width: int) -> None:
    """Small faces or large sheets: the words end before the picture does, and above the lower edge."""
    target = io.BytesIO()
    Image.new("RGB", (width, width), "white").save(target, "PNG")
    with Image.open(io.BytesIO(side_by_side(target.getvalue(), "tritanopia", "print.pdf, tabloid, page 104"))) as opened:
        sheet = opened.convert("RGB")
    ground = sheet.getpixel((0, 0))

    column = sheet.crop((sheet.width - 1, 0, sheet.width, sheet.height))
    middle = sheet.crop((sheet.width // 2, 0, sheet.width // 2 + 1, sheet.height))
    assert [colour for _, colour in column.getcolors()] == [colour for _, colour in middle.getcolors()] == [ground]
    assert [colour for _, colour in sheet.crop((0, sheet.height - 1, sheet.width, sheet.height)).getcolors()] == [ground]
