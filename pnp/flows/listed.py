"""What the tables of a game were taken for: which column is which, what its cells are, and what nothing uses."""

from __future__ import annotations

from dataclasses import dataclass, field

from pnp.flows.check import prove
from pnp.flows.pipeline import Pipeline
from pnp.read.project import Project
from pnp.read.rowids import NAMING
from pnp.system.cache import Cache
from pnp.values.outcome import NOWHERE, Options, Result
from pnp.values.tables import Table


@dataclass(frozen=True, slots=True)
class ColumnListed:
    """A column: its title as typed, its name in templates, what its cells are taken for."""

    title: str | None
    """None for one that is computed."""
    name: str
    taken: str
    key: bool
    copies: bool
    used: bool | None
    """None where something is wrong, so that nobody can say."""


@dataclass(frozen=True, slots=True)
class TableListed:
    """A table: where it is, and its columns."""

    name: str
    file: str
    sheet: str | None
    rows: int
    columns: list[ColumnListed]


@dataclass(frozen=True, slots=True)
class GameListed:
    """A game: its components and tables, and in how many ways it is wrong."""

    title: str | None
    components: list[str] = field(default_factory=list)
    tables: list[TableListed] = field(default_factory=list)
    errors: int = 0


def list_game(project: Project, name: str, cache: Cache | None = None) -> GameListed:
    """What a game is made of. Raises NoSuchGame."""
    made = Pipeline(project, name, Options(NOWHERE), cache=cache)
    if made.game is None:
        return GameListed(None, errors=len(made.problems.errors))
    # Who asks for a column is known once everything has been drawn and checked.
    prove(made, Result(name, made.problems), pictures=False)
    errors = len(made.problems.errors)
    tables = [_listed(table, sure=not errors) for table in made.game.tables.values()]
    return GameListed(made.game.title, [component.name for component in made.game.components], tables, errors)


def _listed(table: Table, sure: bool) -> TableListed:
    key = table.key or next((column for column in NAMING if column in table.columns), "")
    titles = dict(zip(table.columns, table.titles, strict=False))
    columns = [
        ColumnListed(
            titles.get(name),
            name,
            table.taken.get(name, "text"),
            name == key,
            name == table.counted,
            name in table.used if sure else None,
        )
        for name in table.columns
    ]
    return TableListed(table.name, table.file, table.sheet, len(table.rows), columns)
