"""A game in other languages, as values: what may be translated, what a catalogue says of it, and which belongs to which.

A catalogue is a file ``languages/de.csv`` of a game. Each of its rows says what stands somewhere in the game (``source``),
and the same in its language (``target``). Whether a translation is still good is seen by comparing the two.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Literal, Self

from pnp.values.problems import Place

State = Literal["translated", "same", "stale", "missing"]
"""Same: somebody has typed that the source stands in this language, too. Stale: the source has changed since."""
FOLDER = "languages"
COLUMNS = ("location", "source", "target", "fuzzy", "context")
# Lines of a row's context that are pnp's own: what the source was, and that nothing of the game is like it any more.
WAS, GONE = "[was] ", "[gone]"
# A paragraph that is so much like an old one is that one, changed.
ALIKE = 0.6

_ICON = re.compile(r":[\w][\w/.-]*:")
_TAG = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)


def worded(text: str) -> bool:
    """Whether a text has words to translate: letters beside its icons and beside what is computed in it."""
    return any(letter.isalpha() for letter in _ICON.sub("", _TAG.sub("", text)))


class Translated(str):
    """A text of a game in another language.

    It prints and reads as its translation, and it is equal to its source as well: what compares a name with the one that
    the author knows, or looks something up by it, goes on finding it.
    """

    __slots__ = ("source", "texts")

    source: str
    texts: Mapping[str, str]
    """The same in all languages that have it, the game's own among them, by their codes."""

    def __new__(cls, text: str, source: str, texts: Mapping[str, str]) -> Self:
        made = super().__new__(cls, text)
        made.source, made.texts = source, texts
        return made

    def __getnewargs__(self) -> tuple[str, str, Mapping[str, str]]:  # type: ignore[override]
        return str(self), self.source, self.texts

    def __repr__(self) -> str:
        return f"Translated({str(self)!r}, {self.source!r}, {dict(self.texts)!r})"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Translated):
            return self.source == other.source
        return str.__eq__(self, other) or self.source == other

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.source)


def original(text: str) -> str:
    """What the author of the game wrote, of a text that may be translated."""
    return text.source if isinstance(text, Translated) else text


@dataclass(frozen=True, slots=True)
class Unit:
    """Something of a game that is printed as words, and where its author wrote it."""

    location: str
    """A name that lasts: ``penguins/wave-up/name``, ``texts/turn``, ``book/rulebook/the-aim/2``."""
    source: str
    place: Place

    @property
    def family(self) -> str:
        """What a text that has moved is looked for in first: a column of a table, a book, the set-up."""
        parts = self.location.split("/")
        return f"{parts[0]}/{parts[-1]}" if len(parts) == 3 else "/".join(parts[:2])


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of a catalogue."""

    location: str
    source: str
    target: str
    fuzzy: bool = False
    context: str = ""
    others: Mapping[str, str] = field(default_factory=dict)
    """What stands in columns that pnp does not know."""
    place: Place = field(default_factory=lambda: Place(""))

    @property
    def gone(self) -> bool:
        """Whether it is marked as one that nothing in the game is like."""
        return GONE in self.context.split("\n")

    @property
    def was(self) -> str | None:
        """The source that it translates, where that has changed since."""
        for line in self.context.split("\n"):
            if line.startswith(WAS):
                return line.removeprefix(WAS).replace("\\n", "\n")
        return None

    @property
    def note(self) -> str:
        """Its context without the lines that are pnp's own."""
        return "\n".join(line for line in self.context.split("\n") if line != GONE and not line.startswith(WAS))

    @property
    def family(self) -> str:
        return Unit(self.location, "", self.place).family


@dataclass(frozen=True, slots=True)
class Catalogue:
    """A file of translations: the code of its language, its path as people read it, its rows in the order written."""

    language: str
    file: str
    entries: tuple[Entry, ...] = ()
    columns: tuple[str, ...] = COLUMNS
    marked: bool = False
    """It begins with the mark by which Excel knows UTF-8."""


