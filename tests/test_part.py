"""A part of a game is printed: some pieces, some sheets, several copies, or what has changed since it was printed."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest
from commands import Left, run
from conftest import TinyProject, files_in, toml
from pypdf import PdfReader

from pnp.flows.pipeline import how_made, options_of
from pnp.read.project import Project
from pnp.values.languages import ENGLISH
from pnp.values.outcome import NOWHERE, Options, Selection
from pnp.write.printed import read_printed

GAME = toml("""
game: name = "Box"; papers = ["a4"]
cards: size = "tcg"; back = "back"; paper = "card, 300 g/m²"
chips: kind = "token"; size = "20mm"
sea: kind = "board"; size = "300mm x 400mm"
six: kind = "die"; size = "16mm"; sides = 6
book.rulebook: subtitle = "How it is played"
""")
CARDS = "id,suit,copies\nanna,red,12\nbert,blue,8\ncleo,red,1\n"
FACE = """{% extends "shared/face.svg.j2" %}
{% import "shared/pieces.svg.j2" as s %}
{% block face %}
{{ s.ground(face, "#5b8e7d") }}
{{ s.text(row.suit if "suit" in row else row.id, 6, 6, 9, 8, size="9 5", name="word") }}
{% endblock %}
"""
BACK = '{% extends "shared/face.svg.j2" %}{% block face %}<rect width="30" height="30" fill="#336699"/>{% endblock %}\n'

Pieces = dict[str, tuple[int, int]]
ALL_CARDS: Pieces = {"cards/anna": (12, 12), "cards/bert": (8, 8), "cards/cleo": (1, 1)}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> TinyProject:
    """The game, built and whole; nobody changes it, see ``game``."""
    game = TinyProject(Project(tmp_path_factory.mktemp("part")))
    game.put(game_toml=GAME, cards_csv=CARDS, chips_csv="id,copies\none,4\nfive,2\n", back_svg_j2=BACK)
    game.put(cards_svg_j2=FACE, chips_svg_j2=FACE, sea_svg_j2=FACE, six_svg_j2=FACE)
    game.put(rulebook_md="# Goal\n\nThere are {{ sheets('cards') }} sheets of cards.\n")
    assert run("build", "tiny", at=game.project.root).code == 0
    return game


@pytest.fixture
def game(made: TinyProject, tmp_path: Path) -> TinyProject:
    """A copy of the built game."""
    shutil.copytree(made.project.root, tmp_path, dirs_exist_ok=True)
    return TinyProject(Project(tmp_path))


def build(game: TinyProject, *options: str) -> Left:
    """Build a part; the whole stays as it was, and what was printed holds what it says."""
    root = game.project.root
    whole = {name: data for name, data in files_in(root / "output").items() if not name.startswith("tiny/part/")}
    done = run("build", "tiny", *options, at=root)

    after = {name: data for name, data in files_in(root / "output").items() if not name.startswith("tiny/part/")}
    assert after == whole
    if done.code == 0 and part(game).exists():
        verified = run("verify", part(game), at=root)
        assert (verified.code, verified.err) == (0, "")
    return done


def part(game: TinyProject, name: str = "print") -> Path:
    """A file of the part."""
    return game.project.root / "output" / "tiny" / "part" / "a4" / f"{name}.pdf"


def pieces(path: Path) -> Pieces:
    """The fronts and backs of each piece that lie on a file's pages."""
    found = [piece for piece in read_printed(path.read_bytes(), path.name).pieces if piece.name != "pnp/plan"]
    sides = {side: Counter(piece.name for piece in found if piece.side == side) for side in ("front", "back")}
    return {name: (sides["front"][name], sides["back"][name]) for name in sorted({*sides["front"], *sides["back"]})}


def said(path: Path, page: int = 0) -> str:
    """What stands on a page."""
    return " ".join(PdfReader(path).pages[page].extract_text().split())


def in_a_row(text: str) -> str:
    """The same whichever of two lines at the foot of a sheet its parts have room in."""
    return " ".join(sorted(text.replace("·", " ").split()))


def names(game: TinyProject) -> list[str]:
    """The files of the part."""
    return sorted(files_in(game.project.root / "output" / "tiny" / "part"))


