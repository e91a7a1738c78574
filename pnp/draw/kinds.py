"""Adds what a kind of piece gives its templates (``board``, ``net``, ``tile``, …), and says how it is cut out. In mm."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from pnp.dataclass import dataclass
from pnp.shapes import grids
from pnp.shapes.affine import Affine, Rect, mirror_x
from pnp.shapes.hexes import bounds, centre, corners
from pnp.shapes.nets.net import Net, Panel, Room, mirrored, rectangle
from pnp.shapes.outline import Point, Ring, offset, outlines, path, smoothed
from pnp.values.game import Board, Component, Field, HexCell, KindName, Side, Tabs, shown_on
from pnp.values.tables import Row

DIGITS = 3


def square_grid(columns: int, rows: int, cell: float, line: str, width: float, beyond: float = 0.0) -> Markup:
    """The lines between squares of ``cell`` mm, ``beyond`` mm longer than the grid."""
    path = _drawing().path(fill="none", stroke=line, stroke_width=width)
    right, bottom = round(columns * cell + beyond, DIGITS), round(rows * cell + beyond, DIGITS)
    for column in range(1, columns):
        path.push("M", round(column * cell, DIGITS), -beyond, "V", bottom)
    for row in range(1, rows):
        path.push("M", -beyond, round(row * cell, DIGITS), "H", right)
    return Markup(path.tostring())


def rings(shapes: Iterable[Ring], line: str, width: float, fill: str = "none") -> Markup:
    """Closed outlines in one group: the hexes of a tile."""
    drawing = _drawing()
    group = drawing.g(fill=fill, stroke=line, stroke_width=width, stroke_linejoin="round")
    for ring in shapes:
        group.add(drawing.polygon([(round(x, DIGITS), round(y, DIGITS)) for x, y in ring]))
    return Markup(group.tostring())


def _drawing() -> Any:
    import svgwrite

    # Its checks know only SVG 1.1 and cost more than the drawing.
    return svgwrite.Drawing(debug=False)


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
    """The outline around all cells of some kinds as one smooth path; at the board's edge it runs on beyond."""
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


# The upper corners of a tab are cut off so far, so that none is bent when a deck is leafed through.
CORNER = 2.0


def divider_values(component: Component, row: Row, side: Side) -> dict[str, Any]:
    """``divider`` for the template of a divider; on its back, seen turned over, the tab is at the other side."""
    ring, tabs = divider_outline(component, row, side), component.tabs
    if ring is None or tabs is None:
        return {}
    wide = component.width / tabs.count
    place = _place(tabs, row, side)
    return {
        "divider": {
            "path": path([ring]),
            "bleed": path([offset(ring, component.bleed) if component.bleed else ring]),
            "tab": {"x": round(place * wide, 4), "y": 0.0, "width": round(wide, 4), "height": tabs.height},
            "card": {"x": 0.0, "y": tabs.height, "width": component.width, "height": component.height - tabs.height},
            "place": tabs.places[row.id] + 1,
        }
    }


def divider_outline(component: Component, row: Row, side: Side) -> Ring | None:
    """The outline along which the divider is cut, clockwise from its tab."""
    tabs = component.tabs
    if tabs is None:
        return None
    width, height, high, corner = component.width, component.height, tabs.height, min(CORNER, tabs.height / 2)
    place = _place(tabs, row, side)
    left, right = width * place / tabs.count, width * (place + 1) / tabs.count
    ring = [(left, corner), (left + corner, 0.0), (right - corner, 0.0), (right, corner)]
    # A tab at the end stands on the card's own edge, without a shoulder.
    if place < tabs.count - 1:
        ring += [(right, high), (width, high)]
    ring += [(width, height), (0.0, height)]
    if place > 0:
        ring += [(0.0, high), (left, high)]
    return tuple(ring)


def _place(tabs: Tabs, row: Row, side: Side) -> int:
    place = tabs.places[row.id]
    return place if side == "front" else tabs.count - 1 - place


def net_values(component: Component, row: Row, side: Side) -> dict[str, Any]:
    """``net`` for the template of a folded piece; the back of a screen sees it from behind."""
    if (net := net_of(component, side)) is None:
        return {}
    values = {f"face-{number}": text for number, text in enumerate(shown_on(component, row), 1)}
    panels = [_panel(panel, component.bleed, values.get(panel.name, "")) for panel in net.panels]
    return {
        "net": {
            "panels": panels,
            "panel": {panel["name"]: panel for panel in panels},
            "outline": path([net.outline]),
            "bleed": path([_grown(net.outline, component.bleed)]),
            "holes": [path([hole]) for hole in net.holes],
            "rooms": [_net_room(room, text, net.bounds) for room, text in zip(net.rooms, component.values, strict=False)],
        }
    }


def net_outline(component: Component, row: Row, side: Side) -> Ring | None:
    """The outline along which the net is cut; None when that is its trim."""
    net = net_of(component, side)
    return net.outline if net and len(net.outline) > 4 else None


def net_of(component: Component, side: Side) -> Net | None:
    """The net of the part that is drawn now: a component of several parts has one net each."""
    if not component.nets:
        return None
    return component.nets[0] if side == "front" else mirrored(component.nets[0])


def _panel(panel: Panel, bleed: float, value: str) -> dict[str, Any]:
    frame, width, height = panel.frame()
    own = frame.inverse()
    ring = own.ring(panel.ring)
    return {
        "name": panel.name,
        "x": round(min(x for x, _ in panel.ring), 4),
        "y": round(min(y for _, y in panel.ring), 4),
        "width": round(width, 4),
        "height": round(height, 4),
        "path": path([ring]),
        "bleed": path([_grown(ring, bleed)]),
        "transform": _written(frame),
        "mirror": _written(frame @ mirror_x(width / 2)),
        "glue": panel.glue,
        "value": value,
    }


