"""Makes a PDF conform to PDF/X-4 or PDF/X-1a: boxes, metadata, output intent; flattens transparency for X-1a."""

from __future__ import annotations

import hashlib
import io
import uuid
import zlib
from typing import Any
from xml.sax.saxutils import escape

from pnp.lay.picture import PLAN
from pnp.press.separate import Boxes, Condition, Standard
from pnp.shapes.units import PT_PER_MM

# Fine enough for letters; presses take no more.
DPI = 600
_PLAIN_MODES = ("/Normal", "/Compatible")


class Transparency:
    """Tells which pages, forms, pictures and patterns are transparent, each examined once."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], bool] = {}

    def of(self, drawing: Any) -> bool:
        """Whether a page or form has transparency at any depth."""
        import pikepdf

        key = drawing.objgen
        if key not in self._known:
            # A drawing that shows itself is not looked at for ever.
            self._known[key] = False
            resources = drawing.get("/Resources", pikepdf.Dictionary())
            states = resources.get("/ExtGState", {})
            self._known[key] = any(mixes(states[name]) for name in states) or any(
                self.shown(each) for kind in ("/XObject", "/Pattern") for each in _named(resources, kind)
            )
        return self._known[key]

    def shown(self, there: Any) -> bool:
        """Whether a form, picture or pattern is transparent."""
        import pikepdf

        if not isinstance(there, pikepdf.Stream):
            return "/ExtGState" in there and mixes(there["/ExtGState"])
        if there.get("/Subtype") == "/Image":
            return "/SMask" in there or int(there.get("/SMaskInData", 0)) > 0
        return self.of(there)


def _named(resources: Any, kind: str) -> list[Any]:
    named = resources.get(kind, {})
    return [named[name] for name in named]


def mixes(state: Any) -> bool:
    """Whether an ExtGState blends with what is beneath."""
    modes = state.get("/BM", "/Normal")
    mode = str(modes) if str(modes).startswith("/") else str(modes[0])
    return (
        float(state.get("/ca", 1)) < 1
        or float(state.get("/CA", 1)) < 1
        or str(state.get("/SMask", "/None")) != "/None"
        or mode not in _PLAIN_MODES
    )


def flattened(data: bytes) -> tuple[bytes, list[str]]:
    """Flattens transparency; returns the file, and names of the pages and pieces that became pictures."""
    import pikepdf

    with pikepdf.open(io.BytesIO(data)) as pdf:
        look = Transparency()
        pieces: dict[tuple[int, int], Any] = {}
        grounds: dict[tuple[object, ...], Any] = {}
        notes = []
        for number, page in enumerate(pdf.pages, 1):
            shown: Any = page.resources.get("/XObject", pikepdf.Dictionary())
            # What a page is made of: where that alone is transparent, the rest stays as it is.
            through = {name: each for name, each in shown.items() if look.shown(each)}
            forms = {name: each for name, each in through.items() if each.get("/Subtype") == "/Form"}
            if len(forms) < len(through) or (look.of(page.obj) and not forms) or _own(page.obj):
                size = tuple(float(side) for side in page.mediabox)
                page.obj["/Contents"], page.obj["/Resources"] = _pictured(pdf, _alone(pdf, page.obj, size), size)
                notes.append(f"page {number} is a picture of {DPI} dots an inch, for it lets its ground through")
                continue
            for name, form in forms.items():
                if form.objgen not in pieces:
                    pieces[form.objgen], whole = _flat(pdf, form, look, grounds)
                    # What lies beneath a face, stretched, is told by the face's own name.
                    if form.get("/PNPPiece", "") != PLAN:
                        what = _called(form) if whole else f"a part of {_called(form)}"
                        notes.append(f"{what} is a picture of {DPI} dots an inch, for it lets its ground through")
                shown[name] = pieces[form.objgen]
        _ungroup(pdf)
        file = io.BytesIO()
        pdf.save(file, deterministic_id=True)
    return file.getvalue(), list(dict.fromkeys(notes))


def _called(form: Any) -> str:
    """The name of a form for messages."""
    if "/PNPPiece" not in form:
        return "a drawing"
    return f"{form['/PNPPiece']} ({str(form.get('/PNPSide', '/Front')).lstrip('/').lower()})"


def _own(page: Any) -> bool:
    """Whether a page has transparency outside its forms."""
    import pikepdf

    resources = page.get("/Resources", pikepdf.Dictionary())
    look = Transparency()
    return any(mixes(state) for state in _named(resources, "/ExtGState")) or any(
        look.shown(each) for each in _named(resources, "/Pattern")
    )


# What a form may do beside showing others, one after another, for these to be parted.
_PLACES = frozenset(("q", "Q", "cm", "Do"))


def _flat(pdf: Any, form: Any, look: Transparency, grounds: dict[tuple[object, ...], Any]) -> tuple[Any, bool]:
    """Rasterises a form up to its last transparent layer; layers above stay vectors. Returns the form that replaces it, and
    whether all of it is a picture. ``grounds`` keeps the pictures, since many forms have the same lower layers.
    """
    import pikepdf

    box = tuple(float(side) for side in form["/BBox"])
    below, above = _parted(form, look)
    shown: Any = form["/Resources"].get("/XObject", pikepdf.Dictionary()) if above else {}
    ground = pikepdf.unparse_content_stream(below)
    key = (ground, box, *(shown[name].objgen for name in _names(below))) if above else form.objgen
    if key not in grounds:
        grounds[key] = _pictured(pdf, _alone(pdf, form, box, ground if above else None), box)
    code, resources = grounds[key]
    left_out = ("/Length", "/Filter", "/DecodeParms", "/Resources", "/Group")
    kept = {key: value for key, value in form.items() if key not in left_out}
    made = pikepdf.Stream(pdf, code.read_bytes() + b"\n" + pikepdf.unparse_content_stream(above), kept)
    made["/Resources"] = resources
    if above:
        named = {name: shown[name] for name in _names(above)}
        made["/Resources"] = pikepdf.Dictionary(XObject=pikepdf.Dictionary({**named, "/F0": resources.XObject.F0}))
    return made, not above


def _parted(form: Any, look: Transparency) -> tuple[list[Any], list[Any]]:
    """Splits the code of a form after its last transparent layer. The second part is empty when the code does more than
    place layers.
    """
    import pikepdf

    code = list(pikepdf.parse_content_stream(form))
    resources = form.get("/Resources", pikepdf.Dictionary())
    shown = resources.get("/XObject", pikepdf.Dictionary())
    deep, end, through = 0, 0, False
    for place, instruction in enumerate(code, 1):
        name = str(instruction.operator)
        deep += (name == "q") - (name == "Q")
        if name not in _PLACES or "/F0" in shown or (deep == 0 and name != "Q") or "/Group" in form:
            return code, []
        through = through or (name == "Do" and look.shown(shown[str(instruction.operands[0])]))
        if deep == 0 and through:
            end, through = place, False
    return code[:end], code[end:]


def _names(code: list[Any]) -> list[str]:
    return [str(instruction.operands[0]) for instruction in code if str(instruction.operator) == "Do"]


def _alone(pdf: Any, drawing: Any, box: tuple[float, ...], code: bytes | None = None) -> bytes:
    """A page or form as a file of one page; ``code`` replaces the form's content."""
    import pikepdf

    left, low, right, high = box
    with pikepdf.new() as alone:
        page = alone.add_blank_page(page_size=(right - left, high - low))
        page.obj["/MediaBox"] = pikepdf.Array(box)
        if drawing.get("/Type") == "/Page":
            form = alone.copy_foreign(pikepdf.Page(drawing).as_form_xobject())
        else:
            form = alone.copy_foreign(drawing)
            if "/Matrix" in form:
                del form["/Matrix"]
            if code is not None:
                form.write(code)
        page.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(D=form))
        page.Contents = alone.make_stream(b"/D Do")
        file = io.BytesIO()
        alone.save(file)
        return file.getvalue()


