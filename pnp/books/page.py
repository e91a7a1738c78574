"""Writes a book as one HTML page for phone and screen that needs no other file: pictures and fonts embedded."""

from __future__ import annotations

import base64
import io
import logging
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from pathlib import Path

from markupsafe import Markup, escape

from pnp.books.spans import runs_of, smart
from pnp.books.typeset import dots
from pnp.dataclass import dataclass
from pnp.sandbox import Environment
from pnp.system.cache import Cache, digest, remembered
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
    Shot,
    Span,
    Spans,
    TableBlock,
    Text,
    TextRun,
    ThematicBreak,
)
from pnp.values.game import Manual
from pnp.values.languages import dots_at, leftwards, shaping, unspaced
from pnp.values.problems import Fault

TEMPLATE = "book.html.j2"
# What CSS calls the places of dots for stress.
DOTS = {"above": "over", "below": "under"}
# Of text without a heading between, letters that every font of the page needs besides.
ALWAYS = "0123456789.,:;!?()/–—-+×•·‘’“” "


@dataclass(frozen=True, slots=True)
class Look:
    """What all pages of a game share: language, font files by role (title, body, bold), and where their templates are."""

    language: str
    fonts: Mapping[str, Path]
    pages: Path
    """The folder of pnp's own pages: what opens in a browser is not a game's to replace."""
    cache: Cache | None = None
    maker: str = ""
    numbers: Mapping[str, int] = field(default_factory=dict)
    """Of files with several fonts, which one."""


def book_page(
    manual: Manual,
    text: Text,
    shots: Mapping[int, Shot],
    cover: Shot | None,
    pages: Mapping[str, int],
    look: Look,
) -> bytes:
    """The page as UTF-8; ``pages``: the headings' pages in the booklet."""
    writer = _Writer(shots, pages)
    file = look.pages / TEMPLATE
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    letters = set(ALWAYS + manual.title + manual.subtitle + manual.foot + manual.contents)
    letters |= {letter for run in runs_of((*text.blocks, *text.back)) for letter in run.text + run.ruby}
    sections = [block for block in text.blocks if isinstance(block, Heading) and block.level == 2]
    made = environment.from_string(file.read_text(encoding="utf-8")).render(
        title=smart(manual.title, look.language),
        subtitle=smart(manual.subtitle, look.language),
        foot=smart(manual.foot, look.language),
        language=look.language,
        leftwards=leftwards(look.language),
        dots=DOTS[dots_at(shaping(look.language))] if unspaced(look.language) else "",
        accent=manual.accent,
        tint=manual.tint,
        cover=_uri(cover) if cover else "",
        contents=[{"id": section.id, "text": writer.spans(section.spans)} for section in sections],
        contents_title=manual.contents,
        body=writer.blocks(text.blocks),
        back=writer.blocks(text.back),
        fonts=fonts_of(look, letters),
    )
    return made.encode()


class BrokenFont(Fault):
    """A damaged font, of which Typst has set a book; its value is the name of the file."""


def fonts_of(look: Look, letters: Iterable[str]) -> dict[str, str]:
    """The fonts by role with these letters alone, as data URIs. Raises BrokenFont."""
    wanted = "".join(sorted(letters))
    made = {}
    for role, path in look.fonts.items():
        try:
            made[role] = _font(path.read_bytes(), wanted, look, look.numbers.get(role, 0))
        except MemoryError:
            raise  # the watchdog tells it
        except Exception as error:  # fontTools says so of a damaged font in whichever way
            hint = "Take the font's .ttf or .otf file again from its source."
            raise BrokenFont("the letters of a book cannot be taken out of this font", path.name, hint=hint) from error
    return made


def _uri(shot: Shot) -> str:
    kind = {"svg": "svg+xml", "jpg": "jpeg"}.get(shot.suffix, shot.suffix)
    return f"data:image/{kind};base64,{base64.b64encode(shot.screen or shot.data).decode()}"


def _screen(mm: float) -> str:
    """A width on a screen, in CSS: a millimetre is shown a little larger than on paper."""
    return f"{mm * 1.25:.0f}mm"


