"""Exports a saved object for Tabletop Simulator: card sheets whose slots stay with their cards across exports."""

from __future__ import annotations

import csv
import hashlib
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pnp.exports import tables
from pnp.exports.kit import Form, Laying, Look, Part, SetUp, Spot, Taken, Thing
from pnp.exports.room import boards_of, on_board, playing
from pnp.exports.shops import shape_of
from pnp.exports.target import SLOTS, Job, Target, csv_bytes, json_bytes
from pnp.flows.build import Made
from pnp.system.paths import file_within, plain_bytes
from pnp.values.game import KINDS
from pnp.values.problems import Place, Problems

if TYPE_CHECKING:
    from PIL.Image import Image

COLUMNS = ("component", "id", "sheet", "slot")
# The last of the 70 slots of a sheet is what others see of a card in a hand.
EACH = 69
# No game has so many sheets, and no list of slots is so large.
MOST_SHEETS, MOST_SLOT_BYTES = 1000, 20_000_000

Slots = Mapping[tuple[str, str], tuple[int, int]]
"""By component and id: the number of a sheet of the component, from 1, and of a slot on it, from 0."""


def slots_in(path: Path, name: str, problems: Problems) -> Slots:
    """The slots of the last export, if there was one; an unreadable file is reported."""
    try:
        if not path.exists() and not path.is_symlink():
            return {}
        if not file_within(path.parent, path):
            raise ValueError("it is no file of the game's own folder")
        rows = list(csv.reader(io.StringIO(plain_bytes(path, MOST_SLOT_BYTES).decode("utf-8-sig"), newline=""), strict=True))
    except (ValueError, csv.Error, OSError) as error:
        _wrong(problems, Place(name), f"it cannot be read ({error.strerror if isinstance(error, OSError) else error})")
        return {}
    if not rows or tuple(rows[0]) != COLUMNS:
        _wrong(problems, Place(name, 1), "its first row is not " + ",".join(COLUMNS))
        return {}
    found: dict[tuple[str, str], tuple[int, int]] = {}
    taken: dict[tuple[str, int, int], int] = {}
    for number, row in enumerate(rows[1:], 2):
        if not row:
            continue
        numbers = [int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else -1 for text in row[2:]]
        if len(row) != 4 or not (1 <= numbers[0] <= MOST_SHEETS and 0 <= numbers[1] < EACH):
            allowed = f"a component, an id, a sheet from 1 and a slot from 0 to {EACH - 1}"
            _wrong(problems, Place(name, number), "this row is no slot", ",".join(row), allowed)
            continue
        first = taken.setdefault((row[0], numbers[0], numbers[1]), number)
        if first != number or (row[0], row[1]) in found:
            said = "this slot is taken" if first != number else "this card has a slot already"
            _wrong(problems, Place(name, number), f"{said} by row {first}" if first != number else said, ",".join(row))
            continue
        found[row[0], row[1]] = numbers[0], numbers[1]
    return found


def _wrong(problems: Problems, place: Place, message: str, value: str = "", allowed: str = "") -> None:
    hint = "Mend the row, or delete the file: then all cards get new slots, and tables saved before show others."
    problems.error("broken-slots", place, message, value=value, allowed=allowed, hint=hint)


def dealt(known: Slots, component: str, ids: Sequence[str]) -> Slots:
    """Gives each card a slot: a known card keeps its slot, a new card gets the first never used.

    Saved tables refer to cards by slot, so the slot of a removed card is not used again.
    """
    taken = {slot for (owner, _), slot in known.items() if owner == component}
    number, made = 0, {}
    for id in ids:
        slot = known.get((component, id))
        while slot is None:
            there = number // EACH + 1, number % EACH
            number += 1
            slot = None if there in taken else there
        made[component, id] = slot
    return made


def as_file(slots: Slots) -> bytes:
    """The slots as stored, in the order of the sheets."""
    return csv_bytes([COLUMNS, *((*key, *at) for key, at in sorted(slots.items(), key=lambda each: (each[0][0], each[1])))])


