"""Letters as they come out on paper: symbols, styles that a font lacks, colours and lines; and what is told of them."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from desk import Desk, ink, picture
from PIL import ImageStat
from pypdf import PdfReader
from pypdf.generic import ContentStream

from pnp.draw import markup
from pnp.values.faces import TextLayer

LETTERS = "♥♠♣♦★☆→●■▲✓✗☠⚔"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """An empty game with a face of its own for titles."""
    return Desk(tmp_path, palette={"sea": "#2f7f8c"}, fonts={"title": "Fredoka One"})


def pdf(desk: Desk, text: str, **options: str) -> bytes:
    """A box with a text, in the middle of the face."""
    settings = " ".join(f'data-{key}="{value}"' for key, value in {"size": "9 5", **options}.items())
    shown = text.replace("&", "&amp;").replace("<", "&lt;")
    layers = desk.cut(f'<foreignObject x="1" y="1" width="38" height="28" {settings}>{shown}</foreignObject>')
    (only,) = layers
    assert isinstance(only.layer, TextLayer)
    return desk.book(layers).pdfs[0]


def told(desk: Desk) -> list[str]:
    """The values of what was told of the texts."""
    return [fault.value for fault, _ in desk.faults]


def glyphs(data: bytes) -> list[int]:
    """The numbers of the glyphs that are shown; 0 is the box for what a font has not."""
    reader = PdfReader(io.BytesIO(data))
    found: list[int] = []
    for page in reader.pages:
        for operands, operator in ContentStream(page.get_contents(), reader).operations:
            for part in operands[0] if operator == b"TJ" else operands if operator == b"Tj" else ():
                code = part.original_bytes if hasattr(part, "original_bytes") else b""
                found += [int.from_bytes(code[at : at + 2]) for at in range(0, len(code), 2)]
    return found


def dark(data: bytes) -> float:
    """How much ink lies on the first page."""
    return 255 - ImageStat.Stat(picture(data).convert("L")).mean[0]


@pytest.mark.parametrize("text", [LETTERS, f"**{LETTERS}**", f"*a {LETTERS}*", f"- ***{LETTERS}***"])
def test_symbols_are_printed_in_every_style(desk: Desk, text: str) -> None:
    """A heart is a heart in bold and in italics, though no text font has it."""
    made = pdf(desk, text)

    assert not desk.faults
    assert set(LETTERS) <= set(PdfReader(io.BytesIO(made)).pages[0].extract_text())
    assert 0 not in glyphs(made)


def test_every_symbol_that_is_promised_is_in_the_font(desk: Desk) -> None:
    """The list of symbols is true of the font that Typst brings, upright and bold."""
    every = "".join(sorted(markup.SYMBOLS)).replace("\\", "")
    for number in range(0, len(every), 150):
        part = every[number : number + 150]
        made = pdf(desk, f"{part} **{part}**", size="4")
        assert 0 not in glyphs(made)
    assert not desk.faults


@pytest.mark.parametrize(("text", "style"), [("**Gold**", "bold"), ("*Gold*", "italic"), ("Gold **and** *so*", "bold")])
def test_a_style_that_a_font_lacks_is_drawn_and_told(desk: Desk, text: str, style: str) -> None:
    """Bold in a font with one face is thickened, italic slanted: it is seen on paper, and said once."""
    plain = pdf(desk, text.replace("*", ""), font="title")
    assert not desk.faults
    styled = pdf(desk, text, font="title")
    first, *_ = desk.faults

    assert picture(styled).tobytes() != picture(plain).tobytes()
    assert (first[0].rule, first[0].value) == ("missing-style", "Fredoka One")
    assert f'"Fredoka One" has no {style}' in str(first[0])
    assert style != "bold" or dark(styled) > 1.03 * dark(plain)


@pytest.mark.parametrize(("text", "font"), [("**Gold** *and* ***so***", "body"), ("**Gold**", "Amatic SC")])
def test_a_style_that_a_font_has_is_not_told(desk: Desk, text: str, font: str) -> None:
    """Where the font has a bold, nothing is drawn in its stead."""
    pdf(desk, text, font=font)

    assert not desk.faults


@pytest.mark.parametrize(
    ("text", "colour"),
    [("[Gold]{red}", "#ff0000"), ("a [b **Gold**]{sea}", "#2f7f8c"), ("[X]{#00c000 underline}", "#00c000")],
)
def test_words_have_a_colour_of_their_own(desk: Desk, text: str, colour: str) -> None:
    """By the name of CSS or of the palette, or by number."""
    assert ink(picture(pdf(desk, text)), colour) is not None
    assert not desk.faults


@pytest.mark.parametrize("text", ["[Gold]{underline}", "~~Gold~~"])
def test_lines_under_and_through_words(desk: Desk, text: str) -> None:
    """They are more ink than the words alone."""
    assert dark(pdf(desk, text)) > 1.05 * dark(pdf(desk, "Gold"))
    assert "Gold" in PdfReader(io.BytesIO(pdf(desk, text))).pages[0].extract_text().split()


def test_a_table_has_its_cells_in_columns(desk: Desk) -> None:
    """Cells of a column begin at one place, or end at one where they are set to the right."""
    made = pdf(desk, "| Move | Cost |\n|---|--:|\n| Sail | 2 |\n| Row on | 13 |")
    words: dict[str, float] = {}
    page = PdfReader(io.BytesIO(made)).pages[0]
    page.extract_text(visitor_text=lambda text, cm, tm, font, size: words.setdefault(text.strip(), cm[4] + tm[4]))

    assert {"Move", "Sail", "13"} <= set(words)
    assert words["Move"] == pytest.approx(words["Sail"], abs=0.1)
    assert words["2"] > words["13"] > words["Sail"]


@pytest.mark.parametrize("marker", ["-", "1."])
@pytest.mark.parametrize("align", ["center", "right"])
def test_a_list_in_the_middle_stands_as_a_whole(desk: Desk, marker: str, align: str) -> None:
    """Its items begin below each other, however long they are, and no marker drifts from its words."""
    made = pdf(desk, f"{marker} Sail\n{marker} Row to the next island", align=align)
    begin: dict[str, float] = {}

    def see(text: str, cm: list[float], tm: list[float], font: object, size: float) -> None:
        if (word := text.strip().split(" ")[0]) in ("Sail", "Row"):
            begin[word] = cm[4] + tm[4]

    PdfReader(io.BytesIO(made)).pages[0].extract_text(visitor_text=see)
    assert len(begin) == 2
    assert begin["Sail"] == pytest.approx(begin["Row"], abs=0.1)
    assert begin["Sail"] > 10
