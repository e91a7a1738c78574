"""Every sheet of the shipped games held to the light: each back lies behind its own front, to a tenth of a millimetre.

What lies where is read from the PDF with pypdf, which has no part in writing it. Faces are left empty, so that it is quick.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest
from pypdf import PageObject, PdfReader, Transformation
from pypdf.generic import ContentStream

from pnp.flows.drawn import Drawn, draw_game, pages_of, sheets_of
from pnp.read.game import read_game
from pnp.read.presets import paper
from pnp.read.project import Project
from pnp.values.faces import Book, Deck, Face, Piece
from pnp.values.game import MARGIN, Backs, Paper
from pnp.values.outcome import NOWHERE, MarkedSides, Options
from pnp.values.problems import Problems
from pnp.write.pdf import Document, write_pdf

ROOT = Path(__file__).resolve().parents[1]
GAMES = ("passing-puzzle", "penguin", "penguin-pirates", "penguins-night-out", "pirates-on-the-prowl")
QUICK = ("penguins-night-out",)
PAPERS = ("a4", "letter")
WAYS: tuple[Backs, ...] = ("long-edge", "short-edge", "gutterfold")
MM = 72 / 25.4
NEAR = 0.1

Point = tuple[float, float]


@dataclass(frozen=True)
class Lying:
    """A side of a piece on a page, in mm from the page's top left."""

    name: str
    side: str
    trim: tuple[Point, ...]
    """Its corners: top left, top right, bottom right, bottom left, as one reads the face."""
    ink: tuple[Point, ...]
    """The corners of what is printed of it."""


@cache
def drawn(name: str) -> Drawn:
    """A shipped game with empty faces."""
    problems = Problems()
    game = read_game(Project(ROOT), name, problems)
    assert game is not None
    made = draw_game(game, problems, lambda _: None)
    assert not problems.errors
    return replace(made, decks=[replace(deck, pieces=tuple(map(_empty, deck.pieces))) for deck in made.decks])


def _empty(piece: Piece) -> Piece:
    def bare(face: Face) -> Face:
        return replace(face, layers=())

    return replace(piece, front=bare(piece.front), back=None if piece.back is None else bare(piece.back))


def backed(decks: list[Deck]) -> set[str]:
    """What has backs, as a PDF names it."""
    return {f"{piece.component}/{piece.id}" for deck in decks for piece in deck.pieces if piece.back}


def printed(game: Drawn, sheet: Paper, backs: Backs, marks: MarkedSides = "front") -> list[PageObject]:
    """The pages of its sheets."""
    problems = Problems()
    made = sheets_of(game.decks, sheet, Options(NOWHERE, backs=backs), problems)
    assert {each.rule for each in problems.errors} <= ({"piece-too-large"} if backs == "gutterfold" else set())
    document = Document(game.game.title, "", "en", backs, "test", "")
    laid = pages_of(game, made, sheet, Options(NOWHERE, backs=backs, marks=marks))
    return list(PdfReader(io.BytesIO(write_pdf(laid, Book((), {}), document))).pages)


def lying(page: PageObject) -> Iterator[Lying]:
    """The sides of pieces on a page, in the order in which they are drawn."""
    forms, height = page["/Resources"].get("/XObject", {}), float(page.mediabox.height)
    matrix, clip = Transformation(), (0.0, 0.0, 0.0, 0.0)
    for operands, operator in ContentStream(page.get_contents(), page.pdf).operations:
        if operator == b"cm":
            matrix = Transformation(tuple(map(float, operands)))  # type: ignore[arg-type]
        elif operator == b"re":
            clip = tuple(map(float, operands))  # type: ignore[assignment]
        elif operator == b"Do" and "/PNPPiece" in (form := forms[operands[0]]):
            _, _, wide, high = map(float, form["/BBox"])
            width, bleed = (float(each) * MM for each in _size(str(form["/PNPCut"]), wide / MM))

            def corners(x: float, y: float, right: float, top: float, to: Transformation = matrix) -> tuple[Point, ...]:
                points = (to.apply_on(point) for point in ((x, top), (right, top), (right, y), (x, y)))
                return tuple((float(across) / MM, (height - float(up)) / MM) for across, up in points)

            x, y, across, up = clip
            yield Lying(
                str(form["/PNPPiece"]),
                str(form["/PNPSide"]),
                corners(bleed, bleed, bleed + width, high - bleed),
                corners(x, y, x + across, y + up),
            )


def lines(page: PageObject) -> set[tuple[Point, ...]]:
    """All lines and outlines on a page, as their points in order, in tenths of a millimetre from its top left."""
    height, found, way = float(page.mediabox.height), set(), list[Point]()
    for operands, operator in ContentStream(page.get_contents(), page.pdf).operations:
        if operator == b"m":
            way = []
        if operator in (b"m", b"l"):
            x, y = map(float, operands)
            way.append((round(x / MM * 10), round((height - y) / MM * 10)))
        elif operator in (b"S", b"s"):
            found.add(tuple(sorted(way)))
    return found


