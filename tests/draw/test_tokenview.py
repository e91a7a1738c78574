"""Tokens and trackers as templates see them: outlines that can be cut, and spaces in a row."""

from __future__ import annotations

import math
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from conftest import TinyProject, examples, read_whole
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString, Polygon, box

from pnp.draw.kinds import KINDS, token_outline, token_values, tracker_values
from pnp.read import flat
from pnp.shapes.outline import Ring, area
from pnp.values.game import Component, Side, Tracker
from pnp.values.problems import Place
from pnp.values.tables import Cell, Row, Table

PLACE = Place("chips.csv", 2)
ROW = Row("anna", 1, PLACE, {}, set())
TABLE = Table("chips", "chips.csv", (), (ROW,), set())
NOWHERE = Path("there-is-no-art")

lengths = st.integers(500, 20000).map(lambda number: number / 100)
"""From 5 to 200 mm, as tokens may be."""


def token(outline: Ring | None, width: float, height: float, bleed: float = 3) -> Component:
    return Component(
        "chips", "Chips", "token", TABLE, "chip", "chip", width, height, bleed, "card", PLACE, outline=outline
    )  # fmt: skip


def shaped(shape: str, width: float, height: float, bleed: float = 3, art: Path = NOWHERE) -> Component:
    """A token as reading makes it."""
    return token(flat.token_outline(shape, width, height, art), width, height, bleed)


def cut(made: Component, side: Side = "front") -> Ring:
    ring = token_outline(made, ROW, side)
    assert ring is not None
    return ring


def view(made: Component, side: Side = "front") -> dict[str, str]:
    values: dict[str, str] = token_values(made, ROW, side)["token"]
    return values


def polygon(path: str) -> Polygon:
    """An SVG path of straight lines as a shape."""
    assert re.fullmatch(r"M[-\d.]+ [-\d.]+(L[-\d.]+ [-\d.]+)+z", path), path
    found = [float(number) for number in re.findall(r"-?[\d.]+", path)]
    return Polygon(zip(found[::2], found[1::2], strict=True))


# Tokens


FLAG = "M0 0 L4 1 L0 2 L0 5 L-1 5 L-1 0 z"
"""A pennant to the right of its pole: not its own mirror image."""


@pytest.fixture
def art(tmp_path: Path) -> Path:
    (tmp_path / "shapes").mkdir()
    for name, data in (
        ("flag", FLAG),
        ("wrong-way", "M0 0 L0 5 L4 5 L4 0 z"),
        ("disc", "M0 5 A5 5 0 0 1 10 5 A5 5 0 0 1 0 5 z"),
    ):
        drawing = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-5 0 10 10"><path d="{data}"/></svg>'
        (tmp_path / "shapes" / f"{name}.svg").write_text(drawing, encoding="utf-8")
    return tmp_path


def test_a_shape_may_be_drawn_either_way_round(art: Path) -> None:
    """A path against the clock is cut clockwise like all others, so that its bleed goes outwards."""
    made = shaped("shapes/wrong-way", 20, 20, art=art)

    assert area(cut(made)) > 0
    assert polygon(view(made)["bleed"]).bounds == (-3, -3, 23, 23)


@pytest.mark.parametrize("shape", ["circle", "hex", "shapes/flag"])
def test_the_back_of_a_token_is_its_front_turned_over(shape: str, art: Path) -> None:
    """Left and right are exchanged within the trim; the ring still runs clockwise, and its bleed is the front's mirrored."""
    made = shaped(shape, 30, 20, art=art)
    front, back = cut(made), cut(made, "back")
    turned = Polygon([(30 - x, y) for x, y in front])

    assert Polygon(back).symmetric_difference(turned).area < 1e-6 and area(back) > 0
    assert polygon(view(made, "back")["path"]).symmetric_difference(turned).area < 0.1
    grown = polygon(view(made)["bleed"])
    mirrored = Polygon([(30 - x, y) for x, y in grown.exterior.coords])
    assert polygon(view(made, "back")["bleed"]).symmetric_difference(mirrored).area < 0.1


@settings(max_examples=examples(40), deadline=None)
@given(st.sampled_from(["circle", "hex"]), lengths, st.sampled_from([0.0, 2.0, 3.0]))
def test_a_token_s_bleed_goes_on_evenly_beyond_its_cut(shape: str, size: float, bleed: float) -> None:
    """All that is nearer than the bleed is covered; nothing beyond a mitred corner of the bleed is. 0 is the outline."""
    made = shaped(shape, *flat.token_size(shape, size), bleed)
    path, grown = polygon(view(made)["path"]), polygon(view(made)["bleed"])

    assert path.symmetric_difference(Polygon(cut(made))).area < 0.01 * size
    if not bleed:
        assert view(made)["bleed"] == view(made)["path"]
    assert grown.covers(path.buffer(bleed - 0.01 if bleed else -0.01))
    assert path.buffer(bleed + 0.01, join_style="mitre", mitre_limit=2).covers(grown)


@st.composite
def stars(draw: st.DrawFn) -> Ring:
    """Rings with sharp points and narrow bays around the middle of a token of 40 × 40 mm, clockwise on the page."""
    reaches = draw(st.lists(st.integers(3, 20), min_size=3, max_size=14))
    turns = [math.tau * number / len(reaches) for number in range(len(reaches))]
    return tuple((20 + r * math.cos(turn), 20 + r * math.sin(turn)) for r, turn in zip(reaches, turns, strict=True))


