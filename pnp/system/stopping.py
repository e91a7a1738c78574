"""Ending at once when asked to: without a traceback, a temporary file, or anybody left at work.

Python hears of a Ctrl-C only between two steps of its own, and setting a large book is one long step of the typesetter.
So a second thread waits beside the work, and ends the process when the work does not.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import FrameType

from pnp.system.locking import hold, take_over
from pnp.system.sealing import is_sealed, own_key, sealed_name

INTERRUPTED = 130
# In seconds: how long the work may take to end by itself. Processes that help are given less, to end first.
GRACE, HELPERS_GRACE = 0.7, 0.35
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
SIGNALS = tuple(getattr(signal, name) for name in _NAMES if hasattr(signal, name))
SCRATCH = "pnp-"
_OURS = re.compile(r"\.?pnp-[0-9a-f]{28}")
_SHOW_CURSOR = b"\x1b[?25h"

_doomed: set[Path] = set()
_current: Stop | None = None
_lasting: str | None = None


@contextmanager
def passing(folder: Path) -> Iterator[Path]:
    """A new folder that is gone afterwards, even when the process is made to end meanwhile. Raises OSError.

    It is held while it is needed: when the process is killed, :func:`sweep` knows by that.
    """
    _doomed.add(folder)
    handle = None
    try:
        while True:
            folder.mkdir(0o700)
            handle = hold(folder)
            # Somebody who looked for folders that nobody needs may have come in between.
            if handle is None or _is(folder, handle):
                break
            os.close(handle)
            handle = None
        yield folder
    finally:
        _remove(folder)
        _doomed.discard(folder)
        if handle is not None:
            os.close(handle)


def sweep(home: Path, prefix: str, key: bytes) -> None:
    """Remove the folders that killed processes of ours left in a folder; nobody else's, and none that is in use."""
    with suppress(OSError):
        for entry in list(os.scandir(home)):
            if is_sealed(key, prefix, entry.name) and entry.is_dir(follow_symlinks=False):
                folder = Path(entry.path)
                handle = take_over(folder)
                if handle is not None:
                    _remove(folder)
                    os.close(handle)


def _is(folder: Path, handle: int) -> bool:
    try:
        return os.path.samestat(folder.lstat(), os.fstat(handle))
    except FileNotFoundError:
        return False


@contextmanager
def scratch() -> Iterator[None]:
    """One folder around all temporary files, whichever library makes them, so that all of them go together."""
    import tempfile

    global _lasting
    before, outer = tempfile.tempdir, _lasting
    with ExitStack() as stack:
        # Where there is no room, whoever needs a temporary file will say so.
        with suppress(OSError):
            _lasting, key = tempfile.gettempdir(), own_key()
            sweep(Path(_lasting), SCRATCH, key)
            folder = stack.enter_context(passing(Path(_lasting) / sealed_name(key, SCRATCH)))
            tempfile.tempdir = str(folder)
        try:
            yield
        finally:
            tempfile.tempdir, _lasting = before, outer


def lasting() -> str | None:
    """Where temporary files stay that are for the person; None: where all of them are."""
    return _lasting


class Stop:
    """What a process does when it is asked to end: raises KeyboardInterrupt once, and ends if that did not help in time."""

    def __init__(self, grace: float, end: Callable[[], None]) -> None:
        self.asked = self.over = self.busy = False
        self._grace, self._end = grace, end
        self._before = {number: signal.getsignal(number) for number in SIGNALS}
        self._closed = threading.Event()
        self._ends: tuple[int, int] | None = None
        self._wakeup = -1
        self._thread: threading.Thread | None = None

    def install(self) -> None:
        """Listen to signals, but for those that whoever started the process wants ignored, as ``nohup`` does."""
        self._watch()
        for number, before in self._before.items():
            if before not in (signal.SIG_IGN, None):
                signal.signal(number, self._heard)

    def remove(self) -> None:
        """Let everything be as it was before."""
        for number, before in self._before.items():
            if before is not None:
                signal.signal(number, before)
        self._unwatch()

    def _watch(self) -> None:
        self._ends = os.pipe()
        if sys.platform != "win32":
            os.set_blocking(self._ends[1], False)
        self._wakeup = signal.set_wakeup_fd(self._ends[1], warn_on_full_buffer=False)
        self._thread = threading.Thread(target=self._wait, args=(self._ends[0],), name="pnp-stop", daemon=True)
        self._thread.start()

    def _unwatch(self) -> None:
        if self._thread is None or self._ends is None:
            return
        self._closed.set()
        signal.set_wakeup_fd(self._wakeup)
        os.write(self._ends[1], b"\0")
        self._thread.join()
        for end in self._ends:
            os.close(end)
        self._thread = self._ends = None

    def _heard(self, _number: int, _frame: FrameType | None) -> None:
        # Only once: the next would break off what cleans up.
        first, self.asked = not self.asked, True
        if first and not (self.over or self.busy):
            raise KeyboardInterrupt

    def _wait(self, end: int) -> None:
        while (heard := os.read(end, 1)[0]) not in SIGNALS:
            if heard == 0:
                return
        if not self._closed.wait(self._grace):
            self._end()


