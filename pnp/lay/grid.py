"""Places pieces of one size in a grid on a sheet, and their backs behind them; splits large pieces; knows ready
templates.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

from pnp.dataclass import dataclass
from pnp.shapes.affine import IDENTITY, Affine, Calibration, Rect, mirror_x, mirror_y, rotation, translation
from pnp.shapes.grids import bounds, letters
from pnp.values.faces import Face, Layer, Line, TextBox, TextLayer
from pnp.values.game import MARGIN, Backs, Component, Paper

INSET = 10.0
LENGTH = 5.0
WIDTH = 1.0
PADDING = 1.5
# From the marks' outer edge to where pieces may begin beside a mark.
CLEAR = LENGTH + PADDING


def inset(paper: Paper) -> float:
    """The inset of registration marks from the edges, in mm: more where a wide margin moves the slug line inwards."""
    return max(INSET, INSET - SLUG_MARGIN + slug_margin(paper))


def registration_marks(paper: Paper) -> list[Line]:
    """The three registration marks in page mm, lines as wide as cutting machines expect."""
    at, half = inset(paper), WIDTH / 2
    right, bottom = paper.width - at, paper.height - at
    return [
        Line(at, at + LENGTH / 2, at + LENGTH, at + LENGTH / 2, LENGTH),
        Line(right - LENGTH, at + half, right, at + half, WIDTH),
        Line(right - half, at, right - half, at + LENGTH, WIDTH),
        Line(at, bottom - half, at + LENGTH, bottom - half, WIDTH),
        Line(at + half, bottom - LENGTH, at + half, bottom, WIDTH),
    ]


# The slug line and marks may stand nearer to the edge than pieces: cutting survives the loss of a mark's end.
SLUG_MARGIN = 4.0
# The side that carries the slug line: the line itself, a gap, and at least a millimetre of crop mark.
BAND = 4.5
# In the tightest margins the gap before a mark gives way before the mark does.
LEAST_MARK = 1.0
# With this much room beside the block, marks, slug line and ruler have their full size.
ROOMY = 13.0
# A narrower bleed than this helps nobody with scissors: neighbours then share their cut lines.
LEAST_BLEED = 1.0
# Between a fold and the ink beside it.
FOLD_CLEARANCE = 5.0

_EPSILON = 1e-6

Band = Literal["bottom", "left"]
Fold = Literal["horizontal", "vertical"]


def slug_margin(paper: Paper) -> float:
    """The distance of the slug line from the edge, in mm: the pieces' margin where it is not the usual one."""
    return min(SLUG_MARGIN, paper.margin) if paper.margin <= MARGIN else paper.margin


def mark_margin(paper: Paper) -> float:
    """The distance of marks from the edge, in mm: marks are a millimetre long beyond pieces at the margin."""
    return min(slug_margin(paper), paper.margin - LEAST_MARK)


def band_margin(paper: Paper) -> float:
    """The distance that pieces keep from the edge with the slug line, in mm."""
    return slug_margin(paper) + BAND


class TooLarge(ValueError):
    """A piece that does not fit on the paper."""

    component: Component | None = None
    """Whose piece it is, where sheets are shared."""


@dataclass(frozen=True, slots=True)
class Area:
    """The room for the pieces' ink on a page, in page mm; the side of the slug line; a fold beside it."""

    band: Band
    room: Rect
    fold: Fold | None


@dataclass(frozen=True, slots=True)
class Grid:
    """Equal cells on a page; ``cell`` rectangles are trims, in page mm."""

    columns: int
    rows: int
    turned: bool
    """Pieces lie on their side: a quarter turn clockwise."""
    bleed: float
    """Bleed around every piece inside the block; 0 when neighbours share their cut lines."""
    outer: tuple[float, float, float, float]
    """Bleed beyond the block's own edge: left, top, right, bottom."""
    block: Rect
    """From the first cell's trim to the last one's."""
    cell_width: float
    cell_height: float
    band: Band
    fold: Fold | None = None

    def band_room(self, paper: Paper) -> float:
        """The room from the block's trim to the paper's edge with the slug line, in mm."""
        return self.block.x if self.band == "left" else paper.height - self.block.bottom

    @property
    def capacity(self) -> int:
        return self.columns * self.rows

    @property
    def shared_cuts(self) -> bool:
        return self.bleed == 0 and self.capacity > 1

    def cell(self, index: int) -> Rect:
        """The trim of the index-th piece, row by row from the top left."""
        row, column = divmod(index, self.columns)
        return Rect(
            self.block.x + column * (self.cell_width + 2 * self.bleed),
            self.block.y + row * (self.cell_height + 2 * self.bleed),
            self.cell_width,
            self.cell_height,
        )

    def inked(self, index: int) -> Rect:
        """The trim with as much bleed as the sheet has room for."""
        row, column = divmod(index, self.columns)
        left, top, right, bottom = self.outer
        return self.cell(index).grown(
            left if column == 0 else self.bleed,
            top if row == 0 else self.bleed,
            right if column == self.columns - 1 else self.bleed,
            bottom if row == self.rows - 1 else self.bleed,
        )

    def front(self, index: int) -> Affine:
        """The map from face mm to page mm for the index-th cell."""
        cell = self.cell(index)
        return translation(cell.right, cell.y) @ rotation(90) if self.turned else translation(cell.x, cell.y)


