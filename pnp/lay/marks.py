"""Makes crop marks, fold lines, ruler and slug line outside the pieces, and the marks for folding and gluing."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from pnp.dataclass import dataclass
from pnp.lay.grid import BAND, LEAST_MARK, Grid, mark_margin, slug_margin
from pnp.lay.sheet import Spot
from pnp.shapes.affine import Affine, Rect
from pnp.shapes.outline import Point, Ring
from pnp.shapes.units import PT_PER_MM
from pnp.values.faces import Contour, Item, Label, Line, Piece, PlacedFace, Stroke
from pnp.values.game import Backs, Paper
from pnp.values.languages import N_

# Printers with a knife cut along lines in this colour: docs/how-it-works/print.md#files-for-cutting-machines
CUT_COLOUR, HAIRLINE = "CutContour", 0.09
MARK_LENGTH = 3.0
MARK_GAP = 1.0
# In mm. The short one stands where the slug line beside it then says more.
RULER_LENGTH, SHORT_RULER = 101.6, 50.8
# In points: the first in which all has room on one line, else the last.
SLUG_SIZES = (7.5, 7.0, 6.5)
SLUG_SIZE = SLUG_SIZES[-1]
# So far above the edge's margin its line stands, in mm a point; of two lines its letters reach the margin and no farther.
DESCENT = 0.117
HANG, RISE = 0.074, 0.254

TextWidth = Callable[[str, float], float]
"""Measures a text: (text, pt) → mm."""

_INCH = 25.4
# The band of the slug line and ruler; marks end before it. Two lines take more of it, and stand so far apart.
_BAND, _DEEP_BAND = 3.4, 4.8
_LEADING = 2.3
# In points; and the room of its label, in mm.
RULER_SIZE, _RULER_LABEL = 6.5, 18.0
# A ruler that leaves the slug line less room than this is left out: only on papers smaller than A4.
LEAST_SLUG = 50.0


@dataclass(frozen=True, slots=True)
class Said:
    """A part of a slug line. Without room, the highest rank is left out first; rank 0 stays."""

    text: str
    rank: int = 0
    shorter: tuple[str, ...] = ()
    """What is said instead where there is less room, and less still."""

    @property
    def forms(self) -> tuple[str, ...]:
        """All that may be said: the whole text first, its shortest form last."""
        return (self.text, *self.shorter)


def deep(grid: Grid, paper: Paper) -> bool:
    """Whether there is room for two slug lines below the block's marks."""
    # Behind a level fold the slug line lies where the front's upper edge is mirrored to.
    upper = grid.fold == "horizontal"
    room = grid.block.y if upper else grid.band_room(paper)
    bleed = max(MARK_GAP, grid.outer[0 if grid.band == "left" else 1 if upper else 3])
    return room - bleed - LEAST_MARK >= slug_margin(paper) + _DEEP_BAND


def crop_marks(grid: Grid, filled: int, paper: Paper) -> list[Line]:
    """Marks at every cut line of the first ``filled`` cells, in the margins around the block; where
    pieces have gutters, also ticks in the gutters' crossings, so that a cut strip keeps its marks."""
    cells = [grid.cell(index) for index in range(filled)]
    xs = _edges((cell.x, cell.right) for cell in cells)
    ys = _edges((cell.y, cell.bottom) for cell in cells)
    left, top, right, bottom = (max(MARK_GAP, bleed) for bleed in grid.outer)
    block = Rect(xs[0], ys[0], xs[-1] - xs[0], ys[-1] - ys[0])
    # The rows of a partly filled sheet end earlier: its own last edge bleeds like an inner one.
    if ys[-1] < grid.block.bottom - 0.01:
        bottom = max(MARK_GAP, grid.bleed)
    if xs[-1] < grid.block.right - 0.01:
        right = max(MARK_GAP, grid.bleed)
    lines = []
    # Behind a level fold the upper marks come down into the band.
    edge, band = mark_margin(paper), slug_margin(paper) + (_DEEP_BAND if deep(grid, paper) else _BAND)
    highest = band if grid.fold == "horizontal" else edge
    lowest = paper.height - (band if grid.band == "bottom" else edge)
    leftmost = band if grid.band == "left" else edge
    rightmost = paper.width - edge
    above = max(block.y - top, highest + LEAST_MARK)
    below = min(block.bottom + bottom, lowest - LEAST_MARK)
    before = max(block.x - left, leftmost + LEAST_MARK)
    behind = min(block.right + right, rightmost - LEAST_MARK)
    for x in xs:
        lines.append(_mark(x, above, x, max(above - MARK_LENGTH, highest)))
        lines.append(_mark(x, below, x, min(below + MARK_LENGTH, lowest)))
    for y in ys:
        lines.append(_mark(before, y, max(before - MARK_LENGTH, leftmost), y))
        lines.append(_mark(behind, y, min(behind + MARK_LENGTH, rightmost), y))
    if grid.bleed:
        lines += _gutter_ticks(grid, filled)
    return lines


