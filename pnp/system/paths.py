"""Where files really lie: a name or a link that leads out of a folder is no way out of it, whoever follows it."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


def within(folder: Path, path: Path) -> bool:
    """Whether a path is a folder or lies in it, wherever the links in both lead. Raises OSError, RuntimeError."""
    return path.resolve().is_relative_to(folder.resolve())


def file_within(folder: Path, path: Path) -> bool:
    """Whether a file lies in a folder: no pipe, nothing that a link leads to elsewhere, no name that no file can have."""
    try:
        return path.is_file() and within(folder, path)
    except (OSError, RuntimeError):
        return False  # a name longer than files have, a link to itself


def plain_bytes(path: Path, most: int) -> bytes:
    """The content of a file that a person names, of at most so many bytes.

    A device, such as /dev/zero, and a pipe have no end. Raises OSError for these and for what is larger.
    """
    status = path.stat()
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is a device or a pipe, not a file", str(path))
    if status.st_size > most:
        raise OSError(errno.EFBIG, f"it is larger than {most // 1_000_000} MB", str(path))
    with path.open("rb") as file:
        return file.read(most)
