"""Decks → sheets: every copy of every piece in a cell, its back behind it, marks around."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from pnp.geometry import IDENTITY, Affine
from pnp.lay.backs import back_map, correction, paper_turn
from pnp.lay.grid import MARK_MARGIN, Grid, find_grid
from pnp.lay.layoutpage import layout_page
from pnp.lay.marks import SLUG_SIZE, crop_marks, cut_lines, fold_line, furniture, mirrored
from pnp.lay.poster import assembly_page, neighbours, poster_page
from pnp.lay.split import Poster, Tile, split
from pnp.model import Backs, Calibration, Deck, Label, Layout, Line, Page, Paper, Piece, PlacedFace, Side
from pnp.units import show

FLIP = {"long-edge": "flip on long edge", "short-edge": "flip on short edge"}


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Decks that share sheets, because their pieces have the same size, paper and back."""

    decks: tuple[Deck, ...]

    @property
    def title(self) -> str:
        return ", ".join(deck.component.title for deck in self.decks)

    @property
    def has_backs(self) -> bool:
        return any(piece.back is not None for deck in self.decks for piece in deck.pieces)

    def copies(self) -> list[Piece]:
        """Every single piece to print, in the tables' order."""
        return [piece for deck in self.decks for piece in deck.pieces for _ in range(piece.copies)]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of a run before it has its number: what lies in which cell."""

    run: Run
    grid: Grid
    pieces: tuple[Piece, ...]

    @property
    def cuts(self) -> str:
        """How its pieces are cut, in words."""
        grid = self.grid
        return "shared cut lines" if grid.shared_cuts else f"bleed {show(max(grid.bleed, *grid.outer))} mm"

    @property
    def note(self) -> str:
        """For the print plan: what such a sheet is like."""
        return f"{self.grid.capacity} a sheet, {self.cuts}"


@dataclass(frozen=True, slots=True)
class PosterSheet:
    """A page of a board that is parted over several; without a tile, the page that shows how they are joined."""

    run: Run
    poster: Poster
    tile: Tile | None

    @property
    def note(self) -> str:
        """For the print plan: how many pages make the board."""
        poster = self.poster
        if len(poster.tiles) == 1:
            return "one page"
        how = "glued" if poster.join == "glue" else "edge to edge"
        return f"{poster.columns} × {poster.rows} pages, {how}, and how to join them"


@dataclass(frozen=True, slots=True)
class LayoutSheet:
    """The page that shows how pieces lie at the start."""

    run: Run
    layout: Layout

    @property
    def note(self) -> str:
        """For the print plan."""
        return "a picture for the set-up"


AnySheet = Sheet | PosterSheet | LayoutSheet


@dataclass(frozen=True, slots=True)
class Press:
    """What stays the same for all sheets of a file. ``text_width`` measures a slug: (text, pt) → mm."""

    paper: Paper
    backs: Backs
    calibration: Calibration
    slug: str
    text_width: Callable[[str, float], float]


def runs(decks: Sequence[Deck]) -> list[Run]:
    """Decks grouped by what lets them share sheets, in the order of each group's first deck."""
    groups: dict[object, list[Deck]] = {}
    for deck in decks:
        component = deck.component
        backs = {piece.back.key if piece.back else None for piece in deck.pieces}
        # Decks whose cards have backs of their own share with none: their backs are the deck's.
        back = next(iter(backs)) if len(backs) == 1 else (component.name,)
        # A board is parted over pages of its own, along its own grid.
        alone = component.name if component.kind == "board" else ""
        key = (component.width, component.height, component.bleed, component.paper, back, alone)
        groups.setdefault(key, []).append(deck)
    return [Run(tuple(group)) for group in groups.values()]


def sheets(all_runs: Sequence[Run], paper: Paper, backs: Backs) -> list[AnySheet]:
    """The sheets of all runs in order. Raises TooLarge when a piece does not fit the paper."""
    made: list[AnySheet] = []
    for run in all_runs:
        component = run.decks[0].component
        if component.kind == "board":
            poster = split(paper, component.width, component.height, component.step, component.bleed, component.join)
            shown = [None, *poster.tiles] if len(poster.tiles) > 1 else list(poster.tiles)
            made += [PosterSheet(run, poster, tile) for _ in run.copies() for tile in shown]
            continue
        way: Backs = backs if run.has_backs else "none"
        grid = find_grid(paper, component.width, component.height, component.bleed, way)
        copies = run.copies()
        for start in range(0, len(copies), grid.capacity):
            made.append(Sheet(run, grid, tuple(copies[start : start + grid.capacity])))
    return made


