"""A scene as a picture: real faces where they lie on the ground, and over them arrows, crosses, highlights and numbers.

What is drawn over the faces differs in shape as well as in colour, and has a white rim, to be seen on any ink.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from pnp.dataclass import dataclass
from pnp.lay.marks import TextWidth
from pnp.lay.picture import PLAN, Picture, made_picture
from pnp.shapes.affine import Affine, Rect, rotation, scaling, translation
from pnp.shapes.colour import channels, luminance
from pnp.shapes.nets.net import rectangle
from pnp.shapes.outline import Point, Ring, ellipse, offset, within
from pnp.shapes.units import PT_PER_MM
from pnp.values.books import VIEWS, Arrow, Cross, Highlight, Laid, Mark, Pointer, Scene, Tag, Thing, view_of
from pnp.values.faces import Deck, Face, Item, Label, Piece, PlacedFace, Stroke, Tone
from pnp.values.game import Side

# So many points make a corner round, and a bow from one point to the next.
AT_CORNER, BETWEEN = 8, 16
# A bow between two points leaves the straight way by this share of it.
BULGE = 0.24
# A disc beside a way is tried in so many directions from the middle of its field.
DIRECTIONS = 24
# It stays so far off the edges of its field, in its radius.
OFF_EDGE = 1.15
# Whether pieces hide an arrow is looked at every so many mm.
FINE = 0.1


def rounded(points: Ring, radius: float) -> Ring:
    """The line with its corners rounded, from at most ``radius`` before to ``radius`` after them."""
    made = [points[0]]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        start, end = (_towards(corner, other, min(radius, _far(corner, other) / 2)) for other in (before, after))
        made += [_bow(start, corner, end, step / AT_CORNER) for step in range(AT_CORNER + 1)]
    return (*made, points[-1])


def curved(points: Ring) -> Ring:
    """A curve through all points; between two points it bows to the left."""
    if len(points) == 2:
        (x0, y0), (x1, y1) = points
        corner = (x0 + x1) / 2 + 2 * BULGE * (y1 - y0), (y0 + y1) / 2 - 2 * BULGE * (x1 - x0)
        return tuple(_bow(points[0], corner, points[1], step / (2 * BETWEEN)) for step in range(2 * BETWEEN + 1))
    ends = _beyond(points[1], points[0]), _beyond(points[-2], points[-1])
    line = [ends[0], *points, ends[1]]
    made = [points[0]]
    for four in zip(line, line[1:], line[2:], line[3:], strict=False):
        made += [_through(four, step / BETWEEN) for step in range(1, BETWEEN + 1)]
    return tuple(made)


def steps(points: Ring, bowed: bool) -> list[Ring]:
    """The steps of a way, from point to point."""
    if not bowed:
        return list(pairwise(points))
    line = curved(points)
    each = (len(line) - 1) // (len(points) - 1)
    return [line[index * each : (index + 1) * each + 1] for index in range(len(points) - 1)]


def aside(field: Ring, seen: Rect, ways: Sequence[Ring], radius: float) -> Point:
    """The place of a disc beside ways: within the field and within what is seen of it, clear of the ways.

    Of several such places it is the one farthest from the field's middle, and of these the uppermost.
    """
    middle = sum(x for x, _ in field) / len(field), sum(y for _, y in field) / len(field)
    corners = rectangle(seen.x, seen.y, seen.width, seen.height)
    edges = [edge for ring in (field, corners) for edge in zip(ring, (*ring[1:], ring[0]), strict=True)]
    lines = [line for way in ways for line in pairwise(way)]
    spots = []
    for number in range(DIRECTIONS):
        turn = math.tau * number / DIRECTIONS
        far = _reach(middle, (math.cos(turn), math.sin(turn)), edges, OFF_EDGE * radius)
        x, y = middle[0] + far * math.cos(turn), middle[1] + far * math.sin(turn)
        clear = min((_apart((x, y), *line) for line in lines), default=math.inf) - radius
        spots.append((round(min(clear, 0.25 * radius), 3), round(far, 3), round(-y, 3), round(x, 3), (x, y)))
    return max(spots)[-1]


def _reach(middle: Point, way: Point, edges: Sequence[tuple[Point, Point]], radius: float) -> float:
    """How far a disc can move from the middle before it meets an edge."""
    reach = math.inf
    for (x0, y0), (x1, y1) in edges:
        far = math.hypot(x1 - x0, y1 - y0) or 1.0
        nx, ny = (y1 - y0) / far, (x0 - x1) / far
        room = (x0 - middle[0]) * nx + (y0 - middle[1]) * ny
        towards = (way[0] * nx + way[1] * ny) * math.copysign(1.0, room)
        if towards > 1e-6:
            reach = min(reach, max(0.0, abs(room) - radius) / towards)
    return 0.0 if reach == math.inf else reach


def _apart(at: Point, one: Point, two: Point) -> float:
    """How far a point is from a line."""
    dx, dy = two[0] - one[0], two[1] - one[1]
    share = ((at[0] - one[0]) * dx + (at[1] - one[1]) * dy) / (dx * dx + dy * dy or 1.0)
    share = min(1.0, max(0.0, share))
    return _far(at, (one[0] + share * dx, one[1] + share * dy))


def part_of(points: Ring, start: float, end: float) -> Ring:
    """The line without its first ``start`` and last ``end`` mm; of a short line its middle part."""
    whole = length(points)
    if start + end > 0.8 * whole:
        start, end = (each * 0.8 * whole / (start + end) for each in (start, end))
    return _cut(points, start, whole - end)


def seen_of(way: Ring, over: Sequence[Ring], gap: float) -> tuple[Ring, float]:
    """Shortens a way whose tip lies under one of the outlines ``over`` it: it ends ``gap`` mm before that outline.

    Also returns how many mm of it lie under none of them.
    """
    whole = length(way)
    if not any(within(way[-1], ring) for ring in over):
        return way, whole
    spots = [(step * FINE, _cut(way, 0.0, step * FINE)[-1]) for step in range(1, int(whole / FINE) + 1)]
    free = [far for far, spot in spots if not any(within(spot, ring) for ring in over)]
    end = max(free, default=0.0) - gap
    return _cut(way, 0.0, max(end, FINE)), FINE * sum(far <= end for far in free)


def length(points: Ring) -> float:
    return sum(_far(one, two) for one, two in pairwise(points))


def dashed(points: Ring, dash: float, gap: float) -> Iterator[Ring]:
    """The line in dashes of about this length, one at either end."""
    whole = length(points)
    count = max(1, round((whole + gap) / (dash + gap)))
    stretch = whole / (count * (dash + gap) - gap)
    for number in range(count):
        start = number * (dash + gap) * stretch
        yield _cut(points, start, start + dash * stretch)


def hatched(rings: Sequence[Ring], gap: float) -> Iterator[tuple[Point, Point]]:
    """Hatching inside rings, ``gap`` mm apart; holes stay free."""
    edges = [edge for ring in rings for edge in zip(ring, (*ring[1:], ring[0]), strict=True)]
    levels = [x + y for (x, y), _ in edges]
    across = gap * math.sqrt(2)
    for number in range(math.ceil(min(levels) / across), math.floor(max(levels) / across) + 1):
        # A hair off, so that no line runs through a corner.
        level = (number + 1e-6) * across
        met = []
        for (x0, y0), (x1, y1) in edges:
            one, two = x0 + y0 - level, x1 + y1 - level
            if one * two < 0:
                share = one / (one - two)
                met.append((x0 + share * (x1 - x0), y0 + share * (y1 - y0)))
        met.sort()
        yield from zip(met[::2], met[1::2], strict=False)


def _cut(points: Ring, start: float, end: float) -> Ring:
    made: list[Point] = []
    done = 0.0
    for one, two in pairwise(points):
        far = _far(one, two)
        if far and done + far > start and done < end:
            made += [_towards(one, two, max(0.0, start - done))] * (not made)
            made.append(_towards(one, two, min(far, end - done)))
        done += far
    return tuple(made) or points[:1] * 2


def _far(one: Point, two: Point) -> float:
    return math.hypot(two[0] - one[0], two[1] - one[1])


def _towards(one: Point, two: Point, reach: float) -> Point:
    far = _far(one, two) or 1.0
    return one[0] + (two[0] - one[0]) * reach / far, one[1] + (two[1] - one[1]) * reach / far


def _beyond(one: Point, two: Point) -> Point:
    return 2 * two[0] - one[0], 2 * two[1] - one[1]


def _bow(start: Point, corner: Point, end: Point, share: float) -> Point:
    rest = 1 - share
    x, y = (rest * rest * a + 2 * rest * share * b + share * share * c for a, b, c in zip(start, corner, end, strict=True))
    return x, y


def _through(four: Sequence[Point], t: float) -> Point:
    """A point between the second and third of four, on the curve through all of them (Catmull and Rom, 1974)."""
    x, y = (
        0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t**3)
        for a, b, c, d in zip(*four, strict=True)
    )
    return x, y


# No picture is higher, whatever its shape.
TALLEST = 240.0
# The line of an arrow as a share of a field; no thinner and no thicker than so many mm, but on tiny fields no larger
# share than the last. Other marks are so many lines large.
LINE, THINNEST, THICKEST, COARSEST = 0.07, 0.7, 1.4, 0.11
RIM, HEAD, HEAD_WIDE, DISC, CROSS = 0.45, 4.4, 2.2, 2.3, 4.0
# A highlight's frame reaches so many lines into its field.
FRAME = 1.9
# An arrow begins and ends so far from the middles of its fields, as a share of a field.
START, END = 0.16, 0.1
# Of what is seen of an arrow its head takes at most this share; one of which fewer lines would be seen runs under the piece.
HEAD_SEEN, SHORTEST = 0.5, 3.0
# A step of its own is an arrow across the border of two fields; so much around their middles, where signs are, stays free.
FREE = 0.28
# So far from the middle of its field, as a share of a field, is the tip of the wedge in front of a piece.
TIP = 0.7
EDGE = 0.14
# Words stay so many mm off the picture's edge, also where a page makes the picture a fifth smaller; in small pictures
# this share of the shorter side.
INSIDE, INSIDE_SHARE = 2.5, 0.06
# Words are no smaller, in points, so that they are read also where a page makes the picture smaller.
SMALLEST = 7.0
WHITE, PAPER, INK = 1.0, 1.0, 0.12
# Red as on signs; in grey and by those who see no red it is told by its shape.
NO = "#c70f1f"
GREY = 0.35
# A colour of more light than this bears dark letters.
LIGHT = 0.3
# Above its head so much is seen.
HEADROOM = 0.12


def scene_picture(
    scene: Scene, decks: Mapping[str, Deck], text_width: TextWidth, printed: Callable[[str], str], widest: float
) -> Picture:
    """The scene ``widest`` mm wide, or less where it would be too high. ``printed``: a colour as it is in this ink."""
    crop = _room(scene, decks)
    scale = min(widest / crop.width, TALLEST / crop.height)
    field = scene.field * scale
    accent, no = (_tone(printed(colour)) for colour in (scene.colour, NO))
    letters = INK if luminance(accent) > LIGHT else WHITE
    line = min(THICKEST, max(LINE * field, min(THINNEST, COARSEST * field)))
    pen = _Pen(decks, text_width, accent, letters, no, scale, field, line)
    home = scaling(scale, scale) @ translation(-crop.x, -crop.y)
    items: list[Item] = []
    if scene.table:
        corners = rectangle(0.0, 0.0, crop.width, crop.height)
        # The tint of the book's boxes, which stays light in every ink.
        items.append(Stroke(scaling(scale, scale).ring(corners), 0.0, fill=_tone(scene.table)))
    things = sorted(_numbered(scene.things, decks, crop, (DISC + RIM) * line / scale), key=_level)
    for number, thing in enumerate(things):
        match thing:
            case Laid():
                items += pen.laid(thing, home)
            case Arrow():
                over = [
                    home.ring(ring) for each in things[number:] if isinstance(each, Laid) for ring in _covers(decks, each)
                ]
                items += pen.arrow(thing, home.ring(thing.points), over)
            case Highlight():
                items += pen.highlight([home.ring(ring) for ring in thing.rings], thing.plain)
            case Cross():
                items += pen.cross(home.point(*thing.at))
            case Mark():
                items += pen.mark(home.point(*thing.at), thing, (crop.width * scale, crop.height * scale))
            case Pointer():
                items += pen.pointer(home.point(*thing.at), home.point(*thing.to), thing.pale)
            case Tag():
                x, y = home.point(*thing.at)
                size = min(7.0, field * 0.24 * PT_PER_MM)
                items.append(Label(x, y + size * 0.35 / PT_PER_MM, thing.text, size, anchor="middle", halo=True))
    kept = [item for item in items if isinstance(item, PlacedFace | Stroke | Label)]
    return Picture(tuple(kept), crop.width * scale, crop.height * scale)


def _room(scene: Scene, decks: Mapping[str, Deck]) -> Rect:
    seen = scene.crop
    for thing in scene.things:
        if isinstance(thing, Laid) and thing.shown in VIEWS:
            made = _made(decks, thing)
            top = thing.at[1] + thing.foot - HEADROOM * scene.field - made.height
            left, right = thing.at[0] - made.width / 2, thing.at[0] + made.width / 2
            seen = seen.grown(max(0.0, seen.x - left), max(0.0, seen.y - top), max(0.0, right - seen.right), 0)
    return seen


def _made(decks: Mapping[str, Deck], thing: Laid) -> Picture:
    made = made_picture(decks[thing.component], _piece(decks, thing), view=view_of(thing.shown, thing.face))
    if not thing.turn:
        return made
    turned = rotation(thing.turn)
    box = turned.bounds(Rect(0, 0, made.width, made.height))
    items = made.at(translation(-box.x, -box.y) @ turned)
    kept = tuple(item for item in items if isinstance(item, PlacedFace | Stroke | Label))
    return Picture(kept, box.width, box.height)


def _covers(decks: Mapping[str, Deck], thing: Laid) -> list[Ring]:
    """The outlines of a piece as it is drawn on the ground, in the ground's mm; of a standing one, of all its parts."""
    if thing.shown not in VIEWS:
        face = _face(_piece(decks, thing), thing)
        return [_on_ground(thing, face).ring(face.outline or rectangle(0.0, 0.0, face.width, face.height))]
    made = _made(decks, thing)
    rings = []
    for item in made.at(translation(thing.at[0] - made.width / 2, thing.at[1] + thing.foot - made.height)):
        if isinstance(item, PlacedFace):
            corners = rectangle(item.clip.x, item.clip.y, item.clip.width, item.clip.height)
            rings.append(item.matrix.ring(item.shape or corners))
        elif isinstance(item, Stroke) and item.fill is not None:
            rings.append(item.points)
    return rings


