"""The tutorial of the studio, walked in a real browser by somebody who has nothing but an empty folder.

``PNP_PICTURES=docs/pictures pytest -n0 tests/studio/test_first_hour.py`` takes the pictures of its page.
"""

from __future__ import annotations

import base64
import csv
import io
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from commands import run
from pages import IN_THE_STUDIO, blocks
from PIL import Image
from served import PATIENCE, WINDOW, Served, browser, serve, tab, wait_for
from test_dropping import DROP

from pnp.write.printed import read_printed

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["browser"]
(TABLE,), (PROMISE,) = blocks(IN_THE_STUDIO, "csv"), blocks(IN_THE_STUDIO, "toml")
NAMES = [row["name"] for row in csv.DictReader(io.StringIO(TABLE))]
CAPS = ("#9a5b2c", "#e9a33b", "#c9b08a", "#efe7d8", "#6d4b33", "#7d6aa8", "#c8321f", "#8e9a55", "#d0793a", "#b8405e")


def mushroom(number: int) -> bytes:
    """A cap on a stem in the grass, each of another form and colour."""
    wide, high = 70 + 17 * (number % 3), 50 + 9 * (number % 4)
    dots = "".join(
        f'<circle cx="{150 + wide * 0.55 * x}" cy="{150 - high * y}" r="{6 + number % 3}" fill="#fff" opacity="0.75"/>'
        for x, y in ((-1, 0.25), (-0.35, 0.6), (0.3, 0.25), (0.8, 0.4))
    )
    left, right, top = 150 - wide, 150 + wide, 150 - high * 1.3
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="-5 42 310 194">
<rect x="-5" y="42" width="310" height="194" fill="{("#dfeaf0", "#f3e6cf", "#e3ecd8")[number % 3]}"/>
<path d="M-5 215Q80 {180 + 5 * (number % 5)} 160 212T305 205V236H-5Z" fill="#7c9a55"/>
<path d="M132 140Q138 190 122 232H178Q162 190 168 140Z" fill="#f6efdf" stroke="#3a2f25" stroke-width="4"/>
<path d="M{left} 152Q{left} {top} 150 {top}T{right} 152Q150 172 {left} 152Z"
 fill="{CAPS[number % len(CAPS)]}" stroke="#3a2f25" stroke-width="4"/>
{dots if number % 2 == 0 else ""}
<path d="M-5 228Q90 212 170 228T305 222V236H-5Z" fill="#5d7c40"/></svg>""".encode()


def wood() -> bytes:
    """A board: a path of seventeen fields among trees."""
    way = [(22 + 13.2 * at, 93 + 44 * math.sin(at / 2.4)) for at in range(17)]
    trees = "".join(
        f'<path d="M{x} {y - 4}l-6 12h4l-6 10h16l-6 -10h4z" fill="{("#2f5232", "#3c653a")[x % 2]}"/>'
        for x, y in ((x, 14 + (x * 37) % 150) for x in range(10, 250, 7))
        if min(math.dist((x, y + 6), field) for field in way) > 19
    )
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in way)
    fields = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6" fill="#f7f1e1" stroke="#5a4632"/>'
        f'<text x="{x:.1f}" y="{y + 2.2:.1f}" font-size="6.4" text-anchor="middle" fill="#3a2f25">{number}</text>'
        for number, (x, y) in enumerate(way, 1)
    )
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 256 186"><rect width="256" height="186" fill="#a9c07f"/>
{trees}<polyline points="{line}" fill="none" stroke="#d9c79c" stroke-width="5"/>{fields}</svg>""".encode()


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Served]:
    made = serve(tmp_path)
    yield made
    if made.process.poll() is None:
        made.stop()


@pytest.fixture
def page(browser: Browser, empty: Served) -> Iterator[Page]:
    made = browser.new_page(**WINDOW | {"viewport": {"width": 1280, "height": 800}})
    made.set_default_timeout(PATIENCE)
    complaints: list[str] = []
    made.on("pageerror", lambda error: complaints.append(str(error)))
    made.goto(empty.address)
    yield made
    made.close()
    assert complaints == []


def drawn(page: Page, *pieces: str) -> None:
    """Until these pieces are there, and all that is in sight is drawn."""
    for piece in pieces:
        page.locator(f'.face[data-piece="{piece}"]').first.wait_for()
    page.wait_for_function(
        """() => [...document.querySelectorAll('.face, .looks .pick')].every(each => {
            const at = each.getBoundingClientRect(), image = each.querySelector('img');
            return !at.width || at.top > innerHeight || image && image.complete && image.naturalWidth;
          }) && [...document.querySelectorAll('.left img, .right img')].every(each => each.naturalWidth)
          && ![...document.querySelectorAll('.status')].some(each => each.innerText.includes('Drawing'))"""
    )


