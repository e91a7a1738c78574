"""A value of a column that is nearly another: the looking for ``two-spellings`` where a column is a set of values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from pnp.check.called import is_word
from pnp.check.dictionary import ordinary
from pnp.check.nearness import Nearby, plural
from pnp.values.game import Game
from pnp.values.problems import Problem
from pnp.values.tables import Cell, Table

SHORTEST = 4
SEVERAL = 3
"""So many rows have the other value; two are enough where only one value of the column stands alone."""
LONGEST = 40
SHARED = 3
"""Columns of two tables that have so many values in common, and most of them, speak of the same things."""


def odd_values(game: Game) -> Iterator[Problem]:
    """Values that one row has, and that nearly are what several have; then those of two columns with the same values."""
    language = game.language.partition("-")[0]
    columns: list[tuple[Table, str, Mapping[str, list[Cell]]]] = []
    for table in dict.fromkeys([*game.tables.values(), *(component.table for component in game.components)]):
        if table.file == game.file:
            continue
        for column in table.columns:
            cells: dict[str, list[Cell]] = {}
            for row in table:
                cell = row.cells.get(column)
                if cell is not None and isinstance(cell.value, str) and SHORTEST <= len(cell.value) <= LONGEST:
                    cells.setdefault(cell.value, []).append(cell)
            if cells:
                columns.append((table, column, cells))
                yield from _odd(cells, language)
    yield from _apart(columns, language)


def _odd(cells: Mapping[str, list[Cell]], language: str) -> Iterator[Problem]:
    """The odd one out of a column."""
    alone = sum(len(found) == 1 for found in cells.values())
    often = {value: len(found) for value, found in cells.items() if len(found) >= (SEVERAL if alone > 1 else 2)}
    if not often or 2 * len(cells) > sum(map(len, cells.values())) + 1:
        return
    folded: dict[str, list[str]] = {}
    for value in often:
        folded.setdefault(_folded(value), []).append(value)
    near = Nearby(folded)
    for value, (first, *more) in cells.items():
        if more or not is_word(value):
            continue
        plain = _folded(value)
        others = (*folded.get(plain, ()), *(each for other in near.of(plain) for each in folded[other]))
        for other in others:
            if value != other and not _both_words(value, other, language):
                yield _problem(first, other, often[other])
                break


def _both_words(value: str, other: str, language: str) -> bool:
    """Whether both are words of the language, and not the same in one and in many."""
    values = (_folded(value), _folded(other))
    return values[0] != values[1] and not plural(*values) and all(ordinary(each, language) for each in values)


def _apart(columns: list[tuple[Table, str, Mapping[str, list[Cell]]]], language: str) -> Iterator[Problem]:
    """Where two columns have the same values but for one, which is nearly the other's."""
    homes: dict[str, list[int]] = {}
    for number, (_, _, cells) in enumerate(columns):
        for value in filter(is_word, cells):
            homes.setdefault(value, []).append(number)
    alike: Counter[tuple[int, int]] = Counter()
    for numbers in homes.values():
        alike.update((one, other) for one in numbers for other in numbers if one < other)
    for (one, other), shared in alike.items():
        here, there = columns[one][2], columns[other][2]
        if shared < SHARED or 2 * shared < min(len(here), len(there)):
            continue
        left = {_folded(value): value for value in there if value not in here and is_word(value)}
        near = Nearby(left)
        for value in here:
            if value in there or not is_word(value):
                continue
            plain = _folded(value)
            for match in (*([plain] if plain in left else []), *near.of(plain)):
                if _both_words(value, left[match], language):
                    continue
                pair = [
                    (len(homes[value]), here[value][0], left[match]),
                    (len(homes[left[match]]), there[left[match]][0], value),
                ]
                # Where neither is said more often, the later table's is the odd one.
                yield _problem(*min(reversed(pair), key=lambda each: each[0])[1:], 0)


def _folded(value: str) -> str:
    return "".join(letter for letter in value.casefold() if letter not in " -\u2010\u2011_'\u2019")


def _problem(cell: Cell, other: str, rows: int) -> Problem:
    elsewhere = f"{rows} rows have" if rows else "another table has"
    message = f'"{cell.text}" stands here alone, and {elsewhere} "{other}"'
    return Problem("two-spellings", cell.place, message, cell.text, other, f'Did you mean "{other}"?', "warning")
