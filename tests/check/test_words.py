"""A game's words, units, thousands and typed numbers are what ``[words]`` settles, and what is not is named at its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
from boards import taken
from conftest import TinyProject, examples, read_whole
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp.check.wording import NUMBER, number_in
from pnp.check.words import check, look, look_drawn
from pnp.shapes.affine import Rect
from pnp.values.faces import Face, Piece
from pnp.values.findings import SetText, Subject
from pnp.values.game import Game
from pnp.values.problems import Place, Problem
from pnp.values.rules import Rules
from pnp.values.sections import Counting, Setup, Words

HERE = Place("content/tiny/rules.toml", 1, "words")
CARD_GAME = '[game]\nname = "T"\n[component.cards]\nsize = "tcg"\n'
Told = Callable[..., list[Problem]]


def words_of(
    terms: tuple[str, ...] = (),
    banned: Mapping[str, str] | None = None,
    unit: str = "",
    thousands: str = "",
    counts: Mapping[str, str | tuple[str, ...]] | None = None,
) -> Words:
    """A ``[words]`` with the usual bound of 1000."""
    counting = [(says, (number,) if isinstance(number, str) else number) for says, number in (counts or {}).items()]
    made = tuple(Counting(says, numbers, HERE) for says, numbers in counting)
    words = Words(terms=terms, banned=banned or {}, thousands=thousands).at(HERE, unit=unit)
    return words.counting(made)


def read(tiny: TinyProject) -> Game:
    """The tiny game, which reads without a problem."""
    return read_whole(tiny.project)


def ruled(game: Game, rules: Rules) -> Game:
    """The game with these rules."""
    return replace(game, rules=rules)


@pytest.fixture
def told(tiny: TinyProject) -> Told:
    """What is wrong with a card of the tiny game that says this."""

    def problems(text: str, words: Words, numbers: Mapping[str, object] | None = None) -> list[Problem]:
        quoted = text.replace('"', '""')
        tiny.write("content/tiny/cards.csv", f'name,text\nAnna,"{quoted}"\nBert,Pass.\n')
        game = ruled(read(tiny), Rules(words=words))
        return list(check(Subject(game), lambda expression: (numbers or {})[expression]))

    return problems


def values(problems: list[Problem]) -> list[tuple[str, str]]:
    """Rule and value of each."""
    return [(problem.rule, problem.value) for problem in problems]


# --- spelling ---------------------------------------------------------------------------------------------

DOUBLOONS = words_of(terms=("doubloons", "Port Royal"), banned={"doublons": "doubloons", "Davy": "Davy Jones"})


@pytest.mark.parametrize("text", ["Pay doublons.", "DOUBLONS!", "**Doublons** it is", "a doublons-bag"])
def test_a_banned_word_is_named_with_the_right_one(text: str, told: Told) -> None:
    """Whatever its capitals and stars, a banned word is an error at its cell."""
    (found,) = told(text, DOUBLOONS)

    assert (found.rule, found.severity, found.hint) == ("banned-word", "error", 'Write "doubloons".')
    assert found.value.lower() == "doublons"
    assert found.place == Place("content/tiny/cards.csv", 2, "text")


@pytest.mark.parametrize(
    "text",
    [
        "the doubloons' weight",
        "doublonsy xdoublons",  # parts of other words
        "Davy Jones sails.",  # the right spelling holds the wrong one
        "Port-Royal, Port Royal's walls",
        "{{ doublons }} :doublons: {# doublons #}",  # nobody reads these
    ],
)
def test_what_is_spelt_rightly_is_silent(text: str, told: Told) -> None:
    """Terms in one and many, possessives, parts of words and what is no word are let be."""
    assert told(text, DOUBLOONS) == []


def test_capitals_can_be_banned(told: Told) -> None:
    """Where wrong and right differ in capitals alone, they are looked for as written."""
    words = words_of(banned={"port royal": "Port Royal"})

    assert values(told("Port Royal or port royal", words)) == [("banned-word", "port royal")]


@pytest.mark.parametrize(
    ("text", "term"),
    [("dubloons", "doubloons"), ("doublooons", "doubloons"), ("doulboons", "doubloons"), ("to Prot Royal", "Port Royal")],
)
def test_a_word_almost_right_is_a_warning(text: str, term: str, told: Told) -> None:
    """A letter less, more, other, or two changed about: the term is offered."""
    (found,) = told(text, words_of(terms=("doubloons", "Port Royal", "cannon")))

    assert (found.rule, found.severity) == ("banned-word", "warning")
    assert f'Did you mean "{term}"?' in found.hint


@pytest.mark.parametrize(
    ("terms", "text"),
    [
        (("cannon",), "You cannot fire both cannons."),
        (("chart",), "charm"),  # five letters have too many neighbours
        (("island",), "inlands"),  # two letters away
    ],
)
def test_another_word_is_silent(terms: tuple[str, ...], text: str, told: Told) -> None:
    """Ordinary words, short terms, other terms and words two letters away are not taken for misspellings."""
    assert told(text, words_of(terms=terms)) == []


# --- units ------------------------------------------------------------------------------------------------

UNIT = words_of(terms=("gold",), unit="doubloons", thousands=",")


@pytest.mark.parametrize(
    "text",
    [
        "12,000 doubloons",
        "12,000 gleaming doubloons of treasure win, 15,000 hard-won, shiny doubloons win more",
        "2,000, 3,000 or 4,000 doubloons",
        "1,000\u20132,000 doubloons",
        "1000mm #123456",
    ],
)
def test_a_number_with_its_unit_is_silent(text: str, told: Told) -> None:
    """The unit may follow a list, a range, a line break, or be a term; small numbers need none."""
    assert told(text, UNIT) == []


def test_years_need_no_unit(tiny: TinyProject) -> None:
    """The years of the credits are years wherever they stand."""
    tiny.write("content/tiny/game.toml", '[game]\nname = "T"\nyear = 1723\n[component.cards]\nsize = "tcg"\n')
    tiny.write("content/tiny/cards.csv", "name,text\nAnna,Year 9: 1723\nBert,Year 9: 1724\n")

    assert values(list(check(Subject(ruled(read(tiny), Rules(words=UNIT))), lambda _: 0))) == [("bare-number", "1724")]


@pytest.mark.parametrize(
    ("text", "bare"),
    [("Like the storm of 1715.", []), ("A prize of 1,715", ["1,715"]), ("Pay 1715", ["1715"]), ("in 2500", ["2500"])],
)
def test_a_year_is_known_by_the_word_before_it(text: str, bare: list[str], told: Told) -> None:
    """In a game that marks its thousands, an unmarked number that reads like a year is one."""
    assert [value for rule, value in values(told(text, UNIT)) if rule == "bare-number"] == bare


def set_text(source: str, name: str = "anna", place: Place = Place("content/tiny/cards.csv", 2)) -> SetText:  # noqa: B008
    """A drawn text."""
    piece = Piece("cards", name, Face(name, 63, 88, 3, ()), None, 1)
    return SetText(piece, "front", piece.front.key, "", source, 9, "#000000", False, Rect(0, 0, 9, 9), None, place)


def drawn(tiny: TinyProject, *texts: SetText) -> list[tuple[str, str]]:
    """What is wrong with a game whose templates say this."""
    game = ruled(read(tiny), Rules(words=UNIT))
    return values(list(check(Subject(game, texts=texts), lambda _: 0)))


def test_a_drawn_value_needs_its_unit_too(tiny: TinyProject) -> None:
    """A number that a template makes of a cell is looked at; its unit may be a text of its own on the same side."""
    assert drawn(tiny, set_text("2,000")) == [("bare-number", "2,000")]
    assert drawn(tiny, set_text("2,000"), set_text("doubloons")) == []
    assert drawn(tiny, set_text("2,000"), set_text("doubloons", "bert")) == [("bare-number", "2,000")]
    assert drawn(tiny, set_text("2,000 doubloons")) == []


# --- thousands --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("thousands", "text", "odd"),
    [
        (",", "1,000 2,000 12,000 1,000,000", []),
        (",", "12.000 and 12\u202f000 and 12\u00a0000 and 12'000", ["12.000", "12\u202f000", "12\u00a0000", "12'000"]),
        (",", "10000", ["10000"]),
        (" ", "12 000 and 3,000", ["3,000"]),
        ("\u202f", "12\u202f000 and 12 000", ["12 000"]),
        ("", "12.000 and 13.000", []),
    ],
)
def test_one_mark_parts_thousands(thousands: str, text: str, odd: list[str], told: Told) -> None:
    """Numbers with another mark than the settled or the usual one are named; four digits may stand without."""
    found = told(text, words_of(thousands=thousands))

    assert values(found) == [("thousands-mark", number) for number in odd]


@given(st.integers(0, 10**9), st.sampled_from([",", ".", " ", "'", "\u202f"]))
@settings(max_examples=examples(200), deadline=None)
def test_a_marked_number_is_read_as_one(number: int, mark: str) -> None:
    """However its thousands are parted, a number is found whole and means the same."""
    written = f"{number:,}".replace(",", mark)
    (found,) = NUMBER.finditer(f"about {written}, or so")

    assert found[0] == written and number_in(written) == number


# --- typed numbers ----------------------------------------------------------------------------------------

COUNTS = words_of(counts={"tile boards": 'count("tiles")'})


@pytest.mark.parametrize("text", ["13 tile boards", "the thirteen tile boards", "13\ntile  boards", "**13** tile boards"])
def test_a_typed_number_is_compared(text: str, told: Told) -> None:
    """Figures and numerals before a counted name are compared with the tables; there are 12."""
    (found,) = told(text, COUNTS, {'count("tiles")': 12})

    assert (found.rule, found.allowed) == ("typed-number", "12")
    assert found.hint.startswith('Write "12 tile')
    assert told(text, COUNTS, {'count("tiles")': 13}) == []


@pytest.mark.parametrize(("number", "wrong"), [(1, 0), (61, 0), (59, 1)])
def test_of_components_with_one_title_each_number_may_be_said(number: int, wrong: int, tiny: TinyProject) -> None:
    """That of one, and that of all."""
    sizes = "".join(f'[component.{name}]\nsize = "tcg"\ntitle = "Cargo cards"\n' for name in ("cards", "luck"))
    tiny.write("content/tiny/game.toml", f'[game]\nname = "Tiny"\n{sizes}')
    tiny.write("content/tiny/cards.csv", f'name,text,copies\nAnna,"There are {number} cargo cards.",60\n')
    tiny.write("content/tiny/luck.csv", "name\nBert\n")
    tiny.write("templates/tiny/luck.svg.j2", (tiny.project.root / "templates/tiny/cards.svg.j2").read_text())

    assert len(look(Subject(ruled(read(tiny), Rules(words=words_of())))).problems) == wrong


@pytest.mark.parametrize(
    "text",
    [
        "Draw 3 tile boards.",
        "up to five tile boards",
        "3 tile boardsmen",
        "tile boards 3",
        "With two tile boards on the table the sea is full.",
        "Is one enough against three tile boards?",
    ],
)
def test_a_part_is_not_compared(text: str, told: Told) -> None:
    """What somebody draws, takes or has is not all there is."""
    assert told(text, COUNTS, {'count("tiles")': 12}) == []


@pytest.mark.parametrize(
    "text",
    [
        "With 13 tile boards the sea is whole.",
        "all the other eleven tile boards",
        "5 tile boards",
        "In the box:\n\n- 5 tile boards, all different\n- a die",
    ],
)
def test_more_than_half_is_meant_as_all(text: str, told: Told) -> None:
    """A number near that of the tables is more likely wrong than a part; of what stands alone, or behind "all", any is."""
    assert values(told(text, COUNTS, {'count("tiles")': 12})) != []


# A scene with its alt text and caption.
SCENE = '::: scene on="table" alt="{}"\n| what | where | how |\n|---|---|---|\n| cross | 1,1 | |\n\n{}\n:::'


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ('{{ face("tiles", "a", caption="Pay doublons.") }}', [("banned-word", "doublons")]),
        ('{{ anatomy("tiles", "a", notes=[["text", "Pay doublons."]]) }}', [("banned-word", "doublons")]),
        ('{{ faces("tiles", ["a"], alt="Two tile boards side by side.") }}', []),
        (SCENE.format("Two tile boards side by side.", "Two tile boards."), []),
        (SCENE.format("All eleven tile boards.", "Pay."), [("typed-number", "eleven")]),
    ],
)
def test_what_is_said_of_pictures_is_read(text: str, wrong: list[tuple[str, str]], tiny: TinyProject) -> None:
    """Captions, what is said to those who do not see them, and notes; a picture may show a part of the pieces."""
    tiny.put(game_toml=CARD_GAME, cards_csv="name\nAnna\n", rulebook_md=f"# Rules\n\n{text}\n")
    words = words_of(banned={"doublons": "doubloons"}, counts={"tile boards": "n"})

    assert values(list(check(Subject(ruled(read(tiny), Rules(words=words))), lambda _: 12))) == wrong


def test_the_covers_of_books_are_read(tiny: TinyProject) -> None:
    """Titles, subtitles, feet and the heading of the contents, each told in its line."""
    keys = 'title = "Doublons"\nsubtitle = "11 tile boards"\nfoot = "Doublons galore"\ncontents = "Of doublons"\n'
    tiny.put(game_toml=f"{CARD_GAME}[book.rulebook]\n{keys}", rulebook_md="# Rules\n")
    words = words_of(banned={"doublons": "doubloons"}, counts={"tile boards": "n"})

    told = list(check(Subject(ruled(read(tiny), Rules(words=words))), lambda _: 12))

    found = [(each.place.row, str(each.place.column).rpartition(".")[2], each.value) for each in told]
    assert found == [(6, "title", "Doublons"), (7, "subtitle", "11"), (8, "foot", "Doublons"), (9, "contents", "doublons")]


# --- numbers in phrases -------------------------------------------------------------------------------------

WALK = words_of(counts={"up to # squares": "6"})


@pytest.mark.parametrize("text", ["Walk up to seven squares.", "Up to **5** squares!", "up to 6.5 squares"])
def test_another_number_in_a_phrase_is_told(text: str, told: Told) -> None:
    """In figures and in words, whatever stands before it: a phrase has one number."""
    (found,) = told(text, WALK, {"6": 6})

    assert (found.rule, found.severity, found.allowed) == ("typed-number", "error", "6")
    assert found.place == Place("content/tiny/cards.csv", 2, "text")


def test_a_phrase_that_no_text_says_is_told(tiny: TinyProject) -> None:
    """It would hold nothing; one that only a drawn piece says is said, and one whose number is live is not."""
    tiny.put(game_toml=CARD_GAME, cards_csv="name,text\nAnna,Walk six squares.\n", rulebook_md="Roll {{ 2 }} dice.\n")
    words = words_of(counts={"walk # squares": "6", "hop # squares": "6", "roll # dice": "2"})
    subject = Subject(ruled(read(tiny), Rules(words=words)))

    assert values(list(look_drawn(subject).problems)) == [("typed-number", "hop # squares"), ("typed-number", "roll # dice")]
    assert not look(subject).problems


def test_titles_of_components_are_names(tiny: TinyProject) -> None:
    """A component whose title has two words is counted without being declared; the set-up's share is a number, too."""
    tiny.put(
        game_toml=f'{CARD_GAME}title = "Bronze cannons"\n',
        cards_csv="name,text,copies\nAnna,24 bronze cannons and 25 bronze cannons,20\nBert,,4\n",
        rulebook_md="# Set-up\n\n- 3 bronze cannons\n- four bronze cannons\n",
        README_md="7 bronze cannons\n",
    )
    game = read(tiny)

    def found(rules: Rules) -> list[tuple[str, str, int | None]]:
        told = check(Subject(ruled(game, rules)), lambda _: 0)
        return [(each.value, each.place.file, each.place.row) for each in told]

    take = taken("cannons", "cannons", {}, "3", "player").at(HERE, "cannons")
    card, four = ("25", "content/tiny/cards.csv", 2), ("four", "content/tiny/rulebook.md", 4)
    assert found(Rules(words=words_of())) == [card, ("3", "content/tiny/rulebook.md", 3), four]
    assert found(Rules(words=words_of(), setup=Setup(players="2", take={take.name: take}))) == [card, four]


