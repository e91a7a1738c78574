"""Evaluates expressions over a game's tables, finds what they select rows by, and explains false ones."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from types import CodeType
from typing import Any, TypeVar

import jinja2
from jinja2 import nodes
from jinja2.filters import make_attrgetter
from jinja2.parser import Parser
from jinja2.runtime import Context

from pnp.dataclass import dataclass
from pnp.sandbox import Environment, Strict, bounded_range, fault_of, joined, ordered, power
from pnp.sandbox.mistakes import of_grammar
from pnp.sandbox.values import Group, equal, of_text, plain, printable, same, shown, sortable, within
from pnp.values.problems import Fault, Place, listed
from pnp.values.tables import Flag, Row, unwrapped

METHODS: Mapping[type, frozenset[str]] = {
    str: frozenset(("lower", "upper", "strip", "split", "startswith", "endswith", "count", "isdigit")),
    set: frozenset(("union", "intersection", "difference", "issubset", "issuperset", "isdisjoint")),
    list: frozenset(("count", "index")),
    tuple: frozenset(("count", "index", "grouper", "list")),
}
TESTS = (
    *("divisibleby", "even", "odd", "none", "true", "false", "string", "number", "lt", "<", "gt", ">", "le", "<=", "ge"),
    *(">=", "lessthan", "greaterthan", "defined", "undefined"),
)
# Filters that make text of what they are given.
TEXTUAL = ("string", "lower", "upper", "title", "capitalize", "trim")
# Jinja's own filters that expressions may use; what could make long texts or numbers out of short ones is not here.
FILTERS = (
    *("map", "select", "reject", "selectattr", "rejectattr", "list", "length", "count", "first", "last", "reverse"),
    *("int", "float", "abs", *TEXTUAL, "default", "d", "items"),
)


class _StrictExpression(Strict):
    who = "expressions"


class Narrow(Environment):
    """The environment of expressions, without operations that make much from little."""

    intercepted_binops = frozenset(("*", "**", "%"))

    def __init__(self, names: Mapping[str, Any]) -> None:
        super().__init__(undefined=_StrictExpression, autoescape=False)
        own: dict[str, Callable[..., Any]] = {
            "sum": self._sum, "min": min, "max": max, "set": set, "sorted": self._sorted, "unique": self._unique,
            "round": self._round,
        }  # fmt: skip
        self.globals = {
            **names,
            **{name: _in_order(function) for name, function in own.items()},
            **{name: _in_order(function) for name, function in (("all", all), ("any", any), ("len", self._len))},
            "abs": abs,
            "range": bounded_range,
        }
        self.filters = {name: _in_order(self.filters[name]) for name in FILTERS}
        self.filters |= {name: of_text(self.filters[name]) for name in TEXTUAL}
        own |= {"sort": self._sorted, "groupby": self._groupby, "join": self._join}
        self.filters |= {name: _in_order(function) for name, function in own.items()}
        self.filters |= {"ordered": ordered, "joined": joined, "within": within}
        self.tests = {name: self.tests[name] for name in TESTS}
        self.tests |= dict.fromkeys(("eq", "equalto", "=="), same)
        self.tests |= dict.fromkeys(("ne", "!="), lambda one, other: not same(one, other))
        self.tests["in"] = lambda one, many: any(same(one, each) for each in ordered(many))

    def getattr(self, obj: Any, attribute: str) -> Any:
        """As in templates, but a row's copies are always a number, whatever its column may hold."""
        return obj.copies if isinstance(obj, Row) and attribute == "copies" else super().getattr(obj, attribute)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        return any(isinstance(obj, kind) and attr in names for kind, names in METHODS.items())

    def wrap_str_format(self, value: Any) -> None:
        """Wraps no method: ``format``, whose padding is unbounded, is refused like any other."""

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Allows numbers only: a text or list times a number, and a power of a power, fill the memory."""
        left, right = unwrapped(left), unwrapped(right)
        if not (isinstance(left, int | float) and isinstance(right, int | float)):
            for side in (left, right):
                str(side) if isinstance(side, jinja2.Undefined) else None
            raise Fault(f"{shown(left)} {operator} {shown(right)}: both sides must be numbers")
        return power(left, right) if operator == "**" else super().call_binop(context, operator, left, right)

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805
        plain((args, kwargs))
        return super().call(__context, __obj, *args, **kwargs)

    def _getter(self, attribute: str | None) -> Callable[[Any], Any]:
        return make_attrgetter(self, attribute) if attribute is not None else lambda thing: thing

    def _sum(self, things: Iterable[Any], attribute: str | None = None) -> int | float:
        total: int | float = 0
        for value in map(unwrapped, map(self._getter(attribute), things)):
            if not isinstance(value, int | float):
                raise Fault(f"{shown(value)} is no number that could be added up")
            total += value
        return total

    def _sorted(self, things: Iterable[Any], reverse: bool = False, attribute: str | None = None) -> list[Any]:
        get = self._getter(attribute)
        return sorted(things, key=lambda thing: sortable(get(thing)), reverse=reverse)

    def _unique(self, things: Iterable[Any], attribute: str | None = None) -> list[Any]:
        get = self._getter(attribute)
        return list({get(thing): thing for thing in reversed(list(things))}.values())[::-1]

    def _groupby(self, things: Iterable[Any], attribute: str) -> list[Group]:
        """Groups things by a column, in the order in which values first occur."""
        get, groups = self._getter(attribute), dict[Any, list[Any]]()
        for thing in things:
            groups.setdefault(get(thing), []).append(thing)
        return [Group(value, members) for value, members in groups.items()]

    def _join(self, things: Iterable[Any], between: str = "", attribute: str | None = None) -> str:
        return between.join(str(printable(value)) for value in map(self._getter(attribute), things))

    @staticmethod
    def _len(things: Any) -> int:
        return len(things) if hasattr(things, "__len__") else sum(1 for _ in things)

    @staticmethod
    def _round(number: float, digits: int = 0) -> int | float:
        return round(number) if digits == 0 else round(number, max(-20, min(digits, 20)))


def _in_order(function: Callable[..., Any]) -> Callable[..., Any]:
    """A filter or function that iterates its subject, after Jinja's own arguments, in one order."""
    at = 1 if hasattr(function, "jinja_pass_arg") else 0

    @wraps(function, updated=("__dict__",) if hasattr(function, "__dict__") else ())
    def run(*given: Any, **named: Any) -> Any:
        return function(*(ordered(value) if index == at else value for index, value in enumerate(given)), **named)

    return run


