"""Every promise in rules.toml of Penguin Pirates is seen to break: it is named, and nothing unrelated is."""

from __future__ import annotations

import csv
import math
import re
import tomllib

import pytest
from mutations import ROOT, Copy, Edit, Mutation, every, mutation, named, painted, promises, said, text, told_as

from pnp.values.findings import ClaimShown, MapShown, TableShown

GAME = "penguin-pirates"
HEXES, CARDS, LAYOUT, TRACKS = "hexes.csv", "handicap.csv", "layout.csv", "sail-and-speed.csv"
PENGUINS = '[component.penguins]\nkind = "token"\n'
# A tile more or less has no slot, or leaves one empty.
TILES = "claim.backs claim.slots slots-and-pools expected-counts"


def rock(tile: str, q: int, r: int) -> Edit:
    """A rock on a hex, in place of what is there."""

    def change(whole: str) -> str:
        changed, times = re.subn(rf"^{tile},{q},{r},[a-z-]+,", f"{tile},{q},{r},rock,", whole, flags=re.MULTILINE)
        assert times == 1
        return changed

    return HEXES, change


def spots_of(deck: str, like: str) -> Edit:
    """A deck with the spots of another one, card by card."""

    def change(whole: str) -> str:
        rows = [row.split(",") for row in whole.splitlines()]
        spots = {row[2]: row[4:] for row in rows if row[1] == like}
        return "".join(",".join([*row[:4], *spots[row[2]]] if row[1] == deck else row) + "\n" for row in rows)

    return CARDS, change


def without_token(crew: str) -> Edit:
    """No token of a crew, whose row stays, for its deck refers to it."""

    def change(whole: str) -> str:
        head, *rows = whole.splitlines()
        return "".join(f"{row}\n" for row in [f"{head},copies", *(f"{row},{int(not row.startswith(crew))}" for row in rows)])

    return "penguins.csv", change


ROCKS = (
    text("game.toml", '["open-sea", "waves"', '["rock", "open-sea", "waves"'),
    text("rules.toml", "blocked = {}", 'blocked = { terrain = ["rock"] }'),
)
TWO_ROCKS = *ROCKS, rock("iceberg-alley", 0, 0), rock("iceberg-alley", 0, 1)
CUT_OFF = *TWO_ROCKS, rock("iceberg-alley", 1, -1)

PHRASES = tomllib.loads((ROOT / "content" / GAME / "rules.toml").read_text(encoding="utf-8"))["words"]["counts"]

