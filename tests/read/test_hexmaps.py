"""Maps of hexes: typed as they lie, or without gaps; hexes that touch on the board are neighbours for every rule."""

from __future__ import annotations

from itertools import combinations, product
from pathlib import Path

import pytest
from conftest import TinyProject, examples, pipeline, toml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from shapely import Polygon, unary_union
from typed import typed

from pnp.flows.check import check_game
from pnp.read.boards import read_board
from pnp.shapes import grids
from pnp.shapes.grids import GridName
from pnp.values.game import Board
from pnp.values.problems import Problems

HEXES: tuple[GridName, ...] = ("hex", "hex-flat")
MAP = ". a .\n m m \n. . b\n"
GAME = toml("""
game: name = "Tiny"; papers = ["a4"]
map: kind = "board"; map = "map.txt"; legend = "legend"; cell = "20mm"; grid = "hex"; template = "cards"
""")
LEGEND = "letter,kind,name\n.,plain,Plain\nm,hills,Hills\na,city,Avery\nb,city,Bolton\n"
FACE = """{% extends "shared/face.svg.j2" %}
{% block face %}
{% for c in board.cells %}<path d="{{ c.path }}" fill="#336699"/>{% endfor %}{{ board.grid("#000000") }}
{% for f in board.fields %}<g id="{{ f.label.width }}"/>{% endfor %}
{% endblock %}
"""


def read(folder: Path, text: str, grid: GridName, problems: Problems) -> Board | None:
    (folder / "map.txt").write_text(text)
    letters = sorted({letter for letter in text if letter.strip()})
    return read_board(folder / "map.txt", "map.txt", typed("\n".join(["letter", *letters])), 30.0, problems, grid)


def letters_of(board: Board) -> dict[tuple[int, int], str]:
    return {cell: field.letter for field in board.fields for cell in field.cells}


cells = st.tuples(st.integers(0, 12), st.integers(0, 12))


@settings(max_examples=examples(100), deadline=None)
@given(st.sampled_from(HEXES), cells, st.integers(0, 1))
def test_neighbours_share_an_edge_and_nothing_else_touches(grid: GridName, cell: tuple[int, int], shift: int) -> None:
    """Measured on the hexes as they are drawn, whichever line of the map is the shifted one."""
    here = (2 * cell[0] + (cell[1] + shift) % 2, cell[1])
    if grid == "hex-flat":
        here = here[::-1]
    own = Polygon(grids.corners(grid, here, 20.0))
    assert own.area == pytest.approx(20 * 20 * 3**0.5 / 2)
    for dx, dy in product(range(-4, 5), repeat=2):
        other = (here[0] + dx, here[1] + dy)
        if (dx + dy) % 2 or (dx, dy) == (0, 0):
            continue
        near = Polygon(grids.corners(grid, other, 20.0))
        touching = own.buffer(1e-6).intersection(near.buffer(1e-6))
        edge = touching.length / 2 > 20 / 3**0.5 - 0.01
        assert edge == ((dx, dy) in grids.neighbours(grid)) == (grids.distance(grid, here, other) == 1)
        assert touching.area < 0.01


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(HEXES), st.lists(st.text("ab", min_size=3, max_size=3), min_size=2, max_size=6))
def test_both_ways_of_typing_mean_the_same(tmp_path: Path, grid: GridName, rows: list[str]) -> None:
    """Rows without gaps, each second one shifted, are the same board as letters that stand as the hexes lie."""
    problems = Problems()
    dense = read(tmp_path, "\n".join(rows), grid, problems)
    if grid == "hex":
        lying = "\n".join(" " * (y % 2) + " ".join(row) for y, row in enumerate(rows))
    else:
        lines = [[" "] * 3 for _ in range(2 * len(rows) + 1)]
        for y, row in enumerate(rows):
            for x, letter in enumerate(row):
                lines[2 * y + x % 2][x] = letter
        lying = "\n".join(map("".join, lines))
    typed_out = read(tmp_path, lying, grid, problems)

    assert dense and typed_out and not problems.errors
    assert letters_of(dense) == letters_of(typed_out)
    every = [Polygon(grids.corners(grid, cell, 30.0)) for cell in letters_of(dense)]
    assert unary_union(every).area == pytest.approx(sum(each.area for each in every))
    box = grids.bounds(grid, letters_of(dense), 30.0)
    assert (box.x, box.y) == pytest.approx((0, 0))


