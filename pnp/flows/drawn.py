"""Draws a game's decks; makes of them the book of layers, sheets, pages, PDFs and pictures, and measures their ink."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pnp import __version__
from pnp.draw.cards import DrawContext, draw_component
from pnp.draw.fonts import FONTLESS, Fonts, check_fonts
from pnp.draw.layer_pdf import make_book
from pnp.draw.plan import draw_heading, draw_label, rounded
from pnp.draw.settexts import in_one_size, shown_faces
from pnp.draw.template import Templates, shows_both
from pnp.lay import reference_pages
from pnp.lay.gang import ganged
from pnp.lay.grid import CARDS as TEMPLATE_CARDS
from pnp.lay.grid import PAPERS as TEMPLATE_PAPERS
from pnp.lay.grid import TooLarge, template_of
from pnp.lay.impose import PrintSettings, pages, sheets
from pnp.lay.picture import PLAN
from pnp.lay.sheet import AnySheet, Sheet, ShownSheet, runs
from pnp.shapes.affine import Rect, scaling, translation
from pnp.system.cache import Cache, apart, digest, engines_digest, together
from pnp.system.paths import digest_of
from pnp.system.watchdog import at
from pnp.values.faces import Book, Deck, Face, Item, Label, Layer, Page, Piece, PlacedFace
from pnp.values.game import KINDS, MARGIN, Backs, Component, Game, Ink, Layout, Paper, Side
from pnp.values.languages import ENGLISH, N_, Words
from pnp.values.outcome import Options
from pnp.values.problems import About, Place, Problems, listed
from pnp.values.walk import grouped
from pnp.write.pdf import Document, Stock, pdf_parts, text_width, unprintable
from pnp.write.png import Ink as Coverage
from pnp.write.png import coverage, mean_ink

Tell = Callable[[str], None]

# In pt: no text is set smaller.
LEAST_LABEL = 2.0
# Each takes as long as the paper's own margin.
WIDER_MARGINS = (4.0, 5.0, 6.0, MARGIN)

HOW_TO_PRINT: dict[Backs, str] = {
    "long-edge": N_("Print at 100 %, on both sides, flip on long edge"),
    "short-edge": N_("Print at 100 %, on both sides, flip on short edge"),
    "gutterfold": N_("Print at 100 %, on one side, fold along the dashed line"),
    "none": N_("Print at 100 %, on one side"),
}


@dataclass(slots=True)
class Drawn:
    """A game with its decks drawn, ready to be laid out on any paper."""

    game: Game
    context: DrawContext
    decks: list[Deck]
    cache: Cache | None = None
    """Where layers are kept that were set before."""
    stock: Stock = field(default_factory=Stock)
    """What its PDFs are made from."""

    def lacking(self, text: str) -> list[str]:
        """The letters of a text that marks cannot show."""
        return lacking(self.context.tools.fonts, text)

    @property
    def makers(self) -> str:
        """A digest of all that decides how its layers look: the fonts, the engines, pnp itself."""
        return digest(engines_digest(), self.context.tools.fonts.fingerprint)


def draw_game(
    game: Game, problems: Problems, tell: Tell, ink: Ink = "", cache: Cache | None = None, other: Game | None = None
) -> Drawn:
    """Draws the decks of a game; reports what cannot be drawn. ``other``: the game in the language of its backs."""
    # Of a damaged font some libraries read letters without end.
    at(f"reading the fonts of {game.name}", brief=True)
    context = DrawContext(game, problems, ink, cache)
    if missing := lacking(context.tools.fonts, game.version):
        message = f'the marks on the sheets cannot show "{"".join(missing)}" of the game\'s version'
        hint = "Use Latin, Greek or Cyrillic letters, digits, or letters of the game's own fonts."
        problems.error("unprintable-title", game.place_of("game.version"), message, value="".join(missing), hint=hint)
    _marked(context, game.title, game.name, "the game", game.place_of("game.name"))
    for layout in game.layouts:
        _marked(context, layout.title, layout.name, "the layout", layout.place)
    check_fonts(game, context.tools.fonts, problems)
    if missing := _unmarked(game.words, context.tools.fonts):
        message = f'the marks and steps on the sheets are in English: no font has "{"".join(missing[:8])}"'
        hint = f"Name one that has these letters last in fonts.{game.language}.body."
        problems.warn("unprintable-words", game.place_of("fonts"), message, value=missing[0], hint=hint)
    tell(f"{game.name}: drawing, designs: {sum(len(component.table.rows) for component in game.components)}")
    decks = [marked_deck(context, draw_component(context, component)) for component in game.components]
    if other is not None:
        decks = _with_backs(decks, context, DrawContext(other, problems, ink, cache))
    context.tell_missing()
    if settable(problems):
        decks = in_one_size(decks, context)
    return Drawn(game, context, decks, cache)


def two_sided(first: Game, second: Game) -> tuple[Game, Game]:
    """A game in two languages, for fronts and for backs: a flat piece without a back has its front again."""
    templates = Templates(first.template_roots, {})

    def backed(component: Component) -> Component:
        if component.back or not KINDS[component.kind].held or shows_both(templates, component, second.language):
            return component
        return replace(component, back=component.template)

    ours, theirs = (replace(game, components=tuple(map(backed, game.components))) for game in (first, second))
    return replace(ours, other=second.language), theirs


def _with_backs(decks: Sequence[Deck], context: DrawContext, other: DrawContext) -> list[Deck]:
    """The decks with the backs of another language; warns where that stands on no side, though the fronts say something."""
    check_fonts(other.game, other.tools.fonts, context.problems)
    made: list[Deck] = []
    alone: list[str] = []
    for deck, component in zip(decks, other.game.components, strict=True):
        if shows_both(context.templates, component, other.game.language):
            made.append(deck)
            continue
        beside = draw_component(other, component)
        pairs = [*zip(deck.pieces, beside.pieces, strict=True)]
        for face in (theirs.back for _, theirs in pairs if theirs.back and theirs.back.layers):
            context.show(face, other.origins[face.layers[0].layer.key])
        made.append(replace(deck, pieces=tuple(replace(ours, back=theirs.back) for ours, theirs in pairs)))
        if component.back != component.template and any(ours.front.key != theirs.front.key for ours, theirs in pairs):
            alone.append(component.name)
    other.tell_missing()
    if alone:
        message = f"their fronts are in {context.game.language} alone: {listed(alone)}"
        hint = "Show the other language as well: {{ row.name | tr(game.other) }}"
        place = context.game.place_of("game.language")
        context.problems.warn("one-language", place, message, value=other.game.language, hint=hint)
    return made


def lacking(fonts: Fonts, text: str) -> list[str]:
    """The letters of a text that neither the marks' font nor those of the game's texts have."""
    letters = unprintable(text)
    return fonts.missing("".join(letters), fonts.families("body")) if letters else []


def _marked(context: DrawContext, title: str, name: str, what: str, place: Place) -> str:
    """The name of a thing in slug lines: its title, or its name where no font has all letters of it."""
    if not (missing := lacking(context.tools.fonts, title)):
        return rounded(title)
    message = f'the marks on the sheets cannot show "{"".join(missing)}": they call {what} "{name}"'
    hint = "Marks have Latin, Greek and Cyrillic letters, and those of the fonts of the role body."
    context.problems.warn("unprintable-title", place, message, value="".join(missing), hint=hint)
    return name


def marked_deck(context: DrawContext, deck: Deck) -> Deck:
    """The deck with a title that the marks on its sheets can show; warns where that is not its own."""
    component = deck.component
    title = _marked(context, component.title, component.name, "the component", component.place)
    return deck if title == component.title else replace(deck, component=replace(component, title=title))


def settable(problems: Problems) -> bool:
    """Whether all fonts are there."""
    return not any(problem.rule in FONTLESS for problem in problems.errors)


def layers_on(pages: Sequence[Page]) -> dict[str, Layer]:
    """The layers of all faces on these pages, by key."""
    faces = (item.face for page in pages for item in page.items if isinstance(item, PlacedFace))
    return {placed.layer.key: placed.layer for face in faces for placed in face.layers}


def book_for(drawn: Drawn, layers: Mapping[str, Layer], known: Container[str]) -> Book:
    """Sets those layers whose keys are not ``known``. What is wrong with them is told with the whole book."""
    new = [layer for key, layer in layers.items() if key not in known]
    return make_book(new, drawn.context.tools.fonts, drawn.context.origins, Problems()) if new else Book((), {})


def book_of(drawn: Drawn, problems: Problems, tell: Tell, book: Book | None = None) -> Book | None:
    """Sets everything drawn, added to an earlier book; None when fonts for it are missing."""
    if not settable(problems):
        return None
    before = book or Book((), {})
    layers = [layer for layer in drawn.context.layers() if layer.key not in before.pages]
    if book is None:
        tell(f"{drawn.game.name}: setting texts and drawings, layers: {len(layers)}")
    elif not layers:
        return book
    return before + make_book(layers, drawn.context.tools.fonts, drawn.context.origins, problems, drawn.cache)


def sheets_of(decks: Sequence[Deck], paper: Paper, options: Options, problems: Problems) -> list[AnySheet]:
    """Lays decks out on a paper, in print order; pieces that do not fit are Problems.

    Packing is a guess at the fewest sheets, and more room sometimes leads it astray: what lies within a wider margin is
    tried as well, so that a narrower one does not need more sheets.
    """
    best = _sheets_within(decks, paper, options, problems)
    # A machine's registration marks and ready templates have their own margins.
    if options.cutting or options.templates or problems.errors:
        return best
    for margin in (wider for wider in WIDER_MARGINS if paper.margin < wider):
        untold = Problems()
        made = _sheets_within(decks, replace(paper, margin=margin), options, untold)
        if not untold.errors and len(made) < len(best):
            best = made
    return best


def _sheets_within(decks: Sequence[Deck], paper: Paper, options: Options, problems: Problems) -> list[AnySheet]:
    made: list[AnySheet] = []
    for run in runs(decks):
        try:
            laid = sheets([run], paper, options.backs, options.cutting, options.templates)
            by_hand = [sheet.run.decks[0].component for sheet in laid if isinstance(sheet, Sheet) and sheet.by_hand]
            for component in {component.name: component for component in by_hand}.values():
                message = (
                    f"a piece of {component.width:g} × {component.height:g} mm is too large for registration marks on "
                    f"{paper.name}: its sheets have none, and are cut by hand"
                )
                hint, about = "Choose a larger paper, or make the piece smaller.", About(component.name)
                problems.warn("cut-by-hand", component.place, message, value=component.name, hint=hint, about=about)
            made += laid
        except TooLarge as error:
            component = error.component or run.decks[0].component
            narrower = "a narrower --margin or " if paper.margin > MARGIN else ""
            larger = f"Choose {narrower}a larger paper, such as {'a3 or tabloid' if paper.readable else 'a4 or letter'}."
            # Ten times too large both ways: centimetres for millimetres.
            tenth = f"Did you mean {component.width / 10:g} x {component.height / 10:g} mm? 1 cm is 10 mm."
            in_centimetres = min(component.width, component.height) >= max(paper.width, paper.height)
            value = f"{component.width:g} x {component.height:g} mm"
            hint = f"{tenth} {larger}" if in_centimetres else larger
            about = About(component.name)
            problems.error("piece-too-large", component.place, str(error), value=value, hint=hint, about=about)
    return ganged(made, decks, paper, options.cutting)


def shown_sheets(
    drawn: Drawn, decks: Sequence[Deck], made: Sequence[AnySheet], layouts: Sequence[Layout], paper: Paper
) -> list[ShownSheet]:
    """The pages that show how these decks are folded, how the boards are joined, and layouts; blocks share pages."""
    titled = [replace(each, title=each.name if drawn.lacking(each.title) else rounded(each.title)) for each in layouts]
    return reference_pages.shown_sheets(decks, drawn.decks, made, titled, paper)


def tell_templates(drawn: Drawn, paper: Paper, problems: Problems) -> None:
    """Reports what ready cutting templates cannot cut: paper or cards without one are errors."""
    place = drawn.game.place_of("game")
    if paper.name not in TEMPLATE_PAPERS:
        message = f"silhouette-card-maker has no cutting templates for {paper.name}"
        hint = "Choose one of these with --paper, or --cut silhouette, which takes any."
        problems.error("no-template", place, message, value=paper.name, allowed=", ".join(TEMPLATE_PAPERS), hint=hint)
        return
    by_hand = []
    for deck in drawn.decks:
        component = deck.component
        kind, outlined = KINDS[component.kind], any(piece.front.outline for piece in deck.pieces)
        if kind.parted or kind.nested or outlined:
            by_hand.append(component.name)
        elif template_of(paper, component.width, component.height) is None:
            size = f"{component.width:g} × {component.height:g} mm"
            message = f"silhouette-card-maker has no cutting template for cards of {size} on {paper.name}"
            allowed = ", ".join(f"{width:g} × {height:g}" for width, height, _ in TEMPLATE_CARDS.values())
            hint = "Choose another size, or --cut silhouette, which takes any."
            problems.error(
                "no-template", component.place, message, value=size, allowed=allowed, hint=hint, about=About(component.name)
            )
    if by_hand:
        message = f"silhouette-card-maker has templates for cards only, so that these are cut by hand: {listed(by_hand)}"
        hint = "--cut silhouette prints marks for all that a machine takes."
        problems.warn("cut-by-hand", place, message, value=listed(by_hand), hint=hint)


def tell_unreadable(drawn: Drawn, paper: Paper, problems: Problems) -> None:
    """Reports a paper too small for pages that are read."""
    if not paper.readable:
        message = (
            f"{paper.name} is too small for pages that are read: no book is set for it, and its print.pdf has no print plan "
            "and does not show how pieces are folded, joined or laid"
        )
        hint = "Build for a4 or letter as well, and read them there."
        problems.warn("no-plan", drawn.game.place_of("game"), message, value=paper.name, hint=hint)


def pages_of(drawn: Drawn, made: Sequence[AnySheet], paper: Paper, options: Options) -> list[Page]:
    """The printed sides of sheets, with the marks that the options ask for."""

    def heading(text: str, at: Rect) -> PlacedFace:
        face = draw_heading(drawn.context, text, at.width, at.height)
        return PlacedFace(face, PLAN, "front", translation(at.x, at.y), Rect(0, 0, at.width, at.height))

    settings = PrintSettings(
        paper,
        options.backs,
        options.calibration,
        slug_of(drawn, options),
        text_width,
        options.cutting,
        options.cut == "spot",
        options.marks == "both",
        marked_words(drawn),
        heading,
    )
    return with_labels_set(drawn, pages(made, settings))


def with_labels_set(drawn: Drawn, made: Sequence[Page]) -> list[Page]:
    """The pages with those labels that the marks' font cannot show set in the game's own fonts."""
    foreign = [item for page in made for item in page.items if isinstance(item, Label) and unprintable(item.text)]
    if not foreign:
        return [*made]
    # In their order, for that of layers is seen in the bytes of a file.
    placed: dict[Item, Item] = {}
    for label in dict.fromkeys(foreign):
        larger = replace(label, size_pt=max(label.size_pt, LEAST_LABEL))
        face, matrix = draw_label(drawn.context, larger, text_width(larger.text, larger.size_pt))
        placed[label] = PlacedFace(face, PLAN, "front", matrix, face.trim)
    found: list[Page] = []
    for page in made:
        items = (placed.get(item, item) if isinstance(item, Label) else item for item in page.items)
        found.append(replace(page, items=tuple(items)))
    return found


def marked_words(drawn: Drawn) -> Words:
    """The language of the marks; English where neither their font nor the game's has its letters."""
    words = drawn.game.words
    return ENGLISH if _unmarked(words, drawn.context.tools.fonts) else words


