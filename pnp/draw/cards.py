"""Draws components: each row through its templates to a piece of two sides, all pieces to a deck."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from html import escape
from itertools import chain
from pathlib import Path
from typing import Any

from pnp.dataclass import dataclass
from pnp.draw.art import Art, Question
from pnp.draw.fonts import Fonts
from pnp.draw.inks import Recolouring
from pnp.draw.kinds import KINDS
from pnp.draw.layers import MOVED, Frame, Patterns, Tools
from pnp.draw.look import hidden, looks, misread, misspelt, uncoloured
from pnp.draw.markup import MissingGlyphs, Remark, missing_glyphs
from pnp.draw.template import Templates
from pnp.sandbox import Nobody
from pnp.shapes.colour import css_names, is_paint
from pnp.svg import safe as svg
from pnp.system.cache import Cache, digest
from pnp.system.watchdog import at
from pnp.values.faces import Deck, Face, Layer, Piece
from pnp.values.findings import Stand
from pnp.values.game import Component, Game, Ink, Side
from pnp.values.problems import About, Fault, Place, Problem, Problems, closest
from pnp.values.tables import COPIES, NAMING, Row, Table, counts, unwrapped
from pnp.values.walk import walk

# A text of the game that is shorter may stand in another one by chance.
LEAST_SHARED = 4
_MARKS = '"\\'
# Columns that move the picture of a row by mm and enlarge it: what they are where a cell is empty, their least and most.
PLACING = {"art_x": (0.0, -1000.0, 1000.0), "art_y": (0.0, -1000.0, 1000.0), "art_zoom": (1.0, 0.05, 20.0)}
# What no XML can hold.
_STRAY = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Origin:
    """The card that a layer was first drawn for: where to point when its text does not fit."""

    name: str
    """For messages: ``component/id``, or what else is drawn."""
    place: Place
    row: Row | None = None
    about: About | None = None
    """None for what is no piece."""
    shared: Mapping[str, Place] = field(default_factory=dict, compare=False, repr=False)
    """Texts of the game that any piece may show, and where they stand."""

    def boxed(self, name: str) -> About | None:
        return replace(self.about, box=name) if self.about else None

    def blame(self, *snippets: str) -> Place:
        """The cell that holds one of the texts, or the text of the game that is in it; else the thing itself."""
        for snippet in snippets:
            if self.row is not None and (place := self.row.blame(snippet)) != self.row.place:
                return place
            if within := [text for text in self.shared if len(text) >= LEAST_SHARED and text in snippet]:
                return self.shared[max(within, key=len)]
        return self.place


@dataclass(slots=True)
class _Missing:
    """Letters that no font has, with the Problem of the first face that shows one, and the names of all."""

    first: Problem
    said: str
    italic: bool
    letters: dict[str, None] = field(default_factory=dict)
    faces: dict[str, None] = field(default_factory=dict)

    def tell(self, problems: Problems) -> None:
        said = missing_glyphs([*self.letters], self.italic)
        others = len(self.faces) - 1
        also = f"; also on {others} more {'face' if others == 1 else 'faces'}" if others else ""
        problems.extend([replace(self.first, message=self.first.message.replace(self.said, said + also, 1))])


@dataclass(slots=True)
class DrawContext:
    """The templates, art, fonts and layers that all drawing of one game shares."""

    game: Game
    problems: Problems
    ink: Ink = ""
    cache: Cache | None = None
    """Where it is kept which letters fonts have, and how texts fit."""
    tools: Tools = field(init=False)
    recolouring: Recolouring = field(init=False)
    templates: Templates = field(init=False)
    origins: dict[str, Origin] = field(default_factory=dict)
    shared: dict[str, Place] = field(init=False)
    """Texts of the game, and where they stand."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """Of templates that are not read from their files."""
    stands: dict[tuple[str, Row, str], Stand] = field(default_factory=dict)
    """By component, row and usual drawing."""
    alike: dict[tuple[str, str, Side, Frame], Face] = field(default_factory=dict)
    """By component, template and frame, faces that are the same for all rows."""
    _patterns: Patterns = field(default_factory=Patterns)
    _faces: dict[str, Face] = field(default_factory=dict)
    _missing: dict[tuple[tuple[str, ...], bool], _Missing] = field(default_factory=dict)
    """Letters that fonts have not, by the families that were tried."""
    _remarked: set[str] = field(default_factory=set)
    """What was told once for the game."""
    _told: set[tuple[Place, str]] = field(default_factory=set)
    """Faults of templates and art, each told for the first card that shows it."""

    def __post_init__(self) -> None:
        game = self.game
        self.shared = {text.strip(): game.place_of(f"texts.{key}") for key, text in game.texts.items()}
        self.recolouring = Recolouring(self.ink)
        self.tools = Tools(Art(game, self.cache), Fonts(game, self.cache), game.palette, game.language)
        about = {"name": game.title, "version": game.version, "language": game.language, "other": game.other, **game.about}
        self.templates = Templates(
            game.template_roots,
            {
                "game": about,
                "palette": game.palette,
                "fonts": {role: ", ".join(families) for role, families in self.tools.fonts.roles.items()},
                "texts": game.texts,
                "each": game.each or Nobody(),
                "tables": {name: table.rows for name, table in game.tables.items()},
            },
            {**looks(game, self.tools.art.has), **self.sources},
        )

    def layers(self) -> list[Layer]:
        """The different layers of all faces drawn so far, in the order they were first needed."""
        unique: dict[str, Layer] = {}
        for face in self._faces.values():
            for placed in face.layers:
                unique.setdefault(placed.layer.key, placed.layer)
        return list(unique.values())

    def face(
        self,
        template: str,
        frame: Frame,
        values: Mapping[str, Any],
        origin: Origin,
        language: str = "",
        mirrored: bool = False,
        placed: Callable[[str], str] = str,
    ) -> Face:
        """Draws one side of a piece. The same drawing in the same frame is the same face.

        ``language`` is that of its texts, where it is not the game's; ``mirrored``: left and right change places;
        ``placed`` notes where its own pictures are moved.
        """
        try:
            text = placed(self.templates.fill(template, values))
        except Fault as fault:
            place = fault.place or Place(template)
            if (place, fault.message) not in self._told:
                self._told.add((place, fault.message))
                self.problems.error(
                    "bad-template",
                    place,
                    f"{fault.message} (drawing {origin.name}, {origin.place})",
                    value=fault.value,
                    allowed=fault.allowed,
                    hint=fault.hint,
                    about=origin.about,
                )
            return Face("", frame.width, frame.height, frame.bleed, ())
        key = digest(text, repr(frame), *filter(None, [language, "mirrored" if mirrored else ""]))
        if key not in self._faces:
            faults: list[str] = []

            def report(fault: svg.BadDrawing, snippet: str) -> None:
                faults.append(snippet)
                self._blame(fault, snippet, template, origin)

            try:
                # What is printable has none; to find none one by one takes far longer.
                if not text.replace("\n", "").isprintable() and (stray := _STRAY.search(text)):
                    message = f"there is an invisible control character (U+{ord(stray[0]):04X})"
                    hint = "Type the text anew: it came in by copying."
                    raise svg.BadDrawing(message, stray[0], hint=hint, rule="missing-glyph")
                tools = replace(self.tools, language=language or self.tools.language, mirrored=mirrored)
                layers = self._patterns.cut(text, frame, tools, report)
            except svg.BadDrawing as fault:
                report(fault, "")
                layers = ()
            if self.ink:
                layers = tuple(replace(placed, layer=self.recolouring.layer(placed.layer)) for placed in layers)
            self.show(Face(key, frame.width, frame.height, frame.bleed, layers), origin)
        return self._faces[key]

    def show(self, face: Face, origin: Origin) -> None:
        """Adds a face and its layers to the game, if they are not yet part of it."""
        if face.key not in self._faces:
            self._faces[face.key] = face
            for placed in face.layers:
                self.origins.setdefault(placed.layer.key, origin)

    def replace(self, old: Face, new: Face) -> None:
        """Puts one face in the place of another."""
        self._faces.pop(old.key, None)
        self._faces.setdefault(new.key, new)

    def tell_missing(self) -> None:
        """Reports the letters that no font has: one Problem for all faces, at the first that shows one."""
        # What is missing may be in a font that is not there.
        for gathered in self._missing.values() if self.tools.fonts.whole else ():
            gathered.tell(self.problems)
        self._missing.clear()

    def stand(self, component: Component, row: Row, pictures: _Pictures, asked: Iterable[Question]) -> None:
        """Remembers which usual drawings a face of the row looked up."""
        for what, usual in asked:
            if what == "usual":
                self.stands[component.name, row, usual] = Stand(component, row, usual, bool(pictures.own()))

    def _blame(self, fault: svg.BadDrawing, snippet: str, template: str, origin: Origin) -> None:
        if fault.rule == "unknown-font" and fault.value in chain(*self.game.families(self.game.language).values()):
            return  # told where the role says which font it is
        hint = fault.hint
        if fault.file is None and fault.names_lines:
            hint = hint or "Lines are counted in the SVG that the template makes."
        place = self._place(fault, snippet, template, origin)
        message = f"{origin.name}, template {template}: {fault.message}"
        elsewhere = place.file != origin.place.file
        # Numbered copies are pieces of one row.
        if elsewhere or (origin.row is not None and origin.row.design):
            if (place, fault.message) in self._told:
                return
            self._told.add((place, fault.message))
        if elsewhere:
            message = f"{fault.message} (drawing {origin.name}, {origin.place})"
        about = origin.boxed(fault.box)
        if isinstance(fault, MissingGlyphs):
            first = Problem(fault.rule, place, message, fault.value, fault.allowed, hint, about=about)
            gathered = self._missing.setdefault((fault.families, fault.italic), _Missing(first, fault.message, fault.italic))
            gathered.letters.update(dict.fromkeys(fault.letters))
            gathered.faces.setdefault(origin.name)
            return
        if isinstance(fault, Remark):
            # What the plan is set in is no mistake of the game's.
            if fault.once not in self._remarked and (origin.about or fault.rule != "missing-style"):
                self._remarked |= {fault.once} - {""}
                problem = Problem(fault.rule, place, message, fault.value, fault.allowed, hint, "warning", about)
                self.problems.extend([problem])
            return
        self.problems.error(fault.rule, place, message, value=fault.value, allowed=fault.allowed, hint=hint, about=about)

    def _place(self, fault: svg.BadDrawing, snippet: str, template: str, origin: Origin) -> Place:
        if fault.file is not None:
            return Place(self._shown(fault.file), fault.line)
        if fault.source and (found := self.templates.line_like(template, fault.source)):
            return Place(*found)
        rule, value = fault.rule, fault.value
        inside = value if rule in ("missing-glyph", "unknown-markup") else f":{value}:" if f":{value}:" in snippet else ""
        for cell in origin.row.within_reach() if value and origin.row else ():
            if cell.text == value or (inside and inside in cell.text):
                return cell.place
        wanted = re.escape(inside) if inside else rf"(?<![\w-]){re.escape(value)}(?![\w-])"
        if value and (found := self.templates.line_of(template, re.compile(wanted))):
            return Place(*found)
        for key, text in self.game.texts.items() if inside else ():
            if inside in text:
                return self.game.place_of(f"texts.{key}")
        if rule in ("missing-art", "missing-glyph", "unknown-markup", "missing-style"):
            return origin.blame(snippet)
        return Place(self.templates.shown(f"{template}.svg.j2"))

    def _shown(self, path: Path) -> str:
        if not path.is_relative_to(self.game.folder):
            return self.templates.short(path)
        return f"{self.game.file.removesuffix('game.toml')}{path.relative_to(self.game.folder).as_posix()}"


def draw_component(context: DrawContext, component: Component) -> Deck:
    """Draws a component's pieces in the table's order; the parts of a piece one after the other."""
    parts = [
        replace(component, nets=(net,), width=net.bounds.width, height=net.bounds.height) for net in component.nets
    ] or [component]
    pieces = [
        _piece(context, part, row, number) for row in component.table if _sound(row) for number, part in enumerate(parts, 1)
    ]
    at(f"drawing {component.name}")
    _tell_compared(context, component)
    return Deck(component, tuple(pieces))


def _tell_compared(context: DrawContext, component: Component) -> None:
    for template in filter(None, (component.template, component.back)):
        for place, column, text in context.templates.compared.get(template, ()):
            if column not in component.table.columns:
                continue
            # A list, not a set: what is translated is equal to its source as well.
            held = [value for row in component.table if isinstance(value := row[column], str)]
            if text not in held and (hint := closest(text, held, 0.75)):
                message = f'no cell of the column "{column}" is "{text}"'
                context.problems.warn("never-equal", place, message, value=text, hint=hint)


def _piece(context: DrawContext, component: Component, row: Row, part: int) -> Piece:
    kind = KINDS[component.kind]
    sides_of: tuple[tuple[Side, str | None], ...] = (("front", component.template), ("back", component.back))
    sides: dict[Side, Face] = {}
    for side, template in sides_of:
        if template is not None:
            face = _face(context, component, row, About(component.name, row.id, side, part), template)
            net = component.nets[0] if component.nets and side == "front" else None
            outline = kind.outline(component, row, side)
            sides[side] = face if outline is None and net is None else replace(face, outline=outline, net=net)
    return Piece(component.name, row.id, sides["front"], sides.get("back"), row.copies, part)


def _face(context: DrawContext, component: Component, row: Row, about: About, template: str) -> Face:
    side: Side = about.side or "front"
    # What is wrong with one part is wrong with the piece.
    origin = Origin(str(replace(about, part=1)), row.place, row, about, context.shared)
    at(f"drawing {origin.name} ({origin.place})", brief=True)
    pictures = _Pictures(context.tools.art, component.name, row, context.problems)
    frame = Frame(component.width, component.height, component.bleed)
    same = _same(context.tools.art, component)
    mirrored = component.kind == "card" and context.game.mirrored(bool(component.look))
    key = (component.name, template, side, frame)
    if key in context.alike:
        return context.alike[key]
    own = {"row": row, "picture": pictures, **KINDS[component.kind].values(component, row, side)}
    read = context.templates.reads(template)
    if read is not None and read.isdisjoint(own):
        # Most backs: drawn once for all rows. The row is there for advice on a name that is not known.
        context.alike[key] = context.face(template, frame, {**own, **same}, origin, mirrored=mirrored)
        return context.alike[key]
    with context.tools.art.asking() as asked:
        face = context.face(template, frame, {**own, **same}, origin, mirrored=mirrored, placed=pictures.placed)
    context.stand(component, row, pictures, asked)
    return face


def _same(art: Art, component: Component) -> dict[str, Any]:
    """What a template is told of all rows alike; ``component.back``, ``component.picture``: the drawings that are called
    like the back's template and like the component.
    """
    back = component.back if component.back and art.is_there(component.back) else ""
    picture = component.name if art.is_there(component.name) else ""
    return {
        "face": {"width": component.width, "height": component.height, "bleed": component.bleed},
        "component": {"name": component.name, "title": component.title, "back": back, "picture": picture},
    }


def filled(context: DrawContext, component: Component, row: Row, side: Side) -> tuple[str, frozenset[str]]:
    """The SVG that the template of a side makes, and the names of the row's own pictures in it. Raises Fault."""
    template = component.template if side == "front" else component.back
    pictures = _Pictures(context.tools.art, component.name, row, context.problems)
    own = {"row": row, "picture": pictures, **KINDS[component.kind].values(component, row, side)}
    text = context.templates.fill(template or "", {**own, **_same(context.tools.art, component)})
    return pictures.placed(text), frozenset(pictures.shown)


