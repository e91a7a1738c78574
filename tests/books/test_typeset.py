"""The set pages of a small game's books, read from the finished PDFs by others; their plan, and lines of anatomies."""

from __future__ import annotations

import html as entities
import io
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
import pypdfium2 as pdfium
import pytest
from bound import FACE, GAME, fair, plain_game, set_books
from conftest import TinyProject, examples, tool
from hanfont import han
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import html
from pypdf import PdfReader
from pypdf.generic import ArrayObject, DictionaryObject
from shapely import LineString, box

from pnp.books import pagination
from pnp.books import typeset as typesetting
from pnp.books.pagination import CLEARANCE, SCALES, Element, Plan, Sheet, elements, plan
from pnp.books.typeset import APART, LETTER, WORD, Dot, dots, widths
from pnp.read.languages import words_of
from pnp.shapes.affine import Rect
from pnp.values.books import Edition, Note, Shot

MM = 72 / 25.4
# Running heads stand above, in mm; and words so far apart are of two columns.
HEAD, NEAR = 12.5, 5.0
SIZES = {
    "a4/rulebook.pdf": (210.0, 297.0),
    "a4/rulebook-a5.pdf": (148.5, 210.0),
    "letter/rulebook.pdf": (215.9, 279.4),
    "letter/rulebook-half-letter.pdf": (139.7, 215.9),
    "a4/turn-a5.pdf": (148.5, 210.0),
    "letter/turn-half-letter.pdf": (139.7, 215.9),
}
BOOKS = [name for name in SIZES if "rulebook" in name]
# Large pages need no contents if there are so few.
LISTED = [name for name in BOOKS if "-" in name]
HEADINGS = [
    ("In the box", 2),
    ("How the fair begins", 2),
    ("A turn", 2),
    ("How to win", 2),
    ("When it rains", 3),
    ("Imprint", 2),
    ("In short", 2),
]


@dataclass(frozen=True)
class Line:
    """A line of text as it lies on a page, in mm from its top left."""

    text: str
    x: float
    y: float
    right: float


@dataclass
class File:
    """A set book as programs that open it see it."""

    data: bytes
    path: Path

    @cached_property
    def reader(self) -> PdfReader:
        return PdfReader(io.BytesIO(self.data))

    @property
    def root(self) -> DictionaryObject:
        return self.reader.trailer["/Root"]  # type: ignore[return-value]

    @cached_property
    def lines(self) -> list[list[Line]]:
        """The lines of each page from top to bottom, the dots of the contents taken away."""
        command = [tool("pdftotext"), "-bbox", str(self.path), "-"]
        said = subprocess.run(command, capture_output=True, timeout=60, check=True).stdout.decode()
        return [lines_of(content) for content in re.findall(r"<page [^>]*>(.*?)</page>", said, re.DOTALL)]

    @cached_property
    def pages(self) -> list[str]:
        """The text of each page in reading order."""
        done = subprocess.run([tool("pdftotext"), str(self.path), "-"], capture_output=True, timeout=60, check=True)
        return done.stdout.decode().split("\f")[:-1]

    def page_of(self, heading: str) -> int:
        """The page (from 1) on which a heading stands in a line of its own, below the running head."""
        found = [
            number
            for number, lines in enumerate(self.lines, 1)
            if any(line.text == heading and line.y > HEAD for line in lines)
        ]
        assert len(found) == 1, (heading, found)
        return found[0]

    def tags(self, name: str) -> list[DictionaryObject]:
        """All structure elements of a kind, in reading order."""
        return [node for node in walk(self.root["/StructTreeRoot"]) if node.get("/S") == name]


def lines_of(content: str) -> list[Line]:
    """Words of one height that are near to one another, put together."""
    words = []
    for place, said in re.findall(r"<word ([^>]*)>(.*?)</word>", content):
        x, y, right, bottom = (float(part) / MM for part in re.findall(r'"(-?[\d.]+)"', place))
        words.append((round((y + bottom) / 2 / 1.2), x, right, y, entities.unescape(said).replace("\u2060", "")))
    lines: list[Line] = []
    last = None
    for row, x, right, y, said in sorted(words):
        if last is not None and row == last and x - lines[-1].right < NEAR:
            joined = f"{lines[-1].text} {said}"
            lines[-1] = Line(re.sub(r"[ .]{3,}", "  ", joined), lines[-1].x, lines[-1].y, right)
        else:
            lines.append(Line(said, x, y, right))
        last = row
    return lines


def walk(node: Any) -> Iterator[DictionaryObject]:
    """The elements of a structure tree."""
    node = node.get_object()
    if isinstance(node, ArrayObject):
        for each in node:
            yield from walk(each)
    elif isinstance(node, DictionaryObject):
        yield node
        if "/K" in node:
            yield from walk(node["/K"])


@pytest.fixture(scope="module")
def editions(tmp_path_factory: pytest.TempPathFactory) -> list[Edition]:
    """Both books of the fair for both papers."""
    return set_books(fair(tmp_path_factory.mktemp("fair")), "a4", "letter")[1]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory, editions: list[Edition]) -> dict[str, File]:
    """The set books by name."""
    folder = tmp_path_factory.mktemp("files")
    made = {}
    for edition in editions:
        half = {"a4": "a5", "letter": "half-letter"}[edition.paper.name]
        for ending, book in ((f"-{half}", edition.small), ("", edition.full)):
            if book is not None:
                name = f"{edition.paper.name}/{edition.manual.name}{ending}.pdf"
                path = folder / name.replace("/", "-")
                path.write_bytes(book.pdf)
                made[name] = File(book.pdf, path)
    return made


# --- the file ---------------------------------------------------------------------------------------------


def test_every_book_is_set_for_every_paper(files: dict[str, File]) -> None:
    """In full size and in half; a reference card in half only."""
    assert sorted(files) == sorted(SIZES)


def test_the_typesetter_has_nothing_to_say(editions: list[Edition]) -> None:
    """PDF/UA-1 is made without a warning."""
    for edition in editions:
        assert edition.small.warnings == ()
        assert edition.full is None or edition.full.warnings == ()


@pytest.mark.parametrize("name", SIZES)
def test_pages_have_the_papers_size(files: dict[str, File], name: str) -> None:
    """In mm, all of them alike."""
    sizes = [(float(page.mediabox.width) / MM, float(page.mediabox.height) / MM) for page in files[name].reader.pages]

    assert sizes == [pytest.approx(SIZES[name], abs=0.05)] * len(sizes)


@pytest.mark.parametrize("name", SIZES)
def test_the_file_says_what_it_is(files: dict[str, File], name: str) -> None:
    """Title, author, language; that it is tagged, for screen readers (PDF/UA-1); its title is shown, not the file's name."""
    file = files[name]
    title = "The Fair" if "rulebook" in name else "Your turn"
    metadata = file.reader.metadata
    xmp = file.root["/Metadata"].get_object().get_data().decode()  # type: ignore[union-attr]

    assert metadata is not None and (metadata.title, metadata.author) == (title, "Ada Fairweather")
    assert file.root["/Lang"] == "en"
    assert file.root["/MarkInfo"]["/Marked"]
    assert file.root["/ViewerPreferences"]["/DisplayDocTitle"]
    assert "<pdfuaid:part>1</pdfuaid:part>" in xmp and f">{title}</rdf:li>" in xmp


# --- for those who hear it --------------------------------------------------------------------------------


