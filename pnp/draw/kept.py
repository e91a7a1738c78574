"""Faces kept: what decides a face is what it was, so it is not drawn again, neither in this build nor in the next.

With a face is kept what drawing it leaves behind: the columns that it asked for, the steps that it took. Only faces with
which nothing was wrong are kept. Those of a component are one entry of the cache: to open hundreds takes longer.

Is it worth it? After one cell has changed, a build without this takes a fifth longer with 500 cards and nothing to speak of
with 54; of the five games two take a tenth longer, the others hardly. From cold it costs nothing that can be measured.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property

from pnp.draw.art import Asked
from pnp.draw.contents import Contents
from pnp.draw.cut import Tools
from pnp.draw.entry import Answers, Around, Entry, Kept, packed, unpacked
from pnp.draw.kinds import KINDS, Kind
from pnp.draw.template import Reach, Templates
from pnp.sandbox.mentions import TABLES
from pnp.system.cache import Cache, digest
from pnp.system.engines import engines_digest
from pnp.values.faces import Face
from pnp.values.game import Component, Game, Ink, Side
from pnp.values.tables import Row

# Names under which templates see something of the row, besides those that the kind of the piece gives them.
OF_A_ROW = ("row", "picture")


@dataclass(slots=True)
class Noted:
    """What was asked for: columns by table, and art."""

    used: dict[str, tuple[str, ...]] = field(default_factory=dict)
    asked: Asked = field(default_factory=dict)


class Shelves:
    """The kept faces of a game: a shelf for each component, of one that is in parts for each part."""

    def __init__(self, game: Game, tools: Tools, templates: Templates, ink: Ink, cache: Cache | None) -> None:
        self.game, self.tools, self.templates, self.cache = game, tools, templates, cache
        tables = [*game.tables.values(), *(component.table for component in game.components)]
        self.contents = Contents(tables)
        self._ink = ink
        self._used = {id(table.used): (f"{table.file}:{table.name}", table.used) for table in tables}
        self._cuts: dict[str, Answers | None] = {}
        """What the cutter asked for, by the face's key; None where something was wrong."""
        self._shelves: dict[tuple[str, int], Shelf] = {}

    def shelf(self, component: Component, part: int) -> Shelf:
        """Where the faces of a component, or of one of its parts, are."""
        self._shelves[component.name, part] = Shelf(self, component, part)
        return self._shelves[component.name, part]

    def keep(self) -> None:
        """Put the faces of this build where the next one finds them."""
        for shelf in self._shelves.values():
            shelf.keep()

    @cached_property
    def common(self) -> str:
        """A digest of what decides the faces of all components."""
        game, fonts = self.game, self.tools.fonts
        about = (game.title, game.version, game.language, game.about, game.palette, game.texts, game.each)
        told = self.contents.of((about, fonts.roles, fonts.fingerprint, self._ink))
        return digest(engines_digest(), os.fsencode(game.folder), json.dumps(told))

    @property
    def personal(self) -> bool:
        """Whether a template says for whom a deck is printed."""
        return any(shelf.mentions("each") for shelf in self._shelves.values())

    @contextmanager
    def noting(self) -> Iterator[Noted]:
        """What is asked for meanwhile."""
        noted = Noted()
        before = [(name, used, set(used)) for name, used in self._used.values()]
        for _, used, _ in before:
            used.clear()
        try:
            with self.tools.art.asking() as noted.asked:
                yield noted
        finally:
            for name, used, earlier in before:
                if used:
                    noted.used[name] = tuple(sorted(used))
                used |= earlier

    def cut(self, face: str, asked: Asked, sound: bool) -> None:
        """A face was cut: it is known from now on what it needs of the art."""
        self._cuts[face] = self._answers(asked) if sound else None

    def around(self, face: Face, noted: Noted) -> Around | None:
        """What drawing a face asked for, also where another piece with the same face was cut; None where it has faults."""
        cut = self._cuts.get(face.key)
        if cut is None:
            return None
        answers = dict.fromkeys((*self._answers(noted.asked), *cut))
        return Around(tuple(noted.used.items()), tuple(answers))

    def ask(self, around: Around) -> None:
        """Ask for the columns and the art that were asked for when a face was drawn."""
        columns = dict(around.used)
        for name, used in self._used.values():
            used.update(columns.get(name, ()))
        for question, _ in around.answers:
            self.tools.art.ask(question)

    def welcome(self, kept: Kept) -> None:
        """Another piece may turn out to have the same face."""
        self._cuts.setdefault(kept.face.key, kept.around.answers)

    def _answers(self, asked: Asked) -> Answers:
        return tuple((question, self.tools.art.answer(question)) for question in asked)


