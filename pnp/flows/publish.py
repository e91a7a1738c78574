"""Makes books: fills in and reads their texts, pictures the pieces, sets pages until the numbers in them settle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path

from pnp import __version__
from pnp.books.functions import Asked, BookFunctions, imprint_lines
from pnp.books.markdown import parse
from pnp.books.page import Look, book_page
from pnp.books.scenes import Grounds, other_pictures, staged
from pnp.books.spans import figures_of, line_of, runs_of, smart
from pnp.books.typeset import HouseStyle, typeset
from pnp.check.evaluator import known_names
from pnp.check.setup import taken
from pnp.draw.art import Art, NoArt
from pnp.draw.fonts import Fonts
from pnp.draw.inks import Recolouring
from pnp.draw.markup import FAMILY, SYMBOLS, first_of, missing_glyphs, missing_hint
from pnp.draw.settexts import set_texts
from pnp.flows.drawn import Drawn, Tell, book_for, in_forms, lacking, layers_on, with_labels_set
from pnp.lay.picture import PLAN, Picture, layout_picture, made_picture
from pnp.lay.scene import scene_picture
from pnp.read.languages import thousands_mark
from pnp.read.project import shipped_templates
from pnp.sandbox import Nobody
from pnp.sandbox.jinja import Documents
from pnp.sandbox.markup import literally
from pnp.shapes.affine import Affine, Rect, scaling, translation
from pnp.shapes.colour import named
from pnp.svg import safe as svg
from pnp.system.cache import Cache, engines_digest
from pnp.system.watchdog import at
from pnp.values.books import Counts, Edition, Heading, SetBook, Shot, Text, Wish
from pnp.values.faces import Book, Face, Page, PlacedFace
from pnp.values.game import KINDS, Game, Ink, Manual, Paper, Side
from pnp.values.languages import leftwards
from pnp.values.problems import Fault, Place, Problems, closest, listed
from pnp.write.pdf import text_width

# Ten dots a millimetre: flat art is crisp, and a third less to pack than at 300.
DPI = 254
# Wider pictures are a little less fine, but fine enough; on a screen none has more pixels across.
WIDEST = 130.0
SCREEN = 900
# Around pictures whose edge is a line of its own, so that the line is not halved.
RIM = 0.4


def shoot(drawn: Drawn, book: Book, wishes: Mapping[Wish, float], dpi: int) -> dict[Wish, Shot]:
    """A PNG for each wish, fine enough for its printed width."""
    from pnp.write.png import render_twice

    if not wishes:
        return {}
    pictures = {wish: _picture(drawn, wish, min(shown, WIDEST)) for wish, shown in wishes.items()}
    pages = []
    for wish, shown in wishes.items():
        picture, _ = pictures[wish]
        width = picture.width if wish.scene else min(shown, WIDEST)
        scale = width / picture.width
        bare = wish.scene is not None and not wish.scene.framed
        rim = RIM if wish.form in ("folded", "layout") or bare else 0.0
        paper = Paper("picture", width + 2 * rim, picture.height * scale + 2 * rim)
        pages.append(Page(paper, tuple(picture.at(translation(rim, rim) @ scaling(scale, scale)))))
    labelled = with_labels_set(drawn, pages)
    if labelled != pages:
        pages, book = labelled, book + book_for(drawn, layers_on(labelled), book.pages)
    made = in_forms(drawn, pages, book, f"{dpi} {SCREEN}", lambda pdf: render_twice(pdf, dpi, SCREEN))
    boxes: dict[str, dict[str, Rect]] = {}
    for text in set_texts(drawn.game, drawn.decks, book.fits):
        if text.name:
            # From the side a line ends at the letters; how high, the box says: a higher one can take in what they name.
            across = text.ink or text.box
            named_box = Rect(across.x, text.box.y, across.width, text.box.height)
            boxes.setdefault(text.face, {}).setdefault(text.name, named_box)
    rounded = {component.name for component in drawn.game.components if KINDS[component.kind].rounded}
    shots = {}
    for (wish, (picture, face)), (data, screen) in zip(pictures.items(), made, strict=True):
        rectangle = wish.scene.framed if wish.scene else wish.form in ("front", "back") and wish.name in rounded
        named = boxes.get(face.key, {}) if face else {}
        shots[wish] = Shot(data, "png", picture.width, picture.height, screen, named, rectangle)
    return shots


def _picture(drawn: Drawn, wish: Wish, widest: float) -> tuple[Picture, Face | None]:
    """A picture, and the face of it where that is one side of a piece."""
    decks = {deck.component.name: deck for deck in drawn.decks}
    if wish.scene is not None:
        return scene_picture(wish.scene, decks, text_width, Recolouring(drawn.context.ink).text, widest), None
    if wish.form == "layout":
        layout = next(layout for layout in drawn.game.layouts if layout.name == wish.name)
        return layout_picture(layout, decks[layout.component]), None
    pieces = decks[wish.name].pieces
    piece = next((piece for piece in pieces if piece.id == wish.piece), pieces[len(pieces) // 2])
    if wish.form == "folded":
        return made_picture(decks[wish.name], piece), None
    side: Side = "back" if wish.form == "back" else "front"
    face = piece.side(side) or piece.front
    placed = PlacedFace(face, PLAN, side, Affine(), face.trim, face.outline)
    return Picture((placed,), face.width, face.height), piece.side(side) if wish.form in ("front", "back") else None


PROOF_DPI = 36
# Drawings in books are about so wide, in mm.
ICON_WIDTH, ART_WIDTH = 4.0, 100.0
ICON_INK = "#1c1f26"
# The widest page, and how much wider than asked for a picture may come to be shown.
PAGE, MORE = 210.0, 1.5


@dataclass(slots=True)
class Reader:
    """Fills in and parses the books of a game."""

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
    def of(cls, game: Game, ink: Ink = "", cache: Cache | None = None) -> Reader:
        art, fonts = Art(game, cache), Fonts(game)
        families = [family for family in dict.fromkeys(chain(*fonts.roles.values())) if family in fonts.files]
        licences = {family: literally(fonts.licence(family)) for family in families}
        return cls(game, art, fonts, Recolouring(ink), imprint_lines(game, licences), taken(game))

    def text(self, manual: Manual, counts: Counts) -> Text:
        """A book's blocks with the numbers of a printing; its faults are listed in it."""

        def counted(what: str, name: str) -> str:
            return str((counts.sheets if what == "sheets" else counts.pages).get(name, 0))

        functions = BookFunctions(self.game, self.imprint, self.takes, counted)
        names = known_names(self.game, {})
        known = {**names, **functions.names(), "number": self._number, "each": self.game.each or Nobody()}
        documents = Documents(known, self.game.language, self.game.words)
        try:
            filled = documents.fill(manual.text)
        except Fault as bad:
            return Text((), (), (), (bad.problem("bad-book"),))
        read = manual.name, filled, tuple(functions.asked)
        if read not in self._read:
            foreign, ids = partial(lacking, self.fonts), self._ids(manual, counts)
            stage = partial(staged, self.game, manual.accent, unprintable=foreign, grounds=self._grounds, tint=manual.tint)
            text = parse(filled, manual.text, functions.asked, self.game.language, self._colour, stage, ids)
            other = other_pictures(self.game, functions.asked, manual.text)
            self._read[read] = replace(text, faults=(*text.faults, *other))
        return self._read[read]

    def _ids(self, manual: Manual, counts: Counts) -> Sequence[str]:
        if manual.source is None:
            return ()
        text, language = manual.source
        author = replace(self, game=replace(self.game, language=language), _read={}, _grounds={})
        return author.text(replace(manual, text=text, source=None), counts).ids

    def _colour(self, name: str) -> str | None:
        code = named(name, self.game.palette)
        return self.recolouring.text(code) if code else None

    def _number(self, value: object) -> str:
        words = self.game.rules.words
        own = words.thousands if words and words.thousands else ","
        mark = (self.game.spoken and thousands_mark(self.game.spoken)) or own
        return f"{value:,}".replace(",", mark) if isinstance(value, int) else str(value)

    def tell(self, manual: Manual, text: Text, problems: Problems) -> None:
        """Reports a book's faults as Problems with their lines."""
        problems.extend(replace(fault, place=manual.at(fault.place.row)) for fault in text.faults)
        drawn = [wish for wish in text.wishes if wish.form in ("art", "icon")]
        for wish in (*drawn, *(Wish("art", name) for name in (manual.cover, *manual.vignettes) if name)):
            try:
                self.drawing(wish)
            except NoArt as fault:
                outside = wish.name in (manual.cover, *manual.vignettes) and wish.name not in manual.text
                line = line_of(manual.text, f":{wish.name}:" if wish.form == "icon" else wish.name)
                problems.extend([fault.problem("missing-art", manual.place if outside else manual.at(line))])
            except svg.BadDrawing as fault:
                place = manual.at(line_of(manual.text, wish.name))
                problems.error("bad-drawing", place, f"{wish.name}: {fault.message}", value=wish.name)
        if not self.fonts.whole:
            return  # Its letters may be in the font that is not there.
        for italic in (False, True):
            if unknown := [letter for letter in self._missing(text, italic) if letter not in SYMBOLS]:
                place, message = manual.at(line_of(manual.text, *unknown)), missing_glyphs(unknown, italic)
                problems.error("missing-glyph", place, message, value=unknown[0], hint=missing_hint(unknown[0]))
        for key in ("title", "subtitle", "foot", "contents"):
            if missing := self.fonts.missing(getattr(manual, key), self.fonts.families("title")):
                are = "is" if len(missing) == 1 else "are"
                message = f"no font of the game has {first_of(missing)}, which {are} in the {key}"
                problems.error("missing-glyph", manual.place, message, value=missing[0], hint=missing_hint(missing[0]))

    def drawing(self, wish: Wish, width: float = PAGE) -> Shot:
        """A drawing or icon that is shown ``width`` mm wide, or somewhat wider. Raises BadDrawing."""
        found = self.art.icon(wish.name, ICON_INK) if wish.form == "icon" else self.art.drawing(wish.name, ICON_INK)
        found = self.art.sized(found, MORE * width, MORE * width * found.height / found.width)
        found = self.recolouring.drawing(found, ICON_WIDTH if wish.form == "icon" else ART_WIDTH)
        return Shot(found.data, found.file.rpartition(".")[2], found.width, found.height)

    def _missing(self, text: Text, italic: bool) -> list[str]:
        said = "".join(run.text + run.ruby for run in runs_of((*text.blocks, *text.back)) if run.italic == italic)
        return self.fonts.missing(said, self.fonts.families("body"), italic)

    def symbols(self, text: Text) -> str:
        """The characters of a text that the symbol font shows."""
        return "".join(sorted({*self._missing(text, False), *self._missing(text, True)} & SYMBOLS))


