"""Finished files in inks: Ghostscript, which has no part in making them, says how much of each ink lies where; profiles."""

from __future__ import annotations

import io
import subprocess
import zlib
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from conftest import TINY_GAME, TINY_TEMPLATE, TinyProject, tool
from pikepdf import Array, Dictionary, Name
from PIL import Image, ImageCms
from pressprofile import inks_of, lab_of_screen, press_profile
from pypdf import PdfReader

from pnp.press import separate
from pnp.press.convert import Converted, to_cmyk
from pnp.press.separate import Boxes, Condition, condition_of
from pnp.values.problems import Fault
from pnp.write.printed import read_printed

PRESS = Condition(press_profile(), "Test press", 400)
RED, BLUE, GREEN = (200, 40, 40), (30, 120, 200), (90, 160, 60)
# Of a hundred: tables of eight bits, twice.
NEAR = 1.2
Inks = tuple[float, ...]
Make = Callable[[pikepdf.Pdf], dict[str, Any]]


def page(code: str, make: Make = lambda pdf: {}, size: int = 100) -> bytes:
    """A file of one page, so many points wide and high, with this code and what ``make`` gives names to."""
    with pikepdf.new() as pdf:
        made = pdf.add_blank_page(page_size=(size, size))
        made.Resources = Dictionary(make(pdf))
        made.Contents = pdf.make_stream(code.encode("latin-1"))
        file = io.BytesIO()
        pdf.save(file)
    return file.getvalue()


def converted(data: bytes, limit: float = 400) -> Converted:
    """The file in inks, with nothing left."""
    done = to_cmyk(data, Condition(PRESS.profile, PRESS.name, limit))
    assert done.left == ()
    return done


def inks(pdf: bytes, folder: Path, number: int = 1) -> Image.Image:
    """The four inks on a page as Ghostscript lays them, a dot a point."""
    (folder / "page.pdf").write_bytes(pdf)
    command = [tool("gs"), "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-sDEVICE=tiff32nc", "-r72"]
    command += [f"-dFirstPage={number}", f"-dLastPage={number}", "-sOutputFile=page.tif", "page.pdf"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    with Image.open(folder / "page.tif") as opened:
        return opened.copy()


def at(picture: Image.Image, x: int, y: int) -> Inks:
    """The inks at a place of a page of 100 points, from its bottom left, in percent."""
    dot = picture.getpixel((x, picture.height - 1 - y))
    assert isinstance(dot, tuple)
    return tuple(part / 2.55 for part in dot)


def wanted(*colour: int) -> Any:
    """The inks of a colour of a screen, by arithmetic."""
    return pytest.approx([100 * ink for ink in inks_of(lab_of_screen(*colour))], abs=NEAR)


def shares(*colour: int) -> str:
    return " ".join(f"{part / 255:.6f}" for part in colour)


def operators(pdf: bytes, *names: str) -> list[tuple[str, Inks]]:
    """Instructions of the first page with these names, with what they are given."""
    with pikepdf.open(io.BytesIO(pdf)) as file:
        found = [(str(each.operator), each.operands) for each in pikepdf.parse_content_stream(file.pages[0])]
    return [(name, tuple(100 * float(part) for part in given)) for name, given in found if name in names]


def screen(pdf: pikepdf.Pdf) -> Any:
    """The space in which Typst writes all colours: sRGB by its profile."""
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    return Array([Name.ICCBased, pdf.make_stream(profile, N=3)])


def test_a_colour_becomes_what_the_profile_says(tmp_path: Path) -> None:
    """However it was set: to fill or to draw lines with, by its numbers alone, or in the colours of a profile."""
    code = f"{shares(*RED)} rg 0 0 40 100 re f {shares(*BLUE)} RG 20 w 50 0 m 50 100 l S "
    code += f"/c0 cs {shares(*GREEN)} scn 60 0 40 100 re f"

    made = inks(converted(page(code, lambda pdf: {"/ColorSpace": Dictionary(c0=screen(pdf))})).pdf, tmp_path)

    assert at(made, 20, 50) == wanted(*RED)
    assert at(made, 50, 50) == wanted(*BLUE)
    assert at(made, 80, 50) == wanted(*GREEN)


@pytest.mark.parametrize("code", ["0.5 g", "0.5 0.5 0.5 rg", "/c0 cs 0.5 0.5 0.5 scn"])
def test_greys_are_printed_with_black_alone(code: str) -> None:
    """As light as they are: this press's black alone darkens evenly with lightness."""
    made = converted(page(f"{code} 0 0 9 9 re f", lambda pdf: {"/ColorSpace": Dictionary(c0=screen(pdf))}))

    ((_, set_to),) = operators(made.pdf, "k")
    assert set_to == pytest.approx((0, 0, 0, 100 - lab_of_screen(128, 128, 128)[0]), abs=NEAR)
    ends = converted(page("1 g 0 0 9 9 re f 0 0 0 rg 0 0 9 9 re f"))
    assert operators(ends.pdf, "k") == [("k", (0, 0, 0, 0)), ("k", (0, 0, 0, 100))]


def test_dark_letters_have_one_ink_and_dark_areas_four() -> None:
    """The same colour, set once for both, before letters and areas in turn; so has each what is best for it."""
    text = "BT /F1 8 Tf (a) Tj ET"
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)

    def fonts(pdf: pikepdf.Pdf) -> dict[str, Any]:
        return {"/Font": Dictionary(F1=font)}

    made = converted(page(f"{shares(12, 20, 17)} rg {text} 0 0 9 9 re f q {text} Q 9 9 9 9 re f {text}", fonts))

    set_to = [given for _, given in operators(made.pdf, "k")]
    assert set_to[0] == set_to[2] == set_to[3] == (0, 0, 0, 100)
    assert set_to[1] == wanted(12, 20, 17)
    assert len(set_to) == 4
    ((_, lighter),) = operators(converted(page(f"{shares(29, 43, 39)} rg {text}", fonts)).pdf, "k")
    assert lighter == pytest.approx((0, 0, 0, 100 - lab_of_screen(29, 43, 39)[0]), abs=NEAR)
    ((_, coloured),) = operators(converted(page(f"{shares(*RED)} rg {text}", fonts)).pdf, "k")
    assert coloured == wanted(*RED)