# --- finding one's way ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BOOKS)
def test_bookmarks_lead_to_headings(files: dict[str, File], name: str) -> None:
    """All headings of the book, one below another as they are, each on its page."""
    reader = files[name].reader

    def bookmarks(entries: list[Any], level: int = 1) -> Iterator[tuple[str, int, int]]:
        for entry in entries:
            if isinstance(entry, list):
                yield from bookmarks(entry, level + 1)
            else:
                page = reader.get_destination_page_number(entry)
                assert page is not None
                yield str(entry.title), level, page + 1

    found = list(bookmarks(reader.outline))

    assert [(title, level) for title, level, _ in found] == [
        *(("Welcome", 1), *HEADINGS[:5]),
        *(("And when it snows", 4), *HEADINGS[5:]),
    ]
    assert all(files[name].page_of(title) == page for title, _, page in found)


@pytest.mark.parametrize("name", LISTED)
def test_the_contents_have_the_right_pages(files: dict[str, File], name: str) -> None:
    """Each heading of two levels with the number of the page that it is really on."""
    file = files[name]
    contents = file.lines[file.page_of("Contents") - 1]
    lines = [match.groups() for line in contents if (match := re.fullmatch(r"(\D+?)\s{2,}(\d+)", line.text))]
    listed = [(title, int(page)) for title, page in lines if title in dict(HEADINGS)]

    assert [title for title, _ in listed] == [title for title, _ in HEADINGS]
    assert dict(listed) == {title: file.page_of(title) for title, _ in HEADINGS}


@pytest.mark.parametrize(("parts", "listed"), [(2, False), (9, True)])
def test_a_short_book_has_no_contents_and_a_title_keeps_away_from_them(tmp_path: Path, parts: int, listed: bool) -> None:
    """Of the small book: one page of text needs none; where they share a page with it, the title stands well below."""
    text = "".join(
        f"## Part {number}\n\n{'Take a card and show it to all the others. ' * 12}\n\n" for number in range(1, parts + 1)
    )
    _, (edition,) = set_books(plain_game(tmp_path, f"# Orchard\n\n{text}"), "a4")
    (tmp_path / "small.pdf").write_bytes(edition.small.pdf)
    page = File(edition.small.pdf, tmp_path / "small.pdf").lines[1]

    assert any(line.text == "Contents" for line in page) == listed
    tops = {line.text: line.y for line in page if line.y > HEAD}
    assert all(tops["Orchard"] - tops[entry] > 8 for entry in tops if re.fullmatch(rf"Part {parts}\s+\d", entry))


@pytest.mark.parametrize("name", BOOKS)
def test_pages_that_the_text_names_are_right(files: dict[str, File], name: str) -> None:
    """``page("how-to-win")`` is where that heading stands."""
    (said,) = re.findall(r"The winner is found on page\s(\d+)", " ".join(files[name].pages))

    assert int(said) == files[name].page_of("How to win")


def test_no_page_refers_to_itself_in_brackets(files: dict[str, File]) -> None:
    """ "(page 4)" stands on every other page, and on page 4 the sentence ends without it."""
    file = files["a4/rulebook.pdf"]
    (own,) = (number for number, text in enumerate(file.pages, 1) if "wins there" in text)
    text = " ".join(file.pages[own - 1].split())

    assert own == file.page_of("In the box") != file.page_of("In short")
    assert f"wins there (page {file.page_of('In short')}), what lies here is not in the box." in text
    assert f"A stall is a card (of two kinds, page {own})." in text, "what else a bracket says is said"


@pytest.mark.parametrize("name", BOOKS)
def test_links_lead_to_their_headings(files: dict[str, File], name: str) -> None:
    """Those of the contents, the page numbers in the text, and links: on a screen one taps them."""
    links = [
        annotation.get_object()
        for page in files[name].reader.pages
        for annotation in page.get("/Annots", ())
        if annotation.get_object()["/Subtype"] == "/Link"
    ]

    assert len(links) >= len(HEADINGS) * (name in LISTED) + 2
    assert all("/Dest" in link or "/A" in link for link in links)


@pytest.mark.parametrize("name", BOOKS)
def test_pages_are_numbered_on_their_outer_edge(files: dict[str, File], name: str) -> None:
    """Left pages on the left, right pages on the right; the covers have no number."""
    file = files[name]
    last = len(file.reader.pages)

    for number, lines in enumerate(file.lines, 1):
        lowest = max(lines, key=lambda line: line.y)
        if number in (1, last):
            assert lowest.text != str(number)
        else:
            assert lowest.text == str(number)
            assert (lowest.x > SIZES[name][0] / 2) == (number % 2 == 1)


@pytest.mark.parametrize("name", BOOKS)
def test_running_heads_say_where_one_is(files: dict[str, File], name: str) -> None:
    """The book's name towards the fold; at the edge the section at the page's top, and the first that begins below."""
    file = files[name]
    begun = {title: file.page_of(title) for title, level in HEADINGS if level == 2}
    first_column = SIZES[name][0] / (2 if SIZES[name][0] > 180 else 1)

    for number, lines in list(enumerate(file.lines, 1))[1:-1]:
        head = [line.text for line in sorted(lines, key=lambda line: line.x) if line.y < HEAD]
        before = [title for title, at in begun.items() if at < number][-1:]
        (first,) = [title for title, at in begun.items() if at == number][:1] or [""]
        on_top = any(line.text == first and HEAD < line.y < HEAD + 15 and line.x < first_column for line in lines)
        section = " · ".join([*([] if on_top else before), *filter(None, [first])])
        expected = [part for part in ("The Fair", section) if part]
        assert head == (expected if number % 2 == 0 else expected[::-1])


# --- the look ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BOOKS)
def test_the_covers(files: dict[str, File], name: str) -> None:
    """In front title, subtitle with its quotation marks, foot and art; behind what is in short, with game and version."""
    front, back = files[name].pages[0], files[name].pages[-1]

    assert re.split(r"\n+", front.strip()) == ["The Fair", "How to “run” a fair", "For 2 to 4 players"]
    assert re.split(r"\n\s*", back.strip())[0] == "In short"
    assert back.strip().endswith("The Fair 1.3")
    assert not any("Draw, play, shout." in page for page in files[name].pages[:-1])


def test_what_a_back_cover_has_room_for_is_spread(tmp_path: Path) -> None:
    """A box is farther from the text before it than inside the book, a heading no farther from its own."""
    text = "alpha\n\n::: note Beta\ngamma\n:::\n\n### Delta\n\nepsilon\n"
    _, (edition,) = set_books(plain_game(tmp_path, f"# A\n\n{text}\n:::: back\n{text}::::\n"), "a4")
    path = tmp_path / "book.pdf"
    path.write_bytes(edition.small.pdf)
    inside, back = File(edition.small.pdf, path).lines[-2:]

    def between(page: list[Line], one: str, two: str) -> float:
        level = {line.text: line.y for line in page}
        return level[two] - level[one]

    assert between(back, "alpha", "Beta") > between(inside, "alpha", "Beta") + 4
    assert between(back, "Delta", "epsilon") <= 1.25 * between(inside, "Delta", "epsilon")


