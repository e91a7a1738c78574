"""A figure shows what its caption and its ``alt`` speak of: as many pieces, and those that are named."""

from __future__ import annotations

from pathlib import Path

import pytest
from bound import BOOK, fair

from pnp.flows.publish import proofread
from pnp.read.game import read_game
from pnp.values.problems import Problem, Problems

FOUR = '"cards", ["bakery", "balloons", "carousel", "puppets"]'


def told(folder: Path, call: str) -> list[Problem]:
    """What is told of a figure in the fair's rulebook."""
    made = fair(folder)
    made.write("content/tiny/rulebook.md", f"{BOOK}\n{{{{ {call} }}}}\n")
    problems = Problems()
    game = read_game(made.project, "tiny", problems)
    assert game is not None and not problems.errors
    proofread(game, problems)
    return [problem for problem in problems if problem.rule == "other-picture"]


@pytest.mark.parametrize(
    ("call", "value"),
    [
        (f'faces({FOUR}, alt="Five round cards, each with a tent")', "Five round cards"),
        (f'faces({FOUR}, alt="The five stall cards: all of them")', "The five stall cards"),
        (f'faces({FOUR}, alt="All there are", caption="Three stall cards for Anna.")', "Three stall cards"),
        ('face("cards", "bakery", alt="Two cards with loaves")', "Two cards"),
        ('face("cards", "bakery", alt="The stall card Balloons")', "Balloons"),
        ('face("cards", "bakery", alt="A card with loaves", caption="The Balloons: they fly.")', "Balloons"),
        ('faces("cards", ["bakery", "puppets"], alt="From the left: Bakery, Balloons")', "Balloons"),
        ('faces("cards", ["bakery", "bakery"], alt="Bakery and Puppets")', "Puppets"),
        ('faces("cards", ["carousel", "carousel"], alt="Stalls")', "carousel"),
    ],
)
def test_a_figure_of_other_pieces_than_its_words_say_is_told(call: str, value: str, tmp_path: Path) -> None:
    """Of a number, of a name, and of a piece that the game has only once."""
    (problem,) = told(tmp_path, call)

    assert (problem.severity, problem.value, problem.place.row) == ("warning", value, len(BOOK.split("\n")) + 1)


@pytest.mark.parametrize(
    "call",
    [
        f'faces({FOUR}, alt="Four cards: Bakery, Balloons, Carousel and Puppets")',
        f'faces({FOUR}, alt="Two rows of cards")',
        'faces("cards", ["bakery", "balloons"], alt="All stalls but the Puppets")',
        f'faces({FOUR}, alt="Two wet cards and two dry ones")',
        f'faces({FOUR}, alt="Two cards of each sort")',
        f'faces({FOUR}, alt="Stalls", caption="Two or three cards are enough.")',
        f'faces({FOUR}, alt="Stalls", caption="Three thousand, and nobody pays.")',
        f'faces({FOUR}, alt="Six meadows behind some stalls")',
        'faces("cards", ["bakery", "bakery", "bakery"], alt="Three cards: a Bakery, and two of the same")',
        'faces("cards", ["bakery", "puppets"], alt="The Bakery left of others")',
        'face("cards", "bakery", alt="The Bakery, which pays as the Carousel does")',
        'face("cards", "bakery", alt="A stall with balloons and puppets")',
        'face("cards", "bakery", alt="A stall", caption="It pays as the Carousel does.")',
        'face("cards", "bakery")',
    ],
)
def test_what_is_not_certain_is_not_told(call: str, tmp_path: Path) -> None:
    """Numbers of something else or of some, sentences, names beside others, words that a sentence begins with."""
    assert told(tmp_path, call) == []
