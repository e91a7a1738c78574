"""Turns Ctrl-C and SIGTERM into one KeyboardInterrupt, deferred while files are put in place."""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

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
