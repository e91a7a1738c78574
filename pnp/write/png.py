"""Rasterises PDF pages to PNG, also as colour-blind eyes see them, and measures their ink."""

from __future__ import annotations

import io
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pnp.dataclass import dataclass
from pnp.shapes.colour import without_colour, without_cones
from pnp.shapes.outline import area
from pnp.system.cache import digest
from pnp.values.faces import Page, PlacedFace
from pnp.values.game import Paper
from pnp.write.printed import NotPrinted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image
    from pypdfium2 import PdfBitmap


GAP = 12


def render(pdf: bytes, dpi: int, numbers: Collection[int] | None = None, clear: bool = False) -> list[bytes]:
    """Every page, or those numbered (from 0), as a PNG at ``dpi`` pixels per inch, with pHYs; on white or ``clear``."""
    return [_png(image, 6, dpi=(dpi, dpi)) for image in _images(pdf, dpi, clear, numbers)]


def page_sizes(pdf: bytes) -> list[tuple[float, float]]:
    """Width and height of every page in mm."""
    import pypdfium2 as pdfium

    with closing(pdfium.PdfDocument(pdf)) as document:
        return [(width / 72 * 25.4, height / 72 * 25.4) for width, height in (page.get_size() for page in document)]


def render_twice(pdf: bytes, dpi: int, most: int) -> list[tuple[bytes, bytes]]:
    """Every page for print and for a screen, unprinted paper transparent; for a screen at most ``most`` pixels wide."""
    from concurrent.futures import ThreadPoolExecutor

    def both(image: Image) -> tuple[bytes, bytes]:
        # What is for print goes into a PDF, which packs it anew: packing it well here would be in vain.
        return _png(image, 1, dpi=(dpi, dpi)), for_screen(image, most)

    # Packing leaves the interpreter free for the next page; rendering itself is one page at a time.
    with ThreadPoolExecutor() as threads:
        return list(threads.map(both, _images(pdf, dpi, clear=True)))


def looks(pdf: bytes, dpi: int, numbers: Collection[int] | None = None) -> Iterator[tuple[Image, str]]:
    """Every page, or those numbered (from 0), as printed, with its words. Raises NotPrinted for a damaged file."""
    for bitmap, words in _rendered(pdf, dpi, numbers):
        yield bitmap.to_pil().convert("RGB"), words


def look_keys(pdf: bytes, dpi: int) -> Iterator[str]:
    """A digest of every page as printed, with its words. Raises NotPrinted for a damaged file."""
    for bitmap, words in _rendered(pdf, dpi):
        yield digest(memoryview(bitmap.buffer), f"{bitmap.width} {bitmap.height} {bitmap.mode}", words)


def _rendered(pdf: bytes, dpi: int, numbers: Collection[int] | None = None) -> Iterator[tuple[PdfBitmap, str]]:
    import pypdfium2 as pdfium

    try:
        with closing(pdfium.PdfDocument(pdf)) as document:
            for number in range(len(document)) if numbers is None else sorted(numbers):
                page = document[number]
                yield page.render(scale=dpi / 72), " ".join(page.get_textpage().get_text_range().split())
    except pdfium.PdfiumError as error:
        raise NotPrinted(f"the file is damaged: its pages cannot be shown ({error})") from None


def in_size(pdf: bytes, wanted: Sequence[tuple[tuple[int, int], bool]]) -> Iterator[Image]:
    """Every page in so many pixels, RGB, or RGBA with unprinted paper transparent where wanted."""
    import pypdfium2 as pdfium

    with closing(pdfium.PdfDocument(pdf)) as document:
        for page, ((width, height), clear) in zip(document, wanted, strict=True):
            across, down = page.get_size()
            image = page.render(scale=max(width / across, height / down), fill_color=(255, 255, 255, 0 if clear else 255))
            found = image.to_pil().convert("RGBA" if clear else "RGB")
            # Rendering rounds up: what is over is less than a dot, unless the shape is another.
            exact = abs(found.width - width) <= 1 and abs(found.height - height) <= 1
            yield found.crop((0, 0, width, height)) if exact else found.resize((width, height))


def _images(pdf: bytes, dpi: int, clear: bool, numbers: Collection[int] | None = None) -> Iterator[Image]:
    import pypdfium2 as pdfium

    ground = (255, 255, 255, 0 if clear else 255)
    with closing(pdfium.PdfDocument(pdf)) as document:
        for number in range(len(document)) if numbers is None else sorted(numbers):
            page = document[number]
            image = page.render(scale=dpi / 72, fill_color=ground).to_pil().convert("RGBA" if clear else "RGB")
            # Rendering rounds up, so that a hair more than 630 dots would be 631.
            yield image.crop((0, 0, *(max(1, round(side * dpi / 72)) for side in page.get_size())))


def _png(image: Image, level: int = 6, **more: Any) -> bytes:
    target = io.BytesIO()
    image.save(target, "PNG", compress_level=level, **more)
    return target.getvalue()


def for_screen(image: Image, most: int) -> bytes:
    """Reduces an image to at most 256 colours: flat art loses nothing visible, and a phone loads a third."""
    from PIL import Image as Images

    if image.width > most:
        image = image.resize((most, max(1, round(image.height * most / image.width))), Images.Resampling.BOX)
    return _png(image.quantize(256, Images.Quantize.FASTOCTREE, dither=Images.Dither.NONE))


def contact_sheet(pictures: Sequence[bytes]) -> bytes:
    """Pictures side by side in rows on grey, as a PNG; a single picture as it is."""
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
    return _png(sheet)


