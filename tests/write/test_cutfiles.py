"""The files for a cutting machine against the sheets in print: read back, they follow the printed edges within 0.05 mm.

Nothing here asks the program where pieces lie. The PDF is read with pypdf and looked at with pypdfium2, the SVG with
lxml, the DXF with ezdxf, and shapely judges where two lines are the same.
"""

from __future__ import annotations

import base64
import io
import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import ezdxf
import pypdfium2 as pdfium
import pytest
from conftest import TinyProject, toml
from lxml import etree
from PIL import Image, ImageChops, ImageStat
from pypdf import PdfReader
from shapely import LineString, MultiLineString, Polygon, unary_union

from pnp.read.project import Project

# One worker builds the game in its three ways, once.

MM = 72 / 25.4
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
COPIES = {
    "cards": 13,
    "slips": 22,
    "chart": 1,
    "tiles": 2,
    "coins": 13,
    "combs": 13,
    "flags": 5,
    "captain": 3,
    "die": 3,
    "ten": 1,
}
COPIES |= {"box": 1, "ship": 1}
FACE = '{{% extends "shared/face.svg.j2" %}}\n{{% block face %}}\n{}\n{{% endblock %}}\n'
GROUND = """<rect x="{{ -face.bleed }}" y="{{ -face.bleed }}" width="{{ face.width + 2 * face.bleed }}"
 height="{{ face.height + 2 * face.bleed }}" fill="#5b8e7d"/><rect x="4" y="4" width="9" height="5" fill="#102030"/>"""
TOKEN = '<path d="{{ token.bleed }}" fill="#f4a259"/><rect x="1" y="6" width="5" height="4" fill="#102030"/>'
NET = '<path d="{{ net.bleed }}" fill="#7fc7d9"/>'
ART = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path d="M0 0h10v4h-7v6h-3z"/></svg>'

Point = tuple[float, float]
Matrix = tuple[float, float, float, float, float, float]


@dataclass(frozen=True)
class Printed:
    """A front on a page: its trim's corners as printed on the face, clockwise from the top left, in mm from the page's
    top left."""

    component: str
    corners: tuple[Point, Point, Point, Point]

    @property
    def trim(self) -> Polygon:
        return Polygon(self.corners)

    def at(self, across: float, down: float) -> Point:
        """A place on the face in shares of its width and height."""
        (x0, y0), (x1, y1), _, (x3, y3) = self.corners
        return x0 + (x1 - x0) * across + (x3 - x0) * down, y0 + (y1 - y0) * across + (y3 - y0) * down


@dataclass
class Page:
    """A page as printed: pieces by side, closed hairlines and dashed lines, in mm from the top left."""

    fronts: list[Printed] = field(default_factory=list)
    backs: list[Printed] = field(default_factory=list)
    rings: list[Polygon] = field(default_factory=list)
    dashed: list[LineString] = field(default_factory=list)


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


def times(first: Matrix, second: Matrix) -> Matrix:
    """PDF's product of matrices: first, then second."""
    a, b, c, d, e, f = first
    p, q, r, s, t, u = second
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)


def read_page(page: Any) -> Page:
    """Follow a page's drawing to where its pieces and black lines come to lie."""
    found = Page()
    height = float(page.mediabox[3])
    matrix: Matrix = (1, 0, 0, 1, 0, 0)
    kept: list[tuple[Matrix, float, list[Any]]] = []
    grey, dashes = 0.0, list[Any]()
    path: list[Point] = []

    def on_page(x: float, y: float) -> Point:
        a, b, c, d, e, f = matrix
        x, y = float(x), float(y)
        return (a * x + c * y + e) / MM, (height - (b * x + d * y + f)) / MM

    for operands, operator in page.get_contents().operations:
        match operator:
            case b"q":
                kept.append((matrix, grey, dashes))
            case b"Q":
                matrix, grey, dashes = kept.pop()
            case b"cm":
                a, b, c, d, e, f = map(float, operands)
                matrix = times((a, b, c, d, e, f), matrix)
            case b"G":
                grey = float(operands[0])
            case b"RG":
                grey = max(map(float, operands))
            case b"d":
                dashes = list(operands[0])
            case b"m":
                path = [on_page(*operands)]
            case b"l":
                path.append(on_page(*operands))
            case b"s" | b"S" if grey == 0 and len(path) > 1:
                if dashes:
                    found.dashed.append(LineString(path))
                elif operator == b"s" or len(path) > 2:
                    found.rings.append(Polygon(path))
            case b"h":
                path.append(path[0])
            case b"Do":
                form = page["/Resources"]["/XObject"][operands[0]].get_object()
                component = str(form["/PNPPiece"]).partition("/")[0]
                inside = BLEEDS.get(component, 3.0) * MM
                left, bottom, right, top = map(float, form["/BBox"])
                left, bottom, right, top = left + inside, bottom + inside, right - inside, top - inside
                corners = (on_page(left, top), on_page(right, top), on_page(right, bottom), on_page(left, bottom))
                side = found.fronts if form["/PNPSide"] == "/Front" else found.backs
                side.append(Printed(component, corners))
    return found