Object = dict[str, Any]
# A poker card, 88.9 mm high, is so many units high at scale 1; a square tile so many wide. Unverified.
CARD_HIGH, TILE_WIDE = 3.2, 2.0
UNIT = 88.9 / CARD_HIGH
"""So many mm are one unit of the table."""
UP, DOWN = 0.0, 180.0
# What comes out of a bag: the last that was put in, or any.
LAST, ANY = 0, 2
# By the number of its sides: how a die lies when each is on top, from 1 on, as the program saves it.
TURNS = {
    6: ((-90, 0, 0), (0, 0, 0), (0, 0, -90), (0, 0, 90), (0, 0, -180), (90, 0, 0)),
    10: (
        *((-38, 0, 234), (38, 180, -233), (-38, 0, 20), (38, 180, -17), (-38, 0, 90)),
        *((38, 180, -161), (-38, 0, 307), (38, 180, -304), (-38, 0, 163), (38, 180, -90)),
    ),
}


@dataclass(slots=True)
class Names:
    """Gives objects their GUIDs: six hex digits, the same for the same object."""

    _taken: set[str] = field(default_factory=set)

    def mark(self, what: str) -> str:
        """A GUID that no other object has."""
        for number in range(1 << 24):
            mark = hashlib.sha256(f"{what} {number}".encode()).hexdigest()[:6]
            if mark not in self._taken:
                self._taken.add(mark)
                return mark
        raise AssertionError("there are fewer objects than marks")


def game_object(
    names: Names,
    kind: str,
    title: str,
    piece: str = "",
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0),
    says: str = "",
    **more: Any,
) -> Object:
    """An object at the table's centre. ``piece`` is ``component/id``, stored where players do not see it."""
    across, up, along = scale
    return {
        "GUID": names.mark(f"{kind} {piece} {title}"),
        "Name": kind,
        "Transform": {
            "posX": 0.0,
            "posY": 1.0,
            "posZ": 0.0,
            "rotX": 0.0,
            "rotY": 180.0,
            "rotZ": UP,
            "scaleX": across,
            "scaleY": up,
            "scaleZ": along,
        },
        "Nickname": title,
        "Description": says,
        "GMNotes": piece,
        "ColorDiffuse": {"r": 1.0, "g": 1.0, "b": 1.0},
        "Locked": False,
        "Grid": True,
        "Snap": True,
        "Autoraise": True,
        "Sticky": True,
        "Tooltip": True,
        "HideWhenFaceDown": False,
        "Hands": False,
        "LuaScript": "",
        "LuaScriptState": "",
        "XmlUI": "",
        **more,
    }


def placed(made: Object, x: float, z: float, over: float = UP, turn: float = 0.0, high: float = 1.0) -> Object:
    """The object moved; also flipped, or turned clockwise as the reader sees it."""
    where = {"posX": round(x, 4), "posY": high, "posZ": round(z, 4), "rotY": (180.0 + turn) % 360, "rotZ": over}
    made["Transform"] = {**made["Transform"], **where}
    return made


def sheet(faces: str, backs: str, rows: int, unique: bool, round_corners: bool) -> Object:
    """A CustomDeck entry: the picture of the faces, and of the common back or the backs."""
    return {
        "FaceURL": faces,
        "BackURL": backs,
        "NumWidth": SHEET_COLUMNS,
        "NumHeight": rows,
        "BackIsHidden": True,
        "UniqueBack": unique,
        "Type": 0 if round_corners else 1,
    }


