"""Exchanges are run from nothing to the end: what nobody can earn, and the card that nobody can cash, are named."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from conftest import TinyProject, examples, read_whole
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp.check import economy as module
from pnp.check.economy import Deal, look
from pnp.values.findings import Report, Subject, TableShown
from pnp.values.problems import Place
from pnp.values.rules import Rules
from pnp.values.sections import Economy, Exchange
from pnp.values.tables import Row

HERE = Place("content/tiny/rules.toml", 1, "economy")
GAME = """
[game]
name = "T"
[component.treasure]
size = "tcg"
template = "cards"
[component.cards]
size = "tcg"
[table.cards.columns]
cargo = { table = "goods", optional = true }
also = { table = "treasure", optional = true }
reward = { table = "treasure", optional = true }
[table.goods]
"""
TREASURE = "name,copies\nStatue,3\nRing,2\nCrown,1\n"
CARDS = "name,kind,cargo,also,reward\nFirst,trade,Silk,,Statue\nSecond,trade,Silk,Statue,Ring\nThird,map,,Ring,Crown\n"


def exchange(component: str, where: dict[str, str] | None = None) -> Exchange:
    """Its rows change cargo and something beside it into a reward."""
    said = {"of": component, "where": where or {}, "needs": ["cargo", "also"], "gives": ["reward"]}
    return Exchange.model_validate(said).at(HERE)


def economy(
    earn: tuple[str, ...] = ("treasure",), free: tuple[str, ...] = ("goods",), where: dict[str, str] | None = None
) -> Rules:
    """Cards change cargo and treasure into treasure."""
    return Rules(economy=Economy(earn=earn, free=free).at(HERE), exchanges=(exchange("cards", where),))


def told(tiny: TinyProject, cards: str = CARDS, treasure: str = TREASURE, rules: Rules | None = None) -> Report:
    """What the checker says of a game with these cards."""
    tiny.put(game_toml=GAME, goods_csv="name\nSilk\n", treasure_csv=treasure, cards_csv=cards)
    return look(Subject(replace(read_whole(tiny.project), rules=rules or economy())))


def found(report: Report) -> list[tuple[str, str, str]]:
    """Rule, place and value of each problem."""
    return [(problem.rule, str(problem.place), problem.value) for problem in report.problems]


def table(report: Report) -> dict[str, tuple[str, ...]]:
    """The table of chains, by what is earned."""
    (shown,) = report.shown
    assert isinstance(shown, TableShown)
    return {row[0]: row[1:] for row in shown.rows}


def test_a_closed_economy_is_silent(tiny: TinyProject) -> None:
    """Everything is earned; the report tells by which cards, the fewest first."""
    report = told(tiny)

    assert report.problems == ()
    first, second = "First with Silk for Statue", "Second with Silk and Statue for Ring"
    chains = {"Statue": ("1", first), "Ring": ("2", f"{first}, then {second}")}
    assert table(report) == chains | {"Crown": ("3", f"{first}, then {second}, then Third with Ring for Crown")}
    assert isinstance(report.shown[0], TableShown) and report.shown[0].note.startswith("3 of 3 exchanges")


def test_a_circle_is_never_entered(tiny: TinyProject) -> None:
    """The only card that pays a crown asks for a crown: neither the crown is earned nor the card cashed."""
    report = told(tiny, CARDS.replace("Third,map,,Ring,", "Third,map,,Crown,"))

    assert found(report) == [
        ("never-earned", "content/tiny/treasure.csv:4", "Crown"),
        ("never-cashed", "content/tiny/cards.csv:4:also", "Crown"),
    ]
    assert report.problems[0].hint == "Third needs Crown."
    assert table(report)["Crown"] == ("never", "")


def test_what_is_not_free_must_be_earned(tiny: TinyProject) -> None:
    """Goods that nobody gets for nothing stop every card that asks for them, but not a card that asks for none."""
    report = told(tiny, rules=economy(free=()))

    cashed = [problem.value for problem in report.problems if problem.rule == "never-cashed"]
    assert cashed == ["Silk", "Silk and Statue", "Ring"]


def test_what_is_not_printed_is_not_there(tiny: TinyProject) -> None:
    """A card of no copies helps nobody, and a treasure of no copies is neither given nor wanted."""
    cards = "First,Silk,,Statue,0\nSecond,Silk,,Ring,1\nThird,,Ring,Crown,1\nFourth,,Crown,Ring,1\n"
    report = told(tiny, f"name,cargo,also,reward,copies\n{cards}", TREASURE.replace("Crown,1", "Crown,0"))

    assert found(report) == [
        ("never-earned", "content/tiny/treasure.csv:2", "Statue"),
        ("never-cashed", "content/tiny/cards.csv:5:also", "Crown"),
    ]


def row_of(number: int) -> Row:
    """A treasure."""
    return Row(f"t{number}", 1, Place("t.csv", number), {}, set())


@given(st.lists(st.tuples(st.sets(st.integers(0, 5), max_size=2), st.integers(0, 5)), max_size=8))
@settings(max_examples=examples(150), deadline=None)
def test_the_fixed_point_is_the_least_closed_set(exchanges: list[tuple[set[int], int]]) -> None:
    """What can be had is the smallest set of treasures that no exchange leads out of, by trying all sets."""
    rows = [row_of(number) for number in range(6)]
    deals = [
        Deal(
            component=None,  # type: ignore[arg-type]
            row=Row(f"d{index}", 1, Place("d.csv", index), {}, set()),
            needs=tuple((f"n{number}", rows[number]) for number in sorted(needs)),
            gives=(rows[gives],),
        )
        for index, (needs, gives) in enumerate(exchanges)
    ]
    sets = [{number for number, flag in enumerate(flags) if flag} for flags in product((False, True), repeat=6)]
    closed = [chosen for chosen in sets if all(gives in chosen or not needs <= chosen for needs, gives in exchanges)]
    had = {key[2] for key in module._run(deals, [])}

    assert had == {f"t{number}" for number in set.intersection(*closed)}
