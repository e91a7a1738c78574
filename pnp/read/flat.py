"""Pieces that stay flat: cards, dominoes, tiles, boards, tokens and trackers; the keys of each, and how it is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from pnp.read.boardmap import read_board
from pnp.read.dominoes import domino_table
from pnp.read.fields import Name, Text
from pnp.read.hextiles import read_hextiles
from pnp.read.pieces import WHAT, PieceRules, Shelf, Single, Size, Sized, known_columns, length_of_one
from pnp.read.shapes import BadShape, shape_file, shape_names, token_outline, token_size
from pnp.shapes import hexes, units
from pnp.system.artfiles import ArtFolder
from pnp.system.paths import file_within
from pnp.values.game import Component, HexTiles, Row, Table, Tracker
from pnp.values.kinds import KindName
from pnp.values.problems import Place, Problems

MOST_CELL = 200.0


class Card(Sized):
    """A card: a row of its table."""

    tabled: ClassVar[bool] = True
    kind: Annotated[Literal["card"], WHAT] = "card"


class Domino(Sized):
    """The dominoes of a set, which are known from its highest number."""

    kind: Annotated[Literal["domino"], WHAT]
    highest: Annotated[int, Field(ge=0, le=18)] = Field(
        description="Highest number of a domino set: 6 for double-six.",
    )

    def rows(self, key: str, shelf: Shelf, place: Place) -> Table | None:
        return super().rows(key, shelf, place) if self.table is not None else domino_table(key, self.highest, place)


class Tile(PieceRules):
    """A tile of hexes, sized by the largest of its table."""

    tabled: ClassVar[bool] = True
    kind: Annotated[Literal["tile"], WHAT]
    hexes: Name = Field(description="Table of a tile's hexes: columns tile, q, r and what is on them.")
    hex: Text = Field(description="A hex from flat to flat, such as 42mm.")

    def tables(self, key: str) -> Iterator[tuple[str, str]]:
        yield from super().tables(key)
        if self.hexes is not None:
            yield "hexes", self.hexes

    def made(self, component: Component, shelf: Shelf, problems: Problems) -> Component | None:
        size = shelf.length(component.name, "hex", self.hex, 5.0, MOST_CELL, problems)
        table = shelf.tables.get(self.hexes)
        if table is None or not size:
            return None
        table.used.update(table.columns)
        tiles: HexTiles | None = read_hextiles(component.name, component.table, table, size, problems)
        if tiles is None:
            return None
        boxes = [hexes.bounds([(cell.q, cell.r) for cell in cells], size) for cells in tiles.tiles.values()]
        width, height = max(box.width for box in boxes), max(box.height for box in boxes)
        return replace(component, hexes=tiles, width=width, height=height)


class Board(Sized):
    """A board that its template draws freely at a size."""

    kind: Annotated[Literal["board"], WHAT]
    join: Literal["glue", "butt"] = Field(
        "glue", description="How pages of a board meet: glue (10 mm overlap) or butt (edge to edge)."
    )

    def made(self, component: Component, shelf: Shelf, problems: Problems) -> Component | None:
        return replace(component, join=self.join)


class MapBoard(PieceRules):
    """A board of squares, sized by its map."""

    kind: Annotated[Literal["board"], WHAT]
    size: Size | None = Field(None, description="Told by the map.")
    map: Text = Field(description="Text file of a board, a line a row, a character a cell; or a CSV.")
    legend: Name = Field(description="Table of a board's letters: columns letter, kind and what you need.")
    cell: Text = Field(description="Side of a board's square, such as 20mm.")
    join: Literal["glue", "butt"] = Field(
        "glue", description="How pages of a board meet: glue (10 mm overlap) or butt (edge to edge)."
    )

    def tables(self, key: str) -> Iterator[tuple[str, str]]:
        yield from super().tables(key)
        if self.legend is not None:
            yield "legend", self.legend

    def made(self, component: Component, shelf: Shelf, problems: Problems) -> Component | None:
        size = shelf.length(component.name, "cell", self.cell, 2.0, MOST_CELL, problems)
        path = shelf.folder / self.map
        if not file_within(shelf.folder, path):
            files = sorted(file.name for file in shelf.folder.glob("*.txt"))
            problems.unknown(
                "missing-map",
                shelf.lines.place("component", component.name, "map"),
                f'there is no map "{self.map}" in the game\'s folder',
                self.map,
                files,
            )
            return None
        legend = shelf.tables.get(self.legend)
        if legend is None or not size:
            return None
        legend.used.update(legend.columns)
        board = read_board(path, shelf.project.shown(path), legend, size, problems)
        if board is None:
            return None
        width, height = board.columns * size, board.rows * size
        return replace(component, board=board, width=width, height=height, step=size, join=self.join)


class Token(Sized):
    """A chip or counter, cut along a disc, a hex or a drawing's path."""

    tabled: ClassVar[bool] = True
    kind: Annotated[Literal["token"], WHAT]
    shape: Text | None = Field(
        None, description="A token's outline: circle, square, hex, or a drawing in art/ whose path is the outline."
    )

    def measured(self) -> tuple[float, float]:
        length = length_of_one(self.size, self.kind)
        return super().measured() if length is None else token_size(self.shape or "", length)

    def made(self, component: Component, shelf: Shelf, problems: Problems) -> Component | None:
        art = ArtFolder.of(shelf.folder).home
        try:
            outline = token_outline(self.shape or "circle", component.width, component.height, art)
        except BadShape as error:
            known = shape_names(art)
            problems.unknown(
                "bad-shape",
                shelf.lines.place("component", component.name, "shape"),
                str(error),
                self.shape or "",
                known,
            )
            return None
        return replace(component, outline=outline, shape=shape_file(self.shape or "circle", art))


