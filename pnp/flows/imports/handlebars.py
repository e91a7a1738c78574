"""Handlebars templates filled in for one card: its cells, pictures by name, and the few helpers that only work on texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

MOST_LENGTH = 500_000
_TAG = re.compile(r"\{\{\{?\s*([^{}]*?)\s*\}?\}\}")
_BLOCK = re.compile(r"\{\{#(\w+)\s*([^{}]*?)\}\}((?:(?!\{\{[#/]).)*?)\{\{/\1\}\}", re.DOTALL)
_WORD = re.compile(r'\(|\)|"[^"]*"|\'[^\']*\'|[^\s()]+')
_HELPERS: dict[str, Callable[[list[str]], str]] = {
    "uppercase": lambda args: args[0].upper(),
    "lowercase": lambda args: args[0].lower(),
    "kebabcase": lambda args: _kebab(args[0]),
    "concat": lambda args: "".join(args[:2]),
    "padZeros": lambda args: args[0].zfill(min(int(_number(args[1])), 40)),
    "add": lambda args: f"{_number(args[0]) + _number(args[1]):g}",
    "sub": lambda args: f"{_number(args[0]) - _number(args[1]):g}",
    "multiply": lambda args: f"{_number(args[0]) * _number(args[1]):g}",
    "index": lambda args: f"{args[0]}{_kebab(args[1])}",
    "eq": lambda args: _truth(args[0] == args[1]),
    "gt": lambda args: _truth(_number(args[0]) > _number(args[1])),
    "gte": lambda args: _truth(_number(args[0]) >= _number(args[1])),
    "lt": lambda args: _truth(_number(args[0]) < _number(args[1])),
    "lte": lambda args: _truth(_number(args[0]) <= _number(args[1])),
    "and": lambda args: _truth(bool(args[0]) and bool(args[1])),
    "or": lambda args: args[0] or args[1],
    "not": lambda args: _truth(not args[0]),
    "compile": lambda args: args[0],
    "compileImages": lambda args: args[0],
}


class _Unknown(Exception):
    """A helper or a name that is not known here."""


def filled(template: str, row: Mapping[str, str], told: dict[str, None]) -> str:
    """The template with a card's values; what is not known is told, once, as "what\\0why"."""
    text = template[:MOST_LENGTH]
    if len(template) > MOST_LENGTH:
        told[f"the template after {MOST_LENGTH} letters\0no card has so many"] = None
    for _ in range(12):
        changed = _BLOCK.sub(lambda found: _block(found, row, told), text)
        if changed == text or len(changed) > MOST_LENGTH:
            break
        text = changed
    return _TAG.sub(lambda found: _tag(found[1], row, told), text)


def _block(found: re.Match[str], row: Mapping[str, str], told: dict[str, None]) -> str:
    name, condition, inner = found[1], found[2].strip(), found[3]
    yes, _, no = inner.partition("{{else}}")
    try:
        if name in ("if", "unless"):
            return yes if bool(_worth(condition, row)) == (name == "if") else no
        if name in _HELPERS:
            return _worth(f"{name} {condition}", row)
    except _Unknown as reason:
        told[f"{{{{#{name} {condition}}}}}\0{reason}"] = None
        return ""
    told[f"{{{{#{name}}}}}\0there is no such helper here"] = None
    return ""


def _tag(said: str, row: Mapping[str, str], told: dict[str, None]) -> str:
    if said.startswith("#"):
        told[f"{{{{{said}}}}}\0its block does not end, so it stands for nothing"] = None
        return ""
    if said.startswith(("!", "/", "else")):
        return ""
    try:
        return _worth(said, row)
    except _Unknown as reason:
        told[f"{{{{{said}}}}}\0{reason}"] = None
        return ""


def _worth(said: str, row: Mapping[str, str]) -> str:
    """What an expression comes to. Raises _Unknown."""
    words = _WORD.findall(said)
    value, rest = _call(words, row, 0)
    if rest:
        raise _Unknown("it is not read")
    return value


def _call(words: list[str], row: Mapping[str, str], depth: int) -> tuple[str, list[str]]:
    """A helper with its arguments, or one value; and the words after it."""
    if not words or depth > 20:
        raise _Unknown("it is not read")
    first, *rest = words
    if first not in _HELPERS:
        return _value(words, row, depth)
    args: list[str] = []
    while rest and rest[0] != ")":
        arg, rest = _value(rest, row, depth)
        args.append(arg)
    try:
        return _HELPERS[first](args), rest
    except (IndexError, ValueError):
        raise _Unknown("its values do not fit") from None


def _value(words: list[str], row: Mapping[str, str], depth: int) -> tuple[str, list[str]]:
    first, *rest = words
    if first == "(":
        value, rest = _call(rest, row, depth + 1)
        if not rest or rest[0] != ")":
            raise _Unknown("it is not read")
        return value, rest[1:]
    if first[0] in "\"'":
        return first[1:-1], rest
    if re.fullmatch(r"-?\d+(\.\d+)?", first):
        return first, rest
    if first == "assets":
        return "asset:", rest
    if first.startswith("assets."):
        return f"asset:{first[7:]}", rest
    name = first.removeprefix("card.")
    length = name.endswith(".length")
    wanted = _folded(name.removesuffix(".length"))
    cell = next((text for column, text in row.items() if _folded(column) == wanted), None)
    if cell is None:
        raise _Unknown("the cards have no such column")
    return (str(len(cell)) if length else cell), rest


def _folded(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.casefold())


def _kebab(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-")


def _number(text: str) -> float:
    return float(text or 0)


def _truth(found: bool) -> str:
    return "true" if found else ""
