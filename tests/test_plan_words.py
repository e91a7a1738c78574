"""The words of the print plan: pnp's own language, the game's names in their direction, what is known of its fonts."""

from __future__ import annotations

import re
import shutil
from importlib import resources
from pathlib import Path

import pypdfium2 as pdfium
import pytest
from conftest import TinyProject
from pypdf import PdfReader

from pnp.draw.howto import MARGIN
from pnp.draw.plan import ABOVE_PICTURES, BESIDE_NUMBER, LINE, Job, foot_of, head_of, side_by_side
from pnp.read.languages import words_of
from pnp.read.presets import paper
from pnp.values.languages import held, joined
from pnp.write.pdf import text_width

AMATIC = Path(str(resources.files("font_amatic_sc"))) / "files" / "AmaticSC-Regular.ttf"
TITLE, CARDS = "אי המטמון", "קלפים"


def game(tiny: TinyProject, section: str, lines: str) -> None:
    """Add lines to a section of the game's file, which may be a new one."""
    file = tiny.game / "game.toml"
    text = file.read_text(encoding="utf-8")
    head = f"[{section}]\n"
    text = text.replace(head, f"{head}{lines}\n", 1) if head in text else f"{text}\n{head}{lines}\n"
    tiny.write("content/tiny/game.toml", text)


def pages(tiny: TinyProject, file: str = "print.pdf") -> list[str]:
    """The words of a printed file, page by page; letters without the marks of direction."""
    (path,) = (tiny.project.root / "output").rglob(f"a4/{file}")
    return [re.sub("[\u2066-\u2069]", "", page.extract_text()) for page in PdfReader(path).pages]


def seen(tiny: TinyProject) -> str:
    """The first page's words from left to right, in whatever direction they are read."""
    (path,) = (tiny.project.root / "output").rglob("a4/print.pdf")
    document = pdfium.PdfDocument(path)
    try:
        return str(document[0].get_textpage().get_text_range())
    finally:
        document.close()


@pytest.fixture
def hebrew(tiny: TinyProject) -> TinyProject:
    """A game with Hebrew names; Amatic SC has their letters."""
    text = re.sub(r'(?m)^name = ".*"$', f'name = "{TITLE}"', (tiny.game / "game.toml").read_text(), count=1)
    tiny.write("content/tiny/game.toml", text)
    game(tiny, "game", 'language = "he"')
    game(tiny, "component.cards", f'title = "{CARDS}"')
    game(tiny, "fonts", 'body = "Amatic SC"')
    table = (tiny.game / "cards.csv").read_text().splitlines()
    tiny.write("content/tiny/cards.csv", "\n".join([f"{table[0]},copies", *(f"{row},20" for row in table[1:])]))
    return tiny


def test_a_hebrew_game_is_printed(hebrew: TinyProject) -> None:
    """Its plan runs from left to right, in English; its title is read from right to left."""
    done = hebrew.build(papers=("a4",))
    plan = pages(hebrew)[0]

    assert done.ok
    assert all(word in plan or word[::-1] in plan for word in TITLE.split())
    assert re.search(r"\b3–\d+", seen(hebrew).replace("\u2060", ""))


def test_marks_are_in_the_fonts_of_the_game(hebrew: TinyProject) -> None:
    """Where pnp's own font for marks has not the letters of a language: slug lines and captions alike."""
    done = hebrew.build(papers=("a4",))
    plan, sheet = pages(hebrew)[0], pages(hebrew)[2]

    assert done.ok and "unprintable-title" not in {problem.rule for problem in done.problems}
    assert all(word in sheet or word[::-1] in sheet for word in (*TITLE.split(), CARDS))
    assert "40 ×" in plan or ("40" in plan and CARDS in plan) or CARDS[::-1] in plan
    assert "sheet 1" in sheet


@pytest.mark.parametrize("title", ["אי :x: **b** [w]{red} {{ x }}", "- אי", "אי" + "א" * 300])
def test_a_title_is_no_markup_in_marks_and_may_be_long(hebrew: TinyProject, title: str) -> None:
    text = (hebrew.game / "game.toml").read_text(encoding="utf-8")
    hebrew.write("content/tiny/game.toml", text.replace(f'title = "{CARDS}"', f'title = "{title}"'))

    assert hebrew.build(papers=("a4",)).ok
    assert all(word in pages(hebrew)[2] for word in re.findall(r"[!-~]+", title))


