"""The README and the pages in ``docs/``, for tests: their text, their blocks, headings and links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
README = ROOT / "README.md"
TUTORIAL = DOCS / "tutorial" / "first-deck.md"
IN_THE_STUDIO = DOCS / "tutorial" / "in-the-studio.md"
PAGES = tuple(sorted(DOCS.rglob("*.md")))


def navigation() -> list[str]:
    """The pages in the order in which mkdocs.yml shows them, by their paths in ``docs/``."""
    return re.findall(r": ([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)


def page(name: str) -> str:
    """The text of a page by its path in ``docs/``, without its suffix."""
    return (DOCS / f"{name}.md").read_text(encoding="utf-8")


@cache
def _tokens(path: Path) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(path.read_text(encoding="utf-8"))


def blocks(path: Path, language: str) -> list[str]:
    """The fenced blocks of a language on a page, in order."""
    return [token.content for token in _tokens(path) if token.type == "fence" and token.info == language]


def languages(path: Path) -> set[str]:
    """The languages of all fenced blocks of a page."""
    return {token.info for token in _tokens(path) if token.type == "fence"}


def anchors(path: Path) -> list[str]:
    """What its headings are called in links, as GitHub and mkdocs make it."""
    tokens = _tokens(path)
    headings = [after for token, after in pairwise(tokens) if token.type == "heading_open"]
    return [slug("".join(part.content for part in heading.children or [])) for heading in headings]


def slug(heading: str) -> str:
    """Small letters, digits and hyphens."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def targets(path: Path) -> Iterator[tuple[str, bool]]:
    """Where its links lead, and whether it is a picture that is shown."""
    for token in _tokens(path):
        for part in token.children or []:
            target: Any = part.attrGet("href" if part.type == "link_open" else "src")
            if part.type in ("link_open", "image") and target:
                yield str(target), part.type == "image"
