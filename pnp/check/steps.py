"""A board of squares or hexes as a graph of steps: which fields one step leads to, by the board's own rules of movement."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pnp.shapes.grids import AROUND, GridName, neighbours
from pnp.values.game import Board, Field
from pnp.values.rules import Movement
from pnp.values.tables import Row
from pnp.values.walk import walk

Square = tuple[int, int]

_OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east"}


@dataclass(frozen=True, slots=True)
class Node:
    """What one step enters: a square, or squares that count as one."""

    kind: str
    row: Row
    cells: tuple[Square, ...]
    arrow: Square | None = None
    grid: GridName = "square"


@dataclass(frozen=True, slots=True)
class Steps:
    """The graph: fields, and for each the fields that one step leads to, by index."""

    nodes: tuple[Node, ...]
    ways: tuple[tuple[int, ...], ...]
    at: Mapping[Square, int]
    """The field of each square that may be entered."""

    def of_kind(self, kinds: Iterable[str]) -> list[int]:
        wanted = set(kinds)
        return [index for index, node in enumerate(self.nodes) if node.kind in wanted]


def kind_of(row: Row) -> str:
    return row.said("kind")


def is_blocked(row: Row, movement: Movement) -> bool:
    return row.is_yes("blocked") or kind_of(row) in movement.blocked


def steps(board: Board, movement: Movement, closed: Iterable[str] = ()) -> Steps:
    """The graph of a board, without the kinds that are closed."""
    shut = set(closed)
    nodes = tuple(
        node
        for field in board.fields
        if kind_of(field.row) not in shut and not is_blocked(field.row, movement)
        for node in _nodes(field, movement, board.grid)
    )
    at = {cell: index for index, node in enumerate(nodes) for cell in node.cells}
    edges = {index: edge for index, node in enumerate(nodes) if (edge := edge_of(node, board, movement))}
    around = AROUND if movement.diagonal else neighbours(board.grid)
    ways = tuple(tuple(sorted(_ways(index, nodes, at, movement, edges, around))) for index in range(len(nodes)))
    return Steps(nodes, ways, at)


def _nodes(field: Field, movement: Movement, grid: GridName) -> Iterator[Node]:
    kind = kind_of(field.row)
    if field.arrow or kind in movement.single or kind in movement.wraps:
        yield Node(kind, field.row, field.cells, field.arrow, grid)
    else:
        yield from (Node(kind, field.row, (cell,), None, grid) for cell in field.cells)


def edge_of(node: Node, board: Board, movement: Movement) -> str | None:
    """The edge of the board on which a field lies that leads to the opposite one."""
    if node.kind not in movement.wraps:
        return None
    xs, ys = {x for x, _ in node.cells}, {y for _, y in node.cells}
    sides = {"west": xs == {0}, "east": xs == {board.columns - 1}, "north": ys == {0}, "south": ys == {board.rows - 1}}
    return next((side for side, lies in sides.items() if lies), None)


def across(index: int, nodes: Sequence[Node], edges: Mapping[int, str]) -> set[int]:
    """The fields that one on the edge leads to: those facing it, or any on that edge when none faces it."""
    if index not in edges:
        return set()
    there = {other for other, edge in edges.items() if edge == _OPPOSITE[edges[index]]}
    axis = 0 if edges[index] in ("north", "south") else 1
    mine = {cell[axis] for cell in nodes[index].cells}
    return {other for other in there if mine & {cell[axis] for cell in nodes[other].cells}} or there


def _ways(
    index: int,
    nodes: Sequence[Node],
    at: Mapping[Square, int],
    movement: Movement,
    edges: Mapping[int, str],
    around: tuple[Square, ...],
) -> set[int]:
    node = nodes[index]
    if node.arrow:
        dx, dy = node.arrow
        x, y = max(node.cells, key=lambda cell: cell[0] * dx + cell[1] * dy)
        sideways = (-1, 0, 1) if movement.diagonal else (0,)
        near = [(x + dx + side * dy, y + dy + side * dx) for side in sideways]
        return {at[cell] for cell in near if cell in at}
    found = {at[x + dx, y + dy] for x, y in node.cells for dx, dy in around if (x + dx, y + dy) in at} - {index}
    if movement.exits and node.kind not in movement.exits:
        found = {other for other in found if nodes[other].kind in movement.exits}
    return found | across(index, nodes, edges)


def distances(ways: Sequence[Iterable[int]], start: int, ends: Callable[[int], bool]) -> dict[int, int]:
    """The fewest steps to each field within one move of any length; a field that ends the move is not passed."""
    return dict(walk([start], lambda here: () if here != start and ends(here) else ways[here]))


def reversed_ways(ways: Sequence[Iterable[int]]) -> list[list[int]]:
    """From where each field is entered."""
    back: list[list[int]] = [[] for _ in ways]
    for here, others in enumerate(ways):
        for there in others:
            back[there].append(here)
    return back
