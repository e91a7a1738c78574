"""Checks layouts of tiles and dominoes: one part without holes, a slot for each tile, no piece laid twice.

The report lists the pieces whose removal would split a layout; that is no fault.

``layout-holes``: a layout of hex tiles encloses an empty hex.
Why: a map with a hole in it was hardly meant.
Example: a slot typed with q = 6 instead of q = 5.
Mend: correct the coordinates of one of the slots around the hole.

``layout-parts``: a layout is in several parts.
Why: a tile apart can never be reached.
Example: a slot typed too far out; it is named.
Mend: correct its coordinates.

``slots-and-pools``: a pool has more or fewer slots than there are tiles with that back; or a column ``tile`` names a
tile that is not there.
Why: tiles that are left over lie beside the map; a missing one is a gap.
Example: the pool says red five times, and four tiles have the back red.
Mend: change the pool of a slot or the back of a tile, or add what is missing.

``tile-shape``: tiles of a layout are made of different hexes.
Why: slots are cut to one shape; another would overlap its neighbours or leave gaps.
Example: a tile of which one of seven rows is missing in the table of hexes.
Mend: add the missing hex, or correct its coordinates.

``domino-twice``: a layout lays a domino twice.
Why: the box has it only once.
Example: two rows with a = 3 and b = 5; 5 and 3 is the same domino.
Mend: one of the two should be another, most likely one that is missing.

``domino-missing``: a layout lacks a domino of its set.
Why: the rules start with the whole set on the table.
Example: no row with a = 2 and b = 6.
Mend: add a row for it.

``layout-edges``: a path of one hex does not go on in the hex beside it, by a column ``paths`` that lists sides from 0,
the right one, clockwise to 5. Looked at are hexes of one tile, and tiles whose place never changes.
Why: a river that ends at a straight line between two hexes is a misprint.
Example: a hex with ``paths`` "0 3" whose right neighbour says "1 4".
Mend: give both the path, or neither.

Covers: the slots of a ``[layout]``, and which tiles or dominoes belong on them; of tiles that are shuffled only their
number and shape.
Not covered: whether a layout fits the table, what else lies on tiles, and ends of dominoes, which need not match.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pnp.check.tile_search import Cell, around, laid, odd_shapes, parts, pools, ring_of
from pnp.shapes import hexes
from pnp.shapes.outline import area, outlines
from pnp.values.findings import MapShown, Spot, State, Subject, TableShown, reported
from pnp.values.game import Component, HexCell, Layout, Slot, domino_of, fixed_tile, slot_name
from pnp.values.problems import About, Problem, closest, listed
from pnp.values.walk import groups

RULES: tuple[str, ...] = (
    *("layout-holes", "layout-parts", "slots-and-pools", "tile-shape"),
    *("domino-twice", "domino-missing", "layout-edges"),
)


@reported
def look(subject: Subject) -> Iterator[Problem | TableShown | MapShown]:
    """Every layout of tiles or dominoes."""
    for layout, component in laid(subject.game):
        holes = list(_holes(layout, component)) if component.hexes else []
        yield from (_hole(hole, layout, component) for hole in holes)
        yield from _parts(layout, component)
        if component.hexes and component.table.whole:
            yield from _shapes(component)
            yield from _pools(layout, component)
        if component.kind == "domino":
            yield from _dominoes(layout, component)
        split = bridges(layout, component)
        yield _bridges_shown(layout, component, split)
        if holes or split:
            yield _map(layout, component, holes, {index for index, _ in split})
    for component in {component.name: component for _, component in laid(subject.game)}.values():
        yield from _edges_within(component)
    for layout, component in laid(subject.game):
        yield from _edges_between(layout, component)


def _holes(layout: Layout, component: Component) -> Iterator[set[Cell]]:
    """The empty hexes that a flood from outside does not find, in connected groups."""
    if not (taken := {cell for slot in layout.slots for cell in slot.cells}):
        return
    qs, rs = {q for q, _ in taken}, {r for _, r in taken}
    box = {(q, r) for q in range(min(qs) - 1, max(qs) + 2) for r in range(min(rs) - 1, max(rs) + 2)}
    outside = (min(qs) - 1, min(rs) - 1)
    yield from (part for part in parts(box - taken, around(component)) if outside not in part)


def _hole(hole: set[Cell], layout: Layout, component: Component) -> Problem:
    edge = {(q + dq, r + dr) for q, r in hole for dq, dr in around(component)}
    slots = [slot for slot in layout.slots if edge & set(slot.cells)]
    number = "an empty hex" if len(hole) == 1 else f"{len(hole)} empty hexes"
    at = listed(f"q {q}, r {r}" for q, r in sorted(hole))
    names = listed(slot_name(slot, component) for slot in slots)
    message = f"{layout.title}: {number} ({at}) inside, between {names}"
    return Problem("layout-holes", slots[0].row.place, message, at, hint="Correct where one of these slots lies.")


def _groups(slots: Sequence[Slot], component: Component) -> list[list[int]]:
    owner = {cell: index for index, slot in enumerate(slots) for cell in slot.cells}
    near: dict[int, set[int]] = {index: set() for index in range(len(slots))}
    for (x, y), index in owner.items():
        near[index] |= {owner[x + dx, y + dy] for dx, dy in around(component) if (x + dx, y + dy) in owner}
    return sorted(map(sorted, groups(near, near.__getitem__)), key=len, reverse=True)


def _parts(layout: Layout, component: Component) -> Iterator[Problem]:
    for group in _groups(layout.slots, component)[1:]:
        names = listed(slot_name(layout.slots[index], component) for index in group)
        message = f"{layout.title}: {names} {'touches' if len(group) == 1 else 'touch'} nothing of the rest"
        hint = "No tile there ever comes to lie beside one that is face up." if component.hexes else ""
        yield Problem("layout-parts", layout.slots[group[0]].row.place, message, names, hint=hint)


def _shapes(component: Component) -> Iterator[Problem]:
    if component.hexes is None:
        return
    first = next(iter(component.hexes.tiles.values()), ())
    wanted = {(cell.q, cell.r) for cell in first}
    rows = {row.id: row for row in component.table}
    for name in odd_shapes(component):
        has = {(cell.q, cell.r) for cell in component.hexes.tiles[name]}
        lacks, extra = sorted(wanted - has), sorted(has - wanted)
        told = [f"lacks {listed(map(str, lacks))}"] * bool(lacks) + [f"has also {listed(map(str, extra))}"] * bool(extra)
        message = f'the tile "{rows[name]}" has other hexes than the first one: it {" and ".join(told)}'
        about = About(component.name, name)
        yield Problem("tile-shape", rows[name].place, message, name, hint="Tiles of a layout have one shape.", about=about)


def _pools(layout: Layout, component: Component) -> Iterator[Problem]:
    known = Counter({row.id: row.copies for row in component.table})
    for slot in layout.slots:
        tile = fixed_tile(slot)
        if tile and tile not in known:
            message = f'there is no tile "{tile}" for the slot {slot_name(slot, component)}'
            yield Problem("slots-and-pools", slot.row.place_of("tile"), message, tile, listed(known), closest(tile, known))
        elif tile:
            known[tile] -= 1
            if known[tile] == -1:
                message = f'the tile "{tile}" is fixed to more slots than there are copies of it'
                about = About(component.name, tile)
                yield Problem("slots-and-pools", slot.row.place_of("tile"), message, tile, about=about)
    for pool in pools(layout, component):
        if not pool.fits:
            slots, tiles = len(pool.slots), len(pool.tiles)
            place = layout.slots[pool.slots[-1]].row.place_of("pool") if slots else layout.place
            pooled = f'the pool "{pool.name}"' if pool.name else "the layout"
            message = f"{layout.title}: {pooled} has {_number(slots, 'slot')}, and {_number(tiles, 'tile')} with that back"
            hint = f"Tiles: {listed(pool.tiles)}." if tiles else "Give tiles this back, or the slots another pool."
            yield Problem("slots-and-pools", place, message, str(slots), str(tiles), hint)


def _number(count: int, one: str) -> str:
    return f"{count} {one}" if count == 1 else f"{count} {one}s"


def _dominoes(layout: Layout, component: Component) -> Iterator[Problem]:
    laid_at: dict[str, list[Slot]] = {row.id: [] for row in component.table}
    for slot in layout.slots:
        laid_at.setdefault(domino_of(slot.row), []).append(slot)
    copies = {row.id: row.copies for row in component.table}
    missing = [domino for domino, slots in laid_at.items() if len(slots) < copies.get(domino, 0)]
    for domino, slots in laid_at.items():
        for slot in slots[max(copies.get(domino, 0), 1) :]:
            message = f"{layout.title}: the domino {domino} lies already in row {slots[0].row.place.row}"
            hint = f"Missing: {listed(missing)}." if missing else ""
            yield Problem("domino-twice", slot.row.place, message, domino, hint=hint, about=About(component.name, domino))
    if missing:
        file = layout.slots[0].row.place.file if layout.slots else layout.place.file
        message = f"{layout.title}: {_number(len(missing), 'domino')} of {len(copies)} not laid ({file}): {listed(missing)}"
        yield Problem("domino-missing", layout.place, message, listed(missing), hint="Add a row for each.")


def bridges(layout: Layout, component: Component) -> list[tuple[int, list[int]]]:
    """The pieces whose removal would split the rest, with the sizes of the parts; layouts in parts have none."""
    if len(_groups(layout.slots, component)) != 1:
        return []
    found = []
    for index in range(len(layout.slots)):
        rest = [slot for other, slot in enumerate(layout.slots) if other != index]
        split = _groups(rest, component)
        if len(split) > 1:
            found.append((index, list(map(len, split))))
    return found


def _bridges_shown(layout: Layout, component: Component, split: list[tuple[int, list[int]]]) -> TableShown:
    rows = [(slot_name(layout.slots[index], component), " + ".join(map(str, sizes))) for index, sizes in split]
    whole = "Whichever piece is taken away, the rest hangs together."
    note = "Taken away, each of these splits the rest." if rows else whole
    return TableShown(f"Bridges, {layout.title}", ("Piece", "Parts"), tuple(rows or [("none", "–")]), note)


def _map(layout: Layout, component: Component, holes: list[set[Cell]], split: set[int]) -> MapShown:
    ring = ring_of(component)
    spots = []
    for index, slot in enumerate(layout.slots):
        state: State = "path" if index in split else "plain"
        outline = max(outlines([ring(cell) for cell in slot.cells]), key=area)
        spots.append(Spot(outline, state, slot_name(slot, component)))
    spots += [Spot(ring(cell), "bad") for hole in holes for cell in sorted(hole)]
    said = ["marked red: holes"] * bool(holes) + ["marked: pieces whose removal splits the rest"] * bool(split)
    note = "; ".join(said)
    return MapShown(layout.title, tuple(spots), f"{note[:1].upper()}{note[1:]}.")


_SIDE = re.compile(r"[0-5]")


def _sides(cell: HexCell) -> set[int] | None:
    """The sides of a hex on which a path leaves it; None when the table of hexes says nothing of paths."""
    return None if "paths" not in cell.row else {int(side) for side in _SIDE.findall(cell.row.text_of("paths"))}


def _edges_within(component: Component) -> Iterator[Problem]:
    for name, cells in component.hexes.tiles.items() if component.hexes else ():
        about = About(component.name, name)
        for cell in cells:
            text = cell.row.text("paths")
            if re.sub(r"[0-5,;\s]", "", text):
                place, allowed = cell.row.place_of("paths"), "sides from 0 to 5, the right one first, clockwise"
                yield Problem("layout-edges", place, f'"{text}" is no list of sides', text, allowed, about=about)
        at = {(cell.q, cell.r): (cell, _sides(cell)) for cell in cells}
        for problem in _facing(at, {}, f'inside the tile "{name}"'):
            yield replace(problem, about=about)


def _edges_between(layout: Layout, component: Component) -> Iterator[Problem]:
    if component.hexes is None or odd_shapes(component):
        return
    lies = {pool.slots[0]: pool.tiles[0] for pool in pools(layout, component) if len(pool.slots) == len(pool.tiles) == 1}
    shape = next(iter(component.hexes.tiles.values()))
    at: dict[Cell, tuple[HexCell, set[int] | None]] = {}
    slot_at: dict[Cell, int] = {}
    for index, tile in lies.items():
        slot = layout.slots[index]
        there = {(cell.q, cell.r): spot for cell, spot in zip(shape, slot.cells, strict=True)}
        for cell in component.hexes.tiles.get(tile, ()):
            sides = _sides(cell)
            turned = sides if sides is None else {(side + slot.turn // 60) % 6 for side in sides}
            at[there[cell.q, cell.r]] = (cell, turned)
            slot_at[there[cell.q, cell.r]] = index
    yield from _facing(at, slot_at, f"between tiles of {layout.title}")


def _facing(at: dict[Cell, tuple[HexCell, set[int] | None]], slot_at: dict[Cell, int], what: str) -> Iterator[Problem]:
    """Neighbours of which one has a path and the other has none; of laid tiles only those of different slots."""
    for (q, r), (cell, sides) in at.items():
        for side in range(3):
            dq, dr = hexes.NEIGHBOURS[side]
            there = (q + dq, r + dr)
            other, others = at.get(there, (None, None))
            if other is None or sides is None or others is None or (slot_at and slot_at[there] == slot_at[q, r]):
                continue
            if (side in sides) != ((side + 3) % 6 in others):
                has, lacks = (cell, other) if side in sides else (other, cell)
                message = (
                    f"{what}, the path of the hex {has.q}, {has.r} (row {has.row.place.row}) ends at the hex "
                    f"{lacks.q}, {lacks.r} (row {lacks.row.place.row})"
                )
                hint = "Give both hexes the path, or neither."
                yield Problem("layout-edges", has.row.place_of("paths"), message, has.row.text_of("paths"), hint=hint)
