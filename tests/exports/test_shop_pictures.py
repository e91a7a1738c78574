"""Pictures for print services: exactly their dots, pieces at their true size in the middle, orders that add up."""

from __future__ import annotations

import json
import runpy
import shutil
import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest
from bazaar import picture
from commands import run
from conftest import ROOT, TinyProject, toml
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from pnp.exports.kit import FORMS
from pnp.exports.shops import _in_the_middle, products, shops
from pnp.read.project import Project
from pnp.system.addons import load_all

CARDS = toml("""
game: name = "Cards"; papers = ["a4"]
cards: size = "tcg"; bleed = "3.7mm"; back = "back"
wide: table = "cards"; size = "88mm x 63mm"; template = "cards"; back = "back"
small: size = "40mm x 50mm"; table = "cards"; template = "cards"
""")
# A square of 10 mm, black, from the top left of the cut: it tells sizes and turns.
FACE = """{% extends "shared/face.svg.j2" %}{% block face %}
<rect x="-5" y="-5" width="200" height="200" fill="COLOUR"/><rect width="10" height="10" fill="#000000"/>{% endblock %}
"""


def cards(root: Path, copies: int = 3) -> TinyProject:
    """Cards of three sizes; the small ones have no back."""
    game = TinyProject(Project(root))
    game.write("content/tiny/game.toml", CARDS)
    game.write("content/tiny/cards.csv", f"id,copies\nanna,{copies}\nbert,2\n")
    game.write("templates/tiny/cards.svg.j2", FACE.replace("COLOUR", "#ff0000"))
    game.write("templates/tiny/back.svg.j2", FACE.replace("COLOUR", "#0000ff"))
    return game


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The exports of the cards for two shops, and what was said; nobody changes them."""
    root = cards(tmp_path_factory.mktemp("shops")).project.root
    crafted = run("export", "gamecrafter", "tiny", "--nearest", at=root)
    ordered = run("export", "makeplayingcards", "tiny", at=root)
    assert (crafted.code, ordered.code) == (0, 0), crafted.err + ordered.err
    return root / "output/tiny/export", crafted.err + ordered.err


def at(path: Path, x: float, y: float) -> tuple[int, ...]:
    """The colour at a share of a picture's width and height."""
    image = picture(path).convert("RGB")
    pixel = image.getpixel((int(x * (image.width - 1)), int(y * (image.height - 1))))
    assert isinstance(pixel, tuple)
    return pixel


def square(path: Path) -> tuple[int, int, int, int]:
    """The box of the black square."""
    image = picture(path).convert("L").point(lambda value: 255 if value < 20 else 0)
    box = image.getbbox()
    assert box is not None
    return box


def test_a_face_for_the_game_crafter_has_its_dots_and_is_as_large_as_on_paper(made: tuple[Path, str]) -> None:
    """A card of 63 × 88 mm: 825 × 1125 dots, its corner 40.5 and 42.8 dots from the edge, 10 mm are 118."""
    face = made[0] / "gamecrafter/cards-EuroPokerDeck/anna-front.png"

    assert picture(face).size == (825, 1125)
    x, y, right, below = square(face)
    assert abs(x - 40.5) <= 1 and abs(y - 42.8) <= 1
    assert abs(right - x - 118.1) <= 1 and abs(below - y - 118.1) <= 1
    assert at(face, 0, 0) == at(face, 1, 1) == (255, 0, 0)


def test_a_card_that_lies_is_turned_and_its_back_the_other_way(made: tuple[Path, str]) -> None:
    """Turned over left to right both are upright again: the corner of the front is at the top right, the back's at the
    bottom left."""
    folder = made[0] / "gamecrafter/wide-EuroPokerDeck"
    front, back = square(folder / "anna-front.png"), square(folder / "back.png")

    assert picture(folder / "back.png").size == (825, 1125)
    assert front[0] > 600 and front[1] < 100
    assert back[0] < 100 and back[1] > 900