MUTATIONS: dict[str, Mutation] = {
    "take.tiles": mutation(
        f"take.tiles {TILES} typed-number", text("tiles.csv", "Crab Shoal,yellow,1", "Crab Shoal,yellow,0")
    ),
    "take.decks": mutation(
        "take.decks claim.numbers claim.no-better-seat claim.every-action claim.talents expected-counts typed-number",
        text(CARDS, "shell-12,shell,12,Seasick,yellow,white,white,red,red,white\n", ""),
    ),
    "take.events": mutation(
        "take.events claim.twelve-turns claim.chase expected-counts typed-number",
        ("events.csv", lambda whole: re.sub("3,squall,.*\n", "", whole)),
    ),
    "take.penguins": mutation("take.penguins expected-counts typed-number", without_token("bell")),
    "take.waves": mutation(
        "take.waves claim.waves expected-counts typed-number", text("tokens.csv", "foam,sun,2", "foam,sun,1")
    ),
    "take.fish": mutation("take.fish claim.fish expected-counts typed-number", text("tokens.csv", "night,10", "night,7")),
    # Tiles
    "claim.backs": mutation(
        "claim.backs expected-counts",
        text("tiles.csv", "Crab Shoal,yellow", "Crab Shoal,blue"),
        text(LAYOUT, "chin,yellow", "chin,blue"),
    ),
    "claim.flowers": mutation(
        "claim.flowers tile-shape", ("hexes.csv", lambda whole: re.sub("home-ice,1,-1,.*\n", "", whole))
    ),
    "claim.puerto-rico": mutation(
        "claim.puerto-rico",
        text(HEXES, "trade-winds,0,0,waves,y,,", "trade-winds,0,0,waves,y,,puerto-rico"),
    ),
    "claim.start-whirlwind": mutation(
        "claim.start-whirlwind", text(HEXES, "harbour,1,0,open-sea,w,whirlwind-left,", "harbour,1,0,open-sea,w,,")
    ),
    "claim.bob": mutation("claim.bob", text(HEXES, "crab-shoal,0,1,shallows,w,,", "crab-shoal,0,1,shallows,w,,bob")),
    "claim.cousin": mutation(
        "claim.cousin",
        text(HEXES, "w,,cousin", "w,,"),
        text(HEXES, "bobs-floe,0,1,open-sea,w,,", "bobs-floe,0,1,open-sea,w,,cousin"),
    ),
    "claim.cousin-hidden": mutation(
        "claim.cousin-hidden",
        text(HEXES, "w,,cousin", "w,,"),
        text(HEXES, "harbour,0,-1,open-sea,w,,", "harbour,0,-1,open-sea,w,,cousin"),
    ),
    "claim.antarctica": mutation(
        "claim.antarctica",
        text(HEXES, "w,,antarctica", "w,,"),
        text(HEXES, "crab-shoal,0,1,shallows,w,,", "crab-shoal,0,1,shallows,w,,antarctica"),
    ),
    "claim.slots": mutation("claim.slots slots-and-pools", text(LAYOUT, "neck,red", "neck,yellow")),
    "claim.no-gaps": mutation(
        "claim.no-gaps layout-parts cut-off", text(LAYOUT, "tip-below,red,14,0", "tip-below,red,15,0")
    ),
    "claim.never-turned": mutation("claim.never-turned", text(LAYOUT, "heart,yellow,5,-1,0", "heart,yellow,5,-1,60")),
    "claim.dots": mutation("claim.dots", text(HEXES, "iceberg-alley,1,0,ice-floe,wwr", "iceberg-alley,1,0,ice-floe,")),
    "claim.dot-colours": mutation(
        "claim.dot-colours", text(HEXES, "ice-floe,wwr,,\nhome-ice,-1", "ice-floe,wwb,,\nhome-ice,-1")
    ),
    "claim.special-hexes": mutation("claim.special-hexes", every(HEXES, ",kraken,", ",,")),
    # Handicap cards
    "claim.four-decks": mutation(
        "claim.four-decks take.penguins expected-counts typed-number",
        text("game.toml", PENGUINS, f'{PENGUINS}where = {{ id = "bell" }}\n'),
    ),
    "claim.numbers": mutation(
        "claim.numbers disagrees expected-counts", text(CARDS, "wheel-1,wheel,1,", "wheel-1,wheel,2,")
    ),
    # A white spot, or a red one, changes places with another card of the deck.
    "claim.white-spot": mutation(
        "claim.white-spot claim.moods",
        text(CARDS, "yellow,red,yellow,red,white,red", "yellow,red,yellow,red,yellow,red"),
        text(
            CARDS,
            "shell-11,shell,11,Stiff flippers,white,red,yellow,white,yellow",
            "shell-11,shell,11,Stiff flippers,white,red,yellow,white,white",
        ),
    ),
    "claim.red-spot": mutation(
        "claim.red-spot claim.moods",
        text(CARDS, "Shipshape,yellow,yellow,red,white,white,white", "Shipshape,yellow,yellow,white,white,white,white"),
        text(CARDS, "wheel-8,wheel,8,Top form,white,white,white", "wheel-8,wheel,8,Top form,white,white,red"),
    ),
    # Two of Otto's three yellow spots for scouting change places with white ones of the same cards.
    "claim.every-action": mutation(
        "claim.every-action",
        text(CARDS, "wheel-7,wheel,7,Seasick,yellow,white", "wheel-7,wheel,7,Seasick,white,yellow"),
        text(CARDS, "wheel-11,wheel,11,High spirits,yellow,white", "wheel-11,wheel,11,High spirits,white,yellow"),
    ),
    "claim.no-better-seat": mutation(
        "claim.no-better-seat claim.moods",
        text(CARDS, "wheel-1,wheel,1,Stiff flippers,red", "wheel-1,wheel,1,Stiff flippers,white"),
    ),
    "claim.moods": mutation("claim.moods", text(CARDS, "5,Seasick", "5,Shipshape")),
    "claim.talents": mutation(
        "claim.talents",
        text(
            CARDS,
            "wheel-8,wheel,8,Top form,white,white,white,red,white,white",
            "wheel-8,wheel,8,Top form,white,white,white,white,red,white",
        ),
    ),
    "claim.example-moods": mutation(
        "claim.example-moods",
        text(
            CARDS,
            "bottle-5,bottle,5,Homesick,red,yellow,yellow,yellow,white,red",
            "bottle-5,bottle,5,Homesick,red,yellow,yellow,yellow,red,white",
        ),
    ),
    "claim.example-turn": mutation(
        "claim.example-turn claim.every-action",
        text(
            CARDS,
            "bottle-10,bottle,10,Seasick,red,red,white,white,white,yellow",
            "bottle-10,bottle,10,Seasick,white,red,red,white,white,yellow",
        ),
    ),
    "claim.different-decks": mutation(
        "claim.different-decks claim.example-moods claim.example-turn claim.moods claim.talents",
        spots_of("bell", like="wheel"),
    ),
    # Events
    "claim.twelve-turns": mutation(
        "claim.twelve-turns claim.chase expected-counts typed-number",
        ("events.csv", lambda whole: f"{whole}5,calm,Calm,Nothing.,no,4\n"),
    ),
    "claim.stages": mutation(
        "claim.stages claim.chase expected-counts",
        *(text("events.csv", f"4,{event}", f"5,{event}") for event in ("rogue-wave", "torn-sail")),
    ),
    "claim.pirates-appear": mutation(
        "claim.pirates-appear expected-counts",
        ("events.csv", lambda whole: re.sub("(1,fair-wind,.*),no,", r"\1,yes,", whole)),
    ),
    "claim.no-pirates-before": mutation(
        "claim.no-pirates-before claim.chase expected-counts",
        ("events.csv", lambda whole: re.sub("(1,fair-wind,.*),0\n", "\\1,1\n", whole)),
    ),
    "claim.chase": mutation("claim.chase", ("events.csv", lambda whole: re.sub("(5,full-chase,.*),4\n", "\\1,3\n", whole))),
    # Tracks and tokens
    "claim.storm-spaces": mutation(
        "claim.storm-spaces claim.speed-track typed-number", text(TRACKS, "Sails,6,storm\nSails,7,storm\n", "")
    ),
    "claim.speed-track": mutation("claim.speed-track typed-number", text(TRACKS, "Speed,13,\n", "")),
    "claim.tracks-in-order": mutation("claim.tracks-in-order", text(TRACKS, "Speed,5,\n", "")),
    "claim.water-in-order": mutation("claim.water-in-order", text("water.csv", "Water,5,\n", "")),
    "claim.starts": mutation("claim.starts", text(TRACKS, "Sails,2,start\nSails,3,", "Sails,2,\nSails,3,start")),
    "claim.skull": mutation("claim.skull", text("water.csv", "Water,9,danger", "Water,9,skull")),
    "claim.fish": mutation("claim.fish expected-counts typed-number", text("tokens.csv", "night,10", "night,11")),
    "claim.waves": mutation("claim.waves expected-counts typed-number", text("tokens.csv", "foam,sun,2", "foam,sun,3")),
    "claim.crab": mutation(
        "claim.crab expected-counts typed-number", text("tokens.csv", "sand,sea-light,1", "sand,sea-light,2")
    ),
    "shuffle.start": mutation("cut-off", *CUT_OFF),
    # Words and colours
    **{
        f"words.{promise}": mutation("banned-word", said(f"Beware of the {word}."))
        for promise, word in (("terms", "krakan"), ("banned.whirlpool", "whirlpool"), ("banned.octopus", "octopus"))
    },
    **{
        f"words.counts.{phrase}": mutation(
            "typed-number", said(phrase.replace("#", "77") if "#" in phrase else f"All 77 {phrase}.")
        )
        for phrase in PHRASES
    },
    "colours.penguins": mutation("alike-colours", painted(crew_orange="#ea8a2e", crew_pink="#ea9a2e")),
}

