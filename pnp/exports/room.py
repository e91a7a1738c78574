"""Lays out a game on a virtual table: pieces in piles, layouts and boards, seats and hands, in units of the screen."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from textwrap import wrap
from types import MappingProxyType

from pnp.dataclass import dataclass
from pnp.exports.kit import Kit, Laying, Lying, Part, SetUp, Taken, Thing, kit_of, squares_of
from pnp.exports.tables import on_the_table, together
from pnp.flows.pipeline import Pipeline
from pnp.values.problems import Fault

# More backs than these are no piles that anybody could find: the pieces lie in one.
MOST_BACKS = 12


@dataclass(frozen=True, slots=True)
class Heap:
    """Pieces of a part that lie in one pile."""

    part: Part
    name: str
    """The same for the same pieces in every room."""
    title: str
    things: tuple[tuple[Thing, int], ...]
    """Each with its number of copies."""
    deals: tuple[Taken, ...] = ()
    """What players get of it."""
    pool: bool = False
    """What lies on the table is drawn from it."""
    others: tuple[Heap, ...] = ()
    """Pieces of other components in the same pile."""

    @property
    def heaps(self) -> tuple[Heap, ...]:
        """The things in the pile, by component."""
        return self, *self.others

    @property
    def number(self) -> int:
        return sum(copies for heap in self.heaps for _, copies in heap.things)

    @property
    def down(self) -> bool:
        """Whether it lies face down: one common back, several fronts."""
        things = [thing for heap in self.heaps for thing, _ in heap.things]
        backs = {thing.back.key if thing.back else "" for thing in things}
        return len(backs) == 1 and "" not in backs and len(things) > 1

    @property
    def buttons(self) -> tuple[str, ...]:
        """Its buttons: "shuffle", "deal"."""
        if self.pool:
            return ("shuffle",)
        mixed = sum(len(heap.things) for heap in self.heaps) > 1
        return (*(("shuffle",) if mixed else ()), *(("deal",) if self.deals else ()))


def boards_of(kit: Kit, setup: SetUp | None = None) -> list[str]:
    """The boards players choose between: "" for the usual ones, and each alternative; only those that a set-up takes."""
    names = {part.name for part in kit.parts}
    others = [part for part in kit.parts if part.form == "board" and part.component.instead in names]
    said: dict[str, str | None] = {
        "": others[0].component.instead if others else "",
        **{part.name: part.name for part in others},
    }
    takes = {taken.part for taken in setup.takes} if setup else set()
    return [board for board, name in said.items() if name in takes] or [*said]


def playing(kit: Kit, board: str = "") -> list[Part]:
    """The parts on such a table; ``board`` replaces the usual one."""
    other = kit.part(board).component.instead if board else ""
    parts = [kit.part(board) if board and part.name == other else part for part in on_the_table(kit)]
    return [part for part in parts if part.form not in ("container", "dial")]


def laid_of(kit: Kit, setup: SetUp | None) -> list[Laying]:
    """One layout for each part that the set-up lays out."""
    there = {part.name for part in playing(kit)}
    layings = {laying.part: laying for laying in reversed(kit.layings) if laying.places and laying.part in there}
    takes = {taken.part for taken in setup.takes} if setup else set()
    some = {part: laying for part, laying in layings.items() if part in takes} or layings
    return [some[part.name] for part in kit.parts if part.name in some]


def pools_of(laying: Laying) -> dict[tuple[str, ...], str]:
    """Names a draw pile for each group of pieces that may lie in the same places of a layout: piece ids → pile."""
    found = dict.fromkeys(place.things for place in laying.places if len(place.things) > 1)
    return {things: f"{laying.part}.pool{number}" for number, things in enumerate(found, 1)}


def heaps_of(
    part: Part, left: Counter[str], setup: SetUp | None, pools: Mapping[tuple[str, ...], str] = MappingProxyType({})
) -> Iterator[Heap]:
    """Sorts the pieces of a component that lie nowhere yet into piles of equal backs that the same set-up takes want."""
    takes = [taken for taken in setup.takes if taken.part == part.name] if setup else []
    backs = {thing.back.key if thing.back else "" for thing in part.things}
    told = len(backs) <= MOST_BACKS
    groups: dict[tuple[str, ...], list[Thing]] = {}
    for thing in part.things:
        back = thing.back.key if thing.back and told else ""
        alone = thing.id if part.form == "token" and not thing.back and len(part.things) <= MOST_BACKS else ""
        wanted = [str(at) for at, taken in enumerate(takes) if thing.id in taken.things]
        groups.setdefault((back, alone, *wanted), []).append(thing)
    for number, things in enumerate(groups.values(), 1):
        some = tuple((thing, left[thing.id]) for thing in things if left[thing.id])
        if not some:
            continue
        deals = dealt(part, things, takes)
        name = f"{part.name}.{number}"
        yield from _parted(Heap(part, name, _title(part, some), some, deals), takes)
    for ids, name in pools.items():
        said = _told_apart(part, {*ids})
        yield Heap(part, name, f"{part.title} ({said})" if said else part.title, (), pool=True)


def dealt(part: Part, things: Iterable[Thing], takes: Iterable[Taken]) -> tuple[Taken, ...]:
    """The things that each player gets of these things of a part."""
    ids, there = {thing.id for thing in things}, {thing.id for thing in part.things}
    return tuple(taken for taken in takes if taken.each and taken.part == part.name and ids == set(taken.things) & there)


def _title(part: Part, some: tuple[tuple[Thing, int], ...]) -> str:
    if len(part.things) == 1:
        return part.title
    if len(some) == 1:
        return f"{part.title}: {some[0][0].title}"
    said = _told_apart(part, {thing.id for thing, _ in some})
    return f"{part.title} ({said})" if said else part.title


def _told_apart(part: Part, ids: set[str]) -> str:
    """A short word that the given pieces have in a column and no others do; the back's column first."""
    for column in sorted(part.things[0].says, key=lambda column: column != "back"):
        here = {thing.says.get(column, "") for thing in part.things if thing.id in ids}
        there = {thing.says.get(column, "") for thing in part.things if thing.id not in ids}
        if len(here) == 1 and there and not here & there and re.fullmatch(r"[\w' -]{1,20}", one := next(iter(here))):
            return one
    return ""