def _unmarked(words: Words, fonts: Fonts) -> list[str]:
    """The letters of pnp's own sentences that marks cannot show."""
    return lacking(fonts, "".join(map("".join, words.forms.values())))


def slug_of(drawn: Drawn, options: Options) -> str:
    """The start of every slug line: the game, whether a draft, and which part."""
    game, words = drawn.game, marked_words(drawn)
    title = f"{game.name if drawn.lacking(game.title) else rounded(game.title)} {game.version}"
    if options.draft:
        title = " · ".join((words("DRAFT"), title))
    part = options.selection.told(words, drawn.lacking)
    return f"{title} · {part}" if part else title


def parts_of_pdf(drawn: Drawn, printed: Sequence[Page], book: Book, backs: Backs, what: str, how: str = "") -> list[bytes]:
    """Writes pages as the parts of a PDF with its metadata and how it was made."""
    game = drawn.game
    at(f"writing {what} of {game.name}")
    document = Document(
        f"{game.title} {game.version}: {what}",
        game.about.get("designer", ""),
        game.language,
        backs,
        f"pnp-press {__version__}",
        game.words(HOW_TO_PRINT[backs]),
        game.name,
        how,
        {component.name: component.paper for component in game.components} if how else {},
    )
    return pdf_parts(printed, book, document, drawn.stock)


