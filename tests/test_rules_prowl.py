"""Every promise in rules.toml of Pirates on the Prowl is seen to break: it is named, and nothing unrelated is."""

from __future__ import annotations

import re
import tomllib

import pytest
from mutations import (
    ROOT,
    Copy,
    Edit,
    Mutation,
    alike,
    every,
    mutation,
    named,
    promises,
    row_twice,
    squares,
    text,
    told_as,
    walled,
)

from pnp.values.numerals import NUMERALS

GAME = "pirates-on-the-prowl"
LARGE, SMALL = "board-large.txt", "board-small.txt"
LARGE_NAMES, SMALL_NAMES = "board-large-legend.csv", "board-small-legend.csv"
# A ticket more or less is missed by the promises of [expect], by its box, which prints how many there are, by the pages
# of twelve, and by the set-up for eight.
TICKETS = "expected-counts typed-number claim.pages-of-twelve claim.box-empty-at-eight"
FIVE_DICE = "copies = 5\n\n# A ship"
ASIDE = "Hold on to your hat."

# A cove in the corner of the large chart, with a current into it or out of it.
COVE = {arrow: squares(LARGE, (0, 0, "#", "."), (0, 1, "#", arrow), (0, 2, "#", arrow)) for arrow in "^v"}

MUTATIONS: dict[str, Mutation] = {
    "take.captains": mutation("take.captains expected-counts", text("characters.csv", "Betty's Beach,2", "Betty's Beach,1")),
    "take.davy": mutation("take.davy expected-counts", text("characters.csv", "the grey square,2", "the grey square,1")),
    "take.pawns": mutation("take.pawns expected-counts", text("pawns.csv", "Betty,Black Betty,1", "Betty,Black Betty,0")),
    "take.davys-pawn": mutation("take.davys-pawn expected-counts", text("pawns.csv", "Davy Jones,1", "Davy Jones,0")),
    "take.ships": mutation(
        "take.ships expected-counts claim.a-ship-a-captain", text("ships.csv", "Lost and Found,1", "Lost and Found,0")
    ),
    "take.crowns": mutation(f"take.crowns {TICKETS}", text("tickets.csv", "5000,8", "5000,7")),
    "take.rings": mutation(f"take.rings {TICKETS}", text("tickets.csv", "4000,8", "4000,7")),
    "take.medals": mutation(f"take.medals {TICKETS}", text("tickets.csv", "3000,8", "3000,7")),
    "take.statues": mutation(f"take.statues {TICKETS}", text("tickets.csv", "2000,12", "2000,11")),
    "take.cannons": mutation(f"take.cannons {TICKETS}", text("tickets.csv", "1000,24", "1000,23")),
    "take.dice": mutation("take.dice expected-counts", text("game.toml", FIVE_DICE, FIVE_DICE.replace("5", "4"))),
    # Cards
    "claim.pages-of-twelve": mutation(
        "claim.pages-of-twelve expected-counts typed-number", text("bad-luck.csv", "Storm!,3", "Storm!,4")
    ),
    "claim.goods-alike": mutation("claim.goods-alike", text("goods.csv", "spices,Spices", "spices,Spices\npepper,Pepper")),
    "claim.towns-alike": mutation(
        "claim.towns-alike disagrees expected-counts", text("cargo.csv", "Tortuga,Silk", "Nassau,Silk")
    ),
    "claim.islands-alike": mutation(
        "claim.islands-alike disagrees expected-counts",
        text("cargo.csv", "bikini-statue,map,Bikini", "bikini-statue,map,Chicken"),
    ),
    "claim.trades-in-towns": mutation(
        "claim.trades-in-towns claim.goods-alike disagrees expected-counts", text("cargo.csv", "Tortuga,Silk,", "Tortuga,,")
    ),
    "claim.digging-on-islands": mutation(
        "claim.digging-on-islands", text("cargo.csv", "Bikini Island,,,Silver", "Bikini Island,,Bronze Cannon,Silver")
    ),
    "claim.trades-pay": mutation(
        "claim.trades-pay", text("cargo.csv", "Nassau,Tea,Gold Medal,Diamond Crown", "Nassau,Tea,Gold Medal,Silver Statue")
    ),
    "claim.values": mutation("claim.values", text("tickets.csv", "4000", "4500"), text("tickets.csv", "5000", "4500")),
    "claim.box-empty-at-eight": mutation(TICKETS, text("tickets.csv", "2000,12", "2000,13")),
    "claim.worth-of-the-set-up": mutation("claim.worth-of-the-set-up claim.values", text("tickets.csv", "5000", "6000")),
    "claim.winnable": mutation(
        "claim.winnable claim.worth-of-the-set-up claim.values claim.trades-pay",
        text("tickets.csv", "4000", "1000"),
        text("tickets.csv", "5000", "1000"),
    ),
    "claim.a-pawn-a-captain": mutation(
        "claim.a-pawn-a-captain disagrees expected-counts", text("pawns.csv", "Wilma,White Wilma", "Wilma,Red Rita")
    ),
    "claim.a-ship-a-captain": mutation(
        "claim.a-ship-a-captain claim.homes-on-the-large-chart disagrees",
        text("ships.csv", "white-wilma,White Wilma", "white-wilma,Davy Jones"),
    ),
    "claim.dice": mutation("claim.dice expected-counts", text("game.toml", FIVE_DICE, FIVE_DICE.replace("5", "8"))),
    "claim.as-fast-empty-as-full": mutation(
        "claim.as-fast-empty-as-full typed-number", text("rules.toml", "prowler = 3\n", "prowler = 4\n")
    ),
    "claim.faces": mutation(
        "claim.faces claim.as-fast-empty-as-full typed-number",
        text("game.toml", FIVE_DICE, f'faces = ["1", "2", "3", "4", "5", "5"]\n{FIVE_DICE}'),
    ),
    # Charts
    "claim.large-chart": mutation("claim.large-chart", row_twice(LARGE, 6)),
    "claim.small-chart": mutation("claim.small-chart", row_twice(SMALL, 5)),
    "claim.towns-on-charts": mutation(
        "claim.towns-on-charts", text(SMALL_NAMES, "tortuga nassau,Tortuga & Nassau", "tortuga tripoli,Tortuga & Tripoli")
    ),
    "claim.islands-on-charts": mutation(
        "claim.islands-on-charts", text(SMALL_NAMES, "perdida bonita,Perdida & Bonita", "perdida bikini,Perdida & Bikini")
    ),
    "claim.names-on-the-large-chart": mutation(
        "claim.names-on-the-large-chart misspelt-name", text(LARGE_NAMES, "tortuga,Tortuga", "tortuga,Tortgua")
    ),
    "claim.names-on-the-small-chart": mutation(
        "claim.names-on-the-small-chart misspelt-name", text(SMALL_NAMES, "Tortuga & Nassau", "Tortuga & Nasau")
    ),
    "claim.pairs-on-the-small-chart": mutation(
        "claim.pairs-on-the-small-chart",
        text(SMALL_NAMES, "tortuga nassau,Tortuga & Nassau", "tortuga nassau tripoli,Tortuga & Nassau & Tripoli"),
        text(SMALL_NAMES, "clew-bay tripoli,Clew Bay & Tripoli", "clew-bay,Clew Bay"),
    ),
    "claim.homes-on-charts": mutation("claim.homes-on-charts", text(LARGE_NAMES, "Betty's Beach", "Betty's Bay")),
    "claim.homes-on-the-large-chart": mutation(
        "claim.homes-on-the-large-chart claim.same-quarter",
        text(LARGE_NAMES, "white-wilma,Wilma's Wharf", "davy-jones,the grey square"),
    ),
    "claim.homes-on-the-small-chart": mutation(
        "claim.homes-on-the-small-chart", text(SMALL_NAMES, "red-rita,Rita's Refuge", "white-wilma,Wilma's Wharf")
    ),
    "claim.several-squares": mutation("claim.several-squares", squares(LARGE, (9, 2, "c", "."))),
    "claim.room-for-three": mutation("claim.room-for-three", squares(LARGE, (4, 1, "A", "."), (4, 2, "A", "."))),
    "claim.currents": mutation("claim.currents", squares(LARGE, (16, 5, ".", ">"))),
    "claim.bridges": mutation("claim.bridges does-not-fit", squares(LARGE, (10, 0, "=", "."))),
    "claim.stacks": mutation("claim.stacks", squares(LARGE, (6, 6, "$", "#"))),
    "claim.a-place-for-each-stack": mutation(
        "claim.a-place-for-each-stack no-such-value", text(LARGE_NAMES, "%,treasure-stack", "%,cargo-stack")
    ),
    "claim.davy-in-the-middle": mutation(
        "claim.davy-in-the-middle claim.same-quarter claim.opposite-ends",
        squares(LARGE, (9, 14, "*", "."), (11, 14, ".", "*")),
    ),
    # Tortuga and Bikini Island, or Wilma's home and Chicken Island, change places.
    "claim.towns-of-a-quarter": mutation(
        "claim.towns-of-a-quarter claim.same-quarter claim.opposite-ends",
        text(LARGE_NAMES, "A,town,tortuga,Tortuga,", "A,island,bikini,Bikini Island,"),
        text(LARGE_NAMES, "g,island,bikini,Bikini Island,", "g,town,tortuga,Tortuga,"),
    ),
    "claim.homes-of-a-quarter": mutation(
        "claim.homes-of-a-quarter claim.same-quarter",
        text(LARGE_NAMES, "8,home,white-wilma,Wilma's Wharf,", "8,island,chicken,Chicken Island,"),
        text(LARGE_NAMES, "j,island,chicken,Chicken Island,", "j,home,white-wilma,Wilma's Wharf,"),
    ),
    "claim.whole-in-a-quarter": mutation("claim.whole-in-a-quarter", squares(LARGE, (10, 25, ".", "8"), (9, 25, ".", "8"))),
    "claim.same-quarter": mutation(
        "claim.same-quarter",
        text(LARGE_NAMES, "7,home,yellow-jeremy,Jeremy's Joint", "7,home,white-wilma,Wilma's Wharf"),
        text(LARGE_NAMES, "8,home,white-wilma,Wilma's Wharf", "8,home,yellow-jeremy,Jeremy's Joint"),
    ),
    "claim.opposite-ends": mutation(
        "claim.opposite-ends claim.same-quarter",
        text(LARGE_NAMES, "C,town,saint-mary,Saint Mary", "C,town,port-royal,Port Royal"),
        text(LARGE_NAMES, "H,town,port-royal,Port Royal", "H,town,saint-mary,Saint Mary"),
    ),
    # Movement; the traps are coves into which a current leads. See below for one that is sound until it is reversed.
    "movement.board-large.unreachable": mutation("unreachable", walled(LARGE, "d")),
    "movement.board-large.trap": mutation("trap", COVE["^"]),
    "movement.board-large.unfair-starts": mutation(
        "unfair-starts claim.several-squares",
        squares(LARGE, (13, 24, "8", "."), (11, 25, "8", "."), (12, 25, "8", ".")),
    ),
    "movement.board-large.wrap-nowhere": mutation(
        "wrap-nowhere unfair-starts claim.bridges", squares(LARGE, (9, 0, "=", "."), (10, 0, "=", "."))
    ),
    "movement.board-small.unreachable": mutation("unreachable", walled(SMALL, "e")),
    "movement.board-small.trap": mutation("trap", squares(SMALL, (8, 6, "#", "."), (8, 7, "#", "^"), (8, 8, "#", "^"))),
    "movement.board-small.unfair-starts": mutation(
        "unfair-starts claim.several-squares", squares(SMALL, (0, 7, "1", "."), (1, 7, "1", "."), (0, 8, "1", "."))
    ),
    "movement.board-small.wrap-nowhere": mutation(
        "wrap-nowhere claim.bridges", squares(SMALL, (7, 0, "=", "."), (8, 0, "=", "."))
    ),
    # Trade: nobody pays crowns, or cannons; the only card that pays a crown asks for one.
    "economy.treasure": mutation("never-earned", every("cargo.csv", ",Diamond Crown,", ",Ruby Ring,")),
    "economy.cannon": mutation(
        "never-earned never-cashed disagrees",
        *(every("cargo.csv", f",Bronze Cannon,{copies}\n", f",Silver Statue,{copies}\n") for copies in "12"),
    ),
    "exchange.0": mutation(
        "never-cashed never-earned claim.trades-pay",
        every("cargo.csv", ",Diamond Crown,", ",Ruby Ring,"),
        text("cargo.csv", "Tea,Gold Medal,Ruby Ring", "Tea,Diamond Crown,Diamond Crown"),
    ),
    # Words and colours
    "words.terms": mutation("banned-word", text("bad-luck.csv", ASIDE, "Aye, captian.")),
    "words.unit": mutation("bare-number", text("bad-luck.csv", ASIDE, "That hat cost 2,000.")),
    "words.thousands": mutation("thousands-mark", text("bad-luck.csv", ASIDE, "That hat cost 12 000 doubloons.")),
    "words.banned.doublon": mutation("banned-word", text("bad-luck.csv", ASIDE, "Not a doublon for that hat.")),
    "words.banned.doublons": mutation("banned-word", text("bad-luck.csv", ASIDE, "Two doublons for that hat.")),
    "words.banned.dubloons": mutation("banned-word", text("bad-luck.csv", ASIDE, "Two dubloons for that hat.")),
    "words.counts.cargo cards": mutation(
        "typed-number", text("bad-luck.csv", ASIDE, "All fifty cargo cards. No, 50 cargo cards.")
    ),
    "words.counts.bad luck cards": mutation("typed-number", text("bad-luck.csv", ASIDE, "Thirteen bad luck cards!")),
    "words.counts.bad luck": mutation("typed-number", text("game.toml", "60 cargo, 12 bad luck", "60 cargo, 13 bad luck")),
    "words.counts.cargo": mutation("typed-number", text("game.toml", "60 cargo, 12 bad luck", "61 cargo, 12 bad luck")),
    "words.counts.tickets": mutation("typed-number", text("game.toml", "36 tickets", "35 tickets")),
    "colours.characters": mutation("alike-colours", alike("grass", "blue")),
}


