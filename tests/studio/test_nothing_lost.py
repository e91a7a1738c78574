"""Work is never lost in the studio, in a real browser: each file keeps its own text, history and rows, saved or not."""

from __future__ import annotations

import re
import shutil
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from served import PATIENCE, WINDOW, Served, browser, cell, deck, free_port, serve, served, tab, wait_for

from pnp.system.cache import cache_folder

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

__all__ = ["browser", "deck", "served"]


@dataclass(slots=True)
class Desk:
    """A game of its own, and the page on which somebody works at it."""

    page: Page
    folder: Path
    address: str

    def open(self, tab_name: str) -> None:
        """Anew, as after a reload."""
        self.page.goto(self.address)
        tab(self.page, tab_name)

    def choose(self, file: str) -> None:
        label = "Table" if file.endswith(".csv") else "File"
        self.page.get_by_role("combobox", name=label).click()
        shown = file if label == "Table" else f"content/{self.folder.name}/{file}"
        self.page.get_by_role("option", name=shown, exact=True).click()
        if label == "File":
            self.page.locator(f'[aria-label="Text of {file}"]').wait_for(state="attached")

    def type(self, keys: str, at: str = "Control+End") -> None:
        """Into the editor."""
        self.page.locator(".cm-content").click()
        self.page.keyboard.press(at)
        self.page.keyboard.type(keys)

    def editor(self, has: str, timeout: int = PATIENCE) -> None:
        """Until the editor shows this."""
        self.page.locator(".cm-content", has_text=has).wait_for(timeout=timeout)

    def read(self, file: str) -> str:
        return (self.folder / file).read_bytes().decode()

    @property
    def shown(self) -> list[str]:
        """The ids in the grid, from top to bottom."""
        cells = self.page.locator('.ag-center-cols-container .ag-row [col-id="c0"]')
        found = cells.evaluate_all("cells => cells.map(c => [c.closest('.ag-row').getAttribute('row-index'), c.innerText])")
        return [text for _, text in sorted(found, key=lambda each: int(each[0]))]

    @property
    def ids(self) -> list[str]:
        """Those in the file."""
        return [line.partition(",")[0] for line in self.read("cards.csv").splitlines()[1:]]


@pytest.fixture(scope="module")
def context(browser: Browser, served: Served) -> Iterator[BrowserContext]:
    """A browser that was let in."""
    made = browser.new_context(**WINDOW)
    made.set_default_timeout(PATIENCE)
    made.new_page().goto(served.address)
    yield made
    made.close()


@pytest.fixture
def desk(context: BrowserContext, served: Served, deck: Path, request: pytest.FixtureRequest) -> Iterator[Desk]:
    """A copy of the game, so that no test sees what another left."""
    name = re.sub(r"[^a-z0-9]+", "-", request.node.name.removeprefix("test_"))[:40].strip("-")
    folder = deck / "content" / name
    shutil.copytree(deck / "content/deck", folder)
    page = context.new_page()
    made = Desk(page, folder, f"{served.base}/game/{name}")
    yield made
    page.close()
    shutil.rmtree(folder)


def test_undo_stays_in_its_file(desk: Desk) -> None:
    """Ctrl-Z takes back what was typed into this file, not that another was open before."""
    desk.open("Texts")
    desk.choose("rulebook.md")
    before = desk.read("rulebook.md")
    desk.type("Mine.")
    for _ in range(3):
        desk.page.keyboard.press("Control+Z")
    desk.page.locator(".cm-content:not(:has-text('Mine.'))").wait_for()
    desk.type("Yours.")
    desk.page.keyboard.press("Control+S")
    wait_for(desk.page, "Saved")
    assert desk.read("rulebook.md") == before + "Yours."


def test_who_types_on_while_undoing_loses_no_key(desk: Desk) -> None:
    """What is saved is what stands on the screen, however fast somebody types."""
    desk.open("Texts")
    desk.choose("rulebook.md")
    desk.type("😀 one two")
    for _ in range(5):
        desk.page.keyboard.press("Control+Z")
        desk.page.keyboard.type("ab ")
    desk.page.keyboard.press("Control+S")
    wait_for(desk.page, "Saved")
    last = desk.page.locator(".cm-line").last.inner_text()
    assert desk.read("rulebook.md").splitlines()[-1] == last and last.endswith("ab ")


