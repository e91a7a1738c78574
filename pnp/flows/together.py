"""Builds several games on common sheets (``pnp build A B --together``): lays their decks out as one game's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import add

from pnp.draw.cards import DrawContext
from pnp.flows.build import put_files
from pnp.flows.check import prove
from pnp.flows.drawn import Drawn, Tell, marked_deck
from pnp.flows.pipeline import Chosen, Pipeline
from pnp.read.project import Project
from pnp.system.cache import Cache, digest
from pnp.values.books import Edition
from pnp.values.faces import Book, Deck, Face, Layer, Piece, TextLayer
from pnp.values.game import Component, Game
from pnp.values.outcome import Options, Result, Selection
from pnp.values.problems import Problems

FOLDER, AND = "together", "+"
# What the games say alike is said of both; the number of players is not.
SINGLE = ("players",)


def build_together(
    project: Project, names: Sequence[str], options: Options, tell: Tell, cache: Cache | None = None
) -> Result:
    """Builds one ``print.pdf`` for several games in ``together/A+B``; writes nothing when something is wrong with one.

    Raises NoSuchGame, NoSuchPart, OSError.
    """
    made = join(project, names, options, tell, cache)
    result = Result(made.name, made.problems)
    for each in made.games:
        own = Result(each.name, each.problems)
        prove(each, own, pictures=False)
        made.problems.extend(own.problems)
    put_files(made, result, f"{FOLDER}/{made.name}")
    return result


def join(project: Project, names: Sequence[str], options: Options, tell: Tell, cache: Cache | None = None) -> Joined:
    """Joins the games' pipelines into one. Raises NoSuchGame."""
    for name in names:
        project.folder(name)
    own = [Pipeline(project, name, _for(name, options), Problems(), tell, cache) for name in names]
    return Joined(project, AND.join(names), options, Problems(), tell, cache, games=own)


def _for(name: str, options: Options) -> Options:
    selection = options.selection
    if selection.copies is None:
        return options
    start = f"{name}."
    copies = tuple((piece.removeprefix(start), count) for piece, count in selection.copies if piece.startswith(start))
    return replace(options, selection=replace(selection, copies=copies, gone=()))


@dataclass
class Joined(Pipeline):
    """Several games, as one whose components are called ``GAME.COMPONENT``."""

    games: Sequence[Pipeline] = ()

    @cached_property
    def game(self) -> Game | None:
        """The common game, as the plan names it. Each game is read by itself."""
        read = [each.game for each in self.games]
        own = [game for game in read if game is not None]
        if len(own) < len(read):
            return None
        about = {key: _all(game.about.get(key, "") for game in own) for game in own for key in game.about}
        return replace(
            own[0],
            name=self.name,
            title=" + ".join(game.title for game in own),
            version=_all(game.version for game in own),
            about={key: text for key, text in about.items() if key not in SINGLE},
            components=tuple(_called(component, game) for game in own for component in game.components),
            layouts=tuple(
                replace(layout, component=f"{game.name}.{layout.component}") for game in own for layout in game.layouts
            ),
            manuals=(),
        )

    @cached_property
    def _parts(self) -> list[tuple[Sequence[Deck], Book]]:
        parts: list[tuple[Sequence[Deck], Book]] = []
        for each in self.games:
            if each.part is None or each.book is None or each.game is None:
                return []
            mark = each.part.context.tools.fonts.fingerprint
            parts.append((_decks(each.part.decks, each.game, mark), _book(each.book, each.part, mark)))
        return parts

    @cached_property
    def drawn(self) -> Drawn | None:
        """The decks of all games, with a context for drawing the plan."""
        if self.game is None or not self._parts:
            return None
        context = DrawContext(self.game, self.problems, self.options.ink, self.cache)
        return Drawn(
            self.game, context, [marked_deck(context, deck) for decks, _ in self._parts for deck in decks], self.cache
        )

    @cached_property
    def book(self) -> Book | None:
        """The layers of all games."""
        books = [book for _, book in self._parts]
        return reduce(add, books) if books else None

    @cached_property
    def chosen(self) -> Chosen | None:
        """Nothing: each game has made its own choice."""
        return None

    @cached_property
    def selection(self) -> Selection:
        """The pieces to print, with the changes of each game."""
        own = [(each.name, each.selection) for each in self.games]
        if not any(selection.copies is not None for _, selection in own):
            return self.options.selection
        copies = [(f"{name}.{piece}", count) for name, each in own for piece, count in each.copies or ()]
        gone = self.options.selection.gone or [f"{name}.{piece}" for name, each in own for piece in each.gone]
        return replace(self.options.selection, times=1, changed=False, copies=tuple(copies), gone=tuple(gone))

    @property
    def alone(self) -> Sequence[Deck]:
        """Nothing: each game prints its components itself."""
        return ()

    @cached_property
    def editions(self) -> list[Edition]:
        """Nothing: each game makes its own books."""
        return []


def _all(texts: Iterable[str]) -> str:
    return " · ".join(dict.fromkeys(filter(None, texts)))


def _called(component: Component, game: Game) -> Component:
    instead = component.instead and f"{game.name}.{component.instead}"
    title = f"{component.title} ({game.title})"
    return replace(component, name=f"{game.name}.{component.name}", title=title, instead=instead)


def _decks(decks: Sequence[Deck], game: Game, mark: str) -> list[Deck]:
    faces: dict[int, Face] = {}

    def face(old: Face) -> Face:
        # Two games may draw other things with the same words: what looks the same is the same.
        if id(old) not in faces:
            layers = tuple(replace(placed, layer=_layer(placed.layer, mark)) for placed in old.layers)
            new = replace(old, layers=layers)
            faces[id(old)] = replace(new, key=digest("together", repr(new.look)))
        return faces[id(old)]

    def piece(old: Piece, component: str) -> Piece:
        back = face(old.back) if old.back is not None else None
        return replace(old, component=component, front=face(old.front), back=back)

    made = []
    for deck in decks:
        component = _called(deck.component, game)
        made.append(Deck(component, tuple(piece(each, component.name) for each in deck.pieces)))
    return made


def _layer(layer: Layer, mark: str) -> Layer:
    """Texts are equal only where the fonts are."""
    return replace(layer, key=digest(layer.key, mark)) if isinstance(layer, TextLayer) else layer


def _book(book: Book, drawn: Drawn, mark: str) -> Book:
    called = {layer.key: _layer(layer, mark).key for layer in drawn.context.layers()}
    return replace(book, pages={called.get(key, key): page for key, page in book.pages.items()}, fits=())