def _parted(heap: Heap, takes: list[Taken]) -> Iterator[Heap]:
    """Splits a heap where only some copies of a thing are on the table."""
    ids = {thing.id for thing, _ in heap.things}
    taken = next((taken for taken in takes if taken.each is None and ids == set(taken.things)), None)
    if taken is None or len(ids) != 1 or taken.number >= heap.number:
        yield heap
        return
    thing = heap.things[0][0]
    part = heap.part
    what = taken.what[:1].upper() + taken.what[1:]
    yield Heap(part, f"{heap.name}.taken", what, ((thing, taken.number),))
    yield Heap(part, f"{heap.name}.rest", f"{heap.title}: the rest", ((thing, heap.number - taken.number),))


# Seats of a game without a set-up.
SEATS_FOR_ALL = 4
WIDTH, HEIGHT = 1600, 1000
# The hand of whoever looks is the lower edge from here to there, as high as the tallest card needs; above it are the seats.
HAND_X, HAND_WIDTH, HANDS = 50, 1500, (180.0, 260.0)
GAP = 10.0
# Units to the mm: no more than needed to read a piece, and, where no card is higher than the hand, as it has room for.
LARGEST, USUAL, SMALLEST, STEP = 3.2, 103 / 63, 0.15, 0.97
# How far cards lie below the upper edge of the hand. No two things are farther apart than so many times as near as may be.
IN_HAND, WIDEST = 14.0, 2.0
# Of a frame around the cards of a pile, and how large the frame is from which a layout is drawn.
RIM, POOL = 4.0, (60.0, 8.0)
# A sheet larger than this, in mm, which no set-up takes, is a cover of a box: it is shown so large, in units. So are
# screens, behind which nobody has to hide anything here.
SHEET, COVER, SCREEN = 150.0, 120.0, 320.0


