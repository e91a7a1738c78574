"""Folded pieces as templates see them: panels in their own upright mm, where they belong on the flat net."""

from __future__ import annotations

import math
import re
from typing import Any

import pypdf
import pytest
from conftest import TinyProject, examples, read_whole
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import Point, Polygon

from pnp.draw.kinds import KINDS, net_outline, net_values
from pnp.shapes.nets import boxes, stands
from pnp.shapes.nets import stands as ship
from pnp.shapes.nets.net import Net
from pnp.shapes.outline import Ring
from pnp.values.game import Component, Side
from pnp.values.problems import Place
from pnp.values.tables import Cell, Row, Table

PLACE = Place("pieces.csv", 2)
NETS: dict[str, Net] = {
    "standee": stands.standee(30, 40, 9),
    "pawn": stands.pawn(20, 34, 16),
    "prism": stands.prism(30, 32, 20),
    "box": boxes.tuck_box(65, 90, 23.5),
    "pouch": boxes.pouch(100, 105, 45),
    "screen": boxes.screen([55, 140, 60], 95),
    "part": boxes.screen_parts([155, 140, 155], 277, 95)[0],
    "ship": ship.ship(63, 3),
    "d6": boxes.d6(16),
    "d10": boxes.d10(22),
}
SIDES: tuple[Side, ...] = ("front", "back")

every_net = pytest.mark.parametrize("kind", NETS)
both_sides = pytest.mark.parametrize("side", SIDES)


def typed(**cells: str) -> Row:
    """A row of a table with these cells."""
    return Row("anna", 1, PLACE, {key: Cell(text, text, PLACE) for key, text in cells.items()}, set())


def component(net: Net | None, bleed: float = 3, values: tuple[str, ...] = ()) -> Component:
    table = Table("pieces", "pieces.csv", (), (typed(),), set())
    size = (net.bounds.width, net.bounds.height) if net else (63, 88)
    nets = (net,) if net else ()
    return Component(
        "pieces", "Pieces", "die", table, "net", "net", *size, bleed, "card", PLACE, nets=nets, values=values
    )  # fmt: skip


def view(made: Component, side: Side = "front", row: Row | None = None) -> dict[str, Any]:
    values: dict[str, Any] = net_values(made, row or made.table.rows[0], side)["net"]
    return values


def numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?[\d.]+(?:e-?\d+)?", text)]


def points(path: str) -> list[tuple[float, float]]:
    """The corners of an SVG path of straight lines."""
    assert re.fullmatch(r"(M[-\d. ]+(L[-\d. ]+)+z)+", path), path
    found = numbers(path)
    return list(zip(found[::2], found[1::2], strict=True))


def moved(matrix: str, x: float, y: float) -> tuple[float, float]:
    """A point under an SVG transform: x' = a x + c y + e, y' = b x + d y + f."""
    a, b, c, d, e, f = numbers(matrix.removeprefix("matrix"))
    return a * x + c * y + e, b * x + d * y + f


def inside(ring: list[tuple[float, float]], x: float, y: float) -> bool:
    """Whether a fill by SVG's usual (nonzero) rule covers the point, however the ring crosses itself."""
    winding = 0
    for (x0, y0), (x1, y1) in zip(ring, [*ring[1:], ring[0]], strict=True):
        if (y0 <= y) != (y1 <= y) and x0 + (y - y0) / (y1 - y0) * (x1 - x0) > x:
            winding += 1 if y1 > y0 else -1
    return winding != 0


def same(one: Polygon, two: Polygon) -> bool:
    """Whether two shapes differ by rounding only: nowhere by more than 0.01 mm."""
    return one.symmetric_difference(two).buffer(-0.01).is_empty and math.isclose(one.area, two.area, rel_tol=1e-3)


