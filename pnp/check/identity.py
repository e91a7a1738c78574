"""``name-and-id``: in a table whose ids are made of its names ("Sea Wolf", sea-wolf), a row whose id is nearly that of
its name (a warning; one and many is left alone), or that is called as another row's id says.
Why: tables, claims and drawings speak of the row by its id, people by its name.
Example: the row tripoli is called "Tripoly", or tortuga is called "Nassau".
Mend: correct the name, or the id wherever it stands.

Covers: tables of four rows or more of which four in five have ids made of their names.
Not covered: other tables, those of fewer than four rows, and names that have nothing in common with their id.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from pnp.check.names import folded
from pnp.check.wording import UMLAUTS, near, plural
from pnp.values.findings import Subject, reported
from pnp.values.problems import Problem
from pnp.values.tables import NAMING, Row

RULE = "name-and-id"
RULES = (RULE,)

FEWEST = 4
SHARE = 0.8
"""Of so many rows or more, such a share must have ids made of their names."""
# How many letters a name of some length may be off, and still be the same name.
_LONG = 8


@reported
def look(subject: Subject) -> Iterator[Problem]:
    """All tables whose ids are made of names."""
    for table, column in product([table for table in subject.game.every_table if table.key], NAMING):
        rows = [row for row in table if column in row.cells and isinstance(row.cells[column].value, str) and not row.design]
        fitting = {row for row in rows if _fits(row.id, row.cells[column].text)}
        if column == table.key or len(rows) < FEWEST or 2 * len(fitting) < len(rows):
            continue
        # A swap or a slip shows how the table does it as well as what is right.
        whole = {"".join(words): row for row in rows for words in _spelt(row.id)}
        odd = [problem for row in rows if row not in fitting for problem in _odd(row, column, whole)]
        if len(fitting) + len(odd) >= SHARE * len(rows):
            yield from odd


def _odd(row: Row, column: str, whole: Mapping[str, Row]) -> Iterator[Problem]:
    cell = row.cells[column]
    other = next((whole[said] for words in _spelt(cell.text) if (said := "".join(words)) in whole), None)
    if other is not None:
        message = f'the row "{row.id}" is called "{cell.text}", as "{other.id}" should be'
        yield Problem(RULE, cell.place, message, cell.text, hint=f'Call it as its id says, or swap it with "{other.id}".')
    elif _nearly(row.id, cell.text):
        message = f'the row "{row.id}" is called "{cell.text}", which is almost, but not quite, its id'
        hint = "Correct the name, or the id wherever it stands."
        yield Problem(RULE, cell.place, message, cell.text, hint=hint, severity="warning")


def _fits(key: str, name: str) -> bool:
    parts = _plain(key)
    return bool(parts) and any(_in_order(parts, words) or "".join(parts) == "".join(words) for words in _spelt(name))


def _in_order(parts: Sequence[str], words: Iterable[str]) -> bool:
    left = iter(words)
    return all(part in left for part in parts)


def _nearly(key: str, name: str) -> bool:
    """Whether an id would fit if one of its words were a letter or, in a long one, two letters off."""
    parts, words = _plain(key), _plain(name)
    odd = [part for part in parts if part not in words]
    left = [word for word in words if word not in parts]
    if near("".join(parts), "".join(words)):
        return not plural("".join(parts), "".join(words))
    return len(odd) == 1 and any(_alike(odd[0], word) for word in left) and not any(plural(odd[0], word) for word in left)


def _alike(part: str, word: str) -> bool:
    if near(part, word):
        return len(part) > 2
    shortened = (word[:at] + word[at + 1 :] for at in range(len(word)))
    return min(len(part), len(word)) >= _LONG and any(near(part, each) or part == each for each in shortened)


def _spelt(text: str) -> tuple[tuple[str, ...], ...]:
    """The words of a text, once as Konig and once as Koenig where it says König: ids are made in both ways."""
    return tuple(dict.fromkeys((_plain(text), _plain(text.translate(UMLAUTS)))))


def _plain(text: str) -> tuple[str, ...]:
    bare = "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))
    bare = bare.replace("'", "").replace("\u2019", "").replace("\u00df", "ss").replace("_", " ")
    return folded(bare)
