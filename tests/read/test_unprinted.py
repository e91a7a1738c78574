"""Rows that no component takes are told, unless the table serves for something besides its pieces."""

from __future__ import annotations

import pytest
from conftest import TinyProject

from pnp.read.game import read_game
from pnp.values.problems import Problem, Problems

ELVES = (
    '[game]\nname = "Tiny"\n[component.elves]\nsize = "tcg"\ntable = "all"\ntemplate = "cards"\nwhere = { type = "elf" }\n'
)


def told(tiny: TinyProject, toml: str = "", rows: str = "Anna,elf,1\nBert,dwarf,1\n") -> list[Problem]:
    """What is said of a table of which one component takes the elves."""
    tiny.put(game_toml=ELVES + toml, all_csv=f"name,type,copies\n{rows}")
    problems = Problems()
    assert read_game(tiny.project, "tiny", problems) is not None
    return list(problems)


def test_a_row_of_no_component_is_told(tiny: TinyProject) -> None:
    """With its row, and with the components that could have taken it."""
    (problem,) = told(tiny)
    assert (problem.rule, problem.severity, str(problem.place)) == ("unprinted-rows", "warning", "content/tiny/all.csv:3")
    assert "bert" in problem.message and "elves" in problem.hint


@pytest.mark.parametrize("more", ["numbered = true\n", ""])
def test_rows_that_all_are_pieces_are_not(tiny: TinyProject, more: str) -> None:
    """Also where each copy is a row of its own; a row of no copies is meant to be left out."""
    dwarfs = '[component.dwarfs]\nsize = "tcg"\ntable = "all"\ntemplate = "cards"\nwhere = { type = "dwarf" }\n'
    assert not told(tiny, dwarfs + more, "Anna,elf,2\nBert,dwarf,3\nCara,troll,0\n")


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