def test_no_more_ink_than_the_paper_takes() -> None:
    """The colours are thinned, in the same proportion; black stays."""
    full = inks_of(lab_of_screen(20, 24, 60))
    assert sum(full) > 3

    ((_, set_to),) = operators(converted(page(f"{shares(20, 24, 60)} rg 0 0 9 9 re f"), limit=240).pdf, "k")

    assert 238 < sum(set_to) <= 240
    assert set_to[3] == pytest.approx(100 * full[3], abs=NEAR)
    assert set_to[0] / set_to[1] == pytest.approx(full[0] / full[1], rel=0.02)


def picture_of(pdf: pikepdf.Pdf, data: bytes, space: Any, bits: int = 8, **keys: Any) -> Any:
    """A picture of two dots, beside one another."""
    stream = pikepdf.Stream(pdf, zlib.compress(data), Width=2, Height=1, ColorSpace=space, BitsPerComponent=bits)
    stream["/Type"], stream["/Subtype"], stream["/Filter"] = Name.XObject, Name.Image, Name.FlateDecode
    for key, value in keys.items():
        stream[f"/{key}"] = value
    return stream


def two(pdf: pikepdf.Pdf, kind: str) -> Any:
    """Red beside blue, or black beside grey, in each way in which a PDF may say so."""
    both = bytes(RED + BLUE)
    if kind == "jpeg":
        file = io.BytesIO()
        shown = Image.new("RGB", (64, 32), RED)
        shown.paste(BLUE, (32, 0, 64, 32))
        shown.save(file, "JPEG", quality=100, subsampling=0)
        stream = pikepdf.Stream(pdf, file.getvalue(), Width=64, Height=32, BitsPerComponent=8, ColorSpace=Name.DeviceRGB)
        stream["/Type"], stream["/Subtype"], stream["/Filter"] = Name.XObject, Name.Image, Name.DCTDecode
        return stream
    indexed = Array([Name.Indexed, Name.DeviceRGB, 1, pikepdf.String(both)])
    return {
        "plain": lambda: picture_of(pdf, both, Name.DeviceRGB),
        "by a profile": lambda: picture_of(pdf, both, screen(pdf)),
        "sixteen bits": lambda: picture_of(pdf, b"".join(bytes((part, 255 - part)) for part in both), Name.DeviceRGB, 16),
        "turned over": lambda: picture_of(pdf, bytes(255 - part for part in both), Name.DeviceRGB, Decode=Array([1, 0] * 3)),
        "indexed": lambda: picture_of(pdf, bytes((0, 1)), indexed),
        "four bits of an index": lambda: picture_of(pdf, bytes((0x01,)), indexed, 4),
        "greys": lambda: picture_of(pdf, bytes((0, 128)), Name.DeviceGray),
        "greys of four bits": lambda: picture_of(pdf, bytes((0x08,)), Name.DeviceGray, 4),
        "greys in colours": lambda: picture_of(pdf, bytes((0, 0, 0, 128, 128, 128)), Name.DeviceRGB),
    }[kind]()


