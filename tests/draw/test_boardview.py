"""Boards as templates see them: places in mm, names inside their fields, coasts around all of the land."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp.draw.kinds import board_values
from pnp.values.game import Board, Component, Field
from pnp.values.problems import Place
from pnp.values.tables import Cell, Row, Table

Square = tuple[int, int]
Ring = list[tuple[float, float]]

PLACE = Place("sea.txt")
STEPS = {">": (1, 0), "<": (-1, 0), "^": (0, -1), "v": (0, 1)}
# How exactly a path is written, in mm, on a board of up to two metres.
FINE = 0.002


def seen(cell: float, *fields: tuple[str, set[Square]]) -> dict[str, Any]:
    """``board`` of a board whose fields are these; all other squares of its bounds are one more, of sea."""
    named = {square for _, squares in fields for square in squares}
    columns, rows = (max(square[axis] for square in named) + 1 for axis in (0, 1))
    rest = {(x, y) for x in range(columns) for y in range(rows)} - named
    made = [_field(letter, squares) for letter, squares in (*fields, *([(".", rest)] if rest else []))]
    board = Board(columns, rows, cell, tuple(made), PLACE)
    table = Table("board", "game.toml", (), (), set())
    component = Component(
        "sea", "Sea", "board", table, "sea", None, columns * cell, rows * cell, 3, "card", PLACE, board=board, step=cell
    )
    view: dict[str, Any] = board_values(component, Row("sea", 1, PLACE, {}, set()), "front")["board"]
    return view


def _field(letter: str, squares: set[Square]) -> Field:
    kinds = {"#": "land", ".": "sea"}
    cells = {"letter": Cell(letter, letter, PLACE)}
    if letter in kinds:
        cells["kind"] = Cell(kinds[letter], kinds[letter], PLACE)
    row = Row(letter, 1, PLACE, cells, set())
    return Field(letter, row, tuple(sorted(squares, key=lambda square: square[::-1])), STEPS.get(letter))


def rings(path: str) -> list[Ring]:
    """The rings of a path of M, L and z."""
    assert re.fullmatch(r"[MLz0-9.e -]*", path)
    found = []
    for part in path.split("z")[:-1]:
        numbers = [tuple(map(float, point.split())) for point in re.split("[ML]", part)[1:]]
        found.append([(x, y) for x, y in numbers])
    return found


def size(rings: list[Ring]) -> float:
    """The area in mm²; holes run the other way."""
    return sum(
        (x0 * y1 - x1 * y0) / 2 for ring in rings for (x0, y0), (x1, y1) in zip(ring, [*ring[1:], *ring[:1]], strict=True)
    )


def inside(rings: list[Ring], x: float, y: float) -> bool:
    """Whether a point is inked when the path is filled."""
    crossings = 0
    for ring in rings:
        for (x0, y0), (x1, y1) in zip(ring, [*ring[1:], *ring[:1]], strict=True):
            if (y0 > y) != (y1 > y) and x0 + (y - y0) / (y1 - y0) * (x1 - x0) > x:
                crossings += 1
    return crossings % 2 == 1


shapes = st.sets(st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=1, max_size=25)
cells = st.sampled_from([5.0, 16.5, 18.25, 22.0, 33.33])


@settings(max_examples=examples(40), deadline=None)
@given(shapes, cells)
def test_fields_and_cells_lie_where_the_map_has_them(squares: set[Square], cell: float) -> None:
    """Square (column, row) begins at column × cell, row × cell; a field's path and box hold exactly its squares."""
    board = seen(cell, ("a", squares))
    field = board["fields"][0]
    places = {(each["column"], each["row"]): (each["x"], each["y"]) for each in board["cells"]}

    assert len(board["cells"]) == len(places) == board["columns"] * board["rows"]
    assert all(place == pytest.approx((x * cell, y * cell)) for (x, y), place in places.items())
    assert {(each["column"], each["row"]) for each in field["cells"]} == squares and field["length"] == len(squares)
    path = rings(field["path"])
    assert all(inside(path, (x + 0.5) * cell, (y + 0.5) * cell) == ((x, y) in squares) for x, y in places)
    assert size(path) == pytest.approx(len(squares) * cell**2, rel=1e-3)
    box = [min(x for x, _ in squares), min(y for _, y in squares), max(x for x, _ in squares), max(y for _, y in squares)]
    assert (field["x"], field["y"]) == pytest.approx((box[0] * cell, box[1] * cell))
    assert (field["x"] + field["width"], field["y"] + field["height"]) == pytest.approx(
        ((box[2] + 1) * cell, (box[3] + 1) * cell)
    )


