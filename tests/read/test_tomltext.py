"""A game.toml is changed where it is meant, and stays as it is written around that."""

from __future__ import annotations

import pytest

from pnp.read.tomltext import (
    claimed,
    with_claimed,
    with_number,
    with_texts,
    without_component,
    without_number,
    without_sections,
)
from pnp.values.problems import Fault

TWO = """\
# Mine.
[game]
name = "x" # short

# All pieces.

# The first.
[component.one]
size = "poker"
values = [
  [1, 2],
]
[component.one.grid]
cell = "1mm"

# The second.
[component.two] # and last
size = "tarot"
[expect.one]
copies = 1
"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_component_goes_with_its_notes(end: str) -> None:
    """Its sections, what is expected of it and the notes right above; the other notes and the line ends stay."""
    left = (
        '# Mine.\n[game]\nname = "x" # short\n\n# All pieces.\n\n# The second.\n[component.two] # and last\nsize = "tarot"\n'
    )
    assert without_component(TWO.replace("\n", end), "one") == left.replace("\n", end)
    tables = '[table.one.columns]\na = {}\n\n[table.two]\nfile = "cards.csv"\n\n[table.three]\nfile = "one.xlsx"\n'
    assert without_component(TWO + tables, "one", ["one.csv", "cards.csv"]) == left + '\n[table.three]\nfile = "one.xlsx"\n'
    for written in ('component.one.size = "poker"\n', '[component]\none = {size = "poker"}\n'):
        with pytest.raises(Fault, match="do it in its text"):
            without_component(written, "one")


@pytest.mark.parametrize(
    ("toml", "section", "texts", "wanted"),
    [
        ("[p]\na = '#fff' # white\nb = \"x\"\n\n# Next.\n[q]\n", "p", {"a": "#000", "c d": 'say "x"'}, None),
        (
            '[game]\nname = "x"\n\n[component.a]\n',
            "fonts",
            {"body": "B"},
            '[game]\nname = "x"\n\n[fonts]\nbody = "B"\n\n[component.a]\n',
        ),
        ("", "game", {"style": "night"}, '\n[game]\nstyle = "night"\n'),
        ('[p]\na = ["x",\n"y"]', "p", {"b": "z"}, '[p]\na = ["x",\n"y"]\nb = "z"\n'),
    ],
)
def test_texts_are_written_where_they_stand(toml: str, section: str, texts: dict[str, str], wanted: str | None) -> None:
    """A new one at the end of its section, in the quotation marks of the old one where it takes the place of one."""
    made = '[p]\na = \'#000\' # white\nb = "x"\n"c d" = "say \\"x\\""\n\n# Next.\n[q]\n'
    assert with_texts(toml, section, texts) == (made if wanted is None else wanted)


@pytest.mark.parametrize("toml", ['p.a = "x"\n', 'p = {a = "x"}\n', "[p]\na = '''x'''\n", '[p]\na = ["x"]\n'])
def test_what_is_written_otherwise_is_refused(toml: str) -> None:
    with pytest.raises(Fault, match="do it in its text"):
        with_texts(toml, "p", {"a": "it's", "b": "y"})


PROMISED = """\
# Held against the tables.
[expect.cards] # all of them
copies = 36 # 4 × 9
different = 12
split = [
    { by = "colour", groups = 4, each = 9 }, # as the rules say
    { by = "sign", groups = 4, counts = { star = 9 } },
]

# Next.
[expect.coins]
copies = 5
"""


@pytest.mark.parametrize(
    ("path", "at", "old", "new"),
    [
        (("copies",), 0, "copies = 36 #", "copies = 7 #"),
        (("split", "groups"), 0, '"colour", groups = 4', '"colour", groups = 7'),
        (("split", "groups"), 1, '"sign", groups = 4', '"sign", groups = 7'),
        (("split", "counts", "star"), 0, "star = 9", "star = 7"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_number_is_changed_where_it_stands(path: tuple[str, ...], at: int, old: str, new: str, end: str) -> None:
    """In a list, too, where its keys come several times."""
    toml = PROMISED.replace("\n", end)
    assert with_number(toml, ("expect", "cards", *path), 7, at) == toml.replace(old, new)


def test_a_number_is_added_and_taken_away() -> None:
    """At the end of its section, which begins behind the others of its kind, and goes with its last number."""
    more = with_number(PROMISED, ("expect", "coins", "different"), 2)
    assert more == f"{PROMISED}different = 2\n"
    assert without_number(more, ("expect", "coins", "different")) == PROMISED
    dice = with_number(f"{PROMISED}\n[palette]\nink = '#000'\n", ("expect", "dice", "copies"), 2)
    assert dice == f"{PROMISED}\n[expect.dice]\ncopies = 2\n\n[palette]\nink = '#000'\n"
    assert without_number(PROMISED, ("expect", "coins", "copies")) == PROMISED.partition("\n# Next.")[0]
    assert without_sections(PROMISED, [("expect", "cards")]) == PROMISED[PROMISED.index("\n# Next.") :]


@pytest.mark.parametrize("toml", ["expect.a = {copies = 1}\n", "[expect]\na = {copies = 1, different = 2}\n"])
def test_a_number_that_is_written_otherwise_is_left(toml: str) -> None:
    for change in (with_number, lambda text, path, _: without_number(text, path)):
        with pytest.raises(Fault, match="do it in its text"):
            change(toml, ("expect", "a", "different" if "different" in toml and change is not with_number else "b"), 3)


def test_the_number_of_a_claim_is_changed_with_its_sentence() -> None:
    """Where that says it once, as a number; claims of several numbers, or none, have none to change."""
    rules = """\
[claim.ten]
says = "There are 10 cards, not 110."
expect = 'count("cards10") == 10' # now
[claim.both]
expect = "1 + 1 == 2"
[claim.none]
expect = "true"
"""
    assert {name: number for name, (number, _) in claimed(rules).items()} == {"ten": 10}
    assert with_claimed(rules, "ten", 12) == rules.replace("are 10", "are 12").replace("== 10", "== 12")
    with pytest.raises(Fault, match="do it in its text"):
        with_claimed(rules, "both", 12)
