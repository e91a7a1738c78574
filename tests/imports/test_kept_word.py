"""``pnp import`` keeps its word: what comes out empty is refused, and all scripts of a folder are one game.

The projects here were written for these tests; none is anybody's game.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from commands import run
from limits import bounded
from openpyxl import Workbook
from PIL import Image

from pnp.imports.importing import import_game

DATA = "d = Squib.csv file: 'herd.csv'\n"
HERD = "name,kind,climb\nNanny,goat,40\nBilly,ram,60\nRam,ram,9\n"
NAMES = "text str: d['name'], y: 100, width: 400\n"


def squib(home: Path, **scripts: str) -> Path:
    """A folder of Squib with a table and scripts, each named and with its lines."""
    home.mkdir(exist_ok=True)
    (home / "herd.csv").write_text(HERD)
    for name, lines in scripts.items():
        (home / f"{name}.rb").write_text("require 'squib'\n" + lines)
    return home


def deck(lines: str, cards: str = "d['name'].size", data: str = DATA, more: str = "") -> str:
    return f"{data}Squib::Deck.new(cards: {cards}{more}) do\n{lines}end\n"


def table(game: Path, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader((game / f"{name}.csv").read_text().splitlines()))


def components(game: Path) -> set[str]:
    return {path.stem for path in game.glob("*.csv")}


FRAME = "rect x: 100, y: 100, width: 500, height: 600\n"
EMPTY = {
    "a blank card": (deck("background color: 'white'\ntext str: Time.now\n", "1", ""), "its only card shows"),
    "frames without their pictures": (deck(FRAME + "svg file: d['kind']\n"), "none of its 3 cards shows"),
    "all alike": (deck("text str: 'Attack', width: 300\ntext str: d['horns'], width: 300\n"), "all alike"),
    "all alike of a table that is not theirs": (
        deck("text str: 'Attack', width: 300\n" + "text str: d['horns']\ntext str: d['hoof']\n", "21"),
        "21 cards of",
    ),
    "one card of three": (deck("svg file: ['goat.svg', 'no.svg', 'goat.svg'], width: 300\n"), "a picture: number 2."),
}


@pytest.mark.parametrize("case", EMPTY)
def test_a_face_that_comes_out_empty_is_refused_and_nothing_is_written(case: str, tmp_path: Path) -> None:
    """A finding with the number of cards, what was left behind, and no word of success."""
    lines, said = EMPTY[case]
    home = squib(tmp_path / "project", deck=lines)
    (home / "goat.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>')

    made = run("import", str(home), "herd", at=tmp_path)

    assert made.code == 1 and said in made.err and "nothing was written" in made.err
    assert "export the deck's table as CSV" in made.err and "made content" not in made.out
    assert not (tmp_path / "content").exists()


def test_an_import_ends_with_its_score(tmp_path: Path) -> None:
    """Commands, columns and scripts, on the screen and in the README."""
    home = squib(
        tmp_path / "project",
        deck=deck(NAMES + "rect layout: 'cut'\npolygon n: 5\nstar n: 5\n"),
        more=deck(NAMES),
        helper="puts 'Squib'\n",
    )

    made = run("import", str(home / "deck.rb"), "herd", at=tmp_path)

    said = "1 of 3 drawing commands, 2 columns unused (kind, climb), 3 scripts found, deck.rb taken"
    assert said in made.out and said in (tmp_path / "content/herd/README.md").read_text()
    assert "2 more scripts in the folder: helper.rb, more.rb. Name the folder" in made.out


def test_all_scripts_that_make_a_deck_are_taken_and_the_others_named(tmp_path: Path) -> None:
    """One that computes is named with its line; what only helps is named too."""
    home = squib(
        tmp_path / "project",
        goats=deck(NAMES),
        rams=deck(NAMES, more=", width: 600, height: 600"),
        wolves="if x\n" + deck(NAMES) + "end\n",
        helper="def squib_of(x)\nend\n# Squib\n",
    )
    (home / "note.rb").write_text("puts 'Squib'\n")

    made = run("import", str(home), "herd", at=tmp_path)

    assert made.code == 0 and components(tmp_path / "content/herd") == {"goats", "rams"}
    assert "wolves.rb:2: the script: the script computes its cards" in made.out
    for name in ("helper.rb", "note.rb"):
        assert f"{name}: the script: there is no Squib::Deck.new" in made.out
    assert "5 scripts found, goats.rb, rams.rb taken" in made.out


BACKS = {
    "two scripts": {"deck": deck(NAMES), "deck_back": deck("text str: 'Behind', width: 400\n", "1", "")},
    "two decks of a script": {"deck": deck(NAMES) + "back = " + deck("text str: 'Behind', width: 400\n", data="")},
    "what is saved": {
        "deck": deck(NAMES + "save_pdf file: 'fronts.pdf', trim: 37.5\n")
        + deck("text str: 'Behind', width: 400\nsave_png prefix: 'back_'\n", data="")
    },
    "a name of their own": {
        "goats": deck(NAMES),
        "wolves": deck(NAMES, data=DATA),
        "goats_back": deck("text str: 'Behind', width: 400\n", "9", ""),
    },
}


@pytest.mark.parametrize("case", BACKS)
def test_fronts_and_backs_become_one_component(case: str, tmp_path: Path) -> None:
    """Whether two scripts or two decks: by what the source calls them."""
    made = run("import", str(squib(tmp_path / "project", **BACKS[case])), "herd", at=tmp_path)

    game = tmp_path / "content/herd"
    assert made.code == 0, made.err
    assert components(game) == ({"goats", "wolves"} if case == "a name of their own" else components(game))
    front = "goats" if case == "a name of their own" else next(iter(components(game)))
    assert (game / "game.toml").read_text().count("back = ") == 1 and len(components(game)) == 1 + (front == "goats")
    assert '"Behind"' in (game / f"templates/{front}-back.svg.j2").read_text()
    assert "is the back of" in made.out
    assert run("check", "herd", at=tmp_path).code == 0


def test_each_card_keeps_its_own_back(tmp_path: Path) -> None:
    """Backs of another sheet stand in the table of the fronts; those that fit nowhere are told."""
    book = Workbook()
    book.active.append(("name",))
    book.create_sheet("Backs").append(("name",))
    for front, back in (("Nanny", "Meadow"), ("Billy", "Rock")):
        book.active.append((front,))
        book["Backs"].append((back,))
    home = squib(
        tmp_path / "project",
        deck=deck(NAMES, data="d = Squib.xlsx file: 'x.xlsx'\n"),
        back=deck(NAMES, data="d = Squib.xlsx file: 'x.xlsx', sheet: 1\n"),
        other_back=deck(NAMES),
    )
    book.save(home / "x.xlsx")

    made = run("import", str(home), "herd", at=tmp_path)

    assert made.code == 0, made.err
    rows = [tuple(row.items()) for row in table(tmp_path / "content/herd", "deck")]
    assert rows == [(("name", front), ("name_2", back)) for front, back in (("Nanny", "Meadow"), ("Billy", "Rock"))]
    assert '"other_back" looks like backs, and is a component of its own' in made.out


def nandeck(home: Path, lines: str, more: str = "") -> Path:
    """A script of nanDECK with its table; ``more`` is another script."""
    home.mkdir()
    (home / "herd.txt").write_text(HERD)
    (home / "goats.nde").write_text("UNIT=MM\nCARDSIZE=60,90\n" + lines)
    if more:
        (home / "goats-back.nde").write_text("UNIT=MM\nCARDSIZE=60,90\n" + more)
    return home


NAME = "TEXT=,[name],10%,10%,20%,10%,center,center\n"
LINK = "LINK=herd.txt\nFONT=Arial,14,,#000000\n"


def test_negative_sizes_turn_words_and_pictures_upside_down(tmp_path: Path) -> None:
    """The number in the other corner stands on its head, in its own box; one that would be mirrored is told."""
    lines = LINK + NAME + "TEXT=,[climb],80%,80%,-10%,-10%\nTEXT=,[kind],50%,50%,-10%,10%\n"
    lines += "RECTANGLE=,90%,90%,-10%,-10%,#ff0000\n"

    made = run("import", str(nandeck(tmp_path / "project", lines)), "herd", at=tmp_path)

    template = (tmp_path / "content/herd/templates/cards.svg.j2").read_text()
    assert '<g transform="rotate(180 51 76.5)">{{ s.text(row.climb, 48, 72, 6, 9' in template
    assert "s.text(row.kind, 30, 45, 6, 9" in template and "goats.nde:7: it is not mirrored" in made.out
    assert '<rect x="48" y="72" width="6" height="9"' in template


@pytest.mark.parametrize("link", ["C:\\Games\\Goats\\herd.txt", '"../goats/HERD.TXT"'])
def test_a_table_is_found_by_its_name_and_a_text_is_a_csv(link: str, tmp_path: Path) -> None:
    """Wherever it was on its owner's computer."""
    home = nandeck(tmp_path / "project", LINK.replace("herd.txt", link) + NAME)

    made = run("import", str(home), "herd", at=tmp_path)

    assert made.code == 0, made.err
    assert [row["name"] for row in table(tmp_path / "content/herd", "cards")] == ["Nanny", "Billy", "Ram"]


