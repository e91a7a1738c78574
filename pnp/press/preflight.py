"""Inspects a file for a press as a print shop does: boxes, profile, fonts, smallest type, ink and resolution."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import field, replace
from math import hypot, sqrt
from typing import Any

from pnp.dataclass import dataclass
from pnp.press.convert import dots_of, values
from pnp.press.pdfx import Transparency
from pnp.press.separate import MOST_INK, Condition, Space, Standard, space_of
from pnp.shapes.affine import IDENTITY, Affine
from pnp.values.problems import Fault, Severity, listed
from pnp.write.printed import NotPrinted

Inks = tuple[float, ...]
"""Cyan, magenta, yellow and black from 0 to 1; none where they are not known."""
BLACK: Inks = (0.0, 0.0, 0.0, 1.0)
_SETS = {"g": Space("grey", 1), "k": Space("cmyk", 4), "rg": Space("rgb", 3)}
_FILLS, _LINES = frozenset(["f", "F", "f*", "B", "B*", "b", "b*", "sh"]), frozenset(["S", "s", "B", "B*", "b", "b*"])
_LETTERS = frozenset(("Tj", "TJ", "'", '"'))
_UNSEEN = (3, 7)
# Places of a gradient that are looked at.
STEPS = 65


@dataclass(slots=True)
class Met:
    """Extremes of a page or form with its forms: smallest type, most ink, lowest resolution."""

    letters: set[tuple[float, Inks]] = field(default_factory=set)
    """Sizes in points, and inks."""
    pictures: set[float] = field(default_factory=set)
    """Dots to an inch, of the coarser direction."""
    wettest: Inks = ()
    """The inks of the colour that takes the most."""
    screens: set[str] = field(default_factory=set)
    """What has colours of screens, or of a profile of its own."""
    vanishing: bool = False
    """White is printed over what is below, which prints nothing."""
    unread: set[str] = field(default_factory=set)
    """What could not be looked at."""

    def shown(self, other: Met, scale: float) -> None:
        """Adds what another form contains, scaled."""
        self.letters |= {(round(size * scale, 2), inks) for size, inks in other.letters}
        self.pictures |= {round(dots / scale, 1) for dots in other.pictures if scale}
        self.wet(other.wettest)
        self.screens |= other.screens
        self.unread |= other.unread
        self.vanishing |= other.vanishing

    def wet(self, inks: Inks) -> None:
        """Adds an ink amount."""
        if sum(inks) > sum(self.wettest):
            self.wettest = inks


@dataclass(slots=True)
class _State:
    """Graphics state; the first of each pair is for filling, the second for stroking."""

    matrix: Affine = IDENTITY
    spaces: list[Space | None] = field(default_factory=lambda: [_SETS["g"], _SETS["g"]])
    inks: list[Inks] = field(default_factory=lambda: [(), ()])
    over: list[bool] = field(default_factory=lambda: [False, False])
    size: float = 0.0
    mode: int = 0
    drawn: bool = False
    """The font's letters are drawings, in a measure of their own."""

    def kept(self) -> _State:
        return _State(self.matrix, [*self.spaces], [*self.inks], [*self.over], self.size, self.mode, self.drawn)


