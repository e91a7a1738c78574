"""Fronts and pages of boards on which nothing is drawn are told; whatever is drawn is well."""

from __future__ import annotations

from typing import Any

import pytest
from commands import run
from conftest import TinyProject

BOARD = '[game]\nname = "Tiny"\npapers = ["a4", "letter"]\n[component.sea]\nkind = "board"\nsize = "500mm x 250mm"\n'
FACE = '{{% extends "shared/face.svg.j2" %}}{{% block face %}}{}{{% endblock %}}'


def found(tiny: TinyProject) -> list[dict[str, Any]]:
    """What the rule finds, when the game is checked as when it is built."""
    checked = run("check", "tiny", "--json", at=tiny.project.root).problems
    built = run("build", "tiny", "--json", at=tiny.project.root).problems
    first, second = ([each for each in problems if each["rule"] == "blank-page"] for problems in (checked, built))
    assert first == second
    return first


@pytest.mark.parametrize(
    ("drawn", "blank"),
    [
        ('<rect x="10" y="10" width="100" height="230" fill="#dde"/>', "A2 (a4), A3 (a4), A2 (letter)"),
        ('<rect x="-3" y="-3" width="506" height="256" fill="#f4f4f4"/>', ""),
        ('<path d="M10 10h490" stroke="#000"/>', ""),
    ],
)
def test_pages_of_a_board_beyond_its_drawing_are_named(tiny: TinyProject, drawn: str, blank: str) -> None:
    """By their labels, for each paper; a light ground and a single line are drawn."""
    tiny.put(game_toml=BOARD, sea_svg_j2=FACE.format(drawn))
    problems = found(tiny)

    assert len(problems) == bool(blank)
    assert all(f"nothing is drawn on its pages {blank}" in problem["message"] for problem in problems)


def test_blank_fronts_are_named_together(tiny: TinyProject) -> None:
    """At the first of their rows."""
    tiny.write("content/tiny/cards.csv", "id,text\nanna,x\nbert,\nclara,\n")
    tiny.write("templates/tiny/cards.svg.j2", FACE.format('{% if row.text %}<path d="M9 9h9v9z"/>{% endif %}'))
    (problem,) = found(tiny)

    assert (problem["file"], problem["row"], problem["severity"]) == ("content/tiny/cards.csv", 3, "warning")
    assert problem["message"] == "nothing is drawn on cards/bert, cards/clara"
