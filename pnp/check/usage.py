"""How a game uses its words: each text as words, how often each is said, in capitals or not, with an article or not."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from pnp.check.wording import Said

# A run of letters; what stands for "not", "will", "have" behind it makes it no word of its own.
_WORD = re.compile(r"([^\W\d_]+)((?<=[^\W\d_])['\u2019](?:t|ll|re|ve|d|m)\b)?")
# Between the words of a name.
JOINT = re.compile(r"\s+|\s*[-\u2010\u2011'\u2019]\s*|\*+")
# In the midst of a sentence a capital is meant.
_MIDST = re.compile(r"[^\W\d_A-Z][,;]?[ \t\u00a0]+[*_(\"\u201c\u2018]*$|,[ \t\u00a0]+[*_(\"\u201c\u2018]*$")
_BEFORE = 24
_NUMBERED = re.compile(r"[\d\u00d7][ \t\u00a0*_-]*$")
_ARTICLES = frozenset(
    re.findall(
        r"\w+",
        "a an the one two three four five six seven eight nine ten eleven twelve each every all both no any some "
        "other another more most your his her its my our their this that these those many few several which what enough",
    )
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text."""

    text: str
    folded: str
    start: int
    end: int
    cut: bool
    """A part of something like "couldn't"."""

    @property
    def capital(self) -> bool:
        return self.text[0].isupper()


def words_of(text: str) -> list[Word]:
    """The words of a text in their order."""
    return [Word(m[1], m[1].casefold(), m.start(), m.end(1), bool(m[2])) for m in _WORD.finditer(text)]


def folded(text: str) -> tuple[str, ...]:
    """The words of a name, in small letters."""
    return tuple(match[1].casefold() for match in _WORD.finditer(text))


def in_midst(text: str, at: int) -> bool:
    """Whether a position is in the midst of a sentence, and not in a heading, where a capital need not mean a name."""
    line = text.rfind("\n", 0, at) + 1
    return not text.startswith("#", line) and _MIDST.search(text, max(line, at - _BEFORE), at) is not None


class Usage:
    """All texts as words, counted."""

    def __init__(self, texts: Iterable[Said]) -> None:
        self.texts = [(text, words_of(text.text)) for text in texts]
        self.said: Counter[str] = Counter()
        self.small: Counter[str] = Counter()
        """Said in small letters."""
        self.articled: Counter[str] = Counter()
        """Said behind an article, a number, or the like."""
        self.bare: Counter[str] = Counter()
        """Said in capitals in the midst of a sentence without one: as names of persons and places are."""
        for text, words in self.texts:
            self._count(text.text, words)

    def _count(self, text: str, words: list[Word]) -> None:
        before = None
        for word in words:
            self.said[word.folded] += 1
            if not word.capital:
                self.small[word.folded] += 1
            if articled(text, before, word):
                self.articled[word.folded] += 1
            elif word.capital and in_midst(text, word.start):
                self.bare[word.folded] += 1
            before = word

    def proper(self, name: str) -> bool:
        """Whether a word is said as names of persons and places are, and in no other way."""
        return bool(self.bare[name]) and not self.small[name] and not self.articled[name]


def articled(text: str, before: Word | None, word: Word) -> bool:
    """Whether an article, a number or the like stands before a word."""
    between = text[before.end if before else 0 : word.start]
    if before is not None and before.folded in _ARTICLES and not between.strip(" \t\n*_\u00a0"):
        return True
    return _NUMBERED.search(between) is not None
