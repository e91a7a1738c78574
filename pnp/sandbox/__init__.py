"""Runs Jinja2 for what people type into games: without access to Python, and strict about names.

Templates are filled in it, and the expressions of ``rules.toml`` are evaluated in it. Both show rows and mappings by
their entries.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import jinja2
from jinja2 import nodes
from jinja2.environment import TemplateModule
from jinja2.exceptions import SecurityError
from jinja2.lexer import Token, TokenStream
from jinja2.runtime import Context, markup_join
from jinja2.sandbox import SandboxedEnvironment
from jinja2.utils import missing
from jinja2.visitor import NodeTransformer

from pnp.sandbox.mistakes import unlike
from pnp.sandbox.values import OFTEN, in_order, printable, shown, within
from pnp.values.problems import Fault, Place, closest, listed
from pnp.values.tables import Flag, Number, Row, unwrapped

MOST_RANGE, MOST_POWER = 100_000, 1000
MOST_COMPILED = 500
_COMPILED: dict[tuple[str, str, str, str | None], CodeType] = {}
"""Templates compiled in this process: the shared ones are taken in by every game."""
SHARED = "shared"
ROW_NAMES = ("id", "copies")
# "\ud800": Python takes it for a letter, but there is none, and no file can hold it.
HALF = re.compile("[\ud800-\udfff]")


class Message(str):
    """A sentence with the fields of a Problem."""

    value = allowed = hint = ""
    unknown = False
    """The name is none of those that are known, wherever it was asked for."""
    place: Place | None = None


class Nobody(dict[str, str]):
    """The value of ``each`` in an ordinary build: empty; reading a name from it tells how to build for persons."""


class Strict(jinja2.StrictUndefined):
    """Fails at the first use of an unknown name, with the known names and the line."""

    who = "templates"

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._at = _being_filled()

    @property
    def _undefined_message(self) -> str:
        asked, holder = self._undefined_name, self._undefined_obj
        name = str(asked) if isinstance(asked, str | int | float | Row) else "this"
        known: Iterable[str] = ()
        told = ""
        if self._undefined_exception is SecurityError:
            text = f'"{name}" is out of bounds: {self.who} cannot reach into Python'
        elif self._undefined_hint:
            missing_argument = self._undefined_hint.startswith("parameter ")
            text = f'a macro is called without its "{name}"' if missing_argument else self._undefined_hint
        elif holder is missing:
            text = f'"{name}" is not known'
        elif isinstance(holder, Row):
            known = list(dict.fromkeys((*holder.cells, *ROW_NAMES)))
            text = f'the table {holder.place.file} has no column "{name}"'
            if name == "copy":
                told = "Copies have numbers where the component says numbered = true."
        elif isinstance(holder, Nobody):
            text = f'"each" has no "{name}" here: it is filled by --each only, which prints a deck for each row of a table'
            told = f"Write {{% if each %}}{{{{ each.{name} }}}}{{% endif %}}, or build with --each people.csv."
        elif isinstance(holder, Mapping):
            known = list(holder)
            text = f'there is no "{name}" here'
        elif isinstance(holder, TemplateModule):
            known = sorted(macro for macro in vars(holder) if not macro.startswith("_"))
            text = f'there is no macro "{name}" in that file'
        elif isinstance(holder, list | tuple) and isinstance(asked, int):
            number = len(holder)
            text = f"[{asked}] asks a list for more than it has: {number or 'nothing'} is in it"
            told = "" if number else 'Nothing is what was asked for, such as rows("…", …): correct what it asks for.'
        else:
            text = f'"{name}" cannot be asked of {_of_whom(holder)}'
            told = _METHODS.get(name, "") if isinstance(holder, str) else ""
        message = Message(text)
        message.value, message.allowed, message.hint = name, listed(known, 30), told or closest(name, known)
        message.unknown = holder is missing and not self._undefined_hint
        if self._at:
            template, line = self._at
            message.place = Place(template.filename or "", template.get_corresponding_lineno(line))
        return message


# How other languages ask a text what a filter makes here.
_METHODS = {
    **dict.fromkeys(("toUpperCase", "to_upper", "toUpper"), "Write |upper after it."),
    **dict.fromkeys(("toLowerCase", "to_lower", "toLower"), "Write |lower after it."),
    **dict.fromkeys(("length", "len", "size"), "Write |length after it."),
    **dict.fromkeys(("includes", "contains"), 'Write "…" in it.'),
}
# What is raised over a name, a value, or a way into Python.
FAULTS = (Fault, jinja2.UndefinedError, SecurityError)


def explained(fault: Fault | jinja2.TemplateRuntimeError, known: Callable[[str], tuple[str, str]]) -> Fault:
    """Explains one of FAULTS to a person; ``known`` gives the allowed names and a hint."""
    if isinstance(fault, Fault):
        return fault
    message: Any = fault.message
    if not isinstance(message, Message):
        return Fault(str(message))
    allowed, hint = known(message.value) if message.unknown else (message.allowed, message.hint)
    return Fault(str(message), message.value, allowed, hint, message.place)


def fault_of(error: Exception, names: Iterable[str]) -> Fault | None:
    """Whatever an expression raised, explained to a person; None for what nobody types. ``names``: those it may use."""
    if isinstance(error, FAULTS):
        return explained(error, lambda name: (listed(names, 40), closest(name, names)))
    return unlike(error)


def _of_whom(holder: Any) -> str:
    """The value in which a name was looked up, as a person typed it; without memory addresses."""
    if holder is None:
        return "nothing (an empty cell)"
    return shown(holder, 80) if isinstance(holder, str | int | float | list | tuple) else "this"


def _being_filled() -> tuple[jinja2.Template, int] | None:
    """The innermost template at work, with the line of its Python; a shared one only when alone."""
    frame: FrameType | None = sys._getframe(1)
    found: tuple[jinja2.Template, int] | None = None
    while frame is not None:
        template = frame.f_globals.get("__jinja_template__")
        if template is not None and template.filename:
            here = template, frame.f_lineno
            if Path(template.filename).parent.name != SHARED:
                return here
            found = found or here
        frame = frame.f_back
    return found


class _Rewriting(NodeTransformer):
    """Adds filters where Jinja has no hook: loops over sets in one order, ``in`` for numbers as typed, ``~`` for text
    alone.
    """

    def visit_For(self, node: nodes.For) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        node.iter = _through(node.iter, "ordered")
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return _through(nodes.List(node.nodes), "joined", at=node.lineno)

    def visit_Compare(self, node: nodes.Compare) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        if len(node.ops) != 1 or node.ops[0].op not in ("in", "notin"):
            return node
        among = _through(node.expr, "within", node.ops[0].expr, at=node.lineno)
        return among if node.ops[0].op == "in" else nodes.Not(among, lineno=node.lineno)


def _through(node: nodes.Node, name: str, *given: nodes.Expr, at: int | None = None) -> nodes.Filter:
    return nodes.Filter(node, name, list(given), [], None, None, lineno=at or node.lineno)


def ordered(things: Any) -> Any:
    """A set as a sorted list, for Python's order varies; anything else as it is."""
    return in_order(things) if isinstance(things, set | frozenset) else things


