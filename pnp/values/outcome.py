"""What a person may choose about a build, and what a build or check comes to: values without any machinery."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pnp.shapes.affine import Calibration
from pnp.values.game import MARGIN
from pnp.values.problems import Problem, Problems
from pnp.values.selection import Selection

if TYPE_CHECKING:
    from pnp.values.findings import Shown, Subject
    from pnp.values.game import Backs, Ink, Paper

PART = "part"
"""The folder of what is not the whole game."""
FaceFiles = Literal["", "png", "svg"]
CutFiles = Literal["", "silhouette", "silhouette-card-maker", "spot", "svg", "dxf"]
MarkedSides = Literal["front", "both"]


@dataclass(frozen=True, slots=True)
class OutputFolder:
    """The folder that files are written below, and the key that seals the record of them there."""

    root: Path
    key: bytes = field(repr=False)


NOWHERE = OutputFolder(Path(), b"")
"""For who writes nothing."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a person may choose about a build."""

    out: OutputFolder
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
    """Another language that the game is printed in; empty for its own."""

    def where(self, name: str) -> str:
        """Where below the output the files of a game go."""
        parts = [name, *filter(None, (self.language, self.ink)), *(["each", self.each[0][1]] if self.each else [])]
        return "/".join([*parts, *([] if self.selection.is_whole else [PART])])

    def folder(self, name: str) -> Path:
        """The folder that the files of a game go to."""
        return self.out.root / self.where(name)

    @property
    def uncorrected(self) -> bool:
        """Whether backs are printed where no printer was measured."""
        return self.backs in ("long-edge", "short-edge") and self.calibration == Calibration()

    @property
    def cutting(self) -> bool:
        """Whether sheets keep room for a machine's registration marks."""
        return self.cut == "silhouette"

    @property
    def cut_files(self) -> bool:
        """Whether files are written for a cutting machine."""
        return self.cut in ("silhouette", "svg", "dxf")

    @property
    def templates(self) -> bool:
        """Whether sheets are for the ready templates of silhouette-card-maker."""
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
    """How many numbers of a game a rule holds."""

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
    """What a build or check of one game came to."""

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

    @property
    def ok(self) -> bool:
        return not self.problems.errors