def test_no_key_is_lost_when_findings_come_and_go(desk: Desk) -> None:
    """They arrive while somebody types on, and colour lines."""
    desk.open("Texts")
    desk.choose("game.toml")
    before = desk.read("game.toml")
    typed = ""
    for number in range(4):
        more = f"\n[expect.dice{number}]\ncopies = 1\n#"
        desk.type(more)
        desk.page.keyboard.press("Control+S")
        letters = "the quick brown fox jumps over the lazy dog "
        desk.page.keyboard.type(letters)
        typed += more + letters
    desk.page.locator(".cm-line.wrong", has_text="dice3").wait_for()
    desk.page.keyboard.press("Control+S")
    desk.page.get_by_role("button", name="1 file not saved").wait_for(state="hidden")
    assert desk.read("game.toml") == before + typed


def test_line_ends_stay(desk: Desk) -> None:
    """What is typed goes where it was typed, and no line that was not touched changes, not even its end."""
    lines = [f"line {number}" for number in range(1, 15)]
    (desk.folder / "notes.md").write_bytes("\r\n".join(lines).encode())
    desk.open("Texts")
    desk.choose("notes.md")
    desk.editor("line 14")
    desk.page.locator(".cm-line", has_text="line 10").click()
    desk.page.keyboard.press("Home")
    desk.page.keyboard.type("the ")
    desk.page.keyboard.press("Enter")
    desk.page.keyboard.press("Control+S")
    wait_for(desk.page, "Saved")
    lines[9:10] = ["the ", "line 10"]
    assert desk.read("notes.md") == "\r\n".join(lines)


def test_a_file_that_cannot_be_shown_is_left_alone(desk: Desk) -> None:
    """Its name never stands above the text of another file, and nothing is saved over it."""
    raw = "Größe: 5 €\n".encode("cp1252") * 3
    (desk.folder / "old.txt").write_bytes(raw)
    desk.open("Texts")
    desk.page.get_by_role("combobox", name="File").click()
    desk.page.get_by_role("option", name="old.txt").click()
    wait_for(desk.page, "not UTF-8")
    desk.page.locator(".cm-content").wait_for(state="detached")
    desk.page.get_by_role("button", name="Save", exact=True).click()
    wait_for(desk.page, "not UTF-8")
    assert (desk.folder / "old.txt").read_bytes() == raw
    assert desk.page.get_by_role("button", name="Keep mine").count() == 0
    (desk.folder / "old.txt").write_bytes(raw.decode("cp1252").encode())
    desk.editor("Größe")


def test_a_sorted_table_changes_the_row_that_is_seen(desk: Desk) -> None:
    """A row is known by what it is, not by where it stands: sorted, deleted, copied, moved."""
    desk.open("Table")
    desk.choose("cards.csv")
    for _ in range(2):
        desk.page.locator(".ag-header-cell-text", has_text=re.compile("^throws$")).click()
    desk.page.locator('.ag-row[row-index="0"]', has_text="big-berg").wait_for()
    desk.page.locator('.ag-row[row-index="0"] [col-id="c1"]').click()
    desk.page.get_by_role("button", name="Delete row").click()
    wait_for(desk.page, "Saved")
    assert desk.ids == ["pip", "ducker", "magpie", "slinger"]
    desk.page.locator('.ag-row[row-index="0"]', has_text="slinger").wait_for()
    desk.page.locator('.ag-row[row-index="1"] [col-id="c1"]').click()
    desk.page.get_by_role("button", name="Up", exact=True).click()
    wait_for(desk.page, "the order")
    assert desk.ids == ["pip", "magpie", "ducker", "slinger"]


def test_the_dialogue_is_about_the_file_it_names(desk: Desk) -> None:
    """Looked first, another file chosen, come back: mine is still mine, and is kept when I say so."""
    desk.open("Texts")
    desk.choose("rulebook.md")
    book, toml = desk.read("rulebook.md"), desk.read("game.toml")
    desk.type("Mine.")
    (desk.folder / "rulebook.md").write_text(book + "Theirs.", "utf-8")
    wait_for(desk.page, "changed elsewhere")
    desk.page.keyboard.press("Control+S")
    desk.page.get_by_role("dialog").filter(has_text="rulebook.md").wait_for()
    desk.page.get_by_role("button", name="Look first").click()
    desk.choose("game.toml")
    desk.editor("[game]")
    assert desk.page.get_by_role("button", name="Keep mine").count() == 0
    desk.choose("rulebook.md")
    desk.editor("Mine.")
    desk.page.get_by_role("button", name="Save", exact=True).click()
    desk.page.get_by_role("button", name="Keep mine").click()
    wait_for(desk.page, "Saved")
    assert (desk.read("rulebook.md"), desk.read("game.toml")) == (book + "Mine.", toml)


