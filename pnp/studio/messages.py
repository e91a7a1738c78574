"""Messages between the studio and its worker process: plain values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace

from pnp.dataclass import dataclass
from pnp.shapes.outline import Ring
from pnp.values.findings import MapShown
from pnp.values.game import Backs, Ink, Side
from pnp.values.outcome import MarkedSides
from pnp.values.problems import Place, Problem


@dataclass(frozen=True, slots=True)
class FaceSeen:
    """A face, once for all equal ones of its component; lengths in mm."""

    key: str
    """The same as long as it looks the same."""
    component: str
    piece: str
    """The id of the first piece that has it."""
    side: Side
    name: str
    """What it is called among the faces of its component."""
    width: float
    height: float
    bleed: float
    outline: Ring
    """Where a piece that is no rectangle is cut, from the corner of its trim; empty: along the trim."""
    copies: int
    """How many pieces have it."""
    place: Place
    """The row that it was drawn from."""


@dataclass(frozen=True, slots=True)
class ComponentSeen:
    """A component with its faces, fronts first."""

    name: str
    title: str
    kind: str
    copies: int
    faces: tuple[FaceSeen, ...]
    folded: bool = False
    """Whether there are steps for making it."""
    rows: int = 0
    """How many different pieces its table has."""

    @property
    def backless(self) -> bool:
        """Whether its pieces can have a back and have none."""
        known = self.kind in ("card", "domino", "tile", "token")
        return known and bool(self.faces) and all(face.side == "front" for face in self.faces)


@dataclass(frozen=True, slots=True)
class GameSeen:
    """All pieces of a game's last drawing."""

    name: str
    title: str
    components: tuple[ComponentSeen, ...]
    languages: tuple[tuple[str, str], ...] = ()
    """The others that it can be printed in, each by code and name."""
    books: tuple[tuple[str, str], ...] = ()
    """Each by title and file."""
    layouts: tuple[str, ...] = ()
    """Their titles."""
    papers: tuple[str, ...] = ()
    """Those that the game is printed on."""

    @property
    def faces(self) -> dict[str, FaceSeen]:
        return {face.key: face for component in self.components for face in component.faces}

    def with_changed(self, faces: Iterable[FaceSeen]) -> GameSeen:
        """The same pieces, some with new faces; faces of pieces that are not here are left out."""
        new = {(face.component, face.piece, face.side): face for face in faces}
        components = (
            replace(each, faces=tuple(new.get((face.component, face.piece, face.side), face) for face in each.faces))
            for each in self.components
        )
        return replace(self, components=tuple(components))


@dataclass(frozen=True, slots=True)
class Findings:
    """The findings about a game; ``whole`` if every rule could run."""

    problems: tuple[Problem, ...]
    whole: bool
    maps: tuple[MapShown, ...] = ()
    """What the rules have drawn: the arrangement in which a hex is cut off, for one."""


@dataclass(frozen=True, slots=True)
class PageSeen:
    """A side of a sheet, a page of a book or a picture; lengths in mm."""

    key: str
    """The same only as long as it looks the same."""
    title: str
    width: float
    height: float
    behind: str = ""
    """The key of what is printed on its back."""
    said: tuple[str, ...] = ()
    """What can be read below it."""
    of: tuple[str, ...] = ()
    """The components that it is about."""


@dataclass(frozen=True, slots=True)
class Sheets:
    """Requests the pages of ``print.pdf`` on a paper; "" is the game's own."""

    paper: str = ""
    backs: Backs = "long-edge"
    marks: MarkedSides = "front"


@dataclass(frozen=True, slots=True)
class SheetsSeen:
    paper: str
    """Empty where there is none."""
    papers: tuple[str, ...]
    """All that there are to choose from."""
    pages: tuple[PageSeen, ...]
    problems: tuple[Problem, ...]
    """What is wrong with this paper."""


@dataclass(frozen=True, slots=True)
class Books:
    """Requests all books."""


@dataclass(frozen=True, slots=True)
class BookSeen:
    title: str
    form: str
    """A book or a card."""
    paper: str
    file: str
    pages: tuple[PageSeen, ...]
    first: tuple[int, ...]
    """The line of the file from which on its text stands on a page, by page; as far as headings tell."""
    problems: tuple[Problem, ...]
    """What setting it has found."""


@dataclass(frozen=True, slots=True)
class Laid:
    """Requests the layouts, shuffled by a seed, or with pools face down if it is None."""

    seed: int | None = None


@dataclass(frozen=True, slots=True)
class LaidSeen:
    layouts: tuple[PageSeen, ...]
    shuffled: bool
    """Whether there is anything to shuffle."""


@dataclass(frozen=True, slots=True)
class Printed:
    """Requests the pieces in another ink or language."""

    ink: Ink = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class PrintedSeen:
    """The pieces; None if they cannot be drawn, with the reason among the problems."""

    game: GameSeen | None
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Folds:
    """Requests the folding steps."""


