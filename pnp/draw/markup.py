"""The Markdown of a text box → blocks of spans.

Bold, italic, lists, line breaks and ``:icon:``; everything else is plain text. ``\\:`` is a colon.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from pnp.values.layers import Block, IconSpan, LineBreak, Listing, Paragraph, Span, TextSpan

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_ICON = re.compile(r":([a-z][a-z0-9_-]*(?:#[\w-]+)?):")
# One line without anything that Markdown could mean, beginning with a letter, or with a number that numbers no list.
_PLAIN = re.compile(r"[ \t]*(?:(?:[^\W\d_]|[-+]?\d+(?![\d.)]))[^\n\r\\*_:\x02]*)?[ \t]*")
# A line that is nothing but a list's marker is meant as it stands: "+", "-", "3.".
_LONE_MARKER = re.compile(r"^([ \t]*)([-+*]|\d+(?=[.)]))([.)]?)[ \t]*$", re.MULTILINE)
# A character that XML has not, so that nobody types it, keeps an escaped colon from being read as an icon's.
_COLON = "\x02"
# Deeper lists are not set; markdown-it would drop their text at 20, a list being two.
_MOST_NESTING = 200


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("zero", {"breaks": True, "maxNesting": _MOST_NESTING}).enable(
        ["emphasis", "list", "newline", "escape"]
    )


def blocks(text: str) -> tuple[Block, ...]:
    """Paragraphs and lists; neighbouring spans of one style are one span."""
    if _PLAIN.fullmatch(text):
        # Most texts are a title or a sentence, and need no parser.
        stripped = text.strip()
        return (Paragraph((TextSpan(stripped),)),) if stripped else ()
    source = textwrap.dedent(text.replace("\\:", _COLON)).strip()
    source = _LONE_MARKER.sub(
        lambda match: match[1] + (f"\\{match[2]}" if not match[3] else f"{match[2]}\\{match[3]}"), source
    )
    found, _ = _read(_parser().parse(source), 0, None)
    return found


def plain(found: Sequence[Block]) -> str:
    """The characters that will be set, for looking at glyphs and long words."""
    parts: list[str] = []
    for block in found:
        if isinstance(block, Paragraph):
            parts.append("".join(map(_plain, block.spans)))
        else:
            parts.extend(map(plain, block.items))
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
        else:
            for item in block.items:
                yield from spans(item)


def _read(tokens: list[Token], index: int, until: str | None) -> tuple[tuple[Block, ...], int]:
    found: list[Block] = []
    while index < len(tokens):
        token = tokens[index]
        if token.type == until:
            return tuple(found), index + 1
        if token.type == "inline":
            found.append(Paragraph(_spans(token.children or [])))
        elif token.type in ("bullet_list_open", "ordered_list_open"):
            ordered = token.type == "ordered_list_open"
            items, index = _items(tokens, index + 1, token.type.replace("open", "close"))
            found.append(Listing(items, int(token.attrs.get("start", 1)) if ordered else None))
            continue
        index += 1
    return tuple(found), index


def _items(tokens: list[Token], index: int, until: str) -> tuple[tuple[tuple[Block, ...], ...], int]:
    items: list[tuple[Block, ...]] = []
    while tokens[index].type != until:
        item, index = _read(tokens, index + 1, "list_item_close")
        items.append(item)
    return tuple(items), index + 1


def _spans(tokens: list[Token]) -> tuple[Span, ...]:
    spans: list[Span] = []
    bold = italic = 0
    for token in tokens:
        if token.type in ("strong_open", "strong_close"):
            bold += token.nesting
        elif token.type in ("em_open", "em_close"):
            italic += token.nesting
        elif token.type in ("softbreak", "hardbreak"):
            spans.append(LineBreak())
        elif token.content:
            style = bold > 0, italic > 0
            for text, name in _pieces(token.content):
                last = spans[-1] if spans else None
                if name:
                    spans.append(IconSpan(name))
                elif isinstance(last, TextSpan) and (last.bold, last.italic) == style:
                    spans[-1] = TextSpan(last.text + text, *style)
                else:
                    spans.append(TextSpan(text, *style))
    return tuple(spans)


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """(text, "") and ("", icon name) in the order written."""
    for index, part in enumerate(_ICON.split(text)):
        if index % 2:
            yield "", part
        elif part:
            yield part.replace(_COLON, ":"), ""
