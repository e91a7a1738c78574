"""Exports faces for The Game Crafter: a folder for each product, in the exact pixels that the product takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pnp.exports.faces import copies_of, sides_of, tell_bleed
from pnp.exports.kit import Form, Part
from pnp.exports.shops import MM, Product, all_saved, continued, in_dots, products, products_of, shape_of
from pnp.exports.target import Job, Line, Target, listing
from pnp.flows.build import Made
from pnp.shapes.units import show

# A piece is of a product's size where it differs by no more than this, in mm: their machines cut no better.
LIKE = 0.7


def make(job: Job) -> Iterator[Made]:
    """Makes ``COMPONENT-PRODUCT/ID-front.png``, ``-back.png`` or one ``back.png``, and ``list.csv`` for uploading."""
    chosen = {part.name: product for part in job.kit.parts if part.form in FORMS and (product := _product(job, part))}
    if job.problems.errors:
        return
    if not chosen:
        place = job.kit.game.place_of("game")
        job.problems.error("no-product", place, "nothing of this game is something that The Game Crafter makes")
        return
    lines: list[Line] = []
    for part in job.kit.parts:
        if part.name in chosen:
            yield from _part(job, part, chosen[part.name], lines)
    yield listing(job, lines)


def _product(job: Job, part: Part) -> Product | None:
    """The product of a part's size, or with --nearest the smallest that holds it; other sizes are reported."""
    shape = shape_of(part.outline, part.width, part.height)
    able = [product for product in products() if product.shape == shape]
    exact = [product for product in able if _differs(part, product) <= LIKE]
    if exact:
        # Of a card and a tile of one size that which it is.
        return min(exact, key=lambda product: (product.use != part.form, _differs(part, product)))
    larger = [product for product in able if _fits(part, product)]
    # The one most like it, a card rather a card than a tile.
    best = min(larger, key=lambda product: _differs(part, product) * (1 if product.use == part.form else 1.5), default=None)
    size = f"{show(part.width)} × {show(part.height)} mm"
    if best is None:
        job.problems.warn(
            "not-exported",
            part.component.place,
            f'The Game Crafter has no product onto which "{part.name}" fits ({size}'
            f"{'' if shape == 'rectangle' else ', ' + ('cut freely' if shape == 'free' else 'a ' + shape)})",
            value=size,
            hint="Print it at home, or order it elsewhere: pnp export press.",
        )
        return None
    what = f"{best.name} is {show(round(best.width, 2))} × {show(round(best.height, 2))} mm"
    if not job.choices.nearest:
        job.problems.error(
            "no-product",
            part.component.place,
            f'The Game Crafter has no product of the size of "{part.name}"',
            value=size,
            allowed=what,
            hint="Choose a size of theirs, or --nearest: the face lies unscaled in the middle of the next larger product.",
        )
        return None
    job.problems.warn(
        "larger-product",
        part.component.place,
        f'"{part.name}" lies in the middle of a larger product: {what}',
        value=size,
        hint="Its outermost dots are repeated around it. It will be larger than the pieces you print at home.",
    )
    return best


def _differs(part: Part, product: Product) -> float:
    """The largest difference between the sides of a part and of a product in mm, upright or turned."""
    ours, theirs = sorted((part.width, part.height)), sorted((product.width, product.height))
    return max(abs(one - other) for one, other in zip(ours, theirs, strict=True))


def _fits(part: Part, product: Product) -> bool:
    ours, theirs = sorted((part.width, part.height)), sorted((product.width, product.height))
    return all(one <= other + LIKE for one, other in zip(ours, theirs, strict=True))


def _part(job: Job, part: Part, product: Product, lines: list[Line]) -> Iterator[Made]:
    turned = (part.width > part.height) != (product.width > product.height) and part.width != part.height
    turned = turned and product.width != product.height
    wanted = [*sides_of(part)]
    beyond = max(continued(face, product.dots, turned) for _, face, _ in wanted)
    # What lies in the middle of a larger product is told already.
    if _differs(part, product) <= LIKE:
        tell_bleed(job, part, part.component.bleed + beyond, product.name)
    images = in_dots(job.rasterizer, [(face, side, product.dots, turned) for _, face, side in wanted])
    for (thing, _, side), picture in zip(wanted, all_saved(images, "png"), strict=True):
        name = f"{part.name}-{product.name}/{thing.id + '-' if thing else ''}{side}.png"
        line = Line(part.name, thing.id if thing else "", copies_of(part, thing), side, name, product.dots, product.name)
        lines.append(line)
        yield Made(name, picture, f'"{part.name}"', part.component.place)


FORMS: frozenset[Form] = frozenset({"card", "tile", "board", "token"})
INSTEAD: Mapping[Form, str] = {
    "figure": "Choose wooden or plastic figures in their shop, or print and fold it at home.",
    "die": "Choose stock dice in their shop, or upload its faces as a custom die: pnp export faces has them.",
    "screen": "Print and fold it at home, or upload it as a screen of theirs: its template has another net.",
    "container": "Choose a stock box or bag in their shop.",
    "dial": "Upload its discs as dials of theirs, or print and pin it at home.",
}

TARGET = Target(
    "faces for The Game Crafter, by product",
    "Make a game on their site, add each product of list.csv, and upload the pictures of its folder; the column copies says "
    f"how many. Pictures have {MM / 8:.3g} mm of bleed and exactly the dots that the product takes. Its sizes were taken on "
    f"{products_of()}: look at the shop's page before you order.",
    FORMS,
    make,
    frozenset({"nearest"}),
    INSTEAD,
)
