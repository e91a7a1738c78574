"""Resolves where files really lie, reads them with bounds, and finds the person's settings folder."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
from pathlib import Path

_MOST_DIGESTED = 4_000_000_000


def within(folder: Path, path: Path) -> bool:
    """Whether a path is a folder or lies in it, links resolved. Raises OSError, RuntimeError."""
    return path.resolve().is_relative_to(folder.resolve())


def file_within(folder: Path, path: Path) -> bool:
    """Whether a plain file lies in a folder, links resolved."""
    try:
        return path.is_file() and within(folder, path)
    except (OSError, RuntimeError):
        return False  # a name longer than files have, a link to itself


def plain_bytes(path: Path, most: int) -> bytes:
    """The content of a file that a person names, at most ``most`` bytes.

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
        return file.read(min(most, status.st_size + 1))  # Python makes room for so much before it reads


def is_link(path: Path) -> bool:
    """Whether a path is a symbolic link or a Windows junction."""
    return path.is_symlink() or (hasattr(path, "is_junction") and path.is_junction())


def digest_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def digest_on_disk(path: Path) -> str | None:
    """The digest of a plain file; None for anything else, for a link, and for a larger file than pnp writes."""
    try:
        about = path.lstat()
        if not stat.S_ISREG(about.st_mode) or about.st_size > _MOST_DIGESTED:
            return None
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def config_folder() -> Path:
    """``$PNP_CONFIG``, else the system's settings folder, by click."""
    import click

    return Path(os.environ.get("PNP_CONFIG") or click.get_app_dir("pnp"))


def launched(path: Path, locate: bool = False) -> bool:
    """Has a program of this machine open a file, or show the folder in which it lies; whether there is one."""
    import click

    return click.launch(str(path), locate=locate) == 0


_DEVICE = re.compile(r"(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³])", re.IGNORECASE)


def is_device(name: str) -> bool:
    """Whether Windows reserves a name for a device."""
    return _DEVICE.fullmatch(name.partition(".")[0].rstrip(" ")) is not None
