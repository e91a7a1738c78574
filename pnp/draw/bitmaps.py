"""Reads pictures of pixels, and makes smaller ones of those that have more dots than a printer shows."""

from __future__ import annotations

import io
from contextlib import suppress
from typing import TYPE_CHECKING

from pnp.svg.safe import BadDrawing
from pnp.system.paths import BROKEN, EMPTY, content_of

if TYPE_CHECKING:
    from PIL import Image

MOST_PIXELS = 50_000_000

FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "AVIF")
_ALLOWED = "PNG, JPEG, WebP, GIF, BMP, TIFF, AVIF or SVG"
# A phone may put a second picture into the file, which is MPO to Pillow: other programs show the first.
_JPEG = ("JPEG", "MPO")
# A phone turns pictures by a note in the file (EXIF), and saves them as the sensor saw them.
_ORIENTATION, _UPRIGHT = 0x0112, 1
# What JPEG loses at this quality is not seen in print.
QUALITY = 95
# Pillow reads no larger one in a PNG again.
MOST_PROFILE = 1_000_000
# How Pillow holds what a PNG can hold as well; the rest is changed to what is right of these.
_HELD = ("1", "L", "LA", "P", "RGB", "RGBA", "I;16")
_CHANGED = {"PA": "RGBA", "RGBa": "RGBA", "La": "LA", "RGBX": "RGB", "CMYK": "RGB", "YCbCr": "RGB", "HSV": "RGB"}


def read_bitmap(data: bytes) -> tuple[bytes, str, int, int]:
    """The bytes of a picture, ``png`` or ``jpg``, its width and height in pixels. Raises BadDrawing.

    PNG and JPEG pass as they are, unless they were held sideways. Of a picture that moves it is the first one.
    """
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(data), formats=FORMATS) as image:
            width, height = image.size
            if width * height > MOST_PIXELS:
                enough = f"{MOST_PIXELS // 1_000_000} million are enough"
                raise BadDrawing(f"it has {width} × {height} pixels; {enough}")
            suffix, upright = ("jpg" if image.format in _JPEG else "png"), _orientation(image) == _UPRIGHT
            if upright and image.format in (*_JPEG, "PNG"):
                # Whether it can be read is seen as well when it is unpacked at an eighth of its size.
                image.draft(image.mode, (1, 1))
                _unpack(image)
                return data, suffix, width, height
            _unpack(image)
            shown, data = (image, _as_png(image)) if upright else _upright(image)
            return data, suffix, shown.width, shown.height
    except UnidentifiedImageError:
        raise _no_picture(data) from None
    except (*BROKEN, Image.DecompressionBombError) as error:
        raise BadDrawing(f"it is {content_of(data) or 'a picture'} that cannot be read ({error})") from None


def _no_picture(data: bytes) -> BadDrawing:
    what = content_of(data)
    if what == EMPTY:
        return BadDrawing("it is empty")
    if not what or what.split()[1].upper() in FORMATS:
        return BadDrawing(f"it is {what} that cannot be read" if what else "it cannot be read as a picture")
    hint = "Give it the ending .svg." if "SVG" in what else "Open it in its own program, and export it as PNG or SVG."
    return BadDrawing(f"it is {what}, whatever its ending says", what, _ALLOWED, hint)


def _unpack(image: Image.Image) -> None:
    """Unpacks the dots. What stands behind them in the file may be broken: at the second try they are there after all."""
    try:
        image.load()
    except BROKEN:
        image.load()


def _orientation(image: Image.Image) -> int:
    try:
        return int(image.getexif().get(_ORIENTATION, _UPRIGHT))
    except BROKEN:
        return _UPRIGHT


def _upright(image: Image.Image) -> tuple[Image.Image, bytes]:
    """Turns a picture as its EXIF orientation says and drops the tag, which not every viewer obeys."""
    from PIL import ImageOps

    turned = ImageOps.exif_transpose(image)
    if image.format not in _JPEG:
        return turned, _as_png(turned)
    made = io.BytesIO()
    turned.save(made, "JPEG", quality=QUALITY, subsampling=0, icc_profile=image.info.get("icc_profile"), exif=b"")
    return turned, made.getvalue()


def _as_png(image: Image.Image) -> bytes:
    if image.mode not in (*_HELD, *_CHANGED):
        raise BadDrawing(f"its dots are kept in a way that printing has no use for ({image.mode})")
    shown = image.convert(_CHANGED[image.mode]) if image.mode in _CHANGED else image
    colours = image.info.get("icc_profile") if shown is image else None
    if len(colours or b"") > MOST_PROFILE:
        raise BadDrawing(f"its colour profile is larger than {MOST_PROFILE} bytes", hint="Save it in sRGB.")
    made = io.BytesIO()
    shown.save(made, "PNG", icc_profile=colours, exif=b"")
    return made.getvalue()


