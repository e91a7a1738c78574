"""What ``rules.toml`` says of rows and pieces: columns that agree, piles, sizes that fit; names and patterns looked up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from pnp.read import presets
from pnp.read.rulenames import Names
from pnp.read.rulesschema import FitRules, PileRules
from pnp.shapes import units
from pnp.values.game import Component
from pnp.values.problems import listed
from pnp.values.rules import Agreement, Fit, Part, Pattern, Pile
from pnp.values.tables import Row, Table

# A column is a word; {deck.name:last} goes on to the row that it refers to, and takes its last word.
_PART = re.compile(r"\{([\w-]+(?:\.[\w-]+){0,4})(?::(first|last))?\}|(\*+)")
WORDS: Mapping[str, Literal["", "first", "last"]] = {"": "", "first": "first", "last": "last"}
# Kinds on which nothing lies, those that have a back to be shuffled by, and those that lie in nothing.
UPRIGHT = ("standee", "pawn", "prism", "die", "ship", "screen", "dial")
SHUFFLED = ("card", "tile", "domino", "token")
HOLLOW = ("screen", "box", "pouch", "dial")


def agreed(typed: Mapping[str, Mapping[str, Sequence[str]]], names: Names) -> tuple[Agreement, ...]:
    """What ``[agree.TABLE]`` says, without what cannot be."""
    made = []
    for name, columns in typed.items():
        if not names.table(name, "agree", name):
            continue
        table = names.tables.get(name)
        for column, written in columns.items():
            path = ("agree", name, column)
            if table is None or not names.columns(table, [column], *path):
                continue
            patterns = [_pattern(text, column, table, names, *path) for text in written]
            if None not in patterns:
                table.use([column])
                read = tuple(pattern for pattern in patterns if pattern is not None)
                made.append(Agreement(name, column, read, "", names.lines.place(*path)))
    return tuple(made)


def alike(typed: Mapping[str, Mapping[str, Sequence[str]]], names: Names) -> tuple[Agreement, ...]:
    """What ``[alike.TABLE]`` says, without what cannot be."""
    made = []
    for name, columns in typed.items():
        if not names.table(name, "alike", name):
            continue
        table = names.tables.get(name)
        for by, others in columns.items():
            path = ("alike", name, by)
            if table is None or not names.columns(table, [by, *others], *path):
                continue
            table.use([by, *others])
            said = [row.named(by) for row in table if row.named(by)]
            if by in others:
                _nothing(names, f'"{by}" is always like itself', by, *path)
            elif table.whole and len(set(said)) == len(said):
                _nothing(names, f'no two rows of {table.file} are alike in "{by}", so that this looks at nothing', by, *path)
            else:
                made += [Agreement(name, other, (), by, names.lines.place(*path)) for other in others]
    return tuple(made)


def _nothing(names: Names, message: str, value: str, *path: str | int) -> None:
    names.problems.error("bad-value", names.lines.place(*path), message, value=value)


def _pattern(text: str, column: str, table: Table, names: Names, *path: str) -> Pattern | None:
    """A pattern in parts; None, with the Problem, where it names no column, or none that could tell anything."""
    parts: list[str | Part | None] = []
    end = 0
    for found in _PART.finditer(text):
        if found.start() > end:
            parts.append(text[end : found.start()])
        parts.append(None if found[3] else Part(tuple(found[1].split(".")), WORDS[found[2] or ""]))
        end = found.end()
    parts += [text[end:]] if end < len(text) else []
    if any(isinstance(part, str) and re.search("[{}]", part) for part in parts):
        names.problems.error(
            "bad-value",
            names.lines.place(*path),
            f'"{text}" has a brace that belongs to no column',
            value=text,
            allowed="{column}, {column.other} for a column of the row that it refers to, {column:first}, {column:last}, *",
        )
        return None
    asked = [part for part in parts if isinstance(part, Part)]
    if not all(_known(part, table, names, *path) for part in asked):
        return None
    if asked and table.whole and not any(all(part.of(row) for part in asked) for row in table):
        _nothing(
            names,
            f'in no row of {table.file} all columns of "{text}" say something, so that it looks at nothing',
            text,
            *path,
        )
        return None
    if all(part is None for part in parts) or any(part.columns == (column,) and not part.word for part in asked):
        _nothing(names, f'"{text}" is true of whatever "{column}" says, so that it looks at nothing', text, *path)
        return None
    return tuple(parts)


def _known(part: Part, table: Table, names: Names, *path: str) -> bool:
    """Whether a part's columns are there: the first in the table, each other in rows that the one before refers to."""
    if not names.columns(table, part.columns[:1], *path):
        return False
    rows: Iterable[Row] = table.rows
    table.use(part.columns[:1])
    for before, column in zip(part.columns, part.columns[1:], strict=False):
        rows = [cell.value for row in rows if (cell := row.cells.get(before)) and isinstance(cell.value, Row)]
        if not rows:
            names.problems.error(
                "unknown-column",
                names.lines.place(*path),
                f'"{before}" refers to no row of another table, so that there is no "{before}.{column}"',
                value=column,
                hint=f'Say in game.toml which table it refers to: {before} = {{ table = "…" }}.',
            )
            return False
        known = dict.fromkeys(("id", "copies", *(name for row in rows for name in row.cells)))
        if not names.known(f'column that "{before}" leads to', column, known, *path):
            return False
        for row in rows:
            row.used.add(column)
    return True


