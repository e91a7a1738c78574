"""A command that the studio runs for a game: it goes on, and what it says is kept, whoever looks."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

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

    async def run(self, arguments: list[str]) -> None:
        """``pnp`` with these arguments; nothing where something runs already."""
        if self.running:
            return
        self.running, self.said = True, ""
        self._tell()
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "pnp",
            *arguments,
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
