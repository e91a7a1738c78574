"""Fills in the texts of books: Jinja2 as narrow as for expressions."""

from __future__ import annotations

import operator as operators
from collections.abc import Mapping
from types import TracebackType
from typing import Any

import jinja2
from jinja2 import nodes
from jinja2.runtime import Context, LoopContext

from pnp.sandbox import FAULTS, Strict, explained, printed
from pnp.sandbox.expressions import Narrow
from pnp.sandbox.grammar import of_grammar
from pnp.sandbox.values import author, shown, tr, unlike
from pnp.values.languages import ENGLISH, IN_WORDS, SAID, Words
from pnp.values.problems import Fault, Place, closest, listed
from pnp.values.tables import unwrapped

MOST_OUTPUT = 2_000_000
LOOP = frozenset(("index", "index0", "revindex", "first", "last", "length"))
# Characters that stand for figures; only functions make them.
PRIVATE = ("\ue000", "\ue001", "\ue002", "\ue003")


class _StrictBook(Strict):
    who = "books"


class Documents(Narrow):
    """Fills in texts over a game's names, repeatedly until their numbers settle."""

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
        except FAULTS as error:
            bad = explained(error, lambda name: (listed(self.globals, 40), closest(name, self.globals)))
            bad.place = _place(error.__traceback__, file)
            raise bad from None
        except RecursionError as error:
            raise Fault("it calls itself without end", place=_place(error.__traceback__, file)) from None
        except ZeroDivisionError as error:
            raise Fault("it divides by 0", place=_place(error.__traceback__, file)) from None
        except Exception as error:
            # Whatever an expression in a book can raise is the book's fault, not ours.
            bad = unlike(error) or Fault(f"it cannot be filled in ({shown(f'{type(error).__name__}: {error}')})")
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
