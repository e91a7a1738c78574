"""The Markdown of a text box → blocks of spans.

Bold, italic, struck, coloured and underlined words, lists, small tables, a rule, line breaks and ``:icon:``; everything
else is plain text. ``\\:`` is a colon.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Literal

from pnp.sandbox.markup import ESCAPED, Slip, look_of, looks, misnumbered, parted_looks, slips, unknown_look
from pnp.shapes.colour import named
from pnp.values.layers import Block, Grid, IconSpan, LineBreak, Listing, Paragraph, Rule, Span, TextSpan

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

_ICON = re.compile(r":([a-z][a-z0-9_-]*(?:#[\w-]+)?):")
# One line without anything that Markdown could mean, beginning with a letter, or with a number that numbers no list.
_PLAIN = re.compile(r"[ \t]*+(?:(?:[^\W\d_]|[-+]?\d+(?![\d.)]))[^\n\r\\*_:~`\[<&|{\x02]*+)?")
# A line that is nothing but a list's marker is meant as it stands: "+", "-", "3.".
_LONE_MARKER = re.compile(r"^([ \t]*)([-+*]|\d+(?=[.)]))([.)]?)[ \t]*$", re.MULTILINE)
# A line of hyphens between others is a rule; "***" is a rating, "___" a blank to fill in.
_RULE = re.compile(r"^[ \t]*-{3,}[ \t]*$", re.MULTILINE)
_STARS = re.compile(r"\*+")
# Thai, Lao, Burmese, Khmer, Japanese and Chinese have no spaces at which bold words could begin.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_MARKER = re.compile(r"[ \t]*(?:[-+*]|\d{1,9}[.)])")
# What is gained or lost: "- 2 VP", "+ **2**".
_AMOUNT = re.compile(r"[ \t]+[*_~\[]*\d")
# A character that XML has not, so that nobody types it, keeps an escaped colon from being read as an icon's.
_COLON = "\x02"
# Deeper lists are not set; markdown-it would drop their text at 20, a list being two.
_MOST_NESTING = 200
_ALIGNS: Mapping[str, Literal["left", "center", "right"]] = {
    "text-align:left": "left",
    "text-align:center": "center",
    "text-align:right": "right",
}


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("zero", {"breaks": True, "maxNesting": _MOST_NESTING})
    parser.enable(["emphasis", "strikethrough", "list", "newline", "escape", "table"])
    # What was escaped stays apart from what was typed plainly: it is meant to be printed.
    parser.disable("text_join")
    parser.use(looks)
    parser.inline.ruler.before("emphasis", "stars", _stars_in_words)
    return parser


def _stars_in_words(state: StateInline, silent: bool) -> bool:
    """Stars between letters or digits are stars: 5*3, f*ck."""
    match = _STARS.match(state.src, state.pos, state.posMax)
    if match is None or not (_in_word(state.src, match.start() - 1) and _in_word(state.src, match.end())):
        return False
    if not silent:
        state.pending += match[0]
    state.pos = match.end()
    return True


def _in_word(text: str, index: int) -> bool:
    """Whether a letter or digit is there, of a script that has spaces between its words."""
    letter = text[index : index + 1] if index >= 0 else ""
    return letter != "" and unicodedata.category(letter)[0] in "LMN" and not _UNSPACED.match(letter)


def _as_typed(part: str) -> list[Token]:
    """The tokens of a text in which single lines behind "+" or "*", and a lone "- 2", are no lists."""
    while True:
        tokens = _parser().parse(part)
        lines = re.split(r"\r\n?|\n", part)
        meant = list(_meant(tokens, lines))
        if not meant:
            return tokens
        # From the last on, so that the places before it stay where they are.
        for line, column in sorted(meant, reverse=True):
            lines[line] = f"{lines[line][:column]}\\{lines[line][column:]}"
        part = "\n".join(lines)


def _meant(tokens: Sequence[Token], lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Line and column of the markers that are signs and no bullets."""
    ends: dict[int, int] = {}
    for index, token in enumerate(tokens):
        if token.type != "list_item_open" or token.map is None:
            continue
        line = token.map[0]
        marker = _MARKER.match(lines[line], ends.get(line, 0))
        if marker is None or marker[0][-1] != token.markup:
            continue
        ends[line] = marker.end()
        end = next(at for at in range(index + 1, len(tokens)) if tokens[at].level == token.level)
        if tokens[index - 1].type != "bullet_list_open" or tokens[end + 1].type != "bullet_list_close":
            continue
        simple = token.level == 1 and all(inner.type != "list_item_open" for inner in tokens[index + 1 : end])
        if (token.markup in "+*" and simple) or _AMOUNT.match(lines[line], marker.end()):
            yield line, marker.end() - 1


