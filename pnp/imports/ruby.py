"""Parses the part of Ruby that Squib decks use: literals, names, and calls with blocks. Runs nothing."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import TypeVar

from pnp.dataclass import dataclass
from pnp.imports.deck import Table, Value
from pnp.values.problems import listed

MOST_ITEMS = 10_000
MOST_LETTERS = 20_000
"""Of a text; ``x = x + x`` thirty times over is longer than any memory."""

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
_COMPUTES = ("if", "unless", "case", "while", "until", "for", "def", "class", "module", "begin")
_ESCAPES = {"n": "\n", "t": "\t", "s": " ", "e": "", "0": ""}
T = TypeVar("T")
_LEVELS = (("..", "..."), ("+", "-"), ("*", "/"))


class NotRead(Exception):
    """Raised for an expression whose value only a run could tell, with the reason."""


class Computes(Exception):
    """Raised for a script with a loop, a condition or a method definition, with its line."""

    def __init__(self, line: int, word: str) -> None:
        super().__init__(word)
        self.line, self.word = line, word


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Words:
    """A string; the content of #{…} is an expression."""

    parts: tuple[str | Expression, ...]


@dataclass(frozen=True, slots=True)
class Listed:
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Hash:
    items: tuple[tuple[Expression, Expression], ...]


@dataclass(frozen=True, slots=True)
class Call:
    """A name, or a method call, with or without receiver."""

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
class Block:
    names: tuple[str, ...]
    statements: tuple[Statement, ...]


Expression = Words | float | Listed | Hash | Call | Binary


@dataclass(frozen=True, slots=True)
class Assign:
    line: int
    name: str
    value: Expression


@dataclass(frozen=True, slots=True)
class Other:
    """A statement that is not supported: line, beginning, reason."""

    line: int
    text: str
    why: str


Statement = Assign | Other | Expression


def statements(text: str) -> tuple[Statement, ...]:
    """The statements of a script. Raises Computes, RecursionError."""
    text = re.sub(r"^=begin.*?^=end[^\n]*", lambda found: "\n" * found[0].count("\n"), text, flags=re.M | re.S)
    return _Reader(_tokens(text.partition("\n__END__")[0], 1)).body()


