"""Dials from a game to its files: two discs each, the values where they are read, window and holes for knife and machine."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pypdfium2 as pdfium
import pytest
from commands import run
from conftest import TinyProject, toml
from lxml import etree
from PIL import Image
from pypdf import PdfReader
from shapely import Point, Polygon

from pnp.read.project import Project

MM = 72 / 25.4
DPI = 200
SVG = "{http://www.w3.org/2000/svg}"
COLOURS = ("#cc0000", "#00aa00", "#0000cc", "#888800", "#aa00aa", "#009999")
GAME = toml("""
game: name = "Dials"; papers = ["a4"]
life: kind = "dial"; size = "60mm"; values = "0-5"; copies = 2; window = { inner = "12mm", outer = "26mm" }
sky: kind = "dial"; size = "50mm"; values = "skies"; pin = "3mm"; window = { shape = "circle", angle = 90 }
chips: kind = "token"; size = "20mm"
""")
DIAL = """{% extends "shared/face.svg.j2" %}
{% block face %}
{% set colours = COLOURS %}
<path d="{{ net.bleed }}" fill="#ffee99"/>
{% for room in net.rooms %}
<g transform="{{ room.transform }}">
<rect width="{{ room.width }}" height="{{ room.height }}" fill="{{ colours[loop.index0] }}"/>
</g>
{% endfor %}
{% endblock %}
""".replace("COLOURS", str(list(COLOURS)))
SKY = """{% extends "shared/face.svg.j2" %}
{% import "shared/nets.svg.j2" as n %}
{% block face %}{{ n.dial(net, "#fbf6e9", "#24523a", "#1d2b27", "#e0a92e", size="7 4") }}{% endblock %}
"""
CHIP = '{% extends "shared/face.svg.j2" %}{% block face %}<path d="{{ token.bleed }}" fill="#336699"/>{% endblock %}'


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The game, built with cut files."""
    made = TinyProject(Project(tmp_path_factory.mktemp("dials")))
    made.put(game_toml=GAME, life_svg_j2=DIAL, sky_svg_j2=SKY, chips_svg_j2=CHIP, chips_csv="id,copies\none,4\n")
    made.put(skies_csv="id,name\nsun,Sun\nrain,Rain\nfog,Fog\n")
    made.put(rulebook_md='# Dials\n\n{{ folded("life", width="30mm") }}\n')
    done = run("build", "tiny", "--cut", "svg", at=made.project.root)
    assert done.code == 0, done.err
    return made.project.root


@dataclass(frozen=True)
class Printed:
    """A disc on a page: its name, where its middle is in mm from the page's upper left, and how far it is turned."""

    name: str
    x: float
    y: float
    turn: float


