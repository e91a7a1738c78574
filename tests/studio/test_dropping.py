"""A picture that is dropped on a card becomes its art; nothing of the person is lost, and nothing else is written."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image
from served import browser, deck, page, served, tab, wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["browser", "deck", "page", "served"]
DROP = """(card, all) => {
  const dropped = new DataTransfer();
  for (const [name, data] of all)
    dropped.items.add(new File([Uint8Array.from(atob(data), letter => letter.charCodeAt(0))], name));
  for (const kind of ["dragover", "drop"]) card.dispatchEvent(
    new DragEvent(kind, {dataTransfer: dropped, bubbles: true, cancelable: true}));
}"""


def png(colour: str) -> bytes:
    made = io.BytesIO()
    Image.new("RGB", (60, 60), colour).save(made, "PNG")
    return made.getvalue()


def drop(page: Page, piece: str, data: bytes, name: str = "a picture.png") -> None:
    at, files = f'.face[data-piece="{piece}"]', [[name, base64.b64encode(data).decode()]]
    page.locator(at).first.wait_for()
    # In one go: a face that is drawn anew meanwhile would take the drop with it.
    page.evaluate(f"([at, files]) => ({DROP})(document.querySelector(at), files)", [at, files])


def told(page: Page, text: str) -> None:
    page.locator(".q-notification", has_text=text).first.wait_for()


def art(deck: Path) -> dict[str, bytes]:
    folder = deck / "content/deck"
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def shows(page: Page, piece: str, colour: tuple[int, int, int], within: str = "") -> None:
    """Until there is a dot of this colour on the picture of a piece, or on the first one ``within`` a selector."""
    page.wait_for_function(
        """([found, colour]) => {
          const image = document.querySelector(found);
          image?.scrollIntoView();
          if (!image || !image.complete || !image.naturalWidth) return false;
          const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight).getContext("2d");
          canvas.drawImage(image, 0, 0);
          const at = canvas.getImageData(image.naturalWidth / 2, image.naturalHeight * 0.45, 1, 1).data;
          return colour.every((value, number) => Math.abs(value - at[number]) < 12);
        }""",
        arg=[within or f'.face[data-piece="{piece}"] img', colour],
    )


@pytest.fixture(autouse=True)
def pieces(page: Page) -> None:
    page.locator(".status", has_text="Drawing").wait_for(state="hidden")


def test_a_row_without_a_picture_gets_one(page: Page, deck: Path) -> None:
    """Under its id, whatever the file was called; the card shows it at once."""
    table = deck / "content/deck/cards.csv"
    table.write_text(table.read_text("utf-8") + "snow-owl,Snow Owl,5,ice,Hoo.,2\n", "utf-8")
    page.locator('.face[data-piece="snow-owl"]').first.wait_for()
    page.locator(".status", has_text="warning").wait_for()
    before = art(deck)
    drop(page, "snow-owl", png("#ff00ff"), "../../../<b>x</b>:\u202e 1.jpeg")
    told(page, "Its picture is art/snow-owl.png now.")
    shows(page, "snow-owl", (255, 0, 255))
    assert art(deck) == before | {"art/snow-owl.png": png("#ff00ff")}
    # It has too few dots, and is seen as large as the others all the same.
    page.locator('.face.found[data-piece="snow-owl"]').wait_for()
    assert len({*page.locator(".face img").evaluate_all("all => all.map(each => each.clientWidth)")}) == 1


def test_a_picture_that_is_there_is_asked_about(page: Page, deck: Path) -> None:
    """Left as it is, nothing changes; replaced, the old one is kept beside it."""
    before = art(deck)
    drop(page, "pip", png("#00ff00"))
    page.get_by_role("button", name="Leave it as it is").click()
    page.locator(".q-dialog").wait_for(state="hidden")
    assert art(deck) == before
    drop(page, "pip", png("#00ff00"))
    page.get_by_text("This card has a picture: art/pip.svg").wait_for()
    page.get_by_role("button", name="Take the new one").click()
    shows(page, "pip", (0, 255, 0))
    old = before.pop("art/pip.svg")
    assert art(deck) == before | {"art/pip.png": png("#00ff00"), "art/pip-before-1.svg": old}
    drop(page, "pip", png("#00ff00"))
    told(page, "this picture already")


def test_a_picture_is_taken_back_by_undo(page: Page, deck: Path) -> None:
    """The last thing that was done, whatever else was done before; the old picture has its name again."""
    table = deck / "content/deck/cards.csv"
    page.locator('.face[data-piece="magpie"]').first.click()
    page.locator("h2", has_text="Row 4 of cards.csv").wait_for()
    seen = page.locator('.face[data-piece="magpie"] img').first.get_attribute("src")
    field = page.get_by_role("region", name="Row").get_by_label("throws")
    field.fill("4")
    field.press("Enter")
    wait_for(page, "Saved: throws")
    page.wait_for_function(
        "seen => document.querySelector('.face[data-piece=magpie] img')?.getAttribute('src') != seen", arg=seen
    )
    before, cells = art(deck), table.read_bytes()
    drop(page, "magpie", png("#fe0000"))
    page.get_by_role("button", name="Take the new one").click()
    shows(page, "magpie", (254, 0, 0))
    page.locator(".foot").click()
    page.keyboard.press("Control+Z")
    wait_for(page, "Undone: the picture art/magpie.png")
    assert art(deck) == before and table.read_bytes() == cells
    page.keyboard.press("Control+Y")
    wait_for(page, "Done again: the picture art/magpie.png")
    shows(page, "magpie", (254, 0, 0))
    page.keyboard.press("Control+Z")
    wait_for(page, "Undone: the picture art/magpie.png")
    page.keyboard.press("Control+Z")
    wait_for(page, "Undone: throws")
    assert art(deck) == before | {"cards.csv": table.read_bytes()} and b"magpie,Magpie,3" in table.read_bytes()


def test_it_is_chosen_for_the_selected_card(page: Page, deck: Path) -> None:
    """By a button, for who cannot drag."""
    page.locator('.face[data-piece="ducker"]').first.click()
    with page.expect_file_chooser() as chosen:
        page.get_by_role("button", name="Choose its picture").click()
    chosen.value.set_files({"name": "d.svg", "mimeType": "image/svg+xml", "buffer": SQUARE})
    page.get_by_role("button", name="Take the new one").click()
    told(page, "Its picture is art/ducker.svg now. The old one is content/deck/art/ducker-before-1.svg")
    assert art(deck)["art/ducker.svg"] == SQUARE
    shows(page, "ducker", (0, 0, 255))


def drop_many(page: Page, pictures: dict[str, bytes]) -> None:
    """On the table, all at once."""
    said = [[name, base64.b64encode(data).decode()] for name, data in pictures.items()]
    page.locator(".view.table").evaluate(DROP, said)


def test_many_go_to_the_rows_of_their_names(page: Page, deck: Path) -> None:
    """By id, name, or the name of the drawing; what fits none, several, or one that has a picture is asked about."""
    table = deck / "content/deck/cards.csv"
    before = table.read_text("utf-8")
    rows = "gull-1,Sea Gull,5,ice,Caw.,1\ngull-2,Rock Gull,5,ice,Caw.,1\ngull-3,Rock Gull,5,ice,Caw.,1\n"
    table.write_text(before + rows, "utf-8")
    page.locator('.face[data-piece="gull-2"]').first.click()
    page.keyboard.press("Control+J")
    page.locator(".ag-row").first.wait_for()
    files = art(deck)
    green = png("#00fe00")
    drop_many(
        page,
        {"SEA gull.PNG": green, "rock_gull.png": green, "gull-3.jpg": green, "magpie.png": green, "gul-2.png": green}
        | {"nobody.png": green, "x.html": b"<script>"},
    )
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("nobody.png").wait_for()
    dialog.get_by_text("x.html").wait_for()
    page.wait_for_function("() => document.querySelectorAll('.lefts .name').length == 5")
    assert "There is art/magpie.svg" in dialog.inner_text() and "Several rows have this name" in dialog.inner_text()
    assert art(deck) == files | {"art/gull-1.png": green, "art/gull-3.png": green}
    values = dict(zip(dialog.locator(".name").all_inner_texts(), dialog.locator("input").all(), strict=True))
    assert values["gul-2.png"].input_value() == "gull-2" and values["nobody.png"].input_value() == "A new row"
    page.get_by_role("button", name="Put them there").click()
    dialog.wait_for(state="hidden")
    shows(page, "gull-2", (0, 254, 0))
    told(page, "x.html makes no row: ")
    wait_for(page, "Saved: 1 new row in cards.csv.")
    assert table.read_text("utf-8") == before + rows + "nobody,Nobody,5,ice,,\n"
    assert art(deck)["art/nobody.png"] == green
    page.get_by_role("button", name="Undo").click()
    wait_for(page, "Undone: 1 new row in cards.csv, 1 picture put into art/.")
    magpie = {"art/magpie-before-1.svg": files["art/magpie.svg"], "art/magpie.png": green}
    put = files | {f"art/gull-{number}.png": green for number in (1, 2, 3)} | magpie
    del put["art/magpie.svg"]
    assert art(deck) == put
    # One drop, answers and all, is one undo; what cannot be taken back as a whole is left as it is.
    (deck / "content/deck/art/gull-1.png").write_bytes(b"other")
    page.get_by_role("button", name="Undo").click()
    wait_for(page, "art/gull-1.png is not the picture any more")
    assert art(deck) == put | {"art/gull-1.png": b"other"}
    (deck / "content/deck/art/gull-1.png").write_bytes(green)
    page.get_by_role("button", name="Redo").click()
    page.get_by_role("button", name="Undo").click()
    wait_for(page, "Undone: 4 pictures put into art/.")
    assert art(deck) == files
    page.get_by_role("button", name="Redo").click()
    wait_for(page, "Done again: 4 pictures put into art/.")
    assert art(deck) == put
    page.keyboard.press("Control+J")
    table.write_text(before, "utf-8")


@pytest.mark.parametrize("place", ['.face[data-piece="pip"]', ".view:has(.wall)"])
def test_many_on_the_wall_go_there_too(page: Page, deck: Path, place: str) -> None:
    """Whether they fall on a card or beside one."""
    # The table is again as it was before.
    page.locator('.face[data-piece="gull-1"]').wait_for(state="hidden")
    page.locator(".status", has_text="Drawing").wait_for(state="hidden")
    before = art(deck)
    data = base64.b64encode(png("#00aa00")).decode()
    page.locator(place).first.evaluate(DROP, [[f"{name}.png", data] for name in ("magpie", "ducker")])
    page.wait_for_function("() => document.querySelectorAll('.lefts .name').length == 2")
    page.get_by_role("button", name="Leave them all out").click()
    page.get_by_role("dialog").wait_for(state="hidden")
    assert art(deck) == before


def test_where_a_picture_would_fall_lights_up(page: Page) -> None:
    """The card under one; with many the whole view, as each goes to its own. Nothing is lit once they are gone."""
    over = """(target, [kind, many]) => {
      const dragged = new DataTransfer();
      for (let each = 0; each <= many; each++) dragged.items.add(new File(["x"], `${each}.png`));
      target.dispatchEvent(new DragEvent(kind, {dataTransfer: dragged, bubbles: true, cancelable: true}));
      return [...document.querySelectorAll(".over")].map(each => each.className);
    }"""
    card = page.locator('.face[data-piece="pip"]').first
    (lit,) = card.evaluate(over, ["dragover", False])
    assert {"face", "over"} <= {*lit.split()}
    (lit,) = card.evaluate(over, ["dragover", True])
    assert {"view", "over"} <= {*lit.split()}
    assert page.locator(".view.over:has(.wall)").evaluate("each => getComputedStyle(each).outlineStyle") == "solid"
    assert card.evaluate(over, ["dragleave", True]) == []
    card.dblclick()
    stage = page.locator(".stage")
    stage.locator("img").wait_for()
    (lit,) = stage.evaluate(over, ["dragover", False])
    assert lit.split() == ["stage", "over"]
    assert stage.evaluate(over, ["dragleave", False]) == []
    tab(page, "Pieces")


SQUARE = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9" fill="#00f"/></svg>'
BOMB = b'<!DOCTYPE s [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg">&b;</svg>'
WIDE = png("#000").replace(b"\0\0\0\x3c\0\0\0\x3c", b"\0\xff\xff\xff\0\xff\xff\xff")


LINKED = SQUARE.replace(b"<rect", b'<image href="file:///etc/passwd" width="1" height="1"/><rect')
NO_PICTURES = {
    "empty.png": b"",
    "program.png": b"MZ\x90\0",
    "document.pdf": b"%PDF-1.7",
    "cut-off.png": png("#123456")[:60],
    "too-wide.png": WIDE,
    "bomb.svg": BOMB,
    "page.html": b"<html><script>alert(1)</script></html>",
    "broken.svg": b"<svg><script/>",
    "linked.svg": LINKED,
}


@pytest.mark.parametrize("name", NO_PICTURES)
def test_what_is_no_picture_is_not_written(page: Page, deck: Path, name: str) -> None:
    """It is said what it is; the game is as it was."""
    before = art(deck)
    drop(page, "slinger", NO_PICTURES[name], name)
    told(page, f"{name} cannot be the picture of this card")
    assert art(deck) == before


def test_a_link_is_refused(page: Page, deck: Path, tmp_path: Path) -> None:
    """Nothing is written through a link."""
    before = art(deck)
    folder, away = deck / "content/deck/art", tmp_path / "art"
    folder.rename(away)
    folder.symlink_to(away)
    drop(page, "magpie", png("#010101"))
    page.get_by_role("button", name="Take the new one").click()
    page.locator(".q-dialog").wait_for(state="hidden")
    told(page, "never writes through one")
    folder.unlink()
    away.rename(folder)
    assert art(deck) == before


def test_a_back_gets_a_picture_under_the_name_of_its_template(page: Page, deck: Path) -> None:
    """All cards of the deck have it."""
    before = art(deck)
    page.locator('.face:has(img[alt*="back"])').first.evaluate(DROP, [["b.png", base64.b64encode(png("#0a64c8")).decode()]])
    told(page, "Its picture is art/back.png now.")
    shows(page, "", (10, 100, 200), '.face img[alt*="back"]')
    back = page.locator('.face img[alt*="back"]').first.get_attribute("src")
    seen = Image.open(io.BytesIO(page.request.get(f"{page.url.partition('/game')[0]}{back}").body()))
    assert seen.convert("RGB").getcolors() == [(seen.width * seen.height, (10, 100, 200))]
    assert art(deck) == before | {"art/back.png": png("#0a64c8")}


@pytest.mark.at_length
def test_a_template_that_shows_no_picture_is_told(page: Page, deck: Path) -> None:
    """With what to add. On a busy machine the card is drawn anew between the drop and the answer: not in every run."""
    template = deck / "content/deck/templates/card.svg.j2"
    text = template.read_text("utf-8")
    was = page.locator('.face[data-piece="snow-owl"]').first.get_attribute("data-key")
    template.write_text(text.replace('picture("someone")', '"someone"'), "utf-8")
    page.wait_for_function("was => document.querySelector('.face[data-piece=snow-owl]').dataset.key != was", arg=was)
    drop(page, "snow-owl", png("#020202"))
    page.get_by_role("button", name="Take the new one").click()
    told(page, "the template of cards shows no picture")
    template.write_text(text, "utf-8")
    tab(page, "Pieces")
    shows(page, "snow-owl", (2, 2, 2))


def test_a_picture_follows_the_id_of_its_row(page: Page, deck: Path) -> None:
    """Called otherwise, the row keeps its picture; taken back, both have their old names."""
    page.locator('.face[data-piece="slinger"]').first.click()
    page.locator("h2", has_text="Row 5 of cards.csv").wait_for()
    before = art(deck)
    field = page.get_by_role("region", name="Row").get_by_label("id", exact=True)
    field.fill("catapult")
    field.press("Enter")
    wait_for(page, "cards.csv. Its picture is called art/catapult.svg now.")
    assert page.locator(".q-notification", has_text="catapult").count() == 0
    page.locator('.face[data-piece="catapult"]').first.wait_for()
    after = art(deck)
    assert after["art/catapult.svg"] == before["art/slinger.svg"] and "art/slinger.svg" not in after
    page.get_by_role("button", name="Undo").click()
    wait_for(page, "Undone: id in row 5 of cards.csv, the picture art/slinger.svg is called catapult.svg.")
    assert art(deck) == before
    page.locator('.face[data-piece="slinger"]').first.wait_for()