@dataclass(frozen=True, slots=True)
class Style:
    """Sizes of labels, frames and buttons around the pieces, in units of the room."""

    letter: float
    """How wide a letter of a label is on average."""
    line: float
    lines: int
    """So many has a label at most."""
    label: float
    """How high a label is at least."""
    button: float
    """How high one below a pile is."""
    narrowest: float
    """How wide a pile is at least."""
    narrowest_mixed: float
    """How wide it is with a button to shuffle."""
    row: float
    """What is between the things on the table and the hand: the seats, and a button to set up."""
    buttons: tuple[str, ...] = ("shuffle", "deal")
    """Those that a pile has here."""
    rim: float = RIM
    """How far a pile's frame reaches above and below its cards."""
    aside: float = 0.0
    """How many times as wide as the frame a label reaches beyond it on either side."""


HERE = Style(letter=6.8, line=15, lines=3, label=17, button=24, narrowest=92, narrowest_mixed=110, row=44)


# Elsewhere what is done with a pile is done with whatever is selected, and the window is smaller.
ELSEWHERE = Style(letter=11, line=22, lines=2, label=24, button=0, narrowest=70, narrowest_mixed=70, row=10, buttons=())


class Crowded(Exception):
    """Raised when not everything fits at a scale at which pieces can be recognised."""


@dataclass(frozen=True, slots=True)
class Single:
    """A piece by itself; x and y are its top-left corner before it is turned about its centre."""

    part: Part
    thing: Thing
    number: int
    """Which of its copies this is, from 1."""
    x: float
    y: float
    width: float
    height: float
    turn: float = 0.0
    down: bool = False
    pool: str = ""
    """The name of the pile with which it may change places."""


@dataclass(frozen=True, slots=True)
class Pile:
    """A pile in a frame; x and y are the frame's corner."""

    heap: Heap
    x: float
    y: float
    width: float
    height: float
    card: tuple[float, float]
    buttons: tuple[str, ...]
    label: float
    """Height of the label above the frame, in units of the screen."""
    rim: float

    @property
    def frame(self) -> tuple[float, float]:
        """Width and height of the frame."""
        return self.width, self.card[1] + 2 * self.rim


@dataclass(frozen=True, slots=True)
class Room:
    """Everything on the table."""

    scale: float
    """Units to the mm."""
    seats: int
    singles: tuple[Single, ...]
    piles: tuple[Pile, ...]
    hand: tuple[float, float, float, float]
    """Corner, width and height."""


@dataclass(frozen=True, slots=True)
class _Block:
    """Things that stay together; places count from its corner."""

    width: float
    height: float
    singles: tuple[Single, ...] = ()
    pile: Pile | None = None


def room_of(kit: Kit, setup: SetUp | None, seats: int, board: str = "", style: Style = HERE) -> Room:
    """Arranges all pieces on the screen of a virtual table, as large as fits. Raises Crowded.

    ``board`` is there instead of the usual one.
    """
    layings, parts = laid_of(kit, setup), playing(kit, board)
    tallest = max((part.height for part in parts if part.form == "card" and not is_cover(kit, part)), default=1.0)
    # Where nothing lies ready, what players lay out needs the table's middle.
    bare = not layings and not any(part.form == "board" for part in parts)
    scale = USUAL if bare else max(USUAL, min(LARGEST, (HANDS[1] - IN_HAND) / tallest))
    while scale >= SMALLEST:
        blocks = [*_blocks(kit, parts, setup, layings, scale, style)]
        high = near(min(HANDS[1], max(HANDS[0], tallest * scale + IN_HAND)))
        if (places := _packed(blocks, HEIGHT - high - style.row, 1.0 if bare else WIDEST)) is not None:
            return _room(scale, seats, blocks, places, (HAND_X, HEIGHT - high, HAND_WIDTH, high))
        scale *= STEP
    raise Crowded


