"""Sheets, books and maps in the studio, in a real browser; and how tiles are shuffled."""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pypdf
import pytest
from commands import run
from PIL import Image
from served import browser, deck, page, served, tab

from pnp.check.tile_search import pools
from pnp.flows.pipeline import Pipeline
from pnp.read.game import read_game
from pnp.read.project import Project
from pnp.shapes import hexes
from pnp.studio.live_preview import LivePreview, Previews, lying_by
from pnp.studio.messages import BookSeen, Boxes, PageSeen
from pnp.studio.sheets import page_of, svg_of
from pnp.values.findings import MapShown, Spot
from pnp.values.game import Component, Layout, spot_in
from pnp.values.outcome import NOWHERE, Options
from pnp.values.problems import Place, Problem, Problems

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["browser", "deck", "page", "served"]
ROOT = Path(__file__).resolve().parents[2]
SHEETS = ".pages figure"


def loaded(page: Page, image: str) -> None:
    """Until this picture is there."""
    page.wait_for_function(f"(i => i && i.complete && i.naturalWidth > 0)(document.querySelector('{image}'))")


def test_the_sheets_are_those_of_the_print_file(page: Page, deck: Path, tmp_path: Path) -> None:
    """As many pages, in their order, each as large and with as much ink as in the file that a build writes."""
    import pypdfium2

    assert run("build", "deck", "--paper", "a4", "--out", str(tmp_path), at=deck).code == 0
    file = next(tmp_path.rglob("print.pdf"))
    tab(page, "Sheets")
    page.locator(SHEETS).first.wait_for()
    assert page.locator(SHEETS).count() == len(pypdf.PdfReader(file).pages)
    loaded(page, f"{SHEETS}:nth-of-type(3) img")
    source = page.locator(f"{SHEETS}:nth-of-type(3) img").first.evaluate("image => image.currentSrc")
    shown = Image.open(io.BytesIO(page.request.get(source).body())).convert("L")
    printed = pypdfium2.PdfDocument(file)[2].render(scale=1).to_pil().convert("L").resize((50, 70))
    small = shown.resize((50, 70))
    assert max(abs(a - b) for a, b in zip(small.tobytes(), printed.tobytes(), strict=True)) < 60, "the same page"


def test_pictures_are_made_only_for_pages_in_view(page: Page) -> None:
    """Each page has its box from the start, and its picture only when it is near the window."""
    boxes = page.locator(f"{SHEETS} .sheet").evaluate_all("all => all.map(each => each.clientHeight)")
    assert min(boxes) > 100
    assert page.locator(f"{SHEETS} img").evaluate_all("all => all.every(each => each.loading == 'lazy')")


def test_a_sheet_is_held_to_the_light(page: Page) -> None:
    """The back shows through the front, turned over, as strongly as the slider says; by the keyboard as well."""
    assert not page.locator(f"{SHEETS} .through").first.is_visible()
    page.locator(".q-slider[aria-label^='How much'], [aria-label^='How much'] .q-slider").first.click()
    through = page.locator(f"{SHEETS}:nth-of-type(3) .through")
    through.wait_for()
    assert through.evaluate("image => getComputedStyle(image).transform").startswith("matrix(-1, 0, 0, 1"), "long edge"
    before = through.evaluate("image => Number(getComputedStyle(image).opacity)")
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "before => Number(getComputedStyle(document.querySelector('.through')).opacity) > before", arg=before
    )
    behind, back = (page.locator(f"{SHEETS}:nth-of-type({number}) img").last.get_attribute("src") for number in (3, 4))
    assert str(behind).partition("?")[0] == str(back).partition("?")[0]


def test_another_paper_and_fewer_sides(page: Page) -> None:
    """Printed on one side there are no backs."""
    both = page.locator(SHEETS).count()
    page.get_by_role("combobox", name="Backs").click()
    page.get_by_role("option", name="One side").click()
    page.wait_for_function(f"both => document.querySelectorAll('{SHEETS}').length < both", arg=both)
    page.get_by_role("combobox", name="Paper").click()
    page.get_by_role("option", name="letter", exact=True).click()
    page.get_by_role("status").filter(has_text="of letter").wait_for()


def test_books_lie_open(page: Page) -> None:
    """The cover alone, then two pages side by side."""
    tab(page, "Books")
    page.locator(".spread").first.wait_for()
    pages = page.locator(".spread").evaluate_all("all => all.map(each => each.querySelectorAll('figure').length)")
    assert pages[0] == 1 and set(pages[1:-1]) <= {2}
    loaded(page, ".spread img")


def test_books_of_one_title_are_called_by_their_subtitles() -> None:
    """In the list on the left three books of a game are three names; one alone has its title."""
    named = {}
    for name in ("pirates-on-the-prowl", "penguin"):
        game = read_game(Project(ROOT), name, Problems())
        assert game is not None
        named[name] = [game.book_title(manual) for manual in game.manuals]

    assert named["pirates-on-the-prowl"] == ["The captain's manual", "The construction manual", "Sailing orders"]
    assert named["penguin"][0] == "Penguin" and len(set(named["penguin"])) == len(named["penguin"])