def test_a_full_back_cover_is_set_smaller_and_one_that_is_too_full_is_an_error(tmp_path: Path) -> None:
    def project(items: int) -> TinyProject:
        text = "".join(f"- Item {number} of a list.\n" for number in range(items))
        return plain_game(tmp_path / str(items), f"# A\n\nWords.\n\n:::: back\n{text}::::\n")

    _, (edition,) = set_books(project(40), "a4")
    (path := tmp_path / "book.pdf").write_bytes(edition.small.pdf)
    *lines, foot = sorted(File(edition.small.pdf, path).lines[-1], key=lambda line: line.y)

    assert "Item 39" in lines[-1].text and lines[-1].y < foot.y - 4
    (problem,) = (problem for problem in project(80).build(papers=("a4",)).problems.errors)
    assert "the back cover holds more than has room on it" in problem.message


def test_the_game_behind_has_its_apostrophe(tmp_path: Path) -> None:
    """Typed straight, it is set as in the running heads."""
    made = plain_game(tmp_path, "# A\n\nfront\n\n::: back\n# B\n\nbehind\n:::", game="[book.rulebook]\n")
    file = made.game / "game.toml"
    file.write_text(file.read_text().replace('name = "Tiny"', 'name = "Penguin\'s Night Out"'))
    _, (edition,) = set_books(made, "a4")

    assert "Penguin’s Night Out" in PdfReader(io.BytesIO(edition.small.pdf)).pages[-1].extract_text()


def test_a_title_that_the_cover_shows_itself_is_there_but_not_seen(tmp_path: Path) -> None:
    """With ``cover_ink = "none"`` it can be searched and read aloud, and not a pixel of it is on the picture."""
    import pypdfium2 as pdfium

    def cover(ink: str, title: str) -> tuple[str, bytes]:
        lines = f'cover_ink = "{ink}"\nfoot_ink = "#000000"\ntitle = "{title}"'
        game = fair(tmp_path / f"{ink}-{title}", game=GAME.replace('cover_ink = "wine"', lines))
        pdf = set_books(game, "a4")[1][0].small.pdf
        page = pdfium.PdfDocument(pdf)[0]
        return PdfReader(io.BytesIO(pdf)).pages[0].extract_text(), page.render(scale=1).to_numpy().tobytes()

    (words, drawn), (_, other) = cover("none", "The Fair"), cover("none", "A Fairground")

    assert words.strip().startswith("The Fair")
    assert drawn == other
    assert cover("wine", "The Fair")[1] != drawn


@pytest.mark.parametrize("name", SIZES)
def test_no_text_is_tiny(files: dict[str, File], name: str) -> None:
    """Nothing is set in less than 7 pt; what is read has at least 8.5."""
    sizes: list[tuple[float, str]] = []

    def see(text: str, cm: list[float], tm: list[float], font: object, size: float) -> None:
        if text.strip():
            sizes.append((size * abs(tm[3] * cm[3]), text.strip()))

    for page in files[name].reader.pages:
        page.extract_text(visitor_text=see)

    assert sizes and min(sizes)[0] >= 7, min(sizes)
    assert all(size >= 8.5 for size, text in sizes if len(text.split()) > 6 and " · " not in text)


@pytest.mark.parametrize("name", BOOKS)
def test_nothing_of_the_text_is_lost(files: dict[str, File], name: str) -> None:
    """Every sentence of the book is in the file, numbers filled in."""
    said = re.sub(r"[\s\u00ad]+", " ", " ".join(files[name].pages))
    said = said.replace("- ", "")

    for sentence in (
        "There are 10 stall cards, 4 of them different",
        "A meadow is 7 × 7 paces wide",
        "Anna plays the Bakery. “Two loaves!” she says.",
        "Never sell the last balloon.",
        "Count your coins aloud",
        "Drink something hot.",
    ):
        assert re.sub(r"\W", "", sentence) in re.sub(r"\W", "", said), sentence
    assert "{{" not in said and ":::" not in said and "**" not in said and ":coin:" not in said
    assert "Ada Fairweather" in said and "Invented by" in said and "CC BY 4.0" in said


def test_a_card_is_bare(files: dict[str, File]) -> None:
    """A reference card has neither cover nor numbers nor contents: it is all card."""
    (page,) = files["a4/turn-a5.pdf"].pages

    assert "Play a card: there are 10." in page
    assert "Contents" not in page and "1.3" not in page


def test_the_back_of_a_card_is_its_second_page(tmp_path: Path) -> None:
    """``::: back`` means the same on a card: what is on the other side."""
    made = plain_game(tmp_path, "# A\n\nfront\n\n::: back\n# B\n\nbehind\n:::", game='[book.rulebook]\nform = "card"\n')
    _, (edition,) = set_books(made, "a4")
    texts = [page.extract_text() for page in PdfReader(io.BytesIO(edition.small.pdf)).pages]

    assert ["front" in text for text in texts] == [True, False]
    assert ["behind" in text for text in texts] == [False, True]


def test_letters_that_typst_knows_are_text(tmp_path: Path) -> None:
    """What a person types is never a program of the typesetter's."""
    typed = 'Pay $5 #1 @home <tag> = _a_ #panic("x") `#1` \\[x\\] //c'
    _, (edition,) = set_books(plain_game(tmp_path, f"# #heading $x$\n\n{typed}\n"), "a4")
    said = " ".join(page.extract_text() for page in PdfReader(io.BytesIO(edition.small.pdf)).pages)

    assert "#heading $x$" in said
    assert "Pay $5 #1 @home <tag> = a #panic(“x”)" in said.replace("\n", " ") and "//c" in said


# --- how room is shared -----------------------------------------------------------------------------------


def test_looks_and_symbols_of_words_are_printed(tmp_path: Path) -> None:
    """A heart that no text font has, in italics too; a colour, and lines that are ink; in the HTML as well."""
    book = "# A\n\nTake ♥ and *the ★ of* [words]{red underline} and ~~none~~.\n"
    project = plain_game(tmp_path, book, game='[book.rulebook]\ntitle = "A"\n')
    _, editions = set_books(project, "a4")
    pages = PdfReader(io.BytesIO(editions[0].small.pdf)).pages
    words = " ".join(page.extract_text() for page in pages)

    assert "♥" in words and "★" in words and "words" in words
    assert b"1 0 0" in b"".join(page.get_contents().get_data() for page in pages)


def test_a_wide_picture_stays_where_it_is_named(tmp_path: Path) -> None:
    """Between the words before and after it, on small pages and large; one that floats leaves them on a large page."""
    face = '{{{{ face("cards", "bakery", width="100%", alt="A card"{}) }}}}'
    text = "Before it. " * 30
    for more, floats in (("", False), (", float=true", True)):
        book = f"# A\n\n{text}\n\nLast before.\n\n{face.format(more)}\n\nFirst after.\n"
        project = plain_game(tmp_path / f"book{floats}", book, game='[book.rulebook]\ntitle = "A"\n')
        _, editions = set_books(project, "a4")
        small, full = editions[0].small, editions[0].full
        assert full is not None
        assert between(small.pdf)
        assert between(full.pdf) != floats


def between(pdf: bytes) -> bool:
    """Whether a picture lies between the words before and after it, in one column or over the end of a page or column."""
    import pypdfium2 as pdfium

    places: dict[str, tuple[int, bool, float]] = {}
    document = pdfium.PdfDocument(pdf)
    try:
        for number, page in enumerate(document):
            text = page.get_textpage()
            words = text.get_text_range()
            for name in ("Last before", "First after"):
                if name in words:
                    left, _, _, top = text.get_charbox(words.index(name))
                    places[name] = number, left > page.get_width() / 2, page.get_height() - top
            for item in page.get_objects(filter=[pdfium.raw.FPDF_PAGEOBJ_IMAGE], max_depth=5):
                left, _, _, top = item.get_bounds()
                places["picture"] = number, left > page.get_width() / 2, page.get_height() - top
    finally:
        document.close()
    return places["Last before"] < places["picture"] < places["First after"]


