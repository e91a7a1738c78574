"""Claims of rules.toml are computed from the tables: true ones are shown with their numbers, false ones with both sides."""

from __future__ import annotations

import time

import pytest
from conftest import TinyProject, examples, read_whole, toml
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp.check.claims import NOTHING, RULE, look
from pnp.check.evaluator import BROKEN
from pnp.sandbox.expressions import Expressions
from pnp.values.findings import ClaimShown, Subject
from pnp.values.game import Game
from pnp.values.problems import Fault, Problem

GAME = toml("""
game: name = "Tiny"; designer = "Ann"
texts: motto = "Fair winds"
table.cards.columns: port = { table = "ports", optional = true }; cost = { type = "whole" }; rare = { type = "flag" }
cards: size = "tcg"
dice: kind = "die"; size = "16mm x 16mm"; sides = 6; template = "cards"
""")
CARDS = """name,kind,port,cost,rare,copies
Anna,crew,north,1,yes,2
Bert,crew,south,3,no,1
Rum,cargo,north,2,no,4
Silk,cargo,South Cove,5,no,4
Map,chart,,0,yes,1
"""
PORTS = "id,name\nnorth,North Bay\nsouth,South Cove\n"


def game_of(tiny: TinyProject, rules: str = "", cards: str = CARDS) -> Game:
    """The tiny game with these rules and cards, read without a fault."""
    tiny.put(game_toml=GAME, cards_csv=cards, ports_csv=PORTS, rules_toml=rules)
    return read_whole(tiny.project)


def claimed(tiny: TinyProject, expect: str, each: str = "", setup: str = "") -> tuple[Problem | None, ClaimShown]:
    """What one claim of the tiny game comes to."""
    for_ = f"for = '''{each}'''\n" if each else ""
    rules = f"{setup}[claim.it]\nsays = \"It is so.\"\nexpect = '''{expect}'''\n{for_}rule = \"manual, page 3\"\n"
    found = look(Subject(game_of(tiny, rules)))
    (shown,) = found.shown
    assert isinstance(shown, ClaimShown) and len(found.problems) < 2
    return (found.problems[0] if found.problems else None), shown


@pytest.mark.parametrize(
    ("number", "why"), [("'count(\"crads\")'", '"crads"'), ("'\"six\"'", "no number"), ("'numbers.it'", "numbers")]
)
def test_a_named_number_without_a_value_is_told(number: str, why: str, tiny: TinyProject) -> None:
    """At its own line, whether something asks for it or not; one cannot ask for another."""
    (problem,) = look(Subject(game_of(tiny, f"[numbers]\nit = {number}\n"))).problems

    assert (problem.rule, problem.place.row) == (BROKEN, 2)
    assert why in str(problem)


