"""Layers set by Typst: texts that fit, words that do not, letters as typed, broken drawings; in parts, each set once."""

from __future__ import annotations

import io
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import pypdf
import pytest
from conftest import TinyProject, tool
from desk import DOTS, Desk, difference, ink, picture
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from pnp.draw import layer_pdf as bookmaking
from pnp.draw.cards import Origin
from pnp.draw.layer_pdf import LEAST, MOST, compile_layers, make_book, pixels
from pnp.draw.layers import Frame
from pnp.shapes.units import PT_PER_MM
from pnp.system.cache import Cache, digest
from pnp.values.faces import Book, ImageLayer, Layer, PlacedLayer, TextLayer
from pnp.values.outcome import Options
from pnp.values.problems import Place

WORDS = "The crew draws two cards, keeps one of them, and puts the other below the deck of the captain. "


def box(text: str, x: float = 4, y: float = 4, w: float = 32, h: float = 22, **options: object) -> str:
    """A text box."""
    settings = "".join(f" data-{key}={quoteattr(str(value))}" for key, value in options.items())
    return f'<foreignObject x="{x}" y="{y}" width="{w}" height="{h}"{settings}>{escape(text)}</foreignObject>'


def size_of(desk: Desk, content: str) -> float:
    """The size in which the one text box of a face is set."""
    _, (fit,) = compile_layers([placed.layer for placed in desk.cut(content)], desk.tools.fonts)
    return fit.size_pt


def messages(desk: Desk, content: str) -> list[str]:
    """What is wrong with the texts of a face."""
    desk.problems = type(desk.problems)()
    desk.book(desk.cut(content))
    return [problem.message for problem in desk.problems]


def printed(pdf: bytes) -> list[str]:
    """The lines of text on a page, as another program reads them."""
    done = subprocess.run([tool("pdftotext"), "-raw", "-", "-"], input=pdf, capture_output=True, check=True)
    return done.stdout.decode().replace("\f", "").splitlines()


def test_a_text_that_fits_keeps_its_largest_size(desk: Desk) -> None:
    """Nothing is shrunk that need not be."""
    assert size_of(desk, box("Draw.", size="14 6")) == 14


def test_a_long_text_is_as_large_as_fits(desk: Desk) -> None:
    """Between the two sizes: the size that was found fits, a quarter point more does not."""
    found = size_of(desk, box(3 * WORDS, size="14 4"))

    assert 4 < found < 14
    assert messages(desk, box(3 * WORDS, size=found)) == []
    assert len(messages(desk, box(3 * WORDS, size=found + 0.25))) == 1


def test_a_text_that_cannot_fit_is_told(desk: Desk) -> None:
    """The box and its smallest size are named, and the text."""
    (message,) = messages(desk, box(9 * WORDS, size="9 7.5", name="rules"))
    (problem,) = desk.problems

    assert 'cards/anna, box "rules"' in message
    assert "7.5 pt" in message
    assert problem.rule == "text-too-long"
    assert problem.value == WORDS[:80]
    assert "32 × 22 mm" in problem.allowed