# The other halves of promises that have two.
ALSO: dict[str, Mutation] = {
    "Puerto Rico on a yellow tile": mutation(
        "claim.puerto-rico claim.start-whirlwind",
        text(HEXES, "w,,puerto-rico", "w,,"),
        text(HEXES, "turtle-bank,-1,0,open-sea,w,fish,", "turtle-bank,-1,0,open-sea,w,fish,puerto-rico"),
    ),
    "Bob on a red tile": mutation(
        "claim.bob", text(HEXES, "w,,bob", "w,,"), text(HEXES, "home-ice,-1,0,open-sea,w,,", "home-ice,-1,0,open-sea,w,,bob")
    ),
    "two cousins": mutation("claim.cousin", text(HEXES, "crab-shoal,0,1,shallows,w,,", "crab-shoal,0,1,shallows,w,,cousin")),
    "two homes": mutation(
        "claim.antarctica", text(HEXES, "home-ice,-1,0,open-sea,w,,", "home-ice,-1,0,open-sea,w,,antarctica")
    ),
    "a green tile": mutation(
        "claim.backs expected-counts",
        text("game.toml", '["blue", "yellow", "red"]', '["blue", "yellow", "red", "green"]'),
        text("tiles.csv", "Crab Shoal,yellow", "Crab Shoal,green"),
        text(LAYOUT, "chin,yellow", "chin,green"),
    ),
    # What is left over before the dearest hex makes the next turn faster.
    "four dots": mutation(
        "claim.dots claim.speed-track", text(HEXES, "iceberg-alley,1,0,ice-floe,wwr", "iceberg-alley,1,0,ice-floe,wwwr")
    ),
    "pirates in the second stage": mutation(
        "claim.pirates-appear claim.chase expected-counts", text("events.csv", "1,black-sails", "2,black-sails")
    ),
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """The shipped game, ready to be changed; unchanged it has no error."""
    return Copy(tmp_path_factory.mktemp("pirates"), GAME)


def test_every_promise_has_its_mutation() -> None:
    """Whoever adds a claim, a take, a word or a shuffle to rules.toml adds the change that breaks it here."""
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


# What the checker looks at in any layout, besides what rules.toml promises: tiles lie apart, hang together, leave no hole.
LAID: dict[str, Mutation] = {
    "layout-overlap": mutation("layout-overlap", text(LAYOUT, "tip-below,red,14,0", "tip-below,red,13,0")),
    "layout-parts": mutation("layout-parts cut-off claim.no-gaps", text(LAYOUT, "tip-below,red,14,0", "tip-below,red,15,1")),
    "layout-holes": mutation("layout-holes", text(LAYOUT, "heart,yellow,5,-1", "heart,yellow,9,1")),
}


@pytest.mark.parametrize("rule", LAID)
def test_a_tile_that_lies_wrong_is_found(rule: str, copy: Copy) -> None:
    """A slot on top of another, one that touches nothing (its tile is never scouted), one gone from the middle."""
    found = copy.problems(*LAID[rule].edits)

    assert rule in named(found) and named(found) == LAID[rule].found
    assert any(problem.place.file.endswith(LAYOUT) for problem in found)


# --- a rock that cuts off one shuffle ----------------------------------------------------------------------------------

Hex = tuple[int, int]
SIDES = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
MM = 42


def rows_of(file: str) -> list[dict[str, str]]:
    """A table of the shipped game."""
    return list(csv.DictReader((ROOT / "content" / GAME / file).read_text(encoding="utf-8").splitlines()))


def lost_hexes(tiles: dict[str, str], rocks: set[tuple[str, int, int]]) -> dict[Hex, tuple[str, int, int]]:
    """The hexes that a flood from Puerto Rico does not reach when these tiles lie on these slots."""
    cells = {
        (int(slot["q"]) + int(spot["q"]), int(slot["r"]) + int(spot["r"])): spot
        for slot in rows_of(LAYOUT)
        for spot in rows_of(HEXES)
        if spot["tile"] == tiles[slot["slot"]]
    }
    at = {cell: (spot["tile"], int(spot["q"]), int(spot["r"])) for cell, spot in cells.items()}
    free = {cell for cell, spot in at.items() if spot not in rocks}
    seen = {cell for cell, spot in cells.items() if spot["mark"] == "puerto-rico"}
    while new := {(q + dq, r + dr) for q, r in seen for dq, dr in SIDES} & free - seen:
        seen |= new
    return {cell: at[cell] for cell in free - seen}


def test_two_rocks_cut_nothing_off(copy: Copy) -> None:
    """With rocks on two hexes of Iceberg Alley every shuffle still hangs together, and the report says so."""
    assert copy.problems(*TWO_ROCKS) == []
    (claim,) = (one for one in copy.shown(*TWO_ROCKS) if isinstance(one, ClaimShown) and one.name == "shuffle.start")

    assert claim.holds and claim.cases == "604 800 arrangements"


def test_a_third_rock_that_cuts_off_one_shuffle_is_refuted_with_its_picture(copy: Copy) -> None:
    """The finding names a hex; in the shuffle it shows, a flood of our own misses just that hex, and the map marks it."""
    (problem,) = copy.problems(*CUT_OFF)
    shown = copy.shown(*CUT_OFF)
    (claim,) = (one for one in shown if isinstance(one, ClaimShown) and one.name == "shuffle.start")
    (table,) = (one for one in shown if isinstance(one, TableShown) and one.title.startswith("A shuffle that cuts"))
    (picture,) = (one for one in shown if isinstance(one, MapShown) and "cuts hexes off" in one.title)
    ids = {row["name"]: row["id"] for row in rows_of("tiles.csv")}
    tiles = {slot: ids[name] for _, slot, name in table.rows}
    pools = {row["slot"]: row["pool"] for row in rows_of(LAYOUT)}
    backs = {row["id"]: row["back"] for row in rows_of("tiles.csv")}

    # The shuffle is one that the game allows: each tile once, on slots of its colour.
    assert sorted(tiles.values()) == sorted(ids.values())
    assert all(pools[slot] == backs[tile] for slot, tile in tiles.items())
    # What is said of it is so.
    lost = lost_hexes(tiles, {("iceberg-alley", 0, 0), ("iceberg-alley", 0, 1), ("iceberg-alley", 1, -1)})
    assert list(lost.values()) == [("iceberg-alley", 1, 0)]
    assert not claim.holds
    (slot,) = (slot for slot, tile in tiles.items() if tile == "iceberg-alley")
    assert (
        f'cuts 1 of 88 hexes off from the hex with mark puerto-rico: the hex 1, 0 of "Iceberg Alley" on {slot}'
        in problem.message
    )
    assert f"Iceberg Alley on {slot}" in problem.hint
    named_hex = rows_of(HEXES)[(problem.place.row or 0) - 2]
    assert (named_hex["tile"], named_hex["q"], named_hex["r"]) == ("iceberg-alley", "1", "0")
    # The map has all hexes, with this one marked where it lies, the rocks, and the harbour.
    marked = {
        state: [spot for spot in picture.spots if spot.state == state] for state in ("bad", "blocked", "start", "plain")
    }
    assert {state: len(spots) for state, spots in marked.items()} == {"bad": 1, "blocked": 3, "start": 1, "plain": 86}
    ring = marked["bad"][0].ring
    ((q, r),) = lost
    middle = [sum(axis) / len(ring) for axis in zip(*ring, strict=True)]
    assert middle == pytest.approx([MM * (q + r / 2), MM * r * math.sqrt(3) / 2])
