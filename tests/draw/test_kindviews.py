"""Pieces as templates see them, kind by kind: outlines that can be cut, rooms in mm, backs turned over, bleed around all."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import reduce
from itertools import pairwise
from pathlib import Path
from typing import Any

import pypdf
import pypdfium2 as pdfium
import pytest
from conftest import TinyProject, examples, paths_in, read_whole, toml
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from shapely.geometry import LineString, Point, Polygon, box
from shapely.geometry.base import BaseGeometry

from pnp.draw.kinds import (
    KINDS,
    board_values,
    divider_outline,
    divider_values,
    net_outline,
    net_values,
    rings,
    square_grid,
    tile_outline,
    tile_values,
    token_outline,
    token_values,
    tracker_values,
)
from pnp.read import flat
from pnp.shapes.hexes import FLOWER
from pnp.shapes.nets import boxes, stands
from pnp.shapes.nets.net import Net
from pnp.shapes.outline import Ring, area
from pnp.values.game import Board, Component, Field, HexCell, HexTiles, Side, Tabs, Tracker
from pnp.values.problems import Place
from pnp.values.tables import Cell, Row, Table

PLACE = Place("pieces.csv", 2)
SIDES: tuple[Side, ...] = ("front", "back")
Square = tuple[int, int]
# How exactly a path is written, in mm, on a board of up to two metres.
FINE = 0.002


def row(name: str = "anna", **cells: object) -> Row:
    return Row(name, 1, PLACE, {key: Cell(value, str(value), PLACE) for key, value in cells.items()}, set())  # type: ignore[arg-type]


def component(kind: str, width: float, height: float, bleed: float = 3, rows: Sequence[Row] = (), **more: Any) -> Component:
    table = Table("pieces", "pieces.csv", (), tuple(rows) or (row(),), set())
    return Component("pieces", "Pieces", kind, table, "face", "face", width, height, bleed, "card", PLACE, **more)


def numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?[\d.]+(?:e-?\d+)?", text)]


def points(path: str) -> list[list[tuple[float, float]]]:
    """The rings of an SVG path of straight lines."""
    assert re.fullmatch(r"(M[-\d.e ]+(L[-\d.e ]+)+z)+", path), path
    found = [numbers(part) for part in path.split("z")[:-1]]
    return [list(zip(ring[::2], ring[1::2], strict=True)) for ring in found]


def inked(path: str) -> BaseGeometry:
    """What a path covers when it is filled; rings within others are holes."""
    return reduce(lambda one, two: one.symmetric_difference(two), (Polygon(ring).buffer(0) for ring in points(path)))


def covers(path: str, x: float, y: float) -> bool:
    """Whether a fill by SVG's usual (nonzero) rule covers the point, however the one ring crosses itself."""
    winding, (ring,) = 0, points(path)
    for (x0, y0), (x1, y1) in pairwise([*ring, ring[0]]):
        if (y0 <= y) != (y1 <= y) and x0 + (y - y0) / (y1 - y0) * (x1 - x0) > x:
            winding += 1 if y1 > y0 else -1
    return winding != 0


def rim(shape: BaseGeometry) -> list[tuple[float, float]]:
    """A point each millimetre around a shape."""
    return [shape.exterior.interpolate(at).coords[0] for at in range(math.ceil(shape.exterior.length))]


def moved(matrix: str, x: float, y: float) -> tuple[float, float]:
    """A point under an SVG transform: x' = a x + c y + e, y' = b x + d y + f."""
    a, b, c, d, e, f = numbers(matrix.removeprefix("matrix"))
    return a * x + c * y + e, b * x + d * y + f


def turned(shape: BaseGeometry, width: float) -> Polygon:
    """A shape seen from behind."""
    return Polygon([(width - x, y) for x, y in shape.exterior.coords])


def same(one: BaseGeometry, two: BaseGeometry) -> bool:
    """Whether two shapes differ by rounding only: nowhere by more than 0.01 mm."""
    return one.symmetric_difference(two).buffer(-0.01).is_empty and math.isclose(one.area, two.area, rel_tol=1e-3)