@dataclass(frozen=True, slots=True)
class Asked:
    """A literal compared with a column, in a call that selects rows of ``name``."""

    function: str
    name: str
    column: str
    value: str
    absent: bool = False
    """Whether the number of rows is compared with 0, so that it may be meant that there are none."""


# Filters that leave out rows by a column, tests for a value, and filters that leave rows what they are.
_Kind = TypeVar("_Kind", bound=nodes.Node)
_SELECTING = ("selectattr", "rejectattr")
_SAME = ("eq", "equalto", "==", "in")
_KEEPING = (*_SELECTING, "list", "sort", "unique", "reverse")
# 0 is behind these, and before those that say the same.
_WITH_NONE = {"eq", "ne", "gt", "lteq"}, {"eq", "ne", "lt", "gteq"}


def asked(node: nodes.Node) -> Iterator[Asked]:
    """Every literal that selects rows; not those computed."""
    absent = set(map(id, _absent(node)))
    for call in _every(node, nodes.Call):
        if (picking := _picking(call)) is None:
            continue
        for keyword in call.kwargs:
            each = keyword.value.items if isinstance(keyword.value, nodes.List | nodes.Tuple) else [keyword.value]
            for value in each:
                # Yes and no are always values of a column of flags.
                if isinstance(value, nodes.Const) and not isinstance(value.value, bool) and value.value is not None:
                    yield Asked(*picking, keyword.key, str(value.value), id(call) in absent)

    for select in _every(node, nodes.Filter):
        yield from _selected(select, id(select) in absent)


def _every(node: nodes.Node, kind: type[_Kind]) -> Iterator[_Kind]:
    """The nodes of this kind, the given one among them."""
    yield from (node,) if isinstance(node, kind) else ()
    yield from node.find_all(kind)


