"""Imposes decks: lays them out on sheets, backs behind fronts, adds marks; imposes booklets."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from pnp.dataclass import dataclass
from pnp.lay.gang import nested_sheets, shared_grids
from pnp.lay.grid import (
    BAND,
    TooLarge,
    back_map,
    band_margin,
    correction,
    find_grid,
    paper_turn,
    parted,
    registration_marks,
    template_of,
)
from pnp.lay.marks import (
    GLUED,
    HANG,
    LEAST_SLUG,
    RISE,
    Said,
    TextWidth,
    contour_lines,
    corner_ticks,
    crop_marks,
    cut_lines,
    deep,
    fold_line,
    fold_marks,
    furniture,
    legend,
    mirrored,
    slug_behind,
)
from pnp.lay.reference_pages import Heading, neighbours, poster_page, shown_page
from pnp.lay.sheet import FLIP, ONE_CUT, AnySheet, PosterSheet, Run, Sheet, Spot, sides
from pnp.shapes.affine import IDENTITY, Affine, Calibration, Rect, translation
from pnp.shapes.nets.net import rectangle
from pnp.shapes.outline import Point, Ring
from pnp.values.faces import Contour, CutSheet, ImposedPage, ImposedSide, Item, Label, Page, PlacedFace
from pnp.values.game import KINDS, Backs, Paper, Side
from pnp.values.languages import ENGLISH, N_, Words
from pnp.values.walk import grouped

# Edges whose ends agree to a thousandth of a millimetre are one edge.
_DIGITS = 3

# A perforated fold, in mm: what is cut and what stays, as nearly as a whole number of them fits.
DASH, BRIDGE = 1.5, 1.5

# Words of the margin keep so far from a piece's ink, in mm.
NEAR = 0.5

Segment = tuple[Point, Point]


def cut_sheets(made: Sequence[AnySheet], paper: Paper, cutting: bool, perforate: bool = False) -> list[CutSheet]:
    """The sheets with pieces to cut, numbered as in the print file.

    ``cutting``: with registration marks; ``perforate``: folds are cut as dashes, not scored.
    """
    marks = tuple(registration_marks(paper)) if cutting else ()
    found = []
    for number, sheet in enumerate(made, 1):
        if isinstance(sheet, Sheet) and not (cutting and sheet.by_hand):
            folds = tuple(_scores(sheet.spots))
            dashes = tuple(dash for fold in folds for dash in _dashed(fold)) if perforate else ()
            found.append(
                CutSheet(number, paper, tuple(cut_contours(sheet.spots)), () if perforate else folds, dashes, marks)
            )
    return found


def cut_contours(spots: Sequence[Spot]) -> list[Contour]:
    """Holes, then outlines; straight lines with every edge once where pieces share edges."""
    nets = [(spot.front, spot.piece.front.net) for spot in spots if spot.piece.front.net]
    inner = [Contour(front.ring(hole), True) for front, net in nets for hole in net.holes]
    outer = [spot.front.ring(outline(spot)) for spot in spots]
    times = Counter(_key(edge) for ring in outer for edge in _edges(ring))
    if max(times.values(), default=0) < 2:
        return [*inner, *(Contour(ring, True) for ring in outer)]
    alone = [ring for ring in outer if all(times[_key(edge)] == 1 for edge in _edges(ring))]
    once = {_key(edge): edge for ring in outer if ring not in alone for edge in _edges(ring)}
    return [*inner, *(Contour(ring, True) for ring in alone), *(Contour(line, False) for line in _straight(once.values()))]


def outline(spot: Spot) -> Ring:
    """The outline along which a piece is cut, in face mm."""
    face = spot.piece.front
    return face.outline or rectangle(0.0, 0.0, face.width, face.height)


def _scores(spots: Sequence[Spot]) -> list[Contour]:
    once: dict[Segment, Contour] = {}
    for spot in spots:
        net = spot.piece.front.net
        for crease in net.creases if net else ():
            ends = spot.front.point(*crease.start), spot.front.point(*crease.end)
            once.setdefault(_key(ends), Contour(ends, False))
    return list(once.values())


def _dashed(fold: Contour) -> list[Contour]:
    (x0, y0), (x1, y1) = fold.points
    count = max(1, round(math.dist(*fold.points) / (DASH + BRIDGE)))
    half = DASH / (DASH + BRIDGE) / 2
    shares = [((at + 0.5 - half) / count, (at + 0.5 + half) / count) for at in range(count)]
    return [Contour(tuple((x0 + (x1 - x0) * share, y0 + (y1 - y0) * share) for share in ends), False) for ends in shares]


def _edges(ring: Ring) -> Iterable[Segment]:
    return zip(ring, [*ring[1:], ring[0]], strict=True)


def _key(edge: Segment) -> Segment:
    first, second = sorted((_rounded(x), _rounded(y)) for x, y in edge)
    return first, second


def _rounded(value: float) -> float:
    """Rounds in two steps, so that sums that differ in the last digits round the same way at a half."""
    return round(round(value, 9), _DIGITS) + 0.0


def _straight(edges: Iterable[Segment]) -> list[Ring]:
    lines: list[Segment] = sorted(map(_key, edges))
    joined = True
    while joined:
        joined = False
        starts = grouped((line[0], line) for line in lines)
        for line in lines:
            after = next((other for other in starts.get(line[1], ()) if _continues(line, other)), None)
            if after is not None:
                lines = sorted([*(each for each in lines if each not in (line, after)), (line[0], after[1])])
                joined = True
                break
    return [tuple(line) for line in lines]


def _continues(line: Segment, other: Segment) -> bool:
    (x0, y0), (x1, y1), (x2, y2) = *line, other[1]
    across = (x1 - x0) * (y2 - y1) - (y1 - y0) * (x2 - x1)
    return abs(across) < 1e-3 * math.dist(*line) * math.dist(*other)


FRONT = N_("front")
SIDES = {"gutterfold": N_("fold along the dashed line, glue"), "none": N_("one side")}


@dataclass(frozen=True, slots=True)
class PrintSettings:
    """Settings for all sheets of a file."""

    paper: Paper
    backs: Backs
    calibration: Calibration
    slug: str
    text_width: TextWidth
    cutting: bool = False
    """A machine cuts: its registration marks stand for all cut lines."""
    spot: bool = False
    """Pieces are cut along lines in a spot colour, which stand for all cut lines."""
    marks_behind: bool = False
    """Cut lines and folds stand on the back of a sheet, too."""
    words: Words = ENGLISH
    """The language of the marks."""
    heading: Heading | None = None
    """Sets titles of pages that only show something; without it they are set as all marks are."""


def sheets(
    all_runs: Sequence[Run], paper: Paper, backs: Backs, cutting: bool = False, templates: bool = False
) -> list[AnySheet]:
    """The sheets of all runs in order; cards on ready ``templates`` where given.

    Raises TooLarge when a piece does not fit the paper.
    """
    made: list[AnySheet] = []
    for run in all_runs:
        component = run.decks[0].component
        if KINDS[component.kind].parted:
            for piece in run.copies():
                poster = parted(paper, component, piece.front)
                made += [PosterSheet(run, piece, poster, tile) for tile in poster.tiles]
            continue
        if templates and not run.nested and (template := template_of(paper, component.width, component.height)):
            laid = shared_grids(run, template.grid, run.way(backs, True))
            made += [replace(sheet, template=template) for sheet in laid]
            continue
        try:
            made += _laid(run, paper, backs, cutting)
        except TooLarge:
            if not cutting:
                raise
            for deck in run.decks:
                made += _by_hand_if_need_be(Run((deck,)), paper, backs)
    return made


def _laid(run: Run, paper: Paper, backs: Backs, cutting: bool) -> list[Sheet]:
    if run.nested:
        return nested_sheets(run, paper, backs, cutting)
    component, way = run.decks[0].component, run.way(backs, cutting)
    grid = find_grid(paper, component.width, component.height, component.bleed, way, cutting, component.upright)
    return shared_grids(run, grid, way)


def _by_hand_if_need_be(run: Run, paper: Paper, backs: Backs) -> list[Sheet]:
    try:
        return _laid(run, paper, backs, True)
    except TooLarge:
        return [replace(sheet, by_hand=True) for sheet in _laid(run, paper, backs, False)]


def needed(backs: Backs, made: Sequence[AnySheet]) -> Backs:
    """The backs that a file of these sheets needs: none when no sheet has one."""
    ways = {sheet.way for sheet in made}
    if backs in ways and backs in FLIP:
        return backs
    return "gutterfold" if "gutterfold" in ways else "none"


def pages(made: Sequence[AnySheet], settings: PrintSettings) -> list[Page]:
    """The printed sides of sheets: front and back of two-sided ones, then the one-sided ones."""
    result = []
    words = settings.words
    last: Run | None = None
    for number, sheet in enumerate(made, 1):
        bookmark = sheet.run.title if sheet.run is not last else ""
        last = sheet.run
        count = settings.words("sheet {number} of {all}", number=number, all=len(made))
        if isinstance(sheet, Sheet):
            result.append(_front(sheet, settings, count, bookmark))
        elif isinstance(sheet, PosterSheet):
            result.append(replace(_poster(sheet, settings, count), bookmark=bookmark))
        else:
            slug = " · ".join((settings.slug, sheet.note(words), count, words("keep, nothing to cut")))
            page = shown_page(settings.paper, sheet, slug, settings.text_width, words, settings.heading)
            result.append(replace(page, bookmark=sheet.title(words)))
        if isinstance(sheet, Sheet) and sides(sheet) == 2:
            result.append(_back(sheet, settings, count))
    return result


def _poster(sheet: PosterSheet, settings: PrintSettings, count: str) -> Page:
    piece, poster, tile = sheet.piece, sheet.poster, sheet.tile
    part = f"{sheet.run.title} {tile.label}" if len(poster.tiles) > 1 else sheet.run.title
    slug = [Said(settings.slug, 2), Said(part), Said(count), Said(neighbours(poster, tile, settings.words), 1)]
    return poster_page(settings.paper, piece, poster, tile, slug, settings.text_width)


def _front(sheet: Sheet, settings: PrintSettings, count: str, bookmark: str) -> Page:
    grid, words = sheet.grid, settings.words
    faces = _faces(sheet, "front", IDENTITY)
    marks = _marks(sheet, faces, settings)
    if sheet.way == "gutterfold":
        turn = paper_turn(settings.paper, "gutterfold", grid)
        faces += _faces(sheet, "back", turn)
        marks += [*mirrored(marks, turn), *fold_line(grid, settings.paper)]
    slug = [
        Said(settings.slug),
        Said(sheet.shown_title(words), 2, sheet.shorter_titles(words)),
        Said(count),
        Said(words(SIDES.get(sheet.way, FRONT)), 1 if sheet.way == "gutterfold" else 5),
        # Pieces that touch need no words.
        Said(_cuts(sheet, settings), 3 if sheet.parting == ONE_CUT else 1),
        *(Said(words(sign), 4 if sign == GLUED else 3) for sign in legend(sheet.pieces)),
        Said(words("print at 100 %"), 6),
    ]
    lines = 2 if not sheet.cropped or deep(grid, settings.paper) else 1
    # Long lines may come below a piece that lies as low as it can: then they end before it.
    before = min((face.matrix.bounds(face.clip).x for face in faces if _low(face, settings.paper)), default=0.0) - 2 * BAND
    for most, widest in ((lines, math.inf), (lines, before), (1, math.inf)):
        if widest < LEAST_SLUG:
            continue
        labels, ruler = furniture(sheet.covered, settings.paper, slug, settings.text_width, most, widest=widest)
        if not any(_near(label, faces, settings.text_width) for label in labels):
            break
    return Page(settings.paper, (*faces, *marks, *labels, *ruler), "front", bookmark)


def _low(face: PlacedFace, paper: Paper) -> bool:
    """Whether a piece reaches down to the slug line's band, at least LEAST_SLUG from the paper's left edge."""
    ink = face.matrix.bounds(face.clip)
    return ink.bottom > paper.height - band_margin(paper) - NEAR and ink.x > LEAST_SLUG


def _near(label: Label, faces: Sequence[PlacedFace], text_width: TextWidth) -> bool:
    """Whether a slug line is less than NEAR mm from the printed area of one of the pieces."""
    wide, rise, hang = text_width(label.text, label.size_pt), RISE * label.size_pt, HANG * label.size_pt
    if label.turn:
        letters = Rect(label.x - rise, label.y - wide, rise + hang, wide)
    else:
        letters = Rect(label.x, label.y - rise, wide, rise + hang)
    around = letters.grown(*4 * [NEAR])
    inks = (face.matrix.bounds(face.clip) for face in faces)
    return any(
        ink.x < around.right and ink.right > around.x and ink.y < around.bottom and ink.bottom > around.y for ink in inks
    )


def _cuts(sheet: Sheet, settings: PrintSettings) -> str:
    machine = (settings.cutting and not sheet.by_hand) or (settings.spot and sheet.way != "gutterfold")
    return settings.words("cut by machine") if machine else sheet.cuts(settings.words)


def _marks(sheet: Sheet, faces: Sequence[PlacedFace], settings: PrintSettings) -> list[Item]:
    folds = [mark for face in faces for mark in fold_marks(face)]
    if sheet.template:
        return [*folds, *sheet.template.marks(settings.paper)]
    if settings.cutting and not sheet.by_hand:
        return [*folds, *registration_marks(settings.paper)]
    # What is folded and glued first is cut by hand.
    if settings.spot and sheet.way != "gutterfold":
        return [*folds, *contour_lines(cut_contours(sheet.spots))]
    if sheet.nested:
        return [*cut_lines(faces), *corner_ticks(sheet.spots), *folds]
    cells = len(sheet.in_cells)
    straight = crop_marks(sheet.grid, cells, settings.paper) if sheet.cropped else []
    return [*cut_lines(faces), *straight, *corner_ticks(sheet.spots[cells:]), *folds]


def _back(sheet: Sheet, settings: PrintSettings, count: str) -> Page:
    turn = correction(settings.calibration, settings.paper) @ paper_turn(settings.paper, settings.backs, sheet.grid)
    faces: list[Item] = [*_faces(sheet, "back", turn)]
    if settings.marks_behind:
        faces += mirrored(_marks(sheet, _faces(sheet, "front", IDENTITY), settings), turn)
    words = settings.words
    title = Said(sheet.shown_title(words), 1, sheet.shorter_titles(words))
    slug = [Said(settings.slug), title, Said(count), Said(words("back")), Said(words(FLIP[settings.backs]), 2)]
    labels, _ = furniture(sheet.covered, settings.paper, slug, settings.text_width, ruler=False)
    return Page(settings.paper, (*faces, *(slug_behind(each, settings.paper, settings.backs) for each in labels)), "back")


def _faces(sheet: Sheet, side: Side, turn: Affine) -> list[PlacedFace]:
    placed = []
    for spot in sheet.spots:
        if (face := spot.piece.side(side)) is None:
            continue
        clip = spot.front.inverse().bounds(spot.inked)
        matrix = spot.front
        if side == "back":
            matrix = back_map(spot.front, turn, face.width)
            clip = back_map(IDENTITY, IDENTITY, face.width).bounds(clip)
        placed.append(PlacedFace(face, spot.piece.name, side, matrix, clip))
    return placed


# Marks of the fold: so far from the edge of the paper, and so long, in mm.
TICK_AT, TICK = 2.0, 4.0


@dataclass(frozen=True, slots=True)
class Spread:
    """One side of a sheet: the pages (1-based) of its left and right half; None stays blank."""

    left: int | None
    right: int | None


@dataclass(frozen=True, slots=True)
class BookletSheet:
    """A sheet of the booklet, printed on both sides. ``creep``: how far its pages move towards the fold, in mm."""

    front: Spread
    back: Spread
    creep: float


def booklet(pages: int, thickness: float = 0.0, leftwards: bool = False) -> list[BookletSheet]:
    """The sheets of a booklet, outermost first. Blanks go before the last page, which stays the back cover.

    ``thickness`` of a leaf in mm: inner sheets are pushed out by those around them, so their pages move in by as much.
    ``leftwards``: it is bound on the right, and read from there.
    Raises ValueError for a book without pages.
    """
    if pages < 1:
        raise ValueError("a booklet has at least one page")
    total = -(-pages // 4) * 4

    def page(number: int) -> int | None:
        if number == total and pages > 1:
            return pages
        return number if number < pages or number == pages == 1 else None

    def spread(left: int, right: int) -> Spread:
        return Spread(page(right), page(left)) if leftwards else Spread(page(left), page(right))

    return [
        BookletSheet(
            spread(total - 2 * sheet, 2 * sheet + 1), spread(2 * sheet + 2, total - 2 * sheet - 1), sheet * thickness
        )
        for sheet in range(total // 4)
    ]


def booklet_sides(pages: int, paper: Paper, thickness: float = 0.0, leftwards: bool = False) -> list[ImposedSide]:
    """The printed sides of a booklet on a paper: front and back of each sheet, outermost first."""
    sides = []
    for sheet in booklet(pages, thickness, leftwards):
        sides += [_side(spread, paper, sheet.creep) for spread in (sheet.front, sheet.back)]
    return sides


def card_sides(pages: int, paper: Paper) -> list[ImposedSide]:
    """The printed sides of reference cards: each page twice on a side, so that a cut gives two cards."""
    return [_side(Spread(number, number), paper, 0.0) for number in range(1, pages + 1)]


def _side(spread: Spread, paper: Paper, creep: float) -> ImposedSide:
    width, height, middle = paper.height, paper.width, paper.height / 2
    places = ((spread.left, creep), (spread.right, middle - creep))
    placed = tuple(ImposedPage(page, translation(x, 0)) for page, x in places if page is not None)
    ends = ((TICK_AT, TICK_AT + TICK), (height - TICK_AT - TICK, height - TICK_AT))
    return ImposedSide(width, height, placed, tuple((middle, top, middle, bottom) for top, bottom in ends))
