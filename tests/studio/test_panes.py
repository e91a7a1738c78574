"""The window with its three panes, in a real browser: one selection in all of them, fields, the palette, sizes, zoom."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from served import Served, browser, cell, deck, page, served, tab, wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

__all__ = ["browser", "deck", "page", "served"]


def face(page: Page, piece: str) -> Locator:
    return page.locator(f'.face[data-piece="{piece}"]').first


def details(page: Page) -> Locator:
    return page.get_by_role("complementary", name="What is selected")


def selected(page: Page, piece: str, field: str = "") -> None:
    """Until a piece is marked on the wall, and the fields of its row are there."""
    page.locator(f'.face[aria-current="true"][data-piece="{piece}"]').wait_for()
    page.wait_for_function("piece => document.querySelector('.fields input')?.value == piece", arg=piece)
    assert field in details(page).inner_text()


def find(page: Page, words: str) -> None:
    """Type into the palette until it shows something, and take the first."""
    page.keyboard.press("Control+K")
    page.get_by_role("combobox", name="Find").fill(words)
    page.locator('.found [aria-selected="true"]', has_text=re.compile(words.split()[0], re.IGNORECASE)).wait_for()
    page.keyboard.press("Enter")
    # Wholly: opened again while it goes, it did not always lead to what was chosen.
    page.locator(".q-dialog").wait_for(state="detached")


def test_one_selection_in_all_panes(page: Page) -> None:
    """A piece that is clicked is the row of the table below and the fields on the right, and the other way round."""
    selected(page, "pip")
    face(page, "magpie").click()
    selected(page, "magpie", "ROW 4 OF CARDS.CSV")
    page.keyboard.press("Control+J")
    page.locator('.ag-row-selected[row-id="4"]').wait_for()
    cell(page, 5, "name")
    selected(page, "slinger")
    page.keyboard.press("ArrowUp")
    selected(page, "magpie")
    face(page, "ducker").click()
    page.locator('.ag-row-selected[row-id="3"]').wait_for()
    page.keyboard.press("ArrowRight")
    selected(page, "magpie")
    page.get_by_role("button", name="Table", exact=True).click()
    page.locator(".ag-row").first.wait_for(state="hidden")


def test_a_field_is_saved_and_undone(page: Page, deck: Path) -> None:
    """Into its one cell of the file, when it is left or with Enter, and not with Escape; the card shows it; the history is
    the table's.
    """
    table = deck / "content/deck/cards.csv"
    before = table.read_bytes()
    face(page, "pip").click()
    selected(page, "pip")
    was = face(page, "pip").get_attribute("data-key")
    details(page).get_by_label("name").click()
    page.keyboard.type("Nobody")
    page.keyboard.press("Escape")
    page.wait_for_function("() => document.activeElement.value === 'Pip'")
    page.keyboard.press("Tab")
    page.wait_for_timeout(300)
    assert table.read_bytes() == before
    details(page).get_by_label("name").fill("Pipsqueak")
    page.keyboard.press("Enter")
    wait_for(page, "Saved: name in row 2")
    assert table.read_bytes() == before.replace(b"pip,Pip,", b"pip,Pipsqueak,")
    page.wait_for_function("was => document.querySelector('.face[data-piece=pip]').dataset.key != was", arg=was)
    selected(page, "pip")
    page.get_by_role("button", name="Undo").click()
    wait_for(page, "Undone: name in row 2")
    assert table.read_bytes() == before
    page.wait_for_function("() => document.querySelectorAll('.fields input')[1].value == 'Pip'")


def test_a_half_typed_field_waits(page: Page, deck: Path) -> None:
    """While somebody types into it another program changes the row: both changes are in the file."""
    table = deck / "content/deck/cards.csv"
    before = table.read_text("utf-8")
    face(page, "pip").click()
    selected(page, "pip")
    details(page).get_by_label("name").fill("Half")
    table.write_text(before.replace("Pip,1,sky", "Pip,2,coral"), "utf-8")
    page.wait_for_function("() => document.querySelectorAll('.fields input')[3].value == 'coral'")
    page.keyboard.type(" and half")
    details(page).get_by_label("throws").focus()
    wait_for(page, "Saved: name in row 2")
    assert table.read_text("utf-8") == before.replace("Pip,1,sky", "Half and half,2,coral")
    for _ in range(2):
        page.get_by_role("button", name="Undo").click()
    wait_for(page, "Undone: what another program saved")
    assert table.read_text("utf-8") == before


def test_what_was_typed_is_saved_wherever_one_goes(page: Page, deck: Path) -> None:
    """To another card, before the field was left."""
    table = deck / "content/deck/cards.csv"
    before = table.read_text("utf-8")
    face(page, "pip").click()
    selected(page, "pip")
    details(page).get_by_label("name").fill("Left")
    face(page, "magpie").click()
    selected(page, "magpie")
    wait_for(page, "Saved: name in row 2")
    assert table.read_text("utf-8") == before.replace("pip,Pip,", "pip,Left,")
    page.get_by_role("button", name="Undo").click()
    wait_for(page, "Undone: name in row 2")


def test_the_list_says_what_there_is_and_what_is_wrong(page: Page, deck: Path) -> None:
    """Components with a picture, copies and the number of findings; a click selects, opens a book or a file."""
    contents = page.get_by_role("navigation", name="What is in the game")
    component = contents.get_by_role("button", name="Snowball cards")
    assert "10 pieces" in component.inner_text()
    page.wait_for_function("() => document.querySelector('.part img').naturalWidth > 0")
    table = deck / "content/deck/cards.csv"
    before = table.read_text("utf-8")
    table.write_text(before.replace("3,sun", "99,sun"), "utf-8")
    contents.get_by_role("button", name=re.compile("cards.csv.*1 error")).wait_for()
    page.locator(".status.error", has_text="1 error").wait_for()
    table.write_text(before, "utf-8")
    page.locator(".status", has_text="Nothing wrong").wait_for()
    contents.get_by_role("button", name="rulebook.md").click()
    page.locator('[aria-label="Text of rulebook.md"]').wait_for(state="attached")
    contents.get_by_role("button", name="Snowball!").click()
    page.locator(".spread").first.wait_for()
    component.click()
    selected(page, "pip")


def test_the_palette_finds_all(page: Page) -> None:
    """A card, a file and a command by some of their letters; arrows choose, Enter goes there, Escape leaves."""
    find(page, "slinger cards")
    selected(page, "slinger")
    find(page, "game.toml")
    page.locator(".cm-content", has_text="[game]").wait_for()
    find(page, "show: pieces")
    page.locator(".face").first.wait_for()
    page.keyboard.press("Control+K")
    options = page.get_by_role("option")
    options.nth(3).wait_for()
    page.get_by_role("combobox", name="Find").press("ArrowDown")
    page.locator('#found-1[aria-selected="true"]').wait_for()
    page.get_by_role("combobox", name="Find").fill("<img src=x onerror=alert(1)>")
    page.get_by_text("Nothing has such a name.").wait_for()
    page.keyboard.press("Escape")
    page.locator(".palette").wait_for(state="hidden")


def test_panes_keep_their_sizes(page: Page, served: Served) -> None:
    """Moved by mouse or by keyboard, and the same after a reload."""
    handle = page.get_by_role("separator", name="Width of the list")
    box = handle.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 2, 300)
    page.mouse.down()
    page.mouse.move(300, 300, steps=3)
    page.mouse.up()
    page.get_by_role("separator", name="Width of the details").press("ArrowLeft")
    sizes = "() => ['.left', '.right'].map(pane => document.querySelector(pane).offsetWidth)"
    left, right = page.evaluate(sizes)
    assert abs(left - 300) < 4
    page.reload()
    page.locator(".face").first.wait_for()
    assert page.evaluate(sizes) == [left, right]
    page.evaluate("localStorage.clear()")
    page.reload()
    page.locator(".face img").first.wait_for()


def test_zoom_by_wheel_and_keys(page: Page) -> None:
    """1 is the real size, 0 fits, Ctrl and the wheel go between; each view has its own."""
    card = "() => document.querySelector('.face[data-piece=pip] img').width"
    before = page.evaluate(card)
    face(page, "pip").hover()
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    page.keyboard.up("Control")
    page.wait_for_function(f"before => ({card})() > before * 1.2", arg=before)
    page.keyboard.press("1")
    page.wait_for_function(f"() => ({card})() == {round(63 * 96 / 25.4)}")
    page.get_by_role("button", name="Real size").filter(has_text="100%").wait_for()
    page.keyboard.press("0")
    page.wait_for_function(f"() => ({card})() != {round(63 * 96 / 25.4)}")
    fits = "(v => v.scrollHeight <= v.clientHeight + 1)(document.querySelector('.views .q-panel'))"
    assert page.evaluate(f"() => {fits}")
    # And goes on to in a window of another size.
    before = page.evaluate(card)
    page.set_viewport_size({"width": 1000, "height": 600})
    page.wait_for_function(f"before => ({card})() < before && {fits}", arg=before)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.wait_for_function(f"before => ({card})() === before", arg=before)


@pytest.mark.parametrize(("view", "what"), [("Pieces", '.face[data-piece="magpie"] img'), ("One piece", ".stage img")])
def test_the_canvas_is_held_and_drawn(page: Page, view: str, what: str) -> None:
    """What is under the pointer stays there while the wheel zooms; dragging moves it, and selects nothing."""
    face(page, "pip").click()
    tab(page, view)
    page.keyboard.press("0")
    shown = page.locator(what).first
    shown.wait_for()
    page.wait_for_timeout(300)

    def point() -> tuple[float, float]:
        box = shown.bounding_box()
        assert box is not None
        return box["x"] + 0.6 * box["width"], box["y"] + 0.4 * box["height"]

    start = point()
    page.mouse.move(*start)
    page.keyboard.down("Control")
    for _ in range(4):
        page.mouse.wheel(0, -200)
        page.wait_for_timeout(300)
    page.keyboard.up("Control")
    page.wait_for_timeout(700)
    # On the wall a card that is larger may stand in another row, and then only so high.
    assert abs(point()[1] - start[1]) < 20 and (view == "Pieces" or abs(point()[0] - start[0]) < 20), (point(), start)
    before = point()
    page.mouse.down()
    page.mouse.move(start[0], start[1] - 70, steps=4)
    page.mouse.up()
    page.wait_for_timeout(200)
    assert abs(point()[1] - before[1] + 70) < 3
    assert details(page).locator("input").first.input_value() == "pip"
    page.keyboard.press("0")
    tab(page, "Pieces")


@pytest.mark.parametrize("dark", [False, True])
def test_it_fits_a_small_screen(page: Page, dark: bool) -> None:
    """At 1280 by 800 nothing is cut off, in no view; whatever can be pressed has a name."""
    page.emulate_media(color_scheme="dark" if dark else "light")
    page.set_viewport_size({"width": 1280, "height": 800})
    for name in ("Pieces", "One piece", "Sheets", "Books", "Map", "Table", "Texts", "Print"):
        tab(page, name)
        page.wait_for_timeout(150)
        wide, high = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        assert (wide, high) <= (1280, 800), name
        foot = page.locator(".foot").bounding_box()
        assert foot is not None and foot["y"] + foot["height"] <= 800
        unnamed = page.evaluate(
            """[...document.querySelectorAll("button, [role=button], [role=tab], input:not([type=file]), [role=separator]")]
            .filter(each => each.checkVisibility() && !each.ariaLabel && !each.innerText.trim() && !each.labels?.length
                && !each.closest(".ag-root") && !each.title).map(each => each.outerHTML)"""
        )
        assert unnamed == [], name
    page.set_viewport_size({"width": 1280, "height": 900})
    tab(page, "Pieces")


def test_names_that_would_do_harm_are_shown(page: Page, deck: Path) -> None:
    """A cell full of signs is text in every pane: nothing of it runs, and it can be changed like all others."""
    table = deck / "content/deck/cards.csv"
    before = table.read_text("utf-8")
    nasty = "<img src=x onerror=alert(1)>\"'&"
    escaped = nasty.replace('"', '""')
    table.write_text(before.replace("pip,Pip,", f'"{escaped}",Pip,'), "utf-8")
    page.locator(".face img[alt*='onerror']").first.wait_for()
    page.locator(".face", has_text="onerror").first.click()
    page.wait_for_function("nasty => document.querySelector('.fields input, .fields textarea').value == nasty", arg=nasty)
    find(page, "onerror")
    table.write_text(before, "utf-8")
    face(page, "pip").wait_for()


def test_all_views_have_room_on_a_small_screen(page: Page) -> None:
    """At 1024 pixels each tab lies within the canvas, and a click on the last one opens it."""
    page.set_viewport_size({"width": 1024, "height": 768})
    edge = page.get_by_role("region", name="Canvas").bounding_box()
    last = page.get_by_role("tab", name="Texts", exact=True).bounding_box()
    assert edge and last and last["x"] + last["width"] <= edge["x"] + edge["width"]
    tab(page, "Texts")
    page.locator(".cm-content").wait_for()
    tab(page, "Pieces")
    page.set_viewport_size({"width": 1280, "height": 900})


def test_the_palette_loses_no_letter(page: Page) -> None:
    """What is typed while it opens is in it, in its order; and again, after it was closed."""
    page.locator(".face").first.focus()
    for word in ("slinger", "magpie"):
        page.keyboard.press("Control+K")
        page.keyboard.type(word)
        page.wait_for_function("word => document.querySelector('.palette input')?.value === word", arg=word)
        page.get_by_role("option", name=word).first.wait_for()
        page.keyboard.press("Escape")
        page.locator(".palette").wait_for(state="hidden")