def _picking(call: nodes.Call) -> tuple[str, str] | None:
    """The selecting function and its subject: ``rows("cards", …)``, ``board("sea").fields(…)``."""
    function, of = call.node, call
    if isinstance(function, nodes.Getattr) and function.attr == "fields" and isinstance(function.node, nodes.Call):
        of = function.node
        name = "fields" if isinstance(of.node, nodes.Name) and of.node.name == "board" else ""
    else:
        name = function.name if isinstance(function, nodes.Name) else ""
    typed = of.args[0] if of.args else None
    return (name, str(typed.value)) if name and isinstance(typed, nodes.Const) else None


def _selected(select: nodes.Filter, absent: bool) -> Iterator[Asked]:
    """The literals in ``selectattr("terrain", "eq", "reef")``."""
    if select.name not in _SELECTING or len(select.args) != 3:
        return
    rows = select.node
    while isinstance(rows, nodes.Filter) and rows.name in _KEEPING:
        rows = rows.node
    if not (isinstance(rows, nodes.Call) and isinstance(rows.node, nodes.Name) and rows.node.name == "rows" and rows.args):
        return
    column, test, value = select.args
    named = [each.value for each in (rows.args[0], column, test) if isinstance(each, nodes.Const)]
    if len(named) != 3 or named[2] not in _SAME or isinstance(value, nodes.List | nodes.Tuple) != (named[2] == "in"):
        return
    for each in value.items if isinstance(value, nodes.List | nodes.Tuple) else [value]:
        # A number may be written in several ways; what is no text and no whole number is left out.
        if isinstance(each, nodes.Const) and isinstance(each.value, str | int) and not isinstance(each.value, bool):
            yield Asked("rows", str(named[0]), str(named[1]), str(each.value), absent)


def _absent(node: nodes.Node) -> Iterator[nodes.Node]:
    """Calls and selections whose number of rows alone is compared with 0."""
    for compare in _every(node, nodes.Compare):
        if len(compare.ops) != 1:
            continue
        for number, none, signs in zip(
            (compare.expr, compare.ops[0].expr), (compare.ops[0].expr, compare.expr), _WITH_NONE, strict=True
        ):
            if isinstance(none, nodes.Const) and none.value == 0 and compare.ops[0].op in signs:
                yield from _counted(number)


def _counted(node: nodes.Node) -> Iterator[nodes.Node]:
    """The call or selection whose rows an expression only counts."""
    if isinstance(node, nodes.Filter) and node.name in ("length", "count", "list") and node.node is not None:
        yield from _counted(node.node)
    elif isinstance(node, nodes.Filter) and node.name == "selectattr":
        yield node
    elif isinstance(node, nodes.Call):
        yield node
        if isinstance(node.node, nodes.Name) and node.node.name == "len" and node.args:
            yield from _counted(node.args[0])


MOST_TEXT = 2000
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
    """Compiles and evaluates expressions over a game's names."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        self._environment = Narrow(names)

    def compile(self, text: str) -> Expression:
        """Compiles an expression. Raises Fault."""
        if len(text) > MOST_TEXT:
            raise Fault(f"it is longer than {MOST_TEXT} characters")
        with _faults(self._environment, ()):
            return Expression(text, self._environment)


Source = tuple[str, int]
"""An expression's text, and which of its clauses is meant; -1 is all of it."""
MOST_COMPILED = 2_000
_COMPILED: dict[Source, CodeType] = {}


class Expression:
    """A compiled expression. ``clauses``: the parts joined by ``and``, each true or false by itself."""

    def __init__(self, text: str, environment: Narrow) -> None:
        node = _parsed(text, environment)
        parts = _conjuncts(text, node, environment)
        self.clauses = tuple(Clause(part, each, environment, (text, at)) for at, (part, each) in enumerate(parts))
        of_rows = (each for each in node.find_all(nodes.Getattr) if getattr(each.node, "name", "") == "row")
        self.names = frozenset([each.name for each in _every(node, nodes.Name)] + [each.attr for each in of_rows])
        """The names that it asks for, and those that it asks ``row`` for."""
        self._program = Program([node], environment, (text, -1))
        self.asked = tuple(asked(node))

    def value(self, names: Mapping[str, Any]) -> Any:
        """Its value. Raises Fault."""
        return self._program.run(names)[0]


