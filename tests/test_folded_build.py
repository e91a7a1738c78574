"""All kinds of pieces from a game to its files: built for A4 and Letter, counted once, with a page on how to fold them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium
import pytest
from commands import run
from conftest import TinyProject, toml
from pypdf import PdfReader

from pnp.read.project import Project

# One worker builds the game, once.

MM = 72 / 25.4
PAPERS = ("a4", "letter")
HOW = "How to fold and glue"
GAME = toml("""
game: name = "Kinds"; papers = ["a4", "letter"]
cards: size = "mini-euro"
tiles: kind = "tile"; hexes = "hexes"; hex = "40mm"
bones: kind = "domino"; size = "20mm x 40mm"; highest = 2
sea: kind = "board"; size = "150mm x 120mm"
chips: kind = "token"; size = "20mm"; back = "chips"
track: kind = "tracker"; size = "180mm x 60mm"; spaces = "spaces"; marker = "chips"
captain: kind = "standee"; size = "30mm x 40mm"; table = "captains"
pawn: kind = "pawn"; size = "20mm x 34mm"; depth = "16mm"; copies = 6
penguin: kind = "prism"; size = "24mm x 28mm"; depth = "16mm"; copies = 5
six: kind = "die"; size = "16mm"; sides = 6; copies = 4
ten: kind = "die"; size = "20mm"; sides = 10
screen: kind = "screen"; panels = ["40mm", "80mm", "40mm"]; height = "70mm"; copies = 2; back = "screen"
wall: kind = "screen"; panels = ["155mm", "140mm", "155mm"]; height = "95mm"; copies = 2
box: kind = "box"; holds = ["cards"]
pouch: kind = "pouch"; size = "60mm x 60mm"; depth = "25mm"
ship: kind = "ship"; holds = ["cards"]; slots = 3; copies = 2
dial: kind = "dial"; size = "60mm"; values = "0-11"; copies = 3
""")
TABLES = {
    "cards": "id,copies\nanna,7\nbert,5\n",
    "tiles": "id\nbay\nreef\n",
    "hexes": "tile,q,r\nbay,0,0\nbay,1,0\nreef,0,0\n",
    "sea": "id\nsea\n",
    "chips": "id,copies\none,9\nfive,4\n",
    "spaces": "track,value\nsails,0\nsails,1\nsails,2\nspeed,0\nspeed,1\n",
    "captains": "id,copies\nanna,2\nbert,1\n",
}
# What is printed of each component: design → copies.
COPIES: dict[str, dict[str, int]] = {
    "cards": {"anna": 7, "bert": 5},
    "tiles": {"bay": 1, "reef": 1},
    "bones": dict.fromkeys(("0-0", "0-1", "0-2", "1-1", "1-2", "2-2"), 1),
    "chips": {"one": 9, "five": 4},
    "track": {"track": 1},
    "captain": {"anna": 2, "bert": 1},
    "pawn": {"pawn": 6},
    "penguin": {"penguin": 5},
    "six": {"six": 4},
    "ten": {"ten": 1},
    "screen": {"screen": 2},
    "wall": {"wall": 2},
    "box": {"box": 1},
    "pouch": {"pouch": 1},
    "ship": {"ship": 2},
    "dial": {"dial": 3},
}
FOLDED = ("captain", "pawn", "penguin", "six", "ten", "wall", "box", "pouch", "ship")
# What is folded and not glued: its lines say all.
BARE = ("screen",)
# What is not folded, but put together.
PUT = "How to put together"
STACKED = ("dial",)
# No strip of the wall's three panels goes on A4 or Letter with its neighbour: each is a part; so is each disc of a dial.
PARTS = {"wall": 3, "dial": 2}
FACE = """{% extends "shared/face.svg.j2" %}
{% block face %}
<path d="M{{ -face.bleed }} {{ -face.bleed }}h{{ face.width + 2 * face.bleed }}v{{ face.height }}z" fill="#5b8e7d"/>
<path d="{{ SHAPE }}" fill="#7fc7d9"/>
{% endblock %}
"""
SHAPES = {"chips": "token.bleed"} | dict.fromkeys((*FOLDED, *BARE, *STACKED), "net.bleed")


def written(folder: Path, toml: str = GAME) -> TinyProject:
    """The game with all kinds in a folder."""
    made = TinyProject(Project(folder))
    made.write("content/tiny/game.toml", toml)
    for name, table in TABLES.items():
        made.write(f"content/tiny/{name}.csv", table)
    for name in (*COPIES, "sea"):
        made.write(f"templates/tiny/{name}.svg.j2", FACE.replace("SHAPE", SHAPES.get(name, "'M0 0h1v1z'")))
    return made


def part(*names: str) -> str:
    """The game with these components only."""
    head, *components = GAME.split("[component.")
    return head + "".join(f"[component.{each}" for each in components if each.partition("]")[0] in names)


@pytest.fixture(scope="module")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built game: the folder with a folder for each paper."""
    made = written(tmp_path_factory.mktemp("kinds"))
    result = made.build("long-edge")
    assert result.ok, [str(problem) for problem in result.problems]
    return made.project.root / "output" / "tiny"


