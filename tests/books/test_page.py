"""The edition for a phone: one page that needs nothing else, says what the printed book says, and runs nothing."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from bound import DRAWING, Shown, fair, plain_game, set_books
from fontTools.ttLib import TTFont
from pypdf import PdfReader

from pnp.books import page as page_module
from pnp.flows.publish import files_of
from pnp.system.cache import Cache
from pnp.values.books import Edition
from pnp.values.game import Game

HOSTILE = "<script>alert(1)</script>"


def files(game: Game, editions: Sequence[Edition], cache: Cache | None = None) -> dict[str, bytes]:
    """The books' files by name."""
    return {name: data for name, _, data in files_of(game, editions, cache)}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Edition], dict[str, bytes]]:
    """The fair's books for A4, set, and their files."""
    game, editions = set_books(fair(tmp_path_factory.mktemp("fair")), "a4")
    return editions, files(game, editions)


@pytest.fixture(scope="module")
def page(made: tuple[list[Edition], dict[str, bytes]]) -> Shown:
    """The rulebook's page."""
    return Shown(made[1]["rulebook.html"].decode())


@pytest.fixture(scope="module")
def printed(made: tuple[list[Edition], dict[str, bytes]]) -> str:
    """All that the booklet's pages say, its spaces evened out."""
    reader = PdfReader(io.BytesIO(made[1]["a4/rulebook-a5.pdf"]))
    return " ".join(" ".join(page.extract_text() for page in reader.pages).split())


def outside(page: Shown) -> list[str]:
    """All that a browser would fetch for a page: neither links that one taps nor what is in the page itself."""
    fetched = [
        value or ""
        for element in page.elements
        for name, value in element.attributes.items()
        if name in ("src", "srcset", "data", "poster", "action", "formaction") or (name == "href" and element.tag != "a")
    ]
    styles = " ".join(element.text for element in page.all("style"))
    styles += " ".join(element.attributes.get("style") or "" for element in page.elements)
    fetched += re.findall(r"url\(\s*([^)]*)\)", styles) + re.findall(r"@import[^;]*", styles)
    return [each for each in fetched if not each.strip("\"'").startswith("data:")]


def test_the_page_needs_nothing_else(page: Shown) -> None:
    """No network, no file beside it, no program: pictures and fonts are in it."""
    assert outside(page) == []
    assert not {"script", "link", "iframe", "object", "embed", "form"} & {element.tag for element in page.elements}
    assert not [name for element in page.elements for name in element.attributes if name.startswith("on")]


def test_the_page_says_what_it_is(page: Shown) -> None:
    """Its title and language, its letters, and that it fits a phone."""
    (root,), (title,) = page.all("html"), page.all("title")
    metas = [element.attributes for element in page.all("meta")]

    assert page.source.startswith("<!doctype html>")
    assert root.attributes["lang"] == "en"
    assert title.text == "The Fair: How to “run” a fair"
    assert {"charset": "utf-8"} in metas
    assert any(meta.get("name") == "viewport" and "width=device-width" in str(meta["content"]) for meta in metas)


def test_every_picture_is_heard_or_silent(page: Shown, made: tuple[list[Edition], dict[str, bytes]]) -> None:
    """Each has words, or empty ones where what stands beside it says it all."""
    images = page.all("img")
    heard = [image.attributes["alt"] for image in images if image.attributes["alt"]]

    assert all("alt" in image.attributes for image in images)
    assert heard == [
        *("coin", "The Bakery and the Puppets", "Two meadows side by side", "The card Balloons", "A back with a tent"),
        *("Stall cards: Carousel", "A die as it stands", "a striped tent"),
    ]
    # The cover, three small pictures in the table of components, and the second of two stalls.
    assert len(images) - len(heard) == 1 + 3 + 1


def test_pictures_are_those_of_the_book(page: Shown) -> None:
    """Whole, of a kind that browsers know, and small enough for a phone."""
    for image in page.all("img"):
        kind, data = re.fullmatch(r"data:image/([a-z+]+);base64,(.*)", image.attributes["src"] or "").groups()  # type: ignore[union-attr]
        begin = base64.b64decode(data)[:8]
        assert (kind, begin) in (("png", b"\x89PNG\r\n\x1a\n"), ("svg+xml", DRAWING.encode()[:8])), (kind, begin)
    assert len(page.source) < 300_000


