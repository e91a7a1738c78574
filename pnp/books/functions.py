"""Provides the functions of a book (``face``, ``board``, ``setup_table``, …) and the lines of its imprint."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Literal, TypeVar

from pnp import __version__
from pnp.dataclass import dataclass
from pnp.sandbox.values import shown
from pnp.shapes import units
from pnp.values.books import Width, Wish
from pnp.values.game import Component, Game
from pnp.values.languages import N_, ranged
from pnp.values.problems import Fault, closest, listed
from pnp.values.tables import Row, meant

_KEYS = ("designer", "year", "players", "source", "licence", "note")
# What stands before each line unless a book says otherwise.
LABELS = {
    "game": N_("Game"),
    "designer": N_("Designer"),
    "year": N_("Year"),
    "players": N_("Players"),
    "source": N_("Source"),
    "licence": N_("Licence"),
    "note": N_("Note"),
    "version": N_("Version"),
    "fonts": N_("Fonts"),
    "made with": N_("Made with"),
}


def imprint_lines(game: Game, licences: Mapping[str, str]) -> list[tuple[str, str]]:
    """The lines of the imprint as (key, text), in print order; ``licences``: of the fonts, by family."""
    about = {key: ranged(text) if key == "players" else text for key, text in game.about.items()}
    lines = [("game", game.title), *((key, about[key]) for key in _KEYS if key in about)]
    fonts = "; ".join(f"{family} ({licence})" for family, licence in licences.items())
    return [*lines, ("version", game.version), ("fonts", fonts), ("made with", f"pnp-press {__version__}")]


# Marks: private characters that no source of a book may hold.
OPEN, CLOSE = "\ue000", "\ue001"
MARK = re.compile(f"{OPEN}([a-z]+):([^{CLOSE}]*){CLOSE}")
# The widest column of a book in mm, a page of A4 less its margins; and about that of most: the two of such a page are 83
# wide, the one of a page of A5 is 120. Lines and words of a scene are as thick and large as meant at that width.
WIDEST, COLUMN = 176.0, 100.0


@dataclass(frozen=True, slots=True)
class AskedFigure:
    """A row of pictures with one caption; ``notes`` are numbered: the name of a text on the piece, what to say."""

    wishes: tuple[Wish, ...]
    width: Width | None
    caption: str
    alt: str
    notes: tuple[tuple[str, str], ...] = ()
    float: bool = False


@dataclass(frozen=True, slots=True)
class AskedTable:
    """A table: cells are Markdown. ``name`` is the function that makes it."""

    name: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Asked = AskedFigure | AskedTable
_Thing = TypeVar("_Thing")


@dataclass(slots=True)
class BookFunctions:
    """The functions for filling one book once; records what the book asked for."""

    game: Game
    imprint_lines: Sequence[tuple[str, str]]
    takes: Sequence[tuple[str, tuple[int, ...]]]
    """What the set-up takes, for each player count."""
    counted: Callable[[str, str], str]
    """Sheets or pages of a component or book in the printed files, by ("sheets" or "pages", name)."""
    asked: list[Asked] = field(default_factory=list)

    def names(self) -> Mapping[str, Callable[..., object]]:
        """The functions by the names that books use."""
        return {
            "face": self.face,
            "faces": self.faces,
            "board": self.board,
            "layout": self.layout,
            "folded": self.folded,
            "anatomy": self.anatomy,
            "picture": self.picture,
            "component_table": self.component_table,
            "setup_table": self.setup_table,
            "imprint": self.imprint,
            "page": lambda heading: f"{OPEN}page:{_text(heading, 'a heading')}{CLOSE}",
            "sheets": lambda name: int(self.counted("sheets", self._printed(name))),
            "pages": lambda name: self.counted("pages", self._printed(name)),
        }

    def face(
        self,
        component: str,
        piece: object = "",
        width: str = "",
        caption: str = "",
        alt: str = "",
        side: str = "front",
        float: bool = False,
    ) -> str:
        """One side of a piece; of a component with only one design it need not be named."""
        ids = [row.id for row in self._component(component).table]
        if not piece and len(ids) > 1:
            raise Fault("it does not say which piece", component, listed(ids, 24), f'Write face("{component}", "{ids[0]}").')
        return self.faces(component, [piece] if piece else [], width, caption, alt, side, float)

    def faces(
        self,
        component: str,
        pieces: object = (),
        width: str = "",
        caption: str = "",
        alt: str = "",
        side: str = "front",
        float: bool = False,
    ) -> str:
        """Pieces in a row; without ids all of the component."""
        made = self._component(component)
        form = self._side(made, side)
        if isinstance(pieces, str) or not isinstance(pieces, list | tuple):
            raise Fault(f"{shown(pieces)} is no list of ids", str(pieces), hint='Write ["one", "two"].')
        ids = [self._piece(made, piece) for piece in pieces] or [row.id for row in made.table]
        rows = {row.id: str(row) for row in made.table}
        alt = alt or f"{made.title}: {listed([rows[each] for each in ids])}"
        return self._figure([Wish(form, made.name, each) for each in ids], width, caption, alt, float=float)

    def board(self, component: str, width: str = "100%", caption: str = "", alt: str = "", float: bool = False) -> str:
        """A board as a whole."""
        made = self._component(component)
        return self._figure([Wish("front", made.name)], width, caption, alt or made.title, float=float)

    def layout(self, name: str, width: str = "100%", caption: str = "", alt: str = "", float: bool = False) -> str:
        """How pieces lie at the start."""
        layout = _named("layout", name, {layout.name: layout for layout in self.game.layouts})
        return self._figure([Wish("layout", name)], width, caption, alt or layout.title, float=float)

    def folded(
        self, component: str, piece: object = "", width: str = "", caption: str = "", alt: str = "", float: bool = False
    ) -> str:
        """A folded piece as it stands."""
        made = self._component(component)
        if not made.nets:
            raise Fault(f'"{component}" is not folded', component)
        chosen = self._piece(made, piece) if piece else ""
        return self._figure([Wish("folded", made.name, chosen)], width, caption, alt or made.title, float=float)

    def picture(self, name: str, width: str = "40mm", caption: str = "", alt: str = "", float: bool = False) -> str:
        """A drawing of art/."""
        return self._figure([Wish("art", _text(name, "a drawing"))], width, caption, alt or caption, float=float)

    def anatomy(
        self,
        component: str,
        piece: object,
        width: str = "",
        notes: Sequence[Sequence[str]] = (),
        caption: str = "",
        alt: str = "",
        side: str = "front",
        float: bool = False,
    ) -> str:
        """A piece with numbers beside its texts, and what they are."""
        made = self._component(component)
        told = []
        for note in notes:
            if isinstance(note, str) or len(note) != 2:
                raise Fault(f"{shown(note)} is no note", hint='Write notes=[["name of a text", "what it is"], …].')
            told.append((str(note[0]), str(note[1])))
        if not told:
            raise Fault("an anatomy without notes", hint='Write notes=[["name of a text", "what it is"], …].')
        wish = Wish(self._side(made, side), made.name, self._piece(made, piece))
        name = next(str(row) for row in made.table if row.id == wish.piece)
        return self._figure([wish], width, caption, alt or f"{made.title}: {name}", tuple(told), float)

    def component_table(self, component: str = N_("Component"), copies: str = N_("Number"), different: str = "") -> str:
        """Every component with a picture and its number; the headings may be given in other words."""
        rows = []
        for made in self.game.components:
            self.asked.append(AskedFigure((Wish("folded" if made.nets else "front", made.name),), None, "", ""))
            thumb = f"{OPEN}thumb:{len(self.asked) - 1}{CLOSE}"
            designs = len(made.table.rows)
            rows.append((thumb, made.title, *([str(designs)] if different else []), str(made.copies)))
        words = self.game.words
        head = ("", words(component), *([different] if different else []), words(copies))
        return self._table(AskedTable("component_table", head, tuple(rows)))

    def setup_table(self, players: str = N_("Players"), each: str = N_("each")) -> str:
        """What the set-up takes for each number of players, from rules.toml."""
        if self.game.rules.setup is None or not self.takes:
            raise Fault("rules.toml has no [setup] with something to take")
        counts = [str(count) for count in self.game.rules.setup.players]
        rows = [(what, *map(str, numbers)) for what, numbers in self.takes]
        return self._table(AskedTable("setup_table", (self.game.words(players), *counts), tuple(rows)))

    def imprint(self, **labels: str) -> str:
        """Who made what: from game.toml and the fonts. Labels may be given in other words: imprint(designer="Von")."""
        known = [key for key, _ in self.imprint_lines]
        for key in labels:
            if key not in known:
                raise Fault(f'the imprint has no line "{key}"', key, listed(known), closest(key, known))
        rows = [(f"**{labels.get(key) or self.game.words(LABELS[key])}**", value) for key, value in self.imprint_lines]
        return self._table(AskedTable("imprint", ("", ""), tuple(rows)))

    def _figure(
        self,
        wishes: list[Wish],
        width: str,
        caption: str,
        alt: str,
        notes: tuple[tuple[str, str], ...] = (),
        float: bool = False,
    ) -> str:
        if not alt:
            raise Fault("this picture has no alt text", hint='Say what one sees: alt="…".')
        self.asked.append(AskedFigure(tuple(wishes), width_of(width), str(caption), str(alt), notes, bool(float)))
        return f"{OPEN}figure:{len(self.asked) - 1}{CLOSE}"

    def _table(self, table: AskedTable) -> str:
        self.asked.append(table)
        return f"{OPEN}figure:{len(self.asked) - 1}{CLOSE}"

    def _component(self, name: object) -> Component:
        return _named("component", name, {component.name: component for component in self.game.components})

    def _piece(self, component: Component, piece: object) -> str:
        wanted = piece.id if isinstance(piece, Row) else str(piece)
        known = {row.id: row for row in component.table}
        if wanted not in known:
            raise Fault(
                f'"{component.name}" has no piece "{wanted}"', wanted, listed(known, 24), meant(wanted, known.items())
            )
        return wanted

    @staticmethod
    def _side(component: Component, side: object) -> Literal["front", "back"]:
        if side not in ("front", "back"):
            raise Fault(f"{shown(side)} is no side of a piece", str(side), "front, back")
        if side == "back" and component.back is None:
            raise Fault(f'"{component.name}" has no backs', component.name)
        return "front" if side == "front" else "back"

    def _printed(self, name: object) -> str:
        names = [*(component.name for component in self.game.components), *(book.name for book in self.game.manuals)]
        return _named("component or book", name, {each: each for each in names})


def _named(what: str, name: object, known: Mapping[str, _Thing]) -> _Thing:
    if not isinstance(name, str) or name not in known:
        raise Fault(f"there is no {what} {shown(name)}", str(name), listed(known, 24), closest(str(name), known))
    return known[name]


def _text(value: object, what: str) -> str:
    if not isinstance(value, str) or not value or MARK.search(value):
        raise Fault(f"{shown(value)} is no name of {what}", str(value))
    return value


# The width of A4.
PAGE = 210


def width_of(written: object) -> Width | None:
    """``30mm`` or ``60%``."""
    text = str(written).strip()
    if not text:
        return None
    none = Fault(f'"{text}" is no width', text, "1% to 100%, or a length such as 30mm")
    if match := re.fullmatch(r"(\d{1,3}(?:\.\d+)?)\s*%", text):
        share = float(match[1]) / 100
        if 0 < share <= 1:
            return Width(share=share)
        raise none
    try:
        if (mm := units.length(text)) > PAGE:
            raise Fault(f'"{text}" is wider than a page of a book', text, f"at most {PAGE} mm, or a share such as 60%")
        if mm <= 0:
            raise none
        return Width(mm=mm)
    except ValueError as error:
        raise Fault(str(error), text, "a length such as 30mm, or a share such as 60%") from None
