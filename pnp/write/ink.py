"""Measures the ink on the pages of a printed file, and estimates its weight and cost.

Ink is counted as a printer with full under-colour removal would lay it down: what cyan, magenta and yellow have in
common is printed as black alone. With red, green and blue from 0 to 1 that is K = 1 - max(R, G, B), C = max - R,
M = max - G, Y = max - B. No real printer does exactly this, for each has tables of its own; but more ink here is more ink
there, and two designs can be compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pnp.dataclass import dataclass
from pnp.shapes.outline import area
from pnp.values.faces import Page, PlacedFace
from pnp.values.game import Paper

# Enough for shares of an area; hairlines come out a little wide.
COVERAGE_DPI = 36
MM2_PER_M2 = 1_000_000


@dataclass(frozen=True, slots=True)
class Ink:
    """The ink coverage of a page: a share of its area from 0 to 1 for each ink."""

    cyan: float
    magenta: float
    yellow: float
    black: float

    @property
    def total(self) -> float:
        """The sum of all four in percent of the page; overprinted inks count twice."""
        return 100 * (self.cyan + self.magenta + self.yellow + self.black)


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


def coverage(pdf: bytes, dpi: int = COVERAGE_DPI) -> list[Ink]:
    """The ink on every page, measured on its rasterised picture."""
    import pypdfium2 as pdfium
    from PIL import ImageChops, ImageStat

    found = []
    document = pdfium.PdfDocument(pdf)
    try:
        for page in document:
            image = page.render(scale=dpi / 72).to_pil()
            red, green, blue = image.split()
            (brightest,) = ImageStat.Stat(ImageChops.lighter(ImageChops.lighter(red, green), blue)).mean
            cyan, magenta, yellow = ((brightest - mean) / 255 for mean in ImageStat.Stat(image).mean)
            found.append(Ink(cyan, magenta, yellow, 1 - brightest / 255))
            # A page keeps all it has parsed; a hundred of them would be held at once.
            page.close()
    finally:
        document.close()
    return found


def mean_ink(inks: Sequence[Ink]) -> Ink:
    """The mean of several coverages, ink by ink."""
    count = max(1, len(inks))
    sums = (sum(getattr(ink, name) for ink in inks) for name in ("cyan", "magenta", "yellow", "black"))
    return Ink(*(total / count for total in sums))


def page_ink(page: Page, faces: Mapping[str, Ink]) -> Ink:
    """A page's ink from that of its faces, by key; ignores marks beside the faces."""
    whole = page.paper.width * page.paper.height
    shares = [0.0, 0.0, 0.0, 0.0]
    for item in page.items:
        if isinstance(item, PlacedFace) and (ink := faces.get(item.face.key)):
            # How-to pages show a net panel by panel.
            size = item.clip.width * item.clip.height if item.shape is None else abs(area(item.shape))
            part = size * abs(item.matrix.determinant) / whole
            for index, share in enumerate((ink.cyan, ink.magenta, ink.yellow, ink.black)):
                shares[index] += share * part
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
    lines = []
    first = 0
    for run in runs:
        own = inks[first : first + run.pages]
        first += run.pages
        mean = sum(ink.total for ink in own) / max(1, len(own))
        lines.append(RunCost(run, mean, run.sheets * sheet * run.weight, run.pages * price + run.sheets * sheet_price))
    return Estimate(tuple(lines))