def _tokens(text: str, line: int) -> list[Token]:
    found: list[Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        kind, said = (str(match.lastgroup), match[0]) if match else ("op", text[at])
        if kind != "space":
            found.append(Token(kind, said, line))
        line += said.count("\n")
        at += len(said)
    return [*found, Token("newline", "\n", line), Token("end", "", line)]


class _Reader:
    def __init__(self, tokens: list[Token]) -> None:
        self._tokens, self._at = tokens, 0
        self._bare = 0
        """Calls without parentheses around this one: a ``do`` belongs to the outermost of them."""

    @property
    def _next(self) -> Token:
        return self._tokens[self._at]

    def _take(self) -> Token:
        token = self._next
        self._at = min(self._at + 1, len(self._tokens) - 1)
        return token

    def _is(self, *texts: str) -> bool:
        return self._next.kind in ("op", "name") and self._next.text in texts

    def _want(self, text: str) -> None:
        if not self._is(text):
            raise NotRead(f'"{self._next.text.strip() or "the end of the line"}" stands where {text} was expected')
        self._take()

    def _lines(self) -> None:
        while self._next.kind == "newline":
            self._take()

    def body(self, *ends: str) -> tuple[Statement, ...]:
        """Statements up to one of these keywords, or the end."""
        found: list[Statement] = []
        while True:
            self._lines()
            if self._next.kind == "end" or self._is(*ends):
                return tuple(found)
            if self._is("}", "end", ")"):
                self._take()
                continue
            start, bare = self._at, self._bare
            try:
                found.append(self._statement())
                if self._next.kind not in ("newline", "end") and not self._is(*ends):
                    raise NotRead(f'"{self._next.text}" is not read here')
            except NotRead as reason:
                self._at, self._bare = start, bare
                found.append(self._skipped(str(reason)))

    def _skipped(self, why: str) -> Other:
        """Skips a statement to the end of its line, including its brackets."""
        start, brackets = self._at, 0
        while self._next.kind != "end" and (brackets or not (self._next.kind == "newline" or self._is("end"))):
            if self._is("do"):
                raise Computes(self._next.line, "do")
            brackets += self._is("(", "[", "{") - self._is(")", "]", "}")
            if brackets < 0:
                break
            self._take()
        if self._at == start:
            self._take()
        said = " ".join(token.text.strip() for token in self._tokens[start : min(self._at, start + 8)] if token.text.strip())
        return Other(self._tokens[start].line, said or "?", why)

    def _statement(self) -> Statement:
        token, after = self._next, self._tokens[min(self._at + 1, len(self._tokens) - 1)]
        if token.kind == "name" and after.kind == "op" and after.text == "=":
            self._take(), self._take()
            self._lines()
            return Assign(token.line, token.text, self._expression())
        return self._expression()

    def _expression(self, level: int = 0) -> Expression:
        if level == len(_LEVELS):
            return self._unary()
        left = self._expression(level + 1)
        while self._is(*_LEVELS[level]):
            op = self._take().text
            self._lines()
            left = Binary(op, left, self._expression(level + 1))
        return left

    def _unary(self) -> Expression:
        if self._is("-"):
            self._take()
            return Binary("-", 0.0, self._unary())
        return self._chained(self._first())

    def _first(self) -> Expression:
        token = self._take()
        if token.kind == "double":
            return _interpolated(token)
        if token.kind == "single":
            return Words((re.sub(r"\\([\\'])", r"\1", token.text[1:-1]),))
        if token.kind == "symbol":
            return Words((token.text[1:].strip("\"'"),))
        if token.kind == "words":
            return Listed(tuple(Words((word,)) for word in token.text[3:-1].split()))
        if token.kind == "number":
            return float(token.text.replace("_", ""))
        if token.text == "[":
            return Listed(tuple(self._until("]", self._expression)))
        if token.text == "{":
            return Hash(tuple(self._until("}", self._pair)))
        if token.text == "(":
            self._lines()
            found = self._expression()
            self._lines()
            self._want(")")
            return found
        if token.kind == "name" and token.text in _COMPUTES:
            raise Computes(token.line, token.text)
        if token.kind == "name" and token.text not in ("end", "do", "then", "else"):
            return self._call(token, None)
        raise NotRead(f'"{token.text.strip() or "the end of the line"}" is not read')

    def _until(self, end: str, item: Callable[[], T]) -> list[T]:
        """Items between brackets, separated by commas."""
        items: list[T] = []
        self._lines()
        while not self._is(end):
            items.append(item())
            self._lines()
            if not self._is(end):
                self._want(",")
                self._lines()
        self._take()
        return items

    def _pair(self) -> tuple[Expression, Expression]:
        if self._next.kind == "key":
            key: Expression = Words((self._take().text[:-1],))
        else:
            key = self._expression()
            self._want(":" if self._is(":") else "=>")
        self._lines()
        return key, self._expression()

    def _chained(self, found: Expression) -> Expression:
        while True:
            after = self._at
            while self._tokens[after].kind == "newline" and self._tokens[after].text == "\n":
                after += 1
            dotted = self._tokens[after]
            if dotted.kind == "op" and dotted.text in (".", "&.") and self._tokens[after + 1].kind in ("name", "key"):
                self._at = after + 1
                found = self._call(self._take(), found)
            elif self._is("["):
                self._take()
                found = Call(self._next.line, "[]", found, tuple(self._until("]", self._expression)))
            else:
                return found

    def _call(self, token: Token, on: Expression | None) -> Call:
        given: list[tuple[str | None, Expression]] = []
        if self._is("(") and self._tokens[self._at - 1] is token:
            self._take()
            given = self._until(")", self._argument)
        elif self._next.kind == "key" or (
            on is None and self._next.kind in ("double", "single", "symbol", "words", "number")
        ):
            self._bare += 1
            given = [self._argument()]
            while self._is(","):
                self._take()
                self._lines()
                given.append(self._argument())
            self._bare -= 1
        block = None
        if (self._is("do") and not self._bare) or (self._is("{") and (on is not None or given)):
            if on is not None and token.text not in ("new", "map", "collect"):
                raise Computes(token.line, token.text)
            block = self._block()
        options = {key: value for key, value in given if key is not None}
        args = tuple(value for key, value in given if key is None)
        return Call(token.line, token.text.rstrip(":"), on, args, options, block)

    def _argument(self) -> tuple[str | None, Expression]:
        if self._next.kind == "key":
            key = self._take().text[:-1]
            self._lines()
            return key, self._expression()
        found = self._expression()
        if self._is("=>") and isinstance(found, Words) and len(found.parts) == 1:
            self._take()
            return str(found.parts[0]), self._expression()
        return None, found

    def _block(self) -> Block:
        bare, self._bare = self._bare, 0
        end = "end" if self._take().text == "do" else "}"
        names: list[str] = []
        if self._is("|"):
            self._take()
            names = [name.text for name in self._until("|", self._take) if name.kind == "name"]
        inner = self.body(end)
        self._want(end)
        self._bare = bare
        return Block(tuple(names), inner)


def _interpolated(token: Token) -> Words:
    """Parses a string in double quotes."""
    parts: list[str | Expression] = []
    for at, part in enumerate(re.split(r"#\{([^{}]*)\}", token.text[1:-1])):
        if at % 2:
            parts.append(_Reader(_tokens(part, token.line))._expression())
        elif part:
            part = re.sub(r"\\u\{?([0-9a-fA-F]{4,6})\}?", lambda found: chr(min(int(found[1], 16), 0x10FFFF)), part)
            parts.append(re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), part, flags=re.S))
    return Words(tuple(parts))


