"""The process pnp runs in: Ctrl-C and SIGTERM as one KeyboardInterrupt, and standard output that may be closed or full."""

from __future__ import annotations

import _thread
import io
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, TextIO

INTERRUPTED = 130
"""The exit code."""
SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name))
_asked = False


def listen() -> None:
    """Raises KeyboardInterrupt at the first of these signals, and ignores further ones, which would interrupt the clean-up.

    A signal that whoever started the process wants ignored, as ``nohup`` does, stays ignored.
    """
    global _asked
    _asked = False
    for number in SIGNALS:
        with suppress(ValueError):  # not the main thread, which alone hears signals
            if signal.getsignal(number) not in (signal.SIG_IGN, None):
                signal.signal(number, _heard)
    sys.unraisablehook = _raise_again


def _raise_again(lost: sys.UnraisableHookArgs) -> None:
    """Raises a KeyboardInterrupt anew that came in a finalizer or a callback, where Python prints and forgets it."""
    global _asked
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
        return
    _asked = False
    again = threading.Timer(0.01, _interrupt_main)
    again.daemon = True
    again.start()


def _interrupt_main() -> None:
    """Sends SIGINT to the main thread, so that a call which waits ends as well; where there are no signals, raises only."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        _thread.interrupt_main()


def _heard(_number: int, _frame: FrameType | None) -> None:
    global _asked
    if not _asked:
        _asked = True
        raise KeyboardInterrupt


@contextmanager
def deferred() -> Iterator[None]:
    """Defers Ctrl-C until a block is done, such as putting files in place together."""
    heard: list[int] = []
    before: dict[int, Any] = {}
    try:
        for number in SIGNALS:
            before[number] = signal.getsignal(number)
            if before[number] not in (signal.SIG_IGN, None):
                signal.signal(number, lambda number, frame: heard.append(number))
    except ValueError:
        pass  # not the main thread, which alone hears signals
    try:
        yield
    finally:
        for number, handler in before.items():
            if handler not in (signal.SIG_IGN, None):
                with suppress(ValueError):
                    signal.signal(number, handler)
    if heard:
        os.kill(os.getpid(), heard[0])


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
