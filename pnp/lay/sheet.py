"""What sheets are made of: runs of decks that share them, and what lies where on each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pnp.lay.grid import Grid
from pnp.lay.split import Poster, Tile
from pnp.lay.templates import Template
from pnp.shapes.affine import Affine, Rect
from pnp.values.faces import Deck, Piece
from pnp.values.game import Backs, Component, Layout
from pnp.values.kinds import KINDS
from pnp.values.words import N_, Words

FLIP = {"long-edge": N_("flip on long edge"), "short-edge": N_("flip on short edge")}
# What is only looked at is printed on it.
PLAIN = "plain paper"
# How pieces are cut, in words that the page on how to cut explains.
ALONG_THE_LINES, FROM_MARK_TO_MARK = N_("cut along the lines"), N_("cut from mark to mark")
ONE_CUT, TWO_CUTS = N_("one cut between two"), N_("two cuts between two")
FOLDED, PUT_TOGETHER = N_("how to fold and glue"), N_("how to put together")
# A slug line names so many components.
MOST_NAMES = 3


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
    template: Template | None = None
    """The ready template that it is cut with, whose marks it has."""
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

    def shown_title(self, words: Words) -> str:
        """The same on a slug line, which has no room for many names."""
        names = self.title.split(", ")
        if len(names) <= MOST_NAMES:
            return self.title
        shown = ", ".join(names[: MOST_NAMES - 1])
        return words.many("{names} and {count} more", "{names} and {count} more", len(names) - 2, names=shown)

    @property
    def cropped(self) -> bool:
        """Whether straight cuts part what lies in its cells, from mark to mark."""
        return not self.nested and not any(spot.piece.front.outline for spot in self.in_cells)

    @property
    def parting(self) -> str:
        """How neighbours in its cells are parted: ONE_CUT or TWO_CUTS; "" where nothing is."""
        if self.template or not self.cropped or len(self.in_cells) < 2:
            return ""
        return ONE_CUT if self.grid.shared_cuts else TWO_CUTS

    def cuts(self, words: Words) -> str:
        """How its pieces are cut, in words."""
        if self.template:
            return words("cut with the template {name}", name=self.template.name)
        others = self.spots[len(self.in_cells) :] if self.cropped else self.spots
        straight = {not spot.piece.front.outline for spot in others}
        said = {True: FROM_MARK_TO_MARK, False: ALONG_THE_LINES}
        if not self.cropped:
            return words("cut along the lines, else at the marks") if len(straight) > 1 else words(said[straight.pop()])
        cells = words(self.parting or FROM_MARK_TO_MARK)
        if not others:
            return cells
        off = list(dict.fromkeys(spot.piece.component for spot in others))
        named = titles(deck.component for deck in self.run.decks if deck.component.name in off)
        within = {spot.piece.component for spot in self.in_cells}
        named_alone = len(off) == 1 and not within & {*off}
        first = words("first cut off {names}", names=named) if named_alone else words("first cut off what lies beside")
        return words("{first}, then {next}", first=first, next=cells) if len(self.in_cells) > 1 else first


@dataclass(frozen=True, slots=True)
class PosterSheet:
    """A page of a board that is parted over several."""

    run: Run
    piece: Piece
    poster: Poster
    tile: Tile

    way: Backs = "none"

    @property
    def paper(self) -> str:
        """What it is printed on, in words."""
        return self.run.decks[0].component.paper


@dataclass(frozen=True, slots=True)
class Folding:
    """How pieces are folded and glued that are folded alike."""

    decks: tuple[Deck, ...]

    @property
    def title(self) -> str:
        return titles(deck.component for deck in self.decks)

    @property
    def note(self) -> str:
        """What is told of them; like all notes in English, and looked up where it is printed."""
        net = self.decks[0].pieces[0].front.net
        return FOLDED if net and net.creases else PUT_TOGETHER


@dataclass(frozen=True, slots=True)
class Joining:
    """How the pages of a board are joined."""

    deck: Deck
    piece: Piece
    poster: Poster
    note: str = N_("how to join the pages")

    @property
    def title(self) -> str:
        alone = len(self.deck.pieces) == 1
        return self.deck.component.title if alone else f"{self.deck.component.title}: {self.piece.id}"


@dataclass(frozen=True, slots=True)
class Laying:
    """How pieces lie at the start."""

    deck: Deck
    layout: Layout
    note: str = N_("how pieces lie at the start")

    @property
    def title(self) -> str:
        return self.layout.title


Block = Folding | Joining | Laying


@dataclass(frozen=True, slots=True)
class ShownSheet:
    """A page that only shows something, nothing of which is cut."""

    run: Run
    blocks: tuple[Block, ...]

    way: Backs = "none"
    paper: str = PLAIN

    @property
    def _notes(self) -> list[str]:
        """What it shows: folding before putting together, of which it is the larger part."""
        notes = list(dict.fromkeys(block.note for block in self.blocks))
        return [note for note in notes if note != PUT_TOGETHER or FOLDED not in notes]

    def note(self, words: Words) -> str:
        """The same in words."""
        return words(", ").join(map(words, self._notes))

    def title(self, words: Words) -> str:
        """The same with what is shown: "How to join the pages: Sea chart; how pieces lie at the start: Start"."""
        named = {note: [block.title for block in self.blocks if block.note == note] for note in self._notes}
        said = (words("{what}: {names}", what=words(note), names=", ".join(shown)) for note, shown in named.items())
        return capital(words("; ").join(said))


AnySheet = Sheet | PosterSheet | ShownSheet


def sides(sheet: AnySheet) -> int:
    """On how many sides of the paper it is printed, and so how many pages of a file it takes."""
    return 2 if sheet.way in FLIP else 1


def in_print_order(made: Sequence[AnySheet], papers: Sequence[str]) -> list[AnySheet]:
    """What has two sides first, so that fronts stay on odd pages; then one side; each by paper, in the order of ``papers``.

    What only shows something comes last.
    """

    def place(sheet: AnySheet) -> tuple[bool, bool, int, str]:
        shown = isinstance(sheet, ShownSheet)
        return shown, sides(sheet) == 1, 0 if shown else papers.index(sheet.paper), sheet.way

    return sorted(made, key=place)


def capital(text: str) -> str:
    """With a capital at its beginning."""
    return text[:1].upper() + text[1:]


def titles(components: Iterable[Component]) -> str:
    """Their names in a row."""
    return ", ".join(component.title for component in components)


def runs(decks: Sequence[Deck]) -> list[Run]:
    """Decks grouped by what lets them share sheets, in the order of each group's first deck."""
    groups: dict[object, list[Deck]] = {}
    chosen = {name for deck in decks if (other := deck.component.instead) for name in (deck.component.name, other)}
    for deck in decks:
        groups.setdefault((_sharing(deck), *{deck.component.name} & chosen), []).append(deck)
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
