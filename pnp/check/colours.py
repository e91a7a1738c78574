"""Checks that the colours of ``[[colours]]`` can be told apart, by every eye and in grey.

``alike-colours``: Two colours of ``[[colours]]`` are hard to tell apart, by their distance in CAM02-UCS, for ordinary
eyes or with deuteranomaly, protanomaly or tritanomaly. Below 10 is an error, or a warning where a sign beside it says
the same; below 2 always an error, as is one colour for two where most have their own. Alike in grey, without a sign, is
a warning.

Why: one man in twelve mixes up red and green.
Example: green and red of the players are 4.1 apart with deuteranomaly.
Mend: make one lighter or darker, or take another (those of Okabe and Ito are 11 apart); give each a sign as well.

``colour-alone``: Nothing beside a colour says the same: no sign, letter or shape, or one that two colours share.
Why: by candlelight and in a photocopy colours cannot be told apart.
Example: ``[[colours]]`` names no ``beside``; or red and blue both have a heart beside them.
Mend: draw a sign of its own beside each colour, and name its column, or the thing, in ``beside``.

Covers: all colours of a column that ``[[colours]]`` names, each with each.
Not covered: other colours, those inside drawings, and whether a template draws the sign.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from pnp.shapes.colour import channels, full, without_colour, without_cones
from pnp.values.findings import Subject, TableShown, reported
from pnp.values.game import Game
from pnp.values.problems import Place, Problem, Severity, closest, listed
from pnp.values.sections import Colours
from pnp.values.tables import Row, Table
from pnp.values.walk import grouped

RULES = ("alike-colours", "colour-alone")

LEAST = 10.0
# Below it two colours look the same to ordinary eyes, side by side on one sheet.
SAME = 2.0
# Of one [[colours]]; more cannot be told apart anyway.
MOST_COLOURS = 100
# So many pairs are named in a finding.
_PAIRS = 6
ORDINARY = "ordinary sight"
DEFICIENT = ("deuteranomaly", "protanomaly", "tritanomaly")
GREY = "grey"

Pair = tuple[str, str]
Rows = Mapping[str, list[Row]]
"""The rows of each colour, by its name: two names for one shade are two colours that look the same."""


@reported
def look(subject: Subject) -> Iterator[Problem | TableShown]:
    """Every set of colours that the game's rules name."""
    for colours in subject.game.rules.colours:
        rows: dict[str, list[Row]] = {}
        codes: dict[str, str] = {}
        yield from _read(subject.game, colours, rows, codes)
        if len(rows) > MOST_COLOURS:
            message = f'the table "{colours.table}" has {len(rows)} colours: so many are not compared'
            yield Problem("alike-colours", colours.place, message, str(len(rows)), f"up to {MOST_COLOURS}")
            continue
        if rows:
            yield from _shared(subject.game.tables[colours.table], colours, rows)
        if len(rows) > 1:
            yield from _alone(subject.game.tables[colours.table], colours, rows)
            distances = apart(codes)
            yield from _alike(subject.game, colours, rows, distances)
            yield _shown(subject.game, colours, rows, distances)


def _read(game: Game, colours: Colours, rows: dict[str, list[Row]], codes: dict[str, str]) -> Iterator[Problem]:
    table = game.tables.get(colours.table)
    if table is None or colours.column not in table.columns:
        return  # Reading the rules has said so.
    for row in table:
        cell = row.cells.get(colours.column)
        if cell is None or not row.sound or not cell.text:
            continue
        code = _code(cell.text, game.palette) or _code(row.text_of(colours.column), game.palette)
        if code is None:
            message = f'"{cell.text}" is no colour'
            hint = closest(cell.text, game.palette)
            yield Problem("unknown-colour", cell.place, message, cell.text, listed(["#rrggbb", *game.palette]), hint)
        else:
            called = (name for name in game.palette if _code(name, game.palette) == code)
            name = cell.text if cell.text in game.palette else next(called, code)
            rows.setdefault(name, []).append(row)
            codes[name] = code


def _code(written: str, palette: Mapping[str, str]) -> str | None:
    return full(palette.get(written, written).lower())


def _name(rows: Rows, code: str, column: str) -> str:
    row = rows[code][0]
    return f"{row.cells[column].text} ({row.text_of('name') if 'name' in row else row.id})"


def _alone(table: Table, colours: Colours, rows: Rows) -> Iterator[Problem]:
    if not colours.beside:
        message = f'{len(rows)} colours of the table "{colours.table}" are told apart by nothing but the colour'
        allowed = "a sign, letter or shape beside each colour"
        hint = 'Draw one, and name its column, or the thing, in "beside".'
        yield Problem("colour-alone", colours.place, message, listed(rows), allowed, hint, "warning")
        return
    if colours.beside not in table.columns:
        return  # A thing in words, such as "the emblem": nobody can look it up.
    signs = {code: dict.fromkeys(row.text_of(colours.beside) for row in members) for code, members in rows.items()}
    for sign, codes in grouped((sign, code) for code, those in signs.items() for sign in those).items():
        if len(codes) > 1:
            place = rows[codes[1]][0].place_of(colours.beside)
            message = (
                f'{listed(_name(rows, code, colours.column) for code in codes)} have the same {colours.beside}: "{sign}"'
            )
            allowed = f"another {colours.beside} for each colour"
            yield Problem("colour-alone", place, message, sign, allowed, "Give one of them another.")


