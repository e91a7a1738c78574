"""Tiles and dominoes that become the ground of a scene: those of a layout, and those that its rows lay."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pnp.books.grounds import Cell, Ground, Unplaced, laid_ground, lay
from pnp.books.scenewords import Wrong, degrees, piece_of
from pnp.values.game import Component, Layout
from pnp.values.laid import DOMINO_STEPS, seen_in, slot_name
from pnp.values.problems import closest, listed

_ORIGIN = re.compile(r"(-?\d{1,2})\s*,\s*(-?\d{1,2})")


@dataclass(frozen=True, slots=True)
class _Lying:
    piece: str
    back: bool
    origin: Cell
    turn: int
    slot: str = ""
    """What its slot is called; nothing where it lies in none."""
    put: bool = False
    """A row laid it."""


@dataclass(slots=True)
class Laying:
    """What lies so far. Its methods raise Wrong and Unplaced."""

    component: Component
    layout: Layout | None = None
    lying: list[_Lying] = field(default_factory=list)

    def __post_init__(self) -> None:
        for slot in self.layout.slots if self.layout else ():
            if (seen := seen_in(slot, self.component)) is None:
                continue
            name = slot_name(slot, self.component)
            x, y = ("q", "r") if self.component.hexes else ("x", "y")
            origin = int(slot.row.text_of(x)), int(slot.row.text_of(y))
            self.lying.append(_Lying(seen[0], seen[1] and self.component.back is not None, origin, slot.turn, name))

    def row(self, what: str, where: str, how: str) -> str:
        """Lay a piece; returns which."""
        name, _, piece = what.partition("/")
        piece = piece_of(self.component, piece.strip())
        words = how.split()
        back = "back" in words
        if back and self.component.back is None:
            raise Wrong("bad-scene", f'"{name}" has no backs', name)
        words = [word for word in words if word != "back"]
        at = " ".join(where.split())
        slot = self._slot(at)
        turn = slot.turn if slot else 0
        if words:
            allowed = [*DOMINO_STEPS] if self.component.hexes is None else [*range(0, 360, 60)]
            turned = degrees(" ".join(words))
            if turned is None or turned % 360 not in allowed:
                hint = f"Write {how.replace('°', '')}." if "°" in how else ""
                raise Wrong("bad-scene", f'"{how}" is no turn of "{name}"', how, listed(map(str, allowed)) + ", back", hint)
            turn = int(turned % 360)
        origin = slot.origin if slot else self._origin(at)
        if self.component.hexes is None:
            # There is one of each: laid elsewhere, it is gone from where it lay.
            if any(each.put and each.piece == piece for each in self.lying):
                raise Wrong("bad-scene", f'"{name}" has one "{piece}", and another row lays it', piece)
            self.lying = [each for each in self.lying if each.piece != piece]
        if slot:
            self.lying = [each for each in self.lying if each is not slot]
        self.lying.append(_Lying(piece, back, origin, turn, slot.slot if slot else "", put=True))
        return piece

    def _slot(self, at: str) -> _Lying | None:
        found = [each for each in self.lying if each.slot and each.slot.casefold() == at.casefold()]
        if len(found) > 1:
            raise Unplaced(
                f'{len(found)} slots are called "{at}"', at, "", "Give each slot of the layout a name of its own."
            )
        if found and found[0].put:
            raise Unplaced(f'another row lays a piece in "{at}"', at)
        return found[0] if found else None

    def _origin(self, at: str) -> Cell:
        pair = _ORIGIN.fullmatch(at)
        if pair is None:
            known = list(dict.fromkeys(each.slot for each in self.lying if each.slot))
            allowed = f"{listed(known, 24)}; or such as 0,0" if known else "such as 0,0"
            raise Unplaced(f'there is no place "{at}" for it', at, allowed, closest(at, known))
        return int(pair[1]), int(pair[2])

    def ground(self, on: str) -> tuple[Ground, list[Cell]]:
        """All that lies, and the cells of what rows laid."""
        if not self.lying:
            raise Wrong("bad-scene", "no tile or domino is laid", hint=f"Lay one: | {on}/… | 0,0 | |")
        made, put = laid_ground(self.component), []
        for each in self.lying:
            # What lies face down is known by its slot alone.
            names = [name for name in (each.slot, "" if each.back and each.slot else each.piece) if name]
            cells = lay(made, self.component, each.piece, each.back, each.origin, each.turn, names)
            put += cells if each.put else []
        return made, put