def pictured(folder: Path, make: Callable[[pikepdf.Pdf], Any]) -> Image.Image:
    """The inks of a page that a picture fills."""
    data = page("100 0 0 100 0 0 cm /I Do", lambda pdf: {"/XObject": Dictionary(I=make(pdf))})
    return inks(converted(data).pdf, folder)


@pytest.mark.parametrize(
    "kind", ["plain", "by a profile", "sixteen bits", "turned over", "indexed", "four bits of an index", "jpeg"]
)
def test_pictures_have_the_same_inks_as_drawings(kind: str, tmp_path: Path) -> None:
    """However they are packed."""
    made = pictured(tmp_path, lambda pdf: two(pdf, kind))

    assert at(made, 20, 50) == wanted(*RED)
    assert at(made, 80, 50) == wanted(*BLUE)


@pytest.mark.parametrize(("kind", "grey"), [("greys", 128), ("greys of four bits", 0x88), ("greys in colours", 128)])
def test_grey_pictures_have_black_alone(kind: str, grey: int, tmp_path: Path) -> None:
    """Those without colours are no larger for being printed."""
    made = pictured(tmp_path, lambda pdf: two(pdf, kind))

    assert at(made, 20, 50) == pytest.approx((0, 0, 0, 100), abs=NEAR)
    assert at(made, 80, 50) == pytest.approx((0, 0, 0, 100 - lab_of_screen(grey, grey, grey)[0]), abs=NEAR)


def test_nearly_grey_dots_of_a_picture_go_over_to_grey_bit_by_bit(tmp_path: Path) -> None:
    """A dot of a photo that happens to be grey has no other inks all of a sudden than those beside it."""
    row = [(128 + step, 128, 128) for step in range(8)]
    made = pictured(tmp_path, lambda pdf: picture_of(pdf, bytes(sum(row, ())), Name.DeviceRGB, Width=8))

    cyan = [at(made, 6 + 12 * step, 50)[0] for step in range(8)]
    assert cyan[0] == 0
    assert cyan[-1] == pytest.approx(100 * inks_of(lab_of_screen(*row[-1]))[0], abs=NEAR)
    assert max(after - before for before, after in pairwise(cyan)) < 12


def test_what_a_picture_hides_stays_hidden(tmp_path: Path) -> None:
    """Half of the inks, where half of it shows; by what colour dots are hidden is written down, and after converting nothing
    has that colour."""
    soft = pictured(
        tmp_path,
        lambda pdf: picture_of(
            pdf, bytes(RED + RED), Name.DeviceRGB, SMask=picture_of(pdf, bytes((255, 128)), Name.DeviceGray)
        ),
    )
    assert at(soft, 20, 50) == wanted(*RED)
    assert at(soft, 80, 50) == pytest.approx([50 * ink for ink in inks_of(lab_of_screen(*RED))], abs=NEAR)

    hidden = Array([number for part in BLUE for number in (part, part)])
    keyed = pictured(tmp_path, lambda pdf: picture_of(pdf, bytes(RED + BLUE), Name.DeviceRGB, Mask=hidden))
    assert at(keyed, 20, 50) == wanted(*RED)
    assert at(keyed, 80, 50) == (0, 0, 0, 0)


def test_what_is_in_inks_already_keeps_them(tmp_path: Path) -> None:
    """Drawn, as a picture and as a JPEG; only what is too wet is thinned."""
    mixed, wet = (51, 102, 26, 13), (204, 204, 204, 204)

    def make(pdf: pikepdf.Pdf) -> dict[str, Any]:
        file = io.BytesIO()
        Image.new("CMYK", (16, 16), mixed).save(file, "JPEG", quality=100, subsampling=0)
        # Pillow writes inks turned over, as Adobe's programs do, and a PDF says so.
        turned = picture_of(pdf, b"", Name.DeviceCMYK, Width=16, Height=16, Filter=Name.DCTDecode, Decode=Array([1, 0] * 4))
        turned.write(file.getvalue(), filter=Name.DCTDecode)
        return {"/XObject": Dictionary(I=picture_of(pdf, bytes(mixed + wet), Name.DeviceCMYK), J=turned)}

    code = f"{shares(*mixed)} k 0 0 20 100 re f {shares(*wet)} k 20 0 20 100 re f q 40 0 0 100 40 0 cm /I Do Q "
    made = inks(converted(page(f"{code} 20 0 0 100 80 0 cm /J Do", make), limit=300).pdf, tmp_path)

    for x in (10, 50, 90):
        assert at(made, x, 50) == pytest.approx([part / 2.55 for part in mixed], abs=NEAR)
    for x in (30, 70):
        assert at(made, x, 50) == pytest.approx((220 / 3, 220 / 3, 220 / 3, 80), abs=NEAR)


