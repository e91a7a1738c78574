"""Shared by the virtual tables: pictures in their sizes, shuffled piles, and solids as OBJ."""

from __future__ import annotations

import io
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pnp.exports.kit import Kit, Look, Part, SetUp, Thing
from pnp.exports.target import Rasterizer, Size
from pnp.shapes.outline import Point, Ring, area
from pnp.shapes.units import MM_PER

if TYPE_CHECKING:
    from PIL.Image import Image

# Sharp enough to be read on a screen; a card has 496 x 693 dots.
DPI = 200
# Of a board, so that a telephone can show it.
LONGEST = 2048


def dots(width: float, height: float, most: int = LONGEST) -> Size:
    """The pixels of a picture of this size in mm; large ones get fewer per inch."""
    scale = min(DPI / MM_PER["in"], most / max(width, height))
    return max(1, round(width * scale)), max(1, round(height * scale))


class Album:
    """The pictures of one part at a time, rendered together. A whole game's would fill the memory."""

    def __init__(self, rasterizer: Rasterizer) -> None:
        self._rasterizer = rasterizer
        self._part = ""
        self._images: dict[tuple[str, Size], Image] = {}

    def sides(self, part: Part, thing: Thing, size: Size) -> tuple[Image, Image | None]:
        """Front and back of a thing."""
        if part.name != self._part:
            self._part, self._images = part.name, {}
        if (thing.front.key, size) not in self._images:
            looks = [look for one in part.things for look in (one.front, one.back) if look]
            images = self._rasterizer.looks([(look, size) for look in looks])
            self._images |= {(look.key, size): image for look, image in zip(looks, images, strict=True)}
        back = self._images[thing.back.key, size] if thing.back else None
        return self._images[thing.front.key, size], back


def keys(*looks: Look | None) -> list[str]:
    """The cache keys of these looks, for :meth:`Rasterizer.kept`."""
    return [look.key if look else "" for look in looks]


def on_white(picture: Image) -> Image:
    """Fills transparent parts with white."""
    from PIL import Image

    if picture.mode == "RGB":
        return picture
    ground = Image.new("RGB", picture.size, "white")
    ground.paste(picture, (0, 0), picture)
    return ground


