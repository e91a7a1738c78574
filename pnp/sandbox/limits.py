"""What a filter of templates, or a method after a dot, is about to make: it pays for that before it makes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pnp.sandbox.counting import LETTERS, Counted
from pnp.sandbox.values import BadExpression, shown
from pnp.values.cells import unwrapped

# The deepest that tojson moves in, and places behind a decimal point.
MOST_INDENT, MOST_PLACES = 40, 30


def _whole(number: Any) -> int:
    number = unwrapped(number)
    return (
        abs(int(number))
        if isinstance(number, int | float) and abs(number) < 1e15
        else 0
        if isinstance(number, str)
        else 10**15
    )


def _of_width(environment: Counted, value: Any, width: Any = 80, *_: Any, **__: Any) -> None:
    environment.spend(_whole(width) // LETTERS)


def _of_indent(environment: Counted, s: Any, width: Any = 4, *_: Any, **__: Any) -> None:
    width = unwrapped(width)
    wide = len(width) if isinstance(width, str) else _whole(width)
    environment.spend((len(str(s).splitlines()) + 1) * wide // LETTERS)


def _of_replace(environment: Counted, s: Any, old: Any = "", new: Any = "", *_: Any, **__: Any) -> None:
    environment.spend((str(s).count(str(old)) + 1) * len(str(new)) // LETTERS)


def _of_wrap(
    environment: Counted, s: Any, width: Any = 79, _: Any = True, wrapstring: Any = None, *__: Any, **___: Any
) -> None:
    environment.spend(len(str(s)) * len(str(wrapstring or "")) // LETTERS)


def _of_join(environment: Counted, value: Any, d: Any = "", *_: Any, **__: Any) -> None:
    if hasattr(value, "__len__"):
        environment.spend(len(value) * len(str(d)) // LETTERS)


def _of_parts(
    environment: Counted, value: Any, parts: Any = 0, *_: Any, linecount: Any = 0, slices: Any = 0, **__: Any
) -> None:
    environment.spend(_whole(parts or linecount or slices))


def _of_json(environment: Counted, value: Any, indent: Any = None) -> None:
    if indent is not None and _whole(indent) > MOST_INDENT:
        raise BadExpression(f"tojson moves in by at most {MOST_INDENT}", shown(indent))


def _of_round(environment: Counted, value: Any, precision: Any = 0, *_: Any, **__: Any) -> None:
    if _whole(precision) > MOST_PLACES:
        raise BadExpression(f"a number is rounded to at most {MOST_PLACES} places", shown(precision))


def _of_sum(environment: Counted, iterable: Any, attribute: Any = None, start: Any = 0) -> None:
    if not isinstance(unwrapped(start), int | float):
        raise BadExpression(f"{shown(start)} is no number that could be added to", shown(start))


LIMITS: Mapping[str, Callable[..., None]] = {
    "center": _of_width, "indent": _of_indent, "replace": _of_replace, "wordwrap": _of_wrap, "join": _of_join,
    "batch": _of_parts, "slice": _of_parts, "tojson": _of_json, "round": _of_round, "sum": _of_sum,
    ".center": _of_width, ".ljust": _of_width, ".rjust": _of_width, ".zfill": _of_width, ".replace": _of_replace,
    ".join": lambda environment, between, things=(), *_, **__: _of_join(environment, things, between),
}  # fmt: skip
