"""Everything a game says in words and numbers, with where each stands; and which words are nearly one another."""

from __future__ import annotations

import gzip
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

from pnp.dataclass import dataclass
from pnp.sandbox.values import shown
from pnp.system.paths import file_within
from pnp.values.findings import Report, SetText, Subject
from pnp.values.game import Game
from pnp.values.languages import IN_WORDS, NUMERALS, SPELT
from pnp.values.problems import About, Fault, Place, Problem
from pnp.values.sections import Counting, Words
from pnp.values.tables import unwrapped

_BEGINS = re.compile(r"\s{0,3}(:{3,})\s*scene\b")
_ENDS = re.compile(r"\s{0,3}:{3,}\s*$")
_ALT = re.compile(r'\balt\s*=\s*"([^"\n]*)"')
_CELL = re.compile(r"(?:\\.|[^|\\\n])+")


def without_notation(markdown: str) -> str:
    """A book with blanks for the places, pieces and turns of its scenes, so that positions stay."""
    return "\n".join(line for line, _ in _read(markdown))


def about_pictures(markdown: str) -> list[tuple[int, int]]:
    """Where the words about scenes stand in a book: their alt texts and captions."""
    spans, before = [], 0
    for line, about in _read(markdown):
        if about:
            spans.append((before + about[0], before + about[1]))
        before += len(line) + 1
    return spans


def _read(markdown: str) -> Iterator[tuple[str, tuple[int, int] | None]]:
    """Each line with blanks for notation, and what in it is said about a scene."""
    inside, table = False, False
    for line in markdown.split("\n"):
        if not inside and _BEGINS.match(line):
            inside, table = True, False
            alt = _ALT.search(line)
            yield (_only(line, *alt.span()), alt.span(1)) if alt else (line, None)
            continue
        inside = inside and not _ENDS.match(line)
        # The table goes to the first empty line behind it.
        table = inside and bool(line.strip()) and (table or "|" in line)
        yield (_said(line), None) if table else (line, (0, len(line)) if inside else None)


def _said(row: str) -> str:
    cells = [*_CELL.finditer(row)]
    cells = (
        cells[1:]
        if cells and "|" in row and not row[: row.index("|")].strip() and cells[0].end() <= row.index("|")
        else cells
    )
    if len(cells) < 3:
        return _only(row, 0, 0)
    what, _, how = cells[:3]
    return _only(row, *how.span()) if what[0].strip() == "mark" else _only(row, 0, 0)


def _only(line: str, start: int, end: int) -> str:
    return " " * start + line[start:end] + " " * (len(line) - end)


MOST_BYTES = 2_000_000
# What marks thousands: a comma, a point, an apostrophe, a space, or one of three spaces that do not break or are narrow.
MARKS = {
    ",": "a comma",
    ".": "a point",
    "'": "an apostrophe",
    "\u2019": "a curly apostrophe",
    " ": "a space",
    "\u00a0": "a no-break space",
    "\u202f": "a narrow no-break space",
    "\u2009": "a thin space",
}
# Numbers by themselves: no part of a word, of a colour, or of a number with decimals or more points; no more digits than
# any thing is counted with.
NUMBER = re.compile(
    r"(?<![\w#])(?<!\d[.,])"
    r"(?:\d{1,3}(?P<mark>[,.'\u2019 \u00a0\u202f\u2009])\d{3}(?:(?P=mark)\d{3}){0,9}|\d{1,15})(?![\w]|[.,]\d)"
)
WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")

# What is not read as words: what a template fills in, icons, where links lead, and the stars of bold and italic.
_SILENT = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}|:[a-z][a-z0-9_-]*:|(?<=\])\([^\s()]*\)|[*]+", re.DOTALL)
# But what a picture is asked for with is read: its caption, what it says to those who do not see it, its notes.
_LABEL = re.compile(r"""\b(?:caption|alt)\s*=\s*(?:"([^"\\]*)"|'([^'\\]*)')|\[\s*"[^"]*"\s*,\s*"([^"\\]*)"\s*\]""")


