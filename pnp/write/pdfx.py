"""What makes a PDF in inks one that print shops take: PDF/X-4 (ISO 15930-7), or PDF/X-1a (ISO 15930-4) for those who ask.

A shop's programs look for: what the inks are meant for (the output intent, with the profile of the press), where pages are
cut, that nothing is left to guess about trapping, and the standard that the file says it keeps, in its old and in its new
description alike. Links and scripts are for screens: they are taken out.
"""

from __future__ import annotations

import hashlib
import io
import uuid
from typing import Any
from xml.sax.saxutils import escape

from pnp.shapes.units import PT_PER_MM
from pnp.values.press import Boxes, Condition, Standard
from pnp.write.transparency import Transparency

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
    """Describes a file whose colours are inks already; returns what was taken out of it, as sentences."""
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
    """Takes out what only a screen shows."""
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
    """Where the page is cut, and how far beyond it is printed."""
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
    """What the inks are meant for."""
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
    """The same words in the old description and in the new one."""
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
