"""Describes sheets: runs of decks that share them, the pieces on them, and how they are cut, folded and glued."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from math import dist

from pnp.dataclass import dataclass
from pnp.lay.grid import Grid, Poster, Template, Tile
from pnp.shapes.affine import Affine, Rect, enclosing
from pnp.shapes.outline import Ring
from pnp.values.faces import Deck, Face, Piece
from pnp.values.game import KINDS, Backs, Component, Layout
from pnp.values.languages import N_, Words, original
from pnp.values.outcome import CutFiles

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
    """Decks that may share sheets; after ganging, decks whose pieces lie on common sheets."""

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
        """Every copy to print, in the tables' order."""
        return [piece for deck in self.decks for piece in deck.pieces for _ in range(piece.copies)]

    def way(self, backs: Backs, cutting: bool = False) -> Backs:
        """How its backs are made when the build asks for ``backs``; a sheet for a cutting machine cannot be folded first."""
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
    """A sheet of a run, not yet numbered: which piece lies where."""

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
        """The paper's name."""
        return self.run.decks[0].component.paper

    @property
    def in_cells(self) -> tuple[Spot, ...]:
        """The pieces in the cells."""
        return self.spots[: len(self.spots) - self.beside]

    @property
    def covered(self) -> Grid:
        """Its grid, extended over all that lies beyond, so that marks beside it keep clear of both."""
        if not self.beside:
            return self.grid
        return replace(self.grid, block=enclosing([self.grid.block, *(spot.inked for spot in self.spots[-self.beside :])]))

    @property
    def pieces(self) -> tuple[Piece, ...]:
        return tuple(spot.piece for spot in self.spots)

    @property
    def titles(self) -> list[str]:
        """The names of the components on it."""
        on_it = {spot.piece.component for spot in self.spots}
        return [deck.component.title for deck in self.run.decks if deck.component.name in on_it]

    @property
    def title(self) -> str:
        return ", ".join(self.titles)

    def shown_title(self, words: Words) -> str:
        """The names for a slug line, which has no room for many."""
        names = self.titles
        names = [*names[:1], *(words.inside(name, names) for name in names[1:])]
        if len(names) <= MOST_NAMES:
            return ", ".join(names)
        shown = ", ".join(names[: MOST_NAMES - 1])
        return words("{names} and more", names=shown)

    def shorter_titles(self, words: Words) -> tuple[str, ...]:
        """Shorter forms of the sheet's title, the longest first: "Chips, dice" without brackets, "Chips and more"."""
        names = self.titles
        bare = [*dict.fromkeys(map(_bare, names))]
        made = {", ".join([*bare[:1], *(words.inside(name, bare) for name in bare[1:])]): None}
        if len(names) > 1:
            made |= {words("{names} and more", names=name): None for name in (names[0], bare[0])}
        return tuple(made)

    @property
    def cropped(self) -> bool:
        """Whether straight cuts from mark to mark separate the pieces in its cells."""
        return not self.nested and not any(spot.piece.front.outline for spot in self.in_cells)

    @property
    def parting(self) -> str:
        """How neighbours in its cells are separated: ONE_CUT or TWO_CUTS; "" where there are none."""
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
        names = [deck.component.title for deck in self.run.decks if deck.component.name in off]
        named = ", ".join(words.inside(name, self.titles) for name in names)
        within = {spot.piece.component for spot in self.in_cells}
        named_alone = len(off) == 1 and not within & {*off}
        first = words("first cut off the {names}", names=named) if named_alone else words("first cut off what lies beside")
        return words("{first}, then {next}", first=first, next=cells) if len(self.in_cells) > 1 else first


@dataclass(frozen=True, slots=True)
class PosterSheet:
    """One page of a board that is split over several."""

    run: Run
    piece: Piece
    poster: Poster
    tile: Tile

    way: Backs = "none"

    @property
    def paper(self) -> str:
        """The paper's name."""
        return self.run.decks[0].component.paper


@dataclass(frozen=True, slots=True)
class Folding:
    """How to fold and glue pieces of equal folds."""

    decks: tuple[Deck, ...]

    @property
    def titles(self) -> list[str]:
        return [deck.component.title for deck in self.decks]

    @property
    def note(self) -> str:
        """The sentence about them; like all notes in English, translated where it is printed."""
        net = self.decks[0].pieces[0].front.net
        return FOLDED if net and net.creases else PUT_TOGETHER


@dataclass(frozen=True, slots=True)
class Joining:
    """How to join the pages of boards, all with glue or all with tape."""

    boards: tuple[tuple[Deck, Piece, Poster], ...]
    note: str = N_("how to join the pages")

    @property
    def titles(self) -> list[str]:
        """Of each board; one of several in a table with its id."""
        return [
            deck.component.title if len(deck.pieces) == 1 else f"{deck.component.title}: {piece.id}"
            for deck, piece, _ in self.boards
        ]


