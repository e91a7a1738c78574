"""Letters as they come out on paper: symbols, styles that a font lacks, colours and lines; and what is told of them."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from conftest import TinyProject
from desk import DOTS, Desk, ink, picture
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


def test_a_symbol_in_a_badge(desk: Desk) -> None:
    """A plain <text> shows it as well, in italics upright."""
    layers = desk.cut('<text x="9" y="9" font-size="5" font-style="italic">★ 3</text>')

    assert "★" in PdfReader(io.BytesIO(desk.book(layers).pdfs[0])).pages[0].extract_text()


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


def test_bold_in_what_is_bold_already_is_told(desk: Desk) -> None:
    """Where the words around are in the heaviest font there is, bold words are thickened as well."""
    pdf(desk, "Gold **two**", font="Amatic SC", weight="700")

    assert [fault.rule for fault, _ in desk.faults] == ["missing-style"]


def test_an_italic_box_in_a_font_without_italic(desk: Desk) -> None:
    """The setting of a whole box is as good as the marks of its words."""
    plain = pdf(desk, "Gold", font="title")
    slanted = pdf(desk, "Gold", font="title", style="italic")

    assert [fault.message.partition(":")[0] for fault, _ in desk.faults] == ['the font "Fredoka One" has no italic']
    assert ink(picture(slanted)) != ink(picture(plain))


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


def test_a_rule_goes_across_the_box(desk: Desk) -> None:
    """A line of hyphens between two others."""
    box = ink(picture(pdf(desk, "a\n---\nb")))

    assert box is not None
    assert box[2] - box[0] == pytest.approx(38, abs=3 / DOTS)


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


@pytest.mark.parametrize("mark", [".", ")"])
def test_numbers_keep_what_stands_behind_them(desk: Desk, mark: str) -> None:
    """1) is printed 1)."""
    made = pdf(desk, f"1{mark} Sail\n2{mark} Row", size="14 12")

    assert [word for word in PdfReader(io.BytesIO(made)).pages[0].extract_text().split() if word[0].isdigit()] == [
        f"1{mark}",
        f"2{mark}",
    ]


def test_a_table_that_is_too_broad_is_told(desk: Desk) -> None:
    """A word that sticks out of its column is as bad as one that sticks out of its box."""
    pdf(desk, "| Circumnavigation | Disembarkation |\n|---|---|\n| Reconnaissance | 2 |", size="14 12")

    assert [problem.rule for problem in desk.problems] == ["text-too-long"]


def test_what_looks_like_markup_is_told_at_its_cell(tiny: TinyProject) -> None:
    """A card is printed, and the person told where it shows marks that mean nothing."""
    table = next((tiny.game).glob("*.csv"))
    lines = table.read_text().splitlines()
    table.write_text("\n".join([lines[0], lines[1].replace(lines[1].split(",")[0], "Anna <b>x</b>", 1), *lines[2:]]))
    found = [problem for problem in tiny.build().problems if problem.rule == "unknown-markup"]

    assert [(problem.place.row, problem.severity, problem.value) for problem in found] == [(2, "warning", "<b>")]
