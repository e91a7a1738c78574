"""Takes a game from its folder to printed pages: the steps that every command which draws has in common.

Each step is taken once, when it is first asked for, whichever command asks: building, checking, watching, previewing.
Below them: what a selection names, how printed files say how they were made, and how files get into the output.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, field, replace
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any, get_args

from pnp.dataclass import dataclass
from pnp.flows.drawn import (
    Drawn,
    Tell,
    book_for,
    book_of,
    draw_game,
    layers_on,
    pages_of,
    parts_of_pdf,
    sheets_of,
    shown_sheets,
    tell_templates,
    tell_unreadable,
    two_sided,
)
from pnp.flows.plan import counts_by_component, covers_of
from pnp.flows.print_history import Difference, difference
from pnp.flows.publish import publish
from pnp.flows.translate import press_words, spoken
from pnp.lay.sheet import AnySheet, PosterSheet, Run, Sheet, ShownSheet, sides
from pnp.read import presets
from pnp.read.game import MOST_PIECES, read_game
from pnp.read.languages import language_fault
from pnp.read.project import Project
from pnp.shapes import units
from pnp.shapes.affine import Calibration
from pnp.system.cache import Cache
from pnp.system.manifest import NotOurs, put
from pnp.system.paths import Content, digest_of
from pnp.values.books import Edition
from pnp.values.faces import Book, Deck, Page, Piece
from pnp.values.game import LEAST_MARGIN, MOST_MARGIN, Backs, Component, Game, Ink, Layout, Paper
from pnp.values.outcome import (
    MOST_TIMES,
    NOWHERE,
    WHOLE,
    Count,
    CutFiles,
    MarkedSides,
    NoSuchPart,
    Options,
    Result,
    Selection,
)
from pnp.values.problems import Place, Problems, closest, listed
from pnp.values.tables import Row
from pnp.values.walk import grouped


@dataclass()
class Pipeline:
    """A game being made as ``options`` ask. Collects ``problems``; writes nothing.

    A step that cannot be taken is None or empty; the steps before it say why. Every step may raise NoSuchGame.
    """

    project: Project
    name: str
    options: Options
    problems: Problems = field(default_factory=Problems)
    tell: Tell = lambda _: None
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
        kept = self.tell, self.cache, self.source, self.other
        other = Pipeline(self.project, self.name, options, Problems(), *kept, _set=self._set)
        other.__dict__.update({step: self.__dict__[step] for step in ("game", "drawn", "book") if step in self.__dict__})
        return other

    @cached_property
    def chosen(self) -> Chosen | None:
        """The pieces that the selection names, by the tables alone; None for everything. Raises NoSuchPart."""
        # Of a game that cannot be read that is told, and not what could not be found in it.
        if self.game is None or self.problems.errors or self.options.selection.is_whole:
            return None
        if self.options.selection.sheets and len(self.papers) > 1:
            named = listed(paper.name for paper in self.papers)
            message = f"sheets are those of one print.pdf, and {self.name} has one for each of {named}"
            raise NoSuchPart(message, hint="Name the paper, such as --paper a4.")
        return chosen(self.game, self.options.selection)

    @cached_property
    def difference(self) -> Difference | None:
        """The chosen pieces that are not on paper yet; None without ``--changed``."""
        if not self.options.selection.changed or self.chosen is None or self.drawn is None or self.book is None:
            return None
        return difference(self.project, self.drawn, self.book, self.options, self.chosen.copies, self.problems)

    @cached_property
    def selection(self) -> Selection:
        """The pieces to print, changed ones listed one by one."""
        asked = self.options.selection
        if self.difference is None:
            return asked
        copies, gone = self.difference
        return replace(asked, only=(), times=1, changed=False, copies=copies, gone=gone)

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
        decks = _counted(self.drawn.decks, lambda piece: copies.get(piece.component, {}).get(piece.id, 0))
        return replace(self.drawn, game=game, decks=decks)

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
            self._laid[named] = sheets_of(decks, paper, self.options, self.problems)
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
        there, last = len(self.whole[paper]), max(end for _, end in ranges)
        if last > there:
            many, hint = f"{there} sheets" if there != 1 else "1 sheet", f"Allowed: --sheets 1-{there}." if there else ""
            raise NoSuchPart(f"there is no sheet {last}: the whole {paper.name}/print.pdf has {many}", hint=hint)
        return sorted({number for first, end in ranges for number in range(first, end + 1)})

    @cached_property
    def drawable(self) -> bool:
        """Whether drawing and layout found nothing wrong, before anything was set."""
        _ = self.laid
        return not self.problems.errors

    @cached_property
    def book(self) -> Book | None:
        """The book of every face; None when fonts for it are missing."""
        return book_of(self.drawn, self.problems, self.tell) if self.drawn else None

    @cached_property
    def printed(self) -> dict[Paper, list[Page]]:
        """The sides of all sheets for each paper, in the order of ``print.pdf``, without the print plan."""
        if not self.options.selection.sheets:
            return {paper: self.pages(made, paper) for paper, made in self.laid.items()}
        found: dict[Paper, list[Page]] = {}
        for paper, made in self.whole.items():
            pages, ends = self.pages(made, paper), [0, *accumulate(map(sides, made))]
            found[paper] = [page for number in self.numbers(paper) for page in pages[ends[number - 1] : ends[number]]]
        return found

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
        readable = {paper: made for paper, made in self.whole.items() if paper.readable}
        counted = {paper: counts_by_component(made, paper) for paper, made in readable.items()}
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
        return b"".join(self.parts_of_pdf(pages, backs, what, paper))

    def parts_of_pdf(self, pages: Sequence[Page], backs: Backs, what: str, paper: Paper | None = None) -> list[bytes]:
        """The parts of such a PDF, for a file: pictures are not copied."""
        assert self.drawn is not None, "asked for what could not be drawn"
        return parts_of_pdf(self.drawn, pages, self.set_all(), backs, what, how_made(self.printing, paper, backs))

    @cached_property
    def counts(self) -> list[Count]:
        """The component table; sheets counted on the first paper, as if each component were printed alone."""
        found = []
        for deck in self.decks if self.papers else ():
            of, sheets = deck.component, self.sheets([deck], self.papers[0])
            found.append(Count(of.kind, of.name, of.title, deck.designs, deck.copies, len(sheets)))
        return found

    @property
    def together(self) -> int:
        """The number of sheets on the first paper for all components together, without reference pages."""
        return len(self.sheets(self.decks, self.papers[0])) if self.decks and self.papers else 0


Copies = Mapping[str, Mapping[str, int]]
"""How many copies of each piece are printed, by component and id."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The pieces and books of a selection."""

    copies: Copies
    books: frozenset[str]