# --- folded pieces ----------------------------------------------------------------------------------------------------


NETS: dict[str, Net] = {
    "standee": stands.standee(30, 40, 9),
    "pawn": stands.pawn(20, 34, 16),
    "prism": stands.prism(30, 32, 20),
    "box": boxes.tuck_box(65, 90, 23.5),
    "pouch": boxes.pouch(100, 105, 45),
    "screen": boxes.screen([55, 140, 60], 95),
    "part": boxes.screen_parts([155, 140, 155], 277, 95)[0],
    "ship": stands.ship(63, 3),
    "d6": boxes.d6(16),
    "d10": boxes.d10(22),
}
every_net = pytest.mark.parametrize("kind", NETS)
both_sides = pytest.mark.parametrize("side", SIDES)


def folded(net: Net, bleed: float = 3) -> Component:
    return component("die", net.bounds.width, net.bounds.height, bleed, nets=(net,))


def net_view(made: Component, side: Side = "front") -> dict[str, Any]:
    return net_values(made, made.table.rows[0], side)["net"]  # type: ignore[no-any-return]


@every_net
@both_sides
def test_a_panel_s_transform_puts_its_outline_on_the_net(kind: str, side: Side) -> None:
    """``path`` in the panel's own mm, under ``transform``, is the panel's outline on the face: turned and shifted, neither
    scaled nor mirrored; on the back turned over. The net is cut along the outline around all; what fills a panel's
    ``bleed`` covers all that is nearer than the bleed."""
    net = NETS[kind]
    made = folded(net)
    view = net_view(made, side)
    for panel, seen in zip(net.panels, view["panels"], strict=True):
        a, b, c, d, *_ = numbers(seen["transform"])
        ring = Polygon([(x if side == "front" else net.bounds.width - x, y) for x, y in panel.ring])

        assert seen["name"] == panel.name and seen["glue"] == panel.glue
        assert math.isclose(a * d - b * c, 1, abs_tol=1e-5) and math.isclose(math.hypot(a, b), 1, abs_tol=1e-5)
        assert same(Polygon([moved(seen["transform"], *point) for point in points(seen["path"])[0]]), ring), panel.name
        for x, y in ((0.0, 0.0), (3.0, 5.0)):
            mirrored = moved(seen["transform"], seen["width"] - x, y)
            assert moved(seen["mirror"], x, y) == pytest.approx(mirrored, abs=1e-3), panel.name
    for shape in (*view["panels"], {"name": "net", "path": view["outline"], "bleed": view["bleed"]}):
        wanted = inked(shape["path"]).buffer(3 - 0.05)
        assert all(covers(shape["bleed"], *point) for point in (*rim(wanted), *points(shape["path"])[0])), shape["name"]
    outline, cut = inked(view["outline"]), net_outline(made, made.table.rows[0], side)
    whole = Polygon(net.outline) if side == "front" else turned(Polygon(net.outline), made.width)
    assert same(outline, whole)
    # A strip that is a rectangle has its trim.
    assert cut is None if kind in ("standee", "screen") else cut is not None and same(Polygon(cut), whole)


def test_the_panels_of_a_standee_lie_where_its_measures_say() -> None:
    """30 × 40 mm with a base of 9: from the top a flap to 9, the back on its head to 49, the front to 89, a flap to 98."""
    seen = net_view(folded(NETS["standee"]))["panel"]
    corners = {
        name: [moved(panel["transform"], *corner) for corner in ((0, 0), (panel["width"], panel["height"]))]
        for name, panel in seen.items()
    }

    assert {name: (panel["width"], panel["height"]) for name, panel in seen.items()} == {
        "front": (30, 40), "back": (30, 40), "base-back": (30, 9), "base-front": (30, 9),
    }  # fmt: skip
    assert corners == {
        "base-back": [(30, 9), (0, 0)],
        "back": [(30, 49), (0, 9)],
        "front": [(0, 49), (30, 89)],
        "base-front": [(0, 89), (30, 98)],
    }


