"""Draws a game from its files as they are now: faces, sheets, layouts and books as pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from pnp.check.registry import in_order
from pnp.check.tile_search import odd_shapes, pools
from pnp.flows.check import prove, with_languages
from pnp.flows.drawn import face_page, faces_of, look_of, own_fonts, pictures, settable
from pnp.flows.pipeline import Pipeline
from pnp.flows.plan import numbered
from pnp.flows.watch import Settling
from pnp.lay.marks import cut_lines
from pnp.lay.picture import Lying, layout_picture, made_picture
from pnp.lay.reference_pages import folded_alike
from pnp.lay.sheet import FLIP, AnySheet, ShownSheet, titles
from pnp.read.languages import language_name, languages_of
from pnp.read.presets import paper as paper_named
from pnp.read.presets import paper_names
from pnp.read.project import NoSuchGame, Project
from pnp.shapes import hexes
from pnp.shapes.affine import scaling, translation
from pnp.studio.artslot import art_slot, lacks_art
from pnp.studio.boxes import boxes
from pnp.studio.dropped import fitting
from pnp.studio.messages import (
    Books,
    BookSeen,
    Boxes,
    ComponentSeen,
    DesignSeen,
    FaceSeen,
    Findings,
    Folds,
    FoldsSeen,
    GameSeen,
    Laid,
    LaidSeen,
    LyingSeen,
    PageSeen,
    Picture,
    PictureSeen,
    Printed,
    PrintedSeen,
    Reply,
    Request,
    Sheets,
    SheetsSeen,
    Slot,
    Tables,
    TableSeen,
    TablesSeen,
)
from pnp.system.addons import load
from pnp.system.cache import Cache
from pnp.system.paths import Snapshot, digest_of, scan
from pnp.values.books import Edition
from pnp.values.faces import Deck, Face, Page, PlacedFace
from pnp.values.findings import MapShown
from pnp.values.game import Component, Game, Layout, Paper, Side
from pnp.values.languages import Words
from pnp.values.outcome import NOWHERE, Options, Result
from pnp.values.problems import Fault, Place, Problem, Problems
from pnp.values.tables import Row
from pnp.write.png import ANOMALIES, as_seen

# Around a layout and a folded piece, in mm.
RIM = 2.0
# How high the letters above a pile are, in the units of the room that the export lays out.
LETTERS = 19.0
# The longest side of a picture of a folding step, in mm.
STEP = 90.0


@dataclass(slots=True)
class Previews:
    """The pages of one drawing of a game that can be rendered."""

    made: Pipeline
    fonts: str
    """Its own font files by content: a page names families only."""
    _pages: dict[str, tuple[Pipeline, Page]] = field(default_factory=dict)
    _books: dict[str, tuple[bytes, int, float, float]] = field(default_factory=dict)
    _clear: set[str] = field(default_factory=set)
    """The keys of those whose paper is not seen."""

    def keep(self, made: Pipeline, page: Page) -> str:
        """Registers a page; returns its key."""
        key = digest_of(f"{self.fonts}{look_of(page)}".encode())[:24]
        self._pages.setdefault(key, (made, page))
        return key

    def face(self, made: Pipeline, side: Side, face: Face) -> str:
        """Registers a face as a page; returns its key."""
        return self.keep(made, face_page(face, side, False))

    def size(self, key: str) -> tuple[float, float] | None:
        """The size of a page in mm; None if it is unknown."""
        if key in self._pages:
            paper = self._pages[key][1].paper
            return paper.width, paper.height
        return self._books[key][2:] if key in self._books else None

    def pictured(self, keys: Sequence[str], dpi: int) -> dict[str, bytes]:
        """Renders pages as PNG, by key."""
        from pnp.write.png import render

        found = {key: render(self._books[key][0], dpi, (self._books[key][1],))[0] for key in keys if key in self._books}
        alike: dict[tuple[int, bool], list[str]] = {}
        for key in keys:
            if key in self._pages:
                alike.setdefault((id(self._pages[key][0]), key in self._clear), []).append(key)
        for (_, clear), some in alike.items():
            made = self._pages[some[0]][0]
            if made.drawn is not None and settable(made.problems):
                pages = [self._pages[key][1] for key in some]
                found |= dict(zip(some, pictures(made.drawn, pages, made.set_for, dpi, clear), strict=True))
        return found

    def sheets(self, asked: Sheets) -> SheetsSeen:
        """The pages of ``print.pdf``, the print plan first."""
        known = tuple(dict.fromkeys([*(paper.name for paper in self.made.papers), *paper_names()]))
        papers = (paper_named(asked.paper),) if asked.paper else self.made.papers[:1]
        if not papers:
            return SheetsSeen("", known, (), ())
        made = self.made.anew(Options(NOWHERE, papers, asked.backs, marks=asked.marks))
        paper = made.papers[0]
        laid = made.laid[paper]
        pages = made.printed[paper]
        # The plan also says how many sheets the books take.
        plan = made.planned(made.editions).get(paper, []) if paper.readable else []
        words = self.made.drawn.game.words if self.made.drawn else Words()
        seen = [self._page(made, page, page.bookmark) for page in plan]
        if len(plan) == 2:
            seen[0] = replace(seen[0], behind=seen[1].key)
        # Pages are numbered with the plan's two.
        ahead = 2 if paper.readable else 0
        for number, (own, sheet) in enumerate(numbered(laid, paper), 1):
            sides = [pages[at - 1 - ahead] for at in own]
            title = f"Sheet {number} of {len(laid)}: {_title(sheet, words)}"
            both = sheet.way in FLIP
            shown = [
                self._page(made, page, f"{title}{f', {side}' if both else ''} (page {at})")
                for at, page, side in zip(own, sides, ("front", "back"), strict=False)
            ]
            if both:
                shown[0] = replace(shown[0], behind=shown[1].key)
            seen += shown
        return SheetsSeen(paper.name, known, tuple(seen), tuple(made.problems))

    def _page(self, made: Pipeline, page: Page, title: str) -> PageSeen:
        return PageSeen(self.keep(made, page), title, page.paper.width, page.paper.height)

    def books(self) -> tuple[BookSeen, ...]:
        """Every book on its first paper, in reading size."""
        papers = [paper for paper in self.made.papers if paper.readable][:1]
        made = self.made.anew(Options(NOWHERE, tuple(papers)))
        editions = made.editions if papers else []
        return tuple(self._book(edition, tuple(made.problems)) for edition in editions)

    def _book(self, edition: Edition, problems: Sequence[Problem]) -> BookSeen:
        from pnp.write.png import page_sizes

        assert self.made.game is not None
        book, manual, title = edition.small, edition.manual, self.made.game.book_title(edition.manual)
        name = digest_of(book.pdf)[:20]
        seen = []
        for number, (width, height) in enumerate(page_sizes(book.pdf)):
            key = f"{name}-{number}"
            self._books[key] = book.pdf, number, width, height
            seen.append(PageSeen(key, f"{title}, page {number + 1}", width, height))
        own = tuple(problem for problem in problems if problem.place.file == manual.file)
        return BookSeen(title, manual.form, edition.paper.name, manual.file, tuple(seen), _first_lines(edition), own)

    def laid(self, asked: Laid) -> LaidSeen:
        """The layouts, with pools face down or shuffled."""
        drawn = self.made.drawn
        decks = {deck.component.name: deck for deck in drawn.decks} if drawn else {}
        seen, shuffled = [], False
        for layout in drawn.game.layouts if drawn else ():
            deck = decks.get(layout.component)
            if deck is None or not layout.slots or not deck.pieces:
                continue
            several = _may_shuffle(layout, deck.component)
            shuffled |= several
            turns = any(each.turns for each in drawn.game.rules.shuffles if each.name == layout.name) if drawn else False
            lying = lying_by(layout, deck.component, asked.seed, turns) if several and asked.seed is not None else {}
            picture = layout_picture(layout, deck, lying)
            items = [item for item in picture.at(translation(RIM, RIM)) if isinstance(item, PlacedFace)]
            paper = Paper("layout", picture.width + 2 * RIM, picture.height + 2 * RIM)
            seen.append(self._page(self.made, Page(paper, (*items, *cut_lines(items))), layout.title))
        return LaidSeen(tuple(seen), shuffled)

    def tables(self) -> TablesSeen:
        """How all lies on a table, as the export for a virtual one lays it."""
        designs: dict[str, DesignSeen] = {}
        try:
            rooms = load("pnp.exports", "virtualtabletop").rooms
            tables = [self._table(name, room, designs) for name, room in rooms(self.made)]
        except KeyError:
            return TablesSeen({}, (), "To play here, type: pip install 'pnp-press[exports]'")
        except Fault as error:
            return TablesSeen({}, (), error.message)
        return TablesSeen(designs, tuple(tables))

    def _table(self, name: str, room: Any, designs: dict[str, DesignSeen]) -> TableSeen:
        mm = 1 / room.scale

        def design(part: Any, thing: Any, width: float, height: float) -> str:
            named = f"{part.name}/{thing.id}"
            if named not in designs:
                words = [f"{thing.title}: {value}" for value in thing.values] or [thing.title, part.title]
                looks = thing.sides or [look for look in (thing.front, thing.back) if look]
                sides = tuple((self._look(look), said) for look, said in zip(looks, words, strict=False))
                step = 60.0 if part.component.hexes else 90.0
                designs[named] = DesignSeen(part.title, width * mm, height * mm, sides, bool(thing.sides), step)
            return named

        lying = []
        for one in room.singles:
            x, y = (one.x + one.width / 2) * mm, (one.y + one.height / 2) * mm
            piece = design(one.part, one.thing, one.width, one.height), int(one.down)
            lying.append(LyingSeen(x, y, one.turn, (piece,), pool=one.pool, fixed=one.part.form == "board"))
        # Screens stand behind all that is played with.
        lying.sort(key=lambda each: not each.fixed)
        for pile in room.piles:
            heap, (width, height) = pile.heap, pile.card
            pieces = [
                (design(each.part, thing, width, height), int(heap.down))
                for each in heap.heaps
                for thing, copies in each.things
                for _ in range(copies)
            ]
            x, y = (pile.x + pile.width / 2) * mm, (pile.y + pile.rim + height / 2) * mm
            deals = sum(taken.each or 0 for taken in heap.deals)
            if pieces:
                lying.append(LyingSeen(x, y, 0.0, tuple(pieces), heap.title, pile.width * mm, deals))
        # The hands are beside the table here, and not at its foot.
        left, height, wide, _ = room.hand
        return TableSeen(name, room.seats, (2 * left + wide) * mm, height * mm, LETTERS * mm, tuple(lying))

    def _look(self, look: Any) -> str:
        key = self.keep(self.made, look.page)
        if look.clear:
            self._clear.add(key)
        return key

    def folds(self) -> FoldsSeen:
        """The folding steps of folded pieces."""
        drawn = self.made.drawn
        seen = []
        for folding in folded_alike(drawn.decks) if drawn else ():
            deck = folding.decks[0]
            piece = deck.pieces[0]
            steps = piece.front.net.steps if piece.front.net else ()
            of = tuple(each.component.name for each in folding.decks)
            name = titles(each.component for each in folding.decks)
            for number, step in enumerate(steps, 1):
                picture = made_picture(deck, piece, step)
                scale = min(1.0, STEP / max(picture.width, picture.height))
                paper = Paper("step", picture.width * scale + 2 * RIM, picture.height * scale + 2 * RIM)
                page = Page(paper, tuple(picture.at(translation(RIM, RIM) @ scaling(scale, scale))))
                words = drawn.game.words if drawn else Words()
                seen.append(replace(self._page(self.made, page, name), said=(f"{number}", words(step.text)), of=of))
        return FoldsSeen(tuple(seen))


def _title(sheet: AnySheet, words: Words) -> str:
    return sheet.title(words) if isinstance(sheet, ShownSheet) else sheet.run.title


def _first_lines(edition: Edition) -> tuple[int, ...]:
    """For each page the line of the book's file with the last heading by then."""
    heads = [number for number, line in enumerate(edition.manual.text.splitlines(), 1) if line.startswith("#")]
    if len(heads) != len(edition.text.ids):
        return ()
    by_page: dict[int, int] = {}
    for line, name in zip(heads, edition.text.ids, strict=True):
        if name in edition.small.headings:
            by_page.setdefault(edition.small.headings[name], edition.manual.at(line).row or line)
    found, last = [], 1
    for page in range(1, edition.small.pages + 1):
        last = by_page.get(page, last)
        found.append(last)
    return tuple(found)


