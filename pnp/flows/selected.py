"""Resolves a selection against the game: which pieces, books and sheets it names, and how many copies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

from pnp.dataclass import dataclass
from pnp.lay.sheet import AnySheet, PosterSheet, Run, Sheet, ShownSheet, sides
from pnp.read.game import MOST_PIECES
from pnp.values.faces import Deck, Page, Piece
from pnp.values.game import Component, Game
from pnp.values.outcome import NoSuchPart, Ranges, Selection
from pnp.values.problems import closest, listed
from pnp.values.tables import Row
from pnp.values.walk import grouped

Copies = Mapping[str, Mapping[str, int]]
"""How many copies of each piece are printed, by component and id."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The pieces and books of a selection."""

    copies: Copies
    books: frozenset[str]


def chosen(game: Game, selection: Selection) -> Chosen:
    """The pieces and books to print, before changes and sheets are considered. Raises NoSuchPart."""
    if selection.copies is not None:
        return Chosen(_bounded(_listed(game, selection.copies)), frozenset())
    books = {manual.name for manual in game.manuals}
    wanted = {component.name: {row.id: row.copies for row in component.table} for component in game.components}
    if selection.only:
        named = {each for text in selection.only for each in _named(game, text)}
        books &= {each for each in named if isinstance(each, str)}
        # In the table's order, whatever order they were typed in.
        wanted = {
            name: {id: count for id, count in own.items() if (name, id) in named}
            for name, own in wanted.items()
            if any((name, id) in named for id in own)
        }
        if not books and not any(count for own in wanted.values() for count in own.values()):
            quoted = listed(f'"{text}"' for text in selection.only)
            raise NoSuchPart(
                f"there is nothing to print of {quoted}: there are 0 copies",
                hint="Give them copies in their table.",
            )
    if selection.changed:
        books = set()
    times = selection.times
    copies = {name: {id: count * times for id, count in own.items()} for name, own in wanted.items()}
    return Chosen(_bounded(copies), frozenset(books))


def _bounded(copies: Copies) -> Copies:
    total = sum(count for own in copies.values() for count in own.values())
    if total > MOST_PIECES:
        raise NoSuchPart(f"that would be {total} pieces, and at most {MOST_PIECES} are printed", hint="Print them in parts.")
    return copies


def _listed(game: Game, copies: Sequence[tuple[str, int]]) -> Copies:
    components = {component.name: {row.id for row in component.table} for component in game.components}
    found = of_names(copies)
    for name, own in found.items():
        if missing := [piece for piece in own if piece not in components.get(name, ())]:
            raise NoSuchPart(f'there is no piece "{name}/{missing[0]}" in {game.title} any more')
    return found


def _named(game: Game, text: str) -> Iterator[str | tuple[str, str]]:
    """Names of books, and components with the ids of their pieces."""
    components = {component.name: component for component in game.components}
    books = [manual.name for manual in game.manuals]
    name, colon, ids = (part.strip() for part in text.partition(":"))
    if colon:
        if name not in components:
            raise no_such("component", name, components)
        if not ids:
            raise NoSuchPart(f'"{text}" names no piece of {name}', hint=f"Known: {listed(_ids(components[name]))}.")
        yield from ((name, row.id) for row in _rows(components[name], ids))
        return
    for each in [text.strip()] if text.strip() in {*components, *books} else map(str.strip, text.split(",")):
        if each in components:
            yield from ((each, row.id) for row in components[each].table)
        elif each in books:
            yield each
        else:
            raise no_such("component or book", each, [*components, *books])


def _rows(component: Component, text: str) -> list[Row]:
    rows = list(component.table)
    found: list[Row] = []
    for wanted in [text] if text in _ids(component) else map(str.strip, text.split(",")):
        column, equals, value = (part.strip() for part in wanted.partition("="))
        own = [row for row in rows if wanted and wanted in (row.id, row.design)]
        if not own and equals:
            if column not in component.table.columns:
                raise no_such(f"column of {component.name}", column, component.table.columns)
            said = {row.display(column): None for row in rows}
            own = [row for row in rows if row.display(column).casefold() == value.casefold()]
            if not own:
                raise no_such(f"piece of {component.name} whose {column} is", value, said)
        if not own:
            raise no_such(f"piece of {component.name} with the id", wanted, _ids(component))
        found += own
    return found


def _ids(component: Component) -> list[str]:
    return list(dict.fromkeys(name for row in component.table for name in (row.design, row.id) if name))


def no_such(what: str, name: str, known: Sequence[str] | Mapping[str, object]) -> NoSuchPart:
    return NoSuchPart(f'there is no {what} "{name}"', hint=closest(name, known) or f"Known: {listed(known)}.")


def decks_of(decks: Sequence[Deck], copies: Copies) -> list[Deck]:
    """The decks with these copies of each piece, without pieces that are not printed."""
    return _counted(decks, lambda piece: copies.get(piece.component, {}).get(piece.id, 0))


def _counted(decks: Sequence[Deck], count: Callable[[Piece], int]) -> list[Deck]:
    found = []
    for deck in decks:
        counted = ((piece, count(piece)) for piece in deck.pieces)
        if pieces := tuple(replace(piece, copies=copies) for piece, copies in counted if copies):
            found.append(replace(deck, pieces=pieces))
    return found


def of_names(copies: Sequence[tuple[str, int]]) -> Copies:
    """Copies by ``component/id``, as copies by component and id."""
    found: dict[str, dict[str, int]] = {}
    for name, count in copies:
        component, _, piece = name.partition("/")
        found.setdefault(component, {})[piece] = count
    return found


def sheets_in(made: Sequence[AnySheet], ranges: Ranges, file: str) -> list[int]:
    """The chosen sheets of a file, numbered from 1. Raises NoSuchPart."""
    last = max((end for _, end in ranges), default=0)
    if last > len(made):
        many = f"{len(made)} sheets" if len(made) != 1 else "1 sheet"
        raise NoSuchPart(
            f"there is no sheet {last}: {file} has {many}", hint=f"Allowed: --sheets 1-{len(made)}." if made else ""
        )
    return sorted({number for first, end in ranges for number in range(first, end + 1)})


def of_their_own(made: Sequence[AnySheet]) -> list[AnySheet]:
    """Sheets in runs of their own, so that what is told of a run holds for these sheets."""
    runs = {
        run: run if any(isinstance(sheet, ShownSheet) for sheet in own) else Run(tuple(decks_on(run.decks, own)))
        for run, own in grouped((sheet.run, sheet) for sheet in made).items()
    }
    return [replace(sheet, run=runs[sheet.run]) for sheet in made]


def decks_on(decks: Sequence[Deck], made: Sequence[AnySheet]) -> list[Deck]:
    """The decks with the copies that are cut from some sheets; a board counts as one, however little of it."""
    there: Counter[tuple[str, str, int]] = Counter()
    for sheet in made:
        if isinstance(sheet, Sheet):
            there.update((piece.component, piece.id, piece.part) for piece in sheet.pieces)
        elif isinstance(sheet, PosterSheet):
            there[sheet.piece.component, sheet.piece.id, sheet.piece.part] = 1
    return _counted(decks, lambda piece: there[piece.component, piece.id, piece.part])


def pages_among(pages: Sequence[Page], made: Sequence[AnySheet], numbers: Sequence[int]) -> list[Page]:
    """The sides of the chosen sheets; ``pages`` are the sides of all sheets ``made``."""
    ends = [0, *accumulate(map(sides, made))]
    return [page for number in numbers for page in pages[ends[number - 1] : ends[number]]]