def way(first: tuple[int, ...], last: tuple[int, ...]) -> Any:
    """A straight way from one colour to another."""
    start, end = (Array([part / 255 for part in colour]) for colour in (first, last))
    return Dictionary(FunctionType=2, Domain=Array([0, 1]), C0=start, C1=end, N=1)


def gradient(function: Any, kind: int = 2, **keys: Any) -> Make:
    """A gradient from left to right."""
    there = Dictionary(ShadingType=kind, ColorSpace=Name.DeviceRGB, Coords=Array([0, 0, 100, 0]), Function=function)
    for key, value in keys.items():
        there[f"/{key}"] = value
    return lambda pdf: {"/Shading": Dictionary(S=there)}


def test_gradients_are_right_between_their_ends(tmp_path: Path) -> None:
    """A straight way between two colours of a screen is none between their inks."""
    made = inks(converted(page("/S sh", gradient(way(RED, BLUE)))).pdf, tmp_path)

    for x in (10, 30, 50, 70, 90):
        share = (x + 0.5) / 100
        assert at(made, x, 50) == wanted(*(round(a + share * (b - a)) for a, b in zip(RED, BLUE, strict=True)))


def test_edges_within_gradients_stay_sharp(tmp_path: Path) -> None:
    """Where one colour ends and another begins at once, there is nothing between."""
    stitched = Dictionary(FunctionType=3, Domain=Array([0, 1]), Bounds=Array([0.5]), Encode=Array([0, 1, 0, 1]))
    stitched["/Functions"] = Array([way(RED, RED), way(BLUE, GREEN)])

    made = inks(converted(page("/S sh", gradient(stitched))).pdf, tmp_path)

    assert at(made, 48, 50) == wanted(*RED)
    assert at(made, 51, 50) == wanted(*(round(a + 0.03 * (b - a)) for a, b in zip(BLUE, GREEN, strict=True)))
    assert at(made, 98, 50) == wanted(*GREEN)


def test_gradients_that_a_program_calculates(tmp_path: Path) -> None:
    """As those that go round a point: red grows to the right, blue upwards."""

    def make(pdf: pikepdf.Pdf) -> dict[str, Any]:
        program = pdf.make_stream(
            b"{ 100 div exch 100 div exch 0.2 exch }", FunctionType=4, Domain=Array([0, 100] * 2), Range=Array([0, 1] * 3)
        )
        return gradient(program, kind=1, Domain=Array([0, 100] * 2))(pdf)

    data = page("/S sh", make)
    with pikepdf.open(io.BytesIO(data)) as pdf:
        assert "/Matrix" not in pdf.pages[0].resources.Shading.S
    made = inks(converted(data).pdf, tmp_path)

    for x, y in ((10, 10), (80, 20), (30, 70), (95, 95)):
        assert at(made, x, y) == pytest.approx(
            [100 * ink for ink in inks_of(lab_of_screen(round(2.55 * (x + 0.5)), 51, round(2.55 * (y + 0.5))))], abs=2.5
        )


def test_patterns_are_converted_with_their_tiles(tmp_path: Path) -> None:
    """Those with colours of their own, those that are given one, and gradients by the name of a pattern."""

    def make(pdf: pikepdf.Pdf) -> dict[str, Any]:
        keys = {"PatternType": 1, "TilingType": 1, "BBox": Array([0, 0, 5, 5]), "XStep": 5, "YStep": 5}
        empty = Dictionary()
        own = pdf.make_stream(f"{shares(*RED)} rg 0 0 5 5 re f".encode(), PaintType=1, Resources=empty, **keys)
        given = pdf.make_stream(b"0 0 5 5 re f", PaintType=2, Resources=empty, **keys)
        shade = Dictionary(PatternType=2, Shading=gradient(way(GREEN, GREEN))(pdf)["/Shading"].S)
        space = Array([Name.Pattern, Name.DeviceRGB])
        return {"/Pattern": Dictionary(P0=own, P1=given, P2=shade), "/ColorSpace": Dictionary(U=space)}

    code = (
        f"/Pattern cs /P0 scn 0 0 30 100 re f /U cs {shares(*BLUE)} /P1 scn 30 0 30 100 re f "
        "/Pattern cs /P2 scn 60 0 40 100 re f"
    )
    made = inks(converted(page(code, make)).pdf, tmp_path)

    assert at(made, 12, 52) == wanted(*RED)
    assert at(made, 42, 52) == wanted(*BLUE)
    assert at(made, 82, 52) == wanted(*GREEN)


