"""Texts in several languages: translations, the press's own words, numbers in words; ruby and breaks of CJK."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from difflib import SequenceMatcher
from functools import cache
from gettext import c2py
from typing import TYPE_CHECKING, Literal, Self

from pnp.dataclass import dataclass
from pnp.values.problems import Place

if TYPE_CHECKING:
    from collections.abc import Callable


def N_(message: str) -> str:  # noqa: N802
    """Marks a sentence for translation elsewhere; gettext's tools look for this name."""
    return message


@cache
def _plural(rule: str) -> Callable[[int], int]:
    """The plural form of a number, by the rule in a PO file's header."""
    made: Callable[[int], int] = c2py(rule)
    return made


CAPITALS = ("de", "lb")
"""Languages whose nouns have a capital wherever they stand."""
SHORT_WORD = 3
"""Words of so many letters, such as "for", have no capital in an English title."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one language."""

    language: str = "en"
    forms: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False, compare=False)
    """What a sentence is in it: one text, or one for each form that numbers take."""
    rule: str = "n != 1"
    """Which form a number takes, as in the head of a PO file."""
    decimal: str = "."
    """What stands before the decimals of a number."""

    def __call__(self, message: str, /, **values: object) -> str:
        """Translates a sentence and fills its braces."""
        said = self.forms.get(message, (message,))[0]
        return said.format(**values) if values else said

    def many(self, one: str, several: str, count: int, /, **values: object) -> str:
        """Translates a sentence in the plural form of a number, its ``{count}``."""
        forms = self.forms.get(one, (one, several))
        return forms[min(_plural(self.rule)(count), len(forms) - 1)].format(count=count, **values)

    def row(self, names: Sequence[str]) -> str:
        """The names as a list: "a, b and c"."""
        return self(N_(" and ")).join(filter(None, (self(N_(", ")).join(names[:-1]), *names[-1:])))

    def inside(self, name: str, among: Iterable[str] = ()) -> str:
        """A name as it is written within a sentence: in most languages a capital is only that of the name's beginning.

        In English capitals stay where all words of the name, or of all names among which it stands, have one.
        """
        language = shaping(self.language).split("-")[0]
        kept = language in CAPITALS or not name[1:2].islower()
        if not kept and language == "en":
            later = [[word for word in each.split()[1:] if len(word) > SHORT_WORD] for each in (name, *among)]
            proper = [not any(map(str.islower, each)) for each in later]
            kept = all(proper) or (bool(later[0]) and proper[0])
        return name if kept else name[:1].lower() + name[1:]

    def number(self, value: float, places: int) -> str:
        """A number with ``places`` decimals."""
        return f"{value:.{places}f}".replace(".", self.decimal)

    def shown(self, value: float) -> str:
        """A number with its own decimals."""
        return f"{value:g}".replace(".", self.decimal)


ENGLISH = Words()