@pytest.mark.parametrize("over", [1, 2, 3, 4])
@pytest.mark.parametrize(("size", "leading", "room"), [(8, 1.18, 3), (6, 1.5, 2), (10, 1.0, 1)])
@pytest.mark.parametrize("spare", [0.0, 0.9])
def test_the_lines_that_are_too_many_are_counted(
    desk: Desk, over: int, size: float, leading: float, room: int, spare: float
) -> None:
    """A box with room for some lines, from the first line's capitals to the last line's tails, counts the others."""
    height = (0.7 + (room - 1 + spare) * leading + 0.22) * size / PT_PER_MM
    shape: dict[str, Any] = {"h": height, "size": size, "leading": leading}

    assert messages(desk, box("\n".join(["Hg"] * room), **shape)) == []
    (message,) = messages(desk, box("\n".join(["Hg"] * (room + over)), **shape))
    assert f"the text is {over} line{'' if over == 1 else 's'} too long" in message


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("A Donaudampfschifffahrtsgesellschaft", {}),
        ("mmmmmmmmmmm", {}),
        ("through", {"hyphenate": "yes", "size": 30}),
        ("mmmmm", {"tracking": 1}),
        ("short Verylongwordwithicons:gold:andmoreandmore", {}),
        ("- a\n- b\n  1. Donaudampfschifffahrtsgesellschaft", {}),
        (" ".join(16 * "l" + letter for letter in "abcde") + " " + 13 * "W", {"size": 6}),
    ],
)
def test_a_word_wider_than_the_box_is_told(desk: Desk, text: str, options: dict[str, object]) -> None:
    """A word that would stick out is reported, whatever its style or spacing, wherever it stands."""
    desk.art("icons/gold", '<rect width="10" height="10"/>')
    found = messages(desk, box(text, w=20, **{"size": 9, "hyphenate": "no", **options}))

    assert ["a word is wider than the box" in message for message in found] == [True]


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("A Donaudampfschifffahrtsgesellschaft", {"hyphenate": "yes", "lang": "de"}),
        ("Donaudampf-Schifffahrts-Gesellschaft", {}),
        ("Donaudampf–Schifffahrts—Gesellschaft", {}),
        ("Donaudampf\u00adschifffahrts\u00adgesellschaft", {}),
        ("Donaudampfschifffahrtsgesellschaft", {"size": "9 3"}),
        ("mmmmmmm", {"tracking": -0.1}),
    ],
)
def test_a_word_that_can_be_parted_or_shrunk_is_fine(desk: Desk, text: str, options: dict[str, object]) -> None:
    """Hyphens, dashes, slashes and smaller sizes let a long word in."""
    content = box(text, w=20, **{"size": 9, "hyphenate": "no", **options})

    assert messages(desk, content) == []
    found = ink(desk.show(content))
    assert found is not None
    assert found[2] <= 4 + 20 + 0.3


@pytest.mark.parametrize(
    ("word", "lang", "parts"),
    [
        ("Buchstabensuppe", "de", ["Buch", "sta", "ben", "sup", "pe"]),
        ("hyphenation", "en", ["hy", "phen", "ation"]),
        ("universidad", "es", ["u", "ni", "ver", "si", "dad"]),
    ],
)
def test_words_are_hyphenated_by_the_rules_of_the_language(desk: Desk, word: str, lang: str, parts: list[str]) -> None:
    """A long word is broken between syllables of its language, and not at all without hyphenation."""
    lines = printed(desk.pdf(desk.cut(box(word, w=15, size=9, lang=lang, hyphenate="yes"))))
    starts = {"".join(parts[:count]) for count in range(1, len(parts))}

    assert len(lines) == 2
    assert lines[0].rstrip("-\u00ad\u2010") in starts
    assert lines[0].rstrip("-\u00ad\u2010") + lines[1] == word
    assert "a word is wider" in messages(desk, box(word, w=15, size=9, lang=lang, hyphenate="no"))[0]


TYPED = (
    '#read("/etc/passwd")', '#import "book.typ": all', "#panic()", "#{1 + 1}", "$x^2$ and $ y $", "a ] b [ c } d { e",
    "\\ back\\slash \\u{41}", "@ref <label> = head", "\"double\" and 'single'", "-- and --- and ...", "a ~ b",
    "`raw` ```x```", "// note /* more */", "https://example.org/#x", "/ term: text", "#sym.arrow #h(1cm)",
    "&amp; &lt;b>", "{{ row.name }} {% if %}", "%s {0} ${x}", "=== title", "a\u00a0b", "_a", "fi ffi fl",
)  # fmt: skip


