"""``rules.toml`` → :class:`pnp.values.rules.Rules`: names looked up among the game's components, tables and layouts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from pnp.read.doubled import tell_doubled
from pnp.read.flat import MapBoard, Tile
from pnp.read.ruledpieces import agreed, alike, fits, piles
from pnp.read.rulenames import Names
from pnp.read.rulesschema import (
    COUNTS,
    VARIABLE,
    EconomyRules,
    ExchangeRules,
    MovementRules,
    RulesFile,
    SetupRules,
    ShuffleRules,
)
from pnp.read.schema import GameFile
from pnp.read.tomlfile import Model, load_toml, report_fault
from pnp.values.game import Component
from pnp.values.problems import Problems
from pnp.values.rules import (
    Allow,
    Claim,
    Colours,
    Counting,
    Economy,
    Exchange,
    Movement,
    Named,
    Rules,
    Setup,
    Shuffle,
    Take,
    Words,
)
from pnp.values.tables import Table

MODEL = Model(
    RulesFile,
    patterns={
        COUNTS: "player counts are written 2-8, or 2, 4",
        VARIABLE: "the name of a number is made of letters, figures and _",
    },
)

MOST_NUMBERS = 4
"""In one phrase: each may be read in several ways, and all together are tried."""


def read_rules(
    path: Path,
    shown: str,
    game: GameFile,
    tables: Mapping[str, Table],
    components: Sequence[Component],
    problems: Problems,
    instead: bytes | None = None,
) -> Rules:
    """The game's rules; none, with the reasons, when the file is faulty, and none when there is no file."""
    loaded = load_toml(path, shown, "", problems, instead)
    if loaded is None:
        return Rules()
    data, lines = loaded
    try:
        typed = RulesFile.model_validate(data)
    except ValidationError as error:
        for fault in error.errors():
            report_fault(fault, MODEL, lines, problems)
        return Rules()
    tell_doubled(data, lines, problems)
    names = Names(game, tables, {component.name: component for component in components}, lines, problems)
    return Rules(
        numbers=tuple(Named(name, number, lines.place("numbers", name)) for name, number in typed.numbers.items()),
        claims=tuple(
            Claim(key, claim.says, claim.expect, claim.for_ or "", claim.rule or "", lines.place("claim", key))
            for key, claim in typed.claim.items()
        ),
        setup=_setup(typed.setup, names) if typed.setup else None,
        words=_words(typed, names),
        economy=_economy(typed, names),
        movements=tuple(filter(None, (_movement(key, movement, names) for key, movement in typed.movement.items()))),
        shuffles=tuple(filter(None, (_shuffle(key, shuffle, names) for key, shuffle in typed.shuffle.items()))),
        colours=_colours(typed, names),
        agreements=(*agreed(typed.agree, names), *alike(typed.alike, names)),
        piles=piles(typed.pile, names),
        fits=fits(typed.fit, names),
        allowed=tuple(
            Allow(allow.rule, allow.about, allow.because, lines.place("allow", index))
            for index, allow in enumerate(typed.allow)
        ),
    )


def _setup(setup: SetupRules, names: Names) -> Setup:
    place = names.lines.place("setup")
    players: set[int] = set()
    for span in re.split(",|or", setup.players):
        least, most = (int(part) for part in (re.findall(r"\d+", span) * 2)[:2])
        players.update(range(least, most + 1))
        if least > most:
            names.problems.error(
                "bad-value",
                names.lines.place("setup", "players"),
                f"from {least} to {most} there is no player count",
                value=setup.players,
                hint=f"Write {most}-{least}.",
            )
    takes = []
    for key, take in setup.take.items():
        path = ("setup", "take", key)
        if names.component(take.from_, *path, "from"):
            # That no row has a value is told by the set-up, with how many are needed of it.
            names.where(take.from_, take.where, *path, "where", there=False)
            takes.append(Take(key, take.what, take.from_, take.where, take.number, take.per, names.lines.place(*path)))
    return Setup(tuple(sorted(players)), tuple(takes), place)


def _words(typed: RulesFile, names: Names) -> Words | None:
    words, lines = typed.words, names.lines
    if words is None:
        return None
    counts = []
    for says, numbers in words.counts.items():
        place = lines.place("words", "counts", says)
        wanted = says.count("#") or 1
        if not says.replace("#", "").strip() or says.count("#") > MOST_NUMBERS:
            message = f'"{says}" is no phrase with a word in it, and with {MOST_NUMBERS} # at most'
            names.problems.error("bad-value", place, message, value=says, hint='Write "up to # squares".')
        elif len(numbers) != wanted:
            message = (
                f'"{says}" has {says.count("#")} #, and {len(numbers)} numbers'
                if "#" in says
                else (f'"{says}" has {len(numbers)} numbers: one stands before a name')
            )
            hint = "Write a list with a number for each #." if "#" in says else 'With "#" a phrase says where they stand.'
            names.problems.error("bad-value", place, message, value=says, hint=hint)
        else:
            counts.append(Counting(says, tuple(numbers), place))
    return Words(
        terms=tuple(words.terms),
        banned=words.banned,
        unit=words.unit or "",
        unit_from=words.from_,
        thousands=words.thousands or "",
        counts=tuple(counts),
        place=lines.place("words"),
    )


