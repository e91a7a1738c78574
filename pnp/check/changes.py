"""A game with one cell changed, or one row left out: what could have been typed instead, and how likely that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from pnp.values.cells import Number, canonical
from pnp.values.game import Game, Layout, Slot
from pnp.values.problems import Place, closest
from pnp.values.tables import Cell, Row, Table, Value

# A column of more different values is one of names or prose: those of other rows are hardly meant in its cells.
MOST_VALUES = 40
LONGEST_VALUE = 60
# So like one another are a word and the same with a slip of the finger.
_LIKE = 0.8
# Columns that say where a piece of a layout lies, and along which axis.
_AXES = {"x": 0, "q": 0, "y": 1, "r": 1}

Sheet = tuple[str, str | None]


def sheet_of(place: Place) -> Sheet:
    """The file in which a cell stands, and its sheet."""
    return place.file, place.sheet


@dataclass(frozen=True, slots=True)
class Change:
    """A cell that says something else, or, without a cell, a row that is left out."""

    place: Place
    was: str
    cell: Cell | None
    columns: tuple[str, ...]
    """What the cell's column is called in the rows that have it."""
    copies: bool
    """It is the number of copies."""
    likely: int
    """How much speaks for it: 0 where nothing but what it mends does."""

    @property
    def text(self) -> str:
        """What the cell would say."""
        return self.cell.text if self.cell else ""

    @property
    def row(self) -> Place:
        """The row that it is about."""
        return replace(self.place, column=None)