def _may_shuffle(layout: Layout, component: Component) -> bool:
    """Whether a layout has a pool of several tiles that fit its slots."""
    if component.hexes is None or odd_shapes(component):
        return False
    found = pools(layout, component)
    return all(pool.fits for pool in found) and any(len(set(pool.tiles)) > 1 for pool in found)


def lying_by(layout: Layout, component: Component, seed: int, turns: bool) -> Mapping[int, Lying]:
    """The tile and turn of each slot, the same for the same seed on every machine."""
    draw = Random(seed).random
    assert component.hexes is not None, "only tiles are shuffled"
    shape = [(cell.q, cell.r) for cell in next(iter(component.hexes.tiles.values()))]
    ways = [turn for turn in range(6) if hexes.turn_onto_itself(shape, turn) is not None] if turns else [0]
    found: dict[int, Lying] = {}
    for pool in pools(layout, component):
        mixed = sorted(pool.tiles, key=lambda _: draw())
        for slot, tile in zip(pool.slots, mixed, strict=True):
            alone = len(pool.slots) == 1
            found[slot] = Lying(tile, 0 if alone else ways[int(draw() * len(ways))])
    return found


# The longer side of a picture has at most so many dots, however near somebody looks.
MOST_DOTS = 6000
FINEST = 1200