@pytest.mark.parametrize("grid", HEXES)
def test_neighbouring_hexes_of_one_letter_are_one_field(tmp_path: Path, grid: GridName) -> None:
    """As squares are; arrows are letters like any, for there are no currents between hexes."""
    board = read(tmp_path, "a a b\n a > \na b a", grid, Problems())
    assert board is not None
    for one, two in combinations(board.fields, 2):
        if one.letter == two.letter:
            apart = min(grids.distance(grid, first, second) for first in one.cells for second in two.cells)
            assert apart > 1
    assert all(field.arrow is None for field in board.fields)


def test_a_hex_between_two_others_is_told(tmp_path: Path) -> None:
    """At its line and column: nobody guesses to which side it was meant."""
    problems = Problems()
    assert read(tmp_path, "a a a a\n a a  b\na a a a", "hex", problems) is None
    assert [(problem.rule, problem.place.row, problem.place.column) for problem in problems] == [("ragged-map", 2, "7")]


def test_hexes_are_called_as_on_railway_maps() -> None:
    """The letter is the row, and numbers count half hexes; of flat hexes the letter is the column."""
    assert [grids.called("hex", cell) for cell in ((0, 0), (2, 0), (1, 1), (51, 27))] == ["A1", "A3", "B2", "AB52"]
    assert grids.called("hex-flat", (1, 3)) == "B4"


@pytest.fixture
def game(tiny: TinyProject) -> TinyProject:
    tiny.put(game_toml=GAME, map_txt=MAP, legend_csv=LEGEND, cards_svg_j2=FACE)
    return tiny


@pytest.mark.parametrize("grid", HEXES)
def test_a_map_of_hexes_is_printed(game: TinyProject, grid: str) -> None:
    """As large as its hexes, and over several pages when it is larger than one."""
    game.write("content/tiny/game.toml", GAME.replace('"hex"', f'"{grid}"'))
    result = game.build("none")
    assert result.ok, [str(problem) for problem in result.problems]
    made = pipeline(game.project).game
    assert made is not None
    size = (made.components[0].width, made.components[0].height)
    side = 20 / 3**0.5
    pointed = (60, 2 * side + 3 * side)
    flat = (5 * 1.5 * side + side / 2, 40)
    assert size == pytest.approx(pointed if grid == "hex" else flat)
    game.write("content/tiny/game.toml", GAME.replace('"hex"', f'"{grid}"').replace("20mm", "150mm"))
    assert game.build("none").ok


@pytest.mark.parametrize(("walls", "ok"), [("", True), ('blocked = ["plain"]', True), ('blocked = ["hills"]', False)])
def test_the_rules_of_movement_know_hexes(game: TinyProject, walls: str, ok: bool) -> None:
    """A way from city to city is found over edges that hexes share; where there is none, the hex is named."""
    game.write("content/tiny/rules.toml", f'[movement.map]\nstarts = ["city"]\ngoals = ["city"]\n{walls}\n')
    problems = list(check_game(game.project, "tiny", lambda _: None, draw=False).problems)
    lost = [problem for problem in problems if problem.rule == "unreachable"]

    assert bool(lost) != ok
    assert all(problem.place.column in ("A3", "C5") for problem in lost)


@pytest.mark.parametrize("key", ["diagonal = true", 'wraps = ["plain"]'])
def test_what_only_squares_have_is_refused(game: TinyProject, key: str) -> None:
    """Hexes have no steps over corners, and the edge of their board is no line that leads to the opposite one."""
    game.write("content/tiny/rules.toml", f'[movement.map]\nstarts = ["city"]\ngoals = ["city"]\n{key}\n')
    errors = check_game(game.project, "tiny", lambda _: None, draw=False).problems.errors

    assert [problem.rule for problem in errors] == ["bad-value"]
