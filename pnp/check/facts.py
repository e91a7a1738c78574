"""What claims may ask of a game: its rows, counts, boards, layouts, dice, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, TypeVar

from pnp.sandbox.values import BadExpression, shown
from pnp.shapes.affine import Rect
from pnp.shapes.grids import GridName, bounds
from pnp.values.cells import Number, canonical, unwrapped
from pnp.values.game import Board, Component, Field, Game, Layout
from pnp.values.problems import closest, listed
from pnp.values.tables import Row, Table

Thing = TypeVar("Thing")
Seen = dict[str, list[Row]]
"""Rows that an expression asked for, by file."""
Pick = Callable[[Table, Mapping[str, Any]], list[Row]]
"""Chooses rows of a table by what their columns say, and puts down which were asked for."""


def names_of(
    game: Game, seen: Seen, spend: Callable[[int], None], more: Callable[[Pick], Mapping[str, Any]]
) -> dict[str, Any]:
    """The names that expressions may use; rows that are asked for are put down in ``seen``, and counted by ``spend``.

    ``more`` makes further names, of what picks rows here.
    """
    indexes: dict[tuple[Table, str], dict[str, list[Row]]] = {}
    components = {component.name: component for component in game.components}
    layouts = {layout.name: layout for layout in game.layouts}
    laid: dict[str, dict[str, Any]] = {}
    # A tracker may be called like the table of its spaces: then that is what is asked for, not its own one row.
    own = {name: component.table for name, component in components.items() if component.table.file != game.file}
    tables = {**{name: component.table for name, component in components.items()}, **game.tables, **own}

    def index(table: Table, column: str) -> dict[str, list[Row]]:
        """The rows by what they say in a column, looked through once."""
        if (table, column) not in indexes:
            spend(len(table.rows))
            made = indexes[table, column] = {}
            for row in table:
                for text in row.sayings(column):
                    made.setdefault(text, []).append(row)
        return indexes[table, column]

    def picked(table: Table, where: Mapping[str, Any]) -> list[Row]:
        rows = list(table.rows)
        known_columns(table.file, where, (*table.columns, "id", "copies"))
        for number, (column, wanted) in enumerate(where.items()):
            if number == 0:
                found = index(table, column)
                rows = list(dict.fromkeys(row for text in texts_of(wanted) for row in found.get(text, ())))
            else:
                rows = [row for row in rows if not {*texts_of(wanted)}.isdisjoint(row.sayings(column))]
        spend(len(rows))
        for file in {table.file: None} if not rows else dict.fromkeys(str(row.place.file) for row in rows):
            seen.setdefault(file, []).extend(row for row in rows if row.place.file == file)
        return rows

    def of(name: str) -> Component:
        return named("component", name, components)

    def board(name: str) -> dict[str, Any]:
        made = of(name).board
        if made is None:
            raise BadExpression(f'the component "{name}" has no map', name)
        spend(len(made.fields))
        return _board(made, seen)

    def hexes(name: str, /, **where: Any) -> list[Row]:
        made = of(name).hexes
        if made is None:
            raise BadExpression(f'the component "{name}" has no hexes', name)
        rows = tuple(cell.row for cells in made.tiles.values() for cell in cells)
        file = rows[0].place.file if rows else ""
        return picked(Table(name, file, tuple(rows[0].cells) if rows else (), rows, set()), where)

    def layout(name: str) -> dict[str, Any]:
        made = named("layout", name, layouts)
        spend(len(made.slots))
        for slot in made.slots:
            seen.setdefault(slot.row.place.file, []).append(slot.row)
        if name not in laid:
            laid[name] = _layout(made)
        return laid[name]

    return {
        **more(picked),
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
    """What has this name among those that are known."""
    if not isinstance(name, str) or name not in known:
        raise BadExpression(f"there is no {what} {shown(name)}", str(name), listed(known, 24), closest(str(name), known))
    return known[name]


def known_columns(file: str, asked: Iterable[str], columns: Iterable[str]) -> None:
    """Whoever asks for a column that is not there gets an answer, not an empty list."""
    known = list(dict.fromkeys(columns))
    for column in asked:
        if column not in known:
            raise BadExpression(f'{file} has no column "{column}"', column, listed(known), closest(column, known))


def texts_of(wanted: Any) -> list[str]:
    """What a cell may say to be what is wanted: a text, a number, yes or no, a row, or one of several of these."""
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
            raise BadExpression(f"{shown(row)} is no row whose copies could be counted")
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
            if not any(texts.isdisjoint(field.row.sayings(column)) for column, texts in wanted.items()):
                seen.setdefault(field.row.place.file, []).append(field.row)
                made.append(_field(field, board))
        return made

    return {"columns": board.columns, "rows": board.rows, "cell": board.cell, "fields": fields}


def _field(field: Field, board: Board) -> dict[str, Any]:
    columns, rows, box = _extent(board.grid, field.cells, board.cell)
    return {
        "letter": field.letter,
        "kind": field.row.said("kind"),
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
            parts.append(f"{name} {'row' if len(lines) == 1 else 'rows'} {listed(_spans(lines), 8)}")
    return "; ".join(parts)


def _spans(lines: list[int]) -> list[str]:
    spans: list[list[int]] = []
    for line in lines:
        if spans and line == spans[-1][1] + 1:
            spans[-1][1] = line
        else:
            spans.append([line, line])
    return [str(first) if first == last else f"{first}-{last}" for first, last in spans]
