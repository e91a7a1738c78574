"""Art and text boxes moved on the card, in a real browser: into the row's cells, and the numbers of the template."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from served import browser, deck, page, served, tab, wait_for

from pnp.read.project import Project
from pnp.studio.boxes import calls, panel, rewritten, shifted
from pnp.studio.live_preview import LivePreview
from pnp.studio.messages import Boxes

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

__all__ = ["browser", "deck", "page", "served"]
TEMPLATE, TABLE = "content/deck/templates/card.svg.j2", "content/deck/cards.csv"
THROWS = "row.throws, 4, 4, 12, 12"
# All is answered, drawn and checked, and nothing has changed for a while: longer than it takes until a saved file is seen.
STILL = """() => {
  const all = [...document.querySelectorAll(".box, .places *")], image = document.querySelector(".stage img");
  const stirs = all.some(each => each.busy || each.held || each.timer) || Object.values(waits).some(Boolean)
    || !image?.complete || document.querySelector(".status").innerText.includes("Drawing");
  const seen = [image?.src, ...[".boxes", ".places"].map(each => document.querySelector(each)?.outerHTML)].join();
  if (stirs || seen !== window.seen) [window.seen, window.since] = [seen, performance.now()];
  return performance.now() - window.since > 300;
}"""
NAME = '{{ s.text(row.name, 18, 4, w - 23, 12, size="20 11"'


@pytest.fixture(autouse=True)
def as_before(request: pytest.FixtureRequest, deck: Path) -> Iterator[None]:
    """The boxes of the first card are shown where a test has the page; afterwards the files are as they were."""
    if "page" not in request.fixturenames:
        yield
        return
    page = request.getfixturevalue("page")
    before = {file: (deck / file).read_bytes() for file in (TEMPLATE, TABLE)}
    page.locator('.part[data-key="cards"]').click()
    page.get_by_role("button", name="On the card").click()
    box(page, "Picture").wait_for()
    page.keyboard.press("0")
    yield
    for file, data in before.items():
        (deck / file).write_bytes(data)
    page.reload()
    page.locator(".face img").first.wait_for()


def box(page: Page, name: str) -> Locator:
    return page.locator(f'.box[aria-label^="{name}:"]')


def drag(page: Page, what: Locator, right: float, down: float) -> None:
    """By so many mm, until the card is drawn anew."""
    rest(page)
    at, scale, key = what.bounding_box(), float(page.locator(".boxes").get_attribute("data-scale") or 0), _picture(page)
    assert at is not None
    x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right * scale, y + down * scale, steps=4)
    page.mouse.up()
    page.wait_for_function("key => document.querySelector('.stage img')?.getAttribute('src') != key", arg=key)


def _picture(page: Page) -> str | None:
    return page.locator(".stage img").get_attribute("src")


def rest(page: Page) -> None:
    """Waits until the card is no longer drawn anew: until then its boxes and fields are put there again."""
    page.evaluate("window.seen = undefined")
    page.wait_for_function(STILL)


def until(page: Page, come: Callable[[], bool]) -> None:
    """Waits for what a file says: fields show a value before it is saved."""
    for _ in range(1600):
        if come():
            return
        page.wait_for_timeout(25)
    pytest.fail("waited in vain")


def cells(deck: Path) -> list[str]:
    """What the table says of the first card's picture."""
    head, row = (line.split(",") for line in (deck / TABLE).read_text("utf-8").splitlines()[:2])
    return [dict(zip(head[::-1], row[::-1], strict=False)).get(name, "no column") for name in ("art_x", "art_y", "art_zoom")]


