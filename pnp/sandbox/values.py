"""Compares, orders and prints the values of expressions; explains what Python and Jinja say of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import wraps
from itertools import islice
from typing import Any, NamedTuple

from jinja2.runtime import Undefined
from markupsafe import Markup

from pnp.values.languages import Translated, original
from pnp.values.problems import Fault, Place, closest, listed
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


_KINDS = {
    **dict.fromkeys(("str", "CellText", "Markup"), "a text"),
    **dict.fromkeys(("int", "float", "Number"), "a number"),
    **dict.fromkeys(("bool", "Flag"), "true or false"),
    **dict.fromkeys(("list", "tuple"), "a list"),
    "NoneType": "an empty cell",
    "dict": "a mapping",
    "Row": "a row",
}


# What Python and Jinja say of a value or a call, and what it means; the groups are kinds of values, or names.
_DECLARE = 'A column of numbers is declared in game.toml: [table.NAME.columns.COLUMN] type = "number"; ~ joins texts.'
_CALL = r"(?:[\w<>]+\.)*<?(?P<name>\w+)>?\(\) "
_APART = "{kind} and {other} do not go together with {sign}"
_SAID = (
    (r"'(?P<sign>.{1,4})' not supported between instances of '(?P<kind>\w+)' and '(?P<other>\w+)'", _APART),
    (r"unsupported operand type\(s\) for (?P<sign>[^:]{1,20}): '(?P<kind>\w+)' and '(?P<other>\w+)'", _APART),
    (r'can only concatenate (?P<kind>str) \(not "(?P<other>\w+)"\) to str', _APART.replace("{sign}", "+")),
    (r"can't multiply sequence by non-int of type '(?P<kind>\w+)'", "a text and {kind} do not go together with *"),
    (r"'(?P<kind>\w+)' object cannot be interpreted as an integer", "{kind} stands where a whole number is needed"),
    (r"'(?P<kind>\w+)' object is not iterable", "{kind} is no list"),
    (r"macro '(?P<name>\w+)' takes not more than (?P<most>\d+) argument", '"{name}" takes no more than {most} things'),
    (_CALL + "takes .* positional arguments? but", '"{name}" is given more than it takes'),
    (_CALL + r"missing \d+ required .*?: '(?P<lost>\w+)'", '"{name}" is called without its "{lost}"'),
    (_CALL + r"got an unexpected keyword argument '(?P<lost>\w+)'", '"{name}" takes no "{lost}"'),
    (r"name '(?:inf|nan)' is not defined", "a number in it is too large"),
)


def unlike(error: Exception) -> Fault | None:
    """What Python says of values that do not go together, or of a call, for a person; None for other messages."""
    if isinstance(error, ZeroDivisionError):
        return Fault("it divides by 0")
    for pattern, sentence in _SAID if isinstance(error, TypeError | NameError) else ():
        if said := re.match(pattern, str(error)):
            words = said.groupdict()
            words |= {key: _KINDS.get(words[key], "this") for key in ("kind", "other") if key in words}
            mixed = {words.get("kind"), words.get("other")} == {"a text", "a number"}
            return Fault(sentence.format(**words).replace('"lambda"', "this"), hint=_DECLARE if mixed else "")
    return None


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


CURLY = "“”„‟‘’‚‛"
_WRITE = "A value is written {{ … }}, a command {% … %}."
_TAG = re.compile(r"\{%[-+]?[ \t]*(\w+)")
# How other languages write what stands between braces.
_OTHERS = {
    "&": "and", "|": "or", "!": "not", "?": "a if condition else b", "≥": ">=", "≤": "<=", "≠": "!=", "×": "*", "÷": "/",
    "−": "-", "–": "-", "=": "what is compared before ==: no = stands first",
}  # fmt: skip
FILTERS = {"uppercase": "upper", "lowercase": "lower", "capitalise": "capitalize", "size": "length", "len": "length"}
# What is opened and has to be closed.
_CLOSED = ("if", "for", "block", "macro", "call", "filter", "raw", "autoescape", "with")


def of_grammar(message: str, place: Place, source: str, filters: Collection[str]) -> Fault:
    """Explains a syntax error at a line of the source."""
    if found := re.search(r"unexpected (?:char )?'([^])}])'", message):
        if found[1] in CURLY:
            hint = "Type straight ones, in a text editor: a word processor bends them."
            return Fault(f"there is a curly quotation mark, {found[1]}", found[1], hint=hint, place=place)
        hint = f"Write {_OTHERS[found[1]]}." if found[1] in _OTHERS else ""
        return Fault(f"{found[1]} has no meaning there", found[1], hint=hint, place=place)
    if found := re.search("No (filter|test) named '([^']*)'", message):
        what, name = found[1], found[2]
        meant = FILTERS.get(name, "")
        hint = (f"Write |{meant}." if meant else closest(name, filters)) if what == "filter" else ""
        return Fault(f'there is no {what} "{name}"', name, hint=hint, place=place)
    if "currently looking for" in message or "Unexpected end of template" in message:
        return _unclosed(message, place, source)
    if found := re.search("Encountered unknown tag '([^']*)'", message):
        hint = closest(found[1], (*_CLOSED, *(f"end{name}" for name in _CLOSED), "else", "elif", "set", "include", "import"))
        return Fault(f"{{% {found[1]} %}} stands where nothing of the kind is open", found[1], hint=hint, place=place)
    if found := re.fullmatch(r"unexpected '([})\]])', expected '([})\]])'", message):
        opened = {")": "(", "]": "[", "}": "{"}[found[2]]
        return Fault(f"{opened} is not closed: {found[2]} is missing before {found[1]}", found[1], place=place)
    if found := re.fullmatch(r"unexpected '([})\]])'", message):
        told = f"there is a {found[1]} too many here, or its opening one is missing"
        return Fault(told, found[1], hint=_WRITE, place=place)
    if "Missing end of comment tag" in message:
        return Fault("a note that begins with {# has no #} at its end", "{#", place=place)
    if found := re.search("expected token '([^']*)', got '([^']*)'", message):
        return _unexpected(found[1], found[2], place)
    return Fault(f"{message[:1].lower()}{message[1:].rstrip('.')}", place=place)


def _unclosed(message: str, place: Place, source: str) -> Fault:
    """The innermost open bracket or block, and where it was opened."""
    before = len(source) if place.row is None or "Unexpected end" in message else source_offset(source, place.row)
    opened: list[tuple[str, int]] = []
    for tag in _TAG.finditer(source):
        name = tag[1]
        if tag.start() >= before:
            break
        if name in _CLOSED:
            opened.append((name, source.count("\n", 0, tag.start()) + 1))
        elif name.startswith("end") and opened:
            opened.pop()
    if not opened:
        return Fault(message, place=place)
    name, begun = opened[-1]
    found = re.search("Encountered unknown tag '([^']*)'", message)
    where = f" before {{% {found[1]} %}} in line {place.row}" if found else ""
    return Fault(f"{{% {name} %}} is not closed: {{% end{name} %}} is missing{where}", name, place=Place(place.file, begun))


def source_offset(source: str, line: int) -> int:
    """The offset at which a line begins."""
    return sum(len(each) + 1 for each in source.split("\n")[: line - 1])


def _unexpected(wanted: str, got: str, place: Place) -> Fault:
    if wanted == "end of statement block" and got == "=":
        return Fault("a single = compares nothing", "=", hint="Write == to compare.", place=place)
    if wanted in ("end of print statement", "end of statement block"):
        end = "}}" if "print" in wanted else "%}"
        hint = "Write {% elif … %}." if got == "if" else ""
        return Fault(f"what stands between the braces goes on with {got}, where {end} was due", got, hint=hint, place=place)
    got = {"integer": "a number", "float": "a number", "string": "a text"}.get(got, got)
    if (wanted, got) == (":", "}"):
        return Fault("braces stand inside braces", "{{", hint="Write the name alone: s.text(row.name, …).", place=place)
    if wanted in (",", ")"):
        return Fault(f"a comma, or a closing bracket, is missing before {got}", got, place=place)
    return Fault(f"there is {got} where {wanted} was due", got, place=place)