@settings(max_examples=examples(40), deadline=None)
@given(st.floats(0, 30), st.floats(0, 40))
def test_a_mirrored_back_matches_its_front(x: float, y: float) -> None:
    """What is drawn at a place of the front and, with ``mirror``, at the same place of the back lies back to back once the
    sheet is folded between them, at 49 mm: one silhouette can be cut out of both."""
    seen = net_view(folded(NETS["standee"]))["panel"]
    across, down = moved(seen["front"]["transform"], x, y)
    back_across, back_down = moved(seen["back"]["mirror"], x, y)

    assert math.isclose(across, back_across, abs_tol=1e-6) and math.isclose(down - 49, 49 - back_down, abs_tol=1e-6)


DICE = toml("""
game: name = "Tiny"; papers = ["a4"]
six: kind = "die"; size = "20mm"; sides = 6; template = "die"
ten: kind = "die"; size = "24mm"; sides = 10; template = "die"
own: kind = "die"; size = "20mm"; sides = 6; template = "die"; faces = ["A", "B", "C", "D", "E", "F"]
rows: kind = "die"; size = "20mm"; sides = 6; template = "die"; table = "dice"
""")
DIE = """{% extends "shared/face.svg.j2" %}{% import "shared/pieces.svg.j2" as s %}{% block face %}
{% for p in net.panels if p.value %}<g transform="{{ p.transform }}">
{{ s.text(p.value ~ p.value, 3, p.height / 2 - 3, p.width - 6, 8, size="12 9", align="center") }}
</g>{% endfor %}{% endblock %}"""


def test_all_faces_of_dice_are_printed(tiny: TinyProject) -> None:
    """A component's faces, or those of each row of its table, stand once on the sheets of their die. Without ``faces`` a d6
    shows 1 to 6 and a d10 0 to 9; what opposite faces show makes 7, or 9."""
    tiny.write("content/tiny/game.toml", DICE)
    (tiny.game / "cards.csv").unlink()
    (tiny.project.root / "templates/tiny/cards.svg.j2").unlink()
    tiny.write("content/tiny/dice.csv", "id,faces\nred,G H I J K L\nblue,M N O P Q R\n")
    # Each text is drawn twice over, so that it is not taken for another number of a sheet.
    tiny.write("templates/tiny/die.svg.j2", DIE)
    for made in read_whole(tiny.project).components[:2]:
        panels = net_view(made)["panel"]
        shown = [
            int(panels[f"face-{number}"]["value"])
            for number in range(1, len(made.nets[0].panels) + 1)
            if f"face-{number}" in panels
        ]
        assert sorted(shown) == list(range(1, 7) if len(shown) == 6 else range(10))
        assert {one + two for one, two in zip(shown, shown[::-1], strict=True)} == {7 if len(shown) == 6 else 9}
    result = tiny.build()
    assert result.ok and not list(result.problems), [str(problem) for problem in result.problems]
    for name, faces in (("own", "ABCDEF"), ("rows", "GHIJKLMNOPQR")):
        # The sheet comes first; the pictures of how to fold it show the faces again and again.
        words = pypdf.PdfReader(tiny.project.root / f"output/tiny/a4/{name}.pdf").pages[0].extract_text().split()
        assert (
            "".join(sorted(pair[0] for pair in words if len(pair) == 2 and pair[0] == pair[1] and pair.isupper())) == faces
        )


# --- tokens -----------------------------------------------------------------------------------------------------------


FLAG = "M0 0 L4 1 L0 2 L0 5 L-1 5 L-1 0 z"
"""A pennant to the right of its pole: not its own mirror image."""


@pytest.fixture
def art(tmp_path: Path) -> Path:
    (tmp_path / "shapes").mkdir()
    for name, data in (("flag", FLAG), ("wrong-way", "M0 0 L0 5 L4 5 L4 0 z")):
        drawing = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-5 0 10 10"><path d="{data}"/></svg>'
        (tmp_path / "shapes" / f"{name}.svg").write_text(drawing, encoding="utf-8")
    return tmp_path


def token(outline: Ring | None, width: float, height: float, bleed: float = 3) -> Component:
    return component("token", width, height, bleed, outline=outline)


