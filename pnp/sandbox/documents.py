"""Texts of books filled in: Jinja2 as narrow as expressions are, whose loops and long texts are counted, too."""

from __future__ import annotations

import operator as operators
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any

import jinja2
from jinja2 import nodes
from jinja2.exceptions import SecurityError
from jinja2.runtime import Context
from jinja2.visitor import NodeTransformer

from pnp.problems import closest, listed
from pnp.sandbox import Message, Strict
from pnp.sandbox.narrow import Narrow
from pnp.sandbox.values import BadExpression, shown

MOST_OUTPUT = 2_000_000


class BadDocument(Exception):
    """A text that cannot be filled in; says why, to a person, and in which line."""

    def __init__(self, message: str, line: int | None, value: str = "", allowed: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.line, self.value, self.allowed, self.hint = line, value, allowed, hint


class _StrictBook(Strict):
    who = "books"


class _Counting(NodeTransformer):
    """Counts what expressions have not: how often a loop goes round, and how long joined texts grow."""

    def visit_For(self, node: nodes.For) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        node.iter = nodes.Filter(node.iter, "counted", [], [], None, None, lineno=node.lineno)
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return nodes.Filter(nodes.List(node.nodes), "joined", [], [], None, None, lineno=node.lineno)


class Documents(Narrow):
    """Fills in texts over names that a game gives; all of one instance share one store of steps a text."""

    intercepted_binops = frozenset(("*", "**", "%", "+"))

    def __init__(self, names: Mapping[str, Any]) -> None:
        super().__init__(names)
        self.undefined = _StrictBook
        self.trim_blocks = self.lstrip_blocks = self.keep_trailing_newline = True
        self.filters |= {"counted": self.counted, "joined": self._joined}

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        made = _Counting().visit(tree)
        assert isinstance(made, nodes.Template)
        made.set_environment(self)
        return made

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Texts may be added to texts and lists to lists, counted; all else is as in expressions."""
        if operator == "+" and isinstance(left, str | list) and type(left) is type(right):
            self.spend(len(left) + len(right))
            return operators.add(left, right)
        return super().call_binop(context, operator, left, right)

    def _joined(self, parts: Iterable[Any]) -> str:
        texts = [str(part) for part in parts]
        self.spend(sum(map(len, texts)))
        return "".join(texts)

    def fill(self, source: str) -> str:
        """The text with everything in it computed. Raises BadDocument."""
        file = "<book>"
        try:
            code = self.compile(source, "book", file)
            template = jinja2.Template.from_code(self, code, dict(self.globals))
            made, size = [], 0
            for part in template.generate():
                size += len(part)
                if size > MOST_OUTPUT:
                    raise BadExpression(f"it makes more than {MOST_OUTPUT // 1_000_000} MB of text")
                made.append(part)
            return "".join(made)
        except jinja2.TemplateSyntaxError as error:
            raise BadDocument(error.message or "it cannot be read", error.lineno) from None
        except BadExpression as bad:
            line = _line(bad.__traceback__, file)
            raise BadDocument(str(bad), line, bad.value, bad.allowed, bad.hint) from None
        except (jinja2.UndefinedError, SecurityError) as error:
            message: Any = error.message
            line = _line(error.__traceback__, file)
            if not isinstance(message, Message):
                raise BadDocument(str(message), line) from None
            allowed, hint = message.allowed, message.hint
            if message.endswith("is not known"):
                allowed, hint = listed(self.globals, 40), closest(message.value, self.globals)
            raise BadDocument(str(message), line, message.value, allowed, hint) from None
        except RecursionError as error:
            raise BadDocument("it calls itself without end", _line(error.__traceback__, file)) from None
        except ZeroDivisionError as error:
            raise BadDocument("it divides by 0", _line(error.__traceback__, file)) from None
        except Exception as error:
            # Whatever an expression in a book can raise is the book's fault, not ours.
            reason = shown(f"{type(error).__name__}: {error}")
            raise BadDocument(f"it cannot be filled in ({reason})", _line(error.__traceback__, file)) from None


def _line(trace: TracebackType | None, file: str) -> int | None:
    """The innermost line of the text in a traceback."""
    line = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
