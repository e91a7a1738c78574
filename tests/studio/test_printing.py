"""From the studio to paper, in a real browser: a part of the game, what has changed, a printer's error, other programs."""

from __future__ import annotations

import csv
import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from commands import run
from served import browser, deck, page, tab
from served import serve as _serve

from pnp.lay.picture import PLAN
from pnp.write.printed import read_printed

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from served import Served

__all__ = ["browser", "deck", "page"]
OPENER = '#!/bin/sh\necho "$1" >> "$(dirname "$0")/opened"\n'


@pytest.fixture(scope="module")
def served(deck: Path) -> Iterator[Served]:
    """A studio whose machine opens files by writing down their names, and whose printers are in the project."""
    opener = deck / "bin/xdg-open"
    opener.parent.mkdir()
    opener.write_text(OPENER)
    opener.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{opener.parent}{os.pathsep}{os.environ['PATH']}")
        patch.setenv("PNP_CONFIG", str(deck / "config"))
        made = _serve(deck, "deck")
    yield made
    made.stop()


@pytest.fixture(autouse=True)
def printing(page: Page) -> None:
    tab(page, "Print")


def choose(page: Page, name: str, option: str) -> None:
    page.get_by_role("combobox", name=name, exact=True).click()
    page.get_by_role("option", name=option, exact=True).click()


def done(page: Page, button: str) -> None:
    """Press a button, and wait until what it begins has come to its end."""
    page.get_by_role("button", name=button, exact=True).click()
    page.get_by_role("progressbar", name="At work").wait_for()
    page.get_by_role("progressbar", name="At work").wait_for(state="hidden")
    said = page.locator(".outcome").inner_text()
    assert said.startswith("Done"), said


def pieces(deck: Path) -> list[str]:
    """The fronts on the sheets of the part that was made last."""
    file = deck / "output/deck/part/a4/print.pdf"
    there = read_printed(file.read_bytes(), "").pieces
    return sorted(piece.name for piece in there if piece.side == "front" and piece.name != PLAN)


def test_one_piece_one_component_some_sheets(page: Page, deck: Path) -> None:
    """Each is a part of its own; what was made is opened, or shown in its folder, by the machine's own programs."""
    choose(page, "Paper", "A4")
    choose(page, "What", "The selected piece")
    done(page, "Make the print files")
    assert {*pieces(deck)} == {"cards/pip"}
    page.get_by_role("button", name="Open", exact=True).first.click()
    page.get_by_role("button", name="Show in folder").first.click()
    file, opened = deck / "output/deck/part/a4/print.pdf", deck / "bin/opened"
    while not opened.exists() or len(opened.read_text().splitlines()) < 2:
        page.wait_for_timeout(50)
    assert [*map(Path, opened.read_text().splitlines())] == [file.resolve(), file.resolve().parent]
    choose(page, "What", "Only Snowball cards")
    done(page, "Make the print files")
    whole = pieces(deck)
    assert len(whole) == 10
    choose(page, "What", "Some sheets")
    page.get_by_label("Which sheets").fill("1")
    done(page, "Make the print files")
    assert 0 < len(pieces(deck)) < len(whole)


def test_some_sheets_on_a_paper_that_nobody_chose(page: Page, deck: Path) -> None:
    """They are of the game's first paper, which the form shows then; without a number that is asked for."""
    choose(page, "What", "The whole game")
    choose(page, "Paper", "The game's papers")
    choose(page, "What", "Some sheets")
    page.wait_for_function("() => document.querySelector('input[aria-label=Paper]').value === 'A4'")
    page.get_by_label("Which sheets").fill("")
    page.get_by_role("button", name="Make the print files").click()
    page.get_by_text("Say which sheets first").wait_for()
    choose(page, "Paper", "The game's papers")
    page.get_by_label("Which sheets").fill("1")
    done(page, "Make the print files")
    assert 0 < len(pieces(deck)) < 10


def test_only_what_changed(page: Page, deck: Path) -> None:
    """Once it is said that the game is printed, a card that changes is alone on the next sheet."""
    choose(page, "What", "The whole game")
    done(page, "Note it as printed")
    table = deck / "content/deck/cards.csv"
    assert (deck / "content/deck/printed.csv").is_file()
    table.write_text(table.read_text("utf-8").replace("pip,Pip,", "pip,Pipsqueak,"), "utf-8")
    choose(page, "What", "What has changed")
    done(page, "Make the print files")
    assert {*pieces(deck)} == {"cards/pip"}


