"""Pictures made of dots: what the printer can take as it is, and the rest as a PNG of the same dots."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from pnp.svg.safe import BadDrawing
from pnp.system.artfiles import BROKEN, EMPTY, content_of

if TYPE_CHECKING:
    from PIL import Image

MOST_PIXELS = 50_000_000

FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "AVIF")
_ALLOWED = "PNG, JPEG, WebP, GIF, BMP, TIFF, AVIF or SVG"
# A phone turns pictures by a note in the file (EXIF), and saves them as the sensor saw them.
_ORIENTATION, _UPRIGHT = 0x0112, 1
# What JPEG loses at this quality is not seen in print.
QUALITY = 95
# How Pillow holds what a PNG can hold as well; the rest is changed to what is right of these.
_HELD = ("1", "L", "LA", "P", "RGB", "RGBA", "I;16")
_CHANGED = {"PA": "RGBA", "RGBa": "RGBA", "La": "LA", "RGBX": "RGB", "CMYK": "RGB", "YCbCr": "RGB", "HSV": "RGB"}


def read_bitmap(data: bytes) -> tuple[bytes, str, int, int]:
    """A picture for the book: its bytes, ``png`` or ``jpg``, width and height in dots. Raises BadDrawing.

    PNG and JPEG pass as they are, unless they were held sideways. Of a picture that moves it is the first one.
    """
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(data), formats=FORMATS) as opened:
            image: Image.Image = opened
            if image.width * image.height > MOST_PIXELS:
                raise BadDrawing(
                    f"it has {image.width} × {image.height} pixels; {MOST_PIXELS // 1_000_000} million are enough"
                )
            image.load()
            suffix = "jpg" if image.format == "JPEG" else "png"
            if _orientation(image) != _UPRIGHT:
                image, data = _upright(image)
            elif image.format not in ("PNG", "JPEG"):
                data = _as_png(image)
            return data, suffix, image.width, image.height
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
    fault = BadDrawing(f"it is {what}, whatever its ending says")
    fault.value, fault.allowed = what, _ALLOWED
    fault.hint = "Give it the ending .svg." if "SVG" in what else "Open it in its own program, and export it as PNG or SVG."
    return fault


def _orientation(image: Image.Image) -> int:
    """How a picture was held; a note that cannot be read says nothing."""
    try:
        return int(image.getexif().get(_ORIENTATION, _UPRIGHT))
    except BROKEN:
        return _UPRIGHT


def _upright(image: Image.Image) -> tuple[Image.Image, bytes]:
    """A picture turned as its note says, and without the note, which not everybody who draws it reads."""
    from PIL import ImageOps

    turned = ImageOps.exif_transpose(image)
    if image.format != "JPEG":
        return turned, _as_png(turned)
    made = io.BytesIO()
    turned.save(made, "JPEG", quality=QUALITY, subsampling=0, icc_profile=image.info.get("icc_profile"), exif=b"")
    return turned, made.getvalue()


def _as_png(image: Image.Image) -> bytes:
    """The same dots as PNG; what is see-through stays so."""
    if image.mode not in (*_HELD, *_CHANGED):
        raise BadDrawing(f"its dots are kept in a way that printing has no use for ({image.mode})")
    shown = image.convert(_CHANGED[image.mode]) if image.mode in _CHANGED else image
    colours = image.info.get("icc_profile") if shown is image else None
    made = io.BytesIO()
    shown.save(made, "PNG", icc_profile=colours, exif=b"")
    return made.getvalue()