def _net_room(room: Room, value: str, box: Rect) -> dict[str, Any]:
    x, y = room.frame.point(room.width / 2, room.height / 2)
    across, up = x - box.x - box.width / 2, box.y + box.height / 2 - y
    return {
        "x": round(x, 4),
        "y": round(y, 4),
        "width": round(room.width, 4),
        "height": round(room.height, 4),
        "angle": round(math.degrees(math.atan2(across, up)) % 360, 4),
        "transform": _written(room.frame),
        "value": value,
    }


def _grown(ring: Ring, bleed: float) -> Ring:
    return offset(ring, bleed) if bleed else ring


def _written(matrix: Affine) -> str:
    parts = (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)
    return f"matrix({' '.join(f'{round(part, 6) + 0.0:.10g}' for part in parts)})"


def tile_values(component: Component, row: Row, side: Side) -> dict[str, Any]:
    """``tile`` for the template of a hex tile; a back sees the tile as it lies when turned over."""
    ring = tile_outline(component, row, side)
    if component.hexes is None or ring is None:
        return {}
    size = component.hexes.size
    cells = component.hexes.tiles[row.id]
    shown = [_tile_cell(component, cells, cell, size, side == "back") for cell in cells]
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
    """The outline along which the tile is cut."""
    if component.hexes is None:
        return None
    cells, size = component.hexes.tiles[row.id], component.hexes.size
    found = outlines(
        [_placed(component, cells, size, corner, side == "back") for corner in corners((cell.q, cell.r), size)]
        for cell in cells
    )
    return max(found, key=len)


def _placed(component: Component, cells: tuple[HexCell, ...], size: float, point: Point, mirrored: bool) -> Point:
    box = bounds([(cell.q, cell.r) for cell in cells], size)
    x = point[0] - box.x - box.width / 2
    y = point[1] - box.y - box.height / 2
    return component.width / 2 + (-x if mirrored else x), component.height / 2 + y


def _tile_cell(
    component: Component, cells: tuple[HexCell, ...], cell: HexCell, size: float, mirrored: bool
) -> dict[str, Any]:
    x, y = _placed(component, cells, size, centre((cell.q, cell.r), size), mirrored)
    ring = tuple(_placed(component, cells, size, corner, mirrored) for corner in corners((cell.q, cell.r), size))
    return {"q": cell.q, "r": cell.r, "x": x, "y": y, "corners": ring, "path": path([ring]), "row": cell.row}


def token_values(component: Component, row: Row, side: Side) -> dict[str, Any]:
    """``token`` for the template of a token; its back is seen turned over."""
    ring = token_outline(component, row, side) or rectangle(0.0, 0.0, component.width, component.height)
    return {"token": {"path": path([ring]), "bleed": path([offset(ring, component.bleed) if component.bleed else ring])}}


def token_outline(component: Component, row: Row, side: Side) -> Ring | None:
    """The outline along which the token is cut; None when that is its trim."""
    ring = component.outline
    return ring if ring is None or side == "front" else tuple((component.width - x, y) for x, y in ring[::-1])


def tracker_values(component: Component, row: Row, side: Side) -> dict[str, Any]:
    """``tracker`` for the template of a tracker board: its tracks with their spaces in the table's order."""
    tracker = component.tracker
    if tracker is None:
        return {}
    tracks = [
        _track(name, rows, tracker.spaces(name, component.width, component.height)) for name, rows in tracker.tracks.items()
    ]
    marker = tracker.marker or (0.0, 0.0)
    inside = _box(tracker.inside) if tracker.inside is not None else None
    return {"tracker": {"tracks": tracks, "marker": {"width": marker[0], "height": marker[1]}, "inside": inside}}


def _track(name: str, rows: Sequence[Row], places: Sequence[Rect]) -> dict[str, Any]:
    top = min(place.y for place in places)
    spaces = [
        {**_box(place), "x": round(place.x + place.width / 2, 4), "y": round(place.y + place.height / 2, 4), "row": row}
        for row, place in zip(rows, places, strict=True)
    ]
    height = max(place.bottom for place in places) - top
    return {"name": name, "y": round(top, 4), "height": round(height, 4), "spaces": spaces}


def _box(place: Rect) -> dict[str, float]:
    return {"x": round(place.x, 4), "y": round(place.y, 4), "width": round(place.width, 4), "height": round(place.height, 4)}


@dataclass(frozen=True, slots=True)
class Kind:
    """``values``: names for the template besides the row; ``outline``: the cut, where it is no rectangle."""

    values: Callable[[Component, Row, Side], dict[str, Any]] = lambda component, row, side: {}
    outline: Callable[[Component, Row, Side], Ring | None] = lambda component, row, side: None


FOLDED = Kind(net_values, net_outline)
KINDS: Mapping[KindName, Kind] = {
    "card": Kind(),
    "domino": Kind(),
    "tile": Kind(tile_values, tile_outline),
    "board": Kind(lambda component, row, side: board_values(component, row, side) | tracker_values(component, row, side)),
    "token": Kind(token_values, token_outline),
    "tracker": Kind(tracker_values),
    "divider": Kind(divider_values, divider_outline),
    "standee": FOLDED,
    "pawn": FOLDED,
    "prism": FOLDED,
    "die": FOLDED,
    "screen": FOLDED,
    "box": FOLDED,
    "pouch": FOLDED,
    "ship": FOLDED,
    "dial": FOLDED,
}
