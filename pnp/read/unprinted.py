"""Rows of a table of pieces that are pieces of no component, because each ``where`` leaves them out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pnp.read.schema import GameFile
from pnp.values.game import Component
from pnp.values.problems import Problems, closest, listed
from pnp.values.tables import Row, Table

_MOST_NAMED = 6
_MOST_LETTERS = 1_000_000


def tell_unprinted(
    rules: GameFile,
    tables: Mapping[str, Table],
    components: Sequence[Component],
    folder: Path,
    roots: Sequence[Path],
    problems: Problems,
) -> None:
    """A warning for each table that has such rows and serves for pieces alone; a row of no copies is meant to be none."""
    taken = {row.place for component in components for row in component.table}
    elsewhere = set(_elsewhere(rules))
    for name, table in tables.items():
        left = [row for row in table if row.copies and row.place not in taken]
        if not left or len(left) == len(table.rows) or name in elsewhere or not all(row.sound for row in table):
            continue
        if any(_looks_up(text, name, name in rules.component) for text in _texts(folder, roots)):
            continue
        readers = [key for key, component in rules.component.items() if ("table", name) in component.tables(key)]
        problems.warn(
            "unprinted-rows",
            left[0].place,
            f'{len(left)} of {len(table.rows)} rows of the table "{name}" are pieces of no component, and are not '
            f"printed: {listed((row.id for row in left), _MOST_NAMED)}",
            value=left[0].id,
            hint=_meant(left[0], readers, rules)
            or f"Mend the cell, or the where of {listed(readers)}; copies 0 says that it is meant.",
        )


def _elsewhere(rules: GameFile) -> Iterator[str]:
    """The tables that are something besides pieces: legends, spaces, layouts, what other tables refer to."""
    for key, component in rules.component.items():
        yield from (name for role, name in component.tables(key) if role != "table")
    yield from (layout.table or key for key, layout in rules.layout.items())
    for ruled in rules.table.values():
        yield from (column.table for column in ruled.columns.values() if column.table)


def _texts(folder: Path, roots: Sequence[Path]) -> Iterator[str]:
    """The game's templates, books and rules."""
    files = [path for root in roots for path in sorted(root.glob("*.j2"))]
    for path in (*files, *sorted(folder.glob("*.md")), folder / "rules.toml"):
        if path.is_file():
            with path.open(encoding="utf-8", errors="replace") as file:
                yield file.read(_MOST_LETTERS)


def _looks_up(text: str, name: str, component: bool) -> bool:
    """Whether a text asks for a table's rows; ``rows`` of a name that a component has as well asks for its pieces."""
    called = re.escape(name)
    asked = rf"""\btables\s*(?:\.\s*{called}\b|\[\s*["']{called}["']|\[\s*[^\s"'])"""
    if not component:
        asked += rf"""|\brows\(\s*(?:\\?["']{called}\\?["']|[^\s"'\\])"""
    return re.search(asked, text) is not None


def _meant(row: Row, readers: Sequence[str], rules: GameFile) -> str:
    """The value of a ``where`` that a cell nearly says, as a question."""
    for key in readers:
        for column, condition in rules.component[key].where.items():
            names = [value for value in condition.in_ or () if isinstance(value, str)]
            if column in row and (meant := closest(row.said(column), names)):
                return f"{column}: {meant}"
    return ""
