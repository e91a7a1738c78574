"""The studio in a real browser, by mouse and by keyboard: pieces, tables, files, findings, printing."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pypdf
import pytest
from served import browser, cell, deck, page, served, tab, wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["browser", "deck", "page", "served"]
SHOWN = "(i => i && i.complete && i.naturalWidth > 0)"


def rows(deck: Path) -> list[dict[str, str]]:
    with (deck / "content/deck/cards.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def face(page: Page, piece: str) -> str:
    """What a piece's picture on the wall is called: the same as long as it looks the same."""
    return str(page.locator(f'.face[data-piece="{piece}"]').first.get_attribute("data-key"))


def changed(page: Page, piece: str, before: str) -> None:
    """Until the wall shows another picture of a piece."""
    page.wait_for_function(
        f"before => (face => face && face.dataset.key != before && {SHOWN}(face.querySelector('img')))"
        f"(document.querySelector('.face[data-piece=\"{piece}\"]'))",
        arg=before,
    )


def in_order(page: Page) -> None:
    """Until the rules have looked at the game as it is now, and found nothing."""
    page.locator(".status", has_text="Nothing wrong").wait_for()


def test_every_card_is_on_the_wall(page: Page, deck: Path) -> None:
    """Each with its picture and a name for who cannot see it; the title is the game's."""
    assert page.locator("h1").inner_text() == "Snowball!"
    names = page.locator(".face img").evaluate_all("images => images.map(image => image.alt)")
    assert {row["id"] for row in rows(deck)} <= {name.partition(",")[0].split()[0] for name in names} | {*names}
    in_order(page)


def test_a_card_is_seen_from_near(page: Page) -> None:
    """As large as one likes, with its cut and bleed; the arrows lead to the next, Escape back to the wall."""
    page.locator(".face").first.dblclick()
    page.locator(".stage img").wait_for()
    first = page.locator(".stage img").get_attribute("alt")
    page.get_by_role("switch", name="Cut line and safe zone").click()
    page.get_by_role("switch", name="Bleed").click()
    page.locator(".stage svg polygon").wait_for()
    # Crisp; asked in one, for a larger picture may take its place at any moment.
    page.wait_for_function("(i => i && i.complete && i.naturalWidth >= i.clientWidth)(document.querySelector('.stage img'))")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("first => document.querySelector('.stage img').alt != first", arg=first)
    page.keyboard.press("Escape")
    page.locator(".stage").wait_for(state="hidden")


def test_the_keyboard_opens_a_card(page: Page) -> None:
    """Tab to it, Enter."""
    page.locator(".face").nth(1).focus()
    page.keyboard.press("Enter")
    page.locator(".stage img").wait_for()
    page.keyboard.press("Escape")
    page.locator(".stage").wait_for(state="hidden")


def test_a_typed_cell_is_saved_and_shown(page: Page, deck: Path) -> None:
    """One cell of the file, and the card on the wall is another picture; undone, all is as before."""
    before = (deck / "content/deck/cards.csv").read_bytes()
    was = face(page, "pip")
    tab(page, "Table")
    cell(page, 2, "name")
    page.keyboard.press("Enter")
    page.keyboard.press("Control+A")
    page.keyboard.type("Pipsqueak")
    page.keyboard.press("Enter")
    wait_for(page, "Saved: name in row 2")
    assert (deck / "content/deck/cards.csv").read_bytes() == before.replace(b"pip,Pip,", b"pip,Pipsqueak,")
    tab(page, "Pieces")
    changed(page, "pip", was)
    tab(page, "Table")
    page.get_by_role("button", name="Undo").click()
    wait_for(page, "Undone")
    assert (deck / "content/deck/cards.csv").read_bytes() == before
    page.get_by_role("button", name="Redo").click()
    wait_for(page, "Done again")
    page.get_by_role("button", name="Undo").click()
    wait_for(page, "Undone")
    assert (deck / "content/deck/cards.csv").read_bytes() == before


