"""Pages and a book → one PDF: reportlab draws the sheets with calls of forms that are not there yet,
pikepdf puts the forms in, whose layers are the book's pages, each stored once."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pnp.faces import Book, Face, Label, Line, Page, PlacedFace, Stroke
from pnp.geometry import Affine, Rect, scaling, translation
from pnp.model import Backs
from pnp.units import PT_PER_MM

if TYPE_CHECKING:
    import pikepdf
    from reportlab.pdfgen.canvas import Canvas

FONT = "SourceSansPro"
DUPLEX: Mapping[Backs, str] = {
    "long-edge": "/DuplexFlipLongEdge",
    "short-edge": "/DuplexFlipShortEdge",
    "gutterfold": "/Simplex",
    "none": "/Simplex",
}
HALO = 0.45


@dataclass(frozen=True, slots=True)
class Document:
    """What a PDF says about itself."""

    title: str
    author: str
    language: str
    backs: Backs
    creator: str
    subject: str
    game: str = ""
    """The game's name, for whoever reads the file back."""


@dataclass(frozen=True, slots=True)
class _Form:
    """A placeholder's name and the piece's side that will fill it."""

    placed: PlacedFace
    name: str


def text_width(text: str, size_pt: float) -> float:
    """Length of a line of marks' text in mm."""
    from reportlab.pdfbase.pdfmetrics import stringWidth

    _register_font()
    return float(stringWidth(text, FONT, size_pt)) / PT_PER_MM


def unprintable(text: str) -> list[str]:
    """Characters that the marks' font has not."""
    from reportlab.pdfbase.pdfmetrics import getFont

    _register_font()
    known = getFont(FONT).face.charToGlyph
    return [character for character in dict.fromkeys(text) if ord(character) not in known]


def write_pdf(pages: Sequence[Page], book: Book | None, document: Document) -> bytes:
    """The pages as a PDF, the same bytes for the same pages; pages without faces need no book."""
    forms: dict[tuple[str, str, str], _Form] = {}
    skeleton = _skeleton(pages, document, forms)
    return _filled(skeleton, pages, book, document, forms)


@cache
def _register_font() -> None:
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    file = Path(str(resources.files("font_source_sans_pro"))) / "files" / "SourceSansPro-Regular.ttf"
    pdfmetrics.registerFont(TTFont(FONT, str(file)))


def _skeleton(pages: Sequence[Page], document: Document, forms: dict[tuple[str, str, str], _Form]) -> bytes:
    from reportlab.pdfgen.canvas import Canvas

    _register_font()
    target = io.BytesIO()
    canvas = Canvas(target, invariant=1, pageCompression=1, initialFontName=FONT, lang=document.language)
    canvas.setTitle(document.title)
    canvas.setAuthor(document.author)
    canvas.setCreator(document.creator)
    canvas.setSubject(document.subject)
    for page in pages:
        for item in page.items:
            if isinstance(item, PlacedFace) and item.face.layers:
                key = (item.name, item.side, item.face.key)
                if key not in forms:
                    forms[key] = _Form(item, f"P{len(forms)}")
    for page in pages:
        paper = page.paper
        canvas.setPageSize((paper.width * PT_PER_MM, paper.height * PT_PER_MM))
        upright = scaling(PT_PER_MM, -PT_PER_MM) @ translation(0, -paper.height)
        for item in page.items:
            if isinstance(item, PlacedFace):
                if item.face.layers:
                    _draw_face(canvas, item, forms[item.name, item.side, item.face.key].name, upright)
            elif isinstance(item, Line):
                _draw_line(canvas, item, upright)
            elif isinstance(item, Stroke):
                _draw_stroke(canvas, item, upright)
            else:
                _draw_label(canvas, item, upright)
        canvas.showPage()
    canvas.save()
    return target.getvalue()


def _outer(face: Face) -> Rect:
    return Rect(0, 0, face.width, face.height).grown(*4 * [face.bleed])


