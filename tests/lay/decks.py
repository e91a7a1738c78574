"""Decks for tests of laying: faces without ink, but with sizes, backs and copies like real ones; and what is measured."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from hypothesis import strategies as st
from shapely.geometry import Polygon

from pnp.lay.gang import ganged
from pnp.lay.impose import PrintSettings, pages, sheets
from pnp.lay.sheet import AnySheet, Sheet, Spot, runs
from pnp.read.presets import paper
from pnp.shapes.affine import Affine, Calibration, Rect
from pnp.shapes.nets import boxes, stands
from pnp.shapes.nets.net import Net, mirrored
from pnp.shapes.outline import Ring
from pnp.values.faces import Deck, Face, Label, Line, Page, Piece, PlacedFace, Stroke
from pnp.values.game import MARGIN, Backs, Component, Paper
from pnp.values.problems import Place
from pnp.values.tables import Row, Table
from pnp.write.pdf import text_width

Point = tuple[float, float]
BackOf = Literal["none", "shared", "deck", "piece"]
WAYS: tuple[Backs, ...] = ("long-edge", "short-edge", "gutterfold", "none")
DUPLEX: tuple[Backs, ...] = ("long-edge", "short-edge")
PAPERS = [paper(name) for name in ("a4", "letter", "a3", "legal", "tabloid")]
HOME_PAPERS = PAPERS[:2]
PLACE = Place("game.toml")
# What stands beside the ruler; all other words on a sheet of cards are its slug line.
RULERS = ("100 mm · 4 in", "50 mm · 2 in")
# Of which an outline looks different from behind.
DISC: Ring = ((0, 8), (8, 0), (16, 8), (8, 16))

NETS: Mapping[str, Net] = {
    "standee": stands.standee(30, 40, 9),
    "pawn": stands.pawn(20, 34, 16),
    "prism": stands.prism(30, 32, 20),
    "d6": boxes.d6(16),
    "d10": boxes.d10(22),
    "screen": boxes.screen([55, 70, 55], 95),
    "part": boxes.screen_parts([155, 140, 155], 277, 95)[0],
    "box": boxes.tuck_box(64, 89, 14),
    "pouch": boxes.pouch(60, 65, 25),
    "ship": stands.ship(44, 3),
}
KINDS = {"d6": "die", "d10": "die", "part": "screen"}


def component(name: str, kind: str, size: tuple[float, float], bleed: float, title: str = "", **more: object) -> Component:
    """A component without a template: nothing is drawn here."""
    table = Table(name, f"{name}.csv", (), (Row(name, 1, PLACE, {}, set()),), set())
    values: dict[str, object] = {"paper": "card", **more}
    return Component(name, title or name.capitalize(), kind, table, name, None, *size, bleed, place=PLACE, **values)  # type: ignore[arg-type]


def over(ring: Ring | None, width: float) -> Ring | None:
    """A piece's outline as its owner sees it who turns the piece over like a page."""
    return None if ring is None else tuple((width - x, y) for x, y in ring[::-1])


def piece_deck(
    name: str,
    copies: Sequence[int],
    size: tuple[float, float] = (20, 20),
    ring: Ring | None = None,
    bleed: float = 2.0,
    backed: bool = False,
    kind: str = "token",
    back_of: Callable[[int], str] | None = None,
    **more: object,
) -> Deck:
    """A deck with a design for each number of copies, cut along ``ring`` (None: along the trim)."""
    pieces = []
    for at, number in enumerate(copies):
        key = back_of(at) if back_of else f"{name}-{at}-back"
        back = Face(key, *size, bleed, (), over(ring, size[0])) if backed else None
        pieces.append(Piece(name, f"p{at}", Face(f"{name}-{at}", *size, bleed, (), ring), back, number))
    return Deck(component(name, kind, size, bleed, **more), tuple(pieces))


def deck(
    name: str,
    copies: Sequence[int],
    size: tuple[float, float] = (63, 88),
    bleed: float = 3,
    back: BackOf = "shared",
    stock: str = "card",
) -> Deck:
    """A deck of cards; their backs are one for all decks, the deck's, or each piece's."""
    keys = {"shared": lambda _: "back", "deck": lambda _: f"back-{name}", "piece": lambda at: f"back-{name}-{at}"}
    return piece_deck(
        name, copies, size, None, bleed, back != "none", "card", keys.get(back), title=name.title(), paper=stock
    )


def folded_deck(name: str, net: Net, copies: int = 1, backed: bool = False, title: str = "", kind: str = "") -> Deck:
    """A deck of one folded piece; where backed, printed inside too."""
    size = (net.bounds.width, net.bounds.height)
    ring = net.outline if len(net.outline) > 4 else None
    made = component(name, kind or KINDS.get(name, name), size, 2.0, title, nets=(net,))
    front = Face(f"{name}-front", *size, 2.0, (), ring, net)
    back = Face(f"{name}-back", *size, 2.0, (), None if ring is None else mirrored(net).outline) if backed else None
    return Deck(made, (Piece(name, "p0", front, back, copies),))


