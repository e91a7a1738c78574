"""A book's Markdown becomes blocks and spans; what cannot be one is a fault with its line."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import pytest

from pnp.books.functions import CLOSE, OPEN, Asked, AskedFigure, AskedTable
from pnp.books.markdown import parse, slug
from pnp.books.spans import plain, runs_of, smart
from pnp.values.books import (
    Beside,
    Block,
    BlockQuote,
    Blocks,
    Box,
    BulletList,
    CodeBlock,
    Columns,
    Figure,
    FigureRow,
    Heading,
    InlinePicture,
    LineBreak,
    Link,
    NumberedList,
    PageNumber,
    Paragraph,
    Span,
    TableBlock,
    Text,
    TextRun,
    ThematicBreak,
    Width,
    Wish,
)

B = TypeVar("B", bound=Block)
NBSP = "\u00a0"
CARD = AskedFigure((Wish("front", "cards", "fox"),), Width(mm=30), "A *fox*.", "A fox")
ROW = AskedFigure((Wish("front", "cards", "fox"), Wish("front", "cards", "hen")), Width(share=0.5), "", "Two animals")
TABLE = AskedTable("setup_table", ("Players", "2"), (("hens, **all**", "4"),))


def read(text: str, *asked: Asked, language: str = "en", source: str = "") -> Text:
    """A text read without a fault."""
    made = parse(text, source or text, asked, language)
    assert made.faults == ()
    return made


def only(text: str, *asked: Asked, language: str = "en") -> Block:
    """The one block of a text."""
    (block,) = read(text, *asked, language=language).blocks
    return block


def a(kind: type[B], block: Block) -> B:
    """A block that is of this kind."""
    assert isinstance(block, kind)
    return block


def kinds(blocks: Blocks) -> list[type[Block]]:
    """Of which kind each is."""
    return [type(block) for block in blocks]


def spans(text: str, *asked: Asked, language: str = "en") -> list[Span]:
    """What a paragraph is made of."""
    return list(a(Paragraph, only(text, *asked, language=language)).spans)


def mark(kind: str, of: object) -> str:
    """What a function leaves in the text."""
    return f"{OPEN}{kind}:{of}{CLOSE}"


# --- blocks -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "level"), [("# A", 1), ("## A", 2), ("### A", 3), ("#### A", 4), ("###### A", 4), ("A\n=", 1)]
)
def test_a_heading_has_its_level(typed: str, level: int) -> None:
    """One mark a level; there are four, and a line below is a heading, too."""
    assert only(typed) == Heading(level, "a", (TextRun("A"),))


def test_lists_hold_blocks() -> None:
    """Items are blocks, lists within lists among them; numbers begin where they are typed to."""
    block = a(NumberedList, only("3. Draw.\n4. Play:\n   - here,\n   - there.\n"))

    assert (block.start, len(block.items)) == (3, 2)
    inner = a(BulletList, block.items[1][1])
    assert [plain(a(Paragraph, item[0]).spans) for item in inner.items] == ["here,", "there."]


def test_a_table_has_a_head_rows_and_aligned_columns() -> None:
    """Columns are aligned as typed; else numbers stand in the middle, but for the first column's."""
    table = a(TableBlock, only("| 1 | b | c | d |\n|---|--:|:-:|---|\n| 2 | x | y | 7 |\n| 3 | **z** | | 1,000 |\n"))

    assert not table.wide
    assert [plain(cell) for cell in table.head] == ["1", "b", "c", "d"]
    assert [[plain(cell) for cell in row] for row in table.rows] == [["2", "x", "y", "7"], ["3", "z", "", "1,000"]]
    assert table.align == ("left", "right", "center", "center")
    assert table.most == (1, 1, 1, 5)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("> Never.", BlockQuote((Paragraph((TextRun("Never."),)),))),
        ("```\na  *b*\n  c\n```", CodeBlock("a  *b*\n  c")),
        ("    a :b:", CodeBlock("a :b:")),
        ("---", ThematicBreak()),
    ],
)
def test_quotes_code_and_rules(typed: str, expected: Block) -> None:
    """What stands in code stays as it is typed."""
    assert only(typed) == expected


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a <b>c</b>", "<b>"),
        ("So **it begins", "**it begins"),
        ("x\n\n- a\n- ~~b", "~~b"),
        ("a [b]{rde}", "[…]{rde}"),
        ("#Goal", "#Goal"),
        ("• Draw.\n• Pass.", "• Draw."),
        ("Draw.[^1]", "[^1]"),
        ("[shop](www.example.org)", "[shop](www.example.org)"),
        ("See [it](cards.csv).", "[it](cards.csv)"),
        ("[x]()", "[x]()"),
    ],
)
def test_what_looks_like_markup_is_told(text: str, value: str) -> None:
    """It is printed as it stands, and a warning names it."""
    (fault,) = parse(text, text, (), "en").faults

    assert (fault.rule, fault.severity, fault.value) == ("unknown-markup", "warning", value)


