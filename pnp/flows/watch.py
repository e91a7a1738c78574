"""The conductor of watching: sees when a game's files change, draws and checks it anew, and keeps a preview page fresh.

It never sleeps and never prints: whoever calls :meth:`Watch.look` again and again does.

It looks at all files each time, which takes 0.7 ms for the 213 of the largest game here. What the system tells by itself
(watchfiles, 25 ms to load) is not told of network folders, and not whether a file came back to how it was built last.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pnp.check.registry import in_order
from pnp.flows.check import prove
from pnp.flows.drawn import Drawn, Tell
from pnp.flows.faces import face_alone, faces_of, own_fonts
from pnp.flows.pictures import pictures
from pnp.flows.pipeline import Pipeline
from pnp.read.project import NoSuchGame, Project
from pnp.system.cache import Cache
from pnp.system.files import as_json, put
from pnp.system.record import digest_of
from pnp.values.faces import Book, Deck, Face, Piece
from pnp.values.game import Paper, Side
from pnp.values.outcome import NOWHERE, Options, OutputFolder, Result
from pnp.values.problems import Place, Problem, Problems
from pnp.write.previewpage import ComponentShown, FaceShown, preview_html, state_js

# In seconds: between two looks, and for how long nothing may change before a build, since editors write twice.
PAUSE, SETTLING = 0.2, 0.1
# Pictures on the page: at most so large, in mm, and so fine.
PICTURE, PICTURE_DPI = 110.0, 110
FOLDER, PAGE, STATE, PICTURES = "preview", "index.html", "state.js", "faces"
# How far a build came: nothing could be read; something wrong kept rules from looking at the pieces; all was looked at.
UNREAD, PARTLY, WHOLLY = 0, 1, 2

Snapshot = Mapping[str, tuple[int, int]]
"""Time of writing and size of every file, by its path."""


def scan(folders: Iterable[Path]) -> Snapshot:
    """The files below some folders; what an editor or a spreadsheet puts beside them for itself is none of them."""
    found: dict[str, tuple[int, int]] = {}
    pending = [str(folder) for folder in folders]
    while pending:
        try:
            with os.scandir(pending.pop()) as entries:
                for entry in entries:
                    if entry.name.startswith((".", "~")) or entry.name.endswith(("~", ".tmp")):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
                    else:
                        found[entry.path] = _stamp(entry)
        except OSError:
            continue  # gone between two looks, or not there yet
    return found


def _stamp(entry: os.DirEntry[str]) -> tuple[int, int]:
    """A link that leads nowhere, or a file just gone, hides none of its neighbours."""
    try:
        status = entry.stat()
    except OSError:
        return (0, 0)
    return (status.st_mtime_ns, status.st_size)


@dataclass(slots=True)
class Settling:
    """Whether to build now: something is other than when it was built last, and nobody is writing any more."""

    _built: Snapshot | None = None
    _last: Snapshot | None = None

    def due(self, seen: Snapshot) -> bool:
        """Told once for each state of the files that lasted from one look to the next; at first at once."""
        settled = self._last is None or seen == self._last
        self._last = seen
        if not settled or seen == self._built:
            return False
        self._built = seen
        return True

    @property
    def stirring(self) -> bool:
        return self._last != self._built


@dataclass(slots=True)
class Findings:
    """What is wrong from one build to the next, and how far the build that found it had come."""

    _open: dict[Problem, int] = field(default_factory=dict)

    def told(self, problems: Iterable[Problem], depth: int) -> tuple[list[Problem], list[Problem]]:
        """Findings that are new, or stand elsewhere now, and those that are mended.

        What a build did not come far enough to find again is neither: it may still be there.
        """
        now = dict.fromkeys(problems, depth)
        alike = {_likeness(problem) for problem in now}
        gone = {problem: found for problem, found in self._open.items() if _likeness(problem) not in alike}
        new = [problem for problem in now if problem not in self._open]
        self._open = {**now, **{problem: found for problem, found in gone.items() if found > depth}}
        return new, [problem for problem, found in gone.items() if found <= depth]


def _likeness(problem: Problem) -> tuple[str | None, ...]:
    """What stays of a finding when rows are put in above it."""
    return (problem.rule, problem.place.file, problem.place.column, problem.message, problem.value)


@dataclass(frozen=True, slots=True)
class Change:
    """What a build while watching came to."""

    result: Result
    new: Sequence[Problem]
    mended: Sequence[Problem]
    drawn: Sequence[str]
    """Components of which a face was drawn anew."""


@dataclass(slots=True)
class Watch:
    """A game being watched. ``build``, if given, makes its printable files whenever nothing is wrong."""

    project: Project
    name: str
    out: OutputFolder
    papers: tuple[Paper, ...] = ()
    build: Callable[[], Result] | None = None
    cache: Cache | None = None
    _settling: Settling = field(default_factory=Settling)
    _findings: Findings = field(default_factory=Findings)
    _album: dict[str, bytes] = field(default_factory=dict)
    """Pictures of the faces shown, by what decides how they look."""
    _components: tuple[ComponentShown, ...] = ()
    _title: str = ""

    @property
    def folders(self) -> tuple[Path, ...]:
        """What a build reads."""
        return (self.project.content / self.name, self.project.root / "templates")

    @property
    def page(self) -> Path:
        return self.out.root / self.name / FOLDER / PAGE

    @property
    def pause(self) -> float:
        """How long to wait until the next look, in seconds."""
        return SETTLING if self._settling.stirring else PAUSE

    def look(self, tell: Tell) -> Change | None:
        """Build if files changed since the last time and have come to rest. Raises OSError."""
        return self.rebuild(tell) if self._settling.due(scan(self.folders)) else None

    def rebuild(self, tell: Tell) -> Change:
        """Draw and check the game, and refresh its page. Raises OSError when something cannot be read or written."""
        result = Result(self.name, Problems())
        depth, drawn = self._draw(result, tell)
        result.files = self._refresh(result.problems, drawn is None)
        if self.build is not None and result.ok:
            built = self.build()
            result.counts, result.files = built.counts, built.files
            if set(built.problems) - set(result.problems):
                result.problems.extend(built.problems)
                self._refresh(result.problems, False)
        if self.cache is not None and self.cache.news:
            self.cache.trim()
            self.cache.news.clear()
        new, mended = self._findings.told(in_order(result.problems), depth)
        return Change(result, new, mended, drawn or [])

    def _draw(self, result: Result, tell: Tell) -> tuple[int, list[str] | None]:
        """How far it came, and the components drawn anew; None when there is nothing to show of this build."""
        made = Pipeline(self.project, self.name, Options(NOWHERE, self.papers), result.problems, tell, self.cache)
        try:
            game = made.game
        except NoSuchGame as error:
            result.problems.error("no-game-file", Place(f"content/{self.name}/game.toml"), error.message, hint=error.hint)
            game = None
        if game is None:
            return UNREAD, None
        self._title = game.title
        depth = WHOLLY if prove(made, result, pictures=False) else PARTLY
        return depth, None if made.drawn is None or made.book is None else self._show(made.drawn, made.book)

    def _show(self, drawn: Drawn, book: Book) -> list[str]:
        """Picture the faces that have none yet; names the components that they are of."""
        fonts = own_fonts(drawn.game)
        shown = {deck.component.name: faces_of(deck, fonts) for deck in drawn.decks}
        anew = {key: face for faces in shown.values() for key, face in faces.items() if key not in self._album}
        pages = [face_alone(piece.name, side, face, PICTURE) for piece, side, face in anew.values() if face.layers]
        shots = pictures(drawn, pages, book, PICTURE_DPI)
        made = dict(zip((key for key, (_, _, face) in anew.items() if face.layers), shots, strict=True))
        self._album = {
            key: made.get(key) or self._album[key]
            for faces in shown.values()
            for key in faces
            if key in made or key in self._album
        }
        self._components = tuple(self._component(deck, shown[deck.component.name]) for deck in drawn.decks)
        return [name for name, faces in shown.items() if any(key in made for key in faces)]

    def _component(self, deck: Deck, faces: Mapping[str, tuple[Piece, Side, Face]]) -> ComponentShown:
        component = deck.component
        pictured = tuple(
            FaceShown(
                piece.about(side).called,
                f"{PICTURES}/{key}.png" if key in self._album else "",
            )
            for key, (piece, side, _) in faces.items()
        )
        return ComponentShown(component.name, component.title, component.kind, deck.copies, pictured)

    def _refresh(self, problems: Problems, earlier: bool) -> list[Path]:
        """Write pictures, page and, last, the word that makes an open page reload."""
        found = in_order(problems)
        said = [[problem.as_dict() for problem in found], repr(self._components), self._title, earlier]
        version = digest_of(as_json(said))
        roots = self.project.template_roots(self.name)
        page = preview_html(self._title or self.name, self._components, found, earlier, version, roots)
        files = {f"{FOLDER}/{PICTURES}/{key}.png": picture for key, picture in self._album.items()}
        files |= {f"{FOLDER}/{PAGE}": page, f"{FOLDER}/{STATE}": state_js(version)}
        put(self.out, self.name, files, "watch", (f"{FOLDER}/{PICTURES}",))
        return [self.page]