class Shelf:
    """The faces of a component: those of an earlier build, and those drawn in this one."""

    def __init__(self, shelves: Shelves, component: Component, part: int) -> None:
        self._shelves = shelves
        self._about = json.dumps(shelves.contents.of(component))
        self._file = digest("faces", shelves.common, component.name, str(part))
        content = shelves.cache.get(self._file) if shelves.cache else None
        self._before = unpacked(content) if content else Entry()
        self._now = Entry()
        self._true: dict[int, bool] = {}
        """By the id of what was around faces: whether the art still answers so. There are few, and hundreds of faces."""
        sides: tuple[tuple[Side, str | None], ...] = (("front", component.template), ("back", component.back))
        for side, template in sides:
            if template is not None and (reach := self._reach(side, template)):
                self._now.reaches[side] = (self._static(side, reach), reach)
        shaped = KINDS[component.kind] != Kind()
        self._of_row = {
            side: shaped or not reach.names.isdisjoint(OF_A_ROW) for side, (_, reach) in self._now.reaches.items()
        }

    def key(self, side: Side, row: Row) -> str:
        """A digest of all that decides a face but the art; empty for one that cannot be kept."""
        if side not in self._now.reaches:
            return ""
        static, _ = self._now.reaches[side]
        return digest(static, self._shelves.contents.row(row)) if self._of_row[side] else static

    def mentions(self, name: str) -> bool:
        """Whether a name is written in the templates of its component."""
        return any(name in reach.names for _, reach in self._now.reaches.values())

    def take(self, key: str, template: str) -> Kept | None:
        """A face that need not be drawn; whoever takes it has asked for what drawing it asks for."""
        kept = self._now.faces.get(key) or self._before.faces.get(key)
        if kept is None or not self._holds(kept.around) or not self._shelves.templates.charge(template, kept.steps):
            return None
        self._now.faces[key] = kept
        self._shelves.welcome(kept)
        return kept

    def put(self, key: str, face: Face, noted: Noted) -> None:
        """Keep a face that was drawn last, unless it has faults."""
        if key and (around := self._shelves.around(face, noted)):
            self._now.faces[key] = Kept(face, self._shelves.templates.steps, around)

    def keep(self) -> None:
        """Put the faces met in this build into the cache, if they are not those that were there."""
        cache = self._shelves.cache
        if cache and self._now != self._before and (content := packed(self._now)):
            cache.put(self._file, content)

    def _holds(self, around: Around) -> bool:
        """Whether all that was asked of the art has the answer that it had; if so, all is asked again."""
        if id(around) not in self._true:
            art = self._shelves.tools.art
            self._true[id(around)] = all(art.answer(question) == answer for question, answer in around.answers)
            if self._true[id(around)]:
                self._shelves.ask(around)
        return self._true[id(around)]

    def _reach(self, side: Side, template: str) -> Reach | None:
        """From the last build, if all that it stands for is unchanged: then no template need be read."""
        static, reach = self._before.reaches.get(side, ("", None))
        return reach if reach and self._static(side, reach) == static else self._shelves.templates.reach(template)

    def _static(self, side: Side, reach: Reach) -> str:
        """A digest of what decides all faces of a side."""
        game, contents = self._shelves.game, self._shelves.contents
        sources = [[file, self._shelves.templates.digest(file)] for file in reach.files]
        tables = [
            [name, contents.rows(table.rows)]
            for name, table in game.tables.items()
            if not reach.names.isdisjoint((TABLES, f"{TABLES}.{name}"))
        ]
        return digest(self._shelves.common, self._about, side, json.dumps([sources, tables]))
