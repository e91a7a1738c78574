"""Fills SVG templates and the texts of books with Jinja2 in a sandbox."""

from __future__ import annotations

import operator as operators
import re
from collections.abc import Callable, Mapping
from functools import wraps
from types import TracebackType
from typing import Any

import jinja2
from jinja2 import nodes
from jinja2.environment import TemplateModule
from jinja2.filters import make_attrgetter
from jinja2.runtime import Context, LoopContext, Macro
from jinja2.sandbox import SandboxedEscapeFormatter, SandboxedFormatter
from markupsafe import Markup

from pnp.sandbox import Environment, Strict, bounded_range, fault_of, power, printed, whole
from pnp.sandbox.expressions import Narrow
from pnp.sandbox.mistakes import of_grammar
from pnp.sandbox.values import author, of_text, printable, shown, tr
from pnp.values.languages import ENGLISH, IN_WORDS, SAID, Words
from pnp.values.problems import Fault, Place, closest, listed
from pnp.values.tables import unwrapped

METHODS: Mapping[type, frozenset[str]] = {
    str: frozenset(
        (
            *("lower", "upper", "title", "capitalize", "swapcase", "casefold", "strip", "lstrip", "rstrip", "split"),
            *("rsplit", "splitlines", "partition", "rpartition", "startswith", "endswith", "removeprefix", "removesuffix"),
            *("count", "find", "rfind", "index", "rindex", "replace", "join", "center", "ljust", "rjust", "zfill"),
            *("isdigit", "isalpha", "isalnum", "isdecimal", "isnumeric", "islower", "isupper", "isspace", "istitle"),
            "isidentifier",
        )
    ),
    list: frozenset(("count", "index")),
    tuple: frozenset(("count", "index")),
    range: frozenset(("count", "index")),
    int: frozenset(("bit_length",)),
    float: frozenset(("is_integer",)),
}
_BARE = (*METHODS, bytes, dict, set, frozenset)
# Filters of chance, and those that need nothing a drawing has.
_GONE = ("random", "pprint", "urlize", "xmlattr")
# They make text of what they are given, which must be text already.
_TEXTUAL = (
    *("string", "lower", "upper", "title", "capitalize", "trim", "center", "indent", "replace", "wordwrap", "truncate"),
    *("striptags", "escape", "e", "forceescape", "safe", "urlencode", "wordcount", "filesizeformat"),
)
_NUMBERS = (int, float)
_AS_PYTHON = re.compile(r"%(?:\([^)]*\))?[-#0 +]*[\d*]*(?:\.[\d*]+)?[hlL]?[ra]")


