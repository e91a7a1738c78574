"""Every promise in rules.toml of Penguin Pals' Passing Puzzle is seen to break: it is named, and nothing unrelated is."""

from __future__ import annotations

import re

import pytest
from mutations import Copy, Edit, Mutation, mutation, named, painted, promises, row_twice, said, squares, text, told_as

GAME = "passing-puzzle"
TWO, FOUR = "board-2.txt", "board-4.txt"
TWO_NAMES, FOUR_NAMES = "board-2-legend.csv", "board-4-legend.csv"
# The table admits no other teams than of five; it is opened, so that the promises are what notices.
TEAMS = text("game.toml", "min = 5, max = 5", "min = 4, max = 6")
PAWNS = '[component.pawns]\nkind = "pawn"\n'
HAND = "\nhand = 3\n"
FEWER = text("game.toml", 'title = "Ice blocks"\ncopies = 49', 'title = "Ice blocks"\ncopies = 48')
# The deck is promised card by card in [expect], too, and its box prints how many there are.
DECK = "expected-counts typed-number"
# A current, of which this game has none, in the water beside the ice.
CURRENT = "~,water,Open water", "~,water,Open water\n>,current,Current"
# The corner of the ice between the green shore and the blue one, with water around it.
CORNER = squares(FOUR, (2, 1, "o", "~"), (1, 2, "o", "~"))


def moat(file: str) -> Edit:
    """A row of water between the blue shore and the ice."""

    def change(whole: str) -> str:
        shore, rest = whole.split("\n", 1)
        return "\n".join([shore, re.sub("[^D]", "~", shore), rest])

    return file, change


# Where each phrase stands, with another number in it.
PHRASES = {
    "# reactions": text("game.toml", "**25 reactions**", "**24 reactions**"),
    "# others": text("game.toml", "**11 others**", "**12 others**"),
    "dealt # to start": text("game.toml", "dealt **three** to start", "dealt **four** to start"),
    "up to # blocks": text("reactions.csv", "up to **three blocks**", "up to **four blocks**"),
    "Draw # cards": text("reactions.csv", "Draw **two cards**", "Draw **three cards**"),
    "small board for #": text("game.toml", "Small board for two", "Small board for three"),
    "large board for #": text("game.toml", "Large board for four", "Large board for five"),
    "bring # penguins across": text("rulebook.md", "bring three penguins across", "bring four penguins across"),
    "removes # ice blocks": text("rulebook.md", "removes two ice blocks", "removes three ice blocks"),
    "more than # cards": text("rulebook.md", "more than five cards", "more than six cards"),
}