def test_a_game_without_maps_says_so(page: Page) -> None:
    """Nobody waits for what never comes."""
    tab(page, "Map")
    page.get_by_role("status").filter(has_text="Layouts and boards are shown here, and this game has none").wait_for()


def test_pieces_of_two_components_are_two(tmp_path: Path) -> None:
    """Although they look the same: what is done to one is not done to the other."""
    home = tmp_path / "content/twins"
    home.mkdir(parents=True)
    part = '[component.%s]\nsize = "poker"\nback = "back"\n'
    (home / "game.toml").write_text(f'[game]\nname = "Twins"\nstyle = "plain"\n{part % "one"}{part % "two"}', "utf-8")
    for name in ("one", "two"):
        (home / f"{name}.csv").write_text("name,text\nFirst,Say it.\nOther,Do it.\n", "utf-8")
    looking = LivePreview(Project(tmp_path), "twins")
    assert looking.due and looking.begin() == () and (seen := looking.draw()) is not None
    assert [(face.component, face.side) for face in seen.faces.values()] == [
        (name, side) for name in ("one", "two") for side in ("front", "front", "back")
    ]
    assert looking.pictures([*seen.faces], 100, False).keys() == seen.faces.keys()


def test_a_changed_row_is_drawn_ahead_of_all_others(tmp_path: Path) -> None:
    """Its face and picture are those of the whole drawing; where more than a few cells change, nothing is drawn twice."""
    assert run("new", "deck", at=tmp_path).code == 0
    table, template = tmp_path / "content/deck/cards.csv", tmp_path / "content/deck/templates/card.svg.j2"
    looking, text = LivePreview(Project(tmp_path), "deck"), table.read_text("utf-8")
    assert looking.due and looking.begin() == () and (before := looking.draw()) is not None
    name = text.splitlines()[1].split(",")[1]

    table.write_text(text.replace(name, "Somebody else", 1), "utf-8")
    assert not looking.due and looking.due, "files are looked at twice"
    (face,) = looking.begin()
    ahead, asked = looking.pictures([face.key], 100, False), Boxes("cards", face.piece, "front")
    assert looking.reply(asked) is None, "boxes are those of a whole drawing"
    after = looking.draw()
    assert looking.reply(asked) is not None

    assert face.key not in before.faces and face.piece == text.splitlines()[1].partition(",")[0] and ahead[face.key]
    assert after == before.with_changed([face]) and looking.fresh == set(), "the page has it already"
    assert looking.pictures([face.key], 100, False) == ahead
    for path, other in (
        (table, text.replace(name, "Nobody", 1).rstrip("\n") + "\n" + f"new-{text.splitlines()[1]}" + "\n"),
        (template, f"{template.read_text('utf-8')}\n"),
        (tmp_path / "content/deck/game.toml", f"{(tmp_path / 'content/deck/game.toml').read_text('utf-8')}\n"),
    ):
        path.write_text(other, "utf-8")
        assert looking.begin() == (), path.name
        assert looking.draw() is not None


@pytest.fixture(scope="module")
def sea() -> tuple[Layout, Component]:
    """The layout of hex tiles of a shipped game."""
    game = read_game(Project(ROOT), "penguin-pirates", Problems())
    assert game is not None
    (layout,) = [each for each in game.layouts if each.slots]
    return layout, next(each for each in game.components if each.name == layout.component)


def test_a_shuffle_keeps_each_tile_in_its_pool(sea: tuple[Layout, Component]) -> None:
    """Every tile once, on a slot of its own pool; the same for the same seed, and another for another."""
    layout, component = sea
    for seed in range(20):
        lying = lying_by(layout, component, seed, turns=True)
        for pool in pools(layout, component):
            assert Counter(lying[slot].piece for slot in pool.slots) == Counter(pool.tiles)
        assert lying == lying_by(layout, component, seed, turns=True)
    assert len({str(lying_by(layout, component, seed, turns=False)) for seed in range(20)}) == 20


def test_a_turned_tile_stays_on_its_slot(sea: tuple[Layout, Component]) -> None:
    """Turned about its middle, a tile's hexes cover the hexes that its slot has."""
    layout, component = sea
    assert component.hexes is not None
    # Drawn away from 0, 0, so that a turn about that moves the tile.
    away = {name: tuple(replace(cell, q=cell.q + 2) for cell in cells) for name, cells in component.hexes.tiles.items()}
    component = replace(component, hexes=replace(component.hexes, tiles=away))
    shape = [(cell.q, cell.r) for cell in next(iter(away.values()))]
    ways = [turn for turn in range(6) if hexes.turn_onto_itself(shape, turn) is not None]
    assert len(ways) > 1, "there is something to turn"
    for slot in layout.slots:
        still = spot_in(slot, component)[0]
        for turn in ways:
            assert spot_in(slot, component, turn)[0] == pytest.approx(still)


