"""Expressions over a game's tables: compiled, evaluated, and judged side by side, so that a false one can be explained."""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType
from typing import Any

import jinja2
from jinja2 import nodes
from jinja2.parser import Parser

from pnp.sandbox import FAULTS, explained
from pnp.sandbox.asked import asked
from pnp.sandbox.counting import MOST_STEPS
from pnp.sandbox.narrow import Narrow
from pnp.sandbox.values import BadExpression, equal, shown, unlike, within
from pnp.values.cells import Flag
from pnp.values.problems import closest, listed
from pnp.values.tables import Row

MOST_TEXT = 2000
# What a run costs beside the things it goes through, so that a claim for thousands of cases is bounded, too.
STEPS_OF_A_RUN = 100
_COMPARISONS: Mapping[str, tuple[str, Callable[[Any, Any], bool]]] = {
    "eq": ("==", equal),
    "ne": ("!=", lambda one, other: not equal(one, other)),
    "lt": ("<", operator.lt),
    "lteq": ("<=", operator.le),
    "gt": (">", operator.gt),
    "gteq": (">=", operator.ge),
    "in": ("in", within),
    "notin": ("not in", lambda one, many: not within(one, many)),
}


class Expressions:
    """Expressions over names that a game gives. They share one store of steps, which ``refill`` fills."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        self._environment = Narrow(names)
        self._before = 0

    def rename(self, names: Mapping[str, Any]) -> None:
        """From here on the names stand for what another game gives; what is compiled already stays good."""
        self._environment.globals.update(names)

    @property
    def spent(self) -> int:
        """Steps that all expressions took so far."""
        return self._before + MOST_STEPS - self._environment.left

    def refill(self) -> None:
        """From here on as many steps as at the beginning."""
        self._before = self.spent
        self._environment.left = MOST_STEPS

    def spend(self, steps: int) -> None:
        """Count steps of a function that goes over many rows. Raises BadExpression when there are too many."""
        self._environment.spend(steps)

    def compile(self, text: str) -> Expression:
        """The expression, ready to be evaluated. Raises BadExpression."""
        if len(text) > MOST_TEXT:
            raise BadExpression(f"it is longer than {MOST_TEXT} characters")
        with _faults(self._environment, ()):
            return Expression(text, self._environment)


Source = tuple[str, int]
"""An expression's text, and which of its clauses is meant; -1 is all of it."""
MOST_COMPILED = 2_000
_COMPILED: dict[Source, CodeType] = {}


class Expression:
    """A compiled expression. ``clauses`` are the parts that ``and`` joins, each true or false by itself."""

    def __init__(self, text: str, environment: Narrow) -> None:
        node = _parsed(text, environment)
        parts = _conjuncts(text, node, environment)
        self.clauses = tuple(Clause(part, each, environment, (text, at)) for at, (part, each) in enumerate(parts))
        self.names = frozenset(
            [each.name for each in node.find_all(nodes.Name)]
            + [
                each.attr
                for each in node.find_all(nodes.Getattr)
                if isinstance(each.node, nodes.Name) and each.node.name == "row"
            ]
            + ([node.name] if isinstance(node, nodes.Name) else [])
        )
        """The names that it asks for, and those that it asks ``row`` for."""
        self._program = Program([node], environment, (text, -1))
        self.asked = tuple(asked(node))

    def value(self, names: Mapping[str, Any]) -> Any:
        """What it comes to. Raises BadExpression."""
        return self._program.run(names)[0]


class Clause:
    """A part of an expression that is true or false by itself."""

    def __init__(self, text: str, node: nodes.Expr, environment: Narrow, source: Source) -> None:
        self.text = text
        self._operators: list[str] = []
        sides = [node]
        if isinstance(node, nodes.Compare):
            sides = [node.expr, *(operand.expr for operand in node.ops)]
            self._operators = [operand.op for operand in node.ops]
        self._program = Program(sides, environment, source)

    def judge(self, names: Mapping[str, Any]) -> Judgement:
        """Whether it holds, and the values of its sides. Raises BadExpression."""
        values = self._program.run(names)
        if not self._operators:
            (value,) = values
            if isinstance(value, Flag):
                value = value.yes
            if not isinstance(value, bool):
                hint = "Compare it with something: … == …"
                raise BadExpression(f"it is neither true nor false, but {shown(value)}", shown(value), hint=hint)
            return Judgement(value, (shown(value),), shown(value), "")
        holds = all(self._program.compare(*each) for each in zip(self._operators, values, values[1:], strict=False))
        texts = tuple(map(shown, values))
        signs = [_COMPARISONS[name][0] for name in self._operators]
        worked = " ".join([texts[0], *(f"{sign} {text}" for sign, text in zip(signs, texts[1:], strict=True))])
        apart = _apart(*values) if not holds and self._operators == ["eq"] else ""
        return Judgement(holds, texts, worked, apart)


