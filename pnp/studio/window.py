"""A project that is open in the studio: its games, what is made of them, and what views know of their window."""

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
    """One command at a time."""

    said: str = ""
    running: bool = False
    listeners: list[Callable[[], None]] = field(default_factory=list)
    """They are called whenever it has said something."""
    _process: asyncio.subprocess.Process | None = None

    @property
    def done(self) -> bool:
        """Whether the last one has come to its end, and all went well."""
        return not self.running and self.said.endswith("done")

    async def run(self, root: Path, arguments: list[str]) -> None:
        """``pnp`` with these arguments for a project; nothing where something runs already."""
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
    """A project that is open in the browser: the games that somebody looked at, each on a desk of its own."""

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
        """What is being made of a game."""
        return self.jobs.setdefault(name, Job())

    def close(self) -> None:
        for job in self.jobs.values():
            job.stop()
        self.shelf.close()
        for desk in self.desks.values():
            desk.close()


class Window(Protocol):
    """One window on one game, as its views see it."""

    studio: Studio
    desk: Desk

    @property
    def face(self) -> FaceSeen | None:
        """The one that is selected, as it was drawn last."""

    @property
    def said(self) -> str:
        """What stands in the line at the foot."""

    def at(self, name: str) -> bool:
        """Whether the canvas shows this view."""

    def go(self, name: str) -> None:
        """Show a view on the canvas."""

    def open(self, place: Place) -> None:
        """Show where something stands: the row of a table, the line of a file."""

    def choose(self, face: FaceSeen, go: bool = False) -> None:
        """Select a face and its row; ``go``: let the canvas show it."""

    def chose_row(self, file: str, row: int, name: str) -> None:
        """Somebody has selected a row of a table; ``name`` is its id, where it has one."""

    def changed(self, document: Document) -> None:
        """A document was changed here: it is what is undone next."""

    def leave(self) -> None:
        """Save what is being typed into a field of the selected row."""

    def say(self, text: str) -> None:
        """Write into the line at the foot."""

    def tell(self, text: str) -> None:
        """Say something over all else, for a while."""


class View(Protocol):
    """What the canvas can show."""

    def show(self) -> None:
        """Put it on the page, once."""

    def refresh(self) -> None:
        """The game has changed."""
