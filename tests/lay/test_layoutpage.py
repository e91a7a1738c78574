"""Pages that are no sheets of pieces: layouts and posters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations

import pytest
from conftest import examples
from decks import NETS, faces, folded_deck, labels, lines
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pnp.lay.grid import split
from pnp.lay.marks import Said
from pnp.lay.picture import PLAN
from pnp.lay.reference_pages import joining_items, one_piece, poster_page, shown_page, shown_sheets, wrapped
from pnp.lay.sheet import Block, Joining, Laying, Run, ShownSheet
from pnp.read.boards import read_layout
from pnp.read.flat import domino_table
from pnp.read.languages import words_of
from pnp.read.presets import paper
from pnp.shapes.affine import Rect, around
from pnp.shapes.hexes import FLOWER, FLOWER_LATTICE, corners
from pnp.values.faces import Deck, Face, Label, Page, Piece, PlacedFace, Stroke
from pnp.values.game import Component, HexCell, HexTiles
from pnp.values.languages import ENGLISH
from pnp.values.problems import Place, Problems
from pnp.values.tables import Cell, Row, Table
from pnp.write.pdf import text_width

PLACE = Place("game.toml")
PAPERS = ["a4", "letter", "a3", "tabloid", "legal"]

Point = tuple[float, float]
Hex = tuple[int, int]


def table(name: str, columns: tuple[str, ...], *rows: tuple[object, ...]) -> Table:
    """A table typed here; its first column names its rows."""
    made = []
    for line, row in enumerate(rows, 2):
        said = dict(zip(columns, map(str, row), strict=True))
        cells = {column: Cell(text, text, Place(name, line, column)) for column, text in said.items()}
        made.append(Row(str(row[0]), 1, Place(name, line), cells, set()))
    return Table(name, name, columns, tuple(made), set())


def bones(width: float = 28.0, height: float = 56.0) -> Deck:
    """A double-six set."""
    rows = domino_table("bones", 6, PLACE)
    component = Component("bones", "Bones", "domino", rows, "bones", None, width, height, 3, "card", PLACE)
    return Deck(component, tuple(Piece("bones", row.id, Face(row.id, width, height, 3, ()), None, 1) for row in rows))


def tiles(shape: tuple[Hex, ...], backs: bool = True, copies: int = 12) -> Deck:
    """A blue tile and two red ones of this shape, of each so many copies; hexes 40 mm wide."""
    points = [point for cell in shape for point in corners(cell, 40)]
    left, top = min(x for x, _ in points), min(y for _, y in points)
    width, height = max(x for x, _ in points) - left, max(y for _, y in points) - top
    rows = table("tiles", ("id", "back"), ("bay", "blue"), ("reef", "red"), ("shoal", "red"))
    rows = replace(rows, rows=tuple(replace(row, copies=copies) for row in rows))
    hexes = HexTiles(40, {row.id: tuple(HexCell(q, r, row) for q, r in shape) for row in rows})
    component = Component(
        "tiles", "Tiles", "tile", rows, "tiles", "back" if backs else None, width, height, 3, "card", PLACE, hexes=hexes
    )

    def face(key: str) -> Face:
        ring = tuple((x - left, y - top) for x, y in corners(shape[0], 40))
        return Face(key, width, height, 3, (), ring)

    pieces = tuple(
        Piece("tiles", row.id, face(row.id), face(f"{row.text_of('back')}-back") if backs else None, copies) for row in rows
    )
    return Deck(component, pieces)


def picture(deck: Deck, slots: Table, sheet: str = "a4") -> Page:
    """The page of a sound layout."""
    problems = Problems()
    layout = read_layout("start", "Start", slots, deck.component, PLACE, problems)
    assert layout is not None, [str(problem) for problem in problems]
    return shown([Laying(deck, layout)], sheet)


def shown(blocks: Sequence[Block], sheet: str = "a4") -> Page:
    """The page of some blocks."""
    return shown_page(paper(sheet), ShownSheet(Run(()), tuple(blocks)), "Tiny 1.0", text_width, ENGLISH)


def hex_slots(*rows: tuple[int, int, int, str]) -> Table:
    return table("start", ("q", "r", "turn", "pool"), *rows)


def domino_slots(*rows: tuple[int, int, int, int, int]) -> Table:
    return table("start", ("a", "b", "x", "y", "turn"), *rows)


def box(placed: PlacedFace) -> Rect:
    return placed.matrix.bounds(Rect(0, 0, placed.face.width, placed.face.height))


def assert_on_the_page(page: Page) -> None:
    """Pictures keep a quarter inch from the paper's edge, strokes and words 4 mm."""
    for placed in faces(page):
        ink = placed.matrix.bounds(placed.clip)
        assert min(ink.x, ink.y, page.paper.width - ink.right, page.paper.height - ink.bottom) > 6.35 - 1e-6
    room = Rect(4, 4, page.paper.width - 8, page.paper.height - 8)
    points = [point for line in lines(page) for point in ((line.x1, line.y1), (line.x2, line.y2))]
    points += [(label.x, label.y) for label in labels(page)]
    ends = [label for label in labels(page) if label.anchor == "start" and not label.turn]
    points += [(label.x + text_width(label.text, label.size_pt), label.y) for label in ends]
    for x, y in points:
        assert room.x - 1e-6 <= x <= room.right + 1e-6 and room.y - 1e-6 <= y <= room.bottom + 1e-6