def _mark(x1: float, y1: float, x2: float, y2: float) -> Line:
    return Line(x1, y1, x2, y2, halo=True)


def _edges(pairs: Iterable[tuple[float, float]]) -> list[float]:
    return sorted({round(edge, 6) for pair in pairs for edge in pair})


def _gutter_ticks(grid: Grid, filled: int) -> list[Line]:
    lines = []
    reach = 2 * grid.bleed
    for index in range(filled):
        row, column = divmod(index, grid.columns)
        cell = grid.cell(index)
        diagonal = index + grid.columns + 1
        if column + 1 < grid.columns and row + 1 < grid.rows and diagonal < filled:
            x, y = cell.right, cell.bottom
            for edge in (x, x + reach):
                lines.append(_mark(edge, y, edge, y + reach))
            for edge in (y, y + reach):
                lines.append(_mark(x, edge, x + reach, edge))
    return lines


def cut_lines(placed: Sequence[PlacedFace]) -> list[Stroke]:
    """The outlines of pieces that are not rectangular, as hairlines, for no crop marks could guide the cut."""
    strokes = []
    for item in placed:
        rings = [item.face.outline] if item.face.outline else []
        rings += item.face.net.holes if item.face.net else ()
        strokes += [Stroke(item.matrix.ring(ring), halo=True) for ring in rings]
    return strokes


def contour_lines(contours: Sequence[Contour]) -> list[Stroke]:
    """The cut contours for a printer with a knife, in a spot colour that it cuts and does not print."""
    return [Stroke(each.points, width=HAIRLINE, closed=each.closed, spot=CUT_COLOUR) for each in contours]


def fold_line(grid: Grid, paper: Paper) -> list[Line]:
    """The dashed fold line across a gutterfold sheet."""
    edge = mark_margin(paper)
    if grid.fold == "horizontal":
        ends = (edge, paper.height / 2, paper.width - edge, paper.height / 2)
    else:
        ends = (paper.width / 2, edge, paper.width / 2, paper.height - edge)
    return [Line(*ends, width=0.25, dashes=(4.0, 2.0))]


def mirrored(marks: Sequence[Item], turn: Affine) -> list[Item]:
    """The lines mirrored behind a fold or the paper; no text."""
    made: list[Item] = []
    for mark in marks:
        if isinstance(mark, Line):
            ends = (*turn.point(mark.x1, mark.y1), *turn.point(mark.x2, mark.y2))
            made.append(Line(*ends, mark.width, mark.dashes, mark.halo))
        elif isinstance(mark, Stroke):
            made.append(replace(mark, points=turn.ring(mark.points)))
    return made


def furniture(
    grid: Grid,
    paper: Paper,
    slug: Sequence[Said],
    text_width: TextWidth,
    lines: int = 1,
    *,
    ruler: bool = True,
    widest: float = math.inf,
) -> tuple[list[Label], list[Line | Label]]:
    """The slug line in the band that the grid keeps free, and the ruler, if there is to be one.

    The slug line has at most ``lines`` lines of at most ``widest`` mm; the ruler is the short one where it then says more.

    The ruler takes the opposite edge when that is free, else the far end of the band.
    """
    upright = grid.band == "left"
    length = paper.height if upright else paper.width
    edge = slug_margin(paper)
    start, end = edge + 4, length - edge - 4
    line = paper.width if upright else paper.height
    opposite = (line - grid.block.right if upright else grid.block.y) - max(MARK_GAP, grid.outer[2 if upright else 1])
    alone = grid.fold is None and opposite - MARK_LENGTH >= edge + BAND
    ruled = ruler and end - start >= RULER_LENGTH + _RULER_LABEL + (0 if alone else LEAST_SLUG)
    bar, room = RULER_LENGTH, end - start
    beside = room - (bar + _RULER_LABEL if ruled and not alone else 0)
    said, size = fitting_slug(slug, min(beside, widest), text_width, lines)
    if ruled and not alone:
        more, smaller = fitting_slug(slug, min(room - SHORT_RULER - _RULER_LABEL, widest), text_width, lines)
        if len("".join(more)) > len("".join(said)):
            bar, said, size = SHORT_RULER, more, smaller
    baseline = edge + DESCENT * size
    labels = []
    two = len(said) > 1
    for number, text in enumerate(said):
        if upright:
            # Read from the right: the text runs up the left edge, the first line outermost.
            x = edge + RISE * size if two else baseline + 1.1
            labels.append(Label(x + number * _LEADING, end, text, size, -90))
        else:
            y = paper.height - (edge + HANG * size if two else baseline)
            labels.append(Label(start, y - (len(said) - 1 - number) * _LEADING, text, size))
    if not ruled:
        return labels, []
    if upright:
        return labels, _ruler_upright(paper.width - baseline if alone else baseline, start, -1 if alone else 1, bar)
    return labels, ruler_level(end - bar, baseline if alone else paper.height - baseline, 1 if alone else -1, bar)


