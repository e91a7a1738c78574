"""Exports a package for Tabletop Playground: object templates with their pictures; sizes in cm."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from pnp.exports import tables
from pnp.exports.kit import Form, Part, SetUp, Thing
from pnp.exports.tables import BOARD, CARDBOARD, THICK, bunch_name, exactly, is_round, piles, ring_of, there
from pnp.exports.target import Job, Names, Size, Target, cleaned, guid_of, json_bytes
from pnp.flows.build import Made
from pnp.shapes.outline import Ring

Json = dict[str, object]

# No side of a picture is longer: what most graphics cards take. A template has at most so many pieces in a row.
MOST, MOST_CELLS = 4096, 128
# With fewer dots along its longer side a card cannot be read; then a deck has several sheets.
LEAST = 400
# How thick a card is, in mm.
CARD = 0.5
# How the program says that a back is a picture alone, or lies in a sheet like the front, and what others see of a hand.
ALONE, LIKE_FRONT, AS_BACK = -2, -3, -3
# A piece snaps to a place from so near, in cm.
NEAR = 1.0
NOWHERE = {"X": 0, "Y": 0, "Z": 0}
BLANK = "blank.png"


class Package:
    """A package as it is made."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.album = tables.Album(job.rasterizer)
        self.game = job.kit.game
        self.name = cleaned(self.game.title)
        self.textures = Names(plain=True)
        self.blank = False

    def files(self) -> Iterator[Made]:
        place = self.game.place_of("game")
        package = {"Name": f"{self.game.title} {self.game.version}", "Version": self.game.version}
        yield Made(
            f"{self.name}/manifest.json",
            json_bytes({**package, "GUID": guid_of(self.game.name)}),
            "the package",
            place,
        )
        for part in self.job.kit.parts:
            if part.form not in TARGET.forms:
                continue
            if part.form in ("figure", "screen", "die"):
                for thing in there(part):
                    yield from self._solid(part, thing)
            else:
                yield from self._flat(part)
        if self.blank:
            yield Made(f"{self.name}/Textures/{BLANK}", tables.png(tables.blank((8, 8))), "an empty back", place)
        yield from self.job.books()

    def _flat(self, part: Part) -> Iterator[Made]:
        """Makes stacks of flat pieces, whole and by set-up, and their texture sheets."""
        for title, pile in piles(part):
            by_ring: dict[Ring | None, list[Thing]] = {}
            for thing in pile:
                by_ring.setdefault(ring_of(part, thing), []).append(thing)
            size = _cell(part, max(map(len, by_ring.values())))
            columns, most = min(MOST // size[0], MOST_CELLS), _cells(size)
            groups = [
                (ring, things[at : at + most]) for ring, things in by_ring.items() for at in range(0, len(things), most)
            ]
            for number, (ring, things) in enumerate(groups, 1):
                name = f"{title} {number} of {len(groups)}" if len(groups) > 1 else title
                yield from self._sheet(part, name, things, ring, size, min(columns, len(things)))

    def _sheet(
        self, part: Part, title: str, things: Sequence[Thing], ring: Ring | None, size: Size, columns: int
    ) -> Iterator[Made]:
        rows = -(-len(things) // columns)
        texture, place = self.textures.of(f"{part.name}-{title}"), part.component.place
        of = f'the pieces of "{part.name}"'
        backs = {thing.back.key if thing.back else "" for thing in things}
        looks = tables.keys(*(thing.front for thing in things), *(thing.back for thing in things))

        def made(side: int, number: int) -> bytes:
            found = [self.album.sides(part, thing, size)[side] for thing in things[:number]]
            return tables.png(tables.sheet([one or tables.blank(size) for one in found], size, columns))

        def picture(side: int, number: int) -> bytes:
            said = ["tabletop-playground 1", repr((size, columns, side, number)), *looks]
            return self.job.rasterizer.kept(said, partial(made, side, number))

        folder = f"{self.name}/Textures"
        yield Made(f"{folder}/{texture}.png", picture(0, len(things)), of, place)
        back = BLANK if backs == {""} else f"{texture}-back.png"
        self.blank |= back == BLANK
        if back != BLANK:
            yield Made(f"{folder}/{back}", picture(1, 1 if len(backs) == 1 else len(things)), of, place)
        model = self._model(part, things[0], ring)
        if model.endswith(".png"):
            assert ring is not None
            yield Made(f"{folder}/{model}", _mask(ring, part.width, part.height, size), f'the shape of "{part.name}"', place)
        looks_like: Json = {
            "FrontTexture": f"{texture}.png",
            "BackTexture": back,
            "HiddenTexture": "",
            "BackIndex": ALONE if len(backs) == 1 else LIKE_FRONT,
            "HiddenIndex": AS_BACK,
            "NumHorizontal": columns,
            "NumVertical": rows,
            "Width": round(part.width / 10, 4),
            "Height": round(part.height / 10, 4),
            "Thickness": {"card": CARD, "board": BOARD}.get(part.form, THICK) / 10,
            "HiddenInHand": part.form == "card",
            "UsedWithCardHolders": part.form == "card",
            "CanStack": part.form != "board",
            "AllowFlippedInStack": False,
            "MirrorBack": False,
            "Model": model,
        }
        copies = Counter({thing.id: thing.copies for thing in things})
        yield self._cards(part, title, things, copies, looks_like, "")
        for setup in self.job.kit.setups:
            if taken := self._taken(part, things, setup):
                yield self._cards(part, f"{bunch_name(setup)}, {title}", things, taken, looks_like, bunch_name(setup))

    def _taken(self, part: Part, things: Sequence[Thing], setup: SetUp) -> Counter[str]:
        taken = exactly(part, setup) or Counter()
        return Counter({thing.id: taken[thing.id] for thing in things if taken[thing.id]})

    def _model(self, part: Part, thing: Thing, ring: Ring | None) -> str:
        """The shape of a flat piece: a built-in one, or the name of a mask picture."""
        if ring is None:
            return "Rounded" if part.form == "card" else "Square"
        if is_round(ring, part.width, part.height):
            return "Round"
        return f"{self.textures.of(f'{part.name}-{thing.id}-shape')}.png"

    def _cards(self, part: Part, title: str, things: Sequence[Thing], copies: Counter[str], looks: Json, bunch: str) -> Made:
        """A template of a stack with every copy in it."""
        ids = {thing.id: number for number, thing in enumerate(things)}
        used = [thing for thing in things if copies[thing.id]]
        own: Json = {
            **looks,
            "Indices": [ids[id_] for id_ in copies.elements()],
            "CardNames": {str(ids[thing.id]): thing.title if len(part.things) > 1 else part.title for thing in used},
            "CardMetadata": {str(ids[thing.id]): thing.piece.name for thing in used},
            "CardTags": {},
        }
        if part.form == "board":
            own |= {"CollisionType": "Ground", "SnapPoints": [*_snaps(part)], "SnapPointsGlobal": True}
        return self._template(part, "Card", title, {"bunch": bunch}, own)

    def _solid(self, part: Part, thing: Thing) -> Iterator[Made]:
        """Makes the solid of a standing piece or a die."""
        name = self.textures.of(f"{part.name}-{thing.id}")
        solid, data = self._shape(part, thing)
        place, of = part.component.place, f'"{part.name}"'
        yield Made(f"{self.name}/Models/{name}.obj", solid.files(name)[0].encode(), f"the solid of {of}", place)
        yield Made(f"{self.name}/Textures/{name}.png", data, f"a picture of {of}", place)
        model: Json = {
            "Model": f"{name}.obj",
            "Offset": NOWHERE,
            "Scale": {"X": 1, "Y": 1, "Z": 1},
            "Rotation": NOWHERE,
            "Texture": f"{name}.png",
            "NormalMap": "",
            "ExtraMap": "",
            "ExtraMap2": "",
            "IsTransparent": False,
            "CastShadow": True,
            "IsTwoSided": False,
            "UseOverrides": True,
            "Roughness": 1,
            "SurfaceType": "Cardboard",
        }
        own: Json = {"Models": [model], "Collision": [{"Type": "Convex", "ModelName": f"{name}.obj"}]}
        if part.form == "die":
            # The program takes the upward axis of a solid for its Z.
            ways = [
                {"X": round(x, 5) + 0.0, "Y": round(z, 5) + 0.0, "Z": round(y, 5) + 0.0, "Name": value}
                for (x, y, z), value in zip(solid.towards, thing.values, strict=True)
            ]
            own["Faces"] = ways
        title = thing.title if len(part.things) > 1 else part.title
        said = {"bunch": "", "piece": thing.piece.name, "copies": thing.copies}
        yield self._template(part, "Dice" if part.form == "die" else "Generic", title, said, own, thing.id)

    def _shape(self, part: Part, thing: Thing) -> tuple[tables.Solid, bytes]:
        if thing.sides:
            solid, picture = tables.die_of(self.job.rasterizer, thing)
            return solid, tables.png(picture)
        width, height = thing.front.width, thing.front.height
        size = tables.dots(width, height, 1024)
        front, back = self.album.sides(part, thing, size)
        solid = tables.figure(tables.hull(front, width, height), width, height, CARDBOARD)
        return solid, tables.png(tables.sheet([front, back or tables.blank(size)], size, 2))

    def _template(
        self, part: Part, kind: str, title: str, said: Mapping[str, object], own: Mapping[str, object], *of: str
    ) -> Made:
        guid = guid_of(self.game.name, part.name, str(said["bunch"]), title, *of)
        template: Json = {
            "Type": kind,
            "GUID": guid,
            "Name": title,
            "Metadata": json.dumps({"game": self.game.name, **said}, ensure_ascii=False),
            "CollisionType": "Regular",
            "Friction": 0.7,
            "Restitution": 0.3 if kind == "Dice" else 0,
            "Density": 0.5,
            "SurfaceType": "Cardboard",
            "Roughness": 1,
            "Metallic": 0,
            "Flippable": part.form not in ("board", "figure", "screen"),
            "AutoStraighten": part.form in ("figure", "screen"),
            "ShouldSnap": True,
            "ScriptName": "",
            "Blueprint": "",
            "Models": [],
            "Collision": [],
            "SnapPointsGlobal": False,
            "SnapPoints": [],
            "ZoomViewDirection": NOWHERE,
            "Tags": [part.name],
            **own,
        }
        return Made(f"{self.name}/Templates/{guid}.json", json_bytes(template), f'"{title}"', part.component.place)


def _cells(size: Size) -> int:
    return min(MOST // size[0], MOST_CELLS) * min(MOST // size[1], MOST_CELLS)


def _cell(part: Part, number: int) -> Size:
    """The size of a picture at which a whole deck fits on one sheet: two sheets would be two stacks."""
    size = tables.dots(part.width, part.height, MOST // 2)
    longest = max(size)
    while _cells(size) < number and longest > LEAST:
        longest -= 8
        size = tables.dots(part.width, part.height, longest)
    return size


def _snaps(part: Part) -> Iterator[Json]:
    """The snap points of a board, in cm from its centre: X up the board, Y to the right."""
    for spot in part.spots:
        at = {"X": (part.height / 2 - spot.y) / 10, "Y": (spot.x - part.width / 2) / 10, "Z": BOARD / 20}
        yield {
            "Position": {axis: round(value, 4) + 0.0 for axis, value in at.items()},
            "Range": max(0.1, round(min(NEAR, spot.width / 20, spot.height / 20), 4)),
            "SnapRotation": 0,
            "RotationOffset": 0,
            "Shape": 0,
            "FlipValidity": 0,
            "Tags": [],
        }


def _mask(ring: Ring, width: float, height: float, size: Size) -> bytes:
    """A shape in white on a transparent ground."""
    from PIL import Image, ImageDraw

    found = Image.new("RGBA", size, (255, 255, 255, 0))
    across, down = size[0] / width, size[1] / height
    ImageDraw.Draw(found).polygon([(x * across, y * down) for x, y in ring], fill=(255, 255, 255, 255))
    return tables.png(found)


FORMS: frozenset[Form] = frozenset({"card", "tile", "board", "token", "figure", "die", "screen"})

TARGET = Target(
    "a package for Tabletop Playground",
    "Copy the folder of the game into the folder Packages of Tabletop Playground (on Windows "
    r"%LOCALAPPDATA%\TabletopPlayground\Packages), start it, and switch the package on for your table. Its object library "
    'has a stack of each deck with all copies; a stack "4 players, ..." has what the set-up takes for so many, where it '
    "leaves no choice. Boards have snap points at their places. A package does not say where pieces lie: put them there, "
    "and save the table. Of figures and dice take as many as the game says. Of two forms of the same pieces use one.",
    FORMS,
    lambda job: Package(job).files(),
    instead={
        "container": "The program has bags and boxes of its own.",
        "dial": "Keep the value in a note or a counter of the program.",
    },
)
