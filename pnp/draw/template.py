"""Fills Jinja2 SVG templates: sandboxed, strict about names, values escaped."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any

import jinja2
from jinja2 import meta, nodes
from jinja2.loaders import split_template_path

from pnp.dataclass import dataclass
from pnp.sandbox import FAULTS, HALF, SHARED, explained
from pnp.sandbox.jinja import Drawings
from pnp.sandbox.mistakes import of_grammar, unlike
from pnp.shapes.outline import path, regular
from pnp.system.paths import within
from pnp.values.game import Component
from pnp.values.problems import Fault, Place, closest, listed
from pnp.values.tables import Row, unwrapped

MOST_OUTPUT = 8_000_000
MOST_SOURCE = 1_000_000
MOST_CORNERS = 360
# A line of a drawing is looked for in so many of a template, by so many of its letters; it is one that is so much alike.
MOST_LINES, MOST_COMPARED, LEAST_ALIKE = 4000, 200, 0.5
# So many lines of drawings are looked for in the whole of a template, which takes long.
MOST_SOUGHT = 12
# Templates whose analysis is kept.
MOST_KNOWN = 100
# Parts of a drawing that are made before they are counted.
PARTS = 200


ENDING = ".svg.j2"
_Line = tuple[str, int, str]
"""File, number and text of a line of a template."""


_EACH = re.compile(r"\{[{%][^}%]*\beach\b(?!\s*=)")


class _Loader(jinja2.FileSystemLoader):
    def __init__(self, roots: tuple[Path, ...], made: Mapping[str, str]) -> None:
        super().__init__([str(root) for root in roots])
        self.personal, self.made = False, made

    def get_source(self, environment: jinja2.Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        for root in map(Path, self.searchpath):
            path = root.joinpath(*split_template_path(template))
            if path.is_file() and not any(within(Path(root), path) for root in self.searchpath):
                raise jinja2.TemplateNotFound(template)
            if path.is_file() and path.stat().st_size > MOST_SOURCE:
                raise Fault(f"{path.name} is larger than {MOST_SOURCE // 1_000_000} MB")
        if template in self.made:
            return self.made[template], template, lambda: True
        found = super().get_source(environment, template)
        self.personal = self.personal or bool(_EACH.search(found[0]))
        return found


def corners(count: int, x: float, y: float, radius: float, inner: float | None = None, turn: float = 0.0) -> str:
    """The path of a regular polygon, or with an inner radius of a star, for ``d=`` of a path. Raises Fault."""
    number = unwrapped(count)
    if not isinstance(number, int) or not 3 <= number <= MOST_CORNERS:
        raise Fault(f'"{count}" is no number of corners', str(count), f"whole numbers from 3 to {MOST_CORNERS}")
    return path([regular(number, x, y, radius, inner, turn)])


class Templates:
    """The templates of a game, by name; the first folder that has one wins. ``made``: sources of files that are in none."""

    def __init__(self, roots: tuple[Path, ...], names: Mapping[str, Any], made: Mapping[str, str] | None = None) -> None:
        self._roots = roots
        self._names = names = {"corners": corners, **names}
        self._loader = _Loader(roots, made or {})
        self._environment = Drawings(self._loader, names)
        # Nothing is loaded twice: a build sees its templates as they were when it first looked.
        self._environment.auto_reload = False
        self._reads: dict[str, frozenset[str] | None] = {}
        self._strays: dict[str, Fault] = {}
        """By template, a block that none of those it extends has: what is in it would not be drawn."""
        self.compared: dict[str, list[tuple[Place, str, str]]] = {}
        """By template, where a column of the row is compared with a text: place, column and text."""
        self._sought: dict[str, dict[str, _Line | None]] = {}
        """By template, faulty lines of its drawings and where they were found: a mistake is in the drawings of all rows."""

    def fill(self, name: str, values: Mapping[str, Any]) -> str:
        """The template's text with the values in it. Raises Fault."""
        file = f"{name}.svg.j2"
        made: list[str] = []
        size = 0
        if name in self._strays:
            raise self._strays[name]
        try:
            parts = self._environment.get_template(file).generate(values)
            while some := list(islice(parts, PARTS)):
                size += sum(map(len, some))
                if size > MOST_OUTPUT:
                    raise Fault(f"it makes more than {MOST_OUTPUT // 1_000_000} MB of SVG")
                made += some
            text = "".join(made)
            if not text.isascii() and (half := HALF.search(text)):
                raise Fault(f"it makes \\u{ord(half[0]):x}, which is half a letter")
            return text
        except FAULTS as error:
            bad = explained(error, lambda name: self._known(name, values))
            where = bad.place and Place(self.short(Path(bad.place.file)), bad.place.row)
            bad.place = where or self._where(error.__traceback__, file)
            raise bad from None
        except jinja2.TemplateSyntaxError as error:
            said, where = error.message or "it cannot be read", Place(self.shown(error.name or file), error.lineno)
            raise of_grammar(said, where, error.source or "", self._environment.filters) from None
        except jinja2.TemplateNotFound as error:
            names = self._environment.list_templates(extensions=["j2"])
            known = [name for name in names if not name.startswith("new/")]
            outside = re.search(r"(^|/)\.\.(/|$)|^/|^[A-Za-z]:", str(error.name))
            near = (
                ""
                if outside
                else closest(str(error.name).removesuffix(ENDING), [each.removesuffix(ENDING) for each in known])
            )
            hint = near.replace('"?', f'{ENDING}"?') or "Templates are read from folders called templates/ alone."
            where = self._where(error.__traceback__, file)
            raise Fault(f'there is no template "{error.name}"', str(error.name), hint=hint, place=where) from None
        except RecursionError as error:
            lines = self._lines(error.__traceback__)
            again = next((index for index, line in enumerate(lines) if line in lines[:index]), len(lines))
            where = lines[again - 1] if lines else Place(self.shown(file))
            raise Fault("it includes or calls itself without end", place=where) from None
        except MemoryError:
            raise  # the watchdog tells it
        except Exception as error:
            # Whatever an expression in a template can raise is the template's fault, not ours.
            bad = unlike(error) or Fault(f"it cannot be filled ({type(error).__name__}: {error})")
            bad.place = self._where(error.__traceback__, file)
            raise bad from None

    def reads(self, name: str) -> frozenset[str] | None:
        """The values of :meth:`fill` that a template uses, such as ``row`` and ``face``, found without filling it.

        None where its source does not say: it includes another template by a computed name, or has a mistake.
        """
        if name not in self._reads:
            self._reads[name] = self._read_by(name)
        return self._reads[name]

    def _read_by(self, name: str) -> frozenset[str] | None:
        queue, found, imported = [f"{name}{ENDING}"], set[str](), set[str]()
        blocks: dict[str, Place] = {}
        known: list[str] = []
        for file in queue:
            try:
                said = _said_by(self._environment, self._loader.get_source(self._environment, file)[0])
            except MemoryError:
                raise  # the watchdog tells it
            except Exception:
                return None  # filling it tells what is wrong
            places = [(Place(self.shown(file), line), column, text) for line, column, text in said.compared]
            self.compared.setdefault(name, []).extend(places)
            found |= said.undeclared
            imported |= said.imported
            known += said.blocks if blocks else ()
            blocks = {block: place for block, place in blocks.items() if block not in said.blocks}
            blocks |= {block: Place(self.shown(file), line) for block, line in said.tops.items()}
            if said.named is None:
                return None
            queue += [each for each in said.named if each not in queue]
        for block, place in blocks.items():
            hint = closest(block, known) or f"Write {{% block {known[0]} %}}." if known else ""
            message = f"what stands in {{% block {block} %}} is never drawn: what it extends has no such block"
            self._strays.setdefault(name, Fault(message, block, listed(known), hint, place))
        return frozenset(found - imported - self._environment.globals.keys() - self._names.keys())

    @property
    def personal(self) -> bool:
        """Whether a filled template names the person a deck is printed for."""
        return self._loader.personal

    def line_of(self, name: str, wanted: re.Pattern[str]) -> tuple[str, int] | None:
        """File and line where something stands in a template or those that it includes."""
        found = ((file, number) for file, number, line in self._every_line(name) if wanted.search(line))
        return next(found, None)

    def line_like(self, name: str, wanted: str) -> tuple[str, int] | None:
        """File and line of what is most like a line of the drawing that the template makes."""
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

    def unused(self, home: Path, names: Iterable[str]) -> list[Path]:
        """The templates of a folder that none of these is, extends, includes or imports; none where a name is computed."""
        queue = [f"{name}{ENDING}" for name in names]
        if not (others := [path for path in sorted(home.glob(f"*{ENDING}")) if path.name not in queue]):
            return []
        for file in queue:
            try:
                tree = self._environment.parse(self._loader.get_source(self._environment, file)[0])
            except jinja2.TemplateError:
                return []
            for other in meta.find_referenced_templates(tree):
                if other is None:
                    return []
                if other not in queue:
                    queue.append(other)
        read = {next((root / file for root in self._roots if (root / file).is_file()), home).resolve() for file in queue}
        return [path for path in others if path.resolve() not in read]

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
        """A path from templates/ on."""
        parts = path.parts
        if "templates" not in parts:
            return path.name
        start = len(parts) - 1 - parts[::-1].index("templates")
        in_game = start >= 2 and parts[start - 2] == "content"
        return "/".join(parts[start - 2 if in_game else start :])

    def _where(self, trace: TracebackType | None, file: str) -> Place:
        return (self._lines(trace) or [Place(self.shown(file))])[-1]

    def _lines(self, trace: TracebackType | None) -> list[Place]:
        """The template lines of a traceback, outermost first; shared ones only when they are alone."""
        shared: list[Place] = []
        own: list[Place] = []
        while trace is not None:
            path = Path(trace.tb_frame.f_code.co_filename)
            if path.suffix == ".j2":
                (shared if path.parent.name == SHARED else own).append(Place(self.short(path), trace.tb_lineno))
            trace = trace.tb_next
        return own or shared


