"""Builds and checks many games side by side, a deck for each person, and leaves unchanged games alone."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from pnp.dataclass import dataclass
from pnp.read.project import Project, font_folders
from pnp.shapes.affine import Rect
from pnp.system.cache import Cache, digest, engines, engines_digest
from pnp.system.manifest import ASIDE, as_json, is_passing
from pnp.system.paths import digest_of, digest_on_disk, is_link, within
from pnp.system.watchdog import Died, Waited, Watchdog, say
from pnp.values.outcome import NOWHERE, PRINTED, Count, Options, Result
from pnp.values.problems import About, Place, Problem, Problems, listed

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

MOST_BYTES = 64_000_000


def recipe_of(project: Project, name: str, options: Options) -> str:
    """A digest of all that a build is made from: the game's folder, templates, fonts, options, pnp itself and its
    engines.
    """
    return digest(*_parts(project, name, options))


def _parts(project: Project, name: str, options: Options) -> Iterator[bytes]:
    yield engines_digest().encode()
    chosen = asdict(options)
    del chosen["out"]  # wherever files go, they are the same
    yield repr(chosen).encode()
    # What is on paper decides only what has changed since.
    folder = project.folder(name).resolve()
    left = set() if options.selection.changed else {folder / PRINTED}
    for root in _roots(project, name):
        yield b"root"
        for path in _below(root):
            if path in left:
                continue
            # One that is gone between two looks is told by its stamps.
            with suppress(FileNotFoundError):
                yield os.fsencode(path.relative_to(root)) + b"\0" + _content(path, root)


Stamps = Mapping[Path, tuple[int, ...]]
"""What the file system says of every file that a recipe is made from: whoever saves a file changes some of it."""
Recipe = tuple[str, Stamps]
"""A digest of what a build is made from, and the stamps of its files when that was computed."""
Built = tuple[Result, Stamps | None]
"""The result of a build, and the stamps of the game's files when it began; None if a file was changed meanwhile."""


def stamps_of(project: Project, name: str) -> Stamps:
    """Size and time of a game's files: equal before and after a build, they mean that it saw one state of them."""
    stamps = {}
    for root in _roots(project, name):
        for path in _below(root):
            with suppress(FileNotFoundError):
                about = path.lstat() if path.is_dir() else path.stat()
                stamps[path] = (about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns)
    return stamps


def _roots(project: Project, name: str) -> list[Path]:
    folder = project.folder(name)
    own = (folder,) if project.holds(folder) else ()
    roots = {root.resolve() for root in (*own, *project.template_roots(name), *font_folders(folder))}
    # Folders of templates lie in one another.
    return [root for root in sorted(roots) if roots.isdisjoint(root.parents)]


def _below(root: Path) -> Iterator[Path]:
    """The files in a folder by name, also behind links that stay in the project; each once, for links may form circles."""
    homes, seen, waiting = (root.resolve(), *_homes(root)), set[Path](), [root]
    while waiting:
        folder = waiting.pop()
        real = folder.resolve()
        if real in seen or not any(real.is_relative_to(home) for home in homes):
            continue
        seen.add(real)
        try:
            entries = sorted(folder.iterdir(), key=lambda path: os.fsencode(path.name))
        except OSError:
            continue  # what cannot be read is told by whoever reads it
        for path in entries:
            if path.is_dir():
                waiting.append(path)
                if is_link(path):
                    yield path
            elif path.is_file():
                yield path


def _content(path: Path, root: Path) -> bytes:
    """The digest of a file; for one that no stage reads (too large, or elsewhere behind a link) a word."""
    if path.is_dir():
        return b"link to " + os.fsencode(path.readlink())
    about = path.stat()
    if about.st_size > MOST_BYTES:
        return f"{about.st_size} {about.st_mtime_ns}".encode()
    if path.is_symlink() and not any(within(home, path) for home in (root, *_homes(root))):
        return b"link to " + os.fsencode(path.readlink())
    return digest(path.read_bytes()).encode()


def _homes(root: Path) -> tuple[Path, ...]:
    return tuple(parent for parent in root.parents if (parent / "content").is_dir())[:1]


def remember(cache: Cache, folder: Path, recipe: str, result: Result, what: str = "build") -> None:
    """Stores the result of a build, or of a check, in a folder."""
    state = {
        "languages": result.languages,
        "recipe": recipe,
        "files": [*result.digests.items()],
        "counts": [asdict(count) for count in result.counts],
        "warnings": [asdict(problem) for problem in result.problems],
    }
    cache.put(_key(folder, what), as_json(state))


