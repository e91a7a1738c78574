"""Exports a game for Card Game Simulator (CGS): one .cgs.zip with cards, decks and boards; sizes in inches."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from pnp.exports import tables
from pnp.exports.kit import Form, Part, Thing
from pnp.exports.tables import at_most, bunch_name, on_the_table, piles, there
from pnp.exports.target import Job, Names, Size, Target, cleaned, json_bytes, zipped
from pnp.flows.build import Made
from pnp.shapes.units import MM_PER

if TYPE_CHECKING:
    from PIL.Image import Image

Json = dict[str, object]

INCH = MM_PER["in"]
# Of a game without cards: the program's own, in mm.
CARD = (63.5, 88.9)
# All cards of a game have one size there, and are shown small.
LONGEST, BANNER = 1024, 800
# The table and the room between what lies on it, in inches; below each stack stands its name.
TABLE, GAP, LABEL = 36.0, 0.5, 0.6
ALL = "Everything"
SET_UP, ONE = "The set-up for ", "One part of the box"
# Of these the largest stack is shuffled, the first rather than the second.
SHUFFLED: tuple[Form, ...] = ("card", "tile")


class Folder:
    """The game's files, by name, as they are made."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.album = tables.Album(job.rasterizer)
        self.game = job.kit.game
        parts = [part for part in job.kit.parts if part.form in TARGET.forms]
        self.boards = [part for part in parts if lies_as_board(part)]
        self.decks = [part for part in parts if not lies_as_board(part)]
        self.ids: dict[str, str] = {}
        names = Names(plain=True)
        for part in parts:
            self.ids |= {thing.piece.name: names.of(f"{part.name}-{thing.id}") for thing in part.things}
        self.groups: dict[str, list[str]] = {}
        titles, joined = Names(), dict[tuple[str, ...], str]()
        for part in (*self.decks, *self.boards):
            stacks = piles(part)
            if (pile := job.kit.pile_of(part)) and len(stacks) == 1:
                if pile not in joined:
                    joined[pile] = titles.of(tables.together(job.kit.part(name).title for name in pile))
                self.groups.setdefault(joined[pile], []).extend(thing.piece.name for thing in stacks[0][1])
                continue
            for title, things in stacks:
                self.groups[titles.of(title)] = [thing.piece.name for thing in things]
        self.group_of = {piece: name for name, pieces in self.groups.items() for piece in pieces}
        self.main = self._main()
        sized = [part for part in self.decks if part.form not in ("figure", "board")] or self.decks
        self.size = (
            max((part.width for part in sized), default=CARD[0]),
            max((part.height for part in sized), default=CARD[1]),
        )
        self.dots = tables.dots(*self.size, LONGEST)
        self.backs: dict[str, str] = {}
        self.files: dict[str, bytes] = {}

    def _main(self) -> str:
        """The stack that CGS shuffles: the largest with backs, cards before tiles; "" where there is none."""
        copies: dict[tuple[str, str], Counter[str]] = {}
        for part in on_the_table(self.job.kit):
            if part in self.decks and part.form in SHUFFLED:
                for thing in there(part):
                    if thing.back:
                        group = part.form, self.group_of[thing.piece.name]
                        copies.setdefault(group, Counter())[thing.piece.name] = thing.copies
        mixed = {group: found.total() for group, found in copies.items() if len(found) > 1}
        return max(mixed, key=lambda group: (-SHUFFLED.index(group[0]), mixed[group]), default=("", ""))[1]

    def packed(self) -> bytes:
        """The files as a zip; the same bytes for the same game."""
        cards = [self._card(part, thing) for part in (*self.decks, *self.boards) for thing in there(part)]
        for part in self.boards:
            for thing in there(part):
                self.files[f"boards/{self.ids[thing.piece.name]}.png"] = self._board(thing)
        self.files["CardBack.png"] = self._plain()
        if self.decks or self.boards:
            self.files["Banner.png"] = self._banner((*self.boards, *self.decks)[0].things[0])
        self.files["AllCards.json"] = json_bytes(cards)
        self.files["AllSets.json"] = json_bytes(
            [{"code": part.name, "name": part.title} for part in (*self.decks, *self.boards)]
        )
        self.files["cgs.json"] = json_bytes(self._rules())
        self._write_decks()
        return zipped({f"{cleaned(self.game.title)}/{name}": data for name, data in self.files.items()})

    def _card(self, part: Part, thing: Thing) -> Json:
        id_ = self.ids[thing.piece.name]
        looks = tables.keys(thing.front, thing.back)
        said = ["card-game-simulator 1", repr(self.dots), repr(self.size)]
        for side, key in enumerate(looks if thing.back else looks[:1]):
            data = partial(self._face, part, thing, side)
            if side == 0:
                self.files[f"sets/{part.name}/{id_}.png"] = self.job.rasterizer.kept([*said, key], data)
            elif key not in self.backs:
                self.backs[key] = f"back-{len(self.backs) + 1}"
                self.files[f"backs/{self.backs[key]}.png"] = self.job.rasterizer.kept([*said, key], data)
        return {
            "id": id_,
            "name": thing.title if len(part.things) > 1 else part.title,
            "set": part.name,
            "backs": [self.backs[thing.back.key]] if thing.back else [""],
            "part": self.group_of[thing.piece.name],
            "piece": f"{self.game.name}/{thing.piece.name}",
            "copies": thing.copies,
        }

    def _face(self, part: Part, thing: Thing, side: int) -> bytes:
        """A side of a piece as a card picture, made smaller where it is larger than any card."""
        scale = self.dots[0] / self.size[0]
        shrunk = min(1.0, self.size[0] / thing.front.width, self.size[1] / thing.front.height)
        size = max(1, round(thing.front.width * scale * shrunk)), max(1, round(thing.front.height * scale * shrunk))
        size = min(size[0], self.dots[0]), min(size[1], self.dots[1])
        picture = self.album.sides(part, thing, size)[side]
        assert picture is not None
        return tables.png(picture if picture.size == self.dots else tables.on_ground(picture, self.dots))

    def _board(self, thing: Thing) -> bytes:
        size = tables.dots(thing.front.width, thing.front.height)
        return self.job.rasterizer.kept(
            ["card-game-simulator 1", "board", *tables.keys(thing.front)],
            lambda: tables.png(self.job.rasterizer.looks([(thing.front, size)])[0]),
        )

    def _plain(self) -> bytes:
        """The back of a piece that has none."""
        return tables.png(_framed(self.dots))

    def _banner(self, thing: Thing) -> bytes:
        size = tables.dots(thing.front.width, thing.front.height, BANNER)
        return self.job.rasterizer.kept(
            ["card-game-simulator 1", "banner", *tables.keys(thing.front)],
            lambda: tables.png(self.job.rasterizer.looks([(thing.front, size)])[0]),
        )

    def _rules(self) -> Json:
        """Makes cgs.json, which defines the game for Card Game Simulator."""
        boards, low, wide = self._boards_at()
        places, below = self._stacks_at(low)
        table = math.ceil(max(TABLE, 2 * (wide + 1), 2 * (-below + 1)))
        return {
            "name": self.game.title,
            "autoUpdate": -1,
            "cardIdIdentifier": "id",
            "cardNameIsUnique": False,
            "cardPrimaryProperty": "part",
            "cardProperties": [
                {"name": "part", "display": "Part", "type": "string"},
                {"name": "piece", "display": "Piece", "type": "string"},
                {"name": "copies", "display": "Copies in the box", "type": "integer"},
            ],
            "cardSize": {"x": _inches(self.size[0]), "y": _inches(self.size[1])},
            "deckFileTxtId": "id",
            "deckFileType": "txt",
            "deckSharePreference": "share",
            # Each part lies in a stack of its own. Which is in no group is the deck, and that alone is shuffled.
            "extras": [{"group": name, "property": "part", "value": name} for name in self.groups if name != self.main],
            "gameBoardCards": boards,
            **({"gamePlayDeckName": self.main} if self.main else {}),
            "gamePlayDeckPositions": places,
            "gameStartDecks": [{"name": ALL}],
            "playMatSize": {"x": table, "y": table},
        }

    def _boards_at(self) -> tuple[list[Json], float, float]:
        """Places boards side by side around the table's centre; returns them, their lower edge, and half their width."""
        parts = [part for part in on_the_table(self.job.kit) if part in self.boards]
        shown = [(part, thing) for part in parts for thing in there(part)]
        total = sum(part.width / INCH + GAP for part, _ in shown) - GAP
        left, found, low = -total / 2, list[Json](), 0.0
        for part, thing in shown:
            wide, high, id_ = part.width / INCH, part.height / INCH, self.ids[thing.piece.name]
            at = {"x": round(left, 3), "y": round(-high / 2, 3)}
            size = {"x": round(wide, 3), "y": round(high, 3)}
            found.append({"card": id_, "boards": [{"id": id_, "offsetMin": at, "size": size}]})
            left, low = left + wide + GAP, min(low, -high / 2)
        return found, low, max(0.0, total / 2)

    def _stacks_at(self, low: float) -> tuple[list[Json], float]:
        """Places stacks below the boards, the main deck first, empty stacks last; returns them and their lower edge."""
        number = len(self.groups) + (not self.main)
        columns = max(1, min(number, math.ceil(math.sqrt(2 * number))))
        wide, high = self.size[0] / INCH + GAP, self.size[1] / INCH + LABEL
        top = low - GAP - high / 2
        places: list[Json] = [
            {"x": round((at % columns - (columns - 1) / 2) * wide, 3), "y": round(top - at // columns * high, 3)}
            for at in range(number)
        ]
        rows = -(-number // columns)
        return places if self.main else [places[-1], *places[:-1]], top - rows * high + high / 2

    def _write_decks(self) -> None:
        """Writes a deck file for the whole box, for each set-up, and for each part."""
        names = Names()
        parts = [*self.decks, *self.boards]
        shown = on_the_table(self.job.kit)
        everything = [part for part in parts if part in shown]
        self._write_deck(names.of(ALL), ALL, {part.name: _copies(part) for part in everything})
        for setup in self.job.kit.setups:
            bunch = bunch_name(setup)
            self._write_deck(names.of(bunch), SET_UP + bunch, {part.name: at_most(part, setup) for part in everything})
            for part in parts:
                # Of pieces that take the place of others the set-up has a deck of its own.
                if part not in shown and (taken := at_most(part, setup)):
                    self._write_deck(names.of(f"{bunch}, {part.title}"), SET_UP + bunch, {part.name: taken})
        for part in parts:
            self._write_deck(names.of(part.title), ONE, {part.name: _copies(part)})

    def _write_deck(self, name: str, what: str, copies: dict[str, Counter[str]]) -> None:
        lines = [f"### {self.game.title} deck: {name}", f"# {what}"]
        for part, found in copies.items():
            pieces = {f"{part}/{id_}": number for id_, number in found.items()}
            for group in dict.fromkeys(self.group_of[piece] for piece in pieces):
                here = [piece for piece in pieces if self.group_of[piece] == group]
                lines += ["", f"# {group}", *(f"{pieces[piece]} [{self.ids[piece]}]" for piece in here)]
        if len(lines) > 2:
            self.files[f"decks/{name}.txt"] = ("\n".join(lines) + "\n").encode()


def _copies(part: Part) -> Counter[str]:
    return Counter({thing.id: thing.copies for thing in there(part)})


def lies_as_board(part: Part) -> bool:
    """Whether a part is one picture on the table: a board, or a single sheet without a back."""
    single = len(part.things) == 1 and part.things[0].copies == 1 and part.things[0].back is None
    return part.form == "board" or (part.form == "card" and single)


def _framed(size: Size) -> Image:
    from PIL import ImageDraw

    found = tables.blank(size)
    line = max(2, size[0] // 100)
    ImageDraw.Draw(found).rectangle(
        (line, line, size[0] - line - 1, size[1] - line - 1), outline=(176, 176, 176), width=line
    )
    return found


def _inches(mm: float) -> float:
    return round(mm / INCH, 4)


def make(job: Job) -> Iterator[Made]:
    """Makes the .cgs.zip, and the books beside it."""
    place = job.kit.game.place_of("game")
    yield Made(f"{cleaned(job.kit.game.title)}.cgs.zip", Folder(job).packed(), "the game", place)
    yield from job.books()


FORMS: frozenset[Form] = frozenset({"card", "tile", "board", "token", "figure"})

TARGET = Target(
    "a game for Card Game Simulator",
    "In Card Game Simulator choose the games menu, Import, and the file that ends in .cgs.zip. Start to play, and let it "
    'load the deck "Everything": each part lies in a stack of its own below the boards. The program shuffles one stack as '
    "it loads: that of the most cards with a back. All others lie in the order of the tables: shuffle those that the rules "
    'want shuffled. The deck "4 players" has what the '
    "set-up takes for so many; where it takes some out of many, all are in it, to be drawn from. Each part has a deck too. "
    "All cards have one size there: smaller pieces lie in the middle of a clear card, larger figures are shown smaller. "
    "Cards cannot be laid out by a file: put those of a layout where the rules show them. Of two forms of the same pieces "
    'only one is in "Everything".',
    FORMS,
    make,
    instead={
        "die": "The program has dice of its own: set how many sides they have.",
        "screen": "Nobody sees another player's hand there.",
        "container": "Stacks need none there.",
        "dial": "Use a counter of the program.",
    },
)
