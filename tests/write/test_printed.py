"""The shipped game as a printer gets it: measured and counted in the finished PDFs: the files themselves.

Nothing here asks the program what it meant to print. The files are read with pypdf, which has no part in
writing them, and with the tools that printers and shops use; the tables are read anew.
"""

from __future__ import annotations

import itertools
import re
import subprocess
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from conftest import PROWL_PAPERS, tool
from pypdf import PdfReader
from pypdf.generic import ContentStream, NameObject, StreamObject

CONTENT = Path(__file__).resolve().parents[2] / "content" / "pirates-on-the-prowl"
MM = 72 / 25.4
PAPERS = {name: size for name, size in (("a4", (210.0, 297.0)), ("letter", (215.9, 279.4))) if name in PROWL_PAPERS}
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
# Two books to fold, and a card, two of which lie on a sheet; each in half the paper's size as well.
BOOKS = {"rulebook": ("-booklet",), "construction": ("-booklet",), "sailing-orders": ("-two-up",)}
HALVES = {"a4": "-a5", "letter": "-half-letter"}
# The small pictures of the plan and of how-to pages have this name instead of a piece's.
PICTURE = "pnp/plan"
HOW_TO, JOIN = "How to fold", "How to join"


@dataclass(frozen=True)
class Prowl:
    """The built game: where its files are."""

    folder: Path

    def files(self, sheet: str) -> dict[str, Path]:
        """``print`` and the components' own files for one paper, by name; books are files that hold no pieces."""
        books = {f"{name}{suffix}" for name, forms in BOOKS.items() for suffix in ("", HALVES[sheet], *forms)}
        return {path.stem: path for path in sorted((self.folder / sheet).glob("*.pdf")) if path.stem not in books}

    def all_files(self) -> list[Path]:
        """All files with sheets of pieces."""
        return [path for sheet in PAPERS for path in self.files(sheet).values()]

    def all_pdfs(self) -> list[Path]:
        """Books too."""
        return [path for sheet in PAPERS for path in sorted((self.folder / sheet).glob("*.pdf"))]


@pytest.fixture(scope="module")
def prowl(build_prowl: Callable[..., Path]) -> Prowl:
    return Prowl(build_prowl())


@lru_cache(32)
def opened(path: Path) -> PdfReader:
    """A file, parsed as far as somebody has looked."""
    return PdfReader(path)


def drawn(page: Any) -> list[str]:
    """The names of the pieces that a page draws."""
    forms = page["/Resources"].get("/XObject", {})
    used = [operands[0] for operands, operator in page.get_contents().operations if operator == b"Do"]
    return [str(forms[name].get_object()["/PNPPiece"]) for name in used]


def test_files_say_what_they_are(prowl: Prowl) -> None:
    """All boxes of a page are one and the same, exactly A4 or Letter, and nothing turns or enlarges it. To be printed not
    scaled, on the paper of the file's size, turned about the right edge; a file without backs on one side, or its second
    sheet would land behind its first. Game, version and what the file holds; author and language too."""
    for path in prowl.all_files():
        reader, (width, height) = opened(path), PAPERS[path.parent.name]
        for page in reader.pages:
            box = [float(number) for number in page["/MediaBox"]]
            assert box == pytest.approx([0, 0, width * MM, height * MM], abs=0.001)
            assert all([float(number) for number in page[name]] == box for name in ("/CropBox", "/TrimBox", "/BleedBox"))
            assert page.get("/Rotate", 0) == 0 and "/UserUnit" not in page
        root = reader.trailer["/Root"]
        assert root["/ViewerPreferences"] == {
            "/PrintScaling": "/None",
            "/Duplex": "/DuplexFlipLongEdge" if path.stem in ("print", *DECKS) else "/Simplex",
            "/PickTrayByPDFSize": True,
            "/DisplayDocTitle": True,
        }
        what = "all sheets" if path.stem == "print" else TITLES[path.stem]
        assert reader.metadata is not None and root["/Lang"] == "en"
        assert reader.metadata.title == f"Pirates on the Prowl 2.01: {what}"
        assert reader.metadata.author == "Ronaldo Siète"


