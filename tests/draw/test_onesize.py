"""Boxes of one name are as large on every card of a deck as the fullest of them can be; read from the printed letters."""

from __future__ import annotations

import re

import pypdfium2 as pdfium
import pytest
from conftest import TinyProject, files_in

LONG = "Pass, and draw three cards for every harbour that you have seen, or two. " * 7
TEXTS = {"anna": "Draw two.", "bert": LONG, "cora": "Wait. " * 12}


@pytest.fixture
def deck(tiny: TinyProject) -> TinyProject:
    """Three cards with a short, a long and a middling text, which are set in one size."""
    write(tiny, TEXTS)
    template = tiny.project.root / "templates/tiny/cards.svg.j2"
    tiny.write("templates/tiny/cards.svg.j2", template.read_text().replace('name="rules"', 'name="rules", same="rules"'))
    return tiny


def write(tiny: TinyProject, texts: dict[str, str]) -> None:
    rows = "".join(f'{name},"{text}"\n' for name, text in texts.items())
    tiny.write("content/tiny/cards.csv", f"name,text\n{rows}")


def sizes(tiny: TinyProject, file: str = "cards.pdf") -> dict[str, float]:
    """The height of a D, P or W at the beginning of each text on paper, in tenths of a point."""
    (path,) = (tiny.project.root / "output").rglob(f"a4/{file}")
    document = pdfium.PdfDocument(path)
    found: dict[str, float] = {}
    try:
        text = document[0].get_textpage()
        words = text.get_text_range()
        for first in ("Draw two", "Pass", "Wait"):
            _, bottom, _, top = text.get_charbox(words.index(first))
            found[first] = round(top - bottom, 1)
    finally:
        document.close()
    return found


def test_all_are_as_large_as_the_fullest(deck: TinyProject) -> None:
    """Without the name each is as large as fits."""
    assert deck.build().ok
    alike = sizes(deck)
    template = deck.project.root / "templates/tiny/cards.svg.j2"
    template.write_text(template.read_text().replace(', same="rules"', ""))
    assert deck.build().ok
    apart = sizes(deck)

    assert len(set(alike.values())) == 1
    assert len(set(apart.values())) > 1
    assert min(apart.values()) == alike["Pass"]


def test_the_size_depends_on_all_rows(deck: TinyProject) -> None:
    """A card that is kept from an earlier build is set anew when another one's text has changed, and back again."""
    assert deck.build().ok
    small, before = sizes(deck), files_in(deck.project.root / "output")
    write(deck, {**TEXTS, "bert": "Pass."})
    assert deck.build().ok
    large = sizes(deck)
    write(deck, TEXTS)
    assert deck.build().ok

    assert large["Draw two"] > small["Draw two"]
    assert files_in(deck.project.root / "output") == before


def test_different_sizes_under_one_name_are_a_problem(deck: TinyProject) -> None:
    """It would not be one size."""
    template = deck.project.root / "templates/tiny/cards.svg.j2"
    again = '{{ s.text(row.name, 5, 60, 53, 9, size="8 7", same="rules") }}\n{% endblock %}'
    template.write_text(re.sub(r"\{% endblock %\}", again, template.read_text()))
    found = list(deck.build().problems)

    assert {problem.rule for problem in found} == {"bad-text-box"}
    assert "8 7 and 10 7" in found[0].message