class Program:
    """Expressions that are run together, compiled when they are first needed."""

    def __init__(self, parts: Sequence[nodes.Expr], environment: Narrow, source: Source) -> None:
        self._parts, self._source = parts, source
        self._environment = environment
        self._template: jinja2.Template | None = None

    def run(self, names: Mapping[str, Any]) -> list[Any]:
        """Their values; what can be gone through only once is kept as a list. Raises BadExpression."""
        with _faults(self._environment, names):
            if self._template is None:
                self._template = jinja2.Template.from_code(self._environment, self._code(), self._environment.globals)
            self._environment.spend(STEPS_OF_A_RUN)
            context = self._template.new_context({**self._environment.globals, **names}, shared=True)
            for _ in self._template.root_render_func(context):
                pass
            values = [context.vars[f"side_{index}"] for index in range(len(self._parts))]
            values = [list(self._environment.counted(each)) if isinstance(each, Iterator) else each for each in values]
            for value in values:
                for each in value if isinstance(value, list) else (value,):
                    if isinstance(each, jinja2.Undefined):
                        str(each)  # raises, saying what is not there
            return values

    def _code(self) -> CodeType:
        """What the parts are compiled to; a game is checked again and again, and says the same as before."""
        made = _COMPILED.get(self._source)
        if made is None:
            body: list[nodes.Node] = [
                nodes.Assign(nodes.Name(f"side_{index}", "store"), part, lineno=1) for index, part in enumerate(self._parts)
            ]
            made = self._environment.compile(nodes.Template(body, lineno=1))
            if len(_COMPILED) >= MOST_COMPILED:
                _COMPILED.clear()
            _COMPILED[self._source] = made
        return made

    def compare(self, name: str, left: Any, right: Any) -> bool:
        """A comparison by Jinja's name for it."""
        _alike(left, right)
        sign, compared = _COMPARISONS[name]
        with _faults(self._environment, ()):
            try:
                return bool(compared(left, right))
            except TypeError:
                raise BadExpression(f"{shown(left)} {sign} {shown(right)} cannot be compared", shown(left)) from None


@dataclass(frozen=True, slots=True)
class Judgement:
    """A clause's answer, its sides' values as texts, and the comparison written with these."""

    holds: bool
    sides: tuple[str, ...]
    worked: str
    apart: str
    """What only one of two lists or sets has that ought to be the same, as sentences."""


def _apart(left: Any, right: Any) -> str:
    if not all(isinstance(side, list | tuple | set | frozenset) for side in (left, right)):
        return ""
    texts = [[shown(each) for each in side] for side in (left, right)]
    only = [list((Counter(one) - Counter(other)).elements()) for one, other in (texts, texts[::-1])]
    named = zip(("left", "right"), only, strict=True)
    return " ".join(f"Only on the {side}: {listed(sorted(each))}." for side, each in named if each)


def _alike(left: Any, right: Any) -> None:
    """A row never equals a text: whoever compares them means a column of the row."""
    kinds = [
        {type(each) for each in (side if isinstance(side, list | tuple | set | frozenset) else (side,))}
        for side in (left, right)
    ]
    if (Row in kinds[0] and str in kinds[1]) or (Row in kinds[1] and str in kinds[0]):
        raise BadExpression(
            "it compares a row with a text, which are never equal",
            hint='Compare its id or name: map(attribute="place.id"), row.name …',
        )


def _parsed(text: str, environment: Narrow) -> nodes.Expr:
    parser = Parser(environment, text, state="variable")
    node = parser.parse_expression()
    if not parser.stream.eos:
        hint = "Write == to compare." if parser.stream.current.type == "assign" else ""
        raise BadExpression(f'nobody knows what to do with "{parser.stream.current.value}" in it', hint=hint)
    node.set_environment(environment)
    return node


def _conjuncts(text: str, node: nodes.Expr, environment: Narrow) -> list[tuple[str, nodes.Expr]]:
    """The parts of an expression that ``and`` joins, with their texts; the whole text where these cannot be told."""
    parts: list[nodes.Expr] = []
    while isinstance(node, nodes.And):
        parts.insert(0, node.right)
        node = node.left
    parts.insert(0, node)
    texts, depth = [""], 0
    for _, kind, value in list(environment.lex(f"{{{{ {text} }}}}"))[1:-1]:
        if kind == "operator":
            depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(value, 0)
        if kind == "name" and value == "and" and depth == 0:
            texts.append("")
        else:
            texts[-1] += value
    texts = [" ".join(part.split()) if "\n" in part else part.strip() for part in texts]
    if len(texts) != len(parts):
        texts = [text] * len(parts)
    return list(zip(texts, parts, strict=True))


@contextmanager
def _faults(environment: Narrow, names: Iterable[str]) -> Iterator[None]:
    """Whatever an expression can raise is its own fault, and told as such."""
    try:
        yield
    except FAULTS as error:
        known = [*names, *environment.globals]
        raise explained(error, lambda name: (listed(known, 40), closest(name, known))) from None
    except jinja2.TemplateSyntaxError as error:
        text = error.message or "it cannot be read"
        # The words are Jinja's.
        if found := re.match(r"No (filter|test) named '(.*?)'", text):
            known = sorted(name for name in getattr(environment, f"{found[1]}s"))
            raise BadExpression(
                f'there is no {found[1]} "{found[2]}"', found[2], listed(known, 60), closest(found[2], known)
            ) from None
        raise BadExpression(text) from None
    except RecursionError:
        raise BadExpression("it is nested too deeply") from None
    except ZeroDivisionError:
        raise BadExpression("it divides by 0") from None
    except Exception as error:
        raise unlike(error) or BadExpression(f"{type(error).__name__}: {error}") from None
