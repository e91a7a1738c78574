"""The shipped game as a printer gets it: measured and counted in the finished PDFs.

Nothing here asks the program what it meant to print. The files are read with pypdf, which has no part in
writing them, and with the tools that printers and shops use; the tables are read anew.
"""

from __future__ import annotations

import csv
import itertools
import math
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import pytest
from conftest import LONG, tool
from pypdf import PdfReader
from pypdf.generic import ContentStream, NameObject, StreamObject

CONTENT = Path(__file__).resolve().parents[2] / "content" / "pirates-on-the-prowl"
MM = 72 / 25.4
BLEED = 3.0
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
DUPLEX = {"long-edge": "/DuplexFlipLongEdge", "short-edge": "/DuplexFlipShortEdge"}
GAME = tomllib.loads((CONTENT / "game.toml").read_text(encoding="utf-8"))
# Sheets and files have round quotes, whatever was typed.
TITLES: dict[str, str] = {name: section["title"].replace("'", "’") for name, section in GAME["component"].items()}
DECKS = ("cargo", "bad-luck", "cannon", "treasure")
# Captains are taped back to back, two of each: of all cards only the decks' have backs.
CARDS = (*DECKS, "characters", "wrap")
# Nets of all sizes share sheets; they are blank inside.
FOLDED = ("pawns", "dice", "ships", "box-cargo", "box-treasure")
BOARDS = ("board-large", "board-small")
COPIES = dict(zip((*CARDS, *FOLDED), (60, 12, 24, 36, 18, 1, 9, 5, 8, 1, 1), strict=True))
# A chart is wider and higher than either paper, and less than twice that.
PARTS = ("A1", "A2", "B1", "B2")
# Two books to fold, and a card, two of which lie on a sheet; each in half the paper's size as well.
BOOKS = {"rulebook": ("-booklet",), "construction": ("-booklet",), "sailing-orders": ("-two-up",)}
HALVES = {"a4": "-a5", "letter": "-half-letter"}
# The small pictures of the plan and of how-to pages have this name instead of a piece's.
PICTURE = "pnp/plan"
HOW_TO, JOIN = "How to fold", "How to join"

# One worker builds the game in all its ways, once.

Matrix = tuple[float, float, float, float, float, float]
Point = tuple[float, float]
Corners = tuple[Point, Point, Point, Point]


@dataclass(frozen=True)
class Prowl:
    """The built game: how backs are printed, and where its files are."""

    backs: str
    folder: Path

    @property
    def papers(self) -> dict[str, tuple[float, float]]:
        """The papers that it is built for; folded sheets are made alike for all, so that one will do."""
        return PAPERS if LONG or self.backs != "gutterfold" else {"letter": PAPERS["letter"]}

    def files(self, sheet: str) -> dict[str, Path]:
        """``print`` and the components' own files for one paper, by name."""
        return {path.stem: path for path in sorted((self.folder / sheet).glob("*.pdf")) if path not in self.books(sheet)}

    def books(self, sheet: str) -> list[Path]:
        """The rulebooks for one paper: files of their own, that hold no pieces."""
        names = (f"{name}{suffix}.pdf" for name, forms in BOOKS.items() for suffix in ("", HALVES[sheet], *forms))
        return [path for name in names if (path := self.folder / sheet / name).exists()]

    def all_files(self) -> list[Path]:
        """All files with sheets of pieces."""
        return [path for sheet in self.papers for path in self.files(sheet).values()]

    def all_pdfs(self) -> list[Path]:
        """Books too."""
        return [path for sheet in self.papers for path in sorted((self.folder / sheet).glob("*.pdf"))]

    def both_sides(self, path: Path) -> bool:
        """Whether a file is printed on both sides: where something in it has a back."""
        return self.backs in DUPLEX and path.stem in ("print", *DECKS)


# With PNP_LONG set every way of printing backs is read back, else those that differ most: two sides, one side folded.
WAYS = ["long-edge", "short-edge", "gutterfold", "none"] if LONG else ["long-edge", "gutterfold"]


def built(build_prowl: Callable[..., Path], backs: str) -> Prowl:
    """The game with its backs printed so; its books are the same whichever way, and made with the first."""
    made = Prowl(backs, Path())
    return replace(made, folder=build_prowl(backs, books=backs == "long-edge", papers=tuple(made.papers)))


@pytest.fixture(scope="module", params=WAYS)
def prowl(request: pytest.FixtureRequest, build_prowl: Callable[..., Path]) -> Prowl:
    """The game in each way of printing backs."""
    return built(build_prowl, request.param)


