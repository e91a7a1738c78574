"""What the README of each game says of its books' pages is true: read from the A4 books with pypdf, which did not set them.

A README has a table of the rules of the source and a table of questions. A table is one of questions when the heading of
its first column is "question", one of rules when that begins with "rule"; capitals make no difference. A column of it is
headed "page" or "here". A cell of that column is

    cell    = place *( ", " place ) | "–"
    place   = [ book ": " ] heading " (" page ")"
    book    = the name of another book of the game, as in [book.NAME]; without one it is "rulebook"
    heading = a heading of that book, exactly as it stands in the A4 file; curly and straight quotes are the same
    page    = the number that is printed on a page of the A4 file on which the part under this heading is read: from
              the page where it begins to the page where the next heading of its level or a higher one begins

The dash says that a rule stands in no book, and only a table of rules may have it. There are at least 20 questions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from conftest import PROWL, ROOT, made_once, output_at
from pypdf import PdfReader

from pnp.flows.build import build_game
from pnp.read.presets import paper
from pnp.read.project import Project
from pnp.values.outcome import Options

GAMES = ("passing-puzzle", "penguin", "penguin-pirates", "penguins-night-out", PROWL)
QUESTIONS = 20
Books = Callable[[str], "dict[str, list[Part]]"]
# A heading that begins in the first column no further below the top than this, in pt, has nothing above it.
FIRST_LINE = 75.0
_PLACE = re.compile(r"(?P<heading>\S(?:.*?\S)??) \((?P<page>[1-9]\d*)\)(?:, |$)")
_CELL = re.compile(r"(?<!\\)\|")
_QUOTES = str.maketrans("“”„‘’‚–—\u00a0", "\"\"\"'''-- ")


@dataclass(frozen=True)
class Part:
    """What stands under a heading: the pages, from the first to the last, that it is read on."""

    heading: str
    first: int
    last: int


@dataclass(frozen=True)
class Said:
    """A row of a table of a README."""

    line: int
    row: str
    where: str
    question: bool


def plain(text: str) -> str:
    """A heading without what typesetting or Markdown makes of it."""
    return " ".join(re.sub(r"[*`]", "", text).translate(_QUOTES).split())


def rows(readme: str) -> Iterator[Said]:
    """The rows of the two tables. Fails where a table of them has no column of pages."""
    column, question, inside = None, False, False
    for number, line in enumerate(readme.splitlines(), 1):
        if not line.startswith("|"):
            inside = False
            continue
        cells = [cell.strip() for cell in _CELL.split(line.strip().removeprefix("|").removesuffix("|"))]
        if not inside:
            inside = True
            kind, heads = cells[0].casefold(), [cell.casefold() for cell in cells]
            question = kind == "question"
            column = next((heads.index(head) for head in ("page", "here") if head in heads), None)
            wanted = question or kind.startswith("rule")
            assert column is not None or not wanted, f"line {number}: this table has no column called page"
            column = column if wanted else None
        elif column is not None and not set("".join(cells)) <= set(":- "):
            yield Said(number, cells[0], cells[column] if column < len(cells) else "", question)


def places(where: str, books: set[str]) -> list[tuple[str, str, int]]:
    """Book, heading and page of each place of a cell; nothing when it is not in the form above."""
    found, at = [], 0
    while match := _PLACE.match(where, at):
        book, colon, heading = match["heading"].partition(": ")
        named = (book, heading) if colon and book in books else ("rulebook", match["heading"])
        found.append((*named, int(match["page"])))
        at = match.end()
    return found if at == len(where) and not where.endswith(", ") else []


def wrong(readme: str, books: dict[str, list[Part]]) -> list[str]:
    """What is not true in a README, line by line."""
    told = []
    said = list(rows(readme))
    for row in said:
        if row.where == "–" and not row.question:
            continue
        found = places(row.where, set(books))
        if not found:
            told.append(f'line {row.line}: "{row.where}" is not such as "Setting up (3)"')
        for book, heading, page in found:
            parts = [part for part in books[book] if plain(part.heading) == plain(heading)]
            if not parts:
                told.append(f'line {row.line}: {book} has no heading "{heading}"')
            elif not any(part.first <= page <= part.last for part in parts):
                pages = " or ".join(f"{part.first} to {part.last}" for part in parts)
                told.append(f'line {row.line}: "{heading}" is read on {pages}, not on {page}')
    questions = sum(row.question for row in said)
    if questions < QUESTIONS:
        told.append(f"{questions} questions, and not {QUESTIONS}")
    if questions == len(said):
        told.append("there is no table of rules")
    return told


def parts_of(pdf: Path) -> list[Part]:
    """The headings of a book by its bookmarks; each must be printed on the page to which its bookmark leads."""
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

    found = list(bookmarks(reader.outline))
    made = []
    for index, (title, level, page, _) in enumerate(found):
        after = (each for each in found[index + 1 :] if each[1] <= level)
        _, _, end, tops = next(after, ("", 0, len(reader.pages), False))
        made.append(Part(title, page, max(page, end - tops)))
    return made


def letters(text: str) -> str:
    """Letters and digits alone: how a page is read must not hang on its spaces and hyphens."""
    return "".join(filter(str.isalnum, text)).casefold()


@pytest.fixture(scope="module")
def books_of(tmp_path_factory: pytest.TempPathFactory, build_prowl: Callable[[], Path]) -> Books:
    """The parts of a shipped game's books as they are printed on A4; each game is built once."""

    @cache
    def read(game: str) -> dict[str, list[Part]]:
        def make(out: Path) -> None:
            result = build_game(Project(ROOT), game, Options(output_at(out), papers=(paper("a4"),)), lambda _: None)
            assert result.ok, [str(problem) for problem in result.problems]

        folder = build_prowl() if game == PROWL else made_once(tmp_path_factory, f"a4-{game}", make) / game
        names = re.findall(r"(?m)^\[book\.([\w-]+)\]", (ROOT / "content" / game / "game.toml").read_text(encoding="utf-8"))
        files = {name: folder / "a4" / f"{name}.pdf" for name in names}
        # A reference card is printed on half a sheet alone.
        return {name: parts_of(file if file.exists() else file.with_stem(f"{name}-a5")) for name, file in files.items()}

    return read


