"""The shipped game as a printer gets it: measured and counted in the finished PDFs.

Nothing here asks the program what it meant to print. The files are read with pypdf, which has no part in
writing them, and with the tools that printers and shops use; the tables are read anew.
"""

from __future__ import annotations

import csv
import math
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from conftest import tool
from pypdf import PdfReader
from pypdf.generic import ContentStream, NameObject, StreamObject

CONTENT = Path(__file__).resolve().parents[2] / "content" / "pirates-on-the-prowl"
MM = 72 / 25.4
BLEED = 3.0
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
DUPLEX = {"long-edge": "/DuplexFlipLongEdge", "short-edge": "/DuplexFlipShortEdge"}
TITLES = {
    "cargo": "Cargo",
    "bad-luck": "Bad luck",
    "cannon": "Bronze cannons",
    "treasure": "Treasure tickets",
    "characters": "Captains",
}
COPIES = {"cargo": 60, "bad-luck": 12, "cannon": 24, "treasure": 36, "characters": 18}
BOARD = "board-"
# Captains are taped back to back, two of each: they have no backs.
WITHOUT_BACKS = "characters"
SIZES = {**dict.fromkeys(COPIES, (63.0, 88.0)), WITHOUT_BACKS: (90.0, 60.0)}

# One worker builds the game in all its ways, once.
pytestmark = pytest.mark.xdist_group("printed")

Matrix = tuple[float, float, float, float, float, float]
Point = tuple[float, float]
Corners = tuple[Point, Point, Point, Point]


@dataclass(frozen=True)
class Prowl:
    """The built game: how backs are printed, and where its files are."""

    backs: str
    folder: Path

    def files(self, sheet: str) -> dict[str, Path]:
        """``print`` and the card decks' own files for one paper, by name; boards have tests of their own."""
        found = {path.stem: path for path in sorted((self.folder / sheet).glob("*.pdf"))}
        return {name: path for name, path in found.items() if not name.startswith(BOARD)}

    def all_files(self) -> list[Path]:
        return [path for sheet in PAPERS for path in self.files(sheet).values()]


@pytest.fixture(scope="module", params=["long-edge", "short-edge", "gutterfold", "none"])
def prowl(request: pytest.FixtureRequest, build_prowl: Callable[..., Path]) -> Prowl:
    """The game in each way of printing backs."""
    return Prowl(request.param, build_prowl(request.param))


@pytest.fixture(scope="module", params=["long-edge", "gutterfold"])
def two_ways(request: pytest.FixtureRequest, build_prowl: Callable[..., Path]) -> Prowl:
    """The game on two sides of the paper and on one: for what does not depend on the edge."""
    return Prowl(request.param, build_prowl(request.param))


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
    """A page: its size in mm, the faces on it, its dashed lines."""

    size: Point
    faces: tuple[Placed, ...]
    dashed: tuple[tuple[Point, Point], ...]

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


@cache
def read(path: Path) -> tuple[Side, ...]:
    """The pages with sheets of cards: all of a deck's file, those after the two of the plan in ``print.pdf``.

    Pages of boards are left out, and the empty backs that follow them in a file for both sides.
    """
    pages = PdfReader(path).pages
    kept: list[Side] = []
    after_board = False
    for side in map(read_page, pages[2 if path.stem == "print" else 0 :]):
        of_board = any(face.component.startswith((BOARD, "pnp")) for face in side.faces)
        after_board = of_board or (after_board and not side.faces)
        if not after_board:
            kept.append(side)
    return tuple(kept)


def read_page(page: Any) -> Side:
    """Follow a page's drawing to where its faces and dashed lines come to lie."""
    width, height = (float(number) / MM for number in page.mediabox[2:])
    faces, dashed = [], []
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
                left, bottom, right, top = map(float, form["/BBox"])
                inside = BLEED * MM
                left, bottom, right, top = left + inside, bottom + inside, right - inside, top - inside
                corners = (on_page(left, top), on_page(right, top), on_page(right, bottom), on_page(left, bottom))
                faces.append(Placed(str(form["/PNPPiece"]), str(form["/PNPSide"])[1:].lower(), corners))
    return Side((width, height), tuple(faces), tuple(dashed))


@cache
def in_the_tables() -> dict[str, Counter[str]]:
    """Copies by component and piece, from the tables as a person would count them."""

    def rows(table: str) -> list[dict[str, str]]:
        with (CONTENT / f"{table}.csv").open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    found = {
        name: Counter({f"{name}/{row['id']}": int(row["copies"]) for row in rows(name)})
        for name in ("cargo", "bad-luck", "characters")
    }
    for deck in ("cannon", "treasure"):
        found[deck] = Counter({f"{deck}/{row['id']}": int(row["copies"]) for row in rows("tickets") if row["deck"] == deck})
    return found


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
    """60 cargo, 12 bad luck, 24 cannons, 36 treasures, 18 captains."""
    assert {name: sum(copies.values()) for name, copies in in_the_tables().items()} == COPIES


