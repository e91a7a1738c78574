"""Every view and dialogue of the studio, looked at by axe-core in light and in dark: it finds nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from served import Served, browser, deck, page, served, tab, wait_for
from test_dropping import drop, drop_many, png

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

__all__ = ["browser", "deck", "page", "served"]
# The views of a game, and what has come when they are whole.
VIEWS = {
    "Pieces": ".face img",
    "One piece": ".box",
    "Sheets": ".pages .sheet",
    "Books": ".spread",
    "Map": ".empty:has-text('Layouts and boards')",
    "Play": ".acts button",
    "Table": ".ag-row",
    "Texts": ".cm-line",
    "Print": "button:has-text('Make the print files')",
}
# What moves or fades has come to its end, and for a while nothing has changed.
STILL = """dark => {
  const moves = document.getAnimations().filter(each => each.effect.getComputedTiming().endTime < Infinity);
  moves.forEach(each => each.finish());
  const stirs = moves.length || document.body.matches(".body--dark") !== dark
    || document.querySelector(".status")?.innerText.includes("Drawing");
  const seen = document.documentElement.outerHTML;
  if (stirs || seen !== window.seen) [window.seen, window.since] = [seen, performance.now()];
  return performance.now() - window.since > (dark ? 50 : 250);
}"""


def rest(page: Page, dark: bool) -> None:
    page.evaluate("window.seen = undefined")
    page.wait_for_function(STILL, arg=dark, polling=25)


def looked(page: Page, options: str) -> list[dict[str, Any]]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found: list[dict[str, Any]] = page.evaluate(
        f"axe.run({{resultTypes: ['violations'], {options}}}).then(of => of.violations)"
    )
    return found


def flaws(page: Page) -> list[str]:
    """What axe-core finds wrong in what is shown just now, once it has come to rest; in the dark only colours differ."""
    rest(page, dark=False)
    found = looked(page, "")
    page.emulate_media(color_scheme="dark")
    rest(page, dark=True)
    found += looked(page, "runOnly: ['color-contrast']")
    page.emulate_media(color_scheme="light")
    return [f"{each['id']}: {node['html'][:200]} {node['failureSummary']}" for each in found for node in each["nodes"]]


def test_the_views_of_a_game(page: Page, served: Served) -> None:
    """Each on the canvas, the table below, what is wrong, a card with its boxes, a table with its pieces."""
    found = {}
    for name, whole in VIEWS.items():
        tab(page, name)
        if name == "One piece":
            page.get_by_role("button", name="On the card").click()
        if name == "Play":
            page.get_by_role("button", name="Set up", exact=True).click()
            page.locator(".lump").first.focus()
        page.locator(whole).locator("visible=true").first.wait_for()
        found[name] = flaws(page)
    page.locator(".status").click()
    found["Findings"] = flaws(page)
    page.get_by_role("button", name="Add a language").click()
    page.get_by_role("combobox", name="Add a language").fill("Germ")
    page.get_by_role("option", name="German (de)").click()
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_label("Translation of game/name").wait_for()
    found["Languages"] = flaws(page)
    tab(page, "Pieces")
    page.keyboard.press("Control+J")
    page.locator(".ag-row").first.wait_for()
    found["Table below"] = flaws(page)
    page.keyboard.press("Control+J")
    assert not any(found.values()), "\n".join(f"{name}: {flaw}" for name, told in found.items() for flaw in told)


def test_the_dialogues(page: Page) -> None:
    """What is found by its letters, a component that is added or removed, fonts and colours, columns."""
    tab(page, "Pieces")
    page.keyboard.press("Control+K")
    page.get_by_role("option").first.wait_for()
    found = flaws(page)
    page.keyboard.press("Escape")
    page.locator(".palette").wait_for(state="hidden")
    page.keyboard.press("Control+J")
    for button in ("Add a component", "Remove its component", "Fonts and colours", "Columns"):
        page.get_by_role("button", name=button).click()
        page.locator(".adding").wait_for()
        found += flaws(page)
        page.get_by_role("button", name="Leave it").click()
        page.locator(".adding").wait_for(state="hidden")
    page.keyboard.press("Control+J")
    assert found == []


# The contrast of the words of an element with what they stand on.
CONTRAST = """words => {
  const shades = colour => colour.match(/[\\d.]+/g).slice(0, 3).map(each => each / 255);
  const light = colour => shades(colour).map(each => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4)
    .reduce((sum, each, at) => sum + each * [0.2126, 0.7152, 0.0722][at], 0);
  const two = [getComputedStyle(words).color, getComputedStyle(words.closest(".q-menu")).backgroundColor].map(light);
  return (Math.max(...two) + 0.05) / (Math.min(...two) + 0.05);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_lines_of_a_menu_can_be_read(page: Page, scheme: Any) -> None:
    """Also the one that is chosen; axe leaves out what lies below the sheen of the line under the pointer."""
    page.emulate_media(color_scheme=scheme)
    tab(page, "Pieces")
    page.get_by_role("combobox", name="Ink").click()
    lines = page.locator(".q-menu .q-item")
    lines.nth(2).wait_for()
    found = [line.evaluate(CONTRAST) for line in lines.all()]
    page.keyboard.press("Escape")
    lines.first.wait_for(state="hidden")
    page.emulate_media(color_scheme="light")
    assert len(found) == 3 and min(found) >= 4.5, found


def test_the_questions(page: Page, deck: Path) -> None:
    """A picture that has a place already, many that have none, and a file that another program has saved."""
    tab(page, "Pieces")
    drop(page, "pip", png("#00ff00"))
    page.get_by_text("This card has a picture").wait_for()
    found = flaws(page)
    page.get_by_role("button", name="Leave it as it is").click()
    page.locator(".q-dialog").wait_for(state="hidden")
    page.keyboard.press("Control+J")
    page.locator(".ag-row").first.wait_for()
    drop_many(page, {"nobody.png": png("#00ff00"), "pip.png": png("#00ff00")})
    page.locator(".lefts .name").nth(1).wait_for()
    found += flaws(page)
    page.get_by_role("button", name="Leave them all out").click()
    page.locator(".q-dialog").wait_for(state="hidden")
    page.keyboard.press("Control+J")
    tab(page, "Texts")
    page.get_by_role("combobox", name="File").click()
    page.get_by_role("option", name="rulebook.md").click()
    page.locator('[aria-label="Text of rulebook.md"]').wait_for(state="attached")
    page.locator(".cm-content").click()
    page.keyboard.type("Mine.")
    page.get_by_role("button", name="1 file not saved").wait_for()
    book = deck / "content/deck/rulebook.md"
    book.write_text(book.read_text("utf-8") + "Theirs.", "utf-8")
    wait_for(page, "changed elsewhere")
    page.keyboard.press("Control+S")
    page.get_by_role("dialog", name="Changed elsewhere").wait_for()
    found += flaws(page)
    page.get_by_role("button", name="Take the other").click()
    page.locator(".q-dialog").wait_for(state="hidden")
    assert found == []


def test_where_games_begin(page: Page, served: Served) -> None:
    """The page of all games, and a new one with whatever it begins with."""
    page.goto(served.base)
    page.locator(".game img").first.wait_for()
    found = flaws(page)
    page.goto(f"{served.base}/new")
    for kind in ("A sample", "A deck from a table", "Another tool's project", "A copy"):
        page.get_by_text(kind, exact=True).click()
        page.wait_for_function(
            "() => ![...document.querySelectorAll('.pick i.card:not(.empty, .under, .over)')].some(i => i.checkVisibility())"
        )
        found += flaws(page)
    page.goto(f"{served.base}/game/deck")
    page.locator(".face img").first.wait_for()
    assert found == []
