"""The conductor of many builds and checks: games side by side, a deck for each person, what has not changed left alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pnp.flows.unchanged import Stamps, recalled, recipe_of, remember, stamps_of
from pnp.read.project import Project
from pnp.system.cache import Cache
from pnp.system.engines import engines
from pnp.system.record import digest_of
from pnp.values.outcome import Options, OutputFolder, Result
from pnp.values.problems import Place, Problems, listed

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from pnp.values.game import Ink

# What builds is imported where it is needed: when nothing has changed, nothing of it is.
Tell = Callable[[str], None]

# Builds that wait with an executor at once: enough to keep a cluster busy, few enough to be forgotten.
AHEAD = 64
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
        """For messages: the game, in which language, and for whom."""
        called = f"{self.name} ({self.options.language})" if self.options.language else self.name
        return f"{called} for {self.options.each[0][1]}" if self.options.each else called


@dataclass(frozen=True, slots=True)
class Check:
    """How games are checked: also drawn or not, in which ink, and where reports go, if any are wanted."""

    draw: bool = True
    ink: Ink = ""
    reports: OutputFolder | None = None
    unbound: bool = False
    """Also each number changed, to see whether any rule notices."""
    language: str = ""
    """Another language that they are looked at in."""


def build_games(
    project: Project, names: Sequence[str], options: Options, tell: Tell, cache: Cache | None, executor: Executor | None
) -> list[Result]:
    """Build games; results in the order of the names.

    With a cache those are left alone that are still as they would be. ``executor`` is any that runs functions elsewhere:
    threads, processes, a cluster that sees the same folders; None builds one after the other. Raises OSError.
    """
    return _build([Task(name, options) for name in names], project, tell, cache, executor)


def build_languages(
    project: Project, names: Sequence[str], options: Options, tell: Tell, cache: Cache | None, executor: Executor | None
) -> list[Result]:
    """Build games in their own language and in all others that they have files for. Raises OSError."""
    from pnp.read.languages import languages_of

    # What languages share is drawn once: the others find it in the cache.
    own = _build([Task(name, options) for name in names], project, tell, cache, executor)
    tasks = [
        Task(name, replace(options, language=language)) for name in names for language in languages_of(project.folder(name))
    ]
    others = _build(tasks, project, tell, cache, executor)
    return [*own, *others]


def build_each(
    project: Project,
    name: str,
    options: Options,
    persons: Path,
    tell: Tell,
    cache: Cache | None,
    executor: Executor | None,
) -> list[Result]:
    """Build a game once for each row of a table, into ``each/ID``; a later call goes on where one was stopped.

    Raises OSError.
    """
    from pnp.read.devices import is_device
    from pnp.read.schema import TableRules
    from pnp.read.tables import read_table

    problems = Problems()
    table = read_table(persons, project.shown(persons), persons.stem, TableRules(), problems)
    for row in table or ():
        if is_device(row.id):
            problems.error(
                "reserved-name",
                row.place_of("id"),
                f'Windows keeps the name "{row.id}" for itself: the folder each/{row.id} could not lie there',
                value=row.id,
                hint=f"Give the row another id, such as {row.id}-1.",
            )
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
    way: Check,
    tell: Tell,
    cache: Cache | None,
    executor: Executor | None,
) -> list[Result]:
    """Check games; results in the order of the names. ``executor`` is as for building. Raises OSError."""
    if executor is None or len(names) < 2 or way.unbound:
        return [_checked(project, name, way, tell, cache, executor) for name in names]
    tell(f"checking {listed(names)}")
    futures = [executor.submit(check_elsewhere, project, name, way, cache) for name in names]
    results = []
    for name, future in zip(names, futures, strict=True):
        results.append(future.result())
        tell(f"{name}: checked")
    if cache is not None:
        # Who was busy elsewhere has added to it.
        cache.trim()
    return results


def check_elsewhere(project: Project, name: str, way: Check, cache: Cache | None) -> Result:
    """A check whose result can travel; its report is written."""
    return replace(_checked(project, name, way, lambda _: None, cache), subject=None, portraits={})


def _checked(
    project: Project, name: str, way: Check, tell: Tell, cache: Cache | None, executor: Executor | None = None
) -> Result:
    from pnp.flows.check import check_game, write_report

    result = check_game(project, name, tell, way.draw, way.ink, cache, way.language)
    if way.unbound:
        from pnp.flows.unbound import tell_unbound

        tell_unbound(project, result, tell, executor)
    if way.reports is not None:
        write_report(result, way.reports)
    return result


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a build is made from: a digest of it, and how its files stood when that was taken."""

    digest: str
    stamps: Stamps