class Looker:
    """Inspects the content of one file; each object once."""

    def __init__(self) -> None:
        self._met: dict[tuple[int, int], Met] = {}
        self.bare: dict[str, None] = {}
        """Fonts that are not in the file."""
        self._fonts: set[tuple[int, int]] = set()
        self._wet: dict[tuple[int, int], Inks] = {}

    def page(self, page: Any) -> Met:
        """Inspects a page."""
        met = Met()
        read = _Reading(self, page.resources, _State(inks=[BLACK, BLACK])).through(page)
        met.shown(read, float(page.obj.get("/UserUnit", 1)))
        self.group(page.obj, met)
        return met

    def form(self, form: Any, resources: Any) -> Met:
        """Inspects a form; ``resources`` are those of the content around it."""
        key = form.objgen
        if key not in self._met:
            # A drawing that shows itself is not read for ever.
            self._met[key] = Met()
            self._met[key] = _Reading(self, form.get("/Resources", resources), _State()).through(form)
            self.group(form, self._met[key])
        return self._met[key]

    def group(self, drawing: Any, met: Met) -> None:
        """Inspects the blending colour space of a transparency group."""
        if "/Group" in drawing and "/CS" in drawing["/Group"]:
            self.space(drawing["/Group"]["/CS"], "a group whose parts are mixed", met)

    def space(self, there: Any, what: str, met: Met, named: Any = None) -> Space | None:
        """Reads a colour space; records ``what`` as not in inks if it is not."""
        import pikepdf

        while isinstance(there, pikepdf.Name) and named is not None and str(there) in named:
            there = named[str(there)]
        try:
            space = space_of(there)
        except (Fault, KeyError):
            met.screens.add(what)
            return None
        kinds = list(_names(there))
        if any(
            name not in ("/DeviceCMYK", "/DeviceGray", "/Separation", "/DeviceN", "/Indexed", "/Pattern") for name in kinds
        ):
            met.screens.add(what)
        return space

    def font(self, font: Any, met: Met) -> bool:
        """Whether a font is Type 3; records fonts that are not embedded."""
        if font.get("/Subtype") == "/Type3":
            if font.objgen not in self._fonts:
                self._fonts.add(font.objgen)
                for letter in font["/CharProcs"].values():
                    # Letters have the colour of the text around them, or colours of their own.
                    met.shown(_Reading(self, font.get("/Resources", {}), _State()).through(letter), 1)
            return True
        if font.objgen not in self._fonts:
            self._fonts.add(font.objgen)
            own = font["/DescendantFonts"][0] if "/DescendantFonts" in font else font
            described = own.get("/FontDescriptor", {})
            if not any(key in described for key in ("/FontFile", "/FontFile2", "/FontFile3")):
                self.bare[str(own.get("/BaseFont", "/?")).lstrip("/")] = None
        return False

    def wettest(self, picture: Any, space: Space) -> Inks:
        """The inks of the pixel with the most ink."""
        import numpy as np

        key = picture.objgen
        if key not in self._wet:
            self._wet[key] = ()
            if space.kind == "indexed" and space.base is not None and space.base.kind == "cmyk":
                rows = space.colours()
            elif space.kind == "cmyk":
                rows = dots_of(picture, space).rows
            else:
                return ()
            if len(rows):
                # Numpy adds four columns ten times as fast as rows of four.
                sums = rows[:, 0].astype(np.uint16) + rows[:, 1] + rows[:, 2] + rows[:, 3]
                self._wet[key] = tuple((rows[int(np.argmax(sums))] / 255).tolist())
        return self._wet[key]

    def gradient(self, there: Any) -> Inks:
        """The inks of a gradient's colour with the most ink."""
        import numpy as np

        function = there.get("/Function")
        if function is None:
            return ()
        if int(there["/ShadingType"]) == 1:
            if int(function["/FunctionType"]) != 0 or int(function["/BitsPerSample"]) != 8:
                raise Fault("a gradient that a program in the file calculates")
            rows = np.frombuffer(function.read_bytes(), np.uint8).reshape(-1, 4) / 255
        else:
            low, high = (float(number) for number in there.get("/Domain", [0, 1]))
            rows = values(function, np.linspace(low, high, STEPS))
        return tuple(rows[int(np.argmax(rows.sum(axis=1)))].tolist())


def _names(there: Any) -> Iterator[str]:
    """The names of the spaces that a colour space is built of."""
    import pikepdf

    if isinstance(there, pikepdf.Name):
        yield {"/G": "/DeviceGray", "/CMYK": "/DeviceCMYK", "/I": "/Indexed"}.get(str(there), str(there))
        return
    yield str(there[0]) if str(there[0]) != "/I" else "/Indexed"
    if str(there[0]) in ("/Separation", "/DeviceN"):
        yield from _names(there[2])
    elif str(there[0]) in ("/Indexed", "/I", "/Pattern") and len(there) > 1:
        yield from _names(there[1])


