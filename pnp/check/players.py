"""Checks that everything that names a number of players names the same.

``player-counts``: ``[game]``, ``[setup]``, feet of books, ``[texts]``, boxes and boards name different numbers of
players, or a span backwards. Warnings: a text that seats more than can play, a label for a number that cannot, a table
whose headings name a number twice or not at all.

Why: else the box could say 2-8 although the set-up was proved for 2-6 only.
Example: ``players = "2-8"`` in ``[game]``, and "For 2 to 7 players" on the cover.
Mend: correct the one that is wrong. All are compared with the set-up, for it is what is proved.

Covers: ``[game]``, ``[setup]``, feet and headings of books, labels, titles; all texts that seat more than can play.
Not covered: sentences that name fewer, and other words for players ("captains").
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pnp.check.wording import Said, only_drawn, said
from pnp.values.findings import Subject, reported
from pnp.values.languages import NUMERALS, SPELT
from pnp.values.problems import Place, Problem

RULE = "player-counts"
RULES = (RULE,)

MOST_PLAYERS = 100
# So many words has a part of a line such as "2 to 4 players · ages 8 and up".
_WORDS = 5
_NUMBER = rf"(?:\d{{1,3}}|{SPELT})"
_TO = r"\s*(?:[-\u2013]|\b(?:to|bis|à)\b)\s*"
_OR = r"\s*(?:,\s*)?\b(?:or|and|oder|und|ou|et)\b\s*"
_SPANS = rf"{_NUMBER}(?:{_TO}{_NUMBER})?"
# In a sentence a comma alone may part two things: "Edition 3, 2 players".
_LISTED = rf"\b(?:{_SPANS}(?:\s*,\s*{_SPANS}){{0,9}}{_OR}{_SPANS}|{_SPANS})"
# "The 12 players' pieces" are the pieces of some.
_PLAYERS = re.compile(rf"({_LISTED})(?=[\s-]+players\b(?!['\u2019]))", re.IGNORECASE)
_ALONE = re.compile(
    rf"(?:for\s+|für\s+|pour\s+)?({_SPANS}(?:(?:{_OR}|\s*,\s*){_SPANS})*)(?:[\s-]+(?:players?|spieler|joueurs?))?\.?",
    re.IGNORECASE,
)
_BOUND = re.compile(r"\b(?:up to|at least|at most|more than|fewer than|less than|or|to)\s+$", re.IGNORECASE)
_UP_TO = re.compile(rf"(?:for\s+)?up to\s+({_NUMBER})(?:\s+players)?", re.IGNORECASE)
_FOOT = re.compile(r"book\..+\.foot")
_SAYS = re.compile(r"(?:players?|spieler|joueurs?)", re.IGNORECASE)
_HEADING = re.compile(r"^#{1,6}[ \t]+([^\n]*)", re.MULTILINE)
_TABLE = re.compile(r"^[ \t]*\|[^\n]*\n[ \t]*\|[ \t:|-]+\|[ \t]*(?:\n[ \t]*\|[^\n]*)*", re.MULTILINE)
_SPAN = re.compile(rf"({_NUMBER}){_TO}({_NUMBER})", re.IGNORECASE)


@reported
def look(subject: Subject) -> Iterator[Problem]:
    """Compares every number of players with the set-up's, or with ``[game]`` in a game without a set-up."""
    game = subject.game
    typed = counts_in(written := game.about.get("players", ""))
    for first, last in _SPAN.findall(written):
        if _value(first) > _value(last):
            message, right_way = f'"{written}" runs backwards', f"{last}-{first}"
            yield Problem(RULE, game.place_of("game.players"), message, written, right_way, f"Write {right_way}.")
            typed = frozenset()
    proved = frozenset(game.rules.setup.players) if game.rules.setup else frozenset()
    right = proved or typed
    if not (most := max(right, default=_most(game.about.get("players", "")))):
        return
    where = game.rules.setup.place if proved and game.rules.setup else game.place_of("game.players")
    if typed and typed != right:
        yield _differs(game.place_of("game.players"), game.about["players"], typed, right, where)
    seats = right or frozenset(range(1, most + 1))
    for text in said(subject):
        foot = counts_in(text.text) if _FOOT.fullmatch(str(text.place.column)) and "players" in text.text.lower() else None
        if foot and right and foot != right:
            yield _differs(text.place, text.text, foot, right, where)
            continue
        for found in _PLAYERS.finditer(text.text):
            counts = _counts(found[1])
            if max(counts) > most:
                told = _differs(text.at(found.start()), f"{found[1]} players", counts, seats, where)
                yield replace(told, severity="warning", about=text.about)
        yield from (replace(told, severity="warning") for told in _labels(text, right, where))
        # A cell may be about some of the players: a row of a table of set-ups.
        headed = text.drawn is not None or str(text.place.column).startswith("texts.")
        if headed and right and (counts := headline(text.text)) and counts != right and max(counts) <= most:
            yield replace(_differs(text.place, text.text, counts, right, where), severity="warning", about=text.about)


