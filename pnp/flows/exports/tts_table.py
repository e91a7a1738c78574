"""A game on the table of Tabletop Simulator: each piece as an object, side by side; and a bag for each number of players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pnp.flows.exports import tts_objects as tts
from pnp.flows.exports.shops import shape_of
from pnp.flows.exports.tts_objects import Object
from pnp.flows.exports.tts_pictures import MARK, Table
from pnp.values.kit import Form, Laying, Look, Part, SetUp, Spot, Taken, Thing

TAKES: frozenset[Form] = frozenset({"card", "tile", "board", "token", "figure", "die", "screen", "container"})
# Of a piece so many copies lie on the table; more come out of a bag. Rows of pieces are so many units long, so far apart.
FEW, LONG, GAP, BAG = 2, 44.0, 0.8, 2.6
# The front of a tile of a hexagon, a disc, anything else.
TILES = {"rectangle": 0, "hex": 1, "circle": 2, "free": 0}
SET_UP = "set-up "


def _object(table: Table, part: Part, thing: Thing) -> Object:
    """One copy of a thing."""
    mark, names = table.marked(part, thing), table.names
    if part.form == "card":
        number, slot = table.slots[part.name, thing.id]
        key = _key(table, part, number)
        scale = part.height / tts.UNIT / tts.CARD_HIGH
        return tts.card(names, thing.title, mark, int(key) * 100 + slot, table.sheets, scale)
    stem = f"{part.name}-{thing.id}"
    if part.form == "die":
        return _die(table, part, thing)
    if part.form == "container":
        return tts.bag(names, thing.title, []) | {"GMNotes": mark}
    image = {"ImageURL": table.picture(f"{stem}-front", thing.front), "ImageScalar": 1.0, "WidthScale": 0.0}
    image["ImageSecondaryURL"] = table.picture(f"{stem}-back", thing.back) if thing.back else ""
    across = part.width / tts.UNIT / tts.TILE_WIDE
    size = across, 1.0, across
    if part.form == "figure":
        return tts.thing(names, "Figurine_Custom", thing.title, mark, size, CustomImage=image)
    shape = shape_of(part.outline, part.width, part.height)
    if shape == "free" and thing.back is None:
        image["CustomToken"] = {"Thickness": 0.1, "MergeDistancePixels": 15.0, "StandUp": False, "Stackable": False}
        return tts.thing(names, "Custom_Token", thing.title, mark, size, CustomImage=image)
    image["CustomTile"] = {"Type": TILES[shape], "Thickness": 0.1, "Stackable": False, "Stretch": True}
    made = tts.thing(names, "Custom_Tile", thing.title, mark, size, CustomImage=image)
    if part.form == "board":
        made["Locked"] = True
        made["AttachedSnapPoints"] = [_snap(spot, part.width, part.height, across) for spot in part.spots]
    return made


def _key(table: Table, part: Part, number: int) -> str:
    """The number of the sheet of a part: sheets on which nothing lies any more have none."""
    numbers = sorted({table.slots[part.name, thing.id][0] for thing in part.things})
    return str(table.first[part.name] + numbers.index(number) + 1)


def _snap(spot: Spot, width: float, height: float, scale: float) -> Object:
    """A place on a board: seen from an object that is turned by 180, right is to the left."""
    x, z = (spot.x - width / 2) / tts.UNIT / scale, (spot.y - height / 2) / tts.UNIT / scale
    return {"Position": {"x": round(-x, 4), "y": 0.1, "z": round(z, 4)}}


def _die(table: Table, part: Part, thing: Thing) -> Object:
    """A plain die that says what our faces show: how a picture lies around one of its dice is nowhere written down."""
    kind = f"Die_{len(thing.sides)}"
    scale = part.width / tts.UNIT
    says = "\n".join(f"{number}: {value}" for number, value in enumerate(thing.values, 1))
    made = tts.thing(table.names, kind, thing.title, table.marked(part, thing), (scale, scale, scale), says)
    if len(thing.sides) == len(tts.SIX):
        made["RotationValues"] = [
            {"Value": value, "Rotation": dict(zip("xyz", map(float, turn), strict=True))}
            for value, turn in zip(thing.values, tts.SIX, strict=True)
        ]
    return made


Placed = tuple[Object, float, float]
"""An object, and how wide and deep it is in units."""


def game_on(table: Table) -> list[list[Placed]]:
    """All pieces once, in groups that lie together."""
    groups: list[list[Placed]] = []
    laid = {laying.part: laying for laying in reversed(table.job.kit.layings)}
    for laying in table.job.kit.layings:
        if laid[laying.part] is not laying:
            groups.append([(_mat(table, laying), *_units(laying.look))])
    for part in table.job.kit.parts:
        if part.form not in TAKES:
            continue
        if part.name in laid:
            groups += _laid(table, part, laid[part.name])
        else:
            groups.append(_lying(table, part, {thing.id: thing.copies for thing in part.things}))
    for reading in table.job.kit.readings:
        pdf = {"PDFUrl": table.url(reading.name, reading.pdf), "PDFPassword": "", "PDFPage": 0, "PDFPageOffset": 0}
        made = tts.thing(table.names, "Custom_PDF", reading.title, scale=(2.2, 1.0, 2.2), CustomPDF=pdf)
        groups.append([(made, 5.0, 7.0)])
    return groups


def _units(look: Look) -> tuple[float, float]:
    return look.width / tts.UNIT, look.height / tts.UNIT


def _lying(table: Table, part: Part, copies: Mapping[str, int], what: str = "") -> list[Placed]:
    """So many copies of the things of a part: cards in a deck, face down; a few pieces side by side; many in a bag."""
    things = [(thing, copies[thing.id]) for thing in part.things if copies.get(thing.id)]
    if not things:
        return []
    made = [_object(table, part, thing) for thing, number in things for _ in range(number)]
    title = what or part.title
    if part.form == "card":
        pile = tts.deck(table.names, title, made, _says(part))
        return [(tts.placed(pile, 0, 0, tts.DOWN), part.width / tts.UNIT, part.height / tts.UNIT)]
    if len(made) <= FEW or part.form == "board":
        return [(each, part.width / tts.UNIT, part.height / tts.UNIT) for each in made]
    return [(tts.bag(table.names, title, made, tts.ANY, _says(part)), BAG, BAG)]


def _says(part: Part) -> str:
    """What is to be known of all its pieces."""
    return f"Another form of {part.component.instead}: play with one of the two." if part.component.instead else ""


def _mat(table: Table, laying: Laying) -> Object:
    """A picture of how pieces lie, with a place for each of them."""
    look = laying.look
    across = look.width / tts.UNIT / tts.TILE_WIDE
    image = {"ImageURL": table.picture(f"layout-{laying.name}", look), "ImageSecondaryURL": "", "ImageScalar": 1.0}
    image |= {"WidthScale": 0.0, "CustomTile": {"Type": 0, "Thickness": 0.1, "Stackable": False, "Stretch": True}}
    made = tts.thing(table.names, "Custom_Tile", laying.title, scale=(across, 1.0, across), CustomImage=image, Locked=True)
    spots = [Spot(place.slot, place.x, place.y, 0.0, 0.0) for place in laying.places]
    made["AttachedSnapPoints"] = [_snap(spot, look.width, look.height, across) for spot in spots]
    return made


def _laid(table: Table, part: Part, laying: Laying) -> list[list[Placed]]:
    """The pieces of a layout: those that have a place of their own at it, those that are shuffled in a bag for each pool."""
    left = {thing.id: thing.copies for thing in part.things}
    things = {thing.id: thing for thing in part.things}
    wide, deep = _units(laying.look)
    at_place = []
    for place in laying.places:
        if len(place.things) == 1 and left[place.things[0]]:
            left[place.things[0]] -= 1
            made = _object(table, part, things[place.things[0]])
            x, z = place.x / tts.UNIT - wide / 2, deep / 2 - place.y / tts.UNIT
            at_place.append(tts.placed(made, x, z, turn=place.turn, high=1.3))
    groups: list[list[Placed]] = [[(_mat(table, laying), wide, deep), *((each, 0.0, 0.0) for each in at_place)]]
    for pool in dict.fromkeys(place.things for place in laying.places if place.down):
        some = [_object(table, part, things[id]) for id in pool for _ in range(left[id])]
        left |= dict.fromkeys(pool, 0)
        if some:
            title = f"{part.title}: {', '.join(things[id].title for id in pool[:3])}{' …' if len(pool) > 3 else ''}"
            groups.append([(tts.bag(table.names, title, some, tts.ANY), BAG, BAG)])
    return [*groups, _lying(table, part, left)]


def in_rows(groups: Sequence[Sequence[Placed]]) -> list[Object]:
    """Objects beside one another in rows, the first row away from the reader, and nothing on anything else.

    What is 0 wide belongs onto the object before it.
    """
    made: list[Object] = []
    x, z, deepest = -LONG / 2, LONG / 3, 0.0
    for group in groups:
        middle = (0.0, 0.0)
        for each, wide, deep in group:
            if not wide:
                there = each["Transform"]
                each["Transform"] = {**there, "posX": there["posX"] + middle[0], "posZ": there["posZ"] + middle[1]}
                made.append(each)
                continue
            if x > -LONG / 2 and x + wide > LONG / 2:
                x, z, deepest = -LONG / 2, z - deepest - GAP, 0.0
            middle = x + wide / 2, z - deep / 2
            there = each["Transform"]
            made.append(tts.placed(each, *middle, over=there["rotZ"]))
            x, deepest = x + wide + GAP, max(deepest, deep)
    return made


def set_ups(table: Table) -> list[Object]:
    """A bag for each number of players, in a column on the left."""
    bags = []
    for at, setup in enumerate(table.job.kit.setups):
        inside = _set_up(table, setup)
        made = tts.bag(table.names, f"Set-up: {setup.players} players", inside, says="Copies, besides the game itself.")
        made["GMNotes"] = f"{MARK}:{table.job.kit.game.name}:{SET_UP}{setup.players}"
        bags.append(tts.placed(made, -LONG / 2 - 2 * BAG, LONG / 3 - at * (BAG + GAP)))
    return bags


def _set_up(table: Table, setup: SetUp) -> list[Object]:
    """What is taken: a bag for each player with what each has, and what is the table's.

    Where some are drawn from more, all of them are there, with a word on how many are drawn.
    """
    own: list[list[Object]] = [[] for _ in range(setup.players)]
    shared: list[Object] = []
    for take in setup.takes:
        part = table.job.kit.part(take.part)
        if part.form not in TAKES:
            continue
        things = [thing for thing in part.things if thing.id in take.things]
        if take.each and len(things) == 1:
            for objects in own:
                objects += [made for made, _, _ in _lying(table, part, {things[0].id: take.each}, take.what)]
            continue
        all_of_them = sum(thing.copies for thing in things)
        copies = {thing.id: thing.copies for thing in things}
        if len(things) == 1:
            copies = {things[0].id: take.number}
        for made, _, _ in _lying(table, part, copies, _drawn_from(take, all_of_them, len(things))):
            shared.append(made)
    bags = [tts.bag(table.names, f"Player {number}", objects) for number, objects in enumerate(own, 1) if objects]
    return [*shared, *bags]


def _drawn_from(take: Taken, there: int, designs: int) -> str:
    """In words, how many of those that are there are taken."""
    if designs == 1 or take.number == there:
        return take.what
    return f"{take.what}: {f'{take.each} for each player' if take.each else take.number}, of these {there}"
