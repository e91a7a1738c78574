"""What is drawn and printed, as values: faces, pieces and decks, pages, cut sheets. All frozen; lengths in mm.

Page coordinates have their origin at the top left and run downwards; a face's coordinates have
theirs at the top-left corner of its trim, so that the bleed lies at negative values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from pnp.shapes.affine import Affine, Rect
from pnp.shapes.nets.net import Net
from pnp.shapes.outline import Ring
from pnp.values.game import Component, Paper, Side
from pnp.values.layers import Layer
from pnp.values.problems import About


@dataclass(frozen=True, slots=True)
class PlacedLayer:
    """A layer on a face; ``matrix`` maps the layer's mm to the face's."""

    layer: Layer
    matrix: Affine


@dataclass(frozen=True, slots=True)
class Face:
    """Anything printable: a stack of layers on a trim of ``width`` × ``height`` with a bleed around it."""

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
    def look(self) -> tuple[object, ...]:
        """The same for faces on which the same can be seen, whatever they are cut to."""
        return self.width, self.height, self.bleed, tuple((placed.layer.key, placed.matrix) for placed in self.layers)

    @property
    def cut(self) -> str:
        """The same for faces that are cut and folded alike: the size, with a digest of what is no rectangle."""
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
        """``component/id`` in files and findings; parts after the first are told apart: they are no pieces to count."""
        return str(self.about())

    def about(self, side: Side | None = None, box: str = "", area: Rect | None = None) -> About:
        """For findings about it."""
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
    """How the text number ``piece`` of a layer came out: size and extent as set, and what did not go into its box."""

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
    """The layers of a build as PDFs; ``pages[key]`` says in which of them, and on which page, is a layer (0-based)."""

    pdfs: tuple[bytes, ...]
    pages: Mapping[str, tuple[int, int]]
    fits: tuple[Fit, ...] = ()
    """How every text of the layers came out."""

    def __add__(self, other: Book) -> Book:
        """Both together; a layer in both is taken from the first."""
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
    """A stroke on a page. ``halo`` puts a wider white stroke beneath, to show on any ink."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float = 0.15
    dashes: tuple[float, ...] = ()
    halo: bool = False


@dataclass(frozen=True, slots=True)
class Stroke:
    """A ring or a broken line on a page, drawn in one go.

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
    """A line of text on a page; ``turn`` in degrees clockwise about its anchor point on the baseline."""

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
    """A printed side of a sheet: what stands where, top left origin."""

    paper: Paper
    items: tuple[Item, ...]
    side: Side = "front"
    bookmark: str = ""


@dataclass(frozen=True, slots=True)
class Contour:
    """What a machine cuts or scores in one go, in page mm."""

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
    """A page (1-based) of a finished book on a printed side: from the page's mm (y down) to the side's."""

    number: int
    matrix: Affine


@dataclass(frozen=True, slots=True)
class ImposedSide:
    """A printed side of a booklet in mm, lying across; ``ticks`` (x1, y1, x2, y2) show where it is folded or cut."""

    width: float
    height: float
    pages: tuple[ImposedPage, ...]
    ticks: tuple[tuple[float, float, float, float], ...]
