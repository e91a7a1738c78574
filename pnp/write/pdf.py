"""Writes pages and a book as one PDF: reportlab sets the marks, pikepdf reads the book, each form is stored once."""

from __future__ import annotations

import hashlib
import io
import os
import re
import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any
from unicodedata import category, east_asian_width

from pnp.dataclass import dataclass
from pnp.shapes.affine import Affine, Rect, rotation, scaling, translation
from pnp.shapes.outline import Ring
from pnp.shapes.units import PT_PER_MM
from pnp.system.watchdog import going_on
from pnp.values.faces import Book, Face, ImposedPage, ImposedSide, Label, Line, Page, PlacedFace, Stroke, Tone
from pnp.values.game import Backs, Paper

if TYPE_CHECKING:
    import pikepdf
    from reportlab.pdfgen.canvas import Canvas


def saved(pdf: pikepdf.Pdf) -> bytes:
    """The PDF's bytes, compressed, without dates and ids that change."""
    import pikepdf

    # A file would be written sooner; but where there is no room for it, qpdf ends the whole process.
    target = io.BytesIO()
    packed = pikepdf.ObjectStreamMode.generate
    pdf.save(target, min_version="1.7", deterministic_id=True, object_stream_mode=packed, compress_streams=True)
    return target.getvalue()


# A reference to another object. Strings are passed over, for they may hold the like.
_REFERENCE = re.compile(rb"\((?:\\.|[^\\()])*\)|(\d+) (\d+) R", re.DOTALL)
Number = tuple[int, int]


class Objects:
    """Pool of PDF objects, referred to as ``n 0 R``. A file gets those that its catalog reaches."""

    def __init__(self, known: Iterable[tuple[bytes, bytes | None]] = ()) -> None:
        self._all = [*known]

    def add(self, text: bytes, data: bytes | None = None) -> bytes:
        """Adds an object, with ``data`` a stream whose dictionary has its /Length; returns the reference to it."""
        self._all.append((text, data))
        return self.next(0)

    def next(self, count: int) -> bytes:
        """Reference to the object that is added ``count`` objects from now."""
        return b"%d 0 R" % (len(self._all) + count)

    def copy(self) -> Objects:
        return Objects(self._all)

    def file(self, root: bytes, info: bytes) -> list[bytes]:
        """The parts of the file with this catalog and these facts, both references.

        Objects are numbered in the order in which they are met, whatever else is known; what is no stream is packed.
        """
        numbers = self._numbered(root, info)
        written = [b"%PDF-1.7\n%\xbf\xf7\xa2\xfe\n"]
        long, named = len(written[0]), hashlib.md5(usedforsecurity=False)
        entries = {0: (0, 0, 65535)}

        def text(own: int) -> bytes:
            return _REFERENCE.sub(
                lambda found: b"%d 0 R" % numbers[int(found[1])] if found[1] else found[0], self._all[own - 1][0]
            )

        def write(number: int, text: bytes, data: bytes) -> None:
            nonlocal long
            entries[number] = (1, long, 0)
            for part in (b"%d 0 obj\n%b\nstream\n" % (number, text), data, b"\nendstream\nendobj\n"):
                written.append(part)
                named.update(part)
                long += len(part)
            going_on()

        packed = []
        for own, number in numbers.items():
            if (data := self._all[own - 1][1]) is None:
                packed.append(own)
            else:
                write(number, text(own), data)
        size = len(numbers) + 1
        for first in range(0, len(packed), _IN_A_PACK):
            index, texts = [], bytearray()
            for place, own in enumerate(packed[first : first + _IN_A_PACK]):
                entries[numbers[own]] = (2, size, place)
                index.append(b"%d %d" % (numbers[own], len(texts)))
                texts += text(own) + b"\n"
            head = b" ".join(index) + b"\n"
            data = zlib.compress(head + texts)
            about = b"<< /Type /ObjStm /N %d /First %d /Filter /FlateDecode /Length %d >>"
            write(size, about % (len(index), len(head), len(data)), data)
            size += 1
        start, name = long, named.hexdigest().encode()
        entries[size] = (1, start, 0)
        data = zlib.compress(b"".join([_ENTRY.pack(*entries[each]) for each in range(size + 1)]))
        about = b"<< /Type /XRef /Size %d /W [ 1 4 2 ] /Root %d 0 R /Info %d 0 R /ID [ <%b> <%b> ]"
        about %= size + 1, numbers[_number(root)], numbers[_number(info)], name, name
        write(size, b"%b /Filter /FlateDecode /Length %d >>" % (about, len(data)), data)
        return [*written, b"startxref\n%d\n%%%%EOF\n" % start]

    def _numbered(self, *references: bytes) -> dict[int, int]:
        """The numbers that these objects, and all that they refer to, have in a file."""
        numbers: dict[int, int] = {}
        waiting = [_number(reference) for reference in reversed(references)]
        while waiting:
            own = waiting.pop()
            if own not in numbers:
                numbers[own] = len(numbers) + 1
                waiting += [other for other, _ in reversed(_references(self._all[own - 1][0]))]
        return numbers


