"""Tables: cells with their places, rows, and what was asked of them."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from typing import Any, Self

from pnp.dataclass import dataclass
from pnp.values.languages import Translated, original
from pnp.values.problems import Fault, Place, nearest


class CellText(str):
    """A text in a column of numbers: a text like any other, but used as a number it says why it is none."""

    __slots__ = ("hint", "why")

    why: str
    """A sentence: what the cell holds, or which row makes the column text."""
    hint: str

    def __new__(cls, text: str, why: str, hint: str) -> Self:
        made = super().__new__(cls, text)
        made.why, made.hint = why, hint
        return made

    def __getnewargs__(self) -> tuple[str, str, str]:  # type: ignore[override]
        return str(self), self.why, self.hint


class Number(str):
    """A number that prints as typed: 1.50 stays 1.50 and 1,5 stays 1,5. Equal to its text and to its number."""

    __slots__ = ("declared", "number")

    number: int | float
    declared: bool
    """Of a column that game.toml says is one of numbers: there 0 is false; elsewhere every cell that is filled is true."""

    def __new__(cls, typed: str, number: int | float, declared: bool = False) -> Self:
        made = super().__new__(cls, typed)
        made.number, made.declared = number, declared
        return made

    def __getnewargs__(self) -> tuple[str, int | float, bool]:  # type: ignore[override]
        return str(self), self.number, self.declared

    def __repr__(self) -> str:
        return f"Number({str(self)!r}, {self.number!r}, {self.declared})"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Number):
            return self.number == other.number
        if isinstance(other, str):
            return str.__eq__(self, other)
        return self.number == other if isinstance(other, int | float) else NotImplemented

    __ne__ = object.__ne__

    def __hash__(self) -> int:
        return hash(self.number)

    def __bool__(self) -> bool:
        return self.number != 0 or not self.declared

    def __index__(self) -> int:
        if not isinstance(self.number, int):
            raise Fault(f"{self} is not a whole number", str(self), "a whole number")
        return self.number

    def __format__(self, form: str) -> str:
        """Formats as a number where the format is numeric."""
        try:
            return str.__format__(self, form)
        except ValueError:
            return format(self.number, form)

    def lower(self) -> Self:
        """Itself: a case-insensitive sort calls it, and sorts numbers then."""
        return self

    def casefold(self) -> Self:
        return self


class Flag(str):
    """A yes or no that prints as typed: FALSE stays FALSE. Equal to its text and to true or false.

    Among words it is found by its text, as in ``{"yes": …, "no": …}[row.rare]``.
    """

    __slots__ = ("yes",)

    yes: bool

    def __new__(cls, typed: str, yes: bool) -> Self:
        made = super().__new__(cls, typed)
        made.yes = yes
        return made

    def __getnewargs__(self) -> tuple[str, bool]:  # type: ignore[override]
        return str(self), self.yes

    def __repr__(self) -> str:
        return f"Flag({str(self)!r}, {self.yes})"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Flag | bool):
            return self.yes == bool(other)
        return str.__eq__(self, other)

    __ne__ = object.__ne__
    __hash__ = str.__hash__

    def __bool__(self) -> bool:
        return self.yes


def unwrapped(value: Any) -> Any:
    """A number as a Python number; anything else as it is."""
    return value.number if isinstance(value, Number) else value


def canonical(number: int | float) -> str:
    """The shortest way to type a number: 3 for 3.0."""
    return str(int(number)) if float(number).is_integer() else str(number)


def _no_number(cell: CellText) -> Fault:
    return Fault(f"{cell.why}: it cannot be used as a number", str(cell), hint=cell.hint)


def _side(other: object) -> int | float | None:
    """The other operand as a number; None where Python decides. Raises Fault for a text."""
    if isinstance(other, Number):
        return other.number
    if isinstance(other, int | float):
        return other
    if isinstance(other, CellText):
        raise _no_number(other)
    if isinstance(other, str):
        text = str(other)[:80]
        hint = "Leave the quotation marks off to compare or compute; join texts with ~."
        raise Fault(f'a number cannot be used with the text "{text}"', text, "a number", hint)
    return None


def _of_numbers(name: str, turned: bool = False) -> Callable[[Number, Any], Any]:
    """An operator on numbers; ``turned``: this number is the right operand."""
    compute: Callable[[Any, Any], Any] = getattr(operator, name)

    def run(self: Number, other: Any) -> Any:
        if turned and isinstance(other, str) and name in _OF_TEXTS:
            # A text with places to fill in, or one that is repeated.
            return _OF_TEXTS[name](other, self)
        side = _side(other)
        return NotImplemented if side is None else compute(side, self.number) if turned else compute(self.number, side)

    return run


def _of_text(name: str) -> Callable[[CellText, Any], Any]:
    usual: Callable[[Any, Any], Any] | None = getattr(str, name, None)

    def run(self: CellText, other: Any) -> Any:
        if isinstance(other, int | float | Number):
            raise _no_number(self)
        if usual is None:
            return str.__add__(other, self) if name == "__radd__" and isinstance(other, str) else NotImplemented
        return usual(self, other)

    return run


_OF_TEXTS: dict[str, Callable[[str, Any], str]] = {"mod": str.__mod__, "mul": lambda text, times: str(text) * int(times)}
for _name, _compute in {
    "int": int,
    "float": float,
    "round": round,
    "abs": abs,
    "neg": operator.neg,
    "pos": operator.pos,
}.items():
    setattr(Number, f"__{_name}__", lambda self, *digits, compute=_compute: compute(self.number, *digits))
for _name in ("lt", "le", "gt", "ge"):
    setattr(Number, f"__{_name}__", _of_numbers(_name))
    setattr(CellText, f"__{_name}__", _of_text(f"__{_name}__"))
for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow"):
    setattr(Number, f"__{_name}__", _of_numbers(_name))
    setattr(Number, f"__r{_name}__", _of_numbers(_name, turned=True))
    if _name not in _OF_TEXTS:
        setattr(CellText, f"__{_name}__", _of_text(f"__{_name}__"))
        setattr(CellText, f"__r{_name}__", _of_text(f"__r{_name}__"))


COPIES = ("copies", "count", "qty", "quantity")
"""What a column is called that says how many there are of a row."""
PICTURING = ("art", "image", "picture", "illustration", "bild", "imagen", "dibujo")
"""The columns that name a row's drawing where pnp draws the piece; of these templates take the first."""
PLACING = ("art_x", "art_y", "art_zoom")
"""Columns that move a row's drawing by mm, and enlarge it."""
NAMING = ("name", "title", "card_name", "titel", "nom", "titre", "nombre", "título", "titulo")
"""Columns that say what a row is called; of a table without ids the first that is there makes them."""
_COUNTING = {
    *("copies", "count", "qty", "quantity", "amount", "pieces", "pcs", "anzahl", "stück", "stueck", "stk", "menge"),
    *("kopien", "exemplare", "cantidad", "copias", "quantité", "qté", "exemplaires", "quantità", "copie", "quantidade"),
    *("aantal", "antal", "copy", "copys"),
}
_COUNTING_ALONE = {"number", "num", "no", "nb", "nr", "nombre", "x", "times", "#", "×"}
YES = ("yes", "true", "x", "1")
"""What a cell says that says yes."""
NO = ("no", "false", "", "0")


