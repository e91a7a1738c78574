"""A game's own rules as values: what ``rules.toml`` says, after reading. All frozen; expressions are still text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pnp.values.problems import Place
from pnp.values.tables import Row, Value


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of the rules that the tables must make true."""

    name: str
    says: str
    """The reason in words."""
    expect: str
    """An expression over the tables that must be true."""
    each: str
    """``players in 2..8`` or ``town in rows("places")``: the claim holds for each of these; empty for once."""
    rule: str
    """Where the rule stands in the rulebook; empty when it does not say."""
    place: Place


@dataclass(frozen=True, slots=True)
class Take:
    """What the set-up takes from the box: so many copies of a component's rows, per player or once."""

    name: str
    what: str
    """In words, for the set-up table."""
    component: str
    where: Mapping[str, str]
    number: str
    """An expression; may use ``players``."""
    per: str
    """player or table."""
    place: Place


@dataclass(frozen=True, slots=True)
class Setup:
    """The player counts of a game, and what each takes."""

    players: tuple[int, ...]
    takes: tuple[Take, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Named:
    """A number that has a name: an expression."""

    name: str
    number: str
    place: Place


@dataclass(frozen=True, slots=True)
class Counting:
    """Words that say a number: a name that one stands before, or a phrase with ``#`` for each."""

    says: str
    numbers: tuple[str, ...]
    """Expressions: as many as the phrase has ``#``, one for a name."""
    place: Place


@dataclass(frozen=True, slots=True)
class Words:
    """How the game's texts are to be worded."""

    terms: tuple[str, ...]
    """Spellings that are right."""
    banned: Mapping[str, str]
    """Spellings that are wrong, with the right ones."""
    unit: str
    """What must follow every number of at least ``unit_from``; empty for nothing."""
    unit_from: int
    thousands: str
    """The one mark between thousands; empty when any will do."""
    counts: tuple[Counting, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Exchange:
    """Rows that change something into something else: what they need and give are rows that columns refer to."""

    component: str
    where: Mapping[str, str]
    needs: tuple[str, ...]
    gives: tuple[str, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Economy:
    """A closed system of exchanges."""

    exchanges: tuple[Exchange, ...]
    free: tuple[str, ...]
    """Tables whose rows anybody gets for nothing."""
    earn: tuple[str, ...]
    """Components each row of which must be earned by someone who starts with nothing but what is free."""
    place: Place


@dataclass(frozen=True, slots=True)
class Movement:
    """How pieces move on a board of squares, for its graph of steps. Kinds are those of the legend's column ``kind``."""

    board: str
    """The component."""
    diagonal: bool
    single: tuple[str, ...]
    """Kinds whose neighbouring squares are fields of one step; others are a field a square, but for currents."""
    wraps: tuple[str, ...]
    """Kinds of fields on the edge that lead to the one opposite."""
    ends: tuple[str, ...]
    """Kinds that end a move: reached, never passed."""
    starts: tuple[str, ...]
    goals: tuple[str, ...]
    exits: tuple[str, ...]
    """Kinds onto which the first step from a field that is not of these kinds may lead; empty for all."""
    tolerance: float | None
    """By how much the starts' mean distances to the goals may differ, as a share; None: not looked at."""
    goals_of: tuple[str, ...]
    """Kinds whose distances count for fairness; empty for ``goals``."""
    place: Place
    blocked: tuple[str, ...] = ()
    """Kinds that nobody enters, besides the letters whose legend row says ``blocked``."""
    occupied: tuple[str, ...] = ()
    """Kinds on which a piece may stand for long: everything must hold with them open and with them closed."""


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Tiles shuffled over the slots of a layout, within their pools."""

    layout: str
    blocked: Mapping[str, tuple[str, ...]]
    """Columns of the hexes table with the values that nobody enters."""
    start: Mapping[str, str]
    """Columns and values of the hex where movement begins."""
    turns: bool
    """Whether tiles may be turned as well."""
    place: Place


@dataclass(frozen=True, slots=True)
class Colours:
    """Colours that must be told apart: a column of a table, and the column or thing beside it that says the same."""

    table: str
    column: str
    beside: str
    place: Place


@dataclass(frozen=True, slots=True)
class Part:
    """What stands in a pattern in the place of a column: ``{deck.name:last}`` is the last word of the deck's name."""

    columns: tuple[str, ...]
    """A column, then columns of the row that it refers to."""
    word: Literal["", "first", "last"] = ""

    def of(self, row: Row) -> str:
        """What it stands for in a row: of a row that is referred to its id; nothing where a cell on the way is empty."""
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
    """What a column says, told from the other columns of its row; or that it is the same wherever another is the same."""

    table: str
    column: str
    patterns: tuple[Pattern, ...]
    """It is as one of these."""
    by: str
    """A column whose equal values have one value here; empty where there are patterns."""
    place: Place


@dataclass(frozen=True, slots=True)
class Pile:
    """Components that are shuffled together, so that nothing but the front may tell their pieces apart."""

    name: str
    components: tuple[str, ...]
    by: str
    """A column: only rows that say the same in it are one pile; empty for all."""
    sleeved: bool
    place: Place


@dataclass(frozen=True, slots=True)
class Fit:
    """Sizes that belong together: pieces that lie in something, or are as large as something. Lengths in mm."""

    name: str
    what: tuple[str, ...]
    within: str | tuple[float, float]
    """A component, in whose cells, spaces or hexes they lie, or itself; or a width and a height."""
    like: str
    """The component that they are as large as; empty where they lie in something."""
    kinds: tuple[str, ...]
    """Of a board with a map: in the fields of these kinds; empty for its single cells."""
    number: int
    """So many lie in one place, side by side."""
    room: float
    """So much must be spare."""
    most: float | None
    """No more than so much may be spare; None: any."""
    place: Place


@dataclass(frozen=True, slots=True)
class Allow:
    """One finding that is meant, with the reason."""

    rule: str
    about: str
    """A part of the finding's place or message."""
    because: str
    place: Place


@dataclass(frozen=True, slots=True)
class Rules:
    """The whole of a ``rules.toml``; of a game without one all is empty."""

    numbers: tuple[Named, ...] = ()
    claims: tuple[Claim, ...] = ()
    setup: Setup | None = None
    words: Words | None = None
    economy: Economy | None = None
    movements: tuple[Movement, ...] = ()
    shuffles: tuple[Shuffle, ...] = ()
    colours: tuple[Colours, ...] = ()
    agreements: tuple[Agreement, ...] = ()
    piles: tuple[Pile, ...] = ()
    fits: tuple[Fit, ...] = ()
    allowed: tuple[Allow, ...] = ()
