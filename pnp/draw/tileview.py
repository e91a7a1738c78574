"""A hex tile as a template sees it, and the outline it is cut along. All in face mm."""

from __future__ import annotations

from typing import Any

from pnp.hexes import bounds, centre, corners
from pnp.model import Component, HexCell, HexTiles, Row
from pnp.outline import Point, Ring, offset, outlines, path


def tile_values(component: Component, row: Row) -> dict[str, Any]:
    """``tile`` for the template of a hex tile."""
    if component.hexes is None:
        return {}
    ring = tile_outline(component, row)
    assert ring is not None
    return {
        "tile": {
            "size": component.hexes.size,
            "outline": path([ring]),
            "bleed": path([offset(ring, component.bleed)]) if component.bleed else path([ring]),
            "cells": [_cell(component, component.hexes, cell, row) for cell in component.hexes.tiles[row.id]],
        }
    }


def tile_outline(component: Component, row: Row) -> Ring | None:
    """Where the tile is cut."""
    if component.hexes is None:
        return None
    cells, size = component.hexes.tiles[row.id], component.hexes.size
    dx, dy = _shift(component, cells, size)
    rings = outlines(corners((cell.q, cell.r), size) for cell in cells)
    outer = max(rings, key=len)
    return tuple((x + dx, y + dy) for x, y in outer)


def _shift(component: Component, cells: tuple[HexCell, ...], size: float) -> Point:
    """What brings the tile's middle to the middle of the trim, which has room for the largest tile of the set."""
    box = bounds([(cell.q, cell.r) for cell in cells], size)
    return component.width / 2 - box.x - box.width / 2, component.height / 2 - box.y - box.height / 2


def _cell(component: Component, hexes: HexTiles, cell: HexCell, row: Row) -> dict[str, Any]:
    dx, dy = _shift(component, hexes.tiles[row.id], hexes.size)
    x, y = centre((cell.q, cell.r), hexes.size)
    ring = tuple((px + dx, py + dy) for px, py in corners((cell.q, cell.r), hexes.size))
    return {"q": cell.q, "r": cell.r, "x": x + dx, "y": y + dy, "corners": ring, "path": path([ring]), "row": cell.row}
