"""Defines problems: what is wrong with a game, collected first, shown together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import Literal

from pnp.dataclass import dataclass
from pnp.shapes.affine import Rect

Severity = Literal["error", "warning"]
Side = Literal["front", "back"]


# What steers a terminal or turns the order of letters around, but for the ends of lines and tabs.
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    """A text to show: control characters as escapes such as \\x1b, bytes of file names that are no text as ?."""
    if text.isprintable():
        return text
    text = text.encode("utf-8", "replace").decode()
    return _STEERING.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def _print_all(finding: Place | Problem, names: tuple[str, ...]) -> None:
    """Makes every text of a finding visible, wherever it is shown then."""
    for name in names:
        text = getattr(finding, name)
        if text and not text.isprintable():
            object.__setattr__(finding, name, visible(text))


@dataclass(frozen=True, slots=True)
class Place:
    """A place: a file, and in it a row (1-based line) and a column or key."""

    file: str
    row: int | None = None
    column: str | None = None
    sheet: str | None = None
    """Of a workbook, where game.toml names one: its other sheets have the same rows and columns."""
    line: int | None = None
    """Where an editor shows the row, if cells above it have several lines."""

    def __post_init__(self) -> None:
        _print_all(self, ("file", "column", "sheet"))

    def __str__(self) -> str:
        file = f"{self.file} (sheet {self.sheet})" if self.sheet else self.file
        said = ":".join(str(part) for part in (file, self.row, self.column) if part is not None)
        return said if self.line is None else f"{said} (line {self.line})"


@dataclass(frozen=True, slots=True)
class About:
    """The piece, and the box on it, of a finding: for displays and programs."""

    component: str
    piece: str = ""
    """Its id; empty where it is about all pieces of the component."""
    side: Side | None = None
    """None where it is about the piece and neither of its sides."""
    part: int = 1
    """Which part it is of a piece that is glued from several."""
    box: str = ""
    """The name of the text box, if it has one."""
    area: Rect | None = None
    """Where the text box is, in mm of the face."""

    @property
    def called(self) -> str:
        """Its name within its component."""
        return self.piece + (f":{self.part}" if self.part > 1 else "") + (" (back)" if self.side == "back" else "")

    def __str__(self) -> str:
        return f"{self.component}/{self.called}"

    def as_dict(self) -> dict[str, str | int]:
        """Its known fields."""
        known = {"component": self.component, "piece": self.piece, "side": self.side, "box": self.box}
        part = {"part": self.part} if self.part > 1 else {}
        return {key: value for key, value in known.items() if value} | part


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
    about: About | None = field(default=None, compare=False)
    """The same sentence about the same place is the same finding, on whichever piece it was met first."""

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
            **(self.about.as_dict() if self.about else {}),
        }

    def as_sentences(self) -> dict[str, str]:
        """The finding in sentences."""
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
    """A list of findings, each once, in the order found."""

    found: dict[Problem, None] = field(default_factory=dict)
    unreadable: bool = False
    """A file could not be read at all, so that whatever depends on it was not looked at."""

    def error(
        self,
        rule: str,
        place: Place,
        message: str,
        *,
        value: str = "",
        allowed: str = "",
        hint: str = "",
        about: About | None = None,
    ) -> None:
        self.extend([Problem(rule, place, message, value, allowed, hint, about=about)])

    def unknown(self, rule: str, place: Place, message: str, value: str, known: Iterable[str], most: int = 12) -> None:
        """Reports an unknown name, with the known ones and the likely meant one."""
        names = list(known)
        self.error(rule, place, message, value=value, allowed=listed(names, most), hint=closest(value, names))

    def warn(
        self, rule: str, place: Place, message: str, *, value: str = "", hint: str = "", about: About | None = None
    ) -> None:
        self.extend([Problem(rule, place, message, value, "", hint, "warning", about)])

    def extend(self, problems: Iterable[Problem]) -> None:
        self.found.update(dict.fromkeys(problems))

    def __iter__(self) -> Iterator[Problem]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    @property
    def errors(self) -> list[Problem]:
        return [problem for problem in self if problem.severity == "error"]


class Fault(Exception):
    """What cannot be done: what is wrong, the value, what is allowed, what to do, and where, as far as it is known."""

    def __init__(self, message: str, value: str = "", allowed: str = "", hint: str = "", place: Place | None = None) -> None:
        super().__init__(message, value, allowed, hint, place)
        self.message, self.value, self.allowed, self.hint, self.place = message, value, allowed, hint, place

    def __str__(self) -> str:
        return f"{self.message}. {self.hint}" if self.hint else self.message

    def problem(self, rule: str, place: Place | None = None, said: str = "") -> Problem:
        """The finding, at this place or else at its own; ``said`` stands before its message."""
        where = place or self.place or Place("")
        return Problem(rule, where, said + self.message, self.value, self.allowed, self.hint)


def ended(sentence: str) -> str:
    """The sentence with a full stop, unless it ends in punctuation."""
    return sentence if sentence.endswith((".", "?", "!")) else f"{sentence}."


def closest(word: str, known: Iterable[str], likeness: float = 0.6) -> str:
    """``Did you mean "…"?`` when a known word is near, else empty."""
    name = nearest(word, known, likeness)
    return f'Did you mean "{name}"?' if name else ""


def nearest(word: str, known: Iterable[str], likeness: float = 0.6) -> str:
    """The nearest known word; empty when all are far."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    by_folded = {name.casefold(): name for name in known if name != word}
    scorer = OSA.normalized_similarity
    found = process.extractOne(word.casefold(), list(by_folded), scorer=scorer, score_cutoff=likeness)
    return by_folded[found[0]] if found else ""


def listed(names: Iterable[str], most: int = 12) -> str:
    """Names as a list for a sentence, cut when long."""
    shown = list(names)
    if len(shown) <= most:
        return ", ".join(shown)
    return ", ".join(shown[:most]) + f" … ({len(shown)} in all)"
