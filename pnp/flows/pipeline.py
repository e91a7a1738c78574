"""A game on its way from its folder to printed pages: what every command that draws shares.

Each step is taken once, when it is first asked for, whichever command asks: building, checking, watching, previewing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from pnp.flows.books.publish import publish
from pnp.flows.drawn import (
    Drawn,
    Tell,
    book_of,
    draw_game,
    pages_of,
    pdf_of,
    sheets_of,
    shown_sheets,
    tell_templates,
    tell_unreadable,
)
from pnp.flows.howmade import how_made
from pnp.flows.plan import counts_by_component, covers_of
from pnp.lay.sheet import AnySheet
from pnp.read.game import read_game
from pnp.read.project import Project
from pnp.system.cache import Cache
from pnp.values.books import Counts, Edition
from pnp.values.faces import Book, Deck, Page
from pnp.values.game import Backs, Game, Layout, Paper
from pnp.values.outcome import Count, Options
from pnp.values.problems import Problems


def quiet(_: str) -> None:
    """Nobody listens."""


@dataclass
class Pipeline:
    """A game being made as ``options`` ask. What is wrong is collected in ``problems``; nothing is written.

    A step that cannot be taken is None or empty; the steps before it say why. Every step may raise NoSuchGame.
    """

    project: Project
    name: str
    options: Options
    problems: Problems = field(default_factory=Problems)
    tell: Tell = quiet
    cache: Cache | None = None
    """What was drawn, set and pictured before."""
    _laid: dict[tuple[Paper, tuple[str, ...]], list[AnySheet]] = field(default_factory=dict)
    """Sheets by the names of the components that lie on them."""
    _set: Book | None = None

    @cached_property
    def game(self) -> Game | None:
        """The tables and everything else that is read."""
        self.tell(f"{self.name}: reading the tables")
        game = read_game(self.project, self.name, self.problems)
        return None if game is None else replace(game, each=dict(self.options.each))

    @cached_property
    def drawn(self) -> Drawn | None:
        """The decks, drawn."""
        return None if self.game is None else draw_game(self.game, self.problems, self.tell, self.options.ink, self.cache)

    @property
    def decks(self) -> Sequence[Deck]:
        return self.drawn.decks if self.drawn else ()

    @property
    def papers(self) -> tuple[Paper, ...]:
        """Those that were asked for, or the game's own, with the margin that was asked for."""
        papers = self.options.papers or (self.game.papers if self.game else ())
        return tuple(replace(paper, margin=self.options.margin) for paper in papers)

    def sheets(self, decks: Sequence[Deck], paper: Paper) -> list[AnySheet]:
        """What is cut of some decks on a paper; the same decks are laid once."""
        named = paper, tuple(deck.component.name for deck in decks)
        if named not in self._laid:
            self._laid[named] = sheets_of(
                decks, paper, self.options.backs, self.problems, self.options.cutting, self.options.templates
            )
        return self._laid[named]

    @cached_property
    def laid(self) -> dict[Paper, list[AnySheet]]:
        """All sheets for each paper: what is cut, then what only shows something."""
        if self.drawn is None or self.game is None:
            return {}
        for paper in self.papers:
            tell_unreadable(self.drawn, paper, self.problems)
            if self.options.templates:
                tell_templates(self.drawn, paper, self.problems)
        return {paper: self.with_shown(self.decks, paper, self.game.layouts) for paper in self.papers}

    def with_shown(self, decks: Sequence[Deck], paper: Paper, layouts: Sequence[Layout] = ()) -> list[AnySheet]:
        """The sheets of some decks, and the pages that show how they are folded, joined and laid."""
        made = self.sheets(decks, paper)
        return [*made, *(shown_sheets(self.drawn, decks, made, layouts, paper) if self.drawn else ())]

    @cached_property
    def drawable(self) -> bool:
        """Whether nothing was wrong when everything was drawn and laid, before it was set."""
        _ = self.laid
        return not self.problems.errors

    @cached_property
    def book(self) -> Book | None:
        """Every face, set; None when the fonts for that are not there."""
        if self.drawn is None:
            return None
        return book_of(self.drawn, self.problems, self.tell)

    @cached_property
    def printed(self) -> dict[Paper, list[Page]]:
        """The sides of all sheets for each paper, in the order of ``print.pdf``, without the plan."""
        return {paper: self.pages(made, paper) for paper, made in self.laid.items()}

    def pages(self, sheets: Sequence[AnySheet], paper: Paper) -> list[Page]:
        """The sides of some sheets."""
        return pages_of(self.drawn, sheets, paper, self.options) if self.drawn else []

    @cached_property
    def editions(self) -> list[Edition]:
        """The books for each paper, with the numbers of this very printing."""
        return self.published(proof=False)

    def published(self, proof: bool) -> list[Edition]:
        """The same; as a ``proof`` only to find what is wrong with them."""
        if self.drawn is None or self.book is None:
            return []
        counted: dict[Paper, Counts] = {
            paper: counts_by_component(made, paper) for paper, made in self.laid.items() if paper.readable
        }
        return publish(self.drawn, self.book, counted, self.problems, self.tell, proof)

    @cached_property
    def plans(self) -> dict[Paper, list[Page]]:
        """The print plan for each paper: the first two pages of ``print.pdf``."""
        return self.planned(self.editions)

    def planned(self, editions: Sequence[Edition]) -> dict[Paper, list[Page]]:
        """The same with these books; nothing where something cannot be drawn, which is not told twice."""
        if self.drawn is None or self.book is None or not self.drawable:
            return {}
        return covers_of(self.drawn, self.book, self.laid, self.printed, editions, self.options)

    def set_all(self) -> Book:
        """The book with everything that has been drawn by now, plans too. Only where there is a book."""
        assert self.drawn is not None and self.book is not None, "asked for what could not be set"
        self._set = book_of(self.drawn, self.problems, self.tell, self._set or self.book)
        return self._set or self.book

    def pdf(self, pages: Sequence[Page], backs: Backs, what: str, paper: Paper | None = None) -> bytes:
        """Pages as a PDF that says ``what`` it is, and for which paper it was made. Only where there is a book."""
        assert self.drawn is not None, "asked for what could not be drawn"
        return pdf_of(self.drawn, pages, self.set_all(), backs, what, how_made(self.options, paper, backs))

    @cached_property
    def counts(self) -> list[Count]:
        """The component table; sheets are counted for the first paper, as if each component were printed alone."""
        return [
            Count(
                deck.component.kind,
                deck.component.name,
                deck.component.title,
                deck.designs,
                deck.copies,
                len(self.sheets([deck], self.papers[0])),
            )
            for deck in (self.decks if self.papers else ())
        ]

    @property
    def together(self) -> int:
        """How many sheets of the first paper all components take together, without what shows how they are made."""
        return len(self.sheets(self.decks, self.papers[0])) if self.decks and self.papers else 0
