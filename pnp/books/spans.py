"""Parses the lines of a book into spans: styled words, links, icons and pictures; walks through blocks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from pnp.books.functions import CLOSE, COLUMN, OPEN, WIDEST, Asked, AskedFigure, AskedTable
from pnp.sandbox.markup import ESCAPED, Look, Slip, look_of, looks, slips, unknown_look
from pnp.values.books import (
    Beside,
    Block,
    BlockQuote,
    Blocks,
    Box,
    BulletList,
    CodeBlock,
    Columns,
    Figure,
    FigureRow,
    Heading,
    InlinePicture,
    LineBreak,
    Link,
    NumberedList,
    PageNumber,
    Paragraph,
    Span,
    Spans,
    TableBlock,
    TextRun,
    Width,
    Wish,
)
from pnp.values.languages import rubies
from pnp.values.problems import Place, Problem, closest, listed

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token


def runs_of(blocks: Iterable[Block]) -> Iterator[TextRun]:
    """Every styled piece of text in blocks of a book, in reading order, those inside tables, lists and boxes too."""
    for block in blocks:
        if isinstance(block, CodeBlock):
            yield TextRun(block.text, code=True)
        for line in _lines(block):
            yield from _runs(line)
        for part in _parts(block):
            yield from runs_of(part)


def figures_of(blocks: Iterable[Block]) -> Iterator[Figure]:
    """The figures among blocks, also within boxes and lists."""
    for block in blocks:
        if isinstance(block, Figure):
            yield block
        for part in _parts(block):
            yield from figures_of(part)


def plain(spans: Iterable[Span]) -> str:
    """The text of spans."""
    return "".join(run.text for run in _runs(spans))


def _runs(spans: Iterable[Span]) -> Iterator[TextRun]:
    for span in spans:
        if isinstance(span, TextRun):
            yield span
        elif isinstance(span, Link):
            yield from _runs(span.spans)


def _lines(block: Block) -> Iterator[Spans]:
    match block:
        case Heading(spans=spans) | Paragraph(spans=spans):
            yield spans
        case TableBlock(head=head, rows=rows):
            yield from head
            for row in rows:
                yield from row
        case Figure(caption=caption, notes=notes):
            yield caption
            yield from (note.spans for note in notes)
        case Box(title=title):
            yield title


def _parts(block: Block) -> Iterator[Blocks]:
    match block:
        case BulletList(items=items) | NumberedList(items=items):
            yield from items
        case Box(blocks=blocks) | Columns(blocks=blocks) | BlockQuote(blocks=blocks):
            yield blocks
        case FigureRow(figures=figures):
            yield figures
        case Beside(figure=figure, blocks=blocks):
            yield figure, *blocks


Colours = Callable[[str], str | None]
"""What a colour's name stands for; None for what is no colour."""
BOXES = ("note", "example", "side", "columns", "beside", "sorted", "scene", "back")
# What is typed and what is only a mark, in the order written.
_PIECES = re.compile(rf"{OPEN}(?P<mark>[a-z]+):(?P<of>[^{CLOSE}]*){CLOSE}|:(?P<icon>[a-z][a-z0-9_-]*):")
# What the end of a line never parts: "7 × 7", "water +1", and "page" from its number.
_TIED = re.compile(r"(?<=\d) (?=×)|(?<=×) (?=\d)|(?<=\w) (?=[+\u2212]\d)")
# Where a link of a book may lead: to a heading, or to an address.
_LEADS = re.compile(r"#|[a-z][a-z0-9+.-]*:", re.IGNORECASE)
ICON_WIDTH, INLINE_WIDTH, THUMB_WIDTH = 8.0, 16.0, 21.0
QUOTES = {"de": "„“‚‘", "fr": ["«\u202f", "\u202f»", "‹\u202f", "\u202f›"], "es": "«»“”", "it": "«»“”", "pl": "„”‚’"}


@cache
def parser(language: str) -> MarkdownIt:
    """A Markdown parser for books in a language."""
    from markdown_it import MarkdownIt
    from mdit_py_plugins.container import container_plugin

    quotes = QUOTES.get(language, "“”‘’")
    made = MarkdownIt("commonmark", {"html": False, "typographer": True, "quotes": quotes})
    # What was escaped stays apart from what was typed plainly: it is meant to be printed.
    made.use(looks).enable(["table", "smartquotes", "strikethrough"]).disable("text_join")
    made.disable(["html_block", "html_inline"])
    for name in BOXES:
        made.use(container_plugin, name=name)
    return made


