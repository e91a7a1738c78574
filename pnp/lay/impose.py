"""Decks → sheets → pages: every copy of every piece in its place, its back behind it, marks around."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from pnp.lay.backs import back_map, correction, paper_turn
from pnp.lay.cuts import cut_contours
from pnp.lay.grid import TooLarge, find_grid
from pnp.lay.marks import (
    Said,
    contour_lines,
    crop_marks,
    cut_lines,
    deep,
    fold_line,
    furniture,
    mirrored,
    slug_behind,
)
from pnp.lay.nest import nested_sheets, shared_grids
from pnp.lay.netmarks import GLUED, corner_ticks, fold_marks, legend
from pnp.lay.poster import neighbours, poster_page
from pnp.lay.registration import registration_marks
from pnp.lay.sheet import FLIP, AnySheet, PosterSheet, Run, Sheet, sides
from pnp.lay.shown import Heading, shown_page
from pnp.lay.split import split
from pnp.lay.templates import template_of
from pnp.shapes.affine import IDENTITY, Affine, Calibration
from pnp.values.faces import Item, Page, PlacedFace
from pnp.values.game import Backs, Paper, Side
from pnp.values.kinds import KINDS
from pnp.values.words import ENGLISH, N_, Words

FRONT = N_("front")
SIDES = {"gutterfold": N_("fold along the dashed line, glue"), "none": N_("one side")}


@dataclass(frozen=True, slots=True)
class PrintSettings:
    """What stays the same for all sheets of a file. ``text_width`` measures a slug: (text, pt) → mm."""

    paper: Paper
    backs: Backs
    calibration: Calibration
    slug: str
    text_width: Callable[[str, float], float]
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
    """The sheets of all runs in order, with ``templates`` those of cards for ready cutting templates, where there are any.

    Raises TooLarge when a piece does not fit the paper.
    """
    made: list[AnySheet] = []
    for run in all_runs:
        component = run.decks[0].component
        if KINDS[component.kind].parted:
            poster = split(paper, component.width, component.height, component.step, component.bleed, component.join)
            made += [PosterSheet(run, piece, poster, tile) for piece in run.copies() for tile in poster.tiles]
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
    """For a machine where pieces fit inside its marks, else without marks, to be cut by hand."""
    try:
        return _laid(run, paper, backs, True)
    except TooLarge:
        return [replace(sheet, by_hand=True) for sheet in _laid(run, paper, backs, False)]


def needed(backs: Backs, made: Sequence[AnySheet]) -> Backs:
    """How a file of these sheets is printed: on one side when no sheet has a back behind it."""
    ways = {sheet.way for sheet in made}
    if backs in ways and backs in FLIP:
        return backs
    return "gutterfold" if "gutterfold" in ways else "none"


def pages(made: Sequence[AnySheet], settings: PrintSettings) -> list[Page]:
    """The printed sides of the sheets: front and back of what has two, then the others' one side."""
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
        Said(sheet.shown_title(words), 4),
        Said(count),
        Said(words(SIDES.get(sheet.way, FRONT)), 1 if sheet.way == "gutterfold" else 5),
        Said(_cuts(sheet, settings), 1),
        *(Said(words(sign), 3 if sign == GLUED else 2) for sign in legend(sheet.pieces)),
        Said(words("print at 100 %"), 6),
    ]
    lines = 2 if not sheet.cropped or deep(grid, settings.paper) else 1
    labels, ruler = furniture(sheet.covered, settings.paper, slug, settings.text_width, lines)
    return Page(settings.paper, (*faces, *marks, *labels, *ruler), "front", bookmark)


def _cuts(sheet: Sheet, settings: PrintSettings) -> str:
    """How its pieces are cut, in words."""
    machine = (settings.cutting and not sheet.by_hand) or (settings.spot and sheet.way != "gutterfold")
    return settings.words("cut by machine") if machine else sheet.cuts(settings.words)


def _marks(sheet: Sheet, faces: Sequence[PlacedFace], settings: PrintSettings) -> list[Item]:
    """Where its pieces are cut and folded."""
    folds = [mark for face in faces for mark in fold_marks(face, settings.words)]
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
    """No marks here but on request: they never meet those of the front to a hair, and the front is what is cut."""
    turn = correction(settings.calibration, settings.paper) @ paper_turn(settings.paper, settings.backs, sheet.grid)
    faces: list[Item] = [*_faces(sheet, "back", turn)]
    if settings.marks_behind:
        faces += mirrored(_marks(sheet, _faces(sheet, "front", IDENTITY), settings), turn)
    words = settings.words
    title, flip = sheet.shown_title(words), words(FLIP[settings.backs])
    slug = [Said(settings.slug), Said(title, 2), Said(count), Said(words("back")), Said(flip, 1)]
    labels, _ = furniture(sheet.covered, settings.paper, slug, settings.text_width)
    return Page(settings.paper, (*faces, *(slug_behind(each, settings.paper, settings.backs) for each in labels)), "back")


def _faces(sheet: Sheet, side: Side, turn: Affine) -> list[PlacedFace]:
    placed = []
    for spot in sheet.spots:
        face = spot.piece.side(side)
        if face is None:
            continue
        clip = spot.front.inverse().bounds(spot.inked)
        matrix = spot.front
        if side == "back":
            matrix = back_map(spot.front, turn, face.width)
            clip = back_map(IDENTITY, IDENTITY, face.width).bounds(clip)
        placed.append(PlacedFace(face, spot.piece.name, side, matrix, clip))
    return placed
