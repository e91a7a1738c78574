"""Reading a game: by the end every default is filled in, every length in mm, every reference an object."""

from __future__ import annotations

import pytest
from conftest import TinyProject

from pnp.read.game import read_game
from pnp.values.game import Game, Paper
from pnp.values.problems import Problem, Problems
from pnp.values.tables import Row

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


def test_every_default_is_filled_in(tiny: TinyProject) -> None:
    """A component of which only the size is given has a title, table, template, bleed and paper to print on."""
    (cards,) = game(tiny).components

    assert (cards.name, cards.title, cards.kind, cards.template, cards.back) == ("cards", "Cards", "card", "cards", None)
    assert (cards.width, cards.height, cards.bleed) == (63, 88, 3)
    assert cards.table.name == "cards" and cards.copies == 2
    assert cards.paper


def test_every_length_is_in_mm(tiny: TinyProject) -> None:
    """Inches of card, bleed and paper are millimetres from here on."""
    inches = 'papers = ["8in x 5in"]\n[component.cards]\nsize = "2in x 3in"\nbleed = "0.1in"\n'
    made = game(tiny, f"{GAME}{inches}")

    (cards,), (paper,) = made.components, made.papers
    assert (cards.width, cards.height, cards.bleed) == pytest.approx((50.8, 76.2, 2.54))
    assert (paper.width, paper.height) == pytest.approx((127, 203.2))


def test_a_paper_named_twice_is_printed_once(tiny: TinyProject) -> None:
    """The same paper under the same name is one paper, in the order of the list."""
    made = game(tiny, '[game]\nname = "Tiny"\npapers = ["letter", "a4", "A4"]\n' + CARDS)

    assert made.papers == (Paper("letter", 215.9, 279.4), Paper("a4", 210, 297))


def test_every_reference_is_an_object(tiny: TinyProject) -> None:
    """A cell that names a row of another table is that row; the other table need not be named elsewhere."""
    tiny.write("content/tiny/goods.csv", "id,name,price\ntea,Tea,3\n")
    made = game(tiny, GAME + CARDS + '[table.cards.columns]\ncargo = { table = "goods" }\n', "name,cargo\nAnna,Tea\n")

    (row,) = made.components[0].table
    cargo = row["cargo"]
    assert isinstance(cargo, Row)
    assert cargo is made.tables["goods"].rows[0]
    assert cargo["price"] == "3"


@pytest.mark.parametrize(
    ("where", "chosen"),
    [
        ("{ copies = '3' }", ["bert"]),
        ("{ worth = '7' }", ["bert"]),
        ("{ friend = 'Bert' }", ["anna"]),
        ("{ promo = 'no', worth = '7' }", ["bert"]),
    ],
)
def test_where_compares_with_what_the_table_says(tiny: TinyProject, where: str, chosen: list[str]) -> None:
    """Also ids that were made from names, copies under another name, flags, numbers and references can be asked for."""
    columns = "promo = { type = 'flag' }\nworth = { type = 'whole', optional = true }\n"
    columns += "friend = { table = 'cards', optional = true }\n"
    table = "name,qty,promo,worth,friend\nAnna,2,x,,bert\nBert,3,,7,\n"
    made = game(tiny, f"{GAME}{CARDS}where = {where}\n[table.cards.columns]\n{columns}", table)

    assert [row.id for row in made.components[0].table] == chosen


def test_a_promise_is_told_at_its_own_line(tiny: TinyProject) -> None:
    """Of several [[…split]] sections each grouping leads to its own."""
    splits = "[[expect.cards.split]]\nby='name'\ngroups=2\n[[expect.cards.split]]\nby='id'\ngroups=2\n"
    made = game(tiny, GAME + CARDS + splits)

    assert [grouping.place.row for grouping in made.expectations[0].split] == [5, 8]


@pytest.mark.parametrize("name", ["rules.toml.txt", "Rulebook.md"])
def test_a_file_of_another_name_than_it_should_have_is_told(tiny: TinyProject, name: str) -> None:
    """An editor adds an ending that Windows hides; a rule in such a file would hold of nothing."""
    tiny.write(f"content/tiny/{name}", "")
    if name != name.lower() and (tiny.game / name.lower()).is_file():
        pytest.skip("this system reads it all the same")
    found = [problem for problem in tiny.build().problems if problem.rule == "misnamed-file"]

    assert [problem.place.file for problem in found] == [f"content/tiny/{name}"]


TAKEN = '[component.{}]\nsize = "tcg"\ntable = "all"\ntemplate = "cards"\nwhere = {{ type = "{}" }}\n'
ELVES = GAME + TAKEN.format("elves", "elf")


def told(tiny: TinyProject, toml: str = "", rows: str = "Anna,elf,1\nBert,dwarf,1\n") -> list[Problem]:
    """What is said of a table of which one component takes the elves."""
    tiny.put(all_csv=f"name,type,copies\n{rows}")
    made, problems = read(tiny, ELVES + toml)
    assert made is not None
    return problems


def test_a_row_of_no_component_is_told(tiny: TinyProject) -> None:
    """With its row, and with the components that could have taken it."""
    (problem,) = told(tiny)
    assert (problem.rule, problem.severity, str(problem.place)) == ("unprinted-rows", "warning", "content/tiny/all.csv:3")
    assert "bert" in problem.message and "elves" in problem.hint


@pytest.mark.parametrize("more", ["numbered = true\n", ""])
def test_rows_that_all_are_pieces_are_not(tiny: TinyProject, more: str) -> None:
    """Also where each copy is a row of its own; a row of no copies is meant to be left out."""
    assert not told(tiny, TAKEN.format("dwarfs", "dwarf") + more, "Anna,elf,2\nBert,dwarf,3\nCara,troll,0\n")


@pytest.mark.parametrize(
    ("toml", "file", "text"),
    [
        ("", "templates/tiny/cards.svg.j2", "{{ tables.all | length }}"),
        ("", "content/tiny/rules.toml", "[claim.it]\nsays = 'It.'\nexpect = 'rows(\"all\") | length == 2'\n"),
        ("[table.others.columns]\nfriend = { table = \"all\" }\n", "content/tiny/others.csv", "name,friend\nDora,Bert\n"),
    ],
)  # fmt: skip
def test_a_table_that_is_looked_up_may_have_other_rows(tiny: TinyProject, toml: str, file: str, text: str) -> None:
    """Nobody can say then that they are on no paper."""
    tiny.write(file, text)
    assert not told(tiny, toml)