def on_ground(picture: Image, size: Size) -> Image:
    """Centres a picture on a transparent one of this size."""
    from PIL import Image

    whole = Image.new("RGBA", size, (255, 255, 255, 0))
    whole.paste(picture, ((size[0] - picture.width) // 2, (size[1] - picture.height) // 2))
    return whole


def blank(size: Size) -> Image:
    """A white picture, for a side without print."""
    from PIL import Image

    return Image.new("RGB", size, "white")


def mean(picture: Image) -> tuple[int, ...]:
    """The average colour."""
    found = on_white(picture).resize((1, 1)).getpixel((0, 0))
    assert isinstance(found, tuple)
    return found


def png(picture: Image) -> bytes:
    """A picture as PNG."""
    target = io.BytesIO()
    picture.save(target, "PNG", compress_level=6)
    return target.getvalue()


def sheet(pictures: Sequence[Image], size: Size, columns: int, clear: bool = False) -> Image:
    """Arranges pictures from the top left, row by row, on white, or on a transparent ground if ``clear``."""
    from PIL import Image

    whole_size = size[0] * min(columns, len(pictures)), size[1] * -(-len(pictures) // columns)
    whole = Image.new("RGBA" if clear else "RGB", whole_size, (255, 255, 255, 0) if clear else "white")
    for number, picture in enumerate(pictures):
        at = number % columns * size[0], number // columns * size[1]
        whole.paste(picture if clear else on_white(picture), at)
    return whole


def bunch_name(setup: SetUp) -> str:
    """The name of the pieces for a number of players, the same in all exports."""
    return f"{setup.players} players"


def exactly(part: Part, setup: SetUp) -> Counter[str] | None:
    """The copies by id that a set-up takes of a part; None where it takes none, or a random part of them."""
    copies = {thing.id: thing.copies for thing in part.things}
    found: Counter[str] = Counter()
    for taken in setup.takes:
        if taken.part != part.name:
            continue
        if len(taken.things) == 1:
            found[taken.things[0]] += taken.number
        elif taken.number == sum(copies[id_] for id_ in taken.things):
            found.update({id_: copies[id_] for id_ in taken.things})
        else:
            return None
    return found or None


def at_most(part: Part, setup: SetUp) -> Counter[str]:
    """The copies by id that a set-up may take of a part: all candidates where it draws at random."""
    copies = {thing.id: thing.copies for thing in part.things}
    found: Counter[str] = Counter()
    for taken in setup.takes:
        if taken.part == part.name:
            one = len(taken.things) == 1
            found.update({id_: taken.number if one else copies[id_] for id_ in taken.things})
    return Counter({id_: least for id_, number in found.items() if (least := min(number, copies[id_]))})


def on_the_table(kit: Kit) -> list[Part]:
    """The parts used in play: of two forms of the same pieces only the first."""
    names = {part.name for part in kit.parts}
    return [part for part in kit.parts if part.component.instead not in names]


def there(part: Part) -> tuple[Thing, ...]:
    """The pieces with at least one copy."""
    return tuple(thing for thing in part.things if thing.copies)


def piles(part: Part) -> list[tuple[str, tuple[Thing, ...]]]:
    """The stacks of a part with their names: one for each back, unless a stack would hold a single card."""
    by_back: dict[str, list[Thing]] = {}
    for thing in there(part):
        by_back.setdefault(thing.back.key if thing.back else "", []).append(thing)
    smallest = min((sum(thing.copies for thing in things) for things in by_back.values()), default=0)
    if part.form not in ("card", "tile") or len(by_back) == 1 or smallest < 2:
        return [(part.title, there(part))] if by_back else []
    found = []
    for number, things in enumerate(by_back.values(), 1):
        said = {thing.says.get("back", "") for thing in things}
        name = next(iter(said)) if len(said) == 1 and "" not in said else str(number)
        found.append((f"{part.title} ({name})", tuple(things)))
    return found


def together(titles: Iterable[str]) -> str:
    """The title of what lies in one pile."""
    return " + ".join(dict.fromkeys(titles))


def ring_of(part: Part, thing: Thing) -> Ring | None:
    """The outline in mm of a flat piece that is no rectangle, from its corner."""
    return part.outline if part.outline is not None else thing.piece.front.outline


def is_round(ring: Ring, width: float, height: float) -> bool:
    """Whether an outline is a circle."""
    if len(ring) < 16 or abs(width - height) > 0.01:
        return False
    return all(abs(math.hypot(x - width / 2, y - height / 2) - width / 2) < width / 100 for x, y in ring)


Vector = tuple[float, float, float]
Corner = tuple[Vector, Point]
"""A point in cm, and where on the picture it is: from the top left, both from 0 to 1."""

# Of board and of folded cardboard, in mm.
THICK, BOARD, CARDBOARD = 2.0, 3.0, 1.6
# Edges take their colour from so far inside the picture.
INSIDE = 0.97
# A figure stands on a foot so thick and at least so deep, in mm.
FOOT, DEPTH = 2.0, 8.0
# Where a kite of a die with ten sides is widest, from its pole.
WIDEST = math.cos(math.pi / 5)


@dataclass(slots=True)
class Solid:
    """A polyhedron; the corners of each face run counterclockwise seen from outside."""

    polygons: list[tuple[Corner, ...]] = field(default_factory=list)
    towards: list[Vector] = field(default_factory=list)
    """Of a die: where each face looks, in the order of its values."""

    def files(self, name: str) -> tuple[str, str]:
        """The .obj and .mtl files, for a picture NAME.png beside them."""
        material = ("newmtl look", "Kd 1 1 1", "Ks 0 0 0", "d 1", "illum 1", f"map_Kd {name}.png")
        return obj(name, [self]), "\n".join(material) + "\n"


def obj(name: str, solids: Sequence[Solid]) -> str:
    """Solids as an OBJ file, each an object, in triangles: some programs leave holes where faces have more corners."""
    lines, first = [f"mtllib {name}.mtl"], 1
    for number, solid in enumerate(solids):
        lines += [f"o {name}{f'-{number}' if number else ''}", "usemtl look"]
        for polygon in solid.polygons:
            facing = " ".join(map(_said, _facing(*(at for at, _ in polygon[:3]))))
            lines += [f"v {_said(x)} {_said(y)} {_said(z)}" for (x, y, z), _ in polygon]
            lines += [f"vt {_said(u)} {_said(1 - v)}" for _, (u, v) in polygon]
            lines += [f"vn {facing}"] * len(polygon)
            for second in range(first + 1, first + len(polygon) - 1):
                lines.append("f " + " ".join(f"{at}/{at}/{at}" for at in (first, second, second + 1)))
            first += len(polygon)
    return "\n".join(lines) + "\n"


def _said(value: float) -> str:
    return f"{value:.5f}".rstrip("0").rstrip(".").replace("-0", "0") if abs(value) < 5e-6 else f"{value:.5f}"


def slab(ring: Ring, width: float, height: float, thick: float, upright: bool = False) -> Solid:
    """A flat piece in mm; the left half of its texture is the front, the right half the back.

    It lies centred at the origin, or if ``upright`` stands on the floor facing +Z.
    """
    made = Solid()
    ring = _clockwise(ring)

    def point(x: float, y: float, depth: float) -> Vector:
        x, y, depth = (x - width / 2) / 10, y / 10, depth / 10
        return (x, height / 10 - y, depth) if upright else (x, depth, y - height / 20)

    for a, b, c in triangles(ring):
        # The ring runs clockwise on the page, so that its front is seen with its corners turned round.
        made.polygons.append(tuple((point(*at, thick / 2), (at[0] / width / 2, at[1] / height)) for at in (c, b, a)))
        made.polygons.append(tuple((point(*at, -thick / 2), (1 - at[0] / width / 2, at[1] / height)) for at in (a, b, c)))
    for start, end in zip(ring, (*ring[1:], ring[0]), strict=True):
        near = [_inside(at, width, height) for at in (start, end)]
        before, after = ((x / width / 2, y / height) for x, y in near)
        corners = ((start, thick, before), (end, thick, after), (end, -thick, after), (start, -thick, before))
        made.polygons.append(tuple((point(*at, depth / 2), seen) for at, depth, seen in corners))
    return made


def _clockwise(ring: Ring) -> Ring:
    return ring if area(ring) > 0 else tuple(reversed(ring))


def hulls(ring: Ring, width: float, height: float, thick: float) -> list[Solid]:
    """Splits a slab into convex parts, which programs need for collisions of concave pieces."""
    return [slab(each, width, height, thick) for each in triangles(_clockwise(ring))]


def _inside(at: Point, width: float, height: float) -> Point:
    return (at[0] - width / 2) * INSIDE + width / 2, (at[1] - height / 2) * INSIDE + height / 2


def figure(ring: Ring, width: float, height: float, thick: float) -> Solid:
    """A standing piece with a foot."""
    made = slab(ring, width, height, thick, upright=True)
    low = [x for x, y in ring if y > height - max(1.0, height / 10)]
    left, right = min(low, default=0.0), max(low, default=width)
    depth = max(DEPTH, height / 3) / 20
    x0, x1, floor = (left - width / 2) / 10, (right - width / 2) / 10, -FOOT / 10
    seen = (min(max((left + right) / 2 / width / 2, 0.01), 0.49), INSIDE)
    for facing in _FACINGS:
        corners = _square(facing)
        placed = [(x0 if x < 0 else x1, floor if y < 0 else 0.0, depth * z) for x, y, z in corners]
        made.polygons.append(tuple((at, seen) for at in placed))
    made.polygons = [tuple(((x, y + FOOT / 10, z), uv) for (x, y, z), uv in polygon) for polygon in made.polygons]
    return made


def triangles(ring: Ring) -> list[tuple[Point, Point, Point]]:
    """Triangulates a ring that runs clockwise on the page; the triangles do so too."""
    left, found = list(ring), []
    while len(left) > 3:
        for at in range(len(left)):
            a, b, c = left[at - 1], left[at], left[(at + 1) % len(left)]
            if _turn(a, b, c) > 0 and not any(
                _within(point, a, b, c) for point in left if point not in (a, b, c)
            ):  # an ear: nothing of the rest is in it
                found.append((a, b, c))
                del left[at]
                break
        else:
            # Only corners that lie in a line are left, or touch one another.
            del left[1]
    return [*found, (left[0], left[1], left[2])] if len(left) == 3 and _turn(*left) > 0 else found


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])


def _within(point: Point, a: Point, b: Point, c: Point) -> bool:
    return min(_turn(a, b, point), _turn(b, c, point), _turn(c, a, point)) >= 0


_UP: Vector = (0, 1, 0)
# In the order of a die's values: opposite faces sum to seven.
_FACINGS: tuple[Vector, ...] = ((0, 1, 0), (0, 0, 1), (1, 0, 0), (-1, 0, 0), (0, 0, -1), (0, -1, 0))


def _square(facing: Vector) -> tuple[Vector, ...]:
    """The corners of a face of the cube from -1 to 1: its picture's top left, then counterclockwise."""
    x, y, z = facing
    up: Vector = (0, 0, -y) if y else _UP
    right = _cross(up, facing)
    ways = ((-1, 1), (-1, -1), (1, -1), (1, 1))
    return tuple(
        (x + across * right[0] + along * up[0], y + across * right[1] + along * up[1], z + across * right[2] + along * up[2])
        for across, along in ways
    )


def _cross(a: Vector, b: Vector) -> Vector:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def cell(number: int, columns: int, rows: int, at: Point) -> Point:
    """Maps a point of one picture of a grid to the whole picture."""
    return (number % columns + at[0]) / columns, (number // columns + at[1]) / rows


def cube(size: float) -> Solid:
    """A six-sided die; its texture has three by two pictures."""
    made = Solid(towards=list(_FACINGS))
    ways = ((0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0))
    for number, facing in enumerate(_FACINGS):
        corners = ((x * size / 20, y * size / 20, z * size / 20) for x, y, z in _square(facing))
        made.polygons.append(tuple((at, cell(number, 3, 2, seen)) for at, seen in zip(corners, ways, strict=True)))
    return made


def kites(width: float, height: float, head_up: bool = True) -> Solid:
    """A ten-sided die of kites of this size; its texture has five by two pictures, opposite faces sum to nine.

    ``head_up``: the pole of each face is at the top of its picture.
    """
    made = Solid()
    radius = width / 2 / math.sin(math.pi / 5)
    rise = math.sqrt(max(height**2 - radius**2, 1.0)) * (1 + WIDEST) / 2
    wave = rise * (1 - WIDEST) / (1 + WIDEST)

    def around(step: int) -> Vector:
        turn = math.pi / 5 * step
        return radius / 10 * math.sin(turn), wave / 10 * (1 if step % 2 == 0 else -1), radius / 10 * math.cos(turn)

    seen: tuple[Point, ...] = ((0.5, 0.0), (0.0, WIDEST), (0.5, 1.0), (1.0, WIDEST))
    if not head_up:
        seen = tuple((1 - u, 1 - v) for u, v in seen)
    for value in range(10):
        upper = value < 5
        middle = 1 + 2 * value if upper else (1 + 2 * (9 - value) + 5) % 10
        pole = (0.0, rise / 10 if upper else -rise / 10, 0.0)
        way = 1 if upper else -1
        corners = (pole, around(middle - way), around(middle), around(middle + way))
        made.polygons.append(tuple((at, cell(value, 5, 2, uv)) for at, uv in zip(corners, seen, strict=True)))
        made.towards.append(_facing(*corners[:3]))
    return made


def _facing(first: Vector, second: Vector, third: Vector) -> Vector:
    """The normal of a polygon with these corners."""
    outward = _cross(_less(second, first), _less(third, first))
    long = math.hypot(*outward) or 1.0
    return outward[0] / long, outward[1] / long, outward[2] / long


def _less(a: Vector, b: Vector) -> Vector:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def die(width: float, height: float, pictures: Sequence[Image]) -> tuple[Solid, Image]:
    """A die of six or ten sides of this size in mm, and its texture."""
    if len(pictures) == 6:
        return cube(width), sheet(pictures, pictures[0].size, 3)
    return kites(width, height, head_up=_widest(pictures[0]) > 0.5), sheet(pictures, pictures[0].size, 5)


def die_of(rasterizer: Rasterizer, thing: Thing) -> tuple[Solid, Image]:
    """The solid of a die, and its texture."""
    side = thing.sides[0]
    looks = [(look, dots(side.width, side.height)) for look in thing.sides]
    return die(side.width, side.height, rasterizer.looks(looks))


def _widest(picture: Image) -> float:
    """The distance from the top at which a picture's visible part is widest."""
    rows = _rows(picture)
    return max(rows, key=lambda row: row[2] - row[1])[0] / picture.height if rows else 1.0


def hull(picture: Image, width: float, height: float) -> Ring:
    """The convex hull in mm of a picture's visible part."""
    across, down = width / picture.width, height / picture.height
    points = {(x * across, y * down) for top, left, right in _rows(picture) for x in (left, right) for y in (top, top + 1)}
    if len(points) < 3:
        return (0.0, 0.0), (width, 0.0), (width, height), (0.0, height)
    ordered = sorted(points)
    return (*_half(ordered)[:-1], *_half(ordered[::-1])[:-1])


def _half(points: Iterable[Point]) -> list[Point]:
    found: list[Point] = []
    for point in points:
        while len(found) > 1 and _turn(found[-2], found[-1], point) <= 0:
            found.pop()
        found.append(point)
    return found


def _rows(picture: Image) -> list[tuple[int, int, int]]:
    """The pixel rows with something visible: number, start and end."""
    if picture.mode != "RGBA":
        return [(row, 0, picture.width) for row in range(picture.height)]
    seen = picture.getchannel("A").point(lambda value: 255 if value > 127 else 0)
    found = []
    for row in range(seen.height):
        box = seen.crop((0, row, seen.width, row + 1)).getbbox()
        if box:
            found.append((row, box[0], box[2]))
    return found
