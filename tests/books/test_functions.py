"""What a book may ask for: each function makes the right picture or table or says why not; figures show what they say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from bound import BOOK, fair
from conftest import read_whole

from pnp.books.functions import CLOSE, MARK, OPEN, Asked, AskedFigure, AskedTable, BookFunctions
from pnp.check.setup import taken
from pnp.flows.publish import proofread
from pnp.read.game import read_game
from pnp.values.books import Width, Wish
from pnp.values.game import Game
from pnp.values.problems import Fault, Problem, Problems

IMPRINT = [("game", "The Fair"), ("designer", "Ada Fairweather"), ("made with", "pnp-press")]
CARDS = ("bakery", "balloons", "carousel", "puppets")


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """The fair as it is read."""
    return read_whole(fair(tmp_path_factory.mktemp("fair")).project)


@pytest.fixture
def functions(game: Game) -> BookFunctions:
    """The functions for one filling; sheets and pages are what is asked for, so that one sees it."""
    return BookFunctions(game, IMPRINT, taken(game), lambda what, name: "3" if what == "sheets" else f"{name} 5–7")


def figure(functions: BookFunctions, name: str, *given: Any, **named: Any) -> AskedFigure:
    """What a function asks for, by its mark in the text."""
    made = asked(functions, name, *given, **named)
    assert isinstance(made, AskedFigure)
    return made


def table(functions: BookFunctions, name: str, *given: Any, **named: Any) -> AskedTable:
    """The table that a function makes."""
    made = asked(functions, name, *given, **named)
    assert isinstance(made, AskedTable) and made.name == name
    return made


def asked(functions: BookFunctions, name: str, *given: Any, **named: Any) -> Asked:
    match = MARK.fullmatch(functions.names()[name](*given, **named))
    assert match is not None and match[1] == "figure"
    return functions.asked[int(match[2])]


def refused(functions: BookFunctions, name: str, *given: Any, **named: Any) -> tuple[str, str, str]:
    """Why a function refuses: message, what is allowed, hint."""
    with pytest.raises(Fault) as bad:
        functions.names()[name](*given, **named)
    return bad.value.message, bad.value.allowed, bad.value.hint


def test_a_face_is_one_side_of_a_piece(functions: BookFunctions) -> None:
    """By its id or by its row; the front unless the back is meant."""
    row = next(iter(functions.game.components[0].table))

    assert figure(functions, "face", "cards", "puppets").wishes == (Wish("front", "cards", "puppets"),)
    assert figure(functions, "face", "cards", row).wishes == (Wish("front", "cards", "bakery"),)
    assert figure(functions, "face", "cards", "puppets", side="back").wishes == (Wish("back", "cards", "puppets"),)


def test_faces_are_pieces_in_a_row(functions: BookFunctions) -> None:
    """Those that are named, in that order; without ids all there are."""
    some = figure(functions, "faces", "cards", ["puppets", "bakery"])
    both = figure(functions, "faces", "cards", ("puppets", "puppets"))

    assert [wish.piece for wish in some.wishes] == ["puppets", "bakery"]
    assert [wish.piece for wish in both.wishes] == ["puppets", "puppets"]
    assert tuple(wish.piece for wish in figure(functions, "faces", "cards").wishes) == CARDS


def test_boards_layouts_and_folded_pieces(functions: BookFunctions) -> None:
    """Each by the name in game.toml; boards and layouts go over the whole column."""
    board, layout = figure(functions, "board", "cards"), figure(functions, "layout", "start")
    folded, chosen = figure(functions, "folded", "dice"), figure(functions, "folded", "dice", "dice")

    assert board.wishes == (Wish("front", "cards"),) and board.width == Width(share=1.0)
    assert layout.wishes == (Wish("layout", "start"),) and layout.width == Width(share=1.0)
    assert folded.wishes == (Wish("folded", "dice"),) and folded.width is None
    assert chosen.wishes == (Wish("folded", "dice", "dice"),)


def test_a_drawing_has_its_caption_for_an_alt(functions: BookFunctions) -> None:
    """Unless it is given words of its own."""
    assert figure(functions, "picture", "tent", caption="A tent").alt == "A tent"
    assert figure(functions, "picture", "tent", caption="A tent", alt="Red stripes").alt == "Red stripes"
    assert figure(functions, "picture", "tent", alt="Red").wishes == (Wish("art", "tent"),)


def test_an_anatomy_has_notes(functions: BookFunctions) -> None:
    """A name of a text and what to say of it, in the order given; lists or pairs."""
    made = figure(functions, "anatomy", "cards", "bakery", notes=[["name", "A"], ("rules", "B *c*")], width="3cm")
    back = figure(functions, "anatomy", "cards", "bakery", notes=[["tent", "A"]], side="back")

    assert made.wishes == (Wish("front", "cards", "bakery"),)
    assert made.notes == (("name", "A"), ("rules", "B *c*"))
    assert made.width == Width(mm=30)
    assert back.wishes == (Wish("back", "cards", "bakery"),)


@pytest.mark.parametrize(
    ("name", "given", "alt"),
    [
        ("face", ("cards", "puppets"), "Stall cards: Puppets"),
        ("faces", ("cards", ["puppets", "bakery"]), "Stall cards: Puppets, Bakery"),
        ("board", ("tiles",), "Meadows"),
        ("layout", ("start",), "How the fair begins"),
        ("folded", ("dice",), "Dice"),
    ],
)
def test_every_picture_can_be_heard(functions: BookFunctions, name: str, given: tuple[Any, ...], alt: str) -> None:
    """Without words of its own it is called what the tables call it."""
    assert figure(functions, name, *given).alt == alt
    assert figure(functions, name, *given, alt="Words").alt == "Words"


@pytest.mark.parametrize(
    ("typed", "width"),
    [
        ("30mm", Width(mm=30)),
        (" 2.5 cm ", Width(mm=25)),
        ("1in", Width(mm=25.4)),
        ("100%", Width(share=1.0)),
        ("62.5 %", Width(share=0.625)),
        ("", None),
    ],
)
def test_widths_are_lengths_or_shares(functions: BookFunctions, typed: str, width: Width | None) -> None:
    """A length with its unit, or a share of the column."""
    assert figure(functions, "face", "cards", "bakery", width=typed).width == width


def test_the_table_of_components(functions: BookFunctions) -> None:
    """Title and copies of each component, with a picture of it: folded where it is folded."""
    made = table(functions, "component_table")
    pictures = [functions.asked[int(MARK.fullmatch(row[0])[2])] for row in made.rows]  # type: ignore[index]

    assert made.head == ("", "Component", "Number")
    assert [row[1:] for row in made.rows] == [("Stall cards", "10"), ("Dice", "2"), ("Meadows", "2")]
    forms = [picture.wishes[0].form for picture in pictures if isinstance(picture, AskedFigure)]
    assert forms == ["front", "folded", "front"]


def test_the_table_of_the_set_up(functions: BookFunctions) -> None:
    """What rules.toml takes, for every number of players."""
    made = table(functions, "setup_table", players="Spieler")

    assert made.head == ("Spieler", "2", "3", "4")
    assert made.rows == (("stalls in hand", "4", "6", "8"),)


def test_the_imprint(functions: BookFunctions) -> None:
    """The lines that there are, their labels in the words given."""
    assert table(functions, "imprint", designer="Von").rows == (
        ("**Game**", "The Fair"),
        ("**Von**", "Ada Fairweather"),
        ("**Made with**", "pnp-press"),
    )


def test_pages_and_sheets(functions: BookFunctions) -> None:
    """A heading's page is a mark; sheets are a number to reckon with, of components and of books; pages are words."""
    names = functions.names()

    assert names["page"]("how-to-win") == f"{OPEN}page:how-to-win{CLOSE}"
    assert names["sheets"]("cards") == names["sheets"]("rulebook") == 3
    assert names["pages"]("dice") == "dice 5–7"


