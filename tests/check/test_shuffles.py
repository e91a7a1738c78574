"""Every shuffle is looked at: what is proved holds for each arrangement, what is refuted is shown, the rest is admitted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product

from boards import HERE, layout, subject, tiles
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp.check.shuffles import look
from pnp.check.tile_search import Outcome, Tile, Tiling, decide
from pnp.values.findings import ClaimShown, MapShown, TableShown
from pnp.values.game import Component, Layout
from pnp.values.sections import Shuffle

Hex = tuple[int, int]
SIDES: list[Hex] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
FLOWER: list[Hex] = [(0, 0), *SIDES]
# Centres of flowers that fit together, from the first outwards.
CENTRES: list[Hex] = [(0, 0), (2, 1), (-1, 3), (3, -2), (1, 4)]


def shuffle(turns: bool = False, start: dict[str, str] | None = None, name: str = "start") -> Shuffle:
    """Rocks are blocked."""
    return Shuffle(blocked={"terrain": ("rock",)}, start=start or {}, turns=turns).at(HERE, name)


def hex_table(rocks: list[set[int]]) -> str:
    """The hexes of tiles a, b, c …, all of them flowers, with rocks on some, by their number in the flower."""
    rows = [
        f"{chr(97 + tile)},{q},{r},{'rock' if number in blocked else 'sea'}\n"
        for tile, blocked in enumerate(rocks)
        for number, (q, r) in enumerate(FLOWER)
    ]
    return "tile,q,r,terrain\n" + "".join(rows)


def made(rocks: list[set[int]], pools: str, turns: list[int]) -> tuple[Layout, Component]:
    """Tiles with rocks and as many slots side by side, each in a pool; a tile has the pool of its slot."""
    rows = "id,name,back\n" + "".join(f"{chr(97 + tile)},Tile {tile},{pool}\n" for tile, pool in enumerate(pools))
    component = tiles(rows, hex_table(rocks))
    slots = "".join(
        f"slot-{number},{pool},{q},{r},{turn}\n"
        for number, (pool, (q, r), turn) in enumerate(zip(pools, CENTRES, turns, strict=False))
    )
    return layout("slot,pool,q,r,turn\n" + slots, component), component


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


def arrangements(rocks: list[set[int]], pools: str, turns: list[int]) -> Iterator[set[Hex]]:
    """The hexes that may be entered, for each arrangement."""
    for order in permutations(range(len(rocks))):
        if any(pools[tile] != pools[slot] for slot, tile in enumerate(order)):
            continue
        free = set()
        for slot, tile in enumerate(order):
            q, r = CENTRES[slot]
            cells = [turned(cell, turns[slot] // 60) for number, cell in enumerate(FLOWER) if number not in rocks[tile]]
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


def test_a_shuffle_that_cuts_hexes_off_is_shown_with_its_picture() -> None:
    """Every tile on its slot in a table, and on a map what nobody comes to beside what nobody enters."""
    lies, component = made([{0, 1, 4}, set(), set()], "yyy", [0] * 4)
    report = look(subject([component], [lies], shuffles=[shuffle()]))
    (problem,) = report.problems
    claim, table, drawn = report.shown

    assert problem.rule == "cut-off" and "a shuffle cuts" in problem.message
    assert isinstance(claim, ClaimShown) and not claim.holds
    assert isinstance(table, TableShown) and sorted(row[2] for row in table.rows) == ["Tile 0", "Tile 1", "Tile 2"]
    assert isinstance(drawn, MapShown)
    states = [spot.state for spot in drawn.spots]
    assert len(states) == 3 * 7 and states.count("blocked") == 3 and "bad" in states


def test_a_fixed_tile_stays_where_it_is() -> None:
    """A tile in parts does harm on one slot only: fixed to another by the column tile, it is let be."""
    rocks: list[set[int]] = [{0, 1, 4}, set(), set()]
    rows = "id,name,back\na,A,y\nb,B,y\nc,C,y\n"
    component = tiles(rows, hex_table(rocks))

    def told(fixed: dict[int, str]) -> bool:
        slots = "".join(f"s{n},y,{q},{r},0,{fixed.get(n, '')}\n" for n, (q, r) in enumerate(CENTRES[:3]))
        lies = layout("slot,pool,q,r,turn,tile\n" + slots, component)
        return bool(look(subject([component], [lies], shuffles=[shuffle()])).problems)

    centres = list(enumerate(CENTRES[:3]))
    hexes = [(where, n, (q + dq, r + dr)) for where, (q, r) in centres for n, (dq, dr) in enumerate(FLOWER)]
    free = [{cell for where, n, cell in hexes if where != slot or n not in rocks[0]} for slot in range(3)]
    whole = [connected(cells) for cells in free]
    assert set(whole) == {True, False}
    assert [not told({slot: "a"}) for slot in range(3)] == whole
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
    expected = all(connected(free) for free in arrangements(rocks, pools, turns))

    assert (found.problems == ()) == expected
    assert {problem.rule for problem in found.problems} <= {"cut-off"}
