"""The environment of expressions: a short list of filters and methods, and a bounded number of steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import jinja2
from jinja2.filters import make_attrgetter
from jinja2.runtime import Context

from pnp.sandbox import Strict
from pnp.sandbox.counting import Counted, counting
from pnp.sandbox.values import BadExpression, Group, of_text, plain, printable, same, shown, sortable
from pnp.values.cells import unwrapped
from pnp.values.tables import Row

MOST_RANGE = 100_000
MOST_POWER = 1000

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


class Narrow(Counted):
    """The environment of expressions: what could run long or grow large is counted, or not there."""

    intercepted_binops = frozenset(("*", "**", "%"))

    def __init__(self, names: Mapping[str, Any]) -> None:
        super().__init__(undefined=_StrictExpression, autoescape=False)
        own: dict[str, Callable[..., Any]] = {
            "sum": self._sum, "min": min, "max": max, "set": set, "sorted": self._sorted, "unique": self._unique,
            "round": self._round,
        }  # fmt: skip
        self.globals = {
            **names,
            **{name: counting(self, function) for name, function in own.items()},
            **{name: counting(self, function) for name, function in (("all", all), ("any", any), ("len", self._len))},
            "abs": abs,
            "range": self._range,
        }
        self.filters = {name: counting(self, self.filters[name]) for name in FILTERS}
        self.filters |= {name: of_text(self.filters[name]) for name in TEXTUAL}
        own |= {"sort": self._sorted, "groupby": self._groupby, "join": self._join}
        self.filters |= {name: counting(self, function) for name, function in own.items()}
        self.tests = {name: self.tests[name] for name in TESTS}
        self.tests |= dict.fromkeys(("eq", "equalto", "=="), same)
        self.tests |= dict.fromkeys(("ne", "!="), lambda one, other: not same(one, other))
        self.tests["in"] = lambda one, many: any(same(one, each) for each in self.counted(many))

    def getattr(self, obj: Any, attribute: str) -> Any:
        """As templates see it, but a row's copies are always a number, whatever its column is ruled to hold."""
        return obj.copies if isinstance(obj, Row) and attribute == "copies" else super().getattr(obj, attribute)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        return any(isinstance(obj, kind) and attr in names for kind, names in METHODS.items())

    def wrap_str_format(self, value: Any) -> None:
        """A text's method ``format`` is like any other: what it pads has no bounds."""

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Numbers only: a text or a list times a number, and a power of a power, fill the memory."""
        left, right = unwrapped(left), unwrapped(right)
        if not (isinstance(left, int | float) and isinstance(right, int | float)):
            for side in (left, right):
                str(side) if isinstance(side, jinja2.Undefined) else None
            raise BadExpression(f"{shown(left)} {operator} {shown(right)}: both sides must be numbers")
        if operator == "**" and (abs(right) > MOST_POWER or abs(left) > MOST_POWER**2):
            raise BadExpression(f"{shown(left)} ** {shown(right)} is too large")
        return super().call_binop(context, operator, left, right)

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805
        __self.spend(1)
        plain((args, kwargs))
        return super().call(__context, __obj, *args, **kwargs)

    def _getter(self, attribute: str | None) -> Callable[[Any], Any]:
        return make_attrgetter(self, attribute) if attribute is not None else lambda thing: thing

    def _sum(self, things: Iterable[Any], attribute: str | None = None) -> int | float:
        total: int | float = 0
        for value in map(unwrapped, map(self._getter(attribute), things)):
            if not isinstance(value, int | float):
                raise BadExpression(f"{shown(value)} is no number that could be added up")
            total += value
        return total

    def _sorted(self, things: Iterable[Any], reverse: bool = False, attribute: str | None = None) -> list[Any]:
        get = self._getter(attribute)
        return sorted(things, key=lambda thing: sortable(get(thing)), reverse=reverse)

    def _unique(self, things: Iterable[Any], attribute: str | None = None) -> list[Any]:
        get = self._getter(attribute)
        return list({get(thing): thing for thing in reversed(list(things))}.values())[::-1]

    def _groupby(self, things: Iterable[Any], attribute: str) -> list[Group]:
        """Things by a column, in the order in which its values come first."""
        get, groups = self._getter(attribute), dict[Any, list[Any]]()
        for thing in things:
            groups.setdefault(get(thing), []).append(thing)
        return [Group(value, members) for value, members in groups.items()]

    def _join(self, things: Iterable[Any], between: str = "", attribute: str | None = None) -> str:
        texts = [str(printable(value)) for value in map(self._getter(attribute), things)]
        self.spend(sum(map(len, texts)) + len(between) * len(texts))
        return between.join(texts)

    @staticmethod
    def _len(things: Any) -> int:
        return len(things) if hasattr(things, "__len__") else sum(1 for _ in things)

    @staticmethod
    def _round(number: float, digits: int = 0) -> int | float:
        return round(number) if digits == 0 else round(number, max(-20, min(digits, 20)))

    @staticmethod
    def _range(*bounds: int) -> range:
        made = range(*bounds)
        if len(made) > MOST_RANGE:
            raise BadExpression(f"a range has at most {MOST_RANGE} numbers", str(len(made)))
        return made