def test_fonts_have_the_letters_of_the_page(page: Shown) -> None:
    """Each is a part of the game's font, with all that is said."""
    (style,) = page.all("style")
    letters = {letter for letter in page.words + "“”The Fair" if not letter.isspace()}
    fonts = re.findall(r"url\(data:font/woff;base64,([^)]*)\)", style.text)

    assert len(fonts) == 3
    for font in fonts:
        data = base64.b64decode(font)
        assert data[:4] == b"wOFF"
        assert {ord(letter) for letter in letters} <= set(TTFont(io.BytesIO(data)).getBestCmap())


def test_numbers_are_those_of_the_print(page: Shown, printed: str) -> None:
    """Counts, sheets and pages: whoever reads on the phone turns to the same page of the booklet."""
    patterns = (
        *(
            r"There are (\d+) stall cards",
            r"(\d+) of them different",
            r"this book has (\d+) pages",
            r"pages on (\d+) sheets",
        ),
        *(r"They lie on (\d+) sheets", r"pages (\d+–\d+) of the file", r"The winner is found on page (\d+)"),
    )
    for pattern in patterns:
        (shown,), (set_,) = re.findall(pattern, page.words), re.findall(pattern, printed.replace("\u00a0", " "))
        assert shown == set_, pattern


def test_the_headings_are_those_of_the_book(page: Shown) -> None:
    """In order, each with an id of its own."""
    headings = [element for element in page.elements if re.fullmatch(r"h[1-6]", element.tag)]

    assert [(element.tag, element.text) for element in headings] == [
        *(("h1", "The Fair"), ("h1", "Welcome"), ("h2", "In the box"), ("h2", "How the fair begins"), ("h2", "A turn")),
        *(("h2", "How to win"), ("h3", "When it rains"), ("h4", "And when it snows"), ("h2", "Imprint"), ("h2", "In short")),
    ]
    ids = [element.attributes["id"] for element in page.elements if "id" in element.attributes]
    assert len(ids) == len(set(ids)) == len(headings) - 1


def test_links_lead_somewhere(page: Shown) -> None:
    """Those of the contents, of page numbers, and of links within the book: to a heading that is there."""
    links = page.all("a")
    ids = {f"#{element.attributes['id']}": element for element in page.elements if "id" in element.attributes}
    contents = [link for link in links if "nav" in link.inside]

    assert all(link.attributes["href"] in ids for link in links)
    assert [link.text for link in contents] == ["In the box", "How the fair begins", "A turn", "How to win", "Imprint"]
    assert all(ids[str(link.attributes["href"])].text == link.text for link in contents)
    within = [ids[str(link.attributes["href"])].text for link in links if "main" in link.inside]
    assert within == ["How to win", "How to win", "In short", "In the box", "In the box"]


def test_blocks_are_what_they_are(page: Shown) -> None:
    """Lists, tables with heads, quotes, boxes, figures with captions, code."""

    def texts(tag: str, kind: str | None = None) -> list[str]:
        found = [element for element in page.all(tag) if kind is None or kind in str(element.attributes.get("class"))]
        return [" ".join(element.text.split()) for element in found]

    assert texts("blockquote") == ["Never sell the last balloon."]
    assert texts("aside", "example") == ["Anna’s turn Anna plays the Bakery. “Two loaves!” she says."]
    assert texts("aside", "note") == ["Remember Count your coins aloud. 0 is a number, too."]
    assert texts("figcaption") == ["Two stalls.", "Two meadows.", "A stall."]
    assert texts("code") == ["0"] and texts("em") == ["stalls"] and "aloud" in texts("strong")
    assert len(page.all("hr")) == 1
    # The column of small pictures in the first table has no name.
    assert [len(page.all(tag)) for tag in ("table", "thead", "th")] == [4, 3, 3 + 4 + 2]
    assert texts("section", "back") == ["In short Draw, play, shout."]


