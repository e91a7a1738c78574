"""Every shuffle is looked at: what is proved holds for each arrangement, what is refuted is shown, the rest is admitted."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import permutations, product
from pathlib import Path
from time import process_time

import pytest
from boards import HERE, ROOT, layout, shipped, subject, tiles
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import motions

from pnp.check import shuffles as module
from pnp.check.shuffles import RULES, look, shuffled
from pnp.check.tile_search import Outcome, Search, Tile, Tiling, by_pairs, components, decide, tried
from pnp.read.game import read_game
from pnp.read.project import Project
from pnp.values.findings import ClaimShown, MapShown, Report, Subject, TableShown
from pnp.values.game import Component, Game, Layout
from pnp.values.problems import Problems
from pnp.values.rules import Rules
from pnp.values.sections import Shuffle

Hex = tuple[int, int]
PENGUINS = "penguin-pirates"
SIDES: list[Hex] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
FLOWER: list[Hex] = [(0, 0), *SIDES]
TRIANGLE: list[Hex] = [(0, 0), (1, 0), (0, 1)]
# Centres of flowers that fit together, from the first outwards.
CENTRES: list[Hex] = [(0, 0), (2, 1), (-1, 3), (3, -2), (1, 4)]


def shuffle(turns: bool = False, start: dict[str, str] | None = None, name: str = "start") -> Shuffle:
    """Rocks are blocked."""
    return Shuffle(blocked={"terrain": ("rock",)}, start=start or {}, turns=turns).at(HERE, name)


def hex_table(rocks: list[set[int]], shape: list[Hex]) -> str:
    """The hexes of tiles a, b, c …, with rocks on some, by their number in the shape."""
    rows = [
        f"{chr(97 + tile)},{q},{r},{'rock' if number in blocked else 'sea'}\n"
        for tile, blocked in enumerate(rocks)
        for number, (q, r) in enumerate(shape)
    ]
    return "tile,q,r,terrain\n" + "".join(rows)


def made(rocks: list[set[int]], pools: str, turns: list[int], shape: list[Hex] = FLOWER) -> tuple[Layout, Component]:
    """Tiles with rocks and as many slots side by side, each in a pool; a tile has the pool of its slot."""
    rows = "id,name,back\n" + "".join(f"{chr(97 + tile)},Tile {tile},{pool}\n" for tile, pool in enumerate(pools))
    component = tiles(rows, hex_table(rocks, shape))
    slots = "".join(
        f"slot-{number},{pool},{q},{r},{turn}\n"
        for number, (pool, (q, r), turn) in enumerate(zip(pools, centres(shape), turns, strict=False))
    )
    return layout("slot,pool,q,r,turn\n" + slots, component), component


def centres(shape: list[Hex]) -> list[Hex]:
    """Where the shape can lie side by side."""
    return CENTRES if shape is FLOWER else [(0, 0), (2, 0), (0, 2), (2, 2), (4, 0)]


# --- the same by listing all arrangements ------------------------------------------------------------------------------


def turned(cell: Hex, sixths: int) -> Hex:
    """Sixths of a turn about the middle: each takes the first side to the second, and so on."""
    q, r = cell
    for _ in range(sixths):
        q, r = -r, q + r
    return q, r


def connected(cells: set[Hex]) -> bool:
    """Whether spreading from any one finds all."""
    if not cells:
        return True
    seen = {min(cells)}
    while new := {(q + dq, r + dr) for q, r in seen for dq, dr in SIDES} & cells - seen:
        seen |= new
    return seen == cells


def arrangements(rocks: list[set[int]], pools: str, turns: list[int], shape: list[Hex], turning: bool) -> Iterator[set[Hex]]:
    """The hexes that may be entered, for each arrangement."""
    ways = motions(shape) if turning else [{cell: cell for cell in shape}]
    for order in permutations(range(len(rocks))):
        if any(pools[tile] != pools[slot] for slot, tile in enumerate(order)):
            continue
        for more in product(ways, repeat=len(rocks)):
            free = set()
            for slot, tile in enumerate(order):
                (q, r), turn = centres(shape)[slot], turns[slot] // 60
                cells = [turned(more[slot][cell], turn) for number, cell in enumerate(shape) if number not in rocks[tile]]
                free |= {(dq + q, dr + r) for dq, dr in cells}
            yield free


rock_sets = st.lists(st.sets(st.integers(0, 6), max_size=5), min_size=1, max_size=4)


@given(rock_sets, st.text("yr", min_size=4, max_size=4), st.lists(st.sampled_from([0, 60, 120, 180, 300]), min_size=4))
@settings(max_examples=examples(150), deadline=None)
def test_the_answer_is_that_of_listing_all_arrangements(rocks: list[set[int]], pools: str, turns: list[int]) -> None:
    """Up to four tiles with any rocks in one pool or two: refuted exactly when one of the arrangements is in parts."""
    pools = pools[: len(rocks)]
    lies, component = made(rocks, pools, turns)
    found = look(subject([component], [lies], shuffles=[shuffle()]))
    expected = all(connected(free) for free in arrangements(rocks, pools, turns, FLOWER, False))

    assert (found.problems == ()) == expected
    assert {problem.rule for problem in found.problems} <= {"cut-off"}


@given(st.lists(st.sets(st.integers(0, 6), max_size=4), min_size=2, max_size=3), st.text("yr", min_size=3, max_size=3))
@settings(max_examples=examples(25), deadline=None)
def test_turned_tiles_are_all_looked_at(rocks: list[set[int]], pools: str) -> None:
    """Where tiles may be turned as well, each turn of each tile counts."""
    rocks, pools = rocks[: 2 if len(set(pools[:2])) == 1 else 3], pools[: len(rocks)]
    pools = pools[: len(rocks)]
    lies, component = made(rocks, pools, [0] * 4)
    found = look(subject([component], [lies], shuffles=[shuffle(turns=True)]))
    ways = arrangements(rocks, pools, [0] * 4, FLOWER, True)

    assert (found.problems == ()) == all(connected(free) for free in ways)


@given(st.lists(st.sets(st.integers(0, 2), max_size=2), min_size=1, max_size=5), st.booleans())
@settings(max_examples=examples(60), deadline=None)
def test_other_shapes_than_flowers(rocks: list[set[int]], turning: bool) -> None:
    """Tiles of three hexes, which can be turned about the corner between them, and stay on their slots' hexes."""
    pools = "y" * len(rocks)
    lies, component = made(rocks, pools, [0] * 5, TRIANGLE)
    found = look(subject([component], [lies], shuffles=[shuffle(turning)]))
    ways = arrangements(rocks, pools, [0] * 5, TRIANGLE, turning)

    assert (found.problems == ()) == all(connected(free) for free in ways)