def test_no_cell_is_dropped() -> None:
    """A row with more cells than its head is told with what would be lost; a bar that is escaped parts nothing."""
    text = "| a | b |\n|---|---|\n| 1 | 2 \\| 3 |\n| 1 | 2 | 3 |\n"
    (fault,) = parse(text, text, (), "en").faults

    assert (fault.rule, fault.place.row, fault.value) == ("table-in-text", 4, "3")


def test_looks_of_words() -> None:
    """Colours, lines below and through words; what is escaped is no mark."""
    made = parse("[a *b*]{sea underline} ~~c~~ \\[d\\]{sea} \\:coin:", "", (), "en", {"sea": "#2f7f8c"}.get)
    sea = TextRun("a ", fill="#2f7f8c", underline=True)

    assert made.faults == ()
    assert a(Paragraph, made.blocks[0]).spans == (
        *(sea, replace(sea, text="b", italic=True), TextRun(" "), TextRun("c", strike=True)),
        TextRun(" [d]{sea} :coin:"),
    )


# --- spans ------------------------------------------------------------------------------------------------


def test_emphasis_goes_into_one_another() -> None:
    """Bold, italic, both, and code, which is neither."""
    assert spans("a **b *c* d** *e* `f *g*`") == [
        TextRun("a "),
        TextRun("b ", bold=True),
        TextRun("c", bold=True, italic=True),
        TextRun(" d", bold=True),
        TextRun(" "),
        TextRun("e", italic=True),
        TextRun(" "),
        TextRun("f *g*", code=True),
    ]


def test_lines_and_links() -> None:
    """A new line is a space; two spaces or a stroke at its end are a break. Links hold spans: to a page, typed bare, or to a
    heading of the book. 7 × 7 stays on one line."""
    assert spans("a\nb") == [TextRun("a b")]
    assert spans("a  \nb") == spans("a\\\nb") == [TextRun("a"), LineBreak(), TextRun("b")]
    assert spans("[a *b*](https://x.org)") == [Link("https://x.org", (TextRun("a "), TextRun("b", italic=True)))]
    assert spans("<https://x.org>") == [Link("https://x.org", (TextRun("https://x.org"),))]
    assert read("# End\n\n[there](#end)").blocks[1] == Paragraph((Link("#end", (TextRun("there"),)),))
    assert spans("Water +1, sails −2 a + 1") == [TextRun(f"Water{NBSP}+1, sails{NBSP}−2 a + 1")]
    assert spans("7 × 7, or 10 × 12 a × b") == [TextRun(f"7{NBSP}×{NBSP}7, or 10{NBSP}×{NBSP}12 a × b")]


@pytest.mark.parametrize("target", ["javascript:alert(1)", "vbscript:x", "file:///etc/passwd", "data:text/html,x"])
def test_a_link_that_runs_something_is_text(target: str) -> None:
    """A book is given to friends: its links open pages and do nothing else."""
    assert spans(f"[a]({target})") == [TextRun(f"[a]({target})")]


def test_icons_stand_in_the_line() -> None:
    """Between colons, also in bold text and cells; their name is what is heard."""
    text = read("Pay :silver-coin: or **two :coin:** at 10:30:45.")
    said = a(Paragraph, text.blocks[0]).spans

    assert [span for span in said if isinstance(span, InlinePicture)] == [
        InlinePicture(0, "silver coin", "icon"),
        InlinePicture(1, "coin", "icon"),
    ]
    assert text.wishes == (Wish("icon", "silver-coin"), Wish("icon", "coin"))
    assert plain(said).endswith("at 10:30:45.")


# --- ties and quotation marks -----------------------------------------------------------------------------


