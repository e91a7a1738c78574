"""Layouts: what a slot covers is what lies there, so that two pieces on one spot are found."""

from __future__ import annotations

import cmath
import math
from dataclasses import replace

from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from typed import component, typed

from pnp.read.boards import read_layout
from pnp.read.flat import domino_table
from pnp.values.game import Component, HexCell, HexTiles, Layout
from pnp.values.problems import Place, Problems

Hex = tuple[int, int]

BONES = component(domino_table("bones", 6, Place("game.toml")), "domino")
ROD = ((0, 0), (1, 0), (2, 0))


def tiles(shape: tuple[Hex, ...]) -> Component:
    """Two tiles of a shape, a blue and a red one."""
    table = typed("id,back\nbay,blue\nreef,red", "tiles")
    made = {row.id: tuple(HexCell(q, r, row) for q, r in shape) for row in table}
    return replace(component(table, "tile"), hexes=HexTiles(40.0, made))


def read(text: str, of: Component, problems: Problems) -> Layout | None:
    return read_layout("start", "Start", typed(text), of, Place("game.toml"), problems)


def covered(text: str, of: Component) -> list[set[tuple[int, int]]]:
    """The cells under each piece of a sound layout."""
    problems = Problems()
    layout = read(text, of, problems)
    assert layout is not None, [str(problem) for problem in problems]
    return [set(slot.cells) for slot in layout.slots]


def spot(cell: Hex) -> complex:
    """A hex's middle, a step to the right being 1 and a step to the lower right 60 degrees below that."""
    return cell[0] + cell[1] * cmath.rect(1, math.pi / 3)


@settings(max_examples=examples(100), deadline=None)
@given(
    st.sets(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=6),
    st.tuples(st.integers(-9, 9), st.integers(-9, 9)),
    st.sampled_from([0, 60, 120, 180, 240, 300]),
)
def test_a_tile_covers_its_own_shape_turned_clockwise_and_moved(shape: set[Hex], at: Hex, turn: int) -> None:
    """Middles of the covered hexes are those of the tile, turned about its hex 0, 0, which lies on the slot's q, r."""
    (cells,) = covered(f"q,r,turn,pool\n{at[0]},{at[1]},{turn},blue", tiles(tuple(shape)))
    wanted = [spot(at) + spot(cell) * cmath.rect(1, math.radians(turn)) for cell in shape]

    assert len(cells) == len(shape)
    assert all(min(abs(spot(cell) - there) for there in wanted) < 1e-9 for cell in cells)


@settings(max_examples=examples(100), deadline=None)
@given(
    st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.sampled_from([0, 60, 120, 180])), min_size=1, max_size=5)
)
def test_an_overlap_is_found_exactly_when_there_is_one(slots: list[tuple[int, int, int]]) -> None:
    """Each piece is tried alone: all of them together are a layout when no hex is under two."""
    alone = [covered(f"q,r,turn,pool\n{q},{r},{turn},red", tiles(ROD))[0] for q, r, turn in slots]
    apart = sum(map(len, alone)) == len(set().union(*alone))
    problems = Problems()
    together = read("\n".join(["q,r,turn,pool", *(f"{q},{r},{turn},red" for q, r, turn in slots)]), tiles(ROD), problems)

    assert (together is not None) == apart
    assert {problem.rule for problem in problems} == (set() if apart else {"layout-overlap"})


def test_a_domino_covers_two_squares_turned_clockwise() -> None:
    """From its first square on to the right, down, left or up."""
    rows = ["0,0,0,0,0", "0,1,5,5,90", "0,2,9,9,180", "6,5,-3,-3,270"]

    squares = [{(0, 0), (1, 0)}, {(5, 5), (5, 6)}, {(9, 9), (8, 9)}, {(-3, -3), (-3, -4)}]
    assert covered("\n".join(["a,b,x,y,turn", *rows]), BONES) == squares


@settings(max_examples=examples(80), deadline=None)
@given(st.lists(st.tuples(*[st.text(st.characters(exclude_characters=",\n"), max_size=4)] * 5), min_size=1, max_size=4))
def test_no_cell_is_too_odd(rows: list[tuple[str, ...]]) -> None:
    """Whatever is typed, there is a layout or at least one Problem, never both, and never a traceback."""
    for header, of in (("q,r,turn,pool,a", tiles(ROD)), ("a,b,x,y,turn", BONES)):
        problems = Problems()
        made = read("\n".join([header, *map(",".join, rows)]), of, problems)

        assert (made is None) == bool(problems.errors)
