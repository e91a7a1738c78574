"""Gives cells their values: by a column's description in game.toml or its expression, else numbers or text. Resolves
references to rows of other tables. Finds the columns with words to translate.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any, Literal

from pnp.dataclass import dataclass
from pnp.read.schema import Column, TableRules
from pnp.shapes.colour import full
from pnp.system.watchdog import at
from pnp.values.languages import NUMERALS, worded
from pnp.values.problems import Fault, Place, Problems, closest, listed
from pnp.values.tables import NO, PICTURING, YES, Cell, CellText, Flag, Number, Row, Table, Value, meant

# More digits are a code; and a float holds no more.
MOST_DIGITS = 15
# "+4912345678" is a telephone number.
MOST_DIGITS_WITH_PLUS = 6

Mark = Literal[".", ","]

_SIGN = "[+\u2212-]?"
_WHOLE = r"(?:0|[1-9]\d*)"
_SURE = {
    mark: re.compile(
        # Not three digits behind it, or no group of three before it; or the other mark parts thousands.
        rf"{_SIGN}(?:{_WHOLE}{re.escape(mark)}(?!\d{{3}}$)\d+|(?:0|[1-9]\d{{3,}}){re.escape(mark)}\d+"
        rf"|(?P<grouped>[1-9]\d{{0,2}}(?:(?:{re.escape(other)}\d{{3}})+{re.escape(mark)}\d+|(?:{re.escape(other)}\d{{3}}){{2,}})))",
        re.ASCII,
    )
    for mark, other in ((".", ","), (",", "."))
}
_DOTTED = re.compile(rf"{_SIGN}{_WHOLE}\.\d+", re.ASCII)
_SPACED = re.compile(rf"{_SIGN}[1-9]\d{{0,2}}(?:[\u00a0\u202f'\u2019]\d{{3}})+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Habit:
    """How a table's numbers are typed: the decimal mark, and whether the other mark groups thousands."""

    mark: Mark = "."
    grouped: bool = False
    doubtful: str = ""
    """The text because of which commas are not decimal here, though one certainly was meant so: a thousand, or 1."""

    def number(self, text: str) -> int | float | None:
        """The number that a text is; None for none, or an ambiguous one."""
        if not text or not text[-1].isdecimal():
            return None
        digits = sum(map(str.isdecimal, text))
        if digits > (MOST_DIGITS_WITH_PLUS if text[0] == "+" else MOST_DIGITS):
            return None
        if not _pattern(self.mark, self.grouped).fullmatch(text) and not _SPACED.fullmatch(text):
            return None
        plain = re.sub(rf"[{',' if self.mark == '.' else '.'}\u00a0\u202f'\u2019]", "", text, flags=re.ASCII)
        plain = plain.replace("\u2212", "-").replace(self.mark, ".")
        return float(plain) if "." in plain else int(plain)

    def typed(self, number: int | float) -> str:
        """A number as somebody with this habit would type it."""
        text = f"{number:.12g}" if isinstance(number, float) else str(number)
        if "e" in text:
            text = f"{number:.12f}".rstrip("0").rstrip(".")
        return text.replace(".", self.mark)


@cache
def _pattern(mark: Mark, grouped: bool) -> re.Pattern[str]:
    other = "," if mark == "." else "."
    whole = rf"(?:{_WHOLE}|[1-9]\d{{0,2}}(?:{re.escape(other)}\d{{3}})+)" if grouped else _WHOLE
    return re.compile(rf"{_SIGN}(?:{whole}(?:{re.escape(mark)}\d+)?|{re.escape(mark)}\d+)", re.ASCII)


def habit(texts: Iterable[str]) -> Habit:
    """The habit of a table with these cells: a decimal comma where one is certain and no number has a point."""
    doubtful = ""
    sure, grouped = {".": False, ",": False}, {".": False, ",": False}
    for text in texts:
        if not text or not text[-1].isdecimal() or ("," not in text and "." not in text):
            continue
        doubtful = doubtful or (text if _DOTTED.fullmatch(text) else "")
        for mark, pattern in _SURE.items():
            if found := pattern.fullmatch(text):
                sure[mark] = True
                grouped[mark] = grouped[mark] or found["grouped"] is not None
    commas, dots = sure[","], sure["."]
    # 1.000 beside 1.234,50 is a thousand.
    if commas and not dots and (grouped[","] or not doubtful):
        return Habit(",", grouped[","])
    return Habit(".", grouped["."] and not commas, doubtful if commas and not dots else "")


# Of a column that is not declared these alone are flags: an x or a 1 may be anything.
_FLAGS = {"yes": True, "true": True, "no": False, "false": False}
_KINDS = {"text": "text", "whole": "whole numbers", "number": "numbers", "flag": "yes or no", "colour": "colours"}


