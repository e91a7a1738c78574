"""The sea charts of Pirates on the Prowl, walked without any of pnp's own code: an oracle for rules of movement."""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import product
from pathlib import Path

CONTENT = Path(__file__).resolve().parents[2] / "content"
PROWL = "pirates-on-the-prowl"

Cell = tuple[int, int]
SIDES: list[Cell] = [(1, 0), (0, 1), (-1, 0), (0, -1)]
AROUND: list[Cell] = [(dx, dy) for dx, dy in product((-1, 0, 1), repeat=2) if (dx, dy) != (0, 0)]
ARROWS: dict[str, Cell] = {">": (1, 0), "<": (-1, 0), "^": (0, -1), "v": (0, 1)}
PROWL_BOARDS = {"board-large": (20, 30), "board-small": (16, 22)}


def rows(game: str, table: str) -> list[dict[str, str]]:
    """The rows of a table."""
    with (CONTENT / game / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def squares(game: str, board: str) -> Mapping[Cell, str]:
    """The letter of each square of a board's map."""
    lines = (CONTENT / game / f"{board}.txt").read_text(encoding="utf-8").splitlines()
    return {(x, y): letter for y, line in enumerate(lines) for x, letter in enumerate(line)}


def flood(start: Cell, inside: Callable[[Cell], bool], steps: list[Cell]) -> set[Cell]:
    """All cells joined to the first one by steps that stay inside."""
    seen, queue = {start}, [start]
    while queue:
        x, y = queue.pop()
        new = {(x + dx, y + dy) for dx, dy in steps} - seen
        new = {cell for cell in new if inside(cell)}
        seen |= new
        queue += new
    return seen


def parts(cells: Iterable[Cell], steps: list[Cell] = SIDES) -> list[set[Cell]]:
    """The connected parts of a set of cells."""
    left, found = set(cells), []
    while left:
        part = flood(min(left), left.__contains__, steps)
        left -= part
        found.append(part)
    return found


@cache
def legend(game: str, board: str) -> Mapping[str, Mapping[str, str]]:
    """The legend's row of each letter."""
    table = rows(game, f"{board}-legend")
    assert len({row["letter"] for row in table}) == len(table)
    return {row["letter"]: row for row in table}


def places_of(board: str, kind: str) -> dict[str, str]:
    """Ids in the legend's column ``place`` with their letters, for one kind."""
    return {row["place"]: letter for letter, row in legend(PROWL, board).items() if row["kind"] == kind}


def cells_of(game: str, board: str, letter: str) -> set[Cell]:
    """The squares with a letter."""
    return {cell for cell, here in squares(game, board).items() if here == letter}


@cache
def currents(board: str) -> tuple[frozenset[Cell], ...]:
    """The current fields: straight runs of one arrow along its own direction."""
    runs = []
    for arrow, (dx, dy) in ARROWS.items():
        runs += [frozenset(run) for run in parts(cells_of(PROWL, board, arrow), [(dx, dy), (-dx, -dy)])]
    return tuple(runs)


@cache
def bridges(board: str) -> Mapping[str, frozenset[Cell]]:
    """The bridge fields by the edge of the board each lies on."""
    width, height = PROWL_BOARDS[board]
    found: dict[str, frozenset[Cell]] = {}
    for part in parts(cells_of(PROWL, board, "=")):
        edges = [
            *["west"] * all(x == 0 for x, _ in part),
            *["east"] * all(x == width - 1 for x, _ in part),
            *["north"] * all(y == 0 for _, y in part),
            *["south"] * all(y == height - 1 for _, y in part),
        ]
        assert len(edges) == 1
        assert edges[0] not in found
        found[edges[0]] = frozenset(part)
    return found


class Sea:
    """The steps of a ship between the fields of a board: a lone sea square, a current, a bridge, a place."""

    OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east"}  # noqa: RUF012
    BLUE = ("sea", "current")
    ENDS_THE_MOVE = ("town", "island", "home")

    def __init__(self, board: str, through_davy: bool) -> None:
        self.board = board
        self.kind = {cell: legend(PROWL, board)[letter]["kind"] for cell, letter in squares(PROWL, board).items()}
        self.field = {
            cell: frozenset({cell})
            for cell, letter in squares(PROWL, board).items()
            if legend(PROWL, board)[letter]["blocked"] != "yes"
        }
        for kind in self.ENDS_THE_MOVE:
            for letter in places_of(board, kind).values():
                self._join(cells_of(PROWL, board, letter))
        for run in (*currents(board), *bridges(board).values()):
            self._join(run)
        if not through_davy:
            for cell in cells_of(PROWL, board, "*"):
                del self.field[cell]

    def _join(self, cells: Iterable[Cell]) -> None:
        made = frozenset(cells)
        self.field |= dict.fromkeys(made, made)

    def kind_of(self, field: frozenset[Cell]) -> str:
        """The kind of thing a field is."""
        return self.kind[min(field)]

    def place(self, letter: str) -> frozenset[Cell]:
        """The field with a letter."""
        return self.field[min(cells_of(PROWL, self.board, letter))]

    def steps(self, field: frozenset[Cell]) -> set[frozenset[Cell]]:
        """The fields that one step leads to."""
        kind = self.kind_of(field)
        if kind == "current":
            dx, dy = ARROWS[squares(PROWL, self.board)[min(field)]]
            x, y = max(field, key=lambda cell: cell[0] * dx + cell[1] * dy)
            near = {(x + dx + side * dy, y + dy + side * dx) for side in (-1, 0, 1)}
            return {self.field[cell] for cell in near if cell in self.field}
        near = {(x + dx, y + dy) for x, y in field for dx, dy in AROUND} - field
        found = {self.field[cell] for cell in near if cell in self.field}
        if kind == "sea":
            return found
        found = {other for other in found if self.kind_of(other) in self.BLUE}
        if kind == "bridge":
            ends = bridges(self.board)
            found |= {ends[self.OPPOSITE[edge]] for edge, bridge in ends.items() if bridge == field}
        return found

    def distances(self, start: frozenset[Cell]) -> dict[frozenset[Cell], int]:
        """The fewest steps to each field that can be reached within one long move.

        A ship that sails onto a bridge crosses it: it is walked as two fields, on the way out and on the way in.
        """
        out, queue = {(start, False): 0}, deque([(start, False)])
        while queue:
            field, crosses = queue.popleft()
            if field != start and self.kind_of(field) in self.ENDS_THE_MOVE:
                continue
            for other in self.steps(field):
                on, was = (self.kind_of(each) == "bridge" for each in (other, field))
                to = other, on and not was
                if to not in out and (on or not crosses):
                    out[to] = out[field, crosses] + 1
                    queue.append(to)
        found: dict[frozenset[Cell], int] = {}
        for (field, _), far in out.items():
            found[field] = min(far, found.get(field, far))
        return found

    def fields(self, *kinds: str) -> set[frozenset[Cell]]:
        """All fields of some kinds."""
        return {field for field in self.field.values() if self.kind_of(field) in kinds}
