"""Every promise in rules.toml of Penguin's Night Out is seen to break: it is named, and nothing unrelated is."""

from __future__ import annotations

import pytest
from mutations import Copy, Mutation, alike, every, mutation, named, promises, said, text, told_as

GAME = "penguins-night-out"
SIX_DICE = 'title = "Dice"\n'
TEN_DICE = 'title = "Dice for Elbow Room"\n'
SIX_PAIR = 'size = "18mm"\ncopies = 2'
DATE = "Late for every date"


def showing(dice: str, faces: str) -> Mutation:
    """Dice with other faces; what they break is said by ``breaks``."""
    names = ", ".join(f'"{face}"' for face in faces)
    return mutation("", text("game.toml", dice, f"{dice}faces = [{names}]\n"))


def breaks(found: str, changed: Mutation) -> Mutation:
    """The same change, with what it breaks."""
    return mutation(found, *changed.edits)


# Without Spike there is neither his pawn nor his summary card; the row stays, for others refer to it.
NO_SPIKE = (
    text("players.csv", "sign,motto", "sign,motto,copies"),
    every("players.csv", '."\n', '.",1\n'),
    text("players.csv", 'sweet inside.",1', 'sweet inside.",0'),
)
# A set of another size than the dice, the layouts and the promises are made for.
MIDDLE = "claim.start-in-the-middle domino-twice domino-missing"
SIX = (
    "claim.set-of-six claim.squares-of-six claim.nests-of-six claim.dice-of-six domino-missing expected-counts typed-number"
)
NINE = SIX.replace("six", "nine")

MUTATIONS: dict[str, Mutation] = {
    "take.pawns": mutation("take.pawns take.summaries claim.pawns expected-counts typed-number", *NO_SPIKE),
    "take.summaries": mutation("take.pawns take.summaries claim.pawns expected-counts typed-number", *NO_SPIKE),
    "take.buddies": mutation(
        "take.buddies claim.buddies claim.two-looks expected-counts typed-number",
        text("buddies.csv", "spike-2,spike,bobble-hat\n", ""),
    ),
    "take.nests": mutation("take.nests expected-counts", text("nest-pad.csv", "spike,8", "spike,0")),
    # A smaller set would leave the layout without its dominoes, which stops reading: here the promise itself grows.
    "take.double-six": mutation("take.double-six claim.set-of-six", text("rules.toml", "number = 28", "number = 29")),
    "take.dice-six": mutation(
        "take.dice-six claim.dice-of-six expected-counts typed-number",
        text("game.toml", SIX_PAIR, SIX_PAIR.replace("2", "1")),
    ),
    # Dominoes
    "claim.set-of-six": mutation(SIX, text("game.toml", "highest = 6", "highest = 7")),
    "claim.set-of-nine": mutation(NINE, text("game.toml", "highest = 9", "highest = 10")),
    "claim.nests-of-six": mutation(SIX, text("game.toml", "highest = 6", "highest = 8")),
    "claim.nests-of-nine": mutation(NINE, text("game.toml", "highest = 9", "highest = 11")),
    "claim.squares-of-six": mutation(
        f"claim.squares-of-six {MIDDLE}",
        text("layout-6.csv", "0,1,10", "0,2,10"),
    ),
    "claim.squares-of-nine": mutation(
        f"claim.squares-of-nine {MIDDLE}",
        text("layout-9.csv", "0,1,12", "0,2,12"),
    ),
    "claim.symmetrical": mutation("claim.symmetrical", text("layout-9.csv", "4,7,5,11,0", "4,7,4,11,0")),
    "claim.start-in-the-middle": mutation("claim.start-in-the-middle", text("layout-9.csv", "0,0,2,4,0", "0,0,3,4,180")),
    # Larger dominoes would break what fits in what, too: here the promise itself grows.
    "claim.ice-size": mutation("claim.ice-size", text("rules.toml", "== [31, 23", "== [31, 24")),
    # Dice
    "claim.dice-of-six": breaks("claim.dice-of-six", showing(SIX_DICE, "234566")),
    "claim.dice-of-nine": breaks("claim.dice-of-nine claim.one-zero-on-ten", showing(TEN_DICE, "0223456789")),
    "claim.no-blank-on-six": breaks("claim.no-blank-on-six claim.dice-of-six", showing(SIX_DICE, "023456")),
    "claim.one-zero-on-ten": breaks("claim.one-zero-on-ten typed-number", showing(TEN_DICE, "1123456789")),
    "claim.free-nest": breaks("claim.free-nest claim.dice-of-six", showing(SIX_DICE, "111666")),
    # Penguins
    "claim.pawns": mutation("claim.pawns take.pawns take.summaries expected-counts typed-number", *NO_SPIKE),
    "claim.buddies": mutation(
        "claim.buddies claim.two-looks disagrees expected-counts", text("buddies.csv", "pearl-2,pearl", "pearl-2,misty")
    ),
    "claim.two-looks": mutation(
        "claim.two-looks", text("buddies.csv", "pearl-2,pearl,bobble-hat", "pearl-2,pearl,headphones")
    ),
    "claim.signs": mutation("claim.signs colour-alone", text("players.csv", "sky,drop", "sky,heart")),
    "claim.nest-pad": mutation("claim.nest-pad", text("nest-pad.csv", "romeo,misty", "romeo,romeo")),
    # Words and colours
    "words.terms": mutation("banned-word", text("players.csv", DATE, "A pengiun late for every date")),
    **{
        f"words.banned.{word}": mutation("banned-word", text("players.csv", DATE, f"A {word} for every date"))
        for word in ("dominos", "buddys", "tile", "tiles", "opponent")
    },
    # Whoever says one of the phrases with other numbers is told.
    **{
        promise: mutation("typed-number", said(promise.removeprefix("words.counts.").replace("#", "88")))
        for promise in sorted(promises(GAME))
        if promise.startswith("words.counts.")
    },
    "words.counts.# players or more": mutation("typed-number player-counts", said("88 players or more")),
    "words.counts.with # players, both": mutation("typed-number player-counts", said("with 88 players, both")),
    "colours.players": mutation("alike-colours", alike("rose", "sky")),
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """The shipped game, ready to be changed; unchanged it has no error."""
    return Copy(tmp_path_factory.mktemp("night"), GAME)


def test_every_promise_has_its_mutation() -> None:
    """Whoever adds a claim, a take or a word to rules.toml adds the change that breaks it here."""
    assert MUTATIONS.keys() == promises(GAME)


@pytest.mark.parametrize("promise", MUTATIONS)
def test_a_broken_promise_is_found_and_nothing_unrelated(promise: str, copy: Copy) -> None:
    """The change breaks the promise, and otherwise only what the mutation names besides."""
    broken = MUTATIONS[promise]

    assert told_as(promise) in broken.found
    assert named(copy.problems(*broken.edits)) == broken.found
