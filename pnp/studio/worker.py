"""The process that draws a game for the studio, so that a crash leaves the window open."""

from __future__ import annotations

from multiprocessing.connection import Connection
from pathlib import Path

from pnp.dataclass import dataclass
from pnp.studio.messages import Findings, GameSeen, Reply, Request
from pnp.system.watchdog import at, idle, limit

# In seconds: between two looks at the files, and while somebody may be writing.
PAUSE, SETTLING = 0.15, 0.05
# Faces that are pictured together: what is asked for meanwhile waits no longer than they take.
AT_ONCE = 12


@dataclass(frozen=True, slots=True)
class Wanted:
    """Requests a picture, ``dots`` pixels wide, with or without bleed."""

    number: int
    key: str
    dots: int
    bleed: bool
    eyes: str = ""
    """As whom; see ``pnp simulate``."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Requests anything besides pieces."""

    number: int
    request: Request


@dataclass(frozen=True, slots=True)
class Shown:
    """The answer to :class:`Asked`."""

    number: int
    reply: Reply | None


@dataclass(frozen=True, slots=True)
class LookNow:
    """Says that the studio has saved a file, so that it need not settle."""


@dataclass(frozen=True, slots=True)
class Begun:
    """Says that files have changed and drawing has begun."""


@dataclass(frozen=True, slots=True)
class Drew:
    """The new drawing; None if it failed."""

    seen: GameSeen | None


@dataclass(frozen=True, slots=True)
class Found:
    findings: Findings


@dataclass(frozen=True, slots=True)
class Pictured:
    """The answer to a :class:`Wanted`: a PNG, or None where there is no such face."""

    number: int
    picture: bytes | None


@dataclass(frozen=True, slots=True)
class Failed:
    """An unexpected exception in the worker."""

    message: str


Question = Wanted | Asked | LookNow
Answer = Begun | Drew | Found | Pictured | Shown | Failed


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
            if looking.due or (now and looking.due):
                pipe.send(Begun())
                at(f"drawing {name}")
                pipe.send(Drew(looking.draw()))
                wanted, _ = _questions(pipe, 0)
                _answer(pipe, looking, wanted)
                pipe.send(Found(looking.check()))
        except (EOFError, BrokenPipeError, ConnectionResetError):
            raise
        except Exception as error:  # whatever it is, the window goes on
            pipe.send(Failed(f"{type(error).__name__}: {error}"))
        idle()
        wanted, now = _questions(pipe, SETTLING if looking.stirring else PAUSE)
        if wanted:
            at(f"showing {name}")
        _answer(pipe, looking, wanted)


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


def _answer(pipe: Connection, looking: object, questions: list[Wanted | Asked]) -> None:
    from pnp.studio.live_preview import LivePreview

    assert isinstance(looking, LivePreview)
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
