"""Layouts as the checks look at them: what pieces and slots are called, which slots touch, which tiles may lie where."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from pnp.shapes import hexes
from pnp.shapes.grids import SIDES
from pnp.values.game import Component, Game, Layout
from pnp.values.laid import fixed_tile
from pnp.values.walk import groups

Cell = tuple[int, int]


def laid(game: Game) -> Iterator[tuple[Layout, Component]]:
    """Every layout with the component whose pieces it lays."""
    components = {component.name: component for component in game.components}
    for layout in game.layouts:
        if component := components.get(layout.component):
            yield layout, component


def around(component: Component) -> tuple[Cell, ...]:
    """The steps to a cell's neighbours: six of a hex, four of a square."""
    return hexes.NEIGHBOURS if component.hexes else SIDES


def parts(cells: Iterable[Cell], steps: tuple[Cell, ...]) -> list[set[Cell]]:
    """The connected parts of a set of cells, the largest first."""
    return sorted(groups(cells, lambda cell: [(cell[0] + dx, cell[1] + dy) for dx, dy in steps]), key=len, reverse=True)


@dataclass(frozen=True, slots=True)
class Pool:
    """Slots over which some tiles are shuffled; a tile of which there are two is there twice."""

    name: str
    slots: tuple[int, ...]
    tiles: tuple[str, ...]

    @property
    def fits(self) -> bool:
        return len(self.slots) == len(self.tiles)


def pools(layout: Layout, component: Component) -> list[Pool]:
    """The pools of a layout of tiles; a slot whose tile is fixed is one by itself."""
    fixed = {index: tile for index, slot in enumerate(layout.slots) if (tile := fixed_tile(slot))}
    left = [tile.id for tile in component.table for _ in range(tile.copies)]
    back = {tile.id: tile.said("back") for tile in component.table}
    for tile in fixed.values():
        if tile in left:
            left.remove(tile)
    found = [Pool(back.get(tile, ""), (index,), (tile,)) for index, tile in fixed.items()]
    slots: dict[str, list[int]] = {back[tile]: [] for tile in left}
    for index, slot in enumerate(layout.slots):
        if index not in fixed:
            slots.setdefault(slot.row.said("pool"), []).append(index)
    return found + [
        Pool(name, tuple(lies), tuple(tile for tile in left if back[tile] == name)) for name, lies in slots.items()
    ]


def odd_shapes(component: Component) -> list[str]:
    """Tiles whose hexes are others than the first tile's: they would not fit its slots."""
    if not component.hexes:
        return []
    shapes = {name: {(cell.q, cell.r) for cell in cells} for name, cells in component.hexes.tiles.items()}
    first = next(iter(shapes.values()), set())
    return [name for name, shape in shapes.items() if shape != first]


def ring_of(component: Component) -> Callable[[Cell], tuple[tuple[float, float], ...]]:
    """The outline of a cell in mm."""
    if component.hexes:
        size = component.hexes.size
        return lambda cell: hexes.corners(cell, size)
    side = min(component.width, component.height)
    return lambda cell: tuple(((cell[0] + dx) * side, (cell[1] + dy) * side) for dx, dy in ((0, 0), (1, 0), (1, 1), (0, 1)))
