"""One at a time: a folder that only one process writes to, however many would like to.

Not by filelock: it locks a file of its own, which it leaves behind, and cannot lock a folder. Here the folder itself is
locked, so that nothing is left in what people look at, and held, so that a killed process is known by its folder.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

# In seconds. Files are put in place in much less, so that somebody who takes longer has come to a stop.
PATIENCE, PAUSE = 60.0, 0.02


@contextmanager
def alone(folder: Path) -> Iterator[bool]:
    """Nobody else is let in meanwhile; the lock ends with the process, however that ends.

    False where the file system has no locks: then others may be in there, too. Raises OSError when somebody
    is in there and does not come out.
    """
    until = time.monotonic() + PATIENCE
    handle = None
    try:
        handle = _open(folder)
        yield handle is not None and _locked(handle, until, folder)
    finally:
        if handle is not None:
            os.close(handle)


if sys.platform == "win32":

    def hold(folder: Path) -> int | None:
        """Folders cannot be held there."""
        return None

    def take_over(folder: Path) -> int | None:
        return None

    def _open(folder: Path) -> int | None:
        """A file that only one can make, and that goes when it is closed."""
        until = time.monotonic() + PATIENCE
        while True:
            with suppress(FileExistsError):
                return os.open(folder / ".pnp-lock", os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_TEMPORARY)
            _wait(until, folder)

    def _locked(handle: int, until: float, folder: Path) -> bool:
        return True

else:
    import fcntl

    def hold(folder: Path) -> int | None:
        """Hold a folder while this process lives, so that others see that it is in use; a handle, to be closed.

        Waits for somebody who is looking just now. None where the file system has no locks.
        """
        return _flocked(folder, fcntl.LOCK_EX)

    def take_over(folder: Path) -> int | None:
        """A handle for a folder that nobody holds any more; None where somebody does, or where one cannot know."""
        return _flocked(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _flocked(folder: Path, how: int) -> int | None:
        handle = None
        with suppress(OSError):
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            fcntl.flock(handle, how)
            return handle
        if handle is not None:
            os.close(handle)
        return None

    def _open(folder: Path) -> int | None:
        try:
            return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except PermissionError:
            return None

    def _locked(handle: int, until: float, folder: Path) -> bool:
        """The folder itself is locked, so that no file is left that would look like something."""
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return True
            except BlockingIOError:
                _wait(until, folder)
            except OSError:
                return False


def _wait(until: float, folder: Path) -> None:
    if time.monotonic() > until:
        raise OSError(errno.EBUSY, "another pnp has been writing here for a minute and has not finished", str(folder))
    time.sleep(PAUSE)
