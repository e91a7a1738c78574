"""Reading a game: by the end every default is filled in, every length in mm, every reference an object."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pnp.read.game import read_game
from pnp.read.project import NoSuchGame, Project, find_project, shipped_templates
from pnp.values.game import Game, Paper
from pnp.values.problems import Problem, Problems
from pnp.values.tables import Row

if TYPE_CHECKING:
    from conftest import TinyProject

ROOT = Path(__file__).resolve().parents[2]
GAME = '[game]\nname = "Tiny"\n'
CARDS = '[component.cards]\nsize = "tcg"\n'


def read(tiny: TinyProject, toml: str | None = None, table: str | None = None) -> tuple[Game | None, list[Problem]]:
    """The tiny game, with another game.toml or table of cards, and what is wrong with it."""
    if toml is not None:
        tiny.write("content/tiny/game.toml", toml)
    if table is not None:
        tiny.write("content/tiny/cards.csv", table)
    problems = Problems()
    return read_game(tiny.project, "tiny", problems), list(problems)


def game(tiny: TinyProject, toml: str | None = None, table: str | None = None) -> Game:
    """The tiny game, which must have nothing wrong."""
    made, problems = read(tiny, toml, table)
    assert made is not None and not problems, [str(problem) for problem in problems]
    return made


# --- what comes out -------------------------------------------------------------------------------------


def test_every_default_is_filled_in(tiny: TinyProject) -> None:
    """A component of which only the size is given has a title, table, template, bleed and paper to print on."""
    (cards,) = game(tiny).components

    assert (cards.name, cards.title, cards.kind, cards.template, cards.back) == ("cards", "Cards", "card", "cards", None)
    assert (cards.width, cards.height, cards.bleed) == (63, 88, 3)
    assert cards.table.name == "cards" and cards.copies == 2
    assert cards.paper


def test_every_length_is_in_mm(tiny: TinyProject) -> None:
    """Inches of card, bleed and paper are millimetres from here on."""
    made = game(
        tiny,
        '[game]\nname = "Tiny"\npapers = ["letter", "8in x 5in"]\n[component.cards]\nsize = "2in x 3in"\nbleed = "0.1in"\n',
    )

    (cards,) = made.components
    assert (cards.width, cards.height, cards.bleed) == pytest.approx((50.8, 76.2, 2.54))
    assert [(paper.width, paper.height) for paper in made.papers] == [
        pytest.approx((215.9, 279.4)),
        pytest.approx((127, 203.2)),
    ]


def test_bleed_may_be_nothing(tiny: TinyProject) -> None:
    """Zero needs no unit."""
    assert game(tiny, GAME + CARDS + 'bleed = "0"\n').components[0].bleed == 0


def test_a_paper_named_twice_is_printed_once(tiny: TinyProject) -> None:
    """The same paper under the same name is one paper, in the order of the list."""
    made = game(tiny, '[game]\nname = "Tiny"\npapers = ["letter", "a4", "A4"]\n' + CARDS)

    assert made.papers == (Paper("letter", 215.9, 279.4), Paper("a4", 210, 297))


def test_credits_are_kept_as_written(tiny: TinyProject) -> None:
    """What the file says about the game reaches the imprint; what it does not say is not there."""
    made = game(tiny, GAME + 'designer = "A. B."\nyear = 2023\nversion = "2.01"\n' + CARDS)

    assert dict(made.about) == {"designer": "A. B.", "year": "2023"}
    assert (made.title, made.version, made.language) == ("Tiny", "2.01", "en")


def test_every_reference_is_an_object(tiny: TinyProject) -> None:
    """A cell that names a row of another table is that row; the other table need not be named elsewhere."""
    tiny.write("content/tiny/goods.csv", "id,name,price\ntea,Tea,3\n")
    made = game(tiny, GAME + CARDS + '[table.cards.columns]\ncargo = { table = "goods" }\n', "name,cargo\nAnna,Tea\n")

    (row,) = made.components[0].table
    cargo = row["cargo"]
    assert isinstance(cargo, Row)
    assert cargo is made.tables["goods"].rows[0]
    assert cargo["price"] == "3"


def test_several_components_may_share_a_table(tiny: TinyProject) -> None:
    """With ``where`` a component takes only some rows, and nobody else's rows change."""
    made = game(
        tiny,
        GAME
        + "[component.cards]\nsize = 'tcg'\nwhere = { deck = 'a' }\n"
        + "[component.others]\nsize = 'tcg'\ntable = 'cards'\ntemplate = 'cards'\nwhere = { deck = 'b' }\n",
        "name,deck,copies\nAnna,a,2\nBert,b,3\nCleo,a,4\n",
    )

    assert [[row.id for row in component.table] for component in made.components] == [["anna", "cleo"], ["bert"]]
    assert [component.copies for component in made.components] == [6, 3]
    assert [row.id for row in made.tables["cards"]] == ["anna", "bert", "cleo"]


