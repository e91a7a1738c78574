"""Turns a drawn game into pieces for virtual tables: how each looks, where it lies, and what a set-up takes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import PurePosixPath
from typing import Literal

from pnp.check.evaluator import Evaluator, number_of
from pnp.dataclass import dataclass
from pnp.flows.pipeline import Pipeline
from pnp.flows.publish import files_of
from pnp.lay.picture import PLAN, Picture, layout_picture, made_picture
from pnp.shapes.affine import Affine, Rect, rotation, translation
from pnp.shapes.grids import bounds
from pnp.shapes.nets.net import AHEAD, ASIDE, Panel, View
from pnp.shapes.outline import Ring
from pnp.system.cache import digest
from pnp.values.faces import Deck, Face, Page, Piece, PlacedFace
from pnp.values.game import (
    Component,
    Game,
    KindName,
    Layout,
    Paper,
    Side,
    Slot,
    fixed_tile,
    seen_in,
    shown_on,
    slot_name,
    spot_in,
)
from pnp.values.problems import Fault
from pnp.values.tables import Row

Form = Literal["card", "tile", "board", "token", "figure", "die", "screen", "container", "dial"]
"""What a piece is once it is in somebody's hands, whatever it was folded from."""

FORMS: Mapping[KindName, Form] = {
    "card": "card",
    "domino": "card",
    "tile": "tile",
    "board": "board",
    "tracker": "board",
    "token": "token",
    "ship": "figure",
    "standee": "figure",
    "pawn": "figure",
    "prism": "figure",
    "die": "die",
    "screen": "screen",
    "box": "container",
    "pouch": "container",
    "divider": "card",
    "dial": "dial",
}


@dataclass(frozen=True, slots=True)
class Look:
    """One side of a piece as a picture."""

    key: str
    """The same for looks that show the same."""
    page: Page
    """The picture, alone on a page of its size."""
    clear: bool = False
    """What lies beside its outline is transparent."""

    @property
    def width(self) -> float:
        return self.page.paper.width

    @property
    def height(self) -> float:
        return self.page.paper.height


@dataclass(frozen=True, slots=True)
class Thing:
    """One design of a component, assembled: a folded piece is one thing."""

    piece: Piece
    """What is printed: with its bleed, and folded pieces as flat nets."""
    title: str
    """In words for a person."""
    says: Mapping[str, str]
    """The cells of its row as they were typed, by column."""
    front: Look
    back: Look | None
    sides: tuple[Look, ...] = ()
    """Of a die, one for each face."""
    values: tuple[str, ...] = ()
    """What they show, in the same order."""

    @property
    def id(self) -> str:
        return self.piece.id

    @property
    def copies(self) -> int:
        return self.piece.copies


@dataclass(frozen=True, slots=True)
class Spot:
    """A named place on a board: centre and size in mm from the board's top-left corner."""

    name: str
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Part:
    """A component with its assembled pieces."""

    deck: Deck
    form: Form
    things: tuple[Thing, ...]
    spots: tuple[Spot, ...] = ()
    outline: Ring | None = None
    """Of pieces that are no rectangles and all alike, in mm from the trim's corner."""

    @property
    def component(self) -> Component:
        return self.deck.component

    @property
    def name(self) -> str:
        return self.component.name

    @property
    def title(self) -> str:
        return self.component.title

    @property
    def width(self) -> float:
        """The width of its pieces in mm, once they are assembled."""
        return self.things[0].front.width

    @property
    def height(self) -> float:
        return self.things[0].front.height

    @property
    def back(self) -> Look | None:
        """The back that all pieces have in common; None where they have several or none."""
        backs = {thing.back.key: thing.back for thing in self.things if thing.back}
        return next(iter(backs.values())) if len(backs) == 1 and all(thing.back for thing in self.things) else None


@dataclass(frozen=True, slots=True)
class Taken:
    """The copies of some things that a set-up takes."""

    what: str
    """In words."""
    part: str
    things: tuple[str, ...]
    """The ids they are chosen from."""
    number: int
    each: int | None
    """Of these each player has so many; None: they are the table's."""
    on: str = ""
    """They lie on the squares of the board's fields of this kind."""


@dataclass(frozen=True, slots=True)
class SetUp:
    """What is taken from the box for a number of players."""

    players: int
    takes: tuple[Taken, ...]
    variant: str = ""
    """What it is called where it is not the game's own."""