@dataclass(slots=True)
class Typesetter:
    """Sets the books of a drawn game; makes each picture once."""

    drawn: Drawn
    book: Book
    reader: Reader
    problems: Problems
    proof: bool = False
    """Only to see whether all is well: with coarse pictures."""
    _shots: dict[Wish, Shot] = field(default_factory=dict)
    _widths: dict[Wish, float] = field(default_factory=dict)

    def edition(self, manual: Manual, paper: Paper, text: Text) -> Edition | None:
        """Sets a book for one paper; None when something is wrong, with Problems."""
        shots = {index: self._shots[wish] for index, wish in enumerate(text.wishes)}
        figures = figures_of((*text.blocks, *text.back))
        notes = [(note, shots[figure.pictures[0]].boxes) for figure in figures for note in figure.notes]
        for note, known in notes:
            if note.box not in known:
                place = manual.at(line_of(manual.text, f'"{note.box}"', note.box))
                message = f'no text on this piece is called "{note.box}"'
                hint = closest(note.box, known) or "Name it in the template with data-name."
                self.problems.error("unknown-text", place, message, value=note.box, allowed=listed(known, 24), hint=hint)
        if any(note.box not in known for note, known in notes):
            return None
        cover = self.reader.drawing(Wish("art", manual.cover)) if manual.cover else None
        language, ink = self.drawn.game.language, self.reader.recolouring
        manual = replace(
            manual,
            title=smart(manual.title, language),
            subtitle=smart(manual.subtitle, language),
            foot=smart(manual.foot, language),
            cover_ink=manual.cover_ink and ink.text(manual.cover_ink),
            foot_ink=ink.text(manual.foot_ink),
        )
        if (small := self._set(manual, text, shots, cover, paper.halved())) is None:
            return None
        if manual.form == "card" and small.pages > 2:
            place = Place(manual.file)
            message = f"on {paper.halved().name} this card has {small.pages} pages"
            allowed, hint = "a front and a back", "Shorten it, or make it a book."
            self.problems.error("long-card", place, message, value=str(small.pages), allowed=allowed, hint=hint)
        return Edition(manual, paper, text, shots, cover, small, None)

    def completed(self, edition: Edition) -> Edition:
        """The edition with a book in full size as well: set last, for no number depends on it."""
        if edition.manual.form != "book":
            return edition
        full = self._set(edition.manual, edition.text, edition.shots, edition.cover, edition.paper)
        return replace(edition, full=full)

    def _set(self, manual: Manual, text: Text, shots: Mapping[int, Shot], cover: Shot | None, page: Paper) -> SetBook | None:
        game, fonts = self.drawn.game, self.reader.fonts
        roles = {role: fonts.families(role if role in fonts.roles else "body") for role in ("title", "body")}
        roles["symbols"] = (FAMILY,)
        headings = "".join(run.text for run in runs_of(each for each in text.blocks if isinstance(each, Heading)))
        weight = fonts.weight(roles["title"], manual.title + headings, 400)
        author, foot = game.about.get("designer", ""), f"{smart(game.title, game.language)} {game.version}"
        eastern, bullet = fonts.eastern(roles["title"], game.language), fonts.bullet(roles["body"])
        kept, symbols = (self.drawn.cache, self.drawn.makers), self.reader.symbols(text)
        style = HouseStyle(fonts.engine, roles, game.language, author, foot, *kept, symbols, weight, eastern, bullet)
        vignettes = [self.reader.drawing(Wish("art", name)) for name in manual.vignettes]
        try:
            return typeset(manual, text, shots, cover, page, style, vignettes)
        except Fault as fault:
            self.problems.error("unset-book", Place(manual.file), f"the book cannot be set: {fault.message}")
            return None

    def shoot(self, texts: Iterable[Text]) -> None:
        """Makes the pictures that texts wish for and that are missing, or wanted larger."""
        wanted: dict[Wish, float] = {}
        for text in texts:
            for index, wish in enumerate(text.wishes):
                if text.widths[index] > self._widths.get(wish, 0.0):
                    wanted[wish] = max(wanted.get(wish, 0.0), text.widths[index])
        self._widths |= wanted
        drawings = {wish: self.reader.drawing(wish, wanted[wish]) for wish in wanted if wish.form in ("art", "icon")}
        pieces = {wish: width for wish, width in wanted.items() if wish not in drawings}
        self._shots |= {**drawings, **shoot(self.drawn, self.book, pieces, PROOF_DPI if self.proof else DPI)}


