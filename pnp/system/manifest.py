"""Files of a build, all or none, and the list of what pnp wrote: nothing else is ever replaced or deleted.

Each folder that pnp writes into has a hidden ``.pnp-manifest.json`` with name, SHA-256 and command of every file there.
What it does not name, or what is not as it says, is the person's: where that stands in the way nothing is done at all.
It names the folder as well, so that a copy somewhere else in the output is nobody's list. It is not the ``manifest.json``
that a build prints for other programs: that one lists one build, this one previews and reports, too, and two digests of a
file while a new one takes its place.

Files are written into a folder aside, then each is put in its place by a rename; Ctrl-C waits meanwhile. A process that is
killed between two renames leaves new files beside old ones, each whole and both in the list. The next build notices: what
changes comes first, then what is added, and ``manifest.json`` last.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import field, replace
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from pnp import __version__
from pnp.dataclass import dataclass
from pnp.system.cache import cache_folder, digest
from pnp.system.paths import Content, chunks, digest_of, digest_on_disk, is_link
from pnp.system.process import deferred

ASIDE = ".pnp-"
"""Temporary folders beside a person's files begin so."""
# In seconds. Files are put in place in much less, so that somebody who takes longer has come to a stop.
PATIENCE, PAUSE = 60.0, 0.02
SCRATCH = "pnp-"
_lasting: str | None = None


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Locks a folder against everybody who shares the cache; the lock ends with the process.

    Raises OSError when somebody is in there and does not come out. A cache that cannot be written locks nobody out.
    """
    from filelock import FileLock, Timeout

    with ExitStack() as stack:
        try:
            home = cache_folder() / "locks"
            home.mkdir(parents=True, exist_ok=True)
            lock = FileLock(home / digest(os.fsencode(folder.resolve())), timeout=PATIENCE)
            stack.enter_context(lock.acquire(poll_interval=PAUSE))
        except Timeout:
            what = "another pnp has been writing here for a minute and has not finished"
            raise OSError(errno.EBUSY, what, str(folder)) from None
        except (OSError, NotImplementedError):
            pass
        yield


def passing_name(prefix: str) -> str:
    drawn = os.urandom(6).hex()
    return f"{prefix}{drawn}{_checksum(drawn)}"


def is_passing(prefix: str, name: str) -> bool:
    """Whether a name is one of :func:`passing_name`."""
    drawn = name.removeprefix(prefix)[:12]
    return name == f"{prefix}{drawn}{_checksum(drawn)}"


def _checksum(drawn: str) -> str:
    return hashlib.sha256(b"temporary folder of pnp " + os.fsencode(drawn)).hexdigest()[:16]


def hold(folder: Path, wait: bool = True) -> int | None:
    """Locks a temporary folder while this process lives; returns a handle to close.

    None where somebody else holds it and one does not ``wait``, and where there are no such locks, as on Windows.
    """
    if sys.platform == "win32":
        return None
    import fcntl

    handle = None
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        return handle
    if handle is not None:
        os.close(handle)
    return None


@contextmanager
def passing(folder: Path) -> Iterator[Path]:
    """Makes a temporary folder and removes it afterwards. Raises OSError.

    It is locked while it is needed: when the process is killed, :func:`sweep` knows by that.
    """
    handle = None
    try:
        while True:
            folder.mkdir(0o700)
            handle = hold(folder)
            # Somebody who looked for folders that nobody needs may have come in between.
            if folder.is_dir() if handle is None else _is_same(folder, handle):
                break
            if handle is not None:
                os.close(handle)
                handle = None
        yield folder
    finally:
        # A Ctrl-C that came while it is removed would leave half of it.
        with deferred():
            _remove_passing(folder)
            if handle is not None:
                os.close(handle)


def sweep(home: Path, prefix: str) -> None:
    """Removes temporary folders of killed processes in a folder; none of others, none in use."""
    with suppress(OSError):
        for entry in list(os.scandir(home)):
            if is_passing(prefix, entry.name) and entry.is_dir(follow_symlinks=False):
                folder = Path(entry.path)
                handle = hold(folder, wait=False)
                if handle is not None:
                    _remove_passing(folder)
                    os.close(handle)


@contextmanager
def scratch() -> Iterator[None]:
    """Puts all temporary files, whichever library makes them, into one folder that goes afterwards."""
    import tempfile

    global _lasting
    before, outer = tempfile.tempdir, _lasting
    with ExitStack() as stack:
        # Where there is no room, whoever needs a temporary file will say so.
        with suppress(OSError):
            _lasting = tempfile.gettempdir()
            sweep(Path(_lasting), SCRATCH)
            folder = stack.enter_context(passing(Path(_lasting) / passing_name(SCRATCH)))
            tempfile.tempdir = str(folder)
        try:
            yield
        finally:
            tempfile.tempdir, _lasting = before, outer


def lasting() -> str | None:
    """The folder for temporary files that a person keeps; None: the usual one."""
    return _lasting


def _is_same(folder: Path, handle: int) -> bool:
    try:
        return os.path.samestat(folder.lstat(), os.fstat(handle))
    except FileNotFoundError:
        return False


def _remove_passing(folder: Path) -> None:
    """Removes a folder with one of our names only, for a wrong call must never remove a shared one."""
    if any(is_passing(prefix, folder.name) for prefix in (ASIDE, SCRATCH)) and not folder.is_symlink():
        shutil.rmtree(folder, ignore_errors=True)


MANIFEST = "manifest.json"
"""What a build prints for people and programs."""
OWNED = ".pnp-manifest.json"
"""What says which files are ours."""
_MOST_BYTES = 64_000_000
_ABOUT = "What pnp wrote into this folder. It replaces and deletes nothing else here."


class NotOurs(OSError):
    """A file where pnp would write that pnp did not make. The text is for the person."""

    def __init__(self, message: str, hint: str, path: Path) -> None:
        super().__init__(errno.EEXIST, f"{message}. {hint}", str(path))
        self.message, self.hint, self.path = message, hint, path

    def __reduce__(self) -> tuple[type[NotOurs], tuple[str, str, Path]]:
        """Pickles the sentence alone; OSError would add arguments that fit no other exception."""
        return type(self), (self.message, self.hint, self.path)


class Entry(NamedTuple):
    """A file: the command that wrote it, and its possible digests: two while a new version replaces it."""

    by: str
    digests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Manifest:
    """What was written into the folder ``where`` below ``root``, by relative names with /."""

    root: Path
    where: str
    entries: Mapping[str, Entry] = field(default_factory=dict)

    @classmethod
    def read(cls, root: Path, where: str) -> Manifest:
        """Reads a folder's manifest; an empty one where there is none. Raises NotOurs for a damaged or copied one."""
        blank = cls(root, where)
        if not _there(blank.path):
            return blank
        try:
            if not stat.S_ISREG(blank.path.lstat().st_mode) or blank.path.lstat().st_size > _MOST_BYTES:
                raise ValueError
            value = json.loads(blank.path.read_bytes())
            entries = {
                _inside(name): Entry(str(entry["by"]), tuple(map(str, entry["sha256"])))
                for name, entry in value["files"].items()
            }
            fault = "" if value["folder"] == where else "is a copy of another folder's"
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            fault = "is damaged"
        if fault:
            hint = "Move its folder away, or remove it: then all that is beside it is yours."
            raise NotOurs(f"this list of what pnp wrote here {fault}; nothing was touched", hint, blank.path)
        return cls(root, where, entries)

    @property
    def folder(self) -> Path:
        return self.root / self.where

    @property
    def path(self) -> Path:
        return self.folder / OWNED

    def names(self, name: str) -> bool:
        """Whether the file under a name, reached without links, is what was written there."""
        return name in self.entries and _is(self.folder, name, self.digests(name))

    def digests(self, name: str) -> tuple[str, ...]:
        return self.entries[name].digests if name in self.entries else ()

    def write(self, aside: Path) -> None:
        """Puts the manifest in place, written first into the folder ``aside``; an empty one is removed."""
        if not self.entries:
            self.path.unlink(missing_ok=True)
            return
        files = {name: {"by": entry.by, "sha256": entry.digests} for name, entry in sorted(self.entries.items())}
        value = {"about": _ABOUT, "made_by": f"pnp-press {__version__}", "folder": self.where, "files": files}
        (aside / OWNED).write_bytes(as_json(value))
        (aside / OWNED).replace(self.path)


