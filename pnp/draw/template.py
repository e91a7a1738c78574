"""Jinja2 SVG templates: sandboxed, strict about names, values escaped."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any

import jinja2
from jinja2 import meta
from jinja2.loaders import split_template_path

from pnp.sandbox import FAULTS, HALF, SHARED, explained
from pnp.sandbox.drawings import Drawings
from pnp.sandbox.grammar import of_grammar
from pnp.sandbox.values import BadExpression, unlike
from pnp.system.cache import digest
from pnp.system.paths import within
from pnp.values.problems import closest, listed
from pnp.values.tables import Row

MOST_OUTPUT = 8_000_000
MOST_SOURCE = 1_000_000
# A line of a drawing is looked for in so many of a template, by so many of its letters; it is one that is so much alike.
MOST_LINES, MOST_COMPARED, LEAST_ALIKE = 4000, 200, 0.5
# So many lines of drawings are looked for in the whole of a template, which takes long.
MOST_SOUGHT = 12
# Parts of a drawing that are made before they are counted.
PARTS = 200


class BadTemplate(Exception):
    """A template that cannot be filled; the text says why, to a person."""

    def __init__(
        self, message: str, file: str, line: int | None, value: str = "", allowed: str = "", hint: str = ""
    ) -> None:
        super().__init__(message)
        self.file, self.line, self.value, self.allowed, self.hint = file, line, value, allowed, hint


ENDING = ".svg.j2"
_Line = tuple[str, int, str]
"""File, number and text of a line of a template."""


def _usable(name: str) -> bool:
    """Whether a file below the template folders is a template; those of ``new/`` are what new games begin with."""
    return name.endswith(".j2") and not name.startswith("new/")


@dataclass(frozen=True, slots=True)
class Reach:
    """The files that a template takes in, itself first, and every name that is written in them."""

    files: tuple[str, ...]
    names: frozenset[str]


class _Loader(jinja2.FileSystemLoader):
    def __init__(self, roots: tuple[Path, ...]) -> None:
        super().__init__([str(root) for root in roots])
        self.digests: dict[str, str] = {}
        """Of the sources as they were first read."""

    def get_source(self, environment: jinja2.Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        """A template's text; a link that leads out of the template folders leads nowhere."""
        for root in map(Path, self.searchpath):
            path = root.joinpath(*split_template_path(template))
            if path.is_file() and not self._inside(path):
                raise jinja2.TemplateNotFound(template)
            if path.is_file() and path.stat().st_size > MOST_SOURCE:
                raise BadExpression(f"{path.name} is larger than {MOST_SOURCE // 1_000_000} MB")
        found = super().get_source(environment, template)
        self.digests.setdefault(template, digest(found[0]))
        return found

    def _inside(self, path: Path) -> bool:
        return any(within(Path(root), path) for root in self.searchpath)


