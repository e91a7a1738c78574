"""A divider is a card with a tab: cut in one piece, its tab where the table says, on the back at the other side."""

from __future__ import annotations

from collections.abc import Sequence

import pypdfium2 as pdfium
import pytest
from conftest import TinyProject, examples, paths_in
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Polygon, box

from pnp.draw.kinds import divider_outline, divider_values
from pnp.shapes.outline import area
from pnp.values.game import Component, Tabs
from pnp.values.problems import Place
from pnp.values.tables import Row, Table

PLACE = Place("dividers.csv")
GAME = """[game]
name = "Tiny"
papers = ["a4"]
[component.dividers]
kind = "divider"
size = "68mm x 95mm"
tabs = 3
back = "dividers"
"""
FACE = """{% extends "shared/face.svg.j2" %}
{% import "shared/pieces.svg.j2" as s %}
{% block face %}
{% set t = divider.tab %}
{{ s.text(row.name, t.x + 2, t.y + 1, t.width - 4, t.height - 2, size="7") }}
{% endblock %}
"""


def dividers(count: int, width: float, height: float, tab: float, places: Sequence[int]) -> tuple[Component, list[Row]]:
    """A component of dividers with a tab at each of these places."""
    rows = [Row(str(number), 1, PLACE, {}, set()) for number in range(len(places))]
    tabs = Tabs(count, tab, dict(zip((row.id for row in rows), places, strict=True)))
    table = Table("dividers", "dividers.csv", (), tuple(rows), set())
    return Component("d", "D", "divider", table, "d", "d", width, height + tab, 3, "card", PLACE, tabs=tabs), rows


@settings(max_examples=examples(80), deadline=None)
@given(st.integers(1, 8), st.floats(80, 200), st.floats(40, 200), st.floats(4, 30), st.data())
def test_a_divider_is_its_card_and_its_tab(count: int, width: float, height: float, tab: float, data: st.DataObject) -> None:
    """Nothing is missing but the tab's two corners; the back is the same piece turned over."""
    place = data.draw(st.integers(0, count - 1))
    component, (row,) = dividers(count, width, height, tab, [place])
    front, back = (divider_outline(component, row, side) for side in ("front", "back"))
    assert front and back
    card = box(0, tab, width, tab + height)
    whole = card.union(box(width * place / count, 0, width * (place + 1) / count, tab))
    cut = min(2.0, tab / 2)

    assert area(front) > 0 and Polygon(front).is_valid
    assert Polygon(front).difference(whole.buffer(1e-6)).is_empty
    assert whole.area - Polygon(front).area == pytest.approx(cut * cut)
    assert Polygon(back).symmetric_difference(Polygon([(width - x, y) for x, y in front])).area == pytest.approx(0, abs=1e-6)
    for side, ring in (("front", front), ("back", back)):
        shown = divider_values(component, row, side)["divider"]  # type: ignore[arg-type]
        tabbed = shown["tab"]
        middle = (tabbed["x"] + tabbed["width"] / 2, tabbed["height"] / 2)
        assert Polygon(ring).buffer(1e-6).contains(box(middle[0] - 1, middle[1] - 1, middle[0] + 1, middle[1] + 1))
        assert shown["place"] == place + 1


def test_tabs_go_from_left_to_right_unless_the_table_says_otherwise(tiny: TinyProject) -> None:
    """Printed: behind each tab's word is the same word of its back, wherever the divider lies on the sheet."""
    tiny.write("content/tiny/game.toml", GAME)
    tiny.write("templates/tiny/dividers.svg.j2", FACE)
    tiny.write("content/tiny/dividers.csv", "name,tab\nForest,\nRiver,\nHill,\nSea,\nDesert,1\n")
    result = tiny.build(cut="dxf")
    assert result.ok, [str(problem) for problem in result.problems]
    sheet = pdfium.PdfDocument(tiny.project.root / "output/tiny/a4/dividers.pdf")
    front, back = (words(sheet[number]) for number in (0, 1))

    assert len(front) == len(back) == 5
    for name, (x, y) in front.items():
        assert (sheet[0].get_width() - back[name][0], back[name][1]) == pytest.approx((x, y), abs=1.5)
    assert any(path.suffix == ".dxf" for path in paths_in(tiny.project.root / "output"))


def words(page: pdfium.PdfPage) -> dict[str, tuple[float, float]]:
    """The middle of each name on a page, in points."""
    text = page.get_textpage()
    found = {}
    for name in ("Forest", "River", "Hill", "Sea", "Desert"):
        at, length = text.search(name).get_next()
        boxes = [text.get_charbox(index) for index in range(at, at + length)]
        left, bottom = min(box[0] for box in boxes), min(box[1] for box in boxes)
        right, top = max(box[2] for box in boxes), max(box[3] for box in boxes)
        found[name] = ((left + right) / 2, (bottom + top) / 2)
    return found


@pytest.mark.parametrize(
    ("change", "table", "rule"),
    [
        ("", "name,tab\nForest,4\n", "bad-number"),
        ("", "name,tab\nForest,0\n", "bad-number"),
        ("", "name,tab\nForest,left\n", "bad-number"),
        ("tabs = 7\n", "name\nForest\n", "bad-value"),
        ("tabs = 13\n", "name\nForest\n", "bad-value"),
        ('tab = "1mm"\n', "name\nForest\n", "bad-length"),
    ],
)
def test_a_tab_that_cannot_be_is_told(tiny: TinyProject, change: str, table: str, rule: str) -> None:
    """A place beyond the last, tabs too narrow for a word, a tab too low to hold."""
    tiny.write("content/tiny/game.toml", GAME.replace("tabs = 3\n", change or "tabs = 3\n"))
    tiny.write("templates/tiny/dividers.svg.j2", FACE)
    tiny.write("content/tiny/dividers.csv", table)

    assert [problem.rule for problem in tiny.build().problems.errors] == [rule]
