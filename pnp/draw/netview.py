"""A folded piece as a template sees it: its panels, each with its own upright mm. All else in face mm."""

from __future__ import annotations

import math
from typing import Any

from pnp.shapes.affine import Affine, Rect, mirror_x
from pnp.shapes.nets.net import Net, Panel, Room, mirrored
from pnp.shapes.outline import Ring, offset, path
from pnp.values.game import Component, Side, shown_on
from pnp.values.tables import Row


def net_values(component: Component, row: Row, side: Side) -> dict[str, Any]:
    """``net`` for the template of a folded piece; the back of a screen sees it from behind."""
    net = net_of(component, side)
    if net is None:
        return {}
    values = _values(component, row)
    panels = [_panel(panel, component.bleed, values.get(panel.name, "")) for panel in net.panels]
    return {
        "net": {
            "panels": panels,
            "panel": {panel["name"]: panel for panel in panels},
            "outline": path([net.outline]),
            "bleed": path([_grown(net.outline, component.bleed)]),
            "holes": [path([hole]) for hole in net.holes],
            "rooms": [_room(room, text, net.bounds) for room, text in zip(net.rooms, component.values, strict=False)],
        }
    }


def net_outline(component: Component, row: Row, side: Side) -> Ring | None:
    """Where the net is cut; None when that is its trim."""
    net = net_of(component, side)
    return net.outline if net and len(net.outline) > 4 else None


def net_of(component: Component, side: Side) -> Net | None:
    """The net that is drawn now: a component of several parts is drawn part by part, with one net each."""
    if not component.nets:
        return None
    return component.nets[0] if side == "front" else mirrored(component.nets[0])


def _values(component: Component, row: Row) -> dict[str, str]:
    """What each face of a die shows: the words in its row's column ``faces``, else the component's."""
    return {f"face-{number}": text for number, text in enumerate(shown_on(component, row), 1)}


def _panel(panel: Panel, bleed: float, value: str) -> dict[str, Any]:
    frame, width, height = panel.frame()
    own = frame.inverse()
    ring = tuple(own.point(*point) for point in panel.ring)
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


def _room(room: Room, value: str, box: Rect) -> dict[str, Any]:
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
    """A map as SVG's ``transform`` has it."""
    parts = (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)
    return f"matrix({' '.join(f'{round(part, 6) + 0.0:.10g}' for part in parts)})"
