"""What a print shop's programs would find wrong with a PDF: it is read anew, whoever made it.

This is a lint, and no certificate: what it looks for is on the lists of shops, and it does not look for all that the
standards say.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pnp.values.press import MOST_INK
from pnp.values.problems import Severity, listed
from pnp.write.pressed import Inks, Looker, Met
from pnp.write.printed import NotPrinted
from pnp.write.transparency import Transparency

# What shops ask of letters and pictures, in points and dots to an inch (docs/how-to/print-services.md).
LEAST_LETTERS, LEAST_DOTS, COARSE_DOTS = 6.0, 300.0, 200.0
# Smaller letters show it when an ink is a little beside the others; two inks may be.
SMALL, MOST_INKS, TRACE = 9.0, 2, 0.03
# In points and percent: rounded numbers are no fault.
SLACK, ROUNDED = 0.01, 0.5
_PDFX = "{http://www.npes.org/pdfx/ns/id/}GTS_PDFXVersion"
_VERSIONS = {"PDF/X-4": (1, 6), "PDF/X-1:2003": (1, 4), "PDF/X-1a:2003": (1, 4)}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a shop would not like; the texts are for the person."""

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
    """All that is found, what is worst first within each page. ``limit`` is the most ink in percent, without it the one
    that the file was made for. Raises NotPrinted."""
    with _opened(data) as pdf:
        return list(dict.fromkeys(_found(pdf, limit or _limit(pdf))))


def _opened(data: bytes) -> Any:
    import pikepdf

    try:
        return pikepdf.open(io.BytesIO(data))
    except pikepdf.PasswordError:
        raise NotPrinted("the file asks for a password, and no print shop can open it") from None
    except pikepdf.PdfError as error:
        raise NotPrinted(f"the file cannot be read as a PDF ({error})") from None


def _limit(pdf: Any) -> float:
    """The most ink that a file of ours was made for."""
    told = str(pdf.Root.get("/PNPInk", ""))
    return float(told) if told.replace(".", "", 1).isdigit() else MOST_INK


def _found(pdf: Any, limit: float) -> Iterator[Finding]:
    standard = str(pdf.docinfo.get("/GTS_PDFXVersion", ""))
    yield from _file(pdf, standard)
    yield from _intent(pdf)
    yield from _said(pdf, standard)
    clear, looker = Transparency(), Looker()
    plain = standard.startswith("PDF/X-1")
    for number, page in enumerate(pdf.pages, 1):
        yield from _boxes(page, number)
        if "/Annots" in page.obj and len(page.obj["/Annots"]):
            message = f"page {number} has links, notes or fields, which do not print"
            yield Finding("press-links", message, hint="Take them out; PDF/X allows none within the bleed.")
        if clear.of(page.obj):
            yield from _clear(page, number, plain)
        yield from _met(looker.page(page), number, limit)
    for font in looker.bare:
        message = f'the font "{font}" is not in the file, and a shop would take another one for it'
        yield Finding("press-fonts", message, font, hint="Export the file anew with its fonts embedded.")


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
    """What the inks are meant for."""
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
    """What the file says about itself, twice."""
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


def _boxes(page: Any, number: int) -> Iterator[Finding]:
    """Pages lie within their bleed, and that within the paper."""
    hint = "Export it with a trim box, and with a bleed box around that."
    boxes = {name: [float(side) for side in page.obj[name]] for name in ("/BleedBox", "/TrimBox") if name in page.obj}
    if "/TrimBox" not in boxes:
        yield Finding("press-boxes", f"page {number} does not say where it is cut", allowed="a trim box", hint=hint)
        return
    around = ("the page", [float(side) for side in page.mediabox])
    for name, called in (("/BleedBox", "the bleed"), ("/TrimBox", "the trim")):
        if name not in boxes:
            continue
        outer, inner = around[1], boxes[name]
        if any((inner[at] - outer[at]) * (1 if at < 2 else -1) < -SLACK for at in range(4)):
            message = f"page {number}: {called} reaches beyond {around[0]}"
            yield Finding("press-boxes", message, _sides(inner), _sides(outer), hint)
        around = (called, inner)


def _sides(box: list[float]) -> str:
    return " ".join(f"{side:.2f}" for side in box) + " pt"


def _clear(page: Any, number: int, plain: bool) -> Iterator[Finding]:
    if plain:
        message = f"page {number} has something transparent on it, which PDF/X-1a forbids"
        yield Finding("press-transparency", message, hint="Give the shop PDF/X-4, or flatten it: pnp export does.")
    elif "/CS" not in page.obj.get("/Group", {}):
        message = f"page {number} has something transparent on it, and does not say in which colours it is mixed"
        yield Finding("press-transparency", message, allowed="a group of the page with DeviceCMYK", severity="warning")


def _met(met: Met, number: int, limit: float) -> Iterator[Finding]:
    """What the drawings on a page come to."""
    if met.screens:
        message = f"page {number}: colours of a screen, or of a profile of their own: {listed(sorted(met.screens), 6)}"
        yield Finding("press-colours", message, allowed="DeviceCMYK, DeviceGray, spot colours", hint="Convert it to CMYK.")
    wettest = 100 * sum(met.wettest)
    if wettest > limit + ROUNDED:
        message = f"page {number}: {wettest:.0f} % of ink lie on one another ({_inks(met.wettest)})"
        hint = "Convert it with a lower limit; more ink does not dry."
        yield Finding("press-ink", message, f"{wettest:.0f} %", f"up to {limit:.0f} %", hint)
    if met.vanishing:
        message = f"page {number}: white is set to overprint, and will not show on what is below"
        yield Finding("press-overprint", message, hint="Turn overprinting off for white.")
    tiny = sorted(size for size, _ in met.letters if 0 < size < LEAST_LETTERS - SLACK)
    if tiny:
        message = f"page {number}: letters of {tiny[0]:.3g} pt"
        allowed = f"{LEAST_LETTERS:g} pt or more"
        yield Finding("press-letters", message, f"{tiny[0]:.3g} pt", allowed, "Ask the shop, or set them larger.", "warning")
    mixed = sorted(each for each in met.letters if each[0] < SMALL and sum(ink > TRACE for ink in each[1]) > MOST_INKS)
    if mixed:
        size, inks = mixed[0]
        message = f"page {number}: small letters of more than two inks: {size:.3g} pt in {_inks(inks)}"
        hint = "Set them in black alone, or larger: inks never lie quite on one another."
        yield Finding("press-letters", message, f"{size:.3g} pt", "black alone", hint, "warning")
    coarse = min(met.pictures, default=LEAST_DOTS)
    if coarse < LEAST_DOTS - 1:
        message = f"page {number}: a picture has {coarse:.0f} dots to an inch where it is shown"
        severity: Severity = "error" if coarse < COARSE_DOTS else "warning"
        hint = "Show it smaller, or take a finer one."
        yield Finding("press-pictures", message, f"{coarse:.0f} dpi", f"{LEAST_DOTS:.0f} dpi or more", hint, severity)


def _inks(inks: Inks) -> str:
    return " ".join(f"{name}{100 * ink:.0f}" for name, ink in zip("CMYK", inks, strict=True))
