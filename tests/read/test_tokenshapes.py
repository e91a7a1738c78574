"""Outlines of tokens: what is cut is what was drawn, at the size that was asked for, and nothing odd gets through."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Polygon

from pnp.read.flat import token_outline, token_size
from pnp.shapes.outline import Ring, area
from pnp.values.problems import Fault

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">{}</svg>'
# The control points of a quarter of a circle, in radii from its ends.
KAPPA = 4 / 3 * (math.sqrt(2) - 1)
sides = st.floats(5, 150)

Read = Callable[..., Ring | None]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Reads a drawing as the outline of a token: of a path's data, or of a whole file."""
    art = tmp_path / "art"
    (art / "shapes").mkdir(parents=True)

    def outline(path: str = "", width: float = 20, height: float = 20, file: str | bytes = "") -> Ring | None:
        content = file or SVG.format(f'<path d="{path}"/>')
        (art / "shapes" / "drawn.svg").write_bytes(content.encode() if isinstance(content, str) else content)
        return token_outline("shapes/drawn", width, height, art)

    return outline


def shape(ring: Ring | None) -> Polygon:
    """The ring as a surface; every outline must be a simple ring that runs clockwise on the page."""
    assert ring is not None
    assert area(ring) > 0
    found = Polygon(ring)
    assert found.is_valid
    return found


def box(ring: Ring | None) -> tuple[float, ...]:
    return shape(ring).bounds


@settings(max_examples=examples(60), deadline=None)
@given(sides, sides)
def test_a_circle_is_round(width: float, height: float) -> None:
    """A disc, or an ellipse where width and height differ, fills its size and leaves the true curve by 0.01 mm at most."""
    ring = token_outline("circle", width, height, Path("nowhere"))
    assert box(ring) == pytest.approx((0, 0, width, height), abs=0.02)
    for x, y in ring or ():
        assert math.hypot((x / width - 0.5) * 2, (y / height - 0.5) * 2) == pytest.approx(1)
    if width == height:
        true = math.pi * width**2 / 4
        assert shape(ring).area == pytest.approx(true, abs=math.pi * width * 0.01)


def test_a_square_is_cut_along_its_trim() -> None:
    """It has no outline of its own, so that squares without bleed share their cuts."""
    assert token_outline("square", 20, 20, Path("nowhere")) is None
    assert token_size("square", 20) == token_size("circle", 20) == token_size("shapes/drawn", 20) == (20, 20)


def circle(radius: float, x: float, y: float) -> str:
    """A circle as drawing programs write it: four Bézier curves."""
    k, r = KAPPA * radius, radius
    return (
        f"M{x + r} {y}C{x + r} {y + k} {x + k} {y + r} {x} {y + r}C{x - k} {y + r} {x - r} {y + k} {x - r} {y}"
        f"C{x - r} {y - k} {x - k} {y - r} {x} {y - r}C{x + k} {y - r} {x + r} {y - k} {x + r} {y}z"
    )


@pytest.mark.parametrize("path", [circle(5, 5, 5), circle(1000, -4000, 7), "M0 5A5 5 0 0 1 10 5A5 5 0 0 1 0 5z"])
@pytest.mark.parametrize("size", [8, 20, 120])
def test_a_drawn_circle_is_round(read: Read, path: str, size: float) -> None:
    """Four curves or two arcs, wherever and however large they were drawn: within 0.05 mm of the circle everywhere."""
    steps = [2 * math.pi * step / 4000 for step in range(4000)]
    true = Polygon([(size / 2 * (1 + math.cos(step)), size / 2 * (1 + math.sin(step))) for step in steps])

    assert shape(read(path, size, size)).exterior.hausdorff_distance(true.exterior) <= 0.05