def context_of(note: str, *, was: str | None = None, gone: bool = False) -> str:
    """The context of a row: pnp's own lines, then what somebody wrote."""
    lines = [*([GONE] if gone else []), *([f"{WAS}{was}".replace("\n", "\\n")] if was is not None else []), note]
    return "\n".join(filter(None, lines))


def state_of(unit: Unit, entry: Entry | None) -> State:
    """How far a translation has come."""
    if entry is None or not entry.target.strip():
        return "missing"
    if entry.fuzzy or entry.source != unit.source:
        return "stale"
    return "same" if entry.target == unit.source else "translated"


@dataclass(frozen=True, slots=True)
class Translation:
    """A catalogue beside what the game says now."""

    catalogue: Catalogue
    pairs: tuple[tuple[Unit, Entry | None], ...]
    """Everything that is to be translated, in the game's order, with the row that translates it."""
    gone: tuple[Entry, ...]
    """Rows that nothing in the game is like any more."""

    @property
    def language(self) -> str:
        return self.catalogue.language

    def counted(self, *states: State) -> int:
        """How many texts are in one of these states."""
        return sum(state_of(unit, entry) in states for unit, entry in self.pairs)

    @property
    def percent(self) -> int:
        """How much is done, rounded down: 100 is all."""
        done = self.counted("translated", "same")
        return 100 * done // len(self.pairs) if self.pairs else 100

    @property
    def texts(self) -> Mapping[str, Entry]:
        """The rows that hold good, by location."""
        good = ("translated", "same")
        return {unit.location: entry for unit, entry in self.pairs if entry is not None and state_of(unit, entry) in good}

    def __str__(self) -> str:
        told = (f"{self.counted('missing')} missing", f"{self.counted('stale')} stale", f"{self.counted('same')} the same")
        return f"{self.language}: {self.percent} % of {len(self.pairs)} texts ({', '.join(told)})"


def matched(units: Sequence[Unit], catalogue: Catalogue) -> Translation:
    """Which row translates what.

    A text that still stands where it stood has its row. One that has moved is found by its source, nearest to home first.
    What stands in the place of an old text, or is a paragraph much like one, is that text changed: its row is stale.
    """
    found: dict[str, Entry] = {}
    left = dict(enumerate(catalogue.entries))

    def take(keyed: Callable[[Unit | Entry], object], units: Iterable[Unit]) -> None:
        waiting: dict[object, list[int]] = defaultdict(list)
        for at, entry in left.items():
            waiting[keyed(entry)].append(at)
        for unit in units:
            if unit.location not in found and (ways := waiting.get(keyed(unit))):
                found[unit.location] = left.pop(ways.pop(0))

    take(lambda each: (each.location, each.source), units)
    take(lambda each: (each.family, each.source), units)
    take(lambda each: each.source, units)
    for unit, at in _alike([unit for unit in units if unit.location not in found], left):
        found[unit.location] = left.pop(at)
    take(lambda each: each.location, units)
    pairs = tuple((unit, found.get(unit.location)) for unit in units)
    return Translation(catalogue, pairs, tuple(left.values()))


def _alike(units: Sequence[Unit], left: Mapping[int, Entry]) -> Iterator[tuple[Unit, int]]:
    """Paragraphs of books and the old ones that they are much like, the likest first."""
    homes: dict[str, list[int]] = defaultdict(list)
    for at, entry in left.items():
        if entry.location.startswith("book/"):
            homes[entry.location.rpartition("/")[0]].append(at)
    likely: list[tuple[float, int, int]] = []
    for number, unit in enumerate(units):
        for at in homes.get(unit.location.rpartition("/")[0], ()):
            likeness = SequenceMatcher(None, unit.source, left[at].source, autojunk=False).ratio()
            if likeness >= ALIKE:
                likely.append((-likeness, number, at))
    taken: set[int] = set()
    given: set[int] = set()
    for _, number, at in sorted(likely):
        if number not in given and at not in taken:
            given.add(number)
            taken.add(at)
            yield units[number], at
