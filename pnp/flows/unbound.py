"""Runs ``pnp check --unbound``: changes each number of a game in memory, to see whether any rule notices."""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field, replace
from typing import Literal

from pnp.books.spans import runs_of
from pnp.check.allow import UNBOUND, allowed
from pnp.check.registry import CHECKS
from pnp.check.wording import Span, about, changed, phrase, quantities, read_in, value_of
from pnp.dataclass import dataclass
from pnp.flows.publish import Reader, proofread, reread
from pnp.read.game import read_game
from pnp.read.project import Instead, Project
from pnp.read.tomlfile import toml_numbers
from pnp.system.watchdog import Watchdog, at, say
from pnp.values.books import Counts
from pnp.values.findings import Subject, TableShown
from pnp.values.game import Game, Manual
from pnp.values.outcome import Bound, Result
from pnp.values.problems import Place, Problem, Problems
from pnp.values.tables import NAMING, Cell, Row, Table

MOST_BYTES = 1_000_000
# Columns whose numbers belong to a name.
NAMED = ("id", *NAMING)
_WHOLE_CELL = re.compile(r"([+−-]?)(\d{1,15})((?:[.,]\d{1,12})?)", re.ASCII)
_LISTED = re.compile(r"[-−]?(?<!\d)\d{1,15}(?!\d)")
_ESCAPE = re.compile(r"\\.", re.DOTALL)
_LETTER = re.compile(r"[^\W\d_]")
# What books fill in that is no text: pictures, tables and page numbers are made anew each time.
_FILLED = re.compile(
    r"\{\{-?\s*(?!(?:face|faces|board|layout|folded|anatomy|picture|component_table|setup_table|imprint|page)\()"
)
# A number that only seems to be live where it is filled in.
_SET = re.compile(r"\{%-?\s*set\s+\w+\s*=\s*(\d{1,15})\s*-?%\}")
_LIVE, _LIVED = "\ue002", "\ue003"


@dataclass(frozen=True, slots=True)
class Typed:
    """A number as somebody typed it."""

    source: Literal["cell", "book", "file"]
    place: Place
    text: str
    """All of its cell, book or file."""
    span: Span
    others: tuple[str, ...]
    """One more and one less, written as it is written; without what nobody writes."""
    said: str = ""
    """Of a number in prose: the words next to it, with # in its place."""
    bound: bool = False
    """It may be a bound, which is wrong one way only."""

    def changed(self) -> Iterator[str]:
        """The text with each replacement in its place."""
        start, end = self.span
        yield from (self.text[:start] + other + self.text[end:] for other in self.others)

    @property
    def problem(self) -> Problem:
        """The Problem when no rule notices."""
        written, around = self.text[slice(*self.span)], about(self.text, self.span)
        where = f' in "{around}"' if around != written else ""
        hint = "Say in rules.toml what it must be: a claim, or a promise in [expect]."
        if self.said:
            phrase = f'"{self.said}" = {value_of(written)}'
            hint = f"Hold it in rules.toml, [words.counts]: {phrase}; or let the text take it from a table."
        message = f'"{written}"{where} could be "{self.others[0]}", and no rule would notice'
        return Problem(UNBOUND, self.place, message, written, hint=hint, severity="warning")


def numbers_of(game: Game) -> Iterator[Typed]:
    """The numbers of tables, then books, then game.toml and rules.toml."""
    files: set[tuple[str, str | None]] = set()
    for table in game.tables.values():
        # Two tables may be of one file.
        if (table.file, table.sheet) not in files:
            yield from (number for cell in _cells(table) for number in _in_cell(game, cell))
        files.add((table.file, table.sheet))
    for manual in {manual.file: manual for manual in game.manuals}.values():
        text, line_of = read_in(manual.text), _lines(manual.text)
        for span in quantities(text, game.language):
            place = Place(manual.file, line_of(span[0]))
            yield Typed("book", place, manual.text, span, _in_prose(text, span), phrase(text, span))
        for found in _SET.finditer(manual.text):
            others = _in_prose(manual.text, found.span(1))
            yield Typed("book", Place(manual.file, line_of(found.start(1))), manual.text, found.span(1), others)
    for name in ("game.toml", "rules.toml"):
        yield from _in_toml(game, name)


def _lines(text: str) -> Callable[[int], int]:
    ends = [found.start() for found in re.finditer("\n", text)]
    return lambda at: bisect_left(ends, at) + 1


