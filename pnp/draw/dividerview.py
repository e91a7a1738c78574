"""A divider as a template sees it: its tab, the card below it, and the outline it is cut along. All in face mm."""

from __future__ import annotations

from typing import Any

from pnp.shapes.outline import Ring, offset, path
from pnp.values.game import Component, Side, Tabs
from pnp.values.tables import Row

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
    """Where the divider is cut, clockwise from its tab."""
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
