"""Reads what pieces of all kinds have in common: their keys, rows, sizes and copies."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field

from pnp.dataclass import dataclass
from pnp.read import presets
from pnp.read.project import Project
from pnp.read.tomlfile import Lines
from pnp.shapes import units
from pnp.values.fields import Count, Name, Strict, Text
from pnp.values.game import KINDS, Component, KindName, Look, Paper
from pnp.values.problems import Place, Problems, closest, listed
from pnp.values.tables import NO, YES, Cell, CellText, Number, Row, Table, canonical, unwrapped


def _as_text(value: Any) -> Any:
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e15
    return canonical(value) if is_number else value


def _as_list(value: Any) -> Any:
    return value if isinstance(value, list) else [value]


Said = Annotated[str | bool, BeforeValidator(_as_text, json_schema_input_type=str | int | float | bool)]
Several = Annotated[list[Said], BeforeValidator(_as_list, json_schema_input_type=Said | list[Said]), Field(min_length=1)]


class Condition(Strict):
    """A condition on a cell: one of some values, none of some, a number within bounds."""

    in_: Several | None = Field(None, alias="in", description="The cell says one of these.")
    not_: Several | None = Field(None, alias="not", description="The cell says none of these.")
    min: float | None = Field(None, description="The cell is a number, and at least this.")
    max: float | None = Field(None, description="The cell is a number, and at most this.")

    def holds(self, row: Row, column: str) -> bool:
        """Whether the cell fulfils it; a text is within no bounds."""
        texts = row.aliases(column) if self.in_ or self.not_ else ()
        if self.in_ and not any(said_in(texts, value) for value in self.in_):
            return False
        if self.not_ and any(said_in(texts, value) for value in self.not_):
            return False
        if not self.bounded:
            return True
        number = number_of(row, column)
        return number is not None and (self.min is None or number >= self.min) and (self.max is None or number <= self.max)

    @property
    def bounded(self) -> bool:
        return self.min is not None or self.max is not None


def _short(value: Any) -> Any:
    """A value, or a list, is short for ``in``."""
    return value if isinstance(value, dict | Condition) else {"in": value}


Where = dict[Text, Annotated[Condition, BeforeValidator(_short, json_schema_input_type=Said | list[Said] | Condition)]]


def said_in(texts: Collection[str], value: str | bool) -> bool:
    """Whether one of the texts equals the value; yes and no in any spelling."""
    if isinstance(value, bool):
        return any(text.lower() in (YES if value else NO) for text in texts)
    return value in texts


def as_said(value: str | bool) -> str:
    """A value as typed in a table."""
    return value if isinstance(value, str) else "yes" if value else "no"


def number_of(row: Row, column: str) -> int | float | None:
    value = unwrapped(row[column]) if column in row else row.copies if column == "copies" else None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def check_values(where: Mapping[str, Condition], table: Table, place: Place, problems: Problems) -> None:
    """Reports values that no row has, and bounds for a column with a text."""
    for column, condition in where.items():
        known = dict.fromkeys(text for row in table for text in row.aliases(column))
        named = [*(condition.in_ or ()), *(condition.not_ or ())]
        for value in named if condition.not_ or len(named) > 1 else ():
            if not said_in(known, value):
                message = f'no row of {table.file} has {column} "{as_said(value)}"'
                problems.warn("unmatched-value", place, message, value=as_said(value), hint=closest(as_said(value), known))
        if not condition.bounded:
            continue
        words = next((row for row in table if row.text(column) and number_of(row, column) is None), None)
        if words is not None:
            cell = words[column]
            why = cell.why if isinstance(cell, CellText) else f'the column "{column}" is text'
            hint = cell.hint if isinstance(cell, CellText) else "Ask for values instead: in, not."
            problems.error("bad-value", place, f"{why}: it has no bounds", value=words.text(column), hint=hint)


def joined(name: str, tables: Sequence[Table | None]) -> Table | None:
    """Joins tables; None where one could not be read. Equal rows of two tables are two pieces."""
    there = [table for table in tables if table is not None]
    if len(there) < len(tables):
        return None
    if len(there) == 1:
        return there[0]
    columns = tuple(dict.fromkeys(column for table in there for column in table.columns))
    rows: list[Row] = []
    seen: set[str] = set()
    for table in there:
        lacking = [column for column in columns if column not in table.columns]
        for row in table:
            key = row.id
            while key.casefold() in seen:
                key = f"{key}-{table.name}"
            seen.add(key.casefold())
            if lacking or key != row.id:
                missing = {column: _missing(column, table, row) for column in lacking}
                row = replace(row, id=key, cells={**row.cells, **missing}, design=row.id if key != row.id else "")
            rows.append(row)
    first = there[0]
    return replace(
        first,
        name=name,
        columns=columns,
        rows=tuple(rows),
        used=set(),
        whole=all(table.whole for table in there),
        parts=tuple(there),
    )


def _missing(column: str, table: Table, row: Row) -> Cell:
    place = replace(row.place, column=column)
    if column in table.taken:
        return Cell("", "", place)
    why = f'the table {table.file} has no column "{column}"'
    return Cell(CellText("", why, "Add it there, or ask first whether the cell says something."), "", place)


def check_joined(table: Table, place: Place, problems: Problems) -> None:
    """Reports columns that only some tables have, except ids and copies."""
    spared = {column for part in table.parts for column in ("id", part.key, part.counted)}
    for part in table.parts:
        if lacking := [column for column in table.columns if column not in (*part.columns, *spared)]:
            message = f"it has no column {listed(lacking)}, as others of {place} have: the cells are empty"
            hint = "Add what the pieces show to all tables, or ask first: {% if row." + lacking[0] + " %}."
            problems.warn("columns-of-one-table", part.place(1), message, value=lacking[0], hint=hint)


def numbered(table: Table, place: Place, problems: Problems) -> Table:
    """Makes each copy a row of its own: ``row.copy`` of ``row.copies``."""
    rows: list[Row] = []
    ids = {row.id.casefold() for row in table}
    for row in table:
        for number in range(1, row.copies + 1):
            key = f"{row.id}-{number:0{max(2, len(str(row.copies)))}}"
            if key.casefold() in ids:
                message = f'copy {number} of "{row.id}" is called "{key}", and so is a row of the table ({place})'
                hint = "Give one of the two another id."
                problems.error("double-id", row.place_of("id"), message, value=key, allowed="an id once", hint=hint)
            counted = {"copy": number, "copies": row.copies}
            cells = {name: Cell(Number(str(count), count), str(count), row.place) for name, count in counted.items()}
            rows.append(replace(row, id=key, copies=1, cells={**row.cells, **cells}, design=row.design or row.id))
    return replace(table, rows=tuple(rows))


Tables = Annotated[list[Name], BeforeValidator(_as_list, json_schema_input_type=Name | list[Name]), Field(min_length=1)]
WHAT = Field(description="What the piece is.")
Size = Annotated[
    Text, Field(description="A preset such as poker, tcg, mini-euro, tarot, square-70, or a size such as 90mm x 60mm.")
]


@dataclass(frozen=True, slots=True)
class Shelf:
    """Everything that components are read with: the game's tables, templates and papers, and the components read so far."""

    project: Project
    folder: Path
    tables: Mapping[str, Table]
    roots: tuple[Path, ...]
    lines: Lines
    papers: tuple[Paper, ...]
    kinds: Mapping[str, KindName]
    """The kind of every component, whether it can be read or not."""
    problems: Problems
    style: Look = "plain"
    known: dict[str, Component] = field(default_factory=dict)
    """The components read so far: what a box holds, what lies on a tracker."""

    def at(self, name: str, *keys: str) -> Place:
        """The place of a key of a component."""
        return self.lines.place("component", name, *keys)

    def held(self) -> list[str]:
        """The components whose pieces lie flat in a box."""
        return [name for name, kind in self.kinds.items() if KINDS[kind].held]

    def length(self, name: str, key: str, text: str, least: float, most: float) -> float:
        """A length of a component in mm, of a key or subkey (``window.inner``); 0, with a Problem, for a fault."""
        what = key.rpartition(".")[2]
        try:
            value = units.length(text)
            if not least <= value <= most:
                more = "more" if value > most else "less"
                raise ValueError(f'"{text}" is {more} {what} than {units.show(most if value > most else least)} mm')
            return value
        except ValueError as error:
            place = self.at(name, *key.split("."))
            allowed = f"{units.show(least)}mm to {units.show(most)}mm"
            self.problems.error("bad-length", place, str(error), value=text, allowed=allowed)
            return 0.0


