"""A game in the studio: its last drawing, findings and pictures, from a worker process whose crash harms no window."""

from __future__ import annotations

import asyncio
import functools
import multiprocessing
import sys
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pnp.dataclass import dataclass
from pnp.studio.messages import (
    Answer,
    Asked,
    Begun,
    Drew,
    DrewFew,
    Failed,
    Findings,
    Found,
    GameSeen,
    LookNow,
    Pictured,
    Question,
    Reply,
    Request,
    Shown,
    Wanted,
)
from pnp.system.watchdog import at, idle, limit

if TYPE_CHECKING:
    from pnp.studio.live_preview import LivePreview

# Pictures that are kept in memory, in bytes.
MOST_KEPT = 64_000_000
# What drawing, checking and rendering import.
PRELOADED = ["pnp.studio.live_preview", "PIL.Image", "markdown_it", "mdit_py_plugins", "pypdfium2", "typst", "uharfbuzz"]
# How often a process that has ended is started again until a file changes or somebody asks.
TRIES = 2
ENDED = "The process that draws this game has ended, perhaps for want of memory. It is drawn again when a file is saved."


@dataclass(slots=True)
class Desk:
    """One game. Listeners are called without arguments, in another thread, after every change."""

    root: Path
    name: str
    seen: GameSeen | None = None
    findings: Findings | None = None
    busy: bool = True
    """Whether it is being drawn just now."""
    fault: str = ""
    """Why nothing could be drawn, where that is no fault of the game's files."""
    version: int = 0
    """Grows with each change."""
    drawings: int = 0
    """How often it was drawn."""
    behind: bool = False
    """Whether a file was saved here since what is shown was drawn."""
    listeners: list[Callable[[], None]] = field(default_factory=list)
    _pipe: Connection | None = None
    _process: BaseProcess | None = None
    _waiting: dict[int, Future[Any]] = field(default_factory=dict)
    _kept: OrderedDict[tuple[str, int, bool, str], bytes] = field(default_factory=OrderedDict)
    _size: int = 0
    _number: int = 0
    _tries: int = 0
    _closed: bool = False
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def open(self) -> None:
        """Starts the worker."""
        with self._lock:
            ours, theirs = multiprocessing.Pipe()
            temporary = tempfile.gettempdir()
            process = _workers().Process(target=work, args=(theirs, self.root, self.name, temporary), daemon=True)
            process.start()
            theirs.close()
            self._pipe, self._process = ours, process
            threading.Thread(target=self._listen, args=(ours,), name=f"pnp-desk-{self.name}", daemon=True).start()

    def close(self) -> None:
        """Stops the worker."""
        with self._lock:
            self._closed = True
            pipe, process = self._pipe, self._process
        if process is not None:
            process.kill()
            process.join()
        if pipe is not None:
            pipe.close()

    def look(self) -> None:
        """Makes the worker look at files now; restarts one that has ended."""
        with self._lock:
            self.behind = True
            if self._pipe is None and not self._closed:
                self._tries = 0
                self.fault, self.busy = "", True
                self.open()
            else:
                self._ask(LookNow())

    async def picture(self, key: str, dots: int, bleed: bool, eyes: str = "") -> bytes | None:
        """A face as PNG; None if there is none."""
        named = key, dots, bleed, eyes
        with self._lock:
            if named in self._kept:
                self._kept.move_to_end(named)
                return self._kept[named]
            self._number += 1
            future: Future[Any] = Future()
            self._waiting[self._number] = future
            if not self._ask(Wanted(self._number, key, dots, bleed, eyes)):
                return None
        picture: bytes | None = await asyncio.wrap_future(future)
        if picture is not None:
            self._keep(named, picture)
        return picture

    async def reply(self, asked: Request) -> Reply | None:
        """The answer to a request for other pictures; None if there is none."""
        with self._lock:
            self._number += 1
            future: Future[Any] = Future()
            self._waiting[self._number] = future
            if not self._ask(Asked(self._number, asked)):
                return None
        answer: Reply | None = await asyncio.wrap_future(future)
        return answer

    def _keep(self, named: tuple[str, int, bool, str], picture: bytes) -> None:
        with self._lock:
            if named not in self._kept:
                self._kept[named] = picture
                self._size += len(picture)
            while self._size > MOST_KEPT:
                _, old = self._kept.popitem(last=False)
                self._size -= len(old)

    def _ask(self, question: Question) -> bool:
        try:
            if self._pipe is not None:
                self._pipe.send(question)
                return True
        except OSError:
            pass  # the thread that listens sees it too, and starts another process
        return False

    def _listen(self, pipe: Connection) -> None:
        try:
            while True:
                self._take(pipe.recv())
        except (EOFError, OSError):
            self._ended()

    def _take(self, answer: Answer) -> None:
        match answer:
            case Begun():
                self.busy = True
            case DrewFew(faces):
                self.seen = self.seen and self.seen.with_changed(faces)
            case Drew(seen):
                self.seen, self.fault = seen or self.seen, ""
                self._tries = 0
                self.behind = self.behind and seen is None
                self.drawings += 1
            case Found(findings):
                self.findings, self.busy = findings, False
            case Failed(message):
                self.fault, self.busy = f"This is a fault of pnp itself: {message}", False
            case Pictured(number, made) | Shown(number, made):
                with self._lock:
                    _give(self._waiting.pop(number), made)
                return
        self._tell()

    def _ended(self) -> None:
        with self._lock:
            if self._process is not None:
                self._process.join()
            self._pipe = self._process = None
            for future in self._waiting.values():
                _give(future, None)
            self._waiting.clear()
            if self._closed:
                return
            self._tries += 1
            if self._tries < TRIES:
                self.open()
                return
            self.fault, self.busy = ENDED, False
        self._tell()

    def _tell(self) -> None:
        self.version += 1
        for listener in list(self.listeners):
            listener()


