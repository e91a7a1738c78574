"""The files for a cutting machine against the sheets in print: read back, they go around each piece within 0.05 mm.

That contours are those of outlines and scores those of folds is held in tests/lay/test_cuts.py.
"""

from __future__ import annotations

import base64
import io
import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import ezdxf
import pypdfium2 as pdfium
import pytest
from conftest import TinyProject, toml
from lxml import etree
from PIL import Image, ImageChops, ImageStat
from shapely import LineString, MultiLineString, Polygon, box, unary_union

from pnp.read.project import Project
from pnp.shapes.affine import Rect
from pnp.write.printed import read_printed

WIDTH, HEIGHT = 210.0, 297.0
CLOSE = 0.05
SVG = "{http://www.w3.org/2000/svg}"
INKSCAPE = "{http://www.inkscape.org/namespaces/inkscape}"
HREF = "{http://www.w3.org/1999/xlink}href"

GAME = toml("""
game: name = "Cut"; papers = ["a4"]
cards: size = "58mm x 80mm"; template = "plain"; back = "plain"
slips: size = "2.8125in x 1.125in"; bleed = "0"; template = "plain"
chart: size = "188mm x 262mm"; template = "plain"
tiles: kind = "tile"; hexes = "hexes"; hex = "24mm"; template = "plain"
coins: kind = "token"; size = "18mm"; template = "token"; back = "token"
combs: kind = "token"; size = "20mm"; shape = "hex"; table = "coins"; template = "token"
flags: kind = "token"; size = "24mm x 30mm"; shape = "shapes/ell"; template = "token"; back = "token"; backs = "gutterfold"
captain: kind = "standee"; size = "30mm x 40mm"; copies = 3; template = "net"
die: kind = "die"; size = "15mm"; sides = 6; copies = 3; template = "net"
ten: kind = "die"; size = "20mm"; sides = 10; template = "net"
box: kind = "box"; holds = ["cards"]; template = "net"
ship: kind = "ship"; holds = ["cards"]; slots = 3; template = "net"
""")
BLEEDS = {"slips": 0.0}
HOLES = {"ship": 3}
RECTANGLES = ("cards", "slips", "chart", "captain")
TABLES = {
    "cards": "id,copies\nanna,7\nbert,6\n",
    "slips": "id,copies\nyes,17\nno,5\n",
    # As large as a piece can be between the marks, with ink all around.
    "chart": "id\nsea\n",
    "tiles": "id\nbay\nreef\n",
    "hexes": "tile,q,r\nbay,0,0\nbay,1,0\nbay,0,1\nreef,0,0\nreef,0,1\n",
    "coins": "id,copies\none,9\nfive,4\n",
    "flags": "id,copies\nred,5\n",
}
NAMES = ("cards", "slips", "chart", "tiles", "coins", "combs", "flags", "captain", "die", "ten", "box", "ship")
COPIES = dict(zip(NAMES, (13, 22, 1, 2, 13, 13, 5, 3, 3, 1, 1, 1), strict=True))
FACE = '{{% extends "shared/face.svg.j2" %}}\n{{% block face %}}\n{}\n{{% endblock %}}\n'
GROUND = """<rect x="{{ -face.bleed }}" y="{{ -face.bleed }}" width="{{ face.width + 2 * face.bleed }}"
 height="{{ face.height + 2 * face.bleed }}" fill="#5b8e7d"/><rect x="4" y="4" width="9" height="5" fill="#102030"/>"""
TOKEN = '<path d="{{ token.bleed }}" fill="#f4a259"/><rect x="1" y="6" width="5" height="4" fill="#102030"/>'
NET = '<path d="{{ net.bleed }}" fill="#7fc7d9"/>'
ART = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path d="M0 0h10v4h-7v6h-3z"/></svg>'

Point = tuple[float, float]


@dataclass(frozen=True)
class Cut:
    """What a file tells a machine: closed and open cuts and scores, in mm from the page's top left, y downwards."""

    rings: tuple[tuple[Point, ...], ...]
    lines: tuple[tuple[Point, ...], ...]
    scores: tuple[tuple[Point, ...], ...]

    @property
    def all(self) -> MultiLineString:
        return MultiLineString([*self.lines, *([*ring, ring[0]] for ring in self.rings)])


