"""Blocks and pictures → the pages of a book: tagged PDF/UA-1, set by Typst from data."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from pnp.books.functions import WIDEST
from pnp.books.leaders import dots
from pnp.books.room import halves, length, widths
from pnp.system.cache import Cache, apart, digest, remembered, together
from pnp.values.blocks import (
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
    ThematicBreak,
)
from pnp.values.books import SetBook, Shot, Text
from pnp.values.game import Manual, Paper

if TYPE_CHECKING:
    import typst

Json: TypeAlias = "str | float | bool | Sequence[Json] | Mapping[str, Json] | None"

# Of a page's height at most so much is one picture; of a large page less.
TALLEST, TALLEST_WIDE = 0.62, 0.46
# Letters from which on a box may be parted by the end of a page.
LONG_BOX = 1700
# Tables of no more rows stay on one page.
FEW, FEW_PICTURED = 14, 8
# From so wide on a page has two columns of text.
TWO_COLUMNS = 180.0
# The width of A5, for which sizes are chosen, and the rims of a back cover's panel, in mm.
SMALL_PAGE, BACK_RIMS = 148.0, 28.0
# Between two columns of text, in mm.
GUTTER = 8.0


@dataclass(frozen=True, slots=True)
class HouseStyle:
    """What all books of a game share: fonts by role, in the order they are tried, the language, and credits.

    ``cache`` keeps what was set; ``makers`` is then a digest of the fonts and whatever else sets books.
    """

    engine: typst.Fonts
    fonts: Mapping[str, Sequence[str]]
    """With them stands, under "symbols", the font of ``symbols``."""
    language: str
    author: str
    foot_line: str
    cache: Cache | None = None
    makers: str = ""
    symbols: str = ""
    """Those letters of the book that none of its fonts has."""


class Unset(Exception):
    """The typesetter refused a book; the text says why."""


def typeset(
    manual: Manual, text: Text, shots: Mapping[int, Shot], cover: Shot | None, paper: Paper, style: HouseStyle
) -> SetBook:
    """The book on pages of this size. Raises Unset."""
    data = json.dumps(_data(manual, text, shots, cover, paper, style), ensure_ascii=False)
    files = {f"{index}.{shot.suffix}": shot.data for index, shot in shots.items()}
    if cover is not None:
        files[f"cover.{cover.suffix}"] = cover.data
    key = digest("book", style.makers, data, *(part for name in sorted(files) for part in (name, files[name])))
    about, pdf = apart(remembered(style.cache, key, lambda: _set(data, files, style.engine)))
    pages, headings, warnings = json.loads(about)
    return SetBook(pdf, pages, headings, tuple(warnings))


def _set(data: str, files: Mapping[str, bytes], engine: typst.Fonts) -> bytes:
    """What is known of the set book, and its PDF. Raises Unset."""
    import typst

    with tempfile.TemporaryDirectory(prefix="pnp-book-") as name:
        folder = Path(name)
        for file, content in files.items():
            (folder / file).write_bytes(content)
        (folder / "manual.json").write_text(data, encoding="utf-8")
        with resources.as_file(resources.files(__package__).joinpath("manual.typ")) as program:
            shutil.copyfile(program, folder / "manual.typ")
        try:
            compiler = typst.Compiler(
                str(folder / "manual.typ"), root=str(folder), font_paths=engine, ignore_system_fonts=True
            )
            pdf, warnings = compiler.compile_with_warnings(format="pdf", timestamp=0, pdf_standards=["ua-1"])
            (made,) = json.loads(compiler.query("<made>", field="value"))
        except (KeyboardInterrupt, SystemExit, MemoryError):
            raise
        except BaseException as error:
            # A Rust panic arrives as a BaseException of the binding's own.
            message = str(getattr(error, "message", "") or error) or type(error).__name__
            raise Unset(message.splitlines()[0]) from None
    assert isinstance(pdf, bytes)
    said = [str(warning.message) for warning in warnings]
    return together(json.dumps([made["pages"], dict(made["headings"]), said]).encode(), pdf)


def _data(
    manual: Manual, text: Text, shots: Mapping[int, Shot], cover: Shot | None, paper: Paper, style: HouseStyle
) -> Json:
    two = paper.width >= TWO_COLUMNS and manual.form == "book"
    margins = {"inside": 17.0, "outside": 17.0 if two else 13.0, "top": 18.0, "bottom": 16.0}
    column = paper.width - margins["inside"] - margins["outside"]
    column = (column - GUTTER) / 2 if two else column
    writer = _Writer(shots, text, style.symbols)
    blocks, back = writer.blocks(text.blocks, column), writer.blocks(text.back, SMALL_PAGE - BACK_RIMS)
    size = 9.6 if manual.form == "book" else 9.0
    return {
        "form": manual.form,
        "title": manual.title,
        "subtitle": manual.subtitle,
        "foot": manual.foot,
        "foot-line": style.foot_line,
        "author": style.author,
        "keywords": [manual.subtitle] if manual.subtitle else [],
        "lang": style.language.partition("-")[0],
        "fonts": {role: list(style.fonts[role]) for role in ("title", "body", "symbols")},
        "colours": {
            "accent": manual.accent,
            "tint": manual.tint,
            "cover_ink": manual.cover_ink,
            "foot_ink": manual.foot_ink,
        },
        "page": {"width": paper.width, "height": paper.height},
        "columns": 2 if two else 1,
        "gutter": GUTTER,
        "column": round(column, 2),
        "margins": margins,
        "size": size,
        "tallest": round((TALLEST_WIDE if two else TALLEST) * (paper.height - margins["top"] - margins["bottom"]), 2),
        "contents": manual.contents,
        "cover": {"file": f"cover.{cover.suffix}", "alt": manual.title, "ratio": round(cover.width / cover.height, 5)}
        if cover
        else None,
        "shots": {
            str(index): {
                "file": f"{index}.{shot.suffix}",
                "ratio": round(shot.width / shot.height, 5),
                "mm": round(min(shot.width, WIDEST), 3),
                "card": shot.card,
            }
            for index, shot in shots.items()
        },
        "blocks": blocks,
        # The back cover is one page whatever its size: on a large one its text is larger.
        "back-size": round(size * paper.width / SMALL_PAGE, 2),
        "back": back,
    }


class _Writer:
    """Writes blocks and spans as ``manual.typ`` reads them, with what pictures and the page decide."""

    def __init__(self, shots: Mapping[int, Shot], text: Text, symbols: str) -> None:
        self._shots = shots
        self._symbols = re.compile(f"([{re.escape(symbols)}]+)") if symbols else None
        self._first = next((block.level for block in text.blocks if isinstance(block, Heading)), 1)
        self._last = 0

    def blocks(self, blocks: Iterable[Block], column: float) -> list[Json]:
        return [self._block(block, column) for block in blocks]

    def _block(self, block: Block, column: float) -> Json:
        match block:
            case Heading():
                level = self._level(block)
                return {"kind": "heading", "level": level, "id": block.id, "spans": self._spans(block.spans)}
            case Paragraph():
                return {"kind": "paragraph", "spans": self._spans(block.spans)}
            case BulletList():
                return {"kind": "bullets", "items": self._items(block.items, column)}
            case NumberedList():
                return {"kind": "numbers", "start": block.start, "items": self._items(block.items, column)}
            case TableBlock():
                return self._table(block, column)
            case Figure():
                return self._figure(block)
            case Box():
                title, inner = self._spans(block.title), self.blocks(block.blocks, column)
                return {"kind": block.kind, "title": title, "whole": length([block]) < LONG_BOX, "blocks": inner}
            case FigureRow():
                return {"kind": "columns", "row": True, "blocks": self.blocks(block.figures, column)}
            case Columns():
                parted = [self.blocks(half, column / 2) for half in halves(block.blocks)]
                return {"kind": "columns", "row": False, "halves": parted}
            case Beside():
                return {"kind": "beside", "blocks": self.blocks((block.figure, *block.blocks), column)}
            case BlockQuote():
                return {"kind": "quote", "blocks": self.blocks(block.blocks, column)}
            case CodeBlock():
                return {"kind": "code", "text": block.text}
            case ThematicBreak():
                return {"kind": "rule"}

    def _level(self, heading: Heading) -> int:
        """As readers of tagged files want it: the first heading is at the first level, and no level is left out."""
        self._last = max(1, min(heading.level - self._first + 1, self._last + 1))
        return self._last

    def _items(self, items: Iterable[Blocks], column: float) -> list[Json]:
        return [self.blocks(item, column) for item in items]

    def _table(self, table: TableBlock, column: float) -> Json:
        pictured = any(isinstance(span, InlinePicture) for row in table.rows for cell in row for span in cell)
        return {
            "kind": "table",
            "head": [self._spans(cell) for cell in table.head],
            "rows": [[self._spans(cell) for cell in row] for row in table.rows],
            "align": table.align,
            "widths": widths(table.most, column),
            "wide": table.wide,
            "long": len(table.rows) > (FEW_PICTURED if pictured else FEW),
        }

    def _figure(self, figure: Figure) -> Json:
        numbers = dots(figure.notes, self._shots[figure.pictures[0]]) if figure.notes else []
        return {
            "kind": "figure",
            "pictures": figure.pictures,
            "width": asdict(figure.width) if figure.width else None,
            "caption": self._spans(figure.caption),
            "alt": figure.alt,
            "notes": [self._spans(note.spans) for note in figure.notes],
            "dots": [asdict(dot) for dot in numbers],
            "float": figure.float,
        }

    def _spans(self, spans: Spans) -> list[Json]:
        return [self._span(span) for span in spans]

    def _lettered(self, run: TextRun) -> Json:
        """Its letters in parts, of which every second one is symbols: their font has no italic."""
        return list(self._symbols.split(run.text)) if self._symbols else [run.text]

    def _span(self, span: Span) -> Json:
        match span:
            case TextRun():
                styles: dict[str, Json] = {"bold": span.bold, "italic": span.italic, "code": span.code}
                styles |= {"fill": span.fill, "underline": span.underline, "strike": span.strike}
                return {"text": self._lettered(span), **styles}
            case LineBreak():
                return {"break": True}
            case PageNumber():
                return {"page": span.heading}
            case Link():
                return {"link": span.href, "spans": self._spans(span.spans)}
            case InlinePicture():
                size = "size" if isinstance(span.size, str) else "mm"
                return {"picture": span.picture, "alt": span.alt, size: span.size}