def test_a_size_that_nobody_makes_is_a_problem_with_the_nearest_product(tmp_path: Path, made: tuple[Path, str]) -> None:
    """40 × 50 mm is no product: it is told at the component, nothing is written; with --nearest it lies on a larger one."""
    cards(tmp_path)

    left = run("export", "gamecrafter", "tiny", at=tmp_path)

    assert left.code == 1 and "game.toml:" in left.err and "component.small" in left.err
    assert "MiniDeck is 44.45 × 63.5 mm" in left.err and "--nearest" in left.err
    assert not (tmp_path / "output").exists()
    assert "lies in the middle of a larger product" in made[1]
    x, _, right, _ = square(made[0] / "gamecrafter/small-MiniDeck/anna-front.png")
    assert abs(x - (600 - 40 / 25.4 * 300) / 2) <= 1 and abs(right - x - 118.1) <= 1


def test_an_order_has_every_copy_once_and_files_that_are_there(made: tuple[Path, str]) -> None:
    """Slots are 0, 1, 2 … without a gap; the files of both sides exist, 72 dots larger than the cut at 300 dpi."""
    folder = made[0] / "makeplayingcards"
    order = ElementTree.fromstring((folder / "order-63x88.xml").read_bytes())
    slots = [int(slot) for card in order.iterfind("fronts/card") for slot in (card.findtext("slots") or "").split(",")]
    files = [card.findtext("id") or "" for card in order.iter("card")] + [order.findtext("cardback") or ""]

    # The lying cards of 88 × 63 mm are of that size as well.
    assert sorted(slots) == list(range(2 * (3 + 2))) and order.findtext("details/quantity") == "10"
    assert all((folder / file).is_file() for file in files)
    assert {picture(folder / file).size for file in files} == {(744 + 72, 1039 + 72)}
    assert order.findtext("details/stock") == "(S30) Standard Smooth"


def test_an_order_asks_for_the_cardboard_and_foil_that_were_chosen(tmp_path: Path) -> None:
    """As the reader spells them (mpc-autofill, constants.py); what it would refuse is refused here, with what was meant."""
    cards(tmp_path)
    assert run("export", "makeplayingcards", "tiny", "--stock", "m31", "--foil", at=tmp_path).code == 2
    assert run("export", "makeplayingcards", "tiny", "--stock", "M31", "--foil", at=tmp_path).code == 0
    order = tmp_path / "output/tiny/export/makeplayingcards/order-63x88.xml"
    details = ElementTree.fromstring(order.read_bytes()).find("details")
    assert details is not None and [each.tag for each in details] == ["quantity", "stock", "foil"]
    assert (details.findtext("stock"), details.findtext("foil")) == ("(M31) Linen", "true")
    assert "all there" in run("verify", order, at=tmp_path).out

    typed = run("export", "makeplayingcards", "tiny", "--stock", "M3", at=tmp_path)
    shiny = run("export", "makeplayingcards", "tiny", "--stock", "P10", "--foil", at=tmp_path)

    assert typed.code == 2 and 'Did you mean "M31"?' in typed.err
    assert shiny.code == 1 and "no foil on plastic" in shiny.err and not order.exists()
    assert run("export", "faces", "tiny", "--foil", at=tmp_path).code == 2


def test_cards_without_a_back_are_ordered_with_a_white_one_and_that_is_said(made: tuple[Path, str]) -> None:
    """The order of the small cards names a white picture; the terminal says which component it is."""
    folder = made[0] / "makeplayingcards"
    order = ElementTree.fromstring((folder / "order-40x50.xml").read_bytes())

    blank = picture(folder / (order.findtext("cardback") or ""))

    assert "small has no back" in made[1] and blank.getextrema() == ((255, 255), (255, 255), (255, 255))
    assert blank.size == picture(folder / "faces/small/anna-front.png").size


