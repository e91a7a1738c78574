"""What a game lacks is made by a button, in a real browser: a rulebook, a promise, a language, a column, an art slot."""

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
from pnp.read.game import read_game
from pnp.read.project import Project
from pnp.studio.artslot import art_slot, lacks_art
from pnp.values.problems import Fault, Problems

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


def test_an_empty_view_says_what_to_do(page: Page) -> None:
    """In a sentence, with the button that does it."""
    empty = page.locator(".empty:visible")

    def says(sentence: str, button: str, shown: str) -> None:
        empty.filter(has_text=sentence).get_by_role("button", name=button).click()
        page.locator(shown).first.wait_for()

    tab(page, "Books")
    empty.filter(has_text="no book yet").get_by_role("button", name="Write a rulebook").wait_for()
    tab(page, "Map")
    says("this game has none", "Add a component", ".adding")
    page.get_by_role("button", name="Leave it").click()
    page.locator(".adding").wait_for(state="hidden")
    tab(page, "Play")
    says("Nothing lies on the table yet", "Set up for 4 players", ".lump")
    empty.wait_for(state="hidden")
    page.get_by_role("button", name="Undo").click()
    says("Nothing lies on the table yet", "Set up for 4 players", ".lump")
    tab(page, "Pieces")
    page.get_by_role("button", name="Add a language").click()
    page.get_by_role("button", name="Choose a language").click()
    page.get_by_role("option", name="Afrikaans").wait_for()
    page.keyboard.press("Escape")
    tab(page, "Print")
    page.get_by_text("Choose above what to print, and press Make the print files.").wait_for()
    page.locator(".status", has_text="Nothing wrong").click()
    says("Nothing wrong", "Check everything", ".outcome:has-text('Done')")
    page.get_by_text("Choose above what to print").wait_for(state="hidden")


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


def written(*lines: str) -> str:
    """A template whose face holds these."""
    head = ['{% extends "shared/face.svg.j2" %}', '{% import "shared/pieces.svg.j2" as s %}', "{% block face %}"]
    return "\n".join([*head, *lines, "{% endblock %}", ""])


NAME = '{{ s.text(row.name, 6, 6, face.width - 12, 12, name="name") }}'
TEXT = '{{ s.text(row.text, 6, 60, face.width - 12, 22, name="text") }}'
SLOT = """\
{# The picture in art/ that the column art names, or else that is called like the row's id. #}
{% if picture.own() %}
<image href="{{ picture.own() }}" x="4" y="19" width="55" height="40"/>
{% endif %}
"""


def test_an_art_slot_is_given(page: Page, deck: Path) -> None:
    """A place in the template and a column in the table, in one step; a picture that is dropped then is on the card."""
    template, table = deck / "content/deck/templates/card.svg.j2", deck / "content/deck/cards.csv"
    was, cells = template.read_text("utf-8"), table.read_text("utf-8")
    tab(page, "Pieces")
    page.locator('.face[data-piece="pip"]').first.click()
    details = page.get_by_role("complementary", name="What is selected")
    details.get_by_text("art/pip.svg").wait_for()
    slot = details.get_by_role("button", name="Give it an art slot")
    assert not slot.is_visible()
    template.write_text(written(NAME, TEXT), "utf-8")
    slot.click()
    wait_for(page, "Saved: an art slot in card.svg.j2.")
    page.locator(".q-notification", has_text="a place of 55 × 40 mm for a picture").wait_for()
    assert template.read_text("utf-8") == written(NAME, TEXT, SLOT.removesuffix("\n"))
    head, *rows = cells.splitlines()
    assert table.read_text("utf-8").splitlines() == [f"{head},art", *(f"{row}," for row in rows)]
    slot.wait_for(state="hidden")
    details.get_by_label("art", exact=True).wait_for()
    page.locator(".status", has_text="3 warnings").wait_for()  # of throws, sky and someone.svg, which nothing shows now
    page.get_by_role("button", name="On the card").click()
    page.locator(".box.picture").wait_for()
    tab(page, "Pieces")
    page.get_by_role("button", name="Undo").click()
    wait_for(page, "Undone: ")
    assert (template.read_text("utf-8"), table.read_text("utf-8")) == (written(NAME, TEXT), cells)
    template.write_text(written("{{ s.text(row.name, 4, 4, face.width - 8, face.height - 8) }}"), "utf-8")
    slot.click()
    page.locator(".q-notification", has_text="There is no room for a picture").wait_for()
    assert table.read_text("utf-8") == cells
    template.write_text(was, "utf-8")
    slot.wait_for(state="hidden")


@pytest.mark.parametrize(
    ("lines", "place"),
    [
        ((NAME, TEXT), (4, 19, 55, 40)),
        ((), (4, 4, 55, 80)),
        # A ground is not in the way; a panel, an icon and a turned text are.
        (('<rect width="63" height="88"/>', NAME, '<rect x="2" y="40" width="59" height="46"/>'), (4, 19, 55, 20)),
        (('<circle cx="24" cy="30" r="18"/>', TEXT), (43, 4, 16, 55)),
        (('<g transform="translate(0 88) rotate(-90)"><foreignObject width="88" height="30">x</foreignObject></g>',),
         (31, 4, 28, 80)),
        # So many flakes took minutes once.
        ((NAME, *(f'<circle cx="{4.5 + 4 * (at % 14) + 0.37 * (at // 14)}" cy="{61.5 + 2.3 * (at // 14)}" r="0.5"/>'
                  for at in range(140))), (4, 19, 55, 41)),
    ],
)  # fmt: skip
def test_an_art_slot_is_where_nothing_is(
    tmp_path: Path, lines: tuple[str, ...], place: tuple[float, float, float, float]
) -> None:
    """The largest rectangle between what is on the cards, 4 mm from their edges."""
    assert run("new", "deck", at=tmp_path).code == 0
    (tmp_path / "content/deck/templates/card.svg.j2").write_text(written(*lines), "utf-8")
    seen = given(tmp_path)
    found = re.search(
        r'x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/>\n{% endif %}\n{% endblock %}\n$', seen
    )
    assert found is not None, seen
    assert tuple(map(float, found.groups())) == place


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{{ s.icon(picture(), 5, 5, 20) }}", "shows pictures already"),
        ("{% if row.art %}<image href='{{ row.art }}' width='20' height='20'/>{% endif %}", "shows pictures already"),
        ("{{ s.text(row.name, 0, 0, 63, 88) }}", "There is no room for a picture"),
        ("", 'has no "{% block face %}" of its own'),
    ],
)
def test_why_there_is_no_art_slot(tmp_path: Path, template: str, said: str) -> None:
    assert run("new", "deck", at=tmp_path).code == 0
    file = tmp_path / "content/deck/templates/card.svg.j2"
    if not template:
        (file.parent / "base.svg.j2").write_text(written(NAME), "utf-8")
    file.write_text(written(template) if template else '{% extends "base.svg.j2" %}\n', "utf-8")
    with pytest.raises(Fault, match=re.escape(said)):
        given(tmp_path)


def given(root: Path) -> str:
    """The template of the cards with an art slot. Raises Fault."""
    game = read_game(Project(root), "deck", Problems())
    assert game is not None
    seen = art_slot(Project(root), game, "cards")
    if seen.fault:
        raise Fault(seen.fault)
    assert lacks_art(game, game.components[0])
    return seen.after
