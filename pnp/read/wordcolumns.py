"""Which columns of tables hold words that are printed, and so are translated.

``translate = true`` or ``false`` of a column in game.toml decides. Where it says nothing, the cells do. Not words are ids,
references to other tables, numbers, flags, colours, cells of icons and digits alone; and columns in which every cell is the
name of something, or of several: a colour of the palette, a drawing, the id of a row, a small word such as ``trade``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import replace
from pathlib import Path

from pnp.read.schema import Column, TableRules
from pnp.values.languages import worded
from pnp.values.tables import Table

# What stands for something: small letters without spaces.
_KEY = re.compile(r"[a-z0-9_][a-z0-9._/+-]*")


def with_words(
    tables: Mapping[str, Table], rules: Mapping[str, TableRules], palette: Mapping[str, str], folder: Path
) -> dict[str, Table]:
    """The tables, each with the columns whose cells are translated."""
    drawings = {path.relative_to(folder / "art").with_suffix("").as_posix() for path in (folder / "art").rglob("*.*")}
    ids = (row.id for table in tables.values() for row in table if _KEY.fullmatch(row.id))
    names = {*palette, *drawings, *ids}
    return {
        name: replace(table, words=_words(table, rules[name].columns if name in rules else {}, names))
        for name, table in tables.items()
    }


def _words(table: Table, described: Mapping[str, Column], names: Set[str]) -> tuple[str, ...]:
    return tuple(column for column in table.columns if _holds_words(table, column, described.get(column), names))


def _holds_words(table: Table, column: str, described: Column | None, names: Set[str]) -> bool:
    if described is not None and described.translate is not None:
        return described.translate
    if described is not None and (described.table or described.type not in (None, "text")):
        return False
    if column in ("id", "art", table.counted) or not table.taken.get(column, "text").startswith("text"):
        return False
    texts = {row.cells[column].text for row in table if worded(row.cells[column].text)}
    return any(len(text) > 1 and not _KEY.fullmatch(text) and not _names(text, names) for text in texts)


def _names(text: str, names: Set[str]) -> bool:
    return text in names or names >= {*text.split()}