def rooms(made: Pipeline) -> Iterator[tuple[str, Room]]:
    """The table for each number of players and each board, by name. Raises Fault."""
    kit = kit_of(made)
    for setup, board in variants_of(kit):
        try:
            room = room_of(kit, setup, setup.players if setup else SEATS_FOR_ALL, board, ELSEWHERE)
        except Crowded:
            raise Fault("All pieces together have no room on the table, however small they are.") from None
        yield variant_name(setup, board_title(kit, setup, board)) or f"{SEATS_FOR_ALL} players", room


def variants_of(kit: Kit) -> Iterator[tuple[SetUp | None, str]]:
    """The set-up for each number of players, with each board between which players choose, then those of variants."""
    for setup in (*kit.setups, *_varied(kit)) or (None,):
        for board in boards_of(kit, setup):
            yield setup, board


def _varied(kit: Kit) -> Iterator[SetUp]:
    """The set-ups of variants that lay out something else."""
    laid = {laying.part for laying in kit.layings}
    for laying in kit.layings:
        part = kit.part(laying.part)
        ids = tuple(thing.id for thing in part.things)
        number = sum(thing.copies for thing in part.things)
        for setup in kit.setups:
            if setup.players in laying.players:
                kept = tuple(taken for taken in setup.takes if taken.part not in laid)
                taken = Taken(part.title[:1].lower() + part.title[1:], part.name, ids, number, None)
                yield SetUp(setup.players, (*kept, taken), laying.title)


def _room(
    scale: float,
    seats: int,
    blocks: Sequence[_Block],
    places: Sequence[tuple[float, float]],
    hand: tuple[float, float, float, float],
) -> Room:
    singles: list[Single] = []
    piles: list[Pile] = []
    for block, (x, y) in zip(blocks, places, strict=True):
        singles += [replace(one, x=near(one.x + x), y=near(one.y + y)) for one in block.singles]
        if block.pile:
            piles.append(replace(block.pile, x=near(x + block.pile.x), y=near(y + block.pile.label)))
    return Room(scale, seats, tuple(singles), tuple(piles), hand)


def near(value: float) -> float:
    """A length rounded as in the file."""
    return round(value, 2)


def _packed(blocks: Sequence[_Block], foot: float, apart: float = WIDEST) -> list[tuple[float, float]] | None:
    """Corners of blocks in rows, the highest first, down to the table's foot; None if they do not fit.

    ``apart``: how many times as far apart as may be the rows lie at most.
    """
    order = sorted(range(len(blocks)), key=lambda at: (-blocks[at].height, at))
    free = [(GAP, GAP, WIDTH - GAP, foot - GAP)]
    places: dict[int, tuple[float, float]] = {}
    for at in order:
        width, height = blocks[at].width, blocks[at].height
        fits = [(y, x, number) for number, (x, y, right, low) in enumerate(free) if right - x >= width and low - y >= height]
        if not fits:
            return None
        _, _, number = min(fits)
        x, y, right, low = free.pop(number)
        places[at] = (x, y)
        # Beside it, as high as it is; below it, as wide as the whole: no two free areas ever overlap.
        free.append((x + width + GAP, y, right, y + height))
        free.append((x, y + height + GAP, right, low))
    across = min((_reach(WIDTH, x, blocks[at].width) for at, (x, _) in places.items()), default=1.0)
    along = min((_reach(foot, y, blocks[at].height) for at, (_, y) in places.items()), default=1.0)
    along = min(along, apart)
    return [(GAP + (x - GAP) * across, GAP + (y - GAP) * along) for _, (x, y) in sorted(places.items())]


def _reach(room: float, at: float, long: float) -> float:
    """How many times farther from the corner something may lie."""
    return max(1.0, min(WIDEST, (room - 2 * GAP - long) / (at - GAP))) if at > GAP else WIDEST