def _form_to_face(face: Face) -> Affine:
    """From a form's points (origin bottom left, upwards) to the face's mm."""
    return translation(-face.bleed, face.height + face.bleed) @ scaling(1 / PT_PER_MM, -1 / PT_PER_MM)


# What there are most of is written by us as it stands in the page: reportlab takes ten times as long for a number.
def _draw_face(canvas: Canvas, item: PlacedFace, name: str, upright: Affine) -> None:
    to_face = _form_to_face(item.face)
    matrix = upright @ item.matrix @ to_face
    to_form = to_face.inverse()
    if item.shape:
        start, *corners = (_point(*to_form.point(*corner)) for corner in item.shape)
        path = " ".join([f"{start} m", *(f"{corner} l" for corner in corners), "h"])
    else:
        clip = to_form.bounds(item.clip)
        path = f"{_point(clip.x, clip.y)} {_point(clip.width, clip.height)} re"
    numbers = " ".join(_short(part) for part in (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f))
    # The form itself is put in later.
    canvas._code.append(f"q {numbers} cm {path} W n /{name} Do Q")


def _draw_line(canvas: Canvas, line: Line, upright: Affine) -> None:
    dashes = " ".join(_short(part * PT_PER_MM) for part in line.dashes)
    way = f"{_point(*upright.point(line.x1, line.y1))} m {_point(*upright.point(line.x2, line.y2))} l S"
    halo = f"1 G {_short(HALO * PT_PER_MM)} w {way} " if line.halo else ""
    canvas._code.append(f"q [{dashes}] 0 d {halo}0 G {_short(line.width * PT_PER_MM)} w {way} Q")


def _point(x: float, y: float) -> str:
    return f"{_short(x)} {_short(y)}"


def _draw_stroke(canvas: Canvas, stroke: Stroke, upright: Affine) -> None:
    path = canvas.beginPath()
    (x, y), *corners = (upright.point(*point) for point in stroke.points)
    path.moveTo(x, y)
    for corner in corners:
        path.lineTo(*corner)
    if stroke.closed:
        path.close()
    canvas.setDash([])
    canvas.setLineJoin(1)
    if stroke.halo:
        canvas.setStrokeGray(1)
        canvas.setLineWidth(HALO * PT_PER_MM)
        canvas.drawPath(path, stroke=1, fill=0)
    canvas.setStrokeGray(0)
    canvas.setLineWidth(stroke.width * PT_PER_MM)
    if isinstance(stroke.fill, tuple):
        canvas.setFillColorRGB(*stroke.fill)
    elif stroke.fill is not None:
        canvas.setFillGray(stroke.fill)
    canvas.drawPath(path, stroke=1 if stroke.width else 0, fill=0 if stroke.fill is None else 1)


def _draw_label(canvas: Canvas, label: Label, upright: Affine) -> None:
    canvas.saveState()
    canvas.setFillGray(0.15)
    canvas.translate(*upright.point(label.x, label.y))
    canvas.rotate(-label.turn)
    canvas.setFont(FONT, label.size_pt)
    draw = {"start": canvas.drawString, "middle": canvas.drawCentredString, "end": canvas.drawRightString}
    if label.halo:
        canvas.setStrokeGray(1)
        canvas.setLineWidth(label.size_pt * 0.22)
        draw[label.anchor](0, 0, label.text, mode=1)
        draw[label.anchor](0, 0, label.text, mode=0)
    else:
        draw[label.anchor](0, 0, label.text)
    canvas.restoreState()


