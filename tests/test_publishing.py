"""Books never disagree with the box: their numbers are those of the tables and of the printed files."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from bound import BOOK, CARDS, GAME, TURN, Shown, fair, plain_game
from commands import Left, run
from conftest import TinyProject, pipeline
from PIL import Image
from pypdf import PdfReader

from pnp.flows.publish import shoot
from pnp.read.presets import paper
from pnp.values.books import Wish
from pnp.values.game import Paper

PAPERS = ("a4", "letter")
SMALL = {"a4": "a5", "letter": "half-letter"}
TURNED = "content/tiny/rulebook.md"
FEWER = "".join(line for line in CARDS.splitlines(keepends=True) if not line.startswith("balloons"))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The fair as ``pnp build`` leaves it."""
    made = fair(tmp_path_factory.mktemp("fair"))
    result = made.build()
    assert not result.problems.errors, [str(problem) for problem in result.problems]
    return made.project.root / "output" / "tiny"


def said(pdf: Path) -> str:
    """All that a file says, its spaces evened out."""
    return " ".join(" ".join(page.extract_text() for page in PdfReader(pdf).pages).split())


def shown(page: Path) -> str:
    """All that a page for the phone says."""
    return Shown(page.read_text(encoding="utf-8")).words


def texts(folder: Path, name: str = "rulebook") -> list[str]:
    """What a book says in every edition."""
    pdfs = sorted(path for path in folder.glob(f"*/{name}*.pdf") if "booklet" not in path.name and "two-up" not in path.name)
    return [*map(said, pdfs), shown(folder / f"{name}.html")]


def told(left: Left) -> list[tuple[str, str]]:
    """Rule and place of each error."""
    return [
        (problem["rule"], ":".join(str(problem[key]) for key in ("file", "row", "column") if problem[key] is not None))
        for problem in left.problems
        if problem["severity"] == "error"
    ]


def wrong(made: TinyProject) -> list[tuple[str, str]]:
    """What building finds wrong; checking finds just the same, and neither leaves a file of the game behind."""
    at = made.project.root
    build, check = run("build", "--json", at=at), run("check", "--json", at=at)
    written = sorted(path.name for path in (at / "output").rglob("*") if path.is_file() and path.name != "report.html")

    assert (build.code, written) == (check.code, []), build.out
    assert build.code in (1, 3)
    assert told(build) == told(check)
    return told(build)


def test_every_edition_is_written(built: Path) -> None:
    """For each paper in full, in half and as a booklet, a card two-up; one page for the phone a book."""
    expected = {"rulebook.html", "turn.html"}
    for name, half in SMALL.items():
        expected |= {f"{name}/rulebook.pdf", f"{name}/rulebook-{half}.pdf", f"{name}/rulebook-booklet.pdf"}
        expected |= {f"{name}/turn-{half}.pdf", f"{name}/turn-two-up.pdf"}
    written = {path.relative_to(built).as_posix() for path in built.rglob("*") if path.is_file()}

    assert {name for name in written if "rulebook" in name or "turn" in name} == expected
    assert json.loads((built / "manifest.json").read_text())["files"].keys() >= expected


