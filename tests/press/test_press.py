"""``pnp export press`` and ``drivethrucards``: a page for each side of each copy, cut where it says, in inks alone."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from commands import run
from conftest import ROOT, TinyProject, toml
from pressprofile import press_profile

from pnp.exports.shops import shops
from pnp.read.project import Project

MM = 72 / 25.4
GAME = toml("""
game: name = "Press"; papers = ["a4"]
cards: size = "63mm x 88mm"; back = "back"
chips: kind = "token"; size = "20mm"; shape = "circle"; bleed = "0mm"
post: kind = "standee"; size = "20mm x 30mm"
""")
FACE = """{% extends "shared/face.svg.j2" %}{% block face %}
<rect x="-5" y="-5" width="200" height="200" fill="FILL"/>{% endblock %}
"""


@pytest.fixture
def game(tmp_path: Path) -> TinyProject:
    """Two cards of three and two copies, discs, a standee; and the profile of a press beside them."""
    made = TinyProject(Project(tmp_path))
    made.write("content/tiny/game.toml", GAME)
    made.write("content/tiny/cards.csv", "id,copies\nanna,3\nbert,2\n")
    made.write("content/tiny/chips.csv", "id,copies\none,2\n")
    for name, fill in (("cards", "#ff8800"), ("chips", "#224466"), ("post", "#663399"), ("back", "#0000ff")):
        made.write(f"templates/tiny/{name}.svg.j2", FACE.replace("FILL", fill))
    made.write("press.icc", press_profile())
    return made


def export(game: TinyProject, target: str, *options: str, code: int = 0) -> Path:
    """The folder that an export for our press wrote."""
    root = game.project.root
    left = run("export", target, "tiny", "--profile", "press.icc", *options, at=root)
    assert left.code == code, left.err
    return root / "output" / "tiny" / "export" / target


def opened(path: Path) -> pikepdf.Pdf:
    return pikepdf.open(io.BytesIO(path.read_bytes()))


def box(page: Any, name: str) -> tuple[float, ...]:
    """A box of a page in mm."""
    return tuple(float(side) / MM for side in page.obj[name])


def spots(pdf: pikepdf.Pdf) -> set[str]:
    """The spot colours that pages name."""
    spaces = [space for page in pdf.pages for space in page.resources.get("/ColorSpace", {}).values()]
    return {str(space[1]).lstrip("/") for space in spaces if space[0] == "/Separation"}


def rows(folder: Path) -> Iterator[dict[str, str]]:
    yield from csv.DictReader(io.StringIO((folder / "list.csv").read_text(encoding="utf-8"), newline=""))


def test_pages_are_cut_and_bleed_as_they_say(game: TinyProject) -> None:
    """Of 63 × 88 mm with 3 mm around: the page is 69 × 94, cut 3 mm inside, printed to its edge; 5 copies, two sides."""
    pdf = opened(export(game, "press") / "cards.pdf")

    assert len(pdf.pages) == 2 * (3 + 2)
    for page in pdf.pages:
        assert box(page, "/MediaBox") == pytest.approx((0, 0, 69, 94), abs=0.01)
        assert box(page, "/TrimBox") == pytest.approx((3, 3, 66, 91), abs=0.01)
        assert box(page, "/BleedBox") == pytest.approx((0, 0, 69, 94), abs=0.01)


def inks(page: Any) -> list[str]:
    """The colours that are set in what a page shows, in the order of drawing."""
    found = []
    for form in page.resources.get("/XObject", {}).values():
        for inner in (form, *form.get("/Resources", {}).get("/XObject", {}).values()):
            found += re.findall(rb"([\d. ]+) k\b", inner.read_bytes())
    return [text.decode().strip() for text in found]


@pytest.mark.parametrize(("order", "first"), [("front-back", 0), ("back-front", 1)])
def test_the_order_of_sides_is_that_which_was_asked_for(game: TinyProject, order: str, first: int) -> None:
    """All backs have the ink of the one back, and stand on every second page, from the second or the first on."""
    pdf = opened(export(game, "press", "--order", order) / "cards.pdf")
    colours = [tuple(inks(page)) for page in pdf.pages]

    assert len(set(colours[first::2])) == 1 and len(set(colours[1 - first :: 2])) == 1
    assert set(colours[first::2]) != set(colours[1 - first :: 2])
    assert [row["side"] for row in rows(game.project.root / "output/tiny/export/press")][:2] == order.split("-")


def test_the_list_says_which_piece_is_on_which_page(game: TinyProject) -> None:
    """Bert comes after three copies of Anna with two sides; sizes are in mm."""
    told = {(row["id"], row["side"]): row for row in rows(export(game, "press")) if row["component"] == "cards"}

    assert told["anna", "front"]["product"] == "mm, from page 1" and told["bert", "back"]["product"] == "mm, from page 8"
    assert (told["anna", "front"]["width"], told["anna", "front"]["height"]) == ("63", "88")
    assert told["bert", "front"]["copies"] == "2"


def test_shapes_have_their_cut_in_a_spot_colour(game: TinyProject) -> None:
    """Discs have a line called CutContour on the front; a standee one called Crease as well; cards have none."""
    folder = export(game, "press")
    found = {name: spots(opened(folder / f"{name}.pdf")) for name in ("cards", "chips", "post")}

    assert found == {"cards": set(), "chips": {"CutContour"}, "post": {"CutContour", "Crease"}}


def test_nothing_in_the_bleed_is_white(game: TinyProject) -> None:
    """DriveThruCards wants 3.175 mm, and cards are drawn 3 mm beyond the cut: printed to the BleedBox, and that is said."""
    import pypdfium2

    left = run("export", "drivethrucards", "tiny", "--profile", "press.icc", at=game.project.root)
    path = game.project.root / "output/tiny/export/drivethrucards/cards.pdf"
    pdf, scale = opened(path), 10
    assert box(pdf.pages[0], "/TrimBox")[0] - box(pdf.pages[0], "/BleedBox")[0] == pytest.approx(3.175, abs=0.01)
    image = pypdfium2.PdfDocument(path.read_bytes())[0].render(scale=scale).to_pil().convert("RGB")
    # A tenth of a mm inside of each edge.
    edge = round(0.1 / 25.4 * 72 * scale)
    across, down = (range(edge, length - edge, 9) for length in image.size)
    border = [(x, y) for x in across for y in (edge, image.height - 1 - edge)]
    border += [(x, y) for y in down for x in (edge, image.width - 1 - edge)]

    assert all(image.getpixel(at) != (255, 255, 255) for at in border)
    assert left.code == 0 and "DriveThruCards needs 3.175 mm beyond the cut, and cards is drawn 3 mm" in left.err
    assert 'bleed = "3.2mm"' in left.err


def test_drivethrucards_gets_cards_alone_back_first(game: TinyProject) -> None:
    """PDF/X-1a of 1.4, pages of 63 + 2 × 3.175 mm; what is no card is named with what to do; no book is set."""
    root = game.project.root
    game.write("content/tiny/rulebook.md", "# Rules\n\nPlay.\n")
    left = run("export", "drivethrucards", "tiny", "--profile", "press.icc", at=root)
    folder = root / "output/tiny/export/drivethrucards"
    pdf = opened(folder / "cards.pdf")

    assert left.code == 0 and 'drivethrucards cannot take "chips"' in left.err
    assert "setting texts" in left.err and "setting the books" not in left.err, "nobody waits for what is not sent"
    assert {path.name for path in folder.glob("*.pdf")} == {"cards.pdf"}
    assert pdf.pdf_version == "1.4" and pdf.docinfo["/GTS_PDFXConformance"] == "PDF/X-1a:2003"
    assert box(pdf.pages[0], "/MediaBox")[2] == pytest.approx(63 + 6.35, abs=0.01)
    assert [row["side"] for row in rows(folder)][:2] == ["back", "front"]


def test_a_card_larger_than_they_print_is_left_out_and_told(game: TinyProject) -> None:
    """A front page of A5 is a card to us, and none to sellers of decks; the deck beside it is made."""
    root, settings = game.project.root, "content/tiny/game.toml"
    page = '[component.page]\ntable = "cards"\ntemplate = "cards"\nsize = "148mm x 210mm"\n'
    game.write(settings, f"{(root / settings).read_text()}\n{page}")

    press, shop = ("--profile", "press.icc"), ("--shop", "printerstudio")
    for target, options in (("drivethrucards", press), ("makeplayingcards", ()), ("faces", shop)):
        left = run("export", target, "tiny", *options, at=root)

        assert left.code == 0 and '"page" is larger than the largest card of' in left.err, left.err
        assert not [*(root / "output/tiny/export" / target).rglob("*page*")]


def test_sheets_may_be_imposed_as_at_home(game: TinyProject) -> None:
    """``--imposed``: the sheets of each paper of the game in inks, without the plan; other choices do not go with it."""
    folder = export(game, "press", "--imposed")
    pdf = opened(folder / "sheets-a4.pdf")

    assert box(pdf.pages[0], "/MediaBox") == pytest.approx((0, 0, 210, 297), abs=0.01)
    assert not (folder / "cards.pdf").exists()
    refused = run("export", "press", "tiny", "--imposed", "--bleed", "3mm", at=game.project.root)
    assert refused.code == 2 and "goes without" in refused.err


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [("none.icc", b"nothing", "is no ICC profile"), ("screen.icc", None, "the profile of a screen")],
)
def test_what_is_no_profile_of_a_press_is_a_problem(game: TinyProject, name: str, data: bytes | None, says: str) -> None:
    """Nothing is written."""
    from PIL import ImageCms

    game.write(name, data or ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    left = run("export", "press", "tiny", "--profile", name, at=game.project.root)

    assert left.code == 1 and says in left.err and not (game.project.root / "output").exists()


def test_another_profile_or_shop_is_never_taken_for_the_same(game: TinyProject) -> None:
    """Nothing changed is left alone; a shop, a bleed or other bytes in the profile are not."""
    root = game.project.root
    plain = ("export", "press", "tiny", "--profile", "press.icc")
    assert run(*plain, at=root).code == 0
    assert "nothing has changed" in run(*plain, at=root).err
    assert "nothing has changed" not in run(*plain, "--shop", "wingo", at=root).err
    assert run(*plain, at=root).code == 0
    (root / "press.icc").write_bytes(press_profile()[:-1] + b"\1")
    assert "nothing has changed" not in run(*plain, at=root).err


def test_an_unknown_shop_or_one_that_wants_pictures_is_a_problem(game: TinyProject) -> None:
    """The known ones are listed, and where the other is served."""
    root = game.project.root
    unknown = run("export", "press", "tiny", "--profile", "press.icc", "--shop", "mb-prnt", at=root)
    pictures = run("export", "press", "tiny", "--profile", "press.icc", "--shop", "meinspiel", at=root)

    assert unknown.code == 1 and 'Did you mean "mb-print"?' in unknown.err
    assert pictures.code == 1 and "wants pictures" in pictures.err and "pnp export faces --shop meinspiel" in pictures.err


def test_every_shop_of_pages_stands_in_the_docs() -> None:
    """With its bleed, its order and its ink."""
    text = (ROOT / "docs/how-to/print-services.md").read_text(encoding="utf-8")
    for shop in shops().values():
        if shop.files == "pdf":
            order = ", ".join(shop.order.split("-"))
            standard = {"x4": "PDF/X-4", "x1a": "PDF/X-1a"}[shop.standard]
            assert f"| `{shop.name}` | {shop.bleed:g} mm | {order} | {shop.ink:g} % | {standard} |" in text


def test_the_list_beside_pages_in_inks_is_verified(game: TinyProject) -> None:
    """With the profile that was named, found in the project's folder; without it, it says what is missing."""
    folder = export(game, "press")
    assert '"profile": "press.icc"' in (folder / "export.json").read_text()
    assert run("verify", folder / "list.csv", at=game.project.root).code == 0
    (folder / "cards.pdf").write_bytes((folder / "chips.pdf").read_bytes())
    left = run("verify", folder / "list.csv", at=game.project.root)
    assert left.code == 1 and "cards.pdf: page 1 shows something else than the game makes" in left.err

    (game.project.root / "press.icc").unlink()
    left = run("verify", folder / "list.csv", at=game.project.root)
    assert left.code == 3 and "was exported with the profile press.icc" in left.err