RULES = tomllib.loads((ROOT / "content" / GAME / "rules.toml").read_text(encoding="utf-8"))
PHRASES = [phrase for phrase in RULES["words"]["counts"] if "#" in phrase]


def counted_up() -> list[Edit]:
    """All texts of the game with the first number of each phrase one more."""
    folder = ROOT / "content" / GAME
    texts = [path.name for path in sorted(folder.glob("*.md")) if path.name != "README.md"]
    return [(name, one_more) for name in (*texts, "game.toml", *(path.name for path in sorted(folder.glob("*.csv"))))]


def one_more(whole: str) -> str:
    """A text in which each phrase says one more than it did."""
    for phrase in PHRASES:
        before, *after = (r"[\s*-]+".join(map(re.escape, re.split(r"[\s-]+", part.strip()))) for part in phrase.split("#"))
        number = rf"(?<!\w)(?:\d[\d,]*(?:\.\d+)?|{'|'.join(NUMERALS)})(?!\w)"
        rest = "".join(rf"[\s*]*{part}" if at == 0 else rf"[\s*]*{number}[\s*]*{part}" for at, part in enumerate(after))
        found = rf"({before}[\s*]*)({number})(?={rest})"
        whole = re.sub(found, lambda match: match[1] + more(match[2]), whole, flags=re.IGNORECASE)
    return whole


