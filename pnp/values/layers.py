"""Layers as values: pictures, and texts with the rich text in them. All frozen; lengths in mm, sizes of text in pt.

A layer is one page of the book: drawn once, however many faces show it. Its ``key`` is a digest of everything that decides
its ink; ``files`` are the drawings it names, by file name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

Filling = Literal["cover", "stretch"]
Style = Literal["normal", "italic"]
Direction = Literal["ltr", "rtl"]
Align = Literal["left", "center", "right", "justify"]
Valign = Literal["top", "middle", "bottom"]
Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class TextSpan:
    """Neighbouring letters of one style."""

    text: str
    bold: bool = False
    italic: bool = False
    fill: str = ""
    """Its own colour; empty for the box's."""
    underline: bool = False
    strike: bool = False
    thick: bool = False
    """The font has no bold: its letters are drawn with an outline."""
    slant: bool = False
    """The font has no italic: its letters are slanted."""
    symbol: bool = False
    """No font of the game has these; the one for symbols has."""

    @property
    def look(self) -> TextSpan:
        """The same of other letters."""
        return replace(self, text="")


@dataclass(frozen=True, slots=True)
class IconSpan:
    """A drawing among the letters, by the name it was asked for; the box says which file that is."""

    name: str


@dataclass(frozen=True, slots=True)
class LineBreak:
    """A line ends here."""


Span = TextSpan | IconSpan | LineBreak
Word = tuple[TextSpan, ...]
"""What no line break may part."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A run of words."""

    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """A list; the items are blocks again. ``start`` is the first number, None for bullets; ``mark`` stands behind it."""

    items: tuple[tuple[Block, ...], ...]
    start: int | None = None
    mark: Literal[".", ")"] = "."


@dataclass(frozen=True, slots=True)
class Rule:
    """A short line across the box, between what stands above and below."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A small table. It has no head where all its cells are empty; ``longest`` are each column's longest words."""

    head: tuple[tuple[Span, ...], ...]
    rows: tuple[tuple[tuple[Span, ...], ...], ...]
    align: tuple[Literal["left", "center", "right"], ...]
    longest: tuple[tuple[Word, ...], ...] = ()


Block = Paragraph | Listing | Rule | Grid


@dataclass(frozen=True, slots=True)
class Icon:
    """The drawing that a name stands for, and how wide it is for its height."""

    name: str
    file: str
    ratio: float


@dataclass(frozen=True, slots=True)
class Setting:
    """How the words of a box are set, whatever they are: the same for a deck's boxes of one name.

    ``fonts`` are families of which the first that has a letter gives it; ``sizes`` run from the largest to the smallest;
    ``leading`` and ``tracking`` are in sizes.
    """

    fonts: tuple[str, ...]
    sizes: tuple[float, ...]
    fill: str
    weight: int
    style: Style
    lang: str
    dir: Direction
    leading: float
    tracking: float
    align: Align
    valign: Valign
    same: str = ""
    """The name of those that are set in one size, on all pieces of a component."""

    @property
    def heavy(self) -> int:
        """The weight of bold words among the others."""
        return 700 if self.weight < 600 else 900


@dataclass(frozen=True, slots=True)
class TextBox:
    """Rich text in a box, in the largest of its sizes that fits.

    ``source`` is what was written, to find its cell; ``words`` are those that may be wider than the box.
    """

    name: str
    source: str
    x: float
    y: float
    width: float
    height: float
    setting: Setting
    hyphenate: bool
    blocks: tuple[Block, ...]
    words: tuple[Word, ...] = ()
    icons: tuple[Icon, ...] = ()


@dataclass(frozen=True, slots=True)
class TextLabel:
    """A plain line in one size, at a point on its baseline."""

    source: str
    x: float
    y: float
    fonts: tuple[str, ...]
    size: float
    fill: str
    weight: int
    style: Style
    anchor: Anchor


TextPiece = TextBox | TextLabel


@dataclass(frozen=True, slots=True)
class ImageLayer:
    """A drawing or bitmap that fills its layer; ``files`` has those that it links, too."""

    key: str
    width: float
    height: float
    file: str
    fit: Filling
    files: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TextLayer:
    """Texts, in the order they lie on each other; ``files`` are their icons."""

    key: str
    width: float
    height: float
    pieces: tuple[TextPiece, ...]
    files: Mapping[str, bytes] = field(default_factory=dict)


Layer = ImageLayer | TextLayer
