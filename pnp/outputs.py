"""Files of a build, all or none: written aside first, then each put in its place by a rename.

Renames follow one another, so a process that is killed between two of them leaves new files beside old ones, each of
them whole. That is noticed: what changes is put in place first, what is added after it, and the manifest last, so that
from the first rename to the last the files are not those of the manifest, nor those that :mod:`pnp.fresh` remembers.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from pnp.locking import alone
from pnp.stopping import passing

MANIFEST = "manifest.json"
# What a build writes aside begins so.
ASIDE = ".pnp-"
_ASIDE = re.compile(r"\.pnp-[0-9a-z_]{8}")


def digest_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def replace_files(folder: Path, files: Mapping[str, bytes], owned: tuple[str, ...]) -> list[Path]:
    """Put ``files`` (relative name → content) into ``folder``; returns their paths.

    Files that an earlier build left below one of the ``owned`` names and that are not among the new
    ones are removed, empty folders with them. Until the last byte is written aside nothing is
    touched, and when a file cannot be put in its place those before it are taken back, so that a build
    that fails or is interrupted leaves the good files of the one before. What a killed build left aside
    is removed. Of several builds at once one after the other gets here.
    Raises OSError, which names the file, when the folder cannot be written.
    """
    _make([folder])
    with alone(folder) as sure:
        if sure:
            _sweep(folder)
        with _named(folder), passing(folder / f"{ASIDE}{os.urandom(4).hex()}") as aside:
            _free(folder, files)
            for name, data in files.items():
                with _named(folder / name):
                    target = aside / "new" / name
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(data)
            _place(folder, sorted(files, key=lambda name: (name == MANIFEST, not _there(folder / name))), aside)
        _remove_stale(folder, files, owned)
    return [folder / name for name in files]


def _sweep(folder: Path) -> None:
    """Nobody else is here, so whatever was written aside is of a process that is no more."""
    for path in folder.iterdir():
        if _ASIDE.fullmatch(path.name) and path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)


def _free(folder: Path, files: Iterable[str]) -> None:
    """Whether each file can stand where it belongs, as far as one can see."""
    for name in files:
        if (folder / name).is_dir():
            raise IsADirectoryError(errno.EISDIR, "a folder stands where this file belongs", str(folder / name))
        for parent in (folder / name).relative_to(folder).parents:
            if _there(folder / parent) and not (folder / parent).is_dir():
                raise _in_the_way(folder / parent)


def _place(folder: Path, names: Sequence[str], aside: Path) -> None:
    """Put every file in its place, or, when one of them cannot be put there, none."""
    new, old = aside / "new", aside / "old"
    for name in names:
        if _there(folder / name):
            with _named(folder / name):
                _keep(folder / name, old / name)
    made: list[Path] = []
    try:
        made += _make([(folder / name).parent for name in names])
        for name in names:
            with _named(folder / name):
                (new / name).replace(folder / name)
    except BaseException:
        for name in names:
            if not (new / name).exists():
                with suppress(OSError):
                    if _there(old / name):
                        (old / name).replace(folder / name)
                    else:
                        (folder / name).unlink()
        for path in reversed(made):
            with suppress(OSError):
                path.rmdir()
        raise


def _keep(path: Path, copy: Path) -> None:
    """A second name for a file is enough, where the file system has that."""
    copy.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(path, copy, follow_symlinks=False)
    except (OSError, NotImplementedError):
        shutil.copyfile(path, copy, follow_symlinks=False)


def _remove_stale(folder: Path, files: Iterable[str], owned: tuple[str, ...]) -> None:
    kept = {folder / name for name in files}
    for name in owned:
        for path in sorted((folder / name).rglob("*"), reverse=True):
            if path.is_dir():
                if not any(path.iterdir()):
                    path.rmdir()
            elif path not in kept:
                path.unlink()


def _make(folders: Iterable[Path]) -> list[Path]:
    """Make folders and those around them; returns those that were not there."""
    made = []
    for folder in folders:
        missing = []
        while not _there(folder):
            missing.append(folder)
            folder = folder.parent
        if not folder.is_dir():
            raise _in_the_way(folder)
        for path in reversed(missing):
            path.mkdir(exist_ok=True)
            made.append(path)
    return made


def _in_the_way(path: Path) -> OSError:
    return NotADirectoryError(errno.ENOTDIR, "a file stands where this folder belongs", str(path))


def _there(path: Path) -> bool:
    """Also a link that leads nowhere is there."""
    return os.path.lexists(path)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Let errors name the file that people know, not the one written aside."""
    try:
        yield
    except OSError as error:
        parts = Path(str(error.filename or "")).parts
        if error.errno and (not parts or any(map(_ASIDE.fullmatch, parts))):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


def as_json(value: Any) -> bytes:
    """JSON for files: readable, and the same for the same value."""
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