@pytest.mark.parametrize(
    ("where", "chosen"),
    [
        ("{ id = 'bert' }", ["bert"]),
        ("{ copies = '3' }", ["bert"]),
        ("{ promo = 'yes' }", ["anna"]),
        ("{ promo = 'no' }", ["bert"]),
        ("{ worth = '7' }", ["bert"]),
        ("{ friend = 'Bert' }", ["anna"]),
        ("{ promo = 'no', worth = '7' }", ["bert"]),
    ],
)
def test_where_compares_with_what_the_table_says(tiny: TinyProject, where: str, chosen: list[str]) -> None:
    """Also ids that were made from names, copies under another name, flags, numbers and references can be asked for."""
    made = game(
        tiny,
        GAME
        + f"[component.cards]\nsize = 'tcg'\nwhere = {where}\n[table.cards.columns]\npromo = {{ type = 'flag' }}\n"
        + "worth = { type = 'whole', optional = true }\nfriend = { table = 'cards', optional = true }\n",
        "name,qty,promo,worth,friend\nAnna,2,x,,bert\nBert,3,,7,\n",
    )

    assert [row.id for row in made.components[0].table] == chosen


def test_a_table_may_be_a_spreadsheet_or_have_a_name_of_its_own(tiny: TinyProject) -> None:
    """``[table.NAME] file`` says where a table is; places are told with that file."""
    tiny.write("content/tiny/all my cards.csv", "name\nDora\n")
    made = game(tiny, GAME + CARDS + "[table.cards]\nfile = 'all my cards.csv'\n")

    (row,) = made.components[0].table
    assert str(row.place) == "content/tiny/all my cards.csv:2"


def test_a_game_may_bring_its_own_template(tiny: TinyProject) -> None:
    """Templates are looked for in the game's folder, then in the project, then among those that pnp ships."""
    tiny.write("content/tiny/templates/own.svg.j2", "")
    made = game(tiny, GAME + CARDS + "template = 'own'\n")

    assert [root.relative_to(tiny.project.root).as_posix() for root in made.template_roots[:-1]] == [
        "content/tiny/templates",
        "templates/tiny",
        "templates",
    ]
    assert made.template_roots[-1] == shipped_templates().resolve()


@pytest.mark.parametrize("name", Project(ROOT).games())
def test_every_shipped_game_is_read_whole(name: str) -> None:
    """Nothing is wrong with the games of this repository, and each has a piece for A4 and for Letter."""
    problems = Problems()
    made = read_game(Project(ROOT), name, problems)

    assert made is not None and not len(problems), [str(problem) for problem in problems]
    assert {"a4", "letter"} <= {paper.name for paper in made.papers}
    assert made.components


# --- what is wrong --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("toml", "table", "rule", "place", "words"),
    [
        (GAME, None, "no-components", "content/tiny/game.toml", "no component"),
        (GAME + "[component.cards]\nsize='pokr'\n", None, "bad-size", ":4:component.cards.size", 'Did you mean "poker"'),
        (GAME + "[component.cards]\nsize='63 x 88'\n", None, "bad-size", ":4:component.cards.size", "no unit"),
        (GAME + CARDS + "bleed='thick'\n", None, "bad-length", ":5:component.cards.bleed", "not a length"),
        (GAME + CARDS + "bleed='20.1mm'\n", None, "bad-length", ":5:component.cards.bleed", "more bleed than 20 mm"),
        (GAME + "papers=['foolscap']\n" + CARDS, None, "unknown-paper", ":3:game.papers", "tabloid"),
        (GAME + CARDS + "table='crads'\n", None, "missing-table", ":5:component.cards.table", 'Did you mean "cards.csv"'),
        (GAME + CARDS + "template='card'\n", None, "missing-template", ":5:component.cards.template", '"cards"'),
        (GAME + CARDS + "back='back'\n", None, "missing-template", ":5:component.cards.back", "back.svg.j2"),
        (GAME + CARDS + "where={nmae='x'}\n", None, "unknown-column", ":5:component.cards.where", 'mean "name"'),
        (GAME + CARDS + "where={name='x'}\n", None, "no-rows", ":5:component.cards.where", "values in where"),
        (GAME + CARDS, "name,text\n", "no-rows", "content/tiny/cards.csv", "add one"),
        (GAME + CARDS + "[expect.crads]\n", None, "unknown-component", ":5:expect.crads", 'Did you mean "cards"'),
        (
            GAME + CARDS + "[table.cards.columns]\nname={table='goods'}\n",
            None,
            "missing-table",
            ":6:table.cards.columns.name",
            "goods.csv",
        ),
        (GAME + CARDS, "name,text\nAnna\nBert,x\n", "ragged-row", "content/tiny/cards.csv:2", "1 cell"),
    ],
)
def test_a_fault_is_told_where_it_is_written(
    tiny: TinyProject, toml: str, table: str | None, rule: str, place: str, words: str
) -> None:
    """What does not fit together is told at the key or row that says it, and nothing else is told."""
    _, problems = read(tiny, toml, table)

    (found,) = problems
    assert found.rule == rule
    assert str(found.place) == (f"content/tiny/game.toml{place}" if place[0] == ":" else place)
    assert words in str(found)


