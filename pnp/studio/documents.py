"""The open files of a project: text, unsaved changes, and undo history.

All views and windows edit one document per file. Drafts and history are stored in the cache folder at once, so that
they survive a reload, a restart or a crash. Files are replaced by a rename, so that they are always whole.
"""

from __future__ import annotations

import codecs
import json
import os
import re
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from pnp.read.csvfile import TABBED
from pnp.read.project import Project
from pnp.system.paths import digest_of, is_link, within
from pnp.values.problems import Fault

# What can be edited as text, and what is edited cell by cell.
TEXTS = (".toml", ".md", ".j2", ".svg", ".txt", ".yaml", ".yml", ".json", ".po")
TABLES = (".csv", *TABBED)
MOST_BYTES = 32_000_000
# Steps of a file that can be undone, and how much of them is kept, in letters.
MOST_EDITS, MOST_KEPT = 1_000, 2_000_000
ELSEWHERE = "what another program saved"
# What an editor in the browser takes for the end of a line, and shows as \n.
_END = re.compile(r"\r\n|\r|\n")


class Gone(Fault):
    """Raised for a file that does not exist."""


class ChangedElsewhere(Fault):
    """Raised for a file that another program has changed."""

    def __init__(self, file: str, more: str = "") -> None:
        super().__init__(f"{file} was changed elsewhere meanwhile.{more}")


@dataclass(frozen=True, slots=True)
class Edit:
    """A step of the history: ``removed`` at ``start`` was replaced by ``added``."""

    start: int
    removed: str
    added: str
    before: str
    """Digests of the text before and after it."""
    after: str
    says: str
    """What was done, for the person."""
    made: bool = False
    """Whether the file was not there before: undone, it is taken away."""
    gone: bool = False
    """Whether it took the file away."""

    @classmethod
    def between(cls, old: str, new: str, says: str) -> Edit:
        """The edit that turns the old text into the new one."""
        most = min(len(old), len(new))
        start = _common(old, new, most)
        end = _common(old[start:][::-1], new[start:][::-1], most - start)
        removed, added = old[start : len(old) - end], new[start : len(new) - end]
        return cls(start, removed, added, _digest(old), _digest(new), says)

    def undone(self, now: str) -> str:
        return now[: self.start] + self.removed + now[self.start + len(self.added) :]

    def redone(self, now: str) -> str:
        return now[: self.start] + self.added + now[self.start + len(self.removed) :]

    def joined(self, later: Edit) -> Edit | None:
        """Both edits as one if they type or delete letters of one word; else None."""
        if not self.removed and not later.removed and later.start == self.start + len(self.added):
            if self.added[-1:].isspace() and not later.added[:1].isspace():
                return None
            return Edit(self.start, "", self.added + later.added, self.before, later.after, self.says)
        if not self.added and not later.added and later.start + len(later.removed) == self.start:
            return Edit(later.start, later.removed + self.removed, "", self.before, later.after, self.says)
        return None


def _common(one: str, other: str, most: int) -> int:
    """The length of the common beginning, found by bisection."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _digest(text: str) -> str:
    return digest_of(text.encode("utf-8", "surrogatepass"))[:32]


@dataclass(frozen=True, slots=True)
class Content:
    """A file's text with its encoding and line ends."""

    text: str | None
    """None: not known."""
    digest: str | None
    """Of all of the file; None: not known."""
    marked: bool
    """Whether it begins with the mark by which Excel knows UTF-8."""

    @classmethod
    def of(cls, file: str, raw: bytes) -> Content:
        """Raises Fault for other encodings than UTF-8."""
        try:
            text = raw.removeprefix(codecs.BOM_UTF8).decode()
        except UnicodeDecodeError:
            word = 'as "CSV UTF-8" in your spreadsheet program' if Path(file).suffix.lower() in TABLES else "as UTF-8"
            raise Fault(f"{file} is not UTF-8. Save it {word}.") from None
        return cls(text, digest_of(raw), raw.startswith(codecs.BOM_UTF8))


