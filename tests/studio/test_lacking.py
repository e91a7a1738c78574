"""What a game lacks is made by a button, in a real browser: a rulebook, a promise, a language, a column."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from commands import run
from served import browser, page, served, tab, wait_for

from pnp.flows.start import first_book, first_promises
from pnp.read.csvfile import CsvText
from pnp.read.project import Project
from pnp.values.problems import Fault

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
    toml = root / "content/deck/game.toml"
    toml.write_text(toml.read_text("utf-8").replace("[expect.cards]\ncopies = 10\n", ""), "utf-8")
    return root


def test_a_rulebook_is_begun(page: Page, deck: Path) -> None:
    """It is set at once, its text stands in the editor, nothing is wrong; Undo takes the file away, Redo brings it back."""
    file = deck / "content/deck/rulebook.md"
    tab(page, "Books")
    page.get_by_role("button", name="Write a rulebook").click()
    wait_for(page, "Made content/deck/rulebook.md")
    page.locator(".spread img").first.wait_for()
    assert file.read_text("utf-8") == first_book()
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
    assert file.read_text("utf-8") == first_book()


@pytest.mark.parametrize("options", [(), ("--blank",)])
@pytest.mark.parametrize("title", ["Ludo", "Two {{ 1 + 1 }} {# b #} \\\\ | c"])
def test_a_first_rulebook_is_in_order(tmp_path: Path, options: tuple[str, ...], title: str) -> None:
    """Whatever the game is called then, its title stands there as it is written."""
    assert run("new", "deck", *options, at=tmp_path).code == 0
    toml, book = tmp_path / "content/deck/game.toml", tmp_path / "content/deck/rulebook.md"
    toml.write_text(re.sub(r'name = ".*"', lambda _: f'name = "{title}"', toml.read_text("utf-8"), count=1), "utf-8")
    if options:
        book.write_text(first_book(), "utf-8")
    found = run("export", "web", "deck", at=tmp_path)
    assert found.code == 0, found
    (page,) = (tmp_path / "output/deck/export/web").glob("*rulebook*.html")
    assert f">{escape(title).replace(chr(92) * 2, chr(92))}</h1>" in page.read_text("utf-8").partition("<main>")[2]


def test_rules_are_begun(page: Page, deck: Path) -> None:
    """How many cards there are now, in a file that opens; when a card goes, that is told."""
    rules, table = deck / "content/deck/rules.toml", deck / "content/deck/cards.csv"
    page.locator(".status", has_text="Nothing wrong").click()
    page.get_by_role("button", name="Begin rules.toml").click()
    wait_for(page, "Made content/deck/rules.toml")
    page.locator(".cm-content", has_text="[claim.cards]").wait_for()
    assert """'count("cards") == 10'""" in rules.read_text("utf-8")
    page.locator(".status", has_text="Nothing wrong").click()
    page.get_by_role("button", name="Begin rules.toml").wait_for(state="hidden")
    before = table.read_text("utf-8")
    table.write_text("".join(before.splitlines(keepends=True)[:-1]), "utf-8")
    page.locator(".finding", has_text="Snowball cards: 10 pieces").wait_for()
    table.write_text(before, "utf-8")
    page.locator(".status", has_text="Nothing wrong").wait_for()
    tab(page, "Pieces")
    page.get_by_role("button", name="Undo").click()
    page.locator('.part[data-key$="rules.toml"]').wait_for(state="hidden")
    assert not rules.exists()


@pytest.mark.parametrize("source", ["penguins-night-out", "passing-puzzle"])
def test_first_promises_hold(tmp_path: Path, source: str) -> None:
    """For dominoes, dice, boards and boxes as well, and without the # those about each row."""
    assert run("new", "deck", "--from", source, at=tmp_path).code == 0
    rules = tmp_path / "content/deck/rules.toml"
    (rules.parent / "rulebook.md").unlink()
    toml = rules.parent / "game.toml"
    toml.write_text(re.sub(r"(?m)^\[book\..*\n(?:[^\[].*\n|\n)*", "", toml.read_text("utf-8")), "utf-8")
    text = first_promises(Project(tmp_path), "deck")
    head, _, example = text.partition("taken away:\n#\n")
    assert example and "[words" not in head
    rules.write_text(head + "taken away:\n" + example.replace("# ", ""), "utf-8")
    found = run("check", "deck", at=tmp_path)
    assert found.code == 0 and "rules.toml:" not in found.err.replace("rules.toml: [", ""), found


def test_a_number_in_the_book_is_promised(tmp_path: Path) -> None:
    """What it says of the pieces is compared with their table."""
    assert run("new", "deck", at=tmp_path).code == 0
    folder = tmp_path / "content/deck"
    book, rules = folder / "rulebook.md", folder / "rules.toml"
    rules.unlink()
    said = book.read_text("utf-8")
    for number, code in (("12", 1), ("10", 0)):
        book.write_text(f"{said}\nIn the box are {number} cards.\n", "utf-8")
        rules.write_text(first_promises(Project(tmp_path), "deck"), "utf-8")
        found = run("check", "deck", at=tmp_path)
        assert found.code == code and ('"12 cards", but the tables have 10' in found.err) == bool(code), found


