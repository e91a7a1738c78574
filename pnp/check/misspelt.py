"""Words of texts that are nearly words of names: the looking for ``misspelt-name`` in names.py."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from pnp.check.called import Name, keys_of
from pnp.check.dictionary import common, has_dictionary, ordinary
from pnp.check.nearness import Nearby, inflected, plural
from pnp.check.usage import JOINT, Usage, Word, articled, folded, in_midst
from pnp.check.wording import Said
from pnp.check.words import SHORTEST as TERM
from pnp.values.game import Game
from pnp.values.problems import Problem

SHORTEST = 4
"""Letters of the shortest word of a longer name whose near misses are named; a name of one word may have one less."""
# "You snooze, you lose" is a name, too.
_BETWEEN = re.compile(rf"{JOINT.pattern}|, +")
_WORD = re.compile(r"[^\W\d_]+")
# A word said so often is meant.
OWN = 3
# Unless the name that it is near to is said so many times more often.
MUCH = 8
# A word that the dictionary met so often is likely to be meant, even with a capital: Rome is no slip for Romeo.
KNOWN = 1000
# A name that texts say so often of one thing is that of one thing.
TWICE = 2
# Letters of the shortest name that a word of the dictionary may be a slip of.
SAFE = 5


def misspelt(game: Game, names: list[Name], usage: Usage) -> Iterator[Problem]:
    """Every word that is nearly a name's, text by text; then names that texts write otherwise."""
    look = _Misspelt(game, names, usage)
    for text, words in usage.texts:
        if not text.credit:
            yield from look.wrong(text, words)
    for name in names:
        yield from look.otherwise(name)