@dataclass(frozen=True, slots=True)
class Lying:
    """A place of a layout: the piece's centre in mm, its turn, and the things that may lie there."""

    slot: str
    x: float
    y: float
    turn: float
    things: tuple[str, ...]
    down: bool
    """It lies face down."""


@dataclass(frozen=True, slots=True)
class Laying:
    """A layout of one part at the start of the game."""

    name: str
    title: str
    part: str
    places: tuple[Lying, ...]
    players: tuple[int, ...]
    """With so many a variant lays it instead of what the set-up takes."""
    look: Look
    """All of it as it is seen, with its pieces at their places; the middles of these are in mm from its top-left corner."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A book as a PDF in full size."""

    name: str
    title: str
    pdf: bytes


@dataclass(frozen=True, slots=True)
class Kit:
    """A whole game for export."""

    game: Game
    parts: tuple[Part, ...]
    setups: tuple[SetUp, ...]
    layings: tuple[Laying, ...]
    piles: tuple[tuple[str, ...], ...]
    """Components that are shuffled into one pile."""
    read: Callable[[], tuple[Reading, ...]]
    """Sets the books, once: who takes none does not wait for them."""

    @property
    def readings(self) -> tuple[Reading, ...]:
        """The game's books."""
        return self.read()

    def pile_of(self, part: Part) -> tuple[str, ...]:
        """The components with which a part is shuffled into one pile; empty for a part alone."""
        return next((pile for pile in self.piles if part.name in pile), ())

    def part(self, name: str) -> Part:
        return next(part for part in self.parts if part.name == name)


# Straight on, from the other side.
AWAY = View(math.pi, 0.0)


def kit_of(made: Pipeline) -> Kit:
    """The kit of a game: everything that can be drawn and set."""
    assert made.drawn is not None, "asked for what could not be drawn"
    game = made.drawn.game
    decks = {deck.component.name: deck for deck in made.drawn.decks}
    return Kit(
        game,
        tuple(part_of(deck) for deck in decks.values() if deck.pieces),
        setups_of(game),
        tuple(_laying(layout, decks[layout.component], game) for layout in game.layouts),
        tuple(pile.components for pile in game.rules.piles if len(pile.components) > 1 and not pile.by),
        cache(lambda: readings_of(made, game)),
    )


def part_of(deck: Deck) -> Part:
    """The part of a deck."""
    component, form = deck.component, FORMS[deck.component.kind]
    rows = {row.id: row for row in component.table}
    things = tuple(_thing(deck, piece, rows[piece.id], form) for piece in deck.pieces if piece.part == 1)
    rings = {piece.front.outline for piece in deck.pieces}
    one = next(iter(rings)) if len(rings) == 1 else None
    return Part(deck, form, things, tuple(_spots(component)), one)


def _thing(deck: Deck, piece: Piece, row: Row, form: Form) -> Thing:
    says = {column: cell.text for column, cell in row.cells.items()}
    if piece.front.net is None or form == "screen":
        # Of a screen its whole length is seen, flat, as it would stand around a player.
        front, back = _flat(piece.front, "front"), _flat(piece.back, "back") if piece.back else None
        return Thing(piece, str(row), says, front, back)
    seen = ASIDE if form in ("container", "dial") else AHEAD
    look = made_look(deck, piece, seen)
    if form == "die":
        shown = shown_on(deck.component, row)
        faces = [panel for panel in piece.front.net.panels if not panel.onto]
        faces.sort(key=lambda panel: int(panel.name.rpartition("-")[2]))
        return Thing(piece, str(row), says, look, None, tuple(_panel(piece.front, panel) for panel in faces), shown)
    return Thing(piece, str(row), says, look, made_look(deck, piece, AWAY) if form == "figure" else None)


def _flat(face: Face, side: Side) -> Look:
    area = Rect(0, 0, face.width, face.height)
    ring = face.outline or (face.net.outline if face.net else None)
    placed = PlacedFace(face, PLAN, side, Affine(), area, ring)
    return _look(Picture((placed,), face.width, face.height), ring is not None)


def made_look(deck: Deck, piece: Piece, view: View) -> Look:
    """The picture of a folded piece as it stands."""
    return _look(made_picture(deck, piece, view=view), True)


def _panel(face: Face, panel: Panel) -> Look:
    frame, width, height = panel.frame()
    clip = Rect(0, 0, face.width, face.height)
    return _look(Picture((PlacedFace(face, PLAN, "front", frame.inverse(), clip, panel.ring),), width, height), True)


