"""What decides a face, as texts to compare: rows by what they hold, whatever else is made of data by its fields.

Where something stands in a file decides where it is blamed, not how it is drawn, and is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from pnp.system.cache import digest
from pnp.values.languages import Translated
from pnp.values.problems import Place
from pnp.values.tables import Row, Table
from pnp.values.walk import walk

# A row from which more rows than these can be reached counts as changed when any row of the game is.
MOST_REACHED = 60


class Contents:
    """What rows and values of a game hold, each row looked at once."""

    def __init__(self, tables: Iterable[Table]) -> None:
        self._tables = tuple(tables)
        self._own: dict[Row, tuple[str, list[Row]]] = {}
        self._rows: dict[Row, str] = {}
        self._all = ""

    def row(self, row: Row) -> str:
        """The same text for rows that hold the same and refer to rows that hold the same."""
        if row not in self._rows:
            text, others = self._of_one(row)
            reached = self._reached((row,), MOST_REACHED) or self._every_row() if others else ""
            self._rows[row] = f"{text}{reached}"
        return self._rows[row]

    def rows(self, rows: Iterable[Row]) -> str:
        """The same for rows in the same order of which each holds the same."""
        return self._reached(tuple(dict.fromkeys(rows)))

    def of(self, value: object) -> Any:
        """A value as JSON has it. Raises TypeError for what is not made of data."""
        if isinstance(value, Translated):
            return repr(value)
        if value is None or isinstance(value, str | int | float):
            return value
        if isinstance(value, Row):
            return {"row": self.row(value)}
        if isinstance(value, Place | Table):
            return None
        if isinstance(value, Path):
            return str(value)
        if isinstance(value, Mapping):
            return [[self.of(key), self.of(entry)] for key, entry in value.items()]
        if isinstance(value, list | tuple):
            return [self.of(entry) for entry in value]
        if is_dataclass(value):
            return [type(value).__name__, *(self.of(getattr(value, field.name)) for field in fields(value))]
        raise TypeError(f"{type(value).__name__} is not made of data")

    def _reached(self, start: tuple[Row, ...], most: int | None = None) -> str:
        """A digest of some rows and all that they refer to, and so on; empty when these are more than wanted."""
        reached = islice(walk(start, lambda row: self._of_one(row)[1]), None if most is None else most + 1)
        numbers = {row: number for number, (row, _) in enumerate(reached)}
        if most is not None and len(numbers) > most:
            return ""
        each = (self._of_one(row) for row in numbers)
        return digest(str(len(start)), *(f"{text}{[numbers[other] for other in others]}" for text, others in each))

    def _of_one(self, row: Row) -> tuple[str, list[Row]]:
        """A row without those that it refers to, and these."""
        if row not in self._own:
            cells = [(name, Row if isinstance(cell.value, Row) else cell.value) for name, cell in row.cells.items()]
            self._own[row] = repr((row.id, row.design, row.copies, cells)), row.referred()
        return self._own[row]

    def _every_row(self) -> str:
        self._all = self._all or self.rows(row for table in self._tables for row in table)
        return self._all