# In other languages people write figures after twelve; a word that changes with what is counted is a figure there, too.
SAID = (
    *(N_("zero"), N_("one"), N_("two"), N_("three"), N_("four"), N_("five"), N_("six"), N_("seven"), N_("eight")),
    *(N_("nine"), N_("ten"), N_("eleven"), N_("twelve")),
)
_UNITS = (
    *SAID,
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
NUMERALS: Mapping[str, int] = {word: number for number, word in enumerate(_UNITS)} | {
    (f"{tens}-{_UNITS[more]}" if more else tens): 10 * number + more
    for number, tens in enumerate(_TENS, 2)
    for more in range(9, -1, -1)
}
"""The numbers by their words; of two that begin alike the longer one comes first."""
SPELT = f"(?a:(?:{'|'.join(_TENS)})(?:-(?:{'|'.join(_UNITS[1:10])}))?|{'|'.join(sorted(_UNITS, key=len, reverse=True))})"
"""A regular expression for an English number in words. ASCII only (``(?a:``): else ſ would match s, and ı match i."""
IN_WORDS: Mapping[int | float, str] = {number: word for word, number in NUMERALS.items()}


# Languages, and ways of writing others, that run from right to left.
_LEFTWARDS = ("ar", "arc", "ckb", "dv", "fa", "he", "iw", "ps", "sd", "syr", "ug", "ur", "yi")
_LEFTWARD_SCRIPTS = ("arab", "hebr", "nkoo", "syrc", "thaa")


def parents(code: str) -> list[str]:
    """A language and those that it is a form of, the nearest first: zh-Hant-HK, zh-Hant, zh."""
    parts = code.split("-")
    return ["-".join(parts[:length]) for length in range(len(parts), 0, -1)]


def leftwards(code: str) -> bool:
    """Whether a language is written from right to left."""
    first, *more = code.casefold().split("-")
    script = next((part for part in more if len(part) == 4 and part.isalpha()), "")
    return script in _LEFTWARD_SCRIPTS if script else first in _LEFTWARDS


def rightwards(text: str) -> bool:
    """Whether a text has letters from left to right alone, as what is not translated yet."""
    ways = {unicodedata.bidirectional(letter) for letter in text}
    return "L" in ways and not ways & {"R", "AL"}


# Before a number that stays on the line of the word before it.
JOINED = "\u2060"


def joined(pages: object) -> str:
    """Marks page or row numbers so that ``held`` keeps them on one line with the word before them."""
    return f"{JOINED}{pages}"


def held(text: str) -> str:
    """With figures on the line of what they count, and numbers of pages on that of their word."""
    text = re.sub(f"(?<=\\w) {JOINED}", "\u00a0", text).replace(JOINED, "")
    text = re.sub(r"(?<=\w) (?=[\d–, ]+\))", "\u00a0", text)
    text = re.sub(r"(?<=\d)–(?=\d)|(?<=g/)(?=m²)", rf"\g<0>{JOINED}", text)
    text = re.sub(r"(?<=\d)(?=[\u3040-\u30ff\u3400-\u9fff])", JOINED, text)
    return re.sub(r"(\u00a0?)(?<![\w–])(\d(?:[\d.,–]*\d)?) (?=[\w%×])", _counted, text)


def _counted(found: re.Match[str]) -> str:
    return found[0] if found[1] else f"{found[2]}\u00a0"


def ranged(text: str) -> str:
    """A text in which numbers that are typed "2-6" have the dash of a range."""
    return re.sub(r"(?<=\d)-(?=\d)", "\u2013", text)


def unspaced(code: str) -> bool:
    """Whether a language is written in Chinese or Japanese letters, without spaces between words."""
    return code.casefold().partition("-")[0] in ("ja", "yue", "zh")


def shaping(code: str) -> str:
    """A language as letters are chosen by it: of Chinese with the country whose forms are meant, zh-CN, zh-TW or zh-HK."""
    first, *more = code.split("-")
    if first.lower() != "zh":
        return first.lower()
    said = {part.casefold() for part in more}
    country = "HK" if said & {"hk", "mo"} else "TW" if said & {"hant", "tw"} else "CN"
    return f"zh-{country}"


State = Literal["translated", "same", "stale", "missing"]
"""Same: somebody has typed that the source stands in this language, too. Stale: the source has changed since."""
FOLDER = "languages"
COLUMNS = ("location", "source", "target", "fuzzy", "context")
# Lines of a row's context that are pnp's own: what the source was, and that nothing of the game is like it any more.
WAS, GONE = "[was] ", "[gone]"
# A paragraph that is so much like an old one is that one, changed.
ALIKE = 0.6

_ICON = re.compile(r":[\w][\w/.-]*:")
_TAG = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)


def worded(text: str) -> bool:
    """Whether a text has words: letters besides its icons and expressions."""
    return any(letter.isalpha() for letter in _ICON.sub("", _TAG.sub("", text)))


class Translated(str):
    """A text in another language.

    It prints and reads as its translation, and it is equal to its source as well: what compares a name with the one that
    the author knows, or looks something up by it, goes on finding it.
    """

    __slots__ = ("source", "texts")

    source: str
    texts: Mapping[str, str]
    """The same in all languages that have it, the game's own among them, by their codes."""

    def __new__(cls, text: str, source: str, texts: Mapping[str, str]) -> Self:
        made = super().__new__(cls, text)
        made.source, made.texts = source, texts
        return made

    def __getnewargs__(self) -> tuple[str, str, Mapping[str, str]]:  # type: ignore[override]
        return str(self), self.source, self.texts

    def __repr__(self) -> str:
        return f"Translated({str(self)!r}, {self.source!r}, {dict(self.texts)!r})"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Translated):
            return self.source == other.source
        return str.__eq__(self, other) or self.source == other

    __ne__ = object.__ne__

    def __hash__(self) -> int:
        return hash(self.source)


def original(text: str) -> str:
    """The original of a text that may be translated."""
    return text.source if isinstance(text, Translated) else text