class Changes:
    """All changes of one cell that a game's tables leave open; each can be made and is taken back again."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.tables: dict[Sheet, list[Row]] = {}
        """The rows of each file, as they stand there."""
        self._holders: dict[Place, list[tuple[Row, str]]] = {}
        """The cells in which a typed value ended up: a row may be in several components."""
        self._counted: dict[Sheet, str] = {}
        self._keys: dict[Sheet, str] = {}
        known: dict[Place, Row] = {}
        met: set[int] = set()
        for table in (*game.tables.values(), *(component.table for component in game.components)):
            if table.file == game.file:
                continue
            for row in table:
                if id(row) in met or row.place.row is None:
                    continue
                met.add(id(row))
                if known.setdefault(row.place, row) is row:
                    self.tables.setdefault(sheet_of(row.place), []).append(row)
                    self._counted[sheet_of(row.place)], self._keys[sheet_of(row.place)] = table.counted, table.key
                for column, cell in row.cells.items():
                    self._holders.setdefault(cell.place, []).append((row, column))

    def of(self, sheet: Sheet, columns: Collection[str], fewer: Iterable[int] = ()) -> Iterator[Change]:
        """What cells of these columns, or of that of the copies, could say instead, and rows that stand there twice.

        ``fewer``: by how much numbers may have been typed too large.
        """
        rows = self.tables.get(sheet, [])
        counted, key = self._counted.get(sheet, ""), self._keys.get(sheet, "")
        for column in dict.fromkeys([*columns, counted]):
            if column and column != key and any(column in row for row in rows):
                yield from self._in_column(rows, column, column == counted, tuple(dict.fromkeys((1, -1, *fewer))))
        yield from _twice(rows, key)

    def _in_column(self, rows: list[Row], column: str, copies: bool, fewer: tuple[int, ...]) -> Iterator[Change]:
        cells = [row.cells[column] for row in rows if column in row]
        said = Counter(_said(cell.value) for cell in cells)
        examples = {_said(cell.value): cell for cell in cells}
        few = len(said) <= MOST_VALUES and max(map(len, said)) <= LONGEST_VALUE
        for index, row in enumerate(rows):
            cell = row.cells.get(column)
            if cell is None or cell.place.row is None:
                continue
            was = _said(cell.value)
            options = {text: replace(other, place=cell.place) for text, other in examples.items() if few}
            options |= {_said(made.value): made for by in fewer if (made := _less(cell, by))}
            for text, made in options.items():
                if text != was:
                    likely = _likely(was, text, said) + _in_step(rows, index, column, made.value)
                    yield Change(cell.place, cell.text, made, (column,), copies, likely)

    @contextmanager
    def made(self, change: Change) -> Iterator[Game | None]:
        """The game as it is with this change, until it is taken back; None where pieces would lie on one another."""
        if change.cell is None:
            yield _without(self._game, change.place)
            return
        holders = self._holders[change.place]
        kept = [(row, row.cells, row.copies) for row, _ in holders]
        try:
            for row, column in holders:
                if column == self._counted[sheet_of(row.place)]:
                    if row.design:
                        yield None
                        return
                    row.copies = int(_said(change.cell.value) or 1)
                row.cells = {**row.cells, column: change.cell}
            yield _moved(self._game, holders, change)
        finally:
            for row, cells, copies in kept:
                row.cells, row.copies = cells, copies


def _said(value: Value) -> str:
    if isinstance(value, Number):
        return canonical(value.number)
    if isinstance(value, Row):
        return value.id
    return "" if value is None else str(value)


def _less(cell: Cell, by: int) -> Cell | None:
    """The cell with a smaller number; None where it has no whole one, or none would be left."""
    value = cell.value.number if isinstance(cell.value, Number) else cell.value
    if isinstance(value, bool) or not isinstance(value, int) or value >= 0 > value - by:
        return None
    number = value - by
    declared = isinstance(cell.value, Number) and cell.value.declared
    return replace(
        cell, value=Number(str(number), number, declared) if isinstance(cell.value, Number) else number, text=str(number)
    )


def _likely(was: str, text: str, said: Counter[str]) -> int:
    """What the other rows say for it: one that is like no other, another word for the same, a value that stands twice."""
    alone, common = said[was] == 1, max(said.values())
    likely = 0
    if common == 1 or (common == 2 and said[was] == 2):
        # A column in which every row says something else.
        return int(said[was] == 2 and said[text] == 0) + int(alone and _like(was, text))
    if alone and said[text] > 1:
        likely += 1 + _like(was, text)
    if 2 * said[text] > said.total() and said[text] == common and said[was] <= 2:
        likely += 1
    return likely


def _like(was: str, text: str) -> bool:
    return not was.isdecimal() and bool(closest(was, [text], _LIKE))


def _in_step(rows: list[Row], index: int, column: str, value: Value) -> int:
    """Whether a number stands between those of the rows around it, as it did not before."""
    around = [rows[at].cells.get(column) for at in (index - 1, index, index + 1) if 0 <= at < len(rows)]
    numbers = [_number(cell.value) if cell else None for cell in around]
    here, new = _number(rows[index].cells[column].value), _number(value)
    if len(numbers) < 2 or None in numbers or here is None or new is None:
        return 0
    place = 1 if index else 0
    after = [*numbers[:place], new, *numbers[place + 1 :]]
    return int(_counting(after) and not _counting(numbers))


def _counting(numbers: list[int | None]) -> bool:
    return all(one is not None and other == one + 1 for one, other in zip(numbers, numbers[1:], strict=False))


def _number(value: Value) -> int | None:
    number = value.number if isinstance(value, Number) else value
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def _twice(rows: list[Row], key: str) -> Iterator[Change]:
    """Rows that say what a row before them says, but for what names them."""
    met: set[tuple[tuple[str, str], ...]] = set()
    for row in rows:
        says = tuple((column, cell.text) for column, cell in row.cells.items() if column != key)
        if says in met:
            yield Change(row.place, "", None, (), False, 2)
        met.add(says)


def _without(game: Game, place: Place) -> Game:
    """The game without a row of a table."""

    def left(table: Table) -> Table:
        rows = tuple(row for row in table if row.place != place)
        return table if len(rows) == len(table.rows) else replace(table, rows=rows)

    tables = {name: left(table) for name, table in game.tables.items()}
    components = tuple(replace(component, table=left(component.table)) for component in game.components)
    return replace(game, tables=tables, components=components)


def _moved(game: Game, holders: list[tuple[Row, str]], change: Change) -> Game | None:
    """The game with the pieces of a layout where a changed row lays them; None where two lie on one another."""
    axis = next((_AXES[column] for _, column in holders if column in _AXES), None)
    now = _number(change.cell.value) if change.cell else None
    rows = {id(row) for row, _ in holders}
    if axis is None or now is None or not any(id(slot.row) in rows for each in game.layouts for slot in each.slots):
        return game
    by = now - int(change.was)
    step = (by, 0) if axis == 0 else (0, by)

    def shifted(slot: Slot) -> Slot:
        if id(slot.row) not in rows:
            return slot
        return replace(slot, cells=tuple((x + step[0], y + step[1]) for x, y in slot.cells))

    layouts: list[Layout] = []
    for layout in game.layouts:
        slots = tuple(map(shifted, layout.slots))
        cells = [cell for slot in slots for cell in slot.cells]
        if len(set(cells)) < len(cells):
            return None
        layouts.append(replace(layout, slots=slots))
    return replace(game, layouts=tuple(layouts))
