"""A rules.toml is read whole, or its faults are told, each at its line, with what was meant."""

from __future__ import annotations

import pytest
from conftest import TinyProject, toml

from pnp.read.game import read_game
from pnp.read.project import Project
from pnp.values.problems import Problem, Problems
from pnp.values.rules import Rules
from pnp.values.sections import Allow, Colours, Economy, Exchange, Movement, Setup, Shuffle, Take, Words

FILE = "content/tiny/rules.toml"
GAME = toml("""
game: name = "Tiny"
table.cards.columns: wants = { table = "goods", optional = true }
cards: size = "tcg"
sea: kind = "board"; map = "sea.txt"; legend = "sea-legend"; cell = "20mm"; template = "cards"
tiles: kind = "tile"; hexes = "hexes"; hex = "30mm"; template = "cards"
layout.start: of = "tiles"
""")
TABLES = {
    "cards.csv": "name,kind,wants,copies\nAnna,buy,rum,2\nBert,sell,,1\n",
    "goods.csv": "id,name\nrum,Rum\n",
    "sea.txt": "HHoT\nHHoT\n",
    "sea-legend.csv": "letter,kind,name\nH,home,Haven\no,sea,Sea\nT,town,Tortuga\n",
    "tiles.csv": "id,name,back\none,One,blue\n",
    "hexes.csv": "tile,q,r,terrain\none,0,0,rock\none,1,0,sea\n",
    "start.csv": "q,r,turn,pool\n0,0,0,blue\n",
}


def read(tiny: TinyProject, rules: str | bytes | None) -> tuple[Rules, list[Problem]]:
    """What the tiny game's rules.toml comes to, and what is wrong with the game."""
    tiny.write("content/tiny/game.toml", GAME)
    for name, text in TABLES.items():
        tiny.write(f"content/tiny/{name}", text)
    if rules is not None:
        tiny.write(FILE, rules)
    problems = Problems()
    game = read_game(Project(tiny.project.root), "tiny", problems)
    assert game is not None
    return game.rules, list(problems)


def fault(tiny: TinyProject, rules: str | bytes) -> Problem:
    """The one thing that is wrong with a rules.toml of this text."""
    _, (problem,) = read(tiny, rules)
    return problem


@pytest.mark.parametrize(
    ("written", "counts"), [('"2–3"', (2, 3)), ('"2 or 4"', (2, 4)), ('"5, 2-3"', (2, 3, 5)), ("4", (4,))]
)
def test_player_counts_are_spans_and_lists(tiny: TinyProject, written: str, counts: tuple[int, ...]) -> None:
    """Counts are written as people write them, and come in order."""
    rules, problems = read(tiny, f"[setup]\nplayers = {written}\n")

    assert not problems
    assert rules.setup is not None and rules.setup.players == counts


def test_a_take_has_words_a_pool_and_a_number(tiny: TinyProject) -> None:
    """Numbers may be typed as numbers, also in where; per table is the default."""
    rules, problems = read(
        tiny,
        '[setup]\nplayers = "2-3"\n[setup.take.hand]\nwhat = "a hand"\nfrom = "cards"\n'
        'where = { copies = 2 }\nnumber = 3\nper = "player"\n'
        '[setup.take.row]\nwhat = "a row"\nfrom = "cards"\nnumber = "10 - players"\n',
    )

    assert not problems
    assert isinstance(rules.setup, Setup)
    hand, row = rules.setup.takes
    assert isinstance(hand, Take)
    assert (hand.name, hand.what, hand.component, hand.where) == ("hand", "a hand", "cards", {"copies": "2"})
    assert (hand.number, hand.per) == ("3", "player")
    assert (row.number, row.per, row.where) == ("10 - players", "table", {})
    assert str(hand.place) == f"{FILE}:3:setup.take.hand"