def test_marks_of_scenes_are_in_the_fonts_of_the_game(hebrew: TinyProject) -> None:
    """What a font lacks would look the same whatever it is."""
    head = '# A\n\n::: scene on="table" alt="x"\n| what | where | how |\n|---|---|---|\n| cards/anna | 1,1 | |\n'
    game(hebrew, "book.rulebook", 'subtitle = "x"')
    looks = set()
    for mark in "אש":
        hebrew.write("content/tiny/rulebook.md", f"{head}| mark | 1,1 | {mark} |\n:::\n")
        assert hebrew.build(papers=("a4",)).ok
        (path,) = (hebrew.project.root / "output").rglob("a4/rulebook.pdf")
        with pdfium.PdfDocument(path) as pdf:
            looks.add(pdf[len(pdf) - 1].render(scale=4).to_pil().tobytes())
    assert len(looks) == 2


def test_marks_say_what_they_can(tiny: TinyProject) -> None:
    """Of a title whose letters no font of the game has they say the folder's name, and a warning says so."""
    text = re.sub(r'(?m)^name = ".*"$', f'name = "{TITLE}"', (tiny.game / "game.toml").read_text(), count=1)
    tiny.write("content/tiny/game.toml", text)
    found = [problem for problem in tiny.build(papers=("a4",)).problems if problem.rule == "unprintable-title"]

    assert [problem.severity for problem in found] == ["warning"] and '"tiny"' in found[0].message
    assert "tiny 1.0 · " in pages(tiny)[2]


def test_the_plan_says_the_licence_that_a_font_states(tiny: TinyProject) -> None:
    """The fonts that come with pnp are under the Open Font License, and say so themselves."""
    assert tiny.build(papers=("a4",)).ok

    assert "Fonts under the SIL Open Font License." in " ".join(pages(tiny)[1].split())


@pytest.mark.parametrize(
    ("records", "beside", "said"),
    [
        ({13: "For *private* use only. Ask us."}, {}, "Scrawl (For *private* use only)"),
        ({}, {"OFL.txt": "Copyright\n\nSIL OPEN FONT LICENSE Version 1.1"}, "Fonts under the SIL Open Font License."),
        ({}, {"README.txt": "SIL OPEN FONT LICENSE"}, "Scrawl (licence not stated in the font)"),
    ],
)
def test_the_plan_says_nothing_that_a_font_does_not(
    tiny: TinyProject, records: dict[int, str], beside: dict[str, str], said: str
) -> None:
    """From its table of names or a licence file beside it; else that nothing is known."""
    own_font(tiny, "Scrawl", records)
    for name, text in beside.items():
        tiny.write(f"content/tiny/fonts/{name}", text)
    game(tiny, "fonts", 'title = "Scrawl"')
    assert tiny.build(papers=("a4",)).ok

    assert said in " ".join(pages(tiny)[1].split())


def test_a_licence_file_is_about_the_font_that_it_names(tiny: TinyProject) -> None:
    """Of two families in a folder the other one stays unknown."""
    own_font(tiny, "Scrawl", {})
    own_font(tiny, "Scribble", {})
    tiny.write("content/tiny/fonts/OFL.txt", "Copyright The Scrawl Authors\nSIL OPEN FONT LICENSE Version 1.1")
    game(tiny, "fonts", 'title = "Scrawl"')
    assert tiny.build(papers=("a4",)).ok

    words = " ".join(pages(tiny)[1].split())
    assert "Scribble (licence not stated in the font)" in words
    assert re.search(r"Scrawl, Source Sans Pro \(SIL|Source Sans Pro, Scrawl \(SIL", words)


def own_font(tiny: TinyProject, family: str, records: dict[int, str]) -> None:
    """The Amatic font under another name, with these records instead of what it says of its licence."""
    from fontTools.ttLib import TTFont

    folder = tiny.game / "fonts"
    folder.mkdir(exist_ok=True)
    shutil.copy(AMATIC, folder / f"{family}.ttf")
    with TTFont(folder / f"{family}.ttf") as font:
        table = font["name"]
        table.names = [record for record in table.names if record.nameID in (1, 2, 4, 6, 16, 17)]
        for record in table.names:
            if record.nameID in (1, 4, 16):
                record.string = family
        for number, text in records.items():
            table.setName(text, number, 3, 1, 0x409)
        font.save(folder / f"{family}.ttf")


@pytest.mark.parametrize(
    ("language", "title", "said"),
    [
        ("es", "Cartas de juego", "cartas de juego"),
        ("es", "VIP", "VIP"),
        ("de", "Karten", "Karten"),
        ("en", "Cards", "Cards"),
        ("en", "Cards of fate", "cards of fate"),
        ("en", "Cards of Fate", "Cards of Fate"),
    ],
)
def test_a_name_within_a_line_has_the_capitals_of_its_language(
    tiny: TinyProject, language: str, title: str, said: str
) -> None:
    """Below a picture its name begins a line, as it is; in a sentence it is small, but for abbreviations."""
    game(tiny, "game", f'language = "{language}"')
    of_cards = 'table = "cards"\ntemplate = "cards"\nsize = "tcg"\ninstead = "cards"'
    game(tiny, "component.more", f'title = "{title}"\n{of_cards}')
    assert tiny.build(papers=("a4",)).ok

    text = " ".join(seen(tiny).split())
    assert f"2 × {title}" in text and re.search(rf"2 × Cards,? (or the|oder|o bien) {said} ", text)


