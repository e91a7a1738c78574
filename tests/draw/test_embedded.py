"""Pictures in drawings: written into them, or beside them in art/."""

from __future__ import annotations

import base64
import io

import pytest
from desk import Desk, colour_at
from PIL import Image

from pnp.draw.art import Art
from pnp.svg.safe import BadDrawing


def bitmap(kind: str = "PNG", turned: bool = False) -> bytes:
    """Two dots, red and blue."""
    image = Image.new("RGB", (16, 8), "#ff0000")
    image.paste("#0000ff", (8, 0, 16, 8))
    target, exif = io.BytesIO(), Image.Exif()
    exif[0x0112] = 6 if turned else 1
    image.save(target, kind, exif=exif, quality=100) if kind == "JPEG" else image.save(target, kind)
    return target.getvalue()


def written(data: bytes, kind: str = "png") -> str:
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


def picture(href: str, name: str = "href") -> str:
    return f'<image {name}="{href}" width="10" height="10" preserveAspectRatio="none"/>'


WHOLE = '<image href="a" width="40" height="30" preserveAspectRatio="none"/>'


@pytest.mark.parametrize(
    ("href", "left", "right"),
    [
        (written(bitmap()), "#ff0000", "#0000ff"),
        (written(bitmap()).replace("iVBO", "iV%0ABO"), "#ff0000", "#0000ff"),
        ("data:image/svg+xml,%3Csvg viewBox='0 0 2 1'%3E%3Cpath d='M1 0h1v1h-1z'/%3E%3C/svg%3E", "#ffffff", "#000000"),
    ],
)
def test_embedded_pictures_are_drawn(desk: Desk, href: str, left: str, right: str) -> None:
    """PNG in base64, a drawing in words."""
    desk.art("a", picture(href))
    image = desk.show(WHOLE)

    assert (colour_at(image, 5, 15), colour_at(image, 35, 15)) == (left, right)


def test_a_picture_beside_a_drawing_is_taken(desk: Desk) -> None:
    """As Inkscape links it, from the drawing's folder on; a face that shows the drawing depends on that file as well."""
    desk.write("art/sea/kraken.png", bitmap())
    desk.art("sea/a", '<g xmlns:xlink="http://www.w3.org/1999/xlink">' + picture("kraken.png", "xlink:href") + "</g>")
    desk.art("b", picture("sea/a.svg"))
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
    desk.art("a", f"\n{picture(href)}")
    with pytest.raises(BadDrawing, match=said) as caught:
        Art(desk.game).drawing("a")
    assert caught.value.line == 2
    if "not there" in said or "outside" in said:
        assert "Embed it" in caught.value.hint


def test_the_pictures_of_a_drawing_are_bounded_together(desk: Desk) -> None:
    """A picture of a few thousand bytes may have 40 million pixels, and a drawing room for a thousand of them."""
    target = io.BytesIO()
    Image.new("1", (8000, 5000)).save(target, "PNG")
    large = picture(written(target.getvalue()))
    desk.art("two", large * 2)
    desk.art("three", f"<g/>\n{large * 3}")
    desk.art("inside", picture("two.svg") * 2)
    desk.tools.art.drawing("two")

    with pytest.raises(BadDrawing, match="100 million pixels together") as fault:
        desk.tools.art.drawing("three")
    assert fault.value.line == 2
    with pytest.raises(BadDrawing, match="100 million pixels together"):
        desk.tools.art.drawing("inside")
