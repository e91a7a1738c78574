"""Layouts without holes and gaps, slots that fit their tiles, every domino once, paths that go on, and bridges listed."""

from __future__ import annotations

import pytest
from boards import dominoes, layout, subject, tiles

from pnp.check.layouts import bridges, look
from pnp.values.findings import MapShown, TableShown
from pnp.values.game import Component
from pnp.values.problems import Problem

SIDES = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
FLOWER = [(0, 0), *SIDES]
# Six flowers around a seventh; without that one there is a hole.
RING = [(2, 1), (-1, 3), (-3, 2), (-2, -1), (1, -3), (3, -2)]


def flowers(number: int, back: str = "y", paths: dict[tuple[int, int, int], str] | None = None) -> Component:
    """So many tiles of seven hexes, all with one back; ``paths`` by tile and hex."""
    rows = "".join(f"t{tile},{back}\n" for tile in range(number))
    all_cells = [(tile, q, r) for tile in range(number) for q, r in FLOWER]
    cells = "".join(f't{tile},{q},{r},"{(paths or {}).get((tile, q, r), "")}"\n' for tile, q, r in all_cells)
    return tiles("id,back\n" + rows, ("tile,q,r,paths\n" if paths is not None else "tile,q,r,_\n") + cells)


def slots(centres: list[tuple[int, int]], pools: str = "") -> str:
    """A layout's table with slots named by their order."""
    rows = [f"s{number},{pools[number] if pools else 'y'},{q},{r},0\n" for number, (q, r) in enumerate(centres)]
    return "slot,pool,q,r,turn\n" + "".join(rows)


def told(rows: str, component: Component) -> list[Problem]:
    """What is wrong with a layout."""
    return list(look(subject([component], [layout(rows, component)])).problems)


def rules_of(problems: list[Problem]) -> list[str]:
    """The rules that fired."""
    return [problem.rule for problem in problems]


def test_a_slot_of_another_pool_is_told_on_both_sides() -> None:
    """A yellow slot made red: one yellow tile has none, and one red slot no tile."""
    rows = "".join(f"t{tile},{back}\n" for tile, back in enumerate("yyr"))
    problems = told(slots([(0, 0), (1, 0), (2, 0)], "yrr"), tiles(f"id,back\n{rows}", "tile,q,r\nt0,0,0\nt1,0,0\nt2,0,0\n"))

    assert rules_of(problems) == ["slots-and-pools", "slots-and-pools"]
    pools = {problem.message.partition(": ")[2].partition(" has ")[0] for problem in problems}
    assert pools == {'the pool "y"', 'the pool "r"'}


def test_a_domino_laid_twice_is_told_with_the_one_that_lacks() -> None:
    """The double one made a one and nought: that one lies twice, and the double one is missing."""
    twice, missing = told("a,b,x,y,turn\n0,0,0,0,0\n0,1,2,0,0\n1,0,4,0,0\n", dominoes(1))

    assert (twice.rule, twice.value, twice.place.row, twice.hint) == ("domino-twice", "0-1", 4, "Missing: 1-1.")
    assert (missing.rule, missing.value) == ("domino-missing", "1-1")


def test_a_hole_is_named_by_the_slots_around_it() -> None:
    """Six flowers in a ring enclose seven hexes; with the seventh flower there is none."""
    six = flowers(6)
    (problem,) = told(slots(RING), six)

    assert problem.rule == "layout-holes"
    assert "7 empty hexes" in problem.message and "q 0, r 0" in problem.message
    assert problem.message.endswith("between s0, s1, s2, s3, s4, s5")
    assert told(slots([*RING, (0, 0)]), flowers(7)) == []
    drawn = [shown for shown in look(subject([six], [layout(slots(RING), six)])).shown if isinstance(shown, MapShown)]
    assert [spot.state for spot in drawn[0].spots].count("bad") == 7


def test_a_tile_fixed_to_a_slot_must_exist() -> None:
    """A misspelt tile is told at its cell, with the right one; one tile cannot lie on two slots."""
    table = "slot,pool,q,r,turn,tile\na,y,0,0,0,{}\nb,y,2,1,0,{}\n"
    assert told(table.format("t0", ""), flowers(2)) == []
    problems = told(table.format("t0", "t9"), flowers(2))
    assert problems[0].rule == "slots-and-pools" and str(problems[0].place) == "layout.csv:3:tile"
    problems = told(table.format("t0", "t0"), flowers(2))
    assert 'the tile "t0" is fixed to more slots than there are copies of it' in problems[0].message


def test_paths_go_on_inside_a_tile() -> None:
    """A path from the middle to the right must be met by one from the right to the middle."""
    assert told(slots([(0, 0)]), flowers(1, paths={(0, 0, 0): "0", (0, 1, 0): "3"})) == []
    (problem,) = told(slots([(0, 0)]), flowers(1, paths={(0, 0, 0): "0 3", (0, 1, 0): "3"}))

    assert problem.rule == "layout-edges"
    assert 'inside the tile "t0", the path of the hex 0, 0 (row 2) ends at the hex -1, 0' in problem.message
    assert problem.place.column == "paths"
    (problem,) = told(slots([(0, 0)]), flowers(1, paths={(0, 1, 0): "7"}))
    assert problem.rule == "layout-edges" and problem.value == "7"


@pytest.mark.parametrize("turn", [0, 60, 300])
def test_paths_go_on_between_fixed_tiles(turn: int) -> None:
    """On whatever side a slot's turn puts the end of a path, there the next tile must have its own."""
    # The hex 1, 0 of the first tile has the hex 0, -1 of a flower at 2, 1 to its right.
    component = flowers(2, paths={(0, 1, 0): "0", (1, 0, -1): "3"})
    (q, r) = (2, 1)
    for _ in range(turn // 60):
        q, r = -r, q + r
    table = f"slot,pool,q,r,turn,tile\na,y,0,0,{turn},t0\nb,y,{q},{r},{{}},t1\n"
    astray = told(table.format((turn + 180) % 360), component)

    assert told(table.format(turn), component) == []
    assert rules_of(astray) == ["layout-edges"]
    assert "between tiles of Start, the path of the hex 1, 0 (row 3) ends at the hex" in astray[0].message
    shuffled = table.replace(",tile\n", "\n").replace(",t0\n", "\n").replace(",t1\n", "\n")
    assert told(shuffled.format((turn + 180) % 360), component) == []


def test_bridges_are_listed_with_the_parts_they_join() -> None:
    """In a row of three dominoes the middle one is a bridge; in a block of them none is."""
    component = dominoes(1)
    row = layout("a,b,x,y,turn\n0,0,0,0,0\n0,1,2,0,0\n1,1,4,0,0\n", component)
    block = layout("a,b,x,y,turn\n0,0,0,0,0\n0,1,0,1,0\n1,1,2,0,90\n", component)

    assert bridges(row, component) == [(1, [1, 1])]
    assert bridges(block, component) == []
    report = look(subject([component], [row]))
    table, drawn = report.shown
    assert isinstance(table, TableShown) and table.rows == (("0-1", "1 + 1"),)
    assert isinstance(drawn, MapShown) and [spot.state for spot in drawn.spots] == ["plain", "path", "plain"]