def _filled(
    skeleton: bytes,
    pages: Sequence[Page],
    book: Book | None,
    document: Document,
    forms: Mapping[tuple[str, str, str], _Form],
) -> bytes:
    import pikepdf

    with ExitStack() as open_files:
        pdf = open_files.enter_context(pikepdf.open(io.BytesIO(skeleton)))
        made: dict[str, Any] = {}
        if book is not None:
            parts = [open_files.enter_context(pikepdf.open(io.BytesIO(part))) for part in book.pdfs]
            filler = _Filler(pdf, parts, book)
            made = {form.name: filler.form(form.placed) for form in forms.values()}
        for page, shown in zip(pdf.pages, pages, strict=True):
            placed = [item for item in shown.items if isinstance(item, PlacedFace) and item.face.layers]
            if made and placed:
                names = dict.fromkeys(forms[item.name, item.side, item.face.key].name for item in placed)
                page.obj["/Resources"]["/XObject"] = pikepdf.Dictionary({f"/{name}": made[name] for name in names})
            for box in ("/CropBox", "/BleedBox", "/TrimBox"):
                page.obj[box] = page.obj["/MediaBox"]
        pdf.Root.ViewerPreferences = pikepdf.Dictionary(
            PrintScaling=pikepdf.Name("/None"),
            Duplex=pikepdf.Name(DUPLEX[document.backs]),
            PickTrayByPDFSize=True,
            DisplayDocTitle=True,
        )
        pdf.Root.Lang = pikepdf.String(document.language)
        if document.game:
            pdf.Root.PNPGame = pikepdf.String(document.game)
        with pdf.open_outline() as outline:
            outline.root.extend(
                pikepdf.OutlineItem(page.bookmark, number) for number, page in enumerate(pages) if page.bookmark
            )
        target = io.BytesIO()
        pdf.save(
            target,
            min_version="1.7",
            deterministic_id=True,
            object_stream_mode=pikepdf.ObjectStreamMode.generate,
            compress_streams=True,
        )
        return target.getvalue()


class _Filler:
    """Makes the forms of one PDF: layers copied from the book once, faces as stacks of them."""

    def __init__(self, pdf: pikepdf.Pdf, parts: Sequence[pikepdf.Pdf], book: Book) -> None:
        self._pdf, self._parts, self._book = pdf, parts, book
        self._layers: dict[str, Any] = {}

    def form(self, placed: PlacedFace) -> Any:
        """A piece's side as a form; its name in the file lets a reader count what is printed."""
        import pikepdf

        face = placed.face
        outer = _outer(face)
        content, objects = [], pikepdf.Dictionary()
        to_form = _form_to_face(face).inverse()
        for index, layer in enumerate(face.layers):
            if layer.layer.key not in self._book.pages:
                continue  # the engine refused it, and that is among the problems
            upright = translation(0, layer.layer.height) @ scaling(1 / PT_PER_MM, -1 / PT_PER_MM)
            matrix = to_form @ layer.matrix @ upright
            numbers = " ".join(_short(part) for part in (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f))
            content.append(f"q {numbers} cm /L{index} Do Q")
            objects[f"/L{index}"] = self._layer(layer.layer.key)
        form = pikepdf.Stream(self._pdf, "\n".join(content).encode())
        form["/Type"], form["/Subtype"] = pikepdf.Name("/XObject"), pikepdf.Name("/Form")
        form["/BBox"] = pikepdf.Array([0, 0, _number(outer.width * PT_PER_MM), _number(outer.height * PT_PER_MM)])
        form["/Resources"] = pikepdf.Dictionary(XObject=objects)
        form["/PNPPiece"] = pikepdf.String(placed.name)
        form["/PNPSide"] = pikepdf.Name(f"/{placed.side.capitalize()}")
        return self._pdf.make_indirect(form)

    def _layer(self, key: str) -> Any:
        if key not in self._layers:
            part, number = self._book.pages[key]
            page = self._parts[part].pages[number]
            self._layers[key] = self._pdf.copy_foreign(page.as_form_xobject())
        return self._layers[key]


def _short(value: float) -> str:
    return f"{value:.5f}".rstrip("0").rstrip(".") if abs(value) >= 0.000005 else "0"


def _number(value: float) -> Any:
    from decimal import Decimal

    return Decimal(_short(value))
