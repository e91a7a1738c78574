"""Checks the spellings, units and marks of numbers that ``[words]`` asks for.

Looked at are cells, ``[texts]``, credits, titles, the set-up, Markdown files but the README, and words of templates.

``banned-word``: a spelling that ``banned`` names; as a warning also a word in no dictionary, one letter away from one
of ``terms`` of six letters or more.
Why: readers take two words for two different things.
Example: ``banned = { doublons = "doubloons" }``, and a card says "1,000 doublons".
Mend: write the right spelling, or add the word to ``terms`` if it is another.

``bare-number``: a number from ``from`` on without the ``unit`` or a term behind it.
Why: "Pay 2,000": of what?
Example: ``unit = "doubloons"``, and a card says "worth 2,000 at home".
Mend: write the unit behind the number; in "2,000 or 3,000 doubloons" the last one is enough.

``thousands-mark``: a number of five digits or more, or with a mark, is not parted as ``thousands`` says, else as most
numbers are.
Why: a number that is written in two ways looks like a mistake.
Example: ``thousands = ","``, and a card says "12 000".
Mend: write the mark of the others. Spaces that do not break and narrow ones are marks of their own.

``typed-number``: a number before a name of ``counts``, or a component's title of two words or more, that the tables do
not bear out; a wrong one in a phrase of ``counts``; a phrase that no text says. Half of the pieces or fewer is taken
for a part, unless "all" precedes; after draw, take or pay only phrases are compared.
Why: when a table changes, sentences that say its numbers are forgotten.
Example: ``"tile boards" = 'count("tiles")'``, and the rulebook says "13 tile boards" of 12.
Mend: correct the number, or the table.

Covers: cells, ``[texts]``, credits, titles, books with covers, captions and alt texts; with drawing also the words of
templates.
Not covered: numbers that no phrase lists (see ``pnp check --unbound``), and parts ("two of the cards").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from pnp.check.evaluator import Evaluator
from pnp.check.wording import (
    NUMBER,
    WORD,
    Counted,
    Evaluate,
    Said,
    either,
    inflected,
    near,
    number_in,
    odd_thousands,
    only_drawn,
    ordinary,
    said,
)
from pnp.values.findings import Report, Subject, report
from pnp.values.problems import Problem
from pnp.values.sections import Words
from pnp.values.walk import grouped

RULES: tuple[str, ...] = ("banned-word", "bare-number", "thousands-mark", "typed-number")

SHORTEST = 6
"""Letters of the shortest term whose near misses are named: shorter words have too many neighbours."""
# Words that are remembered with the term next to them.
MOST_KNOWN = 50_000
# A year: nothing marks its thousands, and one of these words stands before it.
_YEAR = re.compile(
    r"\b(?:in|of|since|until|till|anno|year|around|about|circa|before|after|from|summer|winter)\s+$", re.IGNORECASE
)
_YEARS = range(1000, 2100)
# Between a number and its unit: "12,000 hard-won old doubloons", but not "2,000 and doubloons". So many words at most.
_ADJECTIVE = (
    r"\s+(?!(?:and|or|but|to|of|in|on|at|by|for|from|with|into|than|plus|as|if|then)\b)[^\W\d_]+"
    r"(?:[-'\u2019][^\W\d_]+)*,?(?=[\s-])"
)
_MOST_ADJECTIVES = 2
# Between numbers that share a unit: "2,000, 3,000 or 4,000 doubloons".
_LINK = re.compile(r"(?:\s*[,;/+\u2013\u2014-])?(?:\s*\b[^\W\d_]{1,3}\b)?\s*")


def look(subject: Subject) -> Report:
    """Compares all texts with what ``[words]`` of rules.toml asks for; without it nothing is found."""
    if subject.game.rules.words is None:
        return report()
    return report(check(subject, Evaluator(subject.game).value))


def look_drawn(subject: Subject) -> Report:
    """Checks the words on drawn pieces that stand in no table, because their templates write them."""
    words = subject.game.rules.words
    if words is None:
        return report()
    unsaid = Counted(subject.game, words, Evaluator(subject.game).value).unsaid(said(subject))
    return report([*only_drawn(look, subject), *unsaid])


def check(subject: Subject, evaluate: Evaluate) -> Iterator[Problem]:
    """Every word and number that is not as settled, text by text; ``evaluate`` computes expressions over the tables."""
    words = subject.game.rules.words
    if words is None:
        return
    texts = said(subject)
    spelling = _Spelling(words, subject.game.language)
    units = _Units(words, spelling, texts)
    counted = Counted(subject.game, words, evaluate)
    yield from counted.faults
    for text in texts:
        for problem in (*spelling.wrong(text), *units.bare(text), *counted.wrong(text)):
            yield replace(problem, about=text.about)
    yield from odd_thousands(texts, words.thousands)


def _forms(term: str) -> Iterator[str]:
    yield term
    yield from (term + "s", term + "es")
    if term.endswith("y"):
        yield term[:-1] + "ies"
    if term.endswith("s"):
        yield term[:-1]
    if term.endswith("ies"):
        yield term[:-3] + "y"


# A game says the same words again and again.
@lru_cache(MOST_KNOWN)
def _meant(written: str, terms: tuple[str, ...], right: frozenset[str]) -> str:
    """The term of as many words that is nearly what is written; nothing where that is right, or another form of it."""
    word = re.sub(r"['\u2019]s$", "", re.sub(r"[\s-]+", " ", written.casefold()))
    if word in right:
        return ""
    meant = next((term for term in terms if term.count(" ") == word.count(" ") and near(word, term)), "")
    return "" if meant and inflected(word, meant, "en") else meant


class _Spelling:
    """Spellings that are wrong, and those that are right with all their forms."""

    def __init__(self, words: Words, language: str) -> None:
        terms = [*words.terms, *([words.unit] if words.unit else [])]
        self.language = language
        self.banned: list[tuple[re.Pattern[str], re.Pattern[str], str]] = []
        """What to look for, the right spelling, which may hold the wrong one, and how it is written."""
        for wrong, right in words.banned.items():
            # What differs in capitals alone is looked for as it is written.
            flags = re.NOFLAG if wrong.casefold() == right.casefold() else re.IGNORECASE
            found = re.compile(rf"(?<!\w){either([wrong])}", flags)
            self.banned.append((found, re.compile(rf"(?<!\w){either([right])}", flags), right))
        known = {form for term in terms for form in _forms(term.casefold())}
        known |= {word.casefold() for pair in words.banned.items() for word in pair}
        self.right = frozenset(re.sub(r"[\s-]+", " ", word) for word in known)
        self.terms = {" ".join(re.split(r"[\s-]+", term.casefold())): term for term in terms if len(term) >= SHORTEST}
        """Terms of enough letters, folded, as they are written."""

    def wrong(self, said: Said) -> Iterator[Problem]:
        for found, right, written in self.banned:
            meant = [match.span() for match in right.finditer(said.text)]
            for match in found.finditer(said.text):
                if not any(start <= match.start() and match.end() <= end for start, end in meant):
                    message = f'"{match[0]}" is not how this game spells it'
                    yield Problem("banned-word", said.at(match.start()), message, match[0], written, f'Write "{written}".')
        yield from self._almost(said)

    def _almost(self, said: Said) -> Iterator[Problem]:
        if not self.terms:
            return
        found = list(WORD.finditer(said.text))
        terms = tuple(self.terms)
        longest = max(term.count(" ") for term in terms) + 1
        for count in range(1, longest + 1):
            for first, last in zip(found, found[count - 1 :], strict=False):
                written = said.text[first.start() : last.end()]
                meant = _meant(written, terms, self.right)
                if meant and not ordinary(written, self.language):
                    term = self.terms[meant]
                    message = f'"{written}" is almost "{term}"'
                    hint = f'Did you mean "{term}"? If it is another word, add it to terms.'
                    yield Problem("banned-word", said.at(first.start()), message, written, hint=hint, severity="warning")


class _Units:
    """Decides which numbers want a unit, and whether they have one."""

    def __init__(self, words: Words, spelling: _Spelling, texts: Sequence[Said]) -> None:
        self._words = words
        adjectives = rf"(?:{_ADJECTIVE}){{0,{_MOST_ADJECTIVES}}}"
        self._unit = re.compile(rf"{adjectives}[\s-]*{either([words.unit, *spelling.right])}", re.IGNORECASE)
        self._years = {number[0] for text in texts if text.credit for number in NUMBER.finditer(text.text)}
        self._sides = grouped((text.drawn.face, text.text) for text in texts if text.drawn)

    def bare(self, said: Said) -> Iterator[Problem]:
        if not self._words.unit:
            return
        for number in NUMBER.finditer(said.text):
            if number_in(number[0]) < self._words.unit_from or self._is_year(said, number) or self._has_unit(said, number):
                continue
            message = f'"{number[0]}" stands without its unit'
            hint = f'Write "{number[0]} {self._words.unit}".'
            yield Problem("bare-number", said.at(number.start()), message, number[0], hint=hint)

    def _is_year(self, said: Said, number: re.Match[str]) -> bool:
        if number[0] in self._years:
            return True
        looks = bool(self._words.thousands) and not number["mark"] and number_in(number[0]) in _YEARS
        return looks and _YEAR.search(said.text, 0, number.start()) is not None

    def _has_unit(self, said: Said, number: re.Match[str]) -> bool:
        # A currency's sign may come first; a drawn number alone may have its unit in a text of its own beside it.
        if said.text[: number.start()].rstrip().casefold().endswith(self._words.unit.casefold()):
            return True
        if said.drawn and said.text.strip() == number[0]:
            return any(self._unit.match(text) for text in self._sides[said.drawn.face])
        after = number.end()
        while not self._unit.match(said.text, after):
            link = _LINK.match(said.text, after)
            if (following := NUMBER.match(said.text, link.end() if link else after)) is None:
                return False
            after = following.end()
        return True
