"""A book of many layers comes in parts: each is set once, has the same fonts as the others, and is kept by itself."""

from __future__ import annotations

import io
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pypdf
import pytest
from desk import Desk
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from pnp.draw import layer_pdf as bookmaking
from pnp.draw.cards import Origin
from pnp.draw.layer_pdf import LEAST, MOST, make_book, pixels
from pnp.system.cache import Cache, digest
from pnp.values.faces import Book, ImageLayer, Layer, TextLayer
from pnp.values.problems import Place

if TYPE_CHECKING:
    from collections.abc import Mapping

WORDS = ("first", "office", "flat", "fjord", "Thor", "sailing", "quickly", "jumps", "boxing", "wizards")


def layers(desk: Desk, count: int) -> list[Layer]:
    """So many cards with a title and a **bold** and *slanted* text."""
    made: dict[str, Layer] = {}
    for number in range(count):
        title, other = WORDS[number % len(WORDS)], WORDS[number // len(WORDS) % len(WORDS)]
        content = (
            f'<foreignObject x="3" y="3" width="30" height="8" data-size="12 7">{title} {number}</foreignObject>'
            f'<foreignObject x="3" y="12" width="30" height="20" data-size="9 6">The {other} **{title}** of *{other}*.'
            "\n\n- one\n- two</foreignObject>"
        )
        for placed in desk.cut(content):
            made[placed.layer.key] = placed.layer
    return list(made.values())


def book_of(desk: Desk, made: Sequence[Layer], cache: Cache | None = None) -> Book:
    """The layers as a book; nothing may be wrong with them."""
    origins: Mapping[str, Origin] = {layer.key: Origin("cards/anna", Place("cards.csv", 2)) for layer in made}
    book = make_book(made, desk.tools.fonts, origins, desk.problems, cache)
    assert not list(desk.problems)
    return book


def fonts_of(pdf: bytes) -> dict[str, bytes]:
    """The font programs of a PDF by the names of the fonts in it."""
    found = {}
    for page in pypdf.PdfReader(io.BytesIO(pdf)).pages:
        for font in page["/Resources"].get("/Font", {}).values():
            descriptor = font["/DescendantFonts"][0]["/FontDescriptor"]
            file = descriptor.get("/FontFile2") or descriptor["/FontFile3"]
            found[str(descriptor["/FontName"])] = file.get_object().get_data()
    return found


def entries(cache: Cache) -> set[str]:
    """What a cache holds."""
    return {path.name for path in cache.folder.glob("??/*")}


def test_every_layer_is_on_a_page_of_its_own(desk: Desk) -> None:
    """And the words on that page are the layer's. All parts have the same fonts, though no two have the same words: a file
    made of them needs each font once."""
    made = layers(desk, 300)

    book = book_of(desk, made)

    assert len(book.pdfs) > 2
    readers = [pypdf.PdfReader(io.BytesIO(pdf)) for pdf in book.pdfs]
    assert len(set(book.pages.values())) == len(made) == 300
    for number, layer in enumerate(made):
        part, page = book.pages[layer.key]
        assert f"{WORDS[number % 10]} {number}" in readers[part].pages[page].extract_text()
    assert [fit.layer for fit in book.fits] == [layer.key for layer in made for _ in range(2)]
    first, *others = map(fonts_of, book.pdfs)
    assert len(first) == 3 and all(other == first for other in others)


def test_parts_are_the_same_bytes_wherever_they_are_set(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Side by side, one after the other, or in other processes, as those with large pictures are."""
    made = layers(desk, 200)
    side_by_side = book_of(desk, made)
    assert len(side_by_side.pdfs) > 1
    for module, name, value in ((bookmaking.os, "cpu_count", lambda: 1), (bookmaking, "MOST_PIXELS_HERE", -1)):
        with monkeypatch.context() as patch:
            patch.setattr(module, name, value)
            assert book_of(desk, made) == side_by_side


def empty(key: str) -> Layer:
    """A layer of which only the key matters."""
    return TextLayer(key, 1, 1, ())


@given(st.integers(0, 10_000), st.integers(0, 1200), st.data())
def test_a_new_layer_changes_few_parts(seed: int, count: int, data: st.DataObject) -> None:
    """Wherever it comes in; and parts are neither too small nor too large."""
    made = [empty(digest(f"{seed} {number}")) for number in range(count)]
    at = data.draw(st.integers(0, count))

    before = bookmaking._parts(made)
    after = bookmaking._parts([*made[:at], empty(digest(f"new {seed}")), *made[at:]])

    assert [layer for part in before for layer in part] == made
    assert all(len(part) <= MOST for part in before)
    assert all(len(part) >= LEAST for part, _ in pairwise(before))
    if count > MOST:
        known = {tuple(layer.key for layer in part) for part in before}
        assert sum(tuple(layer.key for layer in part) not in known for part in after) <= 6


def picture(width: int, height: int) -> bytes:
    """A picture of nothing, as large as that when it is unpacked."""
    target = io.BytesIO()
    Image.new("1", (width, height)).save(target, "PNG")
    return target.getvalue()


def test_large_pictures_are_few_in_a_part() -> None:
    """The engine unpacks all pictures of a part at once: no part has more than 64 million pixels."""
    small, large = picture(40, 30), picture(5000, 5000)
    made = [
        ImageLayer(digest(file), 1, 1, file, "cover", {file: large if number % 4 == 0 else small})
        for number, file in enumerate(f"{number}.png" for number in range(40))
    ]

    parts = bookmaking._parts(made)

    assert [layer for part in parts for layer in part] == made
    assert max(sum(map(pixels, part)) for part in parts) <= 64_000_000
    assert bookmaking._parts(made[1:4]) == [made[1:4]]


def test_a_changed_layer_is_set_with_its_part_alone(desk: Desk, tmp_path: Path) -> None:
    """All other parts come from the cache; and the book is the one that is made without a cache."""
    cache = Cache(tmp_path / "cache")
    made = layers(desk, 300)
    before = book_of(desk, made, cache)
    kept = entries(cache)
    changed = [*made[:150], *layers(desk, 301)[-1:], *made[151:]]

    after = book_of(desk, changed, cache)

    assert len(kept) == len(before.pdfs)
    assert 1 <= len(entries(cache) - kept) <= 2
    assert len(set(after.pdfs) - set(before.pdfs)) == len(entries(cache) - kept)
    assert after == book_of(desk, changed)
