"""Pages and a book → one PDF: reportlab knows the marks' font, pikepdf joins pages and forms (:mod:`pnp.write.forms`)."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from pnp.shapes.affine import Affine, Rect, rotation, scaling, translation
from pnp.shapes.outline import Ring
from pnp.shapes.units import PT_PER_MM
from pnp.values.faces import Book, Label, Line, Page, PlacedFace, Stroke, Tone
from pnp.values.game import Backs, Paper
from pnp.write.forms import Key, Stock, form_to_face, key_of, numbers, turned
from pnp.write.saving import saved

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
# Most sheets have their marks and faces in the same places: so many are remembered.
KNOWN = 1024
# The forms of a stock stay in memory beside the PDF's own: of more sides than these each PDF makes its own alone.
MOST_SHARED = 4_000
_CLOCK = Lock()


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
    how: str = ""
    """How the file was made, for whoever makes it once more."""
    papers: Mapping[str, str] = field(default_factory=dict)
    """What each component is printed on, for whoever compares its pieces with later ones."""


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


def write_pdf(pages: Sequence[Page], book: Book | None, document: Document, stock: Stock | None = None) -> bytes:
    """The pages as a PDF, the same bytes for the same pages; pages without faces need no book.

    ``stock`` is what other PDFs with faces of the same book are made from.
    """
    import pikepdf

    sides = {key_of(item): item for page in pages for item in _faces(page)}
    names = {key: f"/P{number}" for number, key in enumerate(sides)}
    canvas = _canvas(document)
    codes = [_code(page, names, canvas) for page in pages]
    # A blank page brings the letters that the marks need; it is taken out again.
    canvas.showPage()
    with pikepdf.open(io.BytesIO(canvas.getpdfdata())) as pdf:
        fonts = pdf.pages[0].Resources.Font
        own = stock if stock and len(sides) <= MOST_SHARED else Stock(pdf)
        made = own.forms(pdf, book, [*sides.values()]) if book is not None else {}
        for page, code in zip(pages, codes, strict=True):
            shown = {names[key]: made[key] for key in map(key_of, _faces(page)) if key in made}
            sheet = _sheet(page.paper)
            sheet["/Contents"] = pikepdf.Stream(pdf, code.encode("latin-1"))
            sheet["/Resources"] = pikepdf.Dictionary({"/Font": fonts, "/XObject": pikepdf.Dictionary(shown), **_inks(page)})
            pdf.pages.append(pikepdf.Page(sheet))
        del pdf.pages[0]
        _describe(pdf, pages, document)
        return saved(pdf)


def _inks(page: Page) -> dict[str, Any]:
    """The spot colours of a page, each shown as magenta, and what lets them lie over all else without covering it."""
    import pikepdf

    spots = dict.fromkeys(item.spot for item in page.items if isinstance(item, Stroke) and item.spot)
    if not spots:
        return {}
    tint = "<< /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [0 1 0 0] /N 1 >>"
    spaces = " ".join(f"/{name} [/Separation /{name} /DeviceCMYK {tint}]" for name in spots)
    return {
        "/ColorSpace": pikepdf.Object.parse(f"<< {spaces} >>".encode()),
        "/ExtGState": pikepdf.Object.parse(b"<< /Over << /Type /ExtGState /OP true /op true /OPM 1 >> >>"),
    }


def _sheet(paper: Paper) -> Any:
    """A page without anything on it."""
    import pikepdf

    size = numbers(paper.width * PT_PER_MM, paper.height * PT_PER_MM)
    boxes = " ".join(f"/{box}Box [ 0 0 {size} ]" for box in ("Media", "Crop", "Bleed", "Trim"))
    return pikepdf.Object.parse(f"<< /Type /Page {boxes} >>".encode())


@cache
def _register_font() -> None:
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    file = Path(str(resources.files("font_source_sans_pro"))) / "files" / "SourceSansPro-Regular.ttf"
    pdfmetrics.registerFont(TTFont(FONT, str(file)))


def _faces(page: Page) -> list[PlacedFace]:
    return [item for item in page.items if isinstance(item, PlacedFace)]


def _canvas(document: Document) -> Canvas:
    """What knows the document and gathers the letters of its marks."""
    from reportlab.pdfgen.canvas import Canvas

    _register_font()
    # The same game gives the same bytes: reportlab would take this clock for that of an invariant document.
    with _CLOCK:
        clock = os.environ.pop("SOURCE_DATE_EPOCH", None)
        try:
            canvas = Canvas("", invariant=1, initialFontName=FONT, lang=document.language)
        finally:
            if clock is not None:
                os.environ["SOURCE_DATE_EPOCH"] = clock
    canvas.setTitle(document.title)
    canvas.setAuthor(document.author)
    canvas.setCreator(document.creator)
    canvas.setSubject(document.subject)
    return canvas


# The code of a page is written by us as it stands there: reportlab takes ten times as long for a number.
def _code(page: Page, names: Mapping[Key, str], canvas: Canvas) -> str:
    """What draws a page."""
    height = page.paper.height
    code = []
    for item in page.items:
        if isinstance(item, PlacedFace):
            place = _place(item.matrix, item.clip, item.shape, item.face.height, item.face.bleed, height)
            code.append(f"q {place} {names[key_of(item)]} Do Q")
        elif isinstance(item, Line):
            code.append(_line(item, height))
        elif isinstance(item, Stroke):
            code.append(_stroke(item, height))
        else:
            code.append(_label(canvas, item, height))
    return "\n".join(code)


def _upright(height: float) -> Affine:
    """From mm on a page of this height, downwards, to points, upwards."""
    return scaling(PT_PER_MM, -PT_PER_MM) @ translation(0, -height)


@lru_cache(KNOWN)
def _place(matrix: Affine, clip: Rect, shape: Ring | None, face_height: float, bleed: float, height: float) -> str:
    """What puts a form where the face lies, and cuts it off there."""
    to_face = form_to_face(face_height, bleed)
    to_form = to_face.inverse()
    if shape:
        path = _path([to_form.point(*corner) for corner in shape], closed=True)
    else:
        area = to_form.bounds(clip)
        path = f"{numbers(area.x, area.y, area.width, area.height)} re"
    return f"{turned(_upright(height) @ matrix @ to_face)} {path} W n"


@lru_cache(KNOWN)
def _line(line: Line, height: float) -> str:
    upright = _upright(height)
    way = _path([upright.point(line.x1, line.y1), upright.point(line.x2, line.y2)])
    dashes = numbers(*(part * PT_PER_MM for part in line.dashes))
    halo = f"1 G {numbers(HALO * PT_PER_MM)} w {way} S " if line.halo else ""
    return f"q [{dashes}] 0 d {halo}0 G {numbers(line.width * PT_PER_MM)} w {way} S Q"


def _stroke(stroke: Stroke, height: float) -> str:
    upright = _upright(height)
    path = _path([upright.point(*point) for point in stroke.points], stroke.closed)
    if stroke.spot:
        return f"q /Over gs /{stroke.spot} CS 1 SCN {numbers(stroke.width * PT_PER_MM)} w {path} S Q"
    halo = f"1 G {numbers(HALO * PT_PER_MM)} w {path} S " if stroke.halo else ""
    colour = "" if stroke.fill is None else f"{_tone(stroke.fill)} "
    line = f"{_tone(stroke.colour).upper()} {numbers(stroke.width * PT_PER_MM)} w " if stroke.width else ""
    paint = {(True, True): "B*", (True, False): "S", (False, True): "f*", (False, False): "n"}
    # Its round corners stay with the page: halos of labels that follow have them, too.
    return f"1 j {halo}{colour}{line}{path} {paint[bool(line), bool(colour)]}"


def _tone(tone: Tone) -> str:
    """Sets the colour that is filled with; in capitals that of lines."""
    return f"{numbers(*tone)} rg" if isinstance(tone, tuple) else f"{numbers(tone)} g"


def _path(points: Sequence[tuple[float, float]], closed: bool = False) -> str:
    start, *others = (numbers(*point) for point in points)
    return " ".join([f"{start} m", *(f"{other} l" for other in others), *(["h"] if closed else [])])


def _label(canvas: Canvas, label: Label, height: float) -> str:
    from reportlab.pdfbase.pdfmetrics import getFont

    font, size = getFont(FONT), numbers(label.size_pt)
    before = {"start": 0.0, "middle": 0.5, "end": 1.0}[label.anchor]
    start = f"{numbers(-before * font.stringWidth(label.text, label.size_pt))} 0 Td " if before else ""
    # The canvas embeds the letters whose codes it was asked for.
    text = " ".join(
        f"{font.getSubsetInternalName(subset, canvas._doc)} {size} Tf <{codes.hex()}> Tj"
        for subset, codes in font.splitString(label.text, canvas._doc)
    )
    halo = f"1 G {numbers(label.size_pt * 0.22)} w BT 1 Tr {start}{text} ET " if label.halo else ""
    place = translation(*_upright(height).point(label.x, label.y)) @ rotation(-label.turn)
    return f"q {_tone(label.colour)} {turned(place)} {halo}BT 0 Tr {start}{text} ET Q"


def _describe(pdf: pikepdf.Pdf, pages: Sequence[Page], document: Document) -> None:
    """Tell readers how the pages are printed and where they find what."""
    import pikepdf

    pdf.Root.ViewerPreferences = pikepdf.Dictionary(
        PrintScaling=pikepdf.Name("/None"),
        Duplex=pikepdf.Name(DUPLEX[document.backs]),
        PickTrayByPDFSize=True,
        DisplayDocTitle=True,
    )
    pdf.Root.Lang = pikepdf.String(document.language)
    if document.game:
        pdf.Root.PNPGame = pikepdf.String(document.game)
    if document.how:
        pdf.Root.PNPMade = pikepdf.String(document.how)
    if document.papers:
        pdf.Root.PNPPapers = pikepdf.Dictionary({f"/{name}": pikepdf.String(of) for name, of in document.papers.items()})
    with pdf.open_outline() as outline:
        outline.root.extend(pikepdf.OutlineItem(page.bookmark, number) for number, page in enumerate(pages) if page.bookmark)