def test_a_draft_outlives_the_page(desk: Desk) -> None:
    """Unsaved text is there again after All games and Back, and after a reload; it is said that it is not saved."""
    desk.open("Texts")
    desk.choose("rulebook.md")
    before = desk.read("rulebook.md")
    desk.type("Not saved.")
    desk.page.get_by_role("button", name="1 file not saved").wait_for()
    desk.page.get_by_role("link", name="All games").click()
    desk.page.get_by_role("heading", name="Your games").wait_for()
    desk.page.go_back()
    desk.page.get_by_role("button", name="1 file not saved").click()
    desk.editor("Not saved.")
    desk.page.reload()
    desk.page.get_by_role("button", name="1 file not saved").click()
    desk.editor("Not saved.")
    assert desk.read("rulebook.md") == before
    desk.page.locator(".cm-content").click()
    for _ in range(2):
        desk.page.keyboard.press("Control+Z")
    desk.page.get_by_role("button", name="1 file not saved").wait_for(state="hidden")


def test_a_half_typed_cell_waits(desk: Desk) -> None:
    """While somebody types into a cell, files change, this table's too: nothing is saved yet, and no key is lost."""
    desk.open("Table")
    desk.choose("cards.csv")
    before = desk.read("cards.csv")
    cell(desk.page, 3, "name")
    desk.page.keyboard.press("Enter")
    desk.page.keyboard.press("Control+A")
    desk.page.keyboard.type("Half")
    toml = desk.read("game.toml")
    (desk.folder / "game.toml").write_text(toml.replace("Snowball!", "Snowballs!"), "utf-8")
    desk.page.locator("h1", has_text="Snowballs!").wait_for()
    desk.page.locator(".status", has_text="Nothing wrong").wait_for()
    assert desk.read("cards.csv") == before
    theirs = before.replace("pip,Pip,", "pip,Pippa,")
    (desk.folder / "cards.csv").write_text(theirs, "utf-8")
    desk.page.locator(".ag-cell", has_text="Pippa").wait_for()
    desk.page.keyboard.type(" and half")
    desk.page.keyboard.press("Enter")
    wait_for(desk.page, "Saved: name")
    assert desk.read("cards.csv") == theirs.replace("ducker,Ducker,", "ducker,Half and half,")


def test_undo_is_the_file_s_own_and_goes_on_after_an_outside_change(
    desk: Desk, context: BrowserContext, served: Served, deck: Path
) -> None:
    """Another game's edit is not undone here; what another program saved is one step like all others."""
    desk.open("Table")
    desk.choose("cards.csv")
    before = desk.read("cards.csv")
    cell(desk.page, 2, "name")
    desk.page.keyboard.type("Mine")
    desk.page.keyboard.press("Enter")
    wait_for(desk.page, "Saved: name")
    mine = desk.read("cards.csv")
    (desk.folder / "cards.csv").write_text(mine.replace("Ducker,", "Theirs,"), "utf-8")
    desk.page.locator(".ag-cell", has_text="Theirs").wait_for()
    other = context.new_page()
    other.goto(f"{served.base}/game/deck")
    tab(other, "Table")
    cell(other, 2, "name")
    other.get_by_role("button", name="Undo", disabled=True).wait_for()
    other.keyboard.press("Control+Z")
    wait_for(other, "There is nothing to undo.")
    other.close()
    desk.page.get_by_role("button", name="Undo").click()
    wait_for(desk.page, "Undone: what another program saved")
    assert desk.read("cards.csv") == mine
    desk.page.get_by_role("button", name="Undo").click()
    wait_for(desk.page, "Undone: name")
    assert desk.read("cards.csv") == before


