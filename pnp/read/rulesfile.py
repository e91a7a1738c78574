"""Reads ``rules.toml`` into :class:`pnp.values.sections.Rules`; looks its names up in the game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from pnp.dataclass import dataclass
from pnp.read import presets
from pnp.read.flat import MapBoard, Tile
from pnp.read.schema import GameFile
from pnp.read.tomlfile import Lines, Model, causes, load_toml, report_fault, tell_doubled
from pnp.shapes import units
from pnp.values.game import Component
from pnp.values.problems import Problems, listed
from pnp.values.rules import Agreement, Named, Part, Pattern, Rules
from pnp.values.sections import (
    Colours,
    Counting,
    Economy,
    Exchange,
    Fit,
    Movement,
    Pile,
    RulesFile,
    Setup,
    Shuffle,
    Words,
)
from pnp.values.tables import Row, Table

MODEL = Model(RulesFile)

MOST_NUMBERS = 4
"""In one phrase: each may be read in several ways, and all together are tried."""
# A column is a word; {deck.name:last} goes on to the row that it refers to, and takes its last word.
_PART = re.compile(r"\{([\w-]+(?:\.[\w-]+){0,4})(?::(first|last))?\}|(\*+)")
_WORDS: Mapping[str, Literal["", "first", "last"]] = {"": "", "first": "first", "last": "last"}
# Kinds on which nothing lies, those that have a back to be shuffled by, and those that lie in nothing.
UPRIGHT = ("standee", "pawn", "prism", "die", "ship", "screen", "dial")
SHUFFLED = ("card", "tile", "domino", "token")
HOLLOW = ("screen", "box", "pouch", "dial")


def read_rules(
    path: Path,
    shown: str,
    game: GameFile,
    tables: Mapping[str, Table],
    components: Sequence[Component],
    problems: Problems,
    instead: bytes | None = None,
) -> Rules:
    """The game's rules; empty for no file, and, with Problems, for a faulty one."""
    if (loaded := load_toml(path, shown, "", problems, instead)) is None:
        return Rules()
    data, lines = loaded
    try:
        typed = RulesFile.model_validate(data)
    except ValidationError as error:
        for fault in causes(error.errors()):
            report_fault(fault, MODEL, lines, problems)
        return Rules()
    tell_doubled(data, lines, problems)
    names = Names(game, tables, {component.name: component for component in components}, lines, problems)
    economy = typed.economy or (Economy() if typed.exchange else None)
    section: tuple[str | int, ...] = ("economy",) if typed.economy else ("exchange", 0)
    return Rules(
        numbers=tuple(Named(name, number, lines.place("numbers", name)) for name, number in typed.numbers.items()),
        claims=tuple(claim.at(lines.place("claim", key), key) for key, claim in typed.claim.items()),
        setup=_setup(typed.setup, names) if typed.setup else None,
        words=_words(typed.words, names) if typed.words else None,
        economy=_economy(economy, names, *section) if economy else None,
        exchanges=tuple(filter(None, (_exchange(index, each, names) for index, each in enumerate(typed.exchange)))),
        movements=tuple(filter(None, (_movement(key, movement, names) for key, movement in typed.movement.items()))),
        shuffles=tuple(filter(None, (_shuffle(key, shuffle, names) for key, shuffle in typed.shuffle.items()))),
        colours=tuple(filter(None, (_colours(index, each, names) for index, each in enumerate(typed.colours)))),
        agreements=(*_agreed(typed.agree, names), *_alike(typed.alike, names)),
        piles=tuple(filter(None, (_pile(key, pile, names) for key, pile in typed.pile.items()))),
        fits=tuple(filter(None, (_fit(key, fit, names) for key, fit in typed.fit.items()))),
        allowed=tuple(allow.at(lines.place("allow", index)) for index, allow in enumerate(typed.allow)),
    )


