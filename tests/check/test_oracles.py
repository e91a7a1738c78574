"""Verdicts against oracles that share no code with them: brute force and networkx, over random games.

What the checker proves or refutes of tiles, layouts and set-ups is decided here once more from the tables alone.
With PNP_LONG there are thousands of each.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import permutations, product

import networkx as nx
import pytest
from boards import HERE, component, dominoes, layout, subject, table, taken, tiles
from conftest import LONG
from oracles import AROUND, Hex, flows, hex_graph, motions

from pnp.check import layouts as layout_rules
from pnp.check import setup as setup_rules
from pnp.check import shuffles as shuffle_rules
from pnp.check.tile_search import Tile, Tiling, decide
from pnp.read.boards import read_layout
from pnp.shapes import hexes
from pnp.values.findings import Subject
from pnp.values.problems import Problems
from pnp.values.rules import Rules
from pnp.values.sections import Setup, Shuffle

MANY = 3000 if LONG else 150
SEEDS = range(8)


def chances(seed: int, least: int = 1) -> tuple[random.Random, range]:
    """Chance that is the same in every run, and how often it is asked."""
    return random.Random(seed), range(max(least, MANY // len(SEEDS)))


def grown(chance: random.Random, size: int) -> list[Hex]:
    """A shape of so many hexes that hang together, typed around no particular hex."""
    shape = [(chance.randint(-3, 3), chance.randint(-3, 3))]
    while len(shape) < size:
        q, r = chance.choice(shape)
        dq, dr = chance.choice(AROUND)
        if (q + dq, r + dr) not in shape:
            shape.append((q + dq, r + dr))
    return shape


@pytest.mark.parametrize("seed", SEEDS)
def test_shuffles_are_those_of_trying_all(seed: int) -> None:
    """Two or three tiles of any shape, with any hexes blocked, turned or not, in pools or one: refuted just when one
    arrangement, laid out as a graph, is in parts."""
    chance, rounds = chances(seed)
    for _ in rounds:
        shape = grown(chance, chance.randint(1, 5))
        number = chance.randint(1, 3)
        rocks = [{cell for cell in shape if chance.random() < 0.3} for _ in range(number)]
        pool = [chance.choice("yr") for _ in range(number)]
        turns = chance.random() < 0.7
        places = _side_by_side(chance, shape, number)
        if places is None:
            continue
        rows = "id,name,back\n" + "".join(f"{chr(97 + tile)},Tile {tile},{pool[tile]}\n" for tile in range(number))
        cells = "tile,q,r,terrain\n" + "".join(
            f"{chr(97 + tile)},{q},{r},{'rock' if (q, r) in rocks[tile] else 'sea'}\n"
            for tile in range(number)
            for q, r in shape
        )
        of = tiles(rows, cells)
        slots = "".join(f"s{slot},{pool[slot]},{q},{r}\n" for slot, (q, r) in enumerate(places))
        lies = layout("slot,pool,q,r\n" + slots, of)
        asked = Shuffle(blocked={"terrain": ("rock",)}, turns=turns).at(HERE, "start")
        found = shuffle_rules.look(subject([of], [lies], shuffles=[asked])).problems

        ways = motions(shape) if turns else [{cell: cell for cell in shape}]
        whole = True
        for order in permutations(range(number)):
            if any(pool[tile] != pool[slot] for slot, tile in enumerate(order)):
                continue
            for turned in product(ways, repeat=number):
                free = [
                    (there[0] + places[slot][0], there[1] + places[slot][1])
                    for slot, tile in enumerate(order)
                    for cell, there in turned[slot].items()
                    if cell not in rocks[tile]
                ]
                whole = whole and (not free or nx.is_connected(hex_graph(free)))
        assert (not found) == whole, (shape, rocks, pool, turns, places)


def _side_by_side(chance: random.Random, shape: Sequence[Hex], number: int) -> list[Hex] | None:
    """Places for so many of a shape that share no hex, each beside another; None when none were found."""
    places = [(0, 0)]
    taken = set(shape)
    for _ in range(200):
        if len(places) == number:
            return places
        dq, dr = chance.randint(-5, 5), chance.randint(-5, 5)
        there = {(q + dq, r + dr) for q, r in shape}
        beside = {(q + dq, r + dr) for q, r in there for dq, dr in AROUND}
        if not there & taken and beside & taken:
            places.append((dq, dr))
            taken |= there
    return None


def test_a_piece_may_be_turned_about_any_centre() -> None:
    """A rock beside a passage, and a tile of two hexes turned about the edge between them: that cuts the sea in two.

    The hexes are typed so that no turn about 0, 0 leaves the tile where it is."""
    of = tiles(
        "id,name,back\nleft,Left,x\nright,Right,y\n",
        "tile,q,r,terrain\nleft,0,0,rock\nleft,1,0,sea\nright,0,0,sea\nright,1,0,rock\n",
    )
    lies = layout("slot,pool,q,r\nfirst,x,0,0\nsecond,y,2,0\n", of)
    (problem,) = shuffle_rules.look(
        subject([of], [lies], shuffles=[Shuffle(blocked={"terrain": ("rock",)}, turns=True).at(HERE, "start")])
    ).problems

    assert problem.rule == "cut-off"
    assert "turned by 180°" in f"{problem.message} {problem.hint}"


@pytest.mark.parametrize("by", [(0, 0), (1, 1), (-7, 3)])
def test_a_flower_turns_wherever_it_is_typed(by: Hex) -> None:
    """Seven hexes with one way out, to the right: turned, the way out is lost. Where the flower is typed is the same."""
    ring = hexes.FLOWER[1:]
    cells = "".join(
        f"{tile},{q + by[0]},{r + by[1]},{'sea' if (q, r) in ((0, 0), way) else 'rock'}\n"
        for tile, way in (("a", (1, 0)), ("b", (-1, 0)))
        for q, r in ((0, 0), *ring)
    )
    of = tiles("id,name,back\na,A,x\nb,B,y\n", "tile,q,r,terrain\n" + cells)
    # The right hex of the first lies beside the left hex of the second.
    lies = layout("slot,pool,q,r\none,x,0,0\ntwo,y,3,-1\n", of)

    def holds(turns: bool) -> bool:
        asked = Shuffle(blocked={"terrain": ("rock",)}, turns=turns).at(HERE, "start")
        return not shuffle_rules.look(subject([of], [lies], shuffles=[asked])).problems

    assert not holds(turns=True)


@pytest.mark.parametrize("seed", SEEDS)
def test_tilings_of_many_slots_are_those_of_trying_all(seed: int) -> None:
    """Four tiles with masks of any kind on a ring or a row of slots, copies among them: the search against all orders."""
    chance, rounds = chances(seed)
    for _ in rounds:
        slots, size = chance.randint(2, 4), chance.randint(1, 3)
        inside = [(a, b) for a in range(size) for b in range(a + 1, size) if chance.random() < 0.6]
        borders = sorted(
            {
                (first, chance.randrange(size), second, chance.randrange(size))
                for first in range(slots)
                for second in range(first + 1, slots)
                for _ in range(chance.randint(0, 2))
            }
        )
        kinds = [tuple(chance.randrange(1 << size) for _ in range(chance.randint(1, 2))) for _ in range(3)]
        chosen = [chance.randrange(3) for _ in range(slots)]
        tiling = Tiling((0,) * slots, tuple(inside), tuple(borders), tuple(Tile(0, kinds[k], str(k)) for k in chosen))

        whole = True
        for order in permutations(chosen):
            for masks in product(*(kinds[kind] for kind in order)):
                graph = nx.Graph()
                graph.add_nodes_from(
                    (slot, bit) for slot, mask in enumerate(masks) for bit in range(size) if mask >> bit & 1
                )
                pairs = [((slot, a), (slot, b)) for slot in range(slots) for a, b in inside]
                pairs += [((first, cell), (second, other)) for first, cell, second, other in borders]
                graph.add_edges_from(pair for pair in pairs if pair[0] in graph and pair[1] in graph)
                whole = whole and (not graph or nx.is_connected(graph))
        assert decide(tiling).holds is whole, tiling


@pytest.mark.parametrize("seed", SEEDS)
def test_layouts_are_those_of_graphs(seed: int) -> None:
    """Slots strewn about: the parts, the holes and the pieces whose removal splits the rest, by networkx."""
    chance, rounds = chances(seed)
    for _ in rounds:
        number = chance.randint(1, 9)
        cells = chance.sample([(q, r) for q in range(-2, 3) for r in range(-2, 3)], number)
        rows = "id,name,back\n" + "".join(f"t{index},T,x\n" for index in range(number))
        of = tiles(rows, "tile,q,r\n" + "".join(f"t{index},0,0\n" for index in range(number)))
        lies = layout("slot,pool,q,r\n" + "".join(f"{q}/{r},x,{q},{r}\n" for q, r in cells), of)
        found = [problem.rule for problem in layout_rules.look(subject([of], [lies])).problems]
        graph = hex_graph(cells)
        empty = hex_graph({(q, r) for q in range(-4, 5) for r in range(-4, 5)} - set(cells))

        assert found.count("layout-parts") == nx.number_connected_components(graph) - 1
        assert found.count("layout-holes") == nx.number_connected_components(empty) - 1
        if nx.is_connected(graph):
            splits = {cells[index] for index, _ in layout_rules.bridges(lies, of)}
            assert splits == set(nx.articulation_points(graph))


@pytest.mark.parametrize("highest", [6, 9, 12, 15, 18])
def test_every_domino_of_a_set_can_be_laid(highest: int) -> None:
    """Each pair of numbers names its domino, whichever end is typed first."""
    of = dominoes(highest)
    pairs = [(a, b) for a in range(highest + 1) for b in range(a, highest + 1)]
    for swapped in (False, True):
        rows = "".join(
            f"{b if swapped else a},{a if swapped else b},{2 * (index % 20)},{index // 20},0\n"
            for index, (a, b) in enumerate(pairs)
        )
        problems = Problems()
        read_layout("start", "Start", table("layout", "a,b,x,y,turn\n" + rows), of, HERE, problems)
        assert not list(problems)
        lies = layout("a,b,x,y,turn\n" + rows, of)
        found = {problem.rule for problem in layout_rules.look(subject([of], [lies])).problems}
        assert not found & {"domino-twice", "domino-missing"}


@pytest.mark.parametrize("seed", SEEDS)
def test_set_ups_are_those_of_a_flow(seed: int) -> None:
    """Up to twenty-five takes of one component that share rows, for two numbers of players: short just when the greatest
    flow from rows to takes is less than what is taken."""
    chance, rounds = chances(seed)
    for _ in rounds:
        columns, count = chance.randint(1, 25), chance.randint(1, 12)
        copies = [chance.randint(0, 6) for _ in range(count)]
        often = chance.choice([0.1, 0.2, 0.4])
        member = [[chance.random() < often for _ in range(columns)] for _ in range(count)]
        # Each take by itself can be served: what is short is only short together.
        own = [sum(copies[row] for row in range(count) if member[row][column]) for column in range(columns)]
        numbers = [chance.randint(0, most // chance.randint(1, 5)) for most in own]
        head = ",".join(["id", "copies", *(f"c{column}" for column in range(columns))])
        lines = [
            ",".join([f"r{row}", str(copies[row]), *("yes" if member[row][column] else "no" for column in range(columns))])
            for row in range(count)
        ]
        of = component("cards", "card", table("cards", "\n".join([head, *lines]) + "\n"))
        for row, cells in zip(copies, of.table.rows, strict=True):
            cells.copies = row
        takes = {
            f"t{column}": taken(
                f"t{column}", f"t{column}", {f"c{column}": "yes"}, f"{number} + (players // 3) * {int(number < most)}"
            )
            for column, (number, most) in enumerate(zip(numbers, own, strict=True))
        }
        game = subject([of]).game
        object.__setattr__(game, "rules", Rules(setup=Setup(players="2-3", take=takes)))
        problems = setup_rules.look(Subject(game)).problems

        served = all(
            flows(
                copies,
                member,
                [number + (number < most) * (players // 3) for number, most in zip(numbers, own, strict=True)],
            )
            for players in (2, 3)
        )
        assert (not problems) == served, (copies, member, numbers)
        assert all(problem.rule == "set-up" for problem in problems)