@dataclass(frozen=True, slots=True)
class Cells:
    """A text for each row; ``value`` tells it as columns."""

    table: Table
    texts: tuple[str | None, ...]
    value: Value


@dataclass(frozen=True, slots=True)
class Rows:
    """The number of rows of a table."""

    table: Table


Worth = None | bool | float | str | list["Worth"] | dict[str, "Worth"] | Table | Cells | Rows


@dataclass(slots=True)
class Names:
    """The values of a script's names, and the reader of the files that it names."""

    known: dict[str, Worth] = field(default_factory=dict)
    load: Callable[[Call, Mapping[str, Worth]], Worth] | None = None

    def within(self, more: Mapping[str, Worth]) -> Names:
        return Names({**self.known, **more}, self.load)


def worth(what: Expression, names: Names) -> Worth:
    """Evaluates an expression. Raises NotRead, also for what is too long, deep or large."""
    try:
        found = _worth(what, names)
    except RecursionError:
        raise NotRead("it is nested too deeply") from None
    except OverflowError:
        raise NotRead("a number in it is too large") from None
    if isinstance(found, float) and not math.isfinite(found):
        raise NotRead("a number in it is too large")
    return found


def _worth(what: Expression, names: Names) -> Worth:
    if isinstance(what, float):
        return what
    if isinstance(what, Words):
        return _joined([part if isinstance(part, str) else worth(part, names) for part in what.parts])
    if isinstance(what, Listed):
        return [worth(item, names) for item in what.items]
    if isinstance(what, Hash):
        return {word(worth(key, names)): worth(value, names) for key, value in what.items}
    if isinstance(what, Binary):
        return _binary(what.op, worth(what.left, names), worth(what.right, names))
    return _call(what, names)


def word(found: Worth) -> str:
    """A value as text, as Ruby writes it. Raises NotRead."""
    if isinstance(found, bool):
        return "true" if found else "false"
    if isinstance(found, float | int):
        return f"{found:g}" if found == int(found) else repr(found)
    if found is None or isinstance(found, str):
        return found or ""
    raise NotRead("a list stands where a text was expected")


