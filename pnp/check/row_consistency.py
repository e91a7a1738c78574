"""Checks that rows which are alike in one column are alike in another.

A finding stands at the column with the pattern, though another cell may be wrong.

``disagrees``: a column does not say what ``[agree.TABLE]`` makes of the others of its row; or rows alike in one column
differ in those that ``[alike.TABLE]`` names. Case, accents, and what parts words make no difference.
Why: a value in the wrong row looks as well as in the right one.
Example: with ``[agree.handicap] id = "{deck}-{number}"`` the row ``wheel-3`` has the deck bell; with ``[alike.penguins]
sign = ["colour"]`` one of nine circles is red, the others yellow.
Mend: correct the cell, or the one that it was made from; the hint names both. A row that is meant is allowed.

``odd-row``: without a pattern, a row breaks what four or more others keep: a column stands in their ids (``wheel-1``,
``wheel-2``), or their ids in it (``cards/fire.svg``). A warning.
Why: it is the same mistake, in a game that says nothing of it.
Example: all rows have their deck in their ids, but wheel-3 has the deck bell.
Mend: correct the cell; or say in ``[agree.TABLE]`` how it is.

Covers: tables that ``[agree]`` and ``[alike]`` name; else ids, owners and art, where four rows or more show a pattern.
Not covered: a row that is wrong in all its columns alike.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from glob import escape

from pnp.check.wording import UMLAUTS
from pnp.values.findings import Subject, reported
from pnp.values.game import Game
from pnp.values.problems import About, Problem, listed
from pnp.values.rules import Agreement, Part, Pattern
from pnp.values.tables import Row, Table
from pnp.values.walk import grouped

DISAGREES, ODD = "disagrees", "odd-row"
RULES = (DISAGREES, ODD)

# Stands for anything in a text that is compared.
_ANYTHING = "\0"
# So many rows must do as the others, for each that does not.
LEAST, TIMES = 4, 4
# Of a column with more values no other is looked for that would do, and for so many findings.
_MOST_HINTS = 40
_MOST_VALUES = 300
_WORDS = re.compile(r"[\w./#-]{1,80}")


@reported
def look(subject: Subject) -> Iterator[Problem]:
    """Every table that a rule names, and all others that have ids."""
    game = subject.game
    pieces = {id(row): component.name for component in game.components for row in component.table}
    for agreement in game.rules.agreements:
        if (table := game.tables.get(agreement.table)) is not None:
            yield from (_by_patterns if agreement.patterns else _alike)(table, agreement, pieces)
    for table in game.tables.values():
        if table.whole:
            yield from _odd(table, _spoken_for(game, table), pieces)


def folded(text: str) -> str:
    """A text as it is compared: small letters and digits, with a hyphen for whatever parts them."""
    if not text.isascii():
        text = "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
    plain = text.casefold()
    numbered = re.sub(r"(?<!\w)[-\u2212](?=\d)", "minus", re.sub("['\u2019\u02bc`]", "", plain))
    return re.sub(rf"[^\w{_ANYTHING}]+|_+", "-", numbered).strip("-") or text


def _spelt(text: str) -> tuple[str, ...]:
    """A text folded, once as Koenig and once as Konig where it says König: ids are made in both ways."""
    return folded(text), folded(text.translate(UMLAUTS))


def _agree(said: str, made: str) -> bool:
    return any(matches(one, pattern) for one in _spelt(said) for pattern in _spelt(made))


def matches(said: str, pattern: str) -> bool:
    """Whether a folded text is as a folded pattern says, in which some signs stand for anything."""
    return said == pattern or (_ANYTHING in pattern and fnmatchcase(said, escape(pattern).replace(_ANYTHING, "*")))


def _made(pattern: Pattern, row: Row, instead: Mapping[Part, str] | None = None) -> str:
    texts = []
    for part in pattern:
        text = part if isinstance(part, str) else _ANYTHING if part is None else (instead or {}).get(part, part.of(row))
        if not text:
            return ""
        texts.append(text)
    return "".join(texts)


def _sayings(row: Row, column: str) -> list[str]:
    """The texts of a cell that count as the same: as typed, the id of the row it refers to, a number's shortest form."""
    cell = row.cells.get(column)
    return list(dict.fromkeys([cell.text, *row.aliases(column)])) if cell else [row.text_of(column)]


def _by_patterns(table: Table, agreement: Agreement, pieces: Mapping[int, str]) -> Iterator[Problem]:
    column, values, told = agreement.column, _values(table, agreement), 0
    for row in table:
        made = [text for pattern in agreement.patterns if (text := _made(pattern, row))]
        said = _sayings(row, column)
        if not made or any(_agree(one, text) for one in said for text in made):
            continue
        told += 1
        wanted = listed([f'"{text.replace(_ANYTHING, "*")}"' for text in made])
        what = f'the {column} "{said[0]}" of "{row.id}"' if said[0] else f'the empty {column} of "{row.id}"'
        what = f'the id "{row.id}"' if column in ("id", table.key) else what
        message = (
            f"{what} does not agree with its row: by the other columns it would be {wanted} "
            f"(rules.toml row {agreement.place.row})"
        )
        hint = _instead(agreement, row, values if told <= _MOST_HINTS else {})
        yield Problem(DISAGREES, row.place_of(column), message, said[0], wanted, hint, about=_about(row, pieces))


