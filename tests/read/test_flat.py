"""Flat pieces as they are read: one design without a table, tiles of one table, the places of a tracker's spaces."""

from __future__ import annotations

import pytest
from conftest import TinyProject, examples
from hypothesis import given, settings
from hypothesis import strategies as st
from test_folded import LIKE, components, faults

from pnp.read.boards import one_table_tiles
from pnp.values.problems import Place, Problems
from pnp.values.tables import Cell, Row, Table

SIZED = 'size = "30mm x 30mm"\n'
ONE_DESIGN = {"card": SIZED, "token": SIZED, "board": SIZED, "tile": 'hex = "20mm"\n'}


@pytest.mark.parametrize("kind", ONE_DESIGN)
def test_one_design_needs_no_table(tiny: TinyProject, kind: str) -> None:
    """Twenty blank cards or wooden cubes of paper are a number, not a table; the template sees id and name."""
    made = components(tiny, f'[component.cube]\nkind = "{kind}"\n{ONE_DESIGN[kind]}copies = 20\n{LIKE}')["cube"]
    (row,) = made.table

    assert (row.id, row["name"], made.copies) == ("cube", "Cube", 20)


@pytest.mark.parametrize("kind", ["card", "token"])
def test_a_table_of_that_name_beside_copies_is_no_riddle(tiny: TinyProject, kind: str) -> None:
    """Neither the table nor the number is left out in silence."""
    toml = f'[component.cube]\nkind = "{kind}"\n{SIZED}copies = 20\n{LIKE}'

    assert faults(tiny, toml, cube="id\na\n") == [("two-copies", "component.cube.copies")]
    assert faults(tiny, toml.replace("copies", 'table = "cards"\ncopies')) == [("two-copies", "component.cube.copies")]


places = st.lists(st.tuples(st.integers(-40, 40), st.integers(-40, 40)), unique=True, max_size=9)


@settings(max_examples=examples(80), deadline=None)
@given(places, st.sampled_from([" ", "; ", "  "]))
def test_a_row_lists_its_hexes(cells: list[tuple[int, int]], between: str) -> None:
    """As typed, in that order; a row that lists none is one hex, and each hex has all that the row says."""
    problems = Problems()
    made = one_table_tiles("tiles", tiles(between.join(f"{q},{r}" for q, r in cells)), 30.0, problems)

    assert made is not None and not problems.errors
    assert [(cell.q, cell.r) for cell in made.tiles["reef"]] == (cells or [(0, 0)])
    assert all(cell.row.id == "reef" for cell in made.tiles["reef"])


@pytest.mark.parametrize(("text", "rule"), [("0,0 1", "bad-number"), ("41,0", "bad-number"), ("1,0 1,0", "double-hex")])
def test_what_is_no_place_is_told(text: str, rule: str) -> None:
    """At its cell, with the very word that is wrong."""
    problems = Problems()
    assert one_table_tiles("tiles", tiles(text), 30.0, problems) is None
    assert [(problem.rule, problem.place.column) for problem in problems] == [(rule, "hexes")]


def test_tiles_of_one_hex_need_one_table(tiny: TinyProject) -> None:
    """As large as one hex from flat to flat, pointed at the top."""
    toml = f'[component.land]\nkind = "tile"\nhex = "30mm"\n{LIKE}'
    made = components(tiny, toml, land="id,copies,good\nhill,3,brick\nwood,4,lumber\n")["land"]

    assert (made.copies, made.width, made.height) == (7, pytest.approx(30), pytest.approx(30 * 2 / 3**0.5))


def tiles(hexes: str) -> Table:
    """A table of one tile."""
    place = Place("tiles", 2)
    cells = {"hexes": Cell(hexes, hexes, Place("tiles", 2, "hexes"))}
    return Table("tiles", "tiles", ("hexes",), (Row("reef", 1, place, cells, set()),), set())