MUTATIONS: dict[str, Mutation] = {
    # Forty cards in hands are more than there are; with twenty of them no larger pile is left, see claim.draw-pile.
    "take.hand": mutation("take.hand claim.draw-pile typed-number", text("rules.toml", HAND, HAND.replace("3", "10"))),
    "take.team": mutation(
        "take.team claim.teams claim.team-of-five expected-counts", TEAMS, text("penguins.csv", "heart,5", "heart,4")
    ),
    "take.ice": mutation("take.ice claim.ice expected-counts", FEWER),
    # Ice and teams
    "claim.ice": mutation("claim.ice claim.whole-ice", squares(FOUR, (4, 4, "o", "~"))),
    "claim.teams": mutation("claim.teams take.team expected-counts", text("penguins.csv", "yellow,yellow,drop,5\n", "")),
    "claim.two-forms": mutation(
        "claim.two-forms expected-counts", text("game.toml", PAWNS, f'{PAWNS}where = {{ sign = "bell" }}\n')
    ),
    "claim.team-of-five": mutation(
        "claim.team-of-five expected-counts",
        TEAMS,
        text("penguins.csv", "heart,5", "heart,4"),
        text("penguins.csv", "anchor,5", "anchor,6"),
    ),
    # Boards
    "claim.shores-for-two": mutation("claim.shores-for-two disagrees", text(TWO_NAMES, "2,shore", "2,water")),
    "claim.red-faces-blue-for-two": mutation("claim.red-faces-blue-for-two", squares(TWO, (4, 7, "1", "~"))),
    "claim.shores-for-four": mutation("claim.shores-for-four disagrees", text(FOUR_NAMES, "3,shore", "3,water")),
    "claim.red-faces-blue": mutation("claim.red-faces-blue", squares(FOUR, (1, 0, "2", "~"))),
    "claim.green-faces-yellow": mutation("claim.green-faces-yellow", squares(FOUR, (8, 7, "4", "~"))),
    "claim.board-size": mutation("claim.board-size claim.ice take.ice", row_twice(FOUR, 4)),
    "claim.whole-ice": mutation("claim.whole-ice", squares(TWO, (0, 3, "o", "~"))),
    "claim.pile-places": mutation("claim.pile-places", squares(TWO, *((8, row, "D", "~") for row in range(4)))),
    # A second place for a draw pile, of one square, has no room for a card either.
    "claim.two-piles": mutation(
        "claim.two-piles claim.pile-places",
        text(FOUR_NAMES, "D,draw,Draw pile", "D,draw,Draw pile\nE,draw,Draw pile"),
        squares(FOUR, (11, 4, "~", "E")),
    ),
    # Cards
    "claim.deck": mutation(
        f"claim.deck {DECK}",
        text("reactions.csv", "Fury!,act,4", "Fury!,act,3"),
        text("reactions.csv", "Once Again!,act,4", "Once Again!,act,1"),
        text("reactions.csv", "Mind Control!,act,4", "Mind Control!,act,1"),
    ),
    "claim.titles": mutation(
        "claim.titles claim.titles-once disagrees name-and-id",
        *(
            text("reactions.csv", f",{title},", ",Fresh Fish!,")
            for title in ("Belly Slide!", "Trading Places!", "Drift Off!")
        ),
    ),
    "claim.titles-once": mutation(
        "claim.titles-once disagrees name-and-id", text("reactions.csv", "drift-off,Drift Off!", "drift-off,Belly Slide!")
    ),
    "claim.five-titles": mutation("claim.five-titles disagrees", text("reactions.csv", "fury,Fury!", "fury,Hurry!")),
    "claim.draw-pile": mutation("claim.draw-pile typed-number", text("rules.toml", HAND, HAND.replace("3", "5"))),
    "claim.annulling-titles": mutation(
        "claim.annulling-titles expected-counts typed-number",
        text("reactions.csv", "Deep Freeze!,act", "Deep Freeze!,annul"),
    ),
    "claim.annulling-share": mutation(
        f"claim.annulling-share {DECK}", text("reactions.csv", "Wait a Sec...,annul,6", "Wait a Sec...,annul,1")
    ),
    # The examples of the rulebook
    "claim.sets-out-onto-the-first-row": mutation(
        "claim.sets-out-onto-the-first-row", text("crossing.csv", "t8,blue,sets out,,6", "t8,blue,sets out,,5")
    ),
    "claim.moves-a-step": mutation(
        "claim.moves-a-step claim.goes-on-from-there", text("crossing.csv", "t3,red,moves,1,2", "t3,red,moves,1,3")
    ),
    "claim.swims-over-the-gap": mutation("claim.swims-over-the-gap", text("crossing.csv", "removes,,,3", "removes,,,4")),
    "claim.goes-on-from-there": mutation(
        "claim.goes-on-from-there", text("crossing.csv", "t6,blue,moves,6,5", "t6,blue,moves,4,5")
    ),
    "claim.arrives-from-the-last-row": mutation(
        "claim.arrives-from-the-last-row", text("crossing.csv", "arrives,6", "arrives,5")
    ),
    "claim.upper-hand": mutation(
        "claim.upper-hand", text("crowds.csv", "as-many-together,2,1,1,", "as-many-together,2,1,0,")
    ),
    "claim.on-the-edge": mutation("claim.on-the-edge", text("crowds.csv", "two-to-one,2,1,0", "two-to-one,3,1,0")),
    # Movement. Ice leads both ways: only a current, into the places of the piles, would trap a penguin.
    "movement.board-2.unreachable": mutation("unreachable claim.red-faces-blue-for-two", moat(TWO)),
    "movement.board-2.trap": mutation("trap disagrees", text(TWO_NAMES, *CURRENT), squares(TWO, (5, 3, "~", ">"))),
    "movement.board-4.unreachable": mutation("unreachable claim.red-faces-blue", moat(FOUR)),
    "movement.board-4.trap": mutation("trap disagrees", text(FOUR_NAMES, *CURRENT), squares(FOUR, (9, 4, "~", ">"))),
    # Words and colours
    "words.terms": mutation("banned-word", said("Two pengiuns.")),
    "words.banned.pinguin": mutation("banned-word", said("A pinguin.")),
    "words.banned.ice floe": mutation("banned-word", said("An ice floe.")),
    "words.banned.ice tile": mutation("banned-word", said("An ice tile.")),
    "words.counts.reaction cards": mutation("typed-number", said("All 35 reaction cards.")),
    **{f"words.counts.{phrase}": mutation("typed-number", edit) for phrase, edit in PHRASES.items()},
    "colours.penguins": mutation("alike-colours", painted(red="#e04434", green="#e05a34")),
}

