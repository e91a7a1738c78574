"""``pnp`` in processes that can be killed, stopped and hindered, for tests.

One process has everything imported and makes a copy of itself for each command: nothing can break while Python starts,
and a test that kills a hundred builds need not wait for that a hundred times.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from bound import plain_game
from conftest import ROOT, TINY_GAME, TINY_TABLE, TINY_TEMPLATE, TinyProject

GIVE_UP = 30.0
"""Seconds after which something that should have ended never will."""

_SERVER = """
import importlib, json, os, signal, sys, time

for name in ("pnp.cli.main", "pnp.flows.batch", "pnp.flows.check", "pnp.system.watchdog", "pnp.write.png",
             "typst", "pikepdf", "pypdfium2", "reportlab.pdfgen.canvas", "PIL.Image", "lxml.etree", "jinja2",
             "fontTools.subset", "pydantic", "numpy", "markdown_it", "mdit_py_plugins.container", "rectpack"):
    importlib.import_module(name)
for tag in ("CFF ", "COLR", "GDEF", "GPOS", "GSUB", "OS/2", "cmap", "glyf", "head", "hhea", "hmtx", "maxp", "name", "post"):
    importlib.import_module("fontTools.ttLib").getTableModule(tag)

def copies():
    ended = {}
    for line in sys.stdin:
        asked = json.loads(line)
        if "wait" in asked:
            pid = asked["wait"]
            if pid not in ended:
                found, status = os.waitpid(pid, os.WNOHANG)
                if found:
                    ended[pid] = os.waitstatus_to_exitcode(status)
            print(json.dumps(ended.get(pid)), flush=True)
            continue
        pid = os.fork()
        if pid == 0:
            return asked
        print(pid, flush=True)
    os._exit(0)

asked = copies()
os.setsid()
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
for end, name in ((1, "out"), (2, "err")):
    os.dup2(os.open(asked[name], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644), end)
# Whoever started the tests may have wanted them to go on when the terminal is closed.
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
os.environ.update(asked["environment"])
os.chdir(asked["at"])
sys.argv = ["pnp", *asked["arguments"]]
exec(asked["program"])
"""
BUILD = "from pnp.cli.main import main; main()"
"""The program of a plain ``pnp``."""
POWERLESS = """
import ctypes, os
class Header(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]
if os.getuid() == 0:  # root may write everywhere, but for these powers
    assert ctypes.CDLL(None).capset(ctypes.byref(Header(0x20080522, 0)), (ctypes.c_uint32 * 6)()) == 0
"""
"""Before a program: nothing may be written that is read-only."""

needs_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has it")


class Press:
    """Makes processes."""

    def __init__(self) -> None:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self._server = subprocess.Popen([sys.executable, "-c", _SERVER], text=True, cwd=ROOT, **pipes)

    def ask(self, **asked: object) -> Any:
        assert self._server.stdin is not None and self._server.stdout is not None
        self._server.stdin.write(json.dumps(asked) + "\n")
        self._server.stdin.flush()
        return json.loads(self._server.stdout.readline())

    def __del__(self) -> None:
        for end in (self._server.stdin, self._server.stdout):
            if end is not None:
                end.close()
        self._server.wait()


_presses: list[Press] = []


def press() -> Press:
    """The one of this worker."""
    if not _presses:
        _presses.append(Press())
    return _presses[0]


@dataclass(frozen=True)
class Process:
    """A command at work."""

    pid: int
    press: Press
    out: Path
    err: Path
    temporary: Path

    def send(self, number: int, group: bool = False) -> None:
        (os.killpg if group else os.kill)(self.pid, number)

    @property
    def code(self) -> int | None:
        """The exit code; negative for a signal, None while it is at work."""
        return self.press.ask(wait=self.pid)

    def until(self, come: Callable[[], bool]) -> None:
        """Wait for something; if it never comes, the process is killed and the test fails."""
        giving_up = time.monotonic() + GIVE_UP
        while not come():
            if time.monotonic() > giving_up:
                self.send(signal.SIGKILL, group=True)
                pytest.fail(f"waited in vain; said: {self.said}")
            time.sleep(0.005)

    def ended(self) -> int:
        """The exit code, once there is one."""
        self.until(lambda: self.code is not None)
        assert self.code is not None
        return self.code

    def deserted(self) -> bool:
        """Whether nobody of the process's group is left."""
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                state, _, group = path.read_text(encoding="utf-8").rpartition(") ")[2].split()[:3]
            except (FileNotFoundError, ProcessLookupError):
                continue
            # A process whose first thread has ended holds its files until the last one has.
            if int(group) == self.pid and (state not in "ZX" or len(tasks(path.parent)) > 1):
                return False
        return True

    @property
    def said(self) -> str:
        """What came on both channels."""
        return "".join(path.read_text(encoding="utf-8", errors="replace") for path in (self.out, self.err) if path.exists())

    @property
    def left(self) -> list[str]:
        """Temporary files."""
        return sorted(path.name for path in self.temporary.iterdir())