@dataclass(frozen=True, slots=True)
class Unit:
    """A text of a game that is printed, and its place."""

    location: str
    """A name that lasts: ``penguins/wave-up/name``, ``texts/turn``, ``book/rulebook/the-aim/2``."""
    source: str
    place: Place


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of a catalogue."""

    location: str
    source: str
    target: str
    fuzzy: bool = False
    context: str = ""
    others: Mapping[str, str] = field(default_factory=dict)
    """What stands in columns that pnp does not know."""
    place: Place = field(default_factory=lambda: Place(""))

    @property
    def gone(self) -> bool:
        """Whether it is marked as gone."""
        return GONE in self.context.split("\n")

    @property
    def was(self) -> str | None:
        """The source that it translates, if that has changed since."""
        for line in self.context.split("\n"):
            if line.startswith(WAS):
                return line.removeprefix(WAS).replace("\\n", "\n")
        return None

    @property
    def note(self) -> str:
        """Its context without pnp's own lines."""
        return "\n".join(line for line in self.context.split("\n") if line != GONE and not line.startswith(WAS))


@dataclass(frozen=True, slots=True)
class Catalogue:
    """A file of translations: language code, path for people, rows in file order."""

    language: str
    file: str
    entries: tuple[Entry, ...] = ()
    columns: tuple[str, ...] = COLUMNS
    marked: bool = False
    """It begins with the mark by which Excel knows UTF-8."""


@dataclass(frozen=True, slots=True)
class Term:
    """A row of a glossary: how a term of the game is translated, and by which words not."""

    term: str
    translation: str
    avoid: tuple[str, ...]
    """Words or phrases; ``*`` stands for any letters."""
    where: tuple[str, ...]
    """The source has to say one of these, in the same notation; empty for all sources."""
    why: str
    place: Place


def context_of(note: str, *, was: str | None = None, gone: bool = False) -> str:
    """A row's context: pnp's own lines, then a person's."""
    lines = [*([GONE] if gone else []), *([f"{WAS}{was}".replace("\n", "\\n")] if was is not None else []), note]
    return "\n".join(filter(None, lines))


def state_of(unit: Unit, entry: Entry | None) -> State:
    """The state of a translation: missing, stale, same or translated."""
    if entry is None or not entry.target.strip():
        return "missing"
    if entry.fuzzy or entry.source != unit.source:
        return "stale"
    return "same" if entry.target == unit.source else "translated"


@dataclass(frozen=True, slots=True)
class Translation:
    """A catalogue beside the game's texts."""

    catalogue: Catalogue
    pairs: tuple[tuple[Unit, Entry | None], ...]
    """Everything that is to be translated, in the game's order, with the row that translates it."""
    gone: tuple[Entry, ...]
    """Rows that nothing in the game is like any more."""
    glossary: tuple[Term, ...] = ()

    @property
    def language(self) -> str:
        return self.catalogue.language

    def counted(self, *states: State) -> int:
        """The number of texts in one of these states."""
        return sum(state_of(unit, entry) in states for unit, entry in self.pairs)

    @property
    def percent(self) -> int:
        """The share done in percent, rounded down, so that 100 is all."""
        done = self.counted("translated", "same")
        return 100 * done // len(self.pairs) if self.pairs else 100

    @property
    def texts(self) -> Mapping[str, Entry]:
        """The valid rows, by location."""
        good = ("translated", "same")
        return {unit.location: entry for unit, entry in self.pairs if entry is not None and state_of(unit, entry) in good}

    def __str__(self) -> str:
        told = (f"{self.counted('missing')} missing", f"{self.counted('stale')} stale", f"{self.counted('same')} the same")
        return f"{self.language}: {self.percent} % of {len(self.pairs)} texts ({', '.join(told)})"


def matched(units: Sequence[Unit], catalogue: Catalogue) -> Translation:
    """Matches texts with rows of a catalogue.

    A text that still stands where it stood has its row. One that has moved is found by its source, nearest to home first.
    What stands in the place of an old text, or is a paragraph much like one, is that text changed: its row is stale.
    """
    found: dict[str, Entry] = {}
    left = dict(enumerate(catalogue.entries))

    def take(keyed: Callable[[Unit | Entry], object], units: Iterable[Unit]) -> None:
        waiting: dict[object, list[int]] = defaultdict(list)
        for at, entry in left.items():
            waiting[keyed(entry)].append(at)
        for unit in units:
            if unit.location not in found and (ways := waiting.get(keyed(unit))):
                found[unit.location] = left.pop(ways.pop(0))

    take(lambda each: (each.location, each.source), units)
    take(lambda each: (_family(each.location), each.source), units)
    take(lambda each: each.source, units)
    for unit, at in _alike([unit for unit in units if unit.location not in found], left):
        found[unit.location] = left.pop(at)
    take(lambda each: each.location, units)
    pairs = tuple((unit, found.get(unit.location)) for unit in units)
    return Translation(catalogue, pairs, tuple(left.values()))


