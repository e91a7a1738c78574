"""A deck of another tool as pnp understands it: a table, and what is drawn of each of its rows, in mm of the trimmed card.

Every importer makes these values and nothing else; one writer makes a game of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from pnp.values.problems import Place, Problem, Problems

Align = Literal["left", "center", "right", "justify"]
Valign = Literal["top", "middle", "bottom"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the deck's table, by its name in the source."""

    name: str


Value = tuple[str | Column, ...]
"""What is put together from words and cells: ``("Costs ", Column("Price"))``."""


@dataclass(slots=True)
class Table:
    """Rows as the source has them, and what was worked out of them."""

    columns: list[str] = field(default_factory=list)
    rows: list[dict[str, str]] = field(default_factory=list)
    copies: str = ""
    """The column with the number of copies."""
    made: set[str] = field(default_factory=set)
    """Columns that the source has not: worked out of others, or of what a script says."""
    marked_up: set[str] = field(default_factory=set)
    """Columns whose texts are Markdown already; in others every character means itself."""
    origins: dict[str, str] = field(default_factory=dict)
    """Columns that were worked out of a single other one → that one."""

    def column(self, name: str) -> Column | None:
        """The column that a source calls so; tables are read with their columns' names folded."""
        wanted = _folded(name)
        return next((Column(known) for known in self.columns if _folded(known) == wanted), None)

    def add(self, wished: str, texts: list[str], of: Value = ()) -> Column:
        """A new column with a text for each row; the name is the wished one, or one like it that is free.

        ``of`` is what the texts were worked out of. What was worked out of it already is there once.
        """
        named = {part.name for part in of if isinstance(part, Column)}
        origin = named.pop() if len(named) == 1 else ""
        for made, source in self.origins.items():
            if source == origin and self.texts((Column(made),)) == texts:
                return Column(made)
        known = {name.casefold() for name in self.columns}
        name = next(name for name in _names(wished or "value") if name.casefold() not in known)
        self.columns.append(name)
        self.made.add(name)
        if origin:
            self.origins[name] = origin
        for row, text in zip(self.rows, texts, strict=True):
            row[name] = text
        return Column(name)

    def texts(self, value: Value) -> list[str]:
        """What a value comes to in each row."""
        return ["".join(part if isinstance(part, str) else row.get(part.name, "") for part in value) for row in self.rows]

    def derived(self, value: Value, worked_out: Callable[[str], str], name: str) -> Value:
        """A value that is worked out from another one: what comes from a column is in a column again."""
        if not any(isinstance(part, Column) for part in value):
            return (worked_out("".join(map(str, value))),)
        before = self.texts(value)
        texts = [worked_out(text) for text in before]
        return value if texts == before else (self.add(name, texts, value),)


def _folded(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum()) or name


def _names(wished: str) -> Iterator[str]:
    yield wished
    number = 2
    while True:
        yield f"{wished} {number}"
        number += 1


@dataclass(frozen=True, slots=True)
class Box:
    """Where something stands, in mm from the upper left corner of the trimmed card."""

    x: float
    y: float
    width: float
    height: float

    def moved(self, by: float) -> Box:
        return Box(self.x - by, self.y - by, self.width, self.height)


@dataclass(frozen=True, slots=True)
class Font:
    """Letters as the source asks for them; the size in pt."""

    family: str = ""
    size: float = 10
    bold: bool = False
    italic: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """Words in a box; they are set smaller where they do not fit."""

    box: Box
    content: Value
    font: Font = Font()
    fill: Value = ("#000000",)
    align: Align = "left"
    valign: Valign = "top"
    name: str = ""
    angle: float = 0
    """Degrees clockwise, about the box's middle."""
    only: str = ""
    """A column: drawn of the rows alone in which it has a text."""
    least: float = 4
    """How small it may be set where it does not fit, in pt."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A rectangle, an ellipse, or a line from one corner of its box to the other one."""

    box: Box
    kind: Literal["rect", "ellipse", "line"] = "rect"
    fill: Value = ("none",)
    line: Value = ("none",)
    width: float = 0
    radius: float = 0
    opacity: float = 1
    only: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing of ``art/``; where its name is empty there is none."""

    box: Box
    file: Value
    stretched: bool = False
    opacity: float = 1
    angle: float = 0
    only: str = ""


Element = Text | Shape | Picture


@dataclass(slots=True)
class Deck:
    """Pieces of one size; ``width`` and ``height`` are of the trimmed card, in mm."""

    name: str
    width: float
    height: float
    bleed: float | None = None
    """How far the source draws on beyond the cut; None where it does not say."""
    table: Table = field(default_factory=Table)
    front: list[Element] = field(default_factory=list)
    back: list[Element] = field(default_factory=list)
    key: str = ""
    """Its component's name in game.toml, once that is chosen."""

    @property
    def used(self) -> set[str]:
        """The columns that something is drawn of."""
        elements = (*self.front, *self.back)
        values = (value for each in elements for value in _values(each).values())
        named = {part.name for value in values for part in value if isinstance(part, Column)}
        return named | {each.only for each in elements}

    def put_in_place(self) -> None:
        """Let what was worked out of a column stand in that column, which people know, where nothing else needs it."""
        for made, origin in list(self.table.origins.items()):
            used = self.used
            others = {name for name, of in self.table.origins.items() if of == origin and name in used}
            if origin in used or origin == self.table.copies or others != {made}:
                continue
            for row in self.table.rows:
                row[origin] = row.pop(made, "")
            self.table.columns.remove(made)
            if made in self.table.marked_up:
                self.table.marked_up.add(origin)
            for side in (self.front, self.back):
                side[:] = [_renamed(each, made, origin) for each in side]


def _values(element: Element) -> dict[str, Value]:
    """What an element takes from the table, by the names of its fields."""
    if isinstance(element, Text):
        return {"content": element.content, "fill": element.fill}
    if isinstance(element, Picture):
        return {"file": element.file}
    return {"fill": element.fill, "line": element.line}


def _renamed(element: Element, old: str, new: str) -> Element:
    """An element that takes another column than before."""
    values = {
        key: tuple(Column(new) if part == Column(old) else part for part in value) for key, value in _values(element).items()
    }
    if isinstance(element, Text):
        return replace(element, content=values["content"], fill=values["fill"])
    if isinstance(element, Picture):
        return replace(element, file=values["file"])
    return replace(element, fill=values["fill"], line=values["line"])


@dataclass(slots=True)
class Imported:
    """All that was read of a project, and whatever of it does not come over as it was."""

    tool: str
    name: str = ""
    """What the source calls the game, where it does; else it is called like its folder."""
    decks: list[Deck] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    """What is copied: name in the game's folder → content."""
    notes: Problems = field(default_factory=Problems)
    """What was left behind, and what came over in another way, each with its place in the source."""
    allowed: dict[tuple[str, str], str] = field(default_factory=dict)
    """Findings of the check that are as the source had it: rule and a part of what is said → why."""
    carried: int = 0
    """How many of the source's elements came over."""

    def left(self, place: Place, what: str, why: str) -> None:
        """Something of the source that the game does not have."""
        self.notes.extend([Problem("left-behind", place, f"{what}: {why}", severity="warning")])

    def changed(self, place: Place, what: str) -> None:
        """Something that came over in another way than it was."""
        self.notes.extend([Problem("brought-differently", place, what, severity="warning")])
