"""What of a PDF is transparent, and the same without: whatever lets its ground through becomes a picture of itself.

Old presses print what is drawn last over all that is below. A file for them may hold nothing that mixes with its ground.
"""

from __future__ import annotations

import io
import zlib
from typing import Any

# Fine enough for letters; presses take no more.
DPI = 600
_PLAIN_MODES = ("/Normal", "/Compatible")


class Transparency:
    """Which drawings of a file mix with their ground; each is looked at once."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], bool] = {}

    def of(self, drawing: Any) -> bool:
        """Whether a page, or a form, has something transparent on it, however deep."""
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
        """Whether a form, a picture or a pattern lets its ground through."""
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
    """Whether what is painted so mixes with its ground."""
    modes = state.get("/BM", "/Normal")
    mode = str(modes) if str(modes).startswith("/") else str(modes[0])
    return (
        float(state.get("/ca", 1)) < 1
        or float(state.get("/CA", 1)) < 1
        or str(state.get("/SMask", "/None")) != "/None"
        or mode not in _PLAIN_MODES
    )


def flattened(data: bytes) -> tuple[bytes, list[str]]:
    """A file in colours of screens without anything transparent, and which pages and pieces have become pictures."""
    import pikepdf

    with pikepdf.open(io.BytesIO(data)) as pdf:
        look = Transparency()
        pieces: dict[tuple[int, int], Any] = {}
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
                    pieces[form.objgen] = _flat(pdf, form)
                    notes.append(f"{_called(form)} is a picture of {DPI} dots an inch, for it lets its ground through")
                shown[name] = pieces[form.objgen]
        _ungroup(pdf)
        file = io.BytesIO()
        pdf.save(file, deterministic_id=True)
    return file.getvalue(), list(dict.fromkeys(notes))


def _called(form: Any) -> str:
    """A form as a person knows it."""
    if "/PNPPiece" not in form:
        return "a drawing"
    return f"{form['/PNPPiece']} ({str(form.get('/PNPSide', '/Front')).lstrip('/').lower()})"


def _own(page: Any) -> bool:
    """Whether a page itself, beside its forms, mixes something."""
    import pikepdf

    resources = page.get("/Resources", pikepdf.Dictionary())
    look = Transparency()
    return any(mixes(state) for state in _named(resources, "/ExtGState")) or any(
        look.shown(each) for each in _named(resources, "/Pattern")
    )


def _flat(pdf: Any, form: Any) -> Any:
    """A form as a picture of itself, in the same place and with the same words about it."""
    import pikepdf

    box = tuple(float(side) for side in form["/BBox"])
    code, resources = _pictured(pdf, _alone(pdf, form, box), box)
    left_out = ("/Length", "/Filter", "/DecodeParms", "/Resources", "/Group")
    made = pikepdf.Stream(pdf, code.read_bytes(), {key: value for key, value in form.items() if key not in left_out})
    made["/Resources"] = resources
    return made


def _alone(pdf: Any, drawing: Any, box: tuple[float, ...]) -> bytes:
    """A page or a form as a file of one page."""
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
        page.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(D=form))
        page.Contents = alone.make_stream(b"/D Do")
        file = io.BytesIO()
        alone.save(file)
        return file.getvalue()


def _pictured(pdf: Any, alone: bytes, box: tuple[float, ...]) -> tuple[Any, Any]:
    """What draws a picture of a page, and its resources; where nothing is drawn the ground stays."""
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
    solid = dots[..., 3:4].astype(np.uint16)
    # On paper, whatever shows of it.
    colours = ((dots[..., :3] * solid + 255 * (255 - solid) + 127) // 255).astype(np.uint8)
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
        picture["/Mask"] = pikepdf.Stream(pdf, zlib.compress(empty.tobytes()), stencil)
    left, low, right, top = box
    code = pdf.make_stream(f"q {right - left:.5f} 0 0 {top - low:.5f} {left:.5f} {low:.5f} cm /F0 Do Q".encode())
    return code, pdf.make_indirect(pikepdf.Dictionary(XObject=pikepdf.Dictionary(F0=picture)))


def _ungroup(pdf: Any) -> None:
    """Groups in which nothing is transparent do nothing, and may not be there."""
    import pikepdf

    for each in pdf.objects:
        if isinstance(each, pikepdf.Dictionary | pikepdf.Stream) and "/Group" in each:
            del each["/Group"]
