"""Gives claims, the set-up and books the names they may use: a game's rows, counts, boards, layouts and dice."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, TypeVar

from pnp.sandbox.expressions import Expression, Expressions
from pnp.sandbox.values import shown
from pnp.shapes.affine import Rect
from pnp.shapes.grids import GridName, bounds
from pnp.values.game import Board, Component, Field, Game, Layout
from pnp.values.problems import Fault, Place, Problem, closest, listed
from pnp.values.sections import Take
from pnp.values.tables import Number, Row, Table, canonical, unwrapped
from pnp.values.walk import grouped

Thing = TypeVar("Thing")
Seen = dict[str, list[Row]]
"""Rows that an expression asked for, by file."""


def known_names(game: Game, seen: Seen) -> dict[str, Any]:
    """The names that expressions may use; rows that are asked for are put down in ``seen``."""
    components = {component.name: component for component in game.components}
    layouts = {layout.name: layout for layout in game.layouts}
    # A tracker may be called like the table of its spaces: then that is what is asked for, not its own one row.
    own = {name: component.table for name, component in components.items() if component.table.file != game.file}
    tables = {**{name: component.table for name, component in components.items()}, **game.tables, **own}

    @cache
    def index(table: Table, column: str) -> dict[str, list[Row]]:
        return grouped((text, row) for row in table for text in row.aliases(column))

    def picked(table: Table, where: Mapping[str, Any]) -> list[Row]:
        rows = list(table.rows)
        known_columns(table.file, where, (*table.columns, "id", "copies"))
        for number, (column, wanted) in enumerate(where.items()):
            if number == 0:
                found = index(table, column)
                rows = list(dict.fromkeys(row for text in texts_of(wanted) for row in found.get(text, ())))
            else:
                rows = [row for row in rows if not {*texts_of(wanted)}.isdisjoint(row.aliases(column))]
        for file in {table.file: None} if not rows else dict.fromkeys(str(row.place.file) for row in rows):
            seen.setdefault(file, []).extend(row for row in rows if row.place.file == file)
        return rows

    def of(name: str) -> Component:
        return named("component", name, components)

    def board(name: str) -> dict[str, Any]:
        made = of(name).board
        if made is None:
            raise Fault(f'the component "{name}" has no map', name)
        return _board(made, seen)

    def hexes(name: str, /, **where: Any) -> list[Row]:
        made = of(name).hexes
        if made is None:
            raise Fault(f'the component "{name}" has no hexes', name)
        rows = tuple(cell.row for cells in made.tiles.values() for cell in cells)
        file = rows[0].place.file if rows else ""
        return picked(Table(name, file, tuple(rows[0].cells) if rows else (), rows, set()), where)

    @cache
    def laid(name: str) -> dict[str, Any]:
        return _layout(layouts[name])

    def layout(name: str) -> dict[str, Any]:
        for slot in named("layout", name, layouts).slots:
            seen.setdefault(slot.row.place.file, []).append(slot.row)
        return laid(name)

    @cache
    def evaluator() -> Evaluator:
        # Only a few expressions ask what the set-up takes.
        return Evaluator(game)

    def rows(take: Take) -> list[Row]:
        return picked(of(take.component).table, take.where)

    numbers: dict[tuple[str, int], int] = {}

    def number(take: Take, players: Any) -> int:
        if isinstance(players, bool) or not isinstance(players, int):
            raise Fault(f"{shown(players)} is no number of players", shown(players))
        if (take.name, players) not in numbers:
            numbers[take.name, players] = number_of(evaluator(), take, players)
        return numbers[take.name, players]

    def takes() -> tuple[Take, ...]:
        if game.rules.setup is None:
            raise Fault("rules.toml says nothing of a set-up", hint="Add [setup] with what it takes.")
        return game.rules.setup.takes

    def taken(name: str, players: int, /, **where: Any) -> int:
        wanted = picked(of(name).table, where)
        found = [take for take in takes() if take.component == name and all(row in wanted for row in rows(take))]
        return sum(number(take, players) for take in found)

    def worth(column: str, players: int) -> int | float:
        total: int | float = 0
        for take in takes():
            values = {row[column] for row in rows(take) if column in row} - {None, ""}
            if not values:
                continue
            value = values.pop()
            if values or isinstance(value, bool) or not isinstance(value, int | float):
                raise Fault(f'what is taken as "{take.what}" has no one {column}', take.name)
            total += value * number(take, players)
        return total

    return {
        "taken": taken,
        "worth": worth,
        "numbers": Numbers(game, seen),
        "count": lambda name, /, **where: copies(picked(of(name).table, where)),
        "designs": lambda name, /, **where: len(picked(of(name).table, where)),
        "rows": lambda name, /, **where: picked(named("component or table", name, tables), where),
        "copies": copies,
        "component": lambda name: _component(of(name)),
        "board": board,
        "layout": layout,
        "hexes": hexes,
        "faces": lambda name: list(of(name).values),
        "game": {
            **game.about,
            "name": game.name,
            "title": game.title,
            "version": game.version,
            "language": game.language,
            "players": list(game.rules.setup.players) if game.rules.setup else [],
        },
        "texts": game.texts,
    }


def named(what: str, name: Any, known: Mapping[str, Thing]) -> Thing:
    """The value that has this name."""
    if not isinstance(name, str) or name not in known:
        raise Fault(f"there is no {what} {shown(name)}", str(name), listed(known, 24), closest(str(name), known))
    return known[name]


def known_columns(file: str, asked: Iterable[str], columns: Iterable[str]) -> None:
    """Whoever asks for a column that is not there gets an answer, not an empty list."""
    known = list(dict.fromkeys(columns))
    for column in asked:
        if column not in known:
            raise Fault(f'{file} has no column "{column}"', column, listed(known), closest(column, known))


def texts_of(wanted: Any) -> list[str]:
    """The texts of a cell by which it can be asked for: a text, a number, yes or no, a row, or one of several of these."""
    if isinstance(wanted, list | tuple | set | frozenset):
        return [text for each in wanted for text in texts_of(each)]
    if isinstance(wanted, Row):
        return [wanted.id]
    if isinstance(wanted, bool):
        return ["yes" if wanted else "no"]
    if isinstance(wanted, int | float | Number):
        return [canonical(unwrapped(wanted))]
    return ["" if wanted is None else str(wanted)]


def copies(rows: Iterable[Any]) -> int:
    """How many pieces rows are."""
    total = 0
    for row in rows:
        if not isinstance(row, Row):
            raise Fault(f"{shown(row)} is no row whose copies could be counted")
        total += row.copies
    return total


def _component(component: Component) -> dict[str, Any]:
    keys = ("name", "title", "kind", "width", "height", "bleed", "weight", "paper", "copies")
    return {**{key: getattr(component, key) for key in keys}, "designs": len(component.table.rows)}


def _layout(layout: Layout) -> dict[str, Any]:
    squares = [list(cell) for slot in layout.slots for cell in slot.cells]
    across, down = ([square[axis] for square in squares] or [0] for axis in (0, 1))
    return {
        "name": layout.name,
        "title": layout.title,
        "component": layout.component,
        "slots": [{"row": slot.row, "cells": [*map(list, slot.cells)], "turn": slot.turn} for slot in layout.slots],
        "squares": squares,
        "left": min(across),
        "right": max(across),
        "top": min(down),
        "bottom": max(down),
    }


def _board(board: Board, seen: Seen) -> dict[str, Any]:
    def fields(**where: Any) -> list[dict[str, Any]]:
        made = []
        wanted = {column: {*texts_of(texts)} for column, texts in where.items()}
        for field in board.fields:
            known_columns(field.row.place.file, where, (*field.row.cells, "id"))
            if not any(texts.isdisjoint(field.row.aliases(column)) for column, texts in wanted.items()):
                seen.setdefault(field.row.place.file, []).append(field.row)
                made.append(_field(field, board))
        return made

    return {"columns": board.columns, "rows": board.rows, "cell": board.cell, "fields": fields}


def _field(field: Field, board: Board) -> dict[str, Any]:
    columns, rows, box = _extent(board.grid, field.cells, board.cell)
    return {
        "letter": field.letter,
        "kind": field.row.text("kind"),
        "row": field.row,
        "cells": len(field.cells),
        "squares": [list(square) for square in field.cells],
        "columns": columns,
        "rows": rows,
        "width": round(box.width, 6),
        "height": round(box.height, 6),
    }


# Claims ask for the same fields again and again.
@lru_cache(4096)
def _extent(grid: GridName, cells: tuple[tuple[int, int], ...], cell: float) -> tuple[int, int, Rect]:
    """Over how many columns and rows cells go, and their box in mm."""
    across, down = ([square[axis] for square in cells] for axis in (0, 1))
    return max(across) - min(across) + 1, max(down) - min(down) + 1, bounds(grid, cells, cell)


def rows_of(seen: Seen, whole: Callable[[str], int]) -> str:
    """Where the rows stand, shortened: ``cargo.csv rows 2-4, 9``; ``whole`` tells how many rows a file has in all."""
    parts = []
    for file, rows in seen.items():
        lines = sorted({row.place.row for row in rows if row.place.row is not None})
        name = file.rpartition("/")[2]
        if not lines:
            parts.append(f"no row of {name}")
        elif len(lines) > 2 and len(lines) == whole(file):
            parts.append(f"all {len(lines)} rows of {name}")
        else:
            parts.append(f"{name} {'row' if len(lines) == 1 else 'rows'} {listed(_spans(lines), 4)}")
    return "; ".join(parts)


def _spans(lines: list[int]) -> list[str]:
    spans: list[list[int]] = []
    for line in lines:
        if spans and line == spans[-1][1] + 1:
            spans[-1][1] = line
        else:
            spans.append([line, line])
    return [str(first) if first == last else f"{first}-{last}" for first, last in spans]


def number_of(evaluator: Evaluator, take: Take, players: int) -> int:
    """How many a take takes with so many players. Raises Fault."""
    made = evaluator.value(take.number, players=players)
    if isinstance(made, bool) or not isinstance(made, int | float) or made != int(made) or made < 0:
        said = shown(made)
        raise Fault(f"for {players} players it is {said}", said, "a whole number, 0 or more", "Divide with //.")
    return int(made) * (players if take.per == "player" else 1)


BROKEN = "broken-claim"
MOST_CASES = 10_000

_EACH = re.compile(r"([A-Za-z_]\w*)\s+in\s+(.+)", re.DOTALL)
_SPAN = re.compile(r"(\d{1,6})\s*\.\.\s*(\d{1,6})")


def broken(bad: Fault, place: Place) -> Problem:
    """The finding that an expression has no value."""
    return bad.problem(BROKEN, place, "this expression has no value: ")


class Numbers(Mapping[str, int | float]):
    """``numbers`` of rules.toml, each computed when it is asked for; the rows behind it are put down in ``seen``.

    To ask for one raises Fault where it is no number. What they say themselves cannot ask for others of them.
    """

    def __init__(self, game: Game, seen: Seen) -> None:
        self._texts = {named.name: named.number for named in game.rules.numbers}
        self._game, self._seen = replace(game, rules=replace(game.rules, numbers=())), seen
        self._known: dict[str, tuple[int | float, Seen]] = {}

    def __getitem__(self, name: str) -> int | float:
        if name not in self._known:
            text = self._texts[name]
            evaluator = Evaluator(self._game)
            number = unwrapped(evaluator.value(text))
            if isinstance(number, bool) or not isinstance(number, int | float):
                raise Fault(f"numbers.{name} is {shown(number)}, and no number", text)
            self._known[name] = number, evaluator.seen
        number, seen = self._known[name]
        for file, rows in seen.items():
            self._seen.setdefault(file, []).extend(rows)
        return number

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)


class Evaluator:
    """Evaluates expressions over one game; knows which rows the last one asked for."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.seen: Seen = {}
        self._compiled: dict[str, Expression] = {}
        self._expressions = Expressions(known_names(game, self.seen))

    def compile(self, text: str) -> Expression:
        """An expression, ready to be evaluated. Raises Fault."""
        if text not in self._compiled:
            self._compiled[text] = self._expressions.compile(text)
        return self._compiled[text]

    def value(self, text: str, **names: Any) -> Any:
        """The value of an expression. Raises Fault."""
        self.seen.clear()
        return self.compile(text).value(names)

    def cases(self, each: str) -> tuple[str, list[Any]]:
        """For what a claim is to be tried: the name and its values; no name and one value for once."""
        if not each:
            return "", [None]
        if not (found := _EACH.fullmatch("players in game.players" if each == "players" else each)):
            raise Fault(f'for "{each}" says nothing', each, "players, players in 2..8, town in rows(…)")
        if span := _SPAN.fullmatch(found[2].strip()):
            values: Any = range(int(span[1]), int(span[2]) + 1)
        else:
            values = self.value(found[2])
        if isinstance(values, str) or not isinstance(values, Collection):
            raise Fault(f"for needs a list, and {found[2]} is {shown(values)}", each)
        if len(values) > MOST_CASES:
            raise Fault(f"for has more than {MOST_CASES} values", each)
        if not (cases := list(values)):
            hint = 'Add [setup] with players = "2-8".' if each == "players" else ""
            raise Fault(f'there is nothing for which it could hold: "{each}" is empty', each, hint=hint)
        return found[1], cases

    def behind(self) -> str:
        """The rows that the last expression asked for, as a sentence; nothing when it asked for none."""
        sizes: dict[str, int] = {}
        for table in self._game.every_table:
            sizes[table.file] = max(sizes.get(table.file, 0), len(table.rows))
        rows = rows_of(self.seen, lambda file: sizes.get(file, -1))
        return f"Looked at: {rows}." if rows else ""