@dataclass(frozen=True, slots=True)
class Said:
    """A text: what stands in a cell, under a key, on a drawn piece, or in a whole file."""

    text: str
    """As written, but for what is not read as words: there are blanks, so that positions stay."""
    place: Place
    credit: bool = False
    """Who made the game and when: years stand there."""
    drawn: SetText | None = None
    """As it was set, where it stands on a piece and was typed nowhere."""
    lines: bool = False
    """The text is a whole file, and its places are lines."""
    pictures: tuple[tuple[int, int], ...] = ()
    """Where its words are about a picture, which may show some of what there is."""

    @property
    def about(self) -> About | None:
        """The piece that it stands on, where one is known."""
        return self.drawn.about if self.drawn else None

    def at(self, position: int) -> Place:
        """Where a character of the text stands."""
        return Place(self.place.file, self.text.count("\n", 0, position) + 1) if self.lines else self.place


def number_in(written: str) -> int:
    """The value of a written number, whatever marks its thousands."""
    return int("".join(filter(str.isdecimal, written)))


def prose(text: str) -> str:
    """A text with blanks for what is not read as words, so that positions stay."""
    return _SILENT.sub(spoken, text)


def spoken(found: re.Match[str]) -> str:
    """Blanks for what is not read, but for the words for pictures in it; positions stay."""
    blank = re.sub(r"\S", " ", found[0])
    for start, end in _labels(found):
        blank = blank[:start] + found[0][start:end].replace("*", " ") + blank[end:]
    return blank


def _labels(found: re.Match[str]) -> Iterator[tuple[int, int]]:
    if found[0].startswith("{{"):
        yield from (label.span(label.lastindex or 0) for label in _LABEL.finditer(found[0]))


def only_drawn(look: Callable[[Subject], Report], subject: Subject) -> list[Problem]:
    """The findings of a rule on words that templates write on pieces, and that stand in no table."""
    if not any(text.drawn for text in said(subject)):
        return []
    return [problem for problem in look(subject).problems if problem not in subject.told]


_last: tuple[Subject | None, Sequence[Said]] = None, ()


def said(subject: Subject) -> Sequence[Said]:
    """All texts of a game: tables, game.toml, Markdown files, then what only templates say.

    Remembers those of the last subject, of which several rules ask.
    """
    global _last
    if _last[0] is not subject:
        _last = subject, _texts_of(subject)
    return _last[1]


def _texts_of(subject: Subject) -> list[Said]:
    game = subject.game
    typed = [*_cells(game), *_keys(game), *_files(game)]
    # A drawn text that is typed somewhere was looked at there.
    known = {""} | {line.strip() for text in typed for line in (text.text, *text.text.splitlines())}
    at = {text.place: text.text for text in typed if not text.lines}
    drawn: dict[tuple[str, Place], Said] = {}
    for text in subject.texts:
        words = prose(text.source)
        if words.strip() not in known and words.strip() not in at.get(text.place, ""):
            drawn.setdefault((words, text.place), Said(words, text.place, drawn=text))
    return [*typed, *drawn.values()]


def _cells(game: Game) -> Iterator[Said]:
    for table in game.tables.values():
        for row in table:
            for column, cell in row.cells.items():
                if column != "id" and isinstance(cell.value, str) and cell.value:
                    yield Said(prose(cell.value), cell.place)


def _keys(game: Game) -> Iterator[Said]:
    yield Said(prose(game.title), game.place_of("game.name"), credit=True)
    for key, text in game.about.items():
        yield Said(prose(text), game.place_of(f"game.{key}"), credit=True)
    for key, text in game.texts.items():
        yield Said(prose(text), game.place_of(f"texts.{key}"))
    for title, place in game.titles:
        yield Said(prose(title), place)
    for manual in game.manuals:
        for key in ("title", "subtitle", "foot", "contents"):
            if (text := getattr(manual, key)) and (key != "title" or text != game.title):
                yield Said(prose(text), game.place_of(f"book.{manual.name}.{key}"))
    # Books print these in the table of the set-up.
    for take in game.rules.setup.takes if game.rules.setup else ():
        yield Said(prose(take.what), take.place)


def markdown_files(game: Game) -> Iterator[tuple[str, str]]:
    """The Markdown files of the game's folder with their texts. The README speaks of the pack, not of the game."""
    books = {manual.file: manual.text for manual in game.manuals}
    for path in sorted(game.folder.glob("*.md")):
        if path.name.lower() == "readme.md" or not file_within(path.parent, path) or path.stat().st_size > MOST_BYTES:
            continue
        file = (PurePosixPath(game.file).parent / path.name).as_posix()
        try:
            text = books[file] if file in books else path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError):
            continue  # Whoever typesets it says so.
        yield file, text