def _sound(row: Row) -> bool:
    return all(each.sound for each, _ in walk([row], Row.referred))


def check_columns(game: Game, problems: Problems) -> None:
    """Reports columns that neither a template nor anything else has read."""
    read = [table for component in game.components for table in component.table.parts or (component.table,)]
    # Several tables may be of one file: what one of them uses is used.
    used: dict[tuple[str, str | None], set[str]] = {}
    for table in read:
        used.setdefault((table.file, table.sheet), set()).update(table.used)
    for table in {(table.file, table.sheet): table for table in read}.values():
        for column in table.columns:
            # A column that nobody has filled yet loses nothing.
            if column not in used[table.file, table.sheet] and any(row.display(column) for row in table):
                message = f'nothing uses the column "{column}"'
                hint = f"{_meant(table, column)}Show it in a template with {{{{ row.{column} }}}}, or remove it."
                problems.warn("unused-column", table.place(1, column), message, value=column, hint=hint)


def check_texts(game: Game, templates: Templates, problems: Problems) -> None:
    """Reports texts of ``[texts]`` that no template, book or claim has read, and no template names where it did not come to
    it, as on a card of another kind."""
    names = dict.fromkeys(name for component in game.components for name in (component.template, component.back) if name)
    for key in game.texts:
        word = re.escape(key)
        named = re.compile(rf"""\btexts\s*\.\s*{word}\b|["']{word}["']|\bin\s+texts\b""")
        if key not in game.texts.used and not any(templates.line_of(name, named) for name in names):
            shown = f"texts.{key}" if key.isidentifier() else f'texts["{key}"]'
            hint = f"Show it in a template with {{{{ {shown} }}}}, or remove it."
            problems.warn(
                "unused-text", game.place_of(f"texts.{key}"), f'nothing uses the text "{key}"', value=key, hint=hint
            )