def _face(piece: Piece, thing: Laid) -> Face:
    return (piece.back if thing.shown == "back" else None) or piece.front


def _on_ground(thing: Laid, face: Face) -> Affine:
    """Takes a face that lies flat to its place."""
    return translation(*thing.at) @ rotation(thing.turn) @ translation(-face.width / 2, -face.height / 2)


def _piece(decks: Mapping[str, Deck], thing: Laid) -> Piece:
    pieces = decks[thing.component].pieces
    return next((piece for piece in pieces if piece.id == thing.piece), pieces[0])


def _numbered(things: Sequence[Thing], decks: Mapping[str, Deck], seen: Rect, radius: float) -> Iterator[Thing]:
    """The things, with the numbers of steps, each in a disc in the field that the step enters."""
    ways = [way for thing in things if isinstance(thing, Arrow) for way in steps(thing.points, thing.curved)]
    ways += [_upright(decks, thing) for thing in things if isinstance(thing, Laid) and thing.edged]
    framed = {_corners(ring) for thing in things if isinstance(thing, Highlight) for ring in thing.rings}
    for thing in things:
        yield thing
        if isinstance(thing, Arrow):
            for number, field in enumerate(thing.entered, thing.first):
                # A disc does not lie on a highlight's frame.
                free = offset(field, -FRAME * radius / (DISC + RIM)) if _corners(field) in framed else field
                yield Mark(aside(free, seen, ways, radius), str(number), step=True)