def forms(page: Any) -> Iterator[tuple[str, str, tuple[float, float]]]:
    """The pieces drawn on a page, as often as they are drawn: name, side, size with bleed in mm."""
    objects = page["/Resources"].get("/XObject", {})
    for operands, operator in page.get_contents().operations:
        if operator == b"Do":
            form = objects[operands[0]].get_object()
            left, bottom, right, top = map(float, form["/BBox"])
            yield str(form["/PNPPiece"]), str(form["/PNPSide"])[1:].lower(), ((right - left) / MM, (top - bottom) / MM)


@cache
def fronts(path: Path) -> Counter[str]:
    """How often each piece is printed in a file; parts after the first have a number behind their name."""
    pages = PdfReader(path).pages
    return Counter(
        name for page in pages for name, side, _ in forms(page) if side == "front" and not name.startswith("pnp/")
    )


def words(path: Path) -> list[str]:
    """The text of each page of a file."""
    document = pdfium.PdfDocument(path)
    try:
        return [" ".join(page.get_textpage().get_text_range().split()) for page in document]
    finally:
        document.close()


def wanted(name: str) -> Counter[str]:
    """What is to be printed of a component, every part of it."""
    found = Counter({f"{name}/{design}": copies for design, copies in COPIES[name].items()})
    for number in range(2, PARTS.get(name, 1) + 1):
        found |= Counter({f"{name}/{design}:{number}": copies for design, copies in COPIES[name].items()})
    return found


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", COPIES)
def test_every_kind_is_built_for_both_papers(kinds: Path, name: str, paper: str) -> None:
    """Its own file has each of its copies once, every part of it, and nothing of another."""
    assert fronts(kinds / paper / f"{name}.pdf") == wanted(name)


@pytest.mark.parametrize("paper", PAPERS)
def test_the_file_of_all_sheets_has_every_piece(kinds: Path, paper: str) -> None:
    """Pictures in the plan and in the steps of folding are no pieces."""
    printed = fronts(kinds / paper / "print.pdf")
    of_boards = {name: printed.pop(name) for name in list(printed) if name.startswith("sea/")}

    assert printed == sum(map(wanted, COPIES), Counter())
    # The board has one page, its first.
    assert of_boards == {"sea/sea:A1": 1}


