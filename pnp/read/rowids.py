"""Ids of rows: typed in a column, or made from names; different in any case, for files are named after them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pnp.read.devices import is_device
from pnp.values.problems import Place, Problem, Problems, listed
from pnp.values.tables import Cell, Row

# Of a table without a column of ids.
NAMING = ("name", "title")
ALLOWED = "letters, digits, space, - + _ and . inside, at most 80"
# So many faults are slips of the finger; more, and the column is no key.
MOST_SLIPS = 4

_ID = re.compile(r"[\w][\w .+-]{0,79}")


def slug(text: str) -> str:
    """Text as a name for files and ids: small letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:64]


def usable(text: str) -> bool:
    """Whether it can be an id as it is."""
    # Files are called ID-front.png: a dot makes a device of it, the name alone does not.
    return bool(_ID.fullmatch(text)) and not text.endswith((" ", ".")) and not ("." in text and is_device(text))


def row_id(cells: Mapping[str, Cell], key: str, line: int) -> str:
    """The id of a row; of a column that was chosen for it, what cannot be one as it is becomes one."""
    if key:
        text = cells[key].text
        return text if key == "id" or usable(text) else slug(text)
    for column in NAMING:
        if column in cells and (made := slug(cells[column].text)):
            return made
    return f"row-{line}"


def name_apart(rows: Sequence[Row], key: str, table: str, head: Place, problems: Problems) -> bool:
    """Ids that were typed must be usable and different; ids made from names are made different.

    False where so many are neither that the column is no key: then they are made as if it were not there.
    """
    if not key:
        _made_different(rows)
        return True
    empty = double = unusable = 0
    seen: dict[str, Row] = {}
    found: list[Problem] = []
    for row in rows:
        place, typed = row.place_of(key), row.text_of(key)
        if not usable(row.id):
            empty, unusable = empty + (not typed), unusable + bool(typed)
            message = f'"{typed}" cannot be an id: files are named after it'
            found.append(Problem("bad-id", place, message, typed, ALLOWED))
        elif row.id.casefold() in seen:
            double += 1
            first = seen[row.id.casefold()].place
            message = f'the id "{row.id}" stands already in row {first.row}'
            allowed = "an id once; use the copies column for more of the same"
            found.append(Problem("double-id", place, message, row.id, allowed))
        seen.setdefault(row.id.casefold(), row)
    if len(found) <= MOST_SLIPS:
        problems.extend(found)
        return True
    counted = {"empty": empty, "the same as above": double, "not usable as an id": unusable}
    said = ", ".join(f"{count} {what}" for what, count in counted.items() if count)
    problems.error(
        "no-key",
        replace(head, column=key),
        f'the column "{key}" does not name the rows: of {len(rows)} cells {said}; the first is in row {found[0].place.row}',
        value=key,
        allowed="an id in every row, each another one",
        hint=_way_out(rows, key, table),
    )
    for row in rows:
        row.id = row_id({name: cell for name, cell in row.cells.items() if name != key}, "", row.place.row or 0)
    _made_different(rows)
    return False


def _made_different(rows: Sequence[Row]) -> None:
    seen: set[str] = set()
    for row in rows:
        while row.id.casefold() in seen:
            row.id = f"{row.id}-row-{row.place.row}"
        seen.add(row.id.casefold())


def _way_out(rows: Sequence[Row], key: str, table: str) -> str:
    """Which other columns could name the rows."""
    fitting = []
    for column in rows[0].cells:
        made = [row_id(row.cells, column, 0).casefold() for row in rows]
        if column != key and all(made) and len(set(made)) == len(made) and not any(text.isdecimal() for text in made):
            fitting.append(column)
    if fitting:
        return f'Choose another in game.toml: [table.{table}] id = "{fitting[0]}"; fitting: {listed(fitting, 6)}.'
    return f'Name this column otherwise in game.toml, and ids are made: [table.{table}] names = {{number = "{key}"}}.'
