"""Kinds of changes: a piece is otherwise, or lies elsewhere, than it should."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from making import (
    COORDINATES,
    COUNTED,
    FLAVOUR,
    FREE,
    Change,
    at_column,
    at_token,
    one,
    placed,
    table_of,
)
from sources import Edit, Source

FEW = 8
"""Values of a column that are a kind of thing, not a name of their own."""


def exchanged(source: Source, chance: Random) -> Iterator[Change]:
    """Two values of a column, each in the other's row."""
    for table, records in source.tables.items():
        for column in [cell.column for cell in records[0].cells[1:]]:
            if column in FLAVOUR | COUNTED | {"turn"} or (table, column) in FREE:
                continue
            for _ in range(3 if len(records) > 1 else 0):
                first, second = chance.sample(list(records), 2)
                here, there = sorted((first[column], second[column]), key=lambda cell: cell.start)
                if here.text != there.text:
                    edits = source.edit_cell(here, there.text), source.edit_cell(there, here.text)
                    yield Change("exchanged", source.game, edits, at_column(here), here.text, there.text)


def owners(source: Source, chance: Random) -> Iterator[Change]:
    """A wrong owner, deck or town: another row of the table that the column refers to."""
    for cell in source.cells:
        known = source.column(cell.table, cell.column).get("table")
        if not known or not cell.text or (cell.table, cell.column) in FREE:
            continue
        same = {each.text for each in source.cells if (each.table, each.column) == (cell.table, cell.column)}
        if others := sorted(same - {cell.text, ""}):
            yield one(source, "owner", source.edit_cell(cell, chance.choice(others)), at_column(cell))


def values(source: Source, chance: Random) -> Iterator[Change]:
    """A value of a column with few of them, by another: terrain, mark, dots, kind, sign."""
    for table, records in source.tables.items():
        for column in [cell.column for cell in records[0].cells]:
            found = [record[column] for record in records if len(record.cells) > 1]
            kinds = sorted({cell.text for cell in found})
            number = all(re.fullmatch(r"-?[\d.]*", kind) for kind in kinds)
            refers = source.column(table, column).get("table")
            left_out = column in FLAVOUR | COORDINATES or (table, column) in FREE
            if number or refers or left_out or not 2 <= len(kinds) <= FEW or len(records) < len(kinds) + 2:
                continue
            for cell in found:
                now = chance.choice([kind for kind in kinds if kind != cell.text])
                yield one(source, "value", source.edit_cell(cell, now), at_column(cell))


def colours(source: Source, chance: Random) -> Iterator[Change]:
    """A player's colour equal to another player's, or nearly so."""
    used = {cell.text for cell in source.cells if cell.column in ("colour", "color")}
    shades = {each.key: each for each in source.tokens("game.toml") if each.section == "palette" and each.key in used}
    for name, token in shades.items():
        other = shades[chance.choice([each for each in shades if each != name])].text
        near = "#" + "".join(f"{min(255, int(other[at : at + 2], 16) + chance.choice((0, 3, 6))):02x}" for at in (1, 3, 5))
        for now in (other, near):
            yield at_token(source, "colour", "game.toml", token, now)


def sizes(source: Source, chance: Random) -> Iterator[Change]:
    """A piece too large for what it belongs to, or what others belong in too small; by half, or the two digits exchanged."""
    for token in source.tokens("game.toml"):
        if not token.section.startswith("component.") or token.key not in ("size", "hex", "cell", "depth", "base"):
            continue
        kind = source.config["component"][token.section.partition(".")[2]].get("kind", "card")
        if kind in ("die", "screen"):
            continue  # of these nobody could know
        holds = kind in ("pouch", "box", "board", "tracker", "tile")
        upright = kind in ("standee", "pawn", "prism") and token.key == "size"
        # How high a piece stands, nobody could know.
        for match in list(re.finditer(r"(\d+(?:\.\d+)?)mm", token.text))[: 1 if upright else None]:
            turned = match[1][::-1]
            fits = len(turned) == 2 and turned[0] != "0" and (turned < match[1] if holds else turned > match[1])
            number = turned if fits and chance.random() < 0.5 else f"{float(match[1]) / (1.5 if holds else 1 / 1.5):.4g}"
            now = token.text[: match.start()] + number + "mm" + token.text[match.end() :]
            yield at_token(source, "size", "game.toml", token, now)


def backs(source: Source, chance: Random) -> Iterator[Change]:
    """Another deck's back, or other corners or another size than the deck that has the same back."""
    parts = [each for each in source.tokens("game.toml") if each.section.startswith("component.")]
    found = [each for each in parts if each.key == "back"]
    for token in found:
        if others := sorted({each.text for each in found} - {token.text}):
            yield at_token(source, "back", "game.toml", token, chance.choice(others))
        tables = {table_of(source, each.section) for each in found if each.text == token.text}
        if len(tables) > 1 and "kind" not in source.config["component"][token.section.partition(".")[2]]:
            file, at = source.path("game.toml"), token.end + 1
            yield one(source, "back", Edit(file, at, at, '\ncorner = "7mm"'), f"{token.section}.corner")
    for token in parts:
        if token.key == "corner" and re.fullmatch(r"[\d.]+mm", token.text):
            yield at_token(source, "back", "game.toml", token, "9mm")


def rows_deleted(source: Source, chance: Random) -> Iterator[Change]:
    """A row less."""
    for table, records in source.tables.items():
        for record in records:
            yield one(source, "row-deleted", Edit(source.file_of(table), record.start, record.end, ""), table)


def rows_doubled(source: Source, chance: Random) -> Iterator[Change]:
    """A row twice."""
    for table, records in source.tables.items():
        file = source.file_of(table)
        for record in records:
            row = source.texts[file][record.start : record.end].rstrip("\n") + "\n"
            yield Change("row-doubled", source.game, (Edit(file, record.start, record.start, row),), table, "", row.strip())


def slots(source: Source, chance: Random) -> Iterator[Change]:
    """Where a tile, a hex or a domino lies."""
    for cell in source.cells:
        if not placed(source, cell.table) or cell.column not in COORDINATES or not re.fullmatch(r"-?\d+", cell.text):
            continue
        if cell.column != "turn":
            now = str(int(cell.text) + chance.choice((-1, 1)))
        elif len({each.text for each in source.cells if (each.table, each.column) == (cell.table, "turn")}) > 1:
            now = str((int(cell.text) + 90) % 360)
        else:
            continue
        yield one(source, "slot", source.edit_cell(cell, now), at_column(cell))


def maps(source: Source, chance: Random) -> Iterator[Change]:
    """A letter of a map: each letter as often as any other, so that fields are met and not only sea and land."""
    for file, text in source.texts.items():
        if not file.endswith(".txt"):
            continue
        for letter in sorted(set(text) - {"\n"}):
            for at in chance.sample(spots := [at for at, each in enumerate(text) if each == letter], min(3, len(spots))):
                now = chance.choice(sorted(set(text) - {"\n", letter}))
                yield one(source, "map", Edit(file, at, at + 1, now), f"{letter}{now}")
