"""What a print shop's programs would mind: each fault planted alone in a file that has none, and found."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable
from typing import Any

import pikepdf
import pytest
import typst
from conftest import TINY_TEMPLATE, TinyProject
from pikepdf import Array, Dictionary, Name
from PIL import Image, ImageCms
from pressprofile import press_profile

from pnp.flows.verify import verify_file
from pnp.press.convert import to_cmyk
from pnp.press.preflight import is_for_press, preflight
from pnp.press.separate import Boxes, Condition
from pnp.write.printed import NotPrinted

PRESS = Condition(press_profile(), "Test press", 300)
Change = Callable[[pikepdf.Pdf], object]
SOURCE = """
#set page(width: 60mm, height: 60mm, margin: 5mm, fill: rgb("#fff4e0"))
#set text(size: 10pt)
Letters, and in #text(size: 6pt)[small ones].
#rect(width: 20mm, height: 10mm, fill: gradient.linear(red, blue))
#place(circle(radius: 5mm, fill: rgb(0, 100, 0, 128)))
#image("dots.png", width: 5mm)
"""


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A page with letters, a gradient, a picture and something transparent, in which nothing is wrong."""
    folder = tmp_path_factory.mktemp("sound")
    Image.new("RGB", (60, 60), "#cc3311").save(folder / "dots.png")
    (folder / "page.typ").write_text(SOURCE)
    return to_cmyk(typst.compile(str(folder / "page.typ")), PRESS, Boxes(5, 3)).pdf