def chosen(game: Game, selection: Selection) -> Chosen:
    """The pieces and books to print, before changes and sheets are considered. Raises NoSuchPart."""
    books = {manual.name for manual in game.manuals}
    wanted: Copies = {component.name: {row.id: row.copies for row in component.table} for component in game.components}
    if selection.copies is not None:
        books, known, wanted = set(), wanted, of_names(selection.copies)
        for name, own in wanted.items():
            if missing := [piece for piece in own if piece not in known.get(name, ())]:
                raise NoSuchPart(f'there is no piece "{name}/{missing[0]}" in {game.title} any more')
    elif selection.only:
        named = {each for text in selection.only for each in _named(game, text)}
        books &= {each for each in named if isinstance(each, str)}
        # In the table's order, whatever order they were typed in.
        wanted = {
            name: {id: count for id, count in own.items() if (name, id) in named}
            for name, own in wanted.items()
            if any((name, id) in named for id in own)
        }
        if not books and not any(count for own in wanted.values() for count in own.values()):
            quoted = listed(f'"{text}"' for text in selection.only)
            message = f"there is nothing to print of {quoted}: there are 0 copies"
            raise NoSuchPart(message, hint="Give them copies in their table.")
    if selection.changed:
        books = set()
    times = selection.times
    copies = {name: {id: count * times for id, count in own.items()} for name, own in wanted.items()}
    if (total := sum(count for own in copies.values() for count in own.values())) > MOST_PIECES:
        raise NoSuchPart(f"that would be {total} pieces, and at most {MOST_PIECES} are printed", hint="Print them in parts.")
    return Chosen(copies, frozenset(books))


