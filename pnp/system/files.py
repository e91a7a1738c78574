"""Files of a build, all or none: written aside first, then each put in its place by a rename.

Nothing is replaced or removed but what the folder's record names (:mod:`pnp.system.record`), no link is followed or written
through, and where somebody else's file stands in the way nothing is done at all.

Renames follow one another, so a process that is killed between two of them leaves new files beside old ones, each of
them whole. That is noticed: what changes is put in place first, what is added after it, and the manifest last, so that
from the first rename to the last the files are not those of the manifest, nor those that a build remembers.
The record names the old and the new ones meanwhile.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from pnp.system.locking import alone
from pnp.system.record import NotOurs, Record, digest_of, digest_on_disk, is_link, record_name, refuse_links
from pnp.system.sealing import is_sealed, own_key, sealed_name
from pnp.system.stopping import passing, sweep
from pnp.values.outcome import OutputFolder

MANIFEST = "manifest.json"
# What is written aside begins so.
ASIDE = ".pnp-"
# Whether names can be reached from an open folder.
_ANCHORED = {os.link, os.open, os.rename, os.stat, os.unlink} <= os.supports_dir_fd


def put(
    output: OutputFolder, where: str, files: Mapping[str, bytes], by: str, owned: Sequence[str] | None = ()
) -> list[Path]:
    """Put ``files`` (relative name → content) into the folder ``where`` of the output; returns their paths.

    ``by`` is the command that writes them. Of what it left there earlier, below one of the ``owned`` names ("" for files
    in the folder itself; None: anywhere), those are removed that are not among the new ones, and folders that are empty
    then. Until
    the last byte is written aside nothing is touched, and when a file cannot be put in its place those before it are
    taken back, so that a build that fails or is interrupted leaves the good files of the one before. Of several
    builds at once one after the other gets here.

    Raises NotOurs when something that pnp did not write stands under one of the names, or a folder on the way is a
    link; OSError, which names the file, when the folder cannot be written.
    """
    folder = output.root / where
    refuse_links(output.root, folder)
    _make([folder])
    with alone(folder) as sure:
        if sure:
            sweep(folder, ASIDE, output.key)
        record = Record.read(output.root, where, output.key)
        with _named(folder, output.key), passing(folder / sealed_name(output.key, ASIDE)) as aside:
            _free(folder, files)
            ours = _without_equals(record, files)
            for name, data in ours.items():
                with _named(folder / name, output.key):
                    target = aside / "new" / name
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(data)
            record.together_with(ours, by).write(aside)
            try:
                _place(record, sorted(ours, key=lambda name: (name == MANIFEST, not _there(folder / name))), aside)
            except BaseException:
                # What could not be taken back stays known as ours.
                if all(record.names(name) or not _there(folder / name) for name in ours):
                    record.write(aside)
                raise
            stale = [name for name, entry in record.entries.items() if entry.by == by and _below(name, owned)]
            _remove(record, [name for name in stale if name not in files])
            record.after(ours, by).write(aside)
    return [folder / name for name in files]


def add(root: Path, files: Mapping[str, bytes]) -> None:
    """Put new files (relative name → content) below a folder of the user's, all or none; from then on they are the user's.

    Raises NotOurs where one of them is already, OSError.
    """
    key = own_key()
    sweep(root, ASIDE, key)
    with _named(root, key), passing(root / sealed_name(key, ASIDE)) as aside:
        for name, data in files.items():
            (aside / name).parent.mkdir(parents=True, exist_ok=True)
            (aside / name).write_bytes(data)
        made: list[Path] = []
        placed: list[str] = []
        with _Places(root) as places:
            try:
                for name, home in ((name, (root / name).parent) for name in files):
                    made += _make([home])
                    with _named(root / name, key):
                        places.add(aside / name, name)
                    placed.append(name)
            except BaseException:
                for name in placed:
                    with suppress(OSError):
                        if places.same(name, aside / name):
                            places.remove(name)
                for path in reversed(made):
                    with suppress(OSError):
                        path.rmdir()
                raise


def put_anew(path: Path, data: bytes) -> None:
    """Put one file of the user's in place of the one that is there, whole or not at all. Raises OSError."""
    folder, key = path.parent, own_key()
    sweep(folder, ASIDE, key)
    with _named(path, key), passing(folder / sealed_name(key, ASIDE)) as aside:
        (aside / path.name).write_bytes(data)
        (aside / path.name).replace(path)