@pytest.fixture(scope="module", params=["long-edge", "gutterfold"])
def two_ways(request: pytest.FixtureRequest, build_prowl: Callable[..., Path]) -> Prowl:
    """The game on two sides of the paper and on one: for what does not depend on the edge."""
    return built(build_prowl, request.param)


# The folded sheets of what was proved on two-sided ones already.
FOLDED_AT_LENGTH = pytest.param("gutterfold", marks=pytest.mark.at_length)


@dataclass(frozen=True)
class Placed:
    """A side of a piece as it lies on a page: corners of its trim, top left, top right, bottom right, bottom left
    as printed on the face, in mm from the page's top left."""

    name: str
    side: str
    corners: Corners

    @property
    def component(self) -> str:
        return self.name.partition("/")[0]


@dataclass(frozen=True)
class Side:
    """A page: its size in mm, the pieces' sides on it, its dashed lines, and how many small pictures it has."""

    size: Point
    faces: tuple[Placed, ...]
    dashed: tuple[tuple[Point, Point], ...]
    pictures: int

    def only(self, side: str) -> list[Placed]:
        return [face for face in self.faces if face.side == side]


def times(first: Matrix, second: Matrix) -> Matrix:
    """PDF's product of matrices: first, then second."""
    a, b, c, d, e, f = first
    p, q, r, s, t, u = second
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)


def through(matrix: Matrix, x: float, y: float) -> Point:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


@lru_cache(1)
def opened(path: Path) -> PdfReader:
    """A file, parsed as far as somebody has looked."""
    return PdfReader(path)


@cache
def read(path: Path) -> tuple[Side, ...]:
    """All pages of a file."""
    return tuple(map(read_page, opened(path).pages))


def sheets(path: Path) -> tuple[Side, ...]:
    """The pages after the plan, which ``print.pdf`` has on its first two."""
    return read(path)[2 if path.stem == "print" else 0 :]


def read_page(page: Any) -> Side:
    """Follow a page's drawing to where its faces and dashed lines come to lie."""
    width, height = (float(number) / MM for number in page.mediabox[2:])
    faces, dashed, pictures = [], [], 0
    matrix: Matrix = (1, 0, 0, 1, 0, 0)
    kept: list[Matrix] = []
    dashes: list[Any] = []
    path: list[Point] = []

    def on_page(x: float, y: float) -> Point:
        right, up = through(matrix, float(x), float(y))
        return right / MM, height - up / MM

    for operands, operator in page.get_contents().operations:
        match operator:
            case b"q":
                kept.append(matrix)
            case b"Q":
                matrix = kept.pop()
            case b"cm":
                a, b, c, d, e, f = map(float, operands)
                matrix = times((a, b, c, d, e, f), matrix)
            case b"d":
                dashes = list(operands[0])
            case b"m":
                path = [on_page(*operands)]
            case b"l":
                path.append(on_page(*operands))
            case b"S" if dashes:
                dashed.append((path[0], path[-1]))
            case b"Do":
                form = page["/Resources"]["/XObject"][operands[0]].get_object()
                if form["/PNPPiece"] == PICTURE:
                    pictures += 1
                    continue
                left, bottom, right, top = map(float, form["/BBox"])
                inside = BLEED * MM
                left, bottom, right, top = left + inside, bottom + inside, right - inside, top - inside
                corners = (on_page(left, top), on_page(right, top), on_page(right, bottom), on_page(left, bottom))
                faces.append(Placed(str(form["/PNPPiece"]), str(form["/PNPSide"])[1:].lower(), corners))
    return Side((width, height), tuple(faces), tuple(dashed), pictures)


@cache
def in_the_tables() -> dict[str, Counter[str]]:
    """Copies by component and piece, from the tables and ``game.toml`` as a person would count them."""
    found = {}
    for name, section in GAME["component"].items():
        table, where = CONTENT / f"{section.get('table', name)}.csv", section.get("where", {})
        if name in BOARDS:
            found[name] = Counter({f"{name}/{name}:{part}": 1 for part in PARTS})
        elif not table.exists():
            found[name] = Counter({f"{name}/{name}": section.get("copies", 1)})
        else:
            with table.open(encoding="utf-8", newline="") as file:
                rows = [row for row in csv.DictReader(file) if where.items() <= row.items()]
            found[name] = Counter({f"{name}/{row.get('id') or row['name'].lower()}": int(row["copies"]) for row in rows})
    return found


