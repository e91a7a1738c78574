"""Books: blocks of a text, scenes, and what a set book is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from pnp.dataclass import dataclass
from pnp.shapes.affine import Rect
from pnp.shapes.nets.net import AHEAD, ASIDE, BEHIND, View, lying
from pnp.shapes.outline import Point, Ring
from pnp.values.game import Manual, Paper
from pnp.values.problems import Problem

Align = Literal["left", "center", "right"]
BoxKind = Literal["note", "example", "side"]
InlineSize = Literal["icon", "inline", "thumb"]


@dataclass(frozen=True, slots=True)
class Width:
    """The width of a picture: in mm, or a share of the column."""

    mm: float = 0.0
    share: float = 0.0


@dataclass(frozen=True, slots=True)
class TextRun:
    """Letters of one style."""

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False
    fill: str = ""
    """Its own colour; empty for that of the text."""
    underline: bool = False
    strike: bool = False
    ruby: str = ""
    """How they are read, in small letters above."""


@dataclass(frozen=True, slots=True)
class LineBreak:
    """A line break."""


@dataclass(frozen=True, slots=True)
class PageNumber:
    """The number of the page with a heading, known once the book is set."""

    heading: str
    """The heading's id."""
    before: str = ""
    after: str = ""
    """Brackets and words around it, left out with it on that very page: " (page " and ")"."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link to a web page, or to a heading: ``#`` and its id."""

    href: str
    spans: Spans


@dataclass(frozen=True, slots=True)
class InlinePicture:
    """A picture within a line; without alt text a screen reader skips it."""

    picture: int
    alt: str
    size: InlineSize | float
    """How it goes with the letters, or its width in mm."""


Span = TextRun | LineBreak | PageNumber | Link | InlinePicture
Spans = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of level 1 to 4."""

    level: int
    id: str
    spans: Spans


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A text."""

    spans: Spans


@dataclass(frozen=True, slots=True)
class BulletList:
    """An unordered list; each item is blocks."""

    items: tuple[Blocks, ...]


@dataclass(frozen=True, slots=True)
class NumberedList:
    """An ordered list; ``start`` is the first number."""

    items: tuple[Blocks, ...]
    start: int = 1


@dataclass(frozen=True, slots=True)
class TableBlock:
    """A table. Without a head where all its cells are empty.

    ``most``, ``words``: the letters of each column's longest cell, and of its longest word.
    """

    head: tuple[Spans, ...]
    rows: tuple[tuple[Spans, ...], ...]
    most: tuple[int, ...]
    words: tuple[int, ...]
    align: tuple[Align, ...]
    wide: bool
    """It goes over the whole page where there are two columns of text."""


@dataclass(frozen=True, slots=True)
class Note:
    """A remark on a part of a piece; ``box`` names a text on it."""

    box: str
    spans: Spans


@dataclass(frozen=True, slots=True)
class Figure:
    """Pictures with one caption; one picture with notes has its parts numbered."""

    pictures: tuple[int, ...]
    width: Width | None
    caption: Spans
    alt: str
    notes: tuple[Note, ...] = ()
    float: bool = False
    """On a page with two columns it stands over both, at its head or foot, and the text goes on where it was."""


@dataclass(frozen=True, slots=True)
class Box:
    """Blocks set off from the rest, with or without a title."""

    kind: BoxKind
    title: Spans
    blocks: Blocks


@dataclass(frozen=True, slots=True)
class FigureRow:
    """Figures side by side."""

    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Columns:
    """Blocks in two columns."""

    blocks: Blocks


@dataclass(frozen=True, slots=True)
class Beside:
    """A figure with text beside it."""

    figure: Figure
    blocks: Blocks


@dataclass(frozen=True, slots=True)
class BlockQuote:
    """A quotation."""

    blocks: Blocks


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """Text shown exactly as typed."""

    text: str


@dataclass(frozen=True, slots=True)
class ThematicBreak:
    """A line between two sections."""


Block = (
    Heading
    | Paragraph
    | BulletList
    | NumberedList
    | TableBlock
    | Figure
    | Box
    | FigureRow
    | Columns
    | Beside
    | BlockQuote
    | CodeBlock
    | ThematicBreak
)
Blocks = tuple[Block, ...]


Shown = Literal["front", "back", "standing", "ahead", "behind"]
# From where folded pieces are seen.
VIEWS: Mapping[Shown, View] = {"standing": ASIDE, "ahead": AHEAD, "behind": BEHIND}


def view_of(shown: Shown, face: str) -> View:
    """The view of a folded piece; of a die, with this face on top."""
    return lying(face) if face else VIEWS[shown]


