"""Solids of pieces: closed, seen from outside, true to size; and names of exported files, which any system takes."""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image, ImageDraw

from pnp.exports import tables
from pnp.exports.tables import Solid, Vector
from pnp.exports.target import MOST_NAME, Names, cleaned, guid_of
from pnp.shapes.outline import Ring, ellipse

SQUARE: Ring = ((0, 0), (20, 0), (20, 10), (0, 10))
ANGLE: Ring = ((0, 0), (20, 0), (20, 10), (10, 10), (10, 30), (0, 30))
COMB: Ring = ((0, 0), (30, 0), (30, 30), (20, 30), (20, 10), (10, 10), (10, 30), (0, 30))


def volume(solid: Solid) -> float:
    """In cm³, by the tetrahedra below all faces: negative where they are seen from inside."""
    corners = [[point for point, _ in polygon] for polygon in solid.polygons]
    fans = [(ring[0], *pair) for ring in corners for pair in pairwise(ring[1:])]
    return float(sum(map(np.linalg.det, fans))) / 6


def normal(points: list[Vector]) -> Vector:
    a, b, c = map(np.array, points[:3])
    found = np.cross(b - a, c - b)
    return tuple(found / np.linalg.norm(found))


def area(ring: Ring) -> float:
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, (*ring[1:], ring[0]), strict=True))) / 2


@pytest.mark.parametrize("upright", [False, True])
@pytest.mark.parametrize("ring", [SQUARE, ANGLE, COMB, ellipse(20, 20)], ids=["square", "angle", "comb", "disc"])
def test_a_slab_has_the_volume_of_its_outline(ring: Ring, upright: bool) -> None:
    """Hollow outlines too, whichever way round they run, and no face is seen from inside."""
    width, height = (max(point[axis] for point in ring) for axis in (0, 1))
    for way in (ring, tuple(reversed(ring))):
        slab = tables.slab(way, width, height, 2, upright)
        assert volume(slab) == pytest.approx(area(ring) * 2 / 1000)


def test_a_slab_shows_its_front_above_and_its_back_below() -> None:
    """The top left of the front is at -X -Z of the top, in the left half; the back is in the right half, turned sideways."""
    slab = tables.slab(SQUARE, 20, 10, 2)
    corners = {point: uv for polygon in slab.polygons[:4] for point, uv in polygon}
    assert corners[-1.0, 0.1, -0.5] == (0.0, 0.0) and corners[1.0, 0.1, 0.5] == (0.5, 1.0)
    assert corners[1.0, -0.1, -0.5] == (0.5, 0.0) and corners[-1.0, -0.1, 0.5] == (1.0, 1.0)


def test_a_figure_stands_on_the_floor() -> None:
    """Its lowest point is at 0, its head at its height above the foot, and it is closed."""
    ring: Ring = ((0, 0), (20, 0), (20, 40), (0, 40))
    figure = tables.figure(ring, 20, 40, 1.6)
    heights = [y for polygon in figure.polygons for (_, y, _), _ in polygon]
    assert min(heights) == pytest.approx(0) and max(heights) == pytest.approx(4 + tables.FOOT / 10)
    depth = max(z for polygon in figure.polygons for (_, _, z), _ in polygon)
    assert volume(figure) == pytest.approx(20 * 40 * 1.6 / 1000 + 2 * tables.FOOT / 10 * 2 * depth)