some_flowers = st.lists(
    st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.sampled_from([0, 60, 180]), st.sampled_from(["blue", "red"])),
    min_size=1,
    max_size=12,
    unique_by=lambda slot: slot[:2],
)


@settings(max_examples=examples(50), deadline=None)
@given(some_flowers, st.sampled_from(PAPERS))
def test_a_layout_is_as_large_as_its_page_allows(slots: list[tuple[int, int, int, str]], sheet: str) -> None:
    """All pieces are on the page, each once, at one scale, none is a piece to be counted."""
    (a, b), (c, d) = FLOWER_LATTICE
    rows = [(a * i + c * j, b * i + d * j, turn, pool) for i, j, turn, pool in slots]
    page = picture(tiles(FLOWER), hex_slots(*rows), sheet)
    scales = {round(math.sqrt(abs(placed.matrix.determinant)), 9) for placed in faces(page)}

    assert_on_the_page(page)
    assert len(faces(page)) == len(slots) and len(scales) == 1
    assert {placed.name for placed in faces(page)} == {PLAN}
    assert all(placed.shape for placed in faces(page))
    boxes = [box(placed) for placed in faces(page)]
    wide = max(each.right for each in boxes) - min(each.x for each in boxes)
    tall = max(each.bottom for each in boxes) - min(each.y for each in boxes)
    # 18 mm are free on both sides, 32 above for the title and 23 below.
    assert math.isclose(wide, page.paper.width - 36) or math.isclose(tall, page.paper.height - 55)


@pytest.mark.parametrize("shape", [FLOWER, ((0, 0),), ((0, 0), (1, 0), (2, 0)), ((0, 0), (1, 0), (1, 1))])
@pytest.mark.parametrize("turn", [0, 60, 120, 180, 300])
def test_tiles_lie_on_the_hexes_that_their_slots_cover(shape: tuple[Hex, ...], turn: int) -> None:
    """The tile's own hex 0, 0, its second hex and its last lie where the slot says, whatever the shape and turn."""
    deck = tiles(shape)
    slots = hex_slots((0, 0, 0, "blue"), (5, -2, turn, "blue"))
    problems = Problems()
    layout = read_layout("start", "Start", slots, deck.component, PLACE, problems)
    assert layout is not None
    page = shown([Laying(deck, layout)])
    first, second = faces(page)
    # Where hexes of the grid are on the page is read off the unturned tile, whose corners are the face's own.
    points = [point for cell in shape for point in corners(cell, 40)]
    left, top = min(x for x, _ in points), min(y for _, y in points)

    for own, covered in zip(shape, layout.slots[1].cells, strict=True):
        x, y = (sum(corner[axis] for corner in corners(own, 40)) / 6 for axis in (0, 1))
        u, v = (sum(corner[axis] for corner in corners(covered, 40)) / 6 for axis in (0, 1))
        assert math.dist(second.matrix.point(x - left, y - top), first.matrix.point(u - left, v - top)) < 1e-6