class PieceRules(Strict):
    """The keys of every component. A kind adds its own, and says how they are read."""

    tabled: ClassVar[bool] = False
    """Its pieces are the rows of a table; others may have one, or are one design."""
    roles: ClassVar[tuple[str, ...]] = ()
    """Its keys that name other tables."""
    turn: ClassVar[int] = 0
    """When it is read: 1, after what lies on it; 2, after what it holds; else 0."""

    kind: Annotated[KindName, WHAT]
    title: Text | None = Field(None, description="Its name in lists and on sheets; by default the key in words.")
    table: Tables | None = Field(
        None, description="The table whose rows are the pieces, or several; by default the component's name."
    )
    where: Where = Field(
        default_factory=dict,
        description='Only rows whose columns have these values: { type = "Unit" }, a list of values, or in, not, min, max.',
    )
    numbered: bool = Field(
        False, description="Each copy is a piece of its own, and its template knows which: row.copy of row.copies."
    )
    template: Text | None = Field(
        None, description="Template of the front (templates/GAME/NAME.svg.j2); by default the component's name."
    )
    back: Text | None = Field(
        None, description="Template of the back; without it the piece has no back. It may use the row, for a back a row."
    )
    instead: Name | None = Field(
        None, description="The component that these pieces are another form of: one prints one of the two."
    )
    upright: bool = Field(False, description="Never turned on a sheet that it shares with others.")
    backs: Literal["gutterfold"] | None = Field(
        None, description="gutterfold: always printed on one side, folded and glued, whatever the build says."
    )
    bleed: Text = Field("3mm", description="How far the drawing goes on beyond the cut.")
    paper: Text = Field("card, 200-300 g/m²", description="The paper to print on, in words, for the print plan.")
    weight: Annotated[int, Field(ge=40, le=800)] = Field(
        250, description="Weight of that paper in g/m²: decides how thick a stack in a box is."
    )

    @property
    def counted(self) -> bool:
        """Whether its copies are given without a table: then it is one design."""
        return getattr(self, "copies", None) is not None

    @classmethod
    def own_keys(cls) -> list[str]:
        """The keys of its kind alone."""
        return [key for key in cls.model_fields if key not in PieceRules.model_fields]

    def tables(self, key: str) -> Iterator[tuple[str, str]]:
        """(key of game.toml, table) for each of its tables; for faulty ones, those that they name."""
        yield from ((role, name) for role in self.roles if (name := getattr(self, role)) is not None)
        if self._has_table:
            # What is faulty is as it was typed.
            named = [self.table] if isinstance(self.table, str) else self.table or [key]
            yield from (("table", name) for name in named)

    def rows(self, key: str, shelf: Shelf, place: Place) -> Table | None:
        """The table of the pieces: a file's, or generated where the kind defines all."""
        if self._has_table:
            return joined(key, [shelf.tables.get(name) for name in self.table or (key,)])
        used = {"id", "name"}
        title = self.title or key.replace("-", " ").capitalize()
        cells = {"id": Cell(key, key, place), "name": Cell(title, title, place)}
        copies = getattr(self, "copies", None)
        return Table(key, place.file, ("id", "name"), (Row(key, 1 if copies is None else copies, place, cells, used),), used)

    @property
    def _has_table(self) -> bool:
        return self.table is not None or (self.tabled and not self.counted)

    def trim(self, key: str, shelf: Shelf) -> tuple[float, float]:
        """Width and height in mm; a placeholder for kinds sized later."""
        return 10.0, 10.0

    def made(self, component: Component, shelf: Shelf) -> Component | None:
        """The component completed by its kind; None when nothing can be drawn."""
        return component


