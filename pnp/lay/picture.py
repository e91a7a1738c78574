"""Pictures pieces: folded by any share, step by step, on a shelf for the print plan, and laid out at the start."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from pnp.dataclass import dataclass
from pnp.lay.marks import TextWidth, cut_lines
from pnp.shapes.affine import Affine, Rect, around, enclosing, mirror_x, rotation, scaling, translation
from pnp.shapes.nets.net import ASIDE, Net, Panel, Step, View, seen
from pnp.shapes.outline import Point, Ring, area, offset, within
from pnp.values.faces import Deck, Face, Item, Label, Piece, PlacedFace, Stroke
from pnp.values.game import Layout, Side, Slot, seen_in, spot_in

# The name that small pictures have in the file, so that nobody counts them as pieces.
PLAN = "pnp/plan"
EDGE = 0.15
# The grey of unprinted paper, and what stands in a piece or is seen through a slot.
INSIDE, PAPER = 0.94, 1.0


@dataclass(frozen=True, slots=True)
class Picture:
    """Faces, strokes and words in a box of ``width`` × ``height`` mm from (0, 0)."""

    items: tuple[PlacedFace | Stroke | Label, ...]
    width: float
    height: float

    def at(self, matrix: Affine) -> list[Item]:
        """The picture's items on the page; lines keep their width and text its size."""
        made: list[Item] = []
        for item in self.items:
            if isinstance(item, Stroke):
                made.append(replace(item, points=matrix.ring(item.points)))
            elif isinstance(item, Label):
                x, y = matrix.point(item.x, item.y)
                made.append(replace(item, x=x, y=y))
            else:
                made.append(replace(item, matrix=matrix @ item.matrix))
        return made


def folded_picture(piece: Piece, share: float, view: View = ASIDE, used: bool = False) -> Picture:
    """Pictures a folded piece: all folds closed by ``share`` (0 flat, 1 done), ``used`` with the cards in its slots.

    A flat net is seen from straight above, with the numbers of its tabs.

    What is tucked or glued inside a closed piece is left out: it lies against what hides it.
    """
    net = piece.front.net
    if net is None:
        raise ValueError(f"{piece.id} is not folded")
    shown = seen(net, share, view, used)
    box = around([point for each in shown for point in each.matrix.ring(each.panel.ring)])
    home = translation(-box.x, -box.y)
    items = [item for each in shown for item in _drawn(piece, net, each.panel, home @ each.matrix)]
    if not share and len(net.tabs) > 1:
        size = TAB_SIZE if len(net.tabs) < MANY_TABS else LABEL_SIZE
        thin = THIN_TAB * max(box.width, box.height)
        items += [_number(home.ring(tab.ring), number, size, thin) for number, tab in enumerate(net.tabs, 1)]
    return Picture(tuple(items), box.width, box.height)


def _number(ring: Ring, number: int, size: float, thin: float) -> Label:
    """Labels a tab with its number: in its middle, or on its fold (longest side) if thinner than ``thin`` mm."""
    fold = max(zip(ring, (*ring[1:], ring[0]), strict=True), key=lambda side: math.dist(*side))
    x, y = _middle(fold if abs(area(ring)) < thin * math.dist(*fold) else ring)
    return Label(x, y + 0.1 * size, str(number), size, anchor="middle", halo=True)


def _drawn(piece: Piece, net: Net, panel: Panel, matrix: Affine) -> list[PlacedFace | Stroke | Label]:
    ring = matrix.ring(panel.ring)
    if abs(area(ring)) < 0.01:
        return []
    if panel not in net.panels:
        return [Stroke(ring, EDGE, fill=PAPER)]
    if matrix.determinant > 0:
        slots = [Stroke(matrix.ring(hole), EDGE, fill=PAPER) for hole in net.holes if within(_middle(hole), panel.ring)]
        return [_clipped(piece, "front", matrix, panel.ring), Stroke(ring, EDGE), *slots]
    if piece.back is not None:
        turned = mirror_x(piece.front.width / 2)
        points = turned.ring(panel.ring[::-1])
        return [_clipped(piece, "back", matrix @ turned, points), Stroke(ring, EDGE)]
    return [Stroke(ring, EDGE, fill=INSIDE)]


def _clipped(piece: Piece, side: Side, matrix: Affine, ring: Ring) -> PlacedFace:
    face = piece.side(side) or piece.front
    return PlacedFace(face, PLAN, side, matrix, face.trim, ring)


