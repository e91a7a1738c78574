"""Double-n domino sets: a table that nobody has to type."""

from __future__ import annotations

from pnp.values.problems import Place
from pnp.values.tables import Cell, Row, Table

COLUMNS = ("id", "name", "a", "b")


def domino_table(name: str, highest: int, place: Place) -> Table:
    """Every unordered pair of 0 … ``highest`` once: (n + 1)(n + 2) / 2 rows with a ≤ b."""
    rows = []
    used = set(COLUMNS)
    for a in range(highest + 1):
        for b in range(a, highest + 1):
            texts = {"id": f"{a}-{b}", "name": f"{a} | {b}", "a": str(a), "b": str(b)}
            cells = {column: Cell(int(text) if column in "ab" else text, text, place) for column, text in texts.items()}
            rows.append(Row(texts["id"], 1, place, cells, used))
    return Table(name, place.file, COLUMNS, tuple(rows), used)