# A game that is built in a moment: round tokens and dice on a sheet, slips without bleed on another.
FEW = "".join(f"[component.{part}" for part in GAME.split("[component.") if part.startswith(("slips", "coins", "die")))


def built(cut: str, folder: Path, components: str = "", **options: object) -> Path:
    """The game with all kinds of pieces or with some of them, built; returns the folder of its one paper."""
    made = TinyProject(Project(folder))
    made.write("content/tiny/game.toml", GAME.partition("[component.")[0] + components if components else GAME)
    made.write("content/tiny/art/shapes/ell.svg", ART)
    for name, table in TABLES.items():
        made.write(f"content/tiny/{name}.csv", table)
    for name, drawing in (("plain", GROUND), ("token", TOKEN), ("net", NET)):
        made.write(f"templates/tiny/{name}.svg.j2", FACE.format(drawing))
    result = made.build("long-edge", cut=cut, **options)
    assert result.ok, [str(problem) for problem in result.problems]
    return folder / "output" / "tiny" / "a4"


@pytest.fixture(scope="module")
def folder_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The game with all kinds, built once for each ``--cut``."""

    @cache
    def of(cut: str) -> Path:
        return built(cut, tmp_path_factory.mktemp(cut))

    return of


@pytest.fixture(scope="module", params=["svg", "silhouette"])
def drawn(request: pytest.FixtureRequest, folder_of: Callable[[str], Path]) -> Path:
    """The game with SVG files: with cut lines in print, and with registration marks instead."""
    return folder_of(request.param)


def sheets(folder: Path, suffix: str = "svg") -> list[tuple[int, Path]]:
    """The cut files by the number in their name."""
    return sorted((int(path.stem.removeprefix("sheet-")), path) for path in (folder / "cut").glob(f"*.{suffix}"))


# --- readers --------------------------------------------------------------------------------------------


@cache
def print_pages(folder: Path) -> dict[int, tuple[int, list[tuple[str, Rect]]]]:
    """The sheets of fronts by the number that their slug line tells: the page's index, each component's name and trim."""
    file = folder / "print.pdf"
    pieces = [piece for piece in read_printed(file.read_bytes(), "print").pieces if piece.side == "front"]
    found = {}
    with pdfium.PdfDocument(file) as document:
        for index, page in enumerate(document):
            words = page.get_textpage().get_text_range()
            here = [(piece.name.partition("/")[0], piece.box) for piece in pieces if piece.page == index + 1]
            if index > 1 and here and "How to fold and glue" not in words:
                number = int(words.rpartition("sheet ")[2].split(" of ")[0])
                found[number] = index, [(name, ink.grown(*4 * [-BLEEDS.get(name, 3.0)])) for name, ink in here]
    return found


def layers(root: Any) -> dict[str, Any]:
    """The layers of an SVG as Inkscape knows them, from the lowest."""
    return {group.get(f"{INKSCAPE}label"): group for group in root if group.get(f"{INKSCAPE}groupmode") == "layer"}


def points_of(element: Any) -> tuple[Point, ...]:
    pairs = (pair.split(",") for pair in element.get("points").split())
    return tuple((float(x), float(y)) for x, y in pairs)


def turned(x: float, y: float, radius: float) -> tuple[Point, ...]:
    """A circle as a ring."""
    turns = (math.tau * step / 720 for step in range(720))
    return tuple((x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns)


def ring_of(element: Any) -> tuple[Point, ...]:
    """A polygon or a circle."""
    if element.tag == f"{SVG}circle":
        return turned(*(float(element.get(key)) for key in ("cx", "cy", "r")))
    return points_of(element)


@cache
def read_svg(path: Path) -> Cut:
    """The cuts and scores of an SVG whose units are millimetres."""
    found = layers(etree.parse(path).getroot())
    closed = [ring_of(each) for each in found["cut"].iter(f"{SVG}polygon", f"{SVG}circle")]
    opened = [points_of(each) for each in found["cut"].iter(f"{SVG}polyline")]
    assert not list(found["score"].iter(f"{SVG}polygon"))
    return Cut(tuple(closed), tuple(opened), tuple(points_of(each) for each in found["score"].iter(f"{SVG}polyline")))


@cache
def read_dxf(path: Path) -> Cut:
    """The cuts and scores of a DXF; its y runs upwards."""
    by_layer: dict[tuple[str, bool], list[tuple[Point, ...]]] = {}
    for line in ezdxf.readfile(path).modelspace().query("LWPOLYLINE CIRCLE"):
        if line.dxftype() == "CIRCLE":
            x, y, _ = line.dxf.center
            by_layer.setdefault((line.dxf.layer, True), []).append(turned(x, HEIGHT - y, line.dxf.radius))
            continue
        points = tuple((x, HEIGHT - y) for x, y in line.get_points("xy"))
        by_layer.setdefault((line.dxf.layer, line.closed), []).append(points)
    rings, lines, scores = (by_layer.get(key, []) for key in (("CUT", True), ("CUT", False), ("SCORE", False)))
    return Cut(tuple(rings), tuple(lines), tuple(scores))


def render(folder: Path, indices: list[int], dpi: float) -> Iterator[Image.Image]:
    """Pages of ``print.pdf`` in colour."""
    with pdfium.PdfDocument(folder / "print.pdf") as document:
        for index in indices:
            yield document[index].render(scale=dpi / 72).to_pil().convert("RGB")


# --- the SVG --------------------------------------------------------------------------------------------


def test_an_svg_is_a_page_in_mm_with_its_layers(drawn: Path) -> None:
    """As large as the paper, one unit a millimetre, and nothing in it is moved or scaled. The picture below, then scores,
    then cuts; marks on top where the machine looks for them. Cuts are red, scores blue, neither is filled; the picture and
    the marks are locked."""
    assert sheets(drawn)
    for _, path in sheets(drawn):
        root = etree.parse(path).getroot()
        assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("210mm", "297mm", "0 0 210 297")
        assert not [element for element in root.iter() if "transform" in element.attrib]
        found = layers(root)
        marks = ["regmark"] if drawn.parts[-4].startswith("silhouette") else []
        assert list(found) == ["print", "score", "cut", *marks]
        assert [found[name].get("stroke") for name in ("cut", "score")] == ["#ff0000", "#0000ff"]
        assert [found[name].get("fill") for name in ("cut", "score")] == ["none", "none"]
        locked = "{http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd}insensitive"
        assert {name for name, group in found.items() if group.get(locked)} == {"print", *marks}
        assert {etree.QName(element).localname for element in found["print"]} == {"image"}


def test_the_print_layer_shows_the_sheet(folder_of: Callable[[str], Path]) -> None:
    """Its picture fills the page and is that page of the print file, and no other."""
    folder = folder_of("silhouette")
    numbers = dict(sheets(folder))
    pages = {number: index for number, (index, _) in print_pages(folder).items()}
    rendered = dict(zip(numbers, render(folder, [pages[number] for number in numbers], 72), strict=True))
    for number, path in numbers.items():
        (image,) = layers(etree.parse(path).getroot())["print"]
        assert [float(image.get(key)) for key in ("x", "y", "width", "height")] == [0, 0, WIDTH, HEIGHT]
        assert image.get("preserveAspectRatio") is None
        kind, _, data = image.get(HREF).partition(",")
        assert kind == "data:image/png;base64"
        with Image.open(io.BytesIO(base64.b64decode(data))) as opened:
            picture = opened.convert("RGB")
        assert picture.size == pytest.approx([mm / 25.4 * 72 for mm in (WIDTH, HEIGHT)], abs=1)
        apart = {other: difference(picture, page) for other, page in rendered.items()}
        assert apart[number] < 2
        assert min((value for other, value in apart.items() if other != number), default=99) > apart[number] + 2


def difference(one: Image.Image, two: Image.Image) -> float:
    """How much two pictures differ on the average, 0 to 255."""
    return sum(ImageStat.Stat(ImageChops.difference(one, two.resize(one.size))).mean) / 3


# --- the DXF --------------------------------------------------------------------------------------------


def test_a_dxf_is_in_mm_with_its_layers(folder_of: Callable[[str], Path]) -> None:
    """A sound drawing in millimetres, y upwards; cuts red, scores blue, and the page's edge on the layer of the print."""
    assert sheets(folder_of("silhouette"), "dxf")
    for _, path in sheets(folder_of("silhouette"), "dxf"):
        document = ezdxf.readfile(path)
        assert not document.audit().has_errors
        assert document.units == ezdxf.units.MM
        assert [document.layers.get(name).color for name in ("CUT", "SCORE")] == [1, 5]
        drawn = list(document.modelspace())
        assert {line.dxftype() for line in drawn} <= {"LWPOLYLINE", "CIRCLE"}
        assert {line.dxf.layer for line in drawn} <= {"CUT", "SCORE", "PRINT"}
        (page,) = (line for line in drawn if line.dxf.layer == "PRINT")
        assert page.closed and sorted(page.get_points("xy")) == [(0, 0), (0, HEIGHT), (WIDTH, 0), (WIDTH, HEIGHT)]