def _cells(table: Table) -> Iterator[Cell]:
    for column in table.columns[: len(table.titles)]:
        if column in (*NAMED, table.key) or table.taken.get(column) in ("colours", "yes or no"):
            continue
        for row in table:
            cell = row.cells[column]
            if cell.text and not isinstance(cell.value, Row | bool):
                yield cell


def _in_cell(game: Game, cell: Cell) -> Iterator[Typed]:
    text = cell.text
    if found := _WHOLE_CELL.fullmatch(text):
        minus = found[1].strip("+")
        value = -int(found[2]) if minus else int(found[2])
        others = tuple(f"{(minus or '-') if n < 0 else ''}{abs(n)}{found[3]}" for n in (value + 1, value - 1))
        yield Typed("cell", cell.place, text, (0, len(text)), others)
    elif not _LETTER.search(text):
        for each in _LISTED.finditer(text):
            value = int(each[0].replace("−", "-"))
            yield Typed("cell", cell.place, text, each.span(), (str(value + 1), str(value - 1)))
    else:
        read = read_in(text)
        for span in quantities(read, game.language):
            yield Typed("cell", cell.place, text, span, _in_prose(read, span), phrase(read, span))


def _in_toml(game: Game, name: str) -> Iterator[Typed]:
    path = game.folder / name
    try:
        text = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n") if path.stat().st_size <= MOST_BYTES else ""
    except (OSError, UnicodeDecodeError):
        return  # there is no rules.toml; whatever else is wrong is told where it is read
    numbers, line_of = toml_numbers(text), _lines(text)
    file = f"{game.file.rpartition('/')[0]}/{name}"
    for value, span in numbers.promises:
        written = int(text[slice(*span)])
        others = tuple(str(other) for other in (written + 1, written - 1) if other >= 0 or written < 0)
        place = Place(file, line_of(span[0]), ".".join(value.path))
        yield Typed("file", place, text, span, others, bound=True)
    for value in numbers.shown:
        inside = _ESCAPE.sub(lambda found: " \n" if found[0] == r"\n" else "  ", text[value.start : value.end])
        read = read_in(inside)
        for start, end in quantities(read, game.language):
            place = Place(file, line_of(value.start + start), ".".join(value.path))
            others, said = _in_prose(read, (start, end)), phrase(read, (start, end))
            yield Typed("file", place, text, (value.start + start, value.start + end), others, said)


def _in_prose(text: str, span: Span) -> tuple[str, ...]:
    others = (changed(text[slice(*span)], by) for by in (1, -1))
    return tuple(other for other in others if other is not None)


def live_numbers(game: Game) -> dict[str, int]:
    """How many numbers of each book are computed, not typed, by the book's file."""
    if not game.manuals:
        return {}
    reader, found = Reader.of(game), dict[str, int]()
    for manual in game.manuals:
        marked = re.sub(r"\{\{.*?\}\}", _marked, manual.text, flags=re.DOTALL)
        text = reader.text(replace(manual, text=marked), Counts())
        said = "".join(run.text for run in runs_of((*text.blocks, *text.back)))
        filled = re.findall(f"{_LIVE}([^{_LIVE}{_LIVED}]*){_LIVED}", said)
        found[manual.file] = sum(bool(re.search(r"\d", each) or [*quantities(each, game.language)]) for each in filled)
    return found


def _marked(found: re.Match[str]) -> str:
    return f"{_LIVE}{found[0]}{_LIVED}" if _FILLED.match(found[0]) else found[0]


GROUP = "unbound"
GROUPS = [group for group, check in CHECKS.items() if not check.drawn]
# Numbers that are tried at most; of a larger game as many fewer as reading it takes longer.
MOST_TRIED, MOST_CELLS_READ = 4000, 10_000_000
LEAST_TRIED = 50
# Numbers that a process is given at once: few enough to tell how far it is.
PORTION = 25

Found = Counter[tuple[str, ...]]


