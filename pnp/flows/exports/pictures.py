"""Pictures of pieces in one scale, as the bytes of PNG files."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pnp.flows.exports.darkroom import Darkroom, Size
from pnp.shapes.units import MM_PER
from pnp.values.kit import Look, Part, Thing

if TYPE_CHECKING:
    from PIL.Image import Image

# Sharp enough to be read on a screen; a card has 496 x 693 dots.
DPI = 200
# Of a board, so that a telephone can show it.
LONGEST = 2048


def dots(width: float, height: float, most: int = LONGEST) -> Size:
    """How many dots a picture of this size in mm has; big ones have fewer to the inch."""
    scale = min(DPI / MM_PER["in"], most / max(width, height))
    return max(1, round(width * scale)), max(1, round(height * scale))


class Album:
    """The pictures of one part at a time: all of them are made in one go, those of a whole game would fill the memory."""

    def __init__(self, darkroom: Darkroom) -> None:
        self._darkroom = darkroom
        self._part = ""
        self._images: dict[tuple[str, Size], Image] = {}

    def sides(self, part: Part, thing: Thing, size: Size) -> tuple[Image, Image | None]:
        """Front and back of a thing."""
        if part.name != self._part:
            self._part, self._images = part.name, {}
        if (thing.front.key, size) not in self._images:
            looks = [look for one in part.things for look in (one.front, one.back) if look]
            images = self._darkroom.looks([(look, size) for look in looks])
            self._images |= {(look.key, size): image for look, image in zip(looks, images, strict=True)}
        back = self._images[thing.back.key, size] if thing.back else None
        return self._images[thing.front.key, size], back


def keys(*looks: Look | None) -> list[str]:
    """What pictures of these show, for :meth:`Darkroom.kept`."""
    return [look.key if look else "" for look in looks]


def on_white(picture: Image) -> Image:
    """What can be seen through shows white."""
    from PIL import Image

    if picture.mode == "RGB":
        return picture
    ground = Image.new("RGB", picture.size, "white")
    ground.paste(picture, (0, 0), picture)
    return ground


def on_ground(picture: Image, size: Size) -> Image:
    """A picture in the middle of a clear one of this size."""
    from PIL import Image

    whole = Image.new("RGBA", size, (255, 255, 255, 0))
    whole.paste(picture, ((size[0] - picture.width) // 2, (size[1] - picture.height) // 2))
    return whole


def blank(size: Size) -> Image:
    """Of a side on which nothing is printed."""
    from PIL import Image

    return Image.new("RGB", size, "white")


def mean(picture: Image) -> tuple[int, ...]:
    """The colour of it all."""
    found = on_white(picture).resize((1, 1)).getpixel((0, 0))
    assert isinstance(found, tuple)
    return found


def png(picture: Image) -> bytes:
    """The bytes of a file."""
    target = io.BytesIO()
    picture.save(target, "PNG", compress_level=6)
    return target.getvalue()


def sheet(pictures: Sequence[Image], size: Size, columns: int) -> Image:
    """Pictures from the top left, row by row, on white."""
    from PIL import Image

    whole = Image.new("RGB", (size[0] * min(columns, len(pictures)), size[1] * -(-len(pictures) // columns)), "white")
    for number, picture in enumerate(pictures):
        whole.paste(on_white(picture), (number % columns * size[0], number // columns * size[1]))
    return whole
