"""Checks that every shuffle of a layout gives a map that can be played.


``cut-off``: some shuffle leaves a hex that may be entered without a way to it.
Why: twelve tiles lie in 604 800 ways and more; a bad one comes up at somebody's table.
Example: rocks on three hexes of a tile around a fourth one, which at the rim has no other neighbour; the report draws
the arrangement.
Mend: take a rock away, or move it to where the hexes beside it have a second way out.

``undecided-shuffle``: whether a shuffle can cut hexes off was not decided within the limit.
Why: without this message one would take it for proved.
Example: some thirty different tiles in one pool.
Mend: more pools or fewer different patterns of rocks make the question smaller.

Covers: every arrangement of the tiles in their pools, and every turn with ``turns``.
Not covered: costs, directions, tiles face down, and hexes that are closed for a while.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pnp.check.tile_search import Cell, Outcome, Tile, Tiling, decide, laid, odd_shapes, parts, pools
from pnp.shapes import hexes
from pnp.values.findings import ClaimShown, MapShown, Shown, Spot, State, Subject, TableShown, reported
from pnp.values.game import Component, HexCell, HexTiles, Layout, fixed_tile, slot_name
from pnp.values.problems import Problem, listed
from pnp.values.sections import Shuffle
from pnp.values.walk import grouped

RULES: tuple[str, ...] = ("cut-off", "undecided-shuffle")


@reported
def look(subject: Subject) -> Iterator[Problem | Shown]:
    """Every declared shuffle."""
    known = {layout.name: (layout, component) for layout, component in laid(subject.game)}
    for shuffle in subject.game.rules.shuffles:
        if shuffle.name not in known:
            continue
        layout, component = known[shuffle.name]
        if component.hexes is None or not layout.slots or not component.table.whole or odd_shapes(component):
            continue
        if all(pool.fits for pool in pools(layout, component)):
            yield from _shuffled(_Question(shuffle, layout, component, component.hexes))


def _shuffled(question: _Question) -> Iterator[Problem | Shown]:
    if faults := question.start_faults():
        yield from faults
        return
    outcome = decide(question.tiling)
    yield question.claim(outcome)
    if outcome.holds is None:
        yield question.undecided(outcome)
    elif outcome.holds:
        yield question.proof(outcome)
    else:
        yield from (question.cut_off(outcome), question.counterexample(outcome), question.picture(outcome))


_Lying = Mapping[Cell, tuple[HexCell, int]]
"""By place: the hex that lies there in an arrangement, and its slot."""


class _Question:
    """One shuffle put as a tiling, and its answers put in words."""

    def __init__(self, shuffle: Shuffle, layout: Layout, component: Component, tiles: HexTiles) -> None:
        self.shuffle, self.layout, self.component, self.tiles = shuffle, layout, component, tiles
        self.shape = [(cell.q, cell.r) for cell in next(iter(tiles.tiles.values()))]
        self.turned = {
            turn: {cell: (there[0] + by[0], there[1] + by[1]) for cell in self.shape for there in [hexes.turned(cell, turn)]}
            for turn in range(6 if shuffle.turns else 1)
            if (by := hexes.turn_onto_itself(self.shape, turn)) is not None
        }
        """By the sixths of a turn that leave a tile on its slot: where each of its hexes comes to lie."""
        self.turns = list(self.turned)
        self.names = {row.id: str(row) for row in component.table}
        self.start_says = ", ".join(f"{column} {value}" for column, value in shuffle.start.items())
        self.start_name = f"the hex with {self.start_says}" if self.start_says else "the others"
        self.ids: list[str] = []
        """The tile of each tile of the tiling."""
        self.tiling = self._tiling()

    def enterable(self, cell: HexCell) -> bool:
        blocked = self.shuffle.blocked.items()
        return not any(cell.row.matches(column, value) for column, values in blocked for value in values)

    def is_start(self, cell: HexCell) -> bool:
        start = self.shuffle.start.items()
        return bool(start) and all(cell.row.matches(column, value) for column, value in start)

    def start_faults(self) -> list[Problem]:
        starts = [cell for cells in self.tiles.tiles.values() for cell in cells if self.is_start(cell)]
        if self.shuffle.start and not starts:
            message = f"no hex has {self.start_says}, where movement begins"
            return [Problem("cut-off", self.shuffle.place, message, self.start_says)]
        return [
            Problem("cut-off", cell.row.place, f"nobody enters {self.start_name}, where movement begins")
            for cell in starts
            if not self.enterable(cell)
        ]

    def _tiling(self) -> Tiling:
        index = {cell: number for number, cell in enumerate(self.shape)}
        at = {cell: (slot, number) for slot, lies in enumerate(self.layout.slots) for number, cell in enumerate(lies.cells)}
        borders = [
            (*here, *there)
            for (q, r), here in at.items()
            for dq, dr in hexes.NEIGHBOURS
            if (there := at.get((q + dq, r + dr))) and here[0] < there[0]
        ]
        inside = [
            (number, index[q + dq, r + dr])
            for (q, r), number in index.items()
            for dq, dr in hexes.NEIGHBOURS[:3]
            if (q + dq, r + dr) in index
        ]
        pool_of: dict[int, int] = {}
        tiles: list[Tile] = []
        for number, pool in enumerate(pools(self.layout, self.component)):
            pool_of |= dict.fromkeys(pool.slots, number)
            # A tile of which the place is fixed lies as its slot says.
            turns = [0] if len(pool.slots) == 1 and fixed_tile(self.layout.slots[pool.slots[0]]) else self.turns
            for tile in pool.tiles:
                self.ids.append(tile)
                tiles.append(Tile(number, tuple(self._mask(tile, turn, index) for turn in turns), tile))
        in_order = tuple(pool_of[slot] for slot in range(len(self.layout.slots)))
        return Tiling(in_order, tuple(inside), tuple(borders), tuple(tiles))

    def _mask(self, tile: str, turn: int, index: Mapping[Cell, int]) -> int:
        open_cells = [cell for cell in self.tiles.tiles[tile] if self.enterable(cell)]
        return sum(1 << index[self.turned[turn][cell.q, cell.r]] for cell in open_cells)

    def _slot(self, slot: int) -> str:
        return slot_name(self.layout.slots[slot], self.component)

    @property
    def ways(self) -> str:
        ways = self.tiling.ways
        return "one arrangement" if ways == 1 else f"{ways:,} arrangements".replace(",", " ")

    def claim(self, outcome: Outcome) -> ClaimShown:
        says = f"However the tiles lie, every hex that may be entered is reached from {self.start_name}."
        how = {True: "proved for all of them", False: "refuted by one of them", None: "not decided"}[outcome.holds]
        shown = f"shuffle.{self.layout.name}"
        return ClaimShown(shown, says, f"{self.ways}, {how}", "", outcome.holds is True, (), self.ways)

    def proof(self, outcome: Outcome) -> TableShown:
        title = f"Every shuffle, {self.layout.title}"
        if not outcome.pairs and len(self.layout.slots) > 1:
            wider = ", and those with any of the tiles on each slot, however often," if outcome.wider else ""
            looked = f"looked at slot by slot, equal situations together: {outcome.steps} steps"
            note = f"All {self.ways}{wider} were {looked}, and nothing is ever cut off."
            return TableShown(title, ("Slots", "Arrangements"), ((str(len(self.layout.slots)), self.ways),), note)
        rows = tuple((self._slot(first), self._slot(second)) for first, second in outcome.pairs)
        note = (
            f"Proved by pairs for {self.ways}: each tile hangs together in itself, and across these borders, which join "
            "all slots, any two tiles that may lie there have a crossing."
        )
        return TableShown(title, ("Slot", "joined to"), rows, note)

    def undecided(self, outcome: Outcome) -> Problem:
        share = f"{outcome.covered:.1%}"
        message = (
            f"{self.layout.title}: whether a shuffle cuts hexes off was not decided within {outcome.steps} steps; "
            f"{share} of {self.ways} were looked at, and none of these does"
        )
        hint = "Fewer different patterns of blocked hexes, or more pools, make the question smaller."
        return Problem("undecided-shuffle", self.shuffle.place, message, share, hint=hint, severity="warning")

    def _lying(self, outcome: Outcome) -> _Lying:
        lying: dict[Cell, tuple[HexCell, int]] = {}
        for slot, (tile, turn) in enumerate(outcome.laid):
            there = dict(zip(self.shape, self.layout.slots[slot].cells, strict=True))
            steps = self._turn(tile, turn)
            for cell in self.tiles.tiles[self.ids[tile]]:
                lying[there[self.turned[steps][cell.q, cell.r]]] = cell, slot
        return lying

    def _turn(self, tile: int, turn: int) -> int:
        return self.turns[turn] if len(self.tiling.tiles[tile].masks) > 1 else 0

    def _lost(self, lying: _Lying) -> list[Cell]:
        free = {cell for cell, (lies, _) in lying.items() if self.enterable(lies)}
        groups = parts(free, hexes.NEIGHBOURS)
        start = next((cell for cell in sorted(free) if self.is_start(lying[cell][0])), None)
        home = next((group for group in groups if start in group), groups[0])
        return sorted(free - home)

    def cut_off(self, outcome: Outcome) -> Problem:
        lying = self._lying(outcome)
        lost = self._lost(lying)
        at = grouped((slot, f"{lies.q}, {lies.r}") for lies, slot in map(lying.__getitem__, lost))
        told = listed(
            [
                f'{"the hex" if len(cells) == 1 else "the hexes"} {" and ".join(cells)} of "{self._tile(outcome, slot)}" '
                f"on {self._slot(slot)}"
                for slot, cells in at.items()
            ],
            4,
        )
        edge = {(q + dq, r + dr) for q, r in lost for dq, dr in hexes.NEIGHBOURS}
        beside = sorted({slot for cell, (_, slot) in lying.items() if cell in edge} | set(at))
        shuffle = listed(f"{self._tile(outcome, slot)} on {self._slot(slot)}" for slot in beside)
        free = sum(1 for lies, _ in lying.values() if self.enterable(lies))
        message = f"{self.layout.title}: a shuffle cuts {len(lost)} of {free} hexes off from {self.start_name}: {told}"
        hint = f"It lies so: {shuffle}. Take away or move what blocks the way."
        return Problem("cut-off", lying[lost[0]][0].row.place, message, told, hint=hint)

    def _tile(self, outcome: Outcome, slot: int) -> str:
        tile, turn = outcome.laid[slot]
        steps = self._turn(tile, turn)
        return self.names[self.ids[tile]] + (f", turned by {60 * steps}°" if steps else "")

    def counterexample(self, outcome: Outcome) -> TableShown:
        rows = tuple((str(slot + 1), self._slot(slot), self._tile(outcome, slot)) for slot in range(len(self.layout.slots)))
        return TableShown(f"A shuffle that cuts hexes off, {self.layout.title}", ("No.", "Slot", "Tile"), rows)

    def picture(self, outcome: Outcome) -> MapShown:
        lying = self._lying(outcome)
        lost = set(self._lost(lying))
        centre = min(range(len(self.shape)), key=lambda number: (hexes.distance(self.shape[number], (0, 0)), number))
        spots = []
        for cell, (lies, slot) in lying.items():
            state: State = "plain" if self.enterable(lies) else "blocked"
            state = "bad" if cell in lost else "start" if self.is_start(lies) else state
            middle = cell == self.layout.slots[slot].cells[centre]
            spots.append(Spot(hexes.corners(cell, self.tiles.size), state, str(slot + 1) if middle else ""))
        title = f"{self.layout.title}: a shuffle that cuts hexes off"
        return MapShown(title, tuple(spots), f"Marked: the hexes that are not reached from {self.start_name}.")