def test_words_are_read(tiny: TinyProject) -> None:
    """Terms, banned spellings, the unit and from when on, the mark, and numbers that stand before names."""
    rules, problems = read(
        tiny,
        '[words]\nterms = ["doubloons"]\nbanned = { doublons = "doubloons" }\nunit = "doubloons"\nfrom = 500\n'
        'thousands = " "\ncounts = { "cards" = \'count("cards")\' }\n',
    )

    assert not problems
    assert isinstance(rules.words, Words)
    assert (rules.words.terms, rules.words.banned) == (("doubloons",), {"doublons": "doubloons"})
    assert (rules.words.unit, rules.words.unit_from, rules.words.thousands) == ("doubloons", 500, " ")
    (counting,) = rules.words.counts
    assert (counting.says, counting.numbers, counting.place.row) == ("cards", ('count("cards")',), 7)


def test_phrases_have_a_number_for_each_mark(tiny: TinyProject) -> None:
    """One or a list; what is too few, too many or no phrase is told at its line."""
    rules, problems = read(
        tiny,
        '[numbers]\nwalk = 6\n[words.counts]\n"walk # squares" = "numbers.walk"\n"roll # dice of #" = [2, 6]\n'
        '"# of #" = 3\n"cards" = [1, 2]\n"#" = 1\n',
    )

    assert isinstance(rules.words, Words)
    assert [(each.name, each.number) for each in rules.numbers] == [("walk", "6")]
    counts = {each.says: each.numbers for each in rules.words.counts}
    assert counts == {"walk # squares": ("numbers.walk",), "roll # dice of #": ("2", "6")}
    assert [(problem.rule, problem.place.row) for problem in problems] == [("bad-value", row) for row in (6, 7, 8)]


def test_an_economy_is_read(tiny: TinyProject) -> None:
    """Exchanges in their order, what is free, what is to be earned."""
    rules, problems = read(
        tiny,
        '[economy]\nearn = ["cards"]\nfree = ["goods"]\n[[exchange]]\nof = "cards"\nwhere = { kind = "buy" }\n'
        'needs = ["wants"]\ngives = ["name"]\n[[exchange]]\nof = "cards"\n',
    )

    assert not problems
    assert isinstance(rules.economy, Economy)
    assert (rules.economy.free, rules.economy.earn) == (("goods",), ("cards",))
    first, second = rules.exchanges
    assert isinstance(first, Exchange)
    assert (first.component, first.where, first.needs, first.gives) == ("cards", {"kind": "buy"}, ("wants",), ("name",))
    assert (first.place.row, second.place.row) == (4, 9)


def test_a_movement_is_read(tiny: TinyProject) -> None:
    """Each list of kinds goes where it belongs."""
    rules, problems = read(
        tiny,
        '[movement.sea]\ndiagonal = true\nsingle = ["town"]\nwraps = ["sea"]\nends = ["town", "home"]\nstarts = ["home"]\n'
        'goals = ["town", "sea"]\nexits = ["sea"]\ntolerance = "10%"\nfair = ["town"]\n',
    )

    assert not problems
    (movement,) = rules.movements
    kinds: dict[str, tuple[str, ...]] = {"single": ("town",), "wraps": ("sea",), "ends": ("town", "home")}
    kinds |= {"starts": ("home",), "goals": ("town", "sea"), "exits": ("sea",), "fair": ("town",)}
    assert movement == Movement.model_validate({"diagonal": True, "tolerance": 0.1, **kinds}).at(movement.place, "sea")


@pytest.mark.parametrize(("written", "share"), [('"10%"', 0.1), ("0.25", 0.25), ("1", 1.0)])
def test_a_tolerance_is_a_share(tiny: TinyProject, written: str, share: float) -> None:
    """It is written as a part of a hundred or of one."""
    rules, problems = read(tiny, f"[movement.sea]\ntolerance = {written}\n")

    assert not problems
    assert rules.movements[0].tolerance == pytest.approx(share)