def piles(typed: Mapping[str, PileRules], names: Names) -> tuple[Pile, ...]:
    """What ``[pile.NAME]`` says, without what cannot be."""
    made = []
    for key, pile in typed.items():
        path = ("pile", key)
        sound = [names.component(name, *path, "of") for name in pile.of]
        if not all(sound):
            continue
        for name in pile.of:
            kind = names.game.component[name].kind
            if kind not in SHUFFLED:
                place, allowed = names.lines.place(*path, "of"), listed(SHUFFLED)
                what = f'"{name}" is a {kind}: nobody shuffles it'
                names.problems.error("bad-value", place, what, value=name, allowed=allowed)
        tables = [names.components[name].table for name in pile.of if name in names.components]
        sound = [names.columns(table, [pile.by], *path, "by") for table in tables if pile.by]
        if not all(sound):
            continue
        for table in tables:
            table.use([pile.by] if pile.by else [])
        made.append(Pile(key, tuple(dict.fromkeys(pile.of)), pile.by or "", pile.sleeved, names.lines.place(*path)))
    return tuple(made)


def fits(typed: Mapping[str, FitRules], names: Names) -> tuple[Fit, ...]:
    """What ``[fit.NAME]`` says, without what cannot be."""
    return tuple(made for key, fit in typed.items() if (made := _fit(key, fit, names)) is not None)


def _fit(key: str, fit: FitRules, names: Names) -> Fit | None:
    path = ("fit", key)
    before = len(names.problems.errors)
    for name in fit.what:
        names.component(name, *path, "what")
    if (fit.in_ is None) == (fit.like is None):
        names.problems.error(
            "missing-key" if fit.in_ is None else "bad-value",
            names.lines.place(*path),
            f'"{key}" must say in what its pieces fit, or what they are as large as' + (", not both" if fit.in_ else ""),
            allowed='in = "…" or like = "…"',
        )
    if fit.like is not None:
        names.component(fit.like, *path, "like")
    within: str | tuple[float, float] = ""
    sized = fit.in_ is not None and (fit.in_[:1].isdigit() or fit.in_ in presets.size_names())
    if sized and fit.in_ is not None and fit.in_ not in names.game.component:
        within = _size(fit.in_, names, *path, "in")
    elif fit.in_ is not None:
        within = fit.in_ if names.component(fit.in_, *path, "in") else ""
    if fit.in_ is not None:
        _lies(fit, names, *path)
    if fit.kinds:
        _kinds(key, fit, within, names)
    room = _length(fit.room or "0mm", names, *path, "room")
    most = _length(fit.most, names, *path, "most") if fit.most else None
    if most is not None and most < room:
        names.problems.error(
            "bad-value",
            names.lines.place(*path, "most"),
            f"at least {units.show(room)} mm and at most {units.show(most)} mm cannot both be spare",
            value=fit.most or "",
        )
    if len(names.problems.errors) > before:
        return None
    return Fit(
        name=key,
        what=tuple(dict.fromkeys(fit.what)),
        within=within,
        like=fit.like or "",
        kinds=tuple(fit.kinds),
        number=fit.number,
        room=room,
        most=most,
        place=names.lines.place(*path),
    )


def _lies(fit: FitRules, names: Names, *path: str) -> None:
    """Whether pieces of these kinds can lie there at all."""
    for key, kinds, what in (("in", UPRIGHT, "nothing lies on"), ("what", HOLLOW, "nobody lays")):
        for name in [fit.in_] if key == "in" else fit.what:
            kind = names.game.component[name].kind if name in names.game.component else ""
            if kind in kinds:
                place = names.lines.place(*path, key)
                names.problems.error("bad-value", place, f'"{name}" is a {kind}, and {what} one', value=name or "")


def _kinds(key: str, fit: FitRules, within: str | tuple[float, float], names: Names) -> None:
    path = ("fit", key, "kinds")
    board = names.components.get(within) if isinstance(within, str) else None
    if isinstance(board, Component) and board.board is not None:
        names.kinds(board.name, fit.kinds, *path)
    elif not isinstance(within, str) or within in names.components:
        names.problems.error(
            "bad-value",
            names.lines.place(*path),
            f'"{fit.in_}" has no fields of kinds: it is no board with a map',
            value=listed(fit.kinds),
            hint="Take kinds away.",
        )


def _size(text: str, names: Names, *path: str) -> tuple[float, float]:
    try:
        return presets.card_size(text)
    except ValueError as error:
        names.problems.error(
            "bad-size", names.lines.place(*path), str(error), value=text, allowed="a size such as 66mm x 91mm"
        )
        return 0.0, 0.0


def _length(text: str, names: Names, *path: str) -> float:
    try:
        return units.length(text)
    except ValueError as error:
        names.problems.error("bad-length", names.lines.place(*path), str(error), value=text, allowed="a length such as 1mm")
        return 0.0