def more(number: str) -> str:
    """A number one larger, in figures."""
    value = NUMERALS.get(number.lower())
    return str(1 + (float(number.replace(",", "")) if value is None else value)).removesuffix(".0")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """The shipped game, ready to be changed; unchanged it has no error."""
    return Copy(tmp_path_factory.mktemp("prowl"), GAME)


def test_every_promise_has_its_mutation() -> None:
    """Whoever adds a claim, a take, a word or a movement to rules.toml adds the change that breaks it here."""
    assert MUTATIONS.keys() | {f"words.counts.{phrase}" for phrase in PHRASES} == promises(GAME)


def test_every_sentence_with_another_number_is_named(copy: Copy) -> None:
    """The first number of each phrase is made one more, wherever a text says it: each phrase is named, none is missed."""
    told = [problem.message for problem in copy.problems(*counted_up()) if problem.rule == "typed-number"]

    assert [phrase for phrase in PHRASES if not any(f'so says "{phrase}"' in message for message in told)] == []


@pytest.mark.parametrize("promise", MUTATIONS)
def test_a_broken_promise_is_found_and_nothing_unrelated(promise: str, copy: Copy) -> None:
    """The change breaks the promise, and otherwise only what the mutation names besides."""
    broken = MUTATIONS[promise]

    assert told_as(promise) in broken.found
    assert named(copy.problems(*broken.edits)) == broken.found


