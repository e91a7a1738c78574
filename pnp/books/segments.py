"""Splits a book's Markdown into what is translated: headings, paragraphs, list items, table rows, captions, alt texts.

The text is looked at as its author wrote it, with everything in it that is computed: a translation keeps that. What a tag
spans is no text, but for captions and alt texts in it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field

from pnp.dataclass import dataclass
from pnp.values.languages import worded

_TAGS = re.compile(r"\{%.*?%\}|\{#.*?#\}|\{\{.*?\}\}", re.DOTALL)
# A tag that prints and one that does not, letter by letter: nothing in Markdown, and not parted by its line ends.
_PRINTS, _SILENT = "\ue000", "\ue001"
_FENCE = re.compile(r"\s{0,3}(:{3,})\s*([a-z]*)[ \t]*")
_CODE = re.compile(r"\s{0,3}(?:```|~~~)")
_HEADING = re.compile(r"\s{0,3}#{1,6}[ \t]+")
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_QUOTE = re.compile(r"\s{0,3}>[ \t]?")
_RULE = re.compile(r"\s{0,3}(?:[-*_][ \t]*){3,}|[|\s:-]+")
_ALT = re.compile(r'\balt="([^"]*)"')
_MACRO = re.compile(r"\{%-?\+?\s*macro\b.*?\{%-?\+?\s*endmacro\b", re.DOTALL)
_CELL = re.compile(r"(?<!\\)\|")
# Words that functions of books are given.
_SAID = re.compile(
    r"""(?:\b(?:caption|alt)\s*=|\bor\b|\belse\b|~)\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')""", re.DOTALL
)
_NOTES = re.compile(r"\bnotes\s*=\s*\[(.*?)\]\s*\]", re.DOTALL)
_NOTE = re.compile(r"""\[\s*(?:"[^"]*"|'[^']*')\s*,\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')""", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a book's text: its start and end, the heading above it, its index there."""

    start: int
    end: int
    heading: str
    number: int
    text: str
    """On one line, unless somebody ends lines in it."""

    @property
    def location(self) -> str:
        return f"{self.heading}/{self.number}"


def segments(text: str, slug: Callable[[str], str]) -> list[Segment]:
    """The translatable pieces of a book in order; ``slug`` makes a heading's id."""
    return [*_Reader(text, slug).read()]


@dataclass(slots=True)
class _Reader:
    text: str
    slug: Callable[[str], str]
    heading: str = "start"
    number: int = 0
    _slugs: Counter[str] = field(default_factory=Counter)

    def read(self) -> Iterator[Segment]:
        masked = _TAGS.sub(lambda tag: (_PRINTS if tag[0].startswith("{{") else _SILENT) * len(tag[0]), self.text)
        macros = [macro.span() for macro in _MACRO.finditer(self.text)]
        scenes: list[int] = []
        code, at = False, 0
        begun: tuple[int, int] | None = None
        for line in [*masked.split("\n"), ""]:
            start, end = at, at + len(line)
            at = end + 1
            bare = line.replace(_SILENT, " ")
            lead = len(bare) - len(bare.lstrip())
            # What a macro writes of a table is rows of a scene.
            staged = bool(scenes) or any(first <= end and start < last for first, last in macros)
            row = bare.lstrip(f" \t{_PRINTS}").startswith("|")
            fence = _FENCE.match(bare)
            if _CODE.match(bare):
                code = not code
            ends = code or not bare.strip() or fence or _HEADING.match(bare) or _ITEM.match(bare) or _CODE.match(bare)
            if begun and (ends or _QUOTE.match(bare) or row or _RULE.fullmatch(bare)):
                yield from self._said(*begun)
                begun = None
            if code or _CODE.match(bare):
                continue
            if fence:
                if fence[2]:
                    if scenes or fence[2] == "scene":
                        scenes.append(len(fence[1]))
                elif scenes and len(fence[1]) >= scenes[-1]:
                    scenes.pop()
                yield from self._of_fence(fence, bare, start, end)
            elif not bare.strip() or _RULE.fullmatch(bare):
                yield from self._in_tags(start, end)
            elif found := _HEADING.match(bare):
                yield from self._headed(start + found.end(), end)
            elif row:
                yield from self._of_table(bare, start, end, staged)
            elif found := _ITEM.match(bare) or _QUOTE.match(bare):
                begun = (start + found.end(), end)
            elif begun:
                begun = (begun[0], end)
            else:
                begun = (start + lead, end)

    def _headed(self, start: int, end: int) -> Iterator[Segment]:
        name = self.slug(_TAGS.sub("", self.text[start:end])) or "section"
        self._slugs[name] += 1
        self.heading, self.number = f"{name}-{self._slugs[name]}" if self._slugs[name] > 1 else name, -1
        said = [*self._said(start, end)]
        self.number = 0
        yield from said

    def _of_fence(self, fence: re.Match[str], bare: str, start: int, end: int) -> Iterator[Segment]:
        if fence[2] == "scene":
            if alt := _ALT.search(bare):
                yield from self._said(start + alt.start(1), start + alt.end(1))
        elif fence[2] and fence[2] != "columns":
            yield from self._said(start + fence.end(), end)

    def _of_table(self, bare: str, start: int, end: int, scene: bool) -> Iterator[Segment]:
        bars = [bar.start() for bar in _CELL.finditer(bare)]
        first, last = bars[0] + 1, bars[-1] if len(bars) > 1 and not bare[bars[-1] + 1 :].strip() else len(bare)
        if not scene:
            yield from self._said(start + first, start + last)
        elif len(bars) > 2 and bare[first : bars[1]].strip() == "mark":
            yield from self._said(start + bars[2] + 1, start + max(last, bars[2] + 1))

    def _said(self, start: int, end: int) -> Iterator[Segment]:
        """A piece of text; where it is only tags, the texts in these."""
        typed = self.text[start:end]
        start, end = start + len(typed) - len(typed.lstrip()), end - len(typed) + len(typed.rstrip())
        typed = self.text[start:end]
        if not worded(typed):
            yield from self._in_tags(start, end)
            return
        # A line that is broken on purpose ends in two spaces or a backslash.
        folded = typed if re.search(r"(?:  |\\)\n", typed) else _folded(typed)
        yield self._next(start, end, folded)

    def _in_tags(self, start: int, end: int) -> Iterator[Segment]:
        for tag in _TAGS.finditer(self.text, start, end):
            if tag[0].startswith("{#"):
                continue
            found = [(said.span(1), said[1]) if said[1] is not None else (said.span(2), said[2]) for said in _places(tag[0])]
            for (first, last), typed in sorted(found):
                if worded(typed):
                    yield self._next(tag.start() + first, tag.start() + last, typed)

    def _next(self, start: int, end: int, text: str) -> Segment:
        self.number += 1
        return Segment(start, end, self.heading, self.number, text)


def _places(tag: str) -> Iterator[re.Match[str]]:
    yield from _SAID.finditer(tag)
    for notes in _NOTES.finditer(tag):
        yield from _NOTE.finditer(tag, notes.start(1), notes.end())


def _folded(typed: str) -> str:
    """Joins the lines of a text; leaves tags as they are."""
    parts: list[str] = []
    at = 0
    for tag in _TAGS.finditer(typed):
        parts += [re.sub(r"[ \t]*\n[ \t]*", " ", typed[at : tag.start()]), tag[0]]
        at = tag.end()
    return "".join([*parts, re.sub(r"[ \t]*\n[ \t]*", " ", typed[at:])])


@dataclass(frozen=True, slots=True)
class Retold:
    """A book's text with pieces replaced."""

    text: str
    origins: tuple[tuple[int, str], ...]
    """For each line the one that it stands in in the source, and the location of what replaced it; empty for nothing."""


def retold(text: str, pieces: list[Segment], targets: Mapping[str, str]) -> Retold:
    """Replaces the pieces of a book's text whose location has a translation in ``targets``."""
    parts: list[str] = []
    origins: list[tuple[int, str]] = []
    at, line = 0, 1

    def add(said: str, location: str, passed: str) -> None:
        nonlocal line
        if not origins:
            origins.append((1, ""))
        for number, _ in enumerate(said.split("\n")):
            here = line + (min(number, passed.count("\n")))
            if number:
                origins.append((here, location))
            elif location:
                origins[-1] = (here, location)
        line += passed.count("\n")
        parts.append(said)

    for piece in pieces:
        target = targets.get(piece.location)
        if target is None:
            continue
        add(text[at : piece.start], "", text[at : piece.start])
        add(target, piece.location, text[piece.start : piece.end])
        at = piece.end
    add(text[at:], "", text[at:])
    return Retold("".join(parts), tuple(origins))