def face_page(face: Face, side: Side, bleed: bool) -> Page:
    """A face alone on a page of its size."""
    around = face.bleed if bleed else 0.0
    area = face.trim.grown(*4 * [around])
    return Page(
        Paper("face", area.width, area.height), (PlacedFace(face, "face", side, translation(around, around), area),), side
    )


Forms = tuple[bytes, ...]
"""The pictures of one page: as many as were asked for."""


Booked = Book | Callable[[Sequence[Page]], Book]
"""A book, or what sets one for the pages that were not pictured before."""


def pictures(drawn: Drawn, pages: Sequence[Page], book: Booked, dpi: int, clear: bool = False) -> list[bytes]:
    """Pages as PNG; ``clear``: unprinted paper is transparent."""
    from pnp.write.png import render

    way = f"{dpi} clear" if clear else str(dpi)
    made = in_forms(drawn, pages, book, way, lambda pdf: [(one,) for one in render(pdf, dpi, clear=clear)])
    return [one for (one,) in made]


def in_forms(
    drawn: Drawn, pages: Sequence[Page], book: Booked, way: str, make: Callable[[bytes], Sequence[Forms]]
) -> list[Forms]:
    """Every page as ``make`` pictures it; ``way`` is part of the cache key and names what ``make`` does."""
    cache = drawn.cache
    looks = [digest("picture", drawn.makers, way, look_of(page)) for page in pages]
    known: dict[str, Forms] = {look: apart(kept) for look in looks if cache and (kept := cache.get(look))}
    missing = {look: page for look, page in zip(looks, pages, strict=True) if look not in known}
    if missing:
        book = book([*missing.values()]) if callable(book) else book
        made = make(b"".join(parts_of_pdf(drawn, [*missing.values()], book, "none", "pictures")))
        for (look, page), forms in zip(missing.items(), made, strict=True):
            known[look] = forms
            if cache and layers_on([page]).keys() <= book.pages.keys():
                cache.put(look, together(*forms))
    return [known[look] for look in looks]


