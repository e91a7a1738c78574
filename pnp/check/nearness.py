"""Words that are nearly one another, one letter more, less or other, or two changed about; and those of dictionaries."""

from __future__ import annotations

import gzip
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

# 40 ms and 10 MB each; games are of one language, or two.
MOST_LANGUAGES = 2

# Endings that make another form of a common word, by language; of other languages any change of the last two letters is one.
_ENDINGS = ("s", "es", "d", "ed", "r", "er", "y", "ly")
LONGEST = 60
"""Letters of the longest word that is near to any: no longer one is in a name, and taking each letter away is many words."""
UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "ẞ": "SS"})
"""How German letters are written where there are none."""


def near(word: str, other: str) -> bool:
    """Whether one letter more, less or other, or two letters changed about, lie between two words."""
    if word == other or abs(len(word) - len(other)) > 1:
        return False
    start = next((i for i, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other)))
    a, b = word[start:], other[start:]
    return a[1:] == b[1:] or a[1:] == b or a == b[1:] or (a[1::-1] == b[:2] and a[2:] == b[2:])


def plural(word: str, name: str) -> bool:
    """Whether a word is several of a name, or one of what the name says several of."""
    return _several(word, name) or _several(name, word)


def _several(many: str, one: str) -> bool:
    return many in (one + "es", one[:-1] + "ies") or (many == one + "s" and not one.endswith("s"))


def inflected(word: str, name: str, language: str) -> bool:
    """Whether a word is another form of a common word of the language, and not a slip."""
    if language == "en":
        return plural(word, name) or (word in {name + ending for ending in _ENDINGS} and not word.endswith("ss"))
    # Elsewhere nouns are declined at their end, in ways that differ from language to language.
    kept = max(len(word), len(name)) - 2
    return word[:kept] == name[:kept] and sorted(word) != sorted(name)


class Nearby:
    """Words by what is left of them when a letter is taken away: neighbours are found without comparing all with all."""

    def __init__(self, words: Iterable[str]) -> None:
        self._by_rest: dict[str, list[str]] = {}
        self._found: dict[str, tuple[str, ...]] = {}
        for word in dict.fromkeys(words):
            for rest in _rests(word):
                self._by_rest.setdefault(rest, []).append(word)

    def of(self, word: str) -> tuple[str, ...]:
        """The words near to this one, in the order in which they were given, but for the word itself."""
        if word not in self._found:
            maybe = dict.fromkeys(each for rest in _rests(word) for each in self._by_rest.get(rest, ()))
            self._found[word] = tuple(each for each in maybe if near(word, each))
        return self._found[word]


def _rests(word: str) -> Iterator[str]:
    yield word
    # Of a doubled letter either may be taken away, with the same rest.
    yield from dict.fromkeys(word[:at] + word[at + 1 :] for at in range(len(word) if len(word) <= LONGEST else 0))


def ordinary(word: str, language: str) -> bool:
    """Whether a dictionary of the language has the word; never, where there is no dictionary."""
    return common(word, language) > 0


def common(word: str, language: str) -> int:
    """How often the dictionary met a word in the texts that it was made from; 0 for a word that it has not."""
    lines, entry = _dictionary(language.partition("-")[0]), f'"{word.casefold()}": '.encode("utf-8", "replace")
    at = bisect_left(lines, entry)
    found = at < len(lines) and lines[at].startswith(entry)
    return int(lines[at][len(entry) :].rstrip(b",\r ")) if found else 0


def has_dictionary(language: str) -> bool:
    """Whether there is a dictionary of the language."""
    return len(_dictionary(language.partition("-")[0])) > 0


@lru_cache(MOST_LANGUAGES)
def _dictionary(language: str) -> Sequence[bytes]:
    """The lines of the package's JSON, a word and its count each: to parse it takes five times as long."""
    spec = find_spec("spellchecker")
    if spec is None or spec.origin is None or not language.isalpha():
        return ()
    file = Path(spec.origin).parent / "resources" / f"{language}.json.gz"
    return sorted(gzip.decompress(file.read_bytes()).split(b"\n")) if file.is_file() else ()