def test_an_anatomy_is_numbered(page: Shown) -> None:
    """Numbers on the picture, and what they mean in a list of as many."""
    (figure,) = [element for element in page.all("figure") if element.attributes.get("class") == "anatomy"]
    dots = [element.text for element in page.all("b") if "dot" in str(element.attributes["class"])]
    (told,) = [element for element in page.all("ol") if element.attributes.get("class") == "dots"]

    assert dots == ["1", "2"]
    assert told.text.split() == ["What", "the", "stall", "is", "called", "What", "it", "does"] and told.text in figure.text


ATTACK = f"""# {HOSTILE} "quoted"

{HOSTILE} <img src=x onerror=alert(1)> [x](javascript:alert(1)) &lt;b&gt;

- {HOSTILE}

| {HOSTILE} |
|---|
| {HOSTILE} |

::: note {HOSTILE}
{HOSTILE}
:::

```
{HOSTILE}
```

`{HOSTILE}` **{HOSTILE}** [{HOSTILE}](https://x.org/?a="><script>)

![{HOSTILE}" onerror="alert(1)](tent)

{{{{ face("cards", "bakery", caption="{HOSTILE}", alt="\\" onload=alert(1) {HOSTILE}") }}}}

{{{{ component_table(component="{HOSTILE}") }}}} 

{{{{ rows("cards")[0].rules }}}}

::: back
{HOSTILE}
:::
"""


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    """The page of a book whose every text is hostile."""
    section = f"[book.rulebook]\ntitle = '{HOSTILE}'\nsubtitle = '{HOSTILE}\"'\nfoot = '{HOSTILE}'\ncontents = '{HOSTILE}'\n"
    game = plain_game(
        tmp_path_factory.mktemp("attack"), ATTACK, game=section, table=f'id,name,rules\nbakery,Bakery,"{HOSTILE}"\n'
    )
    game.write("content/tiny/art/tent.svg", DRAWING.replace("W", "20").replace("H", "10"))
    read, editions = set_books(game, "a4")
    return Shown(files(read, editions)["rulebook.html"].decode())


def test_hostile_text_is_text(attacked: Shown) -> None:
    """Wherever it stands: a page from a stranger's game runs nothing."""
    assert attacked.all("script") == []
    assert not [name for element in attacked.elements for name in element.attributes if name.startswith("on")]
    assert {element.attributes.get("src", "data:")[:5] for element in attacked.elements} == {"data:"}  # type: ignore[index]
    assert attacked.faults == []
    assert HOSTILE in attacked.all("title")[0].text
    assert attacked.words.count(HOSTILE) >= 11
    # Addresses are quoted, and none runs a program; ids are words, whatever a heading says.
    links = [str(link.attributes["href"]) for link in attacked.all("a") if not str(link.attributes["href"]).startswith("#")]
    assert [link[:14] for link in links] == ["https://x.org/"]
    ids = [str(element.attributes["id"]) for element in attacked.elements if "id" in element.attributes]
    assert ids and all(re.fullmatch(r"[\w-]+", each) for each in ids)


def test_letters_are_picked_once(
    tmp_path: Path, made: tuple[list[Edition], dict[str, bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a font that is the same; a page with other letters has its own."""
    game, editions = set_books(fair(tmp_path), "a4")
    cache, picked, pick = Cache(tmp_path / "cache"), [], page_module._picked
    monkeypatch.setattr(page_module, "_picked", lambda *asked: picked.append(asked[1]) or pick(*asked))

    assert files(game, editions, cache) == made[1]
    first = len(picked)
    assert first >= 2
    assert files(game, editions, cache) == made[1]
    assert len(picked) == first
    files(game, [replace(editions[0], manual=replace(editions[0].manual, title="Ω"))], cache)
    assert len(picked) > first
    assert all("Ω" in letters for letters in picked[first:])


def test_colours_of_the_book_are_colours(made: tuple[list[Edition], dict[str, bytes]], page: Shown) -> None:
    """The accent of game.toml, by its name in the palette."""
    assert "--accent: #6b1f3a" in page.all("style")[0].text