def changed(data: bytes, change: Change, **how: Any) -> bytes:
    """The file with one thing in it changed."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        change(pdf)
        file = io.BytesIO()
        pdf.save(file, **{"deterministic_id": True, "force_version": "1.6"} | how)
    return file.getvalue()


def code(more: str, **named: Any) -> Change:
    """More code at the end of the first page, and what it has names for."""

    def change(pdf: pikepdf.Pdf) -> None:
        page = pdf.pages[0]
        for kind, made in named.items():
            there = page.resources.get(f"/{kind}", Dictionary())
            there["/New"] = made(pdf) if callable(made) else made
            page.resources[f"/{kind}"] = there
        page.contents_add(pikepdf.Stream(pdf, f"q {more} Q".encode()))

    return change


def picture(space: str, dots: bytes, wide: int = 1, high: int = 1) -> Callable[[pikepdf.Pdf], Any]:
    keys = {"Width": wide, "Height": high, "BitsPerComponent": 8, "ColorSpace": Name(space), "Filter": Name.FlateDecode}
    return lambda pdf: pikepdf.Stream(pdf, zlib.compress(dots), Type=Name.XObject, Subtype=Name.Image, **keys)


def form(inner: str, **named: Any) -> Callable[[pikepdf.Pdf], Any]:
    keys = {"Type": Name.XObject, "Subtype": Name.Form, "BBox": Array([0, 0, 99, 99])}
    return lambda pdf: pikepdf.Stream(
        pdf, inner.encode(), **keys, Resources=Dictionary({f"/{kind}": Dictionary(New=made) for kind, made in named.items()})
    )


def grouped(space: Any) -> Callable[[pikepdf.Pdf], Any]:
    def make(pdf: pikepdf.Pdf) -> Any:
        made = form("")(pdf)
        made["/Group"] = Dictionary(S=Name.Transparency, CS=space)
        return made

    return make


def gradient(space: str, *ends: list[float]) -> Any:
    way = Dictionary(FunctionType=2, Domain=Array([0, 1]), C0=Array(ends[0]), C1=Array(ends[1]), N=1)
    return Dictionary(ShadingType=2, ColorSpace=Name(space), Coords=Array([0, 0, 9, 0]), Function=way)


def profiled(pdf: pikepdf.Pdf) -> Any:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    return Array([Name.ICCBased, pdf.make_stream(profile, N=3)])


def spot(pdf: pikepdf.Pdf) -> Any:
    way = Dictionary(FunctionType=2, Domain=Array([0, 1]), C0=Array([1, 1, 1]), C1=Array([1, 0, 0]), N=1)
    return Array([Name.Separation, Name("/Gold"), Name.DeviceRGB, way])


def masked(pdf: pikepdf.Pdf) -> Any:
    mask = Dictionary(S=Name.Luminosity, G=pdf.make_indirect(grouped(Name.DeviceRGB)(pdf)))
    return Dictionary(Type=Name.ExtGState, SMask=mask)


def box(name: str, *sides: float) -> Change:
    return lambda pdf: pdf.pages[0].obj.__setitem__(name, Array(sides))


def info(key: str, value: Any) -> Change:
    return lambda pdf: pdf.docinfo.__setitem__(key, value)


def intent(key: str, value: Callable[[pikepdf.Pdf], Any]) -> Change:
    return lambda pdf: pdf.Root.OutputIntents[0].__setitem__(key, value(pdf))


OVER = Dictionary(Type=Name.ExtGState, OP=True, op=True, OPM=1)
BARE = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
LETTER = "BT /f0 {} Tf <0001> Tj ET"


def smaller(pdf: pikepdf.Pdf) -> None:
    """Letters of 10 pt in a form that is shown at half its size."""
    font = pdf.pages[0].resources.Font.f0
    code(".5 0 0 .5 0 0 cm /New Do", XObject=form("0 g BT /New 10 Tf <0001> Tj ET", Font=font))(pdf)


def coarser(pdf: pikepdf.Pdf) -> None:
    """A picture of 600 dots an inch in a form that is shown three times as large."""
    dots = pdf.make_indirect(picture("/DeviceGray", bytes(100), 10, 10)(pdf))
    code("3 0 0 3 0 0 cm /New Do", XObject=form("1.2 0 0 1.2 0 0 cm /New Do", XObject=dots))(pdf)


FAULTS: list[tuple[str, Change, str, str]] = [
    ("the bleed beyond the page", box("/BleedBox", -5, 0, 170, 170), "press-boxes", "the bleed reaches beyond the page"),
    ("the trim beyond the bleed", box("/TrimBox", 1, 1, 169, 169), "press-boxes", "the trim reaches beyond the bleed"),
    ("no trim", lambda pdf: pdf.pages[0].obj.__delitem__("/TrimBox"), "press-boxes", "where the page is cut"),
    ("nothing about trapping", lambda pdf: pdf.docinfo.__delitem__("/Trapped"), "press-described", "says nothing"),
    ("unknown trapping", info("/Trapped", Name.Unknown), "press-described", "says Unknown"),
    ("no intent", lambda pdf: pdf.Root.__delitem__("/OutputIntents"), "press-intent", "has no output intent"),
    ("two", lambda pdf: pdf.Root.OutputIntents.append(pdf.Root.OutputIntents[0]), "press-intent", "more than one"),
    (
        "a profile by its name",
        lambda pdf: pdf.Root.OutputIntents[0].__delitem__("/DestOutputProfile"),
        "press-intent",
        "no profile",
    ),
    ("a screen's", intent("/DestOutputProfile", lambda pdf: profiled(pdf)[1]), "press-intent", "no profile of a press"),
    ("no condition", intent("/OutputConditionIdentifier", lambda pdf: ""), "press-intent", "does not name"),
    ("two standards", info("/GTS_PDFXVersion", "PDF/X-3:2003"), "press-described", '"PDF/X-3:2003" in one place'),
    ("one description", lambda pdf: pdf.Root.__delitem__("/Metadata"), "press-described", "no XMP description"),
    ("red, green and blue", code("1 0 0 rg 0 0 9 9 re f"), "press-colours", "areas, lines or letters"),
    ("in lines", code("1 0 0 RG 0 0 m 9 9 l S"), "press-colours", "areas, lines or letters"),
    ("by a profile", code("/New cs 1 0 0 scn 0 0 9 9 re f", ColorSpace=profiled), "press-colours", "areas"),
    ("in a form", code("/New Do", XObject=form("1 0 0 rg 0 0 9 9 re f")), "press-colours", "areas"),
    ("in a spot colour", code("/New cs 1 scn 0 0 9 9 re f", ColorSpace=spot), "press-colours", "areas"),
    ("in a picture", code(".1 0 0 .1 0 0 cm /New Do", XObject=picture("/DeviceRGB", b"abc")), "press-colours", "a picture"),
    ("in a gradient", code("/New sh", Shading=gradient("/DeviceRGB", [1, 0, 0], [0, 0, 0])), "press-colours", "a gradient"),
    ("in a group", code("/New Do", XObject=grouped(Name.DeviceRGB)), "press-colours", "a group"),
    ("in a mask", code("/New gs 0 0 9 9 re f", ExtGState=masked), "press-colours", "a group"),
    ("of the page", lambda pdf: pdf.pages[0].Group.__setitem__("/CS", Name.DeviceRGB), "press-colours", "a group"),
    ("too much ink", code(".9 .8 .7 .8 k 0 0 9 9 re f"), "press-ink", "320 % of ink lie on one another (C90 M80 Y70 K80)"),
    ("in lines", code(".9 .8 .7 .8 K 0 0 m 9 9 l S"), "press-ink", "320 %"),
    ("in a form", code("/New Do", XObject=form(".9 .8 .7 .8 k 0 0 9 9 re f")), "press-ink", "320 %"),
    (
        "in a picture",
        code(".1 0 0 .1 0 0 cm /New Do", XObject=picture("/DeviceCMYK", bytes((255, 255, 255, 51)))),
        "press-ink",
        "320 %",
    ),
    ("in a gradient", code("/New sh", Shading=gradient("/DeviceCMYK", [0] * 4, [0.8] * 4)), "press-ink", "320 %"),
    ("small letters", code(f"0 g {LETTER.format(5.5)}"), "press-letters", "letters of 5.5 pt"),
    ("made small", code(f"0 g .5 0 0 .5 0 0 cm {LETTER.format(10)}"), "press-letters", "letters of 5 pt"),
    ("shown small", smaller, "press-letters", "letters of 5 pt"),
    ("shown large", coarser, "press-pictures", "200 dots"),
    ("of many inks", code(f".5 .5 .5 .5 k {LETTER.format(8)}"), "press-letters", "8 pt in C50 M50 Y50 K50"),
    (
        "coarse",
        code("2.4 0 0 2.4 0 0 cm /New Do", XObject=picture("/DeviceGray", bytes(64), 8, 8)),
        "press-pictures",
        "240 dots",
    ),
    (
        "one way",
        code("1 0 0 9 0 0 cm /New Do", XObject=picture("/DeviceGray", bytes(64), 8, 8)),
        "press-pictures",
        "64 dots",
    ),
    ("a font of the system", code("0 g BT /New 10 Tf (a) Tj ET", Font=BARE), "press-fonts", "Helvetica"),
    ("white over", code("/New gs 0 0 0 0 k 0 0 9 9 re f", ExtGState=OVER), "press-overprint", "white"),
    ("white lines", code("/New gs 1 G 0 0 m 9 9 l S", ExtGState=OVER), "press-overprint", "white"),
    ("white letters", code(f"/New gs 1 g {LETTER.format(10)}", ExtGState=OVER), "press-overprint", "white"),
    ("mixed in what?", lambda pdf: pdf.pages[0].obj.__delitem__("/Group"), "press-transparency", "in which colours"),
    (
        "a link",
        lambda pdf: pdf.pages[0].obj.__setitem__("/Annots", Array([Dictionary(Type=Name.Annot, Subtype=Name.Link)])),
        "press-links",
        "links",
    ),
    (
        "an action",
        lambda pdf: pdf.Root.__setitem__("/OpenAction", Dictionary(S=Name.JavaScript, JS="x")),
        "press-links",
        "by itself",
    ),
]


THIN = Dictionary(Type=Name.ExtGState, ca=0.5)


def test_a_sound_file_has_no_findings(sound: bytes) -> None:
    """And it says that it is made for a press; one of ours in colours of screens does not."""
    assert preflight(sound) == []
    assert is_for_press(sound)
    with pikepdf.new() as pdf:
        pdf.add_blank_page()
        file = io.BytesIO()
        pdf.save(file)
    assert not is_for_press(file.getvalue())


@pytest.mark.parametrize(("change", "rule", "said"), [fault[1:] for fault in FAULTS], ids=[fault[0] for fault in FAULTS])
def test_a_fault_is_found(sound: bytes, change: Change, rule: str, said: str) -> None:
    """It alone, by its rule, with what is wrong."""
    found = preflight(changed(sound, change))

    assert {each.rule for each in found} == {rule}, found
    assert any(said in each.message for each in found), found


@pytest.mark.parametrize(
    "change",
    [
        code("/New gs /Cut CS 1 SCN 0 0 m 9 9 l S", ExtGState=OVER),
        code("/New gs 0 0 0 1 k 0 0 9 9 re f", ExtGState=OVER),
        code("0 0 0 0 k 0 0 9 9 re f"),
        code(f"0 0 0 1 k {LETTER.format(8)}"),
        code(f"0 .9 .9 0 k {LETTER.format(8)}"),
        code(f"3 Tr 0 g {LETTER.format(1)}"),
        code(f"3 0 0 3 0 0 cm 0 g {LETTER.format(2)}"),
        code("1 0 0 1 0 0 cm /New Do", XObject=picture("/DeviceGray", bytes(64), 8, 8)),
        code(".9 .8 .7 .6 k 0 0 9 9 re f"),
    ],
    ids=["a cut line", "black over", "white", "black", "two inks", "unseen", "made large", "fine", "as much as may be"],
)
def test_what_is_no_fault_is_not_found(sound: bytes, change: Change) -> None:
    """A spot colour or black may overprint; letters that are made large are large; 300 % is what was asked."""

    def also(pdf: pikepdf.Pdf) -> None:
        way = Dictionary(FunctionType=2, Domain=Array([0, 1]), C0=Array([0] * 4), C1=Array([0, 1, 0, 0]), N=1)
        space = Array([Name.Separation, Name("/CutContour"), Name.DeviceCMYK, way])
        pdf.pages[0].resources["/ColorSpace"] = Dictionary(Cut=space)
        change(pdf)

    assert preflight(changed(sound, also)) == []


def test_a_kind_of_fault_is_told_once(sound: bytes) -> None:
    """Where it is worst, with the other pages."""

    def change(pdf: pikepdf.Pdf) -> None:
        for _ in range(2):
            pdf.pages.append(pdf.pages[0])
        for page, size in zip(pdf.pages, (5.5, 3, 5), strict=True):
            page.contents_add(pikepdf.Stream(pdf, f"q 0 g {LETTER.format(size)} Q".encode()))

    (found,) = preflight(changed(sound, change))

    assert found.message == "page 2: letters of 3 pt; also on page 1, 3"
    assert (found.rule, found.value, found.allowed, found.severity) == ("press-letters", "3 pt", "6 pt or more", "warning")


def test_the_limit_is_that_of_the_file_or_another(sound: bytes) -> None:
    """A shop may take less than the file was made for."""
    wet = changed(sound, code(".9 .8 .7 .4 k 0 0 9 9 re f"))

    assert preflight(wet) == []
    assert [(each.rule, each.allowed) for each in preflight(wet, 240)] == [("press-ink", "up to 240 %")]


def test_a_locked_file_is_refused(sound: bytes) -> None:
    """A shop's programs may not change it; with a password to open, nobody reads it at all."""
    locked = changed(sound, lambda pdf: None, encryption=pikepdf.Encryption(owner="x", user="", R=4), deterministic_id=False)
    assert [each.rule for each in preflight(locked)] == ["press-locked"]

    closed = changed(
        sound, lambda pdf: None, encryption=pikepdf.Encryption(owner="x", user="y", R=4), deterministic_id=False
    )
    with pytest.raises(NotPrinted, match="password"):
        preflight(closed)


