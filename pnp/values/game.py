"""A game as reading leaves it, as values: components, boards, layouts, books. All frozen; lengths in mm.

Its tables are in :mod:`pnp.values.tables`, what is drawn and printed of it in :mod:`pnp.values.faces`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pnp.shapes.affine import Rect
from pnp.shapes.grids import GridName
from pnp.shapes.nets.net import Net
from pnp.shapes.outline import Ring
from pnp.values.kinds import KindName
from pnp.values.languages import Translation
from pnp.values.problems import Place
from pnp.values.problems import Side as Side
from pnp.values.rules import Rules
from pnp.values.tables import Row, Table
from pnp.values.words import ENGLISH, Words

Backs = Literal["long-edge", "short-edge", "gutterfold", "none"]
Ink = Literal["", "grey", "low-ink"]
"""How colours are printed: as they are, in greys, or tinted to save ink."""

# Pages that are read, not cut, are set in sizes for a sheet; a smaller one has no room for them.
LEAST_READ = (180.0, 235.0)

# Most home printers reach to 4.2-5 mm from the edge; 1/4 in is safe for pieces:
# docs/how-it-works/print.md#what-a-printer-reaches
MARGIN = 6.35
# A person may choose one between these: borderless laser printers reach to 3 mm, no printer needs an inch.
LEAST_MARGIN, MOST_MARGIN = 3.0, 25.0


@dataclass(frozen=True, slots=True)
class Paper:
    """A sheet of paper, upright, in mm."""

    name: str
    width: float
    height: float
    half: str = field(default="", compare=False)
    """What half of it is called, where that has a name of its own: a sheet is the same sheet without it."""
    margin: float = MARGIN
    """How near to its edges pieces may lie, in mm."""

    @property
    def readable(self) -> bool:
        """Whether it has room for pages that are read: the print plan, books, how pieces are folded, joined and laid."""
        return self.width >= LEAST_READ[0] and self.height >= LEAST_READ[1]

    @property
    def american(self) -> bool:
        """Whether its sides are whole half inches: where it is sold, paper is weighed in pounds."""
        return all(abs(side - 12.7 * round(side / 12.7)) < 0.05 for side in (self.width, self.height))

    def halved(self) -> Paper:
        """Half a sheet of it, upright: a page of a booklet."""
        return Paper(self.half or f"half-{self.name}", self.height / 2, self.width)


@dataclass(frozen=True, slots=True)
class Field:
    """Cells of a board that are one place: a town, an island, a current."""

    letter: str
    row: Row
    """The legend's row."""
    cells: tuple[tuple[int, int], ...]
    """(column, row), 0-based, in reading order."""
    arrow: tuple[int, int] | None
    """A current's direction as a step; None for other fields."""


@dataclass(frozen=True, slots=True)
class Board:
    """A board of cells from a text map; what (column, row) means, and where a cell is, tells :mod:`pnp.shapes.grids`."""

    columns: int
    rows: int
    cell: float
    """Side of a square, or a hex from flat to flat, in mm."""
    fields: tuple[Field, ...]
    place: Place
    grid: GridName = "square"


@dataclass(frozen=True, slots=True)
class HexCell:
    """A hex of a tile: axial coordinates and the row that says what is on it."""

    q: int
    r: int
    row: Row


@dataclass(frozen=True, slots=True)
class HexTiles:
    """Tiles made of hexes, by the tile's id; ``size`` is a hex from flat to flat in mm."""

    size: float
    tiles: Mapping[str, tuple[HexCell, ...]]


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a piece of a layout lies: cells of the layout's grid that it covers, and how it is turned."""

    row: Row
    cells: tuple[tuple[int, int], ...]
    turn: int


def domino_of(row: Row) -> str:
    """The id of the domino that a row of a layout lays."""
    ends = row.said("a"), row.said("b")
    # By number where they are numbers: as text 10 comes before 9.
    return "-".join(sorted(ends, key=lambda end: (not end.isdecimal(), len(end) * end.isdecimal(), end)))