def test_what_is_typed_is_what_is_printed(tmp_path: Path) -> None:
    """Typst's own syntax, and any other program's, comes out of boxes and labels as it was typed."""
    desk = Desk(tmp_path, frame=Frame(40, 12 * len(TYPED), 0))
    boxes = [box(text, x=0, y=12 * at, w=40, h=12, size=7) for at, text in enumerate(TYPED)]
    labels = [f'<text x="0" y="{12 * at + 9}" font-size="2">{escape(text)}</text>' for at, text in enumerate(TYPED)]

    for drawn in (boxes, labels):
        lines = printed(desk.pdf(desk.cut("".join(drawn))))
        # Versions of poppler differ in what they take for a space between such words.
        assert "".join("".join(lines).split()) == "".join("".join(TYPED).split())


LEFT, TOP, RIGHT, BOTTOM = 4, 4, 36, 26


def test_justified_lines_reach_both_sides(desk: Desk) -> None:
    """A paragraph in full lines is as wide as its box; ragged, its lines differ."""

    def rights(align: str) -> list[float]:
        image = desk.show(box(2 * WORDS, size=7, align=align, hyphenate="no"))
        lines = [image.crop((0, int(y * DOTS), image.width, int((y + 2) * DOTS))) for y in (4, 6.9, 9.8)]
        return [found[2] for line in lines if (found := ink(line))]

    assert rights("justify") == pytest.approx([RIGHT] * 3, abs=0.4)
    assert max(rights("left")) - min(rights("left")) > 0.6


@pytest.mark.parametrize("options", [{"lang": "he"}, {"lang": "ar-EG"}, {"dir": "rtl"}])
def test_texts_from_the_right_start_at_the_right(desk: Desk, options: dict[str, str]) -> None:
    """A right-to-left box is aligned right without being told to."""
    found = ink(desk.show(box("HIH", size=12, **options)))

    assert found is not None
    assert RIGHT - 0.8 < found[2] <= RIGHT + 0.2


def test_styles_look_like_styles(desk: Desk) -> None:
    """Bold is darker, italic is another shape, and a colour is that colour."""
    plain, bold, italic, blue = (
        desk.show(box(text, size=20, **more))
        for text, more in (("name", {}), ("**name**", {}), ("*name*", {}), ("name", {"fill": "#0000ff"}))
    )

    def darkness(image: Any) -> int:
        return sum(255 - value for value in image.convert("L").tobytes())

    assert darkness(bold) > 1.2 * darkness(plain)
    assert difference(plain, italic) > 1
    assert ink(blue, "#0000ff") is not None and ink(plain, "#0000ff") is None


def test_leading_and_tracking(desk: Desk) -> None:
    """Lines are as far apart as the leading says, letters as the tracking says."""
    one, two = (ink(desk.show(box("H\nH", size=10, leading=leading))) for leading in (1, 2))
    near, far = (ink(desk.show(box("HHHHH", size=10, tracking=tracking))) for tracking in (0, 0.5))
    em = 10 / PT_PER_MM
    assert one is not None and two is not None and near is not None and far is not None

    assert (two[3] - two[1]) - (one[3] - one[1]) == pytest.approx(em, abs=0.3)
    assert (far[2] - far[0]) - (near[2] - near[0]) == pytest.approx(4 * 0.5 * em, abs=0.3)


def test_lists_are_set_as_lists(desk: Desk) -> None:
    """Bullets and numbers are printed, numbers from where they start, lines beneath the text and not the mark."""
    lines = printed(desk.pdf(desk.cut(box("Do:\n- one\n- two\n\n3. three\n4. four", size=7))))

    assert [line.split() for line in lines] == [["Do:"], ["•", "one"], ["•", "two"], ["3.", "three"], ["4.", "four"]]


def test_icons_stand_in_the_line(desk: Desk) -> None:
    """An icon is one size high, as wide as its shape, between the words around it."""
    desk.art("icons/gold", '<rect width="20" height="10" fill="#f00"/>', "0 0 20 10")
    image = desk.show(box("H :gold: H", size=14, valign="middle"))
    icon, words = ink(image, "#f00"), ink(image, "#000")
    em = 14 / PT_PER_MM
    assert icon is not None and words is not None

    assert (icon[2] - icon[0], icon[3] - icon[1]) == pytest.approx((2 * em, em), abs=0.3)
    assert words[0] < icon[0] < icon[2] < words[2]
    assert (icon[1] + icon[3]) / 2 == pytest.approx((words[1] + words[3]) / 2, abs=0.4)


