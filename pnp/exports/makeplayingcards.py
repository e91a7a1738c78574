"""Exports cards with bleed, and an order for mpc-autofill, which fills in MakePlayingCards' form and its sister sites'."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from pnp.dataclass import dataclass
from pnp.exports.choices import Choices, Stock
from pnp.exports.faces import small_enough, tell_bleed
from pnp.exports.kit import Form, Part, Thing
from pnp.exports.shops import all_saved, dots, in_dots, saved, shops
from pnp.exports.target import Job, Target
from pnp.flows.build import Made
from pnp.shapes.units import show
from pnp.values.faces import Face
from pnp.values.game import Side

if TYPE_CHECKING:
    from lxml.etree import _Element

# They print no more cards of one order.
MOST = 612
USUAL: Stock = "S30"
# As the reader of orders spells them (mpc-autofill, constants.py); it refuses foil on plastic (order.py).
STOCKS: Mapping[Stock, str] = {
    "S27": "(S27) Smooth",
    "S30": "(S30) Standard Smooth",
    "S33": "(S33) Superior Smooth",
    "M31": "(M31) Linen",
    "P10": "(P10) Plastic",
}
PLASTIC: Stock = "P10"


@dataclass(frozen=True, slots=True)
class Slot:
    """A card of an order: the files of its two sides."""

    name: str
    front: str
    back: str


def make(job: Job) -> Iterator[Made]:
    """Makes ``faces/COMPONENT/…`` and an ``order-WIDTHxHEIGHT.xml`` per card size, numbered where one size needs
    several.
    """
    sizes: dict[tuple[float, float], list[Part]] = {}
    for part in job.kit.parts:
        if part.form == "card" and small_enough(job, part, shops()["makeplayingcards"]):
            sizes.setdefault((min(part.width, part.height), max(part.width, part.height)), []).append(part)
    if not sizes:
        place = job.kit.game.place_of("game")
        job.problems.error("no-product", place, "this game has no cards that they could print", hint=INSTEAD["tile"])
    if job.choices.foil and job.choices.stock == PLASTIC:
        job.problems.error(
            "no-product",
            job.kit.game.place_of("game"),
            "they print no foil on plastic",
            value=f"--stock {PLASTIC} --foil",
            hint="Leave one of the two out.",
        )
    if job.problems.errors:
        return
    for (width, height), parts in sizes.items():
        slots: list[Slot] = []
        blank = f"faces/blank-{show(width)}x{show(height)}.png"
        for part in parts:
            _tell_bare(job, part)
            yield from _faces(job, part, blank)
            for thing in part.things:
                slots += [_slot(part, thing, blank)] * thing.copies
        name, what = f"order-{show(width)}x{show(height)}", f"the order of {show(width)} × {show(height)} mm"
        for start in range(0, len(slots), MOST):
            number = f"-{start // MOST + 1}" if len(slots) > MOST else ""
            order = _order(job.kit.game.name, slots[start : start + MOST], job.choices)
            yield Made(f"{name}{number}.xml", order, what, parts[0].component.place)
        if any(slot.back == blank for slot in slots):
            yield Made(blank, _blank(width, height), "the back of cards without one", job.kit.game.place_of("game"))


def _tell_bare(job: Job, part: Part) -> None:
    if part.deck.component.back is None:
        job.problems.warn(
            "no-back",
            part.component.place,
            f"{part.name} has no back: its cards are ordered with a white one",
            value=part.name,
            hint="Give it a back, or leave it so.",
        )


def _faces(job: Job, part: Part, blank: str) -> Iterator[Made]:
    shop = shops()["makeplayingcards"]
    tell_bleed(job, part, shop.bleed, shop.title)
    around, turned = 2 * dots(shop.bleed), part.width > part.height
    width, height = sorted((dots(part.width), dots(part.height)))
    wanted: dict[str, tuple[Face, Side]] = {}
    for thing in part.things:
        slot = _slot(part, thing, blank)
        wanted[slot.front] = thing.piece.front, "front"
        if thing.piece.back:
            wanted[slot.back] = thing.piece.back, "back"
    images = in_dots(
        job.rasterizer, [(face, side, (width + around, height + around), turned) for face, side in wanted.values()]
    )
    for name, picture in zip(wanted, all_saved(images, "png"), strict=True):
        yield Made(name, picture, f'"{part.name}"', part.component.place)


def _slot(part: Part, thing: Thing, blank: str) -> Slot:
    folder = f"faces/{part.name}"
    back = f"{folder}/back.png" if part.back else f"{folder}/{thing.id}-back.png" if thing.back else blank
    return Slot(thing.title, f"{folder}/{thing.id}-front.png", back)


def _order(game: str, slots: Sequence[Slot], choices: Choices) -> bytes:
    """The order as XML. A file may fill many slots; cards that name no back get the commonest."""
    from lxml import etree

    common = Counter(slot.back for slot in slots).most_common(1)[0][0]
    order = etree.Element("order")
    order.append(etree.Comment(f" pnp: {game} "))
    details = etree.SubElement(order, "details")
    stock, foil = STOCKS[choices.stock or USUAL], "true" if choices.foil else "false"
    for tag, text in (("quantity", str(len(slots))), ("stock", stock), ("foil", foil)):
        etree.SubElement(details, tag).text = text
    fronts = [(slot.front, slot.name) for slot in slots]
    _cards(etree.SubElement(order, "fronts"), fronts)
    backs = [None if slot.back == common else (slot.back, slot.name) for slot in slots]
    if any(backs):
        _cards(etree.SubElement(order, "backs"), backs)
    etree.SubElement(order, "cardback").text = common
    etree.indent(order, " ")
    return etree.tostring(order, encoding="utf-8", xml_declaration=True) + b"\n"


def _cards(parent: _Element, files: Sequence[tuple[str, str] | None]) -> None:
    from lxml import etree

    places: dict[str, list[int]] = {}
    for at, file in enumerate(files):
        if file:
            places.setdefault(file[0], []).append(at)
    names = {file[0]: file[1] for file in files if file}
    for file_name, slots in places.items():
        card = etree.SubElement(parent, "card")
        parts = {
            "id": file_name,
            "sourceType": "Local File",
            "slots": ",".join(map(str, slots)),
            "name": file_name.rpartition("/")[2],
            "query": names[file_name],
        }
        for tag, text in parts.items():
            etree.SubElement(card, tag).text = text


def _blank(width: float, height: float) -> bytes:
    from PIL import Image

    around = 2 * dots(shops()["makeplayingcards"].bleed)
    return saved(Image.new("RGB", (dots(width) + around, dots(height) + around), "white"), "png")


_ELSEWHERE = "order it at a shop that makes such pieces (pnp export gamecrafter), or print and cut it at home."
INSTEAD: Mapping[Form, str] = {
    "tile": f"It is no card: {_ELSEWHERE}",
    "board": f"It is no card: {_ELSEWHERE}",
    "token": f"It is no card: {_ELSEWHERE}",
    "figure": "Print and fold it at home, or use wooden figures.",
    "die": "Print and fold it at home, or use dice of your own with a table of what they show.",
    "screen": "Print and fold it at home.",
    "container": "Order a stock box of theirs, or print and fold it at home.",
    "dial": "Print and pin it at home.",
}

TARGET = Target(
    "cards for MakePlayingCards and PrinterStudio",
    "Put the program mpc-autofill into this folder, start it here, and choose the order file, of several one at a time: it "
    "fills in an order of cards of 63 × 88 mm. Cards of another size you upload by hand from faces/, on the page of the "
    "product of that size: look first whether they make it.",
    frozenset({"card"}),
    make,
    frozenset({"stock", "foil"}),
    INSTEAD,
)
