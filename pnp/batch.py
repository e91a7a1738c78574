"""The conductor of many builds and checks: games side by side, a deck for each person, what has not changed left alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pnp.cache import Cache
from pnp.fresh import recalled, recipe_of, remember
from pnp.outcome import Options, Result
from pnp.outputs import digest_of
from pnp.problems import Problems, listed
from pnp.read.project import Project

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from pnp.model import Ink

# What builds is imported where it is needed: when nothing has changed, nothing of it is.
Tell = Callable[[str], None]

# Builds that wait with an executor at once: enough to keep a cluster busy, few enough to be forgotten.
AHEAD = 64


@dataclass(frozen=True, slots=True)
class Task:
    """A game to be built, and how."""

    name: str
    options: Options

    @property
    def title(self) -> str:
        """For messages: the game, and for whom."""
        return f"{self.name} for {self.options.each[0][1]}" if self.options.each else self.name


@dataclass(frozen=True, slots=True)
class Check:
    """How games are checked: also drawn or not, in which ink, and where reports go, if any are wanted."""

    draw: bool = True
    ink: Ink = ""
    reports: Path | None = None


def build_games(
    project: Project, names: Sequence[str], options: Options, tell: Tell, cache: Cache | None, executor: Executor | None
) -> list[Result]:
    """Build games; results in the order of the names.

    With a cache those are left alone that are still as they would be. ``executor`` is any that runs functions elsewhere:
    threads, processes, a cluster that sees the same folders; None builds one after the other. Raises OSError.
    """
    return _build([Task(name, options) for name in names], project, tell, cache, executor)


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
    if executor is None or len(names) < 2:
        return [_checked(project, name, way, tell, cache) for name in names]
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


def _checked(project: Project, name: str, way: Check, tell: Tell, cache: Cache | None) -> Result:
    from pnp.checking import check_game, write_report

    result = check_game(project, name, tell, way.draw, way.ink, cache)
    if way.reports is not None:
        write_report(result, way.reports)
    return result


def _build(
    tasks: Sequence[Task], project: Project, tell: Tell, cache: Cache | None, executor: Executor | None
) -> list[Result]:
    results: dict[Task, Result] = {}
    recipes: dict[Task, str] = {}
    shared: dict[Task, str] = {}
    for task in tasks:
        if cache is not None:
            everybody = replace(task, options=replace(task.options, each=()))
            if everybody not in shared:
                shared[everybody] = recipe_of(project, task.name, everybody.options)
            recipes[task] = digest_of(f"{shared[everybody]} {task.options.each}".encode())
            if known := recalled(cache, task.options.folder(task.name), recipes[task], task.name):
                tell(f"{task.title}: nothing has changed")
                results[task] = known
    stale = [task for task in tasks if task not in results]
    if executor is None or len(stale) < 2:
        for task in stale:
            from pnp.build import build_game

            results[task] = _done(task, build_game(project, task.name, task.options, tell, cache), cache, recipes)
    else:
        tell(f"building {listed(task.title for task in stale)}")
        waiting: list[tuple[Task, Future[Result]]] = []
        while stale or waiting:
            while stale and len(waiting) < AHEAD:
                task = stale.pop(0)
                waiting.append((task, executor.submit(build_elsewhere, project, task.name, task.options, cache)))
            task, future = waiting.pop(0)
            results[task] = _done(task, future.result(), cache, recipes)
            tell(f"{task.title}: built")
    if cache is not None:
        cache.trim()
    return [results[task] for task in tasks]


def _done(task: Task, result: Result, cache: Cache | None, recipes: dict[Task, str]) -> Result:
    """Put down what came of a task at once, so that a build that is stopped is not for nothing."""
    if cache is not None and result.ok and not task.options.draft:
        remember(cache, task.options.folder(task.name), recipes[task], result)
    return result


def build_elsewhere(project: Project, name: str, options: Options, cache: Cache | None) -> Result:
    """A build whose result can travel: without what only a report would look at."""
    from pnp.build import build_game

    return replace(build_game(project, name, options, lambda _: None, cache), subject=None, portraits={})
