"""``report.html`` is one file that needs nothing else, and says of every finding what it is, where, and on which piece."""

from __future__ import annotations

import base64
import io
import re
from pathlib import Path

import lxml.html
import pytest
from commands import Left, run
from conftest import TINY_GAME, TINY_TABLE, TINY_TEMPLATE, TinyProject, paths_in
from lxml.html import HtmlElement
from PIL import Image

CLAIM = """
[claim.three-cards]
says = "There are three cards, one for each mood."
expect = 'count("cards") == 3'
rule = "In the box"
"""
WARNING = "name,text,mood\nAnna,Draw two.,glad\nBert,Pass.,sad\n"
# The same colours as the tiny game's, and a text of 5 pt in a box from 5, 40 to 58, 80 on a card of 63 × 88 mm.
SMALL = TINY_TEMPLATE.replace('size="10 7"', 'size="5 5"')


def check(tiny: TinyProject, *options: str) -> Left:
    """Check the tiny game."""
    return run("check", *options, at=tiny.project.root)


def report(tiny: TinyProject) -> Path:
    """Where the report is."""
    return tiny.project.root / "output" / "tiny" / "report.html"


def read(tiny: TinyProject, *options: str) -> HtmlElement:
    """The report of a check, parsed."""
    check(tiny, *options)
    return lxml.html.document_fromstring(report(tiny).read_text(encoding="utf-8"))


def words(element: HtmlElement) -> str:
    """The text of an element, its white space made one."""
    return " ".join(element.text_content().split())


def all_words(page: HtmlElement, path: str) -> list[str]:
    """The texts of the elements on a path."""
    return [words(element) for element in page.xpath(path)]


def picture(image: HtmlElement) -> Image.Image:
    """A picture that is set into the page."""
    head, _, data = image.get("src").partition(",")
    assert head == "data:image/png;base64"
    return Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")


def colour_at(image: Image.Image, x: float, y: float) -> str:
    """The colour at a spot given in shares of the picture."""
    red, green, blue = image.getpixel((int(x * image.width), int(y * image.height)))  # type: ignore[misc]
    return f"#{red:02x}{green:02x}{blue:02x}"


def test_the_report_is_named_beside_the_files_of_a_build(tiny: TinyProject) -> None:
    """Nothing else is written, and the command says where it is."""
    done = check(tiny)

    assert (done.code, done.out) == (0, "tiny: nothing wrong was found; output/tiny/report.html\n")
    assert paths_in(tiny.project.root / "output") == [report(tiny)]


def test_the_report_needs_no_other_file(tiny: TinyProject) -> None:
    """Every source is set in, nothing is fetched by its style, no script runs: also with claims, findings and pictures."""
    tiny.put(rules_toml=CLAIM, cards_svg_j2=SMALL)
    page = read(tiny)
    sources = page.xpath("//@src | //@href | //@srcset | //@action | //@data | //@poster")

    assert sources and [source for source in sources if not source.startswith(("data:", "#"))] == []
    assert page.xpath("//script | //link | //iframe | //@*[starts-with(name(), 'on')]") == []
    assert re.findall(r"url\(|@import", "".join(page.xpath("//style/text() | //@style"))) == []


def test_components_stand_with_their_numbers_and_a_picture(tiny: TinyProject) -> None:
    """Copies, the title, the kind, how many are different; one picture each, in the colours of the piece."""
    extra = '[component.chips]\nkind = "token"\nsize = "20mm"\ntitle = "Gold coins"\n'
    tiny.put(game_toml=TINY_GAME + extra, cards_csv="name,text,copies\nAnna,Draw two.,7\nBert,Pass.,4\n")
    tiny.put(chips_csv="id,copies\none,5\n")
    ground = '<rect x="-9" y="-9" width="90" height="90" fill="#aa5500"/>'
    tiny.write(
        "templates/tiny/chips.svg.j2", '{% extends "shared/face.svg.j2" %}{% block face %}' + ground + "{% endblock %}"
    )
    page = read(tiny)
    cards, chips = page.xpath("//ul[@class='box']/li")

    assert words(page.xpath("//p[starts-with(., 'I counted')]")[0]) == "I counted 16 pieces of 2 kinds."
    said = [all_words(entry, "b | span") for entry in (cards, chips)]
    assert said == [["11 × Cards", "card, 2 different"], ["5 × Gold coins", "token"]]
    # In the middle of a card is its ground; the tokens are all of one colour.
    (card,), (chip,) = (entry.xpath(".//img") for entry in (cards, chips))
    assert "#336699" in {colour_at(picture(card), share / 20, 0.4) for share in range(5, 16)}
    assert "#aa5500" in {colour_at(picture(chip), share / 20, 0.5) for share in range(5, 16)}