_IN_A_PACK = 100
_ENTRY = struct.Struct(">BIH")


class Copies:
    """Copies objects of other files, each once."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._known: dict[bytes, bytes] = {}

    def forms(self, source: bytes, pages: Iterable[int]) -> list[bytes]:
        """Pages of a file (0-based) as forms; their references. Closes the file again: of many, one is open at a time."""
        import pikepdf

        # Typst's pages have all that they need: nothing is handed down, which would be looked for in every page.
        with pikepdf.open(io.BytesIO(source), inherit_page_attributes=False) as file:
            part = Part(self._objects, file, self._known)
            there = list(file.pages)
            return [part.form(there[page].obj) for page in pages]


class Part:
    """Copies objects from one file. ``known`` maps digests to the references of objects already copied."""

    def __init__(self, objects: Objects, file: Any, known: dict[bytes, bytes]) -> None:
        self._objects, self._file, self._known = objects, file, known
        self._copied: dict[Number, bytes] = {}
        self._twins: dict[bytes, bytes] = {}

    def form(self, page: Any) -> bytes:
        content = page["/Contents"]
        text = self.text(content.stream_dict).removesuffix(b">>")
        text += b"/Type /XObject /Subtype /Form /BBox %b" % self._box(page["/MediaBox"])
        for key in ("/Resources", "/Group"):
            if key in page:
                text += b" %b %b" % (key.encode(), self.text(page[key]))
        return self._objects.add(text + b" >>", content.read_raw_bytes())

    def _box(self, box: Any) -> bytes:
        """A box as an object: there are few sizes, and a reference is shorter."""
        text = box.unparse(resolved=True)
        mark = _mark(text)
        if mark not in self._known:
            self._known[mark] = self._objects.add(text)
        return self._known[mark]

    def text(self, value: Any) -> bytes:
        """A value as it is written in the copy, with all that it refers to copied."""
        if value.is_indirect:
            return self._copy(value.objgen)
        written: bytes = value.unparse(resolved=True)
        for other in _references(written):
            self._copy(other)
        return _REFERENCE.sub(self._renumbered, written)

    def _copy(self, wanted: Number) -> bytes:
        """Copies an object after all objects that it refers to, without recursion, for drawings may nest deeply."""
        import pikepdf

        waiting = [] if wanted in self._copied else [wanted]
        while waiting:
            found = self._file.get_object(waiting[-1])
            drawn = isinstance(found, pikepdf.Stream)
            text = (found.stream_dict if drawn else found).unparse(resolved=True)
            data = found.read_raw_bytes() if drawn else None
            # Most pages list the same things in an object of their own: within a file that is seen at once.
            own = _mark(text, data or b"")
            if own not in self._twins:
                if missing := [other for other in _references(text) if other not in self._copied]:
                    waiting += missing
                    continue
                text = _REFERENCE.sub(self._renumbered, text)
                mark = _mark(text, data or b"")
                if mark not in self._known:
                    self._known[mark] = self._objects.add(text, data)
                self._twins[own] = self._known[mark]
            self._copied[waiting.pop()] = self._twins[own]
        return self._copied[wanted]

    def _renumbered(self, found: re.Match[bytes]) -> bytes:
        return self._copied[int(found[1]), int(found[2])] if found[1] else found[0]


def _references(text: bytes) -> list[Number]:
    return [(int(found[1]), int(found[2])) for found in _REFERENCE.finditer(text) if found[1]]


def _number(reference: bytes) -> int:
    return int(reference.partition(b" ")[0])


def _mark(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


Key = tuple[str, str, str]


def key_of(side: PlacedFace) -> Key:
    """The key of a side's form: sides of equal look have one each, for readers count them by name."""
    return side.name, side.side, side.face.key


