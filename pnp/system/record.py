"""The record in an output folder: which files pnp wrote there, what is in them, which command wrote them.

Only what such a record names, and what is still as it says, is ever replaced or deleted. A record is sealed with the
person's own key (:mod:`pnp.system.sealing`), so that one that came with somebody's project names nothing.
"""

from __future__ import annotations

import errno
import hashlib
import hmac
import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from pnp import __version__
from pnp.system.sealing import seal

_MOST_BYTES, _MOST_DIGESTED = 64_000_000, 4_000_000_000
_ABOUT = "What pnp wrote into this folder. It replaces and deletes nothing else here."


class NotOurs(OSError):
    """Something stands where pnp would write, and pnp did not make it. The text is for the person."""

    def __init__(self, message: str, hint: str, path: Path) -> None:
        super().__init__(errno.EEXIST, f"{message}. {hint}", str(path))
        self.message, self.hint, self.path = message, hint, path

    def __reduce__(self) -> tuple[type[NotOurs], tuple[str, str, Path]]:
        """It travels between processes; what OSError would send along fits no other exception."""
        return type(self), (self.message, self.hint, self.path)


class Entry(NamedTuple):
    """A file: the command that wrote it, and the digests that it may have; two while a new one takes its place."""

    by: str
    digests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """What was written into ``folder``, by relative names with / between their parts.

    It is good for its own folder below the output only: a copy that somebody keeps elsewhere is theirs.
    """

    output: Path
    where: str
    key: bytes
    entries: Mapping[str, Entry] = field(default_factory=dict)

    @classmethod
    def read(cls, output: Path, where: str, key: bytes) -> Record:
        """The record in a folder of the output; an empty one where there is none. Raises NotOurs for what is none."""
        blank = cls(output, where, key)
        if not os.path.lexists(blank.path):
            return blank
        entries = blank._sealed_entries()
        if entries is None:
            raise NotOurs(
                "this record of what pnp wrote here is damaged, or a copy of another folder's; nothing was touched",
                "Move the folder around it away, or name another one with --out.",
                blank.path,
            )
        return cls(output, where, key, entries)

    @property
    def folder(self) -> Path:
        return self.output / self.where

    @property
    def path(self) -> Path:
        """Its file. Each key has one of its own: what another machine wrote here stays its own."""
        return self.folder / record_name(self.key)

    def names(self, name: str) -> bool:
        """Whether what stands under a name now is what was written there."""
        entry = self.entries.get(name)
        return entry is not None and digest_on_disk(self.folder / name) in entry.digests

    def together_with(self, files: Mapping[str, bytes], by: str) -> Record:
        """This one, and new files that may or may not be there yet."""
        added = {
            name: Entry(by, tuple(dict.fromkeys((*self.digests(name), digest_of(data))))) for name, data in files.items()
        }
        return replace(self, entries={**self.entries, **added})

    def after(self, files: Mapping[str, bytes], by: str) -> Record:
        """This one once new files are in their places: what is not there any more is not named."""
        there = {name: entry for name, entry in self.entries.items() if os.path.lexists(self.folder / name)}
        made = {name: Entry(by, (digest_of(data),)) for name, data in files.items()}
        return replace(self, entries={**there, **made})

    def write(self, aside: Path) -> None:
        """Put it in its place, written first into the folder ``aside``; an empty record is no file."""
        if not self.entries:
            self.path.unlink(missing_ok=True)
            return
        files = {name: {"by": entry.by, "sha256": list(entry.digests)} for name, entry in sorted(self.entries.items())}
        value = {"about": _ABOUT, "made_by": f"pnp-press {__version__}", "files": files, "seal": self._seal(files)}
        (aside / self.path.name).write_bytes(json.dumps(value, indent=1, ensure_ascii=False).encode())
        (aside / self.path.name).replace(self.path)

    def _seal(self, files: Mapping[str, object]) -> str:
        return seal(self.key, b"record", self.where.encode(), json.dumps(files, sort_keys=True, ensure_ascii=True).encode())

    def _sealed_entries(self) -> dict[str, Entry] | None:
        """What it says; None when it is no plain file or has not our seal."""
        about = self.path.lstat()
        if not stat.S_ISREG(about.st_mode) or about.st_size > _MOST_BYTES:
            return None
        try:
            value = json.loads(self.path.read_bytes())
            files, given = value["files"], str(value["seal"])
            if not isinstance(files, dict) or not hmac.compare_digest(self._seal(files).encode(), given.encode()):
                return None
            return {name: Entry(entry["by"], tuple(entry["sha256"])) for name, entry in files.items()}
        except (ValueError, KeyError, TypeError, RecursionError):
            return None

    def digests(self, name: str) -> tuple[str, ...]:
        """Those that a file may have under a name."""
        entry = self.entries.get(name)
        return entry.digests if entry else ()


def record_name(key: bytes) -> str:
    """The name of the record that a key seals."""
    return f".pnp-record-{seal(key, b'record name')[:8]}.json"


def digest_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def digest_on_disk(path: Path) -> str | None:
    """Of a plain file; None for anything else, also for a link to a file, and for what is larger than anything of ours."""
    try:
        about = path.lstat()
        if not stat.S_ISREG(about.st_mode) or about.st_size > _MOST_DIGESTED:
            return None
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def is_link(path: Path) -> bool:
    """Whether a name leads elsewhere, as a symbolic link or a junction of Windows."""
    return path.is_symlink() or (hasattr(path, "is_junction") and path.is_junction())


def refuse_links(root: Path, path: Path) -> None:
    """Raises NotOurs when a folder between ``root`` and ``path``, or ``path`` itself, is a link."""
    inside = path.relative_to(root)
    for step in (*reversed(inside.parents), inside):
        if step != Path() and is_link(root / step):
            raise NotOurs(
                "this is a link, and pnp never writes through one; nothing was written",
                "Remove it, or name the folder that you want with --out.",
                root / step,
            )