def run(work: Callable[[], int], interrupted: Callable[[], int]) -> int:
    """Work that can be stopped, and the exit code that it or ``interrupted`` gives."""
    global _current
    if threading.current_thread() is not threading.main_thread():
        return work()
    outer, stop = _current, Stop(GRACE, _end)
    _current = stop
    try:
        try:
            stop.install()
            code = work()
        except KeyboardInterrupt:
            return interrupted()
        return interrupted() if stop.asked else code
    finally:
        stop.over = True
        _put_away()
        stop.remove()
        _current = outer


def asked() -> bool:
    """Whether this process was asked to end: whatever goes wrong from then on is nobody's fault."""
    return _current is not None and _current.asked


@contextmanager
def unheard() -> Iterator[None]:
    """Being asked to end waits meanwhile; a process made now hears no Ctrl-C until it is ready, see :func:`help_quietly`.

    A process that is made half would say that it got nothing to do.
    """
    stop = _current
    before = None if sys.platform == "win32" else signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    if stop is not None:
        stop.busy = True
    try:
        yield
    finally:
        if before is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if stop is not None:
            stop.busy = False
    if stop is not None and stop.asked:
        raise KeyboardInterrupt


def passes(folder: str) -> bool:
    """Whether a folder is one of ours that is taken away in the end; never the one that all programs share."""
    return Path(folder) in _doomed


def help_quietly(temporary: str, ours: bool) -> None:
    """Make this process one that helps another: its temporary files lie there, it ends with the other, and says nothing.

    The other one tells the person, and takes away the temporary files. When it is killed the folder is left to us,
    but only if it is ``ours``.
    """
    import tempfile

    global _current
    tempfile.tempdir = temporary
    _doomed.clear()
    _current = _Helper(HELPERS_GRACE, _end_helper)
    _current.install()
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with_parent, args=(temporary if ours else None,), name="pnp-parent", daemon=True).start()


class _Helper(Stop):
    """The process pool would print what stops it."""

    def _heard(self, number: int, frame: FrameType | None) -> None:
        with suppress(OSError):
            sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
        super()._heard(number, frame)


def _end() -> None:
    """The work is deep in another language: end without it."""
    if "multiprocessing" in sys.modules:
        import multiprocessing

        for child in multiprocessing.active_children():
            child.kill()
    _put_away()
    with suppress(OSError):
        os.write(2, (_SHOW_CURSOR if os.isatty(2) else b"") + b"interrupted\n")
    os._exit(INTERRUPTED)


def _end_helper() -> None:
    _put_away()
    os._exit(INTERRUPTED)


def _end_with_parent(left: str | None) -> None:
    """A helper of a process that was killed would work on for nobody, and then wait forever."""
    import multiprocessing

    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        _put_away()
        if left is not None:
            _remove(Path(left))
        os._exit(INTERRUPTED)


def _put_away() -> None:
    while _doomed:
        _remove(_doomed.pop())


def _remove(folder: Path) -> None:
    """Only what has one of our names: a folder that others use as well must never go, whatever is wrong with us."""
    if _OURS.fullmatch(folder.name) and not folder.is_symlink():
        shutil.rmtree(folder, ignore_errors=True)