def slug_behind(slug: Label, paper: Paper, backs: Backs) -> Label:
    """The slug line on the back, behind that of the front, where no piece is."""
    # Letters reach so much farther above their baseline than below.
    lift = 0.5 * slug.size_pt / PT_PER_MM
    if slug.turn and backs == "long-edge":
        return replace(slug, x=paper.width - slug.x + lift)
    if not slug.turn and backs == "short-edge":
        return replace(slug, y=paper.height - slug.y + lift)
    return slug


def fitting_slug(slug: Sequence[Said], room: float, text_width: TextWidth, lines: int = 1) -> tuple[list[str], float]:
    """Chooses the text of a slug's lines and its size in pt: the largest of SLUG_SIZES at which all fits.

    Else each part that there is room for, lowest ranks first, in its shortest form; then in the longest that fits. It is
    smaller than SLUG_SIZE only where parts of rank 0 alone are too long for a line of ``room`` mm.
    """

    def fitted(parts: Mapping[int, str], size: float) -> list[str]:
        """The lines of these parts; none if they are too long."""
        said = _lines([parts[at] for at in sorted(parts)], room, size, text_width)
        most = lines if size == SLUG_SIZE else 1
        return said if len(said) <= most and all(text_width(text, size) <= room for text in said) else []

    whole = dict(enumerate(part.text for part in slug))
    for size in SLUG_SIZES:
        if said := fitted(whole, size):
            return said, size
    ranked = sorted(range(len(slug)), key=lambda at: slug[at].rank)
    chosen = {at: slug[at].forms[-1] for at in ranked if slug[at].rank == 0}
    if not fitted(chosen, SLUG_SIZE):
        line = " · ".join(chosen[at] for at in sorted(chosen))
        return [line], min(SLUG_SIZE, SLUG_SIZE * room / text_width(line, SLUG_SIZE))
    for at in ranked:
        if at not in chosen and fitted(more := {**chosen, at: slug[at].forms[-1]}, SLUG_SIZE):
            chosen = more
    for at in filter(chosen.__contains__, ranked):
        chosen[at] = next(form for form in slug[at].forms if fitted({**chosen, at: form}, SLUG_SIZE))
    return fitted(chosen, SLUG_SIZE), SLUG_SIZE


def _lines(parts: Sequence[str], room: float, size: float, text_width: TextWidth) -> list[str]:
    """Each part in the first line that has room for it."""
    found: list[str] = []
    for part in parts:
        longer = [f"{line} · {part}" for line in found]
        at = next((at for at, line in enumerate(longer) if text_width(line, size) <= room), len(found))
        found[at : at + 1] = longer[at : at + 1] or [part]
    return found


def ruler_level(x: float, y: float, towards: int, bar: float = RULER_LENGTH) -> list[Line | Label]:
    """Draws a level ruler, ``bar`` mm long: a tick each 10 mm, a longer one each inch, its length in words before it."""
    items: list[Line | Label] = [Line(x, y, x + bar, y)]
    items += [Line(x + at, y, x + at, y + towards * tick) for at, tick in _ticks(bar)]
    items.append(Label(x - 1.5, y + (1.8 if towards > 0 else 0), _ruler_name(bar), RULER_SIZE, anchor="end"))
    return items


def _ruler_upright(x: float, y: float, towards: int, bar: float) -> list[Line | Label]:
    items: list[Line | Label] = [Line(x, y, x, y + bar)]
    items += [Line(x, y + at, x + towards * tick, y + at) for at, tick in _ticks(bar)]
    items.append(Label(x + (1.8 if towards > 0 else 0), y + bar + 1.5, _ruler_name(bar), RULER_SIZE, -90, "end"))
    return items


def _ruler_name(bar: float) -> str:
    return f"{bar // 10 * 10:.0f} mm · {bar / _INCH:.0f} in"


