"""What is wrong with a game, as values: collected first, shown together."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from pnp.shapes.affine import Rect

Severity = Literal["error", "warning"]
Side = Literal["front", "back"]


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
    sheet: str | None = None
    """Of a workbook, where game.toml names one: its other sheets have the same rows and columns."""

    def __post_init__(self) -> None:
        _print_all(self, ("file", "column", "sheet"))

    def __str__(self) -> str:
        file = f"{self.file} (sheet {self.sheet})" if self.sheet else self.file
        return ":".join(str(part) for part in (file, self.row, self.column) if part is not None)


@dataclass(frozen=True, slots=True)
class About:
    """The piece that a finding is about, and where on it: for whoever shows it, or mends it by a program."""

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
        """What it is called among the pieces of its component."""
        return self.piece + (f":{self.part}" if self.part > 1 else "") + (" (back)" if self.side == "back" else "")

    def __str__(self) -> str:
        return f"{self.component}/{self.called}"

    def as_dict(self) -> dict[str, str | int]:
        """What is known of it."""
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
    promise: str = field(default="", compare=False)
    """What is broken, in the same words however many pieces break it; empty where the place is the fault's own."""

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

    def unknown(
        self,
        rule: str,
        place: Place,
        message: str,
        value: str,
        known: Iterable[str],
        most: int = 12,
        about: About | None = None,
    ) -> None:
        """A name that nothing has: what there is instead, and which of it may have been meant."""
        names = list(known)
        self.error(rule, place, message, value=value, allowed=listed(names, most), hint=closest(value, names), about=about)

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


class Refused(Exception):
    """A thing that cannot be done for a person: what is wrong, and what to do about it, as sentences."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.message, self.hint = message, hint

    def __str__(self) -> str:
        return f"{self.message}. {self.hint}" if self.hint else self.message


def ended(sentence: str) -> str:
    """The sentence with a full stop, unless it has an end already."""
    return sentence if sentence.endswith((".", "?", "!")) else f"{sentence}."


def closest(word: str, known: Iterable[str], likeness: float = 0.6) -> str:
    """``Did you mean "…"?`` when something known is near to the word, else nothing."""
    name = nearest(word, known, likeness)
    return f'Did you mean "{name}"?' if name else ""


def nearest(word: str, known: Iterable[str], likeness: float = 0.6) -> str:
    """What is known and nearest to the word; nothing where all is far from it."""
    by_folded = {name.casefold(): name for name in known if name != word}
    near = difflib.get_close_matches(word.casefold(), by_folded, n=1, cutoff=likeness)
    return by_folded[near[0]] if near else ""


def listed(names: Iterable[str], most: int = 12) -> str:
    """Names as a list for a sentence, cut when it grows too long to read."""
    shown = list(names)
    if len(shown) <= most:
        return ", ".join(shown)
    return ", ".join(shown[:most]) + f" … ({len(shown)} in all)"