# Parts that are still apart are seen from so far above their plane, and hover by this share of their height.
TILT = math.radians(34)
APART = 0.46
# A pin's head reaches so far beyond its hole, in mm, and is grey.
HEAD, METAL = 1.6, 0.78


def made_picture(deck: Deck, piece: Piece, step: Step | None = None, view: View = ASIDE) -> Picture:
    """A piece of a deck at a step of its assembly; without a step, finished."""
    net = piece.front.net
    if net is None:
        raise ValueError(f"{piece.id} is not made of a net")
    if net.creases:
        return folded_picture(piece, step.share, step.view, step.used) if step else folded_picture(piece, 1.0, view)
    step = step or net.steps[-1]
    parts = {each.part: each for each in deck.pieces if each.id == piece.id}
    return _stacked([parts[number] for number in step.parts], step.share)


def _stacked(parts: Sequence[Piece], share: float) -> Picture:
    front = parts[0].front
    apart = len(parts) > 1 and share < 1
    rise = APART * front.height * (1 - share) if apart else 0.0
    tilted = scaling(1.0, math.sin(TILT)) if apart else Affine()
    rings = [part.front.net.holes for part in parts if part.front.net] if len(parts) > 1 else [()]
    holes = [hole for hole in rings[0] if all(hole in others for others in rings)]
    items: list[PlacedFace | Stroke] = []
    for level, part in enumerate(parts):
        matrix = translation(0.0, -level * rise) @ tilted
        items += _flat(part, matrix)
        for x, y in map(_middle, holes if apart else ()):
            foot = matrix.point(x, y)
            items.append(Stroke((foot, (foot[0], foot[1] - rise)), EDGE, closed=False))
    top = translation(0.0, -(len(parts) if apart else 0) * rise) @ tilted
    items += [Stroke(top.ring(offset(hole, HEAD)), EDGE, fill=METAL) for hole in holes]
    box = around([point for item in items if isinstance(item, Stroke) for point in item.points])
    found = Picture(tuple(items), box.width, box.height)
    return replace(found, items=tuple(found.at(translation(-box.x, -box.y))))  # type: ignore[arg-type]


def _flat(part: Piece, matrix: Affine) -> list[PlacedFace | Stroke]:
    face, net = part.front, part.front.net
    outline, holes = (net.outline, net.holes) if net else ((), ())
    edges = [Stroke(matrix.ring(ring), EDGE) for ring in (outline, *holes)]
    return [PlacedFace(face, PLAN, "front", matrix, face.trim, with_holes(outline, holes)), *edges]


def with_holes(ring: Ring, holes: Sequence[Ring]) -> Ring:
    """One ring around a shape with holes: zero-width slits lead to the holes, which run the other way."""
    points = [*ring, ring[0]]
    for hole in holes:
        against = hole if area(hole) * area(ring) < 0 else hole[::-1]
        points += [*against, against[0], ring[0]]
    return tuple(points)


def _middle(ring: Ring) -> Point:
    return sum(x for x, _ in ring) / len(ring), sum(y for _, y in ring) / len(ring)


GAP = 3.5
# Below a picture: how many there are, and the name in at most two lines, with the room to what comes next.
LABEL = 12.0
# Numbers of tabs are larger than names; where there are so many that these are small, as large.
LABEL_SIZE, NUMBER_SIZE, TAB_SIZE, MANY_TABS = 7.0, 8.5, 9.0, 9
_NUMBER = re.compile(r"(\d+ ×) (?=.)")
# A tab of less than this share of the flat piece is too thin for its number.
THIN_TAB = 0.04
# A letter of LABEL_SIZE has at least so much room, in mm, so that names stand apart; from a picture to the first line
# below it, and from one line to the next.
WIDE, NUMBER_LINE, LINE = 1.3, 3.4, 3.0
# A picture has at least so much room for its name, and takes no more than this for a long one.
NARROWEST, LONGEST = 16.0, 42.0
TALLEST, LEAST = 52.0, 9.0
# Pictures of a job are set so much lower where they then need a row less.
FEWER = 0.75
# So many pictures, together so much wider than high, stand in half the width of a page.
NARROW, NARROW_SHAPE = 2, 2.4
# Between one job and the next.
SHELVES_APART = 3.5


