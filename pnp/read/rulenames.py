"""What the names in a ``rules.toml`` may mean, and what is said where they mean nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pnp.read.flat import MapBoard
from pnp.read.schema import GameFile
from pnp.read.tomlfile import Lines
from pnp.values.game import Component
from pnp.values.problems import Problems
from pnp.values.tables import Table


@dataclass(frozen=True, slots=True)
class Names:
    """What the names in a rules.toml may mean: what game.toml declares, and as much of it as could be read."""

    game: GameFile
    tables: Mapping[str, Table]
    components: Mapping[str, Component]
    lines: Lines
    problems: Problems

    def known(self, what: str, name: str, known: Iterable[str], *path: str | int) -> bool:
        """Whether a name is one of those that are known; else that is a Problem."""
        names = list(known)
        if name in names:
            return True
        place = self.lines.place(*path)
        self.problems.unknown(f"unknown-{what.split()[0]}", place, f'"{name}" is not a {what}', name, names, most=24)
        return False

    def component(self, name: str, *path: str | int) -> bool:
        return self.known("component", name, self.game.component, *path)

    def table(self, name: str, *path: str | int) -> bool:
        known = {*self.tables, *self.game.table}
        return self.known("table", name, sorted(known), *path)

    def columns(self, table: Table | None, columns: Iterable[str], *path: str | int) -> bool:
        """Whether a table has these columns; one that could not be read has all."""
        if table is None:
            return True
        known = dict.fromkeys((*table.columns, "id", "copies"))
        unknown = [column for column in columns if not self.known(f"column of {table.file}", column, known, *path)]
        return not unknown

    def where(self, component: str, where: Mapping[str, str], *path: str | int, there: bool) -> None:
        """Its columns must be known, and with ``there`` some row must have the value: else it is a slip of the finger."""
        made = self.components.get(component)
        if made is None or not self.columns(made.table, where, *path):
            return
        made.table.use(where)
        for column, wanted in where.items():
            if there and made.table.whole and not any(row.says(column, wanted) for row in made.table):
                values = dict.fromkeys(row.text_of(column) for row in made.table)
                self.problems.unknown(
                    "unknown-value",
                    self.lines.place(*path),
                    f'no row of {made.table.file} has {column} "{wanted}"',
                    wanted,
                    values,
                )

    def kinds(self, component: str, kinds: Iterable[str], *path: str | int) -> None:
        """Kinds of fields must stand in the board's legend."""
        board = self.game.component[component]
        legend = self.tables.get(board.legend) if isinstance(board, MapBoard) else None
        if legend is None or not legend.whole or not self.columns(legend, ["kind"], *path):
            return
        known = dict.fromkeys(row.text_of("kind") for row in legend)
        for kind in kinds:
            self.known(f"kind of field in {legend.file}", kind, known, *path)
