"""A component is added in the browser: section, table and template are there, and what was written before is as it was."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from commands import run
from served import browser, deck, page, served

from pnp.flows.start import PARTS, SIZES, Part, add_part
from pnp.read.project import Project
from pnp.values.problems import Fault

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["browser", "deck", "page", "served"]


USUAL = """size => [...document.querySelectorAll(".adding .q-select")].some(select =>
  [select.innerText, ...[...select.querySelectorAll("input")].map(each => each.value)].some(said => said.includes(size)))"""


def add(page: Page, kind: str, title: str, size: str = "") -> None:
    page.get_by_role("button", name="Add a component").click()
    page.locator(".adding .pick", has=page.get_by_text(kind, exact=True)).click()
    # The studio answers with the usual size of such pieces, over whatever stands there.
    page.wait_for_function(USUAL, arg=SIZES.get(cast(Part, kind.lower()), ""))
    page.get_by_label("What is it called?").fill(title)
    if size:
        page.locator(".adding").get_by_role("combobox").first.fill(size)
        page.keyboard.press("Enter")
    page.get_by_role("button", name="Add it").click()


def test_every_kind_is_added(page: Page, deck: Path) -> None:
    """It is drawn and selected, without a finding; game.toml keeps its notes, and Undo takes all of it away."""
    toml = deck / "content/deck/game.toml"
    before, files = toml.read_text("utf-8"), {*deck.glob("content/**/*")}
    for part in PARTS:
        kind = part.capitalize()
        add(page, kind, f'{kind} "mine" & co', {"deck": "tarot", "die": "18 mm"}.get(part, ""))
        page.locator(f'.part[data-key="{part}-mine-co"][aria-current]').wait_for()
    page.locator(".status", has_text="Nothing wrong").wait_for()
    # A player more has a colour of its own.
    tokens = deck / "content/deck/tokens-mine-co.csv"
    rows = tokens.read_text("utf-8")
    tokens.write_text(f"{rows}Green,green,4\n", "utf-8")
    assert run("check", "deck", at=deck).code == 0
    page.wait_for_function(
        """() => {
          const image = document.querySelector(".face[data-piece=green] img");
          if (!image?.complete || !image.naturalWidth) return false;
          const canvas = document.createElement("canvas").getContext("2d");
          canvas.drawImage(image, 0, 0);
          const [red, green, blue] = canvas.getImageData(image.naturalWidth / 2, 4, 1, 1).data;
          return green > red + 40 && green > blue + 40;
        }"""
    )
    tokens.write_text(rows, "utf-8")
    page.locator('.face[data-piece="green"]').wait_for(state="hidden")
    said = toml.read_text("utf-8")
    found = tomllib.loads(said)["component"]
    assert (found["deck-mine-co"]["size"], found["die-mine-co"]["size"]) == ("tarot", "18 mm")
    # What was there is there, around one new block.
    start = said.index("\n[component.deck-mine")
    assert before == said[:start] + said[start + len(said) - len(before) :]
    templates = {path.name for path in (deck / "content/deck/templates").iterdir()}
    assert {f"{part}-mine-co.svg.j2" for part in PARTS} | {"deck-mine-co-back.svg.j2"} <= templates
    for part in ("deck", "board"):
        assert "picture.own()" in (deck / f"content/deck/templates/{part}-mine-co.svg.j2").read_text("utf-8")
    for _ in PARTS:
        page.get_by_role("button", name="Undo").click()
    page.locator('.part[data-key="deck-mine-co"]').wait_for(state="hidden")
    assert (toml.read_text("utf-8"), {*deck.glob("content/**/*")}) == (before, files)
    page.get_by_role("button", name="Redo").click()
    page.locator('.part[data-key="deck-mine-co"]').wait_for()
    assert {path.name for path in {*deck.glob("content/**/*")} - files} >= {"deck-mine-co.csv", "deck-mine-co-back.svg.j2"}
    page.get_by_role("button", name="Undo").click()
    page.locator('.part[data-key="deck-mine-co"]').wait_for(state="hidden")


def test_what_cannot_be_added_is_said(page: Page, deck: Path) -> None:
    """Without a name, or with a size that is none, nothing is written."""
    folder = deck / "content/deck"
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for title, size, said in (("", "", "Give it a name first"), ("Wide", "63", '"63" has no unit: write "63mm"')):
        add(page, "Die", title, size)
        page.get_by_role("alert").filter(has_text=said).wait_for()
        page.get_by_role("button", name="Leave it").click()
        page.locator(".adding").wait_for(state="hidden")
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


NEW = '[component.cards-2]\nkind = "token"\ntitle = "Cards"\nsize = "2cm"\nback = "cards-2-back"\n'
PROMISE = "\n# The promise.\n[expect.cards]\ncopies = 1\n"


@pytest.mark.parametrize(
    ("toml", "rest"),
    [
        ('[game]\nname = "x"\n\n[component.cards]\nsize = "poker" # as said\n', PROMISE),
        ('# none yet\n[game]\nname = "x"\n', ""),
        ('[game]\nname = """\n[component.no]\n[x]\n"""\n\n[component.cards]\nsize = "poker"\n', PROMISE),
        ('component.cards.size = "poker"\ngame.name = "x"\n', ""),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_section_stands_behind_the_last_component(tmp_path: Path, toml: str, rest: str, end: str) -> None:
    """Whatever the file looks like: its text is as it was around the new lines, and they say the component."""
    (tmp_path / "content/g").mkdir(parents=True)
    (tmp_path / "content/g/cards.csv").write_text("name\nx\n")
    (tmp_path / "content/g/game.toml").touch()

    def said(*parts: str) -> str:
        return "".join(parts).replace("\n", end)

    made = add_part(Project(tmp_path), "g", said(toml, rest), "tokens", "Cards", "2cm", back=True)
    assert made.name == "cards-2" and {*made.files} == {
        "cards-2.csv",
        *(f"templates/cards-2{side}.svg.j2" for side in ("", "-back")),
    }
    assert made.toml == said(toml, "\n", NEW, rest)
    with pytest.raises(Fault, match="cannot be read"):
        add_part(Project(tmp_path), "g", f"{toml}\n[[", "die", "x")