def joined(parts: Iterable[Any]) -> str:
    """The operands of ``~`` as one text; markup if one of them is."""
    return markup_join(map(printable, parts))


def bounded_range(*bounds: int) -> range:
    """Python's ``range``, at most MOST_RANGE numbers. Raises Fault."""
    made = range(*bounds)
    if len(made) > MOST_RANGE:
        raise Fault(f"a range has at most {MOST_RANGE} numbers", str(len(made)))
    return made


def whole(value: Any, what: str, least: int | None = 0) -> int:
    """A count that was given as ``what``. Raises Fault for a fraction, less than ``least``, and what is no number."""
    number = unwrapped(value)
    known = isinstance(number, int | float) and not isinstance(number, bool)
    if not known or number % 1 or (least is not None and number < least):
        allowed = "whole numbers" if least is None else f"whole numbers from {least} on"
        raise Fault(f'"{value}" is no number for {what}', str(value), allowed)
    return int(number)


def power(left: Any, right: Any) -> Any:
    """``left ** right`` within bounds that spare the memory. Raises Fault."""
    if abs(right) > MOST_POWER or abs(left) > MOST_POWER**2:
        raise Fault(f"{shown(left)} ** {shown(right)} is too large")
    return left**right


@jinja2.pass_context
def printed(_: Context, value: Any) -> Any:
    """Prints a value. The context argument keeps Jinja from printing constants at compile time."""
    return value if value.__class__ in OFTEN else printable(value)


