"""PDF pages → PNG pictures, rasterised from the printed file itself so that what is seen is what is inked."""

from __future__ import annotations

import io
import math
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

GAP = 12


def render(pdf: bytes, dpi: int, numbers: Collection[int] | None = None) -> list[bytes]:
    """Every page, or those with these numbers from 0, as a PNG at ``dpi`` dots per inch, its resolution written in."""
    return [_png(image, dpi, 6) for image in _images(pdf, dpi, clear=False, numbers=numbers)]


def page_sizes(pdf: bytes) -> list[tuple[float, float]]:
    """Width and height of every page in mm."""
    import pypdfium2 as pdfium

    document = pdfium.PdfDocument(pdf)
    try:
        return [(width / 72 * 25.4, height / 72 * 25.4) for width, height in (page.get_size() for page in document)]
    finally:
        document.close()


def render_twice(pdf: bytes, dpi: int, most: int) -> list[tuple[bytes, bytes]]:
    """Every page for print and for a screen, unprinted paper transparent; for a screen at most so many pixels wide."""
    from concurrent.futures import ThreadPoolExecutor

    def both(image: Image) -> tuple[bytes, bytes]:
        # What is for print goes into a PDF, which packs it anew: packing it well here would be in vain.
        return _png(image, dpi, 1), _for_screen(image, most)

    # Packing leaves the interpreter free for the next page; rendering itself is one page at a time.
    with ThreadPoolExecutor() as threads:
        return list(threads.map(both, _images(pdf, dpi, clear=True)))


def looks(pdf: bytes, dpi: int, numbers: Collection[int] | None = None) -> Iterator[tuple[Image, str]]:
    """Every page, or those with these numbers from 0, as it is printed, and the words that can be read on it."""
    import pypdfium2 as pdfium

    document = pdfium.PdfDocument(pdf)
    try:
        for number in range(len(document)) if numbers is None else sorted(numbers):
            page = document[number]
            yield page.render(scale=dpi / 72).to_pil().convert("RGB"), " ".join(page.get_textpage().get_text_range().split())
    finally:
        document.close()


def in_size(pdf: bytes, wanted: Sequence[tuple[tuple[int, int], bool]]) -> Iterator[Image]:
    """Every page so many dots wide and high, RGB, or RGBA with unprinted paper transparent where that is wanted."""
    import pypdfium2 as pdfium

    document = pdfium.PdfDocument(pdf)
    try:
        for page, ((width, height), clear) in zip(document, wanted, strict=True):
            across, down = page.get_size()
            image = page.render(scale=max(width / across, height / down), fill_color=(255, 255, 255, 0 if clear else 255))
            found = image.to_pil().convert("RGBA" if clear else "RGB")
            # Rendering rounds up: what is over is less than a dot, unless the shape is another.
            exact = abs(found.width - width) <= 1 and abs(found.height - height) <= 1
            yield found.crop((0, 0, width, height)) if exact else found.resize((width, height))
    finally:
        document.close()


def _images(pdf: bytes, dpi: int, clear: bool, numbers: Collection[int] | None = None) -> Iterator[Image]:
    import pypdfium2 as pdfium

    document = pdfium.PdfDocument(pdf)
    ground = (255, 255, 255, 0 if clear else 255)
    try:
        for number in range(len(document)) if numbers is None else sorted(numbers):
            page = document[number]
            image = page.render(scale=dpi / 72, fill_color=ground).to_pil().convert("RGBA" if clear else "RGB")
            # Rendering rounds up, so that a hair more than 630 dots would be 631.
            yield image.crop((0, 0, *(max(1, round(side * dpi / 72)) for side in page.get_size())))
    finally:
        document.close()


def _png(image: Image, dpi: int, level: int) -> bytes:
    target = io.BytesIO()
    image.save(target, "PNG", dpi=(dpi, dpi), compress_level=level)
    return target.getvalue()


def _for_screen(image: Image, most: int) -> bytes:
    """In at most 256 colours: flat art loses nothing one sees, and a phone loads a third."""
    from PIL import Image as Images

    if image.width > most:
        image = image.resize((most, max(1, round(image.height * most / image.width))), Images.Resampling.BOX)
    target = io.BytesIO()
    image.quantize(256, Images.Quantize.FASTOCTREE, dither=Images.Dither.NONE).save(target, "PNG", compress_level=6)
    return target.getvalue()


def contact_sheet(pictures: Sequence[bytes]) -> bytes:
    """Pictures side by side in rows on grey, as a PNG; a single picture stays as it is."""
    from PIL import Image

    if len(pictures) == 1:
        return pictures[0]
    images = [Image.open(io.BytesIO(picture)) for picture in pictures]
    columns = math.ceil(math.sqrt(len(images) * 1.6)) if len(images) > 3 else len(images)
    width, height = max(image.width for image in images), max(image.height for image in images)
    rows = math.ceil(len(images) / columns)
    sheet = Image.new("RGB", (columns * (width + GAP) + GAP, rows * (height + GAP) + GAP), "#d8d8d8")
    for index, image in enumerate(images):
        row, column = divmod(index, columns)
        sheet.paste(image, (GAP + column * (width + GAP), GAP + row * (height + GAP)))
    target = io.BytesIO()
    sheet.save(target, "PNG", compress_level=6)
    return target.getvalue()
