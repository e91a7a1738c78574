"""Where nothing is there yet: a game begins in the browser, from a sample, a table, or another game."""

from __future__ import annotations

import base64
import re
import shutil
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from commands import run
from served import PATIENCE, WINDOW, Served, browser, serve
from test_dropping import DROP

from pnp.read.project import Project
from pnp.studio.home import Bringing, unpacked
from pnp.studio.project import Studio
from pnp.system.cache import cache_folder
from pnp.values.problems import Fault

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page

__all__ = ["browser"]
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9" fill="#147"/></svg>'
SEEN = "(i => i && i.complete && i.naturalWidth > 0)"
TABLE = "name\tcost\ttype\ttext\nGrey Heron\t3\tBird\tDraw two.\nOtter\t2\tBeast\tDiscard one.\n"


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The studio in a folder in which there is nothing."""
    made = serve(tmp_path_factory.mktemp("empty"))
    yield made
    made.stop()


@pytest.fixture(scope="module")
def page(browser: Browser, empty: Served) -> Iterator[Page]:
    made = browser.new_page(**WINDOW)
    made.set_default_timeout(PATIENCE)
    complaints: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        # A picture of a card that has changed meanwhile is not there any more; the next is on its way.
        if message.type == "error" and "/face/" not in message.location["url"]:
            complaints.append(f"{message.text} {message.location['url']}")

    made.on("console", heard)
    made.on("pageerror", lambda error: complaints.append(str(error)))
    made.goto(empty.address)
    made.locator("h1").wait_for()
    yield made
    made.close()
    assert complaints == [], complaints


def begun(page: Page, name: str, root: Path) -> Path:
    """Make the game, and wait until its first piece is seen."""
    page.get_by_role("button", name="Make the game").click()
    page.wait_for_url(f"**/game/{name}")
    page.wait_for_function(f"{SEEN}(document.querySelector('.face img'))")
    return root / "content" / name


def called(page: Page, title: str) -> None:
    page.get_by_label("What is it called?").fill(title)


def title_of(folder: Path) -> str:
    return str(tomllib.loads((folder / "game.toml").read_text("utf-8"))["game"]["name"])


def look(page: Page, style: str) -> str:
    """The address of the picture of a style: another one where another card is on it."""
    shown = page.locator(".looks .pick", has=page.locator(f'input[value="{style}"]')).locator("img")
    shown.wait_for()
    return str(shown.get_attribute("src"))


def test_nothing_is_written_before_it_has_a_name(page: Page, empty: Served) -> None:
    """An empty folder opens the page on which a game begins; the button says what is missing."""
    assert page.locator("h1").inner_text() == "Your first game"
    page.get_by_role("button", name="Make the game").click()
    page.get_by_role("alert").filter(has_text="name first").wait_for()
    assert not (empty.root / "content").exists()


def test_a_table_that_is_pasted_is_seen_in_six_styles(page: Page, empty: Served) -> None:
    """As its own first card at once; the one that is chosen is the game's, and it is opened."""
    page.get_by_text("A deck from a table").click()
    ours = look(page, "night")
    page.get_by_label("Paste cells").fill(TABLE)
    page.get_by_role("status").filter(has_text="2 cards: name, cost, type, text").wait_for()
    page.wait_for_function(
        f"ours => (i => {SEEN}(i) && !i.src.endsWith(ours))(document.querySelectorAll('.looks img')[2])", arg=ours
    )
    assert len({look(page, style) for style in ("plain", "parchment", "night", "comic", "sketch", "woodland")}) == 6
    page.get_by_role("radio", name="Plain").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    called(page, 'Fen & "Moor"')
    page.get_by_text("content/fen-moor.").wait_for()
    folder = begun(page, "fen-moor", empty.root)
    assert title_of(folder) == 'Fen & "Moor"' and 'style = "night"' in (folder / "game.toml").read_text("utf-8")
    assert (folder / "cards.tsv").read_text("utf-8") == TABLE
    assert page.locator("h1").inner_text() == 'Fen & "Moor"'


