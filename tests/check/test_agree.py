"""What stands in a row agrees with the rest of its row: by a pattern, by rows that are alike, or as all other rows do."""

from __future__ import annotations

import pytest
from conftest import TinyProject, toml

from pnp.check.row_consistency import DISAGREES, ODD, look, matches
from pnp.read.game import read_game
from pnp.read.project import Project
from pnp.values.findings import Subject
from pnp.values.problems import Problem, Problems

GAME = toml("""
game: name = "Tiny"
palette: sun = "#ffcc00"; sea = "#0055aa"
table.cards.columns: deck = { table = "crews" }; colour = { type = "colour" }
cards: size = "tcg"
""")
PLAIN = '[game]\nname = "Tiny"\n[component.cards]\nsize = "tcg"\n'
CREWS = "id,name,short\nwheel,Wanda the Wise,Wanda\nbell,Barnaby Bly,Barnaby\n"
CARDS = """id,deck,number,title,colour,art
wheel-1,wheel,1,Wanda's Watch,sun,cards/wheel-1
wheel-2,wheel,2,Wanda's Wake,sun,cards/wheel-2
bell-1,bell,1,Barnaby's Bet,sea,cards/bell-1
bell-2,bell,2,Barnaby's Boat,sea,cards/usual
"""


def told(tiny: TinyProject, rules: str, cards: str = CARDS, game: str = GAME) -> tuple[list[Problem], list[Problem]]:
    """What reading finds in the tiny game with these rules, and what the rules find."""
    crews = {"crews_csv": CREWS} if "crews" in game else {}
    tiny.put(game_toml=game, cards_csv=cards, rules_toml=rules, **crews)
    problems = Problems()
    read = read_game(Project(tiny.project.root), "tiny", problems)
    assert read is not None
    return list(problems), list(look(Subject(read)).problems)


def found(tiny: TinyProject, rules: str, cards: str = CARDS, game: str = GAME) -> list[Problem]:
    """What the rules find in a game without another fault."""
    problems, rest = told(tiny, rules, cards, game)
    assert problems == [], [str(problem) for problem in problems]
    return rest


@pytest.mark.parametrize(
    "pattern",
    [
        'id = "{deck}-{number}"',
        'title = "{deck.short}\u2019s *"',
        'title = "{deck.name:first}*"',
        'art = ["cards/{id}", "cards/usual"]',
        'deck = "*{deck.short}*"',
        'colour = ["s*n", "*e*"]',
    ],
)
def test_what_agrees_is_silent(tiny: TinyProject, pattern: str) -> None:
    """By ids and columns of rows that are referred to, by words, in either spelling, and by one of several patterns."""
    assert found(tiny, f"[agree.cards]\n{pattern}\n") == []


@pytest.mark.parametrize(
    ("pattern", "old", "new", "column", "allowed", "hint"),
    [
        ('id = "{deck}-{number}"', "wheel-2,wheel", "wheel-2,bell", "id", '"bell-2"', 'write "wheel" in the column deck'),
        ('title = "{deck.short}\'s *"', "Wanda's Wake", "Barnaby's Wake", "title", '"Wanda\'s *"', "Correct it"),
        ('art = "cards/{id}"', "cards/wheel-2", "", "art", '"cards/wheel-2"', "Correct it"),
    ],
)
def test_a_row_that_differs_is_told_at_its_cell(
    tiny: TinyProject, pattern: str, old: str, new: str, column: str, allowed: str, hint: str
) -> None:
    """With what was expected, the piece that it is, and the other cell that may be wrong."""
    cards = CARDS.replace("cards/usual", "cards/bell-2") if pattern.startswith('art = "') else CARDS
    (problem,) = found(tiny, f"[agree.cards]\n{pattern}\n", cards.replace(old, new))

    assert (problem.rule, problem.severity, problem.place.row, problem.place.column) == (DISAGREES, "error", 3, column)
    assert problem.place.file == "content/tiny/cards.csv" and problem.about is not None
    assert (problem.allowed, str(problem.about)) == (allowed, "cards/wheel-2")
    assert hint in problem.hint


