"""How a piece of a scene is seen: turned, turned over, standing, as a pile, with a face of a die up; and how large it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pnp.books.scenewords import Wrong, degrees
from pnp.shapes.affine import Rect, rotation
from pnp.shapes.nets.view import size_seen
from pnp.values.game import Component, shown_on
from pnp.values.problems import closest, listed
from pnp.values.scenes import VIEWS, Laid, Shown, view_of

# Of a pile without a number so many are drawn, and never more.
A_PILE, MOST_PILED = 4, 12
# Each piece of a pile lies beside the one below by this share of its shorter side.
STEP = 0.022
_LIES = "back, pile, degrees clockwise, parts of a turn such as 1/4, faces and a place"
_STANDS = "front, back, faces and a place"
_STANDING: Mapping[str, Shown] = {"": "standing", "front": "ahead", "back": "behind"}


@dataclass(frozen=True, slots=True)
class Posture:
    """What the third cell of a piece says."""

    shown: Shown
    turn: float = 0.0
    face: str = ""
    """The panel of a die that is on top."""
    pile: int = 1
    towards: str = ""
    """The place it faces."""


def posture(component: Component, piece: str, how: str) -> Posture:
    """How a piece lies or stands. Raises Wrong."""
    words, faces, towards = how.partition("faces ")
    words, shows, value = words.partition("shows ") if not words.startswith("shows ") else ("", "shows", words[6:])
    rest = words.split()
    face = _face(component, piece, value.strip()) if shows else ""
    if component.nets:
        stands = " ".join(rest)
        if stands not in _STANDING or (face and stands):
            raise _unknown(component, " ".join([*rest, *(["shows", value.strip()] if shows else [])]), _standing(component))
        return Posture(_STANDING[stands], face=face, towards=towards if faces else "")
    back = "back" in rest
    if back and component.back is None:
        raise Wrong("bad-scene", f'"{component.name}" has no backs', component.name)
    rest = [word for word in rest if word != "back"]
    pile = 1
    if "pile" in rest:
        at = rest.index("pile")
        counted = rest[at + 1 : at + 2] if rest[at + 1 : at + 2] and rest[at + 1].isdecimal() else []
        pile = int(counted[0][:4]) if counted else A_PILE
        if not 2 <= pile <= MOST_PILED:
            hint = f"Write {counted[0]} pile." if pile <= 360 else ""
            raise Wrong("bad-scene", f"a pile of {counted[0]}", counted[0], f"2 to {MOST_PILED}", hint)
        rest = [*rest[:at], *rest[at + 1 + len(counted) :]]
    turned = degrees(" ".join(rest)) if rest else 0.0
    if turned is None:
        raise _unknown(component, " ".join(rest), _LIES)
    return Posture("back" if back else "front", turned, pile=pile, towards=towards if faces else "")


def _standing(component: Component) -> str:
    return f"{_STANDS}, shows and a face" if component.kind == "die" else _STANDS


def _unknown(component: Component, rest: str, allowed: str) -> Wrong:
    hint = f"Write {rest.replace('°', '')}." if "°" in rest else ""
    return Wrong("bad-scene", f'"{rest}" says not how a piece of "{component.name}" lies', rest, allowed, hint)


def _face(component: Component, piece: str, value: str) -> str:
    """The panel of a die that shows a text."""
    row = next(row for row in component.table if row.id == piece)
    shown = shown_on(component, row) if component.kind == "die" else ()
    if not shown:
        hint = "Only dice show one of their faces."
        raise Wrong("bad-scene", f'"{component.name}" is no die', component.name, hint=hint)
    if value not in shown:
        message = f'no face of "{component.name}" shows "{value}"'
        raise Wrong("bad-scene", message, value, listed(dict.fromkeys(shown), 24), closest(value, shown))
    return f"face-{shown.index(value) + 1}"


def size_of(component: Component, how: Posture) -> tuple[float, float]:
    """How wide and high a piece is as it lies or stands, in mm."""
    if how.shown in VIEWS:
        net = component.nets[0]
        return size_seen(net, view_of(how.shown, how.face)) if net.creases else (net.bounds.width, net.bounds.height)
    box = rotation(how.turn).bounds(Rect(0, 0, component.width, component.height))
    more = (how.pile - 1) * STEP * min(component.width, component.height)
    return box.width + more, box.height + more


def box_of(component: Component, thing: Laid) -> Rect:
    """What a piece covers, in the ground's mm."""
    wide, high = size_of(component, Posture(thing.shown, thing.turn, thing.face, thing.pile))
    x, y = thing.at
    if thing.shown in VIEWS:
        return Rect(x - wide / 2, y + thing.foot - high, wide, high)
    more = (thing.pile - 1) * thing.step
    return Rect(x - (wide - more) / 2, y - (high - more) / 2, wide, high)
