"""Faces in a file: each piece's sides are there by name, and what they have in common is stored once."""

from __future__ import annotations

import io
from itertools import permutations
from typing import Any

import pikepdf
import pytest
from pypdf import PdfReader

from pnp.shapes.affine import IDENTITY, Affine, Rect, translation
from pnp.shapes.units import PT_PER_MM
from pnp.values.faces import Book, Face, Page, PlacedFace, PlacedLayer, TextLayer
from pnp.values.game import Paper, Side
from pnp.write.pdf import Document, Stock, write_pdf

ABOUT = Document("Tiny", "", "en", "none", "test", "")
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