def numbers(*values: float) -> str:
    """Numbers as PDF operands."""
    return " ".join(f"{value:.5f}".rstrip("0").rstrip(".") if abs(value) >= 0.000005 else "0" for value in values)


def turned(matrix: Affine) -> str:
    """The operator that applies a matrix to what is drawn next."""
    return f"{numbers(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)} cm"


def form_to_face(height: float, bleed: float) -> Affine:
    """Maps a face's form (pt, origin bottom left, y upwards) to the face's mm."""
    return translation(-bleed, height + bleed) @ scaling(1 / PT_PER_MM, -1 / PT_PER_MM)


class Stock:
    """Sides of pieces as forms, made once for all PDFs of a game."""

    def __init__(self) -> None:
        self.objects = Objects()
        self._copies = Copies(self.objects)
        self._layers: dict[str, bytes] = {}
        self._faces: dict[str, tuple[bytes, bytes]] = {}
        self._stacks: dict[tuple[object, ...], tuple[bytes, bytes]] = {}
        self._sides: dict[Key, bytes] = {}

    def forms(self, book: Book, sides: Iterable[PlacedFace]) -> Mapping[Key, bytes]:
        """References to the forms of these sides, and of others made before."""
        missing = [side for side in sides if key_of(side) not in self._sides]
        self._take(book, [side.face for side in missing])
        for side in missing:
            self._sides[key_of(side)] = self._side(side)
        return self._sides

    def _take(self, book: Book, faces: Sequence[Face]) -> None:
        """Copies the layers of these faces from the book."""
        parts: dict[int, dict[str, int]] = {}
        for key in dict.fromkeys(placed.layer.key for face in faces for placed in face.layers):
            if key in book.pages and key not in self._layers:
                part, page = book.pages[key]
                parts.setdefault(part, {})[key] = page
        for part, pages in parts.items():
            going_on()
            made = self._copies.forms(book.pdfs[part], pages.values())
            self._layers |= dict(zip(pages, made, strict=True))

    def _side(self, side: PlacedFace) -> bytes:
        """A piece's side as a form; its name in the file lets a reader count printed pieces."""
        key = side.face.key
        if key not in self._faces:
            self._faces[key] = self._face(side.face)
        text, code = self._faces[key]
        about = _string(side.name), side.side.title().encode(), _string(side.face.cut)
        return self.objects.add(b"<< %b /PNPPiece %b /PNPSide /%b /PNPCut %b >>" % (text, *about), code)

    def _face(self, face: Face) -> tuple[bytes, bytes]:
        """The entries of a face's form, and its code."""
        # What the engine refused is not in the book, and among the problems.
        drawn = [placed for placed in face.layers if placed.layer.key in self._layers]
        places = tuple((placed.layer.height, placed.matrix) for placed in drawn)
        # Most faces have their layers in the same places: they differ in what is there.
        look = (face.width, face.height, face.bleed, places)
        if look not in self._stacks:
            self._stacks[look] = self._stack(*look)
        text, code = self._stacks[look]
        layers = b" ".join(b"/L%d %b" % (index, self._layers[placed.layer.key]) for index, placed in enumerate(drawn))
        # What stands by itself is packed together with others; the words of a form itself are not.
        return b"%b /Resources %b" % (text, self.objects.add(b"<< /XObject << %b >> >>" % layers)), code

    def _stack(
        self, width: float, height: float, bleed: float, places: Sequence[tuple[float, Affine]]
    ) -> tuple[bytes, bytes]:
        """The entries of a face's form without the layers that it draws, and its code."""
        to_form = form_to_face(height, bleed).inverse()
        code = []
        for index, (layer_height, matrix) in enumerate(places):
            code.append(f"q {turned(to_form @ matrix @ form_to_face(layer_height, 0))} /L{index} Do Q")
        data = zlib.compress("\n".join(code).encode())
        box = f"[ 0 0 {numbers((width + 2 * bleed) * PT_PER_MM, (height + 2 * bleed) * PT_PER_MM)} ]"
        text = b"/Type /XObject /Subtype /Form /Filter /FlateDecode /Length %d /BBox %b"
        return text % (len(data), self.objects.add(box.encode())), data