@dataclass(frozen=True, slots=True)
class Layout:
    """How pieces lie at the start: slots on a grid of hexes or of domino squares."""

    name: str
    title: str
    component: str
    slots: tuple[Slot, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Tabs:
    """The tabs of dividers, in so many places side by side along the top."""

    count: int
    height: float
    places: Mapping[str, int]
    """Where each row's tab is, 0 at the left, by the row's id."""


# Thickness of uncoated card: mm for each g/m², a bulk of 1.25 cm³/g.
BULK = 0.00125
# A tracker's spaces keep this far from the cut on the left and right.
TRACKER_INSET = 6.0


@dataclass(frozen=True, slots=True)
class Tracker:
    """The spaces of a tracker board by track, in the table's order, and the size of what lies on them in mm."""

    tracks: Mapping[str, tuple[Row, ...]]
    marker: tuple[float, float] | None
    places: Mapping[str, tuple[Rect, ...]] = field(default_factory=dict)
    """Where the spaces of a track lie on the board; of a track that is not here they are equal slots in a row."""
    inside: Rect | None = None
    """What a track around the edge leaves free."""

    def pitch(self, track: str, width: float) -> float:
        """From a space of a track to the next, on a board so wide."""
        return (width - 2 * TRACKER_INSET) / len(self.tracks[track])

    def spaces(self, track: str, width: float, height: float) -> tuple[Rect, ...]:
        """Where the spaces of a track lie on a board of this size."""
        if track in self.places:
            return self.places[track]
        high, pitch = height / len(self.tracks), self.pitch(track, width)
        top = list(self.tracks).index(track) * high
        return tuple(Rect(TRACKER_INSET + number * pitch, top, pitch, high) for number in range(len(self.tracks[track])))


@dataclass(frozen=True, slots=True)
class Component:
    """A kind of piece: a table's rows drawn through a template at one size."""

    name: str
    title: str
    kind: KindName
    table: Table
    template: str
    back: str | None
    width: float
    height: float
    bleed: float
    paper: str
    place: Place
    board: Board | None = None
    hexes: HexTiles | None = None
    join: Literal["glue", "butt"] = "glue"
    """How pages meet when the piece is larger than a page."""
    step: float = 0.0
    """The grid along which a piece larger than a page may be parted, in mm; 0 for none."""
    outline: Ring | None = None
    """Where tokens are cut, in mm from the trim's corner; None: along the trim."""
    shape: Path | None = None
    """The drawing that the outline is taken from."""
    tracker: Tracker | None = None
    tabs: Tabs | None = None
    nets: tuple[Net, ...] = ()
    """Of a folded piece: its net, or those of the parts it is glued from when it is larger than a page."""
    values: tuple[str, ...] = ()
    """What the faces of a die show."""
    weight: int = 250
    """Of its paper, in g/m²."""
    backs: Backs | None = None
    """How its backs are always made, whatever the build says."""
    upright: bool = False
    """Never turned on a sheet that it shares with others."""
    instead: str | None = None
    """The component that it is another form of: one prints one of the two."""

    @property
    def copies(self) -> int:
        return sum(row.copies for row in self.table)

    @property
    def thickness(self) -> float:
        """How high all copies stack, in mm; what is folded and glued is twice its paper."""
        sheets = 2 if self.backs == "gutterfold" and self.back else 1
        return self.copies * sheets * self.weight * BULK


def shown_on(component: Component, row: Row) -> tuple[str, ...]:
    """What the faces of a die show, the first first: the words in its row's column ``faces``, else the component's."""
    return tuple(row.text_of("faces").split()) if "faces" in row.cells else component.values


@dataclass(frozen=True, slots=True)
class Grouping:
    """What ``[expect]`` promises about the copies of a component, grouped by a column."""

    column: str
    where: Mapping[str, str]
    counts: Mapping[str, int]
    groups: int | None
    each: int | None
    place: Place


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the rulebook promises of one component."""

    component: str
    copies: int | None
    different: int | None
    groupings: tuple[Grouping, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Manual:
    """A book of the game as its author wrote it: rulebook, construction manual, quick-reference card.

    Colours are ``#rrggbb``; ``creep`` is the thickness of a leaf in mm.
    """

    name: str
    title: str
    subtitle: str
    foot: str
    file: str
    text: str
    form: Literal["book", "card"]
    cover: str
    cover_ink: str
    foot_ink: str
    accent: str
    tint: str
    contents: str
    """The heading of the table of contents; empty for none."""
    creep: float
    place: Place
    origins: tuple[Place, ...] = field(default=(), compare=False)
    """Of a translated book: where each line of the text was written."""
    source: tuple[str, str] | None = field(default=None, compare=False)
    """Of a translated book: the text that its author wrote, whose headings give the ids, and its language."""

    def at(self, line: int | None) -> Place:
        """Where a line of the text was written."""
        if line is not None and 0 < line <= len(self.origins):
            return self.origins[line - 1]
        return Place(self.file, line)


@dataclass(frozen=True, slots=True)
class Game:
    """A game as the later stages see it.

    By now every length is in mm, every default is filled in, every reference is an object and
    every quantity is a number; texts are UTF-8, paths are inside the game's folder or templates.
    """

    name: str
    title: str
    version: str
    language: str
    about: Mapping[str, str]
    """Credits as written: designer, year, players, source, licence, note."""
    folder: Path
    file: str
    papers: tuple[Paper, ...]
    palette: Mapping[str, str]
    fonts: Mapping[str, str]
    texts: Mapping[str, str]
    tables: Mapping[str, Table]
    components: tuple[Component, ...]
    expectations: tuple[Expectation, ...]
    template_roots: tuple[Path, ...]
    font_folders: tuple[Path, ...]
    layouts: tuple[Layout, ...] = ()
    manuals: tuple[Manual, ...] = ()
    each: Mapping[str, str] = field(default_factory=dict)
    """For whom this deck is printed, by column; empty when it is for everybody."""
    rules: Rules = field(default_factory=Rules)
    whole: bool = True
    """False when a component could not be read: then nobody can say what else is missing."""
    places: Mapping[str, Place] = field(default_factory=dict)
    """Where the keys stand with which a later stage may find fault: ``game.name``, ``fonts.title`` …"""

    translations: tuple[Translation, ...] = ()
    """Catalogues of the game that are looked at."""
    spoken: str = ""
    """The language that it is built in, where that is another than its own."""

    words: Words = ENGLISH
    """What the press itself prints, in its language."""

    def place_of(self, key: str) -> Place:
        """Where a key of game.toml stands."""
        return self.places.get(key, Place(self.file, None, key))
