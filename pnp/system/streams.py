"""Standard output and error as they are started: closed, on a full disk, or in a terminal that knows few letters."""

from __future__ import annotations

import io
import os
import sys
from typing import TextIO

STDOUT = "standard output"


class _Channel(io.FileIO):
    """Standard output, which says what it is when it cannot be written; or messages, which are lost then."""

    def __init__(self, fd: int, lossy: bool) -> None:
        super().__init__(fd, "w", closefd=False)
        self.lossy = lossy

    def write(self, data: object) -> int | None:  # type: ignore[override]
        try:
            return super().write(data)  # type: ignore[arg-type]
        except OSError as error:
            if self.lossy:
                return len(memoryview(data))  # type: ignore[arg-type]
            self.lossy = True  # it is told once; what is left is tried again as Python ends
            error.filename = STDOUT
            raise


def messages(fd: int, encoding: str = "utf-8", errors: str = "replace") -> TextIO:
    """A stream for messages: no work stops for want of somebody to tell."""
    return io.TextIOWrapper(io.BufferedWriter(_Channel(fd, True)), encoding, errors, line_buffering=True)


def prepare() -> None:
    """Opens channels that are closed, lest a file gets their numbers, and has a fault of one name it."""
    for fd in range(3):
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
    if sys.stdout is None:
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
    out, err = sys.stdout, sys.stderr
    # Where a letter cannot be shown a ? is: a terminal or pipe that knows few letters is nobody's fault.
    if isinstance(out, io.TextIOWrapper):
        out.reconfigure(errors="replace")
    if _plain(out):
        channel = io.BufferedWriter(_Channel(out.fileno(), False))
        sys.stdout = io.TextIOWrapper(channel, out.encoding, "replace", line_buffering=bool(out.line_buffering))
    if _plain(err):
        sys.stderr = messages(err.fileno(), err.encoding, err.errors or "replace")


def _plain(stream: TextIO) -> bool:
    """Whether it writes to a file of the system: not the console of Windows, nor what a test reads."""
    buffer = getattr(stream, "buffer", None)
    return isinstance(getattr(buffer, "raw", buffer), io.FileIO)
