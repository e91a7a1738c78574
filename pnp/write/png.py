"""PDF pages → PNG pictures, rasterised from the printed file itself so that what is seen is what is inked."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence

MM_PER_INCH = 25.4
GAP = 12


def render(pdf: bytes, dpi: int) -> list[bytes]:
    """Every page as a PNG at ``dpi`` dots per inch, its resolution written in."""
    import pypdfium2 as pdfium

    pictures = []
    document = pdfium.PdfDocument(pdf)
    try:
        for page in document:
            image = page.render(scale=dpi / 72).to_pil().convert("RGB")
            # Rendering rounds up, so that a hair more than 630 dots would be 631.
            image = image.crop((0, 0, *(max(1, round(side * dpi / 72)) for side in page.get_size())))
            target = io.BytesIO()
            image.save(target, "PNG", dpi=(dpi, dpi), compress_level=6)
            pictures.append(target.getvalue())
    finally:
        document.close()
    return pictures


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