# A small piece that is larger, in centimetres or inches, was most likely meant in millimetres.
LARGE = 100.0
# Nobody holds a card that is smaller: its millimetres were most likely centimetres.
SMALL = 15.0
_COARSE = re.compile(r"(\d)\s*(?:cm|in|\")", re.IGNORECASE)


class Sized(PieceRules):
    """A piece with a size that is typed."""

    sizes: ClassVar[str] = "a size such as 90mm x 60mm, or a name such as tcg, poker, tarot"
    """The allowed sizes in words."""
    size: Size

    def measured(self) -> tuple[float, float]:
        """Width and height in mm. Raises ValueError."""
        return presets.card_size(self.size)

    def trim(self, key: str, shelf: Shelf) -> tuple[float, float]:
        place = shelf.at(key, "size")
        try:
            width, height = self.measured()
            if KINDS[self.kind].care != "usual" and max(width, height) >= LARGE and _COARSE.search(self.size):
                message = f"a {self.kind} of {units.show(width)} × {units.show(height)} mm is very large"
                meant = _COARSE.sub(r"\1mm", self.size)
                shelf.problems.warn("large-piece", place, message, value=self.size, hint=f'Is "{meant}" meant?')
            if self.kind == "card" and max(width, height) < SMALL:
                message = f"a card of {units.show(width)} × {units.show(height)} mm is very small"
                meant = f"{units.show(10 * width)}mm x {units.show(10 * height)}mm"
                shelf.problems.warn("small-card", place, message, value=self.size, hint=f'Is "{meant}" meant?')
            return width, height
        except ValueError as error:
            # Of a name the error says which there are, or which one is meant.
            allowed = self.sizes if self.size[:1].isdigit() else ""
            shelf.problems.error("bad-size", place, str(error), value=self.size, allowed=allowed)
            return super().trim(key, shelf)


class Single(PieceRules):
    """A piece that may have a table, or is one design in so many copies."""

    copies: Count | None = Field(None, description="How many to print of a piece without a table (1).")


def length_of_one(text: str, kind: KindName) -> float | None:
    """A size of one length, in mm; None for a name or two lengths. Raises ValueError."""
    if "x" in text.replace("px", "").lower() or "×" in text or not text[:1].isdigit():
        return None
    length = units.length(text)
    if not 5 <= length <= 200:
        raise ValueError(f'"{text}" is out of bounds: a {kind} is from 5 mm to 200 mm')
    return length


def known_columns(table: Table, columns: list[str], place: Place, problems: Problems) -> bool:
    """Whether a table has all of these columns; reports missing ones."""
    unknown = [column for column in columns if column not in (*table.columns, "id", "copies")]
    for column in unknown:
        message = f'the table "{table.name}" has no column "{column}"'
        problems.unknown("unknown-column", place, message, column, table.columns)
    return not unknown