def test_undo_and_redo_say_what_they_would_do(desk: Desk, context: BrowserContext) -> None:
    """Disabled while there is nothing; also after another window has taken back what was done here."""

    def offered(name: str, said: str, page: Page = desk.page) -> None:
        enabled = "nothing" not in said
        page.get_by_role("button", name=name, disabled=not enabled).and_(page.get_by_title(said, exact=True)).wait_for()

    desk.open("Table")
    offered("Undo", "There is nothing to undo")
    offered("Redo", "There is nothing to redo")
    cell(desk.page, 2, "name")
    desk.page.keyboard.type("Mine")
    desk.page.keyboard.press("Enter")
    offered("Undo", "Undo: name in row 2 of cards.csv (Ctrl-Z)")
    desk.page.get_by_role("button", name="Undo").click()
    offered("Undo", "There is nothing to undo")
    offered("Redo", "Redo: name in row 2 of cards.csv (Ctrl-Y)")
    tab(desk.page, "Play")
    offered("Redo", "There is nothing to redo")
    tab(desk.page, "Texts")
    desk.type("# Mine")
    offered("Undo", "Undo: what was typed into game.toml (Ctrl-Z)")
    tab(desk.page, "Pieces")
    desk.page.get_by_role("button", name="Redo").click()
    offered("Undo", "Undo: name in row 2 of cards.csv (Ctrl-Z)")
    other = context.new_page()
    other.goto(desk.address)
    tab(other, "Table")
    offered("Undo", "Undo: name in row 2 of cards.csv (Ctrl-Z)", other)
    other.get_by_role("button", name="Undo").click()
    offered("Undo", "There is nothing to undo")
    other.close()


def test_the_keyboard_goes_through_the_table(desk: Desk) -> None:
    """As in a spreadsheet: Enter goes down, Tab to the right, Ctrl-Z takes back, and what is typed goes on from there."""
    desk.open("Table")
    desk.choose("cards.csv")
    before = desk.read("cards.csv")
    cell(desk.page, 2, "name")
    desk.page.keyboard.type("One")
    desk.page.keyboard.press("Enter")
    wait_for(desk.page, "Saved: name in row 2")
    desk.page.keyboard.type("Two")
    desk.page.keyboard.press("Tab")
    wait_for(desk.page, "Saved: name in row 3")
    desk.page.keyboard.type("8")
    desk.page.keyboard.press("Enter")
    wait_for(desk.page, "Saved: throws in row 3")
    assert desk.read("cards.csv") == before.replace(",Pip,", ",One,").replace(",Ducker,2", ",Two,8")
    for said in ("throws in row 3", "name in row 3", "name in row 2"):
        desk.page.keyboard.press("Control+Z")
        wait_for(desk.page, f"Undone: {said}")
    assert desk.read("cards.csv") == before
    desk.page.keyboard.press("Control+Y")
    wait_for(desk.page, "Done again: name in row 2")


def test_a_copied_row_has_an_id_of_its_own(desk: Desk) -> None:
    """Two rows with one id would be an error in the game."""
    desk.open("Table")
    desk.choose("cards.csv")
    cell(desk.page, 2, "name")
    for copy in ("pip-2", "pip-3"):
        desk.page.get_by_role("button", name="Copy row").click()
        desk.page.locator(".ag-cell", has_text=copy).wait_for()
    assert sorted(desk.ids) == sorted(["pip", "pip-2", "pip-3", "ducker", "magpie", "slinger", "big-berg"])
    assert desk.read("cards.csv").count(",Pip,1,sky,") == 3


def test_what_comes_and_goes_is_followed(desk: Desk) -> None:
    """A table deleted and restored is shown again; a new file is offered; a link is none."""
    desk.open("Table")
    desk.choose("cards.csv")
    table = desk.folder / "cards.csv"
    raw = table.read_bytes()
    desk.page.locator(".ag-cell", has_text="Pip").first.wait_for()
    table.unlink()
    wait_for(desk.page, "is not there any more")
    assert desk.page.locator(".ag-row").count() == 0
    table.write_bytes(raw)
    desk.page.locator(".ag-cell", has_text="Pip").first.wait_for()
    (desk.folder / "more.csv").write_text("id\nfirst\n")
    (desk.folder / "notes.md").write_text("Of mine.\n")
    (desk.folder / "link.md").symlink_to(desk.folder / "rulebook.md")
    desk.choose("more.csv")
    desk.page.locator(".ag-cell", has_text="first").wait_for()
    tab(desk.page, "Texts")
    desk.choose("notes.md")
    desk.editor("Of mine.")
    desk.page.get_by_role("combobox", name="File").click()
    desk.page.get_by_role("option", name="notes.md").wait_for()
    assert desk.page.get_by_role("option", name="link.md").count() == 0


def test_a_reload_keeps_what_is_being_made(desk: Desk) -> None:
    """Its log is there again, and Stop stops it."""
    desk.open("Print")
    desk.page.get_by_role("button", name="Make the print files").click()
    desk.page.get_by_role("progressbar", name="At work").wait_for()
    desk.page.reload()
    tab(desk.page, "Print")
    desk.page.get_by_role("progressbar", name="At work").wait_for()
    desk.page.get_by_role("button", name="Stop").click()
    desk.page.locator(".outcome", has_text="Stopped.").wait_for()
    desk.page.reload()
    tab(desk.page, "Print")
    desk.page.locator(".outcome", has_text="Stopped.").wait_for()