def test_narrow_tables_are_as_wide_as_they_need() -> None:
    """Else long columns share the room, and short ones take theirs."""
    assert widths([5, 5, 5], [5, 5, 5], 118) == [None, None, None]
    # One that nearly fills its column is as wide as it: long cells have what is left, and as much each if they are as long.
    assert widths([5, 40, 5], [5, 9, 5], 118) == [None, 40, None]
    assert widths([5, 15, 15, 14], [5, 9, 9, 9], 118) == [None, 15, 15, 14]
    short, long, longer = widths([5, 60, 200], [5, 9, 9], 118)

    assert short is None and long is not None and longer == long
    assert widths([30, 300], [9, 9], 118)[0] < widths([60, 300], [9, 9], 118)[0]  # type: ignore[operator]


def test_no_word_of_a_table_reaches_into_the_next_column() -> None:
    """Where all columns share the room, each has that of its longest word, and the longest texts have the rest."""
    words = [6, 12, 14, 5]
    shares = [share or 0.0 for share in widths([6, 17, 90, 5], words, 84)]

    letters = [share / sum(shares) * 84 / LETTER for share in shares]
    assert all(width >= WORD * word for width, word in zip(letters, words, strict=True)) and max(letters) == letters[2]


def test_numbers_stand_beside_their_texts() -> None:
    """At the nearer edge, at the text's height; those at one edge are moved apart; a text that is not there has none."""
    boxes = {"a": Rect(2, 10, 10, 4), "b": Rect(2, 11, 10, 4), "c": Rect(40, 10, 20, 4)}
    shot = Shot(b"", "png", 63, 88, boxes=boxes)
    one, two, three = dots([Note(name, ()) for name in ("a", "b", "zebra", "c")], shot)

    assert (one.side, two.side, three.side) == (-1, -1, 1)
    assert (one.x, three.x) == (0, 1)
    assert one.y == pytest.approx(12 / 88, abs=1e-3) and three.y == pytest.approx(12 / 88, abs=1e-3)
    assert two.y - one.y > 0.05
    assert (one.tx, three.tx) == (pytest.approx(2 / 63, abs=1e-3), pytest.approx(60 / 63, abs=1e-3))


def test_a_text_in_the_middle_has_its_number_on_the_left() -> None:
    """Also where its letters are a hair to the right: numbers of centred lines do not jump from side to side."""
    boxes = {"exact": Rect(11.5, 10, 40, 4), "hair": Rect(11.7, 40, 40, 4), "right": Rect(14, 70, 40, 4)}
    placed = dots([Note(name, ()) for name in boxes], Shot(b"", "png", 63, 88, boxes=boxes))

    assert [dot.side for dot in placed] == [-1, -1, 1]


JAPANESE = """\
# 雪かき

{漢字|かんじ}。引く*雪*引く。

{{ face("cards", rows("cards")[0].id, caption="2 引く。", alt="雪") }}
"""


def test_a_book_in_japanese(tiny: TinyProject) -> None:
    """Its page for a screen has the reading aid as HTML knows it; in print it is small, above, and in the middle. No
    figure in a caption is italic between letters that are not."""
    game = (tiny.game / "game.toml").read_text().replace('papers = ["a4"]', 'papers = ["a4"]\nlanguage = "ja"')
    tiny.write("content/tiny/game.toml", f'{game}\n[fonts]\nbody = ["Source Sans Pro", "Han"]\n')
    words = words_of("ja")
    assert words is not None
    # With the letters of what pnp itself prints in Japanese.
    said = JAPANESE + "".join(text for texts in words.forms.values() for text in texts)
    tiny.write("content/tiny/fonts/Han.ttf", han("".join(sorted({letter for letter in said if letter > "\u2e80"}))))
    tiny.write("content/tiny/rulebook.md", JAPANESE)
    done = tiny.build()
    assert done.ok, [*map(str, done.problems.errors)]
    root = html.fromstring((tiny.project.root / "output/tiny/rulebook.html").read_bytes())
    (path,) = (tiny.project.root / "output").rglob("rulebook-a5.pdf")
    document = pdfium.PdfDocument(path)
    pages = [page.get_textpage() for page in document]
    boxes = [(page.get_text_range(at, 1), page.get_charbox(at)) for page in pages for at in range(page.count_chars())]
    aid, base = (next((box for letter, box in boxes if letter == wanted), None) for wanted in ("ん", "字"))

    assert [(each.text, each[0].text) for each in root.iter("ruby")] == [("漢字", "かんじ")]
    assert "text-emphasis" in root.findtext(".//style")
    assert aid is not None and base is not None
    assert aid[1] >= base[3] - 1 and aid[3] - aid[1] < 0.6 * (base[3] - base[1])
    assert re.findall(rb"/BaseFont/\S*-It\b", path.read_bytes()) == []


WIDE, HIGH = 63.0, 88.0


def shot(*boxes: Rect) -> Shot:
    """A card with these texts, called 0, 1, 2 …"""
    return Shot(b"", "png", WIDE, HIGH, boxes={str(number): each for number, each in enumerate(boxes)})


def lines(made: Sequence[Dot]) -> list[LineString]:
    """What is drawn on the piece, in mm."""
    return [LineString([(dot.x * WIDE, dot.y * HIGH), (dot.tx * WIDE, dot.ty * HIGH)]) for dot in made]


def noted(card: Shot, *names: str) -> list[Dot]:
    return dots([Note(name, ()) for name in names], card)


def crossed(card: Shot, names: Sequence[str], made: Sequence[Dot]) -> list[tuple[str, str]]:
    """Which number's line runs through which text, by 0.1 mm at least."""
    areas = {name: box(each.x, each.y, each.right, each.bottom) for name, each in card.boxes.items()}
    return [
        (name, other)
        for name, line in zip(names, lines(made), strict=True)
        for other, area in areas.items()
        if line.intersection(area).length > 0.1
    ]


def test_what_nothing_is_in_the_way_of_is_straight() -> None:
    """From the nearer edge to the middle of the text's height."""
    card = shot(Rect(5, 10, 20, 6), Rect(30, 40, 28, 10))
    one, two = noted(card, "0", "1")

    assert (one.side, one.y) == (-1, one.ty)
    assert (one.tx, one.ty) == (pytest.approx(5 / WIDE, abs=1e-3), pytest.approx(13 / HIGH, abs=1e-3))
    assert (two.side, two.y) == (1, pytest.approx(45 / HIGH, abs=1e-3))


# As texts lie on cards: lines of 4 mm and more, with some room between them.
ROWS = st.lists(st.tuples(st.floats(4, 11), st.lists(st.floats(8, 16), min_size=1, max_size=3)), min_size=1, max_size=5)