def screen_look(game: Game, cache: Cache | None) -> Look:
    """The look that all HTML pages of the game have in common."""
    fonts = Fonts(game, cache)
    title, body = (fonts.families(role if role in fonts.roles else "body")[0] for role in ("title", "body"))
    families = {"title": fonts.files[title], "body": fonts.files[body], "bold": fonts.bold.get(body, fonts.files[body])}
    numbers = {"title": fonts.number(title), "body": fonts.number(body), "bold": fonts.number(body)}
    return Look(game.language, families, shipped_templates() / "shared", cache, engines_digest(), numbers)


MOST_PASSES = 5


def proofread(game: Game, problems: Problems) -> set[Path]:
    """Reports what is wrong with the texts of a game's books, without setting them; returns the drawings they use."""
    if not game.manuals:
        return set()
    reader = Reader.of(game)
    for manual in game.manuals:
        at(f"reading the book {manual.name} ({manual.file})", brief=True)
        reader.tell(manual, reader.text(manual, Counts()), problems)
    return set(filter(None, reader.art.asked.values()))


def reread(game: Game, manual: Manual, problems: Problems, reader: Reader | None) -> Reader:
    """Reports what is wrong with one book's text; returns the Reader for the next one."""
    # Of what was read before nothing is kept: there are many such texts.
    reader = Reader.of(game) if reader is None else replace(reader, _read={})
    reader.tell(manual, reader.text(manual, Counts()), problems)
    return reader


