"""Books in the making: a reader that fills in and reads their texts, a typesetter that sets them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from pnp.books.functions import Asked, BookFunctions
from pnp.books.imprint import imprint_lines
from pnp.books.markdown import parse
from pnp.books.page import Look, book_page
from pnp.books.pictured import other_pictures
from pnp.books.scenes import Grounds, staged
from pnp.books.spans import line_of, smart
from pnp.books.typeset import HouseStyle, Unset, typeset
from pnp.books.walk import figures_of, runs_of
from pnp.check.evaluator import known_names
from pnp.check.setup import taken
from pnp.draw.art import Art, NoArt
from pnp.draw.fonts import Fonts
from pnp.draw.styling import MISSING_HINT, missing_glyphs
from pnp.draw.symbols import FAMILY, SYMBOLS
from pnp.draw.variants import Recolouring
from pnp.flows.books.shots import DPI, shoot
from pnp.flows.drawn import Drawn
from pnp.read.languages import thousands_mark
from pnp.sandbox import Nobody
from pnp.sandbox.documents import BadDocument, Documents
from pnp.sandbox.markup import literally
from pnp.shapes.colour import named
from pnp.svg import safe as svg
from pnp.system.cache import Cache
from pnp.system.engines import engines_digest
from pnp.values.books import Counts, Edition, Fault, SetBook, Shot, Text, Wish
from pnp.values.faces import Book
from pnp.values.game import Game, Ink, Manual, Paper
from pnp.values.problems import Place, Problem, Problems, closest, listed
from pnp.write.pdf import unprintable

PROOF_DPI = 36
# Drawings in books are about so wide, in mm.
ICON_WIDTH, ART_WIDTH = 4.0, 100.0
ICON_INK = "#1c1f26"


@dataclass(slots=True)
class Reader:
    """Fills in and reads the books of a game."""

    game: Game
    art: Art
    fonts: Fonts
    recolouring: Recolouring
    imprint: Sequence[tuple[str, str]] = ()
    takes: Sequence[tuple[str, tuple[int, ...]]] = ()
    _grounds: Grounds = field(default_factory=dict)
    _read: dict[tuple[str, str, tuple[Asked, ...]], Text] = field(default_factory=dict)
    """Texts that were read before: most say the same on each paper, and when their numbers have settled."""

    @classmethod
    def of(cls, game: Game, ink: Ink = "") -> Reader:
        art, fonts = Art(game), Fonts(game)
        families = [family for family in dict.fromkeys(fonts.roles.values()) if family in fonts.files]
        licences = {family: literally(fonts.licence(family)) for family in families}
        return cls(game, art, fonts, Recolouring(ink), imprint_lines(game, licences), taken(game))

    def text(self, manual: Manual, counts: Counts) -> Text:
        """A book's blocks with the numbers of a printing; what is wrong is among its faults."""

        def counted(what: str, name: str) -> str:
            return str((counts.sheets if what == "sheets" else counts.pages).get(name, 0))

        functions = BookFunctions(self.game, self.imprint, self.takes, counted)
        names = known_names(self.game, {}, lambda steps: documents.spend(steps))
        known = {**names, **functions.names(), "number": self._number, "each": self.game.each or Nobody()}
        documents = Documents(known, self.game.language, self.game.words)
        try:
            filled = documents.fill(manual.text)
        except BadDocument as bad:
            fault = Fault("bad-book", str(bad), bad.line, bad.value, bad.allowed, bad.hint)
            return Text((), (), (), (fault,))
        read = manual.name, filled, tuple(functions.asked)
        if read not in self._read:
            stage = partial(
                staged, self.game, manual.accent, unprintable=unprintable, grounds=self._grounds, tint=manual.tint
            )
            text = parse(
                filled, manual.text, functions.asked, self.game.language, self._colour, stage, self._ids(manual, counts)
            )
            other = other_pictures(self.game, functions.asked, manual.text)
            self._read[read] = replace(text, faults=(*text.faults, *other))
        return self._read[read]

    def _ids(self, manual: Manual, counts: Counts) -> Sequence[str]:
        """The ids of the headings of a translated book: those that its author knows, by which other pages lead to them."""
        if manual.source is None:
            return ()
        text, language = manual.source
        author = replace(self, game=replace(self.game, language=language), _read={}, _grounds={})
        return author.text(replace(manual, text=text, source=None), counts).ids

    def _colour(self, name: str) -> str | None:
        """A colour of CSS or the palette, as it is printed in this ink."""
        code = named(name, self.game.palette)
        return self.recolouring.text(code) if code else None

    def _number(self, value: object) -> str:
        """A number with the mark between its thousands that the game uses, or the language that it is translated into."""
        words = self.game.rules.words
        own = words.thousands if words and words.thousands else ","
        mark = (self.game.spoken and thousands_mark(self.game.spoken)) or own
        return f"{value:,}".replace(",", mark) if isinstance(value, int) else str(value)

    def tell(self, manual: Manual, text: Text, problems: Problems) -> None:
        """What is wrong with a book, as Problems with their lines."""
        for fault in text.faults:
            place = manual.at(fault.line)
            about = fault.value, fault.allowed, fault.hint
            problems.extend([Problem(fault.rule, place, fault.message, *about, fault.severity)])
        for wish in text.wishes:
            if wish.form in ("art", "icon"):
                self._drawing(manual, wish, problems)
        if manual.cover:
            self._drawing(manual, Wish("art", manual.cover), problems)
        self._letters(manual, text, problems)
        for key in ("title", "subtitle", "foot", "contents"):
            for letter in self.fonts.missing(getattr(manual, key), self.fonts.families("title")):
                message = f"no font of the game has {letter} (U+{ord(letter):04X}), which is in the {key}"
                problems.error("missing-glyph", manual.place, message, value=letter)

    def drawing(self, wish: Wish) -> Shot:
        """A drawing or icon. Raises BadDrawing."""
        found = self.art.icon(wish.name, ICON_INK) if wish.form == "icon" else self.art.drawing(wish.name, ICON_INK)
        found = self.recolouring.drawing(found, ICON_WIDTH if wish.form == "icon" else ART_WIDTH)
        return Shot(found.data, found.file.rpartition(".")[2], found.width, found.height)

    def _drawing(self, manual: Manual, wish: Wish, problems: Problems) -> None:
        try:
            self.drawing(wish)
        except NoArt as fault:
            on_cover = wish.name == manual.cover and wish.name not in manual.text
            line = line_of(manual.text, f":{wish.name}:" if wish.form == "icon" else wish.name)
            place = manual.place if on_cover else manual.at(line)
            problems.error("missing-art", place, str(fault), value=fault.value, allowed=fault.allowed, hint=fault.hint)
        except svg.BadDrawing as fault:
            line = line_of(manual.text, wish.name)
            problems.error("bad-drawing", manual.at(line), f"{wish.name}: {fault}", value=wish.name)

    def _letters(self, manual: Manual, text: Text, problems: Problems) -> None:
        """Every character is in one of the game's fonts."""
        for italic in (False, True):
            unknown = [letter for letter in self._missing(text, italic) if letter not in SYMBOLS]
            if unknown:
                place = manual.at(line_of(manual.text, *unknown))
                message = missing_glyphs(unknown, italic)
                problems.error("missing-glyph", place, message, value=unknown[0], hint=MISSING_HINT)

    def _missing(self, text: Text, italic: bool) -> list[str]:
        """The letters of a book that no font with a role has."""
        said = "".join(run.text for run in runs_of((*text.blocks, *text.back)) if run.italic == italic)
        return self.fonts.missing(said, self.fonts.families("body"), italic)

    def symbols(self, text: Text) -> str:
        """Those that the font for symbols shows."""
        return "".join(sorted({*self._missing(text, False), *self._missing(text, True)} & SYMBOLS))


