"""From a drawn game to its kit: how each piece looks in the hand, what the set-up takes, where pieces lie."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import PurePosixPath

from pnp.check.evaluator import Evaluator
from pnp.check.takes import number_of
from pnp.flows.books.publish import files_of
from pnp.flows.pipeline import Pipeline
from pnp.lay.layoutpage import layout_picture
from pnp.lay.picture import PLAN, Picture
from pnp.lay.stack import made_picture
from pnp.sandbox.values import BadExpression
from pnp.shapes.affine import Affine, Rect, rotation, translation
from pnp.shapes.grids import bounds
from pnp.shapes.nets.net import Panel
from pnp.shapes.nets.view import AHEAD, ASIDE, View
from pnp.system.cache import digest
from pnp.values.faces import Deck, Face, Page, Piece, PlacedFace
from pnp.values.game import Component, Game, Layout, Paper, Side, Slot, shown_on
from pnp.values.kit import FORMS, Form, Kit, Laying, Look, Lying, Part, Reading, SetUp, Spot, Taken, Thing
from pnp.values.laid import fixed_tile, seen_in, slot_name, spot_in
from pnp.values.tables import Row

# Straight on, from the other side.
AWAY = View(math.pi, 0.0)


def kit_of(made: Pipeline) -> Kit:
    """Everything of a game that can be drawn and set."""
    assert made.drawn is not None, "asked for what could not be drawn"
    game = made.drawn.game
    decks = {deck.component.name: deck for deck in made.drawn.decks}
    return Kit(
        game,
        tuple(part_of(deck) for deck in decks.values() if deck.pieces),
        setups_of(game),
        tuple(_laying(layout, decks[layout.component]) for layout in game.layouts),
        readings_of(made, game),
    )


def part_of(deck: Deck) -> Part:
    """A component as it is in the hand."""
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
    look = _made(deck, piece, seen)
    if form == "die":
        shown = shown_on(deck.component, row)
        faces = [panel for panel in piece.front.net.panels if not panel.onto]
        faces.sort(key=lambda panel: int(panel.name.rpartition("-")[2]))
        return Thing(piece, str(row), says, look, None, tuple(_panel(piece.front, panel) for panel in faces), shown)
    return Thing(piece, str(row), says, look, _made(deck, piece, AWAY) if form == "figure" else None)


def _flat(face: Face, side: Side) -> Look:
    area = Rect(0, 0, face.width, face.height)
    ring = face.outline or (face.net.outline if face.net else None)
    placed = PlacedFace(face, PLAN, side, Affine(), area, ring)
    return _look(Picture((placed,), face.width, face.height), ring is not None)


def _made(deck: Deck, piece: Piece, view: View) -> Look:
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


def setups_of(game: Game) -> tuple[SetUp, ...]:
    """What the set-up takes for each player count; a take without a value is told by the checks."""
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
                number = number_of(lambda text, count: evaluator.value(text, players=count), take, players)
            except BadExpression:
                continue
            rows = (
                [row.id for row in component.table if all(row.says(*said) for said in take.where.items())]
                if component
                else []
            )
            if rows and number:
                each = number // players if take.per == "player" else None
                takes.append(Taken(take.what, take.component, tuple(rows), number, each))
        made.append(SetUp(players, tuple(takes)))
    return tuple(made)


def _laying(layout: Layout, deck: Deck) -> Laying:
    """Where pieces lie, in the picture that a sheet of the game shows of it."""
    component = deck.component
    found = [(slot, ids, *spot_in(slot, component)) for slot in layout.slots if (ids := _possible(slot, component))]
    face = Rect(-component.width / 2, -component.height / 2, component.width, component.height)
    boxes = [(translation(*at) @ rotation(turn)).bounds(face) for _, _, at, turn in found]
    left, top = min((box.x for box in boxes), default=0.0), min((box.y for box in boxes), default=0.0)
    places = tuple(
        Lying(slot_name(slot, component), x - left, y - top, turn, ids, len(ids) > 1) for slot, ids, (x, y), turn in found
    )
    return Laying(layout.name, layout.title, layout.component, places, _look(layout_picture(layout, deck), True))


def _possible(slot: Slot, component: Component) -> tuple[str, ...]:
    """The pieces of which one lies in a slot."""
    if component.hexes is not None and not fixed_tile(slot):
        pool = slot.row.text_of("pool")
        return tuple(row.id for row in component.table if "back" in row.cells and row.said("back") == pool)
    seen = seen_in(slot, component)
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