@dataclass(frozen=True, slots=True)
class _Said:
    """Facts about a template's source, whichever game it belongs to."""

    compared: tuple[tuple[int, str, str], ...]
    """Line, column and text of each ``row.column == "text"``, and of each text in ``row.column in ["…"]``."""
    undeclared: frozenset[str]
    imported: frozenset[str]
    """Names of imported macros."""
    blocks: tuple[str, ...]
    tops: Mapping[str, int]
    """The outermost blocks with their lines, where it extends another template."""
    named: tuple[str, ...] | None
    """The templates that it extends, includes, or imports with context; None where a name is computed."""


_KNOWN: dict[str, _Said] = {}


def _said_by(environment: jinja2.Environment, source: str) -> _Said:
    """Analyses a template; the same source once in a process. Raises what parsing raises."""
    if source not in _KNOWN:
        if len(_KNOWN) >= MOST_KNOWN:
            _KNOWN.clear()
        _KNOWN[source] = _analysed(environment.parse(source))
    return _KNOWN[source]


def _analysed(tree: nodes.Template) -> _Said:
    imported: set[str] = set()
    named: dict[str, None] | None = {}
    # Macros that are imported see nothing but what they are given.
    for node in tree.find_all((nodes.Extends, nodes.Include, nodes.Import, nodes.FromImport)):
        if isinstance(node, nodes.Import):
            imported.add(node.target)
        elif isinstance(node, nodes.FromImport):
            imported |= {each if isinstance(each, str) else each[1] for each in node.names}
        if isinstance(node, nodes.Import | nodes.FromImport) and not node.with_context:
            continue
        other: nodes.Expr = node.template  # type: ignore[attr-defined]
        if not isinstance(other, nodes.Const) or not isinstance(other.value, str):
            named = None
        elif named is not None:
            named[other.value] = None
    tops = (
        {each.name: each.lineno for each in tree.body if isinstance(each, nodes.Block)} if tree.find(nodes.Extends) else {}
    )
    blocks = tuple(block.name for block in tree.find_all(nodes.Block))
    undeclared = frozenset(meta.find_undeclared_variables(tree))
    return _Said(
        tuple(_compared(tree)), undeclared, frozenset(imported), blocks, tops, None if named is None else tuple(named)
    )