# Dots an inch above which a picture is made smaller, and those that it keeps: of photographs a third more than the 300 of
# Adobe's PDFs for the press; of what is saved without loss, which may be lettering, those that a laser printer has.
FINE = {"jpg": (600, 400), "png": (900, 600)}
_REDUCED = 90


# A picture that packs no better than to this share of its bytes is a photograph or a painting, not lettering or flat colour.
_PACKED = 1 / 3
LEAST_PHOTOGRAPH = 100_000
"""Pixels: of a smaller one it does not matter how it is stored."""


def as_photograph(data: bytes) -> bytes:
    """A PNG without holes that is a photograph or a painting, as JPEG; empty for any other.

    Adobe's PDFs for the press store them so as well; without loss a hundred of them make a file of half a gigabyte.
    """
    from PIL import Image

    # What stands behind its dots may be broken.
    with suppress(*BROKEN), Image.open(io.BytesIO(data), formats=FORMATS) as image:
        if image.mode not in ("L", "RGB", "RGBA") or image.info.get("transparency") is not None:
            return b""
        kept = "L" if image.mode == "L" else "RGB"
        if len(data) < _PACKED * image.width * image.height * len(kept):
            return b""
        if image.mode == "RGBA" and image.getchannel("A").getextrema() != (255, 255):
            return b""
        made = io.BytesIO()
        image.convert(kept).save(made, "JPEG", quality=QUALITY, subsampling=0, icc_profile=image.info.get("icc_profile"))
        return made.getvalue() if made.tell() < len(data) else b""
    return b""


Part = tuple[float, float, float, float]
"""What is seen of a picture: left, top, right, bottom, as shares of its width and height."""
ALL: Part = (0.0, 0.0, 1.0, 1.0)


def smaller(data: bytes, photograph: bool, width: int, height: int, part: Part = ALL) -> bytes:
    """A part of a picture in ``width`` × ``height`` pixels, upright, as JPEG if it is a ``photograph``, else as PNG.

    Empty if it would not be smaller, or if its dots are kept in a way that cannot be averaged.
    """
    from PIL import Image, ImageOps

    left, top, right, bottom = part
    with suppress(*BROKEN), Image.open(io.BytesIO(data), formats=FORMATS) as opened:
        image: Image.Image = opened
        if image.mode not in ("L", "LA", "RGB", "RGBA"):
            return b""
        colours = image.info.get("icc_profile")
        if image.format in _JPEG and _orientation(image) == _UPRIGHT:
            # Unpacked at a half, a quarter or an eighth of its size, where that is still twice as fine.
            opened.draft(image.mode, (int(2 * width / (right - left)), int(2 * height / (bottom - top))))
        image = ImageOps.exif_transpose(image)
        box = (left * image.width, top * image.height, right * image.width, bottom * image.height)
        image = image.resize((width, height), Image.Resampling.LANCZOS, box, reducing_gap=3.0)
        made = io.BytesIO()
        if photograph:
            image.convert(image.mode.rstrip("A")).save(made, "JPEG", quality=_REDUCED, icc_profile=colours)
        else:
            image.save(made, "PNG", icc_profile=colours)
        return made.getvalue() if made.tell() < len(data) else b""
    return b""


_BAND = 256


def png_rows(dots: bytes, width: int, colours: int) -> bytes:
    """Dots of 8 bits as PNG packs them: each row as what differs from its neighbours, in the way that leaves least of it.

    In a PDF that is /Predictor 15. Of a painting it takes half the room.
    """
    import zlib

    import numpy as np

    packer, made = zlib.compressobj(), []
    rows = np.frombuffer(dots, np.uint8).reshape(-1, width * colours)
    above = np.zeros((1, width * colours), np.uint8)
    for first in range(0, len(rows), _BAND):
        own = rows[first : first + _BAND]
        up = np.concatenate((above, own[:-1]))
        left, corner = (np.pad(each[:, :-colours], ((0, 0), (colours, 0))) for each in (own, up))
        a, b, c = (each.astype(np.int16) for each in (left, up, corner))
        to_left, to_up, to_corner = abs(b - c), abs(a - c), abs(a + b - 2 * c)
        nearest = np.where((to_left <= to_up) & (to_left <= to_corner), left, np.where(to_up <= to_corner, up, corner))
        # The five filters of the PNG specification: none, sub, up, average, Paeth.
        found = np.stack((own, own - left, own - up, own - ((a + b) // 2).astype(np.uint8), own - nearest))
        kinds = np.minimum(found, 0 - found).sum(2, dtype=np.int64).argmin(0)
        chosen = np.take_along_axis(found, kinds[None, :, None], 0)[0]
        made.append(packer.compress(np.column_stack((kinds.astype(np.uint8), chosen)).tobytes()))
        above = own[-1:]
    return b"".join((*made, packer.flush()))
