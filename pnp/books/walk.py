"""Ways through blocks: the figures among them, and all that is said, however deep it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
    Link,
    NumberedList,
    Paragraph,
    Span,
    Spans,
    TableBlock,
    TextRun,
)


def runs_of(blocks: Iterable[Block]) -> Iterator[TextRun]:
    """All that is said in blocks."""
    for block in blocks:
        if isinstance(block, CodeBlock):
            yield TextRun(block.text, code=True)
        for line in _lines(block):
            yield from _runs(line)
        for part in _parts(block):
            yield from runs_of(part)


def figures_of(blocks: Iterable[Block]) -> Iterator[Figure]:
    """The figures among blocks, also those within boxes and lists."""
    for block in blocks:
        if isinstance(block, Figure):
            yield block
        for part in _parts(block):
            yield from figures_of(part)


def plain(spans: Iterable[Span]) -> str:
    """The letters of spans."""
    return "".join(run.text for run in _runs(spans))


def _runs(spans: Iterable[Span]) -> Iterator[TextRun]:
    for span in spans:
        if isinstance(span, TextRun):
            yield span
        elif isinstance(span, Link):
            yield from _runs(span.spans)


def _lines(block: Block) -> Iterator[Spans]:
    """A block's own lines, without those of the blocks in it."""
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
    """The blocks within a block."""
    match block:
        case BulletList(items=items) | NumberedList(items=items):
            yield from items
        case Box(blocks=blocks) | Columns(blocks=blocks) | BlockQuote(blocks=blocks):
            yield blocks
        case FigureRow(figures=figures):
            yield figures
        case Beside(figure=figure, blocks=blocks):
            yield figure, *blocks