def test_pieces_keep_their_size_on_both_papers(kinds: Path) -> None:
    """Nothing is made smaller to fit: a folded piece's face is its flat net and 3 mm of bleed around."""
    found = {
        paper: {
            (name, size)
            for page in PdfReader(kinds / paper / "print.pdf").pages
            for name, _, size in forms(page)
            if not name.startswith(("pnp/", "sea/"))
        }
        for paper in PAPERS
    }
    assert found["a4"] == found["letter"]
    sizes = dict(found["a4"])
    # Two sides of 34 mm, 16 mm between their feet, and a tab of 7 mm; two sides of 40 mm and flaps of 0.4 × 30.
    assert sizes["pawn/pawn"] == pytest.approx((20 + 6, 2 * 34 + 16 + 7 + 6), abs=0.01)
    assert sizes["captain/anna"] == pytest.approx((30 + 6, 2 * 40 + 2 * 12 + 6), abs=0.01)
    assert sizes["screen/screen"] == pytest.approx((40 + 80 + 40 + 6, 70 + 6), abs=0.01)
    # The first part of the wall is a panel and a tab of 11 mm, the last a panel.
    assert sizes["wall/wall"] == pytest.approx((155 + 11 + 6, 95 + 6), abs=0.01)
    assert sizes["wall/wall:3"] == pytest.approx((155 + 6, 95 + 6), abs=0.01)
    assert sizes["dial/dial"] == sizes["dial/dial:2"] == pytest.approx((60 + 6, 60 + 6), abs=0.02)


def test_a_piece_in_parts_is_counted_once(tmp_path: Path) -> None:
    """``pnp count`` says two walls of one design, though six parts are printed; so does it of all else."""
    written(tmp_path)
    counts = {entry["name"]: entry for entry in run("count", "--json", at=tmp_path).json["games"][0]["components"]}

    for name, designs in COPIES.items():
        assert (counts[name]["different"], counts[name]["copies"]) == (len(designs), sum(designs.values())), name
    # Its six parts of 95 mm and more than 150 lie two on a page, one above the other.
    assert counts["wall"]["sheets"] == 3


@pytest.mark.parametrize("paper", PAPERS)
def test_a_folded_piece_comes_with_its_steps(kinds: Path, paper: str) -> None:
    """The last page of its own file, with a picture for each numbered step; what takes no glue has none."""
    for name in COPIES:
        texts = words(kinds / paper / f"{name}.pdf")
        how, first = (PUT, "Cut out the lower disc") if name in STACKED else (HOW, "Score the folds.")
        shown = [number for number, text in enumerate(texts) if how in text]
        reader = PdfReader(kinds / paper / f"{name}.pdf")
        bookmarks = [entry.title for entry in reader.outline if entry.title.startswith(how.removesuffix(" and glue"))]
        assert (len(shown), len(bookmarks)) == ((1, 1) if name in (*FOLDED, *STACKED) else (0, 0)), name
        if shown:
            # In a file for both sides an empty back comes after it.
            assert shown[0] >= len(texts) - 2
            pictures = [piece for piece, _, _ in forms(reader.pages[shown[0]])]
            assert pictures and all(piece.startswith("pnp/") for piece in pictures)
            assert first in texts[shown[0]] and "nothing to cut" in texts[shown[0]]


def test_the_file_of_all_sheets_has_all_steps(kinds: Path) -> None:
    """After all that is cut, every component that is folded and glued once by its title."""
    texts = words(kinds / "a4" / "print.pdf")
    shown = [text for text in texts[2:] if HOW in text and "nothing to cut" in text]

    assert shown and texts.index(shown[0]) > max(number for number, text in enumerate(texts) if "print at 100 %" in text)
    for name in FOLDED:
        assert sum(name.capitalize() in text for text in shown) >= 1, name


def test_a_machine_cannot_cut_what_is_folded_first(tmp_path: Path) -> None:
    """--cut silhouette with gutterfold sheets is a wrong command: exit 2, a sentence, and nothing written."""
    written(tmp_path, part("cards"))
    command = ("build", "tiny", "--backs", "gutterfold", "--cut")
    refused = run(*command, "silhouette", at=tmp_path)

    assert (refused.code, refused.out) == (2, "")
    assert "--cut silhouette needs sheets that are not folded" in refused.err
    assert not (tmp_path / "output").exists()
    assert run(*command, "svg", at=tmp_path).code == 0
    assert list((tmp_path / "output").rglob("*.svg"))
