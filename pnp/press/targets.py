"""Exports PDFs in inks (``press``, ``drivethrucards``), and verifies them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pnp.exports.choices import Order
from pnp.exports.choices import Standard as Short
from pnp.exports.compare import page_differences
from pnp.exports.export import exported_again
from pnp.exports.faces import small_enough, tell_bleed
from pnp.exports.kit import FORMS, Form, Part, Thing
from pnp.exports.shops import Shop, shops
from pnp.exports.target import Job, Line, Target, listing
from pnp.flows.build import Made
from pnp.flows.verify import Converted, verify_sheets
from pnp.lay.picture import PLAN
from pnp.press.convert import to_cmyk
from pnp.press.preflight import is_for_press, made_for, preflight
from pnp.press.separate import Boxes, Condition, Standard, condition_of
from pnp.read.project import Project
from pnp.shapes.affine import Rect, scaling, translation
from pnp.system.cache import Cache
from pnp.values.faces import Face, Item, Page, PlacedFace, Stroke
from pnp.values.game import Paper, Side
from pnp.values.outcome import Result
from pnp.values.problems import Fault, Place, Problem, closest, listed
from pnp.write.printed import NotPrinted

STANDARDS: Mapping[Short, Standard] = {"x4": "PDF/X-4", "x1a": "PDF/X-1a"}
# What a shop that nobody names takes.
USUAL = Shop("", "the press", "pdf", 3.0, 3.0, "")
# What was changed in so many faces is told; of more, how many.
MOST_NOTES = 4
# Lines that a machine cuts and creases along, in colours that it knows by their names; not printed.
CUT, CREASE, HAIRLINE = "CutContour", "Crease", 0.09


def make(job: Job) -> Iterator[Made]:
    """Makes ``COMPONENT.pdf`` with a page for each side of each copy, and ``list.csv``."""
    shop = _shop(job)
    condition = _condition(job, shop) if shop else None
    if shop is None or condition is None:
        return
    parts = [part for part in job.kit.parts if part.form in TARGETS_TAKE[job.choices.target]]
    parts = [part for part in parts if small_enough(job, part, shop)]
    if not parts:
        place = job.kit.game.place_of("game")
        job.problems.error("no-product", place, f"nothing of this game is something that {shop.title} prints")
        return
    if job.choices.imposed:
        for paper, pdf in job.rasterizer.imposed():
            yield from _in_inks(job, f"sheets-{paper}", pdf, Boxes(), shop, condition, job.kit.game.place_of("game"))
        return
    lines: list[Line] = []
    for part in parts:
        yield from _part(job, part, shop, condition, lines)
    yield listing(job, lines)


def _shop(job: Job) -> Shop | None:
    """The shop's presets, changed by the options given."""
    choices = job.choices
    name = "drivethrucards" if choices.target == "drivethrucards" else choices.shop
    known = [shop.name for shop in shops().values() if shop.files == "pdf"]
    if name and name not in known:
        pictures = shops().get(name)
        job.problems.error(
            "no-shop",
            job.kit.game.place_of("game"),
            f"{pictures.title} wants pictures, not pages" if pictures else f'no shop is known as "{name}"',
            value=name,
            allowed=listed(known),
            hint=f"pnp export faces --shop {name}" if pictures else closest(name, known) or "Choose one of these.",
        )
        return None
    shop = shops()[name] if name else USUAL
    return replace(
        shop,
        bleed=shop.bleed if choices.bleed is None else choices.bleed,
        order=choices.order or shop.order,
        standard=choices.standard or shop.standard,
    )


def _condition(job: Job, shop: Shop) -> Condition | None:
    try:
        return condition_of(job.choices.profile, shop.ink)
    except Fault as error:
        job.problems.error(
            "no-profile", job.kit.game.place_of("game"), error.message, value=str(job.choices.profile or ""), hint=error.hint
        )
        return None


def _part(job: Job, part: Part, shop: Shop, condition: Condition, lines: list[Line]) -> Iterator[Made]:
    tell_bleed(job, part, shop.bleed, shop.title, "a copy of each face below it, stretched, fills the rest")
    pages: list[Page] = []
    for thing in part.things:
        if not thing.copies:
            continue
        both = _sides(thing, shop.order)
        name = f"{part.name}.pdf"
        first = len(pages) + 1
        made = [_page(thing, face, side, shop.bleed) for face, side in both]
        pages += made * thing.copies
        for at, (_, side) in enumerate(both):
            size = thing.piece.front.width, thing.piece.front.height
            lines.append(Line(part.name, thing.id, thing.copies, side, name, size, f"mm, from page {first + at}"))
    if not pages:
        return
    plain, boxes = job.rasterizer.pdf(pages, part.title), Boxes(shop.bleed, shop.bleed)
    yield from _in_inks(job, part.name, plain, boxes, shop, condition, part.component.place)


