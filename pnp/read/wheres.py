"""``where``: which rows of a table are meant, by what their cells say."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from pnp.read.fields import Strict, Text
from pnp.values.cells import CellText, canonical, unwrapped
from pnp.values.problems import Place, Problems, closest
from pnp.values.tables import NO, YES, Row, Table


def _as_text(value: Any) -> Any:
    """A number as a table says it."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e15
    return canonical(value) if is_number else value


def _as_list(value: Any) -> Any:
    return value if isinstance(value, list) else [value]


Said = Annotated[str | bool, BeforeValidator(_as_text, json_schema_input_type=str | int | float | bool)]
Several = Annotated[list[Said], BeforeValidator(_as_list, json_schema_input_type=Said | list[Said]), Field(min_length=1)]


class Condition(Strict):
    """What a cell must say: one of some values, none of others, a number within bounds."""

    in_: Several | None = Field(None, alias="in", description="The cell says one of these.")
    not_: Several | None = Field(None, alias="not", description="The cell says none of these.")
    min: float | None = Field(None, description="The cell is a number, and at least this.")
    max: float | None = Field(None, description="The cell is a number, and at most this.")

    def holds(self, row: Row, column: str) -> bool:
        """Whether the cell says so; one that is no number is within no bounds."""
        if self.in_ is not None and not _says(row, column, self.in_):
            return False
        if self.not_ is not None and _says(row, column, self.not_):
            return False
        if self.min is None and self.max is None:
            return True
        number = number_of(row, column)
        return number is not None and (self.min is None or number >= self.min) and (self.max is None or number <= self.max)

    @property
    def values(self) -> list[str | bool]:
        """The values that it names."""
        return [*(self.in_ or ()), *(self.not_ or ())]

    @property
    def bounded(self) -> bool:
        return self.min is not None or self.max is not None


def _short(value: Any) -> Any:
    """A value, or several, is the short way of saying ``in``."""
    return value if isinstance(value, dict | Condition) else {"in": value}


Where = dict[Text, Annotated[Condition, BeforeValidator(_short, json_schema_input_type=Said | list[Said] | Condition)]]


def _says(row: Row, column: str, values: Iterable[str | bool]) -> bool:
    texts = row.sayings(column)
    return any(said_in(texts, value) for value in values)


def said_in(texts: Collection[str], value: str | bool) -> bool:
    """Whether one of the texts is the value; of yes and no whichever mark of it somebody has typed."""
    if isinstance(value, bool):
        return any(text.lower() in (YES if value else NO) for text in texts)
    return value in texts


def as_said(value: str | bool) -> str:
    """A value as a table says it."""
    return value if isinstance(value, str) else "yes" if value else "no"


def number_of(row: Row, column: str) -> int | float | None:
    value = unwrapped(row[column]) if column in row else row.copies if column == "copies" else None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def check_values(where: Mapping[str, Condition], table: Table, place: Place, problems: Problems) -> None:
    """Told: a value among several that no row has, and bounds of a column in which a text stands."""
    for column, condition in where.items():
        known = dict.fromkeys(text for row in table for text in row.sayings(column))
        for value in condition.values if condition.not_ or len(condition.values) > 1 else ():
            if not said_in(known, value):
                message = f'no row of {table.file} has {column} "{as_said(value)}"'
                problems.warn("unmatched-value", place, message, value=as_said(value), hint=closest(as_said(value), known))
        if not condition.bounded:
            continue
        words = next((row for row in table if row.said(column) and number_of(row, column) is None), None)
        if words is not None:
            cell = words[column]
            why = cell.why if isinstance(cell, CellText) else f'the column "{column}" is text'
            hint = cell.hint if isinstance(cell, CellText) else "Ask for values instead: in, not."
            problems.error("bad-value", place, f"{why}: it has no bounds", value=words.said(column), hint=hint)
