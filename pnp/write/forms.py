"""A book's layers and the faces that show them → forms of a PDF: each layer once, faces as stacks of them."""

from __future__ import annotations

import copy
import zlib
from collections.abc import Sequence
from typing import Any

from pnp.faces import Book, Face, PlacedFace
from pnp.geometry import Affine, scaling, translation
from pnp.units import PT_PER_MM
from pnp.write.copies import Copies


def numbers(*values: float) -> str:
    """Numbers as they stand in a PDF."""
    return " ".join(f"{value:.5f}".rstrip("0").rstrip(".") if abs(value) >= 0.000005 else "0" for value in values)


def turned(matrix: Affine) -> str:
    """What makes a PDF's next drawing go through a matrix."""
    return f"{numbers(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)} cm"


def form_to_face(height: float, bleed: float) -> Affine:
    """From the points of a face's form (origin bottom left, upwards) to the face's mm."""
    return translation(-bleed, height + bleed) @ scaling(1 / PT_PER_MM, -1 / PT_PER_MM)


class Forms:
    """Makes the forms of one PDF."""

    def __init__(self, pdf: Any, book: Book, faces: Sequence[Face]) -> None:
        import pikepdf

        self._pdf = pdf
        self._layers = _layers(pdf, book, faces)
        self._faces: dict[str, Any] = {}
        self._stacks: dict[tuple[object, ...], Any] = {}
        self._sides = {"front": pikepdf.Name.Front, "back": pikepdf.Name.Back}

    def form(self, side: PlacedFace) -> Any:
        """A piece's side as a form; its name in the file lets a reader count what is printed."""
        key = side.face.key
        if key in self._faces:
            form = copy.copy(self._faces[key])
        else:
            form = self._faces[key] = self._face(side.face)
        form["/PNPPiece"], form["/PNPSide"] = side.name, self._sides[side.side]
        return form

    def _face(self, face: Face) -> Any:
        import pikepdf

        # What the engine refused is not in the book, and among the problems.
        drawn = [placed for placed in face.layers if placed.layer.key in self._layers]
        places = tuple((placed.layer.height, placed.matrix) for placed in drawn)
        # Most faces have their layers in the same places: they differ in what is there.
        look = (face.width, face.height, face.bleed, places)
        if look not in self._stacks:
            self._stacks[look] = self._stack(*look)
        form = copy.copy(self._stacks[look])
        objects = pikepdf.Dictionary({f"/L{index}": self._layers[placed.layer.key] for index, placed in enumerate(drawn)})
        # What stands by itself is packed together with others; the words of a form itself are not.
        form["/Resources"] = self._pdf.make_indirect(pikepdf.Dictionary({"/XObject": objects}))
        return form

    def _stack(self, width: float, height: float, bleed: float, places: Sequence[tuple[float, Affine]]) -> Any:
        """A face's form without its layers."""
        import pikepdf

        to_form = form_to_face(height, bleed).inverse()
        code = []
        for index, (layer_height, matrix) in enumerate(places):
            upright = translation(0, layer_height) @ scaling(1 / PT_PER_MM, -1 / PT_PER_MM)
            code.append(f"q {turned(to_form @ matrix @ upright)} /L{index} Do Q")
        form = pikepdf.Stream(self._pdf, zlib.compress("\n".join(code).encode()))
        form["/Type"], form["/Subtype"], form["/Filter"] = (
            pikepdf.Name(f"/{name}") for name in ("XObject", "Form", "FlateDecode")
        )
        box = f"[ 0 0 {numbers((width + 2 * bleed) * PT_PER_MM, (height + 2 * bleed) * PT_PER_MM)} ]"
        form["/BBox"] = self._pdf.make_indirect(pikepdf.Object.parse(box.encode()))
        return form


def _layers(pdf: Any, book: Book, faces: Sequence[Face]) -> dict[str, Any]:
    """The layers of these faces as forms, by key."""
    parts: dict[int, dict[str, int]] = {}
    for key in dict.fromkeys(placed.layer.key for face in faces for placed in face.layers):
        if key in book.pages:
            part, page = book.pages[key]
            parts.setdefault(part, {})[key] = page
    copies = Copies(pdf)
    made: dict[str, Any] = {}
    for part, pages in parts.items():
        made |= dict(zip(pages, copies.forms(book.pdfs[part], pages.values()), strict=True))
    return made
