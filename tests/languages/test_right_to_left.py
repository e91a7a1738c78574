"""A game in Hebrew is printed as its readers hold it: books open from the right, cards have left and right exchanged."""

from __future__ import annotations

import re
from pathlib import Path

import pypdfium2 as pdfium
import pytest
from conftest import TinyProject
from lxml import html

from pnp.flows.translate import translate_game

GAME = """
[game]
name = "Tiny"
papers = ["a4"]

[fonts.he]
body = ["Source Sans Pro", "Amatic SC"]

[component.cards]
size = "tcg"
"""
BOOK = """# Tiny

::: note Rules
Draw *two*.
:::

## First

{pages}

## Second

Then throw.
"""
WORD = "שלג"


@pytest.fixture
def game(tiny: TinyProject) -> TinyProject:
    """A game whose cards have a number in the left upper corner; one text and one paragraph are not translated."""
    tiny.write("content/tiny/game.toml", GAME)
    tiny.write("content/tiny/rulebook.md", BOOK.format(pages="Go on and on.\n\n" * 60))
    template = (tiny.project.root / "templates/tiny/cards.svg.j2").read_text()
    tiny.write(
        "templates/tiny/cards.svg.j2", template.replace("{{ s.text(row.name", "{{ s.badge(7, 8, 60) }}{{ s.text(row.name")
    )
    translate_game(tiny.project, "tiny", "he")
    file = tiny.game / "languages" / "he.csv"
    said = re.sub(r'","","","', f'","{WORD}","","', file.read_text())
    tiny.write("content/tiny/languages/he.csv", re.sub(r'("(Draw two|Then throw)\.",)"[^"]*"', r'\1""', said))
    return tiny


def places(path: Path, number: int, tall: float = 0.0) -> tuple[list[tuple[str, float, float]], float]:
    """The letters of a page with the middle of each from its left and from its foot; the page's width. In points.

    ``tall``: only those that are at least so high."""
    document = pdfium.PdfDocument(path)
    try:
        page = document[number - 1]
        text = page.get_textpage()
        found = []
        for index in range(text.count_chars()):
            left, bottom, right, top = text.get_charbox(index)
            if top - bottom >= tall:
                found.append((text.get_text_range(index, 1), (left + right) / 2, bottom))
        return found, page.get_width()
    finally:
        document.close()


def built(game: TinyProject, language: str, name: str) -> Path:
    done = game.build(language=language, draft=True)
    assert {problem.rule for problem in done.problems.errors} <= {"missing-translation"}, list(done.problems)
    (path,) = (game.project.root / "output").rglob(f"{language}/a4/{name}" if language else f"tiny/a4/{name}")
    return path


@pytest.mark.parametrize("language", ["", "he"])
def test_page_numbers_stand_outside(game: TinyProject, language: str) -> None:
    """An even page is the left one, and in a book from the right the right one."""
    path = built(game, language, "rulebook-a5.pdf")
    for number in (2, 3):
        letters, width = places(path, number)
        at = next(x for letter, x, y in letters if letter == str(number) and y < 45)

        assert (at > width / 2) == ((number == 3) != (language == "he"))


@pytest.mark.parametrize("language", ["", "he"])
def test_a_booklet_is_bound_at_its_spine(game: TinyProject, language: str) -> None:
    """The cover lies on the right half of the outer side, that of a book from the right on the left one."""
    letters, width = places(built(game, language, "rulebook-booklet.pdf"), 1, tall=30)

    assert {x > width / 2 for _, x, _ in letters} == {language == ""}


def test_columns_follow_from_the_right(game: TinyProject) -> None:
    """The plan of pages comes true there as well: the first heading is at the head of the right column."""
    letters, width = places(built(game, "he", "rulebook.pdf"), 2)
    heading = max((y, x) for letter, x, y in letters if letter == WORD[0] and y < 780)
    columns = {x > width / 2 for letter, x, y in letters if 100 < y < 700}

    assert heading[1] > width / 2 and columns == {True, False}


def test_cards_are_mirrored(game: TinyProject) -> None:
    """The number in the corner changes sides; with ``mirror = false`` in the template it stays."""
    plain, mirrored = (places(built(game, language, "cards.pdf"), 1)[0] for language in ("", "he"))
    template = (game.project.root / "templates/tiny/cards.svg.j2").read_text()
    game.write("templates/tiny/cards.svg.j2", template + "{% set mirror = false %}")
    kept = places(built(game, "he", "cards.pdf"), 1)[0]
    first, second, third = (min(x for letter, x, y in each if letter == "7" and y > 60) for each in (plain, mirrored, kept))

    assert second - first == pytest.approx((63 - 2 * 8) * 72 / 25.4, abs=0.5)
    assert third == pytest.approx(first, abs=0.1)


def test_what_is_not_translated_runs_from_the_left(game: TinyProject) -> None:
    """Its full stop stands behind its last word, on cards and in books."""
    for name in ("cards.pdf", "rulebook.pdf"):
        path = built(game, "he", name)
        letters = [each for page in (1, 2) for each in places(path, min(page, len(pdfium.PdfDocument(path))))[0]]
        ways = [
            dot > x
            for letter, x, y in letters
            if letter == "w" and y > 60
            for mark, dot, at in letters
            if mark == "." and abs(at - y) < 2
        ]

        assert ways and all(ways)


def test_the_page_for_a_screen_runs_from_the_right(game: TinyProject) -> None:
    """Its root says so, and no style says left where the beginning of a line is meant."""
    built(game, "he", "cards.pdf")
    (path,) = (game.project.root / "output").rglob("he/rulebook.html")

    assert html.fromstring(path.read_bytes()).get("dir") == "rtl"
    assert "border-left" not in path.read_text() and "padding-left" not in path.read_text()
