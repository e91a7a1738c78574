"""Exports a room for playingcards.io.

The format is known from other open programs that read and write it (server/pcioimport.mjs of virtualtabletop).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pnp.exports.kit import Kit, Look, Part, SetUp, Thing
from pnp.exports.room import SEATS_FOR_ALL, Crowded, Pile, Room, Single, Style, boards_of, dealt, near, room_of, variants_of
from pnp.exports.target import Job, Target, json_bytes, zipped
from pnp.exports.virtualtabletop import INSTEAD, TAKES, Assets, TooLarge, asset_name, refuse
from pnp.flows.build import Made

Widget = dict[str, Any]

MOST_WIDGETS = 1200
MOST_ASSET = 2 * 1024 * 1024
# A seat is a picture, a name and a button below each other; above them is a row with the title and buttons to set up.
SEAT, SEAT_WIDTH, ABOVE_SEAT = 106.0, 188.0, 40.0
SET_UP, SET_UP_WIDTH, TITLE = 40.0, 130.0, 420.0
# Labels reach beyond their piles, and the number of cards above them.
THERE = Style(letter=8.2, line=20, lines=2, label=42, button=42, narrowest=90, narrowest_mixed=146, row=SEAT + SET_UP,
              buttons=("shuffle",), rim=16, aside=0.1)  # fmt: skip


def make(job: Job) -> Iterator[Made]:
    """Makes ``GAME.pcio``, one more for each other board and each variant, and the books beside them."""
    place = job.kit.game.place_of("game")
    assets = Assets(job.rasterizer, MOST_ASSET)
    for name, board, setups in _tables(job.kit):
        try:
            table = _Table(assets, _room(job.kit, board, setups), job.kit, setups)
        except (Crowded, TooLarge) as error:
            refuse(job, error, MOST_ASSET)
            return
        if len(table.widgets) > MOST_WIDGETS:
            job.problems.error(
                "export-count",
                place,
                "the game has too many pieces for playingcards.io",
                value=f"{len(table.widgets)} things on the table",
                allowed=f"up to {MOST_WIDGETS}",
                hint="Export it for virtualtabletop, which takes more.",
            )
            return
        packed = zipped({**table.files, "widgets.json": json_bytes(table.widgets)})
        yield Made(f"{name}.pcio", packed, "the table", place)
    yield from job.books()


def _tables(kit: Kit) -> Iterator[tuple[str, str, tuple[SetUp, ...]]]:
    """Each file's name, board, and set-ups: those that lie on the same board are in one, and the most players first."""
    found: dict[tuple[str, str], list[SetUp]] = {}
    for setup, board in variants_of(kit):
        found.setdefault((setup.variant if setup else "", board), []).extend([setup] if setup else [])
    usual = next((kit.part(board).component.instead or "" for board in boards_of(kit) if board), "")
    order = sorted(found, key=lambda key: (key[0], -max((setup.players for setup in found[key]), default=0)))
    names = [kit.game.name]
    for variant, board in order[1:]:
        said = re.sub(r"[^a-z0-9]+", "-", variant.casefold()).strip("-") if variant else board or usual
        name = f"{kit.game.name}-{said}"
        names.append(name if said and name not in names else f"{kit.game.name}-{len(names) + 1}")
    for name, key in zip(names, order, strict=True):
        yield name, key[1], tuple(found[key])


def _room(kit: Kit, board: str, setups: Sequence[SetUp]) -> Room:
    """One room for several numbers of players, with the piles that players are dealt from."""
    if not setups:
        return room_of(kit, None, SEATS_FOR_ALL, board, THERE)
    most = max(setups, key=lambda setup: setup.players)
    copies = {(part.name, thing.id): thing.copies for part in kit.parts for thing in part.things}
    # How many of some things the table gets may be another number with other players: then all of them are a pile.
    takes = tuple(
        taken
        if taken.each or all(taken in setup.takes for setup in setups)
        else replace(taken, number=sum(copies.get((taken.part, thing), 0) for thing in taken.things), on="")
        for taken in most.takes
    )
    return room_of(kit, SetUp(most.players, takes), most.players, board, THERE)