def test_masks_keep_how_much_they_show(tmp_path: Path) -> None:
    """What is drawn in a mask is no colour: half grey shows half, and the same drawing on the page is printed."""

    def make(pdf: pikepdf.Pdf) -> dict[str, Any]:
        group = Dictionary(S=Name.Transparency, CS=Name.DeviceRGB)
        keys = {"Type": Name.XObject, "Subtype": Name.Form, "BBox": Array([0, 0, 100, 100])}
        form = pdf.make_stream(b"0.5 0.5 0.5 rg 0 0 100 100 re f", Group=group, Resources=Dictionary(), **keys)
        mask = Dictionary(Type=Name.ExtGState, SMask=Dictionary(S=Name.Luminosity, G=form))
        return {"/ExtGState": Dictionary(G=mask), "/XObject": Dictionary(F=form)}

    data = page(f"q 0 0 50 100 re W n /F Do Q q /G gs {shares(*RED)} rg 50 0 50 100 re f Q", make)
    done = converted(data)
    made = inks(done.pdf, tmp_path)

    assert at(made, 20, 50) == pytest.approx((0, 0, 0, 100 - lab_of_screen(128, 128, 128)[0]), abs=NEAR)
    assert at(made, 80, 50) == pytest.approx([50 * ink for ink in inks_of(lab_of_screen(*RED))], abs=NEAR)
    with pikepdf.open(io.BytesIO(done.pdf)) as pdf:
        (there,) = pdf.pages
        assert str(there.Group.CS) == "/DeviceCMYK"
        assert str(there.resources.XObject.F.Group.CS) == "/DeviceCMYK"
        assert str(there.resources.ExtGState.G.SMask.G.Group.CS) == "/DeviceGray"


def test_a_spot_colour_stays_one(tmp_path: Path) -> None:
    """A machine with a knife knows its lines by their name; one shown in colours of a screen is shown in inks."""

    def make(pdf: pikepdf.Pdf) -> dict[str, Any]:
        spot = Array([Name.Separation, Name("/CutContour"), Name.DeviceRGB, way((255, 255, 255), RED)])
        return {"/ColorSpace": Dictionary(Cut=spot)}

    done = converted(page("/Cut cs 1 scn 0 0 50 100 re f", make))

    with pikepdf.open(io.BytesIO(done.pdf)) as pdf:
        space = pdf.pages[0].resources.ColorSpace.Cut
        assert [str(part) for part in list(space)[:3]] == ["/Separation", "/CutContour", "/DeviceCMYK"]
    assert at(inks(done.pdf, tmp_path), 20, 50) == wanted(*RED)


def test_what_cannot_be_converted_is_named() -> None:
    """And nothing of it is passed through without a word."""

    def make(pdf: pikepdf.Pdf) -> dict[str, Any]:
        mesh = pdf.make_stream(b"", ShadingType=7, ColorSpace=Name.DeviceRGB, BitsPerCoordinate=8, BitsPerComponent=8)
        return {"/Shading": Dictionary(S=mesh), "/ColorSpace": Dictionary(L=Array([Name.Lab, Dictionary()]))}

    done = to_cmyk(page("/S sh /L cs 50 0 0 scn 0 0 9 9 re f", make), PRESS)

    assert any("page 1" in each and "mesh" in each for each in done.left)
    assert any("page 1" in each and "Lab" in each for each in done.left)

    def curved(pdf: pikepdf.Pdf) -> dict[str, Any]:
        return {"/ExtGState": Dictionary(G=Dictionary(TR=way((0, 0, 0), (255, 255, 255))))}

    assert any("curve" in each for each in to_cmyk(page("/G gs", curved), PRESS).left)


