"""Defines the options of a command (with a selection of pieces), and its result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pnp.dataclass import dataclass
from pnp.shapes.affine import Calibration
from pnp.values.game import MARGIN
from pnp.values.languages import Words
from pnp.values.problems import Fault, Place, Problem, Problems
from pnp.values.walk import grouped

if TYPE_CHECKING:
    from pnp.values.findings import Shown, Subject
    from pnp.values.game import Backs, Ink, Paper

MOST_TIMES = 99
# A slug has room for so many letters beside the rest; of names so many are told.
MOST_LETTERS, MOST_NAMES = 70, 6

Ranges = tuple[tuple[int, int], ...]
"""Numbers from 1, from the first to the last of each pair."""


class NoSuchPart(Fault):
    """A selection that names something the game does not have, or nothing."""


@dataclass(frozen=True, slots=True)
class Selection:
    """A part of a game, or several of it."""

    only: tuple[str, ...] = ()
    """Components, pieces and books as they were typed: ``cards``, ``cards:slinger,yeti``, ``rulebook``."""
    sheets: Ranges = ()
    """Sheets of the whole ``print.pdf``."""
    times: int = 1
    """Every piece so many times."""
    changed: bool = False
    """Of these, what is not on paper as it is now."""
    copies: tuple[tuple[str, int], ...] | None = None
    """What has changed, once that is known: pieces as ``component/id``, and how many of each are missing."""
    gone: tuple[str, ...] = ()
    """What is on paper and no longer needed, in words."""

    @property
    def is_whole(self) -> bool:
        """Whether it is the whole game once."""
        return self == WHOLE

    @property
    def is_part(self) -> bool:
        """Whether something is left out."""
        return bool(self.only or self.sheets or self.changed or self.copies is not None)

    def told(self, words: Words, lacking: Callable[[str], Iterable[str]] = lambda text: ()) -> str:
        """The selection in words; empty for the whole game. ``lacking``: the letters of a text that cannot be printed."""
        if self.is_whole:
            return ""
        ways = (self._named(MOST_NAMES, words), self._named(0, words), [self._counted(words)])
        texts = map(words("; ").join, ways)
        told = next((text for text in texts if len(text) <= MOST_LETTERS and not [*lacking(text)]), "")
        times = f" × {self.times}" if self.times > 1 else ""
        if not self.is_part:
            return words("everything") + times
        return (words("part: {pieces}", pieces=told) if told else words("part of it")) + times

    def _named(self, most: int, words: Words) -> list[str]:
        """The ids of each component's pieces, or their number if more than ``most``."""
        if self.sheets:
            pairs = [str(first) if first == last else f"{first}–{last}" for first, last in self.sheets]
            one = len(self.sheets) == 1 and pairs[0].isdecimal()
            named = ", ".join(pairs)
            return [words("sheet {numbers}", numbers=named) if one else words("sheets {numbers}", numbers=named)]
        if self.copies is None:
            return [_shortened(text, most, words) for text in self.only]
        ids = grouped(name.partition("/")[::2] for name, _ in self.copies)
        pieces = (_shortened(f"{component}: {', '.join(names)}", most, words) for component, names in ids.items())
        return [words("changed"), *pieces]

    def _counted(self, words: Words) -> str:
        """The number of pieces where they are too many to list."""
        if self.copies is not None:
            return words.many("changed, {count} design", "changed, {count} designs", len(self.copies))
        if self.sheets:
            count = sum(last - first + 1 for first, last in self.sheets)
            return words.many("{count} sheet", "{count} sheets", count)
        count = len({text.partition(":")[0] for text in self.only})
        return words.many("{count} component", "{count} components", count)


def _shortened(text: str, most: int, words: Words) -> str:
    """Shortens ``cards:slinger,yeti`` to ``cards: 2 designs`` where needed."""
    component, colon, ids = text.partition(":")
    count = ids.count(",") + 1
    if not colon or "=" in ids or count <= most:
        return text
    return words.many("{name}: {count} design", "{name}: {count} designs", count, name=component)


WHOLE = Selection()


PRINTED = "printed.csv"
"""The file in a game's folder that says what is on paper."""
COLUMNS = ("component", "id", "copies", "paper", "cut", "front", "back")
"""Of the file in which a game keeps it."""
Key = tuple[str, str]
"""A component and an id."""


@dataclass(frozen=True, slots=True)
class OnPaper:
    """A printed piece and its copies."""

    copies: int
    paper: str
    """What it is printed on, in the words of ``game.toml``; empty where a file does not say it."""
    cut: str
    """Its size, and a digest of its outline and folds; empty where a file does not say it."""
    front: str
    """A digest of what is seen of it."""
    back: str
    """The same; empty where it has none."""
    place: Place | None = None
    """Where that is written."""

    def is_like(self, other: OnPaper) -> bool:
        """Whether look and cut are equal, as far as both are known."""
        known = ((self.paper, other.paper), (self.cut, other.cut))
        alike = all(one == another for one, another in known if one and another)
        return alike and (self.front, self.back) == (other.front, other.back)


Stock = Mapping[Key, OnPaper]


