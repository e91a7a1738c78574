"""Which pieces of a game lie on which pile, and what a set-up deals from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from pnp.flows.exports.piles import on_the_table
from pnp.values.kit import Kit, Laying, Part, SetUp, Taken, Thing

# More backs than these are no piles that anybody could find: the pieces lie in one.
MOST_BACKS = 12


@dataclass(frozen=True, slots=True)
class Heap:
    """Pieces of a part that lie on each other."""

    part: Part
    name: str
    """The same for the same pieces in every room."""
    title: str
    things: tuple[tuple[Thing, int], ...]
    """Each with its number of copies."""
    deals: tuple[Taken, ...] = ()
    """What players get of it."""
    pool: bool = False
    """What lies on the table face down is drawn from it."""

    @property
    def number(self) -> int:
        return sum(copies for _, copies in self.things)

    @property
    def down(self) -> bool:
        """Face down: the pieces have a back in common, and more than one front."""
        backs = {thing.back.key if thing.back else "" for thing, _ in self.things}
        return len(backs) == 1 and "" not in backs and len(self.things) > 1

    @property
    def buttons(self) -> tuple[str, ...]:
        """What can be done with it: "shuffle", "deal"."""
        if self.pool:
            return ("shuffle",)
        mixed = len(self.things) > 1
        return (*(("shuffle",) if mixed else ()), *("deal" for _ in self.deals))


def playing(kit: Kit) -> list[Part]:
    """The parts that such a table takes and that are played with."""
    return [part for part in on_the_table(kit) if part.form not in ("container", "dial")]


def laid_of(kit: Kit, setup: SetUp | None) -> list[Laying]:
    """One layout of a part: of those parts that the set-up takes, if it takes any that are laid."""
    there = {part.name for part in playing(kit)}
    layings = {laying.part: laying for laying in reversed(kit.layings) if laying.places and laying.part in there}
    takes = {taken.part for taken in setup.takes} if setup else set()
    some = {part: laying for part, laying in layings.items() if part in takes} or layings
    return [some[part.name] for part in kit.parts if part.name in some]


def heaps_of(part: Part, left: Counter[str], setup: SetUp | None, pooled: bool) -> Iterator[Heap]:
    """The pieces that are left of a part, by their backs and by what the set-up takes of them."""
    takes = [taken for taken in setup.takes if taken.part == part.name] if setup else []
    backs = {thing.back.key if thing.back else "" for thing in part.things}
    told = len(backs) <= MOST_BACKS
    groups: dict[tuple[str, ...], list[Thing]] = {}
    for thing in part.things:
        back = thing.back.key if thing.back and told else ""
        alone = thing.id if part.form == "token" and not thing.back and len(part.things) <= MOST_BACKS else ""
        wanted = [str(at) for at, taken in enumerate(takes) if thing.id in taken.things]
        groups.setdefault((back, alone, *wanted), []).append(thing)
    ids = {thing.id for thing in part.things}
    for number, things in enumerate(groups.values(), 1):
        some = tuple((thing, left[thing.id]) for thing in things if left[thing.id])
        if not some:
            continue
        deals = tuple(taken for taken in takes if taken.each and {thing.id for thing in things} == set(taken.things) & ids)
        name = f"{part.name}.{number}"
        yield from _parted(Heap(part, name, _title(part, some), some, deals), takes)
    if pooled:
        yield Heap(part, f"{part.name}.pool", f"{part.title}: draw", (), pool=True)


def _title(part: Part, some: tuple[tuple[Thing, int], ...]) -> str:
    if len(some) == 1:
        return some[0][0].title
    said = {thing.says.get("back", "") for thing, _ in some}
    told = len(said) == 1 and "" not in said and len(some) < len(part.things)
    return f"{part.title} ({next(iter(said))})" if told else part.title


def _parted(heap: Heap, takes: list[Taken]) -> Iterator[Heap]:
    """Of a thing that the table takes some copies of: those, and the rest."""
    ids = {thing.id for thing, _ in heap.things}
    taken = next((taken for taken in takes if taken.each is None and ids == set(taken.things)), None)
    if taken is None or len(ids) != 1 or taken.number >= heap.number:
        yield heap
        return
    thing = heap.things[0][0]
    part = heap.part
    yield Heap(part, f"{heap.name}.taken", f"{thing.title}: {taken.what}", ((thing, taken.number),))
    yield Heap(part, f"{heap.name}.rest", f"{thing.title}: the rest", ((thing, heap.number - taken.number),))
