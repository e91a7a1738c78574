"""Every view and dialogue of the studio, looked at by axe-core in light and in dark: it finds nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from served import Served, browser, deck, page, served, tab

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["browser", "deck", "page", "served"]
VIEWS = ("Pieces", "One piece", "Sheets", "Books", "Map", "Table", "Texts", "Print")


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
    """Each on the canvas, the table below, what is wrong, a card with its boxes."""
    found = {}
    for name in VIEWS:
        tab(seen, name)
        if name == "One piece":
            seen.get_by_role("button", name="On the card").click()
            seen.locator(".box").first.wait_for()
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
