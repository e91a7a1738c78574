"""A hex tile as a template sees it, and the outline it is cut along. All in face mm."""

from __future__ import annotations

from typing import Any

from pnp.draw.shapes import rings
from pnp.shapes.hexes import bounds, centre, corners
from pnp.shapes.outline import Point, Ring, offset, outlines, path
from pnp.values.game import Component, HexCell, Side
from pnp.values.tables import Row


def tile_values(component: Component, row: Row, side: Side) -> dict[str, Any]:
    """``tile`` for the template of a hex tile; a back sees the tile as it lies when turned over."""
    ring = tile_outline(component, row, side)
    if component.hexes is None or ring is None:
        return {}
    size = component.hexes.size
    cells = component.hexes.tiles[row.id]
    shown = [_cell(component, cells, cell, size, side == "back") for cell in cells]
    return {
        "tile": {
            "size": size,
            "outline": path([ring]),
            "bleed": path([offset(ring, component.bleed)]) if component.bleed else path([ring]),
            "lines": lambda line, width=0.3: rings((cell["corners"] for cell in shown), line, width),
            "cells": shown,
        }
    }


def tile_outline(component: Component, row: Row, side: Side) -> Ring | None:
    """Where the tile is cut."""
    if component.hexes is None:
        return None
    cells, size = component.hexes.tiles[row.id], component.hexes.size
    found = outlines(
        [_placed(component, cells, size, corner, side == "back") for corner in corners((cell.q, cell.r), size)]
        for cell in cells
    )
    return max(found, key=len)


def _placed(component: Component, cells: tuple[HexCell, ...], size: float, point: Point, mirrored: bool) -> Point:
    """A point of the tile's own grid on the face: the tile's middle at the trim's, which has room for the largest tile."""
    box = bounds([(cell.q, cell.r) for cell in cells], size)
    x = point[0] - box.x - box.width / 2
    y = point[1] - box.y - box.height / 2
    return component.width / 2 + (-x if mirrored else x), component.height / 2 + y


def _cell(component: Component, cells: tuple[HexCell, ...], cell: HexCell, size: float, mirrored: bool) -> dict[str, Any]:
    x, y = _placed(component, cells, size, centre((cell.q, cell.r), size), mirrored)
    ring = tuple(_placed(component, cells, size, corner, mirrored) for corner in corners((cell.q, cell.r), size))
    return {"q": cell.q, "r": cell.r, "x": x, "y": y, "corners": ring, "path": path([ring]), "row": cell.row}
