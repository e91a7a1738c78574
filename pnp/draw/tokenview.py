"""Tokens and trackers as templates see them. All in face mm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pnp.shapes.affine import Rect
from pnp.shapes.nets.net import rectangle
from pnp.shapes.outline import Ring, offset, path
from pnp.values.game import Component, Side
from pnp.values.tables import Row


def token_values(component: Component, row: Row, side: Side) -> dict[str, Any]:
    """``token`` for the template of a token; its back is seen turned over."""
    ring = token_outline(component, row, side) or rectangle(0.0, 0.0, component.width, component.height)
    return {"token": {"path": path([ring]), "bleed": path([offset(ring, component.bleed) if component.bleed else ring])}}


def token_outline(component: Component, row: Row, side: Side) -> Ring | None:
    """Where the token is cut; None when that is its trim."""
    ring = component.outline
    if ring is None or side == "front":
        return ring
    return tuple((component.width - x, y) for x, y in ring[::-1])


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
    return {
        "x": round(place.x, 4),
        "y": round(place.y, 4),
        "width": round(place.width, 4),
        "height": round(place.height, 4),
    }