def _values(table: Table, agreement: Agreement) -> dict[Part, list[str]]:
    """The values of rows in the columns that the patterns name, where there are few enough to try each."""
    parts = [part for pattern in agreement.patterns for part in pattern if isinstance(part, Part)]
    asked = {part: list(dict.fromkeys(filter(None, map(part.of, table)))) for part in parts if len(part.columns) == 1}
    return {part: values for part, values in asked.items() if len(values) <= _MOST_VALUES and part.columns != ("id",)}


def _instead(agreement: Agreement, row: Row, values: Mapping[Part, Sequence[str]]) -> str:
    """Another cell of the row that could be the wrong one: with a value of other rows in it, all would agree."""
    said = _sayings(row, agreement.column)
    ways = {
        (part.columns[0], value)
        for pattern in agreement.patterns
        for part in pattern
        if isinstance(part, Part)
        for value in values.get(part, ())
        if any(_agree(one, _made(pattern, row, {part: value})) for one in said)
    }
    if len(ways) != 1:
        return "Correct it, or what it is told from."
    ((column, value),) = ways
    return f'Correct it, or write "{value}" in the column {column}.'


def _alike(table: Table, agreement: Agreement, pieces: Mapping[int, str]) -> Iterator[Problem]:
    groups = grouped((said, row) for row in table if (said := row.ref_id(agreement.by)))
    column = agreement.column
    for said, rows in groups.items():
        counted = Counter(folded(_sayings(row, column)[0]) for row in rows)
        if len(counted) < 2:
            continue
        (most, times), (_, second) = counted.most_common(2)
        odd = [row for row in rows if folded(_sayings(row, column)[0]) != most]
        others = [row for row in rows if folded(_sayings(row, column)[0]) == most]
        usual = _sayings(others[0], column)[0]
        # Of two that differ nobody knows which is wrong.
        even = " (or they are wrong)" if times == second else ""
        for row in odd:
            value = _sayings(row, column)[0]
            message = (
                f'"{row.id}" has {column} "{value}"; the other rows with {agreement.by} "{said}" have "{usual}"{even}: '
                f"row{'s' * (len(others) > 1)} {listed((str(other.place.row) for other in others), 4)} "
                f"(rules.toml row {agreement.place.row})"
            )
            hint = "Correct it; or the rows are not alike."
            yield Problem(DISAGREES, row.place_of(column), message, value, f'"{usual}"', hint, about=_about(row, pieces))


def _about(row: Row, pieces: Mapping[int, str]) -> About | None:
    return About(pieces[id(row)], row.id) if id(row) in pieces else None


def _spoken_for(game: Game, table: Table) -> set[str]:
    found: set[str] = set()
    for agreement in game.rules.agreements:
        if agreement.table == table.name:
            parts = [part for pattern in agreement.patterns for part in pattern if isinstance(part, Part)]
            found |= {agreement.column, *(part.columns[0] for part in parts)} - {"id"}
    return found


def _odd(table: Table, spoken_for: Iterable[str], pieces: Mapping[int, str]) -> Iterator[Problem]:
    if not table.key and "id" not in table.columns:
        return  # Ids that are made of names agree with them.
    ids = {row.id: _parted(row.id) for row in table}
    for column in table.columns:
        if column in (table.key, table.counted, *spoken_for):
            continue
        said = {row.id: text for row in table if (text := row.display(column))}
        if all(_WORDS.fullmatch(text.replace(" ", "-")) for text in said.values()):
            parted = {text: _parted(text) for text in said.values()}
            yield from _told(table, column, _not_in_ids(said, ids, parted), pieces)
            yield from _told(table, column, _without_ids(said, ids, parted), pieces)


def _parted(text: str) -> str:
    return f"-{folded(text)}-"


def _not_in_ids(said: Mapping[str, str], ids: Mapping[str, str], parted: Mapping[str, str]) -> dict[str, str]:
    """By row, the value that its id names instead; nothing where not most ids name the value of their row."""
    values = {form: text for text, form in parted.items() if len(form) > 2}
    if len(values) < 2 or len(values) > _MOST_VALUES:
        return {}
    fits = [row for row, text in said.items() if parted[text] in ids[row]]
    if len(fits) < LEAST or len(fits) < TIMES * (len(said) - len(fits)):
        return {}
    other = {
        row: [text for form, text in values.items() if form in ids[row]]
        for row, text in said.items()
        if parted[text] not in ids[row]
    }
    named = {row: texts[0] for row, texts in other.items() if len(texts) == 1}
    return named if len(fits) + len(named) == len(said) else {}


def _without_ids(said: Mapping[str, str], ids: Mapping[str, str], parted: Mapping[str, str]) -> dict[str, str]:
    """By row, its own id, where it names another row's; nothing where not most values name the id of their row."""
    fits = [row for row, text in said.items() if ids[row] in parted[text]]
    left = [row for row in said if row not in set(fits)]
    if len(fits) < LEAST or len(fits) < TIMES * len(left) or len(left) * len(ids) > 100_000:
        return {}
    return {row: row for row in left if any(form in parted[said[row]] for form in ids.values())}


def _told(table: Table, column: str, odd: Mapping[str, str], pieces: Mapping[int, str]) -> Iterator[Problem]:
    for row in table:
        if row.id in odd:
            said = row.display(column)
            message = f'the row "{row.id}" has {column} "{said}", while id and {column} of the other rows agree'
            hint = f'Correct it; or say in rules.toml how it is: [agree.{table.name}] {column} = "…".'
            yield Problem(ODD, row.place_of(column), message, said, f'"{odd[row.id]}"', hint, "warning", _about(row, pieces))
