"""All numbers of a game that a person typed: where each stands, and how its text reads with another in its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from pnp.check.quantities import Span, about, changed, phrase, quantities, read_in
from pnp.check.unbound import RULE
from pnp.read.tomlnumbers import toml_numbers
from pnp.values.books import Counts
from pnp.values.cells import canonical
from pnp.values.game import Game
from pnp.values.problems import Place, Problem
from pnp.values.tables import Cell, Row, Table

MOST_BYTES = 1_000_000
_WHOLE_CELL = re.compile(r"([+−-]?)(\d{1,15})((?:[.,]\d{1,12})?)", re.ASCII)
_LISTED = re.compile(r"[-−]?\d+")
_LETTER = re.compile(r"[^\W\d_]")
# What books fill in that is no text: pictures, tables and page numbers are made anew each time.
_FILLED = re.compile(
    r"\{\{-?\s*(?!(?:face|faces|board|layout|folded|anatomy|picture|component_table|setup_table|imprint|page)\()"
)
_LIVE, _LIVED = "\ue002", "\ue003"


@dataclass(frozen=True, slots=True)
class Typed:
    """A number as somebody typed it."""

    source: Literal["cell", "book", "file"]
    place: Place
    others: tuple[str, ...]
    """The text of its cell, book or file with one more in its place, and with one less; without what nobody writes."""
    problem: Problem
    """What is told of it when nobody notices."""
    loose: bool = False
    """It may be a bound, which is wrong one way only."""


def numbers_of(game: Game) -> Iterator[Typed]:
    """The numbers of tables, then of books, then of game.toml and rules.toml."""
    seen: set[Place] = set()
    for table in game.tables.values():
        for cell in _cells(table):
            if cell.place not in seen:
                seen.add(cell.place)
                yield from _in_cell(game, cell)
    for manual in {manual.file: manual for manual in game.manuals}.values():
        text = read_in(manual.text)
        for span in quantities(text, game.language):
            place = Place(manual.file, manual.text.count("\n", 0, span[0]) + 1)
            yield _typed("book", place, manual.text, span, _in_prose(text, span), phrase(text, span))
    for name in ("game.toml", "rules.toml"):
        yield from _in_toml(game, name)


def _cells(table: Table) -> Iterator[Cell]:
    """The cells that were typed, but for names of rows, references, colours and flags."""
    for column in table.columns[: len(table.titles)]:
        if column in ("id", table.key):
            continue
        for row in table:
            cell = row.cells[column]
            if (
                cell.text
                and not isinstance(cell.value, Row | bool)
                and table.taken.get(column) not in ("colours", "yes or no")
            ):
                yield cell


def _in_cell(game: Game, cell: Cell) -> Iterator[Typed]:
    text = cell.text
    if found := _WHOLE_CELL.fullmatch(text):
        sign, digits, fraction = found.groups()
        value = -int(digits) if sign in ("-", "−") else int(digits)
        others = [
            f"{'−' if sign == '−' and n < 0 else '-' if n < 0 else ''}{abs(n)}{fraction}" for n in (value + 1, value - 1)
        ]
        yield _typed("cell", cell.place, text, (0, len(text)), tuple(others))
    elif not _LETTER.search(text):
        for found in _LISTED.finditer(text):
            others = [canonical(int(found[0].replace("−", "-")) + by) for by in (1, -1)]
            yield _typed("cell", cell.place, text, found.span(), tuple(others))
    else:
        read = read_in(text)
        for span in quantities(read, game.language):
            yield _typed("cell", cell.place, text, span, _in_prose(text, span), phrase(read, span))


def _in_toml(game: Game, name: str) -> Iterator[Typed]:
    path = game.folder / name
    try:
        text = path.read_bytes().decode("utf-8-sig") if path.stat().st_size <= MOST_BYTES else ""
    except (OSError, UnicodeDecodeError):
        return  # there is no rules.toml; whatever else is wrong is told where it is read
    numbers, file = toml_numbers(text), f"{game.file.rpartition('/')[0]}/{name}"

    def place(path: tuple[str, ...], at: int) -> Place:
        return Place(file, text.count("\n", 0, at) + 1, ".".join(path))

    for value, span in numbers.promises:
        written = int(text[span[0] : span[1]])
        others = tuple(str(other) for other in (written + 1, written - 1) if other >= 0)
        yield replace(_typed("file", place(value.path, span[0]), text, span, others), loose=True)
    for value in numbers.shown:
        inside = re.sub(r"\\.", "  ", text[value.start : value.end], flags=re.DOTALL)
        read = " " * value.start + read_in(inside)
        for span in quantities(read, game.language):
            yield _typed("file", place(value.path, span[0]), text, span, _in_prose(text, span), phrase(read, span))


def _in_prose(text: str, span: Span) -> tuple[str, ...]:
    """The number one higher and one lower, as it is written in a sentence."""
    others = (changed(text[span[0] : span[1]], by) for by in (1, -1))
    return tuple(other for other in others if other is not None)


def _typed(
    source: Literal["cell", "book", "file"], place: Place, text: str, span: Span, others: tuple[str, ...], said: str = ""
) -> Typed:
    start, end = span
    written, around = text[start:end], about(text, span)
    where = f' in "{around}"' if around != written else ""
    hint = "Say in rules.toml what it must be: a claim, or a promise in [expect]."
    if said and (number := _value(written)) is not None:
        hint = f'Hold it in rules.toml, [words.counts]: "{said}" = {number}; or let the text take it from a table.'
    problem = Problem(
        RULE,
        place,
        f'"{written}"{where} could be "{others[0] if others else ""}", and no rule would notice',
        written,
        hint=hint,
    )
    changes = tuple(text[:start] + other + text[end:] for other in others)
    return Typed(source, place, changes, replace(problem, severity="warning"))


def _value(written: str) -> str | None:
    from pnp.check.counted import NUMERALS

    return str(NUMERALS.get(written.lower(), re.sub(r"[^\d.]|\.(?=\d{3}\b)", "", written)))


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
