"""Takes a game from its folder to printed pages: the steps that every command which draws has in common.

Each step is taken once, when it is first asked for, whichever command asks: building, checking, watching, previewing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from pnp.flows.drawn import (
    Drawn,
    Tell,
    book_for,
    book_of,
    draw_game,
    layers_on,
    pages_of,
    pdf_of,
    sheets_of,
    shown_sheets,
    tell_templates,
    tell_unreadable,
    two_sided,
)
from pnp.flows.output import how_made
from pnp.flows.plan import counts_by_component, covers_of
from pnp.flows.print_history import Difference, difference
from pnp.flows.publish import publish
from pnp.flows.selected import Chosen, chosen, decks_of, decks_on, of_names, of_their_own, pages_among, sheets_in
from pnp.flows.translate import press_words, spoken
from pnp.lay.sheet import AnySheet
from pnp.read.game import read_game
from pnp.read.project import Project
from pnp.system.cache import Cache
from pnp.values.books import Counts, Edition
from pnp.values.faces import Book, Deck, Page
from pnp.values.game import Backs, Game, Layout, Paper
from pnp.values.outcome import Count, NoSuchPart, Options, Selection
from pnp.values.problems import Problems, listed

ONE_PAPER = "Name the paper, such as --paper a4."


def quiet(_: str) -> None:
    """Progress callback that does nothing."""


@dataclass
class Pipeline:
    """A game being made as ``options`` ask. Collects ``problems``; writes nothing.

    A step that cannot be taken is None or empty; the steps before it say why. Every step may raise NoSuchGame.
    """

    project: Project
    name: str
    options: Options
    problems: Problems = field(default_factory=Problems)
    tell: Tell = quiet
    cache: Cache | None = None
    """What was drawn, set and pictured before."""
    source: Game | None = None
    """The game as its author wrote it, which is what rules about tables look at, whatever language it is printed in."""
    other: Game | None = None
    """The game in the second of two languages."""
    _laid: dict[tuple[Paper, tuple[int, ...]], list[AnySheet]] = field(default_factory=dict)
    """Sheets by the decks that lie on them: those of a part have the same names, and other copies."""
    _set: Book | None = None
    _ahead: Book = field(default_factory=lambda: Book((), {}))
    """What was set for pictures, besides the book."""
    _tried: set[str] = field(default_factory=set)

    @cached_property
    def game(self) -> Game | None:
        """The game as read."""
        self.tell(f"{self.name}: reading the tables")
        read = read_game(self.project, self.name, self.problems)
        first, joined, second = self.options.language.partition("+")
        if read is not None and joined and not (first and second and "+" not in second):
            message, place = f'"{self.options.language}" is not two languages', read.place_of("game.language")
            self.problems.error("language-code", place, message, value=self.options.language, hint="Write de+fr.")
            return None
        made = None if read is None else spoken(self.project, read, first, self.problems)
        if made is None or read is None:
            return None
        game, self.source = made
        each = dict(self.options.each)
        if second:
            if (beside := spoken(self.project, read, second, self.problems)) is None:
                return None
            second_game, second_source = beside
            if second_game.language == game.language:
                message = "two languages on the pieces are two different ones"
                self.problems.error("language-code", game.place_of("game.language"), message, value=self.options.language)
            game, other = two_sided(game, second_game)
            self.other = replace(other, each=each)
            catalogues = (*self.source.translations, *second_source.translations)
            self.source = replace(self.source, translations=catalogues, spoken=game.printed_in)
        return replace(game, each=each, words=press_words(game, self.problems))

    @cached_property
    def drawn(self) -> Drawn | None:
        if self.game is None:
            return None
        return draw_game(self.game, self.problems, self.tell, self.options.ink, self.cache, self.other)

    def anew(self, options: Options) -> Pipeline:
        """The same drawing laid out by other ``options`` of the same ink and language; collects problems anew."""
        other = Pipeline(
            self.project, self.name, options, Problems(), self.tell, self.cache, self.source, self.other, _set=self._set
        )
        other.__dict__.update({step: self.__dict__[step] for step in ("game", "drawn", "book") if step in self.__dict__})
        return other

    @cached_property
    def chosen(self) -> Chosen | None:
        """What the selection names by the tables alone; None for everything. Raises NoSuchPart."""
        # Of a game that cannot be read that is told, and not what could not be found in it.
        if self.game is None or self.problems.errors or self.options.selection.is_whole:
            return None
        if self.options.selection.sheets and len(self.papers) > 1:
            named = listed(paper.name for paper in self.papers)
            raise NoSuchPart(
                f"sheets are those of one print.pdf, and {self.name} has one for each of {named}", hint=ONE_PAPER
            )
        return chosen(self.game, self.options.selection)

    @cached_property
    def difference(self) -> Difference | None:
        """The chosen pieces that are not on paper yet; None without ``--changed``."""
        if not self.options.selection.changed or self.chosen is None or self.drawn is None or self.book is None:
            return None
        return difference(self.project, self.drawn, self.book, self.options, self.chosen.copies, self.problems)

    @cached_property
    def selection(self) -> Selection:
        """What is printed, changed pieces listed one by one."""
        asked = self.options.selection
        if self.difference is None:
            return asked
        return replace(asked, only=(), times=1, changed=False, copies=self.difference.copies, gone=self.difference.gone)

    @cached_property
    def part(self) -> Drawn | None:
        """The game with the decks that are printed; the whole game with its reference pages."""
        if self.drawn is None or self.chosen is None:
            return self.drawn
        selection = self.selection
        if selection.sheets:
            return replace(self.drawn, decks=decks_on(self.drawn.decks, next(iter(self.laid.values()), [])))
        copies = self.chosen.copies if selection.copies is None else of_names(selection.copies)
        game = replace(self.drawn.game, layouts=()) if selection.is_part else self.drawn.game
        return replace(self.drawn, game=game, decks=decks_of(self.drawn.decks, copies))

    @property
    def decks(self) -> Sequence[Deck]:
        """The decks that are printed."""
        return self.part.decks if self.part else ()

    @property
    def alone(self) -> Sequence[Deck]:
        """The decks that have a PDF of their own beside ``print.pdf``."""
        return () if self.options.selection.sheets else self.decks

    @property
    def papers(self) -> tuple[Paper, ...]:
        """The papers asked for, or the game's own, with the margin asked for."""
        papers = self.options.papers or (self.game.papers if self.game else ())
        return tuple(replace(paper, margin=self.options.margin) for paper in papers)

    def sheets(self, decks: Sequence[Deck], paper: Paper) -> list[AnySheet]:
        """The sheets to cut of some decks on a paper; cached."""
        named = paper, tuple(map(id, decks))
        if named not in self._laid:
            self._laid[named] = sheets_of(
                decks, paper, self.options.backs, self.problems, self.options.cutting, self.options.templates
            )
        return self._laid[named]

    @cached_property
    def laid(self) -> dict[Paper, list[AnySheet]]:
        """All sheets for each paper: those to cut, then reference pages."""
        if self.chosen is None:
            return self.whole
        if not self.options.selection.sheets:
            return self._all_sheets(self.part)
        made = self.whole
        return {paper: of_their_own([made[paper][number - 1] for number in self.numbers(paper)]) for paper in made}

    @cached_property
    def whole(self) -> dict[Paper, list[AnySheet]]:
        """The sheets of the whole game."""
        return self._all_sheets(self.drawn)

    def _all_sheets(self, drawn: Drawn | None) -> dict[Paper, list[AnySheet]]:
        if drawn is None:
            return {}
        for paper in self.papers:
            tell_unreadable(drawn, paper, self.problems)
            if self.options.templates:
                tell_templates(drawn, paper, self.problems)
        return {paper: self.with_shown(drawn.decks, paper, drawn.game.layouts, drawn) for paper in self.papers}

    def with_shown(
        self, decks: Sequence[Deck], paper: Paper, layouts: Sequence[Layout] = (), drawn: Drawn | None = None
    ) -> list[AnySheet]:
        """The sheets of decks (of the part, or of ``drawn``), and pages on how they are folded, joined, laid out."""
        made, known = self.sheets(decks, paper), drawn or self.part
        # Who prints what has changed has read how pieces are folded.
        if known is None or self.selection.copies is not None:
            return made
        return [*made, *shown_sheets(known, decks, made, layouts, paper)]

    def numbers(self, paper: Paper) -> Sequence[int]:
        """The numbers of the printed sheets, in the order of the file. Raises NoSuchPart."""
        ranges = self.options.selection.sheets
        if not ranges:
            return range(1, len(self.laid[paper]) + 1)
        if self.problems.errors:
            return ()
        return sheets_in(self.whole[paper], ranges, f"the whole {paper.name}/print.pdf")

    @cached_property
    def drawable(self) -> bool:
        """Whether drawing and layout found nothing wrong, before anything was set."""
        _ = self.laid
        return not self.problems.errors

    @cached_property
    def book(self) -> Book | None:
        """The book of every face; None when fonts for it are missing."""
        if self.drawn is None:
            return None
        return book_of(self.drawn, self.problems, self.tell)

    @cached_property
    def printed(self) -> dict[Paper, list[Page]]:
        """The sides of all sheets for each paper, in the order of ``print.pdf``, without the print plan."""
        if not self.options.selection.sheets:
            return {paper: self.pages(made, paper) for paper, made in self.laid.items()}
        return {paper: pages_among(self.pages(made, paper), made, self.numbers(paper)) for paper, made in self.whole.items()}

    def pages(self, sheets: Sequence[AnySheet], paper: Paper) -> list[Page]:
        return pages_of(self.drawn, sheets, paper, self.printing) if self.drawn else []

    @property
    def printing(self) -> Options:
        """The options as the metadata and slug lines tell them."""
        return replace(self.options, selection=self.selection)

    @cached_property
    def editions(self) -> list[Edition]:
        """The books for each paper, with the sheet numbers of the whole game; for a selection the chosen ones."""
        if self.chosen is None:
            return self.published(proof=False)
        if self.options.selection.sheets or not self.chosen.books:
            return []
        return [edition for edition in self.published(proof=False) if edition.manual.name in self.chosen.books]

    def published(self, proof: bool) -> list[Edition]:
        """The books; as a ``proof`` only to find what is wrong with them."""
        if self.drawn is None or self.book is None:
            return []
        counted: dict[Paper, Counts] = {
            paper: counts_by_component(made, paper) for paper, made in self.whole.items() if paper.readable
        }
        return publish(self.drawn, self.book, counted, self.problems, self.tell, proof)

    @cached_property
    def plans(self) -> dict[Paper, list[Page]]:
        """The print plan for each paper: the first two pages of ``print.pdf``."""
        return self.planned(self.editions)

    def planned(self, editions: Sequence[Edition]) -> dict[Paper, list[Page]]:
        """The print plan with these books; empty where something cannot be drawn, which is reported elsewhere."""
        if self.part is None or self.book is None or not self.drawable:
            return {}
        return covers_of(self.part, self.book, self.laid, self.printed, editions, self.printing)

    def set_all(self) -> Book:
        """The book with everything drawn so far, plans too. Needs a book."""
        assert self.drawn is not None and self.book is not None, "asked for what could not be set"
        self._set = book_of(self.drawn, self.problems, self.tell, self._set or self.book)
        return self._set or self.book

    def set_for(self, pages: Sequence[Page]) -> Book:
        """A book with what these pages show: the whole one if it is set, else no more than that. Needs a drawing."""
        assert self.drawn is not None, "asked for what could not be drawn"
        book: Book = (self._set or self.__dict__.get("book") or Book((), {})) + self._ahead
        layers = layers_on(pages)
        made = book_for(self.drawn, layers, book.pages.keys() | self._tried)
        # What cannot be set is not tried again for each picture.
        self._tried |= layers.keys()
        self._ahead += made
        return book + made

    def pdf(self, pages: Sequence[Page], backs: Backs, what: str, paper: Paper | None = None) -> bytes:
        """Pages as a PDF whose metadata says ``what`` it is and for which paper. Needs a book."""
        assert self.drawn is not None, "asked for what could not be drawn"
        return pdf_of(self.drawn, pages, self.set_all(), backs, what, how_made(self.printing, paper, backs))

    @cached_property
    def counts(self) -> list[Count]:
        """The component table; sheets counted on the first paper, as if each component were printed alone."""
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
        """The number of sheets on the first paper for all components together, without reference pages."""
        return len(self.sheets(self.decks, self.papers[0])) if self.decks and self.papers else 0