# The other halves of promises that have two.
ALSO: dict[str, Mutation] = {
    "no blue shore for two": mutation("claim.red-faces-blue-for-two", squares(TWO, (4, 0, "2", "~"))),
    "no red shore": mutation("claim.red-faces-blue", squares(FOUR, (7, 8, "1", "~"))),
    "no green shore": mutation("claim.green-faces-yellow", squares(FOUR, (0, 1, "3", "~"))),
    "ice too small": mutation("claim.board-size", squares(TWO, *((4, row, "o", "~") for row in range(1, 7)))),
    "piles too low": mutation(
        "claim.pile-places", squares(FOUR, *((column, row, "D", "~") for column in (9, 10, 11) for row in (2, 3)))
    ),
    "two discard piles": mutation(
        "claim.two-piles claim.pile-places",
        text(FOUR_NAMES, "X,discard,Discard pile", "X,discard,Discard pile\nE,discard,Discard pile"),
        squares(FOUR, (11, 4, "~", "E")),
    ),
    "more that annul than act": mutation(
        f"claim.annulling-share {DECK}",
        *(text("reactions.csv", f"{title}!,act,4", f"{title}!,act,1") for title in ("Fury", "Once Again", "Mind Control")),
        text("reactions.csv", "Wait a Sec...,annul,6", "Wait a Sec...,annul,9"),
        text("reactions.csv", '"You snooze, you lose.",annul,5', '"You snooze, you lose.",annul,9'),
    ),
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """The shipped game, ready to be changed; unchanged it has no error."""
    return Copy(tmp_path_factory.mktemp("puzzle"), GAME)


def test_every_promise_has_its_mutation() -> None:
    """Whoever adds a claim, a take, a word or a movement to rules.toml adds the change that breaks it here."""
    assert MUTATIONS.keys() == promises(GAME)


@pytest.mark.parametrize("promise", MUTATIONS)
def test_a_broken_promise_is_found_and_nothing_unrelated(promise: str, copy: Copy) -> None:
    """The change breaks the promise, and otherwise only what the mutation names besides."""
    broken = MUTATIONS[promise]

    assert told_as(promise) in broken.found
    assert named(copy.problems(*broken.edits)) == broken.found


@pytest.mark.parametrize("what", ALSO)
def test_every_part_of_a_promise_is_found_broken(what: str, copy: Copy) -> None:
    """Promises that say two things are broken in the other way, too."""
    assert named(copy.problems(*ALSO[what].edits)) == ALSO[what].found


def test_nobody_walks_along_a_shore(copy: Copy) -> None:
    """A corner of the ice that touches two shores and no other ice is out of reach of the other two."""
    (found,) = (problem for problem in copy.problems(CORNER) if problem.rule == "unreachable")

    assert found.message == "Ice space at column 2, row 2 cannot be reached from Yellow shore, Red shore"
    assert (found.place.file, found.place.row, found.place.column) == (f"content/{GAME}/{FOUR}", 2, "2")


def test_a_space_without_ice_block_is_told_with_its_numbers(copy: Copy) -> None:
    """One ice block too few: the claim shows both numbers, and the set-up what is missing for four players."""
    found = copy.problems(*MUTATIONS["take.ice"].edits)
    values = {problem.promise.rpartition(":")[2]: problem.value for problem in found if problem.rule == "claim"}
    (set_up,) = (problem for problem in found if problem.rule == "set-up")

    assert values == {"claim.ice": "48 == 49"}
    assert set_up.message.startswith("with 4 players the set-up takes 49 of Ice blocks")
    assert set_up.hint.startswith("1 missing.")