def _named(game: Game, text: str) -> Iterator[str | tuple[str, str]]:
    """Names of books, and components with the ids of their pieces."""
    components = {component.name: component for component in game.components}
    books = [manual.name for manual in game.manuals]
    name, colon, ids = (part.strip() for part in text.partition(":"))
    if colon:
        if name not in components:
            raise no_such("component", name, components)
        if not ids:
            raise NoSuchPart(f'"{text}" names no piece of {name}', hint=f"Known: {listed(_ids(components[name]))}.")
        yield from ((name, row.id) for row in _rows(components[name], ids))
        return
    for each in [text.strip()] if text.strip() in {*components, *books} else map(str.strip, text.split(",")):
        if each in components:
            yield from ((each, row.id) for row in components[each].table)
        elif each in books:
            yield each
        else:
            of = next((name for name, one in components.items() if each in _ids(one)), "")
            raise no_such("component or book", each, [*components, *books], f"Write {of}:{each}." if of else "")


def _rows(component: Component, text: str) -> list[Row]:
    rows = list(component.table)
    found: list[Row] = []
    for wanted in [text] if text in _ids(component) else map(str.strip, text.split(",")):
        column, equals, value = (part.strip() for part in wanted.partition("="))
        own = [row for row in rows if wanted and wanted in (row.id, row.design)]
        if not own and equals:
            if column not in component.table.columns:
                raise no_such(f"column of {component.name}", column, component.table.columns)
            said = {row.display(column): None for row in rows}
            own = [row for row in rows if row.display(column).casefold() == value.casefold()]
            if not own:
                raise no_such(f"piece of {component.name} whose {column} is", value, said)
        if not own:
            raise no_such(f"piece of {component.name} with the id", wanted, _ids(component))
        found += own
    return found


def _ids(component: Component) -> list[str]:
    return list(dict.fromkeys(name for row in component.table for name in (row.design, row.id) if name))


def no_such(what: str, name: str, known: Sequence[str] | Mapping[str, object], meant: str = "") -> NoSuchPart:
    hint = meant or closest(name, known) or f"Known: {listed(known)}."
    return NoSuchPart(f'there is no {what} "{name}"', hint=hint)


def _counted(decks: Sequence[Deck], count: Callable[[Piece], int]) -> list[Deck]:
    found = []
    for deck in decks:
        counted = ((piece, count(piece)) for piece in deck.pieces)
        if pieces := tuple(replace(piece, copies=copies) for piece, copies in counted if copies):
            found.append(replace(deck, pieces=pieces))
    return found


def of_names(copies: Sequence[tuple[str, int]]) -> Copies:
    """Copies by ``component/id``, as copies by component and id."""
    found: dict[str, dict[str, int]] = {}
    for name, count in copies:
        component, _, piece = name.partition("/")
        found.setdefault(component, {})[piece] = count
    return found


def of_their_own(made: Sequence[AnySheet]) -> list[AnySheet]:
    """Sheets in runs of their own, so that what is told of a run holds for these sheets."""
    runs = {
        run: run if any(isinstance(sheet, ShownSheet) for sheet in own) else Run(tuple(decks_on(run.decks, own)))
        for run, own in grouped((sheet.run, sheet) for sheet in made).items()
    }
    return [replace(sheet, run=runs[sheet.run]) for sheet in made]


