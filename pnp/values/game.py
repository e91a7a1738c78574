"""A game as it was read: its components by kind, papers, layouts, and how pieces are laid. All frozen; lengths in mm."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pnp.dataclass import dataclass
from pnp.shapes.affine import Rect, rotation
from pnp.shapes.grids import GridName
from pnp.shapes.hexes import bounds, centre, turn_onto_itself, turned
from pnp.shapes.nets.net import Net
from pnp.shapes.outline import Point, Ring
from pnp.values.languages import ENGLISH, Translation, Words, leftwards, parents
from pnp.values.problems import Place
from pnp.values.problems import Side as Side
from pnp.values.rules import Rules
from pnp.values.tables import Row, Table
from pnp.values.walk import grouped

if TYPE_CHECKING:
    from pnp.values.fields import Expected

KindName = Literal[
    "card", "tile", "domino", "board", "token", "tracker", "divider",
    "standee", "pawn", "prism", "die", "screen", "box", "pouch", "ship", "dial",
]  # fmt: skip
Look = Literal["plain", "parchment", "night", "comic", "sketch", "woodland"]
TONES: Mapping[Look, tuple[str, str]] = {
    "plain": ("#2b5f8a", "#eaf1f6"),
    "parchment": ("#6b4226", "#f7efdb"),
    "night": ("#151c2e", "#e6e9f1"),
    "comic": ("#c93a29", "#fff1d6"),
    "sketch": ("#4d4d4d", "#f3f1e8"),
    "woodland": ("#2c422a", "#f3f1e0"),
}
"""What a look has in common for backs and books: a dark tone and a light one."""
FAMILIES: Mapping[Look, Mapping[str, str]] = {
    "plain": {"title": "Source Sans Pro", "body": "Source Sans Pro"},
    "parchment": {"title": "Source Serif Pro", "body": "Source Serif Pro"},
    "night": {"title": "Source Sans Pro", "body": "Source Sans Pro"},
    "comic": {"title": "Fredoka One", "body": "Source Sans Pro"},
    "sketch": {"title": "Amatic SC", "body": "Source Sans Pro"},
    "woodland": {"title": "Source Serif Pro", "body": "Source Sans Pro"},
}
"""The fonts of a look by role, also for boards and books."""
Care = Literal["usual", "small", "tiny"]
"""How carefully a piece is cut, and so how near to its edge anything may be printed."""


@dataclass(frozen=True, slots=True)
class Kind:
    """The physical properties of a kind."""

    nested: bool = False
    """They share sheets with pieces of other sizes; others lie in grids, that straight cuts part."""
    parted: bool = False
    """One that is larger than a page is parted over pages of its own."""
    laid: bool = False
    """They are what a layout shows."""
    held: bool = False
    """They lie flat in a box."""
    rounded: bool = False
    """Books show them with the round corners of bought cards."""
    care: Care = "usual"


KINDS: Mapping[KindName, Kind] = {
    "card": Kind(held=True, rounded=True),
    "tile": Kind(held=True, laid=True),
    "domino": Kind(held=True, laid=True, rounded=True, care="small"),
    "board": Kind(parted=True),
    "token": Kind(nested=True, held=True, care="small"),
    "tracker": Kind(nested=True, held=True),
    "divider": Kind(nested=True, held=True),
    "standee": Kind(nested=True, care="small"),
    "pawn": Kind(nested=True, care="tiny"),
    "prism": Kind(nested=True, care="small"),
    "die": Kind(nested=True, care="tiny"),
    "screen": Kind(nested=True),
    "box": Kind(nested=True),
    "pouch": Kind(nested=True),
    "ship": Kind(nested=True),
    "dial": Kind(nested=True),
}


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
        """Whether it is large enough for pages that are read: print plan, books, reference pages."""
        return self.width >= LEAST_READ[0] and self.height >= LEAST_READ[1]

    @property
    def called(self) -> str:
        """Its name as people write it."""
        return self.name.upper() if len(self.name) < 3 else self.name.capitalize()

    @property
    def american(self) -> bool:
        """Whether its sides are whole half inches: there paper is weighed in pounds."""
        return all(abs(side - 12.7 * round(side / 12.7)) < 0.05 for side in (self.width, self.height))

    def halved(self) -> Paper:
        """Half a sheet, upright: a page of a booklet."""
        return Paper(self.half or f"half-{self.name}", self.height / 2, self.width)


@dataclass(frozen=True, slots=True)
class Field:
    """Cells of a board that form one place: a town, an island, a current."""

    letter: str
    row: Row
    """The legend's row."""
    cells: tuple[tuple[int, int], ...]
    """(column, row), 0-based, in reading order."""
    arrow: tuple[int, int] | None
    """A current's direction as a step; None for other fields."""


@dataclass(frozen=True, slots=True)
class Board:
    """A board of cells from a text map; :mod:`pnp.shapes.grids` tells where (column, row) is."""

    columns: int
    rows: int
    cell: float
    """Side of a square, or a hex from flat to flat, in mm."""
    fields: tuple[Field, ...]
    place: Place
    grid: GridName = "square"