def resolve(
    table: Table, columns: Mapping[str, Column], tables: Mapping[str, Table], palette: Mapping[str, str], problems: Problems
) -> None:
    """Gives the cells their values: numbers, flags, colours, rows of other tables."""
    filler = _Filler(_typing(table), tables, palette, problems)
    made: dict[str, list[Value]] = {}
    for name in table.columns:
        column = columns.get(name)
        if column is None or column.value is None:
            values = filler.values(table, name, column)
            if any(value is not row.cells[name].value for value, row in zip(values, table, strict=True)):
                made[name] = values
    for number, row in enumerate(table.rows if made else ()):
        cells = {name: row.cells[name] for name in made}
        row.cells = {**row.cells, **{name: Cell(made[name][number], cell.text, cell.place) for name, cell in cells.items()}}


def _typing(table: Table) -> Habit:
    return habit(cell.text for row in table for cell in row.cells.values())


@dataclass(frozen=True, slots=True)
class _Filler:
    typing: Habit
    tables: Mapping[str, Table]
    palette: Mapping[str, str]
    problems: Problems

    def values(self, table: Table, name: str, column: Column | None) -> list[Value]:
        values = self._values(table, name, column)
        if name != table.counted:
            return values
        return [value if row.cells[name].text else 1 for value, row in zip(values, table, strict=True)]

    def _values(self, table: Table, name: str, column: Column | None) -> list[Value]:
        cells = [row.cells[name] for row in table]
        lost: set[int] = set()
        if column is not None:
            if column.type is None and (column.min is not None or column.max is not None):
                column = column.model_copy(update={"type": "number"})
            values = self._described(table, name, column)
            if column.type is not None or column.table is not None:
                return values
            lost = {at for at, cell in enumerate(cells) if cell.text and not values[at]}
        if name in ("id", table.key):
            table.taken[name] = "text"
            return [cell.text for cell in cells]
        return ["" if at in lost else value for at, value in enumerate(_found(table, name, cells, self.typing))]

    def _described(self, table: Table, name: str, column: Column) -> list[Value]:
        other = self.tables.get(column.table) if column.table else None
        index = _index(other) if other else None
        if index is not None:
            table.used.add(name)
        table.taken[name] = f"rows of {column.table}" if column.table else _KINDS[column.type or "text"]
        lost = column.table is not None and not (other and other.whole)
        values: list[Value] = []
        for row in table:
            cell = row.cells[name]
            if lost and cell.text and cell.text.casefold() not in (index or ()):
                # What is wrong with the other table is told there.
                row.sound = False
                values.append(cell.text)
                continue
            before = len(self.problems)
            values.append(self._value(cell, column, index))
            row.sound = row.sound and len(self.problems) == before
        return values

    def _value(self, cell: Cell, column: Column, index: Mapping[str, Row] | None) -> Value:
        """The value of a cell in a described column, where it does not depend on the whole column."""
        if not cell.text and column.type != "flag":
            if not column.optional:
                hint = "Fill it, or write optional = true for this column in game.toml."
                self.problems.error("empty-cell", cell.place, "the cell is empty", hint=hint)
            return None if column.table or column.type in ("whole", "number") else ""
        if index is not None:
            if row := index.get(cell.text.casefold()):
                return row
            names = _names(index)
            message = f'"{cell.text}" is not in the table {column.table}'
            allowed = listed(name for name, _ in names)
            self.problems.error(
                "unknown-reference", cell.place, message, value=cell.text, allowed=allowed, hint=meant(cell.text, names)
            )
            return None
        if column.one_of is not None and cell.text not in column.one_of:
            self.problems.unknown(
                "unknown-value", cell.place, f'"{cell.text}" is not a value of this column', cell.text, column.one_of
            )
            return ""
        if column.type in ("whole", "number"):
            return self._number(cell, column)
        if column.type == "flag":
            return self._flag(cell)
        if column.type == "colour":
            return self._colour(cell)
        return cell.text

    def _number(self, cell: Cell, column: Column) -> Value:
        whole = column.type == "whole"
        least = "" if column.min is None else f"from {column.min:g}"
        most = "" if column.max is None else f"to {column.max:g}"
        allowed = " ".join(filter(None, ("a whole number" if whole else "a number", least, most)))
        number, hint = self.typing.number(cell.text), ""
        if number is None and re.fullmatch(r"[+-]?\d{1,15}(\.\d{1,12})?", cell.text, re.ASCII):
            number = float(cell.text) if "." in cell.text else int(cell.text)
        if number is None or (whole and not isinstance(number, int)):
            message = f'"{cell.text}" is not {"a whole number" if whole else "a number"}'
            meant = NUMERALS.get(cell.text.lower(), number)
            hint = f"Write {meant:g}." if meant is not None and meant == int(meant) else ""
        elif (column.min is None or number >= column.min) and (column.max is None or number <= column.max):
            return number if str(number) == cell.text else Number(cell.text, number, declared=True)
        else:
            message = f'"{cell.text}" is out of bounds'
        self.problems.error("bad-number", cell.place, message, value=cell.text, allowed=allowed, hint=hint)
        return None

    def _flag(self, cell: Cell) -> bool:
        if cell.text.lower() in YES:
            return True
        if cell.text.lower() not in NO:
            message = f'"{cell.text}" is neither yes nor no'
            self.problems.error("bad-flag", cell.place, message, value=cell.text, allowed="yes, no")
        return False

    def _colour(self, cell: Cell) -> str:
        if cell.text in self.palette:
            return self.palette[cell.text]
        if full(cell.text):
            return cell.text
        message = f'"{cell.text}" is no colour'
        hint = closest(cell.text, self.palette)
        allowed = f"#rrggbb, {listed(self.palette)}"
        self.problems.error("unknown-colour", cell.place, message, value=cell.text, allowed=allowed, hint=hint)
        return "#000000"