def shows_both(templates: Templates, component: Component, other: str) -> bool:
    """Whether a template of the component asks for a text in this language, or in one that it computes."""
    asked = re.compile(rf"""\|\s*tr\s*\(\s*(?:[^"'\s]|["']{re.escape(other)}["'])""")
    return any(templates.line_of(name, asked) for name in (component.template, component.back) if name)


def _compared(tree: nodes.Template) -> Iterator[tuple[int, str, str]]:
    """Line, column and text of each ``row.column == "text"``, and of each text in ``row.column in ["…"]``."""
    for node in tree.find_all((nodes.Compare, nodes.Filter)):
        if isinstance(node, nodes.Compare) and len(node.ops) == 1 and node.ops[0].op in ("eq", "ne"):
            sides = [node.expr, node.ops[0].expr]
        elif isinstance(node, nodes.Filter) and node.name == "within" and isinstance(node.args[0], nodes.List | nodes.Tuple):
            sides = [node.node, *node.args[0].items] if node.node else []
        else:
            continue
        asked = [side.attr for side in sides if isinstance(side, nodes.Getattr) and side.node == nodes.Name("row", "load")]
        texts = [side.value for side in sides if isinstance(side, nodes.Const) and isinstance(side.value, str)]
        yield from ((node.lineno, asked[0], text) for text in texts if len(asked) == 1)


def _most_alike(lines: Iterable[_Line], wanted: str) -> _Line | None:
    best, found = LEAST_ALIKE, None
    match = difflib.SequenceMatcher(autojunk=False, b=wanted)
    for line in lines:
        if len(wanted) > len(line[2]) / 20 and wanted in line[2]:
            return line
        match.set_seq1(line[2].strip()[:MOST_COMPARED])
        if match.real_quick_ratio() > best and match.quick_ratio() > best and (ratio := match.ratio()) > best:
            best, found = ratio, line
    return found
