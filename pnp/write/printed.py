"""A printed file read back: which pieces really lie on its pages, where, and at what scale."""

from __future__ import annotations

import io
from dataclasses import dataclass
from math import hypot
from typing import Any

from pnp.shapes.affine import IDENTITY, Affine, Rect
from pnp.shapes.units import PT_PER_MM
from pnp.values.game import Side

# Print files of the largest games have a tenth of it.
MOST_BYTES = 2_000_000_000


class NotPrinted(ValueError):
    """A file that cannot be read back. The text is for the person."""


@dataclass(frozen=True, slots=True)
class PrintedPiece:
    """One side of a piece on a page (1-based); ``box`` with its bleed in mm from the page's top left."""

    page: int
    name: str
    side: Side
    box: Rect
    scale: float
    """The one along or across it that is farther from 1."""


@dataclass(frozen=True, slots=True)
class PrintedPage:
    """Size of a page in mm, and how many times a point its unit is (``UserUnit``), which few viewers look at."""

    width: float
    height: float
    unit: float = 1.0


@dataclass(frozen=True, slots=True)
class Printed:
    """What a file says it is, and what is on it."""

    game: str
    title: str
    pages: tuple[PrintedPage, ...]
    pieces: tuple[PrintedPiece, ...]
    two_sided: bool = False
    """It asks to be printed on both sides."""
    how: str = ""
    """How it was made, as pnp wrote it down; empty for files of others."""


def read_printed(data: bytes, name: str) -> Printed:
    """The pieces placed on the pages of a PDF, followed through its content streams. Raises NotPrinted.

    ``name`` is what the file is called in sentences.
    """
    import pikepdf

    try:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            pieces: list[PrintedPiece] = []
            pages = []
            for number, page in enumerate(pdf.pages, 1):
                left, low, right, high = (float(side) / PT_PER_MM for side in page.mediabox)
                pages.append(PrintedPage(right - left, high - low, float(page.obj.get("/UserUnit", 1))))
                pieces += _on_page(page, number, high)
            title = str(pdf.docinfo.get("/Title", ""))
            wishes: Any = pdf.Root.get("/ViewerPreferences", pikepdf.Dictionary())
            how = str(pdf.Root.get("/PNPMade", ""))
            turned = str(wishes.get("/Duplex", "/Simplex")) != "/Simplex"
            return Printed(str(pdf.Root.get("/PNPGame", "")), title, tuple(pages), tuple(pieces), turned, how)
    except pikepdf.PasswordError:
        raise NotPrinted(f"{name} asks for a password, and nothing in it can be read without") from None
    except pikepdf.PdfError as error:
        raise NotPrinted(f"{name} cannot be read as a PDF ({error})") from None


def _on_page(page: Any, number: int, high: float) -> list[PrintedPiece]:
    """Forms that are pieces, with the map in force when each is drawn."""
    import pikepdf

    forms = page.obj.get("/Resources", {}).get("/XObject", {})
    upright = Affine(1 / PT_PER_MM, 0, 0, -1 / PT_PER_MM, 0, high)
    matrix, kept, found = IDENTITY, [IDENTITY], []
    for instruction in pikepdf.parse_content_stream(page):
        operands: Any = instruction.operands
        name = str(instruction.operator)
        if name == "q":
            kept.append(matrix)
        elif name == "Q":
            matrix = kept.pop() if kept else IDENTITY
        elif name == "cm":
            matrix = matrix @ Affine(*(float(part) for part in operands))
        elif name == "Do":
            form = forms.get(str(operands[0]))
            if form is not None and "/PNPPiece" in form:
                found.append(_piece(form, number, upright @ matrix))
    return found


def _piece(form: Any, number: int, to_page: Affine) -> PrintedPiece:
    x0, y0, x1, y1 = (float(side) for side in form["/BBox"])
    box = to_page.bounds(Rect(x0, y0, x1 - x0, y1 - y0))
    along, across = hypot(to_page.a, to_page.b) * PT_PER_MM, hypot(to_page.c, to_page.d) * PT_PER_MM
    scale = max(along, across, key=lambda each: abs(each - 1))
    side: Side = "back" if str(form.get("/PNPSide", "/Front")) == "/Back" else "front"
    return PrintedPiece(number, str(form["/PNPPiece"]), side, box, scale)
