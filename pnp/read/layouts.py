"""Layout tables → slots whose footprints are known, so that an overlap is found where it was typed."""

from __future__ import annotations

from pnp.read.hextiles import axial
from pnp.shapes import hexes
from pnp.values.game import Component, Layout, Slot, domino_of
from pnp.values.laid import DOMINO_STEPS
from pnp.values.problems import Place, Problems, listed
from pnp.values.tables import Row, Table, meant


def read_layout(
    name: str, title: str, table: Table, component: Component, place: Place, problems: Problems
) -> Layout | None:
    """The layout of a component's pieces; None, with the reasons, when slots are wrong or overlap."""
    before = len(problems.errors)
    reader = _hex_slot if component.hexes else _domino_slot
    slots = [slot for row in table if (slot := reader(row, component, problems))]
    taken: dict[tuple[int, int], Slot] = {}
    for slot in slots:
        for cell in slot.cells:
            if first := taken.get(cell):
                problems.error(
                    "layout-overlap",
                    slot.row.place,
                    f"this piece lies on the one of row {first.row.place.row} (at {cell[0]}, {cell[1]})",
                    value=f"{cell[0]}, {cell[1]}",
                )
                break
            taken[cell] = slot
    if len(problems.errors) > before:
        return None
    return Layout(name, title, component.name, tuple(slots), place)


def _turn(row: Row, allowed: tuple[int, ...], problems: Problems) -> int | None:
    text = row.said("turn") or "0"
    if text.isdecimal() and int(text) in allowed:
        return int(text)
    problems.error(
        "bad-number",
        row.place_of("turn"),
        f'"{text}" is not a turn',
        value=text,
        allowed=listed(map(str, allowed)) + " degrees clockwise",
    )
    return None


def _hex_slot(row: Row, component: Component, problems: Problems) -> Slot | None:
    q, r = axial(row, "q", problems), axial(row, "r", problems)
    turn = _turn(row, (0, 60, 120, 180, 240, 300), problems)
    pools = dict.fromkeys(piece.text_of("back") for piece in component.table if "back" in piece.cells)
    pool = row.said("pool")
    if pool not in pools:
        problems.error(
            "unknown-reference",
            row.place_of("pool"),
            f'no tile of the table {component.table.name} has the back "{pool}" that the column pool asks for',
            value=pool,
            allowed=listed(pools) or "what stands in a column back of the tiles",
            hint=meant(pool, ((piece.text_of("back"), piece) for piece in component.table if "back" in piece.cells)),
        )
        return None
    if q is None or r is None or turn is None or component.hexes is None:
        return None
    # Tiles of one set have one shape: any of them stands for the slot's footprint.
    shape = next(iter(component.hexes.tiles.values()))
    footprint = [hexes.turned((cell.q, cell.r), turn // 60) for cell in shape]
    return Slot(row, tuple(hexes.shifted(footprint, (q, r))), turn)


def _domino_slot(row: Row, component: Component, problems: Problems) -> Slot | None:
    x, y = axial(row, "x", problems), axial(row, "y", problems)
    turn = _turn(row, tuple(DOMINO_STEPS), problems)
    known = [piece.id for piece in component.table]
    piece = domino_of(row)
    if piece not in known:
        problems.unknown("unknown-reference", row.place_of("a"), f'there is no domino "{piece}"', piece, known)
        return None
    if x is None or y is None or turn is None:
        return None
    dx, dy = DOMINO_STEPS[turn]
    return Slot(row, ((x, y), (x + dx, y + dy)), turn)