def token_view(made: Component, side: Side = "front") -> dict[str, str]:
    return token_values(made, made.table.rows[0], side)["token"]  # type: ignore[no-any-return]


@pytest.mark.parametrize("shape", ["circle", "hex", "shapes/flag", "shapes/wrong-way"])
def test_the_back_of_a_token_is_its_front_turned_over(shape: str, art: Path) -> None:
    """Left and right are exchanged within the trim; either way round it is drawn, the ring runs clockwise, so that its bleed
    goes outwards, and the back's is the front's mirrored."""
    made = token(flat.token_outline(shape, 30, 20, art), 30, 20)
    front, back = (token_outline(made, made.table.rows[0], side) for side in SIDES)
    assert front and back and area(front) > 0 and area(back) > 0
    assert same(Polygon(back), turned(Polygon(front), 30)) and same(inked(token_view(made, "back")["path"]), Polygon(back))
    grown = inked(token_view(made)["bleed"])
    assert grown.bounds == pytest.approx((-3, -3, 33, 23), abs=0.5)
    assert same(inked(token_view(made, "back")["bleed"]), turned(grown, 30))


@st.composite
def stars(draw: st.DrawFn) -> Ring:
    """Rings with sharp points and narrow bays around the middle of a token of 40 × 40 mm, clockwise on the page."""
    reaches = draw(st.lists(st.integers(3, 20), min_size=3, max_size=14))
    turns = [math.tau * number / len(reaches) for number in range(len(reaches))]
    return tuple((20 + r * math.cos(turn), 20 + r * math.sin(turn)) for r, turn in zip(reaches, turns, strict=True))


@settings(max_examples=examples(60), deadline=None)
@given(stars(), st.sampled_from([0.0, 2.0, 3.0]))
def test_points_and_bays_of_a_token_have_their_bleed(ring: Ring, bleed: float) -> None:
    """However sharp its points and narrow its bays are, all that is nearer than the bleed is covered, and nothing that is
    further away than twice the bleed: no spikes. A bleed of 0 is the outline."""
    view = token_view(token(ring, 40, 40, bleed))
    path = inked(view["path"])
    if not bleed:
        assert view["bleed"] == view["path"]
        return
    assert all(covers(view["bleed"], x, y) for x, y in (*rim(path.buffer(bleed - 0.02)), *ring, (20, 20)))
    assert path.buffer(2 * bleed + 0.01).covers(LineString(points(view["bleed"])[0]))


# --- trackers ---------------------------------------------------------------------------------------------------------


def board(tracks: dict[str, int], width: float, height: float) -> Component:
    spaces = {name: tuple(row(f"{name}-{n}", value=n) for n in range(number)) for name, number in tracks.items()}
    return component("tracker", width, height, tracker=Tracker(spaces, None))


def tracks_of(made: Component) -> list[dict[str, Any]]:
    return tracker_values(made, made.table.rows[0], "front")["tracker"]["tracks"]  # type: ignore[no-any-return]


@settings(max_examples=examples(60), deadline=None)
@given(
    st.dictionaries(st.sampled_from(["sails", "speed", "water", "gold"]), st.integers(1, 25), min_size=1, max_size=4),
    st.integers(60, 400).map(float),
    st.integers(20, 200).map(float),
)
def test_spaces_lie_inside_the_board_and_never_overlap(names: dict[str, int], width: float, height: float) -> None:
    """Each has its own room, clear of the cut left and right and within its own track."""
    rooms: list[BaseGeometry] = []
    for track in tracks_of(board(names, width, height)):
        band = box(5.9, track["y"] - 0.01, width - 5.9, track["y"] + track["height"] + 0.01)
        for space in track["spaces"]:
            x, y, wide, high = (space[key] for key in ("x", "y", "width", "height"))
            rooms.append(box(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2))
            assert band.covers(rooms[-1]) and y - high / 2 >= -0.001 and y + high / 2 <= height + 0.001
    assert all(one.intersection(two).area < 0.05 for at, one in enumerate(rooms) for two in rooms[at + 1 :])