def test_more_cards_than_an_order_takes_are_several_orders(tmp_path: Path) -> None:
    """613 cards of 63 × 88 mm: 612 and one, each an order by itself; the reader takes no order of more (its order.py)."""
    game = cards(tmp_path)
    game.write("content/tiny/cards.csv", "id,copies\nanna,306\nbert,1\n")
    game.write(
        "content/tiny/game.toml", CARDS.replace('[component.wide]\ntable = "cards"', '[component.wide]\ntable = "wide"')
    )
    game.write("content/tiny/wide.csv", "id,copies\nanna,306\n")
    left = run("export", "makeplayingcards", "tiny", at=tmp_path)
    assert left.code == 0, left.err
    folder = tmp_path / "output/tiny/export/makeplayingcards"
    paths = sorted(folder.glob("order-63x88*.xml"))
    orders = [ElementTree.parse(path).getroot() for path in paths]
    found: list[Counter[str]] = []
    for order in orders:
        slots = {
            card.findtext("id") or "": (card.findtext("slots") or "").split(",") for card in order.iterfind("fronts/card")
        }
        quantity = int(order.findtext("details/quantity") or 0)
        assert sorted(int(slot) for some in slots.values() for slot in some) == list(range(quantity)) and quantity <= 612
        found.append(Counter({file: len(some) for file, some in slots.items()}))

    assert [path.name for path in paths] == ["order-63x88-1.xml", "order-63x88-2.xml"]
    assert [each.total() for each in found] == [612, 1]
    wanted = {"cards/anna": 306, "cards/bert": 1, "wide/anna": 306}
    assert found[0] + found[1] == {f"faces/{piece}-front.png": number for piece, number in wanted.items()}


def test_a_refusal_leaves_no_order_of_before(tmp_path: Path) -> None:
    """A game that had an order and has a mistake now: nobody orders the old one; a file that is not ours stays."""
    game = cards(tmp_path)
    assert run("export", "makeplayingcards", "tiny", at=tmp_path).code == 0
    folder = tmp_path / "output/tiny/export/makeplayingcards"
    (folder / "mine.txt").write_text("mine")
    game.write("content/tiny/game.toml", CARDS.replace('size = "tcg"', 'size = "tgc"'))

    left = run("export", "makeplayingcards", "tiny", at=tmp_path)

    assert left.code == 1 and "nothing was written" in left.err and "an earlier export" in left.err
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]
    (folder / "mine.txt").unlink()
    assert run("export", "makeplayingcards", "tiny", at=tmp_path).code == 1 and not [*folder.iterdir()]


def test_faces_for_a_shop_have_its_bleed_and_kind(tmp_path: Path) -> None:
    """MeinSpiel's 59 × 91 mm: 768 × 1146 dots as JPEG (their own page says so), 300 to the inch."""
    game = cards(tmp_path)
    game.write("content/tiny/game.toml", CARDS.replace('size = "tcg"', 'size = "59mm x 91mm"'))
    assert run("export", "faces", "tiny", "--shop", "meinspiel", at=tmp_path).code == 0
    face = picture(tmp_path / "output/tiny/export/faces/cards/anna-front.jpg")

    assert face.format == "JPEG" and face.info["dpi"] == (300, 300)
    # They count 697 + 71; three millimetres are 35.4 dots on each side.
    assert abs(face.width - 768) <= 1 and abs(face.height - 1146) <= 1


@pytest.mark.parametrize(
    ("typed", "drawn", "needed"),
    [
        ("faces --shop makeplayingcards", "1mm", "3mm"),
        ("faces --shop gamecrafter", "3mm", "3.2mm"),
        # 63 × 88 mm on 1125 dots: 3.625 mm are left above and below.
        ("gamecrafter --nearest", "3mm", "3.6mm"),
    ],
)
def test_less_bleed_than_a_shop_needs_is_said_with_the_bleed_that_is_enough(
    tmp_path: Path, typed: str, drawn: str, needed: str
) -> None:
    """Faces are continued, which a person must know; with the bleed that the hint names nothing is said any more."""
    game = cards(tmp_path)
    told = []
    for bleed in (drawn, needed):
        game.write("content/tiny/game.toml", CARDS.replace("3.7mm", bleed))
        target, *options = typed.split()
        left = run("export", target, "tiny", *options, at=tmp_path)
        assert left.code == 0
        told.append([line for line in left.err.splitlines() if "component.cards" in line and "repeated" in line])

    assert len(told[0]) == 1 and f'bleed = "{needed}"' in told[0][0] and told[1] == []


