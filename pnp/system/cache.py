"""Keeps what was made once in a folder, by key, each entry whole or absent; digests what made it (versions)."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import field
from functools import cache
from pathlib import Path

from pnp import __version__
from pnp.dataclass import dataclass

MOST_BYTES = 500_000_000
# Every entry begins so; what does not is somebody else's, whatever its name.
_HEAD, _DIGEST = b"pnp-press cache 1\n", 32
# Names of entries, and of what a killed build left of one. Nothing else is ever removed: the folder may be anybody's.
_HOME, _ENTRY, _ASIDE = re.compile("[0-9a-f]{2}"), re.compile("[0-9a-f]{30,}"), ".pnp-"


def cache_folder() -> Path:
    """``$PNP_CACHE``, else the system's cache folder.

    The same as platformdirs says, which would be 17 ms to load for each build, of 130 for one that has nothing to do.
    """
    if chosen := os.environ.get("PNP_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "pnp" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/pnp"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pnp"


def digest(*parts: str | bytes | memoryview) -> str:
    """A digest of parts, equal for equal parts."""
    state = hashlib.sha256()
    for part in parts:
        # Names of files may be no text: what of them is none is kept apart all the same.
        data = part.encode(errors="surrogatepass") if isinstance(part, str) else part
        state.update(len(data).to_bytes(8, "big"))
        state.update(data)
    return state.hexdigest()[:32]


def remembered(cache: Cache | None, key: str, make: Callable[[], bytes]) -> bytes:
    """The entry of a key; a missing one is made and stored."""
    content = cache.get(key) if cache else None
    if content is None:
        content = make()
        if cache:
            cache.put(key, content)
    return content


def together(*parts: bytes) -> bytes:
    """Joins several contents, each behind its length."""
    return b"".join(len(part).to_bytes(8, "big") + part for part in parts)


def apart(content: bytes) -> tuple[bytes, ...]:
    """Splits joined contents."""
    parts, at = [], 0
    while at < len(content):
        end = at + 8 + int.from_bytes(content[at : at + 8], "big")
        parts.append(content[at + 8 : end])
        at = end
    return tuple(parts)


@dataclass(frozen=True, slots=True)
class Cache:
    """Entries below ``folder``, at most ``most`` bytes in all."""

    folder: Path
    most: int = MOST_BYTES
    news: list[str] = field(default_factory=list, compare=False, repr=False)
    """Keys of what was put here by this process: who has put nothing need not trim."""

    def get(self, key: str) -> bytes | None:
        """The entry of a key (hexadecimal); None when missing or damaged. Never raises OSError."""
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
        """Stores an entry; does nothing in a cache that cannot be written. Never raises OSError."""
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
        """Removes the oldest entries until the rest is small enough."""
        entries = [(state.st_mtime_ns, path.name, state.st_size, path) for path, state in self._entries()]
        total = sum(size for _, _, size, _ in entries)
        for _, _, size, path in sorted(entries):
            if total <= self.most:
                break
            if _is_entry(path):
                with contextlib.suppress(OSError):
                    path.unlink()
                    total -= size

    def clean(self) -> tuple[int, int]:
        """Removes everything; returns how many entries and bytes there were. Raises OSError."""
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
        for path in self.folder.glob("??/*"):
            ours = _ENTRY.fullmatch(path.name) or path.name.startswith(_ASIDE)
            linked = path.is_symlink() or path.parent.is_symlink()
            if ours and _HOME.fullmatch(path.parent.name) and path.is_file() and not linked:
                with contextlib.suppress(OSError):
                    yield path, path.stat()

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / key[2:]


def _sum(key: str, content: bytes) -> bytes:
    """A checksum that holds under the entry's own key only, so that swapped entries are damaged."""
    return hashlib.sha256(key.encode() + b"\0" + content).digest()


def _is_entry(path: Path) -> bool:
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return False
        with path.open("rb") as file:
            return file.read(len(_HEAD)) == _HEAD
    except OSError:
        return False


LIBRARIES = (
    *("typst", "pikepdf", "reportlab", "pypdfium2", "pillow", "lxml", "jinja2", "markupsafe", "markdown-it-py", "numpy"),
    *("mdit-py-plugins", "fonttools", "svgwrite", "rectpack", "ezdxf", "python-calamine", "pydantic", "colorspacious"),
)


@cache
def engines() -> tuple[str, ...]:
    """Name and version of each library that makes output; read once, for a process keeps its modules."""
    root = Path(__file__).resolve().parent.parent
    files = [path for path in sorted(root.rglob("*")) if path.is_file() and "__pycache__" not in path.parts]
    code = (part for path in files for part in (path.relative_to(root).as_posix(), path.read_bytes()))
    # The folder beside a library is called by its name and version, so that none need be opened; the first one counts.
    found: dict[str, str] = {}
    for home in sys.path:
        for entry in sorted(Path(home).glob("*-info")):
            name, _, version = entry.name.rpartition(".")[0].partition("-")
            found.setdefault(name.lower().replace("_", "-"), version)
    libraries = (f"{name} {found[name]}" for name in LIBRARIES if name in found)
    return f"pnp-press {__version__} ({digest(*code)[:16]})", f"Python {sys.version.split()[0]}", *libraries


@cache
def engines_digest() -> str:
    return digest(sys.version, *engines())
