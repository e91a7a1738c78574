"""What the press itself prints, in the language of the game: sentences of the print plan, of marks, of how-to pages.

Sentences are written in English where they are printed, and are looked up by themselves. ``N_`` marks those that are kept
as constants; all others are marked by being said through a :class:`Words`. docs/make/words.py collects them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from gettext import c2py
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def N_(message: str) -> str:  # noqa: N802
    """Marks a sentence that is said elsewhere; the name is that of gettext, whose tools look for it."""
    return message


@cache
def _plural(rule: str) -> Callable[[int], int]:
    """Which form a number takes, by the rule in the head of a PO file."""
    made: Callable[[int], int] = c2py(rule)
    return made


@dataclass(frozen=True, slots=True)
class Words:
    """One language of the press."""

    language: str = "en"
    forms: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False, compare=False)
    """What a sentence is in it: one text, or one for each form that numbers take."""
    rule: str = "n != 1"
    """Which form a number takes, as in the head of a PO file."""
    decimal: str = "."
    """What stands before the decimals of a number."""

    def __call__(self, message: str, /, **values: object) -> str:
        """A sentence, with values in place of the names in its braces."""
        said = self.forms.get(message, (message,))[0]
        return said.format(**values) if values else said

    def many(self, one: str, several: str, count: int, /, **values: object) -> str:
        """A sentence about so many things: the one of the two, or the form of this language; ``{count}`` is the number."""
        forms = self.forms.get(one, (one, several))
        return forms[min(_plural(self.rule)(count), len(forms) - 1)].format(count=count, **values)

    def row(self, names: Sequence[str]) -> str:
        """All of them: "a, b and c"."""
        return self(N_(" and ")).join(filter(None, (self(N_(", ")).join(names[:-1]), *names[-1:])))

    def number(self, value: float, places: int) -> str:
        """A number with so many decimals."""
        return f"{value:.{places}f}".replace(".", self.decimal)

    def shown(self, value: float) -> str:
        """A number with as many decimals as it has."""
        return f"{value:g}".replace(".", self.decimal)

    @property
    def texts(self) -> Mapping[str, tuple[str, ...]]:
        """Everything that it knows, for who looks whether letters can be shown."""
        return self.forms


ENGLISH = Words()
