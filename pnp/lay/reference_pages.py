"""Makes pages other than sheets: parts of a board, how boards are joined and pieces folded, how all lies at the start."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence

from pnp.lay.grid import OVERLAP, Join, Poster, Tile, band_margin, slug_margin
from pnp.lay.marks import DESCENT, MARK_LENGTH, RULER_LENGTH, SLUG_SIZE, Said, TextWidth, fitting_slug, ruler_level
from pnp.lay.picture import PLAN, layout_items, made_picture
from pnp.lay.sheet import AnySheet, Block, Folding, Joining, Laying, PosterSheet, Run, ShownSheet, capital
from pnp.shapes.affine import Affine, Rect, scaling, translation
from pnp.values.faces import Deck, Face, Item, Label, Line, Page, Piece, PlacedFace, Stroke
from pnp.values.game import Layout, Paper
from pnp.values.languages import JOINED, Words, held, leftwards

SIDE, TOP, FOOT = 18.0, 32.0, 18.0
# A block's title, and the room below it until its picture begins.
TITLE, BELOW = 7.0, 2.0
BLOCKS_APART = 5.0
HEAD_SIZE, TITLE_SIZE = 20.0, 13.0
# A title that is longer than its line in this size is shortened; a game's own face may be wider than that of the marks.
SMALL = 9.0
# The share of a page that a block takes at least; what is left goes to the pictures of boards and layouts.
SHARES: dict[type[Block], float] = {Folding: 1 / 4, Joining: 1 / 4, Laying: 1 / 2}
# So many boards share their steps, and take a quarter of a page each.
MOST_BOARDS = 4

# The share that steps of folding take at most, where nothing else is on the page.
MOST_FOLDING = 1 / 3

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
    blocks += joined_alike([(by_name[each.piece.component], each.piece, each.poster) for each in boards.values()])
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
    return SHARES[type(block)] * (len(block.boards) if isinstance(block, Joining) else 1)


def _decks(block: Block) -> tuple[Deck, ...]:
    match block:
        case Folding():
            return block.decks
        case Joining():
            return tuple(deck for deck, _, _ in block.boards)
        case Laying():
            return (block.deck,)


def shown_page(
    paper: Paper, sheet: ShownSheet, slug: str, text_width: TextWidth, words: Words, heading: Heading | None = None
) -> Page:
    """The blocks below one another, each under its title."""
    room = Rect(SIDE, TOP, paper.width - 2 * SIDE, paper.height - TOP - FOOT)
    alone = len(sheet.blocks) == 1 and isinstance(sheet.blocks[0], Laying)
    head = sheet.blocks[0].titles if alone else [capital(words(note)) for note in sheet.notes]
    items = [_head(head, Rect(SIDE, 14, room.width, 11), HEAD_SIZE, text_width, words, heading)]
    top = room.y
    for block, height in zip(sheet.blocks, _heights(sheet.blocks, room.height), strict=True):
        here = Rect(room.x, top, room.width, height - BLOCKS_APART)
        if isinstance(block, Joining):
            for title, box in zip(block.titles, _pictures_rooms(block, here, words), strict=True):
                titled = Rect(box.x, box.y, box.width, TITLE)
                items.append(_head([title], titled, TITLE_SIZE, text_width, words, heading))
        elif not alone:
            items.append(_head(block.titles, Rect(here.x, top, here.width, TITLE), TITLE_SIZE, text_width, words, heading))
        items += _items(block, here if alone or isinstance(block, Joining) else _below_title(here), text_width, words)
        top += height
    edge = slug_margin(paper)
    items.append(Label(edge + 4, paper.height - edge - DESCENT * SLUG_SIZE, slug, SLUG_SIZE))
    return Page(paper, tuple(items), "front")


def _below_title(room: Rect) -> Rect:
    return Rect(room.x, room.y + TITLE + BELOW, room.width, room.height - TITLE - BELOW)


def _heights(blocks: Sequence[Block], height: float) -> list[float]:
    growing = [block for block in blocks if not isinstance(block, Folding)]
    if not growing:
        return [height * min(1 / len(blocks), MOST_FOLDING)] * len(blocks)
    spare = 1 - sum(map(_share, blocks))
    return [height * (_share(block) + (spare / len(growing) if block in growing else 0.0)) for block in blocks]


def _head(
    names: Sequence[str], box: Rect, size: float, text_width: TextWidth, words: Words, heading: Heading | None
) -> Item:
    if heading is not None:
        return heading(_fitting(names, box.width, text_width, words), box)
    text = " · ".join(names)
    return Label(box.x, box.bottom - 3, text, min(size, size * box.width / max(text_width(text, size), 1.0)))


def _fitting(names: Sequence[str], width: float, text_width: TextWidth, words: Words) -> str:
    text = " · ".join(names)
    while text_width(text, SMALL) > width and len(names) > 1:
        names = names[:-1]
        text = words("{names} and more", names=" · ".join(names))
    while text_width(text, SMALL) > width:
        text = f"{text[: len(text) * 4 // 5].rstrip()}…"
    return text


def _items(block: Block, room: Rect, text_width: TextWidth, words: Words) -> list[Item]:
    if isinstance(block, Folding):
        return folding_items(block, room, text_width, words)
    if isinstance(block, Joining):
        return joining_items(block, room, text_width, words)
    return layout_items(block.layout, block.deck, room)


STEP_GAP = 6.0
STEP_TEXT_SIZE, NUMBER_SIZE = 8.5, 15.0
STEP_LINE = 3.7
# A sentence stands beside its number.
INDENT = 5.5
# From a picture to its sentence, and below that.
BELOW_STEP = 6.0
# Small pieces are pictured so many times as large as they are.
LARGEST_STEP = 1.6


def folded_alike(decks: Sequence[Deck]) -> list[Folding]:
    """The folded pieces of the decks, those with the same steps together.

    What is only folded, as a screen is, needs no steps: its lines and its picture in the print plan say all.
    """
    alike: dict[object, list[Deck]] = {}
    for deck in decks:
        net = deck.pieces[0].front.net if deck.pieces else None
        if net is not None and (net.glued or not net.creases):
            alike.setdefault((net.steps, len(net.panels)), []).append(deck)
    return [Folding(tuple(group)) for group in alike.values()]


def folding_items(folding: Folding, room: Rect, text_width: TextWidth, words: Words) -> list[Item]:
    """A row of numbered steps with a sentence below each; from the right where one reads so."""
    items: list[Item] = []
    deck = folding.decks[0]
    piece = deck.pieces[0]
    steps = piece.front.net.steps if piece.front.net else ()
    width = (room.width + STEP_GAP) / max(len(steps), 3) - STEP_GAP
    said = [wrapped(words(step.text), width - INDENT, STEP_TEXT_SIZE, text_width) for step in steps]
    high = room.height - STEP_LINE * max(map(len, said), default=0) - BELOW_STEP
    pictures = [made_picture(deck, piece, step) for step in steps]
    scales = [min(width / picture.width, high / picture.height, LARGEST_STEP) for picture in pictures]
    high = max((picture.height * scale for picture, scale in zip(pictures, scales, strict=True)), default=0.0)
    for number, (picture, scale, lines) in enumerate(zip(pictures, scales, said, strict=True), 1):
        across, below = (number - 1) * (width + STEP_GAP), room.y + high
        x = room.right - width - across if leftwards(words.language) else room.x + across
        left, top = x + (width - picture.width * scale) / 2, room.y + (high - picture.height * scale) / 2
        items += picture.at(translation(left, top) @ scaling(scale, scale))
        items.append(_beside(x, width, below + 5, str(number), NUMBER_SIZE, words))
        for index, line in enumerate(lines):
            y = below + 4 + index * STEP_LINE
            items.append(_beside(x + INDENT, width - 2 * INDENT, y, line, STEP_TEXT_SIZE, words))
    return items


def _beside(x: float, width: float, y: float, text: str, size: float, words: Words) -> Label:
    """A line that begins at the edge of its room at which one begins to read."""
    return Label(x + width, y, text, size, anchor="end") if leftwards(words.language) else Label(x, y, text, size)


# Between Chinese or Japanese letters a line may end, but not before what closes or lengthens, or after what opens.
_WORD = re.compile(
    r"([^\S\u00a0]*)([(（「『〈《【]*"
    r"(?:[\u2e80-\u30ff\u3400-\u9fff\uff00-\uffef]|(?:\u00a0|[^\s\u2e80-\u30ff\u3400-\u9fff\uff00-\uffef])+)"
    r"[、。，．・：；？！ー々）」』〉》】)…ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ]*)"
)


def wrapped(text: str, width: float, size: float, text_width: TextWidth) -> list[str]:
    """Breaks a sentence into lines of at most ``width`` mm in ``size`` pt.

    A number stays with its unit, and the last line has more than one word where that needs no more lines.
    """
    text = held(text)
    lines = _lines(text, width, size, text_width)
    narrower = (_lines(text, width * share / 20, size, text_width) for share in range(19, 11, -1))
    better = (made for made in narrower if len(made) == len(lines) and " " in made[-1])
    return lines if len(lines) < 2 or " " in lines[-1] else next(better, lines)


def _lines(text: str, width: float, size: float, text_width: TextWidth) -> list[str]:
    lines = [""]
    for space, word in _WORD.findall(text):
        longer = f"{lines[-1]}{' ' if space else ''}{word}".strip()
        if lines[-1] and text_width(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return [line.replace("\u00a0", " ").replace(JOINED, "") for line in lines]


GAP = 0.5
# What a label is set in at most, in points; between the picture of a board and the words beside it, in mm.
LARGEST_LABEL, GUTTER = 24.0, 8.0
# The first size in which the steps beside it have room, in points, and its lines in mm.
TEXT_SIZES, LINE = (10.5, 9.5, 8.5, 7.5, 6.5), 5.0
# A step's drawing is so wide in mm at least, and this share of the steps' room at most; and what stands between.
NARROWEST_STEP, WIDEST_STEP = 12.0, 0.34
DRAWING_APART, STEPS_APART = 4.0, 3.0
# Greys of a page, of its part of the board, and of a strip for glue or tape; rows and columns drawn at most.
PAGE_GREY, PART_GREY, GLUE_GREY = 1.0, 0.88, 0.6
MOST_DRAWN = 4
ARROW = 1.8
# A narrower part has a slug line as wide as the paper, where no mark comes near it.
LEAST_SLUG = 60.0
# Room around the ink of a board in one piece, for its marks: no more, so that 276 mm of ink still go on A3.
ONE_PIECE_MARGIN = 10.0
STANDARD = (("a3", 297.0, 420.0), ("a2", 420.0, 594.0), ("a1", 594.0, 841.0), ("a0", 841.0, 1189.0))


def poster_page(paper: Paper, piece: Piece, poster: Poster, tile: Tile, slug: Sequence[Said], text_width: TextWidth) -> Page:
    """One page of a board: its part, marks at cuts and seams, label, neighbours, ruler."""
    name = f"{piece.name}:{tile.label}"
    items: list[Item] = [PlacedFace(piece.front, name, "front", tile.matrix, tile.inked)]
    items += seam_marks(poster, tile)
    on_page = tile.matrix.bounds(tile.part)
    edge, start, room = slug_margin(paper), on_page.x + 3, max(on_page.width - 6, 6.0)
    if room < LEAST_SLUG and tile.matrix.bounds(tile.inked).bottom + GAP + MARK_LENGTH < paper.height - band_margin(paper):
        start, room = edge + 4, paper.width - 2 * (edge + 4)
    (line,), size = fitting_slug(slug, room, text_width)
    items.append(Label(start, paper.height - edge - DESCENT * size, line, size))
    if on_page.width - 6 >= RULER_LENGTH + 18:
        items += ruler_level(on_page.right - 3 - RULER_LENGTH, edge + DESCENT * SLUG_SIZE, 1)
    return Page(paper, tuple(items), "front")


def seam_marks(poster: Poster, tile: Tile) -> list[Line]:
    """The cut lines of this page (solid) and its neighbours' edges (dashed), outside the ink.

    Marks of neighbours stand at the same place of the board, so that they meet when the pages do.
    """
    part, inked = tile.part, tile.inked
    glued_right = poster.join == "glue" and tile.column < poster.columns - 1
    glued_below = poster.join == "glue" and tile.row < poster.rows - 1
    lines = []
    for x, dashed in ((part.x, False), (part.right, glued_right)):
        for start, out in ((inked.y, -1), (inked.bottom, 1)):
            lines.append(_mark(tile.matrix, x, start + out * GAP, x, start + out * GAP + out * MARK_LENGTH, dashed))
    for y, dashed in ((part.y, False), (part.bottom, glued_below)):
        for start, out in ((inked.x, -1), (inked.right, 1)):
            lines.append(_mark(tile.matrix, start + out * GAP, y, start + out * GAP + out * MARK_LENGTH, y, dashed))
    return lines


def _mark(matrix: Affine, x1: float, y1: float, x2: float, y2: float, dashed: bool) -> Line:
    return Line(*matrix.point(x1, y1), *matrix.point(x2, y2), dashes=(0.6, 0.5) if dashed else ())


def neighbours(poster: Poster, tile: Tile, words: Words) -> str:
    """The neighbouring pages in words, for the slug."""
    if len(poster.tiles) == 1:
        return words("one side")
    parts = []
    if tile.column < poster.columns - 1:
        parts.append(words("{page} to the right", page=_named(poster, tile.row, tile.column + 1)))
    if tile.row < poster.rows - 1:
        parts.append(words("{page} below", page=_named(poster, tile.row + 1, tile.column)))
    return words(", ").join(parts) or words("last page")


def _named(poster: Poster, row: int, column: int) -> str:
    return next(tile.label for tile in poster.tiles if (tile.row, tile.column) == (row, column))


def joined_alike(boards: Sequence[tuple[Deck, Piece, Poster]]) -> list[Joining]:
    """Groups boards by how their pages are joined, with glue or with tape; at most MOST_BOARDS a group."""
    alike: dict[str, list[tuple[Deck, Piece, Poster]]] = {}
    for board in boards:
        alike.setdefault(board[2].join, []).append(board)
    return [
        Joining(tuple(group[at : at + MOST_BOARDS])) for group in alike.values() for at in range(0, len(group), MOST_BOARDS)
    ]


def joining_items(joining: Joining, room: Rect, text_width: TextWidth, words: Words) -> list[Item]:
    """Small pictures of the boards with seams and labels; beside them the steps, numbered, each with a drawing."""
    items: list[Item] = []
    # Where there are several, a title may be as wide as the half with the pictures.
    beside = room.width if len(joining.boards) == 1 else room.width / 2 - GUTTER
    bottom = room.y
    for (_, piece, poster), whole in zip(joining.boards, _pictures_rooms(joining, room, words), strict=True):
        face, box = piece.front, _below_title(whole)
        scale = min(box.width / face.width, box.height / face.height, 1.0)
        wide = face.width * scale
        matrix = translation(box.right - wide if leftwards(words.language) else box.x, box.y) @ scaling(scale, scale)
        items += _seamed(face, poster, matrix)
        beside = min(beside, room.width - wide - GUTTER)
        bottom = box.y + face.height * scale
    left = room.x if leftwards(words.language) else room.right - beside
    steps = _below_title(Rect(left, room.y, beside, room.height))
    return items + _joining_steps([poster for _, _, poster in joining.boards], steps, bottom, text_width, words)


def _pictures_rooms(joining: Joining, room: Rect, words: Words) -> list[Rect]:
    """Where the pictures of boards are with their titles: below one another in the half where one begins to read."""
    count, wide = len(joining.boards), room.width / 2
    high = (room.height + BLOCKS_APART) / count
    left = room.right - wide if leftwards(words.language) else room.x
    return [Rect(left, room.y + at * high, wide, high - BLOCKS_APART) for at in range(count)]


def _seamed(face: Face, poster: Poster, matrix: Affine) -> list[Item]:
    """A board with its seams, and the labels of its parts."""
    scale = matrix.bounds(Rect(0, 0, 1, 1)).width
    items: list[Item] = [PlacedFace(face, PLAN, "front", matrix, face.trim)]
    for tile in poster.tiles:
        part = tile.part
        if tile.column:
            items.append(Line(*matrix.point(part.x, part.y), *matrix.point(part.x, part.bottom), 0.5, (2.0, 1.2), halo=True))
        if tile.row:
            items.append(Line(*matrix.point(part.x, part.y), *matrix.point(part.right, part.y), 0.5, (2.0, 1.2), halo=True))
        size = min(LARGEST_LABEL, 1.2 * part.width * scale, 1.4 * part.height * scale)
        x, y = matrix.point(part.x + part.width / 2, part.y + part.height / 2)
        items.append(Label(x, y + size / 8, tile.label, size, anchor="middle", halo=True))
    return items


def _joining_steps(posters: Sequence[Poster], room: Rect, bottom: float, text_width: TextWidth, words: Words) -> list[Item]:
    join, columns, rows = posters[0].join, max(each.columns for each in posters), max(each.rows for each in posters)
    said = _instructions(join, columns, rows, words)
    drawn = max(NARROWEST_STEP, min(WIDEST_STEP * room.width, room.height / len(said) - STEPS_APART))
    width = room.width - drawn - DRAWING_APART - INDENT
    for size in TEXT_SIZES:
        lines = [wrapped(sentence, width, size, text_width) for sentence in said]
        pitch = LINE * size / TEXT_SIZES[0]
        if sum(len(each) * pitch + STEPS_APART for each in lines) <= room.height:
            break
    spare = max(0.0, room.height - sum(len(each) * pitch + STEPS_APART for each in lines)) / len(said)
    heights = [len(own) * pitch + min(spare, max(0.0, drawn - len(own) * pitch)) for own in lines]
    # They are spread as far down as the pictures beside them, but not farther apart than half the height of their drawings.
    apart = max(STEPS_APART, min(drawn / 2, (bottom - room.y - sum(heights)) / len(said)))
    items: list[Item] = []
    top, mirrored = room.y, leftwards(words.language)
    for number, (own, high, drawing) in enumerate(
        zip(lines, heights, _joining_drawings(join, columns, rows), strict=True), 1
    ):
        side = min(drawn, high)
        x = room.right - drawn if mirrored else room.x
        items += drawing(Rect(x + (drawn - side) / 2, top + (high - side) / 2, side, side))
        start = room.x if mirrored else room.x + drawn + DRAWING_APART
        first = top + (high - len(own) * pitch) / 2 + 0.75 * pitch
        items.append(_beside(start, width + INDENT, first + 0.8, str(number), NUMBER_SIZE, words))
        inner = start if mirrored else start + INDENT
        items += [_beside(inner, width, first + at * pitch, line, size, words) for at, line in enumerate(own)]
        top += high + apart
    return items


def _joining_drawings(join: Join, columns: int, rows: int) -> Sequence[Callable[[Rect], list[Item]]]:
    """For each of the steps what draws it in a square."""
    glued = join == "glue"
    columns, rows = min(columns, MOST_DRAWN), min(rows, MOST_DRAWN)

    def cut(box: Rect) -> list[Item]:
        """A page with its part of the board, cut on three sides or on all four; the strip for the glue stays."""
        x, right, y, bottom = (box.x + 0.18 * box.width, box.right - 0.28 * box.width, *_inner(box, 0.18))
        made: list[Item] = [_sheet(box, PAGE_GREY), _sheet(Rect(x, y, right - x, bottom - y), PART_GREY)]
        ends = [(x, box.y, x, box.bottom), (box.x, y, box.right, y), (box.x, bottom, box.right, bottom)]
        if glued:
            made.append(_sheet(Rect(right, y, 0.14 * box.width, bottom - y), GLUE_GREY))
        made += [Line(*end, 0.5) for end in (ends if glued else [*ends, (right, box.y, right, box.bottom)])]
        return [*made, Line(right, box.y, right, box.bottom, 0.5, (1.0, 0.8))] if glued else made

    def lay(box: Rect) -> list[Item]:
        """The next page comes onto the strip, or beside the first, with tape over the seam."""
        (y, bottom), half, strip = _inner(box, 0.2), 0.4 * box.width, 0.14 * box.width
        made: list[Item] = [_sheet(Rect(box.x, y, half, bottom - y), PART_GREY)]
        if glued:
            made.append(_sheet(Rect(box.x + half, y, strip, bottom - y), GLUE_GREY))
            made.append(_sheet(Rect(box.right - half, y - 0.12 * box.height, half, bottom - y), PART_GREY))
            return made + _arrow(box.right - half / 2, bottom + 0.1 * box.height, box.x + half, bottom + 0.1 * box.height)
        made.append(_sheet(Rect(box.x + half, y, half, bottom - y), PART_GREY))
        tapes = (y + share * (bottom - y) for share in (0.1, 0.42, 0.74))
        return made + [_sheet(Rect(box.x + half - strip, top, 2 * strip, strip), GLUE_GREY) for top in tapes]

    def order(box: Rect) -> list[Item]:
        """The pages in their places, with arrows along each row and down."""
        wide, high = box.width / columns, box.height / max(rows, columns)
        top = box.y + (box.height - rows * high) / 2
        made: list[Item] = [
            _sheet(Rect(box.x + column * wide, top + row * high, 0.92 * wide, 0.92 * high), PART_GREY)
            for row in range(rows)
            for column in range(columns)
        ]
        if columns > 1:
            for row in range(rows):
                made += _arrow(
                    box.x + 0.25 * wide, top + (row + 0.46) * high, box.right - 0.5 * wide, top + (row + 0.46) * high
                )
        if rows > 1:
            x = box.x + (columns - 0.28) * wide
            made += _arrow(x, top + 0.4 * high, x, top + (rows - 0.4) * high)
        return made

    return (cut, lay, order) if glued else (cut, lay)


def _inner(box: Rect, rim: float) -> tuple[float, float]:
    return box.y + rim * box.height, box.bottom - rim * box.height


def _sheet(box: Rect, grey: float) -> Stroke:
    corners = ((box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom))
    return Stroke(corners, 0.15, fill=grey)


def _arrow(x1: float, y1: float, x2: float, y2: float) -> list[Item]:
    """A level or an upright one."""
    long = math.hypot(x2 - x1, y2 - y1)
    dx, dy = ARROW * (x2 - x1) / long, ARROW * (y2 - y1) / long
    head = ((x2, y2), (x2 - dx - 0.5 * dy, y2 - dy + 0.5 * dx), (x2 - dx + 0.5 * dy, y2 - dy - 0.5 * dx))
    return [Line(x1, y1, x2 - dx, y2 - dy, 0.5), Stroke(head, 0.0, fill=0.0)]


def _instructions(join: Join, columns: int, rows: int, words: Words) -> Sequence[str]:
    if join == "butt":
        return (
            words("Cut each page on all four sides at its marks."),
            words("Lay the pages edge to edge and tape them from behind, or mount each on board to fold the whole away."),
        )
    if rows == 1:
        order = words(
            "Join the pages from left to right. Mount the whole on grey board. Mounted on two halves, a little apart, it "
            "will fold."
        )
    elif columns == 1:
        order = words(
            "Join the pages from top to bottom. Mount the whole on grey board. Mounted on two halves, a little apart, it "
            "will fold."
        )
    else:
        order = words(
            "Join each row from left to right, then the rows from top to bottom. Mount the whole on grey board. Mounted "
            "on two halves, a little apart, it will fold."
        )
    return (
        words("Cut each page at its plain marks, not at dashed ones."),
        words(
            "Leave the {width} mm strip beyond the dashed marks. Spread glue on it, and lay the next page at the marks.",
            width=words.shown(OVERLAP),
        ),
        order,
    )


def one_piece(piece: Piece, slug: str, bookmark: str) -> Page:
    """The board uncut on the smallest standard paper that takes it, else on a page of its own size."""
    face = piece.front
    width, height = (size + 2 * (face.bleed + ONE_PIECE_MARGIN) for size in (face.width, face.height))
    lying = width > height
    sheets = [Paper(name, *((long, short) if lying else (short, long))) for name, short, long in STANDARD]
    fitting = [paper for paper in sheets if width <= paper.width and height <= paper.height]
    paper = fitting[0] if fitting else Paper("one-piece", width, height)
    x, y = (paper.width - face.width) / 2, (paper.height - face.height) / 2
    area = face.trim.grown(*4 * [face.bleed])
    matrix = translation(x, y)
    name = piece.name
    items: list[Item] = [PlacedFace(face, name, "front", matrix, area)]
    items += _corner_marks(face, matrix)
    items.append(Label(x + 3, y + face.height + face.bleed + 5.5, slug, SLUG_SIZE))
    return Page(paper, tuple(items), "front", bookmark)


def _corner_marks(face: Face, matrix: Affine) -> list[Line]:
    off, end = face.bleed + GAP, face.bleed + GAP + MARK_LENGTH
    lines = []
    for x in (0.0, face.width):
        lines += [_mark(matrix, x, -off, x, -end, False), _mark(matrix, x, face.height + off, x, face.height + end, False)]
    for y in (0.0, face.height):
        lines += [_mark(matrix, -off, y, -end, y, False), _mark(matrix, face.width + off, y, face.width + end, y, False)]
    return lines