def test_the_picture_is_moved_and_zoomed(page: Page, deck: Path) -> None:
    """By dragging, keys, a corner, the wheel and fields: into the row's cells, one step each; all of it can be undone."""
    before, key = (deck / TABLE).read_bytes(), page.locator(".stage img").get_attribute("src")
    art = box(page, "Picture")
    drag(page, art, -6, 3)
    wait_for(page, "Saved: the place of the picture in row 2 of cards.csv")
    assert [abs(float(said or 1) - value) < 0.11 for said, value in zip(cells(deck), (-6, 3, 1), strict=True)] == 3 * [True]
    page.wait_for_function("key => document.querySelector('.stage img').getAttribute('src') != key", arg=key)
    rest(page)
    x = float(cells(deck)[0])
    for name in ("ArrowRight", "ArrowRight", "Shift+ArrowLeft"):
        page.keyboard.press(name)
    said = page.get_by_label("art_x of Picture")
    page.wait_for_function("x => document.querySelector('[data-key=x]').value == x", arg=f"{x + 1.9:g}")
    until(page, lambda: float(cells(deck)[0]) == pytest.approx(x + 1.9))
    page.mouse.wheel(0, -300)
    page.wait_for_function("() => Number(document.querySelector('.places output').innerText.slice(2)) > 1.2")
    drag(page, art.locator("[data-edge=se]"), -3, -3)
    page.wait_for_function("() => Number(document.querySelector('.places output').innerText.slice(2)) < 1.15")
    rest(page)
    said.fill("4.25")
    said.press("Enter")
    page.wait_for_function("() => document.querySelector('[data-key=x]').value == 4.25")
    until(page, lambda: cells(deck)[0] == "4.25" and 1 < float(cells(deck)[2] or 1) < 1.15)
    rest(page)
    page.get_by_role("button", name="Back to its place in the template").click()
    page.wait_for_function("() => document.querySelector('.places output').innerText == '× 1'")
    until(page, lambda: cells(deck) == ["", "", ""])
    for _ in range(6):
        page.get_by_role("button", name="Undo").click()
    page.wait_for_function("() => !document.querySelector('.fields').innerText.includes('art_x')")
    until(page, lambda: (deck / TABLE).read_bytes() == before)


def test_a_text_box_is_moved_and_resized(page: Page, deck: Path) -> None:
    """Only its numbers change in the template; it goes to whole mm and to the edges of others; Undo takes it back."""
    template = deck / TEMPLATE
    before = template.read_text("utf-8")
    drag(page, box(page, "throws"), 1.2, 2.3)
    wait_for(page, "Saved: the box throws in card.svg.j2")
    until(
        page, lambda: template.read_text("utf-8") == before.replace("row.throws, 4, 4, 12, 12", "row.throws, 5, 6, 12, 12")
    )
    # The lower edge of the name is at 16 mm.
    drag(page, box(page, "throws").locator("[data-edge=s]"), 0, -1.6)
    wait_for(page, "Saved: the box throws")
    page.wait_for_function("() => document.querySelector('[data-at=\"throws 0\"] [data-key=h]').value == 10")
    until(
        page, lambda: template.read_text("utf-8") == before.replace("row.throws, 4, 4, 12, 12", "row.throws, 5, 6, 12, 10")
    )
    rest(page)
    box(page, "name").focus()
    for key in ("ArrowDown", "Shift+ArrowRight", "Control+ArrowDown", "Control+ArrowRight"):
        page.keyboard.press(key)
    page.wait_for_function("() => document.querySelector('[data-at=\"name 0\"] [data-key=h]').value == 13")
    rest(page)
    page.get_by_label("Letters of name").fill("18 9")
    page.keyboard.press("Enter")
    wait_for(page, "Saved: the box name")
    page.wait_for_function(
        "() => document.querySelector('[data-at=\"name 0\"] [data-key=size]').getAttribute('value') == '18 9'"
    )
    until(
        page,
        lambda: (
            NAME.replace("18, 4, w - 23, 12", "18.1, 5, w - 22, 13").replace("20 11", "18 9") in template.read_text("utf-8")
        ),
    )
    for _ in range(4):
        page.get_by_role("button", name="Undo").click()
    wait_for(page, "Undone: the box throws in card.svg.j2")
    page.wait_for_function("() => document.querySelector('[data-at=\"throws 0\"] [data-key=x]').value == 4")
    until(page, lambda: template.read_text("utf-8") == before)


def test_what_is_computed_stays(page: Page, deck: Path) -> None:
    """It says why; whatever a page sends, nothing but numbers is written, and only into what is one, or a sum."""
    template = deck / TEMPLATE
    template.write_text(
        template.read_text("utf-8").replace("6, h * 0.71, w - 12", "6, [h * 0.71, 9] | max, w - 12"), "utf-8"
    )
    page.locator(".places", has_text="The template computes its top edge ([h * 0.71, 9] | max).").wait_for()
    rest(page)
    before = [(deck / file).read_bytes() for file in (TEMPLATE, TABLE)]
    assert page.get_by_label("Top of text").is_disabled() and page.get_by_label("Left of text").is_enabled()
    for at, said in (
        ("text 0", '{y: 1, w: "2", h: "{{ 7 }}"}'),
        ("name 0", '{x: "1", y: Infinity, w: null}'),
        ("throws 0", '{size: "9\\", x, 8"}'),
        ("throws 0", "{w: -5}"),
        ("Picture 0", '{zoom: -1, art_x: "=1+1"}'),
        ("Picture 0", "{x: 1e9}"),
        ("throws 1", "{x: 1}"),
        ("<b>", "{x: 1}"),
    ):
        page.evaluate(f"emitEvent('place', ['{at}', {said}])")
    page.evaluate("emitEvent('place', [0, {x: 1}]); emitEvent('place', ['Picture 0', 5])")
    page.keyboard.press("Control+K")
    page.get_by_role("combobox", name="Find").wait_for()
    page.keyboard.press("Escape")
    assert [(deck / file).read_bytes() for file in (TEMPLATE, TABLE)] == before