def test_a_pool_without_backs_shows_each_tile_as_often_as_it_is_there() -> None:
    """Tiles without a back have nothing to show but their fronts; a slot for which none is left stays empty."""
    slots = hex_slots(*((q, 0, 0, "red") for q in range(5)))

    def seen(copies: int, backs: bool = False) -> list[str]:
        return [placed.face.key for placed in faces(picture(tiles(((0, 0),), backs, copies), slots))]

    assert seen(copies=1) == ["reef", "shoal"]
    assert seen(copies=2) == ["reef", "reef", "shoal", "shoal"]
    assert seen(copies=1, backs=True) == ["red-back"] * 5


def test_a_tile_fixed_to_a_slot_is_not_in_its_pool_as_well() -> None:
    """Whichever row comes first."""
    slots = table("start", ("q", "r", "turn", "pool", "tile"), (0, 0, 0, "red", ""), (1, 0, 0, "red", "reef"))
    page = picture(tiles(((0, 0),), backs=False, copies=1), slots)
    assert [placed.face.key for placed in faces(page)] == ["shoal", "reef"]


@pytest.mark.parametrize("size", [(28.0, 56.0), (56.0, 28.0)])
@pytest.mark.parametrize(("turn", "step"), [(0, (1, 0)), (90, (0, 1)), (180, (-1, 0)), (270, (0, -1))])
def test_a_domino_lies_on_its_two_squares(size: tuple[float, float], turn: int, step: Point) -> None:
    """Its first half is on the slot's square and its second on the next one, whichever way its face is drawn."""
    page = picture(bones(*size), domino_slots((0, 0, 0, 0, 0), (1, 2, 4, 4, turn)))
    first, second = faces(page)
    upright = size[1] > size[0]
    halves = [(14.0, 14.0), (14.0, 42.0) if upright else (42.0, 14.0)]
    origin, right = (first.matrix.point(*half) for half in halves)
    side = math.dist(origin, right)

    assert right == pytest.approx((origin[0] + side, origin[1]))
    assert second.matrix.point(*halves[0]) == pytest.approx((origin[0] + 4 * side, origin[1] + 4 * side))
    assert second.matrix.point(*halves[1]) == pytest.approx(
        (origin[0] + (4 + step[0]) * side, origin[1] + (4 + step[1]) * side)
    )
    assert_on_the_page(page)


def board(width: float, height: float, bleed: float = 3.0) -> Piece:
    return Piece("sea", "sea", Face("sea", width, height, bleed, ()), None, 1)


boards = st.tuples(st.integers(3, 30), st.integers(3, 30), st.sampled_from([10.0, 16.5, 22.0]))


