"""Reads flat pieces: cards, dominoes, tiles, boards, tokens and trackers; defines each kind's keys."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from pnp.read.boards import one_table_tiles, read_board, read_hextiles, read_tracker
from pnp.read.pieces import WHAT, PieceRules, Shelf, Single, Size, Sized, known_columns, length_of_one
from pnp.shapes import grids, hexes, units
from pnp.shapes.grids import GridName
from pnp.shapes.outline import Point, Ring, area, ellipse
from pnp.system.paths import ArtFolder, file_within
from pnp.values.fields import Name, Text
from pnp.values.game import Component, KindName, Tabs
from pnp.values.problems import Fault, Place
from pnp.values.tables import Cell, Row, Table

COLUMNS = ("id", "name", "a", "b")


def domino_table(name: str, highest: int, place: Place) -> Table:
    """Every unordered pair of 0 … ``highest``: (n + 1)(n + 2) / 2 rows with a ≤ b."""
    rows = []
    used = set(COLUMNS)
    for a in range(highest + 1):
        for b in range(a, highest + 1):
            texts = {"id": f"{a}-{b}", "name": f"{a} | {b}", "a": str(a), "b": str(b)}
            cells = {column: Cell(int(text) if column in "ab" else text, text, place) for column, text in texts.items()}
            rows.append(Row(texts["id"], 1, place, cells, used))
    return Table(name, place.file, COLUMNS, tuple(rows), used)


PLAIN = ("circle", "square", "hex")
MOST_POINTS = 4000
MOST_BYTES = 1_000_000
# So many straight lines stand for a curve.
_STEPS = 24


def token_size(shape: str, length: float) -> tuple[float, float]:
    """A token's width and height from one length: of a hex that from flat to flat."""
    return (length, length * 2 / math.sqrt(3)) if shape == "hex" else (length, length)


def token_outline(shape: str, width: float, height: float, art: Path) -> Ring | None:
    """The outline of a token in mm from its trim's corner; None for a square. Raises Fault."""
    if shape == "square":
        return None
    if shape == "circle":
        return ellipse(width, height)
    if shape == "hex":
        return (
            (width / 2, 0.0),
            (width, height / 4),
            (width, height * 3 / 4),
            (width / 2, height),
            (0.0, height * 3 / 4),
            (0.0, height / 4),
        )
    return _fitted(_drawn(shape_file(shape, art), shape), width, height)


def shape_file(shape: str, art: Path) -> Path | None:
    """The drawing in art/ whose path is the outline; None for none, or a plain shape."""
    return None if shape in PLAIN else ArtFolder(art).find(shape, (".svg",))


def shape_names(art: Path) -> list[str]:
    """The allowed shapes: plain ones, and drawings in art/shapes."""
    drawn = sorted(f"shapes/{file.stem}" for file in ArtFolder(art).files((".svg",)) if file.parent == art / "shapes")
    return [*PLAIN, *drawn]


def _drawn(file: Path | None, shape: str) -> Ring:
    from lxml import etree

    from pnp.svg.safe import BadDrawing, text_of_file
    from pnp.svg.tree import PARSER, tag

    if file is None:
        raise Fault(f'there is no shape "{shape}" (a file {shape.removesuffix(".svg")}.svg in art/)')
    if file.stat().st_size > MOST_BYTES:
        raise Fault(f'the shape "{shape}" is larger than {MOST_BYTES // 1_000_000} MB')
    try:
        root = etree.fromstring(text_of_file(file.read_bytes()).encode(), PARSER)
    except BadDrawing as fault:
        raise Fault(f'the shape "{shape}" cannot be read: {fault.message}') from None
    except etree.XMLSyntaxError as error:
        raise Fault(f'the shape "{shape}" is not well-formed XML: {error.msg}') from None
    found = next(iter(root.iter(tag("path"))), None)
    if found is None or not found.get("d"):
        raise Fault(f'the shape "{shape}" has no <path>')
    if any("transform" in node.attrib for node in (found, *found.iterancestors())):
        raise Fault(f'the path of the shape "{shape}" is moved by a transform: draw it where it is')
    return _flattened(str(found.get("d")), shape)


def _flattened(data: str, shape: str) -> Ring:
    from fontTools.misc.bezierTools import segmentPointAtT
    from fontTools.pens.recordingPen import DecomposingRecordingPen
    from fontTools.svgLib.path import parse_path

    pen = DecomposingRecordingPen({})
    try:
        parse_path(data, pen)
    except Exception as error:
        # The parser raises whatever its input leads it to.
        raise Fault(f'the path of the shape "{shape}" cannot be read ({error})') from None
    rings: list[list[Point]] = []
    for verb, points in pen.value:
        if verb == "moveTo":
            rings.append([points[0]])
        elif verb == "lineTo":
            rings[-1].append(points[0])
        elif verb in ("curveTo", "qCurveTo"):
            curve = [rings[-1][-1], *points]
            rings[-1] += [segmentPointAtT(curve, step / _STEPS) for step in range(1, _STEPS + 1)]
    closed = [_without_doubles(ring) for ring in rings]
    usable = [ring for ring in closed if len(ring) > 2 and abs(area(ring)) > 0]
    if not usable or len(max(usable, key=len)) > MOST_POINTS:
        raise Fault(f'the path of the shape "{shape}" encloses nothing, or has more than {MOST_POINTS} points')
    ring = max(usable, key=lambda each: abs(area(each)))
    return tuple(ring) if area(ring) > 0 else tuple(ring[::-1])