def test_a_language_is_added(page: Page, deck: Path) -> None:
    """As pnp translate makes it; each text is written beside the game's own, kept; Undo takes back that, and all."""
    page.get_by_role("button", name="Add a language").click()
    page.get_by_role("button", name="Add", exact=True).click()
    wait_for(page, "Choose a language first.")
    page.get_by_role("combobox", name="Add a language").fill("Germ")
    page.get_by_role("option", name="German (de)").click()
    page.get_by_role("button", name="Add", exact=True).click()
    wait_for(page, "Wrote content/deck/languages/de.csv")
    file = deck / "content/deck/languages/de.csv"
    before = file.read_text("utf-8")
    text = page.get_by_label("Translation of cards/pip/text")
    assert "nobody can hit someone so small" in page.get_by_role("row").filter(has=text).inner_text()
    text.fill('Er ist "klein".')
    page.get_by_label("Translation of cards/pip/name").focus()
    wait_for(page, "Saved: cards/pip/text in de.csv")
    after = file.read_text("utf-8")
    assert after.replace('"Er ist ""klein""."', '""') == before
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function("() => !document.querySelector('[aria-label=\"Translation of cards/pip/text\"]').value")
    assert file.read_text("utf-8") == before
    page.get_by_role("navigation", name="What is in the game").get_by_role("button", name="German", exact=True).wait_for()
    # However much is missing, it is said once, and leads to the first of it.
    page.locator(".status", has_text="1 warning").click()
    page.locator(".finding", has_text="no translation yet of").click()
    page.get_by_label("Translation of game/name").and_(page.locator(":focus")).wait_for()
    cards = deck / "content/deck/cards.csv"
    own = cards.read_text("utf-8")
    cards.write_text(own.replace("pip,Pip,", "pip,Pipsqueak,"), "utf-8")
    page.get_by_role("button", name="Bring up to date").click()
    page.get_by_role("cell", name="Pipsqueak").wait_for()
    wait_for(page, "Wrote content/deck/languages/de.csv")
    page.get_by_role("button", name="Undo").click()
    wait_for(page, "Undone: de.csv, brought up to date.")
    assert file.read_text("utf-8") == before
    page.get_by_role("button", name="Undo").click()
    wait_for(page, "This game speaks one language.")
    assert not file.exists()
    cards.write_text(own, "utf-8")


def test_a_column_is_added(page: Page, deck: Path) -> None:
    """The last one, empty, in table and fields at once; without a name, or with that of another, it is refused."""
    table = deck / "content/deck/cards.csv"
    before = table.read_text("utf-8")
    tab(page, "Table")
    page.locator('.ag-row[row-id="2"]').wait_for()
    page.get_by_role("button", name="Columns").click()
    for name, said in (
        ("", "Give the column a name first"),
        (" - ", "Give the column"),
        ("THROWS", "a column throws already"),
    ):
        page.get_by_label("What is it called?").fill(name)
        page.get_by_role("button", name="Add it").click()
        page.get_by_role("alert").filter(has_text=said).wait_for()
    page.get_by_label("What is it called?").fill(' Rare,  "or" not ')
    page.keyboard.press("Enter")
    wait_for(page, "Saved: the column Rare")
    head, *rows = before.splitlines()
    assert table.read_text("utf-8").splitlines() == [f'{head},"Rare, ""or"" not"', *(f"{row}," for row in rows)]
    page.locator(".ag-header-cell-text", has_text='Rare, "or" not').wait_for()
    field = page.get_by_role("complementary", name="What is selected").get_by_label('Rare, "or" not')
    field.fill("yes")
    page.keyboard.press("Enter")
    wait_for(page, "Saved: Rare")
    assert table.read_text("utf-8").splitlines()[1] == f"{rows[0]},yes"
    page.get_by_role("button", name="Columns").click()
    page.get_by_role("combobox", name="Or a column that goes").click()
    page.get_by_role("option", name="Rare").click()
    page.get_by_role("button", name="Take it away").click()
    wait_for(page, "Saved: cards.csv without the column Rare")
    field.wait_for(state="hidden")
    assert table.read_text("utf-8") == before
    page.get_by_role("button", name="Undo").click()
    field.wait_for()
    assert table.read_text("utf-8").splitlines()[1] == f"{rows[0]},yes"
    for _ in range(2):
        page.get_by_role("button", name="Undo").click()
    field.wait_for(state="hidden")
    assert table.read_text("utf-8") == before


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("name\nx\n", "name,new\nx,\n"),
        ("a;b\r\n1;2\r\n\r\n3\r\n4;5;6", "a;b;new\r\n1;2;\r\n\r\n3;;\r\n4;5;6"),
        ('a,b\n"1\n",""\n', 'a,b,new\n"1\n","",\n'),
    ],
)
def test_a_column_stands_behind_the_last(text: str, wanted: str) -> None:
    """In rows that are short as well; line ends, blank lines and quotation marks stay."""
    assert CsvText.of(text.encode()).with_column("new").text == wanted


@pytest.mark.parametrize(
    ("text", "column", "wanted"),
    [
        ('a,"b ""c""",d\r\n1,2,3\r\n', 1, "a,d\r\n1,3\r\n"),
        ("a;b\n1;2\n\n3\n", 0, 'b\n2\n\n""\n'),
        ("a,b\n1\n", 1, "a\n1\n"),
    ],
)
def test_a_column_is_taken_away(text: str, column: int, wanted: str) -> None:
    """With its mark; rows stay rows."""
    made = CsvText.of(text.encode()).without_column(column)
    assert made.text == wanted
    with pytest.raises(Fault, match="one column at least"):
        CsvText.of(b"a\n1\n").without_column(0)