@dataclass(frozen=True, slots=True)
class Wanted:
    """A row of the print plan to lay out: its decks, each with a caption, and its left edge and width in mm."""

    decks: Sequence[tuple[Deck, str]]
    left: float
    width: float
    head: float = 0.0
    """The room above its pictures."""
    foot: float = 0.0
    """The room below them."""
    beside: bool = False
    """Whether it stands beside the job before it."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """The pictures of a job: their top in page mm, and their height."""

    top: float
    height: float
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class _Shown:
    """A deck's picture in a box from (0, 0), and the words below it."""

    number: str
    name: str
    picture: Picture
    named: float
    """How wide its name is in two lines."""

    @classmethod
    def of(cls, deck: Deck, text: str, text_width: TextWidth) -> _Shown:
        """Splits a caption such as "3 × Cards" into its number and its name; without a number all of it is the name."""
        number = _NUMBER.match(text)
        name = text[number.end() :].strip() if number else text
        named = max(_room(line, text_width) for line in _lines(name, 0, text_width))
        return cls(number[1] if number else "", name, deck_picture(deck), named)

    def room(self, height: float, widest: float) -> float:
        """The width of its place at a height, in mm; a picture wider than the page is set lower."""
        return min(max(self.picture.width * height / self.picture.height, min(self.named, LONGEST), NARROWEST), widest)


def narrow(decks: Sequence[tuple[Deck, str]]) -> bool:
    """Whether the pictures are few and slim enough for half the width of a page."""
    if len(decks) > NARROW:
        return False
    pictures = [deck_picture(deck) for deck, _ in decks if deck.pieces]
    return sum(each.width / each.height for each in pictures) <= NARROW_SHAPE


def shelves(
    jobs: Sequence[Wanted], top: float, bottom: float, text_width: TextWidth, mirrored: bool = False
) -> list[Shelf] | None:
    """The decks of each job in rows, with words below; rows begin at the left, ``mirrored`` at the right.

    All pictures are as high as goes, and those of a job higher still where there is room left; but a row less is worth
    FEWER of their height. None when there are pictures and the room does not take them all; jobs without go on beyond
    it. Folded pieces are shown as they stand.
    """
    shown = [[_Shown.of(deck, text, text_width) for deck, text in job.decks if deck.pieces] for job in jobs]
    numbers = range(len(jobs))
    starts = [number for number in numbers if number == 0 or not jobs[number].beside]
    bands = [range(start, end) for start, end in pairwise((*starts, len(jobs)))]

    def rows(job: int, height: float) -> int:
        return len(_rows(shown[job], height, jobs[job].width))

    def label(job: int) -> float:
        return LABEL if any(" " in each.name for each in shown[job]) else LABEL - LINE

    def total(band: range, heights: Sequence[float]) -> float:
        high = (jobs[job].head + rows(job, heights[job]) * (heights[job] + label(job)) + jobs[job].foot for job in band)
        return max(high) + SHELVES_APART

    def free(heights: Sequence[float]) -> float:
        return bottom - top + SHELVES_APART - sum(total(band, heights) for band in bands)

    height = TALLEST
    while any(shown) and free([height] * len(jobs)) < 0:
        height -= 1.0
        if height < LEAST:
            return None
    lower = range(math.floor(height), math.ceil(height * FEWER) - 1, -1)
    heights = [next((each for each in lower if rows(job, each) < rows(job, height)), height) for job in numbers]
    growing = [job for job in numbers if shown[job]]
    while growing:
        for job in list(growing):
            more = [each + (number == job) for number, each in enumerate(heights)]
            if more[job] <= TALLEST and free(more) >= 0 and rows(job, more[job]) == rows(job, heights[job]):
                heights = more
            else:
                growing.remove(job)
    made: list[Shelf] = []
    y = top
    for band in bands:
        for job in band:
            room, high, items = jobs[job], heights[job], list[Item]()
            for number, row in enumerate(_rows(shown[job], high, room.width)):
                items += _row(row, room, y + room.head + number * (high + label(job)), high, text_width, mirrored)
            made.append(Shelf(y, total(band, heights) - SHELVES_APART, tuple(items)))
        y += total(band, heights)
    return made


def _rows(shown: Sequence[_Shown], height: float, width: float) -> list[list[_Shown]]:
    """As few rows as go, and none of these longer than need be, so that no picture is alone in the last."""

    def within(most: float) -> list[list[_Shown]]:
        rows: list[list[_Shown]] = []
        free = 0.0
        for each in shown:
            if not rows or each.room(height, width) > free:
                rows.append([])
                free = most
            rows[-1].append(each)
            free -= each.room(height, width) + GAP
        return rows

    rows = within(width)
    if len(rows) < 2:
        return rows
    shorter = (within(width * share / 20) for share in range(20))
    return next((made for made in shorter if len(made) == len(rows)), rows)