def filled(ring: Polygon, x: float, y: float) -> bool:
    """Whether a fill by SVG's usual (nonzero) rule covers the point, however the ring crosses itself."""
    winding = 0
    for (x0, y0), (x1, y1) in pairwise(ring.exterior.coords):
        if (y0 <= y) != (y1 <= y) and x0 + (y - y0) / (y1 - y0) * (x1 - x0) > x:
            winding += 1 if y1 > y0 else -1
    return winding != 0


@settings(max_examples=examples(60), deadline=None)
@given(stars(), st.sampled_from([2.0, 3.0]))
def test_points_and_bays_of_a_token_have_their_bleed(ring: Ring, bleed: float) -> None:
    """However sharp its points and narrow its bays are, all that is nearer than the bleed is covered, and nothing that is
    further away than twice the bleed: no spikes."""
    made = token(ring, 40, 40, bleed)
    path, grown = polygon(view(made)["path"]), polygon(view(made)["bleed"])
    wanted = path.buffer(bleed - 0.02)
    rim = [point.coords[0] for point in map(wanted.exterior.interpolate, range(math.ceil(wanted.length)))]

    assert all(filled(grown, x, y) for x, y in (*rim, *ring, (20, 20)))
    assert path.buffer(2 * bleed + 0.01).covers(LineString(grown.exterior.coords))


# Trackers


def spaces(tracks: dict[str, int]) -> dict[str, tuple[Row, ...]]:
    """That many rows by track."""
    return {
        name: tuple(Row(f"{name}-{n}", 1, PLACE, {"value": Cell(n, str(n), PLACE)}, set()) for n in range(number))
        for name, number in tracks.items()
    }


def board(tracks: dict[str, int], width: float, height: float, marker: tuple[float, float] | None = None) -> Component:
    made = Tracker(spaces(tracks), marker)
    return Component("track", "Track", "tracker", TABLE, "track", None, width, height, 3, "card", PLACE, tracker=made)


def tracker(made: Component, side: Side = "front") -> dict[str, Any]:
    values: dict[str, Any] = tracker_values(made, ROW, side)["tracker"]
    return values


def slot(space: dict[str, Any]) -> Polygon:
    """A space's room on the board."""
    x, y, width, height = (space[key] for key in ("x", "y", "width", "height"))
    return box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


boards = st.builds(
    board,
    st.dictionaries(st.sampled_from(["sails", "speed", "water", "gold"]), st.integers(1, 25), min_size=1, max_size=4),
    st.integers(60, 400).map(float),
    st.integers(20, 200).map(float),
)


@settings(max_examples=examples(60), deadline=None)
@given(boards)
def test_spaces_lie_inside_the_board_and_never_overlap(made: Component) -> None:
    """Each has its own room, clear of the cut left and right and within its own track."""
    tracks = tracker(made)["tracks"]
    rooms = [slot(space) for track in tracks for space in track["spaces"]]
    assert all(box(5.9, -0.001, made.width - 5.9, made.height + 0.001).covers(room) for room in rooms)
    for number, room in enumerate(rooms):
        assert all(room.intersection(other).area < 0.05 for other in rooms[number + 1 :])
    for track in tracks:
        band = box(-0.01, track["y"] - 0.01, made.width + 0.01, track["y"] + track["height"] + 0.01)
        assert all(band.covers(slot(space)) for space in track["spaces"])


def test_each_space_knows_its_row() -> None:
    """In the table's order from the left: what a space shows is its row's."""
    made = board({"sails": 3, "speed": 2}, 112, 40)
    first, second = tracker(made)["tracks"]

    assert [space["row"]["value"] for space in first["spaces"]] == [0, 1, 2]
    assert [space["row"].id for space in second["spaces"]] == ["speed-0", "speed-1"]
    # 112 mm less 6 on either side are 100 mm: two spaces of 50, their middles at 31 and 81; the lower half's middle at 30.
    assert [(space["x"], space["y"], space["width"], space["height"]) for space in second["spaces"]] == [
        (31, 30, 50, 20),
        (81, 30, 50, 20),
    ]


def test_a_tracker_of_a_game_has_its_spaces_by_track(tiny: TinyProject) -> None:
    """Rows of one track belong together wherever they stand in the table; the marker's size is that of its component."""
    tiny.write(
        "content/tiny/game.toml",
        """
        [game]
        name = "Tiny"
        [component]
        water = { kind = "tracker", size = "150mm x 40mm", spaces = "spaces", marker = "chips", template = "cards" }
        chips = { kind = "token", size = "12mm x 14mm", table = "cards", template = "cards" }
        """,
    )
    tiny.write("content/tiny/spaces.csv", "track,value\nsails,0\nspeed,0\nsails,1\nspeed,1\nsails,2\n")
    game = read_whole(tiny.project)
    made = next(component for component in game.components if component.kind == "tracker")
    seen: dict[str, Any] = KINDS["tracker"].values(made, made.table.rows[0], "front")["tracker"]

    assert {track["name"]: [str(space["row"]["value"]) for space in track["spaces"]] for track in seen["tracks"]} == {
        "sails": ["0", "1", "2"],
        "speed": ["0", "1"],
    }
    assert seen["marker"] == {"width": 12, "height": 14}