def _pictured(pdf: Any, alone: bytes, box: tuple[float, ...]) -> tuple[Any, Any]:
    """Content and resources of a picture of a page; unprinted areas stay transparent to the paper."""
    import numpy as np
    import pikepdf
    import pypdfium2 as pdfium

    document = pdfium.PdfDocument(alone)
    try:
        shown = document[0].render(scale=DPI / 72, fill_color=(255, 255, 255, 0), rev_byteorder=True, prefer_bgrx=True)
        dots = shown.to_numpy()
    finally:
        document.close()
    high, wide = dots.shape[:2]
    colours = np.ascontiguousarray(dots[..., :3])
    (thin,) = np.nonzero(dots[..., 3].reshape(-1) < 255)
    if len(thin):
        # On paper, whatever shows of it.
        some, solid = colours.reshape(-1, 3), dots[..., 3].reshape(-1)[thin].astype(np.uint16)[:, None]
        some[thin] = (some[thin] * solid + 255 * (255 - solid) + 127) // 255
    keys = {"/Type": pikepdf.Name.XObject, "/Subtype": pikepdf.Name.Image, "/Width": wide, "/Height": high}
    keys |= {"/Filter": pikepdf.Name.FlateDecode}
    picture = pikepdf.Stream(
        pdf,
        zlib.compress(colours.tobytes(), 1),
        keys | {"/ColorSpace": pikepdf.Name.DeviceRGB, "/BitsPerComponent": 8},
    )
    empty = np.packbits(dots[..., 3] == 0, axis=1)
    if empty.any():
        stencil = keys | {"/ImageMask": True, "/BitsPerComponent": 1}
        picture["/Mask"] = pikepdf.Stream(pdf, zlib.compress(empty.tobytes(), 3), stencil)
    left, low, right, top = box
    code = pdf.make_stream(f"q {right - left:.5f} 0 0 {top - low:.5f} {left:.5f} {low:.5f} cm /F0 Do Q".encode())
    return code, pdf.make_indirect(pikepdf.Dictionary(XObject=pikepdf.Dictionary(F0=picture)))