@cache
def print_pages(folder: Path) -> dict[int, tuple[int, Page]]:
    """The fronts with pieces by the number of the sheet that their slug line tells: the page's index, what is on it."""
    pages = PdfReader(folder / "print.pdf").pages
    found = {}
    document = pdfium.PdfDocument(folder / "print.pdf")
    try:
        for index, page in enumerate(pages):
            words = document[index].get_textpage().get_text_range()
            number = words.rpartition("sheet ")[2].split(" of ")[0]
            printed = read_page(page) if index > 1 else Page()
            if printed.fronts and "How to fold and glue" not in words:
                found[int(number)] = index, printed
    finally:
        document.close()
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
    document = pdfium.PdfDocument(folder / "print.pdf")
    try:
        for index in indices:
            yield document[index].render(scale=dpi / 72).to_pil().convert("RGB")
    finally:
        document.close()


def near(one: Any, two: Any) -> bool:
    """Every point of each lies within 0.05 mm of the other."""
    return bool(one.hausdorff_distance(two) <= CLOSE)


# --- the SVG --------------------------------------------------------------------------------------------


def test_an_svg_is_a_page_in_mm(drawn: Path) -> None:
    """As large as the paper, one unit a millimetre, and nothing in it is moved or scaled."""
    assert sheets(drawn)
    for _, path in sheets(drawn):
        root = etree.parse(path).getroot()
        assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("210mm", "297mm", "0 0 210 297")
        assert not [element for element in root.iter() if "transform" in element.attrib]


def test_an_svg_has_its_layers(drawn: Path) -> None:
    """The picture below, then scores, then cuts; marks on top where the machine looks for them. Cuts are red, scores blue,
    neither is filled; the picture and the marks are locked."""
    for _, path in sheets(drawn):
        found = layers(etree.parse(path).getroot())
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
    """svg and dxf each bring their own, saying the same; silhouette both; one for every sheet with pieces to cut; what an
    earlier build left is gone."""
    found: dict[str, list[Cut]] = {}
    for cut, wanted in (("svg", {".svg"}), ("dxf", {".dxf"}), ("silhouette", {".svg", ".dxf"})):
        folder = built(cut, tmp_path, FEW)
        assert {path.suffix for path in (folder / "cut").iterdir()} == wanted
        print_pages.cache_clear()
        for suffix in wanted:
            assert [number for number, _ in sheets(folder, suffix[1:])] == sorted(print_pages(folder))
        reader = read_svg if ".svg" in wanted else read_dxf
        reader.cache_clear()
        found[cut] = [reader(path) for _, path in sheets(folder, max(wanted)[1:])]
    assert all(map(same, found["svg"], found["dxf"]))
    assert not (built("", tmp_path, FEW) / "cut").exists()


# --- against the print ----------------------------------------------------------------------------------


def test_every_copy_is_cut(drawn: Path) -> None:
    """The sheets with cut files show each piece as often as the tables say, so that what follows looks at all of them."""
    pages = print_pages(drawn)
    found = Counter(front.component for number, _ in sheets(drawn) for front in pages[number][1].fronts)

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


def test_the_printed_hairline_is_what_is_cut(folder_of: Callable[[str], Path]) -> None:
    """Where the sheet is also cut by hand: each outline in the PDF and its contour in the file are one line."""
    folder, seen = folder_of("svg"), 0
    for number, path in sheets(folder):
        page = print_pages(folder)[number][1]
        rings = [Polygon(ring) for ring in read_svg(path).rings]
        in_front = unary_union([front.trim.buffer(CLOSE) for front in page.fronts])
        printed = [ring for ring in page.rings if in_front.contains(ring)]
        outlined = [front for front in page.fronts if front.component not in RECTANGLES]
        assert len(printed) == len(outlined) + sum(HOLES.get(front.component, 0) for front in outlined)
        for hairline in printed:
            assert sum(near(hairline.exterior, ring.exterior) for ring in rings) == 1
            seen += 1
    assert seen == sum(COPIES[name] for name in COPIES if name not in RECTANGLES) + 3


def test_scores_are_the_printed_folds(drawn: Path) -> None:
    """Every dashed line on a piece has its score and every score its dashed line; a gutterfold's own fold has none."""
    scored = 0
    for number, path in sheets(drawn):
        page = print_pages(drawn)[number][1]
        pieces = unary_union([front.trim.buffer(CLOSE) for front in page.fronts])
        folds = [line for line in page.dashed if pieces.contains(line)]
        scores = [LineString(line) for line in read_svg(path).scores]
        assert len(folds) == len(scores)
        assert all(sum(near(fold, score) for score in scores) == 1 for fold in folds)
        scored += len(scores)
    # A standee folds at three lines, a cube at 5 + 7 tabs, a kite die at 9 + 11; the rest are the box and the ship.
    assert scored > 3 * 3 + 3 * (5 + 7) + (9 + 11)


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
