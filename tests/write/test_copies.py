"""What a PDF takes from others, and faces in it: from however many parts, it looks as from one; what is common is once."""

from __future__ import annotations

import io
from collections.abc import Sequence
from itertools import permutations
from typing import Any

import pikepdf
import pypdfium2 as pdfium
import pytest
from conftest import TinyProject, read_whole
from PIL import Image
from pypdf import PdfReader
from pypdf.generic import StreamObject

from pnp.draw.fonts import Fonts
from pnp.draw.layer_pdf import compile_layers, letters_of
from pnp.shapes.affine import IDENTITY, Affine, Rect, translation
from pnp.shapes.units import PT_PER_MM
from pnp.values.faces import Book, Face, ImageLayer, Layer, Page, PlacedFace, PlacedLayer, TextLabel, TextLayer
from pnp.values.game import Paper, Side
from pnp.write.pdf import Copies, Document, Objects, Stock, write_pdf

SENTENCES = ("Draw two cards", "Pass the torch", "Move one step", "Gain a shield", "Lose your way", "Wait and see")
ABOUT = Document("Tiny", "", "en", "none", "test", "")
WIDTH, HEIGHT, BLEED = 60.0, 20.0, 2.0
OUTER = Rect(-BLEED, -BLEED, WIDTH + 2 * BLEED, HEIGHT + 2 * BLEED)


@pytest.fixture
def fonts(tiny: TinyProject) -> Fonts:
    """The fonts of a game."""
    game = read_whole(tiny.project)
    return Fonts(game)


def words(text: str) -> Layer:
    """A layer with a line of text in two weights."""
    pieces = tuple(
        TextLabel(text, 4, y, ("Source Sans Pro",), 14, "#203040", weight, "normal", "start")
        for weight, y in ((400, 8), (700, 16))
    )
    return TextLayer(text, OUTER.width, OUTER.height, pieces)


def book_of(parts: Sequence[Sequence[Layer]], fonts: Fonts, same_letters: bool = True) -> Book:
    """A book of such parts; with the same letters each has the letters of all on a page before."""
    letters = letters_of([layer for part in parts for layer in part]) if same_letters else ()
    pdfs = [compile_layers(part, fonts, letters=letters)[0] for part in parts]
    first = 1 if letters else 0
    pages = {layer.key: (number, page) for number, part in enumerate(parts) for page, layer in enumerate(part, first)}
    return Book(tuple(pdfs), pages)


def sheets(layers: Sequence[Layer]) -> list[Page]:
    """A page for each layer, on a face of its own."""
    place = translation(-BLEED, -BLEED)
    faces = [Face(layer.key, WIDTH, HEIGHT, BLEED, (PlacedLayer(layer, place),)) for layer in layers]
    paper = Paper("face", OUTER.width, OUTER.height)
    upright = translation(BLEED, BLEED)
    return [Page(paper, (PlacedFace(face, f"cards/{face.key}", "front", upright, OUTER),)) for face in faces]


def pictures(pdf: bytes) -> list[Image.Image]:
    """What is seen on its pages."""
    document = pdfium.PdfDocument(pdf)
    try:
        return [page.render(scale=2).to_pil().convert("RGB") for page in document]
    finally:
        document.close()


def embedded(pdf: bytes) -> dict[int, tuple[str, bytes]]:
    """The fonts that the forms use, by the number of their program in the file: name and program."""
    found = {}
    for page in PdfReader(io.BytesIO(pdf)).pages:
        for face in page["/Resources"]["/XObject"].values():
            for layer in face["/Resources"]["/XObject"].values():
                for font in layer["/Resources"].get("/Font", {}).values():
                    descriptor = font["/DescendantFonts"][0]["/FontDescriptor"]
                    kind = next(key for key in ("/FontFile2", "/FontFile3") if key in descriptor)
                    program = descriptor.raw_get(kind)
                    found[program.idnum] = (str(descriptor["/FontName"]), program.get_object().get_data())
    return found


RED, BLUE = ("red.png", "#cc3311"), ("blue.png", "#1133cc")