class Templates:
    """The templates of a game, by name; the first folder that has one wins."""

    def __init__(self, roots: tuple[Path, ...], names: Mapping[str, Any]) -> None:
        self._roots = roots
        self._names = names
        self._loader = _Loader(roots)
        self._environment = Drawings(self._loader, names)
        # Nothing is loaded twice: a build sees its templates as they were when it first looked.
        self._environment.auto_reload = False
        self._endless: dict[str, tuple[str, str, int | None]] = {}
        """Templates that had no end once, with what was said and where: they are not tried again for the next card."""
        self._sought: dict[str, dict[str, _Line | None]] = {}
        """By template, faulty lines of its drawings and where they were found: a mistake is in the drawings of all rows."""

    def fill(self, name: str, values: Mapping[str, Any]) -> str:
        """The template's text with the values in it. Raises BadTemplate."""
        file = f"{name}.svg.j2"
        if name in self._endless:
            raise BadTemplate(*self._endless[name])
        made: list[str] = []
        size = 0
        self._environment.refill()
        try:
            parts = self._environment.get_template(file).generate(values)
            while some := list(islice(parts, PARTS)):
                size += sum(map(len, some))
                if size > MOST_OUTPUT:
                    raise BadExpression(f"it makes more than {MOST_OUTPUT // 1_000_000} MB of SVG")
                made += some
            text = "".join(made)
            if not text.isascii() and (half := HALF.search(text)):
                raise BadExpression(f"it makes \\u{ord(half[0]):x}, which is half a letter")
            return text
        except FAULTS as error:
            bad = explained(error, lambda name: self._known(name, values))
            where = (self.short(bad.where[0]), bad.where[1]) if bad.where else self._where(error.__traceback__, file)
            if self._environment.spent or size > MOST_OUTPUT:
                self._endless[name] = (str(bad), *where)
            raise BadTemplate(str(bad), *where, bad.value, bad.allowed, bad.hint) from None
        except jinja2.TemplateSyntaxError as error:
            told = of_grammar(
                error.message or "it cannot be read", error.lineno, error.source or "", self._environment.filters
            )
            where = (self.shown(error.name or file), told.line)
            raise BadTemplate(told.message, *where, told.value, told.allowed, told.hint) from None
        except jinja2.TemplateNotFound as error:
            known = self._environment.list_templates(filter_func=_usable)
            outside = re.search(r"(^|/)\.\.(/|$)|^/|^[A-Za-z]:", str(error.name))
            near = (
                ""
                if outside
                else closest(str(error.name).removesuffix(ENDING), [each.removesuffix(ENDING) for each in known])
            )
            hint = near.replace('"?', f'{ENDING}"?') or "Templates are read from templates/ and nowhere else."
            where = self._where(error.__traceback__, file)
            raise BadTemplate(f'there is no template "{error.name}"', *where, str(error.name), "", hint) from None
        except RecursionError as error:
            lines = self._lines(error.__traceback__)
            again = next((index for index, line in enumerate(lines) if line in lines[:index]), len(lines))
            where = lines[again - 1] if lines else (self.shown(file), None)
            raise BadTemplate("it includes or calls itself without end", *where) from None
        except Exception as error:
            # Whatever an expression in a template can raise is the template's fault, not ours.
            where = self._where(error.__traceback__, file)
            if pair := unlike(error):
                raise BadTemplate(str(pair), *where, hint=pair.hint) from None
            raise BadTemplate(f"it cannot be filled ({type(error).__name__}: {error})", *where) from None
        finally:
            self._environment.settle()

    @property
    def steps(self) -> int:
        """What the face filled last has taken of the game's steps."""
        return self._environment.taken

    def charge(self, name: str, steps: int) -> bool:
        """Take so many steps as if the template had been filled; False where it could not have been."""
        return name not in self._endless and self._environment.charge(steps)

    def reach(self, name: str) -> Reach | None:
        """All that a template can take in; None where that is not all that decides a face, or only filling it will tell."""
        names: set[str] = set()
        imported: set[str] = set()
        remembering: set[str] = set()
        files = [f"{name}.svg.j2"]
        for file in files:
            try:
                self._environment.get_template(file)
            except jinja2.TemplateNotFound:
                continue  # told if it is ever taken in, and it may come to be
            except Exception:
                return None  # told when it is filled
            mentioned = self._environment.mentioned[file]
            if None in mentioned.files:
                return None
            names |= mentioned.names
            imported |= mentioned.imported
            remembering |= {file} if mentioned.remembers else set()
            files += [other for other in mentioned.files if other is not None and other not in files]
        return Reach(tuple(files), frozenset(names)) if imported.isdisjoint(remembering) else None

    def digest(self, file: str) -> str:
        """Of a template's source; empty where there is no such template that could be read."""
        if file not in self._loader.digests:
            try:
                self._loader.get_source(self._environment, file)
            except (jinja2.TemplateNotFound, BadExpression, OSError, ValueError):
                return ""
        return self._loader.digests[file]

    def line_of(self, name: str, wanted: re.Pattern[str]) -> tuple[str, int] | None:
        """File and line where something is written in a template or in those that it takes in."""
        found = ((file, number) for file, number, line in self._every_line(name) if wanted.search(line))
        return next(found, None)

    def line_like(self, name: str, wanted: str) -> tuple[str, int] | None:
        """File and line of what looks most like a line of the drawing that the template makes."""
        wanted = wanted[:MOST_COMPARED]
        sought = self._sought.setdefault(name, {})
        if wanted not in sought:
            # Cells make the lines of each row others; once some were looked for, the rest are looked for among their places.
            among = (
                islice(self._every_line(name), MOST_LINES) if len(sought) < MOST_SOUGHT else filter(None, sought.values())
            )
            sought[wanted] = _most_alike(among, wanted)
        found = sought[wanted]
        return found and found[:2]

    def _every_line(self, name: str) -> Iterator[_Line]:
        """File, number and text of each line of a template, and of those that it takes in."""
        queue = [f"{name}.svg.j2"]
        for file in queue:
            try:
                text = self._loader.get_source(self._environment, file)[0]
                named = meta.find_referenced_templates(self._environment.parse(text))
            except jinja2.TemplateError:
                continue
            for number, line in enumerate(text.splitlines(), 1):
                yield self.shown(file), number, line
            queue.extend(other for other in named if other is not None and other not in queue)

    def _known(self, name: str, values: Mapping[str, Any]) -> tuple[str, str]:
        """The names that a template may use, and a hint for one that it may not."""
        known = [*values, *self._names]
        if name in known:
            return "", f"A macro knows what it is given and nothing else: give it {name} as well."
        row = values.get("row")
        if isinstance(row, Row) and name in row:
            return listed(known), f"Write row.{name}: it is a column of the table."
        return listed(known), closest(name, known)

    def shown(self, file: str) -> str:
        """A template's file as people read it."""
        for root in self._roots:
            if (root / file).is_file():
                return self.short(root / file)
        return file

    def short(self, path: Path) -> str:
        """A path below templates/ from there on."""
        parts = path.parts
        if "templates" not in parts:
            return path.name
        start = len(parts) - 1 - parts[::-1].index("templates")
        in_game = start >= 2 and parts[start - 2] == "content"
        return "/".join(parts[start - 2 if in_game else start :])

    def _where(self, trace: TracebackType | None, file: str) -> tuple[str, int | None]:
        """The innermost line in a traceback that is the template's own or one of those that it takes in."""
        return (self._lines(trace) or [(self.shown(file), None)])[-1]

    def _lines(self, trace: TracebackType | None) -> list[tuple[str, int | None]]:
        """The lines of templates in a traceback, outermost first; of the shared ones only when they are alone."""
        shared: list[tuple[str, int | None]] = []
        own: list[tuple[str, int | None]] = []
        while trace is not None:
            path = Path(trace.tb_frame.f_code.co_filename)
            if path.suffix == ".j2":
                (shared if path.parent.name == SHARED else own).append((self.short(path), trace.tb_lineno))
            trace = trace.tb_next
        return own or shared


def _most_alike(lines: Iterable[_Line], wanted: str) -> _Line | None:
    best, found = LEAST_ALIKE, None
    match = difflib.SequenceMatcher(autojunk=False, b=wanted)
    for line in lines:
        match.set_seq1(line[2].strip()[:MOST_COMPARED])
        if match.real_quick_ratio() > best and match.quick_ratio() > best and (ratio := match.ratio()) > best:
            best, found = ratio, line
    return found