@pytest.mark.parametrize("game", GAMES)
def test_a_readme_says_where_its_rules_are_read(game: str, books_of: Books) -> None:
    readme = (ROOT / "content" / game / "README.md").read_text(encoding="utf-8")
    assert wrong(readme, books_of(game)) == []


# --- the test itself, on a book whose pages are known ------------------------------------------------------------------

BOOK = {
    "rulebook": [Part("Set-up", 2, 2), Part("A turn, and then?", 3, 5), Part("Red: “treasure”", 4, 4), Part("Set-up", 7, 7)],
    "manual": [Part("Ships", 1, 2)],
}


def readme(*where: str, rule: str = "Set-up (2)", questions: int = QUESTIONS) -> str:
    cells = [*where, *["Set-up (2)"] * (questions - len(where))]
    asked = "".join(f"| What? | this \\| that | {cell} |\n" for cell in cells)
    rules = f"| rule of the source | here | ours |\n|---|:-:|---|\n| Two play | {rule} | same |\n"
    pieces = "| piece | page |\n|---|---|\n| card | 9 |\n"
    return f"# Pack\n\n{pieces}\n{rules}\n| Question | Answer | Page |\n|---|---|---|\n{asked}"


@pytest.mark.parametrize(
    "where",
    [
        "Set-up (7)",
        "A turn, and then? (3)",
        "A turn, and then? (5), Set-up (2)",
        'Red: "treasure" (4)',
        "manual: Ships (2), Red: “treasure” (4)",
    ],
)
def test_true_pages_are_found(where: str) -> None:
    """A heading may have commas and colons, and stand in the book twice."""
    assert wrong(readme(where), BOOK) == []
    assert wrong(readme(rule=where), BOOK) == []


@pytest.mark.parametrize(
    ("where", "told"),
    [
        ("Set-up (3)", '"Set-up" is read on 2 to 2 or 7 to 7, not on 3'),
        ("Set-up (2), A turn, and then? (6)", '"A turn, and then?" is read on 3 to 5, not on 6'),
        ("manual: Ships (3)", '"Ships" is read on 1 to 2, not on 3'),
        ("set-up (2)", 'rulebook has no heading "set-up"'),
        ("Ships (1)", 'rulebook has no heading "Ships"'),
        ("leaflet: Ships (1)", 'rulebook has no heading "leaflet: Ships"'),
        ("2", '"2" is not such as "Setting up (3)"'),
        ("", '"" is not such as "Setting up (3)"'),
        ("–", '"–" is not such as "Setting up (3)"'),
        ("Set-up (2),", '"Set-up (2)," is not such as "Setting up (3)"'),
        ("Set-up (2), goods.csv", '"Set-up (2), goods.csv" is not such as "Setting up (3)"'),
    ],
)
def test_a_wrong_page_is_found(where: str, told: str) -> None:
    """With its line; the first question stands in line 13."""
    assert wrong(readme(where), BOOK) == [f"line 13: {told}"]


def test_too_few_questions_are_found() -> None:
    assert wrong(readme(questions=19), BOOK) == ["19 questions, and not 20"]
    assert wrong(readme(rule="–"), BOOK) == []
    assert wrong(readme().replace("rule of", "law of"), BOOK) == ["there is no table of rules"]
    with pytest.raises(AssertionError, match="line 7: this table has no column called page"):
        wrong(readme().replace("| here |", "| there |"), BOOK)


def test_a_part_ends_where_the_next_begins(books_of: Books) -> None:
    """Of a real book: the parts of a level follow one another, and each is on a page at least."""
    parts = books_of("penguin")["rulebook"]

    assert len(parts) > 5 and all(1 < part.first <= part.last for part in parts)
    assert [part.first for part in parts] == sorted(part.first for part in parts)
    assert max(part.last for part in parts) > parts[0].first