def _without_doubles(ring: list[Point]) -> list[Point]:
    kept: list[Point] = []
    for point in ring:
        if not kept or math.dist(point, kept[-1]) > 1e-6:
            kept.append(point)
    while len(kept) > 1 and math.dist(kept[0], kept[-1]) < 1e-6:
        kept.pop()
    return kept


def _fitted(ring: Ring, width: float, height: float) -> Ring:
    xs, ys = zip(*ring, strict=True)
    left, top, across, down = min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)
    return tuple(((x - left) / across * width, (y - top) / down * height) for x, y in ring)


MOST_CELL = 200.0
# A narrower tab has no room for a word.
LEAST_TAB = 10.0


class Card(Sized, Single):
    """A card: a row of its table, or one design in so many copies."""

    tabled: ClassVar[bool] = True
    kind: Annotated[Literal["card"], WHAT] = "card"


class Domino(Sized):
    """The dominoes of a set, which are known from its highest number."""

    kind: Annotated[Literal["domino"], WHAT]
    highest: Annotated[int, Field(ge=0, le=18)] = Field(description="Highest number of a domino set: 6 for double-six.")

    def rows(self, key: str, shelf: Shelf, place: Place) -> Table | None:
        return super().rows(key, shelf, place) if self.table is not None else domino_table(key, self.highest, place)


class Tile(Single):
    """A tile of hexes, sized by the largest of its table."""

    tabled: ClassVar[bool] = True
    roles: ClassVar[tuple[str, ...]] = ("hexes",)
    kind: Annotated[Literal["tile"], WHAT]
    hexes: Name | None = Field(
        None,
        description="Table of a tile's hexes: columns tile, q, r and what is on them. Without it each row of the tiles' own "
        "table is a tile: of one hex, or of those that its column hexes lists, such as 0,0 1,0 0,1.",
    )
    hex: Text = Field(
        description='A hex from flat to flat, such as 42mm. Square tiles are tokens: kind = "token", shape = "square".'
    )

    def made(self, component: Component, shelf: Shelf) -> Component | None:
        if not (size := shelf.length(component.name, "hex", self.hex, 5.0, MOST_CELL)):
            return None
        if self.hexes is None:
            tiles = one_table_tiles(component.name, component.table, size, shelf.problems)
        elif (table := shelf.tables.get(self.hexes)) is not None:
            table.used.update(table.columns)
            tiles = read_hextiles(component.name, component.table, table, size, shelf.problems)
        else:
            return None
        if tiles is None:
            return None
        boxes = [hexes.bounds([(cell.q, cell.r) for cell in cells], size) for cells in tiles.tiles.values()]
        width, height = max(box.width for box in boxes), max(box.height for box in boxes)
        return replace(component, hexes=tiles, width=width, height=height)


class MapBoard(Single):
    """A board of squares, sized by its map."""

    roles: ClassVar[tuple[str, ...]] = ("legend",)
    kind: Annotated[Literal["board"], WHAT]
    size: Size | None = Field(None, description="Told by the map.")
    map: Text = Field(description="Text file of a board, a line a row, a character a cell; or a CSV.")
    legend: Name = Field(description="Table of a board's letters: columns letter, kind and what you need.")
    cell: Text = Field(description="Side of a board's square, or its hex from flat to flat, such as 20mm.")
    grid: GridName = Field(
        "square",
        description="What a map's letters are: square, hex (a point at the top) or hex-flat (a flat side at the top).",
    )
    join: Literal["glue", "butt"] = Field(
        "glue", description="How pages of a board meet: glue (10 mm overlap) or butt (edge to edge)."
    )

    def made(self, component: Component, shelf: Shelf) -> Component | None:
        size = shelf.length(component.name, "cell", self.cell, 2.0, MOST_CELL)
        path = shelf.folder / self.map
        if not file_within(shelf.folder, path):
            files = sorted(file.name for file in shelf.folder.glob("*.txt"))
            message = f'there is no map "{self.map}" in the game\'s folder'
            shelf.problems.unknown("missing-map", shelf.at(component.name, "map"), message, self.map, files)
            return None
        legend = shelf.tables.get(self.legend)
        if legend is None or not size:
            return None
        legend.used.update(legend.columns)
        board = read_board(path, shelf.project.shown(path), legend, size, shelf.problems, self.grid)
        if board is None:
            return None
        box = grids.bounds(self.grid, (cell for field in board.fields for cell in field.cells), size)
        # Seams run between squares; between hexes there is no straight line.
        step = size if self.grid == "square" else 0.0
        return replace(component, board=board, width=box.right, height=box.bottom, step=step, join=self.join)