class Clause:
    """A part of an expression, true or false by itself."""

    def __init__(self, text: str, node: nodes.Expr, environment: Narrow, source: Source) -> None:
        self.text = text
        self._operators: list[str] = []
        sides = [node]
        if isinstance(node, nodes.Compare):
            sides = [node.expr, *(operand.expr for operand in node.ops)]
            self._operators = [operand.op for operand in node.ops]
        self._program = Program(sides, environment, source)

    def judge(self, names: Mapping[str, Any]) -> Judgement:
        """Whether it holds, and its operands' values. Raises Fault."""
        values = self._program.run(names)
        if not self._operators:
            (value,) = values
            if isinstance(value, Flag):
                value = value.yes
            if not isinstance(value, bool):
                hint = "Compare it with something: … == …"
                raise Fault(f"it is neither true nor false, but {shown(value)}", shown(value), hint=hint)
            return Judgement(value, (shown(value),), shown(value), "")
        holds = all(self._program.compare(*each) for each in zip(self._operators, values, values[1:], strict=False))
        texts = tuple(map(shown, values))
        signs = [_COMPARISONS[name][0] for name in self._operators]
        worked = " ".join([texts[0], *(f"{sign} {text}" for sign, text in zip(signs, texts[1:], strict=True))])
        apart = _apart(*values) if not holds and self._operators == ["eq"] else ""
        return Judgement(holds, texts, worked, apart)


class Program:
    """Expressions run together, compiled at first use."""

    def __init__(self, parts: Sequence[nodes.Expr], environment: Narrow, source: Source) -> None:
        self._parts, self._source = parts, source
        self._environment = environment
        self._template: jinja2.Template | None = None

    def run(self, names: Mapping[str, Any]) -> list[Any]:
        """Their values; iterators become lists. Raises Fault."""
        with _faults(self._environment, names):
            if self._template is None:
                self._template = jinja2.Template.from_code(self._environment, self._code(), self._environment.globals)
            context = self._template.new_context({**self._environment.globals, **names}, shared=True)
            for _ in self._template.root_render_func(context):
                pass
            values = [context.vars[f"side_{index}"] for index in range(len(self._parts))]
            values = [list(each) if isinstance(each, Iterator) else each for each in values]
            for value in values:
                for each in value if isinstance(value, list) else (value,):
                    if isinstance(each, jinja2.Undefined):
                        str(each)  # raises, saying what is not there
            return values

    def _code(self) -> CodeType:
        """The compiled code of the parts, cached, for games are checked again and again."""
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
        """Compares by Jinja's name of the operator."""
        _alike(left, right)
        sign, compared = _COMPARISONS[name]
        with _faults(self._environment, ()):
            try:
                return bool(compared(left, right))
            except TypeError:
                raise Fault(f"{shown(left)} {sign} {shown(right)} cannot be compared", shown(left)) from None


@dataclass(frozen=True, slots=True)
class Judgement:
    """A clause's answer, its operands' values as texts, and the comparison written with these."""

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
    """Refuses to compare a row with a text: a column of the row is meant."""
    kinds = [
        {type(each) for each in (side if isinstance(side, list | tuple | set | frozenset) else (side,))}
        for side in (left, right)
    ]
    if (Row in kinds[0] and str in kinds[1]) or (Row in kinds[1] and str in kinds[0]):
        raise Fault(
            "it compares a row with a text, which are never equal",
            hint='Compare its id or name: map(attribute="place.id"), row.name …',
        )


def _parsed(text: str, environment: Narrow) -> nodes.Expr:
    parser = Parser(environment, text, state="variable")
    node = parser.parse_expression()
    if not parser.stream.eos:
        hint = "Write == to compare." if parser.stream.current.type == "assign" else ""
        raise Fault(f'nobody knows what to do with "{parser.stream.current.value}" in it', hint=hint)
    node.set_environment(environment)
    return node


def _conjuncts(text: str, node: nodes.Expr, environment: Narrow) -> list[tuple[str, nodes.Expr]]:
    """The parts joined by ``and``, with their texts; the whole text where these cannot be found."""
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
    """Turns whatever an expression raises into Fault."""
    try:
        yield
    except jinja2.TemplateSyntaxError as error:
        bad = of_grammar(error.message or "it cannot be read", Place(""), "", environment.filters)
        bad.place = None
        raise bad from None
    except (RecursionError, SyntaxError):
        raise Fault("it is nested too deeply") from None
    except Exception as error:
        known = [*names, *environment.globals]
        raise fault_of(error, known) or Fault(f"{type(error).__name__}: {error}") from None