def _most(players: str) -> int:
    """How many play at most, of "up to 6"; 0 where nothing says so."""
    found = _UP_TO.fullmatch(players.strip())
    return _value(found[1]) if found else 0


def _labels(text: Said, right: frozenset[int], where: Place) -> Iterator[Problem]:
    """Checks headings of parts, columns and rows that are for some of the players."""
    labels = _HEADING.finditer(text.text) if text.lines else ()
    for label in labels:
        found = _ALONE.fullmatch(label[1].strip())
        if (
            right
            and found
            and _SAYS.search(label[1])
            and not (counts := _counts(found[1])) <= right
            and max(counts) <= max(right)
        ):
            yield _differs(text.at(label.start(1)), label[1].strip(), counts, right, where)
    for table in _TABLE.finditer(text.text) if right and text.lines else ():
        rows = [line.strip().strip("|").split("|") for line in table[0].split("\n")]
        first = [row[0] for row in rows[2:]] if _SAYS.fullmatch(rows[0][0].strip()) else []
        for cells in (rows[0][1:], first):
            yield from _parted(cells, rows[0], right, text.at(table.start()), where)


def _parted(cells: Sequence[str], head: Sequence[str], right: frozenset[int], at: Place, where: Place) -> Iterator[Problem]:
    """Columns or rows of a table that are for different numbers of players: each number has one."""
    found = [_ALONE.fullmatch(cell.strip()) for cell in cells]
    counts = [_counts(each[1]) for each in found if each]
    if len(counts) < 2 or not any(_SAYS.search(cell) for cell in (*cells, head[0])):
        return
    numbers = Counter(number for each in counts for number in each)
    whole = len(counts) == len(cells) and any(len(each) > 1 for each in counts)
    wrong = {
        "twice": frozenset(number for number, often in numbers.items() if often > 1),
        "though so many cannot play": frozenset(numbers.keys() - right),
        "nowhere": right - numbers.keys() if whole else frozenset(),
    }
    for how, those in wrong.items():
        if those and max(numbers) <= max(right):
            written = " | ".join(cell.strip() for cell in cells)
            message = f'"{written}" names {_shown(those)} players {how} ({where})'
            yield Problem(RULE, at, message, written, _shown(right), "Name each number of players once.")


@reported
def look_drawn(subject: Subject) -> Iterable[Problem]:
    """Checks the numbers of players on drawn pieces that stand in no table, because their templates write them."""
    return only_drawn(look, subject)


def headline(text: str) -> frozenset[int]:
    """The numbers of players in short words parted by marks: ``2-4 players · 30 minutes · ages 8+``; none in a sentence."""
    parts = [part.strip() for part in re.split(r"[,;|\u00b7\u2022\n]|\s[/\u2013\u2014]\s", text) if part.strip()]
    whole = text.strip()
    said = [
        each for each in ([whole] if _ALONE.fullmatch(whole) else parts) if _ALONE.fullmatch(each) and each[-1].isalpha()
    ]
    counts = _counts(said[0]) if len(said) == 1 and all(len(part.split()) <= _WORDS for part in parts) else frozenset()
    # One number alone is that of some: "2 players" on the board for two.
    return counts if len(counts) > 1 else frozenset()


def counts_in(text: str) -> frozenset[int]:
    """The numbers of players that a text names: ``2-4``, ``two to four``, ``2, 4``; none where that is not certain.

    It is where the text says nothing else, or these words once: ``Ages 8+, 2-4 players``.
    """
    if found := _ALONE.fullmatch(text.strip()):
        return _counts(found[1])
    told = list(_PLAYERS.finditer(text))
    return _counts(told[0][1]) if len(told) == 1 and not _BOUND.search(text[: told[0].start()]) else frozenset()


def _counts(text: str) -> frozenset[int]:
    """The numbers in a list of numbers and spans."""
    spans = [(_value(first), _value(last)) for first, last in _SPAN.findall(text)]
    numbers = {_value(number) for number in re.findall(_NUMBER, text, re.IGNORECASE)}
    numbers |= {number for first, last in spans for number in range(first, min(last, MOST_PLAYERS) + 1)}
    return frozenset(numbers)


def _value(written: str) -> int:
    return int(written) if written.isdecimal() else NUMERALS[written.lower()]


def _differs(place: Place, written: str, counts: frozenset[int], right: frozenset[int], where: Place) -> Problem:
    return Problem(
        RULE,
        place,
        f'"{written}" is for {_shown(counts)} players, the game for {_shown(right)} ({where})',
        written,
        _shown(right),
    )


def _shown(counts: frozenset[int]) -> str:
    numbers = sorted(counts)
    if len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]}-{numbers[-1]}"
    return " or ".join([", ".join(map(str, numbers[:-1])), str(numbers[-1])]) if len(numbers) > 1 else str(numbers[0])