# --- the tiling by itself -----------------------------------------------------------------------------------------------


def tiling(rocks: list[set[int]], pools: str, turning: bool = False) -> Tiling:
    """Flowers on slots, as the search sees them."""
    index = {cell: number for number, cell in enumerate(FLOWER)}
    at = {(q + dq, r + dr): (slot, n) for slot, (q, r) in enumerate(GRID[: len(pools)]) for n, (dq, dr) in enumerate(FLOWER)}
    borders = tuple(
        (*here, *there)
        for (q, r), here in at.items()
        for dq, dr in SIDES
        if (there := at.get((q + dq, r + dr))) and here[0] < there[0]
    )
    inside = tuple((a, b) for a, b in product(range(7), repeat=2) if a < b and _near(FLOWER[a], FLOWER[b]))
    made = []
    for tile, blocked in enumerate(rocks):
        free = [cell for number, cell in enumerate(FLOWER) if number not in blocked]
        masks = [sum(1 << index[turned(cell, turn)] for cell in free) for turn in range(6 if turning else 1)]
        made.append(Tile(ord(pools[tile]), tuple(masks), str(tile)))
    return Tiling(tuple(map(ord, pools)), inside, borders, tuple(made))


def _near(first: Hex, second: Hex) -> bool:
    return (second[0] - first[0], second[1] - first[1]) in SIDES


