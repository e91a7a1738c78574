"""Chinese and Japanese: titles are parted between words, stress is a dot at each letter, reading aids stand above."""

from __future__ import annotations

from pathlib import Path

import pypdfium2 as pdfium
import pytest
from desk import Desk, ink
from hanfont import han

from pnp.draw.fonts import Fonts
from pnp.values.languages import JOINER, rubies, stressed, whole_end, whole_words

LETTERS = "雪かきシャベル漢字んじAo。引く"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A game in Japanese with a font of blocks."""
    made = Desk(tmp_path, fonts={"body": "Han"}, language="ja")
    made.write("fonts/Han.ttf", han(LETTERS))
    return made


def box(text: str, size: str = "20", w: float = 36, **more: str) -> str:
    said = "".join(f' data-{key}="{value}"' for key, value in more.items())
    place = f'x="2" y="4" width="{w}" height="24"'
    return f'<foreignObject {place} data-size="{size}" data-align="left"{said}>{text}</foreignObject>'


def lines(desk: Desk, content: str) -> list[str]:
    """The letters of a face by the height that they stand at, from the top."""
    document = pdfium.PdfDocument(desk.pdf(desk.cut(content)))
    page = document[0].get_textpage()
    found: dict[int, str] = {}
    for index in range(page.count_chars()):
        letter = page.get_text_range(index, 1)
        if letter in LETTERS:
            height = round(page.get_charbox(index)[1])
            found[height] = found.get(height, "") + letter
    return [found[height] for height in sorted(found, reverse=True)]


@pytest.mark.parametrize(("language", "family"), [("ja", "Han"), ("zh", "Han"), ("de", "")])
def test_dots_of_omission_are_in_the_middle_of_the_line(desk: Desk, language: str, family: str) -> None:
    """Of the family that has the letters, though one before it has the dots as well, at the line's foot."""
    desk.write("fonts/Han.ttf", han("一…"))
    fonts = Fonts(desk.game)
    assert fonts.eastern(("Source Sans Pro", "Han"), language) == family
    assert fonts.eastern(("Source Sans Pro",), language) == ""


@pytest.mark.parametrize(
    "kept",
    [
        "雪_か_きシ_ャ_ベ_ル",
        "あ_っ_た_か_いお_茶",
        "凍_っ_た小_道",
        "2_枚_引_く",
        "海_賊 Pirate ab",
        "題_名、コ_ス_ト",
        "冰_雪_小_路",
    ],
)
def test_where_a_title_may_be_parted(kept: str) -> None:
    """Where the script changes as it does between words, before お, at spaces and points; elsewhere joiners keep it."""
    assert whole_words(kept.replace("_", "")).replace(JOINER, "_") == kept


@pytest.mark.parametrize("kept", ["立つペンギン。しるしは頭_の_上_。", "ボード。", "青が近づく 3", "雪 snow"])
def test_the_last_line_of_a_text_is_no_single_letter(kept: str) -> None:
    """Its last four letters stay together, if there are others before them."""
    assert whole_end(kept.replace("_", "")).replace(JOINER, "_") == kept


def test_a_title_is_parted_between_its_words(desk: Desk) -> None:
    """And never within one: a box too narrow for a word takes smaller letters."""
    assert lines(desk, box("雪かきシャベル")) == ["雪かき", "シャベル"]
    assert lines(desk, box("雪かきシャベル", size="30 10", w=24)) == ["雪かき", "シャベル"]


def test_how_letters_are_read_stands_above_them(desk: Desk) -> None:
    """``{漢字|かんじ}``, small and in their middle; the two are not parted."""
    assert lines(desk, box("{漢字|かんじ}")) == ["かんじ", "漢字"]
    assert lines(desk, box("引く引く{漢字|かんじ}")) == ["引く引く", "かんじ", "漢字"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a{漢字|かんじ}b", [("a", ""), ("漢字", "かんじ"), ("b", "")]),
        ("{漢｜かん}{字|じ}", [("漢", "かん"), ("字", "じ")]),
        ("{a|b} | {漢字}", [("{a|b} | {漢字}", "")]),
    ],
)
def test_what_is_a_reading_aid(text: str, parts: list[tuple[str, str]]) -> None:
    """Braces around letters of these scripts with a bar, also a wide one; other braces are what they are."""
    assert list(rubies(text)) == parts


@pytest.mark.parametrize("language", ["ja", "zh"])
def test_stress_is_a_dot_at_each_letter(desk: Desk, language: str) -> None:
    """Above in Japanese, below in Chinese; letters are not slanted, Latin ones have no dots."""
    plain, dotted = (ink(desk.show(box(text, lang=language))) for text in ("引雪引", "引*雪*引"))
    assert plain is not None and dotted is not None
    higher, lower = plain[1] - dotted[1], dotted[3] - plain[3]

    assert (higher > 0.3, lower > 0.3) == ((True, False) if language == "ja" else (False, True))
    assert list(stressed("雪 go")) == [("雪", True), (" go", False)]
