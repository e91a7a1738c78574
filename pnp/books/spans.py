"""What is said in a line of a book → spans: words with their styles, links, icons, pictures, and the marks of figures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from pnp.books.figures import CLOSE, OPEN, WIDEST, Figure, Grid, Width
from pnp.values.books import Fault, Span, Wish
from pnp.values.problems import closest, listed

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

BOXES = ("note", "example", "side", "columns", "beside", "back")
# What is typed and what is only a mark, in the order written.
_PIECES = re.compile(rf"{OPEN}(?P<mark>[a-z]+):(?P<of>[^{CLOSE}]*){CLOSE}|:(?P<icon>[a-z][a-z0-9_-]*):")
# What the end of a line never parts: "7 × 7", and "page" from its number.
_TIED = re.compile(r"(?<=\d) (?=×)|(?<=×) (?=\d)")
ICON_WIDTH, INLINE_WIDTH, THUMB_WIDTH = 8.0, 16.0, 14.0
QUOTES = {"de": "„“‚‘", "fr": ["«\u202f", "\u202f»", "‹\u202f", "\u202f›"], "es": "«»“”", "it": "«»“”", "pl": "„”‚’"}


@cache
def parser(language: str) -> MarkdownIt:
    """Reads the Markdown of a book in a language."""
    from markdown_it import MarkdownIt
    from mdit_py_plugins.container import container_plugin

    quotes = QUOTES.get(language, "“”‘’")
    made = MarkdownIt("commonmark", {"html": False, "typographer": True, "quotes": quotes})
    made.enable(["table", "smartquotes"]).disable(["html_block", "html_inline"])
    for name in BOXES:
        made.use(container_plugin, name=name)
    return made


def smart(text: str, language: str) -> str:
    """A line with the quotation marks and apostrophes of its language."""
    (inline,) = parser(language.partition("-")[0]).parseInline(text)
    return "".join(token.content for token in inline.children or [])


def plain(spans: Sequence[Span]) -> str:
    """The letters of spans."""
    return "".join(span.get("text", plain(span.get("spans", ()))) for span in spans)


def line_of(source: str, *snippets: str) -> int | None:
    """The first line of a text that has one of these, the earlier ones tried first."""
    for snippet in snippets:
        if snippet and snippet in source:
            return source.count("\n", 0, source.index(snippet)) + 1
    return None


class LineReader:
    """Reads the lines of one book; gathers wishes, the pages asked for and faults on the way."""

    def __init__(self, source: str, figures: Sequence[Figure | Grid], language: str) -> None:
        self._source, self._figures, self._language = source, figures, language
        self.wishes: list[Wish] = []
        self.widths: dict[int, float] = {}
        self.asked: list[str] = []
        """Headings whose pages are named, and to which links lead."""
        self.faults: list[Fault] = []

    def marked(self, text: str) -> list[Span]:
        """A line of Markdown that came as an argument."""
        if not text:
            return []
        (inline,) = parser(self._language).parseInline(text)
        return self.spans(inline.children or [])

    def spans(self, tokens: Sequence[Token]) -> list[Span]:
        """What stands in a line of the text."""
        spans: list[Span] = []
        style = {"bold": 0, "italic": 0}
        links: list[tuple[str, list[Span]]] = []
        for token in tokens:
            target = links[-1][1] if links else spans
            named = {"strong": "bold", "em": "italic"}.get(token.type.rpartition("_")[0])
            if named:
                style[named] += token.nesting
            elif token.type == "softbreak":
                _add(target, " ", {})
            elif token.type == "hardbreak":
                target.append({"break": True})
            elif token.type == "link_open":
                links.append((str(token.attrs["href"]), []))
                self.asked += [href[1:] for href, _ in links[-1:] if href.startswith("#")]
            elif token.type == "link_close":
                href, inner = links.pop()
                (links[-1][1] if links else spans).append({"link": href, "spans": inner})
            elif token.type == "image":
                picture, alt = self.image(token, INLINE_WIDTH)
                target.append({"picture": picture, "alt": alt, "size": "inline"})
            elif token.type == "code_inline":
                target.append({"text": token.content, "code": True})
            elif token.content:
                self._typed(token.content, target, {name: True for name, on in style.items() if on})
        return spans

    def image(self, token: Token, width: float) -> tuple[int, str]:
        """A drawing of ``art/``: its number among the wishes, and its alt text."""
        from urllib.parse import unquote

        name = unquote(str(token.attrs.get("src", "")))
        alt = "".join(" " if child.type == "softbreak" else child.content for child in token.children or [])
        if not alt:
            line = line_of(self._source, f"]({name}")
            self.faults.append(
                Fault(
                    "missing-alt",
                    f'the picture "{name}" has no alt text',
                    line,
                    name,
                    hint=f"Write ![what one sees]({name}).",
                )
            )
        return self.wish(Wish("art", name.removeprefix("art/")), Width(mm=width)), alt

    def wish(self, wish: Wish, width: Width | None) -> int:
        """The number of a wished picture, which is made for the widest place that it comes to."""
        if wish not in self.wishes:
            self.wishes.append(wish)
        index = self.wishes.index(wish)
        mm = 60.0 if width is None else width.mm or width.share * WIDEST
        self.widths[index] = max(self.widths.get(index, 0.0), mm)
        return index

    def _typed(self, text: str, target: list[Span], style: dict[str, Any]) -> None:
        last = 0
        for match in _PIECES.finditer(text):
            before = text[last : match.start()]
            _add(target, re.sub(r" $", "\u00a0", before) if match["mark"] == "page" else before, style)
            last = match.end()
            if match["icon"]:
                target.append({"picture": self.wish(Wish("icon", match["icon"]), Width(mm=ICON_WIDTH)), **_icon(match)})
            elif match["mark"] == "page":
                self.asked.append(match["of"])
                target.append({"page": match["of"]})
            elif isinstance(figure := self.asked_for(match["of"]), Figure) and match["mark"] == "thumb":
                thumb = self.wish(figure.wishes[0], Width(mm=THUMB_WIDTH))
                target.append({"picture": thumb, "alt": "", "size": "thumb"})
            elif figure is not None:
                target.extend(self._inline(figure))
        _add(target, text[last:], style)

    def asked_for(self, number: str) -> Figure | Grid | None:
        """What a mark stands for; a mark that no function made stands for nothing."""
        return self._figures[int(number)] if number.isdecimal() and int(number) < len(self._figures) else None

    def _inline(self, figure: Figure | Grid) -> Iterator[Span]:
        """Pictures within a line of text or a cell; a table cannot be there."""
        if isinstance(figure, Grid):
            hint = "Leave an empty line before and after it."
            line = _within_text(self._source, figure.name)
            self.faults.append(Fault("table-in-text", "a table stands within a paragraph", line, figure.name, hint=hint))
            return
        for wish in figure.wishes:
            width = figure.width or Width(mm=INLINE_WIDTH)
            size = {"mm": width.mm} if width.mm else {"size": "inline"}
            yield {"picture": self.wish(wish, width), "alt": figure.alt, **size}

    def fault(self, rule: str, message: str, line: int | None, value: str, known: Sequence[str] = ()) -> None:
        """A fault that names what there is instead."""
        self.faults.append(Fault(rule, message, line, value, listed(known, 40), closest(value, known)))


def _within_text(source: str, name: str) -> int | None:
    """The line of a table that does not stand alone, between empty lines."""
    lines = ["", *source.split("\n"), ""]
    calls = [number for number, line in enumerate(lines) if re.search(rf"\b{name}\(", line)]
    crowded = (number for number in calls if lines[number - 1].strip() or lines[number + 1].strip())
    said = (number for number in calls if not re.fullmatch(r"\s*\{\{.*\}\}\s*", lines[number]))
    return next(iter([*said, *crowded, *calls]), None)


def _icon(match: re.Match[str]) -> Span:
    return {"alt": match["icon"].replace("-", " "), "size": "icon"}


def _add(target: list[Span], text: str, style: dict[str, Any]) -> None:
    if not text:
        return
    text = _TIED.sub("\u00a0", text)
    if target and "text" in target[-1] and {**style, "text": target[-1]["text"]} == target[-1]:
        target[-1]["text"] += text
    else:
        target.append({"text": text, **style})