@settings(max_examples=examples(40), deadline=None)
@given(st.lists(st.tuples(st.floats(0.5, 1), st.floats(0.02, 1)), min_size=3, max_size=9), sides, sides)
def test_a_polygon_keeps_its_shape(star: list[tuple[float, float]], width: float, height: float) -> None:
    """Corners stay corners, in order, stretched to the size; the ring is clockwise whichever way it was drawn."""
    whole = sum(step for _, step in star)
    turn, corners = 0.0, []
    for reach, step in star:
        turn += 2 * math.pi * step / whole
        corners.append((round(reach * math.cos(turn), 4), round(reach * math.sin(turn), 4)))
    wanted = Polygon(corners)
    if not wanted.is_valid or wanted.area < 0.05 or len(set(corners)) < len(corners):
        return
    left, top, right, bottom = wanted.bounds
    stretched = [((x - left) / (right - left) * width, (y - top) / (bottom - top) * height) for x, y in corners]
    with tempfile.TemporaryDirectory() as folder:
        for order in (corners, corners[::-1]):
            data = "M" + "L".join(f"{x} {y}" for x, y in order) + "z"
            Path(folder, "star.svg").write_text(SVG.format(f'<path d="{data}"/>'))
            ring = token_outline("star", width, height, Path(folder))
            assert area(ring or ()) > 0
            assert Polygon(ring).symmetric_difference(Polygon(stretched)).area < 1e-6 * width * height
            assert box(ring) == pytest.approx((0, 0, width, height))


@pytest.mark.parametrize(
    "path", ["M0 0L10 0L10 10", "M0 0L10 0L10 10L0 0z", "m0 0h5h5v10zz", "M0,0 10,0 10,10z", "M0 0 H10V10Z"]
)
def test_a_path_may_be_written_in_any_way(read: Read, path: str) -> None:
    """Closed or left open, relative or not, with doubled points: the same half of a square."""
    assert shape(read(path)).equals(Polygon([(0, 0), (20, 0), (20, 20)]))


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("L10 10", "cannot be read"),
        ("M0 0Lnan 0 1 1z", "cannot be read"),
        ("M0 0L10 10", "encloses nothing"),
        ("M0 0L10 10L0 0z", "encloses nothing"),
        ("M0 0L1e400 0L1e400 1e400z", "encloses nothing"),
        ("M0 0" + "h.01v.01" * 2100 + "V99z", "more than 4000 points"),
    ],
)
def test_a_path_that_is_no_outline_is_refused(read: Read, path: str, reason: str) -> None:
    """With a sentence that names the shape."""
    with pytest.raises(Fault, match=reason) as refused:
        read(path)
    assert "shapes/drawn" in str(refused.value)


def test_a_shape_has_a_megabyte_and_four_thousand_points(read: Read) -> None:
    """A file of a megabyte, and one of so many points, are read; with a byte or a point more they are refused."""
    file = SVG.format('<path d="M0 0h1v1z"/>')
    round_about = [(math.cos(at * math.tau / 4001), math.sin(at * math.tau / 4001)) for at in range(4001)]
    path = "M" + " ".join(f"{5 + 5 * x:.9f} {5 + 5 * y:.9f}" for x, y in round_about[:-1])

    assert read(file=file.ljust(1_000_000)) is not None
    assert read(path + "z") is not None
    with pytest.raises(Fault, match="larger than 1 MB"):
        read(file=file.ljust(1_000_001))
    with pytest.raises(Fault, match="more than 4000 points"):
        read(f"{path} {5 + 5 * round_about[-1][0]:.9f} {5 + 5 * round_about[-1][1]:.9f}z")


@pytest.mark.parametrize("name", ["../outside", "shapes/../../outside", "{root}/outside", "shapes/link", "shapes/circle"])
def test_a_shape_is_read_from_art_only(tmp_path: Path, name: str) -> None:
    """Neither ``..`` nor a whole path nor a link leads out of the folder, and the plain names are no files."""
    (tmp_path / "art" / "shapes").mkdir(parents=True)
    outside = tmp_path / "outside.svg"
    outside.write_text(SVG.format('<path d="M0 0h1v1z"/>'))
    (tmp_path / "art" / "shapes" / "link.svg").symlink_to(outside)

    with pytest.raises(Fault, match="there is no shape"):
        token_outline(name.format(root=tmp_path), 20, 20, tmp_path / "art")