GRID: list[Hex] = [(2 * i - j, i + 3 * j) for j in range(4) for i in range(5)]


def in_one_piece(question: Tiling, outcome: Outcome) -> bool:
    """Whether the arrangement that an outcome shows hangs together; it must be one that its pools allow."""
    assert sorted(tile for tile, _ in outcome.laid) == list(range(len(question.tiles)))
    assert all(question.tiles[tile].pool == question.pools[slot] for slot, (tile, _) in enumerate(outcome.laid))
    free = {
        (slot, cell)
        for slot, (tile, turn) in enumerate(outcome.laid)
        for cell in range(7)
        if question.tiles[tile].masks[turn] >> cell & 1
    }
    where = {(slot, n): (q + dq, r + dr) for slot, (q, r) in enumerate(GRID) for n, (dq, dr) in enumerate(FLOWER)}
    return connected({where[spot] for spot in free})


@given(st.lists(st.sets(st.integers(0, 6), max_size=3), min_size=2, max_size=7), st.booleans(), st.integers(0, 300))
@settings(max_examples=examples(100), deadline=None)
def test_a_limit_is_admitted(rocks: list[set[int]], turning: bool, limit: int) -> None:
    """With few steps the answer is the same as with many, or none; what was covered is a share."""
    question = tiling(rocks, "y" * len(rocks), turning)
    short, whole = decide(question, limit), decide(question)

    assert short.holds in (None, whole.holds)
    assert 0 <= short.covered <= 1
    if short.holds is None:
        assert short.steps == limit
    if whole.holds:
        assert abs(whole.covered - 1) < 1e-9
    if whole.holds is False:
        assert not in_one_piece(question, whole)


@pytest.mark.parametrize("turning", [False, True], ids=["fixed", "turned"])
@pytest.mark.parametrize("rock", [0, 1], ids=["in the middle", "at the rim"])
def test_all_is_covered_when_all_is_proved(rock: int, turning: bool) -> None:
    """The shares of a search that ran to its end add up to the whole, so that a part of them means a part."""
    # One rock cuts nothing off; in the middle it is the same however its tile is turned, at the rim it is not.
    question = tiling([set(), {rock}, set(), set()], "abbb", turning)
    whole = Search(question, 10_000).run()

    assert whole.holds is True
    assert abs(whole.covered - 1) < 1e-9
    shares = [Search(question, limit).run().covered for limit in range(0, whole.steps, 3)]
    assert shares == sorted(shares) and shares[0] == 0 and 0 < shares[-1] < 1


@pytest.mark.parametrize(
    ("limit", "share"), [(0, 0), (1, 2 / 6), (2, 5 / 6), (3, 1)], ids=["nothing", "two turns", "five turns", "all"]
)
def test_each_turn_of_a_tile_has_its_share(limit: int, share: float) -> None:
    """A tile that looks one way in two of its six turns, another way in three: what is blocked most comes first."""
    tile = Tile(0, (0b001, 0b011, 0b111, 0b011, 0b001, 0b011))
    found = Search(Tiling((0,), ((0, 1), (1, 2)), (), (tile,)), limit).run()

    assert found.covered == pytest.approx(share)
    assert found.holds is (True if limit == 3 else None)


def test_each_tile_of_a_pool_has_its_share() -> None:
    """One tile of three is blocked: with it on the first slot a third of all arrangements is looked at, turned or not."""
    for turns in (1, 6):
        tiles = (Tile(0, turns * (0b01,), "a"), *(Tile(0, turns * (0b11,), name) for name in "bc"))
        # Three slots in a ring about one point: each touches both others, cell for cell.
        borders = tuple((first, cell, second, cell) for first, second in ((0, 1), (0, 2), (1, 2)) for cell in (0, 1))
        found = [Search(Tiling((0, 0, 0), ((0, 1),), borders, tiles), limit).run() for limit in range(20)]

        assert found[-1].holds and found[-1].covered == pytest.approx(1)
        assert [round(3 * outcome.covered, 6) for outcome in found[:4]] == [0, 0, 0, 1]