@dataclass(frozen=True, slots=True)
class Laying:
    """How pieces lie at the start."""

    deck: Deck
    layout: Layout
    note: str = N_("how pieces lie at the start")

    @property
    def titles(self) -> list[str]:
        return [self.layout.title]


Block = Folding | Joining | Laying


@dataclass(frozen=True, slots=True)
class ShownSheet:
    """A reference page, from which nothing is cut."""

    run: Run
    blocks: tuple[Block, ...]

    way: Backs = "none"
    paper: str = PLAIN

    @property
    def notes(self) -> list[str]:
        """What the page explains, in English: "how to fold and glue", "how to join the pages"."""
        notes = list(dict.fromkeys(block.note for block in self.blocks))
        return [note for note in notes if note != PUT_TOGETHER or FOLDED not in notes]

    def note(self, words: Words) -> str:
        """The note, translated."""
        return words(", ").join(map(words, self.notes))

    def title(self, words: Words) -> str:
        """The same with what is shown: "How to join the pages: Sea chart; how pieces lie at the start: Start"."""
        blocks = {note: [block for block in self.blocks if block.note == note] for note in self.notes}
        named = {note: [title for block in group for title in block.titles] for note, group in blocks.items()}
        said = (words("{what}: {names}", what=words(note), names=", ".join(shown)) for note, shown in named.items())
        return capital(words("; ").join(said))


AnySheet = Sheet | PosterSheet | ShownSheet


def sides(sheet: AnySheet) -> int:
    """The number of its printed sides, and so of its pages in a file."""
    return 2 if sheet.way in FLIP else 1


def in_print_order(made: Sequence[AnySheet], papers: Sequence[str]) -> list[AnySheet]:
    """Two-sided sheets first, so that fronts stay on odd pages; then one-sided; each by paper, in the order of ``papers``.

    What only shows something comes last.
    """

    def place(sheet: AnySheet) -> tuple[bool, bool, int, str]:
        shown = isinstance(sheet, ShownSheet)
        return shown, sides(sheet) == 1, 0 if shown else papers.index(sheet.paper), sheet.way

    return sorted(made, key=place)


def _bare(name: str) -> str:
    """The part of a name before its brackets: "Dice" of "Dice (for three players)"."""
    return re.split(r"\s*[(（]", name)[0] or name


