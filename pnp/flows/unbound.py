"""The conductor of ``pnp check --unbound``: each number of a game changed in memory, to see whether any rule notices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pnp.check.allow import allowed
from pnp.check.registry import CHECKS
from pnp.check.unbound import RULE
from pnp.flows.books.publish import proofread, reread
from pnp.flows.drawn import Tell
from pnp.flows.numbers import Typed, live_numbers, numbers_of
from pnp.read.game import read_game
from pnp.read.project import Instead, Project
from pnp.values.findings import Subject, TableShown
from pnp.values.game import Game, Manual
from pnp.values.outcome import Bound, Result
from pnp.values.problems import Problem, Problems

if TYPE_CHECKING:
    from pnp.flows.books.edit import Reader

GROUP = "unbound"
# Numbers that are tried at most; of a larger game as many fewer as reading it takes longer.
MOST_TRIED, MOST_CELLS_READ = 4000, 10_000_000
LEAST_TRIED = 50
# Numbers that a process is given at once: few enough to tell how far it is.
PORTION = 25

Found = Counter[tuple[str, ...]]


def tell_unbound(project: Project, result: Result, tell: Tell, executor: Executor | None) -> None:
    """Change each number of a checked game and add those that no rule notices to its result, with the figures.

    Of a game with errors nothing is told. ``executor`` runs functions in other processes; None does all in this one.
    """
    if result.subject is None or result.problems.errors:
        return
    game = result.subject.game
    total, most = sum(1 for _ in numbers_of(game)), _most(game)
    # Evenly over all, and the same each time.
    wanted = {at * total // most for at in range(most)} if total > most else set(range(total))
    chosen = [number for at, number in enumerate(numbers_of(game)) if at in wanted]
    portions = [chosen[at : at + PORTION] for at in range(0, len(chosen), PORTION)]
    held: list[bool] = []
    name = result.game
    if executor is None:
        trial = Trial.of(project, name)
        for portion in portions:
            tell(f"{name}: changed {len(held)} of {len(chosen)} numbers")
            held += [trial.held(number) for number in portion]
    else:
        futures = [executor.submit(tried_elsewhere, project, name, portion) for portion in portions]
        for future in futures:
            tell(f"{name}: changed {len(held)} of {len(chosen)} numbers")
            held += future.result()
    loose = [number for number, is_held in zip(chosen, held, strict=True) if not is_held]
    live = live_numbers(game)
    known = {rule for check in CHECKS.values() for rule in check.rules}
    # Of a sample nobody knows what else is needed.
    kept, silenced, unused = allowed(
        [number.problem for number in loose], game.rules, known, {RULE} if len(chosen) == total else ()
    )
    silent = {problem for problem, _ in silenced}
    result.problems.extend([*kept, *unused])
    result.silenced += [(problem, allow.because) for problem, allow in silenced]
    meant = sum(number.problem in silent for number in loose)
    lively = sum(live.values())
    result.bound = Bound(len(chosen) + lively, len(chosen) - len(loose) + lively, lively, meant, total - len(chosen))
    result.shown.append((GROUP, _shown(chosen, held, silent, live, result.bound)))


def _most(game: Game) -> int:
    """How many numbers are tried of a game, so that it ends in bounded time: the same each time."""
    cells = sum(len(table.columns) * len(table.rows) for table in game.tables.values())
    return max(LEAST_TRIED, min(MOST_TRIED, MOST_CELLS_READ // max(1, cells)))


def _shown(
    chosen: Sequence[Typed], held: Sequence[bool], silent: set[Problem], live: dict[str, int], bound: Bound
) -> TableShown:
    """The figures by files."""
    rows = []
    for file in dict.fromkeys([*(number.place.file for number in chosen), *live]):
        here = [(number, is_held) for number, is_held in zip(chosen, held, strict=True) if number.place.file == file]
        noticed = sum(is_held for _, is_held in here)
        meant = sum(number.problem in silent for number, is_held in here if not is_held)
        figures = len(here) + live.get(file, 0), noticed, live.get(file, 0), meant, len(here) - noticed - meant
        rows.append((file.rpartition("/")[2], *map(str, figures)))
    header = ("file", "numbers", "noticed", "live", "allowed", "unbound")
    return TableShown("Numbers that a rule holds", header, tuple(rows), str(bound))


def tried_elsewhere(project: Project, name: str, numbers: Sequence[Typed]) -> list[bool]:
    """Whether each of some numbers is held, found out in a process of its own."""
    trial = Trial.of(project, name)
    return [trial.held(number) for number in numbers]


@dataclass(slots=True)
class Trial:
    """A game as it is, and what is found of it: whatever is found more when a number is changed was noticed."""

    project: Project
    game: Game
    usual: dict[str, Found] = field(default_factory=dict)
    """By group: how often each rule finds something at each place."""
    reader: Reader | None = None
    """Who reads the books of this game."""
    first: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    """By file and column: the groups that noticed a change there, the last first: they will notice the next."""

    @classmethod
    def of(cls, project: Project, name: str) -> Trial:
        """Raises NoSuchGame."""
        problems = Problems()
        game = read_game(project, name, problems)
        assert game is not None, "only a game without errors is tried"
        trial = cls(project, game, {"": _found(problems, game)})
        for group in _groups():
            trial.usual[group] = _found(CHECKS[group].look(Subject(game)).problems, game)
        books = Problems()
        proofread(game, books)
        trial.usual["books"] = _found(books, game)
        return trial

    def held(self, number: Typed) -> bool:
        """Whether a number cannot be changed unnoticed, up or down; of one that may be a bound one of the two is enough."""
        noticed = (self._noticed(number, text) for text in number.changed())
        return any(noticed) if number.bound else all(noticed)

    def _noticed(self, number: Typed, text: str) -> bool:
        if number.source == "book":
            (old,) = {manual.file: manual for manual in self.game.manuals if manual.file == number.place.file}.values()
            new = replace(old, text=text)
            manuals = tuple(new if manual.file == new.file else manual for manual in self.game.manuals)
            reading = [group for group in _groups() if CHECKS[group].said]
            return self._tells(replace(self.game, manuals=manuals), number, reading, new)
        problems = Problems()
        if number.source == "cell":
            instead = Instead(cells={number.place: text})
        else:
            instead = Instead(files={self.game.folder / number.place.file.rpartition("/")[2]: text.encode()})
        game = read_game(replace(self.project, instead=instead), self.game.name, problems)
        if game is None or self._more("", problems, game):
            return True
        return self._tells(game, number, _groups())

    def _tells(self, game: Game, number: Typed, groups: Sequence[str], only: Manual | None = None) -> bool:
        """Whether a rule, or who reads the books, finds something new; ``only``: the one book that is another."""
        key = number.place.file, number.place.column or ""
        first = self.first.setdefault(key, [])
        for group in [*(group for group in first if group in groups), *(group for group in groups if group not in first)]:
            told = CHECKS[group].look(Subject(game)).problems
            if self._more(group, told, game):
                first[:] = [group, *(other for other in first if other != group)]
                return True
        books = Problems()
        if only is None:
            proofread(game, books)
        else:
            self.reader = reread(game, only, books, self.reader)
        return self._more("books", books, game)

    def _more(self, group: str, problems: Iterable[Problem], game: Game) -> bool:
        return not _found(problems, game) <= self.usual[group]


def _groups() -> list[str]:
    """The rules that need no drawing."""
    return [group for group, check in CHECKS.items() if not check.drawn]


def _found(problems: Iterable[Problem], game: Game) -> Found:
    """How often each rule finds something at each place that is not allowed; what its sentences say may well change."""
    kept, _, _ = allowed(problems, game.rules, (), ())
    return Counter((problem.rule, problem.severity, str(problem.place)) for problem in kept)
