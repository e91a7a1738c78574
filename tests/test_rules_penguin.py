"""Every promise in rules.toml of Penguin is seen to break: it is named, and nothing unrelated is."""

from __future__ import annotations

import ast
import csv
import re
import tomllib
from collections import Counter
from itertools import pairwise

import pytest
from mutations import ROOT, Copy, Mutation, mutation, named, painted, promises, said, text, told_as

GAME = "penguin"

# The starter comes from where the players draw: what is missing is told once, by the first of the two.
TOGETHER = {"take.starter": "take.figures", "take.starter-card": "take.cards"}
STARTER = "take.figures take.cards claim.dealing claim.pyramid"
# Who counts on 36 notices one more, the text on the box too; one less is missed by the set-up as well.
ONE_MORE = "expected-counts claim.penguins claim.dealing claim.colours-alike typed-number"
CARDS = "[component.cards]\n"

PHRASES = tomllib.loads((ROOT / "content" / GAME / "rules.toml").read_text(encoding="utf-8"))["words"]["counts"]

MUTATIONS: dict[str, Mutation] = {
    "take.figures": mutation(f"take.figures take.cards {ONE_MORE}", text("penguins.csv", "wave,up,3", "wave,up,2")),
    "take.starter": mutation(STARTER, text("deals.csv", "three,3,12,0", "three,3,12,1")),
    "take.cards": mutation(
        "take.cards claim.two-forms expected-counts typed-number",
        text("game.toml", CARDS, f'{CARDS}where = {{ looks = "left" }}\n'),
    ),
    "take.starter-card": mutation(STARTER, text("deals.csv", "four,4,9,0", "four,4,9,1")),
    "take.screens": mutation(
        "take.screens claim.screens expected-counts typed-number",
        ("screens.csv", lambda whole: re.sub("spires,.*\n", "", whole)),
    ),
    # Penguins
    "claim.penguins": mutation(ONE_MORE, text("penguins.csv", "wave,up,3", "wave,up,4")),
    "claim.two-forms": mutation(
        "claim.two-forms take.cards expected-counts typed-number",
        text("game.toml", CARDS, f'{CARDS}where = {{ colour = "sun" }}\n'),
    ),
    # One of the colours is shared out among the others.
    "claim.four-colours": mutation(
        "claim.four-colours disagrees expected-counts typed-number",
        text("penguins.csv", "Ripple,moss,wave,left", "Dot,sun,circle,left"),
        text("penguins.csv", "Ripple,moss,wave,right", "Spike,ember,triangle,right"),
        text("penguins.csv", "Ripple,moss,wave,up", "Block,grape,square,up"),
    ),
    "claim.colours-alike": mutation(
        "claim.colours-alike disagrees expected-counts", text("penguins.csv", "Ripple,moss,wave,up", "Block,grape,square,up")
    ),
    # Dealing
    "claim.dealing": mutation("claim.dealing", text("deals.csv", "two,2,14,0,8", "two,2,14,0,7")),
    "claim.deals": mutation("claim.deals", text("deals.csv", "six,6,6,0,0,8,6,", "six,6,6,0,0,8,6,\nagain,6,6,0,0,8,6,")),
    "claim.deals-in-order": mutation("claim.deals-in-order", text("deals.csv", "8,7,2,three", "8,7,2,four")),
    "claim.deals-from-the-first": mutation(
        "claim.deals-from-the-first", text("screens.csv", "92,11.5,two", "92,11.5,three")
    ),
    "claim.pyramid": mutation("claim.pyramid typed-number", text("deals.csv", "two,2,14,0,8,7", "two,2,14,0,8,8")),
    "claim.rounds": mutation("claim.rounds", text("deals.csv", "8,7,2,three", "8,7,3,three")),
    # Chips
    "claim.chips": mutation(
        "claim.chips claim.small-change expected-counts typed-number", text("chips.csv", "one,1,24", "one,1,25")
    ),
    "claim.chip-values": mutation(
        "claim.chip-values claim.chips claim.small-change expected-counts typed-number",
        text("chips.csv", "five,5,9", "five,5,9\nten,10,1"),
        text("game.toml", '["1", "3", "5"]', '["1", "3", "5", "10"]'),
    ),
    "claim.enough-chips": mutation(
        "claim.enough-chips claim.small-change expected-counts",
        text("chips.csv", "one,1,24", "one,1,30"),
        text("chips.csv", "five,5,9", "five,5,3"),
    ),
    "claim.small-change": mutation(
        "claim.small-change expected-counts",
        text("chips.csv", "one,1,24", "one,1,23"),
        text("chips.csv", "five,5,9", "five,5,10"),
    ),
    "claim.threes": mutation(
        "claim.threes expected-counts",
        text("chips.csv", "three,3,6", "three,3,5"),
        text("chips.csv", "five,5,9", "five,5,10"),
    ),
    "claim.screens": mutation(
        "claim.screens disagrees expected-counts typed-number", ("screens.csv", "{}spare,Spare,wave-up,66,43,two\n".format)
    ),
    # Words and colours
    "words.terms": mutation("banned-word", said("A pengiun.")),
    "words.banned.pinguin": mutation("banned-word", said("A pinguin.")),
    "words.banned.tokens": mutation("banned-word", said("Pay with tokens.")),
    **{
        f"words.counts.{phrase}": mutation(
            "typed-number player-counts" if "players" in phrase.partition("#")[2] else "typed-number",
            said(phrase.replace("#", "77") if "#" in phrase else f"All 77 {phrase}."),
        )
        for phrase in PHRASES
    },
    "colours.penguins": mutation("alike-colours", painted(sun="#ffc61a", ember="#ffb81a")),
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """The shipped game, ready to be changed; unchanged it has no error."""
    return Copy(tmp_path_factory.mktemp("penguin"), GAME)


def test_every_promise_has_its_mutation() -> None:
    """Whoever adds a claim, a take or a word to rules.toml adds the change that breaks it here."""
    assert MUTATIONS.keys() == promises(GAME)


@pytest.mark.parametrize("promise", MUTATIONS)
def test_a_broken_promise_is_found_and_nothing_unrelated(promise: str, copy: Copy) -> None:
    """The change breaks the promise, and otherwise only what the mutation names besides."""
    broken = MUTATIONS[promise]

    assert TOGETHER.get(promise, told_as(promise)) in broken.found
    assert named(copy.problems(*broken.edits)) == broken.found


@pytest.mark.parametrize(("promise", "told"), TOGETHER.items())
def test_a_starter_too_many_is_told_with_what_is_drawn(promise: str, told: str, copy: Copy) -> None:
    """The finding says that the starter is taken from the same penguins, for the player count that has it."""
    found = copy.problems(*MUTATIONS[promise].edits)
    (set_up,) = (problem for problem in found if problem.rule == "set-up" and problem.promise.endswith(f":setup.{told}"))

    players = 3 if promise == "take.starter" else 4
    assert set_up.message.startswith(f"with {players} players the set-up takes 37 of Penguin ")
    assert "starts the iceberg" in set_up.message and set_up.hint.startswith("1 missing.")


def test_chips_of_five_too_few_are_told_with_their_numbers(copy: Copy) -> None:
    """Without two chips of 5, 77 points are there where three players may owe 81."""
    found = copy.problems(text("chips.csv", "five,5,9", "five,5,7"))
    (enough,) = (problem for problem in found if problem.promise.endswith(":claim.enough-chips"))

    assert enough.value == "81 <= 77"


def test_the_dealing_table_may_stand_in_any_order(copy: Copy) -> None:
    """Two of its rows change places, and nothing is wrong."""
    swapped = copy.problems(("deals.csv", lambda whole: "\n".join((lines := whole.splitlines())[:2] + lines[:1:-1]) + "\n"))

    assert swapped == []


def test_every_penguin_of_the_finished_iceberg_stands_on_two_and_matches_one() -> None:
    """The rulebook's picture shows all penguins there are, each in its place by the rules."""
    book = (ROOT / "content" / GAME / "rulebook.md").read_text(encoding="utf-8")
    whole = re.search(r"\{% set berg = (\[.+?\]) %\}", book, re.DOTALL)
    assert whole is not None
    berg: list[list[str]] = ast.literal_eval(whole[1].replace(",\n]", "\n]"))
    colour = [[name.partition("-")[0] for name in line] for line in berg]

    assert [len(line) for line in berg] == [8, 7, 6, 5, 4, 3, 2, 1]
    with (ROOT / "content" / GAME / "penguins.csv").open(encoding="utf-8") as rows:
        copies = {row["id"]: int(row["copies"]) for row in csv.DictReader(rows)}
    assert Counter(name for line in berg for name in line) == copies
    for below, line in pairwise(colour):
        assert all(who in below[at : at + 2] for at, who in enumerate(line))