@dataclass(frozen=True)
class Measured:
    """How wide and high a piece is in mm, flat, and the lengths of its folds."""

    width: float
    height: float
    folds: tuple[float, ...] = ()


def lengths(text: str) -> list[float]:
    """``14mm x 30mm`` as numbers."""
    return [float(side.removesuffix("mm")) for side in text.split(" x ")]


@cache
def measures() -> dict[str, Measured]:
    """Every component's measures, from the lengths in ``game.toml`` as a person with a pencil would find them."""
    sections = GAME["component"]
    card, tall = 63.0, 88.0
    found = {name: Measured(card, tall) for name in DECKS}
    found |= {"characters": Measured(90.0, 60.0), "wrap": Measured(180.0, 250.0)}
    # Front and back, one above the other, with a flap at either end.
    (width, height), (base,) = lengths(sections["pawns"]["size"]), lengths(sections["pawns"]["base"])
    found["pawns"] = Measured(width, 2 * height + 2 * base, 3 * (width,))
    # A cross of three by four squares; of its seven tabs, 5 mm deep, one sticks out to each side and one at an end.
    (edge,) = lengths(sections["dice"]["size"])
    found["dice"] = Measured(3 * edge + 5 + 5, 4 * edge + 5, (5 + 7) * (edge,))
    # Three slots 1.5 mm longer than a card is wide, 2.5 mm beside each. The hull is 36 mm high, the deck 20 mm deep;
    # back and bottom are as large, and a tab of 6 mm follows. At either end the hull reaches less far out, or as far,
    # as the closed end behind the deck with its tab.
    deck = sections["ships"]["slots"] * (card + 1.5 + 2.5) + 2.5
    found["ships"] = Measured(2 * (20 + 6) + deck, 2 * (36 + 20) + 6, 4 * (deck,) + 4 * (36.0,))
    for name in ("box-cargo", "box-treasure"):
        # A card is 0.3125 mm thick (250 g/m² of 0.00125 mm each), and so is a wall; 1 mm of room each way.
        thick = 250 * 0.00125
        spare = 1 + 2 * thick
        cards = sum(COPIES[held] for held in sections[name]["holds"])
        width, height, depth = (round(side + spare, 2) for side in (card, tall, cards * thick))
        # A tab of 11 mm, two sides, front and back in a row; above and below the back a lid with a flap of 14 mm.
        folds = (*4 * (height,), *4 * (width,), *4 * (depth,))
        found[name] = Measured(11 + 2 * width + 2 * depth, height + 2 * (depth + 14), folds)
    for name in BOARDS:
        squares = (CONTENT / sections[name]["map"]).read_text(encoding="utf-8").split()
        (cell,) = lengths(sections[name]["cell"])
        found[name] = Measured(len(squares[0]) * cell, len(squares) * cell)
    return found


