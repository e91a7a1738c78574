"""Ruby as text: statements and what stands in them, as far as they can be told without running anything.

Not Ruby: only what scripts of Squib are made of. What is not understood is a statement of its own kind, with its line,
so that it can be told what was not read.
"""

from __future__ import annotations

import re

from pnp.flows.imports.squib.tokens import (
    MOST_DEPTH,
    MOST_STEPS,
    OPENS,
    Assign,
    Binary,
    Block,
    Call,
    Choice,
    Expression,
    Hash,
    Listed,
    NotRead,
    Number,
    Other,
    Statement,
    Token,
    TooMuch,
    Words,
    tokens_of,
)

_ESCAPES = {"n": "\n", "t": "\t", "s": " ", "e": "", "0": ""}


def statements(text: str, first: int = 1) -> tuple[Statement, ...]:
    """The statements of a script. Raises TooMuch."""
    text = re.sub(r"^=begin.*?^=end[^\n]*", lambda found: "\n" * found[0].count("\n"), text, flags=re.M | re.S)
    text = text.partition("\n__END__")[0]
    return _Reader(tokens_of(text, first)).body(0)


class _Reader:
    def __init__(self, tokens: list[Token]) -> None:
        self._tokens, self._at, self._depth, self._steps = tokens, 0, 0, 0
        self._bare = 0
        """Calls without parentheses around this one: a ``do`` belongs to the outermost of them."""

    @property
    def _next(self) -> Token:
        return self._tokens[self._at]

    def _take(self) -> Token:
        token = self._tokens[self._at]
        self._at = min(self._at + 1, len(self._tokens) - 1)
        # Blocks are read as values and once more as statements, those within them as well.
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise TooMuch
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

    def body(self, depth: int, *ends: str) -> tuple[Statement, ...]:
        """Statements up to one of the words that end them, or the end of the text."""
        found: list[Statement] = []
        if depth > MOST_DEPTH:
            raise NotRead("blocks are nested too deeply")
        while True:
            self._lines()
            if self._next.kind == "end" or self._is(*ends):
                return tuple(found)
            start = self._at
            if self._next.text in OPENS and self._next.kind == "name":
                found.append(self._skipped(start, "it depends on what only a run of the script knows"))
                continue
            if self._is("}", "end", ")"):
                self._take()
                continue
            try:
                found.append(self._statement(depth))
                if self._next.kind not in ("newline", "end") and not self._is(*ends):
                    raise NotRead(f'"{self._next.text}" is not read here')
            except NotRead as reason:
                self._at = start
                found.append(self._skipped(start, str(reason)))

    def _skipped(self, start: int, why: str) -> Other:
        """Leave out a statement with all that it encloses."""
        open_words = 0
        brackets = 0
        first = True
        while self._next.kind != "end":
            token = self._next
            if token.kind == "newline" and open_words == 0 and brackets == 0:
                break
            if token.kind == "name":
                begins = first or self._tokens[self._at - 1].kind == "newline"
                if token.text == "do" or (token.text in OPENS and begins):
                    open_words += 1
                elif token.text == "end":
                    if open_words == 0:
                        break
                    open_words -= 1
            elif token.kind == "op" and token.text in "([{":
                brackets += 1
            elif token.kind == "op" and token.text in ")]}":
                if brackets == 0:
                    break
                brackets -= 1
            first = False
            self._take()
        said = " ".join(token.text.strip() for token in self._tokens[start : min(self._at, start + 8)] if token.text.strip())
        if self._at == start:
            self._take()
        return Other(self._tokens[start].line, said or "?", why)

    def _statement(self, depth: int) -> Statement:
        token, after = self._next, self._tokens[min(self._at + 1, len(self._tokens) - 1)]
        if token.kind == "name" and after.kind == "op" and after.text == "=":
            self._take(), self._take()
            self._lines()
            return Assign(token.line, token.text, self._expression(depth))
        found = self._expression(depth)
        if not isinstance(found, Call | Choice):
            raise NotRead("it stands for itself and does nothing")
        return found

    def _expression(self, depth: int) -> Expression:
        self._depth += 1
        if self._depth > MOST_DEPTH:
            self._depth = 0
            raise NotRead("it is nested too deeply")
        try:
            found = self._ternary(depth)
            while self._is("if", "unless"):
                word = self._take().text
                condition = self._ternary(depth)
                found = Choice(condition if word == "if" else Call(0, "!", condition), found, None)
            return found
        finally:
            self._depth = max(0, self._depth - 1)

    def _ternary(self, depth: int) -> Expression:
        found = self._binary(depth, 0)
        if self._is("?"):
            self._take()
            yes = self._ternary(depth)
            if self._next.kind == "symbol":  # "a ? b :c" is read as a symbol
                token = self._take()
                return Choice(found, yes, Call(token.line, token.text[1:]))
            self._want(":")
            return Choice(found, yes, self._ternary(depth))
        return found

    _LEVELS = (("||", "or"), ("&&", "and"), ("==", "!=", "<", ">", "<=", ">="), ("..", "..."), ("+", "-"), ("*", "/", "%"))

    def _binary(self, depth: int, level: int) -> Expression:
        if level == len(self._LEVELS):
            return self._unary(depth)
        left = self._binary(depth, level + 1)
        while self._is(*self._LEVELS[level]):
            op = self._take().text
            self._lines()
            left = Binary(op, left, self._binary(depth, level + 1))
        return left

    def _unary(self, depth: int) -> Expression:
        if self._is("-"):
            self._take()
            return Binary("-", Number(0), self._unary(depth))
        if self._is("!", "not"):
            token = self._take()
            return Call(token.line, "!", self._unary(depth))
        return self._chained(self._first(depth), depth)

    def _first(self, depth: int) -> Expression:
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
            return Number(float(token.text.replace("_", "")))
        if token.text == "[":
            return Listed(self._until("]", depth))
        if token.text == "{":
            return self._hash(depth)
        if token.text == "(":
            self._lines()
            found = self._expression(depth)
            self._lines()
            self._want(")")
            return found
        if token.kind == "name" and token.text not in ("end", "do", "then", "else", *OPENS):
            return self._call(token, None, depth)
        raise NotRead(f'"{token.text.strip() or "the end of the line"}" is not read')

    def _until(self, end: str, depth: int) -> tuple[Expression, ...]:
        items: list[Expression] = []
        self._lines()
        while not self._is(end):
            items.append(self._expression(depth))
            self._lines()
            if not self._is(end):
                self._want(",")
                self._lines()
        self._take()
        return tuple(items)

    def _hash(self, depth: int) -> Hash:
        items: list[tuple[Expression, Expression]] = []
        self._lines()
        while not self._is("}"):
            if self._next.kind == "key":
                key: Expression = Words((self._take().text[:-1],))
            else:
                key = self._expression(depth)
                if self._is(":"):
                    self._take()
                else:
                    self._want("=>")
            self._lines()
            items.append((key, self._expression(depth)))
            self._lines()
            if self._is(","):
                self._take()
                self._lines()
        self._take()
        return Hash(tuple(items))

    def _chained(self, found: Expression, depth: int) -> Expression:
        while True:
            after = self._at
            while self._tokens[after].kind == "newline" and self._tokens[after].text == "\n":
                after += 1
            dotted = self._tokens[after]
            if dotted.kind == "op" and dotted.text in (".", "&.") and self._tokens[after + 1].kind in ("name", "key"):
                self._at = after + 1
                found = self._call(self._take(), found, depth)
            elif self._is("["):
                self._take()
                found = Call(self._next.line, "[]", found, self._until("]", depth))
            else:
                return found

    def _call(self, token: Token, on: Expression | None, depth: int) -> Call:
        args: list[Expression] = []
        options: dict[str, Expression] = {}
        before = self._tokens[self._at - 1]
        if self._is("(") and before is token:
            self._take()
            self._arguments(args, options, depth, ")")
        elif self._begins_arguments(on):
            self._bare += 1
            try:
                self._arguments(args, options, depth, "")
            finally:
                self._bare -= 1
        block = None
        if (self._is("do") and not self._bare) or (
            self._is("{") and (on is not None or args or options or token.text == "new")
        ):
            block = self._block(depth)
        return Call(token.line, token.text.rstrip(":"), on, tuple(args), options, block)

    def _begins_arguments(self, on: Expression | None) -> bool:
        """Whether a call's arguments stand here without parentheses."""
        kind = self._next.kind
        if kind == "key":
            return True
        return on is None and (kind in ("double", "single", "symbol", "words", "number"))

    def _arguments(self, args: list[Expression], options: dict[str, Expression], depth: int, end: str) -> None:
        while True:
            if end:
                self._lines()
                if self._is(end):
                    break
            if self._is("&"):
                self._take()
                args.append(Call(self._next.line, "&", None, (self._first(depth),)))
            elif self._next.kind == "key":
                name = self._take().text[:-1]
                self._lines()
                options[name] = self._expression(depth)
            else:
                given = self._expression(depth)
                if self._is("=>") and isinstance(given, Words) and len(given.parts) == 1:
                    self._take()
                    options[str(given.parts[0])] = self._expression(depth)
                else:
                    args.append(given)
            if end:
                self._lines()
            if not self._is(","):
                break
            self._take()
            self._lines()
        if end:
            self._lines()
            self._want(end)

    def _block(self, depth: int) -> Block:
        bare, self._bare = self._bare, 0
        try:
            return self._inside(depth)
        finally:
            self._bare = bare

    def _inside(self, depth: int) -> Block:
        opened = self._take().text
        names: list[str] = []
        if self._is("|"):
            self._take()
            while not self._is("|"):
                token = self._take()
                if token.kind == "end":
                    raise NotRead("a block's names do not end")
                if token.kind == "name":
                    names.append(token.text)
            self._take()
        end = "end" if opened == "do" else "}"
        inner = self._body_of_block(depth, end)
        self._want(end)
        return Block(tuple(names), inner)

    def _body_of_block(self, depth: int, end: str) -> tuple[Statement, ...]:
        """The statements of a block; one that is a value, as in ``map``, is kept as a call that gives it back."""
        start, deep = self._at, self._depth
        self._depth = 0
        try:
            self._lines()
            value = self._expression(depth + 1)
            self._lines()
            if self._is(end) and not isinstance(value, Call | Choice):
                return (Call(self._next.line, "itself", value),)
        except NotRead:
            pass
        finally:
            self._depth = deep
        self._at, self._depth = start, 0
        try:
            return self.body(depth + 1, end)
        finally:
            self._depth = deep


def _interpolated(token: Token) -> Words:
    """A text in double quotes."""
    parts: list[str | Expression] = []
    text, at = token.text[1:-1], 0
    for found in re.finditer(r"#\{([^{}]*)\}", text):
        parts.append(_unescaped(text[at : found.start()]))
        reader = _Reader(tokens_of(found[1], token.line))
        parts.append(reader._expression(0))
        at = found.end()
    parts.append(_unescaped(text[at:]))
    return Words(tuple(part for part in parts if part != ""))


def _unescaped(text: str) -> str:
    text = re.sub(r"\\u\{?([0-9a-fA-F]{4,6})\}?", lambda found: chr(min(int(found[1], 16), 0x10FFFF)), text)
    return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), text, flags=re.S)