@every_net
@both_sides
def test_a_panel_s_transform_puts_its_outline_on_the_net(kind: str, side: Side) -> None:
    """``path`` in the panel's own mm, under ``transform``, is the panel's outline on the face: turned and shifted, neither
    scaled nor mirrored; on the back, the outline turned over about the upright line in the face's middle."""
    net = NETS[kind]
    for panel, seen in zip(net.panels, view(component(net), side)["panels"], strict=True):
        a, b, c, d, *_ = numbers(seen["transform"])
        ring = Polygon([(x if side == "front" else net.bounds.width - x, y) for x, y in panel.ring])

        assert seen["name"] == panel.name and seen["glue"] == panel.glue
        assert math.isclose(a * d - b * c, 1, abs_tol=1e-5) and math.isclose(math.hypot(a, b), 1, abs_tol=1e-5)
        assert same(Polygon([moved(seen["transform"], *point) for point in points(seen["path"])]), ring), panel.name


def test_the_panels_of_a_standee_lie_where_its_measures_say() -> None:
    """30 × 40 mm with a base of 9: from the top a flap to 9, the back on its head to 49, the front to 89, a flap to 98."""
    seen = view(component(stands.standee(30, 40, 9)))["panel"]
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


@every_net
@both_sides
def test_mirror_exchanges_left_and_right_of_a_panel(kind: str, side: Side) -> None:
    """It is ``transform`` of the place as far from the panel's right edge as the point is from its left."""
    for seen in view(component(NETS[kind]), side)["panels"]:
        for x, y in ((0.0, 0.0), (3.0, 5.0), (seen["width"], 1.0)):
            mirrored = moved(seen["transform"], seen["width"] - x, y)
            assert moved(seen["mirror"], x, y) == pytest.approx(mirrored, abs=1e-3), seen["name"]


@every_net
@both_sides
@pytest.mark.parametrize("bleed", [2.0, 3.0])
def test_bleeds_go_on_beyond_the_cut(kind: str, side: Side, bleed: float) -> None:
    """Filled, a panel's ``bleed`` covers its panel and all that is nearer than the bleed, and so does the net's."""
    seen = view(component(NETS[kind], bleed), side)
    for shape in (*seen["panels"], {"name": "net", "path": seen["outline"], "bleed": seen["bleed"]}):
        cover, wanted = points(shape["bleed"]), Polygon(points(shape["path"])).buffer(bleed - 0.05)
        around = [point.coords[0] for point in map(wanted.exterior.interpolate, range(math.ceil(wanted.length)))]
        missed = [(x, y) for x, y in (*around, *points(shape["path"])) if not inside(cover, x, y)]
        assert missed == [], shape["name"]


@every_net
@both_sides
def test_the_net_s_outline_holds_its_panels(kind: str, side: Side) -> None:
    """``net.outline`` in face mm is what all panels and tabs cover; the back has it the other way round."""
    net = NETS[kind]
    seen = view(component(net), side)
    outline = Polygon(points(seen["outline"]))
    placed = [Polygon([moved(panel["transform"], *point) for point in points(panel["path"])]) for panel in seen["panels"]]

    assert outline.is_valid
    assert outline.area == pytest.approx(sum(panel.area for panel in placed), rel=1e-3)
    assert all(outline.buffer(0.01).covers(panel) for panel in placed)
    assert outline.bounds == pytest.approx((0, 0, net.bounds.width, net.bounds.height), abs=0.002)


# The faces of dice


DICE = """
[game]
name = "Tiny"
papers = ["a4"]
[component]
six = { kind = "die", size = "20mm", sides = 6, template = "die" }
ten = { kind = "die", size = "24mm", sides = 10, template = "die" }
own = { kind = "die", size = "20mm", sides = 6, template = "die", faces = ["A", "B", "C", "D", "E", "F"] }
rows = { kind = "die", size = "20mm", sides = 6, template = "die", table = "dice" }
"""
DIE = """{% extends "shared/face.svg.j2" %}{% import "shared/pieces.svg.j2" as s %}{% block face %}
{% for p in net.panels if p.value %}<g transform="{{ p.transform }}">
{{ s.text(p.value ~ p.value, 3, p.height / 2 - 3, p.width - 6, 8, size="12 9", align="center") }}
</g>{% endfor %}{% endblock %}"""