@dataclass(frozen=True, slots=True)
class Laid:
    """A piece: its middle, its turn in degrees clockwise; a folded one stands ``foot`` mm below that."""

    component: str
    piece: str
    shown: Shown
    at: Point
    turn: float = 0.0
    edged: bool = True
    """With a thin line around it, so that it is told from what it lies on."""
    foot: float = 0.0
    face: str = ""
    """The panel of a die that is on top."""
    pile: int = 1
    """It is the top one of so many, and each lies ``step`` mm to the right of the one above, and lower."""
    step: float = 0.0


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow through the middles of fields."""

    points: Ring
    dashed: bool = False
    curved: bool = False
    entered: tuple[Ring, ...] = ()
    """Of numbered steps the outline of the field that each enters."""
    steps: bool = False
    """Each step is an arrow of its own, as those with numbers are."""
    over: bool = False
    """It lies over the pieces."""
    first: int = 1
    """The number of the first step."""


@dataclass(frozen=True, slots=True)
class Highlight:
    """Highlighted fields: their outlines, hatched inside unless ``plain``."""

    rings: tuple[Ring, ...]
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Cross:
    """A cross: no entry."""

    at: Point


@dataclass(frozen=True, slots=True)
class Mark:
    """A number or word; short ones stand in a disc."""

    at: Point
    text: str
    step: bool = False
    """The number of a step, as large as its arrow's line allows; other marks are read also on tiny fields."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """The direction in which a piece looks: from its field to another."""

    at: Point
    to: Point
    pale: bool = False
    """Where it will look after a turn."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A field's name, small: for the author of the scene."""

    at: Point
    text: str


Thing = Laid | Arrow | Highlight | Cross | Mark | Pointer | Tag


@dataclass(frozen=True, slots=True)
class Scene:
    """The things in a scene, the lowest first."""

    things: tuple[Thing, ...]
    crop: Rect
    field: float
    """How wide a field is, in mm: marks are as large as suits it."""
    colour: str
    """That of arrows and numbers, as ``#rrggbb``."""
    framed: bool
    """It is cut out of something larger, and has a thin edge."""
    table: str = ""
    """Of a bare table its colour, as ``#rrggbb``."""


Form = Literal["front", "back", "folded", "layout", "art", "icon", "scene"]


@dataclass(frozen=True, slots=True)
class Wish:
    """A picture that a book asks for: a side of a piece, a folded piece, a layout, a drawing, an icon or a scene."""

    form: Form
    name: str
    """Of the component, layout, drawing or icon; what a scene stands on."""
    piece: str = ""
    """The id of a piece; empty for the component's first."""
    scene: Scene | None = None


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture as made: PNG or SVG, its natural size in mm, the boxes of named texts on it."""

    data: bytes
    suffix: str
    """png, svg or jpg."""
    width: float
    height: float
    screen: bytes = b""
    """The same for a screen, where that is another file."""
    boxes: Mapping[str, Rect] = field(default_factory=dict)
    card: bool = False
    """A rectangle of paper: it is shown with a thin edge and round corners."""


@dataclass(frozen=True, slots=True)
class Text:
    """A book's text as blocks, of which pages are set and the HTML edition is written.

    A block's pictures are indexes into ``wishes``. ``back`` is what stands on the back cover.
    """

    blocks: Blocks
    back: Blocks
    wishes: tuple[Wish, ...]
    faults: tuple[Problem, ...] = ()
    """What is wrong with it; of the places only the rows are known."""
    widths: Mapping[int, float] = field(default_factory=dict)
    """How wide each picture is shown at most, in mm, by its index."""
    ids: tuple[str, ...] = ()
    """Of its headings, in the order written."""


@dataclass(frozen=True, slots=True)
class SetBook:
    """A set book: its PDF, number of pages, the page of each heading, and Typst's complaints."""

    pdf: bytes
    pages: int
    headings: Mapping[str, int]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers of sheets and pages in a printed file, by component, for one paper."""

    sheets: Mapping[str, int] = field(default_factory=dict)
    pages: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Edition:
    """One book for one paper: set in half size for booklet or cards, and in full size."""

    manual: Manual
    paper: Paper
    text: Text
    shots: Mapping[int, Shot]
    cover: Shot | None
    small: SetBook
    full: SetBook | None

    @property
    def printed(self) -> str:
        """The file to print and fold or cut."""
        return f"{self.manual.name}-{'booklet' if self.manual.form == 'book' else 'two-up'}.pdf"

    @property
    def sheets(self) -> int:
        """Sheets of paper to print it in half size."""
        return -(-self.small.pages // (4 if self.manual.form == "book" else 2))
