"""Every shuffle is looked at: what is proved holds for each arrangement, what is refuted is shown, the rest is admitted."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import permutations, product
from pathlib import Path

import pytest
from boards import HERE, ROOT, layout, shipped, subject, tiles
from conftest import examples, read_whole
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import motions

from pnp.check.shuffles import look, shuffled
from pnp.check.tile_search import Outcome, Tile, Tiling, decide
from pnp.read.project import Project
from pnp.values.findings import ClaimShown, MapShown, Report, Subject, TableShown
from pnp.values.game import Component, Game, Layout
from pnp.values.rules import Rules
from pnp.values.sections import Shuffle

Hex = tuple[int, int]
PENGUINS = "penguin-pirates"
SIDES: list[Hex] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
FLOWER: list[Hex] = [(0, 0), *SIDES]
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


TRIANGLE: list[Hex] = [(0, 0), (1, 0), (0, 1)]


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


# --- what is said about it ----------------------------------------------------------------------------------------------


def shown(report: Report, kind: type) -> list[object]:
    """What a report shows of one kind."""
    return [one for one in report.shown if isinstance(one, kind)]


@pytest.fixture(scope="module")
def penguins() -> Game:
    """The shipped game."""
    return read_whole(Project(ROOT), PENGUINS)


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
