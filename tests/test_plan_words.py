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

from pnp.values.languages import Words

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
    assert re.search(r"\b3–\d+", seen(hebrew))


def test_marks_say_what_they_can(hebrew: TinyProject) -> None:
    """The font of the marks has no Hebrew: they say the folder's and the section's name, and a warning says so."""
    found = [problem for problem in hebrew.build(papers=("a4",)).problems if problem.rule == "unprintable-title"]
    sheet = pages(hebrew)[2]

    assert [problem.severity for problem in found] == ["warning", "warning"]
    assert {'"tiny"', '"cards"'} <= {problem.message.rpartition(" ")[2] for problem in found}
    assert "tiny" in sheet and "cards · sheet 1" in sheet


def test_captions_of_the_plan_are_set_as_marks_are(hebrew: TinyProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the font of the marks has not the letters of the language, what is printed with it is in English."""
    told = dict.fromkeys(["{pieces}, or the {others}"], ("{pieces} או {others}",))
    monkeypatch.setattr("pnp.flows.translate.words_of", lambda language: Words(language, told))
    text = (hebrew.game / "game.toml").read_text(encoding="utf-8")
    size = text.partition("[component.cards]")[2].partition("[")[0]
    hebrew.write("content/tiny/game.toml", f'{text}\n[component.others]\ntable = "cards"\ninstead = "cards"{size}')

    assert hebrew.build(papers=("a4",)).ok
    assert "× cards, or the others" in " ".join(pages(hebrew)[0].split())


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
