"""Defines what a check found for its report: what is wrong, and what was proved, with numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from functools import wraps
from pathlib import Path
from typing import Literal

from pnp.dataclass import dataclass
from pnp.shapes.affine import Rect
from pnp.shapes.outline import Ring
from pnp.values.faces import Deck, Face, Piece
from pnp.values.game import Component, Game, Side
from pnp.values.problems import About, Place, Problem
from pnp.values.tables import Row

State = Literal["plain", "start", "goal", "blocked", "bad", "path"]


@dataclass(frozen=True, slots=True)
class ClaimShown:
    """A claim with its numbers."""

    name: str
    says: str
    expression: str
    rule: str
    holds: bool
    sides: tuple[str, ...]
    """The values of the sides of its comparison, the last case's or the failing one's."""
    cases: str
    """For what it was tried: ``players 2-8``; empty for once."""


@dataclass(frozen=True, slots=True)
class TableShown:
    """A table of numbers: set-up by players, distances, bridges."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Spot:
    """A cell of a map: its outline in the map's mm, its state, and a short text in its middle."""

    ring: Ring
    state: State
    text: str = ""


@dataclass(frozen=True, slots=True)
class MapShown:
    """A map with what was found on it."""

    title: str
    spots: tuple[Spot, ...]
    note: str = ""


Shown = ClaimShown | TableShown | MapShown


@dataclass(frozen=True, slots=True)
class SetText:
    """A text as set on a piece: box and ink in face mm, size in pt."""

    piece: Piece
    """The first one that shows its face."""
    side: Side
    face: str
    """The face's key."""
    name: str
    """The box's name, if it has one."""
    source: str
    size_pt: float
    fill: str
    bold: bool
    box: Rect
    ink: Rect | None
    """Where its letters are; None when that is not known (turned texts)."""
    place: Place

    @property
    def about(self) -> About:
        """The subject of a finding about it."""
        return self.piece.about(self.side, self.name, self.box)


@dataclass(frozen=True, slots=True)
class Stand:
    """A row that shows a usual drawing until it has its own."""

    component: Component
    row: Row
    usual: str
    own: bool
    """It has one."""


@dataclass(frozen=True, slots=True)
class Part:
    """One page of a board split over several, and what of the board is on it, in mm."""

    piece: Piece
    paper: str
    label: str
    area: Rect


@dataclass(frozen=True, slots=True)
class Subject:
    """A game as rules look at it. Without drawing, decks, texts and pictures are empty, and rules on them find nothing."""

    game: Game
    decks: tuple[Deck, ...] = ()
    texts: tuple[SetText, ...] = ()
    faces: Mapping[str, tuple[Piece, Side, Face]] = field(default_factory=dict)
    """By the face's key: the first piece that shows it, and on which side."""
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    """PNG of a face cut to its trim, by the face's key, at ``dpi``."""
    dpi: int = 0
    bled: Mapping[str, bytes] = field(default_factory=dict)
    """PNG with its bleed, transparent where nothing is drawn, of one face of each side of a component."""
    shown: frozenset[Path] = frozenset()
    """Files with drawings that pieces and books show."""
    personal: bool = False
    """Whether a template says for whom a deck is printed, so that other decks may show other drawings."""
    stands: tuple[Stand, ...] = ()
    parts: tuple[Part, ...] = ()
    boards: Mapping[str, bytes] = field(default_factory=dict)
    """PNG of the faces that are parted, by the face's key."""
    told: frozenset[Problem] = frozenset()
    """What was found in the tables, before anything was drawn."""

    def face(self, about: About) -> Face | None:
        """The drawn face that a finding is about; the front where it names no side."""
        pieces = (piece for deck in self.decks if deck.component.name == about.component for piece in deck.pieces)
        piece = next((each for each in pieces if (each.id, each.part) == (about.piece, about.part)), None)
        return piece.side(about.side or "front") if piece else None


@dataclass(frozen=True, slots=True)
class Report:
    """The problems and evidence of one rule."""

    problems: tuple[Problem, ...] = ()
    shown: tuple[Shown, ...] = ()


def report(problems: Iterable[Problem] = (), shown: Iterable[Shown] = ()) -> Report:
    """A report of what was collected."""
    return Report(tuple(problems), tuple(shown))


def reported(look: Callable[[Subject], Iterable[Problem | Shown]]) -> Callable[[Subject], Report]:
    """Makes a report of what a rule yields: its findings, each once, and what it shows."""

    @wraps(look)
    def whole(subject: Subject) -> Report:
        found = list(look(subject))
        problems = dict.fromkeys(each for each in found if isinstance(each, Problem))
        return report(problems, [each for each in found if not isinstance(each, Problem)])

    return whole
