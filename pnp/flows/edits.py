"""The conductor of edits: files of a project changed by the studio, from what they were when somebody began; undoable.

A file is written aside and renamed, so that it is whole whatever happens. What an edit took away and put there is kept in
the cache folder, and so is undone after a restart as well.
"""

from __future__ import annotations

import base64
import json
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

from pnp.read.csvfile import TABBED
from pnp.read.csvpatch import CsvText
from pnp.read.project import Project
from pnp.system.paths import within
from pnp.system.record import digest_of, is_link

# What can be edited as text, and what is edited cell by cell.
TEXTS = (".toml", ".md", ".j2", ".svg", ".txt", ".yaml", ".yml", ".json", ".po")
TABLES = (".csv", *TABBED)
MOST_BYTES = 32_000_000
# Edits that can be undone, and how much of them is kept, in bytes.
MOST_EDITS, MOST_KEPT = 1_000, 20_000_000


class Refused(Exception):
    """An edit that is not made. The text is for the person."""


class ChangedElsewhere(Refused):
    """A file that says something else than when the edit began."""

    def __init__(self, shown: str, now: bytes) -> None:
        super().__init__(f"{shown} was changed elsewhere meanwhile.")
        self.now = now


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of one file: at ``start`` (in bytes) ``removed`` was taken away and ``added`` put there."""

    file: str
    start: int
    removed: bytes
    added: bytes
    before: str
    """Digests of the file before and after it."""
    after: str
    says: str
    """What was done, for the person."""

    @classmethod
    def between(cls, file: str, old: bytes, new: bytes, says: str) -> Edit:
        """What makes the new content of the old."""
        most = min(len(old), len(new))
        start = _common(old, new, most)
        end = _common(old[start:][::-1], new[start:][::-1], most - start)
        removed, added = old[start : len(old) - end], new[start : len(new) - end]
        return cls(file, start, removed, added, digest_of(old), digest_of(new), says)

    def undone(self, now: bytes) -> bytes:
        return now[: self.start] + self.removed + now[self.start + len(self.added) :]

    def redone(self, now: bytes) -> bytes:
        return now[: self.start] + self.added + now[self.start + len(self.removed) :]


def _common(one: bytes, other: bytes, most: int) -> int:
    """How many bytes both begin with, found by halving."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