def _string(text: str) -> bytes:
    import pikepdf

    return pikepdf.String(text).unparse()


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
_CLOCK = Lock()


@dataclass(frozen=True, slots=True)
class Document:
    """A PDF's metadata."""

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
    """The width of a line of the marks' font in mm; a letter that it lacks is as wide as its script makes it."""
    from reportlab.pdfbase.pdfmetrics import stringWidth

    ems = 0.0
    if lacking := unprintable(text):
        ems = sum(_ems(letter) for letter in text if letter in lacking)
        text = "".join(letter for letter in text if letter not in lacking)
    return (float(stringWidth(text, FONT, size_pt)) + ems * size_pt) / PT_PER_MM


def _ems(letter: str) -> float:
    return 0.0 if category(letter) in ("Cf", "Mn") else 1.0 if east_asian_width(letter) in "WF" else 0.6


def unprintable(text: str) -> list[str]:
    """The characters that the marks' font lacks."""
    from reportlab.pdfbase.pdfmetrics import getFont

    _register_font()
    known = getFont(FONT).face.charToGlyph
    if text.isascii() and text.isprintable():
        return []
    return [character for character in dict.fromkeys(text) if ord(character) not in known]


def write_pdf(pages: Sequence[Page], book: Book | None, document: Document, stock: Stock | None = None) -> bytes:
    """The pages as a PDF, the same bytes for the same pages; pages without faces need no book."""
    return b"".join(pdf_parts(pages, book, document, stock or Stock()))


def pdf_parts(pages: Sequence[Page], book: Book | None, document: Document, stock: Stock) -> list[bytes]:
    """The parts of such a PDF; those of pictures are the ``stock``'s, which PDFs with faces of the same book share."""
    import pikepdf

    sides = {key_of(item): item for page in pages for item in _faces(page)}
    names = {key: f"/P{number}" for number, key in enumerate(sides)}
    canvas = _canvas(document)
    codes = [_code(page, names, canvas) for page in pages]
    # A blank page brings the letters that the marks need.
    canvas.showPage()
    made = stock.forms(book, sides.values()) if book is not None else {}
    objects = stock.objects.copy()
    with pikepdf.open(io.BytesIO(canvas.getpdfdata())) as marks:
        part = Part(objects, marks, {})
        fonts, info = part.text(marks.pages[0].Resources.Font), part.text(marks.trailer.Info)
    contents = []
    for code in codes:
        data = zlib.compress(code)
        contents.append(objects.add(b"<< /Filter /FlateDecode /Length %d >>" % len(data), data))
    parent = objects.next(len(pages) + 1)
    kids = []
    for page, content in zip(pages, contents, strict=True):
        shown = b" ".join(
            b"%b %b" % (names[key].encode(), made[key]) for key in dict.fromkeys(map(key_of, _faces(page))) if key in made
        )
        has = b"<< /Font %b /XObject << %b >> %b >>" % (fonts, shown, _inks(page))
        sheet = b"<< /Type /Page /Parent %b %b /Contents %b /Resources %b >>"
        kids.append(objects.add(sheet % (parent, _boxes(page.paper), content, has)))
    objects.add(b"<< /Type /Pages /Count %d /Kids [ %b ] >>" % (len(kids), b" ".join(kids)))
    marked = {kid: page.bookmark for kid, page in zip(kids, pages, strict=True) if page.bookmark}
    about = _about(document) + _outline(objects, marked)
    root = objects.add(b"<< /Type /Catalog /Pages %b %b >>" % (parent, about))
    return objects.file(root, info)


def _inks(page: Page) -> bytes:
    """The spot colours of a page, shown as magenta, with overprint on."""
    spots = dict.fromkeys(item.spot for item in page.items if isinstance(item, Stroke) and item.spot)
    if not spots:
        return b""
    tint = "<< /FunctionType 2 /Domain [ 0 1 ] /C0 [ 0 0 0 0 ] /C1 [ 0 1 0 0 ] /N 1 >>"
    spaces = " ".join(f"/{name} [ /Separation /{name} /DeviceCMYK {tint} ]" for name in spots)
    return f"/ColorSpace << {spaces} >> /ExtGState << /Over << /Type /ExtGState /OP true /op true /OPM 1 >> >>".encode()