def put(root: Path, where: str, files: Mapping[str, Content], by: str, owned: Sequence[str] | None = ()) -> list[Path]:
    """Puts ``files`` (relative name → content) into the folder ``where`` of the output ``root``; returns their paths.

    ``by`` is the command that writes them. Of what it left there earlier, below one of the ``owned`` names ("" for files in
    the folder itself; None: anywhere), those are removed that are not among the new ones, and folders that are empty then.
    Until the last byte is written aside nothing is touched; when a file cannot be put in its place those before it are
    taken back. Of several builds at once one after the other gets here.

    Raises NotOurs when something that pnp did not write stands under one of the names, or a folder on the way is a link;
    OSError, which names the file, when the folder cannot be written.
    """
    folder = root / where
    refuse_links(root, folder)
    _make(folder)
    with alone(folder):
        before = Manifest.read(root, where)
        ours = _without_equals(before, files)
        order = sorted(ours, key=lambda name: (name == MANIFEST, not _there(folder / name)))
        stale = [name for name, entry in before.entries.items() if entry.by == by and _below(name, owned)]
        with _aside(folder, ours) as aside, deferred():
            coming = {name: Entry(by, (*before.digests(name), digest_of(data))) for name, data in ours.items()}
            replace(before, entries={**before.entries, **coming}).write(aside)
            try:
                _place(before, {name: ours[name] for name in order}, aside)
            except BaseException:
                # What could not be taken back stays known as ours.
                if all(before.names(name) or not _there(folder / name) for name in ours):
                    before.write(aside)
                raise
            _remove(before, [name for name in stale if name not in files])
            there = {name: entry for name, entry in before.entries.items() if _there(folder / name)}
            there |= {name: Entry(by, (digest_of(data),)) for name, data in ours.items()}
            replace(before, entries=there).write(aside)
    return [folder / name for name in files]


