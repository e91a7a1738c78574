"""JSON → a tree in which every number is the text that was typed, and every map knows its line."""

from __future__ import annotations

import json
import re
from typing import Any

from pnp.read.trees import BrokenText, Lined, Parsed, Tree

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\n]')


def parse_json(text: str) -> Parsed:
    """The tree. Raises BrokenText."""
    closed: list[Lined] = []
    doubled: list[tuple[Lined, str]] = []

    def closing(pairs: list[tuple[str, Any]]) -> Lined:
        made = Lined()
        for key, value in pairs:
            if key in made:
                doubled.append((made, key))
            made[key] = _as_typed(value)
        closed.append(made)
        return made

    try:
        value = json.loads(text, object_pairs_hook=closing, parse_int=str, parse_float=str, parse_constant=str)
    except json.JSONDecodeError as error:
        raise BrokenText(_said(error), error.lineno) from None
    except RecursionError:
        raise BrokenText("its lists and records are nested too deep", 1) from None
    for made, line in zip(closed, _lines(text), strict=True):
        made.line = line
    return Parsed(_as_typed(value), tuple((made.line, key) for made, key in doubled))


def _said(error: json.JSONDecodeError) -> str:
    """What is wrong, and how it mostly came about."""
    before = error.doc[: error.pos].rstrip()
    if before.endswith(",") and error.doc[error.pos : error.pos + 1] in ("}", "]"):
        return "nothing follows this comma"
    return f"{error.msg[:1].lower()}{error.msg[1:]} at character {error.colno}"


def _as_typed(value: Any) -> Tree:
    """A value in which only texts, lists and maps are left; what is within a map is so already."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        for at, entry in enumerate(value):
            if not isinstance(entry, str | Lined):
                value[at] = _as_typed(entry)
        return value
    return value  # type: ignore[no-any-return]


def _lines(text: str) -> list[int]:
    """The line of each map's first bracket, in the order in which maps end: so the parser hands them out."""
    line, opened, made = 1, list[int](), list[int]()
    for found in _TOKEN.finditer(text):
        token = found[0]
        if token == "\n":
            line += 1
        elif token == "{":
            opened.append(line)
        elif token == "}":
            made.append(opened.pop())
    return made