class Document:
    """One open file."""

    def __init__(self, documents: Documents, file: str) -> None:
        self.file = file
        self.text = ""
        """As it is to be saved, with the line ends of the file."""
        self._documents = documents
        # What the file says, as far as it is known, and what another program has put there while a draft was not saved.
        self._known = self._theirs = Content("", None, False)
        self._lack: Fault | None = None
        self._done: list[Edit] = []
        self._undone: list[Edit] = []
        self._typing = False
        self._recall()
        self.look()

    @property
    def name(self) -> str:
        return Path(self.file).name

    @property
    def unsaved(self) -> bool:
        """Whether it has unsaved changes."""
        return self.text != self._known.text

    @property
    def fault(self) -> str:
        """Why it can be neither shown nor edited; a draft always can."""
        return str(self._lack) if self._lack and not self.unsaved else ""

    @property
    def theirs(self) -> str | None:
        """The text that another program has saved over unsaved changes."""
        return self._theirs.text if self._theirs.digest else None

    @property
    def _taken_away(self) -> bool:
        """Whether the file is not to be there: its making was undone, or it was taken away."""
        return any(each.made for each in self._undone[-1:]) or any(each.gone for each in self._done[-1:])

    @property
    def state(self) -> str:
        """The state to show, such as a conflict."""
        if self._theirs.digest:
            return f"{self.name} was changed elsewhere. Save to choose between the two."
        if self.unsaved and self._lack:
            return f"{self._lack} What you wrote is kept."
        return "" if self._taken_away and isinstance(self._lack, Gone) else self.fault

    @property
    def shown(self) -> str:
        """The text as the browser's editor has it: all line ends are LF."""
        return "" if self.fault else _lines(self.text)

    def look(self) -> None:
        """Reads the file again: a change becomes a step, or a conflict if there are unsaved changes."""
        self._theirs = Content("", None, False)
        try:
            found = Content.of(self.file, self._documents.read(self.file))
            self._lack = None
        except Fault as refused:
            self._lack = refused
            return
        if found.digest == self._known.digest:
            return
        if self.unsaved and found.text != self.text:
            self._theirs = found
            return
        # Who has emptied a file and then written it has made one change.
        if not self.text and any(each.says == ELSEWHERE for each in self._done[-1:]):
            self.text = self._done.pop().undone(self.text)
        first = self._known.digest is None and not self._done
        self._known = found
        if first:
            self.text = found.text or ""
        else:
            self._step(found.text or "", ELSEWHERE)

    def call(self, says: str) -> None:
        """Names the last step, of a file that a command of ours has written: whoever looks first takes it for another's."""
        self._done[-1:] = [replace(each, says=says) for each in self._done[-1:]]
        self._remember()

    def typed(self, shown: str) -> bool:
        """Takes the editor's text; untouched lines keep their line ends. False if nothing changed."""
        old = self.shown
        if self.fault or shown == old:
            return False
        for back in (True, False):
            with suppress(Fault):
                step = self._ahead(back)
                if step is not None and _lines(step[1]) == shown:
                    self._go(back)
                    return False
        if "\r" in self.text:
            edit = Edit.between(old, shown, "")
            ends = _END.findall(self.text)
            start, end = (_offset(self.text, old, at) for at in (edit.start, edit.start + len(edit.removed)))
            added = edit.added.replace("\n", max(sorted(set(ends)), key=ends.count))
            shown = self.text[:start] + added + self.text[end:]
        self._step(shown, f"what was typed into {self.name}", typed=True)
        return True

    def change(self, text: str, says: str) -> None:
        """Replaces the text, as one unsaved step."""
        self._step(text, says)

    def adopt(self) -> None:
        """Takes the file for one that a button has just made: undone, it is taken away."""
        self.look()
        made = replace(Edit.between("", self.text, self.name), made=True)
        # What stood in another file of this name, which was taken away, comes back by undo as well.
        self._done = [*self._done[:-1], made] if any(each.gone for each in self._done[-2:-1]) else [made]
        self._undone, self._typing = [], False
        self._remember()

    def take_away(self) -> None:
        """Takes the file away; undo brings it back. Raises Fault."""
        self._done.append(replace(Edit.between(self.text, "", f"{self.name} taken away"), gone=True))
        self._undone, self.text = [], ""
        self.save()

    def ahead(self, back: bool) -> tuple[Edit, str] | None:
        """The edit that undo or redo would make, and the editor's text then. Raises Fault."""
        before = self.text
        self.look()
        if self.text != before:
            raise ChangedElsewhere(self.file, " Undo takes that back.")
        if self.fault and not (self._taken_away and isinstance(self._lack, Gone)):
            raise Fault(self.fault)
        step = self._ahead(back)
        return (step[0], _lines(step[1])) if step else None

    def last(self, back: bool) -> Edit | None:
        """The step that undo or redo is about."""
        return next(iter((self._done if back else self._undone)[-1:]), None)

    def undo(self) -> Edit | None:
        """Undoes the last step; None if there is none. Raises Fault."""
        return self._go(True) if self.ahead(True) else None

    def redo(self) -> Edit | None:
        """Redoes the last undone step; None if there is none. Raises Fault."""
        return self._go(False) if self.ahead(False) else None

    def _ahead(self, back: bool) -> tuple[Edit, str] | None:
        some = self._done if back else self._undone
        if not some:
            return None
        edit = some[-1]
        made = edit.undone(self.text) if back else edit.redone(self.text)
        then, now = (edit.before, edit.after) if back else (edit.after, edit.before)
        # Whatever the file that remembers it says.
        if (_digest(self.text), _digest(made)) != (now, then):
            raise Fault(f"What was changed in {self.file} is not known any more.")
        return edit, made

    def _go(self, back: bool) -> Edit:
        step = self._ahead(back)
        assert step is not None, "looked at before"
        edit, self.text = step
        some, others = (self._done, self._undone) if back else (self._undone, self._done)
        others.append(some.pop())
        self._typing = False
        self._remember()
        return edit

    def save(self) -> None:
        """Writes the text to the file. Raises ChangedElsewhere, Fault."""
        self.look()
        if self._theirs.digest:
            raise ChangedElsewhere(self.file)
        if self._lack and not (self.unsaved and isinstance(self._lack, Gone)):
            raise self._lack
        if not self.unsaved:
            return
        if self._taken_away and not self.text:
            self._documents.remove(self.file, self._known.digest)
            self._known, self._typing = Content("", None, self._known.marked), False
            self._remember()
            self.look()
            return
        try:
            raw = (codecs.BOM_UTF8 if self._known.marked else b"") + self.text.encode()
        except UnicodeEncodeError:
            raise Fault(f"{self.file} has half a letter, which no file can hold.") from None
        self._documents.write(self.file, None if self._lack else self._known.digest, raw)
        self._known, self._lack, self._typing = Content(self.text, digest_of(raw), self._known.marked), None, False
        self._remember()

    def keep_mine(self) -> None:
        """Overwrites another program's version, which undo brings back. Raises Fault."""
        mine = self.text
        self.take_theirs()
        self._step(mine, "what was kept instead of it")
        self.save()

    def take_theirs(self) -> None:
        """Takes another program's version; undo brings the draft back."""
        if self._theirs.digest:
            self._known, self._theirs = self._theirs, Content("", None, False)
            self._step(self._known.text or "", ELSEWHERE)

    def _step(self, text: str, says: str, typed: bool = False) -> None:
        if text != self.text:
            edit = Edit.between(self.text, text, says)
            joined = self._done[-1].joined(edit) if typed and self._typing and self._done else None
            self._done = [*self._done[:-1], joined] if joined else [*self._done, edit]
            self._undone = []
            self.text, self._typing = text, typed
        self._remember()

    def _remember(self) -> None:
        self._done = self._done[-MOST_EDITS:]
        while len(self._done) > 1 and sum(len(each.removed) + len(each.added) for each in self._done) > MOST_KEPT:
            self._done.pop(0)
        kept = {
            "file": self.file,
            "known": self._known.digest,
            "draft": self.text if self.unsaved else None,
            "done": [asdict(each) for each in self._done],
            "undone": [asdict(each) for each in self._undone],
        }
        self._documents.keep(self.file, kept)

    def _recall(self) -> None:
        """Restores the stored draft, and the history if it leads to the file's text."""
        kept = self._documents.kept_of(self.file)
        found = Content(None, None, False)
        with suppress(Fault):
            found = Content.of(self.file, self._documents.read(self.file))
        with suppress(KeyError, TypeError, ValueError):
            done, undone = ([Edit(**each) for each in kept[name]] for name in ("done", "undone"))
            draft, same = kept["draft"], found.digest == kept["known"]
            if any(not isinstance(each.start, int) or each.start < 0 for each in (*done, *undone)):
                return
            if draft is not None or (same and found.digest):
                self._done, self._undone = done, undone
                self._known = found if same else Content(None, None, False)
                self.text = str(draft) if draft is not None else found.text or ""