def test_faults_of_file_and_tables_come_at_once(tiny: TinyProject) -> None:
    """One run tells what is wrong with sizes, papers, templates, tables and cells."""
    _, problems = read(
        tiny,
        "[game]\nname='Tiny'\npapers=['a44']\n[component.cards]\nsize='pokr'\nbleed='x'\nback='back'\n"
        "[table.cards.columns]\ntext={type='whole'}\n[component.others]\nsize='tcg'\ntemplate='cards'\n",
        "name,text\nAnna,many\n",
    )

    assert {problem.rule for problem in problems} == {
        "unknown-paper",
        "bad-size",
        "bad-length",
        "missing-template",
        "bad-number",
        "missing-table",
    }


@pytest.mark.parametrize("file", ["../secret.csv", "/etc/passwd", "../../templates/tiny/cards.svg.j2"])
def test_no_table_outside_the_games_folder_is_read(tiny: TinyProject, file: str) -> None:
    """A stranger's game.toml cannot make pnp read another file of this machine."""
    tiny.write("content/secret.csv", "name\nSecret\n")
    _, problems = read(tiny, GAME + CARDS + f"[table.cards]\nfile='{file}'\n")

    assert [problem.rule for problem in problems] == ["missing-table"]


def test_no_table_is_read_through_a_link(tiny: TinyProject) -> None:
    """Neither can a link inside the game's folder."""
    outside = tiny.write("content/secret.csv", "name\nSecret\n")
    (tiny.game / "cards.csv").unlink()
    (tiny.game / "cards.csv").symlink_to(outside)
    _, problems = read(tiny)

    assert [problem.rule for problem in problems] == ["linked-table"]


def test_a_promise_is_told_at_its_own_line(tiny: TinyProject) -> None:
    """Of several [[…split]] sections each grouping leads to its own."""
    made = game(
        tiny,
        GAME + CARDS + "[[expect.cards.split]]\nby='name'\ngroups=2\n[[expect.cards.split]]\nby='id'\ngroups=2\n",
    )

    assert [grouping.place.row for grouping in made.expectations[0].groupings] == [5, 8]


# --- where games are ------------------------------------------------------------------------------------


def test_a_project_is_found_from_any_folder_inside(tiny: TinyProject) -> None:
    """Commands work anywhere below the folder that has ``content``."""
    assert find_project(tiny.game) == tiny.project
    assert find_project(tiny.project.root) == tiny.project


def test_without_a_project_there_is_a_sentence(tmp_path: Path) -> None:
    """Outside any project the sentence says what to do."""
    with pytest.raises(NoSuchGame, match="--project"):
        find_project(tmp_path)


def test_a_misspelt_game_gets_a_proposal(tiny: TinyProject) -> None:
    """A game that is not there is answered with the nearest, or with those there are."""
    with pytest.raises(NoSuchGame, match='Did you mean "tiny"'):
        read_game(tiny.project, "tinny", Problems())
    with pytest.raises(NoSuchGame, match="Games here: tiny"):
        read_game(tiny.project, "chess", Problems())


def test_games_are_the_folders_with_a_game_file(tiny: TinyProject) -> None:
    """A folder without game.toml is no game; games come in alphabetical order."""
    tiny.write("content/notes/ideas.txt", "")
    tiny.write("content/another/game.toml", GAME)

    assert tiny.project.games() == ["another", "tiny"]


@pytest.mark.parametrize("name", ["rules.toml.txt", "Rules.toml", "game.toml.txt", "Rulebook.md"])
def test_a_file_of_another_name_than_it_should_have_is_told(tiny: TinyProject, name: str) -> None:
    """An editor adds an ending that Windows hides; a rule in such a file would hold of nothing."""
    tiny.write(f"content/tiny/{name}", "")
    if name != name.lower() and (tiny.game / name.lower()).is_file():
        pytest.skip("this system reads it all the same")
    found = [problem for problem in tiny.build().problems if problem.rule == "misnamed-file"]

    assert [problem.place.file for problem in found] == [f"content/tiny/{name}"]
