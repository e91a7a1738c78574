"""A value that rules.toml names and no row has: of no rows everything is true, so it is told."""

from __future__ import annotations

import pytest
from boards import HERE, layout, subject, tiles
from conftest import TinyProject, read_whole, toml

from pnp.check.claims import NO_VALUE as RULE
from pnp.check.claims import look_for_values as look
from pnp.values.findings import Subject
from pnp.values.problems import Problem
from pnp.values.sections import Shuffle

GAME = toml("""
game: name = "Tiny"
table.cards.columns: port = { table = "ports" }; gold = { type = "flag" }
cards: size = "tcg"
""")
CARDS = "name,kind,stage,port,gold,copies\nAnna,crew,1,north,yes,2\nBert,crew,2,south,yes,1\nRum,cargo,3,north,yes,4\n"
PORTS = "id,name\nnorth,North Bay\nsouth,South Cove\n"


def found(tiny: TinyProject, rules: str, expect: str = "") -> list[Problem]:
    """What is told of the tiny game with these rules and promises."""
    tiny.put(game_toml=GAME + expect, cards_csv=CARDS, ports_csv=PORTS, rules_toml=rules)
    return list(look(Subject(read_whole(tiny.project))).problems)


def claim(expect: str, each: str = "") -> str:
    """A claim of rules.toml."""
    return f"[claim.it]\nsays = 'It.'\nexpect = '''{expect}'''\n" + (f"for = '''{each}'''\n" if each else "")


@pytest.mark.parametrize(
    "rules",
    [
        claim('rows("cards", kind="crow") | selectattr("stage", "eq", 1) | list | length == 0'),
        claim('count("cards") > 0 and not (designs("cards", kind="crow") > 3)'),
        claim("row.stage == 1", 'row in rows("cards", kind="crow")'),
        '[setup]\nplayers = "2"\n[setup.take.hand]\nwhat = "a"\nfrom = "cards"\nnumber = \'count("cards", kind="crow")\'\n',
        '[words]\ncounts = { crows = \'count("cards", kind="crow")\' }\n',
    ],
)
def test_a_misspelt_value_is_told_wherever_it_stands(tiny: TinyProject, rules: str) -> None:
    """In claims, in what they are for, in set-ups, in counts of words."""
    (problem,) = found(tiny, rules)

    assert problem.rule == RULE
    assert problem.message.startswith('no row of cards has kind "crow"')
    assert (problem.value, problem.allowed, problem.hint) == ("crow", "crew, cargo", 'Did you mean "crew"?')
    assert problem.severity == "error"
    assert problem.place.file == "content/tiny/rules.toml"


@pytest.mark.parametrize(
    ("split", "severity"),
    [
        ('{ by = "stage", where = { kind = "crow" }, each = 2 }', "error"),
        ('{ by = "stage", where = { kind = "crow" }, counts = { 1 = 2 } }', "error"),
        ('{ by = "stage", where = { kind = "crow" }, counts = { 1 = 0 } }', "warning"),
    ],
)
def test_a_promise_for_rows_that_are_not_there_promises_nothing(split: str, severity: str, tiny: TinyProject) -> None:
    """Of no row every number is right; that there are none may be meant."""
    (problem,) = found(tiny, "", f"\n[expect.cards]\nsplit = [{split}]\n")

    assert (problem.rule, problem.value, problem.severity) == (RULE, "crow", severity)
    assert problem.place.file == "content/tiny/game.toml"
    assert found(tiny, "", f"\n[expect.cards]\nsplit = [{split.replace('crow', 'crew')}]\n") == []


NONE = [
    'count("cards", kind="{}") == 0',
    'not (count("cards", kind="{}") > 0)',
    '(rows("cards", kind="{}") | list | count) == 0',
]


@pytest.mark.parametrize("expect", NONE)
def test_a_claim_that_there_are_none_proves_something(tiny: TinyProject, expect: str) -> None:
    """No card is a kraken; one that is nearly of the crew is asked about."""
    assert found(tiny, claim(expect.format("kraken"))) == []
    (problem,) = found(tiny, claim(expect.format("crow")))
    assert (problem.rule, problem.severity, problem.hint) == (RULE, "warning", 'Did you mean "crew"?')


@pytest.mark.parametrize(
    "expect",
    [
        'count("cards", kind="crew") == 3',
        'count("cards", port="north") == 6 and count("cards", port="North Bay") == 6',
        'count("cards", id="rum") == 4 and count("cards", copies=4) == 4',
        # Of a column of flags not both need be there.
        'count("cards", gold=false) == 0 and count("cards", gold="no") == 0',
        # What is computed is not judged: it may be there for one case and not for another.
        'count("cards", kind="cr" ~ "ow") == 0',
    ],
)
def test_values_that_rows_have_are_left_in_peace(tiny: TinyProject, expect: str) -> None:
    """As texts, numbers, names and ids of rows that a cell refers to."""
    assert found(tiny, claim(expect)) == []


@pytest.mark.parametrize(("blocked", "start", "value"), [("rock", "pier", "rock"), ("reef", "peer", "peer")])
def test_a_shuffle_that_blocks_what_is_nowhere_proves_nothing(blocked: str, start: str, value: str) -> None:
    """The hexes that nobody enters, and the one where movement begins."""
    of = tiles("id,name,back\na,A,x\n", "tile,q,r,terrain,mark\na,0,0,sea,pier\na,1,0,reef,\n")
    lies = layout("slot,pool,q,r\none,x,0,0\n", of)
    asked = Shuffle(blocked={"terrain": (blocked,)}, start={"mark": start}).at(HERE, "start")
    (problem,) = look(subject([of], [lies], shuffles=[asked])).problems

    assert (problem.rule, problem.value, problem.place) == (RULE, value, HERE)


@pytest.mark.parametrize(("kinds", "told"), [('"town"', []), ('["town", "island"]', []), ('["town", "islnd"]', ["islnd"])])
def test_kinds_of_fields_are_looked_up_on_the_board(kinds: str, told: list[str], tiny: TinyProject) -> None:
    """A kind that no field of the board has picks none."""
    tiny.put(
        game_toml='[game]\nname = "T"\n[component.sea]\nkind = "board"\nmap = "sea.txt"\nlegend = "sea"\ncell = "20mm"\n'
        'template = "cards"\n',
        sea_txt="~TI\n~~~\n",
        sea_csv="letter,kind,name\n~,water,Water\nT,town,Tripoli\nI,island,Iona\n",
        rules_toml=claim(f'board("sea").fields(kind={kinds}) | list | length >= 1'),
    )
    game = read_whole(tiny.project)

    assert [problem.value for problem in look(Subject(game)).problems] == told
