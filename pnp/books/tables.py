"""A bare table, on which a scene stands without board or layout: free places by columns and rows, halves among them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pnp.books.grounds import Cell, Ground, Unplaced
from pnp.shapes.affine import Rect, around
from pnp.values.scenes import Highlight, Thing

TABLE = "table"
# Places are counted to here, and told apart to a hundredth of a column or row.
MOST, PARTS = 60, 100
# Around what lies on a table so much of it is seen, in fields.
ON_TABLE = 0.15
_NUMBER = r"(-?\d{1,3}(?:\.\d{1,2})?)"
_PLACE = re.compile(rf"{_NUMBER}\s*,\s*{_NUMBER}")


@dataclass(slots=True)
class Table(Ground):
    """Cells are in hundredths of a column and a row; those that a scene names are its fields."""

    wide: float = 0.0
    """A column, in mm."""
    high: float = 0.0
    """A row, in mm."""

    def find(self, typed: str) -> tuple[Cell, ...]:
        text = " ".join(typed.split())
        match = _PLACE.fullmatch(text)
        allowed = f"column,row from 0,0 to {MOST},{MOST}, such as 1,1 or 2.5,1"
        if match is None:
            message = f'there is no place "{text}" on a table' if text else "it does not say where"
            raise Unplaced(message, text, allowed, "Parts stand behind a point: 2.5,1." if text.count(",") > 1 else "")
        x, y = (round(float(number) * PARTS) for number in match.groups())
        if not (0 <= x <= MOST * PARTS and 0 <= y <= MOST * PARTS):
            raise Unplaced(f'"{text}" is not on the table', text, allowed)
        return (self._made((x, y)),)

    def between(self, one: Cell, two: Cell) -> list[Cell]:
        """From one to the other, column by column and row by row."""
        (left, right), (top, bottom) = (sorted((one[axis], two[axis])) for axis in (0, 1))
        return [self._made((x, y)) for y in range(top, bottom + 1, PARTS) for x in range(left, right + 1, PARTS)]

    def grid(self, seen: Rect) -> Iterator[Cell]:
        """The places of whole columns and rows whose middles are seen."""
        for y in range(MOST + 1):
            for x in range(MOST + 1):
                if seen.x <= x * self.wide <= seen.right and seen.y <= y * self.high <= seen.bottom:
                    yield self._made((x * PARTS, y * PARTS))

    def around(self, boxes: Iterable[Rect], things: Iterable[Thing], cells: Iterable[Cell]) -> Rect:
        """What boxes, highlights and other marks cover."""
        points = [point for box in boxes for point in ((box.x, box.y), (box.right, box.bottom))]
        points += [point for thing in things if isinstance(thing, Highlight) for ring in thing.rings for point in ring]
        # Of what has no size of its own, such as a mark, so much is seen around its middle.
        far = ON_TABLE * self.size
        points += [(x + way * far, y + way * far) for x, y in map(self.middle, cells) for way in (-1, 1)]
        return around(points)

    def _made(self, cell: Cell) -> Cell:
        if cell not in self.fields:
            x, y = (cell[0] / PARTS - 0.5) * self.wide, (cell[1] / PARTS - 0.5) * self.high
            self.add(cell, ((x, y), (x + self.wide, y), (x + self.wide, y + self.high), (x, y + self.high)))
        return cell


def table_ground(wide: float, high: float) -> Table:
    """A table with columns and rows of this size in mm; everything is everything's neighbour."""
    return Table(min(wide, high), lambda _one, _two: True, _called, wide=wide, high=high)


def _called(cell: Cell) -> str:
    return f"{cell[0] / PARTS:g},{cell[1] / PARTS:g}"
