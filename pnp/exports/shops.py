"""Requirements of print shops as data, and faces rendered in the exact pixels that they ask for."""

from __future__ import annotations

import datetime
import io
import os
import tomllib
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Literal

from pnp.dataclass import dataclass
from pnp.exports.choices import Order, Standard
from pnp.exports.target import Rasterizer, Size
from pnp.shapes.outline import Ring
from pnp.values.faces import Face
from pnp.values.game import Side

if TYPE_CHECKING:
    from PIL.Image import Image

DPI = 300
MM = 25.4
Shape = Literal["rectangle", "circle", "hex", "free"]
# So much less bleed than is needed, in mm, is about a dot, and nobody sees it.
UNSEEN = 0.1
# Points of an outline that are all so near to a circle or a hexagon, in mm, are one.
LIKE = 0.3


@dataclass(frozen=True, slots=True)
class Shop:
    """A print shop; lengths in mm."""

    name: str
    title: str
    files: Literal["png", "jpg", "pdf"]
    bleed: float
    safe: float
    note: str
    order: Order = "front-back"
    standard: Standard = "x4"
    ink: float = 300.0
    """The most ink on one spot, in percent."""
    largest: tuple[float, float] | None = None
    """The short and the long side of the largest card that it prints."""


@dataclass(frozen=True, slots=True)
class Product:
    """A product of a shop: its picture in pixels, and the piece in mm."""

    name: str
    dots: Size
    width: float
    height: float
    use: Literal["card", "tile", "token", "board"]
    shape: Shape


@cache
def _entries(file: str) -> dict[str, Any]:
    return tomllib.loads(resources.files(__package__).joinpath(file).read_text(encoding="utf-8"))


@cache
def shops() -> Mapping[str, Shop]:
    """All shops by the name that is typed."""
    return {name: Shop(name, **entry) for name, entry in _entries("shops.toml").items()}


@cache
def products() -> tuple[Product, ...]:
    """The flat products of The Game Crafter."""
    made = []
    for name, each in _entries("gamecrafter.toml")["products"].items():
        (across, down), (width, height) = each["dots"], each["inches"]
        made.append(Product(name, (across, down), width * MM, height * MM, each["use"], each["shape"]))
    return tuple(made)


def products_of() -> datetime.date:
    """The day on which the products' sizes were looked up."""
    day: datetime.date = _entries("gamecrafter.toml")["updated"]
    return day


def shape_of(ring: Ring | None, width: float, height: float) -> Shape:
    """The shop's shape for a piece with this outline."""
    if ring is None:
        return "rectangle"
    middle = width / 2, height / 2
    reaches = [((x - middle[0]) ** 2 + (y - middle[1]) ** 2) ** 0.5 for x, y in ring]
    if max(reaches) - min(reaches) > LIKE:
        return "free"
    return "hex" if len(ring) == 6 else "circle" if len(ring) > 12 else "free"


def dots(length: float, dpi: float = DPI) -> int:
    """A length in mm in pixels."""
    return max(1, round(length * dpi / MM))


def in_dots(rasterizer: Rasterizer, wanted: Sequence[tuple[Face, Side, Size, bool]], dpi: float = DPI) -> Iterator[Image]:
    """Renders faces at true size, centred in pictures of the given pixels, with bleed as far as the picture reaches.

    Beyond the drawn bleed the outermost pixels are repeated. The last value of each wanted face turns it on its side:
    fronts clockwise and backs the other way, so that they still match when the piece is turned over.
    """
    sizes = [(dots(face.width + 2 * face.bleed, dpi), dots(face.height + 2 * face.bleed, dpi)) for face, _, _, _ in wanted]
    drawn = rasterizer.faces(
        [(face, side, size) for (face, side, _, _), size in zip(wanted, sizes, strict=True)], bleed=True
    )
    for (_, side, size, turned), image in zip(wanted, drawn, strict=True):
        upright = image.rotate(-90 if side == "front" else 90, expand=True) if turned else image
        yield _in_the_middle(upright, size)


def _in_the_middle(image: Image, size: Size) -> Image:
    """Crops a picture to a size about its centre, or extends it by repeating its edge."""
    from PIL import Image as Images

    left, top = ((wide - has) // 2 for wide, has in zip(size, image.size, strict=True))
    if left <= 0 and top <= 0 and all(has >= wide for has, wide in zip(image.size, size, strict=True)):
        return image.crop((-left, -top, -left + size[0], -top + size[1]))
    # First across, then down: the corners are those of the picture.
    wide = Images.new(image.mode, (size[0], image.height))
    if left > 0:
        wide.paste(image.crop((0, 0, 1, image.height)).resize((left, image.height)), (0, 0))
    right = image.crop((image.width - 1, 0, image.width, image.height))
    beyond = size[0] - left - image.width
    if beyond > 0:
        wide.paste(right.resize((beyond, image.height)), (left + image.width, 0))
    wide.paste(image, (left, 0))
    high = Images.new(image.mode, size)
    if top > 0:
        high.paste(wide.crop((0, 0, size[0], 1)).resize((size[0], top)), (0, 0))
    below = size[1] - top - image.height
    if below > 0:
        last = wide.crop((0, image.height - 1, size[0], image.height))
        high.paste(last.resize((size[0], below)), (0, top + image.height))
    high.paste(wide, (0, top))
    return high


def continued(face: Face, size: Size, turned: bool, dpi: float = DPI) -> float:
    """How far a picture of these pixels reaches beyond a face's bleed, in mm."""
    width, height = (face.height, face.width) if turned else (face.width, face.height)
    return max(size[0] * MM / dpi / 2 - width / 2, size[1] * MM / dpi / 2 - height / 2) - face.bleed


def saved(image: Image, kind: str, dpi: float = DPI) -> bytes:
    """A picture as a file with its resolution."""
    target = io.BytesIO()
    if kind == "jpg":
        image.convert("RGB").save(target, "JPEG", quality=95, subsampling=0, dpi=(dpi, dpi))
    else:
        image.save(target, "PNG", dpi=(dpi, dpi), compress_level=3)
    return target.getvalue()


def all_saved(images: Iterable[Image], kind: str, dpi: float = DPI) -> Iterator[bytes]:
    """Pictures as files, in their order. They are packed on all cores while the next ones are rendered."""
    from concurrent.futures import Future, ThreadPoolExecutor

    cores = os.cpu_count() or 1
    with ThreadPoolExecutor(cores) as threads:
        packed: deque[Future[bytes]] = deque()
        for image in images:
            packed.append(threads.submit(saved, image, kind, dpi))
            # No more are held than keep the cores busy.
            if len(packed) > cores:
                yield packed.popleft().result()
        for one in packed:
            yield one.result()