@dataclass(slots=True)
class Reading:
    """A text that was read: its blocks, and what in it looks like markup and is printed as it stands."""

    blocks: tuple[Block, ...]
    slips: tuple[Slip, ...] = ()


def read(text: str, palette: Mapping[str, str] | None = None) -> Reading:
    """Paragraphs, lists, tables and rules; neighbouring spans of one style are one span."""
    if _PLAIN.fullmatch(text):
        # Most texts are a title or a sentence, and need no parser.
        stripped = text.strip()
        return Reading((Paragraph((TextSpan(stripped),)),) if stripped else ())
    source = textwrap.dedent(text.replace("\\:", _COLON)).strip()
    reader = _Reader(palette or {})
    found: list[Block] = []
    parts = [source] if _RULE.fullmatch(source) else _RULE.split(source)
    for number, part in enumerate(parts):
        if number:
            found.append(Rule())
        marked = _LONE_MARKER.sub(
            lambda match: match[1] + (f"\\{match[2]}" if not match[3] else f"{match[2]}\\{match[3]}"), part
        )
        found += reader.blocks(_as_typed(marked), 0, None)[0]
    return Reading(tuple(found), tuple(reader.slips()))


def plain(found: Sequence[Block]) -> str:
    """The characters that will be set, for looking at glyphs and long words."""
    parts: list[str] = []
    for block in found:
        if isinstance(block, Paragraph):
            parts.append("".join(map(_plain, block.spans)))
        elif isinstance(block, Listing):
            parts.extend(map(plain, block.items))
        elif isinstance(block, Grid):
            parts.extend(" ".join("".join(map(_plain, cell)) for cell in row) for row in (block.head, *block.rows))
    return "\n".join(parts)


def _plain(span: Span) -> str:
    if isinstance(span, TextSpan):
        return span.text
    return "\n" if isinstance(span, LineBreak) else " "


def spans(found: Sequence[Block]) -> Iterator[Span]:
    """All spans in the order written."""
    for block in found:
        if isinstance(block, Paragraph):
            yield from block.spans
        elif isinstance(block, Listing):
            for item in block.items:
                yield from spans(item)
        elif isinstance(block, Grid):
            for row in (block.head, *block.rows):
                for cell in row:
                    yield from cell


Change = Callable[[Span], tuple[Span, ...]]


def changed(found: Sequence[Block], change: Change) -> tuple[Block, ...]:
    """The same blocks of other spans."""

    def line(spans: Sequence[Span]) -> tuple[Span, ...]:
        return tuple(new for span in spans for new in change(span))

    made: list[Block] = []
    for block in found:
        if isinstance(block, Paragraph):
            made.append(Paragraph(line(block.spans)))
        elif isinstance(block, Listing):
            made.append(replace(block, items=tuple(changed(item, change) for item in block.items)))
        elif isinstance(block, Grid):
            rows = tuple(tuple(map(line, row)) for row in block.rows)
            made.append(replace(block, head=tuple(map(line, block.head)), rows=rows))
        else:
            made.append(block)
    return tuple(made)