def test_a_template_that_changed_meanwhile_is_left(page: Page, deck: Path) -> None:
    """Where another program has computed the number since, it is not overwritten."""
    template = deck / TEMPLATE
    said = template.read_text("utf-8").replace("row.throws, 4, 4", "row.throws, 2 + 2, 4")
    template.write_text(said, "utf-8")
    page.evaluate("emitEvent('place', ['throws 0', {x: 9}])")
    wait_for(page, "card.svg.j2 has changed meanwhile")
    assert template.read_text("utf-8") == said


def saved_elsewhere(page: Page, deck: Path) -> None:
    """Another program moves the box above, and the card is drawn anew with it."""
    template = deck / TEMPLATE
    template.write_text(template.read_text("utf-8").replace(THROWS, "row.throws, 6, 5, 12, 12"), "utf-8")
    page.wait_for_function("""() => document.querySelector('.box[data-at="throws 0"]').dataset.x == 6""")


def test_what_is_being_typed_stays(page: Page, deck: Path) -> None:
    """A number half typed while the card is drawn anew goes on as if nothing had been; so does what was dragged."""
    rest(page)
    field = page.get_by_label("Top of name")
    field.fill("1")
    saved_elsewhere(page, deck)
    page.keyboard.type("1")
    assert page.evaluate("document.activeElement.value") == "11"
    page.keyboard.press("Enter")
    said = (deck / TEMPLATE).read_text
    until(page, lambda: NAME.replace("18, 4,", "18, 11,") in said("utf-8") and "row.throws, 6, 5, 12" in said("utf-8"))
    assert page.get_by_label("Left of throws").input_value() == "6"


def test_what_is_being_dragged_stays(page: Page, deck: Path) -> None:
    """In the hand, while the card is drawn anew; it goes where it is let go, with one step to undo."""
    rest(page)
    at, scale = box(page, "name").bounding_box(), float(page.locator(".boxes").get_attribute("data-scale") or 0)
    assert at is not None
    x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 3 * scale, steps=3)
    saved_elsewhere(page, deck)
    assert abs(float(box(page, "name").get_attribute("data-y") or 0) - 7) < 0.1
    page.mouse.move(x, y + 6 * scale, steps=3)
    page.mouse.up()
    said = (deck / TEMPLATE).read_text
    until(page, lambda: NAME.replace("18, 4,", "18, 10,") in said("utf-8") and "row.throws, 6, 5, 12" in said("utf-8"))


def test_what_was_moved_does_not_jump_back(page: Page, deck: Path) -> None:
    """Three moves, each before the card is drawn with the last: the box is never again where it was before."""
    rest(page)
    page.evaluate(
        """() => { window.moved = []; const box = document.querySelector('.box[data-at="Picture 0"]');
        new MutationObserver(() => moved.push(Number(box.dataset.x))).observe(box, {attributeFilter: ["data-x"]}); }"""
    )
    box(page, "Picture").focus()
    for x in ("1", "2", "3"):
        page.keyboard.press("ArrowRight")
        until(page, lambda said=x: cells(deck)[0] == said)
    rest(page)
    seen = page.evaluate("moved")
    assert len(seen) >= 3 and seen == sorted(seen)


def test_boxes_are_not_shown_from_before_a_change(deck: Path) -> None:
    """As long as the files say something else than what was drawn, nobody is told where its boxes are."""
    looking, asked = LivePreview(Project(deck), "deck"), Boxes("cards", "pip", "front")
    assert looking.due and not looking.begin() and looking.draw() is not None
    assert looking.reply(asked) is not None
    table = deck / TABLE
    before = table.read_bytes()
    table.write_bytes(before + b"\n")
    assert looking.reply(asked) is None
    table.write_bytes(before)