def _boxes(paper: Paper) -> bytes:
    size = numbers(paper.width * PT_PER_MM, paper.height * PT_PER_MM)
    return " ".join(f"/{box}Box [ 0 0 {size} ]" for box in ("Media", "Crop", "Bleed", "Trim")).encode()


@cache
def _register_font() -> None:
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    file = Path(str(resources.files("font_source_sans_pro"))) / "files" / "SourceSansPro-Regular.ttf"
    pdfmetrics.registerFont(TTFont(FONT, str(file)))


def _faces(page: Page) -> list[PlacedFace]:
    return [item for item in page.items if isinstance(item, PlacedFace)]


def _canvas(document: Document) -> Canvas:
    """A canvas for the marks, which collects the glyphs that they use."""
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
def _code(page: Page, names: Mapping[Key, str], canvas: Canvas) -> bytes:
    """The content stream of a page."""
    height = page.paper.height
    code: list[str] = []
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
    return "\n".join(code).encode("latin-1")


def _upright(height: float) -> Affine:
    """Maps mm on a page of this height, y downwards, to pt, y upwards."""
    return scaling(PT_PER_MM, -PT_PER_MM) @ translation(0, -height)


@lru_cache(KNOWN)
def _place(matrix: Affine, clip: Rect, shape: Ring | None, face_height: float, bleed: float, height: float) -> str:
    """The operators that place a form where the face lies, clipped there."""
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
    """The fill colour operator; in upper case the stroke colour."""
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


def _about(document: Document) -> bytes:
    """The entries of the PDF's catalog for readers and for ``pnp verify``."""
    entries = [
        b"/ViewerPreferences << /PrintScaling /None /Duplex %b /PickTrayByPDFSize true /DisplayDocTitle true >>"
        % DUPLEX[document.backs].encode(),
        b"/PageMode /UseNone /Lang %b" % _string(document.language),
    ]
    if document.game:
        entries.append(b"/PNPGame %b" % _string(document.game))
    if document.how:
        entries.append(b"/PNPMade %b" % _string(document.how))
    if document.papers:
        import pikepdf

        papers = [b"%b %b" % (pikepdf.Name(f"/{name}").unparse(), _string(of)) for name, of in document.papers.items()]
        entries.append(b"/PNPPapers << %b >>" % b" ".join(papers))
    return b" ".join(entries)


def _outline(objects: Objects, marked: Mapping[bytes, str]) -> bytes:
    """Bookmarks of pages, by the references to them, as an entry of the catalog."""
    if not marked:
        return b""
    parent, last = objects.next(len(marked) + 1), len(marked) - 1
    items = [objects.next(1 + place) for place in range(len(marked))]
    for place, (page, text) in enumerate(marked.items()):
        before = b"/Prev %b " % items[place - 1] if place else b""
        after = b"/Next %b " % items[place + 1] if place < last else b""
        objects.add(b"<< /Title %b /Parent %b %b%b/Dest [ %b /Fit ] >>" % (_string(text), parent, before, after, page))
    objects.add(b"<< /Type /Outlines /Count %d /First %b /Last %b >>" % (len(items), items[0], items[-1]))
    return b" /Outlines %b" % parent


TICK_WIDTH = 0.2


def write_imposed(book: bytes, sides: Sequence[ImposedSide], title: str, language: str, creator: str) -> bytes:
    """The sides as a PDF to print duplex, flipped on the short edge; the same bytes for the same book."""
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
    """Draws a page where it lies; its form is in pt from its bottom left, ``high`` pt high."""
    matrix = _upright(side.height) @ placed.matrix @ form_to_face(high / PT_PER_MM, 0)
    return f"q {turned(matrix)} /B{placed.number} Do Q"


def _ticks(side: ImposedSide) -> str:
    def point(x: float, y: float) -> str:
        return f"{x * PT_PER_MM:.3f} {(side.height - y) * PT_PER_MM:.3f}"

    lines = [f"{point(x1, y1)} m {point(x2, y2)} l S" for x1, y1, x2, y2 in side.ticks]
    return "\n".join(["q", f"{TICK_WIDTH * PT_PER_MM:.3f} w 0.4 G", *lines, "Q"])