@pytest.mark.parametrize("name", PAPERS)
def test_booklets_are_on_the_paper(built: Path, name: str) -> None:
    """Lying across, as many sides as the pages need, padded to four; the card's each side twice."""
    on: Paper = paper(name)
    pages = len(PdfReader(built / name / f"rulebook-{SMALL[name]}.pdf").pages)
    booklet = PdfReader(built / name / "rulebook-booklet.pdf").pages
    cards = PdfReader(built / name / "turn-two-up.pdf").pages

    for side in (*booklet, *cards):
        size = [float(side.mediabox.width) / 72 * 25.4, float(side.mediabox.height) / 72 * 25.4]
        assert size == pytest.approx([on.height, on.width], abs=0.1)
    assert len(booklet) == -(-pages // 4) * 2
    assert [page.extract_text().count("Your turn") for page in cards] == [2]


def letters(texts: Iterable[str]) -> Counter[str]:
    """Letters and signs, however they are ordered and parted."""
    return Counter(letter for text in texts for letter in text if not letter.isspace())


@pytest.mark.parametrize("name", PAPERS)
def test_a_booklet_says_what_its_book_says(built: Path, name: str) -> None:
    """The front cover and the back cover lie on the first side; nothing of the tags of the book is left over."""
    booklet = PdfReader(built / name / "rulebook-booklet.pdf")
    first = booklet.pages[0].extract_text()
    pages = [page.extract_text() for page in PdfReader(built / name / f"rulebook-{SMALL[name]}.pdf").pages]

    assert pages[0].strip() in first and pages[-1].strip() in first
    assert letters(page.extract_text() for page in booklet.pages) == letters(pages)
    assert booklet.metadata is not None and booklet.metadata.title == "The Fair: How to “run” a fair"
    assert "/StructTreeRoot" not in booklet.trailer["/Root"]


def test_a_row_removed_changes_the_number(tmp_path: Path, built: Path) -> None:
    """In every edition: nobody has to think of the book when a table shrinks."""
    made = fair(tmp_path, cards=FEWER, rulebook=BOOK.replace('"balloons"', '"bakery"'))
    assert made.build(papers=("a4",)).ok
    after = made.project.root / "output" / "tiny"

    before_texts, after_texts = texts(built), texts(after)
    assert (len(before_texts), len(after_texts)) == (5, 3)
    assert all("There are 10 stall cards, 4 of them" in text for text in before_texts)
    assert all("There are 8 stall cards, 3 of them" in text for text in after_texts)
    assert all("Play a card: there are 10." in text for text in texts(built, "turn"))
    assert all("Play a card: there are 8." in text for text in texts(after, "turn"))
    table = re.compile(r"Stall cards (\d+) (\d+)")
    assert {match.groups() for text in before_texts for match in table.finditer(text)} == {("4", "10")}
    assert {match.groups() for text in after_texts for match in table.finditer(text)} == {("3", "8")}


def test_a_book_that_shows_a_removed_row_is_wrong(tmp_path: Path) -> None:
    """Its pictures are those of the box as well: each call is named, in each book."""
    turn = TURN.replace('"puppets"', '"balloons"')

    assert wrong(fair(tmp_path, cards=FEWER, turn=turn)) == [
        ("bad-book", f"content/tiny/rulebook.md:{line_of(BOOK, 'balloons')}"),
        ("bad-book", f"content/tiny/turn.md:{line_of(turn, 'balloons')}"),
    ]


def line_of(text: str, snippet: str) -> int:
    """The line of the first such words."""
    return text[: text.index(snippet)].count("\n") + 1


def test_a_number_typed_by_hand_is_held_against_the_tables(tmp_path: Path) -> None:
    """In the rulebook and in any other book, with its line; what agrees, and what is computed, is let be."""
    right = "Really, ten stall cards, {{ count('cards') }} stall cards."
    book = f"# In the box\n\nThere are 11 stall cards.\n\n{right}\n\nAnd nine stall\ncards.\n"
    turn = f"{TURN}\n\nAll 12 stall cards are sold.\n"
    made = fair(tmp_path, rulebook=book, turn=turn)

    assert wrong(made) == [
        ("typed-number", "content/tiny/rulebook.md:3"),
        ("typed-number", "content/tiny/rulebook.md:7"),
        ("typed-number", f"content/tiny/turn.md:{line_of(turn, 'All 12')}"),
    ]


def test_sheets_and_pages_are_those_of_the_printed_files(tmp_path: Path) -> None:
    """Of each component what really lies in print.pdf, of a book what really is in its files; for each paper its own."""
    names = ("cards", "dice", "tiles", "rulebook", "turn")
    line = '{0} {{{{ sheets("{0}") }}}} sheets and pages {{{{ pages("{0}") }}}} end\n\n'
    table = CARDS.replace(",3\n", ",30\n").replace(",4\n", ",40\n")
    game = GAME.replace('papers = ["a4", "letter"]', 'papers = ["a4", "letter", "a3"]')
    made = fair(tmp_path, rulebook="# A\n\n" + "".join(map(line.format, names)), cards=table, game=game)
    assert made.build(papers=("a4", "a3")).ok
    folder = made.project.root / "output" / "tiny"

    for name, half in (("a4", "a5"), ("a3", "a4")):
        text = said(folder / name / f"rulebook-{half}.pdf")
        found = {each: re.findall(rf"{each} (\d+) sheets and pages ([\d–, ]+) end", text) for each in names}
        for component in ("cards", "dice", "tiles"):
            ((sheets, pages),) = found[component]
            on = pages_with(folder / name / "print.pdf", component)
            assert numbers(pages) >= on
            assert sheets_of(on) == sheets_of(numbers(pages)) and int(sheets) == len(sheets_of(on))
        for book, ending in (("rulebook", "booklet"), ("turn", "two-up")):
            ((sheets, pages),) = found[book]
            assert int(pages) == len(PdfReader(folder / name / f"{book}-{half}.pdf").pages)
            assert int(sheets) == -(-len(PdfReader(folder / name / f"{book}-{ending}.pdf").pages) // 2)


def pages_with(pdf: Path, component: str) -> set[int]:
    """The pages of print.pdf on which pieces of a component lie, by the names that printed pieces carry."""
    found = set()
    for number, page in enumerate(PdfReader(pdf).pages, 1):
        forms = page["/Resources"].get("/XObject", {}).values()
        if any(str(form.get_object().get("/PNPPiece", "")).startswith(f"{component}/") for form in forms):
            found.add(number)
    return found


def sheets_of(pages: set[int]) -> set[int]:
    """The sheets on whose two sides pages are: the plan is on the first."""
    return {(page - 1) // 2 for page in pages}


def numbers(ranges: str) -> set[int]:
    """``3–6, 9`` as numbers."""
    parts = [part.split("–") for part in ranges.split(", ")]
    return {number for part in parts for number in range(int(part[0]), int(part[-1]) + 1)}


def test_numbers_of_the_book_itself_settle(tmp_path: Path) -> None:
    """A book that says how long it is, and is longer for saying so, is set until it is right."""
    longer = "{% if pages('rulebook') | int > 2 %}" + "Longer.\n\n" * 40 + "{% endif %}"
    book = f"# A\n\n{longer}It has {{{{ pages('rulebook') }}}} pages.\n\n" + "x\n\n" * 40
    made = plain_game(tmp_path, book, game='[book.rulebook]\ncontents = ""\n')
    assert made.build().ok
    file = made.project.root / "output" / "tiny" / "a4" / "rulebook-a5.pdf"

    assert f"It has {len(PdfReader(file).pages)} pages." in said(file)
    assert len(PdfReader(file).pages) > 3


def test_a_number_has_the_games_mark_between_thousands(tmp_path: Path) -> None:
    """``number()`` writes it as ``[words]`` says, else with a comma."""
    book = "# A\n\n{{ number(12000) }} coins and {{ number(999) }}"
    marked = plain_game(tmp_path / "a", book, rules='[words]\nthousands = "."\n')
    plain = plain_game(tmp_path / "b", book)
    for made in (marked, plain):
        assert made.build().ok

    assert "12.000 coins and 999" in shown(marked.project.root / "output" / "tiny" / "rulebook.html")
    assert "12,000 coins and 999" in shown(plain.project.root / "output" / "tiny" / "rulebook.html")


AT_ONCE = [("unknown-box", f"{TURNED}:7"), ("unclosed-box", f"{TURNED}:7")]
AT_ONCE += [("unknown-heading", f"{TURNED}:3"), ("missing-art", f"{TURNED}:5")]


@pytest.mark.parametrize(
    ("book", "expected"),
    [
        ("# A\n\n{{ face('cards',\n   'bekery') }}", [("bad-book", f"{TURNED}:3")]),
        ("# A\n\n[there](#b)", [("unknown-heading", f"{TURNED}:3")]),
        ("# A\n\nSee {{ component_table() }}", [("table-in-text", f"{TURNED}:3")]),
        ("# A\n\n![](boat)\n", [("missing-alt", f"{TURNED}:3"), ("missing-art", f"{TURNED}:3")]),
        ("# A\n\n```\nผ\n```", [("missing-glyph", f"{TURNED}:4")]),
        ("# A\n\n::: back\n{{ anatomy('cards', 'bakery', notes=[['nmae', 'x']]) }}\n:::", [("unknown-text", f"{TURNED}:4")]),
        ("# A\n\n{{ page('b') }}\n\n:gold:\n\n::: nota\n", AT_ONCE),
    ],
)
def test_what_is_wrong_has_its_line(tmp_path: Path, book: str, expected: list[tuple[str, str]]) -> None:
    """Building and checking name it alike, with file and line, all at once; and nothing is written."""
    assert wrong(plain_game(tmp_path, book)) == expected


@pytest.mark.parametrize(("line", "rule"), [('cover = "boat"', "missing-art"), ('contents = "ผ"', "missing-glyph")])
def test_a_cover_that_cannot_be_made_is_named(tmp_path: Path, line: str, rule: str) -> None:
    """Its drawing is not there, or no font has its letters: the section of game.toml."""
    made = plain_game(tmp_path, "# A", game=f"[book.rulebook]\n{line}\n")

    assert wrong(made) == [(rule, "content/tiny/game.toml:6:book.rulebook")]


def test_one_wrong_book_keeps_the_others_back(tmp_path: Path) -> None:
    """Files of two printings never lie side by side: what was built before stays as it was."""
    made = fair(tmp_path)
    assert made.build(papers=("a4",)).ok
    folder = made.project.root / "output" / "tiny"
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    made.put(turn_md=TURN + "\n:::\n", rulebook_md=BOOK + "\nMore.\n")

    result = made.build(papers=("a4",))

    assert [problem.rule for problem in result.problems.errors] == ["unclosed-box"]
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_a_photograph_in_a_book_has_the_dots_that_paper_shows(tmp_path: Path) -> None:
    """As a telephone took it, it would lie whole in four PDFs and the page."""
    made = fair(tmp_path)
    photo = made.project.root / "content/tiny/art/table.jpg"
    photo.parent.mkdir(exist_ok=True)
    Image.effect_noise((3000, 2000), 40).convert("RGB").save(photo, quality=90)
    book = made.project.root / TURNED
    book.write_text(book.read_text("utf-8") + '\n{{ picture("table", width="60mm", alt="The table") }}\n', "utf-8")
    assert not made.build().problems.errors
    output = made.project.root / "output/tiny"
    for name in ("a4/rulebook.pdf", "a4/rulebook-a5.pdf", "a4/rulebook-booklet.pdf"):
        widths = [image.image.width for page in PdfReader(output / name).pages for image in page.images if image.image]
        assert 940 < max(widths) < 1500, name
    assert (output / "rulebook.html").stat().st_size < photo.stat().st_size


def test_a_line_to_a_text_ends_at_its_letters(tmp_path: Path) -> None:
    """From the side: a short name in the middle of a wide box; how high it points, the box says."""
    made = pipeline(plain_game(tmp_path, "# A\n\nText.\n").project)
    assert made.drawn is not None and made.book is not None
    wish = Wish("front", "cards", "bakery")
    box = shoot(made.drawn, made.book, {wish: 40.0}, 72)[wish].boxes["name"]

    assert (box.y, box.height) == pytest.approx((8, 10))
    assert 6 < box.width < 35
    assert box.x + box.width / 2 == pytest.approx(6 + 51 / 2, abs=1)
