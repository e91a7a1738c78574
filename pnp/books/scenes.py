"""Parses a ``scene`` box of a book into a :class:`pnp.values.books.Scene`, or a Problem."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field, replace
from itertools import pairwise

from pnp.books.functions import Asked, AskedFigure, width_of
from pnp.books.grounds import (
    ON_TABLE,
    STEP,
    TABLE,
    Cell,
    Ground,
    Laying,
    Posture,
    Standing,
    Table,
    Wrong,
    arrow,
    board_ground,
    box_of,
    has_places,
    nothing,
    piece_of,
    posture,
    settings_of,
    size_of,
    size_typed,
    spread,
    table_ground,
    tracker_ground,
)
from pnp.books.spans import line_of
from pnp.dataclass import dataclass
from pnp.shapes.affine import Rect
from pnp.shapes.colour import named
from pnp.shapes.outline import Point, outlines
from pnp.values.books import VIEWS, Arrow, Cross, Highlight, Laid, Mark, Pointer, Scene, Tag, Thing, Width
from pnp.values.game import Component, Game
from pnp.values.languages import NUMERALS, SPELT
from pnp.values.problems import Fault, Place, Problem, closest, listed
from pnp.values.tables import Row

RULE = "other-picture"
# Fewer letters are a sign on a piece: A, 1|1.
SHORTEST = 3
_NUMBER = rf"(?:\d{{1,3}}|{SPELT})"
# Up to three words say which: "Six orange reaction cards". "Two rows of cards" and "two or three cards" are something else.
_WHICH = r"(?:(?!(?:of|or|to|and|by|per)\b)[^\W\d_][\w'\u2019-]*\s+){0,3}?"
_TOGETHER = r"in a (?:row|line|pile|fan)|side by side|next to each other|face (?:up|down)"
# "Two cards make a pair" may be said beside one of them.
_ENDS = rf"(?=\s*(?:[.,:;\u2013\u2014]|$)|\s+(?:{_TOGETHER}|(?:for|from)\s+(?-i:[A-Z])[\w'\u2019 ]+\.?$))"
# What is seen is told so, too: "Three cards with the number 1".
_SEEN = rf"(?=\s*(?:[.,:;\u2013\u2014]|$)|\s+(?:{_TOGETHER}|with|for|from|that|showing|lying)\b)"
# "Two blue cards, one red card": the first number is not all.
_MORE = re.compile(
    rf"(?:,|;|\+|\b(?:and|beside))\s+(?:and\s+)?(?:another|an?|{_NUMBER})\b|\bof\s+(?:each|every)", re.IGNORECASE
)
# What is not there is named, too: "All tiles but Puerto Rico".
_NOT = re.compile(r"\b(?:but|except|without|not|no|unlike|instead of|other than)\b", re.IGNORECASE)
# Between names that are told one after the other.
_LIST = re.compile(r"[^.;?()]{0,24}")


def other_pictures(game: Game, asked: Iterable[Asked], source: str) -> list[Problem]:
    """Reports figures that show something else than their words say."""
    components = {component.name: component for component in game.components}
    found = []
    for figure in asked:
        if not isinstance(figure, AskedFigure) or not figure.alt:
            continue
        names = {wish.name for wish in figure.wishes}
        if all(wish.form in ("front", "back", "folded") for wish in figure.wishes) and len(names) == 1:
            component = components[names.pop()]
            told = _told(component, figure)
            if told:
                line = line_of(source, figure.alt, figure.caption, f'"{component.name}"')
                found.append(Problem(RULE, Place("", line), told[0], told[1], hint=told[2], severity="warning"))
    return found


def _told(component: Component, figure: AskedFigure) -> tuple[str, str, str] | None:
    """What is wrong with a figure, the words or piece concerned, and how to mend it."""
    rows = {row.id: row for row in component.table}
    shown = [rows[wish.piece] if wish.piece else next(iter(rows.values())) for wish in figure.wishes]
    for text, after in ((figure.alt, _SEEN), (figure.caption, _ENDS)):
        if (counted := _counted(component, text, after)) and counted[0] != len(shown):
            pieces = "1 piece" if len(shown) == 1 else f"{len(shown)} pieces"
            return f'"{counted[1]}", but the picture shows {pieces}', counted[1], "Correct the number, or the ids."
    if other := _other(component.table.rows, shown, figure):
        here = listed(list(dict.fromkeys(_called(row) for row in shown)), 6)
        return f'it speaks of "{other}", but the picture shows {here}', other, "Correct the words, or the ids."
    for piece, often in Counter(row.id for row in shown).items():
        if often > rows[piece].copies and component.table.whole:
            message = f'it shows "{piece}" {often} times, and the game has {rows[piece].copies} of it'
            return message, piece, "Show another piece, or give it more copies."
    return None


def _called(row: Row) -> str:
    return next((row.cells[column].text for column in ("name", "title") if column in row.cells), row.id)


def _counted(component: Component, text: str, after: str) -> tuple[int, str] | None:
    """The number of pieces that a text begins with; None where it is not certain to be one."""
    nouns = {component.kind, component.title.casefold(), component.title.split()[-1].casefold()}
    pieces = "|".join(sorted((f"{re.escape(noun)}(?:e?s)?" for noun in nouns), key=len, reverse=True))
    found = re.match(rf"(?:the\s+)?({_NUMBER})\s+{_WHICH}(?:{pieces}){after}", text, re.IGNORECASE)
    if found is None or _MORE.search(re.split(r"[.:(]", text[found.end() :])[0]):
        return None
    number = found[1].lower()
    return int(number) if number.isdecimal() else NUMERALS[number], found[0]


def _other(rows: Sequence[Row], shown: Sequence[Row], figure: AskedFigure) -> str:
    """The name of a row that is spoken of but not shown; empty for none, or where a shown one is spoken of as well."""
    if _NOT.search(figure.alt):
        return ""
    bare = {re.sub(r"\W+$", "", _called(row)): row for row in rows}
    names = {name: row for name, row in bare.items() if len(name) >= SHORTEST and name[0].isupper()}
    seen = {_called(row) for row in shown}
    said = list(_named(names, figure.alt))
    own = [_called(names[match[0]]) for match in said]
    lacking = [name for name in own if name not in seen]
    if lacking and len(lacking) == len(own):
        return lacking[0]
    gaps = (figure.alt[one.end() : two.start()] for one, two in pairwise(said))
    if len(own) == len(shown) > 1 and all(_LIST.fullmatch(gap) for gap in gaps):
        # As many names as pieces, one after the other: these are they.
        more = Counter(own) - Counter(_called(row) for row in shown)
        return next(iter(more), "")
    first = next(_named(names, figure.caption), None)
    begins = first is not None and re.fullmatch(r"(?:the\s+)?", figure.caption[: first.start()], re.IGNORECASE)
    if first is None or not begins or _called(names[first[0]]) in seen or own:
        return ""
    return _called(names[first[0]])


def _named(names: Iterable[str], text: str) -> Iterator[re.Match[str]]:
    """Names of rows in a text, whole and in their capitals; a word that only begins a sentence is no name."""
    either = "|".join(map(re.escape, sorted(names, key=lambda name: (-len(name), name))))
    for match in re.finditer(rf"(?<![\w'\u2019-])(?:{either})(?![\w-])", text) if either else ():
        begins = re.search(r"(?:^|[.!?:]\s+)$", text[: match.start()])
        if not begins or " " in match[0] or re.match(r"['\u2019]s\b|\s*(?:[.,:;!?]|$)|\s+and\b", text[match.end() :]):
            yield match


MARKS = ("arrow", "highlight", "cross", "mark")
# Of a bare table, where no book says another.
TINT = "#eef1f5"
# A picture with more has no reader.
MOST_ROWS, MOST_PLACES, MOST_THINGS, MOST_LETTERS = 80, 120, 400, 40
# Around what a scene names, so much of the ground is seen, in fields; and at most.
MARGIN, MOST_MARGIN = 1.0, 20.0
# On a table those that lie are so much apart, as a share of the largest.
APART = 0.05
# On a board a standing piece has its foot so far below the middle of its field, as a share of a field.
FOOT = 0.24
_BETWEEN = re.compile(r"\s*(?:→|->|;)\s*")


Unprintable = Callable[[str], Sequence[str]]
Grounds = dict[tuple[str, str], Ground]


def _beside(start: Point, points: Sequence[Point]) -> Iterator[Point]:
    """All but the first point of a way that starts elsewhere now: of a straight one, as far to the side as its start."""
    (x, y), (to_x, to_y) = points[0], points[-1]
    far = math.dist(points[0], points[-1]) or 1.0
    across, down = (y - to_y) / far, (to_x - x) / far
    straight = all(abs((px - x) * across + (py - y) * down) < 1e-6 for px, py in points)
    off = ((start[0] - x) * across + (start[1] - y) * down) * straight
    for px, py in points[1:]:
        yield px + off * across, py + off * down


@dataclass(frozen=True, slots=True)
class SceneText:
    """A box as it is typed: what stands behind its name, its rows, and their lines."""

    settings: str
    line: int | None
    rows: tuple[tuple[tuple[str, ...], int | None], ...]


@dataclass(frozen=True, slots=True)
class Staged:
    """A scene, and how it is shown."""

    scene: Scene
    on: str
    alt: str
    width: Width
    float: bool


def staged(
    game: Game,
    accent: str,
    text: SceneText,
    unprintable: Unprintable = lambda _: (),
    grounds: Grounds | None = None,
    tint: str = TINT,
) -> tuple[Staged | None, list[Problem]]:
    """The scene, or what is wrong with it; a scene may come with warnings.

    ``unprintable`` tells the letters that marks cannot show, ``grounds`` keeps boards from one scene to the next,
    ``tint`` is the colour of a bare table.
    """
    stage = _Stage(game, accent, tint, unprintable, {} if grounds is None else grounds)
    faults: list[Problem] = []

    def tried(line: int | None, do: Callable[[], object]) -> None:
        stage.line = line
        try:
            do()
        except Wrong as wrong:
            faults.append(wrong.problem(wrong.rule, Place("", line)))

    rows = [(*(cell.strip() for cell in cells), "", "", "")[:3] for cells, _ in text.rows]
    tried(text.line, lambda: stage.begin(text.settings, rows))
    if faults:
        return None, faults
    lines = [line for _, line in text.rows]
    for laying in (True, False):
        for row, line in zip(rows, lines, strict=True):
            if stage.lays(row[0]) == laying:
                tried(line, lambda row=row: stage.row(*row))  # type: ignore[misc]
        if laying:
            tried(text.line, stage.laid)
        if faults:
            return None, faults
    stage.spread()
    for line, *leaves in stage.leaving:
        tried(line, lambda leaves=leaves: stage.leave(*leaves))  # type: ignore[misc]
    if faults:
        return None, faults
    made: list[Staged] = []
    tried(text.line, lambda: made.append(stage.made()))
    return (made[0] if made else None), faults or stage.too_often()


@dataclass(slots=True)
class _Stage:
    """Builds a scene. Its methods raise Wrong."""

    game: Game
    accent: str
    tint: str
    unprintable: Unprintable
    grounds: Grounds
    line: int | None = None
    """Of the row that is read."""
    settings: dict[str, str] = field(default_factory=dict)
    ground: Ground = field(init=False)
    laying: Laying | None = None
    """Tiles or dominoes on which the rest stands."""
    things: list[Thing] = field(default_factory=list)
    standing: list[Standing] = field(default_factory=list)
    """What may share its field with others."""
    shown: dict[tuple[str, str], list[int | None]] = field(default_factory=dict)
    """Pieces of components whose front is seen, with the lines of their rows."""
    leaving: list[tuple[int | None, int, Cell, str]] = field(default_factory=list)
    """Arrows that leave from a piece: the lines of their rows, their index, their first field, and the piece."""
    piles: list[tuple[Component, int, int | None]] = field(default_factory=list)
    """The piles, with their numbers of pieces and the lines of their rows."""
    count: int = 0
    """Of the things, where each field of a highlight is one."""
    named: list[Cell] = field(default_factory=list)
    put: list[Cell] = field(default_factory=list)
    """Of the tiles and dominoes that rows lay: a crop may show a part of them."""

    def begin(self, settings: str, rows: Sequence[Sequence[str]]) -> None:
        self.settings = settings_of(settings)
        count = len(rows)
        if not self.settings.get("alt", "").strip():
            raise Wrong("missing-alt", "this scene has no alt text", hint='Say what one sees: alt="…".')
        if not 0 < count <= MOST_ROWS:
            message = f"a scene of {count} rows" if rows else "this scene is empty"
            raise Wrong(
                "bad-scene", message, str(count), f"1 to {MOST_ROWS} rows", "A row is a thing: | what | where | how |"
            )
        on = self.settings.get("on", "")
        name, _, piece = on.partition("/")
        components = {each.name: each for each in self.game.components}
        layouts = {each.name: each for each in self.game.layouts}
        if on == TABLE and not {TABLE} & {*components, *layouts}:
            self.ground = table_ground(*self._grid(rows))
            return
        if "grid" in self.settings:
            raise Wrong("bad-scene", "only a bare table has a grid", self.settings["grid"], hint=f'Write on="{TABLE}".')
        if name in layouts and not piece:
            self.laying = Laying(components[layouts[name].component], layouts[name])
            return
        made = components.get(name)
        if made is None or not has_places(made):
            known = [*(each.name for each in components.values() if has_places(each)), *layouts, TABLE]
            hint = closest(name, known) or 'Write on="…".'
            message = f'there is no board, tracker, tile, domino or layout "{name}"' if name else "it does not say on what"
            if made is not None:
                message = f'"{name}" has no places on which something could stand'
                hint = "A scene stands on a map, a tracker, tiles, dominoes, or a bare table."
                if name == TABLE:
                    hint = "This is a component: on a bare table scenes can stand once it has another name."
            raise Wrong("bad-scene", message, on, listed(known, 24), hint)
        if made.board is not None or made.tracker is not None:
            key = name, piece_of(made, piece)
            if key not in self.grounds:
                board = made.board
                self.grounds[key] = board_ground(self.game, made, board, key[1]) if board else tracker_ground(made, key[1])
            self.ground = self.grounds[key]
        else:
            self.laying = Laying(made)
            if piece:
                self.laying.row(on, "0,0", "")

    def _grid(self, rows: Sequence[Sequence[str]]) -> tuple[float, float]:
        """The column width and row height of a table, in mm: as typed, or those of the largest piece."""
        if typed := self.settings.get("grid", "").strip():
            return size_typed(typed)
        wide, high = 0.0, 0.0
        for what, _, how in rows:
            for each in _BETWEEN.split(what) if what not in MARKS else ():
                try:
                    component, piece = self._piece(each, bare=False)
                    said = posture(component, piece, how)
                except Wrong:
                    continue  # It is told when its row is read.
                apart = 1.0 if said.shown in VIEWS else 1 + APART
                across, down = size_of(component, said)
                wide, high = max(wide, across * apart), max(high, down * apart)
        # Without a piece, of which there is something to be told in most cases.
        return wide or 20.0, high or 20.0

    def lays(self, what: str) -> bool:
        return self.laying is not None and what.partition("/")[0].strip() == self.laying.component.name

    def laid(self) -> None:
        """Makes all that is laid the ground."""
        if self.laying is not None:
            self.ground, self.put = self.laying.ground(self.settings["on"])
            self.things += self.ground.under

    def row(self, what: str, where: str, how: str) -> None:
        if self.lays(what) and self.laying is not None:
            laid = self.laying.row(what, where, how)
            if "back" not in how.split():
                self.shown.setdefault((self.laying.component.name, laid), []).append(self.line)
            return
        pieces = [] if what in MARKS else [self._piece(each, bare=not where and not how) for each in _BETWEEN.split(what)]
        places: list[tuple[Cell, ...]] = []
        typed: list[str] = []
        for each in _BETWEEN.split(where):
            found = self._places(each)
            typed += [self.ground.called(place[0]) for place in found] if ".." in each else [each]
            places += found
            if len(places) > MOST_PLACES:
                raise Wrong("bad-scene", f"more than {MOST_PLACES} places in one row", where, f"at most {MOST_PLACES}")
        fields = dict.fromkeys(cell for place in places for cell in place) if what == "highlight" else {}
        self.count += len(fields) or len(places) * max(1, len(pieces))
        if self.count > MOST_THINGS:
            return  # what is too much is told of all rows together
        match what:
            case "arrow":
                way, *leaves = re.split(r"\bfrom\s+", how, maxsplit=1)
                made, cells = arrow(self.ground, typed, places, way)
                self.named += cells
                if leaves and "turn" in way.split():
                    hint = "Leave out turn, or from."
                    raise Wrong("bad-scene", "a turn leaves from the middle of a field", leaves[0], hint=hint)
                self.leaving += [(self.line, len(self.things), cells[0], each) for each in leaves]
                self.things.append(made)
                if "turn" in way.split():
                    middle, _, end = (self.ground.middle(self.ground.central(place)) for place in places)
                    self.things.append(Pointer(middle, end, pale=True))
            case "highlight":
                if how not in ("", "outline"):
                    hint = "Without a word it is hatched, too."
                    raise Wrong("bad-scene", f'a highlight is not "{how}"', how, "outline", hint)
                self.named += fields
                rings = tuple(outlines(self.ground.fields[cell] for cell in fields))
                self.things.append(Highlight(rings, plain=how == "outline"))
            case "cross":
                nothing(how, what)
                for place in places:
                    self.standing.append(Standing(len(self.things), self._cell(place), 0.0, 0.0))
                    self.things.append(Cross(self.ground.middle(self.named[-1])))
            case "mark":
                if not 0 < len(how) <= MOST_LETTERS:
                    raise Wrong("bad-scene", "this mark says nothing" if not how else "this mark is too long", how,
                                f"1 to {MOST_LETTERS} letters")  # fmt: skip
                self._lettered(how)
                for place in places:
                    self.standing.append(Standing(len(self.things), self._cell(place), 0.0, 0.0))
                    self.things.append(Mark(self.ground.middle(self.named[-1]), how))
            case _:
                for component, piece in pieces:
                    self._pieces(component, piece, places, how)

    def _places(self, typed: str) -> list[tuple[Cell, ...]]:
        """The cells of a place, or, for ``a .. b``, of the rectangle from one to the other."""
        one, dots, two = typed.partition("..")
        first = self.ground.find(one)
        return [(cell,) for cell in self.ground.between(*first[:1], *self.ground.find(two)[-1:])] if dots else [first]

    def _lettered(self, text: str) -> None:
        """Refuses text of marks that cannot be printed."""
        if missing := self.unprintable(text):
            message = f'the marks of scenes cannot show "{"".join(missing)}"'
            hint = "Use Latin, Greek or Cyrillic letters, or those of the fonts of the role body."
            raise Wrong("missing-glyph", message, missing[0], hint=hint)

    def _cell(self, place: Sequence[Cell]) -> Cell:
        """The middle field of a place."""
        self.named.append(self.ground.central(place))
        return self.named[-1]

    def _piece(self, what: str, bare: bool) -> tuple[Component, str]:
        """The piece of a row; ``bare``: the row says nothing else."""
        name, _, piece = (part.strip() for part in what.partition("/"))
        component = next((each for each in self.game.components if each.name == name), None)
        if component is None:
            known = [*MARKS, *(each.name for each in self.game.components)]
            hint = closest(name, known) or ("Leave a line empty before the caption." if bare and name else "")
            message = f'there is no component "{name}"' if name else "it does not say what"
            raise Wrong("unknown-piece", message, name, listed(known, 40), hint)
        return component, piece_of(component, piece)

    def _pieces(self, component: Component, chosen: str, places: Sequence[tuple[Cell, ...]], how: str) -> None:
        said = posture(component, chosen, how)
        for place in places:
            cell = self._cell(place)
            at = self.ground.spot(place)
            if said.towards:
                to = self._cell(self.ground.find(said.towards))
                if to == cell:
                    raise Wrong("bad-scene", "a piece faces another field than its own", said.towards)
                self.things.append(Pointer(at, self.ground.middle(to)))
            self.standing.append(self._standing(component, said, cell))
            self.piles.append((component, said.pile, self.line))
            if said.shown not in ("back", "behind"):
                self.shown.setdefault((component.name, chosen), []).append(self.line)
            foot = self.ground.high / 2 if isinstance(self.ground, Table) else FOOT * self.ground.size
            step = STEP * min(component.width, component.height)
            self.things.append(Laid(component.name, chosen, said.shown, at, said.turn, foot=foot * (said.shown in VIEWS),
                                    face=said.face, pile=said.pile, step=step * (said.pile > 1)))  # fmt: skip

    def _standing(self, component: Component, said: Posture, cell: Cell) -> Standing:
        """The share of its field that a piece takes; on boards what stands reaches up, and takes half."""
        if said.shown in VIEWS and not isinstance(self.ground, Table):
            return Standing(len(self.things), cell, 0.5 * self.ground.size, 0.5 * self.ground.size)
        across, down = size_of(component, said)
        return Standing(len(self.things), cell, across, max(across, down))

    def made(self) -> Staged:
        settings, ground = self.settings, self.ground
        if self.count > MOST_THINGS:
            message, hint = f"a scene of {self.count} things", "Each field of a highlight is one."
            raise Wrong("bad-scene", message, str(self.count), f"at most {MOST_THINGS}", hint)
        things = self.things
        whole = ground.whole or self._all(things)
        crop = self._crop(whole)
        for cell in self.named:
            x, y = ground.middle(cell)
            if not (crop.x - 1e-6 <= x <= crop.right + 1e-6 and crop.y - 1e-6 <= y <= crop.bottom + 1e-6):
                message = f"{ground.called(cell)} is outside of the crop"
                raise Wrong("unknown-place", message, ground.called(cell), settings["crop"], "Crop around it, too.")
        if self._is("names"):
            shown = [*(ground.grid(crop) if isinstance(ground, Table) else ground.fields)]
            middles = ((ground.called(cell), ground.middle(cell)) for cell in shown)
            self._lettered("".join(ground.called(cell) for cell in shown))
            things += [Tag((x, y), name) for name, (x, y) in middles if crop.x < x < crop.right and crop.y < y < crop.bottom]
        table = self.tint if isinstance(ground, Table) else ""
        framed = bool(table) or ground.whole is not None or crop != whole
        if self.laying is None:
            things = [*ground.under, *things]
        try:
            width = width_of(settings.get("width", "")) or Width(share=1.0)
        except Fault as wrong:
            raise Wrong("bad-scene", wrong.message, wrong.value, wrong.allowed) from None
        scene = Scene(tuple(things), crop, ground.size, self._colour(), framed, table)
        return Staged(scene, settings["on"].partition("/")[0], settings["alt"], width, self._is("float"))

    def spread(self) -> None:
        """Moves apart what shares a field."""
        self.things = spread(self.things, self.standing, self.ground.size)

    def leave(self, number: int, cell: Cell, what: str) -> None:
        """Moves an arrow's start to the piece it leaves from; of several alike to the one nearest to its next point.

        A straight arrow moves sideways as a whole and does not lean.
        """
        component, piece = self._piece(what, bare=False)
        arrow = self.things[number]
        here = [self.things[each.index] for each in self.standing if each.cell == cell]
        pieces = [thing for thing in here if isinstance(thing, Laid)]
        spots = [thing.at for thing in pieces if (thing.component, thing.piece) == (component.name, piece)]
        if not spots or not isinstance(arrow, Arrow):
            known = listed(list(dict.fromkeys(f"{thing.component}/{thing.piece}" for thing in pieces)))
            message = f"no {what} is at {self.ground.called(cell)}, from where this arrow leads"
            raise Wrong("unknown-piece", message, what, known, "Lay it there in a row of its own.")
        start = min(spots, key=lambda spot: math.dist(spot, arrow.points[1]))
        self.things[number] = replace(arrow, points=(start, *_beside(start, arrow.points)))

    def _is(self, setting: str) -> bool:
        typed = self.settings.get(setting, "no").strip()
        if typed not in ("yes", "no"):
            raise Wrong("bad-scene", f'{setting} is not "{typed}"', typed, "yes or no")
        return typed == "yes"

    def too_often(self) -> list[Problem]:
        """Reports pieces shown more often than the game has them."""
        whole = [of for of in self.game.components if of.table.whole]
        copies = {(of.name, row.id): row.copies for of in whole for row in of.table}
        told = [
            Problem(RULE, Place("", lines[copies[name, piece]]),
                    f'it shows "{piece}" {len(lines)} times, and the game has {copies[name, piece]} of it', piece,
                    hint="Show another piece, or give it more copies.", severity="warning")
            for (name, piece), lines in self.shown.items()
            if len(lines) > copies.get((name, piece), len(lines))
        ]  # fmt: skip
        return told + [
            Problem(RULE, Place("", line), f'a pile of {number} of "{of.name}", and there are {of.copies}', of.name,
                    hint="Show fewer, or give it more copies.", severity="warning")
            for of, number, line in self.piles
            if of in whole and number > max(of.copies, 1)
        ]  # fmt: skip

    def _colour(self) -> str:
        """The colour of arrows and numbers: the book's accent where none is typed."""
        typed = self.settings.get("colour", "").strip()
        if not typed:
            return self.accent
        if (code := named(typed, self.game.palette)) is None:
            known = listed(self.game.palette, 24)
            raise Wrong("bad-scene", f'"{typed}" is no colour', typed, f"a colour of CSS, or of the palette: {known}",
                        closest(typed, self.game.palette))  # fmt: skip
        return code

    def _all(self, things: Sequence[Thing]) -> Rect:
        """The whole ground; of a table the part with things on it and a little around."""
        ground = self.ground
        if not isinstance(ground, Table):
            return ground.bounds(ground.fields)
        components = {each.name: each for each in self.game.components}
        boxes = [box_of(components[thing.component], thing) for thing in things if isinstance(thing, Laid)]
        return ground.around(boxes, things, self.named).grown(*4 * [self._margin(ON_TABLE) * ground.size])

    def _margin(self, usual: float) -> float:
        text = self.settings.get("margin", "") or str(usual)
        if not re.fullmatch(r"\d{1,2}(\.\d+)?", text) or float(text) > MOST_MARGIN:
            raise Wrong("bad-scene", f'"{text}" is no margin', text, f"fields, from 0 to {MOST_MARGIN:g}")
        return float(text)

    def _crop(self, whole: Rect) -> Rect:
        """The visible part of the ground."""
        table = isinstance(self.ground, Table)
        margin = self._margin(ON_TABLE if table else MARGIN)
        typed = self.settings.get("crop", "").strip()
        if typed == "all" or (not typed and (table or (self.laying is not None and self.laying.layout is None))):
            return whole
        cells = (
            [cell for place in _BETWEEN.split(typed) for cell in self.ground.find(place)]
            if typed
            else [*self.put, *self.named]
        )
        if not cells:
            return whole
        seen = self.ground.bounds(cells).grown(*4 * [margin * self.ground.size])
        left, top = max(seen.x, whole.x), max(seen.y, whole.y)
        return Rect(left, top, min(seen.right, whole.right) - left, min(seen.bottom, whole.bottom) - top)
