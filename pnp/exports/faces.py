"""Exports faces as pictures: one file each, or many on a sheet."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial

from pnp.dataclass import dataclass
from pnp.exports.kit import FORMS, Look, Part, Thing
from pnp.exports.shops import DPI, UNSEEN, Shop, all_saved, dots, in_dots, shops
from pnp.exports.tables import png, sheet
from pnp.exports.target import Job, Line, Target, csv_bytes, json_bytes, listing
from pnp.flows.build import Made
from pnp.shapes.units import show
from pnp.values.faces import Face
from pnp.values.game import Side
from pnp.values.problems import closest, listed

# No side of a sheet is longer: what most programs and graphics cards take.
MOST = 4096
WIDTH = 400
GRID = (10, 7)
COLUMNS = ("component", "id", "name", "copies", "side", "sheet", "column", "row", "x", "y", "width", "height")


@dataclass(frozen=True, slots=True)
class Entry:
    """A face, with the pieces and copies that have it."""

    id: str
    name: str
    copies: int
    side: str
    look: Look


def make_sheets(job: Job) -> Iterator[Made]:
    """Makes ``COMPONENT-N.png`` with faces from the top left, row by row; ``index.csv`` lists their places."""
    index: list[tuple[str | int, ...]] = []
    for part in job.kit.parts:
        yield from _part(job, part, index)
    place = job.kit.game.place_of("game")
    yield Made("index.csv", csv_bytes([COLUMNS, *index]), "the index", place)
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in index]
    yield Made("index.json", json_bytes(rows), "the index", place)


def _part(job: Job, part: Part, index: list[tuple[str | int, ...]]) -> Iterator[Made]:
    entries = entries_of(part)
    width = job.choices.width or WIDTH
    height = max(1, round(width * part.height / part.width))
    columns, rows = job.choices.grid or GRID
    columns, rows = max(1, min(columns, MOST // width)), max(1, min(rows, MOST // height))
    each = columns * rows
    for start in range(0, len(entries), each):
        some = entries[start : start + each]
        name = f"{part.name}-{start // each + 1}.png"
        for at, entry in enumerate(some):
            down, across = divmod(at, columns)
            where = (name, across + 1, down + 1, across * width, down * height, width, height)
            index.append((part.name, entry.id, entry.name, entry.copies, entry.side, *where))
        data = job.rasterizer.kept(
            ["sheet", repr((width, height, columns)), *(entry.look.key for entry in some)],
            partial(_sheet, job, some, (width, height), columns),
        )
        yield Made(name, data, f'a sheet of "{part.name}"', part.component.place)


def entries_of(part: Part) -> list[Entry]:
    """The faces of a part: each front, and each different back once."""
    entries = []
    for thing in part.things:
        for number, side in enumerate(thing.sides, 1):
            entries.append(Entry(thing.id, thing.title, thing.copies, f"face {number}", side))
        if not thing.sides:
            entries.append(Entry(thing.id, thing.title, thing.copies, "front", thing.front))
        if thing.back and part.back is None:
            entries.append(Entry(thing.id, thing.title, thing.copies, "back", thing.back))
    if part.back is not None:
        entries.append(Entry("", part.title, sum(thing.copies for thing in part.things), "back", part.back))
    return entries


def _sheet(job: Job, entries: Sequence[Entry], size: tuple[int, int], columns: int) -> bytes:
    pictures = job.rasterizer.looks([(entry.look, size) for entry in entries])
    return png(sheet(pictures, size, columns, clear=any(picture.mode == "RGBA" for picture in pictures)))


SHEETS = Target(
    "sheets of pictures in a grid, with an index, for any program that takes such",
    "Each sheet has its faces from the top left, row by row. index.csv and index.json say which is where, in dots.",
    frozenset(FORMS.values()),
    make_sheets,
    frozenset({"grid", "width"}),
)


def make(job: Job) -> Iterator[Made]:
    """Makes ``COMPONENT/ID-front.png`` and ``-back.png``, or one ``back.png``, and ``list.csv``."""
    shop = shop_of(job)
    if job.problems.errors:
        return
    lines: list[Line] = []
    for part in job.kit.parts:
        if shop and not small_enough(job, part, shop):
            continue
        flat = all(thing.piece.front.net is None for thing in part.things)
        made = _with_bleed(job, part, shop, lines) if shop and shop.bleed and flat else _as_seen(job, part, shop, lines)
        yield from made
    yield listing(job, lines)


def pictured() -> list[str]:
    """The shops that take pictures instead of pages."""
    return [shop.name for shop in shops().values() if shop.files != "pdf"]


def shop_of(job: Job) -> Shop | None:
    """The shop that was asked for. An unknown one, or one that wants pages, is reported."""
    name = job.choices.shop
    if not name:
        return None
    shop, known = shops().get(name), pictured()
    if name not in known:
        job.problems.error(
            "no-shop",
            job.kit.game.place_of("game"),
            f"{shop.title} wants pages, not pictures" if shop else f'no shop is known as "{name}"',
            value=name,
            allowed=", ".join(known),
            hint=f"pnp export press --shop {name}" if shop else closest(name, known) or "Choose one of these.",
        )
        return None
    return shop


def _as_seen(job: Job, part: Part, shop: Shop | None, lines: list[Line]) -> Iterator[Made]:
    """Pictures cut to their outlines; folded pieces as they stand."""
    entries = entries_of(part)
    kind = shop.files if shop else "png"
    scale = job.choices.width / part.width if job.choices.width else DPI / 25.4
    # All of one width and height: tables want them alike.
    size = max(1, round(part.width * scale)), max(1, round(part.height * scale))
    dpi = scale * 25.4
    images = job.rasterizer.looks([(entry.look, size) for entry in entries])
    for entry, picture in zip(entries, all_saved(images, kind, dpi), strict=True):
        name = f"{part.name}/{'-'.join(filter(None, (entry.id, entry.side.replace(' ', '-'))))}.{kind}"
        lines.append(Line(part.name, entry.id, entry.copies, entry.side, name, size))
        yield Made(name, picture, f'"{part.name}"', part.component.place)


def _with_bleed(job: Job, part: Part, shop: Shop, lines: list[Line]) -> Iterator[Made]:
    """Pictures at true size with the bleed that the shop asks for."""
    around = dots(shop.bleed)
    wanted = [*sides_of(part)]
    size = dots(part.width) + 2 * around, dots(part.height) + 2 * around
    tell_bleed(job, part, shop.bleed, shop.title)
    images = in_dots(job.rasterizer, [(face, side, size, False) for _, face, side in wanted])
    for (thing, _, side), picture in zip(wanted, all_saved(images, shop.files), strict=True):
        name = f"{part.name}/{thing.id + '-' if thing else ''}{side}.{shop.files}"
        lines.append(Line(part.name, thing.id if thing else "", copies_of(part, thing), side, name, size))
        yield Made(name, picture, f'"{part.name}"', part.component.place)


def sides_of(part: Part) -> Iterator[tuple[Thing | None, Face, Side]]:
    """The printed faces: each front, then each back, or one common back (with no thing)."""
    for thing in part.things:
        yield thing, thing.piece.front, "front"
        if thing.piece.back and part.back is None:
            yield thing, thing.piece.back, "back"
    if part.back is not None and (back := part.things[0].piece.back):
        yield None, back, "back"


def copies_of(part: Part, thing: Thing | None) -> int:
    return thing.copies if thing else sum(each.copies for each in part.things)


def small_enough(job: Job, part: Part, shop: Shop) -> bool:
    """Whether a shop prints cards of this size; warns of one that is too large."""
    short, long = sorted((part.width, part.height))
    if shop.largest is None or (short <= shop.largest[0] and long <= shop.largest[1]):
        return True
    job.problems.warn(
        "not-exported",
        part.component.place,
        f'"{part.name}" is larger than the largest card of {shop.title} ({shop.largest[0]:g} × {shop.largest[1]:g} mm)',
        value=f"{show(part.width)} × {show(part.height)} mm",
        hint="Print it at home, or order it elsewhere: pnp export press.",
    )
    return False


def tell_bleed(job: Job, part: Part, bleed: float, whose: str, how: str = "the outermost dots are repeated") -> None:
    """Warns of faces drawn with less bleed than needed; ``how`` says how the rest is filled."""
    drawn = part.component.bleed
    if bleed - drawn > UNSEEN:
        enough = math.ceil((bleed - UNSEEN / 2) * 10) / 10
        job.problems.warn(
            "bleed-continued",
            part.component.place,
            f"{whose} needs {round(bleed, 3):g} mm beyond the cut, and {part.name} is drawn {show(drawn)} mm beyond it: "
            f"{how}",
            value=f"{show(drawn)} mm",
            hint=f'bleed = "{show(enough)}mm" in its section, and art that reaches as far.',
        )


TARGET = Target(
    "a picture of every face",
    "Each picture is named by component and id; list.csv says what it is, and how many copies there are. With --shop they "
    f"have the bleed and the dots that a shop asks for: {listed(pictured())}.",
    frozenset(FORMS.values()),
    make,
    frozenset({"width", "shop"}),
)