@pytest.mark.parametrize(
    "profile",
    [b"no profile", ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes(), press_profile()[:3000]],
    ids=["words", "of a screen", "half of one"],
)
def test_a_profile_of_no_press(profile: bytes) -> None:
    """Is refused before anything is converted."""
    with pytest.raises(Fault):
        to_cmyk(page("1 0 0 rg 0 0 9 9 re f"), Condition(profile, "none"))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A game's sheets with cut lines; one card of two lets its ground through."""
    from pnp.read.project import Project

    tiny = TinyProject(Project(tmp_path_factory.mktemp("inks")))
    tiny.write("content/tiny/game.toml", f'{TINY_GAME}back = "cards"\n')
    tiny.write("content/tiny/cards.csv", "name,copies\nAnna,2\nBert,1\n")
    clear = '{% if row.name == "Bert" %}<circle cx="30" cy="50" r="15" fill="#cc3311" opacity="0.5"/>{% endif %}'
    face = TINY_TEMPLATE.replace("{{ s.text", clear + "{{ s.text", 1).replace("row.text", "''")
    tiny.write("templates/tiny/cards.svg.j2", face)
    result = tiny.build(cut="spot")
    assert result.ok, [str(problem) for problem in result.problems]
    return (tiny.project.root / "output/tiny/a4/print.pdf").read_bytes()


def test_a_games_sheets_hold_what_they_held(built: bytes) -> None:
    """The same pieces in the same places, each drawn once; letters are letters, and the cut lines a spot colour."""
    done = converted(built)

    before, after = read_printed(built, "before"), read_printed(done.pdf, "after")
    assert before.pieces == after.pieces
    assert before.pieces
    with pikepdf.open(io.BytesIO(built)) as old, pikepdf.open(io.BytesIO(done.pdf)) as new:
        assert _forms(old) == _forms(new)
    assert [page.extract_text() for page in PdfReader(io.BytesIO(done.pdf)).pages] == [
        page.extract_text() for page in PdfReader(io.BytesIO(built)).pages
    ]
    assert b"CutContour" in b"".join(_parts(done.pdf))
    assert done.colours >= 4


