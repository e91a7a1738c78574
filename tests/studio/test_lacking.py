"""What a game lacks is made by a button, in a real browser: a rulebook, a promise, a language, a column."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from commands import run
from served import browser, page, served, tab, wait_for

from pnp.flows.start import first_book

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["browser", "page", "served"]


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a game that is nothing but cards."""
    root = tmp_path_factory.mktemp("studio")
    assert run("new", "deck", at=root).code == 0
    for name in ("rulebook.md", "rules.toml"):
        (root / "content/deck" / name).unlink()
    return root


def test_a_rulebook_is_begun(page: Page, deck: Path) -> None:
    """It is set at once, its text stands in the editor, nothing is wrong; Undo takes the file away, Redo brings it back."""
    file = deck / "content/deck/rulebook.md"
    tab(page, "Books")
    page.get_by_role("button", name="Write a rulebook").click()
    wait_for(page, "Made content/deck/rulebook.md")
    page.locator(".spread img").first.wait_for()
    assert file.read_text("utf-8") == first_book("Snowball!")
    page.locator(".status", has_text="Nothing wrong").wait_for()
    page.get_by_role("button", name="Change its text").click()
    page.locator('[aria-label="Text of rulebook.md"]').wait_for(state="attached")
    page.locator(".cm-content", has_text="Set-up").wait_for()
    tab(page, "Books")
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Write a rulebook").wait_for()
    assert not file.exists()
    page.get_by_role("button", name="Redo").click()
    page.locator(".spread img").first.wait_for()
    assert file.read_text("utf-8") == first_book("Snowball!")


@pytest.mark.parametrize("title", ["Ludo", "*Two* {{ 1 + 1 }} [x](y) <b> {% a %} {# b #} \\ | _c_"])
def test_a_first_rulebook_is_in_order(tmp_path: Path, title: str) -> None:
    """Whatever the game is called, its title is read as it is written."""
    assert run("new", "deck", at=tmp_path).code == 0
    (tmp_path / "content/deck/rulebook.md").write_text(first_book(title), "utf-8")
    found = run("check", "deck", at=tmp_path)
    assert found.code == 0, found
