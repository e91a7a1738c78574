"""A table of hexes makes tiles; dominoes make themselves."""

from __future__ import annotations

from collections import Counter
from math import comb

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from typed import typed

from pnp.read.boards import read_hextiles
from pnp.read.flat import domino_table
from pnp.values.game import HexTiles
from pnp.values.problems import Place, Problems
from pnp.values.tables import Cell, Table

TILES = typed("id\nbay\nreef", "tiles")
hexes_of_tiles = st.lists(
    st.tuples(st.sampled_from(["bay", "reef"]), st.integers(-4, 4), st.integers(-4, 4)), unique=True, min_size=1, max_size=20
)


def read(hexes: Table, problems: Problems, tiles: Table = TILES) -> HexTiles | None:
    return read_hextiles("tiles", tiles, hexes, 42.0, problems)


@settings(max_examples=examples(80), deadline=None)
@given(hexes_of_tiles)
def test_every_hex_lies_in_its_tile_where_it_was_typed(rows: list[tuple[str, int, int]]) -> None:
    """Tiles together have the table's rows, each once, in the table's order; a tile without one is a Problem."""
    problems = Problems()
    made = read(typed("\n".join(["tile,q,r", *(f"{tile},{q},{r}" for tile, q, r in rows)])), problems)
    tiles = {tile for tile, _, _ in rows}
    if made is None:
        assert len(tiles) == 1 and [problem.rule for problem in problems] == ["no-hexes"]
        return

    assert made.size == 42
    found = {name: [(cell.q, cell.r) for cell in cells] for name, cells in made.tiles.items()}
    assert found == {name: [(q, r) for tile, q, r in rows if tile == name] for name in ("bay", "reef")}
    assert all(cell.row.text_of("tile") == name for name, cells in made.tiles.items() for cell in cells)


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(st.tuples(*[st.text(st.characters(exclude_characters=",\n"), max_size=6)] * 3), max_size=6))
def test_no_cell_is_too_odd(rows: list[tuple[str, str, str]]) -> None:
    """Whatever is typed, there are tiles or at least one Problem, never both, and never a traceback."""
    problems = Problems()
    made = read(typed("\n".join(["tile,q,r", *map(",".join, rows)])), problems)

    assert (made is None) == bool(problems.errors)


@pytest.mark.parametrize("column", ["q", "r"])
@pytest.mark.parametrize("far", [40, -40])
def test_a_tile_reaches_forty_hexes_far(column: str, far: int) -> None:
    """In each direction: such a coordinate is none that is told."""
    q, r = (far, 0) if column == "q" else (0, far)
    problems = Problems()
    read(typed(f"tile,q,r\nbay,{q},{r}\nreef,0,0"), problems)

    assert "bad-number" not in {problem.rule for problem in problems}


def test_a_tile_that_could_not_be_read_is_not_blamed_on_its_hexes() -> None:
    """One ragged row of the tiles is one Problem, told where it is, not once more for each hex; nor the other way round."""
    problems = Problems()
    ragged = typed("id\nbay", whole=False)

    assert read(typed("tile,q,r\nbay,0,0\nreef,0,0"), problems, ragged) is None
    assert read(typed("tile,q,r\nbay,0,0", whole=False), problems) is None
    assert not list(problems)


def test_the_column_tile_may_refer_to_the_table_of_tiles() -> None:
    """With ``tile = { table = "tiles" }`` the cell is the tile's row, and its id counts, not its name."""
    tiles = typed("id,name\nbay,The Bay")
    hexes = typed("tile,q,r\nThe Bay,0,0")
    (row,) = hexes
    referring = {**row.cells, "tile": Cell(tiles.rows[0], "The Bay", Place("hexes", 2, "tile"))}
    row.cells = referring
    problems = Problems()
    made = read(hexes, problems, tiles)

    assert made is not None and len(made.tiles["bay"]) == 1


@given(st.integers(0, 18))
def test_a_domino_set_is_complete(highest: int) -> None:
    """Every unordered pair of 0 … n once: (n + 1)(n + 2) / 2 stones, each number on n + 2 halves."""
    table = domino_table("bones", highest, Place("game.toml"))
    pairs = [(row["a"], row["b"]) for row in table]
    halves = Counter(half for pair in pairs for half in pair)

    assert len({frozenset(pair) for pair in pairs}) == len(pairs) == comb(highest + 2, 2)
    assert halves == dict.fromkeys(range(highest + 1), highest + 2)