# --- some pieces --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("only", "there", "words"),
    [
        (("cards:cleo,anna",), {"cards/anna": (12, 12), "cards/cleo": (1, 1)}, "part: cards:cleo,anna"),
        (("chips, six",), {"chips/five": (2, 0), "chips/one": (4, 0), "six/six": (1, 0)}, "part: chips, six"),
        (("cards:suit=RED",), {"cards/anna": (12, 12), "cards/cleo": (1, 1)}, "part: cards:suit=RED"),
    ],
)
def test_only_what_is_named_is_laid_with_all_its_copies(
    game: TinyProject, only: tuple[str, ...], there: Pieces, words: str
) -> None:
    """Fronts and backs; plan and sheets say what the file holds, it is no draft, and no book or board comes with it."""
    assert build(game, *(word for each in only for word in ("--only", each))).code == 0

    assert pieces(part(game)) == there
    assert words in said(part(game)) and words in said(part(game), 2)
    assert "DRAFT" not in said(part(game), 2)
    components = {name.partition("/")[0] for name in there}
    assert names(game) == sorted(["manifest.json", "a4/print.pdf", *(f"a4/{name}.pdf" for name in components)])


def test_a_book_or_a_board_is_made_where_it_is_named(game: TinyProject) -> None:
    """A book alone needs no sheets; its numbers are those of the whole game."""
    assert build(game, "--only", "sea").code == 0
    tiles = [f"sea/sea:{tile}" for tile in ("A1", "A2", "B1", "B2")]
    assert "one-piece/sea.pdf" in names(game) and [*pieces(part(game))] == tiles

    assert build(game, "--only", "rulebook").code == 0
    editions = [f"a4/rulebook{end}.pdf" for end in ("-a5", "-booklet", "")]
    assert names(game) == [*editions, "manifest.json", "rulebook.html"]
    assert "There are 3 sheets of cards." in said(part(game, "rulebook"), -1)


def test_every_piece_so_many_times(game: TinyProject) -> None:
    """All of the game is there twice, board and books too, and the plan says it."""
    assert build(game, "--times", "2").code == 0

    whole = pieces(game.project.root / "output/tiny/a4/print.pdf")
    assert pieces(part(game)) == {name: (2 * front, 2 * back) for name, (front, back) in whole.items()}
    assert "everything × 2" in said(part(game)) and "a4/rulebook.pdf" in names(game)

    assert build(game, "--only", "chips:one", "--times", "3").code == 0
    assert pieces(part(game)) == {"chips/one": (12, 0)}


@pytest.mark.parametrize(
    ("selection", "strange", "words"),
    [
        (Selection(), "", ""),
        (Selection(("cards", "chips:one,two"), times=2), "", "part: cards; chips:one,two × 2"),
        (Selection(("cards:ä",)), "ä", "part: cards: 1 design"),
        (Selection(sheets=tuple((number, number) for number in range(1, 99, 2))), "", "part: 49 sheets"),
        (Selection(copies=(("cards/anna", 2), ("cards/bo", 1))), "", "part: changed; cards: anna, bo"),
        (Selection(copies=tuple((f"deck-{number}/x", 1) for number in range(9))), "", "part: changed, 9 designs"),
    ],
)
def test_what_a_part_holds_is_said_in_few_words(selection: Selection, strange: str, words: str) -> None:
    """One by one where there is room, else by their numbers; nothing that the marks' font cannot show."""
    assert selection.told(ENGLISH, lambda text: {*strange} & {*text}) == words


# --- some sheets --------------------------------------------------------------------------------------------------------


def test_sheets_are_those_of_the_whole_file(game: TinyProject) -> None:
    """Each looks as it does there, with the number that it has there, its back on the page after it."""
    whole = game.project.root / "output/tiny/a4/print.pdf"
    assert build(game, "--sheets", "3,1").code == 0

    assert [said(part(game), page) for page in range(2, 6)] == [
        said(whole, page).replace("Box 1.0", "Box 1.0 · part: sheets 1, 3") for page in (2, 3, 6, 7)
    ]
    assert pieces(part(game)) == {"cards/anna": (9, 9), "cards/bert": (2, 2), "cards/cleo": (1, 1)}


def test_sheets_with_one_side_are_found_behind_those_with_two(game: TinyProject) -> None:
    """Three sheets of cards take six pages of the whole file; the next ones take a page each."""
    whole = game.project.root / "output/tiny/a4/print.pdf"
    done = build(game, "--sheets", "4-5")

    assert done.code == 0 and len(PdfReader(part(game)).pages) == 2 + 2
    assert [in_a_row(said(part(game), page)) for page in (2, 3)] == [
        in_a_row(said(whole, page).replace("Box 1.0", "Box 1.0 · part: sheets 4–5")) for page in (8, 9)
    ]
    assert PdfReader(part(game)).trailer["/Root"]["/ViewerPreferences"]["/Duplex"] == "/Simplex"


