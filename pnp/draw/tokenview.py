"""Tokens and trackers as templates see them. All in face mm."""

from __future__ import annotations

from typing import Any

from pnp.shapes.nets.net import rectangle
from pnp.shapes.outline import Ring, offset, path
from pnp.values.game import TRACKER_INSET, Component, Row, Side


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
    """``tracker`` for the template of a tracker board: its tracks from the top, their spaces from the left."""
    tracker = component.tracker
    if tracker is None:
        return {}
    height = component.height / len(tracker.tracks)
    tracks = []
    for index, (name, rows) in enumerate(tracker.tracks.items()):
        pitch = tracker.pitch(name, component.width)
        spaces = [
            {
                "x": round(TRACKER_INSET + (number + 0.5) * pitch, 4),
                "y": round((index + 0.5) * height, 4),
                "width": round(pitch, 4),
                "height": round(height, 4),
                "row": space,
            }
            for number, space in enumerate(rows)
        ]
        tracks.append({"name": name, "y": round(index * height, 4), "height": round(height, 4), "spaces": spaces})
    marker = tracker.marker or (0.0, 0.0)
    return {"tracker": {"tracks": tracks, "marker": {"width": marker[0], "height": marker[1]}}}