def look_of(page: Page) -> str:
    """A digest of what is seen on a page."""
    items = [
        (item.face.look, item.matrix, item.clip, item.shape) if isinstance(item, PlacedFace) else item for item in page.items
    ]
    return repr((page.paper.width, page.paper.height, items))


def own_fonts(game: Game) -> str:
    """The digests of the game's own font files: a layer names families only."""
    own = game.folder / "fonts"
    paths = sorted(own.iterdir()) if own in game.font_folders else ()
    return "".join(digest_of(path.read_bytes()) for path in paths if path.is_file())


def faces_of(deck: Deck, fonts: str) -> dict[str, tuple[Piece, Side, Face]]:
    """The different faces of a deck, fronts first, by their digest, with the first piece that shows each."""
    faces: dict[str, tuple[Piece, Side, Face]] = {}
    sides: tuple[Side, ...] = ("front", "back")
    for side in sides:
        for piece in deck.pieces:
            if (face := piece.side(side)) is not None:
                layers = [(placed.layer.key, placed.matrix) for placed in face.layers]
                # Faces that could not be drawn are told apart by their pieces.
                looks = (face.width, face.height, face.outline, layers or (piece.name, side), fonts)
                faces.setdefault(digest_of(repr(looks).encode())[:24], (piece, side, face))
    return faces