def _look(picture: Picture, clear: bool) -> Look:
    page = Page(Paper("look", picture.width, picture.height), picture.items)
    seen = [
        (item.face.look, item.matrix, item.clip, item.shape) if isinstance(item, PlacedFace) else item
        for item in picture.items
    ]
    return Look(digest("look", repr((picture.width, picture.height, clear, seen))), page, clear)


def _spots(component: Component) -> Iterator[Spot]:
    """The named places of a board: fields of its map, spaces of its tracks."""
    if board := component.board:
        for field in board.fields:
            yield _spot(str(field.row), bounds(board.grid, field.cells, board.cell))
    if tracker := component.tracker:
        for track, rows in tracker.tracks.items():
            for row, box in zip(rows, tracker.spaces(track, component.width, component.height), strict=True):
                yield _spot(f"{track} {row}", box)


def _spot(name: str, box: Rect) -> Spot:
    return Spot(name, box.x + box.width / 2, box.y + box.height / 2, box.width, box.height)


def squares_of(part: Part, kind: str) -> list[tuple[float, float]]:
    """The middles of the cells of a board's fields of this kind, in mm from its top-left corner."""
    if (board := part.component.board) is None:
        return []
    fields = [field for field in board.fields if field.row.text_of("kind") == kind]
    boxes = [bounds(board.grid, (cell,), board.cell) for field in fields for cell in field.cells]
    return [(box.x + box.width / 2, box.y + box.height / 2) for box in boxes]


def setups_of(game: Game) -> tuple[SetUp, ...]:
    """The takes for each number of players. A take without a value is left out; the checks report it."""
    if game.rules.setup is None:
        return ()
    evaluator = Evaluator(game)
    components = {component.name: component for component in game.components}
    made = []
    for players in game.rules.setup.players:
        takes = []
        for take in game.rules.setup.takes:
            component = components.get(take.component)
            try:
                number = number_of(evaluator, take, players)
            except Fault:
                continue
            rows = (
                [row.id for row in component.table if all(row.matches(*said) for said in take.where.items())]
                if component
                else []
            )
            if rows and number:
                each = number // players if take.per == "player" else None
                takes.append(Taken(take.what, take.component, tuple(rows), number, each, take.on))
        made.append(SetUp(players, tuple(takes)))
    return tuple(made)


def _laying(layout: Layout, deck: Deck, game: Game) -> Laying:
    """The places of a layout's pieces, in the coordinates of the layout's printed picture."""
    component = deck.component
    shuffle = next((each for each in game.rules.shuffles if each.name == layout.name), None)
    found = [(slot, ids, *spot_in(slot, component)) for slot in layout.slots if (ids := _possible(slot, component))]
    if shuffle and component.hexes is None:
        every = tuple(dict.fromkeys(id_ for _, ids, _, _ in found for id_ in ids))
        found = [(slot, every, at, turn) for slot, _, at, turn in found]
    face = Rect(-component.width / 2, -component.height / 2, component.width, component.height)
    boxes = [(translation(*at) @ rotation(turn)).bounds(face) for _, _, at, turn in found]
    left, top = min((box.x for box in boxes), default=0.0), min((box.y for box in boxes), default=0.0)
    up = shuffle is not None and shuffle.up
    places = tuple(
        Lying(slot_name(slot, component), x - left, y - top, turn, ids, len(ids) > 1 and not up)
        for slot, ids, (x, y), turn in found
    )
    look = _look(layout_picture(layout, deck), True)
    return Laying(layout.name, layout.title, layout.component, places, layout.players, look)


def _possible(slot: Slot, component: Component) -> tuple[str, ...]:
    """The pieces of which one lies in a slot."""
    if component.hexes is not None and not fixed_tile(slot):
        pool = slot.row.text_of("pool")
        return tuple(row.id for row in component.table if "back" in row.cells and row.text("back") == pool)
    (seen,) = seen_in([slot], component)
    return (seen[0],) if seen else ()


def readings_of(made: Pipeline, game: Game) -> tuple[Reading, ...]:
    """The game's books in full size, each once."""
    found: dict[str, Reading] = {}
    wanted = {manual.name for manual in game.manuals}
    for name, manual, data in files_of(game, made.editions, made.cache):
        path = PurePosixPath(name)
        full = path.stem == manual.name or manual.form == "card"
        if path.suffix == ".pdf" and full and manual.name in wanted and manual.name not in found:
            found[manual.name] = Reading(manual.name, manual.title, data)
    return tuple(found.values())