def capital(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def titles(components: Iterable[Component]) -> str:
    """Their titles, joined."""
    return ", ".join(component.title for component in components)


def runs(decks: Sequence[Deck]) -> list[Run]:
    """Decks grouped by what lets them share sheets, in the order of each group's first deck."""
    groups: dict[object, list[Deck]] = {}
    chosen = {name for deck in decks if (other := deck.component.instead) for name in (deck.component.name, other)}
    for deck in decks:
        groups.setdefault((_sharing(deck), *{deck.component.name} & chosen), []).append(deck)
    return [Run(tuple(group)) for group in groups.values()]


def _sharing(deck: Deck) -> object:
    component = deck.component
    has_backs = any(piece.back for piece in deck.pieces)
    alike = component.paper, has_backs, component.backs if has_backs else None, component.upright
    if KINDS[component.kind].nested:
        return alike
    # What is parted over pages has its own, along its own grid.
    alone = component.name if KINDS[component.kind].parted else ""
    return *alike, component.width, component.height, component.bleed, alone


# Seconds: a cut along a ruler or in a lever cutter; to take a piece in hand; a fold, scored first; a tab, glued and held;
# a sheet folded upon itself and glued; a page of a board laid on its neighbour.
CUT, HANDLE, FOLD, TAB, GUTTER, JOIN = 6.0, 3.0, 8.0, 40.0, 60.0, 90.0
# Scissors along an outline, in mm a second.
SCISSORS = 10.0


@dataclass(frozen=True, slots=True)
class Effort:
    """A person's working time, in seconds."""

    cutting: float = 0.0
    gluing: float = 0.0
    """And folding."""

    def __add__(self, other: Effort) -> Effort:
        return Effort(self.cutting + other.cutting, self.gluing + other.gluing)


def effort(made: Iterable[AnySheet]) -> Effort:
    """The time that sheets take; reference pages take none."""
    total = Effort()
    for sheet in made:
        if isinstance(sheet, Sheet):
            total += _of_sheet(sheet)
        elif isinstance(sheet, PosterSheet):
            joined = sheet.tile is not sheet.poster.tiles[0]
            total += Effort(4 * CUT, JOIN * joined)
    return total


def _of_sheet(sheet: Sheet) -> Effort:
    total = Effort(0.0, GUTTER if sheet.way == "gutterfold" else 0.0)
    ruled = []
    for spot in sheet.spots:
        face = spot.piece.front
        if face.outline is None and face.net is None:
            ruled.append(spot.front.bounds(face.trim))
        else:
            total += _of_outlined(face)
    # Rows first, each right across the sheet; then each row into pieces.
    rows: dict[tuple[float, float], set[float]] = {}
    for box in ruled:
        rows.setdefault((round(box.y, 3), round(box.bottom, 3)), set()).update((round(box.x, 3), round(box.right, 3)))
    across = {edge for row in rows for edge in row}
    cuts = len(across) + sum(map(len, rows.values()))
    return total + Effort(CUT * cuts + HANDLE * len(ruled))


def _of_outlined(face: Face) -> Effort:
    net = face.net
    rings: list[Ring] = [face.outline] if face.outline else []
    if net is None:
        return Effort(HANDLE + sum(map(_length, rings)) / SCISSORS)
    rings = rings or [net.outline]
    cutting = HANDLE + sum(map(_length, (*rings, *net.holes))) / SCISSORS
    return Effort(cutting, FOLD * len(net.creases) + TAB * len(net.tabs))


def _length(ring: Ring) -> float:
    return sum(dist(one, two) for one, two in pairwise((*ring, ring[0])))


def time_said(seconds: float, words: Words) -> str:
    """A time in words, rounded to five minutes; "" for none."""
    if not seconds:
        return ""
    minutes = max(5, 5 * round(seconds / 300))
    hours, rest = divmod(minutes, 60)
    said = (words("{hours} h", hours=hours) if hours else "", words("{minutes} min", minutes=rest) if rest else "")
    return " ".join(filter(None, said)).replace(" ", "\u00a0")


KNIFE = N_("a craft knife, a metal ruler and something to cut on (or a paper cutter)")
RULER, SCISSORS_TOOL, MACHINE = N_("a ruler"), N_("scissors"), N_("the cutting machine")
PEN = N_("an empty ballpoint pen to press fold lines in")
GLUE, TAPE, FASTENERS = N_("paper glue"), N_("adhesive tape"), N_("paper fasteners")
BOARD = N_("grey board")
STAPLER = N_("a stapler that reaches the middle of the booklet")


def by_machine(sheet: AnySheet, machine: CutFiles) -> bool:
    """Whether a machine cuts a sheet."""
    if not machine or not isinstance(sheet, Sheet) or sheet.by_hand:
        return False
    if machine == "silhouette-card-maker":
        return sheet.template is not None
    # What is folded and glued first is cut by hand.
    return machine != "spot" or sheet.way != "gutterfold"


def tools(made: Sequence[AnySheet], machine: CutFiles = "", booklet: bool = False, halved: bool = False) -> list[str]:
    """The tools for these sheets, a booklet to staple and cards to halve, in words; always a ruler, for the printed bar."""
    hand = [sheet for sheet in made if not by_machine(sheet, machine)]
    folds = any(folded(piece) for piece in pieces(made)) or any(sheet.way == "gutterfold" for sheet in made)
    joined = [sheet.poster for sheet in made if isinstance(sheet, PosterSheet) and len(sheet.poster.tiles) > 1]
    wanted = {
        KNIFE: halved or any(isinstance(sheet, PosterSheet) or _straight(sheet) for sheet in hand),
        SCISSORS_TOOL: any(piece.front.outline for piece in pieces(hand)),
        MACHINE: len(hand) < len(made),
        PEN: folds,
        GLUE: any(_glued(sheet) for sheet in made) or any(poster.join == "glue" for poster in joined),
        BOARD: any(poster.join == "glue" for poster in joined),
        TAPE: any(poster.join == "butt" for poster in joined),
        FASTENERS: any(_pinned(piece) for piece in pieces(made)),
        STAPLER: booklet,
    }
    found = [what for what, needed in wanted.items() if needed]
    return found if wanted[KNIFE] else [RULER, *found]


def pieces(made: Sequence[AnySheet]) -> list[Piece]:
    """The pieces cut from sheets, without boards."""
    return [piece for sheet in made if isinstance(sheet, Sheet) for piece in sheet.pieces]


def folded(piece: Piece) -> bool:
    """Whether a piece has folds."""
    return bool(piece.front.net and piece.front.net.creases)


def _straight(sheet: AnySheet) -> bool:
    return any(not piece.front.outline or (piece.front.net and piece.front.net.holes) for piece in pieces([sheet]))


def _glued(sheet: AnySheet) -> bool:
    nets = [piece.front.net for piece in pieces([sheet]) if piece.front.net]
    return any(net.glued for net in nets) or sheet.way == "gutterfold" or "glue" in original(sheet.paper)


def _pinned(piece: Piece) -> bool:
    net = piece.front.net
    return bool(net and net.holes and not net.creases)
