"""The words of a scene: its settings, pieces and turns as they are typed, and what is said against them."""

from __future__ import annotations

import re

from pnp.shapes import units
from pnp.values.game import Component
from pnp.values.problems import closest, listed
from pnp.values.tables import meant

SETTINGS = ("on", "alt", "crop", "margin", "grid", "colour", "names", "width", "float")
# Columns and rows of a table, in mm.
LEAST_GRID, MOST_GRID = 2.0, 500.0
_SETTING = re.compile(r'\s*([A-Za-z_]+)\s*=\s*"([^"]*)"')
_TURN = re.compile(r"-?\d{1,3}(?:\.\d+)?")
_PART = re.compile(r"(\d{1,2})/([1-9]\d?)")


class Wrong(Exception):
    """A row, or the whole, cannot be drawn."""

    def __init__(self, rule: str, message: str, value: str = "", allowed: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.rule, self.value, self.allowed, self.hint = rule, value, allowed, hint


def has_places(component: Component) -> bool:
    return bool(component.board or component.tracker or component.hexes) or component.kind == "domino"


def settings_of(typed: str) -> dict[str, str]:
    """``on="…" alt="…"``. Raises Wrong."""
    found: dict[str, str] = {}
    at = 0
    while match := _SETTING.match(typed, at):
        at = match.end()
        if match[1] not in SETTINGS:
            message = f'a scene has no setting "{match[1]}"'
            raise Wrong("bad-scene", message, match[1], listed(SETTINGS), closest(match[1], SETTINGS))
        if match[1] in found:
            raise Wrong("bad-scene", f"{match[1]} is said twice", match[1])
        found[match[1]] = match[2]
    if typed[at:].strip():
        rest = typed[at:].strip()[:60]
        raise Wrong("bad-scene", f'"{rest}" is no setting of a scene', rest, listed(SETTINGS), 'Write on="…" alt="…".')
    return found


def piece_of(component: Component, piece: str) -> str:
    known = {row.id: row for row in component.table}
    if not piece and len(known) == 1:
        return next(iter(known))
    if piece not in known:
        message = f'"{component.name}" has no piece "{piece}"' if piece else f'it does not say which of "{component.name}"'
        hint = meant(piece, known.items()) or f"Write {component.name}/{next(iter(known))}."
        raise Wrong("unknown-piece", message, piece, listed(known, 24), hint)
    return piece


def size_typed(typed: str) -> tuple[float, float]:
    """A column and a row of a table in mm, of one size where one is typed. Raises Wrong."""
    try:
        wide, high = units.size(typed) if re.search("[x×]", typed.removesuffix("px")) else (units.length(typed),) * 2
    except ValueError as wrong:
        raise Wrong("bad-scene", str(wrong), typed, "a size such as 20mm, or 63mm x 88mm") from None
    if not (LEAST_GRID <= wide <= MOST_GRID and LEAST_GRID <= high <= MOST_GRID):
        raise Wrong("bad-scene", f"a grid of {typed}", typed, f"{LEAST_GRID:g} to {MOST_GRID:g} mm")
    return wide, high


def degrees(text: str) -> float | None:
    """Degrees, or a part of a turn: ``1/4``, ``2/6``. None for what is neither."""
    if part := _PART.fullmatch(text):
        return 360 * int(part[1]) / int(part[2])
    return float(text) if _TURN.fullmatch(text) else None


def nothing(how: str, what: str) -> None:
    if how:
        raise Wrong("bad-scene", f'nothing is said of how a {what} is: "{how}"', how, hint="Leave the third cell empty.")
