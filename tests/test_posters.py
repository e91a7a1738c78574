"""Boards over several pages: cut at their own marks and laid together, they are the board in one piece."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2 as pdfium
import pytest
from conftest import TinyProject, toml
from PIL import Image, ImageFilter
from pypdf import PdfReader
from pypdf.generic import ContentStream

from pnp.read.project import Project

MM = 72 / 25.4
DPI = 150
MARK = 3.0

Box = tuple[float, float, float, float]

BOARD_TOML = toml("""
game: name = "Tiny"; papers = ["a4", "letter"]
sea: kind = "board"; map = "sea.txt"; legend = "sea-legend"; cell = "{cell}mm"; join = "{join}"
""")
BOARD_TEMPLATE = """{% extends "shared/face.svg.j2" %}
{% block face %}
<rect x="-3" y="-3" width="{{ face.width + 6 }}" height="{{ face.height + 6 }}" fill="#9cd3dc"/>
{% for cell in board.cells %}
<rect x="{{ cell.x }}" y="{{ cell.y }}" width="{{ board.cell }}" height="{{ board.cell }}"
 fill="#{{ ["c65", "48a", "6a4", "fc5", "fff"][(cell.column * 3 + cell.row * 7) % 5] }}"/>
<path d="M{{ cell.x }} {{ cell.y }}l{{ board.cell }} {{ board.cell / (1 + cell.row % 3) }}" stroke="#222"/>
{% endfor %}
<path d="{{ board.coast("land") }}" fill="#777" stroke="#000"/>
{% endblock %}
"""


Board = Callable[[int, int, float, str], Path]


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Board:
    """Builds a board with a different pattern in every square; returns the output folder."""
    return cache(lambda *asked: build(TinyProject(Project(tmp_path_factory.mktemp("board"))), *asked))


def build(tiny: TinyProject, columns: int, rows: int, cell: float, join: str) -> Path:
    lines = ["".join("#" if (x * y + x) % 11 == 3 else "." for x in range(columns)) for y in range(rows)]
    tiny.put(game_toml=BOARD_TOML.format(cell=cell, join=join), sea_txt="\n".join(lines) + "\n", sea_svg_j2=BOARD_TEMPLATE)
    tiny.write("content/tiny/sea-legend.csv", "letter,kind\n.,sea\n#,land\n")
    result = tiny.build()
    assert result.ok, [str(problem) for problem in result.problems]
    return tiny.project.root / "output" / "tiny"


def marks(page_number: int, reader: PdfReader) -> tuple[list[float], list[float]]:
    """Where the page's cut and seam marks stand: x of the upright and y of the level ones, in mm from the top left.

    Marks are the strokes 3 mm long; the ruler has none of that length.
    """
    page = reader.pages[page_number]
    height = float(page.mediabox.height)
    xs, ys = set(), set()
    start = (0.0, 0.0)
    for operands, operator in ContentStream(page.get_contents(), reader).operations:
        if operator == b"m":
            start = (float(operands[0]), float(operands[1]))
        elif operator == b"l":
            (x0, y0), (x1, y1) = start, (float(operands[0]), float(operands[1]))
            if abs(abs(y1 - y0) / MM - MARK) < 0.01 and abs(x1 - x0) < 0.01:
                xs.add(round(x0 / MM, 2))
            elif abs(abs(x1 - x0) / MM - MARK) < 0.01 and abs(y1 - y0) < 0.01:
                ys.add(round((height - y0) / MM, 2))
    return sorted(xs), sorted(ys)


def picture(path: Path, number: int, corner: tuple[float, float], at: Box) -> Image.Image:
    """What a page shows from ``corner`` (mm from its top left) on, as the part ``at`` of a board, at DPI.

    Sampled between pixels, so that no rounding adds up over the parts; the reader makes a page whole
    pixels wide and high by stretching it a little, which is taken back.
    """
    dots = DPI / 25.4
    page = pdfium.PdfDocument(path)[number]
    image = page.render(scale=DPI / 72).to_pil().convert("RGB")
    stretch = [pixels / (size / 72 * DPI) for pixels, size in zip(image.size, page.get_size(), strict=True)]
    left, top, right, bottom = (round(edge * dots) for edge in at)
    shift = [
        (first - start * dots + place * dots) * factor
        for first, start, place, factor in zip((left, top), at[:2], corner, stretch, strict=True)
    ]
    matrix = (stretch[0], 0, shift[0], 0, stretch[1], shift[1])
    return image.transform((right - left, bottom - top), Image.Transform.AFFINE, matrix, Image.Resampling.BILINEAR)


@cache
def rejoined(path: Path) -> Image.Image:
    """All labelled pages of a board's file, cut at their marks and laid edge to edge."""
    reader = PdfReader(path)
    pages = {}
    for number, page in enumerate(reader.pages):
        if label := re.search(r"\b([A-Z]\d+) · sheet", page.extract_text()):
            xs, ys = marks(number, reader)
            assert (len(xs), len(ys)) == (2, 2), "every page has one mark a side"
            pages[label[1]] = (number, xs, ys)
    rows = [list(row) for _, row in itertools.groupby(sorted(pages), key=lambda label: label[0])]
    parts: list[tuple[Box, Image.Image]] = []
    y = 0.0
    for row in rows:
        x = 0.0
        for label in row:
            number, (left, right), (top, bottom) = pages[label]
            at = (x, y, x + right - left, y + bottom - top)
            parts.append((at, picture(path, number, (left, top), at)))
            x = at[2]
        y = at[3]
    whole = Image.new("RGB", (round(x / 25.4 * DPI), round(y / 25.4 * DPI)))
    for at, part in parts:
        whole.paste(part, (round(at[0] / 25.4 * DPI), round(at[1] / 25.4 * DPI)))
    return whole