PART = "part"
"""The folder of what is not the whole game."""
FaceFiles = Literal["", "png", "svg"]
CutFiles = Literal["", "silhouette", "silhouette-card-maker", "spot", "svg", "dxf"]
MarkedSides = Literal["front", "both"]


NOWHERE = Path()
"""For who writes nothing."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a build."""

    out: Path
    papers: tuple[Paper, ...] = ()
    """None: the papers of the game itself."""
    backs: Backs = "long-edge"
    calibration: Calibration = field(default_factory=Calibration)
    faces: FaceFiles = ""
    """Also every face as a file."""
    dpi: int = 300
    face_bleed: bool = True
    draft: bool = False
    """Build although something is wrong, with DRAFT on every sheet."""
    ink: Ink = ""
    price: float = 0.0
    """Of a printed page, in any currency: for the estimate in the print plan."""
    cut: CutFiles = ""
    """What a cutting machine is given: files, registration marks, sheets for templates, or lines in a spot colour."""
    perforate: bool = False
    """Folds are cut as dashes there, not scored."""
    marks: MarkedSides = "front"
    """On which sides of the paper it is shown where to cut."""
    margin: float = MARGIN
    """How near to the edges of the paper pieces may lie, in mm."""

    each: tuple[tuple[str, str], ...] = ()
    """The row of a table of persons for whom a deck is printed: (column, text), its id first; templates see it as each."""
    selection: Selection = field(default_factory=Selection)
    """What of the game is printed."""
    language: str = ""
    """Another language that the game is printed in; ``de+fr`` for two on its pieces; empty for its own."""

    def where(self, name: str) -> str:
        """The folder of a game's files, below the output."""
        parts = [name, *filter(None, (self.language, self.ink)), *(["each", self.each[0][1]] if self.each else [])]
        return "/".join([*parts, *([] if self.selection.is_whole else [PART])])

    def folder(self, name: str) -> Path:
        """The folder of a game's files."""
        return self.out / self.where(name)

    @property
    def uncorrected(self) -> bool:
        """Whether backs are printed by an uncalibrated printer."""
        return self.backs in ("long-edge", "short-edge") and self.calibration == Calibration()

    @property
    def cutting(self) -> bool:
        """Whether sheets leave room for a machine's registration marks."""
        return self.cut == "silhouette"

    @property
    def cut_files(self) -> bool:
        """Whether files for a cutting machine are written."""
        return self.cut in ("silhouette", "svg", "dxf")

    @property
    def templates(self) -> bool:
        """Whether sheets are for the templates of silhouette-card-maker."""
        return self.cut == "silhouette-card-maker"


@dataclass(frozen=True, slots=True)
class Count:
    """A line of the component table."""

    kind: str
    name: str
    title: str
    different: int
    copies: int
    sheets: int


@dataclass(frozen=True, slots=True)
class Bound:
    """How many of a game's numbers a rule holds."""

    numbers: int
    """Those that were changed, and those that are live."""
    held: int
    """Of these: a change is noticed, or they are live."""
    live: int
    """A book takes them from the tables."""
    allowed: int
    """Not held, with a reason."""
    left: int
    """Not looked at: there are too many."""

    def __str__(self) -> str:
        share = f"{100 * self.held / self.numbers:.1f} %" if self.numbers else "none"
        besides = [
            f"{self.live} of them live" if self.live else "",
            f"{self.allowed} allowed with a reason" if self.allowed else "",
            f"{loose} unbound" if (loose := self.numbers - self.held - self.allowed) else "",
            f"a sample: {self.left} more were not looked at" if self.left else "",
        ]
        more = ", ".join(filter(None, besides))
        return f"{self.held} of {self.numbers} numbers are held by a rule: {share}" + (f" ({more})" if more else "")


@dataclass(slots=True)
class Result:
    """The result of a build or check of one game."""

    game: str
    problems: Problems
    files: list[Path] = field(default_factory=list)
    digests: dict[str, str] = field(default_factory=dict)
    """Of the files as they were written, by their names below the game's folder (SHA-256)."""
    counts: list[Count] = field(default_factory=list)
    together: int = 0
    """How many sheets the counted components take where they share them."""
    shown: list[tuple[str, Shown]] = field(default_factory=list)
    """What the checks proved or found, by the group of rules."""
    subject: Subject | None = None
    """What the last rules looked at, for the report."""
    portraits: dict[str, bytes] = field(default_factory=dict)
    """For the report as well: a PNG of a piece of each component."""
    silenced: list[tuple[Problem, str]] = field(default_factory=list)
    """Findings that ``[[allow]]`` takes for meant, with the reasons."""

    late: list[Problem] = field(default_factory=list)
    """Findings that a draft is made in spite of, as if they were not there: they are told at its end."""
    said: str = ""
    """What it came to where there was nothing to write."""
    bound: Bound | None = None
    """How many numbers a rule holds, where that was asked."""
    languages: list[tuple[str, str]] = field(default_factory=list)
    """The share of the game that is translated into each language."""

    @property
    def ok(self) -> bool:
        return not self.problems.errors