def clear(output: OutputFolder, where: str) -> tuple[list[Path], list[Path]]:
    """Remove what pnp wrote into the folder ``where`` of the output and into those below it.

    Returns what was removed, and what stays although a record names it, since it was changed after pnp wrote it.
    Raises NotOurs, OSError.
    """
    root = output.root / where
    refuse_links(output.root, root)
    removed: list[Path] = []
    changed: list[Path] = []
    for home, inner, names in list(os.walk(root)):
        folder = Path(home)
        written_aside = any(is_sealed(output.key, ASIDE, part) for part in folder.relative_to(root).parts)
        left = any(is_sealed(output.key, ASIDE, name) for name in inner)
        if written_aside or not (left or record_name(output.key) in names):
            continue
        with alone(folder) as sure:
            if sure:
                sweep(folder, ASIDE, output.key)
            try:
                record = Record.read(output.root, folder.relative_to(output.root).as_posix(), output.key)
            except NotOurs:
                if folder == root:
                    raise
                changed.append(folder / record_name(output.key))
                continue
            gone = _remove(record, record.entries)
            removed += [folder / name for name in gone]
            changed += [folder / name for name in record.entries if _there(folder / name)]
            record.path.unlink(missing_ok=True)
        for empty in (folder, *folder.parents):
            with suppress(OSError):
                empty.rmdir() if empty.is_relative_to(root) else None
    return removed, changed


