"""Exports an asset pack for Tabletop Club: a folder of pictures, solids and INI files; sizes in cm."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from pnp.exports import tables
from pnp.exports.kit import Form, Part, Thing
from pnp.exports.tables import BOARD, CARDBOARD, THICK, bunch_name, exactly, is_round, piles, ring_of, there
from pnp.exports.target import Job, Names, Size, Target, cleaned
from pnp.flows.build import Made

if TYPE_CHECKING:
    from PIL.Image import Image

CARDS, CUBES, DISCS, PIECES, BOARDS = "cards", "tokens/cube", "tokens/cylinder", "pieces", "boards"
STACKED = (CARDS, CUBES, DISCS)
NO_BACK = "no-back"


@dataclass(slots=True)
class Folder:
    """The entries of one folder's INI files."""

    files: Names = field(default_factory=lambda: Names(plain=True))
    names: Names = field(default_factory=Names)
    sections: dict[str, dict[str, str]] = field(default_factory=dict)
    """By file: keys with their values as they are written."""
    stacks: dict[str, dict[str, str]] = field(default_factory=dict)
    called: dict[str, str] = field(default_factory=dict)
    """What each ``component/id`` is called in the program."""
    backs: dict[str, str] = field(default_factory=dict)
    """The files of backs, by what they show."""


class Pack:
    """An asset pack as it is made."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.album = tables.Album(job.rasterizer)
        self.name = cleaned(job.kit.game.title)
        self.folders: dict[str, Folder] = {}

    def files(self) -> Iterator[Made]:
        for part in self.job.kit.parts:
            if part.form not in TARGET.forms:
                continue
            kinds = {thing.id: kind_of(part, thing) for thing in part.things}
            for thing in there(part):
                yield from self._thing(part, thing, kinds[thing.id])
            for kind in STACKED:
                things = [thing for thing in there(part) if kinds[thing.id] == kind]
                self._stacks(part, things, self.folders.setdefault(kind, Folder()))
        place = self.job.kit.game.place_of("game")
        for kind, folder in self.folders.items():
            if folder.sections:
                every = {"game": _text(self.job.kit.game.name), "author": _text(self.job.kit.game.about.get("designer", ""))}
                yield Made(f"{self.name}/{kind}/config.cfg", _ini({"*": every, **folder.sections}), "the settings", place)
            if folder.stacks:
                yield Made(f"{self.name}/{kind}/stacks.cfg", _ini(folder.stacks), "the stacks", place)
        yield from self.job.books()

    def _thing(self, part: Part, thing: Thing, kind: str) -> Iterator[Made]:
        folder = self.folders.setdefault(kind, Folder())
        file = folder.files.of(f"{part.name}-{thing.id}")
        called = folder.names.of(part.title if len(part.things) == 1 else thing.title)
        folder.called[thing.piece.name] = called
        number = part.things.index(thing) + 1
        told = f"{part.title}. In the box: {thing.copies}."
        said = {"name": _text(called), "desc": _text(told), "piece": _text(thing.piece.name)}
        width, height = thing.front.width, thing.front.height
        place, of = part.component.place, f'"{part.name}"'
        if kind == CARDS:
            size = tables.dots(width, height)
            back = yield from self._back(part, thing, folder, size)
            said |= {"scale": f"Vector2({width / 10:g}, {height / 10:g})", "back_face": _text(back)}
        elif kind in STACKED:
            said["scale"] = f"Vector3({width / 10:g}, {THICK / 10:g}, {height / 10:g})"
        if kind in STACKED:
            said |= {"value": str(number), "suit": _text(part.title)}
            folder.sections[f"{file}.png"] = said
        else:
            said["loose"] = str(thing.copies)
            folder.sections[f"{file}.obj"] = said | ({"face_values": self._values(thing)} if thing.sides else {})
            shape, material = self._solid(part, thing, kind).files(file)
            yield Made(f"{self.name}/{kind}/{file}.obj", shape.encode(), f"the solid of {of}", place)
            yield Made(f"{self.name}/{kind}/{file}.mtl", material.encode(), f"the material of {of}", place)
        looks = tables.keys(thing.front, thing.back, *thing.sides)
        data = self.job.rasterizer.kept(["tabletop-club 1", kind, *looks], partial(self._picture, part, thing, kind))
        yield Made(f"{self.name}/{kind}/{file}.png", data, f"a picture of {of}", place)

    def _back(self, part: Part, thing: Thing, folder: Folder, size: Size) -> Generator[Made, None, str]:
        """Returns the name of a card's back; yields its file the first time."""
        key = thing.back.key if thing.back else ""
        if key not in folder.backs:
            file = folder.files.of(f"{part.name}-back" if thing.back else NO_BACK)
            folder.backs[key] = f"{file}.png"
            folder.sections[f"{file}.png"] = {"ignore": "true"}

            def made() -> bytes:
                back = self.album.sides(part, thing, size)[1]
                return tables.png(tables.on_white(back) if back else tables.blank((8, 8)))

            data = self.job.rasterizer.kept(["tabletop-club 1", "back", repr(size), key], made)
            yield Made(f"{self.name}/{CARDS}/{file}.png", data, f'a back of "{part.name}"', part.component.place)
        return folder.backs[key]

    def _picture(self, part: Part, thing: Thing, kind: str) -> bytes:
        if thing.sides:
            return tables.png(tables.die_of(self.job.rasterizer, thing)[1])
        size = tables.dots(thing.front.width, thing.front.height, tables.LONGEST if kind == BOARDS else 1024)
        front, back = self.album.sides(part, thing, size)
        if kind == CARDS:
            return tables.png(tables.on_white(front))
        other = back or tables.blank(size)
        if kind in (CUBES, DISCS):
            return tables.png(_net(front, other, 3 if kind == CUBES else 2))
        return tables.png(tables.sheet([front, other], size, 2))

    def _solid(self, part: Part, thing: Thing, kind: str) -> tables.Solid:
        width, height = thing.front.width, thing.front.height
        if thing.sides:
            return tables.die_of(self.job.rasterizer, thing)[0]
        if part.form in ("figure", "screen"):
            size = tables.dots(width, height, 512)
            ring = tables.hull(self.album.sides(part, thing, size)[0], width, height)
            return tables.figure(ring, width, height, CARDBOARD)
        ring = ring_of(part, thing) or ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
        return tables.slab(ring, width, height, BOARD if kind == BOARDS else THICK)

    def _values(self, thing: Thing) -> str:
        """The values of a die's faces by its rotation about X and Z in degrees."""
        turns = []
        for (x, y, z), value in zip(tables.die_of(self.job.rasterizer, thing)[0].towards, thing.values, strict=True):
            turns.append((f"Vector2({_degrees(math.asin(-z))}, {_degrees(math.atan2(x, y))})", value))
        numbers = all(re.fullmatch(r"\d+", value) for _, value in turns) and len({value for _, value in turns}) == len(turns)
        # Up to 0.1 the program knows only the first way; what is no number, or twice on a die, needs the second.
        pairs = [f"{int(value)}: {turn}" if numbers else f"{turn}: {_text(value)}" for turn, value in turns]
        return "{ " + ", ".join(pairs) + " }"

    def _stacks(self, part: Part, things: Sequence[Thing], folder: Folder) -> None:
        """Adds stacks of all copies, and of the copies that each set-up takes."""
        ids = {thing.id for thing in things}
        for title, pile in piles(part):
            copies = Counter({thing.id: thing.copies for thing in pile if thing.id in ids})
            if copies.total() > 1:
                self._stack(part, f"{title}, all", f"All {copies.total()} of the box.", copies, folder, "")
            else:
                for file, said in folder.sections.items():
                    if said.get("piece") in {_text(f"{part.name}/{id_}") for id_ in copies}:
                        folder.sections[file] = said | {"loose": str(copies.total())}
        for setup in self.job.kit.setups:
            taken = exactly(part, setup)
            if taken and taken.total() > 1 and set(taken) <= ids:
                bunch = bunch_name(setup)
                told = f"{taken.total()} for {bunch}, beside those of the whole box."
                self._stack(part, f"{bunch}, {part.title}", told, taken, folder, bunch)

    def _stack(self, part: Part, title: str, told: str, copies: Counter[str], folder: Folder, bunch: str) -> None:
        pieces = [f"{part.name}/{id_}" for id_ in copies.elements()]
        folder.stacks[folder.names.of(title)] = {
            "desc": _text(told),
            "items": _list([folder.called[piece] for piece in pieces]),
            "game": _text(self.job.kit.game.name),
            "bunch": _text(bunch),
            "pieces": _list(pieces),
        }


