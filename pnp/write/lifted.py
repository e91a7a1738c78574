"""A printed file's pieces lifted off its sheets: each side alone on a page, to be looked at as a drawn face is."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pnp.shapes.units import PT_PER_MM
from pnp.values.game import Side
from pnp.write.printed import NotPrinted

# Larger than any piece that is printed, in mm; more sides than a game may have.
LARGEST, MOST_SIDES = 1600.0, 200_000

Name = tuple[str, Side]


@dataclass(slots=True)
class Lifted:
    """The sides of pieces in a file, by what it calls the piece (``component/id``, with the number of a part)."""

    pdf: bytes
    """The pages."""
    pages: dict[Name, int] = field(default_factory=dict)
    """On which of the pages (from 0) each side is."""
    cuts: dict[Name, str] = field(default_factory=dict)
    """How each is cut; empty in files of a pnp that did not write it down."""
    papers: Mapping[str, str] = field(default_factory=dict)
    """What each component is printed on."""


def lift(data: bytes, name: str) -> Lifted:
    """The sides in a file; two that differ under one name are told apart by nobody. Raises NotPrinted.

    ``name`` is what the file is called in sentences.
    """
    import pikepdf

    try:
        with pikepdf.open(io.BytesIO(data)) as source, pikepdf.new() as pdf:
            lifted = Lifted(b"")
            for page in source.pages:
                resources: Any = page.obj.get("/Resources", pikepdf.Dictionary())
                forms: Any = resources.get("/XObject", pikepdf.Dictionary())
                for _, form in forms.items():
                    _add(form, pdf, lifted, name)
            papers: Any = source.Root.get("/PNPPapers", pikepdf.Dictionary())
            lifted.papers = {str(key)[1:]: str(value) for key, value in papers.items()}
            target = io.BytesIO()
            pdf.save(target)
            lifted.pdf = target.getvalue()
            return lifted
    except pikepdf.PasswordError:
        raise NotPrinted(f"{name} asks for a password, and nothing in it can be read without") from None
    except (pikepdf.PdfError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, NotPrinted):
            raise
        raise NotPrinted(f"{name} cannot be read as a PDF ({error})") from None


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
