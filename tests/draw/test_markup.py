"""Markdown of text boxes: what becomes bold, a list, a break or an icon, and that nothing else happens to words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from pnp.draw import markup
from pnp.values.faces import Block, IconSpan, Listing, Paragraph, Rule, Span, TextSpan


def blocks(text: str) -> tuple[Block, ...]:
    """A text's blocks."""
    return markup.read(text, {"sea": "#2f7f8c"}).blocks


def spans(text: str) -> list[Span]:
    """The spans of a text that is one paragraph."""
    (paragraph,) = blocks(text)
    assert isinstance(paragraph, Paragraph)
    return list(paragraph.spans)


def outline(found: Sequence[Block]) -> list[Any]:
    """Blocks without styles: a text for a paragraph, a list of items for a list."""
    return [
        markup.plain([block])
        if isinstance(block, Paragraph)
        else ["bullets" if block.start is None else "numbers", *map(outline, block.items)]
        for block in found
    ]


def test_stars_and_underlines_make_bold_and_italic() -> None:
    """Two marks are bold, one is italic, three are both."""
    assert spans("a **b** *c* ***d***") == [
        TextSpan("a "),
        TextSpan("b", bold=True),
        TextSpan(" "),
        TextSpan("c", italic=True),
        TextSpan(" "),
        TextSpan("d", bold=True, italic=True),
    ]
    assert spans("__b__ _c_") == spans("**b** *c*")


JOINED = ("cost 5*3 and 4*2", "2d6*2 or d4*3", "f*ck and sh*t", "Gegner*innen, Spieler*innen")


@pytest.mark.parametrize(
    "text",
    [
        *("2 * 3 * 4", "snake_case_name", "** not bold **", "5*", "\\*plain\\*", "10:30:15", "3:2", "Note: so: it is"),
        *(":Skull:", ":3:", "::", ":two words:", "a :b c: d", "\\:skull:", ":skull\\:", "\\:skull\\:"),
        *JOINED,
    ],
)
def test_marks_that_embrace_nothing_stay(text: str) -> None:
    """A star or underline that marks no words, one that multiplies, hides or joins; times and ratios; what is escaped."""
    assert spans(text) == [TextSpan(text.replace("\\", ""))]
    if text in JOINED:
        assert spans(f"*{text}*") == [TextSpan(text, italic=True)]


@pytest.mark.parametrize(
    "text",
    [
        *("# Title", "`code`", "[a](b)", "![a](b)", "<b>x</b>", "<BR/>", "| a | b |", "&amp;", "&#160;"),
        *("**open", "a ~~b", "__c", "d**", "** not bold **", "a ~~", "~~", "~~ a", "b~~ c"),
        *("[x]{}", "[words] {red}", "[a *b*] {sea}", "a [^1]", "[a]: http://x", "| a", "| a | b", "<a@b.c>", "<http://x>"),
        *("x <!-- later --> y", "a &lt b", "Take {{ row.x }}", "{{name}}", "{% if a %}b", "c {%- endif %}", "{# a #}"),
    ],
)
def test_the_rest_of_markdown_is_printed_and_told(text: str) -> None:
    """Headings, links, code, HTML, and marks without a partner: their characters are printed, and somebody hears of it."""
    assert markup.plain(blocks(text)) == (text.replace("*", "") if "{sea}" in text else text)
    assert len(markup.read(text, {"sea": "#2f7f8c"}).slips) == 1


@pytest.mark.parametrize(
    "text",
    [
        *("5 * 3 * 2", "a < b", "#1", "# 1", "# of cards", "C#", "-2", "snake_case", "gold*", "*only in winter"),
        *("***", "**", "Name: ____", "AT&T; Q&A", "|x| = 5", "3 | 4", "[2]", "(a) [b]", "> 5", "\\**a"),
        *("R&D;", "http://example.org", "~5", "`tis", "<3", "x > y < z", "{2}{R}", "[a] {b}", "a\\_\\_b", "2 ** 3"),
        *("{{T}}", "{a} {%}", "R&lter", "~~~", "~~~~~~", "a [^ b", "[a]: 2", "[]{}", "|", "a@b.c", "\\{{ a }}"),
    ],
)
def test_words_that_only_look_so_are_left_in_peace(text: str) -> None:
    """Signs that people print on cards."""
    assert markup.read(text).slips == ()


def test_a_look_of_words() -> None:
    """Words in brackets have the colour and the line of the braces behind them."""
    assert spans("a [b *c*]{sea underline} ~~d~~") == [
        TextSpan("a "),
        TextSpan("b ", fill="#2f7f8c", underline=True),
        TextSpan("c", italic=True, fill="#2f7f8c", underline=True),
        TextSpan(" "),
        TextSpan("d", strike=True),
    ]
    assert spans("**[a]{RED}**") == [TextSpan("a", bold=True, fill="#ff0000")]


def test_a_look_that_is_none_is_told() -> None:
    """It is printed as it stands, and what may be written is said with the names of the palette."""
    reading = markup.read("[a **b**]{rde}", {"sea": "#2f7f8c"})

    assert markup.plain(reading.blocks) == "[a b]{rde}"
    assert [(slip.value, "sea" in slip.allowed) for slip in reading.slips] == [("[a b]{rde}", True)]


