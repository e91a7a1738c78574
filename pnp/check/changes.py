"""A game with one cell changed, or one row left out: what could have been typed instead, and how likely that is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise

from pnp.shapes import hexes
from pnp.values.cells import Number, canonical
from pnp.values.game import Game, Layout, Slot
from pnp.values.problems import Place, closest
from pnp.values.tables import Cell, Row, Table, Value

# A column of more different values is one of names or prose: those of other rows are hardly meant in its cells.
MOST_VALUES = 40
LONGEST_VALUE = 60
# So like one another are a word and the same with a slip of the finger.
_LIKE = 0.8
# So large a part of a column's numbers must follow on those before them for a column that goes up.
_MOSTLY = 0.75
LIES = ("x", "y", "q", "r", "turn")
"""Columns that say where a piece of a layout lies."""

OTHER = "something else"
"""What a cell says that should say what no other does."""

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

    near: bool
    """It is the number beside."""

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
        # Where every row says something else, what another says is not meant.
        examples = {_said(cell.value): cell for cell in cells} if not _apart(said) else {}
        elsewhere = self._elsewhere(rows, column)
        few = len(said) <= MOST_VALUES and max(map(len, said)) <= LONGEST_VALUE
        mates = _mates(rows, column) if few else []
        gaps = _gaps(cells)
        numbers = _ascending(rows, column)
        for index, row in enumerate(rows):
            cell = row.cells.get(column)
            if cell is None or cell.place.row is None:
                continue
            was = _said(cell.value)
            options = {text: replace(other, place=cell.place) for text, other in examples.items() if few}
            wanted = [*fewer, *(number - gap for gap in gaps if (number := _number(cell.value)) is not None)]
            if said[was] == 2 and len(said) == len(cells) - 1 and isinstance(cell.value, str) and was and not copies:
                options[OTHER] = replace(cell, value=OTHER, text=OTHER)
            if index in elsewhere:
                options[_said(elsewhere[index].value)] = replace(elsewhere[index], place=cell.place)
            options |= {_said(made.value): made for by in wanted if (made := _less(cell, by))}
            for text, made in options.items():
                if text != was and not (copies and text in ("", "0") and not said[text]):
                    likely = _likely(was, text, said) + _in_step(numbers, index, made.value)
                    likely += index in elsewhere and _said(elsewhere[index].value) == text
                    likely -= bool(_named_in(row.id, [cell.text], ""))
                    likely += any(index in agree and agree[index] == text for agree in mates)
                    yield Change(cell.place, cell.text, made, (column,), copies, likely, _beside(cell.value, made.value))

    def _elsewhere(self, rows: list[Row], column: str) -> dict[int, Cell]:
        """By the row's index what a row of another table says there that says the same in another column, and alone."""
        found: dict[int, Cell] = {}
        for others in self.tables.values():
            if others is rows or column not in others[0]:
                continue
            for shared in (name for name in rows[0].cells if name != column and name in others[0]):
                texts = Counter(row.cells[shared].text for row in others if shared in row)
                at = {row.cells[shared].text: row for row in others if shared in row and len(row.cells[shared].text) > 2}
                for index, row in enumerate(rows):
                    text = row.cells[shared].text if shared in row else ""
                    if texts[text] == 1 and text in at and column in at[text]:
                        found.setdefault(index, at[text].cells[column])
        return found

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
                    number = _said(change.cell.value) or "1"
                    if row.design or not number.isdecimal():
                        yield None
                        return
                    row.copies = int(number)
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
    if _apart(said):
        return int(said[was] == 2 and said[text] == 0) + int(alone and _like(was, text))
    if alone and said[text] > 1:
        likely += 1 + _like(was, text)
    if 2 * said[text] > said.total() and said[text] == common and said[was] <= 2:
        likely += 1
    return likely


def _apart(said: Counter[str]) -> bool:
    """Whether every row of a column says something else, but for one at most."""
    return len(said) == said.total() or (len(said) == said.total() - 1 and len(said) > 2)


def _like(was: str, text: str) -> bool:
    return not was.isdecimal() and bool(closest(was, [text], _LIKE))


def _ascending(rows: list[Row], column: str) -> list[int] | None:
    """The numbers of a column that are never less than those before them, but for a few; None where they are not such."""
    numbers = [_number(row.cells[column].value) if column in row else None for row in rows]
    known = [number for number in numbers if number is not None]
    return known if len(known) == len(rows) > 2 and _up(known, 0) else None


def _up(numbers: list[int], apart: int) -> bool:
    """Whether most numbers are so much larger than those before them, or more."""
    up = sum(one + apart <= other for one, other in pairwise(numbers))
    return up >= _MOSTLY * (len(numbers) - 1)


