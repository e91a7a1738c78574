"""The kinds of pieces as they are drawn: what a kind adds to its template's names, and how it is cut."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pnp.draw.boardview import board_values
from pnp.draw.dividerview import divider_outline, divider_values
from pnp.draw.netview import net_outline, net_values
from pnp.draw.tileview import tile_outline, tile_values
from pnp.draw.tokenview import token_outline, token_values, tracker_values
from pnp.shapes.outline import Ring
from pnp.values.game import Component, Side
from pnp.values.kinds import KindName
from pnp.values.tables import Row


def _nothing(component: Component, row: Row, side: Side) -> dict[str, Any]:
    return {}


def _along_the_trim(component: Component, row: Row, side: Side) -> Ring | None:
    return None


@dataclass(frozen=True, slots=True)
class Kind:
    """``values``: names for the template besides the row; ``outline``: the cut, where it is no rectangle."""

    values: Callable[[Component, Row, Side], dict[str, Any]] = _nothing
    outline: Callable[[Component, Row, Side], Ring | None] = _along_the_trim


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
