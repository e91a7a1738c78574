"""Compares, orders and prints the values of expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from itertools import islice
from typing import Any, NamedTuple

from jinja2.runtime import Undefined
from markupsafe import Markup

from pnp.values.languages import Translated, original
from pnp.values.problems import Fault, listed
from pnp.values.tables import Flag, Number, Row, unwrapped


class Group(NamedTuple):
    """Things with one value in common."""

    grouper: Any
    list: list[Any]


_FIRST = 32
_PRINTED = (str, int, float, Row, Undefined)
OFTEN = frozenset((str, Markup, int, float))
"""Types that templates mostly print; :func:`printable` would return their values unchanged."""


def printable(value: Any) -> Any:
    """A value for text: texts, numbers, flags and rows; an empty cell is an empty text.

    Lists have brackets that nobody wants to read, and whatever else there is prints as its place in the memory, which is
    another one each time. Raises Fault.
    """
    if isinstance(value, _PRINTED):
        return value
    if value is None:
        return ""
    if _is_list(value):
        raise Fault("a list is no text", allowed="a text, a number, true or false", hint='Write … | join(", ").')
    hint = "Call it: write its brackets behind it." if callable(value) else ""
    raise Fault("this is no text", allowed="a text, a number, true or false", hint=hint)


def plain(value: Any) -> Any:
    """A value without Python objects in its first items, which would print as memory addresses. Long lists are not
    searched whole: printing looks again. Raises Fault.
    """
    waiting, looked = [value], 0
    while waiting and looked < _FIRST:
        thing, looked = waiting.pop(), looked + 1
        if isinstance(thing, Mapping):
            waiting += [*islice(thing, _FIRST), *islice(thing.values(), _FIRST)]
        elif isinstance(thing, list | tuple | set | frozenset):
            waiting += islice(thing, _FIRST)
        elif callable(thing) and not isinstance(thing, Undefined):
            raise Fault("this is no text", allowed="a text, a number, a list", hint="Call it: write its brackets.")
    return value


def in_order(things: set[Any] | frozenset[Any]) -> list[Any]:
    """A set as a sorted list, equal on every machine: numbers by size, then all else by its text."""

    def place(thing: Any) -> tuple[bool, float, str]:
        thing = unwrapped(thing)
        number = isinstance(thing, int | float)
        return (False, thing, "") if number else (True, 0.0, str(printable(thing)) if not _is_list(thing) else shown(thing))

    return sorted(things, key=place)


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple | set | frozenset | Mapping | range | Iterator)


def of_text(function: Callable[..., Any], at: int = 0) -> Callable[..., Any]:
    """A filter whose arguments, from index ``at`` on, must be text already."""

    @wraps(function, updated=("__dict__",) if hasattr(function, "__dict__") else ())
    def run(*given: Any, **named: Any) -> Any:
        texts = list(map(printable, given[at:]))
        if isinstance(texts[0], Number):
            texts[0] = str(texts[0])
        return function(*given[:at], *texts, **{name: printable(value) for name, value in named.items()})

    return run


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal; a row also equals its id and its name."""
    if isinstance(one, Row) and isinstance(other, str):
        return one.id == other or str(one) == other
    if isinstance(other, Row) and isinstance(one, str):
        return other.id == one or str(other) == one
    return bool(one == other)


def within(one: Any, many: Any) -> bool:
    """``one in many``; a number is found among texts as it is typed."""
    if one in many or not isinstance(many, Mapping | set | frozenset):
        return one in many
    return isinstance(one, Number | Flag) and (str(one) if isinstance(one, Number) else one.yes) in many


def equal(one: Any, other: Any) -> bool:
    """``one == other``; numbers and flags of a table equal the texts of a set as they are typed."""
    if one == other:
        return True
    if not (isinstance(one, set | frozenset) and isinstance(other, set | frozenset)):
        return False
    left, right = ({str(each) if isinstance(each, Number) else each for each in side} for side in (one, other))
    if left == right:
        return True
    flags = all(isinstance(each, Flag | bool) for each in (*one, *other))
    return flags and set(map(bool, one)) == set(map(bool, other))


def shown(value: Any, most: int = 240) -> str:
    """A value for a person, cut when long."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "nothing"}[value]
    if isinstance(value, str) and not isinstance(value, Number):
        return f'"{value[:most]}…"' if len(value) > most else f'"{value}"'
    if isinstance(value, Group):
        return f"{shown(value.grouper)}: {shown(value.list)}"
    if isinstance(value, Mapping):
        entries = [(key if isinstance(key, str) else shown(key, 60), entry) for key, entry in list(value.items())[:40]]
        return _bounded([f"{key}: {shown(entry, 60)}" for key, entry in entries], len(value), "{}", most)
    if isinstance(value, set | frozenset):
        return _bounded(sorted(shown(each, 60) for each in value), len(value), "{}", most)
    if isinstance(value, list | tuple | range):
        return _bounded([shown(each, 60) for each in value[:40]], len(value), "[]", most)
    if isinstance(value, float):
        return f"{value:.6g}"
    if not isinstance(value, int | Number | Row | Undefined):
        return "…"
    try:
        text = str(value)
        return text if len(text) <= most else f"{text[:most]}…"
    except ValueError:
        return "…"


def _bounded(parts: list[str], count: int, brackets: str, most: int) -> str:
    kept: list[str] = []
    for part in parts:
        if sum(map(len, kept)) + len(part) > most:
            break
        kept.append(part)
    rest = f", … ({count} in all)" if len(kept) < count else ""
    return f"{brackets[0]}{', '.join(kept)}{rest}{brackets[1]}"


def tr(value: Any, language: str) -> str:
    """A text of the game in one of its languages, for a piece that shows two. Raises Fault."""
    text = value["name"] if isinstance(value, Row) and "name" in value else value
    texts = text.texts if isinstance(text, Translated) else {}
    if language in texts:
        return texts[language]
    hint = "Type pnp translate, and fill in what is missing." if texts else "Only what languages/ translates has others."
    raise Fault(f'there is no "{language}" of {shown(value, 60)}', str(language), listed(texts), hint)


def author(value: Any) -> Any:
    """The original of a translated text: for the names of drawings."""
    return original(value) if isinstance(value, str) else value


def sortable(value: Any) -> Any:
    return str(value) if isinstance(value, Row) else value
