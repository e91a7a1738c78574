"""What a game calls its things: names of rows, titles of components, values that many rows share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from pnp.values.game import Game
from pnp.values.problems import Place
from pnp.values.tables import Row, Table

NAMING = ("name", "title")
"""Columns that say what a row is called."""
MOST_WORDS = 6
"""A longer title is a sentence."""
# What is a key for the tables and not a word for readers: "olive-oil", "tokens/fish", "crew-blue-dark".
_KEY = re.compile(r"[a-z0-9]+(?:[-_./][a-z0-9]+)*|[^\s]*[/\\.@#][^\s]*")
_LETTERS = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Name:
    """What something is called, and where that was typed."""

    text: str
    place: Place
    row: Row | None = None
    """The row that is called so."""


def is_key(text: str) -> bool:
    """Whether a text is a key and no word for readers."""
    return _KEY.fullmatch(text) is not None


def is_word(text: str) -> bool:
    """Whether a text is words alone, and no number or sign is a part of it: A1 and B1 are two things."""
    return bool(_LETTERS.search(text)) and not any(letter.isdigit() for letter in text)


def names_of(game: Game) -> list[Name]:
    """All names of a game, as often as they are given."""
    tables = list(dict.fromkeys([*game.tables.values(), *(made.table for made in game.components)]))
    names = (*_titles(game), *(name for table in tables for name in _called(table)))
    # A component may take some rows of a table, which then are met twice.
    return list({(name.place, name.text): name for name in names if _is_name(name.text)}.values())


def keys_of(game: Game) -> set[str]:
    """The ids that tables give their rows."""
    return {row.id for table in game.tables.values() for row in table if "id" in row.cells}


def _is_name(text: str) -> bool:
    return 0 < len(_LETTERS.findall(text)) <= MOST_WORDS


def _titles(game: Game) -> Iterator[Name]:
    yield Name(game.title, game.place_of("game.name"))
    for component in game.components:
        yield Name(component.title, component.place)
    for layout in game.layouts:
        yield Name(layout.title, layout.place)


def _called(table: Table) -> Iterator[Name]:
    if PurePosixPath(table.file).suffix == ".toml":
        return  # the one row of a component without a table
    shared = [column for column in table.columns if column not in NAMING and _is_shared(table, column)]
    for row in table:
        for column in (*NAMING, *shared):
            cell = row.cells.get(column)
            if cell is None or not cell.text:
                continue
            if column in NAMING and isinstance(cell.value, str):
                yield Name(cell.value, cell.place, row)
            elif column in shared and not is_key(cell.text):
                yield Name(cell.text, cell.place)


def _is_shared(table: Table, column: str) -> bool:
    """Whether a column is a set of values: few of them, on many rows."""
    values = Counter(
        row.cells[column].text
        for row in table
        if column in row.cells and isinstance(row.cells[column].value, str | Row) and row.cells[column].text
    )
    return bool(values) and 2 * len(values) <= values.total() and all(len(value) <= 40 for value in values)
