"""The Markdown of a text box → blocks of spans, as the book's fixed program reads them.

Bold, italic, lists, line breaks and ``:icon:``; everything else is plain text. ``\\:`` is a colon.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

Block = dict[str, Any]
Span = dict[str, Any]

_ICON = re.compile(r":([a-z][a-z0-9_-]*):")
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


def blocks(text: str) -> list[Block]:
    """Paragraphs and lists, each a dict; neighbouring spans of one style are one span."""
    if _PLAIN.fullmatch(text):
        # Most texts are a title or a sentence, and need no parser.
        stripped = text.strip()
        return [{"kind": "paragraph", "spans": [{"text": stripped}]}] if stripped else []
    source = textwrap.dedent(text.replace("\\:", _COLON)).strip()
    source = _LONE_MARKER.sub(
        lambda match: match[1] + (f"\\{match[2]}" if not match[3] else f"{match[2]}\\{match[3]}"), source
    )
    found, _ = _read(_parser().parse(source), 0, None)
    return found


def plain(found: list[Block]) -> str:
    """The characters that will be set, for looking at glyphs and long words."""
    parts: list[str] = []
    for block in found:
        if block["kind"] == "paragraph":
            parts.append("".join(span.get("text", "\n" if "break" in span else " ") for span in block["spans"]))
        else:
            parts.extend(plain(item) for item in block["items"])
    return "\n".join(parts)


def spans(found: list[Block]) -> Iterator[Span]:
    """All spans in the order written, for the caller to complete."""
    for block in found:
        if block["kind"] == "paragraph":
            yield from block["spans"]
        else:
            for item in block["items"]:
                yield from spans(item)


def icons(found: list[Block]) -> Iterator[Span]:
    """The icon spans, for the caller to complete with their drawings."""
    return (span for span in spans(found) if "name" in span)


def _read(tokens: list[Token], index: int, until: str | None) -> tuple[list[Block], int]:
    found: list[Block] = []
    while index < len(tokens):
        token = tokens[index]
        if token.type == until:
            return found, index + 1
        if token.type == "inline":
            found.append({"kind": "paragraph", "spans": _spans(token.children or [])})
        elif token.type in ("bullet_list_open", "ordered_list_open"):
            ordered = token.type == "ordered_list_open"
            items, index = _items(tokens, index + 1, token.type.replace("open", "close"))
            block: Block = {"kind": "numbers" if ordered else "bullets", "items": items}
            if ordered:
                block["start"] = int(token.attrs.get("start", 1))
            found.append(block)
            continue
        index += 1
    return found, index


def _items(tokens: list[Token], index: int, until: str) -> tuple[list[list[Block]], int]:
    items: list[list[Block]] = []
    while tokens[index].type != until:
        item, index = _read(tokens, index + 1, "list_item_close")
        items.append(item)
    return items, index + 1


def _spans(tokens: list[Token]) -> list[Span]:
    spans: list[Span] = []
    bold = italic = 0
    for token in tokens:
        if token.type in ("strong_open", "strong_close"):
            bold += token.nesting
        elif token.type in ("em_open", "em_close"):
            italic += token.nesting
        elif token.type in ("softbreak", "hardbreak"):
            spans.append({"break": True})
        elif token.content:
            style = {name: True for name, on in (("bold", bold), ("italic", italic)) if on}
            for text, name in _pieces(token.content):
                if name:
                    spans.append({"name": name})
                elif spans and "text" in spans[-1] and {**style, "text": spans[-1]["text"]} == spans[-1]:
                    spans[-1]["text"] += text
                else:
                    spans.append({"text": text, **style})
    return spans


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """(text, "") and ("", icon name) in the order written."""
    for index, part in enumerate(_ICON.split(text)):
        if index % 2:
            yield "", part
        elif part:
            yield part.replace(_COLON, ":"), ""