def test_a_printer_is_calibrated(page: Page, deck: Path) -> None:
    """Its test page, its numbers by a form, and a build that is corrected by them."""
    done(page, "Make the test page")
    assert (deck / "output/calibration/a4.pdf").is_file()
    page.get_by_label("The printer, in your words").fill("kitchen inkjet")
    page.get_by_label("dx in mm").fill("-0.5")
    page.get_by_label("dy in mm").fill("1.25")
    done(page, "Keep these numbers")
    stored = tomllib.loads((deck / "config/printers.toml").read_text("utf-8"))
    assert stored == {"kitchen inkjet": {"dx": -0.5, "dy": 1.25, "angle": 0.0}}
    choose(page, "What", "The selected piece")
    choose(page, "Printer", "kitchen inkjet")
    done(page, "Make the print files")
    again = run("build", "deck", "--only", "cards:pip", "--paper", "a4", "--out", str(deck / "plain"), at=deck)
    plain = next((deck / "plain").rglob("print.pdf"))
    assert again.code == 0 and (deck / "output/deck/part/a4/print.pdf").read_bytes() != plain.read_bytes()


def test_any_target(page: Page, deck: Path) -> None:
    """It says what comes of it; what an export has made is there to be opened, with what to do with it."""
    choose(page, "Export for", "web")
    page.get_by_text("A page for the web: cover, rules, all pieces, files to print and to play.").wait_for()
    done(page, "Export")
    page.locator(".made .about", has_text="Open index.html, or put the whole folder on any host.").wait_for()
    assert any((deck / "output/deck/export/web").iterdir())
    page.locator(".made", has_text="export/web").get_by_role("button", name="Open").wait_for()


def test_more_files_than_buttons(page: Page, deck: Path) -> None:
    """The folder of them all has a button, and another one shows the rest."""
    game = deck / "content/deck/game.toml"
    game.write_text(game.read_text("utf-8").replace('["a4", "letter"]', '["a4", "letter", "a3"]'), "utf-8")
    choose(page, "What", "The whole game")
    choose(page, "Paper", "The game's papers")
    done(page, "Make the print files")
    files = sorted((deck / "output/deck").rglob("*.pdf"))
    rows = page.locator(".made").get_by_role("button", name="Show in folder")
    page.locator(".made", has_text="files in deck").wait_for()
    assert rows.count() == 8 < len([file for file in files if "part" not in file.parts])
    page.get_by_role("button", name="Open the folder").click()
    page.get_by_role("button", name="Show all").click()
    page.wait_for_function("() => document.querySelectorAll('.made .q-btn').length > 18")
    opened = deck / "bin/opened"
    assert Path(opened.read_text().splitlines()[-1]) == (deck / "output/deck").resolve()


def test_what_went_wrong_stands_first(page: Page, deck: Path) -> None:
    """The last line of a command, in large; all that it said is folded, and open where it could not be made."""
    choose(page, "What", "Some sheets")
    page.get_by_label("Which sheets").fill("99")
    page.get_by_role("button", name="Make the print files").click()
    page.locator(".outcome", has_text="Not made: ").wait_for()
    page.get_by_role("log").wait_for()
    choose(page, "What", "The selected piece")
    done(page, "Make the print files")
    assert not page.get_by_role("log").is_visible()
    page.get_by_text("All that the command says").click()
    assert page.get_by_role("log").inner_text().endswith("done")


def test_another_language(page: Page, deck: Path) -> None:
    """A game that speaks one is not asked for it; one that has been translated is printed in each."""
    language = page.get_by_role("combobox", name="Language", exact=True)
    assert not language.is_visible()
    assert run("translate", "deck", "de", at=deck).code == 0
    file = deck / "content/deck/languages/de.csv"
    head, *rows = csv.reader(file.read_text("utf-8").splitlines())
    source, target = head.index("source"), head.index("target")
    with file.open("w", encoding="utf-8", newline="") as written:
        csv.writer(written).writerows([head, *([*row[:target], row[source], *row[target + 1 :]] for row in rows)])
    language.wait_for()
    choose(page, "What", "The whole game")
    choose(page, "Paper", "A4")
    choose(page, "Language", "German")
    done(page, "Make the print files")
    assert (deck / "output/deck/de/a4/print.pdf").is_file()
    page.locator(".made", has_text="de/a4").wait_for()
    choose(page, "Export for", "web")
    choose(page, "Export in", "German")
    done(page, "Export")
    assert (deck / "output/deck/de/export/web/index.html").is_file()