@pytest.mark.parametrize(
    "expect",
    [
        'count("cards", kind="crew", rare=true) == 2',
        'count("cards", kind=["crew", "chart"]) == 4',
        'count("cards", kind="nobody") == 0',
        'designs("cards") == 5 and designs("cards", kind="cargo") == 2',
        'len(rows("ports")) == 2 and (rows("ports") | length) == 2',
        'copies(rows("cards", rare=false)) == 9',
        # A cell that refers to a row says its name and its id; a row can be asked for as well.
        'count("cards", port="north") == 6 and count("cards", port="North Bay") == 6',
        'count("cards", port=rows("ports")[1]) == 5',
        'count("cards", port="") == 1 and count("cards", port=none) == 1',
        'rows("cards", name="Silk")[0].port.name == "South Cove"',
        'component("cards").title == "Cards" and component("cards").kind == "card" and component("cards").width == 63',
        'faces("dice") == ["1", "2", "3", "4", "5", "6"]',
        'game.title == "Tiny" and game.designer == "Ann" and texts.motto == "Fair winds"',
        # Filters and functions.
        'rows("cards") | groupby("kind") | length == 3',
        'rows("cards", kind="cargo") | groupby("port") | map(attribute="list") | map("length") | unique | list == [1]',
        'sum(rows("cards") | map(attribute="cost")) == 11',
        'set(rows("cards") | map(attribute="kind")) == set(["crew", "cargo", "chart"])',

        'rows("cards") | selectattr("port", "eq", "North Bay") | list | length == 2',
        'rows("cards") | sort(attribute="cost", reverse=true) | map(attribute="name") | first == "Silk"',
        'max(rows("cards") | map(attribute="cost")) == 5 and rows("cards") | map(attribute="cost") | min == 0',
        'all(rows("cards") | map(attribute="name")) and not any([])',
        'sorted(rows("cards") | map(attribute="cost")) == [0, 1, 2, 3, 5] and abs(-3) == 3 and round(2.6) == 3',
        'range(3) | list == [0, 1, 2] and 10 | round(-999999999) == 0',
        '1 < 2 <= 2 < 3 and 1 in [1, 2] and 3 not in [1, 2] and 7 // 2 == 3 and 7 % 2 == 1 and 2 ** 3 == 8',
        '(1 == 2 or 3 == 3) and ("a" if true else "b") == "a"',
    ],
)  # fmt: skip
def test_what_claims_can_say(tiny: TinyProject, expect: str) -> None:
    """Counts, rows, groups, sums, sets and the rest of the language."""
    problem, shown = claimed(tiny, f'{expect} and count("cards") > 0')

    assert problem is None, str(problem)
    assert shown.holds


@pytest.mark.parametrize(
    ("expect", "each", "says"),
    [
        ("2 * 6 == 12", "", True),
        ("n < 9", "n in 2..8", True),
        ("rows('cards') | length == 5", "", False),
        ("texts.motto == 'Fair winds'", "", False),
        ("row.copies > 0", "row in rows('cards')", False),
        ("players < 5", "players", False),
    ],
)
def test_a_claim_that_looks_at_nothing_of_the_game_is_no_proof(
    tiny: TinyProject, expect: str, each: str, says: bool
) -> None:
    """It would hold whatever the tables say."""
    problem, _ = claimed(tiny, expect, each, '[setup]\nplayers = "2-4"\n')

    assert (problem is not None and problem.rule == NOTHING) == says


def test_a_claim_is_tried_for_every_value(tiny: TinyProject) -> None:
    """It holds when it holds for each; the report says for what it was tried, with the last numbers."""
    problem, shown = claimed(tiny, 'players * 2 <= count("cards") + 4', "players in 2..8")

    assert problem is None
    assert (shown.holds, shown.cases, shown.sides) == (True, "players 2-8", ("16", "16"))


def test_the_failing_values_are_named(tiny: TinyProject) -> None:
    """The first with its numbers, the others by name."""
    problem, shown = claimed(tiny, 'count("cards") >= players * 4', "players in 2..5")

    assert problem is not None
    assert (problem.rule, str(problem.place)) == (RULE, "content/tiny/rules.toml:1:claim.it")
    assert 'for players = 4: count("cards") >= players * 4, that is 12 >= 16' in problem.message
    assert "(and for players = 5)" in problem.message
    assert (shown.holds, shown.sides, shown.cases) == (False, ("12", "16"), "players 2-5")


@pytest.mark.parametrize(
    ("each", "words"),
    [
        ("players", 'Add [setup] with players = "2-8".'),
        ('n in rows("cards", kind="nobody")', "is empty"),
        ("n in 5", "needs a list"),
        ("n in 1..999999", "more than 10000 values"),
        ('n in rows("prots")', 'Did you mean "ports"?'),
    ],
)
def test_a_claim_for_nothing_is_broken(tiny: TinyProject, each: str, words: str) -> None:
    """What is tried for no value at all proves nothing."""
    problem, shown = claimed(tiny, "true", each)

    assert problem is not None and problem.rule == BROKEN
    assert words in str(problem)
    assert not shown.holds