def _files(game: Game) -> Iterator[Said]:
    for file, text in markdown_files(game):
        scenes = about_pictures(text)
        text = without_notation(text)
        filled = _SILENT.finditer(text)
        labels = [(each.start() + start, each.start() + end) for each in filled for start, end in _labels(each)]
        yield Said(prose(text), Place(file), lines=True, pictures=(*labels, *scenes))


def odd_thousands(texts: Sequence[Said], wanted: str) -> Iterator[Problem]:
    """The numbers from 10 000 on, and smaller ones with a mark, that are not marked as wanted, else as most are."""
    used = [
        (number[0], text.at(number.start()), number["mark"] or "", text.about)
        for text in texts
        for number in NUMBER.finditer(text.text)
        if number["mark"] or number_in(number[0]) >= 10_000
    ]
    marks = [mark for _, _, mark, _ in used]
    wanted = wanted or (max(dict.fromkeys(marks), key=marks.count) if marks else "")
    named = MARKS.get(wanted, f'"{wanted}"') if wanted else "nothing"
    for number, place, mark, about in used:
        if mark != wanted:
            right = f"{number_in(number):,}".replace(",", wanted)
            message = f'the thousands of "{number}" are parted by {MARKS[mark] if mark else "nothing"}'
            allowed = f"{named}, as elsewhere in the game"
            yield Problem("thousands-mark", place, message, number, allowed, f'Write "{right}".', about=about)


def either(names: Iterable[str]) -> str:
    """A pattern for any of these names as whole words, the longest first, whatever parts their words."""
    longest = sorted(names, key=lambda name: (-len(name), name))
    either = "|".join(re.sub(r"(?:\\[ -])+", r"[\\s-]+", re.escape(name)) for name in longest)
    return rf"(?:{either})(?!\w)" if either else r"(?!)"


Span = tuple[int, int]