def _family(location: str) -> str:
    """Where a moved text is looked for first: a column of a table, a book, the set-up."""
    parts = location.split("/")
    return f"{parts[0]}/{parts[-1]}" if len(parts) == 3 else "/".join(parts[:2])


def _alike(units: Sequence[Unit], left: Mapping[int, Entry]) -> Iterator[tuple[Unit, int]]:
    """Paragraphs of books and old ones similar to them, the most similar first."""
    homes: dict[str, list[int]] = defaultdict(list)
    for at, entry in left.items():
        if entry.location.startswith("book/"):
            homes[entry.location.rpartition("/")[0]].append(at)
    likely: list[tuple[float, int, int]] = []
    for number, unit in enumerate(units):
        for at in homes.get(unit.location.rpartition("/")[0], ()):
            likeness = SequenceMatcher(None, unit.source, left[at].source, autojunk=False).ratio()
            if likeness >= ALIKE:
                likely.append((-likeness, number, at))
    taken: set[int] = set()
    given: set[int] = set()
    for _, number, at in sorted(likely):
        if number not in given and at not in taken:
            given.add(number)
            taken.add(at)
            yield units[number], at


JOINER = "\u2060"
"""Between two letters it keeps a line from ending there."""
_HIRAGANA = "\u3041-\u309f"
_KATAKANA = "\u30a0-\u30ff\u31f0-\u31ff"
_CHINESE = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
LETTERS = f"{_HIRAGANA}{_KATAKANA}{_CHINESE}"
"""Their letters, as a regular expression has them between brackets."""
_RUBY = re.compile(rf"\{{((?=[^{{}}]*[{LETTERS}])[^{{}}|｜]+)[|｜]([^{{}}|｜]+)\}}")
_RUN = re.compile(rf"([{LETTERS}]+)")
# Between two letters that are no place to part a word: neither where the script changes as it does between words, nor
# before お and ご of the next one.
_INNER = re.compile(
    rf"(?<=[0-9A-Za-z{LETTERS}])(?=[0-9A-Za-z{LETTERS}])(?<![0-9A-Za-z](?=[0-9A-Za-z]))"
    rf"(?!(?<=[{_HIRAGANA}])(?<![おご])[{_CHINESE}{_KATAKANA}])"
    rf"(?!(?<=[{_HIRAGANA}])[おご][{_CHINESE}])"
    rf"(?!(?<=[{_CHINESE}])[{_KATAKANA}])(?!(?<=[{_KATAKANA}])[{_CHINESE}])"
)
# Longer texts are sentences; Chinese says nothing of where its words end, so that only short names are kept whole.
MOST_JAPANESE, MOST_CHINESE = 30, 8


def rubies(text: str) -> Iterator[tuple[str, str]]:
    """Splits a text into parts with what is read above them: ``{漢字|かんじ}``; most have nothing."""
    parts = _RUBY.split(text)
    for index in range(0, len(parts), 3):
        if parts[index]:
            yield parts[index], ""
        if index + 2 < len(parts):
            yield parts[index + 1], parts[index + 2]


def stressed(text: str) -> Iterator[tuple[str, bool]]:
    """Splits a stressed text into letters that have dots, and others, which are in italics."""
    for index, part in enumerate(_RUN.split(text)):
        if part:
            yield part, index % 2 == 1


def dots_at(language: str) -> str:
    """Where dots for stress stand."""
    return "above" if language == "ja" else "below"


def is_title(text: str, language: str) -> bool:
    """Whether a text is as short as a name, which is not parted within its words."""
    most = MOST_JAPANESE if language == "ja" else MOST_CHINESE
    return 0 < len(text.strip()) <= most and not re.search("[。\n]", text.strip())


def whole_words(text: str) -> str:
    """The text with joiners where a line may not end."""
    return _INNER.sub(JOINER, text)


# So many letters, full stop included, stand together on the last line of a text that is at least twice as long.
LAST = 4
_END = re.compile(rf"(?<=.{{{LAST}}})[{LETTERS}。、！？」]{{{LAST}}}$")


def whole_end(text: str) -> str:
    """The text with joiners at its end, so that its last line is no single letter."""
    return _END.sub(lambda end: JOINER.join(end[0]), text)