def find_grid(
    paper: Paper, width: float, height: float, bleed: float, backs: Backs, cutting: bool = False, upright: bool = False
) -> Grid:
    """The grid that takes most pieces; among equals the one with most bleed, then upright pieces.

    ``cutting`` keeps clear of a cutting machine's registration marks, ``upright`` turns no piece.
    Raises TooLarge when not one piece fits.
    """
    found = [
        grid
        for turned in ((False,) if upright else (False, True))
        for area in areas(paper, backs, cutting)
        if (grid := _fill(area, paper, width, height, bleed, turned))
    ]
    if not found:
        within = "the margins that printers need" if paper.margin == MARGIN else f"a margin of {paper.margin:g} mm"
        raise TooLarge(
            f"a piece of {width:g} × {height:g} mm does not fit on {paper.name} "
            f"({paper.width:g} × {paper.height:g} mm) at 100 % inside {within}"
        )
    return max(
        found,
        key=lambda grid: (
            grid.capacity,
            grid.bleed,
            not grid.turned,
            min(grid.band_room(paper), ROOMY),
            grid.band == "bottom",
        ),
    )


def areas(paper: Paper, backs: Backs, cutting: bool = False) -> list[Area]:
    """The room for the pieces' ink, for each place of the slug line; clear of registration marks when a machine cuts."""
    margin, band = paper.margin, band_margin(paper)
    if backs == "gutterfold":
        half_height = paper.height / 2 - FOLD_CLEARANCE - band
        half_width = paper.width / 2 - FOLD_CLEARANCE - band
        return [
            Area("bottom", Rect(margin, band, paper.width - 2 * margin, half_height), "horizontal"),
            Area("left", Rect(band, margin, half_width, paper.height - 2 * margin), "vertical"),
        ]
    if cutting:
        # A machine cuts inside its marks only; beside the marks, either above and below or left and right, is room.
        at = inset(paper)
        inner, outer = paper.width - 2 * at, paper.height - 2 * at
        return [
            Area("bottom", Rect(at, at + CLEAR, inner, outer - 2 * CLEAR), None),
            Area("bottom", Rect(at + CLEAR, at, inner - 2 * CLEAR, outer), None),
        ]
    return [
        Area("bottom", Rect(margin, margin, paper.width - 2 * margin, paper.height - margin - band), None),
        Area("left", Rect(band, margin, paper.width - margin - band, paper.height - 2 * margin), None),
    ]


