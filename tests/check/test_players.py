"""For how many people a game is, is the same wherever it says so."""

from __future__ import annotations

import pytest
from conftest import TINY_GAME, TinyProject, read_whole

from pnp.check.players import RULE, counts_in, headline, look, look_drawn
from pnp.shapes.affine import Rect
from pnp.values.faces import Face, Piece
from pnp.values.findings import SetText, Subject
from pnp.values.problems import Place, Problem


def found(tiny: TinyProject, about: str = "", setup: str = "", foot: str = "", text: str = "Pass.") -> list[Problem]:
    """What is told of a game for so many."""
    players = f'players = "{about}"\n' if about else ""
    book = f'[book.rulebook]\nfoot = "{foot}"\n' if foot else ""
    tiny.put(
        game_toml=f'[game]\nname = "T"\n{players}[component.cards]\nsize = "tcg"\n{book}',
        cards_csv=f'name,text\nAnna,"{text}"\n',
        rulebook_md="# Rules\n\nPlay.\n",
        rules_toml=f'[setup]\nplayers = "{setup}"\n' if setup else "",
    )
    return list(look(Subject(read_whole(tiny.project))).problems)


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("2\u20138 players", {2, 3, 4, 5, 6, 7, 8}),
        ("2, 3 or 5 players", {2, 3, 5}),
        ("Twenty-one", {21}),
        ("the whole family", set()),
        ("2 à 4 joueurs", {2, 3, 4}),
        ("2-3 oder 5 Spieler", {2, 3, 5}),
        ("Ages 8+, 2-4 players", {2, 3, 4}),
        ("Edition 3, 2 players", {2}),
        ("For up to 6 players", set()),
        ("2+", set()),
        ("2 players, or 4 players in teams", set()),
    ],
)
def test_numbers_of_players_are_read_as_people_write_them(text: str, counts: set[int]) -> None:
    """Spans, lists, figures and words."""
    assert counts_in(text) == counts


@pytest.mark.parametrize(
    ("about", "setup", "foot", "text"),
    [
        ("2-4", "2-4", "For 2 to 4 players", "With three players, two players swap."),
        ("2-4", "", "From paper to pirates", "Two to three players sit down."),
        ("", "2-4", "", "4-player game"),
        ("2", "2", "Edition 3, for 2 players", "The 12 players' pieces, the 12 players\u2019 pieces."),
        ("up to 6", "2-4", "", "Draw 5, 2 players swap."),
    ],
)
def test_what_agrees_is_silent(tiny: TinyProject, about: str, setup: str, foot: str, text: str) -> None:
    """Fewer than can play are some of them; a game that names no number is left alone."""
    assert found(tiny, about, setup, foot, text) == []


@pytest.mark.parametrize(
    ("about", "setup", "foot", "text", "value", "column"),
    [
        ("2-4", "2-4", "For 2 to 5 players", "Pass.", "For 2 to 5 players", "book.rulebook.foot"),
        ("2-4", "", "For 2 or 4 players", "Pass.", "For 2 or 4 players", "book.rulebook.foot"),
        ("2-4", "", "", "With five players, pass.", "five players", "text"),
        ("", "2-4", "", "For 3-6 players.", "3-6 players", "text"),
        ("4-2", "2-4", "", "Pass.", "4-2", "game.players"),
        ("4-2", "", "", "Pass.", "4-2", "game.players"),
    ],
)
def test_what_differs_is_told_where_it_stands(
    tiny: TinyProject, about: str, setup: str, foot: str, text: str, value: str, column: str
) -> None:
    """The set-up is right, for it is what is proved; where there is none, what [game] says."""
    (problem,) = found(tiny, about, setup, foot, text)

    assert (problem.rule, problem.value, problem.place.column) == (RULE, value, column)
    assert problem.severity == ("warning" if column == "text" else "error")
    assert problem.allowed in ("2-6", "2 or 4", "2-4")


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("2\u20134 players \u00b7 30 minutes \u00b7 ages 8+", {2, 3, 4}),
        ("2, 3 or 4 players", {2, 3, 4}),
        ("2 players", set()),
        ("With 2 to 3 players, lay out six tiles", set()),
        ("For 2 to 4 players, whoever they are and wherever they come from", set()),
    ],
)
def test_a_line_of_short_words_is_read(text: str, counts: set[int]) -> None:
    """What stands on a box is; sentences and single numbers may be about some of the players."""
    assert headline(text) == counts


def test_texts_and_boxes_are_compared(tiny: TinyProject) -> None:
    """A text of game.toml, and what only a template says."""
    tiny.put(
        game_toml=TINY_GAME + '[texts]\nbox = "2-3 players"\n',
        cards_csv="name,text\nAnna,2-3 players\n",
        rules_toml='[setup]\nplayers = "2-4"\n',
    )
    game = read_whole(tiny.project)
    (told,) = look(Subject(game)).problems
    piece = Piece("box", "box", Face("box", 63, 88, 3, ()), None, 1)
    at = Place("content/tiny/cards.csv", 2)
    lid = SetText(piece, "front", "box", "", "3-4 players \u00b7 ages 8+", 9, "#000000", False, Rect(0, 0, 9, 9), None, at)
    (drawn,) = look_drawn(Subject(game, texts=(lid,), told=frozenset({told}))).problems

    assert (told.rule, told.severity, told.place.column) == (RULE, "warning", "texts.box")
    assert (drawn.rule, drawn.value, drawn.about) == (RULE, lid.source, lid.about)


def labelled(tiny: TinyProject, book: str, about: str = "", setup: str = "2-4") -> list[Problem]:
    """What is told of a game whose book says this."""
    found(tiny, about, setup, "For 2 to 4 players" if setup else "")
    tiny.write("content/tiny/rulebook.md", f"# Rules\n\n{book}\n")
    return list(look(Subject(read_whole(tiny.project))).problems)


@pytest.mark.parametrize(
    ("book", "value", "said"),
    [
        ("Five players take the last card.", "Five players", "for 5 players"),
        ("| | 2 players | 4 |\n|--|--|--|\n\n## 1 player", "1 player", "for 1 players"),
        ("| | 1 to 2 players | 3-4 |\n|---|---|---|", "1 to 2 players | 3-4", "1 players though so many cannot play"),
        ("| players | 2 | 3 or 4 | 4 |\n|--|--|--|--|", "2 | 3 or 4 | 4", "4 players twice"),
        ("| **Players** | cards |\n|---|---|\n| 2 | 7 |\n| 4 | 5 |\n| 4 | 4 |", "2 | 4 | 4", "4 players twice"),
    ],
)
def test_labels_for_others_than_play_are_told(tiny: TinyProject, book: str, value: str, said: str) -> None:
    """A heading for a number that cannot play, and columns or rows of a table that name a number twice or leave one out."""
    told = [problem for problem in labelled(tiny, book) if problem.value == value and said in problem.message]

    assert [problem.severity for problem in told] == ["warning"]