@pytest.mark.parametrize("text", ["---", "a\n***\nb", "a\n___\nb", "a --- b"])
def test_only_hyphens_between_lines_are_a_rule(text: str) -> None:
    """A cell of nothing but hyphens shows them; stars are a rating, underscores a blank."""
    assert markup.plain(blocks(text)) == text
    assert [type(block) for block in blocks("a\n---\nb")] == [Paragraph, Rule, Paragraph]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        *((f"{marker} a\n{marker} b", ["bullets", ["a"], ["b"]]) for marker in "-+*"),
        ("- a\n  1. b\n  2. c\n- d", ["bullets", ["a", ["numbers", ["b"], ["c"]]], ["d"]]),
        ("1. - 2 VP\n2. + 1 VP", ["numbers", ["- 2 VP"], ["+ 1 VP"]]),
        ("* a\n  * b", ["bullets", ["a", ["bullets", ["b"]]]]),
        ("- once", ["bullets", ["once"]]),
    ],
)
def test_lists(text: str, found: list[object]) -> None:
    """Lines behind a marker, whichever the marker; indented ones are a list inside the item above. A gain in an item has its
    sign; lists below a single item are lists, and so is a single item of words."""
    assert outline(blocks(text)) == [found]


@pytest.mark.parametrize(
    ("text", "start", "mark"),
    [("1. a\n2. b", 1, "."), ("0. a", 0, "."), ("3) a\n4) b", 3, ")"), ("1910. a year", 1910, ".")],
)
def test_numbers_are_printed_as_they_are_typed(text: str, start: int, mark: str) -> None:
    """From where they start, with the bracket or the stop that stands behind them."""
    (block,) = blocks(text)

    assert isinstance(block, Listing) and (block.start, block.mark) == (start, mark)


@pytest.mark.parametrize(
    "text",
    [
        *("- 2 VP", "+ 2 VP", "* 2 players", "* Once a game only", "+ any good", "+ **2** VP", "- 2 VP\n+ 3 VP"),
        *("Gain:\n+ 2 VP\nor:\n- 1 VP", "+ a\n\nb\n\n+ c"),
    ],
)
def test_signs_are_no_bullets(text: str) -> None:
    """What is gained or lost has its sign, a footnote its star: a line alone behind a sign is no list."""
    assert markup.plain(blocks(text)).replace("\n", "") == text.replace("**", "").replace("\n", "")
    assert all(isinstance(block, Paragraph) for block in blocks(text))


def test_bold_within_a_word_is_told() -> None:
    """It is printed with its stars; scripts without spaces have no edges of words, and have it bold."""
    reading = markup.read("un**believ**able")

    assert markup.plain(reading.blocks) == "un**believ**able"
    assert [slip.value for slip in reading.slips] == ["**believ"]
    assert spans("这是**重要**的") == [TextSpan("这是"), TextSpan("重要", bold=True), TextSpan("的")]


def test_icons() -> None:
    """A name between colons is an icon, in bold and beside another one too."""
    assert spans("Take :gold::sea-map: **or :rum_1:**") == [
        TextSpan("Take "),
        IconSpan("gold"),
        IconSpan("sea-map"),
        TextSpan(" "),
        TextSpan("or ", bold=True),
        IconSpan("rum_1"),
    ]
    found = markup.spans(blocks("- :a:\n  - :b:\n\n:c:"))
    assert [span.name for span in found if isinstance(span, IconSpan)] == ["a", "b", "c"]


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(st.text(st.characters(categories=["L", "N", "Sc", "Sm"], exclude_characters="+"), min_size=1)), st.data())
def test_plain_words_come_back_in_order(words: list[str], data: st.DataObject) -> None:
    """A text without Markdown is set word for word, however it is spaced."""
    gaps = st.sampled_from([" ", "  ", "\n", "\n\n", "\t", " \n ", "\n    "])
    text = "".join(word + data.draw(gaps) for word in words)

    assert markup.plain(blocks(text)).split() == text.split()


@settings(max_examples=examples(300), deadline=None)
@given(st.text("ab *_-+1.)\n\\", max_size=80))
def test_letters_survive_every_markdown(text: str) -> None:
    """Markers may go, letters never do."""
    assert re.findall("[ab]", markup.plain(blocks(text))) == re.findall("[ab]", text)


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(st.sampled_from(["a", "b ", "**a**", "__b__", "*a*", "_b_", "\\!", ":i:", "\n"]), max_size=12).map("".join))
def test_neighbours_of_one_style_are_one_span(text: str) -> None:
    """Escapes and closed marks leave no seams in a run of one style."""
    for block in blocks(text):
        for one, two in pairwise(block.spans if isinstance(block, Paragraph) else ()):
            if isinstance(one, TextSpan) and isinstance(two, TextSpan):
                assert (one.bold, one.italic) != (two.bold, two.italic)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        *(("1. a\n2. b\n10. c", ["10."]), ("3. a\n1. b", ["1."]), ("- x\n  1. a\n  3. b", ["3."]), ("1) a\n3) b", ["3)"])),
        *(("1. a\n1. b\n1. c", []), ("4. a\n5. b", []), ("1. a\n   1. x\n   2. y\n2. b", []), ("- a\n- b", [])),
    ],
)
def test_numbers_that_are_not_printed_are_told(text: str, told: list[str]) -> None:
    """A list counts on from its first number, whatever is typed."""
    assert [slip.value for slip in markup.read(text).slips] == told