def test_another_begins_from_a_file(page: Page, empty: Served, tmp_path: Path) -> None:
    """The home page leads there. A file that is no table is told, and makes none; one that is, is shown and taken."""
    page.get_by_role("link", name="All games").click()
    page.get_by_role("button", name="New game").click()
    page.get_by_text("A deck from a table").click()
    called(page, "Birds")
    choose = page.locator(".drop-input input[type=file]")
    for name, data, said in (
        ("notes.docx", b"PK", "is no table"),
        ("Heron.PNG", b"\x89PNG\r\n", "Begin with a blank one"),
        ("cards.csv", b"\x89PNG\r\n\x1a\n\0\0\xff", "Row 1"),
        ("<img src=x onerror=alert(1)>.exe", b"MZ", "<img src=x"),
        ("empty.csv", b"name,text\n", "no row below"),
        ("../../rows.xlsx", b"PK\3\4 not one", "cannot be read"),
    ):
        choose.set_input_files({"name": name, "mimeType": "text/csv", "buffer": data})
        page.get_by_role("status").filter(has_text=said).wait_for()
        page.get_by_role("button", name="Make the game").click()
        page.get_by_role("alert").filter(has_text="Paste a table").wait_for()
    assert [path.name for path in (empty.root / "content").iterdir()] == ["fen-moor"]
    made = b"name,text\nHeron,Fly\nOtter,Swim\nNewt,Hide\n"
    page.locator(".table").first.evaluate(
        """(box, text) => { const data = new DataTransfer(); data.items.add(new File([text], "Wet birds.csv"));
        box.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true})); }""",
        made.decode(),
    )
    page.get_by_role("status").filter(has_text="3 cards: name, text").wait_for()
    assert (begun(page, "birds", empty.root) / "wet-birds.csv").read_bytes() == made


def test_a_board_has_the_font_of_the_style(page: Page, empty: Served) -> None:
    """That of its titles, and of another style once that is chosen; the form shows it, and does not write it."""
    page.get_by_role("button", name="Add a component").click()
    page.locator(".adding .pick", has_text="Board").click()
    page.get_by_label("What is it called?").fill("Marsh")
    page.get_by_role("button", name="Add it").click()
    board = "document.querySelector('.face[data-piece=marsh] img')"
    page.wait_for_function(f"{SEEN}({board})")
    was = page.evaluate(f"{board}.src")
    page.get_by_role("button", name="Fonts and colours").click()
    title = page.get_by_role("combobox", name="Font: title")
    assert title.input_value() == "Source Sans Pro"
    page.get_by_role("combobox", name="Style").click()
    page.get_by_role("option", name="sketch").click()
    page.wait_for_function("title => title.value === 'Amatic SC'", arg=title.element_handle())
    page.get_by_role("button", name="Save").click()
    page.wait_for_function(f"was => (i => {SEEN}(i) && i.src !== was)({board})", arg=was)
    page.locator(".status", has_text="Nothing wrong").wait_for()
    assert "[fonts]" not in (empty.root / "content/birds/game.toml").read_text("utf-8")


def test_samples_and_copies_are_called_as_one_says(page: Page, empty: Served) -> None:
    """Whatever the letters; a name that is there already gets a number, and nothing of the other is touched."""
    page.goto(f"{empty.base}/new")
    called(page, "Straße <b>\u202e1</b>")
    folder = begun(page, "strasse-b-1-b", empty.root)
    assert title_of(folder) == "Straße <b>1</b>" and page.locator("h1").inner_text() == "Straße <b>1</b>"
    assert len(list((folder / "art").iterdir())) > 3
    assert not [path for path in folder.rglob("*") if path.is_file() and b"Snowball!" in path.read_bytes()]
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    page.goto(f"{empty.base}/new")
    page.get_by_text("Of a game that is here already.").click()
    page.get_by_role("radio", name="Straße <b>1</b>").check(force=True)
    called(page, "Straße <b>1</b>")
    page.get_by_text("content/strasse-b-1-b-2.").wait_for()
    copied = begun(page, "strasse-b-1-b-2", empty.root)
    assert {path.name for path in copied.iterdir()} == {path.name for path in folder.iterdir()}
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    page.goto(f"{empty.base}/new")
    page.get_by_text("A blank").click()
    called(page, "least-of-all")
    assert title_of(begun(page, "least-of-all", empty.root)) == "Least of all"
    assert run("check", "least-of-all", "strasse-b-1-b", at=empty.root).code == 0


