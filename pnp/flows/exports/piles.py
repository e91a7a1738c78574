"""What of a game is put together: stacks, what lies ready when a set-up begins, outlines."""

from __future__ import annotations

import math
from collections import Counter

from pnp.shapes.outline import Ring
from pnp.values.kit import Kit, Part, SetUp, Thing


def bunch_name(setup: SetUp) -> str:
    """What the pieces for so many players are called, in all exports."""
    return f"{setup.players} players"


def exactly(part: Part, setup: SetUp) -> Counter[str] | None:
    """Copies by id that a set-up takes of a part; None where it takes nothing, or some out of many."""
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
    """Copies by id that a set-up takes of a part: where it takes some out of many, all from which they are drawn."""
    copies = {thing.id: thing.copies for thing in part.things}
    found: Counter[str] = Counter()
    for taken in setup.takes:
        if taken.part == part.name:
            one = len(taken.things) == 1
            found.update({id_: taken.number if one else copies[id_] for id_ in taken.things})
    return Counter({id_: least for id_, number in found.items() if (least := min(number, copies[id_]))})


def on_the_table(kit: Kit) -> list[Part]:
    """The parts that are played with: of two forms of the same pieces only the first."""
    names = {part.name for part in kit.parts}
    return [part for part in kit.parts if part.component.instead not in names]


def there(part: Part) -> tuple[Thing, ...]:
    """The pieces of which the box has any."""
    return tuple(thing for thing in part.things if thing.copies)


def piles(part: Part) -> list[tuple[str, tuple[Thing, ...]]]:
    """The stacks of a part, each with its name: cards of several backs are as many decks, if none is of one card."""
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


def ring_of(part: Part, thing: Thing) -> Ring | None:
    """The outline of a flat piece that is no rectangle, in mm from its corner."""
    return part.outline if part.outline is not None else thing.piece.front.outline


def is_round(ring: Ring, width: float, height: float) -> bool:
    """Whether an outline is a disc."""
    if len(ring) < 16 or abs(width - height) > 0.01:
        return False
    return all(abs(math.hypot(x - width / 2, y - height / 2) - width / 2) < width / 100 for x, y in ring)