def smart(text: str, language: str) -> str:
    """A line with the quotation marks and apostrophes of its language."""
    (inline,) = parser(language.partition("-")[0]).parseInline(text)
    return "".join(token.content for token in inline.children or [])


def line_of(source: str, *snippets: str) -> int | None:
    """The first line of a text that contains one of these, tried in order."""
    for snippet in snippets:
        if snippet and snippet in source:
            return source.count("\n", 0, source.index(snippet)) + 1
    return None


class LineReader:
    """Reads the lines of one book; collects wishes, page references and faults."""

    def __init__(self, source: str, asked: Sequence[Asked], language: str, colour: Colours) -> None:
        self._source, self._asked, self._language, self._colour = source, asked, language, colour
        self.wishes: list[Wish] = []
        self.widths: dict[int, float] = {}
        self.headings: list[str] = []
        """Headings whose pages are named, and to which links lead, by their ids."""
        self.faults: list[Problem] = []

    def marked(self, text: str) -> Spans:
        """A line of Markdown that came as a function's argument."""
        if not text:
            return ()
        (inline,) = parser(self._language).parseInline(text)
        return self.spans(inline.children or [])

    def spans(self, tokens: Sequence[Token]) -> Spans:
        """The spans of a line."""
        spans: list[Span] = []
        bold = italic = strike = 0
        typed: list[str] = []
        marks: list[Look | None] = []
        links: list[tuple[str, list[Span]]] = []
        for token in tokens:
            target = links[-1][1] if links else spans
            if token.type in ("strong_open", "strong_close"):
                bold += token.nesting
            elif token.type in ("em_open", "em_close"):
                italic += token.nesting
            elif token.type in ("s_open", "s_close"):
                strike += token.nesting
            elif token.type == "look_open":
                marks.append(look_of(token.info, self._colour))
                if marks[-1] is None:
                    self._slip(unknown_look("…", token.info, ""))
                    _add(target, "[", TextRun("", bold > 0, italic > 0))
            elif token.type == "look_close":
                if marks.pop() is None:
                    _add(target, f"]{{{token.info}}}", TextRun("", bold > 0, italic > 0))
            elif token.type == "softbreak":
                _add(target, " ", TextRun(""))
                typed.append("\n")
            elif token.type == "hardbreak":
                target.append(LineBreak())
            elif token.type == "link_open":
                links.append((str(token.attrs["href"]), []))
                self.headings += [href[1:] for href, _ in links[-1:] if href.startswith("#")]
            elif token.type == "link_close":
                href, inner = links.pop()
                target = links[-1][1] if links else spans
                if _LEADS.match(href):
                    target.append(Link(href, tuple(inner)))
                else:
                    target.extend(inner)
                    hint = f"Write https://{href}." if href.startswith("www.") else ""
                    allowed = "https://…, mailto:… or the name of a heading, #how-to-win"
                    self._slip(Slip(f"[{plain(inner)}]({href})", "leads nowhere", allowed, hint))
            elif token.type == "image":
                picture, alt = self.image(token, INLINE_WIDTH)
                target.append(InlinePicture(picture, alt, "inline"))
            elif token.type == "code_inline":
                target.append(TextRun(token.content, code=True))
            elif token.content:
                known = [mark for mark in marks if mark is not None]
                fill = next((fill for fill, _ in reversed(known) if fill), "")
                style = TextRun("", bold > 0, italic > 0, False, fill, any(line for _, line in known), strike > 0)
                self._typed(token.content, target, style)
                # A backslash before a letter escapes nothing.
                whole = token.type == "text" or len(token.content) > 1
                typed.append(token.content if whole else ESCAPED)
        for slip in slips("".join(typed), books=True):
            self._slip(slip)
        return tuple(spans)

    def _slip(self, slip: Slip) -> None:
        """Reports what looks like markup and is printed as it stands."""
        line = line_of(self._source, slip.value, slip.value.split()[0], slip.what)
        message = f'"{slip.value}" {slip.what}'
        fault = Problem("unknown-markup", Place("", line), message, slip.value, slip.allowed, slip.hint, "warning")
        if fault not in self.faults:
            self.faults.append(fault)

    def image(self, token: Token, width: float) -> tuple[int, str]:
        """A drawing of ``art/``: its index among the wishes, and its alt text."""
        from urllib.parse import unquote

        name = unquote(str(token.attrs.get("src", "")))
        alt = "".join(" " if child.type == "softbreak" else child.content for child in token.children or [])
        if not alt:
            line = line_of(self._source, f"]({name}")
            hint = f"Write ![what one sees]({name})."
            self.fault("missing-alt", f'the picture "{name}" has no alt text', line, name, hint=hint)
        return self.wish(Wish("art", name.removeprefix("art/")), Width(mm=width)), alt

    def wish(self, wish: Wish, width: Width | None, across: bool = False) -> int:
        """Asks for a picture at a width, ``across`` both columns or one; returns its index. The widest asked is made."""
        if wish not in self.wishes:
            self.wishes.append(wish)
        index = self.wishes.index(wish)
        mm = 60.0 if width is None else width.mm or width.share * (WIDEST if across else COLUMN)
        self.widths[index] = max(self.widths.get(index, 0.0), mm)
        return index

    def _typed(self, text: str, target: list[Span], style: TextRun) -> None:
        last = 0
        for match in _PIECES.finditer(text):
            before = text[last : match.start()]
            _add(target, re.sub(r" $", "\u00a0", before) if match["mark"] == "page" else before, style)
            last = match.end()
            if match["icon"]:
                icon = self.wish(Wish("icon", match["icon"]), Width(mm=ICON_WIDTH))
                target.append(InlinePicture(icon, match["icon"].replace("-", " "), "icon"))
            elif match["mark"] == "page":
                self.headings.append(match["of"])
                target.append(PageNumber(match["of"]))
            elif isinstance(asked := self.asked_for(match["of"]), AskedFigure) and match["mark"] == "thumb":
                target.append(InlinePicture(self.wish(asked.wishes[0], Width(mm=THUMB_WIDTH)), "", "thumb"))
            elif asked is not None:
                target.extend(self._inline(asked))
        _add(target, text[last:], style)

    def asked_for(self, number: str) -> Asked | None:
        """The request behind a mark in the text; None for a mark that no function made."""
        return self._asked[int(number)] if number.isdecimal() and int(number) < len(self._asked) else None

    def _inline(self, asked: Asked) -> Iterator[InlinePicture]:
        """Pictures in a line or cell; reports a table, which cannot stand there."""
        if isinstance(asked, AskedTable):
            hint = "Leave an empty line before and after it."
            line = _within_text(self._source, asked.name)
            self.fault("table-in-text", "a table stands within a paragraph", line, asked.name, hint=hint)
            return
        for wish in asked.wishes:
            width = asked.width or Width(mm=INLINE_WIDTH)
            yield InlinePicture(self.wish(wish, width), asked.alt, width.mm or "inline")

    def fault(
        self, rule: str, message: str, line: int | None, value: str, known: Sequence[str] = (), hint: str = ""
    ) -> None:
        """Reports a fault; the hint is the known name that is nearest, unless there is another."""
        self.faults.append(Problem(rule, Place("", line), message, value, listed(known, 40), hint or closest(value, known)))


def _within_text(source: str, name: str) -> int | None:
    """The line of a table that does not stand alone between empty lines."""
    lines = ["", *source.split("\n"), ""]
    calls = [number for number, line in enumerate(lines) if re.search(rf"\b{name}\(", line)]
    crowded = (number for number in calls if lines[number - 1].strip() or lines[number + 1].strip())
    said = (number for number in calls if not re.fullmatch(r"\s*\{\{.*\}\}\s*", lines[number]))
    return next(iter([*said, *crowded, *calls]), None)


def _add(target: list[Span], text: str, style: TextRun) -> None:
    """Appends text, joined to the text before it of the same style."""
    for part, ruby in rubies(_TIED.sub("\u00a0", text)):
        last = target[-1] if target else None
        if isinstance(last, TextRun) and replace(last, text="") == replace(style, text="", ruby=ruby) and not ruby:
            target[-1] = replace(last, text=last.text + part)
        else:
            target.append(replace(style, text=part, ruby=ruby))