def _lines(text: str) -> str:
    return _END.sub("\n", text) if "\r" in text else text


def _offset(text: str, shown: str, at: int) -> int:
    """Converts a position in the editor's text to one in a text with other line ends."""
    line = shown.count("\n", 0, at)
    start = 0
    for _, found in zip(range(line), _END.finditer(text), strict=False):
        start = found.end()
    return start + at - (shown.rfind("\n", 0, at) + 1)


@dataclass(slots=True)
class Documents:
    """The open files of a project; ``kept`` is the folder for drafts and history."""

    project: Project
    kept: Path
    listeners: list[Callable[[], None]] = field(default_factory=list)
    """They are called whenever a document has changed."""
    _open: dict[str, Document] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.kept = self.kept / digest_of(str(self.project.root.resolve()).encode())[:24]
        for path in sorted(self.kept.glob("*.json")):
            kept = _json(path)
            if isinstance(kept.get("draft"), str):
                with suppress(Fault):
                    self.open(str(kept.get("file")))

    def open(self, file: str) -> Document:
        """The document of a file, relative to the project. Raises Fault for anything that is no file of a game."""
        if file not in self._open:
            self._path(file)
            self._open[file] = Document(self, file)
        return self._open[file]

    def unsaved(self, game: str) -> list[Document]:
        """The documents of a game with unsaved changes."""
        homes = f"content/{game}/", f"templates/{game}/"
        return [self._open[file] for file in sorted(self._open) if file.startswith(homes) and self._open[file].unsaved]

    def files(self, game: str, kinds: Sequence[str]) -> list[str]:
        """The files of a game that can be opened."""
        homes = (self.project.content / game, self.project.root / "templates" / game)
        found = (path for home in homes if home.is_dir() for path in home.rglob("*"))
        some = {self.project.shown(path) for path in found if path.suffix.lower() in kinds and path.is_file()}
        lost = {each.file for each in self.unsaved(game) if Path(each.file).suffix.lower() in kinds}
        return sorted({file for file in some if self._is_own(file)} | lost)

    def read(self, file: str) -> bytes:
        """Raises Fault."""
        path = self._path(file)
        try:
            if path.stat().st_size > MOST_BYTES:
                raise Fault(f"{file} is too large to be edited here.")
            return path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            raise Gone(f"{file} is not there any more.") from None
        except OSError as error:
            raise Fault(f"{file}: {error.strerror or error}.") from None

    def _is_own(self, file: str) -> bool:
        with suppress(Fault):
            return bool(self._path(file))
        return False

    def _path(self, file: str) -> Path:
        """The path of a game's file. Raises Fault for anything else."""
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
            raise Fault(f"{file} is no file of a game that can be edited here.")
        return path

    def write(self, file: str, known: str | None, new: bytes) -> None:
        """Writes a file if its digest is ``known`` (None: it does not exist), whole or not at all. Raises Fault."""
        path = self._path(file)
        if len(new) > MOST_BYTES:
            raise Fault(f"{file} would be too large.")
        aside = ""
        try:
            handle, aside = tempfile.mkstemp(prefix=".", suffix=".tmp", dir=path.parent)
            with os.fdopen(handle, "wb") as written:
                written.write(new)
                written.flush()
                os.fsync(written.fileno())
            Path(aside).chmod(path.stat().st_mode & 0o777 if known else 0o644)
            if (digest_of(path.read_bytes()) if path.exists() else None) != known:
                raise ChangedElsewhere(file)
            Path(aside).replace(path)
        except OSError as error:
            raise Fault(f"{file} could not be saved: {error.strerror or error}.") from None
        finally:
            if aside:
                with suppress(OSError):
                    Path(aside).unlink(missing_ok=True)

    def remove(self, file: str, known: str | None) -> None:
        """Takes away a file if its digest is ``known``. Raises Fault."""
        path = self._path(file)
        try:
            if digest_of(path.read_bytes()) != known:
                raise ChangedElsewhere(file)
            path.unlink()
        except OSError as error:
            raise Fault(f"{file} could not be taken away: {error.strerror or error}.") from None

    def _memory(self, file: str) -> Path:
        return self.kept / f"{digest_of(file.encode('utf-8', 'surrogatepass'))[:24]}.json"

    def keep(self, file: str, kept: dict[str, Any]) -> None:
        """Stores draft and history; if that fails they last for this session."""
        with suppress(OSError):
            self.kept.mkdir(parents=True, exist_ok=True, mode=0o700)
            aside = self._memory(file).with_suffix(".tmp")
            aside.write_text(json.dumps(kept), encoding="utf-8")
            aside.replace(self._memory(file))
        for listener in list(self.listeners):
            listener()

    def kept_of(self, file: str) -> dict[str, Any]:
        """The stored draft and history; empty if they are damaged."""
        return _json(self._memory(file))


def _json(path: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError):
        said = json.loads(path.read_text(encoding="utf-8"))
        return said if isinstance(said, dict) else {}
    return {}