def moved(pdf: pikepdf.Pdf) -> None:
    first = pdf.pages[0]
    del pdf.pages[0]
    pdf.pages.append(first)


CHANGES: dict[str, tuple[Callable[[pikepdf.Pdf], object], str]] = {
    "pages in another order": (moved, "shows something else than the game makes"),
    "a page turned": (lambda pdf: pdf.pages[0].rotate(180, relative=True), "page 1 has another Rotate"),
    "a smaller cut": (
        lambda pdf: setattr(pdf.pages[0], "TrimBox", pikepdf.Array([20, 20, 60, 60])),
        "page 1 has another TrimBox than the game makes",
    ),
    "less bleed": (
        lambda pdf: setattr(pdf.pages[1], "BleedBox", pdf.pages[1].TrimBox),
        "page 2 has another BleedBox than the game makes",
    ),
    "twice as large": (lambda pdf: setattr(pdf.pages[0], "UserUnit", 2), "page 1 has another UserUnit"),
    "a black square": (
        lambda pdf: pdf.pages[0].contents_add(b"q 0 0 0 1 k 60 60 9 9 re f Q"),
        "page 1 shows something else than the game makes",
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_pages_of_single_faces_are_compared_with_those_of_their_export(game: TinyProject, what: str) -> None:
    """The export is made once more, as its note says; a file that lies elsewhere is only counted, and it says so."""
    path = export(game, "press") / "cards.pdf"
    left = run("verify", path, at=game.project.root)
    assert left.code == 0 and "not compared" not in left.err, left.err
    change, says = CHANGES[what]
    with opened(path) as pdf:
        change(pdf)
        pdf.save(path)

    left = run("verify", path, at=game.project.root)

    assert left.code == 1 and says in left.err, left.err
    apart = game.project.root / "cards.pdf"
    apart.write_bytes(path.read_bytes())
    assert "not compared" in run("verify", apart, at=game.project.root).err