def _found(table: Table, name: str, cells: Sequence[Cell], typing: Habit) -> list[Value]:
    """Numbers or flags, if every filled cell is one, else texts.

    Texts among which some look like numbers know why they are none.
    """
    filled = {cell.text.lower() for cell in cells if cell.text}
    if filled and filled <= _FLAGS.keys():
        table.taken[name] = _KINDS["flag"]
        return [Flag(cell.text, _FLAGS.get(cell.text.lower(), False)) for cell in cells]
    # Columns say the same again and again.
    numbers = {text: typing.number(text) for text in dict.fromkeys(cell.text for cell in cells)}
    words = next((at for at, cell in enumerate(cells) if cell.text and numbers[cell.text] is None), None)
    if all(number is None for number in numbers.values()):
        table.taken[name] = "text"
        return [cell.text for cell in cells]
    if words is not None:
        blamed, beside = cells[words], ""
        if typing.doubtful and Habit(",").number(blamed.text) is not None:
            # Of 1.000 and 2,5 it is the 1.000 that somebody must write otherwise.
            blamed = next((cell for cell in cells if cell.text == typing.doubtful), blamed)
            which = "which" if blamed.text == typing.doubtful else f'and "{typing.doubtful[:40]}"'
            beside = f", {which} may be a thousand or a number with a fraction"
        table.taken[name] = f"text (for row {blamed.place.row})"
        why = f'the column "{name}" is text, for row {blamed.place.row} says "{blamed.text[:40]}"{beside}'
        hint = f'Mend the cell, or declare it in game.toml: [table.{table.name}.columns.{name}] type = "number" or "text".'
        return [CellText(cell.text, why, hint) for cell in cells]
    table.taken[name] = "numbers"
    empty = next((cell.place.row for cell in cells if not cell.text), None)
    why = f'the column "{name}" has empty cells, as in row {empty}'
    hint = f"Fill it, or ask first: {{% if row.{name} %}}."
    made = {text: CellText("", why, hint) if number is None else Number(text, number) for text, number in numbers.items()}
    return [made[cell.text] for cell in cells]


def _index(table: Table) -> dict[str, Row]:
    named = {str(row.cells["name"].text).casefold(): row for row in reversed(table.rows) if "name" in row.cells}
    return named | {row.id.casefold(): row for row in table.rows}


def _names(index: Mapping[str, Row]) -> list[tuple[str, Row]]:
    rows = {row.id: row for row in sorted(index.values(), key=lambda row: row.place.row or 0)}
    return [(row.cells["name"].text if "name" in row.cells else row.id, row) for row in rows.values()]


RULE = "computed-column"
# For so many rows there are as many steps as for a claim.


