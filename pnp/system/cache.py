"""A folder of things that were made once: content by key, each entry whole or not there, the oldest let go.

Entries are plain files that begin with the digest of what follows, so that a damaged one is noticed and made anew.
Any number of builds may use the folder at once: entries are written aside and renamed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

MOST_BYTES = 500_000_000
# Every entry begins so; what does not is somebody else's, whatever its name.
_HEAD, _DIGEST = b"pnp-press cache 1\n", 32
# Names of entries, and of what a killed build left of one. Nothing else is ever removed: the folder may be anybody's.
_HOME, _ENTRY, _ASIDE = re.compile("[0-9a-f]{2}"), re.compile("[0-9a-f]{30,}"), ".pnp-"


def cache_folder() -> Path:
    """``$PNP_CACHE``, else the system's place for what a program may lose.

    The same as platformdirs says, which would be 17 ms to load for each build, of 130 for one that has nothing to do.
    """
    if chosen := os.environ.get("PNP_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "pnp" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/pnp"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pnp"


def digest(*parts: str | bytes) -> str:
    """A name for content: equal for equal parts."""
    state = hashlib.sha256()
    for part in parts:
        # Names of files may be no text: what of them is none is kept apart all the same.
        data = part.encode(errors="surrogatepass") if isinstance(part, str) else part
        state.update(len(data).to_bytes(8, "big") + data)
    return state.hexdigest()[:32]


def remembered(cache: Cache | None, key: str, make: Callable[[], bytes]) -> bytes:
    """What was put under a key; what is not there is made, and put there."""
    content = cache.get(key) if cache else None
    if content is None:
        content = make()
        if cache:
            cache.put(key, content)
    return content


def together(*parts: bytes) -> bytes:
    """Several contents as one, each behind its length."""
    return b"".join(len(part).to_bytes(8, "big") + part for part in parts)


def apart(content: bytes) -> tuple[bytes, ...]:
    """What was put together."""
    parts, at = [], 0
    while at < len(content):
        end = at + 8 + int.from_bytes(content[at : at + 8], "big")
        parts.append(content[at + 8 : end])
        at = end
    return tuple(parts)


@dataclass(frozen=True, slots=True)
class Cache:
    """Entries below ``folder``, at most ``most`` bytes of them."""

    folder: Path
    most: int = MOST_BYTES
    news: list[str] = field(default_factory=list, compare=False, repr=False)
    """Keys of what was put here by this process: who has put nothing need not trim."""

    def get(self, key: str) -> bytes | None:
        """What was put under a key (hexadecimal); None when it is not there or damaged. Never raises OSError."""
        path = self._path(key)
        try:
            about = path.lstat()
            if not stat.S_ISREG(about.st_mode) or about.st_size > self.most:
                return None
            data = path.read_bytes()
        except OSError:
            return None
        if not data.startswith(_HEAD):
            return None
        start = len(_HEAD) + _DIGEST
        digest, content = data[len(_HEAD) : start], data[start:]
        if _sum(key, content) != digest:
            with contextlib.suppress(OSError):
                path.unlink()
            return None
        # What is used is young again.
        with contextlib.suppress(OSError):
            os.utime(path)
        return content

    def put(self, key: str, content: bytes) -> None:
        """Keep something; a cache that cannot be written is none. Never raises OSError."""
        path = self._path(key)
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            if os.path.lexists(path) and not _is_entry(path):
                return
            handle, aside = tempfile.mkstemp(prefix=_ASIDE, dir=path.parent)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(_HEAD)
                    file.write(_sum(key, content))
                    file.write(content)
                Path(aside).replace(path)
                self.news.append(key)
            except BaseException:
                Path(aside).unlink(missing_ok=True)
                raise

    def trim(self) -> None:
        """Let the oldest go until the rest is small enough."""
        entries = []
        for path, state in self._entries():
            entries.append((state.st_mtime_ns, path.name, state.st_size, path))
        total = sum(size for _, _, size, _ in entries)
        for _, _, size, path in sorted(entries):
            if total <= self.most:
                break
            if _is_entry(path):
                with contextlib.suppress(OSError):
                    path.unlink()
                    total -= size

    def clean(self) -> tuple[int, int]:
        """Remove everything; how many entries and bytes there were. Raises OSError."""
        sizes = []
        for path, state in list(self._entries()):
            if _is_entry(path):
                path.unlink(missing_ok=True)
                sizes.append(state.st_size)
        for home in self.folder.glob("??"):
            # One that is not empty has something else in it, or a new entry.
            if _HOME.fullmatch(home.name):
                with contextlib.suppress(OSError):
                    home.rmdir()
        return len(sizes), sum(sizes)

    def _entries(self) -> Iterator[tuple[Path, os.stat_result]]:
        """The files that this cache has made, with their sizes and times."""
        for path in self.folder.glob("??/*"):
            ours = _ENTRY.fullmatch(path.name) or path.name.startswith(_ASIDE)
            if (
                ours
                and _HOME.fullmatch(path.parent.name)
                and path.is_file()
                and not (path.is_symlink() or path.parent.is_symlink())
            ):
                with contextlib.suppress(OSError):
                    yield path, path.stat()

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / key[2:]


def _sum(key: str, content: bytes) -> bytes:
    """An entry is good under its own key only: two that have changed places are both damaged."""
    return hashlib.sha256(key.encode() + b"\0" + content).digest()


def _is_entry(path: Path) -> bool:
    """Whether a file is one of ours, good or damaged."""
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return False
        with path.open("rb") as file:
            return file.read(len(_HEAD)) == _HEAD
    except OSError:
        return False
