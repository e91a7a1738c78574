"""Where a text is said to be is where its letters are printed, in the size in which they are printed."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
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


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A game of one card."""
    return Bench(tmp_path)


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