@settings(max_examples=examples(60), deadline=None)
@given(boards, st.sampled_from(PAPERS), st.sampled_from(["glue", "butt"]))
def test_poster_pages_keep_to_the_printable_part(shape: tuple[int, int, float], sheet: str, join: str) -> None:
    """Ink, marks, ruler and slug, even a long one, are on every page, which shows its own part of the board."""
    columns, rows, step = shape
    piece = board(columns * step, rows * step)
    poster = split(paper(sheet), columns * step, rows * step, step, 3, join)  # type: ignore[arg-type]
    said = [
        Said("A Game of Many Words 1.0", 2),
        Said("The Sea and all of its Islands A1"),
        Said("sheet 1 of 99"),
        Said("A2 to the right, B1 below", 1),
    ]
    slug = " · ".join(part.text for part in said)
    for tile in poster.tiles:
        page = poster_page(paper(sheet), piece, poster, tile, said, text_width)
        (placed,) = faces(page)

        assert_on_the_page(page)
        (words,) = [label for label in labels(page) if "sheet 1 of 99" in label.text]
        part = placed.matrix.bounds(tile.part)
        if part.width > 66:
            assert part.x <= words.x and words.x + text_width(words.text, words.size_pt) <= part.right
        if part.width > text_width(slug, 6.5) + 6:
            assert words.text == slug
        # The line of a narrow part is never smaller than can be read, and goes through no mark.
        assert words.size_pt >= 6.5 or (part.width < 66.1 and words.size_pt > 2.5)
        end = words.x + text_width(words.text, words.size_pt)
        for mark in lines(page):
            crossed = max(mark.y1, mark.y2) > words.y - 0.66 * words.size_pt / 72 * 25.4 and min(mark.y1, mark.y2) < words.y
            assert not (crossed and words.x < max(mark.x1, mark.x2) and min(mark.x1, mark.x2) < end)
        assert placed.name == f"sea/sea:{tile.label}" and placed.clip == tile.inked
        assert math.isclose(abs(placed.matrix.determinant), 1)


@settings(max_examples=examples(60), deadline=None)
@given(boards, st.sampled_from(PAPERS), st.integers(1, 4))
def test_how_to_join_shows_the_whole_and_every_label(shape: tuple[int, int, float], sheet: str, blocks: int) -> None:
    """The board, small and not to be counted; on it each page's label inside its part; the words beside it, not on it."""
    columns, rows, step = shape
    piece = board(columns * step, rows * step)
    poster = split(paper(sheet), columns * step, rows * step, step, 3, "glue")
    deck = tiles(((0, 0),))
    page = shown([Joining(((deck, piece, poster),))] * blocks, sheet)

    assert_on_the_page(page)
    assert len(faces(page)) == blocks
    middle = [label for label in labels(page) if label.anchor == "middle"]
    for at, placed in enumerate(faces(page)):
        own = middle[at * len(poster.tiles) : (at + 1) * len(poster.tiles)]
        assert placed.name == PLAN and placed.clip == Rect(0, 0, columns * step, rows * step)
        assert [label.text for label in own] == [tile.label for tile in poster.tiles]
        for tile, label in zip(poster.tiles, own, strict=True):
            part = placed.matrix.bounds(tile.part)
            assert part.x < label.x < part.right
            assert part.y < label.y - label.size_pt / 8 < part.bottom
            assert text_width(label.text, label.size_pt) < part.width * 1.05
        words = [label for label in labels(page) if "glue" in label.text or "pages" in label.text]
        assert all(label.x >= box(placed).right for label in words if box(placed).y <= label.y <= box(placed).bottom)


def test_no_word_is_alone_in_the_last_line_where_it_need_not_be() -> None:
    """With as many lines, none longer than the room; a sentence that has one anyway keeps it."""
    letters = partial(wrapped, size=8, text_width=lambda text, _: len(text))

    assert letters("Fold everything away from you.", 26) == ["Fold everything away", "from you."]
    assert letters("Score the folds. Cut out.", 40) == ["Score the folds. Cut out."]
    assert letters("Fold unfoldableeverything.", 22) == ["Fold", "unfoldableeverything."]
    assert letters("The strip of 10 mm beyond those stays.", 15) == ["The strip of", "10 mm beyond", "those stays."]
    assert letters("幅 10 mm の帯は残します。", 6) == ["幅", "10 mm", "の帯は残しま", "す。"]


def overlap(one: Rect, other: Rect) -> bool:
    return one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom


@settings(max_examples=examples(60), deadline=None)
@given(
    boards,
    st.sampled_from(PAPERS),
    st.integers(1, 4),
    st.integers(1, 4),
    st.sampled_from(["glue", "butt"]),
    st.sampled_from(["en", "de", "ar"]),
)
@example((30, 18, 22.0), "letter", 4, 1, "glue", "de")
def test_joining_is_told_in_numbered_steps_with_drawings(
    shape: tuple[int, int, float], sheet: str, blocks: int, most_alike: int, join: str, language: str
) -> None:
    """Three steps with glue, two with tape, once for several boards.

    In each are a drawing, a number and words, none on another, on a board or on the titles of several.
    """
    columns, rows, step = shape
    boards_alike = min(most_alike, 4 // blocks)
    poster = split(paper(sheet), columns * step, rows * step, step, 3, join)  # type: ignore[arg-type]
    words = words_of(language) if language != "en" else ENGLISH
    assert words is not None
    room = Rect(18, 40, paper(sheet).width - 36, (paper(sheet).height - 50) / blocks - 14)
    joining = Joining(((tiles(((0, 0),)), board(columns * step, rows * step), poster),) * boards_alike)
    items = joining_items(joining, room, text_width, words)
    wholes = [box(item) for item in items if isinstance(item, PlacedFace)]
    said = [item for item in items if isinstance(item, Label) and item.anchor != "middle"]
    drawn = [around(item.points) for item in items if isinstance(item, Stroke)]

    steps = [label for label in said if label.text.isdecimal()]
    assert [label.text for label in steps] == (["1", "2", "3"] if join == "glue" else ["1", "2"])
    tops = [label.y for label in steps]
    for label in said:
        width = text_width(label.text, label.size_pt)
        left = label.x - width if label.anchor == "end" else label.x
        here = Rect(left, label.y - label.size_pt / 72 * 25.4 * 0.7, width, label.size_pt / 72 * 25.4 * 0.7)
        assert room.y <= here.y and here.bottom <= room.bottom + 0.5
        assert not any(overlap(here, other) for other in [*wholes, *drawn])
    for top, bottom in zip(tops, [*tops[1:], room.bottom], strict=True):
        assert any(top - 20 < each.y + each.height / 2 < bottom for each in drawn)
    assert len(wholes) == boards_alike
    half = Rect(room.x + room.width / 2 * (language == "ar"), room.y, room.width / 2, room.height)
    assert boards_alike == 1 or not any(overlap(half, each) for each in drawn)
    assert not any(overlap(one, each) for one, each in combinations([*wholes, *drawn], 2) if one in wholes)


def test_blocks_share_pages_where_they_have_room() -> None:
    """A quarter of a page for a row of folding and for joining, half for a layout; the later goes where room is left."""
    decks = [folded_deck(name, NETS[name]) for name in ("d6", "d10", "pawn")]
    slots = domino_slots((0, 0, 0, 0, 0))
    dominoes = bones()
    problems = Problems()
    start = read_layout("start", "Start", slots, dominoes.component, PLACE, problems)
    assert start is not None
    sheets = shown_sheets(decks, [*decks, dominoes], (), [start, start], paper("a4"))

    shown = [[title for block in sheet.blocks for title in block.titles] for sheet in sheets]
    assert shown == [["D6", "D10", "Pawn"], ["Start", "Start"]]
    assert [sheet.note(ENGLISH) for sheet in sheets] == ["how to fold and glue", "how pieces lie at the start"]
    assert shown_sheets(decks, decks, (), [], paper("a6")) == []


@pytest.mark.parametrize(
    ("width", "height", "name"),
    [
        (200, 300, "a3"), (360, 270, "a3"), (271, 394, "a3"), (394, 271, "a3"), (272, 394, "a2"), (500, 700, "a1"),
        (800, 1100, "a0"), (1250, 900, "one-piece"),
    ],
)  # fmt: skip
def test_one_piece_is_on_the_smallest_paper_that_takes_it(width: float, height: float, name: str) -> None:
    """The board with its bleed and 10 mm for marks all around; what is too large for A0 has a sheet of its own size."""
    page = one_piece(board(width, height), "Tiny 1.0", "One piece")
    (placed,) = faces(page)

    assert page.paper.name == name
    assert_on_the_page(page)
    assert box(placed) == Rect((page.paper.width - width) / 2, (page.paper.height - height) / 2, width, height)
