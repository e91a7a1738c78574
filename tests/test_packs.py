"""The five packs as a stranger prints them, read with pypdf: what the fact sheets count is there, and the READMEs' pages
are true.

A README has a table of the rules of the source and a table of at least 20 questions, each with a column "page" or "here".
A cell of it is a dash (of rules alone), or places: ``[book: ]heading (page)``, with commas between them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium
import pytest
from conftest import PROWL, ROOT, made_once
from pypdf import PdfReader
from pypdf.generic import ContentStream

from pnp.flows.build import build_game
from pnp.read.presets import paper
from pnp.read.project import Project
from pnp.values.outcome import Options

# Copies and designs of each component, from the fact sheets; what they do not count is in PAPER: boxes, summaries, parts
# of boards.
FACTS = {
    "passing-puzzle": "ice 49/1 penguins 20/4 pawns 20/4 reactions 36/10",
    "penguin": "cards 36/12 figures 36/12 screens 6/6 pouch 1/1 chips 39/3",
    "penguin-pirates": "penguins 4/4 captain 1/1 handicap 48/48 tiles 13/13 events 12/12 sail-and-speed 1/1 waves 2/1 "
    "water 1/1 crab 1/1 fish 10/1 penguin-ship 1/1 pirate-ship 1/1 anchor 1/1",
    "penguins-night-out": "double-six 28/28 double-nine 55/55 pawns 6/6 buddies 12/12 dice-six 2/1 dice-ten 2/1 "
    "nest-pad 8/1",
    PROWL: "board-large 4/4 board-small 4/4 dice 5/1 pawns 9/9 characters 18/9 ships 8/8 cargo 60/58 bad-luck 12/5 "
    "cannon 24/1 treasure 36/4",
}
PAPER = {
    "passing-puzzle": {"box", "wrap", "board-2", "board-4"},
    "penguin": {"box", "wrap"},
    "penguin-pirates": {"card-box", "wrap"},
    "penguins-night-out": {"summary", "pouch", "wrap"},
    PROWL: {"box-cargo", "box-treasure", "wrap"},
}
# Copies of each back that looks the same, fewest first: a card is not told by its back.
BACKS = {
    ("passing-puzzle", "reactions"): [36],
    ("penguin", "cards"): [36],
    ("penguin-pirates", "handicap"): [12] * 4,
    ("penguin-pirates", "tiles"): [1, 5, 7],
    ("penguin-pirates", "events"): [2, 2, 2, 3, 3],
    ("penguins-night-out", "double-six"): [28],
    ("penguins-night-out", "double-nine"): [55],
    (PROWL, "cargo bad-luck"): [72],
    (PROWL, "cannon treasure"): [24, 36],
}
BOOKS = {name: ["rulebook"] for name in FACTS} | {PROWL: ["construction", "rulebook"]}
GAMES = tuple(FACTS)


@pytest.fixture(scope="module")
def folder_of(tmp_path_factory: pytest.TempPathFactory, build_prowl: Callable[[], Path]) -> Callable[[str], Path]:
    """A pack as it is printed on A4; each is built once."""

    def made(game: str) -> Path:
        def make(out: Path) -> None:
            result = build_game(Project(ROOT), game, Options(out, papers=(paper("a4"),)), lambda _: None)
            assert [str(problem) for problem in result.problems] == []

        return (build_prowl() if game == PROWL else made_once(tmp_path_factory, f"a4-{game}", make) / game) / "a4"

    return made


@dataclass
class Pack:
    """How often each side of each piece is drawn, by component, and what each back is made of."""

    fronts: dict[str, Counter[str]] = field(default_factory=dict)
    backs: dict[str, Counter[str]] = field(default_factory=dict)
    looks: dict[tuple[str, str], str] = field(default_factory=dict)

    def same_backs(self, components: str) -> list[int]:
        found: Counter[str] = Counter()
        for component in components.split():
            for name, copies in self.backs[component].items():
                found[self.looks[component, name]] += copies
        return sorted(found.values())


def pack_in(path: Path) -> Pack:
    """The pieces of a printed file: forms that say their names, each as often as the content of a page draws it."""
    reader, pack = PdfReader(path), Pack()
    for page in reader.pages:
        forms = page.get("/Resources", {}).get("/XObject", {})
        for operands, operator in ContentStream(page.get_contents(), reader).operations:
            form = forms[operands[0]].get_object() if operator == b"Do" else {}
            component, _, name = str(form.get("/PNPPiece", "")).partition("/")
            if not name or component == "pnp":
                continue
            side = {"/Front": pack.fronts, "/Back": pack.backs}[form["/PNPSide"]]
            side.setdefault(component, Counter())[name] += 1
            layers, content = form["/Resources"]["/XObject"], form.get_data().decode()
            assert " Do" in content, f"{form['/PNPPiece']} is empty"
            if side is pack.backs:
                # Layers are stored once a file, so that their numbers tell them apart.
                look = re.sub(r"/(L\d+) Do", lambda match, of=layers: f"{of.raw_get('/' + match[1]).idnum}", content)
                pack.looks[component, name] = look
    return pack


@pytest.mark.parametrize("game", GAMES)
def test_every_component_is_printed_as_often_as_the_fact_sheet_says(game: str, folder_of: Callable[[str], Path]) -> None:
    """Every component, its designs, and nothing that is not needed; what has a back has it on every copy."""
    pack = pack_in(folder_of(game) / "print.pdf")

    counted = [f"{name} {found.total()}/{len(found)}" for name, found in pack.fronts.items() if name not in PAPER[game]]
    assert sorted(" ".join(counted).split()) == sorted(FACTS[game].split())
    assert PAPER[game] <= set(pack.fronts)
    assert {component: pack.fronts[component] for component in pack.backs} == pack.backs
    for (of, components), copies in BACKS.items():
        assert of != game or pack.same_backs(components) == copies


@pytest.mark.parametrize("game", GAMES)
def test_the_books_are_there(game: str, folder_of: Callable[[str], Path]) -> None:
    """Each to read, and as a booklet: four pages of it on every sheet of paper, both sides printed."""
    folder = folder_of(game)
    assert sorted(path.name.removesuffix("-booklet.pdf") for path in folder.glob("*-booklet.pdf")) == BOOKS[game]
    for book in BOOKS[game]:
        whole, small, booklet = (len(PdfReader(folder / f"{book}{what}.pdf").pages) for what in ("", "-a5", "-booklet"))
        assert whole >= 2 and booklet == 2 * -(-small // 4)


QUESTIONS = 20
# A heading that begins in the first column no further below the top than this, in pt, has nothing above it.
FIRST_LINE = 75.0
_PLACE = re.compile(r"(?:(?P<book>[a-z-]+): )?(?P<heading>\S(?:.*?\S)??) \((?P<page>[1-9]\d*)\)(?:, |$)")
_QUOTES = str.maketrans("“”„‘’‚–—\u00a0", "\"\"\"'''-- ")


def plain(text: str) -> str:
    """A heading without what typesetting or Markdown makes of it."""
    return " ".join(re.sub(r"[*`]", "", text).translate(_QUOTES).split())


def letters(text: str) -> str:
    """How a page is read must not hang on its spaces and hyphens."""
    return "".join(filter(str.isalnum, text)).casefold()


def cells(readme: str) -> Iterator[tuple[str, bool]]:
    """What stands in the columns of pages, and whether it belongs to a question."""
    column: int | None = None
    for before, line in zip(["", *readme.splitlines()], readme.splitlines(), strict=False):
        if not line.startswith("|"):
            continue
        row = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
        if not before.startswith("|"):
            heads = [cell.casefold() for cell in row]
            question = heads[0] == "question"
            wanted = question or heads[0].startswith("rule")
            column = next(at for at, head in enumerate(heads) if head in ("page", "here")) if wanted else None
        elif column is not None and not set("".join(row)) <= set(":- "):
            yield row[column], question


def parts_of(pdf: Path) -> list[tuple[str, range]]:
    """The headings of a book by its bookmarks, with the pages on which the part below is read."""
    reader = PdfReader(pdf)
    printed = [letters(page.extract_text()) for page in reader.pages]

    def bookmarks(entries: list[Any], level: int = 1) -> Iterator[tuple[str, int, int, bool]]:
        for entry in entries:
            if isinstance(entry, list):
                yield from bookmarks(entry, level + 1)
                continue
            number = reader.get_destination_page_number(entry)
            assert number is not None and letters(entry.title) in printed[number], entry.title
            sheet = reader.pages[number].mediabox
            tops = float(sheet.height) - float(entry.top) < FIRST_LINE and float(entry.left) < float(sheet.width) / 2
            yield str(entry.title), level, number + 1, tops

    found, made = list(bookmarks(reader.outline)), []
    for index, (title, level, page, _) in enumerate(found):
        after = (each for each in found[index + 1 :] if each[1] <= level)
        _, _, end, tops = next(after, ("", 0, len(reader.pages), False))
        made.append((plain(title), range(page, max(page, end - tops) + 1)))
    return made


@pytest.mark.parametrize("game", GAMES)
def test_a_readme_says_where_its_rules_are_read(game: str, folder_of: Callable[[str], Path]) -> None:
    home, folder = ROOT / "content" / game, folder_of(game)
    names = re.findall(r"(?m)^\[book\.([\w-]+)\]", (home / "game.toml").read_text(encoding="utf-8"))
    # A reference card is printed on half a sheet alone.
    files = {
        name: next(folder / f"{name}{end}.pdf" for end in ("", "-a5") if (folder / f"{name}{end}.pdf").exists())
        for name in names
    }
    books = {name: parts_of(file) for name, file in files.items()}
    said = list(cells((home / "README.md").read_text(encoding="utf-8")))
    wrong = []
    for cell, question in said:
        found = list(_PLACE.finditer(cell))
        if "".join(match[0] for match in found) != cell and (question or cell != "–"):
            wrong.append(cell)
        for match in found:
            book, heading = (
                (match["book"], match["heading"]) if match["book"] in books else ("rulebook", match[0].rpartition(" (")[0])
            )
            if not any(plain(heading) == title and int(match["page"]) in pages for title, pages in books[book]):
                wrong.append(match[0])

    assert wrong == []
    assert QUESTIONS <= sum(question for _, question in said) < len(said)


@pytest.mark.parametrize("game", GAMES)
def test_a_margin_line_names_no_pieces_twice(game: str, folder_of: Callable[[str], Path]) -> None:
    """Also where two kinds have one name but for what stands in brackets."""
    document = pdfium.PdfDocument(folder_of(game) / "print.pdf")
    lines = [line for page in document for line in page.get_textpage().get_text_range().splitlines() if " · sheet " in line]
    document.close()
    named = [line.split(" · ")[1].casefold().split(", ") for line in lines]

    assert len(lines) > 4 and [names for names in named if len({*names}) < len(names)] == []