def _ungroup(pdf: Any) -> None:
    """Removes transparency groups without effect, which X-1a forbids."""
    import pikepdf

    for each in pdf.objects:
        if isinstance(each, pikepdf.Dictionary | pikepdf.Stream) and "/Group" in each:
            del each["/Group"]


# Both standards want dates. A file is the same whenever it is made, so it has that of the files it comes from.
DATE, XMP_DATE = "D:20000101000000Z", "2000-01-01T00:00:00Z"
REGISTRY = "http://www.color.org"
_SAID = {
    "PDF/X-4": {"/GTS_PDFXVersion": "PDF/X-4"},
    "PDF/X-1a": {"/GTS_PDFXVersion": "PDF/X-1:2003", "/GTS_PDFXConformance": "PDF/X-1a:2003"},
}
# Of the whole file, what is for screens and readers alone.
_FOR_SCREENS = ("/OpenAction", "/AA", "/Names", "/AcroForm", "/StructTreeRoot", "/MarkInfo", "/URI", "/Threads", "/Version")
XMP = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"
 xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/">
<dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<xmp:CreatorTool>{creator}</xmp:CreatorTool>
<xmp:CreateDate>{date}</xmp:CreateDate><xmp:ModifyDate>{date}</xmp:ModifyDate><xmp:MetadataDate>{date}</xmp:MetadataDate>
<pdf:Producer>{producer}</pdf:Producer><pdf:Trapped>False</pdf:Trapped>
<xmpMM:DocumentID>uuid:{document}</xmpMM:DocumentID><xmpMM:InstanceID>uuid:{document}</xmpMM:InstanceID>
<xmpMM:VersionID>1</xmpMM:VersionID><xmpMM:RenditionClass>default</xmpMM:RenditionClass>
<pdfxid:GTS_PDFXVersion>{version}</pdfxid:GTS_PDFXVersion>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>"""


def finished(pdf: Any, condition: Condition, boxes: Boxes, standard: Standard) -> list[str]:
    """Adds boxes, metadata and output intent to a converted file; returns sentences about what was removed."""
    import pikepdf

    notes = _still(pdf)
    look = Transparency()
    for page in pdf.pages:
        _box(page, boxes)
        if standard == "PDF/X-4" and look.of(page.obj):
            # What overlaps is mixed as inks, whatever a program would take for that by itself.
            page.obj["/Group"] = pikepdf.Dictionary(
                Type=pikepdf.Name.Group, S=pikepdf.Name.Transparency, CS=pikepdf.Name.DeviceCMYK
            )
    _intend(pdf, condition)
    _describe(pdf, standard)
    return notes


def saved(pdf: Any, standard: Standard) -> bytes:
    """The file's bytes, the same for the same file."""
    import pikepdf

    plain = standard == "PDF/X-1a"
    file = io.BytesIO()
    pdf.save(
        file,
        force_version="1.4" if plain else "1.6",
        deterministic_id=True,
        object_stream_mode=pikepdf.ObjectStreamMode.disable if plain else pikepdf.ObjectStreamMode.generate,
        compress_streams=True,
    )
    return file.getvalue()