@pytest.mark.parametrize(
    ("claims", "table", "verdict", "manner"),
    [
        (0, TINY_TABLE, "Nothing wrong was found. Pieces and rules agree; print away.", "verdict"),
        (0, WARNING, "It can be printed. 1 thing deserves a look first.", "verdict warn"),
        (2, TINY_TABLE, "Do not print this yet: 2 things are wrong.", "verdict bad"),
        (1, WARNING, "Do not print this yet: 1 thing is wrong, and 1 more deserve a look.", "verdict bad"),
    ],
)
def test_the_verdict_comes_first(tiny: TinyProject, claims: int, table: str, verdict: str, manner: str) -> None:
    """One sentence: print it, look first, or do not; with how many reasons."""
    # A column that no template shows is a warning.
    tiny.put(cards_csv=table, rules_toml="".join(CLAIM.replace("three", f"three-{number}") for number in range(claims)))
    (sentence,) = read(tiny).xpath("//p[contains(@class, 'verdict')]")

    assert (words(sentence), sentence.get("class")) == (verdict, manner)


def test_a_claim_stands_with_its_words_and_both_sides(tiny: TinyProject) -> None:
    """A false one fails and is among what to mend; a true one holds and is not."""
    true = CLAIM.replace("three-cards", "two").replace("three", "two").replace("== 3", "== 2")
    tiny.write("content/tiny/rules.toml", CLAIM + true)
    page = read(tiny)
    fails, holds = page.xpath("//ul[@class='claims']/li")

    assert words(fails).startswith("✗ fails There are three cards, one for each mood.")
    assert all_words(fails, ".//code") == ['count("cards") == 3']
    assert all_words(fails, "p[@class='rule']")[0].startswith("three-cards · ")
    assert "2" in all_words(fails, "p[@class='rule']")[0] and "3" in all_words(fails, "p[@class='rule']")[0]
    assert all_words(fails, "p[@class='rule']")[0].endswith("rulebook: In the box")
    assert words(holds).startswith("✓ holds There are two cards")
    assert "held 2 claims of the rules against the tables" in words(page)
    (finding,) = page.xpath("//div[@class='finding']")
    assert "There are three cards" in words(finding)
    assert all_words(finding, ".//p[@class='place']") == ["content/tiny/rules.toml:2:claim.three-cards · claim"]


def test_a_finding_about_a_text_shows_the_card_with_the_text_outlined(tiny: TinyProject) -> None:
    """The box of the text, in shares of the card cut to its trim."""
    tiny.write("templates/tiny/cards.svg.j2", SMALL)
    (finding,) = read(tiny).xpath("//div[@class='finding']")
    (image,), (outline,) = finding.xpath(".//div[@class='piece']/img"), finding.xpath(".//div[@class='piece']/i")
    shares = dict(part.split(":") for part in outline.get("style").split(";"))

    assert "cards/anna" in words(finding) and 'box "rules"' in words(finding)
    wanted = {"left": 5 / 63, "top": 40 / 88, "width": 53 / 63, "height": 40 / 88}
    assert {side: float(share.rstrip("%")) / 100 for side, share in shares.items()} == pytest.approx(wanted, abs=6e-5)
    assert picture(image).width / picture(image).height == pytest.approx(63 / 88, abs=0.01)
    assert colour_at(picture(image), 0.02, 0.02) == "#336699"