def test_a_table_in_google_sheets_is_found_by_the_name_of_its_sheet(tmp_path: Path) -> None:
    """The id of its document is nobody's name for a file."""
    home = nandeck(
        tmp_path / "project", LINK.replace("herd.txt", "1SJdrYEP70GkcQ9vzmA7J-k4THJnsiQdGIxvZtUSJcwE!herd") + NAME
    )

    made = run("import", str(home), "herd", at=tmp_path)
    assert made.code != 0 and 'as "herd.csv"' in made.err

    (home / "herd.txt").rename(home / "herd.csv")
    assert run("import", str(home), "herd", at=tmp_path).code == 0
    assert [row["name"] for row in table(tmp_path / "content/herd", "cards")] == ["Nanny", "Billy", "Ram"]


def test_pictures_are_found_in_their_folders_wherever_the_project_was(tmp_path: Path) -> None:
    """A \\n of a path begins the name of a folder, and no line; what is told of several lines is told once."""
    owned = "C:\\Users\\goat\\nandeck\\art\\\\"
    lines = f'{LINK}{NAME}IMAGE=,"{owned}new.png",5,5,9,9,0,T\nIMAGE=,"{owned}old.png",5,25,9,9,0,T\n'
    home = nandeck(tmp_path / "project", f"{lines}TEXT=,One\\ntwo,5,60,50,9\n")
    for name, colour in (("new", "red"), ("old", "blue")):
        (home / "art").mkdir(exist_ok=True)
        Image.new("RGB", (9, 9), colour).save(home / f"art/{name}.png")

    made = run("import", str(home), "herd", at=tmp_path)

    assert {path.stem for path in (tmp_path / "content/herd/art").iterdir()} == {"new", "old"}
    assert '"One\\ntwo"' in (tmp_path / "content/herd/templates/cards.svg.j2").read_text()
    assert "goats.nde:6 and 1 more: the picture is shown without the flags T" in made.out


