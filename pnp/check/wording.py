"""Everything a game says in words, with where each word stands: for the rules that look at words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from pnp.check.scenewords import about_pictures, without_notation
from pnp.system.paths import file_within
from pnp.values.findings import Report, SetText, Subject
from pnp.values.game import Game
from pnp.values.problems import About, Place, Problem

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
        if not self.lines:
            return self.place
        return Place(self.place.file, self.text.count("\n", 0, position) + 1)


def number_in(written: str) -> int:
    """What a written number comes to, whatever marks its thousands."""
    return int("".join(filter(str.isdecimal, written)))


def _words(text: str) -> str:
    return _SILENT.sub(spoken, text)


def spoken(found: re.Match[str]) -> str:
    """Blanks for what is not read, but for the words for pictures in it; positions stay."""
    blank = re.sub(r"\S", " ", found[0])
    for start, end in _labels(found):
        blank = blank[:start] + found[0][start:end].replace("*", " ") + blank[end:]
    return blank


def _labels(found: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Where the words for pictures stand in what a template fills in."""
    if found[0].startswith("{{"):
        yield from (label.span(label.lastindex or 0) for label in _LABEL.finditer(found[0]))


def only_drawn(look: Callable[[Subject], Report], subject: Subject) -> list[Problem]:
    """What a rule finds on drawn pieces, and not in what is typed: their templates may write words of their own."""
    told = set(look(replace(subject, texts=())).problems)
    return [problem for problem in look(subject).problems if problem not in told]


def said(subject: Subject) -> list[Said]:
    """All texts of a game: tables, game.toml, Markdown files, then what only templates say."""
    game = subject.game
    typed = [*_cells(game), *_keys(game), *_files(game)]
    # A drawn text that is typed somewhere was looked at there.
    known = {""} | {line.strip() for text in typed for line in (text.text, *text.text.splitlines())}
    at = {text.place: text.text for text in typed if not text.lines}
    drawn: dict[tuple[str, Place], Said] = {}
    for text in subject.texts:
        words = _words(text.source)
        if words.strip() not in known and words.strip() not in at.get(text.place, ""):
            drawn.setdefault((words, text.place), Said(words, text.place, drawn=text))
    return [*typed, *drawn.values()]


def _cells(game: Game) -> Iterator[Said]:
    for table in game.tables.values():
        for row in table:
            for column, cell in row.cells.items():
                if column != "id" and isinstance(cell.value, str) and cell.value:
                    yield Said(_words(cell.value), cell.place)


def _keys(game: Game) -> Iterator[Said]:
    yield Said(_words(game.title), game.place_of("game.name"), credit=True)
    for key, text in game.about.items():
        yield Said(_words(text), game.place_of(f"game.{key}"), credit=True)
    for key, text in game.texts.items():
        yield Said(_words(text), game.place_of(f"texts.{key}"))
    titles = [(each.title, each.place) for each in game.components]
    for title, place in (*titles, *((each.title, each.place) for each in game.layouts)):
        yield Said(_words(title), place)
    for manual in game.manuals:
        for key in (
            ("subtitle", "foot", "contents") if manual.title == game.title else ("title", "subtitle", "foot", "contents")
        ):
            if text := getattr(manual, key):
                yield Said(_words(text), game.place_of(f"book.{manual.name}.{key}"))
    # Books print these in the table of the set-up.
    for take in game.rules.setup.takes if game.rules.setup else ():
        yield Said(_words(take.what), take.place)


def _readable(path: Path) -> bool:
    """A file of the folder, no larger than a book: no pipe, and nothing that a link leads to elsewhere."""
    return file_within(path.parent, path) and path.stat().st_size <= MOST_BYTES


def _files(game: Game) -> Iterator[Said]:
    """The Markdown files of the game's folder: its rulebook. The README speaks of the pack, not of the game."""
    books = {manual.file: manual.text for manual in game.manuals}
    for path in sorted(game.folder.glob("*.md")):
        if path.name.lower() == "readme.md" or not _readable(path):
            continue
        file = (PurePosixPath(game.file).parent / path.name).as_posix()
        try:
            text = books[file] if file in books else path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError):
            continue  # Whoever typesets it says so.
        scenes = about_pictures(text)
        text = without_notation(text)
        filled = _SILENT.finditer(text)
        labels = [(each.start() + start, each.start() + end) for each in filled for start, end in _labels(each)]
        yield Said(_words(text), Place(file), lines=True, pictures=(*labels, *scenes))


@dataclass(frozen=True, slots=True)
class Thousands:
    """The marks between thousands that a game uses."""

    wanted: str
    """Empty when all numbers are alike already."""
    used: tuple[tuple[str, Place, str, About | None], ...]
    """Number, place, mark (empty for none) and the piece that it stands on, in reading order."""

    @classmethod
    def of(cls, texts: list[Said], wanted: str) -> Thousands:
        """Numbers from 10 000 on, and smaller ones with a mark; the usual mark where none is wanted."""
        used = [
            (number[0], text.at(number.start()), number["mark"] or "", text.about)
            for text in texts
            for number in NUMBER.finditer(text.text)
            if number["mark"] or number_in(number[0]) >= 10_000
        ]
        marks = [mark for _, _, mark, _ in used]
        usual = max(dict.fromkeys(marks), key=marks.count) if marks else ""
        return cls(wanted or usual, tuple(used))

    def odd(self) -> Iterator[Problem]:
        """The numbers that are not marked as the others are."""
        named = MARKS.get(self.wanted, f'"{self.wanted}"') if self.wanted else "nothing"
        for number, place, mark, about in self.used:
            if mark != self.wanted:
                right = f"{number_in(number):,}".replace(",", self.wanted)
                yield Problem(
                    "thousands-mark",
                    place,
                    f'the thousands of "{number}" are parted by {MARKS[mark] if mark else "nothing"}',
                    number,
                    f"{named}, as elsewhere in the game",
                    f'Write "{right}".',
                    about=about,
                )


def either(names: Iterable[str]) -> str:
    """A pattern for any of these names as whole words, the longest first, whatever parts their words."""
    longest = sorted(names, key=lambda name: (-len(name), name))
    either = "|".join(re.sub(r"(?:\\[ -])+", r"[\\s-]+", re.escape(name)) for name in longest)
    return rf"(?:{either})(?!\w)" if either else r"(?!)"