def check_templates(game: Game, templates: Templates, problems: Problems) -> None:
    """Reports templates in the game's own folders that no piece is drawn with: mostly a back that no component names."""
    names = [name for component in game.components for name in (component.template, component.back) if name]
    homes = [root for root in game.template_roots if root.name == game.name or root.parent == game.folder]
    bare = next((component.name for component in game.components if not component.back), "")
    for path in (path for home in homes for path in templates.unused(home, names)):
        stem = path.name.removesuffix(".svg.j2")
        hint = (
            f'For the back of its pieces write back = "{stem}" in [component.{bare}].'
            if bare and re.search(r"(?i)back|rück|dos\b|reverso", stem)
            else f"Name it in game.toml, such as [component.{stem}] with a table {stem}.csv, or take it away."
        )
        message = "no piece is drawn with this template"
        problems.warn("unused-template", Place(templates.shown(path.name)), message, value=stem, hint=hint)


def check_looks(game: Game, problems: Problems) -> None:
    """Reports columns of components without a template that are almost called as one of those that have a place."""
    tables = [component.table for component in game.components if component.look]
    for table in {(table.file, table.sheet): table for table in tables}.values():
        if why := misread(table):
            problems.warn("unsure-header", table.place(1), f"{why}.")
        for cell in uncoloured(table, game.palette):
            message = f'"{cell.text}" is no colour, as #rrggbb and the names of CSS are: the card has one of the style'
            hint = closest(cell.text, [*game.palette, *css_names()]) or f"Write #{cell.text}." * is_paint(f"#{cell.text}")
            problems.warn("unknown-colour", cell.place, message, value=cell.text, hint=hint)
        hints = {column: f'Did you mean "{near}"?' for column, near in misspelt(table)}
        hints |= {column: how for column in table.columns if (how := _copies(table, column, alone=False))}
        for part in table.parts or (table,):
            for column in hidden(part):
                message = f'the column "{column}" is hidden in the spreadsheet, and stands on the cards'
                hint = "Show it there if that is meant; else take it away, or put it into another sheet."
                problems.warn("hidden-column", part.place(1, column), message, value=column, hint=hint)
        for column, hint in hints.items():
            message = f'the column "{column}" stands on the cards under its own name'
            problems.warn("misspelt-column", table.place(1, column), message, value=column, hint=hint.strip())