@dataclass(frozen=True)
class Setup:
    """How a file is asked for."""

    paper: Paper
    backs: Backs
    cutting: bool = False


@dataclass(frozen=True)
class Laid:
    """A file: its sheets, and the page or two pages that each of them is printed as."""

    sheets: list[AnySheet]
    pages: list[Page]

    @property
    def leaves(self) -> list[tuple[Sheet, Page, Page]]:
        """Each sheet with its front page, and the page on which its backs are printed: its own where it has no other."""
        made, printed = [], iter(self.pages)
        for sheet in self.sheets:
            assert isinstance(sheet, Sheet)
            front = next(printed)
            back = next(printed) if sheet.way in DUPLEX else front
            assert (front.side, back.side) == ("front", "front" if back is front else "back")
            made.append((sheet, front, back))
        assert not list(printed)
        return made


def lay(
    decks: Sequence[Deck],
    sheet: Paper,
    backs: Backs = "none",
    cutting: bool = False,
    calibration: Calibration = Calibration(),  # noqa: B008
) -> Laid:
    """All decks as one file."""
    press = PrintSettings(sheet, backs, calibration, "A Game 1.0", text_width, cutting)
    made = ganged(sheets(runs(decks), sheet, backs, cutting), decks, sheet, cutting)
    return Laid(made, pages(made, press))


def faces(page: Page) -> list[PlacedFace]:
    return [item for item in page.items if isinstance(item, PlacedFace)]


def lines(page: Page) -> list[Line]:
    return [item for item in page.items if isinstance(item, Line)]


def labels(page: Page) -> list[Label]:
    return [item for item in page.items if isinstance(item, Label)]


def strokes(page: Page) -> list[Stroke]:
    return [item for item in page.items if isinstance(item, Stroke)]


def outline(face: Face) -> Ring:
    """Where a face is cut, in its own mm."""
    return face.outline or ((0, 0), (face.width, 0), (face.width, face.height), (0, face.height))


def shape(matrix: Affine, ring: Ring) -> Polygon:
    """A ring of a face where it lies on the page."""
    return Polygon([matrix.point(*point) for point in ring])


def trim(placed: PlacedFace) -> Rect:
    return placed.matrix.bounds(Rect(0, 0, placed.face.width, placed.face.height))


def spot_box(spot: Spot) -> Rect:
    """The box of a piece on its sheet."""
    return spot.front.bounds(Rect(0, 0, spot.piece.front.width, spot.piece.front.height))


def ink(placed: PlacedFace) -> Rect:
    """Where a face leaves ink on the page: its trim and bleed, as far as it is not clipped."""
    face, clip = placed.face, placed.clip
    bleed = Rect(0, 0, face.width, face.height).grown(*4 * [face.bleed])
    x, y = max(clip.x, bleed.x), max(clip.y, bleed.y)
    return placed.matrix.bounds(Rect(x, y, min(clip.right, bleed.right) - x, min(clip.bottom, bleed.bottom) - y))


def within(sheet: Paper, margin: float = MARGIN) -> Rect:
    """A sheet but for a margin around; home printers reach all within the usual one."""
    return Rect(0, 0, sheet.width, sheet.height).grown(*4 * [-margin])


def apart(one: Rect, two: Rect) -> float:
    """How far two boxes are from each other, straight across or straight down; negative where they overlap."""
    return max(two.x - one.right, one.x - two.right, two.y - one.bottom, one.y - two.bottom)


def inside(inner: Rect, outer: Rect, within: float = 1e-6) -> bool:
    """Whether a box lies in another."""
    return (
        inner.x >= outer.x - within
        and inner.y >= outer.y - within
        and inner.right <= outer.right + within
        and inner.bottom <= outer.bottom + within
    )


def line_box(line: Line, width: float = 0.0) -> Rect:
    """The area that a level or upright line inks, or so wide a one; its ends are cut off square."""
    half = (width or line.width) / 2
    x, y = min(line.x1, line.x2), min(line.y1, line.y2)
    across, along = (0.0, half) if line.y1 == line.y2 else (half, 0.0)
    return Rect(x, y, abs(line.x2 - line.x1), abs(line.y2 - line.y1)).grown(across, along, across, along)


def label_box(label: Label) -> Rect:
    """What the letters of a line cover, from b, d and l to g and p; it is level or turned by a quarter to the left."""
    em, wide = label.size_pt * 25.4 / 72, text_width(label.text, label.size_pt)
    start = {"start": 0.0, "middle": wide / 2, "end": wide}[label.anchor]
    if label.turn == 0:
        return Rect(label.x - start, label.y - 0.72 * em, wide, 0.93 * em)
    assert label.turn == -90
    return Rect(label.x - 0.72 * em, label.y + start - wide, 0.93 * em, wide)


def through_paper(point: Point, sheet: Paper, backs: Backs, fold: str | None = None) -> Point:
    """Where a point of the back is seen from the front, when the sheet is held to the light or folded.

    Who turns a leaf like a book's (long edge) or folds it about an upright line exchanges left and
    right; who turns it like a calendar's (short edge) or folds it about a level line, top and bottom.
    """
    x, y = point
    if backs == "short-edge" or fold == "horizontal":
        return x, sheet.height - y
    return sheet.width - x, y