@pytest.fixture
def dice_game(tiny: TinyProject) -> TinyProject:
    """A game of nothing but dice. Each text is drawn twice over, so that it is not taken for another number of a sheet."""
    tiny.write("content/tiny/game.toml", DICE)
    tiny.write("content/tiny/dice.csv", "id,faces\nred,G H I J K L\nblue,M N O P Q R\n")
    tiny.write("templates/tiny/die.svg.j2", DIE)
    return tiny


@pytest.mark.parametrize(("name", "numbers", "total"), [("six", range(1, 7), 7), ("ten", range(10), 9)])
def test_dice_count_by_themselves(dice_game: TinyProject, name: str, numbers: range, total: int) -> None:
    """Without ``faces`` a d6 shows 1 to 6 and a d10 0 to 9; what opposite faces show makes 7, or 9."""
    game = read_whole(dice_game.project)
    made = next(component for component in game.components if component.name == name)
    panels = view(made)["panel"]
    shown = {n: int(panels[f"face-{n}"]["value"]) for n in range(1, len(numbers) + 1)}

    assert sorted(shown.values()) == list(numbers)
    assert all(shown[n] + shown[len(numbers) + 1 - n] == total for n in shown)


def test_all_faces_are_printed(dice_game: TinyProject) -> None:
    """A component's faces, or those of each row of its table, stand once on the sheets of their die."""
    result = dice_game.build()
    assert result.ok and not list(result.problems), [str(problem) for problem in result.problems]

    def printed(name: str) -> list[str]:
        file = dice_game.project.root / "output" / "tiny" / "a4" / f"{name}.pdf"
        # The sheet comes first; the pictures of how to fold it show the faces again and again.
        words = pypdf.PdfReader(file).pages[0].extract_text().split()
        return sorted(pair[0] for pair in words if len(pair) == 2 and pair[0] == pair[1] and pair[0].isupper())

    assert printed("own") == list("ABCDEF")
    assert printed("rows") == list("GHIJKLMNOPQR")


# Where it is cut


@every_net
@both_sides
def test_a_net_is_cut_along_its_outline(kind: str, side: Side) -> None:
    """The cut is the outline around all panels, on the back turned over; a strip that is a rectangle has its trim."""
    made = component(NETS[kind])
    ring: Ring | None = net_outline(made, made.table.rows[0], side)
    if kind in ("standee", "screen"):
        assert ring is None
    else:
        assert ring is not None
        front = Polygon([(x if side == "front" else made.width - x, y) for x, y in NETS[kind].outline])
        assert same(Polygon(ring), front)
        # A point of a tab is cut out with it.
        tab = view(made, side)["panels"][-1]
        middle = moved(tab["transform"], tab["width"] / 2, tab["height"] / 2)
        assert Polygon(ring).contains(Point(middle))


@pytest.mark.parametrize("kind", ["standee", "pawn", "prism", "die", "screen", "box", "pouch", "ship"])
def test_every_folded_kind_shows_its_net(kind: str) -> None:
    """The registry of kinds gives their templates ``net``."""
    made = component(NETS["prism"])

    assert list(KINDS[kind].values(made, made.table.rows[0], "front")) == ["net"]
    assert KINDS[kind].outline(made, made.table.rows[0], "front") is not None


@settings(max_examples=examples(40), deadline=None)
@given(st.floats(0, 30), st.floats(0, 40))
def test_a_mirrored_back_matches_its_front(x: float, y: float) -> None:
    """What is drawn at a place of the front and, with ``mirror``, at the same place of the back lies back to back once the
    sheet is folded between them, at 49 mm: one silhouette can be cut out of both."""
    seen = view(component(stands.standee(30, 40, 9)))["panel"]
    across, down = moved(seen["front"]["transform"], x, y)
    back_across, back_down = moved(seen["back"]["mirror"], x, y)

    assert math.isclose(across, back_across, abs_tol=1e-6) and math.isclose(down - 49, 49 - back_down, abs_tol=1e-6)