class _Reading:
    """Inspects a content stream, one instruction at a time."""

    def __init__(self, looker: Looker, resources: Any, state: _State) -> None:
        self._looker, self._resources, self._state = looker, resources, state
        self._stack: list[_State] = []
        self._letters = IDENTITY
        self._met = Met()

    def through(self, drawing: Any) -> Met:
        import pikepdf

        for instruction in pikepdf.parse_content_stream(drawing):
            self._read(str(instruction.operator), instruction.operands, instruction)
        return self._met

    def _named(self, kind: str, name: Any) -> Any:
        return self._resources.get(kind, {}).get(str(name))

    def _read(self, name: str, given: Any, instruction: Any) -> None:
        state = self._state
        if name == "q":
            self._stack.append(state.kept())
        elif name == "Q" and self._stack:
            self._state = self._stack.pop()
        elif name == "cm":
            state.matrix = state.matrix @ Affine(*(float(number) for number in given))
        elif name.lower() in _SETS or name.lower() in ("cs", "sc", "scn"):
            self._colour(name, given)
        elif name in _FILLS or name in _LINES:
            self._painted(name)
        elif name == "gs":
            self._graphics(self._named("/ExtGState", given[0]))
        elif name in ("BT", "Tm", "Tf", "Tr") or name in _LETTERS:
            self._text(name, given)
        elif name == "Do":
            self._shown(self._named("/XObject", given[0]))
        elif name == "INLINE IMAGE":
            self._picture(instruction.iimage.obj, instruction.iimage.read_bytes())
        if name == "sh":
            self._shading(self._named("/Shading", given[0]))

    def _colour(self, name: str, given: Any) -> None:
        state, lines = self._state, name.isupper()
        if name.lower() in _SETS:
            state.spaces[lines] = _SETS[name.lower()]
            if name.lower() == "rg":
                self._met.screens.add("areas, lines or letters")
        elif name in ("cs", "CS"):
            named = self._resources.get("/ColorSpace", {})
            state.spaces[lines] = self._looker.space(given[0], "areas, lines or letters", self._met, named)
            state.inks[lines] = ()
            return
        space = state.spaces[lines]
        state.inks[lines] = ()
        if space is not None and space.kind == "pattern":
            self._pattern(self._named("/Pattern", given[-1]))
        elif space is not None and space.kind in ("grey", "cmyk"):
            numbers = tuple(float(number) for number in given)
            state.inks[lines] = (0.0, 0.0, 0.0, 1 - numbers[0]) if space.kind == "grey" else numbers

    def _painted(self, name: str) -> None:
        for lines, paints in ((False, name in _FILLS and name != "sh"), (True, name in _LINES)):
            if paints:
                self._laid(lines)

    def _laid(self, lines: bool) -> None:
        """Records the ink of the current colour."""
        inks = self._state.inks[lines]
        self._met.wet(inks)
        self._met.vanishing |= bool(inks) and not sum(inks) and self._state.over[lines]

    def _graphics(self, state: Any) -> None:
        if state is None:
            return
        if "/OP" in state:
            self._state.over = [bool(state["/OP"])] * 2
        if "/op" in state:
            self._state.over[False] = bool(state["/op"])
        mask = state.get("/SMask")
        if hasattr(mask, "keys") and mask is not None and "/G" in mask:
            # What is drawn in a mask is never printed: only its colours may not be those of screens.
            self._met.screens |= self._looker.form(mask["/G"], self._resources).screens

    def _text(self, name: str, given: Any) -> None:
        state = self._state
        if name == "BT":
            self._letters = IDENTITY
        elif name == "Tm":
            self._letters = Affine(*(float(number) for number in given))
        elif name == "Tf":
            state.size = float(given[1])
            font = self._named("/Font", given[0])
            state.drawn = font is not None and self._looker.font(font, self._met)
        elif name == "Tr":
            state.mode = int(given[0])
        elif state.mode not in _UNSEEN:
            whole = state.matrix @ self._letters
            for lines in (False, True):
                if lines == (state.mode % 4 == 1) or state.mode % 4 == 2:
                    self._laid(lines)
            if not state.drawn:
                inks = state.inks[state.mode % 4 == 1]
                self._met.letters.add((round(abs(state.size) * hypot(whole.c, whole.d), 2), inks))

    def _shown(self, there: Any) -> None:
        if there is None:
            return
        if there.get("/Subtype") == "/Image":
            self._picture(there, None)
            return
        own = there.get("/Matrix")
        matrix = self._state.matrix @ (Affine(*(float(number) for number in own)) if own is not None else IDENTITY)
        self._met.shown(self._looker.form(there, self._resources), sqrt(abs(matrix.determinant)))

    def _picture(self, there: Any, data: bytes | None) -> None:
        matrix = self._state.matrix
        wide, high = hypot(matrix.a, matrix.b), hypot(matrix.c, matrix.d)
        if wide and high:
            self._met.pictures.add(round(min(int(there["/Width"]) / wide, int(there["/Height"]) / high) * 72, 1))
        if bool(there.get("/ImageMask", False)):
            self._laid(False)
            return
        named = self._resources.get("/ColorSpace", {})
        space = self._looker.space(there["/ColorSpace"], "a picture", self._met, named) if "/ColorSpace" in there else None
        if space is not None and data is None:
            self._wet_by(self._looker.wettest, there, space)

    def _pattern(self, there: Any) -> None:
        if there is None:
            return
        if int(there["/PatternType"]) == 1:
            self._met.shown(self._looker.form(there, self._resources), 1)
        else:
            self._shading(there["/Shading"])

    def _shading(self, there: Any) -> None:
        if there is None:
            return
        space = self._looker.space(there["/ColorSpace"], "a gradient", self._met, self._resources.get("/ColorSpace", {}))
        if space is not None and space.kind == "cmyk":
            self._wet_by(self._looker.gradient, there)

    def _wet_by(self, wettest: Callable[..., Inks], *there: Any) -> None:
        """Records the ink of a picture or gradient, if it can be read."""
        try:
            self._met.wet(wettest(*there))
        except Fault as error:
            self._met.unread.add(error.message)


