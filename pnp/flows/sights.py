"""What else is to be seen of a game than its faces: sheets, books, layouts, folds, and its pieces as others print them.

Each is a list of pages, told by values; they are pictured only when somebody looks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from pnp.check.tiles import odd_shapes, pools
from pnp.flows.drawn import face_page
from pnp.flows.pictures import look_of, pictures
from pnp.flows.pipeline import Pipeline
from pnp.flows.plan import numbered
from pnp.lay.assembly import folded_alike
from pnp.lay.layoutpage import Lying, layout_picture
from pnp.lay.marks import cut_lines
from pnp.lay.sheet import FLIP, AnySheet, ShownSheet, titles
from pnp.lay.stack import made_picture
from pnp.read.presets import paper as paper_named
from pnp.read.presets import paper_names
from pnp.shapes import hexes
from pnp.shapes.affine import scaling, translation
from pnp.system.record import digest_of
from pnp.values.books import Edition
from pnp.values.faces import Face, Page, PlacedFace
from pnp.values.game import Component, Layout, Paper, Side
from pnp.values.outcome import NOWHERE, Options
from pnp.values.problems import Problem
from pnp.values.seen import BookSeen, FoldsSeen, Laid, LaidSeen, PageSeen, Sheets, SheetsSeen
from pnp.values.words import Words

# Around a layout and a folded piece, in mm.
RIM = 2.0
# The longest side of a picture of a folding step, in mm.
STEP = 90.0


@dataclass(slots=True)
class Sights:
    """The pages that can be pictured, of one drawing of a game."""

    made: Pipeline
    fonts: str
    """Its own font files by content: a page names families only."""
    _pages: dict[str, tuple[Pipeline, Page]] = field(default_factory=dict)
    _books: dict[str, tuple[bytes, int, float, float]] = field(default_factory=dict)

    def keep(self, made: Pipeline, page: Page) -> str:
        """The page's key, by which it can be pictured from now on."""
        key = digest_of(f"{self.fonts}{look_of(page)}".encode())[:24]
        self._pages.setdefault(key, (made, page))
        return key

    def face(self, made: Pipeline, side: Side, face: Face) -> str:
        """The same for a face alone."""
        return self.keep(made, face_page(face, side, False))

    def size(self, key: str) -> tuple[float, float] | None:
        """Of a page, in mm; None where there is no such page."""
        if key in self._pages:
            paper = self._pages[key][1].paper
            return paper.width, paper.height
        return self._books[key][2:] if key in self._books else None

    def pictured(self, keys: Sequence[str], dpi: int) -> dict[str, bytes]:
        """Pages as PNG by key."""
        from pnp.write.png import render

        found = {key: render(self._books[key][0], dpi, (self._books[key][1],))[0] for key in keys if key in self._books}
        by_pipeline: dict[int, list[str]] = {}
        for key in keys:
            if key in self._pages:
                by_pipeline.setdefault(id(self._pages[key][0]), []).append(key)
        for some in by_pipeline.values():
            made = self._pages[some[0]][0]
            if made.drawn is not None and made.book is not None:
                pages = [self._pages[key][1] for key in some]
                found |= dict(zip(some, pictures(made.drawn, pages, made.set_all(), dpi), strict=True))
        return found

    def sheets(self, asked: Sheets) -> SheetsSeen:
        """The pages of ``print.pdf``, its print plan first."""
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
        """Every book on the first paper that it is set for, in the size in which it lies in the hand."""
        papers = [paper for paper in self.made.papers if paper.readable][:1]
        made = self.made.anew(Options(NOWHERE, tuple(papers)))
        editions = made.editions if papers else []
        return tuple(self._book(edition, tuple(made.problems)) for edition in editions)

    def _book(self, edition: Edition, problems: Sequence[Problem]) -> BookSeen:
        from pnp.write.png import page_sizes

        book, manual = edition.small, edition.manual
        name = digest_of(book.pdf)[:20]
        seen = []
        for number, (width, height) in enumerate(page_sizes(book.pdf)):
            key = f"{name}-{number}"
            self._books[key] = book.pdf, number, width, height
            seen.append(PageSeen(key, f"{manual.title}, page {number + 1}", width, height))
        own = tuple(problem for problem in problems if problem.place.file == manual.file)
        return BookSeen(manual.title, manual.form, edition.paper.name, manual.file, tuple(seen), _first_lines(edition), own)

    def laid(self, asked: Laid) -> LaidSeen:
        """The layouts as they lie, with pools face down or shuffled."""
        drawn = self.made.drawn
        decks = {deck.component.name: deck for deck in drawn.decks} if drawn else {}
        seen, shuffled = [], False
        for layout in drawn.game.layouts if drawn else ():
            deck = decks.get(layout.component)
            if deck is None or not layout.slots or not deck.pieces:
                continue
            several = _may_shuffle(layout, deck.component)
            shuffled |= several
            turns = any(each.turns for each in drawn.game.rules.shuffles if each.layout == layout.name) if drawn else False
            lying = lying_by(layout, deck.component, asked.seed, turns) if several and asked.seed is not None else {}
            picture = layout_picture(layout, deck, lying)
            items = [item for item in picture.at(translation(RIM, RIM)) if isinstance(item, PlacedFace)]
            paper = Paper("layout", picture.width + 2 * RIM, picture.height + 2 * RIM)
            seen.append(self._page(self.made, Page(paper, (*items, *cut_lines(items))), layout.title))
        return LaidSeen(tuple(seen), shuffled)

    def folds(self) -> FoldsSeen:
        """How pieces are folded, step by step."""
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
    """The line of a book's file with which each of its pages begins at the latest: that of the last heading by then."""
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
    """Which tile lies on each slot, and how it is turned: the same for the same seed on every machine."""
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