@pytest.mark.parametrize("tiles_with_rocks", range(6))
@pytest.mark.parametrize("pools", ["y" * 12, "yyyyyyyrrrrr"])
@pytest.mark.parametrize("turning", [False, True], ids=["fixed", "turned"])
def test_twelve_tiles_are_decided_within_two_seconds(tiles_with_rocks: int, pools: str, turning: bool) -> None:
    """Wherever the rocks are, twelve tiles come to an answer."""
    rng = random.Random(tiles_with_rocks)
    for _ in range(4):
        rocks: list[set[int]] = [set() for _ in range(12)]
        for tile in rng.sample(range(12), tiles_with_rocks):
            rocks[tile] = set(rng.sample(range(7), rng.randint(1, 4)))
        begin = process_time()
        outcome = decide(tiling(rocks, pools, turning))
        assert process_time() - begin < 2
        assert outcome.holds is not None
        assert outcome.holds or not in_one_piece(tiling(rocks, pools, turning), outcome)


def test_open_tiles_are_proved_by_pairs() -> None:
    """Without rocks no search is needed, whatever the number of tiles; the borders shown join all slots."""
    question = tiling([set() for _ in range(12)], "y" * 12)
    outcome = decide(question, 0)

    assert outcome.holds and len(outcome.pairs) == 11
    assert len({slot for pair in outcome.pairs for slot in pair}) == 12
    assert question.ways == 479_001_600


@pytest.mark.parametrize("turning", [False, True], ids=["fixed", "turned"])
def test_twenty_tiles_with_a_rock_each_are_proved(turning: bool) -> None:
    """Too many for a search that minds which tiles are left: proved for any of them on each slot."""
    outcome = decide(tiling([{tile % 7} for tile in range(20)], "y" * 20, turning))

    assert outcome.holds and outcome.wider


def test_what_is_proved_for_any_tiles_holds_and_what_is_refuted_says_nothing() -> None:
    """A tile that is a wall cuts three slots in a row apart, lies it in the middle; with one such tile there is always
    another one, and two at most are in the middle of a row of two."""
    wall, sea = Tile(0, (0b01,), "wall"), Tile(0, (0b11,), "sea")
    row = Tiling((0, 0), ((0, 1),), ((0, 1, 1, 0),), (sea, sea))

    assert decide(row).holds
    # Two walls are in parts, a wall and the sea are not when the wall is the second; all orders count.
    assert decide(replace(row, tiles=(wall, sea))).holds is False
    joined = Tiling((0, 0), ((0, 1),), ((0, 0, 1, 0), (0, 1, 1, 0)), (wall, sea))
    assert decide(joined).holds is True


def test_a_try_finds_what_is_often_so() -> None:
    """Of twenty tiles with two or three rocks some arrangement in parts turns up soon, and the same one each time."""
    question = tiling([{tile % 7, (tile * 3 + 1) % 7, (tile * 5) % 7} for tile in range(20)], "y" * 20)
    outcome = tried(question, 1000)

    assert outcome is not None and outcome.holds is False
    assert not in_one_piece(question, outcome)
    assert tried(question, 1000) == outcome


def test_pairs_prove_nothing_that_is_not_so() -> None:
    """A tile in parts, or one that is all rock, is left to the search."""
    assert by_pairs(tiling([{0, 1, 4}, set(), set()], "yyy")) is None
    assert by_pairs(tiling([set(range(7)), set(), set()], "yyy")) is None
    assert components(0b1111111 & ~0b0010011, tiling([set()], "y").inside) == (0b0001100, 0b1100000)


def test_copies_count_once() -> None:
    """Two copies of a tile on two slots are one arrangement; two different tiles are two."""
    two = Tiling((0, 0), (), ((0, 0, 1, 0),), (Tile(0, (1,), "a"), Tile(0, (1,), "a")))
    assert two.ways == 1
    assert replace(two, tiles=(Tile(0, (1,), "a"), Tile(0, (1,), "b"))).ways == 2


def test_each_turn_counts() -> None:
    """Two tiles on two slots are two arrangements, with six turns each of both 2 × 6 × 6; a tile alone has its six."""
    assert tiling([set(), {0}], "yy").ways == 2
    assert tiling([set(), {0}], "yy", turning=True).ways == 72
    assert tiling([{1}], "y", turning=True).ways == 6