# A number with a fraction, or one as NUMBER has it; "wheel-1" and "tokens/wave-2" are names.
_DIGITS = re.compile(
    rf"(?<![^\W\d_]-)(?<![/_])(?:(?<![\w#.,])\d{{1,15}}\.\d{{1,15}}(?![\w]|[.,]\d)|{NUMBER.pattern})(?!/[^\W\d])"
)
_WORDS = re.compile(rf"(?<![\w-])(?:{SPELT})(?!\w)", re.IGNORECASE)
# "one" is a number only before a thing that is counted: not in "the blue one", "no one", "one of them", "one another".
_NOT_COUNTED = re.compile(
    r"\b(?:the|this|that|these|those|each|every|no|any|which|other|another|last|next|first|some)\s+$", re.IGNORECASE
)
_COUNTED = re.compile(
    r"\s+(?!(?:of|another|or|and|but|who|whom|that|which|is|was|are|has|had|have|by|after|before|on|in|at|to|from|can|could|may|"
    r"might|must|will|would|does|did|do|if|when|then|than|as|for|with|without|lies|stands|comes|goes|gets|day|thing|way|"
    r"behind|beside|above|below|between|the|a|an|you|it|they|we|he|she)\b)[*_]*[^\W\d_]",
    re.IGNORECASE,
)
_CAPITAL = re.compile(r"\s+[A-Z]")
# What is written in Markdown and is not read as words, or counts nothing: what templates fill in, marks of lists and of
# headings, targets of links, code, attributes, addresses and files, versions, years.
_UNREAD = re.compile(
    r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}|:[a-z][a-z0-9_-]*:|(?<=\])\([^)\n]{0,500}\)|(?<=\])\{[^}\n]{0,200}\}|`[^`\n]{0,500}`"
    r"|https?://\S+|(?<!\S)\S+\.(?:svg|png|jpe?g|pdf|md|csv|toml|html)\b|\b(?!caption\b|alt\b|title\b)\w{1,20}=\"[^\"\n]{0,400}\""
    r"|(?m:^[ \t>]{0,40}(?:#+[ \t]+)?\d+[.)](?=[ \t]))"
    r"|\b(?i:version|edition|v\.?)\s{0,9}\d+(?:\.\d+)*"
    r"|(?:©|\(c\)|\b(?i:in|of|since|until|anno|year|before|after|from|summer|winter))\s{1,9}(?:1[0-9]{3}|20[0-9]{2})\b(?!,\d)",
    re.DOTALL,
)
_FIRST_CELL = re.compile(r"(?m)^[ \t]*\|[ \t*]*(\d{1,9})[ \t*]*(?=\|)")
# Beyond these other words begin.
_PART = re.compile(r"[^\w\s'\u2019-]")
_ABOUT = 40


def quantities(text: str, language: str) -> Iterator[Span]:
    """Where the numbers of a text stand, in digits or, in English, as words, from its beginning to its end."""
    spans = [match.span() for match in _DIGITS.finditer(text)]
    if language.partition("-")[0] == "en":
        spans += [match.span() for match in _WORDS.finditer(text) if _is_quantity(text, match)]
    yield from sorted(spans)


def _is_quantity(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - _ABOUT) : match.start()]
    if match[0].lower() == "one":
        return bool(_COUNTED.match(text, match.end())) and not _NOT_COUNTED.search(before)
    # "the Seven Seas" are called so.
    inside = before.rstrip("*_ ")[-1:].isalpha()
    return not (inside and match[0][0].isupper() and _CAPITAL.match(text, match.end()))


def read_in(markdown: str) -> str:
    """A book's text with blanks for what is not read as words, so that positions stay."""
    text = _UNREAD.sub(spoken, without_notation(markdown))
    numbering = _numbering(text)
    return _FIRST_CELL.sub(lambda row: " " * len(row[0]) if row.start() in numbering else row[0], text)


def _numbering(text: str) -> set[int]:
    """Where rows of tables begin that are numbered 1, 2, 3: their numbers say which they are, not how many."""
    found: set[int] = set()
    run: list[re.Match[str]] = []
    for row in (*_FIRST_CELL.finditer(text), None):
        follows = row is not None and run and text.count("\n", run[-1].end(), row.end()) == 1
        if not (row and follows and int(row[1]) == len(run) + 1):
            found |= {each.start() for each in run} if len(run) > 1 else set()
            run = []
        if row and int(row[1]) == len(run) + 1:
            run.append(row)
    return found


def changed(written: str, by: int) -> str | None:
    """A number so much higher or lower, written as it was; None where there is none: no book says "−1 cards"."""
    if (word := NUMERALS.get(written.lower())) is not None:
        if word + by < 0:
            return None
        name = IN_WORDS.get(word + by, str(word + by))
        return name[:1].upper() + name[1:] if written[:1].isupper() else name
    whole, point, fraction = written.partition(".")
    if point and len(fraction) != 3:
        return None if int(whole) + by < 0 else f"{int(whole) + by}{point}{fraction}"
    number = number_in(written) + by
    mark = next((letter for letter in written if not letter.isdecimal()), "")
    if mark and number >= 0:
        return f"{number:,}".replace(",", mark)
    return None if number < 0 else str(number).zfill(len(written) if written.startswith("0") else 0)


def value_of(written: str) -> str:
    """A number of a text in digits, as an expression takes it."""
    if written.lower() in NUMERALS:
        return str(NUMERALS[written.lower()])
    return written if re.fullmatch(r"\d+\.\d{1,2}|\d+\.\d{4,}", written) else str(number_in(written))


def about(text: str, span: Span) -> str:
    """A few words on both sides of a number, in one line."""
    before, after = _beside(text, span)
    left = before if len(before) <= _ABOUT else "…" + before[-_ABOUT:].partition(" ")[2]
    right = after if len(after) <= _ABOUT else after[:_ABOUT].rpartition(" ")[0] + "…"
    return " ".join(f"{left}{text[slice(*span)]}{right}".replace("|", " ").split())


def phrase(text: str, span: Span) -> str:
    """The words next to a number with a # in its place, as ``[words] counts`` takes it; nothing where no word is next."""
    before, after = (part.replace("*", "") for part in _beside(text, span))
    first = [word[0] for word in WORD.finditer(_PART.split(before)[-1])][-1:]
    last = [word[0] for word in WORD.finditer(_PART.split(after)[0])][:2]
    return " ".join([*first, "#", *last]) if last or first else ""


def _beside(text: str, span: Span) -> tuple[str, str]:
    start, end = span
    before, after = text[max(0, start - 2 * _ABOUT) : start], text[end : end + 2 * _ABOUT]
    return before.rpartition("\n")[2], after.partition("\n")[0]


Evaluate = Callable[[str], object]
"""What an expression comes to. Raises Fault."""

# A number after one of these is a part of the pieces, not all of them.
_PARTS = re.compile(
    r"\b(?:(?:draw|take|roll|deal|discard|pay|gain|lose|choose|get|keep|place|put|add|remove|reveal|swap|trade|give|steal|"
    r"earn|return|collect|receive|use|move|pick|buy|sell|flip|turn|load|unload|carry|carri|spend|"
    r"drew|took|lost|chose|got|kept|gave|stole)(?:s|es|n|ing|ed)?|most|least|to|than|only|another|or)\s+$",
    re.IGNORECASE,
)

# After these it is one where it is at most half: "the box holds 59 cards" speaks of all.
_HOLDS = re.compile(r"\b(?:has|hav(?:e|ing)|(?:hold|need|own)(?:s|ing|ed)?)\s+$", re.IGNORECASE)
_SHARES = re.compile(r"\s+(?:each|apiece|per|every|more|less|fewer|from|in hand|on board|aboard)\b", re.IGNORECASE)
# In a sentence a number far from all of them is a part: "with two cargo cards a ship is full". What stands alone in a
# cell, a paragraph or an item of a list is a number of pieces, and so is what "all" stands before.
_ALL = re.compile(r"\ball\s+(?:of\s+)?(?:the\s+)?\Z", re.IGNORECASE)
_COUNTED_BEGINS = re.compile(r"(?:\A|\n\s*\n|\||\n[ \t]*[-+][ \t])[ \t]*\Z")
_COUNTED_ENDS = re.compile(r"[ \t]*(?:\Z|\n|[.,;:|(])")
# As a phrase has it: with or without marks between its thousands, with decimals, in words. So many groups and no more: else
# a row of numbers could be taken apart in more ways than can be tried.
_WRITTEN = r"\d{1,3}(?:[,.'\u2019 \u00a0\u202f\u2009]\d{3}){1,3}(?!\d)|\d{1,15}(?:\.\d{1,15})?"
_BLANKS = r"\s*"
# Letters before a number that say what it is about.
BEFORE = 40
_GROUPED = re.compile(r"\d{1,3}(?:\D\d{3})+")


class Counted:
    """Names with the numbers that may stand before them, and phrases with the numbers in them."""

    def __init__(self, game: Game, words: Words, evaluate: Evaluate) -> None:
        numerals = (SPELT,) if game.language.partition("-")[0] == "en" else ()
        self.numbers: dict[str, tuple[int, ...]] = {}
        """By the folded name; the first number is that of the tables."""
        self.phrases: list[_Phrase] = []
        self.faults: list[Problem] = []
        takes = game.rules.setup.takes if game.rules.setup else ()
        alike: dict[str, list[tuple[int, ...]]] = {}
        for component in game.components:
            if len(component.title.split()) > 1 and component.table.whole:
                # What the set-up takes of it is a number people read, too.
                taken = [int(take.number) for take in takes if take.component == component.name and take.number.isdecimal()]
                alike.setdefault(_folded(component.title), []).append((component.copies, *taken))
        # Where several have one title, the number of each may be said, and that of all.
        for title, each in alike.items():
            self.numbers[title] = (sum(first for first, *_ in each), *(number for several in each for number in several))
        for counting in words.counts:
            try:
                values = [_number(evaluate(expression), expression) for expression in counting.numbers]
            except Fault as bad:
                self.faults.append(bad.problem("typed-number", counting.place, f'the number of "{counting.says}": '))
                continue
            if "#" in counting.says:
                self.phrases.append(_Phrase(counting, values, numerals))
            elif isinstance(values[0], int) or values[0].is_integer():
                self.numbers[_folded(counting.says)] = (int(values[0]),)
            else:
                message = f'the number of "{counting.says}" is {shown(values[0])}, and pieces are counted in whole ones'
                self.faults.append(Problem("typed-number", counting.place, message, shown(values[0]), "a whole number"))
        number = "|".join([NUMBER.pattern, *numerals])
        found = rf"(?<![\w#])(?P<number>{number})[\s-]+(?P<name>{either(self.numbers)})"
        self.found = re.compile(found, re.IGNORECASE)

    def wrong(self, said: Said) -> Iterator[Problem]:
        for match in self.found.finditer(said.text):
            number = _value(match["number"])
            right = self.numbers[_folded(match["name"])]
            before = max(0, match.start() - BEFORE)
            held = 2 * number <= right[0] and _HOLDS.search(said.text, before, match.start())
            part = _PARTS.search(said.text, before, match.start()) or _SHARES.match(said.text, match.end())
            # One less than all is a slip, even of two.
            some = 2 * number <= right[0] > number + 1 and not self._is_alone(said, match)
            if number in right or part or held or some:
                continue
            shown, name = (" ".join(match[group].split()) for group in (0, "name"))
            message = f'"{shown}", but the tables have {right[0]}'
            hint = f'Write "{right[0]} {name}", or change the tables.'
            yield Problem("typed-number", said.at(match.start()), message, match["number"], str(right[0]), hint)
        folded = said.text.casefold()
        for phrase in self.phrases:
            if phrase.word in folded:
                yield from phrase.wrong(said)

    @staticmethod
    def _is_alone(said: Said, match: re.Match[str]) -> bool:
        if any(start <= match.start() < end for start, end in said.pictures):
            return False
        before = said.text, max(0, match.start() - BEFORE), match.start()
        return bool(
            _ALL.search(*before) or (_COUNTED_BEGINS.search(*before) and _COUNTED_ENDS.match(said.text, match.end()))
        )

    def unsaid(self, texts: Iterable[Said]) -> Iterator[Problem]:
        """Phrases that no text says: they hold nothing."""
        folded = [(text, text.text.casefold()) for text in texts]
        for phrase in self.phrases:
            if not any(phrase.word in words and phrase.found.search(text.text) for text, words in folded):
                message = f'no text of the game says "{phrase.says}" with a number for each #, so that this looks at nothing'
                hint = "Write the words as they stand in the text, or take the phrase away."
                yield Problem("typed-number", phrase.place, message, phrase.says, hint=hint, severity="warning")


class _Phrase:
    """Words with numbers in them."""

    def __init__(self, counting: Counting, numbers: Sequence[int | float], numerals: Iterable[str]) -> None:
        self.says, self.numbers, self.place = counting.says, numbers, counting.place
        number = rf"(?<![\w.])({'|'.join([_WRITTEN, *numerals])})(?!\w)"
        between = [_worded(part) for part in counting.says.split("#")]
        # No blanks before the first word: a book has long runs of them, and each would be tried from each of its places.
        self.found = re.compile(rf"(?<!\w){number.join(between).removeprefix(_BLANKS)}(?!\w)", re.IGNORECASE)
        self.word = max(re.split(r"[\s#'\u2019-]+", counting.says), key=len).casefold()
        """The longest of its words, folded: a text without it does not say the phrase."""

    def wrong(self, said: Said) -> Iterator[Problem]:
        for match in self.found.finditer(said.text):
            for group, right in enumerate(self.numbers, 1):
                if _value(match[group]) != right:
                    text, written = " ".join(match[0].split()), shown(right)
                    write = IN_WORDS.get(right, written) if match[group].lower() in NUMERALS else written
                    message = f'"{text}", but the number there is {written}: so says "{self.says}" ({self.place})'
                    hint = f'Write "{write}", or change rules.toml.'
                    yield Problem("typed-number", said.at(match.start(group)), message, match[group], written, hint)


def _number(value: object, expression: str) -> int | float:
    number = unwrapped(value)
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise Fault(f"it is {shown(number)}, and no number", expression, "a number, or an expression such as count(…)")
    return number


def _worded(part: str) -> str:
    """A pattern for a part of a phrase, whatever parts its words; beside a number there may be the marks of bold."""
    words = [re.escape(word).replace("'", "['\u2019]") for word in re.split(r"[\s-]+", part) if word]
    before, after = (r"[\s-]+" if end in (" ", "-") else _BLANKS for end in (part[:1], part[-1:]))
    return before + r"[\s-]+".join(words) + after if words else before


def _value(written: str) -> int | float:
    if (number := NUMERALS.get(written.lower())) is not None:
        return number
    return float(written) if "." in written and not _GROUPED.fullmatch(written) else number_in(written)


def _folded(name: str) -> str:
    return re.sub(r"[\s-]+", " ", name.casefold())


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