def _economy(typed: RulesFile, names: Names) -> Economy | None:
    if typed.economy is None and not typed.exchange:
        return None
    economy = typed.economy or EconomyRules()
    section: tuple[str | int, ...] = ("economy",) if typed.economy else ("exchange", 0)
    exchanges = [
        made for index, exchange in enumerate(typed.exchange) if (made := _exchange(index, exchange, names)) is not None
    ]
    earn = [name for name in economy.earn if names.component(name, "economy", "earn")]
    free = [name for name in economy.free if names.table(name, "economy", "free")]
    return Economy(tuple(exchanges), tuple(free), tuple(earn), names.lines.place(*section))


def _exchange(index: int, exchange: ExchangeRules, names: Names) -> Exchange | None:
    path = ("exchange", index)
    if not names.component(exchange.of, *path, "of"):
        return None
    names.where(exchange.of, exchange.where, *path, "where", there=True)
    made = names.components.get(exchange.of)
    table = made.table if made else None
    sound = [names.columns(table, getattr(exchange, key), *path, key) for key in ("needs", "gives")]
    if not all(sound):
        return None
    return Exchange(exchange.of, exchange.where, tuple(exchange.needs), tuple(exchange.gives), names.lines.place(*path))


def _movement(key: str, movement: MovementRules, names: Names) -> Movement | None:
    path = ("movement", key)
    boards = [name for name, component in names.game.component.items() if isinstance(component, MapBoard)]
    if not names.known("component of a board with a map", key, boards, *path):
        return None
    grid = getattr(names.game.component[key], "grid", "square")
    for field in ("diagonal", "wraps") if grid != "square" else ():
        if getattr(movement, field):
            names.problems.error(
                "bad-value",
                names.lines.place(*path, field),
                f"{field} is for boards of squares: on {key} each hex leads to the six that share an edge with it",
                value=field,
                hint=f"Take {field} away.",
            )
    fields = ("single", "wraps", "ends", "starts", "goals", "exits", "fair", "blocked", "occupied")
    kinds: dict[str, tuple[str, ...]] = {field: tuple(getattr(movement, field)) for field in fields}
    for field in fields:
        names.kinds(key, kinds[field], *path, field)
    return Movement(
        board=key,
        diagonal=movement.diagonal,
        single=kinds["single"],
        wraps=kinds["wraps"],
        ends=kinds["ends"],
        starts=kinds["starts"],
        goals=kinds["goals"],
        exits=kinds["exits"],
        tolerance=_share(movement.tolerance, names, *path, "tolerance"),
        goals_of=kinds["fair"],
        place=names.lines.place(*path),
        blocked=kinds["blocked"],
        occupied=kinds["occupied"],
    )


def _share(typed: str | None, names: Names, *path: str) -> float | None:
    """``10%`` or ``0.1`` as a share."""
    if typed is None:
        return None
    found = re.fullmatch(r"(\d{1,3}(?:\.\d{1,4})?) *(%?)", typed)
    share = float(found[1]) / (100 if found[2] else 1) if found else 2.0
    if share > 1:
        names.problems.error(
            "bad-value", names.lines.place(*path), f'"{typed}" is not a share', value=typed, allowed="0% to 100%, or 0 to 1"
        )
        return None
    return share


def _shuffle(key: str, shuffle: ShuffleRules, names: Names) -> Shuffle | None:
    path = ("shuffle", key)
    layouts = {
        name: tile
        for name, layout in names.game.layout.items()
        if isinstance(tile := names.game.component.get(layout.of), Tile)
    }
    if not names.known("layout of tiles", key, layouts, *path):
        return None
    tile = layouts[key]
    # Of several tables of tiles the first says what columns there are.
    named = tile.hexes or next(iter(tile.table or ()), names.game.layout[key].of)
    for field in ("blocked", "start"):
        names.columns(names.tables.get(named), getattr(shuffle, field), *path, field)
    blocked = {column: tuple(values) for column, values in shuffle.blocked.items()}
    return Shuffle(key, blocked, shuffle.start, shuffle.turns, names.lines.place(*path))


def _colours(typed: RulesFile, names: Names) -> tuple[Colours, ...]:
    made = []
    for index, colours in enumerate(typed.colours):
        path = ("colours", index)
        if names.table(colours.table, *path, "table") and names.columns(
            names.tables.get(colours.table), [colours.column], *path, "column"
        ):
            made.append(Colours(colours.table, colours.column, colours.beside or "", names.lines.place(*path)))
    return tuple(made)