def fold_of(page: Page) -> str | None:
    """Which way the line runs that a page is folded along; it is the middle of the paper, from margin to margin."""
    sheet = page.paper
    high, wide = sheet.height - 2 * sheet.margin, sheet.width - 2 * sheet.margin
    for line in lines(page):
        if line.dashes and line.x1 == line.x2 == sheet.width / 2 and abs(line.y2 - line.y1) >= high:
            return "vertical"
        if line.dashes and line.y1 == line.y2 == sheet.height / 2 and abs(line.x2 - line.x1) >= wide:
            return "horizontal"
    return None


def corners(matrix: Affine, face: Face) -> list[Point]:
    """A face's corners on the page: top left, top right, bottom right, bottom left as printed on the face."""
    return [matrix.point(x, y) for x, y in ((0, 0), (face.width, 0), (face.width, face.height), (0, face.height))]


sizes = st.sampled_from([(63.0, 88.0), (88.9, 63.5), (44.0, 68.0), (70.0, 120.0), (90.0, 60.0), (31.75, 44.45)])
bleeds = st.sampled_from([0.0, 1.0, 3.0])
papers = st.sampled_from(PAPERS)
hundredths = st.integers(800, 6500).map(lambda number: number / 100)
small = st.tuples(hundredths, hundredths)
# Wide or tall ones that still fit half a sheet beside its fold.
wide = st.tuples(st.integers(10000, 18500), st.integers(6000, 12000)).map(lambda size: (size[0] / 100, size[1] / 100))
tall = st.tuples(st.integers(4000, 8400), st.integers(10000, 18500)).map(lambda size: (size[0] / 100, size[1] / 100))
setups = st.builds(
    Setup,
    st.builds(lambda sheet, margin: replace(sheet, margin=margin), papers, st.sampled_from([MARGIN] * 3 + [4.0, 12.7])),
    st.sampled_from(WAYS),
    st.booleans(),
    # What a machine cuts cannot be folded first: nobody can ask for both.
).filter(lambda setup: not (setup.cutting and setup.backs == "gutterfold"))


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


@st.composite
def mixed(draw: st.DrawFn) -> list[Deck]:
    """Cards, small pieces that may share their sheets, of one or two stocks, and a net; names are told apart."""
    small = [
        piece_deck(
            f"small{at}",
            [draw(st.integers(1, 12))],
            (16, 16) if ring else draw(st.sampled_from([(16, 16), (14, 74), (58, 69), (90, 60)])),
            ring,
            backed=draw(st.booleans()),
            kind=draw(st.sampled_from(["token", "standee"])),
            upright=draw(st.booleans()),
            paper=draw(st.sampled_from(["card", "card", "board"])),
        )
        for at, ring in enumerate(draw(st.lists(st.sampled_from([None, DISC]), min_size=1, max_size=4)))
    ]
    net = draw(st.sampled_from([None, None, *NETS]))
    return [*draw(deck_lists()), *small, *([folded_deck(net, NETS[net], 2, draw(st.booleans()))] if net else [])]


@st.composite
def rings(draw: st.DrawFn, width: float, height: float) -> Ring:
    """An outline that looks different from behind, and fills a box of ``width`` × ``height``."""
    reaches = draw(st.lists(st.integers(4, 10), min_size=5, max_size=9))
    turns = [math.tau * at / len(reaches) for at in range(len(reaches))]
    points = [(reach * math.cos(turn), reach * math.sin(turn)) for reach, turn in zip(reaches, turns, strict=True)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    across, down = width / (max(xs) - min(xs)), height / (max(ys) - min(ys))
    return tuple(((x - min(xs)) * across, (y - min(ys)) * down) for x, y in points)


@st.composite
def nest_decks(draw: st.DrawFn) -> list[Deck]:
    """One to five decks of nested kinds, most of them such that they share sheets."""
    stocks = draw(st.sampled_from([["card"], ["card"], ["card", "board"]]))
    backed = draw(st.sampled_from([[False], [True], [False, True]]))
    ways = draw(st.sampled_from([[None], [None], ["gutterfold"], [None, "gutterfold"]]))
    upright = draw(st.sampled_from([[False], [False], [True], [False, True]]))
    decks = []
    for at in range(draw(st.integers(1, 5))):
        size = draw(st.one_of(small, small, wide, tall))
        least, most = (2, 8) if max(size) < 45 else (1, 3)
        decks.append(
            piece_deck(
                f"deck{at}",
                draw(st.lists(st.integers(least, most), min_size=1, max_size=2)),
                size,
                draw(st.one_of(st.none(), rings(*size))),
                draw(st.sampled_from([0.0, 0.5, 1.0, 1.6, 3.0])),
                draw(st.sampled_from(backed)),
                draw(st.sampled_from(["token", "standee", "tracker"])),
                paper=draw(st.sampled_from(stocks)),
                backs=draw(st.sampled_from(ways)),
                upright=draw(st.sampled_from(upright)),
            )
        )
    return decks
