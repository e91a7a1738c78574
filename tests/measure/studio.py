"""How long somebody waits for the studio: from the command to the first card, and from a saved file to the changed card.

    python tests/measure/studio.py [CARDS…]

For decks of so many cards (54 and 500) of the game that ``pnp new`` begins, in a project and a cache of their own, with
Debian's Chromium. What is told: seconds until the address is printed, until the first card is shown after the page was
opened, and from each of five changes of a cell, saved by another program, until the wall shows the new picture; at last,
until the table is there.
"""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

PNP = (sys.executable, "-m", "pnp")
SHOWN = "(image => image && image.complete && image.naturalWidth > 0)"
CHANGES = 5
# In ms.
PATIENCE = 300_000


def deck(root: Path, count: int) -> Path:
    """A project with a deck of so many different cards; its table."""
    subprocess.run([*PNP, "new", "deck"], cwd=root, check=True, capture_output=True)
    table = root / "content/deck/cards.csv"
    head, *rows = csv.reader(table.open(encoding="utf-8", newline=""))
    made = []
    for number in range(count):
        row = dict(zip(head, rows[number % len(rows)], strict=True))
        made.append([*(row | {"id": f"c{number}", "name": f"Name {number}", "copies": "1"}).values()])
    with table.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([head, *made])
    return table


def measure(count: int) -> None:
    """Print what a deck of so many cards takes."""
    chromium = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "google-chrome"))))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        root = Path(folder)
        table = deck(root, count)
        begun = time.perf_counter()
        environment = {**os.environ, "XDG_CACHE_HOME": str(root / "cache")}
        command = [*PNP, "studio", "deck", "--no-browser"]
        studio = subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True, env=environment)
        assert studio.stdout is not None
        address = re.search(r"http\S+", studio.stdout.readline())
        assert address is not None
        told = time.perf_counter() - begun
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        opened = time.perf_counter()
        page.goto(address[0])
        page.wait_for_function(f"{SHOWN}(document.querySelector('.face img'))", timeout=PATIENCE, polling=10)
        shown = time.perf_counter() - opened
        page.locator(".status", has_text=re.compile("Nothing|error|warning")).wait_for(timeout=PATIENCE)
        waited = []
        for number in range(CHANGES):
            key = page.locator(".face").first.get_attribute("data-key")
            text = table.read_text("utf-8")
            saved = time.perf_counter()
            table.write_text(re.sub(r"^c0,[^,]*", f"c0,Changed {number}", text, flags=re.MULTILINE), "utf-8")
            page.wait_for_function(
                f"key => (face => face && face.dataset.key != key && {SHOWN}(face.querySelector('img')))"
                "(document.querySelector('.face'))",
                arg=key,
                timeout=PATIENCE,
                polling=10,
            )
            waited.append(time.perf_counter() - saved)
            page.locator(".status", has_text=re.compile("Nothing|error|warning")).wait_for(timeout=PATIENCE)
        asked = time.perf_counter()
        page.keyboard.press("Control+J")
        page.locator(".ag-row").first.wait_for(timeout=PATIENCE)
        grid = time.perf_counter() - asked
        browser.close()
        studio.terminate()
        studio.wait(20)
    saves = ", ".join(f"{seconds:.2f}" for seconds in waited)
    print(
        f"{count} cards: address {told:.2f} s, first card {shown:.2f} s, from save to screen {saves} s, table {grid:.2f} s"
    )


if __name__ == "__main__":
    for cards in map(int, sys.argv[1:] or ["54", "500"]):
        measure(cards)
