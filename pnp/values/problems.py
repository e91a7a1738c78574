"""What is wrong with a game, as values: collected first, shown together."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

Severity = Literal["error", "warning"]


def _print_all(finding: Place | Problem, names: tuple[str, ...]) -> None:
    """A file's name may hold bytes that are no letter: a ? stands for each of them, so that it can be told at all."""
    for name in names:
        text = getattr(finding, name)
        if text is not None and not text.isascii():
            object.__setattr__(finding, name, text.encode("utf-8", "replace").decode())


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: a file, and in it a row (1-based line) and a column or key."""

    file: str
    row: int | None = None
    column: str | None = None

    def __post_init__(self) -> None:
        _print_all(self, ("file", "column"))

    def __str__(self) -> str:
        return ":".join(str(part) for part in (self.file, self.row, self.column) if part is not None)


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding. ``rule`` names what is wrong; the other texts are sentences for people."""

    rule: str
    place: Place
    message: str
    value: str = ""
    allowed: str = ""
    hint: str = ""
    severity: Severity = "error"

    def __post_init__(self) -> None:
        _print_all(self, ("message", "value", "allowed", "hint"))

    def __str__(self) -> str:
        parts = [ended(f"{self.place}: {self.message}")]
        if self.allowed:
            parts.append(ended(f"Allowed: {self.allowed}"))
        if self.hint:
            parts.append(self.hint)
        return " ".join(parts)

    def as_dict(self) -> dict[str, str | int | None]:
        return {
            "rule": self.rule,
            "severity": self.severity,
            "file": self.place.file,
            "row": self.place.row,
            "column": self.place.column,
            "message": self.message,
            "value": self.value,
            "allowed": self.allowed,
            "hint": self.hint,
        }

    def as_sentences(self) -> dict[str, str]:
        """For pages on which people read it."""
        return {
            "severity": self.severity,
            "rule": self.rule,
            "place": str(self.place),
            "text": ended(self.message),
            "allowed": ended(self.allowed) if self.allowed else "",
            "hint": self.hint,
        }


@dataclass(slots=True)
class Problems:
    """A growing list of findings, each kept once, in the order they were found."""

    found: dict[Problem, None] = field(default_factory=dict)
    unreadable: bool = False
    """A file could not be read at all, so that whatever depends on it was not looked at."""

    def error(self, rule: str, place: Place, message: str, *, value: str = "", allowed: str = "", hint: str = "") -> None:
        self.found[Problem(rule, place, message, value, allowed, hint)] = None

    def unknown(self, rule: str, place: Place, message: str, value: str, known: Iterable[str], most: int = 12) -> None:
        """A name that nothing has: what there is instead, and which of it may have been meant."""
        names = list(known)
        self.error(rule, place, message, value=value, allowed=listed(names, most), hint=closest(value, names))

    def warn(self, rule: str, place: Place, message: str, *, value: str = "", allowed: str = "", hint: str = "") -> None:
        self.found[Problem(rule, place, message, value, allowed, hint, "warning")] = None

    def extend(self, problems: Iterable[Problem]) -> None:
        self.found.update(dict.fromkeys(problems))

    def __iter__(self) -> Iterator[Problem]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    @property
    def errors(self) -> list[Problem]:
        return [problem for problem in self if problem.severity == "error"]


def ended(sentence: str) -> str:
    """The sentence with a full stop, unless it has an end already."""
    return sentence if sentence.endswith((".", "?", "!")) else f"{sentence}."


def closest(word: str, known: Iterable[str]) -> str:
    """``Did you mean "…"?`` when something known is near to the word, else nothing."""
    by_folded = {name.casefold(): name for name in known}
    near = difflib.get_close_matches(word.casefold(), by_folded, n=1, cutoff=0.6)
    return f'Did you mean "{by_folded[near[0]]}"?' if near else ""


def listed(names: Iterable[str], most: int = 12) -> str:
    """Names as a list for a sentence, cut when it grows too long to read."""
    shown = list(names)
    if len(shown) <= most:
        return ", ".join(shown)
    return ", ".join(shown[:most]) + f" … ({len(shown)} in all)"