@dataclass(frozen=True, slots=True)
class HexCell:
    """A hex of a tile: axial coordinates and its row."""

    q: int
    r: int
    row: Row


@dataclass(frozen=True, slots=True)
class HexTiles:
    """Tiles of hexes, by the tile's id; ``size``: a hex from flat to flat in mm."""

    size: float
    tiles: Mapping[str, tuple[HexCell, ...]]


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of a piece in a layout: the grid's cells that it covers, and its turn."""

    row: Row
    cells: tuple[tuple[int, int], ...]
    turn: int


def domino_of(row: Row) -> str:
    """The id of the domino that a layout's row places."""
    ends = row.text("a"), row.text("b")
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
    players: tuple[int, ...] = ()
    """Of a variant that lays it instead of what the set-up takes: how many can play."""


@dataclass(frozen=True, slots=True)
class Tabs:
    """The tabs of dividers, at so many positions along the top."""

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
    """The spaces of a tracker board by track, in the table's order, and the size of their markers in mm."""

    tracks: Mapping[str, tuple[Row, ...]]
    marker: tuple[float, float] | None
    places: Mapping[str, tuple[Rect, ...]] = field(default_factory=dict)
    """Where the spaces of a track lie on the board; of a track that is not here they are equal slots in a row."""
    inside: Rect | None = None
    """What a track around the edge leaves free."""

    def pitch(self, track: str, width: float) -> float:
        """The distance between spaces of a track on a board of this width, in mm."""
        return (width - 2 * TRACKER_INSET) / len(self.tracks[track])

    def spaces(self, track: str, width: float, height: float) -> tuple[Rect, ...]:
        """The positions of a track's spaces on a board of this size, in mm."""
        if track in self.places:
            return self.places[track]
        high, pitch = height / len(self.tracks), self.pitch(track, width)
        top = list(self.tracks).index(track) * high
        return tuple(Rect(TRACKER_INSET + number * pitch, top, pitch, high) for number in range(len(self.tracks[track])))


@dataclass(frozen=True, slots=True)
class Component:
    """A kind of piece: a table's rows, drawn through a template at one size."""

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
    look: Look | Literal[""] = ""
    """The style of its front, where it has no template."""
    back_look: bool = False
    """Whether its back has no template either."""

    @property
    def copies(self) -> int:
        return sum(row.copies for row in self.table)

    @property
    def thickness(self) -> float:
        """The height of all copies stacked, in mm; folded and glued pieces are two papers thick."""
        sheets = 2 if self.backs == "gutterfold" and self.back else 1
        return self.copies * sheets * self.weight * BULK


def shown_on(component: Component, row: Row) -> tuple[str, ...]:
    """The texts of a die's faces, in order: its row's column ``faces``, else the component's."""
    return tuple(row.text_of("faces").split()) if "faces" in row.cells else component.values


@dataclass(frozen=True, slots=True)
class Manual:
    """A book as written: rulebook, construction manual, quick-reference card.

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
    vignettes: tuple[str, ...]
    """Drawings for what is left: the first one on the last page, the others before it."""
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
        """The place of a line of the text."""
        if line is not None and 0 < line <= len(self.origins):
            return self.origins[line - 1]
        return Place(self.file, line)


class Texts(dict[str, str]):
    """The texts of ``[texts]`` by name, which know who was asked for."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        super().__init__(texts)
        self.used: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.used.add(name)
        return super().__getitem__(name)


@dataclass(frozen=True, slots=True)
class Game:
    """A game, resolved.

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
    fonts: Mapping[str, tuple[str, ...]]
    """The families of a role, of which the first that has a letter gives it."""
    texts: Texts
    tables: Mapping[str, Table]
    components: tuple[Component, ...]
    expectations: tuple[Expected, ...]
    template_roots: tuple[Path, ...]
    font_folders: tuple[Path, ...]
    fonts_of: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """By language, the families that its roles have instead."""
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

    native: str = ""
    """The language that its author wrote it in, where that is another."""

    other: str = ""
    """A second language that its pieces show: both where a template asks for it, else it on their backs."""

    words: Words = ENGLISH
    """What the press itself prints, in its language."""

    @property
    def printed_in(self) -> str:
        """The languages of its pieces, as they are asked for; empty for its own."""
        return f"{self.language}+{self.other}" if self.other else self.spoken

    def families(self, language: str) -> Mapping[str, tuple[str, ...]]:
        """The families by role for a language: its own, those of what it is a form of, then everybody's."""
        found = dict(self.fonts)
        for code in reversed(parents(language)):
            found |= self.fonts_of.get(code, {})
        return found

    def mirrored(self, ours: bool = False) -> bool:
        """Whether cards have left and right exchanged: their language runs the other way than that of their template.

        ``ours``: pnp's own templates, which are made for languages from left to right.
        """
        return leftwards(self.language) != (not ours and leftwards(self.native or self.language))

    def font_key(self, role: str) -> str:
        """The key of game.toml that names the families of a role in the game's language."""
        own = next((code for code in parents(self.language) if role in self.fonts_of.get(code, {})), "")
        return f"fonts.{own}.{role}" if own else f"fonts.{role}"

    @property
    def every_table(self) -> list[Table]:
        """All tables, also those of one component alone."""
        return list(dict.fromkeys([*self.tables.values(), *(component.table for component in self.components)]))

    @property
    def titles(self) -> list[tuple[str, Place]]:
        """The titles of its components and layouts, and where they are said."""
        pieces: tuple[Component | Layout, ...] = (*self.components, *self.layouts)
        return [(each.title, each.place) for each in pieces]

    def book_title(self, manual: Manual) -> str:
        """The title of a book among those of its game: with its subtitle where several have one title."""
        several = sum(each.title == manual.title for each in self.manuals) > 1
        return manual.subtitle if several and manual.subtitle else manual.title

    def place_of(self, key: str) -> Place:
        """The place of a key of game.toml."""
        return self.places.get(key, Place(self.file, None, key))