def _in_step(numbers: list[int] | None, index: int, value: Value) -> int:
    """Whether a number stands between those of the rows around it, as it did not before."""
    new = _number(value)
    if numbers is None or new is None:
        return 0

    def fits(number: int, apart: int) -> bool:
        before, after = numbers[max(index - 1, 0) : index], numbers[index + 1 : index + 2]
        return all(one + apart <= number for one in before) and all(number + apart <= one for one in after)

    return int(any(fits(new, apart) and not fits(numbers[index], apart) for apart in (0, 1) if _up(numbers, apart)))


def _beside(one: Value, other: Value) -> bool:
    first, second = _number(one), _number(other)
    return first is not None and second is not None and abs(first - second) == 1


def _gaps(cells: list[Cell]) -> list[int]:
    """Numbers that a column leaves out between its least and its largest."""
    numbers = {number for cell in cells if (number := _number(cell.value)) is not None}
    if len(numbers) < 3 or max(numbers) - min(numbers) > MOST_VALUES:
        return []
    return [number for number in range(min(numbers), max(numbers)) if number not in numbers]


def _mates(rows: list[Row], column: str) -> list[dict[int, str]]:
    """By the row's index what it would say if it said what all others do that are like it: one for each other column.

    A row's own id, which is like no other, is one more: it may hold the word that belongs in the cell.
    """
    found: list[dict[int, str]] = []
    says = [_said(row.cells[column].value) if column in row else "" for row in rows]
    for other in dict.fromkeys(name for row in rows for name in row.cells):
        if other == column:
            continue
        groups: dict[str, list[int]] = {}
        for index, row in enumerate(rows):
            if other in row:
                groups.setdefault(_said(row.cells[other].value), []).append(index)
        agree: dict[int, str] = {}
        for members in groups.values():
            for index in members if 3 <= len(members) <= MOST_VALUES else ():
                others = {says[mate] for mate in members if mate != index}
                if len(others) == 1:
                    agree[index] = others.pop()
        # Where most groups are of one mind, a row that is not stands out.
        if len(agree) > len(rows) // 2:
            found.append(agree)
    named = {index: text for index, row in enumerate(rows) if (text := _named_in(row.id, says, says[index]))}
    return [*found, named]


def _named_in(name: str, says: Iterable[str], was: str) -> str:
    """What a row's id names of all that a column says, where it is something else than what the row says."""
    words = f"-{name}-"
    meant = [text for text in dict.fromkeys(says) if text and f"-{text}-" in words]
    return meant[0] if len(meant) == 1 and meant[0] != was else ""


def _number(value: Value) -> int | None:
    number = value.number if isinstance(value, Number) else value
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def _twice(rows: list[Row], key: str) -> Iterator[Change]:
    """Rows that say what a row before them says, but for what names them."""
    met: set[tuple[tuple[str, str], ...]] = set()
    for row in rows:
        says = tuple((column, cell.text) for column, cell in row.cells.items() if column != key)
        if says in met:
            yield Change(row.place, "", None, (), False, 2, False)
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
    rows = {id(row) for row, column in holders if column in LIES}
    if not rows or not any(id(slot.row) in rows for layout in game.layouts for slot in layout.slots):
        return game
    now = _number(change.cell.value) if change.cell else None
    was = int(change.was) if re.fullmatch(r"-?\d{1,6}", change.was, re.ASCII) else 0
    layouts: list[Layout] = []
    for layout in game.layouts:
        slots = tuple(
            _laid(slot, change.columns[0], (now or 0) - was) if id(slot.row) in rows else slot for slot in layout.slots
        )
        cells = [cell for slot in slots for cell in slot.cells]
        if len(set(cells)) < len(cells):
            return None
        layouts.append(replace(layout, slots=slots))
    return replace(game, layouts=tuple(layouts))


def _laid(slot: Slot, column: str, by: int) -> Slot:
    """A slot with another number in a column that says where it lies; the row says so already."""
    squares = "x" in slot.row
    if column != "turn":
        dx, dy = (by, 0) if column in ("x", "q") else (0, by)
        return replace(slot, cells=tuple((x + dx, y + dy) for x, y in slot.cells))
    about = [_number(slot.row.cells[axis].value) or 0 for axis in ("xy" if squares else "qr")]
    turned = slot.cells
    for _ in range(by // (90 if squares else 60) % (4 if squares else 6)):
        here = [(x - about[0], y - about[1]) for x, y in turned]
        turned = tuple(
            (x + about[0], y + about[1])
            for x, y in ([(-y, x) for x, y in here] if squares else [hexes.turned(each, 1) for each in here])
        )
    return replace(slot, cells=turned, turn=slot.turn + by)