def test_page_is_not_parted_from_its_number() -> None:
    """The space before a page number does not break, and the number is known only once the book is set."""
    text = read(f"# Goal\n\nSee page {mark('page', 'goal')}, please")

    assert text.blocks[1] == Paragraph((TextRun(f"See page{NBSP}"), PageNumber("goal"), TextRun(", please")))


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "“Hi ‘you’”, it’s"), ("en-GB", "“Hi ‘you’”, it’s"), ("de", "„Hi ‚you‘“, it’s"),
        ("de-AT", "„Hi ‚you‘“, it’s"), ("fr", "«\u202fHi ‹\u202fyou\u202f›\u202f», it’s"), ("es", "«Hi “you”», it’s"),
        ("it", "«Hi “you”», it’s"), ("pl", "„Hi ‚you’”, it’s"), ("xx", "“Hi ‘you’”, it’s"),
    ],
)  # fmt: skip
def test_quotation_marks_are_those_of_the_language(language: str, expected: str) -> None:
    """In paragraphs, titles of boxes, captions, cells of tables from functions, and on the cover; apostrophes are curly."""
    typed = "\"Hi 'you'\", it's"
    figure = AskedFigure(CARD.wishes, None, typed, "Fox")
    grid = AskedTable("imprint", (typed,), ((typed,),))
    text = read(
        f"{typed}\n\n::: note {typed}\nx\n:::\n\n{mark('figure', 0)}\n\n{mark('figure', 1)}", figure, grid, language=language
    )
    paragraph, box, shown, made = text.blocks
    table = a(TableBlock, made)

    assert plain(a(Paragraph, paragraph).spans) == expected
    assert plain(a(Box, box).title) == expected
    assert plain(a(Figure, shown).caption) == expected
    assert plain(table.head[0]) == plain(table.rows[0][0]) == expected
    assert smart(typed, language) == expected


# --- boxes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["note", "example", "side"])
def test_boxes_have_a_title_and_blocks(kind: str) -> None:
    """The words behind the kind are its title, with emphasis; without any there is none."""
    titled = a(Box, only(f"::: {kind} Two *foxes*\n- a\n\nb\n:::"))
    bare = a(Box, only(f":::{kind}\nb\n:::"))

    assert (titled.kind, kinds(titled.blocks)) == (kind, [BulletList, Paragraph])
    assert titled.title == (TextRun("Two "), TextRun("foxes", italic=True))
    assert bare.title == ()


def test_pictures_stand_side_by_side_or_beside_words() -> None:
    """Pictures alone are a row; with a text they are columns of text; beside the first picture stands whatever is said."""
    row = a(FigureRow, only(f"::: columns\n{mark('figure', 0)}\n\n![Boat](boat)\n:::", CARD))
    flow = a(Columns, only(f"::: columns\n{mark('figure', 0)}\n\nSee.\n:::", CARD))
    block = a(Beside, only(f"::: beside\n{mark('figure', 0)}\n\nLook.\n\n- a\n:::", CARD))

    assert len(row.figures) == len(flow.blocks) == 2
    assert kinds((block.figure, *block.blocks)) == [Figure, Paragraph, BulletList]


@pytest.mark.parametrize(("language", "order"), [("de", ["Äpfel", "Birne", "zart"]), ("ja", ["zart", "Birne", "Äpfel"])])
def test_what_is_looked_up_is_in_alphabetical_order(language: str, order: list[str]) -> None:
    """A table by its first column, a list by its first words, whatever accents; Japanese is not sorted by its letters."""
    table, items, after = read(
        "::: sorted\n| a | b |\n|---|---|\n| zart | 1 |\n| **Birne** | 2 |\n| Äpfel | 3 |\n\n- zart\n- *Birne*: x\n"
        "- Äpfel\n\nSee.\n:::",
        language=language,
    ).blocks

    assert [plain(row[0]) for row in a(TableBlock, table).rows] == order
    firsts = [plain(a(Paragraph, item[0]).spans).removesuffix(": x") for item in a(BulletList, items).items]
    assert (firsts, plain(a(Paragraph, after).spans)) == (order, "See.")


def test_a_term_comes_before_a_longer_one_that_begins_with_it() -> None:
    (items,) = read("::: sorted\n- **Ship of fools**: a\n- **Ship**: yours\n:::").blocks

    assert [plain(a(Paragraph, item[0]).spans) for item in a(BulletList, items).items] == ["Ship: yours", "Ship of fools: a"]


def test_the_back_is_kept_apart() -> None:
    """What stands on the back cover is not in the text, wherever it is typed."""
    text = read("a\n\n::: back\n## In short\n\nb\n:::\n\nc")

    assert [plain(a(Paragraph, block).spans) for block in text.blocks] == ["a", "c"]
    heading, paragraph = text.back
    assert (plain(a(Heading, heading).spans), plain(a(Paragraph, paragraph).spans)) == ("In short", "b")


# --- headings ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("How to win", "how-to-win"),
        ("Anna's turn!", "annas-turn"),
        ("Anna’s turn", "annas-turn"),
        ("2–4 players", "2-4-players"),
        ("Größe & Übel", "größe-übel"),
        ("???", ""),
    ],
)
def test_a_headings_id_is_its_words(title: str, name: str) -> None:
    """Small letters joined by hyphens, without apostrophes."""
    assert slug(title) == name


