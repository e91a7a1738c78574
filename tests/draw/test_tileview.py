"""Hex tiles as templates see them: inside their outline, which the back has the other way round."""

from __future__ import annotations

import math
import re
from typing import Any

from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp.draw.kinds import tile_outline, tile_values
from pnp.shapes.hexes import FLOWER
from pnp.shapes.outline import Ring
from pnp.values.game import Component, HexCell, HexTiles, Side
from pnp.values.problems import Place
from pnp.values.tables import Row, Table

Hex = tuple[int, int]

PLACE = Place("tiles.csv")
ROOT3 = math.sqrt(3)


def component(size: float, bleed: float, *shapes: tuple[Hex, ...]) -> Component:
    """Tiles of these shapes, on faces that have room for the widest and the tallest of them; ids 0, 1 …"""
    rows = tuple(Row(str(number), 1, PLACE, {}, set()) for number in range(len(shapes)))
    tiles = {row.id: tuple(HexCell(q, r, row) for q, r in shape) for row, shape in zip(rows, shapes, strict=True)}
    wide, tall = (max(extent[axis] for extent in map(extents, shapes)) * size for axis in (0, 1))
    table = Table("tiles", "tiles.csv", (), rows, set())
    hexes = HexTiles(size, tiles)
    return Component("tiles", "Tiles", "tile", table, "tile", "back", wide, tall, bleed, "card", PLACE, hexes=hexes)


def extents(shape: tuple[Hex, ...]) -> tuple[float, float]:
    """Width and height for hexes of size 1: a hex is 1 wide and 2/√3 high, rows are √3/2 apart."""
    xs, ys = [q + r / 2 for q, r in shape], [r * ROOT3 / 2 for _, r in shape]
    return max(xs) - min(xs) + 1, max(ys) - min(ys) + 2 / ROOT3


def view(made: Component, side: Side, number: int = 0) -> dict[str, Any]:
    values: dict[str, Any] = tile_values(made, made.table.rows[number], side)["tile"]
    return values


def ring(made: Component, side: Side, number: int = 0) -> Ring:
    found = tile_outline(made, made.table.rows[number], side)
    assert found is not None
    return found


def inside(ring: Ring, x: float, y: float) -> bool:
    crossings = 0
    for (x0, y0), (x1, y1) in zip(ring, (*ring[1:], ring[0]), strict=True):
        if (y0 > y) != (y1 > y) and x0 + (y - y0) / (y1 - y0) * (x1 - x0) > x:
            crossings += 1
    return crossings % 2 == 1


def same(one: Ring, other: Ring) -> bool:
    """Whether two rings have the same corners, wherever they begin and whichever way they run."""
    return len(one) == len(other) and all(min(math.dist(a, b) for b in other) < 1e-4 for a in one)


@st.composite
def grown(draw: st.DrawFn) -> tuple[Hex, ...]:
    """Hexes in one piece."""
    cells: list[Hex] = [(0, 0)]
    for _ in range(draw(st.integers(0, 7))):
        q, r = draw(st.sampled_from(cells))
        dq, dr = draw(st.sampled_from(FLOWER[1:]))
        cells.append((q + dq, r + dr))
    return tuple(dict.fromkeys(cells))


sizes = st.sampled_from([12.0, 30.0, 42.0])


@settings(max_examples=examples(80), deadline=None)
@given(grown(), sizes)
def test_the_outline_fills_the_trim(shape: tuple[Hex, ...], size: float) -> None:
    """The only tile of a set touches all four sides of its face, and never leaves it."""
    made = component(size, 3, shape)
    for side in ("front", "back"):
        xs, ys = zip(*ring(made, side), strict=True)

        assert math.isclose(min(xs), 0, abs_tol=1e-4) and math.isclose(max(xs), made.width, abs_tol=1e-4)
        assert math.isclose(min(ys), 0, abs_tol=1e-4) and math.isclose(max(ys), made.height, abs_tol=1e-4)


@settings(max_examples=examples(80), deadline=None)
@given(grown(), sizes)
def test_the_back_is_the_mirror_image_of_the_front(shape: tuple[Hex, ...], size: float) -> None:
    """Turned over about the upright line in its middle, the front's outline and every hex lie on the back's."""
    made = component(size, 3, shape)
    front, back = view(made, "front"), view(made, "back")
    turned = tuple((made.width - x, y) for x, y in ring(made, "front"))

    assert same(turned, ring(made, "back"))
    for one, other in zip(front["cells"], back["cells"], strict=True):
        assert (one["q"], one["r"], one["row"]) == (other["q"], other["r"], other["row"])
        assert math.isclose(one["x"] + other["x"], made.width, abs_tol=1e-6) and math.isclose(one["y"], other["y"])
        assert same(tuple((made.width - x, y) for x, y in one["corners"]), other["corners"])


@settings(max_examples=examples(80), deadline=None)
@given(grown(), sizes)
def test_hexes_lie_inside_the_outline_as_axial_coordinates_say(shape: tuple[Hex, ...], size: float) -> None:
    """q leads a hex to the right, r half a hex to the right and √3/2 down; the middle of each is inside."""
    made = component(size, 3, shape)
    cells = view(made, "front")["cells"]
    first = cells[0]

    assert [(cell["q"], cell["r"]) for cell in cells] == list(shape)
    for cell in cells:
        q, r = cell["q"] - first["q"], cell["r"] - first["r"]
        assert math.isclose(cell["x"], first["x"] + size * (q + r / 2), abs_tol=1e-6)
        assert math.isclose(cell["y"], first["y"] + size * r * ROOT3 / 2, abs_tol=1e-6)
        assert all(math.isclose(math.dist(corner, (cell["x"], cell["y"])), size / ROOT3) for corner in cell["corners"])
        assert inside(ring(made, "front"), cell["x"], cell["y"])


@settings(max_examples=examples(40), deadline=None)
@given(grown(), st.sampled_from([0.0, 3.0]))
def test_the_bleed_goes_on_evenly_beyond_the_outline(shape: tuple[Hex, ...], bleed: float) -> None:
    """``tile.bleed`` reaches as far beyond the outermost points left and right as the bleed is wide; 0 is the outline."""
    made = component(30, bleed, shape)
    xs = [float(x) for x in re.findall(r"[ML](\S+)", view(made, "front")["bleed"])]

    assert math.isclose(min(xs), -bleed, abs_tol=0.002) and math.isclose(max(xs), made.width + bleed, abs_tol=0.002)
    if not bleed:
        assert view(made, "front")["bleed"] == view(made, "front")["outline"]
