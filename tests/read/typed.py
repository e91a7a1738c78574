"""Tables typed in a test, without a file; a line is a row, cells apart by commas, the header first."""

from __future__ import annotations

from pnp.values.game import Component
from pnp.values.problems import Place
from pnp.values.tables import Cell, Row, Table


def typed(text: str, name: str = "typed", whole: bool = True) -> Table:
    """The table; a column ``id`` names its rows, else their line."""
    header, *lines = text.split("\n")
    columns = tuple(header.split(","))
    used: set[str] = set()
    rows = []
    for line, content in enumerate(lines, 2):
        texts = dict(zip(columns, content.split(","), strict=True))
        cells = {column: Cell(cell, cell, Place(name, line, column)) for column, cell in texts.items()}
        rows.append(Row(texts.get("id", str(line)), 1, Place(name, line), cells, used))
    return Table(name, name, columns, tuple(rows), used, whole)


def component(table: Table, kind: str) -> Component:
    """A component of these rows; only what reading asks for is real."""
    return Component("pieces", "Pieces", kind, table, "pieces", None, 10, 10, 0, "card", Place("game.toml"))
