"""Defines a game's own rules: what ``rules.toml`` says, by section. Expressions are still text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from pnp.dataclass import dataclass
from pnp.values.problems import Place
from pnp.values.tables import Row, Value

if TYPE_CHECKING:  # what models its sections takes time to import, and most games have no rules.toml
    from pnp.values.sections import Allow, Claim, Colours, Economy, Exchange, Fit, Movement, Pile, Setup, Shuffle, Words


@dataclass(frozen=True, slots=True)
class Named:
    """A named expression for a number."""

    name: str
    number: str
    place: Place


@dataclass(frozen=True, slots=True)
class Part:
    """A placeholder in a pattern: ``{deck.name:last}`` is the last word of the deck's name."""

    columns: tuple[str, ...]
    """A column, then columns of the row that it refers to."""
    word: Literal["", "first", "last"] = ""

    def of(self, row: Row) -> str:
        """Its text for a row: a referred row's id; empty where a cell on the way is."""
        *way, last = self.columns
        here: Value = row
        for column in way:
            cell = here.cells.get(column) if isinstance(here, Row) else None
            here = cell.value if cell else None
        if not isinstance(here, Row):
            return ""
        cell = here.cells.get(last)
        # As it was typed: of a colour its name.
        said = cell.value.id if cell and isinstance(cell.value, Row) else cell.text if cell else ""
        said = said if cell or last not in ("id", "copies") else here.text_of(last)
        words = re.findall(r"[^\s_-]+", said) if self.word else [said]
        return words[-1 if self.word == "last" else 0] if words else ""


Pattern = tuple[str | Part | None, ...]
"""A text of texts, columns, and None for anything at all."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """A rule for a column: derived from other columns of its row, or equal wherever another is equal."""

    table: str
    column: str
    patterns: tuple[Pattern, ...]
    """It is as one of these."""
    by: str
    """A column whose equal values have one value here; empty where there are patterns."""
    place: Place


@dataclass(frozen=True, slots=True)
class Rules:
    """The whole of a ``rules.toml``; empty for a game without one."""

    numbers: tuple[Named, ...] = ()
    claims: tuple[Claim, ...] = ()
    setup: Setup | None = None
    words: Words | None = None
    economy: Economy | None = None
    exchanges: tuple[Exchange, ...] = ()
    movements: tuple[Movement, ...] = ()
    shuffles: tuple[Shuffle, ...] = ()
    colours: tuple[Colours, ...] = ()
    agreements: tuple[Agreement, ...] = ()
    piles: tuple[Pile, ...] = ()
    fits: tuple[Fit, ...] = ()
    allowed: tuple[Allow, ...] = ()
