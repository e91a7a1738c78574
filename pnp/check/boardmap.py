"""A board drawn for the report: its fields with what was found about them, and how they are called in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from pnp.check.steps import Node, Square, Steps
from pnp.shapes.grids import called, corners
from pnp.shapes.outline import Ring, area, outlines
from pnp.values.findings import MapShown, Spot, State
from pnp.values.game import Board


def where(node: Node) -> str:
    """``column 4, row 7``, of a field's first square; of a hex ``hex G4``."""
    x, y = node.cells[0]
    if node.grid != "square":
        return f"hex {called(node.grid, (x, y))}"
    return f"column {x + 1}, row {y + 1}"


def spot_name(nodes: Sequence[Node], index: int) -> str:
    """What a field is called: by its name when no other has it, else by its place as well."""
    node = nodes[index]
    name = str(node.row) or node.kind
    alone = sum(1 for other in nodes if other.row is node.row) == 1
    return name if alone else f"{name} at {where(node)}"


def board_map(
    title: str,
    board: Board,
    graph: Steps,
    numbers: Mapping[int, int],
    starts: set[int],
    goals: set[int],
    bad: set[int],
) -> MapShown:
    """Every field with its number; blocked land comes first, so that whatever lies in it is drawn over it."""
    blocked = [field.cells for field in board.fields if not any(cell in graph.at for cell in field.cells)]
    spots = [Spot(_ring(cells, board), "blocked") for cells in blocked]
    for index, node in enumerate(graph.nodes):
        states: list[tuple[bool, State]] = [(index in bad, "bad"), (index in starts, "start"), (index in goals, "goal")]
        state: State = next((state for holds, state in states if holds), "plain")
        spots.append(Spot(_ring(node.cells, board), state, str(numbers[index]) if index in numbers else ""))
    note = _bad_note(graph, bad)
    return MapShown(title, tuple(spots), note)


def _bad_note(graph: Steps, bad: set[int]) -> str:
    names = [spot_name(graph.nodes, index) for index in sorted(bad)]
    return f"Marked: {', '.join(name for name, _ in groupby(names))}." if names else ""


def _ring(cells: Sequence[Square], board: Board) -> Ring:
    """The outer outline of some cells."""
    rings = [corners(board.grid, cell, board.cell) for cell in cells]
    return rings[0] if len(rings) == 1 else max(outlines(rings), key=area)
