"""Decks for tests of laying: faces without ink, but with sizes, backs and copies like real ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from hypothesis import strategies as st

from pnp.lay.gang import ganged
from pnp.lay.impose import PrintSettings, pages, sheets
from pnp.lay.sheet import runs
from pnp.read.presets import paper
from pnp.shapes.affine import Affine, Calibration, Rect
from pnp.values.faces import Deck, Face, Label, Line, Page, Piece, PlacedFace
from pnp.values.game import Backs, Component, Paper
from pnp.values.problems import Place
from pnp.values.tables import Table
from pnp.write.pdf import text_width

Point = tuple[float, float]
BackOf = Literal["none", "shared", "deck", "piece"]
WAYS: tuple[Backs, ...] = ("long-edge", "short-edge", "gutterfold", "none")
DUPLEX: tuple[Backs, ...] = ("long-edge", "short-edge")
PAPERS = [paper(name) for name in ("a4", "letter", "a3", "legal", "tabloid")]


def deck(
    name: str,
    copies: Sequence[int],
    size: tuple[float, float] = (63, 88),
    bleed: float = 3,
    back: BackOf = "shared",
    stock: str = "card",
) -> Deck:
    """A deck with a piece for each number of copies; its backs are one for all decks, the deck's, or each piece's."""
    table = Table(name, f"{name}.csv", (), (), set())
    component = Component(
        name, name.title(), "card", table, name, None, size[0], size[1], bleed, stock, Place("game.toml", None, name)
    )

    def face(key: str) -> Face:
        return Face(key, size[0], size[1], bleed, ())

    keys = {"shared": lambda _: "back", "deck": lambda _: f"back-{name}", "piece": lambda at: f"back-{name}-{at}"}
    pieces = tuple(
        Piece(name, f"p{at}", face(f"{name}-{at}"), None if back == "none" else face(keys[back](at)), number)
        for at, number in enumerate(copies)
    )
    return Deck(component, pieces)


def lay(
    decks: Sequence[Deck],
    sheet: Paper,
    backs: Backs,
    calibration: Calibration = Calibration(),  # noqa: B008
) -> list[Page]:
    """All decks as the pages of one file."""
    press = PrintSettings(sheet, backs, calibration, "A Game 1.0", text_width)
    return pages(ganged(sheets(runs(decks), sheet, backs), decks, sheet), press)


def faces(page: Page) -> list[PlacedFace]:
    return [item for item in page.items if isinstance(item, PlacedFace)]


def lines(page: Page) -> list[Line]:
    return [item for item in page.items if isinstance(item, Line)]


# What stands beside the ruler; all other words on a sheet of cards are its slug line.
RULER = "100 mm · 4 in"


def labels(page: Page) -> list[Label]:
    return [item for item in page.items if isinstance(item, Label)]


def trim(placed: PlacedFace) -> Rect:
    return placed.matrix.bounds(Rect(0, 0, placed.face.width, placed.face.height))


def through_paper(point: Point, sheet: Paper, backs: Backs, fold: str | None = None) -> Point:
    """Where a point of the back is seen from the front, when the sheet is held to the light or folded.

    Who turns a leaf like a book's (long edge) or folds it about an upright line exchanges left and
    right; who turns it like a calendar's (short edge) or folds it about a level line, top and bottom.
    """
    x, y = point
    if backs == "short-edge" or fold == "horizontal":
        return x, sheet.height - y
    return sheet.width - x, y


def seen_box(box: Rect, sheet: Paper, backs: Backs, fold: str | None = None) -> Rect:
    """A rectangle of the back as it is seen from the front."""
    x, y = through_paper((box.x, box.y), sheet, backs, fold)
    right, bottom = through_paper((box.right, box.bottom), sheet, backs, fold)
    return Rect(min(x, right), min(y, bottom), box.width, box.height)


def fold_of(page: Page) -> str | None:
    """Which way the page's dashed line runs; it is the middle of the paper."""
    dashed = [line for line in lines(page) if line.dashes]
    if not dashed:
        return None
    (line,) = dashed
    if line.x1 == line.x2:
        assert line.x1 == page.paper.width / 2
        return "vertical"
    assert line.y1 == line.y2 == page.paper.height / 2
    return "horizontal"


def corners(matrix: Affine, face: Face) -> list[Point]:
    """A face's corners on the page: top left, top right, bottom right, bottom left as printed on the face."""
    return [matrix.point(x, y) for x, y in ((0, 0), (face.width, 0), (face.width, face.height), (0, face.height))]


sizes = st.sampled_from([(63.0, 88.0), (88.9, 63.5), (44.0, 68.0), (70.0, 120.0), (90.0, 60.0), (31.75, 44.45)])
bleeds = st.sampled_from([0.0, 1.0, 3.0])
papers = st.sampled_from(PAPERS)


@st.composite
def deck_lists(draw: st.DrawFn, most_copies: int = 7) -> list[Deck]:
    """One to four decks, often of the same size and back."""
    few_sizes = draw(st.lists(sizes, min_size=1, max_size=2))
    few_bleeds = draw(st.lists(bleeds, min_size=1, max_size=2))
    return [
        deck(
            f"deck{at}",
            draw(st.lists(st.integers(1, most_copies), min_size=1, max_size=5)),
            draw(st.sampled_from(few_sizes)),
            draw(st.sampled_from(few_bleeds)),
            draw(st.sampled_from(["none", "shared", "shared", "deck", "piece"])),
            draw(st.sampled_from(["card", "card", "board"])),
        )
        for at in range(draw(st.integers(1, 4)))
    ]