def discs(file: Path, number: int, size: float) -> list[Printed]:
    """The discs of this size on a page, as its content says."""
    page = PdfReader(file).pages[number]
    objects = page["/Resources"]["/XObject"]
    height = float(page.mediabox.height)
    found, matrix = [], (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    for operands, operator in page.get_contents().operations:
        if operator == b"cm":
            matrix = tuple(map(float, operands))
        elif operator == b"Do":
            form = objects[operands[0]].get_object()
            left, bottom, right, top = map(float, form["/BBox"])
            if abs((right - left) / MM - size - 6) < 0.1:
                a, b, c, d, e, f = matrix
                x, y = (left + right) / 2, (bottom + top) / 2
                middle = (a * x + c * y + e) / MM, (height - b * x - d * y - f) / MM
                found.append(Printed(str(form["/PNPPiece"]), *middle, -math.degrees(math.atan2(b, a))))
    return found


def pixels(file: Path, number: int) -> Image.Image:
    document = pdfium.PdfDocument(file)
    try:
        return document[number].render(scale=DPI / 72).to_pil().convert("RGB")
    finally:
        document.close()


def test_each_value_is_printed_in_its_place_around_the_lower_disc(project: Path) -> None:
    """Looked up in the picture of the sheet: 19 mm from the middle, a sixth of a turn from one to the next."""
    file = project / "output" / "tiny" / "a4" / "life.pdf"
    there, picture = discs(file, 0, 60), pixels(file, 0)
    lower = [disc for disc in there if disc.name == "life/life"]

    assert Counter(disc.name for disc in there) == {"life/life": 2, "life/life:2": 2}
    for disc in lower:
        for number, colour in enumerate(COLOURS):
            at = math.radians(disc.turn + number * 60)
            x, y = disc.x + 19 * math.sin(at), disc.y - 19 * math.cos(at)
            seen = picture.getpixel((round(x / 25.4 * DPI), round(y / 25.4 * DPI)))
            assert "#{:02x}{:02x}{:02x}".format(*seen) == colour


def test_what_is_printed_is_counted(project: Path) -> None:
    """Two dials are two pieces, four discs; ``verify`` finds all there, and tells when a disc is missing."""
    file = project / "output" / "tiny" / "a4" / "print.pdf"
    counted = run("count", "tiny", "--json", at=project)

    assert '"copies": 2' in counted.out and '"kind": "dial"' in counted.out
    assert run("verify", str(file), at=project).code == 0
    game = project / "content" / "tiny" / "game.toml"
    try:
        game.write_text(GAME.replace("copies = 2", "copies = 3"), encoding="utf-8")
        told = run("verify", str(file), at=project)
    finally:
        game.write_text(GAME, encoding="utf-8")
    assert told.code != 0
    assert "Life: life printed 2 ×, 3 ×" in told.out + told.err and "Life: life:2 printed 2 ×, 3 ×" in told.out + told.err


def contours(rings: list[Polygon]) -> Counter[tuple[int, ...]]:
    """For each disc and token how wide the cuts inside it are, in mm."""
    outer = [ring for ring in rings if not any(other is not ring and other.contains(ring) for other in rings)]
    return Counter(
        (
            round(ring.bounds[2] - ring.bounds[0]),
            *sorted(round(math.sqrt(hole.area)) for hole in rings if hole is not ring and ring.contains(hole)),
        )
        for ring in outer
    )


# Discs of 60 mm with a hole of 4, √(4π) ≈ 4 wide; the window of 51.6° from 12 to 26 mm has the area of a square of 15 mm.
# Of the discs of 50 mm the hole is √(2.25π) ≈ 3 wide; the window is a circle of 5 mm radius, √(25π) ≈ 9.
CUT = {(60, 4): 2, (60, 4, 15): 2, (50, 3): 1, (50, 3, 9): 1, (20,): 4}


def test_a_machine_cuts_window_and_holes(project: Path) -> None:
    """Each disc, the hole in its middle and the window, closed, and no fold to score."""
    (svg,) = (project / "output" / "tiny" / "a4" / "cut").glob("*.svg")
    root = etree.fromstring(svg.read_bytes())
    layers = {group.get("id"): group for group in root.iter(f"{SVG}g")}
    rings = [
        Polygon([tuple(map(float, point.split(","))) for point in polygon.get("points", "").split()])
        for polygon in layers["cut"].iter(f"{SVG}polygon")
    ]
    rings += [
        Point(float(each.get("cx", "")), float(each.get("cy", ""))).buffer(float(each.get("r", "")), 64)
        for each in layers["cut"].iter(f"{SVG}circle")
    ]

    assert contours(rings) == CUT
    assert not list(layers["score"])
    for ring in rings:
        for hole in (hole for hole in rings if hole is not ring and ring.contains(hole) and hole.area < 13):
            assert hole.centroid.distance(ring.centroid) < 0.01


def test_a_book_and_a_preview_show_the_dial_put_together(project: Path) -> None:
    """A rulebook's picture has the pin over both discs; the preview has a page of the game."""
    small = project / "output" / "tiny" / "a4" / "rulebook-a5.pdf"
    pages = [page for page in PdfReader(small).pages if page.images]

    assert pages
    assert run("preview", "tiny", "life", at=project).code == 0
    picture = pages[0].images[0].image
    assert picture is not None and abs(picture.width - picture.height) <= 2
    middle = picture.convert("RGB").getpixel((picture.width // 2, picture.height // 2))
    window = picture.convert("RGB").getpixel((picture.width // 2, round(picture.height * (0.5 - 19 / 60))))
    assert isinstance(middle, tuple) and isinstance(window, tuple)
    assert max(abs(middle[0] - each) for each in middle) < 3, "the grey head of the pin"
    assert window == pytest.approx((0xCC, 0, 0), abs=3), "the first value"
