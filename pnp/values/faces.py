"""Faces as stacks of layers, pieces, decks, pages, and the book that holds the layers. Lengths in mm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from hashlib import sha256
from typing import Literal

from pnp.dataclass import dataclass
from pnp.shapes.affine import Affine, Rect
from pnp.shapes.nets.net import Net
from pnp.shapes.outline import Ring
from pnp.values.game import Component, Paper, Side
from pnp.values.problems import About

Filling = Literal["cover", "stretch"]
Style = Literal["normal", "italic"]
Direction = Literal["ltr", "rtl"]
Align = Literal["left", "center", "right", "justify"]
Valign = Literal["top", "middle", "bottom"]
Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class TextSpan:
    """Adjacent letters of one style."""

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
    ruby: str = ""
    """How they are read, in small letters above."""
    dots: bool = False
    """Chinese or Japanese letters that are stressed."""

    @property
    def look(self) -> TextSpan:
        """A key equal for spans of equal style."""
        return replace(self, text="")


@dataclass(frozen=True, slots=True)
class IconSpan:
    """A drawing among the letters, by its typed name; the box has its file."""

    name: str


@dataclass(frozen=True, slots=True)
class LineBreak:
    """A line break."""


Span = TextSpan | IconSpan | LineBreak
Word = tuple[TextSpan, ...]
"""What no line break may part."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A run of words."""

    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """A list; the items are blocks. ``start``: the first number, None for bullets; ``mark`` follows the number."""

    items: tuple[tuple[Block, ...], ...]
    start: int | None = None
    mark: Literal[".", ")"] = "."


@dataclass(frozen=True, slots=True)
class Rule:
    """A short line across the box."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A small table. Without a head where all its cells are empty; ``longest``: each column's longest words."""

    head: tuple[tuple[Span, ...], ...]
    rows: tuple[tuple[tuple[Span, ...], ...], ...]
    align: tuple[Literal["left", "center", "right"], ...]
    longest: tuple[tuple[Word, ...], ...] = ()


Block = Paragraph | Listing | Rule | Grid


@dataclass(frozen=True, slots=True)
class Icon:
    """The drawing of an icon, and its width for its height."""

    name: str
    file: str
    ratio: float


@dataclass(frozen=True, slots=True)
class Setting:
    """How a box's words are set: the same for a deck's boxes of one name.

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
    eastern: str = ""
    """The family of dots of omission and dashes, in Chinese and Japanese."""

    @property
    def heavy(self) -> int:
        """The weight of bold words."""
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
    lang: str = ""
    """Its language, where letters or their direction depend on it."""
    eastern: str = ""


TextPiece = TextBox | TextLabel


@dataclass(frozen=True, slots=True)
class ImageLayer:
    """A drawing or bitmap that fills its layer; ``files`` includes those that it links."""

    key: str
    width: float
    height: float
    file: str
    fit: Filling
    files: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TextLayer:
    """Texts from bottom to top; ``files`` are their icons."""

    key: str
    width: float
    height: float
    pieces: tuple[TextPiece, ...]
    files: Mapping[str, bytes] = field(default_factory=dict)


Layer = ImageLayer | TextLayer


@dataclass(frozen=True, slots=True)
class PlacedLayer:
    """A layer on a face; ``matrix`` maps the layer's mm to the face's."""

    layer: Layer
    matrix: Affine


@dataclass(frozen=True, slots=True)
class Face:
    """A printable face: a stack of layers on a trim of ``width`` × ``height`` mm with a bleed around it."""

    key: str
    width: float
    height: float
    bleed: float
    layers: tuple[PlacedLayer, ...]
    outline: Ring | None = None
    """Where a piece that is no rectangle is cut, in face mm; None: along the trim."""
    net: Net | None = None
    """Of a folded piece: where it is folded and glued, in face mm."""

    @property
    def trim(self) -> Rect:
        return Rect(0, 0, self.width, self.height)

    @property
    def look(self) -> tuple[object, ...]:
        """A key equal for faces of equal look, whatever their cut."""
        return self.width, self.height, self.bleed, tuple((placed.layer.key, placed.matrix) for placed in self.layers)

    @property
    def cut(self) -> str:
        """A key equal for faces that are cut and folded alike: the size, and a digest of outline and net."""
        size = f"{self.width:g} x {self.height:g}"
        creases = [(crease.start, crease.end) for crease in self.net.creases] if self.net else []
        holes = self.net.holes if self.net else ()
        rings = [self.outline or (), *holes, *creases]
        if not any(rings):
            return size
        # To a hundredth of a millimetre, which no cutter keeps.
        points = [[(round(x, 2) + 0.0, round(y, 2) + 0.0) for x, y in ring] for ring in rings]
        return f"{size} {sha256(repr(points).encode()).hexdigest()[:8]}"


@dataclass(frozen=True, slots=True)
class Piece:
    """One design of a component with its two sides and the number of copies to print."""

    component: str
    id: str
    front: Face
    back: Face | None
    copies: int
    part: int = 1
    """Which part it is of a piece that is glued from several; parts after the first are no pieces of their own."""

    @property
    def name(self) -> str:
        """``component/id`` in files and findings, with the number of a part after the first."""
        return str(self.about())

    def about(self, side: Side | None = None, box: str = "", area: Rect | None = None) -> About:
        """The subject of a finding about it."""
        return About(self.component, self.id, side, self.part, box, area)

    def side(self, side: Side) -> Face | None:
        return self.front if side == "front" else self.back


@dataclass(frozen=True, slots=True)
class Deck:
    """The drawn pieces of one component."""

    component: Component
    pieces: tuple[Piece, ...]

    @property
    def copies(self) -> int:
        return sum(piece.copies for piece in self.pieces if piece.part == 1)

    @property
    def designs(self) -> int:
        return sum(1 for piece in self.pieces if piece.part == 1)


@dataclass(frozen=True, slots=True)
class Fit:
    """How text number ``piece`` of a layer fits: size and extent as set, and what overflows its box."""

    layer: str
    piece: int
    size_pt: float
    lines_over: int
    word_too_wide: bool
    width: float
    """Of its longest line, in the layer's mm."""
    height: float
    """From the top of the first line's capitals, of a label's letters, to the last baseline, in the layer's mm."""
    below: float | None
    """How far a text of one line hangs below its baseline; None for several lines."""