def test_every_copy_is_printed_exactly_once(prowl: Prowl) -> None:
    """In the file of all sheets and in each component's own, on both papers; backs as often as fronts."""
    for sheet in PAPERS:
        assert set(prowl.files(sheet)) == {"print", *COPIES}
        for name, path in prowl.files(sheet).items():
            parts = list(COPIES) if name == "print" else [name]
            wanted = Counter({piece: copies for part in parts for piece, copies in in_the_tables()[part].items()})
            backed = Counter({piece: copies for piece, copies in wanted.items() if not piece.startswith(WITHOUT_BACKS)})
            for side, expected in (("front", wanted), ("back", Counter() if prowl.backs == "none" else backed)):
                assert Counter(face.name for page in read(path) for face in page.only(side)) == expected


def test_pieces_are_printed_in_their_size(prowl: Prowl) -> None:
    """63 × 88 mm, captains 90 × 60 mm, to a hundredth of a millimetre, never mirrored, where printers reach."""
    for path in prowl.all_files():
        for page in read(path):
            for face in page.faces:
                top_left, top_right, _, bottom_left = face.corners
                width, height = SIZES[face.component]
                assert math.isclose(math.dist(top_left, top_right), width, abs_tol=0.01)
                assert math.isclose(math.dist(top_left, bottom_left), height, abs_tol=0.01)
                # On an unmirrored face the left edge is clockwise from the top edge, however the face lies.
                across = complex(*top_right) - complex(*top_left)
                down = complex(*bottom_left) - complex(*top_left)
                assert (down / across).imag > 0
                for x, y in face.corners:
                    assert 6.34 <= x <= page.size[0] - 6.34
                    assert 6.34 <= y <= page.size[1] - 6.34


def test_pages_are_fronts_and_backs_in_turn(prowl: Prowl) -> None:
    """Of a file for both sides every second page is a back; other files have fronts, with backs only beside them."""
    for path in prowl.all_files():
        pages = read(path)
        if prowl.backs in DUPLEX and path.stem != WITHOUT_BACKS:
            assert len(pages) % 2 == 0
            assert all(page.faces and not page.only("back") for page in pages[::2])
            assert not any(page.only("front") for page in pages[1::2])
            for front, back in zip(pages[::2], pages[1::2], strict=True):
                owners = [face for face in front.faces if face.component != WITHOUT_BACKS]
                assert len(back.faces) == len(owners)
        else:
            assert all(page.only("front") for page in pages)


def test_each_back_lies_under_its_face(prowl: Prowl) -> None:
    """Held to the light, or folded along the dashed line: on all sheets, partial ones too, within 0.01 mm."""
    if prowl.backs == "none":
        assert not any(page.only("back") for path in prowl.all_files() for page in read(path))
        return
    pairs = partial = 0
    for path in prowl.all_files():
        pages = [page for page in read(path) if not any(face.component == WITHOUT_BACKS for face in page.faces)]
        pages = [page for page in pages if page.faces]
        fullest = max((len(page.only("front")) for page in pages), default=0)
        leaves = zip(pages[::2], pages[1::2], strict=True) if prowl.backs in DUPLEX else zip(pages, pages, strict=True)
        for front, back in leaves:
            turn = {"long-edge": book_turn, "short-edge": calendar_turn}.get(prowl.backs) or about_the_fold(front)
            partial += len(front.only("front")) < fullest
            for face in front.only("front"):
                under = [behind for behind in back.only("back") if lies_under(face, behind, turn(front.size))]
                assert [behind.name for behind in under] == [face.name]
                pairs += 1
    # Two papers, each copy in the file of all sheets and in its component's own.
    assert pairs == 2 * 2 * (sum(COPIES.values()) - COPIES[WITHOUT_BACKS])
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
    for sheet, (width, height) in PAPERS.items():
        for path in prowl.files(sheet).values():
            for page in PdfReader(path).pages:
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
        wishes = PdfReader(path).trailer["/Root"]["/ViewerPreferences"]
        both_sides = prowl.backs in DUPLEX and path.stem != WITHOUT_BACKS
        assert wishes["/PrintScaling"] == "/None"
        assert wishes["/Duplex"] == (DUPLEX[prowl.backs] if both_sides else "/Simplex")
        assert wishes["/PickTrayByPDFSize"].value is True
        assert wishes["/DisplayDocTitle"].value is True


def test_files_have_their_titles(prowl: Prowl) -> None:
    """Game, version and what the file holds; author and language too."""
    for path in prowl.all_files():
        reader = PdfReader(path)
        what = "all sheets" if path.stem == "print" else TITLES[path.stem]
        assert reader.metadata is not None
        assert reader.metadata.title == f"Pirates on the Prowl 2.01: {what}"
        assert reader.metadata.author == "Ronaldo Siète"
        assert reader.trailer["/Root"]["/Lang"] == "en"


