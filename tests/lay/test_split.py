"""Posters: parts cover the piece once, seams lie on grid lines, pages are as few as can be."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from itertools import combinations, pairwise, product

import pytest
from conftest import ROOT, examples
from decks import apart, inside, within
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp.flows.pipeline import Pipeline
from pnp.lay.grid import CUT_BLEED, OVERLAP, Join, parted, seams, split
from pnp.read.presets import paper
from pnp.read.project import Project
from pnp.shapes.affine import Rect
from pnp.values.game import MARGIN
from pnp.values.outcome import NOWHERE, Options

papers = st.sampled_from(["a4", "letter", "a3", "legal"])
joins = st.sampled_from(["glue", "butt"])


@settings(max_examples=examples(80), deadline=None)
@given(
    papers,
    joins,
    st.integers(1, 40),
    st.integers(1, 40),
    st.sampled_from([10.0, 16.5, 22.0, 35.0]),
    st.sampled_from([0.0, 3.0]),
)
def test_parts_cover_the_board_once_on_grid_lines(
    name: str, join: Join, columns: int, rows: int, step: float, bleed: float
) -> None:
    """Areas add up, no two parts overlap, every seam is a whole number of cells from the edge."""
    poster = split(paper(name), columns * step, rows * step, step, bleed, join)
    parts = [tile.part for tile in poster.tiles]

    assert math.isclose(sum(part.width * part.height for part in parts), columns * rows * step**2)
    assert all(apart(one, other) >= -1e-6 for one, other in combinations(parts, 2))
    assert all(
        abs(edge / step - round(edge / step)) < 1e-6 for part in parts for edge in (part.x, part.y, part.right, part.bottom)
    )


@settings(max_examples=examples(80), deadline=None)
@given(papers, joins, st.floats(50, 900), st.floats(50, 900), st.sampled_from([MARGIN, MARGIN, 4.0, 10.0, 20.0]))
def test_ink_stays_on_the_page_at_its_own_size(name: str, join: Join, width: float, height: float, margin: float) -> None:
    """What a page prints lies inside its margins, unscaled; neighbours share the overlap, cuts have their bleed."""
    sheet = replace(paper(name), margin=margin)
    # With the room of the slug line on every side.
    edge = 8.5 if margin == MARGIN else margin
    poster = split(sheet, width, height, 0, 3, join)
    for tile in poster.tiles:
        shown = tile.matrix.bounds(tile.inked)
        sides = sorted((shown.width, shown.height))

        assert inside(shown, within(sheet, edge))
        assert sides == pytest.approx(sorted((tile.inked.width, tile.inked.height)))
        beyond = tile.inked.right - tile.part.right
        last = tile.column == poster.columns - 1
        assert beyond == pytest.approx(3 if last else OVERLAP if join == "glue" else CUT_BLEED)


@pytest.mark.parametrize(("columns", "rows", "cell"), [(20, 30, 16.5), (16, 22, 22.0)])
def test_both_prowl_boards_take_four_pages(columns: int, rows: int, cell: float) -> None:
    """As their designer prints them: 20 × 30 and 16 × 22 squares over four pages."""
    poster = split(paper("letter"), columns * cell, rows * cell, cell, 3, "glue")

    assert [tile.label for tile in poster.tiles] == ["A1", "A2", "B1", "B2"]


@settings(max_examples=examples(60), deadline=None)
@given(
    st.integers(2, 12),
    st.sampled_from([30.0, 60.0, 85.0]),
    joins,
    st.lists(st.tuples(st.floats(0, 300), st.floats(0, 300), st.integers(1, 9)), max_size=6),
)
def test_seams_part_as_little_as_can_be(units: int, room: float, join: Join, whole: list[tuple[float, float, int]]) -> None:
    """Of all ways to cut a board into so few pages ours costs the least, by what it parts and how uneven it is."""
    step, bleed = 16.5, 3.0
    after = OVERLAP if join == "glue" else CUT_BLEED

    def cost(inner: tuple[int, ...]) -> int:
        even = (round(units * number / (len(inner) + 1)) for number in range(1, len(inner) + 1))
        parted = sum(dear for at in inner for one, two, dear in whole if one < at * step - 1e-5 and at * step + 1e-5 < two)
        return parted + sum(abs(at - there) for at, there in zip(inner, even, strict=True))

    def fits(inner: tuple[int, ...]) -> bool:
        edges = (0, *inner, units)
        parts = enumerate(pairwise(edges))
        return all(
            (end - start) * step + (CUT_BLEED if number else bleed) + (after if end < units else bleed) <= room
            for number, (start, end) in parts
        )

    every = (list(filter(fits, combinations(range(1, units), count))) for count in range(units))
    ways = next(filter(None, every), [])
    found = seams(units * step, step, room, bleed, join, whole)
    assert bool(found) == bool(ways)
    if ways:
        assert cost(tuple(round(at / step) for at in found[1:-1])) == min(map(cost, ways))


@pytest.mark.parametrize("game", ["passing-puzzle", "pirates-on-the-prowl"])
def test_no_name_of_a_shipped_board_is_parted(game: str) -> None:
    """The small board of Puzzle is parted between the ice and the piles; names of Prowl keep off the middle."""
    drawn = Pipeline(Project(ROOT), game, Options(NOWHERE)).drawn
    assert drawn is not None
    boards = [deck for deck in drawn.decks if deck.component.board is not None]
    for deck, name in product(boards, ("a4", "letter")):
        (piece, *_) = deck.pieces
        parts = [tile.part for tile in parted(paper(name), deck.component, piece.front).tiles]
        texts = [(text, placed.matrix) for placed in piece.front.layers for text in getattr(placed.layer, "pieces", ())]
        boxes = {text.source: matrix.bounds(Rect(text.x, text.y, text.width, text.height)) for text, matrix in texts}
        lines = {x for part in parts for x in (part.x, part.right)}, {y for part in parts for y in (part.y, part.bottom)}
        assert boxes and len(parts) > 1
        for said, box in boxes.items():
            assert not any(box.x < line < box.right for line in lines[0]), said
            assert not any(box.y < line < box.bottom for line in lines[1]), said
        if deck.component.name == "board-2":
            assert {part.x for part in parts} == {0, 5 * deck.component.step}


@pytest.mark.parametrize(
    ("join", "own"),
    [
        ("glue", 100 - 3 - 10),  # 3 mm that the page before lies on, 10 mm for the glue
        ("butt", 100 - 3 - 3),  # 3 mm on either side, to be cut off
    ],
)
def test_a_page_gives_what_is_said_to_the_next(join: Join, own: float) -> None:
    """Of 100 mm a page in the middle has so many of its own: three pages hold three times that, and not a hair more."""
    for bleed in (0.0, 3.0):
        assert seams(3 * own, 0, 100, bleed, join) == pytest.approx([0, own, 2 * own, 3 * own])
        assert len(seams(3 * own + 0.01, 0, 100, bleed, join)) == 1 + 4


def test_the_largest_boards_that_the_docs_name_are_the_largest() -> None:
    """docs/how-to/boards.md: each takes as many pages as its row says, and a millimetre more either way takes more."""
    page = (ROOT / "docs/how-to/boards.md").read_text("utf-8")
    names = [name.lower() for name in re.findall(r"^\| pages \| (.*) \|$", page, re.MULTILINE)[0].split(" | ")]
    rows = re.findall(r"^\| (\d) \| (.*×.*) \|$", page, re.MULTILINE)
    assert (names, [pages for pages, _ in rows]) == (["a4", "letter", "a3"], ["1", "2", "4", "6"])
    for pages, cells in rows:
        for name, cell in zip(names, cells.split(" | "), strict=True):
            for size in cell.split(", "):
                width, height = map(int, size.split(" × "))
                larger = [(width, height), (width + 1, height), (width, height + 1)]
                takes = [len(split(paper(name), *each, 0, 3, "glue").tiles) for each in larger]
                assert takes[0] == int(pages) and min(takes[1:]) > int(pages), (name, size)
