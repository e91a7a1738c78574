"""Explains to a person what Python says of values and calls, and what Jinja says of a template's syntax."""

from __future__ import annotations

import re
from collections.abc import Collection

from pnp.values.problems import Fault, Place, closest

_KINDS = {
    **dict.fromkeys(("str", "CellText", "Markup"), "a text"),
    **dict.fromkeys(("int", "float", "Number"), "a number"),
    **dict.fromkeys(("bool", "Flag"), "true or false"),
    **dict.fromkeys(("list", "tuple"), "a list"),
    "NoneType": "an empty cell",
    "dict": "a mapping",
    "Row": "a row",
}

_DECLARE = 'A column of numbers is declared in game.toml: [table.NAME.columns.COLUMN] type = "number"; ~ joins texts.'
_CALL = r"(?:[\w<>]+\.)*<?(?P<name>\w+)>?\(\) "
_APART = "{kind} and {other} do not go together with {sign}"
# What Python and Jinja say of a value or a call, and what it means; the groups are kinds of values, or names.
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
    """Rewords Python's message about values that do not go together, or about a call; None for other messages."""
    if isinstance(error, ZeroDivisionError):
        return Fault("it divides by 0")
    for pattern, sentence in _SAID if isinstance(error, TypeError | NameError) else ():
        if said := re.match(pattern, str(error)):
            words = said.groupdict()
            words |= {key: _KINDS.get(words[key], "this") for key in ("kind", "other") if key in words}
            mixed = {words.get("kind"), words.get("other")} == {"a text", "a number"}
            return Fault(sentence.format(**words).replace('"lambda"', "this"), hint=_DECLARE if mixed else "")
    return None


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
