"""SVG templates filled in: the whole of Jinja2 but for what Python lends it, and nothing in it without bounds."""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import Any, cast

import jinja2
from jinja2.environment import TemplateModule
from jinja2.filters import make_attrgetter
from jinja2.runtime import Context, Macro, Undefined
from jinja2.sandbox import SandboxedEscapeFormatter, SandboxedFormatter
from jinja2.utils import Namespace
from markupsafe import Markup, escape

from pnp.sandbox import Strict
from pnp.sandbox.compiled import Compiled
from pnp.sandbox.counting import LETTERS, MOST_BITS, MOST_STEPS, counting
from pnp.sandbox.limits import LIMITS
from pnp.sandbox.values import BadExpression, author, of_text, printable, shown, tr
from pnp.sandbox.writing import Writing
from pnp.values.cells import unwrapped
from pnp.values.problems import closest, listed

MOST_POWER = 1000
# The widest that a format makes a text or number.
MOST_WIDTH = 1000
# What a function of pnp's costs, which may look through folders or go round a board, and a name that is not there.
STEPS_OF_A_CALL, STEPS_OF_A_NAME = 100, 60
# What a whole game may take: some at once, and some for each face.
STEPS_OF_A_GAME, STEPS_OF_A_FACE = 10 * MOST_STEPS, MOST_STEPS // 100

METHODS: Mapping[type, frozenset[str]] = {
    str: frozenset(
        (
            *(
                "lower",
                "upper",
                "title",
                "capitalize",
                "swapcase",
                "casefold",
                "strip",
                "lstrip",
                "rstrip",
                "split",
                "rsplit",
            ),
            *("splitlines", "partition", "rpartition", "startswith", "endswith", "removeprefix", "removesuffix", "count"),
            *("find", "rfind", "index", "rindex", "replace", "join", "center", "ljust", "rjust", "zfill", "isdigit"),
            *("isalpha", "isalnum", "isdecimal", "isnumeric", "islower", "isupper", "isspace", "istitle", "isidentifier"),
        )
    ),
    list: frozenset(("count", "index")),
    tuple: frozenset(("count", "index")),
    range: frozenset(("count", "index")),
    int: frozenset(("bit_length",)),
    float: frozenset(("is_integer",)),
}
_BARE = (*METHODS, bytes, dict, set, frozenset)
# Filters that only go through things one by one, or not even that.
_LAZY = ("map", "select", "reject", "selectattr", "rejectattr", "list", "reverse", "batch", "slice", "last")
_LIGHT = ("first", "length", "count", "default", "d", "attr", "items", "abs", "float")
# Those that need nothing a drawing has, and work the longer the stranger their text is.
_GONE = ("random", "pprint", "urlize", "xmlattr")
# Their work may grow with the square of the text.
_SQUARE = ("striptags", "wordwrap")
# They look at every letter by itself.
_SLOW = ("wordcount", "title", "urlencode")
# They make text of what they are given; the rest makes lists, or numbers, or raises.
_TEXTUAL = (
    *("string", "lower", "upper", "title", "capitalize", "trim", "center", "indent", "replace", "wordwrap", "truncate"),
    *("striptags", "escape", "e", "forceescape", "safe", "urlencode", "format", "wordcount", "filesizeformat"),
)
_NUMBERS = (int, float)
_WIDE = re.compile(r"%[^a-zA-Z%]*?(?:\*|\d{4})")
_AS_PYTHON = re.compile(r"%(?:\([^)]*\))?[-#0 +]*[\d*]*(?:\.[\d*]+)?[hlL]?[ra]")
_SPACE = re.compile(r"\d{4}")


