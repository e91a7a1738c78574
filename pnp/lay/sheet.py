"""What sheets are made of: runs of decks that share them, and what lies where on each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pnp.lay.grid import Grid
from pnp.lay.split import Poster, Tile
from pnp.shapes.affine import Affine, Rect
from pnp.shapes.units import show
from pnp.values.faces import Deck, Piece
from pnp.values.game import Backs, Component, Layout
from pnp.values.kinds import KINDS

FLIP = {"long-edge": "flip on long edge", "short-edge": "flip on short edge"}
# What is only looked at is printed on it.
PLAIN = "plain paper"


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Decks that may share sheets; of sheets that are laid and ganged, those that lie on them together."""

    decks: tuple[Deck, ...]

    @property
    def title(self) -> str:
        return titles(deck.component for deck in self.decks)

    @property
    def has_backs(self) -> bool:
        return any(piece.back is not None for deck in self.decks for piece in deck.pieces)

    @property
    def nested(self) -> bool:
        return KINDS[self.decks[0].component.kind].nested

    def copies(self) -> list[Piece]:
        """Every single piece to print, in the tables' order."""
        return [piece for deck in self.decks for piece in deck.pieces for _ in range(piece.copies)]

    def way(self, backs: Backs, cutting: bool = False) -> Backs:
        """How its backs are made when the build asks for ``backs``; what a machine cuts cannot be folded first."""
        if not self.has_backs or backs == "none":
            return "none"
        return backs if cutting else self.decks[0].component.backs or backs


@dataclass(frozen=True, slots=True)
class Spot:
    """A piece on a sheet: the map from its front's mm to the page's, and the room for its ink on the page."""

    piece: Piece
    front: Affine
    inked: Rect


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of a run before it has its number: what lies where."""

    run: Run
    grid: Grid
    """The cells; of a nested sheet one cell, its whole room."""
    spots: tuple[Spot, ...]
    """First what lies in the cells, in their order."""
    way: Backs
    nested: bool = False
    by_hand: bool = False
    """Its pieces are too large for a machine's registration marks, so that it has none."""
    beside: int = 0
    """How many of its pieces, the last ones, lie beyond a straight cut, in room that the cells leave free."""

    @property
    def paper(self) -> str:
        """What it is printed on, in words."""
        return self.run.decks[0].component.paper

    @property
    def in_cells(self) -> tuple[Spot, ...]:
        """What lies in the cells."""
        return self.spots[: len(self.spots) - self.beside]

    @property
    def covered(self) -> Grid:
        """Its grid, with all that lies beyond it as part of the block: what stands beside keeps clear of both."""
        if not self.beside:
            return self.grid
        rooms = [self.grid.block, *(spot.inked for spot in self.spots[-self.beside :])]
        left, top = min(room.x for room in rooms), min(room.y for room in rooms)
        right, bottom = max(room.right for room in rooms), max(room.bottom for room in rooms)
        return replace(self.grid, block=Rect(left, top, right - left, bottom - top))

    @property
    def pieces(self) -> tuple[Piece, ...]:
        return tuple(spot.piece for spot in self.spots)

    @property
    def title(self) -> str:
        """Of what lies on it."""
        on_it = {spot.piece.component for spot in self.spots}
        return titles(deck.component for deck in self.run.decks if deck.component.name in on_it)

    @property
    def cuts(self) -> str:
        """How its pieces are cut, in words."""
        if self.nested:
            return "cut along the lines"
        cells = "shared cut lines" if self.grid.shared_cuts else f"bleed {show(max(self.grid.bleed, *self.grid.outer))} mm"
        return f"{cells}; cut off the grid first" if self.beside else cells

    @property
    def note(self) -> str:
        """For the print plan: what such a sheet is like."""
        if not self.nested and not self.beside:
            return f"{self.grid.capacity} a sheet, {self.cuts}"
        alike = len({spot.piece.component for spot in self.spots}) == 1
        return f"up to {len(self.spots)} a sheet" if alike else "different pieces a sheet"


@dataclass(frozen=True, slots=True)
class PosterSheet:
    """A page of a board that is parted over several; without a tile, the page that shows how they are joined."""

    run: Run
    piece: Piece
    poster: Poster
    tile: Tile | None

    way: Backs = "none"

    @property
    def paper(self) -> str:
        """What it is printed on, in words."""
        return PLAIN if self.tile is None else self.run.decks[0].component.paper

    @property
    def note(self) -> str:
        """For the print plan: how many pages make the board."""
        poster = self.poster
        if len(poster.tiles) == 1:
            return "one page"
        if self.tile is None:
            return "how to join its pages"
        how = "glued" if poster.join == "glue" else "edge to edge"
        return f"{poster.columns} × {poster.rows} pages, {how}"


@dataclass(frozen=True, slots=True)
class LayoutSheet:
    """The page that shows how pieces lie at the start."""

    run: Run
    layout: Layout

    way: Backs = "none"
    paper: str = PLAIN

    @property
    def note(self) -> str:
        """For the print plan."""
        return "a picture for the set-up"


@dataclass(frozen=True, slots=True)
class AssemblySheet:
    """A page that shows how pieces are folded and glued: the steps for each group of decks that are folded alike."""

    run: Run
    groups: tuple[tuple[Deck, ...], ...]

    way: Backs = "none"
    paper: str = PLAIN

    @property
    def note(self) -> str:
        """What it shows, in words."""
        return how_made(self.groups)


AnySheet = Sheet | PosterSheet | LayoutSheet | AssemblySheet


def sides(sheet: AnySheet) -> int:
    """On how many sides of the paper it is printed, and so how many pages of a file it takes."""
    return 2 if sheet.way in FLIP else 1


def shows(sheet: AnySheet) -> bool:
    """Whether it only shows something, and has no piece to cut."""
    return isinstance(sheet, LayoutSheet | AssemblySheet) or (isinstance(sheet, PosterSheet) and sheet.tile is None)


def in_print_order(made: Sequence[AnySheet], papers: Sequence[str]) -> list[AnySheet]:
    """What has two sides first, so that fronts stay on odd pages; then one side; each by paper, in the order of ``papers``.

    What only shows something comes last.
    """

    def place(sheet: AnySheet) -> tuple[bool, bool, int]:
        return shows(sheet), sides(sheet) == 1, 0 if shows(sheet) else papers.index(sheet.paper)

    return sorted(made, key=place)


def titles(components: Iterable[Component]) -> str:
    """Their names in a row."""
    return ", ".join(component.title for component in components)


def how_made(groups: Sequence[Sequence[Deck]]) -> str:
    """What is done with these pieces once they are cut out, in words."""
    nets = [deck.pieces[0].front.net for group in groups for deck in group]
    return "how to fold and glue" if any(net.creases for net in nets if net) else "how to put together"


def runs(decks: Sequence[Deck]) -> list[Run]:
    """Decks grouped by what lets them share sheets, in the order of each group's first deck."""
    groups: dict[object, list[Deck]] = {}
    for deck in decks:
        groups.setdefault(_sharing(deck), []).append(deck)
    return [Run(tuple(group)) for group in groups.values()]


def _sharing(deck: Deck) -> object:
    """Decks with the same of this share sheets: a piece's back lies behind its own front, whatever the others' are."""
    component = deck.component
    has_backs = any(piece.back for piece in deck.pieces)
    alike = component.paper, has_backs, component.backs if has_backs else None, component.upright
    if KINDS[component.kind].nested:
        return alike
    # What is parted over pages has its own, along its own grid.
    alone = component.name if KINDS[component.kind].parted else ""
    return *alike, component.width, component.height, component.bleed, alone
