"""The rules of the shipped games bite: a change of each kind is named, and nothing unrelated is.

What holds in the games is proved by ``pnp check`` itself; that each rule finds what it is for, by ``tests/check``.
"""

from __future__ import annotations

import re

import pytest
from mutations import Copy, Edit, alike, every, named, painted, said, squares, text, walled

PUZZLE, PENGUIN, PIRATES = "passing-puzzle", "penguin", "penguin-pirates"
NIGHT, PROWL = "penguins-night-out", "pirates-on-the-prowl"
GAMES = (PUZZLE, PENGUIN, PIRATES, NIGHT, PROWL)

ASIDE = "Hold on to your hat."
LARGE, SMALL, LEGEND = "board-large.txt", "board-small.txt", "board-large-legend.csv"
LAYOUT, HEXES = "layout.csv", "hexes.csv"


def rock(q: int, r: int) -> Edit:
    """A rock on a hex of Iceberg Alley, in place of what is there."""
    return HEXES, lambda whole: re.sub(rf"(?m)^(iceberg-alley,{q},{r}),[a-z-]+,", r"\1,rock,", whole)


TWO_ROCKS = (
    text("game.toml", '["open-sea", "waves"', '["rock", "open-sea", "waves"'),
    text("rules.toml", "blocked = {}", 'blocked = { terrain = ["rock"] }'),
    rock(0, 0),
    rock(0, 1),
)
# A cove in the corner of the large chart, with a current into it or out of it.
COVE = {arrow: squares(LARGE, (0, 0, "#", "."), (0, 1, "#", arrow), (0, 2, "#", arrow)) for arrow in "^v"}

# What is found, and the changes that are made at once; those of one line do not touch each other.
CHANGES: list[tuple[str, str, *tuple[Edit, ...]]] = [
    (
        PIRATES,
        "take.fish claim.fish expected-counts typed-number claim.bob claim.moods claim.never-turned",
        text("tokens.csv", "night,10", "night,7"),
        text(HEXES, "crab-shoal,0,1,shallows,w,,", "crab-shoal,0,1,shallows,w,,bob"),
        text("handicap.csv", "5,Seasick", "5,Shipshape"),
        text(LAYOUT, "heart,yellow,5,-1,0", "heart,yellow,5,-1,60"),
    ),
    (PIRATES, "layout-overlap", text(LAYOUT, "tip-below,red,14,0", "tip-below,red,13,0")),
    (PIRATES, "layout-parts cut-off claim.no-gaps", text(LAYOUT, "tip-below,red,14,0", "tip-below,red,15,1")),
    (PIRATES, "layout-holes", text(LAYOUT, "heart,yellow,5,-1", "heart,yellow,9,1")),
    (PIRATES, "", *TWO_ROCKS),
    (PIRATES, "cut-off", *TWO_ROCKS, rock(1, -1)),
    (
        NIGHT,
        "take.buddies claim.buddies claim.two-looks expected-counts typed-number claim.symmetrical claim.dice-of-six"
        " player-counts",
        text("buddies.csv", "spike-2,spike,bobble-hat\n", ""),
        text("layout-9.csv", "4,7,5,11,0", "4,7,4,11,0"),
        text("game.toml", 'title = "Dice"\n', 'title = "Dice"\nfaces = ["2","3","4","5","6","6"]\n'),
        said("88 players or more"),
    ),
    (NIGHT, "alike-colours claim.signs colour-alone", alike("rose", "sky"), text("players.csv", "sky,drop", "sky,heart")),
    (
        PUZZLE,
        "take.ice claim.ice expected-counts claim.upper-hand disagrees name-and-id name-twice claim.titles-once",
        text("game.toml", 'Ice blocks"\ncopies = 49', 'Ice blocks"\ncopies = 48'),
        text("crowds.csv", "as-many-together,2,1,1,", "as-many-together,2,1,0,"),
        text("reactions.csv", "drift-off,Drift Off!", "drift-off,Belly Slide!"),
    ),
    (PUZZLE, "claim.ice claim.whole-ice", squares("board-4.txt", (4, 4, "o", "~"))),
    (
        PENGUIN,
        "take.figures take.cards claim.dealing claim.pyramid claim.threes expected-counts alike-colours",
        text("deals.csv", "three,3,12,0", "three,3,12,1"),
        text("chips.csv", "three,3,6", "three,3,5"),
        text("chips.csv", "five,5,9", "five,5,10"),
        painted(sun="#ffc61a", ember="#ffb81a"),
    ),
    (
        PROWL,
        "take.crowns expected-counts typed-number claim.pages-of-twelve claim.box-empty-at-eight claim.trades-pay"
        " claim.currents claim.homes-on-charts banned-word bare-number thousands-mark does-not-fit",
        text("tickets.csv", "5000,8", "5000,7"),
        text("cargo.csv", "Nassau,Tea,Gold Medal,Diamond Crown", "Nassau,Tea,Gold Medal,Silver Statue"),
        squares(LARGE, (16, 5, ".", ">")),
        text(LEGEND, "Betty's Beach", "Betty's Bay"),
        text("bad-luck.csv", ASIDE, "Aye, captian! That hat cost 2,000. It holds 12 000 doubloons."),
        text("game.toml", 'size = "14mm x 30mm"', 'size = "42mm x 90mm"'),
    ),
    (
        PROWL,
        "claim.bridges does-not-fit unreachable unfair-starts claim.several-squares wrap-nowhere",
        squares(LARGE, (10, 0, "=", ".")),
        walled(LARGE, "d"),
        squares(SMALL, (0, 7, "1", "."), (1, 7, "1", "."), (0, 8, "1", "."), (7, 0, "=", "."), (8, 0, "=", ".")),
    ),
    # A current out of a cove is none.
    (
        PROWL,
        "claim.names-on-the-large-chart misspelt-name typed-number",
        text(LEGEND, "tortuga,Tortuga", "tortuga,Tortgua"),
        text("bad-luck.csv", ASIDE, "All fifty cargo cards. No, 50 cargo cards."),
        COVE["v"],
    ),
    (PROWL, "trap", COVE["^"]),
    # Nobody pays crowns; the only card that pays one asks for one.
    (
        PROWL,
        "never-cashed never-earned claim.trades-pay",
        every("cargo.csv", ",Diamond Crown,", ",Ruby Ring,"),
        text("cargo.csv", "Tea,Gold Medal,Ruby Ring", "Tea,Diamond Crown,Diamond Crown"),
    ),
    (PROWL, "unknown-reference", text("cargo.csv", "tortuga-silk,trade,Tortuga", "tortuga-silk,trade,Tortgua")),
]


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Copy]:
    """The shipped games, ready to be changed; unchanged they have no error."""
    return {name: Copy(tmp_path_factory.mktemp(name), name) for name in GAMES}


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: f"{change[0]}-{change[1]}")
def test_a_change_is_named_and_nothing_unrelated(
    change: tuple[str, str, *tuple[Edit, ...]], copies: dict[str, Copy]
) -> None:
    game, found, *edits = change
    assert named(copies[game].problems(*edits)) == set(found.split())