@functools.cache
def _workers() -> Any:
    """The process that starts workers: on Linux one that has imported all they need, and forks.

    This process itself cannot be forked, since its threads would be missing.
    """
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    made = multiprocessing.get_context("forkserver")
    made.set_forkserver_preload(PRELOADED)
    return made


def _give(future: Future[Any], answer: object) -> None:
    """Sets a future's result, unless its page was closed."""
    if future.set_running_or_notify_cancel():
        future.set_result(answer)


# In seconds: between two looks at the files, while somebody may be writing, and until a page asks for what is new.
PAUSE, SETTLING, SOON = 0.15, 0.05, 0.08
# Checks wait no longer for that.
LATEST = 3.0
# Faces that are pictured together: what is asked for meanwhile waits no longer than they take.
AT_ONCE = 12


def work(pipe: Connection, root: Path, name: str, temporary: str) -> None:
    """Draws a game whenever its files change, and answers requests, until the pipe is closed."""
    import signal
    import tempfile

    # Ctrl-C in the terminal is for the studio, which ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tempfile.tempdir = temporary
    limit()
    try:
        _work(pipe, root, name)
    except (EOFError, BrokenPipeError, ConnectionResetError, KeyboardInterrupt):
        return


def _work(pipe: Connection, root: Path, name: str) -> None:
    from pnp.read.project import Project
    from pnp.studio.live_preview import LivePreview
    from pnp.system.cache import Cache, cache_folder

    looking = LivePreview(Project(root), name, Cache(cache_folder()))
    now = False
    while True:
        try:
            changed = looking.due or (now and looking.due)
            now = False
            if changed:
                pipe.send(Begun())
                at(f"drawing {name}")
                if few := looking.begin():
                    pipe.send(DrewFew(few))
                    now = _pictures_first(pipe, looking)
                    at(f"drawing {name}")
                pipe.send(Drew(looking.draw()))
                now = _pictures_first(pipe, looking) or now
                pipe.send(Found(looking.check()))
        except (EOFError, BrokenPipeError, ConnectionResetError):
            raise
        except Exception as error:  # whatever it is, the window goes on
            pipe.send(Failed(f"{type(error).__name__}: {error}"))
        idle()
        wanted, saved = _questions(pipe, 0 if now else SETTLING if looking.stirring else PAUSE)
        now = now or saved
        if wanted:
            at(f"showing {name}")
        _answer(pipe, looking, wanted)


def _pictures_first(pipe: Connection, looking: LivePreview) -> bool:
    """Answers until the page has the pictures that are new to it; a page of thousands takes its time to ask for them.

    Returns whether to look at files now.
    """
    until = time.monotonic() + min(SOON * (1 + looking.faces / 100), LATEST)
    asked = not looking.fresh
    while True:
        wanted, now = _questions(pipe, SOON if asked else max(0.0, until - time.monotonic()))
        _answer(pipe, looking, wanted)
        # Who scrolls on and on has the findings all the same.
        if now or not wanted or time.monotonic() > until + LATEST:
            return now
        asked = asked or any(isinstance(each, Wanted) and each.key in looking.fresh for each in wanted)


def _questions(pipe: Connection, wait: float) -> tuple[list[Wanted | Asked], bool]:
    """The requests received within ``wait`` seconds, and whether to look at files now."""
    wanted: list[Wanted | Asked] = []
    now = False
    while len(wanted) < AT_ONCE and pipe.poll(0 if wanted or now else wait):
        question = pipe.recv()
        if isinstance(question, Wanted | Asked):
            wanted.append(question)
        else:
            now = True
    return wanted, now


def _answer(pipe: Connection, looking: LivePreview, questions: list[Wanted | Asked]) -> None:
    for asked in questions:
        if isinstance(asked, Asked):
            reply = None
            try:
                reply = looking.reply(asked.request)
            except Exception as error:
                pipe.send(Failed(f"{type(error).__name__}: {error}"))
            pipe.send(Shown(asked.number, reply))
    wanted = [each for each in questions if isinstance(each, Wanted)]
    for dots, bleed, eyes in dict.fromkeys((each.dots, each.bleed, each.eyes) for each in wanted):
        some = [each for each in wanted if (each.dots, each.bleed, each.eyes) == (dots, bleed, eyes)]
        try:
            made = looking.pictures([each.key for each in some], dots, bleed, eyes)
        except Exception as error:
            pipe.send(Failed(f"{type(error).__name__}: {error}"))
            made = {}
        for each in some:
            pipe.send(Pictured(each.number, made.get(each.key)))