def card(names: Names, title: str, piece: str, number: int, sheets: Mapping[str, Object], scale: float) -> Object:
    """A card; its CardID is 100 times the sheet's number plus the slot."""
    return game_object(
        names,
        "Card",
        title,
        piece,
        (scale, 1.0, scale),
        CardID=number,
        SidewaysCard=False,
        CustomDeck={str(number // 100): sheets[str(number // 100)]},
    ) | {"HideWhenFaceDown": True, "Hands": True}


def deck(names: Names, title: str, cards: Sequence[Object], says: str = "") -> Object:
    """A stack of cards, the first on top when it lies face down; a single card stays a card."""
    if len(cards) == 1:
        return cards[0]
    sheets: dict[str, Object] = {}
    for each in cards:
        sheets |= each["CustomDeck"]
    scale = cards[0]["Transform"]["scaleX"]
    return game_object(
        names,
        "Deck",
        title,
        scale=(scale, 1.0, scale),
        says=says,
        SidewaysCard=cards[0]["SidewaysCard"],
        DeckIDs=[each["CardID"] for each in cards],
        CustomDeck=sheets,
        ContainedObjects=list(cards),
    ) | {"HideWhenFaceDown": True}


def bag(names: Names, title: str, inside: Sequence[Object], order: int = LAST, says: str = "") -> Object:
    """A bag with objects."""
    made = game_object(names, "Bag", title, says=says, Bag={"Order": order}, ContainedObjects=list(inside))
    made["ColorDiffuse"] = {"r": 0.71, "g": 0.53, "b": 0.33}
    return made


def saved(objects: Sequence[Object], **more: Any) -> Object:
    """A saved object, or with ``more`` a saved table."""
    return {
        "SaveName": "",
        "Date": "",
        "VersionNumber": "",
        "GameMode": "",
        "GameType": "",
        "GameComplexity": "",
        "Tags": [],
        "Gravity": 0.5,
        "PlayArea": 0.5,
        "Table": "",
        "Sky": "",
        "Note": "",
        "TabStates": {},
        "LuaScript": "",
        "LuaScriptState": "",
        "XmlUI": "",
        "ObjectStates": list(objects),
        **more,
    }


# No side of a picture is longer (Tabletop Simulator's knowledge base, Asset Creation), and no face needs to be finer.
MOST, FINE = 4096, 300
# Sheets of cards have so many columns, however few cards: a slot is where it was when there are more. And the fewest rows.
SHEET_COLUMNS, LEAST = 10, 2
MARK = "pnp"
# What is shown by pictures of its own: what is wider, in mm, would be no more than a blur in a tenth of a sheet.
ALONE: frozenset[Form] = frozenset({"card", "tile", "board", "token", "figure", "screen"})
WIDEST = 104.0


@dataclass(slots=True)
class Table:
    """The game's objects and pictures as they are made."""

    job: Job
    slots: Slots
    names: Names = field(default_factory=Names)
    files: dict[str, bytes] = field(default_factory=dict)
    sheets: dict[str, Object] = field(default_factory=dict)
    """By the number that the cards of a sheet begin with."""
    numbers: int = 0
    """How many of these numbers are given."""
    first: dict[str, int] = field(default_factory=dict)
    """By part: how many were given before its first sheet."""
    urls: dict[str, str] = field(default_factory=dict)
    """By the key of a look: where its picture is."""
    pictures: dict[str, bytes] = field(default_factory=dict)
    """The pictures of all looks that are shown alone."""
    meshes: dict[str, Object] = field(default_factory=dict)
    """By piece: where its solid and its picture are."""

    def url(self, stem: str, data: bytes) -> str:
        """The URL of a picture. Its name has a digest of the content, so that no table shows an old one."""
        kinds = {b"\xff\xd8": "jpg", b"%PDF": "pdf", b"mtllib": "obj"}
        kind = next((kind for begin, kind in kinds.items() if data.startswith(begin)), "png")
        name = f"{stem}-{hashlib.sha256(data).hexdigest()[:10]}.{kind}"
        self.files[f"images/{name}"] = data
        return f"{self.job.choices.url}/{name}" if self.job.choices.url else (self.job.folder / "images" / name).as_uri()

    def picture(self, stem: str, look: Look) -> str:
        """The URL of a look's picture."""
        if look.key not in self.urls:
            self.urls[look.key] = self.url(stem, self.pictures[look.key])
        return self.urls[look.key]

    def marked(self, part: Part, thing: Thing) -> str:
        return f"{MARK}:{self.job.kit.game.name}:{part.name}/{thing.id}"


def in_decks(part: Part) -> bool:
    """Whether a part's pieces are cards on sheets."""
    return part.form == "card" and part.width <= WIDEST


def is_solid(part: Part, thing: Thing) -> bool:
    """Whether a piece needs a solid of its own: TTS's tiles are boxes, discs or hexagons, its tokens have no back."""
    if part.form in ("figure", "screen") or in_decks(part):
        return part.form == "screen"
    ring = tables.ring_of(part, thing)
    return ring is not None and shape_of(ring, part.width, part.height) != "circle"


def pictures_of(job: Job) -> dict[str, bytes]:
    """Single pictures: pieces that are no cards, common backs, and layouts."""
    looks: dict[str, Look] = {}
    for part in job.kit.parts:
        found: list[Look | None] = []
        if in_decks(part):
            found = [part.back]
        elif part.form in ALONE:
            some = [thing for thing in part.things if not is_solid(part, thing)]
            found = [look for thing in some for look in (thing.front, thing.back)]
        looks |= {look.key: look for look in found if look}
    looks |= {laying.look.key: laying.look for laying in job.kit.layings}
    wanted = [(look, _dots(look.width, look.height)) for look in looks.values()]
    return dict(zip(looks, job.rasterizer.packed(wanted, "tts", _packed), strict=True))


def _dots(width: float, height: float) -> tuple[int, int]:
    """The pixels of a picture of this size in mm, as many as TTS allows."""
    dpmm = min(FINE / 25.4, MOST / max(width, height))
    return max(1, round(width * dpmm)), max(1, round(height * dpmm))


def _packed(image: Image) -> bytes:
    """A picture as PNG, or smaller as JPEG if nothing is transparent."""
    target = io.BytesIO()
    if image.mode == "RGBA":
        image.save(target, "PNG", compress_level=6)
    else:
        image.save(target, "JPEG", quality=92, subsampling=0)
    return target.getvalue()


def add_sheets(table: Table, part: Part) -> None:
    """Adds the sheets of a part's faces, and of backs that differ."""
    by_sheet: dict[int, dict[int, Thing]] = {}
    for thing in part.things:
        number, slot = table.slots[part.name, thing.id]
        by_sheet.setdefault(number, {})[slot] = thing
    table.first[part.name] = table.numbers
    table.numbers += max(by_sheet)
    for number, there in sorted(by_sheet.items()):
        rows = max(LEAST, max(there) // SHEET_COLUMNS + 1)
        fronts = table.url(f"{part.name}-{number}", _sheet(table, there, rows, "front"))
        one = part.back is not None or not any(thing.back for thing in part.things)
        if one:
            backs = table.picture(f"{part.name}-back", part.back) if part.back else table.url("no-back", _blank())
        else:
            backs = table.url(f"{part.name}-{number}-backs", _sheet(table, there, rows, "back"))
        round_corners = KINDS[part.component.kind].rounded
        table.sheets[_key(table, part, number)] = sheet(fronts, backs, rows, not one, round_corners)


def _sheet(table: Table, there: Mapping[int, Thing], rows: int, side: str) -> bytes:
    """A picture with faces or backs in their slots; unused slots are white."""
    some = next(iter(there.values())).front
    wide = min(MOST // SHEET_COLUMNS, int(MOST // rows * some.width / some.height), round(some.width * FINE / 25.4))
    size = max(1, wide), max(1, round(wide * some.height / some.width))
    size = size[0], min(size[1], MOST // rows)
    looks = {slot: thing.front if side == "front" else thing.back for slot, thing in sorted(there.items())}
    parts = ["tts sheet", repr((size, rows, [(slot, look.key) for slot, look in looks.items() if look]))]
    shown = {slot: look for slot, look in looks.items() if look}
    return table.job.rasterizer.kept(parts, partial(_drawn, table, shown, size, rows))


def _drawn(table: Table, looks: Mapping[int, Look], size: tuple[int, int], rows: int) -> bytes:
    from PIL import Image

    sheet = Image.new("RGB", (SHEET_COLUMNS * size[0], rows * size[1]), "white")
    for slot, picture in zip(looks, table.job.rasterizer.looks([(look, size) for look in looks.values()]), strict=True):
        at = slot % SHEET_COLUMNS * size[0], slot // SHEET_COLUMNS * size[1]
        sheet.paste(picture, at, picture if picture.mode == "RGBA" else None)
    return _packed(sheet)


def _blank() -> bytes:
    from PIL import Image

    return _packed(Image.new("RGB", (64, 64), "white"))


TAKES: frozenset[Form] = frozenset({"card", "tile", "board", "token", "figure", "die", "screen", "container"})
# Of a piece so many copies lie on the table; more come out of a bag. Rows of pieces are so many units long, so far apart.
FEW, LONG, GAP, BAG = 2, 44.0, 0.8, 2.6
SET_UP = "set-up "
# The program's own numbers: of shapes of tiles, of what a model is made of and does, and of triangles touching another.
BOX, DISC = 0, 2
CARDBOARD, GENERIC, FIGURINE, BOARD = 3, 0, 1, 4
MOST_TRIANGLES = 255


def _object(table: Table, part: Part, thing: Thing) -> Object:
    mark, names = table.marked(part, thing), table.names
    if in_decks(part):
        number, slot = table.slots[part.name, thing.id]
        key = _key(table, part, number)
        scale = part.height / UNIT / CARD_HIGH
        return card(names, thing.title, mark, int(key) * 100 + slot, table.sheets, scale)
    if part.form == "die":
        return _die(table, part, thing)
    if part.form == "container":
        return bag(names, thing.title, []) | {"GMNotes": mark}
    if is_solid(part, thing):
        scale = 10 / UNIT
        mesh = _mesh(table, part, thing)
        made = game_object(names, "Custom_Model", thing.title, mark, (scale, scale, scale), CustomMesh=mesh)
        return _as_board(made, part, scale) if part.form == "board" else made
    stem = f"{part.name}-{thing.id}"
    image = {"ImageURL": table.picture(f"{stem}-front", thing.front), "ImageScalar": 1.0, "WidthScale": 0.0}
    image["ImageSecondaryURL"] = table.picture(f"{stem}-back", thing.back) if thing.back else ""
    across = part.width / UNIT / TILE_WIDE
    size = across, 1.0, across
    if part.form == "figure":
        return game_object(names, "Figurine_Custom", thing.title, mark, size, CustomImage=image)
    shape = DISC if tables.ring_of(part, thing) else BOX
    image["CustomTile"] = {"Type": shape, "Thickness": 0.1, "Stackable": False, "Stretch": True}
    made = game_object(names, "Custom_Tile", thing.title, mark, size, CustomImage=image)
    return _as_board(made, part, across) if part.form == "board" else made


def _as_board(made: Object, part: Part, scale: float) -> Object:
    spots = [_snap(spot, part.width, part.height, scale) for spot in part.spots]
    return made | {"Locked": True, "AttachedSnapPoints": spots}


def _mesh(table: Table, part: Part, thing: Thing) -> Object:
    """The solid of a piece in cm; concave ones get convex colliders, so that pieces interlock."""
    if thing.piece.name in table.meshes:
        return table.meshes[thing.piece.name]
    name, width, height = f"{part.name}-{thing.id}", thing.front.width, thing.front.height
    size = tables.dots(width, height, MOST // 2)
    looks = [thing.front, *([thing.back] if thing.back else [])]

    def sides() -> list[Image]:
        return table.job.rasterizer.looks([(look, size) for look in looks])

    def seen() -> bytes:
        return _packed(tables.sheet([*sides(), tables.blank(size)][:2], size, 2))

    def standing() -> bytes:
        ring = tables.hull(sides()[0], width, height)
        return tables.obj(name, [tables.figure(ring, width, height, tables.CARDBOARD)]).encode()

    keys = [repr(size), *(look.key for look in looks)]
    touching, kind = "", BOARD if part.form == "board" else GENERIC
    if part.form == "screen":
        solid, kind = table.job.rasterizer.kept(["tts standing", name, *keys], standing), FIGURINE
    else:
        ring = tables.ring_of(part, thing) or ()
        solid = tables.obj(name, [tables.slab(ring, width, height, tables.THICK)]).encode()
        parts = tables.hulls(ring, width, height, tables.THICK)
        few = sum(len(polygon) - 2 for each in parts for polygon in each.polygons) <= MOST_TRIANGLES
        touching = table.url(f"{name}-touching", tables.obj(name, parts).encode() if few else solid)
    table.meshes[thing.piece.name] = {
        "MeshURL": table.url(name, solid),
        "DiffuseURL": table.url(name, table.job.rasterizer.kept(["tts solid", *keys], seen)),
        "NormalURL": "",
        "ColliderURL": touching,
        "Convex": True,
        "MaterialIndex": CARDBOARD,
        "TypeIndex": kind,
        "CastShadows": True,
    }
    return table.meshes[thing.piece.name]


def _key(table: Table, part: Part, number: int) -> str:
    """The number with which the CardIDs of a part's sheet begin."""
    return str(table.first[part.name] + number)


def _snap(spot: Spot, width: float, height: float, scale: float) -> Object:
    """A snap point of a board. Boards are turned by 180°, so right is left."""
    x, z = (spot.x - width / 2) / UNIT / scale, (spot.y - height / 2) / UNIT / scale
    return {"Position": {"x": round(-x, 4), "y": 0.1, "z": round(z, 4)}}


def _die(table: Table, part: Part, thing: Thing) -> Object:
    """A plain die with our faces' values; how textures lie on TTS's dice is not documented."""
    kind = f"Die_{len(thing.sides)}"
    scale = part.width / UNIT
    says = "\n".join(f"{number}: {value}" for number, value in enumerate(thing.values, 1))
    turns = [
        {"Value": value, "Rotation": dict(zip("xyz", map(float, turn), strict=True))}
        for value, turn in zip(thing.values, TURNS[len(thing.sides)], strict=True)
    ]
    mark = table.marked(part, thing)
    return game_object(table.names, kind, thing.title, mark, (scale, scale, scale), says, RotationValues=turns)


Placed = tuple[Object, float, float]
"""An object, and how wide and deep it is in units."""


NOBODY = SetUp(0, ())


def game_on(table: Table, setup: SetUp = NOBODY, seats: Sequence[list[Placed]] = ()) -> list[list[Placed]]:
    """All pieces once, grouped; the ones a set-up gives to players are appended to ``seats``."""
    groups: list[list[Placed]] = []
    laid = {laying.part: laying for laying in reversed(table.job.kit.layings)}
    for laying in table.job.kit.layings:
        if laid[laying.part] is not laying:
            groups.append([(_mat(table, laying), *_units(laying.look))])
    piles: dict[tuple[str, ...], list[tuple[Part, Object]]] = {}
    boards = playing(table.job.kit, boards_of(table.job.kit, setup)[0])
    on = {part.name: on_board(part, boards, setup) for part in table.job.kit.parts}
    setup = replace(setup, takes=tuple(take for take in setup.takes if not (take.on and on[take.part])))
    for part in table.job.kit.parts:
        if part.form not in TAKES:
            continue
        if part.name in laid:
            groups += _laid(table, part, laid[part.name])
            continue
        taken, rest = _taken(table, part, setup, seats)
        left = Counter(rest) - Counter(id_ for _, id_, _ in on[part.name])
        if (pile := table.job.kit.pile_of(part)) and in_decks(part):
            groups.append(taken)
            cards = [(part, _object(table, part, thing)) for thing in part.things for _ in range(left[thing.id])]
            piles.setdefault(pile, []).extend(cards)
        else:
            groups.append([*taken, *_lying(table, part, left)])
        for other in boards if part.form == "board" else ():
            groups[-1] += _on_board(table, other, [(id_, at) for board, id_, at in on[other.name] if board is part], part)
    for found in filter(None, piles.values()):
        (part, _), title = found[0], tables.together(part.title for part, _ in found)
        made = placed(deck(table.names, title, [card for _, card in found]), 0, 0, DOWN)
        groups.append([(made, part.width / UNIT, part.height / UNIT)])
    for reading in table.job.kit.readings:
        pdf = {"PDFUrl": table.url(reading.name, reading.pdf), "PDFPassword": "", "PDFPage": 0, "PDFPageOffset": 0}
        made = game_object(table.names, "Custom_PDF", reading.title, scale=(2.2, 1.0, 2.2), CustomPDF=pdf)
        groups.append([(made, 5.0, 7.0)])
    return groups


def _on_board(table: Table, part: Part, lying: Sequence[tuple[str, tuple[float, float]]], board: Part) -> list[Placed]:
    """Pieces on squares of the board before them in a group; the squares' middles are in mm."""
    things = {thing.id: thing for thing in part.things}
    found = []
    for id_, (x, y) in lying:
        at = (x - board.width / 2) / UNIT, (board.height / 2 - y) / UNIT
        found.append((placed(_object(table, part, things[id_]), *at, high=1.3), 0.0, 0.0))
    return found


def _units(look: Look) -> tuple[float, float]:
    return look.width / UNIT, look.height / UNIT


def _lying(table: Table, part: Part, copies: Mapping[str, int], what: str = "") -> list[Placed]:
    """The copies of a part's things: cards as a deck face down, few pieces side by side, many in a bag."""
    things = [(thing, copies[thing.id]) for thing in part.things if copies.get(thing.id)]
    if not things:
        return []
    made = [_object(table, part, thing) for thing, number in things for _ in range(number)]
    title = what or part.title
    if in_decks(part):
        pile = deck(table.names, title, made, _says(part))
        return [(placed(pile, 0, 0, DOWN), part.width / UNIT, part.height / UNIT)]
    if len(made) <= FEW or part.form == "board":
        return [(each, part.width / UNIT, part.height / UNIT) for each in made]
    return [(bag(table.names, title, made, ANY, _says(part)), BAG, BAG)]


def _says(part: Part) -> str:
    """The description shared by a part's pieces."""
    return f"Another form of {part.component.instead}: play with one of the two." if part.component.instead else ""


def _mat(table: Table, laying: Laying) -> Object:
    """A picture of a layout with a snap point for each piece."""
    look = laying.look
    across = look.width / UNIT / TILE_WIDE
    image = {"ImageURL": table.picture(f"layout-{laying.name}", look), "ImageSecondaryURL": "", "ImageScalar": 1.0}
    image |= {"WidthScale": 0.0, "CustomTile": {"Type": BOX, "Thickness": 0.1, "Stackable": False, "Stretch": True}}
    made = game_object(table.names, "Custom_Tile", laying.title, scale=(across, 1.0, across), CustomImage=image, Locked=True)
    spots = [Spot(place.slot, place.x, place.y, 0.0, 0.0) for place in laying.places]
    made["AttachedSnapPoints"] = [_snap(spot, look.width, look.height, across) for spot in spots]
    return made


def _laid(table: Table, part: Part, laying: Laying) -> list[list[Placed]]:
    """The pieces of a layout: fixed ones at their places, shuffled ones in a bag for each pool."""
    left = {thing.id: thing.copies for thing in part.things}
    things = {thing.id: thing for thing in part.things}
    wide, deep = _units(laying.look)
    at_place = []
    for place in laying.places:
        if len(place.things) == 1 and left[place.things[0]]:
            left[place.things[0]] -= 1
            made = _object(table, part, things[place.things[0]])
            x, z = place.x / UNIT - wide / 2, deep / 2 - place.y / UNIT
            at_place.append(placed(made, x, z, turn=place.turn, high=1.3))
    groups: list[list[Placed]] = [[(_mat(table, laying), wide, deep), *((each, 0.0, 0.0) for each in at_place)]]
    for pool in dict.fromkeys(place.things for place in laying.places if len(place.things) > 1):
        some = [_object(table, part, things[id]) for id in pool for _ in range(left[id])]
        left |= dict.fromkeys(pool, 0)
        if some:
            title = f"{part.title}: {', '.join(things[id].title for id in pool[:3])}{' …' if len(pool) > 3 else ''}"
            groups.append([(bag(table.names, title, some, ANY), BAG, BAG)])
    return [*groups, _lying(table, part, left)]


def in_rows(
    groups: Sequence[Sequence[Placed]], left: float = -LONG / 2, top: float = LONG / 3, long: float = LONG
) -> tuple[list[Object], float]:
    """Arranges objects in rows without overlap, the first row farthest from the reader; returns them and the last row's
    end.

    An object of width 0 belongs on top of the one before it.
    """
    made: list[Object] = []
    x, z, deepest = left, top, 0.0
    for group in groups:
        middle = (0.0, 0.0)
        for each, wide, deep in group:
            if not wide:
                there = each["Transform"]
                each["Transform"] = {**there, "posX": there["posX"] + middle[0], "posZ": there["posZ"] + middle[1]}
                made.append(each)
                continue
            if x > left and x + wide > left + long:
                x, z, deepest = left, z - deepest - GAP, 0.0
            middle = x + wide / 2, z - deep / 2
            there = each["Transform"]
            made.append(placed(each, *middle, over=there["rotZ"]))
            x, deepest = x + wide + GAP, max(deepest, deep)
    return made, z - deepest


def set_ups(table: Table) -> list[Object]:
    """A bag at the left with a state for each number of players, chosen with the number keys."""
    bags = []
    for setup in table.job.kit.setups:
        inside = _set_up(table, setup)
        made = bag(table.names, f"Set-up: {setup.players} players", inside, says="Copies, besides the game itself.")
        made["GMNotes"] = f"{MARK}:{table.job.kit.game.name}:{SET_UP}{setup.players}"
        bags.append(placed(made, -LONG / 2 - 2 * BAG, LONG / 3))
    if len(bags) > 1:
        bags[0]["States"] = {str(number): each for number, each in enumerate(bags[1:], 2)}
    return bags[:1]


def _set_up(table: Table, setup: SetUp) -> list[Object]:
    """The contents of a set-up: common pieces, and a bag for each player."""
    seats: list[list[Placed]] = [[] for _ in range(setup.players)]
    parts = [part for part in table.job.kit.parts if part.form in TAKES]
    shared = [made for part in parts for made, _, _ in _taken(table, part, setup, seats)[0]]
    bags = [bag(table.names, f"Player {number}", [made for made, _, _ in own]) for number, own in enumerate(seats, 1) if own]
    return [*shared, *bags]


def _taken(table: Table, part: Part, setup: SetUp, seats: Sequence[list[Placed]]) -> tuple[list[Placed], Mapping[str, int]]:
    """Deals one component for a set-up. Returns the pieces for the middle of the table, and the copies left by piece id.

    Each player's pieces are appended to ``seats``. Where some are drawn at random from several, all of those are included,
    with a note that says how many to draw.
    """
    left = {thing.id: thing.copies for thing in part.things}
    found: list[Placed] = []
    takes = sorted(
        (take for take in setup.takes if take.part == part.name), key=lambda take: (len(take.things), take.things)
    )
    for things, some in groupby(takes, key=lambda take: take.things):
        if len(things) > 1:
            there, drawn = {id: left[id] for id in things}, [*some]
            said = [_drawn_from(take, sum(there.values())) for take in drawn]
            found += _lying(table, part, there, "; ".join(said))
            left |= dict.fromkeys(things, 0)
            continue
        for take in some:
            for own in seats if take.each else ():
                own += _lying(table, part, {things[0]: take.each or 0}, take.what)
            if not take.each:
                found += _lying(table, part, {things[0]: take.number}, take.what)
            left[things[0]] = max(0, left[things[0]] - take.number)
    return found, left


def _drawn_from(take: Taken, there: int) -> str:
    """Words for how many of the pieces there are taken."""
    if take.number == there:
        return take.what
    return f"{take.what}: {f'{take.each} for each player' if take.each else take.number}, of these {there}"


# The program's own seats, and how large a hand is there: wide, high, deep.
SEATS = ("White", "Red", "Yellow", "Green", "Blue", "Purple", "Orange", "Pink", "Brown", "Teal")
HAND = 10.0, 5.0, 4.0


def table_for(table: Table, setup: SetUp) -> list[Object]:
    """The game set up for a number of players, with hand zones along both long sides."""
    seats: list[list[Placed]] = [[] for _ in range(setup.players)]
    made, end = in_rows(game_on(table, setup, seats))
    most = min(len(SEATS), max(each.players for each in table.job.kit.setups))
    for at, colour in enumerate(SEATS[:most]):
        far = at % 2
        long = LONG / ((most + 1 - far) // 2)
        left = at // 2 * long - LONG / 2
        own = [seats[at]] if at < setup.players else []
        top = LONG / 3 + GAP - in_rows(own, left, 0.0, long)[1] if far else end - GAP
        pieces, low = in_rows(own, left, top, long)
        for each in pieces if far else ():
            each["Transform"]["rotY"] = 0.0
        zone = game_object(table.names, "HandTrigger", f"{colour}'s hand", scale=HAND, FogColor=colour, Locked=True)
        z = top + HAND[2] if far else low - HAND[2]
        made += [*pieces, placed(zone, left + HAND[0] / 2, z, turn=0.0 if far else 180.0, high=HAND[1] / 2)]
    return made


def make(job: Job) -> Iterator[Made]:
    """Makes ``GAME.json`` and ``images/…``; the slots are stored in the game's folder."""
    game = job.kit.game
    known = slots_in(game.folder / SLOTS, f"{game.file.rpartition('/')[0]}/{SLOTS}", job.problems)
    if job.problems.errors:
        return
    slots = {**known}
    cards = [part for part in job.kit.parts if in_decks(part)]
    for part in cards:
        slots |= dealt(known, part.name, [thing.id for thing in part.things])
    job.kept[SLOTS] = as_file(slots)
    table = Table(job, slots, pictures=pictures_of(job))
    for part in cards:
        add_sheets(table, part)
    place = game.place_of("game")
    objects = in_rows(game_on(table))[0] + set_ups(table)
    yield Made(f"{game.name}.json", json_bytes(saved(objects)), "the saved object", place)
    if job.kit.setups:
        fewest = min(job.kit.setups, key=lambda setup: setup.players)
        table.names = Names()
        objects = table_for(table, fewest) + set_ups(table)
        hands = {"Enable": True, "DisableUnused": True, "Hiding": 0}
        whole = saved(objects, SaveName=game.title, Table="Table_None", Sky="Sky_Museum", Hands=hands)
        yield Made(f"{game.name}-table.json", json_bytes(whole), "the table", place)
    for name, data in table.files.items():
        yield Made(name, data, "its pictures", place)


TARGET = Target(
    "a saved object for Tabletop Simulator",
    "Copy the .json file into Saves/Saved Objects of Tabletop Simulator's own folder, and choose it there under Objects, "
    "Saved Objects. The one that ends in -table.json, where the game says how it is set up, is a whole table with hands: "
    "copy it into Saves as TS_Save_99.json, or with another number that is free, and load it under Games, Save & Load. "
    "Without --url pictures are files of this computer, in the folder where they were written: to play with others open "
    "the Cloud Manager, upload all, and save the game. Dice are plain ones that say what ours show. How large pieces are "
    "was told by others: nobody has opened these files in the program.",
    TAKES,
    make,
    frozenset({"url"}),
    owned=("",),
    instead={"dial": "Use a Counter of Tabletop Simulator."},
)
