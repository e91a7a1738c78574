"""Every view and dialogue of the studio, looked at by axe-core in light and in dark: it finds nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from served import Served, browser, deck, page, served, tab, wait_for
from test_dropping import drop, drop_many, png

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

__all__ = ["browser", "deck", "page", "served"]
VIEWS = ("Pieces", "One piece", "Sheets", "Books", "Map", "Play", "Table", "Texts", "Print")


def flaws(page: Page) -> list[str]:
    """What axe-core finds wrong in what is shown just now, once it has come to rest."""
    page.wait_for_timeout(700)
    found = Axe().run(page).response["violations"]
    return [f"{each['id']}: {node['html'][:200]} {node['failureSummary']}" for each in found for node in each["nodes"]]


@pytest.fixture(params=["light", "dark"])
def seen(request: pytest.FixtureRequest, page: Page) -> Page:
    page.emulate_media(color_scheme=request.param)
    return page


def test_the_views_of_a_game(seen: Page, served: Served) -> None:
    """Each on the canvas, the table below, what is wrong, a card with its boxes, a table with its pieces."""
    found = {}
    for name in VIEWS:
        tab(seen, name)
        if name == "One piece":
            seen.get_by_role("button", name="On the card").click()
            seen.locator(".box").first.wait_for()
        if name == "Play":
            seen.get_by_role("button", name="Set up").click()
            seen.locator(".lump").first.focus()
            seen.locator(".acts button").first.wait_for()
        found[name] = flaws(seen)
    seen.locator(".status").click()
    found["Findings"] = flaws(seen)
    tab(seen, "Pieces")
    seen.keyboard.press("Control+J")
    seen.locator(".ag-row").first.wait_for()
    found["Table below"] = flaws(seen)
    seen.keyboard.press("Control+J")
    assert not any(found.values()), "\n".join(f"{name}: {flaw}" for name, told in found.items() for flaw in told)


def test_the_dialogues(seen: Page) -> None:
    """What is found by its letters, and a component that is added."""
    tab(seen, "Pieces")
    seen.keyboard.press("Control+K")
    seen.get_by_role("option").first.wait_for()
    found = flaws(seen)
    seen.keyboard.press("Escape")
    seen.locator(".palette").wait_for(state="hidden")
    seen.get_by_role("button", name="Add a component").click()
    seen.locator(".adding").wait_for()
    found += flaws(seen)
    seen.get_by_role("button", name="Leave it").click()
    seen.locator(".adding").wait_for(state="hidden")
    assert found == []


def test_the_questions(seen: Page, deck: Path) -> None:
    """A picture that has a place already, many that have none, and a file that another program has saved."""
    tab(seen, "Pieces")
    drop(seen, "pip", png("#00ff00"))
    seen.get_by_text("This card has a picture").wait_for()
    found = flaws(seen)
    seen.get_by_role("button", name="Leave it as it is").click()
    seen.locator(".q-dialog").wait_for(state="hidden")
    seen.keyboard.press("Control+J")
    seen.locator(".ag-row").first.wait_for()
    drop_many(seen, {"nobody.png": png("#00ff00"), "pip.png": png("#00ff00")})
    seen.locator(".lefts .name").nth(1).wait_for()
    found += flaws(seen)
    seen.get_by_role("button", name="Leave them all out").click()
    seen.locator(".q-dialog").wait_for(state="hidden")
    seen.keyboard.press("Control+J")
    tab(seen, "Texts")
    seen.get_by_role("combobox", name="File").click()
    seen.get_by_role("option", name="rulebook.md").click()
    seen.locator('[aria-label="Text of rulebook.md"]').wait_for(state="attached")
    seen.locator(".cm-content").click()
    seen.keyboard.type("Mine.")
    book = deck / "content/deck/rulebook.md"
    book.write_text(book.read_text("utf-8") + "Theirs.", "utf-8")
    wait_for(seen, "changed elsewhere")
    seen.keyboard.press("Control+S")
    seen.get_by_role("dialog", name="Changed elsewhere").wait_for()
    found += flaws(seen)
    seen.get_by_role("button", name="Take the other").click()
    seen.locator(".q-dialog").wait_for(state="hidden")
    assert found == []


def test_where_games_begin(seen: Page, served: Served) -> None:
    """The page of all games, and a new one with whatever it begins with."""
    seen.goto(served.base)
    seen.locator(".game img").first.wait_for()
    found = flaws(seen)
    seen.goto(f"{served.base}/new")
    for kind in ("A sample", "A deck from a table", "Another tool's project", "A copy"):
        seen.get_by_text(kind, exact=True).click()
        found += flaws(seen)
    seen.goto(f"{served.base}/game/deck")
    seen.locator(".face img").first.wait_for()
    assert found == []
