"""Reads a printed file back: which pieces lie on its pages, where, at what scale; extracts each piece on its own page."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from math import hypot
from typing import Any

from pnp.dataclass import dataclass
from pnp.shapes.affine import IDENTITY, Affine, Rect
from pnp.shapes.units import PT_PER_MM
from pnp.values.game import Side
from pnp.values.problems import Fault

# Print files of the largest games have a tenth of it.
MOST_BYTES = 2_000_000_000


class NotPrinted(Fault):
    """A file that cannot be read back."""


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
    """The size of a page in mm, and its ``UserUnit``, which few viewers respect."""

    width: float
    height: float
    unit: float = 1.0


@dataclass(frozen=True, slots=True)
class Printed:
    """A file's metadata and the pieces in it."""

    game: str
    title: str
    pages: tuple[PrintedPage, ...]
    pieces: tuple[PrintedPiece, ...]
    two_sided: bool = False
    """It asks to be printed on both sides."""
    how: str = ""
    """How it was made, as pnp wrote it down; empty for files of others."""


def read_printed(data: bytes, name: str) -> Printed:
    """The pieces placed on the pages of a PDF, found in its content streams. Raises NotPrinted.

    ``name`` is what the file is called in sentences.
    """
    with _opened(data, name) as pdf:
        pieces: list[PrintedPiece] = []
        pages = []
        for number, page in enumerate(pdf.pages, 1):
            left, low, right, high = (float(side) / PT_PER_MM for side in page.mediabox)
            pages.append(PrintedPage(right - left, high - low, float(page.obj.get("/UserUnit", 1))))
            pieces += _on_page(page, number, high)
        title, how = str(pdf.docinfo.get("/Title", "")), str(pdf.Root.get("/PNPMade", ""))
        turned = str(pdf.Root.get("/ViewerPreferences", {}).get("/Duplex", "/Simplex")) != "/Simplex"
        return Printed(str(pdf.Root.get("/PNPGame", "")), title, tuple(pages), tuple(pieces), turned, how)


# Keys of a PDF that do something by themselves, or carry another file.
EDGES = ("/MediaBox", "/CropBox", "/BleedBox", "/TrimBox", "/ArtBox", "/Rotate", "/UserUnit")
ACTS = frozenset({"/JS", "/JavaScript", "/Launch", "/OpenAction", "/AA", "/EmbeddedFiles"})


def actions(data: bytes, name: str) -> list[str]:
    """What a PDF does by itself when it is opened, by its keys, which pnp never writes. Raises NotPrinted."""
    import pikepdf

    def keys(value: Any) -> Iterator[str]:
        for key, inner in value.items():
            yield key
            if isinstance(inner, pikepdf.Dictionary) and not inner.is_indirect:
                yield from keys(inner)

    with _opened(data, name) as pdf:
        return sorted(ACTS & {key for each in pdf.objects if isinstance(each, pikepdf.Dictionary) for key in keys(each)})


def edges(data: bytes, name: str) -> list[dict[str, object]]:
    """How large each page of a PDF is, where it is cut, and how it is turned. Raises NotPrinted."""
    import pikepdf

    def said(value: Any) -> object:
        return [round(float(each), 2) for each in value.as_list()] if isinstance(value, pikepdf.Array) else str(value)

    with _opened(data, name) as pdf:
        return [{key: said(page.obj.get(key)) for key in EDGES} for page in pdf.pages]


@contextmanager
def _opened(data: bytes, name: str) -> Iterator[Any]:
    """The PDF; whatever is wrong within becomes NotPrinted."""
    import pikepdf

    try:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            yield pdf
    except pikepdf.PasswordError:
        raise NotPrinted(f"{name} asks for a password, and nothing in it can be read without") from None
    except (pikepdf.PdfError, TypeError, ValueError, AttributeError) as error:
        said = re.sub(r"^stream <[^>]*>:? ?", "", str(error))
        raise NotPrinted(f"{name} cannot be read as a PDF ({said})") from None


def _on_page(page: Any, number: int, high: float) -> list[PrintedPiece]:
    """The forms on a page that are pieces, with the matrix in force where each is drawn."""
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


# Larger than any piece that is printed, in mm; more sides than a game may have.
LARGEST, MOST_SIDES = 1600.0, 200_000

Name = tuple[str, Side]


@dataclass(slots=True)
class Lifted:
    """The sides of pieces in a file, by piece (``component/id``, with the number of a part)."""

    pdf: bytes
    """The pages."""
    pages: dict[Name, int] = field(default_factory=dict)
    """On which of the pages (from 0) each side is."""
    cuts: dict[Name, str] = field(default_factory=dict)
    """How each is cut; empty in files of a pnp that did not write it down."""
    papers: Mapping[str, str] = field(default_factory=dict)
    """What each component is printed on."""


def lift(data: bytes, name: str) -> Lifted:
    """Extracts the sides in a file. Raises NotPrinted; also for two different sides of one name.

    ``name`` is what the file is called in sentences.
    """
    import pikepdf

    with _opened(data, name) as source, pikepdf.new() as pdf:
        lifted = Lifted(b"")
        for page in source.pages:
            for _, form in page.obj.get("/Resources", {}).get("/XObject", {}).items():
                _add(form, pdf, lifted, name)
        lifted.papers = {str(key)[1:]: str(value) for key, value in source.Root.get("/PNPPapers", {}).items()}
        target = io.BytesIO()
        pdf.save(target)
        lifted.pdf = target.getvalue()
        return lifted


def _add(form: Any, pdf: Any, lifted: Lifted, name: str) -> None:
    import pikepdf

    if "/PNPPiece" not in form:
        return
    side: Side = "back" if str(form.get("/PNPSide", "/Front")) == "/Back" else "front"
    # A page of a board shows all of it, and clips the rest away.
    piece, _, part = str(form["/PNPPiece"]).partition(":")
    key: Name = (f"{piece}:{part}" if part.isdecimal() else piece, side)
    if key in lifted.pages:
        return
    x0, y0, x1, y1 = (float(each) for each in form["/BBox"])
    if not (0 < x1 - x0 <= LARGEST * PT_PER_MM and 0 < y1 - y0 <= LARGEST * PT_PER_MM) or len(lifted.pages) >= MOST_SIDES:
        raise NotPrinted(f"{name} was not made by pnp: {piece} has a size that no piece has")
    page = pdf.add_blank_page()
    page.MediaBox = pikepdf.Array(form["/BBox"])
    page.Contents = pdf.make_stream(b"q /P0 Do Q")
    page.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(P0=pdf.copy_foreign(form)))
    lifted.pages[key] = len(lifted.pages)
    lifted.cuts[key] = str(form.get("/PNPCut", ""))