def _fill(area: Area, paper: Paper, width: float, height: float, bleed: float, turned: bool) -> Grid | None:
    region, fold = area.room, area.fold
    cell_width, cell_height = (height, width) if turned else (width, height)
    columns = int((region.width + _EPSILON) // cell_width)
    rows = int((region.height + _EPSILON) // cell_height)
    if columns < 1 or rows < 1:
        return None
    room = min((region.width / columns - cell_width) / 2, (region.height / rows - cell_height) / 2)
    inner = min(bleed, math.floor(room * 10 + _EPSILON) / 10)
    if inner < min(LEAST_BLEED, bleed) or (columns, rows) == (1, 1):
        inner = 0.0
    block_width = columns * cell_width + (columns - 1) * 2 * inner
    block_height = rows * cell_height + (rows - 1) * 2 * inner
    # Backs mirror about the page's middle, so a block there needs the least paper; a fold draws it near.
    beside = inner or min(bleed, (region.width - block_width) / 2)
    above = inner or min(bleed, (region.height - block_height) / 2)
    x = paper.width / 2 - (block_width + beside + FOLD_CLEARANCE if fold == "vertical" else block_width / 2)
    y = paper.height / 2 - (block_height + above + FOLD_CLEARANCE if fold == "horizontal" else block_height / 2)
    x = min(max(x, region.x + inner), region.right - inner - block_width)
    y = min(max(y, region.y + inner), region.bottom - inner - block_height)
    block = Rect(x, y, block_width, block_height)
    outer = (inner, inner, inner, inner)
    if inner == 0:
        outer = (
            _outer(bleed, block.x - region.x),
            _outer(bleed, block.y - region.y),
            _outer(bleed, region.right - block.right),
            _outer(bleed, region.bottom - block.bottom),
        )
    return Grid(columns, rows, turned, inner, outer, block, cell_width, cell_height, area.band, fold)


def _outer(bleed: float, room: float) -> float:
    return max(0.0, min(bleed, room))


def paper_turn(paper: Paper, backs: Backs, grid: Grid) -> Affine:
    """The mirroring that brings the front's side of the paper onto the back's, in page mm.

    All sheets are upright, so the long edge is the left or right one.
    """
    if backs == "short-edge" or (backs == "gutterfold" and grid.fold == "horizontal"):
        return mirror_y(paper.height / 2)
    return mirror_x(paper.width / 2)


def back_map(front: Affine, turn: Affine, face_width: float) -> Affine:
    """The map of a back from face mm to page mm, given its front's."""
    return turn @ front @ mirror_x(face_width / 2)


def correction(calibration: Calibration, paper: Paper) -> Affine:
    """The correction of backs for this printer's error: a turn about the middle, then a shift."""
    turned = rotation(calibration.angle, paper.width / 2, paper.height / 2)
    return translation(calibration.dx, calibration.dy) @ turned


Join = Literal["glue", "butt"]

# What the neighbour is glued upon; more than any home printer's margin.
OVERLAP = 10.0
# Beyond a line that is cut, so that a cut a hair off shows no white.
CUT_BLEED = 3.0
MOST_PAGES = 400
# A text that is parted costs as much as so many cells by which pages are uneven.
TEXT = 100

Whole = tuple[Rect, int]
"""What is better not parted, in piece mm, and what it costs."""


@dataclass(frozen=True, slots=True)
class Tile:
    """One page of a poster: a part of the piece, and its place on the page."""

    row: int
    column: int
    part: Rect
    """The part of the piece that this page contributes, in piece mm: cut here, meet the neighbour here."""
    inked: Rect
    """What is printed: the part with bleed at cuts and overlap under the neighbour, in piece mm."""
    matrix: Affine
    """From piece mm to page mm."""

    @property
    def label(self) -> str:
        """A1, A2, B1 …: the letter is the row."""
        return f"{letters(self.row)}{self.column + 1}"


@dataclass(frozen=True, slots=True)
class Poster:
    """How a piece is split on one paper."""

    tiles: tuple[Tile, ...]
    columns: int
    rows: int
    join: Join
    turned: bool


def parted(paper: Paper, component: Component, face: Face) -> Poster:
    """The split of a board. Raises TooLarge."""
    board = component.board
    whole: list[Whole] = []
    if board is not None and component.step:
        whole += [(bounds(board.grid, field.cells, board.cell), 1) for field in board.fields]
        texts = [(box, placed.matrix) for placed in face.layers for box in _boxes(placed.layer)]
        whole += [(matrix.bounds(Rect(box.x, box.y, box.width, box.height)), TEXT) for box, matrix in texts]
    return split(paper, component.width, component.height, component.step, component.bleed, component.join, whole)


def _boxes(layer: Layer) -> list[TextBox]:
    return [piece for piece in layer.pieces if isinstance(piece, TextBox)] if isinstance(layer, TextLayer) else []


def split(
    paper: Paper, width: float, height: float, step: float, bleed: float, join: Join, whole: Sequence[Whole] = ()
) -> Poster:
    """The split with the fewest pages; upright before turned. ``step``: the piece's grid in mm, 0 without one.

    ``whole``: what is better not parted, texts and fields of several cells.
    Raises TooLarge when a single cell of the grid does not fit a page, or when it takes too many pages.
    """
    found = []
    for turned in (False, True):
        room = (paper.width - 2 * band_margin(paper), paper.height - 2 * band_margin(paper))
        across, down = room[::-1] if turned else room
        xs = seams(width, step, across, bleed, join, [(each.x, each.right, cost) for each, cost in whole])
        ys = seams(height, step, down, bleed, join, [(each.y, each.bottom, cost) for each, cost in whole])
        if xs and ys:
            found.append((xs, ys, turned))
    if not found:
        raise TooLarge(f"a piece of {width:g} × {height:g} mm cannot be parted into pages of {paper.name}")
    xs, ys, turned = min(found, key=lambda each: ((len(each[0]) - 1) * (len(each[1]) - 1), each[2]))
    tiles = tuple(
        _tile(paper, xs, ys, row, column, bleed, join, turned) for row in range(len(ys) - 1) for column in range(len(xs) - 1)
    )
    return Poster(tiles, len(xs) - 1, len(ys) - 1, join, turned)


def seams(
    total: float, step: float, room: float, bleed: float, join: Join, whole: Sequence[tuple[float, float, int]] = ()
) -> list[float]:
    """The places where a length is split, both ends included: few parts, and even ones; empty when none fit.

    ``whole``: start, end and cost of what is better not parted. A cell away from even parts costs 1.
    """
    units = round(total / step) if step else 0
    for count in range(1, min(MOST_PAGES, units or MOST_PAGES) + 1):
        rooms = [room - _before(index, bleed) - _after(index, count, bleed, join) + _EPSILON for index in range(count)]
        if not units:
            if total / count <= min(rooms):
                return [*(total * index / count for index in range(count)), total]
            continue
        most = [int(each // step) for each in rooms]
        if min(most) >= 1 and sum(most) >= units:
            costs = [
                sum(cost for start, end, cost in whole if start + _EPSILON < at * step < end - _EPSILON)
                for at in range(units)
            ]
            return [*(at * step for at in _cheapest(most, [*costs, 0])[:-1]), total]
    return []


def _cheapest(most: Sequence[int], costs: Sequence[int]) -> tuple[int, ...]:
    """Where parts of at most so many cells end at the least cost, the first place included."""
    last, count = len(costs) - 1, len(most)
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, (0,))}
    for number, cells in enumerate(most, 1):
        even = round(last * number / count)
        found: dict[int, tuple[int, tuple[int, ...]]] = {}
        for start, (cost, places) in best.items():
            for end in range(start + 1 if number < count else last, min(start + cells, last) + 1):
                way = cost + costs[end] + abs(end - even), (*places, end)
                found[end] = min(found.get(end, way), way)
        best = found
    return best[last][1]


def _before(index: int, bleed: float) -> float:
    return bleed if index == 0 else CUT_BLEED


def _after(index: int, count: int, bleed: float, join: Join) -> float:
    if index == count - 1:
        return bleed
    return OVERLAP if join == "glue" else CUT_BLEED


def _tile(
    paper: Paper, xs: list[float], ys: list[float], row: int, column: int, bleed: float, join: Join, turned: bool
) -> Tile:
    part = Rect(xs[column], ys[row], xs[column + 1] - xs[column], ys[row + 1] - ys[row])
    inked = part.grown(
        _before(column, bleed),
        _before(row, bleed),
        _after(column, len(xs) - 1, bleed, join),
        _after(row, len(ys) - 1, bleed, join),
    )
    middle = translation(-inked.x - inked.width / 2, -inked.y - inked.height / 2)
    matrix = translation(paper.width / 2, paper.height / 2) @ (rotation(90) if turned else rotation(0)) @ middle
    return Tile(row, column, part, inked, matrix)


# Between two cards; half of it is the most that a card may bleed.
GAP = 1.25
MOST_LENGTH = 20.0
# Sizes that differ by less are one.
_SAME = 0.06

PAPERS = ("letter", "legal", "tabloid", "a4", "a3")
# Width and height in mm; then for each paper whether the page lies (L) or stands (S), its rows and its columns.
CARDS: Mapping[str, tuple[float, float, str]] = {
    "standard": (63.0, 88.0, "L2x4 L2x5 S4x4 L2x4 L3x6"),
    "poker": (63.5, 88.9, "L2x4 L2x5 S4x4 L2x4 S4x4"),
    "bridge": (57.15, 88.9, "L2x4 L2x5 S4x4 S3x3 L3x6"),
    "bridge_square": (57.15, 57.15, "L3x4 L3x5 L4x7 L3x4 L4x6"),
    "japanese": (59.0, 86.0, "L2x4 L2x5 S4x4 S3x3 L3x6"),
    "mini": (44.45, 63.5, "L3x5 L3x7 L4x8 S4x4 L4x8"),
    "american_mini": (41.0, 63.0, "S4x4 L3x7 L4x9 S4x4 L4x9"),
    "euro_mini": (44.0, 68.0, "S3x4 S4x4 L3x9 L2x6 L4x8"),
    "micro": (31.75, 44.45, "L4x7 L4x9 S9x7 S6x5 L6x11"),
    "business": (88.9, 50.8, "S5x2 S6x2 L5x4 S5x2 S7x3"),
    "euro_business": (85.0, 55.0, "L3x3 S5x2 S7x3 L3x3 S7x3"),
    "credit": (85.725, 53.975, "S4x2 S6x2 L4x4 S5x2 S7x3"),
    "domino": (44.45, 88.9, "L2x5 L2x7 S4x5 L2x5 L3x8"),
    "domino_square": (44.45, 44.45, "L4x5 L4x7 L5x9 L4x5 L6x8"),
    "catan": (54.0, 80.0, "S3x3 L2x6 L3x7 L2x5 L3x7"),
    "tarot": (69.85, 120.65, "S2x2 L1x4 L2x5 S2x2 L2x5"),
    "jumbo": (88.9, 139.7, "L1x2 S2x2 L1x4 L1x3 S2x3"),
    "standard_double": (88.0, 126.0, "S2x2 S2x2 L2x4 S2x2 S3x3"),
    "70mm_square": (70.0, 70.0, "L2x3 L2x4 L3x5 L2x3 L3x5"),
}


@dataclass(frozen=True, slots=True)
class Template:
    """A ready cutting template for one paper and one size of card."""

    name: str
    """The name of the template file, without its version."""
    lying: bool
    """Its page lies."""
    grid: Grid
    """The cards, on our upright page."""

    def marks(self, paper: Paper) -> list[Line]:
        """A square and two corners in page mm, in the places and sizes that the template expects."""
        wide, high = (paper.height, paper.width) if self.lying else (paper.width, paper.height)
        free = max(self.grid.block.x, self.grid.block.y) - INSET - GAP
        end, half = INSET + min(max(free, LENGTH), MOST_LENGTH), WIDTH / 2
        # Lines run along the inset, half on either side of it; so does the square's edge.
        near, side = INSET - half, LENGTH + WIDTH
        lines = [
            Line(near, near + side / 2, near + side, near + side / 2, side),
            Line(wide - near, INSET, wide - end, INSET, WIDTH),
            Line(wide - INSET, near, wide - INSET, end, WIDTH),
            Line(near, high - INSET, end, high - INSET, WIDTH),
            Line(INSET, high - near, INSET, high - end, WIDTH),
        ]
        turn = translation(paper.width, 0.0) @ rotation(90) if self.lying else IDENTITY
        return [Line(*turn.point(line.x1, line.y1), *turn.point(line.x2, line.y2), line.width) for line in lines]


def template_of(paper: Paper, width: float, height: float) -> Template | None:
    """The template for cards of a size, upright or not, on a paper; None where there is none."""
    if paper.name not in PAPERS:
        return None
    for name, (wide, high, layouts) in CARDS.items():
        for turned, size in ((False, (width, height)), (True, (height, width))):
            if abs(size[0] - wide) < _SAME and abs(size[1] - high) < _SAME:
                layout = layouts.split()[PAPERS.index(paper.name)]
                lying = layout[0] == "L"
                rows, columns = map(int, layout[1:].split("x"))
                across, down = (rows, columns) if lying else (columns, rows)
                return Template(f"{paper.name}-{name}", lying, _grid(paper, (width, height), turned != lying, across, down))
    return None


def _grid(paper: Paper, size: tuple[float, float], turned: bool, columns: int, rows: int) -> Grid:
    """Cards in the middle of the page, with the template's gutters."""
    width, height = size[::-1] if turned else size
    wide, high = columns * width + (columns - 1) * GAP, rows * height + (rows - 1) * GAP
    block = Rect((paper.width - wide) / 2, (paper.height - high) / 2, wide, high)
    return Grid(columns, rows, turned, GAP / 2, (GAP / 2,) * 4, block, width, height, "bottom")
