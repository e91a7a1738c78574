"""The open project without a window: its documents, desks, commands that run, and covers of games."""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from pnp import __version__
from pnp.read.project import Project
from pnp.studio.desk import Desk
from pnp.studio.documents import Documents
from pnp.studio.messages import counted, worst
from pnp.studio.tabletop import Tabletop
from pnp.system.cache import cache_folder
from pnp.system.paths import digest_of, scan

# Of what a command says, in letters.
MOST_SAID = 20_000


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


# How wide a picture is, in dots; how often a desk is asked whether it is ready, and for how long, in seconds.
DOTS, PAUSE, PATIENCE = 450, 0.1, 120


@dataclass(frozen=True, slots=True)
class Cover:
    """A game's first card and findings, as last drawn."""

    stamp: str
    """Of its files at that time."""
    said: str
    """How much was wrong."""
    wrong: str
    """The worst that was found: ``error``, ``warning``, or empty. It gives ``said`` its colour."""
    picture: str
    """A PNG in base64; empty where nothing could be drawn."""


@dataclass(slots=True)
class Shelf:
    """The covers; those of changed games are drawn anew, one after the other."""

    project: Project
    kept: Path
    listeners: list[Callable[[], None]] = field(default_factory=list)
    _covers: dict[str, Cover] = field(default_factory=dict)
    _drawing: str = ""
    _desk: Desk | None = None
    _closed: bool = False

    def cover(self, game: str) -> Cover | None:
        """The last cover of a game, perhaps outdated."""
        if game not in self._covers:
            with suppress(OSError, ValueError, TypeError):
                self._covers[game] = Cover(**json.loads(self._file(game).read_text("utf-8")))
        return self._covers.get(game)

    def fresh(self, game: str) -> bool:
        """Whether the game's cover picture was drawn from its files as they are now."""
        cover = self.cover(game)
        return cover is not None and cover.stamp == self._stamp(game)

    async def look(self) -> None:
        """Draws outdated covers."""
        if self._drawing:
            return
        try:
            for game in self.project.games():
                if not self._closed and not self.fresh(game):
                    self._drawing = game
                    await self._draw(game)
                    for listener in list(self.listeners):
                        listener()
        finally:
            self._drawing = ""

    def close(self) -> None:
        self._closed = True
        if self._desk is not None:
            self._desk.close()

    async def _draw(self, game: str) -> None:
        stamp = self._stamp(game)
        # Not one that somebody works at: nobody knows when that has seen what was saved last.
        desk = self._desk = Desk(self.project.root, game)
        desk.open()
        try:
            for _ in range(round(PATIENCE / PAUSE)):
                if not desk.busy or self._closed:
                    break
                await asyncio.sleep(PAUSE)
            before, seen = self.cover(game), await _seen(desk, stamp)
            # What cannot be drawn just now is still known by its picture.
            self._covers[game] = replace(seen, picture=seen.picture or (before.picture if before else ""))
        finally:
            await asyncio.to_thread(desk.close)
            self._desk = None
        with suppress(OSError):
            self.kept.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._file(game).write_text(json.dumps(asdict(self._covers[game])), encoding="utf-8")

    def _file(self, game: str) -> Path:
        name = digest_of(f"{self.project.root.resolve()}\0{game}".encode("utf-8", "surrogatepass"))[:24]
        return self.kept / f"{name}.json"

    def _stamp(self, game: str) -> str:
        seen = scan((self.project.content / game, self.project.root / "templates"))
        return digest_of(f"{__version__} {sorted(seen.items())}".encode("utf-8", "surrogatepass"))[:24]


async def _seen(desk: Desk, stamp: str) -> Cover:
    """The cover from a desk: the front of the first card, else of the first piece."""
    if desk.fault or desk.findings is None:
        return Cover(stamp, "Could not be drawn", "error", "")
    components = desk.seen.components if desk.seen else ()
    faces = [face for each in sorted(components, key=lambda each: each.kind != "card") for face in each.faces[:1]]
    picture = await desk.picture(faces[0].key, DOTS, False) if faces else None
    problems = desk.findings.problems
    return Cover(stamp, counted(problems), worst(problems), base64.b64encode(picture or b"").decode())