def same(svg: Cut, dxf: Cut) -> bool:
    """Contour by contour in the same order, every point within a few thousandths of a millimetre."""
    for parts in ("rings", "lines", "scores"):
        left, right = getattr(svg, parts), getattr(dxf, parts)
        if [len(contour) for contour in left] != [len(contour) for contour in right]:
            return False
        pairs = zip((point for each in left for point in each), (point for each in right for point in each), strict=True)
        if any(math.dist(p, q) > 0.003 for p, q in pairs):
            return False
    return True


def test_both_files_of_a_sheet_say_the_same(folder_of: Callable[[str], Path]) -> None:
    """A machine that reads the DXF cuts what one does that reads the SVG."""
    folder = folder_of("silhouette")
    for (number, svg), (other, dxf) in zip(sheets(folder, "svg"), sheets(folder, "dxf"), strict=True):
        assert number == other
        assert same(read_svg(svg), read_dxf(dxf))


def test_only_the_files_asked_for_are_written(tmp_path: Path) -> None:
    """svg and dxf each bring their own, silhouette both; one for every sheet with pieces to cut; what an earlier build left
    is gone."""
    for cut, wanted in (("svg", {".svg"}), ("dxf", {".dxf"}), ("silhouette", {".svg", ".dxf"})):
        folder = built(cut, tmp_path, FEW)
        assert {path.suffix for path in (folder / "cut").iterdir()} == wanted
        print_pages.cache_clear()
        for suffix in wanted:
            assert [number for number, _ in sheets(folder, suffix[1:])] == sorted(print_pages(folder))
    assert not (built("", tmp_path, FEW) / "cut").exists()