def test_numbers_are_found_in_any_template() -> None:
    """Macros with names or without, brackets and commas in texts, comments, the element itself."""
    source = """{% import 'shared/pieces.svg.j2' as s %}{# {{ s.text(row.x, 1, 2, 3, 4) }} #}
{{- s.text("a, (b" ~ {"c": [1, 2]}[row.d], -1.5, y=20, w=face.width - 2 * 3,
           h = 12,  size='9 7') | upper }}
<foreignObject x="5" y="{{ y }}" width="53.5" height="30" data-size="10 7">Draw</foreignObject>{{ other.text(1, 2) }}"""
    one, two = calls(source)
    names = ("x", "y", "w", "h", "size")
    assert [one.said(source, name) for name in names] == ["-1.5", "20", "face.width - 2 * 3", "12", "'9 7'"]
    assert [two.said(source, name) for name in names] == ["5", "{{ y }}", "53.5", "30", "10 7"]
    changed = rewritten(source, one, {"x": "7", "h": "9.1", "size": "8 6"})
    assert changed == source.replace("-1.5,", "7,").replace("h = 12,", "h = 9.1,").replace("'9 7'", "'8 6'")
    assert rewritten(source, two, {"w": "50"}) == source.replace("53.5", "50")


@pytest.mark.parametrize(
    ("said", "by", "made"),
    [
        ("-1.5", 0.2, "-1.3"),
        ("face.width - 12", -8, "face.width - 20"),
        ("w-12", 12, "w"),
        ("h * 0.71", 3, "h * 0.71 + 3"),
        ("(w - pw) / 2 + pad", -0.5, "(w - pw) / 2 + pad - 0.5"),
        ("2 * -3", 1, "2 * -3 + 1"),
        ("{{ y - 2 }}", 5, "{{ y + 3 }}"),
        ("[w, 9] | min", 1, None),
        ("4 if row.x else 5", 1, None),
        ("half(w)", 1, None),
        ("row.x", 1, None),
        ("", 1, None),
    ],
)
def test_a_sum_keeps_what_it_is_of(said: str, by: float, made: str | None) -> None:
    """The number at its end is another, as a person would write it."""
    assert shifted(said, by) == made


def test_a_change_taken_back_in_another_view_is_seen_in_the_list(page: Page, deck: Path) -> None:
    """The list of boxes stands beside every view, and shows what the template says; what it showed can be typed again."""
    template = deck / TEMPLATE
    letters = page.get_by_label("Letters of name")
    for _ in range(2):
        letters.fill("16 9")
        letters.press("Enter")
        until(page, lambda: NAME.replace("20 11", "16 9") in template.read_text("utf-8"))
        rest(page)
        tab(page, "Pieces")
        page.get_by_role("button", name="Undo").click()
        until(page, lambda: NAME in template.read_text("utf-8"))
        page.wait_for_function("() => document.querySelector('[data-at=\"name 0\"] [data-key=size]').value == '20 11'")
        tab(page, "One piece")
        rest(page)


@pytest.mark.parametrize(
    ("before", "goes"),
    [
        ('<rect x="4" y="4" width="20" height="9.5" rx="2"/>\n', True),
        ('<circle cx="10" cy="9" r="6"/>', True),
        ('<rect x="4" y="4" width="3" height="9.5"/>\n', False),
        ('<rect x="{{ 2 * 2 }}" y="4" width="20" height="9.5"/>\n', False),
        ('<rect x="4" y="4" width="20" height="9.5"/>{{ s.ground(face) }}', False),
    ],
)
def test_a_panel_is_what_stands_just_before_a_text(before: str, goes: bool) -> None:
    """And around it, if its numbers are numbers."""
    source = '{% import "shared/pieces.svg.j2" as s %}' + before + "{{ s.text(row.name, 5, 5, 10, 8) }}"
    (call,) = calls(source)
    assert (panel(source, call) is not None) == goes


def test_a_panel_goes_along(page: Page, deck: Path) -> None:
    """With the text box that is moved or resized on it, in one step."""
    template = deck / TEMPLATE
    rect = '<rect x="3" y="3" width="14" height="14" fill="#ffffff"/>\n{{ s.text(row.throws, 4, 4, 12, 12'
    before = template.read_text("utf-8").replace("{{ s.text(row.throws, 4, 4, 12, 12", rect)
    template.write_text(before, "utf-8")
    drag(page, box(page, "throws"), 1.2, 2.3)
    wait_for(page, "Saved: the box throws in card.svg.j2")
    moved = '<rect x="4" y="5" width="14" height="14" fill="#ffffff"/>\n{{ s.text(row.throws, 5, 6, 12, 12'
    until(page, lambda: template.read_text("utf-8") == before.replace(rect, moved))
    page.get_by_role("button", name="Undo").click()
    until(page, lambda: template.read_text("utf-8") == before)
