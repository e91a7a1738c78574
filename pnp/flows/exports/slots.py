"""Where each card lies on the sheets of a virtual table: it keeps its slot from export to export.

A saved table knows its cards by sheet and slot. Were the cards of a game put in order anew each time, an old table would
show other cards than those that were dealt.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from pnp.system.paths import file_within, plain_bytes
from pnp.values.problems import Place, Problems

COLUMNS = ("component", "id", "sheet", "slot")
# The last of the 70 slots of a sheet is what others see of a card in a hand.
EACH = 69
# No game has so many sheets, and no list of slots is so large.
MOST_SHEETS, MOST_BYTES = 1000, 20_000_000

Slots = Mapping[tuple[str, str], tuple[int, int]]
"""By component and id: the number of a sheet of the component, from 1, and of a slot on it, from 0."""


def slots_in(path: Path, name: str, problems: Problems) -> Slots:
    """Those of the last export; none where there was none. What cannot be read is a Problem."""
    try:
        if not path.exists() and not path.is_symlink():
            return {}
        if not file_within(path.parent, path):
            raise ValueError("it is no file of the game's own folder")
        rows = list(csv.reader(io.StringIO(plain_bytes(path, MOST_BYTES).decode("utf-8-sig"), newline=""), strict=True))
    except (ValueError, csv.Error, OSError) as error:
        _wrong(problems, Place(name), f"it cannot be read ({error.strerror if isinstance(error, OSError) else error})")
        return {}
    if not rows or tuple(rows[0]) != COLUMNS:
        _wrong(problems, Place(name, 1), "its first row is not " + ",".join(COLUMNS))
        return {}
    found: dict[tuple[str, str], tuple[int, int]] = {}
    taken: dict[tuple[str, int, int], int] = {}
    for number, row in enumerate(rows[1:], 2):
        if not row:
            continue
        numbers = [int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else -1 for text in row[2:]]
        if len(row) != 4 or not (1 <= numbers[0] <= MOST_SHEETS and 0 <= numbers[1] < EACH):
            allowed = f"a component, an id, a sheet from 1 and a slot from 0 to {EACH - 1}"
            _wrong(problems, Place(name, number), "this row is no slot", ",".join(row), allowed)
            continue
        first = taken.setdefault((row[0], numbers[0], numbers[1]), number)
        if first != number or (row[0], row[1]) in found:
            said = "this slot is taken" if first != number else "this card has a slot already"
            _wrong(problems, Place(name, number), f"{said} by row {first}" if first != number else said, ",".join(row))
            continue
        found[row[0], row[1]] = numbers[0], numbers[1]
    return found


def _wrong(problems: Problems, place: Place, message: str, value: str = "", allowed: str = "") -> None:
    hint = "Mend the row, or delete the file: then all cards get new slots, and tables saved before show others."
    problems.error("broken-slots", place, message, value=value, allowed=allowed, hint=hint)


def dealt(known: Slots, component: str, ids: Sequence[str]) -> Slots:
    """A slot for each card: its own, or the first that is free, in the order of the table. Those of others are free."""
    kept = {(component, id): known[component, id] for id in ids if (component, id) in known}
    taken, number = set(kept.values()), 0
    made = {}
    for id in ids:
        slot = kept.get((component, id))
        while slot is None:
            there = number // EACH + 1, number % EACH
            number += 1
            slot = None if there in taken else there
        made[component, id] = slot
    return made


def as_file(slots: Slots) -> bytes:
    """What is kept of them, in the order of the sheets."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for (component, id), (sheet, slot) in sorted(slots.items(), key=lambda each: (each[0][0], each[1])):
        writer.writerow([component, id, sheet, slot])
    return text.getvalue().encode()