def test_a_map_of_a_rule_marks_what_is_cut_off() -> None:
    """The cell that nobody reaches has a sign, not only a colour; the words say what is marked."""
    square = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))
    beside = tuple((x + 10, y) for x, y in square)
    shown = svg_of(MapShown("Sea", (Spot(square, "bad"), Spot(beside, "plain", "<b>")), "Marked: not reached."), 100)
    svg = ElementTree.fromstring(shown[shown.index("<svg") : shown.index("</svg>") + 6])
    cells = [(cell.get("class"), text.text) for cell, text in zip(svg[::2], svg[1::2], strict=True)]
    assert cells == [("plain", "<b>"), ("bad", "✗")]
    assert "Marked: not reached." in str(svg.get("aria-label"))


def test_a_finding_stands_below_its_page() -> None:
    """The page of the last heading before its line; a page that no heading begins goes on with what was before."""
    pages = tuple(PageSeen(f"{number}", "", 105, 148) for number in range(4))
    book = BookSeen("Rules", "book", "a4", "rulebook.md", pages, (1, 1, 10, 20), ())

    def at(line: int | None) -> int:
        return page_of(Problem("rule", Place("rulebook.md", line), "wrong"), book)

    assert [at(line) for line in (None, 1, 9, 10, 19, 20, 99)] == [0, 0, 0, 2, 2, 3, 3]


def test_folded_pieces_are_shown_step_by_step() -> None:
    """Each piece that is glued, with numbered steps and a sentence for each."""
    made = Pipeline(Project(ROOT), "penguin", Options(NOWHERE))
    steps = Previews(made, "").folds().steps
    assert made.drawn is not None
    nets = {deck.component.name: deck.pieces[0].front.net for deck in made.drawn.decks}
    glued = {name: net for name, net in nets.items() if net and net.glued}
    assert glued and {name for step in steps for name in step.of} >= set(glued)
    for name, net in glued.items():
        own = [step.said for step in steps if name in step.of]
        assert own == [(f"{number}", step.text) for number, step in enumerate(net.steps, 1)]


def first_face(page: Page) -> Image.Image:
    """The picture of the first piece on the wall, once it is there."""
    loaded(page, ".face img")
    source = page.locator(".face img").first.get_attribute("src")
    return Image.open(io.BytesIO(page.request.get(f"{page.url.partition('/game')[0]}{source}").body())).convert("RGB")


def choose(page: Page, name: str, option: str) -> None:
    before = page.locator(".face img").first.get_attribute("src")
    page.get_by_role("combobox", name=name, exact=True).click()
    page.get_by_role("option", name=option, exact=True).click()
    page.wait_for_function("before => document.querySelector('.face img').getAttribute('src') != before", arg=before)


def test_pieces_in_grey_and_to_other_eyes(page: Page) -> None:
    """In grey no dot has a colour; who lacks a cone sees red and green that are no longer far apart."""
    tab(page, "Pieces")
    printed = first_face(page)
    choose(page, "Ink", "In grey")
    red, green, blue = first_face(page).split()
    assert red.tobytes() == green.tobytes() == blue.tobytes()
    choose(page, "Ink", "In colour")
    assert first_face(page).tobytes() == printed.tobytes()
    choose(page, "Seen by", "People who see no green")
    seen = first_face(page)
    assert seen.size == printed.size and seen.tobytes() != printed.tobytes()
    page.locator(".face").first.dblclick()
    page.locator(".stage img[src*='eyes=deuteranopia']").wait_for()
    # A menu that has just closed takes the focus back; Escape is meant for the piece.
    page.get_by_role("combobox", name="Seen by", exact=True).focus()
    page.keyboard.press("Escape")
    choose(page, "Seen by", "Everybody")


def test_a_language_beside_the_own(page: Page, deck: Path) -> None:
    """As soon as the game has one: each face that differs stands twice, its own language first."""
    import csv

    faces = page.locator(".face").count()
    assert not page.get_by_role("combobox", name="Language beside it").is_visible()
    assert run("translate", "deck", "de", at=deck).code == 0
    file = deck / "content/deck/languages/de.csv"
    with file.open(encoding="utf-8", newline="") as read:
        rows = list(csv.DictReader(read))
    for row in rows:
        row["target"] = row["source"]
    changed = next(row for row in rows if row["location"].startswith("cards.csv") or "cards" in row["location"])
    changed["target"] = "Anders"
    with file.open("w", encoding="utf-8", newline="") as write:
        writer = csv.DictWriter(write, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    (deck / "content/deck/cards.csv").touch()
    page.get_by_role("combobox", name="Language beside it").wait_for()
    page.get_by_role("combobox", name="Language beside it").click()
    page.get_by_role("option", name="German", exact=True).click()
    page.locator(".face img[alt$='(de)']").first.wait_for()
    assert faces < page.locator(".face").count() <= 2 * faces