# --- against the print ----------------------------------------------------------------------------------


def test_every_piece_in_print_is_cut_around(drawn: Path) -> None:
    """Each copy that the tables say: a ring of the size of its trim where it is printed, or lines along its four sides."""
    found: Counter[str] = Counter()
    for number, path in sheets(drawn):
        cut = read_svg(path)
        rings = [Polygon(ring) for ring in cut.rings]
        for name, trim in print_pages(drawn)[number][1]:
            found[name] += 1
            edges = (trim.x, trim.y, trim.right, trim.bottom)
            if name in RECTANGLES:
                assert cut.all.buffer(CLOSE).covers(box(*edges).exterior), name
                continue
            own = sorted((ring for ring in rings if box(*edges).buffer(CLOSE).contains(ring)), key=lambda ring: ring.area)
            assert len(own) == 1 + HOLES.get(name, 0), name
            # Of tiles some are smaller than the face that all of them have.
            assert name == "tiles" or own[-1].bounds == pytest.approx(edges, abs=CLOSE), name
    assert found == Counter(COPIES)


def test_what_is_round_is_a_circle(folder_of: Callable[[str], Path]) -> None:
    """In both files, so that a machine moves in one go; round tokens are, and neither hexes nor anything drawn."""
    folder = folder_of("silhouette")
    drawn = [circle for _, path in sheets(folder) for circle in etree.parse(path).getroot().iter(f"{SVG}circle")]
    written = [ezdxf.readfile(path).modelspace().query("CIRCLE") for _, path in sheets(folder, "dxf")]

    assert [float(circle.get("r")) for circle in drawn] == [9] * COPIES["coins"]
    assert [circle.dxf.radius for query in written for circle in query] == [9] * COPIES["coins"]


