"""What a checker may be held against: brute force and networkx, which share no code with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

import networkx as nx

Hex = tuple[int, int]

# Around a hex, in any order.
AROUND = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))


def hex_graph(cells: Iterable[Hex]) -> nx.Graph:
    """Hexes, joined where they share an edge."""
    graph = nx.Graph()
    graph.add_nodes_from(cells)
    graph.add_edges_from(
        ((q, r), (q + dq, r + dr)) for q, r in graph.nodes for dq, dr in AROUND if (q + dq, r + dr) in graph
    )
    return graph


def motions(shape: Sequence[Hex]) -> list[dict[Hex, Hex]]:
    """Every way to turn a tile, in cube coordinates and moved anywhere near, that brings it onto its own hexes."""
    found = []
    for sixths in range(6):
        turned = {}
        for q, r in shape:
            x, y, z = q, -q - r, r
            for _ in range(sixths):
                x, y, z = -z, -x, -y
            turned[q, r] = (x, z)
        for dq, dr in product(range(-12, 13), repeat=2):
            moved = {cell: (q + dq, r + dr) for cell, (q, r) in turned.items()}
            if set(moved.values()) == set(shape):
                found.append(moved)
    return found


def flows(copies: Sequence[int], member: Sequence[Sequence[bool]], needs: Sequence[int]) -> bool:
    """Whether rows with so many copies can serve so many takes at once: the greatest flow from rows to takes."""
    graph = nx.DiGraph()
    graph.add_nodes_from(("box", "table"))
    for row, supply in enumerate(copies):
        graph.add_edge("box", ("row", row), capacity=supply)
        for take, is_in in enumerate(member[row]):
            if is_in:
                graph.add_edge(("row", row), ("take", take))
    for take, need in enumerate(needs):
        graph.add_edge(("take", take), "table", capacity=need)
    return bool(nx.maximum_flow_value(graph, "box", "table") == sum(needs))
