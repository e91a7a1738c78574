"""Exports a promotional picture: the game's pieces in heaps on a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, radians, sin
from typing import TYPE_CHECKING

from pnp.dataclass import dataclass
from pnp.exports.kit import FORMS, Look, Part, Thing, made_look
from pnp.exports.tables import png, there
from pnp.exports.target import Job, Target
from pnp.flows.build import Made
from pnp.shapes.affine import Rect, rotation, translation
from pnp.shapes.colour import channels
from pnp.shapes.nets.net import ASIDE
from pnp.values.game import KINDS

if TYPE_CHECKING:
    from PIL.Image import Image

WIDTH, BAND, EDGE, GAP, LAP = 1600, 470, 56, 40, 24
# Drawn larger and shrunk, so that turned edges are smooth.
FINE = 2
MOST_ROWS, MOST_SCALE = 2.15, 4.8
GROUND = "#2b3a55"
# The forms in their order on the table, with the height of a heap as a part of a band's and how many designs are in it.
HEAPS = {
    "board": (1.0, 1),
    "card": (0.8, 6),
    "screen": (0.62, 2),
    "tile": (0.85, 7),
    "container": (0.72, 1),
    "figure": (0.5, 6),
    "dial": (0.5, 1),
    "token": (0.42, 9),
    "die": (0.22, 3),
}


@dataclass(frozen=True, slots=True)
class Lying:
    """A piece in a heap: centre in mm, turn in degrees clockwise, thickness in mm."""

    look: Look
    x: float
    y: float
    turn: float
    thick: float
    rounded: bool

    @property
    def box(self) -> Rect:
        face = Rect(-self.look.width / 2, -self.look.height / 2, self.look.width, self.look.height)
        return (translation(self.x, self.y) @ rotation(self.turn)).bounds(face)


@dataclass(frozen=True, slots=True)
class Heap:
    """Pieces that lie together, the lowest first; ``tall`` is in pixels."""

    pieces: tuple[Lying, ...]
    tall: float

    @property
    def box(self) -> Rect:
        boxes = [piece.box for piece in self.pieces]
        left, top = min(box.x for box in boxes), min(box.y for box in boxes)
        return Rect(left, top, max(box.right for box in boxes) - left, max(box.bottom for box in boxes) - top)

    @property
    def width(self) -> float:
        return self.box.width * self.tall / self.box.height


def make(job: Job) -> Iterator[Made]:
    """Makes ``GAME.png`` with everything that fits, and each deck alone as a hand beside its stack."""
    game, place = job.kit.game, job.kit.game.place_of("game")
    if heaps := heaps_of(job):
        yield Made(f"{game.name}.png", _pictured(job, heaps), "the picture", place)
    for part in job.kit.parts:
        if part.form == "card" and len(there(part)) > 2:
            hand = _hand(part, 7)
            heaps = [Heap(hand, 0.95 * BAND), *(Heap(pile, 0.7 * BAND) for pile in [_stack(part)] if pile)]
            yield Made(f"{part.name}.png", _pictured(job, heaps), f'the picture of "{part.name}"', part.component.place)


def heaps_of(job: Job) -> list[Heap]:
    """The heaps to show: of each form the part with the most designs, then the second of each form, and so on."""
    ranked = []
    for form, (tall, most) in HEAPS.items():
        parts = [part for part in job.kit.parts if part.form == form and there(part)]
        parts.sort(key=lambda part: (not part.spots, -len(part.things), -part.width * part.height))
        for number, part in enumerate(parts):
            # A cover to fold around a box, and other charts of the same sea, say nothing new.
            if (form == "screen" and len(part.things) == 1 and len(job.kit.parts) > 1) or (form == "board" and number):
                continue
            pieces = _hand(part, most) if form == "card" else _spread(part, most)
            less = 0.75 if number or (form == "card" and len(pieces) < 3) else 1.0
            ranked.append((number, _heap(pieces, tall * less)))
            if form == "card" and number == 0 and (pile := _stack(part)):
                ranked.append((number, _heap(pile, 0.5)))
    for laying in job.kit.layings[:1]:
        ranked.insert(0, (0, _heap((Lying(laying.look, 0, 0, -2.0, 1.6, False),), 1.0)))
    ranked.sort(key=lambda each: each[0])
    found, left = [], MOST_ROWS * (WIDTH - 2 * EDGE)
    for _, heap in ranked:
        if heap.width + GAP <= left:
            found.append(heap)
            left -= heap.width + GAP
    return found


def _heap(pieces: tuple[Lying, ...], share: float) -> Heap:
    """A heap as high as that share of a row, limited to little more than a card's scale and half the table's width."""
    box = Heap(pieces, 1.0).box
    return Heap(pieces, min(share * BAND, MOST_SCALE * box.height, 0.5 * WIDTH * box.height / box.width))


def _look(part: Part, thing: Thing) -> Look:
    """The picture of a piece; folded pieces are seen at an angle to show their depth."""
    return made_look(part.deck, thing.piece, ASIDE) if thing.piece.front.net is not None else thing.front


def _some(part: Part, most: int) -> list[Thing]:
    """A number of different designs, picked evenly across the component's table."""
    things = there(part)
    count = min(most, len(things))
    return [things[number * len(things) // count] for number in range(count)]


def _lying(part: Part, look: Look, x: float, y: float, turn: float) -> Lying:
    folded = part.form in ("figure", "die", "container", "screen", "dial")
    thick = 0.0 if folded else 0.4 if part.form == "card" else 1.6
    return Lying(look, x, y, turn, thick, KINDS[part.component.kind].rounded and not look.clear)


def _hand(part: Part, most: int) -> tuple[Lying, ...]:
    """Cards fanned as in a hand."""
    things = _some(part, most)
    step = min(12.0, 56.0 / max(len(things), 1))
    far = 1.75 * max(part.width, part.height)
    turns = [(number - (len(things) - 1) / 2) * step for number in range(len(things))]
    return tuple(
        _lying(part, thing.front, far * sin(radians(turn)), -far * cos(radians(turn)), turn)
        for thing, turn in zip(things, turns, strict=True)
    )


def _stack(part: Part) -> tuple[Lying, ...]:
    """The deck face down."""
    back = part.back
    if back is None or sum(thing.copies for thing in part.things) < 5:
        return ()
    turns = (1.5, -1.0, 0.5, -0.5, 1.0, 0.0)
    return tuple(_lying(part, back, 0.0, -1.1 * number, turn - 6) for number, turn in enumerate(turns))


def _spread(part: Part, most: int) -> tuple[Lying, ...]:
    """Pieces side by side in rows, slightly turned."""
    things = _some(part, most)
    # Each design once, then what there is more of.
    looks = [_look(part, thing) for turn in range(3 if most > 2 else 1) for thing in things if thing.copies > turn][:most]
    columns = {1: 1, 2: 2 if part.height > part.width else 1, 3: 3, 4: 2, 7: 4, 8: 4, 9: 5}.get(len(looks), 3)
    width, height = max(look.width for look in looks) * 1.12, max(look.height for look in looks) * 1.1
    flat = part.form == "token" or (part.form == "tile" and part.outline is None)
    found = []
    for number, look in enumerate(looks):
        down, across = divmod(number, columns)
        lean = (7.0, -9.0, 4.0, -5.0, 10.0)[number % 5] if flat else 0.0
        found.append(_lying(part, look, (across + 0.5 * (down % 2)) * width, down * height, lean))
    return tuple(found)


def _bands(heaps: Sequence[Heap]) -> list[list[Heap]]:
    """Distributes heaps over rows of about equal width."""
    room = WIDTH - 2 * EDGE
    full = sum(heap.width + GAP for heap in heaps)
    count = max(1, round(full / room))
    rows: list[list[Heap]] = [[] for _ in range(count)]
    for heap in sorted(heaps, key=lambda heap: -heap.width):
        min(rows, key=lambda row: sum(each.width + GAP for each in row)).append(heap)
    rows.sort(key=lambda row: -max(heap.tall for heap in row))
    # The tallest in the middle: the eye begins there.
    return [[*row[1::2][::-1], *row[::2]] for row in (sorted(row, key=lambda heap: -heap.tall) for row in rows if row)]


def _pictured(job: Job, heaps: Sequence[Heap]) -> bytes:
    """Paints heaps in rows on a table of the game's colour."""
    rows, placed, top = _bands(heaps), list[tuple[Lying, float, float, float]](), float(EDGE)
    for row in rows:
        wide = sum(heap.width for heap in row)
        share = min(1.15, (WIDTH - 2 * EDGE - GAP * (len(row) - 1)) / wide)
        tall = max(heap.tall for heap in row) * share
        gap = (WIDTH - wide * share) / (len(row) + 1)
        x = gap
        for number, heap in enumerate(row):
            box, scale = heap.box, heap.tall * share / heap.box.height
            y = top + (tall - heap.tall * share) * (0.5, 0.75, 0.35)[number % 3]
            placed += [(piece, x + (piece.x - box.x) * scale, y + (piece.y - box.y) * scale, scale) for piece in heap.pieces]
            x += heap.width * share + gap
        top += tall + LAP
    sizes = [
        (max(1, round(piece.look.width * scale * FINE)), max(1, round(piece.look.height * scale * FINE)))
        for piece, _, _, scale in placed
    ]
    parts = [f"{piece} {x} {y} {scale}" for piece, x, y, scale in placed]
    manual = next(iter(job.kit.game.manuals), None)
    colour = manual.accent if manual else GROUND
    height = round(top - LAP + EDGE)

    def paint() -> bytes:
        looks = job.rasterizer.looks([(piece.look, size) for (piece, *_), size in zip(placed, sizes, strict=True)])
        table = _table(colour, height)
        for (piece, x, y, scale), image in zip(placed, looks, strict=True):
            _put(table, image, piece, x * FINE, y * FINE, scale * FINE)
        return png(table.resize((WIDTH, height), reducing_gap=None).convert("RGB"))

    return job.rasterizer.kept(["showcase", colour, str(height), *parts], paint)


def _table(colour: str, height: int) -> Image:
    """A background in the game's colour, lighter in the middle."""
    from PIL import Image

    light = Image.radial_gradient("L").resize((WIDTH * FINE, height * FINE))
    far, near = ([round(value + (255 - value) * share) for value in channels(colour)] for share in (0.28, 0.62))
    ways = zip(far, near, strict=True)
    shades = [[round(inner + (outer - inner) * at / 255) for at in range(256)] for outer, inner in ways]
    return Image.merge("RGB", [light.point(each) for each in shades])


def _put(table: Image, image: Image, piece: Lying, x: float, y: float, scale: float) -> None:
    """Paints a piece onto the picture of the table, centred at a point in pixels, with its thickness and a soft shadow."""
    from PIL import Image, ImageDraw, ImageFilter, ImageOps

    image = image.convert("RGBA")
    if piece.rounded:
        mask = Image.new("L", image.size, 0)
        ImageDraw.Draw(mask).rounded_rectangle((0, 0, image.width - 1, image.height - 1), min(image.size) // 20, 255)
        image.putalpha(mask)
    # Edges are smooth where something clear is beside them.
    image = ImageOps.expand(image, 2, (0, 0, 0, 0)).rotate(-piece.turn, Image.Resampling.BICUBIC, expand=True)
    thick = round(min(piece.thick * scale, 7 * FINE))
    soft = 9 * FINE
    room = 3 * soft
    whole = Image.new("L", (image.width + 2 * room, image.height + 2 * room + thick), 0)
    alpha = image.getchannel("A")
    for down in range(0, thick + 1, 2):
        whole.paste(255, (room, room + down), alpha)
    left, top = round(x - image.width / 2), round(y - image.height / 2)
    for blur, fall, dark in ((soft, 8 * FINE, 105), (2 * FINE, 2 * FINE, 80)):
        shade = whole.filter(ImageFilter.GaussianBlur(blur)).point([value * dark // 255 for value in range(256)])
        table.paste((8, 8, 16), (left - room + fall // 3, top - room + fall), shade)
    edge = Image.new("RGB", image.size, (214, 208, 196))
    for down in range(thick, 0, -1):
        table.paste(edge, (left, top + down), alpha)
    table.paste(image, (left, top), image)


TARGET = Target(
    "pictures to show the game with: all of it on a table, and each deck in a hand",
    "Post them where you tell of the game: they are 1600 dots wide.",
    frozenset(FORMS.values()),
    make,
)