def test_scripts_of_nandeck_include_others_and_have_backs(tmp_path: Path) -> None:
    """What is included stands in its place and is no deck; a script of backs goes behind; blocks count as lost."""
    block = "FOR=a,1,3\nTEXT=1,x,0,0,9,9\nNEXT\n"
    back = 'FONT=Arial,14,,#000000\nTEXT=1,"Behind",5,5,50,9\n'
    home = nandeck(tmp_path / "project", "INCLUDE=common.nde\n" + NAME + block, back)
    (home / "common.nde").write_text(LINK + "IMAGE=,no.png,0,0,9,9\nRECTANGLE=,0,0,9,9,#ff0000\n")

    made = run("import", str(home), "herd", at=tmp_path)

    assert made.code == 0, made.err
    assert components(tmp_path / "content/herd") == {"goats"}
    assert '"Behind"' in (tmp_path / "content/herd/templates/goats-back.svg.j2").read_text()
    assert "3 of 5 drawing commands, 2 columns unused (kind, climb), 2 scripts found, all taken" in made.out
    assert "common.nde:3: IMAGE" in made.out


def test_a_sequence_says_a_text_for_each_card(tmp_path: Path) -> None:
    """From its first one again at its end; what a function works out is told, and joins are done."""
    lines = LINK + '[side]=left|right\n[both]=JOIN([name]," the ",[kind])\n[odd]=TRANSLATE([name],a,b)\n'
    lines += 'TEXT=,[side],5,5,50,9\nTEXT=,[both],5,25,50,9\nTEXT=,[odd],5,45,50,9\n{TEXT=,"Long\nwinded",5,65,50,9}\n'

    made = run("import", str(nandeck(tmp_path / "project", lines)), "herd", at=tmp_path)

    assert [row["side"] for row in table(tmp_path / "content/herd", "cards")] == ["left", "right", "left"]
    template = (tmp_path / "content/herd/templates/cards.svg.j2").read_text()
    assert 'row.name ~ " the " ~ row.kind' in template and '"Longwinded"' in template
    assert 'goats.nde:10: TEXT: there is no column and no label "odd"' in made.out


