"""Checks that names are spelt in one way.

Names are what columns ``name`` and ``title`` say, values that many rows share, and titles of components and layouts.
Texts are those of ``[words]``.

``misspelt-name``: a word in no dictionary, one letter away from a word of a name, and rare; a word of the dictionary
beside the other words of the name; the name itself, where texts say another. A warning.
Why: readers take Tripoli and Tripolis for two places.
Example: a row is called Tripoli, and a card says "Sail to Tripolis".
Mend: write the name as its row does. A word that is meant belongs into ``terms`` of ``[words]``.

``two-spellings``: a name in one word and in two, with hyphen or capitals and without; a value of one row, nearly that
of several. A warning.
Why: readers look for a second thing, and whoever sorts the table gets two heaps.
Example: one card says "Seawolf", three say "Sea Wolf"; three rows have Porcelaine, one has Porcelain.
Mend: choose one spelling.

Covers: slips of one letter in these texts, in the language of the game.
Not covered: a slip that makes another ordinary word, such as Fur for Fury; names that only one place says.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import PurePosixPath

from pnp.check.wording import LONGEST, Nearby, Said, common, has_dictionary, inflected, only_drawn, ordinary, plural, said
from pnp.check.words import SHORTEST as TERM
from pnp.dataclass import dataclass
from pnp.values.findings import Report, Subject, report
from pnp.values.game import Game
from pnp.values.problems import Place, Problem
from pnp.values.tables import NAMING, Cell, Row, Table
from pnp.values.walk import grouped

RULES: tuple[str, ...] = ("misspelt-name", "two-spellings")

# Words of the longest name: a longer title is a sentence.
_MOST_WORDS = 6
# Letters of the shortest word of a longer name whose near misses are named (a name of one word may have one less); of the
# shortest name that a word of the dictionary may be a slip of; of the shortest of which other spellings are looked for.
_SHORTEST, _SAFE, _SPELT = 4, 5, 6
# A word said so often is meant, unless the name that it is near to is said so many times more often.
_OWN, _MUCH = 3, 8
# A word that the dictionary met so often is likely to be meant, even with a capital: Rome is no slip for Romeo.
_KNOWN = 1000
# A name that texts say so often of one thing is that of one thing.
_TWICE = 2
# A name that is said so often in its capitals, and by so many times less without, is wanted in capitals.
_OFTEN, _TIMES = 3, 4
# Letters of the longest value that is compared, and how many rows have the usual one; two where only one stands alone.
_LONGEST_VALUE, _SEVERAL = 40, 3
# Columns of two tables that have so many values in common, and most of them, speak of the same things.
_SHARED = 3

# What is a key for the tables and not a word for readers: "olive-oil", "tokens/fish", "crew-blue-dark".
_KEY = re.compile(r"[a-z0-9]+(?:[-_./][a-z0-9]+)*|[^\s]*[/\\.@#][^\s]*")
_LETTERS = re.compile(r"[^\W\d_]+")
# A run of letters; what stands for "not", "will", "have" behind it makes it no word of its own.
_WORD = re.compile(r"([^\W\d_]+)((?<=[^\W\d_])['\u2019](?:t|ll|re|ve|d|m)\b)?")
# Between the words of a name; "You snooze, you lose" is one, too.
_JOINT = re.compile(r"\s+|\s*[-\u2010\u2011'\u2019]\s*|\*+")
_BETWEEN = re.compile(rf"{_JOINT.pattern}|, +")
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
_NOUN = re.compile(r"\s+[^\W\d_A-Z]")
_POSSESSIVE = re.compile(r"['\u2019]s$", re.IGNORECASE)


def look(subject: Subject) -> Report:
    """Every spelling that is nearly that of a name."""
    game = subject.game
    language = game.language.partition("-")[0]
    names, keys = _names_of(game), {row.id for table in game.tables.values() for row in table if "id" in row.cells}
    usage = _Usage(text for text in said(subject) if not (_is_key(text.text) or keys.issuperset(text.text.split())))
    found = (
        *_Misspelt(game, names, keys, usage).problems(),
        *_variants(names, usage, language),
        *_odd_values(game, language),
    )
    told: dict[tuple[Place, str], Problem] = {}
    for problem in found:
        told.setdefault((problem.place, problem.value), problem)
    return report(told.values())


def look_drawn(subject: Subject) -> Report:
    """Checks the names on drawn pieces that stand in no table, because their templates write them."""
    if not any(text.drawn and _LETTERS.search(text.text) for text in said(subject)):
        return report()
    return report(only_drawn(look, subject))


# --- what a game calls its things -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Name:
    """What something is called, and where that was typed."""

    text: str
    place: Place
    row: Row | None = None
    """The row that is called so."""


def _names_of(game: Game) -> list[Name]:
    names = [Name(game.title, game.place_of("game.name"))]
    names += [Name(title, place) for title, place in game.titles]
    names += [name for table in game.every_table for name in _called(table)]
    # A component may take some rows of a table, which then are met twice.
    short = (name for name in names if 0 < len(_LETTERS.findall(name.text)) <= _MOST_WORDS)
    return list({(name.place, name.text): name for name in short}.values())


def _called(table: Table) -> Iterator[Name]:
    if PurePosixPath(table.file).suffix == ".toml":
        return  # the one row of a component without a table
    shared = [column for column in table.columns if column not in NAMING and _is_shared(table, column)]
    for row in table:
        for column in (*NAMING, *shared):
            cell = row.cells.get(column)
            if cell is not None and cell.text:
                if column in shared and not _is_key(cell.text):
                    yield Name(cell.text, cell.place)
                elif column in NAMING and isinstance(cell.value, str):
                    yield Name(cell.value, cell.place, row)


def _is_shared(table: Table, column: str) -> bool:
    """Whether a column is a set of values: few of them, on many rows."""
    cells = [row.cells[column] for row in table if column in row.cells]
    values = Counter(cell.text for cell in cells if isinstance(cell.value, str | Row) and cell.text)
    return bool(values) and 2 * len(values) <= values.total() and all(len(value) <= _LONGEST_VALUE for value in values)


def _is_key(text: str) -> bool:
    return _KEY.fullmatch(text) is not None


# --- how texts use words ----------------------------------------------------------------------------------


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


def _words_of(text: str) -> list[Word]:
    return [Word(m[1], m[1].casefold(), m.start(), m.end(1), bool(m[2])) for m in _WORD.finditer(text)]


def folded(text: str) -> tuple[str, ...]:
    """The words of a name, in small letters."""
    return tuple(match[1].casefold() for match in _WORD.finditer(text))


def _in_midst(text: str, at: int) -> bool:
    line = text.rfind("\n", 0, at) + 1
    return not text.startswith("#", line) and _MIDST.search(text, max(line, at - _BEFORE), at) is not None


def _has_article(text: str, words: list[Word], at: int) -> bool:
    before = words[at - 1] if at else None
    between = text[before.end if before else 0 : words[at].start]
    if before is not None and before.folded in _ARTICLES and not between.strip(" \t\n*_\u00a0"):
        return True
    return _NUMBERED.search(between) is not None


def _is_titled(name: str) -> bool:
    return all(word[0].isupper() for word in name.replace("-", " ").split() if len(word) >= _SHORTEST)


class _Usage:
    """All texts as words, and how often each is said."""

    def __init__(self, texts: Iterable[Said]) -> None:
        self.texts = [(text, _words_of(text.text)) for text in texts]
        self.said: Counter[str] = Counter()
        self.small: Counter[str] = Counter()
        """Said in small letters."""
        self.articled: Counter[str] = Counter()
        """Said behind an article, a number, or the like."""
        self.bare: Counter[str] = Counter()
        """Said in capitals in the midst of a sentence without one: as names of persons and places are."""
        for text, words in self.texts:
            for at, word in enumerate(words):
                self.said[word.folded] += 1
                self.small[word.folded] += not word.capital
                if _has_article(text.text, words, at):
                    self.articled[word.folded] += 1
                elif word.capital and _in_midst(text.text, word.start):
                    self.bare[word.folded] += 1

    def proper(self, name: str) -> bool:
        """Whether a word is said as names of persons and places are, and in no other way."""
        return bool(self.bare[name]) and not self.small[name] and not self.articled[name]


# --- misspelt names ---------------------------------------------------------------------------------------


class _Misspelt:
    """Words of texts that are nearly words of names."""

    def __init__(self, game: Game, names: list[Name], keys: set[str], usage: _Usage) -> None:
        self.usage, self.language = usage, game.language.partition("-")[0]
        words = game.rules.words
        terms = [*words.terms, words.unit] if words else []
        settled = [*words.banned, *words.banned.values(), *(each.says for each in words.counts)] if words else []
        # Right whatever they are near to: words of rules.toml and of the credits.
        self.known = {word for text in (*terms, *settled) for word in folded(text)}
        self.known |= {word.folded for text, said in usage.texts if text.credit for word in said}
        # What is nearly one of these is told as a banned word.
        self.terms = {folded(term) for term in terms if len(term) >= TERM}
        self.told = Nearby(" ".join(term) for term in sorted(self.terms))
        self.names = {name.place: name for name in names}
        self.homes = Counter(word for name in names for word in set(folded(name.text)))
        self.written = {folded(name.text): name.text for name in reversed(names)}
        self.parts: dict[str, dict[tuple[int, int], tuple[str, ...]]] = {}
        """The words of names: how many words their names have, where it stands there, and the first such name."""
        for whole in self.written:
            for at, word in enumerate(whole):
                self.parts.setdefault(word, {}).setdefault((len(whole), at), whole)
        self.capital = {word.casefold() for name in names for word in _LETTERS.findall(name.text) if word[0].isupper()}
        self.near = Nearby(self.parts)
        others = {word for key in keys for word in folded(key) if len(word) >= _SAFE}
        others |= {word for word, often in usage.bare.items() if often > 1 and not usage.small[word]}
        self.others = Nearby(sorted(others - self.parts.keys()))
        self.singular = self._singular()

    def problems(self) -> Iterator[Problem]:
        for text, words in self.usage.texts:
            if not text.credit:
                yield from self._wrong(text, words)
        for name in self.names.values():
            yield from self._otherwise(name)

    def _wrong(self, text: Said, words: list[Word]) -> Iterator[Problem]:
        own = self.names.get(text.place)
        for at, word in enumerate(words):
            if not (nearest := self.near.of(word.folded)) or word.cut:
                continue
            told = any(not inflected(word.folded, term, "en") for term in self.told.of(word.folded))
            if told and not ordinary(word.folded, self.language):
                continue
            several = [name for name in nearest if plural(word.folded, name)]
            meant = next(filter(None, (self._meant(text, words, at, name, own) for name in several or nearest)), "")
            if meant:
                hint = f'Did you mean "{meant}"? If it is another word, add it to terms of [words] in rules.toml.'
                place, message = text.at(word.start), f'"{word.text}" is almost the name "{meant}"'
                yield Problem("misspelt-name", place, message, word.text, "", hint, "warning", text.about)

    def _otherwise(self, name: Name) -> Iterator[Problem]:
        """A name that stands nowhere but here, while texts or ids say another that is nearly it."""
        for word in _LETTERS.findall(name.text):
            part = word.casefold()
            others = [other for other in self.others.of(part) if not inflected(other, part, self.language)]
            if not others or len(part) < _SAFE or self.usage.said[part] > self.homes[part]:
                continue
            if name.row is not None and "id" in name.row.cells and part in folded(name.row.id):
                continue
            if not ordinary(part, self.language):
                other = others[0].capitalize()
                message = f'the name "{name.text}" has "{word}", but elsewhere it is "{other}"'
                yield Problem("misspelt-name", name.place, message, word, "", f'Did you mean "{other}"?', "warning")

    def _meant(self, text: Said, words: list[Word], at: int, name: str, own: Name | None) -> str:
        """The name that is nearly written here; empty where something else is."""
        word = words[at]
        if own:
            cells = own.row.cells.values() if own.row else ()
            besides = any(name in folded(cell.text) for cell in cells if cell.place != own.place)
            if name in folded(own.text) or not besides:
                return ""
        if plural(word.folded, name):
            return self._one(text, words, at, name) if self.language == "en" else ""
        if whole := self._around(words, at, name, text.text):
            return "" if folded(whole) in self.terms else whole
        if word.folded in self.known or (own is None and word.folded in self.parts) or self._is_form(word.folded, name):
            return ""
        if len(name) < _SHORTEST and not (len(name) == _SHORTEST - 1 and (name,) in self.written):
            return ""
        # The shortest name with this word.
        return self.written[min(self.parts[name].values(), key=len)] if self._is_slip(text.text, word, name) else ""

    def _is_slip(self, text: str, word: Word, name: str) -> bool:
        """Whether a word that is no name is so near to this one, and so rare, that it is a slip.

        A word of the dictionary ("Mercy" for Percy) is one only where a capital must mean a name.
        """
        often, long = self.usage.said[word.folded], len(name) >= _SAFE
        proper = self.usage.proper(name)
        named = often == 1 and long and word.capital
        other = often < _OWN or _MUCH * often <= self.usage.said[name]
        other = other and (word.capital or long or (len(name) == _SHORTEST and not proper))
        if not (named or other):
            return False  # whatever the dictionary says
        if ordinary(word.folded, self.language):
            return named and proper and _in_midst(text, word.start) and common(word.folded, self.language) < _KNOWN
        return other if has_dictionary(self.language) else other and named and name in self.capital

    def _spots(self, words: list[Word], at: int, name: str, text: str) -> Iterator[tuple[tuple[str, ...], list[Word]]]:
        for length, where in self.parts[name]:
            there = words[at - where : at - where + length] if at >= where else []
            # Looked up whole: a thousand names may have a word in common.
            whole = tuple(name if spot == where else each.folded for spot, each in enumerate(there))
            between = (_BETWEEN.fullmatch(text, left.end, right.start) for left, right in pairwise(there))
            if whole in self.written and len(whole) == length and all(between):
                yield whole, there

    def _around(self, words: list[Word], at: int, name: str, text: str) -> str:
        """The longer name that stands here but for this one word; in capitals as the name, where it is a right word."""
        word = words[at].folded
        for whole, there in self._spots(words, at, name, text):
            written = self.written[whole]
            if len(whole) == 1 or tuple(each.folded for each in there) in self.written or self._is_form(word, name):
                continue
            capital = all(each.capital or len(each.text) < _SHORTEST for each in there)
            right = word in self.known or ordinary(word, self.language)
            if (_is_titled(written) and capital) or not right:
                return written
        return ""

    def _one(self, text: Said, words: list[Word], at: int, name: str) -> str:
        """The name of one thing that stands here as if there were several."""
        word = words[at]
        for whole, there in self._spots(words, at, name, text.text):
            one = whole[-1] == name and word.folded in (name + "s", name + "es") and whole in self.singular
            if not one or not all(each.capital or len(each.text) < _SHORTEST for each in there):
                continue
            if self._counted(text.text, words, at - len(whole) + 1):
                continue
            if len(whole) > 1:
                return self.written[whole]
            if not ordinary(word.folded, self.language):
                return self.written[whole] if self.usage.said[word.folded] < _OWN else ""
        return ""

    def _counted(self, text: str, words: list[Word], at: int) -> bool:
        while at and words[at - 1].folded in self.parts and text[words[at - 1].end : words[at].start].isspace():
            if _has_article(text, words, at):
                return True
            at -= 1
        return _has_article(text, words, at)

    def _singular(self) -> frozenset[tuple[str, ...]]:
        """Names that are said of one thing: in capitals and without an article, in texts besides their own."""
        starts: dict[str, set[int]] = {}
        for whole in self.written:
            starts.setdefault(whole[0], set()).add(len(whole))
        bare: Counter[tuple[str, ...]] = Counter()
        several: set[tuple[str, ...]] = set()
        for text, words in self.usage.texts:
            for at, word in enumerate(words if text.place not in self.names else ()):
                for length in starts.get(word.folded, starts.get(word.folded[:-1], ())):
                    there = words[at : at + length]
                    whole = tuple(each.folded for each in there)
                    if whole not in self.written:
                        whole = (*whole[:-1], whole[-1].removesuffix("s"))
                    if len(there) < length or whole not in self.written:
                        continue
                    if not there[0].capital or _has_article(text.text, words, at):
                        several.add(whole)
                    elif there[-1].folded == whole[-1]:
                        bare[whole] += 1
        once = {folded(name.text) for name in self.names.values() if name.row is not None and name.row.copies == 1}
        often = {whole for whole, times in bare.items() if times >= _TWICE or (len(whole) > 1 and whole in once)}
        return frozenset(often - several)

    def _is_form(self, word: str, name: str) -> bool:
        return not (self.language == "en" and self.usage.proper(name)) and inflected(word, name, self.language)


# --- names in two spellings -------------------------------------------------------------------------------


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

    @property
    def in_midst(self) -> bool:
        return _in_midst(self.text.text, self.words[0].start)

    def problem(self, right: str) -> Problem:
        place = self.text.at(self.words[0].start)
        message = f'"{self.written}" is written "{right}" elsewhere'
        hint = f'Write "{right}", or the other way everywhere.'
        return Problem("two-spellings", place, message, self.written, right, hint, "warning", self.text.about)


def _variants(names: list[Name], usage: _Usage, language: str) -> Iterator[Problem]:
    """Every place where a name is written otherwise than where it is given: a blank, a hyphen, an apostrophe, capitals."""
    wholes: dict[str, Counter[str]] = {}
    for name in names:
        words = _words_of(name.text)
        joined = all(_JOINT.fullmatch(name.text, one.end, other.start) for one, other in pairwise(words))
        whole = "".join(word.folded for word in words)
        # "Chips of 1" is no name of chips.
        if joined and _SPELT <= len(whole) <= LONGEST and not any(map(str.isdigit, name.text)):
            wholes.setdefault(whole, Counter())[" ".join(name.text[words[0].start : words[-1].end].split())] += 1
    begun = {whole[:end] for whole in wholes for end in range(1, len(whole) + 1)}
    found: dict[str, list[_Found]] = {}
    for text, words in usage.texts:
        for at in range(0 if text.credit else len(words)):
            for whole, end in _starting(text.text, words, at, begun):
                if whole in wholes:
                    each = _Found(text, tuple(words[at:end]), wholes[whole].most_common(1)[0][0])
                    found.setdefault(whole, []).append(each)
    for whole, standing in found.items():
        yield from _odd(wholes[whole], standing, language)


def _starting(text: str, words: list[Word], at: int, begun: set[str]) -> Iterator[tuple[str, int]]:
    """The names that begin with this word, whatever parts their words, and the word behind each."""
    whole = words[at].folded
    for end in range(at + 1, len(words) + 1):
        if whole not in begun:
            return
        yield whole, end
        if end == len(words) or not _JOINT.fullmatch(text, words[end - 1].end, words[end].start):
            return
        whole += words[end].folded


def _odd(given: Counter[str], standing: list[_Found], language: str) -> Iterator[Problem]:
    usual = Counter(_joined(each.written) for each in standing).most_common(1)[0][0]
    names = {_joined(name): name for name in reversed(given)}
    for each in standing:
        joined = _joined(each.written)
        right = each.name if _joined(each.name) == usual else names.get(usual, each.name)
        if joined != _joined(right) and (joined not in names or joined != usual) and _is_other(each, right, language):
            yield each.problem(right)
    name = standing[0].name
    capitals = sum(each.written == name and each.in_midst for each in standing)
    small = [each for each in standing if each.written == name.lower()]
    titled = " " in name and all(word[0].isupper() for word in name.split() if len(word) > 3)
    if titled and capitals >= _OFTEN and capitals >= _TIMES * len(small):
        yield from (each.problem(name) for each in small)


def _joined(written: str) -> str:
    return " ".join(written.casefold().replace("\u2019", "'").replace("\u2011", "-").replace("*", "").split())


def _is_other(found: _Found, right: str, language: str) -> bool:
    """Whether a spelling is one that nobody writes for another reason."""
    written = found.written
    if _POSSESSIVE.search(written):
        return False
    if len(found.words) == len(folded(right)) or re.search("['\u2019]", right):
        # "the Port-Royal fleet" is good English, and "krakens nap" a sentence.
        noun = "-" in written and _NOUN.match(found.text.text, found.words[-1].end)
        titled = all(word[0].isupper() for word in right.replace("-", " ").split())
        return not noun and titled and all(word.capital for word in found.words)
    if len(found.words) == 1:
        return (found.words[0].capital and found.in_midst) or not ordinary(written, language)
    # "over board" is no card called Overboard.
    first = found.words[0].text
    return len(folded(right)) > 1 or (len(first) > 3 and ordinary(first, language))


# --- values of columns ------------------------------------------------------------------------------------

Cells = Mapping[str, list[Cell]]
"""The cells of a column, by what they say."""


def _odd_values(game: Game, language: str) -> Iterator[Problem]:
    """Values that one row has, and that nearly are what several have; then those of two columns with the same values."""
    columns: list[Cells] = []
    for table in game.every_table:
        for column in table.columns if table.file != game.file else ():
            said = ((cell.value, cell) for row in table if (cell := row.cells.get(column)))
            if cells := grouped(
                (value, cell) for value, cell in said if isinstance(value, str) and _SHORTEST <= len(value) <= _LONGEST_VALUE
            ):
                columns.append(cells)
                yield from _odd_one(cells, language)
    yield from _apart(columns, language)


def _odd_one(cells: Cells, language: str) -> Iterator[Problem]:
    alone = sum(len(found) == 1 for found in cells.values())
    often = {value: len(found) for value, found in cells.items() if len(found) >= (_SEVERAL if alone > 1 else 2)}
    if often and 2 * len(cells) <= sum(map(len, cells.values())) + 1:
        like = _Like(often, language)
        for value, found in cells.items():
            if len(found) == 1 and (other := next(like.of(value), "")):
                yield _odd_value(found[0], other, f"{often[other]} rows have")


def _apart(columns: list[Cells], language: str) -> Iterator[Problem]:
    """Where two columns have the same values but for one, which is nearly the other's."""
    homes = grouped((value, number) for number, cells in enumerate(columns) for value in filter(_is_word, cells))
    alike = Counter((one, other) for numbers in homes.values() for one in numbers for other in numbers if one < other)
    for (one, other), shared in alike.items():
        here, there = columns[one], columns[other]
        if shared < _SHARED or 2 * shared < min(len(here), len(there)):
            continue
        like = _Like([value for value in there if value not in here and _is_word(value)], language)
        for value in here:
            if value in there:
                continue
            for match in like.of(value):
                # Where neither is said more often, the later table's is the odd one.
                later = len(homes[match]) <= len(homes[value])
                cell, right = (there[match][0], value) if later else (here[value][0], match)
                yield _odd_value(cell, right, "another table has")


class _Like:
    """Values, found by what is nearly the same."""

    def __init__(self, values: Iterable[str], language: str) -> None:
        self._language = language
        self._values = grouped((self._plain(value), value) for value in values)
        self._near = Nearby(self._values)

    def of(self, value: str) -> Iterator[str]:
        plain = self._plain(value)
        for other in (plain, *self._near.of(plain)) if _is_word(value) else ():
            words = other != plain and not plural(plain, other)
            if words and all(ordinary(each, self._language) for each in (plain, other)):
                continue
            yield from (each for each in self._values.get(other, ()) if each != value)

    @staticmethod
    def _plain(value: str) -> str:
        return "".join(letter for letter in value.casefold() if letter not in " -\u2010\u2011_'\u2019")


def _is_word(text: str) -> bool:
    return bool(_LETTERS.search(text)) and not any(map(str.isdigit, text))


def _odd_value(cell: Cell, other: str, elsewhere: str) -> Problem:
    message = f'"{cell.text}" stands here alone, and {elsewhere} "{other}"'
    return Problem("two-spellings", cell.place, message, cell.text, other, f'Did you mean "{other}"?', "warning")
