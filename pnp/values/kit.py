"""A game as a kit of pieces for tables that are not of paper: how each looks, where it lies, what is taken for how many
players. All frozen; lengths in mm, turns in degrees clockwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pnp.shapes.outline import Ring
from pnp.values.faces import Deck, Page, Piece
from pnp.values.game import Component, Game
from pnp.values.kinds import KindName

Form = Literal["card", "tile", "board", "token", "figure", "die", "screen", "container", "dial"]
"""What a piece is once it is in somebody's hands, whatever it was folded from."""

FORMS: Mapping[KindName, Form] = {
    "card": "card",
    "domino": "card",
    "tile": "tile",
    "board": "board",
    "tracker": "board",
    "token": "token",
    "ship": "figure",
    "standee": "figure",
    "pawn": "figure",
    "prism": "figure",
    "die": "die",
    "screen": "screen",
    "box": "container",
    "pouch": "container",
    "divider": "card",
    "dial": "dial",
}


@dataclass(frozen=True, slots=True)
class Look:
    """One side of a piece as a picture."""

    key: str
    """The same for looks that show the same."""
    page: Page
    """The picture, alone on a page of its size."""
    clear: bool = False
    """What lies beside its outline is transparent."""

    @property
    def width(self) -> float:
        return self.page.paper.width

    @property
    def height(self) -> float:
        return self.page.paper.height


@dataclass(frozen=True, slots=True)
class Thing:
    """One design of a component, as it is in the hand."""

    piece: Piece
    """What is printed: with its bleed, and folded pieces as flat nets."""
    title: str
    """In words for a person."""
    says: Mapping[str, str]
    """The cells of its row as they were typed, by column."""
    front: Look
    back: Look | None
    sides: tuple[Look, ...] = ()
    """Of a die, one for each face."""
    values: tuple[str, ...] = ()
    """What they show, in the same order."""

    @property
    def id(self) -> str:
        return self.piece.id

    @property
    def copies(self) -> int:
        return self.piece.copies


@dataclass(frozen=True, slots=True)
class Spot:
    """A named place on a board: its middle and size in mm from the board's top-left corner."""

    name: str
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Part:
    """A component, as it is in the hand."""

    deck: Deck
    form: Form
    things: tuple[Thing, ...]
    spots: tuple[Spot, ...] = ()
    outline: Ring | None = None
    """Of pieces that are no rectangles and all alike, in mm from the trim's corner."""

    @property
    def component(self) -> Component:
        return self.deck.component

    @property
    def name(self) -> str:
        return self.component.name

    @property
    def title(self) -> str:
        return self.component.title

    @property
    def width(self) -> float:
        """Of a piece in the hand."""
        return self.things[0].front.width

    @property
    def height(self) -> float:
        return self.things[0].front.height

    @property
    def back(self) -> Look | None:
        """The back that all pieces have in common; None where they have several or none."""
        backs = {thing.back.key: thing.back for thing in self.things if thing.back}
        return next(iter(backs.values())) if len(backs) == 1 and all(thing.back for thing in self.things) else None


@dataclass(frozen=True, slots=True)
class Taken:
    """So many copies of some things that a set-up takes."""

    what: str
    """In words."""
    part: str
    things: tuple[str, ...]
    """The ids they are chosen from."""
    number: int
    each: int | None
    """Of these each player has so many; None: they are the table's."""


@dataclass(frozen=True, slots=True)
class SetUp:
    """What is taken from the box for so many players."""

    players: int
    takes: tuple[Taken, ...]


@dataclass(frozen=True, slots=True)
class Lying:
    """A place of a layout: the middle of the piece there in mm, how it is turned, and which things may lie there."""

    slot: str
    x: float
    y: float
    turn: float
    things: tuple[str, ...]
    down: bool
    """Face down: nobody knows which of them it is."""


@dataclass(frozen=True, slots=True)
class Laying:
    """How the pieces of a part lie at the start."""

    name: str
    title: str
    part: str
    places: tuple[Lying, ...]
    look: Look
    """All of it as it is seen, with its pieces at their places; the middles of these are in mm from its top-left corner."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A book, as a PDF in full size."""

    name: str
    title: str
    pdf: bytes


@dataclass(frozen=True, slots=True)
class Kit:
    """All of a game."""

    game: Game
    parts: tuple[Part, ...]
    setups: tuple[SetUp, ...]
    layings: tuple[Laying, ...]
    readings: tuple[Reading, ...]

    def part(self, name: str) -> Part:
        return next(part for part in self.parts if part.name == name)