def test_lines_between_if_and_endif_are_for_the_cards_of_which_it_holds(tmp_path: Path) -> None:
    """By words and by numbers, one in the other, with ELSE; one that is not read loses its lines, and counts them."""
    lines = LINK + "IF=[kind]=GOAT\nTEXT=,A,5,5,50,9\nELSEIF=[climb]>50\nTEXT=,B,5,5,50,9\nELSE\nTEXT=,C,5,5,50,9\nENDIF\n"
    lines += "IF=[climb]<>9\nIF=[name]<>Nanny\nTEXT=1-3,D,5,25,50,9\nENDIF\nENDIF\n"
    lines += "IF=1 _OR_ 2\nTEXT=,E,5,45,50,9\nELSE\nENDIF\n"

    made = run("import", str(nandeck(tmp_path / "project", lines)), "herd", at=tmp_path)

    rows = table(tmp_path / "content/herd", "cards")
    template = (tmp_path / "content/herd/templates/cards.svg.j2").read_text()
    shown = re.findall(r'{% if row.(\w+) %}.*?text\("(\w)"', template)
    assert ["".join(letter for column, letter in shown if row[column]) for row in rows] == ["A", "BD", "C"]
    # What is drawn on the same cards shares a column.
    assert len({column for column, _ in shown}) == 3
    assert "  4 of 5 drawing commands\n" in made.out and "goats.nde:17: IF" in made.out


def test_thousands_of_equal_commands_are_soon_imported(tmp_path: Path) -> None:
    """Each text box looked for a free name from the first number on."""
    script = tmp_path / "deck.txt"
    script.write_text("CARDSIZE = 6.3, 8.8\n" + 'TEXT = 1, "Hide", 0, 0, 1, 1\n' * 16_000)
    with bounded(seconds=2):
        folder, _ = import_game(tmp_path, script, "many", None)

    assert (folder / "game.toml").exists()


def test_cards_beyond_what_is_read_are_told(tmp_path: Path) -> None:
    """A range of nanDECK that ends far beyond the deck."""
    script = tmp_path / "deck.txt"
    script.write_text('CARDSIZE = 6.3, 8.8\nTEXT = 1-3, "Hide", 0, 0, 1, 1\nTEXT = 1-5002, "Seek", 1, 1, 2, 1\n')
    _, imported = import_game(tmp_path, script, "many", None)

    (told,) = [each for each in imported.notes if "the first 5000" in each.message]
    assert told.place.row == 3 and "5002" in told.message