def test_each_space_knows_its_row() -> None:
    """In the table's order from the left: what a space shows is its row's."""
    first, second = tracks_of(board({"sails": 3, "speed": 2}, 112, 40))

    assert [space["row"]["value"] for space in first["spaces"]] == [0, 1, 2]
    assert [space["row"].id for space in second["spaces"]] == ["speed-0", "speed-1"]
    # 112 mm less 6 on either side are 100 mm: two spaces of 50, their middles at 31 and 81; the lower half's middle at 30.
    assert [(space["x"], space["y"], space["width"], space["height"]) for space in second["spaces"]] == [
        (31, 30, 50, 20),
        (81, 30, 50, 20),
    ]


def test_a_tracker_of_a_game_has_its_spaces_by_track(tiny: TinyProject) -> None:
    """Rows of one track belong together wherever they stand in the table; the marker's size is that of its component."""
    water = 'water: kind = "tracker"; size = "150mm x 40mm"; spaces = "spaces"; marker = "chips"; template = "cards"'
    chips = 'chips: kind = "token"; size = "12mm x 14mm"; table = "cards"; template = "cards"'
    tiny.write("content/tiny/game.toml", toml(f'game: name = "Tiny"\n{water}\n{chips}'))
    tiny.write("content/tiny/spaces.csv", "track,value\nsails,0\nspeed,0\nsails,1\nspeed,1\nsails,2\n")
    made = next(component for component in read_whole(tiny.project).components if component.kind == "tracker")
    seen: dict[str, Any] = KINDS["tracker"].values(made, made.table.rows[0], "front")["tracker"]

    shown = {track["name"]: [str(space["row"]["value"]) for space in track["spaces"]] for track in seen["tracks"]}
    assert shown == {"sails": ["0", "1", "2"], "speed": ["0", "1"]}
    assert seen["marker"] == {"width": 12, "height": 14}


# --- hex tiles --------------------------------------------------------------------------------------------------------


@st.composite
def grown(draw: st.DrawFn) -> tuple[Square, ...]:
    """Hexes in one piece."""
    cells: list[Square] = [(0, 0)]
    for _ in range(draw(st.integers(0, 7))):
        q, r = draw(st.sampled_from(cells))
        dq, dr = draw(st.sampled_from(FLOWER[1:]))
        cells.append((q + dq, r + dr))
    return tuple(dict.fromkeys(cells))


@settings(max_examples=examples(80), deadline=None)
@given(grown(), st.sampled_from([12.0, 30.0, 42.0]), st.sampled_from([0.0, 3.0]))
def test_a_tile_is_its_hexes(shape: tuple[Square, ...], size: float, bleed: float) -> None:
    """Its outline fills the trim and holds each hex: q leads to the right, r half a hex to the right and √3/2 down. Turned
    over about the upright line in its middle, outline and hexes lie on the back's; the bleed goes beyond all of it."""
    root3, one = math.sqrt(3), row("0")
    xs, ys = [q + r / 2 for q, r in shape], [r * root3 / 2 for _, r in shape]
    wide, tall = (max(xs) - min(xs) + 1) * size, (max(ys) - min(ys) + 2 / root3) * size
    hexes = HexTiles(size, {"0": tuple(HexCell(q, r, one) for q, r in shape)})
    made = component("tile", wide, tall, bleed, [one], hexes=hexes)
    front, back = (tile_values(made, one, side)["tile"] for side in SIDES)
    outline, behind = (Polygon(tile_outline(made, one, side) or ()) for side in SIDES)
    first = front["cells"][0]

    assert outline.bounds == pytest.approx((0, 0, wide, tall), abs=1e-3) and same(behind, turned(outline, wide))
    assert [(cell["q"], cell["r"]) for cell in front["cells"]] == list(shape)
    for cell, other in zip(front["cells"], back["cells"], strict=True):
        q, r = cell["q"] - first["q"], cell["r"] - first["r"]
        middle = first["x"] + size * (q + r / 2), first["y"] + size * r * root3 / 2
        assert (cell["x"], cell["y"]) == pytest.approx(middle, abs=1e-6)
        assert all(math.isclose(math.dist(corner, middle), size / root3) for corner in cell["corners"])
        assert outline.contains(Point(middle))
        assert (cell["q"], cell["r"], cell["row"]) == (other["q"], other["r"], other["row"])
        assert (other["x"], other["y"]) == pytest.approx((wide - cell["x"], cell["y"]), abs=1e-6)
        assert same(Polygon(other["corners"]), turned(Polygon(cell["corners"]), wide))
    left, _, right, _ = inked(front["bleed"]).bounds
    assert (left, right) == pytest.approx((-bleed, wide + bleed), abs=0.002)
    assert bleed or front["bleed"] == front["outline"]


