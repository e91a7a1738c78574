"""Pages of a finished PDF in new places: the sheets of a booklet, each page a form of its own."""

from __future__ import annotations

import io
from collections.abc import Sequence

from pnp.shapes.affine import scaling, translation
from pnp.shapes.units import PT_PER_MM
from pnp.values.faces import ImposedPage, ImposedSide
from pnp.write.forms import turned
from pnp.write.saving import saved

TICK_WIDTH = 0.2


def write_imposed(book: bytes, sides: Sequence[ImposedSide], title: str, language: str, creator: str) -> bytes:
    """The sides as a PDF that is printed on both sides and flipped on the short edge; the same bytes for the same book."""
    import pikepdf

    with pikepdf.open(io.BytesIO(book)) as source, pikepdf.new() as pdf:
        forms: dict[int, pikepdf.Object] = {}
        heights: dict[int, float] = {}
        for side in sides:
            for placed in side.pages:
                if placed.number not in forms:
                    page = source.pages[placed.number - 1]
                    form = pdf.copy_foreign(page.as_form_xobject())
                    # Tags of the book point to a tree that a booklet has not.
                    for key in ("/StructParents", "/StructParent"):
                        if key in form:
                            del form[key]
                    forms[placed.number] = form
                    heights[placed.number] = float(page.mediabox[3]) - float(page.mediabox[1])
        for side in sides:
            page = pdf.add_blank_page(page_size=(side.width * PT_PER_MM, side.height * PT_PER_MM))
            content = [_ticks(side), *(_page(placed, side, heights[placed.number]) for placed in side.pages)]
            page.Contents = pdf.make_stream("\n".join(content).encode())
            page.Resources = pikepdf.Dictionary(
                XObject=pikepdf.Dictionary({f"/B{placed.number}": forms[placed.number] for placed in side.pages})
            )
            for box in ("/CropBox", "/BleedBox", "/TrimBox"):
                page.obj[box] = page.obj["/MediaBox"]
        pdf.Root.ViewerPreferences = pikepdf.Dictionary(
            PrintScaling=pikepdf.Name("/None"), Duplex=pikepdf.Name("/DuplexFlipShortEdge"), DisplayDocTitle=True
        )
        pdf.Root.Lang = pikepdf.String(language)
        pdf.docinfo["/Title"] = title
        pdf.docinfo["/Creator"] = creator
        return saved(pdf)


def _page(placed: ImposedPage, side: ImposedSide, high: float) -> str:
    """Draws a page where it lies; its form is in points from its own bottom left, ``high`` points high."""
    upright = scaling(PT_PER_MM, -PT_PER_MM) @ translation(0, -side.height)
    matrix = upright @ placed.matrix @ translation(0, high / PT_PER_MM) @ scaling(1 / PT_PER_MM, -1 / PT_PER_MM)
    return f"q {turned(matrix)} /B{placed.number} Do Q"


def _ticks(side: ImposedSide) -> str:
    def point(x: float, y: float) -> str:
        return f"{x * PT_PER_MM:.3f} {(side.height - y) * PT_PER_MM:.3f}"

    lines = [f"{point(x1, y1)} m {point(x2, y2)} l S" for x1, y1, x2, y2 in side.ticks]
    return "\n".join(["q", f"{TICK_WIDTH * PT_PER_MM:.3f} w 0.4 G", *lines, "Q"])