def test_a_current_reversed_to_trap_a_ship_is_named(copy: Copy) -> None:
    """A current out of a cove does no harm; reversed it leads in, and is named where it lies."""
    assert copy.problems(COVE["v"]) == []
    (found,) = copy.problems(COVE["^"])

    assert found.rule == "trap"
    assert "the current at column 1, row 2" in found.message
    assert (found.place.file, found.place.row, found.place.column) == (f"content/{GAME}/{LARGE}", 2, "1")


def test_an_island_walled_in_is_named(copy: Copy) -> None:
    """Land all around an island: it is named, where it lies, with how near a ship gets."""
    (found,) = copy.problems(walled(LARGE, "d"))

    assert found.message == "Isla Bonita cannot be reached from any of the 8 starts"
    assert (found.place.file, found.place.row, found.place.column) == (f"content/{GAME}/{LARGE}", 9, "15")


def test_a_town_misspelt_on_one_card_is_named(copy: Copy) -> None:
    """The card, the wrong name and the right one are told, and nothing else."""
    (found,) = copy.problems(text("cargo.csv", "tortuga-silk,trade,Tortuga", "tortuga-silk,trade,Tortgua"))

    assert (found.rule, str(found.place)) == ("unknown-reference", f"content/{GAME}/cargo.csv:2:place")
    assert found.value == "Tortgua" and found.hint.startswith('Did you mean "Tortuga"?')


def test_a_treasure_ticket_missing_is_named(copy: Copy) -> None:
    """With a diamond crown too few the ticket is named, and the player count that will miss it."""
    problems = copy.problems(*MUTATIONS["take.crowns"].edits)
    (set_up,) = (problem for problem in problems if problem.rule == "set-up")
    (counted,) = (
        problem for problem in problems if problem.rule == "expected-counts" and "diamond-crown" in problem.message
    )

    assert set_up.message.startswith("with 8 players the set-up takes 8 of Treasure tickets")
    assert "(diamond crowns), and 7 are there" in set_up.message and set_up.hint.startswith("1 missing.")
    assert counted.hint == "1 missing."
