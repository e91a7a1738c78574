"""Exports a room for virtualtabletop.io, with a variant for each number of players."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from pnp.exports.kit import Form, Look, Part, SetUp, Thing
from pnp.exports.room import (
    HERE,
    IN_HAND,
    RIM,
    SEATS_FOR_ALL,
    Crowded,
    Heap,
    Pile,
    Room,
    Single,
    board_title,
    near,
    room_of,
    rooms,
    turned_box,
    variant_name,
    variants_of,
)
from pnp.exports.tables import LONGEST, dots, png
from pnp.exports.target import Job, Rasterizer, Target, json_bytes, zipped
from pnp.flows.build import Made

if TYPE_CHECKING:
    from PIL.Image import Image

# Of a picture with fewer dots nothing could be read.
LEAST = 256


class TooLarge(Exception):
    """Raised for a picture that has too many bytes at every legible size."""


class Assets:
    """Renders pictures and keeps them for reuse."""

    def __init__(self, rasterizer: Rasterizer, most: int) -> None:
        self._rasterizer = rasterizer
        self._most = most
        self._made: dict[tuple[str, int], bytes] = {}

    def of(self, part: Part, look: Look, turn: float = 0.0) -> bytes:
        """A look as a PNG file, turned clockwise by quarters. Raises TooLarge."""
        quarters = round(turn / 90) % 4
        if (look.key, quarters) not in self._made:
            # All of a part in one go is much faster than one by one.
            looks = {one.key: one for thing in part.things for one in (thing.front, thing.back, *thing.sides) if one}
            for key, data in zip(looks, self._packed([*looks.values()], LONGEST, quarters), strict=True):
                self._made[key, quarters] = data if len(data) <= self._most else self._smaller(part, looks[key], quarters)
        return self._made[look.key, quarters]

    def _packed(self, looks: list[Look], longest: int, quarters: int) -> list[bytes]:
        wanted = [(look, dots(look.width, look.height, longest)) for look in looks]
        return self._rasterizer.packed(wanted, f"asset {quarters}", turned(quarters))

    def _smaller(self, part: Part, look: Look, quarters: int) -> bytes:
        """The picture in as many pixels as the bytes allow."""
        longest = LONGEST * 3 // 4
        while longest >= LEAST:
            (data,) = self._packed([look], longest, quarters)
            if len(data) <= self._most:
                return data
            longest = longest * 3 // 4
        raise TooLarge(part.name)


def turned(quarters: int) -> Callable[[Image], bytes]:
    """An encoder that turns pictures clockwise by quarters."""
    return partial(_turned_picture, quarters)


def _turned_picture(quarters: int, picture: Image) -> bytes:
    return png(picture.rotate(-90 * quarters, expand=True) if quarters else picture)


Widget = dict[str, Any]

# Of the format: a server of 2023 reads it, and later ones bring it up to date themselves.
VERSION = 15
# The longer side of a piece that somebody points at, and of a screen.
ENLARGED, UNFOLDED = 450, 900
SEAT_HEIGHT = 34
# How wide the button is that sets up, right of the seats.
SET_UP = 180
# How wide the label is on which all may write, beside it.
NOTES = 220
# So many times as large as a card is a place of a board at most that is made for a stack of such cards.
STACK = 3.0
MOST_JSON = 20 * 1024 * 1024
MOST_ASSET = 10 * 1024 * 1024
TAKES: frozenset[Form] = frozenset({"card", "tile", "board", "token", "figure", "die", "screen"})


def make(job: Job) -> Iterator[Made]:
    """Makes ``GAME.vtt``, and the books beside it."""
    kit, place = job.kit, job.kit.game.place_of("game")
    files: dict[str, bytes] = {}
    assets = Assets(job.rasterizer, MOST_ASSET)
    for number, (setup, board) in enumerate(variants_of(kit)):
        try:
            state = _Variant(job, assets, setup, board).state(files)
        except (Crowded, TooLarge) as error:
            refuse(job, error, MOST_ASSET)
            return
        text = json_bytes(state)
        if len(text) >= MOST_JSON:
            job.problems.error(
                "export-size",
                place,
                f"the table for {variant_name(setup, '') or 'all'} would be larger than virtualtabletop takes",
                value=f"{len(text):,} bytes",
                allowed=f"up to {MOST_JSON - 1:,} bytes",
                hint="Export a game of fewer pieces.",
            )
            return
        files[f"{number}.json"] = text
    yield Made(f"{kit.game.name}.vtt", zipped(files), "the table", place)
    yield from job.books()


def refuse(job: Job, error: Crowded | TooLarge, most: int) -> None:
    """Reports that the game does not fit on one table, or a picture of more than ``most`` bytes."""
    if isinstance(error, Crowded):
        job.problems.error(
            "export-room",
            job.kit.game.place_of("game"),
            "all pieces together have no room on the table, however small they are",
            value=f"{sum(thing.copies for part in job.kit.parts for thing in part.things)} pieces",
            hint="Export a game of fewer pieces.",
        )
        return
    part = str(error)
    job.problems.error(
        "export-size",
        job.kit.part(part).component.place,
        f'a picture of "{part}" has too many bytes for this table',
        value=part,
        allowed=f"less than {most:,} bytes",
        hint="Use fewer photographs or less texture in its design.",
    )


class _Variant:
    """The widgets for one number of players."""

    def __init__(self, job: Job, assets: Assets, setup: SetUp | None, board: str) -> None:
        self._kit, self._url = job.kit, job.choices.url
        self._assets, self._setup = assets, setup
        self._files: dict[str, bytes] = {}
        self._room = room_of(job.kit, setup, setup.players if setup else SEATS_FOR_ALL, board)
        self._board = board_title(job.kit, setup, board)
        self._shared: Mapping[str, list[str]] = {}
        self._hexes = any(part.component.hexes for part in job.kit.parts)
        self._widgets: dict[str, Widget] = {}
        self._z = 0

    def state(self, files: dict[str, bytes]) -> dict[str, Any]:
        """The variant's JSON; its pictures are added to ``files``."""
        self._files = files
        room = self._room
        self._seats(room)
        pools: dict[str, list[Single]] = {}
        for single in room.singles:
            if single.pool:
                pools.setdefault(single.pool, []).append(single)
        self._shared = _shared(room.piles, pools)
        for pile in room.piles:
            self._pile(pile, pools.get(pile.heap.name, []))
        for single in room.singles:
            self._single(single)
        self._set_up(room, pools)
        return {"_meta": {"version": VERSION, "info": self._info()}, **dict(sorted(self._widgets.items()))}

    def _info(self) -> dict[str, Any]:
        game, about = self._kit.game, self._kit.game.about
        said = [about[key] for key in ("source", "licence", "note") if about.get(key)]
        books = [reading.name for reading in self._kit.readings]
        rules = f"{self._url}/{books[0]}.pdf" if self._url and books else ""
        first = next((single for single in self._room.singles if single.part.form == "board"), None)
        look = first.thing.front if first else self._kit.parts[0].things[0].front
        part = first.part if first else self._kit.parts[0]
        return {
            "name": game.title,
            "image": self._asset(part, look),
            "rules": rules,
            "bgg": "",
            "year": about.get("year", ""),
            "mode": "",
            "time": about.get("time", ""),
            "players": str(self._setup.players) if self._setup else about.get("players", ""),
            "language": game.language,
            "variant": variant_name(self._setup, self._board),
            "attribution": "\n\n".join([*([about["designer"]] if about.get("designer") else []), *said]),
            "helpText": self._help(),
            "game": game.name,
        }

    def _help(self) -> str:
        lines = ["Take a seat, then set up. What is in your hand, at the lower edge, only you see."]
        lines.append("A card leaves it face up; to play it face down, click it first.")
        if self._setup:
            lines.append("The set-up takes:")
            for taken in self._setup.takes:
                each = f" ({taken.each} each)" if taken.each else ""
                lines.append(f"- {taken.what}: {taken.number}{each}")
        if self._kit.readings and not self._url:
            lines.append("The rules are a PDF file beside the file of this table: send it to all players.")
        return "\n".join(lines)

    def _seats(self, room: Room) -> None:
        x, y, width, height = room.hand
        self._put("hand", type="holder", x=x, y=y, width=width, height=height, onEnter={"activeFace": 1},
                  dropOffsetX=10, dropOffsetY=IN_HAND, stackOffsetX=40, childrenPerOwner=True,
                  inheritChildZ=True)  # fmt: skip
        each = min(160, (width - SET_UP - NOTES) // room.seats)
        for number in range(1, room.seats + 1):
            self._put(f"seat{number}", type="seat", index=number, x=x + (number - 1) * each, y=near(y - SEAT_HEIGHT - 5),
                      width=each - 10, height=SEAT_HEIGHT,
                      css="box-sizing: border-box; border-width: 3px; font-size: 16px")  # fmt: skip
        # Where the rules ask for a pencil, and for the numbers of dials.
        self._put("notes", type="label", x=x + width - SET_UP - NOTES, y=near(y - SEAT_HEIGHT - 5), width=NOTES - 10,
                  height=SEAT_HEIGHT, editable=True, placeholderText="Notes: click and write, all see it",
                  css="font-size: 12px; line-height: 15px; text-align: left; border: 1px solid #bbb; background: white",
                  )  # fmt: skip

    def _pile(self, pile: Pile, pool: list[Single]) -> None:
        heap = pile.heap
        part, (width, height) = heap.part, pile.card
        frame_width, frame_height = pile.frame
        self._label(f"{heap.name}.label", heap.title, pile)
        offset = (frame_width - width) / 2
        if pool:
            width, height = pool[0].width, pool[0].height
        self._put(heap.name, type="holder", x=pile.x, y=pile.y, width=frame_width, height=frame_height,
                  dropOffsetX=near(offset), dropOffsetY=RIM, inheritChildZ=True,
                  onEnter={"rotation": 0} | ({"activeFace": 0} if heap.down else {}),
                  dropTarget=_targets(each.name for each in heap.heaps) + _targets(self._shared.get(heap.name, ())),
                  )  # fmt: skip
        if pool:
            # Only what may change places is drawn again: its deck lies where it is gathered.
            drawn = {single.thing.id for single in pool}
            things = [thing for thing in part.things if thing.id in drawn]
            self._deck(f"{heap.name}.deck", part, things, (width, height), heap.name, laid=True)
        else:
            for each in heap.heaps:
                self._deck(f"{each.name}.deck", each.part, [thing for thing, _ in each.things], (width, height), heap.name)
        # Cards that come back to loose ones make piles of two: these are in one from the start, with a number on it.
        gathered: Widget = {"parent": heap.name, "x": near(offset), "y": RIM}
        if heap.number > 1 and not pool:
            self._put(f"{heap.name}.pile", type="pile", width=width, height=height, **_numbered(width, height), **gathered)
            gathered = {"parent": f"{heap.name}.pile", "x": 0, "y": 0}
        for each in () if pool else heap.heaps:
            for thing, copies in each.things:
                for number in range(1, copies + 1):
                    self._put(f"{each.name}/{thing.id}/{number}", type="card", deck=f"{each.name}.deck",
                              cardType=thing.id, activeFace=_face(thing, heap.down), **gathered)  # fmt: skip
        self._buttons(pile, pool)

    def _set_up(self, room: Room, pools: Mapping[str, list[Single]]) -> None:
        """Adds the button that gathers and shuffles all piles, lays out and deals."""
        routine: list[dict[str, Any]] = []
        for pile in room.piles:
            routine += self._gather(pile.heap, pools.get(pile.heap.name, []))
        for single in room.singles:
            routine += self._put_back(single)
        for pile in room.piles:
            routine += self._deal(pile.heap)
        x, y, width, _ = room.hand
        text = f"Set up for {room.seats}" if self._setup else "Gather & shuffle all"
        self._put("set-up", type="button", text=text, x=x + width - SET_UP, y=near(y - SEAT_HEIGHT - 5), width=SET_UP,
                  height=SEAT_HEIGHT, borderRadius=6, css="font-size: 15px", clickRoutine=routine)  # fmt: skip

    def _gather(self, heap: Heap, pool: list[Single], hands: bool = True) -> list[dict[str, Any]]:
        """Steps that return a pile's pieces to it, those in hands too or not, shuffled where order matters."""
        holders = [*(self._shared.get(heap.name, ()) if pool else ()), heap.name]
        kept = {} if hands else {"owned": False}
        routine: list[dict[str, Any]] = [{"func": "RECALL", "holder": holder, **kept} for holder in holders]
        routine.append({"func": "FLIP", "holder": heap.name, "face": 0 if heap.down or pool else 1})
        if "shuffle" in heap.buttons:
            routine.append({"func": "SHUFFLE", "holder": heap.name})
        if pool:
            places = [_place(single) for single in pool]
            routine.append({"func": "MOVE", "from": heap.name, "to": places, "count": 1, "face": 0 if pool[0].down else 1})
        return routine

    def _put_back(self, single: Single) -> list[dict[str, Any]]:
        """Steps that bring a piece of no pile back to where it was."""
        piece = self._widgets[f"{single.part.name}/{single.thing.id}/{single.number}"]
        if single.pool or piece.get("movable") is False:
            return []
        sides = {"activeFace": piece["activeFace"]} if "activeFace" in piece else {}
        was = {"parent": None, "owner": None, "x": piece["x"], "y": piece["y"], "rotation": single.turn, **sides}
        return [{"func": "SET", "collection": [piece["id"]], "property": key, "value": value} for key, value in was.items()]

    def _deal(self, heap: Heap) -> list[dict[str, Any]]:
        seats = [f"seat{number}" for number in range(1, self._room.seats + 1)]
        return [{"func": "MOVE", "from": heap.name, "to": seats, "count": taken.each} for taken in heap.deals]

    def _buttons(self, pile: Pile, pool: list[Single]) -> None:
        heap = pile.heap
        y, high = pile.y + pile.frame[1] + 2, HERE.button - 2
        for number, kind in enumerate(heap.buttons):
            # Who still plays keeps what is in hand: a draw pile is made anew of the cards that were played.
            routine, text = self._gather(heap, pool, hands=False), "Lay out anew" if pool else "Gather & shuffle"
            if kind == "deal":
                routine = [*self._gather(heap, pool), *self._deal(heap)]
                text = f"Deal {' + '.join(str(taken.each) for taken in heap.deals)} each anew"
            self._put(f"{heap.name}.{kind}{number}", type="button", text=text, x=pile.x, y=near(y), width=pile.frame[0],
                      height=high, borderRadius=6, css="font-size: 11px", clickRoutine=routine)  # fmt: skip
            y += HERE.button

    def _label(self, name: str, text: str, pile: Pile) -> None:
        css = f"font-size: 12px; line-height: {HERE.line:g}px; overflow-wrap: anywhere"
        self._put(name, type="label", text=text, x=pile.x, y=near(pile.y - pile.label), width=pile.frame[0],
                  height=pile.label, css=css)  # fmt: skip

    def _single(self, single: Single) -> None:
        part, thing = single.part, single.thing
        at: Widget = {"x": single.x, "y": single.y, "width": single.width, "height": single.height}
        if single.turn:
            at["rotation"] = single.turn
        name, piece = f"{part.name}/{thing.id}/{single.number}", f"{part.name}/{thing.id}"
        if part.form == "board":
            self._put(name, **at, piece=piece, label=thing.title, image=self._asset(part, thing.front), movable=False,
                      layer=-4)  # fmt: skip
            self._spots(single)
        elif part.form == "die":
            values = thing.values or tuple(str(at + 1) for at in range(len(thing.sides)))
            faces = [
                {"image": self._asset(part, side), "value": value} for side, value in zip(thing.sides, values, strict=True)
            ]
            self._put(name, **at, type="dice", piece=piece, label=thing.title, faces=faces, imageScale=1, movable=True)
        elif part.form in ("figure", "screen"):
            looks = [look for look in (thing.front, thing.back) if look]
            faces = [{"image": self._asset(part, look)} for look in looks]
            # On hexes a figure looks somewhere: a click turns it, as one on a tile does.
            turns: Widget = {"clickRoutine": _click(60, sided=False)} if self._hexes and part.form == "figure" else {}
            # A screen keeps below what is played with, a ship below what it carries.
            layer = {"layer": -3} if part.form == "screen" else {"layer": -1} if part.component.kind == "ship" else {}
            self._put(name, **at, **layer, **turns, piece=piece, label=thing.title, faces=faces, activeFace=0,
                      enlarge=_enlarged(single.width, single.height, part.form))  # fmt: skip
        elif single.pool:
            # As large as the piece is as it lies; what is dropped here is turned as the place is.
            left, top, right, low = turned_box(single.turn, single.width, single.height)
            x, y = near(single.x + single.width / 2 + left), near(single.y + single.height / 2 + top)
            inside: Widget = {"x": near(-left - single.width / 2), "y": near(-top - single.height / 2)}
            self._put(_place(single), type="holder", x=x, y=y, width=near(right - left), height=near(low - top),
                      dropOffsetX=inside["x"], dropOffsetY=inside["y"], classes="transparent", dropLimit=1,
                      dropTarget=_targets([single.pool, *self._shared.get(single.pool, ())]),
                      onEnter={"rotation": single.turn})  # fmt: skip
            self._put(name, type="card", deck=f"{single.pool}.deck", cardType=thing.id, parent=_place(single), **inside,
                      activeFace=_face(thing, single.down), rotation=single.turn)  # fmt: skip
        else:
            deck = f"{part.name}.laid.deck"
            if deck not in self._widgets:
                things = [one for one in part.things if any(s.part is part and s.thing is one for s in self._room.singles)]
                self._deck(deck, part, things, (single.width, single.height), None, laid=True)
            self._put(name, type="card", deck=deck, cardType=thing.id, **at, activeFace=_face(thing, single.down))

    def _spots(self, single: Single) -> None:
        """Adds a board's places for stacks of cards as drop targets.

        All other places are bare: what lies in a holder lies below all that was laid elsewhere on the board.
        """
        scale = self._room.scale
        for number, spot in enumerate(single.part.spots, 1):
            width, height = near(spot.width * scale), near(spot.height * scale)
            stacks: dict[tuple[float, float, float], list[str]] = {}
            for pile in self._room.piles:
                if pile.heap.part.component.kind == "card" and (turn := _fits(pile.card, (width, height))) is not None:
                    stacks.setdefault((turn, *pile.card), []).extend(each.name for each in pile.heap.heaps)
            if not stacks:
                continue
            # Of several sizes it takes that of which there are most.
            (turn, *card), names = max(stacks.items(), key=lambda stack: len(stack[1]))
            x, y = single.x + spot.x * scale - width / 2, single.y + spot.y * scale - height / 2
            self._put(f"{single.part.name}.spot{number}", type="holder", x=near(x), y=near(y), spot=spot.name, width=width,
                      height=height, classes="transparent", dropTarget=_targets(names),
                      dropOffsetX=near((width - card[0]) / 2), dropOffsetY=near((height - card[1]) / 2),
                      onEnter={"rotation": turn}, onLeave={"rotation": 0})  # fmt: skip

    def _deck(
        self, name: str, part: Part, things: list[Thing], size: tuple[float, float], parent: str | None, laid: bool = False
    ) -> None:
        width, height = size
        sided = any(thing.back for thing in things)
        sides = ("back", "image") if sided else ("image",)
        picture = {"type": "image", "x": 0, "y": 0, "width": width, "height": height, "color": "transparent"}
        faces = [{"objects": [{**picture, "dynamicProperties": {"value": side}}]} for side in sides]
        types = {}
        for thing in things:
            types[thing.id] = {"label": thing.title, "piece": f"{part.name}/{thing.id}",
                               "image": self._asset(part, thing.front)}  # fmt: skip
            if sided:
                types[thing.id]["back"] = self._asset(part, thing.back or thing.front)
        side = near(min(width, height, 86))
        where: Widget = {"parent": parent, "x": RIM, "y": RIM} if parent else {"x": 0, "y": 0, "display": False}
        defaults: Widget = {"width": width, "height": height, "enlarge": _enlarged(width, height),
                            "onPileCreation": _numbered(width, height)}  # fmt: skip
        # A tile that a layout has laid stays as it lies; a domino is moved on.
        if part.component.kind == "domino" or (part.component.kind == "tile" and not laid):
            defaults["clickRoutine"] = _click(60 if part.component.hexes else 90, sided)
        self._put(name, type="deck", width=side, height=side, cardDefaults=defaults, cardTypes=types, faceTemplates=faces,
                  **where)  # fmt: skip

    def _asset(self, part: Part, look: Look) -> str:
        data = self._assets.of(part, look)
        name = asset_name(data)
        self._files[name] = data
        return f"/{name}"

    def _put(self, id_: str, **says: Any) -> None:
        self._z += 1
        self._widgets[id_] = {"id": id_, **says, "z": self._z}


def asset_name(data: bytes) -> str:
    """The server's name for a file: CRC-32 as a signed number, and size."""
    crc = zlib.crc32(data)
    return f"assets/{crc - 2**32 if crc >= 2**31 else crc}_{len(data)}"


def _enlarged(width: float, height: float, form: Form = "card") -> float:
    """How much a piece is enlarged under the pointer."""
    return max(1, round((UNFOLDED if form == "screen" else ENLARGED) / max(width, height), 1))


def _numbered(width: float, height: float) -> Widget:
    """The widget that counts a pile: in a corner of cards, beside smaller pieces."""
    if min(width, height) < 50:
        return {"handlePosition": "middle right", "handleOffset": 22}
    if max(width, height) < 100:
        # Whoever takes hold of the handle moves the whole pile: it keeps off the middle.
        return {"handlePosition": "bottom right", "handleOffset": 6, "handleSize": 28}
    return {"handlePosition": "top right", "handleOffset": 4}


def _face(thing: Thing, down: bool) -> int:
    """The index of the face that is up: a card with two faces has its front second."""
    return 1 if thing.back and not down else 0


def _click(step: int, sided: bool) -> list[dict[str, Any]]:
    """The actions of a click on a tile: one that lies face down is turned up, any other is turned by a step."""
    turn = {"func": "ROTATE", "collection": "thisButton", "angle": step}
    if not sided:
        return [turn]
    up = {"func": "FLIP", "collection": "thisButton", "face": 1}
    says = "${PROPERTY activeFace}"
    return [{"func": "IF", "operand1": says, "relation": "==", "operand2": 1, "thenRoutine": [turn], "elseRoutine": [up]}]


def _targets(piles: Iterable[str]) -> list[Widget]:
    """What a holder takes: the cards of these piles."""
    return [{"deck": f"{name}.deck"} for name in piles]


def _fits(card: tuple[float, float], spot: tuple[float, float]) -> float | None:
    """By how much a card is turned that lies in a place made for a stack of such; None if the place is none."""
    for turn, (width, height) in ((0.0, card), (90.0, card[::-1])):
        if width <= spot[0] + 1 and height <= spot[1] + 1 and spot[0] * spot[1] <= STACK * width * height:
            return turn
    return None


def _shared(piles: Iterable[Pile], pools: Mapping[str, list[Single]]) -> dict[str, list[str]]:
    """Piles of the same pieces: of a layout or a board is drawn what lies in the other too."""
    found: dict[str, list[str]] = {}
    heaps = [pile.heap for pile in piles]
    for name, lying in pools.items():
        part, ids = lying[0].part, {single.thing.id for single in lying}
        for heap in heaps:
            if heap.part is part and not heap.pool and ids.issuperset(thing.id for thing, _ in heap.things):
                found.setdefault(name, []).append(heap.name)
                found.setdefault(heap.name, []).append(name)
    return found


def _place(single: Single) -> str:
    return f"{single.part.name}/{single.thing.id}/{single.number}.place"


INSTEAD: Mapping[Form, str] = {
    "container": "Piles and holders of the table are its boxes and pouches.",
    "dial": "Write the number onto a label of the table.",
}

TARGET = Target(
    "a table of virtualtabletop.io, in the browser and without an account",
    "Open virtualtabletop.io (or a server of your own), make a room, and drop the .vtt file onto its list of games, or"
    " choose Add game, Upload. Each number of players is a variant. The books are PDF files beside it: send them to all"
    " players, or put them on the web and export with --url.",
    TAKES,
    make,
    frozenset({"url"}),
    INSTEAD,
    rooms,
)