@pytest.mark.parametrize(
    "change",
    [
        lambda pdf: pdf.pages[0].resources.__setitem__("/Font", Dictionary(f0=Dictionary(Subtype=Name.Type3))),
        lambda pdf: pdf.pages[0].obj.__setitem__("/TrimBox", Array([1, Name.x, 2])),
        code("BT /f0 Tf"),
    ],
    ids=["a font of nothing", "a box of words", "code without numbers"],
)
def test_strange_files_are_refused_in_words(sound: bytes, change: Change) -> None:
    """Whatever a program left out, nothing falls over."""
    with pytest.raises(NotPrinted, match="could not read"):
        preflight(changed(sound, change))


@pytest.fixture
def pressed(tiny: TinyProject) -> TinyProject:
    """A game whose sheets are in inks."""
    assert tiny.build().ok
    sheets = tiny.project.root / "output/tiny/a4/print.pdf"
    (tiny.project.root / "press.pdf").write_bytes(to_cmyk(sheets.read_bytes(), PRESS).pdf)
    return tiny


def test_verify_counts_and_compares_sheets_in_inks(pressed: TinyProject) -> None:
    """They are made once more, in the same inks; what a press cares for is looked at, too."""
    result = verify_file(pressed.project, pressed.project.root / "press.pdf", None)

    assert result.ok, [str(problem) for problem in result.problems]
    assert {problem.rule for problem in result.problems} <= {"press-letters"}