class Drawings(Environment):
    """The environment of SVG templates."""

    intercepted_binops = frozenset(("*", "**", "%", "+"))

    def __init__(self, loader: jinja2.BaseLoader, names: Mapping[str, Any]) -> None:
        super().__init__(loader=loader, autoescape=True, undefined=Strict, trim_blocks=True, lstrip_blocks=True)
        self.finalize = printed
        # The same game gives the same sheets: nothing in a template is left to chance.
        del self.globals["lipsum"]
        self.globals.update({"range": bounded_range, "whole": whole, **names})
        for name in _GONE:
            del self.filters[name]
        for name in _TEXTUAL:
            function = self.filters[name]
            self.filters[name] = of_text(function, 1 if hasattr(function, "jinja_pass_arg") else 0)
        self.filters |= {"tr": tr, "original": author, "join": self._joining(self.filters["join"]), "format": _format}

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        text, name = getattr(value, "__self__", None), getattr(value, "__name__", "")
        if not isinstance(text, str) or name not in ("format", "format_map"):
            return None
        made = _EscapeFormatter(self, escape=text.escape) if isinstance(text, Markup) else _Formatter(self)
        # A translation that has been filled in is a plain text: it has no source any more.
        kind = type(text) if isinstance(text, Markup) else str

        def formatted(*given: Any, **named: Any) -> str:
            return kind(made.vformat(text, *(((), given[0]) if name == "format_map" else (given, named))))

        return formatted

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        bare = unwrapped(left), unwrapped(right)
        if operator == "*" and (isinstance(bare[0], str) or isinstance(bare[1], str)):
            # Python makes no text at all of a negative number.
            for side in bare:
                if type(side) is int:
                    whole(side, "how often a text is repeated")
        if operator == "*" or all(isinstance(side, _NUMBERS) for side in bare):
            left, right = bare
        if operator == "**" and isinstance(left, _NUMBERS) and isinstance(right, _NUMBERS):
            return power(left, right)
        if operator == "%" and isinstance(left, str):
            _may_fill(left, right)
        return self.binop_table[operator](left, right)

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805
        if type(__obj) is Macro:
            if kwargs and not __obj.catch_kwargs:
                _refuse_unknown(__obj, kwargs)
            return __context.call(__obj, *args, **kwargs)
        return super().call(__context, __obj, *args, **kwargs)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Lets macros pass unchecked, for they are safe and called often."""
        if type(obj) is TemplateModule and type(made := vars(obj).get(attribute)) is Macro:
            return made
        return super().getattr(obj, attribute)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Allows only the listed attributes of texts, lists and numbers, for many others change them."""
        if isinstance(obj, _BARE) and callable(value):
            return any(isinstance(obj, kind) and attr in names for kind, names in METHODS.items())
        return not isinstance(obj, type) and super().is_safe_attribute(obj, attr, value)

    def _joining(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The filter ``join``, for texts only."""

        @wraps(function, updated=("__dict__",))
        def run(context: Any, things: Any, between: Any = "", attribute: Any = None) -> Any:
            get = make_attrgetter(self, attribute) if attribute is not None else lambda thing: thing
            return function(context, [printable(get(thing)) for thing in things], printable(between))

        return run


def _format(text: Any, *given: Any, **named: Any) -> Any:
    """The filter ``format``: ``%`` of a text."""
    text = printable(text)
    _may_fill(str(text), given or named)
    return text % (named or given)


def _may_fill(text: str, values: Any) -> None:
    """Refuses non-texts for ``%``. Raises Fault."""
    if _AS_PYTHON.search(text):
        raise Fault("%r and %a write what Python would", shown(text), hint="Write %s.")
    named = isinstance(values, Mapping) and "%(" in text
    for value in values if isinstance(values, tuple) else values.values() if named else (values,):
        printable(value)


def _refuse_unknown(macro: Macro, given: Mapping[str, Any]) -> None:
    """Refuses arguments that a macro does not take."""
    for name in given:
        if name not in macro.arguments and name != "caller" and not name.startswith("_"):
            known = macro.arguments
            raise Fault(f'the macro "{macro.name}" takes no "{name}"', name, listed(known, 30), closest(name, known))


class _Printable:
    def format_field(self, value: Any, format_spec: str) -> Any:
        return super().format_field(printable(value), format_spec)  # type: ignore[misc]

    def convert_field(self, value: Any, conversion: Any) -> Any:
        if conversion in ("r", "a"):
            raise Fault(f"!{conversion} writes what Python would", f"!{conversion}", hint="Leave it out.")
        return super().convert_field(printable(value), conversion)  # type: ignore[misc]


class _Formatter(_Printable, SandboxedFormatter):
    pass


class _EscapeFormatter(_Printable, SandboxedEscapeFormatter):
    pass


MOST_OUTPUT = 2_000_000
LOOP = frozenset(("index", "index0", "revindex", "first", "last", "length"))
# Characters that stand for figures; only functions make them.
PRIVATE = ("\ue000", "\ue001", "\ue002", "\ue003")


class _StrictBook(Strict):
    who = "books"


class Documents(Narrow):
    """Fills the ``{{ … }}`` and ``{% … %}`` of a book's text with a game's values."""

    intercepted_binops = frozenset(("*", "**", "%", "+"))

    def __init__(self, names: Mapping[str, Any], language: str = "en", words: Words = ENGLISH) -> None:
        super().__init__(names)
        self._words = words
        self._english = language.partition("-")[0] == "en"
        self.undefined = _StrictBook
        self.trim_blocks = self.lstrip_blocks = self.keep_trailing_newline = True
        self.finalize = printed
        self.filters |= {"in_words": self.in_words, "tr": tr, "original": author}

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        made = super()._parse(source, name, filename)
        for text in made.find_all(nodes.Const):
            if isinstance(text.value, str) and any(mark in text.value for mark in PRIVATE):
                raise jinja2.TemplateSyntaxError("a text holds a private character", text.lineno)
        return made

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Adds texts to texts and lists to lists; otherwise as in expressions."""
        texts = isinstance(left, str) and isinstance(right, str)
        if operator == "+" and (texts or (isinstance(left, list) and isinstance(right, list))):
            return operators.add(left, right)
        return super().call_binop(context, operator, left, right)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        return (isinstance(obj, LoopContext) and attr in LOOP) or super().is_safe_attribute(obj, attr, value)

    # A context keeps Jinja from writing the word into the compiled text, which games in other languages share.
    @jinja2.pass_context
    def in_words(self, _context: Context, number: Any) -> str:
        """A whole number as a word of the language, ``six``; in figures where there is none."""
        number = unwrapped(number)
        if isinstance(number, bool) or not isinstance(number, int) or number not in IN_WORDS:
            raise Fault(f"in_words cannot write {shown(number)}", shown(number), "a whole number from 0 to 99")
        if self._english:
            return IN_WORDS[number]
        return self._words(SAID[number]) if number < len(SAID) and SAID[number] in self._words.forms else str(number)

    def fill(self, source: str) -> str:
        """The filled text. Raises Fault."""
        file = "<book>"
        try:
            code = self.compile(source, "book", file)
            template = jinja2.Template.from_code(self, code, dict(self.globals))
            made, size = [], 0
            for part in template.generate():
                size += len(part)
                if size > MOST_OUTPUT:
                    raise Fault(f"it makes more than {MOST_OUTPUT // 1_000_000} MB of text")
                made.append(part)
            return "".join(made)
        except jinja2.TemplateSyntaxError as error:
            raise of_grammar(error.message or "it cannot be read", Place("", error.lineno), source, self.filters) from None
        except Exception as error:
            # Whatever an expression in a book can raise is the book's fault, not ours.
            said = f"it cannot be filled in ({shown(f'{type(error).__name__}: {error}')})"
            if isinstance(error, RecursionError):
                said = "it calls itself without end"
            bad = fault_of(error, self.globals) or Fault(said)
            bad.place = _place(error.__traceback__, file)
            raise bad from None


def _place(trace: TracebackType | None, file: str) -> Place:
    """The innermost line of the text in a traceback."""
    line = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            line = trace.tb_lineno
        trace = trace.tb_next
    return Place("", line)
