"""Forms write into game.toml as a person would: its notes stay, and Undo takes all of it back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from served import browser, deck, page, served, tab, wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["browser", "deck", "page", "served"]


def files(deck: Path) -> dict[str, bytes]:
    return {f"{path.relative_to(deck)}": path.read_bytes() for path in deck.glob("content/**/*") if path.is_file()}


def test_a_component_is_removed(page: Page, deck: Path) -> None:
    """With those of its files that are ticked, none of another component; Undo brings all back, Redo takes it again."""
    before = files(deck)
    page.get_by_role("button", name="Add a component").click()
    page.locator(".adding .pick", has_text="Tokens").click()
    page.get_by_label("What is it called?").fill("Coins")
    page.get_by_role("button", name="Add it").click()
    coins = page.locator('.part[data-key="coins"]')
    page.locator('.part[data-key="coins"][aria-current]').wait_for()
    # Its back is that of the cards now, whose title is too wide for it.
    toml = deck / "content/deck/game.toml"
    toml.write_text(toml.read_text("utf-8").replace('"coins-back"', '"back"'), "utf-8")
    (deck / "content/deck/templates/coins-back.svg.j2").unlink()
    page.locator(".status", has_text="1 error").wait_for()
    added = files(deck)
    page.get_by_role("button", name="Remove its component").click()
    dialog = page.get_by_role("dialog", name="Remove Coins?")
    dialog.wait_for()
    assert dialog.get_by_role("checkbox").all_inner_texts() == ["coins.csv", "templates/coins.svg.j2"]
    dialog.get_by_role("checkbox", name="coins.csv").click()
    dialog.get_by_role("button", name="Remove it").click()
    wait_for(page, "Saved: Coins removed from game.toml.")
    coins.wait_for(state="hidden")
    page.locator('.part[data-key="cards"][aria-current]').wait_for()
    table = "content/deck/coins.csv"
    assert files(deck) == before | {table: added[table]}
    page.get_by_role("button", name="Undo").click()
    coins.wait_for()
    assert files(deck) == added
    page.get_by_role("button", name="Redo").click()
    coins.wait_for(state="hidden")
    assert files(deck) == before | {table: added[table]}
    # What was written into one of the files since then is taken back first.
    left = files(deck)
    tab(page, "Texts")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text("# Mine.\n")
    page.keyboard.press("Control+S")
    wait_for(page, "Saved.")
    tab(page, "Pieces")
    page.get_by_role("button", name="Undo").click()
    wait_for(page, "Undone: what was typed into game.toml.")
    assert files(deck) == left
    page.get_by_role("button", name="Undo").click()
    coins.wait_for()
    assert files(deck) == added
    # Another one of its name leaves nothing that cannot be brought back.
    coins.click()
    page.get_by_role("button", name="Remove its component").click()
    dialog.get_by_role("button", name="Remove it").click()
    coins.wait_for(state="hidden")
    assert files(deck) == before
    page.get_by_role("button", name="Add a component").click()
    page.locator(".adding .pick", has_text="Deck").click()
    page.get_by_label("What is it called?").fill("Coins")
    page.get_by_role("button", name="Add it").click()
    coins.wait_for()
    page.get_by_role("button", name="Undo").click()
    coins.wait_for(state="hidden")
    assert files(deck) == before
    page.get_by_role("button", name="Undo").click()
    coins.wait_for()
    assert files(deck) == added


def test_the_last_component_is_removed(page: Page, deck: Path) -> None:
    """All that is said of it goes along, and what to do next stands where the pieces were; Undo brings it back."""
    for cards in ("coins", "cards"):
        page.locator(f'.part[data-key="{cards}"]').click()
        page.locator(f'.part[data-key="{cards}"][aria-current]').wait_for()
        before = files(deck)
        page.get_by_role("button", name="Remove its component").click()
        page.get_by_role("button", name="Remove it", exact=True).click()
        wait_for(page, " removed from game.toml.")
        page.locator(f'.part[data-key="{cards}"]').wait_for(state="hidden")
    page.get_by_text("Nothing is in this game yet. Add a component to begin with").wait_for()
    page.locator(".status", has_text="error").wait_for()
    assert page.locator(".foot [role=status]").inner_text() == "Saved: Snowball cards removed from game.toml."
    assert b"cards" not in files(deck)["content/deck/game.toml"].partition(b"[game]")[2]
    page.get_by_role("button", name="Undo").click()
    page.locator('.part[data-key="cards"]').wait_for()
    assert files(deck) == before


def test_fonts_and_colours_are_chosen(page: Page, deck: Path) -> None:
    """Only what is changed is written, a new colour at the end of its section; the cards follow."""
    toml = deck / "content/deck/game.toml"
    before = toml.read_text("utf-8")
    card = page.locator('.face[data-piece="pip"] img').first
    was = card.get_attribute("src")
    page.get_by_role("button", name="Fonts and colours").click()
    form = page.get_by_role("dialog", name="Fonts and colours")
    form.get_by_label("ink", exact=True).fill("#401030")
    form.get_by_label("Another colour").fill("sea-dark")
    form.get_by_label("Its colour").fill("#003344")
    form.get_by_role("combobox", name="Font: title").fill("Serif")
    page.get_by_role("option", name="Source Serif Pro").click()
    form.get_by_role("button", name="Save").click()
    wait_for(page, "Saved: fonts and colours in game.toml.")
    new = before.replace('ink = "#14304d"', 'ink = "#401030"').replace('"Fredoka One"', '"Source Serif Pro"')
    assert toml.read_text("utf-8") == new.replace('"#f7705a"\n', '"#f7705a"\nsea-dark = "#003344"\n')
    page.wait_for_function("was => document.querySelector('.face[data-piece=pip] img').getAttribute('src') !== was", arg=was)
    page.get_by_role("button", name="Undo").click()
    wait_for(page, "Undone: fonts and colours in game.toml.")
    assert toml.read_text("utf-8") == before


def test_a_promise_is_changed(page: Page, deck: Path) -> None:
    """In its file alone, whose notes stay; what the tables do not keep is told above; Undo brings the number back."""
    toml, rules = deck / "content/deck/game.toml", deck / "content/deck/rules.toml"
    before, said = toml.read_text("utf-8"), rules.read_text("utf-8")
    page.locator(".status", has_text="Nothing wrong").click()
    field = page.get_by_role("spinbutton", name="Snowball cards: pieces in all")
    field.fill("12")
    field.press("Enter")
    wait_for(page, "Saved: 12 pieces in all promised of Snowball cards in game.toml.")
    page.locator(".finding", has_text="10 copies in the table, 12 promised").wait_for()
    assert toml.read_text("utf-8") == before.replace("copies = 10\n", "copies = 12\n")
    page.get_by_role("button", name="Undo").click()
    page.locator(".status", has_text="Nothing wrong").wait_for()
    assert toml.read_text("utf-8") == before
    page.get_by_role("spinbutton", name="Number of the claim: Both players").fill("3")
    page.keyboard.press("Enter")
    page.locator(".finding", has_text="Both players have the same cards").first.wait_for()
    assert [new for new, old in zip(rules.read_text("utf-8").split(), said.split(), strict=True) if new != old] == ["3'"]
    page.get_by_role("button", name="Undo").click()
    page.locator(".status", has_text="Nothing wrong").wait_for()
    assert rules.read_text("utf-8") == said


def test_a_promise_is_added_and_removed(page: Page, deck: Path) -> None:
    """Of pieces that there are, or by writing a number; without any the section is gone with its note."""
    toml = deck / "content/deck/game.toml"
    before = toml.read_text("utf-8")
    page.locator(".status", has_text="Nothing wrong").click()
    page.get_by_role("button", name="Promise nothing of Snowball cards").click()
    wait_for(page, "Saved: nothing promised of Snowball cards in game.toml.")
    without = before.partition("\n# What is promised")[0]
    assert toml.read_text("utf-8") == without
    page.get_by_role("button", name="Promise 10 pieces of Snowball cards").click()
    wait_for(page, "Saved: 10 pieces of Snowball cards promised in game.toml.")
    assert toml.read_text("utf-8") == f"{without}\n[expect.cards]\ncopies = 10\n"
    field = page.get_by_role("spinbutton", name="Snowball cards: different ones")
    for number, said, section in (
        ("5", "5 different ones", "copies = 10\ndifferent = 5\n"),
        ("", "ones not", "copies = 10\n"),
    ):
        field.fill(number)
        field.press("Enter")
        wait_for(page, f"{said} promised of Snowball cards in game.toml.")
        assert toml.read_text("utf-8") == f"{without}\n[expect.cards]\n{section}"
    for _ in range(4):
        page.get_by_role("button", name="Undo").click()
    wait_for(page, "Undone: nothing promised of Snowball cards in game.toml.")
    assert toml.read_text("utf-8") == before
    tab(page, "Pieces")


def test_a_round_piece_is_round(page: Page, deck: Path) -> None:
    """On the wall, in the list, on the right and from near; what is printed beyond the cut is seen with the bleed alone."""
    page.get_by_role("button", name="Add a component").click()
    page.locator(".adding .pick", has_text="Tokens").click()
    page.get_by_label("What is it called?").fill("Moons")
    page.get_by_role("button", name="Add it").click()
    page.locator('.part[data-key="moons"][aria-current]').wait_for()
    shape = "found => document.querySelector(found)?.style.clipPath.split(',').length > 30"
    for found in ('.face[data-piece="red"] img', '.part[data-key="moons"] img', ".about img"):
        page.wait_for_function(shape, arg=found)
    assert page.locator('.face[data-piece="pip"] img').first.evaluate("each => each.style.clipPath") == ""
    page.locator('.face[data-piece="red"]').first.dblclick()
    page.wait_for_function(shape, arg=".stage img")
    page.get_by_role("switch", name="Bleed").click()
    page.wait_for_function("document.querySelector('.stage img').style.clipPath === ''")
    page.get_by_role("switch", name="Bleed").click()
    tab(page, "Pieces")
    page.get_by_role("button", name="Undo").click()
    page.locator('.part[data-key="moons"]').wait_for(state="hidden")


def test_the_back_of_all_cards_is_that_of_no_row(page: Page) -> None:
    """What is typed beside it would be on one card: only its picture and boxes are there."""
    details = page.get_by_role("complementary", name="What is selected")
    page.locator('.face[data-piece="pip"]').first.click()
    details.get_by_label("name").wait_for()
    page.locator('.face img[alt$="(back)"]').first.click()
    details.get_by_text("cards, back").wait_for()
    details.get_by_label("name").wait_for(state="hidden")
    assert not details.get_by_role("region", name="Row").is_visible()