def add(root: Path, files: Mapping[str, bytes]) -> None:
    """Adds new files (relative name → content) to a folder of the user's, all or none; pnp does not own them.

    Raises NotOurs where one of them is already, OSError.
    """
    with _aside(root, files) as aside, deferred():
        _place(Manifest(root, ""), files, aside)


def add_folder(root: Path, target: Path, files: Mapping[str, bytes]) -> Path:
    """Adds a new folder to one of the user's, with all its files, by one rename; returns it. Raises OSError."""
    with _aside(root, {f"{target.name}/{name}": data for name, data in files.items()}) as aside:
        target.parent.mkdir(exist_ok=True)
        return (aside / "new" / target.name).rename(target)


def put_anew(path: Path, data: bytes) -> None:
    """Replaces one file of the user's, whole or not at all. Raises OSError."""
    with _aside(path.parent, {path.name: data}) as aside, _named(path):
        (aside / "new" / path.name).replace(path)


def clear(root: Path, where: str) -> tuple[list[Path], list[Path]]:
    """Removes what pnp wrote into the folder ``where`` of the output and below.

    Returns what was removed, and what stays although a manifest names it, since it was changed after pnp wrote it.
    Raises NotOurs, OSError.
    """
    top = root / where
    refuse_links(root, top)
    removed: list[Path] = []
    changed: list[Path] = []
    for home, inner, names in list(os.walk(top)):
        folder = Path(home)
        ours = OWNED in names or any(is_passing(ASIDE, name) for name in inner)
        if not ours or any(is_passing(ASIDE, part) for part in folder.relative_to(top).parts):
            continue
        with alone(folder):
            sweep(folder, ASIDE)
            try:
                before = Manifest.read(root, folder.relative_to(root).as_posix())
            except NotOurs:
                if folder == top:
                    raise
                changed.append(folder / OWNED)
                continue
            removed += [folder / name for name in _remove(before, before.entries)]
            changed += [folder / name for name in before.entries if _there(folder / name)]
            before.path.unlink(missing_ok=True)
        for empty in (folder, *folder.parents):
            with suppress(OSError):
                empty.rmdir() if empty.is_relative_to(top) else None
    return removed, changed


def refuse_links(root: Path, path: Path) -> None:
    """Raises NotOurs when a folder between ``root`` and ``path``, or ``path`` itself, is a link."""
    if (link := _link(root, path)) is not None:
        what = "this is a link, and pnp never writes through one; nothing was written"
        raise NotOurs(what, "Remove it, or name the folder that you want with --out.", link)


def _link(root: Path, path: Path) -> Path | None:
    inside = path.relative_to(root)
    steps = (root / step for step in (*reversed(inside.parents), inside) if step != Path())
    return next((step for step in steps if is_link(step)), None)


def _inside(name: str) -> str:
    """A name in a manifest. Raises ValueError for one that leads out of its folder or is no file name."""
    path = PurePath(name)
    if not path.parts or path.anchor or ".." in path.parts or b"\0" in name.encode():
        raise ValueError
    return name


def _is(folder: Path, name: str, digests: Sequence[str]) -> bool:
    """Whether a name is a plain file with one of these digests, unchanged while it was read."""
    path = folder / name
    with suppress(OSError):
        before, digest, after = path.lstat(), digest_on_disk(path), path.lstat()
        same = os.path.samestat(before, after) and before.st_mtime_ns == after.st_mtime_ns
        return same and digest in digests and _link(folder, path) is None
    return False