class Environment(SandboxedEnvironment):
    """The common sandbox of templates, expressions and books."""

    def __init__(self, **given: Any) -> None:
        # To compute constants beforehand takes a time that grows with the cube of a sum's length.
        super().__init__(optimized=False, **given)
        self.filters |= {"ordered": ordered, "joined": joined, "within": within}
        for name in ("number", "integer", "float"):
            self.tests[name] = _of_cell(self.tests[name], unwrapped)
        for name in ("true", "false", "boolean"):
            self.tests[name] = _of_cell(self.tests[name], lambda value: value.yes if isinstance(value, Flag) else value)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        made = _Rewriting().visit(super()._parse(source, name, filename))
        assert isinstance(made, nodes.Template)
        made.set_environment(self)
        return made

    def compile(self, source: Any, name: Any = None, filename: Any = None, *more: Any) -> Any:
        """Compiles each text once in a process."""
        if name is None or more or not isinstance(source, str):
            return super().compile(source, name, filename, *more)
        known = type(self).__name__, source, name, filename
        if known not in _COMPILED:
            if len(_COMPILED) >= MOST_COMPILED:
                _COMPILED.clear()
            _COMPILED[known] = super().compile(source, name, filename)
        return _COMPILED[known]

    def _tokenize(self, source: str, name: str | None, filename: str | None = None, state: str | None = None) -> TokenStream:
        """Tokenizes a source; refuses lone surrogates in strings."""

        def whole(tokens: TokenStream) -> Iterator[Token]:
            for token in tokens:
                if token.type == "string" and (half := HALF.search(str(token.value))):
                    written = f"\\u{ord(half[0]):x}"
                    raise jinja2.TemplateSyntaxError(f"{written} in a text is half a letter", token.lineno, name, filename)
                yield token

        return TokenStream(whole(super()._tokenize(source, name, filename, state)), name, filename)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Attribute access: of rows and mappings their entries, nothing of Python."""
        if isinstance(obj, Row):
            if attribute in obj:
                return obj[attribute]
            if attribute in ROW_NAMES:
                return getattr(obj, attribute)
            return self.undefined(obj=obj, name=attribute)
        if isinstance(obj, Mapping):
            return obj[attribute] if attribute in obj else self.undefined(obj=obj, name=attribute)
        return super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        if isinstance(obj, Mapping) and isinstance(argument, Number):
            # What is kept under "3" is there for the number 3 of a table, too.
            argument = argument.number if argument.number in obj else str(argument)
        if isinstance(obj, Mapping) and isinstance(argument, Flag) and str(argument) not in obj:
            return super().getitem(obj, argument.yes)
        if isinstance(obj, Row | Mapping) and isinstance(argument, str):
            return self.getattr(obj, argument)
        return super().getitem(obj, argument)


def _of_cell(test: Any, bare: Callable[[Any], Any]) -> Callable[..., Any]:
    """A Jinja test of Python's values, which accepts those of tables."""
    return lambda value: test(bare(value))
