"""The numbers of game.toml and rules.toml that promise something, and the texts in them that people read, by position."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    r"(?P<comment>#[^\n]*)"
    r'|(?P<text>"""(?:\\.|[^\\])*?"""|\'{3}.*?\'{3}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\')'
    r"|(?P<header>(?m:^)[ \t]*\[{1,2}[^\]\n=]+\]{1,2}[ \t]*(?=\r?\n|#|\Z))"
    r"|(?P<bare>[\w+.:-]+)|(?P<mark>[=,{}\[\]\n])",
    re.DOTALL,
)
_PART = re.compile(r""""([^"]*)"|'([^']*)'|([\w-]+)""")
# What follows a key, or the first part of a dotted one.
_KEY = re.compile(r"""[ \t]*(?:\.[ \t]*(?:"[^"\n]*"|'[^'\n]*'|[\w-]+)[ \t]*)*=""")
_WHOLE = re.compile(r"(?<!\d)\d{1,15}(?!\d)")
# In an expression: no part of a name, no index, and in quotation marks only where nothing else is in them.
_QUOTED = re.compile(r"""(?P<mark>["'])(?P<said>.*?)(?P=mark)""")
_INDEX = re.compile(r"(?<=[\w)\]])\[\s*-?\d+\s*\]")
_CONSTANT = re.compile(r"(?<![\w])(?<!\w\.)\d{1,15}(?!\w)")
COUNTING = ("copies", "sides", "highest", "slots", "tabs")
"""Keys of components that say how many."""


@dataclass(frozen=True, slots=True)
class Value:
    """A number or a text of a TOML file, the keys that lead to it, and where it stands, without quotation marks."""

    path: tuple[str, ...]
    text: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TomlNumbers:
    """Where the numbers of a file stand that promise something, and the texts of the file that a game shows."""

    promises: tuple[tuple[Value, tuple[int, int]], ...]
    shown: tuple[Value, ...]


def toml_numbers(text: str) -> TomlNumbers:
    """What a game.toml or rules.toml that has no fault says in numbers."""
    values = list(_values(text))
    promises = [(value, span) for value in values for span in _promised(value, text)]
    return TomlNumbers(tuple(promises), tuple(value for value in values if value.text and _is_shown(value.path)))


def _is_shown(path: tuple[str, ...]) -> bool:
    match path:
        case ("texts", _) | ("component" | "layout", _, "title") | ("setup", "take", _, "what"):
            return True
        case ("book", _, "title" | "subtitle" | "foot" | "contents"):
            return True
    return False


def _promised(value: Value, text: str) -> Iterator[tuple[int, int]]:
    start, end = value.start, value.end
    match value.path:
        case ("expect", *_) if not value.text:
            yield start, end
        case ("component", _, key) if not value.text and key in COUNTING:
            yield start, end
        case ("game" | "setup", "players"):
            yield from (found.span() for found in _WHOLE.finditer(text, start, end))
        case ("setup", "take", _, "number") | ("claim", _, "expect" | "for") | ("words", "counts", _) | ("numbers", *_):
            yield from constants(text, start, end) if value.text else [(start, end)]


def constants(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The whole numbers in an expression that stands in a text."""
    inside = re.sub(r"\\.", "  ", text[start:end], flags=re.DOTALL)
    inside = _QUOTED.sub(lambda found: found[0] if found["said"].isdecimal() else " " * len(found[0]), inside)
    inside = _INDEX.sub(lambda found: " " * len(found[0]), inside)
    yield from ((start + found.start(), start + found.end()) for found in _CONSTANT.finditer(inside))


def _values(text: str) -> Iterator[Value]:
    """The numbers and texts of a file in their order; those of a list have the list's key."""
    section: tuple[str, ...] = ()
    keys: list[tuple[str, ...]] = []
    """Those of the statement, and of each inline table that is open."""
    open_marks: list[str] = []
    parts: list[re.Match[str]] = []
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "header" and not open_marks:
            section, keys, parts = _path(token[0]), [], []
        elif kind == "mark":
            if token[0] == "=" and parts:
                named = _path(text[parts[0].start() : parts[-1].end()])
                keys = [*keys[: open_marks.count("{")], named]
            elif token[0] in "{[":
                open_marks.append(token[0])
            elif token[0] in "}]" and open_marks:
                if open_marks.pop() == "{":
                    keys = keys[: open_marks.count("{") + 1]
            elif token[0] == "\n" and not open_marks:
                keys = []
            parts = []
        elif kind in ("text", "bare") and not _is_key(text, token.end()):
            path = (*section, *(part for key in keys for part in key))
            if kind == "text":
                quotes = 3 if token[0][:3] in ('"""', "'''") and len(token[0]) > 5 else 1
                yield Value(path, True, token.start() + quotes, token.end() - quotes)
            elif re.fullmatch(r"[+-]?\d{1,15}", token[0]):
                yield Value(path, False, token.start(), token.end())
        elif kind in ("text", "bare"):
            parts.append(token)


def _is_key(text: str, end: int) -> bool:
    return _KEY.match(text, end) is not None


def _path(dotted: str) -> tuple[str, ...]:
    return tuple(next(filter(None, found.groups()), "") for found in _PART.finditer(dotted.strip().strip("[]")))