def _corners(ring: Ring) -> frozenset[Point]:
    return frozenset((round(x, 3), round(y, 3)) for x, y in ring)


def _upright(decks: Mapping[str, Deck], thing: Laid) -> Ring:
    """A line through the middle of a piece, from its foot to its head; of one that lies its middle alone."""
    x, y = thing.at
    high = _made(decks, thing).height if thing.shown in VIEWS else 0.0
    return (x, y + thing.foot), (x, y + thing.foot - high)


def _level(thing: Thing) -> int:
    match thing:
        case Laid(edged=False):
            return 0
        case Highlight():
            return 1
        case Laid() | Arrow(over=False):
            return 2
        case Cross() | Pointer() | Arrow():
            return 3
        case _:
            return 4


@dataclass(frozen=True, slots=True)
class _Pen:
    """Draws things at known places, in the picture's mm."""

    decks: Mapping[str, Deck]
    text_width: TextWidth
    accent: Tone
    on_accent: Tone
    """Of letters on the accent."""
    no: Tone
    scale: float
    field: float
    line: float

    def laid(self, thing: Laid, home: Affine) -> Iterator[Item]:
        piece = _piece(self.decks, thing)
        if thing.shown in VIEWS:
            made = _made(self.decks, thing)
            x, y = thing.at[0] - made.width / 2, thing.at[1] + thing.foot - made.height
            yield from made.at(home @ translation(x, y))
            return
        face = _face(piece, thing)
        matrix = home @ _on_ground(thing, face)
        side: Side = "back" if thing.shown == "back" else "front"
        ring = face.outline or rectangle(0.0, 0.0, face.width, face.height)
        for below in range(thing.pile - 1, 0, -1):
            lower = home @ translation(below * thing.step, below * thing.step) @ _on_ground(thing, face)
            yield Stroke(lower.ring(ring), EDGE, fill=PAPER, colour=GREY)
        yield PlacedFace(face, PLAN, side, matrix, face.trim, face.outline)
        if thing.edged:
            yield Stroke(matrix.ring(ring), EDGE, colour=GREY)

    def arrow(self, arrow: Arrow, points: Ring, over: Sequence[Ring]) -> Iterator[Item]:
        """Draws an arrow; if one of the outlines ``over`` it would hide its tip, it ends at the rim of that."""
        if arrow.entered or arrow.steps:
            ways = [part_of(step, FREE * self.field, FREE * self.field) for step in steps(points, arrow.curved)]
        else:
            whole = curved(points) if arrow.curved else rounded(points, 0.3 * self.field)
            ways = [part_of(whole, START * self.field, END * self.field)]
        for way in ways:
            ended, seen = seen_of(way, over, RIM * self.line)
            if seen < SHORTEST * self.line:
                ended, seen = way, length(way)
            yield from self._arrow(ended, seen, arrow.dashed)

    def _arrow(self, way: Ring, seen: float, broken: bool) -> Iterator[Item]:
        head = min(HEAD * self.line, 0.45 * self.field, HEAD_SEEN * seen)
        shaft = part_of(way, 0.0, head * 0.8)
        tip, back = way[-1], part_of(way, 0.0, head)[-1]
        wide = head * HEAD_WIDE / HEAD
        yield Stroke(shaft, self.line * (1 + 2 * RIM), False, colour=WHITE)
        yield self._rimmed(_triangle(back, tip, wide))
        for each in dashed(shaft, 2.4 * self.line, 1.7 * self.line) if broken else [shaft]:
            yield Stroke(each, self.line, False, colour=self.accent)
        yield Stroke(_triangle(back, tip, wide), 0.0, fill=self.accent)

    def _rimmed(self, ring: Ring) -> Stroke:
        return Stroke(ring, 2 * RIM * self.line, fill=WHITE, colour=WHITE)

    def highlight(self, rings: Sequence[Ring], plain: bool) -> Iterator[Item]:
        # Wholly within the field, so that two beside one another are told apart.
        inner = [offset(ring, -self.line) for ring in rings]
        for one, two in () if plain else hatched(inner, 0.2 * self.field):
            yield Stroke((one, two), 0.02 * self.field, False, colour=WHITE)
            yield Stroke((one, two), 0.013 * self.field, False, colour=self.accent)
        for ring in inner:
            yield Stroke(ring, self.line * (0.9 + 2 * RIM), colour=WHITE)
        for ring in inner:
            yield Stroke(ring, self.line * 0.9, colour=self.accent)

    def cross(self, at: Point) -> Iterator[Item]:
        x, y = at
        arm = min(CROSS * self.line, 0.3 * self.field)
        strokes = [((x - arm, y - arm), (x + arm, y + arm)), ((x - arm, y + arm), (x + arm, y - arm))]
        wide = self.line * 1.35
        for one, two in strokes:
            rim = self.line * RIM
            dx, dy = math.copysign(rim, two[0] - one[0]), math.copysign(rim, two[1] - one[1])
            yield Stroke(((one[0] - dx, one[1] - dy), (two[0] + dx, two[1] + dy)), wide + 2 * rim, False, colour=WHITE)
        for each in strokes:
            yield Stroke(each, wide, False, colour=self.no)

    def mark(self, at: Point, mark: Mark, room: Point) -> Iterator[Item]:
        text, radius, rim = mark.text, DISC * self.line, RIM * self.line
        size = radius * 1.3 * PT_PER_MM
        short = self.text_width(text, size) / 2 + 0.55 * radius <= radius
        if not short or (self.line < THINNEST and not mark.step):
            radius, size = radius * max(1.0, SMALLEST / size), max(size, SMALLEST)
        half = radius if short else self.text_width(text, size) / 2 + 0.55 * radius
        off = rim if short else max(rim, min(INSIDE, INSIDE_SHARE * min(room)))
        fits = min(1.0, (room[0] / 2 - off) / half)
        radius, size, half = radius * fits, size * fits, half * fits
        x, y = (
            min(max(spot, far + off), wide - far - off) for spot, far, wide in zip(at, (half, radius), room, strict=True)
        )
        ring = _pill(x, y, half, radius)
        yield Stroke(ring, 2 * RIM * self.line, fill=WHITE, colour=WHITE)
        yield Stroke(ring, 0.0 if short else 0.35 * self.line, fill=self.accent if short else PAPER, colour=self.accent)
        baseline = y + size * 0.33 / PT_PER_MM
        yield Label(x, baseline, text, size, anchor="middle", colour=self.on_accent if short else INK)

    def pointer(self, at: Point, to: Point, pale: bool) -> Iterator[Item]:
        dx, dy = to[0] - at[0], to[1] - at[1]
        far = math.hypot(dx, dy)
        # Across the side of the field, where the piece does not stand.
        tip = TIP * self.field
        long = min(0.3 * self.field, 6.4 * self.line)
        # Twice as long as wide and notched, so that none of its other corners seems to be the tip.
        reaches = (tip - long, tip - 0.8 * long, tip)
        back, notch, end = ((at[0] + dx / far * reach, at[1] + dy / far * reach) for reach in reaches)
        ring = (*_triangle(back, end, long * 0.25), notch)
        yield self._rimmed(ring)
        yield Stroke(ring, 0.5 * self.line if pale else 0.0, fill=PAPER if pale else self.accent, colour=self.accent)


def _tone(code: str) -> tuple[float, float, float]:
    red, green, blue = channels(code)
    return red / 255, green / 255, blue / 255


def _triangle(back: Point, tip: Point, wide: float) -> Ring:
    far = math.hypot(tip[0] - back[0], tip[1] - back[1]) or 1.0
    nx, ny = (back[1] - tip[1]) / far * wide, (tip[0] - back[0]) / far * wide
    return (back[0] + nx, back[1] + ny), tip, (back[0] - nx, back[1] - ny)


def _pill(x: float, y: float, half: float, radius: float) -> Ring:
    disc = ellipse(2 * radius, 2 * radius)
    return tuple((x + px - radius + math.copysign(half - radius, px - radius), y + py - radius) for px, py in disc)