def room(face: Placed) -> tuple[float, float, float, float]:
    """The upright box around a piece on its page: left, top, right, bottom."""
    xs, ys = zip(*face.corners, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def near(one: Point, two: Point) -> bool:
    """Within a hundredth of a millimetre."""
    return math.dist(one, two) <= 0.01


def lies_under(face: Placed, behind: Placed, exchange: Callable[[Point], Point]) -> bool:
    """Whether a back, seen through its front, fills the same place, turned over like a card in the hand: the
    back's left edge under the front's right one, both tops at the same end."""
    top_left, top_right, bottom_right, bottom_left = map(exchange, behind.corners)
    return all(map(near, face.corners, (top_right, top_left, bottom_left, bottom_right)))


def book_turn(size: Point) -> Callable[[Point], Point]:
    """A leaf turned about its long edge or an upright fold exchanges left and right."""
    return lambda point: (size[0] - point[0], point[1])


def calendar_turn(size: Point) -> Callable[[Point], Point]:
    """A leaf turned about its short edge or a level fold exchanges top and bottom."""
    return lambda point: (point[0], size[1] - point[1])


def test_the_tables_hold_what_the_rules_promise() -> None:
    """60 cargo, 12 bad luck, 24 cannons, 36 treasures, 18 captains, 9 pawns, 5 dice, 8 ships, two boxes, a front page."""
    counted = {name: sum(copies.values()) for name, copies in in_the_tables().items() if name not in BOARDS}
    assert counted == COPIES


@pytest.mark.parametrize("prowl", [FOLDED_AT_LENGTH if way == "gutterfold" else way for way in WAYS], indirect=True)
def test_every_copy_is_printed_exactly_once(prowl: Prowl) -> None:
    """In the file of all sheets and in each component's own, on both papers; backs as often as fronts."""
    for sheet in prowl.papers:
        assert set(prowl.files(sheet)) == {"print", *COPIES, *BOARDS}
        for name, path in prowl.files(sheet).items():
            parts = list(in_the_tables()) if name == "print" else [name]
            wanted = Counter({piece: copies for part in parts for piece, copies in in_the_tables()[part].items()})
            backed = Counter({piece: copies for piece, copies in wanted.items() if piece.startswith(DECKS)})
            for side, expected in (("front", wanted), ("back", Counter() if prowl.backs == "none" else backed)):
                assert Counter(face.name for page in read(path) for face in page.only(side)) == expected


def test_books_are_files_of_their_own(build_prowl: Callable[..., Path]) -> None:
    """A book in full size, in half and to fold; a card in half and two on a sheet; each a page for the phone as well."""
    folder = build_prowl("long-edge")
    wanted = {"rulebook", "rulebook-booklet", "construction", "construction-booklet", "sailing-orders-two-up"}
    for sheet, half in HALVES.items():
        halves = {f"{name}{half}" for name in BOOKS}
        assert {path.stem for path in Prowl("long-edge", folder).books(sheet)} == wanted | halves
    assert {path.stem for path in folder.glob("*.html")} == set(BOOKS)


def test_pieces_are_printed_in_their_size(prowl: Prowl) -> None:
    """Cards of 63 × 88 mm, captains of 90 × 60 mm, nets and charts as they are measured: to a hundredth of a
    millimetre, never mirrored, and, but for charts, which go over several pages, where printers reach."""
    for path in prowl.all_files():
        for page in read(path):
            for face in page.faces:
                top_left, top_right, _, bottom_left = face.corners
                size = measures()[face.component]
                assert math.isclose(math.dist(top_left, top_right), size.width, abs_tol=0.01)
                assert math.isclose(math.dist(top_left, bottom_left), size.height, abs_tol=0.01)
                # On an unmirrored face the left edge is clockwise from the top edge, however the face lies.
                across = complex(*top_right) - complex(*top_left)
                down = complex(*bottom_left) - complex(*top_left)
                assert (down / across).imag > 0
                for x, y in face.corners if face.component not in BOARDS else ():
                    assert 6.34 <= x <= page.size[0] - 6.34
                    assert 6.34 <= y <= page.size[1] - 6.34


def test_no_piece_lies_on_another(prowl: Prowl) -> None:
    """Cards and pawns, which are rectangles, may share an edge; the boxes around all else keep 2 mm for scissors."""
    straight = {*CARDS, "pawns"}
    shared = 0
    for path in prowl.all_files():
        for page in read(path):
            shared += len({face.component for face in page.faces} & set(FOLDED)) > 1
            for one, two in itertools.combinations(page.faces, 2):
                gap = 0.0 if {one.component, two.component} <= straight else 2.0
                (l1, t1, r1, b1), (l2, t2, r2, b2) = room(one), room(two)
                assert max(l2 - r1, l1 - r2, t2 - b1, t1 - b2) >= gap - 0.01
    # In the files of all sheets nets of different components do lie among each other.
    assert shared > 0


def test_folds_are_marked_where_nets_are_folded(prowl: Prowl) -> None:
    """Dashed lines on each net, as many and as long as its folds; on cards none."""
    for path in prowl.all_files():
        for page in sheets(path):
            # Each dashed line has a white one of the same dashes below it.
            dashed = set(page.dashed)
            for face in page.faces:
                if face.component in BOARDS:
                    continue
                left, top, right, bottom = room(face)
                on_it = [
                    math.dist(*line)
                    for line in dashed
                    if all(left - 0.01 <= x <= right + 0.01 and top - 0.01 <= y <= bottom + 0.01 for x, y in line)
                ]
                assert sorted(on_it) == pytest.approx(sorted(measures()[face.component].folds), abs=0.01)


def test_pages_are_fronts_and_backs_in_turn(prowl: Prowl) -> None:
    """First what has backs, each front with its back behind it, then the pages of one side: captains, nets, charts and
    pages that only show how. In other files backs lie beside their fronts only."""
    for path in prowl.all_files():
        pages = list(sheets(path))
        if prowl.both_sides(path):
            while pages and any(face.component in DECKS for face in pages[0].faces):
                front, back = pages.pop(0), pages.pop(0)
                assert not front.only("back")
                assert not back.only("front")
                assert not back.pictures
                assert not back.dashed
                owners = [face for face in front.faces if face.component in DECKS]
                assert len(back.faces) == len(owners)
            assert not any(page.only("back") for page in pages)
        assert all(page.only("front") or page.pictures for page in pages)


def test_how_to_pages_come_last_and_show_every_net(two_ways: Prowl) -> None:
    """A file with nets ends with one page of pictures that names them all; no other file has such a page."""
    for path in two_ways.all_files():
        nets = [name for name in FOLDED if path.stem in ("print", name)]
        pages = read(path)
        found, explained, pictures = [], list[str](), 0
        for number, page in enumerate(pages, 1):
            if page.pictures and not page.faces and number > len(pages) - len(sheets(path)):
                text = run("pdftotext", "-enc", "UTF-8", "-f", str(number), "-l", str(number), path, "-").stdout
                if "How to fold and glue" in text:
                    found.append(number)
                    # Titles are set with round apostrophes.
                    explained += [name for name in nets if TITLES[name].replace("'", "\u2019") in text]
                    pictures += page.pictures
        assert sorted(explained) == sorted(nets)
        # Each flat, half folded, and done, at the least.
        assert pictures >= 3 * len(nets)
        assert found == sorted(found) and bool(found) == bool(nets)


def test_each_back_lies_under_its_face(prowl: Prowl) -> None:
    """Held to the light, or folded along the dashed line: on all sheets, partial ones too, within 0.01 mm."""
    if prowl.backs == "none":
        assert not any(page.only("back") for path in prowl.all_files() for page in read(path))
        return
    pairs = partial = 0
    for path in prowl.all_files():
        pages = [page for page in read(path) if any(face.component in DECKS for face in page.faces)]
        fullest = max((len(page.only("front")) for page in pages), default=0)
        leaves = zip(pages[::2], pages[1::2], strict=True) if prowl.backs in DUPLEX else zip(pages, pages, strict=True)
        for front, back in leaves:
            turn = {"long-edge": book_turn, "short-edge": calendar_turn}.get(prowl.backs) or about_the_fold(front)
            partial += len(front.only("front")) < fullest
            for face in front.only("front"):
                under = [behind for behind in back.only("back") if lies_under(face, behind, turn(front.size))]
                # Captains, who have no backs, fill the room that a deck leaves.
                assert [behind.name for behind in under] == ([face.name] if face.component in DECKS else [])
                pairs += len(under)
    # On each paper, each copy in the file of all sheets and in its component's own.
    assert pairs == len(prowl.papers) * 2 * sum(COPIES[name] for name in DECKS)
    # Four cards a folded sheet fill all of them; nine a sheet leave cannons and bad luck a part.
    assert partial > 0 or prowl.backs == "gutterfold"


def about_the_fold(page: Side) -> Callable[[Point], Callable[[Point], Point]]:
    """How folding a sheet along its one dashed line exchanges its points; the line runs through the middle."""
    (((x1, y1), (x2, y2)),) = page.dashed
    if math.isclose(x1, x2, abs_tol=0.001):
        assert math.isclose(x1, page.size[0] / 2, abs_tol=0.001)
        return book_turn
    assert math.isclose(y1, y2, abs_tol=0.001)
    assert math.isclose(y1, page.size[1] / 2, abs_tol=0.001)
    return calendar_turn


def test_pages_have_the_size_of_the_paper(prowl: Prowl) -> None:
    """All boxes are one and the same, exactly A4 or Letter, and nothing turns or enlarges the page."""
    for sheet, (width, height) in prowl.papers.items():
        for path in prowl.files(sheet).values():
            for page in opened(path).pages:
                box = [float(number) for number in page["/MediaBox"]]
                assert box == pytest.approx([0, 0, width * MM, height * MM], abs=0.001)
                for name in ("/CropBox", "/TrimBox", "/BleedBox"):
                    assert [float(number) for number in page[name]] == box
                assert page.get("/Rotate", 0) == 0
                assert "/UserUnit" not in page


def test_viewers_are_asked_to_print_as_meant(prowl: Prowl) -> None:
    """Not scaled, on the paper of the file's size, turned about the right edge; a file without backs on one side,
    or its second sheet would land behind its first."""
    for path in prowl.all_files():
        wishes = opened(path).trailer["/Root"]["/ViewerPreferences"]
        assert wishes["/PrintScaling"] == "/None"
        assert wishes["/Duplex"] == (DUPLEX[prowl.backs] if prowl.both_sides(path) else "/Simplex")
        assert wishes["/PickTrayByPDFSize"].value is True
        assert wishes["/DisplayDocTitle"].value is True


def test_files_have_their_titles(prowl: Prowl) -> None:
    """Game, version and what the file holds; author and language too."""
    for path in prowl.all_files():
        reader = opened(path)
        what = "all sheets" if path.stem == "print" else TITLES[path.stem]
        assert reader.metadata is not None
        assert reader.metadata.title == f"Pirates on the Prowl 2.01: {what}"
        assert reader.metadata.author == "Ronaldo Siète"
        assert reader.trailer["/Root"]["/Lang"] == "en"


def test_bookmarks_lead_to_each_group_of_sheets(prowl: Prowl) -> None:
    """The plan, how to cut, and the first page of the components that share sheets, then how to join charts and fold; in
    a component's own file what it has of these. Up to the next bookmark there is nothing else."""
    for path in prowl.all_files():
        marks = [(str(mark.title), opened(path).get_destination_page_number(mark)) for mark in opened(path).outline]
        pages = read(path)
        if path.stem == "print":
            assert marks[:2] == [("What to print", 0), ("How to print and cut", 1)]
            assert not any(page.faces for page in pages[:2])
            marks = marks[2:]
            assert marks[0][1] == 2
        else:
            assert marks[0] == (TITLES[path.stem], 0)
        wanted = list(TITLES) if path.stem == "print" else [path.stem]
        shown = [part for title, _ in marks if title.startswith((HOW_TO, JOIN)) for part in title.split("; ")]
        told = {
            name for name in (*FOLDED, *BOARDS) if any(TITLES[name] in part.split(": ", 1)[1].split(", ") for part in shown)
        }
        assert told == {name for name in wanted if name in FOLDED or name in BOARDS}
        named = [name for title, _ in marks if not title.startswith((HOW_TO, JOIN)) for name in title.split(", ")]
        # Captains lie on sheets of both kinds.
        assert set(named) == {TITLES[name] for name in wanted}
        assert len(named) <= len(wanted) + 1
        for (title, at), (_, end) in itertools.pairwise([*marks, ("", len(pages))]):
            shows = title.startswith((HOW_TO, JOIN))
            parts = {name for name, written in TITLES.items() if not shows and written in title.split(", ")}
            assert {face.component for page in pages[at:end] for face in page.faces} == parts
            # How-to pages have pictures alone.
            assert bool(pages[at].pictures) == shows
            assert bool(pages[at].faces) != shows


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    program, *arguments = map(str, command)
    return subprocess.run([tool(program), *arguments], capture_output=True, text=True, timeout=60, encoding="utf-8")


def test_qpdf_finds_no_fault(two_ways: Prowl) -> None:
    """No syntax or stream errors in any file."""
    for path in two_ways.all_pdfs():
        done = run("qpdf", "--check", path)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "No syntax or stream encoding errors" in done.stdout
        assert "WARNING" not in done.stdout + done.stderr


def test_all_fonts_are_embedded_subsets(two_ways: Prowl) -> None:
    """A print shop need not have the fonts, and gets only the letters that are printed."""
    for path in two_ways.all_pdfs():
        done = run("pdffonts", path)
        assert done.stderr == ""
        fonts = done.stdout.splitlines()[2:]
        assert fonts
        for line in fonts:
            flags = re.search(r"\s(yes|no)\s+(yes|no)\s+(?:yes|no)\s+\d+\s+\d+\s*$", line)
            assert flags, line
            assert flags.groups() == ("yes", "yes"), line


@pytest.mark.parametrize("two_ways", ["long-edge", FOLDED_AT_LENGTH], indirect=True)
def test_poppler_draws_the_pages_without_complaint(two_ways: Prowl, tmp_path: Path) -> None:
    """The plan, the first sheets, the captains, and each kind of net with how to fold it, on both papers."""
    pages = {"print": 5, "characters": 1, "pawns": 2, "dice": 2, "ships": COPIES["ships"] + 1, "box-cargo": 2}
    for sheet in two_ways.papers:
        for name, last in pages.items():
            path = two_ways.files(sheet)[name]
            done = run("pdftoppm", "-r", "20", "-l", str(last), "-png", path, tmp_path / f"{sheet}-{name}")
            assert (done.returncode, done.stderr) == (0, "")
    assert len(list(tmp_path.glob("*.png"))) == len(two_ways.papers) * sum(pages.values())


def test_texts_of_cards_can_be_selected(two_ways: Prowl) -> None:
    """What was typed in the tables is text in the files, not a drawing of text."""
    known = {
        "bad-luck": "The reef was not on the chart. Sail home for repairs: that is all your coming turns are for.",
        "characters": "Sees trouble coming from miles off, and steers at it.",
        "treasure": "Fits every finger, once you have cut off the one it came with.",
        "ships": "Compare the highest dice in order, as many as the smaller side has. A tie loses for the attacker.",
        "box-cargo": "60 cargo, 12 bad luck",
        "dice": "Press the last face shut and let it dry.",
    }
    for sheet in two_ways.papers:
        for name, text in known.items():
            done = run("pdftotext", "-enc", "UTF-8", two_ways.files(sheet)[name], "-")
            assert text in " ".join(done.stdout.split())


def streams(reader: PdfReader) -> Iterator[tuple[str, Any, Any]]:
    """Every stream that draws, with its resources: pages, and the forms and patterns they use, each once."""
    seen: set[int] = set()

    def below(resources: Any) -> Iterator[tuple[str, Any, Any]]:
        inner = [*resources.get("/XObject", {}).values(), *resources.get("/Pattern", {}).values()]
        masks = [state.get_object().get("/SMask") for state in resources.get("/ExtGState", {}).values()]
        inner += [mask.get_object().raw_get("/G") for mask in masks if mask is not None and mask != "/None"]
        for reference in inner:
            drawn = reference.get_object()
            if reference.idnum in seen or not isinstance(drawn, StreamObject) or drawn.get("/Subtype") == "/Image":
                continue
            seen.add(reference.idnum)
            own = drawn.get("/Resources", {}).get_object() if "/Resources" in drawn else {}
            yield f"object {reference.idnum}", ContentStream(drawn, reader), own
            yield from below(own)

    for number, page in enumerate(reader.pages, 1):
        yield f"page {number}", page.get_contents(), page["/Resources"]
        yield from below(page["/Resources"])


# Operators that take a name from the resources, and the names that are everybody's.
NAMED = {
    b"Do": "/XObject",
    b"gs": "/ExtGState",
    b"Tf": "/Font",
    b"sh": "/Shading",
    b"cs": "/ColorSpace",
    b"CS": "/ColorSpace",
}
EVERYBODYS = {"/DeviceRGB", "/DeviceGray", "/DeviceCMYK", "/Pattern"}


@pytest.mark.parametrize("two_ways", ["long-edge", FOLDED_AT_LENGTH], indirect=True)
def test_every_stream_is_balanced_and_finds_its_resources(two_ways: Prowl) -> None:
    """Each q has its Q, each BT its ET, and each name that is used is there: in pages, faces, layers, patterns."""
    sheet = "a4" if two_ways.backs == "long-edge" else "letter"
    counted = 0
    for where, content, resources in streams(opened(two_ways.files(sheet)["print"])):
        counted += 1
        depth = texts = 0
        for operands, operator in content.operations:
            depth += {b"q": 1, b"Q": -1}.get(operator, 0)
            texts += {b"BT": 1, b"ET": -1}.get(operator, 0)
            assert depth >= 0, where
            assert texts in (0, 1), where
            group = NAMED.get(operator)
            if operator in (b"scn", b"SCN") and isinstance(operands[-1], NameObject):
                group, operands = "/Pattern", operands[-1:]
            if group and operands[0] not in EVERYBODYS:
                assert operands[0] in resources.get(group, {}), f"{where}: {operands[0]}"
        assert (depth, texts) == (0, 0), where
    # Pages, the sides of all designs and their layers.
    assert counted > 150


def test_no_font_is_embedded_twice(two_ways: Prowl) -> None:
    """However many cards use a font, its file is in the PDF once."""
    for path in two_ways.all_files():
        found: dict[int, tuple[str, int]] = {}
        for _, _, resources in streams(opened(path)):
            for reference in resources.get("/Font", {}).values():
                font = reference.get_object()
                for descendant in font.get("/DescendantFonts", [font]):
                    descriptor = descendant.get_object()["/FontDescriptor"]
                    kind = next(key for key in ("/FontFile", "/FontFile2", "/FontFile3") if key in descriptor)
                    file = descriptor.raw_get(kind)
                    name = str(descriptor["/FontName"]).partition("+")[2]
                    found[file.idnum] = (name, len(file.get_object().get_data()))
        assert found
        assert max(Counter(found.values()).values()) == 1


def test_a_drawing_is_stored_once(two_ways: Prowl) -> None:
    """However many cards show a layer, the file has it once; only the small named forms of pieces may be alike."""
    reader = opened(two_ways.files("letter")["print"])
    found = Counter(
        (content.get_data(), str(resources))
        for where, content, resources in streams(reader)
        if where.startswith("object") and "/PNPPiece" not in reader.get_object(int(where.split()[1]))
    )
    assert len(found) > 50
    assert max(found.values()) == 1


def build_elsewhere(root: Path, **environment: str) -> dict[str, bytes]:
    """Build the tiny game of a project from a process of its own; its files by name."""
    done = subprocess.run(
        [sys.executable, "-m", "pnp", "--project", str(root), "build", "tiny", "--paper", "a4", "--paper", "letter"],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    output = root / "output"
    return {path.relative_to(output).as_posix(): path.read_bytes() for path in output.rglob("*") if path.is_file()}


@pytest.mark.at_length
def test_two_builds_give_the_same_bytes(tiny: Any, tmp_path: Path) -> None:
    """In another folder, another time zone, another language and with other hashes."""
    elsewhere = tmp_path / "somewhere else, with a much longer name" / "and deeper"
    for part in ("content", "templates"):
        shutil.copytree(tiny.project.root / part, elsewhere / part)
    here = build_elsewhere(tiny.project.root, TZ="UTC", LC_ALL="C", PYTHONHASHSEED="1")
    there = build_elsewhere(elsewhere, TZ="Pacific/Kiritimati", LC_ALL="C.UTF-8", LANGUAGE="de", PYTHONHASHSEED="2")
    assert {"tiny/a4/print.pdf", "tiny/a4/cards.pdf", "tiny/letter/print.pdf", "tiny/manifest.json"} <= set(here)
    assert here == there


@pytest.mark.parametrize("clock", ["1000000", "2000000000", "yesterday"])
def test_a_clock_that_is_set_from_outside_changes_nothing(tiny: Any, clock: str) -> None:
    """Programs that pack other programs set SOURCE_DATE_EPOCH: the bytes are those of a build without it."""
    without = build_elsewhere(tiny.project.root)
    shutil.rmtree(tiny.project.root / "output")

    assert build_elsewhere(tiny.project.root, SOURCE_DATE_EPOCH=clock) == without


def test_a_game_without_backs_is_printed_on_one_side(tiny: Any) -> None:
    """Its files ask for one side even where duplex was chosen, and its plan names the pages that are there."""
    tiny.write("content/tiny/cards.csv", "name,text,copies\nAnna,Draw two.,20\n")
    assert tiny.build("long-edge").ok
    reader = PdfReader(tiny.project.root / "output" / "tiny" / "a4" / "print.pdf")
    # Nine a sheet: three sheets after the plan's two pages.
    assert len(reader.pages) == 2 + 3
    assert reader.trailer["/Root"]["/ViewerPreferences"]["/Duplex"] == "/Simplex"
    assert "one side pages 3–5 · 3 sheets" in " ".join(reader.pages[0].extract_text().split())


def test_a_partial_folded_sheet_aligns_too(tiny: Any) -> None:
    """Five cards, four a sheet: the fifth lies alone on its sheet, its back under it when the sheet is folded."""
    tiny.write("content/tiny/cards.csv", "name,text,copies\nAnna,Draw two.,5\n")
    game = (tiny.game / "game.toml").read_text(encoding="utf-8")
    tiny.write("content/tiny/game.toml", f'{game}\nback = "back"\n')
    template = (tiny.project.root / "templates" / "tiny" / "cards.svg.j2").read_text(encoding="utf-8")
    tiny.write("templates/tiny/back.svg.j2", re.sub(r"\{\{ s\.text\(row.*\n", "", template))
    assert tiny.build("gutterfold").ok
    pages = read(tiny.project.root / "output" / "tiny" / "a4" / "cards.pdf")
    assert [len(page.only("front")) for page in pages] == [4, 1]
    for page in pages:
        turn = about_the_fold(page)(page.size)
        for face in page.only("front"):
            assert sum(lies_under(face, behind, turn) for behind in page.only("back")) == 1