@pytest.mark.parametrize(
    ("said", "pattern", "fits"),
    [("whale-gate", "\0-gate", True), ("aba", "ab\0ba", False), ("a-c-b", "a\0b\0c", False), ("", "\0", True)],
)
def test_a_star_stands_for_anything(said: str, pattern: str, fits: bool) -> None:
    """Also for nothing; what stands around it may not overlap."""
    assert matches(said, pattern) is fits


def test_rows_that_are_alike_are_alike(tiny: TinyProject) -> None:
    """The one that differs from the others is told, with these."""
    cards = CARDS + "wheel-3,wheel,3,Wanda's Way,sea,cards/wheel-3\n"
    (problem,) = found(tiny, '[alike.cards]\ndeck = "colour"\n', cards)

    assert (problem.rule, problem.place.row, problem.place.column) == (DISAGREES, 6, "colour")
    assert (problem.value, problem.allowed) == ("sea", '"sun"') and "rows 2, 3" in problem.message


@pytest.mark.parametrize(
    ("rules", "rule", "says"),
    [
        ('[agree.crads]\nid = "{deck}"', "unknown-table", '"crads" is not a table'),
        ('[agree.cards]\nid = "{deck.nam}-*"', "unknown-column", '"nam" is not a column that "deck" leads to'),
        ('[agree.cards]\nid = "{title.name}-*"', "unknown-column", '"title" refers to no row of another table'),
        ('[agree.cards]\nid = "{deck"', "bad-value", "a brace that belongs to no column"),
        ('[agree.cards]\nid = "*"', "bad-value", 'is true of whatever "id" says'),
        ('[alike.cards]\ndeck = "deck"', "bad-value", '"deck" is always like itself'),
        ('[alike.cards]\ntitle = "deck"', "bad-value", 'no two rows of content/tiny/cards.csv are alike in "title"'),
    ],
)
def test_what_says_nothing_is_told_where_it_stands(tiny: TinyProject, rules: str, rule: str, says: str) -> None:
    """Misspelt names, and what can never be untrue."""
    problems, _ = told(tiny, rules)

    assert [problem.rule for problem in problems] == [rule], [str(problem) for problem in problems]
    assert says in problems[0].message and problems[0].place.file == "content/tiny/rules.toml" and problems[0].place.row


DECK = "id,deck,art\n" + "".join(
    f"{deck}-{number},{deck},cards/{deck}-{number}\n" for deck in ("wheel", "bell") for number in (1, 2, 3, 4)
)


def test_without_a_pattern_the_odd_row_is_told(tiny: TinyProject) -> None:
    """Its id names another deck than its column; its art is another row's. It is a warning."""
    changed = DECK.replace("bell-3,bell", "bell-3,wheel").replace("cards/wheel-2", "cards/wheel-4")
    problems = found(tiny, "", changed, PLAIN)

    assert [(problem.rule, problem.severity) for problem in problems] == [(ODD, "warning")] * 2
    told = [(problem.place.row, problem.place.column, problem.allowed) for problem in problems]
    assert told == [(8, "deck", '"bell"'), (3, "art", '"wheel-2"')]


@pytest.mark.parametrize(
    "cards",
    [
        DECK,
        # As many differ as agree: ids are no rule here.
        DECK.replace("wheel,cards", "bell,cards"),
        # A joker whose deck no id names, and a usual drawing that is no row's.
        DECK + "joker,bell,cards/usual\n",
        "name,deck\nWheel one,wheel\nWheel two,wheel\nWheel three,wheel\nWheel four,wheel\nWheel five,bell\n",
    ],
)
def test_what_may_well_be_meant_is_left_in_peace(tiny: TinyProject, cards: str) -> None:
    """Only where nearly all rows do so, and the odd one says what another row's would."""
    _, problems = told(tiny, "", cards, PLAIN)
    assert problems == []


def test_looking_for_odd_rows_uses_no_column(tiny: TinyProject) -> None:
    """What it alone looks at is still told as used by nothing."""
    tiny.put(cards_csv=DECK, game_toml=PLAIN)
    game = read_game(Project(tiny.project.root), "tiny", Problems())
    assert game is not None
    (component,) = game.components
    before = set(component.table.used)
    look(Subject(game))

    assert component.table.used == before
