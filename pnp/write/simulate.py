"""Pages as other eyes see them: with one kind of cone missing, or in grey, beside how they are printed.

Colour-blind sight is that of Machado, Oliveira and Fernandes (2009) at its strongest, the same with which the rule
``alike-colours`` compares; grey is the luminance, which is what a photocopy keeps.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from pnp.shapes.colour import without_colour, without_cones

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

GREY = "grey"
# What people call it, and what colorspacious calls it: at severity 100 an anomaly is the missing of a cone.
ANOMALIES = {"deuteranopia": "deuteranomaly", "protanopia": "protanomaly", "tritanopia": "tritanomaly"}
KINDS = (*ANOMALIES, GREY)
# Of a page's width: the gap between the two pictures and around them, and the height of the letters below.
GAP, LETTERS = 0.02, 0.022


def seen(pixels: NDArray[np.uint8], kind: str) -> NDArray[np.uint8]:
    """The pixels (…, 3) in sRGB as such eyes see them. Each colour is converted once, however many dots have it."""
    import numpy as np

    wide = pixels.astype(np.uint32)
    codes, where = np.unique(wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2], return_inverse=True)
    plain = np.stack([codes >> 16, codes >> 8 & 255, codes & 255], axis=1) / 255
    converted = without_colour(plain) if kind == GREY else without_cones(plain, ANOMALIES[kind])
    shades: NDArray[np.uint8] = np.rint(255 * converted).astype(np.uint8)
    shown: NDArray[np.uint8] = shades[where.reshape(-1)].reshape(pixels.shape)
    return shown


def as_seen(picture: bytes, kind: str) -> bytes:
    """A picture as such eyes see it, as a PNG."""
    import numpy as np
    from PIL import Image

    with Image.open(io.BytesIO(picture)) as opened:
        before, dpi = opened.convert("RGB"), opened.info.get("dpi", (72, 72))
    target = io.BytesIO()
    Image.fromarray(seen(np.asarray(before), kind)).save(target, "PNG", dpi=dpi, compress_level=6)
    return target.getvalue()


def side_by_side(picture: bytes, kind: str, name: str) -> bytes:
    """A page's picture and the same as such eyes see it, with words below each, as a PNG.

    ``name`` says which page it is.
    """
    from importlib import resources

    import numpy as np
    from PIL import Image, ImageDraw, ImageFont

    with Image.open(io.BytesIO(picture)) as opened:
        before = opened.convert("RGB")
        dpi = opened.info.get("dpi", (72, 72))
    after = Image.fromarray(seen(np.asarray(before), kind))
    gap, letters = max(1, round(GAP * before.width)), max(1, round(LETTERS * before.width))
    font = ImageFont.truetype(
        str(Path(str(resources.files("font_source_sans_pro"))) / "files" / "SourceSansPro-Regular.ttf"),
        letters,
        layout_engine=ImageFont.Layout.BASIC,
    )
    sheet = Image.new("RGB", (2 * before.width + 3 * gap, before.height + 3 * gap + letters), "#d8d8d8")
    pen = ImageDraw.Draw(sheet)
    for image, x, words in (
        (before, gap, f"{name}, as printed"),
        (after, before.width + 2 * gap, f"{name}, {'in grey' if kind == GREY else f'with {kind}'}"),
    ):
        sheet.paste(image, (x, gap))
        pen.text((x, gap + before.height + gap), words, fill="#222222", font=font)
    target = io.BytesIO()
    sheet.save(target, "PNG", dpi=dpi, compress_level=6)
    return target.getvalue()