class Token(Sized, Single):
    """A chip or counter, cut along a disc, a hex or a drawing's path."""

    tabled: ClassVar[bool] = True
    kind: Annotated[Literal["token"], WHAT]
    shape: Text | None = Field(
        None, description="A token's outline: circle, square, hex, or a drawing in art/ whose path is the outline."
    )

    def measured(self) -> tuple[float, float]:
        length = length_of_one(self.size, self.kind)
        return super().measured() if length is None else token_size(self.shape or "", length)

    def made(self, component: Component, shelf: Shelf) -> Component | None:
        art = ArtFolder.of(shelf.folder).home
        try:
            outline = token_outline(self.shape or "circle", component.width, component.height, art)
        except Fault as error:
            known = shape_names(art)
            place = shelf.at(component.name, "shape")
            shelf.problems.unknown("bad-shape", place, error.message, self.shape or "", known)
            return None
        return replace(component, outline=outline, shape=shape_file(self.shape or "circle", art))


class Divider(Sized, Single):
    """A card with a tab at its top, to stand between cards; row by row the tabs go from left to right."""

    tabled: ClassVar[bool] = True
    kind: Annotated[Literal["divider"], WHAT]
    tab: Text = Field("8mm", description="How far a divider's tab stands above the card behind which it is.")
    tabs: Annotated[int, Field(ge=1, le=12)] = Field(
        3, description="In how many places along the top of dividers tabs are; a column tab may say in which, from 1."
    )

    def made(self, component: Component, shelf: Shelf) -> Component | None:
        if not (tab := shelf.length(component.name, "tab", self.tab, 4.0, 50.0)):
            return None
        if component.width / self.tabs < LEAST_TAB:
            shelf.problems.error(
                "bad-value",
                shelf.at(component.name, "tabs"),
                f"{self.tabs} tabs side by side on {units.show(component.width)} mm are narrower than {LEAST_TAB:g} mm each",
                value=str(self.tabs),
                hint=f"Have no more than {max(1, int(component.width // LEAST_TAB))}.",
            )
            return None
        places = {}
        for index, row in enumerate(component.table):
            said = row.text("tab")
            if said and not (said.isascii() and said.isdigit() and 1 <= int(said) <= self.tabs):
                message = f'"{said}" is not a place of a tab'
                allowed = f"a whole number from 1, at the left, to {self.tabs}"
                shelf.problems.error("bad-number", row.place_of("tab"), message, value=said, allowed=allowed)
            else:
                places[row.id] = int(said) - 1 if said else index % self.tabs
        if len(places) < len(component.table.rows):
            return None
        return replace(component, tabs=Tabs(self.tabs, tab, places), height=component.height + tab)


class Spaced(Sized, Single):
    """A board with spaces for markers: in rows, around its edge, or each at its own place."""

    roles: ClassVar[tuple[str, ...]] = ("spaces",)
    turn: ClassVar[int] = 1
    spaces: Name | None = Field(
        None, description="Table of the spaces: columns track, value and what they show; x and y, if in mm."
    )
    marker: Name | None = Field(None, description="The component that lies on a tracker: its slots are made to fit.")
    around: bool = Field(False, description="The spaces run around the edge, clockwise from the top left, as a score track.")

    def made(self, component: Component, shelf: Shelf) -> Component | None:
        if self.spaces is None:
            if (key := next((key for key in ("marker", "around") if getattr(self, key)), None)) is None:
                return component
            message = f'"{key}" is about the spaces of "{component.name}", which has none'
            hint = "Name their table: spaces = …"
            shelf.problems.error("missing-key", shelf.at(component.name, key), message, hint=hint)
            return None
        table = shelf.tables.get(self.spaces)
        if table is None or not known_columns(table, ["track", "value"], shelf.at(component.name, "spaces"), shelf.problems):
            return None
        marker = shelf.known.get(self.marker or "")
        fitting = [name for name in shelf.held() if shelf.kinds[name] != "tracker"]
        if self.marker is not None and self.marker not in fitting:
            place = shelf.at(component.name, "marker")
            message = f'"{self.marker}" is not a component that can lie on a tracker'
            shelf.problems.unknown("unknown-component", place, message, self.marker, fitting)
            return None
        tracker = read_tracker(component, table, marker, self.around, shelf)
        return replace(component, tracker=tracker) if tracker else None


class TrackerBoard(Spaced):
    """A board of numbered tracks: its spaces by track, each with room for its marker."""

    kind: Annotated[Literal["tracker"], WHAT]
    spaces: Name = Field(description="Table of the spaces: columns track, value and what they show; x and y, if in mm.")


class Board(Spaced):
    """A board that its template draws freely at a size, with or without spaces for markers."""

    kind: Annotated[Literal["board"], WHAT]
    join: Literal["glue", "butt"] = Field(
        "glue", description="How pages of a board meet: glue (10 mm overlap) or butt (edge to edge)."
    )

    def made(self, component: Component, shelf: Shelf) -> Component | None:
        made = super().made(component, shelf)
        return replace(made, join=self.join) if made else None


RULES: Mapping[KindName, type[PieceRules]] = {
    "card": Card,
    "tile": Tile,
    "domino": Domino,
    "board": Board,
    "token": Token,
    "tracker": TrackerBoard,
    "divider": Divider,
}