def decks_on(decks: Sequence[Deck], made: Sequence[AnySheet]) -> list[Deck]:
    """The decks with the copies that are cut from some sheets; a board counts as one, however little of it."""
    there: Counter[tuple[str, str, int]] = Counter()
    for sheet in made:
        if isinstance(sheet, Sheet):
            there.update((piece.component, piece.id, piece.part) for piece in sheet.pieces)
        elif isinstance(sheet, PosterSheet):
            there[sheet.piece.component, sheet.piece.id, sheet.piece.part] = 1
    return _counted(decks, lambda piece: there[piece.component, piece.id, piece.part])


MOST_LETTERS = 2_000_000


def how_made(options: Options, paper: Paper | None, backs: Backs) -> str:
    """The options that show on paper, for one paper; none for a file with sizes of its own.

    ``backs`` is what the file needs: where nothing is printed on backs, no printer's error shows.
    """
    corrected = options.calibration if backs in ("long-edge", "short-edge") else Calibration()
    told = {key: getattr(options, key) for key in ("backs", "ink", "draft", "price", "cut", "margin", "each")}
    told |= {"paper": "", "printer": [corrected.dx, corrected.dy, corrected.angle]}
    if paper is not None:
        size = f"{units.show(paper.width)}mm x {units.show(paper.height)}mm"
        told["paper"] = paper.name if paper.name in presets.paper_names() else size
    if options.marks != "front":
        told["marks"] = options.marks
    if options.language:
        told["language"] = options.language
    if not options.selection.is_whole:
        usual = asdict(WHOLE)
        told["part"] = {key: value for key, value in asdict(options.selection).items() if value != usual[key]}
    return json.dumps(told, sort_keys=True)


def options_of(line: str) -> Options | None:
    """Reads the options from a file's line; None for a line that pnp did not write."""
    try:
        if len(line) > MOST_LETTERS:
            return None
        told = json.loads(line)
        dx, dy, angle = map(float, told["printer"])
        marks, language, margin = told.get("marks", "front"), told.get("language", ""), float(told["margin"])
        choices = ((told["backs"], Backs), (told["ink"], Ink), (told["cut"], CutFiles), (marks, MarkedSides))
        if not LEAST_MARGIN <= margin <= MOST_MARGIN or any(word not in get_args(words) for word, words in choices):
            return None
        if language != "" and any(language_fault(each)[0] for each in language.split("+", 1)):
            return None
        return Options(
            NOWHERE,
            papers=(presets.paper(told["paper"]),) if told["paper"] else (),
            backs=told["backs"],
            calibration=Calibration(dx, dy, angle),
            ink=told["ink"],
            draft=bool(told["draft"]),
            price=float(told["price"]),
            cut=told["cut"],
            marks=marks,
            margin=margin,
            each=tuple((str(column), str(text)) for column, text in told["each"]),
            selection=_selection(told.get("part", {})),
            language=language,
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _selection(told: Mapping[str, Any]) -> Selection:
    copies = told.get("copies")
    if any(int(count) < 1 for _, count in copies or ()):
        raise ValueError("no piece is printed less than once")
    return Selection(
        only=tuple(map(str, told.get("only", ()))),
        sheets=tuple((int(first), int(last)) for first, last in told.get("sheets", ())),
        times=min(MOST_TIMES, max(1, int(told.get("times", 1)))),
        copies=None if copies is None else tuple((str(name), int(count)) for name, count in copies),
        gone=tuple(map(str, told.get("gone", ()))),
    )


def write(
    result: Result, out: Path, where: str, files: Mapping[str, Content], by: str, owned: Sequence[str] | None = ()
) -> None:
    """Writes files below the output and adds them to the result. Raises OSError.

    Where a file that pnp did not write is in the way, nothing is written, and a Problem says so: other games go on.
    """
    try:
        result.files = put(out, where, files, by, owned)
        result.digests = {name: digest_of(data) for name, data in files.items()}
    except NotOurs as refused:
        result.problems.error("not-ours", Place(str(refused.path)), refused.message, hint=refused.hint)
        result.problems.unreadable = True