class _Table:
    """The widgets of a room. All pieces are cards, except boards and dice."""

    def __init__(self, assets: Assets, room: Room, kit: Kit, setups: Sequence[SetUp]) -> None:
        self._assets = assets
        self._decks: dict[str, Widget] = {}
        self.files: dict[str, bytes] = {}
        self.widgets: list[Widget] = []
        x, y, width, height = room.hand
        self._put("hand", "hand", x, y, width=width, height=height)
        # The only words that everybody sees, and the place where the game is named for us too.
        self._put(f"game/{kit.game.name}", "labelText", x, y - SEAT - SET_UP + 4, width=TITLE, height=24,
                  labelContent=kit.game.title, textSize=20, textAlign="left", bold=True)  # fmt: skip
        seats = [f"seat{number}" for number in range(1, room.seats + 1)]
        for number, seat in enumerate(seats):
            self._put(
                seat, "seat", x + number * min(SEAT_WIDTH, width / len(seats)), y - SEAT + ABOVE_SEAT, seatIndex=number
            )
        for pile in room.piles:
            self._pile(pile)
        for single in room.singles:
            self._single(single)
        setups = setups or (SetUp(0, ()),)
        wide = min(SET_UP_WIDTH, (width - TITLE) / len(setups))
        for number, setup in enumerate(setups):
            label = f"Set up for {setup.players}" if setup.players else "Shuffle all"
            self._put(f"set-up{number}", "automationButton", x + TITLE + number * wide, y - SEAT - SET_UP, width=wide - 10,
                      height=SET_UP - 6, label=label, clickRoutine=self._routine(room, setup, seats))  # fmt: skip

    def _routine(self, room: Room, setup: SetUp, seats: list[str]) -> list[dict[str, Any]]:
        """Steps that gather and shuffle all piles and deal each player's share."""
        heaps = [pile.heap for pile in room.piles if not pile.heap.pool]
        steps = []
        for down, flip in ((True, "faceDown"), (False, "faceUp")):
            if decks := [f"{each.name}.deck" for heap in heaps if heap.down is down for each in heap.heaps]:
                steps.append(_step("RECALL_CARDS", decks=decks, flip=flip, includeHands="hands"))
        if mixed := [heap.name for heap in heaps if "shuffle" in heap.buttons]:
            steps.append(_step("SHUFFLE_CARDS", holders=mixed))
        for heap in heaps:
            for taken in dealt(heap.part, (thing for thing, _ in heap.things), setup.takes):
                to = seats[: setup.players]
                steps.append(_step("MOVE_CARDS_BETWEEN_HOLDERS", **{"from": [heap.name]}, to=to, quantity=taken.each))
        return steps

    def _pile(self, pile: Pile) -> None:
        heap, (width, height) = pile.heap, pile.card
        if heap.pool:
            return
        mixed = "shuffle" in heap.buttons
        self._put(heap.name, "cardPile", pile.x, pile.y, width=pile.frame[0], height=pile.frame[1], label=heap.title,
                  hasShuffleButton=mixed, allowedDecks=[f"{each.name}.deck" for each in heap.heaps])  # fmt: skip
        x, y = near(pile.x + (pile.frame[0] - width) / 2), near(pile.y + pile.rim)
        for each in heap.heaps:
            deck = self._deck(f"{each.name}.deck", each.part, (width, height), 0.0, (x, y))
            deck["parent"] = heap.name
            for thing, copies in each.things:
                self._type(deck, each.part, thing, 0.0)
                for number in range(1, copies + 1):
                    self._put(f"{each.name}/{thing.id}/{number}", _kind(deck), x, y, parent=heap.name, deck=deck["id"],
                              cardType=thing.id, faceup=not heap.down)  # fmt: skip

    def _single(self, single: Single) -> None:
        part, thing = single.part, single.thing
        name = f"{part.name}/{thing.id}/{single.number}"
        if part.form == "board":
            self._put(name, "board", single.x, single.y, width=single.width, height=single.height,
                      boardImage=self._asset(part, thing.front, 0.0))  # fmt: skip
            return
        if part.form == "die":
            values = list(thing.values) or [str(at + 1) for at in range(len(thing.sides))]
            self._put(name, "spinner", single.x, single.y, width=single.width, height=single.height, options=values,
                      value=values[0])  # fmt: skip
            return
        # The format knows no turned cards: their pictures are turned, around the same middle.
        turn = round(single.turn / 90) % 4 * 90
        width, height = (single.height, single.width) if turn % 180 else (single.width, single.height)
        x = near(single.x + (single.width - width) / 2)
        y = near(single.y + (single.height - height) / 2)
        deck = self._deck(f"{part.name}.laid{turn or ''}.deck", part, (width, height), turn, (0, 0))
        self._type(deck, part, thing, turn)
        self._put(name, _kind(deck), x, y, deck=deck["id"], cardType=thing.id, faceup=not single.down)

    def _deck(self, id_: str, part: Part, size: tuple[float, float], turn: float, at: tuple[float, float]) -> Widget:
        if id_ not in self._decks:
            front, back = (
                {"includeBorder": False, "includeRadius": False, "objects": [
                    {"type": "image", "x": 0, "y": 0, "w": size[0], "h": size[1], "color": "transparent",
                     "valueType": "dynamic", "value": value}]}
                for value in ("image", "back")
            )  # fmt: skip
            # Cards are white where nothing is printed; of a piece what lies beside its outline is clear.
            clear: Widget = {"collectionType": "pieces"} if any(thing.front.clear for thing in part.things) else {}
            self._decks[id_] = self._put(id_, "cardDeck", *at, cardWidth=size[0], cardHeight=size[1], cardTypes={},
                                         faceTemplate=front, backTemplate=back, enlarge=True, **clear)  # fmt: skip
        return self._decks[id_]

    def _type(self, deck: Widget, part: Part, thing: Thing, turn: float) -> None:
        if thing.id not in deck["cardTypes"]:
            deck["cardTypes"][thing.id] = {
                "label": thing.title,
                "piece": f"{part.name}/{thing.id}",
                "image": self._asset(part, thing.front, turn),
                "back": self._asset(part, thing.back or thing.front, turn),
            }

    def _asset(self, part: Part, look: Look, turn: float) -> str:
        data = self._assets.of(part, look, turn)
        name = f"userassets/{asset_name(data).removeprefix('assets/').replace('-', 'm')}.png"
        self.files[name] = data
        return f"package://{name}"

    def _put(self, id_: str, type_: str, x: float, y: float, **says: Any) -> Widget:
        widget = {"id": id_, "type": type_, "x": x, "y": y, "z": len(self.widgets) + 1, **says}
        self.widgets.append(widget)
        return widget


def _kind(deck: Widget) -> str:
    return "piece" if deck.get("collectionType") == "pieces" else "card"


def _step(func: str, **args: Any) -> dict[str, Any]:
    return {"func": func, "args": {name: {"type": "literal", "value": value} for name, value in args.items()}}


TARGET = Target(
    "a table of playingcards.io",
    "Open playingcards.io, start a custom room, open its settings, choose Import from file, and take the .pcio file:"
    " there is one for each board between which the numbers of players choose, and for each variant that lays"
    " out something else. Dice show the values of their faces as text. The books are PDF files beside it: send them to"
    " all players.",
    TAKES,
    make,
    instead=INSTEAD,
)
