"""Components of kind ``card``: every row through its templates → a deck of two-sided pieces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pnp.draw import svg
from pnp.draw.art import Art, NoArt, digest
from pnp.draw.cut import Cutter, Frame, Tools
from pnp.draw.fonts import Fonts
from pnp.draw.template import BadTemplate, Templates
from pnp.draw.textbox import BadText
from pnp.model import Component, Deck, Face, Game, Layer, Piece, Row
from pnp.problems import Place, Problems


@dataclass(frozen=True, slots=True)
class Origin:
    """Which card a layer was first drawn for: where to point when its text does not fit."""

    name: str
    """For messages: ``component/id``, or what else is drawn."""
    place: Place
    row: Row | None = None

    def blame(self, *snippets: str) -> Place:
        """The cell that holds one of the texts; where none does, the thing itself."""
        for snippet in snippets:
            if self.row is not None and (place := self.row.blame(snippet)) != self.row.place:
                return place
        return self.place


@dataclass(slots=True)
class Studio:
    """Everything that drawing one game shares: templates, art, fonts, and the layers made so far."""

    game: Game
    problems: Problems
    tools: Tools = field(init=False)
    templates: Templates = field(init=False)
    origins: dict[str, Origin] = field(default_factory=dict)
    _faces: dict[str, Face] = field(default_factory=dict)

    def __post_init__(self) -> None:
        game = self.game
        self.tools = Tools(Art(game), Fonts(game), game.palette, game.language)
        about = {"name": game.title, "version": game.version, "language": game.language, **game.about}
        self.templates = Templates(
            game.template_roots,
            {"game": about, "palette": game.palette, "fonts": self.tools.fonts.roles, "texts": game.texts},
        )

    def layers(self) -> list[Layer]:
        """The different layers of all faces drawn so far, in the order they were first needed."""
        unique: dict[str, Layer] = {}
        for face in self._faces.values():
            for placed in face.layers:
                unique.setdefault(placed.layer.key, placed.layer)
        return list(unique.values())

    def face(self, template: str, frame: Frame, values: Mapping[str, Any], origin: Origin) -> Face:
        """One side of a piece; the same drawing in the same frame is the same face."""
        try:
            text = self.templates.fill(template, values)
        except BadTemplate as fault:
            self.problems.error(
                "bad-template",
                Place(fault.file, fault.line),
                f"{fault} (drawing {origin.name}, {origin.place})",
                value=fault.value,
                allowed=fault.allowed,
                hint=fault.hint,
            )
            return Face("", frame.width, frame.height, frame.bleed, ())
        key = digest(text, repr(frame))
        if key not in self._faces:
            cutter = Cutter(frame, self.tools, lambda fault, snippet: self._blame(fault, snippet, template, origin))
            try:
                layers = cutter.cut(text)
            except svg.BadDrawing as fault:
                self._blame(fault, "", template, origin)
                layers = ()
            for placed in layers:
                self.origins.setdefault(placed.layer.key, origin)
            self._faces[key] = Face(key, frame.width, frame.height, frame.bleed, layers)
        return self._faces[key]

    def _blame(self, fault: svg.BadDrawing, snippet: str, template: str, origin: Origin) -> None:
        """A fault as a Problem at the cell that holds the text or name at fault, else at the row."""
        rule, value, allowed, hint = "bad-drawing", "", "", ""
        if isinstance(fault, BadText):
            rule, value, allowed, hint = fault.rule, fault.value, fault.allowed, fault.hint
        elif isinstance(fault, NoArt):
            rule, value, allowed, hint = "missing-art", fault.name, fault.allowed, fault.hint
        self.problems.error(
            rule,
            origin.blame(value, snippet),
            f"{origin.name}, template {template}: {fault}",
            value=value,
            allowed=allowed,
            hint=hint,
        )


def draw_component(studio: Studio, component: Component) -> Deck:
    """The component's pieces, in the table's order."""
    frame = Frame(component.width, component.height, component.bleed)
    pieces = []
    for row in component.table:
        values = {
            "row": row,
            "face": {"width": frame.width, "height": frame.height, "bleed": frame.bleed},
            "component": {"name": component.name, "title": component.title},
            "picture": _Pictures(studio.tools.art, component.name, row),
        }
        name = f"{component.name}/{row.id}"
        front = studio.face(component.template, frame, values, Origin(name, row.place, row))
        back = None
        if component.back is not None:
            back = studio.face(component.back, frame, values, Origin(f"{name} (back)", row.place, row))
        pieces.append(Piece(component.name, row.id, front, back, row.copies))
    return Deck(component, tuple(pieces))


def check_columns(game: Game, problems: Problems) -> None:
    """Name columns that neither a template nor anything else has asked for."""
    tables = {component.table.file: component.table for component in game.components}
    for table in tables.values():
        for column in table.columns:
            if column not in table.used:
                problems.warn(
                    "unused-column",
                    Place(table.file, 1, column),
                    f'nothing uses the column "{column}"',
                    value=column,
                    hint=f"Show it in a template with {{{{ row.{column} }}}}, or remove it.",
                )


class _Pictures:
    """``picture(usual)`` in a template: the name of the drawing to show on this row's piece.

    A file named after the row's id in ``art/`` (or ``art/COMPONENT/``) replaces the usual drawing;
    so does a name in the row's ``art`` column.
    """

    def __init__(self, art: Art, component: str, row: Row) -> None:
        self._art, self._component, self._row = art, component, row

    def __call__(self, usual: str = "") -> str:
        if "art" in self._row and (named := str(self._row["art"] or "")):
            return named
        for name in (f"{self._component}/{self._row.id}", self._row.id):
            if self._art.has(name):
                return name
        return usual or self._row.id