@dataclass(slots=True)
class _Reader:
    """Reads tokens; keeps the letters that were typed plainly and will be printed."""

    palette: Mapping[str, str]
    _literal: list[str] = field(default_factory=list)
    _unknown: list[Slip] = field(default_factory=list)

    def slips(self) -> Iterator[Slip]:
        yield from self._unknown
        literal = "\n\n".join(self._literal)
        yield from slips(literal)
        yield from parted_looks(literal, lambda word: named(word, self.palette))

    def blocks(self, tokens: list[Token], index: int, until: str | None) -> tuple[tuple[Block, ...], int]:
        found: list[Block] = []
        while index < len(tokens):
            token = tokens[index]
            if token.type == until:
                return tuple(found), index + 1
            if token.type == "inline":
                found.append(Paragraph(self._spans(token.children or [])))
            elif token.type in ("bullet_list_open", "ordered_list_open"):
                ordered = token.type == "ordered_list_open"
                start = index + 1
                items, index = self._items(tokens, start, token.type.replace("open", "close"))
                self._count(tokens[start:index], token.level + 1)
                first = int(token.attrs.get("start", 1)) if ordered else None
                found.append(Listing(items, first, ")" if token.markup == ")" else "."))
                continue
            elif token.type == "table_open":
                grid, index = self._table(tokens, index + 1)
                found.append(grid)
                continue
            index += 1
        return tuple(found), index

    def _items(self, tokens: list[Token], index: int, until: str) -> tuple[tuple[tuple[Block, ...], ...], int]:
        items: list[tuple[Block, ...]] = []
        while tokens[index].type != until:
            item, index = self.blocks(tokens, index + 1, "list_item_close")
            items.append(item)
        return tuple(items), index + 1

    def _count(self, tokens: Sequence[Token], level: int) -> None:
        """Numbers that were typed and are not those that will be printed; a list of 1. 1. 1. asks to be counted."""
        items = [token for token in tokens if token.type == "list_item_open" and token.level == level]
        typed = [int(token.info) for token in items if token.info]
        counted = [typed[0] + number for number in range(len(typed))] if typed else []
        if len(set(typed)) > 1 and typed != counted:
            wrong, right = next((one, two) for one, two in zip(typed, counted, strict=True) if one != two)
            self._unknown.append(misnumbered(wrong, right, items[0].markup))

    def _table(self, tokens: list[Token], index: int) -> tuple[Grid, int]:
        rows: list[list[tuple[Span, ...]]] = []
        aligns: list[Literal["left", "center", "right"]] = []
        while tokens[index].type != "table_close":
            token = tokens[index]
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "th_open":
                aligns.append(_ALIGNS.get(str(token.attrs.get("style", "")), "left"))
            elif token.type == "inline":
                rows[-1].append(self._spans(token.children or []))
            index += 1
        head = tuple(rows[0]) if any(rows[0]) else ()
        return Grid(head, tuple(map(tuple, rows[1:])), tuple(aligns)), index + 1

    def _spans(self, tokens: list[Token]) -> tuple[Span, ...]:
        spans: list[Span] = []
        typed: list[str] = []
        bold = italic = strike = 0
        marks: list[tuple[str, bool] | None] = []
        for number, token in enumerate(tokens):
            text = token.content
            if token.type in ("strong_open", "strong_close"):
                bold += token.nesting
            elif token.type in ("em_open", "em_close"):
                italic += token.nesting
            elif token.type in ("s_open", "s_close"):
                strike += token.nesting
            elif token.type == "look_open":
                look = look_of(token.info, lambda word: named(word, self.palette))
                marks.append(look)
                if look is None:
                    text = "["
                    self._unknown.append(unknown_look(_words_of(tokens, number), token.info, ", ".join(self.palette)))
            elif token.type == "look_close":
                text = f"]{{{token.info}}}" if marks.pop() is None else ""
            elif token.type in ("softbreak", "hardbreak"):
                spans.append(LineBreak())
                typed.append("\n")
            if text:
                known = [mark for mark in marks if mark is not None]
                fill = next((fill for fill, _ in reversed(known) if fill), "")
                style = TextSpan("", bold > 0, italic > 0, fill, any(line for _, line in known), strike > 0)
                _add(spans, text, style)
                typed.append(text if token.type == "text" else ESCAPED * len(text))
        self._literal.append("".join(typed))
        return tuple(spans)


def _words_of(tokens: Sequence[Token], start: int) -> str:
    """What stands in the brackets that begin there."""
    depth, words = 0, []
    for token in tokens[start:]:
        depth += (token.type == "look_open") - (token.type == "look_close")
        if depth == 0:
            break
        words.append(token.content)
    return "".join(words)


def _add(spans: list[Span], text: str, style: TextSpan) -> None:
    """Put down letters and icons, letters joined to those before them when they are of one style."""
    for part, name in _pieces(text):
        last = spans[-1] if spans else None
        if name:
            spans.append(IconSpan(name))
        elif isinstance(last, TextSpan) and last.look == style:
            spans[-1] = replace(last, text=last.text + part)
        else:
            spans.append(replace(style, text=part))


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """(text, "") and ("", icon name) in the order written."""
    for index, part in enumerate(_ICON.split(text)):
        if index % 2:
            yield "", part
        elif part:
            yield part.replace(_COLON, ":"), ""
