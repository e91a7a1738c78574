"""Tables as values: rows of cells, each with the place where it was typed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from pnp.values.cells import Flag, Number, canonical
from pnp.values.languages import Translated, original
from pnp.values.problems import Place, nearest

COPIES = ("copies", "count", "qty", "quantity")
"""What a column is called that says how many there are of a row."""
_COUNTING = {
    *("copies", "count", "qty", "quantity", "amount", "pieces", "pcs", "anzahl", "stück", "stueck", "stk", "menge"),
    *("kopien", "exemplare", "cantidad", "copias", "quantité", "qté", "exemplaires", "quantità", "copie", "quantidade"),
    *("aantal", "antal"),
}
_COUNTING_ALONE = {"number", "num", "no", "nb", "nr", "nombre", "x", "times", "#", "×"}
YES = ("yes", "true", "x", "1")
"""What a cell says that says yes."""
NO = ("no", "false", "", "0")


def counts(title: str) -> bool:
    """Whether a column of this title may well say how many there are of a row, though it is called otherwise."""
    words = re.findall(r"[^\W_]+|[#×]", title.lower())
    return not _COUNTING.isdisjoint(words) or (len(words) == 1 and words[0] in _COUNTING_ALONE)


@dataclass(frozen=True, slots=True)
class Cell:
    """One value of a table and where it was written."""

    value: Value
    text: str
    place: Place


@dataclass(slots=True, eq=False)
class Row:
    """One thing of a table: values by column name, as a template sees them.

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

    def says(self, column: str, text: str) -> bool:
        """Whether a cell says this: as its text, or as the id of the row that it refers to."""
        return text in self.sayings(column)

    def is_yes(self, column: str) -> bool:
        """Whether there is such a column, and it says yes."""
        return self.said(column).lower() in YES

    def said(self, column: str) -> str:
        """The value in a column as a table says it; nothing where there is no such column."""
        return self.text_of(column) if column in self else ""

    def named(self, column: str) -> str:
        """What a cell says; the id of the row where it refers to one."""
        said, cell = self.said(column), self.cells.get(column)
        return cell.value.id if cell is not None and isinstance(cell.value, Row) else said

    def seen(self, column: str) -> str:
        """The same for what looks at every column, and so uses none."""
        cell = self.cells.get(column)
        value = cell.value if cell else None
        return value.id if isinstance(value, Row) else _said(value)

    def sayings(self, column: str) -> tuple[str, ...]:
        """The texts that a cell says: its own, the id of the row that it refers to, a number in its shortest form,
        a flag as yes or no; what its author wrote, of one that is translated."""
        cell = self.cells.get(column)
        text = self.text_of(column)
        if isinstance(text, Translated):
            of_row = (cell.value.id,) if cell is not None and isinstance(cell.value, Row) else ()
            return (str.__str__(text), original(text), *of_row)
        if cell is not None and isinstance(cell.value, Row):
            return text, cell.value.id
        if cell is not None and isinstance(cell.value, Number) and canonical(cell.value.number) != text:
            return text, canonical(cell.value.number)
        if cell is not None and isinstance(cell.value, Flag):
            return tuple(dict.fromkeys((text, "yes" if cell.value.yes else "no")))
        return (text,)

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
    """A content table: columns in the order written, rows in the order written."""

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
    parts: tuple[Table, ...] = ()
    """The tables that it was put together from."""
    words: tuple[str, ...] = ()
    """The columns whose cells are printed as words, and so are translated."""

    def use(self, columns: Iterable[str]) -> None:
        """Something asks for these columns."""
        for table in (self, *self.parts):
            table.used.update(columns)

    def place(self, row: int | None = None, column: str | None = None) -> Place:
        """Somewhere in its file."""
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
