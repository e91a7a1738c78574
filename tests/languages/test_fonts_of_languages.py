"""Each language has its own list of fonts; letters of the second are as heavy as the first, in the forms of the language."""

from __future__ import annotations

import re

import pikepdf
import pytest
from conftest import TinyProject

from pnp.draw.markup import missing_hint
from pnp.flows.translate import translate_game
from pnp.values.languages import leftwards, shaping

FONTS = """
[fonts]
title = "Fredoka One"

[fonts.he]
title = ["Fredoka One", "Amatic SC"]
body = ["Source Sans Pro", "Amatic SC"]
"""
# Fredoka One is of one weight, and heavy; Amatic SC has Hebrew letters in two weights.
HEBREW = "אי המטמון"


@pytest.fixture
def game(tiny: TinyProject) -> TinyProject:
    """A game whose titles, and whose book, are in the font of titles."""
    tiny.write("content/tiny/game.toml", (tiny.game / "game.toml").read_text() + FONTS)
    template = (tiny.project.root / "templates/tiny/cards.svg.j2").read_text()
    tiny.write("templates/tiny/cards.svg.j2", template.replace('name="title"', 'font="title", name="title"'))
    tiny.write("content/tiny/rulebook.md", "# Tiny\n\nPass.\n")
    translate_game(tiny.project, "tiny", "he")
    file = tiny.game / "languages" / "he.csv"
    tiny.write("content/tiny/languages/he.csv", re.sub(r',"",("[^"]*","[^"]*")\n', rf',"{HEBREW}",\1\n', file.read_text()))
    return tiny


def fonts(tiny: TinyProject, pattern: str) -> set[str]:
    """The names of all fonts within the PDFs that are called so."""
    found: set[str] = set()
    for path in (tiny.project.root / "output").rglob(pattern):
        with pikepdf.open(path) as pdf:
            about = [each for each in pdf.objects if isinstance(each, pikepdf.Dictionary) and "/BaseFont" in each]
            found |= {str(each.BaseFont).rpartition("+")[2].removesuffix("-Identity-H") for each in about}
    return found


def test_a_list_of_fonts_for_a_language(game: TinyProject) -> None:
    """In Hebrew the fonts of ``[fonts.he]`` are tried in turn; in other languages they are not there."""
    assert game.build().ok
    assert not {name for name in fonts(game, "*.pdf") if "Amatic" in name}
    done = game.build(language="he")

    assert done.ok, list(done.problems)
    assert {"AmaticSC-Regular", "AmaticSC-Bold"} <= fonts(game, "cards.pdf") | fonts(game, "print.pdf")


@pytest.mark.parametrize("pattern", ["print.pdf", "rulebook*.pdf"])
def test_a_heavy_title_falls_back_to_bold(game: TinyProject, pattern: str) -> None:
    """Letters that a heavy font of titles has not are bold in the next one, on cards and in books."""
    done = game.build(language="he", papers=("a4",))
    assert done.ok, [*map(str, done.problems.errors)]
    assert "AmaticSC-Bold" in fonts(game, pattern)


def test_a_family_that_is_missing_is_told_once(game: TinyProject) -> None:
    """Also where two roles name it and many letters were to come from it; at the key of the language."""
    text = (game.game / "game.toml").read_text()
    game.write("content/tiny/game.toml", text.replace('"Amatic SC"', '"Noto Sans Hebrew"'))
    problems = game.build(language="he").problems.errors

    assert [(each.rule, each.place.column) for each in problems] == [("unknown-font", "fonts.he.title")]
    assert game.build().ok, "another language does not need it"


def test_letters_that_no_font_has_are_told_once_a_line(game: TinyProject) -> None:
    """The title of a book is one problem, not one a letter."""
    text = (game.game / "game.toml").read_text()
    game.write("content/tiny/game.toml", text.replace('name = "Tiny"', 'name = "ผู้เล่น"'))
    problems = [each for each in game.build().problems.errors if "which are in the title" in each.message]

    assert [each.rule for each in problems] == ["missing-glyph"]


@pytest.mark.parametrize(
    ("letter", "named"),
    [("漢", "fonts-noto-cjk"), ("ほ", "Noto Sans CJK"), ("ع", "Noto Sans Arabic"), ("ผ", ":name:"), ("\ue000", ":name:")],
)
def test_where_the_fonts_of_a_script_come_from_is_told(letter: str, named: str) -> None:
    """Those of Chinese, Japanese, Korean, Arabic and Hebrew letters, none of which comes with pnp."""
    assert named in missing_hint(letter)


@pytest.mark.parametrize(
    ("lines", "rule", "column"),
    [
        ("title = []", "bad-value", "fonts.title"),
        ('title = ["Amatic SC", 3]', "bad-value", "fonts.title"),
        ("[fonts.xx]\ntitle = 'Amatic SC'", "language-code", "fonts.xx"),
        ("[fonts.title]\nhe = 'Amatic SC'", "language-code", "fonts.title"),
    ],
)
def test_what_is_no_list_of_fonts(tiny: TinyProject, lines: str, rule: str, column: str) -> None:
    """Is an error at its key."""
    tiny.write("content/tiny/game.toml", f"{(tiny.game / 'game.toml').read_text()}\n[fonts]\n{lines}\n")
    assert (rule, column) in {(each.rule, each.place.column) for each in tiny.build().problems.errors}


@pytest.mark.parametrize(
    ("code", "forms"),
    [("zh", "zh-CN"), ("zh-Hans", "zh-CN"), ("zh-Hant", "zh-TW"), ("zh-Hant-HK", "zh-HK"), ("ja", "ja"), ("pt-BR", "pt")],
)
def test_chinese_has_the_forms_of_its_country(code: str, forms: str) -> None:
    """One letter of Unicode is drawn in several ways; the country says which."""
    assert shaping(code) == forms


@pytest.mark.parametrize("code", ["ar", "he-IL", "ur-PK", "az-Arab", "yi"])
def test_languages_from_right_to_left(code: str) -> None:
    assert leftwards(code) and not leftwards("az") and not leftwards("ur-Latn")