def test_a_false_claim_tells_both_sides_the_rows_and_the_rule(tiny: TinyProject) -> None:
    """Whoever reads it knows what was expected, what was counted, where, and why."""
    problem, shown = claimed(tiny, 'count("cards", kind="crew") + count("cards", kind="chart") == 2 * 2 + 1')

    assert problem is not None
    assert problem.message == (
        'It is so: this is not true: count("cards", kind="crew") + count("cards", kind="chart") == 2 * 2 + 1, that is 4 == 5'
    )
    assert problem.hint == "The rule: manual, page 3. Looked at: cards.csv rows 2-3, 6."
    assert (problem.value, shown.sides, shown.holds) == ("4 == 5", ("4", "5"), False)


def test_sets_that_differ_tell_what_only_one_has(tiny: TinyProject) -> None:
    """The difference of two long lists is what a person looks for."""
    problem, _ = claimed(tiny, 'set(rows("cards") | map(attribute="kind")) == set(["crew", "cargo", "map"])')

    assert problem is not None
    assert 'Only on the left: "chart". Only on the right: "map".' in problem.hint


@pytest.mark.parametrize(
    ("expect", "words"),
    [

        ('rows("cards")', "neither true nor false"),
        ('count("cards", knid="crew") == 1', 'Did you mean "kind"?'),
        ('rows("cards") | map(attribute="knid") | list == []', 'no column "knid"'),
        ("cuont == 1", 'Did you mean "count"?'),

        ('count("cards") = 1', "Write == to compare."),
        ("count(", ""),
        ('board("cards").columns == 1', "has no map"),
        ('hexes("cards") | length == 1', "has no hexes"),
        ('layout("x").slots == 1', 'there is no layout "x"'),
        ('rows("cards")[0].port == "north"', "compares a row with a text"),
        ('rows("cards") | sum(attribute="name") == 1', "is no number"),
        ('1 < "a"', 'cannot be compared'),
        ("1 // 0 == 1", "divides by 0"),
    ],
)  # fmt: skip
def test_an_expression_without_a_value_is_told(tiny: TinyProject, expect: str, words: str) -> None:
    """It is a finding of its own, with what would be known, and never passes for a proof."""
    problem, shown = claimed(tiny, expect)

    assert problem is not None and problem.rule == BROKEN, problem
    assert words in str(problem)
    assert not shown.holds


@pytest.mark.parametrize(
    "expect",
    [
        '"".__class__ == 1',
        'rows("cards")[0].place == 1',

        '"{:>999999999}".format(1) == 1',
        '"a" * 999999999 == 1',
        "9 ** 9 ** 9 == 1",
        "range(999999999) | list == 1",
        "(" * 900 + "1" + ")" * 900 + " == 1",
        'rows("cards").append(1) == 1',
    ],
)  # fmt: skip
def test_nothing_gets_out_of_hand(tiny: TinyProject, expect: str) -> None:
    """Expressions of a stranger cannot reach Python, and cannot fill the memory."""
    started = time.process_time()
    problem, _ = claimed(tiny, expect)

    assert problem is not None and problem.rule == BROKEN
    assert len(str(problem)) < 4000
    assert time.process_time() - started < 5


TYPED = r"""count rows ( ) "cards" 'kind' == < in not and or if else | map list sum groupby 1 - ** * % ~ [ ] { } : , . name
is eq set = {{ }} {% %} # \ range none true self caller loop _ 🐟 '"""
WORDS = [*TYPED.split(), "\n"]


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12))
@settings(max_examples=examples(300), deadline=None)
def test_any_text_is_an_expression_or_a_fault(words: list[str]) -> None:
    """Whatever is typed has a value or is told to have none; nothing else is raised."""
    names = {"count": lambda name, /, **where: 1, "rows": lambda name, /, **where: [{"name": "Ann", "kind": 1}]}
    expressions = Expressions(names)
    try:
        compiled = expressions.compile(" ".join(words))
        for clause in compiled.clauses:
            clause.judge({})
        compiled.value({})
    except Fault as bad:
        assert str(bad)
