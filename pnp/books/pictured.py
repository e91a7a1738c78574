"""Whether the pieces that a figure shows are those that its caption and its ``alt`` speak of, where that is certain."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from pnp.books.functions import Asked, AskedFigure
from pnp.books.spans import line_of
from pnp.values.books import Fault
from pnp.values.game import Component, Game
from pnp.values.numerals import NUMERALS, SPELT
from pnp.values.problems import listed
from pnp.values.tables import Row

RULE = "other-picture"
# Fewer letters are a sign on a piece: A, 1|1.
SHORTEST = 3
_NUMBER = rf"(?:\d{{1,3}}|{SPELT})"
# Up to three words say which: "Six orange reaction cards". "Two rows of cards" and "two or three cards" are something else.
_WHICH = r"(?:(?!(?:of|or|to|and|by|per)\b)[^\W\d_][\w'\u2019-]*\s+){0,3}?"
_TOGETHER = r"in a (?:row|line|pile|fan)|side by side|next to each other|face (?:up|down)"
# "Two cards make a pair" may be said beside one of them.
_ENDS = rf"(?=\s*(?:[.,:;\u2013\u2014]|$)|\s+(?:{_TOGETHER}|(?:for|from)\s+(?-i:[A-Z])[\w'\u2019 ]+\.?$))"
# What is seen is told so, too: "Three cards with the number 1".
_SEEN = rf"(?=\s*(?:[.,:;\u2013\u2014]|$)|\s+(?:{_TOGETHER}|with|for|from|that|showing|lying)\b)"
# "Two blue cards, one red card": the first number is not all.
_MORE = re.compile(
    rf"(?:,|;|\+|\b(?:and|beside))\s+(?:and\s+)?(?:another|an?|{_NUMBER})\b|\bof\s+(?:each|every)", re.IGNORECASE
)
# What is not there is named, too: "All tiles but Puerto Rico".
_NOT = re.compile(r"\b(?:but|except|without|not|no|unlike|instead of|other than)\b", re.IGNORECASE)
# Between names that are told one after the other.
_LIST = re.compile(r"[^.;?()]{0,24}")


def other_pictures(game: Game, asked: Iterable[Asked], source: str) -> list[Fault]:
    """What figures of a book show, and their words do not fit."""
    components = {component.name: component for component in game.components}
    found = []
    for figure in asked:
        if not isinstance(figure, AskedFigure) or not figure.alt:
            continue
        names = {wish.name for wish in figure.wishes}
        if all(wish.form in ("front", "back", "folded") for wish in figure.wishes) and len(names) == 1:
            component = components[names.pop()]
            told = _told(component, figure)
            if told:
                line = line_of(source, figure.alt, figure.caption, f'"{component.name}"')
                found.append(Fault(RULE, told[0], line, told[1], hint=told[2], severity="warning"))
    return found


def _told(component: Component, figure: AskedFigure) -> tuple[str, str, str] | None:
    """What is wrong with a figure, the words or the piece it is about, and how to mend it."""
    rows = {row.id: row for row in component.table}
    shown = [rows[wish.piece] if wish.piece else next(iter(rows.values())) for wish in figure.wishes]
    for text, after in ((figure.alt, _SEEN), (figure.caption, _ENDS)):
        if (counted := _counted(component, text, after)) and counted[0] != len(shown):
            pieces = "1 piece" if len(shown) == 1 else f"{len(shown)} pieces"
            return f'"{counted[1]}", but the picture shows {pieces}', counted[1], "Correct the number, or the ids."
    if other := _other(component.table.rows, shown, figure):
        here = listed(list(dict.fromkeys(_called(row) for row in shown)), 6)
        return f'it speaks of "{other}", but the picture shows {here}', other, "Correct the words, or the ids."
    for piece, often in Counter(row.id for row in shown).items():
        if often > rows[piece].copies:
            message = f'it shows "{piece}" {often} times, and there is {rows[piece].copies} of it'
            return message, piece, "Show another piece, or give it more copies."
    return None


def _called(row: Row) -> str:
    """As people call a row."""
    return next((row.cells[column].text for column in ("name", "title") if column in row.cells), row.id)


def _counted(component: Component, text: str, after: str) -> tuple[int, str] | None:
    """The number of pieces that a text begins with; None where it is not certain that it is one."""
    nouns = {component.kind, component.title.casefold(), component.title.split()[-1].casefold()}
    pieces = "|".join(sorted((f"{re.escape(noun)}(?:e?s)?" for noun in nouns), key=len, reverse=True))
    found = re.match(rf"(?:the\s+)?({_NUMBER})\s+{_WHICH}(?:{pieces}){after}", text, re.IGNORECASE)
    if found is None or _MORE.search(re.split(r"[.:(]", text[found.end() :])[0]):
        return None
    number = found[1].lower()
    return int(number) if number.isdecimal() else NUMERALS[number], found[0]


def _other(rows: Sequence[Row], shown: Sequence[Row], figure: AskedFigure) -> str:
    """The name of a row that is spoken of and not shown; empty where none is, or one that is shown is spoken of as well."""
    if _NOT.search(figure.alt):
        return ""
    bare = {re.sub(r"\W+$", "", _called(row)): row for row in rows}
    names = {name: row for name, row in bare.items() if len(name) >= SHORTEST and name[0].isupper()}
    seen = {_called(row) for row in shown}
    said = list(_named(names, figure.alt))
    own = [_called(names[match[0]]) for match in said]
    lacking = [name for name in own if name not in seen]
    if lacking and len(lacking) == len(own):
        return lacking[0]
    gaps = (figure.alt[one.end() : two.start()] for one, two in pairwise(said))
    if len(own) == len(shown) > 1 and all(_LIST.fullmatch(gap) for gap in gaps):
        # As many names as pieces, one after the other: these are they.
        more = Counter(own) - Counter(_called(row) for row in shown)
        return next(iter(more), "")
    first = next(_named(names, figure.caption), None)
    begins = first is not None and re.fullmatch(r"(?:the\s+)?", figure.caption[: first.start()], re.IGNORECASE)
    if first is None or not begins or _called(names[first[0]]) in seen or own:
        return ""
    return _called(names[first[0]])


def _named(names: Iterable[str], text: str) -> Iterator[re.Match[str]]:
    """The names of rows in a text, whole and in its capitals; a word that only begins a sentence need be none."""
    either = "|".join(map(re.escape, sorted(names, key=lambda name: (-len(name), name))))
    for match in re.finditer(rf"(?<![\w'\u2019-])(?:{either})(?![\w-])", text) if either else ():
        begins = re.search(r"(?:^|[.!?:]\s+)$", text[: match.start()])
        if not begins or " " in match[0] or re.match(r"['\u2019]s\b|\s*(?:[.,:;!?]|$)|\s+and\b", text[match.end() :]):
            yield match