def picture(key: str, file: str, colour: str) -> Layer:
    """A layer that is a picture: stripes of a colour and white."""
    image = Image.linear_gradient("L").point(lambda value: 255 * (value // 16 % 2)).convert("RGB")
    image.paste(colour, (0, 0, 128, 256))
    target = io.BytesIO()
    image.save(target, "PNG")
    return ImageLayer(key, OUTER.width, OUTER.height, file, "stretch", {file: target.getvalue()})


def images(pdf: bytes) -> list[Any]:
    """All pictures in a file."""
    nodes = PdfReader(io.BytesIO(pdf))
    found = [nodes.get_object(number) for number in range(1, nodes.trailer["/Size"])]
    return [node for node in found if isinstance(node, StreamObject) and node.get("/Subtype") == "/Image"]


@pytest.mark.parametrize("cuts", [(3,), (1, 2, 4), (1, 2, 3, 4, 5)])
def test_parts_with_the_same_fonts_need_them_once(fonts: Fonts, cuts: tuple[int, ...]) -> None:
    """However many they are: two weights are two programs, and what is seen and said is what one part gives."""
    layers = [words(sentence) for sentence in SENTENCES]
    parts = [layers[start:end] for start, end in zip((0, *cuts), (*cuts, len(layers)), strict=True)]

    whole = write_pdf(sheets(layers), book_of([layers], fonts), ABOUT)
    joined = write_pdf(sheets(layers), book_of(parts, fonts), ABOUT)

    assert len(embedded(joined)) == 2
    assert sorted(embedded(joined).values()) == sorted(embedded(whole).values())
    assert [page.extract_text() for page in PdfReader(io.BytesIO(joined)).pages] == [f"{text}\n{text}" for text in SENTENCES]
    assert pictures(joined) == pictures(whole)
    # Nor is anything else there twice: lists of fonts, colours, boxes.
    assert len(joined) < len(whole) + 300


def test_a_part_with_another_letter_brings_its_own_fonts(fonts: Fonts) -> None:
    """Though they have the same names but for a tag: all texts are shown in theirs."""
    layers = [words(sentence) for sentence in (*SENTENCES, "Quiz")]
    several = book_of([layers[:3], layers[3:6]], fonts) + book_of([layers[6:]], fonts)

    joined = write_pdf(sheets(layers), several, ABOUT)

    assert len(embedded(joined)) == 4
    assert len({name for name, _ in embedded(joined).values()}) == 4
    whole = write_pdf(sheets(layers), book_of([layers], fonts), ABOUT)
    assert pictures(joined) == pictures(whole)
    assert [page.extract_text() for page in PdfReader(io.BytesIO(joined)).pages][-1] == "Quiz\nQuiz"


def part(shift: int = 0, width: int = 500, name: bytes = b"A is A", say: str = "", own: bool = False) -> bytes:
    """A file of one page with a font.

    ``shift`` objects stand before all others. The font says ``say`` or, with ``own``, what number its widths have.
    """
    pdf = pikepdf.new()
    kept = [pdf.make_indirect(pikepdf.Array([number])) for number in range(shift)]
    widths = pdf.make_indirect(pikepdf.Array([width, 600]))
    font = pikepdf.Dictionary(Type=pikepdf.Name.Font, Widths=[widths], ToUnicode=pikepdf.Stream(pdf, name))
    font["/Note"] = pikepdf.String(f"({widths.objgen[0]} 0 R" if own else say)
    page = pdf.add_blank_page(page_size=(100, 50))
    page.Contents = pikepdf.Stream(pdf, b"BT /F0 9 Tf (A) Tj ET")
    page.Resources = pdf.make_indirect(pikepdf.Dictionary(Font=pikepdf.Dictionary(F0=pdf.make_indirect(font))))
    page.Group = pikepdf.Dictionary(S=pikepdf.Name.Transparency)
    pdf.Root.Kept = pikepdf.Array(kept)
    target = io.BytesIO()
    pdf.save(target)
    return target.getvalue()


def copied(*parts: bytes) -> list[Any]:
    """The first pages of these files as forms of one PDF, written and read again."""
    objects = Objects()
    copies = Copies(objects)
    forms = [form for file in parts for form in copies.forms(file, [0])]
    root = objects.add(b"<< /Type /Catalog /Forms [ %b ] >>" % b" ".join(forms))
    reader = PdfReader(io.BytesIO(b"".join(objects.file(root, objects.add(b"<< >>")))))
    return [form.get_object() for form in reader.trailer["/Root"]["/Forms"]]


@pytest.mark.parametrize("shift", [0, 1, 9])
def test_equal_fonts_are_one_whatever_their_numbers(shift: int) -> None:
    """Objects have other numbers in each file."""
    first, second = copied(part(), part(shift))

    assert first["/Resources"]["/Font"].raw_get("/F0").idnum == second["/Resources"]["/Font"].raw_get("/F0").idnum
    assert first.raw_get("/Resources").idnum == second.raw_get("/Resources").idnum
    assert first.raw_get("/BBox").idnum == second.raw_get("/BBox").idnum


@pytest.mark.parametrize(
    "other",
    [part(width=501), part(name=b"A is B"), part(say="another"), part(1, own=True)],
    ids=["widths", "names", "words", "words that look like a reference"],
)
def test_fonts_that_differ_in_anything_are_two(other: bytes) -> None:
    """In what they refer to, in what is packed, or in their own words; each keeps its own."""
    original = part(own=True) if other == part(1, own=True) else part()
    alone = [copied(file)[0]["/Resources"]["/Font"]["/F0"] for file in (original, other)]
    fonts = [form["/Resources"]["/Font"].raw_get("/F0") for form in copied(original, other)]

    assert fonts[0].idnum != fonts[1].idnum
    for font, wanted in zip(fonts, alone, strict=True):
        found = font.get_object()
        assert found["/Note"] == wanted["/Note"]
        assert found["/ToUnicode"].get_data() == wanted["/ToUnicode"].get_data()
        assert found["/Widths"][0].get_object() == wanted["/Widths"][0].get_object()


def test_drawings_may_lie_deep_in_one_another() -> None:
    """As groups in groups do."""
    deep = 3000
    pdf = pikepdf.new()
    inner = pikepdf.Stream(pdf, b"0 0 1 1 re f", Subtype=pikepdf.Name.Form)
    for _ in range(deep):
        below = pikepdf.Dictionary(XObject=pikepdf.Dictionary(X=inner))
        inner = pikepdf.Stream(pdf, b"/X Do", Subtype=pikepdf.Name.Form, Resources=below)
    page = pdf.add_blank_page()
    page.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(X=inner))
    page.Contents = pikepdf.Stream(pdf, b"/X Do")
    target = io.BytesIO()
    pdf.save(target)

    (form,) = copied(target.getvalue())

    for _ in range(deep + 1):
        assert form.get_data() == b"/X Do"
        form = form["/Resources"]["/XObject"]["/X"]
    assert form.get_data() == b"0 0 1 1 re f"


def test_a_picture_of_several_parts_is_stored_once(fonts: Fonts) -> None:
    """As often as it is in a part; another picture is another."""
    layers = [picture(name, *look) for name, look in zip("abcd", (RED, RED, BLUE, RED), strict=True)]

    whole = write_pdf(sheets(layers), book_of([layers], fonts), ABOUT)
    joined = write_pdf(sheets(layers), book_of([layers[:1], layers[1:3], layers[3:]], fonts), ABOUT)

    assert len(images(joined)) == len(images(whole)) == 2
    assert pictures(joined) == pictures(whole)
    assert pictures(joined)[0] != pictures(joined)[2]


A4 = Paper("a4", 210, 297)
SIZES = {"ground": (69.0, 94.0), "red": (20.0, 10.0), "blue": (20.0, 10.0)}
LAYERS = {name: TextLayer(name, *size, ()) for name, size in SIZES.items()}


@pytest.fixture(scope="module")
def book() -> Book:
    """A book whose pages say their layer's name."""
    pdf = pikepdf.new()
    for name, (width, height) in SIZES.items():
        page = pdf.add_blank_page(page_size=(width * PT_PER_MM, height * PT_PER_MM))
        page.Contents = pikepdf.Stream(pdf, f"% {name}".encode())
    target = io.BytesIO()
    pdf.save(target)
    return Book((target.getvalue(),), {name: (0, page) for page, name in enumerate(SIZES)})


def face(*layers: str, key: str = "", width: float = 63.0, bleed: float = 3.0, at: Affine = IDENTITY) -> Face:
    """A face with these layers, the first of them as large as itself."""
    places = [translation(-3, -3), *[at] * (len(layers) - 1)]
    placed = tuple(PlacedLayer(LAYERS[name], place) for name, place in zip(layers, places, strict=True))
    return Face(key or " ".join(layers), width, 88, bleed, placed)


def forms(book: Book, *shown: tuple[str, Side, Face]) -> dict[tuple[str, str], Any]:
    """The forms of these sides in a file, by piece and side."""
    items = tuple(PlacedFace(one, name, side, IDENTITY, Rect(0, 0, one.width, one.height)) for name, side, one in shown)
    reader = PdfReader(io.BytesIO(write_pdf([Page(A4, items)], book, ABOUT)))
    made = [form.get_object() for form in reader.pages[0]["/Resources"]["/XObject"].values()]
    return {(str(form["/PNPPiece"]), str(form["/PNPSide"])): form for form in made}


def said(form: Any) -> list[str]:
    """What the layers of a form say, from below to above."""
    called = [word.decode() for word in form.get_data().split() if word.startswith(b"/")]
    return [form["/Resources"]["/XObject"][name].get_data().decode() for name in called]


def test_alike_sides_have_names_of_their_own(book: Book) -> None:
    """Two cards with one back, one of which has it on its front too: four forms, and the layer once."""
    back, other = face("ground"), face("ground", "red")
    made = forms(
        book, ("cards/a", "back", back), ("cards/b", "back", back), ("cards/b", "front", back), ("cards/a", "front", other)
    )

    assert set(made) == {("cards/a", "/Back"), ("cards/b", "/Back"), ("cards/b", "/Front"), ("cards/a", "/Front")}
    assert [said(form) for form in made.values()] == [["% ground"], ["% ground"], ["% ground"], ["% ground", "% red"]]
    assert len({form["/Resources"]["/XObject"].raw_get("/L0").idnum for form in made.values()}) == 1
    assert len({form.raw_get("/Resources").idnum for form in made.values()}) == 2


def test_faces_of_one_kind_show_their_own_layers(book: Book) -> None:
    """In the same places, with the same words for it."""
    made = forms(book, ("cards/a", "front", face("ground", "red")), ("cards/b", "front", face("ground", "blue")))

    assert [said(form) for form in made.values()] == [["% ground", "% red"], ["% ground", "% blue"]]
    first, second = made.values()
    assert first.get_data() == second.get_data()
    assert first.raw_get("/BBox").idnum == second.raw_get("/BBox").idnum


@pytest.mark.parametrize(
    "other",
    [{"width": 50.0}, {"bleed": 1.0}, {"at": translation(5, 5)}],
    ids=["another size", "another bleed", "another place"],
)
def test_faces_of_other_kinds_are_their_own(book: Book, other: dict[str, Any]) -> None:
    """The same layers on a face of another size, with another bleed, or elsewhere on it."""
    one, another = face("ground", "red"), face("ground", "red", key="other", **other)
    (alone,) = forms(book, ("cards/b", "front", another)).values()
    _, beside = forms(book, ("cards/a", "front", one), ("cards/b", "front", another)).values()

    assert (list(beside["/BBox"]), beside.get_data()) == (list(alone["/BBox"]), alone.get_data())
    sides = (another.width + 2 * another.bleed, 88 + 2 * another.bleed)
    assert [float(number) / PT_PER_MM for number in beside["/BBox"]] == pytest.approx([0, 0, *sides], abs=1e-5)


def test_a_layer_that_was_refused_is_left_out(book: Book) -> None:
    """Of a draft the rest is shown."""
    missing = {key: place for key, place in book.pages.items() if key != "ground"}
    made = forms(Book(book.pdfs, missing), ("cards/a", "front", face("ground", "red")))

    assert [said(form) for form in made.values()] == [["% red"]]


def test_a_file_does_not_show_what_was_written_before(book: Book) -> None:
    """Files made from one stock are the same bytes in whatever order, each with what it shows and nothing else."""
    first = [
        PlacedFace(face("ground", "red"), "cards/a", "front", IDENTITY, Rect(0, 0, 9, 9)),
        PlacedFace(face("ground", "blue"), "cards/b", "front", IDENTITY, Rect(0, 0, 9, 9)),
    ]
    second = [
        PlacedFace(face("ground"), "cards/a", "back", IDENTITY, Rect(0, 0, 9, 9)),
        PlacedFace(face("ground", "red"), "cards/c", "front", IDENTITY, Rect(0, 0, 9, 9)),
    ]
    files = [[Page(A4, tuple(items))] for items in (first, second, [*second, *first])]
    alone = [write_pdf(pages, book, ABOUT, Stock()) for pages in files]

    for order in permutations(range(3)):
        stock = Stock()
        made = {number: write_pdf(files[number], book, ABOUT, stock) for number in order}
        assert [made[number] for number in range(3)] == alone
    assert b"cards/b" not in unpacked(alone[1])
    assert b"cards/b" in unpacked(alone[0])


def unpacked(pdf: bytes) -> bytes:
    """A file's objects in plain sight."""
    target = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf)) as file:
        file.save(target, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    return target.getvalue()