def test_the_plan_of_a_later_page_of_a_board_says_what_it_is_part_of(game: TinyProject) -> None:
    """Its first page, by which boards are counted, is not among the sheets."""
    whole = game.project.root / "output/tiny/a4/print.pdf"
    number = next(page for page in range(2, 20) if "last page" in said(whole, page)) - 2 - 3 + 1
    assert build(game, "--sheets", str(number)).code == 0

    assert "a part of Sea" in said(part(game)) and "× Sea" not in said(part(game))


def test_a_component_on_sheets_of_two_kinds_is_counted_once(game: TinyProject) -> None:
    """Tokens fill sheets of their own, and room beside cards that have backs."""
    game.put(game_toml=GAME.replace('paper = "card, 300 g/m²"\n', ""), cards_csv=CARDS.replace("cleo,red,1", "cleo,red,8"))
    game.put(chips_csv="id,copies\none,140\nfive,2\n")
    assert run("build", "tiny", at=game.project.root).code == 0
    done = build(game, "--sheets", "4-5", "--json")
    counted = {each["name"]: each["copies"] for each in json.loads(done.out)["games"][0]["components"]}

    assert "Cards, Chips, Six · sheet 4" in said(part(game), 2) and "Chips · sheet 5" in said(part(game), 4)
    assert counted == {"cards": 1, "chips": 142, "six": 1} and len(PdfReader(part(game)).pages) == 2 + 2 + 1


def test_a_sheet_that_lost_a_piece_is_noticed(game: TinyProject) -> None:
    """A part by sheets is held against the sheets that the game makes now."""
    assert build(game, "--sheets", "1").code == 0
    game.write("content/tiny/cards.csv", CARDS.replace("anna,red,12", "anna,red,7"))
    done = run("verify", part(game), at=game.project.root)

    assert done.code == 1
    assert "cards/anna printed 9 ×, 7 × on these sheets as the game makes them" in done.err


# --- what has changed ---------------------------------------------------------------------------------------------------


@pytest.fixture
def on_paper(game: TinyProject) -> TinyProject:
    """The game, of which everything is on paper."""
    assert run("printed", "tiny", at=game.project.root).code == 0
    return game


def record(game: TinyProject) -> Path:
    return game.game / "printed.csv"