class _Misspelt:
    def __init__(self, game: Game, names: list[Name], usage: Usage) -> None:
        self.usage = usage
        self.language = game.language.partition("-")[0]
        self.known = _known(game, usage)
        words = game.rules.words
        # What is nearly one of these is told as a banned word.
        self.terms = {folded(term) for term in ([*words.terms, words.unit] if words else []) if len(term) >= TERM}
        self.told = Nearby(" ".join(term) for term in sorted(self.terms))
        self.names = {name.place: name for name in names}
        self.homes = Counter(word for name in names for word in set(folded(name.text)))
        self.written = {folded(name.text): name.text for name in reversed(names)}
        self.parts: dict[str, dict[tuple[int, int], tuple[str, ...]]] = {}
        """The words of names: how many words their names have, where it stands there, and the first such name."""
        for whole in self.written:
            for at, word in enumerate(whole):
                self.parts.setdefault(word, {}).setdefault((len(whole), at), whole)
        self.capital = {word.casefold() for name in names for word in _WORD.findall(name.text) if word[0].isupper()}
        self.near = Nearby(self.parts)
        keys = {word for key in keys_of(game) for word in folded(key) if len(word) >= SAFE}
        capitals = {word for word, often in usage.bare.items() if often > 1 and not usage.small[word]}
        self.others = Nearby(sorted((keys | capitals) - self.parts.keys()))
        self.singular = self._uses()

    def wrong(self, text: Said, words: list[Word]) -> Iterator[Problem]:
        own = self.names.get(text.place)
        for at, word in enumerate(words):
            nearest = self.near.of(word.folded)
            if not nearest or word.cut or self._is_told(word.folded):
                continue
            several = [name for name in nearest if plural(word.folded, name)]
            for name in several or nearest:
                meant = self._meant(text, words, at, name, own)
                if meant:
                    yield _problem(text, word, meant)
                    break

    def _is_told(self, word: str) -> bool:
        """Whether it is told as a slip of a term."""
        terms = [term for term in self.told.of(word) if not inflected(word, term, "en")]
        return bool(terms) and not ordinary(word, self.language)

    def otherwise(self, name: Name) -> Iterator[Problem]:
        """A name that stands nowhere but here, while texts or ids say another that is nearly it."""
        for word in _WORD.findall(name.text):
            part = word.casefold()
            if len(part) < SAFE or self.usage.said[part] > self.homes[part] or ordinary(part, self.language):
                continue
            if name.row is not None and "id" in name.row.cells and part in folded(name.row.id):
                continue
            for other in self.others.of(part):
                if not inflected(other, part, self.language):
                    message = f'the name "{name.text}" has "{word}", but elsewhere it is "{other.capitalize()}"'
                    hint = f'Did you mean "{other.capitalize()}"?'
                    yield Problem("misspelt-name", name.place, message, word, hint=hint, severity="warning")
                    break

    def _meant(self, text: Said, words: list[Word], at: int, name: str, own: Name | None) -> str:
        """The name that is nearly written here; empty where something else is."""
        word = words[at]
        if own and (name in folded(own.text) or not self._row_says(own, name)):
            return ""
        if plural(word.folded, name):
            return self._one(text, words, at, name) if self.language == "en" else ""
        right = word.folded in self.known or ordinary(word.folded, self.language)
        whole = self._around(words, at, name, text.text, right)
        if whole:
            return "" if folded(whole) in self.terms else whole
        if word.folded in self.known or (own is None and word.folded in self.parts) or self._is_form(word.folded, name):
            return ""
        if len(name) < SHORTEST and not (len(name) == SHORTEST - 1 and (name,) in self.written):
            return ""
        return self._written(name) if self._is_slip(text.text, word, name, right) else ""

    def _is_slip(self, text: str, word: Word, name: str, right: bool) -> bool:
        """Whether a word that is no name is so near to this one, and so rare, that it is a slip."""
        often = self.usage.said[word.folded]
        if right:
            # "Mercy" for Percy: only where a capital must mean a name.
            rare = often == 1 and len(name) >= SAFE and common(word.folded, self.language) < KNOWN
            return rare and word.capital and in_midst(text, word.start) and self.usage.proper(name)
        if often >= OWN and MUCH * often > self.usage.said[name]:
            return False
        if not has_dictionary(self.language):
            return often == 1 and len(name) >= SAFE and word.capital and name in self.capital
        return word.capital or len(name) >= SAFE or (len(name) == SHORTEST and not self.usage.proper(name))

    def _spots(self, words: list[Word], at: int, name: str, text: str) -> Iterator[tuple[tuple[str, ...], list[Word]]]:
        """The names that stand here, but for this one word."""
        for length, where in self.parts[name]:
            there = words[at - where : at - where + length] if at >= where else []
            # Looked up whole: a thousand names may have a word in common.
            whole = tuple(name if spot == where else each.folded for spot, each in enumerate(there))
            between = (_BETWEEN.fullmatch(text, left.end, right.start) for left, right in pairwise(there))
            if whole in self.written and len(whole) == length and all(between):
                yield whole, there

    def _around(self, words: list[Word], at: int, name: str, text: str, right: bool) -> str:
        """The longer name that stands here but for this one word; in capitals as the name, where it is a right word."""
        for whole, there in self._spots(words, at, name, text):
            written = self.written[whole]
            if len(whole) == 1 or tuple(each.folded for each in there) in self.written:
                continue
            if right and not (_is_titled(written) and all(each.capital or len(each.text) < SHORTEST for each in there)):
                continue
            if not self._is_form(words[at].folded, name):
                return written
        return ""

    def _one(self, text: Said, words: list[Word], at: int, name: str) -> str:
        """The name of one thing that stands here as if there were several."""
        word = words[at]
        for whole, there in self._spots(words, at, name, text.text):
            one = whole[-1] == name and word.folded in (name + "s", name + "es")
            if not one or not all(each.capital or len(each.text) < SHORTEST for each in there):
                continue
            if whole not in self.singular or self._has_article(text.text, words, at - len(whole) + 1):
                continue
            if len(whole) > 1 or not ordinary(word.folded, self.language):
                return self.written[whole] if self.usage.said[word.folded] < OWN or len(whole) > 1 else ""
        return ""

    def _has_article(self, text: str, words: list[Word], at: int) -> bool:
        """Whether an article or a number stands before a name, or before the names in front of it: "two Blue Blakes"."""
        while at and words[at - 1].folded in self.parts and text[words[at - 1].end : words[at].start].isspace():
            if articled(text, words[at - 1], words[at]):
                return True
            at -= 1
        return articled(text, words[at - 1] if at else None, words[at])

    def _uses(self) -> frozenset[tuple[str, ...]]:
        """Names that are said of one thing: in capitals and without an article, in texts besides their own."""
        starts: dict[str, set[int]] = {}
        for whole in self.written:
            starts.setdefault(whole[0], set()).add(len(whole))
        bare: Counter[tuple[str, ...]] = Counter()
        several: set[tuple[str, ...]] = set()
        for text, words in self.usage.texts:
            if text.place in self.names:
                continue
            for at, word in enumerate(words):
                for length in starts.get(word.folded, starts.get(word.folded[:-1], ())):
                    there = words[at : at + length]
                    whole = tuple(each.folded for each in there)
                    if whole not in self.written:
                        whole = (*whole[:-1], whole[-1].removesuffix("s"))
                    if len(there) < length or whole not in self.written:
                        continue
                    if not there[0].capital or articled(text.text, words[at - 1] if at else None, word):
                        several.add(whole)
                    elif there[-1].folded == whole[-1]:
                        bare[whole] += 1
        once = {folded(name.text) for name in self.names.values() if name.row is not None and name.row.copies == 1}
        return frozenset(
            whole
            for whole, often in bare.items()
            if whole not in several and (often >= TWICE or (len(whole) > 1 and whole in once))
        )

    def _is_form(self, word: str, name: str) -> bool:
        """Whether it is another form of a common word."""
        if self.language == "en" and self.usage.proper(name):
            return False
        return inflected(word, name, self.language)

    def _row_says(self, own: Name, name: str) -> bool:
        """Whether the row that is called so says the other word in another of its cells."""
        if own.row is None:
            return False
        others = (cell.text for cell in own.row.cells.values() if cell.place != own.place)
        return any(name in folded(text) for text in others)

    def _written(self, name: str) -> str:
        """The shortest name with this word."""
        return self.written[min(self.parts[name].values(), key=len)]


def _known(game: Game, usage: Usage) -> frozenset[str]:
    """Words that are right whatever they are near to: those of rules.toml and of the credits."""
    words = game.rules.words
    phrases = [counting.says for counting in words.counts] if words else []
    settled = [*words.terms, *words.banned, *words.banned.values(), words.unit, *phrases] if words else []
    known = {word for text in settled for word in folded(text)}
    return frozenset(known | {word.folded for text, said in usage.texts if text.credit for word in said})


def _is_titled(name: str) -> bool:
    """Whether every longer word of a name has a capital."""
    return all(word[0].isupper() for word in name.replace("-", " ").split() if len(word) >= SHORTEST)


def _problem(text: Said, word: Word, meant: str) -> Problem:
    return Problem(
        "misspelt-name",
        text.at(word.start),
        f'"{word.text}" is almost the name "{meant}"',
        word.text,
        hint=f'Did you mean "{meant}"? If it is another word, add it to terms of [words] in rules.toml.',
        severity="warning",
        about=text.about,
    )