GREY = "grey"
# What people call it, and what colorspacious calls it: at severity 100 an anomaly is the missing of a cone.
ANOMALIES = {"deuteranopia": "deuteranomaly", "protanopia": "protanomaly", "tritanopia": "tritanomaly"}
KINDS = (*ANOMALIES, GREY)
# Of a page's width: the gap between the two pictures and around them, and the height of the letters below.
EYES_GAP, LETTERS = 0.02, 0.022


def seen(pixels: NDArray[np.uint8], kind: str) -> NDArray[np.uint8]:
    """The pixels (…, 3) in sRGB as such eyes see them; each colour is converted once."""
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
    return _png(Image.fromarray(seen(np.asarray(before), kind)), dpi=dpi)


def side_by_side(picture: bytes, kind: str, name: str) -> bytes:
    """A page's picture beside the same as such eyes see it, captions below, as a PNG.

    ``name`` says which page it is.
    """
    from importlib import resources

    import numpy as np
    from PIL import Image, ImageDraw, ImageFont

    with Image.open(io.BytesIO(picture)) as opened:
        before, dpi = opened.convert("RGB"), opened.info.get("dpi", (72, 72))
    after = Image.fromarray(seen(np.asarray(before), kind))
    gap, letters = max(1, round(EYES_GAP * before.width)), max(1, round(LETTERS * before.width))
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
    return _png(sheet, dpi=dpi)


# Enough for shares of an area; hairlines come out a little wide.
COVERAGE_DPI = 36
MM2_PER_M2 = 1_000_000


class Ink(NamedTuple):
    """The ink coverage of a page: a share of its area from 0 to 1 for each ink."""

    cyan: float
    magenta: float
    yellow: float
    black: float

    @property
    def total(self) -> float:
        """The sum of all four in percent of the page; overprinted inks count twice."""
        return 100 * sum(self)


@dataclass(frozen=True, slots=True)
class SheetRun:
    """Sheets of one line of the print plan: what they are, their paper, and their number of pages in the file."""

    title: str
    paper: str
    """In words."""
    weight: int
    """Of that paper in g/m²."""
    sheets: int
    pages: int
    """Printed sides: two of a sheet with backs."""


@dataclass(frozen=True, slots=True)
class RunCost:
    """The estimate of a run: mean coverage of its pages in percent, paper in grams, price."""

    run: SheetRun
    coverage: float
    grams: float
    cost: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """The estimate of a whole file."""

    lines: tuple[RunCost, ...]

    @property
    def sheets(self) -> int:
        return sum(line.run.sheets for line in self.lines)

    @property
    def pages(self) -> int:
        return sum(line.run.pages for line in self.lines)

    @property
    def coverage(self) -> float:
        """The mean coverage of all pages, in percent."""
        return sum(line.coverage * line.run.pages for line in self.lines) / max(1, self.pages)

    @property
    def grams(self) -> float:
        return sum(line.grams for line in self.lines)

    @property
    def cost(self) -> float:
        return sum(line.cost for line in self.lines)


def coverage(pdf: bytes) -> list[Ink]:
    """The ink on every page, measured on its rasterised picture."""
    import pypdfium2 as pdfium
    from PIL import ImageChops, ImageStat

    found = []
    with closing(pdfium.PdfDocument(pdf)) as document:
        for page in document:
            image = page.render(scale=COVERAGE_DPI / 72).to_pil()
            red, green, blue = image.split()
            (brightest,) = ImageStat.Stat(ImageChops.lighter(ImageChops.lighter(red, green), blue)).mean
            cyan, magenta, yellow = ((brightest - mean) / 255 for mean in ImageStat.Stat(image).mean)
            found.append(Ink(cyan, magenta, yellow, 1 - brightest / 255))
            # A page keeps all it has parsed; a hundred of them would be held at once.
            page.close()
    return found


def mean_ink(inks: Sequence[Ink]) -> Ink:
    """The mean of several coverages, ink by ink."""
    return Ink(*(sum(parts) / len(inks) for parts in zip(*inks, strict=True))) if inks else Ink(0, 0, 0, 0)


def page_ink(page: Page, faces: Mapping[str, Ink]) -> Ink:
    """A page's ink from that of its faces, by key; ignores marks beside the faces."""
    whole = page.paper.width * page.paper.height
    shares = [0.0, 0.0, 0.0, 0.0]
    for item in page.items:
        if isinstance(item, PlacedFace) and (ink := faces.get(item.face.key)):
            # How-to pages show a net panel by panel.
            size = item.clip.width * item.clip.height if item.shape is None else abs(area(item.shape))
            part = size * abs(item.matrix.determinant) / whole
            shares = [share + own * part for share, own in zip(shares, ink, strict=True)]
    return Ink(*shares)


def estimate(
    inks: Sequence[Ink], runs: Sequence[SheetRun], paper: Paper, price: float = 0.0, sheet_price: float = 0.0
) -> Estimate:
    """The estimate for runs whose pages these are, one run after the other.

    ``price`` is that of a printed page, ``sheet_price`` that of a sheet of paper. Raises ValueError when there are
    more or fewer pages than the runs have.
    """
    if len(inks) != sum(run.pages for run in runs):
        raise ValueError(f"there are {len(inks)} pages, the runs have {sum(run.pages for run in runs)}")
    sheet = paper.width * paper.height / MM2_PER_M2
    lines, left = [], iter(inks)
    for run in runs:
        mean = mean_ink([*islice(left, run.pages)]).total
        lines.append(RunCost(run, mean, run.sheets * sheet * run.weight, run.pages * price + run.sheets * sheet_price))
    return Estimate(tuple(lines))