@dataclass(frozen=True, slots=True)
class Names:
    """The names that a rules.toml may use: all that game.toml declares, and what could be read of it."""

    game: GameFile
    tables: Mapping[str, Table]
    components: Mapping[str, Component]
    lines: Lines
    problems: Problems

    def known(self, what: str, name: str, known: Iterable[str], *path: str | int) -> bool:
        """Whether a name is known; reports it otherwise."""
        names = list(known)
        if name in names:
            return True
        place = self.lines.place(*path)
        self.problems.unknown(f"unknown-{what.split()[0]}", place, f'"{name}" is not a {what}', name, names, most=24)
        return False

    def wrong(self, message: str, value: str, *path: str | int, allowed: str = "", hint: str = "") -> None:
        self.problems.error("bad-value", self.lines.place(*path), message, value=value, allowed=allowed, hint=hint)

    def component(self, name: str, *path: str | int) -> bool:
        return self.known("component", name, self.game.component, *path)

    def table(self, name: str, *path: str | int) -> bool:
        known = {*self.tables, *self.game.table}
        return self.known("table", name, sorted(known), *path)

    def columns(self, table: Table | None, columns: Iterable[str], *path: str | int) -> bool:
        """Whether a table has these columns; an unreadable one has all."""
        if table is None:
            return True
        known = dict.fromkeys((*table.columns, "id", "copies"))
        unknown = [column for column in columns if not self.known(f"column of {table.file}", column, known, *path)]
        return not unknown

    def where(self, component: str, where: Mapping[str, str], *path: str | int, there: bool) -> None:
        """Reports unknown columns, and, with ``there``, values that no row has."""
        made = self.components.get(component)
        if made is None or not self.columns(made.table, where, *path):
            return
        made.table.use(where)
        for column, wanted in where.items():
            if there and made.table.whole and not any(row.matches(column, wanted) for row in made.table):
                values = dict.fromkeys(row.text_of(column) for row in made.table)
                message = f'no row of {made.table.file} has {column} "{wanted}"'
                self.problems.unknown("unknown-value", self.lines.place(*path), message, wanted, values)

    def kinds(self, component: str, kinds: Iterable[str], *path: str | int) -> None:
        """Reports kinds of fields that the board's legend lacks."""
        board = self.game.component[component]
        legend = self.tables.get(board.legend) if isinstance(board, MapBoard) else None
        if legend is None or not legend.whole or not self.columns(legend, ["kind"], *path):
            return
        known = dict.fromkeys(row.text_of("kind") for row in legend)
        for kind in kinds:
            self.known(f"kind of field in {legend.file}", kind, known, *path)


def _setup(setup: Setup, names: Names) -> Setup:
    takes = {}
    for key, take in setup.take.items():
        path = ("setup", "take", key)
        if names.component(take.component, *path, "from"):
            # That no row has a value is told by the set-up, with how many are needed of it.
            names.where(take.component, take.where, *path, "where", there=False)
            if take.on:
                names.known("kind of field", take.on, _field_kinds(names), *path, "on")
            takes[key] = take.at(names.lines.place(*path), key)
    return setup.at(names.lines.place("setup"), take=takes)


def _field_kinds(names: Names) -> list[str]:
    """The kinds of fields in the legends of the boards that could be read."""
    boards = [component.board for component in names.components.values() if component.board]
    return list(dict.fromkeys(field.row.text_of("kind") for board in boards for field in board.fields))


def _words(words: Words, names: Names) -> Words:
    counts = []
    for says, numbers in words.numbers.items():
        path, wanted = ("words", "counts", says), says.count("#") or 1
        if not says.replace("#", "").strip() or says.count("#") > MOST_NUMBERS:
            message = f'"{says}" is no phrase with a word in it, and with {MOST_NUMBERS} # at most'
            names.wrong(message, says, *path, hint='Write "up to # squares".')
        elif len(numbers) != wanted:
            message = (
                f'"{says}" has {says.count("#")} #, and {len(numbers)} numbers'
                if "#" in says
                else (f'"{says}" has {len(numbers)} numbers: one stands before a name')
            )
            hint = "Write a list with a number for each #." if "#" in says else 'With "#" a phrase says where they stand.'
            names.wrong(message, says, *path, hint=hint)
        else:
            counts.append(Counting(says, numbers, names.lines.place(*path)))
    return words.at(names.lines.place("words")).counting(tuple(counts))


def _economy(economy: Economy, names: Names, *section: str | int) -> Economy:
    earn = tuple(name for name in economy.earn if names.component(name, "economy", "earn"))
    free = tuple(name for name in economy.free if names.table(name, "economy", "free"))
    return economy.at(names.lines.place(*section), earn=earn, free=free)


def _exchange(index: int, exchange: Exchange, names: Names) -> Exchange | None:
    path = ("exchange", index)
    if not names.component(exchange.component, *path, "of"):
        return None
    names.where(exchange.component, exchange.where, *path, "where", there=True)
    made = names.components.get(exchange.component)
    table = made.table if made else None
    sound = [names.columns(table, getattr(exchange, key), *path, key) for key in ("needs", "gives")]
    return exchange.at(names.lines.place(*path)) if all(sound) else None


