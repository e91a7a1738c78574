"""What an expression of a script comes to, as far as its tables and its own words tell."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from pnp.flows.imports.deck import Table, Value
from pnp.flows.imports.squib.tokens import Binary, Call, Choice, Expression, Hash, Listed, NotRead, Number, Words

MOST_ITEMS = 10_000
MOST_LETTERS = 20_000
"""Of a text; ``x = x + x`` thirty times over is longer than any memory."""
MOST_TOGETHER = 2_000_000
"""Of the texts of all rows, or of a list."""


@dataclass(frozen=True, slots=True)
class Data:
    """A table that the script reads."""

    table: Table


@dataclass(frozen=True, slots=True)
class Cells:
    """A text for each row of a table; ``value`` says it by columns where that is possible."""

    table: Table
    texts: tuple[str | None, ...]
    value: Value | None = None


@dataclass(frozen=True, slots=True)
class Rows:
    """How many rows a table has."""

    table: Table


T = TypeVar("T")
Worth = None | bool | float | str | list["Worth"] | dict[str, "Worth"] | Data | Cells | Rows


@dataclass(slots=True)
class Names:
    """What the names of a script stand for, and who reads the files that it names."""

    known: dict[str, Worth] = field(default_factory=dict)
    load: Callable[[Call, Mapping[str, Worth]], Worth] | None = None

    def within(self, more: Mapping[str, Worth]) -> Names:
        return Names({**self.known, **more}, self.load)


def worth(what: Expression, names: Names) -> Worth:
    """Raises NotRead, for what is too long, too deep or too large as well."""
    try:
        found = _worth(what, names)
    except RecursionError:
        raise NotRead("it is nested too deeply") from None
    except OverflowError:
        raise NotRead("a number in it is too large") from None
    if isinstance(found, float) and not math.isfinite(found):
        raise NotRead("a number in it is too large")
    if isinstance(found, str):
        _not_too_long(len(found))
    if isinstance(found, list) and len(found) > MOST_ITEMS:
        raise NotRead(f"a list in it has more than {MOST_ITEMS} items")
    return found


def _not_too_long(letters: int) -> None:
    """Raises NotRead."""
    if letters > MOST_LETTERS:
        raise NotRead(f"a text in it is longer than {MOST_LETTERS} letters")


def _few(found: Iterable[T]) -> tuple[T, ...]:
    """Texts that are not too long together. Raises NotRead."""
    kept: list[T] = []
    letters = 0
    for each in found:
        letters += len(each) if isinstance(each, str) else 0
        if letters > MOST_TOGETHER:
            raise NotRead(f"its texts are longer than {MOST_TOGETHER} letters together")
        kept.append(each)
    return tuple(kept)


def _put_together(parts: Iterable[str], between: str = "") -> str:
    """One text. Raises NotRead."""
    kept: list[str] = []
    letters = 0
    for part in parts:
        letters += len(part) + len(between)
        _not_too_long(letters)
        kept.append(part)
    return between.join(kept)


def _worth(what: Expression, names: Names) -> Worth:
    if isinstance(what, Words):
        return _joined([part if isinstance(part, str) else worth(part, names) for part in what.parts])
    if isinstance(what, Number):
        return what.value
    if isinstance(what, Listed):
        return [worth(item, names) for item in what.items]
    if isinstance(what, Hash):
        return {_word(worth(key, names)): worth(value, names) for key, value in what.items}
    if isinstance(what, Choice):
        chosen = what.yes if truth(worth(what.condition, names)) else what.no
        return None if chosen is None else worth(chosen, names)
    if isinstance(what, Binary):
        return _binary(what, names)
    return _call(what, names)


def truth(found: Worth) -> bool:
    """What Ruby takes for true. Raises NotRead for what differs from row to row."""
    if isinstance(found, Cells | Data):
        raise NotRead("it is decided for each card by a condition")
    return found is not None and found is not False


def word(found: Worth) -> str:
    """A value as a text, as Ruby would write it."""
    if isinstance(found, bool):
        return "true" if found else "false"
    if isinstance(found, float | int):
        return f"{found:g}" if found == int(found) else repr(found)
    return _word(found)


def _word(found: Worth) -> str:
    if found is None:
        return ""
    if isinstance(found, str):
        return found
    if isinstance(found, float):
        return word(found)
    raise NotRead("a list stands where a text was expected")


def _joined(parts: list[Worth]) -> Worth:
    """Texts one after another; where one of them has a text for each row, so has the whole."""
    cells = [part for part in parts if isinstance(part, Cells)]
    if not cells:
        return _put_together(word(part) for part in parts)
    table = cells[0].table
    if any(each.table is not table for each in cells):
        raise NotRead("it puts together cells of two tables")
    value: Value = ()
    known = all(each.value is not None for each in cells)
    texts = _few(
        _put_together((part.texts[at] or "") if isinstance(part, Cells) else word(part) for part in parts)
        for at in range(len(table.rows))
    )
    for part in parts if known else ():
        value += (part.value or ()) if isinstance(part, Cells) else (word(part),)
    return Cells(table, texts, value if known else None)


def _binary(what: Binary, names: Names) -> Worth:
    left, right = worth(what.left, names), worth(what.right, names)
    op = what.op
    if op in ("||", "or"):
        return left if truth(left) else right
    if op in ("&&", "and"):
        return right if truth(left) else left
    if op in ("==", "!="):
        if isinstance(left, Cells | Data) or isinstance(right, Cells | Data):
            raise NotRead("it compares the cells of all cards")
        return _same(left, right) == (op == "==")
    if op == "+" and (isinstance(left, str | Cells) or isinstance(right, str | Cells)):
        return _joined([left, right])
    if op == "+" and isinstance(left, list) and isinstance(right, list):
        return [*left, *right]
    if (
        op == "*"
        and isinstance(left, list | str)
        and isinstance(right, float | int)
        and 0 <= right * len(left) <= MOST_ITEMS
    ):
        return left * int(right)
    if op in ("..", "..."):
        first, last = _number(left), _number(right)
        if last < 0 or last - first > MOST_ITEMS:
            return {"first": first, "last": last}
        return [float(at) for at in range(int(first), int(last) + (op == ".."))]
    one, two = _number(left), _number(right)
    if op == "/" and two == 0:
        raise NotRead("it divides by 0")
    sums: dict[str, Callable[[], Worth]] = {
        "+": lambda: one + two,
        "-": lambda: one - two,
        "*": lambda: one * two,
        "/": lambda: one / two,
        "%": lambda: one % two if two else 0.0,
        "<": lambda: one < two,
        ">": lambda: one > two,
        "<=": lambda: one <= two,
        ">=": lambda: one >= two,
    }
    if op not in sums:
        raise NotRead(f"{op} is not read")
    return sums[op]()


def _same(left: Worth, right: Worth) -> bool:
    try:
        return float(word(left)) == float(word(right))
    except (ValueError, NotRead):
        return left == right


def _number(found: Worth) -> float:
    if isinstance(found, Rows):
        return float(len(found.table.rows))
    if isinstance(found, bool) or not isinstance(found, float | int | str):
        raise NotRead("something stands where a number was expected")
    try:
        number = float(found)
    except ValueError:
        raise NotRead(f'"{found}" stands where a number was expected') from None
    if not math.isfinite(number):
        raise NotRead(f'"{found}" is too large a number')
    return number


_UNITS = {"mm": "mm", "cm": "cm", "inches": "in", "cells": "c", "points": "pt"}
_LOADERS = ("csv", "xlsx", "yaml", "Squib::csv", "Squib::xlsx", "Squib::yaml")


def _call(what: Call, names: Names) -> Worth:
    if what.on is None:
        if what.name in names.known:
            return names.known[what.name]
        if what.name in ("nil", "true", "false"):
            return {"nil": None, "true": True, "false": False}[what.name]
        if what.name in _UNITS and len(what.args) == 1:
            return f"{_number(worth(what.args[0], names)):g}{_UNITS[what.name]}"
        if what.name in _LOADERS and names.load is not None:
            return names.load(what, {key: worth(value, names) for key, value in what.options.items()})
        raise NotRead(f'only a run of the script knows "{what.name}"')
    if isinstance(what.on, Call) and what.on.on is None and what.on.name == "Squib" and names.load is not None:
        if what.name in _LOADERS:
            return names.load(what, {key: worth(value, names) for key, value in what.options.items()})
        raise NotRead(f"Squib.{what.name} is not read")
    on = worth(what.on, names)
    if what.name == "itself":
        return on
    if what.name == "!":
        return not truth(on)
    if isinstance(on, Data):
        return _of_data(on.table, what, names)
    if what.name in ("map", "collect") and isinstance(on, Cells):
        return _mapped_cells(on, what, names)
    if what.name in ("map", "collect") and isinstance(on, list):
        return list(_few(_applied(what, item, names) for item in on))
    if isinstance(on, Cells) and what.name in ("size", "length", "count") and not what.args:
        return Rows(on.table)
    if isinstance(on, Cells) and what.name != "[]":
        return Cells(on.table, _few(_text(_method(what, text, names)) for text in on.texts))
    return _method(what, on, names)


def _of_data(table: Table, what: Call, names: Names) -> Worth:
    if what.name in ("nrows", "row_count"):
        return Rows(table)
    name = word(worth(what.args[0], names)) if what.name == "[]" and what.args else what.name
    column = table.column(name)
    if column is None:
        raise NotRead(f'the table has no column "{name}"')
    return Cells(table, tuple(row.get(column.name) or None for row in table.rows), (column,))


def _mapped_cells(on: Cells, what: Call, names: Names) -> Worth:
    block = what.block
    if block and len(block.names) == 1 and len(block.statements) == 1:
        inner = block.statements[0]
        body = inner.on if isinstance(inner, Call) and inner.name == "itself" else None
        if isinstance(body, Words):
            return worth(body, names.within({block.names[0]: on}))
    return Cells(on.table, _few(_text(_applied(what, text, names)) for text in on.texts))


def _text(found: Worth) -> str | None:
    return None if found is None else word(found)


def _applied(what: Call, item: Worth, names: Names) -> Worth:
    """What a block, or ``&:method``, makes of one item."""
    if what.block is not None and len(what.block.names) == 1 and len(what.block.statements) == 1:
        inner = what.block.statements[0]
        if isinstance(inner, Call | Choice):
            return worth(inner, names.within({what.block.names[0]: item}))
    if len(what.args) == 1 and isinstance(what.args[0], Call) and what.args[0].name == "&":
        named = what.args[0].args[0]
        if isinstance(named, Words):
            return _method(Call(what.line, word(worth(named, names))), item, names)
    raise NotRead("what its block does is not read")


def _method(what: Call, on: Worth, names: Names) -> Worth:
    """The few methods that scripts use on texts and lists."""
    args = [worth(each, names) for each in what.args]
    simple: dict[str, Callable[[], Worth]] = {
        "nil?": lambda: on is None,
        "to_s": lambda: word(on),
        "to_sym": lambda: word(on),
        "to_i": lambda: float(int(_number(on))),
        "to_f": lambda: _number(on),
        "empty?": lambda: not on,
    }
    if not args and what.name in simple:
        return simple[what.name]()
    if isinstance(on, str):
        texts: dict[str, Callable[[], Worth]] = {
            "upcase": on.upper,
            "downcase": on.lower,
            "capitalize": on.capitalize,
            "strip": on.strip,
            "chomp": on.rstrip,
            "size": lambda: float(len(on)),
            "length": lambda: float(len(on)),
        }
        if not args and what.name in texts:
            return texts[what.name]()
        if what.name in ("gsub", "sub") and len(args) == 2 and all(isinstance(each, str) for each in args):
            _not_too_long(len(on) + on.count(str(args[0])) * len(str(args[1])))
            return on.replace(str(args[0]), str(args[1]), -1 if what.name == "gsub" else 1)
        if what.name == "split" and len(args) <= 1:
            return list(on.split((word(args[0]) if args else None) or None))
    if isinstance(on, dict) and what.name == "[]" and len(args) == 1:
        return on.get(word(args[0]))
    if isinstance(on, list):
        if what.name == "[]" and len(args) == 1 and -len(on) <= (at := int(_number(args[0]))) < len(on):
            return on[at]
        if what.name in ("size", "length", "count") and not args:
            return float(len(on))
        if what.name == "join" and len(args) <= 1:
            return _put_together(map(word, on), word(args[0]) if args else "")
        if what.name in ("to_a", "compact", "each"):
            return [each for each in on if each is not None]
    raise NotRead(f'"{what.name}" is not read')