@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 60), st.integers(1, 60))
def test_a_picture_stays_in_the_middle_and_is_continued_by_its_edge(width: int, height: int, across: int, down: int) -> None:
    """Every dot of the result is that dot of the picture which is nearest to it."""
    image = Image.new("RGB", (width, height))
    image.putdata([(x * 6, y * 6, 7) for y in range(height) for x in range(width)])
    made = _in_the_middle(image, (across, down))
    left, top = (across - width) // 2, (down - height) // 2

    assert made.size == (across, down)
    for x, y in ((0, 0), (across - 1, 0), (0, down - 1), (across - 1, down - 1), (across // 2, down // 2)):
        nearest = min(max(x - left, 0), width - 1), min(max(y - top, 0), height - 1)
        assert made.getpixel((x, y)) == image.getpixel(nearest)


def test_every_target_says_what_to_do_with_each_form_that_it_does_not_take() -> None:
    """No piece is left out in silence."""
    forms = set(FORMS.values())

    assert [name for name, target in load_all("pnp.exports").items() if forms - target.forms - set(target.instead)] == []


def test_the_presets_are_sound() -> None:
    """Names are unique, sizes positive, pictures of products as large as the piece and at least a sixteenth inch more."""
    for shop in shops().values():
        assert shop.files in ("png", "jpg", "pdf") and 0 <= shop.bleed <= 5 and 100 <= shop.ink <= 400 and shop.note
    for product in products():
        for has, length in zip(product.dots, (product.width, product.height), strict=True):
            assert 30 <= has - length / 25.4 * 300 <= 150


def test_the_sizes_are_taken_anew_from_an_answer_of_the_shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The script reads the shop's answer, keeps what it knows, adds what is flat, and writes the day."""
    answer = [
        {"identity": "PokerDeck", "size": {"pixels": [826, 1126], "finished_inches": [2.5, 3.5, 0.01]}},
        {"identity": "NewSquareTile", "size": {"pixels": [600, 600], "finished_inches": [1.75, 1.75, 0.08]}},
        {"identity": "PokerTuckBox54", "size": {"pixels": [2325, 1950], "finished_inches": [2.6, 3.6, 0.8]}},
    ]
    (tmp_path / "answer.json").write_text(json.dumps({"result": answer}))
    home = tmp_path / "pnp/exports"
    home.mkdir(parents=True)
    shutil.copy(ROOT / "pnp/exports/gamecrafter.toml", home)
    script = tmp_path / "docs/make/gamecrafter.py"
    script.parent.mkdir(parents=True)
    shutil.copy(ROOT / "docs/make/gamecrafter.py", script)
    monkeypatch.setattr(sys, "argv", [str(script), "--from", str(tmp_path / "answer.json"), "--day", "2027-01-02"])

    runpy.run_path(str(script), run_name="__main__")

    text = (home / "gamecrafter.toml").read_text(encoding="utf-8")
    before = (ROOT / "pnp/exports/gamecrafter.toml").read_text(encoding="utf-8")
    assert "updated = 2027-01-02" in text
    assert 'PokerDeck = { dots = [826, 1126], inches = [2.5, 3.5], use = "card", shape = "rectangle" }' in text
    assert 'NewSquareTile = { dots = [600, 600], inches = [1.75, 1.75], use = "tile", shape = "rectangle" }' in text
    assert "TuckBox" not in text
    assert len(text.splitlines()) == len(before.splitlines()) + 1
