"""The words of a script in Ruby, and the values that its statements are read as."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

MOST_DEPTH = 60
MOST_TOKENS = 100_000
MOST_STEPS = 1_000_000

_TOKEN = re.compile(
    r"""
    (?P<space>[ \t\r]+|\\\n|\#(?!\{)[^\n]*)
  | (?P<newline>[\n;])
  | (?P<words>%[wWiI](?:\([^)]{0,5000}\)|\[[^\]]{0,5000}\]|\{[^}]{0,5000}\}))
  | (?P<double>"(?:[^"\\]|\\.)*")
  | (?P<single>'(?:[^'\\]|\\.)*')
  | (?P<key>[A-Za-z_]\w*[?!]?:(?!:)(?=\s|["'\[{(%:@\w-]))
  | (?P<symbol>:[A-Za-z_]\w*[?!]?|:"(?:[^"\\]|\\.)*"|:'(?:[^'\\]|\\.)*')
  | (?P<number>\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?)
  | (?P<name>@{0,2}[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*[?!]?)
  | (?P<op>\.\.\.?|=>|&\.|&&|\|\||==|!=|<=|>=|<<|\+=|-=|\*=|\|\|=|->|[-+*/%<>=!?:.,&|(){}\[\]^~$`])
    """,
    re.VERBOSE | re.DOTALL,
)
OPENS = {"if", "unless", "case", "while", "until", "for", "def", "class", "module", "begin"}


class NotRead(Exception):
    """What stands there cannot be told without running it; the text says what it is."""


class TooMuch(Exception):
    """A script that takes longer to read than any script that somebody wrote."""


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Words:
    """A text; what stands in #{…} is an expression."""

    parts: tuple[str | Expression, ...]


@dataclass(frozen=True, slots=True)
class Number:
    value: float


@dataclass(frozen=True, slots=True)
class Listed:
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Hash:
    items: tuple[tuple[Expression, Expression], ...]


@dataclass(frozen=True, slots=True)
class Call:
    """A name, or a call: of a method of ``on``, or of none."""

    line: int
    name: str
    on: Expression | None = None
    args: tuple[Expression, ...] = ()
    options: dict[str, Expression] = field(default_factory=dict)
    block: Block | None = None


@dataclass(frozen=True, slots=True)
class Binary:
    op: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Choice:
    """``condition ? yes : no``, and ``yes if condition``."""

    condition: Expression
    yes: Expression
    no: Expression | None


@dataclass(frozen=True, slots=True)
class Block:
    names: tuple[str, ...]
    statements: tuple[Statement, ...]


Expression = Words | Number | Listed | Hash | Call | Binary | Choice


@dataclass(frozen=True, slots=True)
class Assign:
    line: int
    name: str
    value: Expression


@dataclass(frozen=True, slots=True)
class Other:
    """A statement that is not read: its line, its beginning, and why."""

    line: int
    text: str
    why: str


Statement = Assign | Other | Call | Choice


def tokens_of(text: str, line: int) -> list[Token]:
    found: list[Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            found.append(Token("op", text[at], line))
            at += 1
            continue
        kind, said = str(match.lastgroup), match[0]
        if kind != "space":
            found.append(Token(kind, said, line))
        line += said.count("\n")
        at = match.end()
        if len(found) > MOST_TOKENS:
            raise TooMuch
    return [*found, Token("newline", "\n", line), Token("end", "", line)]
