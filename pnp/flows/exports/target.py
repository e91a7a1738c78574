"""What a target of an export is, and what it is given to work with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pnp.flows.exports.darkroom import Darkroom
from pnp.flows.outputs import Made
from pnp.values.exports import Choices
from pnp.values.kit import Form, Kit
from pnp.values.problems import Problems

if TYPE_CHECKING:
    from pathlib import Path

Pieces = Counter[str]
"""How often each ``component/id`` is there."""


@dataclass(frozen=True, slots=True)
class Held:
    """What is in a file that an export wrote."""

    game: str
    """The game's name, that of its folder; "" where the file does not say it."""
    whole: Pieces
    """All pieces of the game that are ready to be played with."""
    some: bool = False
    """It may hold some components only, those of one size or those that a shop makes."""
    share: bool = False
    """It may hold some pieces of a component only: the others are in files beside it."""
    besides: Mapping[str, Pieces] = field(default_factory=dict)
    """Copies of pieces in bunches of their own, such as "4 players": those that the set-up takes for so many."""


@dataclass(frozen=True, slots=True)
class Job:
    """One game to be exported."""

    kit: Kit
    darkroom: Darkroom
    choices: Choices
    problems: Problems
    folder: Path
    """Where the files will lie: some targets name their pictures with it."""
    kept: dict[str, bytes] = field(default_factory=dict)
    """Files of the game's own folder that the next export asks for."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a game can go."""

    says: str
    """What comes of it, in words for a person."""
    how: str
    """How a person opens it, for the README of the export."""
    forms: frozenset[Form]
    """What it takes; for other pieces it is told what to do."""
    make: Callable[[Job], Iterator[Made]]
    """The files, named below the export's folder. Problems are put into the job's."""
    options: frozenset[str] = frozenset()
    """The names of the :class:`Choices` that it asks."""
    instead: Mapping[Form, str] = field(default_factory=dict)
    """What to do with pieces of other forms, as a sentence."""
    held: Mapping[str, Callable[[bytes], Held | None]] = field(default_factory=dict)
    """By the end of a file's name: what such a file holds; None where it is a file of another kind."""