# So many changed rows are drawn ahead of all others; and how the files are called that hold rows.
FEW, TABLES = 12, (".csv", ".tsv", ".xlsx", ".ods")


def _changed_rows(before: Game, now: Game) -> list[Component]:
    """The components with no more rows than those whose cells differ; none where rows came, went or changed places."""
    found = []
    for old, new in zip(before.components, now.components, strict=False):
        if [row.id for row in old.table] != [row.id for row in new.table]:
            return []
        rows = [row for was, row in zip(old.table, new.table, strict=True) if _texts(was) != _texts(row)]
        if rows:
            found.append(replace(new, table=replace(new.table, rows=tuple(rows))))
    return found


def _texts(row: Row) -> list[str]:
    return [cell.text for cell in row.cells.values()]


def _quiet(_: str) -> None:
    """Progress callback that does nothing."""


@dataclass(slots=True)
class LivePreview:
    """A game that is drawn again whenever its files change."""

    project: Project
    name: str
    cache: Cache | None = None
    _made: Pipeline | None = None
    _result: Result | None = None
    _shown: Pipeline | None = None
    """The last that could be drawn."""
    fresh: frozenset[str] = frozenset()
    """The keys of the faces that the drawing before had not."""
    _faces: dict[str, tuple[Side, Face]] = field(default_factory=dict)
    _previews: Previews | None = None
    _printed: dict[Printed, PrintedSeen] = field(default_factory=dict)
    _settling: Settling = field(default_factory=Settling)
    _drawn: Snapshot = field(default_factory=dict)
    """The files at the last drawing."""
    _few: dict[str, Pipeline] = field(default_factory=dict)
    """By key, what drew the faces that are shown ahead of all others."""

    @property
    def due(self) -> bool:
        """Whether files have changed since the last drawing, and have settled."""
        return self._settling.due(self._files)

    @property
    def _files(self) -> Snapshot:
        return scan((self.project.content / self.name, self.project.root / "templates"))

    @property
    def faces(self) -> int:
        """How many faces were drawn last."""
        return len(self._faces)

    @property
    def stirring(self) -> bool:
        """Whether files may be changing just now."""
        return self._settling.stirring

    def begin(self) -> tuple[FaceSeen, ...]:
        """Reads the game, and draws the few pieces whose rows have changed if nothing else has; :meth:`draw` draws all.

        So the picture of a changed row does not wait for thousands of others.
        """
        before, files = self._drawn, self._files
        changed = {path for path in before.keys() | files.keys() if before.get(path) != files.get(path)}
        self._drawn, self.fresh = files, frozenset()
        self._result = Result(self.name, Problems())
        self._made = Pipeline(self.project, self.name, Options(NOWHERE), self._result.problems, _quiet, self.cache)
        try:
            game = self._made.game
        except NoSuchGame as error:
            place = Place(f"content/{self.name}/game.toml")
            self._result.problems.error("no-game-file", place, error.message, hint=error.hint)
            return ()
        shown = self._shown.game if self._shown else None
        if game is None or shown is None or not all(path.endswith(TABLES) for path in changed):
            return ()
        return self._draw_few(game, _changed_rows(shown, game))

    def _draw_few(self, game: Game, components: Sequence[Component]) -> tuple[FaceSeen, ...]:
        if not 0 < sum(len(component.table.rows) for component in components) <= FEW:
            return ()
        made = Pipeline(self.project, self.name, Options(NOWHERE), Problems(), _quiet, self.cache)
        made.__dict__["game"] = replace(game, components=tuple(components))
        if made.drawn is None or made.problems.errors:
            return ()
        known, fonts = set(self._faces), own_fonts(game)
        faces = [
            face for deck in made.drawn.decks for face in self._component(deck, fonts, None).faces if face.key not in known
        ]
        self._few = {face.key: made for face in faces}
        self.fresh = frozenset(self._few)
        return tuple(faces)

    def draw(self) -> GameSeen | None:
        """Draws all pieces of the game that :meth:`begin` read; None if they cannot be drawn, as :meth:`check` explains."""
        assert self._made is not None and self._result is not None, "nothing was read yet"
        self.fresh = frozenset()
        game = self._made.__dict__.get("game")
        # The book is set by the check: the first pictures need little of it.
        if game is None or self._made.drawn is None or not settable(self._result.problems):
            return None
        self._shown = self._made
        fonts = own_fonts(game)
        self._previews, self._printed = Previews(self._made, fonts), {}
        known, self._faces, self._few = self._faces, {}, {}
        seen = self._game(game, self._made.drawn.decks, fonts)
        self.fresh = frozenset(self._faces.keys() - known.keys())
        return seen

    def _game(self, game: Game, decks: Sequence[Deck], fonts: str, made: Pipeline | None = None) -> GameSeen:
        spoken = tuple((code, language_name(code)) for code in languages_of(game.folder))
        books = tuple((game.book_title(manual), manual.file) for manual in game.manuals)
        layouts = tuple(layout.title for layout in game.layouts)
        papers = tuple(paper.name for paper in game.papers)
        components = tuple(self._component(deck, fonts, made) for deck in decks)
        return GameSeen(self.name, game.title, components, spoken, books, layouts, papers)

    def _component(self, deck: Deck, fonts: str, made: Pipeline | None) -> ComponentSeen:
        """The faces of a component; ``made`` is the drawing in another ink or language."""
        component = deck.component
        places = {row.id: row.place for row in component.table}
        shared: dict[tuple[Side, object], int] = {}
        sides: tuple[Side, ...] = ("front", "back")
        for piece in deck.pieces:
            for side in sides:
                if (face := piece.side(side)) is not None:
                    shared[side, face.look] = shared.get((side, face.look), 0) + piece.copies
        seen = []
        # Pieces of two components may look the same, and each is chosen by itself.
        own = digest_of(component.name.encode())[:8]
        for look, (piece, side, face) in faces_of(deck, fonts).items():
            key = f"{look}{own}"
            if made is None:
                self._faces[key] = side, face
            elif key not in self._faces and self._previews is not None:
                key = self._previews.face(made, side, face)
            # A back of all pieces is not that of the first.
            whole = side == "back" and len(deck.pieces) > 1 and shared[side, face.look] == deck.copies
            seen.append(
                FaceSeen(
                    key,
                    component.name,
                    piece.id,
                    side,
                    f"{component.title} (back)" if whole else piece.about(side).called,
                    face.width,
                    face.height,
                    face.bleed,
                    face.outline or (),
                    shared[side, face.look],
                    places.get(piece.id, component.place),
                )
            )
        return ComponentSeen(
            component.name,
            component.title,
            component.kind,
            deck.copies,
            tuple(seen),
            bool(folded_alike([deck])),
            len(component.table.rows),
        )

    def reply(self, asked: Request) -> Reply | None:
        """Answers a request about the last drawing; None if it failed or is outdated."""
        if self._previews is None:
            return None
        match asked:
            case Sheets():
                return self._previews.sheets(asked)
            case Books():
                return self._previews.books()
            case Laid():
                return self._previews.laid(asked)
            case Folds():
                return self._previews.folds()
            case Tables():
                return self._previews.tables()
            case Printed():
                if asked not in self._printed:
                    self._printed[asked] = self._otherwise(asked)
                return self._printed[asked]
            case Picture():
                game = self._shown.game if self._shown else None
                return self._pictured(game, asked) if game else None
            case Slot():
                game = self._shown.game if self._shown else None
                return art_slot(self.project, game, asked.component) if game else None
            case Boxes():
                # Of files that have changed since: nobody shall be shown where a box was before it was moved.
                drawn = self._settling.built(self._files) and not self._few
                game = self._shown.game if self._shown and drawn else None
                return boxes(self.project, game, asked) if game else None

    def _pictured(self, game: Game, asked: Picture) -> PictureSeen:
        component = next((each for each in game.components if each.name == asked.component), None)
        slotless = asked.side == "front" and component is not None and lacks_art(game, component)
        return replace(fitting(game, asked), slotless=slotless)

    def _otherwise(self, asked: Printed) -> PrintedSeen:
        """The pieces in another ink or language."""
        options = Options(NOWHERE, ink=asked.ink, language=asked.language)
        made = Pipeline(self.project, self.name, options, Problems(), _quiet, self.cache)
        game = made.game
        if game is None or made.drawn is None or made.book is None:
            return PrintedSeen(None, tuple(made.problems))
        return PrintedSeen(self._game(game, made.drawn.decks, own_fonts(game), made), tuple(made.problems))

    def check(self) -> Findings:
        """The findings of all rules that need no pictures."""
        assert self._made is not None and self._result is not None, "nothing was drawn yet"
        whole = False
        if self._made.__dict__.get("game") is not None:
            with_languages(self._made)
            whole = prove(self._made, self._result, pictures=False)
        if self.cache is not None and self.cache.news:
            self.cache.trim()
            self.cache.news.clear()
        maps = tuple(shown for _, shown in self._result.shown if isinstance(shown, MapShown))
        return Findings(tuple(in_order(self._result.problems)), whole, maps)

    def pictures(self, keys: Sequence[str], dots: int, bleed: bool, eyes: str = "") -> dict[str, bytes]:
        """Renders faces and pages as PNG by key, at least ``dots`` pixels wide; unknown keys are left out.

        ``eyes`` simulates a colour vision deficiency.
        """
        made = self._shown
        if made is None or made.drawn is None or self._previews is None:
            return {}
        found: dict[str, bytes] = {}
        # Pictures of one resolution and drawing are made together.
        alike: dict[tuple[int, bool], list[str]] = {}
        for key in keys:
            face = self._faces[key][1] if key in self._faces else None
            size = (face.width, face.height) if face else self._previews.size(key)
            if size is not None:
                alike.setdefault((_dpi(*size, dots), key in self._few), []).append(key)
        for (dpi, few), some in alike.items():
            faces = [key for key in some if key in self._faces]
            pages = [face_page(self._faces[key][1], self._faces[key][0], bleed) for key in faces]
            by = self._few[some[0]] if few else made
            assert by.drawn is not None, "it has drawn these faces"
            found |= dict(zip(faces, pictures(by.drawn, pages, by.set_for, dpi), strict=True))
            found |= self._previews.pictured([key for key in some if key not in self._faces], dpi)
        return {key: as_seen(picture, eyes) for key, picture in found.items()} if eyes in ANOMALIES else found


def _dpi(width: float, height: float, dots: int) -> int:
    """The resolution for a picture of this width, in steps so that similar sizes share one."""
    wanted = dots * 25.4 / width
    step = next((step for step in (36, 72, 110, 150, 220, 300, 450, 600, 900) if step >= wanted), FINEST)
    return max(1, min(step, int(MOST_DOTS * 25.4 / max(width, height))))