def test_verify_compares_what_is_flattened(tiny: TinyProject) -> None:
    """Faces that became pictures have no words any more, and are none the worse for it."""
    clear = '<circle cx="30" cy="50" r="15" fill="#cc3311" opacity="0.5"/>{{ s.text(row.name'
    tiny.write("templates/tiny/cards.svg.j2", TINY_TEMPLATE.replace("{{ s.text(row.name", clear))
    assert tiny.build().ok
    sheets, path = tiny.project.root / "output/tiny/a4/print.pdf", tiny.project.root / "press.pdf"
    done = to_cmyk(sheets.read_bytes(), PRESS, standard="PDF/X-1a")
    assert len(done.notes) == 2
    path.write_bytes(done.pdf)
    assert verify_file(tiny.project, path, None).ok

    path.write_bytes(changed(done.pdf, code("0 0 0 1 k 200 300 99 99 re f"), force_version="1.4"))
    assert {problem.rule for problem in verify_file(tiny.project, path, None).problems.errors} == {"printed-page"}


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (code("0 0 0 1 k 200 300 99 99 re f"), "printed-page"),
        (code("0 1 1 0 k 200 300 99 99 re f", ColorSpace=profiled), "printed-page"),
        (lambda pdf: pdf.pages.__delitem__(-1), "printed-count"),
        (lambda pdf: pdf.Root.__delitem__("/OutputIntents"), "press-intent"),
        (code("1 0 0 rg 0 0 .1 .1 re f"), "press-colours"),
    ],
    ids=["painted over", "in a colour", "a page less", "no intent", "colours of a screen"],
)
def test_verify_finds_what_was_done_to_them(pressed: TinyProject, change: Change, rule: str) -> None:
    """By what the game says and by what a shop says."""
    path = pressed.project.root / "press.pdf"
    path.write_bytes(changed(path.read_bytes(), change))

    result = verify_file(pressed.project, path, None)

    assert rule in {problem.rule for problem in result.problems.errors}


def test_x1a_may_hold_nothing_transparent(sound: bytes) -> None:
    """Nor be of a newer PDF than 1.4; what pnp flattens has neither fault."""
    flat = to_cmyk(sound, PRESS, standard="PDF/X-1a").pdf
    assert preflight(flat) == []

    found = preflight(changed(flat, code("/New gs 0 0 9 9 re f", ExtGState=THIN), force_version="1.6"))

    assert {each.rule for each in found} == {"press-transparency", "press-version"}
    assert all(each.severity == "error" for each in found)
