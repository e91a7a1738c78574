"""The sandbox of what people type into games: Jinja2 that cannot reach into Python and is strict about names.

Templates are filled in it, and the expressions of ``rules.toml`` are evaluated in it. Both show rows and mappings by
their entries.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

import jinja2
from jinja2.environment import TemplateModule
from jinja2.exceptions import SecurityError
from jinja2.lexer import Token, TokenStream
from jinja2.sandbox import SandboxedEnvironment
from jinja2.utils import missing

from pnp.sandbox.values import BadExpression, shown
from pnp.values.cells import Flag, Mismatch, Number
from pnp.values.problems import closest, listed
from pnp.values.tables import Row

SHARED = "shared"
ROW_NAMES = ("id", "copies")
# "\ud800": Python takes it for a letter, but there is none, and no file can hold it.
HALF = re.compile("[\ud800-\udfff]")


class Message(str):
    """A sentence that carries what a Problem wants to know besides."""

    value = allowed = hint = ""
    unknown = False
    """The name is none of those that are known, wherever it was asked for."""
    where: tuple[Path, int] | None = None


class Nobody(dict[str, str]):
    """``each`` where decks are not printed for persons: empty, and a name asked of it is told how to get one."""


class Strict(jinja2.StrictUndefined):
    """A name that is not there fails at its first use, with the names that are, at the line where it was written."""

    who = "templates"

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._where = _line_being_filled()

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
        else:
            text = f'"{name}" cannot be asked of {_of_whom(holder)}'
        message = Message(text)
        message.value, message.allowed, message.hint = name, listed(known, 30), told or closest(name, known)
        message.unknown = holder is missing and not self._undefined_hint
        message.where = self._where
        return message


# What is raised over a name, a value, or a way into Python.
FAULTS = (BadExpression, Mismatch, jinja2.UndefinedError, SecurityError)


def explained(
    fault: BadExpression | Mismatch | jinja2.TemplateRuntimeError, known: Callable[[str], tuple[str, str]]
) -> BadExpression:
    """One of FAULTS for a person; ``known`` tells what is allowed instead of a name that is not known, and a hint."""
    if isinstance(fault, BadExpression):
        return fault
    if isinstance(fault, Mismatch):
        return BadExpression(str(fault), fault.value, fault.allowed, fault.hint)
    message: Any = fault.message
    if not isinstance(message, Message):
        return BadExpression(str(message))
    allowed, hint = known(message.value) if message.unknown else (message.allowed, message.hint)
    bad = BadExpression(str(message), message.value, allowed, hint)
    bad.where = message.where
    return bad


def _of_whom(holder: Any) -> str:
    """What a name was asked of, as far as a person typed it; where in the memory it lies is nobody's business."""
    if holder is None:
        return "nothing (an empty cell)"
    return shown(holder, 80) if isinstance(holder, str | int | float | list | tuple) else "this"


def _line_being_filled() -> tuple[Path, int] | None:
    """File and line of the innermost template that is at work; a shared one only when it is alone."""
    frame: FrameType | None = sys._getframe(1)
    found: tuple[Path, int] | None = None
    while frame is not None:
        template = frame.f_globals.get("__jinja_template__")
        if template is not None and template.filename:
            path = Path(template.filename)
            found = found or (path, template.get_corresponding_lineno(frame.f_lineno))
            if path.parent.name != SHARED:
                return path, template.get_corresponding_lineno(frame.f_lineno)
        frame = frame.f_back
    return found


class Environment(SandboxedEnvironment):
    def _tokenize(self, source: str, name: str | None, filename: str | None = None, state: str | None = None) -> TokenStream:
        """The words of a source; texts in quotation marks are of whole letters."""

        def whole(tokens: TokenStream) -> Iterator[Token]:
            for token in tokens:
                if token.type == "string" and (half := HALF.search(str(token.value))):
                    written = f"\\u{ord(half[0]):x}"
                    raise jinja2.TemplateSyntaxError(f"{written} in a text is half a letter", token.lineno, name, filename)
                yield token

        return TokenStream(whole(super()._tokenize(source, name, filename, state)), name, filename)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Rows and mappings show templates their entries and nothing of Python."""
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