def tell_unbound(project: Project, result: Result) -> None:
    """Changes each number of a checked game; adds those that no rule notices, and the figures, to its result.

    Of a game with errors nothing is told.
    """
    if result.subject is None or result.problems.errors:
        return
    game = result.subject.game
    total = sum(1 for _ in numbers_of(game))
    # So that time is bounded, and the same ones each time.
    cells = sum(len(table.columns) * len(table.rows) for table in game.tables.values())
    most = max(LEAST_TRIED, min(MOST_TRIED, MOST_CELLS_READ // max(1, cells)))
    # Evenly over all, and the same each time.
    wanted = {at * total // most for at in range(most)} if total > most else set(range(total))
    chosen = [number for at, number in enumerate(numbers_of(game)) if at in wanted]
    portions = [chosen[at : at + PORTION] for at in range(0, len(chosen), PORTION)]
    held: list[bool] = []
    name = result.game
    with Watchdog(os.cpu_count() or 1) as dog:
        for future in [dog.submit(_tried, project, name, portion) for portion in portions]:
            say(f"{name}: changed {len(held)} of {len(chosen)} numbers")
            at(f"changing the numbers of {name}")
            held += future.result()
    loose = [number for number, is_held in zip(chosen, held, strict=True) if not is_held]
    live = live_numbers(game)
    known = {rule for check in CHECKS.values() for rule in check.rules}
    # Of a sample nobody knows what else is needed.
    kept, silenced, unused = allowed(
        [number.problem for number in loose], game.rules, known, {UNBOUND} if len(chosen) == total else ()
    )
    silent = {problem for problem, _ in silenced}
    result.problems.extend([*kept, *unused])
    result.silenced += [(problem, allow.because) for problem, allow in silenced]
    meant = sum(number.problem in silent for number in loose)
    lively = sum(live.values())
    result.bound = Bound(len(chosen) + lively, len(chosen) - len(loose) + lively, lively, meant, total - len(chosen))
    result.shown.append((GROUP, _shown(chosen, held, silent, live, result.bound)))


def _shown(
    chosen: Sequence[Typed], held: Sequence[bool], silent: set[Problem], live: dict[str, int], bound: Bound
) -> TableShown:
    rows = []
    for file in dict.fromkeys([*(number.place.file for number in chosen), *live]):
        here = [(number, is_held) for number, is_held in zip(chosen, held, strict=True) if number.place.file == file]
        noticed = sum(is_held for _, is_held in here)
        meant = sum(number.problem in silent for number, is_held in here if not is_held)
        figures = len(here) + live.get(file, 0), noticed, live.get(file, 0), meant, len(here) - noticed - meant
        rows.append((file.rpartition("/")[2], *map(str, figures)))
    header = ("file", "numbers", "noticed", "live", "allowed", "unbound")
    return TableShown("Numbers that a rule holds", header, tuple(rows), str(bound))


def _tried(project: Project, name: str, numbers: Sequence[Typed]) -> list[bool]:
    trial = Trial.of(project, name)
    return [trial.held(number) for number in numbers]


@dataclass(slots=True)
class Trial:
    """A game and its findings: whatever is found beyond them with a number changed means it was noticed."""

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
        for group in GROUPS:
            trial.usual[group] = _found(CHECKS[group].look(Subject(game)).problems, game)
        books = Problems()
        proofread(game, books)
        trial.usual["books"] = _found(books, game)
        return trial

    def held(self, number: Typed) -> bool:
        """Whether changing a number is noticed, both up and down; for one that may be a bound, in either direction."""
        noticed = (self._noticed(number, text) for text in number.changed())
        return any(noticed) if number.bound else all(noticed)

    def _noticed(self, number: Typed, text: str) -> bool:
        if number.source == "book":
            new = next(replace(old, text=text) for old in reversed(self.game.manuals) if old.file == number.place.file)
            manuals = tuple(new if manual.file == new.file else manual for manual in self.game.manuals)
            reading = [group for group in GROUPS if CHECKS[group].said]
            return self._tells(replace(self.game, manuals=manuals), number, reading, new)
        problems = Problems()
        file = self.game.folder / number.place.file.rpartition("/")[2]
        instead = Instead({number.place: text}) if number.source == "cell" else Instead(files={file: text.encode()})
        game = read_game(replace(self.project, instead=instead), self.game.name, problems)
        return True if game is None or self._more("", problems, game) else self._tells(game, number, GROUPS)

    def _tells(self, game: Game, number: Typed, groups: Sequence[str], only: Manual | None = None) -> bool:
        key = number.place.file, number.place.column or ""
        first = self.first.setdefault(key, [])
        for group in sorted(groups, key=lambda group: first.index(group) if group in first else len(first)):
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


def _found(problems: Iterable[Problem], game: Game) -> Found:
    """How often each rule finds something at each place; its sentences may change with the number."""
    kept, _, _ = allowed(problems, game.rules, (), ())
    return Counter((problem.rule, problem.severity, str(problem.place)) for problem in kept)