def shot(page: Page, name: str, height: int = 0) -> None:
    """A picture for the page, where it is asked for, in few colours, or the upper part of it."""
    if folder := os.environ.get("PNP_PICTURES"):
        page.locator(".q-notification").wait_for(state="detached")
        page.wait_for_timeout(1000)
        drawn(page)
        seen = Image.open(io.BytesIO(page.screenshot(full_page=True))).convert("RGB")
        seen = seen.crop((0, 0, seen.width, height or seen.height))
        seen.quantize(160, dither=Image.Dither.NONE).save(Path(folder) / f"studio-{name}.png", optimize=True)


def letters(page: Page, box: str, sizes: str) -> None:
    field = page.get_by_label(f"Letters of {box}")
    field.fill(sizes)
    field.press("Enter")
    wait_for(page, f"Saved: the box {box}")


def test_from_an_empty_folder_to_paper(page: Page, empty: Served, tmp_path: Path) -> None:
    """As docs/tutorial/in-the-studio.md says it; in the file that is printed all is there."""
    page.get_by_label("What is it called?").fill("Forage")
    page.get_by_text("A deck from a table").click()
    page.get_by_label("Paste cells").fill(TABLE)
    page.get_by_role("status").filter(has_text="23 cards: name, points, copies, text").wait_for()
    page.get_by_text("Woodland").click()
    page.get_by_label("Paste cells").evaluate("box => { box.scrollTop = 0; box.blur() }")
    shot(page, "begin")
    page.get_by_role("button", name="Make the game").click()
    page.wait_for_url("**/game/forage")
    drawn(page, "jelly-ear")

    page.keyboard.press("Control+J")
    page.locator(".ag-row").first.wait_for()
    art = [[f"{name}.svg", base64.b64encode(mushroom(number)).decode()] for number, name in enumerate(NAMES)]
    page.locator(".view.table").evaluate(DROP, art)
    wait_for(page, "12 pictures put into art/")
    drawn(page)
    shot(page, "art")
    page.keyboard.press("Control+J")

    page.locator('.face[data-piece="fly-agaric"]').first.click()
    page.get_by_role("button", name="On the card").click()
    page.get_by_role("button", name="Make its template").click()
    wait_for(page, "Made: cards.svg.j2, back.svg.j2.")
    page.get_by_role("button", name="Undo").click()
    wait_for(page, "Undone: cards.svg.j2, back.svg.j2.")
    assert [*(tmp_path / "content/forage").rglob("*.j2")] == []
    page.get_by_role("button", name="Make its template").wait_for()
    page.get_by_role("button", name="Redo").click()
    wait_for(page, "Done again: cards.svg.j2, back.svg.j2.")
    letters(page, "title", "18 9")
    letters(page, "text", "13 8")
    shot(page, "sizes")

    tab(page, "Pieces")
    page.locator('.face img[alt*="back"]').first.dblclick()
    page.locator(".right", has_text="cards, back").wait_for()
    letters(page, "title", "24 8")

    tab(page, "Pieces")
    page.get_by_role("button", name="Add a component").click()
    page.locator(".adding .pick", has_text="Board").click()
    page.get_by_label("What is it called?").fill("The wood")
    page.get_by_role("button", name="Add it").click()
    page.locator('.part[data-key="the-wood"][aria-current]').wait_for()
    drawn(page, "the-wood")
    page.locator('.face[data-piece="the-wood"]').evaluate(DROP, [["wood.svg", base64.b64encode(wood()).decode()]])
    page.locator(".q-notification", has_text="art/the-wood.svg").wait_for()
    drawn(page)
    shot(page, "board")

    page.locator(".left").get_by_text("game.toml").click()
    page.locator(".cm-content", has_text="[game]").click()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text(f"\n{PROMISE}")
    page.keyboard.press("Control+S")
    page.locator(".status", has_text="1 error").click()
    page.locator(".view.findings", has_text="23").wait_for()
    shot(page, "counts", 400)
    tab(page, "Pieces")
    page.locator('.face[data-piece="puffball"]').first.click()
    copies = page.get_by_role("textbox", name="copies")
    copies.fill("2")
    copies.press("Enter")
    page.locator(".status", has_text="Nothing wrong").wait_for()

    tab(page, "Print")
    page.get_by_role("button", name="Make the print files").click()
    page.locator(".outcome", has_text="Done").wait_for()
    shot(page, "print")
    empty.stop()

    printed = tmp_path / "output/forage/a4/print.pdf"
    fronts = [piece.name for piece in read_printed(printed.read_bytes(), "").pieces if piece.side == "front"]
    assert len([name for name in fronts if name.startswith("cards/")]) == 24
    assert run("verify", printed, at=tmp_path).out == "output/forage/a4/print.pdf: all there\n"
    assert run("check", "forage", at=tmp_path).code == 0
    folder = tmp_path / "content/forage"
    assert len(list((folder / "art").iterdir())) == 13 and PROMISE in (folder / "game.toml").read_text("utf-8")
    cards, back = ((folder / f"templates/{name}.svg.j2").read_text("utf-8") for name in ("cards", "back"))
    assert 'size="18 9"' in cards and 'size="13 8"' in cards and 'size="24 8"' in back