def publish(
    drawn: Drawn, book: Book, printed: Mapping[Paper, Counts], problems: Problems, tell: Tell, proof: bool = False
) -> list[Edition]:
    """Sets every book for every paper until the numbers in it agree with the result; empty when something is wrong.

    ``proof``: only to find what is wrong.
    """
    game = drawn.game
    if not game.manuals or problems.errors:
        return []
    tell(f"{game.name}: setting the books: {listed(manual.name for manual in game.manuals)}")
    reader = Reader.of(game, drawn.context.ink, drawn.cache)
    typesetter = Typesetter(drawn, book, reader, problems, proof)
    counts = dict(printed)
    editions: dict[tuple[Manual, Paper], Edition] = {}
    for _ in range(MOST_PASSES):
        texts = {(manual, paper): reader.text(manual, counts[paper]) for manual in game.manuals for paper in printed}
        changed = {key: text for key, text in texts.items() if key not in editions or editions[key].text != text}
        if not changed:
            return [edition if proof else typesetter.completed(edition) for edition in editions.values()]
        for (manual, _), text in changed.items():
            reader.tell(manual, text, problems)
        if problems.errors:
            return []
        typesetter.shoot(changed.values())
        for (manual, paper), text in changed.items():
            # As long as it takes: an honest book of a hundred pages needs a slow computer half a minute.
            at(f"setting the book {manual.name} ({manual.file}) for {paper.name}")
            if made := typesetter.edition(manual, paper, text):
                editions[manual, paper] = made
        if problems.errors:
            return []
        counts = dict(printed)
        for (manual, paper), edition in editions.items():
            said = counts[paper]
            sheets, pages = {manual.name: edition.sheets}, {manual.name: str(edition.small.pages)}
            counts[paper] = Counts({**said.sheets, **sheets}, {**said.pages, **pages})
    message = f"the number of its pages still changes after {MOST_PASSES} passes: it shows more when it is longer"
    hint = "Take sheets() and pages() of books out of conditions."
    problems.error("unstable-book", Place(game.manuals[0].file), message, hint=hint)
    return []