def test_a_name_of_capitals_keeps_them_among_others() -> None:
    """Bronze Cannons are called so in the rules; cargo beside them is not Cargo."""
    words = words_of("en")
    assert words
    titles = ["Cargo", "Bad luck", "Bronze Cannons"]

    assert [words.inside(title, titles) for title in titles] == ["cargo", "bad luck", "Bronze Cannons"]


def test_figures_stay_with_what_they_count() -> None:
    """And numbers of pages with their word, whatever the line's end."""
    assert held("weighs 478 g (page 52)") == "weighs 478\xa0g (page\xa052)"
    assert held("Start (pages 3–4, 9), 300 g/m²") == "Start (pages\xa03–\u20604, 9), 300\xa0g/\u2060m²"
    assert held("2 boxes for 12 cards") == "2\xa0boxes for 12\xa0cards"
    assert held("1. Print 2 sheets") == "1. Print 2\xa0sheets"
    assert held("用紙1枚減") == "用紙1\u2060枚減"
    assert held("covers 51 % of a page") == "covers 51\xa0% of a page"
    assert held(f"Seiten {joined(3)} und {joined(14)} allein") == "Seiten\xa03 und\xa014 allein"
    assert held(f"صفحة {joined(15)} تبين") == "صفحة\xa015 تبين"


@pytest.mark.parametrize("language", ["en", "de", "es", "ar"])
def test_the_plan_names_its_second_page_without_a_line_between(language: str) -> None:
    """In every language that has spaces."""
    words = words_of(language)
    assert words
    said = words("Put the paper in the printer, and print the pages named below, as page\u00a02 says.")

    assert re.search(r"\w\xa02\b", said)


def test_a_job_is_as_high_as_the_lines_of_its_words() -> None:
    """Pages begin a line of their own where the first is full, and what becomes of a book; below pictures as words do."""
    words = words_of("en")
    assert words
    short, long = (
        Job("plain paper", "one side", "page 3", 1),
        Job("plain paper", 4 * "both sides, flip on short edge ", "", 3),
    )

    assert head_of(short, 160, words, text_width) == LINE + ABOVE_PICTURES
    assert head_of(long, 160, words, text_width) == 3 * LINE + ABOVE_PICTURES
    assert short.said(160, words, text_width) == "**Plain paper** · one\xa0side · **page 3** · 1\xa0sheet"
    assert short.said(40, words, text_width) == "**Plain paper** · one\xa0side\n**page 3** · 1\xa0sheet"
    book = Job("plain paper", "both sides, flip on short edge; fold and staple", "", 3)
    first, second = book.said(70, words, text_width).replace("\xa0", " ").splitlines()
    assert (first, second) == ("**Plain paper** · both sides, flip on short edge", "fold and staple · 3 sheets")
    assert "\n" not in book.said(40, words, text_width)
    glued = Job("paper, 120-160 g/m², then glued on board", "one side", "pages 4-6", 3)
    first, second = glued.said(75, words, text_width).replace("\xa0", " ").replace("\u2060", "").splitlines()
    assert (first, second) == ("**Paper, 120-160 g/m², then glued on board**", "one side · **pages 4-6** · 3 sheets")
    assert [foot_of(said, 160, text_width) for said in ("", "Rulebook", "Rulebook\nOrders")] == [0, LINE, 2 * LINE]


@pytest.mark.parametrize("mirrored", [False, True])
def test_two_narrow_jobs_that_follow_each_other_share_a_row(mirrored: bool) -> None:
    """A third begins a row of its own, a wide one has the whole width; read from the right, the second is on the left."""
    a4 = paper("a4")
    made = side_by_side([True, True, True, False, True, True], a4, mirrored)

    assert [beside for _, _, beside in made] == [False, True, False, False, False, True]
    halves = {0, 1, 4, 5}
    assert [wide < a4.width / 2 for _, wide, _ in made] == [at in halves for at in range(6)]
    assert (made[0][0] < made[1][0]) != mirrored
    number = BESIDE_NUMBER
    for left, wide, _ in made:
        assert (
            left - (0 if mirrored else number) >= MARGIN and left + wide + (number if mirrored else 0) <= a4.width - MARGIN
        )
