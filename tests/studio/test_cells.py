"""Cells by what they are, in a real browser: a box for yes and no, words to choose, colours, the piece, what is wrong."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image
from served import browser, deck, page, served, tab, wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

__all__ = ["browser", "deck", "page", "served"]
ROWS = """id,name,throws,sky,rare,rank,tint,copies,text
pip,Pip,1,sky,yes,common,#ff0000,2,One.
ducker,Ducker,10,coral,no,epic,url(x),2,Two.
magpie,Magpie,3,sun,,epic,#0000ff,2,Three.
"""

made = io.BytesIO()
Image.new("RGB", (300, 200), "#ff8800").save(made, "PNG")
DOTS = made.getvalue()


@pytest.fixture
def table(page: Page, deck: Path) -> Iterator[Path]:
    """A table whose columns are of all types, on the whole canvas."""
    file, toml = deck / "content/deck/cards.csv", deck / "content/deck/game.toml"
    before = {each: each.read_bytes() for each in (file, toml)}
    rules = 'sky = { type = "colour" }\nrank = { one_of = ["common", "epic", "<b>"] }\ntint = { type = "colour" }'
    toml.write_text(toml.read_text("utf-8").replace('sky = { type = "colour" }', rules), "utf-8")
    file.write_text(ROWS, "utf-8")
    page.set_viewport_size({"width": 1920, "height": 900})
    page.reload()
    tab(page, "Table")
    page.locator(".ag-row").first.wait_for()
    yield file
    for each, data in before.items():
        each.write_bytes(data)
    page.set_viewport_size({"width": 1280, "height": 900})


def at(page: Page, row: int, column: int) -> Locator:
    return page.locator(f'.ag-row[row-id="{row}"] [col-id="c{column}"]')


def test_cells_show_what_they_are(page: Page, table: Path) -> None:
    """And are changed as such, in the words that the column has."""
    box = at(page, 3, 4).locator("input[type=checkbox]")
    assert not box.is_checked() and at(page, 2, 4).locator("input").is_checked()
    box.click()
    wait_for(page, "Saved: rare in row 3")
    assert table.read_text("utf-8") == ROWS.replace("coral,no", "coral,yes")
    at(page, 2, 5).click()
    page.get_by_role("combobox", name="rank").select_option("epic")
    wait_for(page, "Saved: rank in row 2")
    assert table.read_text("utf-8") == ROWS.replace("coral,no", "coral,yes").replace("yes,common", "yes,epic")
    swatch = "element => getComputedStyle(element).backgroundColor"
    wanted = ["rgb(131, 203, 233)", "rgb(255, 0, 0)", "rgba(0, 0, 0, 0)", "rgb(0, 0, 255)"]
    for _ in range(50):  # a cell that is drawn anew just now has no colour
        shown = [at(page, *cell).locator(".swatch").evaluate(swatch) for cell in ((2, 3), (2, 6), (3, 6), (4, 6))]
        if shown == wanted:
            break
        page.wait_for_timeout(200)
    assert shown == wanted
    page.locator(".ag-header-cell", has_text="throws").click()
    page.wait_for_function("""() => [...document.querySelectorAll('.ag-center-cols-container .ag-row')]
        .sort((one, other) => one.ariaRowIndex - other.ariaRowIndex)
        .map(row => row.getAttribute('row-id')).join() == '2,4,3'""")


def test_what_is_wrong_stands_in_its_cell(page: Page, table: Path) -> None:
    """With a mark and what is wrong, until it is mended; beside it the piece of the row, as it is drawn now."""
    at(page, 3, 2).and_(page.locator(".wrong")).wait_for()
    assert "10" in (at(page, 3, 2).get_attribute("title") or "")
    assert not at(page, 3, 2).and_(page.locator(".doubtful")).count()
    thumb = page.locator('.ag-row[row-id="2"] .thumb')
    thumb.wait_for()
    source = thumb.get_attribute("src")
    table.write_text(ROWS.replace("Ducker,10", "Ducker,9").replace("url(x)", "#00ff00").replace("Pip", "Pipo"), "utf-8")
    page.locator(".ag-cell.wrong").first.wait_for(state="hidden")
    other = "was => document.querySelector('.ag-row[row-id=\"2\"] .thumb').getAttribute('src') != was"
    page.wait_for_function(other, arg=source)
    page.locator('.ag-row[row-id="3"] .thumb').wait_for()
    # A warning is no error, and is not red.
    table.write_text(f"{table.read_text('utf-8')}otter,,4,sun,,epic,#0000ff,2,Four.\n", "utf-8")
    page.locator('.ag-cell.wrong.doubtful[title*="has no name"]').wait_for()


def test_art_is_seen_in_its_column(page: Page, table: Path) -> None:
    """What the cell names, or else what is called like the row; nothing else is given out of its folder."""
    folder = table.parent / "art"
    (folder / "dots.png").write_bytes(DOTS)
    rows = [f"{row},{art}" for row, art in zip(ROWS.splitlines(), ("art", "dots", "", "nothing"), strict=True)]
    table.write_text("\n".join(rows) + "\n", "utf-8")
    for row in (2, 3):
        at(page, row, 9).locator("img").wait_for()
    page.wait_for_function("() => [...document.querySelectorAll('.drawn img')].every(each => each.naturalWidth)")
    assert not at(page, 4, 9).locator("img").count()
    assert at(page, 2, 9).inner_text() == "dots"
    base, game = page.url.partition("/game")[0], table.parent.name
    drawing = page.request.get(f"{base}/art/{game}/ducker.svg")
    assert drawing.ok and drawing.headers["content-disposition"] == "attachment"
    for other in ("ducker", "..%2fgame.toml", "..%2f..%2fdeck%2fart%2fducker.svg", "icons"):
        assert page.request.get(f"{base}/art/{game}/{other}").status == 404
    (folder / "dots.png").unlink()


def test_a_new_row_is_told_of_once_it_is_left_or_changed(page: Page, deck: Path) -> None:
    """As long as nobody had the time to fill it, nothing is marked."""
    toml, rules = deck / "content/deck/game.toml", deck / "content/deck/rules.toml"
    before = {each: each.read_bytes() for each in (toml, rules)}
    toml.write_text(toml.read_text("utf-8").replace("copies = 10", ""), "utf-8")
    rules.unlink()
    page.reload()
    tab(page, "Table")
    status, new = page.locator(".status"), page.locator(".ag-center-cols-container .ag-row", has_text="new-1")
    missing = page.locator('.ag-cell.doubtful[title*="has no name"]')

    def change() -> None:
        new.locator('[col-id="c2"]').click()
        page.keyboard.type("4")
        page.keyboard.press("Enter")
        wait_for(page, "Saved: throws in row 7")

    for leave in (lambda: at(page, 2, 1).click(), change):
        status.filter(has_text="Nothing wrong").wait_for()
        at(page, 6, 1).click()
        page.get_by_role("button", name="Add row").click()
        wait_for(page, "Saved: a new row in cards.csv.")
        page.locator(".about h2", has_text="new-1").wait_for()
        status.filter(has_text="Nothing wrong").wait_for()
        assert not missing.count()
        leave()
        missing.wait_for()
        status.filter(has_text="warning").wait_for()
        new.locator('[col-id="c1"]').click()
        page.get_by_role("button", name="Delete row").click()
        wait_for(page, "Saved: cards.csv without row 7.")
    for each, data in before.items():
        each.write_bytes(data)