# --- boards -----------------------------------------------------------------------------------------------------------


STEPS = {">": (1, 0), "<": (-1, 0), "^": (0, -1), "v": (0, 1)}
GROUND = {"#": "land", ".": "sea"}


def seen(cell: float, *fields: tuple[str, set[Square]]) -> dict[str, Any]:
    """``board`` of a board whose fields are these; all other squares of its bounds are one more, of sea."""
    named = {square for _, squares in fields for square in squares}
    columns, rows = (max(square[axis] for square in named) + 1 for axis in (0, 1))
    rest = {(x, y) for x in range(columns) for y in range(rows)} - named
    made = []
    for letter, squares in (*fields, *([(".", rest)] if rest else [])):
        about = row(letter, letter=letter, **({"kind": GROUND[letter]} if letter in GROUND else {}))
        made.append(Field(letter, about, tuple(sorted(squares, key=lambda square: square[::-1])), STEPS.get(letter)))
    board = Board(columns, rows, cell, tuple(made), PLACE)
    sea = component("board", columns * cell, rows * cell, board=board, step=cell)
    return board_values(sea, sea.table.rows[0], "front")["board"]  # type: ignore[no-any-return]


shapes = st.sets(st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=1, max_size=25)
cells = st.sampled_from([5.0, 16.5, 18.25, 22.0, 33.33])


def squared(squares: set[Square], cell: float) -> BaseGeometry:
    made = (box(x * cell, y * cell, (x + 1) * cell, (y + 1) * cell) for x, y in squares)
    return reduce(lambda one, two: one.union(two), made)


@settings(max_examples=examples(60), deadline=None)
@given(shapes, cells, st.sampled_from([0, 20]))
def test_fields_and_cells_lie_where_the_map_has_them(squares: set[Square], cell: float, far: int) -> None:
    """Square (column, row) begins at column × cell, row × cell; a field's path and box hold exactly its squares, however far
    from the edge. Its label lies in the longest level run of them."""
    squares = {(x + far, y) for x, y in squares}
    board = seen(cell, ("a", squares))
    field, label = board["fields"][0], board["fields"][0]["label"]
    places = {(each["column"], each["row"]): (each["x"], each["y"]) for each in board["cells"]}

    assert len(board["cells"]) == len(places) == board["columns"] * board["rows"]
    assert all(place == pytest.approx((x * cell, y * cell)) for (x, y), place in places.items())
    assert {(each["column"], each["row"]) for each in field["cells"]} == squares and field["length"] == len(squares)
    path, wanted = inked(field["path"]), squared(squares, cell)
    assert path.symmetric_difference(wanted).buffer(-FINE).is_empty
    assert all(abs(v - round(v / cell) * cell) < FINE for ring in points(field["path"]) for point in ring for v in point)
    left, top, right, bottom = wanted.bounds
    found = (field["x"], field["y"], field["x"] + field["width"], field["y"] + field["height"])
    assert found == pytest.approx((left, top, right, bottom))

    start, line, length = (round(label[key] / cell) for key in ("x", "y", "width"))
    runs = (n for x, y in squares for n in range(1, 10) if all((x + step, y) in squares for step in range(n)))
    assert label["height"] == pytest.approx(cell) and length == max(runs)
    assert {(start + step, line) for step in range(length)} <= squares


@pytest.mark.parametrize(("arrow", "angle"), [(">", 0), ("v", 90), ("<", 180), ("^", -90)])
def test_a_current_has_the_angle_of_its_arrow(arrow: str, angle: float) -> None:
    """In degrees clockwise, as SVG turns; a field without an arrow has none."""
    assert [field["angle"] for field in seen(10.0, (arrow, {(1, 1)}))["fields"]] == pytest.approx([angle, 0])


