"""Where a text is said to be is where its letters are printed, in their size; boxes of one name have one size in a deck."""

from __future__ import annotations

import io
import re

import pypdfium2 as pdfium
import pytest
from conftest import TinyProject, files_in
from drawn import Bench, box, label
from PIL import Image, ImageChops

from pnp.shapes.affine import Rect
from pnp.shapes.units import PT_PER_MM
from pnp.values.findings import SetText, Subject

DPI = 254
DOT = 25.4 / DPI
# Letters have a little white around them, by their size, and dots have a size.
WHITE = 0.1
BLURB = "The crew draws two cards, keeps one of them, and puts the other below, for glory."


def printed(subject: Subject) -> Rect:
    """The box around all that is inked on the first face, in mm; the ground is white."""
    image = Image.open(io.BytesIO(next(iter(subject.pictures.values())))).convert("L")
    found = ImageChops.invert(image).point(lambda value: 255 if value > 60 else 0).getbbox()
    assert found is not None
    left, top, right, bottom = (edge * DOT for edge in found)
    return Rect(left, top, right - left, bottom - top)


def only(subject: Subject) -> SetText:
    """The one text of a game."""
    (text,) = subject.texts
    return text


def assert_found(subject: Subject) -> None:
    """The ink that is told of the one text is what is printed, but for the white around its letters."""
    text, seen = only(subject), printed(subject)
    white = WHITE * text.size_pt / PT_PER_MM + DOT
    assert text.ink is not None
    said = text.ink
    for one, two in ((said.x, seen.x), (said.y, seen.y), (said.right, seen.right), (said.bottom, seen.bottom)):
        assert abs(one - two) < white, (said, seen)


@pytest.mark.parametrize("valign", ["top", "middle", "bottom"])
@pytest.mark.parametrize("align", ["left", "center", "right"])
def test_a_word_is_where_its_box_aligns_it(bench: Bench, align: str, valign: str) -> None:
    """The ink of a word with capital and tail is found in all nine places of its box."""
    bench.front = box("Hang", 10, 20, 40, 30, size="24", align=align, valign=valign)

    assert_found(bench.subject(DPI))


@pytest.mark.parametrize("anchor", ["start", "middle", "end"])
def test_a_label_is_around_its_anchor(bench: Bench, anchor: str) -> None:
    """A line of text has no box; its ink lies where its anchor says."""
    bench.front = label("Hang", 30, 40, 8, text_anchor=anchor)

    assert_found(bench.subject(DPI))


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_quarter_turns_are_followed(bench: Bench, turn: int) -> None:
    """Box and ink of a text in a turned group are those on the face."""
    bench.front = f'<g transform="rotate({turn} 31 44)">{box("Hang", 20, 30, 20, 10, size="20")}</g>'

    assert_found(bench.subject(DPI))


def test_of_an_oblique_text_only_the_box_is_known(bench: Bench) -> None:
    """No upright rectangle is the ink of an oblique text."""
    bench.front = f'<g transform="rotate(30 31 44)">{box("Hang", 20, 40, 20, 10, size="20")}</g>'
    text = only(bench.subject())

    assert text.ink is None
    assert text.box.width > 20 and text.box.height > 10


def test_the_size_is_what_is_printed(bench: Bench) -> None:
    """A text is shrunk to fit, and a group may scale it; both count."""
    bench.front = box(BLURB * 3, 5, 5, 50, 20, size="14 6", name="rules")
    shrunk = only(bench.subject()).size_pt
    bench.front = f'<g transform="scale(0.5)">{box("Hang", 20, 40, 40, 10, size="20")}</g>'

    assert 6 < shrunk < 14
    assert only(bench.subject()).size_pt == 10


def test_what_a_text_is_is_told(bench: Bench) -> None:
    """Name, colour and weight come from the template, piece and side from the game."""
    bench.front = box("One", 5, 5, 50, 10, name="title", fill="#ff0000", weight="700")
    bench.back = box("Two", 5, 5, 50, 10)
    one, two = bench.texts()

    assert (one.piece.name, one.side, one.name, one.source, one.fill, one.bold) == (
        *("cards/anna", "front", "title", "One", "#ff0000", True),
    )
    assert (two.piece.name, two.side, two.name, two.source, two.bold) == ("cards/anna", "back", "", "Two", False)


def test_a_text_stands_where_it_was_typed(bench: Bench) -> None:
    """A cell's text is found in its cell, a text of game.toml there, any other at the row."""
    bench.table = "name,says\nAnna,Draw two.\n"
    bench.extra = '[texts]\nback = "Treasure"\n'
    bench.front = "".join(
        box(text, 5, y, 50, 10) for y, text in ((5, "{{ row.says }}"), (20, "{{ texts.back }}"), (40, "Fixed"))
    )
    cell, shared, fixed = (str(text.place) for text in bench.texts())

    assert cell == "content/tiny/cards.csv:2:says"
    assert shared.startswith("content/tiny/game.toml") and shared.endswith("texts.back")
    assert fixed == "content/tiny/cards.csv:2"


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


@pytest.mark.parametrize("marks", ["", "**"])
def test_bold_words_are_not_parted(tiny: TinyProject, marks: str) -> None:
    """Where a long text is hyphenated, all others are: two of them are wider than a line."""
    long = "Goldmedaillenverzeichnis"
    text = " ".join([f"{marks}{long}{marks}"] * 5)
    tiny.write("content/tiny/game.toml", '[game]\nname = "Tiny"\nlanguage = "de"\n\n[component.cards]\nsize = "tcg"\n')
    tiny.put(cards_csv=f"name,text\nAnna,{text}\n")
    template = '{% extends "shared/face.svg.j2" %}{% import "shared/pieces.svg.j2" as s %}'
    tiny.put(cards_svg_j2=template + '{% block face %}{{ s.text(row.text, 1, 6, 61, 70, size="12") }}{% endblock %}')
    assert tiny.build(papers=("a4",)).ok

    with pdfium.PdfDocument(tiny.project.root / "output/tiny/a4/cards.pdf") as pdf:
        seen = pdf[0].get_textpage().get_text_bounded()
    assert (seen.count(long) == 5) == bool(marks)