def _meant(table: Table, column: str) -> str:
    if how := _copies(table, column):
        return how
    known: list[str] = []
    if not table.counted and table.taken.get(column) == "numbers":
        known += COPIES
    if not table.key and not set(NAMING) & set(table.columns):
        known += ("name", "title")
    meant = closest(column, known, 0.75)
    return f"{meant} " if meant else ""


def _copies(table: Table, column: str, alone: bool = True) -> str:
    """How to say that a column counts copies, if it seems to."""
    title = dict(zip(table.columns, table.titles, strict=False)).get(column, "")
    texts = [text for row in table if (text := row.cells[column].text)]
    if table.counted or not counts(title, alone) or not texts or not all(re.fullmatch("[0-9]+", text) for text in texts):
        return ""
    return f"If it says how many there are: [table.{table.name}] copies = {_quoted(title, column)} in game.toml. "


def _quoted(title: str, column: str) -> str:
    return f'"{column if set(title) & set(_MARKS) or not title.isprintable() else title}"'


class _Pictures:
    """``picture(usual)`` in a template: the name of the drawing to show on this row's piece.

    A file named after the row's id in ``art/`` (or ``art/COMPONENT/``) replaces the usual drawing;
    so does a name in the row's ``art`` column.
    """

    def __init__(self, art: Art, component: str, row: Row, problems: Problems) -> None:
        self._art, self._component, self._row, self._problems = art, component, row, problems
        self.shown: set[str] = set()
        """What it has answered."""

    def __call__(self, usual: str = "") -> str:
        usual = self._art.usual(usual) if usual else self._row.design or self._row.id
        self.shown.add(name := self._own() or usual)
        return name

    def own(self, named: str = "") -> str:
        """The name of the row's own drawing, ``named`` where a column of another name says it; empty where there is none."""
        self.shown.add(name := str(named or "") or self._own())
        return name

    def fills(self, named: str, width: float, height: float) -> bool:
        """Whether a drawing, of dots without holes and nearly the shape of a box, may fill it and be cut at two sides."""
        return self._art.fills(str(named), width / height)

    def placed(self, text: str) -> str:
        """A drawing with a note at the row's pictures of how far it moves and enlarges them."""
        if not self.shown or not any(column in self._row for column in PLACING):
            return text
        x, y, zoom = (self._number(column, *limits) for column, limits in PLACING.items())
        if (x, y, zoom) == (0, 0, 1):
            return text
        names = "|".join(re.escape(escape(name)) for name in sorted(self.shown))
        return re.sub(rf'(<image\b[^<>]*?\shref="(?:{names})")', rf'\1 {MOVED}="{x:g} {y:g} {zoom:g}"', text)

    def _number(self, column: str, usual: float, least: float, most: float) -> float:
        if column not in self._row or (value := self._row[column]) in ("", None):
            return usual
        number = unwrapped(value)
        if isinstance(number, int | float) and least <= number <= most:
            return number
        message, allowed = f'"{value}" moves no picture', f"numbers from {least:g} to {most:g}"
        self._problems.error("bad-number", self._row.cells[column].place, message, value=str(value), allowed=allowed)
        return usual

    def _own(self) -> str:
        if "art" in self._row and (named := str(self._row["art"] or "")):
            return named
        design = self._row.design or self._row.id
        names = (path for name in dict.fromkeys((self._row.id, design)) for path in (f"{self._component}/{name}", name))
        return next((path for path in names if self._art.has(path)), "")