@settings(max_examples=examples(80), deadline=None)
@given(
    st.sets(st.tuples(st.integers(1, 7), st.integers(1, 7)), min_size=1, max_size=25), cells, st.sampled_from([0.2, 0.45])
)
def test_a_coast_runs_around_the_land(squares: set[Square], cell: float, reach: float) -> None:
    """The middle of each square of land is inside, of each of sea outside; smoothing takes and gives only at corners."""
    coast = seen(cell, ("#", squares), (".", {(8, 8)}))["coast"]("land", reach=reach)
    edge = sum((x + dx, y + dy) not in squares for x, y in squares for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)))
    land = inked(coast)

    for x in range(9):
        for y in range(9):
            assert land.contains(Point((x + 0.5) * cell, (y + 0.5) * cell)) == ((x, y) in squares)
    # A corner cut at most half a side from it on both sides moves an eighth of a square, and an edge has one corner.
    assert abs(land.area - len(squares) * cell**2) <= edge * cell**2 / 8 + FINE * cell * edge


def test_land_at_the_edge_runs_on_past_the_trim() -> None:
    """The cut may be off by a bleed: land that reaches the board's edge covers it there, sea stays sea."""
    land = inked(seen(10.0, ("#", {(0, 0), (0, 1), (1, 0)}), (".", {(4, 4)}))["coast"]("land"))

    assert all(land.covers(Point(at)) for at in ((-3, -3), (-3, 5), (5, -3), (-3, 15), (15, -3)))
    assert not any(land.covers(Point(at)) for at in ((-3, 35), (35, -3), (53, 53), (25, 25)))


def test_soft_fields_round_their_corners_only() -> None:
    """A soft square keeps its middle and the middles of its sides, and loses its corners."""
    soft = inked(seen(10.0, ("a", {(1, 1)}), (".", {(3, 3)}))["fields"][0]["soft"])

    assert all(soft.covers(Point(at)) for at in ((15, 15), (10.1, 15), (15, 19.9)))
    assert not any(soft.covers(Point(at)) for at in ((10.3, 10.3), (19.7, 10.3), (19.7, 19.7), (10.3, 19.7)))


def test_a_grid_has_the_lines_between_its_squares() -> None:
    """3 columns and 2 rows of 10 mm have two upright lines and a level one, as far as the bleed; a ring is a polygon."""
    drawn = etree.fromstring(square_grid(3, 2, 10.0, "#123456", 0.4, beyond=3.0))
    corners = [((0.0, 0.0), (1.0, 0.0), (1.0, 2.0)), ((5.0, 5.0), (6.0, 5.0), (6.0, 7.0))]

    assert re.findall(r"M (\S+) (\S+) V (\S+)", drawn.get("d", "")) == [("10.0", "-3.0", "23.0"), ("20.0", "-3.0", "23.0")]
    assert re.findall(r"M (\S+) (\S+) H (\S+)", drawn.get("d", "")) == [("-3.0", "10.0", "33.0")]
    assert (drawn.get("stroke"), drawn.get("stroke-width"), drawn.get("fill")) == ("#123456", "0.4", "none")
    shown = [child.get("points") for child in etree.fromstring(rings(corners, "#000", 1)).iter("polygon")]
    assert shown == ["0.0,0.0 1.0,0.0 1.0,2.0", "5.0,5.0 6.0,5.0 6.0,7.0"]


# --- dividers ---------------------------------------------------------------------------------------------------------


DIVIDERS = toml("""
game: name = "Tiny"; papers = ["a4"]
dividers: kind = "divider"; size = "68mm x 95mm"; tabs = 3; back = "dividers"
""")
DIVIDER = """{% extends "shared/face.svg.j2" %}
{% import "shared/pieces.svg.j2" as s %}
{% block face %}
{% set t = divider.tab %}
{{ s.text(row.name, t.x + 2, t.y + 1, t.width - 4, t.height - 2, size="7") }}
{% endblock %}
"""


