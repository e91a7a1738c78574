"""A change, and what most kinds of changes are made with: other numbers, misspelt words, what may not be judged."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from sources import Cell, Edit, Source, Token

_SPOKEN = "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen"
WORDS = re.findall(r"\w+", _SPOKEN)
COUNTED = {"copies", "count"}
COORDINATES = {"q", "r", "x", "y", "turn"}
FLAVOUR = {"aside", "motto", "mood"}
"""Columns of jokes: nobody could know that one is wrong."""
FREE = {
    ("characters", "text"): "a joke",
    ("ships", "name"): "a joke",
    ("screens", "penguin"): "which penguin sits where in a picture",
    ("screens", "x"): "where a penguin sits in a picture",
    ("screens", "y"): "where a penguin sits in a picture",
    ("tokens", "ground"): "what a picture lies on",
    ("tokens", "ground_back"): "what a picture lies on",
    **{
        ("handicap", action): "which spots a card has is free; that no deck is better is another column's doing"
        for action in ("scouting", "anchor", "full_sail", "bail_or_fish", "turn_portside", "turn_starboard")
    },
}
"""Columns in which one value is as right as another of them, by table, and why: they are not exchanged."""


@dataclass(frozen=True)
class Change:
    """One change: where, and what it reads then."""

    kind: str
    game: str
    edits: tuple[Edit, ...]
    what: str
    """The column or key, for whoever gives the reason of a miss."""
    was: str
    now: str


Kind = Callable[[Source, Random], Iterator[Change]]


def one(source: Source, kind: str, edit: Edit, what: str = "") -> Change:
    """A change at one place."""
    return Change(kind, source.game, (edit,), what, source.texts[edit.file][edit.start : edit.end], edit.now)


def at_token(source: Source, kind: str, name: str, token: Token, now: str) -> Change:
    """Another value in a TOML file."""
    return one(source, kind, Edit(source.path(name), token.start, token.end, now), f"{token.section}.{token.key}")


def at_column(cell: Cell) -> str:
    """What is changed, in a cell."""
    return f"{cell.table}.{cell.column}"


def misspelt(word: str, chance: Random, known: frozenset[str]) -> str:
    """A word with one letter left out, doubled, exchanged or another; its first letter stays. Empty where none is left."""
    made = []
    for at in range(1, len(word)):
        made += [word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:]]
        if at + 1 < len(word):
            made += [word[:at] + word[at + 1] + word[at] + word[at + 2 :]]
        if word[at] in "aeiou":
            made += [word[:at] + vowel + word[at + 1 :] for vowel in "aeiou"]
    fit = [each for each in dict.fromkeys(made) if each.lower() not in known and each.isalpha()]
    return chance.choice(fit) if fit else ""


def nudged(number: str, chance: Random) -> str:
    """A number next to it: by one, or by one thousand."""
    step = 1000 if "," in number else 1
    value = int(number.replace(",", ""))
    changed = value + step if value < 2 * step or chance.random() < 0.5 else value - step
    return f"{changed:,}" if "," in number else str(changed)


def word_nudged(word: str, chance: Random) -> str:
    """A number word next to it."""
    at = WORDS.index(word.lower())
    now = WORDS[at + 1 if at == 0 or (at + 1 < len(WORDS) and chance.random() < 0.5) else at - 1]
    return now.capitalize() if word[0].isupper() else now


def either_nudged(number: str, chance: Random) -> str:
    """A number next to it, as it is written; after "one" comes "two"."""
    if number.isdecimal():
        return nudged(number, chance)
    return word_nudged(number, chance) if number.lower() in WORDS else "two"


def table_of(source: Source, section: str) -> str:
    """The table of a component."""
    name = section.partition(".")[2]
    return str(source.config["component"][name].get("table", name))


def placed(source: Source, table: str) -> bool:
    """Whether a table says where things lie."""
    laid = {str(each.get("table", name)) for name, each in source.config.get("layout", {}).items()}
    return table in laid | {str(each.get("hexes", "")) for each in source.config.get("component", {}).values()}


def part_of(source: Source, file: str, at: int) -> str:
    """In what kind of text something stands: a label of a picture, an example, a table or other prose of a book."""
    before = source.texts[file][:at]
    if not file.endswith(".md"):
        return "cell" if file.endswith(".csv") else "text"
    if before.rfind("{{") > before.rfind("}}"):
        return "label"
    fences = re.findall(r"^:::.*", before, re.MULTILINE)
    if fences and fences[-1].startswith("::: example"):
        return "example"
    return "row" if before.rpartition("\n")[2].startswith("|") else "prose"