COMPONENTS = "cards, dice, tiles"
IDS = "bakery, balloons, carousel, puppets"
MEANT = 'Did you mean "bakery"? It stands in row 2 of cards.csv.'
NOTES = 'Write notes=[["name of a text", "what it is"], …].'


@pytest.mark.parametrize(
    ("name", "given", "named", "message", "allowed", "hint"),
    [
        ("face", ("crads", "bakery"), {}, 'there is no component "crads"', COMPONENTS, 'Did you mean "cards"?'),
        ("face", (["cards"],), {}, 'there is no component ["cards"]', COMPONENTS, ""),
        ("face", ("cards", "bekery"), {}, '"cards" has no piece "bekery"', IDS, MEANT),
        ("face", ("cards", 7), {}, '"cards" has no piece "7"', IDS, ""),
        ("face", ("cards", "bakery"), {"side": "left"}, '"left" is no side of a piece', "front, back", ""),
        ("face", ("tiles", "west"), {"side": "back"}, '"tiles" has no backs', "", ""),
        ("face", ("cards", "bakery"), {"width": "30"}, '"30" has no unit: write "30mm"', "a length such as 30mm", ""),
        ("face", ("cards", "bakery"), {"width": "0%"}, '"0%" is no width', "1% to 100%", ""),
        ("face", ("cards", "bakery"), {"width": "0mm"}, '"0mm" is no width', "1% to 100%", ""),
        ("face", ("cards", "bakery"), {"width": "wide"}, '"wide" is not a length', "a share such as 60%", ""),
        ("faces", ("cards", "bakery"), {}, '"bakery" is no list of ids', "", 'Write ["one", "two"].'),
        ("faces", ("cards", ["bakery", "zoo"]), {}, '"cards" has no piece "zoo"', IDS, ""),
        ("layout", ("strat",), {}, 'there is no layout "strat"', "start", 'Did you mean "start"?'),
        ("folded", ("cards",), {}, '"cards" is not folded', "", ""),
        ("picture", ("",), {"alt": "x"}, '"" is no name of a drawing', "", ""),
        ("picture", ("tent",), {}, "this picture has no alt text", "", 'Say what one sees: alt="…".'),
        ("anatomy", ("cards", "bakery"), {}, "an anatomy without notes", "", NOTES),
        ("anatomy", ("cards", "bakery"), {"notes": ["name"]}, '"name" is no note', "", NOTES),
        ("anatomy", ("cards", "bakery"), {"notes": [["name"]]}, '["name"] is no note', "", NOTES),
        ("anatomy", ("cards", "bakery"), {"notes": [["a", "b"]], "side": "in"}, '"in" is no side', "front, back", ""),
        (
            "imprint",
            (),
            {"desinger": "Von"},
            'the imprint has no line "desinger"',
            "game, designer",
            'Did you mean "designer"?',
        ),
        ("page", ("",), {}, '"" is no name of a heading', "", ""),
        ("page", (f"{OPEN}page:a{CLOSE}",), {}, "is no name of a heading", "", ""),
        (
            "sheets",
            ("crads",),
            {},
            'there is no component or book "crads"',
            f"{COMPONENTS}, rulebook",
            'Did you mean "cards"?',
        ),
    ],
)
def test_a_wrong_argument_is_named(
    functions: BookFunctions, name: str, given: tuple[Any, ...], named: dict[str, Any], message: str, allowed: str, hint: str
) -> None:
    """What was given, what is allowed, and what was probably meant; nothing is asked for."""
    said, known, help_ = refused(functions, name, *given, **named)

    assert message in said
    assert allowed in known and bool(allowed) == bool(known)
    assert help_ == hint
    assert functions.asked == []


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