# --- what is said about it ----------------------------------------------------------------------------------------------


def shown(report: Report, kind: type) -> list[object]:
    """What a report shows of one kind."""
    return [one for one in report.shown if isinstance(one, kind)]


@pytest.fixture(scope="module")
def penguins() -> Game:
    """The shipped game."""
    game = read_game(Project(ROOT), PENGUINS, Problems())
    assert game is not None
    return game


PIRATES = shuffle(start={"mark": "puerto-rico"})


def test_the_shipped_tiles_are_proved(penguins: Game) -> None:
    """7! × 5! arrangements, none of which cuts a hex off."""
    found = look(Subject(replace(penguins, rules=Rules(shuffles=(PIRATES,)))))

    assert found.problems == ()
    claim, table = found.shown
    assert isinstance(claim, ClaimShown) and claim.holds
    assert claim.cases == "604 800 arrangements"
    assert isinstance(table, TableShown) and len(table.rows) == 12


def with_rocks(folder: Path, rocks: Iterable[tuple[str, int, int]]) -> Report:
    """The report on the shipped game with rocks on some hexes."""
    source = ROOT / "content" / PENGUINS
    rows = list(csv.DictReader(io.StringIO((source / "hexes.csv").read_text(encoding="utf-8"))))
    for row in rows:
        if (row["tile"], int(row["q"]), int(row["r"])) in set(rocks):
            row["terrain"] = "rock"
    text = ",".join(rows[0]) + "\n" + "".join(",".join(row.values()) + "\n" for row in rows)
    rules = (source / "game.toml").read_text(encoding="utf-8").replace('"open-sea", ', '"open-sea", "rock", ', 1)
    game = shipped(PENGUINS, folder, {"hexes.csv": text, "game.toml": rules})
    return look(Subject(replace(game, rules=Rules(shuffles=(PIRATES,)))))


def test_a_rock_that_cuts_off_one_shuffle_is_refuted_with_its_picture(tmp_path: Path) -> None:
    """Two rocks do no harm; a third closes the hex between them, on a slot where it has the open sea beside it."""
    two = [("iceberg-alley", 0, 0), ("iceberg-alley", 0, 1)]
    assert with_rocks(tmp_path, two).problems == ()

    found = with_rocks(tmp_path, [*two, ("iceberg-alley", 1, -1)])
    (problem,) = found.problems
    assert problem.rule == "cut-off"
    assert (
        'a shuffle cuts 1 of 88 hexes off from the hex with mark puerto-rico: the hex 1, 0 of "Iceberg Alley" on'
        in problem.message
    )
    assert "Iceberg Alley on " in problem.hint
    rows = (ROOT / "content" / PENGUINS / "hexes.csv").read_text(encoding="utf-8").splitlines()
    assert rows[(problem.place.row or 0) - 1].startswith("iceberg-alley,1,0")
    assert [claim.holds for claim in shown(found, ClaimShown)] == [False]  # type: ignore[attr-defined]

    (table,) = shown(found, TableShown)
    assert isinstance(table, TableShown)
    assert sorted(row[2] for row in table.rows) == sorted(
        name
        for name in (row.split(",")[1] for row in (ROOT / "content" / PENGUINS / "tiles.csv").read_text().splitlines()[1:])
    )
    (drawn,) = shown(found, MapShown)
    assert isinstance(drawn, MapShown)
    states = [spot.state for spot in drawn.spots]
    assert {state: states.count(state) for state in set(states)} == {"bad": 1, "blocked": 3, "start": 1, "plain": 86}
    assert sorted(int(spot.text) for spot in drawn.spots if spot.text) == list(range(1, 14))


