"""A game as the studio shows it: plain values, which one process hands to another."""

from __future__ import annotations

from dataclasses import dataclass

from pnp.shapes.outline import Ring
from pnp.values.game import Side
from pnp.values.problems import Place, Problem


@dataclass(frozen=True, slots=True)
class FaceSeen:
    """A face that differs from all others of its component; lengths in mm."""

    key: str
    """The same as long as it looks the same."""
    component: str
    piece: str
    """The id of the first piece that has it."""
    side: Side
    name: str
    """What it is called among the faces of its component."""
    width: float
    height: float
    bleed: float
    outline: Ring
    """Where a piece that is no rectangle is cut, from the corner of its trim; empty: along the trim."""
    copies: int
    """How many pieces have it."""
    place: Place
    """The row that it was drawn from."""


@dataclass(frozen=True, slots=True)
class ComponentSeen:
    """A component with its faces, fronts first."""

    name: str
    title: str
    kind: str
    copies: int
    faces: tuple[FaceSeen, ...]


@dataclass(frozen=True, slots=True)
class GameSeen:
    """All pieces of a game, as they were drawn from its files last."""

    name: str
    title: str
    components: tuple[ComponentSeen, ...]

    @property
    def faces(self) -> dict[str, FaceSeen]:
        return {face.key: face for component in self.components for face in component.faces}


@dataclass(frozen=True, slots=True)
class Findings:
    """What is wrong with a game; ``whole`` where every rule could look."""

    problems: tuple[Problem, ...]
    whole: bool
