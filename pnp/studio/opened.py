"""A project that is open in the studio, and what the views of one game know of their window."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from pnp.flows.edits import Edits
from pnp.read.project import Project
from pnp.studio.desk import Desk
from pnp.system.cache import cache_folder
from pnp.values.problems import Place


@dataclass(slots=True)
class Studio:
    """A project that is open in the browser: the games that somebody looked at, each on a desk of its own."""

    project: Project
    edits: Edits
    desks: dict[str, Desk] = field(default_factory=dict)

    @classmethod
    def of(cls, project: Project) -> Studio:
        return cls(project, Edits(project, cache_folder() / "studio"))

    def desk(self, name: str) -> Desk:
        """The desk of a game. Raises NoSuchGame."""
        if name not in self.desks:
            self.project.folder(name)
            desk = self.desks[name] = Desk(self.project.root, name)
            desk.open()
        return self.desks[name]

    def close(self) -> None:
        for desk in self.desks.values():
            desk.close()


class Window(Protocol):
    """One window on one game, as its views see it."""

    studio: Studio
    desk: Desk

    def at(self, name: str) -> bool:
        """Whether this tab is the one that is shown."""

    def go(self, name: str) -> None:
        """Show a tab."""

    def open(self, place: Place) -> None:
        """Show where something stands: the row of a table, the line of a file."""


class View(Protocol):
    """What a tab shows."""

    def show(self) -> None:
        """Put it on the page, once."""

    def refresh(self) -> None:
        """The game has changed."""