@settings(max_examples=examples(60), deadline=None)
@given(ROWS)
def test_lines_keep_clear(rows: list[tuple[float, list[float]]]) -> None:
    """Texts in rows, up to three beside each other, with room between them: every one is reached, and nothing is crossed."""
    boxes, y = [], 6.0
    for height, across in rows:
        x = (WIDE - sum(across) - 4 * (len(across) - 1)) / 2
        for width in across:
            boxes.append(Rect(x, y, width, height))
            x += width + 4
        y += height + 4
    card = shot(*boxes)
    names = [*card.boxes]
    made = noted(card, *names)
    drawn = lines(made)

    assert crossed(card, names, made) == []
    for number, one in enumerate(drawn):
        assert not any(one.crosses(other) for other in drawn[number + 1 :])
    for side in (-1.0, 1.0):
        heights = sorted(dot.y for dot in made if dot.side == side)
        assert all(later - earlier > APART - 1e-3 for earlier, later in pairwise(heights))


ROOM = Sheet(200.0, 2)
TOP, BOTTOM = 18.0, 16.0


def paragraph(lines: int) -> Element:
    cuts = tuple((5.0 * number - 2, 5.0 * number) for number in range(2, lines - 1))
    return Element("paragraph", (5.0 * lines - 2,), 3.0, cuts=cuts)


parts = st.lists(
    st.one_of(
        st.integers(1, 20).map(paragraph),
        st.floats(10, 120).map(lambda height: Element("figure", tuple(height * scale for scale in SCALES), 4.0)),
        st.just(Element("heading", (6.0,), 3.0, level=2)),
    ),
    min_size=1,
    max_size=40,
).map(lambda made: [*made, paragraph(3)])


def columns(made: Plan, elements: list[Element]) -> list[list[int]]:
    """The blocks that begin in each column."""
    last = max(step.column for step in made.steps)
    return [[number for number, step in enumerate(made.steps) if step.column == column] for column in range(last + 1)]


def one_after_the_other(elements: list[Element]) -> int:
    """How many columns a typesetter needs that puts what does not fit into the next one, and parts nothing."""
    count, used = 1, 0.0
    for element in elements:
        if used + element.heights[0] > ROOM.height - 1:
            count, used = count + 1, 0.0
        used += element.heights[0] + element.gap
    return count


@settings(max_examples=90, deadline=None)
@given(parts)
@example([*[Element("heading", (6.0,), 3.0, level=2)] * 5, paragraph(3)])
def test_pages_are_planned(elements: list[Element]) -> None:
    """Every block is set once in its order, no column is overfull or ends with a heading, and there is not more than a page
    beyond what one needs who fills columns one after the other, headings at their feet or not."""
    made = plan(elements, ROOM)
    assert made is not None

    begun = [step.column for step in made.steps]
    assert begun == sorted(begun) and len(begun) == len(elements)
    assert [step.breaks for step in made.steps].count(True) <= max(begun)
    assert made.steps[-1].column // 2 + 1 <= -(-one_after_the_other(elements) // 2) + 1
    for numbers in columns(made, elements):
        whole = [number for number in numbers if number + 1 in numbers or number == len(elements) - 1]
        heights = [elements[number].height(SCALES.index(made.steps[number].scale)) for number in whole]
        assert sum(heights) <= ROOM.height
        assert not numbers or numbers[-1] == len(elements) - 1 or elements[numbers[-1]].kind != "heading"


def test_a_picture_that_does_not_fit_is_made_smaller_before_it_leaves_a_hole() -> None:
    figure = Element("figure", tuple(60 * scale for scale in SCALES), 4.0)
    made = plan([paragraph(28), figure, *[paragraph(10)] * 12], ROOM)

    assert made is not None and made.steps[1].column == 0 and made.steps[1].scale == SCALES[1]


def test_gaps_grow_so_that_columns_end_level() -> None:
    """Where a block just does not fit, those above stand a little farther apart."""
    made = plan([Element("table", (45.0,), 3.0)] * 8, ROOM)

    assert made is not None
    assert [step.column for step in made.steps] == [0, 0, 0, 0, 1, 1, 1, 1]
    made = plan([Element("table", (47.0,), 3.0)] * 20, ROOM)
    assert made is not None
    (gap,) = {step.gap for step in made.steps[1:4]}
    assert 4 * 47 + 3 * gap == pytest.approx(ROOM.height, abs=0.5)


def test_gaps_give_a_little_for_a_block_that_just_does_not_fit() -> None:
    made = plan([Element("table", (48.0,), 3.0)] * 20, ROOM)

    assert made is not None
    assert [step.column for step in made.steps[:8]] == [0] * 4 + [1] * 4
    (gap,) = {step.gap for step in made.steps[1:4]}
    assert 2.4 < gap < 3 and 4 * 48 + 3 * gap <= ROOM.height


def test_items_move_apart_a_little_so_that_columns_end_level() -> None:
    """Those of a list, or rows of a table, by up to 1 mm, where no gap between blocks is left; they never move together."""
    for high, spread in ((190.0, 0.48), (170.0, 1.0), (199.5, 0.0)):
        made = plan([Element("bullets", (high,), 3.0, elastic=20.0)] * 4, ROOM)

        assert made is not None
        assert [step.column for step in made.steps] == [0, 1, 2, 3]
        assert made.steps[0].spread == pytest.approx(spread, abs=0.01)


def test_what_is_parted_keeps_its_gaps() -> None:
    """The parts of a list are in columns of different needs."""
    cuts = tuple((5.0 * number - 2, 5.0 * number) for number in range(1, 60))
    made = plan([Element("bullets", (298.0,), 3.0, cuts=cuts, elastic=60.0), *[paragraph(10)] * 12], ROOM)

    assert made is not None and made.steps[1].column == 1
    assert made.steps[0].spread == 0.0


def test_pictures_grow_where_a_column_has_room_for_them() -> None:
    figure = Element("figure", tuple(96 * scale for scale in SCALES), 4.0)
    made = plan([figure] * 8, ROOM)

    assert made is not None
    assert {step.scale for step in made.steps[:4]} == {1.0}, "two of them are all but the column"
    made = plan([replace(figure, heights=tuple(80 * scale for scale in SCALES))] * 8, ROOM)
    assert made is not None
    assert {step.scale for step in made.steps[:4]} == {max(SCALES)}


def test_smaller_pictures_save_the_last_page() -> None:
    """A book whose end is a little too high for its page, in one column or in two."""
    figure = Element("figure", tuple(102 * scale for scale in SCALES), 4.0)
    for columns in (1, 2):
        made = plan([figure] * 2 * columns, Sheet(200.0, columns))

        assert made is not None
        assert max(step.column for step in made.steps) < columns
        assert {step.scale for step in made.steps} == {SCALES[1]}


def test_page_numbers_are_measured_as_wide_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second figure may take a line more: in a booklet, where most have two, the plan comes true as with plain text."""
    import typst

    compiler, settings = typst.Compiler, []

    def counted(*given: Any, **more: Any) -> typst.Compiler:
        settings.append(given)
        return compiler(*given, **more)

    def made(number: str) -> int:
        """How often it is set: once more where the plan does not come true."""
        lines = [f"{'ii ' * 36}{'i' * more} page {number}" for more in range(40)]
        book = "# A" + "".join(f"\n\n## Part {part}\n\n" + "\n\n".join(lines) for part in range(1, 12))
        settings.clear()
        _, (edition,) = set_books(plain_game(tmp_path / number[:2], book), "a4")
        assert edition.full.pages < 10 < edition.small.pages
        return len(settings)

    monkeypatch.setattr(typst, "Compiler", counted)
    assert made("{{ page('part-11') }}") == made("13")


def test_smaller_type_saves_a_page_that_is_all_but_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a twenty-fifth at most, in both sizes of the book; where it saves none, letters are as large as ever."""
    rule = "\n\n## Rule {0}\n\n{1}"
    sentence = "Whoever has the fewest cards begins, and then play goes round to the left. "

    def made(rules: int, empty: float) -> tuple[int, int, float]:
        monkeypatch.setattr(typesetting, "EMPTY", empty)
        book = "# A" + "".join(rule.format(number, sentence * (3 + number % 4)) for number in range(rules))
        project = plain_game(tmp_path / f"{rules} {empty}", book, game='[book.rulebook]\ntitle = "A"\n')
        _, (edition,) = set_books(project, "a4")
        assert edition.full is not None
        sizes = letter_sizes(edition.full.pdf)
        return edition.full.pages, edition.small.pages, max(set(sizes), key=sizes.count)

    usual, never, spared = typesetting.EMPTY, made(29, 2.0), made(20, 2.0)
    full, small, size = made(29, usual)
    assert (full, small) == (never[0] - 1, never[1] - 1)
    assert 0.96 * never[2] - 0.01 <= size < never[2]
    assert made(20, usual) == spared


