"""The conductor of looking: a game drawn from its files as they are now, its faces pictured as they are asked for.

Whoever looks sees the pieces first, and what is wrong with them when all rules have looked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pnp.check.registry import in_order
from pnp.flows.check import prove
from pnp.flows.drawn import face_page
from pnp.flows.faces import faces_of, own_fonts
from pnp.flows.pictures import pictures
from pnp.flows.pipeline import Pipeline
from pnp.flows.sights import Sights
from pnp.flows.watch import Settling, scan
from pnp.lay.assembly import folded_alike
from pnp.read.languages import language_name, languages_of
from pnp.read.project import NoSuchGame, Project
from pnp.system.cache import Cache
from pnp.values.faces import Deck, Face
from pnp.values.findings import MapShown
from pnp.values.game import Game, Side
from pnp.values.outcome import NOWHERE, Options, Result
from pnp.values.problems import Place, Problems
from pnp.values.seen import (
    Books,
    ComponentSeen,
    FaceSeen,
    Findings,
    Folds,
    GameSeen,
    Laid,
    Printed,
    PrintedSeen,
    Sheets,
    Sight,
    Sighted,
)
from pnp.write.simulate import ANOMALIES, as_seen

# The longer side of a picture has at most so many dots, however near somebody looks.
MOST_DOTS = 6000
FINEST = 1200


def _quiet(_: str) -> None:
    """Nobody listens."""


@dataclass(slots=True)
class Looking:
    """A game that somebody looks at while it is made."""

    project: Project
    name: str
    cache: Cache | None = None
    _made: Pipeline | None = None
    _result: Result | None = None
    _shown: Pipeline | None = None
    """The last that could be drawn."""
    _faces: dict[str, tuple[Side, Face]] = field(default_factory=dict)
    _sights: Sights | None = None
    _printed: dict[Printed, PrintedSeen] = field(default_factory=dict)
    _settling: Settling = field(default_factory=Settling)

    @property
    def due(self) -> bool:
        """Whether its files are other than when it was drawn last, and nobody writes any more."""
        return self._settling.due(scan((self.project.content / self.name, self.project.root / "templates")))

    @property
    def stirring(self) -> bool:
        """Whether somebody may be writing just now."""
        return self._settling.stirring

    def draw(self) -> GameSeen | None:
        """All pieces; None where they cannot be drawn. What is wrong is told by :meth:`check`."""
        self._result = Result(self.name, Problems())
        self._made = Pipeline(self.project, self.name, Options(NOWHERE), self._result.problems, _quiet, self.cache)
        try:
            game = self._made.game
        except NoSuchGame as error:
            place = Place(f"content/{self.name}/game.toml")
            self._result.problems.error("no-game-file", place, error.message, hint=error.hint)
            return None
        if game is None or self._made.drawn is None or self._made.book is None:
            return None
        self._shown = self._made
        fonts = own_fonts(game)
        self._sights, self._printed = Sights(self._made, fonts), {}
        self._faces = {}
        return self._game(game, self._made.drawn.decks, fonts)

    def _game(self, game: Game, decks: Sequence[Deck], fonts: str, made: Pipeline | None = None) -> GameSeen:
        spoken = tuple((code, language_name(code)) for code in languages_of(game.folder))
        return GameSeen(self.name, game.title, tuple(self._component(deck, fonts, made) for deck in decks), spoken)

    def _component(self, deck: Deck, fonts: str, made: Pipeline | None) -> ComponentSeen:
        """``made``: that of pieces as they are printed otherwise."""
        component = deck.component
        places = {row.id: row.place for row in component.table}
        shared: dict[tuple[Side, object], int] = {}
        sides: tuple[Side, ...] = ("front", "back")
        for piece in deck.pieces:
            for side in sides:
                if (face := piece.side(side)) is not None:
                    shared[side, face.look] = shared.get((side, face.look), 0) + piece.copies
        seen = []
        for key, (piece, side, face) in faces_of(deck, fonts).items():
            if made is None:
                self._faces[key] = side, face
            elif key not in self._faces and self._sights is not None:
                key = self._sights.face(made, side, face)
            seen.append(
                FaceSeen(
                    key,
                    component.name,
                    piece.id,
                    side,
                    piece.about(side).called,
                    face.width,
                    face.height,
                    face.bleed,
                    face.outline or (),
                    shared[side, face.look],
                    places.get(piece.id, component.place),
                )
            )
        return ComponentSeen(
            component.name, component.title, component.kind, deck.copies, tuple(seen), bool(folded_alike([deck]))
        )

    def sight(self, asked: Sight) -> Sighted | None:
        """What somebody asks to see of what could be drawn last; None where nothing could be."""
        if self._sights is None:
            return None
        match asked:
            case Sheets():
                return self._sights.sheets(asked)
            case Books():
                return self._sights.books()
            case Laid():
                return self._sights.laid(asked)
            case Folds():
                return self._sights.folds()
            case Printed():
                if asked not in self._printed:
                    self._printed[asked] = self._otherwise(asked)
                return self._printed[asked]

    def _otherwise(self, asked: Printed) -> PrintedSeen:
        """The pieces in another ink or language."""
        options = Options(NOWHERE, ink=asked.ink, language=asked.language)
        made = Pipeline(self.project, self.name, options, Problems(), _quiet, self.cache)
        game = made.game
        if game is None or made.drawn is None or made.book is None:
            return PrintedSeen(None, tuple(made.problems))
        return PrintedSeen(self._game(game, made.drawn.decks, own_fonts(game), made), tuple(made.problems))

    def check(self) -> Findings:
        """What is wrong with what was drawn last, by all rules that need no pictures."""
        assert self._made is not None and self._result is not None, "nothing was drawn yet"
        whole = self._made.__dict__.get("game") is not None and prove(self._made, self._result, pictures=False)
        if self.cache is not None and self.cache.news:
            self.cache.trim()
            self.cache.news.clear()
        maps = tuple(shown for _, shown in self._result.shown if isinstance(shown, MapShown))
        return Findings(tuple(in_order(self._result.problems)), whole, maps)

    def pictures(self, keys: Sequence[str], dots: int, bleed: bool, eyes: str = "") -> dict[str, bytes]:
        """Faces and pages as PNG by key, ``dots`` wide at least; those that are not there any more are left out.

        ``eyes``: as they are seen without one kind of cones.
        """
        made = self._shown
        if made is None or made.drawn is None or made.book is None or self._sights is None:
            return {}
        found: dict[str, bytes] = {}
        # Pictures of one resolution are made together.
        by_dpi: dict[int, list[str]] = {}
        for key in keys:
            face = self._faces[key][1] if key in self._faces else None
            size = (face.width, face.height) if face else self._sights.size(key)
            if size is not None:
                by_dpi.setdefault(_dpi(*size, dots), []).append(key)
        for dpi, some in by_dpi.items():
            faces = [key for key in some if key in self._faces]
            pages = [face_page(self._faces[key][1], self._faces[key][0], bleed) for key in faces]
            found |= dict(zip(faces, pictures(made.drawn, pages, made.book, dpi), strict=True))
            found |= self._sights.pictured([key for key in some if key not in self._faces], dpi)
        return {key: as_seen(picture, eyes) for key, picture in found.items()} if eyes in ANOMALIES else found


def _dpi(width: float, height: float, dots: int) -> int:
    """Dots per inch for a picture so many dots wide, in steps, so that a size near another one is not made again."""
    wanted = dots * 25.4 / width
    step = next((step for step in (36, 72, 110, 150, 220, 300, 450, 600, 900) if step >= wanted), FINEST)
    return max(1, min(step, int(MOST_DOTS * 25.4 / max(width, height))))