def _font(data: bytes, letters: str, look: Look, number: int) -> str:
    """A subset of a font with the page's letters, as a data URI."""
    key = digest("letters", look.maker, letters, str(number), data)
    picked = remembered(look.cache, key, lambda: _picked(data, letters, number))
    return f"data:font/woff;base64,{base64.b64encode(picked).decode()}"


def _picked(data: bytes, letters: str, number: int) -> bytes:
    from fontTools import subset

    # It tells of every table that it leaves out.
    logging.getLogger("fontTools.subset").setLevel(logging.ERROR)
    # Kerning would take longer to pick from than all the rest. Letters that hang together need their joined forms.
    joined = any(unicodedata.bidirectional(letter) == "AL" for letter in letters)
    unused = ["DSIG"] if joined else ["GPOS", "GSUB", "GDEF", "DSIG"]
    options = subset.Options(drop_tables=unused, notdef_outline=True, hinting=False, font_number=number)
    options.recalc_timestamp = False
    with subset.load_font(io.BytesIO(data), options) as font:
        picker = subset.Subsetter(options)
        picker.populate(text=letters)
        picker.subset(font)
        font.flavor = "woff"
        target = io.BytesIO()
        font.save(target, reorderTables=None)
    return target.getvalue()


class _Writer:
    def __init__(self, shots: Mapping[int, Shot], pages: Mapping[str, int]) -> None:
        self._shots, self._pages = shots, pages
        self._uris: dict[int, str] = {}
        # The page's title is the first level.
        self._level = 1

    def blocks(self, blocks: Iterable[Block]) -> Markup:
        return Markup("\n").join(self._block(block) for block in blocks)

    def _block(self, block: Block) -> Markup:
        match block:
            case Heading():
                # Those who hear the page go from heading to heading: no level is left out.
                self._level = min(block.level, self._level + 1)
                tag, name = Markup(f"h{self._level}"), f"h-{block.id}"
                return Markup('<{0} id="{1}">{2}</{0}>').format(tag, name, self.spans(block.spans))
            case Paragraph():
                return Markup("<p>{}</p>").format(self.spans(block.spans))
            case BulletList():
                return Markup("<ul>{}</ul>").format(self._items(block.items))
            case NumberedList():
                return Markup('<ol start="{}">{}</ol>').format(block.start, self._items(block.items))
            case TableBlock():
                return self._table(block)
            case Figure():
                return self._figure(block)
            case Box():
                title = Markup("<p class=name>{}</p>").format(self.spans(block.title)) if block.title else ""
                return Markup('<aside class="{}">{}{}</aside>').format(block.kind, title, self.blocks(block.blocks))
            case FigureRow():
                return Markup('<div class="row">{}</div>').format(self.blocks(block.figures))
            case Columns():
                return Markup('<div class="flow">{}</div>').format(self.blocks(block.blocks))
            case Beside():
                figure, rest = self._figure(block.figure), self.blocks(block.blocks)
                return Markup("<div class=beside>{}<div>{}</div></div>").format(figure, rest)
            case BlockQuote():
                return Markup("<blockquote>{}</blockquote>").format(self.blocks(block.blocks))
            case CodeBlock():
                return Markup("<pre>{}</pre>").format(block.text)
            case ThematicBreak():
                return Markup("<hr>")

    def _items(self, items: Iterable[Blocks]) -> Markup:
        return Markup("").join(Markup("<li>{}</li>").format(self._item(item)) for item in items)

    def _item(self, blocks: Blocks) -> Markup:
        """A list item; a single paragraph gets no space around it."""
        match blocks:
            case (Paragraph(spans=spans),):
                return self.spans(spans)
        return self.blocks(blocks)

    def _table(self, table: TableBlock) -> Markup:
        def row(cells: Sequence[Spans], heads: bool = False) -> Markup:
            made = (
                # A head without a word would be heard as the name of its column.
                Markup('<th scope=col class="{0}">{1}</th>' if heads and cell else '<td class="{0}">{1}</td>').format(
                    align, self.spans(cell)
                )
                for cell, align in zip(cells, table.align, strict=True)
            )
            return Markup("<tr>{}</tr>").format(Markup("").join(made))

        body = Markup("").join(map(row, table.rows))
        if not table.head:
            # Without a head it only looks like a table: it is read as text.
            return Markup("<div class=wide><table role=presentation><tbody>{}</tbody></table></div>").format(body)
        head = row(table.head, heads=True)
        return Markup("<div class=wide><table><thead>{}</thead><tbody>{}</tbody></table></div>").format(head, body)

    def _figure(self, figure: Figure) -> Markup:
        caption = Markup("<figcaption>{}</figcaption>").format(self.spans(figure.caption)) if figure.caption else Markup("")
        if figure.notes:
            return self._anatomy(figure, caption)
        count = len(figure.pictures)
        shown = Markup("").join(
            self._img(index, figure.alt if number == 0 else "", self._width(figure, index), count > 1)
            for number, index in enumerate(figure.pictures)
        )
        return Markup("<figure><div class=pictures>{}</div>{}</figure>").format(shown, caption)

    def _anatomy(self, figure: Figure, caption: Markup) -> Markup:
        (index,) = figure.pictures
        placed = Markup("").join(
            # The list below tells them again, with what they are.
            Markup('<b class="dot {}" style="top:{:.1f}%" aria-hidden=true>{}</b>').format(
                "right" if dot.side > 0 else "left", 100 * dot.y, number
            )
            for number, dot in enumerate(dots(figure.notes, self._shots[index]), 1)
        )
        told = Markup("").join(Markup("<li>{}</li>").format(self.spans(note.spans)) for note in figure.notes)
        picture = self._img(index, figure.alt, "100%")
        return Markup("<figure class=anatomy><div class=piece>{}{}</div><ol class=dots>{}</ol>{}</figure>").format(
            picture, placed, told, caption
        )

    def _width(self, figure: Figure, index: int) -> str:
        """The width of a picture; pictures in one row share theirs."""
        width = figure.width
        if width and width.share:
            return f"{100 * width.share / len(figure.pictures):.0f}%"
        return _screen(width.mm if width else min(self._shots[index].width, 60.0))

    def _img(self, index: int, alt: str, width: str, several: bool = False) -> Markup:
        """A picture; of several, at least two go side by side."""
        kind = " ".join(filter(None, ("card" if self._shots[index].card else "", "one-of" if several else "")))
        return Markup('<img class="{}" src="{}" alt="{}" style="width:{}">').format(kind, self._uri(index), alt, width)

    def _uri(self, index: int) -> str:
        if index not in self._uris:
            self._uris[index] = _uri(self._shots[index])
        return self._uris[index]

    def spans(self, spans: Iterable[Span]) -> Markup:
        return Markup("").join(self._span(span) for span in spans)

    def _span(self, span: Span) -> Markup:
        match span:
            case InlinePicture(picture=picture, alt=alt, size=size):
                if isinstance(size, str):
                    return Markup('<img class="{}" src="{}" alt="{}">').format(size, self._uri(picture), alt)
                return self._img(picture, alt, _screen(size))
            case LineBreak():
                return Markup("<br>")
            case PageNumber():
                return Markup('<a href="#h-{}">{}</a>').format(span.heading, self._pages.get(span.heading, "?"))
            case Link():
                href = f"#h-{span.href[1:]}" if span.href.startswith("#") else span.href
                return Markup('<a href="{}">{}</a>').format(href, self.spans(span.spans))
            case TextRun():
                made: Markup = escape(span.text)
                if span.ruby:
                    made = Markup("<ruby>{}<rt>{}</rt></ruby>").format(made, span.ruby)
                if span.fill:
                    made = Markup('<span style="color:{}">{}</span>').format(span.fill, made)
                tags = ((span.code, "code"), (span.bold, "strong"), (span.italic, "em"))
                for on, tag in (*tags, (span.underline, "u"), (span.strike, "s")):
                    if on:
                        made = Markup("<{0}>{1}</{0}>").format(Markup(tag), made)
                return made
