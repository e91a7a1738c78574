"""The open project: its games, running commands, and the state that the views of a window share."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from pnp.read.project import Project
from pnp.studio.desk import Desk
from pnp.studio.documents import Document, Documents
from pnp.studio.messages import FaceSeen
from pnp.studio.shelf import Shelf
from pnp.studio.tabletop import Tabletop
from pnp.system.cache import cache_folder
from pnp.values.problems import Place

# Of what a command says, in letters.
MOST_SAID = 20_000


@dataclass(slots=True)
class Job:
    """Runs one command at a time."""

    said: str = ""
    running: bool = False
    listeners: list[Callable[[], None]] = field(default_factory=list)
    """They are called whenever it has said something."""
    _process: asyncio.subprocess.Process | None = None

    @property
    def done(self) -> bool:
        """Whether the last command succeeded."""
        return not self.running and self.said.endswith("done")

    async def run(self, root: Path, arguments: list[str]) -> None:
        """Runs ``pnp`` for a project, unless a command is running."""
        if self.running:
            return
        self.running, self.said = True, ""
        self._tell()
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",  # what lies in the project's folder is no part of pnp, whatever it is called
            "-m",
            "pnp",
            "--project",
            str(root),
            *arguments,
            cwd=root,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            self.said = (self.said + line.decode("utf-8", "replace"))[-MOST_SAID:]
            self._tell()
        code = await self._process.wait()
        self.said += "done" if code == 0 else "stopped" if code < 0 or code == 130 else "not made: see above"
        self.running, self._process = False, None
        self._tell()

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()

    def _tell(self) -> None:
        for listener in list(self.listeners):
            listener()


@dataclass(slots=True)
class Studio:
    """The open project; each game that was opened has a desk."""

    project: Project
    documents: Documents
    shelf: Shelf
    desks: dict[str, Desk] = field(default_factory=dict)
    jobs: dict[str, Job] = field(default_factory=dict)
    tabletops: dict[str, Tabletop] = field(default_factory=dict)
    """Of each game the one at which it is played, in however many windows."""

    @classmethod
    def of(cls, project: Project) -> Studio:
        kept = cache_folder() / "studio"
        return cls(project, Documents(project, kept), Shelf(project, kept / "covers"))

    def desk(self, name: str) -> Desk:
        """The desk of a game. Raises NoSuchGame."""
        if name not in self.desks:
            self.project.folder(name)
            desk = self.desks[name] = Desk(self.project.root, name)
            desk.open()
        return self.desks[name]

    def job(self, name: str) -> Job:
        """The command runner of a game."""
        return self.jobs.setdefault(name, Job())

    def close(self) -> None:
        for job in self.jobs.values():
            job.stop()
        self.shelf.close()
        for desk in self.desks.values():
            desk.close()


class Window(Protocol):
    """One window on one game, as its views use it."""

    studio: Studio
    desk: Desk

    @property
    def face(self) -> FaceSeen | None:
        """The selected face in the last drawing."""

    @property
    def said(self) -> str:
        """The text of the status line."""

    def at(self, name: str) -> bool:
        """Whether the canvas shows this view."""

    def go(self, name: str) -> None:
        """Shows a view."""

    def open(self, place: Place) -> None:
        """Shows a place: a row of a table, or a line of a file."""

    def choose(self, face: FaceSeen, go: bool = False) -> None:
        """Selects a face and its row; ``go`` shows it on the canvas."""

    def chose_row(self, file: str, row: int, name: str) -> None:
        """Handles the selection of a row; ``name`` is its id, if it has one."""

    def changed(self, document: Document) -> None:
        """Makes a document the next to undo."""

    def leave(self) -> None:
        """Saves the field being typed into."""

    def say(self, text: str) -> None:
        """Sets the status line."""

    def tell(self, text: str) -> None:
        """Shows a notification."""


class View(Protocol):
    """A view of the canvas."""

    def show(self) -> None:
        """Builds the view, once."""

    def refresh(self) -> None:
        """Updates the view after the game has changed."""