class TrackerBoard(Sized, Single):
    """A board of numbered tracks: its spaces by track, each with room for its marker."""

    kind: Annotated[Literal["tracker"], WHAT]
    spaces: Name = Field(description="Table of a tracker's spaces: columns track, value and what they show.")
    marker: Name | None = Field(None, description="The component that lies on a tracker: its slots are made to fit.")

    @property
    def turn(self) -> int:
        return 1 if self.marker is not None else 0

    def tables(self, key: str) -> Iterator[tuple[str, str]]:
        yield from super().tables(key)
        if self.spaces is not None:
            yield "spaces", self.spaces

    def made(self, component: Component, shelf: Shelf, problems: Problems) -> Component | None:
        table = shelf.tables.get(self.spaces)
        if table is None or not known_columns(
            table, ["track", "value"], shelf.lines.place("component", component.name, "spaces"), problems
        ):
            return None
        table.used.update(table.columns)
        tracks: dict[str, tuple[Row, ...]] = {}
        for row in table:
            tracks[row.text_of("track")] = (*tracks.get(row.text_of("track"), ()), row)
        if not tracks:
            if table.whole:
                what = f'no row of the table "{table.name}" is a space of "{component.name}"'
                hint = "A row is a space: add one below the column names."
                problems.error("no-rows", Place(table.file), what, hint=hint)
            return None
        marker = shelf.known.get(self.marker or "")
        fitting = [name for name in shelf.held() if shelf.kinds[name] != "tracker"]
        if self.marker is not None and self.marker not in fitting:
            problems.unknown(
                "unknown-component",
                shelf.lines.place("component", component.name, "marker"),
                f'"{self.marker}" is not a component that can lie on a tracker',
                self.marker,
                fitting,
            )
            return None
        tracker = Tracker(tracks, (marker.width, marker.height) if marker else None)
        _check_room(component, tracker, marker, shelf, problems)
        return replace(component, tracker=tracker)


def _check_room(component: Component, tracker: Tracker, marker: Component | None, shelf: Shelf, problems: Problems) -> None:
    """Each space has room for what lies on it, and a millimetre to spare."""
    width, height = tracker.marker or (0.0, 0.0)
    across = min(tracker.pitch(name, component.width) for name in tracker.tracks)
    down = component.height / len(tracker.tracks)
    if across < width + 1 - 1e-6 or down < height + 1 - 1e-6:
        needed = f'the marker "{marker.name}" needs' if marker else "it needs"
        problems.error(
            "small-spaces",
            shelf.lines.place("component", component.name, "size"),
            f'the smallest space of "{component.name}" is {units.show(max(across, 0))} × {units.show(down)} mm, and '
            f"{needed} {units.show(width + 1)} × {units.show(height + 1)} mm",
            hint="Make the tracker larger, or its marker smaller.",
        )


RULES: Mapping[KindName, type[PieceRules]] = {
    "card": Card,
    "tile": Tile,
    "domino": Domino,
    "board": Board,
    "token": Token,
    "tracker": TrackerBoard,
}
