"""A scene of a rulebook as it is drawn: pieces and marks on a ground, in the ground's own mm. All frozen.

What a designer types becomes one in :mod:`pnp.books.scenes`; :mod:`pnp.lay.scene` makes the picture.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pnp.shapes.affine import Rect
from pnp.shapes.nets.view import AHEAD, ASIDE, BEHIND, View, lying
from pnp.shapes.outline import Point, Ring

Shown = Literal["front", "back", "standing", "ahead", "behind"]
# From where folded pieces are seen.
VIEWS: Mapping[Shown, View] = {"standing": ASIDE, "ahead": AHEAD, "behind": BEHIND}


def view_of(shown: Shown, face: str) -> View:
    """From where a folded piece is seen, a die with this face on top."""
    return lying(face) if face else VIEWS[shown]


@dataclass(frozen=True, slots=True)
class Laid:
    """A piece: its middle, turned by so many degrees clockwise; a folded one stands ``foot`` mm below that."""

    component: str
    piece: str
    shown: Shown
    at: Point
    turn: float = 0.0
    edged: bool = True
    """With a thin line around it, so that it is told from what it lies on."""
    foot: float = 0.0
    face: str = ""
    """The panel of a die that is on top."""
    pile: int = 1
    """It is the top one of so many, and each lies ``step`` mm to the right of the one above, and lower."""
    step: float = 0.0


@dataclass(frozen=True, slots=True)
class Arrow:
    """A way through the middles of fields."""

    points: Ring
    dashed: bool = False
    curved: bool = False
    numbered: bool = False
    """Each step has its number."""
    over: bool = False
    """It lies over the pieces."""


@dataclass(frozen=True, slots=True)
class Highlight:
    """Fields that are meant: outlines, filled with a pattern."""

    rings: tuple[Ring, ...]


@dataclass(frozen=True, slots=True)
class Cross:
    """Here one may not go."""

    at: Point


@dataclass(frozen=True, slots=True)
class Mark:
    """A number or a word; short ones stand in a disc."""

    at: Point
    text: str


@dataclass(frozen=True, slots=True)
class Pointer:
    """Which way a piece looks: from its field towards another."""

    at: Point
    to: Point


@dataclass(frozen=True, slots=True)
class Tag:
    """What a field is called, small: for whoever writes the scene."""

    at: Point
    text: str


Thing = Laid | Arrow | Highlight | Cross | Mark | Pointer | Tag


@dataclass(frozen=True, slots=True)
class Scene:
    """What is seen, the lowest first."""

    things: tuple[Thing, ...]
    crop: Rect
    field: float
    """How wide a field is, in mm: marks are as large as suits it."""
    colour: str
    """That of arrows and numbers, as ``#rrggbb``."""
    framed: bool
    """It is cut out of something larger, and has a thin edge."""
    table: str = ""
    """Of a bare table its colour, as ``#rrggbb``."""
