"""Reads Squib's lengths and layout files."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pnp.imports.deck import Plain, Source
from pnp.imports.ruby import NotRead

DPI = 300.0
CELL = 37.5

Entry = dict[str, Plain]

_SAME: dict[str, Entry] = {"cut": {"x": 37.5, "y": 37.5, "width": 750, "height": 1050}}
_SAME["safe"] = {"x": 75, "y": 75, "width": 675, "height": 975, "radius": 16}
_SMALL: Entry = {"font_size": 6, "width": 75, "height": 75, "y": 975, "valign": "bottom"}
_WORDS: Entry = {"x": 100, "width": 625, "height": 275, "valign": "middle", "align": "center", "font_size": 6}
_BELOW: dict[str, Entry] = {
    "lower_right": {**_SMALL, "x": 675, "align": "right"},
    "lr": {"extends": "lower_right"},
    "lower_left": {**_SMALL, "x": 75, "align": "left"},
    "ll": {"extends": "lower_left"},
    "copyright": {"x": 75, "y": 1025, "width": 675, "height": 25, "font_size": 5, "align": "center", "valign": "bottom"},
    "copy": {"extends": "copyright"},
    "credit": {"extends": "copyright"},
    "credits": {"extends": "copyright"},
    "desc": {"extends": "description"},
}
BUILT_IN: dict[str, dict[str, Entry]] = {
    "economy.yml": {
        **_SAME,
        **_BELOW,
        "title": {"x": 90, "y": 90, "width": 635, "height": 50, "align": "center"},
        "art": {"x": 75, "y": 150, "width": 675, "height": 520},
        "description": {**_WORDS, "y": 675},
        "type": {"x": 90, "y": 955, "width": 645, "height": 50, "align": "center"},
    },
    "fantasy.yml": {
        **_SAME,
        **_BELOW,
        "title": {"x": 90, "y": 90, "width": 500, "height": 50},
        "upper_right": {"x": 595, "y": 90, "width": 135, "height": 50, "align": "right"},
        "ur": {"extends": "upper_right"},
        "art": {"x": 75, "y": 150, "width": 675, "height": 520},
        "type": {"x": 90, "y": 675, "width": 500, "height": 50},
        "type_right": {"x": 595, "y": 675, "width": 135, "height": 50, "align": "right"},
        "tr": {"extends": "type_right"},
        "description": {**_WORDS, "y": 730},
    },
    "hand.yml": {
        **_SAME,
        "title": {"x": 275, "y": 75, "width": 475, "height": 125},
        "art": {"x": 275, "y": 225, "width": 475, "height": 475},
        "description": {"x": 275, "y": 725, "width": 475, "height": 200},
        "snark": {"x": 275, "y": 950, "width": 475, "height": 100},
        **{f"bonus{at + 1}": {"x": 75, "y": 75 + 198 * at, "width": 175, "height": 175} for at in range(5)},
    },
    "playing-card.yml": {
        **_SAME,
        "bonus_ul": {"x": 75, "y": 75, "width": 200, "height": 200},
        "bonus_lr": {"x": 750, "y": 1050, "width": 200, "height": 200, "angle": 3.14159},
        "art": {"x": 150, "y": 275, "width": 525, "height": 575, "valign": "middle", "align": "center"},
    },
}
"""Where the entries stand of layouts that come with Squib, in pixels at 300 dpi."""

_UNIT = re.compile(r"\s*(-?\d*\.?\d+)\s*(px|in|mm|cm|pt|cells?|c|deg|rad)?\s*")
_SHORT = re.compile(r"\s*(middle|center|deck)\s*(?:([-+/*])\s*(.+))?")
_CHANGE = re.compile(r"\s*([-+*/])=\s*(.+)")

MOST_PIXELS = 1e7


class Lengths:
    """Converts Squib's lengths to pixels at a deck's resolution."""

    def __init__(self, dpi: float = DPI, cell: float = CELL) -> None:
        self.dpi, self.cell = dpi, cell

    def pixels(self, given: object, whole: float = 0) -> float:
        """A length in pixels; ``whole`` is the value of "deck". Raises NotRead."""
        try:
            found = self._pixels(given, whole)
        except RecursionError:
            raise NotRead("it is nested too deeply") from None
        if not abs(found) < MOST_PIXELS:
            raise NotRead(f'"{given}" is longer than any card')
        return found

    def _pixels(self, given: object, whole: float) -> float:
        if isinstance(given, bool) or given is None:
            raise NotRead(f'"{given}" is no length')
        if isinstance(given, int | float):
            return float(given)
        text = str(given)
        if found := _UNIT.fullmatch(text):
            per = {"in": self.dpi, "mm": self.dpi / 25.4, "cm": self.dpi / 2.54, "pt": self.dpi / 72}
            unit = found[2] or "px"
            return float(found[1]) * (self.cell if unit.startswith("c") and unit != "cm" else per.get(unit, 1))
        if found := _SHORT.fullmatch(text):
            base = whole if found[1] == "deck" else whole / 2
            if not found[2]:
                return base
            other = self.pixels(found[3])
            if found[2] in "*/":
                return base * other if found[2] == "*" else base / (other or 1)
            return base + other if found[2] == "+" else base - other
        raise NotRead(f'"{text}" is no length')

    def mm(self, pixels: float) -> float:
        return pixels / self.dpi * 25.4


def read_layout(source: Source, name: str, known: Mapping[str, Entry], lengths: Lengths) -> dict[str, Entry]:
    """The known entries and those of a layout file. Raises NotRead, Fault."""
    path = source.find(name, "layouts")
    found: Plain = dict(BUILT_IN[name]) if path is None and name in BUILT_IN else None
    if path is not None:
        found = source.yaml(path)
    if found is None and path is None:
        raise NotRead("there is no such file in the project's folder")
    if not isinstance(found, dict):
        raise NotRead("the file has no entries")
    entries: dict[str, Entry] = {**known, **{key: entry for key, entry in found.items() if isinstance(entry, dict)}}
    done: dict[str, Entry] = {}
    return {key: _extended(entries, key, lengths, (), done) for key in entries}


def _extended(
    entries: Mapping[str, Entry], key: str, lengths: Lengths, above: tuple[str, ...], done: dict[str, Entry]
) -> Entry:
    """An entry with what it inherits. One that extends itself inherits nothing."""
    if key in done:
        return done[key]
    entry = entries[key]
    parents = entry.get("extends")
    merged: Entry = {}
    for parent in parents if isinstance(parents, list) else [parents]:
        if isinstance(parent, str) and parent in entries and parent not in above and parent != key and len(above) < 50:
            merged.update(_extended(entries, parent, lengths, (*above, key), done))
    for name, value in entry.items():
        if name == "extends":
            continue
        change = _CHANGE.fullmatch(value) if isinstance(value, str) else None
        if change and name in merged:
            before, by = lengths.pixels(merged[name]), lengths.pixels(change[2])
            sums = {"+": before + by, "-": before - by, "*": before * by, "/": before / (by or 1)}
            merged[name] = sums[change[1]]
        else:
            merged[name] = value
    done[key] = merged
    return merged