def needed(backs: Backs, made: Sequence[AnySheet]) -> Backs:
    """How a file of these sheets is printed: fronts alone, on one side, when no piece of it has a back."""
    return backs if any(sheet.run.has_backs for sheet in made) else "none"


def pages(made: Sequence[AnySheet], press: Press) -> list[Page]:
    """The printed sides of the sheets: front, back, front, back …, or fronts alone.

    In a duplex file a sheet without backs keeps an empty back page, so that no later front
    lands on a back.
    """
    result = []
    duplex = needed(press.backs, made) in FLIP
    last: Run | None = None
    for number, sheet in enumerate(made, 1):
        bookmark = sheet.run.title if sheet.run is not last else ""
        last = sheet.run
        count = f"sheet {number} of {len(made)}"
        if isinstance(sheet, Sheet):
            result.append(_front(sheet, press, count, bookmark))
        elif isinstance(sheet, PosterSheet):
            result.append(replace(_poster(sheet, press, count), bookmark=bookmark))
        else:
            slug = " · ".join((press.slug, sheet.layout.title, count, "keep for the set-up, nothing to cut"))
            page = layout_page(press.paper, sheet.layout, sheet.run.decks[0], slug)
            result.append(replace(page, bookmark=sheet.layout.title))
        if duplex:
            result.append(_back(sheet, press, count) if isinstance(sheet, Sheet) else _empty_back(sheet, press, count))
    return result


def _poster(sheet: PosterSheet, press: Press, count: str) -> Page:
    piece, poster, tile = sheet.run.decks[0].pieces[0], sheet.poster, sheet.tile
    if tile is None:
        slug = " · ".join((press.slug, sheet.run.title, count, "how to join the pages"))
        return assembly_page(press.paper, piece, poster, sheet.run.title, slug)
    slug = " · ".join((press.slug, f"{sheet.run.title} {tile.label}", count, neighbours(poster, tile)))
    return poster_page(press.paper, piece, poster, tile, slug, press.text_width(slug, SLUG_SIZE))


def _empty_back(sheet: AnySheet, press: Press, count: str) -> Page:
    slug = " · ".join((press.slug, sheet.run.title, count, "back stays empty"))
    label = Label(MARK_MARGIN + 4, press.paper.height - MARK_MARGIN - 0.7, slug, SLUG_SIZE)
    return Page(press.paper, (label,), "back")


def _front(sheet: Sheet, press: Press, count: str, bookmark: str) -> Page:
    grid = sheet.grid
    items: list[PlacedFace | Line | Label] = list(_faces(sheet, "front", IDENTITY, press))
    shaped = [item for item in items if isinstance(item, PlacedFace) and item.face.outline]
    marks = cut_lines(shaped) if shaped else crop_marks(grid, len(sheet.pieces), press.paper)
    if grid.fold is not None:
        turn = paper_turn(press.paper, "gutterfold", grid)
        items += _faces(sheet, "back", turn, press)
        marks += mirrored(marks, turn) + fold_line(grid, press.paper)
    side = "fold along the dashed line, glue" if grid.fold else "front"
    slug = " · ".join((press.slug, sheet.run.title, count, side, sheet.cuts, "print at 100 %"))
    width = press.text_width(slug, SLUG_SIZE)
    return Page(press.paper, (*items, *marks, *furniture(grid, press.paper, slug, width)), "front", bookmark)


def _back(sheet: Sheet, press: Press, count: str) -> Page:
    """No marks here: they would never meet those of the front to a hair, and the front is what is cut."""
    turn = paper_turn(press.paper, press.backs, sheet.grid)
    faces = _faces(sheet, "back", correction(press.calibration, press.paper) @ turn, press)
    side = "back" if faces else "back stays empty"
    slug = " · ".join((press.slug, sheet.run.title, count, side, FLIP[press.backs]))
    width = press.text_width(slug, SLUG_SIZE)
    slug_line = furniture(sheet.grid, press.paper, slug, width)[:1]
    return Page(press.paper, (*faces, *slug_line), "back")


def _faces(sheet: Sheet, side: Side, turn: Affine, press: Press) -> list[PlacedFace]:
    placed = []
    for index, piece in enumerate(sheet.pieces):
        face = piece.side(side)
        if face is None:
            continue
        front = sheet.grid.front(index)
        clip = front.inverse().bounds(sheet.grid.inked(index))
        matrix = front
        if side == "back":
            matrix = back_map(front, turn, face.width)
            clip = back_map(IDENTITY, IDENTITY, face.width).bounds(clip)
        placed.append(PlacedFace(face, f"{piece.component}/{piece.id}", side, matrix, clip))
    return placed