def test_the_text_that_is_quoted_is_outlined_not_one_that_happens_to_be_the_size(tiny: TinyProject) -> None:
    """A text without a name is known by its words: the number 5 in the corner is not the text of 5 pt."""
    tiny.write(
        "templates/tiny/cards.svg.j2",
        TINY_TEMPLATE.replace(
            's.text(row.name, 5, 5, 53, 10, size="14 9", name="title"', 's.text("5", 5, 5, 20, 10, size="14"'
        )
        .replace('40, 53, 40, size="10 7", name="rules"', '50, 53, 30, size="5"')
        .replace("{% block face %}", "{% block face %}{# {{ row.name }} #}"),
    )
    outlines = read(tiny).xpath("//div[@class='finding']//i")

    assert [re.search(r"top:([\d.]+)%", outline.get("style"))[1] for outline in outlines] == [f"{100 * 50 / 88:.2f}"]  # type: ignore[index]


def test_what_is_allowed_stands_at_the_end_with_its_reason(tiny: TinyProject) -> None:
    """It is no finding any more, and the verdict is good; but it is not hidden."""
    tiny.write("templates/tiny/cards.svg.j2", SMALL)
    tiny.write(
        "content/tiny/rules.toml", '[[allow]]\nrule = "small-text"\nabout = "cards/anna"\nbecause = "The fox whispers."\n'
    )
    page = read(tiny)
    *_, heading = page.xpath("//h2")

    assert "Nothing wrong was found" in words(page.xpath("//p[contains(@class, 'verdict')]")[0])
    assert "1 finding is meant to be so; the reasons are at the end." in words(page)
    assert words(heading) == "Meant to be so"
    (allowed,) = heading.xpath("following-sibling::div")
    assert "it is set in 5 pt" in words(allowed) and "Because: The fox whispers." in words(allowed)
    assert "What to mend" not in words(page)


def test_what_people_type_is_text(tiny: TinyProject) -> None:
    """Names, titles, claims and cells with the signs of HTML are shown as they are and become no elements."""
    nasty = '<img src=x onerror=alert(1)>&amp;<b>"bold"</b>'
    quoted = nasty.replace('"', '\\"')
    tiny.put(
        game_toml=TINY_GAME.replace('"Tiny"', f'"{quoted}"').replace('size = "tcg"', f'size = "tcg"\ntitle = "{quoted}"'),
        rules_toml=f'[claim.x]\nsays = "{quoted}"\nexpect = \'1 > 2 or "<b>" == "</code>"\'\n',
    )
    page = read(tiny)

    assert words(page.xpath("//h1")[0]) == nasty
    assert words(page.xpath("//title")[0]).startswith(nasty)
    assert all_words(page, "//ul[@class='box']//b") == [f"2 × {nasty}"]
    assert nasty in words(page.xpath("//ul[@class='claims']/li")[0])
    assert all_words(page, "//ul[@class='claims']//code") == ['1 > 2 or "<b>" == "</code>"']
    assert page.xpath("//@onerror | //*[@src='x']") == []


def test_the_same_tables_give_the_same_letter(tiny: TinyProject) -> None:
    """Byte for byte, findings and pictures included, wherever it is written."""
    tiny.put(cards_svg_j2=SMALL, rules_toml=CLAIM)
    check(tiny, "--out", "one")
    check(tiny, "--out", "two")
    one, two = (tiny.project.root / name / "tiny" / "report.html" for name in ("one", "two"))

    assert one.read_bytes() == two.read_bytes()
    assert not report(tiny).exists()


def test_what_opens_in_a_browser_is_no_games_to_replace(tiny: TinyProject) -> None:
    """A pack from a stranger may bring templates of its own, but no page that runs its scripts."""
    for name in ("report", "book", "preview", "web"):
        tiny.write(f"templates/shared/{name}.html.j2", "<script>theirs()</script>")
    tiny.put(rulebook_md="# Tiny\n\nDraw.\n", game_toml=TINY_GAME + '\n[book.rulebook]\nfile = "rulebook.md"\n')
    assert run("check", at=tiny.project.root).code == 0
    assert run("build", at=tiny.project.root).code == 0

    pages = [path for path in paths_in(tiny.project.root / "output") if path.suffix == ".html"]
    assert {path.name for path in pages} == {"report.html", "rulebook.html"}
    assert not any("theirs" in path.read_text(encoding="utf-8") for path in pages)