def test_what_is_on_paper_is_written_down_to_be_read(on_paper: TinyProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row a piece, in the order of the names, the same whatever pnp remembers; of a file that was built as well."""
    rows = [line.split(",")[:3] for line in record(on_paper).read_text("utf-8").splitlines()]
    first = record(on_paper).read_bytes()

    assert rows == [
        ["component", "id", "copies"],
        *(["cards", "anna", "12"], ["cards", "bert", "8"], ["cards", "cleo", "1"]),
        *(["chips", "five", "2"], ["chips", "one", "4"], ["sea", "sea", "1"], ["six", "six", "1"]),
    ]
    monkeypatch.setenv("PNP_CACHE", str(on_paper.project.root / "cold"))
    for options in ((), ("--from", "output/tiny/a4/print.pdf")):
        record(on_paper).unlink()
        assert run("printed", "tiny", *options, at=on_paper.project.root).code == 0
        assert record(on_paper).read_bytes() == first


def test_nothing_changed_writes_nothing(on_paper: TinyProject) -> None:
    """Neither when a template is written otherwise and shows the same, nor for another row order or paper to print on."""
    on_paper.write("templates/tiny/cards.svg.j2", "{# The cards. #}\n" + FACE.replace("\n", "\n\n"))
    on_paper.write("content/tiny/cards.csv", "id,suit,copies\ncleo,red,1\nbert,blue,8\nanna,red,12\n")
    before = files_in(on_paper.project.root)
    done = build(on_paper, "--changed", "--paper", "letter")

    assert done.out == "tiny: nothing has changed since it was printed, so there is nothing to print\n"
    assert files_in(on_paper.project.root) == before


CHIPS: Pieces = {"chips/five": (2, 0), "chips/one": (4, 0)}


@pytest.mark.parametrize(
    ("file", "old", "new", "chips", "there"),
    [
        ("content/tiny/cards.csv", "bert,blue", "bert,teal", '"21mm"', {"cards/bert": (8, 8)}),
        ("content/tiny/cards.csv", "bert,blue,8", "bert,blue,11", '"20mm"\nshape = "square"', {"cards/bert": (3, 3)}),
        ("templates/tiny/back.svg.j2", "#336699", "#336698", '"20mm"\npaper = "felt"', ALL_CARDS),
    ],
)
def test_what_has_changed_is_printed(
    on_paper: TinyProject, file: str, old: str, new: str, chips: str, there: Pieces
) -> None:
    """A face, a back, a size, an outline, a paper; of more copies those that are missing. Then nothing more."""
    path = on_paper.project.root / file
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    on_paper.put(game_toml=GAME.replace('"20mm"', chips))
    assert build(on_paper, "--changed").code == 0

    assert pieces(part(on_paper)) == there | CHIPS
    assert "part: changed; " in said(part(on_paper)) and "part: changed; " in said(part(on_paper), 2)
    assert run("printed", "tiny", at=on_paper.project.root).code == 0
    assert "nothing has changed" in build(on_paper, "--changed").out


def test_what_is_no_longer_needed_is_told(on_paper: TinyProject) -> None:
    """On the terminal, with the row of what was printed, and in the plan of what is printed now."""
    on_paper.put(cards_csv="id,suit,copies\nanna,rose,10\ncleo,red,1\n", chips_csv="id,copies\none,3\nfive,2\n")
    done = build(on_paper, "--changed")

    assert "throw away" not in done.err and pieces(part(on_paper)) == {"cards/anna": (10, 10)}
    assert "printed.csv:3:id: cards/bert is no longer in the game. Throw away 8 copies of it." in done.err
    assert "printed.csv:6:id: chips/one is on paper 4 ×, and needed 3 ×. Throw away 1 copy of it." in done.err
    assert "throw away: cards/bert (8), chips/one (1)." in said(part(on_paper))


def test_one_component_is_compared_and_put_down_alone(on_paper: TinyProject) -> None:
    """The others stay as they are on paper."""
    on_paper.put(cards_csv=CARDS.replace("red", "pink"), chips_csv="id,copies\none,5\n")
    assert build(on_paper, "--changed", "--only", "chips").code == 0
    assert pieces(part(on_paper)) == {"chips/one": (1, 0)}

    assert run("printed", "tiny", "--only", "cards", at=on_paper.project.root).code == 0
    assert build(on_paper, "--changed").code == 0
    assert pieces(part(on_paper)) == {"chips/one": (1, 0)}


def test_what_is_on_paper_changes_no_build_of_the_whole(on_paper: TinyProject) -> None:
    """It is not built anew for that; and a copy of the game begins with nothing on paper."""
    root = on_paper.project.root
    assert run("build", "tiny", at=root).code == 0
    record(on_paper).unlink()
    assert "tiny: nothing has changed" in run("build", "tiny", at=root).err

    assert run("printed", "tiny", at=root).code == run("new", "other", "--from", "tiny", at=root).code == 0
    assert [path.name for path in root.rglob("printed.csv")] == ["printed.csv"]


# --- what cannot be -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--only", "crads"), 'there is no component or book "crads". Did you mean "cards"?'),
        (("--only", "cards:ana"), 'there is no piece of cards with the id "ana". Did you mean "anna"?'),
        (("--only", "cards:suit=green"), 'there is no piece of cards whose suit is "green". Known: red, blue.'),
        (("--only", "cards:colour=red"), 'there is no column of cards "colour". Known: id, suit, copies.'),
        (("--only", "cards:"), '"cards:" names no piece of cards. Known: anna, bert, cleo.'),
        (("--only", "x:"), 'there is no component "x". Known: cards, chips, sea, six.'),
        (("--only", "chips:none"), 'there is nothing to print of "chips:none": there are 0 copies.'),
        (("--sheets", "2-30"), "there is no sheet 30: the whole a4/print.pdf has "),
        (("--sheets", "0"), '"0" is no sheet'),
        (("--sheets", "1", "--paper", "a4", "--paper", "letter"), "Name the paper, such as --paper a4."),
        (("--sheets", "1", "--only", "cards"), "it goes without --only, --times, --changed"),
        (("--times", "100"), "100 is not in the range 1<=x<=99"),
        (("--changed", "--each", "content/tiny/cards.csv"), "not with decks of --each"),
    ],
)
def test_what_is_not_there_is_told_with_what_there_is(game: TinyProject, options: tuple[str, ...], told: str) -> None:
    """A sentence and the exit code of a wrong command; nothing is written."""
    game.write("content/tiny/chips.csv", "id,copies\none,4\nfive,2\nnone,0\n")
    before = files_in(game.project.root)
    done = build(game, *options)

    assert done.code == 2 and told in done.err, done.err
    assert files_in(game.project.root) == before


def test_more_pieces_than_a_game_may_have_are_not_laid(game: TinyProject) -> None:
    """Ninety-nine times a thousand takes too long for anybody to wait."""
    game.write("content/tiny/chips.csv", "id,copies\none,1000\n")
    done = build(game, "--only", "chips", "--times", "99")

    assert done.code == 2 and "that would be 99000 pieces, and at most 50000 are printed" in done.err


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("component,id", "name,id", 'printed.csv:1: this is not what pnp printed writes: it begins with "name, id'),
        ("cards,bert,8", "cards,anna,8", "printed.csv:3:id: cards/anna stands here twice. Remove one of the rows."),
        ("sea,sea,1", "sea,sea", "printed.csv:7: this row has 6 cells. Allowed: 7 cells."),
    ],
)
def test_a_file_that_is_rubbish_is_told_and_stays(on_paper: TinyProject, old: str, new: str, told: str) -> None:
    """With file, row and column; neither built from nor written over."""
    record(on_paper).write_text(record(on_paper).read_text("utf-8").replace(old, new, 1), "utf-8")
    before = files_in(on_paper.project.root)

    for done in (build(on_paper, "--changed"), run("printed", "tiny", at=on_paper.project.root)):
        assert done.code == 1 and told in done.err
    assert files_in(on_paper.project.root) == before


def test_a_link_is_neither_read_nor_replaced(on_paper: TinyProject) -> None:
    """A stranger's game may lead anywhere."""
    elsewhere = record(on_paper).rename(on_paper.project.root / "elsewhere.csv")
    before = elsewhere.read_bytes()
    record(on_paper).symlink_to(elsewhere)

    for done in (build(on_paper, "--changed"), run("printed", "tiny", at=on_paper.project.root)):
        assert done.code == 1 and "printed.csv: it is a link, and stays as it is. Move it away." in done.err
    assert record(on_paper).is_symlink() and elsewhere.read_bytes() == before


def test_only_files_of_the_game_tell_what_is_on_paper(on_paper: TinyProject) -> None:
    """No other file, and nothing beside the files."""
    root = on_paper.project.root
    on_paper.write("notes.pdf", "no PDF")
    before = record(on_paper).read_bytes()
    shutil.copytree(on_paper.game, on_paper.game.parent / "other")
    shutil.copytree(root / "templates/tiny", root / "templates/other")

    rubbish = run("printed", "tiny", "--from", "notes.pdf", at=root)
    others = run("printed", "other", "--from", "output/tiny/a4/print.pdf", at=root)
    both = run("printed", "tiny", "--from", "output/tiny/a4/print.pdf", "--only", "cards", at=root)

    assert (rubbish.code, others.code, both.code) == (3, 3, 2)
    assert "notes.pdf cannot be read as a PDF" in rubbish.err
    assert "print.pdf is of tiny, and not of other" in others.err
    assert record(on_paper).read_bytes() == before


@pytest.mark.parametrize("part_told", [{"copies": [["cards/anna", 0]]}, {"sheets": [1]}, {"times": "many"}])
def test_a_file_that_tells_nonsense_of_its_part_is_none_of_ours(part_told: dict[str, object]) -> None:
    """Then it does not say how it was made."""
    told = json.loads(how_made(Options(NOWHERE, selection=Selection(("cards",))), None, "none"))
    assert options_of(json.dumps(told)) is not None

    assert options_of(json.dumps({**told, "part": part_told})) is None


def test_a_part_whose_piece_is_gone_is_told(game: TinyProject) -> None:
    """A file of yesterday names what it holds and what of it the game has no more."""
    assert build(game, "--only", "cards:bert").code == 0
    game.write("content/tiny/cards.csv", CARDS.replace("bert", "berta"))
    done = run("verify", part(game), at=game.project.root)

    assert done.code == 1
    assert 'the file holds part: cards:bert: there is no piece of cards with the id "bert"' in done.err


def test_what_cannot_be_drawn_is_not_thrown_away(on_paper: TinyProject) -> None:
    """A fault is told as a fault."""
    on_paper.write("templates/tiny/cards.svg.j2", FACE.replace("row.suit if", "row.idd if"))
    done = build(on_paper, "--changed")

    assert done.code == 1 and "idd" in done.err and "hrow away" not in done.err