def one_piece(path: Path) -> Image.Image:
    """The board from its file in one piece, cut at its marks."""
    xs, ys = marks(0, PdfReader(path))
    return picture(path, 0, (xs[0], ys[0]), (0, 0, xs[-1] - xs[0], ys[-1] - ys[0]))


def assert_same_within_a_pixel(got: Image.Image, wanted: Image.Image) -> None:
    """Every pixel lies between the darkest and lightest of the other picture's around it, in each colour."""
    assert got.size == wanted.size
    # A touch of blur evens out how the corners of squares were smoothed at different parts of a pixel.
    dots, meant = (np.asarray(image.filter(ImageFilter.GaussianBlur(1))).astype(np.int16) for image in (got, wanted))
    outside = np.maximum(around(meant, np.minimum) - dots, dots - around(meant, np.maximum))
    off = Image.fromarray(outside.clip(0, 255).astype(np.uint8)).convert("L").point([0] * 49 + [255] * 207)

    assert off.getbbox() is None, f"pixels differ in {off.getbbox()}"


def around(dots: Any, pick: Any) -> Any:
    """The darkest or the lightest of each dot and its eight neighbours, in each colour."""
    for _ in range(2):
        wide = np.pad(dots, ((1, 1), (0, 0), (0, 0)), "edge")
        dots = pick(pick(wide[:-2], wide[1:-1]), wide[2:]).swapaxes(0, 1)
    return dots


@pytest.mark.parametrize(
    ("columns", "rows", "cell", "join"),
    [
        (11, 6, 30.0, "butt"),
        (11, 6, 30.0, "glue"),
        pytest.param(20, 30, 16.5, "butt", marks=pytest.mark.at_length),
        pytest.param(16, 22, 22.0, "glue", marks=pytest.mark.at_length),
    ],
)
def test_rejoined_pages_are_the_board(board: Board, columns: int, rows: int, cell: float, join: str) -> None:
    """On A4 and on Letter, glued and edge to edge, nothing is lost or doubled at a seam."""
    out = board(columns, rows, cell, join)
    wanted = one_piece(out / "one-piece" / "sea.pdf")
    for sheet in ("a4", "letter"):
        got = rejoined(out / sheet / "sea.pdf")

        assert got.width == pytest.approx(columns * cell / 25.4 * DPI, abs=3)
        assert_same_within_a_pixel(got, wanted)


def test_a_board_comes_with_a_page_on_how_to_join_it_that_is_no_piece(board: Board) -> None:
    """First the pages, each with its label and neighbours; then how to join them, with their labels."""
    out = board(20, 30, 16.5, "glue")
    texts = [page.extract_text() for page in PdfReader(out / "a4" / "sea.pdf").pages]

    assert len(texts) == 5
    assert "A2 to the right, B1 below" in texts[0]
    assert "last page" in texts[3]
    assert all(label in " ".join(texts[4].split()) for label in ("A1", "A2", "B1", "B2", "Spread glue"))


def test_each_row_of_a_board_is_printed_as_itself(tiny: TinyProject) -> None:
    """Two boards in one table: the pages of the second show the second, and so does what a copy shop prints."""
    tiny.put(
        game_toml='[game]\nname = "Tiny"\npapers = ["a4"]\n[component.sea]\nkind = "board"\ntable = "seas"\n'
        'size = "300mm x 100mm"\n',
        seas_csv="id,colour\nred,#ff0000\nblue,#0000ff\n",
    )
    ground = '<rect x="-3" y="-3" width="306" height="106" fill="{{ row.colour }}"/>'
    tiny.write("templates/tiny/sea.svg.j2", '{% extends "shared/face.svg.j2" %}{% block face %}' + ground + "{% endblock %}")
    result = tiny.build("none")
    assert result.ok, [str(problem) for problem in result.problems]

    def middles(name: str) -> list[tuple[int, ...]]:
        pdf = pdfium.PdfDocument(tiny.project.root / "output/tiny" / name)
        pictures = [page.render(scale=0.2).to_pil().convert("RGB") for page in pdf]
        return [picture.getpixel((picture.width // 2, picture.height // 2)) for picture in pictures]

    red, blue = (255, 0, 0), (0, 0, 255)
    parts = middles("a4/sea.pdf")
    half = len(parts) // 2
    # The last page shows how both are joined.
    assert {*parts[:half]} == {red} and {*parts[half:-1]} == {blue}
    assert middles("one-piece/sea.pdf") == [red, blue]