def _build(
    tasks: Sequence[Task], project: Project, tell: Tell, cache: Cache | None, executor: Executor | None
) -> list[Result]:
    results: dict[Task, Result] = {}
    recipes: dict[Task, Recipe] = {}
    shared: dict[Task, Recipe] = {}
    for task in tasks:
        if cache is not None:
            everybody = replace(task, options=replace(task.options, each=()))
            if everybody not in shared:
                stamps = stamps_of(project, task.name)
                shared[everybody] = Recipe(recipe_of(project, task.name, everybody.options), stamps)
            recipe = shared[everybody]
            recipes[task] = replace(recipe, digest=digest_of(f"{recipe.digest} {task.options.each}".encode()))
            folder, key = task.options.folder(task.name), task.options.out.key
            if known := recalled(cache, folder, key, recipes[task].digest, task.name):
                tell(f"{task.title}: {BUILT_BEFORE if task.options.selection.changed else UNCHANGED}")
                results[task] = known
    stale = [task for task in tasks if task not in results]
    new = list(stale)
    if executor is None or len(stale) < 2:
        for task in stale:
            results[task] = _done(task, _built(project, task, tell, cache), cache, recipes)
    else:
        tell(f"building {listed(task.title for task in stale)}")
        waiting: list[tuple[Task, Future[Built]]] = []
        while stale or waiting:
            while stale and len(waiting) < AHEAD:
                task = stale.pop(0)
                waiting.append((task, executor.submit(build_elsewhere, project, task, cache, engines())))
            task, future = waiting.pop(0)
            results[task] = _done(task, future.result(), cache, recipes)
            tell(f"{task.title}: built")
    if any(results[task].ok and task.options.uncorrected for task in new):
        tell("backs a little off the fronts? pnp calibrate measures your printer")
    if cache is not None:
        cache.trim()
    return [results[task] for task in tasks]


@dataclass(frozen=True, slots=True)
class Built:
    """A build, and how its files stood when it began; None when one of them was changed before it ended."""

    result: Result
    stamps: Stamps | None


def _built(project: Project, task: Task, tell: Tell, cache: Cache | None) -> Built:
    """Build a game; when its files are changed meanwhile that is told, for its pages may show the old and the new."""
    from pnp.flows.build import build_game

    before = stamps_of(project, task.name)
    result = build_game(project, task.name, task.options, tell, cache)
    after = stamps_of(project, task.name)
    if before == after:
        return Built(result, before)
    changed = min(path for path in {*before, *after} if before.get(path) != after.get(path))
    result.problems.warn(
        "changed-meanwhile",
        Place(project.shown(changed)),
        "it was changed while the game was built, so that pages may show what it said before, after, or both",
        hint="Build again.",
    )
    return Built(result, None)


def _done(task: Task, built: Built, cache: Cache | None, recipes: dict[Task, Recipe]) -> Result:
    """Put down what came of a task at once, so that a build that is stopped is not for nothing."""
    result = built.result
    if cache is not None and result.ok and result.files and not task.options.draft and built.stamps == recipes[task].stamps:
        remember(cache, task.options.folder(task.name), recipes[task].digest, result)
    return result


def build_elsewhere(project: Project, task: Task, cache: Cache | None, asked: tuple[str, ...]) -> Built:
    """A build whose result can travel: without what only a report would look at.

    Raises ChildProcessError where pnp or its libraries are others than those of whoever asks: the bytes would be, too.
    """
    if words := differing(engines(), asked):
        import platform

        raise ChildProcessError(f"the worker on {platform.node() or 'another machine'} {words}")
    built = _built(project, task, lambda _: None, cache)
    return replace(built, result=replace(built.result, subject=None, portraits={}))


def differing(there: tuple[str, ...], here: tuple[str, ...] | None = None) -> str:
    """What a worker has that this machine has not, in words; nothing where they are alike."""
    here = engines() if here is None else here
    if there == here:
        return ""
    theirs, ours = (listed(sorted({*one} - {*other})) for one, other in ((there, here), (here, there)))
    return (
        f"has {theirs or 'an older pnp'} where this machine has {ours or 'less'}: what it makes would differ, so it made "
        "nothing. Install the same on both."
    )
