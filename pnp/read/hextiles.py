"""Tables of hexes → the tiles they make: a row a hex, named by its tile and axial coordinates; or a row a whole tile."""

from __future__ import annotations

import re

from pnp.values.game import HexCell, HexTiles
from pnp.values.problems import About, Problems, listed
from pnp.values.tables import Row, Table, meant

# Farther out nothing fits a page, and a slip of the finger is likelier than such a tile.
MOST_REACH = 40


def read_hextiles(component: str, tiles: Table, hexes: Table, size: float, problems: Problems) -> HexTiles | None:
    """Every tile's hexes; None, with the reasons, when a hex has no tile, no place, or another's place."""
    before = len(problems.errors)
    known = {row.id: row for row in tiles}
    made: dict[str, list[HexCell]] = {name: [] for name in known}
    taken: dict[tuple[str, int, int], Row] = {}
    for row in hexes:
        name = row.named("tile")
        if name not in known:
            if not tiles.whole:
                continue
            problems.error(
                "unknown-reference",
                row.place_of("tile"),
                f'"{name}" is not a tile of the table {tiles.name}',
                value=name,
                allowed=listed(known),
                hint=meant(name, known.items()),
            )
            continue
        q, r = axial(row, "q", problems), axial(row, "r", problems)
        if q is None or r is None:
            continue
        if first := taken.get((name, q, r)):
            problems.error(
                "double-hex",
                row.place,
                f'the hex {q}, {r} of the tile "{name}" stands already in row {first.place.row}',
                value=f"{q}, {r}",
                about=About(component, name),
            )
            continue
        taken[name, q, r] = row
        made[name].append(HexCell(q, r, row))
    for name, cells in made.items():
        if not cells and hexes.whole:
            problems.error(
                "no-hexes",
                known[name].place_of("id"),
                f'the tile "{name}" has no hexes in {hexes.file}',
                value=name,
                hint=f"Add rows with tile = {name}, q and r.",
                about=About(component, name),
            )
    # Of a table without a row its reader has told.
    if len(problems.errors) > before or not (made and tiles.whole and hexes.whole):
        return None
    return HexTiles(size, {name: tuple(cells) for name, cells in made.items()})


def one_table_tiles(component: str, tiles: Table, size: float, problems: Problems) -> HexTiles | None:
    """Tiles of a table alone: where each row's hexes lie is in its column ``hexes``, or it is one hex."""
    before = len(problems.errors)
    made = {row.id: _cells(component, row, problems) for row in tiles}
    if len(problems.errors) > before or not (made and tiles.whole):
        return None
    return HexTiles(size, made)


def _cells(component: str, row: Row, problems: Problems) -> tuple[HexCell, ...]:
    """The hexes that a row lists, such as ``0,0 1,0 0,1``; the one in the middle where it lists none."""
    places: dict[tuple[int, int], None] = {}
    for written in row.said("hexes").replace(";", " ").split():
        found = re.fullmatch(r"(-?\d{1,2}),(-?\d{1,2})", written, re.ASCII)
        place = (int(found[1]), int(found[2])) if found else None
        if place is None or max(map(abs, place)) > MOST_REACH:
            problems.error(
                "bad-number",
                row.place_of("hexes"),
                f'"{written}" is not the place of a hex',
                value=written,
                allowed=f"two whole numbers from -{MOST_REACH} to {MOST_REACH} with a comma between, such as 1,0",
                hint="Hexes are parted by spaces: 0,0 1,0 0,1.",
                about=About(component, row.id),
            )
        elif place in places:
            problems.error(
                "double-hex",
                row.place_of("hexes"),
                f'the hex {written} of the tile "{row.id}" is there twice',
                value=written,
                about=About(component, row.id),
            )
        else:
            places[place] = None
    return tuple(HexCell(q, r, row) for q, r in places or {(0, 0): None})


def axial(row: Row, column: str, problems: Problems) -> int | None:
    """A coordinate cell as a whole number; None, with the Problem, when it is none."""
    text = row.said(column)
    try:
        value = int(text)
    except ValueError:
        value = MOST_REACH + 1
    if abs(value) <= MOST_REACH:
        return value
    problems.error(
        "bad-number",
        row.place_of(column),
        f'"{text}" is not a coordinate',
        value=text,
        allowed=f"a whole number from -{MOST_REACH} to {MOST_REACH}",
    )
    return None