def tasks(process: Path) -> list[Path]:
    """The threads of a process, by its folder in /proc."""
    try:
        return list((process / "task").iterdir())
    except (FileNotFoundError, ProcessLookupError):
        return []


def start(
    at: Path, *arguments: str, before: str = "", program: str = BUILD, by: Press | None = None, **more: str
) -> Process:
    """Start a command in a folder; ``before`` runs ahead of it, ``more`` is of its environment."""
    by = by or press()
    beside = at.parent / f"{at.name}-beside"
    temporary = beside / "tmp"
    temporary.mkdir(parents=True, exist_ok=True)
    number = len(list(beside.glob("*.out")))
    out, err = beside / f"{number}.out", beside / f"{number}.err"
    environment = {"TMPDIR": str(temporary), "PNP_CACHE": str(beside / "cache"), **more}
    pid = by.ask(
        arguments=arguments, at=str(at), out=str(out), err=str(err), environment=environment, program=f"{before}\n{program}"
    )
    return Process(pid, by, out, err, temporary)


def finished(at: Path, *arguments: str, **more: Any) -> tuple[int, str]:
    """The exit code of a command, and what it said."""
    done = start(at, *arguments, **more)
    return done.ended(), done.said


def digests(folder: Path) -> dict[str, str]:
    """Every file below a folder, by its name; what a killed build wrote aside is none of them."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not any(part.startswith(".pnp-") for part in path.relative_to(folder).parts)
    }


TABLES = {
    "summer": "id,name,rules\nbakery,Bakery,Sell two loaves.\nballoons,Balloons,Let one fly.\n",
    "winter": "id,name,rules\nbakery,Bakery,Sell three buns.\nskates,Skates,Lend them out.\nstove,Stove,Feed it.\n",
}
"""Two states of a game, which differ in every file that is printed."""


def with_rulebook(root: Path) -> TinyProject:
    """The game ``tiny``: cards, and a rulebook that counts them."""
    return plain_game(root, '# The fair\n\nThere are {{ count("cards") }} stalls.\n', table=TABLES["summer"])


def side_by_side(root: Path) -> TinyProject:
    """Two games, ``small`` and ``tiny``."""
    made = with_rulebook(root)
    made.write("content/small/game.toml", TINY_GAME.replace("Tiny", "Small"))
    made.write("content/small/cards.csv", TINY_TABLE)
    made.write("templates/small/cards.svg.j2", TINY_TEMPLATE)
    return made


def turn_to(made: TinyProject, season: str) -> None:
    """Bring the game into one of its two states, ``small`` too if it is there."""
    made.write("content/tiny/cards.csv", TABLES[season])
    if (made.project.content / "small").is_dir():
        made.write("content/small/cards.csv", TINY_TABLE.replace("Pass.", f"Wait for {season}."))


def fresh(make: Callable[[Path], TinyProject], root: Path, *arguments: str) -> Mapping[str, dict[str, str]]:
    """What a build of each state gives in a folder where nothing was ever built."""
    states = {}
    for season in TABLES:
        made = make(root / season)
        turn_to(made, season)
        code, said = finished(root / season, "build", *arguments)
        assert code == 0, said
        states[season] = digests(root / season / "output")
    shared = set(states["summer"]) & set(states["winter"])
    assert all(states["summer"][name] != states["winter"][name] for name in shared)
    return states