def test_a_blank_one_gets_pictures_and_a_back(page: Page, empty: Served) -> None:
    """Pictures fall beside the cards, too; where there is no back it is said, and it is one step to undo."""
    folder = empty.root / "content/least-of-all"
    before = (folder / "game.toml").read_bytes()
    free = """() => { const at = document.querySelector(".views").getBoundingClientRect();
        return document.elementFromPoint(at.x + at.width / 2, at.bottom - 20); }"""
    art = [[f"{name}.svg", base64.b64encode(SVG).decode()] for name in ("Otter", "Pike")]
    page.evaluate_handle(free).evaluate(DROP, art)
    page.get_by_role("button", name="Put them there").click()
    page.locator('.face[data-piece="pike"]').wait_for()
    page.get_by_role("button", name="Backs").click()
    page.locator(".wall h2", has_text="no back yet").get_by_role("button", name="Give it a back").click()
    back = page.locator('.face:has(img[alt*="(back)"])')
    back.wait_for()
    assert back.locator("span").inner_text().split("×")[1].strip() == "3"
    page.locator(".right", has_text="cards, back").wait_for()
    assert (folder / "game.toml").read_bytes() == before + b'back = "cards-back"\n'
    page.locator(".status", has_text="Nothing wrong").wait_for()
    assert page.get_by_role("button", name="Give it a back").count() == 0
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Give it a back").first.wait_for()
    assert (folder / "game.toml").read_bytes() == before and not (folder / "templates/cards-back.svg.j2").exists()


def test_home_shows_every_game_and_what_is_wrong(page: Page, empty: Served) -> None:
    """Its first card, its title as it is written, how much is wrong; what has changed is drawn anew, nothing else."""
    toml = empty.root / "content/birds/game.toml"
    page.goto(empty.base)
    assert page.locator("h1").inner_text() == "Your games"
    birds, fen = page.locator('a[href="/game/birds"]'), page.locator('a[href="/game/fen-moor"]')
    birds.filter(has_text="Nothing wrong").wait_for()
    fen.filter(has_text='Fen & "Moor"').filter(has_text="No print files yet").wait_for()
    assert page.get_by_role("heading", name="Straße <b>1</b>").count() == 2
    page.wait_for_function(f"[...document.querySelectorAll('.game img')].filter({SEEN}).length == 5")
    kept = {path: path.stat().st_mtime_ns for path in (cache_folder() / "studio/covers").iterdir()}
    toml.write_text(toml.read_text("utf-8").replace('"poker"', '"pocker"'), "utf-8")
    assert run("build", "fen-moor", at=empty.root).code == 0
    page.goto(empty.base)
    birds.filter(has_text="1 error").filter(has=page.locator("img")).wait_for()
    fen.filter(has_text="Print files of 2").wait_for()
    assert len(kept) >= 5
    assert len([path for path, when in kept.items() if path.stat().st_mtime_ns != when]) == 1
    toml.write_text(toml.read_text("utf-8").replace('"pocker"', '"poker"'), "utf-8")


def test_finished_pictures_are_cards(page: Page, empty: Served) -> None:
    """Dropped in two goes, or named by their folder; what is missing is said."""
    page.goto(f"{empty.base}/new")
    page.get_by_text("Finished pictures").click()
    called(page, "Drawn elsewhere")
    page.get_by_role("button", name="Make the game").click()
    page.get_by_role("alert").filter(has_text="Name their folder first, or drop them.").wait_for()
    page.get_by_label("Where are they?").fill(str(empty.root / "nowhere"))
    page.get_by_role("button", name="Make the game").click()
    page.get_by_role("alert").filter(has_text="There is no folder").wait_for()
    for names, said in ((("Otter", "Pike"), "2 files"), (("back",), "3 files")):
        files = [{"name": f"{name}.svg", "mimeType": "image/svg+xml", "buffer": SVG} for name in names]
        page.locator(".drop-input input[type=file]").set_input_files(files)
        page.get_by_role("status").filter(has_text=said).wait_for()
    folder = begun(page, "drawn-elsewhere", empty.root)
    assert title_of(folder) == "Drawn elsewhere"
    assert (folder / "cards.csv").read_text("utf-8") == "id,art,copies\notter,Otter.svg,1\npike,Pike.svg,1\n"
    page.locator(".status", has_text="Nothing wrong").wait_for()


SQUIB = Path(__file__).resolve().parents[1] / "imports/squib"


def test_without_the_add_on_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whoever lacks what reads other tools' projects is told its name, and nothing is tried."""

    def lacking(*_: str) -> None:
        raise Fault("it is not installed")

    monkeypatch.setattr("pnp.studio.home.load", lacking)
    made = Bringing(Studio.of(Project(tmp_path)))
    made.close()
    assert "pip install 'pnp-press[imports]'" in made.missing


