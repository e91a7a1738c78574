"""A book's layers and the faces that show them → forms of a PDF: each layer once, faces as stacks of them."""

from __future__ import annotations

import copy
import zlib
from collections.abc import Sequence
from typing import Any

from pnp.shapes.affine import Affine, scaling, translation
from pnp.shapes.units import PT_PER_MM
from pnp.values.faces import Book, Face, PlacedFace
from pnp.write.copies import Copies

Key = tuple[str, str, str]


def key_of(side: PlacedFace) -> Key:
    """Which form shows it: sides of pieces that look alike have one each, for a reader counts them by their names."""
    return side.name, side.side, side.face.key


def numbers(*values: float) -> str:
    """Numbers as they stand in a PDF."""
    return " ".join(f"{value:.5f}".rstrip("0").rstrip(".") if abs(value) >= 0.000005 else "0" for value in values)


def turned(matrix: Affine) -> str:
    """What makes a PDF's next drawing go through a matrix."""
    return f"{numbers(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)} cm"


def form_to_face(height: float, bleed: float) -> Affine:
    """From the points of a face's form (origin bottom left, upwards) to the face's mm."""
    return translation(-bleed, height + bleed) @ scaling(1 / PT_PER_MM, -1 / PT_PER_MM)


class Stock:
    """Sides of pieces as forms, made once for all PDFs of a game; each PDF has its own copies of those that it shows.

    A stock made in a PDF is for this one alone, and nothing is copied.
    """

    def __init__(self, pdf: Any = None) -> None:
        import pikepdf

        self._pdf = pikepdf.new() if pdf is None else pdf
        self._copies = Copies(self._pdf)
        self._layers: dict[str, Any] = {}
        self._faces: dict[str, Any] = {}
        self._stacks: dict[tuple[object, ...], Any] = {}
        self._sides: dict[Key, Any] = {}
        self._names = {"front": pikepdf.Name.Front, "back": pikepdf.Name.Back}

    def forms(self, pdf: Any, book: Book, sides: Sequence[PlacedFace]) -> dict[Key, Any]:
        """The sides as forms of a PDF. What it holds does not depend on what others were given before."""
        missing = [side for side in sides if key_of(side) not in self._sides]
        self._take(book, [side.face for side in missing])
        for side in missing:
            self._sides[key_of(side)] = self._side(side)
        if pdf is self._pdf:
            return self._sides
        return {key: pdf.copy_foreign(self._sides[key]) for key in map(key_of, sides)}

    def _take(self, book: Book, faces: Sequence[Face]) -> None:
        """The layers of these faces out of the book."""
        parts: dict[int, dict[str, int]] = {}
        for key in dict.fromkeys(placed.layer.key for face in faces for placed in face.layers):
            if key in book.pages and key not in self._layers:
                part, page = book.pages[key]
                parts.setdefault(part, {})[key] = page
        for part, pages in parts.items():
            made = self._copies.forms(book.pdfs[part], pages.values())
            self._layers |= dict(zip(pages, made, strict=True))

    def _side(self, side: PlacedFace) -> Any:
        """A piece's side; its name in the file lets a reader count what is printed."""
        key = side.face.key
        if key in self._faces:
            form = copy.copy(self._faces[key])
        else:
            form = self._faces[key] = self._face(side.face)
        form["/PNPPiece"], form["/PNPSide"], form["/PNPCut"] = side.name, self._names[side.side], side.face.cut
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
