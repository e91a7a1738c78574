"""Runs ``pnp watch``: sees when a game's files change, draws and checks it anew, and updates a preview page.

It never sleeps and never prints: whoever calls :meth:`Watch.look` again and again does.

It looks at all files each time, which takes 0.7 ms for the 213 of the largest game here. What the system tells by itself
(watchfiles, 25 ms to load) is not told of network folders, and not whether a file came back to how it was built last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field, replace
from pathlib import Path

from pnp.check.registry import in_order
from pnp.dataclass import dataclass
from pnp.flows.check import prove
from pnp.flows.drawn import Drawn, face_alone, faces_of, own_fonts, pictures
from pnp.flows.pipeline import Pipeline
from pnp.read.project import NoSuchGame, Project, shipped_templates
from pnp.system.cache import Cache
from pnp.system.manifest import as_json, put
from pnp.system.paths import Snapshot, digest_of, scan
from pnp.system.watchdog import Died, Watchdog, say
from pnp.values.faces import Book
from pnp.values.game import Paper
from pnp.values.outcome import NOWHERE, Options, Result
from pnp.values.problems import Place, Problem, Problems
from pnp.write.html import ComponentShown, FaceShown, preview_html, state_js

# In seconds: between two looks, and for how long nothing may change before a build, since editors write twice.
PAUSE, SETTLING = 0.2, 0.1
# Pictures on the page: at most so large, in mm, and so fine.
PICTURE, PICTURE_DPI = 110.0, 110
FOLDER, PAGE, STATE, PICTURES = "preview", "index.html", "state.js", "faces"
# How far a build came: nothing could be read; something wrong kept rules from looking at the pieces; all was looked at.
UNREAD, PARTLY, WHOLLY = 0, 1, 2


@dataclass(slots=True)
class Settling:
    """Decides when to build: files differ from the last build's, and nobody is writing any more."""

    _built: Snapshot | None = None
    _last: Snapshot | None = None

    def due(self, seen: Snapshot) -> bool:
        """True once for each state of the files that lasted two looks; at first at once."""
        settled = self._last is None or seen == self._last
        self._last = seen
        if not settled or seen == self._built:
            return False
        self._built = seen
        return True

    def built(self, seen: Snapshot) -> bool:
        """Whether the last build was of these files."""
        return seen == self._built

    @property
    def stirring(self) -> bool:
        return self._last != self._built


@dataclass(slots=True)
class Findings:
    """The findings from build to build, and the step that the build reached."""

    _open: dict[Problem, int] = field(default_factory=dict)

    def told(self, problems: Iterable[Problem], depth: int) -> tuple[list[Problem], list[Problem]]:
        """New or moved findings, and mended ones.

        What a build did not come far enough to find again is neither: it may still be there.
        """
        now = dict.fromkeys(problems, depth)
        alike = {_likeness(problem) for problem in now}
        gone = {problem: found for problem, found in self._open.items() if _likeness(problem) not in alike}
        new = [problem for problem in now if problem not in self._open]
        self._open = {**now, **{problem: found for problem, found in gone.items() if found > depth}}
        return new, [problem for problem, found in gone.items() if found <= depth]


def _likeness(problem: Problem) -> tuple[str | None, ...]:
    """The part of a finding that stays the same when rows are inserted above it."""
    return (problem.rule, problem.place.file, problem.place.column, problem.message, problem.value)


@dataclass(frozen=True, slots=True)
class Change:
    """The result of a build while watching."""

    result: Result
    new: Sequence[Problem]
    mended: Sequence[Problem]
    drawn: Sequence[str]
    """Components of which a face was drawn anew."""


