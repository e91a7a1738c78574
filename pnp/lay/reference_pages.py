"""Makes pages without pieces to cut: how pieces are folded, how boards are joined, how pieces lie at the start."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pnp.lay.grid import slug_margin
from pnp.lay.marks import SLUG_SIZE
from pnp.lay.picture import layout_items
from pnp.lay.poster import folded_alike, folding_items, joining_items
from pnp.lay.sheet import AnySheet, Block, Folding, Joining, Laying, PosterSheet, Run, ShownSheet, capital
from pnp.shapes.affine import Rect
from pnp.values.faces import Deck, Item, Label, Page
from pnp.values.game import Layout, Paper
from pnp.values.languages import Words

SIDE, TOP, FOOT = 18.0, 32.0, 18.0
# A block's title, and the room below it until its picture begins.
TITLE, BELOW = 7.0, 2.0
GAP = 5.0
HEAD_SIZE, TITLE_SIZE = 20.0, 13.0
# A title that is longer than its line in this size is shortened; a game's own face may be wider than that of the marks.
SMALL = 9.0
# The share of a page that a block takes at least; what is left goes to the pictures of boards and layouts.
SHARES: dict[type[Block], float] = {Folding: 1 / 4, Joining: 1 / 4, Laying: 1 / 2}

Heading = Callable[[str, Rect], Item]
"""A title as it is set in a box on the page, in mm."""


def shown_sheets(
    decks: Sequence[Deck], known: Sequence[Deck], made: Iterable[AnySheet], layouts: Sequence[Layout], paper: Paper
) -> list[ShownSheet]:
    """The pages for these decks, the boards among the sheets, and layouts; none on paper too small to read.

    ``known``: all decks, of which layouts are. Blocks keep their order, but one that still has room on an earlier page goes
    there.
    """
    if not paper.readable:
        return []
    by_name = {deck.component.name: deck for deck in known}
    blocks: list[Block] = [*folded_alike(decks)]
    boards = {sheet.piece.name: sheet for sheet in made if isinstance(sheet, PosterSheet) and len(sheet.poster.tiles) > 1}
    blocks += [Joining(by_name[each.piece.component], each.piece, each.poster) for each in boards.values()]
    blocks += [Laying(by_name[layout.component], layout) for layout in layouts]
    pages: list[list[Block]] = []
    free: list[float] = []
    # No earlier page has room for a block of this share: rooms never grow, so that none is looked at twice.
    first: dict[float, int] = {}
    for block in blocks:
        share = _share(block)
        at = first.get(share, 0)
        while at < len(pages) and free[at] < share:
            at += 1
        first[share] = at
        if at == len(pages):
            pages.append([])
            free.append(1.0)
        pages[at].append(block)
        free[at] -= share
    run = Run(tuple({deck.component.name: deck for block in blocks for deck in _decks(block)}.values()))
    return [ShownSheet(run, tuple(page)) for page in pages]


def _share(block: Block) -> float:
    return SHARES[type(block)]


def _decks(block: Block) -> tuple[Deck, ...]:
    return block.decks if isinstance(block, Folding) else (block.deck,)


def shown_page(
    paper: Paper,
    sheet: ShownSheet,
    slug: str,
    text_width: Callable[[str, float], float],
    words: Words,
    heading: Heading | None = None,
) -> Page:
    """The blocks below one another, each under its title. ``text_width``: (text, pt) → mm."""
    room = Rect(SIDE, TOP, paper.width - 2 * SIDE, paper.height - TOP - FOOT)
    alone = len(sheet.blocks) == 1 and isinstance(sheet.blocks[0], Laying)
    head = sheet.blocks[0].title if alone else capital(sheet.note(words))
    items = [_head(head, Rect(SIDE, 14, room.width, 11), HEAD_SIZE, text_width, words, heading)]
    top = room.y
    for block, height in zip(sheet.blocks, _heights(sheet.blocks, room.height), strict=True):
        if not alone:
            items.append(_head(block.title, Rect(SIDE, top, room.width, TITLE), TITLE_SIZE, text_width, words, heading))
        start = top if alone else top + TITLE + BELOW
        items += _items(block, Rect(room.x, start, room.width, top + height - GAP - start), text_width, words)
        top += height
    edge = slug_margin(paper)
    items.append(Label(edge + 4, paper.height - edge - 0.7, slug, SLUG_SIZE))
    return Page(paper, tuple(items), "front")


def _heights(blocks: Sequence[Block], height: float) -> list[float]:
    growing = [block for block in blocks if not isinstance(block, Folding)]
    spare = 1 - sum(map(_share, blocks))
    return [height * (_share(block) + (spare / len(growing) if block in growing else 0.0)) for block in blocks]


def _head(
    text: str, box: Rect, size: float, text_width: Callable[[str, float], float], words: Words, heading: Heading | None
) -> Item:
    if heading is not None:
        return heading(_fitting(text, box.width, text_width, words), box)
    return Label(box.x, box.bottom - 3, text, min(size, size * box.width / max(text_width(text, size), 1.0)))


def _fitting(text: str, width: float, text_width: Callable[[str, float], float], words: Words) -> str:
    names, left = text.split(", "), 0
    while text_width(text, SMALL) > width and len(names) > 1:
        names, left = names[:-1], left + 1
        text = words.many("{names} and {count} more", "{names} and {count} more", left, names=", ".join(names))
    while text_width(text, SMALL) > width:
        text = f"{text[: len(text) * 4 // 5].rstrip()}…"
    return text


def _items(block: Block, room: Rect, text_width: Callable[[str, float], float], words: Words) -> list[Item]:
    if isinstance(block, Folding):
        return folding_items(block, room, text_width, words)
    if isinstance(block, Joining):
        return joining_items(block.piece, block.poster, room, text_width, words)
    return layout_items(block.layout, block.deck, room)