def _forms(pdf: pikepdf.Pdf) -> int:
    return sum(isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/Form" for each in pdf.objects)


def _parts(data: bytes) -> list[bytes]:
    """All objects of a file, as they are written down; of streams their dictionaries."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        streams = pikepdf.Stream
        return [(each.stream_dict if isinstance(each, streams) else each).unparse(resolved=True) for each in pdf.objects]


def test_no_colours_of_screens_are_left(built: bytes) -> None:
    """Neither in spaces, nor in groups, nor in the code."""
    done = converted(built)

    for part in _parts(done.pdf):
        assert b"/DeviceRGB" not in part
        assert b"/CalRGB" not in part
        assert b"/ICCBased" not in part
    with pikepdf.open(io.BytesIO(done.pdf)) as pdf:
        forms = [each for each in pdf.objects if isinstance(each, pikepdf.Stream) and each.get("/Subtype") == "/Form"]
        for drawing in [*pdf.pages, *forms]:
            used = {str(each.operator) for each in pikepdf.parse_content_stream(drawing)}
            assert not used & {"rg", "RG", "g", "G", "sc", "SC"}


def test_the_file_says_what_it_is_made_for(built: bytes, tmp_path: Path) -> None:
    """PDF/X-4: profile, boxes, trapping, and the same words in the old description and in the new one."""
    (tmp_path / "x.pdf").write_bytes(to_cmyk(built, PRESS, Boxes(inset=5, bleed=3)).pdf)
    with pikepdf.open(tmp_path / "x.pdf") as pdf:
        (intent,) = pdf.Root.OutputIntents
        assert intent.S == Name.GTS_PDFX
        assert str(intent.OutputConditionIdentifier) == "Test press"
        assert intent.DestOutputProfile.read_bytes() == PRESS.profile
        assert pdf.docinfo["/Trapped"] == Name("/False")
        assert not pdf.is_encrypted
        for sheet in pdf.pages:
            media, bleed, trim = ([float(side) for side in sheet.obj[box]] for box in ("/MediaBox", "/BleedBox", "/TrimBox"))
            assert [b - a for a, b in zip(media, trim, strict=True)] == pytest.approx(
                [14.173, 14.173, -14.173, -14.173], abs=0.01
            )
            assert [b - a for a, b in zip(bleed, trim, strict=True)] == pytest.approx(
                [8.504, 8.504, -8.504, -8.504], abs=0.01
            )
    reader = PdfReader(tmp_path / "x.pdf")
    assert reader.metadata is not None and reader.xmp_metadata is not None
    assert reader.pdf_header == "%PDF-1.6"
    assert reader.metadata["/GTS_PDFXVersion"] == "PDF/X-4"
    (told,) = reader.xmp_metadata.rdf_root.getElementsByTagNameNS("http://www.npes.org/pdfx/ns/id/", "GTS_PDFXVersion")
    assert told.firstChild.nodeValue == "PDF/X-4"
    assert reader.xmp_metadata.dc_title["x-default"] == reader.metadata.title
    assert reader.xmp_metadata.xmp_create_date == reader.metadata.creation_date.replace(tzinfo=None)
    assert not subprocess.run([tool("qpdf"), "--check", "x.pdf"], cwd=tmp_path, capture_output=True).returncode


def test_links_are_left_out_and_that_is_said() -> None:
    """They are for screens, and the standards forbid them."""

    def linked() -> bytes:
        with pikepdf.open(io.BytesIO(page("0 g 0 0 9 9 re f"))) as pdf:
            link = Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=Array([0, 0, 9, 9]))
            pdf.pages[0].obj["/Annots"] = Array([pdf.make_indirect(link)])
            file = io.BytesIO()
            pdf.save(file)
        return file.getvalue()

    done = converted(linked())

    assert any("1 link" in note for note in done.notes)
    with pikepdf.open(io.BytesIO(done.pdf)) as pdf:
        assert "/Annots" not in pdf.pages[0].obj


def test_x1a_holds_nothing_transparent(built: bytes, tmp_path: Path) -> None:
    """What lets its ground through is a picture of 600 dots an inch, and that is said; all else is as before."""
    with pikepdf.open(io.BytesIO(built)) as pdf:
        assert any(b"/ca " in each.unparse(resolved=True) for each in pdf.objects)

    done = to_cmyk(built, PRESS, standard="PDF/X-1a")

    assert done.left == ()
    flat = {note.partition(" is a picture of 600")[0] for note in done.notes}
    assert flat == {"a part of cards/bert (front)", "a part of cards/bert (back)"}, "the plan shows what is told already"
    for part in _parts(done.pdf):
        assert not any(key in part for key in (b"/SMask", b"/ca ", b"/CA ", b"/Transparency", b"/BM "))
        assert b"/DeviceRGB" not in part and b"/ObjStm" not in part and b"/XRef" not in part
    reader = PdfReader(io.BytesIO(done.pdf))
    assert reader.pdf_header == "%PDF-1.4"
    assert reader.metadata is not None
    assert reader.metadata["/GTS_PDFXVersion"] == "PDF/X-1:2003"
    assert reader.metadata["/GTS_PDFXConformance"] == "PDF/X-1a:2003"
    assert read_printed(done.pdf, "x").pieces == read_printed(built, "x").pieces
    words = "".join(each.extract_text() for each in reader.pages)
    # What lies above stays what it is; both sides of the card, and the plan, have one ground.
    assert "Anna" in words and "Bert" in words
    assert sum(b"/Subtype /Image" in part and b"/ImageMask" not in part for part in _parts(done.pdf)) == 1
    (tmp_path / "x.pdf").write_bytes(done.pdf)
    told = subprocess.run([tool("pdfinfo"), "x.pdf"], cwd=tmp_path, capture_output=True, check=True, text=True).stdout
    assert "ISO 15930-4" in told
    listed = subprocess.run([tool("pdfimages"), "-list", "x.pdf"], cwd=tmp_path, capture_output=True, check=True, text=True)
    pictures = [line.split() for line in listed.stdout.splitlines()[2:]]
    # On the print plan the card is shown smaller.
    assert {each[5] for each in pictures if each[2] == "image"} == {"cmyk"}
    assert min(int(each[12]) for each in pictures) == 600


def test_x1a_looks_as_x4_does(built: bytes, tmp_path: Path) -> None:
    """What was mixed on the screen has the inks of what was seen there; the rest is the same dot by dot."""
    (bert,) = [piece for piece in read_printed(built, "x").pieces if piece.name == "cards/bert" and piece.side == "front"]
    after = inks(to_cmyk(built, PRESS, standard="PDF/X-1a").pdf, tmp_path, bert.page)
    before = inks(to_cmyk(built, PRESS).pdf, tmp_path, bert.page)

    middle = (round((bert.box.x + 3 + 30) * 72 / 25.4), round((bert.box.y + 3 + 50) * 72 / 25.4))
    ground, disc = (0x33, 0x66, 0x99), (0xCC, 0x33, 0x11)
    seen = after.getpixel(middle)
    assert isinstance(seen, tuple)
    mixed = (round((a + b) / 2) for a, b in zip(ground, disc, strict=True))
    assert [part / 2.55 for part in seen] == wanted(*mixed)
    left = (0, 0, round(bert.box.x * 72 / 25.4) - 2, after.height)
    assert after.crop(left).tobytes() == before.crop(left).tobytes()
    assert any(after.crop(left).tobytes())


def test_a_flattened_piece_hides_nothing_beside_what_it_shows(tmp_path: Path) -> None:
    """Where nothing is drawn in it, what lies below is seen as before."""

    def make(pdf: pikepdf.Pdf) -> dict[str, Any]:
        half = Dictionary(G=Dictionary(Type=Name.ExtGState, ca=0.5))
        keys = {"Type": Name.XObject, "Subtype": Name.Form, "BBox": Array([0, 0, 100, 100])}
        code = f"/G gs {shares(*RED)} rg 0 0 50 100 re f"
        return {"/XObject": Dictionary(F=pdf.make_stream(code.encode(), Resources=Dictionary(ExtGState=half), **keys))}

    data = page("0 g 60 0 40 100 re f q 1 0 0 1 0 0 cm /F Do Q", make)
    done = to_cmyk(data, PRESS, standard="PDF/X-1a")

    assert [note for note in done.notes if note.startswith("a drawing is a picture")]
    made = inks(done.pdf, tmp_path)
    assert at(made, 20, 50) == wanted(*(round((part + 255) / 2) for part in RED))
    assert at(made, 80, 50) == pytest.approx((0, 0, 0, 100))


def test_groups_that_mix_nothing_stay_drawings() -> None:
    """Typst puts many drawings into groups; without anything transparent in them these do nothing, and are not allowed."""

    def make(pdf: pikepdf.Pdf) -> dict[str, Any]:
        keys = {"Type": Name.XObject, "Subtype": Name.Form, "BBox": Array([0, 0, 9, 9]), "Resources": Dictionary()}
        group = Dictionary(S=Name.Transparency, CS=Name.DeviceRGB)
        return {"/XObject": Dictionary(F=pdf.make_stream(b"1 0 0 rg 0 0 9 9 re f", Group=group, **keys))}

    done = to_cmyk(page("/F Do", make), PRESS, standard="PDF/X-1a")

    assert done.notes == ()
    assert not any(b"/Transparency" in part or b"/Image" in part for part in _parts(done.pdf))


def stored(folder: Path, data: bytes) -> Path:
    (folder / "press.icc").write_bytes(data)
    return folder / "press.icc"


def test_a_profile_of_a_press_is_taken(tmp_path: Path) -> None:
    """As it is, under its own name, with the ink that was asked for."""
    condition = condition_of(stored(tmp_path, press_profile("Paper of ours")), 240)

    assert (condition.profile, condition.name, condition.limit) == (press_profile("Paper of ours"), "Paper of ours", 240)


@pytest.mark.parametrize(
    ("said", "name"), [("ISO Coated v2 300% (ECI)", "FOGRA39"), ("PSO Coated v3", "FOGRA51"), ("My paper", "My paper")]
)
def test_a_condition_has_the_name_that_shops_know(tmp_path: Path, said: str, name: str) -> None:
    """Profiles of the same condition are called in many ways."""
    assert condition_of(stored(tmp_path, press_profile(said)), 300).name == name


def test_without_a_name_the_one_of_scribus_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Debian puts it; and where there is none, the person is told where to get one."""
    place = stored(tmp_path, press_profile("ISO Coated v2 300% (basICColor)"))
    monkeypatch.setattr(separate, "PLACES", (tmp_path / "elsewhere.icc", place))
    assert condition_of(None, 300).name == "FOGRA39"

    monkeypatch.setattr(separate, "PLACES", (tmp_path / "elsewhere.icc",))
    with pytest.raises(Fault) as refused:
        condition_of(None, 300)
    assert "scribus-data" in refused.value.hint and "--profile" in refused.value.hint


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no ICC profile"),
        (b"PK\x03\x04" + bytes(4000), "no ICC profile"),
        (ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes(), "a screen, in RGB"),
        (press_profile(space=b"RGB "), "a press, in RGB"),
        (press_profile(kind=b"scnr"), "a scanner or camera, in CMYK"),
        (press_profile().replace(b"B2A0", b"xxxx"), "only tells how inks look"),
    ],
    ids=["empty", "a zip", "a screen", "a press of three colours", "a scanner", "one way only"],
)
def test_what_is_no_profile_of_a_press_is_refused(tmp_path: Path, data: bytes, said: str) -> None:
    """With its name, what it is, and what to do."""
    with pytest.raises(Fault) as refused:
        condition_of(stored(tmp_path, data), 300)

    assert said in refused.value.message and "press.icc" in refused.value.message
    assert "--profile" in refused.value.hint


@pytest.mark.parametrize("name", ["nowhere.icc", "."])
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, name: str) -> None:
    """One that is not there, and a folder."""
    with pytest.raises(Fault) as refused:
        condition_of(tmp_path / name, 300)

    assert "cannot be read" in refused.value.message
