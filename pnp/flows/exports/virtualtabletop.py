"""``virtualtabletop``: a room of virtualtabletop.io, with a variant for each number of players.

What its loader takes is read in its open source (server/fileloader.mjs, client/js/widgets).
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from pnp.flows.exports.assets import Assets, TooLarge
from pnp.flows.exports.room import BUTTON, HAND, LABEL, RIM, SEAT_HEIGHT, SEATS, Crowded, Pile, Room, Single, room_of
from pnp.flows.exports.target import Held, Job, Pieces, Target
from pnp.flows.exports.zipped import json_in, zipped
from pnp.flows.outputs import Made
from pnp.values.kit import Form, Look, Part, SetUp, Thing

Widget = dict[str, Any]

# Of the format: a server of 2023 reads it, and later ones bring it up to date themselves.
VERSION = 15
MOST_JSON = 20 * 1024 * 1024
MOST_ASSET = 10 * 1024 * 1024
# Seats of a game without a set-up.
SEATS_FOR_ALL = 4
TAKES: frozenset[Form] = frozenset({"card", "tile", "board", "token", "figure", "die", "screen"})


def make(job: Job) -> Iterator[Made]:
    """``GAME.vtt`` and the books beside it."""
    kit, place = job.kit, job.kit.game.place_of("game")
    files: dict[str, bytes] = {}
    setups: tuple[SetUp | None, ...] = kit.setups or (None,)
    assets = Assets(job.darkroom, MOST_ASSET)
    for number, setup in enumerate(setups):
        try:
            state = _Variant(job, assets, setup).state(files)
        except Crowded:
            crowded(job)
            return
        except TooLarge as error:
            too_large(job, str(error), MOST_ASSET)
            return
        text = (json.dumps(state, ensure_ascii=False, indent=1) + "\n").encode()
        if len(text) >= MOST_JSON:
            job.problems.error(
                "export-size",
                place,
                f"the table for {_variant_name(setup) or 'all'} would be larger than virtualtabletop takes",
                value=f"{len(text):,} bytes",
                allowed=f"up to {MOST_JSON - 1:,} bytes",
                hint="Export a game of fewer pieces.",
            )
            return
        files[f"{number}.json"] = text
    yield Made(f"{kit.game.name}.vtt", zipped(files), "the table", place)
    for reading in kit.readings:
        yield Made(f"{reading.name}.pdf", reading.pdf, f'the book "{reading.name}"', place)


def crowded(job: Job) -> None:
    """Says that the game does not fit on one table."""
    job.problems.error(
        "export-room",
        job.kit.game.place_of("game"),
        "all pieces together have no room on the table, however small they are",
        value=f"{sum(thing.copies for part in job.kit.parts for thing in part.things)} pieces",
        hint="Export a game of fewer pieces.",
    )


def too_large(job: Job, part: str, most: int) -> None:
    """Says that a picture has too many bytes."""
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

    def __init__(self, job: Job, assets: Assets, setup: SetUp | None) -> None:
        self._kit, self._url = job.kit, job.choices.url
        self._assets, self._setup = assets, setup
        self._files: dict[str, bytes] = {}
        self._room = room_of(job.kit, setup, setup.players if setup else SEATS_FOR_ALL)
        self._widgets: dict[str, Widget] = {}
        self._z = 0

    def state(self, files: dict[str, bytes]) -> dict[str, Any]:
        """The file of this variant; its pictures are put into ``files``."""
        self._files = files
        room = self._room
        self._seats(room)
        pools: dict[str, list[Single]] = {}
        for single in room.singles:
            if single.pool:
                pools.setdefault(single.pool, []).append(single)
        for pile in room.piles:
            self._pile(pile, pools.get(pile.heap.part.name, []))
        for single in room.singles:
            self._single(single)
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
            "variant": _variant_name(self._setup),
            "attribution": "\n\n".join([*([about["designer"]] if about.get("designer") else []), *said]),
            "helpText": self._help(),
            "game": game.name,
        }

    def _help(self) -> str:
        lines = ["Take a seat, then deal. What is in your hand, at the lower edge, only you see."]
        if self._setup:
            lines.append("The set-up takes:")
            for taken in self._setup.takes:
                each = f" ({taken.each} each)" if taken.each else ""
                lines.append(f"- {taken.what}: {taken.number}{each}")
        if self._kit.readings and not self._url:
            lines.append("The rules are a PDF file beside the file of this table: send it to all players.")
        return "\n".join(lines)

    def _seats(self, room: Room) -> None:
        x, y, width, height = HAND
        self._put("hand", type="holder", x=x, y=y, width=width, height=height, onEnter={"activeFace": 1},
                  onLeave={"activeFace": 0}, dropOffsetX=10, dropOffsetY=14, stackOffsetX=40, childrenPerOwner=True,
                  inheritChildZ=True)  # fmt: skip
        each = min(160, (width + 10) // room.seats)
        for number in range(1, room.seats + 1):
            self._put(f"seat{number}", type="seat", index=number, x=x + (number - 1) * each, y=SEATS, width=each - 10,
                      height=SEAT_HEIGHT)  # fmt: skip

    def _pile(self, pile: Pile, pool: list[Single]) -> None:
        heap = pile.heap
        part, (width, height) = heap.part, pile.card
        frame_width, frame_height = pile.frame
        self._label(f"{heap.name}.label", heap.title, pile)
        offset = (frame_width - width) / 2
        self._put(heap.name, type="holder", x=pile.x, y=pile.y, width=frame_width, height=frame_height,
                  dropOffsetX=_near(offset), dropOffsetY=RIM, inheritChildZ=True)  # fmt: skip
        down = heap.down
        things = [(thing, copies) for thing, copies in heap.things]
        if pool:
            # Only what may change places is drawn again: its deck lies where it is gathered.
            found = Counter(single.thing.id for single in pool)
            things = [(thing, found[thing.id]) for thing in part.things if thing.id in found]
        if things:
            self._deck(f"{heap.name}.deck", part, [thing for thing, _ in things], (width, height), heap.name)
        for thing, copies in [] if pool else things:
            for number in range(1, copies + 1):
                self._put(f"{heap.name}/{thing.id}/{number}", type="card", deck=f"{heap.name}.deck", cardType=thing.id,
                          parent=heap.name, x=_near(offset), y=RIM, activeFace=_face(thing, down))  # fmt: skip
        self._buttons(pile, pool)

    def _buttons(self, pile: Pile, pool: list[Single]) -> None:
        heap = pile.heap
        seats = [f"seat{number}" for number in range(1, self._room.seats + 1)]
        y = pile.y + pile.frame[1] + 2
        deals = iter(heap.deals)
        for number, kind in enumerate(heap.buttons):
            routine: list[dict[str, Any]] = [{"func": "RECALL", "holder": heap.name}]
            if heap.down or pool:
                routine.append({"func": "FLIP", "holder": heap.name, "face": 0})
            routine.append({"func": "SHUFFLE", "holder": heap.name})
            text = "Gather & shuffle"
            if pool:
                places = [_place(single) for single in pool]
                routine.append({"func": "MOVE", "from": heap.name, "to": places, "count": 1})
                text = "Lay out anew"
            if kind == "deal":
                taken = next(deals)
                text = f"Deal {taken.each} each"
                routine = [{"func": "MOVE", "from": heap.name, "to": seats, "count": taken.each}]
            self._put(f"{heap.name}.{kind}{number}", type="button", text=text, x=pile.x, y=_near(y), width=pile.frame[0],
                      height=BUTTON, borderRadius=6, css="font-size: 11px", clickRoutine=routine)  # fmt: skip
            y += BUTTON + 2

    def _label(self, name: str, text: str, pile: Pile) -> None:
        self._put(name, type="label", text=text, x=pile.x, y=_near(pile.y - LABEL), width=pile.frame[0], height=LABEL,
                  css="font-size: 12px; overflow: hidden; white-space: nowrap")  # fmt: skip

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
            # A screen keeps below what is played with.
            layer = {"layer": -3} if part.form == "screen" else {}
            self._put(name, **at, **layer, piece=piece, label=thing.title, faces=faces, activeFace=0)
        elif single.pool:
            self._put(_place(single), type="holder", x=single.x, y=single.y, width=single.width, height=single.height,
                      dropOffsetX=0, dropOffsetY=0, classes="transparent")  # fmt: skip
            turned = {"rotation": single.turn} if single.turn else {}
            self._put(name, type="card", deck=f"{part.name}.pool.deck", cardType=thing.id, parent=_place(single), x=0, y=0,
                      activeFace=_face(thing, single.down), **turned)  # fmt: skip
        else:
            deck = f"{part.name}.laid.deck"
            if deck not in self._widgets:
                things = [one for one in part.things if any(s.part is part and s.thing is one for s in self._room.singles)]
                self._deck(deck, part, things, (single.width, single.height), None)
            self._put(name, type="card", deck=deck, cardType=thing.id, **at, activeFace=_face(thing, single.down))

    def _spots(self, single: Single) -> None:
        """Named places of a board: what is dropped there stays where it was dropped, and scripts find it by the name."""
        scale = self._room.scale
        for number, spot in enumerate(single.part.spots, 1):
            x, y = single.x + (spot.x - spot.width / 2) * scale, single.y + (spot.y - spot.height / 2) * scale
            self._put(f"{single.part.name}.spot{number}", type="holder", x=_near(x), y=_near(y), spot=spot.name,
                      width=_near(spot.width * scale), height=_near(spot.height * scale), classes="transparent",
                      alignChildren=False, dropTarget={}, dropOffsetX=0, dropOffsetY=0)  # fmt: skip

    def _deck(self, name: str, part: Part, things: list[Thing], size: tuple[float, float], parent: str | None) -> None:
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
        side = _near(min(width, height, 86))
        where: Widget = {"parent": parent, "x": RIM, "y": RIM} if parent else {"x": 0, "y": 0, "display": False}
        # Pieces that are no cards do not jump together when one is laid on another.
        defaults: Widget = {"width": width, "height": height, "enlarge": max(1, round(200 / max(width, height), 1))}
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
    """As the server names what it is given: its CRC-32 as a signed number, and its size."""
    crc = zlib.crc32(data)
    return f"assets/{crc - 2**32 if crc >= 2**31 else crc}_{len(data)}"


def _face(thing: Thing, down: bool) -> int:
    """Of a card with two faces the second is its front."""
    return 1 if thing.back and not down else 0


def _place(single: Single) -> str:
    return f"{single.part.name}/{single.thing.id}/{single.number}.place"


def _near(value: float) -> float:
    return round(value, 2)


def _variant_name(setup: SetUp | None) -> str:
    return f"{setup.players} player{'s' if setup.players != 1 else ''}" if setup else ""


def held(data: bytes) -> Held | None:
    """What a .vtt holds: each variant has all of the game, and is told besides as well."""
    game, found = "", {}
    for name, state in sorted(json_in(data).items()):
        meta = state.get("_meta") if isinstance(state, dict) else None
        info = meta.get("info") if isinstance(meta, dict) else None
        if not isinstance(state, dict) or not isinstance(info, dict) or not isinstance(info.get("game"), str):
            return None
        game = info["game"]
        variant = info.get("variant")
        found[variant if isinstance(variant, str) and variant and variant not in found else name] = _pieces(state)
    if not found:
        return None
    return Held(game, next(iter(found.values())), besides=found if len(found) > 1 else {})


def _pieces(state: dict[str, Any]) -> Pieces:
    counted: Pieces = Counter()
    for widget in state.values():
        if not isinstance(widget, dict):
            continue
        says: object = widget
        if widget.get("type") == "card":
            deck = state.get(str(widget.get("deck")))
            types = deck.get("cardTypes") if isinstance(deck, dict) else None
            says = types.get(str(widget.get("cardType"))) if isinstance(types, dict) else None
        piece = says.get("piece") if isinstance(says, dict) else None
        if isinstance(piece, str):
            counted[piece] += 1
    return counted


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
    {".vtt": held},
)