# What shops ask of letters and pictures, in points and dots to an inch (docs/how-it-works/print.md, inks of a press).
LEAST_LETTERS, LEAST_DOTS, COARSE_DOTS = 6.0, 300.0, 200.0
# Smaller letters show it when an ink is a little beside the others; two inks may be.
SMALL, MOST_INKS, TRACE = 9.0, 2, 0.03
# In points and percent: rounded numbers are no fault.
SLACK, ROUNDED = 0.01, 0.5
_PDFX = "{http://www.npes.org/pdfx/ns/id/}GTS_PDFXVersion"
_VERSIONS = {"PDF/X-4": (1, 6), "PDF/X-1:2003": (1, 4), "PDF/X-1a:2003": (1, 4)}


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a print shop would reject or ask about, in words for people."""

    rule: str
    message: str
    value: str = ""
    allowed: str = ""
    hint: str = ""
    severity: Severity = "error"


def is_for_press(data: bytes) -> bool:
    """Whether a file says that it is made for a press: it has an output intent, or calls itself PDF/X. Raises NotPrinted."""
    with _opened(data) as pdf:
        return "/OutputIntents" in pdf.Root or "/GTS_PDFXVersion" in pdf.docinfo


def preflight(data: bytes, limit: float | None = None) -> list[Finding]:
    """All findings, one of each kind at its worst. ``limit`` is the ink limit in percent, by default the one that the
    file was made for. Raises NotPrinted.
    """
    with _opened(data) as pdf:
        try:
            return list(_found(pdf, limit or _limit(pdf)))
        except (Fault, KeyError, IndexError, TypeError, ValueError, AttributeError, RecursionError) as error:
            # Programs write strange files: what is missing in them is told, and nothing falls over.
            raise NotPrinted(f"a print shop could not read the file either ({type(error).__name__}: {error})") from None


def made_for(data: bytes) -> tuple[Condition, Standard] | None:
    """The condition and standard of a file; None without an output profile. Raises NotPrinted."""
    with _opened(data) as pdf:
        standard: Standard = "PDF/X-1a" if str(pdf.docinfo.get("/GTS_PDFXVersion", "")).startswith("PDF/X-1") else "PDF/X-4"
        for intent in pdf.Root.get("/OutputIntents", []):
            if "/DestOutputProfile" in intent:
                name = str(intent.get("/OutputConditionIdentifier", ""))
                return Condition(intent["/DestOutputProfile"].read_bytes(), name, _limit(pdf)), standard
    return None


def _opened(data: bytes) -> Any:
    import pikepdf

    try:
        return pikepdf.open(io.BytesIO(data))
    except pikepdf.PasswordError:
        raise NotPrinted("the file asks for a password, and no print shop can open it") from None
    except pikepdf.PdfError as error:
        raise NotPrinted(f"the file cannot be read as a PDF ({error})") from None


def _limit(pdf: Any) -> float:
    """The ink limit that a file of ours was made for."""
    told = str(pdf.Root.get("/PNPInk", ""))
    return float(told) if told.replace(".", "", 1).isdigit() else MOST_INK


def _found(pdf: Any, limit: float) -> Iterator[Finding]:
    standard = str(pdf.docinfo.get("/GTS_PDFXVersion", ""))
    yield from _file(pdf, standard)
    yield from _intent(pdf)
    yield from _said(pdf, standard)
    clear, looker = Transparency(), Looker()
    plain = standard.startswith("PDF/X-1")
    seen: dict[tuple[str, Severity, str], list[tuple[float, int, Finding]]] = {}
    for number, page in enumerate(pdf.pages, 1):
        for bad, each in _on_page(page, clear, looker, plain, limit):
            seen.setdefault((each.rule, each.severity, each.allowed), []).append((bad, number, each))
    for those in seen.values():
        yield _worst(those)
    for font in looker.bare:
        message = f'the font "{font}" is not in the file, and a shop would take another one for it'
        yield Finding("press-fonts", message, font, hint="Export the file anew with its fonts embedded.")


def _worst(those: list[tuple[float, int, Finding]]) -> Finding:
    """The worst of findings of one kind, with the pages of the others."""
    _, number, worst = max(those, key=lambda each: (each[0], -each[1]))
    others = sorted({other for _, other, _ in those} - {number})
    also = f"; also on page {listed(map(str, others), 8)}" if others else ""
    return replace(worst, message=f"page {number}: {worst.message}{also}")


def _on_page(page: Any, clear: Transparency, looker: Looker, plain: bool, limit: float) -> Iterator[tuple[float, Finding]]:
    """The findings on a page, each with a number for how bad it is among its kind."""
    for found in _boxes(page):
        yield 0, found
    if "/Annots" in page.obj and len(page.obj["/Annots"]):
        message = "there are links, notes or fields, which do not print"
        yield 0, Finding("press-links", message, hint="Take them out; PDF/X allows none within the bleed.")
    if clear.of(page.obj):
        for found in _clear(page, plain):
            yield 0, found
    yield from _met(looker.page(page), limit)


def _file(pdf: Any, standard: str) -> Iterator[Finding]:
    if pdf.is_encrypted:
        yield Finding("press-locked", "the file is encrypted, and presses refuse it", hint="Save it without protection.")
    if "/JavaScript" in pdf.Root.get("/Names", {}) or "/OpenAction" in pdf.Root or "/AA" in pdf.Root:
        yield Finding("press-links", "the file does something by itself when it is opened", hint="Take its actions out.")
    newest = _VERSIONS.get(standard)
    version = tuple(int(part) for part in str(pdf.pdf_version).split("."))
    if newest and version > newest:
        allowed = ".".join(map(str, newest))
        message = f"the file is PDF {pdf.pdf_version}, and {standard} ends with {allowed}"
        yield Finding("press-version", message, pdf.pdf_version, f"up to {allowed}")


def _intent(pdf: Any) -> Iterator[Finding]:
    """Checks the output intent."""
    intents = [each for each in pdf.Root.get("/OutputIntents", []) if str(each.get("/S")) == "/GTS_PDFX"]
    hint = "Make it with pnp export, or export it as PDF/X with the profile of the shop."
    if len(intents) != 1:
        many = "more than one" if intents else "no"
        yield Finding("press-intent", f"the file has {many} output intent for a press", str(len(intents)), "1", hint)
        return
    (intent,) = intents
    profile = intent.get("/DestOutputProfile")
    head = profile.read_bytes()[:128] if profile is not None else b""
    if head[12:20] != b"prtrCMYK" or head[36:40] != b"acsp":
        yield Finding("press-intent", "the output intent has no profile of a press with four inks in it", hint=hint)
    if not str(intent.get("/OutputConditionIdentifier", "")):
        yield Finding("press-intent", "the output intent does not name the printing condition", hint=hint)


def _said(pdf: Any, standard: str) -> Iterator[Finding]:
    """Checks that both metadata agree and name the standard."""
    trapped = pdf.docinfo.get("/Trapped")
    if str(trapped) not in ("/True", "/False"):
        said = "nothing" if trapped is None else str(trapped).lstrip("/")
        message = f"the file says {said} about whether it is trapped"
        yield Finding("press-described", message, said, "True or False", "Say /Trapped /False where nothing was spread.")
    if not standard and "/Metadata" not in pdf.Root:
        yield Finding("press-described", "the file does not say which PDF/X it is", allowed="PDF/X-4 or PDF/X-1a:2003")
        return
    if "/Metadata" not in pdf.Root:
        if not standard.startswith("PDF/X-1"):
            yield Finding("press-described", f"the file calls itself {standard}, and has no XMP description that says so")
        return
    with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as told:
        also = str(told.get(_PDFX, ""))
    if not also and not standard:
        yield Finding("press-described", "the file does not say which PDF/X it is", allowed="PDF/X-4 or PDF/X-1a:2003")
    elif also != standard and not (standard.startswith("PDF/X-1") and not also):
        message = f'the file calls itself "{standard}" in one place and "{also}" in the other'
        yield Finding("press-described", message, also, standard, "Make it anew: both descriptions must say the same.")


def _boxes(page: Any) -> Iterator[Finding]:
    """Checks that the trim lies within the bleed, and that within the media."""
    hint = "Export it with a trim box, and with a bleed box around that."
    boxes = {name: [float(side) for side in page.obj[name]] for name in ("/BleedBox", "/TrimBox") if name in page.obj}
    if "/TrimBox" not in boxes:
        yield Finding("press-boxes", "nothing says where the page is cut", allowed="a trim box", hint=hint)
        return
    called, outer = "the page", [float(side) for side in page.mediabox]
    for name, what in (("/BleedBox", "the bleed"), ("/TrimBox", "the trim")):
        if name not in boxes:
            continue
        inner = boxes[name]
        if any((inner[at] - outer[at]) * (1 if at < 2 else -1) < -SLACK for at in range(4)):
            allowed = f"within {_sides(outer)}"
            yield Finding("press-boxes", f"{what} reaches beyond {called}", _sides(inner), allowed, hint)
        called, outer = what, inner


def _sides(box: list[float]) -> str:
    return " ".join(f"{side:.2f}" for side in box) + " pt"


def _clear(page: Any, plain: bool) -> Iterator[Finding]:
    if plain:
        message = "something transparent, which PDF/X-1a forbids"
        yield Finding("press-transparency", message, hint="Give the shop PDF/X-4, or flatten it: pnp export does.")
    elif "/CS" not in page.obj.get("/Group", {}):
        message = "something transparent, and nothing says in which colours it is mixed"
        allowed = "a group of the page with DeviceCMYK"
        yield Finding("press-transparency", message, allowed=allowed, severity="warning")


def _met(met: Met, limit: float) -> Iterator[tuple[float, Finding]]:
    """Findings about type, ink and resolution."""
    if met.screens:
        message = f"colours of a screen, or of a profile of their own: {listed(sorted(met.screens), 6)}"
        allowed = "DeviceCMYK, DeviceGray, spot colours"
        yield 0, Finding("press-colours", message, allowed=allowed, hint="Convert it to CMYK.")
    wettest = 100 * sum(met.wettest)
    if wettest > limit + ROUNDED:
        message = f"{wettest:.0f} % of ink lie on one another ({_inks(met.wettest)})"
        hint = "Convert it with a lower limit; more ink does not dry."
        yield wettest, Finding("press-ink", message, f"{wettest:.0f} %", f"up to {limit:.0f} %", hint)
    if met.vanishing:
        message = "white is set to overprint, and will not show on what is below"
        yield 0, Finding("press-overprint", message, hint="Turn overprinting off for white.")
    tiny = min((size for size, _ in met.letters if 0 < size < LEAST_LETTERS - SLACK), default=0.0)
    if tiny:
        allowed, hint = f"{LEAST_LETTERS:g} pt or more", "Ask the shop, or set them larger."
        yield -tiny, Finding("press-letters", f"letters of {tiny:.3g} pt", f"{tiny:.3g} pt", allowed, hint, "warning")
    mixed = sorted(each for each in met.letters if each[0] < SMALL and sum(ink > TRACE for ink in each[1]) > MOST_INKS)
    if mixed:
        size, inks = mixed[0]
        message = f"small letters of more than two inks: {size:.3g} pt in {_inks(inks)}"
        hint = "Set them in black alone, or larger: inks never lie quite on one another."
        yield -size, Finding("press-letters", message, f"{size:.3g} pt", "black alone", hint, "warning")
    if met.unread:
        message = f"not looked at, for it is of an unusual kind: {listed(sorted(met.unread), 4)}"
        yield 0, Finding("press-unread", message, hint="Look at it yourself.", severity="warning")
    coarse = min(met.pictures, default=LEAST_DOTS)
    if coarse < LEAST_DOTS - 1:
        message = f"a picture has {coarse:.0f} dots to an inch where it is shown"
        severity: Severity = "error" if coarse < COARSE_DOTS else "warning"
        allowed, hint = f"{LEAST_DOTS:.0f} dpi or more", "Show it smaller, or take a finer one."
        yield -coarse, Finding("press-pictures", message, f"{coarse:.0f} dpi", allowed, hint, severity)


def _inks(inks: Inks) -> str:
    return " ".join(f"{name}{100 * ink:.0f}" for name, ink in zip("CMYK", inks, strict=True))