@pytest.mark.parametrize(
    ("file", "content", "place"),
    [
        ("game.toml", f'{CARD_GAME}[texts]\na = "doublons"\n', "game.toml:6:texts.a"),
        ("game.toml", f'{CARD_GAME}title = "Doublons"\n', "game.toml:3"),
        ("cards.csv", "name,text\nAnna,x\nBert,doublons\n", "cards.csv:3:text"),
        ("rulebook.md", "# Rules\n\nPay\ndoublons.\n", "rulebook.md:4"),
        ("README.md", "doublons", ""),
    ],
)
def test_every_text_is_looked_at(file: str, content: str, place: str, tiny: TinyProject) -> None:
    """Cells, [texts], credits, titles and Markdown files but the README; each is named at its own place."""
    tiny.write(f"content/tiny/{file}", content)
    found = list(check(Subject(ruled(read(tiny), Rules(words=DOUBLOONS))), lambda _: 0))

    assert [str(problem.place).startswith(f"content/tiny/{place}") for problem in found] == [True] * bool(place)


def test_drawn_words_are_told_once_pieces_are_drawn(tiny: TinyProject) -> None:
    """What templates write is found when there are pieces, and what tables say is not told a second time."""
    tiny.write("content/tiny/cards.csv", "name,text\nAnna,Two doublons.\nBert,Pass.\n")
    game = ruled(read(tiny), Rules(words=DOUBLOONS))
    here = Place("content/tiny/cards.csv", 3)
    texts = (set_text("Two doublons.", place=Place("content/tiny/cards.csv", 2, "text")), set_text("Davy", place=here))
    told = frozenset(look(Subject(game)).problems)
    drawn_only = look_drawn(Subject(game, texts=texts, told=told)).problems

    assert values(list(drawn_only)) == [("banned-word", "Davy")]
    assert drawn_only[0].place == here
    assert values(list(look(Subject(game)).problems)) == [("banned-word", "doublons")]
    assert look_drawn(Subject(game)).problems == ()
