"""One name in two spellings, apart by a blank, a hyphen, an apostrophe or capitals: the looking for ``two-spellings``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from pnp.check.called import Name
from pnp.check.dictionary import ordinary
from pnp.check.nearness import LONGEST
from pnp.check.usage import JOINT, Usage, Word, folded, in_midst, words_of
from pnp.check.wording import Said
from pnp.values.problems import Problem

SHORTEST = 6
"""Letters of the shortest name of which other spellings are looked for."""
# A name that is said so often in its capitals, and by so many times less without, is wanted in capitals.
OFTEN = 3
_APOSTROPHE = re.compile(r"['\u2019]")
_NOUN = re.compile(r"\s+[^\W\d_A-Z]")
_POSSESSIVE = re.compile(r"['\u2019]s$", re.IGNORECASE)
TIMES = 4


@dataclass(frozen=True, slots=True)
class _Found:
    """A name as it stands in a text."""

    text: Said
    words: tuple[Word, ...]
    name: str
    """As names write it."""

    @property
    def written(self) -> str:
        return self.text.text[self.words[0].start : self.words[-1].end]


def variants(names: list[Name], usage: Usage, language: str) -> Iterator[Problem]:
    """Every place where a name is written otherwise than where it is given."""
    wholes: dict[str, Counter[str]] = {}
    for name in names:
        words = words_of(name.text)
        joined = all(JOINT.fullmatch(name.text, one.end, other.start) for one, other in pairwise(words))
        whole = "".join(word.folded for word in words)
        # "Chips of 1" is no name of chips.
        if joined and SHORTEST <= len(whole) <= LONGEST and not any(map(str.isdigit, name.text)):
            wholes.setdefault(whole, Counter())[" ".join(name.text[words[0].start : words[-1].end].split())] += 1
    begun = {whole[:end] for whole in wholes for end in range(1, len(whole) + 1)}
    found: dict[str, list[_Found]] = {}
    for text, words in usage.texts:
        if text.credit:
            continue
        for at, word in enumerate(words):
            if word.folded in begun:
                for each in _starting(text, words, at, begun, wholes):
                    found.setdefault("".join(part.folded for part in each.words), []).append(each)
    for whole, standing in found.items():
        yield from _odd(wholes[whole], standing, language)


def _starting(text: Said, words: list[Word], at: int, begun: set[str], wholes: dict[str, Counter[str]]) -> Iterator[_Found]:
    """The names that stand here, from this word on, whatever parts their words."""
    whole, end = words[at].folded, at + 1
    while whole in begun:
        if whole in wholes:
            yield _Found(text, tuple(words[at:end]), wholes[whole].most_common(1)[0][0])
        if end == len(words) or not JOINT.fullmatch(text.text, words[end - 1].end, words[end].start):
            return
        whole, end = whole + words[end].folded, end + 1


def _odd(given: Counter[str], standing: list[_Found], language: str) -> Iterator[Problem]:
    usual = Counter(_joined(each.written) for each in standing).most_common(1)[0][0]
    names = {_joined(name) for name in given}
    for each in standing:
        joined = _joined(each.written)
        right = each.name if _joined(each.name) == usual or usual not in names else _first(given, usual)
        if joined != _joined(right) and (joined not in names or joined != usual) and _is_other(each, right, language):
            yield _problem(each, right)
    name = standing[0].name
    capitals = [each for each in standing if each.written == name and in_midst(each.text.text, each.words[0].start)]
    small = [each for each in standing if each.written == name.lower()]
    wanted = len(name.split()) > 1 and all(word[0].isupper() for word in name.split() if len(word) > 3)
    if wanted and len(capitals) >= OFTEN and len(capitals) >= TIMES * len(small):
        for each in small:
            yield _problem(each, name)


def _first(given: Counter[str], usual: str) -> str:
    return next(name for name in given if _joined(name) == usual)


def _joined(written: str) -> str:
    """What parts the words, with the letters in small."""
    return " ".join(written.casefold().replace("\u2019", "'").replace("\u2011", "-").replace("*", "").split())


def _is_other(found: _Found, right: str, language: str) -> bool:
    """Whether a spelling is one that nobody writes for another reason."""
    written = found.written
    if _POSSESSIVE.search(written):
        return False
    if len(found.words) == len(folded(right)) or _APOSTROPHE.search(right):
        # "the Port-Royal fleet" is good English, and "krakens nap" a sentence.
        noun = "-" in written and _NOUN.match(found.text.text, found.words[-1].end)
        titled = all(word[0].isupper() for word in right.replace("-", " ").split())
        return not noun and titled and all(word.capital for word in found.words)
    if len(found.words) == 1:
        return not ordinary(written, language) or (
            found.words[0].capital and in_midst(found.text.text, found.words[0].start)
        )
    # "over board" is no card called Overboard.
    return len(folded(right)) > 1 or all(len(word.text) > 3 and ordinary(word.text, language) for word in found.words[:1])


def _problem(found: _Found, right: str) -> Problem:
    place = found.text.at(found.words[0].start)
    message = f'"{found.written}" is written "{right}" elsewhere'
    hint = f'Write "{right}", or the other way everywhere.'
    return Problem("two-spellings", place, message, found.written, right, hint, "warning", found.text.about)