def _without_equals(before: Manifest, files: Mapping[str, Content]) -> dict[str, Content]:
    """The files to write: without those that somebody else put there with the same bytes.

    Raises NotOurs when other files of somebody else's, or links, stand there, OSError for a folder.
    """
    folder = before.folder
    for name in files:
        refuse_links(folder, (folder / name).parent)
        if (folder / name).is_dir():
            raise IsADirectoryError(errno.EISDIR, "a folder stands where this file belongs", str(folder / name))
    others = [name for name in files if _there(folder / name) and not before.names(name)]
    refused = [name for name in others if digest_on_disk(folder / name) != digest_of(files[name])]
    if refused:
        raise _refused(folder, refused)
    return {name: data for name, data in files.items() if name not in others}


def _refused(folder: Path, names: Sequence[str]) -> NotOurs:
    more = f" (and {len(names) - 1} more: {', '.join(names[1:5])}{', …' if len(names) > 5 else ''})" if names[1:] else ""
    hint = "Move it away, or name another folder with --out."
    if any(folder.glob(".pnp-record-*.json")):
        hint = f"An older pnp has written into {folder.name}, and this one does not know its files: move that folder away."
    return NotOurs(
        f"pnp did not write this file{more}, or it was changed since; nothing was written", hint, folder / names[0]
    )


def _below(name: str, owned: Sequence[str] | None) -> bool:
    return owned is None or any(name.startswith(f"{home}/") if home else "/" not in name for home in owned)


@contextmanager
def _aside(folder: Path, files: Mapping[str, Content]) -> Iterator[Path]:
    """A temporary folder in a folder, with the files below ``new``; errors name the final paths."""
    sweep(folder, ASIDE)
    with _named(folder), passing(folder / passing_name(ASIDE)) as aside:
        for name, data in files.items():
            with _named(folder / name):
                (aside / "new" / name).parent.mkdir(parents=True, exist_ok=True)
                with (aside / "new" / name).open("wb") as file:
                    file.writelines(chunks(data))
        yield aside


def _place(before: Manifest, files: Mapping[str, Content], aside: Path) -> None:
    """Puts every file in place, or none when one cannot be. Raises NotOurs, OSError.

    Each is looked at just before it is replaced: what somebody saved meanwhile stays.
    """
    folder = before.folder
    made: list[Path] = []
    placed: list[str] = []
    try:
        for name in files:
            target = folder / name
            with _named(target):
                refuse_links(folder, target.parent)
                made += _make(target.parent)
                if _there(target):
                    # It gets a second name, or is copied where links are impossible.
                    old = aside / "old" / name
                    old.parent.mkdir(parents=True, exist_ok=True)
                    try:
                        os.link(target, old, follow_symlinks=False)
                    except (OSError, NotImplementedError):
                        shutil.copyfile(target, old, follow_symlinks=False)
                    if not before.names(name):
                        raise _refused(folder, [name])
                (aside / "new" / name).replace(target)
                placed.append(name)
    except BaseException:
        for name in reversed(placed):
            with suppress(OSError):
                if _is(folder, name, [digest_of(files[name])]):
                    old = aside / "old" / name
                    old.replace(folder / name) if _there(old) else (folder / name).unlink()
        for path in reversed(made):
            with suppress(OSError):
                path.rmdir()
        raise


def _remove(before: Manifest, names: Iterable[str]) -> list[str]:
    """Removes files that are as the manifest says, and the folders that are empty then."""
    removed = []
    for name in names:
        if before.names(name):
            (before.folder / name).unlink()
            removed.append(name)
            for home in [*Path(name).parents][:-1]:
                with suppress(OSError):
                    (before.folder / home).rmdir()
    return removed


def _make(folder: Path) -> list[Path]:
    """Makes a folder and its parents; returns the new ones."""
    missing = []
    while not _there(folder):
        missing.append(folder)
        folder = folder.parent
    if not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "a file stands where this folder belongs", str(folder))
    for path in reversed(missing):
        try:
            path.mkdir(exist_ok=True)
        except FileNotFoundError:  # as in /proc, where the parent is there
            raise OSError(errno.EROFS, "no folder can be made here", str(path)) from None
    return missing[::-1]


def _there(path: Path) -> bool:
    """Whether anything is there, even a broken link."""
    return os.path.lexists(path)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Makes errors name the final path, not the temporary one."""
    try:
        yield
    except OSError as error:
        parts = Path(str(error.filename or "")).parts
        if error.errno and (not parts or any(is_passing(ASIDE, part) for part in parts)):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


def as_json(value: Any) -> bytes:
    """JSON for files: readable, equal for equal values."""
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