def _joined(parts: list[Worth]) -> Worth:
    """Concatenates texts; the result has a text for each row if a part has."""
    tables = [part.table for part in parts if isinstance(part, Cells)]
    if not tables:
        return _put_together([word(part) for part in parts])
    if any(each is not tables[0] for each in tables):
        raise NotRead("it puts together cells of two tables")
    texts = [
        _put_together([(part.texts[at] or "") if isinstance(part, Cells) else word(part) for part in parts])
        for at in range(len(tables[0].rows))
    ]
    value: Value = ()
    for part in parts:
        value += part.value if isinstance(part, Cells) else (word(part),)
    return Cells(tables[0], tuple(texts), value)


def _put_together(parts: Iterable[str]) -> str:
    if sum(map(len, parts)) > MOST_LETTERS:
        raise NotRead(f"a text in it is longer than {MOST_LETTERS} letters")
    return "".join(parts)


def _binary(op: str, left: Worth, right: Worth) -> Worth:
    if op == "+" and (isinstance(left, str | Cells) or isinstance(right, str | Cells)):
        return _joined([left, right])
    one, two = _number(left), _number(right)
    if op in ("..", "..."):
        if two < 0 or two - one > MOST_ITEMS:
            return {"first": one, "last": two}
        return [float(at) for at in range(int(one), int(two) + (op == ".."))]
    if op == "/" and two == 0:
        raise NotRead("it divides by 0")
    return one + two if op == "+" else one - two if op == "-" else one * two if op == "*" else one / two


def _number(found: Worth) -> float:
    if isinstance(found, Rows):
        return float(len(found.table.rows))
    if isinstance(found, float):
        return found
    raise NotRead("only a run of the script knows the number in it")


_UNITS = {"mm": "mm", "cm": "cm", "inches": "in", "cells": "c", "points": "pt"}
LOADERS = ("csv", "xlsx", "yaml")


def _call(what: Call, names: Names) -> Worth:
    squib = isinstance(what.on, Call) and what.on.on is None and what.on.name == "Squib"
    if (what.on is None or squib) and what.name.removeprefix("Squib::") in LOADERS and names.load is not None:
        return names.load(what, {key: worth(value, names) for key, value in what.options.items()})
    if what.on is None:
        if what.name in names.known:
            return names.known[what.name]
        if what.name in ("nil", "true", "false"):
            return {"nil": None, "true": True, "false": False}[what.name]
        if what.name in _UNITS and len(what.args) == 1:
            return f"{_number(worth(what.args[0], names)):g}{_UNITS[what.name]}"
    on = None if what.on is None else worth(what.on, names)
    counts = what.name in ("size", "length", "count") and not what.args
    if isinstance(on, Table):
        return _of_table(on, what, names)
    if isinstance(on, Cells) and counts:
        return Rows(on.table)
    if isinstance(on, Cells | list) and what.name in ("map", "collect") and what.block and len(what.block.names) == 1:
        inner = what.block.statements
        if len(inner) == 1 and not isinstance(inner[0], Assign | Other):
            if isinstance(on, list):
                return [worth(inner[0], names.within({what.block.names[0]: each})) for each in on]
            made = worth(inner[0], names.within({what.block.names[0]: on}))
            return made if isinstance(made, Cells) else word(made)
        raise NotRead("only a run of the script knows what its block does")
    if isinstance(on, list) and counts:
        return float(len(on))
    if isinstance(on, dict) and what.name == "[]" and len(what.args) == 1:
        return on.get(word(worth(what.args[0], names)))
    raise NotRead(f'only a run of the script knows "{what.name}"')


def _of_table(table: Table, what: Call, names: Names) -> Worth:
    if what.name in ("nrows", "row_count"):
        return Rows(table)
    name = word(worth(what.args[0], names)) if what.name == "[]" and what.args else what.name
    column = table.column(name)
    if column is None:
        raise NotRead(f'the table has no column "{name}", but {listed(table.columns, 6) or "none"}')
    return Cells(table, tuple(row.get(column.name) or None for row in table.rows), (column,))