class Drawings(Compiled):
    """The environment of SVG templates. ``refill`` gives each face its steps."""

    code_generator_class = Writing
    intercepted_binops = frozenset(("*", "**", "%", "+"))

    def __init__(self, loader: jinja2.BaseLoader, names: Mapping[str, Any]) -> None:
        super().__init__(loader=loader, autoescape=True, undefined=Strict, trim_blocks=True, lstrip_blocks=True)
        self.stock, self._given, self.taken = STEPS_OF_A_GAME, 0, 0
        self.undefined = self._missing  # type: ignore[assignment]
        self.finalize = self.printable
        # The same game gives the same sheets: nothing in a template is left to chance.
        del self.globals["lipsum"]
        self.globals.update({"range": self._range, "dict": self._dict, **names})
        ours = ("spent", "counted", "weighed", "joined", "within")
        for name, function in list(self.filters.items()):
            if name in _GONE:
                del self.filters[name]
            elif name in _LAZY:
                self.filters[name] = self._bounded(name, counting(self, function))
            elif name == "format":
                self.filters[name] = self._weighing(name, self._formatting(function), textual=True)
            elif name == "join":
                self.filters[name] = self._bounded(name, self._weighing(name, self._joining(function)))
            elif name not in (*_LIGHT, *ours):
                self.filters[name] = self._bounded(name, self._weighing(name, function, name in _TEXTUAL))
        self.filters |= {"tr": tr, "original": author}
        for name in (
            "in",
            "eq",
            "equalto",
            "==",
            "ne",
            "!=",
            "lt",
            "<",
            "le",
            "<=",
            "gt",
            ">",
            "ge",
            ">=",
            "lower",
            "upper",
        ):
            if name in self.tests:
                self.tests[name] = self._weighing(name, cast("Callable[..., Any]", self.tests[name]))

    def refill(self) -> None:
        """A new face: as many steps as a face may take, or what the game has left."""
        self.stock += STEPS_OF_A_FACE
        self.left = self._given = min(MOST_STEPS, self.stock)

    def settle(self) -> None:
        """The face is done: what it took is gone from the game's stock."""
        self.taken = self._given - max(0, self.left)
        self.stock -= self.taken

    def charge(self, steps: int) -> bool:
        """Take what a face would take; False, and nothing is taken, when the game has not so much left."""
        if steps > min(MOST_STEPS, self.stock + STEPS_OF_A_FACE):
            return False
        self.stock += STEPS_OF_A_FACE - steps
        return True

    @property
    def spent(self) -> bool:
        return self.left < 0

    # -- texts

    def printable(self, value: Any) -> Any:
        kind = type(value)
        if kind is str or kind is Markup:
            if len(value) >= LETTERS:
                self.spend(len(value) // LETTERS)
            return value
        if kind is int or kind is float:
            return value
        return self.weighed(printable(value))

    def written(self, value: Any) -> str:
        """A value as it stands in the drawing."""
        kind = type(value)
        if kind is int or kind is float or (kind is str and len(value) < LETTERS and value.isalnum()):
            return str(value)
        return escape(self.printable(value))

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        """A text's method ``format``, which pads no further than somebody would by hand."""
        if not isinstance(value, types.MethodType | types.BuiltinMethodType) or value.__name__ not in (
            "format",
            "format_map",
        ):
            return None
        text = value.__self__
        if not isinstance(text, str):
            return None
        made = _EscapeFormatter(self, escape=text.escape) if isinstance(text, Markup) else _Formatter(self)
        # A translation that has been filled in is a plain text: it has no source any more.
        kind = type(text) if isinstance(text, Markup) else str
        mapped = value.__name__ == "format_map"

        def formatted(*given: Any, **named: Any) -> str:
            self.weighed(text)
            return kind(made.vformat(text, *(((), given[0]) if mapped else (given, named))))

        return formatted

    def _filled(self, text: str, values: Any) -> None:
        """``%`` of a text: what may stand in it is paid for, for each place that it may stand at."""
        if _WIDE.search(text):
            raise BadExpression(f"a format is wider than {MOST_WIDTH - 1}", shown(text))
        if _AS_PYTHON.search(text):
            raise BadExpression("%r and %a write what Python would", shown(text), hint="Write %s.")
        named = isinstance(values, Mapping) and "%(" in text
        for value in values if isinstance(values, tuple) else values.values() if named else (values,):
            printable(value)
        self._times(values, text.count("%") if isinstance(values, Mapping) else 1)
        self.weighed(text)

    def _times(self, thing: Any, times: int) -> None:
        """A thing is made so many times; paid for before it is made."""
        before = self.left
        self.weighed(thing)
        self.spend((before - self.left + 1) * max(0, times))

    # -- operators, calls and names

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        bare = unwrapped(left), unwrapped(right)
        if operator == "*" or all(isinstance(side, _NUMBERS) for side in bare):
            left, right = bare
        if isinstance(left, _NUMBERS) and isinstance(right, _NUMBERS):
            if operator == "**" and (abs(right) > MOST_POWER or abs(left) > MOST_POWER**2):
                raise BadExpression(f"{shown(left)} ** {shown(right)} is too large")
            made = self.binop_table[operator](left, right)
            return self._number(made) if type(made) is int else made
        if operator == "%" and isinstance(left, str):
            self._filled(left, right)
        elif operator == "*":
            for thing, times in ((left, right), (right, left)):
                if isinstance(times, int) and isinstance(thing, str):
                    self.spend(len(thing) * max(0, times) // LETTERS)
                elif isinstance(times, int):
                    self._times(thing, times)
        else:
            self.weighed(left)
            self.weighed(right)
        return self.binop_table[operator](left, right)

    @staticmethod
    def _number(made: int) -> int:
        if made.bit_length() > MOST_BITS:
            raise BadExpression(f"a number has more than {MOST_BITS} bits")
        return made

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805
        if type(__obj) is Macro:
            if kwargs and not __obj.catch_kwargs:
                _refuse_unknown(__obj, kwargs)
            return __context.call(__obj, *args, **kwargs)
        owner = None if isinstance(__obj, Undefined) else getattr(__obj, "__self__", None)
        __self.weighed((args, kwargs))
        if isinstance(owner, _BARE):
            __self.weighed(owner)
            __self._bound(f".{__obj.__name__}", (owner, *args), kwargs)
        else:
            __self.spend(STEPS_OF_A_CALL)
        made = super().call(__context, __obj, *args, **kwargs)
        return made if isinstance(made, Namespace | Macro) else __self.weighed(made)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """What a file exports as a macro is safe: faces are made of calls of them, which need no closer look."""
        if type(obj) is TemplateModule and type(made := vars(obj).get(attribute)) is Macro:
            return made
        return super().getattr(obj, attribute)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Of texts, lists and numbers only what is listed, for among the rest is much that changes or fills the memory."""
        if isinstance(obj, _BARE) and callable(value):
            return any(isinstance(obj, kind) and attr in names for kind, names in METHODS.items())
        return not isinstance(obj, type) and super().is_safe_attribute(obj, attr, value)

    def getitem(self, obj: Any, argument: Any) -> Any:
        if isinstance(argument, tuple):
            self.weighed(argument)
        return super().getitem(obj, argument)

    def _missing(self, *given: Any, **named: Any) -> Undefined:
        """A name that is not there looks for the line where it was written."""
        self.spend(STEPS_OF_A_NAME)
        return Strict(*given, **named)

    def _range(self, *bounds: int) -> range:
        made = range(*bounds)
        if len(made) > MOST_STEPS // 20:
            raise BadExpression(f"a range has at most {MOST_STEPS // 20} numbers", str(len(made)))
        return made

    @staticmethod
    def _dict(*given: Any, **named: Any) -> dict[Any, Any]:
        return dict(*given, **named)

    # -- filters

    def _weighing(self, name: str, function: Callable[..., Any], textual: bool = False) -> Callable[..., Any]:
        """A filter that goes through all of what it is given and what it makes."""
        at = 1 if hasattr(function, "jinja_pass_arg") else 0
        function = of_text(function, at) if textual else function

        @wraps(function, updated=("__dict__",) if hasattr(function, "__dict__") else ())
        def run(*given: Any, **named: Any) -> Any:
            # What comes one by one is taken in first.
            held = [list(self.counted(value)) if isinstance(value, Iterator) else value for value in given[at:]]
            self.weighed((held, named))
            if name in _SQUARE and isinstance(held[0], str):
                self.spend((len(held[0]) // 100) ** 2)
            if name in _SLOW and isinstance(held[0], str):
                self.spend(len(held[0]))
            made = function(*given[:at], *held, **named)
            return self._number(made) if type(made) is int else made if isinstance(made, Iterator) else self.weighed(made)

        return run

    def _formatting(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The filter ``format``, which is ``%`` of a text."""

        def run(text: Any, *given: Any, **named: Any) -> Any:
            self._filled(str(text), given or named)
            return function(text, *given, **named)

        return run

    def _joining(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The filter ``join``, whose parts must be text."""

        @wraps(function, updated=("__dict__",))
        def run(context: Any, things: Any, between: Any = "", attribute: Any = None) -> Any:
            get = make_attrgetter(self, attribute) if attribute is not None else lambda thing: thing
            return function(context, [printable(get(thing)) for thing in things], printable(between))

        return run

    def _bounded(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """A filter that could make much out of little looks at what it is asked for first."""
        if name not in LIMITS:
            return function
        at = 1 if hasattr(function, "jinja_pass_arg") else 0

        @wraps(function, updated=("__dict__",) if hasattr(function, "__dict__") else ())
        def run(*given: Any, **named: Any) -> Any:
            self._bound(name, given[at:], named)
            return function(*given, **named)

        return run

    def _bound(self, name: str, given: tuple[Any, ...], named: Mapping[str, Any]) -> None:
        if limit := LIMITS.get(name):
            limit(self, *given, **named)


def _refuse_unknown(macro: Macro, given: Mapping[str, Any]) -> None:
    """A macro is told what it takes, and nothing else."""
    for name in given:
        if name not in macro.arguments and name != "caller" and not name.startswith("_"):
            known = macro.arguments
            raise BadExpression(f'the macro "{macro.name}" takes no "{name}"', name, listed(known, 30), closest(name, known))


class _Narrow:
    def format_field(self, value: Any, format_spec: str) -> Any:
        """One field, no wider than somebody would write."""
        environment: Drawings = self._env  # type: ignore[attr-defined]
        if _SPACE.search(format_spec):
            raise BadExpression(f"a format is wider than {MOST_WIDTH - 1}", shown(format_spec))
        environment.weighed(printable(value))
        made = super().format_field(value, format_spec)  # type: ignore[misc]
        return environment.weighed(made)

    def convert_field(self, value: Any, conversion: Any) -> Any:
        if conversion in ("r", "a"):
            raise BadExpression(f"!{conversion} writes what Python would", f"!{conversion}", hint="Leave it out.")
        self._env.weighed(printable(value))  # type: ignore[attr-defined]
        return super().convert_field(value, conversion)  # type: ignore[misc]


class _Formatter(_Narrow, SandboxedFormatter):
    pass


class _EscapeFormatter(_Narrow, SandboxedEscapeFormatter):
    pass