def _blocks(
    kit: Kit, parts: Sequence[Part], setup: SetUp | None, layings: Sequence[Laying], scale: float, style: Style
) -> Iterator[_Block]:
    laid = {laying.part: laying for laying in layings}
    on = {part.name: on_board(part, parts, setup) for part in parts}
    piles: dict[tuple[str, ...], list[Heap]] = {}
    for part in parts:
        left = Counter({thing.id: thing.copies for thing in part.things})
        if part.name in laid:
            yield _laying_block(part, laid[part.name], left, scale)
        left -= Counter(id_ for _, id_, _ in on[part.name])
        if part.form in ("board", "screen", "die", "figure"):
            lying = [(other, id_, at) for other in parts for board, id_, at in on[other.name] if board is part]
            yield from _alone(kit, part, left, scale, lying)
            continue
        pools = pools_of(laid[part.name]) if part.name in laid else {}
        pools |= {(id_,): pool_on(part, id_) for _, id_, _ in on[part.name]}
        for heap in heaps_of(part, left, setup, pools):
            if (pile := kit.pile_of(part)) and not heap.pool and not heap.deals:
                piles.setdefault(pile, []).append(heap)
            else:
                # Nothing stays where a layout is drawn from: it lies in its places at once.
                yield _pile_block(heap, POOL if heap.pool else _size(kit, part, scale), style)
    for heaps in piles.values():
        title = together(heap.title for heap in heaps)
        yield _pile_block(replace(heaps[0], title=title, others=(*heaps[1:],)), _size(kit, heaps[0].part, scale), style)


def pool_on(part: Part, id_: str) -> str:
    """The name of the pile of what lies on the squares of a board."""
    return f"{part.name}.pool-{id_}"


def on_board(part: Part, parts: Sequence[Part], setup: SetUp | None) -> list[tuple[Part, str, tuple[float, float]]]:
    """The pieces of a part that a set-up lays on squares of one of these boards: the board, the piece, its middle in mm."""
    found = []
    for taken in setup.takes if setup else ():
        if taken.part != part.name or not taken.on:
            continue
        there = [(board, at) for board in parts for at in squares_of(board, taken.on)]
        ids = [thing.id for thing in part.things if thing.id in taken.things for _ in range(thing.copies)]
        number = min(taken.number, len(ids))
        found += [(board, id_, at) for (board, at), id_ in zip(there, ids[:number], strict=False)]
    return found


def is_cover(kit: Kit, part: Part) -> bool:
    """Whether a part is one large sheet that is not played with, such as a box wrap."""
    taken = {take.part for setup in kit.setups for take in setup.takes}
    single = len(part.things) == 1 and part.things[0].copies == 1 and part.things[0].back is None
    large = part.form in ("card", "screen") and max(part.width, part.height) > SHEET
    return bool(taken) and part.name not in taken and single and large


_On = tuple[Part, str, tuple[float, float]]
"""A piece on a board: its part, its id, and where its middle is in mm."""