def test_bookmarks_lead_to_each_group_of_sheets(prowl: Prowl) -> None:
    """The plan, how to cut, and the first sheet of the decks that share sheets; one in a component's own file."""
    for path in prowl.all_files():
        reader = PdfReader(path)
        marks = [(str(mark.title), reader.get_destination_page_number(mark)) for mark in reader.outline]
        before = 0
        if path.stem == "print":
            assert marks[:2] == [("What to print", 0), ("How to print and cut", 1)]
            marks, before = marks[2:], 2
        marks = [mark for mark in marks if not mark[0].startswith("Sea chart")]
        named = [name for title, _ in marks for name in title.split(", ")]
        assert sorted(named) == sorted(TITLES.values() if path.stem == "print" else [TITLES[path.stem]])
        for title, at in marks:
            parts = {name for name, written in TITLES.items() if written in title.split(", ")}
            sheets = [
                number
                for number, page in enumerate(read(path), before)
                if any(face.component in parts for face in page.faces)
            ]
            assert at == sheets[0]


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    program, *arguments = map(str, command)
    return subprocess.run([tool(program), *arguments], capture_output=True, text=True, timeout=60, encoding="utf-8")


def test_qpdf_finds_no_fault(two_ways: Prowl) -> None:
    """No syntax or stream errors in any file."""
    for path in two_ways.all_files():
        done = run("qpdf", "--check", path)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "No syntax or stream encoding errors" in done.stdout
        assert "WARNING" not in done.stdout + done.stderr


def test_all_fonts_are_embedded_subsets(two_ways: Prowl) -> None:
    """A print shop need not have the fonts, and gets only the letters that are printed."""
    for path in two_ways.all_files():
        done = run("pdffonts", path)
        assert done.stderr == ""
        fonts = done.stdout.splitlines()[2:]
        assert fonts
        for line in fonts:
            flags = re.search(r"\s(yes|no)\s+(yes|no)\s+(?:yes|no)\s+\d+\s+\d+\s*$", line)
            assert flags, line
            assert flags.groups() == ("yes", "yes"), line


def test_poppler_draws_the_pages_without_complaint(two_ways: Prowl, tmp_path: Path) -> None:
    """The plan, the first sheets and the captains, on both papers."""
    for sheet in PAPERS:
        for name, last in (("print", 5), ("characters", 1)):
            path = two_ways.files(sheet)[name]
            done = run("pdftoppm", "-r", "20", "-l", str(last), "-png", path, tmp_path / f"{sheet}-{name}")
            assert (done.returncode, done.stderr) == (0, "")
    assert len(list(tmp_path.glob("*.png"))) == 2 * (5 + 1)


def test_texts_of_cards_can_be_selected(two_ways: Prowl) -> None:
    """What was typed in the tables is text in the files, not a drawing of text."""
    known = {
        "bad-luck": "The reef was not on the chart. Sail home for repairs: that is all your coming turns are for.",
        "characters": "Sees trouble coming from ten miles off, and steers at it.",
        "treasure": "Fits every finger, once you have cut off the one it came with.",
    }
    for sheet in PAPERS:
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


def test_every_stream_is_balanced_and_finds_its_resources(two_ways: Prowl) -> None:
    """Each q has its Q, each BT its ET, and each name that is used is there: in pages, faces, layers, patterns."""
    sheet = "a4" if two_ways.backs == "long-edge" else "letter"
    counted = 0
    for where, content, resources in streams(PdfReader(two_ways.files(sheet)["print"])):
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
        for _, _, resources in streams(PdfReader(path)):
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
    reader = PdfReader(two_ways.files("a4")["print"])
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


def test_two_builds_give_the_same_bytes(tiny: Any, tmp_path: Path) -> None:
    """In another folder, another time zone, another language and with other hashes."""
    elsewhere = tmp_path / "somewhere else, with a much longer name" / "and deeper"
    for part in ("content", "templates"):
        shutil.copytree(tiny.project.root / part, elsewhere / part)
    here = build_elsewhere(tiny.project.root, TZ="UTC", LC_ALL="C", PYTHONHASHSEED="1")
    there = build_elsewhere(elsewhere, TZ="Pacific/Kiritimati", LC_ALL="C.UTF-8", LANGUAGE="de", PYTHONHASHSEED="2")
    assert {"tiny/a4/print.pdf", "tiny/a4/cards.pdf", "tiny/letter/print.pdf", "tiny/manifest.json"} <= set(here)
    assert here == there


def test_a_game_without_backs_is_printed_on_one_side(tiny: Any) -> None:
    """Its files ask for one side even where duplex was chosen, and its plan names the pages that are there."""
    tiny.write("content/tiny/cards.csv", "name,text,copies\nAnna,Draw two.,20\n")
    assert tiny.build("long-edge").ok
    reader = PdfReader(tiny.project.root / "output" / "tiny" / "a4" / "print.pdf")
    # Nine a sheet: three sheets after the plan's two pages.
    assert len(reader.pages) == 2 + 3
    assert reader.trailer["/Root"]["/ViewerPreferences"]["/Duplex"] == "/Simplex"
    assert "3–5" in reader.pages[0].extract_text()
    assert "on one side" in " ".join(reader.pages[0].extract_text().split())


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
