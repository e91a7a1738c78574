"""What cells of a table hold when it matters how they were typed: numbers, flags, and texts that are no numbers.

All are texts, and do as such all that they did before anybody looked at the whole column: they print as they were
typed, are found in lists of words, can be split. A number computes and compares as a number besides, and a flag is true or
false.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Self


class Mismatch(Exception):
    """A text was taken for a number, or a number for a text; says to a person where it was typed and how to mend it."""

    def __init__(self, message: str, value: str = "", allowed: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.value, self.allowed, self.hint = value, allowed, hint


class CellText(str):
    """A cell of a column in which others are numbers: as text it is like any other, as a number it says why it is none."""

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
    """A number that prints as it was typed: 1.50 stays 1.50 and 1,5 stays 1,5. It is equal to its text and to its number."""

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

    def __ne__(self, other: object) -> bool:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal

    def __hash__(self) -> int:
        return hash(self.number)

    def __bool__(self) -> bool:
        return self.number != 0 or not self.declared

    def __int__(self) -> int:
        return int(self.number)

    def __float__(self) -> float:
        return float(self.number)

    def __index__(self) -> int:
        if not isinstance(self.number, int):
            raise Mismatch(f"{self} is not a whole number", str(self), "a whole number")
        return self.number

    def __round__(self, digits: int | None = None) -> int | float:
        return round(self.number, digits)

    def __abs__(self) -> int | float:
        return abs(self.number)

    def __neg__(self) -> int | float:
        return -self.number

    def __pos__(self) -> int | float:
        return self.number

    def __format__(self, form: str) -> str:
        """As a number where the format is one of numbers."""
        try:
            return str.__format__(self, form)
        except ValueError:
            return format(self.number, form)

    def lower(self) -> Self:
        """Itself: a sort that looks at no capitals asks for it, and sorts numbers then."""
        return self

    def casefold(self) -> Self:
        return self


class Flag(str):
    """A yes or no that prints as it was typed: FALSE stays FALSE. It is equal to its text and to true or false.

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

    def __ne__(self, other: object) -> bool:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal

    __hash__ = str.__hash__

    def __bool__(self) -> bool:
        return self.yes


def unwrapped(value: Any) -> Any:
    """A number as Python has it; anything else as it is."""
    return value.number if isinstance(value, Number) else value


def canonical(number: int | float) -> str:
    """The shortest way of typing a number: that of 3.0 is 3."""
    return str(int(number)) if float(number).is_integer() else str(number)


def _no_number(cell: CellText) -> Mismatch:
    return Mismatch(f"{cell.why}: it cannot be used as a number", str(cell), hint=cell.hint)


def _side(other: object) -> int | float | None:
    """The other side of an operator, where it is a number; None where Python knows better. Raises Mismatch for a text."""
    if isinstance(other, Number):
        return other.number
    if isinstance(other, int | float):
        return other
    if isinstance(other, CellText):
        raise _no_number(other)
    if isinstance(other, str):
        text = str(other)[:80]
        hint = "Leave the quotation marks off to compare or compute; join texts with ~."
        raise Mismatch(f'a number cannot be used with the text "{text}"', text, "a number", hint)
    return None


def _of_numbers(name: str, turned: bool = False) -> Callable[[Number, Any], Any]:
    """An operator of numbers; ``turned``: this number stands on its right."""
    compute: Callable[[Any, Any], Any] = getattr(operator, name)

    def run(self: Number, other: Any) -> Any:
        if turned and isinstance(other, str) and name in _OF_TEXTS:
            # A text with places to fill in, or one that is repeated.
            return _OF_TEXTS[name](other, self)
        side = _side(other)
        return NotImplemented if side is None else compute(side, self.number) if turned else compute(self.number, side)

    return run


def _of_text(name: str) -> Callable[[CellText, Any], Any]:
    """The same of texts, which know nothing of numbers."""
    usual: Callable[[Any, Any], Any] | None = getattr(str, name, None)

    def run(self: CellText, other: Any) -> Any:
        if isinstance(other, int | float | Number):
            raise _no_number(self)
        if usual is None:
            return str.__add__(other, self) if name == "__radd__" and isinstance(other, str) else NotImplemented
        return usual(self, other)

    return run


_OF_TEXTS: dict[str, Callable[[str, Any], str]] = {"mod": str.__mod__, "mul": lambda text, times: str(text) * int(times)}
for _name in ("lt", "le", "gt", "ge"):
    setattr(Number, f"__{_name}__", _of_numbers(_name))
    setattr(CellText, f"__{_name}__", _of_text(f"__{_name}__"))
for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow"):
    setattr(Number, f"__{_name}__", _of_numbers(_name))
    setattr(Number, f"__r{_name}__", _of_numbers(_name, turned=True))
    if _name not in _OF_TEXTS:
        setattr(CellText, f"__{_name}__", _of_text(f"__{_name}__"))
        setattr(CellText, f"__r{_name}__", _of_text(f"__r{_name}__"))