def counts(title: str, alone: bool = True) -> bool:
    """Whether a column's title suggests that it counts copies; ``alone``: also where it is no more than "number" or "x"."""
    words = re.findall(r"[^\W_]+|[#×]", title.lower())
    return not _COUNTING.isdisjoint(words) or (alone and len(words) == 1 and words[0] in _COUNTING_ALONE)


@dataclass(frozen=True, slots=True)
class Cell:
    """A value of a table and its place."""

    value: Value
    text: str
    place: Place


@dataclass(slots=True, eq=False)
class Row:
    """A row of a table: values by column name, as templates see them.

    It remembers which columns were asked for, so that a column nobody uses can be named.
    """

    id: str
    copies: int
    place: Place
    cells: Mapping[str, Cell]
    used: set[str]
    sound: bool = True
    """False when one of its cells is wrong: then it is not drawn, so that one fault is told once."""
    design: str = ""
    """Of one of several numbered copies: the id of the row that all are copies of."""

    def __getitem__(self, column: str) -> Value:
        cell = self.cells[column]
        self.used.add(column)
        return cell.value

    def __contains__(self, column: object) -> bool:
        return column in self.cells

    def __str__(self) -> str:
        return _said(self["name"]) if "name" in self.cells else self.id

    def place_of(self, column: str) -> Place:
        cell = self.cells.get(column)
        return cell.place if cell else self.place

    def text_of(self, column: str) -> str:
        """The value in a column as a table says it; the id and the copies are there even without a column."""
        if column not in self.cells:
            return self.id if column == "id" else str(self.copies)
        return _said(self[column])

    def matches(self, column: str, text: str) -> bool:
        """Whether a cell says this: as its text, or as the id of the row that it refers to."""
        return text in self.aliases(column)

    def is_yes(self, column: str) -> bool:
        """Whether there is such a column, and it says yes."""
        return self.text(column).lower() in YES

    def text(self, column: str) -> str:
        """The value in a column as a table says it; nothing where there is no such column."""
        return self.text_of(column) if column in self else ""

    def ref_id(self, column: str) -> str:
        """The text of a cell; the id of the row where it refers to one."""
        said, cell = self.text(column), self.cells.get(column)
        return cell.value.id if cell is not None and isinstance(cell.value, Row) else said

    def display(self, column: str) -> str:
        """The same for what looks at every column, and so uses none."""
        cell = self.cells.get(column)
        value = cell.value if cell else None
        return value.id if isinstance(value, Row) else _said(value)

    def aliases(self, column: str) -> tuple[str, ...]:
        """The texts that a cell says: its own, the id of the row that it refers to, a number in its shortest form,
        a flag as yes or no; what its author wrote, of one that is translated."""
        cell, text = self.cells.get(column), self.text_of(column)
        value = cell.value if cell else None
        found = [str.__str__(text), original(text)]
        if isinstance(value, Row):
            found.append(value.id)
        elif isinstance(value, Number):
            found.append(canonical(value.number))
        elif isinstance(value, Flag):
            found.append("yes" if value.yes else "no")
        return tuple(dict.fromkeys(found))

    def blame(self, snippet: str) -> Place:
        """The cell in which a snippet of text was typed; the row where no cell has it."""
        for cell in self.within_reach():
            if snippet and snippet in cell.text:
                return cell.place
        return self.place

    def within_reach(self) -> Iterator[Cell]:
        """Its cells, then those of the rows that it refers to."""
        yield from self.cells.values()
        for row in self.referred():
            yield from row.cells.values()

    def referred(self) -> list[Row]:
        """The rows that its cells refer to."""
        return [cell.value for cell in self.cells.values() if isinstance(cell.value, Row)]