@dataclass(frozen=True, slots=True)
class Book:
    """The layers of a build as PDFs; ``pages[key]`` is a layer's PDF and page (0-based)."""

    pdfs: tuple[bytes, ...]
    pages: Mapping[str, tuple[int, int]]
    fits: tuple[Fit, ...] = ()
    """How every text of the layers came out."""

    def __add__(self, other: Book) -> Book:
        """Joins two books; a layer in both is taken from the first."""
        later = {key: (file + len(self.pdfs), page) for key, (file, page) in other.pages.items()}
        return Book((*self.pdfs, *other.pdfs), {**later, **self.pages}, (*self.fits, *other.fits))


@dataclass(frozen=True, slots=True)
class PlacedFace:
    """A face on a page: ``matrix`` maps face mm to page mm, ``clip`` limits its ink, in face mm."""

    face: Face
    name: str
    """``component/id``, the same for both sides of one piece."""
    side: Side
    matrix: Affine
    clip: Rect
    shape: Ring | None = None
    """Clipped by this ring in face mm as well: shown as it looks once it is cut."""


Tone = float | tuple[float, float, float]
"""A grey from 0 (black) to 1, or red, green and blue from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Line:
    """A stroke on a page. ``halo``: a wider white stroke beneath, to show on any ink."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float = 0.15
    dashes: tuple[float, ...] = ()
    halo: bool = False


@dataclass(frozen=True, slots=True)
class Stroke:
    """A ring or polyline on a page, drawn as one path.

    ``fill`` and ``colour``, that of the line, are a grey from 0 (black) to 1, or red, green and blue from 0 to 1; no
    ``fill`` is None. ``width`` 0: no line. ``spot`` is the name of a colour that a machine knows, for a line that lies over
    all else without covering it.
    """

    points: Ring
    width: float = 0.1
    closed: bool = True
    halo: bool = False
    fill: Tone | None = None
    colour: Tone = 0.0
    spot: str = ""


@dataclass(frozen=True, slots=True)
class Label:
    """A line of text on a page; ``turn`` in degrees clockwise about its anchor on the baseline."""

    x: float
    y: float
    text: str
    size_pt: float = 7.0
    turn: float = 0.0
    anchor: Literal["start", "middle", "end"] = "start"
    halo: bool = False
    """A white line around the letters, to show on any ink."""
    colour: Tone = 0.15


Item = PlacedFace | Line | Stroke | Label


@dataclass(frozen=True, slots=True)
class Page:
    """A printed side of a sheet: its items, from the top left."""

    paper: Paper
    items: tuple[Item, ...]
    side: Side = "front"
    bookmark: str = ""


@dataclass(frozen=True, slots=True)
class Contour:
    """A path that a machine cuts or scores, in page mm."""

    points: Ring
    closed: bool


@dataclass(frozen=True, slots=True)
class CutSheet:
    """A sheet for a cutting machine: what is cut, in the order of cutting, what is scored or else cut as dashes, and its
    registration marks."""

    number: int
    paper: Paper
    cuts: tuple[Contour, ...]
    scores: tuple[Contour, ...]
    dashes: tuple[Contour, ...]
    marks: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class ImposedPage:
    """A page (1-based) of a finished book on a printed side: maps the page's mm (y down) to the side's."""

    number: int
    matrix: Affine


@dataclass(frozen=True, slots=True)
class ImposedSide:
    """A printed side of a booklet in mm, landscape; ``ticks`` (x1, y1, x2, y2) show where to fold or cut."""

    width: float
    height: float
    pages: tuple[ImposedPage, ...]
    ticks: tuple[tuple[float, float, float, float], ...]
