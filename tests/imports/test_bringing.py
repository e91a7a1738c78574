"""``pnp import``: each tool's tiny project comes in, prints at once, and says what stayed behind.

The projects beside this file were written for these tests; none is anybody's game.
"""

from __future__ import annotations

import csv
import re
import shutil
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import pytest
from commands import run
from PIL import Image
from pypdf import PdfReader

HERE = Path(__file__).resolve().parent
TOLD = re.compile(r"^  (\S+?:\S*?): (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Brought:
    """A game that was imported and built."""

    folder: Path
    said: str
    words: str
    left: dict[str, str]
    """Place in the source → what is said of it."""

    def face(self, name: str, of: str = "*") -> Image.Image:
        """A printed face without its bleed, ten dots a millimetre."""
        (path,) = self.folder.parents[1].rglob(f"faces/{of}/{name}.png")
        return Image.open(path).convert("RGB")

    def table(self, name: str = "cards") -> list[dict[str, str]]:
        return list(csv.DictReader((self.folder / f"{name}.csv").read_text().splitlines()))


def brought(source: str, tmp_path: Path, *more: str, name: str = "herd") -> Brought:
    """Import a project of this folder, and print it."""
    made = run("import", str(HERE / source), name, *more, at=tmp_path)
    assert made.code == 0, made.err
    built = run("build", name, "--paper", "a4", "--faces", "png", "--dpi", "254", "--no-bleed", at=tmp_path)
    assert built.code == 0, built.err
    pages = PdfReader(tmp_path / f"output/{name}/a4/print.pdf").pages[2:]
    words = " ".join(" ".join(page.extract_text().split()) for page in pages)
    readme = (tmp_path / f"content/{name}/README.md").read_text()
    left: dict[str, str] = {}
    for place, said in re.findall(r"^- (\S+?(?::\d+\S*)?): (.*)$", readme, re.MULTILINE):
        left[place] = f"{left.get(place, '')} {said}"
    for place, said in TOLD.findall(made.out):
        assert left.get(place) is not None, f"{said} is said on the screen and not in the README"
    return Brought(tmp_path / "content" / name, made.out, words, left)


def near(found: tuple[int, ...], wanted: tuple[int, int, int]) -> bool:
    return all(abs(a - b) <= 6 for a, b in zip(found, wanted, strict=True))


def test_a_deck_of_squib_comes_in_with_its_layout_its_sizes_and_its_copies(tmp_path: Path) -> None:
    """825 × 1125 pixels that are trimmed by 37.5 are a poker card, whose boxes count from the corner of the cut."""
    game = brought("squib", tmp_path)

    assert 'size = "poker"' in (game.folder / "game.toml").read_text()
    assert 'bleed = "3.175mm"' in (game.folder / "game.toml").read_text()
    assert [row["copies"] for row in game.table()] == ["3", "1", "2"]
    shown = ("Nanny", "Billy", "The Ram", "Climbs 40 m", "Come up here", "2 * 3 is _six_")
    assert all(words in game.words for words in shown)
    assert game.words.count("Leads the herd") == 4, "on the first two cards, three and one of them"
    face = game.face("nanny-front")
    assert face.size == (635, 889)
    # The panel: 75 pixels from the corner with bleed are 3.175 mm from the cut, and 12.7 mm high.
    assert near(face.getpixel((20, 100)), (253, 246, 227)) and near(face.getpixel((45, 100)), (47, 93, 80))
    assert near(face.getpixel((45, 155)), (47, 93, 80)) and near(face.getpixel((45, 170)), (253, 246, 227))
    # The drawing stands where art is: 300 pixels of 825, 400 of 1125, in the middle of its box.
    assert near(face.getpixel((317, 400)), (138, 90, 43))


def test_what_squib_draws_and_pnp_does_not_is_told_with_its_line(tmp_path: Path) -> None:
    """Nothing is dropped in silence: what is run, what there is not here, and what is missing in the folder."""
    game = brought("squib", tmp_path)

    assert 'only a run of the script knows "Time"' in game.left["deck.rb:13"]
    assert "polygon" in game.left["deck.rb:14"]
    assert "proofs" in game.left["deck.rb:15"]
    assert "save_pdf" in game.left["deck.rb:16"]
    assert '"ram.svg"' in game.left["deck.rb:11"]


def test_a_script_of_nandeck_comes_in_with_its_table_and_labels(tmp_path: Path) -> None:
    """Millimetres, percents, sums in braces, labels, ranges, and a column for how many."""
    game = brought("nandeck/goats.txt", tmp_path)

    assert 'size = "standard-us"' in (game.folder / "game.toml").read_text()
    assert [row["copies"] for row in game.table()] == ["3", "1", "2"]
    assert game.words.count("Climbs 40 m") == 3 and game.words.count("Leads the herd") == 4
    face = game.face("nanny-front")
    assert face.size == (560, 870)
    # The band: from 5 % on, 12 mm high, in the colour of the row; the ground fills the card.
    assert near(face.getpixel((40, 100)), (201, 139, 43)) and near(face.getpixel((10, 10)), (253, 246, 227))
    assert near(game.face("billy-front").getpixel((40, 100)), (47, 143, 93))
    assert "far/away.png" in (game.folder / "README.md").read_text()
    assert "PIE" in game.left["goats.txt:18"] and "IF" in game.left["goats.txt:19"]
    assert "BORDER" in game.left["goats.txt:9"] and "DPI" in game.left["goats.txt:4"]
    assert "Hidden" not in game.words


def test_a_file_of_nandeck_is_known_by_one_command(tmp_path: Path) -> None:
    """A text file needs two: it may be a list."""
    home = _new(tmp_path / "project")
    for name in ("goat.nde", "goat.txt"):
        (home / name).write_text("TEXT=1,Goat,0,0,6,3\n")

    assert "from nanDECK" in run("import", str(home / "goat.nde"), "herd", at=tmp_path).out
    assert "from nanDECK" not in run("import", str(home / "goat.txt"), "list", at=tmp_path).out


def test_a_project_of_cardmaker_comes_in_with_its_logic_and_its_layers(tmp_path: Path) -> None:
    """The first of its elements lies on top; defines and switches are worked out; bitmaps stay what they are."""
    game = brought("cardmaker", tmp_path)

    assert 'size = "poker"' in (game.folder / "game.toml").read_text()
    assert [row["copies"] for row in game.table("herd")] == ["3", "1", "2"]
    assert all(words in game.words for words in ("Nanny", "of the herd", "of the rocks", "Says Come up here", "Higher!"))
    face = game.face("nanny-front")
    assert face.size == (635, 889)
    assert near(face.getpixel((60, 50)), (47, 93, 80)), "the band lies on the ground"
    assert near(face.getpixel((317, 320)), (138, 90, 43)), "the picture"
    assert (game.folder / "art/goat.bmp").is_file()
    assert "worked out by the program" in game.left["goats.cmp:7"]
    assert "ram.bmp" in game.left["goats.cmp:8"]


def test_a_project_of_cider_comes_in_with_both_its_sides(tmp_path: Path) -> None:
    """HTML and CSS become boxes, Handlebars what each card says, pictures are found by the card's name."""
    game = brought("cider", tmp_path)

    assert 'size = "poker"' in (game.folder / "game.toml").read_text()
    assert all(words in game.words for words in ("Nanny", "Billy", "Come up here", "No. 40", "The Hill"))
    face = game.face("nanny-front")
    assert face.size == (635, 889)
    assert near(face.getpixel((20, 20)), (224, 211, 184)), "hsl(40, 40%, 80%)"
    assert near(game.face("billy-front").getpixel((20, 20)), (184, 224, 184))
    assert near(game.face("back").getpixel((20, 20)), (47, 93, 80))
    told = (game.folder / "README.md").read_text()
    words = ("filter", "{{#each card.tags}}", "{{#padZeros card.hue 4}}", "billy")
    assert [each for each in words if each.lower() not in told.lower()] == []


def test_cards_of_rpg_cards_come_in_as_markdown(tmp_path: Path) -> None:
    """Lines become paragraphs; what draws itself on the page stays behind, with the line of the file."""
    game = brought("rpg-cards/herd.json", tmp_path)

    assert all(words in game.words for words in ("Nanny", "Small goat", "Climb 40 m", "Come up here, quick.", "eats hats"))
    assert "2 * 3 is _six_" in game.words
    assert near(game.face("nanny-front").getpixel((10, 400)), (47, 93, 80))
    assert "boxes" in game.left["herd.json:12"]
    assert "no colour" in game.left["herd.json:18"]


def test_a_database_and_a_deck_of_cockatrice_come_in(tmp_path: Path) -> None:
    """A deck says how many, the database beside it what is on the cards."""
    game = brought("cockatrice/cards.xml", tmp_path)
    deck = brought("cockatrice/hill.cod", tmp_path, name="hill")

    assert all(words in game.words for words in ("Nanny", "Goat", "1/4", "*Draw a card."))
    assert "web" in " ".join(game.left.values()) and "tablerow" in game.left["cards.xml:11"]
    assert 'name = "Hill Start"' in (deck.folder / "game.toml").read_text()
    assert {row["name"]: row["copies"] for row in deck.table()} == {"Nanny": "3", "The Ram": "2", "A Stranger": "1"}
    assert deck.words.count("1/4") == 3


def test_plain_lists_and_bare_tables_come_in(tmp_path: Path) -> None:
    """Whatever way people write how many; a table keeps its columns, under names that a template can have."""
    game = brought("lists/herd.txt", tmp_path)
    table = brought("lists/herd.csv", tmp_path, name="table")

    copies = {row["name"]: row["copies"] for row in game.table("herd")}
    assert copies == {"Nanny": "3", "Billy": "1", "The Ram": "1", "A Stranger": "2"}
    assert "Sideboard" in game.left["herd.txt:7"]
    assert list(table.table("herd")[0]) == ["card_name", "copies", "text"]
    assert table.words.count("Come up here") == 3


def test_the_same_project_comes_in_as_the_same_bytes(tmp_path: Path) -> None:
    """No clock, no order of a folder: a second import is like the first one."""
    for name in ("one", "two"):
        assert run("import", str(HERE / "squib"), "herd", at=_new(tmp_path / name)).code == 0
    made = [
        {path.relative_to(home).as_posix(): path.read_bytes() for path in sorted(home.rglob("*")) if path.is_file()}
        for home in (tmp_path / "one", tmp_path / "two")
    ]
    assert made[0] == made[1] and len(made[0]) >= 5


def test_a_game_that_is_there_is_not_touched(tmp_path: Path) -> None:
    """As with pnp new: another name, or nothing."""
    assert run("import", str(HERE / "lists/herd.txt"), at=tmp_path).code == 0
    before = (tmp_path / "content/herd/game.toml").read_bytes()
    again = run("import", str(HERE / "squib"), "herd", at=tmp_path)

    assert again.code == 2 and "is there already" in again.err
    assert (tmp_path / "content/herd/game.toml").read_bytes() == before


def _new(folder: Path) -> Path:
    folder.mkdir()
    return folder


HOSTILE = {
    "entities": ("deck.xml", '<!DOCTYPE c [<!ENTITY a "x">]><cockatrice_deck version="1">&a;</cockatrice_deck>'),
    "deep JSON": ("cards.json", '[{"title": "a", "contents": [' + "[" * 100_000),
    "a table outside": ("deck.rb", "data = Squib.csv file: '../secret.csv'\nSquib::Deck.new(cards: 2) do\nend\n"),
    "no size": ("x.txt", "CARDSIZE=0,9\nFONT=Arial,12\nTEXT=1,hi,0,0,1,1\n"),
    "lists of words that never end": ("deck.rb", "Squib\n" + "%w( " * 50_000),
    "brackets in brackets": ("deck.rb", "Squib\nx = " + "[" * 50_000),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_what_cannot_be_read_is_told_with_its_place_and_leaves_nothing(case: str, tmp_path: Path) -> None:
    """A sentence with the file's name, no traceback, and not a trace of a game."""
    name, text = HOSTILE[case]
    (tmp_path / "secret.csv").write_text("name\nsecret\n")
    home = _new(tmp_path / "project")
    (home / name).write_text(text)

    told = run("import", str(home / name), "herd", at=tmp_path)

    # Each takes a blink; one that grows with the square of the file would take minutes.
    assert told.code == 3 and name in told.err and "fault of pnp" not in told.err
    assert not (tmp_path / "content").exists()


def test_yaml_that_grows_is_refused(tmp_path: Path) -> None:
    """Aliases of aliases: a few hundred bytes that stand for more than any layout."""
    home = _new(tmp_path / "project")
    levels = ["a0: &a0 [1, 1]"] + [f"a{at}: &a{at} [{', '.join([f'*a{at - 1}'] * 9)}]" for at in range(1, 12)]
    (home / "layout.yml").write_text("\n".join(levels))
    (home / "deck.rb").write_text("Squib::Deck.new(layout: 'layout.yml') do\ntext str: 'x'\nend\n")

    told = run("import", str(home / "deck.rb"), at=tmp_path)

    assert told.code == 3 and "layout.yml" in told.err and "grows" in told.err


def test_links_out_of_the_project_lead_nowhere(tmp_path: Path) -> None:
    """Neither a picture nor a table outside is read through a link."""
    home = _new(tmp_path / "project")
    (tmp_path / "secret.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>')
    (home / "inside.svg").symlink_to(tmp_path / "secret.svg")
    (home / "deck.rb").write_text(
        "Squib::Deck.new(cards: 1) do\ntext str: 'x', width: 200\nsvg file: 'inside.svg'\nsvg file: '../secret.svg'\nend\n"
    )

    told = run("import", str(home / "deck.rb"), "herd", at=tmp_path)

    assert told.code == 0 and not (tmp_path / "content/herd/art").exists()
    assert told.out.count("there is no such file in the project's folder") == 2


def test_what_is_made_of_a_column_stands_in_that_column(tmp_path: Path) -> None:
    """The person goes on in the column that they know; a picture that all rows have is still one of each row."""
    home = _new(tmp_path / "project")
    (home / "goat.svg").write_bytes((HERE / "squib/img/goat.svg").read_bytes())
    (home / "cards.csv").write_text(
        "name,art,description,ink\nNanny,goat.svg,Come <b>up</b>,dark_red\nBilly,goat.svg,No *,dark_red\n"
    )
    (home / "deck.rb").write_text(
        "d = Squib.csv file: 'cards.csv'\nSquib::Deck.new(cards: 2) do\ntext str: d['name'], y: 100, color: d['ink']\n"
        "text str: d['description'], y: 300, markup: true, color: d['ink']\nsvg file: d['art'], y: 500, width: 300\nend\n"
    )

    game = brought(str(home / "deck.rb"), tmp_path)

    same = {"art": "goat.svg", "ink": "#8b0000"}
    said = {"Nanny": "Come **up**", "Billy": "No \\*"}
    assert game.table() == [{"name": name, "description": text, **same} for name, text in said.items()]
    template = (game.folder / "templates/cards.svg.j2").read_text()
    assert all(f"row.{column}" in template for column in ("art", "description", "ink"))
    assert "text" not in "".join(game.table()[0])


def test_a_script_is_never_run(tmp_path: Path) -> None:
    """What a script would do when it is run does not happen."""
    home = _new(tmp_path / "project")
    (home / "deck.rb").write_text(
        "require 'squib'\nFile.write('ran.txt', 'x')\nsystem('touch ran.txt')\n`touch ran.txt`\n"
        "Squib::Deck.new(cards: 1) do\ntext str: `touch ran.txt`\ntext str: 'x', width: 200\nend\n"
    )

    assert run("import", str(home / "deck.rb"), "herd", at=home).code == 0
    assert not list(tmp_path.rglob("ran.txt"))


COMPUTES = {
    "a case": "case ENV['mode']\nwhen 'ink'\nrect fill_color: :black\nend",
    "a loop that draws": "%w(a b).each do |x|\ntext str: x\nend",
    "a case in a block": "text str: d['name'].map { |x|\ncase x\nwhen 'a' then 'b'\nend }",
    "a loop behind what is not read": "x ? y : z.each do |x|\ntext str: x\nend",
}


@pytest.mark.parametrize("case", COMPUTES)
@pytest.mark.parametrize("within", [True, False])
def test_a_script_that_computes_is_refused_with_its_line(case: str, within: bool, tmp_path: Path) -> None:
    """A program is not half read: the table of its deck is what comes in."""
    home = _new(tmp_path / "project")
    deck = "Squib::Deck.new(cards: 1) do\ntext str: 'x', width: 200\n"
    parts = (deck, COMPUTES[case] + "\nend\n") if within else (COMPUTES[case] + "\n", deck + "end\n")
    (home / "deck.rb").write_text("".join(parts))

    told = run("import", str(home / "deck.rb"), "herd", at=tmp_path)

    line = (2 if within else 0) + 1 + (case == "a case in a block")
    assert told.code == 3 and f"deck.rb:{line}" in told.err and "computes" in told.err
    assert "pnp import deck.csv NAME" in told.err and not (tmp_path / "content").exists()


def test_what_would_stop_the_build_is_mended_and_told(tmp_path: Path) -> None:
    """Letters of 3 pt, words that fit into no box, a letter that no font has: the game builds, and says what it lacks."""
    home = _new(tmp_path / "project")
    (home / "x.txt").write_text(
        "UNIT=MM\nCARDSIZE=63,88\nFONT=Arial,3,T,#000000\nTEXT=1-2,Small print,5,10,50,5,left\nFONT=Arial,12,T,#000000\n"
        "TEXT=1-2,Incomprehensibilities,5,30,3,3,left\nTEXT=1-2,Here \ue000 there,5,50,50,10,left\n"
    )

    made = run("import", str(home), "herd", at=tmp_path)
    built = run("build", "herd", "--paper", "a4", at=tmp_path)

    assert made.code == 0 and built.code == 0, built.err
    rules = (tmp_path / "content/herd/rules.toml").read_text()
    assert 'rule = "small-text"' in rules and "It was so in nanDECK." in rules
    assert "do not fit into its box" in made.out and "U+E000" in made.out
    words = " ".join(page.extract_text() for page in PdfReader(tmp_path / "output/herd/a4/cards.pdf").pages)
    assert "Small print" in words and "Here" in words and "Incompre" not in words


def test_a_bare_table_comes_as_it_was_typed_and_what_is_not_in_it_is_told(tmp_path: Path) -> None:
    """Its texts are pnp's own; a sum is no card; sheets and remarks that nobody reads are named."""
    from openpyxl import Workbook

    book = Workbook()
    for row in (("name", "copies", "text"), ("Nanny", 3, "**Two** :coin:"), ("Billy", 1, "No"), ("Total", 4, None)):
        book.active.append(row)
    book.create_sheet("Monsters").append(("name",))
    book["Monsters"].append(("Wolf",))
    book.save(tmp_path / "game.xlsx")

    made = run("import", str(tmp_path / "game.xlsx"), "herd", at=tmp_path)

    assert made.code == 0, made.err
    table = list(csv.DictReader((tmp_path / "content/herd/game.csv").read_text().splitlines()))
    assert [row["name"] for row in table] == ["Nanny", "Billy"] and table[0]["text"] == "**Two** :coin:"
    assert "Monsters" in made.out and "is the sum of the rows above" in made.out


def test_what_programs_hide_in_a_folder_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A project under version control has thousands of files in a folder of its own."""
    home = _new(tmp_path / "project")
    for at in range(40):
        (_new(home / f".git{at}") / "object").write_text("")
    shutil.copytree(HERE / "squib", home / "squib")
    monkeypatch.setattr("pnp.imports.importing.MOST_FILES", 30)

    assert run("import", str(home), "herd", at=tmp_path).code == 0
    for at in range(40):
        (home / f"{at}.txt").write_text("")
    full = run("import", str(home), "more", at=tmp_path)
    assert full.code == 3 and "more than 30 files" in full.err


def test_all_faces_of_a_family_come_along(tmp_path: Path) -> None:
    """Bold and italic are files of their own, and bold comes first by its name."""
    home = _new(tmp_path / "project")
    for face in ("Bold", "It", "Regular"):
        shutil.copy(Path(str(files("font_source_sans_pro"))) / f"files/SourceSansPro-{face}.ttf", home)
    faces = sorted(path.name for path in home.iterdir())
    (home / "x.txt").write_text("CARDSIZE=6,9\nFONT=Source Sans Pro,12,,#000000\nTEXT=1,Goat,0,0,6,3\n")

    assert run("import", str(home), "herd", at=tmp_path).code == 0
    assert len(faces) > 1 and sorted(path.name for path in (tmp_path / "content/herd/fonts").iterdir()) == faces


LARGE = {
    "a text that doubles": "x = 'goat'\n" + "x = x + x\n" * 40,
    "a sum without end": "x = " + "1+" * 4000 + "1\n",
    "a number beyond all": 'x = "#{1e999}"\n',
    "a name that nobody knows": "enable_build nobody\n",
}


@pytest.mark.parametrize("case", LARGE)
def test_a_script_that_grows_is_told_with_its_line(case: str, tmp_path: Path) -> None:
    """What it works out is left behind; the rest of it comes in."""
    home = _new(tmp_path / "project")
    (home / "deck.rb").write_text(LARGE[case] + "Squib::Deck.new(cards: 1) do\ntext str: 'Goat', width: 200\nend\n")

    made = run("import", str(home / "deck.rb"), "herd", at=tmp_path)

    assert made.code == 0, made.err
    assert re.search(r"deck\.rb:\d+: .*(?:longer|too large|too deeply|more than|only a run)", made.out)


def test_a_deck_of_squib_reads_cards_from_yaml(tmp_path: Path) -> None:
    """Their number stands in a field of each; a layout may be named within the deck, and one that is missing is told."""
    home = _new(tmp_path / "project")
    (home / "cards.yml").write_text("- name: Nanny\n  tags: [old, grey]\n  Qty: 3\n- name: Billy\n  Qty: 1\n")
    (home / "more.yml").write_text("title:\n  y: 100\n  width: 400\n")
    (home / "deck.rb").write_text(
        "d = Squib.yaml file: 'cards.yml'\nSquib::Deck.new(cards: d.name.size, layout: 'no.yml') do\n"
        "use_layout file: 'more.yml'\ntext str: d['name'], layout: :title\ntext str: d.tags, layout: :title, y: 300\nend\n"
    )

    game = brought(str(home / "deck.rb"), tmp_path)

    rows = [(row["name"], row["tags"], row["copies"]) for row in game.table()]
    assert rows == [("Nanny", "old, grey", "3"), ("Billy", "", "1")]
    assert '"no.yml"' in game.left["deck.rb:2"] and game.words.count("Nanny") == 3
