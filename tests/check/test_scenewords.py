"""What scenes say is read as words; how they are typed is not."""

from __future__ import annotations

from pathlib import Path

from stage import scene, stage

from pnp.check.registry import CHECKS
from pnp.check.wording import about_pictures, read_in, without_notation
from pnp.read.game import read_game
from pnp.values.findings import Subject
from pnp.values.problems import Problems

BOOK = "Draw 2 | 3.\n\n" + scene(
    'sea" crop="A1; C4', "discs/red | B3 | 90", "crown | Home 2 | 2/6", "mark | B2 | 7 coins", caption="Anna rolls a 4."
)


def test_marks_what_is_heard_and_captions_are_words() -> None:
    """Everything else of a scene is blank, and what is left stands where it stood."""
    read = without_notation(BOOK + "\nNow 5 | 6.\n")

    assert " ".join(read.split()) == 'Draw 2 | 3. alt="What one sees" 7 coins Anna rolls a 4. ::: Now 5 | 6.'
    assert read.index("7 coins") == BOOK.index("7 coins") and len(read) == len(BOOK) + len("\nNow 5 | 6.\n")


def test_numbers_of_a_scene_are_those_of_its_words() -> None:
    assert [word for word in read_in(BOOK).split() if word[0].isdigit()] == ["2", "3.", "7", "4."]


def test_alts_and_captions_are_about_pictures() -> None:
    """What a mark says is no caption, nor is what stands before and after."""
    book = BOOK + "\nNow 5 | 6.\n"
    assert [book[start:end] for start, end in about_pictures(book) if book[start:end]] == [
        "What one sees",
        "Anna rolls a 4.",
    ]


def test_an_id_in_a_scene_is_no_banned_word(tmp_path: Path) -> None:
    """What a mark says is a word."""
    for row, rules in (("discs/red | A1 |", []), ("mark | A1 | red", ["banned-word"])):
        problems = Problems()
        made = stage(tmp_path, "# S\n\n" + scene("sea", row), '[words]\nbanned = { red = "scarlet" }\n')
        game = read_game(made.project, "tiny", problems)
        assert game is not None
        found = [each.rule for each in CHECKS["words"].look(Subject(game)).problems]
        assert found == rules
