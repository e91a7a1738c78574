"""Markdown as people write it: paragraphs and entries of lists in lines that are not too long."""

from __future__ import annotations

import re
import textwrap

WIDTH = 118
# At the beginning of a line these would begin a list, a heading or a quotation.
_BEGINS = re.compile(r"\s*(?:[-+*>]|\d+[.)])(?:\s|$)|\s*#")


def paragraph(text: str, first: str = "", rest: str = "") -> str:
    """Text in lines, the first and the others indented."""
    for width in range(WIDTH, WIDTH // 2, -1):
        lines = textwrap.wrap(
            " ".join(text.split()),
            width,
            initial_indent=first,
            subsequent_indent=rest,
            break_long_words=False,
            break_on_hyphens=False,
        )
        if not any(_BEGINS.match(line) for line in lines[1:]):
            return "\n".join(lines)
    raise ValueError(f"no way to part: {text}")


def entry(text: str) -> str:
    """An entry of a list."""
    return paragraph(text, "- ", "  ")