def letter_sizes(pdf: bytes) -> list[float]:
    with pdfium.PdfDocument(pdf) as document:
        text = document[1].get_textpage()
        return [round(pdfium.raw.FPDFText_GetFontSize(text, at), 2) for at in range(text.count_chars())]


def test_a_section_begins_with_a_whole_paragraph() -> None:
    """Rather than with a part of it at a column's foot, where its heading can begin the next one."""
    tables = [Element("table", (28.0,), 3.0)] * 6
    rest = [Element("table", (8.0,), 3.0)] * 20
    made = plan([*tables, Element("heading", (6.0,), 3.0, level=2), paragraph(15), *rest], Sheet(200.0, 1))

    assert made is not None
    assert [step.column for step in made.steps[:8]] == [0] * 6 + [1] * 2


@pytest.mark.parametrize(("cost", "there"), [(pagination.FEW_BELOW, 12), (0.0, 14)])
def test_a_heading_does_not_end_a_column_with_a_line_below_it(
    cost: float, there: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It begins the next one instead."""
    monkeypatch.setattr(pagination, "FEW_BELOW", cost)
    parts = [*[Element("table", (12.0,), 3.0)] * 12, Element("heading", (6.0,), 3.0, level=2)]
    made = plan([*parts, Element("paragraph", (2.2,), 3.0), *[paragraph(8)] * 7], ROOM)

    assert made is not None
    assert sum(step.column == 0 for step in made.steps) == there


@pytest.mark.parametrize(("cost", "there"), [(pagination.FEW_BELOW, 12), (0.0, 14)])
def test_nor_with_the_first_line_of_a_list(cost: float, there: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pagination, "FEW_BELOW", cost)
    parts = [*[Element("table", (12.5,), 3.0)] * 12, Element("heading", (6.0,), 3.0, level=2)]
    items = tuple((5.0 * number - 2.8, 5.0 * number) for number in range(1, 9))
    made = plan([*parts, Element("bullets", (42.2,), 3.0, cuts=items), *[paragraph(8)] * 6], ROOM)

    assert made is not None
    assert sum(step.column == 0 for step in made.steps) == there


@pytest.mark.parametrize(("cost", "page"), [(pagination.SEEN_FAR, 0), (0.0, 1)])
def test_a_picture_over_both_columns_is_near_what_it_shows(cost: float, page: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pagination, "SEEN_FAR", cost)
    figures = [Element("figure", tuple(high * scale for scale in SCALES), 4.0) for high in (60.0, 80.0)]
    wide = Element("figure", (100.0,), wide=True)
    rest = [figures[0], paragraph(6), figures[1], paragraph(10), *[figures[1]] * 3, paragraph(4)]
    made = plan([*[paragraph(10)] * 3, wide, *rest], ROOM)

    assert made is not None
    assert next(step.column for step in made.steps if step.wides) // 2 == page


def test_the_last_page_has_more_than_a_few_lines() -> None:
    """A picture goes there with them, rather than that all are smaller to stay together."""
    figure = Element("figure", tuple(80 * scale for scale in SCALES), 4.0)
    made = plan([*[figure] * 3, paragraph(3)], Sheet(200.0, 1))

    assert made is not None
    assert [step.column for step in made.steps] == [0, 0, 1, 1]


@pytest.mark.parametrize(("cost", "there"), [(pagination.STRAY, 4), (0.0, 3)])
def test_the_last_page_parts_no_few_lines_from_their_chapter(
    cost: float, there: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its second column begins with the next chapter instead, though the columns then end less level."""
    monkeypatch.setattr(pagination, "STRAY", cost)
    chapter = [Element("heading", (6.0,), 3.0, level=2), *[Element("table", (48.0,), 3.0)] * 2]
    made = plan([*[Element("table", (38.0,), 3.0)] * 3, Element("table", (18.0,), 3.0), *chapter], ROOM)

    assert made is not None
    assert sum(step.column == 0 for step in made.steps) == there


def test_pictures_fill_the_last_page() -> None:
    figure = Element("figure", tuple(52 * scale for scale in SCALES), 4.0)
    made = plan([figure] * 3, Sheet(200.0, 1))

    assert made is not None
    assert {step.scale for step in made.steps} == {max(SCALES)}


@pytest.mark.parametrize(("kind", "page"), [("example", 0), ("paragraph", 1)])
def test_a_picture_leaves_a_box_rather_than_the_words_above_it(kind: str, page: int) -> None:
    """At the end of a page that has no room for it: words go with it, a box stays and fills the page."""
    above = Element(kind, (10.0,), 3.0)
    full = [Element("table", (198.0,), 3.0), Element("table", (186.0,), 3.0)]
    made = plan([*full, above, Element("figure", (60.0,), 3.0), *[paragraph(12)] * 8], ROOM)

    assert made is not None
    assert made.steps[2].column // 2 == page and made.steps[3].column // 2 == 1


@pytest.mark.parametrize(("high", "cuts"), [(400.0, 0), (263.0, 4)])
def test_a_high_table_is_parted_between_its_rows(high: float, cuts: int) -> None:
    """Rows are as high as their words; three stay together at either end, and the head stands again above the rest."""
    rows = [8.0, 20.0, 8.0, 30.0, 12.0, 12.0, 8.0, 20.0, 8.0]
    tops = [sum(rows[:number], 6.0) for number in range(len(rows))]
    marks = [[[0], 0.0], *([[0, number], top] for number, top in enumerate(tops)), [[1], 136.0]]
    block = {"kind": "table", "rows": [[["x"]] for _ in rows], "head": [["x"]], "long": False}
    galley = {"marks": marks, "heights": [[132.0]], "grown": [[]], "elastic": [0], "line": 2.2, "lines": 6.3, "em": 3.4}
    (made,) = elements([block], galley, high)

    assert made.cuts == tuple((top, top - 6.0) for top in tops[3:7])[:cuts]


def test_what_goes_over_both_columns_takes_room_from_both() -> None:
    wide = Element("figure", (80.0,), wide=True)
    made = plan([paragraph(10), wide, *[paragraph(10)] * 12], ROOM)

    assert made is not None
    assert [step.wides for step in made.steps if step.wides] == [(1,)]
    page = next(step.column for step in made.steps if step.wides) // 2
    here = [number for number, step in enumerate(made.steps) if step.column // 2 == page]
    assert sum(50.0 for _ in here) <= 2 * (ROOM.height - 80 - CLEARANCE) + 50


def test_a_picture_that_opens_a_section_is_on_the_page_of_its_heading() -> None:
    """Even where the heading and a few lines would still have room on the page before."""
    heading, wide = Element("heading", (6.0,), 3.0, level=2), Element("figure", (80.0,), wide=True)
    made = plan([*[paragraph(12)] * 6, heading, wide, *[paragraph(10)] * 6], ROOM)

    assert made is not None
    page = next(step.column for step in made.steps if step.wides) // 2
    assert made.steps[6].column // 2 == page


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[Element]]:
    """What was measured of each book that is planned."""
    found: list[Sequence[Element]] = []

    def noted(parts: Sequence[Element], sheet: Sheet) -> Plan | None:
        found.append(parts)
        return plan(parts, sheet)

    monkeypatch.setattr("pnp.books.typeset.plan", noted)
    return found


def test_larger_pictures_stand_in_as_many_rows(tmp_path: Path, measured: list[Sequence[Element]]) -> None:
    """Six that fill a column side by side do not become two rows, which would be twice as high."""
    names = ", ".join(6 * ['"bakery"'])
    row = f'{{{{ faces("cards", [{names}], width="15mm", alt="Six cards") }}}}'
    set_books(plain_game(tmp_path, f"# A\n\nWords.\n\n{row}\n\nWords.\n"), "a4")
    heights = [part.heights for parts in measured for part in parts if part.kind == "figure"]

    assert heights
    assert [each for each in heights if each[SCALES.index(1.12)] > 1.13 * each[0]] == []


def test_an_explained_piece_is_as_large_as_its_numbers_need(tmp_path: Path, measured: list[Sequence[Element]]) -> None:
    """Those beside texts that lie close to each other would touch on a smaller one; with one number all sizes differ."""
    texts = (
        '{{ s.text("One", 6, 8, 51, 7, size="14", name="one") }}',
        '{{ s.text("Two", 6, 15, 51, 7, size="14", name="two") }}',
    )
    rest = "{% endblock %}"
    for notes, sizes in (('[["one", "One"], ["two", "Two"]]', 7), ('[["one", "One"]]', len(SCALES))):
        text = f'# A\n\nWords.\n\n{{{{ anatomy("cards", "bakery", width="36mm", notes={notes}) }}}}\n\nWords.\n'
        project = plain_game(tmp_path / str(sizes), text)
        project.put(cards_svg_j2=FACE.replace(rest, "".join(texts) + rest))
        measured.clear()
        set_books(project, "a4")
        (heights,) = [part.heights for part in measured[0] if part.kind == "figure"]

        assert len(set(heights)) == sizes


def test_holes_have_the_vignettes_after_the_first_in_turn() -> None:
    """A hole of a few lines has none, and the first one ends the book."""
    boxes = [Element("note", (high,), 3.0) for high in (150.0, 180.0, 120.0, 150.0, 40.0)]
    made = plan(boxes, Sheet(200.0, 1))
    assert made is not None

    def shown(vignettes: int) -> list[int | None]:
        return [step["vignette"] for step in made.data(vignettes)["plan"]]

    assert [round(step.hole, 1) for step in made.steps[:4]] == [0.0, 49.6, 19.6, 79.6]
    assert shown(3) == [None, 1, None, 2, None]
    assert shown(2) == [None, 1, None, 1, None]
    assert shown(1) == shown(0) == [None] * 5


def test_small_pages_that_turn_to_the_right_are_planned_too(tmp_path: Path) -> None:
    """The same words stand as high in a Hebrew book: gaps grow, and columns end level."""
    text = "Some words that nobody reads, and some more of them. " * 9
    box = f"::: note\n{text * 3}\n:::\n"
    book = f"# A\n\n{box}\n{text}\n\n{box}\n{text}\n\n{box}\n{box}\n{text}\n"
    found = []
    for language in ("en", "he"):
        project = plain_game(tmp_path / language, book)
        file = project.game / "game.toml"
        file.write_text(file.read_text().replace('name = "Tiny"\n', f'name = "Tiny"\nlanguage = "{language}"\n'))
        _, (edition,) = set_books(project, "a4")
        path = tmp_path / f"{language}.pdf"
        path.write_bytes(edition.small.pdf)
        pages = File(edition.small.pdf, path).lines
        found.append([[round(line.y, 1) for line in lines if "words that" in line.text] for lines in pages])

    assert found[0] == found[1]


def test_what_stands_above_a_picture_over_both_columns_is_measured(
    tmp_path: Path, measured: list[Sequence[Element]]
) -> None:
    """The same table is as high above a picture in the text as above one that goes elsewhere, and at the end."""
    table = "| what | how |\n|---|---|\n| one | two |\n"
    face = '{{{{ face("cards", "bakery", width="100%", alt="A card"{}) }}}}'
    book = f"# A\n\n{table}\n{face.format('')}\n\n{table}\n{face.format(', float=true')}\n"
    set_books(plain_game(tmp_path, book), "a4")
    for parts in measured:
        one, two = (part.heights[0] for part in parts if part.kind == "table")
        assert one == pytest.approx(two, abs=0.05)


def test_a_high_table_goes_on_in_the_next_column(tmp_path: Path) -> None:
    """Below its head once more, and where it was planned to: its rows are of several heights."""
    rows = "".join(f"| {number} | {'So many words stand here. ' * (1 + 7 * (number % 3))}|\n" for number in range(1, 13))
    text = "Some words that nobody reads, and some more of them. " * 40
    table = f"| what | how |\n|---|---|\n{rows}"
    project = plain_game(tmp_path, f"# A\n\n{text}\n\n{text}\n\n{table}\n\n{text}\n\n{text}\n")
    _, (edition,) = set_books(project, "a4")
    assert edition.full is not None
    (tmp_path / "full.pdf").write_bytes(edition.full.pdf)
    heads = [
        line for page in File(edition.full.pdf, tmp_path / "full.pdf").lines for line in page if "what how" in line.text
    ]

    assert len(heads) == 2 and heads[0].x != heads[1].x
    assert heads[1].y < heads[0].y


def ends(path: Path) -> list[list[float]]:
    """How far down the ink of each column goes, in mm from the top, on each page between the covers."""
    document = pypdfium2.PdfDocument(path)
    made = []
    for page in list(document)[1:-1]:
        picture = page.render(scale=72 / 25.4 / 2, grayscale=True).to_numpy()
        dot = page.get_height() / (72 / 25.4) / picture.shape[0]
        foot = round((picture.shape[0] * dot - BOTTOM + 2) / dot)
        middle = picture.shape[1] // 2
        halves = picture[:foot, :middle], picture[:foot, middle:]
        made.append([float((half < 200).any(axis=1).nonzero()[0].max() * dot) for half in halves])
    return made


def test_the_columns_of_the_last_page_end_level(tmp_path: Path) -> None:
    """Also where a list is parted, and no picture fills the page."""
    items = "".join(f"- Item {number} of a list.\n" for number in range(70))
    _, (edition,) = set_books(plain_game(tmp_path, f"# A\n\n{items}\n\n## B\n\nWords.\n"), "a4")
    assert edition.full is not None
    (tmp_path / "full.pdf").write_bytes(edition.full.pdf)
    document = pypdfium2.PdfDocument(tmp_path / "full.pdf")
    lines = [line for line in File(edition.full.pdf, tmp_path / "full.pdf").lines[1] if HEAD < line.y < 280]
    left, right = (max(line.y for line in lines if (line.x > 105) == side) for side in (False, True))

    assert len(document) <= 3
    assert abs(left - right) < 12 and max(left, right) < 260


def test_what_is_left_of_the_last_page_has_a_picture_from_three_centimetres_on(tmp_path: Path) -> None:
    """Above it nothing is nearer than 6 mm. Where less is left there is none: it would be a stamp."""
    drawing = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><rect width="20" height="10" fill="#ff0000"/></svg>'
    )
    line = 4.3
    for number in (84, 106, 108):
        items = "".join(f"- Item {each} of a list.\n" for each in range(number))
        project = plain_game(tmp_path / str(number), f"# A\n\n{items}", game='[book.rulebook]\nvignette = "end"\n')
        project.write("content/tiny/art/end.svg", drawing)
        _, (edition,) = set_books(project, "a4")
        assert edition.full is not None
        (path := tmp_path / f"{number}.pdf").write_bytes(edition.full.pdf)
        low = max(line.y for line in File(edition.full.pdf, path).lines[1] if HEAD < line.y < 280) + line
        picture = pypdfium2.PdfDocument(path)[1].render(scale=144 / 72).to_numpy()
        rows = (picture[:, :, :3] == (0, 0, 255)).all(axis=2).any(axis=1).nonzero()[0] * 25.4 / 144

        assert (len(rows) > 0) == (297 - BOTTOM - low > 28), number
        if len(rows):
            assert rows[0] - low > 6 and rows[-1] - rows[0] > 16 and rows[-1] < 297 - BOTTOM, number