def _alone(kit: Kit, part: Part, left: Counter[str], scale: float, lying: Sequence[_On]) -> Iterator[_Block]:
    """Pieces that stand by themselves: each board with what lies on it, and other pieces side by side."""
    width, height = _size(kit, part, scale)
    ones = [(thing, number + 1) for thing in part.things for number in range(left[thing.id])]
    if part.form in ("board", "screen"):
        for thing, number in ones:
            yield _Block(width, height, (Single(part, thing, number, 0, 0, width, height), *_lying(lying, scale)))
        return
    gap = 2.0
    columns = max(1, min(len(ones), math.ceil(math.sqrt(len(ones) * height / width))))
    rows = -(-len(ones) // columns)
    singles = [
        Single(part, thing, number, at % columns * (width + gap), at // columns * (height + gap), width, height)
        for at, (thing, number) in enumerate(ones)
    ]
    if singles:
        yield _Block(columns * (width + gap) - gap, rows * (height + gap) - gap, tuple(singles))


def _lying(lying: Sequence[_On], scale: float) -> Iterator[Single]:
    found: Counter[tuple[str, str]] = Counter()
    for part, id_, (x, y) in lying:
        found[part.name, id_] += 1
        thing = next(thing for thing in part.things if thing.id == id_)
        width, height = near(part.width * scale), near(part.height * scale)
        at = x * scale - width / 2, y * scale - height / 2
        yield Single(part, thing, found[part.name, id_], *at, width, height, pool=pool_on(part, id_))


def _size(kit: Kit, part: Part, scale: float) -> tuple[float, float]:
    if is_cover(kit, part):
        scale = min(scale, COVER / max(part.width, part.height))
    elif part.form == "screen":
        scale = min(scale, SCREEN / max(part.width, part.height))
    if part.form == "die":
        side = max(max(look.width, look.height) for thing in part.things for look in thing.sides) * scale
        return near(side), near(side)
    return near(part.width * scale), near(part.height * scale)


def _laying_block(part: Part, laying: Laying, left: Counter[str], scale: float) -> _Block:
    """The pieces of a layout in place; removes them from ``left``."""
    width, height = near(part.width * scale), near(part.height * scale)
    # Dominoes are laid on at any side: there is room for one all around.
    free = min(part.width, part.height) if part.component.kind == "domino" else 0.0
    boxes = [_box(place, part) for place in laying.places]
    across, up = min(box[0] for box in boxes) - free, min(box[1] for box in boxes) - free
    right, low = max(box[2] for box in boxes) + free, max(box[3] for box in boxes) + free
    things, pools = {thing.id: thing for thing in part.things}, pools_of(laying)
    singles = []
    # Where only one thing may lie, it lies there: what is drawn comes from the rest.
    sure = sorted(enumerate(laying.places), key=lambda item: (len(item[1].things) > 1, item[0]))
    for _, place in sure:
        id_ = next((id_ for id_ in place.things if left[id_] > 0), None)
        if id_ is None:
            continue
        number = things[id_].copies - left[id_] + 1
        left[id_] -= 1
        x, y = (place.x - across) * scale - width / 2, (place.y - up) * scale - height / 2
        pool = pools.get(place.things, "")
        singles.append(Single(part, things[id_], number, x, y, width, height, place.turn, place.down, pool))
    return _Block((right - across) * scale, (low - up) * scale, tuple(singles))


def turned_box(turn: float, width: float, height: float) -> tuple[float, float, float, float]:
    """The bounding box of a turned rectangle around its middle."""
    angle = math.radians(turn)
    cos, sin = abs(math.cos(angle)), abs(math.sin(angle))
    across, along = (width * cos + height * sin) / 2, (width * sin + height * cos) / 2
    return -across, -along, across, along


def _box(place: Lying, part: Part) -> tuple[float, float, float, float]:
    """The bounding box in mm of a piece in its place."""
    left, top, right, low = turned_box(place.turn, part.width, part.height)
    return place.x + left, place.y + top, place.x + right, place.y + low


def _pile_block(heap: Heap, card: tuple[float, float], style: Style) -> _Block:
    buttons = tuple(kind for kind in heap.buttons if kind in style.buttons)
    framed = max(card[0] + 2 * RIM, style.narrowest_mixed if "shuffle" in buttons else style.narrowest)
    wider = 1 + 2 * style.aside
    while len(lines := wrap(heap.title, int(framed * wider / style.letter))) > style.lines:
        framed += style.letter
    label = max(style.label, len(lines) * style.line + 2)
    whole = label + card[1] + 2 * style.rim + len(buttons) * style.button
    pile = Pile(heap, framed * style.aside, 0, framed, whole, card, buttons, label, style.rim)
    return _Block(framed * wider, whole, pile=pile)


def board_title(kit: Kit, setup: SetUp | None, board: str) -> str:
    """Title of the board that a variant uses; empty where there is nothing to choose."""
    if len(boards_of(kit, setup)) == 1:
        return ""
    return kit.part(board or kit.part(boards_of(kit)[1]).component.instead or "").title


def variant_name(setup: SetUp | None, board: str) -> str:
    players = f"{setup.players} player{'s' if setup.players != 1 else ''}" if setup else ""
    return ", ".join(filter(None, (players, setup.variant if setup else "", board)))