def test_bookmarks_lead_to_each_group_of_sheets(prowl: Prowl) -> None:
    """The plan, how to cut, and the first page of the components that share sheets, then how to join charts and fold; in
    a component's own file what it has of these. Up to the next bookmark there is nothing else."""
    for path in prowl.all_files():
        marks = [(str(mark.title), opened(path).get_destination_page_number(mark)) for mark in opened(path).outline]
        pages = [drawn(page) for page in opened(path).pages]
        if path.stem == "print":
            assert marks[:2] == [("What to print", 0), ("How to print and cut", 1)]
            assert not any(set(page) - {PICTURE} for page in pages[:2])
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
            assert {name.partition("/")[0] for page in pages[at:end] for name in page if name != PICTURE} == parts
            # How-to pages have pictures alone.
            assert (set(pages[at]) == {PICTURE}) == shows


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    program, *arguments = map(str, command)
    return subprocess.run([tool(program), *arguments], capture_output=True, text=True, timeout=60, encoding="utf-8")


def test_qpdf_finds_no_fault(prowl: Prowl) -> None:
    """No syntax or stream errors in any file."""
    for path in prowl.all_pdfs():
        done = run("qpdf", "--check", path)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "No syntax or stream encoding errors" in done.stdout
        assert "WARNING" not in done.stdout + done.stderr


def test_all_fonts_are_embedded_subsets(prowl: Prowl) -> None:
    """A print shop need not have the fonts, and gets only the letters that are printed."""
    for path in prowl.all_pdfs():
        done = run("pdffonts", path)
        assert done.stderr == ""
        fonts = done.stdout.splitlines()[2:]
        assert fonts
        for line in fonts:
            flags = re.search(r"\s(yes|no)\s+(yes|no)\s+(?:yes|no)\s+\d+\s+\d+\s*$", line)
            assert flags, line
            assert flags.groups() == ("yes", "yes"), line


def test_poppler_draws_the_pages_without_complaint(prowl: Prowl, tmp_path: Path) -> None:
    """The plan, the first sheets, the captains, and each kind of net with how to fold it, on both papers."""
    pages = {"print": 5, "characters": 1, "pawns": 2, "dice": 2, "ships": COPIES["ships"] + 1, "box-cargo": 2}
    for sheet in PAPERS:
        for name, last in pages.items():
            path = prowl.files(sheet)[name]
            done = run("pdftoppm", "-r", "20", "-l", str(last), "-png", path, tmp_path / f"{sheet}-{name}")
            assert (done.returncode, done.stderr) == (0, "")
    assert len(list(tmp_path.glob("*.png"))) == len(PAPERS) * sum(pages.values())


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


def test_every_stream_is_balanced_and_finds_its_resources(prowl: Prowl) -> None:
    """Each q has its Q, each BT its ET, and each name that is used is there: in pages, faces, layers, patterns."""
    counted = 0
    for where, content, resources in streams(opened(prowl.files("a4")["print"])):
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


def test_no_font_is_embedded_twice(prowl: Prowl) -> None:
    """However many cards use a font, its file is in the PDF once."""
    for path in prowl.all_files():
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


def test_a_drawing_is_stored_once(prowl: Prowl) -> None:
    """However many cards show a layer, the file has it once; only the small named forms of pieces may be alike."""
    reader = opened(prowl.files("a4")["print"])
    found = Counter(
        (content.get_data(), str(resources))
        for where, content, resources in streams(reader)
        if where.startswith("object") and "/PNPPiece" not in reader.get_object(int(where.split()[1]))
    )
    assert len(found) > 50
    assert max(found.values()) == 1


def test_a_game_without_backs_is_printed_on_one_side(tiny: Any) -> None:
    """Its files ask for one side even where duplex was chosen, and its plan names the pages that are there."""
    tiny.write("content/tiny/cards.csv", "name,text,copies\nAnna,Draw two.,20\n")
    assert tiny.build("long-edge").ok
    reader = PdfReader(tiny.project.root / "output" / "tiny" / "a4" / "print.pdf")
    # Nine a sheet: three sheets after the plan's two pages.
    assert len(reader.pages) == 2 + 3
    assert reader.trailer["/Root"]["/ViewerPreferences"]["/Duplex"] == "/Simplex"
    assert "pages 3–5 · 3 sheets" in " ".join(reader.pages[0].extract_text().replace("\u2060", "").split())