def _movement(key: str, movement: Movement, names: Names) -> Movement | None:
    path = ("movement", key)
    boards = [name for name, component in names.game.component.items() if isinstance(component, MapBoard)]
    if not names.known("component of a board with a map", key, boards, *path):
        return None
    grid = getattr(names.game.component[key], "grid", "square")
    for field in ("diagonal", "wraps") if grid != "square" else ():
        if getattr(movement, field):
            message = f"{field} is for boards of squares: on {key} each hex leads to the six that share an edge with it"
            names.wrong(message, field, *path, field, hint=f"Take {field} away.")
    fields = ("single", "wraps", "ends", "starts", "goals", "exits", "fair", "blocked", "occupied")
    for field in fields:
        names.kinds(key, getattr(movement, field), *path, field)
    return movement.at(names.lines.place(*path), key)


def _shuffle(key: str, shuffle: Shuffle, names: Names) -> Shuffle | None:
    path = ("shuffle", key)
    layouts = {name: names.game.component.get(layout.of) for name, layout in names.game.layout.items()}
    if not names.known("layout", key, layouts, *path):
        return None
    tile = layouts[key]
    if not isinstance(tile, Tile):
        for field in ("blocked", "start", "turns"):
            if getattr(shuffle, field):
                names.wrong("only tiles of hexes are asked for ways", field, *path, field, hint="Remove it.")
        return shuffle.at(names.lines.place(*path), key)
    # Of several tables of tiles the first says what columns there are.
    named = tile.hexes or next(iter(tile.table or ()), names.game.layout[key].of)
    for field in ("blocked", "start"):
        names.columns(names.tables.get(named), getattr(shuffle, field), *path, field)
    return shuffle.at(names.lines.place(*path), key)


def _colours(index: int, colours: Colours, names: Names) -> Colours | None:
    path = ("colours", index)
    there = names.table(colours.table, *path, "table")
    sound = there and names.columns(names.tables.get(colours.table), [colours.column], *path, "column")
    return colours.at(names.lines.place(*path)) if sound else None


def _agreed(typed: Mapping[str, Mapping[str, Sequence[str]]], names: Names) -> Iterator[Agreement]:
    for name, column, written, table, path in _columns("agree", typed, names):
        if names.columns(table, [column], *path):
            patterns = [_pattern(text, column, table, names, *path) for text in written]
            if None not in patterns:
                table.use([column])
                yield Agreement(name, column, tuple(filter(None, patterns)), "", names.lines.place(*path))


def _alike(typed: Mapping[str, Mapping[str, Sequence[str]]], names: Names) -> Iterator[Agreement]:
    for name, by, others, table, path in _columns("alike", typed, names):
        if not names.columns(table, [by, *others], *path):
            continue
        table.use([by, *others])
        said = [row.ref_id(by) for row in table if row.ref_id(by)]
        if by in others:
            names.wrong(f'"{by}" is always like itself', by, *path)
        elif table.whole and len(set(said)) == len(said):
            names.wrong(f'no two rows of {table.file} are alike in "{by}", so that this looks at nothing', by, *path)
        else:
            yield from (Agreement(name, other, (), by, names.lines.place(*path)) for other in others)


def _columns(
    section: str, typed: Mapping[str, Mapping[str, Sequence[str]]], names: Names
) -> Iterator[tuple[str, str, Sequence[str], Table, tuple[str, str, str]]]:
    for name, columns in typed.items():
        if names.table(name, section, name) and (table := names.tables.get(name)):
            for column, said in columns.items():
                yield name, column, said, table, (section, name, column)


def _pattern(text: str, column: str, table: Table, names: Names, *path: str) -> Pattern | None:
    parts: list[str | Part | None] = []
    end = 0
    for found in _PART.finditer(text):
        if found.start() > end:
            parts.append(text[end : found.start()])
        parts.append(None if found[3] else Part(tuple(found[1].split(".")), _WORDS[found[2] or ""]))
        end = found.end()
    parts += [text[end:]] if end < len(text) else []
    if any(isinstance(part, str) and re.search("[{}]", part) for part in parts):
        message = f'"{text}" has a brace that belongs to no column'
        allowed = "{column}, {column.other} for a column of the row that it refers to, {column:first}, {column:last}, *"
        names.wrong(message, text, *path, allowed=allowed)
        return None
    asked = [part for part in parts if isinstance(part, Part)]
    if not all(_known(part, table, names, *path) for part in asked):
        return None
    if asked and table.whole and not any(all(part.of(row) for part in asked) for row in table):
        names.wrong(
            f'in no row of {table.file} all columns of "{text}" say something, so that it looks at nothing',
            text,
            *path,
        )
        return None
    if all(part is None for part in parts) or any(part.columns == (column,) and not part.word for part in asked):
        names.wrong(f'"{text}" is true of whatever "{column}" says, so that it looks at nothing', text, *path)
        return None
    return tuple(parts)