def _broken(placed: PlacedLayer) -> PlacedLayer:
    """The layer with a drawing of no size, which the engine refuses; art/ is looked at before, and has none."""
    assert isinstance(placed.layer, ImageLayer)
    files = dict.fromkeys(placed.layer.files, b'<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0"/>')
    return replace(placed, layer=replace(placed.layer, files=files))


def test_a_drawing_that_cannot_be_converted_is_named_and_the_others_are_fine(desk: Desk) -> None:
    """Among many, exactly the broken ones are told, at the things they were drawn for, and all others are drawn."""
    for name in ("bad", "worse"):
        desk.art(name, f'<rect id="{name}" width="10" height="10"/>')
    cards = "".join(f'<rect width="{x}" height="9" fill="#f00"/>{box(f"Card {x}")}' for x in range(1, 6))
    layers = desk.cut(f'<image href="bad" width="9" height="9"/>{cards}<image href="worse" width="9" height="9"/>')
    layers = [_broken(layers[0]), *layers[1:-1], _broken(layers[-1])]
    broken = {layers[0].layer.key: "bad", layers[-1].layer.key: "worse"}
    origins = {
        placed.layer.key: Origin(f"cards/{broken.get(placed.layer.key, 'fine')}", Place("cards.csv", 2 + number))
        for number, placed in enumerate(layers)
    }
    book = desk.book(layers, origins)

    assert [(problem.rule, problem.place.row) for problem in desk.problems] == [
        ("bad-drawing", 2),
        ("bad-drawing", 1 + len(layers)),
    ]
    assert ["cards/fine" in str(problem) for problem in desk.problems] == [False, False]
    assert set(book.pages) == {placed.layer.key for placed in layers} - set(broken)
    assert ink(picture(desk.pdf(layers, book)), "#f00") == pytest.approx((0, 0, 5, 9), abs=0.25)


def test_a_preview_shows_what_can_be_drawn(tiny: TinyProject) -> None:
    """A picture of a piece with a broken drawing is made without it, and the fault is told."""
    from pnp.flows.build import preview

    tiny.write(
        "content/tiny/art/bad.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="0" height="0"/>'
    )
    template = (tiny.project.root / "templates/tiny/cards.svg.j2").read_text()
    tiny.write(
        "templates/tiny/cards.svg.j2", template.replace("{% endblock", '<image href="bad" width="9" height="9"/>{% endblock')
    )
    result = preview(tiny.project, "tiny", Options(tiny.project.root / "shown", dpi=72), "cards")

    assert [problem.rule for problem in result.problems] == ["bad-drawing"]
    assert [file.suffix for file in result.files] == [".png"]


TITLES = ("first", "office", "flat", "fjord", "Thor", "sailing", "quickly", "jumps", "boxing", "wizards")


def layers(desk: Desk, count: int) -> list[Layer]:
    """So many cards with a title and a **bold** and *slanted* text."""
    made: dict[str, Layer] = {}
    for number in range(count):
        title, other = TITLES[number % len(TITLES)], TITLES[number // len(TITLES) % len(TITLES)]
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
        assert f"{TITLES[number % 10]} {number}" in readers[part].pages[page].extract_text()
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


def blank_picture(width: int, height: int) -> bytes:
    """A picture of nothing, as large as that when it is unpacked."""
    target = io.BytesIO()
    Image.new("1", (width, height)).save(target, "PNG")
    return target.getvalue()


def test_large_pictures_are_few_in_a_part() -> None:
    """The engine unpacks all pictures of a part at once: no part has more than 64 million pixels."""
    small, large = blank_picture(40, 30), blank_picture(5000, 5000)
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
