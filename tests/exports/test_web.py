"""``pnp export web``: a folder that shows a whole game and needs nothing from elsewhere; ``showcase``: pictures of it."""

from __future__ import annotations

import base64
import hashlib
import io
import os
import re
import shutil
from collections import Counter
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from bazaar import bazaar, copies, exported
from bound import PLAIN
from commands import run
from lxml.html import HtmlElement, fromstring
from PIL import Image

ABOUT = 'designer = "Ada Weaver"\nplayers = "2-3"\nlicence = "CC BY 4.0"\n'
TEXTED = '<foreignObject x="5" y="5" width="50" height="20" data-size="9 6">Pay **2** coins</foreignObject>\n{% endblock %}'
CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bazaar with a rulebook, facts, a note that says something, exported for two tables, then for the web."""
    notes = {"templates/tiny/notes.svg.j2": PLAIN.replace("COLOUR", "#ffffff").replace("{% endblock %}", TEXTED)}
    root = bazaar(tmp_path_factory.mktemp("web"), notes)
    game = root / "content/tiny/game.toml"
    text = (
        game.read_text()
        .replace('version = "3"', f'version = "3"\n{ABOUT}', 1)
        .replace('template = "night"', 'template = "notes"', 1)
    )
    game.write_text(f'{text}\n[book.rulebook]\naccent = "#ffe14a"\n')
    (root / "content/tiny/rulebook.md").write_text("# The Bazaar\n\n## How to haggle\n\nNever pay at once.\n")
    for target in ("playingcards", "tabletop-club"):
        exported(root, target)
    return root


@pytest.fixture(scope="module")
def files(root: Path) -> dict[str, bytes]:
    return exported(root, "web")


@pytest.fixture(scope="module")
def page(files: dict[str, bytes]) -> HtmlElement:
    return fromstring(files["index.html"].decode())


def texts(page: HtmlElement, path: str) -> list[str]:
    return [" ".join(each.text_content().split()) for each in page.xpath(path)]


def test_a_page_asks_for_its_own_files_alone(files: dict[str, bytes]) -> None:
    """Every address leads to a file of the folder or a place on a page; no page has a script."""
    for name in ("index.html", "rulebook.html"):
        page = fromstring(files[name].decode())
        assert page.xpath("//script | //iframe | //@onclick | //link") == []
        for address in page.xpath("//@src | //@href"):
            parts = urlsplit(address)
            if parts.scheme == "data":
                continue
            assert not parts.scheme and not parts.netloc, address
            there = unquote(parts.path) or name
            assert there in files, address
            if parts.fragment:
                assert fromstring(files[there].decode()).xpath("//*[@id=$id]", id=unquote(parts.fragment)), address


def test_its_policy_allows_this_style_and_nothing_else(page: HtmlElement) -> None:
    (policy,) = page.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    (style,) = page.xpath("//style/text()")
    allowed = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()

    assert page.xpath("//@style") == []
    assert policy.split("; ") == [
        "default-src 'none'",
        f"style-src 'sha256-{allowed}'",
        "img-src 'self' file:",
        "font-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    ]


def test_all_pieces_are_there_with_their_copies(root: Path, page: HtmlElement, files: dict[str, bytes]) -> None:
    """Of two sides the first says how many there are; what is not in the box is shown, too, and counted by nobody."""
    shown: Counter[str] = Counter()
    for caption in page.xpath("//figcaption"):
        address = unquote(caption.getparent().xpath(".//img/@src")[0])
        component, _, file = address.removeprefix("pictures/").partition("/")
        if end := re.search(r"-?(front|face-1)\.png$", file):
            number = re.search(r"× (\d+)$", caption.text_content())
            shown[f"{component}/{file[: end.start()]}"] = int(number[1]) if number else 1
        assert files[address].startswith(b"\x89PNG")
    parts = ("wares", "notes", "coins", "chips", "tiles", "sea", "post", "flat", "dice", "bag")

    assert {name: shown[name] for name in copies(root, *parts)} == copies(root, *parts)


def test_whoever_does_not_see_a_picture_is_told_what_stands_on_it(page: HtmlElement) -> None:
    alts = page.xpath("//img/@alt")

    assert all(alts) and "Notes, front: Pay 2 coins" in alts


def test_facts_rules_and_downloads(root: Path, page: HtmlElement, files: dict[str, bytes], tmp_path: Path) -> None:
    facts = dict(zip(texts(page, "//dl[@class='facts']/dt"), texts(page, "//dl[@class='facts']/dd"), strict=True))
    assert facts == {"Designer": "Ada Weaver", "Players": "2-3", "Version": "3", "Licence": "CC BY 4.0"}
    assert "How to haggle" in texts(page, "//section[@id='rules']//a")
    assert run("build", "tiny", "--out", tmp_path, at=root).code == 0
    downloads = page.xpath("//section[@id='print']//a/@href")
    for address in downloads:
        paper, _, file = address.removeprefix("files/tiny-").partition("-")
        where = "one-piece/" + file.removeprefix("piece-") if paper == "one" else f"{paper}/{file}"
        assert files[address] == (tmp_path / "tiny" / where).read_bytes()
    assert len(downloads) == 4 and all(texts(page, "//section[@id='print']//li/p"))


def test_what_was_exported_for_tables_is_handed_on_as_the_game_is_now(
    root: Path, page: HtmlElement, files: dict[str, bytes], tmp_path: Path
) -> None:
    """A file that one opens as it was exported, a folder as a zip; pictures of this machine are left out, and it is said."""
    assert page.xpath("//section[@id='tables']//a/@href") == ["files/tiny.pcio", "files/tiny-tabletop-club.zip"]
    assert files["files/tiny.pcio"] == (root / "output/tiny/export/playingcards/tiny.pcio").read_bytes()

    other = shutil.copytree(root, tmp_path / "other")
    exported(other, "tabletop-simulator")
    wares = other / "content/tiny/wares.csv"
    wares.write_text(wares.read_text().replace("Ore,", "Oar,"))
    left = run("export", "web", "tiny", at=other)
    made = (other / "output/tiny/export/web/files/tiny.pcio").read_bytes()

    assert left.code == 0 and "tabletop-simulator was exported without --url" in left.err
    assert made != files["files/tiny.pcio"]
    exported(other, "playingcards")
    assert made == (other / "output/tiny/export/playingcards/tiny.pcio").read_bytes()


def test_a_page_is_made_anew_once_there_is_another_table(root: Path, tmp_path: Path) -> None:
    other = shutil.copytree(root, tmp_path / "other")
    for table in (None, "card-game-simulator", None):
        if table:
            exported(other, table)
        run("export", "web", "tiny", at=other)
    page = (other / "output/tiny/export/web/index.html").read_text()

    assert "files/tiny.cgs.zip" in page
    assert "nothing has changed" in run("export", "web", "tiny", at=other).err


def test_pale_colours_of_a_game_are_darkened_until_they_can_be_read(page: HtmlElement) -> None:
    (style,) = page.xpath("//style/text()")
    accent, tint = (re.search(rf"--{name}: #(\w{{6}})", style) for name in ("accent", "tint"))
    assert accent and tint

    def light(code: str) -> float:
        shares = [value / 255 for value in bytes.fromhex(code)]
        red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in shares)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05

    assert accent[1] != "ffe14a" and light(tint[1]) / light(accent[1]) >= 4.5


def test_a_telephone_shows_it_from_the_disk(root: Path, files: dict[str, bytes]) -> None:
    """All pictures and fonts are there, nothing is wider than the screen, and the browser complains of nothing."""
    from playwright.sync_api import sync_playwright

    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if found is None and "CI" not in os.environ:
        pytest.skip("there is no Chromium (apt-get install chromium-headless-shell)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found or CHROMIUM[0], args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 390, "height": 800})
        page.set_default_timeout(120_000)
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text))
        page.goto((root / "output/tiny/export/web/index.html").as_uri())
        # Not wait_for_function: its polling is eval(), which the page's Content-Security-Policy refuses.
        page.evaluate("""Promise.all([...document.images].map(each => {
            each.loading = "eager";
            return each.complete || new Promise(done => each.onload = each.onerror = done);
        }))""")
        broken = page.evaluate("[...document.images].filter(each => !each.naturalWidth).map(each => each.src)")
        wide = page.evaluate("document.documentElement.scrollWidth")
        browser.close()

    assert (broken, wide, complaints) == ([], 390, [])


# Three wares, as the tables of the bazaar say.
SILK, ÄHRE, ORE = (255, 0, 0), (0, 0, 255), (255, 0, 255)


@pytest.fixture(scope="module")
def plain_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return bazaar(tmp_path_factory.mktemp("showcase"))


def shown(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")


def share(picture: Image.Image, colour: tuple[int, int, int]) -> float:
    """The part of a picture in exactly this colour."""
    count = {code: count for count, code in picture.getcolors(picture.width * picture.height) or []}
    return count.get(colour, 0) / picture.width / picture.height


def test_all_of_a_game_and_each_deck_alone(plain_root: Path) -> None:
    """1600 dots wide, with designs of the cards and their back; nothing reaches over the edge."""
    files = exported(plain_root, "showcase")
    pictures = {name: shown(data) for name, data in files.items() if name.endswith(".png")}

    assert {*pictures} == {"tiny.png", "wares.png"}  # the notes are of one design
    for picture in pictures.values():
        assert picture.width == 1600 and 400 < picture.height < 1300
        assert min(share(picture, colour) for colour in (SILK, ÄHRE, ORE)) > 0.003
        rims = [picture.crop(box) for box in ((0, 0, 1600, 6), (0, 0, 6, picture.height), (1594, 0, 1600, picture.height))]
        assert all(max(rim.convert("HSV").getchannel("S").getextrema()) < 160 for rim in rims)