def _shared(table: Table, colours: Colours, rows: Rows) -> Iterator[Problem]:
    """One colour that belongs to several owners, told apart by the sign beside it, or by whose row it is.

    Only where most others have a colour of their own: hearts and diamonds are both red, and a deck has many red cards.
    """
    sign = colours.beside if colours.beside in table.columns else ""
    owners = {colour: {row.text_of(sign) if sign else row.id: row for row in reversed(of)} for colour, of in rows.items()}
    shared = [colour for colour, of in owners.items() if len(of) > 1]
    all_owners = [owner for of in owners.values() for owner in of]
    alone = len(owners) - len(shared)
    sharing = len(all_owners) - alone
    everywhere = len(owners) == 1
    if len(set(all_owners)) < len(all_owners) or not (everywhere or (len(shared) <= alone and sharing <= alone + 1)):
        return
    for colour in shared:
        last = max(owners[colour].values(), key=lambda row: row.place.row or 0)
        names = dict.fromkeys(row.text_of("name") if "name" in row else row.id for row in rows[colour])
        message = f"{listed(names)} all have the colour {colour}"
        hint = "Give one of them another colour: a sign beside it helps where colours are near, not where they are the same."
        yield Problem("alike-colours", last.place_of(colours.column), message, colour, "a colour for each", hint)


def apart(codes: Mapping[str, str]) -> dict[str, dict[Pair, float]]:
    """How far colours (name → #rrggbb) are apart in pairs, for each kind of sight: distances in CAM02-UCS."""
    import numpy as np
    from colorspacious import cspace_convert

    plain = np.array([channels(code) for code in codes.values()]) / 255
    seen = {ORDINARY: plain, **{name: without_cones(plain, name) for name in DEFICIENT}, GREY: without_colour(plain)}
    result: dict[str, dict[Pair, float]] = {}
    names = list(codes)
    for name, shades in seen.items():
        places = cspace_convert(shades, "sRGB1", "CAM02-UCS")
        result[name] = {
            (names[one], names[two]): round(float(np.linalg.norm(places[one] - places[two])), 1)
            for one, two in combinations(range(len(names)), 2)
        }
    return result


def _alike(game: Game, colours: Colours, rows: Rows, distances: Mapping[str, Mapping[Pair, float]]) -> Iterator[Problem]:
    worst: dict[Pair, tuple[float, str]] = {}
    same = {pair: (far, f"with {ORDINARY}") for pair, far in distances[ORDINARY].items() if far < SAME}
    if same:
        yield _problem(game, colours, rows, same, "error")
    for sight, pairs in distances.items():
        for pair, distance in pairs.items():
            if sight != GREY and pair not in same and distance < worst.get(pair, (LEAST, ""))[0]:
                worst[pair] = distance, f"with {sight}"
    if worst:
        yield _problem(game, colours, rows, worst, "warning" if colours.beside else "error")
    grey = {pair: (far, "in grey") for pair, far in distances[GREY].items() if far < LEAST and pair not in {**worst, **same}}
    if grey and not colours.beside:
        yield _problem(game, colours, rows, grey, "warning")


def _problem(
    game: Game, colours: Colours, rows: Rows, pairs: Mapping[Pair, tuple[float, str]], severity: Severity
) -> Problem:
    nearest = sorted(pairs.items(), key=lambda item: item[1][0])
    said = [
        f"{_name(rows, one, colours.column)} and {_name(rows, other, colours.column)}: {far:g} {how}"
        for (one, other), (far, how) in nearest
    ]
    common = set.intersection(*map(set, pairs)) if len(pairs) > 1 else set[str]()
    written = dict.fromkeys(
        place for pair, _ in nearest for name in pair for place in _written(game, colours, rows[name], name)
    )
    return Problem(
        "alike-colours",
        _written(game, colours, rows[name], name)[0] if (name := next(iter(common), "")) else colours.place,
        f'colours of the table "{colours.table}" are hard to tell apart: {"; ".join(said[:_PAIRS])}'
        + (f"; {len(said) - _PAIRS} more pairs" if len(said) > _PAIRS else ""),
        f"{nearest[0][1][0]:g}",
        f"a distance of {LEAST:g}",
        "Make one of each pair lighter or darker, or take another colour. " + _standing(written),
        severity,
    )


def _written(game: Game, colours: Colours, rows: Sequence[Row], name: str) -> list[Place]:
    if name in game.palette:
        return [game.place_of(f"palette.{name}")]
    return [row.place_of(colours.column) for row in rows]


def _standing(places: Iterable[Place]) -> str:
    lines = grouped((place.file, str(place.row)) for place in places)
    told = (f"row{'s' * (len(rows) > 1)} {listed(rows, 2 * _PAIRS)} of {file}" for file, rows in lines.items())
    return f"They stand in {' and in '.join(told)}."


def _shown(game: Game, colours: Colours, rows: Rows, distances: Mapping[str, Mapping[Pair, float]]) -> TableShown:
    lines = []
    for sight, pairs in distances.items():
        pair, distance = min(pairs.items(), key=lambda item: item[1])
        names = (_name(rows, code, colours.column) for code in pair)
        lines.append((sight, *names, f"{distance:g}"))
    beside = f"Beside each colour: {colours.beside}. " if colours.beside else ""
    titles = [component.title for component in game.components if component.table.name == colours.table]
    title = titles[0] if len(titles) == 1 else colours.table
    return TableShown(
        f"Colours of {title}, {len(rows)}: the two that are nearest",
        ("seen with", "colour", "and", "distance"),
        tuple(lines),
        f"{beside}Distances in CAM02-UCS; {LEAST:g} is easy to tell apart, deficiencies at their strongest.",
    )