@settings(max_examples=examples(40), deadline=None)
@given(shapes, cells)
def test_paths_are_written_as_exactly_as_places(squares: set[Square], cell: float) -> None:
    """Every corner of a field's path is a corner of squares, to a few thousandths of a mm, however far from the edge."""
    far = {(x + 9, y) for x, y in squares}
    for ring in rings(seen(cell, ("a", far))["fields"][0]["path"]):
        for value in (value for point in ring for value in point):
            assert abs(value - round(value / cell) * cell) < FINE


@settings(max_examples=examples(80), deadline=None)
@given(shapes)
def test_a_label_lies_in_its_field(squares: set[Square]) -> None:
    """All squares of the label's run are the field's, in one row, and no level run of the field is longer."""
    label = seen(10.0, ("a", squares))["fields"][0]["label"]
    start, row, length = round(label["x"] / 10), round(label["y"] / 10), round(label["width"] / 10)
    longest = max(
        length for x, y in squares for length in range(1, 10) if all((x + step, y) in squares for step in range(length))
    )

    assert label["height"] == 10
    assert {(start + step, row) for step in range(length)} <= squares
    assert length == longest


@pytest.mark.parametrize(("arrow", "angle"), [(">", 0), ("v", 90), ("<", 180), ("^", -90)])
def test_a_current_has_the_angle_of_its_arrow(arrow: str, angle: float) -> None:
    """In degrees clockwise, as SVG turns; a field without an arrow has none."""
    board = seen(10.0, (arrow, {(1, 1)}))

    assert board["fields"][0]["angle"] == pytest.approx(angle)
    assert board["fields"][1]["angle"] == 0


inner = st.sets(st.tuples(st.integers(1, 7), st.integers(1, 7)), min_size=1, max_size=25)


@settings(max_examples=examples(80), deadline=None)
@given(inner, cells, st.sampled_from([0.2, 0.45]))
def test_a_coast_runs_around_the_land(squares: set[Square], cell: float, reach: float) -> None:
    """The middle of each square of land is inside, of each of sea outside; smoothing takes and gives only at corners."""
    board = seen(cell, ("#", squares), (".", {(8, 8)}))
    coast = rings(board["coast"]("land", reach=reach))
    edge = sum((x + dx, y + dy) not in squares for x, y in squares for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)))

    for x in range(9):
        for y in range(9):
            assert inside(coast, (x + 0.5) * cell, (y + 0.5) * cell) == ((x, y) in squares)
    # A corner cut at most half a side from it on both sides moves an eighth of a square, and an edge has one corner.
    assert abs(size(coast) - len(squares) * cell**2) <= edge * cell**2 / 8 + FINE * cell * edge


def test_land_at_the_edge_runs_on_past_the_trim() -> None:
    """The cut may be off by a bleed: land that reaches the board's edge covers it there, sea stays sea."""
    board = seen(10.0, ("#", {(0, 0), (0, 1), (1, 0)}), (".", {(4, 4)}))
    coast = rings(board["coast"]("land"))

    assert all(inside(coast, x, y) for x, y in ((-3, -3), (-3, 5), (5, -3), (-3, 15), (15, -3)))
    assert not any(inside(coast, x, y) for x, y in ((-3, 35), (35, -3), (53, 53), (25, 25)))


def test_soft_fields_round_their_corners_only() -> None:
    """A soft square keeps its middle and the middles of its sides, and loses its corners."""
    board = seen(10.0, ("a", {(1, 1)}), (".", {(3, 3)}))
    soft = rings(board["fields"][0]["soft"])

    assert all(inside(soft, x, y) for x, y in ((15, 15), (10.1, 15), (15, 19.9)))
    assert not any(inside(soft, x, y) for x, y in ((10.3, 10.3), (19.7, 10.3), (19.7, 19.7), (10.3, 19.7)))
    assert math.isclose(size(rings(board["fields"][0]["path"])), 100)