def recalled(cache: Cache, folder: Path, recipe: str, name: str, what: str = "build") -> Result | None:
    """The stored result of a folder's last build or check, if its recipe is the same and all its files are whole."""
    if (content := cache.get(_key(folder, what))) is None:
        return None
    state = json.loads(content)
    if state["recipe"] != recipe:
        return None
    files = [folder / file for file, _ in state["files"]]
    try:
        if any(is_passing(ASIDE, path.name) for path in folder.iterdir()):
            # A build that was killed left something behind, and only the next one takes it away.
            return None
        if any(digest_on_disk(path) != digest for path, (_, digest) in zip(files, state["files"], strict=True)):
            return None
    except OSError:
        return None
    problems = Problems()
    problems.extend(_problem(entry) for entry in state["warnings"])
    counts, languages = [Count(**count) for count in state["counts"]], [(name, share) for name, share in state["languages"]]
    return Result(name, problems, files, dict(state["files"]), counts, languages=languages)


def _key(folder: Path, what: str) -> str:
    return digest_of(f"{what} ".encode() + os.fsencode(folder.resolve()))


def _problem(entry: Mapping[str, Any]) -> Problem:
    about = About(**entry["about"]) if entry["about"] else None
    if about and about.area:
        about = replace(about, area=Rect(**entry["about"]["area"]))
    return Problem(**{**entry, "place": Place(**entry["place"]), "about": about})


# What builds is imported where it is needed: when nothing has changed, nothing of it is.
Tell = Callable[[str], None]
Workers: TypeAlias = "Executor | Watchdog"
"""Runs functions elsewhere: in children of this process, or on a cluster that sees the same folders."""

UNCHANGED = "nothing has changed"
# Of what has changed since it was printed that would say another thing.
BUILT_BEFORE = "as it was built before"


@dataclass(frozen=True, slots=True)
class Task:
    """A game to be built, and how."""

    name: str
    options: Options

    @property
    def title(self) -> str:
        """For messages: game, language, person."""
        called = f"{self.name} ({self.options.language})" if self.options.language else self.name
        return f"{called} for {self.options.each[0][1]}" if self.options.each else called


def build_games(
    project: Project,
    names: Sequence[str],
    options: Options,
    tell: Tell,
    cache: Cache | None,
    executor: Workers,
    languages: Sequence[str] | None = None,
) -> list[Result]:
    """Builds games; results in the order of the names. With ``languages`` in each of these, or, where there are none, in
    their own and all that they have catalogues for.

    With a cache those are left alone that are still as they would be. Raises OSError.
    """
    from pnp.read.languages import languages_of

    # What languages share is drawn once: the others find it in the cache.
    own = [] if languages else _build([Task(name, options) for name in names], project, tell, cache, executor)
    if languages is None:
        return own
    spoken = {name: dict.fromkeys(languages or languages_of(project.folder(name))) for name in names}
    tasks = [Task(name, replace(options, language=each)) for name, codes in spoken.items() for each in codes]
    return [*own, *_build(tasks, project, tell, cache, executor)]


def build_each(
    project: Project, name: str, options: Options, persons: Path, tell: Tell, cache: Cache | None, executor: Workers
) -> list[Result]:
    """Builds a game once for each row of a table, into ``each/ID``; a stopped build continues where it ended.

    Raises OSError.
    """
    from pnp.read.schema import TableRules
    from pnp.read.tables import read_table
    from pnp.system.paths import is_device

    problems = Problems()
    table = read_table(persons, project.shown(persons), persons.stem, TableRules(), problems)
    for row in table or ():
        if is_device(row.id):
            message = f'Windows keeps the name "{row.id}" for itself: the folder each/{row.id} could not lie there'
            hint = f"Give the row another id, such as {row.id}-1."
            problems.error("reserved-name", row.place_of("id"), message, value=row.id, hint=hint)
    if table is not None and not table.rows and not problems.errors:
        problems.error("no-rows", table.place(), "there is no row in it: nobody to build a deck for")
    if table is None or problems.errors:
        return [Result(name, problems)]
    rows = [(("id", row.id), *((key, cell.text) for key, cell in row.cells.items() if key != "id")) for row in table]
    tasks = [Task(name, replace(options, each=row)) for row in rows]
    return _build(tasks, project, tell, cache, executor)


def check_games(
    project: Project,
    names: Sequence[str],
    options: Options,
    tell: Tell,
    cache: Cache | None,
    executor: Workers,
    draw: bool = True,
    unbound: bool = False,
) -> list[Result]:
    """Checks games, drawn or not; results in the order of the names. Reports go to ``options.out``, unless to NOWHERE.

    Of those that are still as they were the report stays, and is told again. ``unbound``: each number is also changed, to
    see whether any rule notices. Raises OSError.
    """
    results: dict[str, Result] = {}
    recipes: dict[str, Recipe] = {}
    for name in names:
        if cache is None or options.out == NOWHERE or unbound:
            break
        recipe = digest(recipe_of(project, name, options), str(draw))
        recipes[name] = recipe, stamps_of(project, name)
        if known := recalled(cache, options.out / name / options.language, recipe, name, "check"):
            results[name] = known
    stale = [name for name in names if name not in results]
    if len(stale) > 1:
        tell(f"checking {listed(stale)}")
    for name, future in [(name, executor.submit(_checked, project, name, options, cache, draw, unbound)) for name in stale]:
        results[name] = _result_of(future, name)
        if len(stale) > 1:
            tell(f"{name}: checked")
        sound = name in recipes and results[name].ok and results[name].files
        if cache is not None and sound and recipes[name][1] == stamps_of(project, name):
            remember(cache, options.out / name / options.language, recipes[name][0], results[name], "check")
    if cache is not None:
        # Who was busy elsewhere has added to it.
        cache.trim()
    return [results[name] for name in names]