def test_rows_are_added_copied_moved_and_deleted(page: Page, deck: Path) -> None:
    """Each in the place that was chosen; what was not touched stays as it was typed."""
    before = (deck / "content/deck/cards.csv").read_bytes()
    first = [row["id"] for row in rows(deck)]
    tab(page, "Table")
    cell(page, 3, "name")
    page.get_by_role("button", name="Add row").click()
    wait_for(page, "Saved: a new row")
    assert [row["id"] for row in rows(deck)] == [*first[:2], "new-1", *first[2:]]
    # What must be filled is as in the row above, so that the card is drawn.
    assert [*rows(deck)[2].values()] == ["new-1", "", "2", "coral", "", ""]
    page.locator(".about h2", has_text="new-1").wait_for()
    page.get_by_role("button", name="Up", exact=True).click()
    wait_for(page, "Saved: the order")
    assert [row["id"] for row in rows(deck)] == [first[0], "new-1", *first[1:]]
    # The cursor goes with its row: left behind in its place, it chose the row that came there.
    page.wait_for_function("() => document.querySelector('.ag-cell-focus')?.closest('.ag-row').matches('.ag-row-selected')")
    page.get_by_role("button", name="Delete row").click()
    wait_for(page, "Saved: cards.csv without row 3")
    assert (deck / "content/deck/cards.csv").read_bytes() == before


def paste(page: Page, text: str) -> None:
    """As from a spreadsheet, into the cell that has the focus."""
    page.locator(".ag-cell-focus").evaluate(
        """(cell, text) => { const data = new DataTransfer(); data.setData("text/plain", text);
        cell.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true})); }""",
        text,
    )


def test_cells_are_pasted_from_a_spreadsheet(page: Page, deck: Path) -> None:
    """Two rows of two cells go into four cells, beginning at the chosen one."""
    tab(page, "Table")
    cell(page, 2, "throws")
    paste(page, "7\tcoral\n8\tsun\n")
    wait_for(page, "Saved: what was pasted")
    assert [(row["throws"], row["sky"]) for row in rows(deck)[:3]] == [("7", "coral"), ("8", "sun"), ("3", "sun")]
    page.get_by_role("button", name="Undo").click()
    wait_for(page, "Undone")
    assert [row["throws"] for row in rows(deck)[:2]] == ["1", "2"]
    before = (deck / "content/deck/cards.csv").read_bytes()
    cell(page, 2, "text")
    paste(page, "Hoo.\t2\tand this has no column\n")
    wait_for(page, "What was pasted is 3 cells wide, and there are only 2 columns from here on. Nothing was written.")
    assert (deck / "content/deck/cards.csv").read_bytes() == before


def test_rows_are_typed_as_in_a_spreadsheet(page: Page, deck: Path) -> None:
    """Enter after Tab goes below the cell where Tab was pressed first; Home and End stay in the row."""
    file = deck / "content/deck/cards.csv"
    before = file.read_bytes()
    tab(page, "Table")
    cell(page, 2, "throws")
    here = "([row, column]) => document.activeElement.matches(`[row-id='${row}'] [col-id='${column}']`)"
    for row, value, sky in ((2, "4", "ice"), (3, "5", "sun")):
        page.keyboard.type(value)
        page.keyboard.press("Tab")
        page.keyboard.type(sky)
        page.keyboard.press("Enter")
        wait_for(page, f"Saved: sky in row {row}")
    page.wait_for_function(here, arg=["4", "c2"])
    assert [(row["throws"], row["sky"]) for row in rows(deck)[:3]] == [("4", "ice"), ("5", "sun"), ("3", "sun")]
    for key, column in (("End", "c5"), ("Home", "c0")):
        page.keyboard.press(key)
        page.wait_for_function(here, arg=["4", column])
    for _ in range(4):
        page.keyboard.press("Control+Z")
    wait_for(page, "Undone: throws in row 2")
    assert file.read_bytes() == before