def kind_of(part: Part, thing: Thing) -> str:
    """The pack's folder for a piece."""
    if part.form == "card":
        return CARDS
    if part.form == "board":
        return BOARDS
    if part.form == "die":
        return f"dice/d{len(thing.sides)}"
    if part.form in ("figure", "screen"):
        return PIECES
    ring = ring_of(part, thing)
    if ring is None:
        return CUBES
    return DISCS if is_round(ring, thing.front.width, thing.front.height) else PIECES


def _net(front: Image, back: Image, columns: int) -> Image:
    """The texture of a token: edges in one colour; top and bottom at the lower right."""
    from PIL import Image

    width, height = front.size
    whole = Image.new("RGB", (columns * width, 2 * height), tables.mean(front))
    whole.paste(tables.on_white(front), ((columns - 2) * width, height))
    whole.paste(tables.on_white(back), ((columns - 1) * width, height))
    return whole


def _degrees(turn: float) -> str:
    return f"{round(math.degrees(turn), 3) + 0.0:.3f}"


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _list(values: Sequence[str]) -> str:
    return "[" + ", ".join(_text(value) for value in values) + "]"


def _ini(sections: dict[str, dict[str, str]]) -> bytes:
    blocks = [
        "\n".join([f"[{name}]", *(f"{key} = {value}" for key, value in keys.items())]) for name, keys in sections.items()
    ]
    return ("\n\n".join(blocks) + "\n").encode()


FORMS: frozenset[Form] = frozenset({"card", "tile", "board", "token", "figure", "die", "screen"})

TARGET = Target(
    "an asset pack for Tabletop Club",
    "Copy the folder of the game into TabletopClub/assets in your Documents, and start Tabletop Club, or choose Options, "
    "General, Reimport Assets. In the menu Objects the pack has the pieces, and stacks with all copies of a deck; a stack "
    '"4 players, ..." has what the set-up takes for so many, where it leaves no choice. A pack does not say where pieces '
    "lie: put them there, and save the table. Of boards, figures, dice and tiles that are neither square nor round spawn "
    "as many as their description says. Of two forms of the same pieces use one.",
    FORMS,
    lambda job: Pack(job).files(),
    instead={
        "container": "The program has bags and cups of its own.",
        "dial": "Keep the value in the notebook of the program.",
    },
)