def _checked(project: Project, name: str, options: Options, cache: Cache | None, draw: bool, unbound: bool) -> Result:
    """Checks a game in another process: the result can be pickled, its report is written."""
    from pnp.flows.check import check_game, write_report

    result = check_game(project, name, say, options, draw, cache)
    if unbound:
        from pnp.flows.unbound import tell_unbound

        tell_unbound(project, result)
    for group, shown in result.shown:
        if group == "languages":
            result.languages += [(row[0], row[1]) for row in getattr(shown, "rows", ())]
    if options.out != NOWHERE:
        write_report(result, options.out)
    return replace(result, subject=None, portraits={})


def _build(tasks: Sequence[Task], project: Project, tell: Tell, cache: Cache | None, executor: Workers) -> list[Result]:
    results: dict[Task, Result] = {}
    recipes: dict[Task, Recipe] = {}
    shared: dict[Task, Recipe] = {}
    for task in tasks:
        if cache is not None:
            everybody = replace(task, options=replace(task.options, each=()))
            if everybody not in shared:
                stamps = stamps_of(project, task.name)
                shared[everybody] = recipe_of(project, task.name, everybody.options), stamps
            recipe, stamps = shared[everybody]
            recipes[task] = digest(recipe, str(task.options.each)), stamps
            if known := recalled(cache, task.options.folder(task.name), recipes[task][0], task.name):
                tell(f"{task.title}: {BUILT_BEFORE if task.options.selection.changed else UNCHANGED}")
                results[task] = known
    new = [task for task in tasks if task not in results]
    if len(new) > 1:
        tell(f"building {listed(task.title for task in new)}")

    def submitted(task: Task) -> Future[Built] | Waited:
        if isinstance(executor, Watchdog):
            return executor.submit(_built, project, task, say, cache)
        return executor.submit(build_elsewhere, project, task, cache, engines())

    for task, future in [(task, submitted(task)) for task in new]:
        built = _result_of(future, task.name)
        done = isinstance(built, tuple)
        results[task], seen = built if done else (built, None)
        # Stored at once, so that what was done before somebody stopped it is not lost.
        sound = results[task].ok and results[task].files and not task.options.draft
        if cache is not None and sound and seen == recipes[task][1]:
            remember(cache, task.options.folder(task.name), recipes[task][0], results[task])
        if len(new) > 1:
            tell(f"{task.title}: {'built' if done else 'not built'}")
    if any(results[task].ok and task.options.uncorrected for task in new):
        tell("backs a little off the fronts? pnp calibrate measures your printer")
    if cache is not None:
        cache.trim()
    return [results[task] for task in tasks]


def _built(project: Project, task: Task, tell: Tell, cache: Cache | None) -> Built:
    """Builds a game in a child process or on another machine; drops from the result what only a report needs."""
    from pnp.flows.build import build_game

    before = stamps_of(project, task.name)
    result = replace(build_game(project, task.name, task.options, tell, cache), subject=None, portraits={})
    after = stamps_of(project, task.name)
    if before == after:
        return result, before
    changed = min(path for path in {*before, *after} if before.get(path) != after.get(path))
    message = "it was changed while the game was built, so that pages may show what it said before, after, or both"
    result.problems.warn("changed-meanwhile", Place(project.shown(changed)), message, hint="Build again.")
    return result, None


def _result_of(future: Future[Any] | Waited, name: str) -> Any:
    try:
        return future.result()
    except Died as died:
        result = Result(name, Problems())
        hint = "Mend or remove what is named there. PNP_MEMORY (in MB) and PNP_PATIENCE (in seconds) allow more."
        result.problems.error("died", Place(f"content/{name}"), f"{died.step}: {died.why}", hint=hint)
        return result


def build_elsewhere(project: Project, task: Task, cache: Cache | None, asked: tuple[str, ...]) -> Built:
    """Builds on another machine. Raises ChildProcessError where pnp or its libraries are others than those of whoever asks:
    the bytes would be, too.
    """
    if words := differing(engines(), asked):
        import platform

        raise ChildProcessError(f"the worker on {platform.node() or 'another machine'} {words}")
    return _built(project, task, lambda _: None, cache)


def differing(there: tuple[str, ...], here: tuple[str, ...] | None = None) -> str:
    """How a worker differs from this machine, in words; empty where they are equal."""
    here = engines() if here is None else here
    if there == here:
        return ""
    theirs, ours = (listed(sorted({*one} - {*other})) for one, other in ((there, here), (here, there)))
    return (
        f"has {theirs or 'an older pnp'} where this machine has {ours or 'less'}: what it makes would differ, so it made "
        "nothing. Install the same on both."
    )