@dataclass(slots=True)
class Typesetter:
    """Sets the books of a drawn game; pictures are made once for all."""

    drawn: Drawn
    book: Book
    reader: Reader
    problems: Problems
    proof: bool = False
    """Only to see whether all is well: with coarse pictures."""
    _shots: dict[Wish, Shot] = field(default_factory=dict)
    _widths: dict[Wish, float] = field(default_factory=dict)

    def edition(self, manual: Manual, paper: Paper, text: Text) -> Edition | None:
        """A book on one paper; None when something is wrong, which is among the problems then."""
        shots = {index: self._shots[wish] for index, wish in enumerate(text.wishes)}
        if not self._notes_found(manual, text, shots):
            return None
        cover = self.reader.drawing(Wish("art", manual.cover)) if manual.cover else None
        manual = self._printed(manual)
        small = self._set(manual, text, shots, cover, paper.halved())
        if small is None:
            return None
        if manual.form == "card" and small.pages > 2:
            self.problems.error(
                "long-card",
                Place(manual.file),
                f"on {paper.halved().name} this card has {small.pages} pages",
                value=str(small.pages),
                allowed="a front and a back",
                hint="Shorten it, or make it a book.",
            )
        return Edition(manual, paper, text, shots, cover, small, None)

    def completed(self, edition: Edition) -> Edition:
        """The same with a book in full size: set once the numbers in it are known, for it decides none of them."""
        if edition.manual.form != "book":
            return edition
        full = self._set(edition.manual, edition.text, edition.shots, edition.cover, edition.paper)
        return replace(edition, full=full)

    def _set(self, manual: Manual, text: Text, shots: Mapping[int, Shot], cover: Shot | None, page: Paper) -> SetBook | None:
        game, fonts = self.drawn.game, self.reader.fonts
        roles = {role: fonts.families(role if role in game.fonts else "body") for role in ("title", "body")}
        roles["symbols"] = (FAMILY,)
        author, foot = game.about.get("designer", ""), f"{game.title} {game.version}"
        try:
            kept, symbols = (self.drawn.cache, self.drawn.makers), self.reader.symbols(text)
            style = HouseStyle(fonts.engine, roles, game.language, author, foot, *kept, symbols)
            return typeset(manual, text, shots, cover, page, style)
        except Unset as fault:
            self.problems.error("unset-book", Place(manual.file), f"the book cannot be set: {fault}")
            return None

    def _printed(self, manual: Manual) -> Manual:
        """A book's cover lines as they are printed: with the marks of the language, in colours that suit the ink."""
        language, ink = self.drawn.game.language, self.reader.recolouring
        return replace(
            manual,
            title=smart(manual.title, language),
            subtitle=smart(manual.subtitle, language),
            foot=smart(manual.foot, language),
            cover_ink=manual.cover_ink and ink.text(manual.cover_ink),
            foot_ink=ink.text(manual.foot_ink),
        )

    def shoot(self, texts: Iterable[Text]) -> None:
        """Make the pictures that texts wish for and that are not there yet, or larger than they are."""
        wanted: dict[Wish, float] = {}
        for text in texts:
            for index, wish in enumerate(text.wishes):
                if text.widths[index] > self._widths.get(wish, 0.0):
                    wanted[wish] = max(wanted.get(wish, 0.0), text.widths[index])
        self._widths |= wanted
        drawings = {wish: self.reader.drawing(wish) for wish in wanted if wish.form in ("art", "icon")}
        pieces = {wish: width for wish, width in wanted.items() if wish not in drawings}
        self._shots |= {**drawings, **shoot(self.drawn, self.book, pieces, PROOF_DPI if self.proof else DPI)}

    def _notes_found(self, manual: Manual, text: Text, shots: Mapping[int, Shot]) -> bool:
        """Whether every note of an anatomy is about a text that the piece has."""
        found = True
        for figure in figures_of((*text.blocks, *text.back)):
            for note in figure.notes:
                known = shots[figure.pictures[0]].boxes
                if note.box not in known:
                    found = False
                    self.problems.error(
                        "unknown-text",
                        manual.at(line_of(manual.text, f'"{note.box}"', note.box)),
                        f'no text on this piece is called "{note.box}"',
                        value=note.box,
                        allowed=listed(known, 24),
                        hint=closest(note.box, known) or "Name it in the template with data-name.",
                    )
        return found


def screen_page(game: Game, edition: Edition, cache: Cache | None) -> bytes:
    """The edition for a screen; its page numbers are those of the booklet."""
    fonts = Fonts(game, cache)
    title, body = (fonts.families(role if role in game.fonts else "body")[0] for role in ("title", "body"))
    families = {"title": fonts.files[title], "body": fonts.files[body], "bold": fonts.bold.get(body, fonts.files[body])}
    look = Look(game.language, families, game.template_roots, cache, engines_digest())
    return book_page(edition.manual, edition.text, edition.shots, edition.cover, edition.small.headings, look)