def test_a_zip_is_unpacked_in_its_own_folder(tmp_path: Path) -> None:
    """Nothing of it lies outside: what would, and a broken one, is refused with its name."""
    file = tmp_path / "goats.zip"

    def packed(*names: str) -> Path:
        with zipfile.ZipFile(file, "w") as made:
            for name in names:
                made.writestr(name, name)
        return file

    for name in ("../out.txt", "a/../../../out.txt"):
        with pytest.raises(Fault, match=r"goats.zip holds .*out.txt, which would lie outside"):
            unpacked(packed("deck.rb", name), tmp_path / "room/inner")
    room = unpacked(packed("deck.rb", "a/b.csv", "/etc/out.txt"), tmp_path / "room/inner")
    assert {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()} == {
        *("goats.zip", "room/inner/deck.rb", "room/inner/a/b.csv", "room/inner/etc/out.txt")
    }
    file.write_bytes(file.read_bytes()[:-40])
    with pytest.raises(Fault, match=r"goats.zip cannot be unpacked"):
        unpacked(file, room)


def test_a_project_of_another_tool(page: Page, empty: Served, tmp_path: Path) -> None:
    """Named by its folder, or dropped as a zip; what came over is told, and what did not; then it can be opened."""
    page.goto(f"{empty.base}/new")
    page.get_by_text("Another tool's project").click()
    called(page, "Goats & kids")
    page.get_by_role("button", name="Make the game").click()
    page.get_by_role("alert").filter(has_text="Name a project first").wait_for()
    page.get_by_label("Where is it?").fill(str(SQUIB / "nowhere"))
    page.get_by_role("button", name="Make the game").click()
    page.get_by_role("alert").filter(has_text="There is no").wait_for()
    page.get_by_label("Where is it?").fill(f'"{SQUIB}"')
    page.get_by_role("button", name="Make the game").click()
    log = page.get_by_role("log")
    log.filter(has_text="done").wait_for()
    assert "drawing commands" in log.inner_text() and "left behind" in log.inner_text()
    page.get_by_role("button", name="Open the game").click()
    page.wait_for_url("**/game/goats-kids")
    assert title_of(empty.root / "content/goats-kids") == "Goats & kids"
    page.goto(f"{empty.base}/new")
    page.get_by_text("Another tool's project").click()
    called(page, "Zipped goats")
    hostile = tmp_path / "hostile.zip"
    with zipfile.ZipFile(hostile, "w") as made:
        made.writestr("../../outside.txt", "out")
    page.locator(".drop-input input[type=file]").set_input_files(hostile)
    page.get_by_role("status").filter(has_text="hostile.zip").wait_for()
    page.get_by_role("button", name="Make the game").click()
    page.get_by_role("alert").filter(has_text="would lie outside").wait_for()
    packed = Path(shutil.make_archive(str(tmp_path / "goats"), "zip", SQUIB))
    page.locator(".drop-input input[type=file]").set_input_files(packed)
    page.get_by_role("status").filter(has_text="goats.zip").wait_for()
    page.get_by_role("button", name="Make the game").click()
    log.filter(has_text="done").wait_for()
    assert (empty.root / "content/zipped-goats/game.toml").is_file()
    page.locator(".drop-input input[type=file]").set_input_files(
        [
            {"name": name.relative_to(SQUIB).as_posix().replace("/", "%2F"), "mimeType": "", "buffer": name.read_bytes()}
            for name in SQUIB.rglob("*")
            if name.is_file()
        ]
    )
    page.get_by_role("status").filter(has_text="4 files").wait_for()
    called(page, "Goats by the folder")
    page.get_by_role("button", name="Make the game").click()
    log.filter(has_text="goats-by-the-folder").filter(has_text="done").wait_for()


@pytest.mark.parametrize("dark", [False, True])
def test_it_can_be_read_at_twice_the_size(page: Page, empty: Served, dark: bool) -> None:
    """Nothing is cut off sideways on a narrow window, in light and in dark."""
    page.emulate_media(color_scheme="dark" if dark else "light")
    page.set_viewport_size({"width": 640, "height": 450})
    page.goto(f"{empty.base}/new")
    page.get_by_text("A deck from a table").click()
    look(page, "night")
    wide, window = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert wide <= window
    ground, ink = page.evaluate("[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]")
    light, darker = (sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in (ground, ink))
    assert (light < darker) == dark