def _still(pdf: Any) -> list[str]:
    """Removes annotations, scripts and other things that only a screen shows."""
    linked = 0
    for page in pdf.pages:
        linked += len(page.obj.get("/Annots", []))
        for key in ("/Annots", "/AA", "/StructParents", "/Tabs", "/Trans", "/Dur"):
            if key in page.obj:
                del page.obj[key]
    for key in _FOR_SCREENS:
        if key in pdf.Root:
            del pdf.Root[key]
    return [f"{linked} links and notes that only a screen shows are left out"] if linked else []


def _box(page: Any, boxes: Boxes) -> None:
    """Sets TrimBox and BleedBox."""
    import pikepdf

    left, low, right, high = (float(side) for side in page.mediabox)
    inset = boxes.inset * PT_PER_MM
    beyond = max(0.0, boxes.inset - boxes.bleed) * PT_PER_MM
    for name, by in (("/TrimBox", inset), ("/BleedBox", beyond)):
        sides = (left + by, low + by, right - by, high - by)
        page.obj[name] = pikepdf.Object.parse(f"[ {' '.join(f'{side:.5f}' for side in sides)} ]".encode())
    page.obj["/MediaBox"] = pikepdf.Object.parse(f"[ {left:.5f} {low:.5f} {right:.5f} {high:.5f} ]".encode())
    for name in ("/ArtBox", "/CropBox"):
        if name in page.obj:
            del page.obj[name]


def _intend(pdf: Any, condition: Condition) -> None:
    """Sets the output intent."""
    import pikepdf

    profile = pdf.make_stream(condition.profile, N=4, Alternate=pikepdf.Name.DeviceCMYK)
    intent = pikepdf.Dictionary(
        Type=pikepdf.Name.OutputIntent,
        S=pikepdf.Name.GTS_PDFX,
        OutputConditionIdentifier=pikepdf.String(condition.name),
        Info=pikepdf.String(condition.name),
        RegistryName=pikepdf.String(REGISTRY),
        DestOutputProfile=profile,
    )
    # For whoever reads the file back: what it was made to keep.
    pdf.Root["/PNPInk"] = pikepdf.String(f"{condition.limit:g}")
    pdf.Root["/OutputIntents"] = pikepdf.Array([pdf.make_indirect(intent)])


def _describe(pdf: Any, standard: Standard) -> None:
    """Writes the same metadata to the document information and to XMP."""
    import pikepdf

    info = pdf.docinfo
    title, creator = (str(info.get(key, "")) or "Untitled" for key in ("/Title", "/Creator"))
    for key in ("/GTS_PDFXVersion", "/GTS_PDFXConformance"):
        if key in info:
            del info[key]
    told = {"/Title": title, "/Creator": creator, "/Producer": "pnp", "/CreationDate": DATE, "/ModDate": DATE}
    for key, text in (told | _SAID[standard]).items():
        info[key] = pikepdf.String(text)
    info["/Trapped"] = pikepdf.Name("/False")
    if standard == "PDF/X-1a":
        if "/Metadata" in pdf.Root:
            del pdf.Root["/Metadata"]
        return
    # Which file it is: known by its pages, and not by when it was made.
    mark = hashlib.sha256()
    for page in pdf.pages:
        mark.update(page.Contents.read_bytes())
    words = {"title": escape(title), "creator": escape(creator), "producer": "pnp", "date": XMP_DATE}
    words |= {"version": standard, "document": str(uuid.UUID(bytes=mark.digest()[:16]))}
    packet = pdf.make_stream(XMP.format(**words).encode(), Type=pikepdf.Name.Metadata, Subtype=pikepdf.Name.XML)
    pdf.Root["/Metadata"] = pdf.make_indirect(packet)
