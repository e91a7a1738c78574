"""On whatever paper: a game is printed inside the margins, or a Problem says why it is not. Never does it crash."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import TinyProject, examples, pipeline, toml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from pnp.lay.grid import SLUG_MARGIN
from pnp.read.presets import paper, paper_names
from pnp.shapes.affine import Rect, around
from pnp.values.faces import Label, Line, Page, PlacedFace
from pnp.values.game import Backs
from pnp.values.outcome import CutFiles
from pnp.write.pdf import text_width

# Small pieces of the kinds that have pages of their own, so that they go on small papers too.
GAME = toml("""
game: name = "All papers of a long name"; papers = ["a4"]
cards: size = "20mm x 30mm"; back = "cards"
tiles: kind = "tile"; hexes = "hexes"; hex = "15mm"
sea: kind = "board"; size = "150mm x 20mm"
six: kind = "die"; size = "8mm"; sides = 6
layout.start: of = "tiles"
""")
FACE = """{% extends "shared/face.svg.j2" %}
{% block face %}<rect x="-3" y="-3" width="400" height="400" fill="#336699"/>{% endblock %}"""
TABLES = {
    "cards": "id,copies\nanna,3\nbert,2\n",
    "tiles": "id,back\nbay,b\nreef,b\n",
    "hexes": "tile,q,r\nbay,0,0\nreef,0,0\n",
    "start": "q,r,turn,pool\n0,0,0,b\n1,0,0,b\n",
}
sides = st.integers(50, 2000)


@pytest.fixture
def game(tiny: TinyProject) -> TinyProject:
    tiny.write("content/tiny/game.toml", GAME)
    tiny.write("content/tiny/rulebook.md", "# Rules\n\n## One\n\nPlay on page {{ pages('cards') }}.\n")
    for name, table in TABLES.items():
        tiny.write(f"content/tiny/{name}.csv", table)
    for name in ("cards", "tiles", "sea", "six"):
        tiny.write(f"templates/tiny/{name}.svg.j2", FACE)
    return tiny


def inked(page: Page) -> list[Rect]:
    """Where ink of faces, marks and words goes on a page."""
    boxes = []
    for item in page.items:
        if isinstance(item, PlacedFace):
            boxes.append(around(item.matrix.ring(item.shape)) if item.shape else item.matrix.bounds(item.clip))
        elif isinstance(item, Line):
            (left, right), (top, bottom) = sorted((item.x1, item.x2)), sorted((item.y1, item.y2))
            boxes.append(Rect(left, top, right - left, bottom - top))
        elif isinstance(item, Label) and item.anchor == "start":
            assert item.size_pt > 0
            long = text_width(item.text, item.size_pt)
            boxes.append(Rect(item.x, item.y - long, 0, long) if item.turn else Rect(item.x, item.y, long, 0))
    return boxes


@settings(max_examples=examples(30), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sides, sides, st.sampled_from(("long-edge", "gutterfold", "none")), st.sampled_from(("", "silhouette")))
@example(90, 130, "long-edge", "")
@example(50, 50, "long-edge", "silhouette")
@example(50, 1500, "gutterfold", "")
@example(1500, 1500, "long-edge", "silhouette")
@example(180, 235, "long-edge", "")
@example(179, 2000, "long-edge", "")
def test_a_paper_takes_the_game_or_a_problem_says_why_not(
    game: TinyProject, width: int, height: int, backs: Backs, cut: CutFiles
) -> None:
    """What is laid lies inside the paper, with room for the printer's grip; its file has pages of that size."""
    if max(width, height) > 1500:
        with pytest.raises(ValueError, match="out of bounds"):
            paper(f"{width} x {height} mm")
        return
    if cut and backs == "gutterfold":
        return
    sheet = paper(f"{width} x {height} mm")
    result = game.build(backs, (f"{width} x {height} mm",), cut=cut)
    assert result.ok or {problem.rule for problem in result.problems.errors} <= {"piece-too-large"}
    assert ("no-plan" in {problem.rule for problem in result.problems}) != sheet.readable
    if not result.ok:
        return
    made = pipeline(game.project, papers=(sheet,), backs=backs)
    for page in made.printed[sheet]:
        for box in inked(page):
            assert box.x >= SLUG_MARGIN - 1e-6 and box.right <= sheet.width - SLUG_MARGIN + 1e-6
            assert box.y >= SLUG_MARGIN - 1e-6 and box.bottom <= sheet.height - SLUG_MARGIN + 1e-6
    printed = PdfReader(game.project.root / "output/tiny" / sheet.name / "print.pdf")
    assert len(printed.pages) == len(made.printed[sheet]) + (2 if sheet.readable else 0) or cut
    for leaf in printed.pages:
        assert [float(side) for side in leaf.mediabox[2:]] == pytest.approx(
            [sheet.width / 25.4 * 72, sheet.height / 25.4 * 72]
        )


@pytest.mark.parametrize("name", paper_names())
def test_every_paper_with_a_name_takes_small_cards(game: TinyProject, name: str) -> None:
    """On a photo paper too; what only would be read there is left out, and that is said."""
    result = game.build("none", (name,))
    assert result.ok, [str(problem) for problem in result.problems.errors]
    made = {file.name for file in Path(game.project.root / "output/tiny" / name).iterdir()}
    assert {"print.pdf", "cards.pdf", "sea.pdf"} <= made
    assert ("rulebook-booklet.pdf" in made) == paper(name).readable


def test_pages_are_counted_without_a_plan(game: TinyProject) -> None:
    """A file without the two pages of the plan begins with its first sheet, in bookmarks as in numbers."""
    game.build("none", ("9x13cm",))
    reader = PdfReader(game.project.root / "output/tiny/9x13cm/print.pdf")

    assert str(reader.outline[0].title).startswith("Cards")  # type: ignore[union-attr]
    assert reader.get_destination_page_number(reader.outline[0]) == 0  # type: ignore[arg-type]
