"""Where files really lie: a name or a link that leads out of a folder is no way out of it, whoever follows it."""

from __future__ import annotations

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
