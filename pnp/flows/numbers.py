"""All numbers of a game that a person typed: where each stands, and how its text reads with another in its place."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from pnp.check.quantities import Span, about, changed, phrase, quantities, read_in, value_of
from pnp.check.unbound import RULE
from pnp.read.tomlnumbers import toml_numbers
from pnp.values.books import Counts
from pnp.values.game import Game
from pnp.values.problems import Place, Problem
from pnp.values.tables import Cell, Row, Table

MOST_BYTES = 1_000_000
# Columns whose numbers belong to a name.
NAMING = ("id", "name", "title")
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
        """The text with each of the others in its place."""
        start, end = self.span
        yield from (self.text[:start] + other + self.text[end:] for other in self.others)

    @property
    def problem(self) -> Problem:
        """What is told of it when nobody notices."""
        written, around = self.text[slice(*self.span)], about(self.text, self.span)
        where = f' in "{around}"' if around != written else ""
        hint = "Say in rules.toml what it must be: a claim, or a promise in [expect]."
        if self.said:
            phrase = f'"{self.said}" = {value_of(written)}'
            hint = f"Hold it in rules.toml, [words.counts]: {phrase}; or let the text take it from a table."
        message = f'"{written}"{where} could be "{self.others[0]}", and no rule would notice'
        return Problem(RULE, self.place, message, written, hint=hint, severity="warning")


def numbers_of(game: Game) -> Iterator[Typed]:
    """The numbers of tables, then of books, then of game.toml and rules.toml."""
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
    """Tells the line of a position."""
    ends = [found.start() for found in re.finditer("\n", text)]
    return lambda at: bisect_left(ends, at) + 1


def _cells(table: Table) -> Iterator[Cell]:
    """The cells that were typed, but for names of rows, references, colours and flags."""
    for column in table.columns[: len(table.titles)]:
        if column in (*NAMING, table.key) or table.taken.get(column) in ("colours", "yes or no"):
            continue
        for row in table:
            cell = row.cells[column]
            if cell.text and not isinstance(cell.value, Row | bool):
                yield cell


def _in_cell(game: Game, cell: Cell) -> Iterator[Typed]:
    text = cell.text
    if found := _WHOLE_CELL.fullmatch(text):
        value, minus = int(found[2]), found[1] if found[1] in ("-", "−") else "-"
        numbers = [(-value if found[1] in ("-", "−") else value) + by for by in (1, -1)]
        others = tuple(f"{minus if number < 0 else ''}{abs(number)}{found[3]}" for number in numbers)
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
    """The number one higher and one lower, as it is written in a sentence."""
    others = (changed(text[slice(*span)], by) for by in (1, -1))
    return tuple(other for other in others if other is not None)


def live_numbers(game: Game) -> dict[str, int]:
    """How many numbers of each book are not typed but filled in, by the book's file."""
    if not game.manuals:
        return {}
    from pnp.books.walk import runs_of
    from pnp.flows.books.edit import Reader

    reader, found = Reader.of(game), dict[str, int]()
    for manual in game.manuals:
        marked = re.sub(r"\{\{(?P<inside>.*?)\}\}", _marked, manual.text, flags=re.DOTALL)
        text = reader.text(replace(manual, text=marked), Counts())
        said = "".join(run.text for run in runs_of((*text.blocks, *text.back)))
        filled = re.findall(f"{_LIVE}([^{_LIVE}{_LIVED}]*){_LIVED}", said)
        found[manual.file] = sum(bool(re.search(r"\d", each) or [*quantities(each, game.language)]) for each in filled)
    return found


def _marked(found: re.Match[str]) -> str:
    return f"{_LIVE}{found[0]}{_LIVED}" if _FILLED.match(found[0]) else found[0]
