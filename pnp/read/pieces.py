"""What reading pieces of any kind begins with: the keys that all have, and the shelf from which they are made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, Field

from pnp.read import presets
from pnp.read.fields import Count, Name, Strict, Text
from pnp.read.joined import joined
from pnp.read.project import Project
from pnp.read.tomlfile import Lines
from pnp.read.wheres import Where
from pnp.shapes import units
from pnp.values.game import Component, Paper
from pnp.values.kinds import KINDS, KindName
from pnp.values.problems import Place, Problems, listed
from pnp.values.tables import Cell, Row, Table

Tables = Annotated[
    list[Name],
    BeforeValidator(lambda value: value if isinstance(value, list) else [value], json_schema_input_type=Name | list[Name]),
    Field(min_length=1),
]
WHAT = Field(description="What the piece is.")
Size = Annotated[
    Text, Field(description="A preset such as poker, tcg, mini-euro, tarot, square-70, or a size such as 90mm x 60mm.")
]


@dataclass(frozen=True, slots=True)
class Shelf:
    """What components are read from."""

    project: Project
    folder: Path
    tables: Mapping[str, Table]
    roots: tuple[Path, ...]
    lines: Lines
    papers: tuple[Paper, ...]
    kinds: Mapping[str, KindName]
    """The kind of every component, whether it can be read or not."""
    known: dict[str, Component] = field(default_factory=dict)
    """The components read so far: what a box holds, what lies on a tracker."""

    def held(self) -> list[str]:
        """The components whose pieces lie flat in a box."""
        return [name for name, kind in self.kinds.items() if KINDS[kind].held]

    def length(self, name: str, key: str, text: str, least: float, most: float, problems: Problems) -> float:
        """A length of a component in mm, of a key or one within it (``window.inner``); a fault is told, and comes as 0."""
        what = key.rpartition(".")[2]
        try:
            value = units.length(text)
            if not least <= value <= most:
                more = "more" if value > most else "less"
                raise ValueError(f'"{text}" is {more} {what} than {units.show(most if value > most else least)} mm')
            return value
        except ValueError as error:
            problems.error(
                "bad-length",
                self.lines.place("component", name, *key.split(".")),
                str(error),
                value=text,
                allowed=f"{units.show(least)}mm to {units.show(most)}mm",
            )
            return 0.0


class PieceRules(Strict):
    """The keys of every component. A kind adds its own, and says how they are read."""

    tabled: ClassVar[bool] = False
    """Its pieces are the rows of a table; others may have one, or are one design."""

    kind: Annotated[KindName, WHAT]
    title: Text | None = Field(None, description="Its name in lists and on sheets; by default the key in words.")
    table: Tables | None = Field(
        None, description="The table whose rows are the pieces, or several; by default the component's name."
    )
    where: Where = Field(
        default_factory=dict,
        description="Only rows whose columns have these values: a value, a list of values, or in, not, min and max.",
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
        """Whether its copies are told without a table: then it is one design."""
        return False

    @classmethod
    def own_keys(cls) -> list[str]:
        """The keys that its kind adds to those of every component."""
        return [key for key in cls.model_fields if key not in PieceRules.model_fields]

    @property
    def turn(self) -> int:
        """When it is read: 1, after what lies on it; 2, after what it holds, which may be such a one; else 0."""
        return 0

    def tables(self, key: str) -> Iterator[tuple[str, str]]:
        """(key of game.toml, table) for every table that it is made from; of a faulty one for those that it still names."""
        if self._has_table:
            # What is faulty is as it was typed.
            named = [self.table] if isinstance(self.table, str) else self.table or [key]
            yield from (("table", name) for name in named)

    def rows(self, key: str, shelf: Shelf, place: Place) -> Table | None:
        """The table of the pieces: typed by a person, or made where the kind says all."""
        if self._has_table:
            return joined(key, [shelf.tables.get(name) for name in self.table or (key,)])
        used = {"id", "name"}
        title = self.title or key.replace("-", " ").capitalize()
        cells = {"id": Cell(key, key, place), "name": Cell(title, title, place)}
        return Table(key, place.file, ("id", "name"), (Row(key, self.alone, place, cells, used),), used)

    @property
    def _has_table(self) -> bool:
        return self.table is not None or (self.tabled and not self.counted)

    @property
    def alone(self) -> int:
        """How many there are of a piece without a table."""
        return 1

    def trim(self, key: str, lines: Lines, problems: Problems) -> tuple[float, float]:
        """Width and height in mm; of a kind without a size something, until its own are known."""
        return 10.0, 10.0

    def made(self, component: Component, shelf: Shelf, problems: Problems) -> Component | None:
        """The component with what its kind brings; None when what is wrong leaves nothing to draw."""
        return component


class Sized(PieceRules):
    """A piece with a size that is typed."""

    size: Size

    def measured(self) -> tuple[float, float]:
        """Width and height in mm. Raises ValueError."""
        return presets.card_size(self.size)

    @staticmethod
    def sizes() -> str:
        """What may stand as a size, in words."""
        return listed([*presets.size_names(), "a free size such as 90mm x 60mm"], 40)

    def trim(self, key: str, lines: Lines, problems: Problems) -> tuple[float, float]:
        try:
            return self.measured()
        except ValueError as error:
            place = lines.place("component", key, "size")
            problems.error("bad-size", place, str(error), value=self.size, allowed=self.sizes())
            return super().trim(key, lines, problems)


class Single(PieceRules):
    """A piece that may have a table, or is one design in so many copies."""

    copies: Count | None = Field(None, description="How many to print of a piece without a table (1).")

    @property
    def counted(self) -> bool:
        return self.copies is not None

    @property
    def alone(self) -> int:
        return 1 if self.copies is None else self.copies


def length_of_one(text: str, kind: KindName) -> float | None:
    """A size that is one length, in mm; None when it is a name or two lengths. Raises ValueError."""
    if "x" in text.replace("px", "").lower() or "×" in text or not text[:1].isdigit():
        return None
    length = units.length(text)
    if not 5 <= length <= 200:
        raise ValueError(f'"{text}" is out of bounds: a {kind} is from 5 mm to 200 mm')
    return length


def known_columns(table: Table, columns: list[str], place: Place, problems: Problems) -> bool:
    """Whether a table has all of these columns; one that it has not is told."""
    unknown = [column for column in columns if column not in (*table.columns, "id", "copies")]
    for column in unknown:
        problems.unknown(
            "unknown-column",
            place,
            f'the table "{table.name}" has no column "{column}"',
            column,
            table.columns,
        )
    return not unknown
