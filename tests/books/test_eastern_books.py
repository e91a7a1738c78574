"""Books in Japanese: reading aids and dots for stress, in print and for a screen; headings are parted between words."""

from __future__ import annotations

import pypdfium2 as pdfium
from conftest import TinyProject
from hanfont import han
from lxml import html

from pnp.read.languages import words_of

BOOK = "# 雪かき\n\n{漢字|かんじ}。引く*雪*引く。\n"


def test_a_book_in_japanese(tiny: TinyProject) -> None:
    """Its page for a screen has the reading aid as HTML knows it; in print it is small, above, and in the middle."""
    game = (tiny.game / "game.toml").read_text().replace('papers = ["a4"]', 'papers = ["a4"]\nlanguage = "ja"')
    tiny.write("content/tiny/game.toml", f'{game}\n[fonts]\nbody = ["Source Sans Pro", "Han"]\n')
    words = words_of("ja")
    assert words is not None
    # With the letters of what pnp itself prints in Japanese.
    said = BOOK + "".join(text for texts in words.texts.values() for text in texts)
    tiny.write("content/tiny/fonts/Han.ttf", han("".join(sorted({letter for letter in said if letter > "\u2e80"}))))
    tiny.write("content/tiny/rulebook.md", BOOK)
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