def _row(row: Sequence[_Shown], room: Wanted, y: float, height: float, text_width: TextWidth, mirrored: bool) -> list[Item]:
    items: list[Item] = []
    x = room.left
    for each in row:
        wide = each.room(height, room.width)
        picture = each.picture
        scale = min(height / picture.height, wide / picture.width)
        start = 2 * room.left + room.width - x if mirrored else x
        left = start - picture.width * scale if mirrored else start
        items += picture.at(translation(left, y + (height - picture.height * scale) / 2) @ scaling(scale, scale))
        lines = _lines(each.name, wide, text_width)
        size = min(LABEL_SIZE, *(LABEL_SIZE * wide / _room(line, text_width) for line in lines))
        said = [(each.number, NUMBER_SIZE)] * bool(each.number) + [(line, size) for line in lines]
        for index, (line, points) in enumerate(said):
            below = y + height + NUMBER_LINE + index * LINE
            items.append(Label(start, below, line, points, anchor="end" if mirrored else "start"))
        x += wide + GAP
    return items


def deck_picture(deck: Deck) -> Picture:
    """The middle piece of a deck, cut out or folded."""
    piece = deck.pieces[len(deck.pieces) // 2]
    if piece.front.net is not None:
        return made_picture(deck, piece)
    face: Face = piece.front
    placed = PlacedFace(face, PLAN, "front", Affine(), face.trim, face.outline)
    return Picture((placed,), face.width, face.height)


def _room(text: str, text_width: TextWidth) -> float:
    return max(len(text) * WIDE, text_width(text, LABEL_SIZE))


def _lines(text: str, width: float, text_width: TextWidth) -> list[str]:
    """Breaks a name into two lines if it is wider than ``width`` mm: about equally long, but rather not behind a word of
    three letters or within brackets."""
    spaces = [at for at, letter in enumerate(text) if letter == " "]
    if _room(text, text_width) <= width or not spaces:
        return [text]

    def cost(at: int) -> float:
        line = text[:at]
        return abs(len(text) / 2 - at) + 2 * (len(line.split()[-1]) <= 3) + 4 * (line.count("(") > line.count(")"))

    cut = min(spaces, key=cost)
    return [text[:cut], text[cut + 1 :]]


@dataclass(frozen=True, slots=True)
class Lying:
    """A piece that lies on a slot face up, turned by ``turn`` sixths beyond the slot's turn."""

    piece: str
    turn: int = 0


def layout_items(layout: Layout, deck: Deck, room: Rect) -> list[Item]:
    """The layout's picture as large as the room allows, centred horizontally."""
    picture = layout_picture(layout, deck)
    scale = min(room.width / picture.width, room.height / picture.height)
    shown = picture.at(translation(room.x + (room.width - picture.width * scale) / 2, room.y) @ scaling(scale, scale))
    placed = [item for item in shown if isinstance(item, PlacedFace)]
    return [*placed, *cut_lines(placed)]


def layout_picture(layout: Layout, deck: Deck, lying: Mapping[int, Lying] | None = None) -> Picture:
    """The pieces in their places, full size: of a pool the backs, without backs its pieces in the table's order.

    ``lying``: the piece known to lie on a slot, by its index.
    """
    placed = []
    pieces = {piece.id: piece for piece in deck.pieces if piece.part == 1}
    seen = seen_in(layout.slots, deck.component)
    for number, slot in enumerate(layout.slots):
        known = lying.get(number) if lying else None
        name, down = (known.piece, False) if known else seen[number] or ("", False)
        if piece := pieces.get(name):
            face = (down and piece.back) or piece.front
            placed.append((face, _spot(slot, deck, face, known.turn if known else 0)))
    box = enclosing([matrix.bounds(face.trim) for face, matrix in placed] or [Rect(0, 0, 1, 1)])
    home = translation(-box.x, -box.y)
    items = [PlacedFace(face, PLAN, "front", home @ matrix, face.trim, face.outline) for face, matrix in placed]
    return Picture(tuple(items), box.width, box.height)


def _spot(slot: Slot, deck: Deck, face: Face, more: int) -> Affine:
    (x, y), turn = spot_in(slot, deck.component, more)
    return translation(x, y) @ rotation(turn) @ translation(-face.width / 2, -face.height / 2)