def _in_inks(
    job: Job, name: str, plain: bytes, boxes: Boxes, shop: Shop, condition: Condition, place: Place
) -> Iterator[Made]:
    """Converts a PDF; changes are reported as notes, failures as Problems."""
    from pnp.press.convert import to_cmyk

    try:
        made = to_cmyk(plain, condition, boxes, STANDARDS[shop.standard or "x4"])
    except Fault as error:
        job.problems.error("no-profile", place, error.message, hint="Name the profile of the press: --profile.")
        return
    if made.notes:
        job.problems.warn("changed-for-press", place, f"{name}: {listed(made.notes, MOST_NOTES)}", value=name)
    for left in made.left:
        hint = "Draw it otherwise, or send pictures: pnp export faces."
        job.problems.error("not-in-inks", place, f"{name}: {left}", value=name, hint=hint)
    yield Made(f"{name}.pdf", made.pdf, f'"{name}"', place)


def _sides(thing: Thing, order: Order) -> Sequence[tuple[Face, Side]]:
    """The sides of a piece in the shop's order; only the front where it has no back."""
    front: tuple[Face, Side] = (thing.piece.front, "front")
    if thing.piece.back is None:
        return [front]
    both: list[tuple[Face, Side]] = [front, (thing.piece.back, "back")]
    return both[::-1] if order == "back-front" else both


def _page(thing: Thing, face: Face, side: Side, bleed: float) -> Page:
    """A page with one face and the shop's bleed.

    Where less bleed is drawn, the face also lies beneath itself, stretched to the page, so that its edge continues.
    """
    front = thing.piece.front
    paper = Paper("face", front.width + 2 * bleed, front.height + 2 * bleed)
    items: list[Item] = []
    inner = Rect(0, 0, face.width, face.height).grown(*4 * [min(bleed, face.bleed)])
    if face.bleed < bleed:
        stretched = scaling(paper.width / inner.width, paper.height / inner.height) @ translation(-inner.x, -inner.y)
        items.append(PlacedFace(face, PLAN, side, stretched, inner))
    items.append(PlacedFace(face, thing.piece.name, side, translation(bleed, bleed), inner))
    if side == "front":
        items += _lines(front, bleed)
    return Page(paper, tuple(items), side)


def _lines(face: Face, bleed: float) -> Iterator[Stroke]:
    """Cut lines of a piece that is no rectangle, and fold lines."""
    net = face.net
    outline = face.outline or (net.outline if net else None)
    rings = [outline, *(net.holes if net else ())]
    for ring in rings:
        if ring:
            yield Stroke(tuple((x + bleed, y + bleed) for x, y in ring), width=HAIRLINE, spot=CUT)
    for crease in net.creases if net else ():
        ends = tuple((x + bleed, y + bleed) for x, y in (crease.start, crease.end))
        yield Stroke(ends, width=HAIRLINE, closed=False, spot=CREASE)


_ELSEWHERE = "They print cards only: order it at another shop (pnp export press), or print and cut it at home."
CARDS_ONLY: Mapping[Form, str] = dict.fromkeys(FORMS.values(), _ELSEWHERE)
TARGETS_TAKE: Mapping[str, frozenset[Form]] = {"press": frozenset(FORMS.values()), "drivethrucards": frozenset({"card"})}
HOW = (
    "A page for each side of each copy, with its cut (TrimBox) and bleed (BleedBox) as boxes of the page, without marks. "
    "Fronts that are no rectangles have the line to cut along in the spot colour CutContour, folds theirs in Crease; "
    "neither is printed. With --imposed there are the sheets of the game instead, as they are printed at home."
)

PRESS = Target(
    "pages for a press, PDF/X in four inks",
    HOW,
    TARGETS_TAKE["press"],
    make,
    frozenset({"shop", "order", "bleed", "profile", "standard", "imposed"}),
)
DRIVETHRUCARDS = Target(
    "cards for DriveThruCards, PDF/X-1a with the back before each front",
    "One PDF for each deck. Ask for a proof: they transform what they get once more.",
    TARGETS_TAKE["drivethrucards"],
    make,
    frozenset({"bleed", "profile", "standard"}),
    CARDS_ONLY,
)


def verify_press(project: Project, path: Path, data: bytes, name: str | None, cache: Cache | None) -> Result | None:
    """Compares a file in inks with the game as it is now; None for a file that is not for a press.

    Raises NoSuchGame, NotPrinted.
    """
    try:
        if not data.startswith(b"%PDF") or not is_for_press(data):
            return None
    except NotPrinted:
        return None  # a file that cannot be opened is told by whoever reads sheets
    place = Place(project.shown(path) if path.is_relative_to(project.root) else path.name)
    found = [
        Problem(each.rule, place, each.message, each.value, each.allowed, each.hint, each.severity)
        for each in preflight(data)
    ]

    def compared() -> Sequence[Problem] | None:
        try:
            again = exported_again(project, path, name, cache)
        except NotPrinted:
            return None
        made = again[1].get(path.relative_to(again[2]).as_posix()) if again else None
        return None if made is None else [*page_differences(path.name, data, made, place)]

    converted = Converted(lambda made: in_the_same_inks(made, data), found, compared)
    return verify_sheets(project, path, data, name, cache, converted)


def in_the_same_inks(made: bytes, given: bytes) -> bytes:
    """Converts a PDF to the inks of another file, flattened if that one is."""
    wanted = made_for(given)
    try:
        return made if wanted is None else to_cmyk(made, wanted[0], standard=wanted[1]).pdf
    except Fault:
        # The profile in the file is none of a press, which is told.
        return made