@dataclass(slots=True)
class Hindered:
    """A page at which somebody types while its studio has no time to answer."""

    page: Page
    studio: Served
    since: float


@pytest.fixture(scope="module")
def hindered(browser: Browser, deck: Path) -> Iterator[Hindered]:
    """It is begun by the test before it is looked at, which takes long as well."""
    made = serve(deck, "deck")
    page = browser.new_page(**WINDOW)
    page.set_default_timeout(PATIENCE)
    try:
        page.goto(made.address)
        tab(page, "Texts")
        page.locator(".cm-content", has_text="[game]").click()
        made.process.send_signal(signal.SIGSTOP)
        page.keyboard.press("Control+End")
        page.keyboard.type("# meanwhile")
        yield Hindered(page, made, time.monotonic())
    finally:
        made.process.send_signal(signal.SIGCONT)
        made.stop()
        page.close()


@pytest.mark.usefixtures("hindered")
def test_a_crash_costs_nothing(browser: Browser, deck: Path) -> None:
    """The old page says that its studio has ended; the next one has the draft, and its history."""
    port = str(free_port())
    first = serve(deck, "deck", "--port", port)
    context = browser.new_context(**WINDOW)
    context.set_default_timeout(PATIENCE)
    try:
        old = context.new_page()
        old.goto(first.address)
        tab(old, "Texts")
        old.locator(".cm-content", has_text="[game]").click()
        old.keyboard.press("Control+End")
        old.keyboard.type("# a draft")
        while not any("# a draft" in path.read_text() for path in cache_folder().glob("studio/*/*.json")):
            old.wait_for_timeout(20)
    finally:
        first.process.kill()
        first.process.wait()
        first.output.close()
        first.errors.close()
    old.get_by_text("The studio of this page has ended").wait_for()
    again = serve(deck, "deck", "--port", port)
    try:
        old.get_by_text("Open the last address that pnp studio has printed").wait_for()
        page = context.new_page()
        page.goto(again.address)
        page.get_by_role("button", name="1 file not saved").click()
        page.locator(".cm-content").click()
        page.keyboard.press("Control+End")
        page.locator(".cm-content", has_text="# a draft").wait_for()
        for _ in ("#", "a", "draft"):
            page.keyboard.press("Control+Z")
        page.get_by_role("button", name="1 file not saved").wait_for(state="hidden")
        # Let in again, the old page goes on by itself.
        old.get_by_role("alertdialog").wait_for(state="hidden")
        old.locator("h1", has_text="Snowball!").wait_for()
    finally:
        again.stop()
        context.close()


def test_a_busy_machine_is_waited_for(hindered: Hindered) -> None:
    """A studio that cannot answer for eight seconds is not taken for one that has ended: what is typed meanwhile arrives."""
    page = hindered.page
    page.wait_for_timeout(max(0, 8 - (time.monotonic() - hindered.since)) * 1000)
    assert not page.get_by_role("alertdialog").is_visible()
    hindered.studio.process.send_signal(signal.SIGCONT)
    page.get_by_role("button", name="1 file not saved").wait_for()
    page.locator(".cm-content", has_text="# meanwhile").wait_for()
    for _ in ("#", "meanwhile"):
        page.keyboard.press("Control+Z")
    page.get_by_role("button", name="1 file not saved").wait_for(state="hidden")


def test_two_windows_edit_one_text(desk: Desk, context: BrowserContext) -> None:
    """What is typed or undone in one stands in the other, neither takes the other's step back."""
    desk.open("Texts")
    desk.choose("rulebook.md")
    desk.type("Xylophones yodel zestfully ")
    other = context.new_page()
    other.goto(desk.address)
    other.get_by_role("button", name="1 file not saved").click()
    other.locator(".cm-content", has_text="Xylophones yodel zestfully").wait_for()
    for _ in range(3):
        desk.page.keyboard.press("Control+Z")
    other.locator(".cm-content:not(:has-text('Xylo'))").wait_for()
    other.get_by_role("button", name="1 file not saved").wait_for(state="hidden")
    other.locator(".cm-content").click()
    other.keyboard.press("Control+Home")
    other.keyboard.type("Other! ")
    desk.editor("Other! ")
    other.keyboard.press("Control+S")
    desk.page.get_by_role("button", name="1 file not saved").wait_for(state="hidden")
    assert desk.read("rulebook.md").startswith("Other! # {{ game.title }}")
    other.close()
