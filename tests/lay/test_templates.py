"""Sheets for silhouette-card-maker's ready templates, against what that project publishes.

Facts from its ``assets/layouts.json`` (at 06166419, 2026) and its specification (at 9196afb8): for each paper and size
of cards whether the page lies or stands, rows and columns, and how long the arms of the marks are.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from itertools import pairwise

import pytest
from conftest import TinyProject
from PIL import Image
from pypdf import PdfReader

from pnp.lay.grid import template_of
from pnp.read.presets import paper
from pnp.write.png import render
from pnp.write.printed import PrintedPiece, read_printed

# Card, then per paper: columns × rows of cards and the length of an arm in mm. The page lies where the first letter is L.
PUBLISHED = {
    ("standard", 63.0, 88.0): {"letter": "L4x2 8.04", "a4": "L4x2 9.4", "legal": "L5x2 8.04", "a3": "L6x3 6.6"},
    ("poker", 63.5, 88.9): {"letter": "L4x2 7.2", "a4": "L4x2 8.38", "tabloid": "P4x4 24.98", "a3": "P4x4 19.05"},
    ("bridge", 57.15, 88.9): {"letter": "L4x2 12.28", "a4": "P3x3 6.69", "legal": "L5x2 21.08", "a3": "L6x3 24.13"},
    ("bridge_square", 57.15, 57.15): {"letter": "L4x3 12.28", "a4": "L4x3 21.08", "tabloid": "L7x4 12.28"},
    ("japanese", 59.0, 86.0): {"letter": "L4x2 10.08", "a4": "P3x3 6.94", "tabloid": "P4x4 30.73", "a3": "L6x3 18.54"},
    ("mini", 44.45, 63.5): {"letter": "L5x3 14.82", "a4": "P4x4 8.38", "legal": "L7x3 7.2", "a3": "L8x4 16.51"},
    ("american_mini", 41.0, 63.0): {"letter": "P4x4 12.78", "a4": "P4x4 9.91", "legal": "L7x3 19.3", "a3": "L9x4 9.4"},
    ("euro_mini", 44.0, 68.0): {"letter": "P4x3 25.15", "a4": "L6x2 25.15", "legal": "P4x4 28.7", "a3": "L8x4 18.2"},
    ("micro", 31.75, 44.45): {"letter": "L7x4 13.46", "a4": "P5x6 11.77", "tabloid": "P7x9 13.46", "a3": "L11x6 17.78"},
    ("business", 88.9, 50.8): {"letter": "P2x5 7.2", "a4": "P2x5 7.7", "tabloid": "L4x5 24.98", "a3": "P3x7 17.19"},
    ("euro_business", 85.0, 55.0): {"letter": "L3x3 12.87", "a4": "L3x3 9.91", "tabloid": "P3x7 8.21"},
    ("credit", 85.725, 53.975): {"letter": "P2x4 18.54", "a4": "P2x5 7.37", "tabloid": "L4x4 31.41", "a3": "P3x7 7.45"},
    ("domino", 44.45, 88.9): {"letter": "L5x2 14.82", "a4": "L5x2 23.62", "tabloid": "P5x4 24.98", "a3": "L8x3 16.51"},
    ("domino_square", 44.45, 44.45): {"letter": "L5x4 14.82", "a4": "L5x4 23.62", "tabloid": "L9x5 14.82"},
    ("catan", 54.0, 80.0): {"letter": "P3x3 14.39", "a4": "L5x2 13.12", "legal": "L6x2 16.0", "a3": "L7x3 16.0"},
    ("tarot", 69.85, 120.65): {"letter": "P2x2 26.16", "a4": "P2x2 23.28", "legal": "L4x1 36.32", "a3": "L5x2 21.59"},
    ("jumbo", 88.9, 139.7): {"letter": "L2x1 38.86", "a4": "L3x1 23.88", "legal": "P2x2 26.16", "a3": "P3x2 58.42"},
    ("standard_double", 88.0, 126.0): {"letter": "P2x2 8.04", "a4": "P2x2 10.58", "tabloid": "L4x2 26.84"},
    ("70mm_square", 70.0, 70.0): {"letter": "L3x2 25.99", "a4": "L3x2 30.9", "tabloid": "L5x3 27.01", "a3": "L5x3 30.9"},
}
FACTS = [(*card, sheet, fact) for card, papers in PUBLISHED.items() for sheet, fact in papers.items()]
# The project counts in dots of 300 dpi, and rounds three times.
DOTS = 3 * 25.4 / 300


@pytest.mark.parametrize(("card", "width", "height", "sheet", "fact"), FACTS, ids=lambda value: str(value))
def test_a_sheet_is_that_of_the_template(card: str, width: float, height: float, sheet: str, fact: str) -> None:
    """Name, rows and columns; cards in the middle, 1.25 mm apart; arms end as far before them as published, at 20 mm."""
    layout, arm = fact.split()
    columns, rows = map(int, layout[1:].split("x"))
    template = template_of(paper(sheet), width, height)
    assert template is not None and template.name == f"{sheet}-{card}"
    assert template.lying == (layout[0] == "L") == template.grid.turned
    grid = template.grid
    assert (grid.columns, grid.rows) == ((rows, columns) if template.lying else (columns, rows))
    assert grid.bleed == 0.625
    block, whole = grid.block, paper(sheet)
    assert block.x == pytest.approx(whole.width - block.right) and block.y == pytest.approx(whole.height - block.bottom)
    lines = template.marks(whole)
    longest = max(max(abs(line.x2 - line.x1), abs(line.y2 - line.y1)) for line in lines)
    # An arm begins half a line before the frame.
    assert longest - 0.5 == pytest.approx(min(float(arm), 20.0), abs=DOTS)


def game(tiny: TinyProject, size: str, more: str = "") -> TinyProject:
    """Nine cards of a size, printed on both sides over all of their bleed."""
    head = '[game]\nname = "Tiny"\npapers = ["a4"]\n'
    tiny.write("content/tiny/game.toml", f'{head}[component.cards]\nsize = "{size}"\nback = "cards"\n{more}')
    tiny.write("content/tiny/cards.csv", "id,copies\nanna,5\nbert,4\n")
    ground = '<rect x="-3" y="-3" width="200" height="200" fill="#d08050"/>'
    for name in ("cards", "coins"):
        text = f'{{% extends "shared/face.svg.j2" %}}{{% block face %}}{ground}{{% endblock %}}'
        tiny.write(f"templates/tiny/{name}.svg.j2", text)
    return tiny


def cards(tiny: TinyProject, sheet: str) -> list[PrintedPiece]:
    """All cards of the built file."""
    path = tiny.project.root / "output" / "tiny" / sheet / "cards.pdf"
    return [piece for piece in read_printed(path.read_bytes(), path.name).pieces if piece.name.startswith("cards/")]


def gaps(edges: Sequence[tuple[float, float]]) -> list[float]:
    """Between neighbours of a row."""
    return [after[0] - before[1] for before, after in pairwise(sorted(set(edges)))]


@pytest.mark.parametrize(
    ("size", "columns", "rows", "lying"), [("poker", 2, 4, True), ("bridge", 3, 3, False)], ids=["poker", "bridge"]
)
def test_a_sheet_is_printed_as_the_template_cuts(tiny: TinyProject, size: str, columns: int, rows: int, lying: bool) -> None:
    """On the first page cards lie in the middle in so many columns and rows, 1.25 mm apart, backs behind them; marks where
    the template looks: a square at the top left, corners at the top right and the bottom left, in lines of 1 mm along
    a frame 10 mm from the edges; nothing at the bottom right, nothing on the back. The template is named, no cut file is."""
    result = game(tiny, size).build(papers=("a4",), cut="silhouette-card-maker")
    assert result.ok, [str(problem) for problem in result.problems]
    made, whole = cards(tiny, "a4"), paper("a4")
    # A face is placed with the 3 mm around it, of which as much is seen as the sheet has room for.
    first, behind = ([piece.box.grown(*4 * [-3.0]) for piece in made if piece.page == page] for page in (1, 2))
    assert len(first) == columns * rows
    across = [(round(box.x, 3), round(box.right, 3)) for box in first]
    down = [(round(box.y, 3), round(box.bottom, 3)) for box in first]
    for edges, count, length in ((across, columns, whole.width), (down, rows, whole.height)):
        assert len(set(edges)) == count
        assert gaps(edges) == pytest.approx([1.25] * (count - 1), abs=0.005)
        assert min(edges)[0] + max(edges)[1] == pytest.approx(length, abs=0.01)
    assert sorted(whole.width - box.right for box in behind) == pytest.approx(sorted(box.x for box in first), abs=0.01)
    assert sorted(box.y for box in behind) == pytest.approx(sorted(box.y for box in first), abs=0.01)

    folder = tiny.project.root / "output/tiny/a4"
    front, back = (
        Image.open(io.BytesIO(page)).convert("L") for page in render((folder / "cards.pdf").read_bytes(), 254)[:2]
    )
    if lying:
        front, back = (page.transpose(Image.Transpose.ROTATE_90) for page in (front, back))
    wide, high = (297, 210) if lying else (210, 297)

    def black(page: Image.Image, x0: float, y0: float, x1: float, y1: float) -> bool:
        """Whether all of a rectangle in mm is black, to a dot of 254 dpi."""
        box = tuple(round(mm * 10) + step for mm, step in zip((x0, y0, x1, y1), (1, 1, -1, -1), strict=True))
        return bool(page.crop(box).getextrema()[1] < 80)

    bars = [
        (9.5, 9.5, 15.5, 15.5),
        (wide - 15, 9.5, wide - 9.5, 10.5),
        (wide - 10.5, 9.5, wide - 9.5, 15),
        (9.5, high - 10.5, 15, high - 9.5),
        (9.5, high - 15, 10.5, high - 9.5),
    ]
    assert [black(front, *bar) for bar in bars] == [True] * 5 and [black(back, *bar) for bar in bars] == [False] * 5
    assert not black(front, wide - 15, high - 10.5, wide - 9.5, high - 9.5)
    # The square ends where it should.
    assert not black(front, 9.5, 9.5, 16.5, 10.5) and not black(front, 8.5, 9.5, 15.5, 10.5)

    pages = [page.extract_text() for page in PdfReader(folder / "print.pdf").pages]
    assert f"templates of silhouette-card-maker: a4-{size}" in " ".join(pages[0].split())
    assert f"cut with the template a4-{size}" in pages[2]
    assert not [path for path in result.files if path.parent.name == "cut"]


def test_what_is_no_card_is_cut_by_hand(tiny: TinyProject) -> None:
    """Tokens have sheets of their own with cut lines, and that is said."""
    more = '[component.coins]\nkind = "token"\nsize = "20mm"\ntable = "cards"\n'
    result = game(tiny, "poker", more).build(papers=("a4",), cut="silhouette-card-maker")
    (warning,) = (problem for problem in result.problems if problem.rule == "cut-by-hand")

    assert result.ok and warning.value == "coins"
    printed = read_printed((tiny.project.root / "output/tiny/a4/print.pdf").read_bytes(), "print.pdf").pieces
    on_pages: dict[int, set[str]] = {}
    for piece in printed:
        on_pages.setdefault(piece.page, set()).add(piece.name.partition("/")[0])
    assert {"cards", "coins"} not in on_pages.values() and {"coins"} in on_pages.values()


@pytest.mark.parametrize(
    ("size", "sheet", "said"),
    [
        ("60mm x 60mm", "a4", "no cutting template for cards of 60 × 60 mm on a4. Allowed: 63 × 88, 63.5 × 88.9"),
        ("poker", "13x18cm", "no cutting templates for 13x18cm. Allowed: letter, legal, tabloid, a4, a3"),
    ],
)
def test_what_has_no_template_stops_the_build(tiny: TinyProject, size: str, sheet: str, said: str) -> None:
    """With what there is; nothing is written."""
    result = game(tiny, size).build(papers=(sheet,), cut="silhouette-card-maker")

    assert [said in str(problem) for problem in result.problems.errors] == [True]
    assert not (tiny.project.root / "output").exists()
