"""A board as a template sees it: fields with their outlines and label places, coasts around kinds of cells.

All in face mm: the board's top-left corner is the trim's.
"""

from __future__ import annotations

import math
from typing import Any

from pnp.draw.shapes import rings, square_grid
from pnp.shapes import grids
from pnp.shapes.outline import Point, Ring, outlines, path, smoothed
from pnp.values.game import Board, Component, Field, Side
from pnp.values.tables import Row

Cell = tuple[int, int]


def board_values(component: Component, row: Row, side: Side) -> dict[str, Any]:
    """``board`` for the template of a board."""
    board = component.board
    if board is None:
        return {}
    where = {cell: field for field in board.fields for cell in field.cells}
    order = sorted(where, key=lambda cell: (cell[1], cell[0]))
    values = {
        "columns": board.columns,
        "rows": board.rows,
        "cell": board.cell,
        "fields": [_field(board, field) for field in board.fields],
        "cells": [_cell(board, cell, where[cell]) for cell in order],
    }
    if board.grid != "square":
        # Rectangles of whole cells are there among squares only.
        values["grid"] = lambda line, width=0.3: rings((_corners(board, cell) for cell in order), line, width)
        values["coast"] = lambda *kinds, reach=0.2: _coast(board, where, kinds, reach, False)
        return {"board": values}
    values["grid"] = lambda line, width=0.3: square_grid(board.columns, board.rows, board.cell, line, width, component.bleed)
    values["room"] = lambda kind, columns, rows: _room(board, where, kind, columns, rows)
    values["coast"] = lambda *kinds, reach=0.45, grow=True: _coast(board, where, kinds, reach, grow)
    return {"board": values}


def _kind(field: Field) -> str:
    return field.row.text_of("kind") if "kind" in field.row.cells else field.letter


def _corners(board: Board, cell: Cell) -> tuple[Point, ...]:
    return grids.corners(board.grid, cell, board.cell)


def _cell(board: Board, cell: Cell, field: Field) -> dict[str, Any]:
    x, y = grids.middle(board.grid, cell, board.cell)
    half = board.cell / 2 if board.grid == "square" else 0.0
    return {
        "column": cell[0],
        "row": cell[1],
        "x": cell[0] * board.cell if half else x,
        "y": cell[1] * board.cell if half else y,
        "letter": field.letter,
        "kind": _kind(field),
        "name": grids.called(board.grid, cell),
        "legend": field.row,
        "path": path([_corners(board, cell)]),
    }


def _field(board: Board, field: Field) -> dict[str, Any]:
    around = outlines(_corners(board, cell) for cell in field.cells)
    box = grids.bounds(board.grid, field.cells, board.cell)
    side = board.cell
    return {
        "letter": field.letter,
        "kind": _kind(field),
        "row": field.row,
        "cells": [_cell(board, cell, field) for cell in field.cells],
        "path": path(around),
        "soft": path(smoothed(ring, side * 0.35) for ring in around),
        "x": box.x,
        "y": box.y,
        "width": box.width,
        "height": box.height,
        "label": _label(board, field),
        "angle": math.degrees(math.atan2(field.arrow[1], field.arrow[0])) if field.arrow else 0.0,
        "length": len(field.cells),
    }


def _label(board: Board, field: Field) -> dict[str, float]:
    """The longest level run of a field's cells, the one nearest to its middle: room for its name."""
    middle = sum(cell[1] for cell in field.cells) / len(field.cells)
    beside = 2 if board.grid == "hex" else 1
    runs: list[tuple[int, float, int, int]] = []
    for row in sorted({cell[1] for cell in field.cells}):
        columns = sorted(cell[0] for cell in field.cells if cell[1] == row)
        start = columns[0]
        for here, after in zip(columns, [*columns[1:], None], strict=True):
            if after != here + beside:
                runs.append(((here - start) // beside + 1, -abs(row - middle), start, row))
                start = after if after is not None else start
    length, _, start, row = max(runs)
    side = board.cell
    if board.grid == "square":
        return {"x": start * side, "y": row * side, "width": length * side, "height": side}
    x, y = grids.middle(board.grid, (start, row), side)
    if board.grid == "hex":
        # Between the upright sides.
        return {"x": x - side / 2, "y": y - side / 12**0.5, "width": length * side, "height": side / 3**0.5}
    # Half as high as the hex, and as wide as it is there.
    return {"x": x - side * 0.75 / 3**0.5, "y": y - side / 4, "width": side * 1.5 / 3**0.5, "height": side / 2}


def _room(board: Board, where: dict[Cell, Field], kind: str, columns: int, rows: int) -> list[dict[str, float]]:
    """Rectangles of so many cells that are all of one kind, none over another: free places for decoration."""
    if columns > board.columns or rows > board.rows:
        return []
    free = {cell for cell, field in where.items() if _kind(field) == kind}
    found = []
    for x, y in sorted(free, key=lambda cell: (cell[1], cell[0])):
        block = {(x + i, y + j) for i in range(columns) for j in range(rows)}
        if block <= free:
            free -= block
            side = board.cell
            found.append({"x": x * side, "y": y * side, "width": columns * side, "height": rows * side})
    return found


def _coast(board: Board, where: dict[Cell, Field], kinds: tuple[str, ...], reach: float, grow: bool) -> str:
    """The outline around all cells of some kinds as one smooth path; land at the board's edge runs on beyond it."""
    cells = {cell for cell, field in where.items() if _kind(field) in kinds}
    if grow:
        # A ring of cells outside continues the land there, so that a coast does not turn back at the cut.
        for x, y in sorted(cells):
            for nx, ny in ((x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)):
                if not (0 <= nx < board.columns and 0 <= ny < board.rows):
                    near = (min(max(nx, 0), board.columns - 1), min(max(ny, 0), board.rows - 1))
                    if near in cells:
                        cells = cells | {(nx, ny)}
    around: list[Ring] = outlines(_corners(board, cell) for cell in sorted(cells))
    return path(smoothed(ring, board.cell * reach) for ring in around)