def test_a_cube_has_opposite_faces_that_sum_to_seven() -> None:
    """Each face of the picture looks where the die says, with its top left first and then counterclockwise."""
    cube = tables.cube(16)
    assert volume(cube) == pytest.approx(1.6**3)
    for number, polygon in enumerate(cube.polygons):
        assert normal([point for point, _ in polygon]) == pytest.approx(cube.towards[number])
        assert [round(3 * u - number % 3, 6) for _, (u, _) in polygon] == [0, 0, 1, 1]
        assert [round(2 * v - number // 3, 6) for _, (_, v) in polygon] == [0, 1, 1, 0]
    for value in range(6):
        assert cube.towards[value] == tuple(-axis for axis in cube.towards[5 - value])


def test_a_die_with_ten_sides_is_made_of_flat_kites() -> None:
    """All ten are flat, of the size of the picture, and opposite ones sum to nine."""
    die = tables.kites(14, 18)
    for value, polygon in enumerate(die.polygons):
        pole, left, tip, right = (point for point, _ in polygon)
        assert math.dist(left, right) == pytest.approx(1.4) and math.dist(pole, tip) == pytest.approx(1.8)
        facing = normal([pole, left, tip])
        assert facing == pytest.approx(die.towards[value])
        assert sum(n * (a - b) for n, a, b in zip(facing, right, pole, strict=True)) == pytest.approx(0, abs=1e-9)
        assert tuple(-axis for axis in die.towards[9 - value]) == pytest.approx(facing)
    edges = Counter(
        frozenset({tuple(round(x, 6) for x in a), tuple(round(x, 6) for x in b)})
        for polygon in die.polygons
        for (a, _), (b, _) in zip(polygon, (*polygon[1:], polygon[0]), strict=True)
    )
    assert len(edges) == 20 and set(edges.values()) == {2}, "every edge has a face on both sides"


def test_the_hull_of_a_picture_goes_round_all_that_is_seen() -> None:
    """In mm, and no further than what is seen."""
    picture = Image.new("RGBA", (100, 200), (0, 0, 0, 0))
    ImageDraw.Draw(picture).rectangle((20, 50, 79, 199), fill=(255, 0, 0, 255))
    ring = tables.hull(picture, 10, 20)
    assert {(round(x, 3), round(y, 3)) for x, y in ring} == {(2, 5), (8, 5), (8, 20), (2, 20)}
    assert tables.hull(Image.new("RGBA", (10, 10)), 5, 5) == ((0, 0), (5, 0), (5, 5), (0, 5))


def test_a_file_names_its_corners_from_one_and_its_picture() -> None:
    """As Wavefront files do: triangles of v/vt/vn, heights of pictures count from below."""
    shape, material = tables.cube(20).files("dice")
    lines = shape.splitlines()
    assert lines[:3] == ["mtllib dice.mtl", "o dice", "usemtl look"]
    assert sum(line.startswith("v ") for line in lines) == sum(line.startswith("vt ") for line in lines) == 24
    faces = [[corner.split("/") for corner in line.split()[1:]] for line in lines if line.startswith("f ")]
    assert {int(v) for face in faces for v, _, _ in face} == set(range(1, 25)) and len(faces) == 12
    assert all(v == vt == vn for face in faces for v, vt, vn in face)
    assert [line for line in lines if line.startswith("vn ")][:4] == ["vn 0 1.00000 0"] * 4
    assert next(line for line in lines if line.startswith("vt ")) == "vt 0 1.00000", "the top left of the picture"
    assert "map_Kd dice.png" in material.splitlines()


@pytest.mark.parametrize(
    ("text", "plain", "name"),
    [
        ("The Bazaar: 1/2", False, "The Bazaar- 1-2"),
        ("  a\tb\n", False, "a b"),
        ("Ähre", False, "Ähre"),
        ("Ähre", True, "ahre"),
        ("???", False, "unnamed"),
        ("con", False, "con-1"),
        ("ends with a dot.", False, "ends with a dot"),
        ("../../etc", True, "etc"),
        ("x" * 200, False, "x" * MOST_NAME),
    ],
)
def test_a_text_becomes_a_name(text: str, plain: bool, name: str) -> None:
    """Nothing is left that some system keeps for itself."""
    assert cleaned(text, plain) == name


def test_names_are_told_apart_in_any_case() -> None:
    """Numbers are added, also where a name looks like one with a number."""
    names = Names()
    assert [names.of(text) for text in ("Silk", "silk", "SILK", "silk-2", "x" * 99, "X" * 98)] == [
        "Silk",
        "silk-2",
        "SILK-3",
        "silk-2-2",
        "x" * MOST_NAME,
        "X" * (MOST_NAME - 6) + "-2",
    ]


def test_an_id_is_the_same_for_the_same_piece() -> None:
    """32 hexadecimal digits; parts do not run into one another."""
    assert re.fullmatch("[0-9A-F]{32}", guid_of("game", "cards", "silk"))
    assert guid_of("game", "cards", "silk") == guid_of("game", "cards", "silk")
    assert len({guid_of("a", "bc"), guid_of("ab", "c"), guid_of("abc")}) == 3