def files_of(game: Game, editions: Sequence[Edition], cache: Cache | None = None) -> Iterator[tuple[str, Manual, bytes]]:
    """The files of set books, each with its book: full size, half size, imposed, and HTML."""
    if not editions:
        return
    from pnp.lay.impose import booklet_sides, card_sides
    from pnp.write.pdf import write_imposed

    paged: set[str] = set()
    for edition in editions:
        manual, paper, small = edition.manual, edition.paper, edition.paper.halved()
        stem = f"{paper.name}/{manual.name}"
        title = f"{manual.title}: {manual.subtitle}" if manual.subtitle else manual.title
        yield f"{stem}-{small.name}.pdf", manual, edition.small.pdf
        if edition.full is not None:
            yield f"{stem}.pdf", manual, edition.full.pdf
            sides = booklet_sides(edition.small.pages, paper, manual.creep, leftwards(game.language))
        else:
            sides = card_sides(edition.small.pages, paper)
        imposed = write_imposed(edition.small.pdf, sides, title, game.language, f"pnp-press {__version__}")
        yield f"{paper.name}/{edition.printed}", manual, imposed
        if manual.name not in paged:
            paged.add(manual.name)
            # Its page numbers are those of the booklet.
            set_in = edition.cover, edition.small.headings, screen_look(game, cache)
            yield f"{manual.name}.html", manual, book_page(manual, edition.text, edition.shots, *set_in)