@dataclass(frozen=True, slots=True)
class FoldsSeen:
    steps: tuple[PageSeen, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """Asks whether a file can be a piece's picture; without ``data``, which one it has."""

    component: str
    piece: str
    data: bytes | None = None
    side: Side = "front"


@dataclass(frozen=True, slots=True)
class PictureSeen:
    """The path of a piece's picture, and of the file that is there now; both relative to ``art/``."""

    file: str
    there: str
    """Empty where there is nothing."""
    fault: str = ""
    """Why it cannot be the picture."""
    slotless: bool = False
    """Whether the template shows no picture, whatever there is."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Requests a place for a picture in the template of a component's fronts."""

    component: str


@dataclass(frozen=True, slots=True)
class SlotSeen:
    """The template's file, and its text without and with the place."""

    file: str = ""
    before: str = ""
    after: str = ""
    table: str = ""
    """The file that gets a column; empty where it has one, or cannot be given one."""
    column: str = ""
    width: float = 0.0
    height: float = 0.0
    """Of the place, in mm."""
    fault: str = ""
    """Why there can be none."""


@dataclass(frozen=True, slots=True)
class Boxes:
    """Requests the boxes on a side of a piece."""

    component: str
    piece: str
    side: Side


@dataclass(frozen=True, slots=True)
class BoxSeen:
    """The row's own picture, or a text box; lengths in mm from the corner of the trim."""

    number: int | None
    """The how manieth text box of the template it is; None for a picture, and for what no line of the template draws."""
    name: str
    x: float
    y: float
    w: float
    h: float
    free: str = ""
    """Which of x, y, w and h can be changed."""
    why: str = ""
    """Why the others cannot."""
    size: str = ""
    """The largest and smallest size of letters, where they can be changed."""
    placing: tuple[float, float, float] | None = None
    """What the cells art_x, art_y and art_zoom say; None for text boxes."""
    written: Mapping[str, str] = field(default_factory=dict)
    """What the template says where it can be changed: a group around it may be moved."""


@dataclass(frozen=True, slots=True)
class BoxesSeen:
    asked: Boxes
    file: str
    """The template's; empty where it has none that can be changed."""
    boxes: tuple[BoxSeen, ...]
    look: bool = False
    """Whether it is drawn by the columns of its table."""


@dataclass(frozen=True, slots=True)
class Tables:
    """Requests the set-ups for the play table."""


@dataclass(frozen=True, slots=True)
class DesignSeen:
    """A piece as it lies on a table; lengths in mm."""

    title: str
    """Of its component: all that is said of what lies face down."""
    width: float
    height: float
    sides: tuple[tuple[str, str], ...]
    """Of each its key and what it shows in words: front and back, or the faces of a die."""
    die: bool = False
    step: float = 90.0
    """By so many degrees it is turned."""


@dataclass(frozen=True, slots=True)
class LyingSeen:
    """Pieces on each other at the start, or one alone; x and y are the middle, lengths in mm."""

    x: float
    y: float
    turn: float
    pieces: tuple[tuple[str, int], ...]
    """Of each its design, and which side is up; the top one last."""
    title: str = ""
    """What stands above the place of a pile."""
    room: float = 0.0
    """How wide that may be."""
    deals: int = 0
    """Each player gets so many of them."""
    pool: str = ""
    """Those of one pool change places by chance."""
    fixed: bool = False
    """A board: others lie on it."""


@dataclass(frozen=True, slots=True)
class TableSeen:
    """The set-up for one number of players."""

    name: str
    seats: int
    width: float
    height: float
    letters: float
    """How high they are, in mm, above a pile."""
    lying: tuple[LyingSeen, ...]


@dataclass(frozen=True, slots=True)
class TablesSeen:
    designs: Mapping[str, DesignSeen]
    tables: tuple[TableSeen, ...]
    fault: str = ""
    """Why there is none."""


Request = Sheets | Books | Laid | Printed | Folds | Picture | Slot | Boxes | Tables
Reply = (
    SheetsSeen | tuple[BookSeen, ...] | LaidSeen | PrintedSeen | FoldsSeen | PictureSeen | SlotSeen | BoxesSeen | TablesSeen
)


def counted(problems: Sequence[Problem]) -> str:
    """The number of errors and warnings, in words."""
    errors = sum(problem.severity == "error" for problem in problems)
    warnings = len(problems) - errors
    said = [f"{count} {word}{'s' * (count != 1)}" for count, word in ((errors, "error"), (warnings, "warning")) if count]
    return ", ".join(said) or "Nothing wrong"


def worst(problems: Sequence[Problem]) -> str:
    """``error`` if there is one, else ``warning``, else ""."""
    return min((problem.severity for problem in problems), default="")


# Between the two processes.


@dataclass(frozen=True, slots=True)
class Wanted:
    """Requests a picture, ``dots`` pixels wide, with or without bleed."""

    number: int
    key: str
    dots: int
    bleed: bool
    eyes: str = ""
    """As whom; see ``pnp simulate``."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Requests anything besides pieces."""

    number: int
    request: Request


@dataclass(frozen=True, slots=True)
class Shown:
    """The answer to :class:`Asked`."""

    number: int
    reply: Reply | None


@dataclass(frozen=True, slots=True)
class LookNow:
    """Says that the studio has saved a file, so that it need not settle."""


@dataclass(frozen=True, slots=True)
class Begun:
    """Says that files have changed and drawing has begun."""


@dataclass(frozen=True, slots=True)
class DrewFew:
    """The faces of the few pieces whose rows have changed; all are drawn anew next."""

    faces: tuple[FaceSeen, ...]


@dataclass(frozen=True, slots=True)
class Drew:
    """The new drawing; None if it failed."""

    seen: GameSeen | None


@dataclass(frozen=True, slots=True)
class Found:
    findings: Findings


@dataclass(frozen=True, slots=True)
class Pictured:
    """The answer to a :class:`Wanted`: a PNG, or None where there is no such face."""

    number: int
    picture: bytes | None


@dataclass(frozen=True, slots=True)
class Failed:
    """An unexpected exception in the worker."""

    message: str


Question = Wanted | Asked | LookNow
Answer = Begun | DrewFew | Drew | Found | Pictured | Shown | Failed