def _ticks(bar: float) -> list[tuple[float, float]]:
    metric = [(10.0 * step, 1.5 if step % 5 == 0 else 0.9) for step in range(int(bar // 10) + 1)]
    return metric + [(_INCH * inch, 2.3) for inch in range(round(bar / _INCH) + 1)]


# Short dashes fold towards the reader, a dash and a dot away (origami's signs).
VALLEY = (1.6, 1.2)
MOUNTAIN = (3.2, 1.0, 0.4, 1.0)
FOLD_WIDTH = 0.2
HATCH = 2.2
HATCH_WIDTH = 0.08
# A tab's number in points, and the radius of the white disc below it.
NUMBER_SIZE, NUMBER_DISC = 7.0, 1.6
# What the signs mean, where a sheet has them.
TO_YOU, AWAY, GLUED = N_("– – fold to you"), N_("— · — fold away"), N_("hatched: glue")
BOTH = N_("– – fold to you, — · — away")
# A tick begins this far outside the corner.
TICK_GAP = 0.4


def legend(pieces: Sequence[Piece]) -> list[str]:
    """The meaning of the signs on some pieces, for the slug line."""
    nets = [piece.front.net for piece in pieces if piece.front.net]
    angles = [crease.angle for net in nets for crease in net.creases]
    ways = {angle < 0 for angle in angles}
    folds = [BOTH] if len(ways) > 1 else [TO_YOU if to_you else AWAY for to_you in ways]
    return [*folds, *([GLUED] if any(net.tabs for net in nets) else [])]


def fold_marks(placed: PlacedFace) -> list[Item]:
    """Dashes along the folds of a folded piece, and hatched glue tabs, numbered where there are several."""
    net = placed.face.net
    if net is None:
        return []
    items: list[Item] = []
    for crease in net.creases:
        ends = (*placed.matrix.point(*crease.start), *placed.matrix.point(*crease.end))
        items.append(Line(*ends, FOLD_WIDTH, VALLEY if crease.angle < 0 else MOUNTAIN, halo=True))
    for number, tab in enumerate(net.tabs, 1):
        ring = placed.matrix.ring(tab.ring)
        items += [Stroke(line, HATCH_WIDTH, closed=False, halo=True) for line in hatching(ring, HATCH)]
        if len(net.tabs) > 1:
            x, y = (sum(point[axis] for point in ring) / len(ring) for axis in (0, 1))
            items.append(Stroke(_disc(x, y, min(NUMBER_DISC, _reach(ring, (x, y)))), 0.0, fill=1.0))
            items.append(Label(x, y + NUMBER_SIZE * 0.12, str(number), NUMBER_SIZE, anchor="middle", halo=True))
    return items


def _disc(x: float, y: float, radius: float) -> Ring:
    angles = [math.tau * step / 24 for step in range(24)]
    return tuple((x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles)


def _reach(ring: Ring, point: Point) -> float:
    """How far a point in a convex ring is from its nearest edge."""
    x, y = point
    edges = zip(ring, (*ring[1:], ring[0]), strict=True)
    return min(
        abs((x2 - x1) * (y1 - y) - (x1 - x) * (y2 - y1)) / math.dist((x1, y1), (x2, y2)) for (x1, y1), (x2, y2) in edges
    )


def hatching(ring: Ring, step: float) -> list[tuple[Point, Point]]:
    """Slanting lines ``step`` mm apart across a convex ring."""
    # Lines x + y = c: each meets a convex ring twice.
    sums = [x + y for x, y in ring]
    distance = step * math.sqrt(2)
    lines = []
    for number in range(math.floor(min(sums) / distance) + 1, math.ceil(max(sums) / distance)):
        level = number * distance
        met = []
        for (x0, y0), (x1, y1) in zip(ring, [*ring[1:], ring[0]], strict=True):
            before, after = x0 + y0 - level, x1 + y1 - level
            if (before < 0) != (after < 0):
                share = before / (before - after)
                met.append((x0 + (x1 - x0) * share, y0 + (y1 - y0) * share))
        if len(met) == 2:
            lines.append((met[0], met[1]))
    return lines


def corner_ticks(spots: Sequence[Spot]) -> list[Line]:
    """Crop marks at the corners of nested rectangles, in the room around each piece."""
    lines = []
    for spot in spots:
        face = spot.piece.front
        if face.outline is not None:
            continue
        corners = [spot.front.point(x, y) for x in (0, face.width) for y in (0, face.height)]
        (left, *_, right), (top, *_, bottom) = map(sorted, zip(*corners, strict=True))
        room = spot.inked
        for x in (left, right):
            lines += [_mark(x, top - TICK_GAP, x, room.y), _mark(x, bottom + TICK_GAP, x, room.bottom)]
        for y in (top, bottom):
            lines += [_mark(left - TICK_GAP, y, room.x, y), _mark(right + TICK_GAP, y, room.right, y)]
    return lines