def test_folds_may_be_dashes_to_cut(tmp_path: Path) -> None:
    """They lie on what else is scored, in red, in a layer of their own that stands for the scores."""
    scored = built("silhouette", tmp_path / "scored", FEW)
    perforated = built("silhouette", tmp_path / "perforated", FEW, perforate=True)
    assert [name for name, _ in sheets(scored)] == [name for name, _ in sheets(perforated)]
    seen = 0
    for (_, plain), (_, svg), (_, dxf) in zip(sheets(scored), sheets(perforated), sheets(perforated, "dxf"), strict=True):
        folds = MultiLineString(read_svg(plain).scores)
        found = layers(etree.parse(svg).getroot())
        if folds.is_empty:
            assert "perforate" not in found
            continue
        assert list(found) == ["print", "perforate", "cut", "regmark"]
        assert found["perforate"].get("stroke") == "#ff0000"
        dashes = [LineString(points_of(each)) for each in found["perforate"]]
        assert all(folds.buffer(0.01).contains(dash) for dash in dashes)
        assert sum(dash.length for dash in dashes) == pytest.approx(folds.length / 2, rel=0.01)
        space = ezdxf.readfile(dxf).modelspace()
        assert len(space.query('LWPOLYLINE[layer=="PERFORATE"]')) == len(dashes)
        assert not space.query('LWPOLYLINE[layer=="SCORE"]')
        seen += len(dashes)
    assert seen > 100


# --- registration marks ---------------------------------------------------------------------------------


def bars(path: Path) -> list[tuple[float, float, float, float]]:
    """The filled rectangles of an SVG's marks: left, top, right, bottom in mm."""
    found = []
    for bar in layers(etree.parse(path).getroot())["regmark"]:
        x, y, width, height = (float(bar.get(key)) for key in ("x", "y", "width", "height"))
        assert bar.get("fill") == "#000000"
        found.append((x, y, x + width, y + height))
    return found


def test_registration_marks_are_those_of_a_silhouette(folder_of: Callable[[str], Path]) -> None:
    """Type 1: a square of 5 mm top left, corners top right and bottom left with arms of 5 to 20 mm, all 10 mm or more from
    the edges of the paper, lines of 0.5 to 1 mm (docs/how-it-works/print.md#registration-marks)."""
    for _, path in sheets(folder_of("silhouette")):
        found = bars(path)
        square = [bar for bar in found if bar[2] - bar[0] == bar[3] - bar[1]]
        assert square == [(10, 10, 15, 15)]
        arms = [bar for bar in found if bar not in square]
        for left, top, right, bottom in arms:
            thin, long = sorted((right - left, bottom - top))
            assert 0.5 <= thin <= 1 and 5 <= long <= 20
            assert min(left, top, WIDTH - right, HEIGHT - bottom) >= 10 - 1e-9
        halves = [[Polygon.from_bounds(*bar) for bar in arms if (bar[1] > HEIGHT / 2) == low] for low in (False, True)]
        corners = [unary_union(half) for half in halves]
        assert [corner.geom_type for corner in corners] == ["Polygon", "Polygon"]
        assert corners[0].bounds == (195, 10, 200, 15) and corners[1].bounds == (10, 282, 15, 287)


def test_nothing_is_cut_near_the_marks(folder_of: Callable[[str], Path]) -> None:
    """Pieces lie inside the marks' frame and at least 1.5 mm from each: the machine reaches no further."""
    for _, path in sheets(folder_of("silhouette")):
        marks = unary_union([Polygon.from_bounds(*bar) for bar in bars(path)])
        cut = read_svg(path).all
        assert cut.distance(marks) >= 1.5 - 0.002
        left, top, right, bottom = cut.bounds
        assert left >= 10 and top >= 10 and right <= WIDTH - 10 and bottom <= HEIGHT - 10