Cell = tuple[int, int]
# The step from a domino's first half to its second, by its turn in degrees clockwise.
DOMINO_STEPS: Mapping[int, Cell] = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}


def slot_name(slot: Slot, component: Component) -> str:
    """A slot's name, else its domino, else its row."""
    return slot.row.text("slot") or (f"row {slot.row.place.row}" if component.hexes else domino_of(slot.row))


def fixed_tile(slot: Slot) -> str:
    """The tile that always lies on a slot, from a column ``tile``; else empty."""
    return slot.row.ref_id("tile")


def seen_in(slots: Iterable[Slot], component: Component) -> list[tuple[str, bool] | None]:
    """The piece seen in each slot, by id, and whether it may be any of a pool of several.

    None is seen more often than there are copies, but for a pool's backs: of these nobody sees which one it is.
    """
    slots = [*slots]
    named = [fixed_tile(slot) if component.hexes else domino_of(slot.row) for slot in slots]
    left = {row.id: row.copies for row in component.table}
    for name in filter(left.__contains__, named):
        left[name] -= 1
    tiles = component.table.rows if component.hexes else ()
    pools = grouped((row.text("back"), row.id) for row in tiles if "back" in row.cells)
    dealt = {pool: iter([name for name in names for _ in range(left[name])]) for pool, names in pools.items()}
    often = Counter[str]()
    copies = {row.id: row.copies for row in component.table}
    seen: list[tuple[str, bool] | None] = []
    for slot, name in zip(slots, named, strict=True):
        if name or component.hexes is None:
            often[name] += 1
            seen.append((name, False) if often[name] <= copies.get(name, 0) else None)
            continue
        pool = slot.row.text_of("pool")
        names = pools.get(pool, [])
        down = len(names) > 1
        found = names[0] if down and component.back else next(dealt[pool], "") if names else ""
        seen.append((found, down) if found else None)
    return seen


def hex_spot(component: Component, origin: Cell, turn: float, piece: str = "") -> Point:
    """The centre of a tile's face in mm of the grid, when its hex 0, 0 lies at ``origin``."""
    assert component.hexes is not None, "only tiles are laid on hexes"
    tiles = component.hexes.tiles
    box = bounds([(cell.q, cell.r) for cell in tiles.get(piece) or next(iter(tiles.values()))], component.hexes.size)
    x, y = centre(origin, component.hexes.size)
    dx, dy = rotation(turn).point(box.x + box.width / 2, box.y + box.height / 2)
    return x + dx, y + dy


def domino_spot(component: Component, cells: tuple[Cell, ...]) -> Point:
    """The centre of a domino on two squares, in mm."""
    side = min(component.width, component.height)
    x, y = (sum(cell[axis] + 0.5 for cell in cells) / len(cells) * side for axis in (0, 1))
    return x, y


def domino_turn(component: Component, turn: float) -> float:
    """The turn of a domino's face whose first half is to the left at turn 0."""
    return turn + (0 if component.width > component.height else -90)


def spot_in(slot: Slot, component: Component, more: int = 0) -> tuple[Point, float]:
    """The centre of a slot's piece in the layout's mm, and its face's turn.

    ``more``: by so many sixths more than the slot says, about the centre that leaves a tile on its slot.
    """
    if component.hexes is not None:
        q, r = int(slot.row.text_of("q")), int(slot.row.text_of("r"))
        shape = [(cell.q, cell.r) for cell in next(iter(component.hexes.tiles.values()))]
        dq, dr = turned(turn_onto_itself(shape, more) or (0, 0), slot.turn // 60)
        turn = slot.turn + 60 * more
        return hex_spot(component, (q + dq, r + dr), turn), turn
    return domino_spot(component, slot.cells), domino_turn(component, slot.turn)