@settings(max_examples=examples(80), deadline=None)
@given(st.integers(1, 8), st.floats(80, 200), st.floats(40, 200), st.floats(4, 30), st.data())
def test_a_divider_is_its_card_and_its_tab(count: int, width: float, height: float, tab: float, data: st.DataObject) -> None:
    """Nothing is missing but the tab's two corners; the back is the same piece turned over."""
    place, one = data.draw(st.integers(0, count - 1)), row("0")
    made = component("divider", width, height + tab, rows=[one], tabs=Tabs(count, tab, {"0": place}))
    front, back = (Polygon(divider_outline(made, one, side) or ()) for side in SIDES)
    whole = box(0, tab, width, tab + height).union(box(width * place / count, 0, width * (place + 1) / count, tab))

    assert area(divider_outline(made, one, "front") or ()) > 0 and front.is_valid
    assert front.difference(whole.buffer(1e-6)).is_empty
    assert whole.area - front.area == pytest.approx(min(2.0, tab / 2) ** 2)
    assert back.symmetric_difference(turned(front, width)).area == pytest.approx(0, abs=1e-6)
    for side, cut in zip(SIDES, (front, back), strict=True):
        shown = divider_values(made, one, side)["divider"]
        x, y = shown["tab"]["x"] + shown["tab"]["width"] / 2, shown["tab"]["height"] / 2
        assert cut.buffer(1e-6).contains(box(x - 1, y - 1, x + 1, y + 1)) and shown["place"] == place + 1


def divided(tiny: TinyProject, table: str, change: str = "tabs = 3\n") -> TinyProject:
    tiny.write("content/tiny/game.toml", DIVIDERS.replace("tabs = 3\n", change))
    tiny.write("templates/tiny/dividers.svg.j2", DIVIDER)
    tiny.write("content/tiny/dividers.csv", table)
    return tiny


def test_tabs_go_from_left_to_right_unless_the_table_says_otherwise(tiny: TinyProject) -> None:
    """Printed: behind each tab's word is the same word of its back, wherever the divider lies on the sheet."""
    result = divided(tiny, "name,tab\nForest,\nRiver,\nHill,\nSea,\nDesert,1\n").build(cut="dxf")
    assert result.ok, [str(problem) for problem in result.problems]
    sheet = pdfium.PdfDocument(tiny.project.root / "output/tiny/a4/dividers.pdf")
    front, back = (words(sheet[number]) for number in (0, 1))

    for name, (x, y) in front.items():
        assert (sheet[0].get_width() - back[name][0], back[name][1]) == pytest.approx((x, y), abs=1.5)
    assert any(path.suffix == ".dxf" for path in paths_in(tiny.project.root / "output"))


def words(page: pdfium.PdfPage) -> dict[str, tuple[float, float]]:
    """The middle of each name on a page, in points."""
    text = page.get_textpage()
    found = {}
    for name in ("Forest", "River", "Hill", "Sea", "Desert"):
        at, length = text.search(name).get_next()
        left, bottom, right, top = zip(*(text.get_charbox(index) for index in range(at, at + length)), strict=True)
        found[name] = ((min(left) + max(right)) / 2, (min(bottom) + max(top)) / 2)
    return found


@pytest.mark.parametrize(
    ("change", "tab", "rule"),
    [
        ("tabs = 3\n", "4", "bad-number"),
        ("tabs = 3\n", "0", "bad-number"),
        ("tabs = 3\n", "left", "bad-number"),
        ("tabs = 7\n", "", "bad-value"),
        ("tabs = 13\n", "", "bad-value"),
        ('tab = "1mm"\n', "", "bad-length"),
    ],
)
def test_a_tab_that_cannot_be_is_told(tiny: TinyProject, change: str, tab: str, rule: str) -> None:
    """A place beyond the last, tabs too narrow for a word, a tab too low to hold."""
    made = divided(tiny, f"name,tab\nForest,{tab}\n" if tab else "name\nForest\n", change)

    assert [problem.rule for problem in made.build().problems.errors] == [rule]
