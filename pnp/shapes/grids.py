"""Computes the grids of boards with a map: squares, and hexes with a point (``hex``) or a flat side (``hex-flat``) up.

A cell is (column, row). Columns and rows of hexes are doubled: neighbours in a line are two apart, and lines between them
are shifted by one, as one types them with a space between (Red Blob Games, "Hexagonal grids": doubled coordinates). So
cells stand in the file where they lie on the board, and are called as on 18xx maps. Axial coordinates of a hex with its
point at the top are q = (column - row) / 2 and r = row; of a flat one column and row change places.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Literal, TypeVar

from pnp.shapes import hexes
from pnp.shapes.affine import Rect, around
from pnp.shapes.outline import Point, Ring

GridName = Literal["square", "hex", "hex-flat"]
Cell = tuple[int, int]
Number = TypeVar("Number", int, float)

SIDES: tuple[Cell, ...] = ((0, -1), (-1, 0), (1, 0), (0, 1))
AROUND: tuple[Cell, ...] = tuple((dx, dy) for dy, dx in product((-1, 0, 1), repeat=2) if dx or dy)
_POINTED: tuple[Cell, ...] = ((-1, -1), (1, -1), (-2, 0), (2, 0), (-1, 1), (1, 1))


def neighbours(grid: GridName) -> tuple[Cell, ...]:
    """The steps to cells that share an edge."""
    if grid == "square":
        return SIDES
    return _POINTED if grid == "hex" else tuple(sorted((_swapped(step) for step in _POINTED), key=lambda step: step[::-1]))


def distance(grid: GridName, first: Cell, second: Cell) -> int:
    """The number of steps between two cells; for squares a diagonal step is one."""
    if grid == "square":
        return max(abs(first[0] - second[0]), abs(first[1] - second[1]))
    return hexes.distance(_axial(grid, first), _axial(grid, second))


def corners(grid: GridName, cell: Cell, size: float) -> Ring:
    """The corners of a cell in mm, clockwise; the board's first cells touch its top-left corner."""
    if grid == "square":
        x, y = cell[0] * size, cell[1] * size
        return (x, y), (x + size, y), (x + size, y + size), (x, y + size)
    x, y = middle(grid, cell, size)
    around = hexes.corners((0, 0), size)
    return tuple((x + dx, y + dy) for dx, dy in (around if grid == "hex" else map(_swapped, around[::-1])))


def middle(grid: GridName, cell: Cell, size: float) -> Point:
    """The centre of a cell in mm."""
    if grid == "square":
        return (cell[0] + 0.5) * size, (cell[1] + 0.5) * size
    column, row = cell if grid == "hex" else _swapped(cell)
    point = (column + 1) * size / 2, (row * 3**0.5 / 2 + 1 / 3**0.5) * size
    return point if grid == "hex" else _swapped(point)


def bounds(grid: GridName, cells: Iterable[Cell], size: float) -> Rect:
    """The bounding box of cells, in mm."""
    if grid == "square":
        xs, ys = zip(*cells, strict=True)
        return Rect(min(xs) * size, min(ys) * size, (max(xs) - min(xs) + 1) * size, (max(ys) - min(ys) + 1) * size)
    return around([point for cell in cells for point in corners(grid, cell, size)])


def called(grid: GridName, cell: Cell) -> str:
    """A cell's code: A1, B2 …: the letter is the row, on flat hexes the column."""
    column, row = cell if grid != "hex-flat" else _swapped(cell)
    return f"{letters(row)}{column + 1}"


def letters(index: int) -> str:
    """A, B … Z, AA, AB …"""
    text, left = "", index + 1
    while left:
        left, rest = divmod(left - 1, 26)
        text = chr(65 + rest) + text
    return text


def _axial(grid: GridName, cell: Cell) -> hexes.Hex:
    column, row = cell if grid == "hex" else _swapped(cell)
    # Of a map whose first line is the shifted one all halves are rounded the same way.
    return (column - row) // 2, row


def _swapped(pair: tuple[Number, Number]) -> tuple[Number, Number]:
    return pair[1], pair[0]