def test_tab_in_the_last_cell_begins_a_row(page: Page, deck: Path) -> None:
    """Once something was typed into it; else it leaves the table, for whoever has no mouse."""
    file = deck / "content/deck/cards.csv"
    before, last = file.read_bytes(), len(rows(deck)) + 1
    tab(page, "Table")
    at = "([row, column]) => document.activeElement.matches(`[row-id='${row}'] [col-id='${column}']`)"
    cell(page, last, "id")
    page.keyboard.press("End")
    page.wait_for_function(at, arg=[last, "c5"])
    page.keyboard.press("Tab")
    page.wait_for_function("() => !document.activeElement.closest('.ag-row')")
    page.keyboard.press("Shift+Tab")
    page.wait_for_function(at, arg=[last, "c5"])
    page.keyboard.type("3")
    page.keyboard.press("Tab")
    wait_for(page, "Saved: a new row")
    page.wait_for_function("() => document.activeElement.matches('.ag-row-last [col-id=c0]')")
    page.keyboard.type("otter")
    page.keyboard.press("Enter")
    wait_for(page, f"Saved: id in row {last + 1}")
    assert [row["id"] for row in rows(deck)[last - 1 :]] == ["otter"] and rows(deck)[last - 2]["copies"] == "3"
    for _ in range(3):
        page.keyboard.press("Control+Z")
    wait_for(page, f"Undone: copies in row {last}")
    assert file.read_bytes() == before


def test_a_note_takes_the_place_of_the_last(page: Page) -> None:
    """They never lie above each other, and so never over what is done meanwhile."""
    tab(page, "Print")
    for _ in range(3):
        page.get_by_role("button", name="Keep these numbers").click()
    page.locator(".q-notification", has_text="Give the printer a name first.").wait_for()
    page.wait_for_timeout(300)
    assert page.locator(".q-notification").count() == 1


def test_bars_are_dark_in_the_dark(page: Page) -> None:
    """The browser draws them, and its own fields, as the page says."""
    scheme = "() => getComputedStyle(document.documentElement).colorScheme"
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"() => ({scheme})() === 'dark'")
    page.emulate_media(color_scheme="light")
    page.wait_for_function(f"() => ({scheme})() !== 'dark'")


def test_a_file_saved_elsewhere_is_shown(page: Page, deck: Path) -> None:
    """An editor beside the studio goes on working: wall and grid follow what it saves."""
    file = deck / "content/deck/cards.csv"
    tab(page, "Pieces")
    before, was = file.read_text("utf-8"), face(page, "slinger")
    file.write_text(before.replace("Slinger", "Catapult"), "utf-8")
    tab(page, "Table")
    page.locator(".ag-cell", has_text="Catapult").first.wait_for()
    tab(page, "Pieces")
    changed(page, "slinger", was)
    now = face(page, "slinger")
    file.write_text(before, "utf-8")
    changed(page, "slinger", now)
    assert face(page, "slinger") == was


def test_a_finding_leads_to_its_cell(page: Page, deck: Path) -> None:
    """What is wrong is told beside the game's name; a click opens the table at the row."""
    file = deck / "content/deck/cards.csv"
    before = file.read_text("utf-8")
    file.write_text(before.replace("3,sun", "99,sun"), "utf-8")
    page.locator(".status", has_text="error").wait_for()
    page.locator(".status").click()
    finding = page.locator(".finding", has_text="99").first
    finding.wait_for()
    assert "cards.csv:4" in finding.inner_text()
    finding.click()
    page.locator('.ag-row-selected[row-id="4"]').wait_for()
    file.write_text(before, "utf-8")
    in_order(page)


def test_a_text_is_edited_and_what_is_wrong_stands_at_its_line(page: Page, deck: Path) -> None:
    """Saved with Ctrl-S; a wrong key is coloured where it stands, and its finding puts the cursor there; nothing is lost
    when it is mended.
    """
    file = deck / "content/deck/game.toml"
    before = file.read_text("utf-8")
    tab(page, "Texts")
    editor = page.locator(".cm-content")
    editor.click()
    page.keyboard.press("Control+End")
    page.keyboard.type("\n[expect.dice]\ncopies = 1\n")
    page.keyboard.press("Control+S")
    wait_for(page, "Saved")
    assert file.read_text("utf-8").startswith(before.rstrip()) and "[expect.dice]" in file.read_text("utf-8")
    page.locator(".cm-line.wrong", has_text="dice").wait_for()
    page.keyboard.press("Control+Home")
    page.locator(".status").click()
    page.locator(".view.findings .finding", has_text="dice").click()
    page.locator(".cm-line.cm-activeLine", has_text="dice").wait_for()
    page.wait_for_function("() => document.activeElement.matches('.cm-content')")
    file.write_text(before, "utf-8")
    in_order(page)
    page.wait_for_function("() => !document.querySelector('.cm-content').innerText.includes('expect.dice')")


