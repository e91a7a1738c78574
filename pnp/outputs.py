"""Files of a build, all or none: written aside first, then each put in its place by a rename."""

from __future__ import annotations

import errno
import hashlib
import json
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

MANIFEST = "manifest.json"


def digest_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def replace_files(folder: Path, files: Mapping[str, bytes], owned: tuple[str, ...]) -> list[Path]:
    """Put ``files`` (relative name → content) into ``folder``; returns their paths.

    Files that an earlier build left below one of the ``owned`` names and that are not among the new
    ones are removed, empty folders with them. Until the last byte is written aside nothing is
    touched, so that an interrupted build leaves the good files of the one before.
    Raises OSError when the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=".pnp-", dir=folder))
    try:
        for name, data in files.items():
            target = aside / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        for name in files:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            if (folder / name).is_dir():
                raise IsADirectoryError(errno.EISDIR, "a folder stands where this file belongs", str(folder / name))
        for name in files:
            (aside / name).replace(folder / name)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    kept = {folder / name for name in files}
    for name in owned:
        for path in sorted((folder / name).rglob("*"), reverse=True):
            if path.is_dir():
                if not any(path.iterdir()):
                    path.rmdir()
            elif path not in kept:
                path.unlink()
    return [folder / name for name in files]


def as_json(value: Any) -> bytes:
    """JSON for files: readable, and the same for the same value."""
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