def test_shuffles_colours_and_allowances_are_read(tiny: TinyProject) -> None:
    """The small sections, with their lines."""
    rules, problems = read(
        tiny,
        '[shuffle.start]\nblocked = { terrain = ["rock"] }\nstart = { terrain = "sea" }\nturns = true\n'
        '[[colours]]\ntable = "goods"\ncolumn = "name"\nbeside = "a sign"\n'
        '[[allow]]\nrule = "claim"\nabout = "cards"\nbecause = "it is a joke"\n',
    )

    assert not problems
    (shuffle,), (colours,), (allow,) = rules.shuffles, rules.colours, rules.allowed
    meant = Shuffle(blocked={"terrain": ("rock",)}, start={"terrain": "sea"}, turns=True)
    assert shuffle == meant.at(shuffle.place, "start")
    assert colours == Colours(table="goods", column="name", beside="a sign").at(colours.place)
    assert allow == Allow(rule="claim", about="cards", because="it is a joke").at(allow.place)
    assert (shuffle.place.row, colours.place.row, allow.place.row) == (1, 5, 9)


@pytest.mark.parametrize(
    ("rules", "rule", "place", "hint"),
    [
        ('[setup]\nplayers = "2"\n[setup.take.a]\nwhat = "a"\nfrom = "cards"\nnumber = 1\nwhere = { knid = "buy" }\n',
         "unknown-column", "7:setup.take.a.where", '"kind"'),

        ('[movement.sea]\nstarts = ["hoem"]\n', "unknown-kind", "2:movement.sea.starts", '"home"'),

        ('[shuffle.start]\nblocked = { terain = ["rock"] }\n', "unknown-column", "2:shuffle.start.blocked", '"terrain"'),
        ('[[colours]]\ntable = "good"\ncolumn = "name"\n', "unknown-table", "2:colours.table", '"goods"'),
        ('[words]\nform = 100\n', "unknown-key", "2:words.form", '"from"'),

    ],
)  # fmt: skip
def test_a_misspelt_name_is_named_with_a_near_one(tiny: TinyProject, rules: str, rule: str, place: str, hint: str) -> None:
    """Whatever a rules.toml names must be there; else its line is told, and the name that was meant."""
    problem = fault(tiny, rules)

    assert (problem.rule, str(problem.place)) == (rule, f"{FILE}:{place}")
    assert problem.severity == "error" and problem.allowed
    assert hint in problem.hint


@pytest.mark.parametrize(
    ("rules", "rule", "place", "words"),
    [
        ('[claim.a]\nsays = "x"\n', "missing-key", "1:claim.a.expect", "an expression over the tables"),
        (f'[claim.a]\nsays = "x"\nexpect = "{"1 + " * 600}1"\n', "bad-value", "3:claim.a.expect", "2000"),
        ('[claim.A]\nsays = "x"\nexpect = "true"\n', "bad-value", "1:claim.A", "small letters"),
        ('[setup]\nplayers = "many"\n', "bad-value", "2:setup.players", "written 2-8, or 2, 4"),

        ('[numbers]\n"a b" = 3\n', "bad-value", "2:numbers.a b", "Write a_b."),
        ("[expect.cards]\ncopies = 2\n", "unknown-key", "1:expect", "[expect] stands in game.toml."),
        ('[pile.x]\nof = []\n', "bad-value", "2:pile.x.of", "it must not be empty"),
        ('[movement.sea]\ntolerance = "much"\n', "bad-value", "2:movement.sea.tolerance", "0% to 100%"),
        ('[words]\nthousands = "..."\n', "bad-value", "2:words.thousands", "1 letters at most"),

    ],
)  # fmt: skip
def test_a_wrong_value_is_told_at_its_line(tiny: TinyProject, rules: str | bytes, rule: str, place: str, words: str) -> None:
    """Each fault once, with what may stand there instead."""
    problem = fault(tiny, rules)

    assert (problem.rule, str(problem.place)) == (rule, f"{FILE}:{place}")
    assert words in str(problem)