def _known(part: Part, table: Table, names: Names, *path: str) -> bool:
    if not names.columns(table, part.columns[:1], *path):
        return False
    rows: Iterable[Row] = table.rows
    table.use(part.columns[:1])
    for before, column in zip(part.columns, part.columns[1:], strict=False):
        rows = [cell.value for row in rows if (cell := row.cells.get(before)) and isinstance(cell.value, Row)]
        if not rows:
            message = f'"{before}" refers to no row of another table, so that there is no "{before}.{column}"'
            hint = f'Say in game.toml which table it refers to: {before} = {{ table = "…" }}.'
            names.problems.error("unknown-column", names.lines.place(*path), message, value=column, hint=hint)
            return False
        known = dict.fromkeys(("id", "copies", *(name for row in rows for name in row.cells)))
        if not names.known(f'column that "{before}" leads to', column, known, *path):
            return False
        for row in rows:
            row.used.add(column)
    return True


def _pile(key: str, pile: Pile, names: Names) -> Pile | None:
    path = ("pile", key)
    sound = [names.component(name, *path, "of") for name in pile.components]
    if not all(sound):
        return None
    for name in pile.components:
        kind = names.game.component[name].kind
        if kind not in SHUFFLED:
            names.wrong(f'"{name}" is a {kind}: nobody shuffles it', name, *path, "of", allowed=listed(SHUFFLED))
    tables = [names.components[name].table for name in pile.components if name in names.components]
    by = [pile.by] if pile.by else []
    sound = [names.columns(table, by, *path, "by") for table in tables]
    if not all(sound):
        return None
    for table in tables:
        table.use(by)
    return pile.at(names.lines.place(*path), key)


def _fit(key: str, fit: Fit, names: Names) -> Fit | None:
    path = ("fit", key)
    before = len(names.problems.errors)
    for name in fit.what:
        names.component(name, *path, "what")
    if bool(fit.inside) == bool(fit.like):
        names.problems.error(
            "bad-value" if fit.inside else "missing-key",
            names.lines.place(*path),
            f'"{key}" must say in what its pieces fit, or what they are as large as' + (", not both" if fit.inside else ""),
            allowed='in = "…" or like = "…"',
        )
    if fit.like:
        names.component(fit.like, *path, "like")
    made = fit.at(names.lines.place(*path), key)
    sized = fit.inside[:1].isdigit() or fit.inside in presets.size_names()
    if sized and fit.inside not in names.game.component:
        made = made.sized(_size(fit.inside, names, *path, "in"))
    elif fit.inside:
        names.component(fit.inside, *path, "in")
    if fit.inside:
        _lies(fit, names, *path)
    if fit.kinds:
        _kinds(key, made, names)
    if fit.most is not None and fit.most < fit.room:
        least, most = units.show(fit.room), units.show(fit.most)
        message = f"at least {least} mm and at most {most} mm cannot both be spare"
        names.wrong(message, f"{most}mm", *path, "most")
    return made if len(names.problems.errors) == before else None


def _lies(fit: Fit, names: Names, *path: str) -> None:
    for key, kinds, what in (("in", UPRIGHT, "nothing lies on"), ("what", HOLLOW, "nobody lays")):
        for name in [fit.inside] if key == "in" else fit.what:
            kind = names.game.component[name].kind if name in names.game.component else ""
            if kind in kinds:
                names.wrong(f'"{name}" is a {kind}, and {what} one', name, *path, key)


def _kinds(key: str, fit: Fit, names: Names) -> None:
    path = ("fit", key, "kinds")
    within = fit.within
    board = names.components.get(within) if isinstance(within, str) else None
    if isinstance(board, Component) and board.board is not None:
        names.kinds(board.name, fit.kinds, *path)
    elif not isinstance(within, str) or within in names.components:
        message = f'"{fit.inside}" has no fields of kinds: it is no board with a map'
        names.wrong(message, listed(fit.kinds), *path, hint="Take kinds away.")


def _size(text: str, names: Names, *path: str) -> tuple[float, float]:
    try:
        return presets.card_size(text)
    except ValueError as error:
        message = str(error)
        names.problems.error("bad-size", names.lines.place(*path), message, value=text, allowed="a size such as 66mm x 91mm")
        return 0.0, 0.0