def test_the_drawn_hexes_are_those_cut_off() -> None:
    """In the picture, no hex marked bad shares a side with an open one."""
    lies, component = made([{0, 1, 3}, set()], "yy", [0] * 4)
    (drawn,) = shown(look(subject([component], [lies], shuffles=[shuffle()])), MapShown)
    assert isinstance(drawn, MapShown)
    corners = [({(round(x, 3), round(y, 3)) for x, y in spot.ring}, spot.state) for spot in drawn.spots]
    bad = [ring for ring, state in corners if state == "bad"]

    assert bad
    assert all(len(ring & other) < 2 for ring in bad for other, state in corners if state == "plain")


def test_what_is_not_decided_is_a_warning_with_its_share() -> None:
    """Within a limit of no steps nothing is decided, and that is said."""
    lies, component = made([{0, 1, 4}, set(), set()], "yyy", [0] * 4)
    assert component.hexes is not None
    found = shuffled(shuffle(), lies, component, component.hexes, most_steps=0)

    (problem,) = found.problems
    assert (problem.rule, problem.severity, problem.value) == ("undecided-shuffle", "warning", "0.0%")
    assert "0.0% of 6 arrangements were looked at" in problem.message
    (claim,) = found.shown
    assert isinstance(claim, ClaimShown) and not claim.holds and "not decided" in claim.expression


def test_the_share_is_one_of_all_turns() -> None:
    """Of three tiles that may be turned as well there are 3! × 6³ arrangements, and the share told is that of these."""
    lies, component = made([{0, 1, 4}, set(), set()], "yyy", [0] * 4)
    assert component.hexes is not None
    (problem,) = shuffled(shuffle(turns=True), lies, component, component.hexes, most_steps=0).problems

    assert "0.0% of 1 296 arrangements were looked at" in problem.message


def test_a_fixed_tile_stays_where_it_is() -> None:
    """A tile in parts does harm on one slot only: fixed to another by the column tile, it is let be."""
    rocks: list[set[int]] = [{0, 1, 4}, set(), set()]
    rows = "id,name,back\na,A,y\nb,B,y\nc,C,y\n"
    component = tiles(rows, hex_table(rocks, FLOWER))

    def told(fixed: dict[int, str]) -> bool:
        slots = "".join(f"s{n},y,{q},{r},0,{fixed.get(n, '')}\n" for n, (q, r) in enumerate(CENTRES[:3]))
        lies = layout("slot,pool,q,r,turn,tile\n" + slots, component)
        return bool(look(subject([component], [lies], shuffles=[shuffle()])).problems)

    by_slot = {}
    for slot in range(3):
        hexes = [
            (where, n, (q + dq, r + dr)) for where, (q, r) in enumerate(CENTRES[:3]) for n, (dq, dr) in enumerate(FLOWER)
        ]
        by_slot[slot] = connected({cell for where, number, cell in hexes if where != slot or number not in rocks[0]})
    assert set(by_slot.values()) == {True, False}
    assert {slot: not told({slot: "a"}) for slot in range(3)} == by_slot
    assert told({})


def test_a_start_that_is_missing_or_blocked_is_told() -> None:
    """Without a hex to start from nothing can be reached."""
    lies, component = made([set(), {2}], "yy", [0] * 4)
    (problem,) = look(subject([component], [lies], shuffles=[shuffle(start={"terrain": "ice"})])).problems
    assert problem.rule == "cut-off" and "no hex has terrain ice" in problem.message
    (problem,) = look(subject([component], [lies], shuffles=[shuffle(start={"terrain": "rock"})])).problems
    assert problem.rule == "cut-off" and "nobody enters the hex with terrain rock" in problem.message


def test_pools_that_do_not_fit_are_left_to_the_layout() -> None:
    """With a tile too many there is no arrangement of all; that is told once, elsewhere."""
    component = tiles("id,back\na,y\nb,y\n", hex_table([set(), {0, 1, 4}], FLOWER))
    lies = layout("slot,pool,q,r,turn\ns,y,0,0,0\n", component)
    assert look(subject([component], [lies], shuffles=[shuffle()])) == Report()
    assert look(subject([component], [lies], shuffles=[shuffle(name="elsewhere")])) == Report()


def test_all_rules_are_documented() -> None:
    """The documentation has a paragraph for each rule, beginning with its name."""
    assert all(f"\n``{rule}``: " in (module.__doc__ or "") for rule in RULES)