Value = str | int | float | bool | Row | None


def _said(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Translated):
        return value
    return "" if value is None else str(value)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A table: columns and rows in file order."""

    name: str
    file: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    used: set[str]
    """Names of the columns that something asked for while the game was built."""
    whole: bool = True
    """False when a row could not be read: then nobody can say what is missing in it."""
    titles: tuple[str, ...] = ()
    """The columns' names as they were typed; computed columns, the last, have none."""
    sheet: str | None = None
    """Of a spreadsheet, where game.toml names one."""
    key: str = ""
    """The column that names the rows, if there is one, and that of the copies."""
    counted: str = ""
    taken: dict[str, str] = field(default_factory=dict)
    """What the cells of a column are taken for, in a word or two."""
    hidden: frozenset[str] = frozenset()
    """The columns that the spreadsheet hides."""
    parts: tuple[Table, ...] = ()
    """The tables that it was put together from."""
    words: tuple[str, ...] = ()
    """The columns whose cells are printed as words, and so are translated."""

    def use(self, columns: Iterable[str]) -> None:
        """Marks columns as used."""
        for table in (self, *self.parts):
            table.used.update(columns)

    def place(self, row: int | None = None, column: str | None = None) -> Place:
        """The place of a row or cell."""
        return Place(self.file, row, column, self.sheet)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)


def meant(word: str, said: Iterable[tuple[str, Row]], likeness: float = 0.6) -> str:
    """``Did you mean "…"? It stands in row 7 of cards.csv.`` when what a row says is near to the word, else nothing.

    The row is named where it alone says so: it may be the one that is misspelt.
    """
    rows: dict[str, dict[Place, None]] = {}
    for text, row in said:
        rows.setdefault(text, {})[row.place] = None
    name = nearest(word, filter(None, rows), likeness)
    if not name:
        return ""
    place, *others = rows[name]
    # The one row of a component without a table stands in game.toml, and is no row.
    known = place.row is not None and not others and not place.file.endswith(".toml")
    return f'Did you mean "{name}"?' + (
        f" It stands in row {place.row} of {place.file.rpartition('/')[2]}." if known else ""
    )
