"""What a book's text is made of: blocks below one another, and in their lines spans. Pictures are numbers of wishes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Align = Literal["left", "center", "right"]
BoxKind = Literal["note", "example", "side"]
InlineSize = Literal["icon", "inline", "thumb"]


@dataclass(frozen=True, slots=True)
class Width:
    """Of a picture: in mm, or a share of the column."""

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


@dataclass(frozen=True, slots=True)
class LineBreak:
    """Here a new line begins."""


@dataclass(frozen=True, slots=True)
class PageNumber:
    """Of the page on which a heading stands; it is known once the book is set."""

    heading: str
    """The heading's id."""


@dataclass(frozen=True, slots=True)
class Link:
    """To a page of the web, or to a heading: ``#`` and its id."""

    href: str
    spans: Spans


@dataclass(frozen=True, slots=True)
class InlinePicture:
    """A picture within a line; without an alt text it says nothing new, and is not heard."""

    picture: int
    alt: str
    size: InlineSize | float
    """How it goes with the letters, or its width in mm."""


Span = TextRun | LineBreak | PageNumber | Link | InlinePicture
Spans = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """Of four levels."""

    level: int
    id: str
    spans: Spans


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A text."""

    spans: Spans


@dataclass(frozen=True, slots=True)
class BulletList:
    """Items in no order; each is blocks."""

    items: tuple[Blocks, ...]


@dataclass(frozen=True, slots=True)
class NumberedList:
    """Items in order; ``start`` is the first one's number."""

    items: tuple[Blocks, ...]
    start: int = 1


@dataclass(frozen=True, slots=True)
class TableBlock:
    """A table. It has no head where all its cells are empty; ``most`` are the letters of each column's longest cell."""

    head: tuple[Spans, ...]
    rows: tuple[tuple[Spans, ...], ...]
    most: tuple[int, ...]
    align: tuple[Align, ...]
    wide: bool
    """It goes over the whole page where there are two columns of text."""


@dataclass(frozen=True, slots=True)
class Note:
    """What is said of a part of a piece; ``box`` is the name of a text on it."""

    box: str
    spans: Spans


@dataclass(frozen=True, slots=True)
class Figure:
    """Pictures with one caption; with notes one picture whose parts are numbered."""

    pictures: tuple[int, ...]
    width: Width | None
    caption: Spans
    alt: str
    notes: tuple[Note, ...] = ()
    float: bool = False
    """On a page with two columns it stands over both, at its head or foot, and the text goes on where it was."""


@dataclass(frozen=True, slots=True)
class Box:
    """Blocks set off from the rest, with a title or without."""

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
    """A figure, and beside it what is said of it."""

    figure: Figure
    blocks: Blocks


@dataclass(frozen=True, slots=True)
class BlockQuote:
    """What somebody said."""

    blocks: Blocks


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """Text that stays as it is typed."""

    text: str


@dataclass(frozen=True, slots=True)
class ThematicBreak:
    """A line between two subjects."""


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