def _size(cut: str, wide: float) -> tuple[float, float]:
    """The width of a face and its bleed, in mm, of a form so wide: "63 x 88" with 3 mm around it."""
    width = float(cut.split(" x ")[0])
    return width, (wide - width) / 2


def over(points: tuple[Point, ...], sheet: Paper, level: bool) -> tuple[Point, ...]:
    """Where points of a back are seen from the front: turned about an upright line in the middle, or a level one."""
    return tuple((x, sheet.height - y) if level else (sheet.width - x, y) for x, y in points)


def apart(one: tuple[Point, ...], two: tuple[Point, ...]) -> float:
    return max(max(abs(x - a), abs(y - b)) for (x, y), (a, b) in zip(one, two, strict=True))


def off(fronts: list[Lying], backs: list[Lying], sheet: Paper, level: bool) -> float:
    """By how much a back misses its front at most: what is on its left by the front's upper left corner, and so on."""
    worst = 0.0
    for front, back in zip(fronts, backs, strict=True):
        for one, two in ((front.trim, back.trim), (front.ink, back.ink)):
            top_left, top_right, bottom_right, bottom_left = over(two, sheet, level)
            worst = max(worst, apart(one, (top_right, top_left, bottom_left, bottom_right)))
    return worst


@pytest.mark.parametrize("backs", WAYS)
@pytest.mark.parametrize(
    "name", [each if each in QUICK else pytest.param(each, marks=pytest.mark.at_length) for each in GAMES]
)
@pytest.mark.parametrize("on", PAPERS)
def test_each_back_lies_behind_its_front(name: str, on: str, backs: Backs) -> None:
    """On every sheet that has backs; behind a piece without one the paper is blank."""
    game, sheet = drawn(name), replace(paper(on), margin=MARGIN)
    have, counted = backed(game.decks), 0
    pages = [list(lying(page)) for page in printed(game, sheet, backs)]
    leaves = list(zip(pages, [*pages[1:], []], strict=True))
    for at, (page, after) in enumerate(leaves):
        fronts = [each for each in page if each.side == "/Front"]
        folded = [each for each in page if each.side == "/Back"]
        if not fronts:
            continue
        behind = folded or [each for each in after if not any(other.side == "/Front" for other in after)]
        owners = [each for each in fronts if each.name in have]
        assert [each.name for each in behind] == [each.name for each in owners], f"sheet of page {at + 1}"
        levels = (False, True) if folded else (backs == "short-edge",)
        assert min(off(owners, behind, sheet, level) for level in levels) < NEAR, f"sheet of page {at + 1}"
        counted += len(owners)
    there = {each.name for page in pages for each in page}
    # Half a page is too small for some pieces, which a build says before it writes anything.
    too_large = {f"{piece.component}/{piece.id}" for deck in game.decks for piece in deck.pieces} - there
    assert counted == sum(
        piece.copies
        for deck in game.decks
        for piece in deck.pieces
        if piece.back and f"{piece.component}/{piece.id}" not in too_large
    )


@pytest.mark.parametrize("backs", ["long-edge", "short-edge"])
def test_backs_are_marked_where_that_is_asked(backs: Backs) -> None:
    """No line on a back otherwise; with ``--marks both`` all that the front has but its ruler, each behind its own."""
    game, sheet = drawn("penguins-night-out"), replace(paper("a4"), margin=MARGIN)
    plain, marked = (printed(game, sheet, backs, marks) for marks in ("front", "both"))
    seen = 0
    for at, page in enumerate(marked):
        if not any(each.side == "/Back" for each in lying(page)):
            assert lines(page) == lines(plain[at])
            continue
        seen += 1
        assert not lines(plain[at])
        front, behind = lines(marked[at - 1]), lines(page)
        left = {way for way in front if not any(_same(way, over_tenths(other, sheet, backs)) for other in behind)}
        assert len(front) - len(left) == len(behind) > 0
        points = [point for way in left for point in way]
        sides = sorted(max(axis) - min(axis) for axis in zip(*points, strict=True))
        rulers = (1016, 508)
        assert sides[0] < 30 and min(abs(sides[1] - each) for each in rulers) < 2, "left is the ruler, four inches or two"
    assert seen > 2


def over_tenths(way: tuple[Point, ...], sheet: Paper, backs: Backs) -> tuple[Point, ...]:
    wide, high = sheet.width * 10, sheet.height * 10
    return tuple(sorted((x, high - y) if backs == "short-edge" else (wide - x, y) for x, y in way))


def _same(one: tuple[Point, ...], two: tuple[Point, ...]) -> bool:
    """Whether each point of one has one of the other beside it."""
    return len(one) == len(two) and all(any(apart((point,), (other,)) <= 1.5 for other in two) for point in one)


def test_a_narrower_margin_needs_no_more_sheets() -> None:
    """Packing once took one sheet more of Prowl within 4 mm of Letter than within the usual margin."""
    game, sheet = drawn("pirates-on-the-prowl"), paper("letter")
    sheets = (replace(sheet, margin=each) for each in (MARGIN, 4.0))
    usual, narrow = (sheets_of(game.decks, each, Options(NOWHERE), Problems()) for each in sheets)
    assert len(narrow) <= len(usual)