def computed(
    table: Table,
    columns: Mapping[str, Column],
    tables: Mapping[str, Table],
    palette: Mapping[str, str],
    place_of: Callable[[str], Place],
    problems: Problems,
) -> Table:
    """The table with its computed columns; ``place_of``: a column's place in game.toml."""
    wanted = {name: column for name, column in columns.items() if column.value is not None}
    if not wanted:
        return table
    # Only few games compute, and this takes a moment to load.
    from pnp.sandbox.expressions import Expression, Expressions

    expressions = Expressions({})
    filler = _Filler(_typing(table), tables, palette, problems)
    compiled: dict[str, Expression] = {}
    asked: dict[str, frozenset[str]] = {}
    for name, column in wanted.items():
        if name in table.columns:
            message = f'the table has a column "{name}", and game.toml computes it as well'
            problems.error(RULE, place_of(name), message, value=name, hint="Remove one of the two, or rename it.")
            continue
        try:
            compiled[name] = expressions.compile(column.value or "")
            asked[name] = compiled[name].names
        except Fault as bad:
            problems.extend([bad.problem(RULE, place_of(name), f'"{column.value}" cannot be computed: ')])
    try:
        order = [*TopologicalSorter({name: asked[name] & compiled.keys() for name in compiled}).static_order()]
    except CycleError as error:
        circle = error.args[1]
        message = f"{' needs '.join(reversed(circle))}: none of these can be computed first"
        problems.error(RULE, place_of(circle[0]), message, value=circle[0], hint="Compute one of them from typed columns.")
        return table
    for name in order:
        table.use(asked[name] & {*table.columns})
        texts = _texts(table, name, compiled[name], filler, place_of(name))
        table = _with(table, name, wanted[name], texts, filler)
    return table


def _texts(table: Table, name: str, expression: Any, filler: _Filler, place: Place) -> list[str | bool]:
    made: list[str | bool] = []
    first: tuple[Row, Fault] | None = None
    failed = 0
    at(f"computing the column {name} ({place})", restarts=False)
    for row in table:
        made.append("")
        if not row.sound:
            # What is wrong with it is told.
            continue
        values = {column: cell.value for column, cell in row.cells.items()}
        try:
            made[-1] = _said(expression.value({"id": row.id, "copies": row.copies, "row": row, **values}), filler.typing)
        except Fault as bad:
            first, failed, row.sound = first or (row, bad), failed + 1, False
    if first is not None:
        row, fault = first
        also = f" (and in {failed - 1} more rows)" if failed > 1 else ""
        message = f"the column has no value in this row{also}: {fault.message} ({place})"
        hint = fault.hint
        allowed = fault.allowed
        filler.problems.error(RULE, replace(row.place, column=name), message, value=fault.value, allowed=allowed, hint=hint)
    return made


def _said(value: Any, typing: Habit) -> str | bool:
    from pnp.sandbox.values import printable

    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        if not math.isfinite(value) or abs(value) >= 1e15:
            raise Fault("the number is too large", "", "less than fifteen digits")
        return typing.typed(value)
    return str(printable(value))


def _with(table: Table, name: str, column: Column, texts: list[str | bool], filler: _Filler) -> Table:
    if column.type is None and texts and all(isinstance(text, bool) for text in texts):
        column = column.model_copy(update={"type": "flag"})
    for row, said in zip(table, texts, strict=True):
        text = {True: "yes", False: "no"}[said] if isinstance(said, bool) else said
        row.cells = {**row.cells, name: Cell(text, text, replace(row.place, column=name))}
    table = replace(table, columns=(*table.columns, name))
    sound = [row for row in table if row.sound]
    values = filler.values(replace(table, rows=tuple(sound)), name, column)
    for row, value in zip(sound, values, strict=True):
        row.cells = {**row.cells, name: replace(row.cells[name], value=value)}
    return table


# What stands for something: small letters without spaces.
_KEY = re.compile(r"[a-z0-9_][a-z0-9._/+-]*")


def with_words(
    tables: Mapping[str, Table], rules: Mapping[str, TableRules], palette: Mapping[str, str], folder: Path, printed: Set[str]
) -> dict[str, Table]:
    """The tables, with the columns whose cells are translated; of those in ``printed`` all are on the pieces."""
    drawings = {path.relative_to(folder / "art").with_suffix("").as_posix() for path in (folder / "art").rglob("*.*")}
    ids = (row.id for table in tables.values() for row in table if _KEY.fullmatch(row.id))
    names = {*palette, *drawings, *ids}
    made = {}
    for name, table in tables.items():
        described = rules[name].columns
        keys = None if name in printed else names
        words = tuple(
            column for column in table.columns if _holds_words(table, column, described.get(column), keys, drawings)
        )
        made[name] = replace(table, words=words)
    return made


def _holds_words(table: Table, column: str, described: Column | None, names: Set[str] | None, drawings: Set[str]) -> bool:
    """Whether cells are words; ``names`` of what may be meant instead, None where all that is no drawing is printed."""
    if described is not None and described.translate is not None:
        return described.translate
    if described is not None and (described.table or described.type not in (None, "text")):
        return False
    if column in ("id", table.counted, *PICTURING[: 1 if names is not None else None]) or not table.taken.get(
        column, "text"
    ).startswith("text"):
        return False
    texts = {row.cells[column].text for row in table if worded(row.cells[column].text)}
    if names is None:
        return any(not full(text) for text in texts - drawings)
    named = {text for text in texts if text in names or names >= {*text.split()}}
    return any(len(text) > 1 and not _KEY.fullmatch(text) for text in texts - named)