def _without_equals(record: Record, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files that are to be written: not those that somebody else put there with the very same bytes.

    Raises NotOurs when other files of somebody else's stand there.
    """
    folder = record.folder
    others = [name for name in files if _there(folder / name) and not record.names(name)]
    refused = [name for name in others if digest_on_disk(folder / name) != digest_of(files[name])]
    if refused:
        raise _refused(folder, refused)
    return {name: data for name, data in files.items() if name not in others}


def _refused(folder: Path, names: Sequence[str]) -> NotOurs:
    more = (
        f" (and {len(names) - 1} more: {', '.join(names[1:5])}{', …' if len(names) > 5 else ''})" if len(names) > 1 else ""
    )
    return NotOurs(
        f"pnp did not write this file{more}, or not for this user on this computer, or it was changed since; "
        "nothing was written",
        "Move it away, or name another folder with --out.",
        folder / names[0],
    )


def _below(name: str, owned: Sequence[str] | None) -> bool:
    return (
        owned is None
        or ("/" not in name and "" in owned)
        or any(name.startswith(f"{folder}/") for folder in owned if folder)
    )


def _remove(record: Record, names: Iterable[str]) -> list[str]:
    """Remove what is still as the record says, and the folders around it that are empty then."""
    removed = []
    for name in names:
        path = record.folder / name
        homes = [record.folder / home for home in Path(name).parents][:-1]
        if not any(map(is_link, homes)) and record.names(name):
            path.unlink()
            removed.append(name)
            for home in homes:
                with suppress(OSError):
                    home.rmdir()
    return removed


def _free(folder: Path, files: Iterable[str]) -> None:
    """Whether each file can stand where it belongs, as far as one can see."""
    for name in files:
        if (folder / name).is_dir():
            raise IsADirectoryError(errno.EISDIR, "a folder stands where this file belongs", str(folder / name))
        refuse_links(folder, (folder / name).parent)
        for parent in (folder / name).relative_to(folder).parents:
            if _there(folder / parent) and not (folder / parent).is_dir():
                raise _in_the_way(folder / parent)


def _place(record: Record, names: Sequence[str], aside: Path) -> None:
    """Put every file in its place, or, when one of them cannot be put there, none.

    Whoever saves a file there meanwhile, or leads a folder elsewhere, loses nothing: what is replaced has a second name
    until it was looked at again, and folders are held open, so that a link in their place leads nobody.
    """
    folder, key = record.folder, record.key
    made = _make([(folder / name).parent for name in names])
    placed: list[tuple[str, bool]] = []
    with _Places(folder) as places:
        try:
            for name in names:
                with _named(folder / name, key):
                    _replace(record, name, places, aside, placed)
        except BaseException:
            for name, before in reversed(placed):
                with suppress(OSError):
                    if before:
                        places.put(aside / "old" / name, name)
                    elif not (aside / "new" / name).exists() or places.same(name, aside / "new" / name):
                        places.remove(name)
            for path in reversed(made):
                with suppress(OSError):
                    path.rmdir()
            raise


def _replace(record: Record, name: str, places: _Places, aside: Path, placed: list[tuple[str, bool]]) -> None:
    """Put one file in its place, and before that down in ``placed``, with whether there was one. Raises NotOurs."""
    new, old = aside / "new" / name, aside / "old" / name
    old.parent.mkdir(parents=True, exist_ok=True)
    if not places.keep(name, old):
        placed.append((name, False))
        places.add(new, name)
        return
    if digest_on_disk(old) not in record.digests(name) or not places.same(name, old):
        raise _refused(record.folder, [name])
    placed.append((name, True))
    places.put(new, name)
    if digest_on_disk(old) not in record.digests(name):
        # Somebody wrote into the file just before it lost its name; it gets that back.
        raise _refused(record.folder, [name])


class _Places:
    """The names below a folder, each reached through folders that are held open and are no links.

    Where the system cannot do that, as on Windows, names are paths as usual.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._open = folder, dict[Path, int]()

    def __enter__(self) -> _Places:
        return self

    def __exit__(self, *_: object) -> None:
        for handle in self._open.values():
            os.close(handle)

    def keep(self, name: str, copy: Path) -> bool:
        """Give what is there a second name, or make a copy where that cannot be; False where nothing is there."""
        inside, home = self._at(name)
        try:
            os.link(inside, copy, src_dir_fd=home, follow_symlinks=False)
        except FileNotFoundError:
            return False
        except (OSError, NotImplementedError):
            if not _there(self._folder / name):
                return False
            shutil.copyfile(self._folder / name, copy, follow_symlinks=False)
        return True

    def same(self, name: str, copy: Path) -> bool:
        """Whether a name still stands for the file that got the second name, or for one like its copy."""
        inside, home = self._at(name)
        about, kept = os.stat(inside, dir_fd=home, follow_symlinks=False), copy.lstat()
        return os.path.samestat(about, kept) or (kept.st_nlink == 1 and about.st_size == kept.st_size)

    def add(self, source: Path, name: str) -> None:
        """Put a file where nothing is. Raises NotOurs where something has come in between."""
        inside, home = self._at(name)
        try:
            os.link(source, inside, dst_dir_fd=home, follow_symlinks=False)
        except FileExistsError:
            raise _refused(self._folder, [name]) from None
        except (OSError, NotImplementedError):
            if _there(self._folder / name):
                raise _refused(self._folder, [name]) from None
            self.put(source, name)

    def put(self, source: Path, name: str) -> None:
        inside, home = self._at(name)
        os.replace(source, inside, dst_dir_fd=home)

    def remove(self, name: str) -> None:
        inside, home = self._at(name)
        os.unlink(inside, dir_fd=home)

    def _at(self, name: str) -> tuple[str, int | None]:
        """The last part of a name and the open folder that it is in; else the whole path."""
        if not _ANCHORED:
            return str(self._folder / name), None
        path = Path(name)
        return path.name, self._handle(path.parent)

    def _handle(self, inside: Path) -> int:
        if inside not in self._open:
            how = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
            if inside == Path():
                self._open[inside] = os.open(self._folder, how)
            else:
                self._open[inside] = os.open(inside.name, how, dir_fd=self._handle(inside.parent))
        return self._open[inside]


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
def _named(path: Path, key: bytes) -> Iterator[None]:
    """Let errors name the file that people know, not the one written aside."""
    try:
        yield
    except OSError as error:
        parts = Path(str(error.filename or "")).parts
        if error.errno and (not parts or any(is_sealed(key, ASIDE, part) for part in parts)):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


def as_json(value: Any) -> bytes:
    """JSON for files: readable, and the same for the same value."""
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
