"""Jinja2 SVG templates: sandboxed, strict about names, values escaped. The only module that knows Jinja2."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import jinja2
from jinja2.sandbox import SandboxedEnvironment
from jinja2.utils import missing

from pnp.model import Row
from pnp.problems import closest, listed

MOST_OUTPUT = 8_000_000
ROW_NAMES = ("id", "copies")


class BadTemplate(Exception):
    """A template that cannot be filled; the text says why, to a person."""

    def __init__(
        self, message: str, file: str, line: int | None, value: str = "", allowed: str = "", hint: str = ""
    ) -> None:
        super().__init__(message)
        self.file, self.line, self.value, self.allowed, self.hint = file, line, value, allowed, hint


class _Message(str):
    """A sentence that carries what a Problem wants to know besides."""

    value = allowed = hint = ""


class _Strict(jinja2.StrictUndefined):
    """A name that is not there fails at its first use, with the names that are."""

    @property
    def _undefined_message(self) -> str:
        name, holder = str(self._undefined_name), self._undefined_obj
        known: Iterable[str] = ()
        if holder is missing:
            text = f'"{name}" is not known'
        elif isinstance(holder, Row):
            known = [*holder.cells, *ROW_NAMES]
            text = f'the table {holder.place.file} has no column "{name}"'
        elif isinstance(holder, Mapping):
            known = list(holder)
            text = f'there is no "{name}" here'
        else:
            text = f'"{name}" cannot be asked of {"nothing (an empty cell)" if holder is None else repr(holder)}'
        message = _Message(text)
        message.value, message.allowed, message.hint = name, listed(known, 30), closest(name, known)
        return message


class _Environment(SandboxedEnvironment):
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
        if isinstance(obj, Row | Mapping) and isinstance(argument, str):
            return self.getattr(obj, argument)
        return super().getitem(obj, argument)


class Templates:
    """The templates of a game, by name; the first folder that has one wins."""

    def __init__(self, roots: tuple[Path, ...], names: Mapping[str, Any]) -> None:
        self._roots = roots
        self._environment = _Environment(
            loader=jinja2.FileSystemLoader([str(root) for root in roots]),
            autoescape=True,
            undefined=_Strict,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.globals.update(names)

    def fill(self, name: str, values: Mapping[str, Any]) -> str:
        """The template's text with the values in it. Raises BadTemplate."""
        file = f"{name}.svg.j2"
        try:
            text = self._environment.get_template(file).render(values)
        except jinja2.TemplateSyntaxError as error:
            raise BadTemplate(error.message or "it cannot be read", self._shown(error.name or file), error.lineno) from None
        except jinja2.TemplateNotFound as error:
            raise BadTemplate(f'there is no template "{error.name}"', self._shown(file), None, str(error.name)) from None
        except jinja2.UndefinedError as error:
            message: Any = error.message
            extras = (message.value, message.allowed, message.hint) if isinstance(message, _Message) else ()
            raise BadTemplate(str(message), *self._where(error.__traceback__, file), *extras) from None
        except RecursionError as error:
            raise BadTemplate("it includes or calls itself without end", *self._where(error.__traceback__, file)) from None
        except Exception as error:
            # Whatever an expression in a template can raise is the template's fault, not ours.
            reason = f"{type(error).__name__}: {error}"
            raise BadTemplate(f"it cannot be filled ({reason})", *self._where(error.__traceback__, file)) from None
        if len(text) > MOST_OUTPUT:
            raise BadTemplate(f"it makes more than {MOST_OUTPUT // 1_000_000} MB of SVG", self._shown(file), None)
        return text

    def _shown(self, file: str) -> str:
        for root in self._roots:
            if (root / file).is_file():
                return self._short(root / file)
        return file

    def _short(self, path: Path) -> str:
        parts = path.parts
        return "/".join(parts[parts.index("templates") :]) if "templates" in parts else path.name

    def _where(self, trace: TracebackType | None, file: str) -> tuple[str, int | None]:
        """The innermost line of a template in a traceback."""
        found: tuple[str, int | None] = (self._shown(file), None)
        while trace is not None:
            path = trace.tb_frame.f_code.co_filename
            if path.endswith(".j2"):
                found = (self._short(Path(path)), trace.tb_lineno)
            trace = trace.tb_next
        return found