def face_alone(name: str, side: Side, face: Face, largest: float) -> Page:
    """A face cut to its trim, on a page of at most ``largest`` mm."""
    scale = min(1.0, largest / max(face.width, face.height))
    placed = PlacedFace(face, name, side, scaling(scale, scale), face.trim, face.outline)
    return Page(Paper("face", face.width * scale, face.height * scale), (placed,), side)


# Of a deck with more different faces about so many are measured.
SAMPLE = 24


def face_inks(drawn: Drawn, book: Book) -> dict[str, Coverage]:
    """The ink on every drawn face with its bleed, by key; for large decks a sample stands for all."""
    faces = shown_faces(drawn.decks)
    kinds = grouped(((piece.component, side), key) for key, (piece, side, _) in faces.items())
    sampled = {kind: keys[:: max(1, len(keys) // SAMPLE)] for kind, keys in kinds.items()}
    marks = {key: digest(repr(faces[key][2].look)) for keys in sampled.values() for key in keys}
    about = digest("ink", drawn.makers, os.fsencode(drawn.game.folder))
    kept = drawn.cache.get(about) if drawn.cache else None
    known = {mark: Coverage(*shares) for mark, shares in json.loads(kept or b"{}").items()}
    missing = {mark: face_page(faces[key][2], faces[key][1], True) for key, mark in marks.items() if mark not in known}
    if missing:
        pdf = b"".join(parts_of_pdf(drawn, [*missing.values()], book, "none", "ink"))
        known |= dict(zip(missing, coverage(pdf), strict=True))
        if drawn.cache:
            drawn.cache.put(about, json.dumps({mark: known[mark] for mark in marks.values()}).encode())
    inks = {key: known[mark] for key, mark in marks.items()}
    means = {kind: mean_ink([inks[key] for key in keys]) for kind, keys in sampled.items()}
    return {key: inks.get(key, means[kind]) for kind, keys in kinds.items() for key in keys}
