"""``faces``: a picture of every face, as large as somebody asks for, or with the bleed and dots of a shop."""

from __future__ import annotations

from collections.abc import Iterator

from pnp.flows.exports.listing import Line, listing
from pnp.flows.exports.sheets import entries_of
from pnp.flows.exports.shops import DPI, UNSEEN, Shop, dots, in_dots, saved, shops
from pnp.flows.exports.target import Job, Target
from pnp.flows.outputs import Made
from pnp.values.faces import Face
from pnp.values.game import Side
from pnp.values.kit import FORMS, Part, Thing
from pnp.values.problems import closest, listed


def make(job: Job) -> Iterator[Made]:
    """``COMPONENT/ID-front.png`` and ``-back.png``, or one ``back.png``, and which is which in ``list.csv``."""
    shop = shop_of(job)
    if job.problems.errors:
        return
    lines: list[Line] = []
    for part in job.kit.parts:
        flat = all(thing.piece.front.net is None for thing in part.things)
        made = _with_bleed(job, part, shop, lines) if shop and shop.bleed and flat else _as_seen(job, part, shop, lines)
        yield from made
    yield listing(job, lines)


def pictured() -> list[str]:
    """The shops that take pictures, not pages."""
    return [shop.name for shop in shops().values() if shop.files != "pdf"]


def shop_of(job: Job) -> Shop | None:
    """The shop that was asked for; one that nobody knows, or that wants pages, is a Problem."""
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
    """Cut to their outlines, folded pieces as they stand."""
    entries = entries_of(part)
    kind = shop.files if shop else "png"
    scale = job.choices.width / part.width if job.choices.width else DPI / 25.4
    # All of one width and height: tables want them alike.
    size = max(1, round(part.width * scale)), max(1, round(part.height * scale))
    dpi = scale * 25.4
    for entry, image in zip(entries, job.darkroom.looks([(entry.look, size) for entry in entries]), strict=True):
        name = f"{part.name}/{'-'.join(filter(None, (entry.id, entry.side.replace(' ', '-'))))}.{kind}"
        lines.append(Line(part.name, entry.id, entry.copies, entry.side, name, size))
        yield Made(name, saved(image, kind, dpi), f'"{part.name}"', part.component.place)


def _with_bleed(job: Job, part: Part, shop: Shop, lines: list[Line]) -> Iterator[Made]:
    """At their true size, with as much bleed as the shop asks for."""
    around = dots(shop.bleed)
    wanted = [*sides_of(part)]
    size = dots(part.width) + 2 * around, dots(part.height) + 2 * around
    tell_bleed(job, part, shop.bleed, shop.title)
    images = in_dots(job.darkroom, [(face, side, size, False) for _, face, side in wanted])
    for (thing, _, side), image in zip(wanted, images, strict=True):
        name = f"{part.name}/{thing.id + '-' if thing else ''}{side}.{shop.files}"
        lines.append(Line(part.name, thing.id if thing else "", copies_of(part, thing), side, name, size))
        yield Made(name, saved(image, shop.files), f'"{part.name}"', part.component.place)


def sides_of(part: Part) -> Iterator[tuple[Thing | None, Face, Side]]:
    """The printed faces: each front, and each back, or once the one that all have (of no thing alone)."""
    for thing in part.things:
        yield thing, thing.piece.front, "front"
        if thing.piece.back and part.back is None:
            yield thing, thing.piece.back, "back"
    if part.back is not None and (back := part.things[0].piece.back):
        yield None, back, "back"


def copies_of(part: Part, thing: Thing | None) -> int:
    return thing.copies if thing else sum(each.copies for each in part.things)


def tell_bleed(job: Job, part: Part, bleed: float, whose: str) -> None:
    """Faces drawn with less bleed than they need: their outermost dots are repeated, which may be seen."""
    drawn = part.component.bleed
    if bleed - drawn > UNSEEN:
        job.problems.warn(
            "bleed-continued",
            part.component.place,
            f"{whose} needs {bleed:.3g} mm beyond the cut, and {part.name} is drawn {drawn:.3g} mm beyond it: "
            "the outermost dots are repeated",
            value=f"{drawn:g} mm",
            hint=f'bleed = "{bleed:.3g}mm" in its section, and art that reaches as far.',
        )


TARGET = Target(
    "a picture of every face",
    "Each picture is named by component and id; list.csv says what it is, and how many copies there are. With --shop they "
    f"have the bleed and the dots that a shop asks for: {listed(pictured())}.",
    frozenset(FORMS.values()),
    make,
    frozenset({"width", "shop"}),
)
