"""Colours as other eyes see them: held against the published matrices, against colorspacious, and against luminance."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from pnp.write.png import GREY, seen, side_by_side

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