def test_headings_of_one_name_are_numbered() -> None:
    """Each heading has an id of its own, also in boxes, emphasized, or without a letter."""
    text = read("# A turn\n\n## *A* turn\n\n::: side\n## A turn\n:::\n\n# ?\n\n# A turn 2")
    ids = [block.id for block in text.blocks if isinstance(block, Heading)]

    assert ids == ["a-turn", "a-turn-2", "section", "a-turn-2-2"]
    assert a(Heading, a(Box, text.blocks[2]).blocks[0]).id == "a-turn-3"


# --- figures ----------------------------------------------------------------------------------------------


def test_a_figure_alone_is_a_block() -> None:
    """With its pictures, width, caption and what is heard."""
    text = read(f"a\n\n{mark('figure', 0)}\n\n{mark('figure', 1)}", CARD, ROW)

    caption = TextRun("A "), TextRun("fox", italic=True), TextRun(".")
    assert text.blocks[1] == Figure((0,), Width(mm=30), caption, "A fox", ())
    assert a(Figure, text.blocks[2]).pictures == (0, 1)
    assert text.wishes == (*CARD.wishes, ROW.wishes[1])


def test_a_picture_is_made_as_large_as_it_is_shown() -> None:
    """The widest use of a picture decides; a share is one of a usual column, or of the page where it spans both."""
    for across, wide in ((False, 50), (True, 88)):
        row = replace(ROW, float=across)
        for first, second in ((CARD, row), (row, CARD)):
            text = read(f"{mark('figure', 0)}\n\n{mark('figure', 1)}", first, second)
            assert dict(text.widths) == {0: pytest.approx(wide), 1: pytest.approx(wide)}


def test_a_figure_in_a_line_is_a_picture_in_it() -> None:
    """In a sentence, in a cell and in an item: as wide as it is asked for, else small; there are no shares."""
    sentence = spans(f"Take {mark('figure', 0)} now", CARD)
    cell = a(TableBlock, only(f"| a |\n|---|\n| {mark('figure', 0)} |", ROW)).rows[0][0]
    (item,) = a(BulletList, only(f"- x {mark('figure', 0)}", AskedFigure(CARD.wishes, None, "", "Fox"))).items
    _, shown = a(Paragraph, item[0]).spans

    assert sentence[1] == InlinePicture(0, "A fox", 30)
    assert cell == (InlinePicture(0, "Two animals", "inline"), InlinePicture(1, "Two animals", "inline"))
    assert isinstance(shown, InlinePicture) and isinstance(shown.size, float) and 8 <= shown.size <= 20


def test_tables_that_are_asked_for() -> None:
    """They look like typed ones; a thumb in them is a small picture that is not heard: the name beside it says it all."""
    table = a(TableBlock, only(mark("figure", 0), TABLE))
    assert table.rows == (((TextRun("hens, "), TextRun("all", bold=True)), (TextRun("4"),)),)
    assert table.align == ("left", "center")

    text = read(mark("figure", 1), CARD, AskedTable("component_table", ("",), ((mark("thumb", 0),),)))
    assert a(TableBlock, text.blocks[0]).rows == (((InlinePicture(0, "", "thumb"),),),)
    assert text.wishes == CARD.wishes


@pytest.mark.parametrize("hostile", [mark("figure", 7), mark("figure", -1), mark("figure", "x"), mark("thumb", "front fox")])
def test_a_mark_that_no_function_made_is_nothing(hostile: str) -> None:
    """A table's cell may hold any letter; none breaks the book."""
    assert read(f"a {hostile}b\n\n{hostile}", CARD).wishes == ()


# --- drawings ---------------------------------------------------------------------------------------------


def test_images() -> None:
    """A drawing of art/, with or without the folder: alone it is a figure with its alt as caption; in a line, also within a
    link, it is as high as the line."""
    text, boat = read("![A *red*\nboat](art/my%20boat)"), InlinePicture(0, "Boat", "inline")
    figure = a(Figure, text.blocks[0])

    assert figure.alt == plain(figure.caption) == "A red boat" and text.wishes == (Wish("art", "my boat"),)
    assert spans("a ![Boat](boat)")[1] == boat
    assert spans("[![Boat](boat)](https://x.org)") == [Link("https://x.org", (boat,))]


def test_all_that_is_said_is_looked_through() -> None:
    """Letters of every kind of block, with whether they are italic: so that a missing one is found wherever it is."""
    blocks = ("# a", "b *c* [d](https://x.org)", "- e", "> f", "```\ng\n```", "::: note h\ni\n:::", "| j |\n|---|\n| k |")
    text = read(
        "\n\n".join([*blocks, mark("figure", 0)]),
        AskedFigure(CARD.wishes, None, "l", "unseen", (("box", "m"),)),
    )
    said = {(letter, run.italic) for run in runs_of(text.blocks) for letter in run.text.strip()}

    assert said == {*((letter, False) for letter in "abdefghijklm"), ("c", True)}