def test_else_a_picture_stands_below_the_second_column_of_the_last_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where that ends higher than the first because a chapter begins it."""
    monkeypatch.setattr(pagination, "STRAY_HIGH", 60.0)
    drawing = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><rect width="20" height="10" fill="#ff0000"/></svg>'
    )
    first, second = ("".join(f"- Item {each} of a list.\n" for each in range(count)) for count in (54, 45))
    text = f"# A\n\n{first}\n\n## B\n\n{second}"
    project = plain_game(tmp_path, text, game='[book.rulebook]\nvignette = "end"\n')
    project.write("content/tiny/art/end.svg", drawing)
    _, (edition,) = set_books(project, "a4")
    assert edition.full is not None
    (path := tmp_path / "full.pdf").write_bytes(edition.full.pdf)
    lines = [line for line in File(edition.full.pdf, path).lines[1] if HEAD < line.y < 280]
    left, right = (max(line.y for line in lines if (line.x > 105) == side) for side in (False, True))
    picture = pypdfium2.PdfDocument(path)[1].render(scale=144 / 72).to_numpy()
    red = (picture[:, :, :3] == (0, 0, 255)).all(axis=2)
    rows, columns = (red.any(axis=axis).nonzero()[0] * 25.4 / 144 for axis in (1, 0))

    assert right < left - 5
    assert right + 6 < rows[0] and rows[-1] < 297 - BOTTOM and columns[0] > 105


@pytest.mark.parametrize("lines", [("Captains", "on the Prowl"), ("One Two Six", "Ten Elf Ten")])
def test_no_line_of_a_cover_s_title_ends_with_a_short_word(tmp_path: Path, lines: tuple[str, str]) -> None:
    """Short words go with the next one, also where more would fit before them; one of short words is parted too."""
    project = plain_game(tmp_path, "# A\n\nWords.\n")
    file = project.game / "game.toml"
    file.write_text(file.read_text().replace('name = "Tiny"', f'name = "{" ".join(lines)}"'))
    _, (edition,) = set_books(project, "a4")
    (path := tmp_path / "small.pdf").write_bytes(edition.small.pdf)

    assert [line.text for line in File(edition.small.pdf, path).lines[0]][:2] == list(lines)


def test_boxes_beside_each_other_are_equally_high(tmp_path: Path) -> None:
    """A box of one line beside one of many: both grounds end at the same height."""
    boxes = "\n".join(f"::: note\n{words}\n:::\n" for words in ("Short.", "Longer. " * 40))
    game = '[book.rulebook]\ntint = "#e0ffe0"\n'
    project = plain_game(tmp_path, f"# A\n\n:::: columns\n{boxes}::::\n\nWords.\n", game=game)
    _, (edition,) = set_books(project, "a4")
    picture = pypdfium2.PdfDocument(edition.small.pdf)[1].render(scale=2).to_numpy()
    ground = (picture[:, :, :3] == (0xE0, 0xFF, 0xE0)).all(axis=2)
    left, right = (half.any(axis=1).nonzero()[0] for half in np.array_split(ground, 2, axis=1))

    assert len(left) > 100 and (left[0], left[-1]) == (right[0], right[-1])


def test_a_picture_beside_words_begins_at_the_column_s_edge(tmp_path: Path) -> None:
    """Also where pictures are set smaller or larger so that a page is filled."""
    drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 6"><rect width="9" height="6" fill="#ff0000"/></svg>'
    beside = '::: beside\n{{ picture("red", "40mm", alt="red") }}\n\nWords beside it.\n:::\n\n'
    widths = set()
    for number in (116, 140):
        items = "".join(f"- Item {each} of a list.\n" for each in range(number))
        project = plain_game(
            tmp_path / str(number), f"# A\n\nWords.\n\n{beside * 4}{items}\n\n## B\n\n{beside * 2}\n\n{items}"
        )
        project.write("content/tiny/art/red.svg", drawing)
        _, (edition,) = set_books(project, "a4")
        assert edition.full is not None
        picture = pypdfium2.PdfDocument(edition.full.pdf)[1].render(scale=4).to_numpy()[:, : 2 * 595]
        red, ink = (picture[:, :, :3] == (0, 0, 255)).all(axis=2), (picture[:, :, :3] < 100).all(axis=2)
        columns = red.any(axis=0).nonzero()[0]
        widths.add(len(columns))

        assert abs(columns[0] - ink[300:].any(axis=0).nonzero()[0][0]) * 25.4 / 288 < 0.5, number
    assert len(widths) > 1


def test_lists_tables_and_boxes_can_grow(tmp_path: Path, measured: list[Sequence[Element]]) -> None:
    """By 1 mm for each gap between items, around rows, or between the blocks and items of a box; others cannot."""
    items = "".join(f"- Item {number} of a list.\n" for number in range(24))
    rows = "".join(f"| {number} | words |\n" for number in range(17))
    box = f"::: note\nSome words of it.\n\n{items}\nMore words.\n\nAnd more.\n:::\n"
    face = '{{ face("cards", "bakery", width="60mm", alt="A card") }}'
    for number, (block, gaps) in enumerate(((items, 23), (f"| what | how |\n|---|---|\n{rows}", 18), (box, 26))):
        measured.clear()
        text = f"# A\n\nWords.\n\n{block}\n{face}\n\n{face}\n\nWords.\n"
        set_books(plain_game(tmp_path / str(number), text), "a4")
        (made,) = [part for part in measured[-1] if part.elastic]

        assert made.elastic == pytest.approx(gaps, abs=0.1)


def test_the_columns_of_a_shipped_book_end_level(build_prowl: Callable[..., Path]) -> None:
    """On paper: no page but the last has a column that is empty by more than a tenth."""
    for page in ends(build_prowl() / "a4" / "rulebook.pdf")[:-1]:
        assert min(page) > 297 - BOTTOM - (297 - TOP - BOTTOM) / 10, page