@dataclass(slots=True)
class Edits:
    """What the studio changes in a project, and how it is undone; ``kept`` is the folder that remembers it."""

    project: Project
    kept: Path
    _done: list[Edit] = field(default_factory=list)
    _undone: list[Edit] = field(default_factory=list)

    def __post_init__(self) -> None:
        with suppress(OSError, ValueError, KeyError, TypeError):
            for line in self._journal.read_text(encoding="utf-8").splitlines():
                self._done.append(_read(line))

    @property
    def _journal(self) -> Path:
        return self.kept / f"{digest_of(str(self.project.root.resolve()).encode())[:24]}.jsonl"

    @property
    def last(self) -> Edit | None:
        """What would be undone."""
        return self._done[-1] if self._done else None

    @property
    def next(self) -> Edit | None:
        """What would be done again."""
        return self._undone[-1] if self._undone else None

    def read(self, file: str) -> bytes:
        """The content of a file that may be edited; ``file`` from the project's folder on. Raises Refused."""
        path = self._path(file)
        try:
            if path.stat().st_size > MOST_BYTES:
                raise Refused(f"{file} is too large to be edited here.")
            return path.read_bytes()
        except OSError as error:
            raise Refused(f"{file}: {error.strerror or error}.") from None

    def save(self, file: str, began: str, new: bytes, says: str) -> Edit | None:
        """Put new content into a file that had the digest ``began``; None where it has it already. Raises Refused."""
        old = self.read(file)
        if digest_of(old) != began:
            raise ChangedElsewhere(file, old)
        return self._save(file, old, new, says)

    def change_table(self, file: str, began: str, change: Callable[[CsvText], CsvText], says: str) -> Edit | None:
        """Change records of a table. Raises Refused, NotEditable."""
        old = self.read(file)
        if digest_of(old) != began:
            raise ChangedElsewhere(file, old)
        made = change(CsvText.of(old, Path(file).suffix.lower() in TABBED))
        return self._save(file, old, made.raw, says)

    def _save(self, file: str, old: bytes, new: bytes, says: str) -> Edit | None:
        if old == new:
            return None
        if len(new) > MOST_BYTES:
            raise Refused(f"{file} would be too large.")
        edit = Edit.between(file, old, new, says)
        self._write(file, old, new)
        self._undone.clear()
        self._done.append(edit)
        self._remember()
        return edit

    def undo(self) -> Edit | None:
        """Take back the last edit; None where there is none. Raises Refused where the file was changed since."""
        if not self._done:
            return None
        edit = self._done[-1]
        now = self.read(edit.file)
        if digest_of(now) != edit.after:
            raise ChangedElsewhere(edit.file, now)
        self._put(edit.file, now, edit.undone(now), edit.before)
        self._undone.append(self._done.pop())
        self._remember()
        return edit

    def redo(self) -> Edit | None:
        """Do again what was undone last; None where there is nothing. Raises Refused where the file was changed since."""
        if not self._undone:
            return None
        edit = self._undone[-1]
        now = self.read(edit.file)
        if digest_of(now) != edit.before:
            raise ChangedElsewhere(edit.file, now)
        self._put(edit.file, now, edit.redone(now), edit.after)
        self._done.append(self._undone.pop())
        self._remember()
        return edit

    def _put(self, file: str, old: bytes, new: bytes, digest: str) -> None:
        """Write what must have this digest, whatever the file that remembers it says. Raises Refused."""
        if digest_of(new) != digest:
            raise Refused(f"What was changed in {file} is not known any more.")
        self._write(file, old, new)

    def forget(self) -> Edit | None:
        """Undo this edit no more: its file was changed elsewhere, and that is kept."""
        edit = self._done.pop() if self._done else None
        self._remember()
        return edit

    def _path(self, file: str) -> Path:
        """Where a file of a game lies. Raises Refused for all that is none."""
        root = self.project.root
        path = root / file
        homes = (self.project.content, root / "templates")
        plain = ".." not in Path(file).parts and not Path(file).is_absolute() and "\0" not in file
        try:
            inside = plain and any(path.is_relative_to(home) and within(home, path) for home in homes)
            links = inside and any(
                is_link(each) for each in (path, *path.parents) if each.is_relative_to(root) and each != root
            )
        except (OSError, RuntimeError, ValueError):
            inside, links = False, False
        if not inside or links or path.suffix.lower() not in (*TEXTS, *TABLES):
            raise Refused(f"{file} is no file of a game that can be edited here.")
        return path

    def _write(self, file: str, old: bytes, new: bytes) -> None:
        """All of the new content or none. Raises Refused."""
        path = self._path(file)
        aside = ""
        try:
            handle, aside = tempfile.mkstemp(prefix=".", suffix=".tmp", dir=path.parent)
            with os.fdopen(handle, "wb") as written:
                written.write(new)
                written.flush()
                os.fsync(written.fileno())
            Path(aside).chmod(path.stat().st_mode & 0o777)
            if path.read_bytes() != old:
                raise ChangedElsewhere(file, path.read_bytes())
            Path(aside).replace(path)
        except OSError as error:
            raise Refused(f"{file} could not be saved: {error.strerror or error}.") from None
        finally:
            if aside:
                with suppress(OSError):
                    Path(aside).unlink(missing_ok=True)

    def _remember(self) -> None:
        """Keep what can be undone. Where it cannot be kept it is undone in this session only."""
        self._done = self._done[-MOST_EDITS:]
        while sum(len(each.removed) + len(each.added) for each in self._done) > MOST_KEPT and len(self._done) > 1:
            self._done.pop(0)
        with suppress(OSError):
            self.kept.mkdir(parents=True, exist_ok=True)
            aside = self._journal.with_suffix(".tmp")
            aside.write_text("".join(_written(each) + "\n" for each in self._done), encoding="utf-8")
            aside.replace(self._journal)


def _written(edit: Edit) -> str:
    said = asdict(edit)
    for name in ("removed", "added"):
        said[name] = base64.b64encode(said[name]).decode()
    return json.dumps(said)


def _read(line: str) -> Edit:
    said = json.loads(line)
    removed, added = (base64.b64decode(said[name], validate=True) for name in ("removed", "added"))
    start = int(said["start"])
    if start < 0:
        raise ValueError("an edit before the file")
    texts = (str(said[name]) for name in ("before", "after", "says"))
    return Edit(str(said["file"]), start, removed, added, *texts)