@dataclass(slots=True)
class Watch:
    """Watches a game. ``build``, if given, makes its printable files whenever nothing is wrong."""

    project: Project
    name: str
    out: Path
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
        """The folders that a build reads."""
        return (self.project.content / self.name, self.project.root / "templates")

    @property
    def page(self) -> Path:
        return self.out / self.name / FOLDER / PAGE

    @property
    def pause(self) -> float:
        """Seconds until the next look."""
        return SETTLING if self._settling.stirring else PAUSE

    def look(self) -> Change | None:
        """Builds if files changed since the last look and have come to rest. Raises OSError."""
        return self.rebuild() if self._settling.due(scan(self.folders)) else None

    def rebuild(self) -> Change:
        """Draws and checks the game, and updates its page. Raises OSError."""
        with Watchdog() as dog:
            try:
                result, depth, drawn, self._title, self._album, self._components = dog.submit(self._look).result()
            except Died as died:
                result, depth, drawn = Result(self.name, Problems()), UNREAD, None
                result.problems.error("died", Place(f"content/{self.name}"), str(died), hint="Mend or remove it.")
            result.files = self._refresh(result.problems, drawn is None)
            if self.build is not None and result.ok:
                built = dog.submit(self.build).result()
                result.counts, result.files = built.counts, built.files
                if set(built.problems) - set(result.problems):
                    result.problems.extend(built.problems)
                    self._refresh(result.problems, False)
        if self.cache is not None:
            self.cache.trim()
        new, mended = self._findings.told(in_order(result.problems), depth)
        return Change(result, new, mended, drawn or [])

    def _look(self) -> tuple[Result, int, list[str] | None, str, dict[str, bytes], tuple[ComponentShown, ...]]:
        """Builds in a child; the changes to this object happen here."""
        result, depth, drawn = Result(self.name, Problems()), UNREAD, None
        made = Pipeline(self.project, self.name, Options(NOWHERE, self.papers), result.problems, say, self.cache)
        try:
            if made.game is not None:
                self._title = made.game.title
                depth = WHOLLY if prove(made, result, pictures=False) else PARTLY
                drawn = None if made.drawn is None or made.book is None else self._show(made.drawn, made.book)
        except NoSuchGame as error:
            result.problems.error("no-game-file", Place(f"content/{self.name}/game.toml"), error.message, hint=error.hint)
        return replace(result, subject=None, portraits={}), depth, drawn, self._title, self._album, self._components

    def _show(self, drawn: Drawn, book: Book) -> list[str]:
        fonts = own_fonts(drawn.game)
        shown = {deck.component.name: faces_of(deck, fonts) for deck in drawn.decks}
        anew = {key: face for faces in shown.values() for key, face in faces.items() if key not in self._album}
        pages = [face_alone(piece.name, side, face, PICTURE) for piece, side, face in anew.values() if face.layers]
        shots = pictures(drawn, pages, book, PICTURE_DPI)
        made = dict(zip((key for key, (_, _, face) in anew.items() if face.layers), shots, strict=True))
        known = {**self._album, **made}
        self._album = {key: known[key] for faces in shown.values() for key in faces if key in known}
        found = []
        for deck, faces in zip(drawn.decks, shown.values(), strict=True):
            pictured = tuple(
                FaceShown(piece.about(side).called, f"{PICTURES}/{key}.png" if key in known else "")
                for key, (piece, side, _) in faces.items()
            )
            of = deck.component
            found.append(ComponentShown(of.name, of.title, of.kind, deck.copies, pictured))
        self._components = tuple(found)
        return [name for name, faces in shown.items() if any(key in made for key in faces)]

    def _refresh(self, problems: Problems, earlier: bool) -> list[Path]:
        """Writes pictures, page and, last, the version that makes an open page reload."""
        found = in_order(problems)
        said = [[problem.as_dict() for problem in found], repr(self._components), self._title, earlier]
        version = digest_of(as_json(said))
        shared = shipped_templates() / "shared"
        page = preview_html(self._title or self.name, self._components, found, earlier, version, shared)
        files = {f"{FOLDER}/{PICTURES}/{key}.png": picture for key, picture in self._album.items()}
        files |= {f"{FOLDER}/{PAGE}": page, f"{FOLDER}/{STATE}": state_js(version)}
        put(self.out, self.name, files, "watch", (f"{FOLDER}/{PICTURES}",))
        return [self.page]
