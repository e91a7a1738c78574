"""Standard output and error as they are started: closed, on a full disk, or in a terminal that knows few letters."""

from __future__ import annotations

import io
import os
import sys
from typing import TextIO

STDOUT = "standard output"


class _Channel(io.TextIOWrapper):
    """Standard output, which says what it is when it cannot be written; or messages, which are lost then.

    Bytes are written by io itself: a Ctrl-C in a ``write`` of ours would have them written once more.
    """

    def __init__(self, fd: int, lossy: bool, encoding: str, errors: str, line_buffering: bool) -> None:
        super().__init__(io.BufferedWriter(io.FileIO(fd, "w", closefd=False)), encoding, errors, None, line_buffering)
        self._lossy = lossy

    def write(self, text: str) -> int:
        try:
            return super().write(text)
        except OSError as error:
            self._lose(error)
            return len(text)

    def flush(self) -> None:
        try:
            super().flush()
        except OSError as error:
            self._lose(error)

    def _lose(self, error: OSError) -> None:
        """Redirects the stream to the null device, so that a fault is told once. Raises it for standard output."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.fileno())
        os.close(nowhere)
        if not self._lossy:
            error.filename = STDOUT
            raise error


def messages(fd: int, encoding: str = "utf-8", errors: str = "replace") -> TextIO:
    """A stream for messages: no work stops for want of somebody to tell."""
    return _Channel(fd, True, encoding, errors, True)


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
        sys.stdout = _Channel(out.fileno(), False, out.encoding, "replace", bool(out.line_buffering))
    if _plain(err):
        sys.stderr = messages(err.fileno(), err.encoding, err.errors or "replace")


def _plain(stream: TextIO) -> bool:
    """Whether it writes to a file of the system: not the console of Windows, nor what a test reads."""
    buffer = getattr(stream, "buffer", None)
    return isinstance(getattr(buffer, "raw", buffer), io.FileIO)