def test_two_who_change_one_file_lose_nothing(page: Page, deck: Path) -> None:
    """Whoever saves second is asked; the other's text stays until then."""
    file = deck / "content/deck/game.toml"
    before = file.read_text("utf-8")
    tab(page, "Texts")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("# mine")
    file.write_text(before + "# theirs\n", "utf-8")
    wait_for(page, "changed elsewhere")
    page.keyboard.press("Control+S")
    page.get_by_text("changed elsewhere while you were writing").wait_for()
    assert file.read_text("utf-8") == before + "# theirs\n"
    page.get_by_role("button", name="Keep mine").click()
    wait_for(page, "Saved")
    assert "# mine" in file.read_text("utf-8") and "# theirs" not in file.read_text("utf-8")
    file.write_text(before, "utf-8")
    page.wait_for_function("() => !document.querySelector('.cm-content').innerText.includes('# mine')")
    in_order(page)


def test_the_game_is_printed(page: Page, deck: Path) -> None:
    """The files are those that the command makes, and what it said is shown."""
    tab(page, "Print")
    page.get_by_role("button", name="Make the print files").click()
    page.locator(".outcome", has_text="Done").wait_for()
    assert len(pypdf.PdfReader(deck / "output/deck/a4/print.pdf").pages) > 2


@pytest.mark.parametrize("dark", [False, True])
def test_it_can_be_read_at_twice_the_size(page: Page, dark: bool) -> None:
    """Nothing is cut off sideways on a narrow window, in light and in dark."""
    page.emulate_media(color_scheme="dark" if dark else "light")
    page.set_viewport_size({"width": 640, "height": 450})
    tab(page, "Pieces")
    wide, window = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert wide <= window
    ground, ink = page.evaluate("[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]")
    light, darker = (sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in (ground, ink))
    assert (light < darker) == dark
    page.set_viewport_size({"width": 1280, "height": 900})


def test_a_new_row_is_the_selected_piece(page: Page, deck: Path) -> None:
    """Of a table without ids, where the piece at its number is another until the game is drawn anew."""
    file = deck / "content/deck/cards.csv"
    before = file.read_bytes()
    file.write_text("name,throws,sky,text,copies\nPip,1,sky,One.,5\nDucker,2,coral,Two.,5\nMagpie,3,sun,Three.,5\n", "utf-8")
    tab(page, "Pieces")
    page.locator('.face[data-piece="magpie"]', has=page.locator("img")).first.wait_for()
    page.wait_for_function("() => !document.querySelector('.face[data-piece=slinger]')")
    page.locator('.face[data-piece="pip"]').first.click()
    shown = page.locator(".about h2")
    shown.filter(has_text="Pip").wait_for()
    tab(page, "Table")
    page.locator(".ag-cell", has_text="One.").first.click()
    page.get_by_role("button", name="Add row").click()
    wait_for(page, "Saved: a new row")
    page.wait_for_function("() => document.activeElement.getAttribute('col-id') === 'c0'")
    # Never the picture of one card above the fields of another.
    about, fields = page.locator(".about"), page.get_by_role("region", name="Row")
    about.filter(has_text=re.compile("No piece is drawn from this row|new-1")).wait_for()
    assert fields.get_by_label("name").input_value() == "new-1"
    for column, said in (("throws", "4"), ("sky", "ice"), ("text", "Hoo."), ("copies", "1")):
        fields.get_by_label(column).fill(said)
        fields.get_by_label(column).press("Enter")
        wait_for(page, f"Saved: {column}")
    shown.filter(has_text="new-1").wait_for()
    file.write_bytes(before)
    tab(page, "Pieces")
    page.locator('.face[data-piece="slinger"]').first.wait_for()
