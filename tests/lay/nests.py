"""Decks of pieces of different sizes, nets as they come from games, and what a person measures on their sheets."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st
from shapely.geometry import Polygon

from pnp.lay.gang import ganged
from pnp.lay.impose import PrintSettings, pages, sheets
from pnp.lay.sheet import AnySheet, Sheet, Spot, runs
from pnp.read.presets import paper
from pnp.shapes.affine import Affine, Calibration, Rect
from pnp.shapes.nets import boxes, stands
from pnp.shapes.nets import stands as ship
from pnp.shapes.nets.net import Net, mirrored
from pnp.shapes.outline import Ring
from pnp.values.faces import Deck, Face, Line, Page, Piece, PlacedFace, Stroke
from pnp.values.game import Backs, Component, Paper
from pnp.values.problems import Place
from pnp.values.tables import Row, Table
from pnp.write.pdf import text_width

PLACE = Place("game.toml")
HOME_PAPERS = [paper("a4"), paper("letter")]
DUPLEX: tuple[Backs, ...] = ("long-edge", "short-edge")
# What home printers reach, for pieces (docs/how-it-works/print.md#what-a-printer-reaches).
PRINTABLE = 6.35

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
    "ship": ship.ship(44, 3),
}
KINDS = {"d6": "die", "d10": "die", "part": "screen"}


def component(name: str, kind: str, size: tuple[float, float], bleed: float, title: str = "", **more: object) -> Component:
    """A component without a template: nothing is drawn here."""
    row = Row(name, 1, PLACE, {}, set())
    table = Table(name, f"{name}.csv", (), (row,), set())
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
    **more: object,
) -> Deck:
    """A deck with a design for each number of copies, cut along ``ring`` (None: along the trim)."""
    made = component(name, kind, size, bleed, **more)
    pieces = []
    for at, number in enumerate(copies):
        front = Face(f"{name}-{at}", *size, bleed, (), ring)
        back = Face(f"{name}-{at}-back", *size, bleed, (), over(ring, size[0])) if backed else None
        pieces.append(Piece(name, f"p{at}", front, back, number))
    return Deck(made, tuple(pieces))


def folded_deck(name: str, net: Net, copies: int = 1, backed: bool = False, title: str = "", kind: str = "") -> Deck:
    """A deck of one folded piece; where backed, printed inside too."""
    box = net.bounds
    size = (box.width, box.height)
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
    cutting: bool


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


def lay(decks: Sequence[Deck], setup: Setup) -> Laid:
    """All decks as one file."""
    press = PrintSettings(setup.paper, setup.backs, Calibration(), "A Game 1.0", text_width, setup.cutting)
    plain = sheets(runs(decks), setup.paper, setup.backs, setup.cutting)
    made = ganged(plain, decks, setup.paper, setup.cutting)
    return Laid(made, pages(made, press))


def strokes(page: Page) -> list[Stroke]:
    return [item for item in page.items if isinstance(item, Stroke)]


def outline(face: Face) -> Ring:
    """Where a face is cut, in its own mm."""
    return face.outline or ((0, 0), (face.width, 0), (face.width, face.height), (0, face.height))


def shape(matrix: Affine, ring: Ring) -> Polygon:
    """A ring of a face where it lies on the page."""
    return Polygon([matrix.point(*point) for point in ring])


def spot_box(spot: Spot) -> Rect:
    """The box of a piece on its sheet."""
    return spot.front.bounds(Rect(0, 0, spot.piece.front.width, spot.piece.front.height))


def ink(placed: PlacedFace) -> Rect:
    """Where a face leaves ink on the page: its trim and bleed, as far as it is not clipped."""
    face, clip = placed.face, placed.clip
    bleed = Rect(0, 0, face.width, face.height).grown(*4 * [face.bleed])
    x, y = max(clip.x, bleed.x), max(clip.y, bleed.y)
    return placed.matrix.bounds(Rect(x, y, min(clip.right, bleed.right) - x, min(clip.bottom, bleed.bottom) - y))


def pad(piece: Piece) -> float:
    """The room that a piece has around it in a nest: its bleed, but from 1 to 2 mm."""
    return min(max(piece.front.bleed, 1.0), 2.0)


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


def line_box(line: Line) -> Rect:
    """The area that a level or upright line inks; its ends are cut off square."""
    half = line.width / 2
    x, y = min(line.x1, line.x2), min(line.y1, line.y2)
    level = line.y1 == line.y2
    across, along = (0.0, half) if level else (half, 0.0)
    return Rect(x, y, abs(line.x2 - line.x1), abs(line.y2 - line.y1)).grown(across, along, across, along)


hundredths = st.integers(800, 6500).map(lambda number: number / 100)
small = st.tuples(hundredths, hundredths)
# Wide or tall ones that still fit half a sheet beside its fold.
wide = st.tuples(st.integers(10000, 18500), st.integers(6000, 12000)).map(lambda size: (size[0] / 100, size[1] / 100))
tall = st.tuples(st.integers(4000, 8400), st.integers(10000, 18500)).map(lambda size: (size[0] / 100, size[1] / 100))
setups = st.builds(
    Setup,
    st.sampled_from(HOME_PAPERS),
    st.sampled_from(["long-edge", "short-edge", "gutterfold", "none"]),
    st.booleans(),
    # What a machine cuts cannot be folded first: nobody can ask for both.
).filter(lambda setup: not (setup.cutting and setup.backs == "gutterfold"))


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
